/* SPDX-License-Identifier: MIT */
/* What --dry-run prints in place of writing: the lines of 'mapstone diff' from before to after. */
#ifndef CLI_OUTPUT_DRY_RUN_H
#define CLI_OUTPUT_DRY_RUN_H

#include "../inputs/opened_source.h"

/* Zero-initialise it. */
typedef struct dry_run {
    mst_document *before; /* NULL: it was not begun */
    size_t documents;     /* of the level before the edit */
} dry_run;

/* Remembers the first document before it is edited; the exit code. End with dry_run_end in any case. */
int dry_run_begin(dry_run *all, const char *file, const source *opened);
/* Prints what has changed in it, and in other files that changed with it; the exit code. */
int dry_run_print(const dry_run *all, const options *given, const char *file, const source *after);
void dry_run_end(dry_run *all);

#endif
