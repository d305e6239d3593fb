/* SPDX-License-Identifier: MIT */
/*
 * Overviews of Natural Selection 2: the picture that the game shows as the map, and the heights of the same
 * square. docs/assets.md states what is known about the files and what is chosen here.
 */
#include "overview.h"
#include "../../src/export/overview.h"
#include "../output/streams.h"
#include "produce.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SIDE        1024u
#define HEADER      40u
#define NOTHING     65535u
#define HIGHEST     65533u /* of a height: files of the game have 65534 and 65535 where there is nothing */
#define CAMERA_OVER 10.0f  /* metres */
#define HALF_MAX    1e5

/* Half an edge of the picture as a share of the scale of minimap_extents: the game places its symbols this
 * way, and in levels saved for build 320 or later by the size of the editor's model. */
#define SHARE       0.25
#define SHARE_MODEL 0.239246666431427

typedef struct extents {
    float origin[3], half[3]; /* as in the file of heights */
    float last;
    mst_overview picture, heights;
} extents;

/* The first entity of a class; NULL: there is none. */
static const mst_node *first_of(const mst_scene *scene, const char *class_name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].class_name && !strcmp(scene->nodes[i].class_name, class_name))
            return &scene->nodes[i];
    return NULL;
}

/* NULL: it has no such property. */
static const mst_extra *property_of(const mst_node *node, const char *name) {
    for (size_t i = 0; i < node->extras.count; i++)
        if (!strcmp(node->extras.items[i].name, name))
            return &node->extras.items[i];
    return NULL;
}

/* Whether the square can be drawn; reports it if not. */
static bool is_square(const mst_overview *square, const char *file) {
    const bool good = square->half > 0 && square->half <= HALF_MAX && fabs(square->x) <= HALF_MAX &&
                      fabs(square->z) <= HALF_MAX;
    if (!good)
        say(MST_ERROR, "%s: its minimap_extents names no square: set its origin and its scale, in metres",
            file);
    return good;
}

/* Reads the square that the game's map shows; false, with a message, if the level does not define it. */
static bool find_extents(const mst_scene *scene, const char *file, extents *found) {
    const mst_node *named = first_of(scene, "minimap_extents"), *camera = first_of(scene, "commander_camera");
    if (!named || !property_of(named, "scale_x")) {
        say(MST_ERROR,
            "%s: it has no entity minimap_extents%s, whose origin and scale say which square its overview "
            "shows; for example: mapstone edit FILE -i -e 'add minimap_extents origin=0,0,0 "
            "scale=200,40,200'",
            file, named ? " with a scale" : "");
        return false;
    }
    for (int i = 0; i < 3; i++) {
        found->origin[i] = named->translation[i];
        found->half[i] = named->scale[i] / 4;
    }
    found->last = camera ? camera->translation[1] + CAMERA_OVER : found->origin[1];
    const mst_extra *legacy = property_of(named, "useLegacyOverview");
    const bool modern = legacy && legacy->kind == MST_EXTRA_INTEGER && !legacy->integer;
    const double edge = (double)fmaxf(named->scale[0], named->scale[2]);
    found->heights = (mst_overview){(double)found->origin[0], (double)found->origin[2], edge * SHARE, SIDE};
    found->picture = found->heights;
    found->picture.half = edge * (modern ? SHARE_MODEL : SHARE);
    return is_square(&found->heights, file);
}

static bool begins_with(const char *text, const char *beginning) {
    return text && !strncmp(text, beginning, strlen(beginning));
}

/* Hides things that overviews omit, and those hidden from a commander, who also looks from above. */
static void hide_covers(mst_scene *scene) {
    mst_node *nodes = (mst_node *)(uintptr_t)scene->nodes; /* the job owns the scene */
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_extra *alpha = property_of(&nodes[i], "commAlpha");
        if (begins_with(nodes[i].layer, "OverviewInvisible") ||
            begins_with(nodes[i].layer, "CommanderInvisible") ||
            (alpha && alpha->kind == MST_EXTRA_REAL && alpha->real < 1))
            nodes[i].hidden = true;
    }
}

static uint8_t *put_u32(uint8_t *to, uint32_t value) {
    for (int i = 0; i < 4; i++)
        *to++ = (uint8_t)(value >> (8 * i));
    return to;
}

static uint8_t *put_f32(uint8_t *to, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_u32(to, bits);
}

/* From 0 at the bottom of the box of minimap_extents to HIGHEST at its top. */
static uint32_t height_of(const extents *e, float height) {
    if (!isfinite(height))
        return NOTHING;
    const double half = fabs((double)e->half[1]), bottom = (double)e->origin[1] - half;
    const double share = half > 0 ? ((double)height - bottom) / (2 * half) : 0;
    return (uint32_t)(fmin(fmax(share, 0), 1) * HIGHEST + 0.5);
}

static mst_status write_heights(const extents *e, const float *heights, mst_sink sink) {
    const size_t count = (size_t)SIDE * SIDE, size = HEADER + 2 * count;
    uint8_t *bytes = need(malloc(size)), *at = bytes;
    memcpy(at, "HMP\1", 4);
    at = put_u32(put_u32(at + 4, SIDE), SIDE);
    for (int i = 0; i < 3; i++)
        at = put_f32(at, e->origin[i]);
    for (int i = 0; i < 3; i++)
        at = put_f32(at, e->half[i]);
    at = put_f32(at, e->last);
    for (size_t i = 0; i < count; i++) {
        const uint32_t value = height_of(e, heights[i]);
        *at++ = (uint8_t)value;
        *at++ = (uint8_t)(value >> 8);
    }
    mst_status status = sink.write(sink.user, bytes, size);
    free(bytes);
    return status;
}

static void say_if_empty(const float *heights, const char *file) {
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        if (isfinite(heights[i]))
            return;
    say(MST_WARNING, "%s: nothing is in the square of its minimap_extents, so its overview is empty", file);
}

/* Both files or none. */
static int write_both(const extents *e, const mst_pixels *picture, const float *heights, const char *file,
                      const char *const paths[2]) {
    mst_diagnostic why;
    target both[2];
    if (!target_begin(&both[0], paths[0]))
        return EXIT_TROUBLE;
    if (!target_begin(&both[1], paths[1])) {
        target_abandon(&both[0]);
        return EXIT_TROUBLE;
    }
    mst_status status = mst_pixels_write_png(picture, target_sink(&both[0]), &why);
    if (status == MST_OK)
        status = write_heights(e, heights, target_sink(&both[1]));
    return targets_settle(both, 2, status, file, &why);
}

static int draw_both(const extents *e, const mst_scene *scene, const mst_picture_options *how,
                     const char *file, const char *const paths[2]) {
    mst_diagnostic why;
    mst_pixels picture = {0};
    float *heights = need(malloc((size_t)SIDE * SIDE * sizeof *heights));
    mst_status status = mst_overview_draw(scene, &e->picture, how, &picture, &why);
    if (status == MST_OK)
        status = mst_overview_heights(scene, &e->heights, how, heights, &why);
    int code = status == MST_OK ? write_both(e, &picture, heights, file, paths) : say_diagnosis(file, &why);
    if (code == EXIT_YES)
        say_if_empty(heights, file);
    mst_pixels_free(&picture);
    free(heights);
    return code;
}

bool overview_is_possible(const job *work, mst_diagnostic *why) {
    const char *id = mst_document_format(work->opened.document)->id;
    if (!strcmp(id, "ns2-level"))
        return true;
    blame(why, MST_UNSUPPORTED, "it is %s, and only levels of Natural Selection 2, ns2-level, have overviews",
          id);
    return false;
}

int overview_write(job *work, mst_scene *scene, const mst_picture_options *how, const char *path) {
    const char *file = work->input->path;
    extents found;
    if (!find_extents(scene, file, &found))
        return EXIT_TROUBLE;
    if (!how->layers)
        hide_covers(scene);
    char *side = path_of_side(path, OVERVIEW_HEIGHTS);
    int code = job_claims(work, path);
    if (code == EXIT_YES)
        code = job_claims(work, side);
    if (code == EXIT_YES)
        code = draw_both(&found, scene, how, file, (const char *const[2]){path, side});
    free(side);
    return code;
}
