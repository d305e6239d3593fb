/* SPDX-License-Identifier: MIT */
#include "../core/diagnose.h"
#include "engine.h"

/* Makes `steps`, in the document's arena, after all items are noted. */
static bool index_ends(mst_ends *ends, mst_document *document) {
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

mst_status mst_walk_first(mst_document *document, mst_diagnostic *diagnostic) {
    mst_ends ends = {.count = 0};
    document->ends = ends;
    mst_walk_request request = mst_walk_of_document(document);
    request.ends = &ends;
    mst_status status = mst_walk_field(&request, NULL, diagnostic);
    if (status == MST_OK)
        document->ends.longest = ends.longest;
    if (status != MST_OK || !ends.count)
        return status;
    /* rare: a second walk stores the ends that the first one counted */
    ends.items = mst_arena_take(&document->arena, ends.count, sizeof *ends.items);
    if (ends.items) {
        ends.count = 0;
        status = mst_walk_field(&request, NULL, diagnostic);
    }
    if (!ends.items || !index_ends(&ends, document))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the ends of nested records");
    if (status == MST_OK)
        document->ends = ends;
    return status;
}
