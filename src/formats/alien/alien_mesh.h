/* SPDX-License-Identifier: MIT */
/* Geometry of Alien Trilogy levels: the interface of alien_mesh.c to alien_scene.c. */
#ifndef MST_ALIEN_ALIEN_MESH_H
#define MST_ALIEN_ALIEN_MESH_H

#include "../../scene/work.h"
#include "alien.h"

#define MST_ALIEN_UNITS     256.0F /* in a metre */
#define MST_ALIEN_CELL      512    /* width of a cell in units */
#define MST_ALIEN_STEP      32     /* units per step of a cell's floor and ceiling */
#define MST_ALIEN_LIGHTS    128
#define MST_ALIEN_PROGRAMS  65536
#define MST_ALIEN_MATERIALS (256 * 4 + 65536 * 2)

/* A texture page in the scene. */
typedef struct mst_alien_page {
    int32_t image; /* in the scene; -1: the page cannot be shown */
    uint32_t width, height;
    uint32_t *holes; /* (width + 1) x (height + 1): number of transparent pixels above and to the left */
} mst_alien_page;

typedef struct mst_alien_work {
    mst_scene_builder *builder;
    const char *label; /* that names of materials begin with; NULL: none */
    /* from the texture file */
    mst_alien_rectangle *rectangles;
    uint32_t rectangle_count;
    mst_alien_page *pages;
    size_t page_count;
    /* from the level */
    float lights[MST_ALIEN_LIGHTS][3]; /* linear; shades of grey */
    uint32_t light_count;
    mst_column animators;     /* their programs */
    int32_t *first_texture;   /* of each program; -1: none */
    int32_t *materials;       /* of each kind of surface; -1: not yet */
    int32_t placeholder;      /* image; -1: not yet */
    uint64_t shown, left_out; /* faces */
} mst_alien_work;

/* Adds the pages and rectangles of a texture file to the work and the scene. */
void mst_alien_take_textures(mst_alien_work *work, const mst_document *textures);

/* Prepares materials; for models without a level, whose lights are full. */
void mst_alien_begin_materials(mst_alien_work *work);

/* The same, and reads a level's lights, texture animators and their programs. */
void mst_alien_take_level(mst_alien_work *work, const mst_value *map);

/* Makes the quads of a level or model into primitives, one for each material, in the builder's arena. Returns
 * their number. `path` is the path of the quads and must live as long as the scene. */
size_t mst_alien_primitives(mst_alien_work *work, const mst_value *record, const char *path,
                            mst_primitive **primitives);

/* Makes the floors and ceilings of all open cells into a primitive; false if there are none. */
bool mst_alien_collision(mst_alien_work *work, const mst_value *map, mst_primitive *primitive);

#endif
