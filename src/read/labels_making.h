/* SPDX-License-Identifier: MIT */
/* Labels under construction. */
#ifndef MST_READ_LABELS_MAKING_H
#define MST_READ_LABELS_MAKING_H

#include "labels.h"

#define MST_LABEL_PATH 512 /* longer paths of lists are ignored */

typedef struct mst_label_pair {
    uint64_t element;
    uint32_t name;
} mst_label_pair;

typedef struct mst_labels_draft {
    mst_labels *labels;
    mst_array pairs; /* mst_label_pair */
} mst_labels_draft;

mst_status mst_labels_begin(mst_labels_draft *m, const mst_document *document, const mst_value *list);
/* Makes the labels of the pairs, or on failure frees everything. */
mst_status mst_labels_end(mst_labels_draft *m, mst_status status, mst_labels **labels,
                          mst_diagnostic *diagnostic);

/* The rooms that contain elements of a list (rooms.c). `only` NULL: all, else the one of that name. */
mst_status mst_labels_of_rooms(mst_labels_draft *m, const mst_value *list, const mst_excerpt *only);

#endif
