/* SPDX-License-Identifier: MIT */
/* Paths of everything in a room: `in=(Hub)`. */
#ifndef MST_READ_ROOMS_H
#define MST_READ_ROOMS_H

#include "excerpt.h"

/* What follows `in=(NAME)` at the beginning of a path, and the name (NULL: it is not wanted); NULL: the path
 * begins otherwise. */
const char *mst_is_room(const char *path, mst_excerpt *name);

#endif
