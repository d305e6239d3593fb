/* SPDX-License-Identifier: MIT */
/* A scene as a file that other programs open. */
#ifndef MAPSTONE_EXPORT_H
#define MAPSTONE_EXPORT_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of lights. Viewers hold some dozens: with hundreds of them many show nothing, or take minutes for a
 * frame. */
#define MST_GLTF_LIGHTS     32
#define MST_GLTF_NO_LIGHTS  (-1)
#define MST_GLTF_ALL_LIGHTS INT32_MAX

typedef struct mst_gltf_options {
    int32_t max_lights; /* nodes with a light at most, the brightest (below): 0 is MST_GLTF_LIGHTS,
                           MST_GLTF_NO_LIGHTS none, MST_GLTF_ALL_LIGHTS all */
    int no_extras;      /* leave out extras */
    int no_hidden; /* leave out what players do not see: nodes of collision and helpers, and what is below
                      them */
    mst_allocator allocator; /* of what is needed while it is written, but for PNG; zeros: malloc's */
    size_t *lights_left_out; /* NULL, or gets the number of nodes whose light max_lights leaves out */
} mst_gltf_options;

/*
 * Which lights are the brightest is the same on every machine: first directional lights that shine at all;
 * then by intensity times the luminance of the colour (BT.709, each component clamped to 0..1 and rounded
 * down to a 16,384th); of equal ones by range, unlimited first; then in the order of the nodes. Of a light
 * that is left out the node stays, and has in its extras "light" (its kind), "light_color" (red, green and
 * blue, separated by blanks), "light_intensity", and where they are set "light_range", "light_inner_angle"
 * and "light_outer_angle".
 */

/*
 * Writes glTF 2.0 as one binary file (.glb). Names are made unique, [A-Za-z0-9_-] and at most 63 bytes;
 * what the level said is kept in extras ("name"), beside "role", "class" and "layer" of a node. Numbers that
 * glTF cannot carry (NaN, infinity) are written as 0; triangles that are none are left out, as is what no
 * node uses and texture coordinates without a texture. Repeated meshes are shared. In a build without PNG
 * there are no textures. The Khronos validator finds no error and nothing to warn of in any file.
 */
MST_API mst_status mst_scene_write_glb(const mst_scene *scene, const mst_gltf_options *options, mst_sink sink,
                                       mst_diagnostic *diagnostic);

/*
 * The same as JSON (.gltf) with the binary part beside it, which is written to `binary`. `buffer_uri` is
 * its plain name, "level.bin"; it is escaped as a URI needs it. With buffer_uri NULL the part is embedded as
 * a data URI and `binary` is not used.
 */
MST_API mst_status mst_scene_write_gltf(const mst_scene *scene, const mst_gltf_options *options,
                                        const char *buffer_uri, mst_sink json, mst_sink binary,
                                        mst_diagnostic *diagnostic);

/*
 * Compares the sizes that a .gltf gives its buffers with those of their files, which `beside` finds: a .gltf
 * and a .bin that were not written together are reported (GLTF-BUFFER, GLTF-BUFFER-LONGER). Nothing else is
 * checked; buffers within the file, and those of absolute URIs, are not looked at. MST_DAMAGED: it is not
 * JSON; MST_UNSUPPORTED: this build reads no JSON; else what `report` or `beside` returned.
 */
MST_API mst_status mst_gltf_check(const char *text, size_t size, const mst_resolver *beside,
                                  mst_report_function report, void *user, mst_diagnostic *diagnostic);
/* Its codes; NULL after the last. */
MST_API const mst_code_information *mst_gltf_code_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif
