/* SPDX-License-Identifier: MIT */
/* Shorthands for tables: included only by the files that describe formats. */
#ifndef MST_TABLES_WORDS_H
#define MST_TABLES_WORDS_H

#include "schema.h"

#define BIND(variable) .bind = (variable) + 1
#define U8             .kind = MST_KIND_U8
#define I8             .kind = MST_KIND_I8
#define U16            .kind = MST_KIND_U16
#define I16            .kind = MST_KIND_I16
#define U32            .kind = MST_KIND_U32
#define I32            .kind = MST_KIND_I32
#define F32            .kind = MST_KIND_F32
#define FIXED(n)       .mode = MST_COUNT_FIXED, .count = (n)
#define TO_END         .mode = MST_COUNT_TO_END
#define RAW_TO_END     .kind = MST_KIND_RAW, TO_END
/* Elements after a u32 count. */
#define LIST(r) .kind = MST_KIND_RECORD, MST_PREFIXED, .record = &(r)
#define BYTES   .kind = MST_KIND_RAW, MST_PREFIXED

/* Present if all hold: IF(FROM(8), IS(R_KIND, 2)). UNTIL does not include its version. */
#define IF(...) .when = {__VA_ARGS__}
#define IS(variable, n)                                                                                      \
    { MST_EQUAL, (variable), (n) }
#define IS_NOT(variable, n)                                                                                  \
    { MST_NOT_EQUAL, (variable), (n) }
#define FROM(version)  MST_FROM(version)
#define UNTIL(version) MST_UNTIL(version)

#define NAMES(array)                                                                                         \
    .names = &(const mst_enum) {                                                                             \
        (array), MST_COUNT_OF(array)                                                                         \
    }
/* A list of mst_refers. */
#define REFERS(...)                                                                                          \
    .refers = (const mst_refers[]){__VA_ARGS__},                                                             \
    .refers_count = sizeof((const mst_refers[]){__VA_ARGS__}) / sizeof(mst_refers)
#define NO(...) .none = {__VA_ARGS__}, .nones = sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

/* A format lists its records once: `#define RECORDS(X) X(file) X(point)`. The enum and the array
 * come from that list: `enum { RECORDS(RECORD_INDEX) };` and `{RECORDS(RECORD_ADDRESS)}`. */
#define RECORD_INDEX(variable)   I_##variable,
#define RECORD_ADDRESS(variable) &variable,

/* `variable`_fields is its table; the doc string follows, then any other members to set. */
#define RECORD(variable, label, ...)                                                                         \
    static const mst_record variable = {.name = label,                                                       \
                                        .index = I_##variable,                                               \
                                        .fields = variable##_fields,                                         \
                                        .field_count = MST_COUNT_OF(variable##_fields),                      \
                                        .doc = __VA_ARGS__}

#endif
