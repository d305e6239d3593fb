/* SPDX-License-Identifier: MIT */
#include "table_line.h"
#include "../output/columns.h"
#include "../output/show.h"
#include <stdlib.h>
#include <string.h>

void line_begin(line_columns *line, const mst_format_information *format) {
    *line = (line_columns){NULL, NULL, 0, 0};
    if (!format)
        return;
    if (mst_table_columns(format, "line", &line->table, NULL) != MST_OK)
        need(NULL);
    line->count = line->table->column_count;
    line->put = need(calloc(line->count + 1, sizeof *line->put));
}

void line_end(line_columns *line) {
    mst_table_free(line->table);
    free(line->put);
}

void line_begin_row(line_columns *line) {
    if (line->count)
        memset(line->put, 0, line->count * sizeof *line->put);
    line->next = 0;
}

mst_cell_type line_type(line_columns *line, const char *title) {
    const mst_table_column *all = line->count ? line->table->columns : NULL;
    for (size_t i = 0, at = line->next; i < line->count; i++, at++) {
        if (at >= line->count)
            at = 0;
        if (all[at].name[0] != title[0] || strcmp(all[at].name, title) != 0)
            continue;
        line->put[at] = true;
        line->next = at + 1;
        return all[at].type;
    }
    return MST_CELL_INTEGER;
}

void line_put_rest(stream *to, line_columns *line) {
    char title[128];
    for (size_t i = 0; i < line->count; i++)
        if (!line->put[i]) {
            put_json_key(to, column_title(line->table->columns[i].name, title));
            put_text(to, "null");
        }
}

static bool is_real(const mst_value *value) {
    mst_value first;
    return mst_value_type(value) == MST_TYPE_REAL ||
           (mst_value_type(value) == MST_TYPE_LIST && mst_element(value, 0, &first) == MST_OK &&
            mst_value_type(&first) == MST_TYPE_REAL);
}

static bool in_number(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* Writes the number at the beginning of a text in the column's type; returns its length. */
static size_t put_number(stream *to, const char *text, size_t size, bool real) {
    size_t n = 0;
    bool whole = true;
    for (; n < size && in_number(text[n]); n++)
        whole = whole && text[n] != '.' && text[n] != 'e' && text[n] != 'E';
    if (!real)
        put(to, "\"", 1);
    put(to, text, n);
    if (!real)
        put(to, "\"", 1);
    else if (whole)
        put(to, ".0", 2);
    return n;
}

/* Writes JSON of numbers and texts, alone or in lists, with the numbers converted. */
static void put_changed(stream *to, const char *json, size_t size, bool real) {
    bool quoted = false;
    for (size_t i = 0; i < size;) {
        if (!quoted && (json[i] == '-' || (json[i] >= '0' && json[i] <= '9'))) {
            i += put_number(to, json + i, size - i, real);
            continue;
        }
        const size_t n = quoted && json[i] == '\\' && i + 1 < size ? 2 : 1;
        quoted = n == 1 && json[i] == '"' ? !quoted : quoted;
        put(to, json + i, n);
        i += n;
    }
}

void line_put_value(stream *to, line_columns *line, const char *title, const mst_value *value) {
    const mst_cell_type type = line_type(line, title);
    const bool real = type == MST_CELL_REAL || is_real(value), flags = is_flags(value);
    if (!real && type != MST_CELL_TEXT && !flags) {
        put_value_json(to, value);
        return;
    }
    stream json = stream_memory();
    put_value_json(&json, value);
    if (!flags)
        put_changed(to, json.data, json.size, real);
    else if (json.data[0] == '[')
        put(to, json.data, json.size);
    else /* a number where others are flags: none is set */
        print(to, "[%.*s]", (int)json.size, json.data);
    stream_free(&json);
}
