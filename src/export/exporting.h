/* SPDX-License-Identifier: MIT */
/* A scene on its way into a text file of another editor or engine. What is written, and under which names, is
 * the plan of the glTF file that the scene would be. */
#ifndef MST_EXPORT_EXPORTING_H
#define MST_EXPORT_EXPORTING_H

#include "gltf_plan.h"

typedef struct mst_exporting {
    mst_gltf_plan plan;
    mst_export_options how;
    const mst_scene *scene; /* as it was given: its images have a size, also where they are not written */
    const float *worlds;    /* the matrices of all nodes */
    mst_output out;
} mst_exporting;

/* They write to `out`; the status is its, or MST_NO_MEMORY. */
mst_status mst_write_obj(mst_exporting *e);
void mst_write_obj_materials(mst_exporting *e, mst_output *out);
mst_status mst_write_quake_map(mst_exporting *e);

#endif
