/* SPDX-License-Identifier: MIT */
/* Sectors by hand as documents, with the sidecars that name their classes. */
#ifndef MST_TESTS_REVENANT_DOCUMENTS_H
#define MST_TESTS_REVENANT_DOCUMENTS_H

#include "revenant_sector.h"

#define NAME "44_3_5.DAT"

mst_status try_named(const writer *w, const char *name, mst_document **document, mst_diagnostic *why);

writer written(const sector *s);

void assert_is_sector(const mst_document *d, const sector *s);

/* Stores the hash that the sector should have. */
void right_hash(sector *s);

void deep(uint32_t version, uint32_t depth, writer *w);

static const char class_def[] =
    "CLASS \"CHARACTER\"\nBEGIN\nSTATS\nBEGIN\nHealth HLTH 5 -20 10\nEND\n"
    "OBJSTATS\nBEGIN\nSleep SLP 1 0 40\nEND\nTYPES\nBEGIN\n\"Locke\" \"a\" 0x1000000c\nEND\nEND\n"
    "CLASS \"TILE\"\nBEGIN\nTYPES\nBEGIN\n\"Floor\" \"a\" 0x10000009\nEND\nEND\n"
    "CLASS \"ITEM\"\nBEGIN\nTYPES\nBEGIN\n\"thing\" \"a\" 0x10000000\nEND\nEND\n"
    "CLASS \"WEAPON\"\nBEGIN\nTYPES\nBEGIN\n\"axe\" \"a\" 0x10000001\nEND\nEND\n"
    "CLASS \"CONTAINER\"\nBEGIN\nTYPES\nBEGIN\n\"bag\" \"a\" 0x10000005\nEND\nEND\n"
    "CLASS \"MONEY\"\nBEGIN\nTYPES\nBEGIN\n\"coin\" \"a\" 0x10000008\nEND\nEND\n"
    "CLASS \"EXIT\"\nBEGIN\nTYPES\nBEGIN\n\"gate\" \"a\" 0x1000000a\n"
    "\"Door1\" \"a\" 0x1000002a\nEND\nEND\n"
    "CLASS \"TRAP\"\nBEGIN\nTYPES\nBEGIN\n\"trap\" \"a\" 0x1000000d\nEND\nEND\n"
    "CLASS \"INVCONTAINER\"\nBEGIN\nTYPES\nBEGIN\n\"chest\" \"a\" 0x10000011\nEND\nEND\n"
    "CLASS \"AMMO\"\nBEGIN\nTYPES\nBEGIN\n\"arrows\" \"a\" 0x10000015\nEND\nEND\n"
    "CLASS \"SCROLL\"\nBEGIN\nTYPES\nBEGIN\n\"scroll\" \"a\" 0x10000016\nEND\nEND\n";

static const char exit_def[] = "gate (1, 2, 3) level 4\nback (1, 2, 3) level 5\n";

mst_status find_exits(void *user, const char *name, const void **bytes, size_t *size);

/* A sector without findings: no unknown bytes. */
void good_sector(sector_source *r, uint32_t version);

void check_with(const mst_document *d, bool classes, bool exits, findings *list, mst_check_result *result);

typedef struct error_case {
    const char *code, *path;
    const char *where; /* the mark to change, and `delta` after it */
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
