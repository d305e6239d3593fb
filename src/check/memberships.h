/* SPDX-License-Identifier: MIT */
/*
 * Numbers that make something a member of elements that have ids: of a layer by its id, of groups by a bit
 * for each of them.
 */
#ifndef MST_CHECK_MEMBERSHIPS_H
#define MST_CHECK_MEMBERSHIPS_H

#include "refers.h"

#define MST_MEMBERSHIPS 64 /* of one number */

static inline bool mst_is_membership(const mst_refers *fact) {
    return fact->by != MST_BY_INDEX && fact->member && fact->key;
}

/* The ids of the elements that component `component` of a number of that width, as stored, names. Returns
 * their count. */
unsigned mst_memberships(const mst_refers *fact, uint64_t stored, unsigned width, uint32_t component,
                         uint64_t ids[MST_MEMBERSHIPS]);
/* The number without its membership of the element with that id, which it has. A number by id needs a value
 * that names nothing (`nones`). */
uint64_t mst_without_membership(const mst_refers *fact, uint64_t stored, unsigned width, uint32_t component,
                                uint64_t id);

#endif
