/* SPDX-License-Identifier: MIT */
#include "engine.h"

bool mst_ends_index(mst_ends *ends, mst_document *document) {
    size_t steps = (size_t)(document->size / MST_ENDS_STEP) + 1;
    ends->steps = mst_arena_take(&document->arena, steps, sizeof *ends->steps);
    if (!ends->steps)
        return false;
    for (size_t step = 0, i = 0; step < steps; step++) {
        while (i < ends->count && ends->items[i].offset < (uint64_t)step * MST_ENDS_STEP)
            i++;
        ends->steps[step] = i;
    }
    return true;
}

bool mst_ends_find(const mst_document *document, const mst_record *record, uint64_t end, uint64_t *position) {
    const mst_ends *ends = &document->ends;
    for (size_t i = ends->steps[*position / MST_ENDS_STEP];
         i < ends->count && ends->items[i].offset <= *position; i++)
        if (ends->items[i].offset == *position && ends->items[i].record == record &&
            !MST_CHANGED(ends->items[i].end > end)) {
            *position = ends->items[i].end;
            return true;
        }
    return false;
}
