/* SPDX-License-Identifier: MIT */
/* Consequences of edits of objects that the tables do not describe: indices of carried objects, and unique
 * numbers. */
#include "../../core/map.h"
#include "../../core/unreachable.h"
#include "../../edit/single_edit.h"
#include "../present.h"
#include "revenant.h"

/* The objects of a sector, or the players of a saved game. */
static bool root_list(const mst_document *document, mst_value *list) {
    mst_value root = mst_root(document);
    return mst_member(&root, "objects", list) == MST_OK || mst_member(&root, "players", list) == MST_OK;
}

/* The list of objects, or the inventory of one of them, that begins at `offset`. */
static bool find_list(const mst_document *document, uint64_t offset, mst_value *list) {
    mst_value object;
    if (!root_list(document, list))
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

/* ---- the index in an inventory ------------------------------------------------------------------ */

/* Each object's inventory_index is its index in the list; other numbers are kept. */
static void number_items(const mst_value *list, uint64_t index, int by, uint8_t *bytes) {
    mst_value item, number, given = {0};
    bool others = false, placed = false;
    uint64_t place = 0;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &item); place++) {
        if (mst_member(&item, "inventory_index", &number) != MST_OK)
            continue; /* an empty slot */
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

/* ---- unique numbers ----------------------------------------------------------------------------- */

/* Nesting of objects: two or three levels are usual; objects nested deeper keep their numbers. */
#define NESTED 8

/* Iterates over objects and their contents, without allocation. */
typedef struct each_object {
    mst_iterator lists[NESTED];
    size_t depth; /* of `lists` */
} each_object;

static bool next_object(each_object *each, mst_value *object) {
    while (each->depth) {
        mst_value inventory;
        if (!mst_next(&each->lists[each->depth - 1], object)) {
            each->depth--;
            continue;
        }
        if (each->depth < NESTED && mst_member(object, "inventory", &inventory) == MST_OK)
            each->lists[each->depth++] = mst_iterate(&inventory);
        return true;
    }
    return false;
}

/* Begins with an object, and continues with its contents. */
static each_object each_within(const mst_value *object) {
    each_object all = {.depth = 0};
    mst_value inventory;
    if (mst_member(object, "inventory", &inventory) == MST_OK)
        all.lists[all.depth++] = mst_iterate(&inventory);
    return all;
}

/* Whether all carried objects have their place in the inventory as inventory_index, as those of all 14
 * inventories of eight known sectors do. With `bytes`, which are those of the document, they get it. */
static bool in_place(const mst_document *document, uint8_t *bytes) {
    mst_value objects, object, inventory, item, number;
    each_object all = {.depth = 1};
    bool right = true;
    if (!root_list(document, &objects))
        return true;
    all.lists[0] = mst_iterate(&objects);
    while (next_object(&all, &object)) {
        uint64_t place = 0;
        if (mst_member(&object, "inventory", &inventory) != MST_OK)
            continue;
        for (mst_iterator it = mst_iterate(&inventory); mst_next(&it, &item); place++) {
            if (mst_member(&item, "inventory_index", &number) != MST_OK || mst_scalar_of(&number) == place)
                continue;
            right = false;
            if (bytes)
                mst_store16(bytes + number.offset, (uint16_t)place, false);
        }
    }
    return right;
}

void mst_revenant_place_items(const mst_document *before, mst_document *after) {
    if (in_place(before, NULL))
        in_place(after, mst_edit_bytes(after));
}

/* The number of objects that have the number; `top` is the largest of all. */
static size_t count_number(const mst_value *objects, uint32_t number, uint32_t *top) {
    each_object all = {.depth = 1};
    mst_value object, index;
    size_t count = 0;
    all.lists[0] = mst_iterate(objects);
    *top = 0;
    while (next_object(&all, &object)) {
        if (mst_member(&object, "map_index", &index) != MST_OK)
            continue;
        uint32_t other = (uint32_t)mst_scalar_of(&index);
        count += other == number;
        *top = other <= INT32_MAX && other > *top ? other : *top;
    }
    return count;
}

uint32_t mst_revenant_new_map_index(const mst_document *document) {
    mst_value objects;
    uint32_t top = 0;
    if (root_list(document, &objects))
        count_number(&objects, 0, &top);
    return top < INT32_MAX ? top + 1 : top;
}

/* A copy and its contents get numbers that no other object has: they are unique. */
static void number_copy(const mst_value *objects, const mst_value *copy, uint8_t *bytes) {
    each_object all = each_within(copy);
    mst_value object = *copy, index;
    do {
        uint32_t top, number = UINT32_MAX;
        if (mst_member(&object, "map_index", &index) == MST_OK)
            number = (uint32_t)mst_scalar_of(&index);
        if (number == UINT32_MAX || count_number(objects, number, &top) < 2)
            continue;
        number = top < INT32_MAX ? top + 1 : number;
        while (count_number(objects, number, &top))
            number = (number + 1) & INT32_MAX;
        mst_store32(bytes + index.offset, number, false);
    } while (next_object(&all, &object));
}

/* Below version 3, objects in slots are chained to their carrier. A copy is in no chain and carries nothing:
 * its links, copied from the original, would refer to the original's objects. */
static void unchain_copy(const mst_value *slots, uint64_t index, const mst_value *copy, uint8_t *bytes) {
    static const char *const names[] = {"first_item", "next_item"};
    mst_value own, other, slot;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t number = mst_member(copy, names[i], &own) == MST_OK ? mst_scalar_of(&own) : UINT16_MAX;
        if ((uint16_t)number == UINT16_MAX)
            continue;
        number += number >= index;
        for (mst_iterator it = mst_iterate(slots); mst_next(&it, &slot);)
            if (slot.offset != copy->offset && mst_member(&slot, names[i], &other) == MST_OK &&
                mst_scalar_of(&other) == number)
                mst_store16(bytes + own.offset, UINT16_MAX, false);
    }
}

const char *mst_revenant_renumber(const mst_value *list, const mst_document *after, uint64_t index, int by,
                                  uint8_t *bytes) {
    const char *name = mst_field_of(list)->name;
    mst_value now, objects, copy;
    bool items = strcmp(name, "inventory") == 0;
    if (!by)
        return items ? "objects keep their places in their carrier: remove it, and insert it again" : NULL;
    if ((!items && strcmp(name, "objects") != 0) || !find_list(after, list->offset, &now))
        return NULL;
    if (items)
        number_items(&now, index, by, bytes);
    if (by > 0 && root_list(after, &objects) && mst_element(&now, index, &copy) == MST_OK)
        number_copy(&objects, &copy, bytes);
    if (by > 0 && !items && mst_element(&now, index, &copy) == MST_OK)
        unchain_copy(&now, index, &copy, bytes);
    return NULL;
}

bool mst_revenant_alone(const mst_value *list, int by, bool last) {
    const char *name = mst_field_of(list)->name;
    (void)last;
    return strcmp(name, "inventory") == 0 ||
           (by > 0 && strcmp(name, "objects") == 0 && list->document->variant.version < 3);
}

/* ---- numbers of several inserted objects --------------------------------------------------------- */

typedef struct numbers {
    mst_hash_map times; /* number of objects by their number */
    uint32_t top;       /* the largest of all, as by count_number */
} numbers;

static uint32_t times_of(const numbers *all, uint32_t value) {
    const uint32_t *times = mst_hash_map_find(&all->times, mst_key_number(value));
    return times ? *times : 0;
}

/* There is room for all numbers. */
static void note_number(numbers *all, uint32_t value) {
    uint32_t *times = mst_hash_map_add(&all->times, mst_key_number(value));
    if (MST_UNREACHABLE(!times))
        return;
    ++*times;
    if (value <= INT32_MAX && value > all->top)
        all->top = value;
}

static void note_numbers(numbers *all, const mst_value *object) {
    each_object within = each_within(object);
    mst_value one = *object, index;
    do {
        if (mst_member(&one, "map_index", &index) == MST_OK)
            note_number(all, (uint32_t)mst_scalar_of(&index));
    } while (next_object(&within, &one));
}

/* Like number_copy, for an object whose numbers were recorded. */
static void number_noted(numbers *all, const mst_value *object, uint8_t *bytes) {
    each_object within = each_within(object);
    mst_value one = *object, index;
    do {
        uint32_t old = UINT32_MAX;
        if (mst_member(&one, "map_index", &index) == MST_OK)
            old = (uint32_t)mst_scalar_of(&index);
        if (old == UINT32_MAX || times_of(all, old) < 2)
            continue;
        uint32_t now = all->top < INT32_MAX ? all->top + 1 : old;
        while (times_of(all, now))
            now = (now + 1) & INT32_MAX;
        mst_store32(bytes + index.offset, now, false);
        --*mst_hash_map_find(&all->times, mst_key_number(old));
        note_number(all, now);
    } while (next_object(&within, &one));
}

static size_t count_objects(const mst_value *objects) {
    each_object all = {.depth = 1};
    mst_value object;
    size_t count = 0;
    all.lists[0] = mst_iterate(objects);
    while (next_object(&all, &object))
        count++;
    return count;
}

mst_status mst_revenant_renumber_all(const mst_value *list, const mst_document *after,
                                     const mst_several *several, uint8_t *bytes) {
    mst_value objects, object;
    numbers all = {.times.allocator = after->allocator};
    uint64_t index = 0;
    size_t next = 0;
    if (!several->order || strcmp(mst_field_of(list)->name, "objects") != 0 ||
        !find_list(after, list->offset, &objects))
        return MST_OK;
    mst_arena arena;
    mst_arena_begin(&arena, &after->allocator, 0);
    mst_value *made = mst_arena_take(&arena, several->count, sizeof *made); /* in order of insertion */
    mst_status status =
        made && mst_hash_map_reserve(&all.times, 2 * count_objects(&objects)) ? MST_OK : MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(&objects); status == MST_OK && mst_next(&it, &object); index++) {
        if (next < several->count && several->indices[next] == index)
            made[several->order[next++]] = object;
        else
            note_numbers(&all, &object);
    }
    for (size_t i = 0; status == MST_OK && i < next; i++) {
        note_numbers(&all, &made[i]);
        number_noted(&all, &made[i], bytes);
    }
    mst_hash_map_end(&all.times);
    mst_arena_end(&arena);
    return status;
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
