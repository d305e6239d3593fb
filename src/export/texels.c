/* SPDX-License-Identifier: MIT */
#include "texels.h"
#include "../scene/geometry.h"
#include "../scene/packed.h"

#include <math.h>
#include <string.h>

#define LINEAR_MAX 4095 /* light in whole numbers, so that all systems get the same */

typedef struct light_table {
    uint16_t linear[256];
    uint8_t srgb[LINEAR_MAX + 1];
} light_table;

const mst_image *mst_texels_usable(const mst_scene *scene, int32_t index) {
    const mst_image *image = index >= 0 && (size_t)index < scene->image_count ? &scene->images[index] : NULL;
    if (!image || !image->pixels.width || !image->pixels.height || image->pixels.width > 65536 ||
        image->pixels.height > 65536 || (!image->packed && !image->pixels.data))
        return NULL;
    return image;
}

void mst_texels_need(mst_texels *texels, double spread) {
    if (spread > 0 && !(texels->finest > 0 && texels->finest <= spread))
        texels->finest = spread;
}

/* The number of times that a texture can be halved and still has a texel per pixel. */
static uint32_t halvings(double spread) {
    uint32_t level = 0;
    while (level < MST_TEXEL_LEVELS - 1 && spread >= 2) {
        spread /= 2;
        level++;
    }
    return level;
}

static uint32_t shortened(uint32_t side, uint32_t level) {
    return side >> level ? side >> level : 1;
}

/* The rows from which a smaller level is made: of a level in memory, or packed. */
typedef struct rows {
    const mst_image *packed; /* NULL: `data` */
    const uint8_t *data;
    uint32_t width, height;
    uint8_t *few; /* MST_PACKED_ROWS */
} rows;

static const uint8_t *row_at(const rows *from, uint32_t y) {
    size_t size = (size_t)from->width * 4;
    if (!from->packed)
        return from->data + y * size;
    uint32_t inside = y % MST_PACKED_ROWS, left = from->height - y;
    if (inside == 0)
        from->packed->packed->unpack(from->packed->packed, y, left < MST_PACKED_ROWS ? left : MST_PACKED_ROWS,
                                     from->few);
    return from->few + inside * size;
}

/* Sums of light and alpha, with and without weighting by alpha. */
typedef struct sum {
    uint64_t weighted[3], plain[3], alpha, count;
} sum;

static void put_mean(const light_table *table, const sum *s, uint8_t *texel) {
    for (int c = 0; c < 3; c++) {
        uint64_t over = s->alpha ? s->alpha : s->count;
        uint64_t light = ((s->alpha ? s->weighted[c] : s->plain[c]) + over / 2) / over;
        texel[c] = table->srgb[light < LINEAR_MAX ? light : LINEAR_MAX];
    }
    texel[3] = (uint8_t)((s->alpha + s->count / 2) / s->count);
}

/* The means of everything that falls on each texel of `to`. */
static void reduce(const light_table *table, const rows *from, const mst_pixels *to, sum *sums) {
    uint32_t target = 0;
    memset(sums, 0, to->width * sizeof *sums);
    for (uint32_t y = 0; y < from->height; y++) {
        const uint8_t *row = row_at(from, y);
        for (uint32_t x = 0; x < from->width; x++, row += 4) {
            sum *s = &sums[(uint64_t)x * to->width / from->width];
            for (int c = 0; c < 3; c++) {
                uint32_t light = table->linear[row[c]];
                s->plain[c] += light;
                s->weighted[c] += light * row[3];
            }
            s->alpha += row[3];
            s->count++;
        }
        uint32_t next =
            y + 1 < from->height ? (uint32_t)((uint64_t)(y + 1) * to->height / from->height) : to->height;
        if (next == target)
            continue;
        uint8_t *texel = to->data + (size_t)target * to->width * 4;
        for (uint32_t x = 0; x < to->width; x++, texel += 4)
            put_mean(table, &sums[x], texel);
        memset(sums, 0, to->width * sizeof *sums);
        target = next;
    }
}

static mst_status load(const light_table *table, mst_texels *texels, mst_arena *arena, mst_arena *scratch) {
    const mst_image *image = texels->image;
    const mst_pixels *whole = &image->pixels;
    uint32_t first = halvings(texels->finest), last = 0;
    while (shortened(whole->width, last) > 1 || shortened(whole->height, last) > 1)
        last++;
    first = first < last ? first : last;
    sum *sums = mst_arena_take(scratch, whole->width, sizeof *sums);
    uint8_t *few = mst_arena_take(scratch, whole->width, (size_t)4 * MST_PACKED_ROWS);
    if (!sums || !few)
        return MST_NO_MEMORY;
    for (uint32_t k = first; k <= last; k++) {
        mst_pixels *level = &texels->levels[k];
        *level = (mst_pixels){.width = shortened(whole->width, k), .height = shortened(whole->height, k)};
        if (k == 0 && !image->packed) {
            level->data = whole->data;
            continue;
        }
        level->data = mst_arena_take(arena, (size_t)level->width * level->height, 4);
        if (!level->data)
            return MST_NO_MEMORY;
        if (k == 0) {
            mst_scene_image_unpack(image, level->data);
            continue;
        }
        rows from = {image->packed ? image : NULL, whole->data, whole->width, whole->height, few};
        if (k > first)
            from = (rows){NULL, level[-1].data, level[-1].width, level[-1].height, few};
        reduce(table, &from, level, sums);
    }
    memcpy(texels->average, texels->levels[last].data, sizeof texels->average);
    texels->side = sqrt((double)whole->width * whole->height);
    texels->first = first;
    texels->count = last + 1;
    return MST_OK;
}

mst_status mst_texels_load(mst_texels *all, size_t count, mst_arena *arena) {
    light_table *table = mst_arena_take(arena, 1, sizeof *table);
    if (!table)
        return MST_NO_MEMORY;
    for (int i = 0; i < 256; i++)
        table->linear[i] = (uint16_t)(mst_linear_of_srgb((float)i / 255) * LINEAR_MAX + 0.5F);
    for (int i = 0; i <= LINEAR_MAX; i++)
        table->srgb[i] = (uint8_t)(mst_srgb_of_linear((float)i / LINEAR_MAX) * 255 + 0.5F);
    mst_status status = MST_OK;
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        mst_arena scratch;
        if (!all[i].image)
            continue;
        mst_arena_begin(&scratch, &arena->allocator, 0);
        status = load(table, &all[i], arena, &scratch);
        mst_arena_end(&scratch);
    }
    return status;
}

const mst_pixels *mst_texels_level(const mst_texels *texels, double spread) {
    uint32_t level = halvings(spread);
    level = level > texels->first ? level : texels->first;
    return &texels->levels[level < texels->count ? level : texels->count - 1];
}
