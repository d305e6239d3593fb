/* SPDX-License-Identifier: MIT */
/* What takes an edit back: a patch from before to after, which can be reversed. */
#ifndef CLI_OUTPUT_UNDO_PATCH_H
#define CLI_OUTPUT_UNDO_PATCH_H

#include "../inputs/opened_source.h"

typedef struct undo {
    const char *to; /* the file of the patch; NULL: none is wanted */
    source before;
    size_t documents; /* of the level that is edited */
} undo;

/* Remembers the input before it is edited; the exit code. End with undo_end in any case. */
int undo_begin(undo *all, const options *given, const char *file, const source *opened);
/* Writes the patch to `after`; the exit code. */
int undo_write(undo *all, const char *file, const source *after);
void undo_end(undo *all);

#endif
