/* SPDX-License-Identifier: MIT */
/* The game's program's data about frames of sprites. */
#ifndef MST_FORMATS_ALIEN_FRAMES_H
#define MST_FORMATS_ALIEN_FRAMES_H

#include "../../../tables/schema.h"

typedef struct mst_alien_frame {
    uint16_t width, height;
    int16_t x, y; /* of the upper left corner, from the anchor; y down */
} mst_alien_frame;

/* The frames of the section with `count` packed frames of these sizes and `rest` bytes after them; NULL: no
 * known section of a file of this name matches. `*known`: their number; `*number`: the animation's. */
const mst_alien_frame *mst_alien_find_frames(const char *name, const size_t *sizes, size_t count, size_t rest,
                                             size_t *known, unsigned *number);
/* The first frame of an animation; NULL: unknown. */
const mst_alien_frame *mst_alien_first_frame(const char *name, unsigned number);

#endif
