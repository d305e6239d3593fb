/* SPDX-License-Identifier: MIT */
#include "letters.h"
#include "../core/lower_bound.h"
#include "glyphs.h"

#include <string.h>

#define MARKS_MAX 3 /* on one letter */
#define X_HEIGHT  5 /* the first row of letters like x */

bool mst_letter_is_mark(uint32_t code) {
    return (code >= 0x300 && code < 0x370) || (code >= 0x483 && code < 0x488) ||
           (code >= 0x20D0 && code < 0x20F1);
}

static bool glyph_rows(uint32_t code, uint8_t rows[MST_LETTER_ROWS]) {
    for (size_t i = 0; i < mst_glyph_run_count && mst_glyph_runs[i].first <= code; i++) {
        const mst_glyph_run *run = &mst_glyph_runs[i];
        if (code - run->first >= run->count)
            continue;
        const uint8_t *bytes = mst_glyphs + (run->glyph + (code - run->first)) * MST_GLYPH_BYTES;
        for (size_t row = 0; row < MST_LETTER_ROWS; row++) { /* four rows in three bytes */
            const uint8_t *three = bytes + row / 4 * 3;
            uint32_t bits = (uint32_t)three[0] << 16 | (uint32_t)three[1] << 8 | three[2];
            rows[row] = (uint8_t)(bits >> (18 - row % 4 * 6) & 0x3F);
        }
        return true;
    }
    return false;
}

static uint32_t pair_of(uint32_t letter, uint32_t mark) {
    const mst_glyph_pair *all = mst_glyph_pairs;
    MST_LOWER_BOUND(low, middle, mst_glyph_pair_count,
                    all[middle].letter < letter || (all[middle].letter == letter && all[middle].mark < mark));
    return low < mst_glyph_pair_count && all[low].letter == letter && all[low].mark == mark ? all[low].both
                                                                                            : 0;
}

/* The parts of a character without a glyph; NULL if it is not a letter with a mark. */
static const mst_glyph_pair *parts_of(uint32_t code) {
    for (size_t i = 0; i < mst_glyph_pair_count; i++)
        if (mst_glyph_pairs[i].both == code)
            return &mst_glyph_pairs[i];
    return NULL;
}

/* The first row with a dot, MST_LETTER_ROWS if there is none. */
static int top_of(const uint8_t rows[MST_LETTER_ROWS]) {
    int top = 0;
    while (top < MST_LETTER_ROWS && !rows[top])
        top++;
    return top;
}

/* Adds a mark. Marks above are drawn for small letters: over tall ones they are moved up, as far as there is
 * room. */
static void add_mark(uint8_t rows[MST_LETTER_ROWS], uint32_t mark) {
    uint8_t added[MST_LETTER_ROWS];
    if (!glyph_rows(mark, added))
        return;
    int top = top_of(added), end = MST_LETTER_ROWS, shift = 0;
    while (end > top && !added[end - 1])
        end--;
    if (end <= X_HEIGHT)
        while (shift < top && end - shift >= top_of(rows))
            shift++;
    for (int row = top; row < end; row++)
        rows[row - shift] |= added[row];
}

static bool is_above(uint32_t mark) {
    uint8_t rows[MST_LETTER_ROWS];
    return glyph_rows(mark, rows) && top_of(rows) < X_HEIGHT;
}

bool mst_letter_rows(uint32_t code, uint32_t mark, uint8_t rows[MST_LETTER_ROWS]) {
    uint32_t marks[MARKS_MAX], both = mark ? pair_of(code, mark) : 0;
    size_t count = 0;
    if (both)
        code = both;
    else if (mark)
        marks[count++] = mark;
    while (!glyph_rows(code, rows)) {
        const mst_glyph_pair *parts = count < MARKS_MAX ? parts_of(code) : NULL;
        if (!parts)
            return false;
        marks[count++] = parts->mark;
        code = parts->letter;
    }
    if (count && is_above(marks[count - 1]) && (code == 'i' || code == 'j'))
        glyph_rows(code == 'i' ? 0x131 : 0x237, rows); /* without the dot */
    while (count)
        add_mark(rows, marks[--count]);
    return true;
}

/* The next UTF-8 character, MST_LETTER_UNKNOWN for malformed bytes; 0 at the end. */
static uint32_t next_code(const char **text) {
    static const uint32_t min[4] = {0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)**text;
    if (!first)
        return 0;
    (*text)++;
    if (first < 0x80)
        return first;
    const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
    uint32_t code = first & (0x3Fu >> more);
    int read = 0;
    for (; ((unsigned char)**text & 0xC0) == 0x80; (*text)++, read++)
        code = code << 6 | ((unsigned char)**text & 0x3F);
    return first >= 0xC0 && read == more && code >= min[more] ? code : MST_LETTER_UNKNOWN;
}

mst_letter mst_letter_next(const char **text) {
    mst_letter result = {next_code(text), 0};
    for (const char *rest = *text; result.code; *text = rest) {
        uint32_t mark = next_code(&rest);
        if (!mst_letter_is_mark(mark))
            break;
        result.mark = result.mark ? result.mark : mark;
    }
    return result;
}
