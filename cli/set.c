/* SPDX-License-Identifier: MIT */
/* mapstone set: changes values, inserts and removes elements. */
#include "commands.h"
#include "source.h"
#include <mapstone/edit.h>
#include <mapstone/image.h>
#include <stdlib.h>
#include <string.h>

/* The image with that name or, if there is none, that number. */
static mst_status find_picture(const mst_document *document, const char *wanted, size_t *index,
                               mst_diagnostic *why) {
    size_t count = mst_image_count(document);
    for (*index = 0; *index < count; ++*index) {
        mst_pixels pixels = {0};
        char name[MST_IMAGE_NAME];
        mst_status status = mst_image_read(document, *index, &pixels, name, why);
        if (status != MST_OK)
            return status;
        mst_pixels_free(&pixels);
        if (!strcmp(name, wanted))
            return MST_OK;
    }
    char *end;
    unsigned long number = strtoul(wanted, &end, 10);
    *index = number;
    if (*wanted >= '0' && *wanted <= '9' && !*end && number < count)
        return MST_OK;
    return count ? blame(why, MST_NO_PATH, "there is no image '%s'", wanted)
                 : blame(why, MST_NO_PATH, "it has no images");
}

/* Applies one --image NAME=FILE.png. */
static int put_picture(const options *given, mst_document *document, const char *file, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return options_usage(given, "--image: '%s' is not of the form NAME=FILE.png", text);
    char *name = need(calloc((size_t)(equals - text) + 1, 1)), *bytes = NULL;
    memcpy(name, text, (size_t)(equals - text));
    size_t size = 0, index = 0;
    mst_pixels pixels = {0};
    mst_diagnostic why;
    mst_status status = find_picture(document, name, &index, &why);
    if (status == MST_OK) {
        file = equals + 1;
        status = read_whole(file, &bytes, &size, &why);
    }
    if (status == MST_OK)
        status = mst_pixels_read_png(bytes, size, &pixels, &why);
    if (status == MST_OK)
        status = mst_image_replace(document, index, &pixels, &why);
    mst_pixels_free(&pixels);
    free(bytes);
    free(name);
    return status == MST_OK ? EXIT_YES : say_diagnosis(file, &why);
}

/* The path of an assignment, and its value in *value; NULL: it is none. */
static char *split_assignment(const options *given, const char *text, const char **value) {
    const char *equals = find_assignment(text);
    size_t length = equals ? (size_t)(equals - text) : 0, blanks = 0;
    while (length && text[length - 1] == ' ')
        length--, blanks++;
    if (!length) {
        options_usage(given, "'%s' is not of the form PATH=VALUE", text);
        return NULL;
    }
    *value = equals + 1;
    while (blanks && **value == ' ') /* as in "name = value"; else they belong to the value */
        ++*value;
    char *path = need(calloc(length + 1, 1));
    memcpy(path, text, length);
    return path;
}

#define SHOWN 20 /* lines about what else changes */

/* What is reported about edits. */
typedef struct following {
    const char *file, *to;
    size_t lines, findings;
    bool quiet;
} following;

static mst_status report_following(void *user, const mst_diagnostic *what) {
    following *f = user;
    f->lines++;
    f->findings += what->code[0] != 0;
    if (f->quiet || f->lines > SHOWN)
        return MST_OK;
    if (what->code[0])
        say_diagnosis(f->to, what);
    else
        say_plain("%s: %s: %s", f->file, what->path, what->message);
    return MST_OK;
}

/* Applies a list of operations, all or none. */
static int edit(const options *given, mst_document *document, const char *file,
                const mst_operation *operations, size_t count) {
    const mst_check_options checks = {0};
    const char *to = given->value[OPTION_OUTPUT];
    following heard = {.file = file,
                       .to = to && strcmp(to, "-") != 0 ? to : file,
                       .quiet = options_has(given, OPTION_QUIET)};
    const mst_edit_options how = {.size = sizeof how,
                                  .each = options_has(given, OPTION_EACH),
                                  .cascade = options_has(given, OPTION_CASCADE),
                                  .keep_loose = options_has(given, OPTION_KEEP_LOOSE),
                                  .checks = &checks,
                                  .force = options_has(given, OPTION_FORCE),
                                  .report = report_following,
                                  .user = &heard};
    mst_diagnostic why;
    mst_status status = mst_edit(document, operations, count, &how, &why);
    if (heard.lines > SHOWN && !heard.quiet)
        say_plain("%s: ... and %zu more", file, heard.lines - SHOWN);
    if (status == MST_OK && heard.findings && !heard.quiet)
        say_plain("%s: %zu new %s", heard.to, heard.findings, heard.findings == 1 ? "finding" : "findings");
    return status == MST_OK ? EXIT_YES : say_diagnosis(file, &why);
}

/* Applies the arguments from *next on, but `file_at`, up to the next image: that needs the document as it is
 * then. */
static int edit_some(const options *given, mst_document *document, const char *file, size_t file_at,
                     size_t *next) {
    mst_operation *operations = need(calloc(given->argument_count + 1, sizeof *operations));
    char **paths = need(calloc(given->argument_count + 1, sizeof *paths)); /* those that were split off */
    size_t count = 0;
    int code = EXIT_YES;
    for (; *next < given->argument_count && given->arguments[*next].id != OPTION_IMAGE; ++*next) {
        const argument *one = &given->arguments[*next];
        bool sets = one->id == OPTION_NONE && *next != file_at;
        if (one->id == OPTION_REMOVE) {
            operations[count++] = (mst_operation){MST_OPERATION_REMOVE, one->value, NULL};
        } else if (sets || one->id == OPTION_INSERT) {
            const char *value = NULL;
            paths[count] = split_assignment(given, one->value, &value);
            if (!paths[count])
                code = EXIT_TROUBLE;
            operations[count] =
                (mst_operation){sets ? MST_OPERATION_SET : MST_OPERATION_INSERT, paths[count], value};
            count++;
        }
    }
    if (code == EXIT_YES && count)
        code = edit(given, document, file, operations, count);
    for (size_t i = 0; i < count; i++)
        free(paths[i]);
    free(paths);
    free(operations);
    return code;
}

static const char *plural(size_t n) {
    return n == 1 ? "byte" : "bytes";
}

/* Reports how the edits changed the bytes of a file. */
static void report(const char *file, const char *before, size_t old_size, const char *after, size_t size) {
    size_t shorter = size < old_size ? size : old_size, first = 0, same_end = 0, differing = 0;
    while (first < shorter && before[first] == after[first])
        first++;
    while (same_end < shorter - first && before[old_size - 1 - same_end] == after[size - 1 - same_end])
        same_end++;
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

/* Whether an output file is one of the input files. */
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

/* What is reported about saved files. */
typedef struct saving {
    bool quiet;
    size_t files;
} saving;

static void report_saved(void *user, const mst_level_file *file) {
    saving *how = user;
    const char *name = file->document_files > 1 ? base_name(file->path) : file->path;
    how->files++;
    if (file->other_names)
        say(MST_WARNING, "%s had %u other %s (hard links), which still %s the old content", name,
            file->other_names, file->other_names == 1 ? "name" : "names",
            file->other_names == 1 ? "has" : "have");
    if (!how->quiet)
        report(name, file->before, file->before_size, file->after, file->after_size);
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
        report(file, opened->bytes, opened->size, after, size);
    return code;
}

/* Writes the document and its index file: all files or none. */
static int write_result(const source *opened, const options *given, const char *file, const char *to) {
    saving result = {.quiet = options_has(given, OPTION_QUIET)};
    const mst_level_save_options how = {.watch = &temporaries, .saved = report_saved, .user = &result};
    mst_diagnostic why;
    if (!strcmp(to, "-"))
        return write_stdout(opened, file, result.quiet);
    mst_status status = options_has(given, OPTION_IN_PLACE)
                            ? mst_level_save(opened->level, &how, &why)
                            : mst_level_save_as(opened->level, 0, to, &how, &why);
    if (status != MST_OK)
        return say_diagnosis(NULL, &why);
    if (!result.files && !result.quiet) /* nothing was edited */
        report(to, "", 0, "", 0);
    return EXIT_YES;
}

static int run(const options *given) {
    const char *file = input_single(given), *to = given->value[OPTION_OUTPUT];
    bool in_place = options_has(given, OPTION_IN_PLACE);
    if (!file || !format_is_known(given, given->value[OPTION_FROM]))
        return EXIT_TROUBLE;
    if (given->operand_count < 2 && !options_has(given, OPTION_REMOVE) &&
        !options_has(given, OPTION_INSERT) && !options_has(given, OPTION_IMAGE) &&
        !options_has(given, OPTION_REHASH))
        return options_usage(given, "nothing to change: give PATH=VALUE, --insert PATH=VALUE, --remove PATH, "
                                    "--image NAME=FILE.png or --rehash");
    if (in_place == (to != NULL))
        return options_usage(given, in_place
                                        ? "-i and -o exclude each other"
                                        : "no output: use -o FILE to write a new file, or -i to change the "
                                          "file itself");
    if (in_place && !strcmp(file, "-"))
        return options_usage(given, "stdin cannot be changed in place; use -o");
    if (in_place && archive_prefix(file))
        return options_usage(given, "archives cannot be written; use -o");
    if (in_place)
        to = file;
    else if (archive_prefix(file) && is_input(to, file))
        return options_usage(given, "%s is the archive; archives cannot be written", to);
    else if (is_input(to, file))
        return options_usage(given, "%s is the input; to change it in place use -i", to);
    if (leads_into_archive(to))
        return EXIT_TROUBLE;
    if (is_directory(to)) {
        say(MST_ERROR, "%s is a directory; name a file to write", to);
        return EXIT_TROUBLE;
    }
    if (!may_be_binary(to, "a level"))
        return EXIT_TROUBLE;

    source opened;
    mst_diagnostic why;
    int code = EXIT_YES;
    if (source_open_path(&opened, file, given, SOURCE_EDIT, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    if (code == EXIT_YES && !in_place && is_either(&opened, file, to))
        code = options_usage(given, "%s belongs to the input; to change it in place use -i", to);
    if (code == EXIT_YES && strcmp(to, "-") != 0 &&
        mst_level_rename(opened.level, 0, base_name(to), &why) != MST_OK)
        code = say_diagnosis(file, &why);
    opened.document = mst_level_document(opened.level, 0);
    size_t file_at = 0;
    while (given->arguments[file_at].id != OPTION_NONE)
        file_at++;
    for (size_t next = 0; next < given->argument_count && code == EXIT_YES;) {
        if (given->arguments[next].id == OPTION_IMAGE)
            code = put_picture(given, opened.document, file, given->arguments[next++].value);
        else
            code = edit_some(given, opened.document, file, file_at, &next);
    }
    if (code == EXIT_YES && options_has(given, OPTION_REHASH) && mst_renew(opened.document, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    if (code == EXIT_YES)
        code = write_result(&opened, given, file, to);
    source_close(&opened);
    return code;
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT("write the result to FILE (- is stdout)"),
    {OPTION_IN_PLACE, 'i', "in-place", NULL, NULL, "change the file itself"},
    {OPTION_INSERT, 'n', "insert", "PATH=VALUE", NULL, "insert a new element before the one at PATH"},
    {OPTION_REMOVE, 'r', "remove", "PATH", NULL, "remove the element or optional field at PATH"},
    {OPTION_IMAGE, 0, "image", "NAME=FILE.png", NULL, "replace the image with that name"},
    {OPTION_EACH, 0, "each", NULL, NULL, "change all that a PATH with conditions, * or a slice stands for"},
    {OPTION_CASCADE, 0, "cascade", NULL, NULL,
     "what refers to a removed element refers to nothing then, or is removed, too"},
    {OPTION_KEEP_LOOSE, 0, "keep-loose", NULL, NULL, "keep what only removed elements referred to"},
    {OPTION_FORCE, 'f', "force", NULL, NULL, "write a level with new errors, too"},
    {OPTION_REHASH, 0, "rehash", NULL, NULL, "recompute the state hash of a Revenant sector, stale or not"},
    OPTION_ROW_QUIET("do not report how many bytes changed"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

const command set_command = {
    .name = "set",
    .operands = "FILE PATH=VALUE...",
    .summary = "change values, insert and remove elements",
    .description =
        "Sets the value at each PATH to VALUE, which is one JSON value; spaces around = are ignored. A "
        "string need not be quoted: anything but a JSON string is used literally, even 5 and true. Flags "
        "are a list of names, as LIGHT,MOVING or '[\"LIGHT\", \"0x400\"]', or a number; +NAME sets one and "
        "-NAME clears one, the others stay. Lengths of Natural Selection 2 (distances, positions) are "
        "metres, or "
        "with in after the number inches, as in its editor: 12in, '[12in, 0, -3.5in]'. Quote brackets: they "
        "are patterns to the shell. Dependent sizes "
        "and counts are updated, every other byte stays unchanged. An index file beside the output (MAPS.bin "
        "for object lists) is updated too. Changes, insertions and removals are applied in the order given, "
        "all or none: the result is written when everything has succeeded. The index one past the last "
        "appends, [-1] is the last one. A new image must have the size of the one that it replaces, and only "
        "colours of its palette. The state hash of a Revenant sector is updated for edits and the name of "
        "the output; one that was stale before stays so unless --rehash or state_hash=auto recomputes it.\n\n"
        "The number of changed bytes is reported on stderr. Exits with 3 if a path does not exist, with 5 if "
        "a change would spoil the file, or if another program has changed the file meanwhile. Files that "
        "belong together are all written or none.",
    .options = rows,
    .examples = "mapstone set maps/a.level 'objects[0].properties[name=origin].value=[1, 2, 3]' -o b.level\n"
                "mapstone set -i maps/a.level 'objects[3].properties[name=distance].value=192in'\n"
                "mapstone set -i maps/a.level --remove 'objects[12]'\n"
                "mapstone set -i 10_20_7.DAT 'objects[3].flags=+light,-invisible'\n"
                "mapstone set 111GFX.BIN --image page_0=page_0.png -o new/111GFX.BIN\n"
                "mapstone set -i --rehash 44_12_8.DAT",
    .run = run,
};
