/* SPDX-License-Identifier: MIT */
/* Entities as quoted keys and values. */
#include "quake_entities.h"
#include "../core/number.h"
#include "quake_brush.h"
#include <math.h>

#define DEGREES 57.29577951308232

static void put_text(mst_output *out, const char *text, size_t length) {
    mst_output_text(out, "\"");
    for (size_t i = 0; i < length; i++) {
        const char c = (unsigned char)text[i] < ' ' || text[i] == 0x7F ? ' '
                       : text[i] == '"'                                ? '\''
                       : text[i] == '\\'                               ? '/'
                                                                       : text[i];
        mst_output_bytes(out, &c, 1);
    }
    mst_output_text(out, "\"");
}

static void put_key(mst_output *out, const char *key, size_t length) {
    put_text(out, key, length);
    mst_output_text(out, " ");
}

void mst_quake_key(mst_output *out, const char *key, const char *value) {
    put_key(out, key, strlen(key));
    put_text(out, value, strlen(value));
    mst_output_text(out, "\n");
}

void mst_quake_number(mst_output *out, const char *key, uint64_t value) {
    char text[MST_NUMBER_MAX + 1];
    text[mst_write_u64(text, value)] = 0;
    mst_quake_key(out, key, text);
}

/* ---- extras ------------------------------------------------------------------------------------------ */

/* The suffixes of names of components; the first components are a vector. */
static const char *const components[][4] = {
    {"_x", "_y", "_z", "_w"}, {"_r", "_g", "_b", "_a"}, {"_roll", "_pitch", "_yaw", NULL}};

/* The length of the vector's name if the extra is its component number `part`; 0 if it is not. */
static size_t stem_of(const mst_extra *extra, size_t kind, size_t part) {
    const char *end = part < 4 ? components[kind][part] : NULL;
    const size_t length = strlen(extra->name), tail = end ? strlen(end) : 0;
    const bool is = end && extra->kind != MST_EXTRA_TEXT && length > tail &&
                    strcmp(extra->name + length - tail, end) == 0;
    return is ? length - tail : 0;
}

/* The number of extras from `at` on that form a vector, and the length of its name; 1: a single value. */
static size_t vector_at(const mst_extras *extras, size_t at, size_t *length) {
    *length = strlen(extras->items[at].name);
    for (size_t kind = 0; kind < sizeof components / sizeof *components; kind++) {
        const size_t stem = stem_of(&extras->items[at], kind, 0);
        size_t count = 1;
        while (stem && at + count < extras->count &&
               stem_of(&extras->items[at + count], kind, count) == stem &&
               memcmp(extras->items[at + count].name, extras->items[at].name, stem) == 0)
            count++;
        if (count > 1) {
            *length = stem;
            return count;
        }
    }
    return 1;
}

static void put_value(mst_output *out, const mst_extra *extra) {
    char *place = mst_output_reserve(out, MST_NUMBER_MAX);
    if (extra->kind == MST_EXTRA_INTEGER)
        mst_output_advance(out, mst_write_i64(place, extra->integer));
    else
        mst_output_advance(out, mst_write_f32(place, isfinite(extra->real) ? (float)extra->real : 0));
}

/* Keys that differ from the name of their extra. */
static const struct {
    const char *name, *key; /* NULL: left out, because it is written from the scene's data */
} others[] = {{"class", NULL},
              {"classname", NULL},
              {"origin", NULL},
              {"angles", NULL},
              {"path", "_mapstone_path"},
              {"file", "_mapstone_file"},
              {"group", "_mapstone_group"},
              {"layers", "_mapstone_layers"}};

static void put_extra(mst_output *out, const mst_extra *extra, size_t count, size_t length) {
    const char *key = extra->name;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strlen(others[i].name) == length && memcmp(key, others[i].name, length) == 0) {
            if (!others[i].key)
                return;
            key = others[i].key;
            length = strlen(key);
            break;
        }
    put_key(out, key, length);
    if (extra->kind == MST_EXTRA_TEXT) {
        put_text(out, extra->text ? extra->text : "", extra->text ? strlen(extra->text) : 0);
    } else {
        for (size_t i = 0; i < count; i++) {
            mst_output_text(out, i ? " " : "\"");
            put_value(out, extra + i);
        }
        mst_output_text(out, "\"");
    }
    mst_output_text(out, "\n");
}

/* ---- positions --------------------------------------------------------------------------------------- */

static void put_three(mst_output *out, const char *key, const double values[3]) {
    put_key(out, key, strlen(key));
    for (int k = 0; k < 3; k++) {
        mst_output_text(out, k ? " " : "\"");
        mst_quake_fixed(out, values[k], 6);
    }
    mst_output_text(out, "\"\n");
}

/* Pitch (positive: down), yaw and roll in degrees of a thing that faces along its own Z. */
static void find_angles(const float world[16], double angles[3]) {
    double axes[3][3];
    for (int c = 0; c < 3; c++) {
        const double x = (double)world[4 * c], y = (double)world[4 * c + 1], z = (double)world[4 * c + 2],
                     length = sqrt(x * x + y * y + z * z);
        axes[c][0] = length > 0 ? x / length : c == 0;
        axes[c][1] = length > 0 ? y / length : c == 1;
        axes[c][2] = length > 0 ? z / length : c == 2;
    }
    const double down = fmax(-1, fmin(1, -axes[2][1]));
    const bool steep = fabs(down) > 0.999999; /* it faces up or down: only yaw and roll together matter */
    angles[0] = DEGREES * asin(down);
    angles[1] = DEGREES * (steep ? atan2(-axes[0][2], axes[0][0]) : atan2(axes[2][0], axes[2][2]));
    angles[2] = steep ? 0 : DEGREES * atan2(axes[0][1], axes[1][1]);
    for (int k = 0; k < 3; k++)
        angles[k] = floor(angles[k] * 1e4 + 0.5) / 1e4;
}

void mst_quake_entity(mst_output *out, const mst_node *node, const float world[16], uint32_t layer) {
    double origin[3], angles[3];
    for (int k = 0; k < 3; k++)
        origin[k] = (double)world[12 + (k + 2) % 3] * MST_QUAKE_INCHES;
    find_angles(world, angles);
    mst_output_text(out, "{\n");
    mst_quake_key(out, "classname", node->class_name);
    put_three(out, "origin", origin);
    put_three(out, "angles", angles);
    if (layer)
        mst_quake_number(out, "_tb_layer", layer);
    for (size_t i = 0, count, length; i < node->extras.count; i += count) {
        count = vector_at(&node->extras, i, &length);
        put_extra(out, &node->extras.items[i], count, length);
    }
    mst_output_text(out, "}\n");
}
