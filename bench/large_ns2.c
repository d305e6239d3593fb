/* SPDX-License-Identifier: MIT */
/*
 * Writes a large level of Natural Selection 2, byte by byte and without using the library: half of it a field
 * of squares, half of it props with four properties each: bench_large_ns2 MEGABYTES FILE
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *file;

static void put(uint32_t value) {
    for (int i = 0; i < 4; i++)
        putc((int)(value >> 8 * i & 0xFF), file);
}

static void put_real(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    put(bits);
}

static void put_text(const char *text) {
    put((uint32_t)strlen(text));
    fputs(text, file);
}

/* A chunk whose size is known in advance. */
static void begin(uint32_t id, uint64_t size) {
    put(id);
    put((uint32_t)size);
}

static void put_mesh(uint32_t side) {
    static const char material[] = "materials/bench/ground.material";
    uint32_t corners = (side + 1) * (side + 1), across = side * (side + 1), faces = side * side;
    uint64_t sizes[5] = {8 + strlen(material), 4 + 13 * (uint64_t)corners, 4 + 18 * (uint64_t)across,
                         4 + 68 * (uint64_t)faces, 8 + 4 * (uint64_t)faces};
    begin(2, sizes[0] + sizes[1] + sizes[2] + sizes[3] + sizes[4] + 40);
    begin(4, sizes[0]);
    put(1);
    put_text(material);
    begin(1, sizes[1]);
    put(corners);
    for (uint32_t i = 0; i < corners; i++) {
        put_real((float)(i % (side + 1)) * 2);
        put_real(0);
        put_real((float)(i / (side + 1)) * 2);
        putc(0, file);
    }
    begin(2, sizes[2]);
    put(2 * across);
    for (uint32_t i = 0; i < 2 * across; i++) { /* along x, then along z */
        uint32_t k = i < across ? i / side * (side + 1) + i % side : i - across;
        put(k);
        put(i < across ? k + 1 : k + side + 1);
        putc(0, file);
    }
    begin(3, sizes[3]);
    put(faces);
    for (uint32_t y = 0; y < side; y++)
        for (uint32_t x = 0; x < side; x++) {
            const uint32_t left = across + y * (side + 1) + x;
            const uint32_t edges[8] = {0, left, 0, (y + 1) * side + x, 1, left + 1, 1, y * side + x};
            put_real(0), put_real(0), put_real(0), put_real(0.25F), put_real(0.25F);
            put(0xFFFFFFFF); /* no mapping group */
            put(0);
            put(0);
            put(4);
            for (int i = 0; i < 8; i++)
                put(edges[i]);
        }
    begin(6, sizes[4]);
    put(faces);
    put(2);
    for (uint32_t i = 0; i < faces; i++)
        put(0);
}

/* Three values; `type` 2: reals, 9: distances. */
static void put_property(const char *name, uint32_t type, const float values[3]) {
    begin(2, 16 + strlen(name) + 12);
    put_text(name);
    put(type);
    put(3);
    put(0);
    for (int i = 0; i < 3; i++)
        put_real(values[i]);
}

static void put_object(uint32_t i) {
    static const char class_name[] = "prop_static", model[] = "models/bench/crate.model";
    const float origin[3] = {(float)(i % 1000), 0, (float)(i / 1000)}, angles[3] = {0, (float)(i % 6), 0},
                scale[3] = {1, 1, 1};
    begin(1,
          12 + 4 + strlen(class_name) + (36 + 6) + (36 + 6) + (36 + 5) + 24 + 5 + 4 + 2 * strlen(model) + 4);
    put(0);
    put(0xFFFFFFFF);
    put_text(class_name);
    put(4);
    put_property("origin", 9, origin);
    put_property("angles", 7, angles);
    put_property("scale", 2, scale);
    begin(2, 16 + 5 + 4 + 2 * strlen(model));
    put_text("model");
    put(4);
    put(1);
    put(0);
    put((uint32_t)strlen(model));
    for (const char *c = model; *c; c++) {
        putc(*c, file);
        putc(0, file);
    }
    put(0);
}

int main(int argc, char **argv) {
    double megabytes = argc == 3 ? atof(argv[1]) : 0;
    file = megabytes > 0 && megabytes < 4000 ? fopen(argv[2], "wb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: bench_large_ns2 MEGABYTES FILE\n");
        return 2;
    }
    fwrite("LVL\x0A", 1, 4, file);
    uint32_t side = 1;
    while (121e-6 * side * side < megabytes / 2)
        side++;
    put_mesh(side);
    for (uint32_t i = 0; (double)ftell(file) < megabytes * 1e6; i++)
        put_object(i);
    if (fclose(file) != 0) {
        perror(argv[2]);
        return 2;
    }
    return 0;
}
