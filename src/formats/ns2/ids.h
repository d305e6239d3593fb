/* SPDX-License-Identifier: MIT */
/* Ids of layers, groups and mapping groups: arbitrary numbers, so they are looked up in a sorted list. */
#ifndef MST_FORMATS_NS2_IDS_H
#define MST_FORMATS_NS2_IDS_H

#include <stddef.h>
#include <stdint.h>

#define MST_NS2_NONE UINT32_MAX /* no group, no layer, no material */

typedef struct mst_ns2_id {
    uint32_t id, index;
} mst_ns2_id;

/* Sorts the ids and keeps only the first of duplicates; returns the number left. */
size_t mst_ns2_ids_sort(mst_ns2_id *ids, size_t count);
/* The index of an id; MST_NS2_NONE if it is not in the list. */
uint32_t mst_ns2_ids_find(const mst_ns2_id *ids, size_t count, uint32_t id);

#endif
