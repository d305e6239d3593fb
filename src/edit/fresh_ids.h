/* SPDX-License-Identifier: MIT */
/* New ids for copies that wait: the ids that the elements of a list have, and the next free one. */
#ifndef MST_EDIT_FRESH_IDS_H
#define MST_EDIT_FRESH_IDS_H

#include "../core/map.h"
#include "follow.h"

/* Zero-initialise it. */
typedef struct mst_fresh_ids {
    const char *key; /* name of the field; NULL: not begun */
    mst_no_keys none;
    mst_hash_map times;  /* how many elements have an id */
    uint64_t next, last; /* last: all bits that fit */
    bool is_signed;      /* new ones are positive */
} mst_fresh_ids;

/* Reads the ids of a list's elements, into memory of the arena. MST_UNSUPPORTED: they are not numbers. */
mst_status mst_fresh_ids_begin(mst_fresh_ids *ids, const mst_value *list, const char *key, mst_arena *arena);

/* Gives a copy, as JSON, an id of its own (in memory of this arena), if only its original has the id.
 * MST_UNSUPPORTED: that cannot be determined. */
mst_status mst_fresh_ids_renew(mst_fresh_ids *ids, const char **json, mst_arena *arena);

#endif
