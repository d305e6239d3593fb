/* SPDX-License-Identifier: MIT */
#include "labels_making.h"
#include "../core/diagnose.h"

mst_status mst_labels_begin(mst_labels_draft *m, const mst_document *document, const mst_value *list) {
    mst_labels *made = document->allocator.resize(document->allocator.user, NULL, 0, sizeof *made);
    *m = (mst_labels_draft){
        .labels = made, .pairs = {.element_size = sizeof(mst_label_pair), .allocator = document->allocator}};
    if (!made)
        return MST_NO_MEMORY;
    memset(made, 0, sizeof *made);
    mst_arena_begin(&made->arena, &document->allocator, 0);
    made->count = mst_count(list);
    return MST_OK;
}

/* Sorts the pairs by elements. */
static mst_status sort_pairs(mst_labels_draft *m) {
    mst_labels *labels = m->labels;
    const mst_label_pair *pairs = m->pairs.items;
    labels->first = mst_arena_zero(&labels->arena, (size_t)labels->count + 2, sizeof *labels->first);
    labels->named = mst_arena_take(&labels->arena, m->pairs.count + 1, sizeof *labels->named);
    if (!labels->first || !labels->named)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < m->pairs.count; i++)
        labels->first[pairs[i].element + 2]++;
    for (uint64_t i = 2; i < labels->count + 2; i++)
        labels->first[i] += labels->first[i - 1];
    for (size_t i = 0; i < m->pairs.count; i++)
        labels->named[labels->first[pairs[i].element + 1]++] = pairs[i].name;
    return MST_OK;
}

mst_status mst_labels_end(mst_labels_draft *m, mst_status status, mst_labels **labels,
                          mst_diagnostic *diagnostic) {
    if (status == MST_OK)
        status = sort_pairs(m);
    mst_array_free(&m->pairs);
    *labels = m->labels;
    if (status != MST_OK) {
        mst_labels_close(m->labels);
        *labels = NULL;
    }
    if (status == MST_NO_MEMORY)
        mst_fail(diagnostic, status, "not enough memory for the names of elements");
    return status;
}

bool mst_labels_know(const mst_labels *labels, mst_excerpt name) {
    for (size_t i = 0; i < labels->name_count; i++)
        if (strlen(labels->names[i]) == name.length && memcmp(labels->names[i], name.text, name.length) == 0)
            return true;
    return false;
}

const char *mst_labels_name(const mst_labels *labels, uint64_t element, size_t index) {
    if (!labels || element >= labels->count || index >= labels->first[element + 1] - labels->first[element])
        return NULL;
    return labels->names[labels->named[labels->first[element] + index]];
}

void mst_labels_close(mst_labels *labels) {
    if (!labels)
        return;
    mst_allocator allocator = labels->arena.allocator;
    mst_arena_end(&labels->arena);
    allocator.resize(allocator.user, labels, sizeof *labels, 0);
}
