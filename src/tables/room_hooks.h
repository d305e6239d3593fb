/* SPDX-License-Identifier: MIT */
/* Facts of formats about rooms. */
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

/* An element that names another one by a text or a number that the tables do not declare as a reference. */
typedef struct mst_named_link {
    const char *list; /* the path of the naming element's list */
    uint64_t index;
    const char *field; /* path below it: a property */
    const char *name;  /* the text; NULL: it is a number */
    const char *to;    /* the list of the named element; NULL: there is none */
    uint64_t to_index;
    bool acts; /* it triggers the named element */
} mst_named_link;
typedef mst_status (*mst_link_function)(void *user, const mst_named_link *link);

/* Levels that are divided into rooms, and whose elements act on each other. */
typedef struct mst_rooms {
    const char *word;         /* the selector word for the room of an element: "location" */
    const char *const *lists; /* of elements that can be in a room, in the order in which an operation on a
                                 room processes them; then NULL */
    /* Appends all rooms (mst_room); texts are in the arena. */
    mst_status (*find)(const mst_document *document, mst_arena *arena, mst_array *rooms);
    /* The corners of each element of one of these lists if its elements have no position. */
    mst_status (*corners)(const mst_value *list, mst_corners_function take, void *user);
    /* Reports every such reference, in the order of the file; if a name matches several elements, each
     * one. */
    mst_status (*links)(const mst_document *document, mst_link_function take, void *user);
} mst_rooms;

#endif
