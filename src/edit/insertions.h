/* SPDX-License-Identifier: MIT */
/*
 * Insertions that wait: elements are inserted into one list together, so that the bytes after them move once
 * and the result is proved once, where the only consequences are numbers and rows.
 */
#ifndef MST_EDIT_INSERTIONS_H
#define MST_EDIT_INSERTIONS_H

#include "../read/landmarks.h"
#include "complete.h"
#include "fresh_ids.h"
#include "single_edit.h"

typedef struct mst_insertions {
    mst_document *document;
    const mst_edit_options *options;
    const char *list; /* its path; NULL: nothing waits */
    mst_value value;  /* the list itself, as long as something waits */
    uint64_t count;   /* its elements */
    bool followed;    /* numbers elsewhere name them, or other lists are parallel to it */
    bool kinds;       /* new elements are completed from others of their kind */
    bool unkeyed;     /* the kind of some waiting elements is unknown */
    bool expands;     /* some waiting elements are given in the format's own form */
    bool named;       /* a copy may have the name of its original */
    mst_likes likes;
    mst_fresh_ids ids; /* if others refer to the elements by id: then only copies wait */
    mst_landmarks landmarks;
    /* mst_insertion, ascending: those up to the latest insertion, and, the nearest last, those after it.
     * Their index is the number of the list's own elements before them; once they are gathered for settling,
     * it is their final index. */
    mst_array items, after;
    uint64_t weight; /* bytes that they take */
    mst_arena arena;
} mst_insertions;

void mst_insertions_begin(mst_insertions *insertions, mst_document *document,
                          const mst_edit_options *options);
void mst_insertions_end(mst_insertions *insertions);

/* Adds an element at a path, completed as by mst_complete, if it can wait; else `done` is false, and nothing
 * waits. */
mst_status mst_insertions_add(mst_insertions *insertions, const char *path, const char *json, bool *done,
                              mst_diagnostic *diagnostic);
/* The same for a copy of the element at a path, at index `to` (NULL: after it). */
mst_status mst_insertions_copy(mst_insertions *insertions, const char *path, const char *to, bool *done,
                               mst_diagnostic *diagnostic);
/* Applies and proves all waiting insertions. On failure the document must be discarded. */
mst_status mst_insertions_settle(mst_insertions *insertions, mst_diagnostic *diagnostic);

#endif
