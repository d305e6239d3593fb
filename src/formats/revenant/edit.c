/* SPDX-License-Identifier: MIT */
/* What follows edits of objects beyond the tables: numbers of what is carried, and numbers of their own. */
#include "../../schema/edit.h"
#include "../present.h"
#include "revenant.h"
#include <stdlib.h>

/* The list of objects, or of what one of them carries, that begins at `offset`. */
static bool find_list(const mst_document *document, uint64_t offset, mst_value *list) {
    mst_value root = mst_root(document), object;
    if (mst_member(&root, "objects", list) != MST_OK && mst_member(&root, "players", list) != MST_OK)
        return false;
    while (list->offset != offset) {
        bool around = false;
        for (mst_iterator it = mst_iterate(list); !around && mst_next(&it, &object);)
            around = object.offset < offset && offset < mst_value_after(&object);
        if (!around || mst_member(&object, "inventory", list) != MST_OK)
            return false;
    }
    return true;
}

/* ---- the place in an inventory ------------------------------------------------------------------ */

/* Each object's inventory_index is its place in the list; other numbers stay. */
static void number_items(const mst_value *list, uint64_t index, int by, uint8_t *bytes) {
    mst_value item, number, given = {0};
    bool others = false, placed = false;
    uint64_t place = 0;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &item); place++) {
        if (mst_member(&item, "inventory_index", &number) != MST_OK)
            continue; /* of an empty slot */
        if (by > 0 && place == index) {
            given = number;
            continue;
        }
        uint64_t old = place - (by > 0 && place > index) + (by < 0 && place >= index);
        others = true;
        if (mst_scalar_of(&number) != old)
            continue;
        placed = true;
        mst_store16(bytes + number.offset, (uint16_t)place, false);
    }
    if (given.document && (placed || !others))
        mst_store16(bytes + given.offset, (uint16_t)index, false);
}

/* ---- numbers of their own ----------------------------------------------------------------------- */

typedef struct given_index {
    uint64_t offset;
    uint32_t number;
} given_index;

typedef struct map_indices {
    mst_array taken, given; /* uint64_t, of other objects; given_index, of the new one */
    uint64_t from, to;      /* the new object */
} map_indices;

static mst_status collect(void *user, const mst_event *event) {
    map_indices *all = user;
    if (event->kind != MST_EVENT_LEAF || !event->value || !event->name ||
        strcmp(event->name, "map_index") != 0)
        return MST_OK;
    uint32_t number = (uint32_t)mst_scalar_of(event->value);
    if (event->offset >= all->from && event->offset < all->to) {
        given_index *made = mst_array_push(&all->given, 1);
        if (made)
            *made = (given_index){event->offset, number};
        return made ? MST_OK : MST_NO_MEMORY;
    }
    uint64_t *made = mst_array_push(&all->taken, 1);
    if (made)
        *made = number;
    return made ? MST_OK : MST_NO_MEMORY;
}

static bool is_taken(const map_indices *all, uint64_t number) {
    return all->taken.count &&
           bsearch(&number, all->taken.items, all->taken.count, sizeof number, mst_by_number);
}

/* A copy gets the next number that no other object has: they are unique. */
static const char *number_copy(const mst_value *list, uint64_t index, uint8_t *bytes) {
    mst_value object;
    if (mst_element(list, index, &object) != MST_OK)
        return NULL;
    mst_allocator allocator = list->document->allocator;
    map_indices all = {.taken = {.element_size = sizeof(uint64_t), .allocator = allocator},
                       .given = {.element_size = sizeof(given_index), .allocator = allocator},
                       .from = object.offset,
                       .to = mst_value_after(&object)};
    mst_status status = mst_walk(list->document, collect, &all);
    const given_index *given = all.given.items;
    uint64_t *taken;
    for (size_t i = 0; status == MST_OK && i < all.given.count; i++) {
        if (all.taken.count)
            qsort(all.taken.items, all.taken.count, sizeof(uint64_t), mst_by_number);
        uint32_t number = given[i].number;
        while (number != UINT32_MAX && is_taken(&all, number))
            number = (number + 1) & INT32_MAX;
        mst_store32(bytes + given[i].offset, number, false);
        taken = mst_array_push(&all.taken, 1);
        if (taken)
            *taken = number;
        else
            status = MST_NO_MEMORY;
    }
    mst_array_free(&all.taken);
    mst_array_free(&all.given);
    return status == MST_OK ? NULL : "there is no memory to number the copy";
}

const char *mst_revenant_renumber(const mst_value *list, const mst_document *after, uint64_t index, int by,
                                  uint8_t *bytes) {
    const char *name = mst_field_of(list)->name;
    mst_value now;
    bool items = strcmp(name, "inventory") == 0;
    if (!by)
        return items ? "things keep their places in what carries them: remove it, and insert it again" : NULL;
    if ((!items && strcmp(name, "objects") != 0) || !find_list(after, list->offset, &now))
        return NULL;
    if (items)
        number_items(&now, index, by, bytes);
    return by > 0 ? number_copy(&now, index, bytes) : NULL;
}

/* ---- another sector ----------------------------------------------------------------------------- */

#define SECTOR_BITS 10 /* a sector is 1024 units wide */

static void move_object(const mst_value *object, const mst_document *before, const mst_revenant_place *to,
                        uint8_t *bytes) {
    const int32_t sector[2] = {to->x, to->y};
    mst_value position, coordinate, shadow;
    int64_t number;
    for (uint64_t k = 0; k < 2; k++)
        if (mst_member(object, "position", &position) == MST_OK &&
            mst_element(&position, k, &coordinate) == MST_OK &&
            mst_get_integer(&coordinate, &number) == MST_OK)
            mst_store32(bytes + coordinate.offset,
                        (uint32_t)sector[k] << SECTOR_BITS | ((uint32_t)number & ((1u << SECTOR_BITS) - 1)),
                        false);
    if (before->variant.version > 2 || to->level >= 16 || to->x >= 64 || to->y >= 64 ||
        mst_member(object, "shadow", &shadow) != MST_OK)
        return;
    uint64_t slot = mst_scalar_of(&shadow) & UINT32_MAX;
    if (slot != UINT32_MAX && mst_revenant_is_own_slot(before, slot))
        mst_store32(bytes + shadow.offset,
                    (uint32_t)to->level << 28 | (uint32_t)to->x << 22 | (uint32_t)to->y << 16 |
                        (uint32_t)(slot & 0xFFFF),
                    false);
}

void mst_revenant_move(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    mst_revenant_place from, to;
    mst_value root = mst_root(after), objects, object;
    if (!mst_revenant_place_of(before->name, &from) || !mst_revenant_place_of(after->name, &to) ||
        (from.level == to.level && from.x == to.x && from.y == to.y) ||
        mst_member(&root, "objects", &objects) != MST_OK)
        return;
    for (mst_iterator it = mst_iterate(&objects); mst_next(&it, &object);)
        move_object(&object, before, &to, bytes);
}
