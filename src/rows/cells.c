/* SPDX-License-Identifier: MIT */
#include "../core/number.h"
#include "../core/text.h"
#include "rows.h"
#include <math.h>

/* NULL unless the column is wanted and has no value in this row yet. */
static mst_rows_column *column_of(mst_rows *rows, size_t column) {
    mst_rows_column *one = &rows->columns[column];
    return rows->failed || !one->wanted || one->has.count > rows->row ? NULL : one;
}

/* Whether there is room for one more; usually there is. */
static inline bool has_room(mst_array *array) {
    if (array->count < array->capacity)
        return true;
    if (!mst_array_push(array, 1))
        return false;
    array->count--;
    return true;
}

static void put_number(mst_rows *rows, mst_rows_column *one, uint64_t bits, bool has) {
    if (!has_room(&one->values) || !has_room(&one->has)) {
        rows->failed = true;
        return;
    }
    ((uint64_t *)one->values.items)[one->values.count++] = bits;
    ((unsigned char *)one->has.items)[one->has.count++] = has;
}

void mst_cell_integer(mst_rows *rows, size_t column, int64_t number) {
    mst_rows_column *one = column_of(rows, column);
    if (one)
        put_number(rows, one, (uint64_t)number, true);
}

void mst_cell_real(mst_rows *rows, size_t column, double number) {
    mst_rows_column *one = isfinite(number) ? column_of(rows, column) : NULL;
    if (one)
        put_number(rows, one, mst_bits_of_f64(number), true);
}

void mst_cell_text(mst_rows *rows, size_t column, const char *text, size_t length) {
    mst_rows_column *one = column_of(rows, column);
    if (!one)
        return;
    char *to = length ? mst_array_push(&one->bytes, length) : NULL;
    if (!to && length) {
        rows->failed = true;
        return;
    }
    if (length)
        memcpy(to, text, length);
    put_number(rows, one, one->bytes.count, true);
}

/* A file name may have any bytes, but readers of tables take only UTF-8. */
void mst_cell_name(mst_rows *rows, size_t column, const char *text, size_t length) {
    mst_rows_column *one = column_of(rows, column);
    if (!one)
        return;
    mst_cell_text(rows, column, text, length);
    if (rows->failed || mst_utf8_valid(text, length))
        return;
    char *put = (char *)one->bytes.items + one->bytes.count - length;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)put[i] > '~')
            put[i] = '?';
}

void mst_cell_word(mst_rows *rows, size_t column, const char *text) {
    if (text && *text)
        mst_cell_name(rows, column, text, strlen(text));
}

/* A sink that appends to a column's bytes. */
typedef struct append_state {
    mst_rows *rows;
    mst_rows_column *to;
} append_state;

static mst_status append(void *user, const void *data, size_t size) {
    append_state *a = user;
    char *to = mst_array_push(&a->to->bytes, size);
    if (!to && size)
        return MST_NO_MEMORY;
    if (size)
        memcpy(to, data, size);
    return MST_OK;
}

static mst_status write_json(const mst_value *value, mst_noted_members *members, mst_sink sink) {
    const mst_json_options how = {.size = sizeof how, .compact = 1};
    return members ? mst_write_json_noting(value, members, sink) : mst_write_json(value, &how, sink, NULL);
}

void mst_cell_json(mst_rows *rows, size_t column, const mst_value *value, mst_noted_members *members) {
    mst_rows_column *one = column_of(rows, column);
    if (!one)
        return;
    append_state to = {rows, one};
    const size_t before = one->bytes.count;
    if (write_json(value, members, (mst_sink){append, &to}) != MST_OK) {
        rows->failed = true;
        return;
    }
    const char *bytes = one->bytes.items;
    while (one->bytes.count > before && bytes[one->bytes.count - 1] == '\n')
        one->bytes.count--;
    if (one->bytes.count > before)
        put_number(rows, one, one->bytes.count, true);
}

bool mst_append_text(mst_array *characters, const mst_value *text) {
    char small[256], *to;
    size_t length = 0;
    const bool fits = mst_get_text(text, small, sizeof small, &length) == MST_OK && length < sizeof small;
    if (!length)
        return true;
    to = mst_array_push(characters, length + !fits); /* the NUL of a long text is also written */
    if (!to || (!fits && mst_get_text(text, to, length + 1, NULL) != MST_OK))
        return false;
    if (fits)
        memcpy(to, small, length);
    characters->count -= !fits;
    return true;
}

/* A text of any length, written directly to the column. */
static void put_whole_text(mst_rows *rows, size_t column, const mst_value *value) {
    mst_rows_column *one = column_of(rows, column);
    if (!one)
        return;
    if (mst_append_text(&one->bytes, value))
        put_number(rows, one, one->bytes.count, true);
    else
        rows->failed = true;
}

static void put_real_text(mst_rows *rows, size_t column, double number) {
    char text[MST_NUMBER_MAX];
    if (isfinite(number))
        mst_cell_text(rows, column, text, mst_write_f64(text, number));
    else
        mst_cell_word(rows, column, isnan(number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity");
}

static void put_integer_text(mst_rows *rows, size_t column, const mst_value *value) {
    char text[MST_NUMBER_MAX];
    int64_t number;
    uint64_t large;
    if (mst_get_integer(value, &number) == MST_OK)
        mst_cell_text(rows, column, text, mst_write_i64(text, number));
    else if (mst_get_unsigned(value, &large) == MST_OK)
        mst_cell_text(rows, column, text, mst_write_u64(text, large));
}

void mst_cell_value(mst_rows *rows, size_t column, const mst_value *value) {
    char flags[4096];
    double real;
    switch (mst_value_type(value)) {
    case MST_TYPE_TEXT: put_whole_text(rows, column, value); break;
    case MST_TYPE_REAL:
        if (mst_get_real(value, &real) == MST_OK)
            put_real_text(rows, column, real);
        break;
    case MST_TYPE_BOOL:
    case MST_TYPE_INTEGER:
        if (mst_get_flags(value, flags, sizeof flags, NULL) == MST_OK)
            mst_cell_word(rows, column, flags);
        else if (mst_get_name(value))
            mst_cell_word(rows, column, mst_get_name(value));
        else
            put_integer_text(rows, column, value);
        break;
    case MST_TYPE_BYTES:
    case MST_TYPE_RECORD:
    case MST_TYPE_LIST: mst_cell_json(rows, column, value, NULL); break;
    case MST_TYPE_NONE: break;
    }
}

static void expect(mst_array *array, size_t count) {
    if (mst_array_push(array, count))
        array->count -= count;
}

void mst_rows_expect(mst_rows *rows, uint64_t count) {
    for (size_t i = 0; i < rows->count && count && count <= SIZE_MAX; i++)
        if (rows->columns[i].wanted) {
            expect(&rows->columns[i].has, (size_t)count);
            expect(&rows->columns[i].values, (size_t)count);
        }
}

void mst_row_end(mst_rows *rows) {
    for (size_t i = 0; i < rows->count && !rows->failed; i++) {
        mst_rows_column *one = &rows->columns[i];
        if (one->wanted && one->has.count == rows->row)
            put_number(rows, one, rows->schema[i].type == MST_CELL_TEXT ? one->bytes.count : 0, false);
    }
    rows->row++;
}
