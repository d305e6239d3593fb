/* SPDX-License-Identifier: MIT */
/* Images in documents: checks arguments and calls the format's hooks. */
#include "../core/diagnose.h"
#include "engine.h"
#include <mapstone/image.h>

size_t mst_image_count(const mst_document *document) {
    if (!document)
        return 0;
    return document->format->images.count ? document->format->images.count(document) : 0;
}

/* Checks that the format has images, and one with this index. */
static mst_status check_index(const mst_document *document, size_t index, mst_diagnostic *diagnostic) {
    if (!document->format->images.count)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "%s has no images", document->format->information.title);
    size_t count = document->format->images.count(document);
    if (index < count)
        return MST_OK;
    mst_fail(diagnostic, MST_ARGUMENT, "there is no image %lu", (unsigned long)index);
    if (diagnostic && count)
        MST_SET(diagnostic->expected, "0..%lu", (unsigned long)(count - 1));
    else if (diagnostic)
        MST_SET(diagnostic->found, "no images");
    return MST_ARGUMENT;
}

mst_status mst_image_read(const mst_document *document, size_t index, mst_pixels *pixels,
                          char name[MST_IMAGE_NAME], mst_diagnostic *diagnostic) {
    if (!document || !pixels)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a pointer for the pixels are needed");
    char nobody[MST_IMAGE_NAME];
    mst_status status = check_index(document, index, diagnostic);
    if (status != MST_OK)
        return status;
    return document->format->images.read(document, index, pixels, name ? name : nobody, diagnostic);
}

mst_status mst_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
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
    return document->format->images.replace(document, index, pixels, diagnostic);
}
