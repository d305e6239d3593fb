/* SPDX-License-Identifier: MIT */
#include "near.h"
#include <math.h>
#include <stdlib.h>

#define LEAF_ITEMS 8u /* on average */

/* ---- a tree of boxes ---- */

static const mst_box nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static void include_box(mst_box *box, const mst_box *other) {
    box->left = fmin(box->left, other->left);
    box->low = fmin(box->low, other->low);
    box->right = fmax(box->right, other->right);
    box->high = fmax(box->high, other->high);
}

typedef struct spot {
    uint64_t code;
    uint32_t item;
} spot;

static int compare_spots(const void *left, const void *right) {
    const spot *a = left, *b = right;
    if (a->code != b->code)
        return a->code < b->code ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

/* Inserts a zero bit above each of 32 bits. */
static uint64_t spread(uint64_t bits) {
    static const uint64_t masks[5] = {UINT64_C(0x0000FFFF0000FFFF), UINT64_C(0x00FF00FF00FF00FF),
                                      UINT64_C(0x0F0F0F0F0F0F0F0F), UINT64_C(0x3333333333333333),
                                      UINT64_C(0x5555555555555555)};
    for (int i = 0; i < 5; i++)
        bits = (bits | bits << (16 >> i)) & masks[i];
    return bits;
}

static uint64_t quantize(double value, double low, double high) {
    return (uint64_t)((value - low) / (high - low) * 4294967295.0);
}

/* Sorts boxes by their centres along a Z-curve, on which neighbours are near each other in the plane. */
static void sort_spots(spot *spots, const mst_box *boxes, uint32_t count, const mst_box *all) {
    for (uint32_t i = 0; i < count; i++) {
        double x = boxes[i].left / 2 + boxes[i].right / 2, y = boxes[i].low / 2 + boxes[i].high / 2;
        spots[i].item = i;
        spots[i].code = spread(quantize(x, all->left, all->right)) | spread(quantize(y, all->low, all->high))
                                                                         << 1;
    }
    qsort(spots, count, sizeof *spots, compare_spots);
}

static void fill_leaves(mst_box_tree *tree, const spot *spots, const mst_box *boxes, uint32_t count) {
    for (uint32_t i = 0; i < tree->leaf_count; i++)
        tree->first[i] = MST_NO_ITEM;
    for (uint32_t i = 0; i < 2 * tree->leaf_count; i++)
        tree->boxes[i] = nowhere;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t item = spots ? spots[i].item : i;
        uint32_t leaf = (uint32_t)((uint64_t)i * tree->leaf_count / count);
        tree->leaf[item] = leaf;
        tree->next[item] = tree->first[leaf];
        tree->first[leaf] = item;
        include_box(&tree->boxes[tree->leaf_count + leaf], &boxes[item]);
    }
    for (uint32_t i = tree->leaf_count; i-- > 1;) {
        tree->boxes[i] = tree->boxes[2 * i];
        include_box(&tree->boxes[i], &tree->boxes[2 * i + 1]);
    }
}

bool mst_box_tree_make(mst_box_tree *tree, mst_arena *arena, const mst_box *boxes, uint32_t count,
                       uint32_t capacity) {
    tree->leaf_count = 1;
    while ((uint64_t)tree->leaf_count * LEAF_ITEMS < count)
        tree->leaf_count *= 2;
    tree->first = mst_arena_take(arena, tree->leaf_count, sizeof *tree->first);
    tree->next = mst_arena_take(arena, capacity, sizeof *tree->next);
    tree->leaf = mst_arena_take(arena, capacity, sizeof *tree->leaf);
    tree->boxes = mst_arena_take(arena, 2 * (size_t)tree->leaf_count, sizeof *tree->boxes);
    tree->inside = mst_arena_zero(arena, 2 * (size_t)tree->leaf_count, sizeof *tree->inside);
    spot *spots = tree->leaf_count > 1 ? mst_arena_take(arena, count, sizeof *spots) : NULL;
    if (!tree->first || !tree->next || !tree->leaf || !tree->boxes || !tree->inside ||
        (tree->leaf_count > 1 && !spots))
        return false;
    mst_box all = nowhere;
    for (uint32_t i = 0; i < count; i++)
        include_box(&all, &boxes[i]);
    if (spots)
        sort_spots(spots, boxes, count, &all);
    fill_leaves(tree, spots, boxes, count);
    return true;
}

void mst_box_tree_add(mst_box_tree *tree, uint32_t item, uint32_t beside) {
    uint32_t leaf = tree->leaf[beside];
    tree->leaf[item] = leaf;
    tree->next[item] = tree->next[beside];
    tree->next[beside] = item;
}

void mst_box_tree_enter(mst_box_tree *tree, uint32_t item) {
    for (uint32_t node = tree->leaf_count + tree->leaf[item]; node; node /= 2)
        tree->inside[node]++;
}

void mst_box_tree_leave(mst_box_tree *tree, uint32_t item) {
    for (uint32_t node = tree->leaf_count + tree->leaf[item]; node; node /= 2)
        tree->inside[node]--;
}

void mst_box_tree_grow(mst_box_tree *tree, uint32_t item, mst_box box) {
    for (uint32_t node = tree->leaf_count + tree->leaf[item]; node; node /= 2)
        include_box(&tree->boxes[node], &box);
}

mst_box_search mst_box_search_begin(const mst_box_tree *tree, mst_box within) {
    return (mst_box_search){.tree = tree, .within = within, .node = 1, .item = MST_NO_ITEM};
}

/* Tests the corner of the box that is farthest to the left of the edge, by the same computation as for a
 * point in the box. Rounding is monotonic, so no point in the box can be computed as farther to the left. */
static bool is_right_of(const mst_box *box, const double edge[4]) {
    double along_x = edge[2] - edge[0], along_y = edge[3] - edge[1];
    double y = along_x > 0 ? box->high : box->low, x = along_y > 0 ? box->left : box->right;
    return along_x * (y - edge[1]) - along_y * (x - edge[0]) < 0;
}

static bool may_contain(const mst_box_search *search, uint32_t node) {
    const mst_box *box = &search->tree->boxes[node], *within = &search->within;
    if (!search->tree->inside[node] || box->left > within->right || box->right < within->left ||
        box->low > within->high || box->high < within->low)
        return false;
    for (unsigned i = 0; i < search->edge_count; i++)
        if (is_right_of(box, search->edges[i]))
            return false;
    return true;
}

/* The node to visit after this one and its subtree, from right to left; 0: none. */
static uint32_t node_before(uint32_t node) {
    while (node % 2 == 0)
        node /= 2;
    return node > 1 ? node - 1 : 0;
}

uint32_t mst_box_search_next(mst_box_search *search) {
    const mst_box_tree *tree = search->tree;
    while (search->item == MST_NO_ITEM) {
        uint32_t node = search->node;
        if (!node)
            return MST_NO_ITEM;
        search->steps++;
        if (!may_contain(search, node)) {
            search->node = node_before(node);
        } else if (node < tree->leaf_count) {
            search->node = 2 * node + 1; /* the right child first: rays go to the left */
        } else {
            search->item = tree->first[node - tree->leaf_count];
            search->node = node_before(node);
        }
    }
    uint32_t item = search->item;
    search->item = tree->next[item];
    search->steps++;
    return item;
}

/* ---- a bitmap with levels ---- */

bool mst_marks_make(mst_marks *marks, mst_arena *arena, uint32_t count) {
    marks->level_count = 0;
    uint32_t words = count;
    do {
        words = words / 64 + 1;
        uint64_t *level = mst_arena_zero(arena, words, sizeof *level);
        if (!level)
            return false;
        marks->levels[marks->level_count++] = level;
    } while (words > 1);
    return true;
}

void mst_marks_set(mst_marks *marks, uint32_t position, bool marked) {
    for (unsigned level = 0; level < marks->level_count; level++) {
        uint64_t *word = &marks->levels[level][position / 64], bit = UINT64_C(1) << position % 64,
                 before = *word;
        *word = marked ? before | bit : before & ~bit;
        if (!before == !*word) /* the levels above do not change */
            return;
        position /= 64;
    }
}

static uint32_t lowest_bit(uint64_t bits) {
    uint32_t position = 0;
    for (uint32_t step = 32; step; step /= 2)
        if (!(bits & ((UINT64_C(1) << step) - 1))) {
            bits >>= step;
            position += step;
        }
    return position;
}

uint32_t mst_marks_next(const mst_marks *marks, uint32_t position) {
    for (unsigned level = 0; level < marks->level_count; level++) {
        uint32_t index = position / 64; /* each level has a word after the last position */
        uint64_t rest = marks->levels[level][index] & ~UINT64_C(0) << position % 64;
        if (rest) {
            position = index * 64 + lowest_bit(rest);
            while (level-- > 0)
                position = position * 64 + lowest_bit(marks->levels[level][position]);
            return position;
        }
        position = index + 1; /* none in this word: finds the next word with one, on the level above */
    }
    return MST_NO_ITEM;
}
