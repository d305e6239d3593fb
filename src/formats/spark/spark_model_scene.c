/* SPDX-License-Identifier: MIT */
/*
 * A model as a scene: the mesh in bind pose, one primitive for each face set; below it the bones as nodes,
 * with attach points, cameras and collision hulls.
 */
#include "../../scene/geometry.h"
#include "../../scene/work.h"
#include "../extras.h"
#include "model_animation.h"
#include "model_skin.h"
#include <math.h>

typedef struct work {
    mst_scene_builder *builder;
    const mst_document *document;
    mst_spark_vertex *vertices;
    uint64_t vertex_count;
    uint32_t *corners; /* three for each triangle */
    uint64_t corner_count;
    uint32_t *places;   /* per vertex its index in the last primitive that used it */
    uint32_t *stamps;   /* ... and the number of that primitive */
    int32_t *materials; /* in the scene */
    uint64_t material_count;
    int32_t *bones; /* nodes */
    uint64_t bone_count;
    int32_t skeleton;
    bool colored;
    mst_spark_stock *stock;
    const char *file; /* of the sources */
    bool whole_names; /* materials are named by their full paths */
    mst_spark_influences influences;
    int32_t mesh_node;
} work;

static bool ok(const work *w) {
    return mst_scene_ok(w->builder);
}

/* ---- reading ------------------------------------------------------------------------------------- */

static void read_mesh(work *w) {
    mst_value vertices, indices;
    mst_bound bound;
    uint64_t read = 0;
    w->vertex_count = mst_spark_list(w->document, "vertices", &vertices);
    w->corner_count = mst_spark_list(w->document, "indices", &indices) / 3 * 3;
    w->vertices = mst_scene_scratch(w->builder, w->vertex_count, sizeof *w->vertices);
    w->places = mst_scene_scratch(w->builder, w->vertex_count, sizeof *w->places);
    w->stamps = mst_scene_scratch(w->builder, w->vertex_count, sizeof *w->stamps);
    w->corners = mst_scene_scratch(w->builder, w->corner_count, sizeof *w->corners);
    if (!ok(w))
        return;
    mst_bind(w->document, &mst_spark_vertex_bindings, &bound);
    if (w->vertex_count)
        w->vertex_count = mst_fill_list(&bound, &vertices, w->vertices, w->vertex_count);
    mst_target target = {.type = MST_U32, .components = 1, .data = w->corners, .capacity = w->corner_count};
    if (w->corner_count)
        mst_read(&indices, &target, &read, NULL);
    w->corner_count = read / 3 * 3;
    bool has_colors = w->document->variant.version >= 7;
    for (uint64_t i = 0; i < w->vertex_count && has_colors && !w->colored; i++)
        w->colored = memcmp(w->vertices[i].color, "\xFF\xFF\xFF\xFF", 4) != 0;
}

/* The last part of a path, without its extension. */
static const char *short_name(work *w, const char *path) {
    const char *slash = strrchr(path, '/');
    char name[256];
    mst_scene_stem(slash ? slash + 1 : path, name, sizeof name);
    return mst_scene_text(w->builder, name, strlen(name));
}

/* The materials, and one more for face sets that name none of them. */
static void read_materials(work *w) {
    mst_value list, element;
    uint64_t count = mst_spark_list(w->document, "materials", &list);
    w->materials = mst_scene_scratch(w->builder, count + 1, sizeof *w->materials);
    if (!ok(w))
        return;
    if (count)
        for (mst_iterator it = mst_iterate(&list);
             ok(w) && w->material_count < count && mst_next(&it, &element);) {
            const char *path = mst_scene_text_of(w->builder, &w->builder->arena, &element, NULL);
            const char *name = !*path ? "no material" : w->whole_names ? path : short_name(w, path);
            w->materials[w->material_count++] = mst_spark_stock_material(w->stock, path, name);
        }
    if (ok(w))
        w->materials[w->material_count++] = mst_spark_stock_material(w->stock, "", "no material");
}

/* ---- the mesh ------------------------------------------------------------------------------------ */

static bool is_finite3(const float v[3]) {
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* Whether the triangle can be shown. */
static bool is_good(const work *w, const uint32_t corners[3]) {
    for (unsigned k = 0; k < 3; k++)
        if (corners[k] >= w->vertex_count || !is_finite3(w->vertices[corners[k]].position))
            return false;
    return true;
}

/* Length 1, or upwards if it has none. */
static void put_normal(const float from[3], float to[3]) {
    double length = sqrt((double)from[0] * (double)from[0] + (double)from[1] * (double)from[1] +
                         (double)from[2] * (double)from[2]);
    bool good = isfinite(length) && length > 0;
    for (unsigned k = 0; k < 3; k++)
        to[k] = good ? (float)((double)from[k] / length) : k == 1;
}

typedef struct target {
    float *positions, *normals, *texcoords, *colors, *weights;
    uint16_t *joints;
    uint32_t *indices, *elements;
    uint32_t vertex_count, index_count;
} target;

static uint32_t put_vertex(work *w, target *to, uint32_t index, uint32_t stamp) {
    if (w->stamps[index] == stamp)
        return w->places[index];
    const mst_spark_vertex *v = &w->vertices[index];
    uint32_t at = to->vertex_count++;
    memcpy(to->positions + 3 * (size_t)at, v->position, sizeof v->position);
    put_normal(v->normal, to->normals + 3 * (size_t)at);
    for (unsigned k = 0; k < 2; k++)
        to->texcoords[2 * (size_t)at + k] = isfinite(v->uv[k]) ? v->uv[k] : 0;
    for (unsigned k = 0; k < 4 && to->colors; k++)
        to->colors[4 * (size_t)at + k] = (float)v->color[k] / 255.0F;
    if (to->joints)
        mst_spark_influences_put(&w->influences, index, to->joints + 4 * (size_t)at,
                                 to->weights + 4 * (size_t)at);
    w->stamps[index] = stamp;
    w->places[index] = at;
    return at;
}

/* Fills a primitive with the triangles of a face set; false if it has none. */
static bool make_primitive(work *w, const mst_spark_face_set *set, uint32_t number,
                           mst_primitive *primitive) {
    uint64_t faces = w->corner_count / 3, first = set->first_face < faces ? set->first_face : faces;
    uint64_t end = faces - first < set->face_count ? faces : first + set->face_count, good = 0;
    for (uint64_t i = first; i < end; i++)
        good += is_good(w, w->corners + 3 * i);
    uint64_t most = 3 * good < w->vertex_count ? 3 * good : w->vertex_count;
    bool skinned = w->influences.of != NULL;
    mst_spark_influences_set(&w->influences, set);
    target to = {.positions = mst_scene_take(w->builder, most, 3 * sizeof(float)),
                 .normals = mst_scene_take(w->builder, most, 3 * sizeof(float)),
                 .texcoords = mst_scene_take(w->builder, most, 2 * sizeof(float)),
                 .colors = w->colored ? mst_scene_take(w->builder, most, 4 * sizeof(float)) : NULL,
                 .joints = skinned ? mst_scene_take(w->builder, most, 4 * sizeof(uint16_t)) : NULL,
                 .weights = skinned ? mst_scene_take(w->builder, most, 4 * sizeof(float)) : NULL,
                 .indices = mst_scene_take(w->builder, good, 3 * sizeof(uint32_t)),
                 .elements = mst_scene_take(w->builder, good, sizeof(uint32_t))};
    if (!ok(w) || !good)
        return false;
    for (uint64_t i = first; i < end; i++) {
        if (!is_good(w, w->corners + 3 * i))
            continue;
        to.elements[to.index_count / 3] = number - 1;
        for (unsigned k = 0; k < 3; k++)
            to.indices[to.index_count++] = put_vertex(w, &to, w->corners[3 * i + k], number);
    }
    uint64_t material = set->material < w->material_count - 1 ? set->material : w->material_count - 1;
    *primitive = (mst_primitive){.material = w->materials[material],
                                 .vertex_count = to.vertex_count,
                                 .index_count = to.index_count,
                                 .positions = to.positions,
                                 .normals = to.normals,
                                 .texcoords = to.texcoords,
                                 .colors = to.colors,
                                 .indices = to.indices,
                                 .source = {.file = w->file, .path = "face_sets", .index = MST_NO_INDEX},
                                 .elements = to.elements,
                                 .joints = to.joints,
                                 .weights = to.weights};
    return true;
}

/* The index in the scene; -1: nothing to show. */
static int32_t add_mesh(work *w, const char *name) {
    mst_value sets, element;
    mst_bound bound;
    uint64_t count = mst_spark_list(w->document, "face_sets", &sets);
    mst_primitive *primitives = mst_scene_take(w->builder, count, sizeof *primitives);
    mst_mesh mesh = {.name = name, .primitives = primitives};
    uint32_t number = 0;
    mst_bind(w->document, &mst_spark_face_set_bindings, &bound);
    if (count)
        for (mst_iterator it = mst_iterate(&sets); ok(w) && number < count && mst_next(&it, &element);) {
            mst_spark_face_set set;
            memset(&set, 0, sizeof set);
            mst_fill(&bound, &element, &set);
            mesh.primitive_count += make_primitive(w, &set, ++number, &primitives[mesh.primitive_count]);
        }
    return mesh.primitive_count ? mst_scene_add_mesh(w->builder, &mesh) : -1;
}

static void add_mesh_node(work *w, const char *name) {
    int32_t index = add_mesh(w, name);
    if (index < 0)
        return;
    w->mesh_node = mst_scene_add_node(w->builder, 0, name, MST_ROLE_GEOMETRY);
    mst_node *node = mst_scene_node(w->builder, w->mesh_node);
    if (node)
        node->mesh = index;
}

static int32_t mesh_of(mst_spark_stock *stock, const mst_document *document, const char *name) {
    const char *file = mst_scene_text(stock->builder, name, strlen(name));
    work w = {
        .builder = stock->builder, .document = document, .stock = stock, .file = file, .whole_names = true};
    read_mesh(&w);
    read_materials(&w);
    return ok(&w) ? add_mesh(&w, file) : -1;
}

int32_t mst_spark_model_mesh(mst_spark_stock *stock, const char *path) {
    int32_t *made;
    const mst_asset *file = mst_spark_stock_named(stock, MST_ASSET_MODEL, path, &made);
    if (!file || file->state != MST_ASSET_FOUND)
        return -1;
    if (*made)
        return *made > 0 ? *made - 1 : -1;
    const mst_open_options how = {
        .size = sizeof how, .allocator = stock->builder->arena.allocator, .name = file->name};
    mst_document *model;
    mst_status status = mst_open_memory(file->bytes, file->size, &how, &model, NULL);
    int32_t mesh = -1;
    if (status == MST_OK) {
        if (model->format == &mst_format_spark_model)
            mesh = mesh_of(stock, model, file->name);
        mst_close(model);
    } else if (status == MST_NO_MEMORY) {
        mst_scene_fail(stock->builder);
    }
    *made = mesh >= 0 ? mesh + 1 : -1;
    return mesh;
}

/* ---- bones --------------------------------------------------------------------------------------- */

static void put_finite(const float *from, float *to, unsigned count, float otherwise) {
    for (unsigned k = 0; k < count; k++)
        to[k] = isfinite(from[k]) ? from[k] : otherwise;
}

static void add_bone(work *w, const mst_spark_bone *bone, const mst_bound *affine, uint64_t index) {
    mst_spark_affine pose;
    memset(&pose, 0, sizeof pose);
    mst_fill(affine, &bone->pose, &pose);
    int32_t parent = bone->parent < index ? w->bones[bone->parent] : w->skeleton;
    const char *name = mst_scene_text_of(w->builder, &w->builder->arena, &bone->name, NULL);
    int32_t made = w->bones[index] = mst_scene_add_node(w->builder, parent, name, MST_ROLE_GROUP);
    mst_scene_set_source(w->builder, made, "", "bones", index);
    mst_node *node = mst_scene_node(w->builder, made);
    if (!node)
        return;
    put_finite(pose.translation, node->translation, 3, 0);
    memcpy(node->rotation, pose.rotation, sizeof node->rotation); /* made valid by exporters */
    mst_spark_scale_of(&pose, node->scale);
}

static void add_bones(work *w) {
    mst_value list, element;
    mst_bound bound, affine;
    w->bone_count = mst_spark_list(w->document, "bones", &list);
    w->bones = mst_scene_scratch(w->builder, w->bone_count, sizeof *w->bones);
    w->skeleton = 0;
    if (!w->bone_count || !ok(w))
        return;
    w->skeleton = mst_scene_add_group(w->builder, 0, "bones", "");
    mst_bind(w->document, &mst_spark_bone_bindings, &bound);
    mst_bind(w->document, &mst_spark_affine_bindings, &affine);
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&list); ok(w) && index < w->bone_count && mst_next(&it, &element);
         index++) {
        mst_spark_bone bone;
        memset(&bone, 0, sizeof bone);
        bone.name = bone.pose = mst_nothing_in(&element);
        mst_fill(&bound, &element, &bone);
        add_bone(w, &bone, &affine, index);
    }
}

/* ---- parts attached to bones --------------------------------------------------------------------- */

/* The rotation and scale of a node with these axes, as far as they are at right angles. */
static void put_axes(const mst_spark_coords *c, mst_node *node) {
    const float *axes[3] = {c->x_axis, c->y_axis, c->z_axis};
    float m[3][3];
    for (unsigned k = 0; k < 3; k++) {
        float length = sqrtf(axes[k][0] * axes[k][0] + axes[k][1] * axes[k][1] + axes[k][2] * axes[k][2]);
        if (!isfinite(length) || !(length > 1e-6F))
            return;
        node->scale[k] = length;
        for (unsigned i = 0; i < 3; i++)
            m[i][k] = axes[k][i] / length;
    }
    float determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                        m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                        m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
    for (unsigned k = 0; k < 3 && determinant < 0; k++) { /* mirrored: reverses all three axes */
        node->scale[k] = -node->scale[k];
        for (unsigned i = 0; i < 3; i++)
            m[i][k] = -m[i][k];
    }
    /* the largest of the four components decides, so that no division is by a small one */
    float t[4] = {1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2],
                  1 - m[0][0] - m[1][1] + m[2][2], 1 + m[0][0] + m[1][1] + m[2][2]};
    unsigned largest = 0;
    for (unsigned k = 1; k < 4; k++)
        largest = t[k] > t[largest] ? k : largest;
    float xy = m[0][1] + m[1][0], xz = m[0][2] + m[2][0], yz = m[1][2] + m[2][1];
    float x = m[2][1] - m[1][2], y = m[0][2] - m[2][0], z = m[1][0] - m[0][1];
    const float q[4][4] = {{t[0], xy, xz, x}, {xy, t[1], yz, y}, {xz, yz, t[2], z}, {x, y, z, t[3]}};
    float scale = 0.5F / sqrtf(t[largest]);
    for (unsigned k = 0; k < 4; k++)
        node->rotation[k] = q[largest][k] * scale;
}

/* A node for something at a bone, or in the model; NULL after a failure. */
static mst_node *add_part(work *w, const mst_spark_part *part, const mst_bound *coords, const char *list,
                          uint64_t index, mst_role role) {
    mst_spark_coords to_bone;
    memset(&to_bone, 0, sizeof to_bone);
    mst_fill(coords, &part->to_bone, &to_bone);
    int32_t parent = part->bone < w->bone_count ? w->bones[part->bone] : 0;
    const char *name = mst_scene_text_of(w->builder, &w->builder->arena, &part->name, NULL);
    int32_t made = mst_scene_add_node(w->builder, parent, name, role);
    mst_scene_set_source(w->builder, made, "", list, index);
    mst_node *node = mst_scene_node(w->builder, made);
    if (node) {
        put_finite(to_bone.origin, node->translation, 3, 0);
        put_axes(&to_bone, node);
    }
    return node;
}

static void set_camera(work *w, mst_node *node, float fov) {
    static const float half_turn[4] = {0, 1, 0, 0}; /* a camera of the scene looks along -Z */
    float rotation[4];
    bool good = fov > 0.01F && fov < 3.1F;
    mst_camera camera = {.name = node->name, .near_plane = 0.01F};
    /* for a picture of 16 : 9 */
    camera.vertical_fov = good ? 2 * atanf(tanf(fov / 2) * 9 / 16) : 1;
    node->camera = mst_scene_add_camera(w->builder, &camera);
    mst_quaternion_multiply(node->rotation, half_turn, rotation);
    memcpy(node->rotation, rotation, sizeof rotation);
    for (unsigned k = 0; k < 3; k++)
        node->scale[k] = 1;
}

/* A hull, wound outwards; -1 if it has no triangle. */
static int32_t solid_mesh(work *w, const mst_value *solid, const char *name) {
    mst_value vertex_list, triangle_list;
    uint64_t points = 0, triangles = 0, read = 0, count = 0;
    if (mst_find(*solid, "vertices[:]", &vertex_list, NULL) == MST_OK)
        points = mst_count(&vertex_list);
    if (mst_find(*solid, "triangles[:]", &triangle_list, NULL) == MST_OK)
        triangles = mst_count(&triangle_list);
    float *positions = mst_scene_take(w->builder, points, 3 * sizeof(float));
    uint32_t *indices = mst_scene_take(w->builder, triangles, 3 * sizeof(uint32_t));
    mst_primitive *primitive = mst_scene_take(w->builder, 1, sizeof *primitive);
    if (!ok(w) || !points || !triangles)
        return -1;
    mst_target to = {.type = MST_F32, .components = 3, .data = positions, .capacity = points};
    mst_read(&vertex_list, &to, &read, NULL);
    points = read;
    to = (mst_target){.type = MST_U32, .components = 3, .data = indices, .capacity = triangles};
    mst_read(&triangle_list, &to, &read, NULL);
    for (uint64_t i = 0; i < read; i++) {
        uint32_t corners[3] = {indices[3 * i], indices[3 * i + 2], indices[3 * i + 1]};
        bool good = true;
        for (unsigned k = 0; k < 3; k++)
            good = good && corners[k] < points && is_finite3(positions + 3 * (size_t)corners[k]);
        if (good)
            memcpy(indices + 3 * count++, corners, sizeof corners);
    }
    for (uint64_t i = 0; i < 3 * points; i++)
        positions[i] = isfinite(positions[i]) ? positions[i] : 0;
    if (!count)
        return -1;
    *primitive = (mst_primitive){.material = w->materials[w->material_count - 1],
                                 .vertex_count = (uint32_t)points,
                                 .index_count = (uint32_t)(3 * count),
                                 .positions = positions,
                                 .indices = indices};
    return mst_scene_add_mesh(w->builder,
                              &(mst_mesh){.name = name, .primitives = primitive, .primitive_count = 1});
}

static void set_solid(work *w, int32_t index, const mst_value *solid) {
    mst_node *node = mst_scene_node(w->builder, index);
    int32_t mesh = node ? solid_mesh(w, solid, node->name) : -1;
    if (node)
        node->mesh = mesh;
}

static void add_parts(work *w, const char *name, const mst_bindings *bindings, mst_role role) {
    mst_value list, element;
    mst_bound bound, coords;
    uint64_t index = 0;
    if (!mst_spark_list(w->document, name, &list))
        return;
    mst_bind(w->document, bindings, &bound);
    mst_bind(w->document, &mst_spark_coords_bindings, &coords);
    for (mst_iterator it = mst_iterate(&list); ok(w) && mst_next(&it, &element); index++) {
        mst_spark_part part;
        memset(&part, 0, sizeof part);
        part.bone = MST_SPARK_NONE;
        part.name = part.to_bone = mst_nothing_in(&element); /* in case the bytes change */
        mst_fill(&bound, &element, &part);
        mst_node *node = add_part(w, &part, &coords, name, index, role);
        if (node && role == MST_ROLE_CAMERA)
            set_camera(w, node, part.fov);
        else if (node && role == MST_ROLE_COLLISION)
            set_solid(w, (int32_t)w->builder->nodes.count - 1, &element);
    }
}

/* ---- scenes -------------------------------------------------------------------------------------- */

mst_status mst_spark_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    mst_spark_stock stock;
    work w = {.builder = &builder, .document = document, .stock = &stock, .file = ""};
    options = mst_scene_start(&builder, options, document->size, 1);
    mst_spark_stock_begin(&stock, &builder, document, options);
    char name[256];
    mst_scene_stem(document->name, name, sizeof name);
    read_mesh(&w);
    mst_spark_influences_read(&w.influences, &builder, document, w.vertex_count);
    read_materials(&w);
    if (ok(&w))
        add_mesh_node(&w, *name ? mst_scene_text(&builder, name, strlen(name)) : "model");
    add_bones(&w);
    const mst_skin *skin =
        ok(&w) && w.influences.of ? mst_spark_skin_of(&builder, w.bones, w.bone_count) : NULL;
    mst_node *skinned = skin && w.mesh_node ? mst_scene_node(&builder, w.mesh_node) : NULL;
    if (skinned)
        skinned->skin = 1;
    if (ok(&w)) {
        add_parts(&w, "attach_points", &mst_spark_attach_bindings, MST_ROLE_GROUP);
        add_parts(&w, "cameras", &mst_spark_camera_bindings, MST_ROLE_CAMERA);
        add_parts(&w, "solids", &mst_spark_solid_bindings, MST_ROLE_COLLISION);
    }
    mst_spark_stock_end(&stock);
    mst_spark_animations moves = {NULL, 0};
    if (ok(&w))
        moves = mst_spark_animations_of(&builder, document, w.bones, w.bone_count);
    mst_extras_builder extras;
    mst_extras_begin(&extras, &builder);
    mst_extras_integer(&extras, "version", document->variant.version);
    mst_scene settings = {.format = document->format->information.id,
                          .name = mst_scene_text(&builder, name, strlen(name)),
                          .extras = mst_extras_end(&extras),
                          .unit_metres = 1,
                          .object = MST_OBJECT_BODY,
                          .skins = skin,
                          .skin_count = skin != NULL,
                          .animations = moves.items,
                          .animation_count = moves.count};
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
