/* SPDX-License-Identifier: MIT */
/* A model as a scene: nodes for each object, in its pose in the first frame of the first state, and the
 * states as animations. */
#include "../../../core/diagnose.h"
#include "../../../scene/work.h"
#include "imagery_model.h"
#include "model_mesh.h"
#include "model_rig.h"
#include <string.h>

#define UNIT_METRES 0.03125 /* as in sectors */

static mst_status read_shape(const mst_document *document, mst_arena *arena, mst_imagery *imagery,
                             mst_posed *shape, mst_diagnostic *diagnostic) {
    mst_buffer file = {.allocator = document->allocator};
    mst_status status =
        mst_model_serialize(document->format, document->data, (size_t)document->size, &file, diagnostic);
    uint8_t *bytes = status == MST_OK ? mst_arena_take(arena, file.size, 1) : NULL;
    if (bytes)
        memcpy(bytes, file.data, file.size);
    const mst_file_view view = {.data = bytes, .size = file.size};
    if (status == MST_OK && !bytes)
        status = MST_NO_MEMORY;
    if (status == MST_OK)
        status = mst_imagery_open(&view, imagery, diagnostic);
    if (status == MST_OK)
        status = mst_posed_read_apart(imagery, 0, arena, shape);
    mst_buffer_free(&file);
    return status;
}

/* Gives the nodes their meshes and morphs: triangles are ordered by object. */
static void add_meshes(mst_scene_builder *builder, const mst_posed *shape, const mst_model_rig *rig,
                       mst_model_morph *morph, mst_scene *settings) {
    mst_model_mesher mesher;
    mst_model_mesher_begin(&mesher, builder, shape, "");
    mst_model_morph_begin(morph, builder, rig->imagery, shape);
    mesher.morph = morph;
    int32_t *nodes = mst_scene_scratch(builder, shape->object_count, sizeof *nodes);
    size_t count = 0;
    for (uint32_t i = 0, end; i < shape->triangle_count && mst_scene_ok(builder); i = end) {
        uint32_t object = shape->triangles[i].object;
        for (end = i + 1; end < shape->triangle_count && shape->triangles[end].object == object;)
            end++;
        if (!rig->joints[object].seen)
            continue;
        const mst_node *shown = mst_scene_node(builder, rig->joints[object].shown);
        int32_t mesh = mst_model_mesh(&mesher, shown ? shown->name : "", i, end);
        mst_node *node = mst_scene_node(builder, rig->joints[object].shown);
        if (node) {
            node->mesh = mesh;
            nodes[count++] = rig->joints[object].shown;
        }
    }
    if (morph->count && mst_scene_ok(builder))
        settings->animations = mst_model_morph_animations(morph, nodes, count, &settings->animation_count);
}

mst_status mst_model_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic) {
    mst_scene_builder builder;
    mst_imagery imagery = {0};
    mst_posed shape = {0};
    mst_model_rig rig;
    mst_model_morph morph;
    mst_scene settings = {.format = document->format->information.id,
                          .unit_metres = UNIT_METRES,
                          .pictured = 1,
                          .object = MST_OBJECT_BODY};
    mst_scene_start(&builder, options, document->size, (float)UNIT_METRES);
    mst_status status = read_shape(document, &builder.scratch, &imagery, &shape, diagnostic);
    if (status == MST_UNSUPPORTED) {
        mst_scene_abandon(&builder);
        return mst_fail(diagnostic, status, "the model's body is not understood");
    }
    if (status != MST_OK)
        mst_scene_fail(&builder);
    mst_model_rig_begin(&rig, &builder, &imagery, &shape);
    add_meshes(&builder, &shape, &rig, &morph, &settings);
    if (mst_scene_ok(&builder) && !morph.count)
        settings.animations = mst_model_rig_animations(&rig, &settings.animation_count);
    mst_model_rig_end(&rig);
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
