/* SPDX-License-Identifier: MIT */
/* The output of --dry-run: the lines of 'mapstone diff' from before to after. */
#ifndef CLI_OUTPUT_DRY_RUN_H
#define CLI_OUTPUT_DRY_RUN_H

#include "../inputs/opened_source.h"

/* Zero-initialise it. */
typedef struct dry_run {
    mst_document *before; /* NULL: not begun */
    size_t documents;     /* of the level before the edit */
} dry_run;

/* Keeps the first document before it is edited; returns the exit code. Call dry_run_end in any case. */
int dry_run_begin(dry_run *all, const char *file, const source *opened);
/* Prints the changes in it, and in other files that changed with it; returns the exit code. */
int dry_run_print(const dry_run *all, const options *given, const char *file, const source *after);
void dry_run_end(dry_run *all);

#endif
