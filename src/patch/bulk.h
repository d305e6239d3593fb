/* SPDX-License-Identifier: MIT */
/* The elements of a draft that a bulk operation of a patch selects. */
#ifndef MST_PATCH_BULK_H
#define MST_PATCH_BULK_H

#include "drafts.h"

/* A value as a step states it; `there` false: none. */
typedef struct mst_stated {
    mst_json json;
    bool there;
} mst_stated;

/* A value below elements. An inserted or removed pair is a complete element of a list. */
typedef struct mst_bulk_place {
    const char *path;
    const char *list, *name; /* of a pair: its list's path and its name; NULL: it is not a pair */
} mst_bulk_place;

/* Elements that a patch removes, or inserts. */
typedef struct mst_bulk_steps {
    const mst_patch_step **steps; /* by list and index */
    size_t count;
} mst_bulk_steps;

/* Finds the steps of that kind: MST_STEP_REMOVE or MST_STEP_INSERT. */
mst_status mst_bulk_steps_find(mst_bulk_steps *passing, const mst_patch_steps *steps, mst_step_kind kind,
                               mst_arena *arena);
/* The first step of a list; then whether the next step is about the list's element `index`, in ascending
 * order. */
size_t mst_bulk_steps_of(const mst_bulk_steps *passing, const char *list);
bool mst_bulk_passes(const mst_bulk_steps *passing, size_t *next, const char *list, uint64_t index);

/* Both fail if memory runs out, or the text is not JSON. */
mst_status mst_stated_read(mst_stated *value, const char *text, mst_arena *arena);
mst_status mst_bulk_place_read(mst_bulk_place *value, const char *path, const char *old, const char *now,
                               mst_arena *arena);

/* The node of a list, or MST_NONE. */
uint32_t mst_bulk_list(mst_draft *draft, const char *path);
/* Paths of conditions, in the order of their values in `at`. NULL: out of memory. */
const char **mst_bulk_paths(const mst_json *at, mst_arena *arena);
/* Whether an element meets the conditions. */
bool mst_bulk_is_meant(mst_draft *draft, uint32_t element, const mst_json *at, const char *const *paths);
/* Whether it has the value at the place. */
bool mst_bulk_has(mst_draft *draft, uint32_t element, const mst_bulk_place *where, const mst_stated *value);
/* The pair's list in an element; MST_NONE: it has no such list. */
uint32_t mst_bulk_pairs(mst_draft *draft, uint32_t element, const mst_bulk_place *where);
/* The first pair of the name, and its index; MST_NONE. */
uint32_t mst_bulk_pair_in(const mst_draft *draft, uint32_t list, const char *name, uint64_t *index);

#endif
