/* SPDX-License-Identifier: MIT */
/* `record`: the elements of a format's default list with a column for each field that any version has. */
#include "../core/number.h"
#include "../core/text.h"
#include "../tables/fields.h"
#include "rows.h"

#define COMPONENTS 4 /* a list of up to this many numbers has a column for each */

/* ---- columns -------------------------------------------------------------------------------------- */

static unsigned components_of(const mst_field *field) {
    const bool numbers = field->kind >= MST_KIND_U8 && field->kind <= MST_KIND_F64;
    return numbers && field->mode == MST_COUNT_FIXED && field->count > 1 && field->count <= COMPONENTS &&
                   !field->names
               ? field->count
               : 0;
}

static mst_cell_type type_of(const mst_field *field) {
    const bool alone = field->mode == MST_COUNT_ONE && !(field->flags & MST_FIELD_REPEATED);
    if (field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64)
        return alone || components_of(field) ? MST_CELL_REAL : MST_CELL_TEXT;
    const bool number = field->kind >= MST_KIND_U8 && field->kind <= MST_KIND_I64 && !field->names &&
                        field->kind != MST_KIND_U64;
    return number && (alone || components_of(field)) ? MST_CELL_INTEGER : MST_CELL_TEXT;
}

/* One type for each column: if versions differ, a real number or a text. */
static mst_cell_type common(mst_cell_type a, mst_cell_type b) {
    return a == b ? a : a == MST_CELL_TEXT || b == MST_CELL_TEXT ? MST_CELL_TEXT : MST_CELL_REAL;
}

void mst_rows_add(mst_rows_columns *to, const char *name, mst_cell_type type, const char *doc) {
    mst_table_column *all = to->columns->items;
    for (size_t i = 0; i < to->columns->count && name; i++)
        if (strcmp(all[i].name, name) == 0) {
            all[i].type = common(all[i].type, type);
            return;
        }
    mst_table_column *made = name ? mst_array_push(to->columns, 1) : NULL;
    if (made)
        *made = (mst_table_column){.name = name, .type = type, .documentation = doc ? doc : ""};
    else
        to->failed = true;
}

void mst_rows_add_field(mst_rows_columns *to, const char *name, const mst_field *field) {
    const unsigned n = components_of(field);
    for (unsigned i = 0; i < n && name; i++)
        mst_rows_add(to, mst_arena_printf(to->arena, "%s[%u]", name, i), type_of(field), field->doc);
    if (!n || !name)
        mst_rows_add(to, name, type_of(field), field->doc);
}

static bool has_column(const mst_field *field) {
    return *field->name && field->kind != MST_KIND_CHUNKS && field->directory < MST_DIRECTORY_OFFSET;
}

/* A field may not have the name of a column that all rows have. */
static const char *title_of(mst_rows_columns *f, const char *name) {
    const bool taken = strcmp(name, "file") == 0 || strcmp(name, "path") == 0;
    return taken ? mst_arena_printf(f->arena, "fields.%s", name) : name;
}

static void add_fields(mst_rows_columns *f, const mst_record *record) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it) && !f->failed;) {
        if (has_column(it.field))
            mst_rows_add_field(f, title_of(f, it.field->name), it.field);
    }
}

/* NULL if its values have no fields. */
static const mst_record *inner_of(const mst_field *field) {
    const mst_record *inner = field->record;
    while (inner && inner->is_inline)
        inner = inner->fields[0].record;
    return inner;
}

/* The names in the command's lines of JSON, where records in an element are several values. */
static void add_members(mst_rows_columns *f, const mst_record *record, const char *prefix) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it) && !f->failed;) {
        const mst_field *field = it.field;
        const bool real = field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64;
        const bool text = mst_is_text(field) || (field->flags & MST_FIELD_SENSE) || /* "~3" */
                          (field->names && !(field->flags & MST_FIELD_FLAGS));
        const mst_record *inner = inner_of(field);
        if (!has_column(field))
            continue;
        if (mst_differs_by_class(record, field))
            mst_rows_add(f, field->name, MST_CELL_TEXT, field->doc); /* as pairs */
        else if (inner && field->mode == MST_COUNT_ONE && !(field->flags & MST_FIELD_REPEATED) && !prefix)
            add_members(f, inner, field->name);
        else
            mst_rows_add(f, prefix ? mst_arena_printf(f->arena, "%s.%s", prefix, field->name) : field->name,
                         real   ? MST_CELL_REAL
                         : text ? MST_CELL_TEXT
                                : MST_CELL_INTEGER,
                         field->doc);
    }
}

/* The records of the elements of the list at a path below a record: several if versions differ. */
static void add_records(mst_rows_columns *f, const mst_record *record, const char *path, unsigned depth) {
    const size_t n = strcspn(path, ".[");
    const char *rest = path + n + strcspn(path + n, ".");
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it) && depth < 8;) {
        const mst_field *field = it.field;
        if (strncmp(field->name, path, n) != 0 || field->name[n] || !field->record)
            continue;
        const mst_record *inner = inner_of(field);
        if (!inner)
            continue;
        if (*rest)
            add_records(f, inner, rest + 1, depth + 1);
        else if (f->members)
            add_members(f, inner, NULL);
        else
            add_fields(f, inner);
    }
}

mst_table_column *mst_rows_fields(const mst_format *format, bool line, mst_arena *arena, size_t *count) {
    mst_array *columns = mst_arena_zero(arena, 1, sizeof *columns);
    mst_rows_columns f = {.arena = arena, .columns = columns, .members = line};
    if (!columns)
        return NULL;
    *columns = (mst_array){.element_size = sizeof(mst_table_column), .allocator = mst_arena_allocator(arena)};
    const char *at = format->information.rows;
    while (*at && !f.failed) {
        const size_t n = strcspn(at, " ");
        char *path = mst_arena_text(arena, at, n);
        f.failed = !path;
        if (path && !strchr(path, '@'))
            add_records(&f, format->tables.root, path, 0);
        at += n + strspn(at + n, " ");
    }
    if (!columns->count && !f.failed)
        mst_rows_add(&f, "value", MST_CELL_TEXT, "The element, which has no fields");
    *count = columns->count;
    return f.failed ? NULL : columns->items;
}

/* ---- rows ----------------------------------------------------------------------------------------- */

/* SIZE_MAX if there is none. */
static size_t column_at(mst_rows_cursor *to, const char *name, size_t length) {
    const mst_rows *rows = to->rows;
    for (size_t i = 0; i < rows->count; i++) {
        const size_t at = (to->next + i) % rows->count;
        if (at >= to->first && strncmp(rows->schema[at].name, name, length) == 0 &&
            !rows->schema[at].name[length])
            return to->next = at;
    }
    return SIZE_MAX;
}

static void put_typed(mst_rows *rows, size_t column, const mst_value *value) {
    int64_t number;
    double real;
    switch (rows->schema[column].type) {
    case MST_CELL_INTEGER:
        if (mst_get_integer(value, &number) == MST_OK)
            mst_cell_integer(rows, column, number);
        break;
    case MST_CELL_REAL:
        if (mst_get_real(value, &real) == MST_OK)
            mst_cell_real(rows, column, real);
        break;
    case MST_CELL_TEXT: mst_cell_value(rows, column, value); break;
    }
}

void mst_rows_put_value(mst_rows_cursor *to, const char *name, size_t length, const mst_value *value) {
    const size_t column = column_at(to, name, length);
    if (column != SIZE_MAX)
        put_typed(to->rows, column, value);
}

void mst_rows_put_components(mst_rows_cursor *to, const char *name, size_t length, const mst_value *list) {
    mst_value value;
    char title[128 + MST_NUMBER_MAX];
    unsigned char digit = '0';
    if (length >= 128)
        return;
    memcpy(title, name, length);
    title[length++] = '[';
    for (mst_iterator it = mst_iterate(list); digit <= '9' && mst_next(&it, &value); digit++) {
        memcpy(title + length, (const char[]){(char)digit, ']'}, 2);
        mst_rows_put_value(to, title, length + 2, &value);
    }
}

void mst_rows_put_field(mst_rows_cursor *to, const char *name, size_t length, const mst_value *value) {
    if (components_of(mst_field_of(value)))
        mst_rows_put_components(to, name, length, value);
    else
        mst_rows_put_value(to, name, length, value);
}

static mst_status put_record(void *user, const mst_row_element *element) {
    mst_rows_cursor *to = user;
    mst_rows *rows = to->rows;
    char path[MST_ROW_PATH], title[128];
    mst_value value;
    mst_cell_integer(rows, 0, rows->file);
    mst_cell_text(rows, 1, path, mst_row_path(element, path, sizeof path));
    to->next = to->first;
    if (mst_value_type(&element->value) != MST_TYPE_RECORD) {
        mst_cell_value(rows, 2, &element->value);
        mst_row_end(rows);
        return MST_OK;
    }
    for (mst_iterator it = mst_iterate(&element->value); mst_next(&it, &value);) {
        const char *name = mst_field_of(&value)->name;
        if (strcmp(name, "file") == 0 || strcmp(name, "path") == 0) {
            memcpy(title, "fields.", 7);
            memcpy(title + 7, name, 5);
            name = title;
        }
        mst_rows_put_field(to, name, strlen(name), &value);
    }
    mst_row_end(rows);
    return MST_OK;
}

mst_status mst_rows_record(mst_rows *rows) {
    mst_rows_cursor to = {.rows = rows, .first = 2};
    rows->by_element = true;
    return mst_rows_each(rows, true, put_record, &to);
}
