/* SPDX-License-Identifier: MIT */
/* The changes between two documents, collected to be shown: as few lines as say it, a table, or JSON. */
#ifndef CLI_CHANGES_H
#define CLI_CHANGES_H

#include "output.h"
#include <mapstone/diff.h>

typedef struct change_item {
    mst_difference_kind kind;
    mst_difference_sort sort;
    uint64_t old_index, new_index;
    size_t element; /* number of the element, the same for all changes of one; 0: of none */
    char *list, *type, *label, *path, *old_text, *new_text, *place;
    bool was, is; /* a value was there, is there */
    bool exact;   /* old_text and new_text say all of the values */
    bool shown;   /* a line has it */
} change_item;

/* Zero-initialise it. */
typedef struct changes {
    change_item *items;
    size_t count, capacity, elements;
    uint64_t of_sort[5]; /* by mst_difference_sort */
    stream *json;        /* each change is written to it at once, and not collected; NULL: collected */
    const char *file;    /* in JSON; NULL: none */
    bool view_state;     /* what an editor shows counts, too */
} changes;

/* An mst_difference_function; `user` is the changes. */
mst_status changes_take(void *user, const mst_difference *change);
void changes_free(changes *all);
/* Whether there are changes that count. */
bool changes_any(const changes *all);
/* Lines for people, each after `indent`; `everything`: every change. */
void changes_put(changes *all, stream *to, const char *indent, bool everything);
/* How much has changed, by lists. */
void changes_put_stat(changes *all, stream *to, const char *indent);

#endif
