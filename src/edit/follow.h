/* SPDX-License-Identifier: MIT */
/*
 * The consequences of inserting or removing an element: rows of parallel lists, numbers that name later
 * elements, and references to a removed one. The facts are in the tables: mst_refers, `parallel` and the
 * flags of lists.
 */
#ifndef MST_EDIT_FOLLOW_H
#define MST_EDIT_FOLLOW_H

#include "../read/engine.h"
#include <mapstone/edit.h>

struct mst_insertion;

/* Whether inserting or removing elements of the list can affect anything else. */
bool mst_is_followed(const mst_format *format, const mst_field *list);

/* Whether insertions into such a list only change numbers elsewhere that name its later elements, and add
 * rows to parallel lists: then several can be inserted at once. */
bool mst_is_followed_at_once(const mst_document *document, const mst_field *list);
#define MST_PARALLEL_MAX 4 /* lists that are parallel to one; no format has as many */
bool mst_has_parallel(const mst_format *format, const mst_field *list);
/* Whether the list's length is given by a count or by its end. */
bool mst_is_counted(const mst_field *list);

/* Inserts or removes one element, with all consequences. Several steps: on failure the document may be
 * between two of them. `list` is the value before the last in `chain`, or for an insertion the last. */
mst_status mst_follow_removal(mst_document *document, const mst_chain *chain, const mst_edit_options *options,
                              mst_diagnostic *diagnostic);
/* The same for several elements of the list at a path, in ascending order. `exact`: MST_UNSUPPORTED, and
 * nothing has changed, if others of the list would also be removed. */
mst_status mst_follow_removals(mst_document *document, const char *path, const uint64_t *indices,
                               size_t count, bool exact, const mst_edit_options *options,
                               mst_diagnostic *diagnostic);
/* Whether elements can be removed together: they are not in archives, whose blocks are padded, and nothing
 * depends on the order of removals. */
bool mst_goes_together(const mst_format *format);
/* Whether an element can be inserted into a list (`by` 1; `last`: after all others) or removed (-1; `last`:
 * the last one) together with others, by one edit. */
bool mst_come_together(const mst_value *list, int by, bool last);
mst_status mst_follow_insertion(mst_document *document, const mst_chain *chain, uint64_t index,
                                const char *json, uint64_t copied, const mst_edit_options *options,
                                mst_diagnostic *diagnostic);
/* Inserts elements, by ascending index, into a list for which mst_is_followed_at_once holds, with all
 * consequences. On failure the document may be between two steps. */
mst_status mst_follow_insertions(mst_document *document, const char *path,
                                 const struct mst_insertion *insertions, size_t count,
                                 const mst_edit_options *options, mst_diagnostic *diagnostic);
/* Puts the elements of a list into another order: `now` is the new index of each. */
mst_status mst_follow_order(mst_document *document, const char *path, const uint32_t *now,
                            const mst_edit_options *options, mst_diagnostic *diagnostic);
/* Whether the elements of a list may contain such a record; in formats with very many records: true. */
bool mst_record_is_inside(const mst_format *format, const mst_field *list, const mst_record *record);
/* Whether numbers name runs of the list's elements, whose ends the elements themselves state. */
bool mst_has_runs(const mst_format *format, const mst_field *list);
/* Whether numbers may also name the place after the last element. */
bool mst_is_named_past_end(const mst_format *format, const mst_field *list);
/* The number by which others refer to the list's elements; NULL: they refer to them by index. */
const char *mst_key_of(const mst_format *format, const mst_field *list);
/* The values by which references to the list's elements name none. */
#define MST_NO_KEYS 16 /* no format has as many */
typedef struct mst_no_keys {
    uint64_t keys[MST_NO_KEYS];
    size_t count;
} mst_no_keys;
void mst_no_keys_of(const mst_format *format, const mst_field *list, mst_no_keys *all);
bool mst_is_no_key(const mst_no_keys *all, uint64_t key);
/* Whether the elements' indices are places in a grid: another index has another meaning. */
bool mst_stands_in_grid(const mst_format *format, const mst_field *list);

#endif
