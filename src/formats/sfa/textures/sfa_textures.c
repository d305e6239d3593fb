/* SPDX-License-Identifier: MIT */
/* Textures and their banks: tables, images, checks. Sources: measurements on retail and modded textures, and
 * the game's reconstructed code. */
#include "../../../check/finding.h"
#include "../../../codec/gx_texture.h"
#include "../../../codec/halve.h"
#include "../../../core/pixels.h"
#include "../../../core/unreachable.h"
#include "../../../tables/words.h"
#include "../packing/layout_text.h"
#include "../sfa.h"
#include "../sfa_names.h"
#include "texture.h"
#include <stdio.h>

/* offsets in the header */
#define ALPHA_IMAGE 0x50
#define MAX_LOD     0x1D

/* ---- a texture ----------------------------------------------------------------------------------- */

static mst_status damaged(mst_diagnostic *diagnostic, const char *field, uint64_t offset, unsigned length,
                          uint64_t found, const char *message, const char *expected) {
    mst_fail(diagnostic, MST_DAMAGED, "%s", message);
    if (diagnostic) {
        MST_SET(diagnostic->code, "SFA-TEXTURE");
        MST_SET(diagnostic->path, "%s", field);
        MST_SET(diagnostic->expected, "%s", expected);
        MST_SET(diagnostic->found, "%llu", (unsigned long long)found);
        diagnostic->offset = offset;
        diagnostic->length = length;
    }
    return MST_DAMAGED;
}

mst_status mst_sfa_texture_read(const uint8_t *bytes, uint64_t size, mst_sfa_texture *t,
                                mst_diagnostic *diagnostic) {
    memset(t, 0, sizeof *t);
    if (size < MST_SFA_TEXTURE_HEADER)
        return damaged(diagnostic, "", 0, (unsigned)size, size, "the texture is shorter than its header",
                       "96 bytes");
    t->width = mst_load16(bytes + 0x0A, true);
    t->height = mst_load16(bytes + 0x0C, true);
    t->format = bytes[0x16];
    t->wrap_s = bytes[0x17];
    t->wrap_t = bytes[0x18];
    t->nearest = bytes[0x1A] == 0;
    t->levels = bytes[MAX_LOD] > bytes[0x1C] ? bytes[MAX_LOD] + 1u : 1;
    if (!t->width || !t->height)
        return damaged(diagnostic, t->width ? "height" : "width", t->width ? 0x0C : 0x0A, 2, 0,
                       "the texture's width or height is 0", "1 or more");
    if (!mst_gx_is_known(t->format))
        return damaged(diagnostic, "format", 0x16, 1, t->format, "the texture's format is unknown",
                       "0 to 6, 8 to 10 or 14");
    t->data = bytes + MST_SFA_TEXTURE_HEADER;
    t->data_size = size - MST_SFA_TEXTURE_HEADER;
    uint64_t level = mst_gx_level_size(t->format, t->width, t->height);
    if (level > t->data_size) {
        damaged(diagnostic, "data", MST_SFA_TEXTURE_HEADER, 0, t->data_size,
                "the image is larger than the texture's data", "");
        if (diagnostic)
            MST_SET(diagnostic->expected, "%llu bytes", (unsigned long long)level);
        return MST_DAMAGED;
    }
    uint32_t second = mst_load32(bytes + ALPHA_IMAGE, true);
    if (second && mst_fits(second, mst_gx_level_size(MST_GX_I4, t->width, t->height), t->data_size))
        t->alpha_image = t->data + second;
    return MST_OK;
}

void mst_sfa_texture_decode(const mst_sfa_texture *t, uint8_t *rgba) {
    mst_gx_decode(t->format, t->width, t->height, t->data, rgba);
    if (!t->alpha_image)
        return;
    /* I4 in tiles of 8 x 8 */
    size_t across = (t->width + 7) / 8;
    for (size_t y = 0; y < t->height; y++)
        for (size_t x = 0; x < t->width; x++) {
            size_t at = (y / 8 * across + x / 8) * 32 + y % 8 * 4 + x % 8 / 2;
            uint8_t both = t->alpha_image[at];
            rgba[(y * t->width + x) * 4 + 3] = (uint8_t)((x % 2 ? both & 15 : both >> 4) * 17);
        }
}

#define LEVELS_MAX 17 /* of a texture 65,535 wide */

/* The levels that are complete in the data; 1 x 1 may be repeated. */
static unsigned complete_levels(const mst_sfa_texture *t) {
    uint32_t width = t->width, height = t->height;
    uint64_t end = 0;
    unsigned complete = 0;
    while (complete < t->levels && complete < LEVELS_MAX) {
        end += mst_gx_level_size(t->format, width, height);
        if (end > t->data_size)
            break;
        complete++;
        width = mst_half(width);
        height = mst_half(height);
    }
    return complete;
}

/* Parsed content is a form, 0 a texture or 1 other bytes, and the bytes. */
static mst_status append(uint8_t form, const uint8_t *bytes, size_t size, mst_parsed_writer *w) {
    mst_parsed_number(w, form, 1);
    mst_parsed_bytes(w, bytes, size);
    return w->status;
}
static mst_status parse_texture(const uint8_t *bytes, size_t size, mst_parsed_writer *parsed,
                                mst_diagnostic *diagnostic) {
    mst_sfa_texture texture;
    mst_status status = mst_sfa_texture_read(bytes, size, &texture, diagnostic);
    return status == MST_OK ? append(0, bytes, size, parsed) : status;
}
static mst_status parse_raw(const uint8_t *bytes, size_t size, mst_parsed_writer *parsed,
                            mst_diagnostic *diagnostic) {
    (void)diagnostic;
    return append(1, bytes, size, parsed);
}
static mst_status serialize_texture(const uint8_t *parsed, size_t size, mst_buffer *bytes,
                                    mst_diagnostic *diagnostic) {
    mst_parsed_writer w = {.to = bytes, .limit = UINT64_MAX};
    mst_sfa_texture texture;
    if (!size)
        return mst_fail(diagnostic, MST_REFUSED, "the texture is incomplete");
    if (!parsed[0] && mst_sfa_texture_read(parsed + 1, size - 1, &texture, diagnostic) != MST_OK) {
        if (diagnostic)
            diagnostic->status = MST_REFUSED;
        return MST_REFUSED;
    }
    mst_parsed_bytes(&w, parsed + 1, size - 1);
    return w.status;
}
const mst_sfa_content mst_sfa_texture_content = {parse_texture, serialize_texture, parse_raw};

const uint8_t *mst_sfa_texture_in(const uint8_t *content, uint64_t size, uint64_t *texture_size) {
    *texture_size = size - 1;
    return content[0] ? NULL : content + 1;
}

/* ---- tables -------------------------------------------------------------------------------------- */

#define RECORDS(X) X(texture) X(entry) X(bank)
enum { RECORDS(RECORD_INDEX) };
#define R_FORM 1

static const mst_enum_name format_names[] = {
    {MST_GX_I4, "I4"},         {MST_GX_I8, "I8"},         {MST_GX_IA4, "IA4"},     {MST_GX_IA8, "IA8"},
    {MST_GX_RGB565, "RGB565"}, {MST_GX_RGB5A3, "RGB5A3"}, {MST_GX_RGBA8, "RGBA8"}, {MST_GX_C4, "C4"},
    {MST_GX_C8, "C8"},         {MST_GX_C14X2, "C14X2"},   {MST_GX_CMPR, "CMPR"}};
static const mst_enum_name wrap_names[] = {{0, "clamp"}, {1, "repeat"}, {2, "mirror"}};
static const mst_enum_name filter_names[] = {{0, "near"},
                                             {1, "linear"},
                                             {2, "near_mip_near"},
                                             {3, "linear_mip_near"},
                                             {4, "near_mip_linear"},
                                             {5, "linear_mip_linear"}};
static const mst_enum_name form_names[] = {{0, "texture"}, {1, "other"}};

#define TEXTURE        .when = {MST_SFA_UNDERSTOOD, {MST_EQUAL, R_FORM, 0}}
#define USUALLY(value) .flags = MST_FIELD_DEFAULT, .initial = (value)
#define TEXTURE_FIELDS                                                                                       \
    {.name = "form",                                                                                         \
     U8,                                                                                                     \
     BIND(R_FORM),                                                                                           \
     NAMES(form_names),                                                                                      \
     USUALLY(0),                                                                                             \
     .doc = "Whether the content is a texture.",                                                             \
     .when = {MST_SFA_UNDERSTOOD}},                                                                          \
        {.name = "next", U32, USUALLY(0), .doc = "0 in all known textures; its use is not known.", TEXTURE}, \
        {.name = "unknown_04", U32, USUALLY(0), .doc = "Not known; 0 in all known textures.", TEXTURE},      \
        {.name = "x_offset",                                                                                 \
         I16,                                                                                                \
         USUALLY(0),                                                                                         \
         .doc = "0 in all known textures; its use is not known.",                                            \
         TEXTURE},                                                                                           \
        {.name = "width", U16, .unit = "texels", .doc = "Need not be a power of two.", TEXTURE},             \
        {.name = "height", U16, .unit = "texels", .doc = "Need not be a power of two.", TEXTURE},            \
        {.name = "usage",                                                                                    \
         U16,                                                                                                \
         USUALLY(1),                                                                                         \
         .doc = "1 in all known textures; its use is not known.",                                            \
         TEXTURE},                                                                                           \
        {.name = "frame_count_8", U16, .doc = "Number of frames times 256.", TEXTURE},                       \
        {.name = "unknown_12", U16, USUALLY(0), .doc = "Not known; 0 in all known textures.", TEXTURE},      \
        {.name = "frames_per_tick",                                                                          \
         U16,                                                                                                \
         USUALLY(0),                                                                                         \
         .doc = "Speed of the animation; 256 is probably one frame per tick.",                               \
         TEXTURE},                                                                                           \
        {.name = "format",                                                                                   \
         U8,                                                                                                 \
         NAMES(format_names),                                                                                \
         .doc = "How texels are stored: the console's own formats. C4, C8 and C14X2 need a palette from "    \
                "elsewhere.",                                                                                \
         TEXTURE},                                                                                           \
        {.name = "wrap_s",                                                                                   \
         U8,                                                                                                 \
         NAMES(wrap_names),                                                                                  \
         .doc = "The texture beyond its left and right edges.",                                              \
         TEXTURE},                                                                                           \
        {.name = "wrap_t",                                                                                   \
         U8,                                                                                                 \
         NAMES(wrap_names),                                                                                  \
         .doc = "The texture beyond its upper and lower edges.",                                             \
         TEXTURE},                                                                                           \
        {.name = "min_filter",                                                                               \
         U8,                                                                                                 \
         NAMES(filter_names),                                                                                \
         .doc = "How the texture is scaled down; those from 2 on choose among the levels.",                  \
         TEXTURE},                                                                                           \
        {.name = "mag_filter", U8, NAMES(filter_names), .doc = "How it is scaled up: 0 or 1.", TEXTURE},     \
        {.name = "unknown_1B", U8, USUALLY(0), .doc = "Not known; 0 in all known textures.", TEXTURE},       \
        {.name = "min_lod",                                                                                  \
         U8,                                                                                                 \
         .doc = "With max_lod, the number of levels; 0 in all known textures.",                              \
         TEXTURE},                                                                                           \
        {.name = "max_lod",                                                                                  \
         U8,                                                                                                 \
         .doc = "If above min_lod, the number of levels minus one; else there is one level.",                \
         TEXTURE},                                                                                           \
        {.name = "unknown_1E", U8, FIXED(2), .doc = "Not known; 0 or 255 in known textures.", TEXTURE},      \
        {.name = "unknown_20",                                                                               \
         .kind = MST_KIND_RAW,                                                                               \
         FIXED(32),                                                                                          \
         .doc = "Not known; 0 in all known textures.",                                                       \
         TEXTURE},                                                                                           \
        {.name = "unknown_40",                                                                               \
         .kind = MST_KIND_RAW,                                                                               \
         FIXED(16),                                                                                          \
         .doc = "Not known; 0 in all known textures.",                                                       \
         TEXTURE},                                                                                           \
        {.name = "alpha_image_offset",                                                                       \
         U32,                                                                                                \
         USUALLY(0),                                                                                         \
         .doc = "Offset in the data of a second image (I4), whose intensity replaces alpha; 0: none.",       \
         TEXTURE},                                                                                           \
        {.name = "unknown_54",                                                                               \
         .kind = MST_KIND_RAW,                                                                               \
         FIXED(12),                                                                                          \
         .doc = "Not known; 0 in all known textures.",                                                       \
         TEXTURE},                                                                                           \
        {.name = "data",                                                                                     \
         .kind = MST_KIND_RAW,                                                                               \
         .mode = MST_COUNT_TO_END,                                                                           \
         .flags = MST_FIELD_CONTENT,                                                                         \
         .doc = "The mip levels, each padded to complete tiles.",                                            \
         TEXTURE},                                                                                           \
    {                                                                                                        \
        .name = "bytes", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END,                                     \
        .doc = "Bytes that are not a texture.", .when = {                                                    \
            MST_SFA_UNDERSTOOD,                                                                              \
            {MST_EQUAL, R_FORM, 1}                                                                           \
        }                                                                                                    \
    }

static const mst_field texture_fields[] = {MST_SFA_ENTRY_FIELDS, TEXTURE_FIELDS};
RECORD(texture, "texture", "a texture, or a frame of one, in its wrapper");

static const mst_field entry_fields[] = {
    MST_SFA_BANK_ENTRY_FIELDS(0x01000000),
    {.name = "flags",
     U8,
     .doc =
         "The upper eight bits of the table's word: 0x80 present, 0x40 set only in memory; the rest is the "
         "number of frames.",
     MST_SFA_PRESENT(1)},
    {.name = "frames",
     .doc = "The pictures of an animation; most textures have one.",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U32,
     .record = &texture,
     MST_SFA_PRESENT(1)},
};
RECORD(entry, "entry", "a texture with its frames");

static const mst_field bank_fields[] = {
    {.name = "textures",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U32,
     .record = &entry,
     .flags = MST_FIELD_APPEND,
     .doc = "By the texture number that blocks use."},
    {.name = "closing_flags", U8, USUALLY(0), .doc = "The upper eight bits of the table's last word."},
    {.name = "sum",
     U8,
     BIND(MST_SFA_R_SUM),
     .names = &mst_sfa_sums,
     USUALLY(MST_SFA_SUM_RIGHT),
     .doc = "State of the sum of the table's bytes, which follows the table; the game ignores it."},
    {.name = "sum_stored",
     U32,
     .when = {{MST_EQUAL, MST_SFA_R_SUM, MST_SFA_SUM_WRONG}},
     .doc = "The stored sum, if it differs from the sum of the table's bytes; the game ignores it."},
    MST_SFA_ORIGINAL_FIELDS,
};
RECORD(bank, "textures", "a bank of textures");

static const mst_record *const bank_records[] = {RECORDS(RECORD_ADDRESS)};
static const mst_record *const texture_records[] = {&texture};

static const mst_code_information codes[] = {
    MST_SFA_ENTRY_CODES,
    {"SFA-TAB", MST_ERROR, "the table has no end mark, or an entry begins after the end of the bank"},
    {"SFA-TEXTURE", MST_ERROR, "the format is unknown, the width or height is 0, or the image is cut off"},
    {"SFA-TEXTURE-LEVELS", MST_WARNING, "the data has fewer levels than max_lod states"},
    {"SFA-TEXTURE-ALPHA", MST_WARNING, "the alpha image does not fit into the data"},
    {"SFA-TAB-SUM", MST_INFORMATION,
     "the sum after the table is wrong: the table was modified after the game was released"},
};

/* ---- images -------------------------------------------------------------------------------------- */

/* A frame that is a texture. */
typedef struct found {
    mst_sfa_texture texture;
    uint32_t index, frame, frame_count;
} found;

static const mst_sfa_pair pair = {.parse = mst_sfa_bank_parse,
                                  .serialize = mst_sfa_bank_serialize,
                                  .content = &mst_sfa_texture_content,
                                  .list = "textures",
                                  .textures = true};

static bool is_texture(const uint8_t *content, uint64_t size, mst_sfa_texture *t) {
    uint64_t length;
    const uint8_t *bytes = mst_sfa_texture_in(content, size, &length);
    if (!bytes)
        return false;
    mst_sfa_texture_read(bytes, length, t, NULL); /* validated when it was parsed */
    return true;
}

static bool next_image(mst_sfa_bank_cursor *cursor, found *one) {
    while (mst_sfa_bank_next(cursor)) {
        if (cursor->kept ||
            !is_texture(cursor->reader.data + cursor->content, cursor->content_size, &one->texture))
            continue;
        one->index = cursor->index;
        one->frame = cursor->frame;
        one->frame_count = cursor->frame_count;
        return true;
    }
    return false;
}

static size_t count_images(const mst_document *document) {
    found one;
    size_t count = 0;
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, true);
    while (next_image(&cursor, &one))
        count++;
    return count;
}

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "out of memory while converting the image");
}

/* A complete level. */
static mst_status make_level(const mst_sfa_texture *t, size_t level, mst_pixels *pixels,
                             mst_diagnostic *diagnostic) {
    uint32_t width = t->width, height = t->height;
    const uint8_t *data = t->data;
    for (size_t i = 0; i < level; i++) {
        data += mst_gx_level_size(t->format, width, height);
        width = mst_half(width);
        height = mst_half(height);
    }
    if (!mst_pixels_take(pixels, width, height, 0))
        return no_memory(diagnostic);
    if (level) /* an alpha image has only the first one */
        mst_gx_decode(t->format, width, height, data, pixels->data);
    else
        mst_sfa_texture_decode(t, pixels->data);
    return MST_OK;
}

/* `index` must be below the number of images. */
static found find_image(const mst_document *document, size_t index) {
    found one = {0};
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, true);
    do
        next_image(&cursor, &one);
    while (index--);
    return one;
}

static mst_status read_image(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                             char *name, mst_diagnostic *diagnostic) {
    found one = find_image(document, index);
    if (one.frame_count > 1)
        snprintf(name, MST_IMAGE_NAME, "texture_%u_%u", one.index, one.frame);
    else
        snprintf(name, MST_IMAGE_NAME, "texture_%u", one.index);
    return make_level(&one.texture, level, pixels, diagnostic);
}

static size_t count_levels(const mst_document *document, size_t index) {
    const found one = find_image(document, index);
    return complete_levels(&one.texture);
}

/* Encodes the image and the smaller levels, scaled down from it, as far as the data contains them. */
static mst_status encode_levels(const mst_sfa_texture *t, uint8_t *rgba, uint8_t *data, mst_arena *scratch) {
    uint32_t width = t->width, height = t->height;
    uint64_t at = 0;
    if (MST_UNREACHABLE(!t->data)) /* an image that was found has its bytes */
        return MST_DAMAGED;
    memcpy(data, t->data, (size_t)t->data_size);
    for (unsigned level = 0; level < t->levels; level++) {
        uint64_t size = mst_gx_level_size(t->format, width, height);
        if (!mst_fits(at, size, t->data_size))
            break;
        mst_gx_encode(t->format, width, height, rgba, data + at, data + at);
        at += size;
        if (width == 1 && height == 1)
            break;
        uint8_t *smaller = mst_arena_take(scratch, (size_t)mst_half(width) * mst_half(height), 4);
        if (!smaller)
            return MST_NO_MEMORY;
        mst_halve(rgba, width, height, smaller);
        rgba = smaller;
        width = mst_half(width);
        height = mst_half(height);
    }
    return MST_OK;
}

/* `path` is the path of the texture's data. */
static mst_status set_image(mst_document *document, const mst_sfa_texture *t, const char *path,
                            const mst_pixels *pixels, mst_arena *scratch, mst_diagnostic *diagnostic) {
    static const char digits[] = "0123456789abcdef";
    size_t count = (size_t)t->width * t->height, size = (size_t)t->data_size, n = 0;
    uint8_t *rgba = mst_arena_take(scratch, count, 4), *before = mst_arena_take(scratch, count, 4);
    uint8_t *data = mst_arena_take(scratch, size, 1);
    char *json = mst_arena_take(scratch, 2 * size + 3, 1);
    if (!rgba || !before || !data || !json)
        return no_memory(diagnostic);
    for (size_t i = 0; i < count; i++)
        memcpy(rgba + 4 * i, mst_pixel_at(pixels, i), 4);
    mst_sfa_texture_decode(t, before);
    if (memcmp(rgba, before, count * 4) == 0)
        return MST_OK;
    if (!mst_gx_can_encode(t->format) || t->alpha_image) {
        mst_fail(diagnostic, MST_REFUSED, "writing this texture format is not supported");
        if (diagnostic)
            MST_SET(diagnostic->found, "%s%s", mst_gx_name(t->format),
                    t->alpha_image ? " with an alpha image" : "");
        return MST_REFUSED;
    }
    if (encode_levels(t, rgba, data, scratch) != MST_OK)
        return no_memory(diagnostic);
    json[n++] = '"';
    for (size_t i = 0; i < size; i++) {
        json[n++] = digits[data[i] >> 4];
        json[n++] = digits[data[i] & 15];
    }
    json[n++] = '"';
    json[n] = 0;
    return mst_set(document, path, json, diagnostic);
}

static mst_status replace(mst_document *document, const mst_sfa_texture *t, const char *path,
                          const mst_pixels *pixels, mst_diagnostic *diagnostic) {
    if (pixels->width != t->width || pixels->height != t->height) {
        mst_fail(diagnostic, MST_REFUSED, "the new image does not have the texture's size");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%u x %u", t->width, t->height);
            MST_SET(diagnostic->found, "%u x %u", pixels->width, pixels->height);
        }
        return MST_REFUSED;
    }
    mst_arena scratch;
    mst_arena_begin(&scratch, &document->allocator, 0);
    mst_status status = set_image(document, t, path, pixels, &scratch, diagnostic);
    mst_arena_end(&scratch);
    return status;
}

static mst_status replace_image(mst_document *document, size_t index, const mst_pixels *pixels,
                                mst_diagnostic *diagnostic) {
    found one = find_image(document, index);
    char path[64];
    snprintf(path, sizeof path, "textures[%u].frames[%u].data", one.index, one.frame);
    return replace(document, &one.texture, path, pixels, diagnostic);
}

/* ---- checking ------------------------------------------------------------------------------------ */

static mst_status check_texture(mst_checker *checker, const uint8_t *content, uint64_t size,
                                const char *path) {
    const char *dot = *path ? "." : "";
    uint64_t begin = (uint64_t)(content - checker->document->data) + 1;
    mst_sfa_texture t;
    mst_diagnostic why;
    if (mst_sfa_texture_read(content + 1, size - 1, &t, &why) != MST_OK) {
        mst_diagnostic *finding = mst_finding_at(checker, begin + why.offset, why.length, "%s%s%s", path,
                                                 *why.path ? dot : "", why.path);
        MST_SET(finding->message, "%s", why.message);
        return mst_report(checker, "SFA-TEXTURE", why.expected, "%s", why.found);
    }
    uint32_t alpha = mst_load32(content + 1 + ALPHA_IMAGE, true);
    if (alpha && !t.alpha_image) {
        mst_diagnostic *finding =
            mst_finding_at(checker, begin + ALPHA_IMAGE, 4, "%s%salpha_image_offset", path, dot);
        MST_SET(finding->message, "the alpha image does not fit into the data and is not used");
        MST_SET(finding->expected, "%llu bytes of %llu from there on",
                (unsigned long long)mst_gx_level_size(MST_GX_I4, t.width, t.height),
                (unsigned long long)t.data_size);
        mst_status status = mst_report(checker, "SFA-TEXTURE-ALPHA", NULL, "%u", alpha);
        if (status != MST_OK)
            return status;
    }
    const unsigned complete = complete_levels(&t);
    if (complete == t.levels)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_at(checker, begin + MAX_LOD, 1, "%s%smax_lod", path, dot);
    MST_SET(finding->expected, "%u levels", t.levels);
    return mst_report(checker, "SFA-TEXTURE-LEVELS", NULL, "%u", complete);
}

static mst_status check_bank(mst_checker *checker) {
    const mst_document *document = checker->document;
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, true);
    while (mst_sfa_bank_next(&cursor)) {
        char path[64];
        snprintf(path, sizeof path, "textures[%u].frames[%u]", cursor.index, cursor.frame);
        mst_status status = mst_sfa_check_entry(checker, cursor.entry, path);
        if (status == MST_OK && !cursor.kept)
            status = check_texture(checker, document->data + cursor.content, cursor.content_size, path);
        if (status != MST_OK)
            return status;
    }
    mst_parsed_read(&cursor.reader, 1); /* the flags; then the state of the sum */
    if (mst_parsed_read(&cursor.reader, 1) != MST_SFA_SUM_WRONG)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_of(checker, NULL, "sum_stored");
    MST_SET(finding->message,
            "the sum after the table is wrong: the table was modified after the game was made");
    return mst_checker_report(checker, "SFA-TAB-SUM");
}

static mst_status check_single(mst_checker *checker) {
    const mst_document *document = checker->document;
    const uint8_t *content;
    uint64_t size, length;
    mst_status status = mst_sfa_check_entry(checker, 0, "");
    if (status == MST_OK && mst_sfa_entry_content(document->data, document->size, &content, &size, &length))
        status = check_texture(checker, content, size, "");
    return status;
}

/* ---- the formats --------------------------------------------------------------------------------- */

static bool probe_bank(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                       mst_variant *variant) {
    (void)bytes, (void)size, (void)file_size, (void)variant;
    return mst_sfa_pair_is_named(name, "TEX0") || mst_sfa_pair_is_named(name, "TEX1") ||
           mst_sfa_pair_is_named(name, "TEXPRE");
}

const mst_format mst_format_sfa_textures = {
    .information = {.id = "sfa-textures",
                    .title = "Star Fox Adventures texture bank",
                    .extensions = ".bin .tab",
                    .media_type = "",
                    .versions = "",
                    .rows = "textures"},
    .tables.compared = mst_sfa_compared,
    .tables.root = &bank,
    .tables.records = bank_records,
    .tables.record_count = MST_COUNT_OF(bank_records),
    .identity.big = true,
    .identity.probe = probe_bank,
    MST_SFA_PAIR(pair),
    .check.problem_codes = {[MST_PROBLEM_OVERRUN] = "SFA-TAB", [MST_PROBLEM_COUNT] = "SFA-TAB"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = check_bank,
    .images =
        &(const mst_images){
            .count = count_images, .read = read_image, .replace = replace_image, .levels = count_levels},
    .tables.relations = "| number | refers to |\n|---|---|\n"
                        "| place in `textures` | of `TEX1.tab`: `textures` of the directory's blocks; of all "
                        "banks: the numbers in `TEXTABLE.bin` |\n",
    .tables.listed =
        MST_LISTED({"textures", "textures", "a picture in it is damaged", "sfa.md 3.10"},
                   {"entry", "frames", "it is the only one, there are 63, or it is damaged", "sfa.md 3.10"}),
    .tables.sources = MST_SFA_SOURCES("14 textures, but no bank"),
    .tables.introduction = "A texture bank of Star Fox Adventures (GameCube, 2002): a table (`TEX1.tab`) and "
                           "its bank (`TEX1.bin`), which make one\n"
                           "document. Each entry is packed separately. Big-endian. `original` and "
                           "`original_bin` keep the bytes of the files\n"
                           "if writing the values would produce other bytes.\n",
    .tables.in_files = {MST_SFA_TEXT_TABLE MST_SFA_TEXT_TEXTURES, MST_SFA_TEXT_WRAPPERS}};

#define SIDE_MAX 1024 /* of truncated textures that are still recognized */

/* Recognizes a plausible header, packed or not. */
static bool probe_texture(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                          mst_variant *variant) {
    uint8_t header[MST_SFA_TEXTURE_HEADER];
    (void)name, (void)variant;
    if (mst_sfa_entry_peek(bytes, size, header, sizeof header) < sizeof header)
        return false;
    uint32_t width = mst_load16(header + 0x0A, true), height = mst_load16(header + 0x0C, true);
    uint32_t frames = mst_load16(header + 0x10, true);
    return mst_load32(header, true) == 0 && mst_load32(header + 4, true) == 0 && width && height &&
           mst_load16(header + 0x0E, true) == 1 && mst_gx_is_known(header[0x16]) && header[0x17] <= 2 &&
           header[0x18] <= 2 && header[0x19] <= 5 &&
           (mst_sfa_is_wrapped(bytes, size) ||
            file_size >= MST_SFA_TEXTURE_HEADER + mst_gx_level_size(header[0x16], width, height) ||
            (width <= SIDE_MAX && height <= SIDE_MAX && frames && frames % 256 == 0));
}
static bool single_texture(const mst_document *document, mst_sfa_texture *t) {
    const uint8_t *content;
    uint64_t size, length;
    return mst_sfa_entry_content(document->data, document->size, &content, &size, &length) &&
           is_texture(content, size, t);
}
static size_t count_single(const mst_document *document) {
    mst_sfa_texture t;
    return single_texture(document, &t) ? 1 : 0;
}
static mst_status read_single(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                              char *name, mst_diagnostic *diagnostic) {
    mst_sfa_texture t = {0};
    (void)index;
    single_texture(document, &t); /* count_single has found it */
    snprintf(name, MST_IMAGE_NAME, "texture");
    return make_level(&t, level, pixels, diagnostic);
}
static size_t count_single_levels(const mst_document *document, size_t index) {
    mst_sfa_texture t = {0};
    (void)index;
    single_texture(document, &t);
    return complete_levels(&t);
}
static mst_status replace_single(mst_document *document, size_t index, const mst_pixels *pixels,
                                 mst_diagnostic *diagnostic) {
    mst_sfa_texture t = {0};
    (void)index;
    single_texture(document, &t);
    return replace(document, &t, "data", pixels, diagnostic);
}

const mst_format mst_format_sfa_texture = {
    .information = {.id = "sfa-texture",
                    .title = "Star Fox Adventures texture",
                    .extensions = ".tex",
                    .media_type = "",
                    .versions = "",
                    .rows = ""},
    .tables.root = &texture,
    .tables.records = texture_records,
    .tables.record_count = MST_COUNT_OF(texture_records),
    .identity.big = true,
    .identity.probe = probe_texture,
    MST_SFA_SINGLE(mst_sfa_texture_content),
    .check.problem_codes = {[MST_PROBLEM_OVERRUN] = "SFA-TEXTURE", [MST_PROBLEM_COUNT] = "SFA-TEXTURE"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = check_single,
    .images = &(const mst_images){.count = count_single,
                                  .read = read_single,
                                  .replace = replace_single,
                                  .levels = count_single_levels},
    .tables.sources = MST_SFA_SOURCES("14 textures"),
    .tables.introduction = "One texture of Star Fox Adventures (GameCube, 2002), packed or not.\n",
    .tables.in_files = {MST_SFA_TEXT_WRAPPERS}};
