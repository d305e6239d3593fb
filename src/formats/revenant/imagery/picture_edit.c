/* SPDX-License-Identifier: MIT */
/* Replacing the pixels of a bitmap. A pixel keeps its value if the value has the right colour; in packed
 * planes, only changed blocks are packed again. */
#include "../../../core/diagnose.h"
#include "../../../core/hash.h"
#include "../../../core/pixels.h"
#include "../../../core/unreachable.h"
#include "../../present.h"
#include "image.h"
#include <stdio.h>

/* ---- values -------------------------------------------------------------------------------------- */

typedef struct change {
    const mst_image_planes *planes; /* the new values */
    const mst_pixels *given;
    bool pixels, z, alpha; /* which of the planes have changed */
    mst_diagnostic *diagnostic;
} change;

static mst_status refuse_pixel(const change *c, size_t at, const char *message) {
    mst_fail(c->diagnostic, MST_REFUSED, "%s", message);
    if (c->diagnostic)
        MST_SET(c->diagnostic->found, "column %lu, row %lu", (unsigned long)(at % c->given->width),
                (unsigned long)(at / c->given->width));
    return MST_REFUSED;
}

/* The value for a colour; -1: none. `keyed`: one value represents pixels that are not drawn. */
static int value_for(const mst_image_planes *p, unsigned old, const uint8_t *color, bool keyed) {
    uint32_t key = keyed ? p->bitmap->key_color : UINT32_MAX;
    uint8_t has[3];
    mst_image_color(p, old, has);
    unsigned red = color[0] >> 3, green = color[1] >> 3, blue = color[2] >> 3, value;
    bool same = p->palette ? memcmp(has, color, 3) == 0
                           : has[0] >> 3 == (int)red && has[1] >> 3 == (int)green && has[2] >> 3 == (int)blue;
    if (same && old != key)
        return (int)old;
    if (p->palette) {
        for (unsigned i = 0; i < 256; i++)
            if (memcmp(p->palette + 4 * (size_t)i, color, 3) == 0 && i != key)
                return (int)i;
        return -1;
    }
    value = p->bitmap->depth == 16 ? red << 11 | green << 6 | (old & 0x20) | blue
                                   : (old & 0x8000) | red << 10 | green << 5 | blue;
    return value == key ? -1 : (int)value;
}

static mst_status change_color(change *c, size_t at, const uint8_t *color, bool keyed) {
    const mst_image_planes *p = c->planes;
    if (!p->pixels)
        return color[0] || color[1] || color[2]
                   ? refuse_pixel(c, at, "the picture has only alpha: all its pixels must be black")
                   : MST_OK;
    int value = value_for(p, p->pixels[at], color, keyed);
    if (value < 0)
        return refuse_pixel(c, at, "the picture cannot store the colour of the pixel");
    c->pixels = c->pixels || value != p->pixels[at];
    p->pixels[at] = (uint16_t)value;
    return MST_OK;
}

static mst_status change_pixel(change *c, size_t at, const uint8_t *color) {
    const mst_image_planes *p = c->planes;
    if (p->alpha) {
        unsigned alpha = (color[3] * 31u + 127) / 255, old = p->alpha[at] < 31 ? p->alpha[at] : 31;
        c->alpha = c->alpha || alpha != old;
        if (alpha != old)
            p->alpha[at] = (uint16_t)alpha;
        return alpha ? change_color(c, at, color, false) : MST_OK;
    }
    bool drawn = mst_image_alpha(p, at) != 0;
    if (color[3] < 128 && !drawn)
        return MST_OK;
    if (color[3] >= 128 && !drawn && p->z)
        return refuse_pixel(c, at, "the picture has no depth where the pixel is: it cannot be drawn there");
    if (color[3] >= 128)
        return change_color(c, at, color, !p->z);
    if (p->z) {
        p->z[at] = MST_TILE_CLEAR;
        c->z = true;
    } else {
        p->pixels[at] = (uint16_t)p->bitmap->key_color;
        c->pixels = true;
    }
    return MST_OK;
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

typedef struct text {
    mst_parsed_writer w; /* of JSON */
    uint8_t *packed;     /* MST_TILE_PACKED_MAX */
    uint16_t *block;     /* MST_TILE_VALUES */
} text;

static void put_text(text *t, const char *words) {
    mst_parsed_put(&t->w, words, strlen(words));
}

static void put_hex(text *t, const uint8_t *bytes, size_t size) {
    static const char digits[] = "0123456789abcdef";
    put_text(t, "\"");
    for (size_t i = 0; i < size; i++) {
        const char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
        mst_parsed_put(&t->w, pair, sizeof pair);
    }
    put_text(t, "\"");
}

static void put_value(text *t, const mst_value *value) {
    const mst_json_options compact = {.size = sizeof compact, .compact = 1};
    if (t->w.status == MST_OK)
        t->w.status = mst_write_json(value, &compact, mst_buffer_sink(t->w.to), NULL);
}

/* An id that no other block should have, with the block's number in it. */
static uint32_t fresh_id(const uint8_t *packed, size_t size, uint32_t old) {
    uint32_t hash = mst_hash32_bytes(MST_HASH32, packed, size);
    return (hash & 0xFFFF0000) == (old & 0xFFFF0000) ? old ^ 0x00010000u
                                                     : (hash & 0xFFFF0000) | (old & 0xFFFF);
}

static void put_block(text *t, bool deep, const uint8_t *header, uint32_t number) {
    static const uint8_t usual[2] = {0xFE, 0xFF};
    char start[80];
    uint16_t clear = deep ? MST_TILE_CLEAR : 0;
    bool empty = true;
    for (size_t i = 0; i < MST_TILE_VALUES; i++)
        empty = empty && t->block[i] == clear;
    if (empty) {
        put_text(t, "{\"empty\":true}");
        return;
    }
    size_t size = mst_tile_pack(t->block, deep, header ? header + 4 : usual, t->packed);
    uint32_t old = header ? mst_load32(header, false) : number + 1;
    snprintf(start, sizeof start, "{\"id\":%u,\"run_marker\":%u,\"copy_marker\":%u,\"stream\":",
             (unsigned)fresh_id(t->packed, size, old), (unsigned)t->packed[0], (unsigned)t->packed[1]);
    put_text(t, start);
    put_hex(t, t->packed + 2, size - 2);
    put_text(t, "}");
}

/* Replaces the part of a block that is inside the picture; returns whether this changes it. */
static bool overlay(const mst_image_bitmap *bitmap, uint32_t x, uint32_t y, const uint16_t *values,
                    uint16_t *block) {
    bool changed = false;
    for (uint32_t row = 0; row < MST_TILE_SIDE && y + row < bitmap->height; row++)
        for (uint32_t column = 0; column < MST_TILE_SIDE && x + column < bitmap->width; column++) {
            uint16_t value = values[(size_t)(y + row) * bitmap->width + x + column];
            uint16_t *old = &block[MST_TILE_SIDE * (size_t)row + column];
            changed = changed || *old != value;
            *old = value;
        }
    return changed;
}

static void put_blocks(text *t, const mst_image_bitmap *bitmap, unsigned plane, const uint16_t *values,
                       const mst_value *blocks) {
    const mst_image_plane *p = &bitmap->planes[plane];
    bool deep = plane == MST_PLANE_Z;
    mst_parsed_reader r = p->blocks;
    mst_value element;
    uint32_t i = 0;
    for (mst_iterator it = mst_iterate(blocks); mst_next(&it, &element); i++) {
        mst_tile_block packed;
        const uint8_t *header = NULL;
        if (mst_image_next_block(&r, deep, &packed, &header))
            mst_tile_unpack(&packed, t->block);
        else
            for (size_t k = 0; k < MST_TILE_VALUES; k++)
                t->block[k] = deep ? MST_TILE_CLEAR : 0;
        put_text(t, i ? "," : "[");
        if (overlay(bitmap, i % p->across * MST_TILE_SIDE, i / p->across * MST_TILE_SIDE, values, t->block))
            put_block(t, deep, header, i);
        else
            put_value(t, &element);
    }
    put_text(t, "]");
}

static void put_bytes(text *t, const change *c, unsigned plane, unsigned width, const uint16_t *values) {
    const mst_image_plane *p = &c->planes->bitmap->planes[plane];
    size_t used = c->planes->count * width;
    char pair[5];
    put_text(t, "\"");
    for (size_t i = 0; i < c->planes->count; i++) {
        snprintf(pair, sizeof pair, width == 2 ? "%04x" : "%02x",
                 width == 2 ? (values[i] & 0xFFu) << 8 | values[i] >> 8 : values[i] & 0xFFu);
        put_text(t, pair);
    }
    for (size_t i = used; i < p->size; i++) {
        snprintf(pair, sizeof pair, "%02x", p->bytes[i]);
        put_text(t, pair);
    }
    put_text(t, "\"");
}

/* Writes a plane with new values; NULL: unchanged. */
static void put_plane(text *t, const change *c, unsigned plane, const uint16_t *values,
                      const mst_value *record) {
    unsigned width = plane == MST_PLANE_Z || (plane == MST_PLANES && c->planes->bitmap->depth > 8) ? 2 : 1;
    mst_value field;
    bool first = true;
    put_text(t, "{");
    for (mst_iterator it = mst_iterate(record); mst_next(&it, &field); first = false) {
        const char *name = mst_field_of(&field)->name;
        put_text(t, first ? "\"" : ",\"");
        put_text(t, name);
        put_text(t, "\":");
        if (values && strcmp(name, "blocks") == 0)
            put_blocks(t, c->planes->bitmap, plane, values, &field);
        else if (values && strcmp(name, "bytes") == 0)
            put_bytes(t, c, plane, width, values);
        else
            put_value(t, &field);
    }
    put_text(t, "}");
}

/* The bitmap as JSON, with the new values. */
static void put_bitmap(text *t, const change *c, const mst_value *bitmap) {
    const mst_image_planes *p = c->planes;
    mst_value field, plane;
    const char *separator = "{\"";
    for (mst_iterator it = mst_iterate(bitmap); mst_next(&it, &field);) {
        const char *name = mst_field_of(&field)->name;
        if (strcmp(name, "size") == 0)
            continue;
        put_text(t, separator);
        put_text(t, name);
        put_text(t, "\":");
        separator = ",\"";
        if (strcmp(name, "pixels") == 0) {
            put_plane(t, c, MST_PLANES, c->pixels ? p->pixels : NULL, &field);
        } else if (strcmp(name, "planes") == 0) {
            uint64_t index = 0;
            put_text(t, "[");
            for (mst_iterator each = mst_iterate(&field); mst_next(&each, &plane); index++) {
                unsigned kind = 0;
                while (!p->bitmap->has[kind] || p->bitmap->planes[kind].index != index)
                    kind++;
                const uint16_t *values = kind == MST_PLANE_Z && c->z           ? p->z
                                         : kind == MST_PLANE_ALPHA && c->alpha ? p->alpha
                                                                               : NULL;
                put_text(t, index ? "," : "");
                put_plane(t, c, kind, values, &plane);
            }
            put_text(t, "]");
        } else {
            put_value(t, &field);
        }
    }
    put_text(t, "}");
}

/* ---- the edit ------------------------------------------------------------------------------------ */

static mst_status set_bitmap(mst_document *document, change *c, mst_arena *scratch) {
    mst_value root = mst_root(document), list = mst_member_in(&root, "bitmaps");
    mst_value value = mst_element_in(&list, c->planes->bitmap->index);
    mst_buffer json = {.allocator = document->allocator};
    text t = {.w = {.to = &json, .limit = UINT64_MAX},
              .packed = mst_arena_take(scratch, MST_TILE_PACKED_MAX, 1),
              .block = c->planes->block};
    char path[40];
    mst_status status = MST_NO_MEMORY;
    if (t.packed) {
        put_bitmap(&t, c, &value);
        mst_parsed_put(&t.w, "", 1);
        status = t.w.status;
    }
    snprintf(path, sizeof path, "bitmaps[%u]", c->planes->bitmap->index);
    if (status == MST_OK)
        status = mst_set(document, path, (const char *)json.data, c->diagnostic);
    else
        mst_fail(c->diagnostic, status, "not enough memory for the image");
    mst_buffer_free(&json);
    return status;
}

mst_status mst_image_replace_picture(mst_document *document, size_t index, const mst_pixels *pixels,
                                     mst_diagnostic *diagnostic) {
    mst_image_bitmap bitmap;
    size_t count;
    mst_image_find(document, index, &bitmap, &count);
    if (pixels->width != bitmap.width || pixels->height != bitmap.height) {
        mst_fail(diagnostic, MST_REFUSED, "the image's size differs from the bitmap's");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%u x %u", bitmap.width, bitmap.height);
            MST_SET(diagnostic->found, "%u x %u", pixels->width, pixels->height);
        }
        return MST_REFUSED;
    }
    mst_arena scratch;
    mst_image_planes planes;
    change c = {.planes = &planes, .given = pixels, .diagnostic = diagnostic};
    mst_arena_begin(&scratch, &document->allocator, 0);
    mst_status status = mst_image_unpack_all(&bitmap, &scratch, &planes)
                            ? MST_OK
                            : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the image");
    for (size_t i = 0; i < planes.count && status == MST_OK; i++)
        status = change_pixel(&c, i, mst_pixel_at(pixels, i));
    if (status == MST_OK && (c.pixels || c.z || c.alpha))
        status = set_bitmap(document, &c, &scratch);
    mst_arena_end(&scratch);
    return status;
}
