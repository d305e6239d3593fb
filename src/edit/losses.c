/* SPDX-License-Identifier: MIT */
#include "losses.h"
#include "../core/diagnose.h"
#include "../write/given.h"
#include "assign.h"
#include <stdio.h>

struct mst_had_value {
    const char *path, *json;
    uint64_t offset;
    bool lost;
    mst_had_value *next;
};

static mst_status note(mst_losses *losses, const mst_value *value, const char *around, const char *dot) {
    mst_arena *arena = &losses->e->arena;
    mst_had_value *had = mst_arena_zero(arena, 1, sizeof *had);
    if (!had)
        return MST_NO_MEMORY;
    had->offset = value->offset;
    had->path = mst_arena_printf(arena, "%s%s%s%s", losses->record, around, dot, mst_field_of(value)->name);
    *losses->last = had;
    losses->last = &had->next;
    return had->path ? mst_value_text(value, arena, &had->json, losses->e->diagnostic) : MST_NO_MEMORY;
}

mst_status mst_losses_begin(mst_losses *losses, edit *e, const mst_field *changed) {
    const char *dot = strrchr(e->path, '.');
    *losses = (mst_losses){.e = e, .changed = changed, .allowed = e->options && e->options->allow_loss};
    losses->record = mst_arena_text(&e->arena, e->path, dot ? (size_t)(dot + 1 - e->path) : 0);
    losses->last = &losses->values;
    mst_status status = losses->record ? MST_OK : MST_NO_MEMORY;
    mst_value member, inner;
    mst_iterator members = mst_iterate(&e->values[e->chain.count - 1]);
    while (losses->allowed && status == MST_OK && mst_next(&members, &member)) {
        if (mst_value_type(&member) != MST_TYPE_RECORD) {
            status = note(losses, &member, "", "");
            continue;
        }
        for (mst_iterator it = mst_iterate(&member); status == MST_OK && mst_next(&it, &inner);)
            status = note(losses, &inner, mst_field_of(&member)->name, ".");
    }
    return status;
}

static mst_status say(const mst_losses *losses, const mst_had_value *had) {
    const mst_edit_options *options = losses->e->options;
    mst_diagnostic line = {.severity = MST_WARNING, .offset = had->offset};
    if (!options->report)
        return MST_OK;
    MST_SET(line.path, "%s", had->path);
    MST_SET(line.message, "lost with the change: it was %.100s", had->json);
    return options->report(options->user, &line);
}

/* The names of the value that could not be encoded, below the record: a member, and one of its members, or
 * empty. */
typedef struct failed_names {
    char member[80], inner[80];
} failed_names;

/* Whether a number is the count of a list, so that it does not make the list a loss. */
static bool counts(const mst_field *number, const mst_field *list) {
    bool product = list->mode == MST_COUNT_PRODUCT;
    return (product || list->mode == MST_COUNT_VARIABLE) && number->bind &&
           (number->bind - 1u == list->count_variable || (product && number->bind - 1u == list->count));
}

static bool find_failing(const mst_losses *losses, const mst_diagnostic *why, failed_names *names) {
    const edit *e = losses->e;
    const mst_value *record = &e->values[e->chain.count - 1];
    size_t start = strlen(e->path); /* a long path may be cut off */
    const char *below = strlen(why->path) > start + 1 ? why->path + start + 1 : why->found;
    size_t length = strcspn(below, ".[");
    mst_value member, inner;
    MST_SET(names->member, "%.*s", (int)length, below);
    MST_SET(names->inner, "%s",
            below == why->found    ? ""
            : below[length] == '.' ? below + length + 1
                                   : why->found);
    if (mst_member(record, names->member, &member) != MST_OK)
        return false;
    if (mst_value_type(&member) != MST_TYPE_RECORD || mst_member(&member, names->inner, &inner) != MST_OK)
        *names->inner = 0;
    return mst_field_of(&member) != losses->changed && !counts(losses->changed, mst_field_of(&member));
}

/* Takes a member, or one of its members, out of an object. */
static mst_status take_out(const mst_json *made, const failed_names *names, mst_arena *arena,
                           mst_json *less) {
    mst_json member, rest;
    if (!*names->inner)
        return mst_json_without_member(made, names->member, arena, less);
    mst_status status = mst_json_member(made, names->member, arena, &member);
    if (status == MST_OK)
        status = mst_json_without_member(&member, names->inner, arena, &rest);
    return status == MST_OK ? mst_json_with_member(made, names->member, &rest, arena, less) : status;
}

mst_status mst_losses_without(mst_losses *losses, mst_status failed, mst_diagnostic *why, mst_json *made,
                              bool *again) {
    edit *e = losses->e;
    failed_names names;
    mst_json less;
    *again = false;
    if ((failed != MST_REFUSED && failed != MST_ARGUMENT) || !find_failing(losses, why, &names))
        return failed;
    if (!losses->allowed) {
        why->status = MST_REFUSED;
        MST_SET(why->expected, "--allow-loss, which lists the losses");
        return MST_REFUSED;
    }
    mst_status status = take_out(made, &names, &e->arena, &less);
    if (status != MST_OK || less.count == made->count) /* it was removed before */
        return status == MST_OK ? failed : status;
    const char *path = mst_arena_printf(&e->arena, "%s%s%s%s", losses->record, names.member,
                                        *names.inner ? "." : "", names.inner);
    if (!path)
        return MST_NO_MEMORY;
    for (mst_had_value *had = losses->values; had; had = had->next) {
        size_t length = strlen(path);
        if (strncmp(had->path, path, length) == 0 && (!had->path[length] || had->path[length] == '.'))
            had->lost = true;
    }
    *made = less;
    *again = true;
    return MST_OK;
}

mst_status mst_losses_report(const mst_losses *losses) {
    mst_status status = MST_OK;
    mst_value now;
    for (const mst_had_value *had = losses->values; had && status == MST_OK; had = had->next)
        if (had->lost || mst_find(mst_root(losses->e->document), had->path, &now, NULL) == MST_NO_PATH)
            status = say(losses, had);
    return status;
}
