/* SPDX-License-Identifier: MIT */
/* Shared by the tables of Natural Selection 2: mesh_tables.c, property_tables.c and, for the rest,
 * ns2_tables.c. */
#ifndef MST_NS2_NS2_TABLES_H
#define MST_NS2_NS2_TABLES_H

#include "../../tables/words.h"
#include "ns2.h"

/* context variables; 0 is the version */
enum { R_ID = 1, R_TYPE, R_COMPONENTS, R_ANIMATED, R_HAS_LAYERS, R_INNER, R_PROPERTIES, R_COUNT, R_KIND };
#define NONE   0xFFFFFFFFu
#define NARROW .kind = MST_KIND_CHAR8, MST_PREFIXED
#define WIDE   .kind = MST_KIND_CHAR16, MST_PREFIXED
/* `animated` has a separate code */
#define IS_BOOL .rule = {.kind = MST_RULE_BOOL, .code = "NS2-BOOL"}
#define BOOL    .kind = MST_KIND_U32, .flags = MST_FIELD_BOOL, IS_BOOL
#define F32S(n) .kind = MST_KIND_F32, .mode = MST_COUNT_FIXED, .count = (n)
#define U32S    .kind = MST_KIND_U32, MST_PREFIXED

enum { MST_NS2_RECORDS(RECORD_INDEX) };
#define MST_NS2_RECORD_ADDRESS(label) &mst_ns2_##label##_record,

/* Its fields are `label`_fields; otherwise as RECORD. */
#define MST_NS2_RECORD(label, title, ...)                                                                    \
    const mst_record mst_ns2_##label##_record = {.name = title,                                              \
                                                 .index = I_##label,                                         \
                                                 .fields = label##_fields,                                   \
                                                 .field_count = MST_COUNT_OF(label##_fields),                \
                                                 .doc = __VA_ARGS__}
#define LIST_OF(label) LIST(mst_ns2_##label##_record)

extern const mst_field mst_ns2_unknown_chunks;
extern const mst_enum mst_ns2_none;

#define GROUP(...)                                                                                           \
    REFERS({.by = MST_BY_ID,                                                                                 \
            .target = "groups",                                                                              \
            .key = "id",                                                                                     \
            .member = true,                                                                                  \
            .code = "NS2-GROUP-UNKNOWN",                                                                     \
            __VA_ARGS__})
#define LAYERS                                                                                               \
    REFERS({.by = MST_BY_BIT, .target = "layers", .key = "id", .member = true, .code = "NS2-LAYER-UNKNOWN"})
/* version 4 has no ids */
#define LAYER_NUMBERS                                                                                        \
    REFERS({.by = MST_BY_BIT, .target = "layers", .apart = true, .member = true, .code = "NS2-LAYER-INDEX"})

#endif
