/* SPDX-License-Identifier: MIT */
/*
 * The tables of Natural Selection 2 levels and clipboards. Facts: "Map format documentation"
 * (https://forums.unknownworlds.com/discussion/comment/2136215), corrected by measurements on 109 levels of
 * versions 4, 6, 7, 9 and 10; versions 5 and 8 are interpolated.
 */
#include "../../schema/words.h"
#include "bindings.h"
#include "ns2.h"
#include "relations.h"

/* context variables; 0 is the version */
enum { R_ID = 1, R_TYPE, R_COMPONENTS, R_ANIMATED, R_HAS_LAYERS, R_INNER, R_PROPERTIES, R_COUNT, R_KIND };
#define NONE   0xFFFFFFFFu
#define NARROW .kind = MST_KIND_CHAR8, MST_PREFIXED
#define WIDE   .kind = MST_KIND_CHAR16, MST_PREFIXED
/* `animated` has a code of its own */
#define IS_BOOL .rule = {.kind = MST_RULE_BOOL, .code = "NS2-BOOL"}
#define BOOL    .kind = MST_KIND_U32, .flags = MST_FIELD_BOOL, IS_BOOL
#define F32S(n) .kind = MST_KIND_F32, .mode = MST_COUNT_FIXED, .count = (n)
#define U32S    .kind = MST_KIND_U32, MST_PREFIXED

/* clang-format off */
#define RECORDS(X) \
    X(level) X(clip) X(string) X(wide_string) X(point) X(vertex) X(edge) X(loop_edge) X(loop) \
    X(face) X(face_layer) X(face_layers) X(mapping_group) X(vertex_group) X(edge_group) \
    X(face_group) X(mst_ns2_geometry_groups_record) X(triangle) X(face_triangles) \
    X(mst_ns2_triangles_record) X(mst_ns2_mesh_record) X(mst_ns2_property_record) \
    X(mst_ns2_extra_record) X(cube_side) X(cube_row) X(mst_ns2_object_record) X(layer) X(color) \
    X(mst_ns2_setting_record) X(setting_layers) X(unknown_chunk) X(mst_ns2_clip_object_record) \
    X(mst_ns2_block_record)
/* clang-format on */
enum { RECORDS(RECORD_INDEX) };

#define EDITOR_UNIT .editor_unit = "in", .editor_per_metre = 1 / 0.0254

#define SOURCES                                                                                              \
    "[Map format documentation](https://forums.unknownworlds.com/discussion/comment/2136215), corrected by " \
    "measurements "                                                                                          \
    "on 109 levels of versions 4, 6, 7, 9 and 10. Versions 5 and 8 are interpolated. What properties refer " \
    "to follows "                                                                                            \
    "scripts of the game and the same levels.\n"

static const mst_enum_name none_names[] = {{NONE, "none"}};
static const mst_enum none = {none_names, 1};

#define GROUP(...)                                                                                           \
    REFERS({.by = MST_BY_ID,                                                                                 \
            .target = "groups",                                                                              \
            .key = "id",                                                                                     \
            .member = true,                                                                                  \
            .code = "NS2-GROUP-UNKNOWN",                                                                     \
            __VA_ARGS__})
#define LAYERS                                                                                               \
    REFERS({.by = MST_BY_BIT, .target = "layers", .key = "id", .member = true, .code = "NS2-LAYER-UNKNOWN"})
/* version 4 has no ids */
#define LAYER_NUMBERS                                                                                        \
    REFERS({.by = MST_BY_BIT, .target = "layers", .apart = true, .member = true, .code = "NS2-LAYER-INDEX"})

/* ---- small records ----------------------------------------------------------------------------- */

static const mst_field string_fields[] = {
    {.name = "text", NARROW, .doc = "Bytes without a terminator; ASCII in all known levels."}};
RECORD(string, "string", "a narrow string", .is_inline = true);
static const mst_field wide_string_fields[] = {
    {.name = "text", WIDE, .doc = "UTF-16 code units without a terminator."}};
RECORD(wide_string, "wide_string", "a wide string", .is_inline = true);
static const mst_field point_fields[] = {
    {.name = "position",
     F32S(3),
     .unit = "m",
     .doc = "x, y, z in the space of the level: Y is up, +Z forward, +X left."}};
RECORD(point, "point", "three coordinates", .is_inline = true);
static const mst_field color_fields[] = {
    {.name = "rgba",
     .kind = MST_KIND_U8,
     .mode = MST_COUNT_FIXED,
     .count = 4,
     .doc = "Red, green, blue, alpha, 0 to 255 each. Of use to the editor only."}};
RECORD(color, "color", "red, green, blue, alpha", .is_inline = true);

static const mst_field unknown_chunk_fields[] = {
    {.name = "id", U32, .doc = "Not known what the chunk is."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Not known; kept as it is."},
};
RECORD(unknown_chunk, "unknown_chunk", "a chunk with an unknown id, or a duplicate of a known one");
static const mst_field unknown_chunks = {.name = "unknown_chunks",
                                         .doc = "Chunks with other ids, kept unchanged.",
                                         .kind = MST_KIND_RECORD,
                                         .record = &unknown_chunk,
                                         .flags = MST_FIELD_REPEATED};

/* ---- mesh -------------------------------------------------------------------------------------- */

static const mst_field vertex_fields[] = {
    {.name = "position", F32S(3), .unit = "m", .doc = "x, y, z: Y is up, +Z forward, +X left."},
    {.name = "smooth", U8, IS_BOOL, .doc = "Whether shading is smooth around the vertex.", IF(FROM(8))},
};
RECORD(vertex, "vertex", "a corner of faces");

static const mst_field edge_fields[] = {
    {.name = "vertices",
     U32,
     FIXED(2),
     .doc = "The first and the second end.",
     REFERS({.target = "vertices", .code = "NS2-EDGE-VERTEX"})},
    {.name = "smooth", U8, IS_BOOL, .doc = "Whether shading is smooth across the edge.", IF(FROM(8))},
};
RECORD(edge, "edge", "two vertices; each pair once");

static const mst_field loop_edge_fields[] = {
    {.name = "flipped",
     U32,
     .flags = MST_FIELD_BOOL,
     IS_BOOL,
     .doc = "Whether the edge runs from its second vertex to its first."},
    {.name = "edge",
     U32,
     .doc = "The edge that the loop runs along.",
     REFERS({.target = "edges", .owner = "faces", .code = "NS2-EDGE-INDEX"})},
};
RECORD(loop_edge, "loop_edge", "an edge with a direction");

static const mst_field loop_fields[] = {
    {.name = "edges",
     LIST(loop_edge),
     .doc = "Each begins where the one before ends, the first where the last ends."}};
RECORD(loop, "loop", "a closed sequence of edges", .is_inline = true);

static const mst_field face_fields[] = {
    {.name = "angle", F32, .unit = "rad", .doc = "Rotation of the texture in the plane of the face."},
    {.name = "offset",
     F32S(2),
     .doc = "Added to u and v, in repeats of the texture.",
     .evidence = "not a number in six faces of a real level"},
    {.name = "scale", F32S(2), .unit = "1/m", .doc = "Repeats of the texture per metre."},
    {.name = "mapping_group",
     U32,
     .names = &none,
     .doc = "Id of the mapping group that replaces the face's own angle, offset and scale.",
     REFERS(
         {.by = MST_BY_ID, .target = "mapping_groups", .key = "id", NO(NONE), .code = "NS2-MAPPING-GROUP"})},
    {.name = "material",
     U32,
     .doc = "What the face is drawn with.",
     REFERS({.target = "materials", .code = "NS2-MATERIAL-INDEX"})},
    {.name = "inner_loop_count",
     U32,
     .length_of = "loops",
     .length_bias = -1,
     BIND(R_INNER),
     .doc = "Number of holes."},
    {.name = "loops",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_INNER,
     .count = 1,
     .record = &loop,
     .doc = "The border, then the holes. Seen from the visible side the border is counter-clockwise, holes "
            "are clockwise.",
     .evidence = "2689 of 2690 holes"},
};
RECORD(face, "face", "a flat polygon with holes");

static const mst_refers of_faces = {.target = "mesh.faces"};

static const mst_field face_layer_fields[] = {
    {.name = "has_layers", BOOL, BIND(R_HAS_LAYERS), .doc = "Whether the face is on any layer."},
    {.name = "layer_masks",
     U32S,
     IF(IS_NOT(R_HAS_LAYERS, 0)),
     LAYERS,
     .doc = "Bit k of all words together is the layer with id k; 8 words in all known levels."},
};
RECORD(face_layer, "face_layer", "the layers of one face");

static const mst_field face_layers_fields[] = {
    {.name = "face_count",
     U32,
     .length_of = "faces",
     BIND(R_COUNT),
     IF(FROM(5)),
     .doc = "The number of faces of the mesh."},
    {.name = "format",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = MST_NS2_LAYER_FORMAT,
     IF(FROM(5)),
     .doc = "2 in all known levels; what other numbers mean is not known."},
    {.name = "faces",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .record = &face_layer,
     IF(FROM(5)),
     .parallel = &of_faces,
     .doc = "One entry for each face."},
    {.name = "masks",
     .kind = MST_KIND_U64,
     TO_END,
     IF(UNTIL(5)),
     LAYER_NUMBERS,
     .parallel = &of_faces,
     .doc = "One mask for each face: bit k is layer number k."},
};
RECORD(face_layers, "face_layers", "the layers of all faces");

static const mst_field mapping_group_fields[] = {
    {.name = "id", U32, .doc = "Ids start at 1."},
    {.name = "angle", F32, .unit = "rad", .doc = "Replaces the angle of its faces."},
    {.name = "scale", F32S(2), .unit = "1/m", .doc = "Replaces the scale of its faces: repeats per metre."},
    {.name = "offset", F32S(2), .doc = "Replaces the offset of its faces, in repeats of the texture."},
    {.name = "normal",
     F32S(3),
     .doc = "Normal of the projection; not known whether it points out of the face or into it."},
};
RECORD(mapping_group, "mapping_group", "a texture projection that faces share");

#define GROUP_OF(list)                                                                                       \
    {.name = "id", U32, GROUP(), .doc = "Id of the group that the indices belong to."}, {                    \
        .name = "indices", U32S, .doc = "Its members, each once.",                                           \
        REFERS({.target = (list), .member = true, .code = "NS2-GROUP-INDEX"})                                \
    }
static const mst_field vertex_group_fields[] = {GROUP_OF("vertices")};
RECORD(vertex_group, "vertex_group", "vertices that belong to one group");
static const mst_field edge_group_fields[] = {GROUP_OF("edges")};
RECORD(edge_group, "edge_group", "edges that belong to one group");
static const mst_field face_group_fields[] = {GROUP_OF("faces")};
RECORD(face_group, "face_group", "faces that belong to one group");
static const mst_field geometry_groups_fields[] = {
    {.name = "vertex_groups",
     LIST(vertex_group),
     .doc = "One entry for each group that has vertices, in any order."},
    {.name = "edge_groups",
     LIST(edge_group),
     .doc = "One entry for each group that has edges, in any order."},
    {.name = "face_groups",
     LIST(face_group),
     .doc = "One entry for each group that has faces, in any order."},
};
const mst_record mst_ns2_geometry_groups_record = {.name = "geometry_groups",
                                                   .doc = "the groups of vertices, edges and faces",
                                                   .fields = geometry_groups_fields,
                                                   .field_count = MST_COUNT_OF(geometry_groups_fields),
                                                   .index = I_mst_ns2_geometry_groups_record};

static const mst_field triangle_fields[] = {
    {.name = "vertices",
     U32,
     FIXED(3),
     .doc = "Counter-clockwise from the visible side; from the number of vertices on, ghost vertices.",
     REFERS({.target = "vertices",
             .then = "triangles.ghost_vertices",
             .owner = "faces",
             .code = "NS2-TRIANGLE-VERTEX"})},
    {.name = "normals",
     U32,
     FIXED(3),
     IF(FROM(8)),
     REFERS({.target = "smoothed_normals", .end_is_none = true, .code = "NS2-NORMAL-INDEX"}),
     .doc = "Smoothed normals of the corners; an index equal to the list's length: none, the face's normal "
            "counts."},
};
RECORD(triangle, "triangle", "a triangle of a face");
static const mst_field face_triangles_fields[] = {
    {.name = "triangles", LIST(triangle), .doc = "What the game draws of the face; none: it is not drawn."}};
RECORD(face_triangles, "face_triangles", "the triangles of one face", .is_inline = true);
static const mst_field triangles_fields[] = {
    {.name = "ghost_vertices",
     LIST(point),
     IF(FROM(7)),
     .doc = "Vertices used only by triangles, where edges of neighbouring faces meet in a T."},
    {.name = "smoothed_normals", LIST(point), IF(FROM(8)), .doc = "Unit vectors; may be empty."},
    {.name = "face_count",
     U32,
     .length_of = "faces",
     BIND(R_COUNT),
     .doc = "The number of faces of the mesh."},
    {.name = "triangle_count", U32, .doc = "Number of triangles of all faces."},
    {.name = "faces",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .record = &face_triangles,
     .parallel = &of_faces,
     .doc = "The triangles of each face."},
};
const mst_record mst_ns2_triangles_record = {.name = "triangles",
                                             .doc = "the mesh as triangles",
                                             .fields = triangles_fields,
                                             .field_count = MST_COUNT_OF(triangles_fields),
                                             .index = I_mst_ns2_triangles_record};

static const mst_case mesh_cases[] = {
    {.id = 4,
     .field = {.name = "materials",
               LIST(string),
               .flags = MST_FIELD_OWNED,
               .doc = "Paths of materials, in the order in which faces first use them.",
               .evidence = "no duplicates and none unused in 109 levels"}},
    {.id = 1, .field = {.name = "vertices", LIST(vertex), .flags = MST_FIELD_OWNED, .doc = "Corners."}},
    {.id = 2, .field = {.name = "edges", LIST(edge), .flags = MST_FIELD_OWNED, .doc = "Pairs of vertices."}},
    {.id = 3, .field = {.name = "faces", LIST(face), .doc = "Polygons with holes."}},
    {.id = 6,
     .field = {.name = "face_layers",
               .kind = MST_KIND_RECORD,
               .record = &face_layers,
               .doc = "Layers of the faces, one entry for each."}},
    {.id = 7,
     .field = {.name = "mapping_groups",
               LIST(mapping_group),
               .doc = "Shared texture projections; empty in every known level."}},
    {.id = 8,
     .field = {.name = "geometry_groups",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_geometry_groups_record,
               .doc = "Groups of vertices, edges and faces; not in version 4."}},
    {.id = 5,
     .field = {.name = "triangles",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_triangles_record,
               .doc = "The triangles that are drawn; list i belongs to face i."}},
};
static const mst_chunks mesh_chunks = {
    .cases = mesh_cases, .case_count = MST_COUNT_OF(mesh_cases), .unknown = &unknown_chunks};
static const mst_field mesh_fields[] = {{.name = "chunks",
                                         .kind = MST_KIND_CHUNKS,
                                         .chunks = &mesh_chunks,
                                         .doc = "In real levels in the order of the table."}};
const mst_record mst_ns2_mesh_record = {.name = "mesh",
                                        .doc = "the level's geometry",
                                        .fields = mesh_fields,
                                        .field_count = MST_COUNT_OF(mesh_fields),
                                        .index = I_mst_ns2_mesh_record};

/* ---- objects ----------------------------------------------------------------------------------- */

static const mst_enum_name type_names[] = {
    {0, "string"},     {1, "bool"},  {2, "real"}, {3, "integer"},  {4, "file_name"}, {5, "color"},
    {6, "percentage"}, {7, "angle"}, {8, "time"}, {9, "distance"}, {10, "choice"}};
static const mst_enum types = {type_names, MST_COUNT_OF(type_names)};

#define VALUE_WHEN(mask) .name = "value", IF(IS(R_ID, 2), IS(R_ANIMATED, 0), {MST_ONE_OF, R_TYPE, (mask)})
#define COMPONENTS       .mode = MST_COUNT_VARIABLE, .count_variable = R_COMPONENTS
static const mst_field property_fields[] = {
    {.name = "id",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = 2,
     BIND(R_ID),
     .doc = "2: a property as below; 1: an older kind, kept as bytes."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "name", NARROW, IF(IS(R_ID, 2)), .doc = "What the value is to the entity's class; may repeat."},
    {.name = "type",
     U32,
     .names = &types,
     BIND(R_TYPE),
     IF(IS(R_ID, 2)),
     .doc = "How the value is stored, and shown in the editor.",
     .rule = {.kind = MST_RULE_NAMED, .code = "NS2-PROPERTY-TYPE"}},
    {.name = "component_count",
     U32,
     .length_of = "value",
     BIND(R_COMPONENTS),
     IF(IS(R_ID, 2)),
     .doc = "1 for most; 3 for vectors (origin, angles, scale), 3 or 4 for colours."},
    {.name = "animated",
     .kind = MST_KIND_U32,
     .flags = MST_FIELD_BOOL,
     BIND(R_ANIMATED),
     IF(IS(R_ID, 2)),
     .doc = "0 in all known levels; if true, how the value is stored is not known, and it is kept as bytes."},
    {VALUE_WHEN(1u << 0 | 1u << 4), .kind = MST_KIND_RECORD, COMPONENTS, .record = &wide_string,
     .doc = "string, file_name: a path below the game's root."},
    {VALUE_WHEN(1u << 1), BOOL, COMPONENTS, .doc = "bool: 0 no, 1 yes."},
    {VALUE_WHEN(1u << 9), F32, COMPONENTS, .unit = "m",
     .doc = "distance: the editor shows inches, 39.37 to the metre."},
    {VALUE_WHEN(1u << 7), F32, COMPONENTS, .unit = "rad",
     .doc = "angle: the editor shows degrees; three of them are roll, pitch, yaw."},
    {VALUE_WHEN(1u << 2 | 1u << 5 | 1u << 6 | 1u << 8), F32, COMPONENTS,
     .doc = "real; color: red, green, blue, alpha; percentage; time, whose unit is not known."},
    {VALUE_WHEN(1u << 3 | 1u << 10), .kind = MST_KIND_I32, COMPONENTS,
     .doc = "integer; choice: one of the values that editor_setup.xml lists for the property."},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the known fields."},
};
_Static_assert(MST_COUNT_OF(property_fields) == MST_NS2_PROPERTY_FIELDS, "one constant for each field");
const mst_record mst_ns2_property_record = {.name = "property",
                                            .doc = "a named value of an entity",
                                            .fields = property_fields,
                                            .field_count = MST_COUNT_OF(property_fields),
                                            .index = I_mst_ns2_property_record,
                                            .pairs = true};

static const mst_field cube_row_fields[] = {{.name = "pixels",
                                             .kind = MST_KIND_RAW,
                                             FIXED(MST_NS2_CUBEMAP_ROW),
                                             .flags = MST_FIELD_CONTENT,
                                             .doc = "Red, green, blue, and the exponent of all three."}};
RECORD(cube_row, "cube_row", "64 pixels", .is_inline = true);
static const mst_field cube_side_fields[] = {{.name = "rows",
                                              .kind = MST_KIND_RECORD,
                                              FIXED(MST_NS2_CUBEMAP_SIDE),
                                              .record = &cube_row,
                                              .doc = "64 rows of 64 pixels; not known which way is up."}};
RECORD(cube_side, "cube_side", "the view to one side", .is_inline = true);

/* The name ends where the length begins, just before the data. */
static bool is_cubemap(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    static const char name[] = MST_NS2_CUBEMAP;
    enum { NAME = sizeof name - 1 };
    (void)context;
    if (end - offset != MST_NS2_CUBEMAP_SIZE || offset < NAME + 8)
        return false;
    const uint8_t *length = document->data + offset - NAME - 8;
    return mst_load32(length, document->variant.big) == NAME && memcmp(length + 4, name, NAME) == 0;
}

static const mst_field extra_fields[] = {
    {.name = "name", NARROW, .doc = "Only reflection_probe_cubemap is known."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "cubemap",
     .kind = MST_KIND_RECORD,
     FIXED(6),
     .record = &cube_side,
     .present = is_cubemap,
     .doc = "Cubemap of a reflection probe: in an extra reflection_probe_cubemap of the right size."},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Data of any other extra."},
};
const mst_record mst_ns2_extra_record = {.name = "extra",
                                         .doc = "a block of data that the editor made for an entity",
                                         .fields = extra_fields,
                                         .field_count = MST_COUNT_OF(extra_fields),
                                         .index = I_mst_ns2_extra_record};

#define OBJECT_FIELDS                                                                                        \
    {.name = "layer_mask",                                                                                   \
     .kind = MST_KIND_U64,                                                                                   \
     IF(UNTIL(5)),                                                                                           \
     LAYER_NUMBERS,                                                                                          \
     .doc = "Bit k is layer number k."},                                                                     \
        {.name = "has_layers",                                                                               \
         BOOL,                                                                                               \
         BIND(R_HAS_LAYERS),                                                                                 \
         IF(FROM(5)),                                                                                        \
         .doc = "Whether the entity is on any layer."},                                                      \
        {.name = "layer_format",                                                                             \
         U32,                                                                                                \
         .flags = MST_FIELD_DEFAULT,                                                                         \
         .initial = MST_NS2_LAYER_FORMAT,                                                                    \
         IF(FROM(5), IS_NOT(R_HAS_LAYERS, 0)),                                                               \
         .doc = "2 in all known levels; what other numbers mean is not known."},                             \
        {.name = "layer_masks",                                                                              \
         U32S,                                                                                               \
         IF(FROM(5), IS_NOT(R_HAS_LAYERS, 0)),                                                               \
         LAYERS,                                                                                             \
         .doc = "Bit k of all words together is the layer with id k."},                                      \
        {.name = "group",                                                                                    \
         U32,                                                                                                \
         IF(FROM(5)),                                                                                        \
         .names = &none,                                                                                     \
         GROUP(NO(NONE)),                                                                                    \
         .doc = "Id of the group that the entity is in; meaningful names are listed above."},                \
        {.name = "class_name",                                                                               \
         NARROW,                                                                                             \
         .doc =                                                                                              \
             "Class of the entity, such as prop_static; editor_setup.xml of the game or mod defines them."}, \
        {.name = "property_count",                                                                           \
         U32,                                                                                                \
         .length_of = "properties",                                                                          \
         BIND(R_PROPERTIES),                                                                                 \
         IF(FROM(10)),                                                                                       \
         .doc = "Earlier versions have properties until the chunk ends."},                                   \
        {.name = "properties",                                                                               \
         .kind = MST_KIND_RECORD,                                                                            \
         .mode = MST_COUNT_VARIABLE,                                                                         \
         .count_variable = R_PROPERTIES,                                                                     \
         .record = &mst_ns2_property_record,                                                                 \
         IF(FROM(10)),                                                                                       \
         .doc = "origin and angles come first; then what the class has."},                                   \
        {.name = "properties",                                                                               \
         .kind = MST_KIND_RECORD,                                                                            \
         TO_END,                                                                                             \
         .record = &mst_ns2_property_record,                                                                 \
         IF(UNTIL(10)),                                                                                      \
         .doc = "origin and angles come first; then what the class has."},                                   \
    {                                                                                                        \
        .name = "extras", LIST(mst_ns2_extra_record), IF(FROM(10)),                                          \
        .doc = "Only reflection probes have one."                                                            \
    }

static const mst_field object_fields[] = {OBJECT_FIELDS};
const mst_record mst_ns2_object_record = {.name = "object",
                                          .doc = "an entity",
                                          .fields = object_fields,
                                          .field_count = MST_COUNT_OF(object_fields),
                                          .index = I_mst_ns2_object_record};

/* ---- layers, groups, the editor's own ---------------------------------------------------------- */

static const mst_field layer_fields[] = {
    {.name = "name", WIDE, .doc = "Some names have a meaning for the game: see above."},
    {.name = "visible", BOOL, .doc = "Whether the editor shows it; the game does not care."},
    {.name = "color",
     .kind = MST_KIND_U8,
     .mode = MST_COUNT_FIXED,
     .count = 4,
     .doc = "Red, green, blue, alpha, 0 to 255 each, in the editor only."},
    {.name = "id",
     U32,
     IF(FROM(5)),
     .doc = "What faces and entities refer to it by, whatever its place in the list."},
};
RECORD(layer, "layer", "a layer or a group of the editor");

static const mst_field setting_layers_fields[] = {
    {.name = "name", WIDE, .doc = "Pathing in all known levels: the navigation mesh."},
    {.name = "layer_masks",
     U32S,
     .doc = "Bit k of all words together is the layer with id k; 8 words in all known levels.",
     REFERS({.by = MST_BY_BIT, .target = "layers", .key = "id", .member = true})}};
RECORD(setting_layers, "setting_layers", "the layers that a setting is for");
static const mst_case setting_cases[] = {
    {.id = 0,
     .field = {.name = "layers",
               .kind = MST_KIND_RECORD,
               .record = &setting_layers,
               .doc = "The layers that take part."}},
    {.id = 1,
     .field = {.name = "properties",
               .kind = MST_KIND_RECORD,
               TO_END,
               .record = &mst_ns2_property_record,
               .doc = "13 numbers for building the navigation mesh, by name."}},
};
static const mst_chunks setting_chunks = {
    .cases = setting_cases, .case_count = MST_COUNT_OF(setting_cases), .unknown = &unknown_chunks};
static const mst_field setting_fields[] = {
    {.name = "id",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = MST_NS2_SETTING,
     BIND(R_KIND),
     .doc = "0x7E374C8E; any other kind is not known and kept as bytes."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "chunks",
     .kind = MST_KIND_CHUNKS,
     .chunks = &setting_chunks,
     IF(IS(R_KIND, MST_NS2_SETTING)),
     .doc = "What the setting concerns, and its values."},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     IF(IS_NOT(R_KIND, MST_NS2_SETTING)),
     .doc = "Not known; kept as it is."},
};
const mst_record mst_ns2_setting_record = {.name = "setting",
                                           .doc =
                                               "settings of the editor, such as those of the navigation mesh",
                                           .fields = setting_fields,
                                           .field_count = MST_COUNT_OF(setting_fields),
                                           .index = I_mst_ns2_setting_record};

static const mst_case level_cases[] = {
    {.id = 2,
     .field = {.name = "mesh",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_mesh_record,
               .doc = "Exactly one, and first."}},
    {.id = 1,
     .field = {.name = "objects",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_object_record,
               .flags = MST_FIELD_REPEATED,
               .doc = "One chunk for each entity."}},
    {.id = 3, .field = {.name = "layers", LIST(layer), .doc = "Stored after the objects that are on them."}},
    {.id = 5, .field = {.name = "groups", LIST(layer), .doc = "Stored after the objects that are in them."}},
    {.id = 4, .field = {.name = "viewports", WIDE, .doc = "The editor's views, as XML."}},
    {.id = 6,
     .field = {.name = "custom_colors",
               LIST(color),
               .doc =
                   "16 colours of the editor's palette; in some levels of version 9 and all of version 10."}},
    {.id = 7,
     .field = {.name = "editor_settings",
               .kind = MST_KIND_RECORD,
               TO_END,
               .record = &mst_ns2_setting_record,
               .doc = "In some levels of version 9 and all of version 10."}},
};
static const mst_chunks level_chunks = {
    .cases = level_cases, .case_count = MST_COUNT_OF(level_cases), .unknown = &unknown_chunks};
static const mst_field level_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = 3, .constant = "LVL"},
    {.name = "version", .kind = MST_KIND_U8, .doc = "4 to 10; what it decides is said at the fields."},
    {.name = "chunks",
     .kind = MST_KIND_CHUNKS,
     .chunks = &level_chunks,
     .doc = "In real levels in the order of the table; any order is read and kept."},
};
RECORD(level, "level", "a level");

/* ---- clipboard --------------------------------------------------------------------------------- */

static const mst_field clip_object_fields[] = {
    {.name = "id",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = MST_NS2_CLIP_OBJECT,
     .doc = "1: an entity; others are not known."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    OBJECT_FIELDS,
};
const mst_record mst_ns2_clip_object_record = {.name = "clip_object",
                                               .doc = "an entity on the clipboard",
                                               .fields = clip_object_fields,
                                               .field_count = MST_COUNT_OF(clip_object_fields),
                                               .index = I_mst_ns2_clip_object_record};

static const mst_enum_name block_names[] = {{1, "objects"}, {2, "mesh"}};
static const mst_enum block_kinds = {block_names, MST_COUNT_OF(block_names)};
static const mst_field block_fields[] = {
    {.name = "unknown_00",
     U32,
     .flags = MST_FIELD_DEFAULT,
     .initial = 1,
     .doc = "1; what it means is not known."},
    {.name = "length", U32, .flags = MST_FIELD_SIZE},
    {.name = "kind",
     .kind = MST_KIND_U16,
     .names = &block_kinds,
     BIND(R_KIND),
     .doc = "What the block holds; counts towards its length."},
    {.name = "mesh",
     .kind = MST_KIND_RECORD,
     .record = &mst_ns2_mesh_record,
     IF(IS(R_KIND, 2)),
     .doc = "As in a level of version 10, but without triangles, layers of faces and members of groups."},
    {.name = "objects",
     .kind = MST_KIND_RECORD,
     TO_END,
     .record = &mst_ns2_clip_object_record,
     IF(IS(R_KIND, 1)),
     .doc = "The copied entities."},
    {.name = "data",
     .kind = MST_KIND_RAW,
     TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     IF(IS_NOT(R_KIND, 1), IS_NOT(R_KIND, 2)),
     .doc = "Not known; kept as it is."},
};
const mst_record mst_ns2_block_record = {.name = "block",
                                         .doc = "copied objects or a copied mesh",
                                         .fields = block_fields,
                                         .field_count = MST_COUNT_OF(block_fields),
                                         .index = I_mst_ns2_block_record};
static const mst_field clip_fields[] = {{.name = "blocks",
                                         .kind = MST_KIND_RECORD,
                                         TO_END,
                                         .record = &mst_ns2_block_record,
                                         .doc = "What was copied, kind by kind."}};
RECORD(clip, "clipboard", "a clipboard of the Spark editor");

/* ---- formats ----------------------------------------------------------------------------------- */

static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static bool probe_level(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                        mst_variant *variant) {
    (void)file_size;
    (void)name;
    if (size < 3 || bytes[0] != 'L' || bytes[1] != 'V' || bytes[2] != 'L')
        return false;
    /* without a version byte the file is a truncated level */
    variant->version = size > 3 ? bytes[3] : 10;
    return true;
}

static bool version_known(uint32_t version) {
    return version >= 4 && version <= 10;
}

/* The format has no magic: the first block and its first chunk must be plausible. */
static bool probe_clip(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                       mst_variant *variant) {
    (void)file_size;
    (void)name;
    if (size < 10 || mst_load32(bytes, false) != 1)
        return false;
    uint32_t length = mst_load32(bytes + 4, false);
    uint16_t kind = mst_load16(bytes + 8, false);
    if (length < 2 || kind < 1 || kind > 2)
        return false;
    if (length > 2) { /* the block may be truncated: check only how it begins */
        if (size < 18 || length < 10)
            return false;
        uint32_t id = mst_load32(bytes + 10, false);
        if (mst_load32(bytes + 14, false) > length - 10 || (kind == 1 ? id != 1 : id < 1 || id > 8))
            return false;
    }
    variant->version = 10;
    return true;
}

#define PROBLEM_CODES                                                                                        \
    {                                                                                                        \
        [MST_PROBLEM_MAGIC] = "NS2-MAGIC", [MST_PROBLEM_VERSION] = "NS2-VERSION",                            \
        [MST_PROBLEM_OVERRUN] = "NS2-CHUNK-OVERRUN", [MST_PROBLEM_STRING] = "NS2-STRING-OVERRUN",            \
        [MST_PROBLEM_COUNT] = "NS2-COUNT", [MST_PROBLEM_TRAILING] = "NS2-TRAILING"                           \
    }

const mst_format mst_format_ns2_level = {
    .information = {.id = "ns2-level",
                    .title = "Natural Selection 2 level",
                    .extensions = ".level",
                    .media_type = "",
                    .versions = "4, 5, 6, 7, 8, 9, 10",
                    .rows = "objects",
                    EDITOR_UNIT},
    .tables.root = &level,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = mst_ns2_bindings,
    .tables.bindings_count = MST_NS2_BINDINGS,
    .identity.version_field = "version",
    .identity.version = 10,
    .identity.probe = probe_level,
    .identity.version_known = version_known,
    .edit.fix_up = mst_ns2_fix_up,
    .edit.fill = mst_ns2_fill,
    .edit.settle = mst_ns2_settle,
    .check.problem_codes = PROBLEM_CODES,
    .check.codes = &mst_ns2_codes,
    .check.nonfinite_code = "NS2-NONFINITE",
    .check.begin = mst_ns2_check_begin,
    .check.item = mst_ns2_check_item,
    .check.check = mst_ns2_check,
    .scene.build = mst_ns2_scene,
    .content.describe = mst_ns2_describe,
    .images.count = mst_ns2_image_count,
    .images.read = mst_ns2_image_read,
    .images.replace = mst_ns2_image_replace,
    .tables.relations = mst_ns2_relations_reference,
    .tables.sources = SOURCES,
    .tables.introduction =
        "A level of Natural Selection 2 (Spark engine). Little-endian; metres (the editor shows inches: "
        "39.37 to the "
        "metre), Y up, +Z forward, +X left;\n"
        "angles in radians, stored roll, pitch, yaw: rotation = Ry(yaw) * Rx(pitch) * Rz(roll). Narrow "
        "strings are\n"
        "bytes, wide strings UTF-16. Layers and groups come after the objects that refer to them: read "
        "everything, then resolve.\n"
        "\n"
        "Groups that the game knows by name: CollisionGeometry, InvisibleGeometry, NonCollisionGeometry,\n"
        "OcclusionGeometry, CommanderInvisible, CommanderInvisibleVents, CommanderInvisibleNonCollision,\n"
        "CommanderBuild, CommanderNoBuild, OverviewInvisible, Low Lights. Layers: Vents, Pathing,\n"
        "ReflectionsInvisible.\n",
};

const mst_format mst_format_ns2_clip = {
    .information = {.id = "ns2-clip",
                    .title = "Spark editor clipboard",
                    .extensions = ".clip",
                    .media_type = "application/spark editor",
                    .versions = "",
                    .rows = "blocks",
                    EDITOR_UNIT},
    .tables.root = &clip,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.bindings = mst_ns2_bindings,
    .tables.bindings_count = MST_NS2_BINDINGS,
    .identity.version = 10,
    .identity.probe = probe_clip,
    .check.problem_codes = PROBLEM_CODES,
    .check.codes = &mst_ns2_codes,
    .check.nonfinite_code = "NS2-NONFINITE",
    .check.begin = mst_ns2_clip_check_begin,
    .check.item = mst_ns2_check_item,
    .check.check = mst_ns2_clip_check,
    .scene.build = mst_ns2_clip_scene,
    .content.describe = mst_ns2_describe,
    .tables.relations = mst_ns2_relations_reference,
    .tables.sources = SOURCES "No clipboard of the editor itself could be measured.\n",
    .tables.introduction =
        "The clipboard of the Spark editor (media type `application/spark editor`). Objects and\n"
        "meshes have the layout of level version 10.\n",
};
