/* SPDX-License-Identifier: MIT */
/* Files that belong to a level: in its archive, beside it, and in the directories of --search-path. */
#ifndef CLI_SIDECARS_H
#define CLI_SIDECARS_H

#include "inputs.h"
#include <mapstone/search.h>

/* Zero-initialise it. */
typedef struct sidecars {
    const input *of;
    char *directory; /* the first one of `search` */
    bool broken;     /* listing it failed */
    mst_search *search;
    mst_resolver within;   /* for `search` */
    mst_resolver resolver; /* for everything */
    mst_memo memo;
    const char *schema_name, *schema; /* name and content of --schema */
    size_t schema_size;
    size_t held; /* total bytes of found files, the last of them at `last` */
    const void *last;
} sidecars;

/* False, with a message, if one of the directories cannot be read. */
bool sidecars_exist(const options *given);

/* For one input ("-", stdin, has no directory); the search of its directory is reused for the next. `schema`
 * (NULL: none) replaces files with the name given by --schema, and class.def unless it is XML. */
const mst_resolver *sidecars_of(sidecars *all, const options *given, const input *item, const char *schema,
                                size_t schema_size);
/* Between two inputs: frees files if they take much memory. */
void sidecars_rest(sidecars *all);
void sidecars_close(sidecars *all);

#endif
