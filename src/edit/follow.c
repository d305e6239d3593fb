/* SPDX-License-Identifier: MIT */
/*
 * A removal walks over all numbers of the document until nothing more has to be removed: references to a
 * removed element, elements that only removed ones referred to, the rows of parallel lists. The last walk
 * records the new numbers, and then the removal is applied.
 */
#include "follow.h"
#include "../core/diagnose.h"
#include "following.h"
#include "numbered.h"
#include "single_edit.h"
#include <stdio.h>

/* ---- the walk --------------------------------------------------------------------------------------- */

static bool no_floats(mst_numbers_walk *walk, const mst_item *list, const mst_plan *plan) {
    (void)walk, (void)list, (void)plan;
    return true;
}

static mst_status enter(mst_numbers_walk *walk, const mst_item *item) {
    follow *w = walk->user;
    if (w->dead || item->index == UINT64_MAX || walk->depth < 2 || walk->depth > MST_NUMBERS_LEVELS)
        return MST_OK;
    const mst_numbers_step *list = &walk->steps[walk->depth - 2];
    const change *own = mst_change_at(w, list->field, list->offset);
    if (own && own == w->given && item->index == own->at && !w->inside)
        w->inside = walk->depth;
    if (own && item->index < own->count && own->gone[item->index]) {
        w->dead = walk->depth;
        w->how_dead = own->gone[item->index];
    }
    return MST_OK;
}

static void leave(mst_numbers_walk *walk) {
    follow *w = walk->user;
    if (w->dead == walk->depth)
        w->dead = 0;
    if (w->inside == walk->depth)
        w->inside = 0;
}

/* Rows of lists that are parallel to a changing one change with it. */
static mst_status meet(mst_numbers_walk *walk, const mst_item *item) {
    follow *w = walk->user;
    const mst_referred *target;
    change *own = NULL;
    bool list = item->kind == MST_ITEM_BEGIN_LIST || item->kind == MST_ITEM_LEAF;
    if (!list || !item->field || item->index != UINT64_MAX || w->given)
        return MST_OK;
    if (mst_follow_owns(w, item->field))
        return mst_change_of_item(w, item, &own);
    if (!item->field->parallel)
        return MST_OK;
    mst_status status = mst_refers_look_up(&walk->refers, item->field->parallel, &target);
    const change *of = status == MST_OK && target ? mst_change_of(w, &target->target) : NULL;
    if (!of || (!of->removed && !of->now && !w->inserts))
        return status;
    status = mst_change_of_item(w, item, &own);
    if (status == MST_OK) {
        own->at = of->at;
        own->now = own->count == of->count ? of->now : NULL;
    }
    for (uint64_t i = 0; !w->inserts && status == MST_OK && i < own->count && i < of->count; i++)
        if (of->gone[i])
            status = mst_follow_remove(w, own, i, NULL);
    return status;
}

static mst_status go_over_once(follow *w) {
    w->more = false;
    w->pass++;
    w->dead = 0;
    w->users = 0;
    w->patches.count = 0;
    for (change *c = w->changes; c; c = c->next) {
        mst_change_number_again(c);
        for (uint64_t i = 0; c->kept && i < c->count; i++)
            c->kept[i] = c->lost[i] = 0;
    }
    mst_arena scratch; /* the lists and ids of this pass */
    mst_arena_begin(&scratch, &w->document->allocator, 0);
    w->walk = (mst_numbers_walk){.document = w->document,
                                 .user = w,
                                 .item = meet,
                                 .enter = enter,
                                 .leave = leave,
                                 .skips_floats = no_floats,
                                 .numbers = mst_follow_numbers};
    mst_status status = mst_refers_begin(&w->walk.refers, w->document, &scratch);
    if (status == MST_OK)
        status = mst_numbers_visit(&w->walk, w->diagnostic);
    mst_arena_end(&scratch);
    for (change *c = w->changes; c && status == MST_OK; c = c->next)
        for (uint64_t i = 0; c->kept && i < c->count && status == MST_OK; i++)
            if (c->lost[i] && !c->kept[i])
                status = mst_follow_remove(w, c, i, "also removed: nothing else refers to it");
    return status;
}

static mst_status go_over(follow *w) {
    mst_status status;
    do
        status = go_over_once(w);
    while (status == MST_OK && w->more);
    w->stable = true;
    return status == MST_OK && w->options && w->options->report ? go_over_once(w) : status;
}

/* The new element was given with the numbers from before the insertion: they are updated now that it
 * exists. */
static mst_status renumber_given(follow *w, const char *path, uint64_t index) {
    mst_value list;
    mst_status status = mst_find(mst_root(w->document), path, &list, NULL);
    if (status != MST_OK)
        return status;
    w->changes = NULL;
    change *own = mst_change_begin(w, mst_field_of(&list), list.offset, mst_count(&list), path);
    if (!own)
        return MST_NO_MEMORY;
    own->at = index;
    w->given = own;
    w->stable = true;
    status = go_over_once(w);
    return status == MST_OK ? mst_follow_write_numbers(w) : status;
}

/* The same for the rows that were copied with it. */
static mst_status renumber_all_given(follow *w, uint64_t index) {
    mst_status status = MST_OK;
    const change *rows = w->changes;
    bool copied = w->copied != UINT64_MAX;
    if (!copied)
        return renumber_given(w, w->path, index);
    for (; rows && status == MST_OK; rows = rows->next)
        status = renumber_given(w, rows->path, index);
    return status;
}

/* ---- the edits -------------------------------------------------------------------------------------- */

static mst_status refuse(follow *w, const char *message) {
    mst_fail(w->diagnostic, MST_REFUSED, "%s", message);
    MST_SET(w->diagnostic->path, "%s", w->path);
    return MST_REFUSED;
}

static mst_status belongs_to(follow *w, const mst_field *list) {
    mst_fail(w->diagnostic, MST_REFUSED,
             "its elements belong to the elements of another list: edit that list");
    MST_SET(w->diagnostic->path, "%s", w->path);
    MST_SET(w->diagnostic->expected, "%s", list->parallel->target);
    return MST_REFUSED;
}

static mst_status follow_begin(follow **made, mst_document *document, const mst_chain *chain, uint32_t list,
                               const mst_edit_options *options, mst_diagnostic *diagnostic) {
    const mst_allocator *allocator = &document->allocator;
    follow *w = allocator->resize(allocator->user, NULL, 0, sizeof *w);
    *made = w;
    if (!w)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the edit");
    memset(w, 0, sizeof *w);
    w->document = document;
    w->options = options;
    w->diagnostic = diagnostic ? diagnostic : &w->said;
    mst_arena_begin(&w->arena, allocator, 0);
    w->patches.element_size = sizeof(patch);
    w->patches.allocator = *allocator;
    char path[MAX_PATH];
    size_t length = 0;
    path[0] = 0;
    for (uint32_t i = 1; i <= list; i++)
        length = mst_path_step(path, sizeof path, length,
                               chain->indices[i] == UINT64_MAX ? mst_field_of(&chain->values[i])->name : "",
                               chain->indices[i]);
    w->path = mst_arena_text(&w->arena, path, strlen(path));
    return w->path && length < sizeof path ? MST_OK : MST_NO_MEMORY;
}

static mst_status follow_end(follow *w, mst_status status) {
    mst_allocator allocator = w->document->allocator;
    if (status == MST_NO_MEMORY)
        mst_fail(w->diagnostic, status, "not enough memory for the edit");
    mst_array_free(&w->patches);
    mst_arena_end(&w->arena);
    allocator.resize(allocator.user, w, sizeof *w, 0);
    return status;
}

static mst_status ask_for(follow *w, change *list, const uint64_t *indices, size_t count) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        status = mst_follow_remove(w, list, indices[i], NULL);
        list->gone[indices[i]] = MST_GONE_ASKED;
    }
    return status;
}

/* A caller that removes an unused slot may have counted wrongly: reports that nothing changes. */
static mst_status say_empty(follow *w, const mst_value *list, const uint64_t *indices, size_t count) {
    const mst_field *field = mst_field_of(list);
    mst_status status = MST_OK;
    if (!(field->flags & MST_FIELD_SLOTS) || !field->record || !field->record->vacant)
        return MST_OK;
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        char path[MAX_PATH];
        mst_value element;
        if (mst_element(list, indices[i], &element) != MST_OK ||
            !field->record->vacant(w->document->data + element.offset))
            continue;
        snprintf(path, sizeof path, "%s[%llu]", w->path, (unsigned long long)indices[i]);
        status = mst_follow_say(w, MST_INFORMATION, path, element.offset, "was empty already");
    }
    return status;
}

static mst_status remove_all(follow *w, const mst_value *list, const uint64_t *indices, size_t count,
                             bool exact) {
    change *own = mst_change_begin(w, mst_field_of(list), list->offset, mst_count(list), w->path);
    mst_status status = own ? MST_OK : MST_NO_MEMORY;
    if (status == MST_OK)
        status = ask_for(w, own, indices, count);
    if (status == MST_OK)
        status = go_over(w);
    if (status == MST_OK && w->users) {
        char first[sizeof w->diagnostic->found];
        memcpy(first, w->diagnostic->found, sizeof first);
        mst_fail(w->diagnostic, MST_REFUSED, "others refer to it");
        MST_SET(w->diagnostic->path, "%s[%llu]", w->path, (unsigned long long)indices[0]);
        MST_SET(w->diagnostic->expected, "--cascade, or a change of them first");
        if (w->users > 1)
            MST_SET(w->diagnostic->found, "%.80s and %llu more", first, (unsigned long long)w->users - 1);
        else
            MST_SET(w->diagnostic->found, "%s", first);
        status = MST_REFUSED;
    }
    if (status == MST_OK && exact && (own->removed != count || w->implied))
        status = MST_UNSUPPORTED;
    if (status == MST_OK)
        status = say_empty(w, list, indices, count);
    return status == MST_OK ? mst_follow_carry_out(w, NULL) : status;
}

mst_status mst_follow_removal(mst_document *document, const mst_chain *chain, const mst_edit_options *options,
                              mst_diagnostic *diagnostic) {
    follow *w;
    uint32_t last = chain->count - 1;
    mst_status status = follow_begin(&w, document, chain, last - 1, options, diagnostic);
    if (!w)
        return status;
    const mst_value *list = &chain->values[last - 1];
    const mst_field *field = mst_field_of(list);
    uint64_t index = chain->indices[last], count = mst_count(list);
    if (status == MST_OK && field->parallel)
        status = belongs_to(w, field);
    if (status == MST_OK && (field->flags & MST_FIELD_NUMBERED))
        status = mst_renumber_files(document, list, index, false, options, w->diagnostic);
    if (status == MST_OK && (field->flags & MST_FIELD_APPEND) && index + 1 != count)
        status = refuse(w, "only the last element can be removed: others refer to them by index");
    if (status == MST_OK)
        status = remove_all(w, list, &index, 1, false);
    return follow_end(w, status);
}

/* Determines, without reporting, whether no other elements of the list would be removed, and none because of
 * others. */
static mst_status look_ahead(mst_document *document, const char *path, const uint64_t *indices, size_t count,
                             const mst_edit_options *options, bool *exactly) {
    follow *w;
    mst_value list;
    mst_chain none = {0};
    mst_edit_options quiet = *options;
    quiet.report = NULL;
    mst_status status = follow_begin(&w, document, &none, 0, &quiet, NULL);
    if (!w)
        return status;
    if (status == MST_OK)
        status = mst_find(mst_root(document), path, &list, NULL);
    change *own = status == MST_OK
                      ? mst_change_begin(w, mst_field_of(&list), list.offset, mst_count(&list), path)
                      : NULL;
    if (status == MST_OK && !own)
        status = MST_NO_MEMORY;
    if (status == MST_OK)
        status = ask_for(w, own, indices, count);
    if (status == MST_OK)
        status = go_over(w);
    /* errors are reported later */
    *exactly = status != MST_OK || (own->removed == count && !w->implied);
    return follow_end(w, status == MST_NO_MEMORY ? status : MST_OK);
}

mst_status mst_follow_removals(mst_document *document, const char *path, const uint64_t *indices,
                               size_t count, bool exact, const mst_edit_options *options,
                               mst_diagnostic *diagnostic) {
    follow *w;
    mst_value list;
    mst_chain none = {0};
    bool exactly = true;
    mst_status status = exact && options && options->report
                            ? look_ahead(document, path, indices, count, options, &exactly)
                            : MST_OK;
    if (status != MST_OK || !exactly)
        return status == MST_OK ? MST_UNSUPPORTED : status;
    status = follow_begin(&w, document, &none, 0, options, diagnostic);
    if (!w)
        return status;
    w->path = path;
    if (status == MST_OK)
        status = mst_find(mst_root(document), path, &list, diagnostic);
    if (status == MST_OK)
        status = remove_all(w, &list, indices, count, exact);
    return follow_end(w, status);
}

mst_status mst_follow_insertion(mst_document *document, const mst_chain *chain, uint64_t index,
                                const char *json, uint64_t copied, const mst_edit_options *options,
                                mst_diagnostic *diagnostic) {
    follow *w;
    uint32_t last = chain->count - 1;
    mst_status status = follow_begin(&w, document, chain, last, options, diagnostic);
    if (!w)
        return status;
    const mst_value *list = &chain->values[last];
    const mst_field *field = mst_field_of(list);
    uint64_t count = mst_count(list);
    w->inserts = true;
    w->copied = copied;
    if (status == MST_OK && field->parallel)
        status = belongs_to(w, field);
    if (status == MST_OK && (field->flags & MST_FIELD_NUMBERED))
        status = mst_renumber_files(document, list, index, true, options, w->diagnostic);
    if (status == MST_OK && (field->flags & MST_FIELD_SLOTS))
        status = refuse(w, "the game has a fixed number of them: set an unused one");
    if (status == MST_OK && (field->flags & MST_FIELD_APPEND) && index != count)
        status = refuse(w, "new elements can only be appended: others refer to them by index");
    change *own = status == MST_OK ? mst_change_begin(w, field, list->offset, count, w->path) : NULL;
    if (status == MST_OK && !own)
        status = MST_NO_MEMORY;
    if (own)
        own->at = index;
    if (status == MST_OK)
        status = go_over(w);
    if (status == MST_OK)
        status = mst_follow_carry_out(w, json);
    const change *changes = w->changes;
    if (status == MST_OK)
        status = renumber_all_given(w, index);
    if (status == MST_OK && copied == UINT64_MAX)
        status = mst_follow_fill_rows(w, changes, index);
    if (status == MST_OK && copied == UINT64_MAX && MST_OPTION(document->format->editing, fill))
        status = document->format->editing->fill(document, field, w->path, index, diagnostic);
    return follow_end(w, status);
}

/* The new index of each of `count` elements after insertions. */
static uint32_t *places_after(follow *w, uint64_t count, const mst_insertion *all, size_t more) {
    uint32_t *now =
        count + more < UINT32_MAX ? mst_arena_take(&w->arena, (size_t)count + 1, sizeof *now) : NULL;
    size_t before = 0;
    for (uint64_t i = 0; now && i < count; i++) {
        while (before < more && all[before].index - before <= i)
            before++;
        now[i] = (uint32_t)(i + before);
    }
    return now;
}

mst_status mst_follow_insertions(mst_document *document, const char *path, const mst_insertion *insertions,
                                 size_t count, const mst_edit_options *options, mst_diagnostic *diagnostic) {
    follow *w;
    mst_value list = {0};
    mst_chain none = {0};
    mst_status status = follow_begin(&w, document, &none, 0, options, diagnostic);
    if (!w)
        return status;
    if (status == MST_OK)
        status = mst_find(mst_root(document), path, &list, diagnostic);
    uint64_t there = status == MST_OK ? mst_count(&list) : 0;
    w->path = path;
    w->inserts = true;
    change *own =
        status == MST_OK ? mst_change_begin(w, mst_field_of(&list), list.offset, there, path) : NULL;
    if (own)
        own->now = places_after(w, there, insertions, count), own->more = count;
    if (status == MST_OK && (!own || !own->now))
        status = MST_NO_MEMORY;
    bool follows = status == MST_OK &&
                   (insertions[0].index < there || mst_is_named_past_end(document->format, own->field) ||
                    mst_has_parallel(document->format, own->field));
    if (follows) /* else no number changes */
        status = go_over(w);
    if (status == MST_OK)
        status = mst_follow_carry_insertions(w, insertions, count);
    return follow_end(w, status);
}

mst_status mst_follow_order(mst_document *document, const char *path, const uint32_t *now,
                            const mst_edit_options *options, mst_diagnostic *diagnostic) {
    follow *w;
    mst_value list;
    mst_chain none = {0};
    mst_status status = follow_begin(&w, document, &none, 0, options, diagnostic);
    if (!w)
        return status;
    if (status == MST_OK)
        status = mst_find(mst_root(document), path, &list, diagnostic);
    const mst_field *field = status == MST_OK ? mst_field_of(&list) : NULL;
    w->path = path;
    if (field && field->parallel)
        status = belongs_to(w, field);
    if (field && (field->flags & MST_FIELD_NUMBERED))
        status = refuse(w, "other files refer to them by index, which would change");
    if (field && (field->flags & MST_FIELD_APPEND))
        status = refuse(w, "others refer to them by index, which would change");
    change *own = status == MST_OK ? mst_change_begin(w, field, list.offset, mst_count(&list), path) : NULL;
    mst_document *before = NULL;
    if (status == MST_OK && !own)
        status = MST_NO_MEMORY;
    if (own)
        own->now = now;
    if (status == MST_OK)
        status = go_over(w);
    if (status == MST_OK && document->format->fix_up)
        status = mst_edit_copy(document, &before, diagnostic);
    const char *voided = status == MST_OK ? mst_follow_voided(w) : NULL;
    if (status == MST_OK)
        status = mst_follow_write_numbers(w);
    if (status == MST_OK)
        status = mst_follow_permute(w);
    if (status == MST_OK)
        status = mst_edit_reopen(document, diagnostic);
    if (status == MST_OK && before) /* a hash also depends on the order */
        document->format->fix_up(before, document, document->own);
    mst_close(before);
    if (status == MST_OK && voided)
        status = mst_follow_remove_voided(w, voided);
    return follow_end(w, status);
}
