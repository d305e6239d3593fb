/* SPDX-License-Identifier: MIT */
/* Steps about elements that are identified by their place, such as faces, in a document with other lists: the
 * format translates them. */
#include "../core/diagnose.h"
#include "drafts.h"

bool mst_patch_all_proved(mst_draft *draft, const mst_patch_steps *steps, const char *list,
                          mst_arena *arena) {
    size_t length = strcspn(list, ".") + 1;
    bool said = false;
    for (size_t i = 0; i < steps->count; i++) {
        const mst_patch_step *one = &steps->items[i];
        if (one->kind != MST_STEP_LIST || strncmp(one->key, list, length) != 0)
            continue;
        if (!mst_patch_proved(draft, one, arena))
            return false;
        said = said || strcmp(one->key, list) == 0;
    }
    return said;
}

static bool all_proved(mst_draft *draft, const mst_patch_steps *steps, mst_arena *arena) {
    const char *last = "";
    for (size_t i = 0; i < steps->count; i++) {
        const mst_patch_step *one = &steps->items[i];
        const char *list = one->list ? one->list : one->at_list;
        if (!list || !(one->geometry[0] || one->geometry[1]) || strcmp(list, last) == 0)
            continue;
        if (!mst_patch_all_proved(draft, steps, list, arena))
            return false;
        last = list;
    }
    return true;
}

mst_status mst_patch_carry(mst_draft *draft, mst_patch_steps *steps, mst_arena *arena,
                           mst_diagnostic *diagnostic) {
    const mst_format *format = draft->document->format;
    if (!MST_OPTION(format->mesh, carry) || all_proved(draft, steps, arena))
        return MST_OK;
    mst_carried_steps what = {
        .document = draft->document, .arena = arena, .steps = steps->items, .count = steps->count};
    what.made = (mst_array){.element_size = sizeof(mst_patch_step), .allocator = arena->allocator};
    mst_status status = format->mesh->carry(&what);
    size_t made = what.made.count;
    mst_patch_step *all =
        status == MST_OK ? mst_arena_take(arena, steps->count + made + 1, sizeof *all) : NULL;
    if (status == MST_OK && !all)
        status = MST_NO_MEMORY;
    if (status != MST_OK) {
        mst_array_free(&what.made);
        return mst_fail(diagnostic, status, "not enough memory for the patch");
    }
    if (made)
        memcpy(all, what.made.items, made * sizeof *all);
    for (size_t i = 0; i < steps->count; i++)
        if (steps->items[i].fate != MST_FATE_REPLACED)
            all[made++] = steps->items[i];
    mst_array_free(&what.made);
    steps->items = all;
    steps->count = made;
    return MST_OK;
}
