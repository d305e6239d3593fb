/* SPDX-License-Identifier: MIT */
/*
 * Levels as their game shows them: sprites, which are pictures drawn over each other by stored depths, in the
 * game's own projection. Only formats of games that draw this way have them: Revenant.
 *
 *     mst_sprites *sprites;
 *     mst_pixels picture = {0};
 *     if (mst_level_sprites(level, NULL, &sprites, &why) == MST_OK) {
 *         mst_sprites_draw(sprites, NULL, &picture, &why);
 *         ...
 *         mst_pixels_free(&picture);
 *         mst_sprites_free(sprites);
 *     }
 */
#ifndef MAPSTONE_SPRITES_H
#define MAPSTONE_SPRITES_H

#include "image.h"
#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A picture used by sprites. */
typedef struct mst_sprite_image {
    const char *name; /* the file that it is from */
    uint32_t width, height;
    const uint8_t *pixels; /* RGBA8, sRGB, row by row from the top; alpha 0: nothing is drawn */
    uint32_t opaque;       /* the alpha of fully opaque pixels: 255, or 31 if `blended` */
    bool blended;          /* pixels are mixed with those below them, and keep their depth */
    const int16_t *depths; /* of each pixel, added to the sprite's; smaller is nearer. NULL: they are 0 */
} mst_sprite_image;

typedef struct mst_sprite {
    uint32_t image;          /* index */
    int32_t left, top;       /* in pixels of the game's picture of the level, which grow right and down */
    int32_t depth;           /* smaller is nearer */
    uint8_t mirrored;        /* left and right are exchanged */
    uint8_t lit;             /* unaffected by light: drawn after all that are not */
    uint8_t flat;            /* depths are ignored: it is drawn over everything before it */
    const char *name;        /* of the shown object: its type's or its own, "" if there is none */
    mst_scene_source source; /* the object */
} mst_sprite;

/* A name for a map, such as an exit's or a person's; optional to draw. */
typedef struct mst_sprite_label {
    const char *text, *class_name;
    int32_t x, y; /* in the game's picture */
    mst_scene_source source;
} mst_sprite_label;

typedef struct mst_sprites {
    const char *name, *format; /* of the level, as in mst_scene */
    const mst_sprite *items;   /* in drawing order */
    size_t count;
    size_t lit; /* index of the first one that light does not affect */
    const mst_sprite_image *images;
    size_t image_count;
    const mst_sprite_label *labels;
    size_t label_count;
    int32_t left, top; /* the upper left corner of their bounding rectangle */
    uint32_t width, height;
    /* Objects without a sprite: those whose pictures were not found or cannot be read, and those that are
     * models but are omitted, or not understood. */
    size_t missing_count, model_count;
    size_t untyped_count; /* missing ones whose type is not in class.def */
} mst_sprites;

typedef struct mst_sprites_options {
    size_t size; /* sizeof(mst_sprites_options) */
    mst_allocator allocator;
    size_t budget;                /* bytes that the sprites may allocate; 0: 64 times the input, plus 1 MiB */
    const mst_resolver *sidecars; /* finds class.def and the imagery; NULL: none */
    bool no_models;               /* only objects that the game has pictures of, no models */
    /* Receives each file that is missing or cannot be read, once (severity information), and finally, without
     * a code, the number of objects whose type is not in class.def. May be NULL. */
    mst_report_function report;
    void *user;
} mst_sprites_options;

/* NULL is allowed. */
MST_API void mst_sprites_free(mst_sprites *sprites);

/* A part of the picture, and how to draw it. */
typedef struct mst_sprites_view {
    size_t size; /* sizeof(mst_sprites_view) */
    int32_t left, top;
    uint32_t width, height; /* 0, 0: all of it */
    int ambient;            /* 1 to 31: the light of sprites that are not `lit`, in 31sts; 0: full */
    uint8_t background[4];  /* sRGB and alpha of pixels that nothing covers */
} mst_sprites_view;

/* Draws a part of them at full size; zero-initialise the pixels (or set `allocator`), free them with
 * mst_pixels_free. Several threads may draw at once. MST_REFUSED: more than 2^28 pixels; `view` NULL: all. */
MST_API mst_status mst_sprites_draw(const mst_sprites *sprites, const mst_sprites_view *view,
                                    mst_pixels *picture, mst_diagnostic *diagnostic);
/* The index of the sprite that is seen at a pixel; SIZE_MAX: none. */
MST_API size_t mst_sprites_at(const mst_sprites *sprites, int32_t x, int32_t y);

#ifdef __cplusplus
}
#endif
#endif
