/* SPDX-License-Identifier: MIT */
/* Writing PNG, by libspng. */
#include "png.h"
#include "../core/arena.h"
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "../scene/packed.h"
#include <string.h>

#define PNG_SIZE_MAX     0x7FFFFFFFu /* of the format */
#define UNFILTERED_LEVEL 4           /* of zlib; 6 takes half as long again, and saves 2 % */

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
            alpha.n_type3_entries = i + 1; /* those after it are opaque */
    }
    int error = spng_set_plte(context, &colors);
    return alpha.n_type3_entries ? either(error, spng_set_trns(context, &alpha)) : error;
}

/* Everything before the pixels, which need not be there yet. */
static void begin(mst_png *png, const mst_pixels *pixels, mst_sink sink) {
    spng_ctx *context = spng_ctx_new(SPNG_CTX_ENCODER);
    *png = (mst_png){.context = context, .sink = sink, .width = pixels->width};
    if (!context) {
        png->error = SPNG_EMEM;
        return;
    }
    const bool indexed = pixels->format == MST_PIXELS_INDEXED8;
    struct spng_ihdr header = {.width = pixels->width,
                               .height = pixels->height,
                               .bit_depth = 8,
                               .color_type =
                                   indexed ? SPNG_COLOR_TYPE_INDEXED : SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    int error = spng_set_png_stream(context, take, png);
    error = either(error, spng_set_ihdr(context, &header));
    if (pixels->unfiltered) {
        error = either(error, spng_set_option(context, SPNG_FILTER_CHOICE, SPNG_DISABLE_FILTERING));
        error = either(error, spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, UNFILTERED_LEVEL));
    }
    png->error = indexed ? either(error, set_palette(context, pixels)) : error;
}

static void begin_rows(mst_png *png) {
    if (!png->error)
        png->error = spng_encode_image(png->context, NULL, 0, SPNG_FMT_PNG,
                                       SPNG_ENCODE_PROGRESSIVE | SPNG_ENCODE_FINALIZE);
}

void mst_png_begin(mst_png *png, uint32_t width, uint32_t height, mst_sink sink) {
    begin(png, &(mst_pixels){.width = width, .height = height}, sink);
    begin_rows(png);
}

mst_status mst_png_rows(mst_png *png, const uint8_t *rows, uint32_t count) {
    const size_t row = 4 * (size_t)png->width;
    for (uint32_t i = 0; i < count && !png->error; i++) {
        const int error = spng_encode_row(png->context, rows + i * row, row);
        png->error = error == SPNG_EOI ? 0 : error; /* the last one */
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

/* `rows`: for those of a packed image, a few at a time. */
static mst_status encode(const mst_image *image, uint8_t *rows, mst_sink sink, mst_diagnostic *diagnostic) {
    const mst_pixels *pixels = &image->pixels;
    mst_png png;
    begin(&png, pixels, sink);
    if (rows) {
        begin_rows(&png);
        for (uint32_t y = 0, count; y < pixels->height && !png.error; y += count) {
            count = pixels->height - y < MST_PACKED_ROWS ? pixels->height - y : MST_PACKED_ROWS;
            image->packed->unpack(image->packed, y, count, rows);
            mst_png_rows(&png, rows, count);
        }
    } else if (!png.error) {
        png.error = spng_encode_image(png.context, pixels->data, mst_pixels_size(pixels), SPNG_FMT_PNG,
                                      SPNG_ENCODE_FINALIZE);
    }
    return mst_png_end(&png, diagnostic);
}
#else
void mst_png_begin(mst_png *png, uint32_t width, uint32_t height, mst_sink sink) {
    (void)height;
    *png = (mst_png){.sink = sink, .width = width};
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

static mst_status encode(const mst_image *image, const uint8_t *rows, mst_sink sink,
                         mst_diagnostic *diagnostic) {
    (void)image;
    (void)rows;
    (void)sink;
    return mst_png_end(NULL, diagnostic);
}
#endif

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
    return encode(&(mst_image){.pixels = *pixels}, NULL, sink, diagnostic);
}

mst_status mst_image_write_png(const mst_image *image, const mst_allocator *allocator, mst_sink sink,
                               mst_diagnostic *diagnostic) {
    if (!image->packed)
        return mst_pixels_write_png(&image->pixels, sink, diagnostic);
    mst_arena arena;
    mst_arena_begin(&arena, allocator, 0);
    uint8_t *rows = mst_arena_take(&arena, image->pixels.width, 4 * MST_PACKED_ROWS);
    mst_status status = rows ? encode(image, rows, sink, diagnostic)
                             : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a PNG");
    mst_arena_end(&arena);
    return status;
}
