/* SPDX-License-Identifier: MIT */
/* The tables of models. Facts: measurements on 176 models of versions 3, 5 and 7 made by players. */
#include "../../edit/fix_findings.h"
#include "../../tables/words.h"
#include "spark_model.h"

/* context variables; 0 is the version */
enum { R_FRAMES = 1, R_COMPRESSED, R_KEYS, R_TYPE };
#define NONE    MST_SPARK_NONE
#define NARROW  .kind = MST_KIND_CHAR8, MST_PREFIXED
#define BOOL    .kind = MST_KIND_U32, .flags = MST_FIELD_BOOL
#define U32S    .kind = MST_KIND_U32, MST_PREFIXED
#define F32S(n) F32, FIXED(n)
#define ONE(r)  .kind = MST_KIND_RECORD, .record = &(r)

/* clang-format off */
#define RECORDS(X) \
    X(mst_spark_model_record) X(string) X(point) X(quaternion) X(influence) X(vertex) X(face_set) X(affine) \
    X(coords) X(bone) X(points_curve) X(numbers_curve) X(quaternions_curve) X(curves) X(track) X(tag) \
    X(animation) X(node) X(sequence) X(rep) X(named_rep) X(reps) X(triangle) X(solid) X(joint) X(pair) \
    X(attach_point) X(camera) X(box) X(unknown_chunk)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };

static const mst_enum_name none_names[] = {{NONE, "none"}};
static const mst_enum none = {none_names, 1};
#define NOTHING .names = &none

#define BONE(code_) REFERS({.target = "bones", NO(NONE), .code = (code_)})

/* ---- small records ------------------------------------------------------------------------------- */

static const mst_field string_fields[] = {{.name = "text", NARROW, .doc = "Bytes without a terminator."}};
RECORD(string, "string", "a text", .is_inline = true);
static const mst_field point_fields[] = {{.name = "position", F32S(3), .doc = "x, y, z."}};
RECORD(point, "point", "three numbers", .is_inline = true);
static const mst_field quaternion_fields[] = {{.name = "rotation", F32S(4), .doc = "x, y, z, w."}};
RECORD(quaternion, "quaternion", "a rotation", .is_inline = true);

static const mst_field affine_fields[] = {
    {.name = "translation", F32S(3), .unit = "m", .doc = "The origin of the inner space in the outer."},
    {.name = "rotation", F32S(4), .doc = "Quaternion x, y, z, w."},
    {.name = "scale", F32S(3), .doc = "Along the axes of scale_rotation; 1 for most bones."},
    {.name = "scale_rotation", F32S(4), .doc = "Quaternion that turns the axes of the scale."},
    {.name = "flip", F32, .doc = "-1 turns everything inside out.", .range = "1 or -1"},
};
RECORD(affine, "affine",
       "a transformation: translation * flip * rotation * U * scale * U transposed, with U = scale_rotation");

static const mst_field coords_fields[] = {
    {.name = "x_axis", F32S(3), .doc = "Where the inner space's x axis points; not always of length 1."},
    {.name = "y_axis", F32S(3), .doc = "Where its y axis points."},
    {.name = "z_axis", F32S(3), .doc = "Where its z axis points."},
    {.name = "origin", F32S(3), .unit = "m", .doc = "Where its origin is."},
};
RECORD(coords, "coords", "a space within another: a point p is at origin + x * p.x + y * p.y + z * p.z");

static const mst_field box_fields[] = {
    {.name = "centre", F32S(3), .unit = "m", .doc = "The middle of the box."},
    {.name = "half_size", F32S(3), .unit = "m", .doc = "Half of its edges along x, y, z."},
};
RECORD(box, "box", "a box along the axes");

static const mst_field unknown_chunk_fields[] = {
    {.name = "id", U32, .doc = "The meaning of the chunk is not known; 12 has been called hit_proxies."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "data", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY, .doc = "Not known; kept unchanged."},
};
RECORD(unknown_chunk, "unknown_chunk", "a chunk with an unknown id, or a duplicate of a known one");
static const mst_field unknown_chunks = {.name = "unknown_chunks",
                                         .doc = "Chunks with other ids, kept unchanged.",
                                         .kind = MST_KIND_RECORD,
                                         .record = &unknown_chunk,
                                         .flags = MST_FIELD_REPEATED};

/* ---- the mesh ------------------------------------------------------------------------------------ */

static const mst_field influence_fields[] = {
    {.name = "weight",
     F32,
     .doc = "How far the vertex follows the bone. The four add up to 1, or all are 0 without a skin.",
     .range = "0..1"},
    {.name = "index", U32, .doc = "Index in the palette of the vertex's face set."},
};
RECORD(influence, "influence", "a bone that moves a vertex");

static const mst_field vertex_fields[] = {
    {.name = "position", F32S(3), .unit = "m", .doc = "x, y, z in the space of the model, in bind pose."},
    {.name = "normal", F32S(3), .doc = "Unit vector away from the surface."},
    {.name = "tangent", F32S(3), .doc = "Where u grows; not a number in some models."},
    {.name = "binormal", F32S(3), .doc = "Where v grows: down the texture. Mirrored textures are frequent."},
    {.name = "uv", F32S(2), .doc = "Place on the texture; v is 0 at the first row, the top one."},
    {.name = "color",
     U8,
     FIXED(4),
     IF(FROM(7)),
     .doc =
         "Red, green, blue, alpha; white in all but one model. That alpha is the last is known, the order of "
         "the others is a guess."},
    {.name = "bones",
     .kind = MST_KIND_RECORD,
     FIXED(MST_SPARK_BONES),
     .record = &influence,
     .doc = "The bones that move it, the heaviest first."},
};
RECORD(vertex, "vertex", "a corner of faces; each belongs to one face set");

static const mst_field face_set_fields[] = {
    {.name = "material",
     U32,
     .doc = "The material of its triangles.",
     REFERS({.target = "materials", .code = "SPARK-MODEL-MATERIAL-INDEX"})},
    {.name = "first_face", U32, .doc = "Its first triangle: where the set before it ends."},
    {.name = "face_count", U32, .doc = "Its number of triangles."},
    {.name = "palette",
     U32S,
     .doc = "The bones that its vertices refer to by index, each once; empty without a skin.",
     .range = "at most 60",
     REFERS({.target = "bones", .code = "SPARK-MODEL-PALETTE"})},
};
RECORD(face_set, "face_set", "triangles of one material");

static const mst_field bone_fields[] = {
    {.name = "name", NARROW, .doc = "Its name in animations and scripts."},
    {.name = "parent",
     U32,
     NOTHING,
     .doc = "The parent bone, which is before it in the list.",
     BONE("SPARK-MODEL-BONE-PARENT")},
    {.name = "pose", ONE(affine), .doc = "Where it is in bind pose, relative to its parent or to the model."},
};
RECORD(bone, "bone", "a bone of the skeleton");

/* ---- animations ---------------------------------------------------------------------------------- */

#define CURVE_FIELDS(r, text)                                                                                \
    {.name = "key_count", U32, .length_of = "times", BIND(R_KEYS), .doc = "Number of keys."},                \
        {.name = "times",                                                                                    \
         F32,                                                                                                \
         .mode = MST_COUNT_VARIABLE,                                                                         \
         .count_variable = R_KEYS,                                                                           \
         .unit = "s",                                                                                        \
         .doc = "When each key is reached, rising; the last is the end of the animation."},                  \
    {                                                                                                        \
        .name = "values", r, .mode = MST_COUNT_VARIABLE, .count_variable = R_KEYS, .doc = text               \
    }
static const mst_field points_curve_fields[] = {
    CURVE_FIELDS(ONE(point), "x, y, z at each key; linear between keys.")};
RECORD(points_curve, "points_curve", "three numbers over time");
static const mst_field numbers_curve_fields[] = {CURVE_FIELDS(F32, "The number at each key.")};
RECORD(numbers_curve, "numbers_curve", "a number over time");
static const mst_field quaternions_curve_fields[] = {
    CURVE_FIELDS(ONE(quaternion), "The rotation at each key; linear between keys.")};
RECORD(quaternions_curve, "quaternions_curve", "a rotation over time");
static const mst_field curves_fields[] = {
    {.name = "position", ONE(points_curve), .doc = "The translation of the bone's pose."},
    {.name = "scale", ONE(points_curve), .doc = "The scale of the bone's pose."},
    {.name = "flip", ONE(numbers_curve), .doc = "The flip of the bone's pose."},
    {.name = "rotation", ONE(quaternions_curve), .doc = "The rotation of the bone's pose."},
    {.name = "scale_rotation", ONE(quaternions_curve), .doc = "The axes of the scale of the bone's pose."},
};
RECORD(curves, "curves", "the curves of a bone");

static const mst_field track_fields[] = {
    {.name = "bone",
     U32,
     .doc = "The bone that moves.",
     REFERS({.target = "bones", .code = "SPARK-MODEL-ANIM-BONE"})},
    {.name = "frames",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_FRAMES,
     .record = &affine,
     .doc = "The bone's pose relative to its parent in each frame."},
};
RECORD(track, "track", "the movement of a bone");

static const mst_field tag_fields[] = {
    {.name = "frame", U32, .doc = "The frame in which it happens."},
    {.name = "name", NARROW, .doc = "The event's name for scripts: step_run, hit."},
};
RECORD(tag, "tag", "an event in an animation");

static const mst_enum_name animation_flags[] = {{0, "relative"}, {1, "looping"}};
static const char *const animation_meanings[] = {
    "poses are differences to the first frame, to be added to another animation",
    "it is repeated without a break"};
static const mst_field animation_fields[] = {
    {.name = "flags",
     U32,
     NAMES(animation_flags),
     .meanings = animation_meanings,
     .flags = MST_FIELD_FLAGS,
     .doc = "How it is played."},
    {.name = "frame_count", U32, BIND(R_FRAMES), .doc = "Number of frames of each track."},
    {.name = "frame_rate", F32, .unit = "1/s", .doc = "Frames per second; 30 in most animations."},
    {.name = "compressed",
     BOOL,
     IF(FROM(7)),
     BIND(R_COMPRESSED),
     .doc = "Whether there are curves besides tracks.",
     .rule = {.kind = MST_RULE_BOOL, .code = "SPARK-MODEL-BOOL"}},
    {.name = "curves",
     LIST(curves),
     IF(FROM(7), IS_NOT(R_COMPRESSED, 0)),
     .doc = "The same movements as curves, one entry for each bone. The tracks suffice to show them."},
    {.name = "tracks", LIST(track), .doc = "The movements frame by frame, of all bones or some."},
    {.name = "tags", LIST(tag), .doc = "Events for scripts."},
};
RECORD(animation, "animation", "movements of bones");

static const mst_enum_name node_types[] = {{1, "animation"}, {2, "blend"}, {3, "layer"}};
static const char *const node_meanings[] = {"one animation", "nodes mixed by a parameter",
                                            "nodes played on top of each other"};
static const mst_enum_name node_flags[] = {{0, "circular"}};
#define NODES                                                                                                \
    U32S, .doc = "The nodes that it combines, by their place in this list.",                                 \
          REFERS({.target = "animation_nodes", .code = "SPARK-MODEL-NODE-REF"})
static const mst_field node_fields[] = {
    {.name = "type",
     U32,
     NAMES(node_types),
     .meanings = node_meanings,
     BIND(R_TYPE),
     .doc = "The kind of the node.",
     .rule = {.kind = MST_RULE_NAMED, .code = "SPARK-MODEL-NODE-TYPE"}},
    {.name = "flags",
     U32,
     NAMES(node_flags),
     .flags = MST_FIELD_FLAGS,
     .doc = "circular: the ends of a blend meet, as in a full turn; not set in nearly all nodes."},
    {.name = "animation",
     U32,
     IF(IS(R_TYPE, 1)),
     .doc = "The animation that is played.",
     REFERS({.target = "animations", .code = "SPARK-MODEL-NODE-REF"})},
    {.name = "parameter",
     U32,
     IF(IS(R_TYPE, 2)),
     .doc = "The parameter that determines the weight of each node.",
     REFERS({.target = "blend_parameters", .code = "SPARK-MODEL-NODE-PARAMETER"})},
    {.name = "minimum", F32, IF(IS(R_TYPE, 2)), .doc = "The parameter's value at the first node."},
    {.name = "maximum", F32, IF(IS(R_TYPE, 2)), .doc = "The parameter's value at the last node."},
    {.name = "nodes", NODES, IF(IS(R_TYPE, 2))},
    {.name = "nodes", NODES, IF(IS(R_TYPE, 3))},
};
RECORD(node, "animation_node", "an animation, or several mixed");

static const mst_field sequence_fields[] = {
    {.name = "name", NARROW, .doc = "Its name in scripts and animation graphs."},
    {.name = "node",
     U32,
     .doc = "The node that is played.",
     REFERS({.target = "animation_nodes", .code = "SPARK-MODEL-SEQUENCE-NODE"})},
    {.name = "length", F32, .unit = "s", .doc = "Its duration: (frames - 1) / frame rate of an animation."},
};
RECORD(sequence, "sequence", "a named animation");

/* ---- physics ------------------------------------------------------------------------------------- */

static const mst_field rep_fields[] = {
    {.name = "solid_count", U32, .doc = "How many solids it has."},
    {.name = "first_solid", U32, .doc = "Index of the first one."},
    {.name = "joint_count", U32, .doc = "How many joints it has."},
    {.name = "first_joint", U32, .doc = "Index of the first one."},
    {.name = "pair_count", U32, .doc = "How many collision pairs it has."},
    {.name = "first_pair", U32, .doc = "Index of the first one."},
};
RECORD(rep, "collision_rep", "solids, joints and pairs that belong together");
static const mst_field named_rep_fields[] = {
    {.name = "name", NARROW, .doc = "Its use: default, damage, select, move."},
    {.name = "rep", U32, .doc = "Which one.", REFERS({.target = "reps", .code = "SPARK-MODEL-REP-RANGE"})},
};
RECORD(named_rep, "named_rep", "the use of a collision rep");
static const mst_field reps_fields[] = {
    {.name = "reps",
     LIST(rep),
     .doc = "Together they have all solids, joints and pairs; without any, one is empty."},
    {.name = "names", LIST(named_rep), .doc = "The use of each rep; default always exists."},
};
RECORD(reps, "collision_reps", "the shapes of the model for collisions");

static const mst_field triangle_fields[] = {
    {.name = "vertices",
     U32,
     FIXED(3),
     .doc = "Clockwise from outside, unlike the mesh's.",
     REFERS({.target = "vertices", .code = "SPARK-MODEL-SOLID-INDEX"})}};
RECORD(triangle, "triangle", "a triangle of a solid", .is_inline = true);
static const mst_field solid_fields[] = {
    {.name = "name", NARROW, .doc = "Often its bone's."},
    {.name = "bone", U32, NOTHING, .doc = "The bone that it moves with.", BONE("SPARK-MODEL-SOLID-BONE")},
    {.name = "to_bone", ONE(coords), .doc = "Its place at the bone, or in the model; it may scale."},
    {.name = "mass", F32, .doc = "0 or 1; its unit is not known, 0 may leave it to the engine."},
    {.name = "vertices", LIST(point), .doc = "Corners of the hull in its own space."},
    {.name = "triangles", LIST(triangle), .doc = "A closed, convex hull."},
};
RECORD(solid, "solid", "a convex hull");

static const mst_field joint_fields[] = {
    {.name = "name", NARROW, .doc = "Not known to be used."},
    {.name = "solid_1",
     U32,
     .doc = "The solid that holds.",
     REFERS({.target = "solids", .code = "SPARK-MODEL-JOINT-SOLID"})},
    {.name = "to_solid_1", ONE(coords), .doc = "The joint in the space of the first solid."},
    {.name = "solid_2",
     U32,
     NOTHING,
     .doc = "The solid that is held.",
     REFERS({.target = "solids", .code = "SPARK-MODEL-JOINT-SOLID"})},
    {.name = "to_solid_2", ONE(coords), .doc = "The joint in the space of the second solid: the same place."},
    {.name = "kind", U32, .doc = "0 in all known models; other kinds are not known."},
    {.name = "minimum", F32S(3), .unit = "rad", .doc = "How far it turns back, probably about x, y, z."},
    {.name = "maximum", F32S(3), .unit = "rad", .doc = "How far it turns forth."},
};
RECORD(joint, "joint", "a joint of a ragdoll");

#define PAIR_SOLID REFERS({.target = "solids", .code = "SPARK-MODEL-PAIR-SOLID"})
static const mst_field pair_fields[] = {
    {.name = "solid_1", U32, .doc = "The one solid.", PAIR_SOLID},
    {.name = "solid_2", U32, .doc = "The other.", PAIR_SOLID},
};
RECORD(pair, "collision_pair", "two solids that do not collide with each other");

static const mst_field attach_point_fields[] = {
    {.name = "name", NARROW, .doc = "Its name in scripts: fxnode_riflemuzzle, RHand_Weapon."},
    {.name = "bone", U32, NOTHING, .doc = "The bone that it moves with.", BONE("SPARK-MODEL-ATTACH-BONE")},
    {.name = "to_bone", ONE(coords), .doc = "Its place at the bone, or in the model."},
};
RECORD(attach_point, "attach_point", "a place for effects and other models");

static const mst_field camera_fields[] = {
    {.name = "name", NARROW, .doc = "Its name in scripts."},
    {.name = "bone", U32, NOTHING, .doc = "The bone that it moves with.", BONE("SPARK-MODEL-CAMERA-BONE")},
    {.name = "fov", F32, .unit = "rad", .doc = "How wide it sees, horizontally."},
    {.name = "to_bone", ONE(coords), .doc = "Its place at the bone, or in the model; it looks along its +Z."},
};
RECORD(camera, "camera", "a view, of first-person models and commander stations");

/* ---- the file ------------------------------------------------------------------------------------ */

#define CASE(id_, name_, ...)                                                                                \
    {                                                                                                        \
        .id = (id_), .field = {.name = (name_), __VA_ARGS__ }                                                \
    }
static const mst_case model_cases[] = {
    CASE(1, "vertices", LIST(vertex), .doc = "Corners of the mesh."),
    CASE(2, "indices", U32S, .doc = "Three vertices for each triangle, counter-clockwise from outside.",
         REFERS({.target = "vertices", .code = "SPARK-MODEL-INDEX"})),
    CASE(3, "face_sets", LIST(face_set), .doc = "The triangles by material, one set after the other."),
    CASE(6, "bones", LIST(bone), .doc = "The skeleton; empty in models that do not move."),
    CASE(4, "materials", LIST(string), .doc = "Paths of .material files below the game's root."),
    CASE(7, "animations", LIST(animation), .doc = "Animations; another model's may be used instead."),
    CASE(8, "animation_nodes", LIST(node), .doc = "Animations and mixtures of them."),
    CASE(9, "sequences", LIST(sequence), .doc = "The animations by name."),
    CASE(10, "blend_parameters", LIST(string),
         .doc = "Names of parameters of blend nodes, such as move_speed."),
    CASE(16, "collision_reps", ONE(reps), .doc = "The shapes of the model for collisions; not in version 3."),
    CASE(5, "solids", LIST(solid), .doc = "Hulls that represent the model in collisions."),
    CASE(14, "joints", LIST(joint), .doc = "Joints between solids."),
    CASE(15, "collision_pairs", LIST(pair), .doc = "Solids that do not collide with each other."),
    CASE(13, "attach_points", LIST(attach_point), .doc = "Places for effects and other models."),
    CASE(11, "cameras", LIST(camera), .doc = "Views."),
    CASE(17, "bounding_box", ONE(box),
         .doc = "The box of the vertices, of animated models often the box of all poses; not in version 3."),
    CASE(18, "bone_bounding_boxes", .kind = MST_KIND_RECORD, TO_END, .record = &box,
         .doc = "For each bone the box of the vertices that it moves, in its own space; 0 without any."),
    CASE(19, "animation_model", NARROW, .doc = "Path of the model whose animations this one uses."),
};
static const mst_chunks model_chunks = {
    .cases = model_cases, .case_count = MST_COUNT_OF(model_cases), .unknown = &unknown_chunks};
static const mst_field model_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(3), .constant = "MDL"},
    {.name = "version", U8, .doc = "3, 5 or 7; the fields state what depends on it."},
    {.name = "chunks",
     .kind = MST_KIND_CHUNKS,
     .chunks = &model_chunks,
     .doc = "In real models in the order of the table; any order is read and kept."},
};
const mst_record mst_spark_model_record = {.name = "model",
                                           .doc = "a model",
                                           .fields = model_fields,
                                           .field_count = MST_COUNT_OF(model_fields),
                                           .index = I_mst_spark_model_record};
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)name;
    if (size < 3 || memcmp(bytes, "MDL", 3) != 0)
        return false;
    if (size > 3) /* else it is a truncated model */
        variant->version = bytes[3];
    return true;
}

static bool version_known(uint32_t version) {
    return version == 3 || version == 5 || version == 7;
}

const mst_format mst_format_spark_model = {
    .information = {.id = "spark-model",
                    .title = "Natural Selection 2 model",
                    .extensions = ".model",
                    .media_type = "",
                    .versions = "3, 5, 7",
                    .rows = "face_sets"},
    .tables.root = &mst_spark_model_record,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = mst_spark_bindings,
    .tables.bindings_count = MST_SPARK_BINDINGS,
    .identity.version_field = "version",
    .identity.version = 7,
    .identity.probe = probe,
    .identity.version_known = version_known,
    .check.problem_codes = {[MST_PROBLEM_MAGIC] = "SPARK-MODEL-MAGIC",
                            [MST_PROBLEM_VERSION] = "SPARK-MODEL-VERSION",
                            [MST_PROBLEM_OVERRUN] = "SPARK-MODEL-CHUNK-OVERRUN",
                            [MST_PROBLEM_STRING] = "SPARK-MODEL-STRING-OVERRUN",
                            [MST_PROBLEM_COUNT] = "SPARK-MODEL-COUNT",
                            [MST_PROBLEM_TRAILING] = "SPARK-MODEL-TRAILING",
                            [MST_PROBLEM_REST] = "SPARK-MODEL-TRAILING"},
    .check.codes = &mst_spark_model_codes,
    .check.dangling =
        MST_DANGLING("SPARK-MODEL-INDEX-COUNT", "SPARK-MODEL-FACESET-ORDER", "SPARK-MODEL-FACESET-RANGE",
                     "SPARK-MODEL-FACESET-COVER", "SPARK-MODEL-WEIGHT-INDEX", "SPARK-MODEL-BONE-PARENT",
                     "SPARK-MODEL-BONE-BOUNDS", "SPARK-MODEL-REP-RANGE", "SPARK-MODEL-ANIM-CURVES"),
    .check.fixes = MST_FIXES({"SPARK-MODEL-BOUNDS",
                              "sets the box of a model without animations to the box of its vertices",
                              mst_spark_fix_bounds}),
    .check.nonfinite_code = "SPARK-MODEL-NONFINITE",
    .check.check = mst_spark_check_model,
    .content.names = mst_spark_model_names,
    .build_scene = mst_spark_scene,
    .tables.introduction =
        "A model of Natural Selection 2 (Spark engine). Little-endian; metres, right-handed, Y up: the axes "
        "of "
        "levels and of glTF. A\n"
        "model faces +Z. Numbers are kept bit by bit.\n"
        "\n"
        "The bind pose is the pose in which the vertices are stored. A vertex moves by the sum over its "
        "bones of "
        "weight * (pose of\n"
        "the bone now) * (inverse of its bind pose). Hulls (`solids`) are wound the other way round than the "
        "mesh.\n"
        "\n"
        "A new model without a skeleton needs vertices, indices, face_sets, bones (none), materials, "
        "collision_reps (one rep of\n"
        "zeros, named default) and bounding_box. Versions 3 and 5 have neither colours nor curves; versions "
        "4 and 6 "
        "are not known.\n",
    .tables.relations =
        "- `materials` are paths of [`spark-material`](spark-material.md) files below the game's root, "
        "compared without case; `animation_model` is the path of another model.\n"
        "- Entities of a level name a model in the property `model`, relative to the same root.\n",
    .tables.listed = MST_LISTED(
        {"points_curve", "values", "refused: there are as many as the curve has times", "spark-assets.md 3"},
        {"quaternions_curve", "values", "refused: there are as many as the curve has times",
         "spark-assets.md 3"},
        {"track", "frames", "refused: there are as many as the animation has frames", "spark-assets.md 3"}),
    .tables.sources =
        "- Measurements on 171 models of 22 public mods: 1 of version 3, 55 of version 5, 115 of "
        "version 7.\n"
        "- [An exporter](https://github.com/BeigeAlert/blender_spark_model_export) and [an "
        "importer](https://github.com/Psycrow101/io_scene_spark_model).\n",
};
