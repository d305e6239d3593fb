/* SPDX-License-Identifier: MIT */
/* Contact sheets: many small pictures with their names. */
#include "sheet.h"
#include "../core/arena.h"
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "font.h"
#include "png.h"
#include <string.h>

#define SIDE_MAX   16384
#define MARGIN     8
#define LABEL      (MST_FONT_HEIGHT + 4)
#define ENLARGE    16 /* maximum factor */
#define SIDE_LEAST 32
#define SIDE_USUAL 192

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

/* The picture as large as it fits: small pictures are enlarged by whole factors. */
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
            bool light = ((x / 8) + (y / 8)) % 2 == 0; /* for transparent pixels */
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

/* The positions of the pictures. */
typedef struct layout {
    size_t count, square, across;
    size_t cell, row; /* including the gaps */
    size_t width, height;
} layout;

static mst_status lay_out(layout *plan, size_t count, uint32_t side, mst_diagnostic *diagnostic) {
    const size_t square = side ? side : SIDE_USUAL;
    *plan = (layout){.count = count,
                     .square = square,
                     .across = 1,
                     .cell = square + MARGIN,
                     .row = square + LABEL + MARGIN};
    const size_t most = (SIDE_MAX - MARGIN) / plan->cell;
    while (plan->across < most && plan->across * plan->across < count)
        plan->across++;
    const size_t rows = count ? (count - 1) / plan->across + 1 : 1;
    if (rows > (SIDE_MAX - MARGIN) / plan->row)
        return mst_fail(diagnostic, MST_REFUSED,
                        "%zu pictures do not fit on a contact sheet of %d pixels: make them smaller", count,
                        SIDE_MAX);
    plan->width = MARGIN + plan->across * plan->cell;
    plan->height = MARGIN + rows * plan->row;
    return MST_OK;
}

static frame place_on(const layout *plan, size_t index) {
    return (frame){(int32_t)(MARGIN + index % plan->across * plan->cell),
                   (int32_t)(MARGIN + index / plan->across * plan->row), (int32_t)plan->square};
}

static void fill_background(uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy(pixels + 4 * i, (const uint8_t[4]){18, 22, 30, 255}, 4);
}

static bool is_side(uint32_t side) {
    return !side || (side >= SIDE_LEAST && side <= SIDE_MAX / 2);
}

struct mst_sheet {
    mst_arena arena; /* contains this structure */
    layout plan;
    mst_canvas canvas; /* one row of pictures and the margin below it */
    mst_sink sink;
    mst_png png;
    size_t added;
};

mst_status mst_sheet_begin(size_t count, uint32_t side, mst_sink sink, mst_sheet **sheet,
                           mst_diagnostic *diagnostic) {
    if (!sheet || !sink.write || !is_side(side))
        return mst_fail(diagnostic, MST_ARGUMENT, "a contact sheet needs squares of %d..%d pixels and a sink",
                        SIDE_LEAST, SIDE_MAX / 2);
    *sheet = NULL;
    layout plan;
    if (lay_out(&plan, count, side, diagnostic) != MST_OK)
        return MST_REFUSED;
    const mst_allocator allocator = mst_allocator_or_default(NULL);
    mst_arena arena;
    mst_arena_begin(&arena, &allocator, 0);
    mst_sheet *made = mst_arena_take(&arena, 1, sizeof *made);
    uint8_t *pixels = mst_arena_take(&arena, plan.width * plan.row, 4);
    if (!made || !pixels) {
        mst_arena_end(&arena);
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the contact sheet");
    }
    *made = (mst_sheet){
        .arena = arena,
        .plan = plan,
        .canvas = {.width = (int32_t)plan.width, .top = MARGIN, .rows = (int32_t)plan.row, .pixels = pixels},
        .sink = sink};
    fill_background(pixels, plan.width * plan.row);
    *sheet = made;
    return MST_OK;
}

/* Writes the row of pictures, and begins the next. */
static mst_status write_row(mst_sheet *sheet) {
    const mst_status status = mst_png_rows(&sheet->png, sheet->canvas.pixels, (uint32_t)sheet->plan.row);
    fill_background(sheet->canvas.pixels, sheet->plan.width * sheet->plan.row);
    sheet->canvas.top += sheet->canvas.rows;
    return status;
}

/* Writes the margin above the first row, which is still background. */
static void begin_png(mst_sheet *sheet) {
    const mst_pixels whole = {.width = (uint32_t)sheet->plan.width, .height = (uint32_t)sheet->plan.height};
    mst_png_begin(&sheet->png, &whole, true, &sheet->arena, sheet->sink);
    mst_png_rows(&sheet->png, sheet->canvas.pixels, MARGIN);
}

mst_status mst_sheet_add(mst_sheet *sheet, const mst_sheet_item *item, mst_diagnostic *diagnostic) {
    if (!sheet || !item || sheet->added >= sheet->plan.count)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "the contact sheet has a fixed number of pictures, all of which have been added");
    if (!sheet->added)
        begin_png(sheet);
    draw_item(&sheet->canvas, item, place_on(&sheet->plan, sheet->added));
    const mst_status status = ++sheet->added % sheet->plan.across ? MST_OK : write_row(sheet);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the contact sheet could not be written");
}

mst_status mst_sheet_end(mst_sheet *sheet, mst_diagnostic *diagnostic) {
    if (!sheet)
        return mst_fail(diagnostic, MST_ARGUMENT, "there is no contact sheet");
    while (sheet->added && (size_t)sheet->canvas.top < sheet->plan.height && write_row(sheet) == MST_OK)
        continue;
    const mst_status status = sheet->added ? mst_png_end(&sheet->png, diagnostic) : MST_OK;
    mst_arena arena = sheet->arena;
    mst_arena_end(&arena);
    return status;
}
