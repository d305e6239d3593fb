/* SPDX-License-Identifier: MIT */
/*
 * Heights of an overview (.hmp): the heights of a commander's view over the level. The facts are from 42
 * files of nine mods, compared with the levels of the same names.
 */
#include "../../core/diagnose.h"
#include "../../core/pixels.h"
#include "../../tables/words.h"
#include "../present.h"
#include "ns2.h"
#include <mapstone/image.h>
#include <stdio.h>
#include <string.h>

#define RECORDS(X) X(overview)
enum { RECORDS(RECORD_INDEX) };
enum { WIDTH = 1, HEIGHT };
#define HIGHEST 65533u /* above: no height */

static const mst_field overview_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(3), .constant = "HMP"},
    {.name = "version", U8, .doc = "1 in all known files."},
    {.name = "width", U32, BIND(WIDTH), .doc = "1024 in all known files, towards +Z."},
    {.name = "height", U32, BIND(HEIGHT), .doc = "1024 in all known files, from +X to -X."},
    {.name = "origin",
     .kind = MST_KIND_F32,
     FIXED(3),
     .unit = "m",
     .doc = "That of the level's first `minimap_extents`."},
    {.name = "half_extents",
     .kind = MST_KIND_F32,
     FIXED(3),
     .unit = "m",
     .doc = "A quarter of its scale. The square has the larger one of X and Z."},
    {.name = "camera_height",
     F32,
     .unit = "m",
     .doc =
         "Y of the level's `commander_camera` and 10 more, or of the origin if there is none. What the game "
         "does with it is not known."},
    {.name = "heights",
     .kind = MST_KIND_U16,
     .mode = MST_COUNT_PRODUCT,
     .count_variable = WIDTH,
     .count = HEIGHT,
     .doc = "Row by row. 65535 or 65534: nothing is there; how the two differ is not known. The unit is not "
            "known either: mapstone writes shares of 65533 of the box, from its bottom to its top."},
};
RECORD(overview, "overview", "the file: the heights of a square of the level");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return size >= 4 && memcmp(bytes, "HMP\1", 4) == 0;
}

/* ---- the picture --------------------------------------------------------------------------------- */

static uint32_t number_at(const mst_document *document, const char *name) {
    mst_value root = mst_root(document), value = mst_member_in(&root, name);
    int64_t number = 0;
    mst_get_integer(&value, &number);
    return (uint32_t)number;
}

static size_t image_count(const mst_document *document) {
    return number_at(document, "width") && number_at(document, "height") ? 1 : 0;
}

/* Grey by height; transparent without a height. */
static mst_status image_read(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                             char *name, mst_diagnostic *diagnostic) {
    (void)index, (void)level;
    if (!mst_pixels_take(pixels, number_at(document, "width"), number_at(document, "height"), 0))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the picture");
    mst_value root = mst_root(document), heights = mst_member_in(&root, "heights"), value;
    uint8_t *to = pixels->data;
    for (mst_iterator it = mst_iterate(&heights); mst_next(&it, &value); to += 4) {
        int64_t height = 0;
        mst_get_integer(&value, &height);
        const bool there = height <= (int64_t)HIGHEST;
        memset(to, there ? (int)(height * 255 / HIGHEST) : 0, 3);
        to[3] = there ? 255 : 0;
    }
    snprintf(name, MST_IMAGE_NAME, "heights");
    return MST_OK;
}

/* Accepts only a picture that changes nothing: there are 256 greys, but 65534 heights. */
static mst_status image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                mst_diagnostic *diagnostic) {
    mst_pixels there = {.allocator = pixels->allocator};
    char name[MST_IMAGE_NAME];
    mst_status status = image_read(document, index, 0, &there, name, diagnostic);
    if (status == MST_OK &&
        (pixels->format != there.format || pixels->width != there.width || pixels->height != there.height ||
         memcmp(pixels->data, there.data, (size_t)there.width * there.height * 4) != 0))
        status =
            mst_fail(diagnostic, MST_REFUSED,
                     "heights cannot be replaced by a picture, which has fewer of them: render --overview "
                     "writes the heights of a level");
    mst_pixels_free(&there);
    return status;
}

/* ---- the format ---------------------------------------------------------------------------------- */

static const mst_code_information code_list[] = {
    {"HMP-SIZE", MST_ERROR,
     "the file is shorter or longer than its width and height say: make it of its level again"}};
static const mst_codes codes = MST_CODES(code_list);

const mst_format mst_format_ns2_overview = {
    .information = {.id = "ns2-overview",
                    .title = "Natural Selection 2 overview",
                    .extensions = ".hmp",
                    .media_type = "",
                    .versions = "",
                    .rows = ""},
    .tables.root = &overview,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.sources =
        "42 files of nine mods; 19 of them agree with the level of the same name in all of these "
        "facts, six are of other versions of their levels. The game's scripts place symbols in "
        "the same square.\n",
    .tables.introduction =
        "The heights of a level in its overview, `maps/overviews/NAME.hmp`. Little-endian.\n",
    .identity.probe = probe,
    .check.problem_codes = {"HMP-SIZE", "HMP-SIZE", "HMP-SIZE", "HMP-SIZE", "HMP-SIZE", "HMP-SIZE"},
    .check.codes = &codes,
    .images = &(const mst_images){.count = image_count, .read = image_read, .replace = image_replace},
};
