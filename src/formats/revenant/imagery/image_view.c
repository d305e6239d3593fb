/* SPDX-License-Identifier: MIT */
/* Iterating over the bitmaps of parsed pictures, and unpacking their planes. */
#include "../../../core/unreachable.h"
#include "image.h"

static void read_plane(mst_parsed_reader *r, mst_image_plane *plane) {
    uint32_t size;
    plane->form = (uint8_t)mst_parsed_read(r, 1);
    if (plane->form == MST_PLANE_COLORS) {
        plane->bytes = mst_parsed_take(r, plane->size = MST_PALETTE_SIZE);
    } else if (plane->form == MST_PLANE_BLOCKS) {
        mst_parsed_take(r, 4);
        plane->across = mst_swap32(mst_parsed_read(r, 4)); /* as stored: little-endian */
        plane->down = mst_swap32(mst_parsed_read(r, 4));
        mst_parsed_read_counted(r, &plane->blocks_gap);
        plane->count = mst_parsed_read(r, 4);
        plane->blocks = *r;
        for (uint32_t i = 0; i < plane->count; i++)
            if (!mst_parsed_read(r, 1)) {
                mst_parsed_take(r, 6);
                mst_parsed_read_counted(r, &size);
            }
    } else {
        plane->bytes = mst_parsed_read_counted(r, &plane->size);
    }
}

mst_image_cursor mst_image_bitmaps(const mst_document *document) {
    mst_image_cursor cursor = {.reader = {document->data, document->size, 0, false}};
    mst_parsed_reader *r = &cursor.reader;
    uint32_t size;
    mst_parsed_take(r, 13);
    for (uint32_t count = mst_parsed_read(r, 4); count; count--) {
        mst_imagery_skip_state(r);
        mst_parsed_take(r, MST_IMAGERY_SLOT);
    }
    mst_imagery_skip_fill(r);
    mst_parsed_take(r, 4 * (uint64_t)mst_parsed_read(r, 4));
    mst_parsed_read_counted(r, &size);
    cursor.left = mst_parsed_read(r, 4);
    return cursor;
}

bool mst_image_next(mst_image_cursor *cursor, mst_image_bitmap *bitmap) {
    memset(bitmap, 0, sizeof *bitmap);
    if (!cursor->left)
        return false;
    cursor->left--;
    bitmap->index = cursor->next++;
    mst_parsed_reader r = mst_parsed_inner(&cursor->reader);
    bitmap->filled = mst_imagery_skip_fill(&r);
    const uint8_t *numbers = mst_parsed_take(&r, 28);
    if (MST_UNREACHABLE(!numbers)) /* the walk has proved it, and parsed bytes do not change */
        return false;
    bitmap->width = mst_load32(numbers, false);
    bitmap->height = mst_load32(numbers + 4, false);
    bitmap->flags = mst_load32(numbers + 16, false);
    bitmap->key_color = mst_load32(numbers + 24, false);
    mst_parsed_take(&r, 9 * (uint64_t)mst_parsed_read(&r, 4));
    read_plane(&r, &bitmap->planes[MST_PLANES]);
    uint32_t count = mst_parsed_read(&r, 4), gap;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t kind = mst_parsed_read(&r, 1);
        mst_parsed_read_counted(&r, &gap);
        if (MST_UNREACHABLE(kind >= MST_PLANES)) /* serializing refuses other kinds */
            return false;
        bitmap->has[kind] = true;
        bitmap->planes[kind].index = i;
        read_plane(&r, &bitmap->planes[kind]);
        bitmap->planes[kind].gap = gap;
    }
    unsigned depth = bitmap->flags & MST_BITMAP_DEPTHS;
    bitmap->depth = depth == MST_BITMAP_8 ? 8 : depth == MST_BITMAP_15 ? 15 : depth == MST_BITMAP_16 ? 16 : 0;
    bitmap->has[MST_PLANES] = bitmap->depth && !(bitmap->flags & MST_BITMAP_NO_PIXELS);
    return true;
}

bool mst_image_next_block(mst_parsed_reader *blocks, bool deep, mst_tile_block *block,
                          const uint8_t **header) {
    uint32_t size;
    if (mst_parsed_read(blocks, 1))
        return false;
    *header = mst_parsed_take(blocks, 6);
    const uint8_t *stream = mst_parsed_read_counted(blocks, &size);
    if (MST_UNREACHABLE(!stream)) /* the walk has proved it */
        return false;
    *block = (mst_tile_block){.markers = *header + 4, .stream = stream, .size = size, .deep = deep};
    return true;
}

bool mst_image_is_whole(const mst_image_bitmap *bitmap, unsigned plane, unsigned width) {
    const mst_image_plane *p = &bitmap->planes[plane];
    if (bitmap->width > MST_BITMAP_SIDE || bitmap->height > MST_BITMAP_SIDE)
        return false;
    if (p->form == MST_PLANE_BLOCKS)
        return p->across == (bitmap->width + MST_TILE_SIDE - 1) / MST_TILE_SIDE &&
               p->down == (bitmap->height + MST_TILE_SIDE - 1) / MST_TILE_SIDE;
    return !mst_bitmap_packs(bitmap->flags, plane) &&
           p->size >= (uint64_t)bitmap->width * bitmap->height * width;
}

/* Copies the part of a block that is inside the picture to its place. */
static void place_block(const mst_image_bitmap *bitmap, uint32_t x, uint32_t y, const uint16_t *block,
                        uint16_t *values) {
    uint32_t columns = bitmap->width - x < MST_TILE_SIDE ? bitmap->width - x : MST_TILE_SIDE;
    uint32_t rows = bitmap->height - y < MST_TILE_SIDE ? bitmap->height - y : MST_TILE_SIDE;
    for (uint32_t row = 0; row < rows; row++)
        memcpy(values + (size_t)(y + row) * bitmap->width + x, block + MST_TILE_SIDE * (size_t)row,
               columns * sizeof *values);
}

bool mst_image_unpack(const mst_image_bitmap *bitmap, unsigned plane, unsigned width, uint16_t *values,
                      uint16_t *block) {
    const mst_image_plane *p = &bitmap->planes[plane];
    size_t count = (size_t)bitmap->width * bitmap->height;
    bool sound = true;
    if (p->form != MST_PLANE_BLOCKS) {
        for (size_t i = 0; i < count; i++)
            values[i] = (uint16_t)mst_load(p->bytes + i * width, width, false);
        return true;
    }
    mst_parsed_reader r = p->blocks;
    for (uint32_t i = 0; i < p->count; i++) {
        mst_tile_block packed;
        const uint8_t *header;
        if (mst_image_next_block(&r, width == 2, &packed, &header))
            sound = mst_tile_unpack(&packed, block) && sound;
        else
            for (size_t k = 0; k < MST_TILE_VALUES; k++)
                block[k] = width == 2 ? MST_TILE_CLEAR : 0;
        place_block(bitmap, i % p->across * MST_TILE_SIDE, i / p->across * MST_TILE_SIDE, block, values);
    }
    return sound;
}
