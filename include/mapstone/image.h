/* SPDX-License-Identifier: MIT */
/* Pictures that are stored in files (texture pages and the like), and PNG. */
#ifndef MAPSTONE_IMAGE_H
#define MAPSTONE_IMAGE_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Zero-initialise it (or set `allocator`) before it is filled; free it with mst_pixels_free. */
typedef struct mst_pixels {
    uint32_t width, height;
    int indexed;   /* 1: a byte a pixel, an index into `palette`; 0: four, RGBA8, sRGB */
    uint8_t *data; /* row by row from the top */
    uint32_t palette_count;
    uint8_t palette[256][4]; /* RGBA8, sRGB */
    mst_allocator allocator;
} mst_pixels;

MST_API void mst_pixels_free(mst_pixels *pixels);

/* Writes pixels as PNG, indexed ones with their palette. MST_UNSUPPORTED if the library was built without
 * libspng. */
MST_API mst_status mst_pixels_write_png(const mst_pixels *pixels, mst_sink sink, mst_diagnostic *diagnostic);

/* Reads a PNG: one with a palette stays indexed, every other becomes RGBA8. MST_DAMAGED if it is none,
 * MST_REFUSED if it claims more than 1024 bytes of pixels for each of its own, and 1 MiB. */
MST_API mst_status mst_pixels_read_png(const void *bytes, size_t size, mst_pixels *pixels,
                                       mst_diagnostic *diagnostic);

#define MST_IMAGE_NAME 32

/* How many pictures the document holds; 0 if its format has none. */
MST_API size_t mst_image_count(const mst_document *document);

/* The picture at an index below that count. `name` (may be NULL) gets a name that is good as a file's,
 * without an extension, unique in the document, valid for every picture of the format: "page_0". */
MST_API mst_status mst_image_read(const mst_document *document, size_t index, mst_pixels *pixels,
                                  char name[MST_IMAGE_NAME], mst_diagnostic *diagnostic);

/*
 * Puts other pixels in the picture's place; width, height and the palette of the document stay. Indexed
 * pixels keep their index where the document's palette has that colour there; all others are found by their
 * colour. MST_REFUSED, with the place of the pixel, if the document cannot store them: another size, or a
 * colour that its palette does not have. What edits promise (mst_set) holds.
 */
MST_API mst_status mst_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                     mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
