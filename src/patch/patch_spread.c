/* SPDX-License-Identifier: MIT */
/* Bulk operations: before a patch is applied, each becomes a step for each element of the document. */
#include "../core/diagnose.h"
#include "../core/text.h"
#include "bulk.h"

#define FEW 8 /* this many more elements than a bulk line was made for are not unusual */
/* Elements that all bulk operations of a patch may examine together: this bounds the time that a patch can
 * take. */
#define LOOKS (UINT64_C(1) << 26)

typedef struct spread_state {
    mst_draft draft;
    mst_arena *arena;
    mst_array made;         /* mst_patch_step */
    size_t *lists;          /* by node of a list: index + 1 of its step; NULL: none yet */
    mst_bulk_steps passing; /* elements that are removed */
    uint64_t looks;
    bool exact;
    mst_diagnostic *diagnostic;
} spread_state;

static mst_status refuse(const spread_state *s, const mst_patch_step *bulk, const char *message) {
    if (s->arena->starved) /* values may have been missed */
        return MST_NO_MEMORY;
    mst_fail(s->diagnostic, MST_REFUSED, "%s", message);
    if (s->diagnostic)
        MST_SET(s->diagnostic->path, "%s", bulk->key);
    return MST_REFUSED;
}

static mst_status add(spread_state *s, const mst_patch_step *step) {
    mst_patch_step *made = mst_array_push(&s->made, 1);
    if (made)
        *made = *step;
    return made ? MST_OK : MST_NO_MEMORY;
}

/* The step of one element that sets a value. */
static mst_status add_set(spread_state *s, const mst_patch_step *bulk, uint64_t index) {
    mst_patch_step one = *bulk;
    one.kind = MST_STEP_SET;
    one.at = one.at_list = one.below = NULL;
    one.index = 0;
    one.key =
        mst_arena_printf(s->arena, "%s[%llu].%s", bulk->at_list, (unsigned long long)index, bulk->below);
    return one.key ? add(s, &one) : MST_NO_MEMORY;
}

/* Adds the step that announces changes of a list of pairs, once for each list. */
static mst_status add_list(spread_state *s, const char *path, uint32_t list, mst_patch_step **made) {
    uint32_t count = s->draft.json.nodes[list].count;
    mst_patch_step one = {.kind = MST_STEP_LIST, .key = path, .index = count, .to = count, .own = true};
    mst_status status = MST_OK;
    if (!s->lists)
        s->lists = mst_arena_zero(s->arena, (size_t)s->draft.json.count + 1, sizeof *s->lists);
    if (!s->lists)
        return MST_NO_MEMORY;
    if (!s->lists[list]) {
        status = add(s, &one);
        s->lists[list] = s->made.count;
    }
    if (status == MST_OK)
        *made = (mst_patch_step *)s->made.items + (s->lists[list] - 1);
    return status;
}

/* The steps of one element to which a pair is appended, or from which it is removed. */
static mst_status add_pair(spread_state *s, const mst_patch_step *bulk, const mst_bulk_place *where,
                           uint32_t list, uint64_t index) {
    mst_patch_step one = {.kind = bulk->now ? MST_STEP_INSERT : MST_STEP_REMOVE,
                          .sort = bulk->sort,
                          .old = bulk->old,
                          .now = bulk->now},
                   *change = NULL;
    one.list =
        mst_arena_printf(s->arena, "%s[%llu].%s", bulk->at_list, (unsigned long long)index, where->list);
    mst_status status = one.list ? add_list(s, one.list, list, &change) : MST_NO_MEMORY;
    if (status != MST_OK)
        return status;
    if (bulk->now)
        one.index = change->to++;
    else if (change->to)
        change->to--;
    if (!bulk->now)
        mst_bulk_pair_in(&s->draft, list, where->name, &one.index);
    one.key = mst_arena_printf(s->arena, "%s[%llu]", one.list, (unsigned long long)one.index);
    return one.key ? add(s, &one) : MST_NO_MEMORY;
}

static mst_status add_one(spread_state *s, const mst_patch_step *bulk, const mst_bulk_place *where,
                          uint32_t element, uint64_t index, bool has_old) {
    uint32_t list = mst_bulk_pairs(&s->draft, element, where);
    if (list == MST_NONE || !has_old)
        return add_set(s, bulk, index); /* a pair other than the expected one */
    return add_pair(s, bulk, where, list, index);
}

/* The step that reports how many elements are missing, or too many: it fits nowhere. */
static mst_status add_unfit(spread_state *s, const mst_patch_step *bulk, uint64_t count) {
    mst_patch_step one = {.kind = MST_STEP_SET,
                          .sort = bulk->sort,
                          .old = bulk->old,
                          .now = bulk->now,
                          .key = bulk->key,
                          .fate = MST_FATE_GONE};
    const unsigned long long made_for = bulk->index;
    one.line =
        count > bulk->index
            ? mst_arena_printf(s->arena, "%llu elements, and not %llu", (unsigned long long)count, made_for)
            : mst_arena_printf(s->arena, "%llu of %llu elements", made_for - count, made_for);
    return one.line ? add(s, &one) : MST_NO_MEMORY;
}

/* A level that has moved on has some more of such elements; another level, any number of them. */
static bool are_too_many(spread_state *s, const mst_patch_step *bulk, uint32_t list, const mst_json *at,
                         const char **paths, uint64_t *count) {
    const uint64_t all = list == MST_NONE ? 0 : s->draft.json.nodes[list].count;
    uint32_t element = list + 1;
    *count = 0;
    for (uint64_t i = 0; i < all; i++, element = s->draft.json.nodes[element].end)
        *count += mst_bulk_is_meant(&s->draft, element, at, paths);
    return *count / 2 > bulk->index && *count > bulk->index + FEW;
}

static mst_status spread(spread_state *s, const mst_patch_step *bulk) {
    mst_json at;
    mst_stated old, now;
    mst_bulk_place where;
    mst_draft *draft = &s->draft;
    uint32_t list = mst_bulk_list(draft, bulk->at_list);
    uint64_t count = 0, all = list == MST_NONE ? 0 : draft->json.nodes[list].count;
    mst_status status = mst_json_parse(bulk->at, strlen(bulk->at), s->arena, &at, NULL);
    const char **paths = status == MST_OK ? mst_bulk_paths(&at, s->arena) : NULL;
    if (!paths || mst_stated_read(&old, bulk->old, s->arena) != MST_OK ||
        mst_stated_read(&now, bulk->now, s->arena) != MST_OK ||
        mst_bulk_place_read(&where, bulk->below, bulk->old, bulk->now, s->arena) != MST_OK)
        return MST_NO_MEMORY; /* they have been read before */
    s->looks += all + 1;
    if (s->looks > LOOKS)
        return refuse(s, bulk, "the bulk operations of the patch are too many for the document");
    if (!s->exact && are_too_many(s, bulk, list, &at, paths, &count))
        return add_unfit(s, bulk, count);
    count = 0;
    uint32_t element = list + 1;
    size_t next = mst_bulk_steps_of(&s->passing, bulk->at_list);
    for (uint64_t i = 0; i < all && status == MST_OK; i++, element = draft->json.nodes[element].end) {
        bool leaves = s->exact && mst_bulk_passes(&s->passing, &next, bulk->at_list, i);
        if (leaves || !mst_bulk_is_meant(draft, element, &at, paths))
            continue;
        count++;
        bool has_old = mst_bulk_has(draft, element, &where, &old);
        if (s->exact && !has_old)
            return refuse(s, bulk, "the patch does not fit the document");
        if (s->made.count > draft->json.count)
            return refuse(s, bulk, "the patch changes more values than the document has");
        if (has_old || !mst_bulk_has(draft, element, &where, &now)) /* else it is already done */
            status = add_one(s, bulk, &where, element, i, has_old);
    }
    if (status == MST_OK && s->exact && count != bulk->index)
        return refuse(s, bulk, "the patch does not fit the document");
    if (status == MST_OK && count < bulk->index)
        status = s->arena->starved ? MST_NO_MEMORY : add_unfit(s, bulk, count);
    return status;
}

mst_status mst_patch_spread(mst_patch_steps *steps, const mst_document *document, bool exact,
                            mst_arena *arena, mst_diagnostic *diagnostic) {
    spread_state s = {.arena = arena, .exact = exact, .diagnostic = diagnostic};
    s.made = (mst_array){.element_size = sizeof(mst_patch_step), .allocator = arena->allocator};
    bool any = false;
    for (size_t i = 0; i < steps->count; i++)
        any = any || steps->items[i].kind == MST_STEP_BULK;
    if (!any)
        return MST_OK;
    mst_status status = mst_draft_begin(&s.draft, document, arena, diagnostic);
    if (status == MST_OK)
        status = mst_bulk_steps_find(&s.passing, steps, MST_STEP_REMOVE, arena);
    for (size_t i = 0; i < steps->count && status == MST_OK; i++) {
        const mst_patch_step *one = &steps->items[i];
        status = one->kind == MST_STEP_BULK ? spread(&s, one) : add(&s, one);
    }
    size_t count = s.made.count;
    mst_patch_step *kept = status == MST_OK ? mst_arena_take(arena, count + 1, sizeof *kept) : NULL;
    if (status == MST_OK && !kept)
        status = MST_NO_MEMORY;
    if (status == MST_OK) {
        if (count)
            memcpy(kept, s.made.items, count * sizeof *kept);
        steps->items = kept;
        steps->count = count;
    }
    mst_array_free(&s.made);
    mst_draft_end(&s.draft);
    return status; /* the caller reports that memory ran out */
}
