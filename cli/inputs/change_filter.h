/* SPDX-License-Identifier: MIT */
/* diff --ignore and --select: which changes count. */
#ifndef CLI_INPUTS_CHANGE_FILTER_H
#define CLI_INPUTS_CHANGE_FILTER_H

#include "options.h"
#include <mapstone/diff.h>

/* What one --ignore or --select is about: "objects[class=tile].flags:moving", "objects", "flags". */
typedef struct change_pattern {
    const char *given;
    bool ignores;  /* or selects */
    bool met;      /* a change was like it */
    char *list;    /* pattern; of a field of any name: NULL */
    char *element; /* conditions, an index or "*"; NULL: any */
    char *path;    /* pattern below the element; "": all of it */
    char *flags;   /* names that commas separate; NULL: the value as a whole */
} change_pattern;

typedef struct change_filter {
    change_pattern *items;
    size_t count;
    bool selects; /* there is a --select */
} change_filter;

/* False, with a message, if one of them has no meaning. */
bool change_filter_read(change_filter *filter, const options *given);
/* Whether a change counts. */
bool change_filter_takes(change_filter *filter, const mst_difference *change);
/* Reports those that no change was like. */
void change_filter_end(change_filter *filter, bool quiet);

#endif
