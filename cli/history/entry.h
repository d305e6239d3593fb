/* SPDX-License-Identifier: MIT */
/* The changes that one command made: for each file how to make either of its two states from the other. */
#ifndef CLI_HISTORY_ENTRY_H
#define CLI_HISTORY_ENTRY_H

#include "../../src/core/delta.h"
#include "../../src/core/fingerprint.h"
#include "../output/streams.h"

enum { HISTORY_BEFORE, HISTORY_AFTER };

/* A file before or after the command. */
typedef struct history_state {
    bool there; /* else the file does not exist */
    uint64_t size;
    char print[MST_FINGERPRINT];
} history_state;

typedef struct history_file {
    char *path; /* from the root */
    history_state states[2];
    mst_delta ways[2]; /* how to make that state from the other one */
} history_file;

typedef struct history_entry {
    uint64_t number;
    int64_t time; /* seconds since 1970 */
    char *command;
    size_t count;
    history_file *files;
} history_entry;

/* Appends a changed file to the files of an entry; `before` or `after` is NULL if it does not exist then. */
void history_put_file(stream *to, const char *path, const void *before, size_t before_size, const void *after,
                      size_t after_size);
/* The bytes of an entry with that number of files. */
stream history_put_entry(uint64_t number, int64_t time, const char *command, const stream *files,
                         size_t count);
/* Parses an entry; false if the bytes are not from history_put_entry. Free it in any case. */
bool history_take_entry(history_entry *entry, const void *bytes, size_t size);
void history_entry_free(history_entry *entry);

/* Whether a file is in that state; `bytes` NULL: it does not exist. */
bool history_is_state(const history_state *state, const void *bytes, size_t size);
/* Makes the bytes of that state from the other one; free them. NULL: the result is not that state. */
char *history_make(const history_file *file, int state, const void *other);

#endif
