/* SPDX-License-Identifier: MIT */
/* Glyphs of 6 by 12 dots: three rows for marks on tall letters, seven above the base line, two below. */
#ifndef MST_EXPORT_LETTERS_H
#define MST_EXPORT_LETTERS_H

#include <stdbool.h>
#include <stdint.h>

#define MST_LETTER_ROWS    12
#define MST_LETTER_ABOVE   3 /* rows that are above the cell */
#define MST_LETTER_COLUMNS 6

/* Whether a character is a mark on the preceding letter. */
bool mst_letter_is_mark(uint32_t code);

#define MST_LETTER_UNKNOWN 0xFFFD
typedef struct mst_letter {
    uint32_t code; /* 0: the end */
    uint32_t mark; /* combined with it; 0: none */
} mst_letter;
/* The next character of UTF-8 and the combining marks that follow it; only the first mark is drawn. */
mst_letter mst_letter_next(const char **text);

/* The rows of a Unicode character combined with a mark (0: none); bit 5 is the leftmost dot. Latin, Greek and
 * Cyrillic letters, punctuation and symbols. False if there is no glyph. */
bool mst_letter_rows(uint32_t code, uint32_t mark, uint8_t rows[MST_LETTER_ROWS]);

#endif
