/* SPDX-License-Identifier: MIT */
/* mapstone new: creates levels. */
#include "../../src/system/system.h"
#include "../inputs/format_names.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../output/streams.h"
#include "commands.h"
#include "edits.h"
#include <mapstone/import.h>
#include <stdlib.h>
#include <string.h>

/* Lists the templates of a format (NULL: of all). */
static bool list_templates(stream *to, const mst_format_information *only) {
    const char *name, *summary;
    bool any = false;
    for (size_t i = 0; i < mst_format_count(); i++) {
        const mst_format_information *format = mst_format_at(i);
        for (size_t k = 0; (!only || only == format) && (name = mst_template_name(format, k, &summary));
             k++) {
            print(to, "%-16s %-8s %s\n", format->id, name, summary);
            any = true;
        }
    }
    return any;
}

/* Lists the existing templates after an unknown one. */
static int no_template(const options *given, const mst_format_information *format) {
    const char *name, *wanted = given->value[OPTION_TEMPLATE];
    nearest close = {.wanted = wanted ? wanted : ""};
    stream list = stream_memory();
    for (size_t k = 0; (name = mst_template_name(format, k, NULL)); k++) {
        nearest_consider(&close, name);
        print(&list, " %s", name);
    }
    if (!list.size)
        say(MST_ERROR, "new files of the format %s cannot be made; 'mapstone new' lists what can",
            format->id);
    else
        say(MST_ERROR, "'%s' is not a template of %s%s%s%s there are:%.*s", wanted, format->id,
            close.name ? "; did you mean '" : ";", close.name ? close.name : "", close.name ? "'?" : "",
            (int)list.size, list.data);
    stream_free(&list);
    return EXIT_NO_PATH;
}

static int write_new(const mst_document *document, const char *to) {
    mst_diagnostic why;
    target out;
    if (strcmp(to, "-") != 0)
        return save_document(document, to, &why) == MST_OK ? EXIT_YES : say_diagnosis(to, &why);
    if (!may_be_binary("-", mst_document_format(document)->id) || !target_begin(&out, to))
        return EXIT_TROUBLE;
    return target_settle(&out, mst_save(document, target_sink(&out), &why), to, &why);
}

/* ---- from a model ------------------------------------------------------------------------------------- */

/* Reports why a model is refused, and how to make a valid one. */
static int refuse_model(const char *model, const mst_diagnostic *why) {
    const bool other = why->status == MST_UNKNOWN || !strncmp(why->code, "GLTF-", 5);
    const int code = say_diagnosis(model, why);
    if (other)
        say_plain("In Blender, File > Export > glTF 2.0 makes a model that can be read: choose the format "
                  "glTF Binary "
                  "(.glb).");
    return code;
}

/* Adds everything in the model to the document. */
static int add_model(mst_document *document, const char *model) {
    char *bytes = NULL;
    size_t size = 0, count;
    mst_diagnostic why;
    mst_imported *found = NULL;
    model_reports heard = {.model = model};
    if (read_whole(model, &bytes, &size, &why) != MST_OK)
        return say_diagnosis(model, &why);
    const mst_import_options how = {
        .size = sizeof how, .onto = document, .report = model_report, .user = &heard};
    mst_status status = mst_import(NULL, bytes ? bytes : "", size, &how, &found, &why);
    free(bytes);
    model_reports_end(&heard);
    if (status != MST_OK)
        return refuse_model(model, &why);
    const char *script = mst_imported_script(found, 0);
    mst_operations *operations = NULL;
    status = mst_operations_read(&operations, script, strlen(script), 1, NULL, &why);
    const mst_operation *all = mst_operations_all(operations, &count);
    const mst_check_options checks = {.size = sizeof checks, .details = 1};
    const mst_edit_options edit = {.size = sizeof edit, .checks = &checks, .growth_limit = UINT64_MAX};
    if (status == MST_OK)
        status = mst_edit(document, all, count, &edit, &why);
    mst_operations_free(operations);
    mst_imported_free(found);
    return status == MST_OK ? EXIT_YES : say_diagnosis(model, &why);
}

/* ---- object lists, which MAPS.bin describes ----------------------------------------------------------- */

static const char *listed; /* JSON of the objects for the list */

static int replace_objects(const options *given, source *opened, const char *file) {
    mst_diagnostic why;
    (void)given;
    return mst_set(opened->document, "objects", listed, &why) == MST_OK ? EXIT_YES
                                                                        : say_diagnosis(file, &why);
}

/* Writes a list with other content, to be edited: only an edit saves all files that belong together. */
static int write_other(const char *to, bool empty) {
    const mst_new_options how = {.size = sizeof how, .template_name = empty ? "objects" : "empty"};
    mst_document *other = NULL;
    mst_diagnostic why;
    mst_status status = mst_new("sfa-romlist", &how, &other, &why);
    if (status == MST_OK)
        status = save_document(other, to, &why);
    mst_close(other);
    return status == MST_OK ? EXIT_YES : say_diagnosis(to, &why);
}

static bool has_index(const char *to) {
    stream path = stream_memory();
    print(&path, "%.*sMAPS.bin", (int)(base_name(to) - to), to);
    put(&path, "", 1);
    const bool there = is_regular(path.data);
    stream_free(&path);
    return there;
}

/* Writes the list together with its entry in MAPS.bin: both or neither. */
static int write_indexed(const options *given, const mst_document *document, const char *to) {
    const mst_json_options compact = {.size = sizeof compact, .compact = 1};
    mst_value objects;
    mst_diagnostic why;
    if (strcmp(mst_document_format(document)->id, "sfa-romlist") != 0)
        return options_usage(given, "--update-index is for object lists (sfa-romlist)");
    if (!has_index(to)) {
        say(MST_ERROR, "%s: there is no MAPS.bin next to it", to);
        return EXIT_NO_PATH;
    }
    stream json = stream_memory();
    int code = mst_find(mst_root(document), "objects", &objects, &why) == MST_OK &&
                       mst_write_json(&objects, &compact, stream_sink(&json), &why) == MST_OK
                   ? EXIT_YES
                   : say_diagnosis(to, &why);
    put(&json, "", 1);
    const bool made = is_missing(to);
    if (code == EXIT_YES && made)
        code = write_other(to, !mst_count(&objects));
    options meant = *given;
    meant.operands = &to;
    meant.operand_count = 1;
    meant.value[OPTION_OUTPUT] = NULL;
    meant.value[OPTION_IN_PLACE] = "";
    meant.value[OPTION_QUIET] = "";
    listed = json.data;
    if (code == EXIT_YES)
        code = edits_run(&meant, replace_objects, false);
    if (made && code != EXIT_YES)
        mst_system_remove(to);
    stream_free(&json);
    return code;
}

static int run(const options *given) {
    const char *id = given->operand_count ? given->operands[0] : NULL, *to = given->value[OPTION_OUTPUT];
    if (!id) {
        stream out = stream_stdout();
        list_templates(&out, NULL);
        stream_free(&out);
        return EXIT_YES;
    }
    if (given->operand_count > 1)
        return options_usage(given, "new makes one level: name it with -o FILE");
    if (!strcmp(id, "json") || !format_is_known(given, id))
        return !strcmp(id, "json") ? options_usage(given, "json is not a format of levels") : EXIT_TROUBLE;
    double version = 0;
    if (!options_number(given, OPTION_TO_VERSION, 1, 65535, &version))
        return EXIT_TROUBLE;
    mst_new_options how = {.size = sizeof how,
                           .template_name = given->value[OPTION_TEMPLATE],
                           .name = to && strcmp(to, "-") != 0 ? base_name(to) : NULL,
                           .version = (uint32_t)version};
    mst_document *document;
    mst_diagnostic why;
    mst_status status = mst_new(id, &how, &document, &why);
    if (status == MST_NO_PATH)
        return no_template(given, format_by_id(id));
    if (status != MST_OK)
        return say_diagnosis(id, &why);
    const char *model = given->value[OPTION_FROM];
    int code = to && model ? add_model(document, model) : EXIT_YES;
    if (code != EXIT_YES) {
        mst_close(document);
        return code;
    }
    if (!to)
        code = options_usage(given, "name the new file with -o FILE (-: stdout)");
    else if (strcmp(to, "-") != 0 && !is_missing(to) && !options_has(given, OPTION_FORCE)) {
        say(MST_ERROR, "%s exists; --force replaces it", to);
        code = EXIT_TROUBLE;
    } else if (options_has(given, OPTION_UPDATE))
        code = write_indexed(given, document, to);
    else
        code = write_new(document, to);
    mst_close(document);
    return code;
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT("write the level to FILE (-: stdout)"),
    {OPTION_TEMPLATE, 0, "template", "NAME", NULL, "what to begin with (default: the format's first one)"},
    {OPTION_FROM, 0, "from", "MODEL", NULL, "put everything of a glTF model into the level (ns2-level)"},
    {OPTION_UPDATE, 0, "update-index", NULL, NULL,
     "sfa-romlist: also write what MAPS.bin, next to FILE, has about the list"},
    {OPTION_TO_VERSION, 0, "version", "N", NULL, "the version of the format (default: the newest)"},
    {OPTION_FORCE, 0, "force", NULL, NULL, "replace a file that exists"},
    OPTION_ROW_COMMON};

const command new_command = {
    .name = "new",
    .operands = "[FORMAT]",
    .summary = "make a new level, from nothing",
    .description =
        "Makes a level of the format FORMAT and writes it to the file that -o names. No file of a game is "
        "needed, and 'mapstone check' finds nothing in it. Without FORMAT, the formats and their templates "
        "are listed.\n\n"
        "--from makes a level of Natural Selection 2 of a model (.glb) that Blender or another program "
        "exported: flat parts of its meshes become faces, each with the material of that name; lights, and "
        "empties with the custom property 'class', become entities with their other custom properties.\n\n"
        "What is next: 'mapstone edit' adds entities and faces, 'mapstone render' and 'mapstone view' show "
        "it. A new entity has the properties of its class: \"add light_point origin=0,3,0\" gives light.",
    .options = rows,
    .examples =
        "mapstone new\nmapstone new ns2-level -o a.level\n"
        "mapstone new ns2-level --template match -o match.level\n"
        "mapstone new ns2-level --from house.glb -o house.level\n"
        "mapstone new ns2-level --version 9 -o older.level\n"
        "mapstone new sfa-romlist --template objects --force --update-index -o disc/capeclaw.romlist.zlb",
    .run = run,
};
