/* SPDX-License-Identifier: MIT */
#ifndef MST_WRITE_JSON_WRITE_H
#define MST_WRITE_JSON_WRITE_H

#include <mapstone/document.h>

/* The members of a record, in room that the caller provides. */
typedef struct mst_noted_members {
    mst_value *values;
    size_t room, count; /* `count` may be more than there is room for */
} mst_noted_members;

/* mst_write_json on one line, which also notes the members as mst_next gives them: a walk over the record is
 * most of the time that either takes. For records that have only named fields, none of them an inline record.
 */
mst_status mst_write_json_noting(const mst_value *record, mst_noted_members *members, mst_sink sink);

#endif
