/* SPDX-License-Identifier: MIT */
/* The JSON part of a glTF file, written by a plan. */
#ifndef MST_EXPORT_GLTF_JSON_H
#define MST_EXPORT_GLTF_JSON_H

#include "gltf_plan.h"

/* Write the JSON up to the only buffer, to which the caller may add a URI, and the rest of the JSON. */
void mst_gltf_json(mst_output *out, const mst_gltf_plan *p);
void mst_gltf_json_end(mst_output *out, const mst_gltf_plan *p);
/* Accessors, by the index of the buffer view of each kind, and the buffer views. */
void mst_gltf_accessors(mst_output *out, const mst_gltf_plan *p,
                        const uint64_t view_index[MST_GLTF_VIEW_COUNT]);
void mst_gltf_views(mst_output *out, const mst_gltf_plan *p);

/* Begins an element of a list, and the list itself before the first; `*count` elements precede it. */
void mst_gltf_element(mst_output *out, const char *list, size_t *count);
void mst_gltf_end_list(mst_output *out, size_t count);
void mst_gltf_number(mst_output *out, uint64_t value);
void mst_gltf_float(mst_output *out, float value);
/* The key, which ends with a colon, and an array of numbers. */
void mst_gltf_floats(mst_output *out, const char *key, const float *values, size_t count);
/* A file name as a URI: everything except unreserved characters and slashes is escaped. */
void mst_gltf_uri(mst_output *out, const char *name);

#endif
