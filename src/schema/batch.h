/* SPDX-License-Identifier: MIT */
/*
 * Sets of values that wait to be proved together. What keeps its size is written at once; what changes it
 * waits, so that the bytes behind all of them move once. Until then every offset is that of before.
 */
#ifndef MST_SCHEMA_BATCH_H
#define MST_SCHEMA_BATCH_H

#include "engine.h"
#include "finder.h"
#include <mapstone/edit.h>

/* A value that was set. */
typedef struct mst_batch_set {
    const char *path;
    mst_chain chain;
    uint64_t from, to; /* its bytes as they were */
    uint8_t *bytes;    /* that replace them; NULL: they were written in place */
    size_t size;
} mst_batch_set;

typedef struct mst_batch {
    mst_document *document;
    const mst_document *before; /* the document before all sets that wait; NULL: it has to be copied first */
    mst_document *own;          /* `before`, if it is a copy */
    mst_finder finder;
    mst_arena arena;   /* of the sets */
    mst_array written; /* mst_batch_set: in place */
    mst_array waiting; /* mst_batch_set, by their place in the file */
} mst_batch;

/* `original`: the same as the document, and stays so. */
void mst_batch_begin(mst_batch *batch, mst_document *document, const mst_document *original);
void mst_batch_end(mst_batch *batch);

/* Sets a value, if that can wait; else `done` is false, and nothing has happened. (edit.c) */
mst_status mst_batch_set_value(mst_batch *batch, const char *path, const char *json, bool *done,
                               mst_diagnostic *diagnostic);
/* Notes a value that is set. MST_NO_MEMORY. */
mst_status mst_batch_note(mst_batch *batch, const mst_batch_set *set);

/* Whether some of these bytes wait to be replaced. */
bool mst_batch_covers(const mst_batch *batch, uint64_t from, uint64_t to);
/* The value at a path, which is read: what it has waits no longer. */
mst_status mst_batch_find(mst_batch *batch, const char *path, mst_value *value, mst_diagnostic *diagnostic);

/* Carries out and proves all that waits. On failure the document must be given up. */
mst_status mst_batch_settle(mst_batch *batch, mst_diagnostic *diagnostic);
/* The document is about to be changed otherwise: settles. */
mst_status mst_batch_leave(mst_batch *batch, mst_diagnostic *diagnostic);

#endif
