/* SPDX-License-Identifier: MIT */
/* Names with counts. */
#ifndef CLI_OUTPUT_TALLY_H
#define CLI_OUTPUT_TALLY_H

#include "../../src/core/map.h"
#include <stddef.h>
#include <stdint.h>

typedef struct tally {
    char *name;
    uint64_t count;
} tally;

/* Zero-initialise it. */
typedef struct tallies {
    tally *items;
    size_t count;
    mst_hash_map by_name; /* indices of items */
} tallies;

void tallies_add(tallies *all, const char *name, uint64_t count);
/* Puts the most frequent names first; nothing may be added afterwards. */
void tallies_sort(tallies *all);
void tallies_free(tallies *all);

#endif
