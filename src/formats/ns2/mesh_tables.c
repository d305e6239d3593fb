/* SPDX-License-Identifier: MIT */
/* The tables of a level's mesh: vertices, edges, faces with their layers and groups, and triangles. */
#include "ns2_tables.h"

static const mst_field vertex_fields[] = {
    {.name = "position", F32S(3), .unit = "m", .doc = "x, y, z: Y is up, +Z forward, +X left."},
    {.name = "smooth", U8, IS_BOOL, .doc = "Whether shading is smooth around the vertex.", IF(FROM(8))},
};
static const mst_placement_fields stands = {.position = {"position"}, .from = 2, .to = 0};
MST_NS2_RECORD(vertex, "vertex", "a corner of faces", .placement = &stands);

static const mst_field edge_fields[] = {
    {.name = "vertices",
     U32,
     FIXED(2),
     .doc = "The first and the second end.",
     REFERS({.target = "vertices", .code = "NS2-EDGE-VERTEX"})},
    {.name = "smooth", U8, IS_BOOL, .doc = "Whether shading is smooth across the edge.", IF(FROM(8))},
};
MST_NS2_RECORD(edge, "edge", "two vertices; each pair once");

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
MST_NS2_RECORD(loop_edge, "loop_edge", "an edge with a direction");

static const mst_field loop_fields[] = {
    {.name = "edges",
     LIST_OF(loop_edge),
     .doc = "Each begins where the one before ends, the first where the last ends."}};
MST_NS2_RECORD(loop, "loop", "a closed sequence of edges", .is_inline = true);

static const mst_field face_fields[] = {
    {.name = "angle", F32, .unit = "rad", .doc = "Rotation of the texture in the plane of the face."},
    {.name = "offset",
     F32S(2),
     .doc = "Added to u and v, in repeats of the texture.",
     .evidence = "not a number in six faces of a real level"},
    {.name = "scale", F32S(2), .unit = "1/m", .doc = "Repeats of the texture per metre."},
    {.name = "mapping_group",
     U32,
     .names = &mst_ns2_none,
     .doc = "Id of the mapping group that replaces the face's own angle, offset and scale.",
     REFERS(
         {.by = MST_BY_ID, .target = "mapping_groups", .key = "id", NO(NONE), .code = "NS2-MAPPING-GROUP"})},
    {.name = "material",
     U32,
     .doc = "The material of the face.",
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
     .record = &mst_ns2_loop_record,
     .doc = "The border, then the holes. Seen from the visible side the border is counter-clockwise, holes "
            "are clockwise.",
     .evidence = "2689 of 2690 holes"},
};
MST_NS2_RECORD(face, "face", "a flat polygon with holes");

static const mst_refers of_faces = {.target = "mesh.faces"};

static const mst_field face_layer_fields[] = {
    {.name = "has_layers", BOOL, BIND(R_HAS_LAYERS), .doc = "Whether the face is on any layer."},
    {.name = "layer_masks",
     U32S,
     IF(IS_NOT(R_HAS_LAYERS, 0)),
     LAYERS,
     .doc = "Bit k of all words together is the layer with id k; 8 words in all known levels."},
};
MST_NS2_RECORD(face_layer, "face_layer", "the layers of one face");

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
     .doc = "2 in all known levels; the meaning of other numbers is not known."},
    {.name = "faces",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .record = &mst_ns2_face_layer_record,
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
MST_NS2_RECORD(face_layers, "face_layers", "the layers of all faces");

static const mst_field mapping_group_fields[] = {
    {.name = "id", U32, .doc = "Ids start at 1."},
    {.name = "angle", F32, .unit = "rad", .doc = "Replaces the angle of its faces."},
    {.name = "scale", F32S(2), .unit = "1/m", .doc = "Replaces the scale of its faces: repeats per metre."},
    {.name = "offset", F32S(2), .doc = "Replaces the offset of its faces, in repeats of the texture."},
    {.name = "normal",
     F32S(3),
     .doc = "Normal of the projection; not known whether it points out of the face or into it."},
};
MST_NS2_RECORD(mapping_group, "mapping_group", "a texture projection that faces share");

#define GROUP_OF(list)                                                                                       \
    {.name = "id", U32, GROUP(), .doc = "Id of the group that the indices belong to."}, {                    \
        .name = "indices", U32S, .doc = "Its members, each once.",                                           \
        REFERS({.target = (list), .member = true, .code = "NS2-GROUP-INDEX"})                                \
    }
static const mst_field vertex_group_fields[] = {GROUP_OF("vertices")};
MST_NS2_RECORD(vertex_group, "vertex_group", "vertices that belong to one group");
static const mst_field edge_group_fields[] = {GROUP_OF("edges")};
MST_NS2_RECORD(edge_group, "edge_group", "edges that belong to one group");
static const mst_field face_group_fields[] = {GROUP_OF("faces")};
MST_NS2_RECORD(face_group, "face_group", "faces that belong to one group");
static const mst_field geometry_groups_fields[] = {
    {.name = "vertex_groups",
     LIST_OF(vertex_group),
     .doc = "One entry for each group that has vertices, in any order."},
    {.name = "edge_groups",
     LIST_OF(edge_group),
     .doc = "One entry for each group that has edges, in any order."},
    {.name = "face_groups",
     LIST_OF(face_group),
     .doc = "One entry for each group that has faces, in any order."},
};
MST_NS2_RECORD(geometry_groups, "geometry_groups", "the groups of vertices, edges and faces");

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
MST_NS2_RECORD(triangle, "triangle", "a triangle of a face");
static const mst_field face_triangles_fields[] = {
    {.name = "triangles",
     LIST_OF(triangle),
     .doc = "The drawn triangles of the face; none: it is not drawn."}};
MST_NS2_RECORD(face_triangles, "face_triangles", "the triangles of one face", .is_inline = true);
static const mst_field triangles_fields[] = {
    {.name = "ghost_vertices",
     LIST_OF(point),
     IF(FROM(7)),
     .doc = "Vertices used only by triangles, where edges of neighbouring faces meet in a T."},
    {.name = "smoothed_normals", LIST_OF(point), IF(FROM(8)), .doc = "Unit vectors; may be empty."},
    {.name = "face_count",
     U32,
     .length_of = "faces",
     BIND(R_COUNT),
     .doc = "The number of faces of the mesh."},
    {.name = "triangle_count", U32, .total_of = "faces", .doc = "Number of triangles of all faces."},
    {.name = "faces",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .record = &mst_ns2_face_triangles_record,
     .parallel = &of_faces,
     .doc = "The triangles of each face."},
};
MST_NS2_RECORD(triangles, "triangles", "the mesh as triangles");

static const mst_case mesh_cases[] = {
    {.id = 4,
     .needed_from = 1,
     .field = {.name = "materials",
               LIST_OF(string),
               .flags = MST_FIELD_OWNED,
               .doc = "Paths of materials, in the order in which faces first use them.",
               .evidence = "no duplicates and none unused in 109 levels"}},
    {.id = 1,
     .needed_from = 1,
     .field = {.name = "vertices", LIST_OF(vertex), .flags = MST_FIELD_OWNED, .doc = "Corners."}},
    {.id = 2,
     .needed_from = 1,
     .field = {.name = "edges", LIST_OF(edge), .flags = MST_FIELD_OWNED, .doc = "Pairs of vertices."}},
    {.id = 3, .needed_from = 1, .field = {.name = "faces", LIST_OF(face), .doc = "Polygons with holes."}},
    {.id = 6,
     .needed_from = 1,
     .needed_without = "faces",
     .field = {.name = "face_layers",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_face_layers_record,
               .doc = "Layers of the faces, one entry for each."}},
    {.id = 7,
     .needed_from = 1,
     .field = {.name = "mapping_groups",
               LIST_OF(mapping_group),
               .doc = "Shared texture projections; empty in every known level."}},
    {.id = 8,
     .needed_from = 5,
     .field = {.name = "geometry_groups",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_geometry_groups_record,
               .doc = "Groups of vertices, edges and faces; not in version 4."}},
    {.id = 5,
     .needed_from = 1,
     .needed_without = "faces",
     .field = {.name = "triangles",
               .kind = MST_KIND_RECORD,
               .record = &mst_ns2_triangles_record,
               .doc = "The triangles that are drawn; list i belongs to face i."}},
};
static const mst_chunks mesh_chunks = {
    .cases = mesh_cases, .case_count = MST_COUNT_OF(mesh_cases), .unknown = &mst_ns2_unknown_chunks};
static const mst_field mesh_fields[] = {{.name = "chunks",
                                         .kind = MST_KIND_CHUNKS,
                                         .chunks = &mesh_chunks,
                                         .doc = "In real levels in the order of the table."}};
MST_NS2_RECORD(mesh, "mesh", "the level's geometry");
