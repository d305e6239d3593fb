/* SPDX-License-Identifier: MIT */
/* The tables that scripts/letters.py makes of a font. */
#ifndef MST_EXPORT_GLYPHS_H
#define MST_EXPORT_GLYPHS_H

#include <stddef.h>
#include <stdint.h>

#define MST_GLYPH_BYTES 9 /* 12 rows of 6 dots, the upper left one in the highest bit */

/* Characters whose glyphs follow each other, in the order of their codes. */
typedef struct mst_glyph_run {
    uint16_t first, count, glyph;
} mst_glyph_run;

/* A letter and a combining mark that are a character of their own, in the order of both. */
typedef struct mst_glyph_pair {
    uint16_t letter, mark, both;
} mst_glyph_pair;

extern const mst_glyph_run mst_glyph_runs[];
extern const size_t mst_glyph_run_count;
extern const mst_glyph_pair mst_glyph_pairs[];
extern const size_t mst_glyph_pair_count;
extern const uint8_t mst_glyphs[]; /* MST_GLYPH_BYTES for each */

#endif
