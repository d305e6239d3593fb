/* SPDX-License-Identifier: MIT */
/* Palettes, light tables, tables of colours and full-screen pictures of Alien Trilogy: bytes without a
 * header. */
#include "flat.h"
#include "../../../check/finding.h"
#include "../../../core/arena.h"
#include "../../../core/diagnose.h"
#include "../../../core/pixels.h"
#include "../../../core/text.h"
#include "../../../tables/words.h"
#include "../../present.h"
#include "indexed.h"
#include <stdio.h>

/* clang-format off */
#define RECORDS(X) X(palette) X(color) X(shades) X(shade) X(matches) X(picture)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };

/* ---- tables -------------------------------------------------------------------------------------- */

static const mst_field color_fields[] = {
    {.name = "red", U8, .range = "0 to 63", .doc = "Shown as red * 4 + red / 16."},
    {.name = "green", U8, .range = "0 to 63", .doc = "Likewise."},
    {.name = "blue", U8, .range = "0 to 63", .doc = "Likewise."},
};
RECORD(color, "color", "a colour, of 6 bits for each part");

static const mst_field palette_fields[] = {
    {.name = "colors",
     .kind = MST_KIND_RECORD,
     TO_END,
     .record = &color,
     .doc = "The colours by index, 256 of them. In files of 672 bytes they are those from 32 on, in files of "
            "576 bytes those up to 191."},
};
RECORD(palette, "palette", "the file: the colours of a level, of a screen or of the panel");

static const mst_field shade_fields[] = {
    {.name = "indices",
     .kind = MST_KIND_RAW,
     FIXED(256),
     .flags = MST_FIELD_CONTENT,
     .doc =
         "For each index, the index of the colour nearest to its own colour times the row's number / 255."},
};
RECORD(shade, "shade", "all colours at one brightness");

static const mst_field shades_fields[] = {
    {.name = "rows",
     .kind = MST_KIND_RECORD,
     FIXED(256),
     .record = &shade,
     .doc = "From dark to full brightness. It is not known how the game chooses the row from light and "
            "distance."},
};
RECORD(shades, "shades", "the file: a level's colours at each brightness");

static const mst_field matches_fields[] = {
    {.name = "indices",
     .kind = MST_KIND_RAW,
     FIXED(MST_ALIEN_MATCHES),
     .flags = MST_FIELD_CONTENT,
     .doc = "The index of the level's palette for each colour of 15 bits, red highest: 32 to 254. Used for "
            "translucent drawing."},
};
RECORD(matches, "matches", "the file: the palette's nearest colours");

static const mst_field picture_fields[] = {
    {.name = "pixels",
     RAW_TO_END,
     .flags = MST_FIELD_CONTENT,
     .doc = "Indices into the palette, row by row from the top: 320 x 240, or 256 x 250 in files of 64,000 "
            "bytes."},
};
RECORD(picture, "picture", "the file: a full screen, or the letters of a font");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

/* ---- kinds --------------------------------------------------------------------------------------- */

static bool is_named(const char *name, const char *extension) {
    return name && mst_text_ends_in(name, strlen(name), extension);
}

#define PROBE(function, extension)                                                                           \
    static bool function(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,            \
                         mst_variant *variant) {                                                             \
        (void)bytes, (void)size, (void)file_size, (void)variant;                                             \
        return is_named(name, extension);                                                                    \
    }
PROBE(probe_palette, ".pal")
PROBE(probe_shades, ".dpq")
PROBE(probe_matches, ".tnt")

static bool is_picture(uint64_t size) {
    return size == 320 * 240 || size == 256 * 250;
}

/* Pictures share their extension with other files. */
static bool probe_picture(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                          mst_variant *variant) {
    (void)bytes, (void)size, (void)variant;
    return (is_picture(file_size) || file_size == MST_SIZE_UNKNOWN) && is_named(name, ".bin");
}

static mst_status refuse(size_t size, const char *expected, mst_diagnostic *diagnostic) {
    mst_damaged(diagnostic, "ALIEN-GFX-KIND", 0, size,
                "no file of this kind has this length: copy it from "
                "the game again");
    if (diagnostic) {
        MST_SET(diagnostic->expected, "%s bytes", expected);
        MST_SET(diagnostic->found, "%lu bytes", (unsigned long)size);
    }
    return MST_DAMAGED;
}

static mst_status resolve_palette(const uint8_t *bytes, size_t size, mst_variant *variant,
                                  mst_diagnostic *diagnostic) {
    (void)bytes, (void)variant;
    return size == 768 || size == 672 || size == 576 ? MST_OK : refuse(size, "768, 672 or 576", diagnostic);
}

static mst_status resolve_shades(const uint8_t *bytes, size_t size, mst_variant *variant,
                                 mst_diagnostic *diagnostic) {
    (void)bytes, (void)variant;
    return size == MST_ALIEN_SHADES ? MST_OK : refuse(size, "65,536", diagnostic);
}

static mst_status resolve_matches(const uint8_t *bytes, size_t size, mst_variant *variant,
                                  mst_diagnostic *diagnostic) {
    (void)bytes, (void)variant;
    return size == MST_ALIEN_MATCHES ? MST_OK : refuse(size, "32,768", diagnostic);
}

static mst_status resolve_picture(const uint8_t *bytes, size_t size, mst_variant *variant,
                                  mst_diagnostic *diagnostic) {
    (void)bytes, (void)variant;
    return is_picture(size) ? MST_OK : refuse(size, "76,800 or 64,000", diagnostic);
}

/* ---- checks -------------------------------------------------------------------------------------- */

#define KIND_CODE                                                                                            \
    { "ALIEN-GFX-KIND", MST_ERROR, "no file of this kind has this length" }
static const mst_code_information palette_code_list[] = {
    KIND_CODE, {"ALIEN-PAL-RANGE", MST_WARNING, "a colour component is above 63, the maximum"}};
static const mst_code_information shades_code_list[] = {
    KIND_CODE,
    {"ALIEN-DPQ-ZERO", MST_WARNING, "index 0, which is transparent, maps to another index"},
    {"ALIEN-DPQ-TOP", MST_WARNING, "at full brightness an index maps to an index of another colour"}};
static const mst_code_information kind_code_list[] = {KIND_CODE};
static const mst_codes palette_codes = MST_CODES(palette_code_list),
                       shades_codes = MST_CODES(shades_code_list), kind_codes = MST_CODES(kind_code_list);
#define PROBLEM_CODES                                                                                        \
    {                                                                                                        \
        "ALIEN-GFX-KIND", "ALIEN-GFX-KIND", "ALIEN-GFX-KIND", "ALIEN-GFX-KIND", "ALIEN-GFX-KIND",            \
            "ALIEN-GFX-KIND"                                                                                 \
    }

static mst_status check_palette(mst_checker *checker) {
    static const char *const parts[] = {"red", "green", "blue"};
    const mst_document *d = checker->document;
    mst_status status = MST_OK;
    for (uint64_t i = 0; i < d->size && status == MST_OK; i++) {
        if (d->data[i] <= 63)
            continue;
        mst_finding_at(checker, i, 1, "colors[%llu].%s", (unsigned long long)i / 3, parts[i % 3]);
        status = mst_report(checker, "ALIEN-PAL-RANGE", "at most 63", "%u", d->data[i]);
    }
    return status;
}

/* The last row is the identity, except for colours that the palette has twice: some indices map to others,
 * which map to themselves. */
static mst_status check_shades(mst_checker *checker) {
    const mst_document *d = checker->document;
    const uint8_t *top = d->data + MST_ALIEN_SHADES - 256;
    mst_status status = MST_OK;
    if (MST_CHANGED(d->size != MST_ALIEN_SHADES))
        return MST_OK;
    for (unsigned row = 0; row < 256 && status == MST_OK; row++) {
        if (!d->data[256 * (size_t)row])
            continue;
        mst_finding_at(checker, 256 * (uint64_t)row, 1, "rows[%u].indices", row);
        status = mst_report(checker, "ALIEN-DPQ-ZERO", "0", "%u", d->data[256 * (size_t)row]);
    }
    for (unsigned i = 0; i < 256 && status == MST_OK; i++) {
        if (top[top[i]] == top[i])
            continue;
        mst_finding_at(checker, (uint64_t)(top + i - d->data), 1, "rows[255].indices");
        status = mst_report(checker, "ALIEN-DPQ-TOP", "an index that maps to itself", "%u", top[i]);
    }
    return status;
}

/* ---- images -------------------------------------------------------------------------------------- */

static size_t one_image(const mst_document *document) {
    (void)document;
    return 1;
}

/* A picture in shades of grey: the file has no colours. */
static mst_status take_grey(const mst_document *document, uint32_t width, uint32_t height,
                            mst_pixels *pixels) {
    if (!mst_pixels_take(pixels, width, height, 256))
        return MST_NO_MEMORY;
    for (unsigned i = 0; i < 256; i++) {
        memset(pixels->palette[i], (int)i, 3);
        pixels->palette[i][3] = 255;
    }
    memcpy(pixels->data, document->data, (size_t)width * height);
    return MST_OK;
}

static mst_status read_picture(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                               char *name, mst_diagnostic *diagnostic) {
    (void)index, (void)level;
    bool font = document->size == 256 * 250;
    if (take_grey(document, font ? 256 : 320, font ? 250 : 240, pixels) != MST_OK)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the picture");
    snprintf(name, MST_IMAGE_NAME, "picture");
    return MST_OK;
}

static mst_status replace_picture(mst_document *document, size_t index, const mst_pixels *pixels,
                                  mst_diagnostic *diagnostic) {
    mst_pixels now = {.allocator = document->allocator};
    mst_arena arena;
    char name[MST_IMAGE_NAME];
    uint8_t *indices = NULL;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_status status = read_picture(document, index, 0, &now, name, diagnostic);
    if (status == MST_OK)
        status = mst_alien_find_indices(pixels, &now, &arena, &indices, diagnostic);
    if (status == MST_OK && indices)
        status = mst_alien_set_bytes(document, "pixels", indices, (size_t)document->size, &arena, diagnostic);
    mst_pixels_free(&now);
    mst_arena_end(&arena);
    return status;
}

static const char *keep_count(const mst_value *list, const mst_document *after, uint64_t index, int by,
                              uint8_t *bytes) { /* NOLINT(readability-non-const-parameter): a hook */
    (void)list, (void)after, (void)index, (void)by, (void)bytes;
    return "a palette has 256, 224 or 192 colours, each at its index: colours cannot be inserted, removed or "
           "moved";
}

/* ---- the formats --------------------------------------------------------------------------------- */

#define SOURCES "Files of the game's demo and of two editions of its disc; the game's program.\n"
#define TABLES(name)                                                                                         \
    .tables.root = &(name), .tables.records = records, .tables.record_count = MST_COUNT_OF(records),         \
    .tables.sources = SOURCES, .check.problem_codes = PROBLEM_CODES

const mst_format mst_format_alien_palette = {
    .information = {.id = "alien-palette",
                    .title = "Alien Trilogy palette",
                    .extensions = ".pal",
                    .media_type = "",
                    .versions = "",
                    .rows = "colors"},
    TABLES(palette),
    .tables.listed =
        MST_LISTED({"palette", "colors", "refused: a palette has 256, 224 or 192", "alien-graphics.md 2.8"}),
    .editing = &(const mst_edit_hooks){.renumber = keep_count},
    .identity.probe = probe_palette,
    .identity.resolve_variant = resolve_palette,
    .check.codes = &palette_codes,
    .check.check = check_palette,
    .tables.introduction = "Colours of Alien Trilogy, next to its pictures (`STRUCT`) and for levels, the "
                           "panel and others (`PALS`).\n"
                           "A file contains only its colours.\n",
};
const mst_format mst_format_alien_shades = {
    .information = {.id = "alien-shades",
                    .title = "Alien Trilogy light table",
                    .extensions = ".dpq",
                    .media_type = "",
                    .versions = "",
                    .rows = "rows"},
    TABLES(shades),
    .identity.probe = probe_shades,
    .identity.resolve_variant = resolve_shades,
    .check.codes = &shades_codes,
    .check.check = check_shades,
    .tables.introduction = "The colours of a level of Alien Trilogy in less light (`PALS`). Indices 0 and 8 "
                           "to 31 are the same in all rows:\n"
                           "they are transparent, the panel and effects.\n",
};
const mst_format mst_format_alien_matches = {
    .information = {.id = "alien-matches",
                    .title = "Alien Trilogy table of colours",
                    .extensions = ".tnt",
                    .media_type = "",
                    .versions = "",
                    .rows = ""},
    TABLES(matches),
    .identity.probe = probe_matches,
    .identity.resolve_variant = resolve_matches,
    .check.codes = &kind_codes,
    .tables.introduction = "Which index of a level's palette is nearest to a colour (`PALS`).\n",
};
const mst_format mst_format_alien_picture = {
    .information = {.id = "alien-picture",
                    .title = "Alien Trilogy picture",
                    .extensions = ".bin",
                    .media_type = "",
                    .versions = "",
                    .rows = ""},
    TABLES(picture),
    .identity.probe = probe_picture,
    .identity.resolve_variant = resolve_picture,
    .check.codes = &kind_codes,
    .images = &(const mst_images){.count = one_image,
                                  .read = read_picture,
                                  .replace = replace_picture,
                                  .colors = mst_alien_colors_of_picture},
    .tables.introduction = "A full screen of Alien Trilogy (`STRUCT`), or the letters of a font. Its colours "
                           "are in the `.PAL` file of the same name.\n",
};
