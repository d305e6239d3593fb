/* SPDX-License-Identifier: MIT */
/*
 * A Natural Selection 2 level as a scene: its entities, lights and a camera; geometry is in ns2_mesh.c. The
 * axes of the Spark engine are the same as glTF's, so only lights and cameras are rotated: in a level they
 * look along +Z.
 */
#include "../../core/number.h"
#include "../../core/text.h"
#include "../../scene/geometry.h"
#include "../present.h"
#include "ns2.h"
#include "ns2_graph.h"
#include "ns2_mesh.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COMPONENTS_SHOWN 16
#define LAYERS_CAPACITY  1024 /* bytes of layer names in one entity's extras */
#define EYE_HEIGHT       1.8F
#define HALF_TURN        3.14159265358979F

/* The intensity of lights has no unit and is mostly 5: 50 candela, a household bulb, lights a room about as
 * brightly. The intensity of ambient lights is mostly 41; they fill a room softly, with a tenth of that. */
#define CANDELA         10.0
#define CANDELA_AMBIENT 1.0

#define MARKER_SIZE 0.5F /* m: edge of the cube that marks an entity */

typedef struct entity {
    const char *name, *class_name, *model; /* in the scratch memory */
    const char *file;                      /* that it shows as a symbol; "": none */
    const uint32_t *masks;
    size_t mask_count;
    uint32_t group_id, group; /* `group`: index */
    float origin[3], angles[3], scale[3], color[3];
    float distance, intensity, inner_angle, outer_angle;
    bool scaled, colored, named, modelled;
    uint32_t seen; /* bits of `known` numbers that were read: the first of a name counts */
} entity;

/* An entity that gets a marker. */
typedef struct marked {
    const char *key; /* model or class */
    int32_t node;
    bool model;
} marked;

typedef struct scene_work {
    mst_ns2_work base;
    mst_bound object, property, extra;
    bool markers;
    mst_array marked;
    mst_ns2_graph graph;
    bool has_start;
    float start[3], start_angles[3];
} scene_work;

/* ---- names of layers and groups ---------------------------------------------------------------- */

static void read_names(mst_ns2_work *work, const mst_value *root, const char *path, mst_ns2_names *names) {
    mst_value list, element;
    mst_bound bound;
    if (mst_member(root, path, &list) != MST_OK)
        return;
    mst_bind(root->document, &mst_ns2_layer_bindings, &bound);
    uint64_t count = mst_count(&list);
    if (MST_UNREACHABLE(count >= MST_NS2_NONE)) { /* a chunk's size is a u32 */
        mst_scene_fail(work->builder);
        return;
    }
    names->ids = mst_scene_scratch(work->builder, count, sizeof *names->ids);
    names->texts = mst_scene_scratch(work->builder, count, sizeof *names->texts);
    if (!names->ids || !names->texts)
        return;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);) {
        if (MST_CHANGED(names->count == count)) /* the iterator yields `count` elements */
            break;
        uint32_t index = (uint32_t)names->count++;
        mst_ns2_bound_layer layer = {.id = index}; /* version 4 has no ids: the index counts */
        mst_fill(&bound, &element, &layer);
        names->texts[index] = mst_scene_text_of(work->builder, &work->builder->arena, &layer.name, NULL);
        names->ids[index] = (mst_ns2_id){layer.id, index};
    }
    names->count = mst_ns2_ids_sort(names->ids, names->count);
}

/* The names of the entity's layers, separated by commas; stops before the first that does not fit. */
static size_t layers_text(const mst_ns2_names *layers, const entity *e, char *text, size_t capacity) {
    size_t length = 0;
    for (size_t i = 0; i < layers->count; i++) {
        uint32_t id = layers->ids[i].id;
        if (id / 32 >= e->mask_count)
            break;
        if (!(e->masks[id / 32] >> (id % 32) & 1))
            continue;
        const char *name = layers->texts[layers->ids[i].index];
        size_t comma = length ? 1 : 0, left = capacity - length;
        const char *end = left > comma ? memchr(name, 0, left - comma) : NULL;
        if (!end)
            break;
        size_t size = (size_t)(end - name);
        if (comma)
            text[length++] = ',';
        memcpy(text + length, name, size);
        length += size;
    }
    return length;
}

/* ---- properties -------------------------------------------------------------------------------- */

enum { TYPE_COLOR = 5, TYPE_ANGLE = 7 };

static void property_suffix(char *suffix, uint64_t type, uint64_t index, uint64_t count) {
    static const char *const colors[] = {"_r", "_g", "_b", "_a"},
                             *const angles[] = {"_roll", "_pitch", "_yaw"},
                             *const axes[] = {"_x", "_y", "_z", "_w"};
    const char *text = NULL;
    suffix[0] = 0;
    if (count == 1)
        return;
    if (type == TYPE_COLOR && count <= 4)
        text = colors[index];
    else if (type == TYPE_ANGLE && count == 3)
        text = angles[index];
    else if (count <= 4)
        text = axes[index];
    if (text) {
        memcpy(suffix, text, strlen(text) + 1);
    } else {
        suffix[0] = '_';
        suffix[1 + mst_write_u64(suffix + 1, index)] = 0;
    }
}

/* Copies numbers that the scene itself needs; the first property of a name counts. */
static void take_numbers(entity *e, const char *name, const mst_value *value, uint64_t count) {
    const struct {
        const char *name;
        float *to;
        uint64_t count;
    } known[] = {{"origin", e->origin, 3},
                 {"angles", e->angles, 3},
                 {"scale", e->scale, 3},
                 {"color", e->color, 3},
                 {"distance", &e->distance, 1},
                 {"intensity", &e->intensity, 1},
                 {"innerAngle", &e->inner_angle, 1},
                 {"outerAngle", &e->outer_angle, 1}};
    for (uint32_t i = 0; i < MST_COUNT_OF(known); i++) {
        if (strcmp(name, known[i].name) != 0 || count < known[i].count || e->seen >> i & 1)
            continue;
        e->seen |= 1u << i;
        uint64_t read;
        mst_target target = {
            .type = MST_F32, .components = 1, .data = known[i].to, .capacity = known[i].count};
        mst_read(value, &target, &read, NULL);
        e->scaled = e->scaled || known[i].to == e->scale;
        e->colored = e->colored || known[i].to == e->color;
        return;
    }
}

/* Whether a property names the file of something shown only as a symbol: a decal, a skybox, an effect, a
 * sound. */
static bool names_look(const char *name) {
    return strcmp(name, "material") == 0 || strcmp(name, "cinematicName") == 0 ||
           strcmp(name, "eventName") == 0;
}

static void add_value(mst_ns2_work *work, mst_extras_builder *extras, const char *name,
                      const mst_value *value, entity *e) {
    double real = 0;
    int64_t integer = 0;
    switch (mst_value_type(value)) {
    case MST_TYPE_TEXT: {
        size_t length;
        const char *text = mst_scene_text_of(work->builder, &work->builder->scratch, value, &length);
        mst_extras_text(extras, name, text, length);
        if (strcmp(name, "name") == 0 && !e->named)
            e->name = text, e->named = true;
        if (strcmp(name, "model") == 0 && !e->modelled)
            e->model = text, e->modelled = true;
        if (!*e->file && names_look(name))
            e->file = text;
        break;
    }
    case MST_TYPE_REAL:
        mst_get_real(value, &real);
        mst_extras_real(extras, name, real);
        break;
    default: mst_get_integer(value, &integer); mst_extras_integer(extras, name, integer);
    }
}

static void read_property(scene_work *w, const mst_value *property, mst_extras_builder *extras, entity *e) {
    char name[96] = "";
    mst_ns2_bound_property p;
    memset(&p, 0, sizeof p);
    mst_fill(&w->property, property, &p);
    if (mst_is_void(&p.value))
        return;
    mst_get_text(&p.name, name, sizeof name - MST_NUMBER_MAX, NULL);
    uint64_t count = mst_count(&p.value), index = 0;
    size_t length = strlen(name);
    mst_value element;
    take_numbers(e, name, &p.value, count);
    mst_ns2_graph_property(&w->graph, name, &p.value);
    for (mst_iterator it = mst_iterate(&p.value); index < COMPONENTS_SHOWN && mst_next(&it, &element);
         index++) {
        property_suffix(name + length, p.type, index, count);
        add_value(&w->base, extras, name, &element, e);
    }
}

/* ---- objects ----------------------------------------------------------------------------------- */

/* The quaternion of a rotation stored as roll, pitch, yaw: Ry(yaw) * Rx(pitch) * Rz(roll). */
static void rotation_of(const float angles[3], float rotation[4]) {
    static const float x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    float roll[4], pitch[4], yaw[4], both[4];
    mst_quaternion_axis(z, isfinite(angles[0]) ? angles[0] : 0, roll);
    mst_quaternion_axis(x, isfinite(angles[1]) ? angles[1] : 0, pitch);
    mst_quaternion_axis(y, isfinite(angles[2]) ? angles[2] : 0, yaw);
    mst_quaternion_multiply(yaw, pitch, both);
    mst_quaternion_multiply(both, roll, rotation);
}

static bool is_light(const char *class_name) {
    return strcmp(class_name, "light_point") == 0 || strcmp(class_name, "light_spot") == 0 ||
           strcmp(class_name, "light_ambient") == 0;
}

static float positive_or(float value, float other) {
    return isfinite(value) && value > 0 ? value : other;
}

static void add_light(mst_ns2_work *work, const entity *e, int32_t node, const char *name) {
    mst_scene_builder *builder = work->builder;
    bool spot = strcmp(e->class_name, "light_spot") == 0;
    bool ambient = strcmp(e->class_name, "light_ambient") == 0;
    double intensity = (double)positive_or(e->intensity, 0) * (ambient ? CANDELA_AMBIENT : CANDELA);
    mst_light light = {.name = name,
                       .kind = spot ? MST_LIGHT_SPOT : MST_LIGHT_POINT,
                       .intensity = intensity < 1e30 ? (float)intensity : 1e30F,
                       .range = positive_or(e->distance, 0)};
    for (int i = 0; i < 3; i++) {
        float part = e->colored ? positive_or(e->color[i], 0) : 1;
        light.color[i] = part < 1 ? part : 1;
    }
    if (spot) { /* the level has full cone angles, lights half ones */
        float outer = positive_or(e->outer_angle, HALF_TURN / 2) / 2,
              inner = positive_or(e->inner_angle, 0) / 2;
        light.outer_angle = outer < HALF_TURN / 2 ? outer : HALF_TURN / 2;
        light.inner_angle = inner < light.outer_angle ? inner : light.outer_angle;
    }
    int32_t holder = node;
    if (spot) {
        holder = mst_scene_add_node(builder, node, "light", MST_ROLE_GROUP);
        mst_node *turned = mst_scene_node(builder, holder);
        if (turned) {
            turned->rotation[1] = 1; /* half a turn about Y */
            turned->rotation[3] = 0;
            turned->layer = mst_scene_node(builder, node)->layer;
        }
    }
    int32_t index = mst_scene_add_light(builder, &light);
    mst_node *at = mst_scene_node(builder, holder);
    if (at)
        at->light = index;
}

/* The length of a file's name before its extension. */
static size_t stem_of(const char *file) {
    const char *dot = strrchr(file, '.');
    return dot && dot != file ? (size_t)(dot - file) : strlen(file);
}

static void add_entity(scene_work *w, const entity *e, int32_t parent, mst_scene_source source,
                       mst_extras extras) {
    mst_ns2_work *work = &w->base;
    mst_scene_builder *builder = work->builder;
    bool light = is_light(e->class_name);
    const char *file = light || *e->model ? "" : mst_base_name(e->file);
    const char *name = *e->name ? e->name : *file ? file : *e->class_name ? e->class_name : "entity";
    int32_t index = mst_scene_add_node(builder, parent, name, light ? MST_ROLE_LIGHT : MST_ROLE_ENTITY);
    const char *class_name = mst_scene_text(builder, e->class_name, strlen(e->class_name));
    mst_node *node = mst_scene_node(builder, index);
    if (!node)
        return;
    node->class_name = class_name;
    node->extras = extras;
    node->source = source;
    if (strcmp(e->class_name, "location") == 0) /* locations name the rooms */
        node->label = e->name[0] ? node->name : "";
    else if (*file)
        node->label = mst_scene_text(builder, file, stem_of(file));
    uint32_t layer = mst_ns2_first_layer(&work->layers, e->masks, e->mask_count);
    if (e->group != MST_NS2_NONE)
        node->layer = work->groups.texts[e->group];
    else if (layer != MST_NS2_NONE)
        node->layer = work->layers.texts[layer];
    for (int i = 0; i < 3; i++) {
        node->translation[i] = isfinite(e->origin[i]) ? e->origin[i] : 0;
        node->scale[i] = e->scaled && isfinite(e->scale[i]) ? e->scale[i] : 1;
    }
    rotation_of(e->angles, node->rotation);
    if (!w->has_start && strcmp(e->class_name, "ready_room_start") == 0) {
        w->has_start = true;
        memcpy(w->start, node->translation, sizeof w->start);
        memcpy(w->start_angles, e->angles, sizeof w->start_angles);
    }
    int32_t mesh;
    if (light) {
        /* a scale does not change a light */
        node->scale[0] = node->scale[1] = node->scale[2] = 1;
        add_light(work, e, index, node->name);
    } else if ((mesh = mst_spark_model_mesh(&work->stock, e->model)) >= 0) {
        node->mesh = mesh;
        node->role = MST_ROLE_GEOMETRY;
    } else if (w->markers && (*e->model || !e->scaled)) {
        /* an entity with a scale but no model is a volume, whose marker would hide the level */
        marked *added = mst_scene_push(builder, &w->marked, 1);
        bool model = *e->model != 0;
        if (added)
            *added = (marked){model ? e->model : e->class_name, index, model};
    }
}

static void read_object(scene_work *w, const mst_value *object, const mst_scene_source *source,
                        int32_t parent) {
    mst_ns2_work *work = &w->base;
    entity e = {.name = "",
                .class_name = "",
                .model = "",
                .file = "",
                .group_id = MST_NS2_NONE,
                .group = MST_NS2_NONE};
    mst_ns2_bound_object o = {.group = MST_NS2_NONE};
    mst_value element;
    mst_fill(&w->object, object, &o);
    if (!mst_is_void(&o.layer_masks)) {
        e.masks = mst_ns2_words(work, &o.layer_masks, &e.mask_count);
    } else if (work->version < 5) {
        uint32_t *words = mst_scene_scratch(work->builder, 2, sizeof *words);
        if (!words)
            return;
        words[0] = (uint32_t)o.layer_mask;
        words[1] = (uint32_t)(o.layer_mask >> 32);
        e.masks = words;
        e.mask_count = 2;
    }
    e.class_name = mst_scene_text_of(work->builder, &work->builder->scratch, &o.class_name, NULL);
    e.group_id = o.group;
    if (e.group_id != MST_NS2_NONE)
        e.group = mst_ns2_ids_find(work->groups.ids, work->groups.count, e.group_id);
    mst_extras_builder extras;
    mst_extras_begin(&extras, work->builder);
    char path[96];
    mst_extras_text(&extras, "path", path, mst_scene_source_path(source, path, sizeof path));
    mst_extras_text(&extras, "class", e.class_name, strlen(e.class_name));
    if (e.group != MST_NS2_NONE)
        mst_extras_text(&extras, "group", work->groups.texts[e.group], strlen(work->groups.texts[e.group]));
    else if (e.group_id != MST_NS2_NONE)
        mst_extras_integer(&extras, "group", e.group_id);
    char layers[LAYERS_CAPACITY];
    size_t length = layers_text(&work->layers, &e, layers, sizeof layers);
    if (length)
        mst_extras_text(&extras, "layers", layers, length);
    mst_ns2_graph_enter(&w->graph, source->path, source->index, e.class_name);
    for (mst_iterator it = mst_iterate(&o.properties); mst_next(&it, &element);)
        read_property(w, &element, &extras, &e);
    mst_ns2_graph_leave(&w->graph);
    for (mst_iterator it = mst_iterate(&o.extras); mst_next(&it, &element);) {
        mst_ns2_bound_extra extra;
        memset(&extra, 0, sizeof extra);
        mst_fill(&w->extra, &element, &extra);
        char name[96] = "";
        const void *bytes;
        size_t size = 0;
        mst_get_text(&extra.name, name, sizeof name - sizeof "_bytes", NULL);
        mst_get_bytes(&extra.data, &bytes, &size);
        memcpy(name + strlen(name), "_bytes", sizeof "_bytes");
        mst_extras_integer(&extras, name, (int64_t)size);
    }
    mst_extras list = mst_extras_end(&extras);
    if (mst_scene_ok(work->builder))
        add_entity(w, &e, parent, *source, list);
}

/* `prefix` is the path of the record that contains the list. */
static void read_objects(scene_work *w, const mst_value *objects, const char *prefix, int32_t parent) {
    mst_scene_builder *builder = w->base.builder;
    mst_value element;
    int32_t group = -1;
    mst_scene_source source = {.path = mst_scene_printf(w->base.builder, "%sobjects", prefix)};
    for (mst_iterator it = mst_iterate(objects); mst_scene_ok(builder) && mst_next(&it, &element);
         source.index++) {
        if (group < 0) {
            group = mst_scene_add_node(builder, parent, "Entities", MST_ROLE_GROUP);
            mst_scene_set_source(builder, group, NULL, source.path, MST_NO_INDEX);
        }
        read_object(w, &element, &source, group);
    }
}

/* ---- markers ----------------------------------------------------------------------------------- */

static int compare_marked(const void *left, const void *right) {
    const marked *a = left, *b = right;
    if (a->model != b->model)
        return a->model ? 1 : -1;
    int order = strcmp(a->key, b->key);
    if (order)
        return order;
    return (a->node > b->node) - (a->node < b->node);
}

/* Adds one mesh and material for each model and class; all share their geometry. */
static void add_markers(scene_work *w) {
    mst_scene_builder *builder = w->base.builder;
    marked *list = w->marked.items;
    if (w->marked.count > 1)
        qsort(list, w->marked.count, sizeof *list, compare_marked);
    const mst_primitive *cube = w->marked.count ? mst_scene_box(builder, MARKER_SIZE, false) : NULL;
    int32_t mesh = -1;
    for (size_t i = 0; i < w->marked.count && mst_scene_ok(builder); i++) {
        bool same = i > 0 && list[i].model == list[i - 1].model && strcmp(list[i].key, list[i - 1].key) == 0;
        if (!same) {
            const char *name = mst_scene_text(builder, list[i].key, strlen(list[i].key));
            mst_material material = {.name = name, .image = -1};
            mst_color_of_name(name, material.color);
            mesh = mst_scene_add_shape(builder, cube, name, mst_scene_add_material(builder, &material));
        }
        mst_node *node = mst_scene_node(builder, list[i].node);
        if (node)
            node->mesh = mesh;
    }
}

/* ---- camera ------------------------------------------------------------------------------------ */

/* The number in <name>...</name> before `end`, where a tag begins. */
static bool xml_number(const char *text, const char *end, const char *name, float *number) {
    size_t length = strlen(name);
    for (const char *at = text; (at = strchr(at, '<')) < end; at++) { /* ends with the tag at `end` */
        if (strncmp(at + 1, name, length) != 0 || at[1 + length] != '>')
            continue;
        const char *start = at + 2 + length, *stop = strchr(start, '<');
        double value;
        if (!mst_read_f64(start, (size_t)(stop - start), &value) || !(fabs(value) < 1e9))
            return false;
        *number = (float)value;
        return true;
    }
    return false;
}

/* Position and angles (taken as radians) of the first perspective view that the editor saved. */
static bool first_viewport(mst_ns2_work *work, const mst_value *root, float position[3], float angles[3]) {
    mst_value value;
    if (mst_member(root, "viewports", &value) != MST_OK)
        return false;
    const char *text = mst_scene_text_of(work->builder, &work->builder->scratch, &value, NULL), *view = text;
    for (const char *at = text; (at = strstr(at, "<viewport>")) != NULL;) {
        const char *end = strstr(at, "</viewport>");
        if (!end)
            return false;
        if (view < at) /* otherwise the last match is still ahead */
            view = at;
        view = strstr(view, "<view>perspective</view>");
        if (!view)
            return false;
        angles[0] = 0;
        if (view < end && xml_number(at, end, "x", &position[0]) && xml_number(at, end, "y", &position[1]) &&
            xml_number(at, end, "z", &position[2]) && xml_number(at, end, "camera_pitch", &angles[1]) &&
            xml_number(at, end, "camera_yaw", &angles[2]))
            return true;
        at = end;
    }
    return false;
}

static void add_camera(scene_work *w, const mst_value *root, int32_t parent) {
    mst_scene_builder *builder = w->base.builder;
    float position[3] = {0, 0, 0}, angles[3] = {0, 0, 0}; /* +Z is forward here */
    const char *name = "ready_room_start";
    if (w->has_start) {
        memcpy(position, w->start, sizeof position);
        memcpy(angles, w->start_angles, sizeof angles);
        position[1] += EYE_HEIGHT;
    } else if (root && first_viewport(&w->base, root, position, angles)) {
        name = "viewport";
    } else {
        return;
    }
    mst_camera camera = {.name = name, .vertical_fov = 1.0F, .near_plane = 0.1F};
    int32_t index = mst_scene_add_camera(builder, &camera);
    mst_node *node = mst_scene_node(builder, mst_scene_add_node(builder, parent, "camera", MST_ROLE_CAMERA));
    if (!node)
        return;
    static const float half_turn[4] = {0, 1, 0, 0};
    float forward[4];
    rotation_of(angles, forward);
    mst_quaternion_multiply(forward, half_turn, node->rotation);
    memcpy(node->translation, position, sizeof position);
    node->camera = index;
}

/* ---- scenes ------------------------------------------------------------------------------------ */

static void begin(scene_work *w, mst_scene_builder *builder, const mst_document *document,
                  const mst_scene_options *options, bool clip) {
    options = mst_scene_start(builder, options, document->size, 1);
    *w = (scene_work){.base = {.builder = builder,
                               .version = document->variant.version,
                               .split_layers = options->split_layers != 0},
                      .markers = !options->no_markers,
                      .marked = mst_scene_array(builder, sizeof(marked))};
    mst_spark_stock_begin(&w->base.stock, builder, document, options);
    mst_ns2_graph_begin(&w->graph, &builder->scratch);
    mst_bind(document, clip ? &mst_ns2_clip_object_bindings : &mst_ns2_object_bindings, &w->object);
    mst_bind(document, &mst_ns2_extra_bindings, &w->extra);
    mst_bind(document, &mst_ns2_property_bindings, &w->property);
}

/* Arrows from entities to the entities that they act on; NULL: none. */
static const mst_map *links_of(scene_work *w) {
    mst_scene_builder *builder = w->base.builder;
    mst_array lines = mst_scene_array(builder, sizeof(mst_map_line));
    mst_status status = mst_ns2_graph_resolve(&w->graph);
    if (status == MST_OK)
        status = mst_ns2_graph_lines(&w->graph, &lines);
    if (status != MST_OK)
        mst_scene_fail(builder);
    const mst_map *map = mst_scene_keep_map(builder, NULL, &lines);
    mst_array_free(&lines);
    mst_ns2_graph_end(&w->graph);
    return map;
}

static mst_status finish(scene_work *w, const mst_document *document, const mst_value *root,
                         mst_scene **scene, mst_diagnostic *diagnostic) {
    mst_scene_builder *builder = w->base.builder;
    add_markers(w);
    mst_spark_stock_end(&w->base.stock);
    add_camera(w, root, 0);
    mst_extras_builder extras;
    mst_extras_begin(&extras, builder);
    mst_extras_integer(&extras, "version", w->base.version);
    if (w->base.remade)
        mst_extras_integer(&extras, "faces_triangulated_anew", (int64_t)w->base.remade);
    if (w->base.skipped)
        mst_extras_integer(&extras, "faces_not_shown", (int64_t)w->base.skipped);
    mst_scene settings = {.format = document->format->information.id,
                          .extras = mst_extras_end(&extras),
                          .map = links_of(w),
                          .unit_metres = 1};
    mst_array_free(&w->marked);
    return mst_scene_finish(builder, &settings, scene, diagnostic);
}

mst_status mst_ns2_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                         mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    scene_work w;
    begin(&w, &builder, document, options, false);
    mst_value root = mst_root(document), part;
    read_names(&w.base, &root, "layers", &w.base.layers);
    read_names(&w.base, &root, "groups", &w.base.groups);
    if (mst_member(&root, "mesh", &part) == MST_OK)
        mst_ns2_mesh(&w.base, &part, "", 0);
    part = mst_member_in(&root, "objects");
    read_objects(&w, &part, "", 0);
    return finish(&w, document, &root, scene, diagnostic);
}

mst_status mst_ns2_clip_scene(const mst_document *document, const mst_scene_options *options,
                              mst_scene **scene, mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    scene_work w;
    begin(&w, &builder, document, options, true);
    mst_value root = mst_root(document), blocks = mst_member_in(&root, "blocks"), block, part;
    uint64_t number = 0;
    for (mst_iterator it = mst_iterate(&blocks); builder.status == MST_OK && mst_next(&it, &block);
         number++) {
        char prefix[16 + MST_NUMBER_MAX] = "blocks[";
        size_t length = 7 + mst_write_u64(prefix + 7, number);
        memcpy(prefix + length, "].", 3);
        if (mst_member(&block, "mesh", &part) == MST_OK)
            mst_ns2_mesh(&w.base, &part, prefix, 0);
        if (mst_member(&block, "objects", &part) == MST_OK)
            read_objects(&w, &part, prefix, 0);
    }
    return finish(&w, document, NULL, scene, diagnostic);
}
