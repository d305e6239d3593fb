/* SPDX-License-Identifier: MIT */
#include "ns2_bindings.h"

static const mst_binding vertex[] = {MST_BINDING(mst_ns2_vertex, position, "position"),
                                     MST_BINDING(mst_ns2_vertex, smooth, "smooth")},
                         edge[] = {MST_BINDING(mst_ns2_edge, vertices, "vertices"),
                                   MST_BINDING(mst_ns2_edge, smooth, "smooth")},
                         loop_edge[] = {MST_BINDING(mst_ns2_loop_edge, flipped, "flipped"),
                                        MST_BINDING(mst_ns2_loop_edge, edge, "edge")},
                         triangle[] = {MST_BINDING(mst_ns2_triangle, vertices, "vertices"),
                                       MST_BINDING(mst_ns2_triangle, normals, "normals")};
const mst_bindings mst_ns2_vertex_bindings = MST_BINDINGS(mst_ns2_vertex, "vertex", vertex),
                   mst_ns2_edge_bindings = MST_BINDINGS(mst_ns2_edge, "edge", edge),
                   mst_ns2_loop_edge_bindings = MST_BINDINGS(mst_ns2_loop_edge, "loop_edge", loop_edge),
                   mst_ns2_triangle_bindings = MST_BINDINGS(mst_ns2_triangle, "triangle", triangle);

static const mst_binding face[] = {MST_BINDING(mst_ns2_bound_face, angle, "angle"),
                                   MST_BINDING(mst_ns2_bound_face, offset, "offset"),
                                   MST_BINDING(mst_ns2_bound_face, scale, "scale"),
                                   MST_BINDING(mst_ns2_bound_face, mapping_group, "mapping_group"),
                                   MST_BINDING(mst_ns2_bound_face, material, "material"),
                                   MST_BINDING(mst_ns2_bound_face, loops, "loops")};
static const mst_binding mapping[] = {
    MST_BINDING(mst_ns2_bound_mapping, id, "id"), MST_BINDING(mst_ns2_bound_mapping, angle, "angle"),
    MST_BINDING(mst_ns2_bound_mapping, scale, "scale"), MST_BINDING(mst_ns2_bound_mapping, offset, "offset"),
    MST_BINDING(mst_ns2_bound_mapping, normal, "normal")};
static const mst_binding face_group[] = {MST_BINDING(mst_ns2_bound_face_group, id, "id"),
                                         MST_BINDING(mst_ns2_bound_face_group, indices, "indices")};
static const mst_binding face_layer[] = {MST_BINDING(mst_ns2_bound_face_layer, layer_masks, "layer_masks")};
static const mst_binding face_layers[] = {MST_BINDING(mst_ns2_bound_face_layers, format, "format")};
static const mst_binding layer[] = {MST_BINDING(mst_ns2_bound_layer, name, "name"),
                                    MST_BINDING(mst_ns2_bound_layer, id, "id")};
static const mst_binding object[] = {MST_BINDING(mst_ns2_bound_object, layer_masks, "layer_masks"),
                                     MST_BINDING(mst_ns2_bound_object, class_name, "class_name"),
                                     MST_BINDING(mst_ns2_bound_object, properties, "properties"),
                                     MST_BINDING(mst_ns2_bound_object, extras, "extras"),
                                     MST_BINDING(mst_ns2_bound_object, layer_mask, "layer_mask"),
                                     MST_BINDING(mst_ns2_bound_object, group, "group")};
static const mst_binding property[] = {MST_BINDING(mst_ns2_bound_property, name, "name"),
                                       MST_BINDING(mst_ns2_bound_property, value, "value"),
                                       MST_BINDING(mst_ns2_bound_property, type, "type")};
static const mst_binding extra[] = {MST_BINDING(mst_ns2_bound_extra, name, "name"),
                                    MST_BINDING(mst_ns2_bound_extra, data, "data")};
const mst_bindings mst_ns2_face_bindings = MST_BINDINGS(mst_ns2_bound_face, "face", face),
                   mst_ns2_mapping_bindings = MST_BINDINGS(mst_ns2_bound_mapping, "mapping_group", mapping),
                   mst_ns2_face_group_bindings =
                       MST_BINDINGS(mst_ns2_bound_face_group, "face_group", face_group),
                   mst_ns2_face_layer_bindings =
                       MST_BINDINGS(mst_ns2_bound_face_layer, "face_layer", face_layer),
                   mst_ns2_face_layers_bindings =
                       MST_BINDINGS(mst_ns2_bound_face_layers, "face_layers", face_layers),
                   mst_ns2_layer_bindings = MST_BINDINGS(mst_ns2_bound_layer, "layer", layer),
                   mst_ns2_object_bindings = MST_BINDINGS(mst_ns2_bound_object, "object", object),
                   mst_ns2_clip_object_bindings = MST_BINDINGS(mst_ns2_bound_object, "clip_object", object),
                   mst_ns2_property_bindings = MST_BINDINGS(mst_ns2_bound_property, "property", property),
                   mst_ns2_extra_bindings = MST_BINDINGS(mst_ns2_bound_extra, "extra", extra);

const mst_bindings *const mst_ns2_bindings[MST_NS2_BINDINGS] = {
    &mst_ns2_vertex_bindings,     &mst_ns2_edge_bindings,       &mst_ns2_loop_edge_bindings,
    &mst_ns2_triangle_bindings,   &mst_ns2_face_bindings,       &mst_ns2_mapping_bindings,
    &mst_ns2_face_group_bindings, &mst_ns2_face_layer_bindings, &mst_ns2_face_layers_bindings,
    &mst_ns2_layer_bindings,      &mst_ns2_object_bindings,     &mst_ns2_clip_object_bindings,
    &mst_ns2_property_bindings,   &mst_ns2_extra_bindings};
