/* SPDX-License-Identifier: MIT */
/* mapstone convert: levels as JSON, glTF or pictures, and JSON as levels. */
#define _GNU_SOURCE
#include "../../src/system/file_names.h"
#include "../inputs/sector_levels.h"
#include "../inputs/threads.h"
#include "../output/conversion_losses.h"
#include "../output/tally.h"
#include "../pictures/image_files.h"
#include "../pictures/produce.h"
#include "commands.h"
#include <mapstone/edit.h>
#include <mapstone/export.h>
#include <mapstone/image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum kind {
    KIND_JSON,
    KIND_GLB,
    KIND_GLTF,
    KIND_PNG,
    KIND_OBJ,
    KIND_QUAKE_MAP,
    KIND_FGD,
    KIND_PICTURES,
    KIND_NATIVE
} kind;

/* The requested output. */
typedef struct goal {
    kind kind;
    const mst_format_information *format; /* NATIVE: if named by its id; NULL: as the input */
    const char *extensions;               /* separated by spaces; for NATIVE "": those of the input */
    char extension[32];
    const char *word; /* as requested */
    const char *to;   /* the output, NULL: stdout */
    mst_convert_options change;
    const char **selected; /* for `change` */
    bool changes;          /* another byte order or version is requested */
    int32_t max_lights;    /* of mst_gltf_options */
    float ceiling_cut;
    size_t inputs; /* number of inputs */
    products outputs;
} goal;

static const struct {
    const char *name, *extension;
    kind kind;
} made[] = {{"json", ".json", KIND_JSON}, {"glb", ".glb", KIND_GLB}, {"gltf", ".gltf", KIND_GLTF},
            {"png", ".png", KIND_PNG},    {"obj", ".obj", KIND_OBJ}, {"quake-map", ".map", KIND_QUAKE_MAP},
            {"fgd", ".fgd", KIND_FGD}};

/* `word` is a format's id or an extension without its dot. */
static bool goal_from_word(goal *result, const char *word) {
    result->word = word;
    result->extensions = result->extension;
    snprintf(result->extension, sizeof result->extension, ".%s", word);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (!strcasecmp(word, made[i].name)) {
            result->kind = made[i].kind;
            snprintf(result->extension, sizeof result->extension, "%s", made[i].extension);
            return true;
        }
    result->kind = KIND_NATIVE;
    result->format = format_by_id(word);
    if (result->format)
        result->extensions = result->format->extensions;
    return result->format || format_by_extension(result->extension);
}

static bool goal_changes(goal *result, const options *given) {
    double version = 0;
    if (!options_number(given, OPTION_TO_VERSION, 0, UINT32_MAX, &version))
        return false;
    result->change.byte_order = given->value[OPTION_BYTE_ORDER];
    result->change.has_version = options_has(given, OPTION_TO_VERSION);
    result->change.version = (uint32_t)version;
    result->change.allow_loss = options_has(given, OPTION_ALLOW_LOSS);
    result->selected = need(calloc(given->argument_count + 1, sizeof *result->selected));
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == OPTION_SELECT)
            result->selected[result->change.select_count++] = given->arguments[i].value;
    result->change.select = result->selected;
    result->changes = result->change.byte_order || result->change.has_version;
    if ((double)result->change.version == version)
        return true;
    options_usage(given, "--to-version: '%s' is not a whole number", given->value[OPTION_TO_VERSION]);
    return false;
}

static bool goal_lights(goal *result, const options *given) {
    const char *text = given->value[OPTION_LIGHTS];
    if (!text)
        return true;
    size_t digits = strspn(text, "0123456789");
    unsigned long number = digits && digits < 10 ? strtoul(text, NULL, 10) : 0;
    if (!strcmp(text, "all")) {
        result->max_lights = MST_GLTF_ALL_LIGHTS;
    } else if (digits && digits < 10 && !text[digits]) {
        result->max_lights = number ? (int32_t)number : MST_GLTF_NO_LIGHTS;
    } else {
        options_usage(given, "--lights: '%s' is neither a number of lights nor all", text);
        return false;
    }
    return true;
}

static bool goal_cut(goal *result, const options *given) {
    double cut = 0;
    if (!options_number(given, OPTION_CUT, -1e6, 1e6, &cut))
        return false;
    result->ceiling_cut = meant_cut(given, cut);
    return true;
}

static bool goal_choose(goal *result, const options *given) {
    const char *to = given->value[OPTION_OUTPUT], *word = given->value[OPTION_TO];
    result->to = to;
    if (!goal_changes(result, given) || !goal_lights(result, given) || !goal_cut(result, given))
        return false;
    bool said = word, below = to && names_directory(to);
    if (!said && to && strcmp(to, "-") != 0 && !below && *extension_of(to))
        word = extension_of(to) + 1;
    if (word && goal_from_word(result, word)) {
        const bool selects = result->change.select_count && !options_has(given, OPTION_FOR_EDITING);
        if (result->kind == KIND_NATIVE || (!result->changes && !result->change.allow_loss && !selects))
            return true;
        options_usage(
            given, "--byte-order, --to-version, --allow-loss and --select are for levels, not for %s", word);
        return false;
    }
    if (!said && result->changes) {
        result->kind = KIND_NATIVE;
        result->word = "a level";
        result->extensions = "";
        return true;
    }
    if (!word && below) { /* a directory alone extracts images */
        result->kind = KIND_PICTURES;
        result->word = "png";
        result->extensions = ".png";
        return true;
    }
    if (!word) {
        options_usage(given, "no output format: use -t FORMAT, or -o FILE with an extension");
        return false;
    }
    stream list = format_ids();
    nearest close = {.wanted = word};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        nearest_consider(&close, made[i].name);
    consider_formats(&close);
    options_usage(given,
                  "cannot write '%s'%s%s%s the output formats are: json glb gltf png obj quake-map fgd%s",
                  word, close.name ? "; did you mean '" : ";", close.name ? close.name : "",
                  close.name ? "'?" : "", list.data);
    stream_free(&list);
    return false;
}

/* Whether every given option applies to the output. */
static bool goal_takes_options(const goal *result, const options *given) {
    enum {
        JSON = 1 << KIND_JSON,
        GLTF = 1 << KIND_GLTF,
        BOTH = GLTF | 1 << KIND_GLB,
        OBJ = 1 << KIND_OBJ,
        MODEL = BOTH | OBJ | 1 << KIND_QUAKE_MAP,
        PNG = 1 << KIND_PNG,
        SHOWN = MODEL | PNG
    };
    static const struct {
        option_id id;
        unsigned kinds;
    } meant[] = {{OPTION_COMPACT, JSON},      {OPTION_EMBED, GLTF},
                 {OPTION_EXTERNAL, MODEL},    {OPTION_LIGHTS, BOTH},
                 {OPTION_WITH_HIDDEN, MODEL}, {OPTION_FOR_EDITING, BOTH},
                 {OPTION_CUT, MODEL},         {OPTION_NO_CEILINGS, MODEL},
                 {OPTION_SPECULAR, BOTH},     {OPTION_NO_EXTRAS, BOTH},
                 {OPTION_NO_MARKERS, SHOWN},  {OPTION_SPLIT_LAYERS, SHOWN},
                 {OPTION_NO_TEXTURES, SHOWN}, {OPTION_MAX_TEXTURE, SHOWN},
                 {OPTION_ONLY, SHOWN},        {OPTION_HIDE, SHOWN},
                 {OPTION_MAP, SHOWN},         {OPTION_WORLD, SHOWN},
                 {OPTION_TRIANGLES, OBJ},     {OPTION_OWN_UNITS, OBJ},
                 {OPTION_COLLISION, BOTH},    {OPTION_MIP, PNG | 1 << KIND_PICTURES}};
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++)
        if (!(meant[i].kinds & 1u << result->kind) && options_idle(given, meant[i].id, result->word))
            return false;
    bool stdout_is_meant = !result->to || !strcmp(result->to, "-");
    if (options_has(given, OPTION_EXTERNAL) && stdout_is_meant)
        options_usage(given, "--external writes images to the output's directory: use -o FILE");
    return !options_has(given, OPTION_EXTERNAL) || !stdout_is_meant;
}

/* `convert IN OUT`: the second of two operands is the output if it is a directory, or a new file with an
 * extension that can be written. */
static bool names_output(const char *operand) {
    goal any;
    const char *extension = extension_of(operand);
    return names_directory(operand) || (strcmp(operand, "-") != 0 && !is_regular(operand) && *extension &&
                                        goal_from_word(&any, extension + 1));
}

/* ---- images in files ------------------------------------------------------------------------------ */

/* The path without .png, unless that name is not allowed (`git~1`). */
static char *directory_of_pictures(const char *path) {
    const char *name = base_name(path);
    size_t stem = strlen(name) - strlen(".png");
    char *directory = need(strdup(path));
    if (!mst_name_fault_of(name, stem))
        directory[(size_t)(name - path) + stem] = 0;
    return directory;
}

static mst_scene_options contents_of(const options *given) {
    return (mst_scene_options){.size = sizeof(mst_scene_options),
                               .split_layers = options_has(given, OPTION_SPLIT_LAYERS),
                               .no_markers = options_has(given, OPTION_NO_MARKERS),
                               .specular = options_has(given, OPTION_SPECULAR),
                               .packed_images = 1}; /* the level stays open while it is written */
}

/* Refuses to extract images from a file that has none, and suggests how to convert the rest of it. */
static int refuse_pictures(job *work) {
    mst_diagnostic why;
    mst_scene *scene = NULL;
    char name[SCENE_NAME];
    mst_scene_options contents = contents_of(work->batch->given);
    contents.no_textures = contents.no_assets = 1;
    const bool drawn = make_scene(work, &contents, &scene, name, &why) == MST_OK;
    mst_scene_free(scene);
    blame(&why, MST_UNSUPPORTED, "it has no images to extract; %s",
          drawn ? "-t glb writes it to the directory as a model"
                : "-t json writes it to the directory as text");
    return job_unfit(work, &why);
}

/* Whether some image has the mip level given by --mip: then the others are left out. */
static bool has_level(const job *work, size_t count, size_t mip) {
    for (size_t i = 0; mip && i < count; i++)
        if (mst_image_levels(work->opened.document, i) > mip)
            return true;
    return false;
}

/* Writes all images of the file to DIR/ or, with many inputs, to a separate directory below it. */
static int write_pictures(job *work, const char *path) {
    const goal *result = work->batch->user;
    size_t count = mst_image_count(work->opened.document);
    mst_diagnostic why;
    if (!count && result->kind == KIND_PICTURES)
        return refuse_pictures(work);
    if (!result->to || !names_directory(result->to)) {
        if (count == 1)
            return write_image(work, 0, NULL, path);
        blame(&why, MST_ARGUMENT, "it has %zu images; write them to a directory with -o DIR/", count);
        return say_diagnosis(work->input->path, &why);
    }
    char *directory = work->batch->inputs->many ? directory_of_pictures(path) : need(strdup(result->to));
    const size_t mip = meant_mip(work->batch->given);
    const bool some = has_level(work, count, mip);
    int code = EXIT_YES;
    for (size_t i = 0; i < count && (code == EXIT_YES || code == EXIT_REFUSED); i++) {
        if (some && mst_image_levels(work->opened.document, i) <= mip)
            continue;
        int one = write_image(work, i, directory, NULL);
        code = one == EXIT_YES || one == EXIT_REFUSED ? worse(code, one) : one;
    }
    free(directory);
    return code;
}

/* ---- levels --------------------------------------------------------------------------------------- */

/* Whether this is the second file of a document whose first is also an input, which writes both. */
static bool is_written_for(job *work) {
    const inputs *all = work->batch->inputs;
    const mst_document *document = work->opened.document;
    size_t size, directory = (size_t)(base_name(work->input->path) - work->input->path);
    if (!source_is_second(&work->opened, work->input))
        return false;
    const char *first;
    mst_document_file(document, 0, &first, &size);
    for (size_t i = 0; i < all->count; i++)
        if (!strncmp(all->items[i].path, work->input->path, directory) &&
            !strcmp(all->items[i].path + directory, first))
            return true;
    return false;
}

/* Claims the one or two files of a document. */
static int claim_files(job *work, const mst_document *document, const char *path) {
    int code = job_claims(work, path);
    if (mst_document_file_count(document) == 1 || !strcmp(path, "-"))
        return code;
    for (size_t i = 0; i < 2 && code == EXIT_YES; i++) {
        char *file = saved_path(document, path, i);
        if (strcmp(file, path) != 0)
            code = job_claims(work, file);
        free(file);
    }
    return code;
}

/* ---- levels of JSON ------------------------------------------------------------------------------------ */

#define CODES_SHOWN 8

/* Findings in a level that people wrote as JSON. */
typedef struct made_findings {
    const char *file;
    tallies warnings; /* by code */
} made_findings;

static mst_status take_finding(void *user, const mst_diagnostic *found) {
    made_findings *all = user;
    if (found->severity == MST_ERROR && found->path[0])
        say_diagnosis(all->file, found);
    if (found->severity == MST_WARNING)
        tallies_add(&all->warnings, found->code, 1);
    return MST_OK;
}

/* Reports the findings; EXIT_REFUSED: the level would have errors, and --force is not given. */
static int check_made(const job *work) {
    const options *given = work->batch->given;
    made_findings all = {.file = work->input->path};
    const mst_check_options how = {.size = sizeof how, .details = 5};
    mst_check_result sum = {0};
    mst_diagnostic why;
    if (mst_check(work->opened.document, &how, take_finding, &all, &sum, &why) != MST_OK) {
        tallies_free(&all.warnings);
        return say_diagnosis(all.file, &why);
    }
    if (sum.warnings && !options_has(given, OPTION_QUIET)) {
        stream list = stream_memory();
        for (size_t i = 0; i < CODES_SHOWN && i < all.warnings.count; i++)
            print(&list, "%s%s %llu", i ? ", " : "", all.warnings.items[i].name,
                  (unsigned long long)all.warnings.items[i].count);
        say(MST_WARNING, "%s: the level has %llu warning%s: %.*s", all.file, (unsigned long long)sum.warnings,
            sum.warnings == 1 ? "" : "s", (int)list.size, list.data);
        stream_free(&list);
    }
    tallies_free(&all.warnings);
    if (!sum.errors || options_has(given, OPTION_FORCE))
        return EXIT_YES;
    say(MST_ERROR, "%s: the level would have %llu error%s: it is not written, unless --force is given",
        all.file, (unsigned long long)sum.errors, sum.errors == 1 ? "" : "s");
    return EXIT_REFUSED;
}

static bool wants_made(void *user, const char *code) {
    (void)user;
    return !strcmp(code, "NS2-TRIANGLES-MISSING") || !strcmp(code, "NS2-FACE-LAYERS");
}

/* Adds the parts that people and other programs leave out, as far as the format can derive them. */
static int complete_made(const job *work) {
    const mst_fix_options how = {.size = sizeof how, .wants = wants_made};
    mst_diagnostic why;
    if (options_has(work->batch->given, OPTION_FORCE) ||
        mst_fix(work->opened.document, &how, NULL, &why) == MST_OK)
        return EXIT_YES;
    return say_diagnosis(work->input->path, &why);
}

static int write_native(job *work, const char *path) {
    const goal *result = work->batch->user;
    const mst_document *document = work->opened.document;
    const char *id = mst_document_format(document)->id, *file = work->input->path;
    mst_diagnostic why;
    mst_convert_options change = result->change;
    bool fits = result->format ? !strcmp(id, result->format->id)
                               : !*result->extensions ||
                                     has_extension(mst_document_format(document), result->extensions);
    if (!fits)
        change.format = result->format ? result->format->id : format_by_extension(result->extensions)->id;
    if (is_written_for(work)) {
        work->skipped = work->known = true;
        return EXIT_YES;
    }
    int code = work->opened.from_json ? complete_made(work) : EXIT_YES;
    if (code == EXIT_YES && work->opened.from_json)
        code = check_made(work);
    if (code != EXIT_YES)
        return code;
    /* content that depends on the file's name changes only if that name was known */
    if (strcmp(path, "-") != 0 && (result->changes || mst_document_name(document)[0]))
        change.name = base_name(path);
    mst_document *changed;
    losses lost = {.file = file, .each = options_has(work->batch->given, OPTION_ALL)};
    mst_status status = mst_convert(document, &change, losses_take, &lost, &changed, &why);
    losses_say(&lost);
    if (status == MST_UNSUPPORTED && change.format) {
        blame(&why, MST_UNSUPPORTED, "it is %s, which cannot be written as %s", id, result->word);
        return job_unfit(work, &why);
    }
    if (status != MST_OK)
        return say_diagnosis(file, &why);
    code = claim_files(work, changed, path);
    target out;
    if (code != EXIT_YES) {
        /* reported */
    } else if (strcmp(path, "-") != 0) {
        code = save_document(changed, path, &why) == MST_OK ? EXIT_YES : say_diagnosis(path, &why);
    } else if (two_files_on_stdout(changed) || !target_begin(&out, path)) {
        code = EXIT_TROUBLE;
    } else {
        status = mst_save(changed, target_sink(&out), &why);
        code = target_settle(&out, status, file, &why);
    }
    mst_close(changed);
    return code;
}

/* ---- scenes and JSON ------------------------------------------------------------------------------ */

/* The extension of the second file, which is written next to the output; NULL: there is none. */
static const char *side_of(const goal *result, const options *given, const char *path) {
    if (path && !strcmp(path, "-"))
        return NULL;
    if (result->kind == KIND_GLTF)
        return options_has(given, OPTION_EMBED) ? NULL : ".bin";
    return result->kind == KIND_OBJ ? ".mtl" : NULL;
}

/* OBJ, or a map for Quake's editors. */
static mst_status write_text(const goal *result, const options *given, const mst_scene *scene,
                             const mst_gltf_options *parts, const char *side, mst_sink sink, mst_sink beside,
                             mst_diagnostic *why) {
    const mst_export_options how = {.size = sizeof how,
                                    .format = result->kind == KIND_OBJ ? MST_SCENE_OBJ : MST_SCENE_QUAKE_MAP,
                                    .model = parts,
                                    .materials = side ? base_name(side) : NULL,
                                    .materials_to = beside,
                                    .triangles = options_has(given, OPTION_TRIANGLES),
                                    .own_units = options_has(given, OPTION_OWN_UNITS)};
    return mst_scene_export(scene, &how, sink, why);
}

/* Writes a .gltf with its .bin next to it, or an .obj with its .mtl: both or neither. */
static int write_pair(const goal *result, const options *given, const char *file, const char *path,
                      const mst_scene *scene, const mst_gltf_options *how) {
    char *side = path_of_side(path, side_of(result, given, path));
    target both[2]; /* the .bin first: a .gltf must never be without it */
    mst_diagnostic why;
    int code = EXIT_TROUBLE;
    if (target_begin(&both[0], side)) {
        if (target_begin(&both[1], path)) {
            const mst_sink main = target_sink(&both[1]), other = target_sink(&both[0]);
            mst_status status = result->kind == KIND_OBJ
                                    ? write_text(result, given, scene, how, side, main, other, &why)
                                    : mst_scene_write_gltf(scene, how, base_name(side), main, other, &why);
            code = targets_settle(both, 2, status, file, &why);
        } else {
            target_abandon(&both[0]);
        }
    }
    free(side);
    return code;
}

static mst_status write_scene(const goal *result, const options *given, const mst_scene *scene,
                              const mst_gltf_options *how, mst_sink sink, mst_diagnostic *why) {
    static const mst_picture_options from_above = {.size = sizeof from_above, .view = MST_VIEW_ABOVE};
    if (result->kind == KIND_GLB)
        return mst_scene_write_glb(scene, how, sink, why);
    if (result->kind == KIND_GLTF)
        return mst_scene_write_gltf(scene, how, NULL, sink, (mst_sink){0}, why);
    if (result->kind != KIND_PNG)
        return write_text(result, given, scene, how, NULL, sink, (mst_sink){0}, why);
    static const mst_picture_options oblique = {.size = sizeof oblique, .view = MST_VIEW_OBLIQUE};
    return mst_scene_write_png(scene, scene->object ? &oblique : &from_above, sink, why);
}

static int write_model(const goal *result, const options *given, const char *file, const char *path,
                       const mst_scene *scene) {
    size_t lights_left_out = 0;
    mst_gltf_options how = {.size = sizeof how,
                            .max_lights = result->max_lights,
                            .with_hidden = options_has(given, OPTION_WITH_HIDDEN),
                            .ceiling_cut = result->ceiling_cut,
                            .no_ceilings = options_has(given, OPTION_NO_CEILINGS),
                            .no_extras = options_has(given, OPTION_NO_EXTRAS),
                            .for_editing = options_has(given, OPTION_FOR_EDITING),
                            .collision = options_has(given, OPTION_COLLISION),
                            .parallel = threads_parallel(given, result->inputs),
                            .lights_left_out = &lights_left_out};
    mst_diagnostic why;
    target out;
    image_files beside;
    if (!make_parents(path))
        return EXIT_TROUBLE;
    int code = EXIT_TROUBLE;
    bool external = options_has(given, OPTION_EXTERNAL);
    if (external) {
        image_files_begin(&beside, path);
        how.images = &beside.images;
    }
    if (side_of(result, given, path)) {
        code = write_pair(result, given, file, path, scene, &how);
    } else if (target_begin(&out, path)) {
        mst_status status = write_scene(result, given, scene, &how, target_sink(&out), &why);
        code = target_settle(&out, status, file, &why);
    }
    if (code == EXIT_YES && lights_left_out && !options_has(given, OPTION_LIGHTS))
        say(MST_INFORMATION, "%s: the dimmest %zu of %zu lights are left out; --lights all keeps them", file,
            lights_left_out, lights_left_out + MST_GLTF_LIGHTS);
    if (external)
        image_files_end(&beside);
    return code;
}

/* Claims the file, and the second one next to it. */
static int claim_model(job *work, const char *path) {
    const char *extension = side_of(work->batch->user, work->batch->given, path);
    int code = job_claims(work, path);
    if (code == EXIT_YES && extension) {
        char *side = path_of_side(path, extension);
        code = strcmp(side, path) != 0 ? job_claims(work, side) : EXIT_YES; /* equal names are refused */
        free(side);
    }
    return code;
}

/* The parts of a level's scene to write: entities of maps are points. */
static mst_scene_options scene_of(const goal *result, const options *given) {
    mst_scene_options contents = contents_of(given);
    contents.no_markers = contents.no_markers || result->kind == KIND_QUAKE_MAP;
    return contents;
}

static mst_status write_other(const goal *result, const options *given, const mst_document *document,
                              mst_sink sink, mst_diagnostic *why) {
    if (result->kind == KIND_FGD)
        return mst_write_fgd(mst_document_format(document)->id, sink, why);
    const mst_json_options json = {.size = sizeof json, .compact = options_has(given, OPTION_COMPACT)};
    const mst_value root = mst_root(document);
    return mst_write_json(&root, &json, sink, why);
}

static int convert_one(job *work) {
    const options *given = work->batch->given;
    const goal *result = work->batch->user;
    const char *file = work->input->path, *path = result->outputs.paths[work->index];
    int code = job_open(work, SOURCE_JSON | (options_has(given, OPTION_LENIENT) ? SOURCE_LENIENT : 0));
    if (code >= 0)
        return code;
    if (result->kind == KIND_NATIVE)
        return write_native(work, path);
    if (result->kind == KIND_PICTURES)
        return write_pictures(work, path);
    const mst_document *document = work->opened.document;
    mst_diagnostic why = {.status = MST_OK};
    mst_scene *scene = NULL;
    char name[SCENE_NAME];
    mst_scene_options contents = scene_of(result, given);
    const bool edited = options_has(given, OPTION_FOR_EDITING);
    if (result->kind != KIND_JSON && result->kind != KIND_FGD &&
        (edited ? make_editing_scene : make_scene)(work, &contents, &scene, name, &why) != MST_OK)
        return result->kind == KIND_PNG && why.status == MST_UNSUPPORTED && mst_image_count(document)
                   ? write_pictures(work, path)
                   : job_unfit(work, &why);
    code = claim_model(work, path);
    if (code == EXIT_YES && scene) {
        code = write_model(result, given, file, path, scene);
    } else if (code == EXIT_YES) {
        target out;
        code = EXIT_TROUBLE;
        if (target_begin(&out, path))
            code = target_settle(&out, write_other(result, given, document, target_sink(&out), &why), file,
                                 &why);
    }
    mst_scene_free(scene);
    return code;
}

static bool shows_scene(kind of) {
    return of == KIND_GLB || of == KIND_GLTF || of == KIND_PNG || of == KIND_OBJ || of == KIND_QUAKE_MAP;
}

/* The sectors as one level of several files, to be edited. */
static mst_status level_editing_scene(const options *given, level *opened, const mst_scene_options *how,
                                      mst_scene **scene, mst_diagnostic *why) {
    batch all = {.given = given};
    job work = {.batch = &all, .opened = opened->parts[0]};
    mst_status status = MST_OK;
    for (size_t i = 1; i < opened->count && status == MST_OK; i++)
        status = source_add(&opened->parts[0], mst_level_path(opened->parts[i].level, 0), given, 0, why);
    return status == MST_OK ? make_editing_scene(&work, how, scene, NULL, why) : status;
}

/* All sectors of a level as one model. */
static int convert_level(const goal *result, const options *given, const inputs *all,
                         const candidates *found) {
    const char *to = result->to ? result->to : "-", *file = given->operands[0];
    if (!shows_scene(result->kind))
        return options_usage(given, "--level is for glb, gltf, obj, quake-map and png");
    if (names_directory(to))
        return options_usage(given, "--level writes one file: use -o FILE");
    level opened;
    mst_scene *scene = NULL;
    mst_diagnostic why;
    mst_scene_options contents = scene_of(result, given);
    int code = level_open(&opened, given, all, found);
    const bool edited = options_has(given, OPTION_FOR_EDITING);
    mst_status status = MST_OK;
    if (opened.count)
        status = edited ? level_editing_scene(given, &opened, &contents, &scene, &why)
                        : level_scene(&opened, &contents, &scene, &why);
    if (status != MST_OK)
        code = worse(code, say_diagnosis(file, &why));
    if (scene) {
        if (!edited) /* else they are already selected */
            choose_classes(given, scene, file);
        code = worse(code, write_model(result, given, file, to, scene));
    }
    mst_scene_free(scene);
    level_close(&opened);
    return code;
}

static int convert(const options *given) {
    goal result = {.change = {.size = sizeof result.change}};
    if (!format_is_known(given, given->value[OPTION_FROM]) || !search_paths_exist(given) ||
        !textures_are_meant(given) || !goal_choose(&result, given) || !goal_takes_options(&result, given)) {
        free(result.selected);
        return EXIT_TROUBLE;
    }
    bool binary = result.kind == KIND_GLB || result.kind == KIND_PNG || result.kind == KIND_NATIVE;
    inputs all = inputs_expand(given);
    int code = EXIT_TROUBLE;
    inputs_leave_out(&all, given, result.to);
    result.inputs = all.count;
    const char *side = side_of(&result, given, NULL);
    bool model = shows_scene(result.kind);
    candidates found = {0};
    if (model)
        found = candidates_find(given, &all, result.to);
    bool kept = !model || inputs_keep_maps(&all, given, &found, result.to);
    bool one = options_has(given, OPTION_LEVEL) || (model && level_is_meant(given, &all, &found, result.to));
    bool planned = kept && (one ? products_plan_one(&result.outputs, given, &all, result.to)
                                : products_plan(&result.outputs, given, &all, result.to, result.extensions));
    if (planned && (!side || products_plan_sides(&result.outputs, given, &all, side)) &&
        (!binary || (result.to && strcmp(result.to, "-") != 0) || may_be_binary("-", result.word))) {
        batch work = {.given = given, .inputs = &all, .run = convert_one, .user = &result};
        code = one ? convert_level(&result, given, &all, &found) : batch_run(&work);
        if (!one)
            batch_say_sum(&work, "converted");
    }
    products_free(&result.outputs);
    free(result.selected);
    free(found.items);
    inputs_free(&all);
    return code;
}

static int run(const options *given) {
    if (!given->operand_count)
        return options_usage(given, "convert needs a file or directory");
    options meant = *given;
    if (!options_has(given, OPTION_OUTPUT) && given->operand_count == 2 && names_output(given->operands[1])) {
        meant.value[OPTION_OUTPUT] = given->operands[1];
        meant.operand_count = 1;
        paths_named(given, given->operands[1]);
    }
    const char *to = meant.value[OPTION_OUTPUT];
    if (to && names_archive(to) && !names_directory(to))
        return options_usage(given, "%s is the name of an archive; convert does not write archives", to);
    return convert(&meant);
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT("write to FILE, or below DIR/ (default: stdout)"),
    {OPTION_TO, 't', "to", "FORMAT", NULL,
     "json, glb, gltf, png, obj, quake-map, fgd or a format's id (default: by the extension)"},
    OPTION_ROW_FROM,
    OPTION_ROW_SALVAGE,
    {OPTION_COMPACT, 'c', "compact", NULL, NULL, "JSON on one line"},
    {OPTION_LENIENT, 0, "lenient", NULL, NULL, "treat fields missing in JSON as zero"},
    {OPTION_FORCE, 0, "force", NULL, NULL, "write a level from JSON although it has errors"},
    {OPTION_BYTE_ORDER, 0, "byte-order", "ORDER", "big little", "write the level in this byte order"},
    {OPTION_TO_VERSION, 0, "to-version", "N", NULL, "write the level in this version of its format"},
    {OPTION_ALLOW_LOSS, 0, "allow-loss", NULL, NULL,
     "leave out values that the other version or format cannot store"},
    {OPTION_SELECT, 0, "select", "PATH", NULL,
     "to a clipboard, or --for-editing: only these objects or faces; may be repeated"},
    {OPTION_ALL, 'a', "all", NULL, NULL, "list every loss, not just totals by field"},
    {OPTION_EMBED, 0, "embed", NULL, NULL, "gltf: embed the binary part in the file"},
    {OPTION_EXTERNAL, 0, "external", NULL, NULL,
     "models: images as PNG in a folder next to the file, NAME.textures"},
    {OPTION_FOR_EDITING, 0, "for-editing", NULL, NULL,
     "glTF: everything of the level, so that 'mapstone import' can bring it back when it was edited"},
    {OPTION_LIGHTS, 0, "lights", "N", NULL, "glTF: the N brightest lights, 0, or all (default: 32)"},
    {OPTION_WITH_HIDDEN, 0, "with-hidden", NULL, NULL,
     "models: include invisible geometry (collision, helpers)"},
    {OPTION_COLLISION, 0, "collision", NULL, NULL,
     "glTF: names that end in -col and -colonly, by which Godot makes bodies of geometry"},
    {OPTION_CUT, 0, "cut", "METRES", NULL, "models: leave out everything above this height"},
    {OPTION_NO_CEILINGS, 0, "no-ceilings", NULL, NULL,
     "models: leave out faces that face down, for viewers that show both sides"},
    {OPTION_SPECULAR, 0, "specular", NULL, NULL, "glTF: include the textures of highlights"},
    {OPTION_NO_EXTRAS, 0, "no-extras", NULL, NULL, "glTF: leave out extras (names, properties)"},
    {OPTION_NO_MARKERS, 0, "no-markers", NULL, NULL, "leave out the small boxes that mark entities"},
    {OPTION_SPLIT_LAYERS, 0, "split-layers", NULL, NULL, "separate geometry by layer"},
    {OPTION_TRIANGLES, 0, "triangles", NULL, NULL, "obj: triangles in place of polygons"},
    {OPTION_OWN_UNITS, 0, "own-units", NULL, NULL,
     "obj: the level's own units and axes, not metres with Y up"},
    OPTION_ROW_CLASSES,
    OPTION_ROW_TEXTURES,
    {OPTION_MIP, 0, "mip", "N", NULL,
     "images: their mip level N, half as large as the one before (default: 0)"},
    OPTION_ROW_LEVEL,
    OPTION_ROW_MAP,
    OPTION_ROW_SEARCH_PATH,
    OPTION_ROW_QUIET("leave out the totals at the end"),
    OPTION_ROW_BATCH,
    OPTION_ROW_COMMON};

/* A scene for editing is exported unchanged: it excludes options that change the content. */
static const option_pair clashes[] = {{OPTION_LIGHTS, OPTION_FOR_EDITING},
                                      {OPTION_WITH_HIDDEN, OPTION_FOR_EDITING},
                                      {OPTION_CUT, OPTION_FOR_EDITING},
                                      {OPTION_NO_CEILINGS, OPTION_FOR_EDITING},
                                      {OPTION_NO_EXTRAS, OPTION_FOR_EDITING},
                                      {OPTION_COLLISION, OPTION_FOR_EDITING},
                                      {OPTION_NONE, OPTION_NONE}};

const command convert_command = {
    .name = "convert",
    .operands = "FILE... [DIR/]",
    .summary = "convert to JSON, glTF, OBJ or PNG, to another version, or JSON to a level",
    .description =
        "Converts each FILE to the format given by -t, or by the extension of -o FILE:\n\n"
        "- json: an input is recognised as JSON by its name or its first character.\n"
        "- glb, gltf: a 3D model. A gltf has its binary part in the same directory, as .bin, unless it is "
        "written to stdout or --embed is given.\n"
        "- obj: a Wavefront model, with its materials in the same directory, as .mtl. Faces stay polygons; "
        "textures are written only with --external.\n"
        "- quake-map: a map for TrenchBroom and other editors of Quake's maps (Valve 220): a brush for each "
        "face. "
        "fgd: the classes of entities for these editors, of Natural Selection 2.\n"
        "- png: a picture from above. For a file with images but no level, the images are extracted.\n"
        "- its own format: from JSON, in another byte order or version (--byte-order, --to-version), or "
        "under another name.\n"
        "- ns2-clip: a clipboard of the Spark editor (.clip) from a level of Natural Selection 2, and back; "
        "'mapstone edit --paste' inserts a clipboard into a level.\n\n"
        "-o DIR/ without -t extracts the images of any file: textures, or the cubemaps of a level's "
        "reflection probes.\n\n"
        "JSON may be written by hand: lists that are empty and counts that follow from others may be left "
        "out, and so may triangles of all faces; with --lenient everything else that is zero. What is made "
        "is checked: with errors it is not "
        "written, and the exit code is 5, unless --force is given.\n\n"
        "Many inputs, or a directory, need -o DIR/: each is written there under its own name. With one FILE "
        "the -o may be omitted. Hidden files in a directory or archive, and files with a name that has a "
        "special meaning on another system (.git/x, NUL, a:b), are left out. The sectors of a level, files "
        "called LEVEL_X_Y, become one model if -o names a file.\n\n"
        "If another version or format cannot store some values, they are listed with totals by field, "
        "nothing is written and the exit code is 5, unless --allow-loss is given.",
    .options = rows,
    .clashes = clashes,
    .examples = "mapstone convert maps/a.level -o a.glb\nmapstone convert game.rvm --level 44 -o level.glb\n"
                "mapstone convert maps/ -t glb -o models/\nmapstone convert maps/a.level -o probes/\n"
                "mapstone dump maps/a.level | mapstone convert - -f json -t ns2-level -o b.level\n"
                "mapstone convert --byte-order big maps/L111LEV.MAP saturn/\n"
                "mapstone convert --external maps/L111LEV.MAP -o L111.obj\n"
                "mapstone convert maps/a.level -t quake-map -o a.map\n"
                "mapstone convert --to-version 9 maps/a.level older/\n"
                "mapstone convert maps/a.level --select \"objects[class_name=prop_static]\" -o props.clip",
    .run = run,
};
