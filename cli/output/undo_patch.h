/* SPDX-License-Identifier: MIT */
/* Reverts an edit: a patch from before to after, to be applied in reverse. */
#ifndef CLI_OUTPUT_UNDO_PATCH_H
#define CLI_OUTPUT_UNDO_PATCH_H

#include "../inputs/opened_source.h"

typedef struct undo {
    const char *to; /* the file of the patch; NULL: not wanted */
    source before;
    size_t documents; /* of the edited level */
} undo;

/* Keeps the input before it is edited; returns the exit code. Call undo_end in any case. */
int undo_begin(undo *all, const options *given, const char *file, const source *opened);
/* Writes the patch to `after`; returns the exit code. */
int undo_write(undo *all, const char *file, const source *after);
void undo_end(undo *all);

#endif
