/* SPDX-License-Identifier: MIT */
/* The steps from one document to another. */
#include "merging.h"

mst_status mst_steps_between(const mst_document *old_document, const mst_document *new_document,
                             mst_arena *arena, mst_patch_steps *steps, mst_doubts *doubts,
                             mst_diagnostic *diagnostic) {
    mst_buffer text = {.allocator = arena->allocator};
    mst_diff_options how = {.size = sizeof how, .allocator = arena->allocator, .within_derived = 1};
    mst_status status =
        mst_patch_write_steps(old_document, new_document, &how, false, &text, doubts, diagnostic);
    if (status == MST_OK)
        status = mst_patch_read_lines((const char *)text.data, text.size, arena, steps, diagnostic);
    mst_buffer_free(&text);
    return status;
}

mst_status mst_merge_compare(mst_merge_state *m) {
    mst_status status = MST_OK;
    if (!m->compared)
        status = mst_steps_between(m->ours, m->theirs, m->arena, &m->between, NULL, m->diagnostic);
    m->compared = true;
    return status;
}
