/* SPDX-License-Identifier: MIT */
/* The legend next to a picture: title, scale, axes, and the meaning of its symbols and colours. */
#include "drawing.h"
#include "font.h"

#include "../scene/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROW_HEIGHT 13 /* times the text's scale */

static const mst_rgba panel_color = {30, 34, 42, 255}, other_color = {176, 182, 192, 255};

/* As distinct as possible from each other and from the colours of floors. */
static const mst_rgba class_colors[MST_CLASSES_SHOWN] = {
    {255, 92, 92, 255},   {255, 255, 255, 255}, {255, 150, 40, 255},  {236, 118, 220, 255},
    {96, 222, 255, 255},  {255, 224, 60, 255},  {178, 120, 255, 255}, {140, 255, 130, 255},
    {255, 176, 190, 255}, {120, 160, 255, 255}, {214, 60, 110, 255},  {200, 240, 255, 255},
    {206, 150, 96, 255},  {66, 220, 180, 255}};

void mst_tenths_text(char *text, size_t capacity, double value, const char *unit) {
    unsigned long tenths = (unsigned long)fmin(floor(fabs(value) * 10 + 0.5), 4e9);
    const char *sign = value < 0 && tenths ? "-" : "";
    if (tenths % 10 == 0 || tenths >= 10000)
        snprintf(text, capacity, "%s%lu%s", sign, (tenths + 5) / 10, unit);
    else
        snprintf(text, capacity, "%s%lu.%lu%s", sign, tenths / 10, tenths % 10, unit);
}

double mst_round_step(double min) {
    double step = 1;
    for (int i = 0; step < min && i < 30; i++)
        step *= i % 3 == 1 ? 2.5 : 2;
    return step;
}

mst_style mst_class_style(const mst_picture_state *d, const mst_class_entry *entry) {
    bool own = entry->slot < MST_CLASSES_SHOWN;
    mst_style s = {.mark = own ? (mst_mark)(entry->slot % MST_MARKS) : MST_MARK_DISC,
                   .color = own ? class_colors[entry->slot] : other_color};
    double size = entry->count > 150 ? 1.7 : entry->count > 50 ? 2.5 : 3.6;
    s.color.a = entry->count > 150 ? 150 : entry->count > 50 ? 210 : 255;
    if (!own)
        size = 2.2;
    s.radius = size * d->scale;
    s.rim = entry->count > 150 ? 0.3 * d->scale : 0.55 * d->scale;
    return s;
}

mst_style mst_light_style(const mst_picture_state *d) {
    if (d->world.symbolic && d->light_count < 2000)
        return (mst_style){MST_MARK_DISC, 1.6 * d->scale, 0.3 * d->scale, mst_light_color};
    return (mst_style){MST_MARK_DISC, 0.75 * d->scale, 0, mst_light_color};
}

mst_style mst_camera_style(const mst_picture_state *d) {
    return (mst_style){MST_MARK_RING, 2.2 * d->scale, 0.5 * d->scale, mst_faint_color};
}

static void text_at(mst_picture_state *d, int32_t x, int32_t y, const char *text, size_t max,
                    mst_rgba color) {
    mst_font_draw(&d->canvas, x, y, d->scale, text, max, color, false);
}

static void text_right(mst_picture_state *d, int32_t right, int32_t y, const char *text, mst_rgba color) {
    int32_t width = (int32_t)mst_font_count(text) * MST_FONT_WIDTH * d->scale;
    text_at(d, right - width, y, text, SIZE_MAX, color);
}

static void legend_row(mst_picture_state *d, int32_t x, int32_t right, int32_t y, const mst_style *s,
                       const char *name, size_t count) {
    char number[24];
    snprintf(number, sizeof number, "%lu", (unsigned long)count);
    int32_t cell = MST_FONT_WIDTH * d->scale;
    size_t capacity = (size_t)((right - x) / cell) - strlen(number) - 3; /* MST_PANEL_COLUMNS are enough */
    mst_style solid = *s;
    if (solid.color.a < 200)
        solid.color.a = 200;
    mst_canvas_mark(&d->canvas, solid.mark, x + 5.0 * d->scale, y + 4.0 * d->scale, solid.radius, solid.rim,
                    solid.color);
    text_at(d, x + 12 * d->scale, y, *name ? name : "(no class)", capacity, mst_text_color);
    text_right(d, right, y, number, mst_faint_color);
}

/* Height of the rows of ground materials with heading and spacing. */
static int32_t ground_rows(const mst_picture_state *d) {
    return d->ground_count ? (int32_t)d->ground_count + (d->other_grounds > 0) + 2 : 0;
}

static int32_t legend_rows(const mst_picture_state *d) {
    return (int32_t)d->shown_count + (d->other_count > 0) + (d->light_count > 0) + (d->camera_count > 0) +
           ground_rows(d);
}

/* Whether the file's unit is not the metre. */
static bool units_differ(const mst_picture_state *d) {
    return fabs(d->scene->unit_metres - 1) > 1e-6;
}

int32_t mst_legend_height(const mst_picture_state *d) {
    int32_t fixed = d->options->view == MST_VIEW_ABOVE ? 190 + (units_differ(d) ? ROW_HEIGHT : 0) : 155;
    int32_t rows = legend_rows(d) + mst_map_key_rows(&d->world);
    return (fixed + rows * ROW_HEIGHT) * d->scale;
}

static int32_t draw_title(mst_picture_state *d, int32_t x, int32_t right, int32_t y) {
    const char *name = d->scene->name && *d->scene->name ? d->scene->name : "(without a name)";
    int32_t scale = d->scale + (d->scale + 1) / 2;
    size_t count = mst_font_count(name);
    if ((int64_t)count * MST_FONT_WIDTH * scale > right - x)
        scale = d->scale;
    size_t max = (size_t)((right - x) / (MST_FONT_WIDTH * scale));
    mst_font_draw(&d->canvas, x, y, scale, name, max, (mst_rgba){255, 255, 255, 255}, false);
    y += (MST_FONT_HEIGHT + 3) * scale;
    static const char *const views[] = {"seen from above", "oblique view", "2:1 projection"};
    text_at(d, x, y, views[d->options->view], SIZE_MAX, mst_faint_color);
    y += ROW_HEIGHT * d->scale;
    if (!d->empty && d->options->view == MST_VIEW_ABOVE) {
        char text[80], width[32], depth[32];
        mst_tenths_text(width, sizeof width, d->world.across.high - d->world.across.low, "");
        mst_tenths_text(depth, sizeof depth, d->world.along.high - d->world.along.low, "");
        snprintf(text, sizeof text, "%s x %s m", width, depth);
        text_at(d, x, y, text, SIZE_MAX, mst_faint_color);
        y += ROW_HEIGHT * d->scale;
        if (units_differ(d)) {
            const double unit = d->scene->unit_metres;
            mst_tenths_text(width, sizeof width, (d->world.across.high - d->world.across.low) / unit, "");
            mst_tenths_text(depth, sizeof depth, (d->world.along.high - d->world.along.low) / unit, "");
            snprintf(text, sizeof text, "%s x %s units", width, depth);
            text_at(d, x, y, text, (size_t)((right - x) / (MST_FONT_WIDTH * d->scale)), mst_faint_color);
            y += ROW_HEIGHT * d->scale;
        }
    }
    return y + 6 * d->scale;
}

static int32_t draw_ramp(mst_picture_state *d, int32_t x, int32_t right, int32_t y) {
    char text[32];
    text_at(d, x, y, "height of floors", SIZE_MAX, mst_text_color);
    y += ROW_HEIGHT * d->scale;
    const int32_t step = d->canvas.svg ? 4 * d->scale : 1; /* one element per step */
    for (int32_t column = x; column < right; column += step)
        mst_canvas_rectangle(&d->canvas, column, y, step < right - column ? step : right - column,
                             8 * d->scale, mst_view_height_color((column - x + 0.5 * step) / (right - x)));
    y += 11 * d->scale;
    for (int k = 0; k < MST_VIEW_STOPS; k += (MST_VIEW_STOPS - 1) / 2) {
        mst_tenths_text(text, sizeof text, d->world.stops[k], " m");
        int32_t width = (int32_t)strlen(text) * MST_FONT_WIDTH * d->scale;
        int32_t at = x + (right - x - width) * k / (MST_VIEW_STOPS - 1);
        text_at(d, at, y, text, SIZE_MAX, mst_faint_color);
    }
    return y + (ROW_HEIGHT + 6) * d->scale;
}

static int32_t draw_scale_bar(mst_picture_state *d, int32_t x, int32_t right, int32_t y) {
    double max = (right - x - 40.0 * d->scale) / d->projection.scale, length = mst_round_step(max);
    while (length > max && length > 1) /* the largest round length that fits */
        length = mst_round_step(length / 2.6);
    double unit = 1; /* below a metre: 0.5, 0.2, 0.1 and so on */
    for (int digits = 0; length > max && digits < 6; digits++) {
        length = max >= unit / 2 ? unit / 2 : max >= unit / 5 ? unit / 5 : unit / 10;
        unit /= 10;
    }
    int32_t pixels = (int32_t)(length * d->projection.scale + 0.5);
    for (int32_t part = 0; part < 2; part++) {
        int32_t from = pixels * part / 2, to = pixels * (part + 1) / 2;
        mst_canvas_rectangle(&d->canvas, x + from, y, to - from, 4 * d->scale,
                             part ? (mst_rgba){120, 128, 142, 255} : mst_text_color);
    }
    char text[32];
    if (length < 1)
        snprintf(text, sizeof text, "%.3g cm", length * 100);
    else
        mst_tenths_text(text, sizeof text, length, " m");
    text_at(d, x + pixels + 5 * d->scale, y - 2 * d->scale, text, SIZE_MAX, mst_text_color);
    return y + 16 * d->scale;
}

/* An arrow along an axis of the world, with its name at the tip. */
static void draw_axis(mst_picture_state *d, double x, double y, double length, const double axis[3],
                      const char *name, mst_rgba color) {
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

static int32_t draw_axes(mst_picture_state *d, int32_t x, int32_t y) {
    static const double north[3] = {0, 0, -1}, east[3] = {1, 0, 0}, up[3] = {0, 1, 0};
    bool above = d->options->view == MST_VIEW_ABOVE;
    double cx = x + (above ? 12.0 : 50.0) * d->scale, cy = y + (above ? 44.0 : 50.0) * d->scale;
    double length = 28.0 * d->scale;
    int axes[3];
    mst_scene_axes(d->scene, axes);
    bool same = axes[0] == 1 && axes[1] == 2 && axes[2] == 3;
    char names[3][16];
    for (int i = 0; i < 3; i++) {
        int axis = i == 2 ? -axes[i] : axes[i]; /* for the last axis, the opposite end is drawn */
        const char *of_file[] = {"-z", "-y", "-x", "", "+x", "+y", "+z"};
        snprintf(names[i], sizeof names[i], same || !axis ? "%s" : "%s (%s)",
                 i == 0   ? "+X"
                 : i == 1 ? "+Y"
                          : "-Z",
                 of_file[axis + 3]);
    }
    draw_axis(d, cx, cy, length, east, names[0], mst_faint_color);
    if (!above)
        draw_axis(d, cx, cy, length, up, names[1], mst_faint_color);
    draw_axis(d, cx, cy, length, north, names[2], mst_text_color);
    return y + (above ? 60 : 80) * d->scale;
}

static void ground_row(mst_picture_state *d, int32_t x, int32_t right, int32_t y, mst_rgba color,
                       const char *name, size_t count) {
    mst_style none = {MST_MARK_DISC, 0, 0, {0, 0, 0, 0}};
    mst_canvas_rectangle(&d->canvas, x + d->scale, y, 8 * d->scale, 8 * d->scale, color);
    legend_row(d, x, right, y, &none, name, count);
}

/* The most frequent materials, as many as fit below the classes. */
static void draw_grounds(mst_picture_state *d, int32_t x, int32_t right, int32_t y) {
    int32_t row = ROW_HEIGHT * d->scale, capacity = (d->canvas.height - 2 * d->scale - y) / row - 1;
    if (!d->ground_count || capacity < 2)
        return;
    y += row / 2;
    char total[24];
    snprintf(total, sizeof total, "%lu", (unsigned long)d->world.part_count);
    text_at(d, x, y, "ground", SIZE_MAX, mst_text_color);
    text_right(d, right, y, total, mst_faint_color);
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

void mst_legend_draw(mst_picture_state *d) {
    if (!d->panel)
        return;
    int32_t left = d->canvas.width - d->panel, pad = 9 * d->scale, x = left + pad;
    int32_t right = d->canvas.width - pad, y = 10 * d->scale;
    mst_canvas_rectangle(&d->canvas, left, 0, d->panel, d->canvas.height, panel_color);
    y = draw_title(d, x, right, y);
    if (d->empty)
        return;
    mst_map_state map = mst_drawing_of_map(d);
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
        const mst_class_entry *entry = &d->classes[d->shown[i]];
        mst_style s = mst_class_style(d, entry);
        legend_row(d, x, right, y, &s, entry->name, entry->count);
    }
    if (others && rows > extra) {
        char name[48];
        snprintf(name, sizeof name, "other (%lu)", (unsigned long)other_classes);
        mst_style s = {MST_MARK_DISC, 2.2 * d->scale, 0.55 * d->scale, other_color};
        legend_row(d, x, right, y, &s, name, others);
        y += row;
    }
    mst_style lights = mst_light_style(d), cameras = mst_camera_style(d);
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

mst_map_state mst_drawing_of_map(mst_picture_state *d) {
    return (mst_map_state){&d->world, &d->projection, &d->frame, &d->canvas, d->scale};
}
