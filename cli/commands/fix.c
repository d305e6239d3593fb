/* SPDX-License-Identifier: MIT */
/* mapstone fix: repairs findings of the checks that have only one possible repair. */
#include "../inputs/many_files.h"
#include "../inputs/opened_source.h"
#include "../output/finding_codes.h"
#include "commands.h"
#include "edits.h"
#include <string.h>

typedef struct fix_report {
    code_filter filter;
    const char *file;
    bool quiet;
} fix_report;

static bool wants(void *user, const char *code) {
    const fix_report *m = user;
    return code_filter_wants(&m->filter, code, NULL);
}

/* Lists of all triangles are long. */
#define VALUE_SHOWN 200

static mst_status print_fixed(void *user, const mst_fixed_value *one) {
    const fix_report *m = user;
    const char *old = one->old ? one->old : "nothing", *now = one->now ? one->now : "nothing";
    if (!m->quiet)
        say_plain("%s: %s: %s: %.*s%s -> %.*s%s", m->file, one->code, one->path, VALUE_SHOWN, old,
                  strlen(old) > VALUE_SHOWN ? " ..." : "", VALUE_SHOWN, now,
                  strlen(now) > VALUE_SHOWN ? " ..." : "");
    return MST_OK;
}

static int change(const options *given, source *opened, const char *file) {
    fix_report m = {.file = file, .quiet = options_has(given, OPTION_QUIET)};
    const mst_check_options checks = {.size = sizeof checks, .sidecars = mst_level_sidecars(opened->level)};
    const mst_fix_options how = {
        .size = sizeof how, .checks = &checks, .wants = wants, .fixed = print_fixed, .user = &m};
    mst_check_result left = {0};
    mst_diagnostic why;
    uint64_t count = 0;
    int code = code_filter_read(&m.filter, given) ? EXIT_YES : EXIT_TROUBLE;
    if (code == EXIT_YES && mst_fix(opened->document, &how, &count, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    if (code == EXIT_YES && mst_check(opened->document, &checks, NULL, NULL, &left, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    code_filter_free(&m.filter);
    if (code == EXIT_YES && !m.quiet && (count || !given->among))
        say_plain("%s: %llu %s %sfixed; not fixed: %llu %s, %llu %s", file, (unsigned long long)count,
                  count == 1 ? "value" : "values", options_has(given, OPTION_DRY_RUN) ? "would be " : "",
                  (unsigned long long)left.errors, left.errors == 1 ? "error" : "errors",
                  (unsigned long long)left.warnings, left.warnings == 1 ? "warning" : "warnings");
    return code;
}

static int fix_one(job *work) {
    options one = *work->batch->given;
    const char *path = work->input->path;
    if (!job_recognised(work, 0)) {
        work->skipped = true;
        return EXIT_YES;
    }
    one.operands = &path;
    one.operand_count = 1;
    one.among = true;
    return edits_run(&one, change, false);
}

static int fix_all(const options *given, inputs *all) {
    batch work = {.given = given, .inputs = all, .run = fix_one};
    const bool dry = options_has(given, OPTION_DRY_RUN);
    if (options_has(given, OPTION_OUTPUT))
        return options_usage(given, "-o applies to one file; use -i for several");
    if (!dry && !options_has(given, OPTION_IN_PLACE))
        return options_usage(given, "several files need -i; --dry-run shows the changes");
    if (options_has(given, OPTION_UNDO))
        return options_usage(given, "--undo applies to one file");
    int code = batch_run(&work);
    batch_say_sum(&work, dry ? "examined" : "fixed or in order");
    return code;
}

static int run(const options *given) {
    if (!edits_know_format(given))
        return EXIT_TROUBLE;
    if (!given->operand_count)
        return options_usage(given, "fix needs a file or directory");
    if (given->operand_count == 1 && archive_prefix(given->operands[0]))
        return edits_run(given, change, false);
    inputs all = inputs_expand(given);
    const int code = all.many ? fix_all(given, &all) : edits_run(given, change, false);
    inputs_free(&all);
    return code;
}

static const option_row rows[] = {
    OPTION_ROWS_WRITE,
    {OPTION_ONLY, 0, "only", "CODE,...", NULL, "fix only findings with these codes; * and ? are wildcards"},
    {OPTION_IGNORE, 0, "ignore", "CODE,...", NULL, "fix no findings with these codes: SFA-*"},
    OPTION_ROW_QUIET("do not list the fixed values"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

const command fix_command = {
    .name = "fix",
    .operands = "FILE...",
    .summary = "fix findings of 'check' that have exactly one correct value",
    .description =
        "Corrects findings for which the file determines exactly one correct value: hashes, counts, sums and "
        "boxes. Each value that is set is listed with the code of its finding, its old value and its new "
        "one. Either all of them are corrected, or none; exits with 5 if a correction is refused.\n\n"
        "'mapstone check --codes FORMAT' marks these codes. All other findings are left unchanged, for you "
        "to decide: see 'mapstone edit'. Nothing else in the file changes.\n\n"
        "With -i or --dry-run several files and directories are accepted, as for 'check'.",
    .options = rows,
    .examples = "mapstone fix --dry-run 44_12_8.DAT\n"
                "mapstone fix -i --backup 44_12_8.DAT\n"
                "mapstone fix valley.map -o fixed/valley.map\n"
                "mapstone fix -i maps/\n"
                "mapstone fix -i --only \"TUROK-GRID-*\" valley.map",
    .run = run,
};
