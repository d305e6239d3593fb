/* SPDX-License-Identifier: MIT */
/*
 * Lines of JSON or CSV in which every row has every column, and every column one type: an absent value is
 * null, or in CSV an empty cell, where an empty text is "". Real numbers have a decimal point or an exponent,
 * so that readers that inspect only the first rows do not mistake a column for integers.
 */
#include "../../src/core/number.h"
#include "../output/csv.h"
#include "../output/streams.h"
#include "sinks.h"
#include <stdlib.h>
#include <string.h>

#define PIECE (1U << 16) /* bytes that are written at once */

typedef struct lines {
    rows_sink sink;
    target out;
    lines_kind kind;
    stream text;
    stream *keys; /* JSON: the text before each value */
    size_t column_count;
} lines;

static bool flush(lines *to) {
    const mst_sink sink = target_sink(&to->out);
    const bool good = !to->text.size || sink.write(sink.user, to->text.data, to->text.size) == MST_OK;
    to->text.size = 0;
    return good;
}

/* ---- cells ---------------------------------------------------------------------------------------- */

static void put_real(stream *to, double number) {
    char text[MST_NUMBER_MAX];
    size_t length = mst_write_f64(text, number);
    put(to, text, length);
    if (!memchr(text, '.', length) && !memchr(text, 'e', length))
        put(to, ".0", 2);
}

static void put_text_cell(lines *to, const char *text, size_t length) {
    if (to->kind == LINES_JSON)
        put_json_string(&to->text, text, length);
    else if (!length)
        put(&to->text, "\"\"", 2);
    else if (to->kind == LINES_CSV)
        csv_put_cell(&to->text, text, length);
    else
        csv_put_safe_cell(&to->text, text, length);
}

static void put_cell(lines *to, const mst_table_column *from, size_t row) {
    char text[MST_NUMBER_MAX];
    const char *at;
    size_t length;
    if (!from->has[row]) {
        put_text(&to->text, to->kind == LINES_JSON ? "null" : "");
        return;
    }
    switch (from->type) {
    case MST_CELL_INTEGER: put(&to->text, text, mst_write_i64(text, from->integers[row])); break;
    case MST_CELL_REAL: put_real(&to->text, from->reals[row]); break;
    case MST_CELL_TEXT: at = cell_text(from, row, &length), put_text_cell(to, at, length); break;
    }
}

static bool take(rows_sink *sink, const file_rows *rows) {
    lines *to = (lines *)sink;
    const mst_table *table = rows->tables[0];
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            put(&to->text, to->keys[i].data, to->keys[i].size);
            put_cell(to, &table->columns[i], row);
        }
        put_text(&to->text, to->kind == LINES_JSON ? "}\n" : "\n");
        if (to->text.size >= PIECE && !flush(to))
            return false;
    }
    return true;
}

/* ---- the file ------------------------------------------------------------------------------------- */

static void put_keys(lines *to, const mst_table *columns) {
    for (size_t i = 0; i < columns->column_count; i++) {
        const char *name = columns->columns[i].name;
        to->keys[i] = stream_memory();
        if (to->kind != LINES_JSON) {
            put_text(&to->keys[i], i ? "," : "");
            put_text(&to->text, i ? "," : "");
            csv_put_cell(&to->text, name, strlen(name));
            continue;
        }
        put_text(&to->keys[i], i ? "," : "{");
        put_json_string(&to->keys[i], name, strlen(name));
        put_text(&to->keys[i], ":");
    }
    put_text(&to->text, to->kind == LINES_JSON ? "" : "\n");
}

static void release(lines *to) {
    for (size_t i = 0; i < to->column_count; i++)
        stream_free(&to->keys[i]);
    free(to->keys);
    stream_free(&to->text);
    free(to);
}

static bool end(rows_sink *sink, bool keep) {
    lines *to = (lines *)sink;
    bool good = keep && flush(to);
    if (good)
        good = target_finish(&to->out);
    else
        target_abandon(&to->out);
    release(to);
    return good || !keep;
}

rows_sink *lines_sink(const char *path, const mst_table *columns, lines_kind kind) {
    lines *to = need(calloc(1, sizeof *to));
    to->sink = (rows_sink){.take = take, .end = end};
    to->kind = kind;
    to->text = stream_memory();
    to->column_count = columns->column_count;
    to->keys = need(calloc(columns->column_count + 1, sizeof *to->keys));
    put_keys(to, columns);
    if (target_begin(&to->out, path))
        return &to->sink;
    release(to);
    return NULL;
}
