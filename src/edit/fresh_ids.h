/* SPDX-License-Identifier: MIT */
/* Ids of their own for copies that wait: which ids the elements of a list have, and the next one. */
#ifndef MST_EDIT_FRESH_IDS_H
#define MST_EDIT_FRESH_IDS_H

#include "../core/map.h"
#include "follow.h"

/* Zero-initialise it. */
typedef struct mst_fresh_ids {
    const char *key; /* of which field; NULL: it was not begun */
    mst_no_keys none;
    mst_hash_map times;  /* how many elements have an id */
    uint64_t next, last; /* last: all bits that fit */
    bool is_signed;      /* new ones are positive */
} mst_fresh_ids;

/* Reads the ids of a list's elements, into memory of the arena. MST_UNSUPPORTED: they are no numbers. */
mst_status mst_fresh_ids_begin(mst_fresh_ids *ids, const mst_value *list, const char *key, mst_arena *arena);

/* Gives a copy, as JSON, an id of its own (in memory of this arena), if what it is a copy of is the only one
 * with its id. MST_UNSUPPORTED: whether it is cannot be known. */
mst_status mst_fresh_ids_renew(mst_fresh_ids *ids, const char **json, mst_arena *arena);

#endif
