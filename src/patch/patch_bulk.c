/* SPDX-License-Identifier: MIT */
/*
 * Bulk operations: one line for the same change of many elements, namely all of one kind in a list. They
 * replace lines of a finished patch, where exactly the elements of that kind changed, before and after.
 */
#include "../core/json_text.h"
#include "../core/output.h"
#include "../core/text.h"
#include "../tables/fields.h"
#include "bulk.h"
#include <stdlib.h>

/* Fewer elements keep their own lines: these describe each element in more detail, and find it wherever it
 * is. */
#define LEAST 4

/* A line that a bulk operation may replace. */
typedef struct candidate {
    const mst_patch_step *step;
    size_t number;       /* of the step */
    const char *path;    /* below the element */
    const char *kind;    /* JSON: members that state the element's kind; "": none do */
    struct listed *list; /* of a pair: the list that it is inserted into or removed from; NULL */
} candidate;

/* A list with insertions or removals. */
typedef struct listed {
    const mst_patch_step *step;
    size_t number;        /* of the step */
    size_t all, replaced; /* operations, and those that bulk operations replace */
} listed;

/* Lines that one bulk operation can replace. */
typedef struct group {
    const candidate *from;
    size_t count;
    const char *kind;
    bool dropped;
} group;

/* A line of the patch. */
typedef struct line {
    const uint8_t *text;
    size_t size;
    const char *bulk; /* its replacement; "": nothing; NULL: it is kept */
} line;

typedef struct bulk_state {
    mst_draft sides[2];
    mst_arena *arena;
    mst_patch_steps steps;
    mst_bulk_steps passing[2]; /* elements that only one side has */
    line *lines;               /* by step; the head is before them */
    candidate *all;
    size_t count;
    listed *lists;
    size_t list_count;
    group *groups;
    size_t group_count;
} bulk_state;

/* The values of an element before and after. */
static void values_of(const mst_patch_step *step, const char *said[2]) {
    said[0] = step->kind == MST_STEP_INSERT ? NULL : step->old;
    said[1] = step->kind == MST_STEP_REMOVE ? NULL : step->now;
}

static int order_of(const char *a, const char *b) {
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

/* Orders by the change, not by the element. */
static int by_change(const candidate *a, const candidate *b) {
    int order = strcmp(a->step->at_list, b->step->at_list);
    order = order ? order : strcmp(a->path, b->path);
    order = order ? order : (int)a->step->kind - (int)b->step->kind;
    order = order ? order : order_of(a->step->old, b->step->old);
    order = order ? order : order_of(a->step->now, b->step->now);
    return order ? order : (int)a->step->sort - (int)b->step->sort;
}

static int by_change_and_kind(const void *left, const void *right) {
    const candidate *a = left, *b = right;
    int order = by_change(a, b);
    order = order ? order : strcmp(a->kind, b->kind);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static bool is_among(const char *const paths[MST_COMPARED_PATHS], const char *path) {
    for (size_t i = 0; i < MST_COMPARED_PATHS && paths[i]; i++)
        if (strcmp(paths[i], path) == 0)
            return true;
    return false;
}

/* Whether JSON contains no object: an object is a record, whose numbers may name elements. */
static bool is_simple(const char *text) {
    return !text || (*text != '{' && (*text != '[' || !strchr(text, '{')));
}

/* Whether a value identifies elements: other lines refer to them by it. */
static bool tells_elements(const mst_compared *facts, const char *path) {
    return facts &&
           (is_among(facts->keys, path) || is_among(facts->kind, path) || is_among(facts->place, path));
}

/* The kind of an element of the old document, as members. NULL: out of memory. */
static const char *kind_of(bulk_state *b, const mst_patch_step *step, const mst_compared *facts) {
    const char *made = "";
    uint32_t list = mst_bulk_list(&b->sides[0], step->at_list);
    uint32_t element = list == MST_NONE ? MST_NONE : mst_draft_element(&b->sides[0], list, step->at_index);
    for (size_t k = 0; facts && element != MST_NONE && k < MST_COMPARED_PATHS && facts->kind[k]; k++) {
        uint32_t node = *facts->kind[k] ? mst_draft_below(&b->sides[0], element, facts->kind[k]) : MST_NONE;
        if (node == MST_NONE || b->sides[0].json.nodes[node].kind >= MST_JSON_ARRAY)
            continue;
        const char *name = mst_json_quoted(b->arena, facts->kind[k], strlen(facts->kind[k])),
                   *value = mst_json_text_of(&b->sides[0].json, node, b->arena);
        made = name && value ? mst_arena_printf(b->arena, "%s,%s:%s", made, name, value) : NULL;
        if (!made)
            return NULL;
    }
    return made;
}

static int by_key(const void *left, const void *right) {
    const listed *a = left, *b = right;
    return strcmp(a->step->key, b->step->key);
}

static listed *list_called(const bulk_state *b, const char *path) {
    const mst_patch_step step = {.key = path};
    const listed key = {.step = &step};
    return b->list_count ? bsearch(&key, b->lists, b->list_count, sizeof key, by_key) : NULL;
}

static mst_status gather_lists(bulk_state *b) {
    b->lists = mst_arena_take(b->arena, b->steps.count + 1, sizeof *b->lists);
    if (!b->lists)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < b->steps.count; i++)
        if (b->steps.items[i].kind == MST_STEP_LIST)
            b->lists[b->list_count++] = (listed){.step = &b->steps.items[i], .number = i};
    if (b->list_count)
        qsort(b->lists, b->list_count, sizeof *b->lists, by_key);
    for (size_t i = 0; i < b->steps.count; i++) {
        listed *list = b->steps.items[i].list ? list_called(b, b->steps.items[i].list) : NULL;
        if (list)
            list->all++;
    }
    return MST_OK;
}

/* The path, by name, of the pair that is inserted or removed at the end of a list. NULL: it is not a pair. */
static const char *path_of_pair(bulk_state *b, const mst_patch_step *step, const char *list, listed **of) {
    const char *text = step->kind == MST_STEP_INSERT ? step->now : step->old;
    mst_json json;
    *of = list_called(b, step->list);
    uint64_t end = !*of ? 0 : step->kind == MST_STEP_INSERT ? (*of)->step->index : (*of)->step->to;
    if (!*of || step->index < end || !text ||
        mst_json_parse(text, strlen(text), b->arena, &json, NULL) != MST_OK)
        return NULL;
    for (uint32_t i = 1; i < json.nodes[0].end && json.nodes[0].kind == MST_JSON_OBJECT;
         i = json.nodes[i + 1].end) {
        const mst_json_node *value = &json.nodes[i + 1];
        if (!mst_is_word(&json.nodes[i], "name") || value->kind != MST_JSON_STRING || !value->length)
            continue;
        for (uint32_t k = 0; k < value->length; k++)
            if (strchr(".[]=$", value->text[k]))
                return NULL;
        return mst_arena_printf(b->arena, "%s.%.*s", list, (int)value->length, value->text);
    }
    return NULL;
}

/* Whether a bulk operation may replace a line. */
static bool is_candidate(bulk_state *b, const mst_patch_step *step, candidate *one) {
    if (!step->at || strchr(step->at_list, '['))
        return false;
    const mst_compared *facts = mst_compared_of_list(b->sides[0].document->format, step->at_list);
    const char *path =
        strlen(step->key) > strlen(step->at_list) ? strchr(step->key + strlen(step->at_list), ']') : NULL;
    if (!path || path[1] != '.')
        return false;
    if (step->kind == MST_STEP_SET) {
        one->path = path + 2;
        return !tells_elements(facts, one->path) && is_simple(step->old) && is_simple(step->now);
    }
    if ((step->kind != MST_STEP_INSERT && step->kind != MST_STEP_REMOVE) || !step->list)
        return false;
    path = strchr(step->list + strlen(step->at_list), ']');
    if (!path || path[1] != '.' || strchr(path + 1, '['))
        return false;
    one->path = path_of_pair(b, step, path + 2, &one->list);
    return one->path && !tells_elements(facts, one->path);
}

static mst_status gather(bulk_state *b) {
    b->all = mst_arena_take(b->arena, b->steps.count + 1, sizeof *b->all);
    b->groups = mst_arena_take(b->arena, b->steps.count + 1, sizeof *b->groups);
    if (!b->all || !b->groups)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < b->steps.count; i++) {
        const mst_patch_step *step = &b->steps.items[i];
        candidate one = {.step = step, .number = i};
        if (!is_candidate(b, step, &one))
            continue;
        one.kind = kind_of(b, step, mst_compared_of_list(b->sides[0].document->format, step->at_list));
        if (!one.kind)
            return MST_NO_MEMORY;
        b->all[b->count++] = one;
    }
    if (b->count)
        qsort(b->all, b->count, sizeof *b->all, by_change_and_kind);
    return b->arena->starved ? MST_NO_MEMORY : MST_OK;
}

/* Whether a value is a number that names another element, which belongs to one document only. */
static bool is_reference(const bulk_state *b, int side, const candidate *one, uint64_t index) {
    mst_value value;
    const char *path =
        mst_arena_printf(b->arena, "%s[%llu].%s", one->step->at_list, (unsigned long long)index, one->path);
    return path && mst_find(mst_root(b->sides[side].document), path, &value, NULL) == MST_OK &&
           mst_field_of(&value)->refers_count;
}

/* How many selected elements of a side exist on both, if all selected elements of the side have the value,
 * and it means the same anywhere; else 0. */
static mst_status count_meant(bulk_state *b, int side, const candidate *one, const mst_json *at,
                              uint64_t *count) {
    mst_draft *draft = &b->sides[side];
    mst_stated value;
    mst_bulk_place where;
    uint64_t meant = 0;
    const char *said[2];
    *count = 0;
    values_of(one->step, said);
    uint32_t list = mst_bulk_list(draft, one->step->at_list);
    const char **paths = mst_bulk_paths(at, b->arena);
    if (!paths || mst_stated_read(&value, side ? said[1] : said[0], b->arena) != MST_OK ||
        mst_bulk_place_read(&where, one->path, said[0], said[1], b->arena) != MST_OK)
        return MST_NO_MEMORY;
    uint64_t all = list == MST_NONE ? 0 : draft->json.nodes[list].count;
    uint32_t element = list + 1;
    size_t next = mst_bulk_steps_of(&b->passing[side], one->step->at_list);
    for (uint64_t i = 0; i < all; i++, element = draft->json.nodes[element].end) {
        if (!mst_bulk_is_meant(draft, element, at, paths))
            continue;
        if (!mst_bulk_has(draft, element, &where, &value) || (!meant && is_reference(b, side, one, i)))
            return MST_OK;
        meant += !mst_bulk_passes(&b->passing[side], &next, one->step->at_list, i);
    }
    *count = meant;
    return MST_OK;
}

static const char *bulk_line(bulk_state *b, const candidate *one, const char *kind, size_t count) {
    const mst_patch_step *step = one->step;
    const char *said[2];
    mst_buffer text = {.allocator = b->arena->allocator};
    mst_output out;
    values_of(step, said);
    mst_output_begin(&out, mst_buffer_sink(&text));
    mst_output_text(&out, "{\"op\":\"bulk\",\"at\":{\"list\":");
    mst_output_json_string(&out, step->at_list, strlen(step->at_list));
    mst_output_text(&out, kind);
    mst_output_format(&out, "},\"count\":%zu,\"path\":", count);
    mst_output_json_string(&out, one->path, strlen(one->path));
    mst_output_text(&out, said[0] ? ",\"old\":" : "");
    mst_output_text(&out, said[0] ? said[0] : "");
    mst_output_text(&out, said[1] ? ",\"new\":" : "");
    mst_output_text(&out, said[1] ? said[1] : "");
    mst_output_format(&out, ",\"note\":{\"sort\":\"%s\"}}\n",
                      mst_sort_names[step->sort < MST_SORTS ? step->sort : 0]);
    const char *made =
        mst_output_end(&out) == MST_OK ? mst_arena_text(b->arena, (const char *)text.data, text.size) : NULL;
    mst_buffer_free(&text);
    return made;
}

/* Keeps candidates as a group, if they are exactly the elements of the kind. */
static mst_status group_of(bulk_state *b, const candidate *from, size_t count, const char *kind, bool *done) {
    mst_json at;
    *done = false;
    const char *text = mst_arena_printf(b->arena, "{\"list\":0%s}", kind);
    if (!text)
        return MST_NO_MEMORY;
    mst_status status = mst_json_parse(text, strlen(text), b->arena, &at, NULL);
    for (int side = 0; side < 2 && status == MST_OK; side++) {
        uint64_t meant;
        status = count_meant(b, side, from, &at, &meant);
        if (status == MST_OK && meant != count)
            return MST_OK;
    }
    if (status == MST_OK)
        b->groups[b->group_count++] = (group){from, count, kind, false};
    *done = status == MST_OK;
    return b->arena->starved ? MST_NO_MEMORY : status;
}

static mst_status group_all(bulk_state *b) {
    mst_status status = MST_OK;
    for (size_t i = 0, next; i < b->count && status == MST_OK; i = next) {
        bool done = false;
        for (next = i + 1; next < b->count && by_change(&b->all[i], &b->all[next]) == 0;)
            next++;
        if (next - i < LEAST)
            continue;
        status = group_of(b, &b->all[i], next - i, "", &done);
        for (size_t k = i, end; k < next && status == MST_OK && !done; k = end) {
            bool some;
            for (end = k + 1; end < next && strcmp(b->all[k].kind, b->all[end].kind) == 0;)
                end++;
            if (end - k >= LEAST && *b->all[k].kind)
                status = group_of(b, &b->all[k], end - k, b->all[k].kind, &some);
        }
    }
    return status;
}

static void count_replaced(bulk_state *b) {
    for (size_t i = 0; i < b->list_count; i++)
        b->lists[i].replaced = 0;
    for (size_t i = 0; i < b->group_count; i++)
        for (size_t k = 0; k < b->groups[i].count && !b->groups[i].dropped; k++)
            if (b->groups[i].from[k].list)
                b->groups[i].from[k].list->replaced++;
}

/* Bulk operations replace all operations on a list, or none. */
static void drop_mixed(bulk_state *b) {
    bool dropped = true;
    while (dropped) {
        dropped = false;
        count_replaced(b);
        for (size_t i = 0; i < b->group_count; i++) {
            group *one = &b->groups[i];
            for (size_t k = 0; k < one->count && !one->dropped; k++)
                one->dropped = one->from[k].list && one->from[k].list->replaced != one->from[k].list->all &&
                               (dropped = true);
        }
    }
}

static mst_status replace(bulk_state *b, bool *any) {
    drop_mixed(b);
    for (size_t i = 0; i < b->group_count; i++) {
        const group *one = &b->groups[i];
        size_t first = one->from->number;
        if (one->dropped)
            continue;
        const char *made = bulk_line(b, one->from, one->kind, one->count);
        if (!made)
            return MST_NO_MEMORY;
        for (size_t k = 0; k < one->count; k++) {
            first = one->from[k].number < first ? one->from[k].number : first;
            b->lines[one->from[k].number].bulk = "";
            if (one->from[k].list)
                b->lines[one->from[k].list->number].bulk = "";
        }
        b->lines[first].bulk = made;
        *any = true;
    }
    return MST_OK;
}

/* Finds the lines of the steps. False: there is not one line for each. */
static bool find_lines(bulk_state *b, const mst_buffer *text, size_t *head) {
    size_t number = 0;
    for (size_t at = 0; at < text->size; number++) {
        const uint8_t *end = memchr(text->data + at, '\n', text->size - at);
        size_t size = end ? (size_t)(end - text->data) + 1 - at : text->size - at;
        if (number > b->steps.count)
            return false;
        if (number)
            b->lines[number - 1] = (line){text->data + at, size, NULL};
        else
            *head = size;
        at += size;
    }
    return number == b->steps.count + 1;
}

static mst_status write_lines(const bulk_state *b, const mst_buffer *text, size_t head, mst_buffer *made) {
    mst_sink sink = mst_buffer_sink(made);
    mst_status status = sink.write(sink.user, text->data, head);
    for (size_t i = 0; i < b->steps.count && status == MST_OK; i++) {
        const line *one = &b->lines[i];
        if (one->bulk)
            status = *one->bulk ? sink.write(sink.user, one->bulk, strlen(one->bulk)) : MST_OK;
        else
            status = sink.write(sink.user, one->text, one->size);
    }
    return status;
}

mst_status mst_patch_write_bulk(const mst_document *const sides[2], const mst_buffer *text, mst_arena *arena,
                                mst_buffer *made) {
    bulk_state *b = mst_arena_zero(arena, 1, sizeof *b);
    size_t head = 0;
    if (!b)
        return MST_NO_MEMORY;
    b->arena = arena;
    mst_status status = mst_patch_read((const char *)text->data, text->size, true, arena, &b->steps, NULL);
    if (status != MST_OK || b->steps.count < LEAST)
        return status;
    b->lines = mst_arena_zero(arena, b->steps.count + 1, sizeof *b->lines);
    if (!b->lines)
        return MST_NO_MEMORY;
    if (!find_lines(b, text, &head))
        return MST_OK;
    status = mst_draft_begin(&b->sides[0], sides[0], arena, NULL);
    if (status == MST_OK)
        status = mst_draft_begin(&b->sides[1], sides[1], arena, NULL);
    if (status == MST_OK)
        status = mst_bulk_steps_find(&b->passing[0], &b->steps, MST_STEP_REMOVE, arena);
    if (status == MST_OK)
        status = mst_bulk_steps_find(&b->passing[1], &b->steps, MST_STEP_INSERT, arena);
    if (status == MST_OK)
        status = gather_lists(b);
    if (status == MST_OK)
        status = gather(b);
    if (status == MST_OK)
        status = group_all(b);
    bool any = false;
    if (status == MST_OK)
        status = replace(b, &any);
    if (status == MST_OK && any)
        status = write_lines(b, text, head, made);
    mst_draft_end(&b->sides[0]);
    mst_draft_end(&b->sides[1]);
    return status;
}
