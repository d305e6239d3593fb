/* SPDX-License-Identifier: MIT */
/*
 * Placed objects as scene nodes, at the map's coordinates, with the axes of glTF. Parameters are read with
 * the tables that also describe documents.
 */
#include "objects.h"
#include "../../../core/diagnose.h"
#include "../../../core/number.h"
#include "../../../core/unreachable.h"
#include "../../../scene/geometry.h"
#include "../../present.h"
#include "../objects/graph.h"
#include "parameters.h"
#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN        6.283185307179586
#define BOX         10.0F /* edge of an object's marker box, units */
#define SMALL_BOX   4.0F  /* the same for path points, of which there are many */
#define LINK_WIDTH  0.75F /* half the width of a link's strips */
#define EYE_HEIGHT  30    /* of the camera above a start */
#define FAR         1e6F  /* units; links further out are not shown */
#define MESHES_SEEN 4096  /* meshes of earlier lists that are searched for the same type's */

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
    int32_t mesh; /* its box; -1: not made yet */
    uint32_t count;
    const char *name;
    const mst_record *part; /* NULL: unknown parameters */
    const char *yaw;        /* the parameter that holds it; NULL: none */
    unsigned yaw_byte;      /* there */
} kind;

/* A point of a curve, or a checkpoint. */
typedef struct point {
    const mst_sfa_object *object;
    uint32_t index; /* in the list */
} point;

/* A link that is drawn. */
typedef struct link {
    float from[3], to[3];
    uint32_t object; /* its index in the list */
    uint16_t bucket; /* kind of curve, or CHECKPOINTS */
} link;
#define CHECKPOINTS 256
#define OBJECTS     "objects"
#define BUCKETS     257

typedef struct work {
    mst_scene_builder *build;
    const char *file; /* of the list; NULL: that of the parent node */
    mst_sfa_objects list;
    const char *layer;
    bool markers;
    int32_t parent, groups[GROUPS];
    int32_t trigger_mesh;
    kind *kinds;
    size_t kind_count;
    point *points; /* ascending by type and id */
    size_t point_count, old_meshes;
    const mst_primitive *boxes[2]; /* the normal and the small one; NULL: not made yet */
    mst_extra_list items;          /* of an object */
} work;

/* ---- types ------------------------------------------------------------------------------------- */

static int compare_types(const void *a, const void *b) {
    int x = ((const kind *)a)->type, y = ((const kind *)b)->type;
    return x < y ? -1 : x > y;
}

static int compare_points(const void *a, const void *b) {
    const point *x = a, *y = b;
    if (x->object->type != y->object->type)
        return x->object->type < y->object->type ? -1 : 1;
    if (x->object->id != y->object->id)
        return x->object->id < y->object->id ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static bool is_point(int type) {
    return type == MST_SFA_CURVE || type == MST_SFA_CHECKPOINT;
}

/* Collects the types and points of the list. */
static void scan(work *w) {
    const uint32_t count = w->list.count;
    size_t points = 0;
    for (uint32_t i = 0; i < count; i++)
        points += is_point(w->list.items[i].type);
    w->kinds = mst_scene_scratch(w->build, count, sizeof *w->kinds);
    w->points = mst_scene_scratch(w->build, points, sizeof *w->points);
    if (!w->kinds || !w->points)
        return;
    for (uint32_t i = 0; i < count; i++) {
        const mst_sfa_object *object = &w->list.items[i];
        if (is_point(object->type))
            w->points[w->point_count++] = (point){object, i};
        w->kinds[i].type = object->type;
    }
    qsort(w->kinds, count, sizeof *w->kinds, compare_types);
    qsort(w->points, w->point_count, sizeof *w->points, compare_points);
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
    bool small = is_point(k->type);
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

static void position_of(const mst_sfa_object *object, float position[3]) {
    for (unsigned i = 0; i < 3; i++)
        position[i] = isfinite(object->position[i]) ? object->position[i] : 0;
}

/* The first bytes of a parameter, which the object has. */
static const uint8_t *bytes_of(const mst_sfa_object *object, const char *name, size_t count) {
    mst_value value = mst_member_in(&object->parameters, name);
    return mst_bytes_in(&value, count);
}

static bool has_parameters(const mst_sfa_object *object) {
    return object->parameters.document != NULL;
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

/* The color of a light, and how far it reaches. */
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
    if (k->type == TYPE_POINT_LIGHT && has_parameters(object)) {
        reach = color_and_reach(object, light.color);
    } else if (k->type == TYPE_PROJECTED_LIGHT && has_parameters(object)) {
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
    if (!has_parameters(object))
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
    position_of(object, node->translation);
    unsigned yaw =
        k->yaw && has_parameters(object) ? bytes_of(object, k->yaw, k->yaw_byte + 1)[k->yaw_byte] : 0;
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

/* ---- links ------------------------------------------------------------------------------------- */

/* The first point of a type with an id. */
static const point *point_of(const work *w, int type, uint32_t id) {
    size_t low = 0, high = w->point_count;
    const mst_sfa_object wanted = {.type = (int16_t)type, .id = id};
    const point key = {.object = &wanted};
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_points(&w->points[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const point *found = w->points + low;
    return low < w->point_count && found->object->type == type && found->object->id == id ? found : NULL;
}

/* The ids to which a point links; returns how many. */
static unsigned links_of(const mst_sfa_object *object, uint32_t ids[4]) {
    if (!has_parameters(object))
        return 0;
    if (object->type == MST_SFA_CURVE) {
        memcpy(ids, object->links, sizeof object->links);
        return MST_SFA_LINKS;
    }
    mst_value next = mst_member_in(&object->parameters, "next");
    mst_target target = {.type = MST_U32, .data = ids, .capacity = MST_SFA_LINKS};
    uint64_t count = 0;
    mst_read(&next, &target, &count, NULL);
    return (unsigned)count;
}

static bool is_near(const float position[3]) {
    return fabsf(position[0]) < FAR && fabsf(position[1]) < FAR && fabsf(position[2]) < FAR;
}

static bool same_position(const float a[3], const float b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void add_link(work *w, mst_array *links, const point *from, const point *to) {
    bool curve = from->object->type == MST_SFA_CURVE;
    link made = {.object = from->index, .bucket = curve ? from->object->kind : CHECKPOINTS};
    position_of(from->object, made.from);
    position_of(to->object, made.to);
    if (!is_near(made.from) || !is_near(made.to) || same_position(made.from, made.to))
        return;
    link *added = mst_scene_push(w->build, links, 1);
    if (added)
        *added = made;
}

/* Two points that link to each other yield one link, from the first to the second, unless only the way back
 * is open. */
static void find_links(work *w, mst_array *links) {
    for (size_t i = 0; i < w->point_count && mst_scene_ok(w->build); i++) {
        const point *from = &w->points[i];
        uint32_t ids[4], back[4];
        unsigned count = links_of(from->object, ids);
        for (unsigned k = 0; k < count && mst_scene_ok(w->build); k++) {
            bool seen = false;
            for (unsigned before = 0; before < k; before++)
                seen = seen || ids[before] == ids[k];
            const point *to =
                ids[k] == MST_SFA_NO_LINK || seen ? NULL : point_of(w, from->object->type, ids[k]);
            if (!to || to->object->id == from->object->id)
                continue;
            bool mutual = false, back_open = false, open = !(from->object->blocked_links >> k & 1);
            unsigned back_count = links_of(to->object, back);
            for (unsigned n = 0; n < back_count && !mutual; n++) {
                mutual = back[n] == from->object->id;
                back_open = mutual && !(to->object->blocked_links >> n & 1);
            }
            if (!mutual || (open != back_open ? open : from->index < to->index))
                add_link(w, links, from, to);
        }
    }
}

/* Two crossed strips, visible from all sides. */
static void put_strips(const link *l, float *positions, uint32_t *indices, uint32_t base) {
    static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
    double x = (double)l->to[0] - (double)l->from[0], z = (double)l->to[2] - (double)l->from[2];
    double length = sqrt(x * x + z * z);
    float across[2][3] = {{LINK_WIDTH, 0, 0}, {0, LINK_WIDTH, 0}};
    if (length > 1e-3) {
        across[0][0] = (float)(-z / length * (double)LINK_WIDTH);
        across[0][2] = (float)(x / length * (double)LINK_WIDTH);
    } else { /* vertical */
        across[1][1] = 0;
        across[1][2] = LINK_WIDTH;
    }
    for (uint32_t strip = 0; strip < 2; strip++) {
        for (uint32_t corner = 0; corner < 4; corner++)
            for (uint32_t i = 0; i < 3; i++) {
                const float *end = corner == 0 || corner == 3 ? l->from : l->to;
                *positions++ = end[i] + (corner < 2 ? -across[strip][i] : across[strip][i]);
            }
        for (uint32_t i = 0; i < 6; i++)
            *indices++ = base + strip * 4 + order[i];
    }
}

static const char *bucket_name(work *w, unsigned bucket) {
    const mst_record *part = mst_sfa_object_part_of(MST_SFA_CURVE);
    const char *known = bucket == CHECKPOINTS ? "checkpoints" : NULL;
    for (uint32_t i = 0; !known && i < part->field_count; i++)
        if (strcmp(part->fields[i].name, "kind") == 0)
            known = mst_name_of_number(part->fields[i].names, bucket);
    char text[48];
    if (known)
        snprintf(text, sizeof text, "links_%s", known);
    else
        snprintf(text, sizeof text, "links_kind_%02X", bucket);
    return mst_scene_text(w->build, text, strlen(text));
}

/* Adds one mesh for the links of each kind of curve. */
static void add_link_meshes(work *w, const link *links, size_t count) {
    uint32_t counts[BUCKETS] = {0};
    if (count > UINT32_MAX / 12)
        return;
    for (size_t i = 0; i < count; i++)
        counts[links[i].bucket]++;
    for (unsigned bucket = 0; bucket < BUCKETS && mst_scene_ok(w->build); bucket++) {
        if (!counts[bucket])
            continue;
        float *positions = mst_scene_take(w->build, counts[bucket], 8 * 3 * sizeof *positions);
        uint32_t *indices = mst_scene_take(w->build, counts[bucket], 12 * sizeof *indices),
                 *elements = mst_scene_take(w->build, counts[bucket], 4 * sizeof *elements);
        const char *name = bucket_name(w, bucket);
        if (!mst_scene_ok(w->build))
            return;
        uint32_t done = 0;
        for (size_t i = 0; i < count; i++)
            if (links[i].bucket == bucket) {
                put_strips(&links[i], positions + 24 * (size_t)done, indices + 12 * (size_t)done, 8 * done);
                for (size_t k = 0; k < 4; k++)
                    elements[4 * (size_t)done + k] = links[i].object;
                done++;
            }
        mst_material material = {.name = name, .image = -1, .double_sided = 1, .unlit = 1};
        mst_color_of_name(name, material.color);
        mst_primitive primitive = {.vertex_count = 8 * done,
                                   .index_count = 12 * done,
                                   .positions = positions,
                                   .indices = indices,
                                   .source = {w->file, OBJECTS, MST_NO_INDEX},
                                   .elements = elements};
        int32_t mesh =
            mst_scene_add_shape(w->build, &primitive, name, mst_scene_add_material(w->build, &material));
        int32_t index = mst_scene_add_node(w->build, group_of(w, GROUP_CURVES), name, MST_ROLE_HELPER);
        mst_node *node = mst_scene_node(w->build, index);
        if (node) {
            node->mesh = mesh;
            node->source = primitive.source;
            node->layer = w->layer;
        }
    }
}

static void add_links(work *w, mst_array *lines) {
    mst_array links = mst_scene_array(w->build, sizeof(link));
    find_links(w, &links);
    add_link_meshes(w, links.items, links.count);
    if (lines && links.count && mst_scene_ok(w->build)) {
        mst_map_line *added = mst_scene_push(w->build, lines, links.count);
        const link *found = links.items;
        for (size_t i = 0; added && i < links.count; i++) {
            added[i].kind = MST_MAP_LINK;
            memcpy(added[i].from, found[i].from, sizeof added[i].from);
            memcpy(added[i].to, found[i].to, sizeof added[i].to);
        }
    }
    mst_array_free(&links);
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
        add_links(&w, lines);
    mst_array_free(&w.items.items);
}

/* "snowmines" of "maps/snowmines.romlist.zlb". */
static const char *list_name(mst_scene_builder *build, const char *path) {
    const char *name = mst_sfa_file_name(path), *end = strchr(name, '.');
    return mst_scene_text(build, name, end ? (size_t)(end - name) : strlen(name));
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
