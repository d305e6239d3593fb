/* SPDX-License-Identifier: MIT */
/* The files that levels of Natural Selection 2 (Spark engine) name: textures, materials, models. */
#ifndef MST_FORMATS_SPARK_H
#define MST_FORMATS_SPARK_H

#include "../../read/engine.h"

extern const mst_format mst_format_dds, mst_format_spark_material, mst_format_spark_model;

/* The files that models and materials name (content.names). */
mst_status mst_spark_model_names(const mst_document *document, const mst_resolver *sidecars,
                                 mst_take_name take, void *taker);
mst_status mst_spark_material_names(const mst_document *document, const mst_resolver *sidecars,
                                    mst_take_name take, void *taker);

mst_status mst_spark_material_scene(const mst_document *document, const mst_scene_options *options,
                                    mst_scene **scene, mst_diagnostic *diagnostic);

/* Reports the missing files that the checker's document names, and their number. */
mst_status mst_spark_check_assets(mst_checker *checker);
/* The codes of these findings. */
#define MST_SPARK_ASSET_CODES                                                                                \
    {"SPARK-MODEL-MISSING", MST_INFORMATION,                                                                 \
     "the model was not found: name the game's directory as a search path"},                                 \
        {"SPARK-MATERIAL-MISSING", MST_INFORMATION,                                                          \
         "the material was not found: name the game's directory as a search path"},                          \
        {"SPARK-TEXTURE-MISSING", MST_INFORMATION,                                                           \
         "the texture was not found: name the game's directory as a search path"},                           \
        {"SPARK-UNREADABLE", MST_WARNING, "the file that is referred to cannot be read, or is damaged"},     \
        {"SPARK-PATH", MST_WARNING,                                                                          \
         "the path leads out of the game's root or to a hidden file, and is not followed"},                  \
    {                                                                                                        \
        "SPARK-MISSING", MST_WARNING, "files that are referred to were not found"                            \
    }

#endif
