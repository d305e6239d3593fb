/* SPDX-License-Identifier: MIT */
/* Visits all values of a document, however deep, with iterators, like a program that does not know the
 * format. */
#ifndef MST_TESTS_GO_THROUGH_H
#define MST_TESTS_GO_THROUGH_H

#include "revenant_sector.h"
#include "support.h"

typedef struct gone_through {
    size_t records, lists, leaves, deepest;
    uint64_t end; /* after the last byte of any value */
} gone_through;

static inline gone_through go_through(const mst_document *document) {
    gone_through seen = {0};
    mst_value at = mst_root(document), inner, member;
    size_t depth = 1, capacity = 16;
    mst_iterator *levels = malloc(capacity * sizeof *levels);
    assert_non_null(levels);
    levels[0] = mst_iterate(&at);
    while (depth) {
        uint64_t offset, length;
        if (!mst_next(&levels[depth - 1], &inner)) {
            depth--;
            continue;
        }
        mst_value_span(&inner, &offset, &length);
        if (offset + length > seen.end)
            seen.end = offset + length;
        mst_type type = mst_value_type(&inner);
        if (type != MST_TYPE_LIST && type != MST_TYPE_RECORD) {
            seen.leaves++;
            continue;
        }
        if (type == MST_TYPE_LIST) {
            seen.lists++;
            mst_count(&inner);
        } else {
            seen.records++;
            mst_member(&inner, "inventory", &member);
        }
        if (depth == capacity) {
            capacity *= 2;
            levels = realloc(levels, capacity * sizeof *levels);
            assert_non_null(levels);
        }
        levels[depth++] = mst_iterate(&inner);
        if (depth > seen.deepest)
            seen.deepest = depth;
    }
    free(levels);
    return seen;
}

/* Nested inventories, to be opened as "7_3_5.DAT". This version stores no sizes; other versions do not allow
 * more than some hundreds of levels. */
static inline void put_nested_inventories(writer *w, size_t levels) {
    sector_object one =
        sector_thing(SECTOR_CONTAINER, SECTOR_IMMOBILE, "a chest with a chest with a chest in it");
    sector_source r = {.s = {.version = 3, .objects = &one, .object_count = 1}};
    writer single = {0};
    one.has_inventory = true;
    put_sector_object(&single, &r.s, &one, "x");
    put_bytes_of(w, "MAP ", 4);
    put_u32(w, 3);
    put_u32(w, 1);
    for (size_t i = 0; i < levels; i++) {
        uint8_t *place = put(w, single.size);
        memcpy(place, single.data, single.size);
        mst_store32(place + single.size - 4, i + 1 < levels, false);
    }
    writer_free(&single);
}

#endif
