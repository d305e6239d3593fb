/* SPDX-License-Identifier: MIT */
/* Which entities act on which: the references of a level's entities to each other, resolved. Used for
 * descriptions and pictures. */
#ifndef MST_NS2_NS2_GRAPH_H
#define MST_NS2_NS2_GRAPH_H

#include "../../core/arena.h"
#include "../../read/engine.h"
#include "relations.h"

typedef struct mst_ns2_entity {
    const char *path; /* of its list */
    uint64_t index;
    const char *class_name, *name; /* "" none */
    float origin[3];
} mst_ns2_entity;

/* A reference, and the entities that match it: `count` of the graph's targets from `first`. */
typedef struct mst_ns2_reference {
    uint32_t entity, relation;
    const char *property;
    const char *text; /* NULL: by number */
    int32_t number;
    double order; /* a waypoint's position on its way */
    uint32_t first, count;
} mst_ns2_reference;

/* A value of an entity that references may match. */
typedef struct mst_ns2_target {
    uint32_t relation; /* the first relation with the same targets */
    uint32_t entity;
    const char *text; /* NULL: by number */
    int32_t number;
} mst_ns2_target;

/* A waypoint of a train. */
typedef struct mst_ns2_stop {
    uint32_t train, waypoint; /* entities */
    double order;
} mst_ns2_stop;

typedef struct mst_ns2_graph {
    mst_arena *arena;     /* holds the texts */
    mst_array entities;   /* mst_ns2_entity */
    mst_array targets;    /* mst_ns2_target, sorted */
    mst_array references; /* mst_ns2_reference, in the order of the file */
    mst_array stops;      /* mst_ns2_stop, sorted by train and order */
    mst_status status;
    /* the entity being read */
    const char *class_name; /* of this entity; consecutive entities of a class share it */
    uint32_t from, to;      /* bits of the relations that its class is a source of, a target of */
    size_t first;           /* its first reference */
    double order;
} mst_ns2_graph;

/* A graph is filled entity by entity and then resolved: begin; enter, property..., leave for each; resolve.
 */
void mst_ns2_graph_begin(mst_ns2_graph *graph, mst_arena *arena);
/* `path` must outlive the graph. */
void mst_ns2_graph_enter(mst_ns2_graph *graph, const char *path, uint64_t index, const char *class_name);
void mst_ns2_graph_property(mst_ns2_graph *graph, const char *name, const mst_value *value);
void mst_ns2_graph_leave(mst_ns2_graph *graph);
mst_status mst_ns2_graph_resolve(mst_ns2_graph *graph);
/* Frees all but the texts. */
void mst_ns2_graph_end(mst_ns2_graph *graph);

/* The entity at `k` (< count) of those that a reference matches. */
const mst_ns2_entity *mst_ns2_graph_target(const mst_ns2_graph *graph, const mst_ns2_reference *reference,
                                           uint32_t k);

/* Adds an mst_map_line for each reference of one entity to another, and for the ways of trains. */
mst_status mst_ns2_graph_lines(mst_ns2_graph *graph, mst_array *lines);

#endif
