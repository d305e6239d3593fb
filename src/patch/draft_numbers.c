/* SPDX-License-Identifier: MIT */
/* Renumbers the result of a draft: numbers that name elements of lists name the same ones as before. */
#include "../check/numbers.h"
#include "../core/diagnose.h"
#include "../core/lower_bound.h"
#include "../edit/single_edit.h"
#include "../read/landmarks.h"
#include "../tables/fields.h"
#include "drafts.h"
#include <stdlib.h>

typedef struct range {
    uint64_t from, to;
} range;

/* A list of the result whose elements numbers can name. */
typedef struct changed {
    mst_value list;
    mst_list_change *change;
} changed;

typedef struct renumbering {
    mst_numbers_walk walk;
    mst_draft *draft;
    uint8_t *bytes;
    mst_array lists; /* changed */
    mst_array made;  /* range, ascending: of values taken from the new document */
    bool moved;      /* the new document's numbers differ from the result's */
} renumbering;

static mst_list_change *change_of(const renumbering *r, const mst_value *list) {
    const changed *lists = r->lists.items;
    for (size_t i = 0; list->document && i < r->lists.count; i++)
        if (lists[i].list.offset == list->offset && lists[i].list.field == list->field)
            return lists[i].change;
    return NULL;
}

static bool is_made(const renumbering *r, uint64_t offset) {
    const range *ranges = r->made.items;
    MST_LOWER_BOUND(low, middle, r->made.count, ranges[middle].to <= offset);
    return low < r->made.count && ranges[low].from <= offset;
}

/* The numbering of one of the two lists that a fact may lead to. */
typedef struct numbering {
    mst_list_change *change;
    uint64_t before, after; /* element counts */
} numbering;

static numbering numbering_of(const renumbering *r, const mst_value *list, uint64_t count, bool made) {
    numbering of = {change_of(r, list), count, count};
    if (of.change)
        of.before = made ? of.change->new_count : of.change->count;
    return of;
}

static uint64_t renumbered(const numbering *of, uint64_t number, bool made) {
    if (!of->change)
        return number;
    uint32_t now = made ? of->change->new_now[number] : of->change->now[number];
    return now == MST_NONE ? UINT64_MAX : now;
}

/* The facts about a list whose elements are parts of others, such as vertices; NULL: it is another kind of
 * list. */
static const mst_compared *parts_of(const mst_document *document, const mst_field *list) {
    const mst_compared *facts = document->format->tables.compared;
    for (; facts && facts->record; facts++)
        if (facts->part && facts->keys[0] && strcmp(facts->field, list->name) == 0)
            return facts;
    return NULL;
}

/* Whether two elements are the same part; false if their keys name other elements. */
static bool same_part(const mst_compared *facts, const mst_value *a, const mst_value *b) {
    for (size_t i = 0; i < MST_COMPARED_PATHS && facts->keys[i]; i++) {
        mst_value x, y;
        if (mst_find(*a, facts->keys[i], &x, NULL) != MST_OK ||
            mst_find(*b, facts->keys[i], &y, NULL) != MST_OK || mst_field_of(&x)->refers_count)
            return false;
        uint64_t size = mst_value_after(&x) - x.offset;
        if (mst_value_after(&y) - y.offset != size ||
            memcmp(x.document->data + x.offset, y.document->data + y.offset, (size_t)size) != 0)
            return false;
    }
    return true;
}

/* An element of the result that is the same part as a removed one: vertices at the same place are
 * interchangeable. UINT64_MAX: there is none. */
static uint64_t equal_of(const renumbering *r, const mst_list_change *change, uint64_t index) {
    mst_value old, now, gone, one;
    if (strchr(change->path, '[') || !change->result_path ||
        mst_find(mst_root(r->draft->document), change->path, &old, NULL) != MST_OK ||
        mst_find(mst_root(r->walk.document), change->result_path, &now, NULL) != MST_OK)
        return UINT64_MAX;
    const mst_compared *facts = parts_of(r->draft->document, mst_field_of(&old));
    if (!facts || mst_element(&old, index, &gone) != MST_OK)
        return UINT64_MAX;
    uint64_t at = 0;
    for (mst_iterator it = mst_iterate(&now); mst_next(&it, &one); at++)
        if (same_part(facts, &gone, &one))
            return at;
    return UINT64_MAX;
}

/* The path of a list that a fact leads to here: below one of the enclosing records. */
static const char *path_of_target(const renumbering *r, const char *target, const mst_value *list) {
    const mst_numbers_walk *walk = &r->walk;
    uint32_t depth = walk->depth < MST_NUMBERS_LEVELS ? walk->depth : MST_NUMBERS_LEVELS;
    for (uint32_t d = depth; d <= depth; d--) { /* until it wraps, after the root */
        char path[1024] = "";
        mst_value value;
        size_t length = 0;
        for (uint32_t i = 0; i < d; i++)
            length = mst_path_step(path, sizeof path, length, walk->steps[i].name, walk->steps[i].index);
        length = mst_path_step(path, sizeof path, length, target, UINT64_MAX);
        if (mst_find(mst_root(walk->document), path, &value, NULL) == MST_OK && value.field == list->field &&
            value.offset == list->offset)
            return mst_arena_text(r->draft->arena, path, length);
    }
    return NULL;
}

/* Records a list whose elements are named by values from the new document. */
static mst_status note_named(renumbering *r, const char *target, const mst_value *list) {
    mst_array *named = r->draft->names;
    const mst_named *all = named->items;
    for (size_t i = 0; i < named->count; i++)
        if (all[i].offset == list->offset && all[i].field == list->field)
            return MST_OK;
    if (!list->document)
        return MST_OK;
    const char *path = path_of_target(r, target, list); /* NULL is recorded as well: it is looked up once */
    mst_named *made = mst_array_push(named, 1);
    if (made)
        *made = (mst_named){list->field, list->offset, path};
    return made ? MST_OK : MST_NO_MEMORY;
}

/* Whether the lists that a number of the new document leads to are unchanged since the patch was made. */
static bool is_known(const renumbering *r, const mst_referred *target) {
    const mst_value *const lists[] = {&target->target, &target->then};
    bool known = true;
    for (size_t i = 0; i < 2; i++) {
        const mst_list_change *change = change_of(r, lists[i]), *before = r->draft->before;
        while (change && before && strcmp(before->path, change->path) != 0)
            before = before->next;
        known = known && (!lists[i]->document || (change && before && before->proved));
    }
    return known;
}

/* Records a number that makes something part of a list, and whose element no longer exists. */
static mst_status note_orphan(renumbering *r, const mst_numbers *n, uint64_t element, uint32_t component) {
    char path[1024];
    mst_numbers_path(&r->walk, n, element, component, path, sizeof path);
    const char **made = mst_array_push(&r->draft->orphans, 1);
    if (made)
        *made = mst_arena_text(r->draft->arena, path, strlen(path));
    return made && *made ? MST_OK : MST_NO_MEMORY;
}

static mst_status renumber(renumbering *r, const mst_numbers *n, const mst_refers *fact,
                           const mst_referred *target, uint64_t element, uint32_t component) {
    unsigned width = mst_kind_width[n->field->kind];
    uint64_t offset = n->offset + element * n->stride + component * (uint64_t)width;
    bool big = mst_field_big(r->walk.document, n->field), made = is_made(r, offset);
    uint64_t stored = mst_load(r->bytes + offset, width, big);
    uint64_t mask = fact->mask ? fact->mask : UINT64_MAX, number = stored & mask, now;
    if (mst_refers_is_none(fact, stored, width, component) ||
        (fact->about && !fact->about(r->walk.document, stored)))
        return MST_OK;
    if (made && r->draft->names) {
        mst_status status = note_named(r, fact->target, &target->target);
        return status == MST_OK && fact->then ? note_named(r, fact->then, &target->then) : status;
    }
    if (made && !r->moved)
        return MST_OK;
    if (made && r->draft->fits && !is_known(r, target)) {
        r->draft->unknown = true;
        return MST_OK;
    }
    numbering first = numbering_of(r, &target->target, target->first, made),
              then = numbering_of(r, &target->then, target->count - target->first, made);
    if (number < first.before)
        now = renumbered(&first, number, made);
    else if (number - first.before < then.before)
        now = renumbered(&then, number - first.before, made);
    else
        now = number - first.before - then.before + then.after;
    if (now == UINT64_MAX && number < first.before && !made)
        now = equal_of(r, first.change, number);
    if (now == UINT64_MAX && fact->member && n->field->mode != MST_COUNT_ONE)
        return note_orphan(r, n, element, component);
    if (now == UINT64_MAX) {
        bool in_first = number < first.before;
        mst_dangling_element *one = mst_array_push(&r->draft->dangling, 1);
        if (one)
            *one = (mst_dangling_element){in_first ? first.change : then.change,
                                          in_first ? number : number - first.before, made};
        return one ? MST_OK : MST_NO_MEMORY;
    }
    if (number >= first.before)
        now += first.after;
    if (now != number && (now & ~mask) == 0)
        mst_store(r->bytes + offset, width, (stored & ~mask) | now, big);
    return MST_OK;
}

static mst_status visit(mst_numbers_walk *walk, const mst_numbers *n) {
    renumbering *r = walk->user;
    mst_status status = MST_OK;
    for (uint8_t i = 0; i < n->field->refers_count && status == MST_OK; i++) {
        const mst_refers *fact = &n->field->refers[i];
        const mst_referred *target = NULL;
        if (fact->by != MST_BY_INDEX)
            continue;
        status = mst_refers_look_up(&walk->refers, fact, &target);
        if (status != MST_OK || !target)
            continue;
        bool changes = change_of(r, &target->target) || change_of(r, &target->then);
        if (!changes && !r->draft->fits && !r->draft->names)
            continue;
        for (uint64_t e = 0; e < n->count && status == MST_OK; e++) {
            if (!mst_numbers_apply(walk, n, fact, e))
                continue;
            for (uint32_t c = 0; c < n->components && status == MST_OK; c++)
                status = renumber(r, n, fact, target, e, c);
        }
    }
    return status;
}

static int by_range(const void *left, const void *right) {
    const range *a = left, *b = right;
    return (a->from > b->from) - (a->from < b->from);
}

static bool add_range(renumbering *r, const mst_value *value) {
    range *made = mst_array_push(&r->made, 1);
    if (made)
        *made = (range){value->offset, mst_value_after(value)};
    return made != NULL;
}

/* Whether a path ends with the name of a list whose elements numbers of a format name. */
static bool is_target(const mst_format *format, const char *path) {
    const char *name = mst_last_name(path);
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        for (uint8_t i = 0; i < it.field->refers_count; i++) {
            const mst_refers *fact = &it.field->refers[i];
            const char *const targets[] = {fact->target, fact->then};
            for (size_t k = 0; k < 2 && fact->by == MST_BY_INDEX; k++) {
                if (targets[k] && strcmp(mst_last_name(targets[k]), name) == 0)
                    return true;
            }
        }
    return false;
}

/* Finds the values that the draft made. */
static mst_status find_values(renumbering *r, const mst_document *result) {
    const char *const *paths = r->draft->made.items;
    mst_landmarks landmarks = {.count = 0};
    mst_value value = {.document = NULL}, element;
    bool enough = true;
    for (size_t i = 0; i < r->draft->made.count && enough; i++) {
        if (mst_landmarks_find(&landmarks, mst_root(result), paths[i], &value) != MST_OK)
            continue; /* the key does not belong to a field */
        if (mst_shape_of(&value) != MST_SHAPE_CHUNK_LIST)
            enough = add_range(r, &value);
        else
            for (mst_iterator it = mst_iterate(&value); enough && mst_next(&it, &element);)
                enough = add_range(r, &element);
    }
    mst_landmarks_reset(&landmarks);
    return enough ? MST_OK : MST_NO_MEMORY;
}

/* Finds the values that the draft made, and the lists that changed, in the result. */
static mst_status find_made(renumbering *r, const mst_document *result) {
    mst_draft *draft = r->draft;
    mst_value value = {.document = NULL};
    if (find_values(r, result) != MST_OK)
        return MST_NO_MEMORY;
    if (r->made.count)
        qsort(r->made.items, r->made.count, sizeof(range), by_range);
    for (mst_list_change *list = draft->changes; list; list = list->next) {
        bool there = list->result_path && is_target(result->format, list->path) &&
                     mst_find(mst_root(result), list->result_path, &value, NULL) == MST_OK;
        changed *one = there ? mst_array_push(&r->lists, 1) : NULL;
        if (there && !one)
            return MST_NO_MEMORY;
        if (one)
            *one = (changed){value, list};
        r->moved = draft->merges;
    }
    return MST_OK;
}

mst_status mst_draft_renumber(mst_draft *draft, mst_document *result, mst_diagnostic *diagnostic) {
    if (!draft->changes)
        return MST_OK;
    renumbering r = {.draft = draft, .bytes = mst_edit_bytes(result)};
    r.walk = (mst_numbers_walk){.document = result, .user = &r, .numbers = visit};
    r.lists = (mst_array){.element_size = sizeof(changed), .allocator = draft->arena->allocator};
    r.made = (mst_array){.element_size = sizeof(range), .allocator = draft->arena->allocator};
    mst_status status = find_made(&r, result);
    if (status == MST_OK)
        status = mst_refers_begin(&r.walk.refers, result, draft->arena);
    if (status == MST_OK)
        status = mst_numbers_visit(&r.walk, diagnostic);
    mst_array_free(&r.lists);
    mst_array_free(&r.made);
    return status == MST_OK ? mst_edit_reopen(result, diagnostic) : status;
}

uint64_t mst_old_index(const mst_list_change *list, uint64_t index) {
    for (uint64_t i = 0; list->from_old && i < list->old_count; i++)
        if (list->from_old[i] == index)
            return i;
    return list->from_old ? MST_NONE : index;
}

mst_status mst_draft_remove_orphans(const mst_draft *draft, mst_document *result,
                                    mst_diagnostic *diagnostic) {
    const char *const *paths = draft->orphans.items;
    mst_status status = MST_OK;
    for (size_t i = draft->orphans.count; i-- > 0 && status == MST_OK;) /* from the last of each list */
        status = mst_edit_remove(result, paths[i], diagnostic);
    return status;
}
