/* SPDX-License-Identifier: MIT */
/* mapstone render: pictures of levels. */
#define _GNU_SOURCE
#include "../inputs/sector_levels.h"
#include "../pictures/contact_sheet.h"
#include "../pictures/game_view.h"
#include "../pictures/overview.h"
#include "../pictures/picture_files.h"
#include "../pictures/produce.h"
#include "commands.h"
#include <mapstone/image.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RADIANS       (3.14159265358979323846 / 180)
#define SIDE_MAX      32768
#define DEFAULT_YAW   45.0 /* from the south-east */
#define DEFAULT_PITCH 40.0
#define AREA_MAX      1e6 /* metres */

typedef struct goal {
    mst_picture_options how;
    bool overview; /* the game's own map, with its heights */
    bool game;     /* the game's own view */
    game_view as_game;
    char **layers;
    products outputs;
} goal;

/* Parses up to five digits at *at and advances it. */
static bool read_side(const char **at, uint32_t *pixels) {
    size_t digits = strspn(*at, "0123456789");
    if (digits < 1 || digits > 5)
        return false;
    *pixels = (uint32_t)strtoul(*at, NULL, 10);
    *at += digits;
    return true;
}

static bool read_size(const options *given, mst_picture_options *how) {
    const char *text = given->value[OPTION_SIZE], *at = text;
    uint32_t width, height = 0;
    if (!text)
        return true;
    bool good = read_side(&at, &width);
    if (good && *at == 'x') {
        at++;
        good = read_side(&at, &height) && height;
    }
    if (!good || *at) {
        options_usage(given, "--size: '%s' is neither WIDTH nor WIDTHxHEIGHT", text);
        return false;
    }
    if (width < 1 || width > SIDE_MAX || height > SIDE_MAX) {
        options_usage(given, "--size: %s is not in 1..%d", text, SIDE_MAX);
        return false;
    }
    how->width = width;
    how->height = height;
    return true;
}

/* The first sixteen colour names of CSS, and variant spellings. */
static const struct {
    const char *name;
    uint32_t rgb;
} colors[] = {{"black", 0x000000},   {"silver", 0xC0C0C0},  {"gray", 0x808080},  {"grey", 0x808080},
              {"white", 0xFFFFFF},   {"maroon", 0x800000},  {"red", 0xFF0000},   {"purple", 0x800080},
              {"fuchsia", 0xFF00FF}, {"magenta", 0xFF00FF}, {"green", 0x008000}, {"lime", 0x00FF00},
              {"olive", 0x808000},   {"yellow", 0xFFFF00},  {"navy", 0x000080},  {"blue", 0x0000FF},
              {"teal", 0x008080},    {"aqua", 0x00FFFF},    {"cyan", 0x00FFFF}};

/* #rgb, #rgba, #rrggbb or #rrggbbaa; the # may be left out. */
static bool read_digits(const char *text, uint8_t color[4]) {
    const char *digits = text + (*text == '#');
    size_t length = strlen(digits), each = length < 6 ? 1 : 2, parts = length / each;
    if (strspn(digits, "0123456789abcdefABCDEF") != length || length % each || parts < 3 || parts > 4)
        return false;
    color[3] = 255;
    for (size_t i = 0; i < parts; i++) {
        char pair[3] = {digits[each * i], digits[each * i + each - 1], 0};
        color[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

static bool read_background(const options *given, mst_picture_options *how) {
    const char *text = given->value[OPTION_BACKGROUND];
    if (!text)
        return true;
    if (!strcasecmp(text, "transparent")) {
        how->transparent = 1;
        return true;
    }
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
        if (!strcasecmp(text, colors[i].name)) {
            for (int k = 0; k < 3; k++)
                how->background[k] = (uint8_t)(colors[i].rgb >> (16 - 8 * k));
            how->background[3] = 255;
            return true;
        }
    if (!read_digits(text, how->background)) {
        stream list = stream_memory();
        for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
            print(&list, " %s", colors[i].name);
        put(&list, "", 1);
        options_usage(
            given,
            "--background: '%s' is not a colour; use #rgb, #rrggbb, #rrggbbaa, transparent or one of%s", text,
            list.data);
        stream_free(&list);
        return false;
    }
    how->transparent = how->background[3] == 0;
    return true;
}

/* Reports an option that does not apply to the view; true if none is given. */
static bool are_idle(const options *given, const option_id *ids, size_t count, const char *view) {
    for (size_t i = 0; i < count; i++)
        if (options_idle(given, ids[i], view))
            return false;
    return true;
}

#define ARE_IDLE(ids, view) are_idle(given, ids, sizeof(ids) / sizeof *(ids), view)

/* Whether every given option applies to this view; reports one that does not. */
static bool view_takes_options(const options *given, mst_view view, bool game) {
    static const option_id above[] = {OPTION_CUT, OPTION_TAGS, OPTION_HEIGHTS},
                           oblique[] = {OPTION_YAW, OPTION_PITCH},
                           of_game[] = {OPTION_AMBIENT, OPTION_NO_MODELS, OPTION_TILES},
                           of_scenes[] = {OPTION_LAYERS,   OPTION_NO_ENTITIES, OPTION_NO_LEGEND,
                                          OPTION_NO_GRID,  OPTION_NO_LABELS,   OPTION_LINKS,
                                          OPTION_NO_LINKS, OPTION_LIT,         OPTION_HIDE,
                                          OPTION_MARKS,    OPTION_LABELS};
    const char *name = game                       ? "--view game"
                       : view == MST_VIEW_ABOVE   ? "--view above"
                       : view == MST_VIEW_OBLIQUE ? "--view oblique"
                                                  : "--view dimetric";
    return (!game || ARE_IDLE(of_scenes, name)) && (game || ARE_IDLE(of_game, name)) &&
           (view == MST_VIEW_ABOVE && !game ? true : ARE_IDLE(above, name)) &&
           (view == MST_VIEW_ABOVE || game || !options_idle(given, OPTION_AREA, name)) &&
           (view == MST_VIEW_OBLIQUE ? true : ARE_IDLE(oblique, name));
}

/* With --overview, reports any option that would make the overview differ from the game's. */
static bool overview_takes_options(const options *given) {
    static const option_id others[] = {
        OPTION_VIEW,      OPTION_OBLIQUE,  OPTION_SHEET,       OPTION_SIZE,      OPTION_BACKGROUND,
        OPTION_YAW,       OPTION_PITCH,    OPTION_MARKS,       OPTION_LABELS,    OPTION_NO_LABELS,
        OPTION_LINKS,     OPTION_NO_LINKS, OPTION_NO_ENTITIES, OPTION_NO_GRID,   OPTION_TAGS,
        OPTION_NO_LEGEND, OPTION_AREA,     OPTION_AMBIENT,     OPTION_NO_MODELS, OPTION_TILES,
        OPTION_LEVEL};
    const char *to = given->value[OPTION_OUTPUT];
    if (!options_has(given, OPTION_OVERVIEW))
        return true;
    if (!to || !strcmp(to, "-") || (!names_directory(to) && strcasecmp(extension_of(to), ".png") != 0)) {
        options_usage(given, "--overview writes two files of each level, NAME.png and NAME.hmp: use -o DIR/");
        return false;
    }
    return ARE_IDLE(others, "--overview");
}

/* "-10.5,2,40x30": metres */
static bool read_area(const options *given, mst_picture_options *how) {
    const char *text = given->value[OPTION_AREA], *at = text;
    static const char ends[4] = {',', ',', 'x', 0};
    if (!text)
        return true;
    for (int i = 0; i < 4; i++) {
        char *end;
        const double value = strtod(at, &end);
        if (end == at || *end != ends[i] || !(fabs(value) <= AREA_MAX) || (i > 1 && !(value > 0))) {
            options_usage(given, "--area: '%s' is not LEFT,TOP,WIDTHxDEPTH in metres", text);
            return false;
        }
        how->area[i] = (float)value;
        at = end + 1;
    }
    return true;
}

/* Whether no option requests a view. */
static bool view_is_free(const options *given) {
    static const option_id views[] = {OPTION_VIEW, OPTION_OBLIQUE, OPTION_CUT,
                                      OPTION_TAGS, OPTION_HEIGHTS, OPTION_AREA};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (options_has(given, views[i]))
            return false;
    return true;
}

static bool read_options(const options *given, goal *result) {
    mst_picture_options *how = &result->how;
    const char *view = given->value[OPTION_VIEW];
    bool oblique = options_has(given, OPTION_OBLIQUE) || (view && !strcmp(view, "oblique"));
    double cut = 0, yaw = DEFAULT_YAW, pitch = DEFAULT_PITCH;
    bool dimetric = view && !strcmp(view, "dimetric");
    how->view = oblique ? MST_VIEW_OBLIQUE : dimetric ? MST_VIEW_DIMETRIC : MST_VIEW_ABOVE;
    how->no_entities = options_has(given, OPTION_NO_ENTITIES);
    how->no_legend = options_has(given, OPTION_NO_LEGEND);
    how->no_grid = options_has(given, OPTION_NO_GRID);
    how->labels = options_has(given, OPTION_LABELS);
    how->no_labels = options_has(given, OPTION_NO_LABELS);
    how->links = options_has(given, OPTION_LINKS);
    how->no_links = options_has(given, OPTION_NO_LINKS);
    how->tags = options_has(given, OPTION_TAGS);
    how->heights = options_has(given, OPTION_HEIGHTS);
    how->lit = options_has(given, OPTION_LIT);
    result->game = view && !strcmp(view, "game");
    result->overview = options_has(given, OPTION_OVERVIEW);
    if (!view_takes_options(given, how->view, result->game) || !read_size(given, how) ||
        !read_background(given, how) ||
        !(result->game ? game_options(given, &result->as_game) : read_area(given, how)) ||
        !options_number(given, OPTION_CUT, -1e6, 1e6, &cut) ||
        !options_number(given, OPTION_YAW, -360, 360, &yaw) ||
        !options_number(given, OPTION_PITCH, 1, 90, &pitch))
        return false;
    how->ceiling_cut = meant_cut(given, cut);
    if (options_has(given, OPTION_YAW) || options_has(given, OPTION_PITCH)) {
        how->yaw = (float)(yaw * RADIANS);
        how->pitch = (float)(pitch * RADIANS);
    }
    if (result->game && how->width && result->as_game.tiles) {
        options_usage(given, "--size has no effect with --tiles, which writes all sizes");
        return false;
    }
    result->as_game.width = how->width;
    result->as_game.height = how->height;
    memcpy(result->as_game.how.background, how->background, sizeof how->background);
    if (options_has(given, OPTION_LAYERS)) {
        result->layers = split_commas(given->value[OPTION_LAYERS], &how->layer_count);
        how->layers = (const char *const *)result->layers;
        if (!how->layer_count) {
            options_usage(given, "--layers names no layer: give names separated by commas");
            return false;
        }
    }
    return true;
}

/* "world.png" and "surface": "world-surface.png" */
static char *path_of_storey(const char *path, const char *name) {
    const char *extension = extension_of(path);
    size_t size = strlen(path) + strlen(name) + 2;
    char *result = need(malloc(size));
    snprintf(result, size, "%.*s-%s%s", (int)(strlen(path) - strlen(extension)), path, name, extension);
    return result;
}

static int draw(job *work, const mst_scene *scene, const mst_picture_options *how, const char *path,
                const char *marks) {
    int code = job_claims(work, path);
    if (code == EXIT_YES && marks)
        code = make_parents(marks) ? job_claims(work, marks) : EXIT_TROUBLE;
    return code == EXIT_YES ? write_picture(scene, how, work->input->path, path, marks) : code;
}

/* Storeys hide each other from above: draws a picture of each, except on stdout. */
static int draw_storeys(job *work, mst_scene *scene, const mst_picture_options *how, const char *path) {
    const char *marks = work->batch->given->value[OPTION_MARKS];
    if (!scene->storey_count || how->view != MST_VIEW_ABOVE || how->layers || !strcmp(path, "-"))
        return draw(work, scene, how, path, marks);
    const char *name = scene->name;
    int code = EXIT_YES;
    for (size_t i = 0; i < scene->storey_count && code == EXIT_YES; i++) {
        mst_picture_options one = *how;
        one.branch = (size_t)scene->storeys[i];
        const char *storey = scene->nodes[one.branch].name;
        char *to = path_of_storey(path, storey), *list = marks ? path_of_storey(marks, storey) : NULL,
             title[SCENE_NAME + 64];
        snprintf(title, sizeof title, "%s: %s", name, storey);
        scene->name = title;
        code = draw(work, scene, &one, to, list);
        if (code == EXIT_YES)
            say(MST_INFORMATION, "%s shows the layer %s", to, storey);
        free(to);
        free(list);
    }
    scene->name = name;
    return code;
}

static int render_one(job *work) {
    const goal *result = work->batch->user;
    const char *file = work->input->path, *path = result->outputs.paths[work->index];
    int code = job_open(work, SOURCE_JSON);
    if (code >= 0)
        return code;
    mst_scene *scene = NULL;
    mst_diagnostic why;
    char name[SCENE_NAME];
    const mst_document *document = work->opened.document;
    if (result->overview && !overview_is_possible(work, &why))
        return job_unfit(work, &why);
    if (result->game) {
        code = job_claims(work, path);
        if (code == EXIT_YES)
            code = game_draw(&result->as_game, &document, 1, job_sidecars(work), file, path, &why);
        return code < 0 ? job_unfit(work, &why) : code;
    }
    if (make_scene(work, &(mst_scene_options){.size = sizeof(mst_scene_options), .packed_images = 1}, &scene,
                   name, &why) != MST_OK) /* a texture is already a picture */
        return why.status == MST_UNSUPPORTED && mst_image_count(work->opened.document) == 1
                   ? write_image(work, 0, NULL, path)
                   : job_unfit(work, &why);
    mst_picture_options how = result->how;
    if (result->overview) {
        code = layers_are_there(scene, &how, file) ? overview_write(work, scene, &how, path) : EXIT_TROUBLE;
        mst_scene_free(scene);
        return code;
    }
    if (scene->object && view_is_free(work->batch->given) && !names_svg(path))
        how.view = MST_VIEW_OBLIQUE;
    code = layers_are_there(scene, &how, file) ? draw_storeys(work, scene, &how, path) : EXIT_TROUBLE;
    mst_scene_free(scene);
    return code;
}

/* Draws a level as its game does. */
static int level_draw(const level *opened, const game_view *view, const char *path) {
    const mst_document **documents = need(calloc(opened->count, sizeof *documents));
    for (size_t i = 0; i < opened->count; i++)
        documents[i] = opened->parts[i].document;
    mst_diagnostic why;
    int code = game_draw(view, documents, opened->count, mst_level_sidecars(opened->parts[0].level),
                         opened->name, path, &why);
    free(documents);
    return code < 0 ? say_diagnosis(opened->name, &why) : code;
}

/* Draws an open level as one picture, and closes it. `code` is the result of opening it. */
static int draw_opened(const goal *result, const options *given, level *opened, const char *path,
                       const char *file, int code) {
    const char *marks = given->value[OPTION_MARKS];
    mst_scene *scene = NULL;
    mst_diagnostic why;
    if (opened->count && result->game) {
        code = make_parents(path) ? worse(code, level_draw(opened, &result->as_game, path)) : EXIT_TROUBLE;
        level_close(opened);
        return code;
    }
    if (opened->count &&
        level_scene(opened, &(mst_scene_options){.size = sizeof(mst_scene_options), .packed_images = 1},
                    &scene, &why) != MST_OK)
        code = worse(code, say_diagnosis(file, &why));
    if (scene)
        choose_classes(given, scene, file);
    if (scene && (!layers_are_there(scene, &result->how, file) || !make_parents(path) ||
                  (marks && !make_parents(marks)))) {
        code = EXIT_TROUBLE;
    } else if (scene) {
        code = worse(code, write_picture(scene, &result->how, file, path, marks));
    }
    mst_scene_free(scene);
    level_close(opened);
    return code;
}

/* Draws all sectors of a level as one picture. */
static int render_level(const goal *result, const options *given, const inputs *all,
                        const candidates *found) {
    const char *path = result->outputs.paths[0];
    if (names_directory(path))
        return options_usage(given, "--level writes one file: use -o FILE");
    level opened;
    const int code = level_open(&opened, given, all, found);
    return draw_opened(result, given, &opened, path, given->operands[0], code);
}

/* Removes the sectors of levels from the inputs, and draws each level as one picture, DIR/level-44.png. */
static int render_levels(const goal *result, const options *given, inputs *all, const char *to) {
    candidates found = candidates_of(given, all);
    bool *drawn = need(calloc(all->count + 1, sizeof *drawn));
    int code = EXIT_YES;
    for (size_t i = 0, end; i < found.count && found.items[i].is_sector; i = end) {
        for (end = i + 1; end < found.count && found.items[end].level == found.items[i].level;)
            end++;
        if (end == i + 1)
            continue; /* named after its file, like other levels */
        char *path;
        if (asprintf(&path, "%s%slevel-%ld.png", to, to[strlen(to) - 1] == '/' ? "" : "/",
                     (long)found.items[i].number) < 0)
            need(NULL);
        level opened;
        const int came = level_open_sectors(&opened, given, all, &found.items[i], end - i);
        const size_t count = opened.count;
        const int became = draw_opened(result, given, &opened, path, path, came);
        if (count && became == EXIT_YES && !options_has(given, OPTION_QUIET))
            say(MST_INFORMATION, "%s shows %zu sectors", path, count);
        code = worse(code, became);
        free(path);
        for (size_t k = i; k < end; k++)
            drawn[found.items[k].index] = true;
    }
    inputs_remove(all, drawn);
    free(drawn);
    free(found.items);
    return code;
}

/* Whether a file's name has the extension of a picture format, which a level never has. */
static bool names_picture(const char *path) {
    static const char *const extensions[] = {".png", ".jpg",  ".jpeg", ".gif", ".bmp", ".tga",
                                             ".tif", ".tiff", ".webp", ".svg", ".pdf"};
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (!strcasecmp(extension_of(path), extensions[i]))
            return true;
    return false;
}

/* Whether the output is SVG with only options that SVG supports; reports others. */
static bool svg_is_possible(const options *given) {
    static const option_id others[] = {OPTION_SHEET,       OPTION_MARKS, OPTION_OBLIQUE, OPTION_LIT,
                                       OPTION_MAX_TEXTURE, OPTION_YAW,   OPTION_PITCH};
    const char *view = given->value[OPTION_VIEW];
    if (view && strcmp(view, "above") != 0 && strcmp(view, "top") != 0) {
        options_usage(given, "SVG is only for maps from above, not for --view %s", view);
        return false;
    }
    return ARE_IDLE(others, "SVG");
}

/* Accepts .png and .svg only; a name without an extension may be a device. */
static bool may_be_picture(const options *given, const char *to) {
    const char *extension = to && strcmp(to, "-") != 0 && !names_directory(to) ? extension_of(to) : "";
    if (!*extension || !strcasecmp(extension, ".png"))
        return true;
    if (*extension && names_svg(to))
        return svg_is_possible(given);
    options_usage(given, "cannot write '%s': pictures are PNG, maps also SVG; name it %.*s.png", to,
                  (int)(strlen(to) - strlen(extension)), to);
    return false;
}

/* The output path; with --tiles the path of their page. */
static const char *output_of(const options *given, char **page) {
    const char *tiles = given->value[OPTION_TILES];
    *page = NULL;
    if (tiles && asprintf(page, "%s/index.html", tiles) < 0)
        need(NULL);
    return tiles ? *page : given->value[OPTION_OUTPUT];
}

/* Draws the inputs: `one` level, each level of a directory, or each file. */
static int draw_inputs(goal *result, const options *given, inputs *all, const candidates *found, bool one,
                       const char *to) {
    const bool levels = !one && !result->overview && all->many && to && names_directory(to);
    const size_t before = all->count;
    const int code = levels ? render_levels(result, given, all, to) : EXIT_YES;
    if (before && !all->count)
        return worse(code, all->code);
    if (!(one ? products_plan_one(&result->outputs, given, all, to)
              : products_plan(&result->outputs, given, all, to, ".png")))
        return EXIT_TROUBLE;
    if (result->overview && !products_plan_sides(&result->outputs, given, all, OVERVIEW_HEIGHTS))
        return EXIT_TROUBLE;
    batch work = {.given = given, .inputs = all, .run = render_one, .user = result};
    if (one)
        return render_level(result, given, all, found);
    const int rest = batch_run(&work);
    batch_say_sum(&work, "drawn");
    return worse(code, rest);
}

static int render(const options *given) {
    char *page;
    const char *to = output_of(given, &page);
    goal result = {.how = {.size = sizeof result.how}};
    if (!overview_takes_options(given) || (!page && !may_be_picture(given, to)) ||
        !format_is_known(given, given->value[OPTION_FROM]))
        return EXIT_TROUBLE;
    inputs all = inputs_expand(given);
    int code = EXIT_TROUBLE;
    inputs_leave_out(&all, given, to);
    candidates found = candidates_find(given, &all, to);
    bool kept = inputs_keep_maps(&all, given, &found, to),
         one = kept && !options_has(given, OPTION_OVERVIEW) && level_is_meant(given, &all, &found, to);
    if (kept && options_has(given, OPTION_SHEET)) {
        code = textures_are_meant(given) && search_paths_exist(given)
                   ? sheet_render(given, &all, to ? to : "-")
                   : EXIT_TROUBLE;
    } else if (kept && !one && all.many && options_has(given, OPTION_MARKS)) {
        options_usage(given, "--marks applies to one picture");
    } else if (kept && marks_are_meant(given, &all) && read_options(given, &result) &&
               textures_are_meant(given) && search_paths_exist(given) &&
               ((to && strcmp(to, "-") != 0) || may_be_binary("-", "png"))) {
        code = draw_inputs(&result, given, &all, &found, one, to);
    }
    products_free(&result.outputs);
    split_free(result.layers);
    free(found.items);
    inputs_free(&all);
    free(page);
    return code;
}

static int run(const options *given) {
    if (!given->operand_count)
        return options_usage(given, "render needs a file or directory");
    options meant = *given;
    const char *second = given->operand_count == 2 ? given->operands[1] : "";
    if (!options_has(given, OPTION_OUTPUT) &&
        (names_picture(second) || (*second && names_directory(second)))) {
        meant.value[OPTION_OUTPUT] = second;
        meant.operand_count = 1;
    }
    return render(&meant);
}

static const option_row rows[] = {
    OPTION_ROW_OUTPUT("write to FILE, or below DIR/ (default: stdout)"),
    {OPTION_VIEW, 0, "view", "VIEW", "above top oblique dimetric game",
     "above (or top), oblique, dimetric (2:1), or game: Revenant's levels as the game shows them (default: "
     "above)"},
    {OPTION_OBLIQUE, 0, "oblique", NULL, NULL, "short for --view oblique"},
    {OPTION_SHEET, 0, "sheet", NULL, NULL,
     "one contact sheet of all files: levels, models, materials, textures; missing files are listed"},
    {OPTION_SIZE, 's', "size", "WxH", NULL,
     "pixels, or the width alone (default: 1600, of materials 512; of the view game as large as in the "
     "game); of each "
     "square of a sheet (default: 192)"},
    {OPTION_LAYERS, 'l', "layers", "A,B", NULL, "draw only these layers"},
    OPTION_ROW_CLASSES,
    {OPTION_BACKGROUND, 'b', "background", "COLOUR", NULL,
     "#rgb, #rrggbb, #rrggbbaa, a name (white) or transparent"},
    {OPTION_CUT, 0, "cut", "METRES", NULL,
     "from above: leave out everything above this height (default: automatic)"},
    {OPTION_YAW, 0, "yaw", "DEGREES", NULL, "oblique: direction"},
    {OPTION_PITCH, 0, "pitch", "DEGREES", NULL, "oblique: downward angle, 1..90"},
    {OPTION_NO_ENTITIES, 0, "no-entities", NULL, NULL, "no symbols for entities"},
    {OPTION_NO_LEGEND, 0, "no-legend", NULL, NULL, "no legend"},
    {OPTION_NO_GRID, 0, "no-grid", NULL, NULL, "no grid"},
    {OPTION_LABELS, 0, "labels", NULL, NULL,
     "the names of everything, where there is room (default: of places)"},
    {OPTION_NO_LABELS, 0, "no-labels", NULL, NULL, "no names"},
    {OPTION_LINKS, 0, "links", NULL, NULL,
     "arrows from entities to their targets in every view (default: from above)"},
    {OPTION_NO_LINKS, 0, "no-links", NULL, NULL, "no arrows from entities to their targets"},
    {OPTION_TAGS, 0, "tags", NULL, NULL, "from above: write the tags of entities next to them"},
    {OPTION_MARKS, 0, "marks", "FILE", NULL,
     "write the symbols as JSON: pixel, class, name and path of each; for web pages"},
    {OPTION_AREA, 0, "area", "AREA", NULL,
     "only a part, LEFT,TOP,WIDTHxDEPTH: from above in metres of X and Z, as the grid shows them; game: in "
     "pixels of the game's screen, with another origin in each level; if the part is empty, the error gives "
     "the level's place"},
    {OPTION_AMBIENT, 0, "ambient", "LIGHT", NULL, "game: light of the level, 1..31 (default: full)"},
    {OPTION_NO_MODELS, 0, "no-models", NULL, NULL, "game: only pictures, no models"},
    {OPTION_TILES, 0, "tiles", "DIR", NULL,
     "game: write tiles DIR/zoom/x/y.png, and a page that shows them, DIR/index.html"},
    {OPTION_OVERVIEW, 0, "overview", NULL, NULL,
     "Natural Selection 2: write what the game shows as the map, DIR/NAME.png, and its heights, "
     "DIR/NAME.hmp"},
    {OPTION_HEIGHTS, 0, "heights", NULL, NULL,
     "from above: show heights instead of the game's own map or textures"},
    {OPTION_LIT, 0, "lit", NULL, NULL, "lit by the level's own lights, without shadows"},
    OPTION_ROW_TEXTURES,
    OPTION_ROW_LEVEL,
    OPTION_ROW_MAP,
    OPTION_ROW_SEARCH_PATH,
    OPTION_ROW_QUIET("leave out the totals at the end, and the list of files that a sheet lacks"),
    OPTION_ROW_FROM,
    OPTION_ROW_SALVAGE,
    OPTION_ROW_BATCH,
    OPTION_ROW_COMMON};

static const option_pair clashes[] = {{OPTION_VIEW, OPTION_SHEET},        {OPTION_OBLIQUE, OPTION_SHEET},
                                      {OPTION_LAYERS, OPTION_SHEET},      {OPTION_BACKGROUND, OPTION_SHEET},
                                      {OPTION_CUT, OPTION_SHEET},         {OPTION_YAW, OPTION_SHEET},
                                      {OPTION_PITCH, OPTION_SHEET},       {OPTION_TAGS, OPTION_SHEET},
                                      {OPTION_HEIGHTS, OPTION_SHEET},     {OPTION_LEVEL, OPTION_SHEET},
                                      {OPTION_AREA, OPTION_SHEET},        {OPTION_AMBIENT, OPTION_SHEET},
                                      {OPTION_TILES, OPTION_SHEET},       {OPTION_LINKS, OPTION_SHEET},
                                      {OPTION_OBLIQUE, OPTION_VIEW},      {OPTION_TILES, OPTION_OUTPUT},
                                      {OPTION_TILES, OPTION_AREA},        {OPTION_LINKS, OPTION_NO_LINKS},
                                      {OPTION_LINKS, OPTION_NO_ENTITIES}, {OPTION_ONLY, OPTION_SHEET},
                                      {OPTION_HIDE, OPTION_SHEET},        {OPTION_MARKS, OPTION_SHEET},
                                      {OPTION_MARKS, OPTION_NO_ENTITIES}, {OPTION_ONLY, OPTION_NO_ENTITIES},
                                      {OPTION_LABELS, OPTION_NO_LABELS},  {OPTION_LABELS, OPTION_NO_ENTITIES},
                                      {OPTION_LABELS, OPTION_SHEET},      {OPTION_NONE, OPTION_NONE}};

const command render_command = {
    .name = "render",
    .operands = "FILE... [OUT.png|OUT.svg|DIR/]",
    .summary = "draw a level as PNG or SVG, from above or oblique",
    .description =
        "Draws each FILE as a map from above, cut open below its ceilings, or as another view:\n\n"
        "- above: with the game's own map, or textures if most floors have one, or heights\n"
        "- oblique, and dimetric, which is 2:1\n"
        "- game: Revenant's levels as the game shows them\n\n"
        "With one FILE the -o may be omitted: render FILE OUT.png. A map from above is drawn as "
        "SVG if -o names a .svg: without textures, the names as text.\n\n"
        "Many inputs, or a directory or archive, need -o DIR/. The sectors of a level, files "
        "called LEVEL_X_Y, become one picture: the file of -o, or DIR/level-LEVEL.png. A world of "
        "several layers is drawn from above as one picture per layer: OUT-surface.png.\n\n"
        "With --overview, a level of Natural Selection 2 is drawn as the map that its game shows: the "
        "square that its first minimap_extents names, 1024 x 1024 pixels, +X at the top and +Z to "
        "the right, transparent where nothing is. docs/assets.md describes the file of heights, "
        "and what is left out.\n\n"
        "With --sheet, all files in FILE..., directories or archives are drawn on one contact "
        "sheet. Each model, material and texture that was not found is listed on stderr: FILE: "
        "model NAME was not found, named N times.",
    .options = rows,
    .examples = "mapstone render maps/a.level -o a.png\n"
                "mapstone render game.rvm --level 44 -o level.png\n"
                "mapstone render --oblique --size 1920x1080 --background transparent maps/ -o pictures/",
    .run = run,
    .clashes = clashes,
};
