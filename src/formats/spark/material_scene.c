/* SPDX-License-Identifier: MIT */
/* A material as a scene: a panel of one square metre that shows its texture once, seen from +Z. */
#include "spark.h"
#include "spark_stock.h"
#include <string.h>

mst_status mst_spark_material_scene(const mst_document *document, const mst_scene_options *options,
                                    mst_scene **scene, mst_diagnostic *diagnostic) {
    static const float positions[] = {-0.5F, 0, 0, 0.5F, 0, 0, 0.5F, 1, 0, -0.5F, 1, 0},
                       normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1},
                       texcoords[] = {0, 1, 1, 1, 1, 0, 0, 0}; /* v points down */
    static const uint32_t indices[] = {0, 1, 2, 0, 2, 3};
    mst_scene_builder builder;
    mst_spark_stock stock;
    char name[256];
    options = mst_scene_start(&builder, options, document->size, 1);
    mst_scene_stem(document->name, name, sizeof name);
    const char *text = mst_scene_text(&builder, *name ? name : "material", strlen(*name ? name : "material"));
    mst_spark_stock_begin(&stock, &builder, document, options);
    const mst_primitive panel = {.material = mst_spark_stock_own_material(&stock, document, text),
                                 .vertex_count = 4,
                                 .index_count = 6,
                                 .positions = positions,
                                 .normals = normals,
                                 .texcoords = texcoords,
                                 .indices = indices};
    mst_spark_stock_end(&stock);
    int32_t mesh = mst_scene_add_shape(&builder, &panel, text, panel.material);
    mst_node *node = mst_scene_node(&builder, mst_scene_add_node(&builder, 0, "panel", MST_ROLE_GEOMETRY));
    if (node)
        node->mesh = mesh;
    const mst_scene settings = {.format = document->format->information.id,
                                .name = text,
                                .unit_metres = 1,
                                .object = MST_OBJECT_PANEL};
    return mst_scene_finish(&builder, &settings, scene, diagnostic);
}
