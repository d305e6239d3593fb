/* SPDX-License-Identifier: MIT */
/* What follows edits of a level beyond the tables. */
#include "ns2.h"

/* The number of triangles of all faces; `stored`: the field that has it, too. */
static bool count_triangles(const mst_document *document, mst_value *stored, uint64_t *sum) {
    mst_value faces, face;
    if (mst_find(mst_root(document), "mesh.triangles.triangle_count", stored, NULL) != MST_OK ||
        mst_find(mst_root(document), "mesh.triangles.faces", &faces, NULL) != MST_OK)
        return false;
    *sum = 0;
    for (mst_iterator it = mst_iterate(&faces); mst_next(&it, &face);)
        *sum += mst_count(&face);
    return true;
}

void mst_ns2_fix_up(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    mst_value stored;
    uint64_t old, now;
    if (before->size == after->size || !count_triangles(before, &stored, &old) ||
        mst_scalar_of(&stored) != old || !count_triangles(after, &stored, &now))
        return;
    mst_store32(bytes + stored.offset, (uint32_t)now, false);
}
