/* SPDX-License-Identifier: MIT */
/* Consequences of edits of a level that the tables do not describe: numbers of triangles, the order of
 * materials. */
#include "../../core/diagnose.h"
#include "../../edit/follow.h"
#include "../../edit/single_edit.h"
#include "../present.h"
#include "ns2.h"
#include "ns2_classes.h"
#include "triangles.h"

/* ---- the number of triangles ------------------------------------------------------------------------ */

/* The number of triangles of all faces; `stored`: the field that stores it. */
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

/* After a merge or a patch, the number may be that of one side, and the triangles those of the other. */
static void count_again(const mst_document *before, mst_document *after) {
    mst_value stored;
    uint64_t old, now;
    if (count_triangles(before, &stored, &old) && mst_scalar_of(&stored) == old &&
        count_triangles(after, &stored, &now))
        mst_store32(mst_edit_bytes(after) + stored.offset, (uint32_t)now, false);
}

/* ---- materials -------------------------------------------------------------------------------------- */

/* The new index of each material in the order in which faces first use them. MST_UNKNOWN: there are no
 * materials, or one is not used. */
static mst_status order_materials(const mst_document *document, mst_arena *arena, uint32_t **now,
                                  bool *ordered) {
    mst_value faces, face, materials;
    if (mst_find(mst_root(document), "mesh.faces", &faces, NULL) != MST_OK ||
        mst_find(mst_root(document), "mesh.materials", &materials, NULL) != MST_OK)
        return MST_UNKNOWN;
    uint64_t count = mst_count(&materials);
    uint32_t used = 0;
    *now = mst_arena_take(arena, (size_t)count + 1, sizeof **now);
    if (!*now)
        return MST_NO_MEMORY;
    *ordered = true;
    memset(*now, 0xFF, (size_t)count * sizeof **now);
    for (mst_iterator it = mst_iterate(&faces); used < count && mst_next(&it, &face);) {
        uint64_t material = mst_number_in(&face, "material");
        if (material >= count || (*now)[material] != UINT32_MAX)
            continue;
        *ordered = *ordered && material == used;
        (*now)[material] = used++;
    }
    return used == count && count ? MST_OK : MST_UNKNOWN;
}

/* Moves triangles onto their faces; keeps materials in the order of their first use if they were; checks the
 * names of classes. Only edits have options: what they set explicitly is kept. */
mst_status mst_ns2_settle(const mst_document *before, mst_document *after,
                          const struct mst_edit_options *options, mst_diagnostic *diagnostic) {
    mst_arena arena;
    uint32_t *now = NULL;
    bool ordered = true;
    mst_arena_begin(&arena, &before->allocator, 0);
    mst_status status = mst_ns2_judge_classes(before, after, options, &arena, diagnostic);
    if (status == MST_OK)
        status = mst_ns2_fit_triangles(before, after, &arena, diagnostic);
    if (status == MST_OK)
        status = order_materials(before, &arena, &now, &ordered);
    if (status == MST_OK && ordered)
        status = order_materials(after, &arena, &now, &ordered);
    if (status == MST_OK && !ordered)
        status = mst_follow_order(after, "mesh.materials", now, NULL, diagnostic);
    else if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory for the edit");
    mst_arena_end(&arena);
    status = status == MST_UNKNOWN ? MST_OK : status;
    if (status == MST_OK && !options)
        count_again(before, after);
    return status;
}
