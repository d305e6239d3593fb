/* SPDX-License-Identifier: MIT */
/* Images stored in level files (texture pages and the like), and PNG. */
#ifndef MAPSTONE_IMAGE_H
#define MAPSTONE_IMAGE_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero-initialise it (or set `allocator`) before use; free it with mst_pixels_free. */
typedef struct mst_pixels {
    uint32_t width, height;
    int indexed;   /* 1: one byte per pixel, an index into `palette`; 0: four, RGBA8, sRGB */
    uint8_t *data; /* row by row from the top */
    uint32_t palette_count;
    uint8_t palette[256][4]; /* RGBA8, sRGB */
    mst_allocator allocator;
} mst_pixels;

MST_API void mst_pixels_free(mst_pixels *pixels);

/* Writes pixels as PNG, indexed ones with their palette. MST_UNSUPPORTED if the library was built without
 * libspng. */
MST_API mst_status mst_pixels_write_png(const mst_pixels *pixels, mst_sink sink, mst_diagnostic *diagnostic);

/* Reads a PNG: one with a palette stays indexed, any other becomes RGBA8. MST_DAMAGED if it is not a PNG,
 * MST_REFUSED if its pixels would take more than 1 MiB plus 1024 times its size. */
MST_API mst_status mst_pixels_read_png(const void *bytes, size_t size, mst_pixels *pixels,
                                       mst_diagnostic *diagnostic);

#define MST_IMAGE_NAME 32

/* How many images the document holds; 0 if its format has none. */
MST_API size_t mst_image_count(const mst_document *document);

/* The image at an index below that count. `name` (may be NULL) receives a name without an extension that can
 * be used as a file name and is unique in the document: "page_0". */
MST_API mst_status mst_image_read(const mst_document *document, size_t index, mst_pixels *pixels,
                                  char name[MST_IMAGE_NAME], mst_diagnostic *diagnostic);

/*
 * Replaces the image's pixels; its width, height and palette stay. Indexed pixels keep their index where the
 * document's palette has the same colour there; all others are matched by colour. MST_REFUSED if the
 * document cannot store the pixels: the size differs, or its palette lacks a colour (the diagnostic has the
 * position of the pixel). The guarantees of edits (mst_set) apply.
 */
MST_API mst_status mst_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                     mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
