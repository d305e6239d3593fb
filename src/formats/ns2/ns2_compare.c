/* SPDX-License-Identifier: MIT */
/* How two levels are compared: what identifies an object, a layer or a face. */
#include "ns2.h"

#define OBJECTS                                                                                              \
    .as = MST_AS_SET, .keys = {"class_name", "properties.name"}, .kind = {"class_name", "properties.model"}, \
    .place = {"properties.origin"}, .moved = {"properties.angles"}, .near = 5, .unnamed = true

const mst_compared mst_ns2_compared[] = {
    {.record = "level", .field = "objects", OBJECTS},
    {.record = "block", .field = "objects", OBJECTS},
    {.record = "level", .field = "layers", .as = MST_AS_SET, .keys = {"id"}, .kind = {"name"}},
    {.record = "level", .field = "groups", .as = MST_AS_SET, .keys = {"id"}, .kind = {"name"}},
    {.record = "level", .field = "viewports", .as = MST_AS_VIEW},
    {.record = "layer", .field = "visible", .as = MST_AS_VIEW},
    {.record = "mesh", .field = "materials", .as = MST_AS_PARTS, .keys = {""}},
    {.record = "mesh",
     .field = "vertices",
     .as = MST_AS_PARTS,
     .keys = {"position"},
     .part = true,
     .links = "mesh.edges",
     .ends = "vertices"},
    {.record = "mesh", .field = "edges", .as = MST_AS_PARTS, .keys = {"vertices"}, .part = true},
    {.record = "mesh",
     .field = "faces",
     .as = MST_AS_SET,
     .kind = {"material"},
     .place = {"loops"},
     .moved = {"offset"},
     .shares = true},
    {.record = "face", .field = "loops", .as = MST_AS_WHOLE},
    {.record = "loop_edge", .field = "edge", .as = MST_AS_DIRECTED, .keys = {"vertices", "flipped"}},
    {.record = "loop_edge", .field = "flipped", .as = MST_AS_DERIVED},
    {.record = "mesh", .field = "mapping_groups", .as = MST_AS_SET, .keys = {"id"}},
    {.record = "mesh", .field = "triangles", .as = MST_AS_DERIVED},
    {.record = "geometry_groups", .field = "vertex_groups", .as = MST_AS_SET, .keys = {"id"}},
    {.record = "geometry_groups", .field = "edge_groups", .as = MST_AS_SET, .keys = {"id"}},
    {.record = "geometry_groups", .field = "face_groups", .as = MST_AS_SET, .keys = {"id"}},
    {.record = NULL},
};
