/* SPDX-License-Identifier: MIT */
/* Checks of the skeleton, the physics and the animations. */
#include "spark_model.h"
#include <stdlib.h>

/* ---- bones --------------------------------------------------------------------------------------- */

static mst_status check_bones(mst_checker *checker) {
    const mst_document *document = checker->document;
    mst_value list, element, boxes;
    mst_bound bound;
    uint64_t count = mst_spark_list(document, "bones", &list), index = 0;
    mst_bind(document, &mst_spark_bone_bindings, &bound);
    if (count)
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++) {
            mst_spark_bone bone;
            memset(&bone, 0, sizeof bone);
            mst_fill(&bound, &element, &bone);
            if (bone.parent < index ||
                bone.parent >= count) /* none, or a dangling one, which has its own finding */
                continue;
            mst_finding_of(checker, &element, "bones[%llu].parent", (unsigned long long)index);
            mst_status status =
                mst_report(checker, "SPARK-MODEL-BONE-PARENT", "a bone before it", "%u", bone.parent);
            if (status != MST_OK)
                return status;
        }
    uint64_t box_count = mst_spark_list(document, "bone_bounding_boxes", &boxes);
    mst_value root = mst_root(document);
    if (box_count == count || mst_member(&root, "bone_bounding_boxes", &boxes) != MST_OK)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_of(checker, &boxes, "bone_bounding_boxes");
    MST_SET(finding->expected, "%llu", (unsigned long long)count);
    return mst_report(checker, "SPARK-MODEL-BONE-BOUNDS", NULL, "%llu", (unsigned long long)box_count);
}

/* ---- physics ------------------------------------------------------------------------------------- */

static mst_status check_rep(mst_checker *checker, const mst_value *element, const mst_spark_rep *rep,
                            uint64_t index) {
    const struct {
        const char *list;
        uint64_t first, count;
    } ranges[] = {{"solids", rep->first_solid, rep->solid_count},
                  {"joints", rep->first_joint, rep->joint_count},
                  {"collision_pairs", rep->first_pair, rep->pair_count}};
    for (size_t i = 0; i < MST_COUNT_OF(ranges); i++) {
        mst_value list;
        uint64_t length = mst_spark_list(checker->document, ranges[i].list, &list);
        if (ranges[i].first + ranges[i].count <= length)
            continue;
        mst_diagnostic *finding =
            mst_finding_of(checker, element, "collision_reps.reps[%llu]", (unsigned long long)index);
        MST_SET(finding->expected, "%llu %s", (unsigned long long)length, ranges[i].list);
        mst_status status =
            mst_report(checker, "SPARK-MODEL-REP-RANGE", NULL, "%llu from %llu on",
                       (unsigned long long)ranges[i].count, (unsigned long long)ranges[i].first);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static mst_status check_reps(mst_checker *checker) {
    const mst_document *document = checker->document;
    mst_value root = mst_root(document), reps, list, element;
    mst_bound bound;
    uint64_t index = 0;
    if (mst_member(&root, "collision_reps", &reps) != MST_OK)
        return MST_OK;
    mst_bind(document, &mst_spark_rep_bindings, &bound);
    list = mst_member_in(&reps, "reps");
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++) {
        mst_spark_rep rep;
        memset(&rep, 0, sizeof rep);
        mst_fill(&bound, &element, &rep);
        mst_status status = check_rep(checker, &element, &rep, index);
        if (status != MST_OK)
            return status;
    }
    list = mst_member_in(&reps, "names");
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);) {
        char name[16];
        mst_value text = mst_member_in(&element, "name");
        mst_get_text(&text, name, sizeof name, NULL);
        if (strcmp(name, "default") == 0)
            return MST_OK;
    }
    mst_finding_of(checker, &list, "collision_reps.names");
    return mst_checker_report(checker, "SPARK-MODEL-REP-NAME");
}

/* An edge of a triangle, in the order in which the triangle has it. */
typedef struct edge {
    uint32_t from, to;
} edge;

static int compare_edges(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to != y->to ? (x->to < y->to ? -1 : 1) : 0;
}

/* A closed solid has every edge once in each direction. */
static mst_status is_closed(mst_checker *checker, const mst_value *solid, bool *closed) {
    mst_value triangles;
    uint64_t read = 0,
             count = mst_find(*solid, "triangles[:]", &triangles, NULL) == MST_OK ? mst_count(&triangles) : 0;
    uint32_t *corners = mst_arena_take(&checker->scratch, (size_t)count, 3 * sizeof *corners);
    edge *edges = mst_arena_take(&checker->scratch, (size_t)count, 3 * sizeof *edges);
    *closed = true;
    if (!corners || !edges)
        return MST_NO_MEMORY;
    mst_target target = {.type = MST_U32, .components = 3, .data = corners, .capacity = count};
    if (count)
        mst_read(&triangles, &target, &read, NULL);
    for (uint64_t i = 0; i < 3 * read; i++)
        edges[i] = (edge){corners[i], corners[i % 3 == 2 ? i - 2 : i + 1]};
    qsort(edges, (size_t)(3 * read), sizeof *edges, compare_edges);
    for (uint64_t i = 0; i < 3 * read && *closed; i++) {
        edge back = {edges[i].to, edges[i].from};
        bool twice = i && compare_edges(&edges[i - 1], &edges[i]) == 0;
        *closed = !twice && bsearch(&back, edges, (size_t)(3 * read), sizeof back, compare_edges);
    }
    return MST_OK;
}

static mst_status check_solids(mst_checker *checker) {
    mst_value list, element;
    uint64_t index = 0;
    if (!mst_spark_list(checker->document, "solids", &list))
        return MST_OK;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++) {
        bool closed;
        mst_status status = is_closed(checker, &element, &closed);
        mst_finding_of(checker, &element, "solids[%llu]", (unsigned long long)index);
        if (status == MST_OK && !closed)
            status = mst_checker_report(checker, "SPARK-MODEL-SOLID-OPEN");
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

/* ---- animations ---------------------------------------------------------------------------------- */

static mst_status check_tags(mst_checker *checker, const mst_value *animation, uint64_t index) {
    mst_value tags = mst_member_in(animation, "tags"), element;
    uint64_t frames = mst_number_in(animation, "frame_count"), at = 0;
    for (mst_iterator it = mst_iterate(&tags); mst_next(&it, &element); at++) {
        uint64_t frame = mst_number_in(&element, "frame");
        if (frame < frames)
            continue;
        mst_diagnostic *finding = mst_finding_of(checker, &element, "animations[%llu].tags[%llu].frame",
                                                 (unsigned long long)index, (unsigned long long)at);
        MST_SET(finding->expected, "a frame below %llu", (unsigned long long)frames);
        mst_status status =
            mst_report(checker, "SPARK-MODEL-ANIM-TAG", NULL, "%llu", (unsigned long long)frame);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static mst_status check_animations(mst_checker *checker) {
    mst_value list, bones, element, curves;
    uint64_t index = 0, bone_count = mst_spark_list(checker->document, "bones", &bones);
    if (!mst_spark_list(checker->document, "animations", &list))
        return MST_OK;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++) {
        mst_status status = check_tags(checker, &element, index);
        if (status == MST_OK && mst_member(&element, "curves", &curves) == MST_OK &&
            mst_count(&curves) != bone_count) {
            mst_diagnostic *finding =
                mst_finding_of(checker, &curves, "animations[%llu].curves", (unsigned long long)index);
            MST_SET(finding->expected, "%llu", (unsigned long long)bone_count);
            status = mst_report(checker, "SPARK-MODEL-ANIM-CURVES", NULL, "%llu",
                                (unsigned long long)mst_count(&curves));
        }
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

mst_status mst_spark_check_parts(mst_checker *checker) {
    mst_status status = check_bones(checker);
    if (status == MST_OK)
        status = check_reps(checker);
    if (status == MST_OK)
        status = check_solids(checker);
    return status == MST_OK ? check_animations(checker) : status;
}
