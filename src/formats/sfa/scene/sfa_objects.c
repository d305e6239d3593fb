/* SPDX-License-Identifier: MIT */
/*
 * Placed objects as scene nodes, at the map's coordinates, with the axes of glTF. Parameters are read with
 * the tables that also describe documents.
 */
#include "sfa_objects.h"
#include "../../../core/diagnose.h"
#include "../../../core/number.h"
#include "../../../core/unreachable.h"
#include "../../../scene/geometry.h"
#include "../../present.h"
#include "../objects/objects_graph.h"
#include "sfa_links.h"
#include "sfa_parameters.h"
#include "sfa_scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN        6.283185307179586
#define BOX         10.0F /* edge of an object's marker box, units */
#define SMALL_BOX   4.0F  /* the same for path points, of which there are many */
#define OBJECTS     "objects"
#define EYE_HEIGHT  30   /* of the camera above a start */
#define MESHES_SEEN 4096 /* number of earlier meshes searched for the same type */

/*
 * Lights have a range but no brightness: they fall to zero at `far`. The candela are chosen to give 2 lux
 * half way there, so that a light with a range of 10 metres is like a household bulb of 50 candela. The range
 * of flames is unknown.
 */
#define LUX_HALF_WAY  2.0
#define CANDELA_MAX   2000.0
#define CANDELA_TORCH 50.0F
#define CANDELA_GLOW  20.0F

enum {
    TYPE_SETUP_POINT = 0x0D,
    TYPE_TRIGGER_BITS = 0x54,
    TYPE_WALL_TORCH = 0x178,
    TYPE_POINT_LIGHT = 0x61B,
    TYPE_DIRECTIONAL_LIGHT = 0x61C,
    TYPE_PROJECTED_LIGHT = 0x61D
};

enum { GROUP_OBJECTS, GROUP_CURVES, GROUP_TRIGGERS, GROUP_LIGHTS, GROUP_STARTS, GROUPS };

/* A type of object in the list. */
typedef struct kind {
    int type;
    int32_t mesh; /* its box; -1: not yet made */
    uint32_t count;
    const char *name;
    const mst_record *part; /* NULL: unknown parameters */
    const char *yaw;        /* the parameter that holds it; NULL: none */
    unsigned yaw_byte;      /* there */
} kind;

typedef struct work {
    mst_scene_builder *build;
    const char *file; /* of the list; NULL: the parent node's file */
    mst_sfa_objects list;
    const char *layer;
    bool markers;
    int32_t parent, groups[GROUPS];
    int32_t trigger_mesh;
    kind *kinds;
    size_t kind_count;
    size_t old_meshes;
    const mst_primitive *boxes[2]; /* the normal and the small one; NULL: not yet made */
    mst_extra_list items;          /* of an object */
} work;

/* ---- types ------------------------------------------------------------------------------------- */

static int compare_types(const void *a, const void *b) {
    int x = ((const kind *)a)->type, y = ((const kind *)b)->type;
    return x < y ? -1 : x > y;
}

/* Collects the types of the list. */
static void scan(work *w) {
    const uint32_t count = w->list.count;
    w->kinds = mst_scene_scratch(w->build, count, sizeof *w->kinds);
    if (!w->kinds)
        return;
    for (uint32_t i = 0; i < count; i++)
        w->kinds[i].type = w->list.items[i].type;
    qsort(w->kinds, count, sizeof *w->kinds, compare_types);
    for (size_t i = 0; i < count && mst_scene_ok(w->build); i++) {
        int type = w->kinds[i].type;
        if (w->kind_count && w->kinds[w->kind_count - 1].type == type) {
            w->kinds[w->kind_count - 1].count++;
            continue;
        }
        const mst_sfa_object_type *known = mst_sfa_object_type_of(type);
        char text[32];
        if (!known)
            snprintf(text, sizeof text, type < 0 ? "type_minus_%04X" : "type_%04X",
                     (unsigned)(type < 0 ? -type : type));
        kind *added = &w->kinds[w->kind_count++];
        *added = (kind){.type = type,
                        .mesh = -1,
                        .count = 1,
                        .part = mst_sfa_object_part_of(type),
                        .name = known ? known->name : mst_scene_text(w->build, text, strlen(text))};
        added->yaw = mst_sfa_yaw_in(added->part, &added->yaw_byte);
    }
}

static kind *kind_of(const work *w, int type) {
    const kind key = {.type = type};
    return bsearch(&key, w->kinds, w->kind_count, sizeof *w->kinds, compare_types);
}

/* ---- boxes ------------------------------------------------------------------------------------- */

static int32_t marker(work *w, kind *k) {
    if (k->mesh >= 0 || !mst_scene_ok(w->build))
        return k->mesh;
    const mst_mesh *meshes = w->build->meshes.items;
    for (size_t i = 0; i < w->old_meshes; i++) /* the maps of a world share them */
        if (meshes[i].primitive_count == 1 && meshes[i].primitives->vertex_count == 24 &&
            strcmp(meshes[i].name, k->name) == 0)
            return k->mesh = (int32_t)i;
    bool small = mst_sfa_has_links(k->type);
    if (!w->boxes[small])
        w->boxes[small] = mst_scene_box(w->build, small ? SMALL_BOX : BOX, true);
    mst_material material = {.name = k->name, .image = -1};
    mst_color_of_name(k->name, material.color);
    return k->mesh = mst_scene_add_shape(w->build, w->boxes[small], k->name,
                                         mst_scene_add_material(w->build, &material));
}

/* ---- nodes ------------------------------------------------------------------------------------- */

static int32_t group_of(work *w, int which) {
    static const char *const names[GROUPS] = {"objects", "curves", "triggers", "lights", "starts"};
    if (w->groups[which] < 0)
        w->groups[which] = mst_scene_add_group(w->build, w->parent, names[which], w->layer);
    return w->groups[which];
}

static bool is_trigger(const kind *k) {
    return k->part && strcmp(k->part->name, "trigger") == 0;
}

static bool is_glow_source(const kind *k) {
    return k->part && strcmp(k->part->name, "glow_source") == 0;
}

static int which_group(const kind *k) {
    switch (k->type) {
    case MST_SFA_CURVE:
    case MST_SFA_CHECKPOINT: return GROUP_CURVES;
    case TYPE_SETUP_POINT: return GROUP_STARTS;
    case TYPE_WALL_TORCH:
    case TYPE_POINT_LIGHT:
    case TYPE_DIRECTIONAL_LIGHT:
    case TYPE_PROJECTED_LIGHT: return GROUP_LIGHTS;
    default: return is_trigger(k) ? GROUP_TRIGGERS : is_glow_source(k) ? GROUP_LIGHTS : GROUP_OBJECTS;
    }
}

/* The first bytes of a parameter, which the object has. */
static const uint8_t *bytes_of(const mst_sfa_object *object, const char *name, size_t count) {
    mst_value value = mst_member_in(&object->parameters, name);
    return mst_bytes_in(&value, count);
}

static void turn_to(float rotation[4], unsigned yaw, unsigned pitch) {
    static const float upwards[3] = {0, 1, 0}, right[3] = {1, 0, 0};
    float about_y[4], about_x[4];
    if (!yaw && !pitch)
        return;
    mst_quaternion_axis(upwards, (float)(yaw * TURN / 256), about_y);
    mst_quaternion_axis(right, (float)(-(double)pitch * TURN / 256), about_x);
    mst_quaternion_multiply(about_y, about_x, rotation);
}

/* The color of a light, and its range. */
static double color_and_reach(const mst_sfa_object *object, float color[3]) {
    const uint8_t *bytes = bytes_of(object, "color", 3);
    for (int i = 0; i < 3; i++)
        color[i] = mst_linear_of_srgb((float)bytes[i] / 255);
    return (double)mst_number_in(&object->parameters, "far") * MST_SFA_METRES;
}

/* Adds the object's light, if it has one; else -1. */
static int32_t light_of(work *w, const kind *k, const mst_sfa_object *object, const char *name) {
    mst_light light = {.name = name, .kind = MST_LIGHT_POINT, .color = {1, 0.45F, 0.13F}};
    double reach = 0;
    if (k->type == TYPE_POINT_LIGHT && mst_sfa_has_parameters(object)) {
        reach = color_and_reach(object, light.color);
    } else if (k->type == TYPE_PROJECTED_LIGHT && mst_sfa_has_parameters(object)) {
        reach = color_and_reach(object, light.color);
        uint64_t degrees = mst_number_in(&object->parameters, "field_of_view"); /* full angle of the cone */
        degrees = degrees < 1 ? 1 : degrees > 178 ? 178 : degrees;
        light.kind = MST_LIGHT_SPOT;
        light.outer_angle = (float)((double)degrees * TURN / 720);
        light.inner_angle = light.outer_angle * 0.8F;
    } else if (k->type == TYPE_WALL_TORCH) {
        light.intensity = CANDELA_TORCH;
    } else if (is_glow_source(k)) {
        light.intensity = CANDELA_GLOW;
    } else {
        return -1;
    }
    if (reach > 0) {
        double candela = LUX_HALF_WAY * reach / 2 * reach / 2;
        light.intensity = (float)(candela < CANDELA_MAX ? candela : CANDELA_MAX);
        light.range = (float)reach;
    } else if (light.intensity == 0) {
        light.intensity = CANDELA_GLOW;
    }
    return mst_scene_add_light(w->build, &light);
}

/* Adds a box for a trigger's size, which is in units. */
static void add_trigger_box(work *w, int32_t holder, const mst_sfa_object *object) {
    if (!mst_sfa_has_parameters(object))
        return;
    if (w->trigger_mesh < 0) {
        mst_material material = {.name = "trigger",
                                 .image = -1,
                                 .color = {0.1F, 0.75F, 0.35F, 0.3F},
                                 .alpha_mode = MST_ALPHA_BLEND,
                                 .double_sided = 1,
                                 .unlit = 1};
        w->trigger_mesh =
            mst_scene_add_cube(w->build, "trigger", mst_scene_add_material(w->build, &material));
    }
    mst_node *node = mst_scene_node(w->build, mst_scene_add_node(w->build, holder, "size", MST_ROLE_HELPER));
    if (!node)
        return;
    node->layer = w->layer;
    node->mesh = w->trigger_mesh;
    const uint8_t *size = bytes_of(object, "size", 3);
    for (int i = 0; i < 3; i++) /* a scale of 0 would have no inverse */
        node->scale[i] = size[i] ? (float)size[i] : 1;
}

static void add_start_camera(work *w, int32_t holder) {
    mst_camera camera = {.name = "start", .vertical_fov = 1.0F, .near_plane = 0.1F};
    int32_t index = mst_scene_add_camera(w->build, &camera);
    mst_node *node =
        mst_scene_node(w->build, mst_scene_add_node(w->build, holder, "camera", MST_ROLE_CAMERA));
    if (!node)
        return;
    node->layer = w->layer;
    node->camera = index;
    node->translation[1] = EYE_HEIGHT;
}

static void add_object(work *w, const mst_sfa_object *object, uint32_t number) {
    kind *k = kind_of(w, object->type);
    if (MST_UNREACHABLE(!k)) /* scan has found all types of the list */
        return;
    char name[48];
    size_t length = strlen(k->name);
    memcpy(name, k->name, length);
    name[length++] = '_';
    size_t digits = mst_write_u64(name + length, object->id);
    const char *tag = mst_scene_text(w->build, name + length, digits);
    name[length + digits] = 0;

    mst_sfa_add_parameters(&w->items, object, k->name);
    mst_extras extras = mst_extra_take(&w->items);

    int group = which_group(k);
    int32_t holder = group_of(w, group);
    int32_t index = mst_scene_add_node(w->build, holder, name, MST_ROLE_ENTITY);
    mst_node *node = mst_scene_node(w->build, index);
    if (!node)
        return;
    int32_t light = light_of(w, k, object, node->name);
    node->class_name = k->name;
    node->source = (mst_scene_source){w->file, OBJECTS, number};
    node->layer = w->layer;
    node->tag = tag;
    if (k->count == 1 && group == GROUP_OBJECTS) /* a single object is a landmark: a door, a chief, a shop */
        node->label = k->name;
    node->extras = extras;
    mst_sfa_position_of(object, node->translation);
    unsigned yaw =
        k->yaw && mst_sfa_has_parameters(object) ? bytes_of(object, k->yaw, k->yaw_byte + 1)[k->yaw_byte] : 0;
    /* the byte after the angle of a projected light tilts it; 64 is straight down */
    unsigned pitch =
        k->type == TYPE_PROJECTED_LIGHT && light >= 0 ? bytes_of(object, "rotation_xy", 2)[1] : 0;
    turn_to(node->rotation, yaw, pitch);
    if (light >= 0) {
        node->role = MST_ROLE_LIGHT;
        node->light = light;
    } else if (w->markers) {
        node->mesh = marker(w, k);
    }
    if (group == GROUP_STARTS)
        add_start_camera(w, index);
    else if (group == GROUP_TRIGGERS && k->type != TYPE_TRIGGER_BITS)
        add_trigger_box(w, index, object);
}

/* ---- lists ------------------------------------------------------------------------------------- */

void mst_sfa_scene_objects(mst_scene_builder *build, int32_t parent, const mst_value *list, const char *file,
                           const char *layer, bool markers, mst_array *lines) {
    work w = {.build = build,
              .file = file,
              .markers = markers,
              .parent = parent,
              .trigger_mesh = -1,
              .old_meshes = build->meshes.count < MESHES_SEEN ? build->meshes.count : MESHES_SEEN};
    for (int i = 0; i < GROUPS; i++)
        w.groups[i] = -1;
    w.layer = layer;
    mst_extra_begin(&w.items, build);
    if (mst_sfa_read_objects(list, &build->scratch, &w.list) != MST_OK)
        mst_scene_fail(build);
    scan(&w);
    for (uint32_t i = 0; mst_scene_ok(build) && i < w.list.count; i++)
        add_object(&w, &w.list.items[i], i);
    if (mst_scene_ok(build))
        mst_sfa_scene_links(build, w.groups[GROUP_CURVES], &w.list,
                            &(mst_scene_source){file, OBJECTS, MST_NO_INDEX}, layer, lines);
    mst_array_free(&w.items.items);
}

/* "snowmines" of "maps/snowmines.romlist.zlb". */
static const char *list_name(mst_scene_builder *build, const char *path) {
    const char *name = mst_sfa_file_name(path);
    return mst_scene_text(build, name, mst_sfa_list_length(name));
}

mst_status mst_sfa_romlist_scene(const mst_document *document, const mst_scene_options *options,
                                 mst_scene **scene, mst_diagnostic *diagnostic) {
    mst_value root = mst_root(document), list;
    if (mst_member(&root, "objects", &list) != MST_OK)
        return mst_fail(diagnostic, MST_UNSUPPORTED,
                        "the object list is kept as bytes, as its wrapper is unknown or damaged");
    mst_scene_builder build;
    options = mst_scene_start(&build, options, document->size, (float)MST_SFA_METRES);
    mst_array lines = mst_scene_array(&build, sizeof(mst_map_line));
    mst_sfa_scene_objects(&build, 0, &list, NULL, "", !options->no_markers, &lines);
    if (mst_scene_ok(&build) && mst_sfa_trigger_lines(document, &lines) != MST_OK)
        mst_scene_fail(&build);

    const char *name = list_name(&build, mst_document_name(document));
    const mst_sfa_map *map = mst_sfa_map_of_list(name);
    mst_extras_builder extras;
    mst_extras_begin(&extras, &build);
    mst_extras_integer(&extras, "objects", (int64_t)mst_count(&list));
    if (map) {
        mst_extras_integer(&extras, "map", map->number);
        mst_extras_string(&extras, "map_name", map->name);
    }
    mst_scene settings = {.name = name,
                          .format = document->format->information.id,
                          .extras = mst_extras_end(&extras),
                          .unit_metres = MST_SFA_METRES,
                          .symbolic = 1,
                          .map = mst_scene_keep_map(&build, NULL, &lines)};
    mst_array_free(&lines);
    return mst_scene_finish(&build, &settings, scene, diagnostic);
}
