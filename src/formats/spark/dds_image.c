/* SPDX-License-Identifier: MIT */
/* The pixels of a texture, read and replaced with all their smaller levels. */
#include "../../codec/halve.h"
#include "../../core/diagnose.h"
#include "../../core/output.h"
#include "../../core/pixels.h"
#include "../../core/text.h"
#include "../present.h"
#include "dds.h"
#include <stdio.h>

size_t mst_dds_image_count(const mst_document *document) {
    (void)document;
    return 1;
}

/* ---- pixels that are not packed ------------------------------------------------------------------- */

static void decode_flat(bool alpha, uint64_t count, const uint8_t *data, uint8_t *rgba) {
    for (uint64_t i = 0; i < count; i++, data += alpha ? 4 : 3, rgba += 4) {
        rgba[0] = data[2];
        rgba[1] = data[1];
        rgba[2] = data[0];
        rgba[3] = alpha ? data[3] : 255;
    }
}

static void encode_flat(bool alpha, uint64_t count, const uint8_t *before, const uint8_t *rgba,
                        uint8_t *data) {
    for (uint64_t i = 0; i < count; i++, data += alpha ? 4 : 3, before += 4, rgba += 4) {
        if (memcmp(before, rgba, 4) == 0)
            continue;
        data[0] = rgba[2];
        data[1] = rgba[1];
        data[2] = rgba[0];
        if (alpha)
            data[3] = rgba[3];
    }
}

/* ---- levels --------------------------------------------------------------------------------------- */

static const uint8_t *level_data(const mst_document *document, uint32_t level, uint64_t size) {
    mst_value root = mst_root(document), levels = mst_member_in(&root, "levels");
    mst_value one = mst_element_in(&levels, level);
    const void *bytes = NULL;
    size_t length = 0;
    mst_get_bytes(&one, &bytes, &length);
    if (MST_UNREACHABLE(length != size)) /* parsing gave it this size */
        return NULL;
    return bytes;
}

void mst_dds_decode(const mst_dds_header *header, const uint8_t *data, uint8_t *rgba) {
    if (mst_dds_is_packed(header->kind))
        mst_dxt_decode((mst_dxt)header->kind, header->width, header->height, data, rgba);
    else
        decode_flat(header->kind == MST_DDS_BGRA8, (uint64_t)header->width * header->height, data, rgba);
}

static mst_dds_header header_of(const mst_document *document) {
    mst_dds_header header;
    mst_dds_header_of(document, &header);
    return header;
}

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the image");
}

size_t mst_dds_image_levels(const mst_document *document, size_t index) {
    (void)index;
    return header_of(document).levels;
}

mst_status mst_dds_image_read(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                              char *name, mst_diagnostic *diagnostic) {
    mst_dds_header header = header_of(document);
    (void)index;
    if (header.kind == MST_DDS_UNREAD)
        return mst_dds_unread(document, diagnostic);
    const uint8_t *data = level_data(document, (uint32_t)level, mst_dds_level_size(&header, (uint32_t)level));
    header.width = mst_dds_side(header.width, (uint32_t)level);
    header.height = mst_dds_side(header.height, (uint32_t)level);
    if (!data || !mst_pixels_take(pixels, header.width, header.height, 0))
        return no_memory(diagnostic);
    mst_dds_decode(&header, data, pixels->data);
    snprintf(name, MST_IMAGE_NAME, "texture");
    return MST_OK;
}

/* ---- replacing ------------------------------------------------------------------------------------ */

/* The image before and after, at the current level. */
typedef struct change {
    mst_dds_header header; /* of the level */
    uint8_t *before, *after;
} change;

/* Encodes the changes of a level and appends its digits. */
static mst_status put_level(const change *c, const uint8_t *old, size_t size, mst_arena *scratch,
                            mst_output *json) {
    uint64_t count = (uint64_t)c->header.width * c->header.height;
    uint8_t *data = mst_arena_take(scratch, size, 1);
    if (!data || !old)
        return MST_NO_MEMORY;
    memcpy(data, old, size);
    if (mst_dds_is_packed(c->header.kind))
        mst_dxt_encode((mst_dxt)c->header.kind, c->header.width, c->header.height, c->before, c->after, data);
    else
        encode_flat(c->header.kind == MST_DDS_BGRA8, count, c->before, c->after, data);
    mst_output_text(json, "\"");
    mst_output_hex(json, data, size);
    mst_output_text(json, "\"");
    return MST_OK;
}

/* Halves both images in place of the larger ones. */
static mst_status next_level(change *c, mst_arena *scratch) {
    uint32_t width = c->header.width, height = c->header.height;
    size_t count = (size_t)mst_half(width) * mst_half(height);
    uint8_t *before = mst_arena_take(scratch, count, 4), *after = mst_arena_take(scratch, count, 4);
    if (!before || !after)
        return MST_NO_MEMORY;
    mst_halve(c->before, width, height, before);
    mst_halve(c->after, width, height, after);
    c->before = before;
    c->after = after;
    c->header.width = mst_half(width);
    c->header.height = mst_half(height);
    return MST_OK;
}

/* Writes all levels as JSON: a list of digits. */
static mst_status write_levels(const mst_document *document, change *c, mst_arena *scratch,
                               mst_buffer *text) {
    mst_output json;
    mst_output_begin(&json, mst_buffer_sink(text));
    mst_status status = MST_OK;
    for (uint32_t level = 0; status == MST_OK && level < c->header.levels; level++) {
        uint64_t size = mst_dds_level_size(&c->header, 0);
        mst_output_text(&json, level ? "," : "[");
        status = put_level(c, level_data(document, level, size), (size_t)size, scratch, &json);
        if (status == MST_OK && level + 1 < c->header.levels)
            status = next_level(c, scratch);
    }
    mst_output_bytes(&json, "]", 2); /* and the terminating NUL */
    mst_status written = mst_output_end(&json);
    return status == MST_OK ? written : status;
}

static mst_status replace(mst_document *document, const mst_pixels *pixels, mst_arena *scratch,
                          mst_diagnostic *diagnostic) {
    change c = {.header = header_of(document)};
    size_t count = (size_t)c.header.width * c.header.height;
    const uint8_t *data = level_data(document, 0, mst_dds_level_size(&c.header, 0));
    c.before = mst_arena_take(scratch, count, 4);
    c.after = mst_arena_take(scratch, count, 4);
    if (!c.before || !c.after || !data)
        return no_memory(diagnostic);
    mst_dds_decode(&c.header, data, c.before);
    for (size_t i = 0; i < count; i++) {
        memcpy(c.after + 4 * i, mst_pixel_at(pixels, i), 4);
        if (c.header.kind == MST_DDS_BGR8 && c.after[4 * i + 3] != 255)
            return mst_fail(diagnostic, MST_REFUSED,
                            "the texture has no alpha, but the pixel in column %lu of row %lu is transparent",
                            (unsigned long)(i % c.header.width), (unsigned long)(i / c.header.width));
    }
    if (memcmp(c.before, c.after, 4 * count) == 0)
        return MST_OK;
    mst_buffer text = {.allocator = document->allocator};
    mst_status status = write_levels(document, &c, scratch, &text);
    status = status == MST_OK ? mst_set(document, "levels", (const char *)text.data, diagnostic)
                              : no_memory(diagnostic);
    mst_buffer_free(&text);
    return status;
}

mst_status mst_dds_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                 mst_diagnostic *diagnostic) {
    mst_dds_header header = header_of(document);
    (void)index;
    if (header.kind == MST_DDS_UNREAD)
        return mst_dds_unread(document, diagnostic);
    if (pixels->width != header.width || pixels->height != header.height) {
        mst_fail(diagnostic, MST_REFUSED, "the new image does not have the texture's size");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%u x %u", header.width, header.height);
            MST_SET(diagnostic->found, "%u x %u", pixels->width, pixels->height);
        }
        return MST_REFUSED;
    }
    mst_arena scratch;
    mst_arena_begin(&scratch, &document->allocator, 0);
    mst_status status = replace(document, pixels, &scratch, diagnostic);
    mst_arena_end(&scratch);
    return status;
}
