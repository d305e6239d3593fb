/* SPDX-License-Identifier: MIT */
#include "edits.h"
#include "../../src/core/delta.h"
#include "../../src/core/write.h"
#include "../../src/level/sources.h"
#include "../history/record.h"
#include "../inputs/opened_source.h"
#include "../output/dry_run.h"
#include "../output/undo_patch.h"
#include <stdlib.h>
#include <string.h>

/* ---- operations ----------------------------------------------------------------------------------- */

/* The context of reports about edits. */
typedef struct follow_state {
    const char *file, *to;
    size_t lines, findings;
    bool quiet;
} follow_state;

static mst_status report_following(void *user, const mst_diagnostic *what) {
    follow_state *f = user;
    size_t *count = what->code[0] ? &f->findings : &f->lines;
    bool lost = !what->code[0] && what->severity == MST_WARNING;
    if (++*count > EDITS_SHOWN || (f->quiet && !lost))
        return MST_OK;
    if (lost)
        say_diagnosis(f->file, what);
    else if (what->code[0])
        say_diagnosis(f->to, what);
    else
        say_plain("%s: %s: %s", f->file, what->path, what->message);
    return MST_OK;
}

static void say_rest(const char *file, size_t count) {
    if (count > EDITS_SHOWN)
        say_plain("%s: ... and %zu more", file, count - EDITS_SHOWN);
}

mst_status model_report(void *user, const mst_diagnostic *what) {
    model_reports *reports = user;
    if (++reports->count <= EDITS_SHOWN && !reports->quiet)
        say_diagnosis(reports->model, what);
    return MST_OK;
}

void model_reports_end(const model_reports *reports) {
    if (!reports->quiet)
        say_rest(reports->model, reports->count);
}

void edits_say_findings(const char *to, size_t count) {
    if (count)
        say_plain("%s: %zu new %s", to, count, count == 1 ? "finding" : "findings");
}

/* Applies operations or, if `content` is given, pastes it; it is from the file `from`. */
static int apply(const options *given, const source *opened, const char *file,
                 const mst_operations *operations, const mst_document *content, const char *from) {
    mst_document *document = opened->document;
    mst_check_options checks = {.size = sizeof checks, .sidecars = mst_level_sidecars(opened->level)};
    const char *schema_path = given->value[OPTION_SCHEMA];
    char *schema = NULL;
    mst_diagnostic why;
    if (schema_path && read_whole(schema_path, &schema, &checks.schema_size, &why) != MST_OK)
        return say_diagnosis(schema_path, &why);
    checks.schema = schema;
    const char *to = given->value[OPTION_OUTPUT];
    follow_state heard = {.file = from,
                          .to = to && strcmp(to, "-") != 0 ? to : file,
                          .quiet = options_has(given, OPTION_QUIET)};
    const mst_edit_options how = {.size = sizeof how,
                                  .each = options_has(given, OPTION_EACH),
                                  .cascade = options_has(given, OPTION_CASCADE),
                                  .keep_loose = options_has(given, OPTION_KEEP_LOOSE),
                                  .drag = options_has(given, OPTION_DRAG),
                                  .world_texture = options_has(given, OPTION_WORLD_TEXTURE),
                                  .allow_loss = options_has(given, OPTION_ALLOW_LOSS),
                                  .keep_names = options_has(given, OPTION_KEEP_NAMES),
                                  .keep_references = options_has(given, OPTION_KEEP_REFERENCES),
                                  .growth_limit = growth_limit(),
                                  .checks = &checks,
                                  .force = options_has(given, OPTION_FORCE),
                                  .report = report_following,
                                  .user = &heard};
    size_t count;
    const mst_operation *all = mst_operations_all(operations, &count);
    mst_status status =
        content ? mst_paste(document, content, &how, &why) : mst_edit(document, all, count, &how, &why);
    free(schema);
    if (!heard.quiet)
        say_rest(heard.file, heard.lines);
    if (status == MST_OK && !heard.quiet)
        edits_say_findings(heard.to, heard.findings);
    return status == MST_OK ? EXIT_YES : say_diagnosis(file, &why);
}

/* Whether no operation adds, removes or reorders elements. */
static bool keep_indices(const mst_operations *operations) {
    size_t count;
    const mst_operation *all = mst_operations_all(operations, &count);
    bool keep = true;
    for (size_t i = 0; i < count && keep; i++)
        keep = all[i].kind == MST_OPERATION_SET || all[i].kind == MST_OPERATION_MOVE_BY ||
               all[i].kind == MST_OPERATION_ROTATE || all[i].kind == MST_OPERATION_SCALE;
    return keep;
}

int edits_apply(const options *given, source *opened, const char *file, const mst_operations *operations) {
    opened->in_place = opened->in_place && keep_indices(operations);
    return apply(given, opened, file, operations, NULL, file);
}

int edits_paste(const options *given, source *opened, const char *file, const char *from) {
    source pasted = {0};
    opened->in_place = false;
    mst_diagnostic why;
    int code = EXIT_YES;
    if (source_open_path(&pasted, from, given, SOURCE_JSON, &why) != MST_OK)
        code = say_diagnosis(from, &why);
    else
        code = apply(given, opened, file, NULL, pasted.document, from);
    source_close(&pasted);
    return code;
}

/* ---- writing -------------------------------------------------------------------------------------- */

static const char *plural(size_t n) {
    return n == 1 ? "byte" : "bytes";
}

void edits_report(const char *file, const char *before, size_t old_size, const char *after, size_t size) {
    const uint8_t *old = (const uint8_t *)before, *now = (const uint8_t *)after;
    const size_t shorter = size < old_size ? size : old_size;
    const size_t first = (size_t)mst_same_beginning(old, now, shorter);
    const size_t same_end = (size_t)mst_same_end(old + old_size, now + size, shorter - first);
    size_t differing = 0;
    if (size == old_size) {
        for (size_t i = first; i < size - same_end; i++)
            differing += before[i] != after[i];
        if (differing)
            say_plain("%s: %zu %s changed, at 0x%04zx", file, differing, plural(differing), first);
        else
            say_plain("%s: 0 bytes changed", file);
        return;
    }
    size_t out = old_size - same_end - first, in = size - same_end - first;
    size_t by = size > old_size ? size - old_size : old_size - size;
    say_plain("%s: %zu %s replaced by %zu at 0x%04zx, %zu %s %s", file, out, plural(out), in, first, by,
              plural(by), size > old_size ? "longer" : "shorter");
}

/* Whether the output file is one of the input files. */
static bool is_either(const source *opened, const char *file, const char *to) {
    const mst_document *document = opened->document;
    bool either = false;
    if (mst_document_file_count(document) == 1 || archive_prefix(file) || !strcmp(to, "-"))
        return false;
    for (size_t i = 0; i < 4 && !either; i++) {
        char *read = saved_path(document, file, i / 2), *written = saved_path(document, to, i % 2);
        either = is_input(written, read);
        free(read);
        free(written);
    }
    return either;
}

/* The context of reports about saved files. */
typedef struct save_state {
    bool quiet, in_place;
    size_t files;
} save_state;

static void report_saved(void *user, const mst_level_file *file) {
    save_state *how = user;
    const char *name = file->document_files > 1 ? base_name(file->path) : file->path;
    how->files++;
    if (how->in_place && file->before)
        record_file(file->path, file->before, file->before_size, file->after, file->after_size);
    if (file->other_names)
        say(MST_WARNING, "%s had %u other %s (hard links), which still %s the old content", name,
            file->other_names, file->other_names == 1 ? "name" : "names",
            file->other_names == 1 ? "has" : "have");
    if (file->replaces_backup && !how->quiet)
        say(MST_INFORMATION, "%s replaces an earlier one", file->backup);
    if (!how->quiet)
        edits_report(name, file->before, file->before_size, file->after, file->after_size);
}

/* Writes the document to stdout. */
static int write_stdout(const source *opened, const char *file, bool quiet) {
    mst_diagnostic why;
    target out;
    if (two_files_on_stdout(opened->document) || !target_begin(&out, "-"))
        return EXIT_TROUBLE;
    mst_status status = mst_save(opened->document, target_sink(&out), &why);
    int code = target_settle(&out, status, "-", &why);
    size_t size;
    const void *after = mst_document_file(opened->document, 0, NULL, &size);
    if (code == EXIT_YES && !quiet)
        edits_report(file, opened->bytes, opened->size, after, size);
    return code;
}

/* Whether the result is the input's archive with one member replaced. */
static bool makes_archive(const options *given, const char *file, const char *to) {
    return archive_prefix(file) && (options_has(given, OPTION_IN_PLACE) || names_archive(to));
}

/* Reads the written archive again to record it: its bytes went straight to the disk. */
static void record_archive(const char *path, const char *before, size_t before_size) {
    char *after = NULL;
    size_t size = 0;
    mst_diagnostic why;
    if (read_whole(path, &after, &size, &why) == MST_OK)
        record_file(path, before, before_size, after, size);
    free(after);
}

/* Writes the input's archive again, with the document in place of the member. */
static int write_archive(const source *opened, const options *given, const char *file, const char *to) {
    const bool in_place = options_has(given, OPTION_IN_PLACE);
    mst_container *members = opened->own_archive->members;
    const size_t member = mst_container_find(members, file + archive_prefix(file) + 1);
    char *before = NULL;
    size_t before_size = 0, size, edited = 0;
    mst_diagnostic why;
    target out;
    for (size_t i = 0; i < mst_level_count(opened->level); i++)
        edited += mst_is_edited(mst_level_document(opened->level, i)) != 0;
    if (edited > 1 || mst_document_file_count(opened->document) > 1) {
        say(MST_ERROR, "%s: several files of the archive would change, but only one can be written", file);
        return EXIT_REFUSED;
    }
    if (in_place && read_whole(to, &before, &before_size, &why) != MST_OK)
        return say_diagnosis(to, &why);
    int code = EXIT_TROUBLE;
    if (target_begin(&out, to)) {
        if (in_place)
            mst_file_expect(out.writer, before, before_size);
        const void *after = mst_document_file(opened->document, 0, NULL, &size);
        mst_status status = mst_container_replace(members, member, after, size, target_sink(&out), &why);
        code = target_settle(&out, status, to, &why);
        if (code == EXIT_YES && !options_has(given, OPTION_QUIET))
            edits_report(file, opened->bytes, opened->size, after, size);
        if (code == EXIT_YES && in_place)
            record_archive(to, before, before_size);
    }
    free(before);
    return code;
}

/* Writes the document and its index file: all files or none. */
static int write_result(const source *opened, const options *given, const char *file, const char *to) {
    save_state result = {.quiet = options_has(given, OPTION_QUIET),
                         .in_place = options_has(given, OPTION_IN_PLACE)};
    const mst_level_save_options how = {.size = sizeof how,
                                        .watch = &temporaries,
                                        .saved = report_saved,
                                        .lost = say_lost,
                                        .user = &result,
                                        .backup = options_has(given, OPTION_BACKUP) ? "~" : NULL};
    mst_diagnostic why;
    if (!strcmp(to, "-"))
        return write_stdout(opened, file, result.quiet);
    if (makes_archive(given, file, to))
        return write_archive(opened, given, file, to);
    mst_status status = options_has(given, OPTION_IN_PLACE)
                            ? mst_level_save(opened->level, &how, &why)
                            : mst_level_save_as(opened->level, 0, to, &how, &why);
    if (status != MST_OK)
        return say_diagnosis(NULL, &why);
    if (!result.files && !result.quiet) /* nothing was edited */
        edits_report(to, "", 0, "", 0);
    return EXIT_YES;
}

/* Whether the result may be written there; if not, prints a message. */
static bool may_write(const options *given, const char *file, const char *to, bool in_place) {
    bool read = !in_place && is_input(to, file);
    if (read && archive_prefix(file))
        options_usage(given, "%s is the archive; to change it in place use -i", to);
    else if (read)
        options_usage(given, "%s is the input; to change it in place use -i", to);
    if (read || leads_into_archive(to))
        return false;
    if (names_archive(to) && !archive_prefix(file)) {
        options_usage(
            given,
            "%s is the name of an archive, and a level would be written: the input is not a member of one",
            to);
        return false;
    }
    if (is_directory(to)) {
        say(MST_ERROR, "%s is a directory; name a file to write", to);
        return false;
    }
    return may_be_binary(to, "a level");
}

bool edits_know_format(const options *given) {
    if (format_is_known(given, given->value[OPTION_FROM]))
        return true;
    say(MST_INFORMATION, "-f is --from FORMAT, as in all commands; --force has no short form");
    return false;
}

static mst_status rehash(mst_document *document, mst_diagnostic *why) {
    const char *path = mst_checksum_path(document);
    if (path)
        return mst_set(document, path, "auto", why);
    return blame(why, MST_UNSUPPORTED, "%s has no computed number in this form",
                 mst_document_format(document)->title);
}

/* Opens the input, calls the function to change it, and writes the result. */
static int run_opened(const options *given, edits_function change, bool judges, const char *file,
                      const char *to) {
    const char *as = given->value[OPTION_AS_PATH];
    const bool in_place = options_has(given, OPTION_IN_PLACE), shows = options_has(given, OPTION_DRY_RUN),
               dry = shows || options_has(given, OPTION_CHECK);
    source opened;
    mst_diagnostic why;
    int code = EXIT_YES;
    if (source_open_path(&opened, file, given, SOURCE_EDIT, &why) != MST_OK)
        code = (judges ? say_trouble : say_diagnosis)(file, &why);
    if (code == EXIT_YES && to && !in_place && is_either(&opened, file, to))
        code = options_usage(given, "%s belongs to the input; to change it in place use -i", to);
    if (code == EXIT_YES && to && strcmp(to, "-") != 0 && !makes_archive(given, file, to) &&
        mst_level_rename(opened.level, 0, base_name(in_place && as ? as : to), &why) != MST_OK)
        code = say_diagnosis(file, &why);
    opened.document = mst_level_document(opened.level, 0);
    undo back = {.to = NULL};
    dry_run only = {.before = NULL};
    if (code == EXIT_YES)
        code = shows ? dry_run_begin(&only, file, &opened) : undo_begin(&back, given, file, &opened);
    int verdict = EXIT_YES; /* of a change that is written anyway */
    if (code == EXIT_YES) {
        code = change(given, &opened, file);
        if (code == EXIT_NO) {
            verdict = code;
            code = EXIT_YES;
        }
    }
    if (code == EXIT_YES && options_has(given, OPTION_REFILE) &&
        mst_update_grid(opened.document, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    if (code == EXIT_YES && options_has(given, OPTION_REHASH) && rehash(opened.document, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    if (code == EXIT_YES && !dry)
        code = undo_write(&back, file, &opened);
    if (code == EXIT_YES && !dry)
        code = write_result(&opened, given, file, to);
    if (code == EXIT_YES && shows)
        code = dry_run_print(&only, given, file, &opened);
    dry_run_end(&only);
    undo_end(&back);
    source_close(&opened);
    return code == EXIT_YES ? verdict : code;
}

int edits_run(const options *given, edits_function change, bool judges) {
    const char *file = input_single(given), *to = given->value[OPTION_OUTPUT];
    const bool in_place = options_has(given, OPTION_IN_PLACE);
    const bool dry = options_has(given, OPTION_DRY_RUN) || options_has(given, OPTION_CHECK);
    if (!file)
        return EXIT_TROUBLE;
    if (in_place && to)
        return options_usage(given, "-i and -o exclude each other");
    if (!dry && !in_place && !to)
        return options_usage(given,
                             "no output: use -o FILE to write a new file, or -i to change the file itself");
    if (!in_place && options_has(given, OPTION_BACKUP))
        return options_usage(given, "--backup needs -i, which changes the file itself");
    if (in_place && !strcmp(file, "-"))
        return options_usage(given, "stdin cannot be changed in place; use -o");
    const bool member = archive_prefix(file) != 0;
    if (in_place && member && options_has(given, OPTION_BACKUP))
        return options_usage(given, "--backup applies to files, not to members of archives");
    char *whole = member ? file_of(file) : NULL; /* the file that -i writes */
    if (in_place)
        to = member ? whole : file;
    const int code = !to || may_write(given, file, to, in_place) ? run_opened(given, change, judges, file, to)
                                                                 : EXIT_TROUBLE;
    free(whole);
    return code;
}
