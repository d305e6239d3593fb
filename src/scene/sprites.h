/* SPDX-License-Identifier: MIT */
/* Collecting sprites, for formats; and their positions, for drawing. */
#ifndef MST_SCENE_SPRITES_H
#define MST_SCENE_SPRITES_H

#include "../core/arena.h"
#include <mapstone/sprites.h>

/* Squares of the picture, each with the sprites that touch it. */
#define MST_SPRITES_SQUARE 256

/* Sprites with the data that they need. */
typedef struct mst_sprites_owner {
    mst_sprites sprites;
    mst_arena arena;
    uint32_t across, down;   /* squares */
    const uint32_t *squares; /* the start of each square's sprites in `members`, and one more for the end */
    const uint32_t *members; /* indices of sprites in drawing order */
} mst_sprites_owner;

typedef struct mst_sprites_builder {
    mst_sprites_owner *owner;
    mst_array items, images, labels;
    mst_status status; /* not MST_OK: it has failed, and nothing is added */
} mst_sprites_builder;

/* `read`: the size of the documents. */
mst_status mst_sprites_begin(mst_sprites_builder *builder, const mst_sprites_options *options, uint64_t read,
                             mst_diagnostic *diagnostic);
/* Raises the memory limit for more input. */
void mst_sprites_read(mst_sprites_builder *builder, const mst_sprites_options *options, uint64_t size);
/* Memory of the sprites; NULL if there is not enough, and the builder has failed. */
void *mst_sprites_take(mst_sprites_builder *builder, size_t count, size_t size);
const char *mst_sprites_text(mst_sprites_builder *builder, const char *text);
/* Index of the image; UINT32_MAX if there is not enough memory. */
uint32_t mst_sprites_add_image(mst_sprites_builder *builder, const mst_sprite_image *image);
void mst_sprites_add(mst_sprites_builder *builder, const mst_sprite *sprite);
void mst_sprites_add_label(mst_sprites_builder *builder, const mst_sprite_label *label);
/* Puts lit ones last, records their positions, and returns them; or frees them. `settings` has name, format
 * and counts. */
mst_status mst_sprites_finish(mst_sprites_builder *builder, const mst_sprites *settings,
                              mst_sprites **sprites, mst_diagnostic *diagnostic);

#endif
