/* SPDX-License-Identifier: MIT */
#include "finder.h"

void mst_finder_reset(mst_finder *finder) {
    for (uint32_t i = 0; i < finder->count; i++)
        mst_array_free(&finder->lists[i].marks);
    memset(finder, 0, sizeof *finder);
}

static mst_finder_list *list_of(mst_finder *finder, const mst_value *list) {
    for (uint32_t i = 0; i < finder->count; i++)
        if (finder->lists[i].field == list->field && finder->lists[i].offset == list->offset)
            return &finder->lists[i];
    uint32_t at = finder->count;
    if (at < MST_FINDER_LISTS) {
        finder->count++;
    } else {
        at = finder->next++ % MST_FINDER_LISTS;
        mst_array_free(&finder->lists[at].marks);
    }
    mst_finder_list *made = &finder->lists[at];
    *made = (mst_finder_list){list->field,
                              list->offset,
                              {.element_size = sizeof(mst_iterator), .allocator = list->document->allocator}};
    return made;
}

/* Whether the elements are found by multiplication anyway. */
static bool is_indexed(const mst_value *list) {
    const mst_field *field = mst_field_of(list);
    return mst_shape_of(list) == MST_SHAPE_LIST &&
           (field->kind != MST_KIND_RECORD || mst_plan_of(list->document, field->record)->stride);
}

mst_status mst_finder_element(mst_finder *finder, const mst_value *list, uint64_t index, mst_value *element) {
    uint32_t shape = mst_shape_of(list);
    if (!finder || index < MST_FINDER_STEP || is_indexed(list) ||
        (shape != MST_SHAPE_LIST && shape != MST_SHAPE_CHUNK_LIST))
        return mst_element(list, index, element);
    mst_finder_list *known = list_of(finder, list);
    uint64_t mark = index / MST_FINDER_STEP;
    mst_iterator it;
    while (known->marks.count <= mark) {
        it = known->marks.count ? ((const mst_iterator *)known->marks.items)[known->marks.count - 1]
                                : mst_iterate(list);
        for (int i = 0; known->marks.count && i < MST_FINDER_STEP; i++)
            if (!mst_next(&it, element))
                return MST_NO_PATH;
        mst_iterator *made = mst_array_push(&known->marks, 1);
        if (!made) /* the long way */
            return mst_element(list, index, element);
        *made = it;
    }
    it = ((const mst_iterator *)known->marks.items)[mark];
    for (uint64_t i = mark * MST_FINDER_STEP; i <= index; i++)
        if (!mst_next(&it, element))
            return MST_NO_PATH;
    return MST_OK;
}
