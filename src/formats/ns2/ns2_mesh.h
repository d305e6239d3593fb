/* SPDX-License-Identifier: MIT */
/* Shared by the two parts of a Natural Selection 2 scene: entities (ns2_scene.c) and geometry (ns2_mesh.c).
 */
#ifndef MST_NS2_NS2_MESH_H
#define MST_NS2_NS2_MESH_H

#include "../../scene/work.h"
#include "../extras.h"
#include "../spark/spark_stock.h"
#include "ids.h"
#include "ns2_bindings.h"
#include <mapstone/document.h>

/* Names of layers or groups. */
typedef struct mst_ns2_names {
    mst_ns2_id *ids;    /* ascending; of duplicates only the first */
    size_t count;       /* of ids */
    const char **texts; /* by index, in the scene's arena */
} mst_ns2_names;

typedef struct mst_ns2_work {
    mst_scene_builder *builder;
    uint32_t version;
    bool split_layers;
    mst_ns2_names layers, groups;
    mst_spark_stock stock;
    uint64_t remade;  /* faces whose stored triangles were replaced */
    uint64_t skipped; /* faces that cannot be shown */
} mst_ns2_work;

/* The index of the layer with the lowest id whose bit is set; MST_NS2_NONE if there is no such layer. */
uint32_t mst_ns2_first_layer(const mst_ns2_names *layers, const uint32_t *masks, size_t count);
/* Reads a list of numbers as u32 words into scratch memory. */
const uint32_t *mst_ns2_words(mst_ns2_work *work, const mst_value *list, size_t *count);

/* Reads the `count` elements of a list, of `components` numbers each; returns how many could be read. Without
 * elements `list` is not used. */
uint32_t mst_ns2_read_list(const mst_value *list, uint64_t count, mst_element_type type, uint32_t components,
                           void *data);

/* The axes of a texture on a face with this unit normal, before rotation by its angle. */
void mst_ns2_texture_axes(const double n[3], double u[3], double v[3]);

/* Adds the record `mesh` below a node: a node for each group, and below it one for each material. `prefix` is
 * the path of the record that contains it. */
void mst_ns2_mesh(mst_ns2_work *work, const mst_value *mesh, const char *prefix, int32_t parent);

#endif
