/* SPDX-License-Identifier: MIT */
/* mapstone import: edited models of levels, back into these. */
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "commands.h"
#include "edits.h"
#include <mapstone/import.h>
#include <mapstone/patch.h>
#include <stdlib.h>
#include <string.h>

/* Reports about a model. */
typedef struct reporting {
    const char *model;
    size_t count;
    bool quiet;
} reporting;

static mst_status tell(void *user, const mst_diagnostic *what) {
    reporting *t = user;
    if (++t->count <= EDITS_SHOWN && !t->quiet)
        say_diagnosis(t->model, what);
    return MST_OK;
}

/* The files beside a model. */
typedef struct beside {
    const char *model;
    char *read; /* the one that was read last, which the model uses */
    struct beside *before;
} beside;

static mst_status find_beside(void *user, const char *name, const void **bytes, size_t *size) {
    beside *files = user;
    mst_diagnostic why;
    const size_t directory = (size_t)(base_name(files->model) - files->model);
    stream path = stream_memory();
    print(&path, "%.*s%s", (int)directory, files->model, name);
    put(&path, "", 1);
    beside *one = need(calloc(1, sizeof *one));
    mst_status status = read_whole(path.data, &one->read, size, &why);
    stream_free(&path);
    one->before = files->before;
    files->before = one;
    *bytes = one->read;
    return status == MST_OK ? MST_OK : MST_NO_PATH;
}

static void beside_free(beside *files) {
    while (files->before) {
        beside *one = files->before;
        files->before = one->before;
        free(one->read);
        free(one);
    }
}

/* Reads the model and finds out what was done to it; the exit code. */
static int compare(const options *given, const source *opened, const char *model, mst_imported **found) {
    char *bytes = NULL;
    size_t size = 0;
    mst_diagnostic why;
    if (read_whole(model, &bytes, &size, &why) != MST_OK)
        return say_diagnosis(model, &why);
    beside files = {.model = model};
    reporting heard = {.model = model, .quiet = options_has(given, OPTION_QUIET)};
    const mst_resolver resolver = {.find = find_beside, .user = &files};
    const mst_import_options how = {.size = sizeof how, .beside = &resolver, .report = tell, .user = &heard};
    mst_status status = mst_import(opened->level, bytes ? bytes : "", size, &how, found, &why);
    if (heard.count > EDITS_SHOWN && !heard.quiet)
        say_plain("%s: ... and %zu more", model, heard.count - EDITS_SHOWN);
    free(bytes);
    beside_free(&files);
    return status == MST_OK ? EXIT_YES : say_diagnosis(model, &why);
}

/* Carries out what was found on all documents. */
static int carry_out(const options *given, source *opened, const char *file, const mst_imported *found) {
    int code = EXIT_YES;
    const size_t count = mst_level_count(opened->level);
    for (size_t i = 0; i < count && code == EXIT_YES; i++) {
        const mst_operations *all = mst_imported_operations(found, i);
        opened->document = mst_level_document(opened->level, i);
        if (all)
            code = edits_apply(given, opened, file, all);
    }
    opened->document = mst_level_document(opened->level, 0);
    return code;
}

/* The model is where edits_run does not look for it, as its input is the level. */
static const char *model_of(const options *given) {
    return given->value[OPTION_ONTO];
}

static int change(const options *given, source *opened, const char *file) {
    mst_imported *found = NULL;
    int code = compare(given, opened, model_of(given), &found);
    if (code == EXIT_YES)
        code = carry_out(given, opened, file, found);
    mst_imported_free(found);
    return code;
}

/* ---- without writing a level ---------------------------------------------------------------------- */

static void print_operations(const source *opened, const mst_imported *found) {
    stream out = stream_stdout();
    const size_t count = mst_level_count(opened->level);
    for (size_t i = 0; i < count; i++) {
        const char *script = mst_imported_script(found, i);
        if (*script && count > 1)
            print(&out, "# %s\n", mst_document_name(mst_level_document(opened->level, i)));
        put_text(&out, script);
    }
    stream_free(&out);
}

static int write_patch(const source *before, const source *after, const char *to) {
    const mst_patch_options how = {.size = sizeof how, .with_data = 1, .memory_limit = UINT64_MAX};
    mst_diagnostic why;
    target out;
    for (size_t i = 1; i < mst_level_count(after->level); i++)
        if (mst_is_edited(mst_level_document(after->level, i))) {
            say(MST_ERROR, "%s: several files change, and a patch is of one", to);
            return EXIT_REFUSED;
        }
    if (!target_begin(&out, to))
        return EXIT_TROUBLE;
    mst_status status = mst_patch_make(before->document, after->document, &how, target_sink(&out), &why);
    return target_settle(&out, status, to, &why);
}

/* Prints the operations, or writes the patch that they make, after they have been tried. */
static int try_out(const options *given, const char *file, const char *patch) {
    source opened = {0}, before = {0};
    mst_imported *found = NULL;
    mst_diagnostic why;
    int code = EXIT_YES;
    if (source_open_path(&opened, file, given, SOURCE_EDIT, &why) != MST_OK ||
        source_open_path(&before, file, given, SOURCE_EDIT, &why) != MST_OK)
        code = say_diagnosis(file, &why);
    if (code == EXIT_YES)
        code = compare(given, &opened, model_of(given), &found);
    if (code == EXIT_YES && !patch)
        print_operations(&opened, found);
    if (code == EXIT_YES)
        code = carry_out(given, &opened, file, found);
    if (code == EXIT_YES && patch)
        code = write_patch(&before, &opened, patch);
    mst_imported_free(found);
    source_close(&before);
    source_close(&opened);
    return code;
}

static bool names_patch(const char *to) {
    return to && !strcmp(extension_of(to), ".mspatch");
}

static int run(const options *given) {
    const char *onto = given->value[OPTION_ONTO], *to = given->value[OPTION_OUTPUT];
    if (!edits_know_format(given) || !search_paths_exist(given))
        return EXIT_TROUBLE;
    if (given->operand_count != 1 || !onto)
        return options_usage(given, "import needs a model, and the level with --onto LEVEL");
    options meant = *given;
    meant.operands = &onto;
    meant.value[OPTION_ONTO] = given->operands[0];
    if (options_has(given, OPTION_DRY_RUN))
        return try_out(&meant, onto, NULL);
    if (names_patch(to) && !options_has(given, OPTION_IN_PLACE))
        return try_out(&meant, onto, to);
    return edits_run(&meant, change, false);
}

static const option_row rows[] = {
    {OPTION_ONTO, 0, "onto", "LEVEL", NULL, "the level that the model was exported from"},
    OPTION_ROW_OUTPUT("write the level to FILE (- is stdout); with .mspatch the changes, as a patch"),
    {OPTION_IN_PLACE, 'i', "in-place", NULL, NULL, "change the level itself"},
    OPTION_ROW_BACKUP,
    {OPTION_DRY_RUN, 0, "dry-run", NULL, NULL, "print the operations, and write nothing"},
    {OPTION_UNDO, 0, "undo", "FILE", NULL,
     "write a patch to FILE that reverts the changes with patch --reverse"},
    {OPTION_CASCADE, 0, "cascade", NULL, NULL,
     "clear references to a removed element, or also remove the elements that need it"},
    {OPTION_SCHEMA, 'S', "schema", "FILE", NULL,
     "defaults of new entities, and checks (editor_setup.xml, class.def)"},
    OPTION_ROW_FORCE,
    OPTION_ROW_SEARCH_PATH,
    OPTION_ROW_GROWTH,
    OPTION_ROW_QUIET("do not report what is not imported, dependent changes and the number of bytes"),
    OPTION_ROW_FROM,
    OPTION_ROW_COMMON};

const command import_command = {
    .name = "import",
    .operands = "MODEL",
    .summary = "bring a model that was edited in Blender back into its level",
    .description =
        "Compares MODEL (.glb, or .gltf), which 'mapstone convert --for-editing' has made of LEVEL and which "
        "was "
        "edited in Blender or another program, with LEVEL, and applies what was done: all of it, or "
        "nothing. What was not changed keeps every byte.\n\n"
        "- moved, turned and scaled entities: their position, angles and size, as exactly as the format "
        "stores "
        "them\n"
        "- deleted entities, and copies of entities\n"
        "- custom properties that were changed: the property or field that they come from\n"
        "- Natural Selection 2: new lamps, and new empties with the property 'class'; corners that were "
        "dragged, "
        "materials of faces, deleted and new faces\n\n"
        "When exporting from Blender, tick Include > Custom Properties: they say which element an object is. "
        "What cannot be imported is listed. Exits with 5 if the model was not exported for editing, or from "
        "another version of LEVEL, or if a change would damage the level.",
    .options = rows,
    .examples = "mapstone convert --for-editing maps/a.level -o a.glb\n"
                "mapstone import edited.glb --onto maps/a.level --dry-run\n"
                "mapstone import edited.glb --onto maps/a.level -o maps/b.level\n"
                "mapstone import edited.glb --onto maps/a.level -o changes.mspatch",
    .run = run,
};
