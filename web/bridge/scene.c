/* SPDX-License-Identifier: MIT */
/* A level's scene for a renderer, models, pictures and entities; and other formats of the level. */
#include "bridge.h"

#include <mapstone/export.h>
#include <mapstone/import.h>
#include <mapstone/picture.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Four bytes, little-endian like WebAssembly. */
static void put_size(stream *to, size_t size) {
    const uint32_t number = (uint32_t)size;
    put(to, &number, sizeof number);
}

/* ---- a scene, as JSON and arrays ------------------------------------------------------------------------
 */

/* Arrays after the JSON, each at a multiple of four bytes. */
typedef struct arrays {
    const void **items;
    size_t *sizes;
    size_t count, capacity, bytes;
} arrays;

/* Adds an array; its offset is written as a number. */
static void put_array(stream *to, arrays *all, const char *name, const void *data, size_t size) {
    if (!data || !size)
        return;
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 64;
        all->items = need(realloc(all->items, all->capacity * sizeof *all->items));
        all->sizes = need(realloc(all->sizes, all->capacity * sizeof *all->sizes));
    }
    put_json_key(to, name);
    print(to, "%zu", all->bytes);
    all->items[all->count] = data;
    all->sizes[all->count++] = size;
    all->bytes += (size + 3) & ~(size_t)3;
}

static void put_source(stream *to, const mst_scene_source *source) {
    if (!source->path)
        return;
    put_json_key(to, "source");
    put_text(to, "{");
    put_json_member(to, "path", source->path);
    if (source->file)
        put_json_member(to, "file", source->file);
    if (source->index != MST_NO_INDEX)
        print(to, ",\"index\":%u", source->index);
    put_text(to, "}");
}

static void put_index(stream *to, const char *name, int32_t index) {
    if (index < 0)
        return;
    put_json_key(to, name);
    print(to, "%d", index);
}

static void put_given(stream *to, const char *name, const char *text) {
    if (text && *text)
        put_json_member(to, name, text);
}

static const char *const roles[] = {"group", "geometry", "collision", "helper", "entity", "light", "camera"};

static void put_node(stream *to, const mst_node *node) {
    put_text(to, "{");
    put_json_member(to, "name", node->name);
    put_json_member(to, "role", roles[node->role]);
    put_given(to, "className", node->class_name);
    put_given(to, "layer", node->layer);
    put_given(to, "label", node->label);
    put_given(to, "tag", node->tag);
    put_index(to, "parent", node->parent);
    put_index(to, "mesh", node->mesh);
    put_index(to, "light", node->light);
    put_index(to, "camera", node->camera);
    static const char *const axes[] = {"", "x", "y", "z"};
    put_given(to, "facing", axes[node->facing]);
    put_numbers(to, "translation", node->translation, 3);
    put_numbers(to, "rotation", node->rotation, 4);
    put_numbers(to, "scale", node->scale, 3);
    put_source(to, &node->source);
    put_text(to, "}");
}

static void put_primitive(stream *to, arrays *all, const mst_primitive *one) {
    const size_t vertex = one->vertex_count * sizeof(float);
    const size_t triangles = (one->indices ? one->index_count : one->vertex_count) / 3;
    put_text(to, "{");
    put_index(to, "material", one->material);
    put_json_key(to, "vertexCount");
    print(to, "%u,\"indexCount\":%u", one->vertex_count, one->index_count);
    put_array(to, all, "positions", one->positions, 3 * vertex);
    put_array(to, all, "normals", one->normals, 3 * vertex);
    put_array(to, all, "texcoords", one->texcoords, 2 * vertex);
    put_array(to, all, "colors", one->colors, 4 * vertex);
    put_array(to, all, "indices", one->indices, one->index_count * sizeof *one->indices);
    put_array(to, all, "elements", one->elements, triangles * sizeof *one->elements);
    float low[3], high[3];
    for (int c = 0; c < 3; c++)
        low[c] = INFINITY, high[c] = -INFINITY;
    for (size_t i = 0; i < (size_t)3 * one->vertex_count; i++) {
        low[i % 3] = fminf(low[i % 3], one->positions[i]);
        high[i % 3] = fmaxf(high[i % 3], one->positions[i]);
    }
    put_numbers(to, "minimum", low, 3);
    put_numbers(to, "maximum", high, 3);
    put_source(to, &one->source);
    put_text(to, "}");
}

static void put_mesh(stream *to, arrays *all, const mst_mesh *mesh) {
    put_text(to, "{");
    put_json_member(to, "name", mesh->name);
    put_json_key(to, "primitives");
    put_text(to, "[");
    for (size_t i = 0; i < mesh->primitive_count; i++) {
        put_text(to, i ? "," : "");
        put_primitive(to, all, &mesh->primitives[i]);
    }
    put_text(to, "]}");
}

static void put_material(stream *to, const mst_material *one) {
    static const char *const modes[] = {"opaque", "mask", "blend"}, *const wraps[] = {"repeat", "clamp",
                                                                                      "mirror"};
    put_text(to, "{");
    put_json_member(to, "name", one->name);
    put_numbers(to, "color", one->color, 4);
    put_index(to, "image", one->image);
    put_json_member(to, "wrapS", wraps[one->wrap_s]);
    put_json_member(to, "wrapT", wraps[one->wrap_t]);
    put_json_member(to, "alphaMode", modes[one->alpha_mode]);
    put_json_key(to, "alphaCutoff");
    put_number(to, (double)one->alpha_cutoff);
    print(to, ",\"nearest\":%s,\"doubleSided\":%s,\"unlit\":%s}", one->nearest ? "true" : "false",
          one->double_sided ? "true" : "false", one->unlit ? "true" : "false");
}

static void put_light(stream *to, const mst_light *one) {
    static const char *const kinds[] = {"point", "spot", "directional"};
    put_text(to, "{");
    put_json_member(to, "name", one->name);
    put_json_member(to, "kind", kinds[one->kind]);
    put_numbers(to, "color", one->color, 3);
    put_json_key(to, "intensity");
    put_number(to, (double)one->intensity);
    put_json_key(to, "range");
    put_number(to, (double)one->range);
    put_json_key(to, "innerAngle");
    put_number(to, (double)one->inner_angle);
    put_json_key(to, "outerAngle");
    put_number(to, (double)one->outer_angle);
    put_text(to, "}");
}

/* `call` for each of the items, as a list. */
#define PUT_LIST(to, name, items, count, call)                                                               \
    do {                                                                                                     \
        put_json_key((to), (name));                                                                          \
        put_text((to), "[");                                                                                 \
        for (size_t i = 0; i < (count); i++) {                                                               \
            const void *separator = i ? "," : "";                                                            \
            put_text((to), separator);                                                                       \
            call;                                                                                            \
        }                                                                                                    \
        put_text((to), "]");                                                                                 \
    } while (0)

static void put_image(stream *to, arrays *all, const mst_image *one) {
    put_text(to, "{");
    put_json_member(to, "name", one->name);
    print(to, ",\"width\":%u,\"height\":%u", one->pixels.width, one->pixels.height);
    put_array(to, all, "pixels", one->pixels.data, (size_t)4 * one->pixels.width * one->pixels.height);
    put_text(to, "}");
}

static void put_camera(stream *to, const mst_camera *one) {
    put_text(to, "{");
    put_json_member(to, "name", one->name);
    put_json_key(to, "verticalFov");
    put_number(to, (double)one->vertical_fov);
    put_json_key(to, "near");
    put_number(to, (double)one->near_plane);
    put_json_key(to, "far");
    put_number(to, (double)one->far_plane);
    put_text(to, "}");
}

static void put_line(stream *to, const mst_map_line *line) {
    put_text(to, "{\"kind\":");
    put_text(to, line->kind == MST_MAP_LINK ? "\"link\"" : "\"wall\"");
    put_numbers(to, "from", line->from, 3);
    put_numbers(to, "to", line->to, 3);
    put_text(to, "}");
}

static void put_scene(stream *to, arrays *all, const mst_scene *scene) {
    mst_bounds bounds = mst_scene_bounds(scene, ~(1u << MST_ROLE_HELPER));
    if (bounds.minimum[0] > bounds.maximum[0]) /* only helpers, or nothing */
        bounds = mst_scene_bounds(scene, 0);
    put_text(to, "{");
    put_json_member(to, "name", scene->name);
    put_json_member(to, "format", scene->format);
    print(to, ",\"unitMetres\":%.17g", scene->unit_metres);
    put_numbers(to, "minimum", bounds.minimum, 3);
    put_numbers(to, "maximum", bounds.maximum, 3);
    PUT_LIST(to, "nodes", scene->nodes, scene->node_count, put_node(to, &scene->nodes[i]));
    PUT_LIST(to, "meshes", scene->meshes, scene->mesh_count, put_mesh(to, all, &scene->meshes[i]));
    PUT_LIST(to, "materials", scene->materials, scene->material_count,
             put_material(to, &scene->materials[i]));
    PUT_LIST(to, "images", scene->images, scene->image_count, put_image(to, all, &scene->images[i]));
    PUT_LIST(to, "lights", scene->lights, scene->light_count, put_light(to, &scene->lights[i]));
    PUT_LIST(to, "cameras", scene->cameras, scene->camera_count, put_camera(to, &scene->cameras[i]));
    const mst_map none = {0}, *map = scene->map ? scene->map : &none;
    PUT_LIST(to, "lines", map->lines, map->line_count, put_line(to, &map->lines[i]));
    PUT_LIST(to, "storeys", scene->storeys, scene->storey_count, print(to, "%d", scene->storeys[i]));
    put_json_key(to, "gridStep");
    put_number(to, (double)scene->grid_step);
    print(to, ",\"object\":%s}", scene->object == MST_OBJECT_NONE ? "false" : "true");
}

#define SCENE_NAME 256

static mst_scene_options scene_options(const char *map, uint32_t max_texture, uint32_t flags) {
    return (mst_scene_options){.size = sizeof(mst_scene_options),
                               .map = or_null(map),
                               .max_texture = max_texture,
                               .no_markers = (flags & SCENE_NO_MARKERS) != 0,
                               .no_assets = (flags & SCENE_NO_ASSETS) != 0,
                               .no_textures = (flags & SCENE_NO_TEXTURES) != 0,
                               .split_layers = (flags & SCENE_SPLIT_LAYERS) != 0};
}

/* Gives a scene without a name the name of its file, without the ending; `name` holds it. */
static void name_scene(const opened *of, mst_scene *scene, char name[SCENE_NAME]) {
    if (scene->name && *scene->name)
        return;
    const char *file = mst_document_name(mst_level_document(opened_level(of), 0)), *end = strrchr(file, '.');
    size_t length = end ? (size_t)(end - file) : strlen(file);
    if (length < SCENE_NAME && is_utf8(file, length)) {
        memcpy(name, file, length);
        name[length] = 0;
        scene->name = name;
    }
}

static mst_status make_scene(answer *to, const opened *of, const char *map, uint32_t max_texture,
                             uint32_t flags, mst_scene **scene, char name[SCENE_NAME]) {
    const mst_scene_options how = scene_options(map, max_texture, flags);
    mst_status status = mst_level_scene(opened_level(of), &how, scene, &to->why);
    if (status == MST_OK)
        name_scene(of, *scene, name);
    return status;
}

mst_status web_scene(answer *to, const opened *of, const char *map, uint32_t max_texture, uint32_t flags) {
    mst_scene *scene = NULL;
    char name[SCENE_NAME];
    arrays all = {0};
    mst_status status = make_scene(to, of, map, max_texture, flags, &scene, name);
    if (status == MST_OK) {
        stream text = stream_memory();
        put_scene(&text, &all, scene);
        while (text.size % 4)
            put_text(&text, " ");
        put_size(&to->text, text.size);
        put(&to->text, text.data, text.size);
        stream_free(&text);
        for (size_t i = 0; i < all.count; i++) {
            put(&to->text, all.items[i], all.sizes[i]);
            put(&to->text, "\0\0\0", (4 - all.sizes[i] % 4) % 4);
        }
    }
    free(all.items);
    free(all.sizes);
    mst_scene_free(scene);
    return answer_end(to, status);
}

/* ---- models and pictures --------------------------------------------------------------------------------
 */

/* The scene from which mst_import can identify the parts of the level. */
static mst_status make_editing_scene(answer *to, const opened *of, const char *map, uint32_t flags,
                                     mst_scene **scene, char name[SCENE_NAME]) {
    const mst_scene_options contents = scene_options(map, 0, flags);
    const mst_editing_options how = {.size = sizeof how, .scene = &contents};
    mst_status status = mst_editing_scene(opened_level(of), &how, scene, &to->why);
    if (status == MST_OK)
        name_scene(of, *scene, name);
    return status;
}

mst_status web_model(answer *to, const opened *of, const char *map, int embedded, int32_t max_lights,
                     uint32_t flags) {
    mst_scene *scene = NULL;
    char name[SCENE_NAME];
    const bool editing = (flags & MODEL_FOR_EDITING) != 0;
    const mst_gltf_options how = {.size = sizeof how, .max_lights = max_lights, .for_editing = editing};
    mst_status status = editing ? make_editing_scene(to, of, map, flags, &scene, name)
                                : make_scene(to, of, map, 0, flags, &scene, name);
    if (status == MST_OK && embedded)
        status = mst_scene_write_gltf(scene, &how, NULL, stream_sink(&to->text), (mst_sink){0}, &to->why);
    else if (status == MST_OK)
        status = mst_scene_write_glb(scene, &how, stream_sink(&to->text), &to->why);
    mst_scene_free(scene);
    return answer_end(to, status);
}

mst_status web_image(answer *to, const opened *of, uint32_t index, uint32_t image, uint32_t level) {
    const mst_document *document = opened_document(of, index, to);
    mst_pixels pixels = {0};
    char name[MST_IMAGE_NAME] = "";
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    const mst_resolver *sidecars = mst_level_sidecars(opened_level(of));
    mst_status status = mst_image_read(document, image, level, sidecars, &pixels, name, &to->why);
    if (status == MST_OK) {
        const bool indexed = pixels.format == MST_PIXELS_INDEXED8;
        put_size(&to->text, pixels.width);
        put_size(&to->text, pixels.height);
        put_size(&to->text, indexed ? pixels.palette_count : 0);
        put_size(&to->text, mst_image_levels(document, image));
        put(&to->text, name, sizeof name);
        if (indexed)
            put(&to->text, pixels.palette, (size_t)4 * pixels.palette_count);
        put(&to->text, pixels.data, (indexed ? (size_t)1 : 4) * pixels.width * pixels.height);
    }
    mst_pixels_free(&pixels);
    return answer_end(to, status);
}

mst_status web_picture(answer *to, const opened *of, const char *map, int view, uint32_t width,
                       uint32_t height, float cut, uint32_t flags) {
    mst_scene *scene = NULL;
    char name[SCENE_NAME];
    mst_pixels pixels = {0};
    mst_picture_place place = {.scale = 0};
    mst_status status = make_scene(to, of, map, 0, 0, &scene, name);
    if (status == MST_OK) {
        const mst_picture_options how = {.size = sizeof how,
                                         .view = view >= 0       ? (mst_view)view
                                                 : scene->object ? MST_VIEW_OBLIQUE
                                                                 : MST_VIEW_ABOVE,
                                         .width = width,
                                         .height = height,
                                         .ceiling_cut = cut,
                                         .place = &place,
                                         .no_entities = (flags & PICTURE_NO_ENTITIES) != 0,
                                         .no_legend = (flags & PICTURE_NO_LEGEND) != 0,
                                         .no_grid = (flags & PICTURE_NO_GRID) != 0,
                                         .no_labels = (flags & PICTURE_NO_LABELS) != 0,
                                         .transparent = (flags & PICTURE_CLEAR) != 0};
        status = mst_scene_draw(scene, &how, &pixels, &to->why);
    }
    if (status == MST_OK && (flags & PICTURE_PNG)) {
        status = mst_pixels_write_png(&pixels, stream_sink(&to->text), &to->why);
    } else if (status == MST_OK) {
        put_size(&to->text, pixels.width);
        put_size(&to->text, pixels.height);
        put(&to->text, &place, offsetof(mst_picture_place, width)); /* twelve numbers */
        put(&to->text, pixels.data, (size_t)4 * pixels.width * pixels.height);
    }
    mst_pixels_free(&pixels);
    mst_scene_free(scene);
    return answer_end(to, status);
}

/* ---- entities -------------------------------------------------------------------------------------------
 */

static void put_entity(stream *to, const mst_entity *one) {
    put_text(to, "{");
    put_json_member(to, "className", one->class_name);
    put_json_member(to, "name", one->name);
    put_json_member(to, "layer", one->layer);
    put_json_member(to, "role", roles[one->role]);
    put_numbers(to, "position", one->position, 3);
    put_numbers(to, "rotation", one->rotation, 4);
    put_numbers(to, "world", one->world, 3);
    put_json_member(to, "file", one->file);
    put_json_member(to, "path", one->path);
    print(to, ",\"node\":%zu}", one->node);
}

mst_status web_entities(answer *to, const opened *of) {
    mst_entities *all = NULL;
    mst_status status = mst_level_entities(opened_level(of), &all, &to->why);
    if (status == MST_OK) {
        put_text(&to->text, "[");
        for (size_t i = 0; i < all->count; i++) {
            put_text(&to->text, i ? "," : "");
            put_entity(&to->text, &all->items[i]);
        }
        put_text(&to->text, "]");
    }
    mst_entities_free(all);
    return answer_end(to, status);
}

/* ---- other formats and versions -------------------------------------------------------------------------
 */

mst_status web_convert(answer *to, const opened *of, uint32_t index, const char *byte_order, double version,
                       const char *format, int allow_loss) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    const mst_convert_options how = {.size = sizeof how,
                                     .byte_order = or_null(byte_order),
                                     .version = version >= 0 ? (uint32_t)version : 0,
                                     .has_version = version >= 0,
                                     .format = or_null(format),
                                     .allow_loss = allow_loss};
    mst_document *result = NULL;
    answer losses = {.text = stream_memory()};
    mst_status status = mst_convert(document, &how, put_finding, &losses, &result, &to->why);
    put_size(&to->text, losses.text.size);
    put(&to->text, losses.text.data, losses.text.size);
    if (status == MST_OK)
        status = mst_save(result, stream_sink(&to->text), &to->why);
    stream_free(&losses.text);
    mst_close(result);
    return answer_end(to, status);
}
