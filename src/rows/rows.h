/* SPDX-License-Identifier: MIT */
/* Tables under construction: cells are put into columns, and cells that are not put are null. */
#ifndef MST_ROWS_ROWS_H
#define MST_ROWS_ROWS_H

#include "../level/inside.h"
#include "../read/engine.h"
#include "../write/json_write.h"
#include <mapstone/table.h>

typedef struct mst_rows_column {
    mst_array has, values, bytes; /* `values`: integers, reals or ends of texts */
    bool wanted;
} mst_rows_column;

typedef struct mst_rows {
    mst_table table; /* first: callers have a pointer to it */
    mst_arena arena; /* the columns' descriptions, and this */
    mst_allocator allocator;
    mst_table_column *schema; /* all columns of the relation */
    mst_rows_column *columns;
    size_t count, row; /* number of columns; of complete rows */
    bool failed;       /* memory ran out */
    mst_level *level;
    const mst_document *document;
    const char *where; /* NULL: all elements */
    const char *kind;  /* for `entity`: only this class, with its own columns; NULL: all */
    int64_t file;      /* the number of the file */
    bool by_element;   /* each element of a list is a row */
    mst_diagnostic *diagnostic;
} mst_rows;

/* The functions that fill relations, one for each. */
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

/* An element that is a row. */
typedef struct mst_row_element {
    const mst_document *document; /* the level's, or an unpacked one */
    bool inside;                  /* unpacked: it has no positions */
    const char *list;             /* its path; "text@types" inside */
    uint64_t index;
    mst_value value;
    const mst_compared *compared; /* may be NULL */
    bool first;                   /* in its list */
} mst_row_element;

/* Columns under construction, in the order of the tables. */
typedef struct mst_rows_columns {
    mst_arena *arena;
    mst_array *columns; /* mst_table_column */
    bool members, failed;
    const mst_table_column *before; /* other columns, whose names are reserved */
    size_t before_count;
} mst_rows_columns;
/* An existing column gets a type that fits both. `name` NULL: memory for it ran out. */
void mst_rows_add(mst_rows_columns *to, const char *name, mst_cell_type type, const char *doc);
/* For a field, or for each of its numbers: position[0]. */
void mst_rows_add_field(mst_rows_columns *to, const char *name, const mst_field *field);

/* The columns of things of a class beyond `before`, which all things have; `kind` NULL: one for each class.
 * None if the class is unknown. False: no memory. */
bool mst_rows_of_class(const mst_format *format, const char *kind, mst_rows_columns *to);

/* Cells that are addressed by the names of their columns. */
typedef struct mst_rows_cursor {
    mst_rows *rows;
    size_t first, next; /* the columns from `first` on; where the next search begins */
} mst_rows_cursor;
void mst_rows_put_value(mst_rows_cursor *to, const char *name, size_t length, const mst_value *value);
void mst_rows_put_components(mst_rows_cursor *to, const char *name, size_t length, const mst_value *list);
void mst_rows_put_field(mst_rows_cursor *to, const char *name, size_t length, const mst_value *value);
/* Whether a field of a record is a record that differs between classes: present only if a number with names
 * has one of its values. */
bool mst_differs_by_class(const mst_record *record, const mst_field *field);
/* Puts the fields of an element of a class into the columns from `first` on. */
void mst_rows_put_class(mst_rows *rows, size_t first, const mst_value *element);

/* ---- cells (cells.c) ------------------------------------------------------------------------------ */

/* Whether a column is wanted, and has to be computed. */
static inline bool mst_rows_want(const mst_rows *rows, size_t column) {
    return rows->columns[column].wanted;
}
void mst_cell_integer(mst_rows *rows, size_t column, int64_t number);
void mst_cell_real(mst_rows *rows, size_t column, double number); /* NaN and infinities are null */
void mst_cell_text(mst_rows *rows, size_t column, const char *text, size_t length);
/* A text that may not be UTF-8. */
void mst_cell_name(mst_rows *rows, size_t column, const char *text, size_t length);
/* The same; "" is null. */
void mst_cell_word(mst_rows *rows, size_t column, const char *text);
/* A value as text: a name, flags, a number, a text; JSON if it has parts. */
void mst_cell_value(mst_rows *rows, size_t column, const mst_value *value);
/* `members` may be NULL; for what records they are, see mst_write_json_noting. */
void mst_cell_json(mst_rows *rows, size_t column, const mst_value *value, mst_noted_members *members);
void mst_row_end(mst_rows *rows);
/* Reserves room for `count` more rows, so that columns do not grow in small steps. */
void mst_rows_expect(mst_rows *rows, uint64_t count);
/* Appends a text of any length to characters; false: out of memory. */
bool mst_append_text(mst_array *characters, const mst_value *text);

/* ---- fields of an element (members.c) ------------------------------------------------------------- */

#define MST_FIELDS_KEPT 64 /* elements with more are searched each time */

typedef struct mst_row_members {
    mst_value element, values[MST_FIELDS_KEPT];
    size_t count;
    const mst_record *record; /* of the last element */
    bool simple;              /* an element has no members other than named fields */
    bool whole;               /* all fields are in `values` */
} mst_row_members;
void mst_row_members_take(mst_row_members *members, const mst_value *element);
/* The same, and the element is written as JSON to a wanted column in the same walk. */
void mst_row_members_write(mst_row_members *members, const mst_value *element, mst_rows *rows, size_t column);
/* The value at a path below the element; `members` are mst_row_members. */
bool mst_row_find(void *members, const char *path, mst_value *value);

/* ---- elements (lists.c) ------------------------------------------------------------------------------- */

typedef mst_status (*mst_row_function)(void *user, const mst_row_element *element);

/* Calls `each` for the elements of the lists that are rows: of the default list, and unless `only` of all
 * lists of things with positions, other than corners of faces. If there are conditions, only for elements
 * that meet them. */
mst_status mst_rows_each(mst_rows *rows, bool only, mst_row_function each, void *user);
/* Writes "list[index]"; returns its length. */
size_t mst_row_path(const mst_row_element *element, char *path, size_t capacity);
#define MST_ROW_PATH 512

/* Whether an element is of a class (wide.c). */
bool mst_row_is_of_class(const mst_row_element *element, mst_row_members *members, const char *kind);

/* ---- places (world.c) ----------------------------------------------------------------------------- */

/* The conversion of a format's coordinates to metres on glTF's axes. */
typedef struct mst_row_world {
    double metres;  /* a unit */
    int8_t axes[3]; /* the coordinate of each axis, plus 1; negative: reversed */
    double side;    /* of a sector, in units: the file's name gives its position; 0: none */
} mst_row_world;
/* NULL if only the scene has positions. */
const mst_row_world *mst_row_world_of(const mst_format *format);
/* The coordinates in the game of an element in a sector, whose position is in the name. */
void mst_row_in_sector(const mst_row_world *world, const mst_part_place *place, double own[3]);
/* For elements with `count` coordinates; false if these are not enough. */
bool mst_row_in_world(const mst_row_world *world, const double own[3], unsigned count, double result[3]);
/* The angle about the vertical in radians, from +Z towards +X; false if it has none. */
bool mst_row_yaw(const mst_row_world *world, mst_row_members *members, double *yaw);

#endif
