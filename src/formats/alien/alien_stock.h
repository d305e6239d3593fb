/* SPDX-License-Identifier: MIT */
/*
 * The assets that a level of Alien Trilogy is drawn with: sprites of monsters, and models of pickups and
 * boxes, from the game's folders NME, GFX and LANGUAGE. Each is made once.
 */
#ifndef MST_ALIEN_ALIEN_STOCK_H
#define MST_ALIEN_ALIEN_STOCK_H

#include "../../files/named_files.h"
#include "alien_mesh.h"
#include "graphics/frames.h"

#define MST_ALIEN_SPRITE_TYPES  15 /* monsters that are drawn have types 1 to 14 */
#define MST_ALIEN_PICKUP_MODELS 28 /* sections of PICKMOD */
#define MST_ALIEN_BOX_MODELS    42 /* sections of OBJ3D */

/* The files that textures of models are in. */
enum { MST_ALIEN_PICKUP_PAGES, MST_ALIEN_PANEL_0, MST_ALIEN_PANEL_1, MST_ALIEN_PAGE_FILES };

typedef struct mst_alien_stock {
    mst_scene_builder *builder;
    const mst_resolver *sidecars; /* NULL: nothing is searched for */
    const mst_value *map;
    bool textures, chapter_3;
    uint8_t palette[256][4];
    bool has_palette;
    mst_document *models[2]; /* PICKMOD, OBJ3D; NULL: not found */
    mst_alien_work works[MST_ALIEN_PAGE_FILES];
    bool begun[MST_ALIEN_PAGE_FILES];
    int32_t *quads;  /* meshes of monsters, by type and light; -2: not yet made */
    int32_t *images; /* of monsters, by type; -2: not yet made */
    mst_alien_frame shapes[MST_ALIEN_SPRITE_TYPES];
    int32_t pickups[MST_ALIEN_PICKUP_MODELS], boxes[MST_ALIEN_BOX_MODELS];
} mst_alien_stock;

/* `level` is the file's name; `textures` the level's texture file or NULL, which has the colours of sprites.
 */
void mst_alien_stock_begin(mst_alien_stock *stock, mst_scene_builder *builder, const mst_value *map,
                           const char *level, const mst_document *textures, const mst_scene_options *options);
void mst_alien_stock_end(mst_alien_stock *stock);

/* The mesh of a standing monster of a type, lit by one of the level's lights; of a pickup; of a box. -1: its
 * file was not found. */
int32_t mst_alien_monster_mesh(mst_alien_stock *stock, const mst_alien_work *level, uint64_t type,
                               uint32_t light);
int32_t mst_alien_pickup_mesh(mst_alien_stock *stock, uint64_t type);
int32_t mst_alien_box_mesh(mst_alien_stock *stock, uint64_t type);

/* Whether monsters of a type hang from the ceiling. */
bool mst_alien_hangs(uint64_t type);
/* The width and height of a thing without a picture, in the units of the level. */
void mst_alien_body(const char *layer, uint64_t type, float size[2]);

/* The files that the things in a level are drawn from. */
mst_status mst_alien_names(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                           void *taker);
/* Reports missing files, if the options ask for it. */
mst_status mst_alien_check_files(mst_checker *checker);

#endif
