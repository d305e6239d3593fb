/* SPDX-License-Identifier: MIT */
/* The output directory of merged files: all of them are written or none. */
#ifndef CLI_OUTPUT_MERGE_OUTPUT_H
#define CLI_OUTPUT_MERGE_OUTPUT_H

#include <mapstone/file.h>
#include <mapstone/merge.h>
#include <stdbool.h>

/* Zero-initialise it. */
typedef struct set_output {
    bool in_place;   /* the directory is OURS */
    bool said;       /* a message has been written */
    char *directory; /* with a slash; NULL: nothing is written */
    mst_file_writer **writers;
    size_t count, capacity;
    char **made, **gone; /* created directories; files to remove */
    size_t made_count, gone_count;
} set_output;

/* Call it before reading a directory that will be changed: recover_at. */
void set_output_recover(const char *directory);
/* False, with a message, if the directory is not OURS and not empty. */
bool set_output_begin(set_output *out, const char *directory, const char *ours);
/* An mst_merged_function; `user` is the output. */
mst_status set_output_take(void *user, const mst_merged_file *file);
/* Ends it in any case; unless the code is EXIT_YES, everything written is removed. Returns the exit code. */
int set_output_end(set_output *out, int code);

#endif
