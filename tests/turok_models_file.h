/* SPDX-License-Identifier: MIT */
/* Writes a small model, its animations, its materials and a picture from the formats' descriptions. */
#ifndef MST_TESTS_TUROK_MODELS_FILE_H
#define MST_TESTS_TUROK_MODELS_FILE_H

#include "support.h"

static inline void put_kex_floats(writer *w, unsigned count, const float *values) {
    for (unsigned i = 0; i < count; i++)
        put_f32(w, values[i]);
}
#define KEX_FLOATS(w, ...)                                                                                   \
    put_kex_floats((w), sizeof((const float[]){__VA_ARGS__}) / sizeof(float), (const float[]){__VA_ARGS__})

/* A square from (0, 0, z) to (2, 2, z) that faces up. */
static inline void put_kex_square(writer *w, const char *material, float z) {
    static const uint16_t triangles[6] = {0, 1, 2, 0, 2, 3};
    put_bytes_of(w, material, strlen(material) + 1);
    put_u32(w, 2);
    for (unsigned i = 0; i < 6; i++)
        put_u16(w, triangles[i]);
    put_u32(w, 4);
    KEX_FLOATS(w, 0, 0, z, 0, 0, 0, 0, 1);
    KEX_FLOATS(w, 2, 0, z, 1, 0, 0, 0, 1);
    KEX_FLOATS(w, 2, 2, z, 1, 1, 0, 0, 1);
    KEX_FLOATS(w, 0, 2, z, 0, 1, 0, 0, 1);
}

/* Two nodes. The first has two variants, the second of which shows nothing; the second has one, of two
 * surfaces. */
static inline void write_kex_model(writer *w) {
    put_u32(w, 1);
    KEX_FLOATS(w, -8, -8, 0, 8, 8, 16);
    put_u32(w, 2);
    put_u32(w, 1), put_u32(w, 2), put_u32(w, 2);
    put_u16(w, 1);
    put_u16(w, 0), put_u16(w, 1);
    put_u32(w, 1);
    put_kex_square(w, "materials/mat_lamp/glass", 0);
    put_u32(w, 0);
    put_u32(w, 0), put_u32(w, 1), put_u32(w, 1);
    put_u16(w, 0);
    put_u32(w, 2);
    put_kex_square(w, "materials/mat_lamp/metal", 4);
    put_kex_square(w, "materials/sub/mat_wall/brick", 8);
}

/* Two animations of it: in the first frame of the first one node 1 is a quarter turn about z and at (10, 0,
 * 0). */
static inline void write_kex_animation(writer *w) {
    put_u32(w, 1), put_u32(w, 2);
    put_u32(w, 7), put_u32(w, 2), put_u32(w, 2), put_u32(w, 2), put_u32(w, 1), put_u32(w, 1), put_u32(w, 1);
    put_u32(w, 1), put_u16(w, 4), put_u16(w, 1);
    put_u16(w, 0xFFFF), put_u16(w, 0xFFFF), put_u16(w, 0), put_u16(w, 0);
    KEX_FLOATS(w, 0, 0, 1, 0, 0, 0, 1);
    KEX_FLOATS(w, 5, 5, 5, 0, 0, 0, 1);
    KEX_FLOATS(w, 0, 0.5F);
    KEX_FLOATS(w, 10, 0, 0, 11, 0, 0);
    KEX_FLOATS(w, 0, 0, 0.70710678F, 0.70710678F, 0, 0, 0, 1);
    put_u32(w, 0xFFFFFFFE), put_u32(w, 1);
    KEX_FLOATS(w, 1, 2, 3, 4);
    put_u32(w, 0xFFFFFFFF), put_u32(w, 2), put_u32(w, 0), put_u32(w, 0), put_u32(w, 0), put_u32(w, 0);
    put_u32(w, 0), put_u32(w, 0);
    KEX_FLOATS(w, 0, 0);
}

static const char kex_lamp[] = "material glass {\n"
                               "    shader \"progs/world\"\n"
                               "    sort translucent\n"
                               "    color_diffuse \"1 0.5 0 0.25\"\n"
                               "    sampler \"diffuse\" 0 \"textures/glass.tga\" {\n"
                               "        filter nearest\n"
                               "        wrap mirrored\n"
                               "    }\n"
                               "}\n"
                               "material metal {\n"
                               "    cull back\n"
                               "    fullbright\n"
                               "    sampler \"diffuse\" 1 \"textures/other.png\"\n"
                               "    sampler \"diffuse\" 0 \"_white\"\n"
                               "}\n";
static const char kex_wall[] = "material brick {\n"
                               "    alphatest\n"
                               "    sort masked\n"
                               "    alphamask 0.25\n"
                               "    sampler \"diffuse\" 0 \"textures/gone.png\"\n"
                               "}\n";

/* 2 x 2 pixels from the bottom: blue, green, red, alpha. */
static inline void write_tga(writer *w) {
    static const uint8_t pixels[16] = {255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 255, 9, 8, 7, 6};
    put_bytes_of(w, "\0\0\2\0\0\0\0\0\0\0\0\0\2\0\2\0\x20\x08", 18);
    put_bytes_of(w, pixels, sizeof pixels);
}

#endif
