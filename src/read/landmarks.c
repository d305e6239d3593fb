/* SPDX-License-Identifier: MIT */
#include "landmarks.h"

void mst_landmarks_reset(mst_landmarks *landmarks) {
    for (uint32_t i = 0; i < landmarks->count; i++)
        mst_array_free(&landmarks->lists[i].marks);
    memset(landmarks, 0, sizeof *landmarks);
}

static mst_landmarks_list *list_of(mst_landmarks *landmarks, const mst_value *list) {
    for (uint32_t i = 0; i < landmarks->count; i++)
        if (landmarks->lists[i].field == list->field && landmarks->lists[i].offset == list->offset)
            return &landmarks->lists[i];
    uint32_t at = landmarks->count;
    if (at < MST_LANDMARKS_LISTS) {
        landmarks->count++;
    } else {
        at = landmarks->next++ % MST_LANDMARKS_LISTS;
        mst_array_free(&landmarks->lists[at].marks);
    }
    mst_landmarks_list *made = &landmarks->lists[at];
    *made =
        (mst_landmarks_list){list->field,
                             list->offset,
                             {.element_size = sizeof(mst_iterator), .allocator = list->document->allocator}};
    return made;
}

/* Whether elements are found by multiplication, without landmarks. */
static bool is_indexed(const mst_value *list) {
    const mst_field *field = mst_field_of(list);
    return mst_shape_of(list) == MST_SHAPE_LIST &&
           (field->kind != MST_KIND_RECORD || mst_plan_of(list->document, field->record)->stride);
}

mst_status mst_landmarks_element(mst_landmarks *landmarks, const mst_value *list, uint64_t index,
                                 mst_value *element) {
    uint32_t shape = mst_shape_of(list);
    if (!landmarks || index < MST_LANDMARKS_STEP || is_indexed(list) ||
        (shape != MST_SHAPE_LIST && shape != MST_SHAPE_CHUNK_LIST))
        return mst_element(list, index, element);
    mst_landmarks_list *known = list_of(landmarks, list);
    uint64_t mark = index / MST_LANDMARKS_STEP;
    mst_iterator it;
    while (known->marks.count <= mark) {
        it = known->marks.count ? ((const mst_iterator *)known->marks.items)[known->marks.count - 1]
                                : mst_iterate(list);
        for (int i = 0; known->marks.count && i < MST_LANDMARKS_STEP; i++)
            if (!mst_next(&it, element))
                return MST_NO_PATH;
        mst_iterator *made = mst_array_push(&known->marks, 1);
        if (!made) /* no landmark */
            return mst_element(list, index, element);
        *made = it;
    }
    it = ((const mst_iterator *)known->marks.items)[mark];
    for (uint64_t i = mark * MST_LANDMARKS_STEP; i <= index; i++)
        if (!mst_next(&it, element))
            return MST_NO_PATH;
    return MST_OK;
}
