/* SPDX-License-Identifier: MIT */
/* Writing PNG, by libspng. */
#include "png.h"
#include "../core/arena.h"
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "../scene/packed.h"
#include <string.h>

#define PNG_SIZE_MAX 0x7FFFFFFFu /* limit of the format */

#if MST_WITH_PNG
#include <spng.h>

/* The error of the first of two calls that failed. libspng allows further calls after an error. */
static int either(int error, int next) {
    return error ? error : next;
}

static int take(spng_ctx *context, void *user, void *data, size_t size) {
    mst_png *png = user;
    (void)context;
    png->status = png->sink.write(png->sink.user, data, size);
    return png->status == MST_OK ? 0 : SPNG_IO_ERROR;
}

static int set_palette(spng_ctx *context, const mst_pixels *pixels) {
    struct spng_plte colors = {.n_entries = pixels->palette_count};
    struct spng_trns alpha = {0};
    for (uint32_t i = 0; i < pixels->palette_count; i++) {
        const uint8_t *color = pixels->palette[i];
        colors.entries[i].red = color[0];
        colors.entries[i].green = color[1];
        colors.entries[i].blue = color[2];
        alpha.type3_alpha[i] = color[3];
        if (color[3] < 255)
            alpha.n_type3_entries = i + 1; /* the following entries are opaque */
    }
    int error = spng_set_plte(context, &colors);
    return alpha.n_type3_entries ? either(error, spng_set_trns(context, &alpha)) : error;
}

/*
 * The compression: filters of libspng and levels of zlib, measured on maps, views and textures of all games.
 * Choosing a filter for each row and zlib's level 6, the default of libspng, takes five times as long without
 * transparent pixels, and twice as long with them, for files between a fifth larger and 6 % smaller. Maps are
 * flat colours, which filters only make longer.
 */
typedef struct pack_state {
    int filter, level;
} pack_state;

static pack_state packing_of(const mst_pixels *pixels, bool opaque) {
    if (pixels->format == MST_PIXELS_INDEXED8)
        return (pack_state){SPNG_DISABLE_FILTERING, 6};
    if (pixels->unfiltered)
        return (pack_state){SPNG_DISABLE_FILTERING, 4};
    return opaque ? (pack_state){SPNG_FILTER_CHOICE_UP, 2} : (pack_state){SPNG_FILTER_CHOICE_PAETH, 4};
}

void mst_png_begin(mst_png *png, const mst_pixels *pixels, bool opaque, mst_arena *arena, mst_sink sink) {
    const bool indexed = pixels->format == MST_PIXELS_INDEXED8;
    const pack_state how = packing_of(pixels, opaque);
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    *png = (mst_png){.context = context,
                     .sink = sink,
                     .width = pixels->width,
                     .size = indexed  ? 1
                             : opaque ? 3
                                      : 4,
                     .row = opaque ? mst_arena_take(arena, pixels->width, 3) : NULL};
    if (!context || (opaque && !png->row)) {
        png->error = SPNG_EMEM;
        return;
    }
    struct spng_ihdr header = {.width = pixels->width,
                               .height = pixels->height,
                               .bit_depth = 8,
                               .color_type = indexed  ? SPNG_COLOR_TYPE_INDEXED
                                             : opaque ? SPNG_COLOR_TYPE_TRUECOLOR
                                                      : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    int error = spng_set_png_stream(context, take, png);
    error = either(error, spng_set_ihdr(context, &header));
    error = either(error, spng_set_option(context, SPNG_FILTER_CHOICE, how.filter));
    error = either(error, spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, how.level));
    error = indexed ? either(error, set_palette(context, pixels)) : error;
    png->error = either(error, spng_encode_image(context, NULL, 0, SPNG_FMT_PNG,
                                                 SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE));
}

/* A row without its alpha. */
static const uint8_t *shortened(const mst_png *png, const uint8_t *row) {
    for (size_t x = 0; x < png->width; x++)
        memcpy(png->row + 3 * x, row + 4 * x, 3);
    return png->row;
}

mst_status mst_png_rows(mst_png *png, const uint8_t *rows, uint32_t count) {
    const size_t given = (png->size == 1 ? 1 : 4) * (size_t)png->width, put = png->size * (size_t)png->width;
    for (uint32_t i = 0; i < count && !png->error; i++) {
        const uint8_t *row = rows + i * given;
        const int error = spng_encode_row(png->context, png->row ? shortened(png, row) : row, put);
        png->error = error == SPNG_EOI ? 0 : error; /* the last row */
    }
    return png->error ? MST_IO : MST_OK;
}

mst_status mst_png_end(mst_png *png, mst_diagnostic *diagnostic) {
    spng_ctx_free(png->context);
    if (png->status != MST_OK)
        return mst_fail(diagnostic, png->status, "the PNG could not be written");
    if (png->error)
        return mst_fail(diagnostic, png->error == SPNG_EMEM ? MST_NO_MEMORY : MST_IO,
                        "the PNG could not be made: %s", spng_strerror(png->error));
    return MST_OK;
}
#else
void mst_png_begin(mst_png *png, const mst_pixels *pixels, bool opaque, mst_arena *arena, mst_sink sink) {
    (void)opaque;
    (void)arena;
    *png = (mst_png){.sink = sink, .width = pixels->width};
}

mst_status mst_png_rows(mst_png *png, const uint8_t *rows, uint32_t count) {
    (void)png;
    (void)rows;
    (void)count;
    return MST_UNSUPPORTED;
}

mst_status mst_png_end(mst_png *png, mst_diagnostic *diagnostic) {
    (void)png;
    return mst_fail(diagnostic, MST_UNSUPPORTED, "this build cannot write PNG");
}
#endif

static bool all_opaque(const uint8_t *pixels, size_t count) {
    uint8_t all = 255;
    for (size_t i = 0; i < count && all == 255; i++)
        all = pixels[4 * i + 3];
    return all == 255;
}

/* The rows of an image, a few at a time if it is packed. */
typedef struct image_rows {
    const mst_image *image;
    uint8_t *few; /* NULL: not packed */
} image_rows;

static const uint8_t *rows_at(const image_rows *rows, uint32_t y, uint32_t *count) {
    const mst_pixels *pixels = &rows->image->pixels;
    *count = pixels->height - y < MST_PACKED_ROWS ? pixels->height - y : MST_PACKED_ROWS;
    if (!rows->few)
        return pixels->data + (size_t)y * pixels->width * (pixels->format == MST_PIXELS_INDEXED8 ? 1 : 4);
    rows->image->packed->unpack(rows->image->packed, y, *count, rows->few);
    return rows->few;
}

static bool is_opaque(const image_rows *rows) {
    const mst_pixels *pixels = &rows->image->pixels;
    bool opaque = pixels->format != MST_PIXELS_INDEXED8;
    for (uint32_t y = 0, count; y < pixels->height && opaque; y += count) {
        const uint8_t *some = rows_at(rows, y, &count);
        opaque = all_opaque(some, (size_t)count * pixels->width);
    }
    return opaque;
}

static mst_status encode(const image_rows *rows, mst_arena *arena, mst_sink sink,
                         mst_diagnostic *diagnostic) {
    const mst_pixels *pixels = &rows->image->pixels;
    mst_png png;
    mst_png_begin(&png, pixels, is_opaque(rows), arena, sink);
    for (uint32_t y = 0, count; y < pixels->height; y += count) {
        const uint8_t *some = rows_at(rows, y, &count);
        if (mst_png_rows(&png, some, count) != MST_OK)
            break;
    }
    return mst_png_end(&png, diagnostic);
}

static mst_status encode_image(const mst_image *image, const mst_allocator *allocator, mst_sink sink,
                               mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_arena_begin(&arena, allocator, 0);
    image_rows rows = {.image = image};
    mst_status status = MST_OK;
    if (image->packed) {
        rows.few = mst_arena_take(&arena, image->pixels.width, (size_t)4 * MST_PACKED_ROWS);
        if (!rows.few)
            status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a PNG");
    }
    if (status == MST_OK)
        status = encode(&rows, &arena, sink, diagnostic);
    mst_arena_end(&arena);
    return status;
}

mst_status mst_pixels_write_png(const mst_pixels *pixels, mst_sink sink, mst_diagnostic *diagnostic) {
    if (!pixels || pixels->width == 0 || pixels->height == 0 || pixels->width > PNG_SIZE_MAX ||
        pixels->height > PNG_SIZE_MAX || !pixels->data || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "a PNG needs pixels and a sink");
    if (pixels->width > SIZE_MAX / 4 / pixels->height)
        return mst_fail(diagnostic, MST_ARGUMENT, "a picture of %lu by %lu pixels is too large",
                        (unsigned long)pixels->width, (unsigned long)pixels->height);
    if (pixels->format == MST_PIXELS_INDEXED8) {
        if (!pixels->palette || pixels->palette_count == 0 || pixels->palette_count > 256)
            return mst_fail(diagnostic, MST_ARGUMENT, "a palette has 1 to 256 colours");
        size_t count = (size_t)pixels->width * pixels->height;
        for (size_t i = 0; i < count; i++)
            if (pixels->data[i] >= pixels->palette_count)
                return mst_fail(diagnostic, MST_ARGUMENT, "a pixel has a colour that its palette lacks");
    }
    const mst_allocator allocator = mst_allocator_or_default(&pixels->allocator);
    return encode_image(&(mst_image){.pixels = *pixels}, &allocator, sink, diagnostic);
}

mst_status mst_image_write_png(const mst_image *image, const mst_allocator *allocator, mst_sink sink,
                               mst_diagnostic *diagnostic) {
    return image->packed ? encode_image(image, allocator, sink, diagnostic)
                         : mst_pixels_write_png(&image->pixels, sink, diagnostic);
}
