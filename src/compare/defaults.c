/* SPDX-License-Identifier: MIT */
/* Initial values of new elements, as given by a schema: the JSON of each kind of element, read once. */
#include "../core/json_text.h"
#include "../core/number.h"
#include "report.h"

/* An element of a kind that has only its initial values. */
typedef struct default_element {
    const mst_field *list;
    const char *kind;
    mst_json json; /* without nodes: not in the schema */
} default_element;
const size_t mst_diff_kind_size = sizeof(default_element);

static bool is_text(const mst_json_node *node, const char *text, size_t length) {
    return node->kind == MST_JSON_STRING && node->length == length && memcmp(node->text, text, length) == 0;
}

/* The value of the pair of that name in a list of pairs; 0 if there is none. */
static uint32_t pair_of(const mst_json *json, uint32_t list, const char *name, size_t length) {
    const mst_json_node *nodes = json->nodes;
    if (nodes[list].kind != MST_JSON_ARRAY)
        return 0;
    for (uint32_t pair = list + 1; pair < nodes[list].end; pair = nodes[pair].end) {
        uint32_t called = mst_json_find(json, pair, "name", 4);
        if (called && is_text(&nodes[called], name, length))
            return mst_json_find(json, pair, "value", 5);
    }
    return 0;
}

/* The node at a path of names; 0 if there is none. */
static uint32_t node_at(const mst_json *json, const char *path) {
    uint32_t at = 0;
    while (*path) {
        size_t length = strcspn(path, ".[");
        if (path[length] == '[')
            return 0;
        uint32_t next = mst_json_find(json, at, path, length);
        at = next ? next : pair_of(json, at, path, length);
        if (!at)
            return 0;
        path += length + (path[length] == '.');
    }
    return at;
}

static bool is_number(const mst_value *value, const mst_json_node *node) {
    double wanted, real;
    if (mst_value_type(value) != MST_TYPE_REAL || node->kind != MST_JSON_NUMBER ||
        !mst_read_f64(node->text, node->length, &wanted) || mst_get_real(value, &real) != MST_OK)
        return false;
    return mst_kind_width[mst_field_of(value)->kind] == 4 ? (float)wanted == (float)real : wanted == real;
}

static bool is_leaf(const mst_value *value, const mst_json_node *node) {
    switch (node->kind) {
    case MST_JSON_TRUE: return mst_value_is(value, "true", 4);
    case MST_JSON_FALSE: return mst_value_is(value, "false", 5);
    case MST_JSON_NUMBER: return is_number(value, node) || mst_value_is(value, node->text, node->length);
    case MST_JSON_STRING: return mst_value_is(value, node->text, node->length);
    default: return false;
    }
}

/* Whether a value equals the JSON: a single value, or a list of single values. */
static bool is_same(const mst_value *value, const mst_json *json, uint32_t at) {
    const mst_json_node *nodes = json->nodes;
    mst_value one;
    if (nodes[at].kind != MST_JSON_ARRAY)
        return is_leaf(value, &nodes[at]);
    if (mst_value_type(value) != MST_TYPE_LIST)
        return nodes[at].count == 1 && is_leaf(value, &nodes[at + 1]);
    if (mst_count(value) != nodes[at].count)
        return false;
    uint32_t node = at + 1;
    bool same = true;
    for (mst_iterator it = mst_iterate(value); same && mst_next(&it, &one); node = nodes[node].end)
        same = node < nodes[at].end && is_leaf(&one, &nodes[node]);
    return same;
}

/* Reads the schema's entry for a kind. */
static mst_status read_kind(comparison *c, default_element *one) {
    const mst_check_options schema = {
        .size = sizeof schema, .schema = c->schema, .schema_size = c->schema_size};
    const char *text = NULL;
    mst_arena arena;
    const size_t used = c->state.used + c->defaults.used, budget = c->state.budget;
    mst_arena_begin(&arena, &c->state.allocator, budget > used ? budget - used : 1);
    mst_status status = c->state.format->adding->from_schema(
        c->state.documents[MST_NEW], one->list, one->kind, NULL, &schema, &arena, &text, c->diagnostic);
    if (status == MST_OK && text) {
        const char *kept = mst_arena_text(&c->defaults, text, strlen(text));
        status = kept ? mst_json_parse(kept, strlen(kept), &c->defaults, &one->json, c->diagnostic)
                      : MST_NO_MEMORY;
    }
    mst_arena_end(&arena);
    return status;
}

/* NULL if there is not enough memory, or the schema cannot be read. */
static const default_element *element_of(comparison *c, const mst_field *list, const char *kind,
                                         mst_status *status) {
    default_element *all = c->kinds.items;
    for (size_t i = 0; i < c->kinds.count; i++)
        if (all[i].list == list && strcmp(all[i].kind, kind) == 0)
            return &all[i];
    default_element one = {.list = list, .kind = mst_arena_text(&c->defaults, kind, strlen(kind))};
    *status = one.kind ? read_kind(c, &one) : MST_NO_MEMORY;
    default_element *added = *status == MST_OK ? mst_array_push(&c->kinds, 1) : NULL;
    if (!added) {
        *status = *status == MST_OK ? MST_NO_MEMORY : *status;
        return NULL;
    }
    *added = one;
    return added;
}

mst_status mst_diff_is_default(comparison *c, const mst_field *list, const mst_compared *facts,
                               mst_difference *change) {
    mst_value kind;
    char name[256];
    size_t length = 0;
    mst_status status = MST_OK;
    if (!c->schema_size || !MST_OPTION(c->state.format->adding, from_schema) || !facts || !facts->kind[0] ||
        mst_is_void(&change->new_value) || mst_is_void(&change->new_element) || !*change->path ||
        !mst_diff_find(&change->new_element, facts->kind[0], &kind) ||
        mst_get_text(&kind, name, sizeof name, &length) != MST_OK || length >= sizeof name)
        return MST_OK;
    const default_element *one = element_of(c, list, name, &status);
    uint32_t at = one && one->json.nodes ? node_at(&one->json, change->path) : 0;
    change->is_default = at && is_same(&change->new_value, &one->json, at);
    return status;
}
