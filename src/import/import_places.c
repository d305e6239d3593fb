/* SPDX-License-Identifier: MIT */
/* Positions: from matrices of nodes to the positions, angles and sizes that a format stores. */
#include "../core/angles.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "importing.h"
#include <math.h>
#include <stdio.h>

#define FULL_TURN     6.283185307179586476925
#define SAME_TURN     1e-4 /* in each number of a rotation matrix */
#define SAME_SCALE    1e-4 /* of 1 */
#define SAME_PLACE    2e-5 /* metres */
#define FLOAT_STEPS   16 /* or this many, if that is more: Blender leaves up to 6 of the largest coordinate */
#define FLOAT_EPSILON 1.1920929e-7

/* ---- matrices ---- */

void mst_matrix_of_floats(const float from[16], double to[16]) {
    for (int i = 0; i < 16; i++)
        to[i] = (double)from[i];
}

void mst_matrix_product(const double a[16], const double b[16], double product[16]) {
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[4 * k + row] * b[4 * column + k];
            product[4 * column + row] = sum;
        }
}

bool mst_matrix_inverse(const double m[16], double inverse[16]) {
    const double *x = m, *y = m + 4, *z = m + 8, *t = m + 12;
    const double yz[3] = {y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2], y[0] * z[1] - y[1] * z[0]};
    const double zx[3] = {z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]};
    const double xy[3] = {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    const double volume = x[0] * yz[0] + x[1] * yz[1] + x[2] * yz[2];
    if (!(fabs(volume) > 1e-30) || !isfinite(volume))
        return false;
    const double *const rows[3] = {yz, zx, xy};
    for (int row = 0; row < 3; row++) {
        double moved = 0;
        for (int column = 0; column < 3; column++) {
            inverse[4 * column + row] = rows[row][column] / volume;
            moved -= inverse[4 * column + row] * t[column];
        }
        inverse[12 + row] = moved;
        inverse[4 * row + 3] = 0;
    }
    inverse[15] = 1;
    return true;
}

void mst_matrix_split(const double matrix[16], mst_frame *place) {
    place->flat = false;
    for (int column = 0; column < 3; column++) {
        const double *from = matrix + 4 * column;
        place->scale[column] = sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
        place->move[column] = matrix[12 + column];
        place->flat = place->flat || !(place->scale[column] > 1e-12);
    }
    const double *x = matrix, *y = matrix + 4, *z = matrix + 8;
    const double volume = x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) +
                          x[2] * (y[0] * z[1] - y[1] * z[0]);
    if (volume < 0)
        place->scale[0] = -place->scale[0];
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            place->turn[row][column] =
                place->flat ? row == column : matrix[4 * column + row] / place->scale[column];
}

double mst_tidy(double number, double tolerance) {
    double power = 1;
    for (int i = 0; i < 9; i++) {
        const double rounded = floor(number * power + 0.5) / power;
        if (fabs(rounded - number) <= tolerance)
            return rounded + 0.0; /* no -0 */
        power *= 10;
    }
    return number;
}

/* ---- an element ---- */

typedef struct place_state {
    mst_import_state *w;
    mst_import_script *script;
    const mst_value *element;
    const char *path;
    const mst_placement_fields *placement;
    const mst_frame *before, *after;
    double metres;
    unsigned axes[3]; /* of the node, along which the coordinates are */
    double step;
} place_state;

static double real_at(const mst_value *element, const char *below, uint64_t index, double otherwise) {
    mst_value value, number;
    double real = otherwise;
    if (mst_find(*element, below, &value, NULL) != MST_OK)
        return otherwise;
    number = value;
    if (mst_value_type(&value) == MST_TYPE_LIST && mst_element(&value, index, &number) != MST_OK)
        return otherwise;
    return mst_get_real(&number, &real) == MST_OK ? real : otherwise;
}

static bool is_there(const place_state *p, const char *below) {
    mst_value value;
    return below && mst_find(*p->element, below, &value, NULL) == MST_OK;
}

/* Whether the field of the first coordinate stores whole numbers. */
static bool is_whole(const place_state *p) {
    mst_value value;
    if (mst_find(*p->element, p->placement->position[0], &value, NULL) != MST_OK)
        return false;
    const mst_kind kind = (mst_kind)mst_field_of(&value)->kind;
    return kind != MST_KIND_F32 && kind != MST_KIND_F64;
}

/* ---- position ---- */

/* The change of a coordinate, in its own units; 0 if it is less than the precision of models. */
static double change_of(const place_state *p, unsigned axis) {
    const double from = p->before->move[axis], to = p->after->move[axis];
    double least = SAME_PLACE / p->metres;
    for (unsigned i = 0; i < 3; i++) /* a rotation of a parent mixes the coordinates */
        least = fmax(least,
                     FLOAT_STEPS * FLOAT_EPSILON * fmax(fabs(p->before->move[i]), fabs(p->after->move[i])));
    return fabs(to - from) <= least ? 0 : mst_tidy((to - from) / p->step, least / p->step / 4);
}

/* Rounds a change to whole units; whether that changed it. */
static bool round_change(double *change) {
    const double whole = floor(*change + 0.5);
    const double off = fabs(*change - whole);
    *change = whole;
    return off > 1e-3;
}

static mst_status put_position(const place_state *p, unsigned count) {
    double changes[3] = {0, 0, 0};
    char text[3][MST_NUMBER_MAX + 1];
    bool any = false, rounded = false, used[3] = {false, false, false};
    mst_status status = MST_OK;
    const bool whole = is_whole(p);
    for (unsigned i = 0; i < 3; i++) {
        if (i < count) {
            changes[i] = change_of(p, p->axes[i]);
            used[p->axes[i]] = true;
            rounded = (whole && round_change(&changes[i])) || rounded;
            any = any || changes[i] != 0;
        }
        text[i][mst_write_f64(text[i], changes[i])] = 0;
    }
    if (rounded)
        status =
            mst_importing_warn(p->w, p->path, "its position is rounded: the format stores whole numbers");
    for (unsigned axis = 0; axis < 3 && status == MST_OK; axis++)
        if (!used[axis] && change_of(p, axis) != 0)
            status =
                mst_importing_warn(p->w, p->path, "its height follows from the floor, and is not stored");
    if (!any || status != MST_OK)
        return status;
    return count == 3
               ? mst_script_line(p->w, p->script, "move %s by %s,%s,%s", p->path, text[0], text[1], text[2])
               : mst_script_line(p->w, p->script, "move %s by %s,%s", p->path, text[0], text[1]);
}

/* ---- rotation ---- */

static bool same_turn(const double a[3][3], const double b[3][3], double tolerance) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabs(a[i][k] - b[i][k]) <= tolerance))
                return false;
    return true;
}

void mst_angles_of_turn(const double m[3][3], double angles[3]) {
    const double sine = fmax(-1, fmin(1, -m[1][2]));
    angles[1] = mst_arc_sine(sine);
    if (fabs(m[1][2]) > 0.99999) {
        angles[0] = 0;
        angles[2] = mst_arc_tangent(-m[2][0], m[0][0]);
    } else {
        angles[0] = mst_arc_tangent(m[1][0], m[1][1]);
        angles[2] = mst_arc_tangent(m[0][2], m[2][2]);
    }
}

static mst_status put_list(const place_state *p, const char *below, const double *numbers, unsigned count) {
    char text[4 * (MST_NUMBER_MAX + 1) + 1];
    size_t length = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i)
            text[length++] = ',';
        length += mst_write_f32(text + length, (float)(numbers[i] + 0.0));
    }
    text[length] = 0;
    return mst_script_line(p->w, p->script, "set %s.%s %s [%s]", p->path, below,
                           is_there(p, below) ? "=" : "?=", text);
}

/* All three angles; unchanged ones keep the level's own numbers, if the result is right with them. */
static mst_status put_angles(const place_state *p) {
    double was[3], is[3], numbers[3], check[3][3];
    mst_angles_of_turn(p->before->turn, was);
    mst_angles_of_turn(p->after->turn, is);
    for (unsigned i = 0; i < 3; i++) {
        const double own = real_at(p->element, p->placement->angles, i, 0);
        numbers[i] = fabs(remainder(is[i] - was[i], FULL_TURN)) < SAME_TURN ? own : mst_tidy(is[i], 1e-6);
    }
    mst_turn_of_angles(numbers, check);
    if (!same_turn((const double(*)[3])check, p->after->turn, 1e-3))
        memcpy(numbers, is, sizeof numbers);
    return put_list(p, p->placement->angles, numbers, 3);
}

/* The rotation between both states, in the coordinates of the parent. */
static void turn_between(const place_state *p, double by[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            by[i][k] = 0;
            for (int j = 0; j < 3; j++)
                by[i][k] += p->after->turn[i][j] * p->before->turn[k][j];
        }
}

static mst_status put_quaternion(const place_state *p) {
    const double(*m)[3] = p->after->turn;
    double q[4] = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + m[0][0] + m[1][1] + m[2][2]};
    if (q[3] < 1e-3) { /* more than about 178 degrees: by the longest axis */
        const unsigned a = m[0][0] > m[1][1] && m[0][0] > m[2][2] ? 0
                           : m[1][1] > m[2][2]                    ? 1
                                                                  : 2,
                       b = (a + 1) % 3, c = (a + 2) % 3;
        q[a] = 1 + m[a][a] - m[b][b] - m[c][c];
        q[b] = m[a][b] + m[b][a];
        q[c] = m[a][c] + m[c][a];
        q[3] = m[c][b] - m[b][c];
    }
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (unsigned i = 0; i < 4; i++)
        q[i] /= length;
    mst_status status = put_list(p, p->placement->quaternion, q, 4);
    return status == MST_OK && p->placement->low
               ? mst_importing_warn(p->w, p->path,
                                    "its box is not turned: only turns about the vertical do that")
               : status;
}

/* The units of a full turn in the number that stores it, and the size of each in units of an operation. */
static double units_of(const place_state *p, double *each) {
    *each = 1;
    for (size_t i = 0; i < MST_PLACEMENT_TURNS && p->placement->turn[i]; i++) {
        mst_value value;
        if (mst_find(*p->element, p->placement->turn[i], &value, NULL) != MST_OK)
            continue;
        const mst_kind kind = (mst_kind)mst_field_of(&value)->kind;
        if (kind == MST_KIND_F32 || kind == MST_KIND_F64 || !p->placement->units)
            return 0;
        const double units =
            p->placement->wraps ? ldexp(1, 8 * (int)mst_kind_width[kind]) : (double)p->placement->units;
        *each = p->placement->units / units;
        return units;
    }
    return -1;
}

static mst_status put_turn(const place_state *p, double angle) {
    double each;
    const double units = units_of(p, &each);
    char text[MST_NUMBER_MAX + 1];
    if (units < 0)
        return mst_importing_warn(p->w, p->path, "it has no angle, and is not turned");
    if (units == 0) {
        text[mst_write_f64(text, mst_tidy(angle, 1e-6))] = 0;
        return mst_script_line(p->w, p->script, "rotate %s by %s", p->path, text);
    }
    const double turns = angle / FULL_TURN * units, whole = floor(turns + 0.5);
    mst_status status = MST_OK;
    if (fabs(turns - whole) > 1e-2)
        status = mst_importing_warn(p->w, p->path, "its angle is rounded to %g degrees", whole / units * 360);
    text[mst_write_f64(text, whole * each)] = 0;
    if (status == MST_OK && whole != 0)
        status = mst_script_line(p->w, p->script, "rotate %s by %s", p->path, text);
    return status;
}

static mst_status put_rotation(const place_state *p) {
    double by[3][3];
    if (p->before->flat || p->after->flat || same_turn(p->before->turn, p->after->turn, SAME_TURN))
        return MST_OK;
    if (p->placement->angles)
        return put_angles(p);
    const unsigned a = p->axes[p->placement->from], b = p->axes[p->placement->to], c = 3 - a - b;
    turn_between(p, by);
    const bool vertical = fabs(by[c][c] - 1) < SAME_TURN;
    if (!vertical && p->placement->quaternion)
        return put_quaternion(p);
    if (p->placement->quaternion) { /* it turns about the vertical by any angle, together with its box */
        char text[MST_NUMBER_MAX + 1];
        text[mst_write_f64(text, mst_tidy(mst_arc_tangent(by[b][a], by[a][a]), 1e-6))] = 0;
        return mst_script_line(p->w, p->script, "rotate %s by %s", p->path, text);
    }
    mst_status status = MST_OK;
    if (!vertical)
        status = mst_importing_warn(p->w, p->path, "it can only be turned about the vertical");
    const double angle = mst_arc_tangent(by[b][a], by[a][a]);
    return status == MST_OK && fabs(angle) > SAME_TURN ? put_turn(p, angle) : status;
}

/* ---- size ---- */

static mst_status put_size(const place_state *p) {
    double factors[3], numbers[3];
    bool same = true, uniform = true;
    for (unsigned i = 0; i < 3; i++) {
        factors[i] = p->before->flat ? 1 : p->after->scale[i] / p->before->scale[i];
        same = same && fabs(factors[i] - 1) < SAME_SCALE;
        uniform = uniform && fabs(factors[i] / factors[0] - 1) < SAME_SCALE;
    }
    if (same || !isfinite(factors[0] + factors[1] + factors[2]))
        return MST_OK;
    if (!p->placement->size)
        return mst_importing_warn(p->w, p->path, "it has no size of its own, and is not scaled");
    if (p->placement->box_scales) {
        char text[MST_NUMBER_MAX + 1];
        text[mst_write_f64(text, mst_tidy(factors[0], 1e-6))] = 0;
        return uniform ? mst_script_line(p->w, p->script, "scale %s by %s", p->path, text)
                       : mst_importing_warn(
                             p->w, p->path,
                             "its box is its model's: scale it by the same factor in all directions");
    }
    for (unsigned i = 0; i < 3; i++) {
        const double own = real_at(p->element, p->placement->size, i, 1);
        numbers[i] =
            fabs(factors[p->axes[i]] - 1) < SAME_SCALE ? own : mst_tidy(own * factors[p->axes[i]], 1e-6);
    }
    return put_list(p, p->placement->size, numbers, 3);
}

/* ---- all properties ---- */

bool mst_import_position(const mst_value *element, const mst_frame *before, const mst_frame *after,
                         double position[3]) {
    const mst_placement_fields *s = mst_placement_of(element);
    const unsigned count = s ? mst_position_of(element, position) : 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned axis = !s->axes[0] ? i : s->axes[i] ? s->axes[i] - 1U : 1;
        position[i] += (after->move[axis] - before->move[axis]) / (s->step > 0 ? (double)s->step : 1);
    }
    return count != 0;
}

mst_status mst_import_place(mst_import_state *w, mst_import_script *script, const mst_value *element,
                            const char *path, const mst_frame *before, const mst_frame *after,
                            double metres) {
    place_state p = {.w = w,
                     .script = script,
                     .element = element,
                     .path = path,
                     .placement = mst_placement_of(element),
                     .before = before,
                     .after = after,
                     .metres = metres,
                     .axes = {0, 1, 2},
                     .step = 1};
    double position[3];
    const unsigned count = p.placement ? mst_position_of(element, position) : 0;
    if (!count) {
        bool moved = !same_turn(before->turn, after->turn, SAME_TURN);
        for (unsigned i = 0; i < 3; i++)
            moved = moved || change_of(&p, i) != 0;
        return moved
                   ? mst_importing_warn(w, path, "it has no position that can be set, and stays where it is")
                   : MST_OK;
    }
    if (p.placement->step > 0)
        p.step = (double)p.placement->step;
    for (unsigned i = 0; i < 3 && p.placement->axes[0]; i++)
        p.axes[i] = p.placement->axes[i] ? p.placement->axes[i] - 1u : 1;
    mst_status status = put_position(&p, count);
    if (status == MST_OK)
        status = put_rotation(&p);
    return status == MST_OK ? put_size(&p) : status;
}
