/* SPDX-License-Identifier: MIT */
/* Positions of elements (mst_placement_fields). */
#ifndef MST_READ_PLACEMENT_H
#define MST_READ_PLACEMENT_H

#include "engine.h"
#include "excerpt.h"

/* NULL if its table has no position. */
const mst_placement_fields *mst_placement_of(const mst_value *element);
/* The number of coordinates, at most 3, that are read; 0: the element has no position. */
unsigned mst_position_of(const mst_value *element, double position[3]);
/* The same by the values that `find` finds at paths below the element. */
unsigned mst_position_by(const mst_placement_fields *placement,
                         bool (*find)(void *user, const char *path, mst_value *value), void *user,
                         double position[3]);

/* Numbers separated by commas, in brackets or without, each in the format's unit or with its editor's
 * unit: `8,3,12in`. The number of numbers, at most 3; 0 for other texts. */
unsigned mst_read_position(const mst_document *document, mst_excerpt text, double position[3]);

/* A box by two corners, `0,0,0:8,3,8`, or a sphere around a point, `8,3,8:5`. */
typedef struct mst_range {
    unsigned coordinates;
    bool round;
    double low[3], high[3]; /* round: the point, and the radius in the first of `high` */
} mst_range;
bool mst_read_range(const mst_document *document, mst_excerpt text, mst_range *range);
bool mst_is_within(const mst_range *range, const double position[3], unsigned count);

#endif
