/* SPDX-License-Identifier: MIT */
/* The grid squares of some levels: occupied squares, their borders and numbers. */
#include "squares.h"
#include "font.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQUARES_MAX 128 /* per side */
#define NUMBER_MAX  99999.0

static const mst_rgba line_color = {255, 255, 255, 104}, number_color = {214, 222, 234, 255};

/* The square that contains a position; false if it is not shown or far away. */
static bool square_of(const mst_view_world *world, const mst_projection *projection, const float place[3],
                      int32_t *column, int32_t *row) {
    double x = floor((double)place[0] / world->square), z = floor((double)place[2] / world->square);
    double across = mst_view_dot(projection->right, place), along = mst_view_dot(projection->down, place);
    if (!(fabs(x) <= NUMBER_MAX && fabs(z) <= NUMBER_MAX) || across < world->across.low ||
        across > world->across.high || along < world->along.low || along > world->along.high ||
        (double)place[1] < world->height.low || (double)place[1] > world->height.high)
        return false;
    *column = (int32_t)x;
    *row = (int32_t)z;
    return true;
}

/* The position of the i-th item: parts first, then entities. */
static const float *place_at(const mst_view_world *world, size_t i) {
    return i < world->part_count ? world->parts[i].place : world->entities[i - world->part_count].position;
}

typedef struct thing {
    uint32_t group;
    float height;
} thing;

static int compare_things(const void *left, const void *right) {
    const thing *a = left, *b = right;
    if (a->group != b->group)
        return (a->group > b->group) - (a->group < b->group);
    return (a->height > b->height) - (a->height < b->height);
}

static uint32_t group_at(const mst_squares *s, int32_t column, int32_t row) {
    if (column < 0 || row < 0 || column >= s->columns || row >= s->rows)
        return 0;
    return s->group[(size_t)row * (size_t)s->columns + (size_t)column];
}

static bool there(const mst_squares *s, int32_t column, int32_t row) {
    return group_at(s, column, row) != 0;
}

#define UNGROUPED UINT32_MAX

/* Assigns a square's group to all squares connected with it by sides or corners. `waiting` has room for
 * all. */
static void spread_group(mst_squares *s, int32_t column, int32_t row, uint32_t group, uint32_t *waiting) {
    size_t count = 0;
    uint32_t width = (uint32_t)s->columns;
    waiting[count++] = (uint32_t)row * width + (uint32_t)column;
    s->group[waiting[0]] = group;
    while (count) {
        uint32_t cell = waiting[--count];
        for (int k = 0; k < 9; k++) {
            column = (int32_t)(cell % width) + k % 3 - 1;
            row = (int32_t)(cell / width) + k / 3 - 1;
            if (group_at(s, column, row) != UNGROUPED)
                continue;
            waiting[count++] = (uint32_t)row * width + (uint32_t)column;
            s->group[waiting[count - 1]] = group;
        }
    }
}

static uint32_t find_groups(mst_squares *s, uint32_t *waiting) {
    uint32_t groups = 0;
    for (int32_t row = 0; row < s->rows; row++)
        for (int32_t column = 0; column < s->columns; column++)
            if (group_at(s, column, row) == UNGROUPED)
                spread_group(s, column, row, ++groups, waiting);
    return groups;
}

mst_status mst_squares_find(const mst_view_world *world, const mst_projection *projection,
                            mst_squares *squares) {
    *squares = (mst_squares){.step = world->square};
    size_t count = world->part_count + world->entity_count;
    int32_t low[2] = {INT32_MAX, INT32_MAX}, high[2] = {INT32_MIN, INT32_MIN}, at[2];
    for (size_t i = 0; i < count; i++) {
        if (!square_of(world, projection, place_at(world, i), &at[0], &at[1]))
            continue;
        for (int k = 0; k < 2; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
    if (low[0] > high[0] || high[0] - low[0] >= SQUARES_MAX || high[1] - low[1] >= SQUARES_MAX)
        return MST_OK;
    squares->column = low[0];
    squares->row = low[1];
    squares->columns = high[0] - low[0] + 1;
    squares->rows = high[1] - low[1] + 1;
    size_t cells = (size_t)squares->columns * (size_t)squares->rows;
    squares->group = mst_arena_zero(world->arena, cells, sizeof *squares->group);
    uint32_t *waiting = mst_arena_take(world->arena, cells, sizeof *waiting);
    thing *things = mst_arena_take(world->arena, count, sizeof *things);
    if (!squares->group || !waiting || !things)
        return MST_NO_MEMORY;
    size_t seen = 0;
    for (size_t i = 0; i < count; i++)
        if (square_of(world, projection, place_at(world, i), &at[0], &at[1])) {
            uint32_t cell =
                (uint32_t)(at[1] - low[1]) * (uint32_t)squares->columns + (uint32_t)(at[0] - low[0]);
            squares->group[cell] = UNGROUPED;
            things[seen++] = (thing){cell, place_at(world, i)[1]};
        }
    uint32_t groups = find_groups(squares, waiting);
    squares->heights = mst_arena_take(world->arena, (size_t)groups + 1, sizeof *squares->heights);
    if (!squares->heights)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < seen; i++)
        things[i].group = squares->group[things[i].group];
    qsort(things, seen, sizeof *things, compare_things);
    squares->heights[0] = things[seen / 2].height;
    for (size_t i = 0, first = 0; i < seen; i++)
        if (i + 1 == seen || things[i + 1].group != things[i].group) {
            squares->heights[things[i].group] = things[first + (i + 1 - first) / 2].height;
            first = i + 1;
        }
    return MST_OK;
}

/* A point of the grid: integers are corners. Squares around a corner are in one group. */
static void corner(const mst_squares *s, double column, double row, float point[3]) {
    uint32_t group = 0;
    for (int k = 0; k < 4 && !group; k++)
        group = group_at(s, (int32_t)floor(column + (k & 1 ? 0.25 : -0.25)),
                         (int32_t)floor(row + (k >> 1 ? 0.25 : -0.25)));
    point[0] = (float)((s->column + column) * s->step);
    point[1] = s->heights[group];
    point[2] = (float)((s->row + row) * s->step);
}

void mst_squares_widen(const mst_squares *squares, mst_view_world *world, const mst_projection *projection) {
    for (int32_t row = 0; row < squares->rows; row++)
        for (int32_t column = 0; column < squares->columns; column++)
            for (int k = 0; k < 4 && there(squares, column, row); k++) {
                float point[3];
                corner(squares, column + (k & 1), row + (k >> 1), point);
                double x = mst_view_dot(projection->right, point), y = mst_view_dot(projection->down, point);
                world->across.low = x < world->across.low ? x : world->across.low;
                world->across.high = x > world->across.high ? x : world->across.high;
                world->along.low = y < world->along.low ? y : world->along.low;
                world->along.high = y > world->along.high ? y : world->along.high;
            }
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

typedef struct sketch {
    const mst_squares *squares;
    const mst_projection *projection;
    const mst_view_frame *frame;
    mst_canvas *canvas;
    int32_t scale;
    double thick; /* of lines, pixels */
    mst_rgba color;
} sketch;

static void to_pixel(const sketch *k, double column, double row, double pixel[2]) {
    float point[3];
    corner(k->squares, column, row, point);
    const mst_projection *p = k->projection;
    pixel[0] = (mst_view_dot(p->right, point) - p->left) * p->scale + k->frame->x;
    pixel[1] = (mst_view_dot(p->down, point) - p->top) * p->scale + k->frame->y;
}

static void draw_side(const sketch *k, int32_t column, int32_t row, bool down) {
    double a[2], b[2];
    to_pixel(k, column, row, a);
    to_pixel(k, column + !down, row + down, b);
    const mst_view_frame *f = k->frame;
    if (fabs(a[0] - b[0]) < 0.01 || fabs(a[1] - b[1]) < 0.01) {
        int32_t thick = (int32_t)k->thick;
        double x = a[0] < b[0] ? a[0] : b[0], y = a[1] < b[1] ? a[1] : b[1];
        int32_t left = (int32_t)floor(x + 0.5), top = (int32_t)floor(y + 0.5);
        int32_t right = (int32_t)floor((a[0] > b[0] ? a[0] : b[0]) + 0.5),
                bottom = (int32_t)floor((a[1] > b[1] ? a[1] : b[1]) + 0.5);
        right = right > f->x + f->width ? f->x + f->width : right;
        mst_canvas_rectangle(k->canvas, left, top, right > left ? right - left : thick,
                             bottom > top ? bottom - top : thick, k->color);
        return;
    }
    mst_canvas_line(k->canvas, a[0], a[1], b[0], b[1], 0.9 * k->thick, k->color);
}

/* A text centred on a point, kept within the frame; nothing if the point is not near it. */
static void draw_number(const sketch *k, double x, double y, const char *text) {
    const mst_view_frame *f = k->frame;
    int32_t width = (int32_t)strlen(text) * MST_FONT_WIDTH * k->scale, height = MST_FONT_HEIGHT * k->scale;
    if (!(x > f->x && x < f->x + f->width && y > f->y && y < f->y + f->height))
        return;
    int32_t left = (int32_t)x - width / 2, top = (int32_t)y - height / 2, edge = 2 * k->scale;
    int32_t right = f->x + f->width - width - edge, bottom = f->y + f->height - height - edge;
    left = left > right ? right : left;
    left = left < f->x + edge ? f->x + edge : left;
    top = top > bottom ? bottom : top;
    top = top < f->y + edge ? f->y + edge : top;
    mst_font_draw(k->canvas, left, top, k->scale, text, SIZE_MAX, number_color, true);
}

/* The numbers of columns above the first row, and of rows next to the first column. */
static void number_edges(const sketch *k, bool rows, double pixels) {
    const mst_squares *s = k->squares;
    int32_t count = rows ? s->rows : s->columns, first = rows ? s->row : s->column;
    char text[16];
    double capacity = 3.5 * MST_FONT_WIDTH * k->scale, reach = 0.7 * MST_FONT_HEIGHT * k->scale;
    int32_t every =
        pixels > 0 && capacity / pixels < SQUARES_MAX ? (int32_t)(capacity / pixels) + 1 : SQUARES_MAX;
    for (int32_t i = 0; i < count; i++) {
        int64_t number = (int64_t)first + i;
        if (number % every)
            continue;
        double at[2];
        double edge[2], next[2]; /* next to the first existing square of the row or column */
        to_pixel(k, rows ? 0 : i + 0.5, rows ? i + 0.5 : 0, edge);
        to_pixel(k, rows ? 1 : i + 0.5, rows ? i + 0.5 : 1, next);
        double size = hypot(next[0] - edge[0], next[1] - edge[1]), out = (rows ? 1.3 : 1) * reach / size;
        for (int c = 0; c < 2; c++)
            at[c] = size > 0 ? edge[c] - (next[c] - edge[c]) * out : edge[c];
        snprintf(text, sizeof text, "%lld", (long long)number);
        draw_number(k, at[0], at[1], text);
    }
}

static void number_squares(const sketch *k) {
    const mst_squares *s = k->squares;
    char text[32];
    for (int32_t row = 0; row < s->rows; row++)
        for (int32_t column = 0; column < s->columns; column++) {
            if (!there(s, column, row))
                continue;
            snprintf(text, sizeof text, "%lld,%lld", (long long)s->column + column, (long long)s->row + row);
            /* inside the square, next to its uppermost corner in the picture */
            double a[2], b[2], c[2];
            to_pixel(k, column, row, a);
            to_pixel(k, column + 1, row, b);
            to_pixel(k, column, row + 1, c);
            double half = ((double)strlen(text) * MST_FONT_WIDTH / 2 + 3) * k->scale, drop = 8.0 * k->scale;
            if (fabs(b[1] - a[1]) < 0.01)
                draw_number(k, a[0] + half, a[1] + drop, text);
            else if (b[1] > a[1] && c[1] > a[1]) /* a tip: where the square is wide enough */
                draw_number(k, a[0], a[1] + drop + half / 2, text);
            else
                draw_number(k, (b[0] + c[0]) / 2, (b[1] + c[1]) / 2, text);
        }
}

void mst_squares_draw(const mst_squares *squares, const mst_projection *projection,
                      const mst_view_frame *frame, mst_canvas *canvas, int32_t scale, bool numbers) {
    sketch k = {squares, projection, frame, canvas, scale, scale, line_color};
    if (!squares->group)
        return;
    double origin[2], next[2], below[2];
    to_pixel(&k, 0, 0, origin);
    to_pixel(&k, 1, 0, next);
    to_pixel(&k, 0, 1, below);
    double wide = hypot(next[0] - origin[0], next[1] - origin[1]);
    double high = hypot(below[0] - origin[0], below[1] - origin[1]);
    bool small = wide < 9.0 * MST_FONT_WIDTH * scale;
    if (small) { /* many lines: thin ones */
        int32_t half = (scale + 1) / 2;
        k.thick = half;
        k.color.a = 72;
    }
    for (int32_t row = 0; row <= squares->rows; row++)
        for (int32_t column = 0; column <= squares->columns; column++) {
            bool here = there(squares, column, row);
            if (here || there(squares, column, row - 1))
                draw_side(&k, column, row, false);
            if (here || there(squares, column - 1, row))
                draw_side(&k, column, row, true);
        }
    if (!numbers)
        return;
    if (small) {
        number_edges(&k, false, wide);
        number_edges(&k, true, high);
    } else {
        number_squares(&k);
    }
}
