/* SPDX-License-Identifier: MIT */
/* Pictures: options, layout, marks, grid and legend. */
#include <mapstone/picture.h>

#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "../core/pixels.h"
#include "../scene/geometry.h"
#include "font.h"
#include "map.h"
#include "marks.h"
#include "squares.h"
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH_MAX    16384
#define WIDTH_DEFAULT 1600
#define HEIGHT_MIN    400
#define CLASSES_SHOWN 14
#define GROUNDS_SHOWN 10
#define PANEL_COLUMNS 27
#define ROW_HEIGHT    13 /* of the legend, times the text's scale */

static const mst_rgba text_color = {226, 230, 236, 255}, faint_color = {150, 158, 170, 255},
                      panel_color = {30, 34, 42, 255}, grid_color = {255, 255, 255, 22},
                      border_color = {92, 100, 114, 255}, light_color = {255, 236, 170, 150},
                      other_color = {176, 182, 192, 255};

/* As distinct as possible from each other and from the colours of floors. */
static const mst_rgba class_colors[CLASSES_SHOWN] = {
    {255, 92, 92, 255},   {255, 255, 255, 255}, {255, 150, 40, 255},  {236, 118, 220, 255},
    {96, 222, 255, 255},  {255, 224, 60, 255},  {178, 120, 255, 255}, {140, 255, 130, 255},
    {255, 176, 190, 255}, {120, 160, 255, 255}, {214, 60, 110, 255},  {200, 240, 255, 255},
    {206, 150, 96, 255},  {66, 220, 180, 255}};

/* Entities of one class, or items drawn like one. */
typedef struct class_entry {
    const char *name;
    size_t first, count; /* in the sorted list of entities */
    size_t slot;         /* < CLASSES_SHOWN: its mark; else it is one of the others */
} class_entry;

/* A ground material of a symbolic scene. */
typedef struct ground_entry {
    const mst_material *material;
    size_t count;
} ground_entry;

typedef struct drawing {
    const mst_scene *scene;
    const mst_picture_options *options;
    mst_arena arena;
    mst_view_world world;
    mst_projection projection;
    mst_view_frame frame;
    mst_canvas canvas;
    int32_t scale; /* of text and marks */
    int32_t panel; /* width of the legend, 0: none */
    bool empty;
    class_entry *classes;
    size_t class_count;
    size_t shown[CLASSES_SHOWN]; /* classes with marks of their own */
    size_t shown_count, other_count, other_classes, light_count, camera_count;
    mst_squares squares;
    ground_entry grounds[GROUNDS_SHOWN]; /* the most frequent ones of a symbolic scene */
    size_t ground_count, other_grounds, other_ground_count;
} drawing;

/* ---- numbers as text, whatever the locale ----------------------------------------------------------------
 */

static void tenths_text(char *text, size_t capacity, double value, const char *unit) {
    unsigned long tenths = (unsigned long)fmin(floor(fabs(value) * 10 + 0.5), 4e9);
    const char *sign = value < 0 && tenths ? "-" : "";
    if (tenths % 10 == 0 || tenths >= 10000)
        snprintf(text, capacity, "%s%lu%s", sign, (tenths + 5) / 10, unit);
    else
        snprintf(text, capacity, "%s%lu.%lu%s", sign, tenths / 10, tenths % 10, unit);
}

/* The smallest of 1, 2, 5, 10, 20, ... that is at least `min`. */
static double round_step(double min) {
    double step = 1;
    for (int i = 0; step < min && i < 30; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    return step;
}

/* ---- classes ---------------------------------------------------------------------------------------------
 */

static int by_class(const void *left, const void *right) {
    const mst_view_entity *a = left, *b = right;
    if (a->role != b->role)
        return a->role < b->role ? -1 : 1;
    int order = strcmp(a->class_name, b->class_name);
    /* Positions break ties, so that every qsort gives the same picture. */
    for (int i = 0; i < 3 && order == 0; i++)
        order = (a->position[i] > b->position[i]) - (a->position[i] < b->position[i]);
    return order;
}

static mst_status find_classes(drawing *d) {
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
            d->classes[d->class_count++] = (class_entry){entity->class_name, i, 1, SIZE_MAX};
        }
    }
    /* The most frequent ones get marks; selected one by one, because they are few. */
    for (; d->shown_count < CLASSES_SHOWN && d->shown_count < d->class_count; d->shown_count++) {
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

static mst_status find_grounds(drawing *d) {
    size_t kinds = d->scene->material_count;
    if (!d->world.symbolic || !kinds)
        return MST_OK;
    size_t *counts = mst_arena_zero(&d->arena, kinds, sizeof *counts);
    if (!counts)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < d->world.part_count; i++)
        if (d->world.parts[i].material)
            counts[d->world.parts[i].material - d->scene->materials]++;
    while (d->ground_count < GROUNDS_SHOWN) {
        size_t best = 0;
        for (size_t i = 1; i < kinds; i++)
            best = counts[i] > counts[best] ? i : best;
        if (!counts[best])
            break;
        d->grounds[d->ground_count++] = (ground_entry){&d->scene->materials[best], counts[best]};
        counts[best] = 0;
    }
    for (size_t i = 0; i < kinds; i++) {
        d->other_grounds += counts[i] > 0;
        d->other_ground_count += counts[i];
    }
    return MST_OK;
}

static void to_pixel(const drawing *d, const float point[3], double *x, double *y) {
    const mst_projection *p = &d->projection;
    *x = (mst_view_dot(p->right, point) - p->left) * p->scale + d->frame.x;
    *y = (mst_view_dot(p->down, point) - p->top) * p->scale + d->frame.y;
}

/* The look of a class's marks: if there are many, they are small and translucent. */
typedef struct style {
    mst_mark mark;
    double radius, rim;
    mst_rgba color;
} style;

static style class_style(const drawing *d, const class_entry *entry) {
    bool own = entry->slot < CLASSES_SHOWN;
    style s = {.mark = own ? (mst_mark)(entry->slot % MST_MARKS) : MST_MARK_DISC,
               .color = own ? class_colors[entry->slot] : other_color};
    double size = entry->count > 150 ? 1.7 : entry->count > 50 ? 2.5 : 3.6;
    s.color.a = entry->count > 150 ? 150 : entry->count > 50 ? 210 : 255;
    if (!own)
        size = 2.2;
    s.radius = size * d->scale;
    s.rim = entry->count > 150 ? 0.3 * d->scale : 0.55 * d->scale;
    return s;
}

static void draw_entity(drawing *d, const mst_view_entity *entity, const style *s) {
    double x, y;
    to_pixel(d, entity->position, &x, &y);
    const mst_view_frame *f = &d->frame;
    if (x < f->x || y < f->y || x >= f->x + f->width || y >= f->y + f->height)
        return;
    mst_canvas_mark(&d->canvas, s->mark, x, y, s->radius, s->rim, s->color);
}

static mst_map_drawing map_drawing(drawing *d) {
    return (mst_map_drawing){&d->world, &d->projection, &d->frame, &d->canvas, d->scale};
}

/* All entities of a class, over the lines for their directions. */
static void draw_class(drawing *d, const class_entry *entry) {
    style s = class_style(d, entry);
    mst_map_drawing map = map_drawing(d);
    for (size_t k = 0; k < entry->count; k++) {
        mst_map_draw_tick(&map, &d->world.entities[entry->first + k], s.radius, s.color);
        draw_entity(d, &d->world.entities[entry->first + k], &s);
    }
}

static style light_style(const drawing *d) {
    if (d->world.symbolic && d->light_count < 2000)
        return (style){MST_MARK_DISC, 1.6 * d->scale, 0.3 * d->scale, light_color};
    return (style){MST_MARK_DISC, 0.75 * d->scale, 0, light_color};
}

static style camera_style(const drawing *d) {
    return (style){MST_MARK_RING, 2.2 * d->scale, 0.5 * d->scale, faint_color};
}

/* A short line in the direction of a camera, as projected. */
static void draw_facing(drawing *d, const mst_view_entity *entity) {
    double x, y, dx = mst_view_dot(d->projection.right, entity->facing),
                 dy = mst_view_dot(d->projection.down, entity->facing);
    const mst_view_frame *f = &d->frame;
    double from = 2.2 * d->scale, to = 10.0 * d->scale, head = 3.2 * d->scale;
    to_pixel(d, entity->position, &x, &y);
    if (x < f->x || y < f->y || x + to >= f->x + f->width || y + to >= f->y + f->height ||
        dx * dx + dy * dy < 0.05)
        return;
    for (int pass = 0; pass < 2; pass++) {
        mst_rgba color = pass ? text_color : (mst_rgba){10, 12, 16, 200};
        double width = (pass ? 1.2 : 2.6) * d->scale, tip_x = x + dx * to, tip_y = y + dy * to;
        mst_canvas_line(&d->canvas, x + dx * from, y + dy * from, tip_x, tip_y, width, color);
        for (int side = -1; side <= 1; side += 2)
            mst_canvas_line(&d->canvas, tip_x, tip_y, tip_x - (dx + side * dy * 0.7) * head,
                            tip_y - (dy - side * dx * 0.7) * head, width, color);
    }
}

/* The colour of a light at full brightness. */
static mst_rgba color_of_light(const mst_view_entity *entity) {
    mst_rgba result = light_color;
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
static void draw_entities(drawing *d) {
    const mst_view_world *world = &d->world;
    style lights = light_style(d), cameras = camera_style(d);
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

/* ---- legend ----------------------------------------------------------------------------------------------
 */

static void text_at(drawing *d, int32_t x, int32_t y, const char *text, size_t max, mst_rgba color) {
    mst_font_draw(&d->canvas, x, y, d->scale, text, max, color, false);
}

static void text_right(drawing *d, int32_t right, int32_t y, const char *text, mst_rgba color) {
    int32_t width = (int32_t)mst_font_count(text) * MST_FONT_WIDTH * d->scale;
    text_at(d, right - width, y, text, SIZE_MAX, color);
}

static void legend_row(drawing *d, int32_t x, int32_t right, int32_t y, const style *s, const char *name,
                       size_t count) {
    char number[24];
    snprintf(number, sizeof number, "%lu", (unsigned long)count);
    int32_t cell = MST_FONT_WIDTH * d->scale;
    size_t capacity = (size_t)((right - x) / cell) - strlen(number) - 3; /* PANEL_COLUMNS are enough */
    style solid = *s;
    if (solid.color.a < 200)
        solid.color.a = 200;
    mst_canvas_mark(&d->canvas, solid.mark, x + 5.0 * d->scale, y + 4.0 * d->scale, solid.radius, solid.rim,
                    solid.color);
    text_at(d, x + 12 * d->scale, y, *name ? name : "(no class)", capacity, text_color);
    text_right(d, right, y, number, faint_color);
}

/* Height of the rows of ground materials with heading and spacing. */
static int32_t ground_rows(const drawing *d) {
    return d->ground_count ? (int32_t)d->ground_count + (d->other_grounds > 0) + 2 : 0;
}

static int32_t legend_rows(const drawing *d) {
    return (int32_t)d->shown_count + (d->other_count > 0) + (d->light_count > 0) + (d->camera_count > 0) +
           ground_rows(d);
}

/* Whether the file's unit is not the metre. */
static bool units_differ(const drawing *d) {
    return fabs(d->scene->unit_metres - 1) > 1e-6;
}

/* Preferred height of the legend, in pixels. */
static int32_t legend_height(const drawing *d) {
    int32_t fixed = d->options->view == MST_VIEW_ABOVE ? 190 + (units_differ(d) ? ROW_HEIGHT : 0) : 155;
    int32_t rows = legend_rows(d) + mst_map_key_rows(&d->world);
    return (fixed + rows * ROW_HEIGHT) * d->scale;
}

static int32_t draw_title(drawing *d, int32_t x, int32_t right, int32_t y) {
    const char *name = d->scene->name && *d->scene->name ? d->scene->name : "(without a name)";
    int32_t scale = d->scale + (d->scale + 1) / 2;
    size_t count = mst_font_count(name);
    if ((int64_t)count * MST_FONT_WIDTH * scale > right - x)
        scale = d->scale;
    size_t max = (size_t)((right - x) / (MST_FONT_WIDTH * scale));
    mst_font_draw(&d->canvas, x, y, scale, name, max, (mst_rgba){255, 255, 255, 255}, false);
    y += (MST_FONT_HEIGHT + 3) * scale;
    static const char *const views[] = {"seen from above", "oblique view", "2:1 projection"};
    text_at(d, x, y, views[d->options->view], SIZE_MAX, faint_color);
    y += ROW_HEIGHT * d->scale;
    if (!d->empty && d->options->view == MST_VIEW_ABOVE) {
        char text[80], width[32], depth[32];
        tenths_text(width, sizeof width, d->world.across.high - d->world.across.low, "");
        tenths_text(depth, sizeof depth, d->world.along.high - d->world.along.low, "");
        snprintf(text, sizeof text, "%s x %s m", width, depth);
        text_at(d, x, y, text, SIZE_MAX, faint_color);
        y += ROW_HEIGHT * d->scale;
        if (units_differ(d)) {
            const double unit = d->scene->unit_metres;
            tenths_text(width, sizeof width, (d->world.across.high - d->world.across.low) / unit, "");
            tenths_text(depth, sizeof depth, (d->world.along.high - d->world.along.low) / unit, "");
            snprintf(text, sizeof text, "%s x %s units", width, depth);
            text_at(d, x, y, text, (size_t)((right - x) / (MST_FONT_WIDTH * d->scale)), faint_color);
            y += ROW_HEIGHT * d->scale;
        }
    }
    return y + 6 * d->scale;
}

static int32_t draw_ramp(drawing *d, int32_t x, int32_t right, int32_t y) {
    char text[32];
    text_at(d, x, y, "height of floors", SIZE_MAX, text_color);
    y += ROW_HEIGHT * d->scale;
    for (int32_t column = x; column < right; column++)
        mst_canvas_rectangle(&d->canvas, column, y, 1, 8 * d->scale,
                             mst_view_height_color((column - x + 0.5) / (right - x)));
    y += 11 * d->scale;
    for (int k = 0; k < MST_VIEW_STOPS; k += (MST_VIEW_STOPS - 1) / 2) {
        tenths_text(text, sizeof text, d->world.stops[k], " m");
        int32_t width = (int32_t)strlen(text) * MST_FONT_WIDTH * d->scale;
        int32_t at = x + (right - x - width) * k / (MST_VIEW_STOPS - 1);
        text_at(d, at, y, text, SIZE_MAX, faint_color);
    }
    return y + (ROW_HEIGHT + 6) * d->scale;
}

static int32_t draw_scale_bar(drawing *d, int32_t x, int32_t right, int32_t y) {
    double max = (right - x - 40.0 * d->scale) / d->projection.scale, length = round_step(max);
    while (length > max && length > 1) /* the largest round length that fits */
        length = round_step(length / 2.6);
    double unit = 1; /* below a metre: 0.5, 0.2, 0.1 and so on */
    for (int digits = 0; length > max && digits < 6; digits++) {
        length = max >= unit / 2 ? unit / 2 : max >= unit / 5 ? unit / 5 : unit / 10;
        unit /= 10;
    }
    int32_t pixels = (int32_t)(length * d->projection.scale + 0.5);
    for (int32_t part = 0; part < 2; part++) {
        int32_t from = pixels * part / 2, to = pixels * (part + 1) / 2;
        mst_canvas_rectangle(&d->canvas, x + from, y, to - from, 4 * d->scale,
                             part ? (mst_rgba){120, 128, 142, 255} : text_color);
    }
    char text[32];
    if (length < 1)
        snprintf(text, sizeof text, "%.3g cm", length * 100);
    else
        tenths_text(text, sizeof text, length, " m");
    text_at(d, x + pixels + 5 * d->scale, y - 2 * d->scale, text, SIZE_MAX, text_color);
    return y + 16 * d->scale;
}

/* An arrow along an axis of the world, with its name at the tip. */
static void draw_axis(drawing *d, double x, double y, double length, const double axis[3], const char *name,
                      mst_rgba color) {
    const float direction[3] = {(float)axis[0], (float)axis[1], (float)axis[2]};
    double dx = mst_view_dot(d->projection.right, direction),
           dy = mst_view_dot(d->projection.down, direction);
    double size = sqrt(dx * dx + dy * dy);
    if (size < 0.1)
        return;
    double tx = x + dx * length, ty = y + dy * length, head = 5.0 * d->scale;
    dx /= size;
    dy /= size;
    mst_canvas_line(&d->canvas, x, y, tx, ty, 1.3 * d->scale, color);
    mst_canvas_line(&d->canvas, tx, ty, tx - (dx + dy * 0.6) * head, ty - (dy - dx * 0.6) * head,
                    1.3 * d->scale, color);
    mst_canvas_line(&d->canvas, tx, ty, tx - (dx - dy * 0.6) * head, ty - (dy + dx * 0.6) * head,
                    1.3 * d->scale, color);
    double reach = 10.0 * d->scale;
    text_at(d, (int32_t)(tx + dx * reach) - 6 * d->scale, (int32_t)(ty + dy * reach) - 4 * d->scale, name,
            SIZE_MAX, color);
}

static int32_t draw_axes(drawing *d, int32_t x, int32_t y) {
    static const double north[3] = {0, 0, -1}, east[3] = {1, 0, 0}, up[3] = {0, 1, 0};
    bool above = d->options->view == MST_VIEW_ABOVE;
    double cx = x + (above ? 12.0 : 50.0) * d->scale, cy = y + (above ? 44.0 : 50.0) * d->scale;
    double length = 28.0 * d->scale;
    int axes[3];
    mst_scene_axes(d->scene, axes);
    bool same = axes[0] == 1 && axes[1] == 2 && axes[2] == 3;
    char names[3][16];
    for (int i = 0; i < 3; i++) {
        int axis = i == 2 ? -axes[i] : axes[i]; /* the last one's opposite end is drawn */
        const char *of_file[] = {"-z", "-y", "-x", "", "+x", "+y", "+z"};
        snprintf(names[i], sizeof names[i], same || !axis ? "%s" : "%s (%s)",
                 i == 0   ? "+X"
                 : i == 1 ? "+Y"
                          : "-Z",
                 of_file[axis + 3]);
    }
    draw_axis(d, cx, cy, length, east, names[0], faint_color);
    if (!above)
        draw_axis(d, cx, cy, length, up, names[1], faint_color);
    draw_axis(d, cx, cy, length, north, names[2], text_color);
    return y + (above ? 60 : 80) * d->scale;
}

static void ground_row(drawing *d, int32_t x, int32_t right, int32_t y, mst_rgba color, const char *name,
                       size_t count) {
    style none = {MST_MARK_DISC, 0, 0, {0, 0, 0, 0}};
    mst_canvas_rectangle(&d->canvas, x + d->scale, y, 8 * d->scale, 8 * d->scale, color);
    legend_row(d, x, right, y, &none, name, count);
}

/* The most frequent materials, as many as fit below the classes. */
static void draw_grounds(drawing *d, int32_t x, int32_t right, int32_t y) {
    int32_t row = ROW_HEIGHT * d->scale, capacity = (d->canvas.height - 2 * d->scale - y) / row - 1;
    if (!d->ground_count || capacity < 2)
        return;
    y += row / 2;
    char total[24];
    snprintf(total, sizeof total, "%lu", (unsigned long)d->world.part_count);
    text_at(d, x, y, "ground", SIZE_MAX, text_color);
    text_right(d, right, y, total, faint_color);
    y += row;
    capacity--;
    size_t named = d->ground_count, others = d->other_grounds, count = d->other_ground_count;
    while (named > 0 && (int32_t)named + (others > 0) > capacity) {
        count += d->grounds[--named].count;
        others++;
    }
    for (size_t i = 0; i < named; i++, y += row) {
        const mst_material *material = d->grounds[i].material;
        uint8_t c[3];
        for (int k = 0; k < 3; k++)
            c[k] = (uint8_t)(mst_srgb_of_linear(fminf(fmaxf(material->color[k], 0), 1)) * 255 + 0.5f);
        ground_row(d, x, right, y, (mst_rgba){c[0], c[1], c[2], 255}, material->name, d->grounds[i].count);
    }
    if (others) {
        char name[48];
        snprintf(name, sizeof name, "other (%lu)", (unsigned long)others);
        ground_row(d, x, right, y, panel_color, name, count);
    }
}

static void draw_legend(drawing *d) {
    if (!d->panel)
        return;
    int32_t left = d->canvas.width - d->panel, pad = 9 * d->scale, x = left + pad;
    int32_t right = d->canvas.width - pad, y = 10 * d->scale;
    mst_canvas_rectangle(&d->canvas, left, 0, d->panel, d->canvas.height, panel_color);
    y = draw_title(d, x, right, y);
    if (d->empty)
        return;
    mst_map_drawing map = map_drawing(d);
    if (d->world.map)
        y = mst_map_draw_keys(&map, x, right, y, ROW_HEIGHT * d->scale) + 6 * d->scale;
    else if (d->options->view == MST_VIEW_ABOVE && d->world.triangle_count && !d->world.symbolic &&
             !d->world.pictured)
        y = draw_ramp(d, x, right, y);
    y = draw_scale_bar(d, x, right, y);
    y = draw_axes(d, x, y);

    int32_t row = ROW_HEIGHT * d->scale, rows = (d->canvas.height - 2 * d->scale - y) / row;
    int32_t extra = (d->light_count > 0) + (d->camera_count > 0), capacity = rows - extra;
    size_t named = d->shown_count, others = d->other_count, other_classes = d->other_classes;
    if (others && capacity > 0)
        capacity--;
    /* If the picture is too low, the least frequent classes are counted as others. */
    while (named > 0 && (int32_t)named > capacity) {
        if (!others && capacity > 0)
            capacity--;
        others += d->classes[d->shown[--named]].count;
        other_classes++;
    }
    for (size_t i = 0; i < named; i++, y += row) {
        const class_entry *entry = &d->classes[d->shown[i]];
        style s = class_style(d, entry);
        legend_row(d, x, right, y, &s, entry->name, entry->count);
    }
    if (others && rows > extra) {
        char name[48];
        snprintf(name, sizeof name, "other (%lu)", (unsigned long)other_classes);
        style s = {MST_MARK_DISC, 2.2 * d->scale, 0.55 * d->scale, other_color};
        legend_row(d, x, right, y, &s, name, others);
        y += row;
    }
    style lights = light_style(d), cameras = camera_style(d);
    lights.radius *= 1.6;
    if (d->light_count && rows > 0) {
        legend_row(d, x, right, y, &lights, "lights", d->light_count);
        y += row;
    }
    if (d->camera_count && rows > 1) {
        legend_row(d, x, right, y, &cameras, "cameras", d->camera_count);
        y += row;
    }
    draw_grounds(d, x, right, y);
}

/* ---- grid ------------------------------------------------------------------------------------------------
 */

static void draw_grid(drawing *d) {
    const mst_projection *p = &d->projection;
    const mst_view_frame *f = &d->frame;
    double step = round_step(60.0 * d->scale / p->scale);
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
            tenths_text(text, sizeof text, value, "");
            int32_t length = (int32_t)strlen(text) * MST_FONT_WIDTH * d->scale;
            if (axis == 0) {
                mst_canvas_rectangle(&d->canvas, f->x + at, f->y, 1, f->height, color);
                if (at > 14 * d->scale && at + length / 2 < end)
                    mst_font_draw(&d->canvas, f->x + at - length / 2, f->y + 3 * d->scale, d->scale, text,
                                  SIZE_MAX, faint_color, true);
            } else {
                mst_canvas_rectangle(&d->canvas, f->x, f->y + at, f->width, 1, color);
                if (at > 20 * d->scale && at + 5 * d->scale < end)
                    mst_font_draw(&d->canvas, f->x + 3 * d->scale, f->y + at - 4 * d->scale, d->scale, text,
                                  SIZE_MAX, faint_color, true);
            }
        }
    }
}

static void draw_border(drawing *d) {
    const mst_view_frame *f = &d->frame;
    mst_canvas_rectangle(&d->canvas, f->x, f->y, f->width, 1, border_color);
    mst_canvas_rectangle(&d->canvas, f->x, f->y + f->height - 1, f->width, 1, border_color);
    mst_canvas_rectangle(&d->canvas, f->x, f->y + 1, 1, f->height - 2, border_color);
    mst_canvas_rectangle(&d->canvas, f->x + f->width - 1, f->y + 1, 1, f->height - 2, border_color);
}

static void draw_nothing(drawing *d) {
    static const char message[] = "nothing to draw";
    int32_t scale = d->scale, width = (int32_t)(sizeof message - 1) * MST_FONT_WIDTH;
    mst_font_draw(&d->canvas, d->frame.x + (d->frame.width - width * scale) / 2,
                  d->frame.y + d->frame.height / 2 - 5 * scale, scale, message, SIZE_MAX, text_color, true);
}

/* ---- layout ----------------------------------------------------------------------------------------------
 */

static void find_axes(drawing *d) {
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

/* Computes the picture's size, the frame in it, and the projection's scale and origin. */
static void lay_out(drawing *d) {
    const mst_picture_options *options = d->options;
    int32_t width = options->width ? (int32_t)options->width : WIDTH_DEFAULT;
    d->scale = limited(width / 800.0 + 0.5, 1, 32);
    d->panel = options->no_legend ? 0 : (PANEL_COLUMNS * MST_FONT_WIDTH + 18) * d->scale;
    if (d->panel > width / 2 || (options->height && options->height < 160))
        d->panel = 0;

    double across = d->world.across.high - d->world.across.low,
           along = d->world.along.high - d->world.along.low;
    if (d->empty)
        across = along = 0;
    /* With a margin, and a level never smaller than a room. */
    double size = across > along ? across : along;
    size = d->world.object ? size * 0.08 + 1e-3 : size * 0.04 + 1;
    across += size;
    along += size;
    int32_t capacity = width - d->panel;
    int32_t height = (int32_t)options->height;
    if (!height) {
        double wanted = d->empty ? capacity * 0.6 : along / across * capacity;
        double max = width * 1.5;
        wanted = wanted < max ? wanted : max;
        if (d->panel && wanted < legend_height(d))
            wanted = legend_height(d);
        height = limited(wanted, HEIGHT_MIN, LENGTH_MAX);
    }
    d->canvas.width = width;
    d->canvas.height = height;
    d->frame = (mst_view_frame){0, 0, capacity, height};
    mst_projection *p = &d->projection;
    double wide = capacity / across, high = height / along;
    p->scale = wide < high ? wide : high;
    if (d->empty)
        return;
    p->left = (d->world.across.low + d->world.across.high) / 2 - capacity / p->scale / 2;
    p->top = (d->world.along.low + d->world.along.high) / 2 - height / p->scale / 2;
}

static void fill_background(drawing *d) {
    const uint8_t *given = d->options->background;
    uint8_t color[4] = {given[0], given[1], given[2], given[3]};
    if (!(given[0] | given[1] | given[2] | given[3])) {
        color[0] = 18;
        color[1] = 21;
        color[2] = 27;
        color[3] = 255;
    }
    if (d->options->transparent)
        color[3] = 0;
    size_t count = (size_t)d->canvas.width * (size_t)d->canvas.height;
    for (size_t i = 0; i < count; i++)
        memcpy(d->canvas.pixels + i * 4, color, 4);
}

static mst_status check_options(const mst_picture_options *options, mst_diagnostic *diagnostic) {
    if (options->width > LENGTH_MAX || options->height > LENGTH_MAX)
        return mst_fail(diagnostic, MST_ARGUMENT, "a picture has at most %d by %d pixels", LENGTH_MAX,
                        LENGTH_MAX);
    if (options->view != MST_VIEW_ABOVE && options->view != MST_VIEW_OBLIQUE &&
        options->view != MST_VIEW_DIMETRIC)
        return mst_fail(diagnostic, MST_ARGUMENT, "there is no such view");
    if (!isfinite(options->ceiling_cut) || !(fabsf(options->yaw) < 1e4f) || !(fabsf(options->pitch) < 1e4f))
        return mst_fail(diagnostic, MST_ARGUMENT, "ceiling cut, yaw and pitch must be finite");
    return MST_OK;
}

/* The projection, from the picture's corner instead of the frame's. */
static void give_place(const drawing *d, mst_picture_place *place) {
    const mst_projection *p = &d->projection;
    memset(place, 0, sizeof *place);
    if (d->empty)
        return;
    memcpy(place->right, p->right, sizeof p->right);
    memcpy(place->down, p->down, sizeof p->down);
    memcpy(place->near, p->near, sizeof p->near);
    place->left = p->left - d->frame.x / p->scale;
    place->top = p->top - d->frame.y / p->scale;
    place->scale = p->scale;
}

static mst_status draw_all(drawing *d, mst_pixels *picture) {
    bool above = d->options->view == MST_VIEW_ABOVE;
    find_axes(d);
    mst_status status = mst_view_gather(&d->world, d->scene, d->options, &d->arena);
    if (status == MST_OK)
        status = mst_view_fit(&d->world, &d->projection, &d->empty);
    bool squares = d->world.square > 0 && !d->empty;
    if (status == MST_OK && above && !d->empty)
        status = mst_view_find_floors(&d->world, d->options->ceiling_cut);
    if (status == MST_OK && squares)
        status = mst_squares_find(&d->world, &d->projection, &d->squares);
    if (status == MST_OK && squares)
        mst_squares_widen(&d->squares, &d->world, &d->projection);
    if (status == MST_OK)
        status = find_classes(d);
    if (status == MST_OK)
        status = find_grounds(d);
    if (status != MST_OK)
        return status;
    lay_out(d);
    if (d->options->place)
        give_place(d, d->options->place);

    if (!mst_pixels_take(picture, (uint32_t)d->canvas.width, (uint32_t)d->canvas.height, 0))
        return MST_NO_MEMORY;
    d->canvas.pixels = picture->data;

    fill_background(d);
    if (d->empty) {
        draw_nothing(d);
    } else {
        bool map = above && !d->world.pictured;
        if (!map && mst_view_load_textures(&d->world, &d->projection) != MST_OK)
            return MST_NO_MEMORY;
        status =
            (map ? mst_view_draw_map : mst_view_draw_solid)(&d->world, &d->projection, &d->frame, &d->canvas);
        if (status != MST_OK)
            return status;
        if (squares && !d->options->no_grid)
            mst_squares_draw(&d->squares, &d->projection, &d->frame, &d->canvas, d->scale,
                             !d->options->no_labels);
        else if (above && !d->options->no_grid)
            draw_grid(d);
        mst_map_drawing drawn = map_drawing(d);
        mst_map_draw_lines(&drawn, MST_MAP_WALL);
        mst_map_draw_lines(&drawn, MST_MAP_LINK);
        draw_entities(d);
        mst_marks_give(d->options->marks, &d->world, &d->projection, &d->frame);
        if (above && d->options->tags)
            mst_map_draw_tags(&drawn);
        if (!d->options->no_labels && mst_map_draw_labels(&drawn) != MST_OK)
            return MST_NO_MEMORY;
    }
    if (!d->options->no_legend)
        draw_border(d);
    draw_legend(d);
    return MST_OK;
}

mst_status mst_scene_draw(const mst_scene *scene, const mst_picture_options *options, mst_pixels *picture,
                          mst_diagnostic *diagnostic) {
    static const mst_picture_options standard;
    if (!scene || !picture)
        return mst_fail(diagnostic, MST_ARGUMENT, "a picture needs a scene and a place to go to");
    *picture = (mst_pixels){.allocator = mst_allocator_or_default(&picture->allocator)};
    drawing d = {.scene = scene, .options = options ? options : &standard};
    mst_status status = check_options(d.options, diagnostic);
    if (status != MST_OK)
        return status;
    mst_arena_begin(&d.arena, &picture->allocator, 0);
    status = draw_all(&d, picture);
    mst_arena_end(&d.arena);
    if (status != MST_OK) {
        mst_pixels_free(picture);
        return mst_fail(diagnostic, status, "no memory for the picture");
    }
    return MST_OK;
}
