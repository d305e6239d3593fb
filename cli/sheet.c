/* SPDX-License-Identifier: MIT */
#include "sheet.h"
#include "assets.h"
#include "commands.h"
#include "produce.h"
#include <mapstone/image.h>
#include <stdlib.h>
#include <string.h>

#define SIDE       192
#define FROM_FRONT 1e-3F /* radians: almost 0, which means the usual view */
#define LETTER     6     /* pixels */
#define TIMES      2     /* pictures are drawn larger, and made smaller, which smooths them */
#define LEAST      32
#define MOST       2048

typedef struct sheet {
    mst_pixels *pictures;
    mst_sheet_item *items;
    size_t count;
    uint32_t side;
} sheet;

/* What an input looks like; false: nothing. */
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
        status = mst_image_read_colored(work->opened.document, 0, job_sidecars(work), picture, image, why);
    mst_scene_free(scene);
    return status == MST_OK;
}

/* Lists what was not found, so that nobody takes a placeholder for the game's look. */
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
    if (work->skipped && !picture)
        return;
    size_t at = all->count++;
    if (picture)
        all->pictures[at] = *picture;
    /* of a path that is too long only the last part is shown */
    const char *name = work->input->relative;
    bool fits = strlen(name) <= all->side / LETTER;
    all->items[at] = (mst_sheet_item){picture ? &all->pictures[at] : NULL, fits ? name : base_name(name)};
    free(picture);
    work->result = NULL;
}

static int write_sheet(const sheet *all, const char *to) {
    mst_pixels picture = {0};
    mst_diagnostic why;
    target out;
    if (mst_sheet_draw(all->items, all->count, all->side, &picture, &why) != MST_OK)
        return say_diagnosis(to, &why);
    int code = EXIT_TROUBLE;
    if (target_begin(&out, to)) {
        mst_status status = mst_pixels_write_png(&picture, target_sink(&out), &why);
        code = target_settle(&out, status, to, &why);
    }
    mst_pixels_free(&picture);
    return code;
}

int sheet_render(const options *given, const inputs *all, const char *to) {
    double side = SIDE;
    if (!options_number(given, OPTION_SIZE, LEAST, MOST, &side))
        return EXIT_TROUBLE;
    sheet drawn = {.side = (uint32_t)side,
                   .pictures = need(calloc(all->count + 1, sizeof *drawn.pictures)),
                   .items = need(calloc(all->count + 1, sizeof *drawn.items))};
    batch work = {.given = given, .inputs = all, .run = draw_one, .done = take, .user = &drawn};
    int code = batch_run(&work);
    if (drawn.count)
        code = worse(code, make_parents(to) ? write_sheet(&drawn, to) : EXIT_TROUBLE);
    batch_say_sum(&work, "drawn");
    for (size_t i = 0; i < drawn.count; i++)
        mst_pixels_free(&drawn.pictures[i]);
    free(drawn.pictures);
    free(drawn.items);
    return code;
}
