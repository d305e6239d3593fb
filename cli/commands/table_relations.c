/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "table_relations.h"
#include "../../src/core/hash.h"
#include "../inputs/many_files.h"
#include "../sinks/partitioned.h"
#include "commands.h"
#include "shard.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLASS_OF "entity:" /* the relation of the things of one class, see mapstone/table.h */

/* ---- which container ------------------------------------------------------------------------------ */

typedef enum container {
    TO_NOTHING,
    TO_DATABASE,
    TO_PARQUET,
    TO_JSON,
    TO_CSV,
} container;

static const struct {
    const char *word, *ending;
    container is;
} containers[] = {{"sqlite", ".sqlite", TO_DATABASE},  {"sqlite", ".db", TO_DATABASE},
                  {"sqlite", ".sqlite3", TO_DATABASE}, {"parquet", ".parquet", TO_PARQUET},
                  {"ndjson", ".ndjson", TO_JSON},      {"csv", ".csv", TO_CSV}};

static bool names_relation(const options *given) {
    return options_has(given, OPTION_RELATION) || options_has(given, OPTION_WIDE) ||
           options_has(given, OPTION_LONG);
}

/* From --to; else from the extension of -o, unless other options request another kind of table. */
static container container_of(const options *given) {
    static const option_id others[] = {OPTION_ROWS,     OPTION_LISTS,   OPTION_CSV,
                                       OPTION_CSV_SAFE, OPTION_COLUMNS, OPTION_WHERE};
    const char *to = given->value[OPTION_TO], *output = given->value[OPTION_OUTPUT];
    bool plain = !names_relation(given);
    for (size_t i = 0; i < sizeof others / sizeof *others && plain; i++)
        plain = !options_has(given, others[i]);
    for (size_t i = 0; i < sizeof containers / sizeof *containers; i++) {
        if (to ? !strcmp(to, containers[i].word)
               : output && !strcmp(extension_of(output), containers[i].ending) &&
                     (plain || containers[i].is < TO_JSON || names_relation(given)))
            return containers[i].is;
    }
    if (options_has(given, OPTION_PARTITION_BY))
        return TO_PARQUET;
    if (!names_relation(given))
        return TO_NOTHING;
    return options_has(given, OPTION_CSV) || options_has(given, OPTION_CSV_SAFE) ? TO_CSV : TO_JSON;
}

bool asks_for_relations(const options *given) {
    return container_of(given) != TO_NOTHING;
}

bool relations_keep_output(const options *given) {
    return container_of(given) == TO_DATABASE || options_has(given, OPTION_PARTITION_BY);
}

/* ---- one file of levels --------------------------------------------------------------------------- */

typedef struct relations_run {
    const options *given;
    container to;
    const char *const *relations; /* each file has a table of each */
    size_t count;
    mst_table_options how;
    char *where, **columns;
    rows_sink *sink;                      /* NULL: not created yet, for lack of columns */
    const mst_format_information *format; /* whose columns `record` has; NULL: unknown, or any format */
    bool of_class;                        /* the relation is the things of one class */
    bool failed;
} relations_run;

/* The tables of a file, for the sink. */
typedef struct file_result {
    char sha256[65];
    const mst_format_information *format;
    mst_table *tables[DATABASE_RELATIONS];
} file_result;

static void free_result(file_result *result, size_t count) {
    for (size_t i = 0; i < count; i++)
        mst_table_free(result->tables[i]);
    free(result);
}

/* Files of formats without the class of --wide have no such things. */
static bool knows_class(const relations_run *all, const mst_format_information *format) {
    mst_table *columns = NULL;
    const bool knows = mst_table_columns(format, all->relations[0], &columns, NULL) == MST_OK;
    mst_table_free(columns);
    return knows;
}

static int relations_of(job *work) {
    const relations_run *all = work->batch->user;
    mst_diagnostic why;
    if (all->failed)
        return EXIT_TROUBLE;
    int code = job_open(work, SOURCE_JSON);
    if (code >= 0)
        return code;
    if (!work->input->named && source_is_second(&work->opened, work->input)) { /* the first has everything */
        work->skipped = work->known = true;
        return EXIT_YES;
    }
    file_result *result = need(calloc(1, sizeof *result));
    result->format = mst_document_format(work->opened.document);
    if (all->to == TO_DATABASE) {
        mst_sha256_text(work->opened.bytes, work->opened.size, result->sha256);
        if (all->sink->has(all->sink, work->input->path, result->sha256)) {
            free(result);
            return EXIT_YES;
        }
    }
    for (size_t i = 0; i < all->count; i++) {
        const bool filtered = all->count == 1;
        const mst_table_options whole = {.size = sizeof whole};
        if (all->of_class && !knows_class(all, result->format)) {
            free_result(result, i);
            return EXIT_YES;
        }
        if (mst_level_table(work->opened.level, all->relations[i], filtered ? &all->how : &whole,
                            &result->tables[i], &why) != MST_OK) {
            free_result(result, i);
            return say_diagnosis(work->input->path, &why);
        }
    }
    work->result = result;
    return EXIT_YES;
}

/* ---- the sink ------------------------------------------------------------------------------------- */

static rows_sink *make_sink(const relations_run *all, const mst_table *columns) {
    const options *given = all->given;
    const lines_kind csv = options_has(given, OPTION_CSV_SAFE) ? LINES_CSV_SAFE : LINES_CSV;
    if (all->to == TO_PARQUET)
        return parquet_sink("-", all->relations[0], columns);
    return lines_sink("-", columns, all->to == TO_CSV ? csv : LINES_JSON);
}

/* The sink for a file's rows; NULL, with a message, if there is none. */
static rows_sink *sink_for(relations_run *all, const job *work, const file_result *result) {
    const bool parts = options_has(all->given, OPTION_PARTITION_BY);
    const bool is_record = !strcmp(all->relations[0], "record");
    if ((is_record || all->of_class) && !parts) {
        if (all->format && all->format != result->format) {
            say(MST_ERROR,
                "%s: %s has the columns of one format, here %s and not %s; --partition-by format has a "
                "file for "
                "each",
                work->input->path, is_record ? "record" : all->relations[0] + strlen(CLASS_OF),
                all->format->id, result->format->id);
            return NULL;
        }
        all->format = result->format;
    }
    if (!all->sink)
        all->sink = make_sink(all, result->tables[0]);
    return all->sink;
}

static void relations_done(job *work) {
    relations_run *all = work->batch->user;
    file_result *result = work->result;
    if (!result)
        return;
    const file_rows rows = {work->input->path, result->sha256, result->format, result->tables};
    rows_sink *to = all->failed ? NULL : sink_for(all, work, result);
    if (!to || !to->take(to, &rows)) {
        all->failed = true;
        work->code = worse(work->code, EXIT_TROUBLE);
    }
    free_result(result, all->count);
    work->result = NULL;
}

static bool begin_partitions(relations_run *all) {
    const char *output = all->given->value[OPTION_OUTPUT];
    size_t count;
    if (!output || !strcmp(output, "-")) {
        options_usage(all->given, "--partition-by needs -o DIR");
        return false;
    }
    partition_options how = {
        .directory = output, .relation = all->relations[0], .part = shard_of(all->given).index + 1};
    char **words = split_commas(all->given->value[OPTION_PARTITION_BY], &count);
    bool good = count > 0;
    for (size_t i = 0; i < count; i++) {
        const bool family = !strcmp(words[i], "family"), format = !strcmp(words[i], "format");
        how.by_family = how.by_family || family;
        how.by_format = how.by_format || format;
        good = good && (family || format);
    }
    split_free(words);
    if (good && !how.by_format && (all->of_class || !strcmp(how.relation, "record")))
        good = false;
    if (!good)
        options_usage(all->given, "--partition-by takes family, format or both; of record and with --wide "
                                  "it needs format");
    else
        all->sink = partitioned_sink(&how);
    return good;
}

/* Creates the sink, unless its columns depend on the first file. */
static bool begin(relations_run *all) {
    const options *given = all->given;
    const char *output = given->value[OPTION_OUTPUT];
    if (all->to == TO_DATABASE) {
        if (!output || !strcmp(output, "-")) {
            options_usage(given, "a database needs -o FILE");
            return false;
        }
        return databases_work() &&
               (all->sink = database_sink(output, options_has(given, OPTION_UPDATE))) != NULL;
    }
    if (options_has(given, OPTION_PARTITION_BY))
        return begin_partitions(all);
    return all->to != TO_PARQUET || may_be_binary(output ? output : "-", "Parquet");
}

/* Without any rows the columns are still written, except those of `record`, which are unknown. */
static void end(relations_run *all, int *code) {
    mst_table *columns;
    mst_diagnostic why;
    if (!all->sink && !all->failed && all->of_class) {
        say(MST_ERROR, "no format of these files knows the class '%s'", all->relations[0] + strlen(CLASS_OF));
        *code = worse(*code, EXIT_TROUBLE);
    }
    if (!all->sink && !all->failed && mst_table_columns(NULL, all->relations[0], &columns, &why) == MST_OK) {
        all->sink = make_sink(all, columns);
        mst_table_free(columns);
    }
    const bool keep = !all->failed && (*code == EXIT_YES || *code == EXIT_NO || *code == EXIT_DAMAGED ||
                                       all->to == TO_DATABASE);
    if (all->sink && !all->sink->end(all->sink, keep))
        *code = worse(*code, EXIT_TROUBLE);
}

/* ---- options -------------------------------------------------------------------------------------- */

/* All conditions combined, as written between the brackets of a selector; NULL: there are none. */
static char *conditions_of(const options *given) {
    stream text = stream_memory();
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == OPTION_WHERE) {
            print(&text, "%s(", text.size ? " & " : "");
            put_text(&text, given->arguments[i].value);
            put_text(&text, ")");
        }
    if (text.size)
        put(&text, "", 1);
    return text.data;
}

static bool options_fit(const options *given, container to, const char *relation) {
    if (options_idle(given, OPTION_ROWS, "relations") || options_idle(given, OPTION_LISTS, "relations"))
        return false;
    if (to != TO_DATABASE)
        return !options_idle(given, OPTION_UPDATE, "files that are not databases");
    if (options_idle(given, OPTION_RELATION, "a database, which has all of them") ||
        options_idle(given, OPTION_WIDE, "a database, which has a view for each class") ||
        options_idle(given, OPTION_LONG, "a database, which has all relations") ||
        options_idle(given, OPTION_COLUMNS, "a database") ||
        options_idle(given, OPTION_WHERE, "a database") ||
        options_idle(given, OPTION_PARTITION_BY, "a database"))
        return false;
    return relation != NULL;
}

int put_relations(const options *given, const inputs *files) {
    const char *relation = options_has(given, OPTION_RELATION) ? given->value[OPTION_RELATION]
                           : options_has(given, OPTION_LONG)   ? "property"
                                                               : "entity";
    relations_run all = {.given = given, .to = container_of(given), .relations = &relation, .count = 1};
    size_t count = 0;
    char *class_relation = NULL;
    if (!options_fit(given, all.to, relation))
        return EXIT_TROUBLE;
    if (options_has(given, OPTION_WIDE)) {
        all.of_class = true;
        if (asprintf(&class_relation, CLASS_OF "%s", given->value[OPTION_WIDE]) < 0)
            need(NULL);
        relation = class_relation;
    }
    if (all.to == TO_DATABASE) {
        all.relations = database_relations;
        all.count = DATABASE_RELATIONS;
    }
    all.where = conditions_of(given);
    if (options_has(given, OPTION_COLUMNS))
        all.columns = split_commas(given->value[OPTION_COLUMNS], &count);
    all.how = (mst_table_options){.size = sizeof all.how,
                                  .where = all.where,
                                  .columns = (const char *const *)all.columns,
                                  .column_count = count};
    int code = EXIT_TROUBLE;
    if (begin(&all)) {
        batch work = {
            .given = given, .inputs = files, .run = relations_of, .done = relations_done, .user = &all};
        code = batch_run(&work);
        if (all.failed)
            code = worse(code, EXIT_TROUBLE);
        end(&all, &code);
        batch_say_sum(&work, "read");
    }
    free(all.where);
    free(class_relation);
    split_free(all.columns);
    return code;
}
