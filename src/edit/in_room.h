/* SPDX-License-Identifier: MIT */
/* Operations on everything that is in a room: `move in=(Hub) by 0,0,30`. */
#ifndef MST_EDIT_IN_ROOM_H
#define MST_EDIT_IN_ROOM_H

#include "../read/engine.h"
#include "../read/rooms.h"
#include <mapstone/edit.h>

/* Appends the operations on elements in the room, list by list (mst_operation; texts are in the arena), and
 * reports elements that cross its border. Without `about`, they are turned and scaled about its middle. */
mst_status mst_in_room(const mst_document *document, const mst_operation *operation,
                       const mst_edit_options *options, mst_arena *arena, mst_array *operations,
                       mst_diagnostic *diagnostic);

#endif
