/* SPDX-License-Identifier: MIT */
/* Checks for ids of objects that occur in the lists of several maps. */
#include "../../../check/finding.h"
#include "../../present.h"
#include "../objects/objects.h"
#include "maps.h"
#include <stdlib.h>

mst_status mst_sfa_ids_add(mst_array *ids, uint32_t map, const uint8_t *list, uint64_t size) {
    mst_sfa_object_header header;
    for (uint64_t at = 0; mst_sfa_object_at(list, at, size, &header); at += header.size) {
        mst_sfa_placed_id *id = header.id ? mst_array_push(ids, 1) : NULL;
        if (id)
            *id = (mst_sfa_placed_id){header.id, map};
        else if (header.id)
            return MST_NO_MEMORY;
    }
    return MST_OK;
}

static int by_id(const void *left, const void *right) {
    const mst_sfa_placed_id *a = left, *b = right;
    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return (a->map > b->map) - (a->map < b->map);
}

static const char *list_of(uint32_t map) {
    return mst_sfa_map_of((int)map)->list; /* only lists of known maps are read */
}

mst_status mst_sfa_ids_report(mst_checker *checker, const mst_array *ids) {
    mst_sfa_placed_id *all = ids->items;
    size_t shared = 0, first = 0; /* the first object of another map than the object before it */
    if (ids->count)
        qsort(all, ids->count, sizeof *all, by_id);
    uint32_t counted = 0; /* the last id found to be shared */
    for (size_t i = 1; i < ids->count; i++) {
        if (all[i].id != all[i - 1].id || all[i].map == all[i - 1].map || all[i].id == counted)
            continue;
        first = shared++ ? first : i;
        counted = all[i].id;
    }
    if (!shared)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_of(checker, NULL, "maps");
    MST_SET(finding->message, "object lists of several maps have the same ids");
    return mst_report(checker, "SFA-ROMLIST-ID", NULL, "%zu ids, the first 0x%08X in %s and %s", shared,
                      all[first].id, list_of(all[first - 1].map), list_of(all[first].map));
}
