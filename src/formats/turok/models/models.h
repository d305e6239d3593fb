/* SPDX-License-Identifier: MIT */
/* Models, animations and materials of the Turok remaster: their records and formats. */
#ifndef MST_FORMATS_TUROK_MODELS_H
#define MST_FORMATS_TUROK_MODELS_H

#include "../../../check/finding.h"
#include "../../../files/named_files.h"
#include "../../../read/binding.h"

extern const mst_format mst_format_turok_model, mst_format_turok_animation, mst_format_turok_material;

/* The codes of findings about named files. */
#define MST_KEX_FILE_CODES                                                                                   \
    {"TUROK-MODEL-MISSING", MST_WARNING, "the model was not found: it is drawn as a box"},                   \
        {"TUROK-MODEL-ANIMATION", MST_WARNING,                                                               \
         "the animation was not found: the parts of the model are not in their places"},                     \
        {"TUROK-MODEL-KMAT", MST_WARNING,                                                                    \
         "the material file was not found: its surfaces are drawn in a plain colour"},                       \
        {"TUROK-MODEL-MATERIAL", MST_WARNING,                                                                \
         "the file has no such material: its surfaces are drawn in a plain colour"},                         \
    {                                                                                                        \
        "TUROK-MODEL-TEXTURE", MST_WARNING,                                                                  \
            "the picture was not found, or cannot be read: a plain colour is shown"                          \
    }

/* ---- models -------------------------------------------------------------------------------------- */

typedef struct mst_kex_model_bounds {
    float minimum[3], maximum[3];
} mst_kex_model_bounds;

typedef struct mst_kex_node {
    mst_value children, variants, objects;
} mst_kex_node;

typedef struct mst_kex_surface {
    mst_value material, triangles, vertices;
} mst_kex_surface;

typedef struct mst_kex_vertex {
    float position[3], uv[2], normal[3];
} mst_kex_vertex;

typedef struct mst_kex_triangle {
    uint16_t corners[3];
} mst_kex_triangle;

extern const mst_bindings mst_kex_model_bindings, mst_kex_node_bindings, mst_kex_surface_bindings,
    mst_kex_vertex_bindings, mst_kex_triangle_bindings;

mst_status mst_kex_check_model(mst_checker *checker);
mst_status mst_kex_model_scene(const mst_document *document, const mst_scene_options *options,
                               mst_scene **scene, mst_diagnostic *diagnostic);
/* The .kmat of each material that a model names (content.names). */
mst_status mst_kex_model_names(const mst_document *document, const mst_resolver *sidecars, mst_take_name take,
                               void *user);

/* ---- animations ---------------------------------------------------------------------------------- */

typedef struct mst_kex_animation {
    uint32_t frame_count, index_count, node_count, translation_count, rotation_count;
    mst_value tracks, poses, translations, rotations;
} mst_kex_animation;

typedef struct mst_kex_track {
    int16_t translation, rotation; /* -1: none */
} mst_kex_track;

typedef struct mst_kex_pose {
    float translation[3], rotation[4];
} mst_kex_pose;

extern const mst_bindings mst_kex_animation_bindings, mst_kex_track_bindings, mst_kex_pose_bindings;

/* The poses of the first `count` nodes in frame 0 of a document's first animation, relative to their parents;
 * missing nodes keep their values in `poses`. */
void mst_kex_first_poses(const mst_document *document, mst_kex_pose *poses, size_t count);

/* ---- materials ----------------------------------------------------------------------------------- */

mst_status mst_kex_check_material(mst_checker *checker);
/* The pictures that materials name (content.names). */
mst_status mst_kex_material_names(const mst_document *document, const mst_resolver *sidecars,
                                  mst_take_name take, void *user);

#endif
