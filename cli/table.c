/* SPDX-License-Identifier: MIT */
/* mapstone table: things in levels as rows, over many files. */
#include "batch.h"
#include "commands.h"
#include "sha256.h"
#include "show.h"
#include <stdlib.h>
#include <string.h>

#define SHORT_LIST 16 /* longer lists are no cells */

/* A list of {name, value}, which may hold a name twice. */
#define PROPERTIES "properties"

typedef enum column_kind {
    COLUMN_FILE,
    COLUMN_SHA256,
    COLUMN_PATH,
    COLUMN_OFFSET,
    COLUMN_PROPERTY,
    COLUMN_FIELD
} column_kind;

static const char *const fixed_columns[] = {"file", "sha256", "path", "offset"};
#define FIXED_COLUMNS 4

typedef struct column {
    column_kind kind;
    const char *name; /* as asked for; of a property: behind "properties." */
    const char *title;
} column;

typedef struct condition {
    column left;
    char *name;
    const char *value;
} condition;

typedef struct table {
    const char *rows; /* --rows or NULL: the format's */
    bool csv, csv_safe;
    _Atomic uint64_t *formulas; /* texts that spreadsheets take for formulas, written as they are */
    column *columns;            /* chosen, or for CSV those of the first file; NULL: every field */
    size_t column_count;
    char **column_names;
    condition *conditions;
    size_t condition_count;
} table;

/* What a row stands in. */
typedef struct row {
    const job *work;
    const char *sha256, *rows;
    uint64_t index;
    mst_value value;
} row;

static column column_of(const char *name) {
    size_t prefix = sizeof PROPERTIES;
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        if (!strcmp(name, fixed_columns[i]))
            return (column){(column_kind)i, name, name};
    if (!strncmp(name, PROPERTIES ".", prefix) && name[prefix])
        return (column){COLUMN_PROPERTY, name + prefix, name};
    return (column){COLUMN_FIELD, name, name};
}

/* ---- cells ---------------------------------------------------------------------------------------- */

/* What a list of one element holds: `intensity` is 0.5, not [0.5]. */
static mst_value unwrapped(mst_value value) {
    mst_value only;
    if (mst_value_type(&value) == MST_TYPE_LIST && mst_count(&value) == 1 &&
        mst_element(&value, 0, &only) == MST_OK && is_scalar(&only))
        return only;
    return value;
}

static bool is_cell(const mst_value *value) {
    return is_scalar(value) || is_short_list(value, SHORT_LIST);
}

/* The first property of a name. */
static bool find_property(const mst_value *owner, const char *wanted, mst_value *value) {
    mst_value list, property, name;
    size_t length;
    char text[256];
    if (mst_member(owner, PROPERTIES, &list) != MST_OK || mst_value_type(&list) != MST_TYPE_LIST)
        return false;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &property);)
        if (mst_member(&property, "name", &name) == MST_OK &&
            mst_get_text(&name, text, sizeof text, &length) == MST_OK && !strcmp(text, wanted))
            return mst_member(&property, "value", value) == MST_OK;
    return false;
}

static bool find_cell(const row *of, const column *one, mst_value *value) {
    mst_diagnostic why;
    bool found;
    if (one->kind == COLUMN_PROPERTY)
        found = mst_value_type(&of->value) == MST_TYPE_RECORD && find_property(&of->value, one->name, value);
    else if (!strcmp(one->name, "value") && mst_value_type(&of->value) != MST_TYPE_RECORD)
        found = (*value = of->value, true);
    else
        found = mst_find(of->value, one->name, value, &why) == MST_OK;
    if (found)
        *value = unwrapped(*value);
    return found;
}

/* Whether a cell is, or begins with, a text that somebody chose. */
static bool is_free_text(const mst_value *value) {
    mst_value first;
    return mst_value_type(value) == MST_TYPE_TEXT ||
           (mst_value_type(value) == MST_TYPE_LIST && mst_element(value, 0, &first) == MST_OK &&
            mst_value_type(&first) == MST_TYPE_TEXT);
}

/* Returns is_free_text. */
static bool put_cell_plain(stream *to, const row *of, const column *one) {
    uint64_t offset, length;
    mst_value value;
    switch (one->kind) {
    case COLUMN_FILE: put_text(to, of->work->input->path); return true;
    case COLUMN_SHA256: put_text(to, of->sha256); break;
    case COLUMN_PATH: print(to, "%s[%llu]", of->rows, (unsigned long long)of->index); break;
    case COLUMN_OFFSET:
        mst_value_span(&of->value, &offset, &length);
        offset = mst_place(of->value.document, offset);
        if (offset != MST_NO_OFFSET) /* else it is packed, and has none */
            print(to, "%llu", (unsigned long long)offset);
        break;
    case COLUMN_PROPERTY:
    case COLUMN_FIELD:
        if (!find_cell(of, one, &value))
            break;
        if (is_cell(&value))
            put_value_plain(to, &value);
        else
            put_value_json(to, &value);
        return is_free_text(&value);
    }
    return false;
}

/* `defused`: an apostrophe before it keeps spreadsheets from evaluating it. */
static void put_cell_csv(stream *to, bool defused, const char *text, size_t size) {
    bool quoted = false;
    for (size_t i = 0; i < size && !quoted; i++)
        quoted = text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
    if (!quoted) {
        put_text(to, defused ? "'" : "");
        put_data(to, text, size);
        return;
    }
    put_text(to, defused ? "\"'" : "\"");
    for (const char *quote; size && (quote = memchr(text, '"', size)); put(to, "\"", 1)) {
        size_t part = (size_t)(quote - text) + 1;
        put_data(to, text, part);
        text += part;
        size -= part;
    }
    put_data(to, text, size);
    put(to, "\"", 1);
}

/* ---- rows ----------------------------------------------------------------------------------------- */

static void put_row_csv(stream *to, const table *all, const row *of) {
    stream cell = stream_memory();
    for (size_t i = 0; i < all->column_count; i++) {
        if (i)
            put(to, ",", 1);
        cell.size = 0;
        bool text = put_cell_plain(&cell, of, &all->columns[i]);
        bool formula = text && cell.size && memchr("=+-@\t\r", cell.data[0], 6);
        if (formula && !all->csv_safe)
            ++*all->formulas;
        put_cell_csv(to, formula && all->csv_safe, cell.data ? cell.data : "", cell.size);
    }
    put(to, "\n", 1);
    stream_free(&cell);
}

static void put_cell_json(stream *to, const row *of, const column *one) {
    mst_value value;
    if (one->kind == COLUMN_PROPERTY || one->kind == COLUMN_FIELD) {
        if (find_cell(of, one, &value)) {
            put_json_key(to, one->title);
            put_value_json(to, &value);
        }
        return;
    }
    put_json_key(to, one->title);
    stream text = stream_memory();
    put_cell_plain(&text, of, one);
    if (one->kind == COLUMN_OFFSET)
        put(to, text.size ? text.data : "null", text.size ? text.size : 4);
    else
        put_json_string(to, text.data, text.size);
    stream_free(&text);
}

/* [["origin",[1,2,3]],["casts_shadows",1]]: names may repeat. */
static void put_properties(stream *to, const mst_value *list) {
    mst_value property, name, value;
    bool first = true;
    put_json_key(to, PROPERTIES);
    put_text(to, "[");
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &property);) {
        if (mst_value_type(&property) != MST_TYPE_RECORD || mst_member(&property, "name", &name) != MST_OK)
            continue;
        put_text(to, first ? "[" : ",[");
        first = false;
        put_value_json(to, &name);
        put_text(to, ",");
        if (mst_member(&property, "value", &value) == MST_OK) {
            value = unwrapped(value);
            put_value_json(to, &value);
        } else {
            put_text(to, "null");
        }
        put_text(to, "]");
    }
    put_text(to, "]");
}

static bool is_fixed_name(const char *name) {
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        if (!strcmp(name, fixed_columns[i]))
            return true;
    return false;
}

static void put_row_json(stream *to, const table *all, const row *of) {
    put_text(to, "{");
    if (all->columns) {
        for (size_t i = 0; i < all->column_count; i++)
            put_cell_json(to, of, &all->columns[i]);
        put_text(to, "}\n");
        return;
    }
    for (size_t i = 0; i < FIXED_COLUMNS; i++) {
        column one = {(column_kind)i, fixed_columns[i], fixed_columns[i]};
        put_cell_json(to, of, &one);
    }
    if (mst_value_type(&of->value) != MST_TYPE_RECORD) {
        put_json_key(to, "value");
        put_value_json(to, &of->value);
        put_text(to, "}\n");
        return;
    }
    mst_value field;
    for (mst_iterator it = mst_iterate(&of->value); mst_next(&it, &field);) {
        const char *name = mst_value_field(&field).name;
        if (!strcmp(name, PROPERTIES) && mst_value_type(&field) == MST_TYPE_LIST) {
            put_properties(to, &field);
        } else if (is_cell(&field)) {
            char other[128] = "fields.";
            if (is_fixed_name(name)) /* a field that is called as one of the fixed columns */
                name = strncat(other, name, sizeof other - 8);
            put_json_key(to, name);
            put_value_json(to, &field);
        }
    }
    put_text(to, "}\n");
}

/* Whether the cell holds flags that are as wanted: names, or a number. */
static bool has_flags(const row *of, const column *one, const char *wanted) {
    mst_value value;
    uint64_t bits, number;
    if (one->kind < COLUMN_PROPERTY || !find_cell(of, one, &value) ||
        mst_read_flags(&value, wanted, &bits, NULL) != MST_OK)
        return false;
    return mst_get_unsigned(&value, &number) == MST_OK && bits == number;
}

static bool is_wanted(const table *all, const row *of) {
    bool wanted = true;
    stream cell = stream_memory();
    for (size_t i = 0; i < all->condition_count && wanted; i++) {
        const char *value = all->conditions[i].value;
        cell.size = 0;
        put_cell_plain(&cell, of, &all->conditions[i].left);
        wanted = cell.size == strlen(value) && (!cell.size || !memcmp(cell.data, value, cell.size));
        wanted = wanted || has_flags(of, &all->conditions[i].left, value);
    }
    stream_free(&cell);
    return wanted;
}

static int table_one(job *work) {
    const table *all = work->batch->user;
    const char *file = work->input->path;
    int code = job_open(work, SOURCE_JSON);
    if (code >= 0)
        return code;
    const mst_document *document = work->opened.document;
    mst_diagnostic why;
    mst_value list;
    row one = {.work = work, .rows = all->rows ? all->rows : mst_document_format(document)->rows};
    if (!one.rows[0]) {
        blame(&why, MST_UNSUPPORTED, "%s has no list of things; say which with --rows PATH",
              mst_document_format(document)->id);
        return job_unfit(work, &why);
    }
    if (mst_find(mst_root(document), one.rows, &list, &why) != MST_OK) {
        if (why.status == MST_NO_PATH && !work->input->named) /* another format's list was asked for */
            why.status = MST_UNSUPPORTED;
        return job_unfit(work, &why);
    }
    if (mst_value_type(&list) != MST_TYPE_LIST) {
        blame(&why, MST_ARGUMENT, "%s is no list", one.rows);
        return say_diagnosis(file, &why);
    }
    char sha256[65];
    size_t size;
    const void *bytes = mst_document_file(document, 0, NULL, &size);
    sha256_text(bytes, size, sha256);
    one.sha256 = sha256;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &one.value); one.index++) {
        if (!is_wanted(all, &one))
            continue;
        if (all->csv)
            put_row_csv(&work->out, all, &one);
        else
            put_row_json(&work->out, all, &one);
    }
    return EXIT_YES;
}

/* ---- columns -------------------------------------------------------------------------------------- */

static void add_column(table *all, const char *name) {
    for (size_t i = 0; i < all->column_count; i++)
        if (!strcmp(all->columns[i].title, name))
            return;
    all->columns = need(realloc(all->columns, (all->column_count + 1) * sizeof *all->columns));
    all->columns[all->column_count++] = column_of(name);
}

/* CSV needs its columns first: the fields of all rows of the first file that has rows. */
static void find_columns(table *all, const options *given, const inputs *files) {
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        add_column(all, fixed_columns[i]);
    for (size_t i = 0; i < files->count && all->column_count == FIXED_COLUMNS; i++) {
        const char *path = files->items[i].path;
        mst_diagnostic why;
        mst_value list, element, field;
        batch dummy = {.given = given};
        job work = {.batch = &dummy, .input = &files->items[i]};
        source *opened = &work.opened;
        if ((!work.input->in && !is_regular(path)) || !job_recognised(&work, 0)) {
            source_close(&work.opened);
            continue;
        }
        if (source_open(opened, work.input, given, SOURCE_JSON, &why) == MST_OK) {
            const char *rows = all->rows ? all->rows : mst_document_format(opened->document)->rows;
            if (*rows && mst_find(mst_root(opened->document), rows, &list, &why) == MST_OK &&
                mst_value_type(&list) == MST_TYPE_LIST)
                for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);) {
                    if (mst_value_type(&element) != MST_TYPE_RECORD) {
                        add_column(all, "value");
                        break;
                    }
                    for (mst_iterator f = mst_iterate(&element); mst_next(&f, &field);)
                        if (is_cell(&field))
                            add_column(all, mst_value_field(&field).name);
                }
        }
        source_close(opened);
    }
}

static bool read_conditions(table *all, const options *given) {
    all->conditions = need(calloc(given->argument_count + 1, sizeof *all->conditions));
    for (size_t i = 0; i < given->argument_count; i++) {
        const char *text = given->arguments[i].value;
        if (given->arguments[i].id != OPTION_WHERE)
            continue;
        const char *equals = find_assignment(text);
        if (!equals || equals == text) {
            options_usage(given, "--where: '%s' is not of the form COLUMN=VALUE", text);
            return false;
        }
        condition *one = &all->conditions[all->condition_count++];
        one->name = need(calloc((size_t)(equals - text) + 1, 1));
        memcpy(one->name, text, (size_t)(equals - text));
        one->left = column_of(one->name);
        one->value = equals + 1;
    }
    return true;
}

static int run(const options *given) {
    _Atomic uint64_t formulas = 0;
    table all = {.rows = given->value[OPTION_ROWS], .formulas = &formulas};
    all.csv_safe = options_has(given, OPTION_CSV_SAFE);
    all.csv = all.csv_safe || options_has(given, OPTION_CSV);
    if (!given->operand_count)
        return options_usage(given, "table needs a file or directory");
    if (!format_is_known(given, given->value[OPTION_FROM]))
        return EXIT_TROUBLE;
    inputs files = inputs_expand(given);
    int code = EXIT_TROUBLE;
    if (read_conditions(&all, given)) {
        const char *chosen = given->value[OPTION_COLUMNS];
        size_t count = 0;
        all.column_names = split_commas(chosen ? chosen : "", &count);
        for (size_t i = 0; i < count; i++)
            add_column(&all, all.column_names[i]);
        if (all.csv && !chosen)
            find_columns(&all, given, &files);
        if (all.csv) {
            stream header = stream_stdout();
            for (size_t i = 0; i < all.column_count; i++) {
                put_text(&header, i ? "," : "");
                put_cell_csv(&header, false, all.columns[i].title, strlen(all.columns[i].title));
            }
            put_text(&header, "\n");
            stream_free(&header);
        }
        batch work = {.given = given, .inputs = &files, .run = table_one, .user = &all};
        code = batch_run(&work);
        if (formulas)
            say(MST_INFORMATION,
                "%llu %s with = + - or @, which spreadsheets take for a formula; --csv-safe puts a ' before "
                "it",
                (unsigned long long)formulas, formulas == 1 ? "cell begins" : "cells begin");
        batch_say_sum(&work, "read");
    }
    for (size_t i = 0; i < all.condition_count; i++)
        free(all.conditions[i].name);
    free(all.conditions);
    free(all.columns);
    split_free(all.column_names);
    inputs_free(&files);
    return code;
}

static const option_row rows[] = {
    {OPTION_ROWS, 'r', "rows", "PATH", NULL,
     "the list whose elements are rows (default: the format's things)"},
    {OPTION_CSV, 0, "csv", NULL, NULL, "CSV with a header, not one JSON object a line"},
    {OPTION_CSV_SAFE, 0, "csv-safe", NULL, NULL,
     "the same, with a ' before texts that begin with = + - or @"},
    {OPTION_COLUMNS, 'C', "columns", "A,B", NULL,
     "these columns only: file, sha256, path, offset, fields, properties.NAME"},
    {OPTION_WHERE, 'w', "where", "COLUMN=VALUE", NULL,
     "only rows in which it is so; may be given several times"},
    OPTION_ROW_QUIET("no sum at the end"),
    OPTION_ROW_FROM,
    OPTION_ROW_SALVAGE,
    OPTION_ROW_BATCH,
    OPTION_ROW_COMMON};

const command table_command = {
    .name = "table",
    .operands = "FILE...",
    .summary = "things in levels as rows of JSON or CSV, over many files",
    .description =
        "Writes one row for each element of a list, over all files: file, SHA-256, path, offset, "
        "then the element's "
        "numbers, strings and short lists. Properties stand in JSON as a list of pairs, [[name, "
        "value], ...], for "
        "names may repeat; in CSV --columns properties.NAME takes the first of that name. Flags are "
        "lists of names; --where takes them as these, as a number, or with + and - those that "
        "are set or not: flags=+light,-moving.",
    .options = rows,
    .examples = "mapstone table maps/ | jq -r .class_name | sort | uniq -c\n"
                "mapstone table --csv --where class_name=tech_point --columns file,properties.origin maps/\n"
                "mapstone table --csv --rows mesh.vertices maps/a.level",
    .run = run,
};
