/* SPDX-License-Identifier: MIT */
/*
 * New faces and entities from partial descriptions. A face is given by the positions of its corners
 * (`positions`, and `holes`) and the path of its material: existing vertices and edges are used, since there
 * must not be two edges between the same vertices.
 */
#include "../../core/diagnose.h"
#include "../../core/json_text.h"
#include "../../core/map.h"
#include "../../core/number.h"
#include "../../edit/follow.h"
#include "../../edit/single_edit.h"
#include "../present.h"
#include "ns2.h"
#include "setup.h"
#include <stdio.h>

/* ---- entities and layers
 * --------------------------------------------------------------------------------------- */

const char *mst_ns2_blank(const mst_document *document, const mst_field *list) {
    (void)document;
    if (list->record == &mst_ns2_face_record) /* 128 inches per repeat, the editor's default */
        return "{\"scale\":[0.30757874,0.30757874]}";
    if (list->record && strcmp(list->record->name, "layer") == 0) /* as nearly all in real levels */
        return "{\"visible\":true,\"color\":[255,255,255,0]}";
    return list->record == &mst_ns2_object_record || list->record == &mst_ns2_clip_object_record
               ? "{\"properties\":[{\"name\":\"origin\",\"type\":\"distance\",\"value\":[0,0,0]},"
                 "{\"name\":\"angles\",\"type\":\"angle\",\"value\":[0,0,0]}]}"
               : NULL;
}

mst_status mst_ns2_from_schema(const mst_document *document, const mst_field *list, const char *kind,
                               const mst_json *given, const mst_check_options *schema, mst_arena *arena,
                               const char **json, mst_diagnostic *diagnostic) {
    mst_ns2_setup *setup;
    (void)document, (void)given;
    if ((list->record != &mst_ns2_object_record && list->record != &mst_ns2_clip_object_record) ||
        !schema->schema || !schema->schema_size)
        return MST_OK;
    mst_status status = mst_ns2_setup_read(schema->schema, schema->schema_size, arena, &setup, diagnostic);
    if (status == MST_OK)
        *json = mst_ns2_setup_entity(setup, kind, arena);
    return status;
}

/* ---- faces ------------------------------------------------------------------------------------------ */

/* Vertices by their position, or edges by their vertices: the level's and new ones. */
typedef struct parts {
    const char *list;
    size_t known;             /* of the level */
    uint32_t *values;         /* three each: coordinates, or smaller and larger vertex, and the first one */
    size_t count, room, keys; /* keys: how many of the three identify it */
    mst_hash_map numbers;     /* of the first element with each key */
    mst_array made;           /* const char *: JSON of the new ones */
} parts;

typedef struct add_state {
    mst_document *document;
    mst_arena *arena;
    mst_diagnostic *diagnostic;
    mst_json json;                       /* of a face */
    uint32_t positions, holes, material; /* its nodes; 0: not given */
    mst_status status;
    parts vertices, edges;
    mst_array materials; /* const char *: JSON of the new ones */
} add_state;

static void refuse(add_state *a, const char *message) {
    if (a->status != MST_OK)
        return;
    a->status = mst_fail(a->diagnostic, MST_ARGUMENT, "%s", message);
    if (a->diagnostic)
        MST_SET(a->diagnostic->path, "mesh.faces");
}

/* ---- reading the description ---- */

static bool read_corner(add_state *a, uint32_t node, uint32_t key[3]) {
    const mst_json_node *point = &a->json.nodes[node];
    bool good = point->kind == MST_JSON_ARRAY && point->count == 3 && point->end == node + 4;
    for (size_t i = 0; i < 3 && good; i++) {
        float coordinate = 0;
        good = point[1 + i].kind == MST_JSON_NUMBER &&
               mst_read_f32(point[1 + i].text, point[1 + i].length, &coordinate);
        key[i] = mst_bits_of_f32(coordinate + 0.0F); /* -0 is 0 */
    }
    if (!good)
        refuse(a, "a corner is given by three coordinates");
    return good;
}

static void check_loop(add_state *a, uint32_t node) {
    const mst_json_node *corners = &a->json.nodes[node];
    if (corners->kind != MST_JSON_ARRAY || corners->count < 3) {
        refuse(a, "a border or a hole has three corners at least");
        return;
    }
    uint32_t first[3], last[3], key[3];
    for (uint32_t at = node + 1; at < corners->end && a->status == MST_OK; at = a->json.nodes[at].end) {
        if (!read_corner(a, at, key))
            return;
        if (at == node + 1)
            memcpy(first, key, sizeof first);
        else if (memcmp(last, key, sizeof last) == 0)
            refuse(a, "two corners in a row are at the same place");
        memcpy(last, key, sizeof last);
    }
    if (memcmp(first, last, sizeof first) == 0)
        refuse(a, "two corners in a row are at the same place");
}

/* Reads JSON of a face. MST_UNKNOWN: it needs no new parts, or the edit itself will report its fault. */
static mst_status read_face(add_state *a, const char *json) {
    mst_status status = mst_json_parse(json, strlen(json), a->arena, &a->json, NULL);
    if (status != MST_OK || a->json.nodes[0].kind != MST_JSON_OBJECT)
        return status == MST_NO_MEMORY ? status : MST_UNKNOWN;
    const mst_json_node *nodes = a->json.nodes;
    a->positions = mst_json_find_member(&a->json, "positions");
    a->holes = mst_json_find_member(&a->json, "holes");
    a->material = mst_json_find_member(&a->json, "material");
    if (a->material && nodes[a->material].kind != MST_JSON_STRING)
        a->material = 0;
    if (a->holes && !a->positions)
        refuse(a, "holes need the positions of the border");
    if (a->positions && mst_json_find_member(&a->json, "loops"))
        refuse(a, "a face is given by positions or by loops, not by both");
    if (a->positions && a->status == MST_OK)
        check_loop(a, a->positions);
    if (a->holes && nodes[a->holes].kind != MST_JSON_ARRAY)
        refuse(a, "holes are a list of lists of corners");
    for (uint32_t at = a->holes + 1; a->holes && a->status == MST_OK && at < nodes[a->holes].end;
         at = nodes[at].end)
        check_loop(a, at);
    return a->status == MST_OK && !a->positions && !a->material ? MST_UNKNOWN : a->status;
}

/* ---- vertices and edges */

/* The number of the first one with a key; NULL: none. */
static const uint32_t *number_of(const parts *all, const uint32_t *key) {
    return mst_hash_map_find(&all->numbers, mst_key_bytes(key, all->keys * sizeof *key));
}

/* Makes room for one more. Keys stay in the previous memory, in the arena. */
static bool grow(add_state *a, parts *all) {
    if (all->count < all->room)
        return true;
    size_t room = all->room ? 2 * all->room : 256;
    uint32_t *values = mst_arena_take(a->arena, room, 3 * sizeof *values);
    if (values && all->count)
        memcpy(values, all->values, 3 * all->count * sizeof *values);
    all->values = values ? values : all->values;
    all->room = room;
    return values != NULL;
}

/* Adds an element; of several with the same key, the first is found by it. */
static void add_part(add_state *a, parts *all, const uint32_t values[3]) {
    if (a->status != MST_OK)
        return;
    if (all->count >= UINT32_MAX - 1 || !grow(a, all)) {
        a->status = MST_NO_MEMORY;
        return;
    }
    uint32_t *added = &all->values[3 * all->count];
    memcpy(added, values, 3 * sizeof *values);
    mst_hash_map_entry key = mst_key_bytes(added, all->keys * sizeof *added);
    key.value = (uint32_t)all->count++;
    if (!mst_hash_map_add(&all->numbers, key))
        a->status = MST_NO_MEMORY;
}

static void set_edge(uint32_t values[3], uint32_t from, uint32_t to) {
    values[0] = from < to ? from : to;
    values[1] = from < to ? to : from;
    values[2] = from;
}

static void begin_parts(add_state *a, parts *all, const char *list, const char *column, size_t keys) {
    mst_value value = {0};
    mst_find(mst_root(a->document), list, &value, NULL);
    mst_column of = mst_column_if(&value, column);
    *all = (parts){.list = list, .keys = keys, .made = {.element_size = sizeof(char *)}};
    all->made.allocator = a->document->allocator;
    all->numbers.allocator = mst_arena_allocator(a->arena);
    for (uint64_t i = 0; i < of.count && a->status == MST_OK; i++) {
        uint32_t values[3];
        for (uint32_t k = 0; k < keys; k++)
            values[k] = mst_column_u32(&of, i, k);
        if (keys == 2)
            set_edge(values, values[0], values[1]);
        else
            for (size_t k = 0; k < 3; k++)
                values[k] = mst_bits_of_f32(mst_f32_of_bits(values[k]) + 0.0F);
        add_part(a, all, values);
    }
    all->known = all->count;
}

static void keep_made(add_state *a, mst_array *made, const char *json) {
    const char **kept = a->status == MST_OK && json ? mst_array_push(made, 1) : NULL;
    if (kept)
        *kept = json;
    else if (a->status == MST_OK)
        a->status = MST_NO_MEMORY;
}

/* The number of the vertex at a position. */
static uint32_t vertex_at(add_state *a, uint32_t node) {
    uint32_t key[3];
    if (!read_corner(a, node, key))
        return 0;
    const uint32_t *known = number_of(&a->vertices, key);
    if (known)
        return *known;
    const char *text = mst_json_text_of(&a->json, node, a->arena);
    keep_made(a, &a->vertices.made, text ? mst_arena_printf(a->arena, "{\"position\":%s}", text) : NULL);
    add_part(a, &a->vertices, key);
    return (uint32_t)a->vertices.count - 1;
}

/* The edge between two vertices, and whether it runs from the second to the first. */
static uint32_t edge_between(add_state *a, uint32_t from, uint32_t to, bool *flipped) {
    uint32_t values[3];
    set_edge(values, from, to);
    const uint32_t *known = number_of(&a->edges, values);
    *flipped = known && a->edges.values[3 * (size_t)*known + 2] == to;
    if (known)
        return *known;
    keep_made(a, &a->edges.made, mst_arena_printf(a->arena, "{\"vertices\":[%u,%u]}", from, to));
    add_part(a, &a->edges, values);
    return (uint32_t)a->edges.count - 1;
}

/* ---- the face */

/* Appends a loop as JSON to `text`. */
static char *put_loop(add_state *a, uint32_t node, const char *text) {
    const mst_json_node *corners = &a->json.nodes[node];
    char *made = text ? mst_arena_printf(a->arena, "%s[", text) : NULL;
    uint32_t *vertices = mst_arena_take(a->arena, (size_t)corners->count + 1, sizeof *vertices), i = 0;
    for (uint32_t at = node + 1; vertices && at < corners->end && a->status == MST_OK;
         at = a->json.nodes[at].end)
        vertices[i++] = vertex_at(a, at);
    for (uint32_t k = 0; k < i && a->status == MST_OK && made; k++) {
        bool flipped;
        uint32_t edge = edge_between(a, vertices[k], vertices[(k + 1) % i], &flipped);
        made = mst_arena_printf(a->arena, "%s%s{\"flipped\":%s,\"edge\":%u}", made, k ? "," : "",
                                flipped ? "true" : "false", edge);
    }
    made = made ? mst_arena_printf(a->arena, "%s]", made) : NULL;
    if (!made && a->status == MST_OK)
        a->status = MST_NO_MEMORY;
    return made;
}

/* The number of the material with that name. */
static uint32_t material_of(add_state *a, uint32_t node) {
    const mst_json_node *name = &a->json.nodes[node];
    const char *json = mst_json_text_of(&a->json, node, a->arena), **made = a->materials.items;
    mst_value list = {0}, one;
    uint32_t index = 0;
    mst_find(mst_root(a->document), "mesh.materials", &list, NULL);
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &one); index++) {
        const void *bytes;
        size_t size;
        if (mst_get_bytes(&one, &bytes, &size) == MST_OK && size == name->length &&
            (!size || memcmp(bytes, name->text, size) == 0))
            return index;
    }
    for (size_t i = 0; json && i < a->materials.count; i++)
        if (strcmp(made[i], json) == 0)
            return index + (uint32_t)i;
    keep_made(a, &a->materials, json);
    return index + (uint32_t)a->materials.count - 1;
}

/* The face with loops and the number of a material in place of positions and a name; the rest is as given. */
static const char *put_face(add_state *a) {
    const mst_json_node *nodes = a->json.nodes;
    const char *made = "{", *text = a->positions ? put_loop(a, a->positions, "\"loops\":[") : NULL;
    for (uint32_t at = a->holes + 1; a->holes && a->status == MST_OK && at < nodes[a->holes].end;
         at = nodes[at].end)
        text = put_loop(a, at, mst_arena_printf(a->arena, "%s,", text));
    if (a->status == MST_OK && text)
        made = mst_arena_printf(a->arena, "{%s]", text);
    if (a->status == MST_OK && made && a->material)
        made = mst_arena_printf(a->arena, "%s%s\"material\":%u", made, made[1] ? "," : "",
                                material_of(a, a->material));
    for (uint32_t at = 1; a->status == MST_OK && made && at < nodes[0].end; at = nodes[at + 1].end) {
        if (at + 1 == a->positions || at + 1 == a->holes || at + 1 == a->material)
            continue;
        const char *key = mst_json_text_of(&a->json, at, a->arena),
                   *value = mst_json_text_of(&a->json, at + 1, a->arena);
        made = key && value ? mst_arena_printf(a->arena, "%s%s%s:%s", made, made[1] ? "," : "", key, value)
                            : NULL;
    }
    made = made ? mst_arena_printf(a->arena, "%s}", made) : NULL;
    if (a->status == MST_OK && !made)
        a->status = MST_NO_MEMORY;
    return made;
}

/* Appends elements to a list. */
static void append_all(add_state *a, const char *list, const mst_array *made) {
    const char *const *json = made->items;
    mst_value value;
    size_t done = 0;
    bool there = mst_find(mst_root(a->document), list, &value, NULL) == MST_OK;
    uint64_t count = there ? mst_count(&value) : 0;
    if (a->status != MST_OK || !made->count)
        return;
    mst_insertion *all = mst_arena_take(a->arena, made->count, sizeof *all);
    if (!all) {
        a->status = MST_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < made->count; i++) {
        uint64_t index = count + i;
        const char *path = mst_arena_printf(a->arena, "%s[%llu]", list, (unsigned long long)index);
        all[i] = (mst_insertion){.index = index, .path = path, .json = json[i], .copied = UINT64_MAX};
        a->status = path ? a->status : MST_NO_MEMORY;
    }
    if (a->status == MST_OK && (!there || made->count == 1)) { /* this creates the list if it is missing */
        a->status = mst_edit_insert_all(a->document, all->path, all->json, UINT64_MAX, NULL, a->diagnostic);
        done = 1;
    }
    if (a->status == MST_OK && done < made->count)
        a->status =
            mst_follow_insertions(a->document, list, all + done, made->count - done, NULL, a->diagnostic);
}

mst_status mst_ns2_expands(const char *list, const char *json, mst_arena *arena, mst_diagnostic *diagnostic) {
    add_state a = {.arena = arena, .diagnostic = diagnostic};
    return strcmp(list, "mesh.faces") == 0 ? read_face(&a, json) : MST_UNKNOWN;
}

mst_status mst_ns2_expand(mst_document *document, const char *list, const char **json, size_t count,
                          mst_arena *arena, mst_diagnostic *diagnostic) {
    add_state a = {.document = document, .arena = arena, .diagnostic = diagnostic};
    if (strcmp(list, "mesh.faces") != 0)
        return MST_OK;
    a.materials = (mst_array){.element_size = sizeof(char *), .allocator = document->allocator};
    for (size_t i = 0; i < count && a.status == MST_OK; i++) {
        mst_status status = read_face(&a, json[i]);
        if (status == MST_UNKNOWN)
            continue;
        a.status = status;
        if (a.status == MST_OK && a.positions && !a.vertices.list) {
            begin_parts(&a, &a.vertices, "mesh.vertices", "position", 3);
            begin_parts(&a, &a.edges, "mesh.edges", "vertices", 2);
        }
        if (a.status == MST_OK)
            json[i] = put_face(&a);
    }
    append_all(&a, "mesh.vertices", &a.vertices.made);
    append_all(&a, "mesh.edges", &a.edges.made);
    append_all(&a, "mesh.materials", &a.materials);
    mst_array_free(&a.vertices.made);
    mst_array_free(&a.edges.made);
    mst_array_free(&a.materials);
    return a.status;
}
