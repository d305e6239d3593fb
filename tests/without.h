/* SPDX-License-Identifier: MIT */
/* A level as JSON without an element: references to it are adjusted according to the formats' descriptions of
 * their numbers, without the tables and the code of edits. */
#ifndef MST_TESTS_WITHOUT_H
#define MST_TESTS_WITHOUT_H

#include "../src/core/json.h"
#include "../src/read/engine.h"
#include "support.h"

/* ---- which numbers name elements of which lists ---------------------------------------------------------
 */

typedef enum policy {
    GOES,   /* the element that "!" marks is removed with the named one */
    NONE,   /* it becomes `none` */
    MEMBER, /* as GOES, but it does not prevent the removal */
    FIRST,  /* of several: it keeps its place and names the next one */
    END,    /* it becomes the number of elements, which names nothing */
    BIT     /* of a layer's id: it is cleared */
} policy;

typedef struct rule {
    const char *format; /* the beginning of its id */
    /* Paths with the same part before the first name; "[]" are the same elements in both, as long as both
     * have some. */
    const char *number, *list;
    policy policy;
    const char *none;  /* another value that names nothing */
    const char *key;   /* it names the element with that number; NULL: the element at that place */
    const char *where; /* if the number next to it is one of these: "operation=open_door|unlock_door" */
    bool owned;        /* elements that only this named are removed with it */
    const char *then;  /* numbers continue in this list */
    const char *heir;  /* it takes the value of this number of the removed element */
    const char *rest;  /* `none` applies to the numbers from this place on: "3" */
} rule;

#define NUMBER(format_, number_, list_, policy_)                                                             \
    .format = format_, .number = number_, .list = list_, .policy = policy_
static const rule rules[] = {
    {NUMBER("ns2", "mesh.edges[]!.vertices[]", "mesh.vertices", GOES), .owned = true},
    {NUMBER("ns2", "mesh.faces[]!.loops[][].edge", "mesh.edges", GOES), .owned = true},
    {NUMBER("ns2", "mesh.faces[]!.material", "mesh.materials", GOES), .owned = true},
    {NUMBER("ns2", "mesh.faces[].mapping_group", "mesh.mapping_groups", NONE), .none = "\"none\"",
     .key = "id"},
    {NUMBER("ns2", "mesh.geometry_groups.vertex_groups[].indices[]!", "mesh.vertices", MEMBER),
     .owned = true},
    {NUMBER("ns2", "mesh.geometry_groups.edge_groups[].indices[]!", "mesh.edges", MEMBER), .owned = true},
    {NUMBER("ns2", "mesh.geometry_groups.face_groups[].indices[]!", "mesh.faces", MEMBER)},
    {NUMBER("ns2", "mesh.geometry_groups.vertex_groups[]!.id", "groups", MEMBER), .key = "id"},
    {NUMBER("ns2", "mesh.geometry_groups.edge_groups[]!.id", "groups", MEMBER), .key = "id"},
    {NUMBER("ns2", "mesh.geometry_groups.face_groups[]!.id", "groups", MEMBER), .key = "id"},
    {NUMBER("ns2", "mesh.triangles.faces[]![].vertices[]", "mesh.vertices", GOES), .owned = true,
     .then = "mesh.triangles.ghost_vertices"},
    {NUMBER("ns2", "mesh.triangles.faces[][].normals[]", "mesh.triangles.smoothed_normals", END)},
    {NUMBER("ns2", "objects[].group", "groups", NONE), .none = "\"none\"", .key = "id"},
    {NUMBER("ns2", "objects[].layer_mask", "layers", BIT)},
    {NUMBER("ns2", "mesh.face_layers.masks[]", "layers", BIT)},
    {NUMBER("ns2", "objects[].layer_masks[]", "layers", BIT), .key = "id"},
    {NUMBER("ns2", "mesh.face_layers.faces[].layer_masks[]", "layers", BIT), .key = "id"},

    {NUMBER("alien-map", "map.quads[]!.vertices[]", "map.vertices", NONE), .none = "-1", .rest = "3"},
    {NUMBER("alien-map", "door_models[].quads[]!.vertices[]", "door_models[].vertices", NONE), .none = "-1",
     .rest = "3"},
    {NUMBER("alien-map", "lift_models[].quads[]!.vertices[]", "lift_models[].vertices", NONE), .none = "-1",
     .rest = "3"},
    {NUMBER("alien-models", "models[].quads[]!.vertices[]", "models[].vertices", NONE), .none = "-1",
     .rest = "3"},
    {NUMBER("alien-map", "map.cells[].first_quad", "map.quads", FIRST), .none = "-1"},
    {NUMBER("alien-map", "map.path_nodes[].links[]", "map.path_nodes", NONE), .none = "255"},
    {NUMBER("alien-map", "map.cells[].path_node", "map.path_nodes", FIRST)},
    {NUMBER("alien-map", "map.cells[].trigger", "map.triggers", NONE), .none = "0"},
    {NUMBER("alien-map", "map.monsters[].drop", "map.pickups", NONE), .none = "255"},
    {NUMBER("alien-map", "map.boxes[].drop_first", "map.monsters", NONE), .none = "255",
     .where = "drop_type=monster"},
    {NUMBER("alien-map", "map.boxes[].drop_second", "map.monsters", NONE), .none = "255",
     .where = "drop_type=monster"},
    {NUMBER("alien-map", "map.boxes[].drop_first", "map.pickups", NONE), .none = "255",
     .where = "drop_type=pickup"},
    {NUMBER("alien-map", "map.boxes[].drop_second", "map.pickups", NONE), .none = "255",
     .where = "drop_type=pickup"},
    {NUMBER("alien-map", "map.triggers[].first_command", "map.commands", NONE), .none = "255",
     .heir = "next"},
    {NUMBER("alien-map", "map.commands[].next", "map.commands", NONE), .none = "255", .heir = "next"},
    {NUMBER("alien-map", "map.doors[]!.model", "door_models", GOES)},
    {NUMBER("alien-map", "map.lifts[]!.model", "lift_models", GOES)},
    {NUMBER("alien-map", "map.commands[]!.target", "map.doors", GOES),
     .where = "operation=unlock_door|open_door"},
    {NUMBER("alien-map", "map.commands[]!.target", "map.pickups", GOES), .where = "operation=show_pickup"},
    {NUMBER("alien-map", "map.commands[]!.target", "map.monsters", GOES), .where = "operation=wake_monster"},
    {NUMBER("alien-map", "map.commands[]!.target", "map.boxes", GOES), .where = "operation=switch_off_box"},
    {NUMBER("alien-map", "map.commands[]!.target", "map.lifts", GOES),
     .where = "operation=locked_lift|move_lift"},
    {NUMBER("alien-map", "map.commands[]!.target", "map.texture_animators", GOES),
     .where = "operation=animate_texture"},
    {NUMBER("alien-map", "map.quads[]!.texture", "map.texture_animators", GOES), .where = "draw_flags=8"},
    {NUMBER("alien-map", "map.texture_animators[]!.program", "map.texture_animation_words", GOES),
     .key = "program"},
    {NUMBER("alien-gfx", "rectangle_lists[].rectangles[]!.page", "pages", GOES)},

    {NUMBER("revenant-image", "table[]!", "bitmaps", GOES)},
    {NUMBER("revenant-image", "states[].still", "bitmaps", NONE), .none = "4294967295"},
    {NUMBER("revenant-image", "states[].inventory", "bitmaps", NONE), .none = "4294967295"},
    {NUMBER("revenant-image", "states[].animation", "animations", NONE), .none = "4294967295"},
    {NUMBER("revenant-image", "states[].inventory_animation", "animations", NONE), .none = "4294967295"},
    {NUMBER("revenant-image", "animations[].frames[].bitmap", "bitmaps", NONE), .none = "4294967295"},

    {NUMBER("revenant-sector", "objects[].inventory[].inventory_index", "objects[].inventory", NONE)},
    {NUMBER("revenant-sector", "objects[].first_item", "objects", NONE), .none = "-1", .heir = "next_item",
     .owned = true},
    {NUMBER("revenant-sector", "objects[].next_item", "objects", NONE), .none = "-1", .heir = "next_item"},

    {NUMBER("turok-map", "collision.sectors[]!.vertices[]", "collision.vertices", GOES), .owned = true},
    {NUMBER("turok-map", "collision.sectors[]!.sector_set", "collision.sector_sets", GOES)},
    {NUMBER("turok-map", "collision.sectors[].links[]", "collision.sectors", NONE), .none = "65535"},
    {NUMBER("turok-map", "grid_sections[].static_meshes[].sector", "collision.sectors", NONE), .none = "-1"},
    {NUMBER("turok-map", "actors.records[].sector", "collision.sectors", NONE), .none = "-1"},
    {NUMBER("turok-map", "actors.records[].target_tid", "actors.records", NONE), .none = "0", .key = "tid"},
    {NUMBER("turok-model", "nodes[].children[]!", "nodes", GOES)},
    {NUMBER("turok-model", "nodes[].variants[]!", "nodes[].objects", GOES)},
    {NUMBER("turok-model", "nodes[].objects[][].triangles[]!", "nodes[].objects[][].vertices", GOES)},
    {NUMBER("turok-model", "nodes[].objects[][].triangles[]![]", "nodes[].objects[][].vertices", GOES)},

    {NUMBER("sfa-block", "block.lists[].shader", "block.shaders", GOES)},
    {NUMBER("sfa-block", "block.lists[].commands[].vertices[]!.position", "block.positions", GOES)},
    {NUMBER("sfa-block", "block.lists[].commands[].vertices[]!.texcoord", "block.texcoords", GOES)},
    {NUMBER("sfa-block", "block.lists[].commands[].vertices[]!.texcoord_1", "block.texcoords", GOES)},
    {NUMBER("sfa-block", "block.streams[].ops[]!.shader", "block.shaders", GOES), .where = "op=shader"},
    {NUMBER("sfa-block", "block.streams[].ops[]!.list", "block.lists", GOES), .where = "op=list"},
    {NUMBER("sfa-block", "block.polygons[]!.vertices[]", "block.positions", GOES)},
    {NUMBER("sfa-block", "block.polygon_groups[].first_polygon", "block.polygons", FIRST)},
    {NUMBER("sfa-block", "block.polygon_sentinel.first_polygon", "block.polygons", FIRST)},

    {NUMBER("spark-model", "indices[]!", "vertices", GOES)},
    {NUMBER("spark-model", "face_sets[]!.material", "materials", GOES)},
    {NUMBER("spark-model", "face_sets[].palette[]!", "bones", GOES)},
    {NUMBER("spark-model", "bones[].parent", "bones", NONE), .none = "\"none\""},
    {NUMBER("spark-model", "animations[].tracks[]!.bone", "bones", GOES)},
    {NUMBER("spark-model", "solids[].bone", "bones", NONE), .none = "\"none\""},
    {NUMBER("spark-model", "attach_points[].bone", "bones", NONE), .none = "\"none\""},
    {NUMBER("spark-model", "cameras[].bone", "bones", NONE), .none = "\"none\""},
    {NUMBER("spark-model", "animation_nodes[]!.animation", "animations", GOES), .where = "type=animation"},
    {NUMBER("spark-model", "animation_nodes[]!.parameter", "blend_parameters", GOES), .where = "type=blend"},
    {NUMBER("spark-model", "animation_nodes[].nodes[]!", "animation_nodes", GOES)},
    {NUMBER("spark-model", "sequences[]!.node", "animation_nodes", GOES)},
    {NUMBER("spark-model", "joints[]!.solid_1", "solids", GOES)},
    {NUMBER("spark-model", "joints[]!.solid_2", "solids", GOES)},
    {NUMBER("spark-model", "collision_pairs[]!.solid_1", "solids", GOES)},
    {NUMBER("spark-model", "collision_pairs[]!.solid_2", "solids", GOES)},
    {NUMBER("spark-model", "collision_reps.names[]!.rep", "collision_reps.reps", GOES)},
    {NUMBER("spark-model", "solids[].triangles[]![]", "solids[].vertices", GOES)},
};

/* Elements that describe the elements of another list, one each. */
static const struct {
    const char *format, *list, *with;
} rows_of[] = {{"ns2", "mesh.faces", "mesh.face_layers.faces"},
               {"ns2", "mesh.faces", "mesh.face_layers.masks"},
               {"ns2", "mesh.faces", "mesh.triangles.faces"},
               {"ns2", "mesh.triangles.faces", "mesh.faces"},
               {"turok-map", "actors.records", "actors.models"},
               {"turok-map", "actors.records", "actors.animations"},
               {"turok-map", "grid_sections[].static_meshes", "grid_sections[].models"}};

/* ---- a level as JSON ------------------------------------------------------------------------------------
 */

#define TOKENS 24
typedef struct reference {
    const rule *rule;
    uint32_t node, list, target, owner; /* owner: the element removed; 0: nothing */
    uint32_t first;                     /* the list whose numbers continue in `list` */
    unsigned bit;
} reference;

typedef struct tree {
    const char *format;
    mst_buffer text;
    mst_arena arena;
    mst_json json;
    uint32_t *parent, *place; /* place: in an array; of a value in an object: its key */
    reference *references;
    size_t count, capacity;
    /* made again for each trial */
    bool *gone;
    uint32_t *rank;
    const char **instead;
    mst_arena made;
} tree;

static inline uint32_t first_of(const tree *t, uint32_t node) {
    return t->json.nodes[node].kind == MST_JSON_OBJECT ? node + 2 : node + 1;
}

static inline uint32_t after(const tree *t, uint32_t inner) {
    uint32_t next = t->json.nodes[inner].end;
    return t->json.nodes[t->parent[inner]].kind == MST_JSON_OBJECT ? next + 1 : next;
}

static inline void link_nodes(tree *t) {
    for (uint32_t i = 0; i < t->json.count; i++) {
        const mst_json_node *node = &t->json.nodes[i];
        bool object = node->kind == MST_JSON_OBJECT;
        if (!object && node->kind != MST_JSON_ARRAY)
            continue;
        uint32_t inner = first_of(t, i);
        for (uint32_t k = 0; k < node->count; k++) {
            t->parent[inner] = i;
            t->place[inner] = object ? inner - 1 : k;
            if (object)
                t->parent[inner - 1] = i;
            inner = after(t, inner);
        }
    }
}

static inline bool text_is(const tree *t, uint32_t node, const char *text, size_t length) {
    const mst_json_node *at = &t->json.nodes[node];
    return at->length == length && memcmp(at->text, text, length) == 0;
}

static inline uint32_t member(const tree *t, uint32_t object, const char *name, size_t length) {
    const mst_json_node *at = &t->json.nodes[object];
    uint32_t inner = object + 2;
    for (uint32_t k = 0; at->kind == MST_JSON_OBJECT && k < at->count; k++, inner = after(t, inner))
        if (text_is(t, inner - 1, name, length))
            return inner;
    return 0;
}

static inline uint32_t element(const tree *t, uint32_t array, uint32_t place) {
    const mst_json_node *at = &t->json.nodes[array];
    uint32_t inner = array + 1;
    if (at->kind != MST_JSON_ARRAY || place >= at->count)
        return 0;
    while (place--)
        inner = t->json.nodes[inner].end;
    return inner;
}

static inline long long number_in(const tree *t, uint32_t node) {
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)t->json.nodes[node].length, t->json.nodes[node].text);
    return strtoll(text, NULL, 0);
}

/* The match of a pattern: the node before its first name, the places of its "[]", and the node that "!"
 * marks. */
typedef struct match {
    uint32_t head, owner, places[TOKENS];
    size_t count;
} match;

/* Walks up from a node along a pattern, from its end. */
static inline bool matches(const tree *t, uint32_t node, const char *pattern, match *found) {
    memset(found, 0, sizeof *found);
    const char *end = pattern + strlen(pattern);
    while (end > pattern) {
        if (end[-1] == '!') {
            found->owner = node;
            end--;
            continue;
        }
        uint32_t around = t->parent[node];
        if (!node)
            return false;
        bool list = t->json.nodes[around].kind == MST_JSON_ARRAY;
        if (end[-1] == ']') {
            if (!list)
                return false;
            memmove(found->places + 1, found->places, (TOKENS - 1) * sizeof *found->places);
            found->places[0] = t->place[node];
            found->count++;
            end -= 2;
        } else {
            const char *from = end;
            while (from > pattern && from[-1] != '.')
                from--;
            if (list || !text_is(t, t->place[node], from, (size_t)(end - from)))
                return false;
            end = from > pattern ? from - 1 : from;
        }
        node = around;
    }
    found->head = node;
    return true;
}

/* The list at a path below the head, 0 if there is none. */
static inline uint32_t below(const tree *t, const match *found, const char *path) {
    uint32_t node = found->head;
    for (size_t k = 0; *path;) {
        if (*path == '[') {
            node = element(t, node, k < found->count ? found->places[k] : 0);
            k++;
            path += 2;
            if (!node)
                return 0;
            continue;
        }
        path += *path == '.';
        size_t length = strcspn(path, ".[");
        node = member(t, node, path, length);
        path += length;
        if (!node)
            return 0;
    }
    return node;
}

static inline bool applies(const tree *t, const rule *r, uint32_t node) {
    if (!r->where)
        return true;
    const char *equal = strchr(r->where, '=');
    uint32_t record = t->parent[node];
    uint32_t beside = member(t, record, r->where, (size_t)(equal - r->where));
    for (const char *word = equal; beside && word; word = strchr(word + 1, '|'))
        if (text_is(t, beside, word + 1, strcspn(word + 1, "|")))
            return true;
    return false;
}

static inline uint32_t named_by(const tree *t, const rule *r, uint32_t list, long long number) {
    if (!r->key)
        return number < 0 ? 0 : element(t, list, (uint32_t)number);
    uint32_t inner = list + 1;
    for (uint32_t k = 0; k < t->json.nodes[list].count; k++, inner = t->json.nodes[inner].end) {
        uint32_t key = member(t, inner, r->key, strlen(r->key));
        if (key && number_in(t, key) == number)
            return inner;
    }
    return 0;
}

static inline void note(tree *t, const reference *one) {
    if (t->count == t->capacity) {
        t->capacity = t->capacity * 2 + 256;
        t->references = realloc(t->references, t->capacity * sizeof *t->references);
        assert_non_null(t->references);
    }
    t->references[t->count++] = *one;
}

static inline void note_number(tree *t, const rule *r, uint32_t node) {
    match found;
    if (!matches(t, node, r->number, &found) || !applies(t, r, node) ||
        t->json.nodes[node].kind != MST_JSON_NUMBER)
        return;
    reference one = {.rule = r, .node = node, .list = below(t, &found, r->list), .owner = found.owner};
    long long number = number_in(t, node);
    if (!one.list || (r->none && text_is(t, node, r->none, strlen(r->none))))
        return;
    for (unsigned bit = 0; r->policy == BIT && bit < 32; bit++)
        if (number >> bit & 1) {
            one.bit = bit;
            one.target = named_by(t, r, one.list, (r->key ? 32LL * t->place[node] : 0) + bit);
            note(t, &one);
        }
    one.target = r->policy == BIT ? 0 : named_by(t, r, one.list, number);
    long long count = t->json.nodes[one.list].count;
    if (r->then && number >= count) {
        one.first = one.list;
        one.list = below(t, &found, r->then);
        one.target = one.list ? named_by(t, r, one.list, number - count) : 0;
    }
    if (one.list && (r->policy == FIRST || r->policy == END || one.target))
        note(t, &one);
}

static inline void read_tree(tree *t, const mst_document *d) {
    mst_value root = mst_root(d);
    mst_diagnostic why;
    memset(t, 0, sizeof *t);
    t->format = d->format->information.id;
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&t->text), &why), &why);
    mst_arena_begin(&t->arena, NULL, 0);
    MUST(mst_json_parse((const char *)t->text.data, t->text.size, &t->arena, &t->json, &why), &why);
    t->parent = mst_arena_zero(&t->arena, t->json.count, sizeof *t->parent);
    t->place = mst_arena_zero(&t->arena, t->json.count, sizeof *t->place);
    t->rank = mst_arena_zero(&t->arena, t->json.count, sizeof *t->rank);
    t->gone = mst_arena_zero(&t->arena, t->json.count, sizeof *t->gone);
    t->instead = mst_arena_zero(&t->arena, t->json.count, sizeof *t->instead);
    assert_true(t->parent && t->place && t->rank && t->gone && t->instead);
    link_nodes(t);
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (uint32_t i = 1;
             i < t->json.count && strncmp(t->format, rules[r].format, strlen(rules[r].format)) == 0; i++)
            note_number(t, &rules[r], i);
}

static inline void free_tree(tree *t) {
    mst_arena_end(&t->arena);
    mst_buffer_free(&t->text);
    free(t->references);
}

/* ---- without an element ---------------------------------------------------------------------------------
 */

/* Triggers and commands are arrays of the game: a removed one becomes an empty one (alien.md 3.3, 8). */
static const char *empty_slot(const tree *t, uint32_t list) {
    match found;
    if (strcmp(t->format, "alien-map") != 0)
        return NULL;
    if (matches(t, list, "map.triggers", &found))
        return "{\"mask\":255,\"first_command\":255,\"uses\":255,\"unknown_03\":255}";
    if (matches(t, list, "map.commands", &found))
        return "{\"operation\":255,\"next\":255,\"amount\":255,\"target\":255}";
    return NULL;
}

static inline void leave_out(tree *t, uint32_t node) {
    match found;
    if (t->gone[node])
        return;
    t->instead[node] = empty_slot(t, t->parent[node]);
    for (uint32_t i = node; i < t->json.nodes[node].end; i++)
        t->gone[i] = true;
    for (size_t r = 0; r < sizeof rows_of / sizeof *rows_of; r++) {
        uint32_t with;
        if (strncmp(t->format, rows_of[r].format, strlen(rows_of[r].format)) == 0 &&
            matches(t, t->parent[node], rows_of[r].list, &found) &&
            (with = below(t, &found, rows_of[r].with)) && (with = element(t, with, t->place[node])))
            leave_out(t, with);
    }
}

/* Removes the elements that only `lost` named. */
static inline void leave_loose(tree *t, const reference *lost) {
    for (size_t i = 0; i < t->count; i++) {
        const reference *r = &t->references[i];
        if (r->target == lost->target && !t->gone[r->node] && r->rule->policy != MEMBER)
            return;
    }
    leave_out(t, lost->target);
}

/* Another element with the same key. */
static inline bool another(tree *t, reference *r) {
    uint32_t inner = r->list + 1;
    for (uint32_t k = 0; r->rule->key && k < t->json.nodes[r->list].count;
         k++, inner = t->json.nodes[inner].end) {
        uint32_t key = member(t, inner, r->rule->key, strlen(r->rule->key));
        if (!t->gone[inner] && key && r->rule->policy != BIT && number_in(t, key) == number_in(t, r->node)) {
            r->target = inner;
            return true;
        }
    }
    return false;
}

/* The element of a list that contains a number. */
static inline uint32_t around_of(const tree *t, uint32_t node) {
    while (node && t->json.nodes[t->parent[node]].kind != MST_JSON_ARRAY)
        node = t->parent[node];
    return node;
}

/* A number takes the value of another: it names the target of that one. */
static inline bool inherit(tree *t, reference *r) {
    uint32_t heir = member(t, r->target, r->rule->heir, strlen(r->rule->heir));
    for (size_t i = 0; heir && i < t->count; i++)
        if (t->references[i].node == heir && t->references[i].target != r->target &&
            t->references[i].target != around_of(t, r->node)) {
            r->target = t->references[i].target;
            return true;
        }
    t->instead[r->node] = r->rule->none;
    return true;
}

static inline bool names_nothing(tree *t, const reference *r) {
    if (!r->rule->none)
        return false; /* its own place */
    t->instead[r->node] = r->rule->none;
    if (!r->rule->rest || t->place[r->node] >= (uint32_t)atoi(r->rule->rest))
        return true;
    t->instead[r->node] = NULL;
    leave_out(t, r->owner);
    return true;
}

static inline bool follow(tree *t, reference *r) {
    if (!r->target || t->gone[r->target] == t->gone[r->node] || t->instead[r->node])
        return false;
    if (t->gone[r->node]) {
        if (r->rule->owned && !r->first)
            leave_loose(t, r);
        return t->gone[r->target];
    }
    if (another(t, r))
        return true;
    switch (r->rule->policy) {
    case FIRST:
    case END:
    case BIT: return false;
    case NONE: return r->rule->heir ? inherit(t, r) : names_nothing(t, r);
    default: leave_out(t, r->owner ? r->owner : r->node); return true;
    }
}

/* A run of quads ends with one that is marked as the last; a cell without any has -1 (alien.md 8). */
static inline void fix_run(tree *t, uint32_t quad) {
    match found;
    uint32_t light = member(t, quad, "light", 5), place = t->place[quad];
    if (strcmp(t->format, "alien-map") != 0 || !matches(t, t->parent[quad], "map.quads", &found) || !light ||
        t->json.nodes[light].kind != MST_JSON_ARRAY)
        return;
    for (size_t i = 0; i < t->count; i++)
        if (t->references[i].target == quad && t->references[i].rule->policy == FIRST) {
            t->instead[t->references[i].node] = "-1";
            return;
        }
    uint32_t before = place ? element(t, t->parent[quad], place - 1) : 0;
    light = before ? member(t, before, "light", 5) : 0;
    if (light && t->json.nodes[light].kind == MST_JSON_NUMBER)
        t->instead[light] = mst_arena_printf(&t->made, "[\"last_of_run\", %lld]", number_in(t, light));
}

static inline uint32_t left_of(const tree *t, uint32_t list) {
    uint32_t count = t->json.nodes[list].count, last = count ? element(t, list, count - 1) : 0;
    return last ? t->rank[last] + !t->gone[last] : 0;
}

static inline void put_index(tree *t, const reference *r) {
    if (t->gone[r->node] || t->instead[r->node] || r->rule->key)
        return;
    uint32_t count = t->json.nodes[r->list].count, rank;
    if (r->rule->policy == END && (!r->target || t->gone[r->target]))
        rank = left_of(t, r->list);
    else if (r->target)
        rank = t->rank[r->target] + (r->first ? left_of(t, r->first) : 0);
    else if (number_in(t, r->node) == count && count)
        rank = left_of(t, r->list);
    else
        return;
    if (rank != number_in(t, r->node))
        t->instead[r->node] = mst_arena_printf(&t->made, "%u", rank);
}

/* A layer's bit is its id's, or otherwise its place's. */
static inline void put_bit(tree *t, const reference *r) {
    if (!r->target || t->gone[r->node])
        return;
    long long number = t->instead[r->node] ? strtoll(t->instead[r->node], NULL, 10) : number_in(t, r->node);
    if (t->gone[r->target])
        number &= ~(1LL << r->bit);
    else if (!r->rule->key && t->rank[r->target] != r->bit)
        number = (number & ~(1LL << r->bit)) | 1LL << t->rank[r->target];
    if (number != number_in(t, r->node) || t->instead[r->node])
        t->instead[r->node] = mst_arena_printf(&t->made, "%lld", number);
}

static inline bool has_own_chunks(const char *name) {
    static const char *const lists[] = {"objects", "unknown_chunks", "editor_settings",
                                        "pages",   "palettes",       "rectangle_lists"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i], name) == 0)
            return true;
    return false;
}

/* The order of chunks states how many of a list appear where: "objects*10". */
static inline void put_order(tree *t, uint32_t order) {
    uint32_t record = t->parent[order], entry = order + 1;
    const char *text = "[";
    for (uint32_t k = 0; k < t->json.nodes[order].count; k++, entry++) {
        char name[80];
        snprintf(name, sizeof name, "%.*s", (int)t->json.nodes[entry].length, t->json.nodes[entry].text);
        char *star = strchr(name, '*');
        uint32_t count = star ? (uint32_t)atoi(star + 1) : 1, left = 0, before = 0;
        if (star)
            *star = 0;
        uint32_t list = member(t, record, name, strlen(name));
        bool is_list = list && has_own_chunks(name);
        for (uint32_t e = order + 1; e < entry; e++) { /* the earlier ones */
            const mst_json_node *one = &t->json.nodes[e];
            size_t length = strlen(name);
            if (one->length >= length && memcmp(one->text, name, length) == 0 &&
                (one->length == length || one->text[length] == '*'))
                before += one->length == length ? 1 : (uint32_t)atoi(one->text + length + 1);
        }
        for (uint32_t i = before; is_list && i < before + count; i++) {
            uint32_t inner = element(t, list, i);
            left += inner && !t->gone[inner];
        }
        if (!is_list || (t->json.nodes[list].count < before + count))
            left = count;
        const char *comma = text[1] ? "," : "";
        if (left > 1)
            text = mst_arena_printf(&t->made, "%s%s\"%s*%u\"", text, comma, name, left);
        else if (left)
            text = mst_arena_printf(&t->made, "%s%s\"%s\"", text, comma, name);
    }
    t->instead[order] = mst_arena_printf(&t->made, "%s]", text);
}

static inline void renumber(tree *t) {
    for (uint32_t i = 0; i < t->json.count; i++)
        if (t->json.nodes[i].kind == MST_JSON_ARRAY) {
            uint32_t rank = 0, inner = i + 1;
            for (uint32_t k = 0; k < t->json.nodes[i].count; k++, inner = t->json.nodes[inner].end) {
                t->rank[inner] = rank;
                rank += !t->gone[inner] || empty_slot(t, i);
            }
        }
    for (size_t i = 0; i < t->count; i++)
        if (t->references[i].rule->policy == BIT)
            put_bit(t, &t->references[i]);
        else
            put_index(t, &t->references[i]);
    for (uint32_t i = 1; i < t->json.count; i++)
        if (t->json.nodes[t->parent[i]].kind == MST_JSON_OBJECT && t->place[i] == i - 1 &&
            text_is(t, i - 1, "$order", 6))
            put_order(t, i);
    /* the number of all triangles is next to them */
    match found;
    for (uint32_t i = 1; i < t->json.count; i++)
        if (matches(t, i, "mesh.triangles.triangle_count", &found)) {
            long long left = number_in(t, i);
            for (uint32_t k = 1; k < t->json.count; k++)
                if (t->gone[k] && t->json.nodes[k].kind == MST_JSON_OBJECT) {
                    match one;
                    left -= matches(t, k, "mesh.triangles.faces[][]", &one) && one.head == found.head;
                }
            t->instead[i] = mst_arena_printf(&t->made, "%lld", left);
        }
}

static inline void put_json_text(writer *w, const mst_json_node *node) {
    put_u8(w, '"');
    for (uint32_t i = 0; i < node->length; i++) {
        uint8_t byte = (uint8_t)node->text[i];
        char escape[8];
        if (byte < 0x20 || byte == '"' || byte == '\\')
            put_bytes_of(w, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", byte));
        else
            put_u8(w, byte);
    }
    put_u8(w, '"');
}

static inline void put_node(writer *w, const tree *t, uint32_t i) {
    static const char *const words[] = {"null", "false", "true"};
    const mst_json_node *node = &t->json.nodes[i];
    if (t->instead[i])
        put_bytes_of(w, t->instead[i], strlen(t->instead[i]));
    else if (node->kind <= MST_JSON_TRUE)
        put_bytes_of(w, words[node->kind], strlen(words[node->kind]));
    else if (node->kind == MST_JSON_NUMBER)
        put_bytes_of(w, node->text, node->length);
    else if (node->kind == MST_JSON_STRING)
        put_json_text(w, node);
    else
        put_u8(w, node->kind == MST_JSON_ARRAY ? '[' : '{');
}

static inline void write_tree(writer *w, const tree *t) {
    uint32_t open[TOKENS * 2];
    size_t depth = 0;
    bool first = true;
    for (uint32_t i = 0; i <= t->json.count;) {
        while (depth && i >= t->json.nodes[open[depth - 1]].end) {
            put_u8(w, t->json.nodes[open[--depth]].kind == MST_JSON_ARRAY ? ']' : '}');
            first = false;
        }
        if (i == t->json.count)
            break;
        if (t->gone[i] && !t->instead[i]) {
            i = t->json.nodes[i].end;
            continue;
        }
        bool object = depth && t->json.nodes[open[depth - 1]].kind == MST_JSON_OBJECT;
        if (!first)
            put_u8(w, ',');
        if (object) {
            put_json_text(w, &t->json.nodes[i]);
            put_u8(w, ':');
            i++;
        }
        const mst_json_node *node = &t->json.nodes[i];
        put_node(w, t, i);
        first = false;
        if (!t->instead[i] && node->kind >= MST_JSON_ARRAY) {
            assert_true(depth < sizeof open / sizeof *open);
            open[depth++] = i++;
            first = true;
        } else {
            i = node->end;
        }
    }
}

static inline mst_status build_without(tree *t, uint32_t node, const char *name, mst_document **built,
                                       mst_diagnostic *why) {
    mst_open_options options = {.size = sizeof options, .name = name};
    memset(t->gone, 0, t->json.count * sizeof *t->gone);
    memset(t->instead, 0, t->json.count * sizeof *t->instead);
    mst_arena_begin(&t->made, NULL, 0);
    reference *kept = malloc((t->count + 1) * sizeof *kept);
    assert_non_null(kept);
    if (t->count)
        memcpy(kept, t->references, t->count * sizeof *kept);
    leave_out(t, node);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < t->count; i++)
            more |= follow(t, &t->references[i]);
    }
    for (uint32_t i = 1; i < t->json.count; i++)
        if (t->gone[i] && t->json.nodes[i].kind == MST_JSON_OBJECT)
            fix_run(t, i);
    renumber(t);
    writer w = {0};
    write_tree(&w, t);
    mst_status status = mst_open_json((const char *)w.data, w.size, &options, built, why);
    writer_free(&w);
    mst_arena_end(&t->made);
    free(t->references);
    t->references = kept;
    t->capacity = t->count + 1;
    if (status == MST_OK && mst_checksum_path(*built))
        MUST(mst_set(*built, mst_checksum_path(*built), "auto", why), why);
    return status;
}

#endif
