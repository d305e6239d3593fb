/* SPDX-License-Identifier: MIT */
/* Checks of the mesh: one walk over its chunks, looking at faces and triangles as they pass. */
#include "check.h"
#include <stdio.h>

/* How often edges and vertices are used, in two bits: 0, 1, 2, more. */
typedef struct uses {
    uint8_t *bits;
    uint64_t count;
} uses;

static bool uses_begin(uses *u, mst_arena *arena, uint64_t count) {
    u->count = count;
    u->bits = mst_arena_zero(arena, (size_t)(count / 4 + 1), 1);
    return u->bits != NULL;
}
static unsigned uses_of(const uses *u, uint64_t index) {
    return u->bits[index / 4] >> index % 4 * 2 & 3;
}
static void use(uses *u, uint64_t index) {
    if (index < u->count && uses_of(u, index) < 3)
        u->bits[index / 4] = (uint8_t)(u->bits[index / 4] + (1u << index % 4 * 2));
}

typedef struct mesh {
    mst_ns2_level *level;
    const mst_document *document;
    const char *path;
    mst_column vertices, edges;
    uint64_t vertex_count, material_count, face_count;
    uses edge_uses, vertex_uses;
    /* where the walk is */
    enum { ELSEWHERE, IN_FACES, IN_FACE_LAYERS, IN_TRIANGLES } part;
    uint64_t face, loop;
    uint64_t next_material, triangle_sum, triangle_faces;
    bool materials_ordered;
} mesh;

static mst_diagnostic finding_at(uint64_t offset, uint64_t length, const char *path) {
    mst_diagnostic finding = mst_ns2_finding(NULL, path);
    finding.offset = offset;
    finding.length = length;
    return finding;
}

static mst_status check_loop(mesh *m, const mst_item *item) {
    const mst_column flipped = mst_column_in_item(m->document, item, "flipped"),
                     edge = mst_column_in_item(m->document, item, "edge");
    uint32_t first = 0, end = 0;
    bool first_known = false, known = false;
    for (uint64_t i = 0; i <= edge.count; i++) {
        uint32_t from, to = 0;
        if (i == edge.count) { /* round to the beginning */
            if (!first_known)
                break;
            from = first;
        } else {
            uint32_t index = mst_column_u32(&edge, i, 0);
            use(&m->edge_uses, index);
            if (index >= m->edges.count) {
                known = false;
                continue;
            }
            bool turned = mst_column_u32(&flipped, i, 0) != 0;
            from = mst_column_u32(&m->edges, index, turned ? 1 : 0);
            to = mst_column_u32(&m->edges, index, turned ? 0 : 1);
        }
        if (i == 0) {
            first = from;
            first_known = true;
        } else if (known && from != end) {
            char path[192];
            snprintf(path, sizeof path, "%s.faces[%llu].loops[%llu][%llu]", m->path,
                     (unsigned long long)m->face, (unsigned long long)m->loop,
                     (unsigned long long)(i == edge.count ? 0 : i));
            mst_diagnostic finding =
                finding_at(item->offset, item->shape.prefix + edge.count * edge.stride, path);
            MST_SET(finding.expected, "an edge from vertex %u", end);
            MST_SET(finding.found, "one from vertex %u", from);
            MST_NS2_REPORT(m->level, "NS2-LOOP-OPEN", finding);
        }
        end = to;
        known = true;
    }
    return MST_OK;
}

static mst_status check_face_number(mesh *m, const mst_item *item) {
    if (strcmp(item->name, "material") == 0) {
        char path[128];
        uint64_t material = mst_scalar_bits(m->document, item->field, item->offset);
        if (material == m->next_material)
            m->next_material++;
        else if (material > m->next_material && material < m->material_count && m->materials_ordered) {
            m->materials_ordered = false; /* once is enough: what follows is a consequence */
            snprintf(path, sizeof path, "%s.faces[%llu].material", m->path, (unsigned long long)m->face);
            mst_diagnostic finding = finding_at(item->offset, item->length, path);
            MST_SET(finding.expected, "at most %llu", (unsigned long long)m->next_material);
            MST_SET(finding.found, "%llu", (unsigned long long)material);
            MST_NS2_REPORT(m->level, "NS2-MATERIAL-ORDER", finding);
        }
    }
    return MST_OK;
}

static mst_status check_triangle_list(mesh *m, const mst_item *item) {
    char path[160];
    m->triangle_sum += item->shape.count;
    m->triangle_faces++;
    if (!item->shape.count) {
        snprintf(path, sizeof path, "%s.triangles.faces[%llu]", m->path, (unsigned long long)item->index);
        mst_diagnostic finding = finding_at(item->offset, item->shape.prefix, path);
        MST_NS2_REPORT(m->level, "NS2-FACE-EMPTY", finding);
    }
    return MST_OK;
}

static mst_status visit(void *user, const mst_item *item) {
    mesh *m = user;
    switch (item->kind) {
    case MST_ITEM_BEGIN_LIST:
        if (strcmp(item->name, "faces") == 0 && m->part == ELSEWHERE)
            m->part = IN_FACES;
        if (m->part == IN_FACES && item->shape.element) {
            m->loop = item->index;
            mst_status status = check_loop(m, item);
            return status == MST_OK ? MST_UNKNOWN : status;
        }
        if (m->part == IN_TRIANGLES && item->index != UINT64_MAX) {
            mst_status status = check_triangle_list(m, item);
            return status == MST_OK ? MST_UNKNOWN : status;
        }
        return item->shape.element ? MST_UNKNOWN : MST_OK;
    case MST_ITEM_BEGIN_RECORD:
        if (strcmp(item->name, "face_layers") == 0)
            m->part = IN_FACE_LAYERS;
        else if (strcmp(item->name, "triangles") == 0)
            m->part = IN_TRIANGLES;
        else if (item->index != UINT64_MAX)
            m->face = item->index;
        return MST_OK;
    case MST_ITEM_END_RECORD:
        if (m->part > IN_FACES && item->index == UINT64_MAX)
            m->part = ELSEWHERE;
        return MST_OK;
    case MST_ITEM_END_LIST:
        if (m->part == IN_FACES && strcmp(item->name, "faces") == 0)
            m->part = ELSEWHERE;
        return MST_OK;
    case MST_ITEM_LEAF:
        if (m->part == IN_FACES)
            return check_face_number(m, item);
        if (m->part == IN_FACE_LAYERS && strcmp(item->name, "format") == 0) {
            char path[128];
            snprintf(path, sizeof path, "%s.face_layers.format", m->path);
            return mst_ns2_check_layer_format(m->level, item, path);
        }
        return MST_OK;
    case MST_ITEM_DERIVED: return MST_OK;
    }
    return MST_OK;
}

static mst_status check_uses(mesh *m, const uses *used, const mst_column *list, const char *name,
                             bool edges) {
    char path[128];
    for (uint64_t i = 0; i < list->count; i++) {
        unsigned times = uses_of(used, i);
        if (times && (times < 3 || !edges))
            continue;
        snprintf(path, sizeof path, "%s.%s[%llu]", m->path, name, (unsigned long long)i);
        mst_diagnostic finding =
            finding_at((uint64_t)(list->data - m->document->data) + i * list->stride, list->stride, path);
        MST_NS2_REPORT(m->level,
                       !edges  ? "NS2-VERTEX-LOOSE"
                       : times ? "NS2-EDGE-NONMANIFOLD"
                               : "NS2-EDGE-LOOSE",
                       finding);
    }
    return MST_OK;
}

static mst_status check_counts(mesh *m, const mst_value *triangles) {
    char path[128];
    mst_value number = mst_member_in(triangles, "triangle_count"), faces = mst_member_in(triangles, "faces");
    uint64_t stored = 0;
    if (m->triangle_faces != m->face_count) {
        snprintf(path, sizeof path, "%s.triangles.faces", m->path);
        mst_diagnostic finding = mst_ns2_finding(&faces, path);
        MST_SET(finding.expected, "%llu faces", (unsigned long long)m->face_count);
        MST_SET(finding.found, "%llu", (unsigned long long)m->triangle_faces);
        MST_NS2_REPORT(m->level, "NS2-TRIANGLE-COUNT", finding);
    }
    mst_get_unsigned(&number, &stored);
    if (stored != m->triangle_sum) {
        snprintf(path, sizeof path, "%s.triangles.triangle_count", m->path);
        mst_diagnostic finding = mst_ns2_finding(&number, path);
        MST_SET(finding.expected, "%llu", (unsigned long long)m->triangle_sum);
        MST_SET(finding.found, "%llu", (unsigned long long)stored);
        MST_NS2_REPORT(m->level, "NS2-TRIANGLE-COUNT", finding);
    }
    return MST_OK;
}

mst_status mst_ns2_check_mesh(mst_ns2_level *level, const mst_value *value, const char *path) {
    mesh m;
    memset(&m, 0, sizeof m);
    m.level = level;
    m.document = value->document;
    m.path = path;
    m.materials_ordered = true;
    mst_status status = mst_ns2_check_chunks(level, value, path);
    if (status != MST_OK)
        return status;
    mst_value list, triangles;
    if (mst_member(value, "vertices", &list) == MST_OK)
        m.vertices = mst_column_in(&list, "position");
    m.vertex_count = m.vertices.count;
    if (mst_member(value, "edges", &list) == MST_OK)
        m.edges = mst_column_in(&list, "vertices");
    if (mst_member(value, "materials", &list) == MST_OK)
        m.material_count = mst_count(&list);
    bool has_faces = mst_member(value, "faces", &list) == MST_OK;
    if (has_faces)
        m.face_count = mst_count(&list);
    bool has_triangles = mst_member(value, "triangles", &triangles) == MST_OK;
    if (!uses_begin(&m.edge_uses, &level->checker->scratch, m.edges.count) ||
        !uses_begin(&m.vertex_uses, &level->checker->scratch, m.vertex_count))
        return MST_NO_MEMORY;
    mst_walk_request request = {.document = value->document,
                                .field = mst_field_of(value),
                                .registers = value->registers,
                                .offset = value->offset,
                                .end = value->end,
                                .index = UINT64_MAX,
                                .single = true,
                                .chunk = true,
                                .visitor = visit,
                                .user = &m};
    status = mst_walk_field(&request, NULL, level->checker->failure);
    if (status != MST_OK)
        return status;
    if (has_faces && m.materials_ordered && m.next_material < m.material_count) {
        char full[128];
        list = mst_member_in(value, "materials");
        mst_value material = mst_element_in(&list, m.next_material);
        snprintf(full, sizeof full, "%s.materials[%llu]", path, (unsigned long long)m.next_material);
        mst_diagnostic finding = mst_ns2_finding(&material, full);
        MST_SET(finding.message, "no face uses the material");
        MST_NS2_REPORT(level, "NS2-MATERIAL-ORDER", finding);
    }
    for (uint64_t i = 0; i < m.edges.count; i++) {
        use(&m.vertex_uses, mst_column_u32(&m.edges, i, 0));
        use(&m.vertex_uses, mst_column_u32(&m.edges, i, 1));
    }
    if (has_faces)
        status = check_uses(&m, &m.edge_uses, &m.edges, "edges", true);
    if (status == MST_OK)
        status = check_uses(&m, &m.vertex_uses, &m.vertices, "vertices", false);
    return status == MST_OK && has_triangles ? check_counts(&m, &triangles) : status;
}
