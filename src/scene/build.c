/* SPDX-License-Identifier: MIT */
#include "build.h"
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../core/number.h"
#include "../core/text.h"
#include "../core/unreachable.h"
#include "elements.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A scene followed by the data that mst_scene_free needs; in the scene's own arena. */
typedef struct owned_scene {
    mst_scene scene;
    mst_arena arena;
    mst_array arrays[6];
} owned_scene;

static mst_array empty_array(const mst_allocator *allocator, size_t element_size) {
    mst_array array = {0};
    array.element_size = element_size;
    array.allocator = mst_allocator_or_default(allocator);
    return array;
}

void mst_scene_begin(mst_scene_builder *builder, const mst_allocator *allocator, size_t budget) {
    memset(builder, 0, sizeof *builder);
    mst_arena_begin(&builder->arena, allocator, budget);
    mst_arena_begin(&builder->scratch, allocator, 0);
    builder->nodes = empty_array(allocator, sizeof(mst_node));
    builder->meshes = empty_array(allocator, sizeof(mst_mesh));
    builder->materials = empty_array(allocator, sizeof(mst_material));
    builder->images = empty_array(allocator, sizeof(mst_image));
    builder->lights = empty_array(allocator, sizeof(mst_light));
    builder->cameras = empty_array(allocator, sizeof(mst_camera));
}

void mst_scene_fail(mst_scene_builder *builder) {
    if (builder->status == MST_OK)
        builder->status = MST_NO_MEMORY;
}

static void *zeroed(mst_scene_builder *builder, mst_arena *arena, uint64_t count, size_t size) {
    void *memory =
        mst_scene_ok(builder) && count <= SIZE_MAX ? mst_arena_zero(arena, (size_t)count, size) : NULL;
    if (!memory)
        mst_scene_fail(builder);
    return memory;
}

void *mst_scene_take(mst_scene_builder *builder, uint64_t count, size_t size) {
    return zeroed(builder, &builder->arena, count, size);
}

void *mst_scene_scratch(mst_scene_builder *builder, uint64_t count, size_t size) {
    return zeroed(builder, &builder->scratch, count, size);
}

void *mst_scene_copy(mst_scene_builder *builder, const void *items, uint64_t count, size_t size) {
    void *copy = mst_scene_take(builder, count, size);
    if (copy && count)
        memcpy(copy, items, (size_t)count * size);
    return copy;
}

mst_array mst_scene_array(const mst_scene_builder *builder, size_t element_size) {
    return empty_array(&builder->arena.allocator, element_size);
}

void *mst_scene_push(mst_scene_builder *builder, mst_array *array, uint64_t n) {
    void *added = mst_scene_ok(builder) && n <= SIZE_MAX ? mst_array_push(array, (size_t)n) : NULL;
    if (!added)
        mst_scene_fail(builder);
    return added;
}

const char *mst_scene_text(mst_scene_builder *builder, const char *text, size_t length) {
    const char *copy = length && mst_scene_ok(builder) ? mst_arena_text(&builder->arena, text, length) : "";
    if (!copy)
        mst_scene_fail(builder);
    return copy ? copy : "";
}

const char *mst_scene_printf(mst_scene_builder *builder, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mst_scene_text(builder, text, strlen(text));
}

static void free_arrays(mst_array arrays[6]) {
    for (int i = 0; i < 6; i++)
        mst_array_free(&arrays[i]);
}

static void take_arrays(mst_scene_builder *builder, mst_array arrays[6]) {
    mst_array *const sources[6] = {&builder->nodes,  &builder->meshes, &builder->materials,
                                   &builder->images, &builder->lights, &builder->cameras};
    for (int i = 0; i < 6; i++) {
        arrays[i] = *sources[i];
        memset(sources[i], 0, sizeof *sources[i]);
    }
}

void mst_scene_abandon(mst_scene_builder *builder) {
    mst_array arrays[6];
    take_arrays(builder, arrays);
    free_arrays(arrays);
    mst_arena_end(&builder->arena);
    mst_arena_end(&builder->scratch);
}

void mst_scene_free(mst_scene *scene) {
    if (!scene)
        return;
    owned_scene *owned = (owned_scene *)(void *)scene;
    free_arrays(owned->arrays);
    mst_arena arena = owned->arena; /* the scene itself is in it */
    mst_arena_end(&arena);
}

/* The arrays are not in the arena, but the budget covers both together. */
static bool within_budget(const mst_scene_builder *builder, size_t more) {
    if (!builder->arena.budget)
        return true;
    const mst_array *const arrays[6] = {&builder->nodes,  &builder->meshes, &builder->materials,
                                        &builder->images, &builder->lights, &builder->cameras};
    size_t left = builder->arena.budget - builder->arena.used; /* never negative */
    for (int i = 0; i < 6; i++) {
        size_t bytes = arrays[i]->capacity * arrays[i]->element_size;
        if (left < bytes)
            return false;
        left -= bytes;
    }
    return more <= left;
}

/* The memory that one more element takes: a full array doubles. */
static size_t growth_of(const mst_array *array) {
    if (array->count < array->capacity)
        return 0;
    return (array->capacity ? array->capacity : 8) * array->element_size;
}

/* Adds an element. Returns its index, or -1. */
static int32_t add(mst_scene_builder *builder, mst_array *array, const void *element) {
    if (builder->status != MST_OK)
        return -1;
    size_t index = array->count;
    void *target = NULL;
    if (index < INT32_MAX && within_budget(builder, growth_of(array)))
        target = mst_array_push(array, 1);
    if (!target) {
        mst_scene_fail(builder);
        return -1;
    }
    memcpy(target, element, array->element_size);
    return (int32_t)index;
}

static const char *copy_text(mst_scene_builder *builder, const char *text) {
    return text ? mst_scene_text(builder, text, strlen(text)) : "";
}

static mst_node identity_node(void) {
    mst_node node = {.name = "",
                     .class_name = "",
                     .layer = "",
                     .label = "",
                     .tag = "",
                     .parent = -1,
                     .mesh = -1,
                     .light = -1,
                     .camera = -1,
                     .source = {.index = MST_NO_INDEX}};
    node.rotation[3] = 1;
    node.scale[0] = node.scale[1] = node.scale[2] = 1;
    return node;
}

int32_t mst_scene_add_node(mst_scene_builder *builder, int32_t parent, const char *name, mst_role role) {
    mst_node node = identity_node();
    node.name = copy_text(builder, name);
    node.role = role;
    node.parent = parent;
    return add(builder, &builder->nodes, &node);
}

mst_node *mst_scene_node(mst_scene_builder *builder, int32_t index) {
    if (builder->status != MST_OK || index < 0 || (size_t)index >= builder->nodes.count)
        return NULL;
    return (mst_node *)builder->nodes.items + index;
}

void mst_scene_set_source(mst_scene_builder *builder, int32_t index, const char *file, const char *path,
                          uint64_t element) {
    mst_node *node = mst_scene_node(builder, index);
    if (node)
        node->source = (mst_scene_source){file, path, (uint32_t)element};
}

int32_t mst_scene_add_mesh(mst_scene_builder *builder, const mst_mesh *mesh) {
    mst_mesh copy = *mesh;
    copy.name = copy.name ? copy.name : "";
    return add(builder, &builder->meshes, &copy);
}

int32_t mst_scene_add_material(mst_scene_builder *builder, const mst_material *material) {
    mst_material copy = *material;
    copy.name = copy.name ? copy.name : "";
    return add(builder, &builder->materials, &copy);
}

int32_t mst_scene_add_image(mst_scene_builder *builder, const mst_image *image) {
    mst_image copy = *image;
    copy.name = copy.name ? copy.name : "";
    return add(builder, &builder->images, &copy);
}

int32_t mst_scene_add_light(mst_scene_builder *builder, const mst_light *light) {
    mst_light copy = *light;
    copy.name = copy.name ? copy.name : "";
    return add(builder, &builder->lights, &copy);
}

int32_t mst_scene_add_camera(mst_scene_builder *builder, const mst_camera *camera) {
    mst_camera copy = *camera;
    copy.name = copy.name ? copy.name : "";
    return add(builder, &builder->cameras, &copy);
}

#define PLACEHOLDER 64

int32_t mst_scene_add_placeholder(mst_scene_builder *builder) {
    uint8_t *pixels = mst_scene_take(builder, (size_t)PLACEHOLDER * PLACEHOLDER, 4);
    if (!pixels)
        return -1;
    for (int y = 0; y < PLACEHOLDER; y++)
        for (int x = 0; x < PLACEHOLDER; x++) {
            bool border = x == 0 || y == 0, line = x % 16 == 0 || y % 16 == 0;
            bool mark = (x >= 5 && x < 8 && y >= 5 && y < 22) || (y >= 5 && y < 8 && x >= 5 && x < 16);
            uint8_t *pixel = pixels + 4 * (y * PLACEHOLDER + x);
            pixel[0] = pixel[1] = pixel[2] = border ? 196 : mark ? 216 : line ? 236 : 255;
            pixel[3] = 255;
        }
    mst_image image = {.name = "placeholder",
                       .pixels = {.width = PLACEHOLDER, .height = PLACEHOLDER, .data = pixels},
                       .placeholder = 1};
    return mst_scene_add_image(builder, &image);
}

const mst_primitive *mst_scene_box(mst_scene_builder *builder, float edge, bool placement) {
    typedef struct box {
        mst_primitive primitive;
        float positions[24 * 3], normals[24 * 3];
        uint32_t indices[36];
    } box;
    box *all = mst_scene_take(builder, 1, sizeof *all);
    if (!all)
        return NULL;
    float *positions = all->positions, *normals = all->normals;
    uint32_t *indices = all->indices;
    /* Each side has a normal along one axis; the two others, taken in cyclic order, span it so that the
     * corners run counter-clockwise seen from outside (reversed on the negative side). */
    static const float across[4] = {-0.5F, 0.5F, 0.5F, -0.5F}, along[4] = {-0.5F, -0.5F, 0.5F, 0.5F};
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t axis = side / 2;
        float sign = side % 2 ? -1.0F : 1.0F;
        for (uint32_t corner = 0; corner < 4; corner++) {
            float *position = positions + (side * 4 + corner) * 3,
                  *normal = normals + (side * 4 + corner) * 3;
            position[axis] = 0.5F * sign;
            position[(axis + 1) % 3] = across[corner] * sign;
            position[(axis + 2) % 3] = along[corner];
            position[1] += placement ? 0.5F : 0;
            for (int i = 0; i < 3; i++)
                position[i] *= edge;
            normal[axis] = sign;
        }
        static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
        for (uint32_t i = 0; i < 6; i++)
            indices[side * 6 + i] = side * 4 + order[i];
    }
    all->primitive = (mst_primitive){.vertex_count = 24,
                                     .index_count = 36,
                                     .positions = positions,
                                     .normals = normals,
                                     .indices = indices};
    return &all->primitive;
}

int32_t mst_scene_add_shape(mst_scene_builder *builder, const mst_primitive *shape, const char *name,
                            int32_t material) {
    mst_primitive *copy = shape ? mst_scene_take(builder, 1, sizeof *copy) : NULL;
    if (!copy)
        return -1;
    *copy = *shape;
    copy->material = material;
    return mst_scene_add_mesh(builder, &(mst_mesh){.name = name, .primitives = copy, .primitive_count = 1});
}

int32_t mst_scene_add_cube(mst_scene_builder *builder, const char *name, int32_t material) {
    return mst_scene_add_shape(builder, mst_scene_box(builder, 1, false), copy_text(builder, name), material);
}

/* ---- extras ---- */

void mst_extras_begin(mst_extras_builder *extras, mst_scene_builder *scene) {
    *extras = (mst_extras_builder){.scene = scene};
    extras->items = empty_array(&scene->arena.allocator, sizeof(mst_extra));
}

void mst_extras_begin_like(mst_extras_builder *extras, mst_scene_builder *scene, const mst_extras *like) {
    mst_extras_begin(extras, scene);
    extras->values = mst_arena_take(&scene->arena, like->count, sizeof *extras->values);
    extras->like = like->items;
    extras->like_count = like->count;
    if (!extras->values)
        mst_scene_fail(scene);
}

static void add_extra(mst_extras_builder *extras, const char *name, mst_extra extra) {
    mst_scene_builder *scene = extras->scene;
    if (extras->like) {
        size_t at = extras->items.count;
        if (scene->status != MST_OK || at >= extras->like_count)
            return;
        extra.name = extras->like[at].name;
        extras->values[at] = extra;
        extras->items.count++;
        return;
    }
    extra.name = copy_text(scene, name);
    if (scene->status != MST_OK)
        return;
    mst_extra *target =
        within_budget(scene, growth_of(&extras->items)) ? mst_array_push(&extras->items, 1) : NULL;
    if (target)
        *target = extra;
    else
        mst_scene_fail(scene);
}

void mst_extras_text(mst_extras_builder *extras, const char *name, const char *text, size_t length) {
    mst_scene_builder *scene = extras->scene;
    if (scene->status != MST_OK)
        return;
    mst_extra extra = {.kind = MST_EXTRA_TEXT, .text = mst_scene_text(scene, text, length)};
    add_extra(extras, name, extra);
}

void mst_extras_string(mst_extras_builder *extras, const char *name, const char *text) {
    mst_extras_text(extras, name, text, strlen(text));
}

void mst_extras_integer(mst_extras_builder *extras, const char *name, int64_t value) {
    const int64_t exact = INT64_C(1) << 53; /* a double is exact for every integer up to this */
    if (value >= INT32_MIN && value <= INT32_MAX) {
        add_extra(extras, name,
                  (mst_extra){.kind = MST_EXTRA_INTEGER, .integer = (int32_t)value, .text = ""});
    } else if (value >= -exact && value <= exact) {
        add_extra(extras, name, (mst_extra){.kind = MST_EXTRA_REAL, .real = (double)value, .text = ""});
    } else {
        char text[MST_NUMBER_MAX];
        mst_extras_text(extras, name, text, mst_write_i64(text, value));
    }
}

void mst_extras_real(mst_extras_builder *extras, const char *name, double value) {
    if (isnan(value))
        mst_extras_text(extras, name, "NaN", 3);
    else if (isinf(value))
        mst_extras_text(extras, name, value < 0 ? "-Infinity" : "Infinity", value < 0 ? 9 : 8);
    else
        add_extra(extras, name, (mst_extra){.kind = MST_EXTRA_REAL, .real = value, .text = ""});
}

mst_extras mst_extras_end(mst_extras_builder *extras) {
    mst_extras result = {0};
    mst_scene_builder *scene = extras->scene;
    size_t count = extras->items.count;
    if (extras->like)
        return scene->status == MST_OK ? (mst_extras){.items = extras->values, .count = count} : result;
    if (scene->status == MST_OK && count) {
        mst_extra *items = mst_arena_take(&scene->arena, count, sizeof *items);
        bool made = items != NULL;
        if (made) {
            memcpy(items, extras->items.items, count * sizeof *items);
            mst_names names;
            mst_names_begin(&names, &scene->arena);
            for (size_t i = 0; made && i < count; i++) {
                items[i].name = mst_names_unique(&names, items[i].name, 0);
                made = items[i].name != NULL;
            }
            mst_names_end(&names);
        }
        if (made)
            result = (mst_extras){.items = items, .count = count};
        else
            mst_scene_fail(scene);
    }
    mst_array_free(&extras->items);
    return result;
}

/* ---- unique names ---- */

/* The value of a text: whether it is taken, plus twice the number of suffixes tried. */
#define TAKEN 1u

void mst_names_begin(mst_names *names, mst_arena *arena) {
    *names = (mst_names){arena, {.allocator = arena->allocator}};
}

void mst_names_end(mst_names *names) {
    mst_hash_map_end(&names->map);
}

const char *mst_names_unique(mst_names *names, const char *text, size_t limit) {
    uint32_t *entry = mst_hash_map_add(&names->map, mst_key_text(text));
    if (!entry)
        return NULL;
    if (!(*entry & TAKEN)) {
        *entry |= TAKEN;
        return text;
    }
    /* suffixes are counted per truncated stem, so that names that share one do not try the same suffixes. */
    const size_t suffix_capacity = 11; /* "_4294967295" */
    size_t length = strlen(text);
    if (limit && length > limit - suffix_capacity) {
        const char *stem =
            mst_arena_text(names->arena, text, mst_utf8_cut(text, length, limit - suffix_capacity));
        if (!stem)
            return NULL;
        text = stem;
    }
    for (;;) {
        uint32_t *stem = mst_hash_map_add(&names->map, mst_key_text(text));
        if (!stem || MST_UNREACHABLE(*stem > UINT32_MAX - 2)) /* indices of lists are int32_t */
            return NULL;
        const char *candidate = mst_arena_printf(names->arena, "%s_%lu", text, *stem / 2 + 2ul);
        *stem += 2;
        entry = candidate ? mst_hash_map_add(&names->map, mst_key_text(candidate)) : NULL;
        if (!entry)
            return NULL;
        if (!(*entry & TAKEN)) {
            *entry |= TAKEN;
            return candidate;
        }
    }
}

/* ---- finishing ---- */

static int32_t index_within(int32_t index, size_t count) {
    return index >= 0 && (size_t)index < count ? index : -1;
}

/* Makes every reference and text valid, whatever the format wrote, so that later code need not check them. */
static void fix_references(mst_scene_builder *builder, size_t skin_count) {
    mst_node *nodes = builder->nodes.items;
    for (size_t i = 0; i < builder->nodes.count; i++) {
        mst_node *node = &nodes[i];
        node->skin = node->skin <= skin_count ? node->skin : 0;
        node->parent = i ? index_within(node->parent, i) : -1;
        if (i && node->parent < 0)
            node->parent = 0;
        node->mesh = index_within(node->mesh, builder->meshes.count);
        node->light = index_within(node->light, builder->lights.count);
        node->camera = index_within(node->camera, builder->cameras.count);
        node->name = node->name ? node->name : "";
        node->class_name = node->class_name ? node->class_name : "";
        node->label = node->label ? node->label : "";
        node->layer = node->layer ? node->layer : "";
        node->tag = node->tag ? node->tag : "";
        const mst_scene_source *outer = i ? &nodes[node->parent].source : NULL;
        if (!node->source.path)
            node->source = outer ? *outer : (mst_scene_source){"", "", MST_NO_INDEX};
        if (!node->source.file)
            node->source.file = outer ? outer->file : "";
    }
    mst_material *materials = builder->materials.items;
    for (size_t i = 0; i < builder->materials.count; i++) {
        materials[i].image = index_within(materials[i].image, builder->images.count);
        if (materials[i].normal_texture > builder->images.count)
            materials[i].normal_texture = 0;
        if (materials[i].emissive_texture > builder->images.count)
            materials[i].emissive_texture = 0;
        if (materials[i].specular_texture > builder->images.count)
            materials[i].specular_texture = 0;
    }
}

mst_status mst_scene_finish(mst_scene_builder *builder, const mst_scene *settings, mst_scene **scene,
                            mst_diagnostic *diagnostic) {
    static const mst_scene no_settings = {0};
    if (!settings)
        settings = &no_settings;
    *scene = NULL;
    if (builder->nodes.count == 0)
        mst_scene_add_node(builder, -1, settings->name, MST_ROLE_GROUP);
    const char *name = copy_text(builder, settings->name), *format = copy_text(builder, settings->format);
    owned_scene *owned = NULL;
    fix_references(builder, settings->skin_count);
    if (builder->status == MST_OK && mst_scene_bleed(builder))
        owned = mst_arena_zero(&builder->arena, 1, sizeof *owned);
    if (!owned) {
        mst_scene_fail(builder);
        mst_status status = builder->status;
        mst_scene_abandon(builder);
        return mst_fail(diagnostic, status, "not enough memory for the scene");
    }
    double unit = settings->unit_metres;
    float step = settings->grid_step;
    owned->scene = (mst_scene){.name = name,
                               .format = format,
                               .nodes = builder->nodes.items,
                               .node_count = builder->nodes.count,
                               .meshes = builder->meshes.items,
                               .mesh_count = builder->meshes.count,
                               .materials = builder->materials.items,
                               .material_count = builder->materials.count,
                               .images = builder->images.items,
                               .image_count = builder->images.count,
                               .lights = builder->lights.items,
                               .light_count = builder->lights.count,
                               .cameras = builder->cameras.items,
                               .camera_count = builder->cameras.count,
                               .extras = settings->extras,
                               .unit_metres = isfinite(unit) && unit > 0 ? unit : 1,
                               .grid_step = isfinite(step) && step > 0 ? step : 0,
                               .symbolic = settings->symbolic,
                               .pictured = settings->pictured,
                               .object = settings->object,
                               .storeys = settings->storeys,
                               .skins = settings->skins,
                               .skin_count = settings->skin_count,
                               .animations = settings->animations,
                               .animation_count = settings->animation_count,
                               .storey_count = settings->storey_count,
                               .map = settings->map};
    take_arrays(builder, owned->arrays);
    owned->arena = builder->arena;
    memset(&builder->arena, 0, sizeof builder->arena);
    mst_arena_end(&builder->scratch);
    *scene = &owned->scene;
    return MST_OK;
}

/* ---- finished scenes ---- */

static owned_scene *owner_of(mst_scene *scene) {
    return (owned_scene *)(void *)scene; /* its first member */
}

void *mst_scene_memory(mst_scene *scene, size_t count, size_t size) {
    return mst_arena_zero(&owner_of(scene)->arena, count, size);
}

bool mst_scene_more_extras(mst_scene *scene, const mst_extra *extras, size_t count) {
    mst_arena *arena = &owner_of(scene)->arena;
    mst_extra *all = mst_arena_take(arena, count + scene->extras.count, sizeof *all);
    for (size_t i = 0; i < count && all; i++) {
        all[i] = extras[i];
        all[i].name = mst_arena_text(arena, extras[i].name, strlen(extras[i].name));
        if (extras[i].text)
            all[i].text = mst_arena_text(arena, extras[i].text, strlen(extras[i].text));
        if (!all[i].name || (extras[i].text && !all[i].text))
            return false;
    }
    if (!all)
        return false;
    if (scene->extras.count)
        memcpy(all + count, scene->extras.items, scene->extras.count * sizeof *all);
    scene->extras = (mst_extras){all, count + scene->extras.count};
    return true;
}
