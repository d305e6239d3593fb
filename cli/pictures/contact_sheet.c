/* SPDX-License-Identifier: MIT */
#include "contact_sheet.h"
#include "../../src/export/sheet.h"
#include "../../src/read/opened.h"
#include "../commands/commands.h"
#include "../output/needed_files.h"
#include "produce.h"
#include <mapstone/image.h>
#include <stdlib.h>
#include <string.h>

#define SIDE       192
#define FROM_FRONT 1e-3F /* radians: almost 0, which selects the default view */
#define LETTER     6     /* pixels */
#define TIMES      2     /* pictures are drawn larger and reduced, which smooths them */
#define LEAST      32
#define MOST       2048

typedef struct sheet {
    mst_sheet *drawn;
    mst_status status; /* the first failure to write it */
    mst_diagnostic why;
    size_t count;
    uint32_t side;
} sheet;

/* Draws an input; false if it has no picture. */
static bool picture_of(job *work, const sheet *all, mst_pixels *picture, mst_diagnostic *why) {
    mst_scene *scene = NULL;
    char name[SCENE_NAME];
    mst_picture_options how = {.size = sizeof how,
                               .width = TIMES * all->side,
                               .height = TIMES * all->side,
                               .view = MST_VIEW_OBLIQUE,
                               .no_legend = 1,
                               .no_grid = 1,
                               .no_labels = 1,
                               .no_entities = 1};
    char image[MST_IMAGE_NAME];
    mst_status status = make_scene(
        work, &(mst_scene_options){.size = sizeof(mst_scene_options), .packed_images = 1}, &scene, name, why);
    if (status == MST_OK && scene->object == MST_OBJECT_PANEL)
        how.yaw = how.pitch = FROM_FRONT;
    if (status == MST_OK)
        status = mst_scene_draw(scene, &how, picture, why);
    else if (status == MST_UNSUPPORTED && mst_image_count(work->opened.document))
        status = mst_image_read(work->opened.document, 0, 0, job_sidecars(work), picture, image, why);
    mst_scene_free(scene);
    return status == MST_OK;
}

/* Lists the missing files: placeholders should not be mistaken for the game's look. */
static void list_missing(job *work) {
    mst_assets *assets;
    mst_diagnostic why;
    if (options_has(work->batch->given, OPTION_QUIET))
        return;
    if (mst_level_assets(work->opened.level, &assets, &why) != MST_OK) {
        say_diagnosis(work->input->path, &why);
        return;
    }
    say_missing(assets, work->input->path);
    mst_assets_free(assets);
}

static int draw_one(job *work) {
    const sheet *all = work->batch->user;
    int code = job_open(work, 0);
    if (code >= 0)
        return code;
    mst_diagnostic why;
    mst_pixels *picture = need(calloc(1, sizeof *picture));
    if (!picture_of(work, all, picture, &why)) {
        free(picture);
        return job_unfit(work, &why);
    }
    work->result = picture;
    list_missing(work);
    return EXIT_YES;
}

static void take(job *work) {
    sheet *all = work->batch->user;
    mst_pixels *picture = work->result;
    /* of a path that is too long only the last part fits */
    const char *name = work->input->relative;
    bool fits = strlen(name) <= all->side / LETTER;
    if ((picture || !work->skipped) && all->status == MST_OK) {
        const mst_sheet_item item = {picture, fits ? name : base_name(name)};
        all->status = mst_sheet_add(all->drawn, &item, &all->why);
        all->count++;
    }
    if (picture)
        mst_pixels_free(picture);
    free(picture);
    work->result = NULL;
}

/* The number of places on the sheet: for named inputs, and for those in a format that can be drawn. */
static size_t count_places(const options *given, const inputs *all) {
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const mst_format_information *format = NULL;
        mst_diagnostic why;
        mst_status status = source_identify(&all->items[i], given, 0, &format, NULL, &why);
        count += all->items[i].named ||
                 (status != MST_OK ? status != MST_UNKNOWN : !format || mst_format_is_drawn(format));
    }
    return count;
}

/* Draws into `out`, which is finished if something has been drawn. */
static int draw_all(const options *given, const inputs *all, sheet *drawn, size_t places, target *out,
                    const char *to) {
    mst_diagnostic why;
    drawn->status = mst_sheet_begin(places, drawn->side, target_sink(out), &drawn->drawn, &drawn->why);
    if (drawn->status != MST_OK)
        return target_settle(out, drawn->status, to, &drawn->why);
    batch work = {.given = given, .inputs = all, .run = draw_one, .done = take, .user = drawn};
    int code = batch_run(&work);
    mst_status ended = mst_sheet_end(drawn->drawn, &why);
    if (drawn->status != MST_OK) {
        ended = drawn->status;
        why = drawn->why;
    }
    if (drawn->count)
        code = worse(code, target_settle(out, ended, to, &why));
    else
        target_abandon(out);
    batch_say_sum(&work, "drawn");
    return code;
}

int sheet_render(const options *given, const inputs *all, const char *to) {
    double side = SIDE;
    if (!options_number(given, OPTION_SIZE, LEAST, MOST, &side))
        return EXIT_TROUBLE;
    sheet drawn = {.side = (uint32_t)side};
    target out;
    const size_t places = count_places(given, all);
    if (places && !make_parents(to))
        return EXIT_TROUBLE;
    return target_begin(&out, to) ? draw_all(given, all, &drawn, places, &out, to) : EXIT_TROUBLE;
}
