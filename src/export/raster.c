/* SPDX-License-Identifier: MIT */
#include "raster.h"
#include "svg.h"

#include <math.h>
#include <string.h>

#define SUBSAMPLES 256      /* corners are rounded to this fraction of a sample */
#define GUARD      131072.0 /* triangles are clipped to this first, so that nothing overflows */
#define POLYGON    8        /* corners of a triangle clipped by four lines, and one to spare */

void mst_samples_clear(mst_samples *samples) {
    size_t count = (size_t)samples->width * (size_t)samples->rows;
    memset(samples->id, 0, count * sizeof *samples->id);
    for (size_t i = 0; i < count; i++)
        samples->depth[i] = -INFINITY;
}

/* The depth of a triangle as a plane, clamped to the depths of its corners: next to the edge of a steep
 * triangle the plane is far off. */
typedef struct depth_plane {
    double at_origin, by_x, by_y, lowest, highest;
} depth_plane;

static int64_t floor_divide(int64_t value, int64_t divisor) {
    int64_t quotient = value / divisor;
    return quotient - (value % divisor < 0);
}

/* One side of a triangle: a sample of column x is on the inner side if base - slope * x >= 0. The column
 * where it ends in a row is a quotient, which is computed once and then updated from row to row with its
 * remainder. */
typedef struct side {
    int64_t x, y, dx, dy, bias;
    int64_t base;            /* of the row */
    int64_t divisor;         /* 0: parallel to the rows */
    int64_t quotient, left;  /* base / divisor, rounded down, and the remainder */
    int64_t step, step_left; /* added to both per row */
} side;

static void begin_side(side *s, int64_t row) {
    const int64_t y = row * SUBSAMPLES + SUBSAMPLES / 2, rise = s->dx * SUBSAMPLES;
    s->base = s->dx * (y - s->y) - s->dy * (SUBSAMPLES / 2 - s->x) + s->bias;
    s->divisor = (s->dy < 0 ? -s->dy : s->dy) * SUBSAMPLES;
    if (s->divisor == 0)
        return;
    s->quotient = floor_divide(s->base, s->divisor);
    s->left = s->base - s->quotient * s->divisor;
    s->step = floor_divide(rise, s->divisor);
    s->step_left = rise - s->step * s->divisor;
}

static void clip_to_side(const side *s, int64_t *first, int64_t *last) {
    if (s->dy > 0)
        *last = s->quotient < *last ? s->quotient : *last;
    else if (s->dy < 0)
        *first = -s->quotient > *first ? -s->quotient : *first;
    else if (s->base < 0)
        *last = *first - 1;
}

static void next_row(side *s) {
    s->base += s->dx * SUBSAMPLES;
    s->quotient += s->step;
    s->left += s->step_left;
    if (s->left >= s->divisor && s->divisor) {
        s->left -= s->divisor;
        s->quotient++;
    }
}

static void fill(mst_samples *samples, const double corners[3][2], const depth_plane *plane, uint32_t id,
                 mst_sample_test test, void *user) {
    int64_t x[3], y[3];
    for (int i = 0; i < 3; i++) {
        x[i] = (int64_t)floor(corners[i][0] * SUBSAMPLES + 0.5);
        y[i] = (int64_t)floor(corners[i][1] * SUBSAMPLES + 0.5);
    }
    int64_t area = (x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]);
    if (area == 0)
        return;
    side sides[3];
    int64_t low = y[0], high = y[0];
    for (int i = 0; i < 3; i++) {
        int from = i, to = (i + 1) % 3;
        if (area < 0) {
            from = to;
            to = i;
        }
        side *s = &sides[i];
        *s = (side){.x = x[from], .y = y[from], .dx = x[to] - x[from], .dy = y[to] - y[from]};
        /* A sample exactly on a side belongs to the triangle right of it or below it. */
        if (!(s->dy < 0 || (s->dy == 0 && s->dx > 0)))
            s->bias = -1;
        low = y[i] < low ? y[i] : low;
        high = y[i] > high ? y[i] : high;
    }
    int64_t row = floor_divide(low - SUBSAMPLES / 2, SUBSAMPLES);
    int64_t end = floor_divide(high - SUBSAMPLES / 2, SUBSAMPLES) + 1;
    row = row > samples->top ? row : samples->top;
    end = end < samples->top + samples->rows ? end : samples->top + samples->rows;
    for (int i = 0; i < 3; i++)
        begin_side(&sides[i], row);
    for (; row < end; row++) {
        int64_t first = 0, last = samples->width - 1;
        for (int i = 0; i < 3; i++) {
            clip_to_side(&sides[i], &first, &last);
            next_row(&sides[i]);
        }
        size_t line = (size_t)(row - samples->top) * (size_t)samples->width;
        double at_row = plane->at_origin + plane->by_y * ((double)row + 0.5) + plane->by_x * 0.5;
        for (int64_t column = first; column <= last; column++) {
            double z = at_row + plane->by_x * (double)column;
            z = z < plane->lowest ? plane->lowest : z > plane->highest ? plane->highest : z;
            float depth = (float)z;
            size_t at = line + (size_t)column;
            if (depth > samples->depth[at] &&
                (!test || test(user, id, (int32_t)column, (int32_t)row, depth))) {
                samples->depth[at] = depth;
                samples->id[at] = id;
            }
        }
    }
}

/* Cuts a polygon at sign * coordinate <= GUARD; returns its new number of corners. */
static int cut(double polygon[POLYGON][2], int count, int axis, double sign) {
    double result[POLYGON][2];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const double *a = polygon[i], *b = polygon[(i + 1) % count];
        double over_a = sign * a[axis] - GUARD, over_b = sign * b[axis] - GUARD;
        if (over_a <= 0 && kept < POLYGON) {
            result[kept][0] = a[0];
            result[kept++][1] = a[1];
        }
        if ((over_a <= 0) != (over_b <= 0) && kept < POLYGON) {
            double share = over_a / (over_a - over_b);
            result[kept][0] = a[0] + (b[0] - a[0]) * share;
            result[kept++][1] = a[1] + (b[1] - a[1]) * share;
        }
    }
    memcpy(polygon, result, (size_t)kept * sizeof *result);
    return kept;
}

void mst_samples_triangle(mst_samples *samples, const double corners[3][3], uint32_t id, mst_sample_test test,
                          void *user) {
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = corners[0][axis];
        for (int i = 0; i < 3; i++) {
            double value = corners[i][axis];
            if (!(fabs(value) < 1e12))
                return;
            low[axis] = value < low[axis] ? value : low[axis];
            high[axis] = value > high[axis] ? value : high[axis];
        }
    }
    if (high[0] < 0 || low[0] > samples->width || high[1] < samples->top ||
        low[1] > samples->top + samples->rows)
        return;
    const double *a = corners[0], *b = corners[1], *c = corners[2];
    double bx = b[0] - a[0], by = b[1] - a[1], bz = b[2] - a[2];
    double cx = c[0] - a[0], cy = c[1] - a[1], cz = c[2] - a[2];
    double area = bx * cy - cx * by;
    if (!(fabs(area) > 1e-9))
        return;
    depth_plane plane = {.by_x = (bz * cy - cz * by) / area,
                         .by_y = (bx * cz - cx * bz) / area,
                         .lowest = low[2],
                         .highest = high[2]};
    plane.at_origin = a[2] - plane.by_x * a[0] - plane.by_y * a[1];
    double polygon[POLYGON][2] = {{a[0], a[1]}, {b[0], b[1]}, {c[0], c[1]}};
    int count = 3;
    if (low[0] < -GUARD || low[1] < -GUARD || high[0] > GUARD || high[1] > GUARD)
        for (int axis = 0; axis < 2; axis++) {
            count = cut(polygon, count, axis, 1);
            count = cut(polygon, count, axis, -1);
        }
    for (int i = 2; i < count; i++) {
        const double part[3][2] = {{polygon[0][0], polygon[0][1]},
                                   {polygon[i - 1][0], polygon[i - 1][1]},
                                   {polygon[i][0], polygon[i][1]}};
        fill(samples, part, &plane, id, test, user);
    }
}

void mst_samples_line(mst_samples *samples, const double from[2], const double to[2], double depth,
                      double width, uint32_t id) {
    double dx = to[0] - from[0], dy = to[1] - from[1];
    double length = sqrt(dx * dx + dy * dy);
    if (!(length > 1e-6))
        return;
    dx *= width / 2 / length;
    dy *= width / 2 / length;
    /* Extended by half a width at both ends, so that corners close. */
    double ax = from[0] - dx, ay = from[1] - dy, bx = to[0] + dx, by = to[1] + dy;
    const double first[3][3] = {
        {ax - dy, ay + dx, depth}, {ax + dy, ay - dx, depth}, {bx + dy, by - dx, depth}};
    const double second[3][3] = {
        {ax - dy, ay + dx, depth}, {bx + dy, by - dx, depth}, {bx - dy, by + dx, depth}};
    mst_samples_triangle(samples, first, id, NULL, NULL);
    mst_samples_triangle(samples, second, id, NULL, NULL);
}

static uint8_t to_byte(double value) {
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)lround(value);
}

void mst_canvas_blend(mst_canvas *canvas, int32_t x, int32_t y, mst_rgba color, double coverage) {
    y -= canvas->top;
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->rows || !(coverage > 0))
        return;
    uint8_t *pixel = canvas->pixels + ((size_t)y * (size_t)canvas->width + (size_t)x) * 4;
    if (color.a == 255 && coverage >= 1) {
        memcpy(pixel, (const uint8_t[4]){color.r, color.g, color.b, 255}, 4);
        return;
    }
    double over = color.a / 255.0 * (coverage < 1 ? coverage : 1);
    double under = pixel[3] / 255.0 * (1 - over);
    double alpha = over + under;
    if (!(alpha > 0))
        return;
    pixel[0] = to_byte((color.r * over + pixel[0] * under) / alpha);
    pixel[1] = to_byte((color.g * over + pixel[1] * under) / alpha);
    pixel[2] = to_byte((color.b * over + pixel[2] * under) / alpha);
    pixel[3] = to_byte(alpha * 255);
}

void mst_canvas_rectangle(mst_canvas *canvas, int32_t x, int32_t y, int32_t width, int32_t height,
                          mst_rgba color) {
    if (canvas->svg) {
        mst_svg_rectangle(canvas->svg, x, y, width, height, color);
        return;
    }
    const int32_t end = canvas->top + canvas->rows;
    for (int32_t row = y < canvas->top ? canvas->top : y; row < y + height && row < end; row++)
        for (int32_t column = x < 0 ? 0 : x; column < x + width && column < canvas->width; column++)
            mst_canvas_blend(canvas, column, row, color, 1);
}

/* The pixels from `low` to `high`, within 0 .. end - 1. */
static void pixel_range(double low, double high, int32_t end, int32_t *first, int32_t *last) {
    *first = low > 0 ? low < end ? (int32_t)low : end : 0;
    *last = high < end ? high >= 0 ? (int32_t)high : -1 : end - 1;
}

/* The rows of the canvas from `low` to `high`. */
static void row_range(const mst_canvas *canvas, double low, double high, int32_t *first, int32_t *last) {
    pixel_range(low, high, canvas->top + canvas->rows, first, last);
    *first = *first > canvas->top ? *first : canvas->top;
}

void mst_canvas_line(mst_canvas *canvas, double x0, double y0, double x1, double y1, double width,
                     mst_rgba color) {
    double dx = x1 - x0, dy = y1 - y0, length = sqrt(dx * dx + dy * dy);
    if (!(length > 1e-6 && length < 1e9))
        return;
    if (canvas->svg) {
        mst_svg_line(canvas->svg, (const double[]){x0, y0}, (const double[]){x1, y1}, width, color);
        return;
    }
    dx /= length;
    dy /= length;
    double reach = width / 2 + 1;
    int32_t left, right, top, bottom;
    pixel_range((x0 < x1 ? x0 : x1) - reach, (x0 > x1 ? x0 : x1) + reach, canvas->width, &left, &right);
    row_range(canvas, (y0 < y1 ? y0 : y1) - reach, (y0 > y1 ? y0 : y1) + reach, &top, &bottom);
    for (int32_t y = top; y <= bottom; y++) {
        /* A long line has only a few pixels per row. */
        int32_t first = left, last = right;
        double py = y + 0.5 - y0;
        if (fabs(dy) > 0.02) {
            double middle = x0 + py * dx / dy, spread = reach / fabs(dy) + 1;
            int32_t near_first, near_last;
            pixel_range(middle - spread, middle + spread, canvas->width, &near_first, &near_last);
            first = near_first > first ? near_first : first;
            last = near_last < last ? near_last : last;
        }
        for (int32_t x = first; x <= last; x++) {
            double px = x + 0.5 - x0;
            double along = px * dx + py * dy, across = fabs(px * dy - py * dx);
            double beyond = along < 0 ? -along : along - length;
            double side_cover = width / 2 + 0.5 - across, end_cover = 0.5 - beyond;
            double cover = side_cover < end_cover ? side_cover : end_cover;
            mst_canvas_blend(canvas, x, y, color, cover < width ? cover : width);
        }
    }
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The distance of a point from a mark of radius r (inside: negative). */
static double mark_distance(mst_mark mark, double x, double y, double r) {
    double ax = fabs(x), ay = fabs(y);
    switch (mark) {
    case MST_MARK_SQUARE: return larger(ax, ay) - r * 0.88;
    case MST_MARK_DIAMOND: return (ax + ay) * 0.70710678118654752 - r * 0.84;
    case MST_MARK_UP: return larger(y - r * 0.75, (ax * 2 - y) * 0.4472135954999579 - r * 0.6);
    case MST_MARK_DOWN: return larger(-y - r * 0.75, (ax * 2 + y) * 0.4472135954999579 - r * 0.6);
    case MST_MARK_PLUS: {
        double across = larger(ax - r * 1.1, ay - r * 0.38), down = larger(ax - r * 0.38, ay - r * 1.1);
        return across < down ? across : down;
    }
    case MST_MARK_CROSS: {
        double u = (x + y) * 0.70710678118654752, v = (x - y) * 0.70710678118654752;
        return mark_distance(MST_MARK_PLUS, u, v, r);
    }
    case MST_MARK_RING: return fabs(sqrt(x * x + y * y) - r * 0.78) - r * 0.28;
    default: return sqrt(x * x + y * y) - r;
    }
}

void mst_canvas_mark(mst_canvas *canvas, mst_mark mark, double x, double y, double radius, double rim,
                     mst_rgba color) {
    if (canvas->svg) {
        mst_svg_mark(canvas->svg, mark, (const double[]){x, y}, radius, rim, color);
        return;
    }
    const mst_rgba dark = {10, 12, 16, color.a};
    double reach = radius * 1.3 + rim + 1;
    int32_t left, right, top, bottom;
    pixel_range(x - reach, x + reach, canvas->width, &left, &right);
    row_range(canvas, y - reach, y + reach, &top, &bottom);
    for (int32_t row = top; row <= bottom; row++)
        for (int32_t column = left; column <= right; column++) {
            double distance = mark_distance(mark, column + 0.5 - x, row + 0.5 - y, radius);
            if (rim > 0)
                mst_canvas_blend(canvas, column, row, dark, rim + 0.5 - distance);
            mst_canvas_blend(canvas, column, row, color, 0.5 - distance);
        }
}
