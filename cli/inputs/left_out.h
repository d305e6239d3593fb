/* SPDX-License-Identifier: MIT */
/* Reports the files of a directory or archive that a command leaves out, and the reasons. */
#ifndef CLI_INPUTS_LEFT_OUT_H
#define CLI_INPUTS_LEFT_OUT_H

#include "../output/streams.h"
#include <mapstone/container.h>

typedef struct left_out {
    const char *path; /* of the directory or archive; NULL: the names include it */
    const char *what; /* the thing that lacks it: "the patch" */
    bool quiet;
    size_t count;
    const char *last; /* the last reported name, and the length of its reported part */
    size_t length;
} left_out;

/* For mst_patch_options and mst_merge_options: reports a file that is neither a level nor needed by one. */
void left_out_take(void *user, const char *name);
/* Whether a name, from `offset` on, must not name a file; reports it, each folder only once if the names are
 * sorted. The names must stay valid. `hidden`: also reports hidden files, which are normal in a folder. */
bool left_out_name(left_out *all, const char *name, size_t offset, bool hidden);
/* The same for all names in a container. */
void left_out_names(left_out *all, const mst_container *files, bool hidden);
/* Reports the number of further files. */
void left_out_end(const left_out *all);

#endif
