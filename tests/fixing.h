/* SPDX-License-Identifier: MIT */
/* Fixes a document, and lists the values set. */
#ifndef MST_TESTS_MENDING_H
#define MST_TESTS_MENDING_H

#include "support.h"
#include <mapstone/edit.h>

typedef struct fixed_list {
    char text[1000]; /* "CODE path: old -> now\n" for each value */
    const char *only;
} fixed_list;

static inline mst_status fixed_note(void *user, const mst_fixed_value *one) {
    fixed_list *list = user;
    size_t length = strlen(list->text);
    snprintf(list->text + length, sizeof list->text - length, "%s %s: %s -> %s\n", one->code, one->path,
             one->old, one->now);
    return MST_OK;
}

static inline bool fixed_wants(void *user, const char *code) {
    const fixed_list *list = user;
    return !list->only || !strcmp(list->only, code);
}

/* Returns how many values were set; only for findings with the code `only`, unless that is NULL. */
static inline uint64_t fix(mst_document *document, const mst_resolver *sidecars, const char *only,
                           fixed_list *list) {
    const mst_check_options checks = {.size = sizeof checks, .sidecars = sidecars};
    mst_diagnostic why;
    uint64_t count = 99;
    memset(list, 0, sizeof *list);
    list->only = only;
    const mst_fix_options how = {
        .size = sizeof how, .checks = &checks, .wants = fixed_wants, .fixed = fixed_note, .user = list};
    MUST(mst_fix(document, &how, &count, &why), &why);
    return count;
}

#endif
