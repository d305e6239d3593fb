/* SPDX-License-Identifier: MIT */
/* What formats say of rooms. */
#ifndef MST_TABLES_ROOM_HOOKS_H
#define MST_TABLES_ROOM_HOOKS_H

#include "schema.h"

/* A named volume of a level: a box. */
typedef struct mst_room {
    const char *name;
    double middle[3], half[3], axes[3][3]; /* `axes[i]` is the direction in which it extends by `half[i]` */
} mst_room;
/* Takes the corners of an element, three coordinates each. Not MST_OK ends it. */
typedef mst_status (*mst_corners_function)(void *user, uint64_t element, const double *corners, size_t count);

/* Levels that are divided into rooms. */
typedef struct mst_rooms {
    const char *word;         /* by which elements state the rooms that they are in: "location" */
    const char *const *lists; /* of what can be in a room, in the order in which an operation on a room
                                 goes over them; then NULL */
    /* Appends all rooms (mst_room); texts are in the arena. */
    mst_status (*find)(const mst_document *document, mst_arena *arena, mst_array *rooms);
    /* The corners of each element of one of these lists, whose elements have no position of their own. */
    mst_status (*corners)(const mst_value *list, mst_corners_function take, void *user);
} mst_rooms;

#endif
