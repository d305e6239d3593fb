/* SPDX-License-Identifier: MIT */
/* Exporting a scene as glTF, and as text for other editors and engines. */
#ifndef MAPSTONE_EXPORT_H
#define MAPSTONE_EXPORT_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of max_lights. Viewers handle a few dozen; with hundreds, many show nothing, or take minutes per
 * frame. */
#define MST_GLTF_LIGHTS     32
#define MST_GLTF_NO_LIGHTS  (-1)
#define MST_GLTF_ALL_LIGHTS INT32_MAX

/* Images in separate files: `write` gets the name (without a directory) and the PNG bytes of each. The model
 * refers to it by `folder`, which is "" or ends with a slash, and that name. */
typedef struct mst_gltf_images {
    const char *folder;
    mst_status (*write)(void *user, const char *name, const void *data, size_t size);
    void *user;
} mst_gltf_images;

typedef struct mst_gltf_options {
    size_t size;        /* sizeof(mst_gltf_options) */
    int32_t max_lights; /* the most nodes with a light; the brightest (below) are kept. 0: MST_GLTF_LIGHTS */
    bool no_extras;     /* leave out extras */
    bool with_hidden;   /* with collision and helper nodes, which players do not see; always if a scene has no
                         * other mesh */
    mst_allocator allocator; /* for temporary memory, except for PNG; zero: malloc and its relatives */
    mst_parallel parallel;   /* for encoding images */
    size_t *lights_left_out; /* receives the number of nodes whose light max_lights leaves out; may be NULL */
    bool no_overview;        /* leave out the camera that shows the whole scene, which is the file's first */
    /* For looking in from above: leave out everything higher than this (metres; 0: nothing), and faces of the
     * level that face down, which many viewers also show from above. */
    float ceiling_cut;
    bool no_ceilings;
    const mst_gltf_images *images; /* NULL: they are embedded in the file, or in its binary part */
    /* For editing in another program and importing again (mapstone/import.h), from a scene that
     * mst_editing_scene made: all lights and hidden nodes, no overview camera, nothing cut, and extras in any
     * case. The node of an element has that element's `path` in its extras (and `file`, if the level consists
     * of several files), its further nodes have `part_of`, and all have `node`, their name in the file, which
     * copies do not keep. TEXCOORD_1 of a vertex: the index of its face and of the level's vertex, each plus
     * 1; 0: none. A mesh has `mapstone_surface`, its area and the area times its centre, by which an import
     * notices that it was changed. Integers that do not fit 32 bits are texts. MST_UNSUPPORTED: the level has
     * more than 16,777,214 faces or vertices. */
    bool for_editing;
    /* For editing in a program with polygons: consecutive triangles with the same first corner are the fan of
     * one polygon, as in FB_ngon_encoding. Faces that are bent, have holes or touch themselves stay
     * triangles. The order of corners is right, but viewers draw a concave polygon wrongly. */
    bool polygons;
    /* Names tell Godot which meshes become physics bodies: visible meshes that players walk on get the suffix
     * "-col", and collision meshes, which are then also written, "-colonly". */
    bool collision;
} mst_gltf_options;

/*
 * The order of brightness is the same on every machine: first directional lights with any intensity; then by
 * intensity times the luminance of the colour (BT.709, each component clamped to 0..1 and rounded down to a
 * 16,384th); then by range, unlimited first; then by node index. A light that is left out keeps its node,
 * whose extras have "light" (its kind), "light_color" (red, green and blue, separated by spaces),
 * "light_intensity", and if set "light_range", "light_inner_angle" and "light_outer_angle".
 */

/*
 * Writes glTF 2.0 as one binary file (.glb). Names are made unique, [A-Za-z0-9_-] and at most 63 bytes; the
 * original names are kept in extras ("name"), with "role", "class" and "layer" of a node. Numbers that glTF
 * cannot store (NaN, infinity) are written as 0; degenerate triangles, anything that no node uses, and
 * texture coordinates without a texture are left out. Identical meshes are shared. In a build without PNG
 * there are no textures. The Khronos validator reports no errors or warnings for any file.
 */
MST_API mst_status mst_scene_write_glb(const mst_scene *scene, const mst_gltf_options *options, mst_sink sink,
                                       mst_diagnostic *diagnostic);

/*
 * The same as JSON (.gltf), with the binary part in a file next to it, which is written to `binary`.
 * `buffer_uri` is that file's unescaped name, "level.bin". With buffer_uri NULL the part is embedded as a
 * data URI and `binary` is not used.
 */
MST_API mst_status mst_scene_write_gltf(const mst_scene *scene, const mst_gltf_options *options,
                                        const char *buffer_uri, mst_sink json, mst_sink binary,
                                        mst_diagnostic *diagnostic);

/* Text formats of other editors and engines. */
typedef enum mst_scene_format {
    MST_SCENE_OBJ = 0,  /* Wavefront OBJ: geometry and materials, no entities */
    MST_SCENE_QUAKE_MAP /* a map for TrenchBroom and other editors of Quake's maps, in Valve's format (220) */
} mst_scene_format;

typedef struct mst_export_options {
    size_t size; /* sizeof(mst_export_options) */
    mst_scene_format format;
    /* Used: with_hidden, ceiling_cut, no_ceilings, images, parallel and allocator; the rest is ignored.
     * Without `images` there are no textures. NULL: as if all were 0. */
    const mst_gltf_options *model;
    /* OBJ: the name, on one line, of its material file (.mtl), and the sink for it; NULL: there is none. */
    const char *materials;
    mst_sink materials_to;
    bool triangles; /* OBJ: every polygon as triangles */
    bool own_units; /* OBJ: the level's own coordinates, not metres with Y up */
} mst_export_options;

/*
 * Writes a scene as text, with the same nodes, names and materials as its glTF.
 *
 * OBJ: an object for each mesh, in Natural Selection 2 for each group, `g` for layers, and polygons where the
 * format has them (faces, quads); faces with holes are triangles. A material's original name is in the line
 * before it.
 *
 * Quake map: a brush for each face that is flat and convex, else for each of its triangles; the other sides
 * have the texture `skip`. 39.3700787 units are a metre, x is our Z, y our X and z our Y. Entities are point
 * entities, with their extras as keys; `_mapstone_path` is the element's path. Layers are written as
 * TrenchBroom's.
 *
 * Names are those of glTF: no text from a level can end a line or a quoted text, or be a path. MST_ARGUMENT:
 * `materials` or the folder of images is not one line.
 */
MST_API mst_status mst_scene_export(const mst_scene *scene, const mst_export_options *options, mst_sink sink,
                                    mst_diagnostic *diagnostic);

/* Writes the classes of a format's entities, with their properties, as an FGD file, which describes entities
 * to editors of Quake maps. MST_UNSUPPORTED: the format is not ns2-level, the only one whose classes are
 * known. */
MST_API mst_status mst_write_fgd(const char *format, mst_sink sink, mst_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif
#endif
