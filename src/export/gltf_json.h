/* SPDX-License-Identifier: MIT */
/* The JSON part of a glTF file, written by a plan. */
#ifndef MST_EXPORT_GLTF_JSON_H
#define MST_EXPORT_GLTF_JSON_H

#include "gltf_plan.h"

/* Write the JSON up to the only buffer, to which the caller may add a URI, and the end of the JSON. */
void mst_gltf_json(mst_output *out, const mst_gltf_plan *p);
void mst_gltf_json_end(mst_output *out, const mst_gltf_plan *p);
/* A file name as a URI: everything except unreserved characters and slashes is escaped. */
void mst_gltf_uri(mst_output *out, const char *name);

#endif
