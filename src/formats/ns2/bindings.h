/* SPDX-License-Identifier: MIT */
/* Records of levels as structs: their bindings, and those of the public structs. */
#ifndef MST_FORMATS_NS2_BINDINGS_H
#define MST_FORMATS_NS2_BINDINGS_H

#include "../../schema/binding.h"
#include <mapstone/ns2.h>

extern const mst_bindings mst_ns2_vertex_bindings, mst_ns2_edge_bindings, mst_ns2_loop_edge_bindings,
    mst_ns2_triangle_bindings;

/* All of them. */
#define MST_NS2_BINDINGS 4
extern const mst_bindings *const mst_ns2_bindings[MST_NS2_BINDINGS];

#endif
