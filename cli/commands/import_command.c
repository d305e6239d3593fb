/* SPDX-License-Identifier: MIT */
/* mapstone import: applies edited models of levels to the levels. */
#include "../../src/system/system.h"
#include "../inputs/git_versions.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../output/conflict_lines.h"
#include "commands.h"
#include "edits.h"
#include <mapstone/import.h>
#include <mapstone/merge.h>
#include <mapstone/patch.h>
#include <stdlib.h>
#include <string.h>

/* The files next to a model. */
typedef struct beside {
    const char *model;
    char *read; /* the last one read, which the model uses */
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

/* Determines the changes in a model, compared with a level. */
static mst_status compare(const options *given, const source *opened, const char *model, mst_imported **found,
                          mst_diagnostic *why) {
    char *bytes = NULL;
    size_t size = 0;
    mst_status status = read_whole(model, &bytes, &size, why);
    if (status != MST_OK)
        return status;
    beside files = {.model = model};
    model_reports heard = {.model = model, .quiet = options_has(given, OPTION_QUIET)};
    const mst_resolver resolver = {.find = find_beside, .user = &files};
    const mst_import_options how = {
        .size = sizeof how, .beside = &resolver, .report = model_report, .user = &heard};
    status = mst_import(opened->level, bytes ? bytes : "", size, &how, found, why);
    model_reports_end(&heard);
    free(bytes);
    beside_free(&files);
    return status;
}

/* ---- the level that the model was exported from ----------------------------------------------------- */

/* The changes, and the level that they apply to, if that is another version of LEVEL. */
typedef struct changes {
    mst_imported *found;
    source base, edited; /* two copies of that other version: unchanged, and to be edited */
    bool other;
    char *made; /* its file, from git */
} changes;

static void changes_end(changes *all) {
    mst_imported_free(all->found);
    source_close(&all->base);
    source_close(&all->edited);
    if (all->made)
        mst_system_remove(all->made);
    free(all->made);
}

/* The model is passed as the value of --onto: edits_run() takes the operand as its input, the level. */
static const char *model_of(const options *given) {
    return given->value[OPTION_ONTO];
}

static int use_base(const options *given, const char *file, const char *base, changes *all) {
    options as = *given;
    mst_diagnostic why;
    as.value[OPTION_AS_PATH] = file; /* which resolves the files that belong to it */
    all->other = true;
    if (source_open_path(&all->base, base, &as, 0, &why) != MST_OK ||
        source_open_path(&all->edited, base, &as, 0, &why) != MST_OK)
        return say_diagnosis(base, &why);
    if (compare(given, &all->edited, model_of(given), &all->found, &why) != MST_OK)
        return say_diagnosis(model_of(given), &why);
    return EXIT_YES;
}

/* The SHA-256 of the level that the model requires; NULL: the model is refused for another reason. */
static const char *wanted_of(mst_status status, const mst_diagnostic *why) {
    return status == MST_REFUSED && why->reason == MST_REASON_OTHER_BASE ? why->expected + strlen("SHA-256 ")
                                                                         : NULL;
}

/* The first LEVEL of --onto; add_others() opens the others as further files of it. */
static const char *first_onto(const options *given) {
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == OPTION_ONTO)
            return given->arguments[i].value;
    return NULL;
}

static int add_others(const options *given, source *opened, unsigned flags) {
    const char *first = first_onto(given);
    mst_diagnostic why;
    for (size_t i = 0; i < given->argument_count; i++) {
        const char *path = given->arguments[i].value;
        if (given->arguments[i].id == OPTION_ONTO && path != first &&
            source_add(opened, path, given, flags, &why) != MST_OK)
            return say_diagnosis(path, &why);
    }
    return EXIT_YES;
}

/* Determines the changes in the model: against the level, or else against the version of it that --base names
 * or git has. */
static int find_changes(const options *given, const source *opened, const char *file, changes *all) {
    mst_diagnostic why;
    *all = (changes){.found = NULL};
    if (given->value[OPTION_BASE])
        return use_base(given, file, given->value[OPTION_BASE], all);
    const mst_status status = compare(given, opened, model_of(given), &all->found, &why);
    if (status == MST_OK)
        return EXIT_YES;
    const char *wanted = wanted_of(status, &why);
    if (wanted && mst_level_count(opened->level) == 1 && mst_document_file_count(opened->document) == 1)
        all->made = git_version_with(file, wanted);
    if (all->made) {
        if (!options_has(given, OPTION_QUIET))
            say_plain("%s: the model is of an earlier version, which git has: the changes are merged", file);
        return use_base(given, file, all->made, all);
    }
    const int code = say_diagnosis(model_of(given), &why);
    if (wanted)
        say_plain("give the version that it was exported from with --base FILE: the changes are merged then");
    return code;
}

/* ---- applying the changes ------------------------------------------------------------------------- */

/* Applies the changes to all documents of a level. */
static int apply_all(const options *given, source *to, const char *file, const mst_imported *found) {
    int code = EXIT_YES;
    const size_t count = mst_level_count(to->level);
    for (size_t i = 0; i < count && code == EXIT_YES; i++) {
        const char *script = mst_imported_script(found, i);
        mst_operations *all = NULL;
        mst_diagnostic why;
        to->document = mst_level_document(to->level, i);
        if (!*script)
            continue;
        if (mst_operations_read(&all, script, strlen(script), 1, NULL, &why) != MST_OK)
            code = say_diagnosis(file, &why);
        else
            code = edits_apply(given, to, file, all);
        mst_operations_free(all);
    }
    to->document = mst_level_document(to->level, 0);
    return code;
}

static mst_status say_conflict(void *user, const mst_conflict *conflict) {
    stream *out = user;
    conflict_put(out, conflict);
    return MST_OK;
}

/* Merges the changes to the base into the level. */
static int merge(const options *given, source *opened, const char *file, const changes *all) {
    stream out = stream_stderr();
    uint64_t conflicts = 0;
    int code = EXIT_YES;
    const size_t count = mst_level_count(opened->level);
    const mst_check_options checks = {
        .size = sizeof checks, .details = 1, .sidecars = mst_level_sidecars(opened->level)};
    const mst_merge_options how = {.size = sizeof how,
                                   .conflict = say_conflict,
                                   .user = &out,
                                   .checks = options_has(given, OPTION_FORCE) ? NULL : &checks,
                                   .growth_limit = growth_limit()};
    opened->in_place = false;
    if (mst_level_count(all->base.level) != count) {
        say(MST_ERROR, "%s: it consists of other files than the level that the model was exported from",
            file);
        code = EXIT_REFUSED;
    }
    for (size_t i = 0; i < count && code == EXIT_YES; i++) {
        mst_diagnostic why;
        uint64_t own = 0;
        if (*mst_imported_script(all->found, i) &&
            mst_merge(mst_level_document(opened->level, i), mst_level_document(all->base.level, i),
                      mst_level_document(all->edited.level, i), &how, &own, &why) != MST_OK)
            code = say_diagnosis(file, &why);
        conflicts += own;
    }
    stream_free(&out);
    if (code == EXIT_YES && conflicts) {
        say(MST_ERROR,
            "%s: %llu %s between the model and what changed in the level since: import the model onto its "
            "own "
            "level, and use 'mapstone merge'",
            file, (unsigned long long)conflicts, conflicts == 1 ? "conflict" : "conflicts");
        code = EXIT_REFUSED;
    }
    return code;
}

static int carry_out(const options *given, source *opened, const char *file, changes *all) {
    if (!all->other)
        return apply_all(given, opened, file, all->found);
    const int code = apply_all(given, &all->edited, file, all->found);
    return code == EXIT_YES ? merge(given, opened, file, all) : code;
}

static int change(const options *given, source *opened, const char *file) {
    changes all = {.found = NULL};
    int code = add_others(given, opened, SOURCE_EDIT);
    if (code == EXIT_YES)
        code = find_changes(given, opened, file, &all);
    if (code == EXIT_YES)
        code = carry_out(given, opened, file, &all);
    changes_end(&all);
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

/* Applies the changes without writing the level; then prints the operations, or writes them as a patch. */
static int try_out(const options *given, const char *file, const char *patch) {
    source opened = {0}, before = {0};
    changes all = {.found = NULL};
    mst_diagnostic why;
    int code = EXIT_YES;
    /* the file is not written: it need not be kept in memory */
    if (source_open_path(&opened, file, given, 0, &why) != MST_OK ||
        (patch && source_open_path(&before, file, given, 0, &why) != MST_OK))
        code = say_diagnosis(file, &why);
    if (code == EXIT_YES)
        code = worse(add_others(given, &opened, 0), patch ? add_others(given, &before, 0) : EXIT_YES);
    if (code == EXIT_YES)
        code = find_changes(given, &opened, file, &all);
    if (code == EXIT_YES && !patch)
        print_operations(all.other ? &all.edited : &opened, all.found);
    if (code == EXIT_YES)
        code = carry_out(given, &opened, file, &all);
    if (code == EXIT_YES && patch)
        code = write_patch(&before, &opened, patch);
    changes_end(&all);
    source_close(&before);
    source_close(&opened);
    return code;
}

static bool names_patch(const char *to) {
    return to && !strcmp(extension_of(to), ".mspatch");
}

static int run(const options *given) {
    const char *onto = first_onto(given), *to = given->value[OPTION_OUTPUT];
    if (!edits_know_format(given) || !search_paths_exist(given))
        return EXIT_TROUBLE;
    if (given->operand_count != 1 || !onto)
        return options_usage(given, "import needs a model, and the level with --onto LEVEL");
    if (onto != given->value[OPTION_ONTO] && !options_has(given, OPTION_DRY_RUN) &&
        (!options_has(given, OPTION_IN_PLACE) || given->value[OPTION_UNDO]))
        return options_usage(given, "several files can change: use -i, without --undo, or --dry-run");
    options meant = *given;
    meant.operands = &onto;
    meant.value[OPTION_ONTO] = given->operands[0];
    if (!input_single(&meant))
        return EXIT_TROUBLE;
    if (options_has(given, OPTION_DRY_RUN))
        return try_out(&meant, onto, NULL);
    if (names_patch(to) && !options_has(given, OPTION_IN_PLACE))
        return try_out(&meant, onto, to);
    return edits_run(&meant, change, false);
}

static const option_row rows[] = {
    {OPTION_ONTO, 0, "onto", "LEVEL", NULL,
     "the level that the model was exported from; each sector, if it has several"},
    {OPTION_BASE, 0, "base", "FILE", NULL,
     "the version of LEVEL that the model was exported from, if LEVEL has changed since"},
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
        "dragged, faces of another shape (extruded, cut by a boolean) or in another material, the places of "
        "their textures, deleted and new faces\n\n"
        "If LEVEL has changed since the model was exported, the changes are merged: the version that the "
        "model "
        "was exported from is the file that --base names, or is looked for in git by its SHA-256.\n\n"
        "When exporting from Blender, tick Include > Custom Properties: they say which element an object is. "
        "What cannot be imported is listed. Exits with 5 if the model was not exported for editing, or from "
        "a version of LEVEL that is not found, or if both changed the same, or if a change would damage the "
        "level.",
    .options = rows,
    .examples = "mapstone convert --for-editing maps/a.level -o a.glb\n"
                "mapstone import edited.glb --onto maps/a.level --dry-run\n"
                "mapstone import edited.glb --onto maps/a.level -o maps/b.level\n"
                "mapstone import edited.glb --onto maps/a.level -o changes.mspatch",
    .run = run,
};
