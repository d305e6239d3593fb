/* SPDX-License-Identifier: MIT */
/*
 * Nodes that are not in the level: a light becomes a light entity, an empty (or any other node) with the
 * property `class` an entity of that class, with its other properties. Both in Natural Selection 2, whose
 * editor describes its classes; for other games they are reported as left out.
 */
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "importing.h"
#include <math.h>

#define CANDELA       10.0 /* for an intensity of 1, as in the scene */
#define DISTANCE_ELSE 10.0 /* for a light without a limit in the model */

typedef struct add_state {
    mst_import_state *w;
    mst_import_script *script;
    const mst_model_node *node;
    mst_buffer line;
    bool lacks_memory;
} add_state;

static void put(add_state *a, const char *text, size_t length) {
    const mst_sink sink = mst_buffer_sink(&a->line);
    a->lacks_memory = sink.write(sink.user, text, length) != MST_OK || a->lacks_memory;
}

static void put_text(add_state *a, const char *text) {
    put(a, text, strlen(text));
}

/* `,"name":[1,2,3]`, or a single number. */
static void put_numbers(add_state *a, const char *name, const double *numbers, unsigned count) {
    put_text(a, a->line.size && a->line.data[a->line.size - 1] == '{' ? "\"" : ",\"");
    put_text(a, name);
    put_text(a, count > 1 ? "\":[" : "\":");
    for (unsigned i = 0; i < count; i++) {
        char text[MST_NUMBER_MAX];
        if (i)
            put_text(a, ",");
        put(a, text, mst_write_f32(text, (float)(mst_tidy(numbers[i], 5e-6) + 0.0)));
    }
    if (count > 1)
        put_text(a, "]");
}

static bool has(const add_state *a, const char *name) {
    return mst_model_extra(&a->w->model, a->node->extras, name) != 0;
}

/* Position, angles and size, unless they have default values; things that are the same from all sides need no
 * angles. A light shines along its -Z, and a level's light along its +Z. */
static void put_place(add_state *a, bool turned, bool round) {
    mst_frame place;
    double own[16], angles[3];
    memcpy(own, a->node->world, sizeof own);
    for (int i = 0; i < 4 && turned; i++) {
        own[i] = -own[i];
        own[8 + i] = -own[8 + i];
    }
    mst_matrix_split(own, &place);
    mst_angles_of_turn((const double(*)[3])place.turn, angles);
    put_numbers(a, "origin", place.move, 3);
    if (!round && fabs(angles[0]) + fabs(angles[1]) + fabs(angles[2]) > 1e-5)
        put_numbers(a, "angles", angles, 3);
    if (!turned && !round && !place.flat &&
        fabs(place.scale[0] - 1) + fabs(place.scale[1] - 1) + fabs(place.scale[2] - 1) > 1e-4)
        put_numbers(a, "scale", place.scale, 3);
}

static void put_light(add_state *a, const mst_model_light *light) {
    const double intensity = light->intensity / CANDELA,
                 distance = light->range > 0 ? light->range : DISTANCE_ELSE;
    put_place(a, light->kind == MST_LIGHT_SPOT, light->kind == MST_LIGHT_POINT);
    if (!has(a, "color"))
        put_numbers(a, "color", light->color, 3);
    if (!has(a, "intensity"))
        put_numbers(a, "intensity", &intensity, 1);
    if (!has(a, "distance"))
        put_numbers(a, "distance", &distance, 1);
    if (light->kind != MST_LIGHT_SPOT)
        return;
    const double cone[2] = {2 * light->inner_angle, 2 * light->outer_angle}; /* levels have full angles */
    put_numbers(a, "innerAngle", &cone[0], 1);
    put_numbers(a, "outerAngle", &cone[1], 1);
}

static bool is_label(const mst_json_node *name) {
    char text[16];
    if (name->length >= sizeof text)
        return false;
    memcpy(text, name->text, name->length);
    text[name->length] = 0;
    return mst_is_label_extra(text);
}

/* The other properties: numbers and texts, or lists of numbers. */
static void put_properties(add_state *a) {
    const mst_json *json = &a->w->model.json;
    const uint32_t extras = a->node->extras;
    const mst_json_node *nodes = json->nodes;
    if (!extras || nodes[extras].kind != MST_JSON_OBJECT)
        return;
    for (uint32_t at = extras + 1; at < nodes[extras].end; at = nodes[at + 1].end) {
        const char *name = mst_json_quoted(&a->w->scratch, nodes[at].text, nodes[at].length),
                   *value = mst_json_text_of(json, at + 1, &a->w->scratch);
        if (!name || !value) {
            a->lacks_memory = true;
            return;
        }
        if (mst_is_word(&nodes[at], "class") || is_label(&nodes[at]) ||
            nodes[at + 1].kind == MST_JSON_OBJECT || nodes[at + 1].kind == MST_JSON_NULL)
            continue;
        put_text(a, ",");
        put_text(a, name);
        put_text(a, ":");
        put_text(a, value);
    }
}

/* The class that a node is to have; NULL: none. */
static const char *class_of(const mst_import_state *w, const mst_model_node *node, bool *lit) {
    const mst_json_node *said = mst_model_text(&w->model, node->extras, "class");
    *lit = node->light >= 0;
    if (said)
        return mst_json_quoted(w->arena, said->text, said->length);
    if (*lit)
        return w->model.lights[node->light].kind == MST_LIGHT_SPOT ? "\"light_spot\"" : "\"light_point\"";
    return NULL;
}

static mst_status add(mst_import_state *w, const mst_model_node *node, const char *class_name, bool lit) {
    mst_document *document;
    mst_status status;
    add_state a = {.w = w, .node = node, .line = {.allocator = w->result->allocator}};
    a.script = mst_importing_script(w, "", &document, &status);
    if (!a.script)
        return status;
    if (strcmp(mst_document_format(document)->id, "ns2-level") != 0)
        return mst_importing_warn(w, node->name, "new things are imported for Natural Selection 2 only");
    put_text(&a, "{\"op\":\"add\",\"path\":");
    put_text(&a, class_name);
    put_text(&a, ",\"new\":{");
    if (lit)
        put_light(&a, &w->model.lights[node->light]);
    else
        put_place(&a, false, false);
    put_properties(&a);
    put(&a, "}}", 3);
    status = a.lacks_memory ? mst_importing_no_memory(w)
                            : mst_script_line(w, a.script, "%s", (const char *)a.line.data);
    mst_buffer_free(&a.line);
    uint64_t index = 0;
    if (status == MST_OK) /* it is appended */
        status = mst_script_append(w, a.script, document, "objects", &index);
    const char *path = mst_arena_printf(&w->scratch, "objects[%llu]", (unsigned long long)index);
    if (status == MST_OK && path)
        status = mst_import_labels(w, a.script, document, "objects", path, NULL, node->extras);
    return status;
}

mst_status mst_import_new(mst_import_state *w) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < w->model.node_count && status == MST_OK; i++) {
        const mst_model_node *node = &w->model.nodes[i];
        bool lit;
        if (!node->shown || mst_is_exported(&w->model, node))
            continue;
        const char *class_name = class_of(w, node, &lit);
        if (class_name)
            status = add(w, node, class_name, lit);
    }
    return status;
}
