/* SPDX-License-Identifier: MIT */
#include "ids.h"
#include "../../core/lower_bound.h"
#include <stdlib.h>

static int compare_ids(const void *left, const void *right) {
    const mst_ns2_id *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

size_t mst_ns2_ids_sort(mst_ns2_id *ids, size_t count) {
    if (count > 1)
        qsort(ids, count, sizeof *ids, compare_ids);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || ids[kept - 1].id != ids[i].id)
            ids[kept++] = ids[i];
    return kept;
}

uint32_t mst_ns2_ids_find(const mst_ns2_id *ids, size_t count, uint32_t id) {
    MST_LOWER_BOUND(low, middle, count, ids[middle].id < id);
    return low < count && ids[low].id == id ? ids[low].index : MST_NS2_NONE;
}
