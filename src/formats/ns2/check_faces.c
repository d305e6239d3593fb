/* SPDX-License-Identifier: MIT */
/*
 * Checks of faces against their triangles. Either may be first in the file, so this runs at the end of the
 * mesh. Also reports duplicate edges and materials.
 */
#include "../../core/number.h"
#include "../../core/vector.h"
#include "check_mesh.h"
#include "triangles.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define THIN   0.00001 /* m: a triangle no higher than this has no area; coordinates are no finer */
#define NARROW 0.001   /* m: a face no wider than this (2 * area / perimeter) has no visible area */

#define PREFIX 4 /* bytes of the number before a list */

typedef struct faces {
    mst_ns2_mesh_check *m;
    uint64_t limit;    /* vertices and ghosts */
    uint32_t *on_face; /* per vertex: the last face whose loops use it, plus one */
    uint64_t budget;   /* remaining comparisons of edges with corners */
    /* the current face */
    uint32_t face;
    const mst_ns2_run *loops;
    uint64_t loop_count;
    bool complete; /* all its edges and vertices exist and are finite */
    bool measured;
    uint64_t border, edges;            /* numbers of edges: of the border, of all loops */
    double normal[3], middle[3], area; /* normal: unit length, or 0 */
    double low[3], high[3];
} faces;

static void point_at(const faces *f, uint64_t index, double point[3]) {
    const mst_ns2_mesh_check *m = f->m;
    bool ghost = index >= m->vertices.count;
    const mst_column *column = ghost ? &m->ghosts : &m->vertices;
    for (uint32_t c = 0; c < 3; c++)
        point[c] =
            (double)mst_f32_of_bits(mst_column_u32(column, ghost ? index - m->vertices.count : index, c));
}

static bool finite_point(const double point[3]) {
    return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

/* The edges of a loop. */
typedef struct steps {
    mst_column turned, edge;
} steps;

static steps steps_of(const faces *f, uint64_t loop) {
    const mst_ns2_mesh_check *m = f->m;
    uint64_t offset = m->mesh.offset + f->loops[loop].offset;
    uint32_t count = f->loops[loop].count;
    return (steps){mst_column_at(&m->turned, offset, count), mst_column_at(&m->edge, offset, count)};
}

/* The start and end vertex of an edge of a loop; false if the edge or a vertex does not exist. */
static bool ends_of(const faces *f, const steps *s, uint64_t index, uint32_t ends[2]) {
    const mst_ns2_mesh_check *m = f->m;
    uint32_t turned = mst_column_u32(&s->turned, index, 0) != 0, edge = mst_column_u32(&s->edge, index, 0);
    if (edge >= m->edges.count)
        return false;
    ends[0] = mst_column_u32(&m->edges, edge, turned);
    ends[1] = mst_column_u32(&m->edges, edge, 1 - turned);
    return ends[0] < m->vertices.count && ends[1] < m->vertices.count;
}

/* Makes a face the current one and marks the vertices of its loops. */
static void enter(faces *f, uint32_t face) {
    const mst_ns2_mesh_check *m = f->m;
    f->face = face;
    f->loops = (const mst_ns2_run *)m->loops.items + m->first_loop[face];
    f->loop_count = m->first_loop[face + 1] - m->first_loop[face];
    f->edges = 0;
    f->complete = true;
    f->measured = false;
    for (uint64_t loop = 0; loop < f->loop_count; loop++) {
        steps s = steps_of(f, loop);
        uint32_t ends[2];
        f->edges += s.edge.count;
        for (uint64_t i = 0; i < s.edge.count; i++) {
            if (!ends_of(f, &s, i, ends)) {
                f->complete = false;
                continue;
            }
            f->on_face[ends[0]] = f->on_face[ends[1]] = face + 1;
        }
    }
}

/* Computes the plane, bounds and area of the face from its border. */
static void measure(faces *f) {
    steps border = steps_of(f, 0);
    double first[3] = {0, 0, 0}, last[3] = {0, 0, 0}, length = 0;
    f->measured = true;
    f->border = border.edge.count;
    memset(f->normal, 0, sizeof f->normal);
    memset(f->middle, 0, sizeof f->middle);
    for (uint64_t i = 0; i < f->border && f->complete; i++) {
        uint32_t ends[2];
        double point[3] = {0, 0, 0}, a[3], b[3], step = 0;
        bool there = ends_of(f, &border, i, ends);
        if (!MST_CHANGED(!there)) /* the face was complete */
            point_at(f, ends[0], point);
        f->complete = finite_point(point);
        if (i == 0)
            memcpy(first, point, sizeof first);
        for (int k = 0; k < 3; k++) {
            a[k] = i ? last[k] - first[k] : 0;
            b[k] = point[k] - first[k];
            step += i ? (point[k] - last[k]) * (point[k] - last[k]) : 0;
            f->middle[k] += b[k] / (double)f->border;
            f->low[k] = i && f->low[k] < point[k] ? f->low[k] : point[k];
            f->high[k] = i && f->high[k] > point[k] ? f->high[k] : point[k];
        }
        for (int k = 0; k < 3; k++)
            f->normal[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        length += sqrt(step);
        memcpy(last, point, sizeof last);
    }
    double twice =
        sqrt(f->normal[0] * f->normal[0] + f->normal[1] * f->normal[1] + f->normal[2] * f->normal[2]);
    length += mst_distance_to_line(last, first, first);
    f->area = twice / 2;
    if (!(twice > NARROW * length))
        twice = f->area = 0;
    for (int k = 0; k < 3; k++) {
        f->normal[k] = twice > 0 ? f->normal[k] / twice : 0;
        f->middle[k] += first[k];
    }
}

/* ---- corners that are not in the face's loops --------------------------------------------------- */

/* Whether a point of the face's plane is inside the border, or on an edge of the border or of a hole. */
static bool is_within(faces *f, const double point[3], bool *near_edge) {
    int drop = fabs(f->normal[0]) > fabs(f->normal[1]) ? 0 : 1;
    drop = fabs(f->normal[2]) > fabs(f->normal[drop]) ? 2 : drop;
    int u = (drop + 1) % 3, v = (drop + 2) % 3;
    bool inside = false;
    *near_edge = false;
    for (uint64_t loop = 0; loop < f->loop_count; loop++) {
        steps s = steps_of(f, loop);
        uint32_t ends[2];
        for (uint64_t i = 0; i < s.edge.count; i++) {
            double a[3], b[3];
            bool there = ends_of(f, &s, i, ends);
            if (MST_UNREACHABLE(!there)) /* the face is complete */
                return true;
            point_at(f, ends[0], a);
            point_at(f, ends[1], b);
            if (mst_distance_to_line(point, a, b) <= MST_NS2_NEAR) {
                *near_edge = true;
                return true;
            }
            if (loop == 0 && (a[v] > point[v]) != (b[v] > point[v]) &&
                point[u] < (b[u] - a[u]) * (point[v] - a[v]) / (b[v] - a[v]) + a[u])
                inside = !inside;
        }
    }
    return inside;
}

static void write_number(double value, char text[MST_NUMBER_MAX + 1]) {
    text[mst_write_f32(text, (float)(value < 1e30 ? value : 1e30))] = 0;
}

/* Whether the vertex is on the face; if not, `found` describes its position. */
static bool belongs(faces *f, uint32_t vertex, char *found, size_t capacity) {
    double point[3], off = 0;
    bool near_edge = false, outside = false;
    point_at(f, vertex, point);
    if (!f->measured)
        measure(f);
    if (!f->complete || !finite_point(point))
        return true; /* reported with a separate code */
    for (int k = 0; k < 3; k++) {
        off += f->normal[k] * (point[k] - f->middle[k]);
        outside = outside || !f->border || point[k] < f->low[k] - MST_NS2_NEAR ||
                  point[k] > f->high[k] + MST_NS2_NEAR;
    }
    if (!outside) {
        /* faces of real levels have few edges; for crafted ones check only the distance from the plane */
        if (f->edges > f->budget)
            return fabs(off) <= MST_NS2_NEAR;
        f->budget -= f->edges;
        outside = !is_within(f, point, &near_edge);
    }
    if (near_edge || (!outside && fabs(off) <= MST_NS2_NEAR))
        return true;
    if (fabs(off) > MST_NS2_NEAR) {
        char text[MST_NUMBER_MAX + 1];
        write_number(fabs(off), text);
        snprintf(found, capacity, "vertex %u, %s m off the face's plane", vertex, text);
    } else {
        snprintf(found, capacity, "vertex %u, outside the face's border", vertex);
    }
    return false;
}

/* ---- triangles ---------------------------------------------------------------------------------- */

static bool is_flat(const faces *f, const uint32_t vertices[3]) {
    double points[3][3], longest = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        point_at(f, vertices[i], points[i]);
        if (!finite_point(points[i]))
            return false;
    }
    for (int i = 0; i < 3; i++) {
        const double *a = points[i], *b = points[(i + 1) % 3];
        double length = 0;
        for (int k = 0; k < 3; k++)
            length += (b[k] - a[k]) * (b[k] - a[k]);
        longest = length > longest ? length : longest;
    }
    for (int k = 0; k < 3; k++) {
        int x = (k + 1) % 3, y = (k + 2) % 3;
        double part = (points[1][x] - points[0][x]) * (points[2][y] - points[0][y]) -
                      (points[1][y] - points[0][y]) * (points[2][x] - points[0][x]);
        square += part * part;
    }
    return square <= THIN * THIN * longest; /* (height x base)^2, and the longest side is the base */
}

static mst_status check_triangle(faces *f, const mst_column *corners, uint64_t offset, uint64_t index) {
    const mst_ns2_mesh_check *m = f->m;
    uint32_t vertices[3];
    for (uint32_t c = 0; c < 3; c++) {
        vertices[c] = mst_column_u32(corners, index, c);
        if (vertices[c] >= f->limit)
            return MST_OK; /* reported with a separate code */
    }
    for (uint32_t c = 0; c < 3; c++) {
        char found[80];
        bool own = vertices[c] < m->vertices.count && f->on_face[vertices[c]] == f->face + 1;
        if (own || belongs(f, vertices[c], found, sizeof found))
            continue;
        mst_diagnostic *finding =
            mst_finding_at(m->level->checker, offset + 4 * c, 4, "%s.triangles.faces[%u][%llu].vertices[%u]",
                           m->path, f->face, (unsigned long long)index, c);
        MST_SET(finding->found, "%s", found);
        MST_REPORT(m->level->checker, "NS2-TRIANGLE-FACE");
        break; /* one finding per triangle */
    }
    if (!m->informs || !is_flat(f, vertices))
        return MST_OK;
    mst_finding_at(m->level->checker, offset, corners->stride, "%s.triangles.faces[%u][%llu]", m->path,
                   f->face, (unsigned long long)index);
    MST_REPORT(m->level->checker, "NS2-TRIANGLE-EMPTY");
    return MST_OK;
}

/* The game does not draw a face without triangles; if it has an area, that leaves a hole. */
static mst_status report_empty(faces *f, uint64_t offset) {
    const mst_ns2_mesh_check *m = f->m;
    char text[MST_NUMBER_MAX + 1];
    measure(f);
    mst_diagnostic *finding =
        mst_finding_at(m->level->checker, offset, PREFIX, "%s.triangles.faces[%u]", m->path, f->face);
    if (f->complete && !(f->area > 0)) {
        MST_SET(finding->message,
                "the face has no triangles and no area: it is invisible, and can be removed");
        return mst_checker_inform(m->level->checker, "NS2-FACE-EMPTY");
    }
    write_number(f->area, text);
    MST_SET(finding->message,
            "the face has no triangles: the game does not draw it; redraw it in the editor, or remove it");
    if (f->complete)
        MST_SET(finding->found, "an area of %s m2", text);
    MST_REPORT(m->level->checker, "NS2-FACE-EMPTY");
    return MST_OK;
}

mst_status mst_ns2_check_faces(mst_ns2_mesh_check *m) {
    faces f = {.m = m};
    uint64_t count = m->faces_met < m->triangle_lists_met ? m->faces_met : m->triangle_lists_met;
    f.limit = m->vertices.count + m->ghosts.count;
    f.budget = 16 * m->document->size;
    f.on_face = mst_arena_zero(&m->level->checker->scratch, (size_t)m->vertices.count + 1, sizeof *f.on_face);
    if (!f.on_face)
        return MST_NO_MEMORY;
    mst_status status = MST_OK;
    for (uint64_t face = 0; face < count && status == MST_OK; face++) {
        uint64_t offset = m->mesh.offset + m->triangles[face].offset;
        mst_column corners = mst_column_at(&m->corners, offset, m->triangles[face].count);
        enter(&f, (uint32_t)face);
        if (!corners.count)
            status = report_empty(&f, offset - PREFIX);
        for (uint64_t i = 0; i < corners.count && status == MST_OK; i++)
            status = check_triangle(&f, &corners, offset + i * corners.stride, i);
    }
    return status;
}

/* ---- duplicates --------------------------------------------------------------------------------- */

typedef struct edge_key {
    uint64_t vertices; /* the lower index in the upper half */
    uint64_t index;
} edge_key;

static int compare_edges(const void *a, const void *b) {
    const edge_key *x = a, *y = b;
    if (x->vertices != y->vertices)
        return x->vertices < y->vertices ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

mst_status mst_ns2_check_same_edges(mst_ns2_mesh_check *m) {
    const mst_column *edges = &m->edges;
    edge_key *keys = mst_arena_take(&m->level->checker->scratch, (size_t)edges->count + 1, sizeof *keys);
    if (!keys)
        return MST_NO_MEMORY;
    for (uint64_t i = 0; i < edges->count; i++) {
        uint64_t a = mst_column_u32(edges, i, 0), b = mst_column_u32(edges, i, 1);
        keys[i] = (edge_key){a < b ? a << 32 | b : b << 32 | a, i};
    }
    qsort(keys, (size_t)edges->count, sizeof *keys, compare_edges);
    for (uint64_t i = 0; i < edges->count; i++) {
        bool point = keys[i].vertices >> 32 == (keys[i].vertices & UINT32_MAX);
        if (!point && (i == 0 || keys[i].vertices != keys[i - 1].vertices))
            continue;
        mst_diagnostic *finding = mst_finding_at(
            m->level->checker, (uint64_t)(edges->data - m->document->data) + keys[i].index * edges->stride,
            edges->stride, "%s.edges[%llu]", m->path, (unsigned long long)keys[i].index);
        if (point) {
            MST_SET(
                finding->message,
                "the two ends of the edge are the same vertex: it is invisible; the editor makes such edges");
            MST_SET(finding->found, "vertex %llu", (unsigned long long)(keys[i].vertices & UINT32_MAX));
        } else {
            MST_SET(finding->message, "another edge has the same two vertices: the editor makes such edges");
            MST_SET(finding->found, "edges[%llu]", (unsigned long long)keys[i - 1].index);
        }
        MST_REPORT(m->level->checker, "NS2-EDGE-SAME");
    }
    return MST_OK;
}

typedef struct material_key {
    const uint8_t *text;
    uint32_t length, index;
} material_key;

static int compare_materials(const void *a, const void *b) {
    const material_key *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    int order = memcmp(x->text, y->text, x->length);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

mst_status mst_ns2_check_same_materials(mst_ns2_mesh_check *m) {
    mst_value list, material;
    if (mst_member(&m->mesh, "materials", &list) != MST_OK)
        return MST_OK;
    material_key *keys =
        mst_arena_take(&m->level->checker->scratch, (size_t)m->material_count + 1, sizeof *keys);
    if (!keys)
        return MST_NO_MEMORY;
    size_t count = 0;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &material);) {
        const void *bytes = "";
        size_t size = 0;
        mst_get_bytes(&material, &bytes, &size);
        if (MST_CHANGED(count == m->material_count)) /* the iterator yields `material_count` elements */
            break;
        keys[count] = (material_key){bytes, (uint32_t)size, (uint32_t)count};
        count++;
    }
    qsort(keys, count, sizeof *keys, compare_materials);
    for (size_t i = 1; i < count; i++) {
        const material_key *one = &keys[i], *before = &keys[i - 1];
        if (one->length != before->length || memcmp(one->text, before->text, one->length) != 0)
            continue;
        mst_diagnostic *finding =
            mst_finding_at(m->level->checker, (uint64_t)(one->text - m->document->data) - 4, one->length + 4,
                           "%s.materials[%u]", m->path, one->index);
        MST_SET(finding->found, "\"%.*s\"", one->length < 60 ? (int)one->length : 60,
                (const char *)one->text);
        MST_REPORT(m->level->checker, "NS2-MATERIAL-TWICE");
    }
    return MST_OK;
}
