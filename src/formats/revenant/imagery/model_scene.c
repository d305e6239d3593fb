/* SPDX-License-Identifier: MIT */
/* A model as a scene: a node for each object, as it stands in the first frame of the first state. */
#include "../../../core/diagnose.h"
#include "../../../scene/geometry.h"
#include "../../../scene/work.h"
#include "model.h"
#include "posed.h"
#include <stdio.h>
#include <string.h>

#define UNIT_METRES 0.03125 /* as in sectors */

typedef struct work {
    mst_scene_builder *builder;
    const mst_posed *shape;
    int32_t *textured, *plain; /* materials by texture and by material; the last of `plain`: without one */
    bool reversed;             /* corners are clockwise, seen from outside */
} work;

/* ---- materials ----------------------------------------------------------------------------------- */

static int32_t texture_material(work *w, uint32_t index) {
    const mst_posed_texture *texture = &w->shape->textures[index];
    const char *name = mst_scene_printf(w->builder, "texture %lu", (unsigned long)index);
    uint64_t count = (uint64_t)texture->width * texture->height;
    mst_material material = {.name = name, .color = {1, 1, 1, 1}, .image = -1, .double_sided = 1};
    uint8_t *pixels = texture->pixels ? mst_scene_take(w->builder, count, 4) : NULL;
    for (uint64_t i = 0; i < count && pixels; i++)
        mst_posed_color(texture, (size_t)i, pixels + 4 * i);
    if (pixels) {
        const mst_image image = {
            .name = name, .pixels = {.width = texture->width, .height = texture->height, .data = pixels}};
        material.image = mst_scene_add_image(w->builder, &image);
    }
    return mst_scene_add_material(w->builder, &material);
}

static int32_t plain_material(work *w, uint32_t index) {
    mst_material material = {.color = {0.5F, 0.5F, 0.5F, 1}, .image = -1, .double_sided = 1};
    material.name = mst_scene_printf(w->builder, "material %lu", (unsigned long)index);
    for (int c = 0; c < 3 && index < w->shape->material_count; c++) {
        float color = w->shape->colors[index][c];
        material.color[c] = mst_linear_of_srgb(color < 0 ? 0 : color > 1 ? 1 : color);
    }
    return mst_scene_add_material(w->builder, &material);
}

static int32_t material_of(work *w, const mst_posed_triangle *triangle) {
    bool textured = triangle->texture >= 0;
    uint32_t index = textured                 ? (uint32_t)triangle->texture
                     : triangle->material < 0 ? w->shape->material_count
                                              : (uint32_t)triangle->material;
    int32_t *known = textured ? &w->textured[index] : &w->plain[index];
    if (*known < 0)
        *known = textured ? texture_material(w, index) : plain_material(w, index);
    return *known;
}

/* ---- meshes -------------------------------------------------------------------------------------- */

/* The file's z is up, the scene's Y: both systems have their axes in another order, so the triangle turns. */
static void put_corner(const mst_posed_corner *corner, uint32_t at, float *positions, float *normals,
                       float *texcoords) {
    static const int from[3] = {0, 2, 1};
    for (int c = 0; c < 3; c++) {
        positions[3 * (size_t)at + (size_t)c] = corner->position[from[c]];
        normals[3 * (size_t)at + (size_t)c] = corner->normal[from[c]];
    }
    memcpy(texcoords + 2 * (size_t)at, corner->texture, 2 * sizeof *texcoords);
}

/* Triangles from `first` to `end`, of one object in one material. */
static mst_primitive primitive_of(work *w, uint32_t first, uint32_t end) {
    uint32_t count = 3 * (end - first);
    float *positions = mst_scene_take(w->builder, count, 3 * sizeof *positions),
          *normals = mst_scene_take(w->builder, count, 3 * sizeof *normals),
          *texcoords = mst_scene_take(w->builder, count, 2 * sizeof *texcoords);
    uint32_t *indices = mst_scene_take(w->builder, count, sizeof *indices);
    if (!positions || !normals || !texcoords || !indices)
        return (mst_primitive){0};
    for (uint32_t i = 0; i < count; i++) {
        const mst_posed_triangle *triangle = &w->shape->triangles[first + i / 3];
        uint32_t corner = triangle->corners[w->reversed ? 2 - i % 3 : i % 3];
        put_corner(&w->shape->corners[corner], i, positions, normals, texcoords);
        indices[i] = i;
    }
    return (mst_primitive){.material = material_of(w, &w->shape->triangles[first]),
                           .vertex_count = count,
                           .index_count = count,
                           .positions = positions,
                           .normals = normals,
                           .texcoords = texcoords,
                           .indices = indices};
}

static bool is_alike(const mst_posed_triangle *a, const mst_posed_triangle *b) {
    return a->object == b->object && a->texture == b->texture &&
           (a->texture >= 0 || a->material == b->material);
}

/* Adds the object whose triangles begin at `first`; returns where those of the next one begin. */
static uint32_t add_object(work *w, uint32_t first) {
    const mst_posed_triangle *triangles = w->shape->triangles;
    uint32_t object = triangles[first].object, end = first, count = 0;
    for (; end < w->shape->triangle_count && triangles[end].object == object; end++)
        count += end == first || !is_alike(&triangles[end - 1], &triangles[end]);
    mst_primitive *primitives = mst_scene_take(w->builder, count, sizeof *primitives);
    for (uint32_t i = first, next, k = 0; i < end && primitives; i = next, k++) {
        for (next = i + 1; next < end && is_alike(&triangles[i], &triangles[next]);)
            next++;
        primitives[k] = primitive_of(w, i, next);
    }
    const char *name = mst_scene_text(w->builder, w->shape->names[object], strlen(w->shape->names[object]));
    const mst_mesh mesh = {name, primitives, count};
    int32_t index = mst_scene_add_node(w->builder, 0, name, MST_ROLE_GEOMETRY),
            added = mst_scene_add_mesh(w->builder, &mesh);
    mst_node *node = mst_scene_node(w->builder, index);
    if (node)
        node->mesh = added;
    return end;
}

/* Whether most triangles are clockwise in the scene, where their normals point to the viewer. */
static bool is_reversed(const mst_posed *shape) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < shape->triangle_count; i++) {
        const mst_posed_corner *a = &shape->corners[shape->triangles[i].corners[0]],
                               *b = &shape->corners[shape->triangles[i].corners[1]],
                               *c = &shape->corners[shape->triangles[i].corners[2]];
        float u[3], v[3], out = 0;
        for (int k = 0; k < 3; k++) {
            u[k] = b->position[k] - a->position[k];
            v[k] = c->position[k] - a->position[k];
        }
        for (int k = 0; k < 3; k++)
            out += (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) *
                   (a->normal[k] + b->normal[k] + c->normal[k]);
        sum += out > 0 ? 1 : -1;
    }
    return sum > 0; /* the scene's axes are in another order */
}

static mst_status read_shape(const mst_document *document, mst_arena *arena, mst_posed *shape,
                             mst_diagnostic *diagnostic) {
    mst_buffer file = {.allocator = document->allocator};
    mst_imagery imagery;
    mst_status status =
        mst_model_serialize(document->format, document->data, (size_t)document->size, &file, diagnostic);
    uint8_t *bytes = status == MST_OK ? mst_arena_take(arena, file.size, 1) : NULL;
    if (bytes)
        memcpy(bytes, file.data, file.size);
    const mst_file_view view = {.data = bytes, .size = file.size};
    if (status == MST_OK && !bytes)
        status = MST_NO_MEMORY;
    if (status == MST_OK)
        status = mst_imagery_open(&view, &imagery, diagnostic);
    if (status == MST_OK)
        status = mst_posed_read(&imagery, 0, arena, shape);
    mst_buffer_free(&file);
    return status;
}

mst_status mst_model_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    mst_posed shape = {0};
    mst_scene_start(&builder, options, document->size, (float)UNIT_METRES);
    mst_status status = read_shape(document, &builder.scratch, &shape, diagnostic);
    if (status == MST_UNSUPPORTED) {
        mst_scene_abandon(&builder);
        return mst_fail(diagnostic, status, "the model's body is not understood");
    }
    if (status != MST_OK)
        mst_scene_fail(&builder);
    work w = {.builder = &builder, .shape = &shape};
    w.textured = mst_scene_scratch(&builder, shape.texture_count, sizeof *w.textured);
    w.plain = mst_scene_scratch(&builder, (uint64_t)shape.material_count + 1, sizeof *w.plain);
    if (mst_scene_ok(&builder)) {
        memset(w.textured, 0xFF, shape.texture_count * sizeof *w.textured);
        memset(w.plain, 0xFF, (shape.material_count + (size_t)1) * sizeof *w.plain);
        w.reversed = is_reversed(&shape);
    }
    for (uint32_t i = 0; i < shape.triangle_count && mst_scene_ok(&builder);)
        i = add_object(&w, i);
    const mst_scene settings = {
        .format = document->format->information.id, .unit_metres = UNIT_METRES, .pictured = 1};
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
