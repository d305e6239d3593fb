/* SPDX-License-Identifier: MIT */
/* Writes the result of a patch for a level's mesh as steps with the level's own numbers. */
#include "../../core/json_text.h"
#include "../../core/number.h"
#include "../../core/output.h"
#include "../../scene/geometry.h"
#include "carry_mesh.h"
#include "triangles.h"
#include <stdlib.h>

/* New numbers of the remaining elements after removals, by their old numbers. */
typedef struct numbering {
    uint32_t *now; /* by element of the document */
    uint32_t count, gone;
} numbering;

typedef struct write_state {
    mst_ns2_carry_state *c;
    mst_arena *arena;
    mst_status status;
    numbering vertices, edges, faces, materials;
    const mst_patch_step **inserts; /* by list and index */
    size_t insert_count;
    mst_buffer text;
    mst_output out;
} write_state;

/* ---- steps ----------------------------------------------------------------------------------------------
 */

static void add(write_state *w, mst_patch_step step) {
    mst_patch_step *made = w->status == MST_OK ? mst_array_push(&w->c->what->made, 1) : NULL;
    if (!made) {
        w->status = MST_NO_MEMORY;
        return;
    }
    step.sort = MST_DIFFERENCE_PART;
    step.own = true;
    *made = step;
}

static char *element_path(const write_state *w, const char *list, uint64_t index) {
    return mst_arena_printf(w->arena, "%s[%llu]", list, (unsigned long long)index);
}

static void add_element(write_state *w, mst_step_kind kind, const char *list, uint64_t index,
                        const char *now) {
    const char *key = element_path(w, list, index);
    if (!key || (kind == MST_STEP_INSERT && !now))
        w->status = MST_NO_MEMORY;
    else
        add(w, (mst_patch_step){.kind = (uint8_t)kind, .key = key, .list = list, .index = index, .now = now});
}

static void add_set(write_state *w, const char *key, const char *now) {
    if (!key || !now)
        w->status = MST_NO_MEMORY;
    else
        add(w, (mst_patch_step){.kind = MST_STEP_SET, .key = key, .now = now});
}

static void begin_text(write_state *w) {
    w->text.size = 0;
    mst_output_begin(&w->out, mst_buffer_sink(&w->text));
}

static const char *end_text(write_state *w) {
    bool written = mst_output_end(&w->out) == MST_OK;
    return written ? mst_arena_text(w->arena, (const char *)w->text.data, w->text.size) : NULL;
}

/* The length of a list; UINT64_MAX: the level has none. */
static uint64_t count_of(const write_state *w, const char *path) {
    mst_value list;
    return mst_find(mst_root(w->c->places.document), path, &list, NULL) == MST_OK ? mst_count(&list)
                                                                                  : UINT64_MAX;
}

/* Adds a step that states that a list changes its length, or that numbers refer to its elements. */
static bool add_list(write_state *w, const char *path, uint64_t gone, uint64_t come) {
    uint64_t count = count_of(w, path);
    if (count != UINT64_MAX)
        add(w,
            (mst_patch_step){.kind = MST_STEP_LIST, .key = path, .index = count, .to = count - gone + come});
    return count != UINT64_MAX;
}

/* ---- numbers --------------------------------------------------------------------------------------------
 */

static void count_on(write_state *w, numbering *n, uint32_t count, const uint8_t *goes) {
    *n = (numbering){.now = mst_arena_take(w->arena, (size_t)count + 1, sizeof(uint32_t)), .count = count};
    if (!n->now) {
        w->status = MST_NO_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        n->now[i] = i - n->gone;
        n->gone += goes[i] != 0;
    }
}

static uint32_t now_of(const numbering *n, uint32_t number) {
    return number < n->count ? n->now[number] : number - n->gone;
}

/* Keeps elements that others need. */
static void keep_needed(write_state *w) {
    mst_ns2_carry_state *c = w->c;
    const mst_ns2_places *p = &c->places;
    const mst_ns2_face_made *made = c->made.items;
    for (uint32_t i = 0; i < p->face_count; i++) {
        const mst_ns2_face_there *face = &p->face[i];
        uint32_t material = c->new_material[i] ? c->new_material[i] - 1 : face->material;
        if (!c->face_goes[i] && material < p->material_count)
            c->material_goes[material] = 0;
        for (uint32_t k = 0; !c->face_goes[i] && !c->reshaped[i] && k < face->shape.corner_count; k++)
            c->edge_goes[face->edges[k]] = 0;
    }
    for (size_t i = 0; i < c->made.count; i++) {
        for (uint32_t k = 0; k < made[i].shape.corner_count; k++)
            if (made[i].edges[k] < p->edge_count)
                c->edge_goes[made[i].edges[k]] = 0;
        if (made[i].face == MST_NS2_NOWHERE && made[i].material < p->material_count)
            c->material_goes[made[i].material] = 0;
    }
    for (uint32_t i = 0; i < p->edges; i++)
        for (uint32_t k = 0; k < 2; k++)
            if ((i >= p->edge_count || !c->edge_goes[i]) && p->edge[i].ends[k] < p->vertex_count)
                c->vertex_goes[p->edge[i].ends[k]] = 0;
}

/* Triangles of other faces may use vertices that are not on those faces' edges. */
static void keep_in_triangles(write_state *w) {
    const mst_ns2_carry_state *c = w->c;
    mst_value rows, row;
    uint32_t i = 0;
    if (mst_find(mst_root(c->places.document), "mesh.triangles.faces", &rows, NULL) != MST_OK)
        return;
    for (mst_iterator it = mst_iterate(&rows); mst_next(&it, &row) && i < c->places.face_count; i++) {
        mst_column vertices = mst_column_in(&row, "vertices");
        for (uint64_t k = 0; k < 3 * vertices.count && !c->face_goes[i] && !c->reshaped[i]; k++) {
            uint32_t vertex = mst_column_u32(&vertices, k / 3, (uint32_t)(k % 3));
            if (vertex < c->places.vertex_count)
                c->vertex_goes[vertex] = 0;
        }
    }
}

/* ---- faces ----------------------------------------------------------------------------------------------
 */

static void put_loops(write_state *w, const mst_ns2_face_made *face) {
    const mst_ns2_places *p = &w->c->places;
    uint32_t at = 0;
    mst_output_text(&w->out, "[");
    for (uint32_t loop = 0; loop < face->shape.loop_count; loop++) {
        mst_output_text(&w->out, loop ? ",[" : "[");
        for (uint32_t i = 0; i < face->shape.counts[loop]; i++, at++) {
            uint32_t edge = face->edges[at], begin = p->edge[edge].ends[0];
            if (begin < p->vertex_count)
                begin = p->first[begin];
            mst_output_format(&w->out, "%s{\"flipped\":%s,\"edge\":%u}", i ? "," : "",
                              begin == face->shape.corners[at] ? "false" : "true",
                              (unsigned)now_of(&w->edges, edge));
        }
        mst_output_text(&w->out, "]");
    }
    mst_output_text(&w->out, "]");
}

/* A new face as JSON: as in the patch, except for the numbers in it. NULL: no memory. */
static const char *face_text(write_state *w, const mst_ns2_face_made *face) {
    mst_json json;
    if (mst_json_parse(face->step->now, strlen(face->step->now), w->arena, &json, NULL) != MST_OK)
        return NULL;
    begin_text(w);
    mst_output_format(&w->out,
                      "{\"material\":%u,\"loops\":", (unsigned)now_of(&w->materials, face->material));
    put_loops(w, face);
    for (uint32_t at = 1; at < json.nodes[0].end; at = json.nodes[at + 1].end) {
        const mst_json_node *key = &json.nodes[at];
        if ((key->length == 5 && memcmp(key->text, "loops", 5) == 0) ||
            (key->length == 8 && memcmp(key->text, "material", 8) == 0))
            continue;
        const char *name = mst_json_text_of(&json, at, w->arena),
                   *value = mst_json_text_of(&json, at + 1, w->arena);
        mst_output_format(&w->out, ",");
        mst_output_text(&w->out, name ? name : "");
        mst_output_text(&w->out, ":");
        mst_output_text(&w->out, value ? value : "");
    }
    mst_output_text(&w->out, "}");
    return end_text(w);
}

static const char *loops_text(write_state *w, const mst_ns2_face_made *face) {
    begin_text(w);
    put_loops(w, face);
    return end_text(w);
}

/* The triangles of a face as JSON. */
static const char *triangles_text(write_state *w, const mst_ns2_face_made *face) {
    const mst_ns2_shape *shape = &face->shape;
    size_t total = (size_t)shape->corner_count + 2 * (size_t)shape->loop_count, count = 0;
    float *points = mst_arena_take(w->arena, (size_t)shape->corner_count + 1, 3 * sizeof *points);
    uint32_t *order = mst_arena_take(w->arena, (size_t)shape->corner_count + 1, sizeof *order),
             *made = mst_arena_take(w->arena, total + 1, 3 * sizeof *made);
    const char *json;
    if (!points || !order || !made)
        return NULL;
    for (uint32_t i = 0; i < shape->corner_count; i++) {
        memcpy(points + 3 * (size_t)i, w->c->places.points + 3 * (size_t)shape->corners[i],
               3 * sizeof *points);
        order[i] = i;
    }
    if (mst_polygon_triangulate(points, order, shape->counts, shape->loop_count, &w->arena->allocator, made,
                                &count) != MST_OK)
        return NULL;
    for (size_t i = 0; i < 3 * count; i++)
        made[i] = now_of(&w->vertices, shape->corners[made[i]]);
    return mst_ns2_triangles_text(w->c->places.document, made, NULL, count, w->arena, &json) == MST_OK ? json
                                                                                                       : NULL;
}

/* ---- rows and groups --------------------------------------------------------------------------------------
 */

static int by_insert(const void *left, const void *right) {
    const mst_patch_step *a = *(const mst_patch_step *const *)left,
                         *b = *(const mst_patch_step *const *)right;
    int order = strcmp(a->list, b->list);
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

static void sort_inserts(write_state *w) {
    const mst_carried_steps *what = w->c->what;
    w->inserts = mst_arena_take(w->arena, what->count + 1, sizeof *w->inserts);
    if (!w->inserts) {
        w->status = MST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < what->count; i++)
        if (what->steps[i].kind == MST_STEP_INSERT && what->steps[i].list)
            w->inserts[w->insert_count++] = &what->steps[i];
    if (w->insert_count)
        qsort(w->inserts, w->insert_count, sizeof *w->inserts, by_insert);
}

/* The step that inserts an element at an index of the patch's new list; NULL: none. */
static const mst_patch_step *inserted_at(const write_state *w, const char *list, uint64_t index) {
    mst_patch_step wanted = {.list = list, .index = index};
    const mst_patch_step *key = &wanted, **found = NULL;
    if (w->insert_count)
        found = bsearch(&key, w->inserts, w->insert_count, sizeof *w->inserts, by_insert);
    return found ? *found : NULL;
}

/* The number in this level of an element that the patch inserts; MST_NS2_NOWHERE: none. */
static uint32_t number_of(const write_state *w, const char *list, uint64_t index) {
    const mst_ns2_carry_state *c = w->c;
    const mst_patch_step *step = inserted_at(w, list, index);
    uint32_t result = step ? c->results[step - c->what->steps] : MST_NS2_NOWHERE, before = 0;
    if (result == MST_NS2_NOWHERE || strcmp(list, "mesh.faces") != 0)
        return result == MST_NS2_NOWHERE         ? result
               : strcmp(list, "mesh.edges") == 0 ? now_of(&w->edges, result)
                                                 : now_of(&w->vertices, result);
    const mst_ns2_face_made *made = c->made.items;
    for (uint32_t i = 0; i < result; i++)
        before += made[i].face == MST_NS2_NOWHERE;
    return c->places.face_count - w->faces.gone + before;
}

/* The id of the group of a step, as JSON; NULL: none. */
static const char *id_of(write_state *w, const char *text) {
    mst_json json;
    if (!text || mst_json_parse(text, strlen(text), w->arena, &json, NULL) != MST_OK)
        return NULL;
    for (uint32_t at = 1; at < json.nodes[0].end; at = json.nodes[at + 1].end)
        if (json.nodes[at].length == 2 && memcmp(json.nodes[at].text, "id", 2) == 0)
            return mst_json_text_of(&json, at + 1, w->arena);
    return NULL;
}

/* Members of a group: the removed ones, and the ones that the patch inserts. */
static void write_group(write_state *w, const char *groups, const char *list, const char *path, uint64_t id,
                        const mst_value *indices, const uint8_t *goes) {
    mst_carried_steps *what = w->c->what;
    uint64_t count = mst_count(indices);
    const char *wanted = mst_arena_printf(w->arena, "%llu", (unsigned long long)id);
    uint64_t gone = 0, come = 0, limit = count_of(w, list);
    size_t first = what->made.count;
    if (!wanted) {
        w->status = MST_NO_MEMORY;
        return;
    }
    add(w, (mst_patch_step){.kind = MST_STEP_LIST, .key = path, .index = count});
    mst_value member;
    uint64_t k = 0;
    for (mst_iterator it = mst_iterate(indices); mst_next(&it, &member); k++) {
        uint64_t number = mst_scalar_of(&member);
        if (number < limit && goes[number]) {
            add_element(w, MST_STEP_REMOVE, path, k, NULL);
            gone++;
        }
    }
    for (size_t i = 0; i < w->insert_count && w->status == MST_OK; i++) {
        const mst_patch_step *step = w->inserts[i];
        uint64_t number;
        size_t length = strlen(groups);
        if (strncmp(step->list, groups, length) != 0 || step->list[length] != '[' ||
            !mst_read_u64(step->now, strlen(step->now), &number))
            continue;
        const char *known = id_of(w, step->at);
        uint32_t now = known && strcmp(known, wanted) == 0 ? number_of(w, list, number) : MST_NS2_NOWHERE;
        if (now != MST_NS2_NOWHERE)
            add_element(w, MST_STEP_INSERT, path, count - gone + come++,
                        mst_arena_printf(w->arena, "%u", (unsigned)now));
    }
    if (w->status == MST_OK && !gone && !come)
        what->made.count = first;
    else if (w->status == MST_OK)
        ((mst_patch_step *)what->made.items)[first].to = count - gone + come;
}

static void write_groups(write_state *w, const char *groups, const char *list, const uint8_t *goes) {
    mst_value all, group;
    uint64_t index = 0;
    if (mst_find(mst_root(w->c->places.document), groups, &all, NULL) != MST_OK)
        return;
    for (mst_iterator it = mst_iterate(&all); w->status == MST_OK && mst_next(&it, &group); index++) {
        mst_value indices = mst_member_in(&group, "indices");
        const char *path = mst_arena_printf(w->arena, "%s[%llu].indices", groups, (unsigned long long)index);
        if (path)
            write_group(w, groups, list, path, mst_number_in(&group, "id"), &indices, goes);
        else
            w->status = MST_NO_MEMORY;
    }
}

/* ---- all
 * --------------------------------------------------------------------------------------------------- */

static void remove_all(write_state *w, const char *list, const uint8_t *goes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (goes[i])
            add_element(w, MST_STEP_REMOVE, list, i, NULL);
}

static void write_parts(write_state *w) {
    const mst_ns2_carry_state *c = w->c;
    const mst_ns2_places *p = &c->places;
    bool smooth = p->document->variant.version >= 8;
    remove_all(w, "mesh.materials", c->material_goes, p->material_count);
    remove_all(w, "mesh.vertices", c->vertex_goes, p->vertex_count);
    remove_all(w, "mesh.edges", c->edge_goes, p->edge_count);
    for (uint32_t i = p->material_count; i < p->materials; i++)
        add_element(w, MST_STEP_INSERT, "mesh.materials", now_of(&w->materials, i),
                    mst_json_quoted(w->arena, p->names[i].text, p->names[i].length));
    for (uint32_t i = p->vertex_count; i < p->vertices; i++) {
        const float *at = p->points + 3 * (size_t)i;
        begin_text(w);
        for (size_t k = 0; k < 3; k++) {
            char digits[MST_NUMBER_MAX];
            mst_output_text(&w->out, k ? "," : "{\"position\":[");
            mst_output_bytes(&w->out, digits, mst_write_f32(digits, at[k]));
        }
        mst_output_text(&w->out, smooth ? "],\"smooth\":0}" : "]}");
        add_element(w, MST_STEP_INSERT, "mesh.vertices", now_of(&w->vertices, i),
                    p->point_json[i] ? p->point_json[i] : end_text(w));
    }
    for (uint32_t i = p->edge_count; i < p->edges; i++) {
        begin_text(w);
        mst_output_format(&w->out, "{\"vertices\":[%u,%u]",
                          (unsigned)now_of(&w->vertices, p->edge[i].ends[0]),
                          (unsigned)now_of(&w->vertices, p->edge[i].ends[1]));
        if (smooth) {
            mst_output_text(&w->out, ",\"smooth\":");
            mst_output_text(&w->out, p->edge[i].smooth ? p->edge[i].smooth : "0");
        }
        mst_output_text(&w->out, "}");
        add_element(w, MST_STEP_INSERT, "mesh.edges", now_of(&w->edges, i), end_text(w));
    }
}

static void write_faces(write_state *w, const char *rows, bool triangles) {
    static const char list[] = "mesh.faces", drawn[] = "mesh.triangles.faces";
    const mst_ns2_carry_state *c = w->c;
    const mst_ns2_face_made *made = c->made.items;
    uint32_t next = c->places.face_count - w->faces.gone;
    remove_all(w, list, c->face_goes, c->places.face_count);
    if (rows)
        remove_all(w, rows, c->face_goes, c->places.face_count);
    if (triangles)
        remove_all(w, drawn, c->face_goes, c->places.face_count);
    for (uint32_t i = 0; i < c->places.face_count; i++)
        if (c->new_material[i] && !c->face_goes[i])
            add_set(
                w, mst_arena_printf(w->arena, "mesh.faces[%u].material", (unsigned)i),
                mst_arena_printf(w->arena, "%u", (unsigned)now_of(&w->materials, c->new_material[i] - 1)));
    for (size_t i = 0; i < c->made.count && w->status == MST_OK; i++) {
        bool comes = made[i].face == MST_NS2_NOWHERE;
        const mst_patch_step *row = comes && rows ? inserted_at(w, rows, made[i].step->index) : NULL;
        const char *text = triangles ? triangles_text(w, &made[i]) : NULL;
        if (!comes && c->face_goes[made[i].face])
            continue;
        if (!comes) {
            add_set(w, mst_arena_printf(w->arena, "mesh.faces[%u].loops", (unsigned)made[i].face),
                    loops_text(w, &made[i]));
            if (triangles)
                add_set(w, element_path(w, drawn, made[i].face), text);
            continue;
        }
        add_element(w, MST_STEP_INSERT, list, next, face_text(w, &made[i]));
        if (rows)
            add_element(w, MST_STEP_INSERT, rows, next,
                        row                     ? row->now
                        : strstr(rows, "masks") ? "0"
                                                : "{\"has_layers\":false}");
        if (triangles)
            add_element(w, MST_STEP_INSERT, drawn, next, text);
        next++;
    }
}

mst_status mst_ns2_carry_write(mst_ns2_carry_state *c) {
    write_state state = {.c = c, .arena = c->what->arena}, *w = &state;
    const mst_ns2_places *p = &c->places;
    const mst_ns2_face_made *made = c->made.items;
    uint32_t come = 0;
    w->text.allocator = w->arena->allocator;
    for (size_t i = 0; i < c->made.count; i++)
        come += made[i].face == MST_NS2_NOWHERE;
    keep_needed(w);
    keep_in_triangles(w);
    count_on(w, &w->vertices, p->vertex_count, c->vertex_goes);
    count_on(w, &w->edges, p->edge_count, c->edge_goes);
    count_on(w, &w->faces, p->face_count, c->face_goes);
    count_on(w, &w->materials, p->material_count, c->material_goes);
    sort_inserts(w);
    if (w->status == MST_OK) {
        static const char *const layers[] = {"mesh.face_layers.faces", "mesh.face_layers.masks"};
        const char *rows = NULL;
        add_list(w, "mesh.materials", w->materials.gone, p->materials - p->material_count);
        add_list(w, "mesh.vertices", w->vertices.gone, p->vertices - p->vertex_count);
        add_list(w, "mesh.edges", w->edges.gone, p->edges - p->edge_count);
        add_list(w, "mesh.faces", w->faces.gone, come);
        for (size_t i = 0; i < 2; i++)
            if (count_of(w, layers[i]) == p->face_count && add_list(w, layers[i], w->faces.gone, come))
                rows = layers[i];
        bool triangles = count_of(w, "mesh.triangles.faces") == p->face_count &&
                         add_list(w, "mesh.triangles.faces", w->faces.gone, come);
        add_list(w, "mesh.triangles.ghost_vertices", 0, 0);
        add_list(w, "mesh.triangles.smoothed_normals", 0, 0);
        write_groups(w, "mesh.geometry_groups.vertex_groups", "mesh.vertices", c->vertex_goes);
        write_groups(w, "mesh.geometry_groups.edge_groups", "mesh.edges", c->edge_goes);
        write_groups(w, "mesh.geometry_groups.face_groups", "mesh.faces", c->face_goes);
        write_parts(w);
        write_faces(w, rows, triangles);
    }
    mst_buffer_free(&w->text);
    return w->arena->starved ? MST_NO_MEMORY : w->status;
}
