/* SPDX-License-Identifier: MIT */
/* What the tables give every record of its kind: scenes and checks need not ask whether it is there. */
#ifndef MST_FORMATS_PRESENT_H
#define MST_FORMATS_PRESENT_H

#include "../core/never.h"
#include "../schema/engine.h"

/* A field of a record: one that stands in its table without a condition. */
static inline mst_value mst_member_in(const mst_value *record, const char *name) {
    mst_value member = *record;
    mst_status status = mst_member(record, name, &member);
    if (MST_NEVER(status != MST_OK)) /* callers ask for no other names */
        return *record;
    return member;
}

/* An element of a list that has more than `index`. */
static inline mst_value mst_element_in(const mst_value *list, uint64_t index) {
    mst_value element = *list;
    mst_status status = mst_element(list, index, &element);
    if (MST_NEVER(status != MST_OK)) /* callers count to the length of the list */
        return *list;
    return element;
}

/* A field of all records of a list, which are of one size. */
static inline mst_column mst_column_in(const mst_value *list, const char *name) {
    const mst_column none = {.data = list->document->data};
    mst_column column = none;
    bool found = mst_column_of(list, name, &column);
    if (MST_NEVER(!found)) /* as with members */
        return none;
    return column;
}

/* The same of a list that a walk meets. */
static inline mst_column mst_column_in_item(const mst_document *document, const mst_item *item,
                                            const char *name) {
    const mst_column none = {.data = document->data};
    mst_column column = none;
    bool found = mst_column_of_item(document, item, name, &column);
    if (MST_NEVER(!found))
        return none;
    return column;
}

#endif
