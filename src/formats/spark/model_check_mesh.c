/* SPDX-License-Identifier: MIT */
/* Checks of the mesh: face sets, vertices, weights. A fault that many vertices or triangles share is one
 * finding, at the first of them. */
#include "spark_model.h"
#include <math.h>

typedef struct mesh {
    mst_checker *checker;
    const mst_document *document;
    mst_value vertices, indices, sets;
    uint64_t vertex_count, index_count, set_count;
    uint64_t *palettes; /* per face set the number of its bones */
    mst_spark_vertex *points;
    uint32_t *set_of; /* per vertex the first face set that uses it, plus 1; 0: none */
    uint32_t *corners;
} mesh;

/* The number of elements with a fault, and the first of them. */
typedef struct tally {
    uint64_t count, first;
} tally;

static void note(tally *t, uint64_t index) {
    if (!t->count++)
        t->first = index;
}

static mst_status report(const mesh *m, const char *code, const tally *t, const mst_value *list,
                         const char *name) {
    mst_value element;
    if (!t->count)
        return MST_OK;
    element = mst_element_in(list, t->first);
    mst_finding_of(m->checker, &element, "%s[%llu]", name, (unsigned long long)t->first);
    return mst_report(m->checker, code, NULL, "%llu in all", (unsigned long long)t->count);
}

/* ---- reading -------------------------------------------------------------------------------------- */

static mst_status begin(mesh *m, mst_checker *checker) {
    mst_arena *arena = &checker->scratch;
    memset(m, 0, sizeof *m);
    m->checker = checker;
    m->document = checker->document;
    m->vertex_count = mst_spark_list(m->document, "vertices", &m->vertices);
    m->index_count = mst_spark_list(m->document, "indices", &m->indices);
    m->set_count = mst_spark_list(m->document, "face_sets", &m->sets);
    m->palettes = mst_arena_zero(arena, (size_t)m->set_count + 1, sizeof *m->palettes);
    m->points = mst_arena_zero(arena, (size_t)m->vertex_count + 1, sizeof *m->points);
    m->set_of = mst_arena_zero(arena, (size_t)m->vertex_count + 1, sizeof *m->set_of);
    m->corners = mst_arena_zero(arena, (size_t)m->index_count + 3, sizeof *m->corners);
    if (!m->palettes || !m->points || !m->set_of || !m->corners)
        return MST_NO_MEMORY;
    mst_bound bound;
    mst_bind(m->document, &mst_spark_vertex_bindings, &bound);
    if (m->vertex_count)
        m->vertex_count = mst_fill_list(&bound, &m->vertices, m->points, m->vertex_count);
    uint64_t read = 0;
    mst_target target = {.type = MST_U32, .components = 1, .data = m->corners, .capacity = m->index_count};
    if (m->index_count)
        mst_read(&m->indices, &target, &read, NULL);
    m->index_count = read;
    return MST_OK;
}

/* ---- face sets ------------------------------------------------------------------------------------ */

static mst_status check_palette(const mesh *m, const mst_spark_face_set *set, uint64_t index) {
    uint64_t count = mst_count(&set->palette), read = 0;
    mst_finding_of(m->checker, &set->palette, "face_sets[%llu].palette", (unsigned long long)index);
    uint32_t bones[MST_SPARK_PALETTE];
    if (count > MST_SPARK_PALETTE)
        return mst_report(m->checker, "SPARK-MODEL-PALETTE-SIZE", "at most 60", "%llu",
                          (unsigned long long)count);
    mst_target target = {.type = MST_U32, .components = 1, .data = bones, .capacity = count};
    mst_read(&set->palette, &target, &read, NULL);
    for (uint64_t i = 0; i < read; i++)
        for (uint64_t k = 0; k < i; k++)
            if (bones[i] == bones[k])
                return mst_report(m->checker, "SPARK-MODEL-PALETTE-DUPLICATE", NULL, "%u twice", bones[i]);
    return MST_OK;
}

/* The vertices of a face set; those that are also in another one are noted. */
static void take_corners(mesh *m, const mst_spark_face_set *set, uint32_t number, tally *shared) {
    uint64_t end = ((uint64_t)set->first_face + set->face_count) * 3;
    for (uint64_t i = (uint64_t)set->first_face * 3; i < end && i < m->index_count; i++) {
        uint32_t vertex = m->corners[i];
        if (vertex >= m->vertex_count)
            continue;
        if (m->set_of[vertex] && m->set_of[vertex] != number)
            note(shared, vertex);
        else
            m->set_of[vertex] = number;
    }
}

static mst_status check_sets(mesh *m) {
    mst_value element;
    mst_bound bound;
    tally shared = {0, 0};
    uint64_t next = 0, faces = m->index_count / 3;
    uint32_t index = 0;
    mst_bind(m->document, &mst_spark_face_set_bindings, &bound);
    if (m->set_count)
        for (mst_iterator it = mst_iterate(&m->sets); index < m->set_count && mst_next(&it, &element);
             index++) {
            mst_spark_face_set set;
            memset(&set, 0, sizeof set);
            set.palette = mst_nothing_in(&element); /* in case the bytes change */
            mst_fill(&bound, &element, &set);
            uint64_t end = (uint64_t)set.first_face + set.face_count;
            mst_finding_of(m->checker, &element, "face_sets[%u]", index);
            mst_status status = MST_OK;
            if (end > faces)
                status =
                    mst_report(m->checker, "SPARK-MODEL-FACESET-RANGE", NULL, "triangles up to %llu of %llu",
                               (unsigned long long)end, (unsigned long long)faces);
            else if (set.first_face != next)
                status = mst_report(m->checker, "SPARK-MODEL-FACESET-ORDER", NULL, "%u instead of %llu",
                                    set.first_face, (unsigned long long)next);
            next = end;
            m->palettes[index] = mst_count(&set.palette);
            take_corners(m, &set, index + 1, &shared);
            if (status == MST_OK)
                status = check_palette(m, &set, index);
            if (status != MST_OK)
                return status;
        }
    if (next < faces) {
        mst_finding_of(m->checker, m->set_count ? &m->sets : NULL, "face_sets");
        mst_status status =
            mst_report(m->checker, "SPARK-MODEL-FACESET-COVER", NULL, "%llu of %llu triangles",
                       (unsigned long long)next, (unsigned long long)faces);
        if (status != MST_OK)
            return status;
    }
    return report(m, "SPARK-MODEL-VERTEX-SHARED", &shared, &m->vertices, "vertices");
}

/* ---- vertices ------------------------------------------------------------------------------------- */

static mst_status check_weights(mesh *m) {
    mst_value element;
    mst_bound skin, influence;
    tally sums = {0, 0}, indices = {0, 0};
    uint64_t index = 0;
    if (!m->vertex_count)
        return MST_OK;
    mst_bind(m->document, &mst_spark_skin_bindings, &skin);
    mst_bind(m->document, &mst_spark_influence_bindings, &influence);
    for (mst_iterator it = mst_iterate(&m->vertices); index < m->vertex_count && mst_next(&it, &element);
         index++) {
        mst_spark_skin held;
        mst_spark_influence bones[MST_SPARK_BONES];
        held.bones = mst_nothing_in(&element);
        memset(bones, 0, sizeof bones);
        mst_fill(&skin, &element, &held);
        mst_fill_list(&influence, &held.bones, bones, MST_SPARK_BONES);
        double sum = 0;
        uint32_t set = m->set_of[index];
        bool any = false, missing = false;
        for (unsigned k = 0; k < MST_SPARK_BONES; k++) {
            sum += (double)bones[k].weight;
            any = any || bones[k].weight != 0;
            missing = missing || (bones[k].weight != 0 && set && bones[k].index >= m->palettes[set - 1]);
        }
        if (any && !(fabs(sum - 1) <= 0.01))
            note(&sums, index);
        /* in a model without a skin the exporter writes weight 1 and bone 0 */
        if (missing && m->palettes[set - 1])
            note(&indices, index);
    }
    mst_status status = report(m, "SPARK-MODEL-WEIGHT-SUM", &sums, &m->vertices, "vertices");
    return status == MST_OK ? report(m, "SPARK-MODEL-WEIGHT-INDEX", &indices, &m->vertices, "vertices")
                            : status;
}

static mst_status check_vertices(mesh *m) {
    tally loose = {0, 0}, normals = {0, 0};
    for (uint64_t i = 0; i < m->vertex_count; i++) {
        const float *n = m->points[i].normal;
        double length =
            sqrt((double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] + (double)n[2] * (double)n[2]);
        if (length < 0.99 || length > 1.01)
            note(&normals, i);
        if (!m->set_of[i])
            note(&loose, i);
    }
    mst_status status = report(m, "SPARK-MODEL-NORMAL", &normals, &m->vertices, "vertices");
    return status == MST_OK ? report(m, "SPARK-MODEL-VERTEX-LOOSE", &loose, &m->vertices, "vertices")
                            : status;
}

/* ---- triangles ------------------------------------------------------------------------------------ */

/* The area times two, times the normal, along the mean of the corners' normals; 0 for a flat triangle. */
static double facing(const mesh *m, const uint32_t corners[3], bool *flat) {
    const float *a = m->points[corners[0]].position;
    double u[3], v[3], n[3] = {0}, along = 0;
    for (unsigned k = 0; k < 3; k++) {
        u[k] = (double)m->points[corners[1]].position[k] - (double)a[k];
        v[k] = (double)m->points[corners[2]].position[k] - (double)a[k];
        for (unsigned c = 0; c < 3; c++)
            n[k] += (double)m->points[corners[c]].normal[k];
    }
    double cross[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    *flat = cross[0] == 0 && cross[1] == 0 && cross[2] == 0;
    for (unsigned k = 0; k < 3; k++)
        along += cross[k] * n[k];
    return along;
}

static mst_status check_triangles(mesh *m) {
    tally flat = {0, 0}, away = {0, 0}, outside = {0, 0};
    for (uint64_t i = 0; i + 3 <= m->index_count; i += 3) {
        const uint32_t *corners = m->corners + i;
        bool is_flat;
        if (corners[0] >= m->vertex_count || corners[1] >= m->vertex_count || corners[2] >= m->vertex_count)
            continue;
        double along = facing(m, corners, &is_flat);
        if (is_flat)
            note(&flat, i);
        if (along < 0)
            note(&away, i);
        else if (along > 0)
            note(&outside, i);
    }
    mst_status status = MST_OK;
    if (m->index_count % 3) {
        mst_finding_of(m->checker, &m->indices, "indices");
        status = mst_report(m->checker, "SPARK-MODEL-INDEX-COUNT", "a multiple of 3", "%llu",
                            (unsigned long long)m->index_count);
    }
    if (status == MST_OK)
        status = report(m, "SPARK-MODEL-TRIANGLE-FLAT", &flat, &m->indices, "indices");
    return status == MST_OK && away.count > outside.count
               ? report(m, "SPARK-MODEL-WINDING", &away, &m->indices, "indices")
               : status;
}

mst_status mst_spark_check_mesh(mst_checker *checker) {
    mesh m;
    mst_status status = begin(&m, checker);
    if (status == MST_OK)
        status = check_sets(&m);
    if (status == MST_OK)
        status = check_vertices(&m);
    if (status == MST_OK)
        status = check_weights(&m);
    return status == MST_OK ? check_triangles(&m) : status;
}
