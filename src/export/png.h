/* SPDX-License-Identifier: MIT */
#ifndef MST_EXPORT_PNG_H
#define MST_EXPORT_PNG_H

#include <mapstone/scene.h>

#include "../core/arena.h"

#include <stdbool.h>

/* Writes an image of at least one pixel; packed images take memory for a few rows. */
mst_status mst_image_write_png(const mst_image *image, const mst_allocator *allocator, mst_sink sink,
                               mst_diagnostic *diagnostic);

/* A picture that is written row by row, from the first to the last. After an error nothing is written. */
typedef struct mst_png {
    void *context;
    mst_sink sink;
    mst_status status; /* of the sink */
    int error;         /* of libspng */
    uint32_t width;
    uint8_t size; /* bytes of a pixel as written */
    uint8_t *row; /* one row as written, in the arena; NULL: rows are written unchanged */
} mst_png;

/* `pixels`: all except its data; `opaque`: all pixels will be, and their alpha is left out. The arena has to
 * last until the end. */
void mst_png_begin(mst_png *png, const mst_pixels *pixels, bool opaque, mst_arena *arena, mst_sink sink);
/* Not MST_OK: mst_png_end gives the reason. */
mst_status mst_png_rows(mst_png *png, const uint8_t *rows, uint32_t count);
mst_status mst_png_end(mst_png *png, mst_diagnostic *diagnostic);

#endif
