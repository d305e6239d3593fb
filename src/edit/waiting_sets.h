/* SPDX-License-Identifier: MIT */
/*
 * Edits that wait to be proved together. Sets that keep the size are written at once; others wait, so that
 * the bytes after all of them move once. Until then every offset is unchanged.
 */
#ifndef MST_EDIT_WAITING_SETS_H
#define MST_EDIT_WAITING_SETS_H

#include "../read/engine.h"
#include "../read/landmarks.h"
#include <mapstone/edit.h>

/* A value that was set, or an element that is removed. */
typedef struct mst_batch_set {
    const char *path; /* of a removed element: its list's */
    mst_chain chain;
    bool goes;
    uint64_t from, to; /* its old bytes */
    uint8_t *bytes;    /* their replacement; NULL: they were written in place */
    size_t size;
} mst_batch_set;

typedef struct mst_batch {
    mst_document *document;
    const mst_document *before; /* the document before anything was written; NULL: nothing was */
    mst_document *own;          /* `before`, if it is a copy */
    mst_landmarks landmarks;
    mst_arena arena;   /* of the sets */
    mst_array written; /* mst_batch_set: in place */
    mst_array waiting; /* mst_batch_set, by their place in the file */
    uint64_t weight;   /* bytes of values that wait */
    mst_array going;   /* mst_batch_index, of removed elements; sorted while the batch settles */
} mst_batch;

typedef struct mst_batch_index {
    const void *field;
    uint64_t list, index; /* the list's offset */
} mst_batch_index;

/* `original`: equal to the document, and stays unchanged. */
void mst_batch_begin(mst_batch *batch, mst_document *document, const mst_document *original);
void mst_batch_end(mst_batch *batch);

/* Sets a value, if that can wait; else `done` is false, and nothing has changed. (single_edit.c) */
mst_status mst_batch_set_value(mst_batch *batch, const char *path, const char *json, bool *done,
                               mst_diagnostic *diagnostic);
/* Records a value that is set, or an element that is removed. MST_NO_MEMORY. */
mst_status mst_batch_note(mst_batch *batch, const mst_batch_set *set);

/* Records the removal of an element; the list's chain has room for one more step. */
mst_status mst_batch_remove(mst_batch *batch, const char *list_path, const mst_chain *list,
                            const mst_value *element, uint64_t index);

/* Whether some of these bytes wait to be replaced. */
bool mst_batch_covers(const mst_batch *batch, uint64_t from, uint64_t to);
/* The value at a path, for reading: edits inside it no longer wait. */
mst_status mst_batch_find(mst_batch *batch, const char *path, mst_value *value, mst_diagnostic *diagnostic);

/* Applies and proves all waiting edits. On failure the document must be discarded. */
mst_status mst_batch_settle(mst_batch *batch, mst_diagnostic *diagnostic);
/* Settles, because the document is about to be changed otherwise. */
mst_status mst_batch_leave(mst_batch *batch, mst_diagnostic *diagnostic);

#endif
