/* SPDX-License-Identifier: MIT */
/* mapstone table: elements of levels as rows, over many files. */
#include "../../src/core/hash.h"
#include "../../src/read/opened.h"
#include "../inputs/many_files.h"
#include "../inputs/where.h"
#include "../output/added.h"
#include "../output/columns.h"
#include "../output/csv.h"
#include "../output/level_lists.h"
#include "../output/show.h"
#include "../output/table_rows.h"
#include "commands.h"
#include "shard.h"
#include "table_relations.h"
#include "table_row.h"
#include <stdlib.h>
#include <string.h>

/* ---- files ---------------------------------------------------------------------------------------- */

/* Reports a column that no row has, and the columns that the rows of `list` have (NULL: no file). */
static bool columns_are_met(const table *all, const options *given, const mst_value *list) {
    for (size_t i = 0; i < all->columns.count; i++) {
        const column *one = &all->columns.items[i];
        if (all->columns.met[i])
            continue;
        stream text = stream_memory();
        names there = {0};
        mst_value first, found;
        mst_diagnostic why;
        print(&text, "%s: no row has '%s'", one->option, one->title);
        if (list && one->kind == COLUMN_DEEP && mst_element(list, 0, &first) == MST_OK &&
            mst_find(first, one->name, &found, &why) != MST_OK) {
            print(&text, ": %s", why.message);
            if (why.expected[0])
                print(&text, " (expected %s)", why.expected);
        } else if (list) {
            add_column_names(&there, list);
            names_put(&there, &text, one->title);
        }
        put(&text, "", 1);
        options_usage(given, "%s", text.data);
        names_free(&there);
        stream_free(&text);
        return false;
    }
    return true;
}

/* Marks names that conditions accept although no field has them. */
static void meet_names(const table *all, const mst_value *element) {
    for (size_t i = 0; i < all->conditions.count; i++) {
        const condition *one = &all->conditions.items[i];
        if (one->column != SIZE_MAX && !all->columns.met[one->column] && condition_is_known(one, element))
            all->columns.met[one->column] = true;
    }
}

/* Checks the conditions against rows like these; MST_OK: they apply. */
static mst_status check_conditions(const table *all, const found_rows *rows, mst_diagnostic *why) {
    mst_value element;
    if (rows->all_lists) /* some lists lack fields that others have */
        return MST_OK;
    uint64_t index;
    bool met;
    row_iterator it = rows_iterate(rows);
    mst_status status = MST_OK;
    bool any = rows_next(&it, &element, &index);
    for (size_t i = 0; any && i < all->conditions.count && status == MST_OK; i++)
        status = mst_matches(&element, all->conditions.items[i].text, &met, why);
    return status;
}

/* Whether each column is in some row; reads only as many rows as needed. */
static bool meets_all(const table *all, cells *look, const found_rows *rows) {
    mst_value element;
    uint64_t index;
    for (row_iterator it = rows_iterate(rows); rows_next(&it, &element, &index);) {
        size_t met = 0;
        cells_fill(look, &element);
        meet_names(all, &element);
        while (met < all->columns.count && all->columns.met[met])
            met++;
        if (met == all->columns.count)
            return true;
    }
    return rows_count(rows) == 0;
}

/* Columns that the format adds count as met: they may be empty. */
static void meet_added_columns(const table *all, const mst_format_information *format) {
    for (size_t i = 0; i < all->columns.count; i++)
        if (is_added_column(format, all->columns.items[i].title))
            all->columns.met[i] = true;
}

/* The same for columns of labels that the first row has, and for the list itself. */
static void meet_labels(const table *all, row *first) {
    uint64_t element;
    first->index = 0;
    for (size_t i = 0; i < all->columns.count && rows_count(first->rows); i++)
        if (!strcmp(all->columns.items[i].title, LIST_COLUMN) ||
            (all->columns.items[i].kind == COLUMN_FIELD &&
             labels_of(first, all->columns.items[i].title, &element)))
            all->columns.met[i] = true;
}

/* Notes a suggestion for a single condition that no row meets. */
static void note_hint(const table *all, const found_rows *rows) {
    mst_diagnostic why;
    mst_value found;
    stream path = stream_memory();
    print(&path, "[%s]", all->conditions.items[0].text);
    put(&path, "", 1);
    if (all->conditions.count == 1 && !rows->chosen &&
        mst_find(rows->list, path.data, &found, &why) == MST_NO_PATH && why.reason == MST_REASON_NEAR_NAME)
        all->matches->hint = need(strdup(why.message));
    stream_free(&path);
}

/* A file that lacks a field in a condition: other files may have it. */
static void note_unknown(const table *all, const job *work, const mst_diagnostic *why, uint64_t rows) {
    all->matches->rows += rows;
    all->matches->unknown += rows;
    if (atomic_flag_test_and_set(&all->matches->noted))
        return;
    all->matches->why = *why;
    all->matches->path = work->input->path;
}

static int put_rows(const table *all, job *work, const found_rows *rows) {
    const mst_document *document = work->opened.document;
    bool alone = work->batch->inputs->count == 1;
    label_cells labels = {0};
    met_rows known = {0};
    line_columns line;
    row one = {
        .work = work, .rows = rows, .labels = &labels, .met = &known, .line = &line, .first = !all->rows};
    mst_diagnostic why;
    uint64_t met = 0;
    mst_status status = check_conditions(all, rows, &why);
    if (status == MST_NO_PATH && !alone)
        return note_unknown(all, work, &why, rows_count(rows)), EXIT_YES;
    if (status != MST_OK)
        return say_diagnosis(work->input->path, &why);
    cells_begin(&one.cells, &all->columns);
    meet_added_columns(all, mst_document_format(document));
    meet_labels(all, &one);
    if (alone && !meets_all(all, &one.cells, rows)) { /* before anything is written */
        columns_are_met(all, work->batch->given, &rows->list);
        row_end(&one);
        return EXIT_TROUBLE;
    }
    if (alone && all->csv)
        put_header(all, &work->out);
    char sha256[65];
    if (!all->shown || columns_have(&all->columns, COLUMN_SHA256)) {
        size_t size;
        const void *bytes = mst_document_file(document, 0, NULL, &size);
        mst_sha256_text(bytes, size, sha256);
        one.sha256 = sha256;
    }
    line_begin(&line, all->rows ? NULL : mst_document_format(document));
    for (row_iterator it = rows_iterate(rows); rows_next(&it, &one.value, &one.index);) {
        if (!*all->any_row)
            *all->any_row = true;
        if (all->columns.count)
            cells_fill(&one.cells, &one.value);
        if (!alone)
            meet_names(all, &one.value);
        if (!is_wanted(all, &one))
            continue;
        met++;
        if (all->csv)
            put_row_csv(&work->out, all, &one);
        else
            put_row_json(&work->out, all, &one);
        one.first = false;
    }
    line_end(&line);
    row_end(&one);
    all->matches->rows += rows_count(rows);
    all->matches->met += met;
    if (alone && !met && all->conditions.count)
        note_hint(all, rows);
    return EXIT_YES;
}

/* ---- lists instead of rows ------------------------------------------------------------------------ */

#define LIST_COLUMNS "file,rows,count,columns\n"

/* Whether elements of a list, such as this one, have a column that the format adds. */
static bool has_added(const job *work, const char *list, const mst_value *element, const char *name) {
    char text[ADDED_TEXT];
    label_cells labels = {0};
    bool has = mst_added_column(element, name, mst_level_sidecars(work->opened.level), text, sizeof text) ==
                   MST_OK ||
               labels_of_list(&labels, work->opened.document, list, name) != NULL;
    label_cells_free(&labels);
    return has;
}

typedef struct list_lines {
    job *work;
    bool csv, csv_safe;
} list_lines;

/* Writes a list that --rows can name, its number of rows, and their columns. */
static void put_list(void *user, const char *path, const mst_value *list) {
    list_lines *all = user;
    stream *out = &all->work->out, columns_there = stream_memory();
    const mst_format_information *format = mst_document_format(all->work->opened.document);
    const char *file = all->work->input->path;
    names there = {0};
    mst_value first;
    char name[ADDED_COLUMN];
    add_column_names(&there, list);
    for (size_t i = 0; added_column_at(format, i, name); i++)
        if (mst_element(list, 0, &first) == MST_OK && has_added(all->work, path, &first, name))
            names_add(&there, name);
    for (size_t i = FIXED_COLUMNS; i < there.count; i++) {
        put_text(&columns_there, i == FIXED_COLUMNS ? "" : all->csv ? " " : ",");
        if (all->csv)
            put_text(&columns_there, there.items[i]);
        else
            put_json_string(&columns_there, there.items[i], strlen(there.items[i]));
    }
    names_free(&there);
    unsigned long long count = mst_count(list);
    if (all->csv) {
        (all->csv_safe ? csv_put_safe_cell : csv_put_cell)(out, file, strlen(file));
        print(out, ",%s,%llu,", path, count);
        csv_put_cell(out, columns_there.data ? columns_there.data : "", columns_there.size);
        put_text(out, "\n");
    } else {
        put_text(out, "{");
        put_json_member(out, "file", file);
        put_json_member(out, "rows", path);
        print(out, ",\"count\":%llu,\"columns\":[", count);
        put(out, columns_there.data ? columns_there.data : "", columns_there.size);
        put_text(out, "]}\n");
    }
    stream_free(&columns_there);
}

static int table_one(job *work) {
    const table *all = work->batch->user;
    const char *file = work->input->path;
    int code = job_open(work, SOURCE_JSON);
    if (code >= 0)
        return code;
    if (options_has(work->batch->given, OPTION_LISTS)) {
        list_lines to = {work, all->csv, all->csv_safe};
        if (all->csv && work->batch->inputs->count == 1)
            put_text(&work->out, LIST_COLUMNS);
        each_list(work->opened.document, put_list, &to);
        return EXIT_YES;
    }
    const mst_document *document = work->opened.document;
    mst_diagnostic why;
    found_rows rows;
    mst_status status = rows_find(document, all->rows, &rows, &why);
    if (status == MST_NO_PATH && !work->input->named) /* the requested list belongs to another format */
        why.status = MST_UNSUPPORTED;
    if (status != MST_OK)
        code = status == MST_ARGUMENT ? say_diagnosis(file, &why) : job_unfit(work, &why);
    else
        code = put_rows(all, work, &rows);
    rows_close(&rows);
    return code;
}

/* ---- columns -------------------------------------------------------------------------------------- */

/* Opens the first file from `*next` on that has rows; skips files that can be read only once. */
static bool open_next(const table *all, const options *given, const inputs *files, size_t *next, job *work,
                      found_rows *rows) {
    while (*next < files->count) {
        mst_diagnostic why;
        work->input = &files->items[(*next)++];
        unsigned flags = work->input->named ? SOURCE_JSON : 0;
        *rows = (found_rows){.path = NULL};
        if ((work->input->in || is_regular(work->input->path)) &&
            source_open(&work->opened, work->input, given, flags, &why) == MST_OK &&
            rows_find(work->opened.document, all->rows, rows, &why) == MST_OK && rows_count(rows))
            return true;
        rows_close(rows);
        source_close(&work->opened);
    }
    return false;
}

/* Fields whose columns were added, by their names in the formats' tables. */
typedef struct seen {
    const char *names[256];
} seen;

static bool is_seen(seen *fields, const char *name) {
    const char **slot = &fields->names[(uintptr_t)name / 8 % 256];
    bool was = *slot == name;
    *slot = name;
    return was;
}

/* `inner`: also the fields in the rows' properties and records. */
static void add_row_columns(table *all, seen *fields, const mst_value *element, bool inner) {
    mst_value field, property, name, member;
    char capacity[128], title[sizeof PROPERTIES + 256] = PROPERTIES ".", inner_title[INNER_TITLE];
    if (mst_value_type(element) != MST_TYPE_RECORD) {
        columns_add(&all->columns, "value", "");
        return;
    }
    for (mst_iterator it = mst_iterate(element); mst_next(&it, &field);) {
        const char *field_name = mst_value_field(&field).name;
        if (is_cell(&field) && !is_seen(fields, field_name))
            columns_add(&all->columns, column_title(field_name, capacity), "");
        mst_iterator members = mst_iterate(&field);
        while (inner && mst_value_type(&field) == MST_TYPE_RECORD &&
               next_inner(&members, field_name, &member, inner_title))
            columns_add(&all->columns, inner_title, "");
        if (!inner || strcmp(field_name, PROPERTIES) != 0 || mst_value_type(&field) != MST_TYPE_LIST)
            continue;
        for (mst_iterator p = mst_iterate(&field); mst_next(&p, &property);)
            if (mst_member(&property, "name", &name) == MST_OK &&
                mst_get_text(&name, title + sizeof PROPERTIES, 256, NULL) == MST_OK)
                columns_add(&all->columns, title, "");
    }
}

static const char *list_of_first(const found_rows *rows, stream *path) {
    rows_place(rows, 0, path);
    return path->data;
}

/* Adds the columns of the rows that meet the conditions; false if no row does. */
static bool add_list_columns(table *all, seen *fields, const table *wanted, job *work,
                             const found_rows *rows) {
    bool any = false;
    label_cells labels = {0};
    met_rows known = {0};
    row one = {.work = work, .rows = rows, .labels = &labels, .met = &known};
    stream path = stream_memory();
    char name[ADDED_COLUMN];
    cells_begin(&one.cells, &wanted->columns);
    for (row_iterator it = rows_iterate(rows); rows_next(&it, &one.value, &one.index);) {
        cells_fill(&one.cells, &one.value);
        if (!is_wanted(wanted, &one))
            continue;
        add_row_columns(all, fields, &one.value, wanted->conditions.count != 0);
        any = true;
    }
    row_end(&one);
    for (size_t i = 0; added_column_at(mst_document_format(work->opened.document), i, name); i++)
        if (mst_element(&rows->list, 0, &one.value) == MST_OK &&
            has_added(work, rows_count(rows) ? list_of_first(rows, &path) : rows->path, &one.value, name))
            columns_add(&all->columns, name, "");
    stream_free(&path);
    return any;
}

static bool add_file_columns(table *all, const table *wanted, const options *given, const inputs *files) {
    batch dummy = {.given = given};
    job work = {.batch = &dummy};
    found_rows rows;
    seen fields = {{NULL}};
    bool any = false;
    for (size_t next = 0; open_next(all, given, files, &next, &work, &rows);) {
        any = add_list_columns(all, &fields, wanted, &work, &rows) || any;
        rows_close(&rows);
        source_close(&work.opened);
    }
    return any;
}

/* CSV needs its columns first: the fields of all rows of all files, which are read twice. With --where only
 * those of matching rows, and also the fields in their properties and records: rows of one class have the
 * same. */
static bool find_columns(table *all, const options *given, const inputs *files) {
    const table everything = {.rows = all->rows};
    table wanted = everything;
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        columns_add(&all->columns, fixed_columns[i], "");
    if (all->rows && !strcmp(all->rows, ALL_LISTS))
        columns_add(&all->columns, LIST_COLUMN, "");
    bool good = conditions_read(&wanted.conditions, &wanted.columns, given);
    if (good && !add_file_columns(all, &wanted, given, files) && wanted.conditions.count)
        add_file_columns(all, &everything, given, files);
    columns_free(&wanted.columns);
    conditions_free(&wanted.conditions);
    for (size_t i = 0; i < all->columns.count; i++)
        all->columns.met[i] = true; /* not requested by name */
    return good;
}

/* After many files: whether each column occurred somewhere. */
static int settle_columns(const table *all, const options *given, const inputs *files) {
    size_t met = 0;
    while (met < all->columns.count && all->columns.met[met])
        met++;
    if (met == all->columns.count || !*all->any_row || files->count == 1)
        return EXIT_YES;
    batch dummy = {.given = given};
    job work = {.batch = &dummy};
    found_rows rows;
    size_t next = 0;
    bool known = open_next(all, given, files, &next, &work, &rows);
    columns_are_met(all, given, known ? &rows.list : NULL);
    if (known) {
        rows_close(&rows);
        source_close(&work.opened);
    }
    return EXIT_TROUBLE;
}

/* As 1,201. */
static void put_grouped(stream *to, uint64_t number) {
    uint64_t unit = 1;
    while (number / unit >= 1000)
        unit *= 1000;
    print(to, "%llu", (unsigned long long)(number / unit));
    while (unit /= 1000)
        print(to, ",%03llu", (unsigned long long)(number / unit % 1000));
}

/* Conditions that no row meets may be misspelled. */
static int say_matches(const table *all, const options *given) {
    const matches *found = all->matches;
    if (!all->conditions.count || found->met || !found->rows)
        return EXIT_YES;
    if (found->unknown && found->unknown == found->rows)
        return say_diagnosis(found->path, &found->why);
    if (options_has(given, OPTION_QUIET))
        return EXIT_YES;
    stream text = stream_memory();
    put_grouped(&text, found->rows);
    put(&text, "", 1);
    say_plain("no row of %s matches%s%s", text.data, found->hint ? ": " : "", found->hint ? found->hint : "");
    stream_free(&text);
    return EXIT_YES;
}

static void say_formulas(uint64_t count) {
    if (count)
        say(MST_INFORMATION,
            "%llu %s with = + - or @, which spreadsheets take for a formula; --csv-safe adds a ' before it",
            (unsigned long long)count, count == 1 ? "cell begins" : "cells begin");
}

static int put_elements(const options *given, const inputs *files) {
    _Atomic uint64_t formulas = 0;
    _Atomic bool any_row = false;
    matches found = {.noted = ATOMIC_FLAG_INIT};
    table all = {
        .rows = given->value[OPTION_ROWS], .formulas = &formulas, .any_row = &any_row, .matches = &found};
    all.csv_safe = options_has(given, OPTION_CSV_SAFE);
    all.csv = all.csv_safe || options_has(given, OPTION_CSV);
    const char *chosen = given->value[OPTION_COLUMNS];
    size_t count = 0;
    char **titles = split_commas(chosen ? chosen : "", &count);
    for (size_t i = 0; i < count; i++)
        columns_add(&all.columns, titles[i], "--columns");
    bool lists = options_has(given, OPTION_LISTS);
    bool good = lists || !all.csv || count || find_columns(&all, given, files);
    all.shown = all.columns.count;
    int code = EXIT_TROUBLE;
    if (good && conditions_read(&all.conditions, &all.columns, given)) {
        batch work = {.given = given, .inputs = files, .run = table_one, .user = &all};
        if (all.csv && files->count != 1) {
            stream header = stream_stdout();
            if (lists)
                put_text(&header, LIST_COLUMNS);
            else
                put_header(&all, &header);
            stream_free(&header);
        }
        code = batch_run(&work);
        if (!stdout_failed()) { /* everything has been read */
            code = worse(code, settle_columns(&all, given, files));
            code = worse(code, say_matches(&all, given));
        }
        say_formulas(formulas);
        batch_say_sum(&work, "read");
    }
    free(found.hint);
    conditions_free(&all.conditions);
    columns_free(&all.columns);
    split_free(titles);
    return code;
}

static int run(const options *given) {
    options with = *given;
    named_files listed;
    if (!given->operand_count && !options_has(given, OPTION_FILES0_FROM))
        return options_usage(given, "table needs a file or directory");
    if (!format_is_known(given, given->value[OPTION_FROM]) || !search_paths_exist(given) ||
        !shard_is_valid(given))
        return EXIT_TROUBLE;
    int code = EXIT_TROUBLE;
    if (named_read(&with, &listed)) {
        inputs files = inputs_expand(&with);
        shard_choose(&files, &with);
        code = asks_for_relations(&with) ? put_relations(&with, &files) : put_elements(&with, &files);
        inputs_free(&files);
    }
    named_free(&listed);
    return code;
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT_DATA,
    {OPTION_ROWS, 'r', "rows", "PATH", NULL,
     "the list whose elements are rows (default: the format's main list)"},
    {OPTION_LISTS, 0, "lists", NULL, NULL,
     "instead, list the lists for --rows: of each file, with their lengths and columns"},
    {OPTION_CSV, 0, "csv", NULL, NULL, "CSV with a header, not one JSON object per line"},
    {OPTION_CSV_SAFE, 0, "csv-safe", NULL, NULL,
     "the same, with a ' before texts that a spreadsheet would evaluate: = + - @, also in full width, after "
     "blanks and after ;"},
    {OPTION_COLUMNS, 'C', "columns", "A,B", NULL,
     "only these columns: file, sha256, path, offset, fields, properties.NAME"},
    {OPTION_WHERE, 'w', "where", "CONDITION", NULL,
     "only rows that meet this condition, as COLUMN=VALUE; may be repeated"},
    {OPTION_TO, 't', "to", "CONTAINER", "sqlite parquet ndjson csv",
     "relations with fixed columns, as sqlite, parquet, ndjson or csv (default: by the ending of -o: .db, "
     ".sqlite, .parquet, .ndjson, .csv)"},
    {OPTION_RELATION, 0, "relation", "NAME", "file entity property relation asset finding record",
     "which relation: file, entity, property, relation, asset, finding or record (default: entity; a "
     "database "
     "has all)"},
    {OPTION_WIDE, 0, "wide", "CLASS", NULL,
     "the things of this class, with a column for each property that the class has"},
    {OPTION_LONG, 0, "long", NULL, NULL, "short for --relation property: a row for each value of a thing"},
    {OPTION_UPDATE, 0, "update", NULL, NULL,
     "add to a database what it lacks: files that it has, by name and content, are passed over"},
    {OPTION_PARTITION_BY, 0, "partition-by", "KEYS", NULL,
     "a directory of Parquet files, one for each family, format, or family,format"},
    {OPTION_SHARD, 0, "shard", "I/N", NULL,
     "only the files that are the Ith of N shards, by a hash of their names"},
    {OPTION_FILES0_FROM, 0, "files0-from", "FILE", NULL,
     "also the files whose names are in FILE, each ended by a NUL byte; -: standard input"},
    OPTION_ROW_QUIET("leave out the totals at the end"),
    OPTION_ROW_SEARCH_PATH,
    OPTION_ROW_FROM,
    OPTION_ROW_SALVAGE,
    OPTION_ROW_BATCH,
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_LISTS, OPTION_ROWS},    {OPTION_LISTS, OPTION_COLUMNS},
                                      {OPTION_LISTS, OPTION_WHERE},   {OPTION_WIDE, OPTION_RELATION},
                                      {OPTION_LONG, OPTION_RELATION}, {OPTION_LONG, OPTION_WIDE},
                                      {OPTION_NONE, OPTION_NONE}};

const command table_command = {
    .name = "table",
    .operands = "FILE...",
    .summary = "list elements of levels as rows of JSON or CSV, over many files",
    .description =
        "Writes one row for each element of a list, over all files, as JSON or CSV: file, SHA-256, path, "
        "offset, then the element's numbers, strings and short lists. --rows may also be a selector: "
        "'objects[10:20]'; with --rows '*' the rows are the elements of all lists, with the column list.\n\n"
        "- In JSON, properties are a list of pairs, [[name, value], ...], because names may repeat; so are "
        "the parameters of Star Fox Adventures, whose names mean something else in each type. In CSV, "
        "--columns properties.NAME selects the first property with that name, and with --where all "
        "properties of the selected rows are columns.\n"
        "- CSV has the columns of all rows of all files, which are read twice unless --columns is given.\n"
        "- In JSON the first row of each file has every column that files of its format may have, as null "
        "where "
        "it has none, for readers that look at the first rows.\n"
        "- Values of nested records have columns such as light.color; in CSV with --where also the "
        "parameters of a type of object in Star Fox Adventures, such as parameters.bit.\n"
        "- In JSON, offset and inner are numbers; in CSV both are the column offset: 16+1120 is byte 1120 of "
        "what is unpacked from offset 16.\n"
        "- Flags are lists of names.\n\n"
        "For databases and columnar files there are relations, whose columns are the same for every file: "
        "file, "
        "entity, property, relation, asset, finding and record. They are chosen by --to, --relation, "
        "--wide, --partition-by, or an -o that ends in .db, .sqlite, .parquet, .ndjson or .csv (the last two "
        "without "
        "--csv, --rows, --columns or --where). 'mapstone spec FORMAT --as table' lists the columns. A "
        "database "
        "gets all relations, a file of levels in one transaction; --update completes one. property has a row "
        "for each value; --wide CLASS is entity of one class, with columns for what such things have.\n\n"
        "Conditions of --where are written as in selectors: = (or ==) != < <= > >= ~ !~ has, within, joined "
        "by & and |, with ! and round brackets; patterns have *, ? and {a,b}.\n\n"
        "- Flags are compared with a list or a number, or tested one by one with + and -: "
        "flags=+light,-moving.\n"
        "- layer= and group= with an empty name match elements in no layer or group; a layer or group that "
        "does not exist is an error.\n"
        "- If no row meets the conditions, a note is written to stderr.\n\n"
        "Some columns are added to the fields:\n\n"
        "- Natural Selection 2: entities and faces have layers, group and location, in whose volume they "
        "are, "
        "and faces material, by name.\n"
        "- Turok: actors have model and animation, and type_name if definitions (defs/actors) are found in "
        "the file's directory, next to its folder levels or by --search-path; static meshes have model.\n"
        "- Alien Trilogy: cells have cell, their column and row; monsters and boxes have drops; triggers "
        "have cells, which start them, and does, in words; targets of commands have triggers, the numbers of "
        "the triggers with these commands.\n"
        "- Revenant: objects have type_name and imagery from class.def, and destination from exit.def, if "
        "these files are found.\n"
        "- class.def and exit.def: the rows are types, or statistics with --rows text@statistics; or exits.",
    .options = rows,
    .examples = "mapstone table maps/ | jq -r .class_name | sort | uniq -c\n"
                "mapstone table --csv --where class_name=tech_point --columns file,properties.origin maps/\n"
                "mapstone table --csv --where class_name=light_point maps/a.level\n"
                "mapstone table --csv --where type=LargeCrate warlock.romlist.zlb\n"
                "mapstone table --where \"within=0,0,0:20,5,20 & class_name~light_*\" maps/a.level\n"
                "mapstone table --lists maps/a.level\n"
                "mapstone table --csv --rows mesh.vertices maps/a.level\n"
                "mapstone table -j 0 maps/ -o levels.db\n"
                "mapstone table --relation property maps/ -o properties.parquet\n"
                "mapstone table --wide light_point maps/ -o lights.csv\n"
                "mapstone table --partition-by family,format --shard 1/4 maps/ -o lake/",
    .run = run,
    .clashes = clashes,
    .keeps_output = relations_keep_output,
    .output_is_stdout = true,
};
