/* SPDX-License-Identifier: MIT */
/*
 * Maps for Quake's editors, in Valve's format (220): brushes and entities as text. A brush is the space
 * bounded by all of its planes; each face of the level becomes one, a pyramid whose base is the face and
 * whose other sides, on its back, have the texture `skip` and are not drawn. Quake's x, y and z are our z, x
 * and y, in inches.
 */
#include "../core/number.h"
#include "exporting.h"
#include "placed.h"
#include "polygons.h"
#include "quake_brush.h"
#include "quake_entities.h"

typedef struct quake {
    mst_export_state *e;
    mst_arena arena; /* of a primitive */
    mst_hash_map layers;
    uint64_t left_out; /* faces without an area */
} quake;

/* ---- textures ---------------------------------------------------------------------------------------- */

/* The texture name of a material, and its size: this many texels are one repeat. */
static const char *texture_of_material(const mst_export_state *e, int32_t index, double size[2]) {
    const mst_gltf_plan *p = &e->plan;
    size[0] = size[1] = 128;
    if (!within(index, p->materials.count) || p->materials.index[index] < 0)
        return "none";
    const mst_material *material = &p->scene->materials[index];
    const int32_t written = texture_of(p, material, MST_GLTF_BASE_COLOR);
    if (within(material->image, e->scene->image_count)) {
        const mst_image *image = &e->scene->images[material->image];
        if (!image->placeholder && image->pixels.width && image->pixels.height) {
            size[0] = image->pixels.width;
            size[1] = image->pixels.height;
        }
    }
    return written >= 0 ? p->images.names[written] : p->materials.names[index];
}

/* ---- brushes ----------------------------------------------------------------------------------------- */

typedef struct face_source {
    const mst_primitive *source;
    const mst_placed *placed;
    const char *texture;
    double size[2];
} face_source;

/* Writes a brush of these corners; false if they are not flat, not convex, or have no area. */
static bool write_brush(quake *q, const face_source *from, const uint32_t *corners, uint32_t count) {
    mst_brush_corner *all = mst_arena_take(&q->arena, count, sizeof *all);
    if (!all)
        return true; /* the arena records the failure */
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t vertex = corners[from->placed->mirrored ? count - 1 - i : i];
        const float *position = from->placed->positions + 3 * (size_t)vertex,
                    *texcoord = from->source->texcoords ? from->source->texcoords + 2 * (size_t)vertex : NULL;
        for (int k = 0; k < 3; k++)
            all[i].position[k] = (double)position[(k + 2) % 3] * MST_QUAKE_INCHES;
        for (int k = 0; k < 2; k++)
            all[i].texel[k] = texcoord ? (double)finite_or(texcoord[k], 0) * from->size[k] : 0;
    }
    return mst_quake_brush(&q->e->out, all, count, from->texture, from->size);
}

static void write_face(quake *q, const face_source *from, const uint32_t *corners,
                       const mst_polygon *polygon) {
    if (write_brush(q, from, corners + polygon->first, polygon->count))
        return;
    if (polygon->count == 3) {
        q->left_out++;
        return;
    }
    for (uint32_t t = polygon->triangle; t < polygon->triangle_end; t++) {
        const uint32_t own[3] = {3 * t, 3 * t + 1, 3 * t + 2},
                       *three = from->source->indices ? from->source->indices + 3 * (size_t)t : own;
        q->left_out += !write_brush(q, from, three, 3);
    }
}

static bool write_primitive(quake *q, size_t node, const mst_gltf_primitive *primitive) {
    const mst_primitive *source = primitive->source;
    mst_hash_map map = {.allocator = q->e->plan.arena.allocator};
    mst_placed placed;
    mst_polygons found = {.list = {.count = 0}};
    uint32_t *places = mst_arena_zero(&q->arena, source->vertex_count, sizeof *places);
    bool done = places && mst_place_primitive(&q->e->plan, q->e->worlds, node, primitive, &q->arena, &placed);
    for (size_t v = 0; done && v < source->vertex_count; v++)
        done = mst_place_number(&map, placed.positions + 3 * v, 3, &places[v]);
    mst_hash_map_end(&map);
    if (!done)
        return false;
    done = mst_polygons_find(source, places, true, &q->e->plan.arena.allocator, &found);
    face_source from = {.source = source, .placed = &placed};
    from.texture = texture_of_material(q->e, source->material, from.size);
    const mst_polygon *all = found.list.items;
    for (size_t i = 0; done && i < found.list.count; i++)
        write_face(q, &from, found.corners.items, &all[i]);
    mst_polygons_end(&found);
    done = done && !q->arena.starved;
    mst_arena_end(&q->arena);
    return done;
}

/* ---- layers ------------------------------------------------------------------------------------------ */

static bool is_entity(const mst_node *node) {
    return node->class_name && *node->class_name;
}

/* Whether a node is geometry of the level, not of an entity. */
static bool is_level(const mst_scene *scene, size_t node) {
    int32_t at = (int32_t)node;
    while (at >= 0 && !is_entity(&scene->nodes[at]))
        at = within(scene->nodes[at].parent, (size_t)at) ? scene->nodes[at].parent : -1;
    return at < 0;
}

/* The number of a node's layer, from 1; 0 if it has none. */
static uint32_t layer_of(const quake *q, const mst_node *node) {
    const uint32_t *found =
        node->layer && *node->layer ? mst_hash_map_find(&q->layers, mst_key_text(node->layer)) : NULL;
    return found ? *found : 0;
}

static bool find_layers(quake *q) {
    const mst_scene *scene = q->e->plan.scene;
    q->layers.allocator = q->e->plan.arena.allocator;
    for (size_t n = 0; n < scene->node_count; n++) {
        const char *layer = scene->nodes[n].layer;
        if (q->e->plan.nodes.index[n] < 0 || !layer || !*layer)
            continue;
        mst_hash_map_entry key = mst_key_text(layer);
        key.value = (uint32_t)q->layers.count + 1;
        if (!mst_hash_map_add(&q->layers, key))
            return false;
    }
    return true;
}

static bool write_brushes(quake *q, uint32_t layer) {
    const mst_scene *scene = q->e->plan.scene;
    bool done = true;
    for (size_t n = 0; done && n < scene->node_count; n++) {
        size_t first;
        const size_t end = mst_placed_primitives(&q->e->plan, n, &first);
        if (first >= end || layer_of(q, &scene->nodes[n]) != layer || !is_level(scene, n))
            continue;
        for (size_t i = first; done && i < end; i++)
            done = write_primitive(q, n, &q->e->plan.primitives[i]);
    }
    return done;
}

/* TrenchBroom's layers are entities that contain the brushes on them. */
static bool write_layer(quake *q, uint32_t layer) {
    mst_output *out = &q->e->out;
    mst_output_text(out, "{\n");
    if (layer) {
        mst_quake_key(out, "classname", "func_group");
        mst_quake_key(out, "_tb_type", "_tb_layer");
        mst_quake_key(out, "_tb_name", q->layers.entries[layer - 1].key.bytes);
        mst_quake_number(out, "_tb_id", layer);
    } else {
        mst_quake_key(out, "classname", "worldspawn");
        mst_quake_key(out, "mapversion", "220");
        mst_quake_key(out, "message", q->e->plan.scene->name ? q->e->plan.scene->name : "");
    }
    const bool done = write_brushes(q, layer);
    mst_output_text(out, "}\n");
    return done;
}

mst_status mst_write_quake_map(mst_export_state *e) {
    quake q = {.e = e};
    mst_arena_begin(&q.arena, &e->plan.arena.allocator, 0);
    mst_output_text(&e->out, "// Game: Generic\n// Format: Valve\n");
    bool done = find_layers(&q);
    for (uint32_t layer = 0; done && layer <= q.layers.count; layer++)
        done = write_layer(&q, layer);
    for (size_t n = 0; done && n < e->plan.scene->node_count; n++) {
        const mst_node *node = &e->plan.scene->nodes[n];
        if (e->plan.nodes.index[n] >= 0 && is_entity(node))
            mst_quake_entity(&e->out, node, e->worlds + 16 * n, layer_of(&q, node));
    }
    if (q.left_out) {
        mst_output_text(&e->out, "// faces without an area, left out: ");
        char *place = mst_output_reserve(&e->out, MST_NUMBER_MAX);
        mst_output_advance(&e->out, mst_write_u64(place, q.left_out));
        mst_output_text(&e->out, "\n");
    }
    mst_hash_map_end(&q.layers);
    mst_arena_end(&q.arena);
    return done ? e->out.status : MST_NO_MEMORY;
}
