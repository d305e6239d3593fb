/* SPDX-License-Identifier: MIT */
#include "complete.h"
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../read/path_end.h"
#include "../tables/fields.h"
#include "../write/given.h"
#include "assign.h"
#include <stdio.h>

typedef struct complete_state {
    mst_document *document;
    const mst_edit_options *options;
    mst_arena *arena;
    mst_diagnostic *diagnostic;
    const char *list_path;
    mst_value list, record; /* `record`: of rows */
    mst_json given, like;   /* `like`: of the similar element, or of none; else without nodes */
    mst_buffer text;        /* of the result */
    mst_status status;
    mst_likes *likes; /* never NULL */
    bool any;         /* a member has been written */
} complete_state;

bool mst_list_around(const mst_document *document, const char *path, mst_arena *arena, const char **list_path,
                     mst_value *list, mst_value *record) {
    const char *bracket = mst_path_bracket(path);
    *list_path = bracket ? mst_arena_text(arena, path, (size_t)(bracket - path)) : NULL;
    memset(record, 0, sizeof *record);
    if (!*list_path || mst_find(mst_root(document), *list_path, list, NULL) != MST_OK)
        return false;
    if (mst_has_rows(list)) {
        *record = *list;
        return mst_rows_of(record, list);
    }
    return mst_shape_of(list) == MST_SHAPE_LIST || mst_shape_of(list) == MST_SHAPE_CHUNK_LIST;
}

/* ---- an element of the same kind -------------------------------------------------------------------- */

/* How much of the given kind an element has: the class, or the class and the name. */
static int likeness(const complete_state *c, const mst_compared *facts, const mst_value *element) {
    int like = 0;
    for (size_t i = 0; i < MST_COMPARED_PATHS && facts->kind[i]; i++) {
        uint32_t at = mst_json_find_member(&c->given, facts->kind[i]);
        const mst_json_node *node = &c->given.nodes[at];
        mst_value member;
        if (!at || (node->kind != MST_JSON_STRING && node->kind != MST_JSON_NUMBER) ||
            mst_member(element, facts->kind[i], &member) != MST_OK ||
            !mst_value_is(&member, node->text, node->length))
            return like;
        like++;
    }
    return like;
}

/* Looks up an element of the kind: as the schema describes it and as other levels have it. */
static mst_status like_elsewhere(complete_state *c, const mst_compared *facts, const char **in_schema,
                                 const char **in_levels) {
    const mst_add_hooks *adding = c->document->format->adding;
    const mst_check_options *schema = c->options ? c->options->checks : NULL;
    uint32_t at = facts && facts->kind[0] ? mst_json_find_member(&c->given, facts->kind[0]) : 0;
    mst_status status = MST_OK;
    if (!at || c->given.nodes[at].kind != MST_JSON_STRING)
        return MST_OK;
    const char *kind = mst_arena_text(c->arena, c->given.nodes[at].text, c->given.nodes[at].length);
    if (!kind)
        return MST_NO_MEMORY;
    if (MST_OPTION(adding, of_class))
        status =
            adding->of_class(mst_field_of(&c->list), kind, &c->given, c->arena, in_levels, c->diagnostic);
    if (status == MST_OK && schema && MST_OPTION(adding, from_schema))
        status = adding->from_schema(c->document, mst_field_of(&c->list), kind, &c->given, schema, c->arena,
                                     in_schema, c->diagnostic);
    return status;
}

/* The members that state its kind, as one text; NULL: out of memory. */
static const char *kind_of(complete_state *c, const mst_compared *facts, int given) {
    const char *kind = "";
    for (int i = 0; i < given && kind; i++) {
        uint32_t at = mst_json_find_member(&c->given, facts->kind[i]);
        const char *text = mst_json_text_of(&c->given, at, c->arena);
        kind = text ? mst_arena_printf(c->arena, "%s%s,", kind, text) : NULL;
    }
    return kind;
}

static mst_like *like_of_kind(const mst_likes *likes, const char *kind) {
    for (size_t i = 0; i < likes->count; i++)
        if (strcmp(likes->items[i].kind, kind) == 0)
            return &likes->items[i];
    return NULL;
}

static mst_status keep_like(mst_likes *likes, const char *json, uint64_t index) {
    if (likes->count == likes->room) {
        size_t room = likes->room ? 2 * likes->room : 16;
        mst_like *items = mst_arena_take(likes->arena, room, sizeof *items);
        if (!items)
            return MST_NO_MEMORY;
        if (likes->count)
            memcpy(items, likes->items, likes->count * sizeof *items);
        likes->items = items;
        likes->room = room;
    }
    mst_like *made = &likes->items[likes->count++];
    *made = (mst_like){mst_arena_text(likes->arena, likes->kind, strlen(likes->kind)),
                       mst_arena_text(likes->arena, json, strlen(json)), index};
    return made->kind && made->json ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_likes_came(mst_likes *likes, uint64_t index, const char *json) {
    for (size_t i = 0; i < likes->count; i++)
        likes->items[i].index += likes->items[i].index >= index;
    mst_like *like = likes->kind ? like_of_kind(likes, likes->kind) : NULL;
    if (!likes->kind || (like && like->index < index))
        return MST_OK;
    if (!like)
        return keep_like(likes, json, index);
    like->index = index;
    like->json = mst_arena_text(likes->arena, json, strlen(json));
    return like->json ? MST_OK : MST_NO_MEMORY;
}

/* Looks for the most similar element; `text`: its JSON, or NULL. */
static mst_status search_like(complete_state *c, const mst_compared *facts, int given, const char **text) {
    mst_value element, best;
    uint64_t index = 0;
    int most = 0;
    for (mst_iterator it = mst_iterate(&c->list); most < given && mst_next(&it, &element); index++) {
        int like = likeness(c, facts, &element);
        if (like <= most)
            continue;
        best = element;
        most = like;
        c->likes->like_at = index + 1;
        if (!mst_is_void(&c->record))
            mst_make_row(&best, &c->record, index);
    }
    if (most < given)
        c->likes->like_at = UINT64_MAX;
    c->likes->partly = most < given && given > 1;
    mst_status status = most ? mst_value_text(&best, c->arena, text, c->diagnostic) : MST_OK;
    if (status == MST_OK && most && most == given && c->likes->arena)
        status = keep_like(c->likes, *text, c->likes->like_at - 1);
    return status;
}

static mst_status find_like(complete_state *c) {
    const mst_compared *facts = mst_compared_facts(c->document->format, mst_field_of(&c->list));
    int given = 0;
    const char *text = NULL, *in_levels = NULL;
    const mst_like *known = NULL;
    mst_status status = like_elsewhere(c, facts, &text, &in_levels);
    if (status != MST_OK || text)
        return text ? mst_json_parse(text, strlen(text), c->arena, &c->like, c->diagnostic) : status;
    while (facts && given < MST_COMPARED_PATHS && facts->kind[given] &&
           mst_json_find_member(&c->given, facts->kind[given]))
        given++;
    if (c->likes->arena && given) {
        c->likes->kind = kind_of(c, facts, given);
        if (!c->likes->kind)
            return MST_NO_MEMORY;
        known = like_of_kind(c->likes, c->likes->kind);
    }
    if (known) {
        text = known->json;
        c->likes->like_at = known->index + 1;
    } else {
        status = search_like(c, facts, given, &text);
    }
    if (status == MST_OK && !text)
        text = in_levels;
    if (status == MST_OK && !text && MST_OPTION(c->document->format->adding, blank))
        text = c->document->format->adding->blank(c->document, mst_field_of(&c->list));
    return text ? mst_json_parse(text, strlen(text), c->arena, &c->like, c->diagnostic) : status;
}

/* ---- writing the result ----------------------------------------------------------------------------- */

static void put(complete_state *c, const char *text, size_t length) {
    mst_sink sink = mst_buffer_sink(&c->text);
    if (c->status == MST_OK)
        c->status = sink.write(sink.user, text, length);
}

static void put_text(complete_state *c, const char *text) {
    if (text)
        put(c, text, strlen(text));
    else if (c->status == MST_OK)
        c->status = MST_NO_MEMORY;
}

static void put_node(complete_state *c, const mst_json *json, uint32_t at) {
    put_text(c, mst_json_text_of(json, at, c->arena));
}

/* "name": of a member, after a comma where it is not the first. */
static void put_name(complete_state *c, const char *name, size_t length) {
    put_text(c, c->any ? "," : "");
    put_text(c, mst_json_quoted(c->arena, name, length));
    put_text(c, ":");
    c->any = true;
}

/* ---- properties ------------------------------------------------------------------------------------- */

/* The pair of that name in the similar element; 0: there is none. */
static uint32_t pair_of(const mst_json *like, uint32_t pairs, const char *name, size_t length) {
    const mst_json_node *nodes = like->nodes;
    for (uint32_t at = pairs + 1; at < nodes[pairs].end; at = nodes[at].end) {
        bool found = false;
        for (uint32_t k = at + 1; nodes[at].kind == MST_JSON_OBJECT && k < nodes[at].end;
             k = nodes[k + 1].end)
            found = found || (nodes[k].length == 4 && memcmp(nodes[k].text, "name", 4) == 0 &&
                              nodes[k + 1].length == length && memcmp(nodes[k + 1].text, name, length) == 0);
        if (found)
            return at;
    }
    return 0;
}

/* Whether the value of a pair is text. */
static bool is_text_pair(const mst_json *like, uint32_t pair) {
    const mst_json_node *nodes = like->nodes;
    for (uint32_t at = pair + 1; at < nodes[pair].end; at = nodes[at + 1].end)
        if (nodes[at].length == 5 && memcmp(nodes[at].text, "value", 5) == 0)
            return nodes[at + 1].kind == MST_JSON_ARRAY && nodes[at + 1].count &&
                   nodes[at + 2].kind == MST_JSON_STRING;
    return false;
}

/* Writes the value given for a pair: a text may look like a number. */
static void put_pair_value(complete_state *c, const mst_json *from, uint32_t value, bool text) {
    mst_json_kind kind = from->nodes[value].kind;
    const char *plain = mst_json_text_of(from, value, c->arena);
    bool quotes = text && (kind == MST_JSON_NUMBER || kind == MST_JSON_TRUE || kind == MST_JSON_FALSE);
    put_text(c, quotes && plain ? mst_json_quoted(c->arena, plain, strlen(plain)) : plain);
}

/* Writes a pair with another value. */
static void put_pair(complete_state *c, const mst_json *like, uint32_t pair, const mst_json *from,
                     uint32_t value) {
    const mst_json_node *nodes = like->nodes;
    bool first = true;
    put_text(c, "{");
    for (uint32_t at = pair + 1; at < nodes[pair].end; at = nodes[at + 1].end) {
        bool is_value = nodes[at].length == 5 && memcmp(nodes[at].text, "value", 5) == 0;
        put_text(c, first ? "" : ",");
        first = false;
        put_node(c, like, at);
        put_text(c, ":");
        if (!is_value || !from) {
            put_node(c, like, at + 1);
            continue;
        }
        bool list = from->nodes[value].kind == MST_JSON_ARRAY;
        put_text(c, list ? "" : "[");
        put_pair_value(c, from, value, is_text_pair(like, pair));
        put_text(c, list ? "" : "]");
    }
    put_text(c, "}");
}

/* A pair of that name from another element of the list, or from the format. */
static mst_status other_pair(complete_state *c, const char *field, const char *name, mst_json *pair) {
    mst_value element, found;
    const char *text = NULL, *below = mst_arena_printf(c->arena, "%s[name=%s]", field, name);
    mst_status status = below ? MST_NO_PATH : MST_NO_MEMORY;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&c->list); status == MST_NO_PATH && mst_next(&it, &element); index++)
        if (mst_find(element, below, &found, NULL) == MST_OK)
            status = mst_value_text(&found, c->arena, &text, c->diagnostic);
    if (status == MST_NO_PATH)
        c->likes->pairs_at = UINT64_MAX;
    else if (c->likes->pairs_at < index)
        c->likes->pairs_at = index;
    if (status == MST_NO_PATH && MST_OPTION(c->document->format->adding, pair)) {
        text = c->document->format->adding->pair(name, c->arena);
        status = text ? MST_OK : MST_NO_PATH;
    }
    if (status == MST_NO_PATH) {
        mst_fail(c->diagnostic, status, "no other element has such a property, so its type is not known");
        if (c->diagnostic) {
            MST_SET(c->diagnostic->path, "%s.%s", field, name);
            MST_SET(c->diagnostic->expected, "its name, type and value: {\"name\":...}");
        }
        return status;
    }
    return status == MST_OK ? mst_json_parse(text, strlen(text), c->arena, pair, c->diagnostic) : status;
}

/* Writes properties that are given as an object: the similar element's, with these values, and the rest in
 * the form that other elements have. */
static void put_pairs(complete_state *c, const char *field, uint32_t given, uint32_t like) {
    const mst_json_node *nodes = c->given.nodes, *old = c->like.nodes;
    bool first = true;
    put_text(c, "[");
    for (uint32_t at = like + 1; like && at < old[like].end; at = old[at].end) {
        uint32_t value = 0;
        for (uint32_t k = given + 1; k < nodes[given].end; k = nodes[k + 1].end)
            if (pair_of(&c->like, like, nodes[k].text, nodes[k].length) == at)
                value = k + 1;
        put_text(c, first ? "" : ",");
        first = false;
        put_pair(c, &c->like, at, value ? &c->given : NULL, value);
    }
    for (uint32_t k = given + 1; k < nodes[given].end && c->status == MST_OK; k = nodes[k + 1].end) {
        mst_json pair = {0};
        if (like && pair_of(&c->like, like, nodes[k].text, nodes[k].length))
            continue;
        const char *name = mst_arena_text(c->arena, nodes[k].text, nodes[k].length);
        c->status = name ? other_pair(c, field, name, &pair) : MST_NO_MEMORY;
        if (c->status != MST_OK)
            return;
        put_text(c, first ? "" : ",");
        first = false;
        put_pair(c, &pair, 0, &c->given, k + 1);
    }
    put_text(c, "]");
}

/* ---- the complete element --------------------------------------------------------------------------- */

/* The field of the list's records of that name; NULL: there is none, or it is a chunk. */
static const mst_field *field_of(const complete_state *c, const char *name, size_t length) {
    const mst_record *record = mst_field_of(&c->list)->record;
    for (uint16_t f = 0; f < record->field_count; f++)
        if (strlen(record->fields[f].name) == length && memcmp(record->fields[f].name, name, length) == 0)
            return &record->fields[f];
    return NULL;
}

static void put_given(complete_state *c, uint32_t key, uint32_t like) {
    const mst_json_node *nodes = c->given.nodes;
    const mst_field *field = field_of(c, nodes[key].text, nodes[key].length);
    put_name(c, nodes[key].text, nodes[key].length);
    if (field && field->record && field->record->pairs && nodes[key + 1].kind == MST_JSON_OBJECT)
        put_pairs(c, field->name, key + 1, like);
    else
        put_node(c, &c->given, key + 1);
}

static void put_members(complete_state *c) {
    const mst_json_node *nodes = c->given.nodes, *like = c->like.nodes;
    put_text(c, "{");
    for (uint32_t at = 1; c->like.count && at < like[0].end; at = like[at + 1].end) {
        uint32_t given = mst_json_find(&c->given, 0, like[at].text, like[at].length);
        const mst_field *field = field_of(c, like[at].text, like[at].length);
        if (given) {
            put_given(c, given - 1, at + 1);
        } else if (!field || !(field->flags & MST_FIELD_OWN)) {
            put_name(c, like[at].text, like[at].length);
            put_node(c, &c->like, at + 1);
        }
    }
    for (uint32_t at = 1; at < nodes[0].end; at = nodes[at + 1].end)
        if (!mst_json_find(&c->like, 0, nodes[at].text, nodes[at].length))
            put_given(c, at, 0);
    put_text(c, "}");
}

mst_status mst_complete(mst_document *document, const char *path, const char *json,
                        const mst_edit_options *options, mst_arena *arena, const char **made,
                        mst_likes *likes, mst_diagnostic *diagnostic) {
    mst_likes none = {.arena = NULL};
    complete_state c = {.document = document, .options = options, .arena = arena, .diagnostic = diagnostic};
    c.likes = likes ? likes : &none;
    c.likes->kind = NULL;
    c.likes->like_at = c.likes->pairs_at = 0;
    c.likes->partly = false;
    *made = json;
    if (!mst_list_around(document, path, arena, &c.list_path, &c.list, &c.record) ||
        !mst_field_of(&c.list)->record || mst_field_of(&c.list)->record->is_inline ||
        json[strspn(json, " \t\r\n")] != '{')
        return MST_OK;
    if (MST_OPTION(document->format->adding, expand)) {
        c.status = document->format->adding->expand(document, c.list_path, &json, 1, arena, diagnostic);
        if (c.status != MST_OK)
            return c.status;
        *made = json;
        if (!mst_list_around(document, path, arena, &c.list_path, &c.list, &c.record)) /* it was edited */
            return MST_OK;
    }
    c.status = mst_json_parse(json, strlen(json), arena, &c.given, NULL);
    if (c.status != MST_OK) /* the edit reports the error */
        return c.status == MST_NO_MEMORY ? c.status : MST_OK;
    c.text.allocator = arena->allocator;
    c.status = find_like(&c);
    if (c.status == MST_OK)
        put_members(&c);
    if (c.status == MST_OK)
        *made = mst_arena_text(arena, (const char *)c.text.data, c.text.size);
    mst_buffer_free(&c.text);
    return c.status == MST_OK && !*made ? MST_NO_MEMORY : c.status;
}
