/* SPDX-License-Identifier: MIT */
/* Glyphs of 5 by 11 dots: two rows for marks on tall letters, seven above the base line, two below. */
#ifndef MST_EXPORT_LETTERS_H
#define MST_EXPORT_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

#define MST_LETTER_ROWS    11
#define MST_LETTER_ABOVE   2 /* rows that are above the cell */
#define MST_LETTER_COLUMNS 5

/* The mark that a combining character adds to the letter before it, 0 if it is unknown. */
unsigned mst_letter_mark(uint32_t code);

/* The rows of a Unicode character combined with a mark (0: none): ASCII, Latin-1, Latin Extended-A and some
 * punctuation. False if there is no glyph. */
bool mst_letter_rows(uint32_t code, unsigned mark, uint8_t rows[MST_LETTER_ROWS]);

#endif
