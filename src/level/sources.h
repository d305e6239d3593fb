/* SPDX-License-Identifier: MIT */
/* The inputs of levels: for the command, and for comparing directories. */
#ifndef MST_LEVEL_SOURCES_H
#define MST_LEVEL_SOURCES_H

#include <mapstone/level.h>

/*
 * The rule by which mst_level_open finds levels among many files, for callers that choose the files
 * themselves. Files called LEVEL_X_Y.ext, if their format has such names, are sectors of a level; files that
 * another file combines to maps (MAPS.bin) are not separate levels.
 */
typedef struct mst_level_candidate {
    const char *name; /* its path */
    const mst_format_information *format;
    size_t preference; /* of several files for one sector, the one with the lowest number is used */
    size_t index;      /* for the caller */
    /* set by mst_level_group: */
    size_t level;         /* index of the level that it belongs to */
    int is_sector;        /* of the level called `number`, at x, y; otherwise it is a separate level */
    int is_duplicate;     /* of the preceding sector, which is used */
    int32_t number, x, y; /* 0 unless it is a sector */
} mst_level_candidate;

/* Sorts the candidates by level and removes those that are not levels; returns the number left. */
size_t mst_level_group(mst_level_candidate *candidates, size_t count);

/* Frees the files that a cache holds if they use much memory: for calls between two levels. */
void mst_level_cache_trim(mst_level_cache *cache);

/*
 * Identifies a file or member like mst_level_open, by its beginning. `size` (may be NULL) receives its size,
 * even if the format is unknown. MST_UNKNOWN: no format matches, or `found` applies; JSON that was found has
 * no format, but gives MST_OK.
 */
mst_status mst_level_identify(const char *path, const mst_level_options *options,
                              const mst_format_information **format, uint64_t *size,
                              mst_diagnostic *diagnostic);

/* Whether a document was read from JSON. */
bool mst_level_is_json(const mst_level *level, size_t index);
/* The bytes of the opened file, before any edit. */
const void *mst_level_bytes_of(const mst_level *level, size_t index, size_t *size);

/* Gives a document the name that it will be saved under, before edits that depend on it: a hash over the name
 * is kept, right or wrong, until then. mst_level_save_as does the same. The old document and its values
 * become invalid. */
mst_status mst_level_rename(mst_level *level, size_t index, const char *name, mst_diagnostic *diagnostic);

#endif
