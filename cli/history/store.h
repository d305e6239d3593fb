/* SPDX-License-Identifier: MIT */
/*
 * Where entries are kept: a directory of the user's that nobody else can read, with a file for each entry and
 * `log`, which says in which order they were made, of which files, and which are undone. Whoever reads or
 * changes it holds a lock. Each file is replaced as a whole; what a killed command leaves is overwritten by
 * the next one. Nothing waits until it is on the disk: after a power failure entries may be damaged, which is
 * reported, and are never applied.
 */
#ifndef CLI_HISTORY_STORE_H
#define CLI_HISTORY_STORE_H

#include "entry.h"

#define HISTORY_PER_FILE 50
#define HISTORY_BYTES    (UINT64_C(64) << 20) /* of all entries */

/* A line of the log. */
typedef struct history_line {
    uint64_t number, bytes;
    bool undone;
    uint64_t *keys; /* of its files, and of directories that the command was given */
    size_t key_count;
} history_line;

typedef struct history_store {
    char *folder; /* with a separator at its end */
    int held;     /* the lock; -1: there is none */
    uint64_t next;
    history_line *lines; /* in the order in which they were made */
    size_t count;
} history_store;

/* What a file is listed by: its path from the root without links, with no regard to case. */
uint64_t history_key(const char *path);
/* That path of something that may no longer be there; to be freed. NULL: its directory is not there either.
 */
char *history_path(const char *path);

/* Opens and locks it. `create`: makes the directory if it is missing. False: there is none, or it cannot be
 * used; a message says so unless `create`. Close it in any case. */
bool history_open(history_store *store, bool create);
void history_close(history_store *store);

/* Adds an entry; `keys` are the caller's. False, with a warning, if it cannot be written. */
bool history_add(history_store *store, const stream *files, size_t count, const char *words,
                 const uint64_t *keys, size_t key_count);
/* Reads the entry of a line; false, with an error, if it is damaged. */
bool history_read(const history_store *store, const history_line *line, history_entry *entry);
/* Writes the log after lines have been undone or redone; false, with a warning, on failure. */
bool history_write(const history_store *store);
bool history_has_key(const history_line *line, uint64_t key);

#endif
