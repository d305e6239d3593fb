/* SPDX-License-Identifier: MIT */
/* mapstone patch: applies the output of 'mapstone diff -o' to the old level. */
#include "../inputs/archives.h"
#include "../inputs/inputs.h"
#include "../inputs/left_out.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../output/merge_output.h"
#include "commands.h"
#include "edits.h"
#include <mapstone/patch.h>
#include <stdlib.h>
#include <string.h>

typedef struct report_state {
    stream out;
    uint64_t count;
    const char *to; /* the output file */
    size_t findings;
    bool quiet;
} report_state;

/* Reports a change that does not apply, with the current value. */
static mst_status hear(void *user, const mst_conflict *conflict) {
    report_state *heard = user;
    heard->count++;
    paint(&heard->out, COLOR_RED);
    put_text(&heard->out, "! ");
    if (conflict->file)
        put_visible(&heard->out, conflict->file);
    put_text(&heard->out, conflict->file && *conflict->path ? ": " : "");
    put_visible(&heard->out, conflict->path);
    unpaint(&heard->out);
    if (*conflict->label) {
        put_text(&heard->out, " ");
        put_visible(&heard->out, conflict->label);
    }
    put_text(&heard->out, conflict->kind == MST_CONFLICT_REMOVED_BY_THEIRS ? ": another element needs it\n"
                          : conflict->kind == MST_CONFLICT_NUMBER
                              ? ": another element has its number, by which other files refer to it\n"
                          : conflict->ours ? ": has changed\n"
                                           : ": is not there\n");
    return MST_OK;
}

/* Reports a new finding in the result. */
static mst_status hear_finding(void *user, const mst_diagnostic *finding) {
    report_state *heard = user;
    if (++heard->findings <= EDITS_SHOWN && !heard->quiet)
        say_diagnosis(heard->to, finding);
    return MST_OK;
}

static mst_patch_options options_of(const options *given, report_state *heard) {
    return (mst_patch_options){.size = sizeof(mst_patch_options),
                               .reverse = options_has(given, OPTION_REVERSE),
                               .partial = options_has(given, OPTION_PARTIAL),
                               .exact = options_has(given, OPTION_EXACT),
                               .growth_limit = growth_limit(),
                               .memory_limit = memory_limit(),
                               .force = options_has(given, OPTION_FORCE),
                               .found = hear_finding,
                               .rejected = hear,
                               .user = heard};
}

static int change(const options *given, source *opened, const char *file) {
    mst_document *document = opened->document;
    const char *patch = given->value[OPTION_OFFSETS];
    patch = patch ? patch : given->operands[1]; /* run() hides the operand from edits_run() */
    const char *to = given->value[OPTION_OUTPUT];
    report_state heard = {.out = stream_stdout(),
                          .to = to && strcmp(to, "-") != 0 ? to : file,
                          .quiet = options_has(given, OPTION_QUIET)};
    const mst_check_options checks = {.size = sizeof checks, .sidecars = mst_level_sidecars(opened->level)};
    mst_patch_options how = options_of(given, &heard);
    how.checks = &checks;
    mst_diagnostic why;
    char *text = NULL;
    size_t size = 0;
    if (read_whole(patch, &text, &size, &why) != MST_OK)
        return say_diagnosis(patch, &why);
    mst_status status = mst_patch_apply(document, text, size, &how, &why);
    free(text);
    stream_free(&heard.out);
    if (status != MST_OK)
        return say_diagnosis(status == MST_ARGUMENT ? patch : file, &why);
    if (!heard.quiet)
        edits_say_findings(heard.to, heard.findings);
    return heard.count ? EXIT_NO : EXIT_YES;
}

/* ---- directories ------------------------------------------------------------------------------------ */

static int patch_set(const options *given) {
    const char *from = given->operands[0], *patch = given->operands[1], *to = given->value[OPTION_OUTPUT];
    const mst_container_options unmapped = {.size = sizeof unmapped,
                                            .unmapped = 1}; /* the files may be overwritten */
    bool in_place = options_has(given, OPTION_IN_PLACE), dry = options_has(given, OPTION_CHECK);
    mst_container *files = NULL;
    mst_diagnostic why;
    char *text = NULL;
    size_t size = 0;
    int code = EXIT_YES;
    if (in_place && !is_directory(from))
        return options_usage(given, "%s is an archive, and archives are not written: use -o DIRECTORY", from);
    if (in_place && to)
        return options_usage(given, "-i and -o exclude each other");
    if (!in_place && !to && !dry)
        return options_usage(given, "no output: use -o DIRECTORY, or -i to change the directory itself");
    if (in_place && !dry)
        set_output_recover(from);
    report_state heard = {
        .out = stream_stdout(), .to = to ? to : from, .quiet = options_has(given, OPTION_QUIET)};
    mst_patch_options how = options_of(given, &heard);
    set_output out = {.said = false};
    if (read_whole(patch, &text, &size, &why) != MST_OK)
        code = say_diagnosis(patch, &why);
    else if (mst_container_open(from, &unmapped, &files, &why) != MST_OK)
        code = say_diagnosis(from, &why);
    else if (!dry && !set_output_begin(&out, in_place ? from : to, from))
        code = EXIT_TROUBLE;
    left_out without = {.path = from, .what = "the result", .quiet = options_has(given, OPTION_QUIET)};
    if (code == EXIT_YES) {
        const mst_patch_files all = {
            .size = sizeof all, .files = files, .take = set_output_take, .user = &out};
        how.files = &all;
        mst_status status = mst_patch_apply(NULL, text, size, &how, &why);
        stream_flush(&heard.out);
        if (status != MST_OK)
            code = out.said ? EXIT_TROUBLE : say_diagnosis(status == MST_ARGUMENT ? patch : from, &why);
        else if (!heard.quiet)
            edits_say_findings(heard.to, heard.findings);
    }
    if (code == EXIT_YES && !in_place && !dry)
        left_out_names(&without, files, true);
    left_out_end(&without);
    stream_free(&heard.out);
    code = set_output_end(&out, code);
    mst_container_close(files);
    free(text);
    return code == EXIT_YES && heard.count ? EXIT_NO : code;
}

/* ---- all -------------------------------------------------------------------------------------------- */

static int run(const options *given) {
    const bool lists = given->value[OPTION_OFFSETS] != NULL;
    if (given->operand_count != (lists ? 1 : 2))
        return options_usage(given, lists ? "with --offsets patch needs one file: the level"
                                          : "patch needs two files: the level and the PATCH");
    if (!lists && (is_directory(given->operands[0]) || looks_like_archive(given->operands[0])))
        return patch_set(given);
    options one = *given;
    one.operand_count = 1;
    return edits_run(&one, change, true);
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT("write the result to FILE (- is stdout), of a directory or archive to a directory"),
    {OPTION_IN_PLACE, 'i', "in-place", NULL, NULL, "change the file itself"},
    OPTION_ROW_BACKUP,
    OPTION_ROW_HISTORY,
    {OPTION_REVERSE, 'R', "reverse", NULL, NULL, "make the old level out of the new one"},
    {OPTION_CHECK, 0, "check", NULL, NULL, "write nothing; the exit code tells whether the patch fits"},
    {OPTION_PARTIAL, 0, "partial", NULL, NULL,
     "apply the changes that fit, if the file is not the one that the patch was made from"},
    {OPTION_FUZZ, 0, "fuzz", NULL, NULL, "also patch a file that has changed since (default)"},
    {OPTION_EXACT, 0, "exact", NULL, NULL, "refuse a file other than the one that the patch was made from"},
    {OPTION_OFFSETS, 0, "offsets", "LIST", NULL,
     "in place of PATCH: JSON that lists offsets in the file, and the bytes there"},
    OPTION_ROW_FORCE,
    OPTION_ROW_GROWTH,
    OPTION_ROW_MEMORY,
    OPTION_ROW_QUIET("do not report how many bytes change, and new findings"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_FUZZ, OPTION_EXACT}, {OPTION_NONE, OPTION_NONE}};

const command patch_command = {
    .name = "patch",
    .operands = "FILE PATCH",
    .summary = "apply a patch to a level",
    .description =
        "Applies a patch that 'mapstone diff OLD NEW -o PATCH' wrote: OLD becomes NEW, byte for "
        "byte, or with --reverse NEW becomes OLD. A patch contains only the changes: it can be "
        "given to others without the level. Exits with 1 if --partial left something out, with 5 "
        "if the patch does not fit.\n\n"
        "- A file that has changed since can also be patched: elements are found by their "
        "content. A change does not fit if its place now has other content; such changes are "
        "listed, and nothing is written unless --partial is given.\n"
        "- New errors and new references to missing elements are refused, unless --force is "
        "given; the files in the same directory are taken into account.\n"
        "- A patch that is applied to the file that it was made from always produces the file "
        "that it was made for, even if that has errors.\n\n"
        "Fixes of games often circulate as offsets and bytes. --offsets applies them: "
        "[{\"offset\": 189246, \"old\": \"ff\", \"new\": \"00\"}], where an offset may also be "
        "\"0x2e33e\" and \"old\" may be missing. Other bytes than \"old\" refuse it, as does "
        "a result that cannot be opened, and without \"old\" new errors. 'mapstone diff --offsets OLD "
        "NEW' writes such a "
        "list.\n\n"
        "The patch of two directories or archives is applied to all files of a directory or "
        "archive, or to none; the result is written to a new directory, or with -i to the same "
        "one. Nothing is written through symbolic links. A patch that names a file outside the "
        "directory, a hidden file (.git) or a device of Windows (NUL) is refused.",
    .options = rows,
    .examples = "mapstone diff old.level new.level -o change.mspatch\n"
                "mapstone patch old.level change.mspatch -o new.level\n"
                "mapstone patch -i --reverse new.level change.mspatch\n"
                "mapstone patch L111LEV.MAP --offsets fixes.json -o fixed.MAP",
    .run = run,
    .clashes = clashes,
};
