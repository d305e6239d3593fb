/* SPDX-License-Identifier: MIT */
/*
 * glTF files that are to be edited and imported again: numbers of faces and vertices, and faces as fans of
 * triangles for programs that have polygons. Texture coordinates are the only vertex values that Blender
 * keeps bit for bit, copies to new faces and exports again; it drops attributes with custom names.
 */
#include "../core/diagnose.h"
#include "../scene/elements.h"
#include "../scene/geometry.h"
#include "../scene/surface.h"
#include "gltf_plan.h"
#include "polygons.h"

#define NUMBER_LIMIT 16777216u /* floats are exact for integers up to this */
#define FLAT         1e-4      /* of its area, that a face may lose when seen from one side */

/* Whether its triangles are elements of the level itself. */
static bool is_numbered(const mst_primitive *source) {
    return source->elements && source->source.path && (!source->source.file || !*source->source.file);
}

/* A vertex that triangles of several elements share gets the number 0. */
static mst_status number_vertices(mst_gltf_primitive *primitive, float *numbers) {
    const mst_primitive *source = primitive->source;
    const uint32_t count = source->indices ? source->index_count : primitive->vertex_count;
    for (uint32_t i = 0; i < count / 3 * 3; i++) {
        const uint32_t vertex = source->indices ? source->indices[i] : i, element = source->elements[i / 3];
        if (vertex >= primitive->vertex_count)
            continue;
        const uint32_t own = source->vertices ? source->vertices[vertex] : MST_NO_INDEX;
        if (element >= NUMBER_LIMIT - 1 || (own != MST_NO_INDEX && own >= NUMBER_LIMIT - 1))
            return MST_UNSUPPORTED;
        float *number = numbers + 2 * (size_t)vertex;
        const float said = (float)(element + 1);
        number[0] = number[0] == 0 || number[0] == said ? said : -1;
        number[1] = own == MST_NO_INDEX ? 0 : (float)(own + 1);
    }
    for (uint32_t i = 0; i < primitive->vertex_count; i++)
        if (numbers[2 * (size_t)i] < 0)
            numbers[2 * (size_t)i] = numbers[2 * (size_t)i + 1] = 0;
    return MST_OK;
}

static mst_status number(mst_gltf_plan *p, mst_gltf_primitive *primitive) {
    float *numbers = mst_arena_zero(&p->arena, primitive->vertex_count, 2 * sizeof *numbers);
    primitive->numbers = numbers;
    primitive->flags |= MST_GLTF_HAS_NUMBERS;
    return numbers ? number_vertices(primitive, numbers) : MST_NO_MEMORY;
}

/* ---- polygons ---- */

/* Vertices that represent the same level vertex are in one place. */
static bool number_places(const mst_gltf_primitive *primitive, uint32_t *places) {
    uint32_t next = NUMBER_LIMIT;
    for (uint32_t i = 0; i < primitive->source->vertex_count; i++) {
        const uint32_t own = primitive->numbers && i < primitive->vertex_count
                                 ? (uint32_t)primitive->numbers[2 * (size_t)i + 1]
                                 : 0;
        places[i] = own ? own : next++;
    }
    return next < UINT32_MAX;
}

static double area_of(const mst_primitive *source, const uint32_t *corners, uint32_t count) {
    double normal[3];
    mst_polygon_normal(source->positions, corners, count, normal);
    return sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
}

/* Whether a polygon has the area of its triangles; otherwise it is bent. */
static bool is_flat(const mst_primitive *source, const mst_polygon *polygon, const uint32_t *corners) {
    double whole = 0;
    for (uint32_t t = polygon->triangle; t < polygon->triangle_end; t++)
        whole += area_of(source, source->indices + 3 * (size_t)t, 3);
    return whole - area_of(source, corners, polygon->count) <= FLAT * whole;
}

/* Adds a triangle that begins at a different corner than the preceding one. */
static uint32_t add_alone(const uint32_t triangle[3], uint32_t *indices, uint32_t count) {
    const uint32_t turn = count && indices[count - 3] == triangle[0] ? 1 : 0;
    for (uint32_t k = 0; k < 3; k++)
        indices[count + k] = triangle[(k + turn) % 3];
    return count + 3;
}

/* The same for the fan of a polygon. */
static uint32_t add_fan(const uint32_t *corners, uint32_t corner_count, uint32_t *indices, uint32_t count) {
    const uint32_t turn = count && indices[count - 3] == corners[0] ? 1 : 0;
    for (uint32_t k = 1; k + 1 < corner_count; k++, count += 3) {
        indices[count] = corners[turn];
        indices[count + 1] = corners[(k + turn) % corner_count];
        indices[count + 2] = corners[(k + 1 + turn) % corner_count];
    }
    return count;
}

/* The same primitive with indices, if it has none. False: no memory. */
static bool give_indices(mst_gltf_plan *p, mst_gltf_primitive *primitive, mst_primitive *made) {
    *made = *primitive->source;
    primitive->source = made;
    if (made->indices)
        return true;
    uint32_t *indices = mst_arena_take(&p->arena, primitive->vertex_count, sizeof *indices);
    for (uint32_t i = 0; i < primitive->vertex_count && indices; i++)
        indices[i] = i;
    made->indices = indices;
    made->index_count = primitive->vertex_count;
    primitive->flags |= MST_GLTF_HAS_INDICES | (made->vertex_count > 65535 ? MST_GLTF_WIDE_INDICES : 0);
    return indices != NULL;
}

/* Orders the triangles of a primitive polygon by polygon. False: no memory. */
static bool make_fans(mst_gltf_plan *p, mst_gltf_primitive *primitive) {
    mst_primitive *made = mst_arena_take(&p->arena, 1, sizeof *made);
    if (!made || !give_indices(p, primitive, made))
        return false;
    const mst_primitive *source = primitive->source;
    uint32_t *places = mst_arena_take(&p->arena, source->vertex_count, sizeof *places),
             *indices = mst_arena_take(&p->arena, source->index_count, sizeof *indices), count = 0;
    mst_polygons found = {.list = {.count = 0}};
    bool done = places && indices && number_places(primitive, places) &&
                mst_polygons_find(source, places, true, &p->arena.allocator, &found);
    const mst_polygon *all = found.list.items;
    for (size_t i = 0; done && i < found.list.count; i++) {
        const uint32_t *corners = (const uint32_t *)found.corners.items + all[i].first;
        if (all[i].count > 3 && is_flat(source, &all[i], corners)) {
            count = add_fan(corners, all[i].count, indices, count);
            continue;
        }
        for (uint32_t t = all[i].triangle; t < all[i].triangle_end; t++)
            count = add_alone(source->indices + 3 * (size_t)t, indices, count);
    }
    mst_polygons_end(&found);
    if (!done)
        return false;
    made->indices = indices;
    made->index_count = primitive->index_count = count;
    primitive->flags |= MST_GLTF_AS_IS_INDICES;
    return true;
}

/* ---- surfaces ---- */

/* Programs export meshes that follow joints in another pose. */
static bool is_comparable(const mst_mesh *mesh) {
    for (size_t i = 0; i < mesh->primitive_count; i++)
        if (mesh->primitives[i].joints || mesh->primitives[i].target_count)
            return false;
    return mesh->primitive_count != 0;
}

static bool measure(mst_gltf_plan *p, const mst_mesh *mesh, const char **text) {
    mst_surface surface;
    mst_surface_part *parts = mst_arena_take(&p->arena, mesh->primitive_count, sizeof *parts);
    if (!parts)
        return false;
    for (size_t i = 0; i < mesh->primitive_count; i++) {
        const mst_primitive *from = &mesh->primitives[i];
        parts[i] = (mst_surface_part){from->positions, from->indices, from->vertex_count, from->index_count};
    }
    if (!mst_surface_measure(&p->arena.allocator, parts, mesh->primitive_count, &surface))
        return false;
    char *made = mst_arena_take(&p->arena, MST_SURFACE_TEXT, 1);
    if (made)
        mst_surface_text(&surface, made);
    *text = made;
    return made != NULL;
}

static bool measure_all(mst_gltf_plan *p) {
    p->surfaces = mst_arena_zero(&p->arena, p->meshes.count, sizeof *p->surfaces);
    for (size_t i = 0; p->surfaces && i < p->meshes.count; i++)
        if (p->meshes.index[i] >= 0 && is_comparable(&p->scene->meshes[i]) &&
            !measure(p, &p->scene->meshes[i], &p->surfaces[i]))
            return false;
    return p->surfaces != NULL;
}

mst_status mst_gltf_plan_editing(mst_gltf_plan *p, bool polygons, mst_diagnostic *diagnostic) {
    p->stands = mst_arena_zero(&p->arena, p->scene->node_count, sizeof *p->stands);
    if (!p->stands || !mst_scene_find_elements(p->scene, &p->arena.allocator, p->stands))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    for (size_t i = 0; i < p->primitive_count; i++) {
        mst_gltf_primitive *primitive = &p->primitives[i];
        const mst_status status = is_numbered(primitive->source) ? number(p, primitive) : MST_OK;
        if (status == MST_UNSUPPORTED)
            return mst_fail(diagnostic, MST_UNSUPPORTED,
                            "the level has too many faces or vertices for a file that can be imported again");
        if (status != MST_OK || (polygons && !make_fans(p, primitive)))
            return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    }
    return measure_all(p) ? MST_OK
                          : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
}
