/* SPDX-License-Identifier: MIT */
/*
 * Searches for triangulation: for boxes in a plane, and for the next marked position in a ring. They keep the
 * time per corner of a large polygon near that of a small one.
 */
#ifndef MST_SCENE_NEAR_H
#define MST_SCENE_NEAR_H

#include "../core/arena.h"
#include <mapstone/base.h>

typedef struct mst_box {
    double left, low, right, high;
} mst_box;

/* ---- a tree of boxes ---- */

/*
 * Items with boxes, in a tree of bounding boxes: neighbours in the plane are neighbours in the tree. Each
 * item is in or out; at first all are out. Leaves hold lists of items, so that some can be added later.
 */
typedef struct mst_box_tree {
    uint32_t *first; /* of each leaf: its first item, or MST_NO_ITEM */
    uint32_t *next;  /* of each item: the next one in its leaf, or MST_NO_ITEM */
    uint32_t *leaf;  /* of each item */
    mst_box *boxes; /* of the nodes: 1 is the root, 2n and 2n + 1 are below n, the leaves are the last ones */
    uint32_t *inside; /* of the nodes: number of items that are in */
    uint32_t leaf_count;
} mst_box_tree;

#define MST_NO_ITEM UINT32_MAX

/* Makes a tree for `capacity` items and adds the first `count`, which have the given boxes. False: no memory.
 */
bool mst_box_tree_make(mst_box_tree *tree, mst_arena *arena, const mst_box *boxes, uint32_t count,
                       uint32_t capacity);
/* Adds an item to the leaf of another. */
void mst_box_tree_add(mst_box_tree *tree, uint32_t item, uint32_t beside);
void mst_box_tree_enter(mst_box_tree *tree, uint32_t item);
void mst_box_tree_leave(mst_box_tree *tree, uint32_t item);
/* Enlarges an item's box to include another box. */
void mst_box_tree_grow(mst_box_tree *tree, uint32_t item, mst_box box);

/*
 * Iterates over the items in leaves whose boxes overlap `within`, which the caller may shrink meanwhile, and
 * are not entirely to the right of one of the `edge_count` lines `edges` (from x, y to x, y). Items that are
 * out may be among them.
 */
typedef struct mst_box_search {
    const mst_box_tree *tree;
    mst_box within;
    const double (*edges)[4];
    unsigned edge_count;
    uint32_t node, item; /* the next ones to visit; node 0: none */
    uint64_t steps;
} mst_box_search;

mst_box_search mst_box_search_begin(const mst_box_tree *tree, mst_box within);
/* The next item, MST_NO_ITEM after the last. */
uint32_t mst_box_search_next(mst_box_search *search);

/* ---- a bitmap with levels ---- */

typedef struct mst_marks {
    uint64_t *levels[6]; /* a bit for each nonzero word of the level below; on level 0 for each position */
    unsigned level_count;
} mst_marks;

bool mst_marks_make(mst_marks *marks, mst_arena *arena, uint32_t count);
void mst_marks_set(mst_marks *marks, uint32_t position, bool marked);
/* The first mark at a position or after it, MST_NO_ITEM if there is none. */
uint32_t mst_marks_next(const mst_marks *marks, uint32_t position);

#endif
