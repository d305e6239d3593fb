/* SPDX-License-Identifier: MIT */
/* mapstone set: changes values, inserts and removes elements. */
#include "commands.h"
#include "source.h"
#include <errno.h>
#include <mapstone/image.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* Applies one argument of `option`. */
static int change(const options *given, mst_document *document, const char *file, option_id option,
                  const char *text) {
    mst_diagnostic why;
    mst_status status;
    if (option == OPTION_IMAGE)
        return put_picture(given, document, file, text);
    if (option == OPTION_REMOVE) {
        status = mst_remove(document, text, &why);
    } else {
        const char *equals = find_assignment(text);
        if (!equals)
            return options_usage(given, "'%s' is not of the form PATH=VALUE", text);
        size_t length = (size_t)(equals - text), blanks = 0;
        while (length && text[length - 1] == ' ')
            length--, blanks++;
        const char *value = equals + 1;
        while (blanks && *value == ' ') /* as in "name = value"; else they belong to the value */
            value++;
        if (!length)
            return options_usage(given, "'%s' is not of the form PATH=VALUE", text);
        char *path = need(calloc(length + 1, 1));
        memcpy(path, text, length);
        status = option == OPTION_INSERT ? mst_insert(document, path, value, &why)
                                         : mst_set(document, path, value, &why);
        free(path);
    }
    if (status == MST_OK)
        return EXIT_YES;
    if (!why.path[0]) { /* name the argument */
        size_t length = strlen(text) < sizeof why.path ? strlen(text) : sizeof why.path - 1;
        memcpy(why.path, text, length);
        why.path[length] = 0;
    }
    return say_diagnosis(file, &why);
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

/* The original files, for the report and to verify that they are unchanged when they are replaced. */
typedef struct before {
    size_t count;
    const char *bytes[MST_SAVE_FILES];
    size_t sizes[MST_SAVE_FILES];
    char *owned[MST_SAVE_FILES];
} before;

static before remember(const source *opened) {
    before was = {.count = mst_document_file_count(opened->document)};
    if (was.count == 1 && opened->bytes) {
        was.bytes[0] = opened->bytes;
        was.sizes[0] = opened->size;
        return was;
    }
    for (size_t i = 0; i < was.count; i++) {
        const void *bytes = mst_document_file(opened->document, i, NULL, &was.sizes[i]);
        was.bytes[i] = was.owned[i] = need(malloc(was.sizes[i] + 1));
        memcpy(was.owned[i], bytes, was.sizes[i]);
    }
    return was;
}

static void forget(before *was) {
    for (size_t i = 0; i < MST_SAVE_FILES; i++)
        free(was->owned[i]);
}

static void report_all(const char *file, const mst_document *document, const before *was) {
    for (size_t i = 0; i < was->count; i++) {
        size_t size;
        const char *name, *after = mst_document_file(document, i, &name, &size);
        report(was->count == 1 ? file : name, was->bytes[i], was->sizes[i], after, size);
    }
}

/* The path of a file beside another, to be freed. */
static char *path_beside(const char *path, const char *name) {
    size_t directory = (size_t)(base_name(path) - path), length = strlen(name) + 1;
    char *beside = need(malloc(directory + length));
    memcpy(beside, path, directory);
    memcpy(beside + directory, name, length);
    return beside;
}

/* Whether an output file is one of the input files. */
static bool is_either(const source *opened, const char *file, const char *to) {
    if (mst_document_file_count(opened->document) == 1 || archive_prefix(file) || !strcmp(to, "-"))
        return false;
    char other[256] = "";
    mst_format_file(mst_document_format(opened->document), base_name(to), 0, other, sizeof other);
    char *beside = path_beside(to, other);
    bool either = is_input(beside, file);
    for (size_t i = 0; i < 2 && !either; i++) {
        const char *name;
        size_t size;
        mst_document_file(opened->document, i, &name, &size);
        char *read = path_beside(file, name);
        either = is_input(to, read) || (other[0] && is_input(beside, read));
        free(read);
    }
    free(beside);
    return either;
}

/* The index file (mst_index_file) beside the output. */
typedef struct speaker {
    mst_document *document; /* NULL: there is none */
    char *path;
    before was;
} speaker;

/* Updates the index file, which is written together with the output. */
static int tell_other(const source *opened, const char *to, speaker *other) {
    const char *called = mst_index_file(opened->document);
    if (!called || !mst_is_edited(opened->document) || !strcmp(to, "-"))
        return EXIT_YES;
    other->path = path_beside(to, called);
    mst_diagnostic why;
    struct stat about = {0};
    if (stat(other->path, &about) != 0 && errno != ENOENT) { /* it may exist */
        blame(&why, MST_IO, "cannot access it: %s", strerror(errno));
        return say_diagnosis(other->path, &why);
    }
    if (!S_ISREG(about.st_mode)) /* none */
        return EXIT_YES;
    mst_status status = mst_open_file(other->path, NULL, &other->document, &why);
    if (status == MST_OK) {
        const source others = {.document = other->document};
        other->was = remember(&others);
        /* its entry has the name of the output */
        mst_document *named = NULL;
        mst_convert_options as = {.name = base_name(to)};
        if (strcmp(mst_document_name(opened->document), base_name(to)) != 0)
            status = mst_convert(opened->document, &as, NULL, NULL, &named, &why);
        if (status == MST_OK)
            status = mst_update_index(named ? named : opened->document, other->document, &why);
        mst_close(named);
    }
    if (status == MST_NO_PATH)
        say(MST_WARNING, "%s has no entry for %s and is not updated", called, base_name(to));
    return status == MST_OK || status == MST_NO_PATH ? EXIT_YES : say_diagnosis(other->path, &why);
}

static int write_stdout(const source *opened) {
    mst_diagnostic why;
    target out;
    if (two_files_on_stdout(opened->document) || !target_begin(&out, "-"))
        return EXIT_TROUBLE;
    mst_status status = mst_save(opened->document, target_sink(&out), &why);
    return target_settle(&out, status, "-", &why);
}

/* Files that are written together. */
typedef struct outputs {
    size_t count;
    mst_file_writer *writers[2 * MST_SAVE_FILES];
    const char *names[2 * MST_SAVE_FILES];
} outputs;

/* Begins to write the files of a document over the ones that were read (NULL: over any existing ones). An
 * unchanged file of a pair is not written: fewer renames leave less to go wrong between them. */
static mst_status begin_files(outputs *all, const mst_document *document, const char *path, const before *was,
                              mst_diagnostic *why) {
    mst_file_writer *writers[MST_SAVE_FILES];
    size_t count;
    mst_status status = mst_save_begin(document, path, &temporaries, writers, &count, why);
    for (size_t i = 0; i < count; i++) {
        const char *name = path;
        size_t size;
        const void *bytes = mst_document_file(document, i, count > 1 ? &name : NULL, &size);
        bool known = was && count == was->count;
        if (known && count > 1 && size == was->sizes[i] && memcmp(bytes, was->bytes[i], size) == 0) {
            mst_file_abandon(writers[i]);
            continue;
        }
        if (known)
            mst_file_expect(writers[i], was->bytes[i], was->sizes[i]);
        all->writers[all->count] = writers[i];
        all->names[all->count++] = name;
    }
    return status;
}

/* Writes the document and its index file: all files or none. */
static int write_result(const source *opened, const char *to, const before *was, const speaker *other) {
    unsigned links[2 * MST_SAVE_FILES] = {0};
    outputs all = {.count = 0};
    mst_diagnostic why;
    if (!strcmp(to, "-"))
        return write_stdout(opened);
    mst_status status = begin_files(&all, opened->document, to, was, &why);
    if (status == MST_OK && other->document && mst_is_edited(other->document))
        status = begin_files(&all, other->document, other->path, &other->was, &why);
    for (size_t i = 0; i < all.count; i++)
        links[i] = mst_file_other_names(all.writers[i]);
    if (status == MST_OK)
        status = mst_file_finish_all(all.writers, all.count, &why);
    else
        while (all.count)
            mst_file_abandon(all.writers[--all.count]);
    if (status != MST_OK)
        return say_diagnosis(NULL, &why);
    for (size_t i = 0; i < all.count; i++)
        if (links[i])
            say(MST_WARNING, "%s had %u other %s (hard links), which still %s the old content", all.names[i],
                links[i], links[i] == 1 ? "name" : "names", links[i] == 1 ? "has" : "have");
    return EXIT_YES;
}

/* Updates content that depends on the file's name to that of the output. */
static int take_name(source *opened, const char *file, const char *to) {
    const char *name = mst_document_name(opened->document);
    if (!mst_renewable(opened->document) || !name[0] || !strcmp(to, "-") || !strcmp(name, base_name(to)))
        return EXIT_YES;
    mst_diagnostic why;
    mst_document *named;
    mst_convert_options as = {.name = base_name(to)};
    if (mst_convert(opened->document, &as, NULL, NULL, &named, &why) != MST_OK)
        return say_diagnosis(file, &why);
    mst_close(opened->document);
    opened->document = named;
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
    if (source_open_path(&opened, file, given, SOURCE_BYTES, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    if (code == EXIT_YES && !in_place && is_either(&opened, file, to))
        code = options_usage(given, "%s belongs to the input; to change it in place use -i", to);
    before was = {0};
    if (code == EXIT_YES)
        was = remember(&opened);
    if (code == EXIT_YES)
        code = take_name(&opened, file, to);
    bool have_file = false;
    for (size_t i = 0; i < given->argument_count && code == EXIT_YES; i++) {
        const argument *one = &given->arguments[i];
        if (one->id == OPTION_NONE && !have_file)
            have_file = true;
        else if (one->id == OPTION_NONE || one->id == OPTION_REMOVE || one->id == OPTION_INSERT ||
                 one->id == OPTION_IMAGE)
            code = change(given, opened.document, file, one->id, one->value);
    }
    if (code == EXIT_YES && options_has(given, OPTION_REHASH) && mst_renew(opened.document, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    speaker other = {0};
    if (code == EXIT_YES)
        code = tell_other(&opened, to, &other);
    bool replaces = in_place && !(opened.from_json && was.count > 1);
    if (code == EXIT_YES)
        code = write_result(&opened, to, replaces ? &was : NULL, &other);
    if (code == EXIT_YES && !options_has(given, OPTION_QUIET)) {
        report_all(strcmp(to, "-") != 0 ? to : file, opened.document, &was);
        if (other.document && mst_is_edited(other.document))
            report_all(other.path, other.document, &other.was);
    }
    forget(&was);
    forget(&other.was);
    mst_close(other.document);
    free(other.path);
    source_close(&opened);
    return code;
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT("write the result to FILE (- is stdout)"),
    {OPTION_IN_PLACE, 'i', "in-place", NULL, NULL, "change the file itself"},
    {OPTION_INSERT, 'n', "insert", "PATH=VALUE", NULL, "insert a new element before the one at PATH"},
    {OPTION_REMOVE, 'r', "remove", "PATH", NULL, "remove the element or optional field at PATH"},
    {OPTION_IMAGE, 0, "image", "NAME=FILE.png", NULL, "replace the image with that name"},
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
        "-NAME clears one, the others stay. Quote brackets: they are patterns to the shell. Dependent sizes "
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
                "mapstone set -i maps/a.level --remove 'objects[12]'\n"
                "mapstone set -i 10_20_7.DAT 'objects[3].flags=+light,-invisible'\n"
                "mapstone set 111GFX.BIN --image page_0=page_0.png -o new/111GFX.BIN\n"
                "mapstone set -i --rehash 44_12_8.DAT",
    .run = run,
};
