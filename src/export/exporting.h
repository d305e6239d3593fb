/* SPDX-License-Identifier: MIT */
/* A scene being written as a text file for another editor or engine. The selection and the names come from
 * the plan of the corresponding glTF file. */
#ifndef MST_EXPORT_EXPORTING_H
#define MST_EXPORT_EXPORTING_H

#include "gltf_plan.h"

typedef struct mst_export_state {
    mst_gltf_plan plan;
    mst_export_options how;
    const mst_scene *scene; /* as given: its images have sizes, even if they are not written */
    const float *worlds;    /* the matrices of all nodes */
    mst_output out;
} mst_export_state;

/* They write to `out`; the status is the output's, or MST_NO_MEMORY. */
mst_status mst_write_obj(mst_export_state *e);
void mst_write_obj_materials(mst_export_state *e, mst_output *out);
mst_status mst_write_quake_map(mst_export_state *e);

#endif
