/* SPDX-License-Identifier: MIT */
/* The shape of a model in a frame of a state: read from the bytes of its file, with either kind of body. */
#ifndef MST_FORMATS_REVENANT_POSED_H
#define MST_FORMATS_REVENANT_POSED_H

#include "../../../core/arena.h"
#include "imagery.h"

/* A point is rotated about x, then y, then z (radians), translated, then scaled. */
typedef struct mst_posed_key {
    double position[3], rotation[3], scale[3];
} mst_posed_key;

/* A part of the body that moves as one. */
typedef struct mst_posed_object {
    char name[33];
    uint32_t first, count; /* corners */
    int32_t parent;        /* the object whose key is applied after its own; -1: none */
    bool hidden;
    mst_posed_key key; /* in the frame that was read */
} mst_posed_object;

typedef struct mst_posed_corner {
    float position[3]; /* z is up */
    float normal[3];
    float texture[2]; /* u to the right, v down */
} mst_posed_corner;

typedef struct mst_posed_triangle {
    uint32_t corners[3];
    uint16_t object;
    int16_t texture, material; /* indices; -1: none */
} mst_posed_triangle;

/* The transparency of a texture: none, whole pixels, or translucent pixels. */
typedef enum mst_posed_alpha { MST_POSED_OPAQUE, MST_POSED_HOLES, MST_POSED_BLENDS } mst_posed_alpha;

/* Pixels have 16 bits. */
typedef struct mst_posed_texture {
    uint32_t width, height;
    const uint8_t *pixels; /* little-endian, in the file */
    uint16_t masks[4];     /* bits of red, green, blue and alpha */
    mst_posed_alpha alpha;
} mst_posed_texture;

typedef struct mst_posed {
    const mst_posed_corner *corners; /* in the arena, like the rest */
    const mst_posed_triangle *triangles;
    uint32_t corner_count, triangle_count;
    const mst_posed_texture *textures;
    uint32_t texture_count;
    const float (*colors)[4]; /* of materials, lit */
    uint32_t material_count;
    const mst_posed_object *objects;
    uint32_t object_count;
} mst_posed;

/* RGBA of a texture's pixel. */
void mst_posed_color(const mst_posed_texture *texture, size_t at, uint8_t color[4]);
/* Reads the first frame of a state: objects that are not hidden, in their poses. MST_UNSUPPORTED: the body is
 * not supported, or there is no such state. */
mst_status mst_posed_read(const mst_imagery *imagery, uint32_t state, mst_arena *arena, mst_posed *shape);
/* The same for all objects, including hidden ones, with corners relative to their object's origin. */
mst_status mst_posed_read_apart(const mst_imagery *imagery, uint32_t state, mst_arena *arena,
                                mst_posed *shape);

/* The number of frames of a state; 0: none, or it moves by separate corners, not by keys. */
uint32_t mst_posed_frames(const mst_imagery *imagery, uint32_t state);
/* The pose of an object of a shape in each frame of a state; false: its keys are damaged. */
bool mst_posed_track(const mst_imagery *imagery, uint32_t state, uint32_t object, uint32_t frames,
                     mst_posed_key *keys, mst_posed_object *track);

/* The number of frames of a state that moves by separate corners; 0: it does not. */
uint32_t mst_posed_shapes(const mst_imagery *imagery, uint32_t state);
/* The offset of a frame's corners in the data; false: none. Frames with the same offset are equal. */
bool mst_posed_shape_at(const mst_imagery *imagery, uint32_t state, uint32_t frame, uint32_t *place);
/* Reads the corners at an offset for a shape that was read apart; false: some are missing. */
bool mst_posed_shape_read(const mst_imagery *imagery, uint32_t place, const mst_posed *shape,
                          mst_posed_corner *corners);

#endif
