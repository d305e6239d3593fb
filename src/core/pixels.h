/* SPDX-License-Identifier: MIT */
#ifndef MST_CORE_PIXELS_H
#define MST_CORE_PIXELS_H

#include <mapstone/pixels.h>
#include <stdbool.h>

/* Allocates uninitialised pixels of this size with their allocator; false: out of memory, and they are empty.
 * `palette_count`: for indexed ones, else 0. */
bool mst_pixels_take(mst_pixels *pixels, uint32_t width, uint32_t height, uint32_t palette_count);

/* Its red, green, blue and alpha. */
static inline const uint8_t *mst_pixel_at(const mst_pixels *pixels, size_t at) {
    return pixels->format == MST_PIXELS_INDEXED8 ? pixels->palette[pixels->data[at]] : pixels->data + at * 4;
}

/* The index for pixel `at` of given pixels in an indexed image of the same size: its present index if that
 * has the colour, else the given index, else the first that matches. -1: the palette lacks the colour. */
int mst_pixels_index(const mst_pixels *now, const mst_pixels *given, size_t at);

/* Bytes of `data`. */
static inline size_t mst_pixels_size(const mst_pixels *pixels) {
    return (size_t)pixels->width * pixels->height * (pixels->format == MST_PIXELS_INDEXED8 ? 1 : 4);
}

#endif
