/* SPDX-License-Identifier: MIT */
/*
 * Wavefront OBJ: geometry in world coordinates, as polygons. A level has as many nodes as it has materials
 * for each of its groups; here they are one object, which uses several materials and shares its vertices.
 */
#include "../scene/geometry.h"
#include "exporting.h"
#include "gltf_json.h"
#include "placed.h"
#include "polygons.h"

/* Lines of vertices: positions, texture coordinates, normals. */
#define KINDS 3
static const char *const words[KINDS] = {"v", "vt", "vn"};
static const size_t widths[KINDS] = {3, 2, 3};

typedef struct obj {
    mst_export_state *e;
    size_t object; /* the node that names it, + 1; 0: none yet */
    int32_t material;
    const char *group;
    mst_arena arena;          /* of the object */
    mst_hash_map maps[KINDS]; /* numbers of its lines */
    uint64_t before[KINDS];   /* number of lines before it */
} obj;

static void put(obj *o, const char *text) {
    mst_output_text(&o->e->out, text);
}

static void put_line(obj *o, const char *word, const char *name) {
    put(o, word);
    put(o, " ");
    put(o, name);
    put(o, "\n");
}

/* ---- objects ----------------------------------------------------------------------------------------- */

/* The node that names an object: the group, if the level's own vertices are divided by material. */
static size_t head_of(const mst_scene *scene, size_t node) {
    const mst_node *n = &scene->nodes[node];
    const mst_mesh *mesh = &scene->meshes[n->mesh];
    const bool divided = mesh->primitive_count == 1 && mesh->primitives->vertices && within(n->parent, node);
    return divided && scene->nodes[n->parent].mesh < 0 ? (size_t)n->parent : node;
}

static void end_object(obj *o) {
    for (int k = 0; k < KINDS; k++) {
        o->before[k] += o->maps[k].count;
        mst_hash_map_end(&o->maps[k]);
    }
    mst_arena_end(&o->arena);
}

static void begin_object(obj *o, size_t node) {
    const size_t head = head_of(o->e->plan.scene, node);
    if (o->object == head + 1)
        return;
    end_object(o);
    o->object = head + 1;
    o->group = NULL;
    o->material = -2;
    put_line(o, "o", o->e->plan.nodes.names[head]);
}

/* The layer or group that a node belongs to; without one, an entity's class. */
static bool choose_group(obj *o, const mst_node *node) {
    const char *name = node->layer && *node->layer ? node->layer : node->class_name;
    const char *safe = mst_gltf_safe_name(&o->e->plan, name, "level");
    if (!safe)
        return false;
    if (!o->group || strcmp(o->group, safe) != 0)
        put_line(o, "g", safe);
    o->group = safe;
    return true;
}

static void choose_material(obj *o, int32_t material) {
    const mst_gltf_selection *all = &o->e->plan.materials;
    if (material == o->material)
        return;
    o->material = material;
    put_line(o, "usemtl",
             within(material, all->count) && all->index[material] >= 0 ? all->names[material] : "none");
}

/* ---- geometry ---------------------------------------------------------------------------------------- */

/* Which vertices the triangles use. */
static uint8_t *find_used(obj *o, const mst_primitive *source) {
    uint8_t *used = mst_arena_zero(&o->arena, source->vertex_count, 1);
    const uint32_t count = source->indices ? source->index_count : source->vertex_count;
    for (uint32_t i = 0; used && i < count / 3 * 3; i += 3) {
        const uint32_t own[3] = {i, i + 1, i + 2};
        const uint32_t *triangle = source->indices ? source->indices + i : own;
        for (int k = 0; k < 3 && triangle_fits(triangle, source->vertex_count); k++)
            used[triangle[k]] = 1;
    }
    return used;
}

/* Numbers the values of one kind, and writes those that are new to the object. */
static uint32_t *write_values(obj *o, int kind, const float *values, uint32_t count, const uint8_t *used) {
    uint32_t *numbers = mst_arena_zero(&o->arena, count, sizeof *numbers);
    mst_hash_map *map = &o->maps[kind];
    for (uint32_t v = 0; numbers && v < count; v++) {
        const float *value = values + v * widths[kind];
        const size_t known = map->count;
        if (!used[v])
            continue;
        if (!mst_place_number(map, value, widths[kind], &numbers[v]))
            return NULL;
        if (map->count == known)
            continue;
        put(o, words[kind]);
        for (size_t k = 0; k < widths[kind]; k++) {
            put(o, " ");
            mst_gltf_float(&o->e->out, value[k]);
        }
        put(o, "\n");
    }
    return numbers;
}

static void write_corner(obj *o, uint32_t *const numbers[KINDS], uint32_t vertex) {
    for (int k = 0; k < KINDS; k++) {
        if (k == 1 && !numbers[1] && !numbers[2])
            return;
        if (k == 2 && !numbers[2])
            return;
        put(o, k ? "/" : " ");
        if (numbers[k])
            mst_gltf_number(&o->e->out, o->before[k] + numbers[k][vertex] + 1);
    }
}

static void write_polygons(obj *o, const mst_polygons *found, uint32_t *const numbers[KINDS], bool mirrored) {
    const mst_polygon *all = found->list.items;
    for (size_t i = 0; i < found->list.count; i++) {
        const uint32_t *corners = (const uint32_t *)found->corners.items + all[i].first;
        put(o, "f");
        for (uint32_t k = 0; k < all[i].count; k++)
            write_corner(o, numbers, corners[mirrored ? all[i].count - 1 - k : k]);
        put(o, "\n");
    }
}

static bool write_primitive(obj *o, size_t node, const mst_gltf_primitive *primitive) {
    const mst_primitive *source = primitive->source;
    mst_placed placed;
    mst_polygons found;
    uint32_t *numbers[KINDS] = {NULL, NULL, NULL};
    uint8_t *used = find_used(o, source);
    if (!used || !mst_place_primitive(&o->e->plan, o->e->worlds, node, primitive, &o->arena, &placed))
        return false;
    const float *const values[KINDS] = {placed.positions, placed.texcoords, placed.normals};
    choose_material(o, source->material);
    for (int k = 0; k < KINDS; k++) {
        numbers[k] = values[k] ? write_values(o, k, values[k], source->vertex_count, used) : NULL;
        if (values[k] && !numbers[k])
            return false;
    }
    const bool done =
        mst_polygons_find(source, numbers[0], !o->e->how.triangles, &o->e->plan.arena.allocator, &found);
    if (done)
        write_polygons(o, &found, numbers, placed.mirrored);
    mst_polygons_end(&found);
    return done;
}

mst_status mst_write_obj(mst_export_state *e) {
    obj o = {.e = e};
    bool done = true;
    mst_arena_begin(&o.arena, &e->plan.arena.allocator, 0);
    for (int k = 0; k < KINDS; k++)
        o.maps[k].allocator = e->plan.arena.allocator;
    put(&o, e->how.own_units ? "# the level's own units and axes\n" : "# metres, Y up\n");
    if (e->how.materials)
        put_line(&o, "mtllib", e->how.materials);
    for (size_t n = 0; n < e->plan.scene->node_count && done; n++) {
        size_t first;
        const size_t end = mst_placed_primitives(&e->plan, n, &first);
        if (first < end)
            begin_object(&o, n);
        done = first >= end || choose_group(&o, &e->plan.scene->nodes[n]);
        for (size_t i = first; i < end && done; i++)
            done = write_primitive(&o, n, &e->plan.primitives[i]);
    }
    end_object(&o);
    return done ? e->out.status : MST_NO_MEMORY;
}

/* ---- materials --------------------------------------------------------------------------------------- */

/* The level's own name, in characters that neither end the line nor join it with the next. */
static void put_comment(mst_output *out, const char *name) {
    enum { LONGEST = 200 };
    mst_output_text(out, "\n# ");
    for (int i = 0; i < LONGEST && name[i]; i++)
        mst_output_bytes(out, name[i] >= ' ' && name[i] < 0x7F && name[i] != '\\' ? &name[i] : "_", 1);
    mst_output_text(out, "\n");
}

static void put_floats(mst_output *out, const char *word, const float *values, int count) {
    mst_output_text(out, word);
    for (int i = 0; i < count; i++) {
        mst_output_text(out, " ");
        mst_gltf_float(out, clamped(values[i], 0, 1));
    }
    mst_output_text(out, "\n");
}

static void put_image(mst_output *out, const mst_gltf_plan *p, const char *word, int32_t image) {
    if (image < 0)
        return;
    mst_output_text(out, word);
    mst_output_text(out, " ");
    mst_output_text(out, p->image_folder ? p->image_folder : "");
    mst_output_text(out, p->images.names[image]);
    mst_output_text(out, ".png\n");
}

void mst_write_obj_materials(mst_export_state *e, mst_output *out) {
    static const float solid = 1;
    const mst_gltf_plan *p = &e->plan;
    mst_output_text(out, "# materials, each after its name in the level\n");
    for (size_t i = 0; i < p->materials.count; i++) {
        const mst_material *material = &p->scene->materials[i];
        if (p->materials.index[i] < 0)
            continue;
        const int32_t image = texture_of(p, material, MST_GLTF_BASE_COLOR);
        put_comment(out, material->name ? material->name : "");
        mst_output_text(out, "newmtl ");
        mst_output_text(out, p->materials.names[i]);
        mst_output_text(out, "\n");
        put_floats(out, "Kd", material->color, 3);
        put_floats(out, "d", material->alpha_mode == MST_ALPHA_OPAQUE ? &solid : material->color + 3, 1);
        mst_output_text(out, material->unlit ? "illum 0\n" : "illum 1\n");
        put_image(out, p, "map_Kd", image);
        if (material->alpha_mode != MST_ALPHA_OPAQUE)
            put_image(out, p, "map_d", image);
        put_image(out, p, "map_Ke", texture_of(p, material, MST_GLTF_EMISSIVE));
        put_image(out, p, "norm", texture_of(p, material, MST_GLTF_NORMAL));
    }
}
