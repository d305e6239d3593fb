/* SPDX-License-Identifier: MIT */
/* The rows of mapstone table: their cells, and the conditions that select them. */
#ifndef CLI_COMMANDS_TABLE_ROW_H
#define CLI_COMMANDS_TABLE_ROW_H

#include "../inputs/many_files.h"
#include "../inputs/where.h"
#include "../output/columns.h"
#include "../output/label_cells.h"
#include "../output/table_rows.h"
#include "table_line.h"
#include <stdatomic.h>

/* Counts of rows that meet the conditions. */
typedef struct matches {
    _Atomic uint64_t rows, met, unknown; /* unknown: in files that lack the conditions' fields */
    atomic_flag noted;                   /* set by the thread that writes the next two: */
    mst_diagnostic why;                  /* the missing field */
    const char *path;                    /* of the first such file */
    char *hint;                          /* a suggestion for a single file; NULL: none */
} matches;

typedef struct table {
    const char *rows; /* --rows; NULL: the format's default */
    bool csv, csv_safe;
    _Atomic uint64_t *formulas; /* number of written texts that spreadsheets would read as formulas */
    _Atomic bool *any_row;
    matches *matches;
    columns columns; /* the shown columns first, then those in conditions */
    size_t shown;    /* 0: JSON with every field */
    conditions conditions;
} table;

/* The elements of a list that meet a condition, looked up once for the whole list. */
typedef struct met_rows {
    struct met_list {
        char *list;
        const condition *of;
        uint64_t count;
        bool *met;
    } * items;
    size_t count;
} met_rows;

/* A row and its context. */
typedef struct row {
    const job *work;
    const char *sha256;
    const found_rows *rows;
    uint64_t index;
    mst_value value;
    cells cells;
    label_cells *labels;
    met_rows *met; /* the rows that meet conditions on more than their fields */
    line_columns *line;
    bool first; /* of the file: gets every possible column, for readers that look only at the first rows */
} row;

#define LIST_COLUMN "list"

void row_end(row *of);
/* The row's labels that a column shows; NULL: the column shows something else. */
const mst_labels *labels_of(const row *of, const char *title, uint64_t *element);
/* Whether the row meets all conditions. */
bool is_wanted(const table *all, const row *of);
void put_header(const table *all, stream *to);
void put_row_csv(stream *to, const table *all, const row *of);
void put_row_json(stream *to, const table *all, const row *of);

#endif
