/* SPDX-License-Identifier: MIT */
/* mapstone convert: levels as JSON, glTF or pictures, and JSON as levels. */
#define _GNU_SOURCE
#include "commands.h"
#include "produce.h"
#include <mapstone/export.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum kind { KIND_JSON, KIND_GLB, KIND_GLTF, KIND_PNG, KIND_NATIVE } kind;

/* What to write. */
typedef struct goal {
    kind kind;
    const mst_format_information *format; /* KIND_NATIVE */
    char extension[32];
    products outputs;
} goal;

static const struct {
    const char *name;
    kind kind;
} made[] = {{"json", KIND_JSON}, {"glb", KIND_GLB}, {"gltf", KIND_GLTF}, {"png", KIND_PNG}};

/* `word` is a format's id or an extension without its dot. */
static bool goal_from_word(goal *result, const char *word) {
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (!strcasecmp(word, made[i].name)) {
            result->kind = made[i].kind;
            snprintf(result->extension, sizeof result->extension, ".%s", made[i].name);
            return true;
        }
    char dotted[32];
    snprintf(dotted, sizeof dotted, ".%s", word);
    const mst_format_information *format = format_by_id(word);
    if (!format)
        format = format_by_extension(dotted);
    if (!format)
        return false;
    result->kind = KIND_NATIVE;
    result->format = format;
    size_t length = strcspn(format->extensions, " ");
    snprintf(result->extension, sizeof result->extension, "%.*s", (int)length, format->extensions);
    return true;
}

static bool goal_choose(goal *result, const options *given) {
    const char *to = given->value[OPTION_OUTPUT], *word = given->value[OPTION_TO];
    memset(result, 0, sizeof *result);
    if (!word && to && strcmp(to, "-") != 0 && !names_directory(to) && *extension_of(to))
        word = extension_of(to) + 1;
    if (!word) {
        options_usage(given, "to what? -t FORMAT says it, or the extension of -o FILE");
        return false;
    }
    if (goal_from_word(result, word))
        return true;
    stream list = format_ids();
    options_usage(given, "cannot write '%s'; there are: json glb gltf png%s", word, list.data);
    stream_free(&list);
    return false;
}

/* A .gltf with its .bin beside it; both appear or, short of a crash between two renames, none. */
static int write_gltf_pair(const char *file, const char *path, const mst_scene *scene,
                           const mst_gltf_options *how) {
    char *side = path_of_side(path);
    target json, binary;
    mst_diagnostic why;
    int code = EXIT_TROUBLE;
    if (target_begin(&binary, side)) {
        if (target_begin(&json, path)) {
            mst_status status = mst_scene_write_gltf(scene, how, base_name(side), target_sink(&json),
                                                     target_sink(&binary), &why);
            code = target_settle(&binary, status, file, &why);
            if (code == EXIT_YES)
                code = target_settle(&json, status, file, &why);
            else
                target_abandon(&json);
        } else {
            target_abandon(&binary);
        }
    }
    free(side);
    return code;
}

static mst_status write_scene(const goal *result, const mst_scene *scene, const mst_gltf_options *how,
                              mst_sink sink, mst_diagnostic *why) {
    static const mst_picture_options from_above = {.view = MST_VIEW_ABOVE};
    if (result->kind == KIND_GLB)
        return mst_scene_write_glb(scene, how, sink, why);
    if (result->kind == KIND_GLTF)
        return mst_scene_write_gltf(scene, how, NULL, sink, (mst_sink){0}, why);
    return write_png(scene, &from_above, sink, why);
}

static int convert_one(job *work) {
    const options *given = work->batch->given;
    const goal *result = work->batch->user;
    const char *file = work->input->path, *path = result->outputs.paths[work->index];
    int code = job_open(work, SOURCE_JSON | (options_has(given, OPTION_LENIENT) ? SOURCE_LENIENT : 0));
    if (code >= 0)
        return code;
    const mst_document *document = work->opened.document;
    mst_diagnostic why;
    if (result->kind == KIND_NATIVE) {
        const char *id = mst_document_format(document)->id;
        if (strcmp(id, result->format->id) != 0) {
            blame(&why, MST_UNSUPPORTED, "it is %s, which cannot be written as %s", id, result->format->id);
            return job_unfit(work, &why);
        }
        if (!make_parents(path))
            return EXIT_TROUBLE;
        if (strcmp(path, "-") != 0)
            return mst_save_file(document, path, &why) == MST_OK ? EXIT_YES : say_diagnosis(path, &why);
    }
    mst_scene *scene = NULL;
    char name[SCENE_NAME];
    mst_scene_options contents = {.split_layers = options_has(given, OPTION_SPLIT_LAYERS),
                                  .no_markers = options_has(given, OPTION_NO_MARKERS)};
    if (result->kind == KIND_GLB || result->kind == KIND_GLTF || result->kind == KIND_PNG)
        if (make_scene(work, &contents, &scene, name, &why) != MST_OK)
            return job_unfit(work, &why);
    mst_gltf_options how = {.no_lights = options_has(given, OPTION_NO_LIGHTS),
                            .no_extras = options_has(given, OPTION_NO_EXTRAS)};
    target out;
    if (!make_parents(path)) {
        code = EXIT_TROUBLE;
    } else if (result->kind == KIND_GLTF && strcmp(path, "-") != 0 && !options_has(given, OPTION_EMBED)) {
        code = write_gltf_pair(file, path, scene, &how);
    } else if (!target_begin(&out, path)) {
        code = EXIT_TROUBLE;
    } else {
        mst_json_options json = {.compact = options_has(given, OPTION_COMPACT)};
        mst_value root = mst_root(document);
        mst_status status = result->kind == KIND_NATIVE ? mst_save(document, target_sink(&out), &why)
                            : result->kind == KIND_JSON
                                ? mst_write_json(&root, &json, target_sink(&out), &why)
                                : write_scene(result, scene, &how, target_sink(&out), &why);
        code = target_settle(&out, status, file, &why);
    }
    mst_scene_free(scene);
    return code;
}

static int run(const options *given) {
    const char *to = given->value[OPTION_OUTPUT];
    goal result;
    if (!given->operand_count)
        return options_usage(given, "convert needs a file or directory");
    if (!format_is_known(given, given->value[OPTION_FROM]) || !goal_choose(&result, given))
        return EXIT_TROUBLE;
    bool binary = result.kind == KIND_GLB || result.kind == KIND_PNG || result.kind == KIND_NATIVE;
    inputs all = inputs_expand(given);
    int code = EXIT_TROUBLE;
    bool sides = result.kind == KIND_GLTF && !options_has(given, OPTION_EMBED);
    if (products_plan(&result.outputs, given, &all, to, result.extension) &&
        (!sides || products_plan_sides(&result.outputs, given, &all)) &&
        (!binary || (to && strcmp(to, "-") != 0) || may_be_binary("-", result.extension + 1))) {
        batch work = {.given = given, .inputs = &all, .run = convert_one, .user = &result};
        code = batch_run(&work);
        batch_say_sum(&work, "converted");
    }
    products_free(&result.outputs);
    inputs_free(&all);
    return code;
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT("write to FILE, or below DIR/ (default: stdout)"),
    {OPTION_TO, 't', "to", "FORMAT", NULL,
     "json, glb, gltf, png or a format's id (default: by the extension)"},
    OPTION_ROW_FROM,
    {OPTION_COMPACT, 'c', "compact", NULL, NULL, "JSON on one line"},
    {OPTION_LENIENT, 0, "lenient", NULL, NULL, "fields that are missing in JSON are zero"},
    {OPTION_EMBED, 0, "embed", NULL, NULL, "gltf: the binary part within the file, not beside it"},
    {OPTION_NO_LIGHTS, 0, "no-lights", NULL, NULL, "glTF without lights"},
    {OPTION_NO_EXTRAS, 0, "no-extras", NULL, NULL, "glTF without what the level says of its things"},
    {OPTION_NO_MARKERS, 0, "no-markers", NULL, NULL, "no small boxes where entities stand"},
    {OPTION_SPLIT_LAYERS, 0, "split-layers", NULL, NULL, "geometry apart by layer"},
    OPTION_ROW_QUIET("no sum at the end"),
    OPTION_ROW_BATCH,
    OPTION_ROW_COMMON};

const command convert_command = {
    .name = "convert",
    .operands = "FILE...",
    .summary = "to JSON, glTF or a picture; from JSON to a level",
    .description = "Converts each FILE to the format that -t names, or that the extension of -o FILE says: "
                   "json, glb, gltf, png "
                   "(a picture from above) or, from JSON, the native format. JSON is recognised by its name "
                   "or its first "
                   "character. A gltf has its binary part beside it, as .bin, unless it goes to stdout or "
                   "--embed is given.\n\n"
                   "Many inputs, or a directory, need -o DIR/: each is written there under its own name.",
    .options = rows,
    .examples = "mapstone convert maps/a.level -o a.glb\nmapstone convert maps/ -t glb -o models/\n"
                "mapstone dump maps/a.level | mapstone convert - -f json -t ns2-level -o b.level",
    .run = run,
};
