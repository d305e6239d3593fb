/* SPDX-License-Identifier: MIT */
#include "marks.h"

#include <stddef.h>

void mst_marks_give(const mst_picture_marks *marks, const mst_view_world *world,
                    const mst_projection *projection, const mst_view_frame *frame) {
    if (!marks || marks->size < sizeof *marks || !marks->take)
        return;
    for (size_t i = 0; i < world->entity_count; i++) {
        const mst_view_entity *entity = &world->entities[i];
        double across =
                   (mst_view_dot(projection->right, entity->position) - projection->left) * projection->scale,
               down =
                   (mst_view_dot(projection->down, entity->position) - projection->top) * projection->scale;
        const mst_picture_mark mark = {across + frame->x, down + frame->y, entity->node};
        if (entity->role != MST_ROLE_GROUP && across >= 0 && down >= 0 && across < frame->width &&
            down < frame->height)
            marks->take(marks->user, &mark);
    }
}
