/* SPDX-License-Identifier: MIT */
/* mapstone merge: merges the changes that two people made to copies of one level. */
#include "../history/record.h"
#include "../inputs/inputs.h"
#include "../inputs/left_out.h"
#include "../inputs/lfs.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../output/conflict_lines.h"
#include "../output/merge_output.h"
#include "commands.h"
#include "edits.h"
#include <mapstone/merge.h>
#include <stdlib.h>
#include <string.h>

typedef struct report_state {
    stream out, list; /* text; JSON lines */
    uint64_t count, marked;
    bool quiet;
    left_out without;
} report_state;

/* ---- conflicts -------------------------------------------------------------------------------------- */

static mst_status hear(void *user, const mst_conflict *conflict) {
    report_state *heard = user;
    heard->count++;
    heard->marked += conflict->marked != NULL;
    conflict_put_json(&heard->list, conflict, NULL);
    if (heard->quiet)
        return MST_OK;
    conflict_put(&heard->out, conflict);
    return MST_OK;
}

static void leave_out(void *user, const char *name) {
    report_state *heard = user;
    left_out_take(&heard->without, name);
}

static int write_list(const char *file, const stream *list) {
    target to;
    if (!target_begin(&to, file))
        return EXIT_TROUBLE;
    mst_sink sink = target_sink(&to);
    mst_status status = list->size ? sink.write(sink.user, list->data, list->size) : MST_OK;
    return target_settle(&to, status, file, NULL);
}

/* ---- the command ------------------------------------------------------------------------------------ */

static mst_preference preference(const options *given) {
    const char *prefer = given->value[OPTION_PREFER_SIDE];
    return !prefer ? MST_PREFER_NONE : strcmp(prefer, "ours") == 0 ? MST_PREFER_OURS : MST_PREFER_THEIRS;
}

/* Reports the number of conflicts, and writes their list. */
static int end_hearing(const options *given, report_state *heard, const char *name, uint64_t conflicts,
                       int code) {
    stream_free(&heard->out);
    if (code == EXIT_YES && heard->count && !heard->quiet)
        say_plain("%s: %llu %s%s", name, (unsigned long long)heard->count,
                  heard->count == 1 ? "conflict" : "conflicts",
                  !conflicts      ? ", decided"
                  : heard->marked ? ": kept ours, with theirs in copies next to it; remove one of the two"
                  : options_has(given, OPTION_AS_PATH)
                      ? ": kept ours; see 'mapstone conflicts' and 'mapstone resolve'"
                      : ": kept ours; decide with --prefer, or edit the result");
    if (code == EXIT_YES && given->value[OPTION_CONFLICTS])
        code = write_list(given->value[OPTION_CONFLICTS], &heard->list);
    stream_free(&heard->list);
    return code == EXIT_YES && conflicts ? EXIT_NO : code;
}

/* Whether the caller asked for --quiet: merge_files() always sets it for edits_run(). */
static bool is_quiet(const options *given) {
    bool quiet = false;
    for (size_t i = 0; i < given->argument_count; i++)
        quiet = quiet || given->arguments[i].id == OPTION_QUIET;
    return quiet;
}

static int change(const options *given, source *opened, const char *file) {
    mst_document *document = opened->document;
    const char *names[2] = {given->operands[-1], given->operands[1]}; /* run() begins at OURS */
    const char *as = given->value[OPTION_AS_PATH];
    source sides[2] = {{.cache = NULL}, {.cache = NULL}};
    mst_diagnostic why;
    int code = EXIT_YES;
    for (int i = 0; i < 2 && code == EXIT_YES; i++)
        if (source_open_path(&sides[i], names[i], given, SOURCE_JSON, &why) != MST_OK)
            code = say_trouble(names[i], &why);
    const mst_check_options checks = {
        .size = sizeof checks, .details = 1, .sidecars = mst_level_sidecars(opened->level)};
    report_state heard = {.out = stream_stdout(), .list = stream_memory(), .quiet = is_quiet(given)};
    mst_merge_options how = {.size = sizeof how,
                             .prefer = preference(given),
                             .conflict = hear,
                             .user = &heard,
                             .checks = options_has(given, OPTION_FORCE) ? NULL : &checks,
                             .mark = options_has(given, OPTION_MARK),
                             .growth_limit = growth_limit(),
                             .memory_limit = memory_limit()};
    uint64_t conflicts = 0;
    if (code == EXIT_YES &&
        mst_merge(document, sides[0].document, sides[1].document, &how, &conflicts, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    source_close(&sides[0]);
    source_close(&sides[1]);
    return end_hearing(given, &heard, as ? as : file, conflicts, code);
}

static int merge_files(const options *given, const char *const operands[3], const char *to) {
    options one = *given;
    const char *all[3] = {operands[0], operands[1], operands[2]};
    one.operands = &all[1];
    one.operand_count = 1;
    one.value[OPTION_QUIET] = "";
    one.value[OPTION_OUTPUT] = to;
    if (to && strcmp(to, "-") != 0 && is_input(to, all[1])) { /* as git's drivers do */
        one.value[OPTION_OUTPUT] = NULL;
        one.value[OPTION_IN_PLACE] = "";
    }
    return edits_run(&one, change, true);
}

/* Some of the files are pointers to content that git stores elsewhere: the result becomes one as well. */
static int merge_pointers(const options *given, const char *to) {
    const char *const *operands = given->operands;
    const char *name = given->value[OPTION_AS_PATH] ? given->value[OPTION_AS_PATH] : operands[1];
    char *files[3] = {NULL, NULL, NULL};
    int code = EXIT_YES;
    record_nothing(); /* the files are temporary */
    for (int i = 0; i < 3 && code == EXIT_YES; i++)
        code = (files[i] = lfs_smudge(operands[i], name)) ? EXIT_YES : EXIT_TROUBLE;
    const char *const all[3] = {files[0], files[1], files[2]};
    if (code == EXIT_YES)
        code = merge_files(given, all, to ? files[1] : NULL);
    if (code <= EXIT_NO && to && !lfs_clean(files[1], name, to))
        code = EXIT_TROUBLE;
    for (int i = 0; i < 3; i++)
        lfs_remove(files[i]);
    return code;
}

/* ---- directories ------------------------------------------------------------------------------------ */

static bool open_directories(const options *given, mst_container *sides[3]) {
    const mst_container_options how = {.size = sizeof how, .unmapped = 1}; /* OURS may be written to */
    mst_diagnostic why;
    for (size_t i = 0; i < 3; i++)
        if (mst_container_open(given->operands[i], &how, &sides[i], &why) != MST_OK) {
            say_diagnosis(given->operands[i], &why);
            return false;
        }
    return true;
}

/* Reports the files that are not in the result because of their names; for hidden files only where OURS may
 * lack them in a new directory. */
static void say_names(const options *given, mst_container *const sides[3], left_out *without, bool is_new) {
    left_out_names(without, sides[1], is_new);
    without->path = given->operands[2];
    left_out_names(without, sides[2], false);
    left_out_end(without);
}

static int merge_directories(const options *given, const char *to) {
    mst_container *sides[3] = {NULL, NULL, NULL};
    mst_diagnostic why;
    bool dry = options_has(given, OPTION_CHECK);
    for (size_t i = 0; i < 3; i++)
        if (!is_directory(given->operands[i]))
            return options_usage(given, "%s is not a directory: directories are merged with directories",
                                 given->operands[i]);
    if (!dry && !to)
        return options_usage(given, "no output: use -o DIRECTORY");
    mst_check_options checks = {.size = sizeof checks, .details = 1};
    report_state heard = {
        .out = stream_stdout(), .list = stream_memory(), .quiet = options_has(given, OPTION_QUIET)};
    mst_merge_options how = {.size = sizeof how,
                             .prefer = preference(given),
                             .conflict = hear,
                             .user = &heard,
                             .checks = options_has(given, OPTION_FORCE) ? NULL : &checks,
                             .mark = options_has(given, OPTION_MARK),
                             .growth_limit = growth_limit(),
                             .memory_limit = memory_limit()};
    heard.without = (left_out){.path = given->operands[1], .what = "the merge", .quiet = heard.quiet};
    how.left_out = leave_out;
    uint64_t conflicts = 0;
    set_output out = {.said = false};
    int code = (!to || set_output_begin(&out, to, given->operands[1])) && open_directories(given, sides)
                   ? EXIT_YES
                   : EXIT_TROUBLE;
    const mst_merge_files files = {.size = sizeof files,
                                   .base = sides[0],
                                   .ours = sides[1],
                                   .theirs = sides[2],
                                   .take = set_output_take,
                                   .user = &out};
    how.files = &files;
    if (code == EXIT_YES && mst_merge(NULL, NULL, NULL, &how, &conflicts, &why) != MST_OK)
        code = out.said ? EXIT_TROUBLE : say_diagnosis(given->operands[1], &why);
    if (code == EXIT_YES)
        say_names(given, sides, &heard.without, to && !out.in_place);
    code = set_output_end(&out, code);
    for (size_t i = 0; i < 3; i++)
        mst_container_close(sides[i]);
    return end_hearing(given, &heard, given->operands[1], conflicts, code);
}

/* ---- all -------------------------------------------------------------------------------------------- */

static int run(const options *given) {
    const bool dry = options_has(given, OPTION_CHECK);
    const char *to = dry ? NULL : given->value[OPTION_OUTPUT], *name = given->value[OPTION_AS_PATH];
    bool pointers = false;
    if (options_has(given, OPTION_TOGETHER)) {
        say(MST_ERROR,
            "%s belongs to other files, which git merges one by one: kept ours; merge it with 'mapstone "
            "merge BASE OURS THEIRS -o OUT', with files or directories",
            name ? name : "the file");
        return EXIT_NO;
    }
    if (name) /* git gives the result its name, and has the old one */
        record_nothing();
    if (given->operand_count != 3)
        return options_usage(given, "merge needs three files: BASE, OURS and THEIRS");
    if (is_directory(given->operands[0]) || is_directory(given->operands[1]) ||
        is_directory(given->operands[2]))
        return merge_directories(given, to);
    for (size_t i = 0; i < 3; i++)
        pointers = pointers || lfs_is_pointer(given->operands[i]);
    return pointers && (!to || strcmp(to, "-") != 0) ? merge_pointers(given, to)
                                                     : merge_files(given, given->operands, to);
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT("write the result to FILE (- is stdout), or a directory; it may be OURS"),
    {OPTION_PREFER_SIDE, 0, "prefer", "SIDE", "ours theirs",
     "the side to use where both changed the same value"},
    {OPTION_MARK, 0, "mark", NULL, NULL,
     "add a copy with the values of theirs next to an object that both changed"},
    {OPTION_CONFLICTS, 0, "conflicts", "FILE", NULL, "write the conflicts to FILE, a JSON object a line"},
    {OPTION_CHECK, 0, "check", NULL, NULL, "write only the conflicts"},
    OPTION_ROW_FORCE,
    OPTION_ROW_HISTORY,
    {OPTION_TOGETHER, 0, "together", NULL, NULL,
     "act as a driver of git for files that belong together: report a conflict"},
    OPTION_ROW_GROWTH,
    OPTION_ROW_MEMORY,
    OPTION_ROW_QUIET("do not list conflicts"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_MARK, OPTION_PREFER_SIDE}, {OPTION_NONE, OPTION_NONE}};

const command merge_command = {
    .name = "merge",
    .operands = "BASE OURS THEIRS",
    .summary = "merge two versions of a level",
    .description =
        "Merges into OURS the changes from BASE to THEIRS; OURS was also made from BASE. The result is "
        "always a level that opens. Exits with 0 if everything was merged, with 1 if there are conflicts "
        "(the result is written), with 5 if the result would have new errors or new references to missing "
        "elements (nothing is written, unless --force is given).\n\n"
        "- Elements are matched by their content, as in 'mapstone diff', and their values are merged one by "
        "one. References are renumbered.\n"
        "- There is a conflict if both sides changed the same value, if one side removed an element that the "
        "other changed, or if one side changed similar elements that cannot be distinguished and the other "
        "side "
        "changed one of them.\n"
        "- A conflict is listed with both values. The result has the value of OURS, or of the side given by "
        "--prefer.\n"
        "- --mark adds a copy of the object with the values of THEIRS next to it, so that you can remove one "
        "of the two in an editor. Elements without a position, such as faces and layers, are not copied.\n"
        "- Settings that only an editor shows never conflict.\n\n"
        "Three directories are merged together. All files of the result are written, or none, to a new "
        "directory or to OURS.\n\n"
        "- Levels are merged by their content, the two files of a pair together, and MAPS.bin along with the "
        "files that it describes.\n"
        "- Other files that levels need conflict if both sides changed them.\n"
        "- Of files that no level needs, the version of OURS is kept. Hidden files (.git) are left out.\n\n"
        "'mapstone git-setup' makes git merge levels with this command.",
    .options = rows,
    .examples = "mapstone merge base.level ours.level theirs.level -o merged.level\n"
                "mapstone merge base.level ours.level theirs.level -o merged.level --prefer theirs\n"
                "mapstone merge base/ ours/ theirs/ -o merged/",
    .run = run,
    .clashes = clashes,
};
