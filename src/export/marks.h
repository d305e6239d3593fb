/* SPDX-License-Identifier: MIT */
/* Reporting the positions of entities' marks in a picture. */
#ifndef MST_EXPORT_MARKS_H
#define MST_EXPORT_MARKS_H

#include "view.h"

/* Does nothing if `marks` is NULL. */
void mst_marks_give(const mst_picture_marks *marks, const mst_view_world *world,
                    const mst_projection *projection, const mst_view_frame *frame);

#endif
