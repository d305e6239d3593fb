/* SPDX-License-Identifier: MIT */
/* The rows of mapstone table: what is in their columns, and which are wanted. */
#ifndef CLI_COMMANDS_TABLE_ROW_H
#define CLI_COMMANDS_TABLE_ROW_H

#include "../inputs/many_files.h"
#include "../inputs/where.h"
#include "../output/columns.h"
#include "../output/label_cells.h"
#include "../output/table_rows.h"
#include "table_line.h"
#include <stdatomic.h>

/* How many rows met the conditions. */
typedef struct matches {
    _Atomic uint64_t rows, met, unknown; /* unknown: of files that do not have what the conditions name */
    atomic_flag noted;                   /* by one thread: */
    mst_diagnostic why;                  /* what they do not have */
    const char *path;                    /* of the first such file */
    char *hint;                          /* of a single file: what may have been meant; NULL: not known */
} matches;

typedef struct table {
    const char *rows; /* --rows or NULL: the format's */
    bool csv, csv_safe;
    _Atomic uint64_t *formulas; /* number of texts written that spreadsheets would take for formulas */
    _Atomic bool *any_row;
    matches *matches;
    columns columns; /* the shown ones first, then those of conditions */
    size_t shown;    /* 0: JSON with every field */
    conditions conditions;
} table;

/* Which elements of a list meet a condition, looked up once for all of them. */
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
    met_rows *met; /* which rows meet conditions about more than their fields */
    line_columns *line;
    bool first; /* of the file: it has all columns that there may be, so that readers which look at the first
                   rows know them */
} row;

#define LIST_COLUMN "list"

void row_end(row *of);
/* The row's labels that a column shows; NULL: it shows something else. */
const mst_labels *labels_of(const row *of, const char *title, uint64_t *element);
/* Whether the row meets all conditions. */
bool is_wanted(const table *all, const row *of);
void put_header(const table *all, stream *to);
void put_row_csv(stream *to, const table *all, const row *of);
void put_row_json(stream *to, const table *all, const row *of);

#endif
