/* SPDX-License-Identifier: MIT */
/* A map of the changes between two scenes: both in grey, with additions, removals and changes over them. */
#include <mapstone/picture.h>

#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "../scene/geometry.h"
#include "font.h"
#include "map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_MAX    16384
#define WIDTH_DEFAULT 1600
#define HEIGHT_MIN    400
#define PANEL_COLUMNS 27
#define ROW_HEIGHT    13
#define BAND          256  /* rows for which the nearest changes are found at a time */
#define SMALL         12.0 /* pixels, times the scale: smaller changes get a ring */
#define STEEP         0.15f
#define MOVED         1e-3f /* metres */
#define KEY           512

enum { OLD = 0, NEW = 1 };
typedef enum kind { ADDED, REMOVED, CHANGED, KINDS } kind;

static const mst_rgba colors[KINDS] = {{70, 220, 90, 255}, {244, 70, 70, 255}, {250, 215, 60, 255}},
                      rim_color = {14, 16, 20, 200}, text_color = {226, 230, 236, 255},
                      faint_color = {150, 158, 170, 255}, panel_color = {34, 34, 34, 255},
                      thing_color = {168, 168, 168, 150};
static const mst_mark marks[KINDS] = {MST_MARK_PLUS, MST_MARK_CROSS, MST_MARK_DISC};
static const char *const names[KINDS] = {"added", "removed", "changed"};

/* A change, and its places in the scenes. */
typedef struct shown {
    bool placed[2];
    float place[2][3];
    double low[2], high[2]; /* pixels that its triangles cover; low > high: none */
} shown;

/* The name of a change in one of the scenes. */
typedef struct key {
    const char *text; /* "file!path" */
    size_t change;
} key;

typedef struct side {
    const mst_scene *scene;
    mst_view_world world;
    key *keys; /* sorted */
    size_t key_count;
} side;

typedef struct face {
    double corners[3][3]; /* pixels and height */
    kind kind;
    bool steep;
} face;

typedef struct drawing {
    const mst_picture_options *options;
    const mst_scene_change *changes;
    size_t count;
    side sides[2];
    shown *shown;
    mst_array faces;
    mst_arena arena;
    mst_projection projection;
    mst_view_frame frame;
    mst_canvas canvas;
    int32_t scale, panel;
    bool empty;
} drawing;

static kind kind_of(const mst_scene_change *change) {
    return !change->old_path ? ADDED : !change->new_path ? REMOVED : CHANGED;
}

/* ---- finding the change of a source ------------------------------------------------------------------ */

static int by_text(const void *left, const void *right) {
    return strcmp(((const key *)left)->text, ((const key *)right)->text);
}

static mst_status find_keys(drawing *d, int at) {
    side *of = &d->sides[at];
    of->keys = mst_arena_take(&d->arena, d->count, sizeof *of->keys);
    for (size_t i = 0; of->keys && i < d->count; i++) {
        const char *path = at == OLD ? d->changes[i].old_path : d->changes[i].new_path;
        const char *file = d->changes[i].file ? d->changes[i].file : "";
        if (!path)
            continue;
        key *made = &of->keys[of->key_count++];
        *made = (key){mst_arena_printf(&d->arena, "%s!%s", file, path), i};
        if (!made->text)
            return MST_NO_MEMORY;
    }
    if (of->keys && of->key_count)
        qsort(of->keys, of->key_count, sizeof *of->keys, by_text);
    return of->keys ? MST_OK : MST_NO_MEMORY;
}

/* The change of the value that a source names, or of an enclosing value; SIZE_MAX: none. */
static size_t change_of(const side *of, const mst_scene_source *source, bool *itself) {
    char text[KEY];
    int first = snprintf(text, sizeof text, "%s!", source->file ? source->file : "");
    size_t at = first > 0 ? (size_t)first : sizeof text;
    if (!of->key_count || at >= sizeof text ||
        at + mst_scene_source_path(source, text + at, sizeof text - at) >= sizeof text)
        return SIZE_MAX;
    *itself = true;
    for (size_t length = strlen(text); length > at;) {
        const key wanted = {text, 0};
        const key *found = bsearch(&wanted, of->keys, of->key_count, sizeof wanted, by_text);
        if (found)
            return found->change;
        while (length > at && text[length - 1] != '.' && text[length - 1] != '[')
            length--;
        length -= length > at;
        text[length] = 0;
        *itself = false;
    }
    return SIZE_MAX;
}

static void to_pixel(const drawing *d, const float point[3], double pixel[2]) {
    const mst_projection *p = &d->projection;
    pixel[0] = ((double)point[0] - p->left) * p->scale + d->frame.x;
    pixel[1] = ((double)point[2] - p->top) * p->scale + d->frame.y;
}

static bool is_in_frame(const drawing *d, const double pixel[2]) {
    const mst_view_frame *f = &d->frame;
    return pixel[0] >= f->x && pixel[1] >= f->y && pixel[0] < f->x + f->width && pixel[1] < f->y + f->height;
}

static void widen(shown *to, const double pixel[2]) {
    for (int k = 0; k < 2; k++) {
        to->low[k] = pixel[k] < to->low[k] ? pixel[k] : to->low[k];
        to->high[k] = pixel[k] > to->high[k] ? pixel[k] : to->high[k];
    }
}

/* Changed elements are shown in their new state. */
static mst_status add_face(drawing *d, const float corners[3][3], size_t change, int at) {
    kind what = kind_of(&d->changes[change]);
    face made = {.kind = what};
    double u[3], v[3], length = 0, normal[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            if (!(fabsf(corners[k][i]) < 1e6f))
                return MST_OK;
        to_pixel(d, corners[k], made.corners[k]);
        made.corners[k][2] = (double)corners[k][1];
        u[k] = (double)corners[1][k] - (double)corners[0][k];
        v[k] = (double)corners[2][k] - (double)corners[0][k];
    }
    for (int k = 0; k < 3; k++) {
        normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
        length += normal[k] * normal[k];
    }
    made.steep = fabs(normal[1]) < (double)STEEP * sqrt(length);
    if (what == CHANGED && at == OLD)
        return MST_OK;
    for (int k = 0; k < 3; k++)
        widen(&d->shown[change], made.corners[k]);
    face *added = mst_array_push(&d->faces, 1);
    if (added)
        *added = made;
    return added ? MST_OK : MST_NO_MEMORY;
}

static mst_status take_mesh(drawing *d, int at, size_t node, const float matrix[16]) {
    const side *of = &d->sides[at];
    const mst_scene *scene = of->scene;
    const mst_mesh *mesh = &scene->meshes[scene->nodes[node].mesh];
    for (size_t p = 0; p < mesh->primitive_count; p++) {
        const mst_primitive *part = &mesh->primitives[p];
        uint32_t count = part->indices ? part->index_count : part->vertex_count;
        size_t change = SIZE_MAX;
        for (uint32_t i = 0; part->positions && i + 2 < count; i += 3) {
            bool itself;
            if (!i || (part->source.path && part->elements)) {
                mst_scene_source source = mst_scene_triangle_source(scene, node, p, i / 3);
                change = change_of(of, &source, &itself);
            }
            float corners[3][3];
            for (uint32_t k = 0; k < 3 && change != SIZE_MAX; k++) {
                uint32_t vertex = part->indices ? part->indices[i + k] : i + k;
                if (vertex >= part->vertex_count)
                    return MST_OK;
                mst_matrix_point(matrix, part->positions + (size_t)vertex * 3, corners[k]);
            }
            if (change != SIZE_MAX && add_face(d, (const float(*)[3])corners, change, at) != MST_OK)
                return MST_NO_MEMORY;
        }
    }
    return MST_OK;
}

/* Finds the places of changes in a scene. */
static mst_status find_shown(drawing *d, int at) {
    const side *of = &d->sides[at];
    const mst_scene *scene = of->scene;
    float *matrices = mst_arena_take(&d->arena, scene->node_count, 16 * sizeof *matrices);
    if (!matrices)
        return MST_NO_MEMORY;
    mst_scene_world_matrices(scene, matrices);
    mst_status status = MST_OK;
    for (size_t i = 0; i < scene->node_count && status == MST_OK; i++) {
        const mst_node *node = &scene->nodes[i];
        const float *matrix = matrices + i * 16;
        bool itself = false;
        size_t change = change_of(of, &node->source, &itself);
        if (change != SIZE_MAX && itself && node->role != MST_ROLE_GROUP && !d->shown[change].placed[at]) {
            d->shown[change].placed[at] = true;
            memcpy(d->shown[change].place[at], matrix + 12, sizeof d->shown[change].place[at]);
        }
        if (node->mesh >= 0 && (size_t)node->mesh < scene->mesh_count)
            status = take_mesh(d, at, i, matrix);
    }
    return status;
}

/* ---- layout ------------------------------------------------------------------------------------------ */

static mst_range both(const mst_range *a, const mst_range *b) {
    return (mst_range){fmin(a->low, b->low), fmax(a->high, b->high)};
}

/* The part of the world that either of the two pictures would show. */
static mst_status fit(drawing *d) {
    bool empty[2];
    for (int at = 0; at < 2; at++) {
        mst_view_world *world = &d->sides[at].world;
        mst_status status = mst_view_gather(world, d->sides[at].scene, d->options, &d->arena);
        if (status == MST_OK)
            status = mst_view_fit(world, &d->projection, &empty[at]);
        if (status == MST_OK && !empty[at])
            status = mst_view_find_floors(world, d->options->ceiling_cut);
        if (status != MST_OK)
            return status;
    }
    d->empty = empty[OLD] && empty[NEW];
    mst_view_world *old = &d->sides[OLD].world, *now = &d->sides[NEW].world;
    if (empty[OLD])
        old->across = now->across, old->along = now->along;
    if (empty[NEW])
        now->across = old->across, now->along = old->along;
    if (!d->empty) {
        old->across = now->across = both(&old->across, &now->across);
        old->along = now->along = both(&old->along, &now->along);
    }
    return MST_OK;
}

static int32_t limited(double value, int32_t min, int32_t max) {
    return value > min ? value < max ? (int32_t)value : max : min;
}

static void lay_out(drawing *d) {
    const mst_picture_options *options = d->options;
    const mst_view_world *world = &d->sides[NEW].world;
    int32_t width = options->width ? (int32_t)options->width : WIDTH_DEFAULT;
    d->scale = limited(width / 800.0 + 0.5, 1, 32);
    d->panel = options->no_legend ? 0 : (PANEL_COLUMNS * MST_FONT_WIDTH + 18) * d->scale;
    if (d->panel > width / 2 || (options->height && options->height < 160))
        d->panel = 0;
    double across = d->empty ? 0 : world->across.high - world->across.low,
           along = d->empty ? 0 : world->along.high - world->along.low;
    double margin = fmax(across, along) * 0.04 + 1; /* a level is never smaller than a room */
    across += margin;
    along += margin;
    int32_t inner = width - d->panel, height = (int32_t)options->height;
    if (!height)
        height = limited(fmin(along / across * inner, width * 1.5), HEIGHT_MIN, LENGTH_MAX);
    d->canvas = mst_canvas_of(width, height, NULL);
    d->frame = (mst_view_frame){0, 0, inner, height};
    mst_projection *p = &d->projection;
    p->scale = fmin(inner / across, height / along);
    if (d->empty)
        return;
    p->left = (world->across.low + world->across.high) / 2 - inner / p->scale / 2;
    p->top = (world->along.low + world->along.high) / 2 - height / p->scale / 2;
}

/* ---- unchanged parts --------------------------------------------------------------------------------- */

static void fill_background(drawing *d) {
    static const uint8_t dark[4] = {18, 18, 18, 255};
    const uint8_t *given = d->options->background;
    uint8_t color[4];
    memcpy(color, given[0] | given[1] | given[2] | given[3] ? given : dark, sizeof color);
    if (d->options->transparent)
        color[3] = 0;
    size_t count = (size_t)d->canvas.width * (size_t)d->canvas.height;
    for (size_t i = 0; i < count; i++)
        memcpy(d->canvas.pixels + i * 4, color, 4);
}

/* Converts the colours of both maps to greys against which others stand out. */
static void make_grey(drawing *d) {
    size_t count = (size_t)d->canvas.width * (size_t)d->canvas.height;
    uint8_t *pixel = d->canvas.pixels, background[4];
    memcpy(background, pixel, sizeof background);
    for (size_t i = 0; i < count; i++, pixel += 4) {
        if (memcmp(pixel, background, sizeof background) == 0)
            continue;
        uint32_t light = (77u * pixel[0] + 150u * pixel[1] + 29u * pixel[2]) >> 8;
        memset(pixel, (int)(34 + light * 5 / 11), 3);
    }
}

static mst_status draw_both(drawing *d) {
    for (int at = 0; at < 2; at++) {
        mst_painter *painter =
            mst_painter_begin(&d->sides[at].world, &d->projection, &d->frame, d->canvas.width, true);
        if (!painter)
            return MST_NO_MEMORY;
        mst_painter_paint(painter, &d->canvas);
    }
    make_grey(d);
    for (int at = 0; at < 2; at++) {
        const mst_view_world *world = &d->sides[at].world;
        for (size_t i = 0; i < world->entity_count; i++) {
            double pixel[2];
            to_pixel(d, world->entities[i].position, pixel);
            if (world->entities[i].role != MST_ROLE_GROUP && is_in_frame(d, pixel))
                mst_canvas_mark(&d->canvas, MST_MARK_DISC, pixel[0], pixel[1], 1.1 * d->scale, 0,
                                thing_color);
        }
    }
    return MST_OK;
}

/* ---- changed parts ----------------------------------------------------------------------------------- */

static mst_status draw_faces(drawing *d) {
    const face *faces = d->faces.items;
    size_t samples = (size_t)d->frame.width * BAND;
    mst_samples band = {.width = d->frame.width,
                        .rows = BAND,
                        .depth = mst_arena_take(&d->arena, samples, sizeof(float)),
                        .id = mst_arena_take(&d->arena, samples, sizeof(uint32_t))};
    if (!band.depth || !band.id || d->faces.count >= UINT32_MAX)
        return MST_NO_MEMORY;
    for (band.top = 0; d->faces.count && band.top < d->frame.height; band.top += BAND) {
        mst_samples_clear(&band);
        for (size_t i = 0; i < d->faces.count; i++)
            mst_samples_triangle(&band, faces[i].corners, (uint32_t)i + 1, NULL, NULL);
        for (size_t i = 0; i < samples; i++)
            if (band.id[i])
                mst_canvas_blend(&d->canvas, (int32_t)(i % (size_t)band.width),
                                 band.top + (int32_t)(i / (size_t)band.width),
                                 colors[faces[band.id[i] - 1].kind], 0.55);
    }
    for (size_t i = 0; i < d->faces.count; i++)
        for (int k = 0; k < 3 && faces[i].steep; k++) {
            const double *from = faces[i].corners[k], *to = faces[i].corners[(k + 1) % 3];
            mst_canvas_line(&d->canvas, from[0], from[1], to[0], to[1], 0.9 * d->scale,
                            colors[faces[i].kind]);
        }
    return MST_OK;
}

static bool is_moved(const shown *one) {
    bool moved = false;
    for (int k = 0; k < 3; k++)
        moved = moved || fabsf(one->place[NEW][k] - one->place[OLD][k]) > MOVED;
    return moved && one->placed[OLD] && one->placed[NEW];
}

/* From the old place to the new one. */
static void draw_arrow(drawing *d, const double from[2], const double to[2]) {
    double dx = to[0] - from[0], dy = to[1] - from[1], length = sqrt(dx * dx + dy * dy);
    double gap = 3.4 * d->scale, head = 5.0 * d->scale;
    if (!(length > gap + 2))
        return;
    dx /= length;
    dy /= length;
    double x = to[0] - dx * gap, y = to[1] - dy * gap;
    for (int pass = 0; pass < 2; pass++) {
        mst_rgba color = pass ? colors[CHANGED] : rim_color;
        double width = (pass ? 1.1 : 2.4) * d->scale;
        mst_canvas_line(&d->canvas, from[0], from[1], x, y, width, color);
        for (int turn = -1; turn <= 1; turn += 2)
            mst_canvas_line(&d->canvas, x, y, x - (dx + turn * dy * 0.6) * head,
                            y - (dy - turn * dx * 0.6) * head, width, color);
    }
}

static void draw_change(drawing *d, size_t at) {
    const shown *one = &d->shown[at];
    kind what = kind_of(&d->changes[at]);
    int now = what == REMOVED ? OLD : NEW;
    double pixel[2], from[2];
    if (one->placed[now]) {
        to_pixel(d, one->place[now], pixel);
        if (is_moved(one)) {
            to_pixel(d, one->place[OLD], from);
            mst_canvas_mark(&d->canvas, MST_MARK_RING, from[0], from[1], 2.2 * d->scale, 0.5 * d->scale,
                            colors[what]);
            draw_arrow(d, from, pixel);
        }
        if (is_in_frame(d, pixel))
            mst_canvas_mark(&d->canvas, marks[what], pixel[0], pixel[1], 3.4 * d->scale, 0.6 * d->scale,
                            colors[what]);
        return;
    }
    double size = fmax(one->high[0] - one->low[0], one->high[1] - one->low[1]);
    if (size >= 0 && size < SMALL * d->scale)
        mst_canvas_mark(&d->canvas, MST_MARK_RING, (one->low[0] + one->high[0]) / 2,
                        (one->low[1] + one->high[1]) / 2, 5.0 * d->scale, 0.6 * d->scale, colors[what]);
}

/* ---- legend ------------------------------------------------------------------------------------------ */

static void put_text(drawing *d, int32_t x, int32_t y, const char *text, mst_rgba color) {
    size_t most = (size_t)((d->canvas.width - 9 * d->scale - x) / (MST_FONT_WIDTH * d->scale));
    mst_font_draw(&d->canvas, x, y, d->scale, text, most, color, false);
}

static void draw_legend(drawing *d) {
    int32_t left = d->canvas.width - d->panel, x = left + 9 * d->scale, y = 10 * d->scale,
            row = ROW_HEIGHT * d->scale;
    size_t counts[KINDS] = {0}, moved = 0, hidden = 0;
    const char *name = d->sides[NEW].scene->name;
    char text[80];
    if (!d->panel)
        return;
    mst_canvas_rectangle(&d->canvas, left, 0, d->panel, d->canvas.height, panel_color);
    put_text(d, x, y, name && *name ? name : "(without a name)", (mst_rgba){255, 255, 255, 255});
    put_text(d, x, y + row, "what has changed", faint_color);
    snprintf(text, sizeof text, "%.0f x %.0f m seen from above", d->canvas.width / d->projection.scale,
             d->canvas.height / d->projection.scale);
    put_text(d, x, y + 2 * row, text, faint_color);
    y += 4 * row;
    for (size_t i = 0; i < d->count; i++) {
        const shown *one = &d->shown[i];
        kind what = kind_of(&d->changes[i]);
        counts[what]++;
        moved += is_moved(one);
        hidden += !one->placed[what == REMOVED ? OLD : NEW] && !(one->low[0] <= one->high[0]);
    }
    for (int what = 0; what < KINDS; what++, y += row) {
        mst_canvas_mark(&d->canvas, marks[what], x + 5.0 * d->scale, y + 4.0 * d->scale, 3.4 * d->scale,
                        0.6 * d->scale, colors[what]);
        snprintf(text, sizeof text, "%s %lu", names[what], (unsigned long)counts[what]);
        put_text(d, x + 14 * d->scale, y, text, text_color);
    }
    if (moved) {
        const double from[2] = {x + 1.0 * d->scale, y + 4.0 * d->scale},
                     to[2] = {x + 14.0 * d->scale, y + 4.0 * d->scale};
        draw_arrow(d, from, to);
        snprintf(text, sizeof text, "of these moved %lu", (unsigned long)moved);
        put_text(d, x + 14 * d->scale, y, text, text_color);
        y += row;
    }
    if (hidden) {
        snprintf(text, sizeof text, "not on the map %lu", (unsigned long)hidden);
        put_text(d, x + 14 * d->scale, y, text, faint_color);
    }
}

/* ---- all of it --------------------------------------------------------------------------------------- */

static mst_status draw_all(drawing *d, mst_pixels *picture) {
    d->projection = (mst_projection){.right = {1, 0, 0}, .down = {0, 0, 1}, .near = {0, 1, 0}, .scale = 1};
    d->faces = (mst_array){.element_size = sizeof(face), .allocator = d->arena.allocator};
    d->shown = mst_arena_take(&d->arena, d->count, sizeof *d->shown);
    mst_status status = d->shown ? fit(d) : MST_NO_MEMORY;
    for (size_t i = 0; i < d->count && status == MST_OK; i++)
        d->shown[i] = (shown){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
    if (status == MST_OK)
        lay_out(d);
    for (int at = 0; at < 2 && status == MST_OK; at++)
        if ((status = find_keys(d, at)) == MST_OK)
            status = find_shown(d, at);
    if (status == MST_OK &&
        !mst_pixels_take(picture, (uint32_t)d->canvas.width, (uint32_t)d->canvas.height, 0))
        status = MST_NO_MEMORY;
    if (status != MST_OK)
        return status;
    d->canvas.pixels = picture->data;
    fill_background(d);
    if (!d->empty)
        status = draw_both(d);
    if (status == MST_OK)
        status = draw_faces(d);
    for (size_t i = 0; i < d->count && status == MST_OK; i++)
        draw_change(d, i);
    const mst_map_state names_of = {&d->sides[NEW].world, &d->projection, &d->frame, &d->canvas, d->scale};
    mst_map_labels labels = {0};
    if (status == MST_OK && !d->empty && !d->options->no_labels)
        status = mst_map_find_labels(&names_of, &labels);
    mst_map_draw_labels(&names_of, &labels);
    draw_legend(d);
    return status;
}

mst_status mst_scene_draw_changes(const mst_scene *old_scene, const mst_scene *new_scene,
                                  const mst_scene_change *changes, size_t count,
                                  const mst_picture_options *options, mst_pixels *picture,
                                  mst_diagnostic *diagnostic) {
    mst_picture_options how = {.size = 0};
    if (!old_scene || !new_scene || (!changes && count) || !picture)
        return mst_fail(diagnostic, MST_ARGUMENT, "a picture needs two scenes and a sink");
    *picture = (mst_pixels){.allocator = mst_allocator_or_default(&picture->allocator)};
    mst_status status = mst_take_options(&how, sizeof how, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (how.width > LENGTH_MAX || how.height > LENGTH_MAX || how.view != MST_VIEW_ABOVE ||
        !isfinite(how.ceiling_cut))
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "a picture of changes is from above, with at most %d by %d pixels", LENGTH_MAX,
                        LENGTH_MAX);
    how.heights = how.no_links = 1; /* the level's own map does not show the sources of its faces */
    drawing d = {.options = &how, .changes = changes, .count = count};
    d.sides[OLD].scene = old_scene;
    d.sides[NEW].scene = new_scene;
    mst_arena_begin(&d.arena, &picture->allocator, 0);
    status = draw_all(&d, picture);
    mst_array_free(&d.faces);
    mst_arena_end(&d.arena);
    if (status != MST_OK) {
        mst_pixels_free(picture);
        return mst_fail(diagnostic, status, "not enough memory for the picture");
    }
    return MST_OK;
}
