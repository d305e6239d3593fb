/* SPDX-License-Identifier: MIT */
/* Images in documents: checks arguments and calls the format's hooks. */
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "engine.h"
#include <mapstone/image.h>

size_t mst_image_count(const mst_document *document) {
    if (!document)
        return 0;
    return MST_OPTION(document->format->images, count) ? document->format->images->count(document) : 0;
}

/* Checks that the format has images, and one with this index. */
static mst_status check_index(const mst_document *document, size_t index, mst_diagnostic *diagnostic) {
    if (!MST_OPTION(document->format->images, count))
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s has no images", document->format->information.title);
    size_t count = document->format->images->count(document);
    if (index < count)
        return MST_OK;
    mst_fail(diagnostic, MST_ARGUMENT, "there is no image %lu", (unsigned long)index);
    if (diagnostic && count)
        MST_SET(diagnostic->expected, "0..%lu", (unsigned long)(count - 1));
    else if (diagnostic)
        MST_SET(diagnostic->found, "no images");
    return MST_ARGUMENT;
}

size_t mst_image_levels(const mst_document *document, size_t index) {
    if (index >= mst_image_count(document))
        return 0;
    const mst_images *images = document->format->images;
    const size_t levels = images->levels ? images->levels(document, index) : 1;
    return levels ? levels : 1;
}

static mst_status check_level(const mst_document *document, size_t index, size_t level,
                              mst_diagnostic *diagnostic) {
    const size_t levels = level ? mst_image_levels(document, index) : 1;
    if (level < levels)
        return MST_OK;
    mst_fail(diagnostic, MST_ARGUMENT, "the image has no mip level %lu", (unsigned long)level);
    if (diagnostic)
        MST_SET(diagnostic->expected, levels > 1 ? "0..%lu" : "%lu", (unsigned long)(levels - 1));
    return MST_ARGUMENT;
}

mst_status mst_image_read(const mst_document *document, size_t index, size_t level,
                          const mst_resolver *sidecars, mst_pixels *pixels, char name[MST_IMAGE_NAME],
                          mst_diagnostic *diagnostic) {
    if (!document || !pixels)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a pointer for the pixels are needed");
    char nobody[MST_IMAGE_NAME];
    mst_status status = check_index(document, index, diagnostic);
    if (status == MST_OK)
        status = check_level(document, index, level, diagnostic);
    if (status != MST_OK)
        return status;
    status = document->format->images->read(document, index, level, pixels, name ? name : nobody, diagnostic);
    if (status == MST_OK && sidecars && MST_OPTION(document->format->images, colors) &&
        pixels->format == MST_PIXELS_INDEXED8 && pixels->palette_count == 256)
        document->format->images->colors(document, sidecars, pixels->palette);
    return status;
}

/* Checks the index, and that there are pixels with colours. */
static mst_status check_given(const mst_document *document, size_t index, const mst_pixels *pixels,
                              mst_diagnostic *diagnostic) {
    if (!document || !pixels)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and pixels are needed");
    mst_status status = check_index(document, index, diagnostic);
    if (status != MST_OK)
        return status;
    bool indexed = pixels->format == MST_PIXELS_INDEXED8;
    if (!pixels->data || !pixels->width || !pixels->height ||
        (indexed && (!pixels->palette || !pixels->palette_count || pixels->palette_count > 256)))
        return mst_fail(diagnostic, MST_ARGUMENT, "there are no pixels to write");
    uint64_t count = indexed ? (uint64_t)pixels->width * pixels->height : 0;
    for (uint64_t i = 0; i < count; i++)
        if (pixels->data[i] >= pixels->palette_count)
            return mst_fail(diagnostic, MST_ARGUMENT, "the pixel in column %lu of row %lu has no colour",
                            (unsigned long)(i % pixels->width), (unsigned long)(i / pixels->width));
    return MST_OK;
}

/* ---- colours from other files ------------------------------------------------------------------- */

/* Converts the given pixels to indices by the colours of `shown`, with the palette of `own`; both are the
 * document's image. */
static mst_status take_indices(const mst_pixels *given, const mst_pixels *shown, const mst_pixels *own,
                               mst_pixels *made, mst_diagnostic *diagnostic) {
    if (!mst_pixels_take(made, given->width, given->height, 256))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the image");
    memcpy(made->palette, own->palette, 256 * sizeof *made->palette);
    for (size_t at = 0; at < (size_t)given->width * given->height; at++) {
        int index = mst_pixels_index(shown, given, at);
        if (index < 0) {
            const uint8_t *color = mst_pixel_at(given, at);
            mst_fail(diagnostic, MST_REFUSED, "the palette does not have the colour of column %lu, row %lu",
                     (unsigned long)(at % given->width), (unsigned long)(at / given->width));
            if (diagnostic)
                MST_SET(diagnostic->found, "#%02x%02x%02x", color[0], color[1], color[2]);
            return MST_REFUSED;
        }
        made->data[at] = (uint8_t)index;
    }
    return MST_OK;
}

mst_status mst_image_replace(mst_document *document, size_t index, const mst_resolver *sidecars,
                             const mst_pixels *pixels, mst_diagnostic *diagnostic) {
    mst_status status = check_given(document, index, pixels, diagnostic);
    if (status != MST_OK)
        return status;
    mst_pixels own = {.allocator = document->allocator}, shown = own, made = own;
    bool colored = sidecars && MST_OPTION(document->format->images, colors);
    if (colored) {
        status = mst_image_read(document, index, 0, NULL, &own, NULL, diagnostic);
        if (status == MST_OK)
            status = mst_image_read(document, index, 0, sidecars, &shown, NULL, diagnostic);
        colored = pixels->width == own.width && pixels->height == own.height; /* else refused below */
    }
    if (status == MST_OK && colored)
        status = take_indices(pixels, &shown, &own, &made, diagnostic);
    if (status == MST_OK)
        status = document->format->images->replace(document, index, colored ? &made : pixels, diagnostic);
    mst_pixels_free(&own);
    mst_pixels_free(&shown);
    mst_pixels_free(&made);
    return status;
}
