/* SPDX-License-Identifier: MIT */
#ifndef MST_EXPORT_PNG_H
#define MST_EXPORT_PNG_H

#include <mapstone/scene.h>

/* Writes an image of at least one pixel; packed ones take memory for a few rows. */
mst_status mst_image_write_png(const mst_image *image, const mst_allocator *allocator, mst_sink sink,
                               mst_diagnostic *diagnostic);

#endif
