/* SPDX-License-Identifier: MIT */
/*
 * What is near in a plane, and what comes next in a ring: so that a polygon of many corners takes little
 * longer for each than one of few.
 */
#ifndef MST_SCENE_NEAR_H
#define MST_SCENE_NEAR_H

#include "../core/arena.h"
#include <mapstone/base.h>

typedef struct mst_box {
    double left, low, right, high;
} mst_box;

/* ---- boxes by place ---- */

/*
 * Items with boxes, in a tree of boxes around them: neighbours in the plane are neighbours in the tree. Each
 * item can be in or out; in the beginning all are out. Items share a place in the tree with one another, so
 * that some can be added later.
 */
typedef struct mst_box_tree {
    uint32_t *first; /* of each leaf: its first item, MST_NO_ITEM */
    uint32_t *next;  /* of each item: the next one in its leaf */
    uint32_t *leaf;  /* of each item */
    mst_box *boxes; /* of the nodes: 1 is the root, 2n and 2n + 1 are below n, the leaves are the last ones */
    uint32_t *inside; /* of the nodes: items that are in */
    uint32_t leaf_count;
} mst_box_tree;

#define MST_NO_ITEM UINT32_MAX

/* Room for `capacity` items. `boxes` are those of the first `count`, which get their places now. False: no
 * memory. */
bool mst_box_tree_make(mst_box_tree *tree, mst_arena *arena, const mst_box *boxes, uint32_t count,
                       uint32_t capacity);
/* An item at the place of another. */
void mst_box_tree_add(mst_box_tree *tree, uint32_t item, uint32_t beside);
void mst_box_tree_enter(mst_box_tree *tree, uint32_t item);
void mst_box_tree_leave(mst_box_tree *tree, uint32_t item);
/* The item's box is that much larger. */
void mst_box_tree_grow(mst_box_tree *tree, uint32_t item, mst_box box);

/*
 * Goes over the items in leaves whose boxes overlap `within`, which may become smaller on the way, and are
 * not wholly to the right of one of the `edge_count` lines `edges` (x, y, and where to). Items that are out
 * may be among them.
 */
typedef struct mst_box_search {
    const mst_box_tree *tree;
    mst_box within;
    const double (*edges)[4];
    unsigned edge_count;
    uint32_t node, item; /* the next ones to look at; node 0: none */
    uint64_t steps;
} mst_box_search;

mst_box_search mst_box_search_begin(const mst_box_tree *tree, mst_box within);
/* The next item, MST_NO_ITEM after the last. */
uint32_t mst_box_search_next(mst_box_search *search);

/* ---- marks on places in a row ---- */

typedef struct mst_marks {
    uint64_t *levels[6]; /* one bit for each word of the level below; on level 0 one for each place */
    unsigned level_count;
} mst_marks;

bool mst_marks_make(mst_marks *marks, mst_arena *arena, uint32_t count);
void mst_marks_set(mst_marks *marks, uint32_t place, bool marked);
/* The first mark at a place or after it, MST_NO_ITEM if there is none. */
uint32_t mst_marks_next(const mst_marks *marks, uint32_t place);

#endif
