/* SPDX-License-Identifier: MIT */
/* Pictures: options, layout, marks and grid. */
#include <mapstone/picture.h>

#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "../scene/geometry.h"
#include "drawing.h"
#include "font.h"
#include "marks.h"
#include "png.h"
#include "svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_MAX    32768
#define BAND_SIZE     (16 << 20) /* bytes of pixels, at least one row */
#define WIDTH_DEFAULT 1600
#define WIDTH_PANEL   512 /* of a material, which is a single surface */
#define HEIGHT_MIN    400
#define AREA_FARTHEST 1e6f /* metres */

static const mst_rgba grid_color = {255, 255, 255, 22}, border_color = {92, 100, 114, 255};

/* ---- classes ----------------------------------------------------------------------------------------- */

static int by_class(const void *left, const void *right) {
    const mst_view_entity *a = left, *b = right;
    if (a->role != b->role)
        return a->role < b->role ? -1 : 1;
    int order = strcmp(a->class_name, b->class_name);
    /* Positions break ties, and nodes ties of position, so that every qsort gives the same picture. */
    for (int i = 0; i < 3 && order == 0; i++)
        order = (a->position[i] > b->position[i]) - (a->position[i] < b->position[i]);
    return order ? order : (a->node > b->node) - (a->node < b->node);
}

static mst_status find_classes(mst_picture_state *d) {
    mst_view_world *world = &d->world;
    if (world->entity_count)
        qsort(world->entities, world->entity_count, sizeof *world->entities, by_class);
    d->classes = mst_arena_take(&d->arena, world->entity_count, sizeof *d->classes);
    if (!d->classes)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < world->entity_count; i++) {
        const mst_view_entity *entity = &world->entities[i];
        if (entity->role == MST_ROLE_GROUP) {
            continue; /* only a name */
        } else if (entity->role == MST_ROLE_LIGHT) {
            d->light_count++;
        } else if (entity->role == MST_ROLE_CAMERA) {
            d->camera_count++;
        } else if (d->class_count && strcmp(d->classes[d->class_count - 1].name, entity->class_name) == 0) {
            d->classes[d->class_count - 1].count++;
        } else {
            d->classes[d->class_count++] = (mst_class_entry){entity->class_name, i, 1, SIZE_MAX};
        }
    }
    /* The most frequent classes get marks; selected one by one, because they are few. */
    for (; d->shown_count < MST_CLASSES_SHOWN && d->shown_count < d->class_count; d->shown_count++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < d->class_count; i++)
            if (d->classes[i].slot == SIZE_MAX &&
                (best == SIZE_MAX || d->classes[i].count > d->classes[best].count))
                best = i;
        d->classes[best].slot = d->shown_count;
        d->shown[d->shown_count] = best;
    }
    for (size_t i = 0; i < d->class_count; i++)
        if (d->classes[i].slot == SIZE_MAX) {
            d->other_count += d->classes[i].count;
            d->other_classes++;
        }
    return MST_OK;
}

static mst_status find_grounds(mst_picture_state *d) {
    size_t kinds = d->scene->material_count;
    if (!d->world.symbolic || !kinds)
        return MST_OK;
    size_t *counts = mst_arena_zero(&d->arena, kinds, sizeof *counts);
    if (!counts)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < d->world.part_count; i++)
        if (d->world.parts[i].material)
            counts[d->world.parts[i].material - d->scene->materials]++;
    while (d->ground_count < MST_GROUNDS_SHOWN) {
        size_t best = 0;
        for (size_t i = 1; i < kinds; i++)
            best = counts[i] > counts[best] ? i : best;
        if (!counts[best])
            break;
        d->grounds[d->ground_count++] = (mst_ground_entry){&d->scene->materials[best], counts[best]};
        counts[best] = 0;
    }
    for (size_t i = 0; i < kinds; i++) {
        d->other_grounds += counts[i] > 0;
        d->other_ground_count += counts[i];
    }
    return MST_OK;
}

static void to_pixel(const mst_picture_state *d, const float point[3], double *x, double *y) {
    const mst_projection *p = &d->projection;
    *x = (mst_view_dot(p->right, point) - p->left) * p->scale + d->frame.x;
    *y = (mst_view_dot(p->down, point) - p->top) * p->scale + d->frame.y;
}

/* The title of a symbol, shown at the pointer. */
static const char *title_of(const mst_view_entity *entity) {
    return *entity->label                    ? entity->label
           : *entity->class_name             ? entity->class_name
           : entity->role == MST_ROLE_LIGHT  ? "light"
           : entity->role == MST_ROLE_CAMERA ? "camera"
                                             : "(no class)";
}

static void draw_entity(mst_picture_state *d, const mst_view_entity *entity, const mst_style *s) {
    double x, y;
    to_pixel(d, entity->position, &x, &y);
    const mst_view_frame *f = &d->frame;
    if (x < f->x || y < f->y || x >= f->x + f->width || y >= f->y + f->height)
        return;
    if (d->canvas.svg)
        mst_svg_begin_title(d->canvas.svg, title_of(entity));
    mst_canvas_mark(&d->canvas, s->mark, x, y, s->radius, s->rim, s->color);
    if (d->canvas.svg)
        mst_svg_end_title(d->canvas.svg);
}

/* All entities of a class, over the lines for their directions. */
static void draw_class(mst_picture_state *d, const mst_class_entry *entry) {
    mst_style s = mst_class_style(d, entry);
    mst_map_state map = mst_drawing_of_map(d);
    for (size_t k = 0; k < entry->count; k++) {
        mst_map_draw_tick(&map, &d->world.entities[entry->first + k], s.radius, s.color);
        draw_entity(d, &d->world.entities[entry->first + k], &s);
    }
}

/* A short line in the direction of a camera, as projected. */
static void draw_facing(mst_picture_state *d, const mst_view_entity *entity) {
    double x, y, dx = mst_view_dot(d->projection.right, entity->facing),
                 dy = mst_view_dot(d->projection.down, entity->facing);
    const mst_view_frame *f = &d->frame;
    double from = 2.2 * d->scale, to = 10.0 * d->scale, head = 3.2 * d->scale;
    to_pixel(d, entity->position, &x, &y);
    if (x < f->x || y < f->y || x + to >= f->x + f->width || y + to >= f->y + f->height ||
        dx * dx + dy * dy < 0.05)
        return;
    for (int pass = 0; pass < 2; pass++) {
        mst_rgba color = pass ? mst_text_color : (mst_rgba){10, 12, 16, 200};
        double width = (pass ? 1.2 : 2.6) * d->scale, tip_x = x + dx * to, tip_y = y + dy * to;
        mst_canvas_line(&d->canvas, x + dx * from, y + dy * from, tip_x, tip_y, width, color);
        for (int side = -1; side <= 1; side += 2)
            mst_canvas_line(&d->canvas, tip_x, tip_y, tip_x - (dx + side * dy * 0.7) * head,
                            tip_y - (dy - side * dx * 0.7) * head, width, color);
    }
}

/* The colour of a light at full brightness. */
static mst_rgba color_of_light(const mst_view_entity *entity) {
    mst_rgba result = mst_light_color;
    const float *c = entity->color;
    float max = c ? fmaxf(c[0], fmaxf(c[1], c[2])) : 0;
    if (!(max > 0 && max <= 1))
        return result;
    uint8_t parts[3];
    for (int i = 0; i < 3; i++)
        parts[i] = (uint8_t)(mst_srgb_of_linear(fmaxf(c[i], 0) / max) * 255 + 0.5f);
    if (parts[0] == 255 && parts[1] == 255 && parts[2] == 255)
        return result;
    return (mst_rgba){parts[0], parts[1], parts[2], result.a};
}

/* Frequent classes first, so that rare ones are on top. */
static void draw_entities(mst_picture_state *d) {
    const mst_view_world *world = &d->world;
    mst_style lights = mst_light_style(d), cameras = mst_camera_style(d);
    for (size_t i = 0; i < world->entity_count; i++)
        if (world->entities[i].role == MST_ROLE_LIGHT) {
            lights.color = color_of_light(&world->entities[i]);
            draw_entity(d, &world->entities[i], &lights);
        }
    for (size_t i = 0; i < world->entity_count; i++)
        if (world->entities[i].role == MST_ROLE_CAMERA)
            draw_entity(d, &world->entities[i], &cameras);
    for (size_t i = 0; i < d->class_count; i++)
        if (d->classes[i].slot == SIZE_MAX)
            draw_class(d, &d->classes[i]);
    for (size_t slot = 0; slot < d->shown_count; slot++)
        draw_class(d, &d->classes[d->shown[slot]]);
    for (size_t i = 0; i < world->entity_count; i++)
        if (world->entities[i].role == MST_ROLE_CAMERA)
            draw_facing(d, &world->entities[i]);
}

/* ---- grid -------------------------------------------------------------------------------------------- */

static void draw_grid(mst_picture_state *d) {
    const mst_projection *p = &d->projection;
    const mst_view_frame *f = &d->frame;
    double step = mst_round_step(60.0 * d->scale / p->scale);
    if (step < 5)
        step = 5;
    for (int axis = 0; axis < 2; axis++) {
        double start = axis ? p->top : p->left, size = (axis ? f->height : f->width) / p->scale;
        int32_t end = axis ? f->height : f->width;
        double first = ceil(start / step);
        for (int32_t i = 0; (first + i) * step < start + size; i++) {
            double value = (first + i) * step;
            int32_t at = (int32_t)((value - start) * p->scale);
            mst_rgba color = grid_color;
            if (first + i == 0)
                color.a = (uint8_t)(color.a * 2); /* through the origin */
            char text[32];
            mst_tenths_text(text, sizeof text, value, "");
            int32_t length = (int32_t)strlen(text) * MST_FONT_WIDTH * d->scale;
            if (axis == 0) {
                mst_canvas_rectangle(&d->canvas, f->x + at, f->y, 1, f->height, color);
                if (at > 14 * d->scale && at + length / 2 < end)
                    mst_font_draw(&d->canvas, f->x + at - length / 2, f->y + 3 * d->scale, d->scale, text,
                                  SIZE_MAX, mst_faint_color, true);
            } else {
                mst_canvas_rectangle(&d->canvas, f->x, f->y + at, f->width, 1, color);
                if (at > 20 * d->scale && at + 5 * d->scale < end)
                    mst_font_draw(&d->canvas, f->x + 3 * d->scale, f->y + at - 4 * d->scale, d->scale, text,
                                  SIZE_MAX, mst_faint_color, true);
            }
        }
    }
}

static void draw_border(mst_picture_state *d) {
    const mst_view_frame *f = &d->frame;
    mst_canvas_rectangle(&d->canvas, f->x, f->y, f->width, 1, border_color);
    mst_canvas_rectangle(&d->canvas, f->x, f->y + f->height - 1, f->width, 1, border_color);
    mst_canvas_rectangle(&d->canvas, f->x, f->y + 1, 1, f->height - 2, border_color);
    mst_canvas_rectangle(&d->canvas, f->x + f->width - 1, f->y + 1, 1, f->height - 2, border_color);
}

static void draw_nothing(mst_picture_state *d) {
    static const char message[] = "nothing to draw";
    int32_t scale = d->scale, width = (int32_t)(sizeof message - 1) * MST_FONT_WIDTH;
    mst_font_draw(&d->canvas, d->frame.x + (d->frame.width - width * scale) / 2,
                  d->frame.y + d->frame.height / 2 - 5 * scale, scale, message, SIZE_MAX, mst_text_color,
                  true);
}

/* ---- layout ------------------------------------------------------------------------------------------ */

static void find_axes(mst_picture_state *d) {
    mst_projection *p = &d->projection;
    *p = (mst_projection){.right = {1, 0, 0}, .down = {0, 0, 1}, .near = {0, 1, 0}, .scale = 1};
    if (d->options->view == MST_VIEW_ABOVE)
        return;
    if (d->options->view == MST_VIEW_DIMETRIC) {
        /* Both ground axes are true to scale across the picture; the view direction is the one along which
         * neither across nor down changes. */
        const double half = 0.70710678118654752, up = 0.86602540378443865 * half;
        const double level = 0.54772255750516607, rise = 0.63245553203367588;
        *p = (mst_projection){.right = {half, 0, -half},
                              .down = {half / 2, -up, half / 2},
                              .near = {level, rise, level},
                              .scale = 1};
        return;
    }
    /* From +X and +Z, 40 degrees down: as constants, because sin differs in the last digit between systems.
     */
    double sin_yaw = 0.70710678118654752, cos_yaw = 0.70710678118654752;
    double sin_pitch = 0.64278760968653933, cos_pitch = 0.76604444311897804;
    if (d->options->yaw != 0 || d->options->pitch != 0) {
        sin_yaw = sin((double)d->options->yaw);
        cos_yaw = cos((double)d->options->yaw);
        sin_pitch = sin((double)d->options->pitch);
        cos_pitch = cos((double)d->options->pitch);
    }
    *p = (mst_projection){.right = {cos_yaw, 0, -sin_yaw},
                          .down = {sin_yaw * sin_pitch, -cos_pitch, cos_yaw * sin_pitch},
                          .near = {cos_pitch * sin_yaw, sin_pitch, cos_pitch * cos_yaw},
                          .scale = 1};
}

static int32_t limited(double value, int32_t min, int32_t max) {
    return value > min ? value < max ? (int32_t)value : max : min;
}

static bool has_area(const mst_picture_options *options) {
    return options->area[2] > 0;
}

/* Computes the picture's size, the frame in it, and the projection's scale and origin. */
static void lay_out(mst_picture_state *d) {
    const mst_picture_options *options = d->options;
    const int32_t usual = d->scene->object == MST_OBJECT_PANEL ? WIDTH_PANEL : WIDTH_DEFAULT;
    int32_t width = options->width ? (int32_t)options->width : usual;
    d->scale = limited(width / 800.0 + 0.5, 1, 64);
    d->panel = options->no_legend ? 0 : (MST_PANEL_COLUMNS * MST_FONT_WIDTH + 18) * d->scale;
    if (d->panel > width / 2 || (options->height && options->height < 160))
        d->panel = 0;

    double across = d->world.across.high - d->world.across.low,
           along = d->world.along.high - d->world.along.low;
    if (d->empty)
        across = along = 0;
    /* With a margin, and a level never smaller than a room. */
    double size = across > along ? across : along;
    size = has_area(options) ? 0 : d->world.object ? size * 0.08 + 1e-3 : size * 0.04 + 1;
    across += size;
    along += size;
    int32_t capacity = width - d->panel;
    int32_t height = (int32_t)options->height;
    if (!height) {
        double wanted = d->empty ? capacity * 0.6 : along / across * capacity;
        double max = width * 1.5;
        wanted = wanted < max ? wanted : max;
        if (d->panel && wanted < mst_legend_height(d))
            wanted = mst_legend_height(d);
        height = limited(wanted, HEIGHT_MIN, LENGTH_MAX);
    }
    d->canvas = mst_canvas_of(width, height, NULL);
    d->frame = (mst_view_frame){0, 0, capacity, height};
    mst_projection *p = &d->projection;
    double wide = capacity / across, high = height / along;
    p->scale = wide < high ? wide : high;
    if (d->empty)
        return;
    p->left = (d->world.across.low + d->world.across.high) / 2 - capacity / p->scale / 2;
    p->top = (d->world.along.low + d->world.along.high) / 2 - height / p->scale / 2;
}

static mst_rgba background_of(const mst_picture_options *options) {
    const uint8_t *given = options->background;
    mst_rgba color = {given[0], given[1], given[2], given[3]};
    if (!(given[0] | given[1] | given[2] | given[3]))
        color = (mst_rgba){18, 21, 27, 255};
    if (options->transparent)
        color.a = 0;
    return color;
}

static void fill_background(mst_picture_state *d) {
    const mst_rgba color = background_of(d->options);
    if (d->canvas.svg) {
        if (color.a)
            mst_svg_rectangle(d->canvas.svg, 0, 0, d->canvas.width, d->canvas.height, color);
        return;
    }
    size_t count = (size_t)d->canvas.width * (size_t)d->canvas.rows;
    for (size_t i = 0; i < count; i++)
        memcpy(d->canvas.pixels + i * 4, &color, 4);
}

/* The given options, if they are valid. */
static mst_status take_options(mst_picture_options *taken, const mst_picture_options *given,
                               mst_diagnostic *diagnostic) {
    mst_status status = mst_take_options(taken, sizeof *taken, given, diagnostic);
    if (status != MST_OK)
        return status;
    const mst_picture_options *options = taken;
    if (options->width > LENGTH_MAX || options->height > LENGTH_MAX)
        return mst_fail(diagnostic, MST_ARGUMENT, "a picture has at most %d by %d pixels", LENGTH_MAX,
                        LENGTH_MAX);
    if (options->view != MST_VIEW_ABOVE && options->view != MST_VIEW_OBLIQUE &&
        options->view != MST_VIEW_DIMETRIC)
        return mst_fail(diagnostic, MST_ARGUMENT, "unknown view");
    if (!isfinite(options->ceiling_cut) || !(fabsf(options->yaw) < 1e4f) || !(fabsf(options->pitch) < 1e4f))
        return mst_fail(diagnostic, MST_ARGUMENT, "ceiling cut, yaw and pitch must be finite");
    const float *area = options->area;
    for (int i = 0; i < 4; i++)
        if (!(fabsf(area[i]) <= AREA_FARTHEST) || (i > 1 && area[i] < 0))
            return mst_fail(diagnostic, MST_ARGUMENT, "the area must be finite, not negative and near");
    if ((area[2] > 0) != (area[3] > 0) || (area[2] > 0 && options->view != MST_VIEW_ABOVE))
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "an area has a width and a depth, and is for maps from above");
    return MST_OK;
}

/* The projection, relative to the picture's corner instead of the frame's. */
static void give_place(const mst_picture_state *d, mst_picture_place *place) {
    const mst_projection *p = &d->projection;
    *place = (mst_picture_place){.width = (uint32_t)d->canvas.width, .height = (uint32_t)d->canvas.height};
    if (d->empty)
        return;
    memcpy(place->right, p->right, sizeof p->right);
    memcpy(place->down, p->down, sizeof p->down);
    memcpy(place->near, p->near, sizeof p->near);
    place->left = p->left - d->frame.x / p->scale;
    place->top = p->top - d->frame.y / p->scale;
    place->scale = p->scale;
}

/* Shows the part that the options request. */
static void take_area(mst_picture_state *d) {
    const float *area = d->options->area;
    d->world.across = (mst_range){(double)area[0], (double)area[0] + (double)area[2]};
    d->world.along = (mst_range){(double)area[1], (double)area[1] + (double)area[3]};
}

/* Drops the entities outside the picture, and finds the classes of the others. */
static mst_status keep_what_is_seen(mst_picture_state *d) {
    mst_view_world *world = &d->world;
    size_t kept = 0;
    for (size_t i = 0; i < world->entity_count; i++) {
        double x, y;
        to_pixel(d, world->entities[i].position, &x, &y);
        if (x >= d->frame.x && y >= d->frame.y && x < d->frame.x + d->frame.width &&
            y < d->frame.y + d->frame.height)
            world->entities[kept++] = world->entities[i];
    }
    world->entity_count = kept;
    d->class_count = d->shown_count = d->other_count = d->other_classes = 0;
    d->light_count = d->camera_count = 0;
    return find_classes(d);
}

/* Finds everything to draw, and its positions. */
static mst_status find_all(mst_picture_state *d) {
    bool above = d->options->view == MST_VIEW_ABOVE;
    find_axes(d);
    mst_status status = mst_view_gather(&d->world, d->scene, d->options, &d->arena);
    if (status == MST_OK)
        status = mst_view_fit(&d->world, &d->projection, &d->empty);
    const bool part = has_area(d->options) && !d->empty;
    if (status == MST_OK && part)
        take_area(d);
    d->squared = d->world.square > 0 && !d->empty;
    if (status == MST_OK && above && !d->empty)
        status = mst_view_find_floors(&d->world, d->options->ceiling_cut);
    if (above && !d->options->heights && !d->world.map && !d->world.symbolic)
        d->world.pictured = d->world.pictured || mst_view_has_textured_floors(&d->world);
    d->world.pictured = d->world.pictured && !d->vector;
    if (status == MST_OK && d->squared)
        status = mst_squares_find(&d->world, &d->projection, &d->squares);
    if (status == MST_OK && d->squared && !part)
        mst_squares_widen(&d->squares, &d->world, &d->projection);
    if (status == MST_OK)
        status = find_classes(d);
    if (status == MST_OK)
        status = find_grounds(d);
    if (status != MST_OK)
        return status;
    lay_out(d);
    if (part && keep_what_is_seen(d) != MST_OK)
        return MST_NO_MEMORY;
    if (d->options->place)
        give_place(d, d->options->place);
    return MST_OK;
}

/* Whether the picture is a map of flat colours, not of realistic surfaces. */
static bool is_map(const mst_picture_state *d) {
    return d->options->view == MST_VIEW_ABOVE && !d->world.pictured;
}

/* Prepares everything that all bands share. */
static mst_status begin_level(mst_picture_state *d) {
    const bool map = is_map(d);
    const mst_map_state drawn = mst_drawing_of_map(d);
    if (!d->canvas.svg) {
        if (!map && mst_view_load_textures(&d->world, &d->projection) != MST_OK)
            return MST_NO_MEMORY;
        d->painter = mst_painter_begin(&d->world, &d->projection, &d->frame, d->canvas.width, map);
        if (!d->painter)
            return MST_NO_MEMORY;
    }
    mst_marks_give(d->options->marks, &d->world, &d->projection, &d->frame);
    return d->options->no_labels ? MST_OK : mst_map_find_labels(&drawn, &d->labels);
}

static mst_status draw_level(mst_picture_state *d) {
    const bool above = d->options->view == MST_VIEW_ABOVE;
    mst_status status = MST_OK;
    if (d->painter)
        mst_painter_paint(d->painter, &d->canvas);
    else
        status = mst_view_write_map(&d->world, &d->projection, &d->frame, &d->canvas);
    if (d->squared && !d->options->no_grid)
        mst_squares_draw(&d->squares, &d->projection, &d->frame, &d->canvas, d->scale,
                         !d->options->no_labels);
    else if (above && !d->options->no_grid)
        draw_grid(d);
    mst_map_state drawn = mst_drawing_of_map(d);
    mst_map_draw_lines(&drawn, MST_MAP_WALL);
    mst_map_draw_lines(&drawn, MST_MAP_LINK);
    draw_entities(d);
    if (above && d->options->tags)
        mst_map_draw_tags(&drawn);
    mst_map_draw_labels(&drawn, &d->labels);
    return status;
}

/* Draws the canvas's rows. */
static mst_status draw_band(mst_picture_state *d) {
    mst_status status = MST_OK;
    fill_background(d);
    if (d->empty)
        draw_nothing(d);
    else
        status = draw_level(d);
    if (!d->options->no_legend)
        draw_border(d);
    mst_legend_draw(d);
    return status;
}

static mst_status draw_pixels(mst_picture_state *d, mst_pixels *picture) {
    mst_status status = find_all(d);
    if (status == MST_OK && !d->empty)
        status = begin_level(d);
    if (status != MST_OK)
        return status;
    if (!mst_pixels_take(picture, (uint32_t)d->canvas.width, (uint32_t)d->canvas.height, 0))
        return MST_NO_MEMORY;
    d->canvas.pixels = picture->data;
    return draw_band(d);
}

mst_status mst_scene_draw(const mst_scene *scene, const mst_picture_options *options, mst_pixels *picture,
                          mst_diagnostic *diagnostic) {
    mst_picture_options given = {.size = 0};
    if (!scene || !picture)
        return mst_fail(diagnostic, MST_ARGUMENT, "a picture needs a scene and a sink");
    *picture = (mst_pixels){.allocator = mst_allocator_or_default(&picture->allocator)};
    mst_picture_state d = {.scene = scene, .options = &given};
    mst_status status = take_options(&given, options, diagnostic);
    if (status != MST_OK)
        return status;
    mst_arena_begin(&d.arena, &picture->allocator, 0);
    status = draw_pixels(&d, picture);
    mst_arena_end(&d.arena);
    if (status != MST_OK) {
        mst_pixels_free(picture);
        return mst_fail(diagnostic, status, "not enough memory for the picture");
    }
    return MST_OK;
}

/* Draws band by band, and writes the rows of each. */
static mst_status write_bands(mst_picture_state *d, mst_png *png) {
    const int32_t height = d->canvas.height;
    const size_t row = 4 * (size_t)d->canvas.width;
    int32_t rows = row < BAND_SIZE ? (int32_t)(BAND_SIZE / row) : 1;
    rows = rows < height ? rows : height;
    d->canvas.pixels = mst_arena_take(&d->arena, (size_t)rows, row);
    mst_status status = d->canvas.pixels ? MST_OK : MST_NO_MEMORY;
    for (int32_t top = 0; top < height && status == MST_OK; top += rows) {
        d->canvas.top = top;
        d->canvas.rows = height - top < rows ? height - top : rows;
        status = draw_band(d);
        if (status == MST_OK)
            status = mst_png_rows(png, d->canvas.pixels, (uint32_t)d->canvas.rows);
    }
    return status;
}

static mst_status write_png(mst_picture_state *d, mst_sink sink, mst_diagnostic *diagnostic) {
    mst_status status = find_all(d);
    if (status == MST_OK && !d->empty)
        status = begin_level(d);
    if (status != MST_OK)
        return mst_fail(diagnostic, status, "not enough memory for the picture");
    mst_png png;
    const mst_pixels whole = {
        .width = (uint32_t)d->canvas.width, .height = (uint32_t)d->canvas.height, .unfiltered = is_map(d)};
    mst_png_begin(&png, &whole, background_of(d->options).a == 255, &d->arena, sink);
    status = write_bands(d, &png);
    const mst_status ended = mst_png_end(&png, diagnostic);
    return ended != MST_OK || status == MST_OK
               ? ended
               : mst_fail(diagnostic, status, "not enough memory for the picture");
}

mst_status mst_scene_write_png(const mst_scene *scene, const mst_picture_options *options, mst_sink sink,
                               mst_diagnostic *diagnostic) {
    mst_picture_options given = {.size = 0};
    if (!scene || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "a picture needs a scene and a sink");
    mst_picture_state d = {.scene = scene, .options = &given};
    mst_status status = take_options(&given, options, diagnostic);
    if (status != MST_OK)
        return status;
    const mst_allocator own = mst_allocator_or_default(NULL);
    mst_arena_begin(&d.arena, &own, 0);
    status = write_png(&d, sink, diagnostic);
    mst_arena_end(&d.arena);
    return status;
}

static mst_status write_svg(mst_picture_state *d, mst_sink sink) {
    mst_svg svg;
    mst_status status = find_all(d);
    if (status != MST_OK)
        return status;
    mst_svg_begin(&svg, sink, d->canvas.width, d->canvas.height);
    d->canvas.svg = &svg;
    status = d->empty ? MST_OK : begin_level(d);
    if (status == MST_OK)
        status = draw_band(d);
    const mst_status ended = mst_svg_end(&svg);
    return status == MST_OK ? ended : status;
}

mst_status mst_scene_write_svg(const mst_scene *scene, const mst_picture_options *options, mst_sink sink,
                               mst_diagnostic *diagnostic) {
    if (!scene || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "a drawing needs a scene and a sink");
    mst_picture_options flat = {.size = 0};
    mst_picture_state d = {.scene = scene, .options = &flat, .vector = true};
    mst_status status = take_options(&flat, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (flat.view != MST_VIEW_ABOVE)
        return mst_fail(diagnostic, MST_ARGUMENT, "only maps from above are drawn as SVG");
    const mst_allocator standard = mst_allocator_or_default(NULL);
    mst_arena_begin(&d.arena, &standard, 0);
    status = write_svg(&d, sink);
    mst_arena_end(&d.arena);
    return status == MST_OK ? MST_OK
                            : mst_fail(diagnostic, status,
                                       status == MST_NO_MEMORY ? "not enough memory for the drawing"
                                                               : "the drawing cannot be written");
}
