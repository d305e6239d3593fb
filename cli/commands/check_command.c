/* SPDX-License-Identifier: MIT */
/* mapstone check: errors and oddities in files. */
#include "../../src/edit/fix_findings.h"
#include "../../src/export/gltf_check.h"
#include "../inputs/baseline.h"
#include "../inputs/many_files.h"
#include "../output/finding_codes.h"
#include "commands.h"
#include <mapstone/edit.h>
#include <mapstone/export.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SHOWN_PER_CODE 10

typedef struct totals {
    const char *schema;
    size_t schema_size;
    const char *schema_name;
    code_filter filter;
    baseline known;      /* --baseline */
    const char *written; /* --write-baseline; NULL: findings are shown */
    stream lines;        /* of the baseline to write */
    stream checked;      /* the paths of the files, each terminated by a NUL */
    uint64_t lacking;    /* files with a summary of the missing files that they reference */
    code_counts counts;
    uint64_t known_count;
} totals;

/* The findings in one file. */
typedef struct findings {
    job *work;
    totals *sum;
    bool json, all, information;
    code_counts counts;
    uint64_t known_count;
    stream lines;
    stream summary; /* of the missing files that this one references */
} findings;

/* Whether this summarises the missing files that a file references: REV-MISSING, SPARK-MISSING. Without its
 * game, every sector of a level has one: a run shows only the first. */
static bool is_summary(const mst_diagnostic *one) {
    const char *rest = strchr(one->code, '-');
    return rest && !strcmp(rest, "-MISSING") && !one->path[0];
}

static mst_status take(void *user, const mst_diagnostic *one) {
    findings *all = user;
    job *work = all->work;
    bool named;
    if (!code_filter_wants(&all->sum->filter, one->code, &named) ||
        (one->severity == MST_INFORMATION && !all->information && !named))
        return MST_OK;
    if (baseline_takes(&all->sum->known, work->input->path, one)) {
        all->known_count++;
        return MST_OK;
    }
    code_count *count = code_counts_at(&all->counts, one->code, one->severity);
    count->count++;
    if (all->sum->written)
        baseline_put(&all->lines, work->input->path, one);
    else if (all->json)
        put_json_diagnosis(&work->out, work->input->path, one);
    else if (is_summary(one) && !all->all)
        put_diagnosis(&all->summary, work->input->path, one);
    else if (count->count <= SHOWN_PER_CODE || all->all)
        put_diagnosis(&work->out, work->input->path, one);
    return MST_OK;
}

static void put_rest(const findings *all) {
    for (size_t i = 0; i < all->counts.used && !all->all && !all->json && !all->sum->written; i++)
        if (all->counts.items[i].count > SHOWN_PER_CODE) {
            put_visible(&all->work->out, all->work->input->path);
            print(&all->work->out, ": ... and %llu more %s\n",
                  (unsigned long long)(all->counts.items[i].count - SHOWN_PER_CODE),
                  all->counts.items[i].code);
        }
}

/* Reports a file that cannot be opened. Damage is a result of the check, so it is written to stdout; programs
 * find every failure there. */
static int put_failure(job *work, const mst_diagnostic *why, mst_status status) {
    const char *path = work->input->path;
    if (options_has(work->batch->given, OPTION_JSON))
        put_json_diagnosis(&work->out, path, why);
    else if (status == MST_DAMAGED)
        put_diagnosis(&work->out, path, why);
    return status == MST_DAMAGED ? exit_code(status) : say_diagnosis(path, why);
}

/* Resolves the file of --schema by its own name, and as class.def unless it is XML. */
static mst_status find_schema(void *user, const char *name, const void **bytes, size_t *size) {
    const totals *sum = user;
    bool xml = sum->schema_size && sum->schema[0] == '<';
    if (strcasecmp(name, sum->schema_name) != 0 && (xml || strcasecmp(name, "class.def") != 0))
        return MST_NO_PATH;
    *bytes = sum->schema;
    *size = sum->schema_size;
    return MST_OK;
}

static findings *begin_findings(job *work) {
    const options *given = work->batch->given;
    findings *all = need(calloc(1, sizeof *all));
    work->result = all;
    all->work = work;
    all->sum = work->batch->user;
    all->json = options_has(given, OPTION_JSON);
    all->all = options_has(given, OPTION_ALL);
    all->information = options_has(given, OPTION_INFORMATION);
    all->lines = stream_memory();
    all->summary = stream_memory();
    return all;
}

static int end_findings(const findings *all, mst_status status, mst_diagnostic *why) {
    bool strict = options_has(all->work->batch->given, OPTION_STRICT);
    put_rest(all);
    if (status != MST_OK) {
        why->status = status;
        return put_failure(all->work, why, status);
    }
    bool fails =
        code_counts_of(&all->counts, MST_ERROR) || (strict && code_counts_of(&all->counts, MST_WARNING));
    return fails && !all->sum->written ? EXIT_NO : EXIT_YES;
}

/* Checks whether the two files that `convert` wrote still belong together. */
static int check_gltf(job *work) {
    mst_diagnostic why;
    input named = *work->input; /* the format is identified by the name */
    named.named = true;
    mst_status status = source_open(&work->opened, &named, work->batch->given, SOURCE_READ, &why);
    if (status != MST_OK)
        return put_failure(work, &why, status);
    findings *all = begin_findings(work);
    status = mst_gltf_check(work->opened.bytes, work->opened.size, job_sidecars(work), take, all, &why);
    return end_findings(all, status, &why);
}

static int check_one(job *work) {
    const options *given = work->batch->given;
    const totals *sum = work->batch->user;
    mst_diagnostic why;
    if (!given->value[OPTION_FROM] && !strcasecmp(extension_of(work->input->path), ".gltf"))
        return check_gltf(work);
    mst_status status =
        source_open(&work->opened, work->input, given, work->input->named ? SOURCE_JSON : 0, &why);
    work->skipped = status == MST_UNKNOWN && !work->input->named;
    work->unknown = status == MST_UNKNOWN && work->input->named;
    if (work->skipped)
        return EXIT_YES;
    if (status != MST_OK)
        return put_failure(work, &why, status);

    findings *all = begin_findings(work);
    mst_check_options how = {.size = sizeof how, .schema = sum->schema, .schema_size = sum->schema_size};
    how.information = all->information || code_filter_names_any(&sum->filter);
    how.sidecars = job_sidecars(work);
    how.assets = options_has(given, OPTION_SEARCH_PATH);
    bool listed = all->json || all->all || sum->written || sum->known.count;
    how.details = listed ? 0 : SHOWN_PER_CODE;
    status = mst_check(work->opened.document, &how, take, all, NULL, &why);
    return end_findings(all, status, &why);
}

static void add_up(job *work) {
    totals *sum = work->batch->user;
    findings *all = work->result;
    if (!all)
        return;
    code_counts_add_file(&sum->counts, &all->counts);
    sum->known_count += all->known_count;
    put(&sum->checked, work->input->path, strlen(work->input->path) + 1);
    put(&sum->lines, all->lines.data, all->lines.size);
    if (all->summary.size && !sum->lacking++)
        put(&work->out, all->summary.data, all->summary.size);
    stream_free(&all->summary);
    stream_free(&all->lines);
    free(all->counts.items);
    free(all);
    work->result = NULL;
}

static int put_codes(const options *given) {
    const char *wanted = given->value[OPTION_CODES];
    const mst_format_information *format = format_by_id(wanted);
    bool gltf = !strcmp(wanted, "gltf"), json = options_has(given, OPTION_JSON);
    if (!format && !gltf) {
        if (format_is_known(given, wanted)) /* "json" */
            options_usage(given, "--codes: json has no codes; name the level's format");
        return EXIT_TROUBLE;
    }
    stream out = stream_stdout();
    const mst_code_information *one;
    for (size_t i = 0; (one = gltf ? mst_gltf_code_at(i) : mst_code_at(format, i)) != NULL; i++) {
        if (json) {
            put_text(&out, "{");
            put_json_member(&out, "code", one->code);
            put_json_member(&out, "severity", severity_name(one->severity));
            put_json_member(&out, "documentation", one->documentation);
            if (format && mst_fix_of(format, one->code))
                put_json_member(&out, "fix", mst_fix_of(format, one->code));
            put_text(&out, "}\n");
        } else {
            const char *fix = format ? mst_fix_of(format, one->code) : NULL;
            print(&out, "%-26s %-11s %s%s%s\n", one->code, severity_name(one->severity), one->documentation,
                  fix ? "; fix " : "", fix ? fix : "");
        }
    }
    stream_free(&out);
    return EXIT_YES;
}

static void put_count(stream *to, uint64_t count, const char *word) {
    print(to, "%llu %s%s", (unsigned long long)count, word, count == 1 ? "" : "s");
}

static void put_sum(const batch *work, stream *to) {
    totals *sum = work->user;
    batch_sum(work, to, "ok", options_has(work->given, OPTION_STRICT) ? "with findings" : "with errors");
    put_text(to, "; ");
    put_count(to, code_counts_of(&sum->counts, MST_ERROR), "error");
    put_text(to, ", ");
    put_count(to, code_counts_of(&sum->counts, MST_WARNING), "warning");
    if (sum->known.text)
        print(to, ", %llu in the baseline", (unsigned long long)sum->known_count);
    put_text(to, "\n");
}

/* The last line of --json: the totals. */
static void put_json_sum(const batch *work, stream *to) {
    totals *sum = work->user;
    uint64_t files = work->good + work->bad + work->damaged + work->unknown + work->failed;
    print(to, "{\"files\":%llu,\"damaged\":%llu,\"unknown\":%llu,\"failed\":%llu,\"skipped\":%llu",
          (unsigned long long)files, (unsigned long long)work->damaged, (unsigned long long)work->unknown,
          (unsigned long long)work->failed, (unsigned long long)work->skipped);
    print(to, ",\"errors\":%llu,\"warnings\":%llu,\"in_baseline\":%llu",
          (unsigned long long)code_counts_of(&sum->counts, MST_ERROR),
          (unsigned long long)code_counts_of(&sum->counts, MST_WARNING),
          (unsigned long long)sum->known_count);
    code_counts_put_json(&sum->counts, to);
    put_text(to, "}\n");
}

static void put_end(const batch *work) {
    totals *sum = work->user;
    bool json = options_has(work->given, OPTION_JSON);
    bool to_stderr = json || (sum->written && !strcmp(sum->written, "-"));
    uint64_t gone = baseline_unused(&sum->known, &sum->checked);
    if (gone && !sum->filter.only_count && !sum->filter.ignore_count)
        say(MST_INFORMATION, "%llu %s; --write-baseline writes a new one", (unsigned long long)gone,
            gone == 1 ? "finding of the baseline no longer occurs"
                      : "findings of the baseline no longer occur");
    if (options_has(work->given, OPTION_QUIET) || stdout_failed())
        return;
    stream out = stream_stdout(), other = stream_stderr(), *to = to_stderr ? &other : &out;
    if (sum->lacking > 1)
        print(&out, "%llu more %s files that were not found; --all lists them\n",
              (unsigned long long)sum->lacking - 1, sum->lacking == 2 ? "file names" : "files name");
    if (json)
        put_json_sum(work, &out);
    else
        code_counts_put(&sum->counts, to);
    stream_flush(&out);
    if (!stdout_failed())
        put_sum(work, to);
    stream_free(&out);
    stream_free(&other);
}

static int check_all(const options *given, totals *sum) {
    inputs all = inputs_expand(given);
    batch work = {.given = given, .inputs = &all, .run = check_one, .done = add_up, .user = sum};
    const mst_resolver schema = {.find = find_schema, .user = sum};
    work.sidecars = sum->schema ? &schema : NULL;
    int code = batch_run(&work);
    if (sum->written && (code < EXIT_TROUBLE || sum->checked.size)) /* else no file could be read */
        code = worse(code, baseline_write(sum->written, &sum->lines));
    put_end(&work);
    inputs_free(&all);
    return code;
}

static int run(const options *given) {
    if (options_has(given, OPTION_CODES))
        return put_codes(given);
    if (!given->operand_count)
        return options_usage(given, "check needs a file or directory");
    if (!format_is_known(given, given->value[OPTION_FROM]) || !search_paths_exist(given))
        return EXIT_TROUBLE;
    totals sum = {.lines = stream_memory(), .checked = stream_memory()};
    const char *schema_path = given->value[OPTION_SCHEMA], *known = given->value[OPTION_BASELINE];
    char *schema = NULL;
    int code = code_filter_read(&sum.filter, given) ? EXIT_YES : EXIT_TROUBLE;
    mst_diagnostic why;
    if (code == EXIT_YES && schema_path && read_whole(schema_path, &schema, &sum.schema_size, &why) != MST_OK)
        code = say_diagnosis(schema_path, &why);
    if (code == EXIT_YES && known)
        code = baseline_read(&sum.known, known);
    sum.schema = schema;
    sum.schema_name = schema ? base_name(schema_path) : "";
    sum.written = given->value[OPTION_WRITE_BASELINE];
    if (code == EXIT_YES)
        code = check_all(given, &sum);
    code_filter_free(&sum.filter);
    baseline_free(&sum.known);
    stream_free(&sum.lines);
    stream_free(&sum.checked);
    free(sum.counts.items);
    free(schema);
    return code;
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT_DATA,
    {OPTION_ALL, 'a', "all", NULL, NULL, "show all findings, not just the first 10 per code and file"},
    {OPTION_STRICT, 's', "strict", NULL, NULL, "also exit with 1 on warnings"},
    {OPTION_INFORMATION, 'I', "information", NULL, NULL,
     "also show information: findings that are valid, but worth knowing"},
    {OPTION_SCHEMA, 'S', "schema", "FILE", NULL, "definitions of the classes (editor_setup.xml, class.def)"},
    OPTION_ROW_SEARCH_PATH,
    {OPTION_ONLY, 0, "only", "CODE,...", NULL, "only findings with these codes; * and ? are wildcards"},
    {OPTION_IGNORE, 0, "ignore", "CODE,...", NULL, "no findings with these codes: NS2-EDGE-*"},
    {OPTION_BASELINE, 0, "baseline", "FILE", NULL, "leave out the findings listed in FILE"},
    {OPTION_WRITE_BASELINE, 0, "write-baseline", "FILE", NULL, "write the findings to FILE, as a baseline"},
    {OPTION_CODES, 0, "codes", "FORMAT", NULL, "list the codes of a format (or gltf) with their meanings"},
    OPTION_ROW_JSON("one JSON object per line, all findings; the last line has the totals"),
    OPTION_ROW_QUIET("leave out the totals at the end"),
    OPTION_ROW_FROM,
    OPTION_ROW_SALVAGE,
    OPTION_ROW_BATCH,
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_ALL, OPTION_WRITE_BASELINE},
                                      {OPTION_JSON, OPTION_WRITE_BASELINE},
                                      {OPTION_STRICT, OPTION_WRITE_BASELINE},
                                      {OPTION_BASELINE, OPTION_WRITE_BASELINE},
                                      {OPTION_ALL, OPTION_CODES},
                                      {OPTION_STRICT, OPTION_CODES},
                                      {OPTION_INFORMATION, OPTION_CODES},
                                      {OPTION_SCHEMA, OPTION_CODES},
                                      {OPTION_ONLY, OPTION_CODES},
                                      {OPTION_IGNORE, OPTION_CODES},
                                      {OPTION_BASELINE, OPTION_CODES},
                                      {OPTION_WRITE_BASELINE, OPTION_CODES},
                                      {OPTION_NONE, OPTION_NONE}};

const command check_command = {
    .name = "check",
    .operands = "FILE...",
    .summary = "report errors and oddities in files",
    .description = "Reports contradictions (errors) and oddities (warnings), one per line, with the file, "
                   "the offset, the path and a code that stays the same between versions. Exits with 1 if "
                   "there are errors (with --strict also warnings), with 4 if a file is damaged.\n\n"
                   "- The last lines count how often each code occurred.\n"
                   "- --only and --ignore select findings by code; a code that --only names without "
                   "wildcards is shown even without -I.\n"
                   "- --schema also checks classes, properties and choices.\n"
                   "- --search-path also checks that the models, materials and textures of a level exist: a "
                   "missing file is information, their sum a warning.\n"
                   "- --baseline leaves out known findings, even if their bytes have moved. A baseline is a "
                   "sorted text file with one finding per line: FILE, CODE and PATH, separated by tabs.\n"
                   "- For a .gltf file, the size of its .bin is checked.\n\n"
                   "Files that cannot be opened are always reported.",
    .options = rows,
    .examples = "mapstone check maps/\nmapstone check --schema editor_setup.xml --strict maps/a.level\n"
                "mapstone check --ignore \"NS2-EDGE-*,NS2-VERTEX-LOOSE\" maps/\n"
                "mapstone check --write-baseline known.txt maps/\nmapstone check --baseline known.txt "
                "--strict maps/\n"
                "mapstone check --codes ns2-level",
    .run = run,
    .clashes = clashes,
    .output_is_stdout = true,
};
