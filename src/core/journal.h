/* SPDX-License-Identifier: MIT */
/* Renames that belong together, recorded before they begin, so that they can be completed if the process is
 * killed between two of them. */
#ifndef MST_CORE_JOURNAL_H
#define MST_CORE_JOURNAL_H

#include "../system/system.h"

#define MST_JOURNAL_NAME     ".mapstone-journal"
#define MST_TEMPORARY_PREFIX ".mapstone-"
#define MST_PATH_CAPACITY    4096

/* A rename. All three names are in one directory. */
typedef struct mst_journal_entry {
    const char *target, *temporary;
    const char *kept;             /* the old file's second name; "": none */
    mst_system_info before, made; /* the old file, the new one */
    bool replaces;                /* there is an old file */
} mst_journal_entry;

typedef struct mst_journal {
    int file; /* -1: there is none */
    size_t root;
    char path[MST_PATH_CAPACITY + sizeof MST_JOURNAL_NAME];
} mst_journal;

/* Records `count` renames, provided by `get`; they may begin when it returns. If no file can be created in
 * their common directory, there is no journal. EBUSY: another process has kept one for too long. */
int mst_journal_begin(mst_journal *journal, size_t count,
                      mst_journal_entry (*get)(const void *user, size_t index), const void *user,
                      bool durable);
/* All of the renames have been done, or none. */
void mst_journal_end(mst_journal *journal);
/* Neither: recovering the directory completes them. */
void mst_journal_leave(mst_journal *journal);

#endif
