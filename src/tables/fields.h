/* SPDX-License-Identifier: MIT */
/* Going over the fields of a format's tables. */
#ifndef MST_TABLES_FIELDS_H
#define MST_TABLES_FIELDS_H

#include "schema.h"
#include <string.h>

/* A field that is a stream of chunks is followed by those of its chunks, unknown ones last. */
typedef struct mst_fields {
    const mst_record *record; /* in which `field` is */
    const mst_field *field;
    const mst_chunks *chunks; /* of which it is one; NULL: it is the record's own */
    /* what follows */
    const mst_record *const *records;
    size_t record_count;
    uint16_t next;
    uint8_t next_case;
} mst_fields;

/* Of all records of a format, or of one; false: there are no more. */
mst_fields mst_fields_of_format(const mst_format *format);
mst_fields mst_fields_of_record(const mst_record *record);
bool mst_fields_next(mst_fields *it);

/* The last name of a path. */
static inline const char *mst_last_name(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* How elements of a list are compared; NULL: the format says nothing. */
const mst_compared *mst_compared_facts(const mst_format *format, const mst_field *list);
/* The same of a list by its path. */
const mst_compared *mst_compared_of_list(const mst_format *format, const char *path);

/* Whether other files know the elements of a list by index, or those of lists in its elements, and nothing in
 * the file does. */
bool mst_is_known_elsewhere(const mst_format *format, const char *path);

#endif
