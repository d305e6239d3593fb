/* SPDX-License-Identifier: MIT */
/*
 * The geometry of a Natural Selection 2 level. Every face is read once: its stored triangles (or new ones,
 * where those are unusable) are appended to one list. The faces are then sorted by group, layer and material,
 * and each run of equal ones becomes a mesh. Corners are shared within a face, not between faces: neighbours
 * almost always differ in normal or texture coordinates.
 */
#include "ns2_mesh.h"
#include "../../core/text.h"
#include "../../scene/geometry.h"
#include "../present.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct corner {
    float position[3], normal[3], texcoord[2];
    uint32_t point; /* index of the vertex; ghost vertices follow */
} corner;

/* A face as read from the file. */
typedef struct face {
    mst_ns2_bound_face stored;
    uint32_t material; /* the reader's material_count: none */
    double normal[3];
} face;

/* A face as output to the scene. */
typedef struct face_run {
    uint32_t group, layer, material, face; /* the sort keys, with `helper` */
    bool helper;                           /* not for players, whatever its group */
    uint32_t first_corner, corner_count;
    uint32_t first_index, index_count; /* indices are relative to first_corner */
} face_run;

/* The corner that a vertex has in the face being emitted. */
typedef struct stamp {
    uint32_t face, normal, corner; /* `face` is its number plus one; 0: none */
} stamp;

typedef struct reader {
    mst_ns2_work *work;
    mst_scene_builder *builder;
    const mst_value *mesh;
    const char *path; /* of its faces */
    float *points;    /* vertices, then ghost vertices */
    uint32_t vertex_count, point_count;
    uint32_t *edges; /* pairs */
    uint32_t edge_count;
    float *normals;
    uint32_t normal_count;
    const char **materials;
    int32_t *material_indices; /* in the scene; -1: not yet added */
    uint32_t material_count;
    mst_ns2_id *mapping_ids;
    mst_ns2_bound_mapping *mappings;
    uint32_t mapping_count; /* of ids */
    uint32_t *face_groups;  /* per face: index into `names` */
    uint32_t face_count;
    const mst_ns2_names *names; /* of groups */
    stamp *stamps;              /* per point */
    mst_bound loop_edge, triangle, face;
    mst_array loop_edges, loop_counts, loop_points, stored, made;
    mst_array corners, indices, runs;
} reader;

static bool ok(const reader *r) {
    return mst_scene_ok(r->builder);
}

/* Resizes an array, which is reused for each face, to `n` elements. */
static void *refill(reader *r, mst_array *array, uint64_t n) {
    array->count = 0;
    return mst_scene_push(r->builder, array, n);
}

static void *more(reader *r, mst_array *array, size_t n) {
    /* a mesh is a chunk, whose size is a u32, and has fewer elements than bytes */
    if (MST_UNREACHABLE(array->count > UINT32_MAX - n)) {
        mst_scene_fail(r->builder);
        return NULL;
    }
    return mst_scene_push(r->builder, array, n);
}

/* ---- layers ------------------------------------------------------------------------------------- */

uint32_t mst_ns2_first_layer(const mst_ns2_names *layers, const uint32_t *masks, size_t count) {
    /* loop over ids, not bits: there are fewer, and as ids are unique, never more than bits in the masks */
    for (size_t i = 0; i < layers->count; i++) {
        uint32_t id = layers->ids[i].id;
        if (id / 32 >= count)
            break;
        if (masks[id / 32] >> (id % 32) & 1)
            return layers->ids[i].index;
    }
    return MST_NS2_NONE;
}

const uint32_t *mst_ns2_words(mst_ns2_work *work, const mst_value *list, size_t *count) {
    const uint64_t total = mst_count(list);
    uint32_t *words = mst_scene_scratch(work->builder, total, sizeof *words);
    *count = words ? mst_ns2_read_list(list, total, MST_U32, 1, words) : 0;
    return words;
}

/* ---- the lists of a mesh ----------------------------------------------------------------------- */

/* Finds a list in the mesh; returns its length, 0 without it. */
static uint64_t find(const reader *r, const char *path, mst_value *list) {
    return mst_find(*r->mesh, path, list, NULL) == MST_OK ? mst_count(list) : 0;
}

uint32_t mst_ns2_read_list(const mst_value *list, uint64_t count, mst_element_type type, uint32_t components,
                           void *data) {
    uint64_t read = 0;
    mst_target target = {.type = type, .components = components, .data = data, .capacity = count};
    if (count)
        mst_read(list, &target, &read, NULL);
    return (uint32_t)read;
}

static void read_points(reader *r) {
    mst_value vertices, ghosts, normals, edges;
    uint64_t vertex_count = find(r, "vertices[:].position", &vertices);
    uint64_t ghost_count = find(r, "triangles.ghost_vertices[:]", &ghosts);
    uint64_t normal_count = find(r, "triangles.smoothed_normals[:]", &normals);
    uint64_t edge_count = find(r, "edges[:].vertices", &edges);
    /* a chunk's size is a u32 */
    if (MST_UNREACHABLE(vertex_count + ghost_count >= UINT32_MAX || normal_count >= UINT32_MAX ||
                        edge_count >= UINT32_MAX)) {
        mst_scene_fail(r->builder);
        return;
    }
    r->points = mst_scene_scratch(r->builder, vertex_count + ghost_count, 3 * sizeof(float));
    r->normals = mst_scene_scratch(r->builder, normal_count, 3 * sizeof(float));
    r->edges = mst_scene_scratch(r->builder, edge_count, 2 * sizeof(uint32_t));
    r->stamps = mst_scene_scratch(r->builder, vertex_count + ghost_count, sizeof(stamp));
    if (!ok(r))
        return;
    r->vertex_count = mst_ns2_read_list(&vertices, vertex_count, MST_F32, 3, r->points);
    r->point_count = r->vertex_count;
    r->point_count +=
        mst_ns2_read_list(&ghosts, ghost_count, MST_F32, 3, r->points + 3 * (size_t)r->vertex_count);
    r->normal_count = mst_ns2_read_list(&normals, normal_count, MST_F32, 3, r->normals);
    r->edge_count = mst_ns2_read_list(&edges, edge_count, MST_U32, 2, r->edges);
}

static void read_materials(reader *r) {
    mst_value list, element;
    uint64_t count = find(r, "materials", &list);
    r->materials = mst_scene_scratch(r->builder, count, sizeof *r->materials);
    r->material_indices = mst_scene_scratch(r->builder, count + 1, sizeof *r->material_indices);
    if (!ok(r))
        return;
    if (count)
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);) {
            if (MST_CHANGED(r->material_count == count)) /* the iterator yields `count` elements */
                break;
            r->materials[r->material_count++] =
                mst_scene_text_of(r->builder, &r->builder->scratch, &element, NULL);
        }
    for (uint32_t i = 0; i <= r->material_count; i++)
        r->material_indices[i] = -1;
}

static void read_mappings(reader *r) {
    mst_value list;
    uint64_t count = find(r, "mapping_groups", &list);
    if (!count)
        return;
    mst_bound bound;
    mst_bind(list.document, &mst_ns2_mapping_bindings, &bound);
    r->mapping_ids = mst_scene_scratch(r->builder, count, sizeof *r->mapping_ids);
    r->mappings = mst_scene_scratch(r->builder, count, sizeof *r->mappings);
    if (!ok(r))
        return;
    count = mst_fill_list(&bound, &list, r->mappings, count);
    for (uint32_t i = 0; i < count; i++)
        r->mapping_ids[i] = (mst_ns2_id){r->mappings[i].id, i};
    r->mapping_count = (uint32_t)mst_ns2_ids_sort(r->mapping_ids, (size_t)count);
}

/* Puts each face in the first group that lists it. */
static void read_groups(reader *r) {
    mst_value groups, element;
    r->names = &r->work->groups;
    r->face_groups = mst_scene_scratch(r->builder, r->face_count, sizeof *r->face_groups);
    if (!ok(r))
        return;
    for (uint32_t i = 0; i < r->face_count; i++)
        r->face_groups[i] = MST_NS2_NONE;
    if (!find(r, "geometry_groups.face_groups", &groups))
        return;
    mst_bound bound;
    mst_bind(groups.document, &mst_ns2_face_group_bindings, &bound);
    for (mst_iterator it = mst_iterate(&groups); mst_next(&it, &element) && ok(r);) {
        mst_ns2_bound_face_group listed;
        memset(&listed, 0, sizeof listed);
        mst_fill(&bound, &element, &listed);
        uint32_t group = mst_ns2_ids_find(r->names->ids, r->names->count, listed.id);
        size_t count;
        const uint32_t *faces = mst_ns2_words(r->work, &listed.indices, &count);
        for (size_t i = 0; i < count; i++)
            if (faces[i] < r->face_count && r->face_groups[faces[i]] == MST_NS2_NONE)
                r->face_groups[faces[i]] = group;
    }
}

/* Whether this is the layer with the geometry for the editor's navigation mesh. */
static bool is_pathing(const char *layer) {
    return mst_same_text(layer, "Pathing");
}

static bool has_pathing(const mst_ns2_names *layers) {
    for (size_t i = 0; i < layers->count; i++)
        if (is_pathing(layers->texts[layers->ids[i].index]))
            return true;
    return false;
}

/* The first layer of a face, preferring layers that players see. */
static uint32_t seen_layer(const mst_ns2_names *layers, const uint32_t *masks, size_t count) {
    uint32_t first = mst_ns2_first_layer(layers, masks, count);
    if (first == MST_NS2_NONE || !is_pathing(layers->texts[first]))
        return first;
    for (size_t i = 0; i < layers->count; i++) {
        uint32_t id = layers->ids[i].id, index = layers->ids[i].index;
        if (id / 32 < count && masks[id / 32] >> (id % 32) & 1 && !is_pathing(layers->texts[index]))
            return index;
    }
    return first;
}

/* The layer of each face; NULL if layers are not used. */
static const uint32_t *read_layers(reader *r) {
    bool old = r->work->version < 5; /* before version 5 layers had the role of groups */
    const mst_ns2_names *layers = &r->work->layers;
    if (!layers->count || (!old && !r->work->split_layers && !has_pathing(layers)))
        return NULL;
    mst_value list, element;
    mst_bound bound;
    mst_bind(r->mesh->document, &mst_ns2_face_layer_bindings, &bound);
    uint64_t count = find(r, old ? "face_layers.masks" : "face_layers.faces", &list);
    uint32_t *result = mst_scene_scratch(r->builder, r->face_count, sizeof *result);
    if (!ok(r))
        return NULL;
    for (uint32_t i = 0; i < r->face_count; i++)
        result[i] = MST_NS2_NONE;
    if (!count)
        return result;
    uint32_t i = 0;
    for (mst_iterator it = mst_iterate(&list); i < r->face_count && mst_next(&it, &element) && ok(r); i++) {
        if (old) {
            uint64_t mask = 0;
            mst_get_unsigned(&element, &mask);
            const uint32_t words[2] = {(uint32_t)mask, (uint32_t)(mask >> 32)};
            result[i] = seen_layer(layers, words, 2);
            continue;
        }
        mst_ns2_bound_face_layer layer;
        memset(&layer, 0, sizeof layer);
        mst_fill(&bound, &element, &layer);
        uint64_t n = mst_count(&layer.layer_masks);
        uint32_t *words = refill(r, &r->made, n);
        if (words)
            result[i] =
                seen_layer(layers, words, mst_ns2_read_list(&layer.layer_masks, n, MST_U32, 1, words));
    }
    if (old) {
        r->names = layers;
        r->face_groups = result;
    }
    return result;
}

/* ---- one face ---------------------------------------------------------------------------------- */

static bool usable(const reader *r, uint32_t point) {
    if (point >= r->point_count)
        return false;
    const float *p = r->points + 3 * (size_t)point;
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

static bool make_unit(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!isfinite(length) || length < 1e-30)
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

/* Reads the start points of the edges of each loop; skips loops with an invalid edge. */
static void read_loops(reader *r, const mst_value *loops) {
    mst_value loop;
    r->loop_counts.count = r->loop_points.count = 0;
    bool border = true;
    for (mst_iterator it = mst_iterate(loops); mst_next(&it, &loop) && ok(r); border = false) {
        uint64_t count = mst_count(&loop);
        mst_ns2_loop_edge *edges = refill(r, &r->loop_edges, count);
        uint32_t *points = edges ? more(r, &r->loop_points, (size_t)count) : NULL;
        if (!points)
            return;
        uint64_t read = mst_fill_list(&r->loop_edge, &loop, edges, count), good = 0;
        for (; good < read; good++) {
            uint32_t edge = edges[good].edge;
            if (edge >= r->edge_count)
                break;
            points[good] = r->edges[2 * (size_t)edge + (edges[good].flipped ? 1 : 0)];
            if (points[good] >= r->vertex_count)
                break;
        }
        if (good < read || read < 3) {
            r->loop_points.count -= (size_t)count;
            if (border)
                return; /* without a border there are no holes */
            continue;
        }
        uint32_t *added = more(r, &r->loop_counts, 1);
        if (added)
            *added = (uint32_t)count;
    }
}

static void read_face(reader *r, const mst_value *value, face *f) {
    memset(f, 0, sizeof *f);
    f->stored.mapping_group = MST_NS2_NONE;
    mst_fill(&r->face, value, &f->stored);
    read_loops(r, &f->stored.loops);
    f->material = f->stored.material;
    if (f->material >= r->material_count)
        f->material = r->material_count;
    if (r->loop_counts.count)
        mst_polygon_normal(r->points, r->loop_points.items, *(uint32_t *)r->loop_counts.items, f->normal);
}

/* Takes the normal from the border, else from the triangles, else upwards. */
static void resolve_normal(const reader *r, face *f, const mst_ns2_triangle *triangles, size_t count) {
    if (make_unit(f->normal))
        return;
    double sum[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const uint32_t *v = triangles[i].vertices;
        if (!usable(r, v[0]) || !usable(r, v[1]) || !usable(r, v[2]))
            continue;
        double normal[3];
        mst_polygon_normal(r->points, v, 3, normal);
        for (int k = 0; k < 3; k++)
            sum[k] += normal[k];
    }
    if (!make_unit(sum))
        sum[0] = sum[2] = 0, sum[1] = 1;
    memcpy(f->normal, sum, sizeof sum);
}

/*
 * The texture's plane: the texture coordinates of a point are its dot products with U and V, rotated by the
 * angle. A mapping group replaces all of these. It is not known whether its normal points out of the face or
 * into it; it is used as stored.
 */
typedef struct projection {
    double u[3], v[3]; /* rotated and scaled */
    double offset[2];
} projection;

void mst_ns2_texture_axes(const double n[3], double u[3], double v[3]) {
    u[0] = n[2], u[1] = 0, u[2] = -n[0]; /* Y x n */
    if (fabs(n[0]) < 0.00127 && fabs(n[2]) < 0.00127) {
        double sign = n[1] < 0 ? -1 : 1;
        u[0] = 0, u[2] = sign;
        v[0] = sign, v[1] = v[2] = 0;
        return;
    }
    make_unit(u);
    for (int i = 0; i < 3; i++)
        v[i] = n[(i + 1) % 3] * u[(i + 2) % 3] - n[(i + 2) % 3] * u[(i + 1) % 3];
}

static projection project(const reader *r, const face *f) {
    const mst_ns2_bound_face *own = &f->stored;
    float angle = own->angle;
    const float *offset = own->offset, *scale = own->scale;
    double n[3] = {f->normal[0], f->normal[1], f->normal[2]};
    uint32_t group = own->mapping_group == MST_NS2_NONE
                         ? MST_NS2_NONE
                         : mst_ns2_ids_find(r->mapping_ids, r->mapping_count, own->mapping_group);
    if (group != MST_NS2_NONE) {
        const mst_ns2_bound_mapping *map = &r->mappings[group];
        angle = map->angle, offset = map->offset, scale = map->scale;
        double other[3] = {(double)map->normal[0], (double)map->normal[1], (double)map->normal[2]};
        if (make_unit(other))
            memcpy(n, other, sizeof n);
    }
    double u[3], v[3];
    mst_ns2_texture_axes(n, u, v);
    double c = cos((double)angle), s = sin((double)angle);
    projection p = {.offset = {(double)offset[0], (double)offset[1]}};
    for (int i = 0; i < 3; i++) {
        p.u[i] = (c * u[i] - s * v[i]) * (double)scale[0];
        p.v[i] = (s * u[i] + c * v[i]) * (double)scale[1];
    }
    return p;
}

static float finite_or_zero(double value) {
    float narrow = value > 3e38 || value < -3e38 ? 0 : (float)value;
    return isfinite(narrow) ? narrow : 0;
}

static void fill_corner(reader *r, const face *f, const projection *p, uint32_t point, uint32_t normal,
                        corner *to) {
    const float *position = r->points + 3 * (size_t)point;
    to->point = point;
    double x = 0, y = 0, unit[3] = {f->normal[0], f->normal[1], f->normal[2]};
    for (int i = 0; i < 3; i++) {
        to->position[i] = position[i];
        x += p->u[i] * (double)position[i];
        y += p->v[i] * (double)position[i];
    }
    to->texcoord[0] = finite_or_zero(x + p->offset[0]);
    to->texcoord[1] = finite_or_zero(p->offset[1] - y);
    if (normal < r->normal_count) {
        const float *stored = r->normals + 3 * (size_t)normal;
        double smooth[3] = {(double)stored[0], (double)stored[1], (double)stored[2]};
        if (make_unit(smooth))
            memcpy(unit, smooth, sizeof unit);
    }
    for (int i = 0; i < 3; i++)
        to->normal[i] = (float)unit[i];
}

/* Adds `count` triangles of the face, without those that have an unusable point. */
static void emit(reader *r, const face *f, const mst_ns2_triangle *triangles, size_t count, face_run *run) {
    projection p = project(r, f);
    run->first_corner = (uint32_t)r->corners.count;
    run->first_index = (uint32_t)r->indices.count;
    if (!more(r, &r->corners, 3 * count) || !more(r, &r->indices, 3 * count))
        return;
    corner *corners = (corner *)r->corners.items + run->first_corner;
    uint32_t *indices = (uint32_t *)r->indices.items + run->first_index;
    uint32_t corner_count = 0, index_count = 0;
    for (size_t i = 0; i < count; i++) {
        const mst_ns2_triangle *t = &triangles[i];
        if (!usable(r, t->vertices[0]) || !usable(r, t->vertices[1]) || !usable(r, t->vertices[2]))
            continue;
        for (int k = 0; k < 3; k++) {
            uint32_t normal = t->normals[k] < r->normal_count ? t->normals[k] : r->normal_count;
            stamp *s = &r->stamps[t->vertices[k]];
            if (s->face != run->face + 1 || s->normal != normal) {
                *s = (stamp){run->face + 1, normal, corner_count};
                fill_corner(r, f, &p, t->vertices[k], normal, &corners[corner_count++]);
            }
            indices[index_count++] = s->corner;
        }
    }
    run->corner_count = corner_count;
    run->index_count = index_count;
    r->corners.count = run->first_corner + corner_count;
    r->indices.count = run->first_index + index_count;
}

/* Triangulates the face's loops; NULL if that gives no triangles. */
static mst_ns2_triangle *triangulate(reader *r, size_t *count) {
    *count = 0;
    uint64_t points = r->loop_points.count, loops = r->loop_counts.count;
    uint64_t total = points + 2 * loops;
    if (!loops)
        return NULL;
    uint32_t *made = refill(r, &r->made, 3 * total);
    if (!made)
        return NULL;
    if (mst_polygon_triangulate(r->points, r->loop_points.items, r->loop_counts.items, (size_t)loops,
                                &r->builder->scratch.allocator, made, count) != MST_OK)
        mst_scene_fail(r->builder);
    mst_ns2_triangle *triangles = *count ? refill(r, &r->stored, *count) : NULL;
    for (size_t i = 0; triangles && i < *count; i++)
        for (int k = 0; k < 3; k++) {
            triangles[i].vertices[k] = made[3 * i + (size_t)k];
            triangles[i].normals[k] = r->normal_count; /* none */
        }
    return triangles;
}

static mst_ns2_triangle *read_stored(reader *r, const mst_value *list, size_t *count) {
    uint64_t total = mst_count(list);
    mst_ns2_triangle *triangles = refill(r, &r->stored, total);
    *count = triangles ? (size_t)mst_fill_list(&r->triangle, list, triangles, total) : 0;
    return triangles;
}

static void add_face(reader *r, const mst_value *value, const mst_value *stored, face_run *run) {
    face f;
    read_face(r, value, &f);
    run->material = f.material;
    size_t count = 0, bad = 0;
    mst_ns2_triangle *triangles = stored ? read_stored(r, stored, &count) : NULL;
    if (!ok(r))
        return;
    resolve_normal(r, &f, triangles, count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            bad += !usable(r, triangles[i].vertices[k]);
    if (!count || bad) {
        size_t made_count = 0;
        mst_ns2_triangle *made = triangulate(r, &made_count);
        if (made) {
            triangles = made;
            count = made_count;
            r->work->remade++;
        }
    }
    if (ok(r))
        emit(r, &f, triangles, count, run);
    r->work->skipped += run->index_count == 0;
}

/* ---- meshes ------------------------------------------------------------------------------------ */

static int compare_runs(const void *left, const void *right) {
    const face_run *a = left, *b = right;
    /* MST_NS2_NONE, no group or no layer, sorts first: plus one it is 0 */
    const uint32_t keys[4][2] = {{a->group + 1, b->group + 1},
                                 {a->helper, b->helper},
                                 {a->layer + 1, b->layer + 1},
                                 {a->material, b->material}};
    for (int i = 0; i < 4; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return (a->face > b->face) - (a->face < b->face);
}

/* Parts that players see are geometry, regardless of their group; the other groups are for the engine and the
 * editor. */
static mst_role role_of_group(const char *name) {
    static const char *const helpers[] = {"InvisibleGeometry", "OcclusionGeometry", "CommanderBuild",
                                          "CommanderNoBuild"};
    if (strcmp(name, "CollisionGeometry") == 0)
        return MST_ROLE_COLLISION;
    if (is_pathing(name)) /* a layer, before version 5 */
        return MST_ROLE_HELPER;
    for (size_t i = 0; i < MST_COUNT_OF(helpers); i++)
        if (strcmp(name, helpers[i]) == 0)
            return MST_ROLE_HELPER;
    return MST_ROLE_GEOMETRY;
}

/* Whether a material is a tool material, which tells a compiler of levels the purpose of a surface, such as
 * "materials/tools/toolsskip.material": mappers used to Source apply them, and players do not see them. */
static bool is_tool(const char *path) {
    static const char *const tools[] = {"toolsinvisible", "toolsplayerclip", "toolsclip",    "toolshint",
                                        "toolsskybox",    "toolsskip",       "toolstrigger", "toolsnodraw"};
    const char *base = mst_base_name(path), *dot = strrchr(base, '.');
    size_t length = dot ? (size_t)(dot - base) : strlen(base);
    for (size_t i = 0; i < MST_COUNT_OF(tools); i++)
        if (strlen(tools[i]) == length && mst_same_letters(base, tools[i], length))
            return true;
    return false;
}

/* The scene's material for a material of the mesh; index material_count represents invalid ones. */
static int32_t scene_material(reader *r, uint32_t material) {
    if (r->material_indices[material] >= 0)
        return r->material_indices[material];
    bool none = material == r->material_count;
    const char *path = none ? "" : r->materials[material];
    const char *copy = mst_scene_text(r->builder, path, strlen(path));
    return r->material_indices[material] =
               mst_spark_stock_material(&r->work->stock, copy, none ? "no material" : copy);
}

/* "materials/dev/grid.material": "grid" */
static const char *short_name(reader *r, uint32_t material) {
    if (material == r->material_count)
        return "no material";
    const char *path = r->materials[material], *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    return mst_scene_text(r->builder, base, length);
}

static void add_mesh_node(reader *r, int32_t parent, mst_role role, const char *layer, const face_run *runs,
                          size_t count) {
    uint64_t corner_count = 0, index_count = 0;
    for (size_t i = 0; i < count; i++) {
        corner_count += runs[i].corner_count;
        index_count += runs[i].index_count;
    }
    float *positions = mst_scene_take(r->builder, corner_count, 3 * sizeof(float));
    float *normals = mst_scene_take(r->builder, corner_count, 3 * sizeof(float));
    float *texcoords = mst_scene_take(r->builder, corner_count, 2 * sizeof(float));
    uint32_t *indices = mst_scene_take(r->builder, index_count, sizeof(uint32_t));
    uint32_t *faces = mst_scene_take(r->builder, index_count / 3, sizeof(uint32_t));
    uint32_t *vertices = mst_scene_take(r->builder, corner_count, sizeof(uint32_t));
    mst_primitive *primitive = mst_scene_take(r->builder, 1, sizeof *primitive);
    if (!positions || !normals || !texcoords || !indices || !faces || !vertices || !primitive)
        return;
    uint32_t corner_at = 0, index_at = 0, face_at = 0;
    for (size_t i = 0; i < count; i++) {
        const corner *from = (const corner *)r->corners.items + runs[i].first_corner;
        const uint32_t *index = (const uint32_t *)r->indices.items + runs[i].first_index;
        for (uint32_t k = 0; k < runs[i].index_count; k++)
            indices[index_at++] = corner_at + index[k];
        for (uint32_t k = 0; k < runs[i].index_count; k += 3)
            faces[face_at++] = runs[i].face;
        for (uint32_t k = 0; k < runs[i].corner_count; k++, corner_at++) {
            memcpy(positions + 3 * (size_t)corner_at, from[k].position, sizeof from[k].position);
            memcpy(normals + 3 * (size_t)corner_at, from[k].normal, sizeof from[k].normal);
            memcpy(texcoords + 2 * (size_t)corner_at, from[k].texcoord, sizeof from[k].texcoord);
            vertices[corner_at] = from[k].point;
        }
    }
    *primitive = (mst_primitive){.material = scene_material(r, runs->material),
                                 .vertex_count = corner_at,
                                 .index_count = index_at,
                                 .positions = positions,
                                 .normals = normals,
                                 .texcoords = texcoords,
                                 .indices = indices,
                                 .source = {.path = r->path, .index = MST_NO_INDEX},
                                 .elements = faces,
                                 .vertices = vertices};
    int32_t index = mst_scene_add_node(r->builder, parent, short_name(r, runs->material), role);
    mst_node *node = mst_scene_node(r->builder, index);
    if (!node)
        return;
    node->layer = layer;
    node->source = primitive->source;
    mst_mesh mesh = {.name = node->name, .primitives = primitive, .primitive_count = 1};
    int32_t mesh_index = mst_scene_add_mesh(r->builder, &mesh);
    node->mesh = mesh_index;
}

/* Sorts the faces and adds a node for every group, with its meshes below it. */
static void add_nodes(reader *r, int32_t parent) {
    face_run *runs = r->runs.items;
    size_t count = r->runs.count;
    if (count > 1)
        qsort(runs, count, sizeof *runs, compare_runs);
    int32_t group_node = -1;
    mst_role role = MST_ROLE_GEOMETRY;
    const char *group = "";
    for (size_t first = 0, end; first < count && ok(r); first = end) {
        for (end = first + 1; end < count; end++)
            if (runs[end].group != runs[first].group || runs[end].helper != runs[first].helper ||
                runs[end].layer != runs[first].layer || runs[end].material != runs[first].material)
                break;
        if (first == 0 || runs[first].group != runs[first - 1].group) {
            bool grouped = runs[first].group != MST_NS2_NONE;
            group = grouped ? r->names->texts[runs[first].group] : "";
            role = role_of_group(group);
            group_node = mst_scene_add_node(r->builder, parent, *group ? group : "Geometry", role);
            mst_node *node = mst_scene_node(r->builder, group_node);
            if (node)
                node->layer = group;
        }
        const char *layer =
            runs[first].layer != MST_NS2_NONE ? r->work->layers.texts[runs[first].layer] : group;
        bool helper = role == MST_ROLE_GEOMETRY && runs[first].helper;
        add_mesh_node(r, group_node, helper ? MST_ROLE_HELPER : role, layer, runs + first, end - first);
    }
}

static void read_faces(reader *r, const mst_value *faces) {
    const uint32_t *layers = read_layers(r);
    mst_value element, lists, list;
    mst_iterator triangles = {0};
    bool stored = find(r, "triangles.faces", &lists) > 0;
    if (stored)
        triangles = mst_iterate(&lists);
    uint32_t number = 0;
    for (mst_iterator it = mst_iterate(faces); ok(r) && mst_next(&it, &element); number++) {
        if (MST_CHANGED(number == r->face_count)) /* as above */
            break;
        stored = stored && mst_next(&triangles, &list);
        face_run run = {.group = r->face_groups[number], .layer = MST_NS2_NONE, .face = number};
        bool pathing =
            layers && layers[number] != MST_NS2_NONE && is_pathing(r->work->layers.texts[layers[number]]);
        if (layers && (r->work->split_layers || pathing))
            run.layer = layers[number];
        add_face(r, &element, stored ? &list : NULL, &run);
        run.helper = pathing || (run.material < r->material_count && is_tool(r->materials[run.material]));
        face_run *added = ok(r) && run.index_count ? more(r, &r->runs, 1) : NULL;
        if (added)
            *added = run;
    }
}

void mst_ns2_mesh(mst_ns2_work *work, const mst_value *mesh, const char *prefix, int32_t parent) {
    reader *r = mst_scene_scratch(work->builder, 1, sizeof *r); /* too much for the stack */
    if (!r)
        return;
    r->work = work;
    r->builder = work->builder;
    r->mesh = mesh;
    r->path = mst_scene_printf(work->builder, "%smesh.faces", prefix);
    mst_array *const arrays[] = {&r->loop_edges, &r->loop_counts, &r->loop_points, &r->stored,
                                 &r->made,       &r->corners,     &r->indices,     &r->runs};
    static const size_t sizes[] = {
        sizeof(mst_ns2_loop_edge), 4, 4, sizeof(mst_ns2_triangle), 4, sizeof(corner), 4, sizeof(face_run)};
    for (size_t i = 0; i < MST_COUNT_OF(arrays); i++)
        *arrays[i] = mst_scene_array(work->builder, sizes[i]);
    mst_bind(mesh->document, &mst_ns2_loop_edge_bindings, &r->loop_edge);
    mst_bind(mesh->document, &mst_ns2_triangle_bindings, &r->triangle);
    mst_bind(mesh->document, &mst_ns2_face_bindings, &r->face);
    mst_value faces;
    uint64_t count = find(r, "faces", &faces);
    if (count > 0 && !MST_UNREACHABLE(count >= UINT32_MAX - 1)) { /* a chunk's size is a u32 */
        r->face_count = (uint32_t)count;
        read_points(r);
        read_materials(r);
        read_mappings(r);
        read_groups(r);
        if (ok(r))
            read_faces(r, &faces);
        if (ok(r))
            add_nodes(r, parent);
    }
    for (size_t i = 0; i < MST_COUNT_OF(arrays); i++)
        mst_array_free(arrays[i]);
}
