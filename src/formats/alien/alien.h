/* SPDX-License-Identifier: MIT */
/* Declarations shared by the Alien Trilogy formats. */
#ifndef MST_FORMATS_ALIEN_H
#define MST_FORMATS_ALIEN_H

#include "../../read/engine.h"

extern const mst_format mst_format_alien_map, mst_format_alien_gfx, mst_format_alien_sprites,
    mst_format_alien_models, mst_format_alien_palette, mst_format_alien_shades, mst_format_alien_matches,
    mst_format_alien_picture;

extern const mst_codes mst_alien_map_codes, mst_alien_gfx_codes;
extern const mst_compared mst_alien_compared[];

/* Levels. */
/* The last quad of each level. */
extern const uint8_t mst_alien_terminator[20];
/* Whether a trigger or command is unused: 255 four times, or 0, 255, 255, 0. */
bool mst_alien_is_empty(const uint8_t *bytes);
mst_status mst_alien_check_map(mst_checker *checker);
/* Parts of mst_alien_check_map: the sizes of the game's fixed arrays, the chains of commands, and the end
 * mark of a door's or lift's model, whose list of quads is at `path`. */
mst_status mst_alien_check_counts(mst_checker *checker, const mst_value *map);
mst_status mst_alien_check_chains(mst_checker *checker, const mst_value *map);
mst_status mst_alien_check_model_end(mst_checker *checker, const mst_value *model, const char *path);
mst_status mst_alien_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic);
mst_status mst_alien_model_scene(const mst_document *document, const mst_scene_options *options,
                                 mst_scene **scene, mst_diagnostic *diagnostic);
/* Describes triggers and their chains of commands as text. */
mst_status mst_alien_describe(const mst_document *document, const char *what, const mst_resolver *sidecars,
                              mst_sink sink, mst_diagnostic *diagnostic);
/* Describes one command: "open door 2". */
void mst_alien_command_text(const mst_value *command, char *text, size_t capacity);
/* Describes one trigger: "5, any number of times: open door 2, then light 17 on". The text is truncated to
 * `capacity`. False if the trigger is empty. */
bool mst_alien_trigger_text(const mst_value *map, uint32_t trigger, char *text, size_t capacity);
/* The text of a column that is not a field (mst_added_column): the cell of an element of the grid; the effect
 * of a trigger or command; the triggers that act on an element; the item that a box drops. */
mst_status mst_alien_look_up(const mst_value *element, const char *column, const mst_resolver *sidecars,
                             char *text, size_t capacity);
/* Updates enemy_mask after an edit of the monsters. vent_mask is kept: how its bits follow from the vents is
 * unknown. */
void mst_alien_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes);
/* Whether a quad is the last of its cell's run, or of its model. */
bool mst_alien_ends_run(const uint8_t *quad, bool big);
/* The path node nearest to a cell, without removed nodes; UINT64_MAX: none. */
uint64_t mst_alien_nearest_node(const mst_value *nodes, const uint8_t *gone, const mst_value *cells,
                                uint64_t cell);
/* After a quad was inserted or removed: keeps the ends of runs, and keeps the terminator last. */
const char *mst_alien_renumber(const mst_value *list, const mst_document *after, uint64_t index, int by,
                               uint8_t *bytes);
/* A quad that is added to a cell becomes the last of its run, or begins a run (adding.place). */
mst_status mst_alien_place(const mst_document *document, struct mst_added *added, mst_arena *arena,
                           mst_diagnostic *diagnostic);
/* A new trigger works, any number of times (adding.blank). */
const char *mst_alien_blank(const mst_document *document, const mst_field *list);
bool mst_alien_alone(const mst_value *list, int by, bool last);
mst_status mst_alien_renumber_all(const mst_value *list, const mst_document *after,
                                  const mst_several *several, uint8_t *bytes);
/* A box whose numbers now have other meanings needs new values for both (editing.settle). */
mst_status mst_alien_settle(const mst_document *before, mst_document *after,
                            const struct mst_edit_options *options, mst_diagnostic *diagnostic);
bool mst_alien_reaches(const char *path);
/* The same hooks for texture files. */
void mst_alien_textures_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes);
const char *mst_alien_textures_renumber(const mst_value *list, const mst_document *after, uint64_t index,
                                        int by, uint8_t *bytes);
/* Corrects a count, unless the file is truncated: then the count is right. */
struct mst_fix_context;
mst_status mst_alien_fix_count(struct mst_fix_context *fixing);
mst_status mst_alien_textures_settle(const mst_document *before, mst_document *after,
                                     const struct mst_edit_options *options, mst_diagnostic *diagnostic);
/* Computes enemy_mask from the monsters in the level. */
uint16_t mst_alien_enemy_mask(const mst_value *map);

/* The `111` of L111LEV.MAP; false if the name is not a level's. */
bool mst_alien_level_number(const char *file_name, char number[4]);
/* The title, such as "Entrance"; NULL if it is not known. */
const char *mst_alien_level_name(const char number[4]);

/* Textures. */
mst_status mst_alien_check_gfx(mst_checker *checker);
/* The part of mst_alien_check_gfx that checks names and lengths of sections. */
mst_status mst_alien_check_sections(mst_checker *checker);
size_t mst_alien_image_count(const mst_document *document);
mst_status mst_alien_image_read(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                                char *name, mst_diagnostic *diagnostic);
mst_status mst_alien_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                   mst_diagnostic *diagnostic);

/* Lists the rectangles, one per line. */
mst_status mst_alien_describe_textures(const mst_document *document, const char *what,
                                       const mst_resolver *sidecars, mst_sink sink,
                                       mst_diagnostic *diagnostic);

/* A rectangle of a page. Rectangles are numbered through all lists. */
typedef struct mst_alien_rectangle {
    uint8_t x, y, width_minus_1, height_minus_1, page;
} mst_alien_rectangle;
uint64_t mst_alien_rectangle_count(const mst_document *textures);
/* Copies all rectangles into the arena, in the order of their indices. */
mst_status mst_alien_rectangles(const mst_document *textures, mst_arena *arena,
                                mst_alien_rectangle **rectangles, uint32_t *count);

/* Reports a finding at field `name` of an element, or at the element if NULL; `expected` may be NULL. */
mst_status mst_alien_report(mst_checker *checker, const char *code, const mst_value *record, const char *list,
                            uint64_t index, const char *name, uint64_t found, const char *expected);

#endif
