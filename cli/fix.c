/* SPDX-License-Identifier: MIT */
/* mapstone fix: sets right what the checks find and only one value can mend. */
#include "codes.h"
#include "commands.h"
#include "edits.h"
#include "source.h"

typedef struct mending {
    code_filter filter;
    const char *file;
    bool quiet;
} mending;

static int wants(void *user, const char *code) {
    const mending *m = user;
    return code_filter_wants(&m->filter, code, NULL);
}

static mst_status print_mended(void *user, const mst_mended *one) {
    const mending *m = user;
    if (!m->quiet)
        say_plain("%s: %s: %s: %s -> %s", m->file, one->code, one->path, one->old ? one->old : "nothing",
                  one->now ? one->now : "nothing");
    return MST_OK;
}

static int change(const options *given, source *opened, const char *file) {
    mending m = {.file = file, .quiet = options_has(given, OPTION_QUIET)};
    const mst_check_options checks = {.size = sizeof checks, .sidecars = mst_level_sidecars(opened->level)};
    const mst_mend_options how = {
        .size = sizeof how, .checks = &checks, .wants = wants, .mended = print_mended, .user = &m};
    mst_check_result left = {0};
    mst_diagnostic why;
    uint64_t count = 0;
    int code = code_filter_read(&m.filter, given) ? EXIT_YES : EXIT_TROUBLE;
    if (code == EXIT_YES && mst_mend(opened->document, &how, &count, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    if (code == EXIT_YES && mst_check(opened->document, &checks, NULL, NULL, &left, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    code_filter_free(&m.filter);
    if (code == EXIT_YES && !m.quiet)
        say_plain("%s: %llu %s %smended; left to decide: %llu %s, %llu %s", file, (unsigned long long)count,
                  count == 1 ? "value" : "values", options_has(given, OPTION_DRY_RUN) ? "would be " : "",
                  (unsigned long long)left.errors, left.errors == 1 ? "error" : "errors",
                  (unsigned long long)left.warnings, left.warnings == 1 ? "warning" : "warnings");
    return code;
}

static int run(const options *given) {
    return edits_know_format(given) ? edits_run(given, change, false) : EXIT_TROUBLE;
}

static const option_row rows[] = {
    OPTION_ROWS_WRITE,
    {OPTION_ONLY, 0, "only", "CODE,...", NULL, "mend only findings with these codes; * and ? are wildcards"},
    {OPTION_IGNORE, 0, "ignore", "CODE,...", NULL, "mend no findings with these codes: SFA-*"},
    OPTION_ROW_QUIET("do not list what is mended"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

const command fix_command = {
    .name = "fix",
    .operands = "FILE",
    .summary = "mend what 'check' finds and only one value can set right",
    .description =
        "Sets right what the checks find and what can have only one value, because others in the file "
        "determine it: "
        "hashes, counts, sums and boxes. Each value that is set is listed with the code of its finding, what "
        "it was and what it is. 'mapstone check --codes "
        "FORMAT' marks the codes that are mended. All other findings are left as they are: they are for "
        "people to decide, by 'mapstone edit'. Nothing else in the file changes. All or nothing; exits with "
        "5 if a mend is refused.",
    .options = rows,
    .examples = "mapstone fix --dry-run 44_12_8.DAT\n"
                "mapstone fix -i --backup 44_12_8.DAT\n"
                "mapstone fix valley.map -o mended/valley.map\n"
                "mapstone fix -i --only 'TUROK-GRID-*' valley.map",
    .run = run,
};
