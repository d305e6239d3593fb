/* SPDX-License-Identifier: MIT */
/* What the game's program knows about frames of sprites. */
#ifndef MST_FORMATS_ALIEN_FRAMES_H
#define MST_FORMATS_ALIEN_FRAMES_H

#include "../../../tables/schema.h"

typedef struct mst_alien_frame {
    uint16_t width, height;
    int16_t x, y; /* of the upper left corner, from the anchor; y down */
} mst_alien_frame;

/* The frames of the section of a file that has `count` packed ones of these sizes and `rest` bytes after
 * them; NULL: no section of the file's name has such ones. `*known`: how many they are; `*number`: of the
 * animation. */
const mst_alien_frame *mst_alien_find_frames(const char *name, const size_t *sizes, size_t count, size_t rest,
                                             size_t *known, unsigned *number);
/* The first frame of an animation; NULL: it is not known. */
const mst_alien_frame *mst_alien_first_frame(const char *name, unsigned number);

#endif
