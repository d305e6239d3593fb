/* SPDX-License-Identifier: MIT */
/* Labels of elements (mst_labels_open) as cells of tables and as values: looked up once per list. */
#ifndef CLI_OUTPUT_LABEL_CELLS_H
#define CLI_OUTPUT_LABEL_CELLS_H

#include "streams.h"

/* Of one document. Zero-initialise it. */
typedef struct label_cells {
    struct label_list {
        char *list, *word;
        mst_labels *labels; /* NULL: the list's elements have no labels of that kind */
    } * items;
    size_t count;
} label_cells;

/* The labels of a list's elements; NULL: they have none. */
const mst_labels *labels_of_list(label_cells *all, const mst_document *document, const char *list,
                                 const char *word);
void label_cells_free(label_cells *all);

/* "Game, Props": all names of an element's labels. */
void put_labels_plain(stream *to, const mst_labels *labels, uint64_t element);
/* "Game", ["Game", "Props"], or [] without labels. */
void put_labels_json(stream *to, const mst_labels *labels, uint64_t element);

/* Whether a path ends with labels that the element has. */
bool has_labels_at(label_cells *all, const mst_document *document, const char *path);
/* Writes the labels at the end of a path, "mesh.faces[3].layer": their names on one line. False: the path has
 * another end. */
bool put_labels_at(stream *to, label_cells *all, const mst_document *document, const char *path, bool json);

#endif
