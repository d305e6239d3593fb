/* SPDX-License-Identifier: MIT */
#include "../core/unreachable.h"
#include "build.h"
#include <string.h>

enum { UNKNOWN, KNOWN, WAITING };

typedef struct sheet {
    uint8_t *pixels;
    uint32_t width, height;
    uint8_t *states;   /* of each texel: whether it has a colour */
    uint32_t *waiting; /* texels next to ones with a colour, in waves */
    uint32_t count;
} sheet;

/* The neighbours of a texel, at most eight. */
static unsigned neighbours_of(const sheet *s, uint32_t texel, uint32_t neighbours[8]) {
    const uint32_t x = texel % s->width, y = texel / s->width;
    unsigned count = 0;
    for (uint32_t v = y ? y - 1 : 0; v <= y + 1 && v < s->height; v++)
        for (uint32_t u = x ? x - 1 : 0; u <= x + 1 && u < s->width; u++)
            if (u != x || v != y)
                neighbours[count++] = v * s->width + u;
    return count;
}

static void enqueue_neighbours(sheet *s, uint32_t texel) {
    uint32_t neighbours[8];
    for (unsigned i = neighbours_of(s, texel, neighbours); i-- > 0;)
        if (s->states[neighbours[i]] == UNKNOWN) {
            s->states[neighbours[i]] = WAITING;
            s->waiting[s->count++] = neighbours[i];
        }
}

/* Sets a texel to the average of its neighbours that have a colour. */
static void color_texel(const sheet *s, uint32_t texel) {
    uint32_t neighbours[8], sum[3] = {0}, known = 0;
    for (unsigned i = neighbours_of(s, texel, neighbours); i-- > 0;)
        if (s->states[neighbours[i]] == KNOWN) {
            for (int c = 0; c < 3; c++)
                sum[c] += s->pixels[4 * (size_t)neighbours[i] + (size_t)c];
            known++;
        }
    if (MST_UNREACHABLE(!known)) /* its neighbour that queued it has one */
        return;
    for (int c = 0; c < 3; c++)
        s->pixels[4 * (size_t)texel + (size_t)c] = (uint8_t)((sum[c] + known / 2) / known);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the sheet writes to them */
bool mst_image_bleed(uint8_t *pixels, uint32_t width, uint32_t height, const mst_allocator *allocator) {
    const size_t count = (size_t)width * height;
    mst_arena arena;
    mst_arena_begin(&arena, allocator, 0);
    sheet s = {.pixels = pixels, .width = width, .height = height};
    s.states = mst_arena_take(&arena, count, sizeof *s.states);
    s.waiting = mst_arena_take(&arena, count, sizeof *s.waiting);
    bool made = s.states && s.waiting;
    for (size_t i = 0; made && i < count; i++)
        s.states[i] = pixels[4 * i + 3] ? KNOWN : UNKNOWN;
    for (size_t i = 0; made && i < count; i++)
        if (s.states[i] == KNOWN)
            enqueue_neighbours(&s, (uint32_t)i);
    for (uint32_t begin = 0, end = s.count; begin < end; begin = end, end = s.count) {
        for (uint32_t i = begin; i < end; i++)
            color_texel(&s, s.waiting[i]);
        for (uint32_t i = begin; i < end; i++)
            s.states[s.waiting[i]] = KNOWN;
        for (uint32_t i = begin; i < end; i++)
            enqueue_neighbours(&s, s.waiting[i]);
    }
    mst_arena_end(&arena);
    return made;
}

static bool has_transparent_texels(const mst_image *image) {
    const mst_pixels *pixels = &image->pixels;
    const size_t count = pixels->data ? (size_t)pixels->width * pixels->height : 0;
    for (size_t i = 0; i < count; i++)
        if (!pixels->data[4 * i + 3])
            return true;
    return false;
}

bool mst_scene_bleed(mst_scene_builder *builder) {
    const mst_material *materials = builder->materials.items;
    mst_image *images = builder->images.items;
    uint8_t *opaque = mst_arena_zero(&builder->arena, builder->images.count, 1);
    bool made = opaque != NULL;
    for (size_t i = 0; made && i < builder->materials.count; i++)
        if (materials[i].image >= 0 && materials[i].alpha_mode == MST_ALPHA_OPAQUE)
            opaque[materials[i].image] = 1;
    for (size_t i = 0; made && i < builder->images.count; i++) {
        if (opaque[i] || !has_transparent_texels(&images[i]))
            continue;
        mst_pixels *pixels = &images[i].pixels;
        const size_t count = (size_t)pixels->width * pixels->height;
        uint8_t *copy = mst_arena_take(&builder->arena, count, 4);
        if (copy)
            memcpy(copy, pixels->data, count * 4);
        made = copy && mst_image_bleed(copy, pixels->width, pixels->height, &builder->arena.allocator);
        pixels->data = copy;
    }
    return made;
}
