/* SPDX-License-Identifier: MIT */
/* Directories that are being merged: numbers in some files that refer to elements of other files by index. */
#include "../core/diagnose.h"
#include "../tables/fields.h"
#include "merge_sets.h"

/* The changes of a side in a file. `documents` stay NULL if it is not a level of one format on both sides. */
static mst_status steps_of(sets *s, const entry *one, int side, mst_document *documents[2],
                           mst_patch_steps *steps) {
    documents[0] = documents[1] = NULL;
    *steps = (mst_patch_steps){.count = 0};
    if (one->at[BASE] == NOT_THERE || one->at[side] == NOT_THERE)
        return MST_OK;
    mst_status status = mst_merge_open(s, one, BASE, &documents[0]);
    if (status == MST_OK)
        status = mst_merge_open(s, one, side, &documents[1]);
    if (status == MST_OK && documents[0] && documents[1] && documents[0]->format == documents[1]->format)
        return mst_steps_between(documents[0], documents[1], &s->arena, steps, NULL, s->diagnostic);
    documents[0] = documents[1] = NULL;
    return status == MST_UNKNOWN ? MST_OK : status;
}

/* The format of a file that a side changed; NULL if the side did not change it, or both made the same
 * change. */
static const mst_format *format_changed(sets *s, entry *one, int side) {
    const mst_format_information *known =
        one->changed[side] && !one->same ? mst_merge_format(s, one, side) : NULL;
    return known ? mst_format_of(known) : NULL;
}

/* The list in a file whose elements a side renumbered; "" if there is none. */
static mst_status renumbers(sets *s, entry *one, int side, char *name, size_t size) {
    mst_document *documents[2];
    mst_patch_steps steps;
    mst_list_change *lists = NULL;
    const mst_format *format = format_changed(s, one, side);
    *name = '\0';
    if (!format || !MST_OPTION(format->set, renumber_files))
        return MST_OK;
    mst_status status = steps_of(s, one, side, documents, &steps);
    if (status == MST_OK && documents[0])
        status = mst_changes_of_steps(&steps, documents[0]->size, &s->arena, &lists);
    for (const mst_list_change *list = lists; list && status == MST_OK && !*name; list = list->next) {
        uint64_t begin[2] = {0, 0};
        mst_value value;
        if (mst_find(mst_root(documents[0]), list->path, &value, NULL) != MST_OK ||
            !(mst_field_of(&value)->flags & MST_FIELD_NUMBERED))
            continue;
        for (int i = 0; i < 2 && MST_OPTION(format->set, numbers_begin); i++)
            begin[i] = format->set->numbers_begin(documents[i]);
        for (uint64_t i = begin[0]; i < list->count && !*name; i++)
            if (list->now[i] - begin[1] != i - begin[0])
                mst_diagnostic_set(name, size, "%s", list->path);
    }
    return status;
}

/* Whether two sides inserted the same elements into a list at the same places, and removed the same
 * elements. */
static bool change_alike(const mst_patch_steps steps[SIDES], const char *list) {
    const mst_patch_step *at[SIDES];
    size_t next[SIDES] = {0};
    for (;;) {
        for (int side = OURS; side < SIDES; side++) {
            const mst_patch_steps *all = &steps[side];
            for (at[side] = NULL; !at[side] && next[side] < all->count; next[side]++) {
                const mst_patch_step *one = &all->items[next[side]];
                if (one->list && strcmp(one->list, list) == 0)
                    at[side] = one;
            }
        }
        if (!at[OURS] || !at[THEIRS])
            return at[OURS] == at[THEIRS];
        if (at[OURS]->kind != at[THEIRS]->kind || at[OURS]->index != at[THEIRS]->index ||
            strcmp(at[OURS]->now ? at[OURS]->now : "", at[THEIRS]->now ? at[THEIRS]->now : "") != 0)
            return false;
    }
}

/* Lists whose elements are referenced by index in other files that theirs changed. */
typedef struct named {
    const char *lists[8];
    size_t count;
} named;

/* Whether such numbers may refer to elements of a file. */
static bool is_named(const named *all, const mst_format *format) {
    for (mst_fields it = mst_fields_of_format(format); all->count && mst_fields_next(&it);)
        for (size_t i = 0; i < all->count; i++)
            if (strcmp(it.field->name, all->lists[i]) == 0)
                return true;
    return false;
}

/* The list in a file whose elements are referenced by index elsewhere, if both sides inserted different
 * elements into it: theirs get other indices. "" if there is none. */
static mst_status both_add(sets *s, entry *one, const named *all, char *name, size_t size) {
    mst_document *documents[2];
    mst_patch_steps steps[SIDES];
    mst_list_change *lists[SIDES] = {NULL};
    mst_status status = MST_OK;
    *name = '\0';
    for (int side = OURS; side < SIDES; side++) {
        const mst_format *format = format_changed(s, one, side);
        if (!format || !is_named(all, format))
            return MST_OK;
        status = steps_of(s, one, side, documents, &steps[side]);
        if (status == MST_OK && documents[0])
            status = mst_changes_of_steps(&steps[side], documents[0]->size, &s->arena, &lists[side]);
        if (status != MST_OK || !documents[0])
            return status;
    }
    for (const mst_list_change *list = lists[OURS]; list; list = list->next) {
        const mst_list_change *theirs = mst_change_called(lists[THEIRS], list->path);
        if (!theirs || list->new_count == list->old_count || theirs->new_count == theirs->old_count ||
            !mst_is_known_elsewhere(documents[0]->format, list->path) || change_alike(steps, list->path))
            continue;
        mst_diagnostic_set(name, size, "%.*s", (int)strcspn(list->path, "["), list->path);
        return MST_OK;
    }
    return MST_OK;
}

static bool has_word(const char *text, const char *word) {
    return text && strstr(text, word);
}

/* Whether a side changed numbers in any file that refer to elements of the list. */
static mst_status names(sets *s, int side, const char *list, bool *does) {
    mst_document *documents[2];
    mst_patch_steps steps;
    mst_status status = MST_OK;
    *does = false;
    for (size_t i = 0; i < s->count && status == MST_OK && !*does; i++) {
        const mst_format *format = format_changed(s, &s->entries[i], side);
        const char *value = format ? MST_OPTION(format->set, names_elsewhere.value) : NULL;
        if (!value || strcmp(format->set->names_elsewhere.list, list) != 0)
            continue;
        status = steps_of(s, &s->entries[i], side, documents, &steps);
        for (size_t k = 0; k < steps.count && status == MST_OK && !*does; k++) {
            const mst_patch_step *step = &steps.items[k];
            *does = step->kind == MST_STEP_RAW || has_word(step->key, value) || has_word(step->now, value);
        }
    }
    return status;
}

static named find_named(sets *s) {
    named all = {.count = 0};
    for (size_t i = 0; i < s->count; i++) {
        const mst_format *format = format_changed(s, &s->entries[i], THEIRS);
        const char *list = format ? MST_OPTION(format->set, names_elsewhere.list) : NULL;
        bool known = !list || all.count == MST_COUNT_OF(all.lists);
        for (size_t k = 0; k < all.count && !known; k++)
            known = strcmp(all.lists[k], list) == 0;
        if (!known)
            all.lists[all.count++] = list;
    }
    return all;
}

mst_status mst_merge_check_numbers(sets *s) {
    static const char *const called[SIDES] = {[OURS] = "ours", [THEIRS] = "theirs"};
    mst_status status = MST_OK;
    char list[60];
    const named all = find_named(s);
    for (size_t i = 0; i < s->count && status == MST_OK; i++) {
        entry *one = &s->entries[i];
        bool does = false;
        for (int side = OURS; side < SIDES && status == MST_OK; side++) {
            status = renumbers(s, one, side, list, sizeof list);
            if (status == MST_OK && *list)
                status = names(s, OURS + THEIRS - side, list, &does);
            if (status == MST_OK && does)
                return mst_fail(
                    s->diagnostic, MST_REFUSED,
                    "%s: %s renumbered elements of %s, and the other side changed some of the numbers",
                    one->name, called[side], list);
        }
        if (status == MST_OK)
            status = both_add(s, one, &all, list, sizeof list);
        if (status == MST_OK && *list)
            status = names(s, THEIRS, list, &does);
        if (status == MST_OK && does)
            return mst_fail(
                s->diagnostic, MST_REFUSED,
                "%s: both sides changed the number of %s, and theirs changed references to some of them",
                one->name, list);
    }
    return status;
}
