/* SPDX-License-Identifier: MIT */
#include "turok_model_parts.h"
#include "../../present.h"
#include <string.h>

mst_status mst_kex_surfaces_of(const mst_document *document, const mst_value *object,
                               mst_kex_take_surface take, void *user, uint64_t node, uint64_t index) {
    mst_value record;
    mst_bound bound;
    mst_status status = MST_OK;
    uint64_t number = 0;
    mst_bind(document, &mst_kex_surface_bindings, &bound);
    for (mst_iterator it = mst_iterate(object); status == MST_OK && mst_next(&it, &record); number++) {
        mst_kex_surface surface;
        memset(&surface, 0, sizeof surface);
        surface.material = surface.triangles = mst_nothing_in(&record);
        mst_fill(&bound, &record, &surface);
        status = take(user, &surface, node, index, number);
    }
    return status;
}

mst_status mst_kex_each_surface(const mst_document *document, mst_kex_take_surface take, void *user) {
    mst_value root = mst_root(document), nodes = mst_member_in(&root, "nodes"), node, object;
    mst_status status = MST_OK;
    uint64_t number = 0;
    for (mst_iterator it = mst_iterate(&nodes); status == MST_OK && mst_next(&it, &node); number++) {
        mst_value objects = mst_member_in(&node, "objects");
        uint64_t index = 0;
        for (mst_iterator each = mst_iterate(&objects); status == MST_OK && mst_next(&each, &object); index++)
            status = mst_kex_surfaces_of(document, &object, take, user, number, index);
    }
    return status;
}

/* ---- the tree ------------------------------------------------------------------------------------ */

/* Sets the parents from the nodes' lists of children; false if a node is named twice, or does not exist. */
static bool set_parents(const mst_value *nodes, mst_kex_tree *tree) {
    mst_value node, child;
    bool once = true;
    uint32_t index = 0;
    for (mst_iterator it = mst_iterate(nodes); index < tree->count && mst_next(&it, &node); index++) {
        mst_value children = mst_member_in(&node, "children");
        for (mst_iterator each = mst_iterate(&children); mst_next(&each, &child);) {
            int64_t number = 0;
            mst_get_integer(&child, &number);
            bool good = number >= 0 && (uint64_t)number < tree->count && number &&
                        (uint64_t)number != index && tree->parents[number] == MST_KEX_NO_PARENT;
            if (good)
                tree->parents[number] = index;
            once = once && good;
        }
    }
    return once;
}

/* Puts the nodes in order: at each round those whose parent is placed. Nodes of a loop lose their parent. */
static void put_in_order(mst_kex_tree *tree, uint32_t *first, uint32_t *next, bool *placed) {
    uint32_t count = 0;
    memset(first, 0xFF, sizeof *first * tree->count);
    for (uint32_t i = tree->count; i-- > 0;)
        if (tree->parents[i] != MST_KEX_NO_PARENT) {
            next[i] = first[tree->parents[i]];
            first[tree->parents[i]] = i;
        }
    for (uint32_t pass = 0, done = 0; pass < 2; pass++)
        for (uint32_t root = 0; root < tree->count; root++) {
            if (placed[root] || (pass == 0 && tree->parents[root] != MST_KEX_NO_PARENT))
                continue;
            tree->parents[root] = MST_KEX_NO_PARENT;
            tree->order[count++] = root;
            placed[root] = true;
            for (; done < count; done++)
                for (uint32_t c = first[tree->order[done]]; c != MST_KEX_NO_PARENT; c = next[c])
                    if (!placed[c]) {
                        placed[c] = true;
                        tree->order[count++] = c;
                    }
        }
}

bool mst_kex_read_tree(const mst_document *document, mst_arena *arena, mst_kex_tree *tree) {
    mst_value root = mst_root(document), nodes = mst_member_in(&root, "nodes");
    uint64_t count = mst_count(&nodes); /* bounded by the size of the file */
    *tree = (mst_kex_tree){.count = count < MST_KEX_NO_PARENT ? (uint32_t)count : 0};
    size_t room = (size_t)tree->count + 1;
    tree->parents = mst_arena_take(arena, room, sizeof *tree->parents);
    tree->order = mst_arena_zero(arena, room, sizeof *tree->order);
    uint32_t *first = mst_arena_zero(arena, room, sizeof *first),
             *next = mst_arena_zero(arena, room, sizeof *next);
    bool *placed = mst_arena_zero(arena, room, sizeof *placed);
    if (!tree->parents || !tree->order || !first || !next || !placed)
        return false;
    memset(tree->parents, 0xFF, room * sizeof *tree->parents);
    tree->is_tree = set_parents(&nodes, tree);
    put_in_order(tree, first, next, placed);
    for (uint32_t i = 1; i < tree->count; i++)
        tree->is_tree = tree->is_tree && tree->parents[i] != MST_KEX_NO_PARENT;
    return true;
}
