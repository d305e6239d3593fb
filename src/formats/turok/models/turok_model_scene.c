/* SPDX-License-Identifier: MIT */
/* Models as meshes: their nodes placed by a pose, one primitive for each surface. */
#include "../../../core/number.h"
#include "../../../scene/geometry.h"
#include "../../extras.h"
#include "../../present.h"
#include "../turok_scene.h"
#include "turok_model_parts.h"
#include "turok_stock.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct work {
    mst_kex_stock *stock;
    mst_scene_builder *builder;
    const mst_document *document;
    mst_array primitives; /* mst_primitive */
    mst_array names;      /* names of their materials */
    mst_kex_pose pose;    /* of the current node, in the model */
    const char *file;
} work;

static bool ok(const work *w) {
    return mst_scene_ok(w->builder);
}

/* ---- surfaces ------------------------------------------------------------------------------------ */

/* Rotates v by a quaternion of length 1. */
static void turn(const float q[4], const float v[3], float to[3]) {
    float t[3] = {2 * (q[1] * v[2] - q[2] * v[1]), 2 * (q[2] * v[0] - q[0] * v[2]),
                  2 * (q[0] * v[1] - q[1] * v[0])};
    to[0] = v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1];
    to[1] = v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2];
    to[2] = v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0];
}

static bool is_finite3(const float v[3]) {
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* Length 1, or upwards if it has none. */
static void put_normal(const float from[3], float to[3]) {
    double length = sqrt((double)from[0] * (double)from[0] + (double)from[1] * (double)from[1] +
                         (double)from[2] * (double)from[2]);
    bool good = isfinite(length) && length > 0;
    for (unsigned k = 0; k < 3; k++)
        to[k] = good ? (float)((double)from[k] / length) : k == 2;
}

typedef struct target {
    float *positions, *normals, *texcoords;
    uint32_t *indices;
} target;

/* Vertices that cannot be placed are at the origin: nothing uses them. */
static void put_vertex(const work *w, const mst_kex_vertex *v, target *to, size_t at) {
    float place[3], normal[3];
    turn(w->pose.rotation, v->position, place);
    turn(w->pose.rotation, v->normal, normal);
    for (unsigned k = 0; k < 3; k++)
        place[k] += w->pose.translation[k];
    bool good = is_finite3(place);
    for (unsigned k = 0; k < 3; k++)
        to->positions[3 * at + k] = good ? place[k] : 0;
    put_normal(normal, to->normals + 3 * at);
    to->texcoords[2 * at] = isfinite(v->uv[0]) ? v->uv[0] : 0;
    to->texcoords[2 * at + 1] = isfinite(v->uv[1]) ? 1 - v->uv[1] : 0;
}

/* The triangles that can be shown. */
static uint32_t put_triangles(const mst_kex_triangle *triangles, uint64_t count,
                              const mst_kex_vertex *vertices, uint64_t vertex_count, uint32_t *indices) {
    uint32_t put = 0;
    for (uint64_t i = 0; i < count; i++) {
        bool good = true;
        for (unsigned k = 0; k < 3; k++) {
            uint16_t corner = triangles[i].corners[k];
            good = good && corner < vertex_count && is_finite3(vertices[corner].position);
        }
        for (unsigned k = 0; good && k < 3; k++)
            indices[put++] = triangles[i].corners[k];
    }
    return put;
}

static const char *material_of(work *w, const mst_kex_surface *surface) {
    const char *name = mst_scene_text_of(w->builder, &w->builder->arena, &surface->material, NULL);
    return *name ? name : "no material";
}

static void set_source(const work *w, mst_primitive *part, uint64_t node, uint64_t object, uint64_t index) {
    const char *path = mst_scene_printf(w->builder, "nodes[%llu].objects[%llu]", (unsigned long long)node,
                                        (unsigned long long)object);
    uint32_t *elements = mst_scene_take(w->builder, part->index_count / 3, sizeof *elements);
    for (uint32_t i = 0; elements && i < part->index_count / 3; i++)
        elements[i] = (uint32_t)index;
    part->source = (mst_scene_source){.file = w->file, .path = path, .index = MST_NO_INDEX};
    part->elements = elements;
}

static mst_status add_surface(void *user, const mst_kex_surface *surface, uint64_t node, uint64_t object,
                              uint64_t index) {
    work *w = user;
    mst_bound bound;
    uint64_t triangle_count = mst_count(&surface->triangles);
    uint64_t vertex_count = mst_is_void(&surface->vertices) ? 0 : mst_count(&surface->vertices);
    if (!triangle_count || !vertex_count || !ok(w))
        return w->builder->status;
    mst_kex_vertex *vertices = mst_scene_scratch(w->builder, vertex_count, sizeof *vertices);
    mst_kex_triangle *triangles = mst_scene_scratch(w->builder, triangle_count, sizeof *triangles);
    target to = {mst_scene_take(w->builder, vertex_count, 3 * sizeof(float)),
                 mst_scene_take(w->builder, vertex_count, 3 * sizeof(float)),
                 mst_scene_take(w->builder, vertex_count, 2 * sizeof(float)),
                 mst_scene_take(w->builder, triangle_count, 3 * sizeof(uint32_t))};
    const char *name = material_of(w, surface);
    int32_t material = mst_kex_stock_material(w->stock, name);
    if (!ok(w) || material < 0)
        return w->builder->status;
    mst_bind(w->document, &mst_kex_vertex_bindings, &bound);
    vertex_count = mst_fill_list(&bound, &surface->vertices, vertices, vertex_count);
    mst_bind(w->document, &mst_kex_triangle_bindings, &bound);
    triangle_count = mst_fill_list(&bound, &surface->triangles, triangles, triangle_count);
    uint32_t index_count = put_triangles(triangles, triangle_count, vertices, vertex_count, to.indices);
    for (uint64_t i = 0; i < vertex_count; i++)
        put_vertex(w, &vertices[i], &to, (size_t)i);
    mst_primitive *part = index_count ? mst_scene_push(w->builder, &w->primitives, 1) : NULL;
    const char **label = part ? mst_scene_push(w->builder, &w->names, 1) : NULL;
    if (!part || !label)
        return w->builder->status;
    *label = name;
    *part = (mst_primitive){.material = material,
                            .vertex_count = (uint32_t)vertex_count,
                            .index_count = index_count,
                            .positions = to.positions,
                            .normals = to.normals,
                            .texcoords = to.texcoords,
                            .indices = to.indices};
    set_source(w, part, node, object, index);
    return w->builder->status;
}

/* ---- nodes --------------------------------------------------------------------------------------- */

/* Normalizes the rotation, and replaces invalid numbers. */
static void make_valid(mst_kex_pose *pose) {
    const float *q = pose->rotation;
    double length = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                         (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3]);
    bool good = isfinite(length) && length > 0;
    for (unsigned k = 0; k < 4; k++)
        pose->rotation[k] = good ? (float)((double)q[k] / length) : k == 3;
    for (unsigned k = 0; k < 3; k++)
        pose->translation[k] = isfinite(pose->translation[k]) ? pose->translation[k] : 0;
}

/* The poses of all nodes in the model; without an animation all are at the model's origin. NULL: no
 * memory. */
static mst_kex_pose *place_nodes(work *w, const mst_document *animation, uint64_t count) {
    mst_kex_pose *poses = mst_scene_scratch(w->builder, count, sizeof *poses);
    mst_kex_tree tree;
    if (!poses)
        return NULL;
    for (uint64_t i = 0; i < count; i++)
        poses[i].rotation[3] = 1;
    if (!animation)
        return poses;
    if (!mst_kex_read_tree(w->document, &w->builder->scratch, &tree)) {
        mst_scene_fail(w->builder);
        return NULL;
    }
    mst_kex_first_poses(animation, poses, (size_t)count);
    for (uint64_t i = 0; i < count; i++)
        make_valid(&poses[i]);
    for (uint32_t i = 0; i < tree.count && i < count; i++) { /* parents are first */
        uint32_t node = tree.order[i], parent = tree.parents[node];
        if (parent == MST_KEX_NO_PARENT)
            continue;
        mst_kex_pose own = poses[node];
        const mst_kex_pose *above = &poses[parent];
        turn(above->rotation, own.translation, poses[node].translation);
        for (unsigned k = 0; k < 3; k++)
            poses[node].translation[k] += above->translation[k];
        mst_quaternion_multiply(above->rotation, own.rotation, poses[node].rotation);
        make_valid(&poses[node]);
    }
    return poses;
}

/* The index of a node's shape in a variant; false: none. */
static bool shape_of(const mst_value *node, uint32_t variant, uint64_t *index, mst_value *shape) {
    mst_value variants = mst_member_in(node, "variants"), objects = mst_member_in(node, "objects"), one;
    int64_t number = 0;
    if (variant != MST_KEX_STATIC) {
        if (mst_element(&variants, variant < mst_count(&variants) ? variant : 0, &one) != MST_OK)
            return false;
        mst_get_integer(&one, &number);
    }
    *index = (uint64_t)number;
    return mst_element(&objects, *index, shape) == MST_OK;
}

static void add_nodes(work *w, const mst_document *animation, uint32_t variant) {
    mst_value root = mst_root(w->document), nodes = mst_member_in(&root, "nodes"), node, shape;
    uint64_t count = mst_count(&nodes), number = 0, index;
    const mst_kex_pose *poses = place_nodes(w, animation, count);
    for (mst_iterator it = mst_iterate(&nodes);
         poses && ok(w) && number < (variant == MST_KEX_STATIC ? 1 : count) && mst_next(&it, &node);
         number++) {
        w->pose = poses[number];
        if (shape_of(&node, variant, &index, &shape))
            mst_kex_surfaces_of(w->document, &shape, add_surface, w, number, index);
    }
}

/* The names of the materials, with ", " between them. */
static const char *join_names(const work *w) {
    const char *const *names = w->names.items;
    size_t length = 1;
    for (size_t i = 0; i < w->names.count; i++)
        length += strlen(names[i]) + 2;
    char *all = mst_scene_take(w->builder, length, 1), *end = all;
    for (size_t i = 0; all && i < w->names.count; i++) {
        size_t size = strlen(names[i]);
        memcpy(end, ", ", 2);
        end += i ? 2 : 0;
        memcpy(end, names[i], size);
        end += size;
        *end = 0;
    }
    return all ? all : "";
}

mst_kex_shown mst_kex_stock_own(mst_kex_stock *stock, const mst_document *model,
                                const mst_document *animation, uint32_t variant, const char *name,
                                const char *file) {
    mst_scene_builder *builder = stock->builder;
    work w = {.stock = stock,
              .builder = builder,
              .document = model,
              .primitives = mst_scene_array(builder, sizeof(mst_primitive)),
              .names = mst_scene_array(builder, sizeof(const char *)),
              .file = file};
    mst_kex_shown shown = {-1, ""};
    add_nodes(&w, animation, variant);
    if (ok(&w) && w.primitives.count) {
        const mst_mesh mesh = {.name = name,
                               .primitives = mst_scene_copy(builder, w.primitives.items, w.primitives.count,
                                                            sizeof(mst_primitive)),
                               .primitive_count = w.primitives.count};
        shown = (mst_kex_shown){mst_scene_add_mesh(builder, &mesh), join_names(&w)};
    }
    mst_array_free(&w.primitives);
    mst_array_free(&w.names);
    return shown;
}

static mst_kex_shown *show_model(mst_kex_stock *stock, const char *path, const char *animation,
                                 uint32_t variant) {
    mst_document *model = mst_kex_stock_open(stock, MST_ASSET_MODEL, path, &mst_format_turok_model);
    if (!model)
        return NULL;
    mst_document *moves =
        *animation ? mst_kex_stock_open(stock, MST_ASSET_ANIMATION, animation, &mst_format_turok_animation)
                   : NULL;
    const char *file = mst_scene_text(stock->builder, path, strlen(path));
    mst_kex_shown shown = mst_kex_stock_own(stock, model, moves, variant, file, file);
    mst_close(moves);
    mst_close(model);
    mst_kex_shown *added = mst_scene_push(stock->builder, &stock->shown, 1);
    if (added)
        *added = shown;
    return added;
}

bool mst_kex_stock_model(mst_kex_stock *stock, const char *path, const char *animation, uint32_t variant,
                         mst_kex_shown *shown) {
    char key[64];
    bool fresh;
    const mst_asset *model = mst_kex_stock_found(stock, MST_ASSET_MODEL, path),
                    *moves = *animation ? mst_kex_stock_found(stock, MST_ASSET_ANIMATION, animation) : NULL;
    *shown = (mst_kex_shown){-1, ""};
    if (!model)
        return false;
    snprintf(key, sizeof key, "%zu %zu %u", (size_t)(model - stock->assets->items),
             moves ? (size_t)(moves - stock->assets->items) + 1 : 0, variant);
    uint32_t *number = mst_kex_number_of(&stock->models, stock->builder, key, &fresh);
    if (number && fresh && show_model(stock, path, moves ? animation : "", variant))
        *number = (uint32_t)stock->shown.count;
    if (number && *number)
        *shown = ((const mst_kex_shown *)stock->shown.items)[*number - 1];
    return number && *number;
}

/* ---- a model as a scene -------------------------------------------------------------------------- */

/* The animation with the model's name; NULL: none. */
static mst_document *open_beside(const mst_scene_options *options, const char *stem) {
    char name[300];
    const void *bytes;
    size_t size;
    mst_document *document;
    snprintf(name, sizeof name, "anims/%s_anim.bin", stem);
    if (!options->sidecars || !options->sidecars->find || options->no_assets ||
        options->sidecars->find(options->sidecars->user, name, &bytes, &size) != MST_OK)
        return NULL;
    const mst_open_options how = {.size = sizeof how,
                                  .allocator = options->allocator,
                                  .name = name,
                                  .format = mst_format_turok_animation.information.id};
    return mst_open_memory(bytes, size, &how, &document, NULL) == MST_OK ? document : NULL;
}

mst_status mst_kex_model_scene(const mst_document *document, const mst_scene_options *options,
                               mst_scene **scene, mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    mst_kex_stock stock;
    char stem[256];
    options = mst_scene_start(&builder, options, document->size, 1 / MST_TUROK_UNITS);
    mst_kex_stock_begin(&stock, &builder, document, options);
    mst_turok_turn_up(mst_scene_node(&builder, 0));
    mst_scene_stem(document->name, stem, sizeof stem);
    const char *name = mst_scene_text(&builder, *stem ? stem : "model", strlen(*stem ? stem : "model"));
    mst_document *animation = open_beside(options, stem);
    mst_kex_shown shown = mst_kex_stock_own(&stock, document, animation, 0, name, "");
    mst_close(animation);
    mst_kex_stock_end(&stock);
    mst_node *node = shown.mesh >= 0
                         ? mst_scene_node(&builder, mst_scene_add_node(&builder, 0, name, MST_ROLE_GEOMETRY))
                         : NULL;
    if (node)
        node->mesh = shown.mesh;
    const mst_scene settings = {.format = document->format->information.id,
                                .name = name,
                                .unit_metres = 1 / (double)MST_TUROK_UNITS,
                                .object = MST_OBJECT_BODY};
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
