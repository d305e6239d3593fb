/* SPDX-License-Identifier: MIT */
/* Sectors by hand as documents, with the sidecars that name their classes. */
#ifndef MST_TESTS_REVENANT_DOCUMENTS_H
#define MST_TESTS_REVENANT_DOCUMENTS_H

#include "revenant_sector.h"

#define NAME "44_3_5.DAT"

static inline mst_status try_named(const writer *w, const char *name, mst_document **document,
                                   mst_diagnostic *why) {
    mst_open_options options = {.size = sizeof options, .name = name};
    return mst_open_memory(w->data, w->size, &options, document, why);
}

static inline writer written(const sector *s) {
    writer w = {0};
    write_sector(&w, s);
    return w;
}

static inline void assert_is_sector(const mst_document *d, const sector *s) {
    writer w = written(s);
    assert_same_bytes(d, w.data, w.size);
    writer_free(&w);
}

/* The hash that the sector should have, in it. */
static inline void right_hash(sector *s) {
    s->state_hash = s->version >= 14 ? sector_hash(s, 44, 3, 5) : 0;
}

static inline void deep(uint32_t version, uint32_t depth, writer *w) {
    sector_object one = sector_thing(SECTOR_CONTAINER, SECTOR_IMMOBILE, "");
    sector_source r = {.s = {.version = version, .objects = &one, .object_count = 1}};
    writer single = {0};
    one.has_inventory = true;
    put_sector_object(&single, &r.s, &one, "x");
    put_bytes_of(w, "MAP ", 4);
    put_u32(w, version);
    if (version >= 14)
        put_u32(w, 0);
    put_u32(w, 1);
    size_t sizes = version >= 8 ? 8 : 6, header = version >= 14 ? 12 : version >= 8 ? 10 : 8;
    for (uint32_t i = 0; i < depth; i++) {
        uint8_t *place = put(w, single.size);
        memcpy(place, single.data, single.size);
        uint32_t left = depth - 1 - i;
        mst_store32(place + single.size - 4, left > 0, false);
        if (version >= 4) {
            size_t body = single.size - header - 4, last = 4 + left * single.size;
            mst_store16(place + sizes, (uint16_t)(body + last), false);
            assert_true(body + last <= INT16_MAX);
            if (version >= 14)
                mst_store16(place + sizes + 2, (uint16_t)last, false);
        }
    }
    writer_free(&single);
}

static const char class_def[] =
    "CLASS \"CHARACTER\"\nBEGIN\nSTATS\nBEGIN\nHealth HLTH 5 -20 10\nEND\n"
    "OBJSTATS\nBEGIN\nSleep SLP 1 0 40\nEND\nTYPES\nBEGIN\n\"Locke\" \"a\" 0x1000000c\nEND\nEND\n"
    "CLASS \"TILE\"\nBEGIN\nTYPES\nBEGIN\n\"Floor\" \"a\" 0x10000009\nEND\nEND\n"
    "CLASS \"ITEM\"\nBEGIN\nTYPES\nBEGIN\n\"thing\" \"a\" 0x10000000\nEND\nEND\n"
    "CLASS \"WEAPON\"\nBEGIN\nTYPES\nBEGIN\n\"axe\" \"a\" 0x10000001\nEND\nEND\n"
    "CLASS \"CONTAINER\"\nBEGIN\nTYPES\nBEGIN\n\"bag\" \"a\" 0x10000005\nEND\nEND\n"
    "CLASS \"MONEY\"\nBEGIN\nTYPES\nBEGIN\n\"coin\" \"a\" 0x10000008\nEND\nEND\n"
    "CLASS \"EXIT\"\nBEGIN\nTYPES\nBEGIN\n\"gate\" \"a\" 0x1000000a\nEND\nEND\n"
    "CLASS \"TRAP\"\nBEGIN\nTYPES\nBEGIN\n\"trap\" \"a\" 0x1000000d\nEND\nEND\n"
    "CLASS \"INVCONTAINER\"\nBEGIN\nTYPES\nBEGIN\n\"chest\" \"a\" 0x10000011\nEND\nEND\n"
    "CLASS \"AMMO\"\nBEGIN\nTYPES\nBEGIN\n\"arrows\" \"a\" 0x10000015\nEND\nEND\n"
    "CLASS \"SCROLL\"\nBEGIN\nTYPES\nBEGIN\n\"scroll\" \"a\" 0x10000016\nEND\nEND\n";

static const char exit_def[] = "gate (1, 2, 3) level 4\nback (1, 2, 3) level 5\n";

static inline mst_status find_exits(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user;
    if (strcmp(name, "exit.def") != 0)
        return MST_UNKNOWN;
    *bytes = exit_def;
    *size = sizeof exit_def - 1;
    return MST_OK;
}

/* A sector without findings: no unknown bytes. */
static inline void good_sector(sector_source *r, uint32_t version) {
    full_sector(r, version);
    r->objects[7].tail_size = r->objects[7].inventory_tail_size = 0;
    right_hash(&r->s);
}

static inline void check_with(const mst_document *d, bool classes, bool exits, findings *list,
                              mst_check_result *result) {
    mst_resolver resolver = {.find = find_exits};
    mst_check_options options = {.size = sizeof options, .information = 1};
    mst_diagnostic why;
    if (classes) {
        options.schema = class_def;
        options.schema_size = sizeof class_def - 1;
    }
    if (exits)
        options.sidecars = &resolver;
    MUST(mst_check(d, &options, collect, list, result, &why), &why);
}

typedef struct error_case {
    const char *code, *path;
    const char *where; /* the mark that is changed, and `delta` after it */
    int delta;
    unsigned width;
    uint32_t value;
    uint64_t offset; /* UINT64_MAX: at the change */
    uint32_t first, last;
} error_case;

static const error_case error_cases[] = {
    {"REV-VERSION", "version", "version", 0, 4, 16, 4, 1, 15},
    {"REV-VERSION", "version", "version", 0, 4, UINT32_MAX, 4, 1, 15},
    {"REV-COUNT", "objects", "version", 4, 4, 0x7FFFFFFF, 12, 1, 13},
    {"REV-COUNT", "objects", "version", 4, 4, UINT32_MAX, 12, 1, 13},
    {"REV-COUNT", "objects", "state_hash", 4, 4, 0x7FFFFFFF, 16, 14, 15},
    /* sizes: larger than the rest, smaller than the known fields, below 0 */
    {"REV-OVERRUN", "objects[8].size_1", "objects[8].unique_id", 4, 2, 0x7FFF, UINT64_MAX, 4, 13},
    {"REV-OVERRUN", NULL, "objects[8].unique_id", 4, 2, 0x7FFF, 0, 14, 15},
    {"REV-OVERRUN", "objects[0].size_1", "objects[0].unique_id", 4, 2, 0x8000, UINT64_MAX, 4, 13},
    {"REV-OVERRUN", NULL, "objects[0].unique_id", 4, 2, 0x8000, 0, 14, 15},
    {"REV-OVERRUN", NULL, "objects[0].unique_id", 4, 2, 7, 0, 4, 13},
    {"REV-OVERRUN", "objects[2].size_2", "objects[2].unique_id", 6, 2, 0x7FFF, UINT64_MAX, 14, 15},
    {"REV-OVERRUN", NULL, "objects[2].name", 0, 1, 255, 0, 4, 15},
};

#endif
