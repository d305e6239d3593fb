/* SPDX-License-Identifier: MIT */
/* Paths of everything in a room: `in=(Hub)`. */
#ifndef MST_READ_ROOMS_H
#define MST_READ_ROOMS_H

#include "../tables/room_hooks.h"
#include "engine.h"
#include "excerpt.h"

/* The length of `in=(NAME)` at the beginning of a text; 0 if it begins otherwise. */
size_t mst_room_length(mst_excerpt text);

/* The rest of a path after `in=(NAME)`, and the name (may be NULL); NULL if the path begins otherwise. */
const char *mst_is_room(const char *path, mst_excerpt *name);

/* The rooms of a level. NULL, with MST_ARGUMENT as the diagnosis, if its format has none. */
const mst_rooms *mst_rooms_of(const mst_document *document, mst_diagnostic *diagnostic);

#endif
