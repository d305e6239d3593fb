/* SPDX-License-Identifier: MIT */
/* Renames that belong together, written down before they begin, so that they can be ended after the process
 * was killed between two of them. */
#ifndef MST_CORE_JOURNAL_H
#define MST_CORE_JOURNAL_H

#include "../system/system.h"

#define MST_JOURNAL_NAME     ".mapstone-journal"
#define MST_TEMPORARY_PREFIX ".mapstone-"
#define MST_PATH_CAPACITY    4096

/* A rename. All three names are in one directory. */
typedef struct mst_journal_entry {
    const char *target, *temporary;
    const char *kept;             /* the second name that the old file gets; "": it gets none */
    mst_system_info before, made; /* the old file, the new one */
    bool replaces;                /* there is an old file */
} mst_journal_entry;

typedef struct mst_journal {
    int file; /* -1: there is none */
    size_t root;
    char path[MST_PATH_CAPACITY + sizeof MST_JOURNAL_NAME];
} mst_journal;

/* Writes down `count` renames, which `get` says; they may begin when it returns. Where no file can be created
 * in the directory that all have in common there is no journal. EBUSY: another process has one for long. */
int mst_journal_begin(mst_journal *journal, size_t count,
                      mst_journal_entry (*get)(const void *user, size_t index), const void *user,
                      bool durable);
/* All of them have been done, or none. */
void mst_journal_end(mst_journal *journal);
/* Neither: whoever recovers the directory ends them. */
void mst_journal_leave(mst_journal *journal);

#endif
