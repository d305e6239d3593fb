/* SPDX-License-Identifier: MIT */
/* mapstone check: everything that is odd in files. */
#include "batch.h"
#include "commands.h"
#include <stdlib.h>
#include <string.h>

#define SHOWN_PER_CODE 10
#define CODES_MAX      128 /* further codes share the last count */

typedef struct schema {
    char *text;
    size_t size;
} schema;

typedef struct totals {
    const schema *schema;
    mst_check_result found;
} totals;

typedef struct findings {
    job *work;
    bool json, all, information;
    size_t code_count;
    struct {
        char code[32];
        uint64_t count;
    } codes[CODES_MAX];
} findings;

static void put_json_object(stream *to, const char *file, const mst_diagnostic *one) {
    static const char *const severities[] = {"information", "warning", "error"};
    put_text(to, "{");
    put_json_member(to, "file", file);
    put_json_member(to, "severity", severities[one->severity]);
    put_json_member(to, "code", one->code);
    if (one->status != MST_OK)
        put_json_member(to, "status", mst_status_text(one->status));
    if (one->offset != MST_NO_OFFSET)
        print(to, ",\"offset\":%llu,\"length\":%llu", (unsigned long long)one->offset,
              (unsigned long long)one->length);
    put_json_member(to, "path", one->path);
    put_json_member(to, "message", one->message);
    if (one->expected[0])
        put_json_member(to, "expected", one->expected);
    if (one->found[0])
        put_json_member(to, "found", one->found);
    put_text(to, "}\n");
}

static mst_status take(void *user, const mst_diagnostic *one) {
    findings *all = user;
    job *work = all->work;
    if (one->severity == MST_INFORMATION && !all->information)
        return MST_OK;
    if (all->json) {
        put_json_object(&work->out, work->input->path, one);
        return MST_OK;
    }
    size_t at = 0;
    while (at < all->code_count && strcmp(all->codes[at].code, one->code) != 0)
        at++;
    if (at == CODES_MAX)
        at--;
    if (at == all->code_count) {
        memcpy(all->codes[at].code, one->code, sizeof one->code);
        all->codes[all->code_count++].count = 0;
    }
    if (all->codes[at].count++ < SHOWN_PER_CODE || all->all)
        put_diagnosis(&work->out, work->input->path, one);
    return MST_OK;
}

static void put_rest(const findings *all) {
    for (size_t i = 0; i < all->code_count && !all->all; i++)
        if (all->codes[i].count > SHOWN_PER_CODE) {
            put_visible(&all->work->out, all->work->input->path);
            print(&all->work->out, ": ... and %llu more %s\n",
                  (unsigned long long)(all->codes[i].count - SHOWN_PER_CODE), all->codes[i].code);
        }
}

static int check_one(job *work) {
    const options *given = work->batch->given;
    const char *path = work->input->path;
    const totals *sum = work->batch->user;
    bool json = options_has(given, OPTION_JSON);
    mst_diagnostic why;
    if (!job_recognised(work, 0)) {
        work->skipped = true;
        return EXIT_YES;
    }
    mst_status status = source_open(&work->opened, work->input, given, SOURCE_JSON, &why);
    if (status == MST_UNKNOWN && !work->input->named) {
        work->skipped = true;
        return EXIT_YES;
    }
    if (status == MST_DAMAGED && json) /* the damage is what a check is asked for */
        put_json_object(&work->out, path, &why);
    else if (status == MST_DAMAGED)
        put_diagnosis(&work->out, path, &why);
    else if (status != MST_OK)
        say_diagnosis(path, &why);
    work->unknown = status == MST_UNKNOWN;
    if (status != MST_OK)
        return exit_code(status);

    findings *all = need(calloc(1, sizeof *all));
    mst_check_result *found = need(calloc(1, sizeof *found));
    all->work = work;
    all->json = json;
    all->all = options_has(given, OPTION_ALL);
    all->information = options_has(given, OPTION_INFORMATION);
    mst_check_options how = {.schema = sum->schema->text, .schema_size = sum->schema->size};
    how.information = all->information;
    how.companions = job_companions(work);
    status = mst_check(work->opened.document, &how, take, all, found, &why);
    put_rest(all);
    free(all);
    work->result = found;
    if (status != MST_OK) {
        why.status = status;
        return say_diagnosis(path, &why);
    }
    return found->errors || (found->warnings && options_has(given, OPTION_STRICT)) ? EXIT_NO : EXIT_YES;
}

static void add_up(job *work) {
    totals *sum = work->batch->user;
    const mst_check_result *found = work->result;
    if (found) {
        sum->found.errors += found->errors;
        sum->found.warnings += found->warnings;
        sum->found.information += found->information;
    }
    free(work->result);
}

static int put_codes(const options *given) {
    static const char *const severities[] = {"note", "warning", "error"};
    const mst_format_information *format = format_by_id(given->value[OPTION_CODES]);
    if (!format) {
        if (format_is_known(given, given->value[OPTION_CODES])) /* "json" */
            options_usage(given, "json has no codes");
        return EXIT_TROUBLE;
    }
    bool json = options_has(given, OPTION_JSON);
    stream out = stream_stdout();
    const mst_code_information *one;
    for (size_t i = 0; (one = mst_code_at(format, i)) != NULL; i++) {
        if (json) {
            put_text(&out, "{");
            put_json_member(&out, "code", one->code);
            put_json_member(&out, "severity", severities[one->severity]);
            put_json_member(&out, "documentation", one->documentation);
            put_text(&out, "}\n");
        } else {
            print(&out, "%-26s %-8s %s\n", one->code, severities[one->severity], one->documentation);
        }
    }
    stream_free(&out);
    return EXIT_YES;
}

static int run(const options *given) {
    if (options_has(given, OPTION_CODES))
        return put_codes(given);
    if (!given->operand_count)
        return options_usage(given, "check needs a file or directory");
    if (!format_is_known(given, given->value[OPTION_FROM]) || !companions_exist(given))
        return EXIT_TROUBLE;
    schema companion = {0};
    const char *schema_path = given->value[OPTION_SCHEMA];
    mst_diagnostic why;
    if (schema_path && read_whole(schema_path, &companion.text, &companion.size, &why) != MST_OK) {
        free(companion.text);
        return say_diagnosis(schema_path, &why);
    }
    inputs all = inputs_expand(given);
    totals sum = {.schema = &companion};
    batch work = {.given = given, .inputs = &all, .run = check_one, .done = add_up, .user = &sum};
    work.schema = companion.text;
    work.schema_size = companion.size;
    int code = batch_run(&work);
    stream to = options_has(given, OPTION_JSON) ? stream_stderr() : stream_stdout();
    if (!options_has(given, OPTION_QUIET)) {
        batch_sum(&work, &to, "ok", options_has(given, OPTION_STRICT) ? "with findings" : "with errors");
        print(&to, "; %llu %s, %llu %s\n", (unsigned long long)sum.found.errors,
              sum.found.errors == 1 ? "error" : "errors", (unsigned long long)sum.found.warnings,
              sum.found.warnings == 1 ? "warning" : "warnings");
    }
    stream_free(&to);
    inputs_free(&all);
    free(companion.text);
    return code;
}

static const option_row rows[] = {
    {OPTION_ALL, 'a', "all", NULL, NULL, "all findings, not the first 10 of each code and file only"},
    {OPTION_STRICT, 's', "strict", NULL, NULL, "warnings fail as errors do"},
    {OPTION_INFORMATION, 'I', "information", NULL, NULL, "also what is legal, but worth knowing"},
    {OPTION_SCHEMA, 'S', "schema", "FILE", NULL, "what classes there are (editor_setup.xml, class.def)"},
    OPTION_ROW_SEARCH_PATH,
    {OPTION_CODES, 0, "codes", "FORMAT", NULL, "list the codes of a format with their meaning"},
    OPTION_ROW_JSON("one JSON object a line, all findings"),
    OPTION_ROW_QUIET("no sum at the end"),
    OPTION_ROW_FROM,
    OPTION_ROW_SALVAGE,
    OPTION_ROW_BATCH,
    OPTION_ROW_COMMON};

const command check_command = {
    .name = "check",
    .operands = "FILE...",
    .summary = "report everything that is odd",
    .description = "Reports, one a line, whatever contradicts itself (errors) or is odd (warnings), with the "
                   "file, the offset, "
                   "the path and a code that stays the same between versions. With a schema it also knows "
                   "which classes, "
                   "properties and choices there are.\n\n"
                   "Exits with 1 if there are errors, with --strict also if there are warnings; with 4 if a "
                   "file is damaged.",
    .options = rows,
    .examples = "mapstone check maps/\nmapstone check --schema editor_setup.xml --strict maps/a.level\n"
                "mapstone check --codes ns2-level",
    .run = run,
};
