/* SPDX-License-Identifier: MIT */
/* Access to the parts of a model: its surfaces, and its tree of nodes. */
#ifndef MST_TUROK_MODELS_TUROK_MODEL_PARTS_H
#define MST_TUROK_MODELS_TUROK_MODEL_PARTS_H

#include "../../../core/number.h"
#include "models.h"

/* Receives each surface; stops the walk unless it returns MST_OK. */
typedef mst_status (*mst_kex_take_surface)(void *user, const mst_kex_surface *surface, uint64_t node,
                                           uint64_t object, uint64_t index);
mst_status mst_kex_each_surface(const mst_document *document, mst_kex_take_surface take, void *user);
/* The surfaces of one object. */
mst_status mst_kex_surfaces_of(const mst_document *document, const mst_value *object,
                               mst_kex_take_surface take, void *user, uint64_t node, uint64_t index);

/* The nodes and their parents. A node's parent is the first node that names it and that is not below it. */
#define MST_KEX_NO_PARENT UINT32_MAX
typedef struct mst_kex_tree {
    uint32_t count;
    uint32_t *parents; /* MST_KEX_NO_PARENT: none */
    uint32_t *order;   /* the nodes, parents before their children; nodes without a parent are roots */
    bool is_tree;      /* all are below node 0, each once */
} mst_kex_tree;
/* In `arena`; false: no memory. */
bool mst_kex_read_tree(const mst_document *document, mst_arena *arena, mst_kex_tree *tree);

/* Reports missing files that the checker's document names. */
mst_status mst_kex_check_files(mst_checker *checker);

#endif
