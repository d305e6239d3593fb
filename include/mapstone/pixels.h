/* SPDX-License-Identifier: MIT */
/* Pixels of images in level files, of a scene's textures and of pictures, and PNG. */
#ifndef MAPSTONE_PIXELS_H
#define MAPSTONE_PIXELS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_pixel_format {
    MST_PIXELS_RGBA8 = 0, /* four bytes per pixel: red, green, blue and alpha, sRGB */
    MST_PIXELS_INDEXED8   /* one: an index into `palette` */
} mst_pixel_format;

/*
 * Rows from the top, without gaps between them. If a function fills them, zero-initialise them (or set
 * `allocator`) before and free them with mst_pixels_free afterwards: `data` and `palette` are one block of
 * memory. If it only reads them, both may point anywhere and no allocator is needed.
 */
typedef struct mst_pixels {
    uint32_t width, height;
    mst_pixel_format format;
    uint32_t palette_count; /* 1 to 256; 0 for RGBA8 */
    uint8_t *data;
    uint8_t (*palette)[4]; /* RGBA8, sRGB */
    mst_allocator allocator;
    /* PNG without filters: pictures whose neighbouring pixels have few colours, such as paletted game art,
     * take a quarter of the time and are smaller. */
    bool unfiltered;
} mst_pixels;

/* Frees pixels that a function filled; NULL and empty pixels are allowed. */
MST_API void mst_pixels_free(mst_pixels *pixels);

/* Writes pixels as PNG, indexed ones with their palette. MST_UNSUPPORTED if the library was built without
 * libspng. */
MST_API mst_status mst_pixels_write_png(const mst_pixels *pixels, mst_sink sink, mst_diagnostic *diagnostic);

/* Reads a PNG: one with a palette stays indexed, any other becomes RGBA8. MST_DAMAGED if it is not a PNG,
 * MST_REFUSED if its pixels would take more than 1 MiB plus 1024 times its size. */
MST_API mst_status mst_pixels_read_png(const void *bytes, size_t size, mst_pixels *pixels,
                                       mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
