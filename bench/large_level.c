/* SPDX-License-Identifier: MIT */
/*
 * Writes a large level of the Turok remaster, byte by byte and without using the library: a square of as many
 * sectors as 16-bit indices allow (fewer below 5 MB), then static meshes with their paths up to the requested
 * size: bench_large_level MEGABYTES FILE
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CELLS  64
#define PATH   "models/env_tree.bin"
#define STRIDE 88

static uint32_t side = 180; /* squares of two sectors each: 64,800 sectors */

typedef struct bytes {
    uint8_t *data;
    size_t size, capacity;
} bytes;

static void *add(bytes *to, size_t size) {
    if (to->size + size > to->capacity) {
        to->capacity = (to->size + size) * 2;
        to->data = realloc(to->data, to->capacity);
        if (!to->data)
            exit(2);
    }
    void *place = to->data + to->size;
    memset(place, 0, size);
    to->size += size;
    return place;
}

static void put(bytes *to, uint32_t value, int width) {
    uint8_t *place = add(to, (size_t)width);
    for (int i = 0; i < width; i++)
        place[i] = (uint8_t)(value >> 8 * i);
}

static void put_real(bytes *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put(to, bits, 4);
}

static void pad(bytes *to) {
    add(to, (8 - to->size % 8) % 8);
}

/* An archive under construction: its header is filled in as blocks are added, which are aligned to 8. */
static size_t begin(bytes *to, uint32_t count) {
    size_t base = to->size;
    put(to, count, 4);
    add(to, 4 * (size_t)(count + 1));
    pad(to);
    return base;
}

static void block(bytes *to, size_t base, uint32_t index) {
    pad(to);
    uint32_t offset = (uint32_t)(to->size - base);
    for (int i = 0; i < 4; i++)
        to->data[base + 4 + 4 * (size_t)index + (size_t)i] = (uint8_t)(offset >> 8 * i);
}

static void text(bytes *to, const char *path) {
    size_t size = strlen(path) + 1;
    put(to, (uint32_t)size, 4);
    put(to, 1, 4);
    memcpy(add(to, size), path, size);
}

static void put_collision(bytes *to) {
    size_t base = begin(to, 3);
    block(to, base, 0);
    put(to, 16, 4);
    put(to, (side + 1) * (side + 1), 4);
    for (uint32_t y = 0; y <= side; y++)
        for (uint32_t x = 0; x <= side; x++) {
            put_real(to, (float)x * 50);
            put_real(to, (float)y * 50);
            put_real(to, (float)((x * 7 + y * 3) % 11));
            put_real(to, 0);
        }
    block(to, base, 1);
    put(to, 64, 4);
    put(to, 1, 4);
    add(to, 64);
    block(to, base, 2);
    put(to, 18, 4);
    put(to, 2 * side * side, 4);
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            uint32_t a = y * (side + 1) + x, b = a + 1, c = b + side + 1, d = a + side + 1;
            uint32_t lower = 2 * (y * side + x), upper = lower + 1;
            /* edges v0-v2, v1-v0, v2-v1: the diagonal, south and east; west, the diagonal and north */
            const uint32_t none = 0xFFFF;
            const uint32_t numbers[2][8] = {
                {0, 0, a, b, c, upper, y ? lower - 2 * side + 1 : none, x + 1 < side ? upper + 2 : none},
                {0, 0, a, c, d, x ? lower - 2 : none, lower, y + 1 < side ? lower + 2 * side : none}};
            for (int s = 0; s < 2; s++) {
                for (int i = 0; i < 8; i++)
                    put(to, numbers[s][i], 2);
                put(to, 0, 2);
            }
        }
    block(to, base, 3);
}

static void put_mesh(bytes *to, float x, float y) {
    const float numbers[16] = {x, y, 0, 1, 1, 1, 0, 0, 0, 1, -5, -5, -5, 5, 5, 5};
    for (int i = 0; i < 16; i++)
        put_real(to, numbers[i]);
    put(to, 0, 4);
    put(to, 0, 4);
    put(to, 0xFFFFFFFFu, 4);
    put_real(to, 0);
    put_real(to, 0);
    put(to, 0xFFFFFFFFu, 4);
}

static void put_grid(bytes *to, uint32_t meshes) {
    float pitch = (float)side * 50.0f / 8;
    size_t base = begin(to, CELLS);
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        float x = (float)(cell % 8) * pitch + pitch / 2, y = (float)(cell / 8) * pitch + pitch / 2;
        uint32_t count = meshes / CELLS;
        block(to, base, cell);
        size_t inner = begin(to, 2);
        block(to, inner, 0);
        put(to, STRIDE, 4);
        put(to, count, 4);
        for (uint32_t i = 0; i < count; i++)
            put_mesh(to, x, y);
        block(to, inner, 1);
        size_t models = begin(to, count);
        for (uint32_t i = 0; i < count; i++) {
            block(to, models, i);
            text(to, PATH);
        }
        block(to, models, count);
        block(to, inner, 2);
    }
    block(to, base, CELLS);
}

int main(int argc, char **argv) {
    double megabytes = argc == 3 ? atof(argv[1]) : 0;
    if (!(megabytes > 0.5 && megabytes < 4000)) {
        fprintf(stderr, "usage: bench_large_level MEGABYTES FILE\n");
        return 2;
    }
    if (megabytes < 5) /* the full square takes 2 MB */
        side = 60;
    bytes level = {0};
    size_t root = begin(&level, 7);
    block(&level, root, 0);
    put(&level, 1, 4);
    block(&level, root, 1);
    size_t world = begin(&level, 3);
    const float light[11] = {0, 0, 1, 1, 1, 1, 1, 0.2f, 0.2f, 0.2f, 1};
    const int sizes[3] = {3, 4, 4};
    for (int b = 0, n = 0; b < 3; b++) {
        block(&level, world, (uint32_t)b);
        for (int i = 0; i < sizes[b]; i++)
            put_real(&level, light[n++]);
    }
    block(&level, world, 3);
    block(&level, root, 2);
    text(&level, "skies/skyMaterials/day");
    block(&level, root, 3);
    put_collision(&level);
    block(&level, root, 4);
    size_t bounds = begin(&level, 3);
    block(&level, bounds, 0);
    put(&level, 2, 4);
    put(&level, 2, 4);
    put(&level, 8, 2);
    put(&level, 8, 2);
    for (uint32_t corner = 0; corner < 2; corner++) {
        block(&level, bounds, 1 + corner);
        put(&level, 8, 4);
        put(&level, CELLS, 4);
        for (int cell = 0; cell < CELLS; cell++) {
            float pitch = (float)side * 50.0f / 8, grown = corner ? 15.24f : -15.24f;
            put_real(&level, (float)(cell % 8) * pitch + pitch / 2 + grown);
            put_real(&level, (float)(cell / 8) * pitch + pitch / 2 + grown);
        }
    }
    block(&level, bounds, 3);
    block(&level, root, 5);
    double left = megabytes * 1e6 - (double)level.size;
    put_grid(&level, (uint32_t)(left / (STRIDE + 36)));
    block(&level, root, 6);
    size_t actors = begin(&level, 3);
    for (uint32_t i = 0; i < 3; i++) {
        block(&level, actors, i);
        add(&level, 8);
    }
    block(&level, actors, 3);
    block(&level, root, 7);
    FILE *file = fopen(argv[2], "wb");
    if (!file || fwrite(level.data, 1, level.size, file) != level.size || fclose(file) != 0) {
        perror(argv[2]);
        return 2;
    }
    free(level.data);
    return 0;
}
