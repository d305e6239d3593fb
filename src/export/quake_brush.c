/* SPDX-License-Identifier: MIT */
/* One face as a brush: planes, each by three points and two texture axes. */
#include "quake_brush.h"
#include "../core/number.h"
#include "../core/vector.h"
#include <math.h>

#define DEPTH   (0.2 * MST_QUAKE_INCHES)    /* minimum height of a face's pyramid */
#define SHALLOW 16.0                        /* and minimum height as a part of its radius */
#define BEND    (0.001 * MST_QUAKE_INCHES)  /* tolerance for flatness */
#define IN_LINE (0.0001 * MST_QUAKE_INCHES) /* distance of a corner from the line of its neighbours */
#define LEAST   1e-5                        /* square inches: the smallest area */

/* The cross product of the edges at a corner: twice the area of the triangle with its neighbours. */
static void turn_at(const mst_brush_corner *corners, size_t count, size_t at, double turn[3]) {
    const double *here = corners[at].position, *before = corners[(at + count - 1) % count].position,
                 *after = corners[(at + 1) % count].position;
    double in[3], out[3];
    mst_between(before, here, in);
    mst_between(here, after, out);
    mst_cross(in, out, turn);
}

static bool is_in_line(const mst_brush_corner *corners, size_t count, size_t at) {
    double turn[3], base[3];
    turn_at(corners, count, at, turn);
    mst_between(corners[(at + count - 1) % count].position, corners[(at + 1) % count].position, base);
    return mst_length(turn) <= IN_LINE * mst_length(base);
}

/* Removes corners that are in line with their neighbours; returns the number left. */
static size_t straighten(mst_brush_corner *corners, size_t count) {
    for (size_t i = 0; i < count && count >= 3;) {
        if (!is_in_line(corners, count, i)) {
            i++;
            continue;
        }
        memmove(corners + i, corners + i + 1, (count - i - 1) * sizeof *corners);
        count--;
        i = i ? i - 1 : 0;
    }
    return count;
}

/* The plane of a face, and axes on it. */
typedef struct face_plane {
    double center[3], normal[3], along[3], across[3];
    double radius;
} face_plane;

/* False if it is not flat. The corners are moved onto the plane. */
static bool find_plane(mst_brush_corner *corners, size_t count, face_plane *plane) {
    double turned[3], spoke[3], arm[3];
    *plane = (face_plane){.radius = 0};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            plane->center[k] += corners[i].position[k] / (double)count;
    for (size_t i = 0; i < count; i++) {
        mst_between(plane->center, corners[i].position, spoke);
        mst_between(plane->center, corners[(i + 1) % count].position, arm);
        mst_cross(spoke, arm, turned);
        plane->radius = fmax(plane->radius, mst_length(spoke));
        for (int k = 0; k < 3; k++)
            plane->normal[k] += turned[k];
    }
    const double area = mst_length(plane->normal);
    if (!(area > LEAST))
        return false;
    for (int k = 0; k < 3; k++)
        plane->normal[k] /= area;
    for (size_t i = 0; i < count; i++) {
        mst_between(plane->center, corners[i].position, spoke);
        const double off = mst_dot(spoke, plane->normal);
        if (fabs(off) > BEND)
            return false;
        for (int k = 0; k < 3; k++)
            corners[i].position[k] -= off * plane->normal[k];
    }
    mst_between(corners[0].position, corners[1].position, plane->along);
    const double length = mst_length(plane->along);
    for (int k = 0; k < 3; k++)
        plane->along[k] /= length;
    mst_cross(plane->normal, plane->along, plane->across);
    return true;
}

static bool is_convex(const mst_brush_corner *corners, size_t count, const double normal[3]) {
    double turn[3];
    for (size_t i = 0; i < count; i++) {
        turn_at(corners, count, i, turn);
        if (!(mst_dot(turn, normal) > 0))
            return false;
    }
    return true;
}

/* ---- textures ---------------------------------------------------------------------------------------- */

/* An axis of Valve's format: a texel is mst_dot(axis, position) / scale + offset. */
typedef struct axis {
    double direction[3], offset, scale;
} axis;

/* The axis on the plane that gives the corners their texels, by least squares, because these are rounded. */
static axis find_axis(const mst_brush_corner *corners, size_t count, const face_plane *plane, int which,
                      double repeat) {
    double xx = 0, xy = 0, yy = 0, xt = 0, yt = 0, mean = 0, spoke[3];
    axis found = {.scale = 1};
    for (size_t i = 0; i < count; i++)
        mean += corners[i].texel[which] / (double)count;
    for (size_t i = 0; i < count; i++) {
        mst_between(plane->center, corners[i].position, spoke);
        const double x = mst_dot(spoke, plane->along), y = mst_dot(spoke, plane->across),
                     t = corners[i].texel[which] - mean;
        xx += x * x, xy += x * y, yy += y * y;
        xt += x * t, yt += y * t;
    }
    const double determinant = xx * yy - xy * xy, x = (xt * yy - yt * xy) / determinant,
                 y = (yt * xx - xt * xy) / determinant, slope = hypot(x, y);
    const bool sound = determinant > 0 && isfinite(slope) && slope > 1e-6;
    for (int k = 0; k < 3; k++)
        found.direction[k] = sound   ? (x * plane->along[k] + y * plane->across[k]) / slope
                             : which ? -plane->across[k]
                                     : plane->along[k];
    if (sound) {
        found.scale = 1 / slope;
        found.offset = fmod(mean - mst_dot(found.direction, plane->center) * slope, repeat);
    }
    return found;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

void mst_quake_fixed(mst_output *out, double value, unsigned decimals) {
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    const double limit = 4e18 / powers[decimals], size = fabs(value) < limit ? fabs(value) : 0;
    uint64_t number = (uint64_t)floor(size * powers[decimals] + 0.5);
    const uint64_t power = (uint64_t)powers[decimals], whole = number / power;
    char *text = mst_output_reserve(out, 2 * MST_NUMBER_MAX);
    size_t length = 0;
    if (value < 0 && number)
        text[length++] = '-';
    length += mst_write_u64(text + length, whole);
    number -= whole * power;
    if (number)
        text[length++] = '.';
    for (uint64_t digit = power / 10; number; digit /= 10) {
        text[length++] = (char)('0' + number / digit);
        number %= digit;
    }
    mst_output_advance(out, length);
}

static void put_point(mst_output *out, const double point[3]) {
    mst_output_text(out, "( ");
    for (int k = 0; k < 3; k++) {
        mst_quake_fixed(out, point[k], 6);
        mst_output_text(out, " ");
    }
    mst_output_text(out, ") ");
}

static void put_axis(mst_output *out, const double direction[3], double offset) {
    mst_output_text(out, " [ ");
    for (int k = 0; k < 3; k++) {
        mst_quake_fixed(out, direction[k], 9);
        mst_output_text(out, " ");
    }
    mst_quake_fixed(out, offset, 6);
    mst_output_text(out, " ]");
}

static void put_plane(mst_output *out, const double *a, const double *b, const double *c, const char *texture,
                      const axis both[2]) {
    put_point(out, a);
    put_point(out, b);
    put_point(out, c);
    mst_output_text(out, texture);
    for (int i = 0; i < 2; i++)
        put_axis(out, both[i].direction, both[i].offset);
    mst_output_text(out, " 0");
    for (int i = 0; i < 2; i++) {
        mst_output_text(out, " ");
        mst_quake_fixed(out, both[i].scale, 9);
    }
    mst_output_text(out, "\n");
}

/* Three corners that are far apart, in order. */
static void choose_three(const mst_brush_corner *corners, size_t count, size_t three[3]) {
    double best = 0, reach[3], arm[3], area[3];
    size_t far = 1, other = 2;
    for (size_t i = 1; i < count; i++) {
        mst_between(corners[0].position, corners[i].position, reach);
        if (mst_length(reach) > best) {
            best = mst_length(reach);
            far = i;
        }
    }
    best = 0;
    mst_between(corners[0].position, corners[far].position, reach);
    for (size_t i = 1; i < count; i++) {
        mst_between(corners[0].position, corners[i].position, arm);
        mst_cross(reach, arm, area);
        if (i != far && mst_length(area) > best) {
            best = mst_length(area);
            other = i;
        }
    }
    three[0] = 0;
    three[1] = far < other ? far : other;
    three[2] = far < other ? other : far;
}

bool mst_quake_brush(mst_output *out, mst_brush_corner *corners, size_t count, const char *texture,
                     const double size[2]) {
    face_plane plane;
    count = straighten(corners, count);
    if (count < 3 || !find_plane(corners, count, &plane) || !is_convex(corners, count, plane.normal))
        return false;
    const axis own[2] = {find_axis(corners, count, &plane, 0, size[0]),
                         find_axis(corners, count, &plane, 1, size[1])};
    size_t three[3];
    choose_three(corners, count, three);
    mst_output_text(out, "{\n");
    put_plane(out, corners[three[0]].position, corners[three[2]].position, corners[three[1]].position,
              texture, own);
    const double depth = fmax(DEPTH, plane.radius / SHALLOW);
    double apex[3], normal[3], edge[3], arm[3];
    for (int k = 0; k < 3; k++)
        apex[k] = plane.center[k] - depth * plane.normal[k];
    for (size_t i = 0; i < count; i++) {
        const double *a = corners[i].position, *b = corners[(i + 1) % count].position;
        axis side[2] = {{.scale = 1}, {.scale = 1}};
        mst_between(a, b, edge);
        mst_between(a, apex, arm);
        mst_cross(edge, arm, normal);
        for (int k = 0; k < 3; k++)
            side[0].direction[k] = edge[k] / mst_length(edge);
        mst_cross(normal, side[0].direction, side[1].direction);
        const double length = mst_length(side[1].direction);
        for (int k = 0; k < 3; k++)
            side[1].direction[k] /= length;
        put_plane(out, a, b, apex, "skip", side);
    }
    mst_output_text(out, "}\n");
    return true;
}
