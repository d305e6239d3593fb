/* SPDX-License-Identifier: MIT */
/* Checks of models beyond those that the tables describe. */
#include "../../present.h"
#include "turok_model_parts.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NORMAL_OFF 0.02F

typedef struct place {
    uint64_t node, object, surface;
} place;

static void begin(mst_checker *checker, const place *at, const mst_value *value, const char *member) {
    mst_finding_of(checker, value, "nodes[%llu].objects[%llu][%llu]%s", (unsigned long long)at->node,
                   (unsigned long long)at->object, (unsigned long long)at->surface, member);
}

/* ---- surfaces ------------------------------------------------------------------------------------ */

static mst_status check_normals(mst_checker *checker, const place *at, const mst_value *vertices) {
    mst_column normals = mst_column_in(vertices, "normal");
    uint64_t off = 0;
    for (uint64_t i = 0; i < normals.count; i++) {
        float n[3];
        for (uint32_t k = 0; k < 3; k++)
            n[k] = mst_f32_of_bits(mst_column_u32(&normals, i, k));
        off += fabsf(sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) - 1) > NORMAL_OFF;
    }
    if (!off)
        return MST_OK;
    begin(checker, at, vertices, ".vertices");
    return mst_report(checker, "KEX-NORMAL", "a length of 1", "%llu of %llu are off by more than 0.02",
                      (unsigned long long)off, (unsigned long long)normals.count);
}

static mst_status check_used(mst_checker *checker, const place *at, const mst_kex_surface *surface,
                             uint64_t count) {
    mst_column corners = mst_column_in(&surface->triangles, "corners");
    uint8_t *used = mst_arena_zero(&checker->scratch, (size_t)count + 1, 1);
    uint64_t unused = 0;
    if (!used)
        return mst_fail(checker->failure, MST_NO_MEMORY, "not enough memory for the check");
    for (uint64_t i = 0; i < corners.count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            uint16_t corner = mst_column_u16(&corners, i, k);
            used[corner < count ? corner : count] = 1;
        }
    for (uint64_t i = 0; i < count; i++)
        unused += !used[i];
    if (!unused)
        return MST_OK;
    begin(checker, at, &surface->vertices, ".vertices");
    return mst_report(checker, "KEX-VERTEX-UNUSED", "triangles", "%llu of %llu have none",
                      (unsigned long long)unused, (unsigned long long)count);
}

static mst_status check_surface(void *user, const mst_kex_surface *surface, uint64_t node, uint64_t object,
                                uint64_t index) {
    mst_checker *checker = user;
    const place at = {node, object, index};
    const void *name = "";
    size_t size = 0;
    uint64_t triangles = mst_count(&surface->triangles);
    uint64_t vertices = mst_is_void(&surface->vertices) ? 0 : mst_count(&surface->vertices);
    mst_status status = MST_OK;
    mst_get_bytes(&surface->material, &name, &size);
    if (!memchr(name, '/', size)) {
        begin(checker, &at, &surface->material, ".material");
        status = mst_checker_report(checker, "KEX-MATERIAL");
    }
    if (status == MST_OK && !triangles) {
        begin(checker, &at, &surface->triangles, "");
        status = mst_checker_report(checker, "KEX-EMPTY");
    }
    if (status == MST_OK && vertices && triangles)
        status = check_used(checker, &at, surface, vertices);
    return status == MST_OK && vertices ? check_normals(checker, &at, &surface->vertices) : status;
}

/* ---- nodes --------------------------------------------------------------------------------------- */

static mst_status check_parts(mst_checker *checker, const mst_kex_node *node, uint64_t index) {
    const struct {
        const char *name;
        const mst_value *list;
    } both[] = {{"variants", &node->variants}, {"objects", &node->objects}};
    for (size_t i = 0; i < MST_COUNT_OF(both); i++) {
        if (mst_count(both[i].list))
            continue;
        mst_finding_of(checker, both[i].list, "nodes[%llu].%s", (unsigned long long)index, both[i].name);
        mst_status status = mst_report(checker, "KEX-NODES", "at least 1", "0");
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static mst_status check_itself(mst_checker *checker, const mst_kex_node *node, uint64_t index) {
    mst_value child;
    uint64_t number_of = 0;
    for (mst_iterator it = mst_iterate(&node->children); mst_next(&it, &child); number_of++) {
        int64_t number = 0;
        mst_get_integer(&child, &number);
        if ((uint64_t)number != index)
            continue;
        mst_finding_of(checker, &child, "nodes[%llu].children[%llu]", (unsigned long long)index,
                       (unsigned long long)number_of);
        mst_status status = mst_report(checker, "KEX-CHILD", "another node", "%lld", (long long)number);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static mst_status check_nodes(mst_checker *checker) {
    mst_value root = mst_root(checker->document), list = mst_member_in(&root, "nodes"), record;
    mst_status status = MST_OK;
    mst_bound bound;
    uint64_t index = 0;
    mst_bind(checker->document, &mst_kex_node_bindings, &bound);
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &record); index++) {
        mst_kex_node node;
        node.children = node.variants = node.objects = mst_nothing_in(&record);
        mst_fill(&bound, &record, &node);
        status = check_parts(checker, &node, index);
        if (status == MST_OK)
            status = check_itself(checker, &node, index);
    }
    mst_kex_tree tree;
    if (status != MST_OK)
        return status;
    if (!mst_kex_read_tree(checker->document, &checker->scratch, &tree))
        return mst_fail(checker->failure, MST_NO_MEMORY, "not enough memory for the check");
    if (tree.is_tree)
        return MST_OK;
    mst_finding_of(checker, &list, "nodes");
    return mst_checker_report(checker, "KEX-TREE");
}

/* ---- the model ----------------------------------------------------------------------------------- */

static mst_status check_bounds(mst_checker *checker) {
    mst_value root = mst_root(checker->document);
    mst_kex_model_bounds box;
    mst_bound bound;
    memset(&box, 0, sizeof box);
    mst_bind(checker->document, &mst_kex_model_bindings, &bound);
    mst_fill(&bound, &root, &box);
    for (unsigned k = 0; k < 3; k++) {
        if (!(box.minimum[k] > box.maximum[k]))
            continue;
        mst_value member = mst_member_in(&root, "bounds_min");
        mst_finding_of(checker, &member, "bounds_min[%u]", k);
        char expected[48];
        snprintf(expected, sizeof expected, "at most %g", (double)box.maximum[k]);
        return mst_report(checker, "KEX-BOUNDS", expected, "%g", (double)box.minimum[k]);
    }
    return MST_OK;
}

mst_status mst_kex_check_model(mst_checker *checker) {
    mst_value root = mst_root(checker->document), tail;
    mst_status status = check_nodes(checker);
    if (status == MST_OK)
        status = check_bounds(checker);
    if (status == MST_OK)
        status = mst_kex_each_surface(checker->document, check_surface, checker);
    if (status == MST_OK && mst_member(&root, "tail", &tail) == MST_OK && tail.offset < tail.end) {
        mst_finding_of(checker, &tail, "tail");
        status = mst_checker_report(checker, "KEX-TAIL");
    }
    return status == MST_OK ? mst_kex_check_files(checker) : status;
}
