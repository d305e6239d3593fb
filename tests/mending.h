/* SPDX-License-Identifier: MIT */
/* Mends a document, and lists the values set. */
#ifndef MST_TESTS_MENDING_H
#define MST_TESTS_MENDING_H

#include "support.h"
#include <mapstone/edit.h>

typedef struct mended_list {
    char text[1000]; /* "CODE path: old -> now\n" for each value */
    const char *only;
} mended_list;

static inline mst_status mended_note(void *user, const mst_mended *one) {
    mended_list *list = user;
    size_t length = strlen(list->text);
    snprintf(list->text + length, sizeof list->text - length, "%s %s: %s -> %s\n", one->code, one->path,
             one->old, one->now);
    return MST_OK;
}

static inline bool mended_wants(void *user, const char *code) {
    const mended_list *list = user;
    return !list->only || !strcmp(list->only, code);
}

/* Returns how many values were set; only for findings with the code `only`, unless that is NULL. */
static inline uint64_t mend(mst_document *document, const mst_resolver *sidecars, const char *only,
                            mended_list *list) {
    const mst_check_options checks = {.size = sizeof checks, .sidecars = sidecars};
    mst_diagnostic why;
    uint64_t count = 99;
    memset(list, 0, sizeof *list);
    list->only = only;
    const mst_mend_options how = {
        .size = sizeof how, .checks = &checks, .wants = mended_wants, .mended = mended_note, .user = list};
    MUST(mst_mend(document, &how, &count, &why), &why);
    return count;
}

#endif
