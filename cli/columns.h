/* SPDX-License-Identifier: MIT */
/* The columns of tables: what they are called, and what they are in each row. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "names.h"
#include "output.h"

/* A list of {name, value}, which may hold a name twice. */
#define PROPERTIES "properties"

typedef enum column_kind {
    COLUMN_FILE,
    COLUMN_SHA256,
    COLUMN_PATH,
    COLUMN_OFFSET,
    COLUMN_PROPERTY, /* the first property of a name */
    COLUMN_FIELD,    /* a field of the row; "value": the row itself, if it has no fields */
    COLUMN_DEEP      /* a path below the row */
} column_kind;
#define FIXED_COLUMNS 4
extern const char *const fixed_columns[FIXED_COLUMNS];

typedef struct column {
    column_kind kind;
    char *title; /* as asked for */
    const char *name;
    const char *option; /* that asks for it, "--columns" */
} column;

typedef struct columns {
    column *items;
    _Atomic bool *met; /* of each: some row has it */
    size_t count;
    bool deep, properties; /* some are of this kind */
} columns;

/* The place of the column, which is added where there is none of that title. */
size_t columns_add(columns *all, const char *title, const char *option);
bool columns_have(const columns *all, column_kind kind);
/* "fields.path" of a field that is called as one of the fixed columns, else its name. */
const char *column_title(const char *field, char capacity[128]);
void columns_free(columns *all);

/* What the columns are in a row. For one thread and one file. */
typedef struct cells {
    const columns *of;
    mst_value *values;
    bool *found;
    /* The fields of the row before, in order, and which column each is; SIZE_MAX: none. */
    struct {
        const char *name;
        size_t column;
    } * order;
    size_t order_count, order_capacity;
} cells;

void cells_begin(cells *all, const columns *of);
/* Looks for all columns at once. */
void cells_fill(cells *all, const mst_value *row);
void cells_end(cells *all);

/* What a list of one element holds: `intensity` is 0.5, not [0.5]. */
mst_value unwrapped(mst_value value);
/* A scalar or a short list. */
bool is_cell(const mst_value *value);

/* Adds what a column of a list's rows may be called. */
void add_column_names(names *to, const mst_value *list);

#endif
