/* SPDX-License-Identifier: MIT */
#include "tangents.h"
#include "../core/vector.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Scales to length 1; false if it has no length. */
static bool unit(double v[3]) {
    double length = sqrt(mst_dot(v, v));
    if (!(length > 1e-12 && length < 1e30))
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

/* Adds a triangle's tangent to its corners; the fourth number adds up the signs of their mirroring. */
static void add_triangle(const mst_primitive *p, const uint32_t corners[3], float *tangents) {
    double side[2][3], uv[2][2], t[3];
    for (int s = 0; s < 2; s++) {
        for (size_t k = 0; k < 3; k++)
            side[s][k] = (double)p->positions[3 * (size_t)corners[s + 1] + k] -
                         (double)p->positions[3 * (size_t)corners[0] + k];
        for (size_t k = 0; k < 2; k++)
            uv[s][k] = (double)p->texcoords[2 * (size_t)corners[s + 1] + k] -
                       (double)p->texcoords[2 * (size_t)corners[0] + k];
    }
    double area = uv[0][0] * uv[1][1] - uv[1][0] * uv[0][1];
    for (int k = 0; k < 3; k++)
        t[k] = (side[0][k] * uv[1][1] - side[1][k] * uv[0][1]) * (area < 0 ? -1 : 1);
    if (!unit(t))
        return;
    for (int c = 0; c < 3; c++) {
        float *to = tangents + 4 * (size_t)corners[c];
        for (int k = 0; k < 3; k++)
            to[k] += (float)t[k];
        to[3] += area < 0 ? 1.0F : -1.0F; /* v points down */
    }
}

void mst_primitive_tangents(const mst_primitive *p, float *tangents) {
    uint32_t count = p->indices ? p->index_count / 3 * 3 : p->vertex_count / 3 * 3;
    memset(tangents, 0, (size_t)p->vertex_count * 4 * sizeof *tangents);
    for (uint32_t i = 0; i < count; i += 3) {
        uint32_t corners[3];
        bool fits = true;
        for (uint32_t k = 0; k < 3; k++) {
            corners[k] = p->indices ? p->indices[i + k] : i + k;
            fits = fits && corners[k] < p->vertex_count;
        }
        if (fits)
            add_triangle(p, corners, tangents);
    }
    for (size_t v = 0; v < p->vertex_count; v++) {
        float *to = tangents + 4 * v;
        double n[3], t[3];
        for (size_t k = 0; k < 3; k++) {
            n[k] = (double)p->normals[3 * v + k];
            t[k] = (double)to[k];
        }
        if (!unit(n))
            n[0] = n[2] = 0, n[1] = 1; /* the normal that exporters write */
        double along = mst_dot(n, t);
        for (int k = 0; k < 3; k++)
            t[k] -= n[k] * along;
        if (!unit(t)) { /* any direction at right angles to the normal */
            int axis = fabs(n[0]) < 0.6 ? 0 : 1;
            for (int k = 0; k < 3; k++)
                t[k] = (k == axis) - n[axis] * n[k];
            unit(t);
        }
        for (int k = 0; k < 3; k++)
            to[k] = (float)t[k];
        to[3] = to[3] < 0 ? -1.0F : 1.0F;
    }
}
