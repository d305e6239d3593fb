/* SPDX-License-Identifier: MIT */
/*
 * glTF 2.0. A GLB begins with its own size, so a plan is made first: used items, names and sizes. Then the
 * JSON is written twice, once to measure it, and the arrays of the scene are streamed to the sink; only the
 * compressed images are held in memory a second time.
 */
#include "gltf.h"
#include "../core/arena.h"
#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/unreachable.h"
#include "../scene/build.h"
#include <float.h>
#include <mapstone/export.h>
#include <mapstone/picture.h>

#define NAME_LIMIT 63u /* Blender truncates longer names */

/* ---- values as they are written ---- */

static void repaired_normal(const float *normal, float result[3]) {
    double x = (double)normal[0], y = (double)normal[1], z = (double)normal[2];
    double square = x * x + y * y + z * z;
    if (square > 0.9999 && square < 1.0001) {
        memcpy(result, normal, 3 * sizeof *result);
    } else if (isfinite(square) && square > 1e-60) {
        double length = sqrt(square);
        result[0] = (float)(x / length);
        result[1] = (float)(y / length);
        result[2] = (float)(z / length);
    } else {
        result[0] = result[2] = 0;
        result[1] = 1;
    }
}

static bool normals_fit(const float *normals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        double x = (double)normals[3 * i], y = (double)normals[3 * i + 1], z = (double)normals[3 * i + 2];
        double square = x * x + y * y + z * z;
        if (!(square > 0.9999 && square < 1.0001))
            return false;
    }
    return true;
}

static bool within_range(const float *values, size_t count, float low, float high) {
    for (size_t i = 0; i < count; i++)
        if (!(values[i] >= low && values[i] <= high))
            return false;
    return true;
}

/* Triangles with indices out of range or repeated corners are left out. */
static bool triangle_fits(const uint32_t *triangle, uint32_t vertex_count) {
    return triangle[0] < vertex_count && triangle[1] < vertex_count && triangle[2] < vertex_count &&
           triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0];
}

/* ---- the plan ---- */

static void plan_bounds(mst_gltf_primitive *primitive) {
    const float *positions = primitive->source->positions;
    bool finite = within_range(positions, (size_t)primitive->vertex_count * 3, -FLT_MAX, FLT_MAX);
    for (int k = 0; k < 3; k++) {
        primitive->minimum[k] = INFINITY;
        primitive->maximum[k] = -INFINITY;
    }
    for (size_t v = 0; v < primitive->vertex_count; v++)
        for (int k = 0; k < 3; k++) {
            float value = positions[3 * v + (size_t)k];
            if (!finite)
                value = finite_or(value, 0);
            primitive->minimum[k] = value < primitive->minimum[k] ? value : primitive->minimum[k];
            primitive->maximum[k] = value > primitive->maximum[k] ? value : primitive->maximum[k];
        }
    primitive->flags |= finite ? MST_GLTF_AS_IS_POSITIONS : 0;
}

/* False if the primitive has nothing visible. */
static bool plan_primitive(const mst_primitive *source, mst_gltf_primitive *primitive) {
    *primitive = (mst_gltf_primitive){.source = source, .vertex_count = source->vertex_count};
    if (!source->positions || source->vertex_count < 3)
        return false;
    if (source->indices) {
        uint32_t end = source->index_count / 3 * 3;
        for (uint32_t i = 0; i < end; i += 3)
            if (triangle_fits(source->indices + i, source->vertex_count))
                primitive->index_count += 3;
        if (!primitive->index_count)
            return false;
        primitive->flags = MST_GLTF_HAS_INDICES | (source->vertex_count > 65535 ? MST_GLTF_WIDE_INDICES : 0) |
                           (primitive->index_count == end ? MST_GLTF_AS_IS_INDICES : 0);
    } else {
        primitive->vertex_count = source->vertex_count / 3 * 3;
    }
    plan_bounds(primitive);
    size_t count = primitive->vertex_count;
    if (source->normals)
        primitive->flags |=
            MST_GLTF_HAS_NORMALS | (normals_fit(source->normals, count) ? MST_GLTF_AS_IS_NORMALS : 0);
    if (source->colors)
        primitive->flags |=
            MST_GLTF_HAS_COLORS | (within_range(source->colors, 4 * count, 0, 1) ? MST_GLTF_AS_IS_COLORS : 0);
    return true;
}

/* Zeroed memory; failures set p->lacks_memory, which is checked once after several calls. */
static void *need(mst_gltf_plan *p, size_t count, size_t size) {
    void *place = mst_arena_zero(&p->arena, count, size);
    p->lacks_memory = p->lacks_memory || !place;
    return place;
}

/* The lists of a scene and the parts of the plan for them. */
typedef struct list {
    mst_gltf_selection *selection;
    const void *items;
    size_t count, item_size;
    const char *otherwise; /* name of items without one */
} list;
#define LISTS 6

static void find_lists(mst_gltf_plan *p, list lists[LISTS]) {
    const mst_scene *s = p->scene;
    lists[0] = (list){&p->nodes, s->nodes, s->node_count, sizeof *s->nodes, "node"};
    lists[1] = (list){&p->meshes, s->meshes, s->mesh_count, sizeof *s->meshes, "mesh"};
    lists[2] = (list){&p->materials, s->materials, s->material_count, sizeof *s->materials, "material"};
    lists[3] = (list){&p->images, s->images, s->image_count, sizeof *s->images, "image"};
    lists[4] = (list){&p->light_list, s->lights, s->light_count, sizeof *s->lights, "light"};
    lists[5] = (list){&p->cameras, s->cameras, s->camera_count, sizeof *s->cameras, "camera"};
}

/* Nothing is written yet. */
static void begin_selections(mst_gltf_plan *p, const list lists[LISTS]) {
    for (int k = 0; k < LISTS; k++) {
        mst_gltf_selection *s = lists[k].selection;
        s->count = lists[k].count;
        s->index = need(p, s->count, sizeof *s->index);
        s->names = need(p, s->count, sizeof *s->names);
        if (s->index)
            memset(s->index, 0xFF, s->count * sizeof *s->index); /* -1 */
    }
}

/* Converts marks to indices in the file. */
static void number_selection(mst_gltf_selection *s) {
    for (size_t i = 0; i < s->count; i++)
        if (s->index[i] >= 0)
            s->index[i] = (int32_t)s->written++;
}

static void mark(mst_gltf_selection *s, int32_t index) {
    if (within(index, s->count))
        s->index[index] = 0;
}

static bool plan_meshes(mst_gltf_plan *p) {
    const mst_scene *scene = p->scene;
    size_t max = 0;
    for (size_t i = 0; i < scene->mesh_count; i++)
        if (p->meshes.index[i] >= 0)
            max += scene->meshes[i].primitive_count;
    p->primitives = mst_arena_take(&p->arena, max, sizeof *p->primitives);
    if (!p->primitives)
        return false;
    for (size_t i = 0; i < scene->mesh_count; i++) {
        const mst_mesh *mesh = &scene->meshes[i];
        size_t before = p->primitive_count;
        for (size_t k = 0; p->meshes.index[i] >= 0 && k < mesh->primitive_count; k++)
            if (plan_primitive(&mesh->primitives[k], &p->primitives[p->primitive_count])) {
                mark(&p->materials, mesh->primitives[k].material);
                p->primitive_count++;
            }
        p->mesh_ends[i] = p->primitive_count;
        if (p->primitive_count == before)
            p->meshes.index[i] = -1;
    }
    number_selection(&p->meshes);
    number_selection(&p->materials);
    return true;
}

/* Encodes the used images. In a build without PNG the materials keep only their colour. */
static mst_status plan_images(mst_gltf_plan *p, mst_diagnostic *diagnostic) {
    const mst_scene *scene = p->scene;
    for (size_t i = 0; i < scene->material_count; i++)
        if (p->materials.index[i] >= 0)
            mark(&p->images, scene->materials[i].image);
    for (size_t i = 0; i < scene->image_count; i++) {
        const mst_image *image = &scene->images[i];
        if (p->images.index[i] < 0)
            continue;
        mst_status status = MST_UNSUPPORTED;
        mst_diagnostic why; /* unsupported images are left out without an error */
        if (image->pixels && image->width && image->height)
            status = mst_png_write(image->width, image->height, image->pixels,
                                   mst_buffer_sink(&p->pictures[i]), &why);
        if (status == MST_UNSUPPORTED)
            p->images.index[i] = -1;
        else if (status != MST_OK)
            return mst_fail(diagnostic, status, "%s", why.message);
    }
    number_selection(&p->images);
    for (size_t i = 0; i < scene->material_count; i++) {
        if (p->materials.index[i] < 0)
            continue;
        p->unlit = p->unlit || scene->materials[i].unlit;
        int32_t image = image_of(p, (int32_t)i);
        if (image >= 0)
            p->image_samplers[image] |= 1u << sampler_of(&scene->materials[i]);
    }
    uint32_t textures = 0;
    for (size_t i = 0; i < scene->image_count; i++) {
        p->first_texture[i] = textures;
        textures += count_bits(p->image_samplers[i]);
        p->sampler_bits |= p->image_samplers[i];
    }
    return MST_OK;
}

/* Texture coordinates are written if they exist and a texture uses them. */
static void plan_sizes(mst_gltf_plan *p) {
    for (size_t i = 0; i < p->primitive_count; i++) {
        mst_gltf_primitive *primitive = &p->primitives[i];
        const mst_primitive *source = primitive->source;
        uint64_t vertices = primitive->vertex_count, indices = primitive->index_count;
        if (source->texcoords || image_of(p, source->material) >= 0) {
            primitive->flags |= MST_GLTF_HAS_TEXCOORDS;
            if (source->texcoords && within_range(source->texcoords, 2 * (size_t)vertices, -FLT_MAX, FLT_MAX))
                primitive->flags |= MST_GLTF_AS_IS_TEXCOORDS;
            p->view_size[MST_GLTF_VIEW_VECTOR2] += vertices * 8;
        }
        p->view_size[MST_GLTF_VIEW_VECTOR3] += vertices * (primitive->flags & MST_GLTF_HAS_NORMALS ? 24 : 12);
        if (primitive->flags & MST_GLTF_HAS_COLORS)
            p->view_size[MST_GLTF_VIEW_VECTOR4] += vertices * 16;
        if (primitive->flags & MST_GLTF_WIDE_INDICES)
            p->view_size[MST_GLTF_VIEW_INDEX32] += indices * 4;
        else if (primitive->flags & MST_GLTF_HAS_INDICES)
            p->view_size[MST_GLTF_VIEW_INDEX16] += padded(indices * 2);
    }
    for (int view = 0; view < MST_GLTF_VIEW_COUNT; view++)
        p->binary_size += p->view_size[view];
    for (size_t i = 0; i < p->images.count; i++)
        if (p->images.index[i] >= 0)
            p->binary_size += padded(p->pictures[i].size);
}

/* The name with every character outside [A-Za-z0-9_-] replaced, cut to the limit. */
static const char *safe_name(mst_gltf_plan *p, const char *name, const char *otherwise) {
    if (!name || !*name)
        return otherwise;
    char safe[NAME_LIMIT + 1];
    size_t length = 0;
    for (const char *c = name; *c && length < NAME_LIMIT; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     *c == '_' || *c == '-';
        if (plain)
            safe[length++] = *c;
        else if (((unsigned char)*c & 0xC0) != 0x80) /* one per UTF-8 character, not per byte */
            safe[length++] = '_';
    }
    safe[length] = 0;
    if (!length)
        return otherwise;
    return strcmp(safe, name) == 0 ? name : mst_arena_text(&p->arena, safe, length);
}

static bool name_list(mst_gltf_plan *p, const list *of) {
    mst_gltf_selection *s = of->selection;
    mst_names names;
    mst_names_begin(&names, &p->arena);
    bool made = true;
    for (size_t i = 0; made && i < s->count; i++) {
        if (s->index[i] < 0)
            continue;
        /* Every item begins with its name, a node with its class second. */
        const char *const *texts =
            (const char *const *)(const void *)((const char *)of->items + i * of->item_size);
        const char *name = texts[0];
        if (s == &p->nodes && (!name || !*name))
            name = texts[1];
        const char *safe = safe_name(p, name, of->otherwise);
        s->names[i] = safe ? mst_names_unique(&names, safe, NAME_LIMIT) : NULL;
        made = s->names[i] != NULL;
    }
    mst_names_end(&names);
    return made;
}

static bool plan_names(mst_gltf_plan *p, const list lists[LISTS]) {
    bool made = true;
    for (int k = 0; made && k < LISTS; k++)
        made = name_list(p, &lists[k]);
    return made;
}

/* Lists of children, in node order. A node whose parent does not precede it becomes a root. */
static void plan_tree(mst_gltf_plan *p) {
    p->first_root = -1;
    for (size_t i = 0; i < p->scene->node_count; i++)
        p->first_child[i] = -1;
    for (size_t i = p->scene->node_count; i-- > 0;) {
        if (p->nodes.index[i] < 0)
            continue;
        int32_t parent = p->scene->nodes[i].parent;
        int32_t *first = within(parent, i) ? &p->first_child[parent] : &p->first_root;
        p->next_sibling[i] = *first;
        *first = (int32_t)i;
    }
}

static mst_status make_plan(mst_gltf_plan *p, const mst_scene *scene, const mst_gltf_options *options,
                            mst_diagnostic *diagnostic) {
    *p = (mst_gltf_plan){.scene = scene};
    p->extras = !options || !options->no_extras;
    mst_arena_begin(&p->arena, options ? &options->allocator : NULL, 0);
    list lists[LISTS];
    find_lists(p, lists);
    begin_selections(p, lists);
    p->mesh_ends = need(p, scene->mesh_count, sizeof *p->mesh_ends);
    p->image_samplers = need(p, scene->image_count, sizeof *p->image_samplers);
    p->first_texture = need(p, scene->image_count, sizeof *p->first_texture);
    p->first_child = need(p, scene->node_count, sizeof *p->first_child);
    p->next_sibling = need(p, scene->node_count, sizeof *p->next_sibling);
    p->pictures = need(p, scene->image_count, sizeof *p->pictures);
    if (p->lacks_memory)
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory to write the scene");
    for (size_t i = 0; i < scene->image_count; i++)
        p->pictures[i].allocator = p->arena.allocator;
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        bool hidden = node->role == MST_ROLE_COLLISION || node->role == MST_ROLE_HELPER;
        if (options && options->no_hidden &&
            (hidden || (within(node->parent, i) && p->nodes.index[node->parent] < 0)))
            continue;
        mark(&p->nodes, (int32_t)i);
        mark(&p->meshes, scene->nodes[i].mesh);
        mark(&p->cameras, scene->nodes[i].camera);
    }
    if (!mst_gltf_plan_lights(p, options ? options->max_lights : 0) || !plan_meshes(p))
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory to write the scene");
    number_selection(&p->nodes);
    number_selection(&p->cameras);
    number_selection(&p->light_list);
    plan_tree(p);
    mst_status status = plan_images(p, diagnostic);
    if (status != MST_OK)
        return status;
    plan_sizes(p);
    if (options && options->lights_left_out)
        *options->lights_left_out = p->lights_left_out;
    return plan_names(p, lists) ? MST_OK
                                : mst_fail(diagnostic, MST_NO_MEMORY, "no memory to write the scene");
}

static void end_plan(mst_gltf_plan *p) {
    for (size_t i = 0; !p->lacks_memory && i < p->scene->image_count; i++)
        mst_buffer_free(&p->pictures[i]);
    mst_arena_end(&p->arena);
}

/* ---- the binary part ---- */

static void write_pad(mst_output *out, uint64_t size, char with) {
    for (uint64_t i = size; i < padded(size); i++)
        mst_output_bytes(out, &with, 1);
}

static void put_floats(mst_output *out, const float *values, unsigned count) {
    uint8_t *place = (uint8_t *)mst_output_reserve(out, 4 * (size_t)count);
    for (unsigned i = 0; i < count; i++)
        mst_store32(place + 4 * i, mst_bits_of_f32(values[i]), false);
    mst_output_advance(out, 4 * (size_t)count);
}

/* Elements of `width` floats each, repaired one by one unless they can be copied. */
static void put_elements(mst_output *out, const float *values, uint32_t count, unsigned width, bool as_is,
                         bool normals, bool colors) {
    if (as_is && !MST_HOST_BIG) {
        mst_output_bytes(out, values, (size_t)count * width * sizeof *values);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        float element[4] = {0};
        for (unsigned k = 0; values && k < width; k++) {
            float value = finite_or(values[i * width + k], 0);
            element[k] = colors ? clamped(value, 0, 1) : value;
        }
        if (normals && !MST_UNREACHABLE(!values)) /* there are none without */
            repaired_normal(values + i * width, element);
        put_floats(out, element, width);
    }
}

static void put_indices(mst_output *out, const mst_gltf_primitive *primitive) {
    const mst_primitive *source = primitive->source;
    bool wide = (primitive->flags & MST_GLTF_WIDE_INDICES) != 0,
         as_is = (primitive->flags & MST_GLTF_AS_IS_INDICES) != 0;
    if (wide && as_is && !MST_HOST_BIG) {
        mst_output_bytes(out, source->indices, (size_t)primitive->index_count * 4);
        return;
    }
    const unsigned size = wide ? 4 : 2;
    for (uint32_t i = 0; i < source->index_count / 3 * 3; i += 3) {
        const uint32_t *triangle = source->indices + i;
        if (!as_is && !triangle_fits(triangle, source->vertex_count))
            continue;
        uint8_t *place = (uint8_t *)mst_output_reserve(out, 12);
        for (unsigned k = 0; k < 3; k++) {
            if (wide)
                mst_store32(place + 4 * k, triangle[k], false);
            else
                mst_store16(place + 2 * k, (uint16_t)triangle[k], false);
        }
        mst_output_advance(out, 3 * (size_t)size);
    }
    write_pad(out, (uint64_t)primitive->index_count * size, 0);
}

static void put_view(mst_output *out, const mst_gltf_primitive *primitive, int view) {
    const mst_primitive *source = primitive->source;
    const unsigned flags = primitive->flags;
    const uint32_t count = primitive->vertex_count;
    if (view == MST_GLTF_VIEW_VECTOR3) {
        put_elements(out, source->positions, count, 3, (flags & MST_GLTF_AS_IS_POSITIONS) != 0, false, false);
        if (flags & MST_GLTF_HAS_NORMALS)
            put_elements(out, source->normals, count, 3, (flags & MST_GLTF_AS_IS_NORMALS) != 0, true, false);
    } else if (view == MST_GLTF_VIEW_VECTOR2 && (flags & MST_GLTF_HAS_TEXCOORDS)) {
        put_elements(out, source->texcoords, count, 2, (flags & MST_GLTF_AS_IS_TEXCOORDS) != 0, false, false);
    } else if (view == MST_GLTF_VIEW_VECTOR4 && (flags & MST_GLTF_HAS_COLORS)) {
        put_elements(out, source->colors, count, 4, (flags & MST_GLTF_AS_IS_COLORS) != 0, false, true);
    } else if ((view == MST_GLTF_VIEW_INDEX16 || view == MST_GLTF_VIEW_INDEX32) &&
               (flags & MST_GLTF_HAS_INDICES)) {
        if ((view == MST_GLTF_VIEW_INDEX32) == ((flags & MST_GLTF_WIDE_INDICES) != 0))
            put_indices(out, primitive);
    }
}

static void write_binary(mst_output *out, const mst_gltf_plan *p) {
    for (int view = 0; view < MST_GLTF_VIEW_COUNT; view++)
        for (size_t i = 0; p->view_size[view] && i < p->primitive_count; i++)
            put_view(out, &p->primitives[i], view);
    for (size_t i = 0; i < p->images.count; i++) {
        if (p->images.index[i] < 0)
            continue;
        mst_output_bytes(out, p->pictures[i].data, p->pictures[i].size);
        write_pad(out, p->pictures[i].size, 0);
    }
}

/* ---- files ---- */

/* A GLB has the length of its JSON before the JSON, which is therefore kept; it is smaller than the scene. */
static mst_status make_json(const mst_gltf_plan *p, mst_buffer *json) {
    mst_output out;
    mst_output_begin(&out, mst_buffer_sink(json));
    mst_gltf_json(&out, p);
    mst_gltf_json_end(&out, p);
    return mst_output_end(&out);
}

static void write_u32(mst_output *out, uint64_t value) {
    mst_store32((uint8_t *)mst_output_reserve(out, 4), (uint32_t)value, false);
    mst_output_advance(out, 4);
}

static mst_status finished(mst_output *out, mst_diagnostic *diagnostic) {
    mst_status status = mst_output_end(out);
    return status == MST_OK ? MST_OK : mst_fail(diagnostic, status, "the glTF file could not be written");
}

static mst_status write_glb(const mst_gltf_plan *p, const mst_buffer *json, mst_sink sink,
                            mst_diagnostic *diagnostic) {
    uint64_t total = 12 + 8 + padded(json->size) + (p->binary_size ? 8 + p->binary_size : 0);
    if (total > UINT32_MAX)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "the scene is too large for one GLB file of 4 GiB");
    mst_output out;
    mst_output_begin(&out, sink);
    mst_output_text(&out, "glTF");
    write_u32(&out, 2);
    write_u32(&out, total);
    write_u32(&out, padded(json->size));
    mst_output_text(&out, "JSON");
    mst_output_bytes(&out, json->data, json->size);
    write_pad(&out, json->size, ' ');
    if (p->binary_size) {
        write_u32(&out, p->binary_size);
        mst_output_bytes(&out, "BIN\0", 4);
        write_binary(&out, p);
    }
    return finished(&out, diagnostic);
}

mst_status mst_scene_write_glb(const mst_scene *scene, const mst_gltf_options *options, mst_sink sink,
                               mst_diagnostic *diagnostic) {
    if (!scene || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "a scene and a sink are needed");
    mst_gltf_plan p;
    mst_status status = make_plan(&p, scene, options, diagnostic);
    mst_buffer json = {.allocator = p.arena.allocator};
    if (status == MST_OK && make_json(&p, &json) != MST_OK)
        status = mst_fail(diagnostic, MST_NO_MEMORY, "no memory to write the scene");
    if (status == MST_OK)
        status = write_glb(&p, &json, sink, diagnostic);
    mst_buffer_free(&json);
    end_plan(&p);
    return status;
}

/* A sink that writes Base64 to an output. */
typedef struct base64 {
    mst_output *out;
    unsigned char rest[3];
    unsigned fill;
} base64;

static void base64_group(base64 *b) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)b->rest[0] << 16 | (uint32_t)b->rest[1] << 8 | b->rest[2];
    char *place = mst_output_reserve(b->out, 4);
    for (unsigned i = 0; i < 4; i++)
        place[i] = i <= b->fill ? digits[bits >> (18 - 6 * i) & 63] : '=';
    mst_output_advance(b->out, 4);
    b->fill = 0;
    memset(b->rest, 0, sizeof b->rest);
}

static mst_status write_base64(void *user, const void *data, size_t size) {
    base64 *b = user;
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        b->rest[b->fill++] = bytes[i];
        if (b->fill == 3)
            base64_group(b);
    }
    return b->out->status;
}

static void embed_binary(mst_output *out, const mst_gltf_plan *p) {
    base64 encoder = {.out = out};
    mst_output bytes;
    mst_output_begin(&bytes, (mst_sink){write_base64, &encoder});
    write_binary(&bytes, p);
    mst_output_end(&bytes);
    if (encoder.fill)
        base64_group(&encoder);
}

/* A file name as a URI: everything except unreserved characters and slashes is escaped. */
static void write_uri(mst_output *out, const char *name) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    for (; *name; name++) {
        if (strchr(plain, *name))
            mst_output_bytes(out, name, 1);
        else
            mst_output_format(out, "%%%02X", (unsigned)(unsigned char)*name);
    }
}

static mst_status write_embedded_or_beside(const mst_gltf_plan *p, const char *buffer_uri, mst_sink sink,
                                           mst_diagnostic *diagnostic) {
    mst_output out;
    mst_output_begin(&out, sink);
    mst_gltf_json(&out, p);
    if (p->binary_size) {
        mst_output_text(&out, ",\"uri\":\"");
        if (buffer_uri) {
            write_uri(&out, buffer_uri);
        } else {
            mst_output_text(&out, "data:application/octet-stream;base64,");
            embed_binary(&out, p);
        }
        mst_output_bytes(&out, "\"", 1);
    }
    mst_gltf_json_end(&out, p);
    mst_output_bytes(&out, "\n", 1);
    return finished(&out, diagnostic);
}

static mst_status write_beside(const mst_gltf_plan *p, mst_sink sink, mst_diagnostic *diagnostic) {
    mst_output out;
    mst_output_begin(&out, sink);
    write_binary(&out, p);
    return finished(&out, diagnostic);
}

mst_status mst_scene_write_gltf(const mst_scene *scene, const mst_gltf_options *options,
                                const char *buffer_uri, mst_sink json, mst_sink binary,
                                mst_diagnostic *diagnostic) {
    if (!scene || !json.write || (buffer_uri && !binary.write))
        return mst_fail(diagnostic, MST_ARGUMENT, "a scene and a sink are needed");
    mst_gltf_plan p;
    mst_status status = make_plan(&p, scene, options, diagnostic);
    if (status == MST_OK)
        status = write_embedded_or_beside(&p, buffer_uri, json, diagnostic);
    if (status == MST_OK && buffer_uri && p.binary_size)
        status = write_beside(&p, binary, diagnostic);
    end_plan(&p);
    return status;
}
