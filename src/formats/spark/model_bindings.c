/* SPDX-License-Identifier: MIT */
#include "spark_model.h"

static const mst_binding vertex[] = {
    MST_BINDING(mst_spark_vertex, position, "position"), MST_BINDING(mst_spark_vertex, normal, "normal"),
    MST_BINDING(mst_spark_vertex, uv, "uv"), MST_BINDING(mst_spark_vertex, color, "color")};
static const mst_binding skin[] = {MST_BINDING(mst_spark_skin, bones, "bones")};
static const mst_binding influence[] = {MST_BINDING(mst_spark_influence, weight, "weight"),
                                        MST_BINDING(mst_spark_influence, index, "index")};
static const mst_binding face_set[] = {MST_BINDING(mst_spark_face_set, material, "material"),
                                       MST_BINDING(mst_spark_face_set, first_face, "first_face"),
                                       MST_BINDING(mst_spark_face_set, face_count, "face_count"),
                                       MST_BINDING(mst_spark_face_set, palette, "palette")};
static const mst_binding affine[] = {MST_BINDING(mst_spark_affine, translation, "translation"),
                                     MST_BINDING(mst_spark_affine, rotation, "rotation"),
                                     MST_BINDING(mst_spark_affine, scale, "scale"),
                                     MST_BINDING(mst_spark_affine, scale_rotation, "scale_rotation"),
                                     MST_BINDING(mst_spark_affine, flip, "flip")};
static const mst_binding coords[] = {
    MST_BINDING(mst_spark_coords, x_axis, "x_axis"), MST_BINDING(mst_spark_coords, y_axis, "y_axis"),
    MST_BINDING(mst_spark_coords, z_axis, "z_axis"), MST_BINDING(mst_spark_coords, origin, "origin")};
static const mst_binding bone[] = {MST_BINDING(mst_spark_bone, name, "name"),
                                   MST_BINDING(mst_spark_bone, pose, "pose"),
                                   MST_BINDING(mst_spark_bone, parent, "parent")};
static const mst_binding solid[] = {MST_BINDING(mst_spark_part, name, "name"),
                                    MST_BINDING(mst_spark_part, to_bone, "to_bone"),
                                    MST_BINDING(mst_spark_part, bone, "bone")};
static const mst_binding attach[] = {MST_BINDING(mst_spark_part, name, "name"),
                                     MST_BINDING(mst_spark_part, to_bone, "to_bone"),
                                     MST_BINDING(mst_spark_part, bone, "bone")};
static const mst_binding camera[] = {
    MST_BINDING(mst_spark_part, name, "name"), MST_BINDING(mst_spark_part, to_bone, "to_bone"),
    MST_BINDING(mst_spark_part, bone, "bone"), MST_BINDING(mst_spark_part, fov, "fov")};
static const mst_binding rep[] = {MST_BINDING(mst_spark_rep, solid_count, "solid_count"),
                                  MST_BINDING(mst_spark_rep, first_solid, "first_solid"),
                                  MST_BINDING(mst_spark_rep, joint_count, "joint_count"),
                                  MST_BINDING(mst_spark_rep, first_joint, "first_joint"),
                                  MST_BINDING(mst_spark_rep, pair_count, "pair_count"),
                                  MST_BINDING(mst_spark_rep, first_pair, "first_pair")};
static const mst_binding box[] = {MST_BINDING(mst_spark_box, centre, "centre"),
                                  MST_BINDING(mst_spark_box, half_size, "half_size")};

static const mst_binding animation[] = {MST_BINDING(mst_spark_animation, flags, "flags"),
                                        MST_BINDING(mst_spark_animation, frame_count, "frame_count"),
                                        MST_BINDING(mst_spark_animation, frame_rate, "frame_rate")};
static const mst_binding track[] = {MST_BINDING(mst_spark_track, bone, "bone"),
                                    MST_BINDING(mst_spark_track, frames, "frames")};
static const mst_binding node[] = {
    MST_BINDING(mst_spark_node, type, "type"), MST_BINDING(mst_spark_node, animation, "animation"),
    MST_BINDING(mst_spark_node, minimum, "minimum"), MST_BINDING(mst_spark_node, maximum, "maximum")};
static const mst_binding sequence[] = {MST_BINDING(mst_spark_sequence, name, "name"),
                                       MST_BINDING(mst_spark_sequence, node, "node")};

const mst_bindings mst_spark_vertex_bindings = MST_BINDINGS(mst_spark_vertex, "vertex", vertex);
const mst_bindings mst_spark_skin_bindings = MST_BINDINGS(mst_spark_skin, "vertex", skin);
const mst_bindings mst_spark_influence_bindings = MST_BINDINGS(mst_spark_influence, "influence", influence);
const mst_bindings mst_spark_face_set_bindings = MST_BINDINGS(mst_spark_face_set, "face_set", face_set);
const mst_bindings mst_spark_affine_bindings = MST_BINDINGS(mst_spark_affine, "affine", affine);
const mst_bindings mst_spark_coords_bindings = MST_BINDINGS(mst_spark_coords, "coords", coords);
const mst_bindings mst_spark_bone_bindings = MST_BINDINGS(mst_spark_bone, "bone", bone);
const mst_bindings mst_spark_solid_bindings = MST_BINDINGS(mst_spark_part, "solid", solid);
const mst_bindings mst_spark_attach_bindings = MST_BINDINGS(mst_spark_part, "attach_point", attach);
const mst_bindings mst_spark_camera_bindings = MST_BINDINGS(mst_spark_part, "camera", camera);
const mst_bindings mst_spark_rep_bindings = MST_BINDINGS(mst_spark_rep, "collision_rep", rep);
const mst_bindings mst_spark_box_bindings = MST_BINDINGS(mst_spark_box, "box", box);
const mst_bindings mst_spark_animation_bindings = MST_BINDINGS(mst_spark_animation, "animation", animation);
const mst_bindings mst_spark_track_bindings = MST_BINDINGS(mst_spark_track, "track", track);
const mst_bindings mst_spark_node_bindings = MST_BINDINGS(mst_spark_node, "animation_node", node);
const mst_bindings mst_spark_sequence_bindings = MST_BINDINGS(mst_spark_sequence, "sequence", sequence);

const mst_bindings *const mst_spark_bindings[MST_SPARK_BINDINGS] = {
    &mst_spark_vertex_bindings,    &mst_spark_skin_bindings,   &mst_spark_influence_bindings,
    &mst_spark_face_set_bindings,  &mst_spark_affine_bindings, &mst_spark_coords_bindings,
    &mst_spark_bone_bindings,      &mst_spark_solid_bindings,  &mst_spark_attach_bindings,
    &mst_spark_camera_bindings,    &mst_spark_rep_bindings,    &mst_spark_box_bindings,
    &mst_spark_animation_bindings, &mst_spark_track_bindings,  &mst_spark_node_bindings,
    &mst_spark_sequence_bindings};

uint64_t mst_spark_list(const mst_document *document, const char *name, mst_value *list) {
    mst_value root = mst_root(document);
    return mst_member(&root, name, list) == MST_OK ? mst_count(list) : 0;
}
