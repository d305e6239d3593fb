/* SPDX-License-Identifier: MIT */
/* The remaining differences between two documents whose lists have the same elements: values by their paths,
 * in the JSON of both together. */
#include "../core/json_text.h"
#include "../core/output.h"
#include "../core/text.h"
#include "drafts.h"
#include <stdio.h>

/* A list or object of both. */
typedef struct level {
    uint32_t nodes[2];
    uint32_t at[2]; /* the next child of each; of an object first the old one's, then the new one's */
    size_t path;    /* its length */
    uint64_t index;
    bool object;
} level;

typedef struct compare_state {
    mst_draft sides[2];
    mst_output out;
    const char *op;
    mst_array levels;
    char path[2048];
    mst_arena *arena;
    bool enough;
} compare_state;

static void put_side(compare_state *c, const char *name, int side, uint32_t node) {
    const char *text = mst_json_text_of(&c->sides[side].json, node, c->arena);
    mst_output_format(&c->out, ",\"%s\":", name);
    mst_output_text(&c->out, text ? text : "null");
    c->enough = c->enough && text;
}

/* `node` MST_NONE: there is no such member. */
static void put_store(compare_state *c, uint32_t old, uint32_t now) {
    mst_output_format(&c->out, "{\"op\":\"%s\",\"path\":", c->op);
    mst_output_json_string(&c->out, c->path, strlen(c->path));
    if (old != MST_NONE)
        put_side(c, "old", 0, old);
    if (now != MST_NONE)
        put_side(c, "new", 1, now);
    mst_output_text(&c->out, ",\"note\":{\"sort\":\"storage\"}}\n");
}

static bool same_node(const compare_state *c, uint32_t old, uint32_t now) {
    const mst_json_node *a = &c->sides[0].json.nodes[old], *b = &c->sides[1].json.nodes[now];
    return a->kind == b->kind && a->length == b->length && a->count == b->count &&
           (!a->length || memcmp(a->text, b->text, a->length) == 0);
}

/* Whether two subtrees are equal. */
static bool same_tree(const compare_state *c, uint32_t old, uint32_t now) {
    uint32_t end = c->sides[0].json.nodes[old].end;
    if (c->sides[1].json.nodes[now].end - now != end - old)
        return false;
    for (; old < end; old++, now++)
        if (!same_node(c, old, now))
            return false;
    return true;
}

static uint32_t member_of(const mst_draft *side, uint32_t object, const mst_json_node *key) {
    const mst_json_node *nodes = side->json.nodes;
    for (uint32_t at = object + 1; at < nodes[object].end; at = nodes[at + 1].end)
        if (nodes[at].length == key->length && memcmp(nodes[at].text, key->text, key->length) == 0)
            return at + 1;
    return MST_NONE;
}

/* Compares two values at the path; enters them if they have the same structure. */
static void compare(compare_state *c, uint32_t old, uint32_t now, size_t path) {
    const mst_json_node *a = &c->sides[0].json.nodes[old], *b = &c->sides[1].json.nodes[now];
    if (same_tree(c, old, now))
        return;
    bool object = a->kind == MST_JSON_OBJECT;
    bool numbers = a->kind == MST_JSON_ARRAY && a->count && (a + 1)->kind < MST_JSON_ARRAY;
    if (a->kind != b->kind || numbers || (!object && (a->kind != MST_JSON_ARRAY || a->count != b->count))) {
        put_store(c, old, now);
        return;
    }
    level *made = mst_array_push(&c->levels, 1);
    c->enough = c->enough && made;
    if (made)
        *made = (level){{old, now}, {old + 1, now + 1}, path, 0, object};
}

/* Compares the next member of the old object, or one that only the new object has. False: none is left. */
static bool compare_member(compare_state *c, level *top) {
    const mst_json_node *nodes[2] = {c->sides[0].json.nodes, c->sides[1].json.nodes};
    int side = top->at[0] < nodes[0][top->nodes[0]].end ? 0 : 1;
    uint32_t at = top->at[side];
    if (at >= nodes[side][top->nodes[side]].end)
        return false;
    top->at[side] = nodes[side][at + 1].end;
    uint32_t other = member_of(&c->sides[1 - side], top->nodes[1 - side], &nodes[side][at]);
    if (side && other != MST_NONE)
        return true;
    size_t length = top->path;
    int n = snprintf(c->path + length, sizeof c->path - length, "%s%.*s", length ? "." : "",
                     (int)nodes[side][at].length, nodes[side][at].text);
    length += n > 0 ? (size_t)n : 0;
    c->enough = c->enough && length < sizeof c->path;
    if (!c->enough)
        return false;
    if (other == MST_NONE)
        put_store(c, side ? MST_NONE : at + 1, side ? at + 1 : MST_NONE);
    else
        compare(c, at + 1, other, length);
    return true;
}

static bool compare_element(compare_state *c, level *top) {
    const mst_json_node *nodes[2] = {c->sides[0].json.nodes, c->sides[1].json.nodes};
    uint32_t old = top->at[0], now = top->at[1];
    if (old >= nodes[0][top->nodes[0]].end)
        return false;
    top->at[0] = nodes[0][old].end;
    top->at[1] = nodes[1][now].end;
    size_t length = top->path;
    int n = snprintf(c->path + length, sizeof c->path - length, "[%llu]", (unsigned long long)top->index++);
    length += n > 0 ? (size_t)n : 0;
    c->enough = c->enough && length < sizeof c->path;
    if (c->enough)
        compare(c, old, now, length);
    return c->enough;
}

static mst_status go(compare_state *c) {
    compare(c, 0, 0, 0);
    while (c->enough && c->levels.count) {
        size_t at = c->levels.count - 1;
        level *top = (level *)c->levels.items + at;
        c->path[top->path] = 0;
        if (!(top->object ? compare_member(c, top) : compare_element(c, top)))
            c->levels.count--;
    }
    return c->enough ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_patch_write_rest(const mst_document *made, const mst_document *wanted, const char *op,
                                mst_arena *arena, mst_buffer *text, mst_diagnostic *diagnostic) {
    compare_state *c = mst_arena_zero(arena, 1, sizeof *c);
    if (!c)
        return MST_NO_MEMORY;
    c->arena = arena;
    c->op = op;
    c->enough = true;
    c->levels = (mst_array){.element_size = sizeof(level), .allocator = arena->allocator};
    mst_output_begin(&c->out, mst_buffer_sink(text));
    mst_status status = mst_draft_begin(&c->sides[0], made, arena, diagnostic);
    if (status == MST_OK)
        status = mst_draft_begin(&c->sides[1], wanted, arena, diagnostic);
    if (status == MST_OK)
        status = go(c);
    mst_status written = mst_output_end(&c->out);
    mst_draft_end(&c->sides[0]);
    mst_draft_end(&c->sides[1]);
    mst_array_free(&c->levels);
    return status == MST_OK ? written : status;
}
