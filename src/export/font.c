/* SPDX-License-Identifier: MIT */
#include "font.h"
#include "letters.h"
#include "svg.h"

#include <string.h>

#define ROWS    MST_LETTER_ROWS
#define COLUMNS MST_LETTER_COLUMNS

size_t mst_font_count(const char *text) {
    size_t count = 0;
    while (mst_letter_next(&text).code)
        count++;
    return count;
}

static int dot(const uint8_t *glyph, int column, int row) {
    if (column < 0 || column >= COLUMNS || row < 0 || row >= ROWS)
        return 0;
    return glyph[row] >> (COLUMNS - 1 - column) & 1;
}

/* The coverage of a letter's pixel (column + u, row + v). Where two dots touch only at a corner, the corners
 * next to them are filled, so that slanted strokes are smooth when enlarged. */
static double ink(const uint8_t *glyph, int column, int row, double u, double v, int32_t scale) {
    if (dot(glyph, column, row))
        return 1;
    double max = 0;
    for (int corner = 0; corner < 4; corner++) {
        int dx = corner & 1 ? 1 : -1, dy = corner & 2 ? 1 : -1;
        if (!dot(glyph, column + dx, row) || !dot(glyph, column, row + dy) ||
            dot(glyph, column + dx, row + dy) || dot(glyph, column - dx, row) || dot(glyph, column, row - dy))
            continue;
        double along = (dx > 0 ? 1 - u : u) + (dy > 0 ? 1 - v : v);
        double cover = 0.5 + (0.5 - along) * scale * 0.70710678118654752;
        max = cover > max ? cover : max;
    }
    return max < 1 ? max : 1;
}

/* A missing glyph is a box: it must not look like another letter. */
static void draw_letter(mst_canvas *canvas, int32_t x, int32_t y, int32_t scale, mst_letter shown,
                        mst_rgba color) {
    static const uint8_t box[ROWS] = {0x00, 0x00, 0x00, 0x3E, 0x22, 0x22, 0x22, 0x22, 0x22, 0x3E, 0x00, 0x00};
    const int32_t top = y - MST_LETTER_ABOVE * scale;
    uint8_t glyph[ROWS];
    if (!mst_letter_rows(shown.code, shown.mark, glyph))
        memcpy(glyph, box, sizeof glyph);
    if (x > canvas->width || top >= canvas->top + canvas->rows || top + ROWS * scale <= canvas->top)
        return;
    for (int32_t row = 0; row < ROWS * scale; row++)
        for (int32_t column = 0; column < COLUMNS * scale; column++) {
            double u = (column % scale + 0.5) / scale, v = (row % scale + 0.5) / scale;
            double cover = ink(glyph, column / scale, row / scale, u, v, scale);
            if (cover > 0)
                mst_canvas_blend(canvas, x + column, top + row, color, cover);
        }
}

void mst_font_draw(mst_canvas *canvas, int32_t x, int32_t y, int32_t scale, const char *text, size_t max,
                   mst_rgba color, bool outline) {
    const mst_rgba dark = {8, 10, 14, color.a};
    size_t count = mst_font_count(text);
    size_t shown = count <= max ? count : max;
    int32_t border = (scale + 1) / 2;
    if (canvas->svg) {
        mst_svg_begin_text(canvas->svg, x, y, scale, shown, color, outline);
        for (size_t i = 0; i < shown; i++)
            if (shown < count && i + 2 >= shown)
                mst_svg_letter(canvas->svg, ".", 1);
            else
                mst_svg_spell_letter(canvas->svg, &text);
        mst_svg_end_text(canvas->svg);
        return;
    }
    /* The complete outline first, so that it does not cover the previous letter. */
    for (int pass = outline ? 0 : 1; pass < 2; pass++) {
        const char *rest = text;
        int32_t at = x;
        for (size_t i = 0; i < shown && at < canvas->width; i++, at += MST_FONT_WIDTH * scale) {
            mst_letter next = mst_letter_next(&rest);
            if (shown < count && i + 2 >= shown)
                next = (mst_letter){'.', 0};
            if (pass == 1) {
                draw_letter(canvas, at, y, scale, next, color);
                continue;
            }
            for (int32_t dy = -1; dy <= 1; dy++)
                for (int32_t dx = -1; dx <= 1; dx++)
                    if (dx || dy)
                        draw_letter(canvas, at + dx * border, y + dy * border, scale, next, dark);
        }
    }
}
