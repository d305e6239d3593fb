/* SPDX-License-Identifier: MIT */
/*
 * class.def: types of objects by unique id, and the statistics of their classes; and exit.def: the
 * destinations of exits. Both are written by hand: mixed case, odd spacing and stray lines are common.
 */
#ifndef MST_REVENANT_REVENANT_CLASSES_H
#define MST_REVENANT_REVENANT_CLASSES_H

#include "../../core/arena.h"
#include <mapstone/search.h>

/* Text is NUL-terminated, in the arena, as written (bytes beyond ASCII become U+FFFD so that it is valid
 * UTF-8). */
typedef struct mst_revenant_stat {
    const char *name; /* "EqSlot" */
    char code[5];     /* "EQSL" */
    int32_t initial, minimum, maximum;
} mst_revenant_stat;

typedef struct mst_revenant_type {
    const char *name;    /* "Bone Pickaxe" */
    const char *imagery; /* "Equip\BonePick.I3D" */
    uint32_t unique_id;
    uint32_t class_index;
    const int32_t *stats;        /* values in the order of the class */
    const int32_t *object_stats; /* the same of OBJSTATS */
    uint32_t stat_count, object_stat_count;
    uint32_t line; /* from 1 */
} mst_revenant_type;

typedef struct mst_revenant_class {
    const char *name; /* "WEAPON" */
    int32_t number;   /* the game's, such as 1; -1 if the game has no such class */
    const mst_revenant_stat *stats, *object_stats;
    uint32_t stat_count, object_stat_count;
} mst_revenant_class;

typedef struct mst_revenant_classes {
    const mst_revenant_class *classes;
    const mst_revenant_type *types; /* in the order of the text */
    const uint32_t *by_id; /* indices of types, sorted by unique_id; the first of duplicates counts */
    uint32_t class_count, type_count;
} mst_revenant_classes;

/* An anomaly in the text; `line` from 1. */
typedef struct mst_revenant_remark {
    const char *code; /* "REV-DEF-SYNTAX", ... */
    uint32_t line;
    uint64_t offset, length;
    char message[120];
} mst_revenant_remark;
typedef mst_status (*mst_revenant_remarks)(void *user, const mst_revenant_remark *remark);

/* Reads as much as possible; invalid lines are reported to `remark` (may be NULL) and skipped. Fails only if
 * memory runs out, or with the status that `remark` returned. Memory is bounded by a constant times the size
 * of the text. */
mst_status mst_revenant_read_classes(const char *text, size_t size, mst_arena *arena,
                                     mst_revenant_classes *classes, mst_revenant_remarks remark, void *user);

/* The same, cached in the resolver's memo for the next document; without a memo it is in `scratch`. */
mst_status mst_revenant_recall_classes(const mst_resolver *resolver, const char *text, size_t size,
                                       mst_arena *scratch, const mst_revenant_classes **classes);

/* NULL: no such type. */
const mst_revenant_type *mst_revenant_type_of(const mst_revenant_classes *classes, uint32_t unique_id);

/* The name of a type's value: its statistic's code, or its index ("#6") if the code is not unique. */
#define MST_REVENANT_STAT_NAME 24
void mst_revenant_stat_name(const mst_revenant_stat *stats, uint32_t count, uint32_t index,
                            char name[MST_REVENANT_STAT_NAME]);

/* Append the records of types and statistics, or of exits, to the bytes. */
mst_status mst_revenant_pack_classes(const char *text, size_t size, mst_buffer *bytes);
mst_status mst_revenant_pack_exits(const char *text, size_t size, mst_buffer *bytes);

/* The game's numbers of classes: "weapon" is 1. NULL and -1: none; names in any case. */
const char *mst_revenant_class_name(uint32_t number);
int32_t mst_revenant_class_number(const char *name, size_t length);

/* exit.def: a line of it. */
typedef struct mst_revenant_exit {
    const char *name; /* in the text */
    size_t name_length;
    uint32_t line; /* from 1 */
    bool has_position, has_color;
    int32_t position[3], color[3];
    int32_t level, map_index, ambient; /* -1: not given */
    uint32_t next_line;
    size_t at; /* offset of the next line */
} mst_revenant_exit;
#define MST_REVENANT_FIRST_EXIT                                                                              \
    { .next_line = 1 }
/* Reads the next exit of the text; false after the last one. */
bool mst_revenant_next_exit(const char *text, size_t size, mst_revenant_exit *one);

/* exit.def: the names of exits that have a destination. */
typedef struct mst_revenant_exits {
    const char *const *names; /* sorted, lower case */
    uint32_t count;
} mst_revenant_exits;
mst_status mst_revenant_read_exits(const char *text, size_t size, mst_arena *arena,
                                   mst_revenant_exits *exits);
bool mst_revenant_has_exit(const mst_revenant_exits *exits, const char *name, size_t length);

/* The hash of a sector's state: Adler-32 over sign-extended bytes, its sums reduced after each run of 5,552
 * bytes of one piece. Begin with a = 1, b = 0 and add pieces; the end replaces 0 by another value. */
typedef struct mst_revenant_hash {
    uint32_t a, b;
} mst_revenant_hash;
void mst_revenant_hash_add(mst_revenant_hash *hash, const uint8_t *piece, size_t size);
/* Adds one piece that is stored in two parts. */
void mst_revenant_hash_add_two(mst_revenant_hash *hash, const uint8_t *header, size_t header_size,
                               const uint8_t *rest, size_t rest_size);
uint32_t mst_revenant_hash_end(const mst_revenant_hash *hash);

#endif
