/* SPDX-License-Identifier: MIT */
/* What one command changed: for each file how each of its two states is made of the other one. */
#ifndef CLI_HISTORY_ENTRY_H
#define CLI_HISTORY_ENTRY_H

#include "../../src/core/delta.h"
#include "../../src/core/fingerprint.h"
#include "../output/streams.h"

enum { HISTORY_BEFORE, HISTORY_AFTER };

/* A file before or after the command. */
typedef struct history_state {
    bool there; /* else there was no such file */
    uint64_t size;
    char print[MST_FINGERPRINT];
} history_state;

typedef struct history_file {
    char *path; /* from the root */
    history_state states[2];
    mst_delta ways[2]; /* what makes that state of the other one */
} history_file;

typedef struct history_entry {
    uint64_t number;
    int64_t time; /* seconds since 1970 */
    char *command;
    size_t count;
    history_file *files;
} history_entry;

/* Appends a changed file to those of an entry; `before` or `after` is NULL if there is no such file. */
void history_put_file(stream *to, const char *path, const void *before, size_t before_size, const void *after,
                      size_t after_size);
/* The bytes of an entry with so many of them. */
stream history_put_entry(uint64_t number, int64_t time, const char *command, const stream *files,
                         size_t count);
/* Takes an entry apart; false if these are not bytes of history_put_entry. Free it in any case. */
bool history_take_entry(history_entry *entry, const void *bytes, size_t size);
void history_entry_free(history_entry *entry);

/* Whether a file is in that state; `bytes` NULL: there is no such file. */
bool history_is_state(const history_state *state, const void *bytes, size_t size);
/* The bytes of that state, made of the other one; free's. NULL: the result is another one. */
char *history_make(const history_file *file, int state, const void *other);

#endif
