/* SPDX-License-Identifier: MIT */
/* The tables that scripts/letters.py makes from a font. */
#ifndef MST_EXPORT_GLYPHS_H
#define MST_EXPORT_GLYPHS_H

#include <stddef.h>
#include <stdint.h>

#define MST_GLYPH_BYTES 9 /* 12 rows of 6 dots, the upper left one in the highest bit */

/* Consecutive characters whose glyphs are also consecutive. */
typedef struct mst_glyph_run {
    uint16_t first, count, glyph;
} mst_glyph_run;

/* A letter and a combining mark for which a single character exists, in the order of the letter and mark. */
typedef struct mst_glyph_pair {
    uint16_t letter, mark, both;
} mst_glyph_pair;

extern const mst_glyph_run mst_glyph_runs[];
extern const size_t mst_glyph_run_count;
extern const mst_glyph_pair mst_glyph_pairs[];
extern const size_t mst_glyph_pair_count;
extern const uint8_t mst_glyphs[]; /* MST_GLYPH_BYTES for each */

#endif
