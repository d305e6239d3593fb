/* SPDX-License-Identifier: MIT */
/* `property`: the numbers and texts in elements, one row each, at any depth of records and lists. */
#include "../core/number.h"
#include "rows.h"

enum { FILE_ID, PATH, SEQUENCE, NAME, COMPONENT, TYPE, NUMBER, TEXT };

#define EXACT ((int64_t)1 << 53) /* a larger integer may not be exact as a double */

/* A record or list whose values are being listed. Objects may contain objects, so there is no recursion. */
typedef struct level_of_values {
    mst_iterator rest;
    size_t length; /* of its name in `name` */
    uint64_t next; /* of a list: the index of the next element */
    bool list;
} level_of_values;

typedef struct property_rows {
    mst_rows *rows;
    mst_array stack; /* level_of_values */
    mst_array name;  /* characters */
    char path[MST_ROW_PATH];
    size_t path_length;
    int64_t sequence;
} property_rows;

/* ---- a row ---------------------------------------------------------------------------------------- */

static void put_number(mst_rows *rows, const mst_value *value) {
    double real;
    int64_t number;
    char text[2];
    const mst_type type = mst_value_type(value);
    if (type == MST_TYPE_TEXT || type == MST_TYPE_BYTES) {
        mst_cell_value(rows, TEXT, value);
        return;
    }
    if (mst_get_real(value, &real) != MST_OK)
        return;
    mst_cell_real(rows, NUMBER, real);
    if (type == MST_TYPE_REAL) {
        if (real - real != 0) /* NaN and infinities */
            mst_cell_value(rows, TEXT, value);
        return;
    }
    const bool named = mst_get_name(value) || mst_get_flags(value, text, sizeof text, NULL) == MST_OK;
    if (named || mst_get_integer(value, &number) != MST_OK || number > EXACT || number < -EXACT)
        mst_cell_value(rows, TEXT, value);
}

static void put_row(property_rows *p, const mst_value *value, int64_t component) {
    mst_rows *rows = p->rows;
    mst_cell_integer(rows, FILE_ID, rows->file);
    mst_cell_text(rows, PATH, p->path, p->path_length);
    mst_cell_integer(rows, SEQUENCE, p->sequence++);
    mst_cell_text(rows, NAME, p->name.items, p->name.count);
    if (component >= 0)
        mst_cell_integer(rows, COMPONENT, component);
    mst_cell_word(rows, TYPE, mst_value_field(value).type_name);
    put_number(rows, value);
    mst_row_end(rows);
}

/* ---- names ---------------------------------------------------------------------------------------- */

static bool add_text(property_rows *p, const char *text, size_t length) {
    char *to = mst_array_push(&p->name, length);
    if (to && length)
        memcpy(to, text, length);
    return to != NULL;
}

static bool add_index(property_rows *p, uint64_t index) {
    char digits[MST_NUMBER_MAX];
    return add_text(p, "[", 1) && add_text(p, digits, mst_write_u64(digits, index)) && add_text(p, "]", 1);
}

/* ---- values of an element ------------------------------------------------------------------------- */

static mst_status push(property_rows *p, const mst_value *value) {
    level_of_values *level = mst_array_push(&p->stack, 1);
    if (!level)
        return MST_NO_MEMORY;
    *level = (level_of_values){
        .rest = mst_iterate(value), .length = p->name.count, .list = mst_value_type(value) == MST_TYPE_LIST};
    return MST_OK;
}

static bool has_parts(const mst_value *value) {
    const mst_type type = mst_value_type(value);
    return type == MST_TYPE_RECORD || type == MST_TYPE_LIST;
}

/* For a record in a list of pairs: its name and value. */
static bool is_pair(const mst_value *value, mst_value *name, mst_value *content) {
    const mst_field *field = mst_field_of(value);
    return field->record && field->record->pairs && mst_value_type(value) == MST_TYPE_RECORD &&
           mst_member(value, "name", name) == MST_OK && mst_member(value, "value", content) == MST_OK;
}

static mst_status take_element(property_rows *p, level_of_values *level, const mst_value *value) {
    mst_value name, content;
    const uint64_t index = level->next++;
    const size_t length = level->length;
    if (is_pair(value, &name, &content)) {
        p->name.count = 0;
        if (!mst_append_text(&p->name, &name)) /* the pair's name: `origin` */
            return MST_NO_MEMORY;
        if (has_parts(&content))
            return push(p, &content);
        put_row(p, &content, -1);
        return MST_OK;
    }
    p->name.count = length;
    if (!has_parts(value)) {
        put_row(p, value, (int64_t)index);
        return MST_OK;
    }
    return add_index(p, index) ? push(p, value) : MST_NO_MEMORY;
}

static mst_status take_field(property_rows *p, const level_of_values *level, const mst_value *value) {
    const char *name = mst_field_of(value)->name;
    p->name.count = level->length;
    if ((p->name.count && !add_text(p, ".", 1)) || !add_text(p, name, strlen(name)))
        return MST_NO_MEMORY;
    if (has_parts(value))
        return push(p, value);
    put_row(p, value, -1);
    return MST_OK;
}

static mst_status put_values(void *user, const mst_row_element *element) {
    property_rows *p = user;
    mst_value value;
    p->path_length = mst_row_path(element, p->path, sizeof p->path);
    p->sequence = 0;
    p->stack.count = p->name.count = 0;
    if (!has_parts(&element->value)) {
        if (!add_text(p, "value", 5))
            return MST_NO_MEMORY;
        put_row(p, &element->value, -1);
        return MST_OK;
    }
    mst_status status = push(p, &element->value);
    while (status == MST_OK && p->stack.count && !p->rows->failed) {
        level_of_values *level = (level_of_values *)p->stack.items + p->stack.count - 1;
        if (!mst_next(&level->rest, &value))
            p->stack.count--;
        else
            status = level->list ? take_element(p, level, &value) : take_field(p, level, &value);
    }
    return status;
}

mst_status mst_rows_property(mst_rows *rows) {
    property_rows p = {.rows = rows};
    p.stack = (mst_array){.element_size = sizeof(level_of_values), .allocator = rows->allocator};
    p.name = (mst_array){.element_size = 1, .allocator = rows->allocator};
    mst_status status = mst_rows_each(rows, false, put_values, &p);
    mst_array_free(&p.stack);
    mst_array_free(&p.name);
    return status;
}
