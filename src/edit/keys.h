/* SPDX-License-Identifier: MIT */
/* Ids and names by which others refer to an element, when an edit sets them: the others still have the old
 * one. */
#ifndef MST_EDIT_KEYS_H
#define MST_EDIT_KEYS_H

#include "../read/engine.h"
#include <mapstone/edit.h>

#define MST_KEYS_MAX 32 /* keys of an edit that are reported; the checks examine all */

/* A key that was set. */
typedef struct mst_key {
    const char *path, *list; /* of the value, and of the list that its element is in */
    const char *name;        /* of the field */
    uint64_t old, now;
    /* Results of the search. */
    uint64_t at, end;                /* the list's bytes */
    uint64_t others, sharers, users; /* elements with the old key, with the new one; users of the old one */
    const char *first;               /* the path of one user */
    bool stuck;                      /* a user cannot hold the new one */
} mst_key;

typedef struct mst_keys {
    mst_arena arena;
    const mst_format *format;
    size_t count;
    mst_key items[MST_KEYS_MAX];
} mst_keys;

void mst_keys_begin(mst_keys *keys, const mst_document *document);
void mst_keys_end(mst_keys *keys);
/* The value at `path` is about to be set. `noted`: it is a key, and mst_keys_set needs the new value. */
mst_status mst_keys_note(mst_keys *keys, const mst_value *value, const char *path, bool *noted);
void mst_keys_set(mst_keys *keys, const mst_value *value);
/* After all operations: the sets that update references to a key that only the element with the new key had,
 * as mst_operation, with texts in the arena of `keys`. Reports their number. */
mst_status mst_keys_follow(mst_keys *keys, const mst_document *document, const mst_edit_options *options,
                           mst_array *sets, mst_diagnostic *diagnostic);
/*
 * After that. MST_REFUSED, unless the options force it: no element has the old key, and others still name it.
 * Only reported if other elements have the old key.
 */
mst_status mst_keys_judge(mst_keys *keys, const mst_document *after, const mst_edit_options *options,
                          mst_diagnostic *diagnostic);
/* After the checks, which refuse keys that have to be unique: reports how many others have a new one. */
mst_status mst_keys_say_taken(const mst_keys *keys, const mst_edit_options *options);

#endif
