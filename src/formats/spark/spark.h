/* SPDX-License-Identifier: MIT */
/* What levels of Natural Selection 2 (Spark engine) name: textures, materials, models. */
#ifndef MST_FORMATS_SPARK_H
#define MST_FORMATS_SPARK_H

#include "../../schema/engine.h"

extern const mst_format mst_format_dds, mst_format_spark_material, mst_format_spark_model;

#endif
