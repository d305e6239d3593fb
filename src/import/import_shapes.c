/* SPDX-License-Identifier: MIT */
/*
 * Flat pieces of a model as faces: their borders and holes, without unneeded corners in line, and the
 * properties that a new face takes from its original.
 */
#include "../core/angles.h"
#include "../core/json_text.h"
#include "../core/lower_bound.h"
#include "../core/number.h"
#include "../core/output.h"
#include "../core/vector.h"
#include "../read/engine.h"
#include "faces.h"
#include <math.h>
#include <stdlib.h>

#define IN_LINE       1e-5 /* sine of the angle */
#define FLOAT_EPSILON 1.1920929e-7
#define NO_RIM        SIZE_MAX

/* A closed line, as points of the welding. */
typedef struct loop {
    uint32_t *points;
    size_t count;
    double area; /* negative: a hole */
} loop;

typedef struct loops {
    loop *all; /* the largest is first */
    size_t count;
} loops;

/* The present loops of a face of the level. */
typedef struct old_loops {
    float (*at)[3];
    size_t *first; /* of each loop in `at`, and the end */
    size_t count;
} old_loops;

typedef struct shape_state {
    mst_face_work *f;
    const mst_face_piece *piece;
    mst_arena *arena;
    const old_loops *old; /* NULL: new */
    mst_face_edge *rims;  /* sorted by start */
    bool *used;
    size_t rim_count;
} shape_state;

/* ---- the border as loops ---- */

static int by_start(const void *left, const void *right) {
    const mst_face_edge *a = left, *b = right;
    if (a->from->number != b->from->number)
        return a->from->number < b->from->number ? -1 : 1;
    return (a->to->number > b->to->number) - (a->to->number < b->to->number);
}

static bool find_rims(shape_state *s) {
    const size_t count = s->piece->count;
    mst_face_corner *corners = mst_arena_take(s->arena, 3 * count, sizeof *corners);
    for (size_t i = 0; i < count && corners; i++)
        memcpy(corners + 3 * i, s->piece->triangles[i].corners, sizeof s->piece->triangles[i].corners);
    if (!corners || !mst_face_border(corners, count, s->arena, &s->rims, &s->rim_count))
        return false;
    if (s->rim_count > 1)
        qsort(s->rims, s->rim_count, sizeof *s->rims, by_start);
    s->used = mst_arena_zero(s->arena, s->rim_count, 1);
    return s->used != NULL;
}

static size_t first_from(const shape_state *s, uint32_t number) {
    MST_LOWER_BOUND(low, middle, s->rim_count, s->rims[middle].from->number < number);
    return low;
}

/* The next edge at a corner where several begin: the sharpest turn to the right, so that loops that touch in
 * one corner are separate. */
static size_t next_of(const shape_state *s, const mst_face_edge *own) {
    size_t best = NO_RIM;
    double least = 0, back[3];
    mst_between(own->to->at, own->from->at, back);
    for (size_t i = first_from(s, own->to->number);
         i < s->rim_count && s->rims[i].from->number == own->to->number; i++) {
        double out[3], side_way[3];
        if (s->used[i])
            continue;
        mst_between(s->rims[i].from->at, s->rims[i].to->at, out);
        mst_cross(back, out, side_way);
        double angle = mst_arc_tangent(-mst_dot(side_way, s->piece->normal), mst_dot(back, out));
        angle = angle <= 1e-9 ? angle + 6.283185307179586 : angle;
        if (best == NO_RIM || angle > least) {
            least = angle;
            best = i;
        }
    }
    return best;
}

static bool is_old_corner(const shape_state *s, uint32_t point) {
    const float *at = mst_weld_point(&s->f->welding, point);
    for (size_t i = 0; s->old && i < s->old->first[s->old->count]; i++)
        if (s->old->at[i][0] == at[0] && s->old->at[i][1] == at[1] && s->old->at[i][2] == at[2])
            return true;
    return false;
}

/* Whether a corner is in line with its neighbours; an existing corner of the face stays. */
static bool is_needless(const shape_state *s, const mst_face_corner *a, const mst_face_corner *b,
                        const mst_face_corner *c) {
    double in[3], out[3], whole[3], side_way[3], least = 2e-5;
    mst_between(a->at, b->at, in);
    mst_between(b->at, c->at, out);
    mst_between(a->at, c->at, whole);
    mst_cross(in, out, side_way);
    const double high = sqrt(mst_dot(side_way, side_way)),
                 lengths = sqrt(mst_dot(in, in) * mst_dot(out, out)), length = sqrt(mst_dot(whole, whole));
    for (int i = 0; i < 3; i++)
        least = fmax(least, 8 * FLOAT_EPSILON * fabs(b->at[i]));
    return mst_dot(in, out) > 0 && (high <= IN_LINE * lengths || high <= least * length) &&
           !is_old_corner(s, b->number);
}

/* Follows the border from an edge on. */
static bool take_loop(const shape_state *s, size_t first, loop *made) {
    const mst_face_corner **raw = mst_arena_take(s->arena, s->rim_count, sizeof *raw);
    size_t count = 0;
    double area[3] = {0, 0, 0};
    *made = (loop){.count = 0};
    for (size_t at = first; at != NO_RIM && raw;) {
        s->used[at] = true;
        raw[count++] = s->rims[at].from;
        at = s->rims[at].to->number == s->rims[first].from->number ? NO_RIM : next_of(s, &s->rims[at]);
    }
    made->points = mst_arena_take(s->arena, count, sizeof *made->points);
    if (!raw || !made->points)
        return false;
    for (size_t i = 0; i < count; i++) {
        double a[3], b[3], c[3];
        mst_between(raw[0]->at, raw[i]->at, a);
        mst_between(raw[0]->at, raw[(i + 1) % count]->at, b);
        mst_cross(a, b, c);
        for (int k = 0; k < 3; k++)
            area[k] += c[k] / 2;
        if (!is_needless(s, raw[(i + count - 1) % count], raw[i], raw[(i + 1) % count]))
            made->points[made->count++] = raw[i]->number;
    }
    made->area = mst_dot(area, s->piece->normal);
    return true;
}

static int larger_first(const void *left, const void *right) {
    const loop *a = left, *b = right;
    return (a->area < b->area) - (a->area > b->area);
}

static bool find_loops(shape_state *s, loops *made) {
    *made = (loops){.count = 0};
    if (!find_rims(s))
        return false;
    made->all = mst_arena_take(s->arena, s->rim_count, sizeof *made->all);
    for (size_t i = 0; i < s->rim_count && made->all; i++) {
        loop *one = &made->all[made->count];
        if (s->used[i])
            continue;
        if (!take_loop(s, i, one))
            return false;
        made->count += one->count > 2 && one->area != 0;
    }
    if (made->count > 1)
        qsort(made->all, made->count, sizeof *made->all, larger_first);
    return made->all != NULL;
}

/* ---- as JSON ---- */

static void put_loop(const shape_state *s, mst_output *out, const loop *one) {
    for (size_t i = 0; i < one->count; i++) {
        const float *at = mst_weld_point(&s->f->welding, one->points[i]);
        for (int k = 0; k < 3; k++) {
            mst_output_text(out, k ? "," : i ? ",[" : "[[");
            mst_output_advance(out, mst_write_f32(mst_output_reserve(out, MST_NUMBER_MAX), at[k] + 0.0F));
        }
        mst_output_text(out, "]");
    }
    mst_output_text(out, "]");
}

/* The holes, which are last. */
static void put_holes(const shape_state *s, mst_output *out, const loops *all) {
    bool any = false;
    mst_output_text(out, "[");
    for (size_t i = 0; i < all->count; i++) {
        if (all->all[i].area > 0)
            continue;
        mst_output_text(out, any ? "," : "");
        put_loop(s, out, &all->all[i]);
        any = true;
    }
    mst_output_text(out, "]");
}

/* Writes the output as a line of the script. */
static mst_status end_line(const shape_state *s, mst_output *out, mst_buffer *line) {
    mst_import_state *w = s->f->w;
    mst_output_bytes(out, "", 1);
    mst_status status = mst_output_end(out) == MST_OK
                            ? mst_script_line(w, s->f->script, "%s", (const char *)line->data)
                            : mst_importing_no_memory(w);
    mst_buffer_free(line);
    return status;
}

/* ---- new faces ---- */

/* The JSON of the path of a piece's material, or of its original face's if that is none of the level's. NULL
 * if there is none. */
static const char *material_of(const shape_state *s, bool *own) {
    const int32_t material = s->piece->triangles->material;
    const char *path = s->f->w->options->onto ? mst_material_path(s->f->w, material, s->arena)
                                              : mst_face_material(s->f, material, s->arena);
    *own = path != NULL;
    if (path || s->f->w->options->onto)
        return path;
    const int32_t other = s->piece->origin ? s->piece->origin->before->material : -1;
    const mst_extras *extras = other >= 0 ? &s->f->w->scene->materials[other].extras : NULL;
    for (size_t i = 0; extras && i < extras->count; i++)
        if (strcmp(extras->items[i].name, "path") == 0 && extras->items[i].kind == MST_EXTRA_TEXT)
            return mst_json_quoted(s->arena, extras->items[i].text, strlen(extras->items[i].text));
    return NULL;
}

/* New geometry without a material of the level, said once for each object. */
static mst_status leave_out(const shape_state *s) {
    const size_t node = s->piece->triangles->node;
    if (s->f->left_out == node + 1)
        return MST_OK;
    s->f->left_out = node + 1;
    return mst_importing_warn(s->f->w, s->f->w->model.nodes[node].name,
                              "its material is none of the level's, and it is not imported: give it one of a "
                              "face that was exported, or name its material by a path, such as "
                              "\"materials/dev/floor.material\"");
}

/* Inserts a face with the border `one`, and with the holes of all if it is the first of them. */
static mst_status insert_face(const shape_state *s, const loops *all, const loop *one) {
    mst_face_work *f = s->f;
    const mst_face_piece *piece = s->piece;
    bool own;
    uint64_t index;
    mst_buffer line = {.allocator = f->w->result->allocator};
    mst_output out;
    const char *material = material_of(s, &own);
    if (!material)
        return leave_out(s);
    mst_status status = mst_script_append(f->w, f->script, f->document, MST_FACES, &index);
    const char *path = status == MST_OK ? mst_path_of_face(f, (uint32_t)index) : NULL;
    if (!path)
        return status == MST_OK ? mst_importing_no_memory(f->w) : status;
    mst_output_begin(&out, mst_buffer_sink(&line));
    mst_output_format(&out, "insert %s = {\"positions\":", path);
    put_loop(s, &out, one);
    if (one == all->all && all->all[all->count - 1].area < 0) {
        mst_output_text(&out, ",\"holes\":");
        put_holes(s, &out, all);
    }
    mst_output_text(&out, ",\"material\":");
    mst_output_text(&out, material);
    status = mst_put_texture(f, piece->origin, piece->triangles, piece->count, piece->normal, path, &out);
    if (status == MST_OK)
        status = mst_put_face_labels(f, piece->origin, piece->triangles, &out);
    mst_output_text(&out, "}");
    const mst_status written = end_line(s, &out, &line);
    if (status == MST_OK && written == MST_OK && !own)
        status = mst_importing_warn(
            f->w, path, "the level does not have its material: it gets the material of its original face");
    return status == MST_OK ? written : status;
}

mst_status mst_import_new_face(mst_face_work *f, const mst_face_piece *piece, mst_arena *arena) {
    shape_state s = {.f = f, .piece = piece, .arena = arena};
    loops all;
    mst_status status = find_loops(&s, &all) ? MST_OK : mst_importing_no_memory(f->w);
    for (size_t i = 0; status == MST_OK && i < all.count && all.all[i].area > 0; i++)
        status = insert_face(&s, &all, &all.all[i]);
    return status;
}

/* ---- the level's own faces ---- */

/* Allocates space for the corners in the JSON of a face: each takes at least eight characters. */
static bool begin_old(old_loops *old, size_t length, mst_arena *arena) {
    *old = (old_loops){.at = mst_arena_take(arena, length / 7 + 1, sizeof *old->at),
                       .first = mst_arena_take(arena, length / 7 + 2, sizeof *old->first)};
    return old->at && old->first;
}

static void read_loop(const mst_json *json, uint32_t list, old_loops *old) {
    const mst_json_node *nodes = json->nodes;
    size_t count = old->first[old->count];
    for (uint32_t at = list + 1; at < nodes[list].end; at = nodes[at].end, count++)
        for (uint32_t k = 0; k < 3 && k < nodes[at].count; k++)
            mst_read_f32(nodes[at + 1 + k].text, nodes[at + 1 + k].length, &old->at[count][k]);
    old->first[++old->count] = count;
}

static mst_status read_old(const mst_face_work *f, uint32_t face, mst_arena *arena, old_loops *old) {
    mst_value faces, value;
    mst_json json;
    const char *text = NULL;
    mst_status status = mst_find(mst_root(f->document), MST_FACES, &faces, f->w->diagnostic);
    if (status == MST_OK)
        status = mst_element(&faces, face, &value);
    if (status == MST_OK)
        status = f->document->format->mesh->geometry(MST_FACES, &value, face, arena, &text);
    if (status == MST_OK && !begin_old(old, text ? strlen(text) : 0, arena))
        status = MST_NO_MEMORY;
    if (status == MST_OK && text)
        status = mst_json_parse(text, strlen(text), arena, &json, NULL);
    if (status != MST_OK || !text)
        return status == MST_NO_MEMORY ? mst_importing_no_memory(f->w) : status;
    const uint32_t border = mst_json_find_member(&json, "positions"),
                   holes = mst_json_find_member(&json, "holes");
    old->first[0] = 0;
    read_loop(&json, border, old);
    for (uint32_t at = holes + 1; holes && at < json.nodes[holes].end; at = json.nodes[at].end)
        read_loop(&json, at, old);
    return MST_OK;
}

/* The same bits: points of an unchanged face have the file's bits. */
static bool same_point(const void *a, const void *b) {
    return memcmp(a, b, 3 * sizeof(float)) == 0;
}

/* Whether a loop is one of the face's, wherever it begins. */
static bool is_old_loop(const shape_state *s, const loop *one, size_t number) {
    const size_t first = s->old->first[number], count = s->old->first[number + 1] - first;
    for (size_t turn = 0; turn < count && count == one->count; turn++) {
        size_t i = 0;
        while (i < count && same_point(s->old->at[first + (i + turn) % count],
                                       mst_weld_point(&s->f->welding, one->points[i])))
            i++;
        if (i == count)
            return true;
    }
    return false;
}

static bool has_same_holes(const shape_state *s, const loops *all) {
    size_t holes = 0;
    for (size_t i = 0; i < all->count; i++) {
        bool met = all->all[i].area > 0;
        holes += !met;
        for (size_t k = 1; k < s->old->count && !met; k++)
            met = is_old_loop(s, &all->all[i], k);
        if (!met)
            return false;
    }
    return holes + 1 == s->old->count;
}

static mst_status set_loops(const shape_state *s, const loops *all, const char *path) {
    const bool same_border = s->old->count && is_old_loop(s, all->all, 0);
    const bool holes = all->all[all->count - 1].area < 0;
    bool same_holes = has_same_holes(s, all);
    mst_import_state *w = s->f->w;
    mst_status status = MST_OK;
    mst_output out;
    mst_buffer line = {.allocator = w->result->allocator};
    if (!same_border && s->old->count > 1) { /* they may be outside the new border */
        status = mst_script_line(w, s->f->script, "set %s.holes = []", path);
        same_holes = !holes;
    }
    if (status == MST_OK && !same_border) {
        mst_output_begin(&out, mst_buffer_sink(&line));
        mst_output_format(&out, "set %s.positions = ", path);
        put_loop(s, &out, all->all);
        status = end_line(s, &out, &line);
    }
    if (status == MST_OK && !same_holes) {
        line = (mst_buffer){.allocator = w->result->allocator};
        mst_output_begin(&out, mst_buffer_sink(&line));
        mst_output_format(&out, "set %s.holes = ", path);
        put_holes(s, &out, all);
        status = end_line(s, &out, &line);
    }
    return status;
}

mst_status mst_import_changed_face(mst_face_work *f, const mst_face_piece *piece, mst_arena *arena) {
    const mst_face_origin *origin = piece->origin;
    shape_state s = {.f = f, .piece = piece, .arena = arena};
    mst_face_shape was, is;
    loops all = {.count = 0};
    old_loops old;
    const char *path = mst_path_of_face(f, origin->face);
    if (!path || !mst_face_shape_of(origin->before, origin->count, false, arena, &was) ||
        !mst_face_shape_of(piece->triangles, piece->count, false, arena, &is))
        return mst_importing_no_memory(f->w);
    const double same_way = mst_dot(origin->normal, piece->normal);
    mst_status status = mst_import_material(f, origin->before, piece->triangles);
    if (status == MST_OK && fabs(same_way) > 0.999)
        status = mst_import_texture(f, origin->before, origin->count, piece->triangles, piece->count,
                                    origin->normal, same_way < 0);
    if (status != MST_OK || (same_way > 0 && mst_same_shape(&was, &is, false)))
        return status;
    status = read_old(f, origin->face, arena, &old);
    s.old = &old;
    if (status == MST_OK && !find_loops(&s, &all))
        status = mst_importing_no_memory(f->w);
    if (status == MST_OK && !(all.count && all.all->area > 0))
        status = mst_importing_warn(f->w, path, "it has no border in the model, and stays as before");
    else if (status == MST_OK)
        status = set_loops(&s, &all, path);
    for (size_t i = 1; status == MST_OK && i < all.count && all.all[i].area > 0; i++)
        status = insert_face(&s, &all, &all.all[i]);
    return status;
}
