/* SPDX-License-Identifier: MIT */
/* Writes a small model with every chunk, field by field, from the format's description. */
#ifndef MST_TESTS_SPARK_MODEL_FILE_H
#define MST_TESTS_SPARK_MODEL_FILE_H

#include "support.h"

static inline void put_floats(writer *w, unsigned count, const float *values) {
    for (unsigned i = 0; i < count; i++)
        put_f32(w, values[i]);
}
#define PUT_FLOATS(w, ...)                                                                                   \
    put_floats((w), sizeof((const float[]){__VA_ARGS__}) / sizeof(float), (const float[]){__VA_ARGS__})

/* No rotation, no scale. */
static inline void put_affine(writer *w, float x, float y, float z) {
    PUT_FLOATS(w, x, y, z, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1);
}
static inline void put_coords(writer *w, float x, float y, float z) {
    PUT_FLOATS(w, 1, 0, 0, 0, 1, 0, 0, 0, 1, x, y, z);
}

/* A pyramid over a square of 2 m, 2 m high: its foot moves with bone 0, its tip with bone 1. Two face sets:
 * the bottom and the sides. */
static inline void put_model_vertex(writer *w, uint32_t version, const float position[3],
                                    const float normal[3], uint32_t bone) {
    put_floats(w, 3, position);
    put_floats(w, 3, normal);
    PUT_FLOATS(w, 1, 0, 0, 0, 0, 1, 0.25F, 0.75F);
    if (version >= 7)
        put_bytes_of(w, "\xFF\xFF\xFF\xFF", 4);
    for (unsigned i = 0; i < 4; i++) {
        put_f32(w, i ? 0.0F : 1.0F);
        put_u32(w, i ? 0 : bone);
    }
}

static const float model_corners[5][3] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}, {0, 2, 0}};

static inline void put_model_mesh(writer *w, uint32_t version) {
    static const float down[3] = {0, -1, 0};
    static const float sides[4][3] = {{0, 0.447213F, -0.894427F},
                                      {0.894427F, 0.447213F, 0},
                                      {0, 0.447213F, 0.894427F},
                                      {-0.894427F, 0.447213F, 0}};
    begin_chunk(w, 1);
    put_u32(w, 4 + 12);
    for (unsigned i = 0; i < 4; i++)
        put_model_vertex(w, version, model_corners[i], down, 0);
    for (unsigned i = 0; i < 4; i++) {
        put_model_vertex(w, version, model_corners[(i + 1) % 4], sides[i], 0);
        put_model_vertex(w, version, model_corners[i], sides[i], 0);
        put_model_vertex(w, version, model_corners[4], sides[i], 1);
    }
    end_chunk(w);
    begin_chunk(w, 2);
    put_u32(w, 18);
    static const uint32_t bottom[6] = {0, 1, 2, 0, 2, 3};
    for (unsigned i = 0; i < 6; i++)
        put_u32(w, bottom[i]);
    for (unsigned i = 0; i < 12; i++)
        put_u32(w, 4 + i);
    end_chunk(w);
    begin_chunk(w, 3);
    put_u32(w, 2);
    put_u32(w, 1), put_u32(w, 0), put_u32(w, 2), put_u32(w, 1), put_u32(w, 0);
    put_u32(w, 0), put_u32(w, 2), put_u32(w, 4), put_u32(w, 2), put_u32(w, 0), put_u32(w, 1);
    end_chunk(w);
    begin_chunk(w, 6);
    put_u32(w, 2);
    put_narrow(w, "foot"), put_u32(w, 0xFFFFFFFF), put_affine(w, 0, 0.5F, 0);
    put_narrow(w, "tip"), put_u32(w, 0), put_affine(w, 0, 1, 0);
    end_chunk(w);
    begin_chunk(w, 4);
    put_u32(w, 2);
    put_narrow(w, "models/sides.material"), put_narrow(w, "models/bottom.material");
    end_chunk(w);
}

/* A curve of two keys, the end of two frames at 30 per second. */
static inline void put_curve(writer *w, unsigned components, const float value[4]) {
    put_u32(w, 2);
    PUT_FLOATS(w, 0, 1 / 30.0F);
    put_floats(w, components, value);
    put_floats(w, components, value);
}

static inline void put_model_animations(writer *w, uint32_t version) {
    begin_chunk(w, 7);
    put_u32(w, 1);
    put_u32(w, 2), put_u32(w, 2), put_f32(w, 30);
    if (version >= 7) {
        put_u32(w, 1);
        put_u32(w, 2);
        for (unsigned i = 0; i < 2; i++) {
            put_curve(w, 3, (const float[4]){0, i ? 1 : 0.5F, 0});
            put_curve(w, 3, (const float[4]){1, 1, 1});
            put_curve(w, 1, (const float[4]){1});
            put_curve(w, 4, (const float[4]){0, 0, 0, 1});
            put_curve(w, 4, (const float[4]){0, 0, 0, 1});
        }
    }
    put_u32(w, 1);
    put_u32(w, 1), put_affine(w, 0, 1, 0), put_affine(w, 0, 1.5F, 0);
    put_u32(w, 1);
    put_u32(w, 1), put_narrow(w, "hit");
    end_chunk(w);
    begin_chunk(w, 8);
    put_u32(w, 3);
    put_u32(w, 1), put_u32(w, 0), put_u32(w, 0);
    put_u32(w, 2), put_u32(w, 1), put_u32(w, 0), PUT_FLOATS(w, -1, 1), put_u32(w, 2), put_u32(w, 0),
        put_u32(w, 0);
    put_u32(w, 3), put_u32(w, 0), put_u32(w, 2), put_u32(w, 0), put_u32(w, 1);
    end_chunk(w);
    begin_chunk(w, 9);
    put_u32(w, 1);
    put_narrow(w, "idle"), put_u32(w, 0), put_f32(w, 1 / 30.0F);
    end_chunk(w);
    begin_chunk(w, 10);
    put_u32(w, 1), put_narrow(w, "move_speed");
    end_chunk(w);
}

static inline void put_model_physics(writer *w, uint32_t version) {
    if (version >= 5) {
        begin_chunk(w, 16);
        put_u32(w, 1);
        put_u32(w, 2), put_u32(w, 0), put_u32(w, 1), put_u32(w, 0), put_u32(w, 1), put_u32(w, 0);
        put_u32(w, 1), put_narrow(w, "default"), put_u32(w, 0);
        end_chunk(w);
    }
    begin_chunk(w, 5);
    put_u32(w, 2);
    for (unsigned i = 0; i < 2; i++) { /* a tetrahedron, wound inwards */
        put_narrow(w, i ? "tip" : "foot"), put_u32(w, i), put_coords(w, 0, 0.25F, 0), put_f32(w, 1);
        put_u32(w, 4);
        PUT_FLOATS(w, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
        put_u32(w, 4);
        static const uint32_t triangles[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
        for (unsigned k = 0; k < 12; k++)
            put_u32(w, triangles[k]);
    }
    end_chunk(w);
    begin_chunk(w, 14);
    put_u32(w, 1);
    put_narrow(w, "hinge"), put_u32(w, 0), put_coords(w, 0, 1, 0), put_u32(w, 1), put_coords(w, 0, 0, 0);
    put_u32(w, 0), PUT_FLOATS(w, -1, -1, -1, 1, 1, 1);
    end_chunk(w);
    if (version >= 5) {
        begin_chunk(w, 15);
        put_u32(w, 1), put_u32(w, 0), put_u32(w, 1);
        end_chunk(w);
    }
}

static inline void write_spark_model(writer *w, uint32_t version) {
    put_bytes_of(w, "MDL", 3), put_u8(w, (uint8_t)version);
    put_model_mesh(w, version);
    put_model_animations(w, version);
    put_model_physics(w, version);
    begin_chunk(w, 13);
    put_u32(w, 2);
    put_narrow(w, "flag"), put_u32(w, 1), put_coords(w, 0, 0.5F, 0);
    put_narrow(w, "door"), put_u32(w, 0xFFFFFFFF), put_coords(w, 0, 0, 1);
    end_chunk(w);
    begin_chunk(w, 11);
    put_u32(w, 1);
    put_narrow(w, "view"), put_u32(w, 0xFFFFFFFF), put_f32(w, 1.5707964F), put_coords(w, 0, 1, -5);
    end_chunk(w);
    if (version >= 5) {
        begin_chunk(w, 17);
        PUT_FLOATS(w, 0, 1, 0, 1, 1, 1);
        end_chunk(w);
        begin_chunk(w, 18);
        PUT_FLOATS(w, 0, -0.5F, 0, 1, 0, 1, 0, 0.5F, 0, 0, 0, 0);
        end_chunk(w);
    }
    if (version >= 7) {
        begin_chunk(w, 19);
        put_narrow(w, "models/other.model");
        end_chunk(w);
    }
}

#endif
