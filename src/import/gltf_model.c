/* SPDX-License-Identifier: MIT */
/* The content of a glTF file, as a model: materials, meshes, lights and the tree of nodes. */
#include "../core/angles.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "gltf_file.h"
#include <math.h>

/* ---- extensions ---- */

/* The two extensions that are read, and those that do not affect anything that is read. */
static bool is_known(const mst_json_node *name) {
    static const char *const known[] = {"KHR_lights_punctual", "KHR_texture_transform"};
    static const char looks[] = "KHR_materials_", also[] = "KHR_animation_";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (mst_is_word(name, known[i]))
            return true;
    return (name->length > sizeof looks && memcmp(name->text, looks, sizeof looks - 1) == 0) ||
           (name->length > sizeof also && memcmp(name->text, also, sizeof also - 1) == 0);
}

static mst_status refuse_extension(const mst_gltf_file *file, const mst_json_node *name) {
    const char *how = mst_is_word(name, "KHR_draco_mesh_compression")
                          ? " (in Blender, untick Geometry > Compression)"
                      : mst_is_word(name, "EXT_mesh_gpu_instancing") ? " (in Blender, untick GPU Instances)"
                                                                     : "";
    return mst_fail(file->diagnostic, MST_UNSUPPORTED,
                    "the model needs the extension %.*s, which is not read: export it without%s",
                    name->length > 60 ? 60 : (int)name->length, name->text, how);
}

static mst_status check_extensions(const mst_gltf_file *file) {
    mst_gltf_items required;
    mst_status status = mst_gltf_list(file, 0, "extensionsRequired", &required);
    for (uint32_t i = 0; i < required.count && status == MST_OK; i++) {
        const mst_json_node *name = &file->json->nodes[required.at[i]];
        if (name->kind != MST_JSON_STRING || !is_known(name))
            status = refuse_extension(file, name);
    }
    return status;
}

/* An extension of an item; 0: none. */
static uint32_t extension_of(const mst_gltf_file *file, uint32_t object, const char *name) {
    const uint32_t all = object ? mst_gltf_member(file, object, "extensions") : 0;
    return all ? mst_gltf_member(file, all, name) : 0;
}

/* ---- materials ---- */

/* Row by row: the offset, times the rotation, times the scale. */
static bool read_transform(const mst_gltf_file *file, uint32_t texture, mst_model_material *material) {
    double offset[2] = {0, 0}, scale[2] = {1, 1}, angle;
    const uint32_t of = extension_of(file, texture, "KHR_texture_transform");
    uint64_t texcoord = material->texcoord;
    if (!of)
        return true;
    if (!mst_gltf_reals(file, of, "offset", 2, offset) || !mst_gltf_reals(file, of, "scale", 2, scale) ||
        !mst_gltf_real(file, of, "rotation", 0, &angle) ||
        !mst_gltf_index(file, of, "texCoord", texcoord, &texcoord))
        return false;
    const double c = mst_cosine(angle), s = mst_sine(angle);
    const double made[6] = {c * scale[0], s * scale[1], offset[0], -s * scale[0], c * scale[1], offset[1]};
    memcpy(material->transform, made, sizeof made);
    material->texcoord = texcoord ? 1 : 0;
    return true;
}

static mst_status read_materials(mst_gltf_file *file) {
    mst_gltf_items items;
    mst_model *model = file->model;
    mst_status status = mst_gltf_list(file, 0, "materials", &items);
    model->materials = mst_arena_zero(file->arena, items.count, sizeof *model->materials);
    if (status == MST_OK && !model->materials)
        return mst_gltf_no_memory(file);
    for (uint32_t i = 0; i < items.count && status == MST_OK; i++) {
        mst_model_material *material = &model->materials[model->material_count++];
        static const double same[6] = {1, 0, 0, 0, 1, 0};
        memcpy(material->transform, same, sizeof same);
        material->name = mst_gltf_text(file, items.at[i], "name");
        material->extras = mst_gltf_member(file, items.at[i], "extras");
        const uint32_t look = mst_gltf_member(file, items.at[i], "pbrMetallicRoughness");
        const uint32_t texture = look ? mst_gltf_member(file, look, "baseColorTexture") : 0;
        uint64_t texcoord = 0;
        if (texture && !mst_gltf_index(file, texture, "texCoord", 0, &texcoord))
            texcoord = 0;
        material->texcoord = texcoord ? 1 : 0;
        if (!material->name)
            return mst_gltf_no_memory(file);
        if (texture && !read_transform(file, texture, material))
            return mst_gltf_wrong(file, "GLTF-VALUE", "materials", i, "the texture's transform is not valid");
    }
    return status;
}

/* ---- meshes ---- */

enum { TRIANGLES = 4, STRIP, FAN };

/* Makes triangles of indices (NULL: of all vertices in order). */
static mst_status make_triangles(const mst_gltf_file *file, mst_model_primitive *primitive,
                                 const uint32_t *indices, uint32_t count, uint64_t mode, uint64_t mesh) {
    const uint32_t triangles = mode == TRIANGLES ? count / 3 : count > 2 ? count - 2 : 0;
    if (mode == TRIANGLES && indices) { /* they are triangles already */
        for (uint32_t i = 0; i < 3 * triangles; i++)
            if (indices[i] >= primitive->vertex_count)
                return mst_gltf_wrong(file, "GLTF-INDEX", "meshes", mesh, "a triangle has a vertex too many");
        primitive->indices = indices;
        primitive->index_count = 3 * triangles;
        return MST_OK;
    }
    uint32_t *made = mst_arena_take(file->arena, triangles, 3 * sizeof *made);
    if (!made)
        return mst_gltf_no_memory(file);
    for (uint32_t i = 0; i < triangles; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t at = mode == TRIANGLES ? 3 * i + k : mode == FAN ? (k ? i + k : 0) : i + k;
            if (mode == STRIP && i % 2 && k) /* every second one is reversed */
                at = i + 3 - k;
            const uint32_t index = indices ? indices[at] : at;
            if (index >= primitive->vertex_count)
                return mst_gltf_wrong(file, "GLTF-INDEX", "meshes", mesh, "a triangle has a vertex too many");
            made[3 * i + k] = index;
        }
    primitive->indices = made;
    primitive->index_count = 3 * triangles;
    return MST_OK;
}

static mst_status read_texcoords(mst_gltf_file *file, uint32_t attributes, mst_model_primitive *primitive,
                                 uint64_t mesh) {
    static const char *const names[2] = {"TEXCOORD_0", "TEXCOORD_1"};
    for (int i = 0; i < 2; i++) {
        uint64_t accessor;
        uint32_t count = 0;
        if (!mst_gltf_index(file, attributes, names[i], UINT64_MAX, &accessor))
            return mst_gltf_wrong(file, "GLTF-VALUE", "meshes", mesh, "an attribute is not valid");
        if (accessor == UINT64_MAX)
            continue;
        mst_status status = mst_gltf_floats_of(file, accessor, 2, &primitive->texcoords[i], &count);
        if (status != MST_OK)
            return status;
        if (count != primitive->vertex_count)
            return mst_gltf_wrong(file, "GLTF-ACCESSOR", "meshes", mesh,
                                  "the attributes are of different numbers of vertices");
    }
    return MST_OK;
}

static mst_status leave_out(const mst_gltf_file *file, uint64_t mesh) {
    mst_diagnostic what;
    if (!file->report)
        return MST_OK;
    mst_fail(&what, MST_OK, "points and lines of the mesh are not imported");
    what.severity = MST_WARNING;
    MST_SET(what.path, "meshes[%llu]", (unsigned long long)mesh);
    return file->report(file->user, &what);
}

static mst_status read_primitive(mst_gltf_file *file, uint32_t object, uint64_t mesh,
                                 mst_model_primitive *primitive, bool *taken) {
    uint64_t accessor, indices, mode, material;
    const uint32_t attributes = mst_gltf_member(file, object, "attributes");
    const uint32_t packed = extension_of(file, object, "KHR_draco_mesh_compression");
    *taken = false;
    if (packed)
        return refuse_extension(file, &file->json->nodes[packed - 1]);
    if (!attributes || !mst_gltf_index(file, attributes, "POSITION", UINT64_MAX, &accessor) ||
        !mst_gltf_index(file, object, "indices", UINT64_MAX, &indices) ||
        !mst_gltf_index(file, object, "mode", TRIANGLES, &mode) ||
        !mst_gltf_index(file, object, "material", UINT64_MAX, &material) || mode > FAN)
        return mst_gltf_wrong(file, "GLTF-VALUE", "meshes", mesh, "a part of the mesh is not valid");
    if (mode < TRIANGLES)
        return leave_out(file, mesh);
    if (accessor == UINT64_MAX)
        return MST_OK;
    if (material != UINT64_MAX && material >= file->model->material_count)
        return mst_gltf_wrong(file, "GLTF-INDEX", "meshes", mesh, "the material does not exist");
    *primitive = (mst_model_primitive){.material = material == UINT64_MAX ? -1 : (int32_t)material,
                                       .extras = mst_gltf_member(file, object, "extras")};
    mst_status status =
        mst_gltf_floats_of(file, accessor, 3, &primitive->positions, &primitive->vertex_count);
    if (status == MST_OK)
        status = read_texcoords(file, attributes, primitive, mesh);
    const uint32_t *listed = NULL;
    uint32_t count = primitive->vertex_count;
    if (status == MST_OK && indices != UINT64_MAX)
        status = mst_gltf_indices_of(file, indices, &listed, &count);
    if (status == MST_OK)
        status = make_triangles(file, primitive, listed, count, mode, mesh);
    *taken = status == MST_OK;
    return status;
}

static mst_status read_meshes(mst_gltf_file *file) {
    mst_gltf_items items, parts;
    mst_model *model = file->model;
    mst_status status = mst_gltf_list(file, 0, "meshes", &items);
    model->meshes = mst_arena_zero(file->arena, items.count, sizeof *model->meshes);
    if (status == MST_OK && !model->meshes)
        return mst_gltf_no_memory(file);
    for (uint32_t i = 0; i < items.count && status == MST_OK; i++) {
        mst_model_mesh *mesh = &model->meshes[model->mesh_count++];
        status = mst_gltf_list(file, items.at[i], "primitives", &parts);
        mst_model_primitive *made = mst_arena_take(file->arena, parts.count, sizeof *made);
        if (status == MST_OK && !made)
            return mst_gltf_no_memory(file);
        mesh->primitives = made;
        mesh->extras = mst_gltf_member(file, items.at[i], "extras");
        for (uint32_t k = 0; k < parts.count && status == MST_OK; k++) {
            bool taken;
            status = read_primitive(file, parts.at[k], i, &made[mesh->primitive_count], &taken);
            mesh->primitive_count += taken;
        }
    }
    return status;
}

/* ---- lights ---- */

static mst_status read_lights(mst_gltf_file *file) {
    static const char *const kinds[] = {"point", "spot", "directional"};
    mst_gltf_items items = {0};
    mst_model *model = file->model;
    const uint32_t top = mst_gltf_member(file, 0, "extensions"),
                   punctual = top ? mst_gltf_member(file, top, "KHR_lights_punctual") : 0;
    mst_status status = punctual ? mst_gltf_list(file, punctual, "lights", &items) : MST_OK;
    model->lights = mst_arena_zero(file->arena, items.count, sizeof *model->lights);
    model->has_lights = punctual != 0;
    if (status == MST_OK && !model->lights)
        return mst_gltf_no_memory(file);
    for (uint32_t i = 0; i < items.count && status == MST_OK; i++) {
        mst_model_light *light = &model->lights[model->light_count++];
        const uint32_t object = items.at[i], kind = mst_gltf_member(file, object, "type"),
                       spot = mst_gltf_member(file, object, "spot");
        light->color[0] = light->color[1] = light->color[2] = 1;
        bool valid = kind && mst_gltf_reals(file, object, "color", 3, light->color) &&
                     mst_gltf_real(file, object, "intensity", 1, &light->intensity) &&
                     mst_gltf_real(file, object, "range", 0, &light->range);
        if (valid && spot)
            valid = mst_gltf_real(file, spot, "innerConeAngle", 0, &light->inner_angle) &&
                    mst_gltf_real(file, spot, "outerConeAngle", 0.7853981633974483, &light->outer_angle);
        size_t k = 0;
        while (valid && k < 3 && !mst_is_word(&file->json->nodes[kind], kinds[k]))
            k++;
        if (!valid || k == 3)
            return mst_gltf_wrong(file, "GLTF-VALUE", "lights", i, "the light is not valid");
        light->kind = (mst_light_kind)k;
    }
    return status;
}

/* ---- nodes ---- */

static void multiply(const double a[16], const double b[16], double product[16]) {
    double made[16];
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += a[4 * k + row] * b[4 * column + k];
            made[4 * column + row] = sum;
        }
    memcpy(product, made, sizeof made);
}

static void compose(const double move[3], const double q[4], const double scale[3], double matrix[16]) {
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double turn[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                            2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                            2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            matrix[4 * column + row] = turn[3 * column + row] * scale[column];
        matrix[4 * column + 3] = 0;
        matrix[12 + column] = move[column];
    }
    matrix[15] = 1;
}

/* A node's own matrix; false: it is not valid. */
static bool read_matrix(const mst_gltf_file *file, uint32_t object, double matrix[16]) {
    double move[3] = {0, 0, 0}, turn[4] = {0, 0, 0, 1}, scale[3] = {1, 1, 1};
    if (mst_gltf_member(file, object, "matrix"))
        return mst_gltf_reals(file, object, "matrix", 16, matrix);
    if (!mst_gltf_reals(file, object, "translation", 3, move) ||
        !mst_gltf_reals(file, object, "rotation", 4, turn) ||
        !mst_gltf_reals(file, object, "scale", 3, scale))
        return false;
    const double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    if (!(length > 1e-9) || !isfinite(length))
        return false;
    for (int i = 0; i < 4; i++)
        turn[i] /= length;
    compose(move, turn, scale, matrix);
    return true;
}

static mst_status read_node(mst_gltf_file *file, uint32_t object, uint64_t index, mst_model_node *node) {
    uint64_t mesh, light = UINT64_MAX;
    const uint32_t lit = extension_of(file, object, "KHR_lights_punctual"),
                   many = extension_of(file, object, "EXT_mesh_gpu_instancing");
    if (many)
        return refuse_extension(file, &file->json->nodes[many - 1]);
    *node = (mst_model_node){.name = mst_gltf_text(file, object, "name"),
                             .extras = mst_gltf_member(file, object, "extras"),
                             .parent = -1,
                             .mesh = -1,
                             .light = -1};
    if (!node->name)
        return mst_gltf_no_memory(file);
    if (!mst_gltf_index(file, object, "mesh", UINT64_MAX, &mesh) ||
        (lit && !mst_gltf_index(file, lit, "light", UINT64_MAX, &light)) ||
        !read_matrix(file, object, node->world))
        return mst_gltf_wrong(file, "GLTF-VALUE", "nodes", index, "the node is not valid");
    if ((mesh != UINT64_MAX && mesh >= file->model->mesh_count) ||
        (light != UINT64_MAX && light >= file->model->light_count))
        return mst_gltf_wrong(file, "GLTF-INDEX", "nodes", index, "the mesh or light does not exist");
    node->mesh = mesh == UINT64_MAX ? -1 : (int32_t)mesh;
    node->light = light == UINT64_MAX ? -1 : (int32_t)light;
    return MST_OK;
}

static mst_status join_children(mst_gltf_file *file, const mst_gltf_items *items) {
    mst_model *model = file->model;
    mst_gltf_items children;
    for (uint32_t i = 0; i < items->count; i++) {
        mst_status status = mst_gltf_list(file, items->at[i], "children", &children);
        for (uint32_t k = 0; k < children.count && status == MST_OK; k++) {
            double child;
            const mst_json_node *said = &file->json->nodes[children.at[k]];
            if (said->kind != MST_JSON_NUMBER || !mst_read_f64(said->text, said->length, &child) ||
                !(child >= 0 && child < (double)model->node_count && child == trunc(child)) ||
                model->nodes[(size_t)child].parent >= 0 || (size_t)child == i)
                status = mst_gltf_wrong(file, "GLTF-TREE", "nodes", i, "the tree of nodes is not valid");
            else
                model->nodes[(size_t)child].parent = (int32_t)i;
        }
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

/* Marks the top nodes of the scene that the file shows. */
static mst_status read_scene(mst_gltf_file *file) {
    mst_gltf_items scenes, tops;
    uint64_t number;
    mst_model *model = file->model;
    mst_status status = mst_gltf_list(file, 0, "scenes", &scenes);
    if (status != MST_OK)
        return status;
    if (!mst_gltf_index(file, 0, "scene", 0, &number) || number >= scenes.count)
        return mst_gltf_wrong(file, "GLTF-INDEX", "scenes", 0, "the file has no scene");
    model->extras = mst_gltf_member(file, scenes.at[number], "extras");
    status = mst_gltf_list(file, scenes.at[number], "nodes", &tops);
    for (uint32_t i = 0; i < tops.count && status == MST_OK; i++) {
        double top;
        const mst_json_node *said = &file->json->nodes[tops.at[i]];
        if (said->kind != MST_JSON_NUMBER || !mst_read_f64(said->text, said->length, &top) ||
            !(top >= 0 && top < (double)model->node_count) || model->nodes[(size_t)top].parent >= 0)
            return mst_gltf_wrong(file, "GLTF-TREE", "scenes", number, "the tree of nodes is not valid");
        model->nodes[(size_t)top].shown = true;
    }
    return status;
}

/* Converts the nodes' own matrices to world matrices, parents first. A node that is its own ancestor is never
 * reached, and is not shown. */
static mst_status place_nodes(mst_gltf_file *file) {
    mst_model *model = file->model;
    const size_t count = model->node_count;
    int32_t *first = mst_arena_take(file->arena, count, sizeof *first),
            *next = mst_arena_take(file->arena, count, sizeof *next),
            *stack = mst_arena_take(file->arena, count, sizeof *stack);
    size_t depth = 0;
    if (!first || !next || !stack)
        return mst_gltf_no_memory(file);
    for (size_t i = 0; i < count; i++)
        first[i] = -1;
    for (size_t i = count; i-- > 0;) {
        const int32_t parent = model->nodes[i].parent;
        next[i] = parent >= 0 ? first[parent] : -1;
        if (parent >= 0)
            first[parent] = (int32_t)i;
        else
            stack[depth++] = (int32_t)i;
    }
    while (depth) {
        const mst_model_node *node = &model->nodes[stack[--depth]];
        for (int32_t child = first[node - model->nodes]; child >= 0; child = next[child]) {
            multiply(node->world, model->nodes[child].world, model->nodes[child].world);
            model->nodes[child].shown = node->shown;
            stack[depth++] = child;
        }
    }
    return MST_OK;
}

static mst_status read_nodes(mst_gltf_file *file) {
    mst_gltf_items items;
    mst_model *model = file->model;
    mst_status status = mst_gltf_list(file, 0, "nodes", &items);
    model->nodes = mst_arena_take(file->arena, items.count, sizeof *model->nodes);
    if (status == MST_OK && (!model->nodes || items.count > INT32_MAX))
        return mst_gltf_no_memory(file);
    for (uint32_t i = 0; i < items.count && status == MST_OK; i++)
        status = read_node(file, items.at[i], i, &model->nodes[model->node_count++]);
    if (status == MST_OK)
        status = join_children(file, &items);
    if (status == MST_OK)
        status = read_scene(file);
    return status == MST_OK ? place_nodes(file) : status;
}

/* ---- the file ---- */

static mst_status read_lists(mst_gltf_file *file) {
    mst_status status = mst_gltf_list(file, 0, "buffers", &file->buffers);
    if (status == MST_OK)
        status = mst_gltf_list(file, 0, "bufferViews", &file->views);
    if (status == MST_OK)
        status = mst_gltf_list(file, 0, "accessors", &file->accessors);
    if (status != MST_OK)
        return status;
    file->contents = mst_arena_zero(file->arena, file->buffers.count, sizeof *file->contents);
    file->read = mst_arena_zero(file->arena, file->accessors.count, 2 * sizeof *file->read);
    return file->contents && file->read ? MST_OK : mst_gltf_no_memory(file);
}

mst_status mst_model_read(mst_model *model, const void *bytes, size_t size, const mst_resolver *beside,
                          const mst_allocator *allocator, mst_report_function report, void *user,
                          mst_diagnostic *diagnostic) {
    *model = (mst_model){.extras = 0};
    /* Accessors may use the same bytes repeatedly: their total size is bounded. */
    const size_t budget = size < SIZE_MAX / 128 ? 64 * size + ((size_t)1 << 20) : SIZE_MAX;
    mst_arena_begin(&model->arena, allocator, budget);
    mst_gltf_file file = {.model = model,
                          .arena = &model->arena,
                          .json = &model->json,
                          .beside = beside,
                          .report = report,
                          .user = user,
                          .diagnostic = diagnostic,
                          .size = size};
    mst_status status = mst_gltf_open_file(&file, bytes, size);
    static mst_status (*const steps[])(mst_gltf_file *) = {read_lists, read_materials, read_meshes,
                                                           read_lights, read_nodes};
    if (status == MST_OK)
        status = check_extensions(&file);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == MST_OK; i++)
        status = steps[i](&file);
    if (status == MST_OK) {
        const uint32_t asset = mst_gltf_member(&file, 0, "asset");
        model->generator = mst_gltf_text(&file, asset, "generator");
        if (!model->generator)
            status = mst_gltf_no_memory(&file);
    }
    return status;
}

void mst_model_end(mst_model *model) {
    mst_arena_end(&model->arena);
}
