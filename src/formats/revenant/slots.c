/* SPDX-License-Identifier: MIT */
/*
 * Up to version 2, other fields refer to slots by number: first_item and next_item chain the objects that an
 * object carries, as the tables state; shadow is the slot of the object's shadow, if its upper bits are the
 * file's sector.
 */
#include "../../read/binding.h"
#include "../present.h"
#include "revenant.h"

#define NO_SLOT (-1)

bool mst_revenant_is_own_slot(const mst_document *document, uint64_t shadow) {
    mst_revenant_place at;
    return mst_revenant_place_of(document->name, &at) && at.level < 16 && at.x < 64 && at.y < 64 &&
           shadow >> 16 == ((uint64_t)at.level << 12 | (uint64_t)at.x << 6 | (uint64_t)at.y);
}

/* ---- chains ------------------------------------------------------------------------------------- */

static const mst_binding links[] = {MST_BINDING(mst_revenant_link, class_number, "class"),
                                    MST_BINDING(mst_revenant_link, first, "first_item"),
                                    MST_BINDING(mst_revenant_link, next, "next_item"),
                                    MST_BINDING(mst_revenant_link, shadow, "shadow")};
const mst_bindings mst_revenant_link_bindings = MST_BINDINGS(mst_revenant_link, "object", links),
                   mst_revenant_early_link_bindings = MST_BINDINGS(mst_revenant_link, "early_object", links);

mst_status mst_revenant_links(const mst_value *objects, mst_arena *scratch, mst_revenant_link **all,
                              uint64_t *count) {
    bool early = objects->document->variant.layout == MST_REVENANT_EARLY;
    mst_value object;
    mst_bound bound;
    mst_bind(objects->document, early ? &mst_revenant_early_link_bindings : &mst_revenant_link_bindings,
             &bound);
    uint64_t slots = mst_count(objects), there = 0;
    *all = mst_arena_take(scratch, (size_t)slots, sizeof **all);
    if (!*all)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(objects); there < slots && mst_next(&it, &object); there++) {
        (*all)[there] = (mst_revenant_link){0, NO_SLOT, NO_SLOT, -1};
        mst_fill(&bound, &object, &(*all)[there]);
    }
    *count = there;
    return MST_OK;
}

#define BROKEN (-2) /* has no end */

/* Gives the objects of a complete chain to their carrier. */
static void follow(const mst_revenant_link *all, int32_t *by, uint64_t count, int32_t carrier) {
    int64_t slot = all[carrier].first;
    for (; slot >= 0 && (uint64_t)slot < count && by[slot] == NO_SLOT && slot != carrier;
         slot = all[slot].next)
        by[slot] = carrier;
    if (slot == NO_SLOT)
        return;
    for (slot = all[carrier].first; slot >= 0 && (uint64_t)slot < count && by[slot] == carrier;
         slot = all[slot].next)
        by[slot] = BROKEN;
}

mst_status mst_revenant_carriers(const mst_value *objects, mst_arena *scratch, int32_t **carriers,
                                 uint64_t *count) {
    mst_revenant_link *all;
    mst_status status = mst_revenant_links(objects, scratch, &all, count);
    int32_t *by = status == MST_OK ? mst_arena_take(scratch, (size_t)*count, sizeof *by) : NULL;
    if (!by)
        return MST_NO_MEMORY;
    for (uint64_t i = 0; i < *count; i++)
        by[i] = all[i].class_number < 0 ? BROKEN : NO_SLOT; /* an empty slot is in no chain */
    for (uint64_t i = 0; i < *count; i++)
        follow(all, by, *count, (int32_t)i);
    for (uint64_t i = 0; i < *count; i++)
        by[i] = by[i] == BROKEN ? NO_SLOT : by[i];
    *carriers = by;
    return MST_OK;
}
