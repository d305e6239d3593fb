/* SPDX-License-Identifier: MIT */
/* The rows of tables: the elements of a list, or the values that a selector matches. */
#ifndef CLI_OUTPUT_TABLE_ROWS_H
#define CLI_OUTPUT_TABLE_ROWS_H

#include "streams.h"

#define ALL_LISTS "*" /* as a path: elements of all lists that are in no other list */

typedef struct found_row {
    char *path;
    mst_value value;
} found_row;

typedef struct found_rows {
    char *path;
    mst_value list;       /* of the rows, or of the first chosen row */
    mst_document *inside; /* the packed content that contains it; NULL: the document itself */
    bool chosen;          /* by a selector: chosen_rows has the rows */
    bool all_lists;
    found_row *chosen_rows;
    size_t chosen_count;
} found_rows;

/* Call rows_close in any case. `path` NULL: the format's default rows, from the first list that exists in the
 * document. */
mst_status rows_find(const mst_document *document, const char *path, found_rows *rows, mst_diagnostic *why);
void rows_close(found_rows *rows);

typedef struct row_iterator {
    const found_rows *rows;
    mst_iterator rest;
    uint64_t next;
} row_iterator;
row_iterator rows_iterate(const found_rows *rows);
/* False past the last row. */
bool rows_next(row_iterator *it, mst_value *value, uint64_t *index);
uint64_t rows_count(const found_rows *rows);
/* The path of the list that contains a row, ended by a NUL; returns the row's index in it. */
uint64_t rows_place(const found_rows *rows, uint64_t index, stream *list);
void rows_put_path(const found_rows *rows, uint64_t index, stream *to);

#endif
