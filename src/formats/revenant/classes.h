/* SPDX-License-Identifier: MIT */
/*
 * What class.def says: types of objects by their unique ids, and the statistics that the types of a class
 * have; and exit.def: where exits lead. Both are texts that people wrote: mixed case, odd spacing and stray
 * lines are usual.
 */
#ifndef MST_FORMATS_REVENANT_CLASSES_H
#define MST_FORMATS_REVENANT_CLASSES_H

#include "../../core/arena.h"
#include <mapstone/search.h>

/* Text is NUL-terminated, in the arena, as written (bytes beyond ASCII become U+FFFD so that it is UTF-8). */
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
    const int32_t *stats;        /* of the class, in its order */
    const int32_t *object_stats; /* the same of OBJSTATS */
    uint32_t stat_count, object_stat_count;
    uint32_t line; /* from 1 */
} mst_revenant_type;

typedef struct mst_revenant_class {
    const char *name; /* "WEAPON" */
    int32_t number;   /* the game's: 1; -1 if the name is none of the game's */
    const mst_revenant_stat *stats, *object_stats;
    uint32_t stat_count, object_stat_count;
} mst_revenant_class;

typedef struct mst_revenant_classes {
    const mst_revenant_class *classes;
    const mst_revenant_type *types; /* in the order of the text */
    const uint32_t *by_id;          /* indices of types, sorted by unique_id; of twins the first counts */
    uint32_t class_count, type_count;
} mst_revenant_classes;

/* Something odd in the text; `line` from 1. */
typedef struct mst_revenant_remark {
    const char *code; /* "REV-DEF-SYNTAX", ... */
    uint32_t line;
    uint64_t offset, length;
    char message[120];
} mst_revenant_remark;
typedef mst_status (*mst_revenant_remarks)(void *user, const mst_revenant_remark *remark);

/* Reads what can be read; odd lines are remarked (`remark` may be NULL) and passed over. Fails only for want
 * of memory, or with what `remark` returned. Memory is bounded by the text's size times a constant. */
mst_status mst_revenant_read_classes(const char *text, size_t size, mst_arena *arena,
                                     mst_revenant_classes *classes, mst_revenant_remarks remark, void *user);

/* The same, kept with the resolver for the next document if it can be; `scratch` holds it otherwise. */
mst_status mst_revenant_recall_classes(const mst_resolver *resolver, const mst_allocator *allocator,
                                       const char *text, size_t size, mst_arena *scratch,
                                       const mst_revenant_classes **classes);

/* NULL if there is none. */
const mst_revenant_type *mst_revenant_type_of(const mst_revenant_classes *classes, uint32_t unique_id);

/* The game's numbers of classes: "weapon" is 1. NULL and -1 if there is none; names in any case. */
const char *mst_revenant_class_name(uint32_t number);
int32_t mst_revenant_class_number(const char *name, size_t length);

/* exit.def: the names of exits that have a destination. */
typedef struct mst_revenant_exits {
    const char *const *names; /* sorted, lower case */
    uint32_t count;
} mst_revenant_exits;
mst_status mst_revenant_read_exits(const char *text, size_t size, mst_arena *arena,
                                   mst_revenant_exits *exits);
bool mst_revenant_has_exit(const mst_revenant_exits *exits, const char *name, size_t length);

/* The hash of a sector's state: Adler-32 over sign-extended bytes, its sums reduced after each run of 5,552
 * bytes of one piece. Begin with a = 1, b = 0; add pieces; the end makes 0 something else. */
typedef struct mst_revenant_hash {
    uint32_t a, b;
} mst_revenant_hash;
void mst_revenant_hash_add(mst_revenant_hash *hash, const uint8_t *piece, size_t size);
/* One piece that lies in two places. */
void mst_revenant_hash_add_two(mst_revenant_hash *hash, const uint8_t *header, size_t prefix_size,
                               const uint8_t *rest, size_t rest_size);
uint32_t mst_revenant_hash_end(const mst_revenant_hash *hash);

#endif
