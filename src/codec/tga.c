/* SPDX-License-Identifier: MIT */
#include "tga.h"
#include "../core/bytes.h"
#include <string.h>

enum { HEADER = 18, INDEXED = 1, COLORED = 2, GRAY = 3, PACKED = 8, RUN = 0x80 };
enum { FROM_RIGHT = 0x10, FROM_TOP = 0x20, ALPHA_BITS = 0x0F };

static bool is_color_depth(unsigned depth) {
    return depth == 15 || depth == 16 || depth == 24 || depth == 32;
}

bool mst_tga_begin(const uint8_t *bytes, size_t size, mst_tga *tga) {
    if (size < HEADER || bytes[1] > 1)
        return false;
    unsigned type = bytes[2] & ~(unsigned)PACKED;
    *tga = (mst_tga){.width = mst_load16(bytes + 12, false),
                     .height = mst_load16(bytes + 14, false),
                     .depth = bytes[16],
                     .palette_depth = bytes[1] ? bytes[7] : 0,
                     .palette_first = mst_load16(bytes + 3, false),
                     .palette_count = bytes[1] ? mst_load16(bytes + 5, false) : 0,
                     .palette = (size_t)HEADER + bytes[0],
                     .gray = type == GRAY,
                     .packed = bytes[2] & PACKED,
                     .from_top = bytes[17] & FROM_TOP,
                     .from_right = bytes[17] & FROM_RIGHT,
                     .no_alpha = !(bytes[17] & ALPHA_BITS)};
    tga->pixels = tga->palette + (size_t)tga->palette_count * ((tga->palette_depth + 7) / 8);
    bool palette_fits = !tga->palette_count || is_color_depth(tga->palette_depth);
    bool depth_fits = type == INDEXED   ? tga->depth == 8 && tga->palette_count
                      : type == COLORED ? is_color_depth(tga->depth)
                                        : type == GRAY && tga->depth == 8;
    if (type != INDEXED)
        tga->palette_depth = 0;
    return depth_fits && palette_fits && tga->width && tga->height && tga->width <= MST_TGA_MAX_SIDE &&
           tga->height <= MST_TGA_MAX_SIDE && tga->pixels <= size;
}

static uint8_t of_5_bits(unsigned value) {
    value &= 31;
    return (uint8_t)(value << 3 | value >> 2);
}

static void put_color(const uint8_t *from, unsigned depth, bool no_alpha, uint8_t to[4]) {
    to[3] = 255;
    if (depth < 24) {
        unsigned bits = mst_load16(from, false);
        to[0] = of_5_bits(bits >> 10);
        to[1] = of_5_bits(bits >> 5);
        to[2] = of_5_bits(bits);
        to[3] = depth == 16 && !no_alpha && !(bits >> 15) ? 0 : 255;
        return;
    }
    to[0] = from[2];
    to[1] = from[1];
    to[2] = from[0];
    if (depth == 32)
        to[3] = from[3];
}

static void put_pixel(const uint8_t *bytes, const mst_tga *tga, const uint8_t *from, uint8_t to[4]) {
    if (tga->gray) {
        to[0] = to[1] = to[2] = from[0];
        to[3] = 255;
    } else if (tga->palette_depth) {
        uint32_t index = from[0] - tga->palette_first; /* below the first it wraps around, above any index */
        memset(to, 0, 4);
        if (index < tga->palette_count)
            put_color(bytes + tga->palette + (size_t)index * ((tga->palette_depth + 7) / 8),
                      tga->palette_depth, tga->no_alpha, to);
    } else {
        put_color(from, tga->depth, tga->no_alpha, to);
    }
}

/* Some writers leave alpha 0 everywhere, and state in the header that there is none. */
static void fill_alpha(const mst_tga *tga, uint8_t *rgba) {
    size_t count = (size_t)tga->width * tga->height;
    for (size_t i = 0; i < count; i++)
        if (!tga->no_alpha || rgba[4 * i + 3])
            return;
    for (size_t i = 0; i < count; i++)
        rgba[4 * i + 3] = 255;
}

bool mst_tga_decode(const uint8_t *bytes, size_t size, const mst_tga *tga, uint8_t *rgba) {
    size_t width = (tga->depth + 7) / 8, at = tga->pixels, left = 0;
    bool run = false;
    for (size_t i = 0, count = (size_t)tga->width * tga->height; i < count; i++) {
        if (tga->packed && !left) {
            if (at == size)
                return false;
            run = bytes[at] & RUN;
            left = (bytes[at++] & (size_t)(RUN - 1)) + 1;
        }
        if (!mst_fits(at, width, size))
            return false;
        size_t x = i % tga->width, y = i / tga->width;
        x = tga->from_right ? tga->width - 1 - x : x;
        y = tga->from_top ? y : tga->height - 1 - y;
        put_pixel(bytes, tga, bytes + at, rgba + 4 * (y * tga->width + x));
        left -= tga->packed;
        if (!run || !left)
            at += width;
    }
    fill_alpha(tga, rgba);
    return true;
}
