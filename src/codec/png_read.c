/* SPDX-License-Identifier: MIT */
/* Reading PNG, by libspng, with limits on everything that a file may claim. */
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include <string.h>

#define PNG_SIZE_MAX 0x7FFFFFFFu /* of the format */

/* The most pixel bytes that a file may claim: per byte of the file, plus a constant. Deflate expands by at
 * most 1032. */
#define CLAIM_PER_BYTE 1024u
#define CLAIM_BESIDES  (1u << 20)

#if MST_WITH_PNG
#include <spng.h>

/* The error of the first of two calls that failed. libspng allows further calls after an error. */
static int either(int error, int next) {
    return error ? error : next;
}

static mst_status damaged(mst_diagnostic *diagnostic, int error) {
    return error == SPNG_EMEM
               ? mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the PNG")
               : mst_fail(diagnostic, MST_DAMAGED, "this is not a PNG file, or it is damaged: %s",
                          spng_strerror(error));
}

static void read_palette(spng_ctx *context, const struct spng_plte *colors, mst_pixels *pixels) {
    struct spng_trns alpha;
    if (spng_get_trns(context, &alpha)) /* there is none: errors were found before */
        alpha.n_type3_entries = 0;
    for (uint32_t i = 0; i < colors->n_entries; i++) {
        uint8_t *color = pixels->palette[i];
        color[0] = colors->entries[i].red;
        color[1] = colors->entries[i].green;
        color[2] = colors->entries[i].blue;
        color[3] = i < alpha.n_type3_entries ? alpha.type3_alpha[i] : 255;
    }
}

/* Expands rows of `depth` bits per pixel, each starting at a byte, in place to one byte per pixel: from the
 * end, because no pixel moves towards the beginning. */
static void unpack(mst_pixels *pixels, unsigned depth) {
    size_t width = pixels->width, row = (width * depth + 7) / 8, per_byte = 8 / depth;
    for (size_t y = pixels->height; y-- > 0;)
        for (size_t x = width; x-- > 0;) {
            unsigned byte = pixels->data[y * row + x / per_byte];
            unsigned shift = (unsigned)(per_byte - 1 - x % per_byte) * depth;
            pixels->data[y * width + x] = (uint8_t)(byte >> shift & ((1u << depth) - 1));
        }
}

static mst_status decode(spng_ctx *context, const void *bytes, size_t size, mst_pixels *pixels,
                         mst_diagnostic *diagnostic) {
    struct spng_ihdr header;
    size_t most_of_chunks = size < PNG_SIZE_MAX - CLAIM_BESIDES ? size + CLAIM_BESIDES : (size_t)PNG_SIZE_MAX;
    int error = spng_set_chunk_limits(context, most_of_chunks, most_of_chunks);
    /* a wrong checksum means lost data, which must not go unnoticed */
    error = either(error, spng_set_crc_action(context, SPNG_CRC_ERROR, SPNG_CRC_ERROR));
    error = either(error, spng_set_png_buffer(context, bytes, size));
    error = either(error, spng_get_ihdr(context, &header));
    if (error)
        return damaged(diagnostic, error);

    int indexed = header.color_type == SPNG_COLOR_TYPE_INDEXED;
    uint64_t claimed = (uint64_t)header.width * header.height; /* less than 2^62 */
    uint64_t allowed = (uint64_t)size * CLAIM_PER_BYTE + CLAIM_BESIDES;
    if (claimed > (indexed ? allowed : allowed / 4) || claimed > SIZE_MAX / 4)
        return mst_fail(diagnostic, MST_REFUSED, "%lu by %lu pixels in a PNG of %lu bytes are not credible",
                        (unsigned long)header.width, (unsigned long)header.height, (unsigned long)size);
    struct spng_plte colors = {0};
    if (indexed && (error = spng_get_plte(context, &colors)) != 0)
        return damaged(diagnostic, error);

    if (!mst_pixels_take(pixels, header.width, header.height, colors.n_entries))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for %lu by %lu pixels",
                        (unsigned long)header.width, (unsigned long)header.height);
    if (indexed)
        read_palette(context, &colors, pixels);
    memset(pixels->data, 0,
           mst_pixels_size(pixels)); /* libspng accumulates the bits of interlaced pixels in the buffer */
    int format = indexed ? SPNG_FMT_PNG : SPNG_FMT_RGBA8;
    error = spng_decode_image(context, pixels->data, mst_pixels_size(pixels), format,
                              indexed ? 0 : SPNG_DECODE_TRNS);
    error = either(error, spng_decode_chunks(context)); /* to the end: the file may be truncated */
    if (error)
        return damaged(diagnostic, error);
    if (!indexed)
        return MST_OK;
    if (header.bit_depth < 8)
        unpack(pixels, header.bit_depth);
    for (size_t i = 0; i < mst_pixels_size(pixels); i++)
        if (pixels->data[i] >= pixels->palette_count) {
            mst_fail(diagnostic, MST_DAMAGED, "the pixel in column %lu of row %lu has no colour",
                     (unsigned long)(i % header.width), (unsigned long)(i / header.width));
            if (diagnostic) {
                MST_SET(diagnostic->expected, "below %lu", (unsigned long)pixels->palette_count);
                MST_SET(diagnostic->found, "%u", (unsigned)pixels->data[i]);
            }
            return MST_DAMAGED;
        }
    return MST_OK;
}
#endif

mst_status mst_pixels_read_png(const void *bytes, size_t size, mst_pixels *pixels,
                               mst_diagnostic *diagnostic) {
    if (!pixels || (!bytes && size))
        return mst_fail(diagnostic, MST_ARGUMENT, "a PNG and a place for the pixels are needed");
    *pixels = (mst_pixels){.allocator = pixels->allocator};
#if MST_WITH_PNG
    spng_ctx *context = spng_ctx_new(0);
    if (!context)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for a PNG");
    mst_status status = decode(context, bytes, size, pixels, diagnostic);
    spng_ctx_free(context);
    if (status != MST_OK)
        mst_pixels_free(pixels);
    return status;
#else
    (void)bytes;
    (void)size;
    return mst_fail(diagnostic, MST_UNSUPPORTED, "this build cannot read PNG");
#endif
}
