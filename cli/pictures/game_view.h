/* SPDX-License-Identifier: MIT */
/* Levels as in their game: render --view game. */
#ifndef CLI_PICTURES_GAME_VIEW_H
#define CLI_PICTURES_GAME_VIEW_H

#include "../inputs/options.h"
#include "../output/streams.h"
#include <mapstone/sprites.h>

typedef struct game_view {
    mst_sprites_view how;
    const char *tiles;      /* directory for tiles; NULL: one picture */
    uint32_t width, height; /* maximum of the picture; 0: the game's own size */
    bool no_models;
    size_t threads; /* for tiles */
} game_view;

/* Reads --area, --ambient and --tiles; the caller sets the background. False, with a message, if one of them
 * is invalid. */
bool game_options(const options *given, game_view *view);
/* Draws the level that the documents form, to a file or to tiles; returns the exit code, or -1 if the format
 * has no such view. `file` is its name in messages. */
int game_draw(const game_view *view, const mst_document *const *documents, size_t count,
              const mst_resolver *sidecars, const char *file, const char *path, mst_diagnostic *why);
/* Writes squares of the picture as DIR/zoom/x/y.png, and a page that shows them. */
int tiles_write(const mst_sprites *sprites, const game_view *view, const char *title);

/* The page, in this order: the policy follows the head, the level's data the body. The script consists of the
 * parts from names to moves. */
extern const char tiles_page_head[], tiles_page_title[], tiles_page_style[], tiles_page_body[],
    tiles_page_code[], tiles_page_names[], tiles_page_draw[], tiles_page_moves[], tiles_page_end[];

#endif
