/* SPDX-License-Identifier: MIT */
/* The room of Alien Trilogy: what its parts tell each other. */
#ifndef MST_FORMATS_ALIEN_H
#define MST_FORMATS_ALIEN_H

#include "../../schema/engine.h"

extern const mst_format mst_format_alien_map, mst_format_alien_gfx;

extern const mst_code_information mst_alien_map_codes[], mst_alien_gfx_codes[];
#define MST_ALIEN_MAP_CODES 26
#define MST_ALIEN_GFX_CODES 12

/* Levels. */
/* The last quad of each. */
extern const uint8_t mst_alien_terminator[20];
/* A trigger or command that stands for nothing: 255 four times, or 0, 255, 255, 0. */
bool mst_alien_is_empty(const uint8_t *bytes);
mst_status mst_alien_check_map(mst_checker *checker);
/* Parts of it: arrays of the game, chains of commands, and the end of a door's or lift's model, of which
 * `path` is the list of quads. */
mst_status mst_alien_check_counts(mst_checker *checker, const mst_value *map);
mst_status mst_alien_check_chains(mst_checker *checker, const mst_value *map);
mst_status mst_alien_check_model_end(mst_checker *checker, const mst_value *model, const char *path);
mst_status mst_alien_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic);
/* Triggers and their chains of commands in words. */
mst_status mst_alien_describe(const mst_document *document, const char *what, mst_sink sink,
                              mst_diagnostic *diagnostic);
/* One trigger: "5, any number of times: open door 2, then light 17 on". The text is cut to `capacity`. False
 * if the trigger is empty. */
bool mst_alien_trigger_text(const mst_value *map, uint32_t trigger, char *text, size_t capacity);
/* enemy_mask and vent_mask follow the monsters. */
void mst_alien_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes);
/* What the monsters that are there ask of both masks. */
void mst_alien_masks(const mst_value *map, uint16_t *enemy_mask, uint16_t *vent_mask);

/* The `111` of L111LEV.MAP; false if the name is not a level's. */
bool mst_alien_level_number(const char *file_name, char number[4]);
/* "Entrance", NULL if it is not known. */
const char *mst_alien_level_name(const char number[4]);

/* Textures. */
mst_status mst_alien_check_gfx(mst_checker *checker);
/* The part of it that is about sections as such. */
mst_status mst_alien_check_sections(mst_checker *checker);
size_t mst_alien_image_count(const mst_document *document);
mst_status mst_alien_image_read(const mst_document *document, size_t index, mst_pixels *pixels, char *name,
                                mst_diagnostic *diagnostic);
mst_status mst_alien_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                   mst_diagnostic *diagnostic);

/* The rectangles, a line each. */
mst_status mst_alien_describe_textures(const mst_document *document, const char *what, mst_sink sink,
                                       mst_diagnostic *diagnostic);

/* A rectangle of a page: its index runs through all lists. */
typedef struct mst_alien_rectangle {
    uint8_t x, y, width_minus_1, height_minus_1, page;
} mst_alien_rectangle;
uint64_t mst_alien_rectangle_count(const mst_document *textures);
/* All rectangles, in the order of their indices, into the arena. */
mst_status mst_alien_rectangles(const mst_document *textures, mst_arena *arena,
                                mst_alien_rectangle **rectangles, uint32_t *count);

#endif
