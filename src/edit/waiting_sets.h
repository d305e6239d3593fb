/* SPDX-License-Identifier: MIT */
/*
 * Edits that wait to be proved together. What keeps its size is written at once; what changes it waits, so
 * that the bytes after all of them move once. Until then every offset is that of before.
 */
#ifndef MST_EDIT_WAITING_SETS_H
#define MST_EDIT_WAITING_SETS_H

#include "../read/engine.h"
#include "../read/landmarks.h"
#include <mapstone/edit.h>

/* A value that was set, or an element that goes. */
typedef struct mst_batch_set {
    const char *path; /* of an element that goes: its list's */
    mst_chain chain;
    bool goes;
    uint64_t from, to; /* its bytes as they were */
    uint8_t *bytes;    /* that replace them; NULL: they were written in place */
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
    mst_array going;   /* mst_batch_index, of the elements that go; sorted while the batch settles */
} mst_batch;

typedef struct mst_batch_index {
    const void *field;
    uint64_t list, index; /* the list's offset */
} mst_batch_index;

/* `original`: the same as the document, and stays so. */
void mst_batch_begin(mst_batch *batch, mst_document *document, const mst_document *original);
void mst_batch_end(mst_batch *batch);

/* Sets a value, if that can wait; else `done` is false, and nothing has happened. (single_edit.c) */
mst_status mst_batch_set_value(mst_batch *batch, const char *path, const char *json, bool *done,
                               mst_diagnostic *diagnostic);
/* Notes a value that is set, or an element that goes. MST_NO_MEMORY. */
mst_status mst_batch_note(mst_batch *batch, const mst_batch_set *set);

/* An element goes; the list's chain has room for one step more. */
mst_status mst_batch_remove(mst_batch *batch, const char *list_path, const mst_chain *list,
                            const mst_value *element, uint64_t index);

/* Whether some of these bytes wait to be replaced. */
bool mst_batch_covers(const mst_batch *batch, uint64_t from, uint64_t to);
/* The value at a path, which is read: what it has waits no longer. */
mst_status mst_batch_find(mst_batch *batch, const char *path, mst_value *value, mst_diagnostic *diagnostic);

/* Carries out and proves all that waits. On failure the document must be given up. */
mst_status mst_batch_settle(mst_batch *batch, mst_diagnostic *diagnostic);
/* The document is about to be changed otherwise: settles. */
mst_status mst_batch_leave(mst_batch *batch, mst_diagnostic *diagnostic);

#endif
