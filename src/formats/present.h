/* SPDX-License-Identifier: MIT */
/* Accessors for members that the tables guarantee, for scenes and checks that need not test for them. */
#ifndef MST_FORMATS_PRESENT_H
#define MST_FORMATS_PRESENT_H

#include "../core/unreachable.h"
#include "../read/engine.h"

/* An empty record, for a value that existed when the document was opened and has changed since. */
static inline mst_value mst_nothing_in(const mst_value *value) {
    mst_value none = *value;
    none.field = &mst_document_field;
    none.shape = MST_SHAPE_ONE | MST_SHAPE_IN_CHUNK;
    none.offset = none.end;
    return none;
}

/* A field that the record's table has without a condition. */
static inline mst_value mst_member_in(const mst_value *record, const char *name) {
    mst_value member = *record;
    mst_status status = mst_member(record, name, &member);
    if (MST_CHANGED(status != MST_OK)) /* callers use no other names */
        return mst_nothing_in(record);
    return member;
}

/* Element `index` of a list that is longer than `index`. */
static inline mst_value mst_element_in(const mst_value *list, uint64_t index) {
    mst_value element = *list;
    mst_status status = mst_element(list, index, &element);
    if (MST_CHANGED(status != MST_OK)) /* callers count to the length of the list */
        return mst_nothing_in(list);
    return element;
}

/* The first `count` bytes (at most 32) of a value that has at least that many. */
static inline const uint8_t *mst_bytes_in(const mst_value *value, size_t count) {
    static const uint8_t none[32] = {0};
    bool there = count <= sizeof none && mst_fits(value->offset, count, value->end);
    return MST_CHANGED(!there) ? none : value->document->data + value->offset;
}

/* A field of all records of a list, which have the same size. */
static inline mst_column mst_column_in(const mst_value *list, const char *name) {
    const mst_column none = {.data = list->document->data};
    mst_column column = none;
    bool found = mst_column_of(list, name, &column);
    if (MST_CHANGED(!found)) /* as in mst_member_in */
        return none;
    return column;
}

/* The same for a list that may be missing, and then has no elements. */
static inline mst_column mst_column_if(const mst_value *list, const char *name) {
    const mst_column none = {0};
    return list->document ? mst_column_in(list, name) : none;
}

/* The same for a list that a walk visits. */
static inline mst_column mst_column_in_item(const mst_document *document, const mst_item *item,
                                            const char *name) {
    const mst_column none = {.data = document->data};
    mst_column column = none;
    bool found = mst_column_of_item(document, item, name, &column);
    if (MST_CHANGED(!found))
        return none;
    return column;
}

#endif
