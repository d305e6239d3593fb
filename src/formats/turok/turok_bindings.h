/* SPDX-License-Identifier: MIT */
/* Records of levels as structs and columns: their bindings. */
#ifndef MST_TUROK_TUROK_BINDINGS_H
#define MST_TUROK_TUROK_BINDINGS_H

#include "../../read/binding.h"

typedef struct mst_turok_bound_vertex {
    float position[3], ceiling;
} mst_turok_bound_vertex;

typedef struct mst_turok_bound_set {
    uint32_t flags;
    uint8_t unknown_3e[2];
} mst_turok_bound_set;

typedef struct mst_turok_bound_sector {
    uint16_t sector_set, flags, vertices[3], links[3];
} mst_turok_bound_sector;

typedef struct mst_turok_bound_mesh {
    float origin[3], rotation[4], bounds_min[3], bounds_max[3];
    uint32_t flags;
} mst_turok_bound_mesh;

typedef struct mst_turok_bound_actor {
    int32_t type, sector;
    float origin[3], yaw, bounds_min[3], bounds_max[3];
} mst_turok_bound_actor;

extern const mst_bindings mst_turok_vertex_bindings, mst_turok_set_bindings, mst_turok_sector_bindings,
    mst_turok_mesh_bindings, mst_turok_actor_bindings;

/* All of them. */
#define MST_TUROK_BINDINGS 5
extern const mst_bindings *const mst_turok_bindings[MST_TUROK_BINDINGS];

#endif
