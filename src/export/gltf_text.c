/* SPDX-License-Identifier: MIT */
/* Numbers and lists in the JSON of a glTF file. */
#include "../core/number.h"
#include "gltf_json.h"

void mst_gltf_number(mst_output *out, uint64_t value) {
    mst_output_advance(out, mst_write_u64(mst_output_reserve(out, MST_NUMBER_MAX), value));
}

void mst_gltf_float(mst_output *out, float value) {
    mst_output_advance(out, mst_write_f32(mst_output_reserve(out, MST_NUMBER_MAX), finite_or(value, 0)));
}

void mst_gltf_floats(mst_output *out, const char *key, const float *values, size_t count) {
    mst_output_text(out, key);
    for (size_t i = 0; i < count; i++) {
        mst_output_bytes(out, i ? "," : "[", 1);
        mst_gltf_float(out, values[i]);
    }
    mst_output_bytes(out, "]", 1);
}

void mst_gltf_element(mst_output *out, const char *list, size_t *count) {
    if ((*count)++)
        mst_output_text(out, ",\n");
    else
        mst_output_text(out, list);
}

void mst_gltf_end_list(mst_output *out, size_t count) {
    if (count)
        mst_output_bytes(out, "]", 1);
}
