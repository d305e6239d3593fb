/* SPDX-License-Identifier: MIT */
/*
 * A level as rows of relations with stable columns: for databases, Parquet, and arrays.
 *
 *     mst_table *table;
 *     if (mst_level_table(level, "entity", NULL, &table, &why) == MST_OK)
 *         for (size_t i = 0; i < table->column_count; i++)
 *             puts(table->columns[i].name);
 *     mst_table_free(table);
 *
 * The relations are `file` (one row), `entity` (objects placed in the level, and the elements of the list
 * that tables show by default), `property` (their values, one by one), `relation` (their references), `asset`
 * (files that the level names), `finding` (of mst_check) and `record` (the elements of the default list with
 * a column for each of their fields). Columns are derived from the format's tables, of all versions, never
 * from rows; only those of `record` differ from format to format. Absent values are null.
 *
 * `entity:CLASS` has the entities of one class, with a column for each known property or parameter of that
 * class: `entity:light_point` has `intensity`, `color[0]`. Other values are in `raw`.
 */
#ifndef MAPSTONE_TABLE_H
#define MAPSTONE_TABLE_H

#include "level.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented when a column is added, renamed or changes its type. */
#define MST_TABLE_SCHEMA 1

typedef enum mst_cell_type { MST_CELL_INTEGER = 0, MST_CELL_REAL, MST_CELL_TEXT } mst_cell_type;

typedef struct mst_table_column {
    const char *name;
    mst_cell_type type;
    const char *documentation;
    /* In a table with rows, else NULL; one for each row: 1, or 0 if the value is absent. */
    const unsigned char *has;
    const int64_t *integers; /* MST_CELL_INTEGER */
    const double *reals;     /* MST_CELL_REAL: finite */
    /* MST_CELL_TEXT: UTF-8; row i's text ends before byte ends[i], where the next one begins. It may contain
     * NUL. */
    const uint64_t *ends;
    const void *bytes;
} mst_table_column;

typedef struct mst_table {
    const mst_table_column *columns;
    size_t column_count, row_count;
} mst_table;

typedef struct mst_table_options {
    size_t size; /* sizeof(mst_table_options) */
    /* For `entity`, `property` and `record`: only elements that meet these conditions, written as in the
     * brackets of a selector (mst_select). NULL: all. */
    const char *where;
    const char *const *columns; /* only these, in the order of the relation */
    size_t column_count;        /* 0: all columns */
} mst_table_options;

/* A table without rows, which has the columns of a relation. `format` may be NULL, except for `record` and
 * `entity:CLASS`; and for two that never have rows: `line`, the members of the command's JSON lines, by the
 * tables of all versions, with nested records by their members (`light.color`), or as one column if they
 * differ from class to class; and `class`, whose column names are the classes for `entity:CLASS`.
 * MST_ARGUMENT: the relation or class does not exist. */
MST_API mst_status mst_table_columns(const mst_format_information *format, const char *relation,
                                     mst_table **table, mst_diagnostic *diagnostic);

/* The rows of a level's first document. Free them with mst_table_free, which may be after mst_level_close.
 * MST_ARGUMENT: the relation or a column does not exist, or the conditions cannot be read. */
MST_API mst_status mst_level_table(mst_level *level, const char *relation, const mst_table_options *options,
                                   mst_table **table, mst_diagnostic *diagnostic);
/* NULL is allowed. */
MST_API void mst_table_free(mst_table *table);

#ifdef __cplusplus
}
#endif
#endif
