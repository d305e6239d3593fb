/* SPDX-License-Identifier: MIT */
/*
 * Up to version 2 other fields name slots by number: first_item and next_item chain what an object carries,
 * shadow is the slot of the object's shadow. When a slot is inserted or removed, they follow.
 */
#include "../present.h"
#include "revenant.h"

#define NO_SLOT (-1)

typedef struct move {
    int64_t index; /* of the slot that was inserted or removed */
    int by;        /* 1, or -1 */
    int64_t next;  /* the slot that takes the removed one's place in its chain, by the new numbers */
    int64_t max;   /* the highest number that the field can hold */
} move;

/* The new number of a slot; false if the field cannot hold it. */
static bool moved(const move *m, int64_t *slot) {
    if (*slot < m->index)
        return true;
    if (*slot == m->index && m->by < 0)
        *slot = m->next;
    else
        *slot += m->by;
    return *slot <= m->max;
}

static bool move_item(const mst_value *object, const char *name, const move *m, uint8_t *bytes) {
    mst_value member;
    int64_t slot = NO_SLOT;
    if (mst_member(object, name, &member) != MST_OK)
        return true; /* of an empty slot */
    mst_get_integer(&member, &slot);
    if (!moved(m, &slot))
        return false;
    mst_store16(bytes + member.offset, (uint16_t)slot, false);
    return true;
}

/* `place`: the sector of the file, as the upper half of the numbers that name its slots. */
static bool move_shadow(const mst_value *object, uint32_t place, const move *m, uint8_t *bytes) {
    mst_value member;
    int64_t number = NO_SLOT;
    if (mst_member(object, "shadow", &member) != MST_OK)
        return true;
    mst_get_integer(&member, &number);
    if (number == NO_SLOT || (uint32_t)number >> 16 != place)
        return true;
    int64_t slot = number & 0xFFFF;
    if (!moved(m, &slot))
        return false;
    mst_store32(bytes + member.offset, slot < 0 ? UINT32_MAX : place << 16 | (uint32_t)slot, false);
    return true;
}

/* What followed the removed slot in its chain, by the new numbers. */
static int64_t next_of_removed(const mst_document *before, uint64_t index) {
    mst_value root = mst_root(before), objects = root, object = root, member;
    int64_t next = NO_SLOT;
    mst_member(&root, "objects", &objects);
    if (mst_element(&objects, index, &object) == MST_OK &&
        mst_member(&object, "next_item", &member) == MST_OK)
        mst_get_integer(&member, &next);
    if (next < 0 || next == (int64_t)index)
        return NO_SLOT;
    return next > (int64_t)index ? next - 1 : next;
}

bool mst_revenant_renumber(const mst_document *before, const mst_document *after, const char *list,
                           uint64_t index, int by, uint8_t *bytes) {
    if (after->variant.version > 2 || strcmp(list, "objects") != 0)
        return true;
    move item = {(int64_t)index, by, by < 0 ? next_of_removed(before, index) : NO_SLOT, INT16_MAX};
    move shadow = {(int64_t)index, by, NO_SLOT, UINT16_MAX};
    mst_revenant_place at;
    bool placed = mst_revenant_place_of(after->name, &at) && at.level < 16 && at.x < 64 && at.y < 64;
    uint32_t place = placed ? (uint32_t)at.level << 12 | (uint32_t)at.x << 6 | (uint32_t)at.y : 0;
    mst_value root = mst_root(after), objects = root, object;
    mst_member(&root, "objects", &objects);
    bool fits = true;
    uint64_t slot = 0;
    for (mst_iterator it = mst_iterate(&objects); fits && mst_next(&it, &object); slot++) {
        if (by > 0 && slot == index) /* it was written with the new numbers */
            continue;
        fits = move_item(&object, "first_item", &item, bytes) &&
               move_item(&object, "next_item", &item, bytes) &&
               (!placed || move_shadow(&object, place, &shadow, bytes));
    }
    return fits;
}
