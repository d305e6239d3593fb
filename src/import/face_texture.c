/* SPDX-License-Identifier: MIT */
/* Texture mapping of faces: from texture coordinates of corners to the stored parameters, by least
 * squares. */
#include "../core/angles.h"
#include "../core/vector.h"
#include "faces.h"
#include <math.h>

#define FLOAT_EPSILON 1.1920929e-7
#define SAME_UV       1e-3 /* repeats */
#define HALF_TURN     3.14159265358979323846

static void texture_axes(const double n[3], double u[3], double v[3]) {
    const double length = sqrt(n[0] * n[0] + n[2] * n[2]), sign = n[1] < 0 ? -1 : 1;
    if (fabs(n[0]) < 0.00127 && fabs(n[2]) < 0.00127) {
        u[0] = u[1] = v[1] = v[2] = 0;
        u[2] = v[0] = sign;
        return;
    }
    u[0] = n[2] / length, u[1] = 0, u[2] = -n[0] / length;
    for (int i = 0; i < 3; i++)
        v[i] = n[(i + 1) % 3] * u[(i + 2) % 3] - n[(i + 2) % 3] * u[(i + 1) % 3];
}

/* The position of a corner in the plane of the texture. */
static void place_of(const mst_face_texture *t, const mst_face_corner *corner, double *x, double *y) {
    const double at[3] = {corner->at[0] - t->origin[0], corner->at[1] - t->origin[1],
                          corner->at[2] - t->origin[2]};
    *x = mst_dot(at, t->u);
    *y = mst_dot(at, t->v);
}

/* Sums over corners, and over their texture coordinates. */
typedef struct sums {
    double count, x, y, xx, xy, yy, value[2], x_value[2], y_value[2];
} sums;

static bool solve(const sums *f, int k, double row[3]) {
    const double n = f->count, mx = f->x / n, my = f->y / n, mv = f->value[k] / n;
    const double xx = f->xx / n - mx * mx, xy = f->xy / n - mx * my, yy = f->yy / n - my * my,
                 xv = f->x_value[k] / n - mx * mv, yv = f->y_value[k] / n - my * mv;
    const double determinant = xx * yy - xy * xy;
    if (!(fabs(determinant) > 1e-18))
        return false;
    row[0] = (xv * yy - yv * xy) / determinant;
    row[1] = (yv * xx - xv * xy) / determinant;
    row[2] = mv - row[0] * mx - row[1] * my;
    return isfinite(row[0] + row[1] + row[2]);
}

void mst_face_texture_fit(const mst_face_triangle *triangles, size_t count, const double normal[3],
                          mst_face_texture *t) {
    sums f = {.count = 0};
    *t = (mst_face_texture){.none = true};
    if (!count)
        return;
    texture_axes(normal, t->u, t->v);
    memcpy(t->origin, triangles[0].corners[0].at, sizeof t->origin); /* near 0 the sums are exact */
    for (size_t i = 0; i < 3 * count; i++) {
        const mst_face_corner *corner = &triangles[i / 3].corners[i % 3];
        double x, y;
        place_of(t, corner, &x, &y);
        f.count++, f.x += x, f.y += y, f.xx += x * x, f.xy += x * y, f.yy += y * y;
        for (int k = 0; k < 2; k++) {
            f.value[k] += corner->uv[k];
            f.x_value[k] += x * corner->uv[k];
            f.y_value[k] += y * corner->uv[k];
        }
    }
    t->none = !solve(&f, 0, t->rows[0]) || !solve(&f, 1, t->rows[1]);
}

void mst_face_texture_of(const mst_face_mapping *m, const double normal[3], mst_face_texture *t) {
    const double c = mst_cosine(m->angle), s = mst_sine(m->angle);
    *t = (mst_face_texture){.rows = {{c * m->scale[0], -s * m->scale[0], m->offset[0]},
                                     {-s * m->scale[1], -c * m->scale[1], m->offset[1]}}};
    texture_axes(normal, t->u, t->v);
}

double mst_face_texture_off(const mst_face_texture *t, const mst_face_triangle *triangles, size_t count,
                            double by[2], double *exact) {
    double largest = 0, left = 0;
    by[0] = by[1] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < 3 * count; i++) {
            const mst_face_corner *corner = &triangles[i / 3].corners[i % 3];
            double x, y;
            place_of(t, corner, &x, &y);
            for (int k = 0; k < 2; k++) {
                const double off = corner->uv[k] - (t->rows[k][0] * x + t->rows[k][1] * y + t->rows[k][2]);
                largest = fmax(largest, fabs(corner->uv[k]));
                if (pass)
                    left = fmax(left, fabs(off - by[k]));
                else
                    by[k] += off / (3 * (double)count);
            }
        }
    *exact = 16 * FLOAT_EPSILON * largest;
    return left;
}

bool mst_face_mapping_of(const mst_face_texture *t, mst_face_mapping *m) {
    const double *a = t->rows[0], *c = t->rows[1];
    const double across = sqrt(a[0] * a[0] + a[1] * a[1]);
    if (t->none || across < 1e-6)
        return false;
    m->angle = mst_arc_tangent(-a[1], a[0]);
    const double cosine = mst_cosine(m->angle), sine = mst_sine(m->angle);
    m->scale[0] = across;
    m->scale[1] = -(c[0] * sine + c[1] * cosine);
    if (m->scale[1] < 0 && fabs(m->angle) > HALF_TURN / 2) { /* a mirrored texture, without half a turn */
        m->angle += m->angle > 0 ? -HALF_TURN : HALF_TURN;
        m->scale[0] = -m->scale[0], m->scale[1] = -m->scale[1];
    }
    const double x = mst_dot(t->origin, t->u), y = mst_dot(t->origin, t->v);
    m->offset[0] = a[2] - a[0] * x - a[1] * y;
    m->offset[1] = c[2] - c[0] * x - c[1] * y;
    m->shear = fabs(c[0] * cosine - c[1] * sine);
    return fabs(m->scale[1]) >= 1e-6;
}

/* ---- one texture on several triangles ---- */

/* The position of a point in a triangle: the shares of its second and third corner. False if it has no
 * area. */
static bool shares_of(const mst_face_triangle *t, const double at[3], double shares[2]) {
    double a[3], b[3], p[3], aa = 0, ab = 0, bb = 0, pa = 0, pb = 0;
    for (int k = 0; k < 3; k++) {
        a[k] = t->corners[1].at[k] - t->corners[0].at[k];
        b[k] = t->corners[2].at[k] - t->corners[0].at[k];
        p[k] = at[k] - t->corners[0].at[k];
        aa += a[k] * a[k], ab += a[k] * b[k], bb += b[k] * b[k];
        pa += p[k] * a[k], pb += p[k] * b[k];
    }
    const double determinant = aa * bb - ab * ab;
    if (!(determinant > 0))
        return false;
    shares[0] = (pa * bb - pb * ab) / determinant;
    shares[1] = (pb * aa - pa * ab) / determinant;
    return true;
}

bool mst_same_mapping(const mst_face_triangle *one, const mst_face_triangle *other) {
    const mst_face_corner *c = one->corners;
    double shares[2];
    for (int i = 0; i < 3; i++) {
        const mst_face_corner *at = &other->corners[i];
        if (!shares_of(one, at->at, shares))
            return false;
        for (int k = 0; k < 2; k++) {
            const double there = c[0].uv[k] + shares[0] * (c[1].uv[k] - c[0].uv[k]) +
                                 shares[1] * (c[2].uv[k] - c[0].uv[k]),
                         size = fabs(shares[0]) + fabs(shares[1]) + 1;
            if (!(fabs(there - at->uv[k]) <= SAME_UV * size))
                return false;
        }
    }
    return true;
}
