/* SPDX-License-Identifier: MIT */
/* `record`: the elements of a format's default list with a column for each field that any version has. */
#include "../core/number.h"
#include "../core/text.h"
#include "../tables/fields.h"
#include "rows.h"

#define COMPONENTS 4 /* lists of as many numbers have a column for each */

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

/* One type a column: what another version has otherwise is a real number, or a text. */
static mst_cell_type common(mst_cell_type a, mst_cell_type b) {
    return a == b ? a : a == MST_CELL_TEXT || b == MST_CELL_TEXT ? MST_CELL_TEXT : MST_CELL_REAL;
}

typedef struct found_columns {
    mst_arena *arena;
    mst_array *columns; /* mst_table_column */
    bool members, failed;
} found_columns;

static void add_column(found_columns *f, const char *name, mst_cell_type type, const char *doc) {
    mst_table_column *all = f->columns->items;
    for (size_t i = 0; i < f->columns->count && name; i++)
        if (strcmp(all[i].name, name) == 0) {
            all[i].type = common(all[i].type, type);
            return;
        }
    mst_table_column *made = name ? mst_array_push(f->columns, 1) : NULL;
    if (made)
        *made = (mst_table_column){.name = name, .type = type, .documentation = doc ? doc : ""};
    else
        f->failed = true;
}

static bool has_column(const mst_field *field) {
    return *field->name && field->kind != MST_KIND_CHUNKS && field->directory < MST_DIRECTORY_OFFSET;
}

/* A field may not be called as a column that all rows have. */
static const char *title_of(found_columns *f, const char *name) {
    const bool taken = strcmp(name, "file") == 0 || strcmp(name, "path") == 0;
    return taken ? mst_arena_printf(f->arena, "fields.%s", name) : name;
}

static void add_fields(found_columns *f, const mst_record *record) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it) && !f->failed;) {
        if (!has_column(it.field))
            continue;
        const unsigned n = components_of(it.field);
        const char *name = title_of(f, it.field->name);
        for (unsigned i = 0; i < n && name; i++)
            add_column(f, mst_arena_printf(f->arena, "%s[%u]", name, i), type_of(it.field), it.field->doc);
        if (!n)
            add_column(f, name, type_of(it.field), it.field->doc);
    }
}

/* NULL: its values have no fields. */
static const mst_record *inner_of(const mst_field *field) {
    const mst_record *inner = field->record;
    while (inner && inner->is_inline)
        inner = inner->fields[0].record;
    return inner;
}

/* What the command's lines of JSON call them, where records in an element are not one value. */
static void add_members(found_columns *f, const mst_record *record, const char *prefix) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it) && !f->failed;) {
        const mst_field *field = it.field;
        const bool real = field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64;
        const bool text = mst_is_text(field) || (field->flags & MST_FIELD_SENSE) || /* "~3" */
                          (field->names && !(field->flags & MST_FIELD_FLAGS));
        const mst_record *inner = inner_of(field);
        if (!has_column(field))
            continue;
        if (inner && field->mode == MST_COUNT_ONE && !(field->flags & MST_FIELD_REPEATED) && !prefix)
            add_members(f, inner, field->name);
        else
            add_column(f, prefix ? mst_arena_printf(f->arena, "%s.%s", prefix, field->name) : field->name,
                       real   ? MST_CELL_REAL
                       : text ? MST_CELL_TEXT
                              : MST_CELL_INTEGER,
                       field->doc);
    }
}

/* The records of the elements of the list at a path below a record: several, where versions differ. */
static void add_records(found_columns *f, const mst_record *record, const char *path, unsigned depth) {
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
    found_columns f = {.arena = arena, .columns = columns, .members = line};
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
        add_column(&f, "value", MST_CELL_TEXT, "The element, which has no fields");
    *count = columns->count;
    return f.failed ? NULL : columns->items;
}

/* ---- rows ----------------------------------------------------------------------------------------- */

typedef struct record_rows {
    mst_rows *rows;
    size_t next; /* the column after that of the last field: fields are in their order */
} record_rows;

/* SIZE_MAX: there is none. */
static size_t column_at(record_rows *r, const char *name, size_t length) {
    const mst_rows *rows = r->rows;
    for (size_t i = 0; i < rows->count; i++) {
        const size_t at = (r->next + i) % rows->count;
        if (at > 1 && strncmp(rows->schema[at].name, name, length) == 0 && !rows->schema[at].name[length])
            return r->next = at;
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

static void put_components(record_rows *r, const char *name, const mst_value *list) {
    mst_value value;
    char title[128 + MST_NUMBER_MAX];
    size_t length = strlen(name);
    if (length >= 128)
        return;
    memcpy(title, name, length);
    title[length++] = '[';
    unsigned char digit = '0';
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &value); digit++) {
        memcpy(title + length, (const char[]){(char)digit, ']'}, 2);
        const size_t column = column_at(r, title, length + 2);
        if (column != SIZE_MAX)
            put_typed(r->rows, column, &value);
    }
}

static mst_status put_record(void *user, const mst_row_element *element) {
    record_rows *r = user;
    mst_rows *rows = r->rows;
    char path[MST_ROW_PATH], title[128];
    mst_value value;
    mst_cell_integer(rows, 0, rows->file);
    mst_cell_text(rows, 1, path, mst_row_path(element, path, sizeof path));
    r->next = 2;
    if (mst_value_type(&element->value) != MST_TYPE_RECORD) {
        mst_cell_value(rows, 2, &element->value);
        mst_row_end(rows);
        return MST_OK;
    }
    for (mst_iterator it = mst_iterate(&element->value); mst_next(&it, &value);) {
        const mst_field *field = mst_field_of(&value);
        const char *name = field->name;
        if (strcmp(name, "file") == 0 || strcmp(name, "path") == 0) {
            memcpy(title, "fields.", 7);
            memcpy(title + 7, name, 5);
            name = title;
        }
        if (components_of(field)) {
            put_components(r, name, &value);
            continue;
        }
        const size_t column = column_at(r, name, strlen(name));
        if (column != SIZE_MAX)
            put_typed(rows, column, &value);
    }
    mst_row_end(rows);
    return MST_OK;
}

mst_status mst_rows_record(mst_rows *rows) {
    record_rows r = {.rows = rows};
    return mst_rows_each(rows, true, put_record, &r);
}
