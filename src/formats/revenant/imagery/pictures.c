/* SPDX-License-Identifier: MIT */
/* Bitmaps as images: drawn pixels have colours, others are transparent. */
#include "../../../core/diagnose.h"
#include "../../../core/pixels.h"
#include "../../../core/unreachable.h"
#include "image.h"
#include <stdio.h>

/* ---- which bitmaps ------------------------------------------------------------------------------- */

/* A few bytes can claim many pixels, as blocks may be empty. */
static bool is_moderate(const mst_document *document, const mst_image_bitmap *bitmap) {
    return (uint64_t)bitmap->width * bitmap->height <= (1u << 20) + 256 * document->size;
}

bool mst_image_is_picture(const mst_document *document, const mst_image_bitmap *bitmap) {
    bool pixels = bitmap->has[MST_PLANES], alpha = bitmap->has[MST_PLANE_ALPHA];
    if (!bitmap->width || !bitmap->height || !is_moderate(document, bitmap) || (!pixels && !alpha))
        return false;
    if (pixels && !mst_image_is_whole(bitmap, MST_PLANES, bitmap->depth > 8 ? 2 : 1))
        return false;
    if (pixels && bitmap->depth == 8 && bitmap->planes[MST_PLANE_PALETTE].form != MST_PLANE_COLORS)
        return false;
    return (!alpha || mst_image_is_whole(bitmap, MST_PLANE_ALPHA, 1)) &&
           (!bitmap->has[MST_PLANE_Z] || mst_image_is_whole(bitmap, MST_PLANE_Z, 2));
}

bool mst_image_find(const mst_document *document, size_t index, mst_image_bitmap *bitmap, size_t *count) {
    mst_image_cursor cursor = mst_image_bitmaps(document);
    for (*count = 0; mst_image_next(&cursor, bitmap);)
        if (mst_image_is_picture(document, bitmap) && (*count)++ == index)
            return true;
    return false;
}

size_t mst_image_pictures(const mst_document *document) {
    mst_image_bitmap bitmap;
    size_t count;
    mst_image_find(document, SIZE_MAX, &bitmap, &count);
    return count;
}

/* ---- their colours ------------------------------------------------------------------------------- */

static uint16_t *take_plane(mst_arena *scratch, const mst_image_planes *p, unsigned plane, unsigned width,
                            bool *enough) {
    if (!p->bitmap->has[plane])
        return NULL;
    uint16_t *values = mst_arena_take(scratch, p->count, sizeof *values);
    *enough = *enough && values;
    if (*enough)
        mst_image_unpack(p->bitmap, plane, width, values, p->block);
    return values;
}

bool mst_image_unpack_all(const mst_image_bitmap *bitmap, mst_arena *scratch, mst_image_planes *p) {
    *p = (mst_image_planes){.bitmap = bitmap, .count = (size_t)bitmap->width * bitmap->height};
    p->block = mst_arena_take(scratch, MST_TILE_VALUES, sizeof *p->block);
    bool enough = p->block != NULL;
    p->pixels = take_plane(scratch, p, MST_PLANES, bitmap->depth > 8 ? 2 : 1, &enough);
    p->z = take_plane(scratch, p, MST_PLANE_Z, 2, &enough);
    p->alpha = take_plane(scratch, p, MST_PLANE_ALPHA, 1, &enough);
    if (p->pixels && bitmap->depth == 8)
        p->palette = bitmap->planes[MST_PLANE_PALETTE].bytes + 512;
    return enough;
}

void mst_image_color(const mst_image_planes *p, unsigned value, uint8_t color[3]) {
    unsigned shift = p->bitmap->depth == 16 ? 1 : 0;
    if (!p->pixels)
        memset(color, 0, 3);
    else if (p->palette)
        memcpy(color, p->palette + 4 * (size_t)value, 3);
    else
        for (unsigned c = 0; c < 3; c++)
            color[c] = (uint8_t)((value >> (10 - 5 * c + (c < 2 ? shift : 0)) & 31) << 3);
}

uint8_t mst_image_alpha(const mst_image_planes *p, size_t at) {
    if (p->alpha)
        return (uint8_t)((p->alpha[at] < 31 ? p->alpha[at] : 31) * 255 / 31);
    if (p->z)
        return p->z[at] == MST_TILE_CLEAR ? 0 : 255;
    return p->pixels[at] == p->bitmap->key_color ? 0 : 255;
}

mst_status mst_image_picture(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                             char *name, mst_diagnostic *diagnostic) {
    (void)level;
    mst_image_bitmap bitmap;
    mst_arena scratch;
    mst_image_planes p;
    size_t count;
    mst_image_find(document, index, &bitmap, &count);
    mst_arena_begin(&scratch, &document->allocator, 0);
    bool made = mst_image_unpack_all(&bitmap, &scratch, &p) &&
                mst_pixels_take(pixels, bitmap.width, bitmap.height, 0);
    for (size_t i = 0; made && i < p.count; i++) {
        mst_image_color(&p, p.pixels ? p.pixels[i] : 0, pixels->data + 4 * i);
        pixels->data[4 * i + 3] = mst_image_alpha(&p, i);
    }
    mst_arena_end(&scratch);
    if (!made)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the image");
    snprintf(name, MST_IMAGE_NAME, "bitmap_%u", bitmap.index);
    return MST_OK;
}
