/* SPDX-License-Identifier: MIT */
#include "moving.h"
#include "../core/angles.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../read/placement.h"
#include <math.h>

#define FULL_TURN 6.283185307179586476925
#define NUMBERS   4 /* of a quaternion, the longest of these values */

typedef struct move_state {
    mst_batch *batch;
    const mst_document *document;
    const mst_placement_fields *placement;
    const char *path; /* of the element */
    const mst_operation *operation;
    mst_arena *arena;
    mst_moved *moved;
    size_t count;
    mst_diagnostic *diagnostic;
    double angle, cosine, sine; /* in radians */
    double turns;               /* the same in full turns */
    double factors[3];
    bool uniform;
} move_state;

static mst_status refuse(const move_state *m, mst_status status, const char *message) {
    mst_fail(m->diagnostic, status, "%s", message);
    if (m->diagnostic)
        MST_SET(m->diagnostic->path, "%s", m->path);
    return status;
}

static mst_status misread(const move_state *m, const char *text, const char *expected) {
    refuse(m, MST_ARGUMENT, "the operation needs another kind of argument");
    if (m->diagnostic) {
        MST_SET(m->diagnostic->expected, "%s", expected);
        MST_SET(m->diagnostic->found, "%.60s", text);
    }
    return MST_ARGUMENT;
}

/* ---- values below the element --------------------------------------------------------------------- */

/* A number, or the numbers of a list. */
typedef struct numbers {
    const char *path;
    mst_value value;
    const mst_field *field;
    bool list;
    unsigned count;
    double of[NUMBERS];
} numbers;

/* MST_NO_PATH: the element has no such numbers. */
static mst_status read_numbers(const move_state *m, const char *below, numbers *n) {
    mst_value number;
    n->path = mst_arena_printf(m->arena, "%s.%s", m->path, below);
    if (!n->path)
        return MST_NO_MEMORY;
    mst_status status = mst_batch_find(m->batch, n->path, &n->value, NULL);
    if (status != MST_OK)
        return status;
    n->field = mst_field_of(&n->value);
    n->list = mst_value_type(&n->value) == MST_TYPE_LIST;
    uint64_t count = n->list ? mst_count(&n->value) : 1;
    n->count = (unsigned)(count < NUMBERS ? count : NUMBERS);
    for (unsigned i = 0; i < n->count; i++) {
        number = n->value;
        if ((n->list && mst_element(&n->value, i, &number) != MST_OK) ||
            mst_get_real(&number, &n->of[i]) != MST_OK)
            return MST_NO_PATH;
    }
    return count && count <= NUMBERS ? MST_OK : MST_NO_PATH;
}

/* Sets the value to these numbers. */
static mst_status set_numbers(move_state *m, const numbers *n) {
    char text[NUMBERS * (MST_NUMBER_MAX + 1) + 3];
    size_t length = 0;
    bool real = n->field->kind == MST_KIND_F32 || n->field->kind == MST_KIND_F64;
    if (n->list)
        text[length++] = '[';
    for (unsigned i = 0; i < n->count; i++) {
        if (!isfinite(n->of[i]))
            return refuse(m, MST_ARGUMENT, "the result is not a finite number");
        if (i)
            text[length++] = ',';
        length += mst_write_f64(text + length, real ? n->of[i] + 0.0 : floor(n->of[i] + 0.5)) /* no -0 */;
    }
    if (n->list)
        text[length++] = ']';
    const char *json = mst_arena_text(m->arena, text, length);
    if (!json)
        return MST_NO_MEMORY;
    m->moved[m->count++] = (mst_moved){n->path, json};
    return MST_OK;
}

/* ---- positions ------------------------------------------------------------------------------------ */

/* Turns two of the coordinates about the vertical. */
static void turn(const move_state *m, double at[3]) {
    double from = at[m->placement->from], to = at[m->placement->to];
    at[m->placement->from] = from * m->cosine - to * m->sine;
    at[m->placement->to] = from * m->sine + to * m->cosine;
}

static mst_status set_position(move_state *m, const double position[3]) {
    unsigned next = 0;
    mst_status status = MST_OK;
    for (unsigned i = 0; i < 3 && m->placement->position[i] && status == MST_OK; i++) {
        numbers n = {.count = 0};
        status = read_numbers(m, m->placement->position[i], &n);
        bool same = true;
        for (unsigned k = 0; k < n.count && next < 3 && status == MST_OK; k++, next++) {
            same &= n.of[k] == position[next];
            n.of[k] = position[next];
        }
        if (status == MST_OK && !same)
            status = set_numbers(m, &n);
    }
    return status;
}

/* Moves the element's position by an amount, or from about a point. */
static mst_status change_position(move_state *m) {
    double position[3] = {0, 0, 0}, given[3] = {0, 0, 0};
    mst_value element;
    bool by = m->operation->kind == MST_OPERATION_MOVE_BY;
    const char *text = by ? m->operation->value : m->operation->about;
    mst_status status = mst_batch_find(m->batch, m->path, &element, m->diagnostic);
    unsigned count = status == MST_OK ? mst_position_of(&element, position) : 0;
    if (status != MST_OK || !text)
        return status;
    if (!count)
        return refuse(m, MST_NO_PATH, "it has no position");
    mst_excerpt all = {text, strlen(text)};
    if (mst_read_position(m->document, all, given) != count)
        return misread(m, text, count == 3 ? "three coordinates, 0,2,0" : "two coordinates, 0,2");
    for (unsigned i = 0; i < count; i++)
        position[i] += by ? given[i] : -given[i];
    if (m->operation->kind == MST_OPERATION_ROTATE)
        turn(m, position);
    for (unsigned i = 0; i < count && !by; i++)
        position[i] = position[i] * m->factors[i] + given[i];
    return set_position(m, position);
}

/* ---- orientation ---------------------------------------------------------------------------------- */

static mst_status turn_number(move_state *m, numbers *n) {
    bool real = n->field->kind == MST_KIND_F32 || n->field->kind == MST_KIND_F64;
    if (real) {
        double sum = n->of[0] + m->angle;
        n->of[0] = fabs(sum) > FULL_TURN / 2 ? remainder(sum, FULL_TURN) : sum;
        return set_numbers(m, n);
    }
    double units = m->placement->units, by;
    if (m->placement->wraps)
        units = ldexp(1, 8 * mst_kind_width[n->field->kind]);
    by = m->turns * units;
    if (fabs(by - floor(by + 0.5)) > 1e-6) {
        refuse(m, MST_ARGUMENT, "it cannot be rotated by this angle");
        if (m->diagnostic)
            MST_SET(m->diagnostic->expected, "whole %ss of a turn",
                    units == 8     ? "eighth"
                    : units == 256 ? "256th"
                                   : "65536th");
        return MST_ARGUMENT;
    }
    double low = mst_is_signed(n->field->kind) && m->placement->wraps ? -units / 2 : 0;
    double sum = n->of[0] + floor(by + 0.5) - low;
    n->of[0] = sum - units * floor(sum / units) + low;
    return set_numbers(m, n);
}

static mst_status turn_quaternion(move_state *m, numbers *n) {
    const mst_placement_fields *s = m->placement;
    double sense = (s->to + 3 - s->from) % 3 == 1 ? 1 : -1;
    double r = sense * mst_sine(m->angle / 2), w = mst_cosine(m->angle / 2), old[NUMBERS];
    unsigned axis = 3u - s->from - s->to, i = (axis + 1) % 3, j = (axis + 2) % 3;
    if (n->count != NUMBERS)
        return MST_NO_PATH;
    memcpy(old, n->of, sizeof old);
    n->of[axis] = w * old[axis] + r * old[3];
    n->of[3] = w * old[3] - r * old[axis];
    n->of[i] = w * old[i] - r * old[j];
    n->of[j] = w * old[j] + r * old[i];
    return set_numbers(m, n);
}

/* ---- boxes ---------------------------------------------------------------------------------------- */

/* Whether a box is valid: elements without a model have it inside out. */
static bool is_box(const numbers *low, const numbers *high) {
    for (unsigned i = 0; i < 3; i++)
        if (low->count != 3 || high->count != 3 || !(low->of[i] <= high->of[i]))
            return false;
    return true;
}

/* The box around the turned box; for quarter turns it is also the box of the content. */
static void turn_box(const move_state *m, numbers *low, numbers *high) {
    unsigned from = m->placement->from, to = m->placement->to;
    double l[3], h[3];
    memcpy(l, low->of, sizeof l);
    memcpy(h, high->of, sizeof h);
    for (unsigned corner = 0; corner < 4; corner++) {
        double at[3] = {0, 0, 0};
        at[from] = corner & 1 ? h[from] : l[from];
        at[to] = corner & 2 ? h[to] : l[to];
        turn(m, at);
        low->of[from] = corner ? fmin(low->of[from], at[from]) : at[from];
        low->of[to] = corner ? fmin(low->of[to], at[to]) : at[to];
        high->of[from] = corner ? fmax(high->of[from], at[from]) : at[from];
        high->of[to] = corner ? fmax(high->of[to], at[to]) : at[to];
    }
}

static mst_status change_box(move_state *m) {
    numbers low = {.count = 0}, high = {.count = 0};
    bool scales = m->operation->kind == MST_OPERATION_SCALE;
    if (!m->placement->low || (scales && !m->placement->box_scales))
        return MST_OK;
    mst_status status = read_numbers(m, m->placement->low, &low);
    if (status == MST_OK)
        status = read_numbers(m, m->placement->high, &high);
    if (status != MST_OK || !is_box(&low, &high))
        return status == MST_NO_PATH ? MST_OK : status;
    if (scales && !m->uniform)
        return refuse(m, MST_REFUSED, "its box is its model's: scale it by one factor");
    if (!scales)
        turn_box(m, &low, &high);
    for (unsigned i = 0; i < 3 && scales; i++) {
        double a = low.of[i] * m->factors[0], b = high.of[i] * m->factors[0];
        low.of[i] = fmin(a, b), high.of[i] = fmax(a, b);
    }
    status = set_numbers(m, &low);
    return status == MST_OK ? set_numbers(m, &high) : status;
}

/* ---- operations ----------------------------------------------------------------------------------- */

static mst_status read_angle(move_state *m) {
    const char *text = m->operation->value;
    mst_excerpt all = mst_trimmed(text, strlen(text));
    double units = m->placement->units, number;
    bool quoted = all.length > 1 && *all.text == '"' && all.text[all.length - 1] == '"';
    if (quoted)
        all = (mst_excerpt){all.text + 1, all.length - 2};
    bool degrees = all.length > 3 && memcmp(all.text + all.length - 3, "deg", 3) == 0;
    if (degrees)
        all = mst_trimmed(all.text, all.length - 3);
    if (!mst_read_f64(all.text, all.length, &number) || !isfinite(number))
        return misread(m, text, "an angle in the unit of the format, or with deg in degrees: 90deg");
    m->turns = number / (degrees ? 360 : units != 0 ? units : FULL_TURN);
    m->angle = m->turns * FULL_TURN;
    m->cosine = mst_cosine(m->angle), m->sine = mst_sine(m->angle);
    return MST_OK;
}

static mst_status rotate(move_state *m) {
    numbers n = {.count = 0};
    mst_status status = read_angle(m);
    if (status == MST_OK)
        status = change_position(m);
    if (status != MST_OK)
        return status;
    bool turned = m->operation->about != NULL;
    status = MST_NO_PATH;
    if (m->placement->quaternion) {
        status = read_numbers(m, m->placement->quaternion, &n);
        status = status == MST_OK ? turn_quaternion(m, &n) : status;
    }
    for (size_t i = 0; status == MST_NO_PATH && i < MST_PLACEMENT_TURNS && m->placement->turn[i]; i++) {
        status = read_numbers(m, m->placement->turn[i], &n);
        status = status == MST_OK ? turn_number(m, &n) : status;
    }
    if (status == MST_OK)
        return change_box(m);
    return status != MST_NO_PATH || turned ? (status == MST_NO_PATH ? MST_OK : status)
                                           : refuse(m, MST_NO_PATH, "it has no angle about the vertical");
}

/* The factors of a scale; false: the text is something else. */
static bool read_factors(move_state *m) {
    const char *text = m->operation->value;
    unsigned count = mst_read_position(m->document, (mst_excerpt){text, strlen(text)}, m->factors);
    m->uniform = count == 1;
    if (m->uniform)
        m->factors[1] = m->factors[2] = m->factors[0];
    return count == 1 || count == 3;
}

static mst_status misread_factors(const move_state *m) {
    return misread(m, m->operation->value, "a factor, or three: 2 or 1,2,1");
}

static mst_status scale(move_state *m) {
    numbers n = {.count = 0};
    if (!read_factors(m))
        return misread_factors(m);
    mst_status status = change_position(m);
    if (status != MST_OK)
        return status;
    status = m->placement->size ? read_numbers(m, m->placement->size, &n) : MST_NO_PATH;
    if (status == MST_NO_PATH)
        return m->operation->about ? MST_OK : refuse(m, MST_NO_PATH, "it has no size of its own");
    if (status == MST_OK && n.count != 3 && !m->uniform)
        return refuse(m, MST_ARGUMENT, "it has one size only: scale it by one factor");
    for (unsigned i = 0; i < n.count && i < 3 && status == MST_OK; i++)
        n.of[i] *= m->factors[i];
    if (status == MST_OK)
        status = set_numbers(m, &n);
    return status == MST_OK ? change_box(m) : status;
}

mst_status mst_moved_values(mst_batch *batch, const char *path, const mst_operation *operation,
                            mst_arena *arena, mst_moved moved[MST_MOVED_VALUES], size_t *count,
                            mst_diagnostic *diagnostic) {
    move_state m = {.batch = batch,
                    .document = batch->document,
                    .path = path,
                    .operation = operation,
                    .arena = arena,
                    .moved = moved,
                    .diagnostic = diagnostic,
                    .cosine = 1,
                    .factors = {1, 1, 1}};
    mst_value element;
    mst_status status = mst_batch_find(batch, path, &element, diagnostic);
    if (status != MST_OK)
        return status;
    m.placement = mst_placement_of(&element);
    if (!m.placement)
        return refuse(&m, MST_ARGUMENT, "it has no position of its own");
    status = operation->kind == MST_OPERATION_ROTATE  ? rotate(&m)
             : operation->kind == MST_OPERATION_SCALE ? scale(&m)
                                                      : change_position(&m);
    *count = m.count;
    return status;
}

/* ---- motions of points ---------------------------------------------------------------------------- */

mst_status mst_motion_of(const mst_document *document, const mst_operation *operation,
                         const mst_placement_fields *placement, const double middle[3], mst_arena *arena,
                         mst_motion *motion, mst_diagnostic *diagnostic) {
    move_state m = {.document = document,
                    .placement = placement,
                    .path = operation->path,
                    .operation = operation,
                    .arena = arena,
                    .diagnostic = diagnostic,
                    .cosine = 1,
                    .factors = {1, 1, 1}};
    bool by = operation->kind == MST_OPERATION_MOVE_BY;
    const char *text = by ? operation->value : operation->about;
    double point[3] = {middle[0], middle[1], middle[2]};
    if (text && mst_read_position(document, (mst_excerpt){text, strlen(text)}, point) != 3)
        return misread(&m, text, "three coordinates, 0,2,0");
    mst_status status = operation->kind == MST_OPERATION_ROTATE ? read_angle(&m) : MST_OK;
    if (operation->kind == MST_OPERATION_SCALE && !read_factors(&m))
        status = misread_factors(&m);
    for (unsigned k = 0; k < 3 && status == MST_OK; k++) {
        double axis[3] = {0, 0, 0};
        axis[k] = m.factors[k];
        turn(&m, axis);
        for (unsigned i = 0; i < 3; i++)
            motion->linear[i][k] = axis[i];
    }
    for (unsigned i = 0; i < 3 && status == MST_OK; i++) {
        const double *row = motion->linear[i];
        motion->shift[i] =
            by ? point[i] : point[i] - (row[0] * point[0] + row[1] * point[1] + row[2] * point[2]);
    }
    return status;
}
