/* SPDX-License-Identifier: MIT */
/* Pictures: their checks, and their bitmaps as images. */
#ifndef MST_FORMATS_REVENANT_IMAGE_H
#define MST_FORMATS_REVENANT_IMAGE_H

#include "imagery.h"

extern const mst_bindings mst_imagery_state_bindings;

mst_status mst_image_check(mst_checker *checker);

/* A plane of a bitmap, in parsed bytes. */
typedef struct mst_image_plane {
    uint8_t form; /* MST_PLANE_... */
    const uint8_t *bytes;
    uint32_t size; /* BYTES and COLORS */
    uint32_t across, down, count;
    mst_parsed_reader blocks;
    uint32_t index;           /* in `planes` */
    uint32_t gap, blocks_gap; /* bytes */
} mst_image_plane;

/* A bitmap. */
typedef struct mst_image_bitmap {
    uint32_t index;
    bool filled;
    uint32_t width, height, flags;
    uint32_t key_color;
    unsigned depth; /* bits of a pixel: 8, 15 or 16; 0: unknown, or none */
    bool has[MST_PLANES + 1];
    mst_image_plane planes[MST_PLANES + 1]; /* the last one is the pixels */
} mst_image_bitmap;

/* The bitmaps of a document, in order. */
typedef struct mst_image_cursor {
    mst_parsed_reader reader;
    uint32_t left, next;
} mst_image_cursor;
mst_image_cursor mst_image_bitmaps(const mst_document *document);
bool mst_image_next(mst_image_cursor *cursor, mst_image_bitmap *bitmap);

/* The next block of a plane; false: it is empty. `header`: its id and markers. */
bool mst_image_next_block(mst_parsed_reader *blocks, bool deep, mst_tile_block *block,
                          const uint8_t **header);

/* Whether a plane has all values of the bitmap: then they can be unpacked. `width` of a value: 1 or 2 bytes.
 */
bool mst_image_is_whole(const mst_image_bitmap *bitmap, unsigned plane, unsigned width);
/* Unpacks a whole plane, row by row; false: a block is damaged, and its rest is cleared. `block` is memory
 * for MST_TILE_VALUES. */
bool mst_image_unpack(const mst_image_bitmap *bitmap, unsigned plane, unsigned width, uint16_t *values,
                      uint16_t *block);

/* ---- images -------------------------------------------------------------------------------------- */

/* Whether the bitmap can be shown: its pixels or alpha are complete, and it has a palette if it needs one. */
bool mst_image_is_picture(const mst_document *document, const mst_image_bitmap *bitmap);
/* The picture at an index; false: there are only `*count` pictures. */
bool mst_image_find(const mst_document *document, size_t index, mst_image_bitmap *bitmap, size_t *count);

/* The planes of a picture, unpacked; NULL: the plane is missing. */
typedef struct mst_image_planes {
    const mst_image_bitmap *bitmap;
    size_t count; /* of pixels */
    uint16_t *pixels, *z, *alpha;
    uint16_t *block;        /* of MST_TILE_VALUES, for unpacking */
    const uint8_t *palette; /* of 256 colours with four bytes */
} mst_image_planes;
/* False: no memory. */
bool mst_image_unpack_all(const mst_image_bitmap *bitmap, mst_arena *scratch, mst_image_planes *planes);
void mst_image_color(const mst_image_planes *planes, unsigned value, uint8_t color[3]);
uint8_t mst_image_alpha(const mst_image_planes *planes, size_t at);

size_t mst_image_pictures(const mst_document *document);
mst_status mst_image_picture(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                             char *name, mst_diagnostic *diagnostic);
mst_status mst_image_replace_picture(mst_document *document, size_t index, const mst_pixels *pixels,
                                     mst_diagnostic *diagnostic);

#endif
