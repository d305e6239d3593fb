/* SPDX-License-Identifier: MIT */
/* Says which files of a directory or archive a command leaves out, and why. */
#ifndef CLI_LEFT_OUT_H
#define CLI_LEFT_OUT_H

#include "output.h"
#include <mapstone/container.h>

typedef struct left_out {
    const char *path; /* of the directory or archive */
    const char *what; /* of what it is left out: "the patch" */
    bool quiet;
    size_t count;
} left_out;

/* For mst_patch_options and mst_merge_options: a file that is neither a level nor what one needs. */
void left_out_take(void *user, const char *name);
/* Names that must not be those of files: each folder or file once. `hidden`: hidden ones, too, which a folder
 * may well have. */
void left_out_names(left_out *all, const mst_container *files, bool hidden);
/* Says how many there are that have not been named. */
void left_out_end(const left_out *all);

#endif
