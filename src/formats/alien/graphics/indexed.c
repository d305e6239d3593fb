/* SPDX-License-Identifier: MIT */
#include "indexed.h"
#include "../../../core/diagnose.h"
#include "../../../core/pixels.h"
#include "../../../core/text.h"
#include "flat.h"
#include <stdio.h>

/* ---- new pixels ---------------------------------------------------------------------------------- */

mst_status mst_alien_find_indices(const mst_pixels *pixels, const mst_pixels *now, mst_arena *arena,
                                  uint8_t **indices, mst_diagnostic *diagnostic) {
    size_t count = (size_t)now->width * now->height;
    *indices = NULL;
    if (pixels->width != now->width || pixels->height != now->height) {
        mst_fail(diagnostic, MST_REFUSED, "the image's size differs from that in the file");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%lu x %lu", (unsigned long)now->width, (unsigned long)now->height);
            MST_SET(diagnostic->found, "%lu x %lu", (unsigned long)pixels->width,
                    (unsigned long)pixels->height);
        }
        return MST_REFUSED;
    }
    uint8_t *made = mst_arena_take(arena, count, 1);
    if (!made)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the image");
    for (size_t at = 0; at < count; at++) {
        int index = mst_pixels_index(now, pixels, at);
        if (index < 0) {
            const uint8_t *color = mst_pixel_at(pixels, at);
            mst_fail(diagnostic, MST_REFUSED, "the palette does not have the colour of column %lu, row %lu",
                     (unsigned long)(at % pixels->width), (unsigned long)(at / pixels->width));
            if (diagnostic)
                MST_SET(diagnostic->found, "#%02x%02x%02x", color[0], color[1], color[2]);
            return MST_REFUSED;
        }
        made[at] = (uint8_t)index;
    }
    *indices = memcmp(made, now->data, count) == 0 ? NULL : made;
    return MST_OK;
}

char *mst_alien_bytes_text(const uint8_t *bytes, size_t size, mst_arena *arena) {
    static const char digits[] = "0123456789abcdef";
    char *text = mst_arena_take(arena, size + 2, 2), *to = text;
    if (!text)
        return NULL;
    *to++ = '"';
    for (size_t i = 0; i < size; i++) {
        *to++ = digits[bytes[i] >> 4];
        *to++ = digits[bytes[i] & 15];
    }
    *to++ = '"';
    *to = 0;
    return text;
}

mst_status mst_alien_set_bytes(mst_document *document, const char *path, const uint8_t *bytes, size_t size,
                               mst_arena *arena, mst_diagnostic *diagnostic) {
    const char *text = mst_alien_bytes_text(bytes, size, arena);
    return text ? mst_set(document, path, text, diagnostic)
                : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the image");
}

/* ---- colours from other files -------------------------------------------------------------------- */

static bool find(const mst_resolver *sidecars, const char *name, const uint8_t **bytes, size_t *size) {
    const void *found;
    if (!sidecars || !sidecars->find || sidecars->find(sidecars->user, name, &found, size) != MST_OK)
        return false;
    *bytes = found;
    return true;
}

bool mst_alien_colors_of_picture(const mst_document *document, const mst_resolver *sidecars,
                                 uint8_t palette[256][4]) {
    char name[80];
    const char *base = mst_base_name(document->name);
    const uint8_t *bytes;
    size_t length = strcspn(base, "."), size;
    uint32_t first;
    if (!length || length > 64)
        return false;
    snprintf(name, sizeof name, "%.*s.PAL", (int)length, base);
    return find(sidecars, name, &bytes, &size) && mst_alien_palette(bytes, size, palette, &first) != 0;
}

bool mst_alien_colors_of_sprites(const mst_document *document, const mst_resolver *sidecars,
                                 uint8_t palette[256][4]) {
    const uint8_t *bytes;
    size_t size;
    mst_document *effects;
    const mst_open_options options = {
        .size = sizeof options, .format = "alien-gfx", .allocator = document->allocator};
    mst_pixels page = {.allocator = document->allocator};
    if (!find(sidecars, "EXPLGFX.BND", &bytes, &size) ||
        mst_open_memory(bytes, size, &options, &effects, NULL) != MST_OK)
        return false;
    bool found = mst_image_read(effects, 0, 0, NULL, &page, NULL, NULL) == MST_OK;
    for (unsigned color = 0; found && color < 256; color++)
        memcpy(palette[color], page.palette[color], sizeof page.palette[color]);
    mst_pixels_free(&page);
    mst_close(effects);
    return found;
}

uint32_t mst_alien_palette(const uint8_t *bytes, size_t size, uint8_t colors[256][4], uint32_t *first) {
    uint32_t count = (uint32_t)(size / 3);
    *first = size == 672 ? 32 : 0;
    if (size != 768 && size != 672 && size != 576)
        return 0;
    for (uint32_t i = 0; i < count; i++) {
        for (unsigned c = 0; c < 3; c++) {
            unsigned part = bytes[3 * (size_t)i + c] & 63u;
            colors[*first + i][c] = (uint8_t)(part * 4 + part / 16);
        }
        colors[*first + i][3] = 255;
    }
    return count;
}
