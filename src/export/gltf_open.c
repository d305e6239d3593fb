/* SPDX-License-Identifier: MIT */
/*
 * A scene that is open to a view from above: without parts higher than a plane, and without ceilings.
 * Geometry is cut at the plane; things (entities and their models) are left out if they are above it.
 * Unchanged parts are shared with the scene.
 */
#include "gltf_open.h"
#include "../core/output.h"
#include "../scene/geometry.h"
#include <math.h>

#define CEILING (-0.5) /* faces are ceilings if their normal points down at least this far */

typedef struct open_state {
    mst_arena *arena;
    double cut; /* INFINITY: none */
    bool ceilings;
} open_state;

/* Adds vertices and triangles of one primitive to another. */
typedef struct cutter {
    const mst_primitive *from;
    const float *matrix;
    mst_primitive to;
    float *positions, *normals, *texcoords, *colors;
    uint32_t *indices;
    uint32_t *places; /* of vertices that were taken, plus 1 */
} cutter;

static double height_of(const cutter *c, uint32_t vertex) {
    float world[3];
    mst_matrix_point(c->matrix, c->from->positions + 3 * (size_t)vertex, world);
    return (double)world[1];
}

static void corners_of(const mst_primitive *primitive, uint32_t triangle, uint32_t corners[3]) {
    for (uint32_t k = 0; k < 3; k++)
        corners[k] = primitive->indices ? primitive->indices[3 * triangle + k] : 3 * triangle + k;
}

static uint32_t triangle_count(const mst_primitive *primitive) {
    return !primitive->positions
               ? 0
               : (primitive->indices ? primitive->index_count : primitive->vertex_count) / 3;
}

static bool is_there(const mst_primitive *primitive, const uint32_t corners[3]) {
    return corners[0] < primitive->vertex_count && corners[1] < primitive->vertex_count &&
           corners[2] < primitive->vertex_count;
}

/* The upward component of the triangle's normal, -1..1, as seen in the world. */
static double upward(const cutter *c, const uint32_t corners[3]) {
    float p[3][3];
    double a[3], b[3], n[3], volume = 0;
    const float *m = c->matrix;
    for (int k = 0; k < 3; k++)
        mst_matrix_point(m, c->from->positions + 3 * (size_t)corners[k], p[k]);
    for (int i = 0; i < 3; i++) {
        a[i] = (double)p[1][i] - (double)p[0][i];
        b[i] = (double)p[2][i] - (double)p[0][i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = a[j] * b[k] - a[k] * b[j];
        volume += (double)m[i] * ((double)m[4 + j] * (double)m[8 + k] - (double)m[4 + k] * (double)m[8 + j]);
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return length > 0 ? n[1] / length * (volume < 0 ? -1 : 1) : 0;
}

enum { KEPT, CUT, GONE };

static int fate_of(const open_state *o, const cutter *c, const uint32_t corners[3]) {
    int above = 0;
    for (int k = 0; k < 3; k++)
        above += height_of(c, corners[k]) > o->cut;
    if (above == 3 || (o->ceilings && upward(c, corners) < CEILING))
        return GONE;
    return above ? CUT : KEPT;
}

/* ---- cutting -------------------------------------------------------------------------------------- */

static void put(float *to, const float *from, uint32_t at, uint32_t a, uint32_t b, float share,
                unsigned width) {
    for (unsigned k = 0; to && k < width; k++) {
        float first = from[(size_t)a * width + k], second = from[(size_t)b * width + k];
        to[(size_t)at * width + k] = a == b ? first : first + (second - first) * share;
    }
}

/* The vertex between two; a twice: `a` itself. */
static uint32_t put_vertex(cutter *c, uint32_t a, uint32_t b, float share) {
    uint32_t at = c->to.vertex_count++;
    put(c->positions, c->from->positions, at, a, b, share, 3);
    put(c->normals, c->from->normals, at, a, b, share, 3);
    put(c->texcoords, c->from->texcoords, at, a, b, share, 2);
    put(c->colors, c->from->colors, at, a, b, share, 4);
    return at;
}

static uint32_t take_vertex(cutter *c, uint32_t vertex) {
    if (!c->places[vertex])
        c->places[vertex] = put_vertex(c, vertex, vertex, 0) + 1;
    return c->places[vertex] - 1;
}

/* The part of the triangle below the plane: three or four corners. */
static void cut_triangle(const open_state *o, cutter *c, const uint32_t corners[3]) {
    uint32_t outline[4], count = 0;
    for (unsigned k = 0; k < 3; k++) {
        uint32_t a = corners[k], b = corners[(k + 1) % 3];
        double low = height_of(c, a) - o->cut, high = height_of(c, b) - o->cut;
        if (low <= 0)
            outline[count++] = take_vertex(c, a);
        if ((low <= 0) != (high <= 0))
            outline[count++] = put_vertex(c, a, b, (float)(low / (low - high)));
    }
    for (uint32_t k = 2; k < count; k++) {
        uint32_t *triangle = c->indices + c->to.index_count;
        triangle[0] = outline[0];
        triangle[1] = outline[k - 1];
        triangle[2] = outline[k];
        c->to.index_count += 3;
    }
}

static bool take_memory(const open_state *o, cutter *c, uint64_t vertices, uint64_t triangles) {
    const mst_primitive *from = c->from;
    if (vertices > UINT32_MAX || triangles > UINT32_MAX / 3)
        return false;
    c->positions = mst_arena_take(o->arena, (size_t)vertices, 3 * sizeof(float));
    c->indices = mst_arena_take(o->arena, (size_t)triangles, 3 * sizeof(uint32_t));
    c->places = mst_arena_zero(o->arena, from->vertex_count, sizeof(uint32_t));
    c->normals = from->normals ? mst_arena_take(o->arena, (size_t)vertices, 3 * sizeof(float)) : NULL;
    c->texcoords = from->texcoords ? mst_arena_take(o->arena, (size_t)vertices, 2 * sizeof(float)) : NULL;
    c->colors = from->colors ? mst_arena_take(o->arena, (size_t)vertices, 4 * sizeof(float)) : NULL;
    c->to = (mst_primitive){.material = from->material,
                            .positions = c->positions,
                            .normals = c->normals,
                            .texcoords = c->texcoords,
                            .colors = c->colors,
                            .indices = c->indices};
    return c->positions && c->indices && c->places && !c->normals == !from->normals &&
           !c->texcoords == !from->texcoords && !c->colors == !from->colors;
}

/* The remaining part of a primitive. `*changed`: it differs. False: no memory. */
static bool open_primitive(const open_state *o, const mst_primitive *from, const float matrix[16],
                           mst_primitive *to, bool *changed) {
    cutter c = {.from = from, .matrix = matrix};
    uint32_t corners[3];
    uint64_t kept = 0, cut = 0, all = triangle_count(from), gone = 0;
    *to = *from;
    for (uint32_t i = 0; i < all; i++) {
        corners_of(from, i, corners);
        int fate = is_there(from, corners) ? fate_of(o, &c, corners) : KEPT;
        kept += fate == KEPT;
        cut += fate == CUT;
        gone += fate == GONE;
    }
    if (!cut && !gone)
        return true;
    *changed = true;
    if (!take_memory(o, &c, from->vertex_count + 2 * cut, kept + 2 * cut))
        return false;
    for (uint32_t i = 0; i < all; i++) {
        corners_of(from, i, corners);
        int fate = is_there(from, corners) ? fate_of(o, &c, corners) : GONE;
        for (unsigned k = 0; k < 3 && fate == KEPT; k++)
            c.indices[c.to.index_count++] = take_vertex(&c, corners[k]);
        if (fate == CUT)
            cut_triangle(o, &c, corners);
    }
    *to = c.to;
    return true;
}

/* ---- nodes ---------------------------------------------------------------------------------------- */

/* Whether its shape depends on the time, as with a skin. */
static bool changes_shape(const mst_mesh *mesh) {
    bool any = false;
    for (size_t i = 0; i < mesh->primitive_count; i++)
        any = any || mesh->primitives[i].target_count > 0;
    return any;
}

/* Gives the node the remaining part of its mesh, as a new mesh unless nothing changes. False: no memory. */
static bool open_node(const open_state *o, mst_scene *scene, mst_node *node, const float matrix[16]) {
    mst_mesh *meshes = (mst_mesh *)(uintptr_t)scene->meshes;
    const mst_mesh *from = &meshes[node->mesh];
    bool thing = node->role == MST_ROLE_ENTITY || (node->class_name && *node->class_name) ||
                 node->role == MST_ROLE_CAMERA || node->role == MST_ROLE_LIGHT;
    if (thing || node->skin || changes_shape(from)) {
        node->mesh = thing && (double)matrix[13] > o->cut ? -1 : node->mesh;
        return true;
    }
    mst_primitive *primitives = mst_arena_take(o->arena, from->primitive_count, sizeof *primitives);
    bool changed = false, made = primitives != NULL;
    for (size_t k = 0; made && k < from->primitive_count; k++)
        made = open_primitive(o, &from->primitives[k], matrix, &primitives[k], &changed);
    if (!made || !changed)
        return made;
    meshes[scene->mesh_count] = *from;
    meshes[scene->mesh_count].primitives = primitives;
    node->mesh = (int32_t)scene->mesh_count++;
    return true;
}

const mst_scene *mst_gltf_open(const mst_scene *scene, const mst_gltf_options *options, mst_arena *arena) {
    if (!options || (options->ceiling_cut == 0 && !options->no_ceilings) || !scene->node_count)
        return scene;
    const open_state o = {.arena = arena,
                          .cut = options->ceiling_cut != 0 ? (double)options->ceiling_cut : (double)INFINITY,
                          .ceilings = options->no_ceilings != 0};
    mst_scene *copy = mst_arena_take(arena, 1, sizeof *copy);
    mst_node *nodes = mst_arena_take(arena, scene->node_count, sizeof *nodes);
    /* each node may get its own mesh */
    mst_mesh *meshes = mst_arena_take(arena, scene->mesh_count + scene->node_count, sizeof *meshes);
    float *matrices = mst_arena_take(arena, scene->node_count, 16 * sizeof *matrices);
    if (!copy || !nodes || !meshes || !matrices)
        return NULL;
    *copy = *scene;
    memcpy(nodes, scene->nodes, scene->node_count * sizeof *nodes);
    if (scene->mesh_count)
        memcpy(meshes, scene->meshes, scene->mesh_count * sizeof *meshes);
    copy->nodes = nodes;
    copy->meshes = meshes;
    mst_scene_world_matrices(scene, matrices);
    for (size_t i = 0; i < scene->node_count; i++)
        if (nodes[i].mesh >= 0 && (size_t)nodes[i].mesh < scene->mesh_count &&
            !open_node(&o, copy, &nodes[i], matrices + 16 * i))
            return NULL;
    return copy;
}
