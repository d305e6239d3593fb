/* SPDX-License-Identifier: MIT */
/* Files that belong to a level: beside it, and in the directories that --search-path names. */
#ifndef CLI_COMPANIONS_H
#define CLI_COMPANIONS_H

#include "options.h"
#include <mapstone/search.h>

typedef struct companions {
    mst_search *search;
    mst_finder finder;
} companions;

/* False, and has said why, if one of the directories cannot be read. */
bool companions_exist(const options *given);

/* For the level at `path` ("-", stdin, stands in no directory). Close with companions_close. */
const mst_finder *companions_open(companions *all, const options *given, const char *path);
void companions_close(companions *all);

#endif
