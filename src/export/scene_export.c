/* SPDX-License-Identifier: MIT */
/* Scenes as text files for other editors and engines. */
#include "../core/diagnose.h"
#include "../scene/geometry.h"
#include "exporting.h"

/* Whether a name is a single line for all readers. */
static bool is_one_line(const char *name) {
    for (; name && *name; name++)
        if ((unsigned char)*name < ' ' || *name == 0x7F || *name == '\\')
            return false;
    return true;
}

static mst_status take_options(mst_export_state *e, mst_gltf_options *parts,
                               const mst_export_options *options, bool meant, mst_diagnostic *diagnostic) {
    mst_status status = mst_take_options(&e->how, sizeof e->how, options, diagnostic);
    if (status == MST_OK)
        status = mst_take_options(parts, sizeof *parts, e->how.model, diagnostic);
    if (status != MST_OK)
        return status;
    if (!meant || (unsigned)e->how.format > MST_SCENE_QUAKE_MAP || (parts->images && !parts->images->write) ||
        (e->how.materials && !e->how.materials_to.write))
        return mst_fail(diagnostic, MST_ARGUMENT, "a scene, a sink and a format are needed");
    if (!is_one_line(e->how.materials) || !is_one_line(parts->images ? parts->images->folder : NULL))
        return mst_fail(
            diagnostic, MST_ARGUMENT,
            "the file cannot have the name of another one with control characters or backslashes");
    parts->for_editing = parts->collision = 0;
    parts->no_overview = 1;
    parts->max_lights = MST_GLTF_NO_LIGHTS;
    parts->lights_left_out = NULL;
    return MST_OK;
}

/* The world in the level's own units and axes is the one in which its root has no effect. */
static bool find_worlds(mst_export_state *e) {
    mst_scene placed = *e->plan.scene;
    float *worlds = mst_arena_take(&e->plan.arena, placed.node_count, 16 * sizeof *worlds);
    mst_node *nodes = mst_arena_take(&e->plan.arena, placed.node_count, sizeof *nodes);
    if (!worlds || !nodes)
        return false;
    if (placed.node_count)
        memcpy(nodes, placed.nodes, placed.node_count * sizeof *nodes);
    for (int i = 0; i < 4 && placed.node_count && e->how.own_units; i++) {
        nodes[0].rotation[i] = i == 3;
        if (i < 3)
            nodes[0].translation[i] = 0;
        if (i < 3)
            nodes[0].scale[i] = 1;
    }
    placed.nodes = nodes;
    mst_scene_world_matrices(&placed, worlds);
    e->worlds = worlds;
    return true;
}

static mst_status write_materials(mst_export_state *e) {
    mst_output out;
    if (!e->how.materials)
        return MST_OK;
    mst_output_begin(&out, e->how.materials_to);
    mst_write_obj_materials(e, &out);
    return mst_output_end(&out);
}

mst_status mst_scene_export(const mst_scene *scene, const mst_export_options *options, mst_sink sink,
                            mst_diagnostic *diagnostic) {
    mst_export_state e = {.scene = scene};
    mst_gltf_options parts = {.size = 0};
    mst_status status = take_options(&e, &parts, options, scene && sink.write, diagnostic);
    if (status != MST_OK || !scene)
        return status;
    mst_scene plain = *scene;
    if (!parts.images) /* they need not be encoded */
        plain.image_count = 0;
    status = mst_gltf_plan_make(&e.plan, &plain, &parts, diagnostic);
    if (status == MST_OK && !find_worlds(&e))
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to write the scene");
    if (status == MST_OK) {
        mst_output_begin(&e.out, sink);
        status = e.how.format == MST_SCENE_OBJ ? mst_write_obj(&e) : mst_write_quake_map(&e);
        const mst_status written = mst_output_end(&e.out);
        status = status == MST_OK ? written : status;
        if (status == MST_OK && e.how.format == MST_SCENE_OBJ)
            status = write_materials(&e);
        if (status != MST_OK)
            mst_fail(diagnostic, status,
                     status == MST_NO_MEMORY ? "not enough memory to write the scene"
                                             : "the file could not be written");
    }
    mst_gltf_plan_end(&e.plan);
    return status;
}
