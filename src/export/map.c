/* SPDX-License-Identifier: MIT */
#include "map.h"
#include "font.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX   16 /* rows in the legend */
#define TAGS_MAX   256
#define NAMES_MAX  128
#define LABELS_MAX 4096
#define KEY_COLUMN 2 /* keys in a row */

static const mst_rgba wall_color = {236, 238, 242, 255}, wall_rim = {14, 16, 20, 150},
                      link_color = {255, 244, 190, 230}, link_rim = {14, 16, 20, 190},
                      key_color = {226, 230, 236, 255}, name_color = {255, 255, 255, 255};

static void to_pixel(const mst_map_state *d, const float point[3], double pixel[2]) {
    pixel[0] = (mst_view_dot(d->projection->right, point) - d->projection->left) * d->projection->scale +
               d->frame->x;
    pixel[1] =
        (mst_view_dot(d->projection->down, point) - d->projection->top) * d->projection->scale + d->frame->y;
}

/* Clips a line to the frame with a small margin; false if nothing is left. */
static bool clip(const mst_map_state *d, double from[2], double to[2]) {
    const double reach = 8.0 * d->scale;
    const double low[2] = {d->frame->x - reach, d->frame->y - reach};
    const double high[2] = {d->frame->x + d->frame->width + reach, d->frame->y + d->frame->height + reach};
    double start = 0, end = 1, delta[2] = {to[0] - from[0], to[1] - from[1]};
    for (int axis = 0; axis < 2; axis++) {
        if (delta[axis] == 0) {
            if (!(from[axis] >= low[axis] && from[axis] <= high[axis]))
                return false;
            continue;
        }
        double a = (low[axis] - from[axis]) / delta[axis], b = (high[axis] - from[axis]) / delta[axis];
        double first = a < b ? a : b, last = a < b ? b : a;
        start = first > start ? first : start;
        end = last < end ? last : end;
    }
    if (!(start < end))
        return false;
    for (int axis = 0; axis < 2; axis++) {
        to[axis] = from[axis] + delta[axis] * end;
        from[axis] += delta[axis] * start;
    }
    return true;
}

/* From mark to mark, with the arrowhead at the second one. */
static void draw_arrow(const mst_map_state *d, double from[2], double to[2]) {
    double dx = to[0] - from[0], dy = to[1] - from[1], length = sqrt(dx * dx + dy * dy);
    double gap = 4.5 * d->scale, head = 4.5 * d->scale;
    if (!(length > 2 * gap))
        return;
    dx /= length;
    dy /= length;
    for (int i = 0; i < 2; i++) {
        double step = i ? dy : dx;
        from[i] += step * gap;
        to[i] -= step * gap;
    }
    double tip[2] = {to[0], to[1]};
    bool headed = tip[0] > d->frame->x && tip[0] < d->frame->x + d->frame->width && tip[1] > d->frame->y &&
                  tip[1] < d->frame->y + d->frame->height;
    if (!clip(d, from, to))
        return;
    for (int pass = 0; pass < 2; pass++) {
        mst_rgba color = pass ? link_color : link_rim;
        double width = (pass ? 0.8 : 1.9) * d->scale;
        mst_canvas_line(d->canvas, from[0], from[1], to[0], to[1], width, color);
        for (int side = -1; side <= 1 && headed; side += 2)
            mst_canvas_line(d->canvas, tip[0], tip[1], tip[0] - (dx + side * dy * 0.5) * head,
                            tip[1] - (dy - side * dx * 0.5) * head, width, color);
    }
}

void mst_map_draw_lines(const mst_map_state *d, mst_map_line_kind kind) {
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < d->world->line_count; i++) {
            const mst_map_line *line = &d->world->lines[i];
            double from[2], to[2];
            if (line->kind != kind)
                continue;
            to_pixel(d, line->from, from);
            to_pixel(d, line->to, to);
            if (kind == MST_MAP_LINK) {
                if (pass)
                    draw_arrow(d, from, to);
            } else if (clip(d, from, to)) {
                /* all rims first, so that none covers a line */
                mst_canvas_line(d->canvas, from[0], from[1], to[0], to[1], (pass ? 0.8 : 1.8) * d->scale,
                                pass ? wall_color : wall_rim);
            }
        }
}

void mst_map_draw_tick(const mst_map_state *d, const mst_view_entity *entity, double radius, mst_rgba color) {
    double at[2], dx = mst_view_dot(d->projection->right, entity->facing),
                  dy = mst_view_dot(d->projection->down, entity->facing);
    if (entity->role != MST_ROLE_ENTITY || dx * dx + dy * dy < 0.05)
        return;
    to_pixel(d, entity->position, at);
    const mst_view_frame *f = d->frame;
    if (!(at[0] >= f->x && at[1] >= f->y && at[0] < f->x + f->width && at[1] < f->y + f->height))
        return;
    double reach = radius + 2.6 * d->scale;
    for (int pass = 0; pass < 2; pass++)
        mst_canvas_line(d->canvas, at[0], at[1], at[0] + dx * reach, at[1] + dy * reach,
                        (pass ? 0.9 : 2.0) * d->scale, pass ? color : (mst_rgba){10, 12, 16, 190});
}

/* ---- tags and names ---------------------------------------------------------------------------------- */

typedef struct rectangle {
    int32_t left, top, right, bottom;
} rectangle;

/* Whether it is inside the frame and does not overlap the others. */
static bool has_capacity(const mst_view_frame *f, const rectangle *r, const rectangle *taken, size_t count) {
    bool fits =
        r->left >= f->x && r->top >= f->y && r->right <= f->x + f->width && r->bottom <= f->y + f->height;
    for (size_t k = 0; k < count && fits; k++)
        fits = r->right <= taken[k].left || r->left >= taken[k].right || r->bottom <= taken[k].top ||
               r->top >= taken[k].bottom;
    return fits;
}

/* The position of a text near an entity; false if it is far outside the picture. */
static bool place_text(const mst_map_state *d, const mst_view_entity *entity, const char *text, bool below,
                       rectangle *r) {
    double at[2];
    to_pixel(d, entity->position, at);
    if (!(fabs(at[0]) < 1e6 && fabs(at[1]) < 1e6))
        return false;
    int32_t width = (int32_t)mst_font_count(text) * MST_FONT_WIDTH * d->scale;
    r->left = (int32_t)at[0] + (below ? -width / 2 : 6 * d->scale);
    r->top = (int32_t)at[1] + (below ? 5 : -MST_FONT_HEIGHT / 2) * d->scale;
    r->right = r->left + width;
    r->bottom = r->top + MST_FONT_HEIGHT * d->scale;
    return true;
}

void mst_map_draw_tags(const mst_map_state *d) {
    rectangle taken[TAGS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < d->world->entity_count && count < TAGS_MAX; i++) {
        const mst_view_entity *entity = &d->world->entities[i];
        rectangle *r = &taken[count];
        if (!*entity->tag || !place_text(d, entity, entity->tag, false, r) ||
            !has_capacity(d->frame, r, taken, count))
            continue;
        mst_font_draw(d->canvas, r->left, r->top, d->scale, entity->tag, SIZE_MAX, link_color, true);
        count++;
    }
}

typedef struct name {
    const mst_view_entity *entity;
    const mst_view_entity *first; /* with the same name */
} name;

static int compare_entities(const mst_view_entity *a, const mst_view_entity *b) {
    return (a > b) - (a < b);
}

static int by_text(const void *left, const void *right) {
    const name *a = left, *b = right;
    int order = strcmp(a->entity->label, b->entity->label);
    return order ? order : compare_entities(a->entity, b->entity);
}

static int by_size(const void *left, const void *right) {
    const name *a = left, *b = right;
    if (a->first->named != b->first->named) /* places first: names that do not fit are left out */
        return a->first->named ? -1 : 1;
    if (a->first != b->first)
        return compare_entities(a->first, b->first);
    if (a->entity->size != b->entity->size)
        return (a->entity->size < b->entity->size) - (a->entity->size > b->entity->size);
    return compare_entities(a->entity, b->entity);
}

mst_status mst_map_find_labels(const mst_map_state *d, mst_map_labels *labels) {
    const mst_view_world *world = d->world;
    const size_t most = world->labelled ? LABELS_MAX : NAMES_MAX;
    size_t count = 0, written = 0;
    rectangle *taken = mst_arena_take(world->arena, most, sizeof *taken);
    name *names = mst_arena_take(world->arena, world->entity_count, sizeof *names);
    labels->items = mst_arena_take(world->arena, most, sizeof *labels->items);
    if (!names || !taken || !labels->items)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < world->entity_count; i++)
        if (*world->entities[i].label)
            names[count++].entity = &world->entities[i];
    qsort(names, count, sizeof *names, by_text);
    for (size_t i = 0; i < count; i++) {
        bool same = !world->labelled && i && !strcmp(names[i].entity->label, names[i - 1].entity->label);
        names[i].first = same ? names[i - 1].first : names[i].entity;
    }
    qsort(names, count, sizeof *names, by_size);
    const mst_view_entity *done = NULL;
    for (size_t i = 0; i < count && written < most; i++) {
        rectangle *r = &taken[written];
        const char *text = names[i].entity->label;
        if (names[i].first == done || !place_text(d, names[i].entity, text, true, r) ||
            !has_capacity(d->frame, r, taken, written))
            continue;
        labels->items[written++] = (mst_map_label){text, r->left, r->top};
        done = names[i].first;
    }
    labels->count = written;
    return MST_OK;
}

void mst_map_draw_labels(const mst_map_state *d, const mst_map_labels *labels) {
    for (size_t i = 0; i < labels->count; i++) {
        const mst_map_label *label = &labels->items[i];
        mst_font_draw(d->canvas, label->left, label->top, d->scale, label->text, SIZE_MAX, name_color, true);
    }
}

/* ---- the meaning of colours -------------------------------------------------------------------------- */

/* The keys used by faces, in order; returns the number. */
static size_t used_keys(const mst_view_world *world, uint32_t used[KEYS_MAX]) {
    const mst_map *map = world->map;
    bool seen[KEYS_MAX] = {false};
    size_t count = 0;
    for (size_t i = 0; map && i < map->face_count; i++)
        if (map->faces[i].key < KEYS_MAX && map->faces[i].key < map->key_count)
            seen[map->faces[i].key] = true;
    for (uint32_t key = 0; key < KEYS_MAX; key++)
        if (seen[key])
            used[count++] = key;
    return count;
}

int32_t mst_map_key_rows(const mst_view_world *world) {
    uint32_t used[KEYS_MAX];
    return ((int32_t)used_keys(world, used) + KEY_COLUMN - 1) / KEY_COLUMN;
}

int32_t mst_map_draw_keys(const mst_map_state *d, int32_t x, int32_t right, int32_t y, int32_t row) {
    uint32_t used[KEYS_MAX];
    size_t count = used_keys(d->world, used);
    int32_t width = (right - x) / KEY_COLUMN;
    for (size_t i = 0; i < count; i++) {
        const mst_map_key *key = &d->world->map->keys[used[i]];
        int32_t left = x + (int32_t)(i % KEY_COLUMN) * width, top = y + (int32_t)(i / KEY_COLUMN) * row;
        const mst_rgba color = {key->color[0], key->color[1], key->color[2], 255};
        mst_canvas_rectangle(d->canvas, left, top, 9 * d->scale, 8 * d->scale, color);
        size_t capacity = (size_t)((width - 14 * d->scale) / (MST_FONT_WIDTH * d->scale));
        mst_font_draw(d->canvas, left + 13 * d->scale, top, d->scale, key->name, capacity, key_color, false);
    }
    return y + ((int32_t)count + KEY_COLUMN - 1) / KEY_COLUMN * row;
}
