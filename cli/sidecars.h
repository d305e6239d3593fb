/* SPDX-License-Identifier: MIT */
/* Files that belong to a level: in its archive, beside it, and in the directories that --search-path names.
 */
#ifndef CLI_SIDECARS_H
#define CLI_SIDECARS_H

#include "inputs.h"
#include <mapstone/search.h>

/* Begin with zeros. */
typedef struct sidecars {
    const input *of;
    char *directory; /* that `search` begins with */
    bool broken;     /* it could be listed, and was not */
    mst_search *search;
    mst_resolver within;   /* `search` */
    mst_resolver resolver; /* all of it */
    mst_memo memo;
    const char *schema_name, *schema; /* what --schema says */
    size_t schema_size;
    size_t held; /* bytes of files that were found, the last of them at `last` */
    const void *last;
} sidecars;

/* False, and has said why, if one of the directories cannot be read. */
bool sidecars_exist(const options *given);

/* For one input ("-", stdin, stands in no directory); what is known of its directory stays for the next.
 * `schema` (NULL: none) stands for files of the name that --schema gives, and for class.def unless it is XML.
 */
const mst_resolver *sidecars_of(sidecars *all, const options *given, const input *item, const char *schema,
                                size_t schema_size);
/* Between two inputs: lets files go that take much memory. */
void sidecars_rest(sidecars *all);
void sidecars_close(sidecars *all);

#endif
