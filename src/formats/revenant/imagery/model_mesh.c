/* SPDX-License-Identifier: MIT */
#include "model_mesh.h"
#include "../../../scene/geometry.h"
#include <string.h>

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

void mst_model_mesher_begin(mst_model_mesher *mesher, mst_scene_builder *builder, const mst_posed *shape,
                            const char *file) {
    *mesher = (mst_model_mesher){.builder = builder, .shape = shape, .file = file};
    size_t plain = shape->material_count + (size_t)1;
    mesher->textured = mst_scene_scratch(builder, shape->texture_count, sizeof *mesher->textured);
    mesher->plain = mst_scene_scratch(builder, plain, sizeof *mesher->plain);
    mesher->own = mst_scene_scratch(builder, shape->corner_count, sizeof *mesher->own);
    mesher->vertices = mst_scene_scratch(builder, shape->corner_count, sizeof *mesher->vertices);
    if (!mst_scene_ok(builder))
        return;
    memset(mesher->vertices, 0, shape->corner_count * sizeof *mesher->vertices);
    memset(mesher->textured, 0xFF, shape->texture_count * sizeof *mesher->textured);
    memset(mesher->plain, 0xFF, plain * sizeof *mesher->plain);
    mesher->reversed = is_reversed(shape);
}

/* ---- materials ----------------------------------------------------------------------------------- */

static const char *name_of(mst_model_mesher *m, const char *kind, uint32_t index) {
    return mst_scene_printf(m->builder, "%s%s%s %lu", m->file, *m->file ? " " : "", kind,
                            (unsigned long)index);
}

static int32_t texture_material(mst_model_mesher *m, uint32_t index) {
    const mst_posed_texture *texture = &m->shape->textures[index];
    const char *name = name_of(m, "texture", index);
    uint64_t count = (uint64_t)texture->width * texture->height;
    mst_material material = {.name = name, .color = {1, 1, 1, 1}, .image = -1, .double_sided = 1};
    uint8_t *pixels = texture->pixels && !m->untextured ? mst_scene_take(m->builder, count, 4) : NULL;
    for (uint64_t i = 0; i < count && pixels; i++)
        mst_posed_color(texture, (size_t)i, pixels + 4 * i);
    if (pixels) {
        const mst_image image = {
            .name = name, .pixels = {.width = texture->width, .height = texture->height, .data = pixels}};
        material.image = mst_scene_add_image(m->builder, &image);
        material.alpha_mode = texture->alpha == MST_POSED_BLENDS  ? MST_ALPHA_BLEND
                              : texture->alpha == MST_POSED_HOLES ? MST_ALPHA_MASK
                                                                  : MST_ALPHA_OPAQUE;
        material.alpha_cutoff = 0.5F;
    }
    return mst_scene_add_material(m->builder, &material);
}

static int32_t plain_material(mst_model_mesher *m, uint32_t index) {
    mst_material material = {.color = {0.5F, 0.5F, 0.5F, 1}, .image = -1, .double_sided = 1};
    material.name = name_of(m, "material", index);
    for (int c = 0; c < 3 && index < m->shape->material_count; c++) {
        float color = m->shape->colors[index][c];
        material.color[c] = mst_linear_of_srgb(color < 0 ? 0 : color > 1 ? 1 : color);
    }
    return mst_scene_add_material(m->builder, &material);
}

static int32_t material_of(mst_model_mesher *m, const mst_posed_triangle *triangle) {
    bool textured = triangle->texture >= 0;
    uint32_t index = textured                 ? (uint32_t)triangle->texture
                     : triangle->material < 0 ? m->shape->material_count
                                              : (uint32_t)triangle->material;
    int32_t *known = textured ? &m->textured[index] : &m->plain[index];
    if (*known < 0)
        *known = textured ? texture_material(m, index) : plain_material(m, index);
    return *known;
}

/* ---- meshes -------------------------------------------------------------------------------------- */

/* The file's z is up, the scene's Y: the exchange of axes reverses the triangle. */
static void put_axes(const float from[3], float to[3]) {
    to[0] = from[0];
    to[1] = from[2];
    to[2] = from[1];
}

/* The number of a corner in the current primitive, to which it is added if missing. */
static uint32_t vertex_of(mst_model_mesher *m, uint32_t corner, uint32_t *count) {
    uint32_t vertex = m->vertices[corner];
    if (vertex < *count && m->own[vertex] == corner)
        return vertex;
    m->own[*count] = corner;
    m->vertices[corner] = *count;
    return (*count)++;
}

/* Adds the displacements of the current primitive's corners and normals in each shape. */
static void add_targets(mst_model_mesher *m, mst_primitive *to) {
    uint64_t count = (uint64_t)m->morph->count * to->vertex_count;
    float *moves = mst_scene_take(m->builder, count, 3 * sizeof *moves),
          *turns = mst_scene_take(m->builder, count, 3 * sizeof *turns);
    for (uint64_t i = 0; i < count && moves && turns; i++) {
        uint32_t corner = m->own[i % to->vertex_count];
        const mst_posed_corner *from = &m->shape->corners[corner],
                               *at = m->morph->corners +
                                     (size_t)(i / to->vertex_count) * m->shape->corner_count + corner;
        float move[3], turn[3];
        for (int c = 0; c < 3; c++) {
            move[c] = at->position[c] - from->position[c];
            turn[c] = at->normal[c] - from->normal[c];
        }
        put_axes(move, moves + 3 * i);
        put_axes(turn, turns + 3 * i);
    }
    to->targets = moves;
    to->target_normals = turns;
    to->target_count = moves && turns ? m->morph->count : 0;
}

/* Triangles from `first` up to `end`, in one material. */
static mst_primitive primitive_of(mst_model_mesher *m, uint32_t first, uint32_t end) {
    uint32_t index_count = 3 * (end - first), count = 0;
    uint32_t *indices = mst_scene_take(m->builder, index_count, sizeof *indices);
    for (uint32_t i = 0; i < index_count && indices; i++) {
        const mst_posed_triangle *triangle = &m->shape->triangles[first + i / 3];
        indices[i] = vertex_of(m, triangle->corners[m->reversed ? 2 - i % 3 : i % 3], &count);
    }
    float *positions = mst_scene_take(m->builder, count, 3 * sizeof *positions),
          *normals = mst_scene_take(m->builder, count, 3 * sizeof *normals),
          *texcoords = mst_scene_take(m->builder, count, 2 * sizeof *texcoords);
    if (!positions || !normals || !texcoords || !indices)
        return (mst_primitive){0};
    for (size_t i = 0; i < count; i++) {
        const mst_posed_corner *corner = &m->shape->corners[m->own[i]];
        put_axes(corner->position, positions + 3 * i);
        put_axes(corner->normal, normals + 3 * i);
        memcpy(texcoords + 2 * i, corner->texture, 2 * sizeof *texcoords);
    }
    mst_primitive made = {.material = material_of(m, &m->shape->triangles[first]),
                          .vertex_count = count,
                          .index_count = index_count,
                          .positions = positions,
                          .normals = normals,
                          .texcoords = texcoords,
                          .indices = indices};
    if (m->morph && m->morph->count)
        add_targets(m, &made);
    return made;
}

static bool is_alike(const mst_posed_triangle *a, const mst_posed_triangle *b) {
    return a->texture == b->texture && (a->texture >= 0 || a->material == b->material);
}

int32_t mst_model_mesh(mst_model_mesher *m, const char *name, uint32_t first, uint32_t end) {
    const mst_posed_triangle *triangles = m->shape->triangles;
    uint32_t count = 0;
    for (uint32_t i = first; i < end; i++)
        count += i == first || !is_alike(&triangles[i - 1], &triangles[i]);
    mst_primitive *primitives = count ? mst_scene_take(m->builder, count, sizeof *primitives) : NULL;
    for (uint32_t i = first, next, k = 0; i < end && primitives; i = next, k++) {
        for (next = i + 1; next < end && is_alike(&triangles[i], &triangles[next]);)
            next++;
        primitives[k] = primitive_of(m, i, next);
    }
    return primitives ? mst_scene_add_mesh(m->builder, &(mst_mesh){name, primitives, count}) : -1;
}
