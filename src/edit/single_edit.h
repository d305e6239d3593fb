/* SPDX-License-Identifier: MIT */
/* Single edits of a document, without a copy from which they could be undone: see operations.c. */
#ifndef MST_EDIT_SINGLE_EDIT_H
#define MST_EDIT_SINGLE_EDIT_H

#include "../read/engine.h"
#include <mapstone/edit.h>

/* Change one value, and only the enclosing sizes and counts. `json` NULL: an element of zeros, without
 * text. */
mst_status mst_edit_set(mst_document *document, const char *path, const char *json,
                        mst_diagnostic *diagnostic);
/* The same; values that a record can no longer hold after a change of its type are lost and reported, if the
 * options allow that. */
mst_status mst_edit_set_losing(mst_document *document, const char *path, const char *json,
                               const mst_edit_options *options, mst_diagnostic *diagnostic);
/* The same; fields of a record that are not given become zero, empty or nothing. */
mst_status mst_edit_set_rest(mst_document *document, const char *path, const char *json,
                             mst_diagnostic *diagnostic);
mst_status mst_edit_remove(mst_document *document, const char *path, mst_diagnostic *diagnostic);
mst_status mst_edit_insert(mst_document *document, const char *path, const char *json,
                           mst_diagnostic *diagnostic);

/* The same with all consequences (follow.h): on failure the document may be between two steps. */
mst_status mst_edit_remove_all(mst_document *document, const char *path, const mst_edit_options *options,
                               mst_diagnostic *diagnostic);
/* `copied`: the element to copy, with the rows about it; UINT64_MAX: none. */
mst_status mst_edit_insert_all(mst_document *document, const char *path, const char *json, uint64_t copied,
                               const mst_edit_options *options, mst_diagnostic *diagnostic);

/* An element that is inserted together with others. */
typedef struct mst_insertion {
    uint64_t index;          /* after all insertions */
    const char *path, *json; /* as for mst_edit_insert; `json` NULL: an empty one */
    uint64_t copied;         /* index, before, of the element that it is a copy of; UINT64_MAX: none */
    size_t order;            /* larger for later insertions */
    bool expands;            /* `json` is still in the format's own form (adding.expands) */
} mst_insertion;
/* Inserts elements, by ascending index, into a list on which nothing else depends. */
mst_status mst_edit_insert_many(mst_document *document, const char *list, const mst_insertion *insertions,
                                size_t count, mst_diagnostic *diagnostic);

/* Removes elements, by ascending index, from a list on which nothing else depends. */
mst_status mst_edit_remove_many(mst_document *document, const char *list, const uint64_t *indices,
                                size_t count, mst_diagnostic *diagnostic);

/* Whether the value at a path equals the JSON, to the byte. */
mst_status mst_edit_compare(mst_document *document, const char *path, const char *json, bool *same,
                            mst_diagnostic *diagnostic);

/* A copy for edits, without the files that the document would be saved as: mst_serialize makes them. `copy`
 * is NULL on failure. */
mst_status mst_edit_copy(const mst_document *document, mst_document **copy, mst_diagnostic *diagnostic);
/* Makes an edited copy the document, and the document the copy. Handles of both are void. */
void mst_edit_adopt(mst_document *document, mst_document *copy);
/* Makes a copy of `from`, by the document's allocator, the document. */
mst_status mst_edit_take(mst_document *document, const mst_document *from, mst_diagnostic *diagnostic);
/* Gives the document other content, by bytes that it takes, also on failure. Handles are void then. */
mst_status mst_edit_replace(mst_document *document, mst_buffer *bytes, mst_diagnostic *diagnostic);
/* Refuses a size that is more than the document may grow to. `limit` 0: its own. */
mst_status mst_edit_may_grow(const mst_document *document, uint64_t size, uint64_t limit,
                             mst_diagnostic *diagnostic);
/* Opens the document's bytes again, which were changed in place. MST_REFUSED: they cannot be read. */
mst_status mst_edit_reopen(mst_document *document, mst_diagnostic *diagnostic);

/* Refuses a result that, unlike `before`, would not be opened as a file of its format: it has lost its last
 * node. */
mst_status mst_edit_recognize(const mst_document *before, const mst_document *after,
                              mst_diagnostic *diagnostic);
/* Reports findings in `after` that the checks of `before` (`was`; NULL: the same checks) did not report
 * there. MST_REFUSED, unless the options force it: one is an error, or a number that names nothing. */
mst_status mst_edit_recheck(const mst_document *before, const mst_check_options *was,
                            const mst_document *after, const mst_edit_options *options,
                            mst_diagnostic *diagnostic);

/* MST_REFUSED: a number in the merged document names nothing, which neither of the two has. `checks`: of
 * each. */
mst_status mst_edit_recheck_merged(const mst_document *ours, const mst_document *theirs,
                                   const mst_document *merged, const mst_check_options checks[3],
                                   mst_diagnostic *diagnostic);

/* The bytes of a document that has been built or edited; NULL: it has not. */
uint8_t *mst_edit_bytes(mst_document *document);

#endif
