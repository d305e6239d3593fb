/* SPDX-License-Identifier: MIT */
/* Writes the JSON of a draft: its document's, with the changes laid over it. */
#include "../core/json_text.h"
#include "../core/lower_bound.h"
#include "../core/number.h"
#include "drafts.h"
#include <stdio.h>
#include <stdlib.h>

/* A list or object that is being written. */
typedef struct level {
    uint32_t node, at, end; /* the next child; MST_NONE: there is no node */
    mst_list_change *change;
    uint64_t index; /* of the next element in the result */
    const char *name;
    size_t name_length;
    uint64_t own_index; /* of an element, in the result; UINT64_MAX: it is a member */
    bool comma;
} level;

typedef struct write_state {
    mst_draft *draft;
    mst_sink sink;
    mst_status status;
    mst_array levels;
    uint32_t *laid; /* nodes with changes laid over them, in ascending order */
    size_t laid_count;
} write_state;

static void put(write_state *w, const char *text, size_t size) {
    if (w->status == MST_OK && size)
        w->status = w->sink.write(w->sink.user, text, size);
}

static void put_text(write_state *w, const char *text) {
    put(w, text, strlen(text));
}

static level *top_of(const write_state *w) {
    return (level *)w->levels.items + (w->levels.count - 1);
}

/* ---- paths ------------------------------------------------------------------------------------------ */

/* The path in the result of a member or element of the innermost level. */
static const char *path_of(const write_state *w, const char *name, size_t length, uint64_t index) {
    char path[2048] = "";
    size_t at = 0;
    const level *levels = w->levels.items;
    for (size_t i = 1; i <= w->levels.count; i++) {
        const level *one = i < w->levels.count ? &levels[i] : NULL;
        uint64_t own = one ? one->own_index : index;
        const char *called = one ? one->name : name;
        size_t called_length = one ? one->name_length : length;
        int n = own != UINT64_MAX ? snprintf(path + at, sizeof path - at, "[%llu]", (unsigned long long)own)
                                  : snprintf(path + at, sizeof path - at, "%s%.*s", at ? "." : "",
                                             (int)called_length, called);
        at += n > 0 ? (size_t)n : 0;
        if (at >= sizeof path)
            return NULL;
    }
    return mst_arena_text(w->draft->arena, path, at);
}

/* Records a value taken from the new document. */
static void note_made(write_state *w, const char *name, size_t length, uint64_t index) {
    const char **made = mst_array_push(&w->draft->made, 1);
    const char *path = path_of(w, name, length, index);
    if (made)
        *made = path;
    if (!made || !path)
        w->status = MST_NO_MEMORY;
}

/* ---- nodes ------------------------------------------------------------------------------------------ */

static int by_node(const void *left, const void *right) {
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static bool is_changed(const write_state *w, uint32_t from, uint32_t to) {
    MST_LOWER_BOUND(low, middle, w->laid_count, w->laid[middle] < from);
    return low < w->laid_count && w->laid[low] < to;
}

static const mst_laid *laid_as(const write_state *w, uint32_t node, mst_laid_kind kind) {
    const mst_laid *one = mst_laid_over(w->draft, node);
    while (one && one->kind != kind)
        one = mst_laid_next(w->draft, one);
    return one;
}

static void push(write_state *w, const level *one, const char *opening) {
    level *made = mst_array_push(&w->levels, 1);
    if (!made) {
        w->status = MST_NO_MEMORY;
        return;
    }
    *made = *one;
    put_text(w, opening);
}

/* Writes a node, or begins to write it. */
static void put_node(write_state *w, uint32_t node, const char *name, size_t name_length, uint64_t index) {
    const mst_json_node *nodes = w->draft->json.nodes;
    uint32_t end = nodes[node].end;
    if (!is_changed(w, node, end)) {
        mst_arena arena;
        mst_arena_begin(&arena, &w->draft->arena->allocator, 0);
        const char *text = mst_json_text_of(&w->draft->json, node, &arena);
        if (text)
            put_text(w, text);
        else
            w->status = MST_NO_MEMORY;
        mst_arena_end(&arena);
        return;
    }
    const mst_laid *list = laid_as(w, node, MST_LAID_LIST);
    level one = {.node = node,
                 .at = node + 1,
                 .end = end,
                 .change = list ? list->change : NULL,
                 .name = name,
                 .name_length = name_length,
                 .own_index = index};
    if (one.change)
        one.change->result_path = path_of(w, name, name_length, index);
    push(w, &one, nodes[node].kind == MST_JSON_OBJECT ? "{" : "[");
}

static void put_comma(write_state *w, level *top) {
    put(w, ",", top->comma);
    top->comma = true;
}

static void put_key(write_state *w, const char *name, size_t length) {
    put_text(w, "\"");
    put(w, name, length); /* names of fields, and of the document: nothing to escape */
    put_text(w, "\":");
}

/* ---- members and elements --------------------------------------------------------------------------- */

static uint32_t element_of(const write_state *w, uint32_t array, uint64_t index) {
    const mst_json_node *nodes = w->draft->json.nodes;
    const mst_laid *table = laid_as(w, array, MST_LAID_TABLE);
    if (table)
        return table->elements[index];
    uint32_t at = array + 1;
    while (index--)
        at = nodes[at].end;
    return at;
}

/* Writes the next element of a list; false: there are no more. */
static bool put_element(write_state *w) {
    level *top = top_of(w);
    mst_list_change *change = top->change;
    uint64_t index = top->index;
    if (change ? index >= change->result_count : top->at >= top->end)
        return false;
    put_comma(w, top);
    top->index++;
    uint32_t node = top->at;
    if (change && change->sequence[index] & MST_FROM_NEW) {
        put_text(w, change->inserted[change->sequence[index] & ~MST_FROM_NEW]->now);
        note_made(w, "", 0, index);
        return true;
    }
    if (change)
        node = element_of(w, top->node, change->sequence[index]);
    else
        top->at = w->draft->json.nodes[node].end;
    const mst_laid *value = laid_as(w, node, MST_LAID_VALUE);
    if (value && value->text) {
        put_text(w, value->text);
        note_made(w, "", 0, index);
    } else {
        put_node(w, node, "", 0, index);
    }
    return true;
}

/* Writes the members that steps add to the object. */
static void put_more(write_state *w, uint32_t node) {
    for (const mst_laid *one = mst_laid_over(w->draft, node); one; one = mst_laid_next(w->draft, one)) {
        if (one->kind != MST_LAID_MEMBER || (one->change && !one->change->result_count))
            continue; /* a list that is missing, and stays empty */
        size_t length = strlen(one->name);
        put_comma(w, top_of(w));
        put_key(w, one->name, length);
        if (!one->change) {
            put_text(w, one->text);
            note_made(w, one->name, length, UINT64_MAX);
            continue;
        }
        one->change->result_path = path_of(w, one->name, length, UINT64_MAX);
        level list = {.node = MST_NONE,
                      .change = one->change,
                      .name = one->name,
                      .name_length = length,
                      .own_index = UINT64_MAX};
        push(w, &list, "[");
        while (w->status == MST_OK && put_element(w))
            ;
        put_text(w, "]");
        w->levels.count--;
    }
}

/* ---- the order of chunks ---------------------------------------------------------------------------- */

/* An entry of the order: a name and its number of chunks, "objects*12". */
typedef struct run {
    const char *name;
    size_t length;
    uint64_t count;
} run;

static run run_of(const mst_json_node *entry) {
    run one = {entry->text, entry->length, 1};
    const char *star = entry->length ? memchr(entry->text, '*', entry->length) : NULL;
    if (star && mst_read_u64(star + 1, entry->length - (size_t)(star + 1 - entry->text), &one.count))
        one.length = (size_t)(star - entry->text);
    return one;
}

/* How many of a run's chunks are left, if `before` chunks of its name precede them. */
static uint64_t left_of(const write_state *w, const level *object, const run *of, uint64_t before) {
    const mst_json_node *nodes = w->draft->json.nodes;
    uint32_t at = object->node + 1;
    while (at < object->end &&
           (nodes[at].length != of->length || memcmp(nodes[at].text, of->name, of->length)))
        at = nodes[at + 1].end;
    const mst_laid *value = at < object->end ? laid_as(w, at + 1, MST_LAID_VALUE) : NULL;
    const mst_laid *list = at < object->end ? laid_as(w, at + 1, MST_LAID_LIST) : NULL;
    if (value && !value->text)
        return 0;
    uint64_t left = 0;
    for (uint64_t i = 0; list && i < of->count; i++)
        left += before + i < list->change->count && list->change->now[before + i] != MST_NONE;
    return list ? left : of->count;
}

/* The counter of the chunks of a name; there are few names. NULL: out of memory. */
static uint64_t *counter_of(mst_array *seen, const run *one) {
    run *items = seen->items;
    for (size_t i = 0; i < seen->count; i++)
        if (items[i].length == one->length && memcmp(items[i].name, one->name, one->length) == 0)
            return &items[i].count;
    run *made = mst_array_push(seen, 1);
    if (!made)
        return NULL;
    *made = (run){one->name, one->length, 0};
    return &made->count;
}

/* Writes the order without the removed chunks. */
static void put_order(write_state *w, const level *object, uint32_t node) {
    const mst_json_node *nodes = w->draft->json.nodes;
    mst_array seen = {.element_size = sizeof(run), .allocator = w->draft->arena->allocator};
    const char *comma = "\"";
    put_text(w, "[");
    for (uint32_t at = node + 1; at < nodes[node].end; at = nodes[at].end) {
        char count[24] = "";
        run one = run_of(&nodes[at]);
        uint64_t *before = counter_of(&seen, &one);
        if (!before) {
            w->status = MST_NO_MEMORY;
            break;
        }
        uint64_t left = left_of(w, object, &one, *before);
        *before += one.count;
        if (!left)
            continue;
        if (left > 1)
            snprintf(count, sizeof count, "*%llu", (unsigned long long)left);
        put_text(w, comma);
        put(w, one.name, one.length);
        put_text(w, count);
        put_text(w, "\"");
        comma = ",\"";
    }
    put_text(w, "]");
    mst_array_free(&seen);
}

static bool is_order(const write_state *w, const mst_json_node *key, uint32_t node) {
    const mst_json_node *nodes = w->draft->json.nodes;
    bool texts = nodes[node].kind == MST_JSON_ARRAY && key->length == 6 && !memcmp(key->text, "$order", 6);
    for (uint32_t at = node + 1; texts && at < nodes[node].end; at = nodes[at].end)
        texts = nodes[at].kind == MST_JSON_STRING;
    return texts;
}

static bool put_member(write_state *w) {
    level *top = top_of(w);
    const mst_json_node *nodes = w->draft->json.nodes;
    if (top->at >= top->end)
        return false;
    const mst_json_node *key = &nodes[top->at];
    uint32_t node = top->at + 1;
    const mst_laid *value = laid_as(w, node, MST_LAID_VALUE);
    top->at = nodes[node].end;
    if (value && !value->text)
        return true;
    put_comma(w, top);
    put_key(w, key->text, key->length);
    if (value) {
        put_text(w, value->text);
        note_made(w, key->text, key->length, UINT64_MAX);
    } else if (is_order(w, key, node)) {
        put_order(w, top, node);
    } else {
        put_node(w, node, key->text, key->length, UINT64_MAX);
    }
    return true;
}

mst_status mst_draft_write(mst_draft *draft, mst_buffer *text) {
    write_state w = {.draft = draft, .sink = mst_buffer_sink(text)};
    w.levels = (mst_array){.element_size = sizeof(level), .allocator = draft->arena->allocator};
    w.laid = mst_arena_take(draft->arena, draft->laid.count + 1, sizeof *w.laid);
    if (!w.laid)
        return MST_NO_MEMORY;
    const mst_laid *laid = draft->laid.items;
    for (size_t i = 0; i < draft->laid.count; i++)
        if (laid[i].kind != MST_LAID_TABLE)
            w.laid[w.laid_count++] = laid[i].node;
    if (w.laid_count)
        qsort(w.laid, w.laid_count, sizeof *w.laid, by_node);
    put_node(&w, 0, "", 0, UINT64_MAX);
    while (w.status == MST_OK && w.levels.count) {
        const level *top = top_of(&w);
        uint32_t node = top->node;
        bool object = draft->json.nodes[node].kind == MST_JSON_OBJECT;
        if (object ? put_member(&w) : put_element(&w))
            continue;
        if (object)
            put_more(&w, node);
        put_text(&w, object ? "}" : "]");
        w.levels.count--;
    }
    mst_array_free(&w.levels);
    return w.status;
}
