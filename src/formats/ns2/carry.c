/* SPDX-License-Identifier: MIT */
/*
 * Patches of faces for levels whose vertices, edges and materials have other numbers. Faces are found by the
 * positions of their corners; the parts they need are found by position or name, and added where missing;
 * parts that the patch removed are removed once nothing uses them. `carry_write.c` writes the result as
 * steps.
 */
#include "../../core/json_text.h"
#include "../../core/number.h"
#include "../../edit/assign.h"
#include "carry_mesh.h"
#include <stdlib.h>

static bool is_list(const char *list, const char *name) {
    return list && strcmp(list, name) == 0;
}

static bool begins(const char *path, const char *with) {
    return path && strncmp(path, with, strlen(with)) == 0;
}

static bool is_row(const char *list) {
    return is_list(list, "mesh.face_layers.faces") || is_list(list, "mesh.face_layers.masks");
}

/* ---- geometry as JSON --------------------------------------------------------------------------------- */

/* The vertex at a position; false: none. */
static bool read_point(mst_ns2_carry_state *c, const mst_json *json, uint32_t at, bool add,
                       uint32_t *vertex) {
    const mst_json_node *node = &json->nodes[at];
    float point[3];
    if (node->kind != MST_JSON_ARRAY || node->count != 3 || node->end != at + 4)
        return false;
    for (uint32_t k = 0; k < 3; k++)
        if (node[1 + k].kind != MST_JSON_NUMBER ||
            !mst_read_f32(node[1 + k].text, node[1 + k].length, &point[k]))
            return false;
    *vertex = mst_ns2_vertex_at(&c->places, point, add);
    return *vertex != MST_NS2_NOWHERE;
}

static bool read_loop(mst_ns2_carry_state *c, const mst_json *json, uint32_t at, bool add,
                      mst_ns2_shape *shape) {
    uint32_t first = shape->corner_count;
    if (json->nodes[at].kind != MST_JSON_ARRAY)
        return false;
    for (uint32_t one = at + 1; one < json->nodes[at].end; one = json->nodes[one].end)
        if (!read_point(c, json, one, add, &shape->corners[shape->corner_count++]))
            return false;
    uint32_t count = shape->corner_count - first;
    shape->counts[shape->loop_count++] = count;
    for (uint32_t i = 0; i < count; i++)
        if (shape->corners[first + i] == shape->corners[first + (i + 1) % count])
            return false; /* there is no edge between them */
    return count > 0;
}

/* A face's corners and material. `whole` false: it is not a face, or there is no vertex at some of its
 * corners. */
static mst_status read_shape(mst_ns2_carry_state *c, const char *text, bool add, mst_ns2_shape *shape,
                             bool *whole) {
    mst_json json;
    mst_arena *arena = c->what->arena;
    *shape = (mst_ns2_shape){.corner_count = 0};
    *whole = text != NULL;
    mst_status status = text ? mst_json_parse(text, strlen(text), arena, &json, NULL) : MST_OK;
    if (status != MST_OK || !text)
        return status == MST_NO_MEMORY ? status : MST_OK;
    shape->corners = mst_arena_take(arena, json.count, sizeof *shape->corners);
    shape->counts = mst_arena_take(arena, json.count, sizeof *shape->counts);
    if (!shape->corners || !shape->counts)
        return MST_NO_MEMORY;
    uint32_t border = mst_json_find_member(&json, "positions"), holes = mst_json_find_member(&json, "holes"),
             material = mst_json_find_member(&json, "material");
    *whole = border && read_loop(c, &json, border, add, shape);
    for (uint32_t at = holes + 1; holes && *whole && at < json.nodes[holes].end; at = json.nodes[at].end)
        *whole = read_loop(c, &json, at, add, shape);
    if (material)
        shape->material = json.nodes[material];
    *whole = *whole && material;
    return MST_OK;
}

/* The edge with the ends in a text. */
static mst_status read_edge(mst_ns2_carry_state *c, const char *text, bool add, uint32_t *edge) {
    mst_json json;
    uint32_t ends[2];
    *edge = MST_NS2_NOWHERE;
    mst_status status = text ? mst_json_parse(text, strlen(text), c->what->arena, &json, NULL) : MST_OK;
    if (status != MST_OK || !text)
        return status == MST_NO_MEMORY ? status : MST_OK;
    uint32_t list = mst_json_find_member(&json, "vertices");
    if (list && json.nodes[list].kind == MST_JSON_ARRAY && json.nodes[list].count == 2 &&
        read_point(c, &json, list + 1, add, &ends[0]) &&
        read_point(c, &json, json.nodes[list + 1].end, add, &ends[1]) && ends[0] != ends[1])
        *edge = mst_ns2_edge_between(&c->places, ends[0], ends[1], add);
    return MST_OK;
}

/* ---- vertices, edges, materials -------------------------------------------------------------------------
 */

/* The vertex described by a text: its JSON, or the position that identifies it. */
static mst_status read_vertex(mst_ns2_carry_state *c, const char *text, bool add, uint32_t *vertex) {
    mst_json json;
    *vertex = MST_NS2_NOWHERE;
    mst_status status = text ? mst_json_parse(text, strlen(text), c->what->arena, &json, NULL) : MST_OK;
    if (status != MST_OK || !text)
        return status == MST_NO_MEMORY ? status : MST_OK;
    uint32_t at = mst_json_find_member(&json, "position");
    if (at && !read_point(c, &json, at, add, vertex))
        *vertex = MST_NS2_NOWHERE;
    return MST_OK;
}

static mst_status insert_part(mst_ns2_carry_state *c, mst_patch_step *step, uint32_t *result) {
    mst_ns2_places *p = &c->places;
    mst_json json;
    step->fate = MST_FATE_REPLACED;
    if (is_list(step->list, "mesh.materials"))
        return MST_OK; /* added with the faces that use it */
    bool is_vertex = is_list(step->list, "mesh.vertices");
    uint32_t before = is_vertex ? p->vertices : p->edges;
    mst_status status =
        is_vertex ? read_vertex(c, step->now, true, result) : read_edge(c, step->geometry[1], true, result);
    if (status != MST_OK || *result != before)
        return status;
    if (is_vertex) {
        p->point_json[*result] = step->now;
        return MST_OK;
    }
    status = mst_json_parse(step->now, strlen(step->now), c->what->arena, &json, NULL);
    uint32_t smooth = status == MST_OK ? mst_json_find_member(&json, "smooth") : 0;
    if (smooth)
        p->edge[*result].smooth = mst_json_text_of(&json, smooth, c->what->arena);
    return status == MST_NO_MEMORY || c->what->arena->starved ? MST_NO_MEMORY : MST_OK;
}

/* Marks the part for removal once nothing uses it. */
static mst_status remove_part(mst_ns2_carry_state *c, mst_patch_step *step) {
    mst_json json;
    uint32_t found = MST_NS2_NOWHERE;
    mst_status status = MST_OK;
    step->fate = MST_FATE_REPLACED;
    if (is_list(step->list, "mesh.vertices")) {
        status = read_vertex(c, step->old, false, &found);
        if (found < c->places.vertex_count)
            c->vertex_goes[found] = 1;
    } else if (is_list(step->list, "mesh.edges")) {
        status = read_edge(c, step->geometry[0], false, &found);
        if (found < c->places.edge_count)
            c->edge_goes[found] = 1;
    } else if (step->old) {
        status = mst_json_parse(step->old, strlen(step->old), c->what->arena, &json, NULL);
        if (status == MST_OK)
            found = mst_ns2_material_called(&c->places, &json.nodes[0], false);
        if (found < c->places.material_count)
            c->material_goes[found] = 1;
    }
    return status == MST_NO_MEMORY ? status : MST_OK;
}

/* ---- faces ----------------------------------------------------------------------------------------------
 */

static mst_ns2_face_made *make_face(mst_ns2_carry_state *c, const mst_patch_step *step, uint32_t face,
                                    const mst_ns2_shape *shape) {
    mst_ns2_face_made *made = mst_array_push(&c->made, 1);
    uint32_t *edges = mst_arena_take(c->what->arena, (size_t)shape->corner_count + 1, sizeof *edges);
    if (!made || !edges)
        return NULL;
    *made = (mst_ns2_face_made){.step = step, .face = face, .shape = *shape, .edges = edges};
    for (uint32_t loop = 0, first = 0; loop < shape->loop_count; first += shape->counts[loop++])
        for (uint32_t i = 0; i < shape->counts[loop]; i++)
            edges[first + i] =
                mst_ns2_edge_between(&c->places, shape->corners[first + i],
                                     shape->corners[first + (i + 1) % shape->counts[loop]], true);
    return made;
}

static mst_status insert_face(mst_ns2_carry_state *c, mst_patch_step *step, uint32_t *result) {
    mst_ns2_shape shape;
    bool whole;
    mst_status status = read_shape(c, step->geometry[1], true, &shape, &whole);
    step->fate = whole ? MST_FATE_REPLACED : MST_FATE_GONE;
    if (status != MST_OK || !whole)
        return status;
    *result = (uint32_t)c->made.count;
    mst_ns2_face_made *made = make_face(c, step, MST_NS2_NOWHERE, &shape);
    if (made)
        made->material = mst_ns2_material_called(&c->places, &shape.material, true);
    return made ? MST_OK : MST_NO_MEMORY;
}

/* Finds the face of a step, in its old shape or in its new one (`done`). */
static mst_status find_face(mst_ns2_carry_state *c, const mst_patch_step *step, uint64_t index,
                            mst_ns2_shape *shape, uint32_t *face, bool *done) {
    *face = MST_NS2_NOWHERE;
    *done = false;
    for (int side = 0; side < 2 && *face == MST_NS2_NOWHERE; side++) {
        bool whole;
        mst_status status = read_shape(c, step->geometry[side], false, shape, &whole);
        if (status != MST_OK)
            return status;
        if (!whole)
            continue;
        uint32_t material = mst_ns2_material_called(&c->places, &shape->material, false);
        *face = mst_ns2_face_at(&c->places, shape, material, (uint32_t)index + 1);
        *done = side && *face != MST_NS2_NOWHERE;
    }
    if (*face != MST_NS2_NOWHERE)
        c->places.face[*face].owner = (uint32_t)index + 1;
    return MST_OK;
}

/* Whether a face has the values of a text, except for references by number. */
static mst_status same_rest(mst_ns2_carry_state *c, uint32_t face, const char *text, bool *same) {
    mst_value faces, value;
    mst_json wanted, has;
    const char *json;
    mst_arena *arena = c->what->arena;
    *same = mst_find(mst_root(c->places.document), "mesh.faces", &faces, NULL) == MST_OK &&
            mst_element(&faces, face, &value) == MST_OK;
    if (!*same)
        return MST_OK;
    mst_status status = mst_value_text(&value, arena, &json, NULL);
    if (status == MST_OK)
        status = mst_json_parse(json, strlen(json), arena, &has, NULL);
    if (status == MST_OK)
        status = mst_json_parse(text, strlen(text), arena, &wanted, NULL);
    static const char *const members[] = {"angle", "offset", "scale", "mapping_group"};
    for (size_t i = 0; status == MST_OK && i < MST_COUNT_OF(members) && *same; i++) {
        uint32_t a = mst_json_find_member(&wanted, members[i]), b = mst_json_find_member(&has, members[i]);
        const char *x = a ? mst_json_text_of(&wanted, a, arena) : "",
                   *y = b ? mst_json_text_of(&has, b, arena) : "";
        if (!x || !y)
            return MST_NO_MEMORY;
        *same = strcmp(x, y) == 0;
    }
    return status;
}

static mst_status remove_face(mst_ns2_carry_state *c, mst_patch_step *step) {
    mst_ns2_shape shape;
    uint32_t face;
    bool done, same = true;
    mst_status status = find_face(c, step, step->index, &shape, &face, &done);
    step->fate = MST_FATE_GONE;
    if (status != MST_OK || face == MST_NS2_NOWHERE)
        return status;
    uint32_t material = mst_ns2_material_called(&c->places, &shape.material, false);
    if (step->old)
        status = same_rest(c, face, step->old, &same);
    step->fate = MST_FATE_CHANGED;
    if (status != MST_OK || !same || c->places.face[face].material != material)
        return status;
    step->fate = MST_FATE_REPLACED;
    c->face_goes[face] = 1;
    return MST_OK;
}

/* Sets the material of a face, by its name. */
static mst_status set_material(mst_ns2_carry_state *c, mst_patch_step *step, uint32_t face) {
    mst_ns2_shape sides[2];
    uint32_t materials[2];
    bool whole;
    for (int side = 0; side < 2; side++) {
        mst_status status = read_shape(c, step->geometry[side], false, &sides[side], &whole);
        if (status != MST_OK)
            return status;
        bool named = sides[side].material.text != NULL || whole;
        materials[side] =
            named ? mst_ns2_material_called(&c->places, &sides[side].material, false) : MST_NS2_NOWHERE;
    }
    uint32_t has = c->places.face[face].material;
    step->fate = MST_FATE_REPLACED;
    if (has == materials[1])
        return MST_OK; /* already done */
    if (has != materials[0] || !sides[1].material.text) {
        step->fate = MST_FATE_CHANGED;
        return MST_OK;
    }
    c->new_material[face] = mst_ns2_material_called(&c->places, &sides[1].material, true) + 1;
    return MST_OK;
}

static mst_status set_loops(mst_ns2_carry_state *c, mst_patch_step *step, uint32_t face) {
    mst_ns2_shape shape;
    bool whole;
    mst_status status = read_shape(c, step->geometry[1], true, &shape, &whole);
    step->fate = whole ? MST_FATE_REPLACED : MST_FATE_GONE;
    if (status != MST_OK || !whole)
        return status;
    c->reshaped[face] = 1;
    return make_face(c, step, face, &shape) ? MST_OK : MST_NO_MEMORY;
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* Makes the step refer to that element. */
static mst_status readdress(mst_ns2_carry_state *c, mst_patch_step *step, uint32_t index) {
    char old[1100];
    size_t length = mst_path_step(old, sizeof old, 0, step->at_list, step->at_index);
    if (index == MST_NS2_NOWHERE || length >= sizeof old || strncmp(step->key, old, length) != 0) {
        step->fate = MST_FATE_GONE;
        return MST_OK;
    }
    step->key =
        mst_arena_printf(c->what->arena, "%s[%u]%s", step->at_list, (unsigned)index, step->key + length);
    step->at = step->near = NULL;
    return step->key ? MST_OK : MST_NO_MEMORY;
}

static mst_status set_value(mst_ns2_carry_state *c, mst_patch_step *step) {
    const char *end = strrchr(step->key, '.'), *list = step->at_list;
    mst_ns2_shape shape;
    uint32_t found = MST_NS2_NOWHERE;
    bool done = false;
    mst_status status = MST_OK;
    if (is_list(list, "mesh.vertices")) {
        status = read_vertex(c, step->at, false, &found);
    } else if (is_list(list, "mesh.edges")) {
        status = read_edge(c, step->geometry[0], false, &found);
    } else {
        status = find_face(c, step, step->at_index, &shape, &found, &done);
    }
    bool of_face = is_list(list, "mesh.faces") && end && status == MST_OK && found != MST_NS2_NOWHERE;
    if (of_face && strcmp(end, ".material") == 0)
        return set_material(c, step, found);
    if (of_face && strcmp(end, ".loops") == 0) {
        step->fate = MST_FATE_REPLACED;
        return done ? MST_OK : set_loops(c, step, found);
    }
    return status == MST_OK ? readdress(c, step, found) : status;
}

/* ---- all steps ------------------------------------------------------------------------------------------
 */

static bool is_part(const char *list) {
    return is_list(list, "mesh.vertices") || is_list(list, "mesh.edges") || is_list(list, "mesh.materials");
}

/* In order: first parts that are added, then existing faces, then faces that are added. */
typedef enum turn { TURN_PARTS, TURN_FACES, TURN_NEW, TURNS } turn;

static turn turn_of(const mst_patch_step *step) {
    if (is_part(step->list) && step->kind == MST_STEP_INSERT)
        return TURN_PARTS;
    return is_list(step->list, "mesh.faces") && step->kind == MST_STEP_INSERT ? TURN_NEW : TURN_FACES;
}

static mst_status carry_one(mst_ns2_carry_state *c, mst_patch_step *step, uint32_t *result) {
    bool whole = step->list != NULL;
    if (step->kind > MST_STEP_LIST || !begins(step->key, "mesh.") || begins(step->key, "mesh.mapping_groups"))
        return MST_OK;
    if (whole && is_part(step->list) && step->kind != MST_STEP_MOVE)
        return step->kind == MST_STEP_INSERT ? insert_part(c, step, result) : remove_part(c, step);
    if (whole && is_list(step->list, "mesh.faces") && step->kind != MST_STEP_MOVE)
        return step->kind == MST_STEP_INSERT ? insert_face(c, step, result) : remove_face(c, step);
    if (step->kind == MST_STEP_SET && step->at &&
        (is_list(step->at_list, "mesh.faces") || is_list(step->at_list, "mesh.vertices") ||
         is_list(step->at_list, "mesh.edges") || is_row(step->at_list)))
        return set_value(c, step);
    step->fate = MST_FATE_REPLACED;
    if (whole && begins(step->list, "mesh.geometry_groups.") && step->kind == MST_STEP_INSERT &&
        !strchr(step->list, '[')) {
        step->fate = MST_FATE_GONE; /* a whole group, with its members */
        step->sort = MST_DIFFERENCE_CONTENT;
    }
    return MST_OK;
}

/* The maximum number of positions in the patch. */
static size_t room_of(const mst_carried_steps *what) {
    size_t bytes = 0;
    for (size_t i = 0; i < what->count; i++) {
        const mst_patch_step *one = &what->steps[i];
        const char *const texts[] = {one->geometry[0], one->geometry[1], one->list ? one->now : NULL,
                                     one->list ? one->old : NULL, one->at};
        for (size_t k = 0; k < MST_COUNT_OF(texts); k++)
            bytes += texts[k] ? strlen(texts[k]) : 0;
    }
    return bytes / 7 + 1; /* "[0,0,0]" */
}

mst_status mst_ns2_carry(mst_carried_steps *what) {
    mst_ns2_carry_state state = {.what = what}, *c = &state;
    mst_arena *arena = what->arena;
    bool there;
    mst_status status =
        mst_ns2_places_read(&c->places, what->document, room_of(what), what->count, arena, &there);
    if (status != MST_OK || !there)
        return status;
    c->made = (mst_array){.element_size = sizeof(mst_ns2_face_made), .allocator = arena->allocator};
    c->results = mst_arena_take(arena, what->count + 1, sizeof *c->results);
    c->face_goes = mst_arena_zero(arena, (size_t)c->places.face_count + 1, 1);
    c->reshaped = mst_arena_zero(arena, (size_t)c->places.face_count + 1, 1);
    c->new_material = mst_arena_zero(arena, (size_t)c->places.face_count + 1, sizeof *c->new_material);
    c->edge_goes = mst_arena_zero(arena, (size_t)c->places.edge_count + 1, 1);
    c->vertex_goes = mst_arena_zero(arena, (size_t)c->places.vertex_count + 1, 1);
    c->material_goes = mst_arena_zero(arena, (size_t)c->places.material_count + 1, 1);
    if (!c->results || !c->face_goes || !c->reshaped || !c->new_material || !c->edge_goes ||
        !c->vertex_goes || !c->material_goes)
        return MST_NO_MEMORY;
    memset(c->results, 0xFF, (what->count + 1) * sizeof *c->results);
    for (turn when = TURN_PARTS; when < TURNS; when++)
        for (size_t i = 0; i < what->count && status == MST_OK; i++)
            if (turn_of(&what->steps[i]) == when)
                status = carry_one(c, &what->steps[i], &c->results[i]);
    if (status == MST_OK)
        status = mst_ns2_carry_write(c);
    mst_array_free(&c->made);
    return status;
}
