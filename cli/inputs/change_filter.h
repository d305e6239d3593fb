/* SPDX-License-Identifier: MIT */
/* diff --ignore and --select: selects the changes that count. */
#ifndef CLI_INPUTS_CHANGE_FILTER_H
#define CLI_INPUTS_CHANGE_FILTER_H

#include "options.h"
#include <mapstone/diff.h>

/* The subject of one --ignore or --select: "objects[class=tile].flags:moving", "objects", "flags". */
typedef struct change_pattern {
    const char *given;
    bool ignores;  /* else it selects */
    bool met;      /* a change matched */
    char *list;    /* pattern; NULL: a field with any name */
    char *element; /* conditions, an index or "*"; NULL: any element */
    char *path;    /* pattern below the element; "": the whole element */
    char *flags;   /* names separated by commas; NULL: the value as a whole */
} change_pattern;

typedef struct change_filter {
    change_pattern *items;
    size_t count;
    bool selects; /* there is a --select */
} change_filter;

/* False, with a message, if one of them is invalid: then it need not be ended. */
bool change_filter_read(change_filter *filter, const options *given);
/* Whether a change counts. */
bool change_filter_takes(change_filter *filter, const mst_difference *change);
/* Ends it; unless `quiet` it reports patterns that no change matched. */
void change_filter_end(change_filter *filter, bool quiet);

#endif
