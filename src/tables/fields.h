/* SPDX-License-Identifier: MIT */
/* Iterating over the fields of a format's tables. */
#ifndef MST_TABLES_FIELDS_H
#define MST_TABLES_FIELDS_H

#include "schema.h"
#include <string.h>

/* A field that is a stream of chunks is followed by those of its chunks, unknown ones last. */
typedef struct mst_fields {
    const mst_record *record; /* the one that has `field` */
    const mst_field *field;
    const mst_chunks *chunks; /* that it is a case of; NULL: it is the record's own */
    /* the following records */
    const mst_record *const *records;
    size_t record_count;
    uint16_t next;
    uint8_t next_case;
} mst_fields;

/* The fields of all records of a format, or of one record; false: there are no more. */
mst_fields mst_fields_of_format(const mst_format *format);
mst_fields mst_fields_of_record(const mst_record *record);
bool mst_fields_next(mst_fields *it);

/* The last name of a path. */
static inline const char *mst_last_name(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* How elements of a list are compared; NULL: the format does not specify it. */
const mst_compared *mst_compared_facts(const mst_format *format, const mst_field *list);
/* The same for a list by its path. */
const mst_compared *mst_compared_of_list(const mst_format *format, const char *path);
/* Whether a path in an element is its kind's, which others of the kind have too, and not its own name or
 * number. */
bool mst_compared_is_kind(const mst_compared *facts, const char *path);

/* Whether other files, and nothing in this one, refer to elements of a list, or of lists in its elements, by
 * index. */
bool mst_is_known_elsewhere(const mst_format *format, const char *path);

#endif
