/* SPDX-License-Identifier: MIT */
#include "bindings.h"

static const mst_binding vertex[] = {MST_BINDING(mst_ns2_vertex, position, "position"),
                                     MST_BINDING(mst_ns2_vertex, smooth, "smooth")},
                         edge[] = {MST_BINDING(mst_ns2_edge, vertices, "vertices"),
                                   MST_BINDING(mst_ns2_edge, smooth, "smooth")},
                         loop_edge[] = {MST_BINDING(mst_ns2_loop_edge, flipped, "flipped"),
                                        MST_BINDING(mst_ns2_loop_edge, edge, "edge")},
                         triangle[] = {MST_BINDING(mst_ns2_triangle, vertices, "vertices"),
                                       MST_BINDING(mst_ns2_triangle, normals, "normals")};
const mst_bindings mst_ns2_vertex_bindings = MST_PUBLIC_BINDINGS(mst_ns2_vertex, "vertex", vertex),
                   mst_ns2_edge_bindings = MST_PUBLIC_BINDINGS(mst_ns2_edge, "edge", edge),
                   mst_ns2_loop_edge_bindings =
                       MST_PUBLIC_BINDINGS(mst_ns2_loop_edge, "loop_edge", loop_edge),
                   mst_ns2_triangle_bindings = MST_PUBLIC_BINDINGS(mst_ns2_triangle, "triangle", triangle);

const mst_bindings *const mst_ns2_bindings[MST_NS2_BINDINGS] = {
    &mst_ns2_vertex_bindings, &mst_ns2_edge_bindings, &mst_ns2_loop_edge_bindings,
    &mst_ns2_triangle_bindings};
