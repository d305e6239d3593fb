/* SPDX-License-Identifier: MIT */
/* mapstone spec: the reference of the formats, generated from the tables that read and write them. */
#define _GNU_SOURCE
#include "../../src/languages/record_names.h"
#include "../inputs/format_names.h"
#include "../inputs/paths.h"
#include "../output/csv.h"
#include "../output/existing_names.h"
#include "commands.h"
#include <mapstone/table.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list_formats(const options *given) {
    stream out = stream_stdout();
    if (options_has(given, OPTION_JSON))
        put_formats_json(&out);
    else
        put_formats(&out, true);
    stream_free(&out);
    return EXIT_YES;
}

/* Reports that the reference has no record `what`, with similar names. */
static void blame_name(mst_diagnostic *why, const mst_format_information *format, const char *what) {
    names known = {0};
    const char *name;
    stream text = stream_memory();
    for (size_t i = 0; (name = mst_record_reference_name(format, i)) != NULL; i++)
        names_add(&known, name);
    if (known.count)
        print(&text, "%s describes nothing with the name or number '%s'", format->id, what);
    else
        print(&text, "the reference of %s is complete: 'mapstone spec %s' takes no name", format->id,
              format->id);
    names_put(&known, &text, what);
    put(&text, "", 1);
    blame(why, MST_NO_PATH, "%s", text.data);
    stream_free(&text);
    names_free(&known);
}

/* The magic numbers of one format, or of all that have one. */
static mst_status write_magic(const mst_format_information *format, mst_sink sink, mst_diagnostic *why) {
    mst_status status = MST_OK;
    if (format) {
        status = mst_write_specification(format, MST_SPECIFICATION_MAGIC, NULL, sink);
        if (status == MST_UNSUPPORTED)
            blame(why, status, "files of %s have no magic number", format->id);
        return status;
    }
    for (size_t i = 0; status == MST_OK && i < mst_format_count(); i++) {
        status = mst_write_specification(mst_format_at(i), MST_SPECIFICATION_MAGIC, NULL, sink);
        if (status == MST_UNSUPPORTED)
            status = MST_OK;
    }
    return status;
}

/* The columns of a relation from `first` on, as lines of CSV. */
static mst_status put_columns(stream *to, const mst_format_information *format, const char *relation,
                              size_t first, mst_diagnostic *why) {
    static const char *const types[] = {"int64", "double", "text"};
    mst_table *table;
    mst_status status = mst_table_columns(format, relation, &table, why);
    if (status != MST_OK)
        return status;
    for (size_t i = first; i < table->column_count; i++) {
        const mst_table_column *one = &table->columns[i];
        print(to, "%d,", MST_TABLE_SCHEMA);
        csv_put_cell(to, relation, strlen(relation));
        put_text(to, ",");
        csv_put_cell(to, one->name, strlen(one->name));
        print(to, ",%s,", types[one->type]);
        csv_put_cell(to, one->documentation, strlen(one->documentation));
        put_text(to, "\n");
    }
    mst_table_free(table);
    return MST_OK;
}

/* The columns of things of each class that the relation `entity` lacks. */
static mst_status put_classes(stream *to, const mst_format_information *format, mst_diagnostic *why) {
    mst_table *classes = NULL, *all = NULL;
    mst_status status = mst_table_columns(format, "class", &classes, why);
    if (status == MST_OK)
        status = mst_table_columns(format, "entity", &all, why);
    const size_t first = status == MST_OK ? all->column_count : 0;
    mst_table_free(all);
    for (size_t i = 0; status == MST_OK && i < classes->column_count; i++) {
        char *relation;
        if (asprintf(&relation, "entity:%s", classes->columns[i].name) < 0)
            need(NULL);
        status = put_columns(to, format, relation, first, why);
        free(relation);
    }
    mst_table_free(classes);
    return status;
}

/* The columns of all relations; without a format, only the columns that all formats share. */
static mst_status write_columns(const mst_format_information *format, mst_sink sink, mst_diagnostic *why) {
    static const char *const relations[] = {"file",  "entity",  "property", "relation",
                                            "asset", "finding", "record"};
    const size_t count = sizeof relations / sizeof *relations - (format ? 0 : 1);
    stream text = stream_memory();
    mst_status status = MST_OK;
    put_text(&text, "schema,relation,column,type,documentation\n");
    for (size_t i = 0; i < count && status == MST_OK; i++)
        status = put_columns(&text, format, relations[i], 0, why);
    if (status == MST_OK && format)
        status = put_classes(&text, format, why);
    if (status == MST_OK)
        status = sink.write(sink.user, text.data, text.size);
    stream_free(&text);
    return status;
}

static mst_status write_as(const char *as, const mst_format_information *format, const char *what,
                           mst_sink sink, mst_diagnostic *why) {
    if (strcmp(as, "magic") == 0)
        return write_magic(format, sink, why);
    if (strcmp(as, "table") == 0)
        return write_columns(format, sink, why);
    static const char *const languages[] = {[MST_SPECIFICATION_MARKDOWN] = "markdown",
                                            [MST_SPECIFICATION_HTML] = "html",
                                            [MST_SPECIFICATION_JSON_SCHEMA] = "json-schema",
                                            [MST_SPECIFICATION_KSY] = "ksy",
                                            [MST_SPECIFICATION_HEXPAT] = "hexpat"};
    int kind = 0;
    while (strcmp(as, languages[kind]) != 0) /* the parser has checked it */
        kind++;
    mst_status status = mst_write_specification(format, (mst_specification)kind, what, sink);
    if (status == MST_NO_PATH)
        blame_name(why, format, what);
    return status;
}

static int run(const options *given) {
    const char *as = options_has(given, OPTION_AS) ? given->value[OPTION_AS] : "markdown";
    bool of_all = strcmp(as, "magic") == 0 || strcmp(as, "table") == 0;
    if (!given->operand_count && !of_all) {
        if (options_idle(given, OPTION_AS, "no format"))
            return EXIT_TROUBLE;
        return list_formats(given);
    }
    if (given->operand_count > 2)
        return options_usage(given, "spec takes one format, and the name of one of its records");
    if (options_idle(given, OPTION_JSON, "a format"))
        return EXIT_TROUBLE;
    const char *what = given->operand_count > 1 ? given->operands[1] : NULL;
    if (what && strcmp(as, "markdown") != 0)
        return options_usage(given, "only the reference in Markdown has separate records");
    const mst_format_information *format = given->operand_count ? format_by_id(given->operands[0]) : NULL;
    if (given->operand_count && !format) {
        if (format_is_known(given, given->operands[0])) /* "json" */
            options_usage(given, "JSON has no reference; name the level's format");
        return EXIT_TROUBLE;
    }
    target out;
    mst_diagnostic why = {0};
    if (!target_begin(&out, "-"))
        return EXIT_TROUBLE;
    mst_status status = write_as(as, format, what, target_sink(&out), &why);
    if (status != MST_OK && !why.message[0])
        blame(&why, status, "the reference could not be written");
    return target_settle(&out, status, NULL, &why);
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT_DATA,
    {OPTION_AS, 0, "as", "LANGUAGE", "markdown html json-schema ksy hexpat magic table",
     "markdown, html, json-schema (of the format's JSON), ksy (Kaitai Struct), hexpat (ImHex), magic, for "
     "file(1), or table (default: markdown)"},
    OPTION_ROW_JSON("the list of formats as JSON, one per line"),
    OPTION_ROW_COMMON};

const command spec_command = {
    .name = "spec",
    .operands = "[FORMAT [NAME]]",
    .summary = "write the reference of a format, or the list of formats",
    .description =
        "Writes the reference of a format as Markdown, generated from the tables that read and write it. "
        "Without FORMAT it lists all formats. NAME is the name or number of a record that the reference "
        "leaves out because there are many, such as a type of object: the meaning of its fields, and their "
        "values in the examined files. Shell completion lists the names.\n\n"
        "With --as the same tables are written for other programs:\n\n"
        "- html: the reference as a page\n"
        "- json-schema: validates the output of dump, and helps editors to complete it\n"
        "- ksy: for Kaitai Struct, which generates readers in a dozen languages\n"
        "- hexpat: patterns for the hex editor ImHex (not tested)\n"
        "- magic: the magic numbers of all formats, for file(1)\n"
        "- table: the columns of the relations of 'table --to', as CSV",
    .options = rows,
    .examples =
        "mapstone spec\nmapstone spec ns2-level -o ns2-level.md\nmapstone spec sfa-romlist LargeCrate\n"
        "mapstone spec --as json-schema ns2-level -o ns2-level.schema.json\n"
        "mapstone spec --as ksy turok-map -o turok_map.ksy\n"
        "mapstone spec --as hexpat turok-map -o turok_map.hexpat\n"
        "mapstone spec --as html turok-map -o turok-map.html\nmapstone spec --as magic\n"
        "mapstone spec --as table ns2-level",
    .run = run,
    .output_is_stdout = true,
};
