/* SPDX-License-Identifier: MIT */
/* Makes the meshes of a block: the lists that each pass draws and their materials, and the nodes for them. */
#include "../../../scene/geometry.h"
#include "meshes.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define FLAG_HIDDEN UINT32_C(0x2)
#define NO_SHADER   MST_SFA_SHADERS_MAX
#define LISTS_MAX   255

/* ---- draws --------------------------------------------------------------------------------------- */

static unsigned first_shader(mst_sfa_scene_work *w, const mst_sfa_block *block,
                             mst_sfa_scene_textures *textures, unsigned shader, unsigned stream,
                             bool textured) {
    mst_sfa_stream_shaders *shaders = &w->stream_shaders;
    if (shaders->materials[shader][textured] >= 0)
        return shaders->same[shader][textured];
    /* hidden parts also get the material of the stream that would draw them */
    int32_t material = mst_sfa_scene_material(
        w, block, textures, shader == NO_SHADER ? (unsigned)block->shaders.all.count : shader, stream,
        textured);
    unsigned first = 0;
    while (first <= MST_SFA_SHADERS_MAX && shaders->materials[first][textured] != material)
        first++;
    if (!mst_scene_ok(w->build) || first > MST_SFA_SHADERS_MAX)
        first = shader;
    shaders->materials[shader][textured] = material;
    shaders->same[shader][textured] = (uint8_t)first;
    return first;
}

/* Collects the draws of the streams; a list that a stream draws twice in the same way counts once. */
static void find_draws(mst_sfa_scene_work *w, const mst_sfa_block *block, mst_sfa_scene_textures *textures) {
    mst_sfa_stream_shaders *shaders = &w->stream_shaders;
    w->draws.count = 0;
    for (unsigned stream = 0; stream < MST_SFA_STREAMS; stream++) {
        unsigned shader = NO_SHADER;
        memset(shaders, 0, sizeof *shaders);
        memset(shaders->materials, 0xFF, sizeof shaders->materials);
        for (mst_sfa_ops it = mst_sfa_stream_ops(block, stream);
             mst_scene_ok(w->build) && mst_sfa_next_op(&it);) {
            unsigned list = it.operand;
            if (it.op == MST_SFA_OP_SHADER)
                shader = it.operand < block->shaders.all.count && it.operand < MST_SFA_SHADERS_MAX
                             ? it.operand
                             : NO_SHADER;
            if (it.op != MST_SFA_OP_LIST || list >= block->list_count)
                continue;
            uint32_t flags = shader == NO_SHADER ? 0 : mst_column_u32(&block->shaders.flags, shader, 0);
            bool water = (flags & MST_SFA_SHADER_WATER) != 0; /* has no texture */
            bool textured = !water && mst_sfa_list_commands(block, list).texcoord_count > 0;
            unsigned like = first_shader(w, block, textures, shader, stream, textured);
            if (!mst_scene_ok(w->build) || shaders->seen[like][list / 8] >> (list & 7) & 1)
                continue;
            shaders->seen[like][list / 8] = (uint8_t)(shaders->seen[like][list / 8] | 1u << (list & 7));
            mst_sfa_draw *added = mst_scene_push(w->build, &w->draws, 1);
            if (!added)
                return;
            *added = (mst_sfa_draw){.list = (uint8_t)list,
                                    .pass = (uint8_t)(flags & FLAG_HIDDEN ? MST_SFA_PASS_HIDDEN : stream),
                                    .water = water,
                                    .textured = textured,
                                    .leads = !shaders->begun[like][textured],
                                    .material = shaders->materials[shader][textured]};
            shaders->begun[like][textured] = true;
        }
    }
}

/* ---- blocks inside out ----------------------------------------------------------------------------- */

/* Adds twice the areas that face up and down, as seen from above. */
static void add_areas(const mst_primitive *primitive, double up_down[2]) {
    double normal[3];
    for (uint32_t i = 0; i + 2 < primitive->index_count; i += 3) {
        mst_polygon_normal(primitive->positions, primitive->indices + i, 3, normal);
        up_down[normal[1] < 0] += fabs(normal[1]);
    }
}

/*
 * Shows both sides of a block nearly all of which faces down although its collision is walked on from above:
 * the game hides backs, so that nothing of it would be seen. The retail blocks at hand agree with their
 * collision; tools that take display lists for counter-clockwise write such blocks. A cave has as much floor
 * as ceiling. Blocks of equal shaders share the materials.
 */
static bool show_backs(mst_sfa_scene_work *w) {
    const mst_sfa_draw *draws = w->draws.items;
    mst_material *materials = w->build->materials.items;
    if (!(w->drawn[1] > 9 * w->drawn[0] && w->collision[0] > w->collision[1]) || !mst_scene_ok(w->build))
        return false;
    for (size_t i = 0; i < w->draws.count; i++)
        materials[draws[i].material].double_sided = true;
    return true;
}

/* ---- passes -------------------------------------------------------------------------------------- */

static mst_extras pass_extras(mst_sfa_scene_work *w, const mst_sfa_block *block, unsigned pass) {
    char lists[4 * LISTS_MAX + 1], sorts[4 * LISTS_MAX + 1]; /* numbers up to 255 and spaces */
    size_t length = 0, sort_length = 0;
    unsigned reported = 0;
    const mst_sfa_draw *draws = w->draws.items;
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->build);
    mst_extras_text(&extras, "pass", mst_sfa_pass_names[pass], strlen(mst_sfa_pass_names[pass]));
    for (size_t i = 0; i < w->draws.count; i++) {
        if (draws[i].pass != pass || reported == LISTS_MAX)
            continue;
        reported++;
        mst_sfa_list list = mst_sfa_block_list(block, draws[i].list);
        mst_column sort = mst_column_among(&list.record, &mst_sfa_list_record, "sort_layer");
        length +=
            (size_t)snprintf(lists + length, sizeof lists - length, "%s%u", length ? " " : "", draws[i].list);
        sort_length += (size_t)snprintf(sorts + sort_length, sizeof sorts - sort_length, "%s%u",
                                        sort_length ? " " : "", mst_column_u8(&sort, 0, 0));
    }
    mst_extras_text(&extras, "lists", lists, length);
    mst_extras_text(&extras, "sort_layers", sorts, sort_length);
    return mst_extras_end(&extras);
}

static const char *mesh_name(mst_sfa_scene_work *w, const mst_sfa_scene_block *made, const char *part) {
    return mst_scene_printf(w->build, "%s_%s", made->name, part);
}

static void make_pass(mst_sfa_scene_work *w, const mst_sfa_block *block, unsigned pass,
                      mst_sfa_scene_block *made, uint64_t *dropped) {
    const mst_sfa_draw *draws = w->draws.items;
    size_t kinds = 0, count = 0;
    for (size_t i = 0; i < w->draws.count; i++)
        kinds += draws[i].pass == pass && draws[i].leads;
    if (!kinds)
        return;
    mst_primitive *primitives = mst_scene_take(w->build, kinds, sizeof *primitives);
    if (!primitives)
        return;
    for (size_t i = 0; mst_scene_ok(w->build) && i < w->draws.count; i++)
        if (draws[i].pass == pass && draws[i].leads &&
            mst_sfa_scene_make_drawn(w, block, i, &primitives[count], dropped))
            add_areas(&primitives[count++], w->drawn);
    if (!mst_scene_ok(w->build) || !count)
        return;
    mst_mesh mesh = {.name = mesh_name(w, made, mst_sfa_pass_names[pass]),
                     .primitives = primitives,
                     .primitive_count = count};
    made->meshes[pass] = mst_scene_add_mesh(w->build, &mesh);
    made->extras[pass] = pass_extras(w, block, pass);
}

/* ---- collision ----------------------------------------------------------------------------------- */

static void make_collision(mst_sfa_scene_work *w, const mst_sfa_block *block, mst_sfa_scene_block *made,
                           uint64_t *dropped) {
    uint32_t polygons[256];
    size_t kinds = mst_sfa_scene_count_surfaces(block, polygons);
    mst_sfa_scene_surface *surfaces = mst_scene_take(w->build, kinds, sizeof *surfaces);
    mst_primitive *primitives = mst_scene_take(w->build, kinds, sizeof *primitives);
    if (!surfaces || !primitives)
        return;
    for (unsigned surface = 0; mst_scene_ok(w->build) && surface < 256; surface++) {
        char name[32], part[48];
        mst_primitive *primitive = &primitives[made->surface_count];
        if (!polygons[surface] ||
            !mst_sfa_scene_make_surface(w, block, surface, polygons[surface], primitive, dropped))
            continue;
        add_areas(primitive, w->collision);
        mst_sfa_scene_surface_name(surface, name);
        snprintf(part, sizeof part, "collision_%s", name);
        mst_mesh mesh = {.name = mesh_name(w, made, part), .primitives = primitive, .primitive_count = 1};
        surfaces[made->surface_count++] =
            (mst_sfa_scene_surface){surface, mst_scene_add_mesh(w->build, &mesh)};
    }
    made->surfaces = surfaces;
}

/* ---- shared state -------------------------------------------------------------------------------- */

void mst_sfa_scene_work_begin(mst_sfa_scene_work *w, mst_scene_builder *build,
                              const mst_scene_options *options, uint64_t size) {
    memset(w, 0, sizeof *w);
    w->build = build;
    w->options = *options;
    w->size = size;
    mst_names_begin(&w->material_names, &build->arena);
    w->materials = mst_scene_array(build, sizeof(mst_sfa_material));
    w->draws = mst_scene_array(build, sizeof(mst_sfa_draw));
    w->table = mst_scene_array(build, sizeof(mst_sfa_vertex_slot));
    w->positions = mst_scene_array(build, 3 * sizeof(float));
    w->texcoords = mst_scene_array(build, 2 * sizeof(float));
    w->colors = mst_scene_array(build, 4 * sizeof(float));
    w->indices = mst_scene_array(build, 3 * sizeof(uint32_t));
    w->corners = mst_scene_array(build, sizeof(uint32_t));
    w->elements = mst_scene_array(build, sizeof(uint32_t));
    w->remap = mst_scene_array(build, sizeof(uint32_t));
    for (int i = 0; i < 256; i++)
        w->surface_materials[i] = -1;
    for (int i = 0; i < 16; i++)
        w->linear[i] = mst_linear_of_srgb((float)i / 15);
}

void mst_sfa_scene_work_end(mst_sfa_scene_work *w) {
    mst_array *const arrays[] = {&w->materials, &w->draws,   &w->table,   &w->positions, &w->texcoords,
                                 &w->colors,    &w->indices, &w->corners, &w->elements,  &w->remap};
    for (size_t i = 0; i < MST_COUNT_OF(arrays); i++)
        mst_array_free(arrays[i]);
    mst_names_end(&w->material_names);
}

/* ---- the block ----------------------------------------------------------------------------------- */

/* The block's name, with '_' for bytes that are not printable ASCII; "block" if it is empty. */
static const char *own_name(mst_sfa_scene_work *w, const mst_sfa_block *block) {
    char text[24];
    size_t length = 0;
    for (; length < 20 && block->name[length]; length++) {
        char c = block->name[length];
        text[length] = c > ' ' && c < 0x7F ? c : '_';
    }
    text[length] = 0;
    return mst_scene_printf(w->build, "%s", length ? text : "block");
}

void mst_sfa_scene_block_make(mst_sfa_scene_work *w, const uint8_t *image, uint64_t size,
                              const mst_scene_source *source, mst_sfa_scene_textures *textures,
                              mst_sfa_scene_block *made) {
    mst_sfa_block *block = &w->block;
    uint64_t dropped = 0;
    unsigned raw_lists = 0;
    *made = (mst_sfa_scene_block){.name = "block", .source = *source, .meshes = {-1, -1, -1, -1}};
    w->source = *source;
    if (mst_sfa_block_view(image, (size_t)size, block) != MST_OK || block->raw)
        return;
    made->usable = true;
    made->name = own_name(w, block);
    memset(w->drawn, 0, sizeof w->drawn);
    memset(w->collision, 0, sizeof w->collision);
    find_draws(w, block, textures);
    for (unsigned pass = 0; mst_scene_ok(w->build) && pass < MST_SFA_PASSES; pass++)
        make_pass(w, block, pass, made, &dropped);
    if (mst_scene_ok(w->build))
        make_collision(w, block, made, &dropped);
    for (unsigned i = 0; i < block->list_count; i++)
        raw_lists += mst_sfa_block_list(block, i).form != 0;
    mst_extras_builder extras;
    mst_extras_begin(&extras, w->build);
    mst_extras_text(&extras, "block", made->name, strlen(made->name));
    mst_extras_integer(&extras, "y_min", block->y_min);
    mst_extras_integer(&extras, "y_max", block->y_max);
    mst_extras_integer(&extras, "y_offset", block->y_offset);
    if (show_backs(w))
        mst_extras_integer(&extras, "faces_down", 1);
    if (raw_lists)
        mst_extras_integer(&extras, "lists_not_shown", raw_lists);
    if (dropped)
        mst_extras_integer(&extras, "triangles_not_shown", (int64_t)dropped);
    made->block_extras = mst_extras_end(&extras);
}

int32_t mst_sfa_scene_block_place(mst_sfa_scene_work *w, int32_t parent, const char *name,
                                  const float position[3], const mst_sfa_scene_block *made) {
    int32_t index = mst_scene_add_node(w->build, parent, name, MST_ROLE_GROUP);
    mst_node *node = mst_scene_node(w->build, index);
    if (!node)
        return -1;
    memcpy(node->translation, position, sizeof node->translation);
    node->source = made->source;
    node->extras = made->block_extras;
    for (unsigned pass = 0; pass < MST_SFA_PASSES; pass++) {
        if (made->meshes[pass] < 0)
            continue;
        mst_role role = pass == MST_SFA_PASS_HIDDEN ? MST_ROLE_HELPER : MST_ROLE_GEOMETRY;
        node = mst_scene_node(w->build, mst_scene_add_node(w->build, index, mst_sfa_pass_names[pass], role));
        if (!node)
            return -1;
        node->mesh = made->meshes[pass];
        node->source = made->source;
        node->extras = made->extras[pass];
        node->layer = mst_sfa_pass_names[pass];
    }
    if (!made->surface_count)
        return index;
    int32_t group = mst_scene_add_group(w->build, index, "collision", "collision");
    for (size_t i = 0; i < made->surface_count; i++) {
        char surface[32];
        mst_sfa_scene_surface_name(made->surfaces[i].surface, surface);
        node = mst_scene_node(w->build, mst_scene_add_node(w->build, group, surface, MST_ROLE_COLLISION));
        if (!node)
            return -1;
        node->mesh = made->surfaces[i].mesh;
        node->source = made->source;
        node->layer = "collision";
    }
    return index;
}
