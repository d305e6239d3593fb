/* SPDX-License-Identifier: MIT */
/*
 * Lines of JSON for readers that infer the columns and their types from the first rows: the first row of each
 * file has every column that files of its format may have in any version, and a column has the same type in
 * all of them.
 */
#ifndef CLI_COMMANDS_TABLE_LINE_H
#define CLI_COMMANDS_TABLE_LINE_H

#include "../output/streams.h"
#include <mapstone/table.h>

/* The columns of lines in files of a format. */
typedef struct line_columns {
    mst_table *table;
    bool *put; /* by column: whether the current row has it */
    size_t next, count;
} line_columns;

/* `format` NULL: the rows are not of the default list, and their columns are unknown. */
void line_begin(line_columns *line, const mst_format_information *format);
void line_end(line_columns *line);

void line_begin_row(line_columns *line);
/* Marks a column of the row as written, and returns its type if the tables have it. */
mst_cell_type line_type(line_columns *line, const char *title);
/* Writes a value: real numbers with a decimal point, and numbers in a column of names as texts. */
void line_put_value(stream *to, line_columns *line, const char *title, const mst_value *value);
/* Writes columns that the row lacks as null. */
void line_put_rest(stream *to, line_columns *line);

#endif
