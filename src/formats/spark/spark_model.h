/* SPDX-License-Identifier: MIT */
/* Shared by the parts of the model format: its records and its checks. */
#ifndef MST_SPARK_SPARK_MODEL_H
#define MST_SPARK_SPARK_MODEL_H

#include "../../check/finding.h"
#include "../../read/binding.h"
#include "../present.h"
#include "spark.h"
#include "spark_stock.h"

#define MST_SPARK_NONE    0xFFFFFFFFu
#define MST_SPARK_PALETTE 60u /* maximum number of bones of a face set */
#define MST_SPARK_BONES   4u  /* of a vertex */

typedef struct mst_spark_vertex {
    float position[3], normal[3], uv[2];
    uint8_t color[4];
} mst_spark_vertex;

typedef struct mst_spark_skin { /* of a vertex */
    mst_value bones;
} mst_spark_skin;

typedef struct mst_spark_influence {
    float weight;
    uint32_t index;
} mst_spark_influence;

typedef struct mst_spark_face_set {
    uint32_t material, first_face, face_count;
    mst_value palette;
} mst_spark_face_set;

typedef struct mst_spark_affine {
    float translation[3], rotation[4], scale[3], scale_rotation[4], flip;
} mst_spark_affine;

typedef struct mst_spark_coords {
    float x_axis[3], y_axis[3], z_axis[3], origin[3];
} mst_spark_coords;

typedef struct mst_spark_bone {
    mst_value name, pose;
    uint32_t parent;
} mst_spark_bone;

/* A solid, an attach point or a camera: something with a name, at a bone. */
typedef struct mst_spark_part {
    mst_value name, to_bone;
    uint32_t bone;
    float fov;
} mst_spark_part;

enum { MST_SPARK_RELATIVE = 1, MST_SPARK_LOOPING = 2 }; /* flags */
typedef struct mst_spark_animation {
    uint32_t flags, frame_count;
    float frame_rate;
} mst_spark_animation;

typedef struct mst_spark_track {
    uint32_t bone;
    mst_value frames;
} mst_spark_track;

enum { MST_SPARK_PLAYS = 1, MST_SPARK_BLENDS, MST_SPARK_LAYERS };
typedef struct mst_spark_node {
    uint32_t type, animation;
    float minimum, maximum; /* of the parameter */
} mst_spark_node;

typedef struct mst_spark_sequence {
    mst_value name;
    uint32_t node;
} mst_spark_sequence;

typedef struct mst_spark_rep {
    uint32_t solid_count, first_solid, joint_count, first_joint, pair_count, first_pair;
} mst_spark_rep;

typedef struct mst_spark_box {
    float centre[3], half_size[3];
} mst_spark_box;

extern const mst_bindings mst_spark_vertex_bindings, mst_spark_skin_bindings, mst_spark_influence_bindings,
    mst_spark_face_set_bindings, mst_spark_affine_bindings, mst_spark_coords_bindings,
    mst_spark_bone_bindings, mst_spark_solid_bindings, mst_spark_attach_bindings, mst_spark_camera_bindings,
    mst_spark_rep_bindings, mst_spark_box_bindings, mst_spark_animation_bindings, mst_spark_track_bindings,
    mst_spark_node_bindings, mst_spark_sequence_bindings;
#define MST_SPARK_BINDINGS 16
extern const mst_bindings *const mst_spark_bindings[MST_SPARK_BINDINGS];

extern const mst_codes mst_spark_model_codes;
extern const mst_record mst_spark_model_record;

/* A list in the root record, which may be missing: its length. */
uint64_t mst_spark_list(const mst_document *document, const char *name, mst_value *list);

/* Checks of the whole document, of its mesh, and of everything else. */
mst_status mst_spark_check_model(mst_checker *checker);
struct mst_fix_context;
mst_status mst_spark_fix_bounds(struct mst_fix_context *fixing);
mst_status mst_spark_check_mesh(mst_checker *checker);
mst_status mst_spark_check_parts(mst_checker *checker);

mst_status mst_spark_scene(const mst_document *document, const mst_scene_options *options, mst_scene **scene,
                           mst_diagnostic *diagnostic);

#endif
