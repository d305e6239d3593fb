/* SPDX-License-Identifier: MIT */
/* The columns of tables: their names, and their values in each row. */
#ifndef CLI_OUTPUT_COLUMNS_H
#define CLI_OUTPUT_COLUMNS_H

#include "existing_names.h"
#include "streams.h"

/* A list of {name, value}; names may repeat. */
#define PROPERTIES "properties"

typedef enum column_kind {
    COLUMN_FILE,
    COLUMN_SHA256,
    COLUMN_PATH,
    COLUMN_OFFSET,
    COLUMN_PROPERTY, /* the first property with a name */
    COLUMN_FIELD,    /* a field of the row; "value": the row itself, if it has no fields */
    COLUMN_DEEP      /* a path below the row */
} column_kind;
#define FIXED_COLUMNS 4
extern const char *const fixed_columns[FIXED_COLUMNS];

typedef struct column {
    column_kind kind;
    char *title; /* as requested */
    const char *name;
    const char *option; /* the option that requested it, "--columns" */
} column;

typedef struct columns {
    column *items;
    _Atomic bool *met; /* per column: some row has it */
    size_t count;
    bool properties; /* some columns are properties */
} columns;

/* The index of the column with that title, which is added if missing. */
size_t columns_add(columns *all, const char *title, const char *option);
bool columns_have(const columns *all, column_kind kind);
/* "fields.path" for a field with the name of a fixed column, else its name. */
const char *column_title(const char *field, char text[128]);
void columns_free(columns *all);

/* The values of the columns in a row. For one thread and one file. */
typedef struct cells {
    const columns *of;
    mst_value *values;
    bool *found;
    /* The fields of the previous row, in order, and the column of each; SIZE_MAX: none. */
    struct {
        const char *name;
        size_t column;
    } * order;
    size_t order_count, order_capacity;
} cells;

void cells_begin(cells *all, const columns *of);
/* Looks up all columns at once. */
void cells_fill(cells *all, const mst_value *row);
void cells_end(cells *all);

/* The element of a list with only one: `intensity` is 0.5, not [0.5]. */
mst_value unwrapped(mst_value value);
/* A scalar or a short list. */
bool is_cell(const mst_value *value);

/* The next member of a record in a row that can be a column, and the column's title: parameters.bit. `record`
 * is the name of the record, `members` iterates over it; false past the last member. */
#define INNER_TITLE 256
bool next_inner(mst_iterator *members, const char *record, mst_value *member, char title[INNER_TITLE]);

/* Adds the possible names of columns for a list's rows. */
void add_column_names(names *to, const mst_value *list);

#endif
