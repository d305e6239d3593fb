/* SPDX-License-Identifier: MIT */
/* The geometry of Alien Trilogy levels: what mesh.c gives scene.c. */
#ifndef MST_FORMATS_ALIEN_MESH_H
#define MST_FORMATS_ALIEN_MESH_H

#include "../../scene/build.h"
#include "alien.h"

#define MST_ALIEN_UNITS     256.0F /* in a metre */
#define MST_ALIEN_CELL      512    /* units that a cell is wide */
#define MST_ALIEN_STEP      32     /* units in one of floor and ceiling */
#define MST_ALIEN_LIGHTS    128
#define MST_ALIEN_PROGRAMS  65536
#define MST_ALIEN_MATERIALS (256 * 4 + 65536 * 2)

/* A page that can be shown. */
typedef struct mst_alien_page {
    int32_t image; /* in the scene; -1: there is none */
    uint32_t width, height;
    uint32_t *holes; /* (width + 1) x (height + 1): transparent pixels above and to the left */
} mst_alien_page;

typedef struct mst_alien_work {
    mst_scene_builder *builder;
    mst_arena scratch;
    /* from the texture file */
    mst_alien_rectangle *rectangles;
    uint32_t rectangle_count;
    mst_alien_page *pages;
    size_t page_count;
    /* from the level */
    float lights[MST_ALIEN_LIGHTS][3]; /* linear */
    uint32_t light_count;
    mst_column animators;     /* their programs */
    int32_t *first_texture;   /* of each program; -1: none */
    int32_t *materials;       /* of each kind of surface; -1: not yet */
    int32_t placeholder;      /* image; -1: not yet */
    uint64_t shown, left_out; /* faces */
} mst_alien_work;

/* Keeps the failure in the builder. */
void mst_alien_fail(mst_alien_work *work);

/* Pages and rectangles of a texture file into the work and the scene. */
void mst_alien_take_textures(mst_alien_work *work, const mst_document *textures);

/* Lights, animators and their programs of a level. */
void mst_alien_take_level(mst_alien_work *work, const mst_value *map);

/* The quads of a level or model, one primitive for each material, in the builder's arena. */
size_t mst_alien_primitives(mst_alien_work *work, const mst_value *record, mst_primitive **primitives);

/* The floors and ceilings of all cells that are not solid; false if there is none. */
bool mst_alien_collision(mst_alien_work *work, const mst_value *map, mst_primitive *primitive);

#endif
