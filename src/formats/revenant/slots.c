/* SPDX-License-Identifier: MIT */
/*
 * Up to version 2 other fields name slots by number: first_item and next_item chain what an object carries,
 * as the tables say; shadow is the slot of the object's shadow, if its upper bits are those of the file's
 * sector. When a slot is inserted or removed, it follows.
 */
#include "../../schema/binding.h"
#include "../present.h"
#include "revenant.h"

#define NO_SLOT (-1)

/* `place`: the sector of the file, as the upper half of the numbers that name its slots. False if the number
 * would be too large. */
static bool move_shadow(const mst_value *object, uint32_t place, uint64_t index, int by, uint8_t *bytes) {
    mst_value member;
    int64_t number = NO_SLOT;
    if (mst_member(object, "shadow", &member) != MST_OK)
        return true; /* of an empty slot */
    mst_get_integer(&member, &number);
    uint32_t slot = (uint32_t)number & 0xFFFF;
    if (number == NO_SLOT || (uint32_t)number >> 16 != place || slot < index)
        return true;
    if (by > 0 && slot == UINT16_MAX)
        return false;
    bool removed = by < 0 && slot == index;
    mst_store32(bytes + member.offset, removed ? UINT32_MAX : place << 16 | (by < 0 ? slot - 1 : slot + 1),
                false);
    return true;
}

const char *mst_revenant_renumber(const mst_value *list, const mst_document *after, uint64_t index, int by,
                                  uint8_t *bytes) {
    if (after->variant.version > 2 || strcmp(mst_field_of(list)->name, "objects") != 0)
        return NULL;
    mst_revenant_place at;
    if (!by)
        return "in this version shadows name slots, which only follow insertions and removals";
    if (!mst_revenant_place_of(after->name, &at) || at.level >= 16 || at.x >= 64 || at.y >= 64)
        return NULL;
    uint32_t place = (uint32_t)at.level << 12 | (uint32_t)at.x << 6 | (uint32_t)at.y;
    mst_value root = mst_root(after), objects = root, object;
    mst_member(&root, "objects", &objects);
    bool fits = true;
    uint64_t slot = 0;
    for (mst_iterator it = mst_iterate(&objects); fits && mst_next(&it, &object); slot++)
        if (by < 0 || slot != index) /* an inserted one was written with the new numbers */
            fits = move_shadow(&object, place, index, by, bytes);
    return fits ? NULL : "the numbers of later slots would not fit where they are named";
}

/* ---- chains ------------------------------------------------------------------------------------- */

static const mst_binding links[] = {MST_BINDING(mst_revenant_link, class_number, "class"),
                                    MST_BINDING(mst_revenant_link, first, "first_item"),
                                    MST_BINDING(mst_revenant_link, next, "next_item")};
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
        (*all)[there] = (mst_revenant_link){0, NO_SLOT, NO_SLOT};
        mst_fill(&bound, &object, &(*all)[there]);
    }
    *count = there;
    return MST_OK;
}

#define BROKEN (-2) /* leads to no end */

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
