/* SPDX-License-Identifier: MIT */
/*
 * The cubemaps of reflection probes as images, one for each of the six sides. Pixels appear to be RGBE: red,
 * green and blue with a common exponent. Brightness above white is clipped, so an image cannot be written
 * back.
 */
#include "../../core/arena.h"
#include "../../core/diagnose.h"
#include "../../core/pixels.h"
#include "../../scene/geometry.h"
#include "../present.h"
#include "ns2.h"
#include <mapstone/image.h>
#include <math.h>
#include <stdio.h>

#define SIDES 6u
#define BIAS  136 /* of the exponent, for fractions of eight bits */

typedef struct cubemap {
    uint64_t object, extra;
    mst_value sides;
} cubemap;

/* Finds the cubemap at an index; returns the number of cubemaps if there is none at that index. */
static size_t find_cubemap(const mst_document *document, size_t index, cubemap *found) {
    mst_value root = mst_root(document), list = mst_member_in(&root, "objects"), object, extras, extra;
    size_t count = 0;
    found->object = 0;
    if (document->variant.version < 10)
        return 0; /* no entity has extras */
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &object); found->object++) {
        /* most entities are too small to hold a cubemap: skip them without reading them */
        if (object.end - object.offset < MST_NS2_CUBEMAP_SIZE)
            continue;
        extras = mst_member_in(&object, "extras");
        found->extra = 0;
        for (mst_iterator all = mst_iterate(&extras); mst_next(&all, &extra); found->extra++)
            if (mst_member(&extra, "cubemap", &found->sides) == MST_OK && count++ == index)
                return count;
    }
    return count;
}

size_t mst_ns2_image_count(const mst_document *document) {
    cubemap found;
    return SIDES * find_cubemap(document, SIZE_MAX, &found);
}

static void decode(const uint8_t from[4], uint8_t to[4]) {
    for (int c = 0; c < 3; c++) {
        double linear = from[3] ? ldexp((double)from[c], from[3] - BIAS) : 0;
        to[c] = (uint8_t)(255 * mst_srgb_of_linear(linear < 1 ? (float)linear : 1) + 0.5f);
    }
    to[3] = 255;
}

mst_status mst_ns2_image_read(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                              char *name, mst_diagnostic *diagnostic) {
    (void)level;
    cubemap found = {0};
    size_t size = (size_t)MST_NS2_CUBEMAP_SIDE * MST_NS2_CUBEMAP_ROW;
    unsigned side = (unsigned)(index % SIDES);
    find_cubemap(document, index / SIDES, &found);
    if (!mst_pixels_take(pixels, MST_NS2_CUBEMAP_SIDE, MST_NS2_CUBEMAP_SIDE, 0))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the image");
    mst_value rows = mst_element_in(&found.sides, side), row;
    size_t done = 0;
    for (mst_iterator it = mst_iterate(&rows); mst_next(&it, &row);) {
        const void *bytes = NULL;
        size_t length = 0;
        mst_get_bytes(&row, &bytes, &length);
        if (MST_UNREACHABLE(length != MST_NS2_CUBEMAP_ROW || done == size)) /* the tables fix both */
            break;
        for (size_t i = 0; i < length; i += 4, done += 4)
            decode((const uint8_t *)bytes + i, pixels->data + done);
    }
    if (found.extra) /* not the first extra; short, so that it fits */
        snprintf(name, MST_IMAGE_NAME, "probe_%llu_%llu_%u", (unsigned long long)found.object,
                 (unsigned long long)found.extra, side);
    else
        snprintf(name, MST_IMAGE_NAME, "probe_%llu_side_%u", (unsigned long long)found.object, side);
    return MST_OK;
}

mst_status mst_ns2_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                 mst_diagnostic *diagnostic) {
    (void)document;
    (void)index;
    (void)pixels;
    return mst_fail(diagnostic, MST_REFUSED,
                    "the cubemap of a reflection probe cannot be replaced: it stores more brightness than an "
                    "image does; the editor can render it again");
}
