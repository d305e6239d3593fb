/* SPDX-License-Identifier: MIT */
/* mapstone set: changes values, inserts and removes elements. */
#include "../inputs/opened_source.h"
#include "commands.h"
#include "edits.h"
#include <mapstone/image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX 3 /* images that a message names */

/* The image with that name or, without one, that number. */
static mst_status find_picture(const mst_document *document, const char *wanted, size_t *index,
                               mst_diagnostic *why) {
    size_t count = mst_image_count(document), length = 0;
    char names[NAMED_MAX * 32] = "";
    for (*index = 0; *index < count; ++*index) {
        mst_pixels pixels = {0};
        char name[MST_IMAGE_NAME];
        mst_status status = mst_image_read(document, *index, 0, NULL, &pixels, name, why);
        if (status != MST_OK)
            return status;
        mst_pixels_free(&pixels);
        if (!strcmp(name, wanted))
            return MST_OK;
        if (*index < NAMED_MAX)
            length +=
                (size_t)snprintf(names + length, sizeof names - length, "%s%.30s", *index ? ", " : "", name);
    }
    char *end;
    unsigned long number = strtoul(wanted, &end, 10);
    *index = number;
    if (*wanted >= '0' && *wanted <= '9' && !*end && number < count)
        return MST_OK;
    return count ? blame(why, MST_NO_PATH, "there is no image '%.60s': name %s%s%s", wanted,
                         count > 1 ? "one of " : "", names, count > NAMED_MAX ? ", ..." : "")
                 : blame(why, MST_NO_PATH, "it has no images");
}

/* Applies one --image NAME=FILE.png. */
static int put_picture(const options *given, source *opened, const char *file, const char *text) {
    mst_document *document = opened->document;
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
        status = mst_image_replace(document, index, mst_level_sidecars(opened->level), &pixels, &why);
    mst_pixels_free(&pixels);
    free(bytes);
    free(name);
    return status == MST_OK ? EXIT_YES : say_diagnosis(file, &why);
}

/* Reads an argument as an operation. */
static bool read_operation(const options *given, mst_operations **all, const char *word, const char *text) {
    mst_diagnostic why;
    size_t size = strlen(word) + strlen(text) + 1;
    char *line = need(malloc(size));
    snprintf(line, size, "%s%s", word, text);
    mst_status status = mst_operations_read(all, line, strlen(line), 0, NULL, &why);
    free(line);
    if (status != MST_OK)
        options_usage(given, "'%s': %s", text, why.message);
    return status == MST_OK;
}

/* Applies the arguments from *next on, except `file_at`, up to the next image, which has to find the document
 * as edited so far. */
static int edit_some(const options *given, source *opened, const char *file, size_t file_at, size_t *next) {
    mst_operations *all = NULL;
    bool read = true;
    for (; *next < given->argument_count && given->arguments[*next].id != OPTION_IMAGE && read; ++*next) {
        const argument *one = &given->arguments[*next];
        if (one->id == OPTION_REMOVE)
            read = read_operation(given, &all, "remove ", one->value);
        else if (one->id == OPTION_INSERT)
            read = read_operation(given, &all, "insert ", one->value);
        else if (one->id == OPTION_NONE && *next != file_at)
            read = read_operation(given, &all, one->value[strspn(one->value, " ")] == '=' ? "" : "set ",
                                  one->value);
    }
    int code = !read ? EXIT_TROUBLE : all ? edits_apply(given, opened, file, all) : EXIT_YES;
    mst_operations_free(all);
    return code;
}

static int change(const options *given, source *opened, const char *file) {
    opened->in_place = true;
    int code = EXIT_YES;
    size_t file_at = 0;
    while (given->arguments[file_at].id != OPTION_NONE)
        file_at++;
    for (size_t next = 0; next < given->argument_count && code == EXIT_YES;) {
        if (given->arguments[next].id == OPTION_IMAGE)
            code = put_picture(given, opened, file, given->arguments[next++].value);
        else
            code = edit_some(given, opened, file, file_at, &next);
    }
    return code;
}

static int run(const options *given) {
    if (!edits_know_format(given))
        return EXIT_TROUBLE;
    if (given->operand_count == 1 && !options_has(given, OPTION_REMOVE) &&
        !options_has(given, OPTION_INSERT) && !options_has(given, OPTION_IMAGE) &&
        !options_has(given, OPTION_REHASH) && !options_has(given, OPTION_REFILE))
        return options_usage(given, "nothing to change: give PATH=VALUE, --insert PATH=VALUE, --remove PATH, "
                                    "--image NAME=FILE.png, --refile or --rehash");
    return edits_run(given, change, false);
}

static const option_row rows[] = {
    OPTION_ROWS_EDIT,
    {OPTION_INSERT, 'n', "insert", "PATH=VALUE", NULL, "insert a new element before the one at PATH"},
    {OPTION_REMOVE, 'r', "remove", "PATH", NULL, "remove the element or optional field at PATH"},
    {OPTION_IMAGE, 0, "image", "NAME=FILE.png", NULL, "replace the image with that name"},
    OPTION_ROW_QUIET("do not report how many bytes changed"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

const command set_command = {
    .name = "set",
    .operands = "FILE PATH=VALUE...",
    .summary = "change values, insert and remove elements",
    .description =
        "Sets the value at each PATH to VALUE, a JSON value; spaces around = are ignored. Quote brackets: "
        "they are patterns to the shell. Changes, insertions and removals are applied in the order given, "
        "all or none; the number of changed bytes is reported on stderr.\n\n"
        "- A string need not be quoted: anything but a JSON string is used literally, even 5 and true.\n"
        "- Flags are a list of names, as LIGHT,MOVING or '[\"LIGHT\", \"0x400\"]', or a number; +NAME sets "
        "one and -NAME clears one without changing the others.\n"
        "- Lengths of Natural Selection 2 (distances, positions) are in metres, or with in after the number "
        "in inches, as in its editor: 12in, '[12in, 0, -3.5in]'.\n"
        "- PATH:=EXPRESSION sets a value that is calculated from others, such as 'intensity * 2'; see "
        "'mapstone "
        "help edit'.\n"
        "- The index one past the last appends an element; [-1] is the last element.\n"
        "- A new image must have the size of the old one, and only colours of its palette.\n\n"
        "Dependent sizes and counts are updated; all other bytes are unchanged. Some formats have further "
        "dependent values:\n\n"
        "- Star Fox Adventures: MAPS.bin in the directory of the output, if it describes the object list.\n"
        "- Revenant: the state hash of a sector, for edits and the name of the output. A hash that was stale "
        "before remains stale, unless --rehash or state_hash=auto recomputes it. Under the name of another "
        "sector the objects move there.\n"
        "- Turok: the boxes of cells follow their static meshes; --refile also moves each mesh to the cell "
        "that contains it.\n\n"
        "New errors, new references to missing elements, ids that others still refer to and misspelled "
        "classes of entities are refused, unless --force is given. Exits with 3 if a path does not exist, "
        "with 5 if a change would damage the file, or if another program has changed the file meanwhile. "
        "Files that belong together are all written, or none.",
    .options = rows,
    .examples =
        "mapstone set maps/a.level \"objects[0].properties[name=origin].value=[1, 2, 3]\" -o b.level\n"
        "mapstone set -i maps/a.level \"objects[3].properties[name=distance].value=192in\"\n"
        "mapstone set -i maps/a.level --remove \"objects[12]\"\n"
        "mapstone set -i 10_20_7.DAT \"objects[3].flags=+light,-invisible\"\n"
        "mapstone set 111GFX.BIN --image page_0=page_0.png -o new/111GFX.BIN\n"
        "mapstone set -i valley.map \"actors[12].model=models/dyn_monster_grunt.bin\"\n"
        "mapstone set -i --rehash 44_12_8.DAT",
    .run = run,
};
