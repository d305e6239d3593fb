/* SPDX-License-Identifier: MIT */
/* Revenant's pictures, written byte by byte from their description. */
#ifndef MST_TESTS_REVENANT_IMAGE_H
#define MST_TESTS_REVENANT_IMAGE_H

#include "support.h"

#define IMAGE_BITMAPS 8

typedef struct image_source {
    writer header, maps, data, trailing;
    uint32_t state_count;
    uint32_t bitmaps[IMAGE_BITMAPS]; /* the beginning of each in the data */
    uint32_t count;
} image_source;

void image_free(image_source *s);

void image_set(writer *w, size_t offset, uint32_t value);
/* An offset field is relative to itself. */
void image_lead(writer *w, size_t field, size_t target);
void image_zeros(writer *w, size_t count);
void image_align(writer *w);

/* The slots of 64 states. */
void image_begin(image_source *s);

/* A state of 76 bytes whose walkmap has these cells, or none. The offsets of walkmaps are written at the end.
 */
void image_state(image_source *s, const char *name, uint32_t flags, unsigned width, unsigned length,
                 const char *map);

/* Slot field `which` (0 still, 1 animation, 2 inventory, 3 its animation) of a state. */
void image_slot(image_source *s, unsigned state, unsigned which, size_t target);

/* The 72 bytes of a bitmap, then its pixels; returns its beginning. */
uint32_t image_bitmap(image_source *s, uint32_t width, uint32_t height, uint32_t flags, const void *pixels,
                      size_t size);

/* Plane `kind` (0 alias, 1 alpha, 2 depth, 3 normals, 4 palette) of the bitmap. */
void image_plane(image_source *s, uint32_t bitmap, unsigned kind, const void *bytes, size_t size);

/* Colour i is (8 i, 8 (31 - i), 0x40) for i below 32, black above. */
void image_palette(image_source *s, uint32_t bitmap);

/* An animation of frames; returns its beginning. */
uint32_t image_animation(image_source *s, unsigned frames);
void image_frame(image_source *s, uint32_t animation, unsigned frame, size_t bitmap);

/* The header of a plane in blocks; offsets follow with image_block. */
void image_blocks(writer *w, uint32_t type, uint32_t across, uint32_t down);
/* Block `number`: its id, and the packed bytes with the markers. */
void image_block(writer *w, unsigned number, uint32_t id, const void *packed, size_t size);

/* The file. */
writer image_finish(image_source *s);

/* A block of pixels: 1 2 3 4 5, the same copied, ten times 7, 44 skipped; then 63 empty rows. */
writer image_pixel_block(void);
/* A block of depths: a row of 0120h, then nothing. */
writer image_depth_block(void);

/* Positions in the file of image_usual. */
typedef struct image_places {
    size_t data;                                  /* the file's data section */
    uint32_t tile, plain, faded, word, animation; /* in the data */
} image_places;

/* Two states. The first: a tile of 70 x 3 pixels in two blocks, of which the second is empty, with depths.
 * The second: an animation of a plain picture (3 x 2, 8 bits), one with alpha (2 x 2, 15 bits) and one of 16
 * bits (2 x 1); the plain one in the inventory. */
writer image_usual(image_places *places);

#endif
