/* SPDX-License-Identifier: MIT */
#include "pixels.h"
#include "arena.h"
#include <string.h>

bool mst_pixels_take(mst_pixels *pixels, uint32_t width, uint32_t height, uint32_t palette_count) {
    mst_allocator allocator = mst_allocator_or_default(&pixels->allocator);
    uint64_t count = (uint64_t)width * height, more = 4 * (uint64_t)palette_count;
    unsigned each = palette_count ? 1 : 4;
    *pixels = (mst_pixels){.allocator = allocator};
    if (count > (SIZE_MAX - more) / each)
        return false;
    pixels->data = allocator.resize(allocator.user, NULL, 0, (size_t)(count * each + more));
    if (!pixels->data)
        return false;
    pixels->width = width;
    pixels->height = height;
    pixels->format = palette_count ? MST_PIXELS_INDEXED8 : MST_PIXELS_RGBA8;
    pixels->palette_count = palette_count;
    pixels->palette = palette_count ? (uint8_t(*)[4])(pixels->data + count) : NULL;
    return true;
}

void mst_pixels_free(mst_pixels *pixels) {
    if (!pixels)
        return;
    mst_allocator allocator = mst_allocator_or_default(&pixels->allocator);
    if (pixels->data)
        allocator.resize(allocator.user, pixels->data,
                         mst_pixels_size(pixels) + 4 * (size_t)pixels->palette_count, 0);
    *pixels = (mst_pixels){.allocator = pixels->allocator};
}

/* Whether a palette colour looks like a given one: all transparent colours are the same. */
static bool shows_as(const uint8_t *has, const uint8_t *color) {
    return color[3] < 128 ? has[3] < 128 : has[3] >= 128 && memcmp(has, color, 3) == 0;
}

int mst_pixels_index(const mst_pixels *now, const mst_pixels *given, size_t at) {
    const uint8_t *color = mst_pixel_at(given, at);
    if (shows_as(now->palette[now->data[at]], color))
        return now->data[at];
    if (given->format == MST_PIXELS_INDEXED8 && given->data[at] < now->palette_count &&
        shows_as(now->palette[given->data[at]], color))
        return given->data[at];
    for (uint32_t i = 0; i < now->palette_count; i++)
        if (shows_as(now->palette[i], color))
            return (int)i;
    return -1;
}
