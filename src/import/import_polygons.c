/* SPDX-License-Identifier: MIT */
/*
 * New geometry: triangles of one material in one plane that share edges become a face, with the corners of
 * their border, holes, and the texture parameters that give its texture coordinates.
 */
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../core/output.h"
#include "faces.h"
#include <math.h>
#include <stdlib.h>

#define SAME_NORMAL  0.999
#define SAME_PLANE   1e-3 /* metres */
#define IN_LINE      1e-5 /* sine of the angle */
#define SAME_TEXTURE 1e-3 /* repeats */
#define EXACT        5e-8 /* of texture parameters */
#define SCALE_ELSE   0.30757874
#define NO_TRIANGLE  UINT32_MAX

typedef struct flat {
    double normal[3], distance;
    uint32_t part; /* union of triangles: the index of another, or its own */
    bool taken;    /* it has no area, or no material of the level */
} flat;

typedef struct side {
    uint32_t low, high, triangle;
} side;

/* A directed edge of a border, and the loop that it is in. */
typedef struct rim {
    const mst_face_corner *from, *to;
    uint32_t next; /* index; NO_TRIANGLE: not found */
    bool used;
} rim;

typedef struct making {
    mst_importing *w;
    mst_import_script *script;
    const mst_document *document;
    mst_face_triangle *triangles;
    flat *flats;
    size_t count;
    mst_arena *arena;
} making;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
    for (int i = 0; i < 3; i++)
        c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void between(const double a[3], const double b[3], double v[3]) {
    for (int i = 0; i < 3; i++)
        v[i] = b[i] - a[i];
}

/* ---- which triangles are one face ---- */

static void measure(const mst_face_triangle *t, flat *f, uint32_t index) {
    double a[3], b[3];
    between(t->corners[0].at, t->corners[1].at, a);
    between(t->corners[0].at, t->corners[2].at, b);
    cross(a, b, f->normal);
    const double length = sqrt(dot(f->normal, f->normal));
    f->taken = mst_is_sliver(t) || !(length > 0);
    for (int i = 0; i < 3 && length > 0; i++)
        f->normal[i] /= length;
    f->distance = dot(f->normal, t->corners[0].at);
    f->part = index;
}

static uint32_t part_of(flat *flats, uint32_t index) {
    while (flats[index].part != index) {
        flats[index].part = flats[flats[index].part].part;
        index = flats[index].part;
    }
    return index;
}

static bool joins(const making *m, uint32_t a, uint32_t b) {
    const flat *x = &m->flats[a], *y = &m->flats[b];
    if (x->taken || y->taken || m->triangles[a].material != m->triangles[b].material ||
        dot(x->normal, y->normal) < SAME_NORMAL)
        return false;
    for (int i = 0; i < 3; i++)
        if (fabs(dot(x->normal, m->triangles[b].corners[i].at) - x->distance) > SAME_PLANE)
            return false;
    return true;
}

static int compare_sides(const void *left, const void *right) {
    const side *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static bool join_triangles(making *m) {
    side *sides = mst_arena_take(m->arena, 3 * m->count, sizeof *sides);
    if (!sides)
        return false;
    for (size_t i = 0; i < 3 * m->count; i++) {
        const mst_face_corner *c = m->triangles[i / 3].corners;
        const uint32_t a = c[i % 3].number, b = c[(i + 1) % 3].number;
        sides[i] = (side){a < b ? a : b, a < b ? b : a, (uint32_t)(i / 3)};
    }
    if (m->count)
        qsort(sides, 3 * m->count, sizeof *sides, compare_sides);
    for (size_t i = 1; i < 3 * m->count; i++)
        for (size_t k = i;
             k-- > 0 && sides[k].low == sides[i].low && sides[k].high == sides[i].high && i - k < 8;)
            if (joins(m, sides[k].triangle, sides[i].triangle))
                m->flats[part_of(m->flats, sides[i].triangle)].part = part_of(m->flats, sides[k].triangle);
    return true;
}

/* ---- loops ---- */

/* The next edge at a corner where several begin: the sharpest turn to the right, so that what touches in one
 * corner is two loops. */
static uint32_t next_of(const rim *rims, size_t count, const rim *own, const double normal[3]) {
    uint32_t best = NO_TRIANGLE;
    double least = 10, back[3];
    between(own->to->at, own->from->at, back);
    for (size_t i = 0; i < count; i++) {
        double out[3], side_way[3];
        if (rims[i].used || rims[i].from->number != own->to->number)
            continue;
        between(rims[i].from->at, rims[i].to->at, out);
        cross(back, out, side_way);
        double angle = atan2(-dot(side_way, normal), dot(back, out));
        angle = angle <= 1e-9 ? angle + 6.283185307179586 : angle;
        if (best == NO_TRIANGLE || angle > least) {
            least = angle;
            best = (uint32_t)i;
        }
    }
    return best;
}

static bool in_line(const double a[3], const double b[3], const double c[3]) {
    double in[3], out[3], side_way[3];
    between(a, b, in);
    between(b, c, out);
    cross(in, out, side_way);
    return sqrt(dot(side_way, side_way)) <= IN_LINE * sqrt(dot(in, in) * dot(out, out)) && dot(in, out) > 0;
}

/* Writes a loop as JSON without corners in line; its area, negative for a hole. */
static double put_loop(mst_output *out, const mst_face_corner **loop, size_t count, const double normal[3]) {
    double area[3] = {0, 0, 0};
    bool any = false;
    mst_output_bytes(out, "[", 1);
    for (size_t i = 0; i < count; i++) {
        double a[3], b[3], c[3];
        between(loop[0]->at, loop[i]->at, a);
        between(loop[0]->at, loop[(i + 1) % count]->at, b);
        cross(a, b, c);
        for (int k = 0; k < 3; k++)
            area[k] += c[k] / 2;
        if (in_line(loop[(i + count - 1) % count]->at, loop[i]->at, loop[(i + 1) % count]->at))
            continue;
        for (int k = 0; k < 3; k++) {
            mst_output_text(out, k ? "," : any ? ",[" : "[");
            mst_output_advance(out, mst_write_f32(mst_output_reserve(out, MST_NUMBER_MAX),
                                                  (float)(mst_tidy(loop[i]->at[k], 2e-6) + 0.0)));
        }
        any = true;
        mst_output_bytes(out, "]", 1);
    }
    mst_output_bytes(out, "]", 1);
    return dot(area, normal);
}

/* ---- texture parameters ---- */

typedef struct texture {
    double angle, offset[2], scale[2], error; /* repeats */
    bool none;
} texture;

static void texture_axes(const double n[3], double u[3], double v[3]) {
    const double length = sqrt(n[0] * n[0] + n[2] * n[2]), sign = n[1] < 0 ? -1 : 1;
    if (fabs(n[0]) < 0.00127 && fabs(n[2]) < 0.00127) {
        u[0] = u[1] = v[1] = v[2] = 0;
        u[2] = v[0] = sign;
        return;
    }
    u[0] = n[2] / length, u[1] = 0, u[2] = -n[0] / length;
    cross(n, u, v);
}

/* Least squares of a value over the corners of a part: a X + b Y + c, with the middle of all taken out. */
typedef struct fit {
    double count, x, y, xx, xy, yy, value[2], x_value[2], y_value[2];
} fit;

static bool solve(const fit *f, int k, double *a, double *b, double *c) {
    const double n = f->count, mx = f->x / n, my = f->y / n, mv = f->value[k] / n;
    const double xx = f->xx / n - mx * mx, xy = f->xy / n - mx * my, yy = f->yy / n - my * my,
                 xv = f->x_value[k] / n - mx * mv, yv = f->y_value[k] / n - my * mv;
    const double determinant = xx * yy - xy * xy;
    if (!(fabs(determinant) > 1e-18))
        return false;
    *a = (xv * yy - yv * xy) / determinant;
    *b = (yv * xx - xv * xy) / determinant;
    *c = mv - *a * mx - *b * my;
    return isfinite(*a + *b + *c);
}

static texture texture_of(making *m, uint32_t part, const double normal[3]) {
    double u[3], v[3], a, b, c, d, ox, oy;
    const double *origin = m->triangles[part].corners[0].at;
    texture t = {.scale = {SCALE_ELSE, SCALE_ELSE}, .none = true};
    fit f = {.count = 0};
    texture_axes(normal, u, v);
    for (size_t i = 0; i < 3 * m->count; i++) {
        const mst_face_corner *corner = &m->triangles[i / 3].corners[i % 3];
        double at[3];
        if (m->flats[i / 3].taken || part_of(m->flats, (uint32_t)(i / 3)) != part)
            continue;
        between(origin, corner->at, at); /* near 0 the sums are exact */
        const double x = dot(at, u), y = dot(at, v);
        f.count++, f.x += x, f.y += y, f.xx += x * x, f.xy += x * y, f.yy += y * y;
        for (int k = 0; k < 2; k++) {
            f.value[k] += corner->uv[k];
            f.x_value[k] += x * corner->uv[k];
            f.y_value[k] += y * corner->uv[k];
        }
    }
    if (!solve(&f, 0, &a, &b, &ox) || !solve(&f, 1, &c, &d, &oy) || hypot(a, b) < 1e-6)
        return t;
    t.angle = atan2(-b, a);
    const double cosine = cos(t.angle), sine = sin(t.angle), upward = -(c * sine + d * cosine);
    if (fabs(upward) < 1e-6)
        return t;
    t.none = false;
    t.scale[0] = hypot(a, b);
    t.scale[1] = upward;
    t.offset[0] = ox - a * dot(origin, u) - b * dot(origin, v);
    t.offset[1] = oy - c * dot(origin, u) - d * dot(origin, v);
    t.error = fabs(c * cosine - d * sine); /* sheared: repeats a metre */
    return t;
}

/* ---- one face ---- */

static void put_number(mst_output *out, const char *before, double number) {
    mst_output_text(out, before);
    mst_output_advance(out, mst_write_f32(mst_output_reserve(out, MST_NUMBER_MAX), (float)(number + 0.0)));
}

static mst_status warn_texture(making *m, const char *path, const texture *t) {
    if (t->none)
        return mst_importing_warn(m->w, path,
                                  "its texture coordinates are none, or a line: it has the usual scale");
    return t->error > SAME_TEXTURE
               ? mst_importing_warn(m->w, path,
                                    "its texture is sheared in the model, by %.3g repeats a metre, "
                                    "which a level cannot store",
                                    t->error)
               : MST_OK;
}

/* Writes a face: its border and holes as JSON, of which the outer one comes first. */
static mst_status insert_face(making *m, uint32_t part, const char *border, const char *holes) {
    uint64_t index;
    mst_buffer line = {.allocator = m->w->result->allocator};
    mst_output out;
    const mst_model *model = &m->w->model;
    const int32_t material = m->triangles[part].material;
    const uint32_t at = material >= 0 ? mst_model_extra(model, model->materials[material].extras, "path") : 0;
    const char *name = at ? mst_json_text_of(&model->json, at, m->arena) : NULL;
    if (!name)
        return mst_importing_warn(
            m->w, m->w->model.nodes[m->triangles[part].node].name,
            "its material is none of the level's, and it is not imported: give it one of a "
            "face that was exported");
    const texture t = texture_of(m, part, m->flats[part].normal);
    mst_status status = mst_script_append(m->w, m->script, m->document, "mesh.faces", &index);
    const char *path = mst_arena_printf(m->w->arena, "mesh.faces[%llu]", (unsigned long long)index);
    if (status != MST_OK || !path)
        return status == MST_OK ? mst_importing_no_memory(m->w) : status;
    mst_output_begin(&out, mst_buffer_sink(&line));
    mst_output_format(&out, "insert %s = {\"positions\":", path);
    mst_output_text(&out, border);
    if (*holes) {
        mst_output_text(&out, ",\"holes\":[");
        mst_output_text(&out, holes);
        mst_output_text(&out, "]");
    }
    mst_output_text(&out, ",\"material\":");
    mst_output_text(&out, name);
    put_number(&out, ",\"angle\":", mst_tidy(t.angle, EXACT));
    put_number(&out, ",\"offset\":[", mst_tidy(t.offset[0], EXACT));
    put_number(&out, ",", mst_tidy(t.offset[1], EXACT));
    put_number(&out, "],\"scale\":[", mst_tidy(t.scale[0], EXACT));
    put_number(&out, ",", mst_tidy(t.scale[1], EXACT));
    mst_output_bytes(&out, "]}", 3);
    status = mst_output_end(&out) == MST_OK ? mst_script_line(m->w, m->script, "%s", (const char *)line.data)
                                            : mst_importing_no_memory(m->w);
    mst_buffer_free(&line);
    return status == MST_OK ? warn_texture(m, path, &t) : status;
}

/* The edges of a part's triangles that no other has the other way round. */
static rim *find_rims(making *m, uint32_t part, size_t *count) {
    size_t all = 0;
    for (size_t i = 0; i < m->count; i++)
        all += !m->flats[i].taken && part_of(m->flats, (uint32_t)i) == part ? 3 : 0;
    rim *rims = mst_arena_take(m->arena, all, sizeof *rims);
    *count = 0;
    for (size_t i = 0; i < 3 * m->count && rims; i++) {
        const mst_face_corner *c = m->triangles[i / 3].corners;
        const mst_face_corner *from = &c[i % 3], *to = &c[(i + 1) % 3];
        size_t k = 0;
        if (m->flats[i / 3].taken || part_of(m->flats, (uint32_t)(i / 3)) != part)
            continue;
        while (k < *count && !(rims[k].from->number == to->number && rims[k].to->number == from->number))
            k++;
        if (k < *count)
            rims[k] = rims[--*count];
        else
            rims[(*count)++] = (rim){from, to, NO_TRIANGLE, false};
    }
    return rims;
}

static mst_status make_part(making *m, uint32_t part) {
    size_t count;
    rim *rims = find_rims(m, part, &count);
    const mst_face_corner **loop = mst_arena_take(m->arena, count, sizeof *loop);
    const char *border = NULL, *holes = "";
    mst_status status = MST_OK;
    if (!rims || !loop)
        return mst_importing_no_memory(m->w);
    for (size_t first = 0; first < count && status == MST_OK; first++) {
        size_t length = 0;
        if (rims[first].used)
            continue;
        for (uint32_t at = (uint32_t)first; at != NO_TRIANGLE;) {
            rims[at].used = true;
            loop[length++] = rims[at].from;
            at = rims[at].to->number == rims[first].from->number
                     ? NO_TRIANGLE
                     : next_of(rims, count, &rims[at], m->flats[part].normal);
        }
        mst_buffer text = {.allocator = m->w->result->allocator};
        mst_output out;
        mst_output_begin(&out, mst_buffer_sink(&text));
        const double area = put_loop(&out, loop, length, m->flats[part].normal);
        mst_output_bytes(&out, "", 1);
        const char *json = mst_output_end(&out) == MST_OK
                               ? mst_arena_text(m->arena, (const char *)text.data, text.size - 1)
                               : NULL;
        mst_buffer_free(&text);
        if (!json)
            return mst_importing_no_memory(m->w);
        if (area > 0 && border)
            status = insert_face(m, part, border, "");
        if (area > 0)
            border = json;
        else
            holes = mst_arena_printf(m->arena, "%s%s%s", holes, *holes ? "," : "", json);
        if (!holes)
            return mst_importing_no_memory(m->w);
    }
    return status == MST_OK && border ? insert_face(m, part, border, holes) : status;
}

mst_status mst_import_polygons(mst_importing *w, mst_import_script *script, const mst_document *document,
                               const mst_face_triangle *triangles, size_t count) {
    mst_arena arena;
    mst_arena_begin(&arena, &w->result->allocator, 0);
    making m = {.w = w, .script = script, .document = document, .count = count, .arena = &arena};
    m.triangles = mst_arena_take(&arena, count, sizeof *m.triangles);
    m.flats = mst_arena_take(&arena, count, sizeof *m.flats);
    mst_status status = m.triangles && m.flats ? MST_OK : mst_importing_no_memory(w);
    if (status == MST_OK) {
        memcpy(m.triangles, triangles, count * sizeof *triangles);
        if (!mst_face_number_places(m.triangles, count, &arena))
            status = mst_importing_no_memory(w);
    }
    for (size_t i = 0; i < count && status == MST_OK; i++)
        measure(&m.triangles[i], &m.flats[i], (uint32_t)i);
    if (status == MST_OK && !join_triangles(&m))
        status = mst_importing_no_memory(w);
    for (size_t i = 0; i < count && status == MST_OK; i++)
        if (!m.flats[i].taken && m.flats[i].part == i)
            status = make_part(&m, (uint32_t)i);
    mst_arena_end(&arena);
    return status;
}
