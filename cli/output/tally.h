/* SPDX-License-Identifier: MIT */
/* Names with counts. */
#ifndef CLI_OUTPUT_TALLY_H
#define CLI_OUTPUT_TALLY_H

#include <stddef.h>
#include <stdint.h>

typedef struct tally {
    char *name; /* NULL: an empty slot */
    uint64_t count;
} tally;

/* A hash table with open addressing. Zero-initialise it. */
typedef struct tallies {
    tally *slots;
    size_t used, capacity;
} tallies;

void tallies_add(tallies *all, const char *name, uint64_t count);
/* Moves the names to the front, the most frequent first; nothing may be added afterwards. */
void tallies_sort(tallies *all);
void tallies_free(tallies *all);

#endif
