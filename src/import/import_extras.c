/* SPDX-License-Identifier: MIT */
/*
 * Changed extras of nodes: the fields and properties that they come from. The names of extras are names of
 * fields and properties, or for lists these plus the exporter's suffix for a number; the value of an extra is
 * found by its name and by its value, which must be the one that the extra had.
 */
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../core/text.h"
#include "importing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- detecting changes ---- */

static bool number_of(const mst_json_node *node, double *number) {
    if (node->kind == MST_JSON_TRUE || node->kind == MST_JSON_FALSE) {
        *number = node->kind == MST_JSON_TRUE;
        return true;
    }
    /* numbers that do not fit 32 bits were exported as texts */
    return (node->kind == MST_JSON_NUMBER || node->kind == MST_JSON_STRING) &&
           mst_read_f64(node->text, node->length, number);
}

static bool same_real(double a, double b) {
    return a == b || (float)a == (float)b || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static bool same_extra(const mst_extra *before, const mst_json_node *node) {
    double number;
    if (before->kind == MST_EXTRA_TEXT) {
        const char *text = before->text ? before->text : "";
        const size_t length = strlen(text);
        return !mst_utf8_valid(text, length) /* exported in another form */ ||
               (node->kind == MST_JSON_STRING && node->length == length &&
                memcmp(node->text, text, length) == 0);
    }
    return number_of(node, &number) &&
           same_real(number, before->kind == MST_EXTRA_REAL ? before->real : before->integer);
}

/* ---- origin ---- */

static bool has_value(const mst_value *value, const mst_extra *extra) {
    double number;
    if (extra->kind != MST_EXTRA_TEXT)
        return mst_get_real(value, &number) == MST_OK &&
               same_real(number, extra->kind == MST_EXTRA_REAL ? extra->real : extra->integer);
    const char *text = extra->text ? extra->text : "";
    const size_t capacity = strlen(text) + 2;
    char *own = malloc(capacity);
    size_t length = 0;
    const bool same = own && mst_get_text(value, own, capacity, &length) == MST_OK && strcmp(own, text) == 0;
    free(own);
    return same;
}

/* The exporters' suffixes for the numbers of a list. */
static const struct {
    const char *end;
    unsigned index;
} ends[] = {{"_x", 0}, {"_y", 1}, {"_z", 2},    {"_w", 3},     {"_r", 0},  {"_g", 1},
            {"_b", 2}, {"_a", 3}, {"_roll", 0}, {"_pitch", 1}, {"_yaw", 2}};

/* Whether the value at a path below the element, `%s%.*s` of the first three and an index (-1: none), is the
 * value of the extra; the path is written to `below`. */
static bool comes_from(const mst_value *element, const mst_extra *extra, const char *in, size_t length,
                       int index, char *below, size_t capacity) {
    mst_value value;
    const int written = index < 0
                            ? snprintf(below, capacity, "%s%.*s", in, (int)length, extra->name)
                            : snprintf(below, capacity, "%s%.*s[%d]", in, (int)length, extra->name, index);
    return written > 0 && (size_t)written < capacity && mst_find(*element, below, &value, NULL) == MST_OK &&
           has_value(&value, extra);
}

static bool find_value(const mst_value *element, const mst_extra *extra, char *below, size_t capacity) {
    static const char *const within[] = {"properties.", "", "parameters."};
    const size_t length = strlen(extra->name);
    const char *line = strrchr(extra->name, '_');
    for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
        if (comes_from(element, extra, within[i], length, -1, below, capacity))
            return true;
        for (size_t k = 0; line && k < sizeof ends / sizeof *ends; k++)
            if (strcmp(line, ends[k].end) == 0 &&
                comes_from(element, extra, within[i], (size_t)(line - extra->name), (int)ends[k].index, below,
                           capacity))
                return true;
        if (line && line[1] >= '0' && line[1] <= '9' && strlen(line) < 5 &&
            comes_from(element, extra, within[i], (size_t)(line - extra->name),
                       (int)strtol(line + 1, NULL, 10), below, capacity))
            return true;
    }
    return false;
}

/* Whether it is part of the thing's position, which the node's place determines. */
static bool is_place(const mst_value *element, const char *below) {
    const mst_placement_fields *s = mst_placement_of(element);
    const char *all[3 + MST_PLACEMENT_TURNS + 5] = {0};
    size_t count = 0;
    if (!s)
        return false;
    for (size_t i = 0; i < 3; i++)
        all[count++] = s->position[i];
    for (size_t i = 0; i < MST_PLACEMENT_TURNS; i++)
        all[count++] = s->turn[i];
    all[count++] = s->angles, all[count++] = s->quaternion, all[count++] = s->size;
    all[count++] = s->low, all[count++] = s->high;
    for (size_t i = 0; i < count; i++) {
        const size_t length = all[i] ? strlen(all[i]) : 0;
        if (length && strncmp(below, all[i], length) == 0 && (!below[length] || below[length] == '['))
            return true;
    }
    return false;
}

/* ---- the new value ---- */

static const char *json_of(mst_import_state *w, const mst_extra *before, const mst_json_node *node) {
    char text[MST_NUMBER_MAX + 1];
    double number;
    if (before->kind == MST_EXTRA_TEXT && node->kind == MST_JSON_STRING)
        return mst_json_quoted(&w->scratch, node->text, node->length);
    if (!number_of(node, &number) || !isfinite(number))
        return "";
    if (before->kind == MST_EXTRA_REAL && fabs(number) < 3e38)
        text[mst_write_f32(text, (float)number)] = 0;
    else
        text[mst_write_f64(text, number)] = 0;
    const char *kept = mst_arena_text(&w->scratch, text, strlen(text));
    return before->kind == MST_EXTRA_TEXT && kept ? mst_json_quoted(&w->scratch, kept, strlen(kept)) : kept;
}

static mst_status set_extra(mst_import_state *w, mst_import_script *script, const mst_value *element,
                            const char *path, const mst_extra *before, const mst_json_node *node) {
    char below[300];
    const bool found = find_value(element, before, below, sizeof below);
    if (!found && mst_is_label_extra(before->name))
        return MST_OK;
    if (!found)
        return mst_importing_warn(w, path, "its extra %.60s is made from other values, and is not imported",
                                  before->name);
    if (is_place(element, below))
        return MST_OK;
    const char *json = json_of(w, before, node);
    if (!json)
        return mst_importing_no_memory(w);
    if (!*json)
        return mst_importing_warn(w, path, "its extra %.60s is not a value of the same kind", before->name);
    return mst_script_line(w, script, "set %s.%s = %s", path, below, json);
}

static bool is_ours(const char *name) {
    static const char *const ours[] = {"path", "file", "node", "part_of", "role"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(name, ours[i]) == 0)
            return true;
    return false;
}

mst_status mst_import_extras(mst_import_state *w, mst_import_script *script, const mst_value *element,
                             const char *path, const mst_extras *before, uint32_t extras) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < before->count && status == MST_OK; i++) {
        const mst_extra *extra = &before->items[i];
        const uint32_t at = is_ours(extra->name) ? 0 : mst_model_extra(&w->model, extras, extra->name);
        if (at && !same_extra(extra, &w->model.json.nodes[at]))
            status = set_extra(w, script, element, path, extra, &w->model.json.nodes[at]);
    }
    return status;
}

/* ---- lamps ---- */

/* The tolerance for an unchanged lamp, because other programs have other units. */
#define SAME_LAMP 1e-4

/* The value of an extra from the lamp: the strength in its own unit, or a component of the colour. False:
 * unchanged. */
static bool by_lamp(const mst_extra *extra, const mst_light *was, const mst_model_light *is, double *number) {
    static const char *const colors[] = {"color_r", "color_g", "color_b"};
    const double strength = (double)was->intensity;
    if (extra->kind == MST_EXTRA_TEXT)
        return false;
    *number = extra->kind == MST_EXTRA_REAL ? extra->real : (double)extra->integer;
    if (strcmp(extra->name, "intensity") == 0 && strength > 0) {
        *number *= is->intensity / strength;
        return fabs(is->intensity - strength) > SAME_LAMP * strength;
    }
    for (int i = 0; i < 3; i++)
        if (strcmp(extra->name, colors[i]) == 0) {
            *number = is->color[i];
            return fabs(fmin(fmax((double)was->color[i], 0), 1) - is->color[i]) > SAME_LAMP;
        }
    return false;
}

mst_status mst_import_lamp(mst_import_state *w, mst_import_script *script, const mst_value *element,
                           const char *path, const mst_node *before, const mst_model_node *after) {
    mst_status status = MST_OK;
    if (before->light < 0 || after->light < 0)
        return MST_OK;
    for (size_t i = 0; i < before->extras.count && status == MST_OK; i++) {
        const mst_extra *extra = &before->extras.items[i];
        const uint32_t at = mst_model_extra(&w->model, after->extras, extra->name);
        char text[MST_NUMBER_MAX + 1];
        double number;
        if (!at || !same_extra(extra, &w->model.json.nodes[at]) ||
            !by_lamp(extra, &w->scene->lights[before->light], &w->model.lights[after->light], &number))
            continue;
        const mst_json_node made = {
            .kind = MST_JSON_NUMBER, .text = text, .length = (uint32_t)mst_write_f32(text, (float)number)};
        status = set_extra(w, script, element, path, extra, &made);
    }
    return status;
}
