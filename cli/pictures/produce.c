/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "produce.h"
#include "../../src/system/file_names.h"
#include "../../src/system/system.h"
#include "../output/existing_names.h"
#include <mapstone/image.h>
#include <mapstone/import.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Whether a name of `length` bytes ends with one of the extensions, which are separated by spaces. */
static bool has_one_of(const char *extensions, const char *name, size_t length) {
    for (const char *at = extensions; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (length > n && !strncasecmp(name + length - n, at, n))
            return true;
        at += n;
    }
    return false;
}

/* DIR/NAME.extension; `keep_extension` keeps the input's own extension before it. */
static char *path_below(const char *directory, const char *relative, const char *extensions,
                        bool keep_extension) {
    size_t length = strlen(relative), stem = length - strlen(extension_of(relative));
    size_t added = strcspn(extensions, " "), end = strlen(directory);
    bool json = !strcasecmp(relative + stem, ".json");
    if (keep_extension) {
        stem = length;
    } else if (has_one_of(extensions, relative, length) || (!*extensions && !json)) {
        stem = length; /* it already has the extension */
        added = 0;
    } else if (has_one_of(extensions, relative, stem)) {
        added = 0; /* "a.level.json" becomes "a.level", not "a.level.level" */
    }
    char *path;
    if (asprintf(&path, "%s%s%.*s%.*s", directory, end && directory[end - 1] == '/' ? "" : "/", (int)stem,
                 relative, (int)added, extensions) < 0)
        need(NULL);
    return path;
}

static const char *relative_of(const input *item) {
    return strcmp(item->path, "-") != 0 ? item->relative : "stdin";
}

/* The same, with the input's own extension where the name would be refused without it (`git~1`). */
static char *planned(const char *directory, const input *item, const char *extensions) {
    const char *relative = relative_of(item);
    char *path = path_below(directory, relative, extensions, false);
    const char *name = path + strlen(directory);
    while (*name == '/')
        name++;
    if (item->named || !mst_name_fault(name))
        return path;
    free(path);
    return path_below(directory, relative, extensions, true);
}

typedef struct named {
    char *path;
    size_t index;
} named;

static int by_path(const void *a, const void *b) {
    const named *first = a, *second = b;
    int order = strcmp(first->path, second->path);
    return order ? order : first->index < second->index ? -1 : first->index > second->index;
}

/* Whether a file found in a directory will be skipped. */
static bool will_be_skipped(const options *given, const inputs *all, size_t index) {
    batch dummy = {.given = given};
    job work = {.batch = &dummy, .input = &all->items[index]};
    return !job_recognised(&work, SOURCE_JSON);
}

static named *sorted(const products *plan) {
    named *list = need(calloc(plan->count + 1, sizeof *list));
    for (size_t i = 0; i < plan->count; i++)
        list[i] = (named){plan->paths[i], i};
    qsort(list, plan->count, sizeof *list, by_path);
    return list;
}

/* Gives longer names to inputs that share one; false if that does not help. */
static bool part_twins(products *plan, const options *given, const inputs *all, const char *directory,
                       const char *extensions) {
    bool apart = true;
    for (int pass = 0; pass < 2; pass++) {
        named *list = sorted(plan);
        for (size_t i = 0, next; i < plan->count; i = next) {
            for (next = i + 1; next < plan->count && !strcmp(list[next].path, list[i].path);)
                next++;
            size_t real = 0, last = 0;
            for (size_t k = i; next > i + 1 && k < next; k++)
                if (!will_be_skipped(given, all, list[k].index)) {
                    real++;
                    last = k;
                }
            if (real > 1 && pass) {
                say(MST_ERROR, "%s and another input would both be written to %s",
                    all->items[list[last].index].path, list[last].path);
                apart = false;
            }
            for (size_t k = i; real > 1 && !pass && k < next; k++) {
                size_t index = list[k].index;
                plan->paths[index] = path_below(directory, relative_of(&all->items[index]), extensions, true);
            }
            /* the list's texts are needed until the whole group is renamed */
            for (size_t k = i; real > 1 && !pass && k < next; k++)
                free(list[k].path);
        }
        free(list);
    }
    return apart;
}

/* Identifies an input independently of its path. */
typedef struct identity {
    uint64_t device, number;
    size_t index;
} identity;

static int by_identity(const void *a, const void *b) {
    const identity *x = a, *y = b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool identify(const char *path, identity *is) {
    mst_system_info info;
    if (!strcmp(path, "-") || mst_system_about(path, &info) != 0 || info.kind != MST_SYSTEM_FILE)
        return false;
    is->device = info.device;
    is->number = info.number;
    return true;
}

/* Whether no output (with `extension`: no second file of an output) is an input; reports one that is. */
static bool spares_inputs(const products *plan, const options *given, const inputs *all,
                          const char *extension) {
    identity *known = need(calloc(all->count + 1, sizeof *known)), wanted = {0};
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        if (identify(all->items[i].in ? all->items[i].in->path : all->items[i].path, &known[count]))
            known[count++].index = i;
    qsort(known, count, sizeof *known, by_identity);
    bool spared = true;
    for (size_t i = 0; spared && i < plan->count; i++) {
        if (!strcmp(plan->paths[i], "-"))
            continue;
        char *side = extension ? path_of_side(plan->paths[i], extension) : NULL;
        const char *path = side ? side : plan->paths[i];
        const identity *found = NULL;
        if (count && identify(path, &wanted))
            found = bsearch(&wanted, known, count, sizeof *known, by_identity);
        if (!found && leads_into_archive(path))
            spared = false;
        if (found && (all->items[found->index].in || !will_be_skipped(given, all, found->index))) {
            options_usage(given, "%s is an input; it is not overwritten", path);
            spared = false;
        }
        free(side);
    }
    free(known);
    return spared;
}

bool products_plan(products *plan, const options *given, const inputs *all, const char *to,
                   const char *extensions) {
    memset(plan, 0, sizeof *plan);
    if (!to)
        to = "-";
    bool below = names_directory(to);
    if (all->many && !below) {
        options_usage(given, "many inputs need an output directory: use -o DIR/");
        return false;
    }
    plan->paths = need(calloc(all->count + 1, sizeof *plan->paths));
    plan->count = all->count;
    for (size_t i = 0; i < all->count; i++)
        plan->paths[i] = below ? planned(to, &all->items[i], extensions) : need(strdup(to));
    if (below && !part_twins(plan, given, all, to, extensions))
        return false;
    return spares_inputs(plan, given, all, NULL);
}

bool products_plan_one(products *plan, const options *given, const inputs *all, const char *to) {
    *plan = (products){.paths = need(calloc(1, sizeof *plan->paths)), .count = 1};
    plan->paths[0] = need(strdup(to ? to : "-"));
    return spares_inputs(plan, given, all, NULL);
}

char *path_of_side(const char *path, const char *extension) {
    size_t stem = strlen(path) - strlen(extension_of(path));
    char *side;
    if (asprintf(&side, "%.*s%s", (int)stem, path, extension) < 0)
        need(NULL);
    return side;
}

bool products_plan_sides(const products *plan, const options *given, const inputs *all,
                         const char *extension) {
    return spares_inputs(plan, given, all, extension);
}

void products_free(products *plan) {
    for (size_t i = 0; i < plan->count; i++)
        free(plan->paths[i]);
    free(plan->paths);
    memset(plan, 0, sizeof *plan);
}

#define MIP_MAX 31

bool textures_are_meant(const options *given) {
    double side, level;
    return options_number(given, OPTION_MAX_TEXTURE, 1, 16384, &side) &&
           options_number(given, OPTION_MIP, 0, MIP_MAX, &level);
}

size_t meant_mip(const options *given) {
    double level = 0;
    options_number(given, OPTION_MIP, 0, MIP_MAX, &level);
    return (size_t)level;
}

float meant_cut(const options *given, double cut) {
    return options_has(given, OPTION_CUT) && cut == 0 ? 1e-6F : (float)cut;
}

static mst_scene_options with_textures(const options *given, const mst_scene_options *how) {
    mst_scene_options with = how ? *how : (mst_scene_options){.size = sizeof(mst_scene_options)};
    const char *side = given->value[OPTION_MAX_TEXTURE];
    with.no_textures = options_has(given, OPTION_NO_TEXTURES);
    with.max_texture = side ? (uint32_t)strtoul(side, NULL, 10) : 0;
    return with;
}

/* Names a scene without a name after its file. */
static void name_scene(const job *work, mst_scene *scene, char name[SCENE_NAME]) {
    const char *file = base_name(work->input->path);
    size_t length = strlen(file) - strlen(extension_of(file));
    bool nameless = !scene->name || !scene->name[0];
    if (nameless && strcmp(file, "-") != 0 && length < SCENE_NAME && is_utf8(file, length)) {
        memcpy(name, file, length);
        name[length] = 0;
        scene->name = name;
    }
}

mst_status make_scene(job *work, const mst_scene_options *how, mst_scene **scene, char name[SCENE_NAME],
                      mst_diagnostic *why) {
    const options *given = work->batch->given;
    const mst_scene_options with = with_textures(given, how);
    mst_status status = mst_level_scene(work->opened.level, &with, scene, why);
    if (status == MST_OK) {
        name_scene(work, *scene, name);
        choose_classes(given, *scene, work->input->path);
    }
    return status;
}

/* The patterns of all occurrences of an option; free them with split_free. */
static char **patterns_of(const options *given, option_id id, size_t *count) {
    stream all = stream_memory();
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == id)
            print(&all, "%s,", given->arguments[i].value);
    put(&all, "", 1);
    char **patterns = split_commas(all.data, count);
    stream_free(&all);
    return patterns;
}

mst_status make_editing_scene(job *work, const mst_scene_options *how, mst_scene **scene,
                              char name[SCENE_NAME], mst_diagnostic *why) {
    const options *given = work->batch->given;
    const mst_scene_options with = with_textures(given, how);
    mst_editing_options what = {.size = sizeof what, .scene = &with};
    char **only = patterns_of(given, OPTION_ONLY, &what.only_count),
         **hide = patterns_of(given, OPTION_HIDE, &what.hide_count);
    const char **selected = need(calloc(given->argument_count + 1, sizeof *selected));
    for (size_t i = 0; i < given->argument_count; i++)
        if (given->arguments[i].id == OPTION_SELECT)
            selected[what.select_count++] = given->arguments[i].value;
    what.only = (const char *const *)only;
    what.hide = (const char *const *)hide;
    what.select = selected;
    mst_status status = mst_editing_scene(work->opened.level, &what, scene, why);
    if (status == MST_OK && name)
        name_scene(work, *scene, name);
    free(selected);
    split_free(only);
    split_free(hide);
    return status;
}

void choose_classes(const options *given, mst_scene *scene, const char *file) {
    mst_scene_choice choice = {.size = sizeof choice};
    char **only = patterns_of(given, OPTION_ONLY, &choice.only_count),
         **hide = patterns_of(given, OPTION_HIDE, &choice.hide_count);
    choice.only = (const char *const *)only;
    choice.hide = (const char *const *)hide;
    choice.found = need(calloc(choice.only_count + choice.hide_count + 1, sizeof *choice.found));
    mst_diagnostic why;
    if (mst_scene_choose(scene, &choice, &why) != MST_OK)
        say_diagnosis(file, &why);
    for (size_t i = 0; i < choice.only_count + choice.hide_count; i++) {
        bool second = i >= choice.only_count;
        if (!choice.found[i])
            say(MST_WARNING, "%s: nothing in %s has a class like '%s'", second ? "--hide" : "--only", file,
                second ? hide[i - choice.only_count] : only[i]);
    }
    split_free(only);
    split_free(hide);
    free(choice.found);
}

bool layers_are_there(const mst_scene *scene, const mst_picture_options *how, const char *file) {
    bool there = true;
    for (size_t i = 0; i < how->layer_count && there; i++) {
        names layers = {0};
        stream rest = stream_memory();
        there = false;
        for (size_t k = 0; k < scene->node_count && !there; k++) {
            const char *layer = scene->nodes[k].layer;
            there = layer && !strcmp(layer, how->layers[i]);
            if (layer && *layer)
                names_add(&layers, layer);
        }
        names_put(&layers, &rest, how->layers[i]);
        put(&rest, "", 1);
        if (!there)
            say(MST_ERROR, "--layers: nothing in %s is on '%s'%s", file, how->layers[i],
                layers.count ? rest.data : ", nor on any layer");
        stream_free(&rest);
        names_free(&layers);
    }
    return there;
}

int write_image(job *work, size_t index, const char *directory, const char *path) {
    const inputs *all = work->batch->inputs;
    const char *file = work->input->path;
    mst_pixels pixels = {0};
    mst_diagnostic why;
    char name[MST_IMAGE_NAME], *below = NULL;
    mst_status status = mst_image_read(work->opened.document, index, meant_mip(work->batch->given),
                                       job_sidecars(work), &pixels, name, &why);
    if (status != MST_OK)
        return say_diagnosis(file, &why);
    if (directory) {
        size_t length = strlen(directory);
        if (asprintf(&below, "%s%s%s.png", directory, length && directory[length - 1] == '/' ? "" : "/",
                     name) < 0)
            need(NULL);
        path = below;
    }
    int code = job_claims(work, path);
    for (size_t i = 0; i < all->count && code == EXIT_YES && is_regular(path); i++)
        if (is_input(path, all->items[i].path))
            code = options_usage(work->batch->given, "%s is an input; it is not overwritten", path);
    target out;
    if (code == EXIT_YES)
        code = target_begin(&out, path) ? EXIT_YES : EXIT_TROUBLE;
    if (code == EXIT_YES) {
        status = mst_pixels_write_png(&pixels, target_sink(&out), &why);
        code = target_settle(&out, status, file, &why);
    }
    mst_pixels_free(&pixels);
    free(below);
    return code;
}
