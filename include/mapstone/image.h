/* SPDX-License-Identifier: MIT */
/* Images stored in level files: texture pages and the like. */
#ifndef MAPSTONE_IMAGE_H
#define MAPSTONE_IMAGE_H

#include "document.h"
#include "pixels.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MST_IMAGE_NAME 32

/* The number of images in the document; 0 if its format has none. */
MST_API size_t mst_image_count(const mst_document *document);

/* The number of mip levels of an image, the image itself included: at least 1, or 0 if the index is not below
 * the number of images. Textures of Natural Selection 2 (.dds) and Star Fox Adventures have several. */
MST_API size_t mst_image_levels(const mst_document *document, size_t index);

/*
 * The image at an index below that count, or one of its mip levels as stored: 0 is the image, and each
 * further one has half its width and height, rounded down. MST_ARGUMENT: the image or the level does not
 * exist. `name` (may be NULL) receives a name without an extension that can be used as a file name and is
 * unique in the document: "page_0". `sidecars` finds the palettes of documents that have them in other files
 * (sprites and screens of Alien Trilogy are only indices); if it is NULL or a palette is not found, such
 * images are shades of grey.
 */
MST_API mst_status mst_image_read(const mst_document *document, size_t index, size_t level,
                                  const mst_resolver *sidecars, mst_pixels *pixels, char name[MST_IMAGE_NAME],
                                  mst_diagnostic *diagnostic);

/*
 * Replaces the image's pixels; its width, height and palette are kept. Indexed pixels keep their index if the
 * document's palette has the same colour at that index; all others are matched by colour, against the colours
 * that reading with these `sidecars` gives. MST_REFUSED if the document cannot store the pixels: the size
 * differs, or its palette lacks a colour (the diagnostic has the position of the pixel). The guarantees of
 * edits (mst_set) apply.
 */
MST_API mst_status mst_image_replace(mst_document *document, size_t index, const mst_resolver *sidecars,
                                     const mst_pixels *pixels, mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
