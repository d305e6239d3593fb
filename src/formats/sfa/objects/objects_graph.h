/* SPDX-License-Identifier: MIT */
/* The targets of a list's triggers: objects that name the game bits they set, members of the groups they
 * load, and triggers that they call. Used for descriptions and pictures. */
#ifndef MST_SFA_OBJECTS_OBJECTS_GRAPH_H
#define MST_SFA_OBJECTS_OBJECTS_GRAPH_H

#include "objects.h"

typedef enum mst_sfa_link_kind { MST_SFA_BY_BIT, MST_SFA_BY_GROUP, MST_SFA_BY_CALL } mst_sfa_link_kind;

/* A number by which an object can be reached. */
typedef struct mst_sfa_link {
    uint8_t kind; /* mst_sfa_link_kind */
    uint16_t number;
    uint32_t object;
} mst_sfa_link;

typedef struct mst_sfa_graph {
    const mst_sfa_objects *objects;
    mst_bound trigger, command;
    int map;         /* of the list; -1: unknown */
    mst_array links; /* mst_sfa_link, sorted, each once */
} mst_sfa_graph;

/* A number by which a trigger acts, and the objects that it acts on: `count` from `first`. The trigger itself
 * may be among them. */
typedef struct mst_sfa_action {
    uint8_t kind;
    uint16_t number;
    const mst_sfa_link *first;
    size_t count;
} mst_sfa_action;
#define MST_SFA_ACTIONS 9 /* maximum for a trigger: its commands, and the bit that it sets itself */

/* The objects must be the document's, and outlive the graph. Fails only with MST_NO_MEMORY. */
mst_status mst_sfa_graph_begin(mst_sfa_graph *graph, const mst_document *document,
                               const mst_sfa_objects *objects);
void mst_sfa_graph_end(mst_sfa_graph *graph);
/* The actions of an object on others, if it is a trigger; returns their number. */
size_t mst_sfa_graph_actions(const mst_sfa_graph *graph, uint32_t object,
                             mst_sfa_action actions[MST_SFA_ACTIONS]);

/* Adds an arrow (mst_map_line) from each trigger to its targets by game bits and calls. Fails only with
 * MST_NO_MEMORY. */
mst_status mst_sfa_trigger_lines(const mst_document *document, mst_array *lines);

#endif
