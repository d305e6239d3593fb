/* SPDX-License-Identifier: MIT */
#include "turok_picture.h"
#include "../../../codec/halve.h"
#include "../../../codec/tga.h"
#include "../../../core/pixels.h"
#include "../../spark/dds.h"
#include <string.h>

/* The maximum number of pixels in a file of this size: no compression of these formats exceeds it. */
#define MOST_PIXELS(size) ((uint64_t)(size)*256 + (1u << 18))

typedef enum kind { NO_PICTURE, PNG, DDS, TGA } kind;

static kind kind_of(const uint8_t *bytes, size_t size) {
    static const char png[] = "\x89PNG\r\n\x1A\n";
    mst_tga tga;
    if (size >= 24 && memcmp(bytes, png, sizeof png - 1) == 0)
        return PNG;
    if (size >= 4 && memcmp(bytes, "DDS ", 4) == 0)
        return DDS;
    return mst_tga_begin(bytes, size, &tga) ? TGA : NO_PICTURE;
}

uint64_t mst_kex_picture_pixels(const uint8_t *bytes, size_t size) {
    uint64_t pixels = 0;
    mst_dds_header header;
    mst_tga tga;
    switch (kind_of(bytes, size)) {
    case PNG: pixels = (uint64_t)mst_load32(bytes + 16, true) * mst_load32(bytes + 20, true); break;
    case DDS:
        if (mst_dds_read_header(bytes, size, &header, NULL) == MST_OK)
            pixels = (uint64_t)header.width * header.height;
        break;
    case TGA:
        if (mst_tga_begin(bytes, size, &tga))
            pixels = (uint64_t)tga.width * tga.height;
        break;
    case NO_PICTURE: break;
    }
    return pixels <= MOST_PIXELS(size) ? pixels : 0;
}

static mst_status read_png(const uint8_t *bytes, size_t size, mst_arena *arena, mst_pixels *pixels) {
    mst_pixels read = {.allocator = arena->allocator};
    mst_status status = mst_pixels_read_png(bytes, size, &read, NULL);
    if (status != MST_OK)
        return status == MST_NO_MEMORY ? status : MST_DAMAGED;
    size_t count = (size_t)read.width * read.height;
    uint8_t *rgba = mst_arena_take(arena, count, 4);
    for (size_t i = 0; rgba && i < count; i++)
        memcpy(rgba + 4 * i, mst_pixel_at(&read, i), 4);
    *pixels = (mst_pixels){.width = read.width, .height = read.height, .data = rgba};
    mst_pixels_free(&read);
    return rgba ? MST_OK : MST_NO_MEMORY;
}

static mst_status read_dds(const uint8_t *bytes, size_t size, mst_arena *arena, mst_pixels *pixels) {
    mst_dds_header header;
    if (mst_dds_read_header(bytes, size, &header, NULL) != MST_OK ||
        mst_dds_level_size(&header, 0) > size - header.size)
        return MST_DAMAGED;
    uint8_t *rgba = mst_arena_take(arena, (size_t)header.width * header.height, 4);
    if (!rgba)
        return MST_NO_MEMORY;
    mst_dds_decode(&header, bytes + header.size, rgba);
    *pixels = (mst_pixels){.width = header.width, .height = header.height, .data = rgba};
    return MST_OK;
}

static mst_status read_tga(const uint8_t *bytes, size_t size, mst_arena *arena, mst_pixels *pixels) {
    mst_tga tga;
    if (!mst_tga_begin(bytes, size, &tga))
        return MST_DAMAGED;
    uint8_t *rgba = mst_arena_take(arena, (size_t)tga.width * tga.height, 4);
    if (!rgba)
        return MST_NO_MEMORY;
    *pixels = (mst_pixels){.width = tga.width, .height = tga.height, .data = rgba};
    return mst_tga_decode(bytes, size, &tga, rgba) ? MST_OK : MST_DAMAGED;
}

mst_status mst_kex_picture_read(const uint8_t *bytes, size_t size, uint32_t most, mst_arena *arena,
                                mst_pixels *pixels) {
    mst_status status = MST_DAMAGED;
    if (!mst_kex_picture_pixels(bytes, size))
        return status;
    switch (kind_of(bytes, size)) {
    case PNG: status = read_png(bytes, size, arena, pixels); break;
    case DDS: status = read_dds(bytes, size, arena, pixels); break;
    case TGA: status = read_tga(bytes, size, arena, pixels); break;
    case NO_PICTURE: break;
    }
    while (status == MST_OK && most && (pixels->width > most || pixels->height > most)) {
        mst_pixels half = {.width = mst_half(pixels->width), .height = mst_half(pixels->height)};
        half.data = mst_arena_take(arena, (size_t)half.width * half.height, 4);
        if (!half.data)
            return MST_NO_MEMORY;
        mst_halve(pixels->data, pixels->width, pixels->height, half.data);
        *pixels = half;
    }
    return status;
}
