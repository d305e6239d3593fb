/* SPDX-License-Identifier: MIT */
#include "svg.h"
#include "font.h"
#include "letters.h"

#include <math.h>

#define FARTHEST 1e7 /* pixels */

static const mst_rgba dark = {8, 10, 14, 255};

/* Hundredths, whatever the locale. */
static void put_number(mst_svg *svg, double value) {
    const double near = value < -FARTHEST ? -FARTHEST : value > FARTHEST ? FARTHEST : value;
    const long hundredths = near == near ? (long)floor(near * 100 + 0.5) : 0;
    const unsigned long size = (unsigned long)(hundredths < 0 ? -hundredths : hundredths), rest = size % 100;
    mst_output_format(&svg->output, "%s%lu", hundredths < 0 ? "-" : "", size / 100);
    if (rest % 10)
        mst_output_format(&svg->output, ".%02lu", rest);
    else if (rest)
        mst_output_format(&svg->output, ".%lu", rest / 10);
}

static void put_attribute(mst_svg *svg, const char *name, double value) {
    mst_output_format(&svg->output, " %s=\"", name);
    put_number(svg, value);
    mst_output_text(&svg->output, "\"");
}

/* `kind`: fill or stroke */
static void put_color(mst_svg *svg, const char *kind, mst_rgba color) {
    mst_output_format(&svg->output, " %s=\"#%02x%02x%02x\"", kind, color.r, color.g, color.b);
    if (color.a < 255) {
        mst_output_format(&svg->output, " %s-opacity=\"", kind);
        put_number(svg, color.a / 255.0);
        mst_output_text(&svg->output, "\"");
    }
}

static void put_point(mst_svg *svg, char command, double x, double y) {
    mst_output_format(&svg->output, "%c", command);
    put_number(svg, x);
    mst_output_text(&svg->output, " ");
    put_number(svg, y);
}

void mst_svg_begin(mst_svg *svg, mst_sink sink, int32_t width, int32_t height) {
    mst_output_begin(&svg->output, sink);
    mst_output_format(&svg->output,
                      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                      "viewBox=\"0 0 %d %d\" font-family=\"monospace\" xml:space=\"preserve\">\n",
                      (int)width, (int)height, (int)width, (int)height);
}

mst_status mst_svg_end(mst_svg *svg) {
    mst_output_text(&svg->output, "</svg>\n");
    return mst_output_end(&svg->output);
}

void mst_svg_begin_clip(mst_svg *svg, int32_t width, int32_t height) {
    mst_output_format(&svg->output, "<svg width=\"%d\" height=\"%d\" stroke-linejoin=\"round\">\n",
                      (int)width, (int)height);
}

void mst_svg_end_clip(mst_svg *svg) {
    mst_output_text(&svg->output, "</svg>\n");
}

bool mst_svg_spell_letter(mst_svg *svg, const char **text) {
    const char *start = *text;
    const uint32_t code = mst_letter_next(text).code;
    if (!code)
        return false;
    const bool known = code >= 0x20 && code != 0x7F && code != MST_LETTER_UNKNOWN &&
                       (code < 0xD800 || code > 0xDFFF) && code != 0xFFFE && code != 0xFFFF &&
                       code <= 0x10FFFF;
    mst_svg_letter(svg, known ? start : "\xEF\xBF\xBD", known ? (size_t)(*text - start) : 3);
    return true;
}

/* U+FFFD replaces characters that XML does not allow. */
static void spell(mst_svg *svg, const char *text) {
    while (mst_svg_spell_letter(svg, &text)) {
    }
}

void mst_svg_begin_title(mst_svg *svg, const char *title) {
    mst_output_text(&svg->output, "<g><title>");
    spell(svg, title);
    mst_output_text(&svg->output, "</title>");
}

void mst_svg_end_title(mst_svg *svg) {
    mst_output_text(&svg->output, "</g>\n");
}

void mst_svg_rectangle(mst_svg *svg, int32_t x, int32_t y, int32_t width, int32_t height, mst_rgba color) {
    mst_output_format(&svg->output, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"", (int)x, (int)y,
                      (int)width, (int)height);
    put_color(svg, "fill", color);
    mst_output_text(&svg->output, "/>\n");
}

void mst_svg_line(mst_svg *svg, const double from[2], const double to[2], double width, mst_rgba color) {
    mst_svg_begin_stroke(svg, width, color);
    mst_svg_move(svg, from);
    mst_svg_go(svg, to);
    mst_svg_end_path(svg);
}

/* ---- marks ------------------------------------------------------------------------------------------- */

/* Corners of marks of radius 1, at the same distances from the centre as in the rasteriser. */
static const struct {
    int count;
    double corners[12][2];
} outlines[MST_MARKS] = {
    [MST_MARK_SQUARE] = {4, {{-0.88, -0.88}, {0.88, -0.88}, {0.88, 0.88}, {-0.88, 0.88}}},
    [MST_MARK_DIAMOND] = {4, {{0, -1.19}, {1.19, 0}, {0, 1.19}, {-1.19, 0}}},
    [MST_MARK_UP] = {3, {{0, -1.34}, {1.05, 0.75}, {-1.05, 0.75}}},
    [MST_MARK_DOWN] = {3, {{0, 1.34}, {1.05, -0.75}, {-1.05, -0.75}}},
    [MST_MARK_PLUS] = {12,
                       {{-0.38, -1.1},
                        {0.38, -1.1},
                        {0.38, -0.38},
                        {1.1, -0.38},
                        {1.1, 0.38},
                        {0.38, 0.38},
                        {0.38, 1.1},
                        {-0.38, 1.1},
                        {-0.38, 0.38},
                        {-1.1, 0.38},
                        {-1.1, -0.38},
                        {-0.38, -0.38}}},
};

static void put_circle(mst_svg *svg, const double at[2], double radius) {
    mst_output_text(&svg->output, "<circle");
    put_attribute(svg, "cx", at[0]);
    put_attribute(svg, "cy", at[1]);
    put_attribute(svg, "r", radius);
}

static void put_ring(mst_svg *svg, const double at[2], double radius, double rim, mst_rgba color) {
    for (int pass = rim > 0 ? 0 : 1; pass < 2; pass++) {
        put_circle(svg, at, radius * 0.78);
        mst_output_text(&svg->output, " fill=\"none\"");
        put_color(svg, "stroke", pass ? color : (mst_rgba){dark.r, dark.g, dark.b, color.a});
        put_attribute(svg, "stroke-width", radius * 0.56 + (pass ? 0 : 2 * rim));
        mst_output_text(&svg->output, "/>");
    }
    mst_output_text(&svg->output, "\n");
}

void mst_svg_mark(mst_svg *svg, mst_mark mark, const double at[2], double radius, double rim,
                  mst_rgba color) {
    if (mark == MST_MARK_RING) {
        put_ring(svg, at, radius, rim, color);
        return;
    }
    const mst_mark shape = mark == MST_MARK_CROSS ? MST_MARK_PLUS : mark;
    if (outlines[shape].count) {
        const double turn = 0.70710678118654752;
        mst_output_text(&svg->output, "<path d=\"");
        for (int i = 0; i < outlines[shape].count; i++) {
            double x = outlines[shape].corners[i][0] * radius, y = outlines[shape].corners[i][1] * radius;
            if (mark == MST_MARK_CROSS) {
                const double was = x;
                x = (was - y) * turn;
                y = (was + y) * turn;
            }
            put_point(svg, i ? 'L' : 'M', at[0] + x, at[1] + y);
        }
        mst_output_text(&svg->output, "Z\"");
    } else {
        put_circle(svg, at, radius);
    }
    put_color(svg, "fill", color);
    if (rim > 0) { /* half of it is below the filled area */
        put_color(svg, "stroke", (mst_rgba){dark.r, dark.g, dark.b, color.a});
        put_attribute(svg, "stroke-width", 2 * rim);
        mst_output_text(&svg->output, " paint-order=\"stroke\"");
    }
    mst_output_text(&svg->output, "/>\n");
}

/* ---- text -------------------------------------------------------------------------------------------- */

void mst_svg_begin_text(mst_svg *svg, int32_t x, int32_t y, int32_t scale, size_t count, mst_rgba color,
                        bool outline) {
    mst_output_format(&svg->output, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" textLength=\"%ld\"", (int)x,
                      (int)(y + 7 * scale), (int)(MST_FONT_HEIGHT * scale),
                      (long)count * MST_FONT_WIDTH * scale);
    put_color(svg, "fill", color);
    if (outline) {
        put_color(svg, "stroke", dark);
        put_attribute(svg, "stroke-width", scale);
        mst_output_text(&svg->output, " stroke-linejoin=\"round\" paint-order=\"stroke\"");
    }
    mst_output_text(&svg->output, ">");
}

void mst_svg_letter(mst_svg *svg, const char *bytes, size_t size) {
    const char first = *bytes;
    const char *name = first == '&' ? "&amp;" : first == '<' ? "&lt;" : first == '>' ? "&gt;" : NULL;
    if (name)
        mst_output_text(&svg->output, name);
    mst_output_bytes(&svg->output, bytes + (name != NULL), size - (name != NULL));
}

void mst_svg_end_text(mst_svg *svg) {
    mst_output_text(&svg->output, "</text>\n");
}

/* ---- paths ------------------------------------------------------------------------------------------- */

/* The edge, in the same colour, hides the seams between neighbours. */
void mst_svg_begin_area(mst_svg *svg, mst_rgba color) {
    mst_output_text(&svg->output, "<path");
    put_color(svg, "fill", color);
    put_color(svg, "stroke", color);
    mst_output_text(&svg->output, " stroke-width=\".8\" d=\"");
}

void mst_svg_begin_stroke(mst_svg *svg, double width, mst_rgba color) {
    mst_output_text(&svg->output, "<path fill=\"none\"");
    put_color(svg, "stroke", color);
    put_attribute(svg, "stroke-width", width);
    mst_output_text(&svg->output, " d=\"");
}

void mst_svg_move(mst_svg *svg, const double point[2]) {
    put_point(svg, 'M', point[0], point[1]);
}

void mst_svg_go(mst_svg *svg, const double point[2]) {
    put_point(svg, 'L', point[0], point[1]);
}

void mst_svg_close(mst_svg *svg) {
    mst_output_text(&svg->output, "Z");
}

void mst_svg_end_path(mst_svg *svg) {
    mst_output_text(&svg->output, "\"/>\n");
}
