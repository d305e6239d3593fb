/* SPDX-License-Identifier: MIT */
/*
 * Lines of JSON for readers that look at the first rows to find out which columns there are, and of which
 * type: the first row of each file has every column that files of its format may have, whatever their
 * version, and a column has one type in all of them.
 */
#ifndef CLI_COMMANDS_TABLE_LINE_H
#define CLI_COMMANDS_TABLE_LINE_H

#include "../output/streams.h"
#include <mapstone/table.h>

/* What lines may have in files of a format. */
typedef struct line_columns {
    mst_table *table;
    bool *put; /* by column: in the row that is being written */
    size_t next, count;
} line_columns;

/* `format` NULL: nothing is known of the rows, which are others than those of the default list. */
void line_begin(line_columns *line, const mst_format_information *format);
void line_end(line_columns *line);

void line_begin_row(line_columns *line);
/* Marks a column of the row as written, and returns its type, as far as the tables have it. */
mst_cell_type line_type(line_columns *line, const char *title);
/* Writes a value: real numbers with a decimal point, and in a column of names numbers as texts. */
void line_put_value(stream *to, line_columns *line, const char *title, const mst_value *value);
/* Columns that the row lacks, as null. */
void line_put_rest(stream *to, line_columns *line);

#endif
