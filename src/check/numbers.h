/* SPDX-License-Identifier: MIT */
/*
 * Visits all numbers of a document, in the order of the file, with the enclosing records, so that their
 * targets can be looked up (refers.h). Lists of records of one size that have only numbers are visited by
 * column: one call for each of their fields.
 */
#ifndef MST_CHECK_NUMBERS_H
#define MST_CHECK_NUMBERS_H

#include "refers.h"

/* A field of `count` elements, `stride` bytes apart, with `components` numbers each. */
typedef struct mst_numbers {
    const mst_item *item;
    const mst_field *field;
    uint64_t offset, stride, count;
    uint32_t components;
    const char *column; /* the field's name, if the item is a list of records; NULL: the item is the field */
    uint64_t element;   /* offset of the first element's record, if that has a fixed size */
    const mst_record *record;
} mst_numbers;

/* An enclosing list, record or element at the walk's position. */
typedef struct mst_numbers_step {
    const char *name;
    uint64_t index; /* of an element; UINT64_MAX for fields */
    const mst_field *field;
    uint64_t offset;
} mst_numbers_step;

#define MST_NUMBERS_LEVELS 64 /* paths of values nested deeper lack their last steps */

/* Why a field is visited. */
enum { MST_NUMBERS_ITEM = 1 << 0, MST_NUMBERS_NUMBER = 1 << 1 };

typedef struct mst_numbers_walk mst_numbers_walk;
struct mst_numbers_walk {
    const mst_document *document;
    void *user;
    /* Called for every item before anything else, and for every list and record after it is entered and when
     * it is left. May be NULL. */
    mst_status (*item)(mst_numbers_walk *walk, const mst_item *item);
    mst_status (*enter)(mst_numbers_walk *walk, const mst_item *item);
    void (*leave)(mst_numbers_walk *walk);
    /* Whether the 32-bit floats of a list need not be visited. NULL: they are visited. */
    bool (*skips_floats)(mst_numbers_walk *walk, const mst_item *list, const mst_plan *plan);
    mst_status (*numbers)(mst_numbers_walk *walk, const mst_numbers *numbers);
    const mst_run *const
        *runs; /* of mst_runs_between, with bits MST_NUMBERS_...; NULL: everything is visited */
    mst_numbers_step steps[MST_NUMBERS_LEVELS];
    uint32_t depth;
    mst_refers_state refers; /* begun by the caller */
};

mst_status mst_numbers_visit(mst_numbers_walk *walk, mst_diagnostic *diagnostic);

/* The path of an item at the walk's position, and of component `component` of element `element` of numbers.
 * Return the length, like mst_path_step. */
size_t mst_numbers_item_path(const mst_numbers_walk *walk, const mst_item *item, char *path, size_t capacity);
size_t mst_numbers_path(const mst_numbers_walk *walk, const mst_numbers *numbers, uint64_t element,
                        uint64_t component, char *path, size_t capacity);

/* Whether the condition of a fact holds for an element of numbers, and the element is not vacant. */
bool mst_numbers_apply(const mst_numbers_walk *walk, const mst_numbers *numbers, const mst_refers *fact,
                       uint64_t element);

/* Sets the marks (of `count`) of the elements that the numbers refer to by the fact to `mark`. */
void mst_numbers_mark(const mst_numbers_walk *walk, const mst_numbers *numbers, const mst_refers *fact,
                      uint8_t *marks, uint64_t count, uint8_t mark);

#endif
