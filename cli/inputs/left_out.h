/* SPDX-License-Identifier: MIT */
/* Says which files of a directory or archive a command leaves out, and why. */
#ifndef CLI_INPUTS_LEFT_OUT_H
#define CLI_INPUTS_LEFT_OUT_H

#include "../output/streams.h"
#include <mapstone/container.h>

typedef struct left_out {
    const char *path; /* of the directory or archive; NULL: the names have it */
    const char *what; /* of what it is left out: "the patch" */
    bool quiet;
    size_t count;
    const char *last; /* the last name that was said, and how much of it */
    size_t length;
} left_out;

/* For mst_patch_options and mst_merge_options: a file that is neither a level nor what one needs. */
void left_out_take(void *user, const char *name);
/* Whether a name, from `offset` on, must not name a file; each folder is said once if the names are in
 * order, and stay valid. `hidden`: also says those that are hidden, which a folder may well have. */
bool left_out_name(left_out *all, const char *name, size_t offset, bool hidden);
/* The same of all names of a container. */
void left_out_names(left_out *all, const mst_container *files, bool hidden);
/* Says how many there are that have not been named. */
void left_out_end(const left_out *all);

#endif
