/* SPDX-License-Identifier: MIT */
/* What many files are together. */
#ifndef CLI_SUMMARY_H
#define CLI_SUMMARY_H

#include "levels.h"
#include "tally.h"

/* One file. */
typedef struct summary_part {
    const mst_format_information *format;
    uint32_t version;
    uint64_t bytes, lost; /* of the file; not understood */
    bool has_place;
    sector place;
    tallies classes;
    stream maps; /* lines about the maps of a set */
} summary_part;

/* Begin with zeros. */
typedef struct summary {
    uint64_t files, bytes, lost;
    tallies formats, versions, classes;
    const char *rows; /* what all formats call their things; "things" if they differ */
    sector *places;
    size_t place_count, place_capacity;
    stream maps;
} summary;

/* Takes what the part holds. */
void summary_add(summary *all, summary_part *part);
/* Once; nothing is added after it. */
void summary_put(summary *all, stream *to, bool json, bool everything);
void summary_free(summary *all);

#endif
