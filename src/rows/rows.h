/* SPDX-License-Identifier: MIT */
/* Tables that are being made: cells are put into columns, and what is not put is null. */
#ifndef MST_ROWS_ROWS_H
#define MST_ROWS_ROWS_H

#include "../level/inside.h"
#include "../read/engine.h"
#include <mapstone/table.h>

typedef struct mst_rows_column {
    mst_array has, values, bytes; /* `values`: integers, reals or ends of texts */
    bool wanted;
} mst_rows_column;

typedef struct mst_rows {
    mst_table table; /* first: users have a pointer to it */
    mst_arena arena; /* the columns' descriptions, and this */
    mst_allocator allocator;
    mst_table_column *schema; /* all columns of the relation */
    mst_rows_column *columns;
    size_t count, row; /* of columns; rows that are complete */
    bool failed;       /* there was no memory */
    mst_level *level;
    const mst_document *document;
    const char *where; /* NULL: all elements */
    int64_t file;      /* the number of the file */
    mst_diagnostic *diagnostic;
} mst_rows;

/* What fills a relation, one function for each. */
mst_status mst_rows_file(mst_rows *rows);
mst_status mst_rows_entity(mst_rows *rows);
mst_status mst_rows_property(mst_rows *rows);
mst_status mst_rows_relation(mst_rows *rows);
mst_status mst_rows_asset(mst_rows *rows);
mst_status mst_rows_finding(mst_rows *rows);
mst_status mst_rows_record(mst_rows *rows);

/* The columns of `record` of a format, beyond `file` and `path`, or of `line`; in the arena. NULL: no memory.
 */
mst_table_column *mst_rows_fields(const mst_format *format, bool line, mst_arena *arena, size_t *count);

/* ---- cells (cells.c) ------------------------------------------------------------------------------ */

/* Whether a column is among those that are wanted, so that it need not be computed if not. */
static inline bool mst_rows_want(const mst_rows *rows, size_t column) {
    return rows->columns[column].wanted;
}
void mst_cell_integer(mst_rows *rows, size_t column, int64_t number);
void mst_cell_real(mst_rows *rows, size_t column, double number); /* NaN and infinities are null */
void mst_cell_text(mst_rows *rows, size_t column, const char *text, size_t length);
/* What may not be UTF-8. */
void mst_cell_name(mst_rows *rows, size_t column, const char *text, size_t length);
/* The same; "" is null. */
void mst_cell_word(mst_rows *rows, size_t column, const char *text);
/* A value as text: a name, flags, a number, a text; of what has parts, JSON. */
void mst_cell_value(mst_rows *rows, size_t column, const mst_value *value);
void mst_cell_json(mst_rows *rows, size_t column, const mst_value *value);
void mst_row_end(mst_rows *rows);
/* Appends a text of any length to characters; false: there is no memory. */
bool mst_append_text(mst_array *characters, const mst_value *text);

/* ---- elements (lists.c) ------------------------------------------------------------------------------- */

/* An element that is a row. */
typedef struct mst_row_element {
    const mst_document *document; /* the level's, or an unpacked one */
    bool inside;                  /* an unpacked one: it has no places */
    const char *list;             /* its path; "text@types" inside */
    uint64_t index;
    mst_value value;
    const mst_compared *compared; /* may be NULL */
    bool first;                   /* of its list */
} mst_row_element;
typedef mst_status (*mst_row_function)(void *user, const mst_row_element *element);

/* Calls `each` for the elements of the lists that are rows: of the default list, and unless `only` of all
 * lists of what has a position, other than corners of faces. Where there are conditions, for those that meet
 * them. */
mst_status mst_rows_each(mst_rows *rows, bool only, mst_row_function each, void *user);
/* Writes "list[index]"; returns its length. */
size_t mst_row_path(const mst_row_element *element, char *path, size_t capacity);
#define MST_ROW_PATH 512

/* ---- places (world.c) ----------------------------------------------------------------------------- */

/* How coordinates of a format become metres on glTF's axes. */
typedef struct mst_row_world {
    double metres;  /* a unit */
    int8_t axes[3]; /* the coordinate of each axis, plus 1; negative: the other way */
} mst_row_world;
/* NULL: only the scene knows. */
const mst_row_world *mst_row_world_of(const mst_format *format);
/* Of what has `count` coordinates; false: that is not enough. */
bool mst_row_in_world(const mst_row_world *world, const double own[3], unsigned count, double result[3]);
/* The angle about the vertical in radians, from +Z towards +X; false: it has none. */
bool mst_row_yaw(const mst_row_world *world, const mst_value *element, double *yaw);

#endif
