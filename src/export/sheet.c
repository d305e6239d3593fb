/* SPDX-License-Identifier: MIT */
/* Contact sheets: many small pictures with their names. */
#include "../core/arena.h"
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "font.h"
#include <mapstone/picture.h>
#include <string.h>

#define SIDE_MAX   16384
#define MARGIN     8
#define LABEL      (MST_FONT_HEIGHT + 4)
#define ENLARGE    16 /* so many times at most */
#define SIDE_LEAST 32

typedef struct frame {
    int32_t x, y, side;
} frame;

static void texel_of(const mst_pixels *from, uint32_t x, uint32_t y, uint32_t sum[4]) {
    const uint8_t *texel = mst_pixel_at(from, (size_t)y * from->width + x);
    uint32_t alpha = texel[3];
    for (unsigned c = 0; c < 3; c++)
        sum[c] += texel[c] * alpha;
    sum[3] += alpha;
}

/* The mean colour of a block of texels, at most 8 x 8 of them. */
static mst_rgba mean_of(const mst_pixels *from, const uint32_t begin[2], const uint32_t end[2]) {
    uint32_t sum[4] = {0}, count = 0;
    uint32_t across = (end[0] - begin[0] + 7) / 8, down = (end[1] - begin[1] + 7) / 8;
    for (uint32_t y = begin[1]; y < end[1]; y += down)
        for (uint32_t x = begin[0]; x < end[0]; x += across, count++)
            texel_of(from, x, y, sum);
    uint32_t alpha = sum[3] ? sum[3] : 1;
    return (mst_rgba){(uint8_t)(sum[0] / alpha), (uint8_t)(sum[1] / alpha), (uint8_t)(sum[2] / alpha),
                      (uint8_t)(sum[3] / count)};
}

/* The picture as large as it fits: small ones are enlarged in whole steps. */
static void draw_picture(mst_canvas *canvas, const mst_pixels *from, frame to) {
    uint32_t most = from->width > from->height ? from->width : from->height, side = (uint32_t)to.side;
    uint32_t larger = side / most < ENLARGE ? side / most : ENLARGE;
    uint32_t width = larger ? from->width * larger : (uint32_t)((uint64_t)from->width * side / most),
             height = larger ? from->height * larger : (uint32_t)((uint64_t)from->height * side / most);
    width = width ? width : 1;
    height = height ? height : 1;
    int32_t left = to.x + (to.side - (int32_t)width) / 2, top = to.y + (to.side - (int32_t)height) / 2;
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint32_t begin[2] = {(uint32_t)((uint64_t)x * from->width / width),
                                 (uint32_t)((uint64_t)y * from->height / height)};
            uint32_t end[2] = {(uint32_t)((uint64_t)(x + 1) * from->width / width),
                               (uint32_t)((uint64_t)(y + 1) * from->height / height)};
            for (unsigned k = 0; k < 2; k++)
                end[k] = end[k] > begin[k] ? end[k] : begin[k] + 1;
            bool light = ((x / 8) + (y / 8)) % 2 == 0; /* behind what is transparent */
            mst_rgba color = mean_of(from, begin, end), back = {96, 96, 96, 255};
            if (light)
                back = (mst_rgba){128, 128, 128, 255};
            if (color.a < 255)
                mst_canvas_blend(canvas, left + (int32_t)x, top + (int32_t)y, back, 1);
            mst_canvas_blend(canvas, left + (int32_t)x, top + (int32_t)y, color, 1);
        }
}

static void draw_item(mst_canvas *canvas, const mst_sheet_item *item, frame to) {
    static const mst_rgba empty = {40, 46, 58, 255}, ink = {214, 220, 230, 255};
    const mst_pixels *pixels = item->pixels;
    mst_canvas_rectangle(canvas, to.x, to.y, to.side, to.side, empty);
    if (pixels && pixels->data && pixels->width && pixels->height)
        draw_picture(canvas, pixels, to);
    if (item->name)
        mst_font_draw(canvas, to.x, to.y + to.side + 2, 1, item->name, (size_t)to.side / MST_FONT_WIDTH, ink,
                      false);
}

mst_status mst_sheet_draw(const mst_sheet_item *items, size_t count, uint32_t side, mst_pixels *sheet,
                          mst_diagnostic *diagnostic) {
    if ((!items && count) || !sheet || (side && (side < SIDE_LEAST || side > SIDE_MAX / 2)))
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "items, pixels and squares of %d..%d pixels are needed for a contact sheet",
                        SIDE_LEAST, SIDE_MAX / 2);
    size_t square = side ? side : 192, across = 1, cell = square + MARGIN, row = square + LABEL + MARGIN;
    while (across * across < count)
        across++;
    size_t most = (SIDE_MAX - MARGIN) / cell;
    across = across < most ? across : most;
    size_t rows = count ? (count + across - 1) / across : 1;
    size_t width = MARGIN + across * cell, height = MARGIN + rows * row;
    if (height > SIDE_MAX)
        return mst_fail(diagnostic, MST_REFUSED,
                        "%zu pictures do not fit on a contact sheet of %d pixels: make them smaller", count,
                        SIDE_MAX);
    sheet->allocator = mst_allocator_or_default(&sheet->allocator);
    uint8_t *pixels = sheet->allocator.resize(sheet->allocator.user, NULL, 0, width * height * 4);
    if (!pixels)
        return mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory for the contact sheet");
    mst_canvas canvas = mst_canvas_of((int32_t)width, (int32_t)height, pixels);
    for (size_t i = 0; i < width * height; i++)
        memcpy(pixels + 4 * i, (const uint8_t[4]){18, 22, 30, 255}, 4);
    for (size_t i = 0; i < count; i++)
        draw_item(&canvas, &items[i],
                  (frame){(int32_t)(MARGIN + i % across * cell), (int32_t)(MARGIN + i / across * row),
                          (int32_t)square});
    sheet->data = pixels;
    sheet->width = (uint32_t)width;
    sheet->height = (uint32_t)height;
    sheet->format = MST_PIXELS_RGBA8;
    sheet->palette_count = 0;
    return MST_OK;
}
