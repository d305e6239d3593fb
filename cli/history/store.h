/* SPDX-License-Identifier: MIT */
/*
 * The storage of entries: a directory that only the user can read, with a file for each entry and `log`,
 * which lists the order of the entries, their files, and which are undone. A lock is held while reading or
 * changing it. Each file is replaced as a whole; the next command overwrites the remains of a killed one.
 * Writes are not synchronised with the disk: after a power failure entries may be damaged, which is reported;
 * they are never applied.
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
    uint64_t *keys; /* of its files, and of directories that were given to the command */
    size_t key_count;
} history_line;

typedef struct history_store {
    char *folder; /* with a separator at the end */
    int held;     /* the lock; -1: none */
    uint64_t next;
    history_line *lines; /* in order of creation */
    size_t count;
} history_store;

/* The key that lists a file: its absolute path without links, ignoring case. */
uint64_t history_key(const char *path);
/* The same path for a file that may no longer exist; to be freed. NULL: its directory does not exist
 * either. */
char *history_path(const char *path);

/* Opens and locks it. `create`: creates the directory if it is missing. False: there is none, or it is
 * unusable, with a message unless `create`. Close it in any case. */
bool history_open(history_store *store, bool create);
void history_close(history_store *store);

/* Adds an entry; the caller keeps `keys`. False, with a warning, if it cannot be written. */
bool history_add(history_store *store, const stream *files, size_t count, const char *words,
                 const uint64_t *keys, size_t key_count);
/* Reads the entry of a line; false, with an error, if it is damaged. */
bool history_read(const history_store *store, const history_line *line, history_entry *entry);
/* Writes the log after lines have been undone or redone; false, with a warning, on failure. */
bool history_write(const history_store *store);
bool history_has_key(const history_line *line, uint64_t key);

#endif
