/* SPDX-License-Identifier: MIT */
/* Totals of many files. */
#ifndef CLI_OUTPUT_SUMMARY_H
#define CLI_OUTPUT_SUMMARY_H

#include "../../src/level/sources.h"
#include "streams.h"
#include "tally.h"
#include <mapstone/level.h>

/* One file. */
typedef struct summary_part {
    const mst_format_information *format;
    uint32_t version;
    uint64_t bytes, lost; /* total; unknown */
    mst_level_candidate place;
    tallies classes;
    stream maps; /* lines about the maps of a file that holds several */
} summary_part;

/* Zero-initialise it. */
typedef struct summary {
    uint64_t files, bytes, lost;
    tallies formats, versions, classes;
    const char *rows;            /* the rows of all formats; "things" if they differ */
    mst_level_candidate *places; /* the sectors of levels */
    size_t place_count, place_capacity;
    stream maps;
} summary;

/* Takes ownership of the part's members. */
void summary_add(summary *all, summary_part *part);
/* Call it once; nothing may be added afterwards. */
void summary_put(summary *all, stream *to, bool json, bool everything);
void summary_free(summary *all);

#endif
