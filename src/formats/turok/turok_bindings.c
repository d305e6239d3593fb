/* SPDX-License-Identifier: MIT */
#include "turok_bindings.h"

static const mst_binding vertex[] = {MST_BINDING(mst_turok_bound_vertex, position, "position"),
                                     MST_BINDING(mst_turok_bound_vertex, ceiling, "ceiling")};
static const mst_binding set[] = {MST_BINDING(mst_turok_bound_set, flags, "flags"),
                                  MST_BINDING(mst_turok_bound_set, unknown_3e, "unknown_3e")};
static const mst_binding sector[] = {MST_BINDING(mst_turok_bound_sector, sector_set, "sector_set"),
                                     MST_BINDING(mst_turok_bound_sector, flags, "flags"),
                                     MST_BINDING(mst_turok_bound_sector, vertices, "vertices"),
                                     MST_BINDING(mst_turok_bound_sector, links, "links")};
static const mst_binding mesh[] = {MST_BINDING(mst_turok_bound_mesh, origin, "origin"),
                                   MST_BINDING(mst_turok_bound_mesh, rotation, "rotation"),
                                   MST_BINDING(mst_turok_bound_mesh, bounds_min, "bounds_min"),
                                   MST_BINDING(mst_turok_bound_mesh, bounds_max, "bounds_max"),
                                   MST_BINDING(mst_turok_bound_mesh, flags, "flags")};
static const mst_binding actor[] = {MST_BINDING(mst_turok_bound_actor, type, "type"),
                                    MST_BINDING(mst_turok_bound_actor, sector, "sector"),
                                    MST_BINDING(mst_turok_bound_actor, origin, "origin"),
                                    MST_BINDING(mst_turok_bound_actor, yaw, "yaw"),
                                    MST_BINDING(mst_turok_bound_actor, bounds_min, "bounds_min"),
                                    MST_BINDING(mst_turok_bound_actor, bounds_max, "bounds_max")};
const mst_bindings mst_turok_vertex_bindings = MST_BINDINGS(mst_turok_bound_vertex, "vertex", vertex),
                   mst_turok_set_bindings = MST_BINDINGS(mst_turok_bound_set, "sector_set", set),
                   mst_turok_sector_bindings = MST_BINDINGS(mst_turok_bound_sector, "sector", sector),
                   mst_turok_mesh_bindings = MST_BINDINGS(mst_turok_bound_mesh, "static_mesh", mesh),
                   mst_turok_actor_bindings = MST_BINDINGS(mst_turok_bound_actor, "actor", actor);

const mst_bindings *const mst_turok_bindings[MST_TUROK_BINDINGS] = {
    &mst_turok_vertex_bindings, &mst_turok_set_bindings, &mst_turok_sector_bindings, &mst_turok_mesh_bindings,
    &mst_turok_actor_bindings};
