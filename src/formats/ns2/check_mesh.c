/* SPDX-License-Identifier: MIT */
/*
 * Checks of the mesh during the walk: faces and loops when they are visited, counts and uses at the end of
 * the mesh.
 */
#include "check_mesh.h"
#include <stdio.h>

/* ---- before the walk --------------------------------------------------------------------------- */

static bool uses_begin(mst_ns2_uses *u, mst_arena *arena, uint64_t count) {
    u->count = count;
    u->bits = mst_arena_zero(arena, (size_t)(count / 4 + 1), 1);
    return u->bits != NULL;
}
static unsigned uses_of(const mst_ns2_uses *u, uint64_t index) {
    return u->bits[index / 4] >> index % 4 * 2 & 3;
}
static void use(mst_ns2_uses *u, uint64_t index) {
    if (index < u->count && uses_of(u, index) < 3)
        u->bits[index / 4] = (uint8_t)(u->bits[index / 4] + (1u << index % 4 * 2));
}

static mst_status take_memory(mst_ns2_mesh_check *m) {
    mst_arena *arena = &m->level->checker->scratch;
    m->in_group_count = m->vertices.count > m->edges.count ? m->vertices.count : m->edges.count;
    if (m->face_count > m->in_group_count)
        m->in_group_count = m->face_count;
    m->in_group = mst_arena_zero(arena, (size_t)m->in_group_count + 1, sizeof *m->in_group);
    m->first_loop = mst_arena_zero(arena, (size_t)m->face_count + 1, sizeof *m->first_loop);
    m->triangles = mst_arena_take(arena, (size_t)m->triangle_lists, sizeof *m->triangles);
    if (!m->in_group || !m->first_loop || !m->triangles)
        return MST_NO_MEMORY;
    if (!m->informs)
        return MST_OK;
    m->last_face = mst_arena_zero(arena, (size_t)m->edges.count + 1, sizeof *m->last_face);
    return m->last_face && uses_begin(&m->edge_uses, arena, m->edges.count) &&
                   uses_begin(&m->vertex_uses, arena, m->vertices.count)
               ? MST_OK
               : MST_NO_MEMORY;
}

/*
 * Whether ids are unique is not known: none of the 109 levels examined has a mapping group. So a file with a
 * duplicate id is not wrong, but an edit that creates one is refused: a face can have only one mapping group.
 */
static mst_status check_mapping_ids(const mst_ns2_mesh_check *m, const mst_value *list) {
    mst_value group;
    uint64_t index = 0;
    if (m->mapping_groups.count == mst_count(list))
        return MST_OK;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &group); index++) {
        mst_value id = mst_member_in(&group, "id");
        uint32_t number = (uint32_t)mst_number_in(&group, "id");
        uint32_t first = mst_ns2_ids_find(m->mapping_groups.items, m->mapping_groups.count, number);
        if (first == index)
            continue;
        mst_diagnostic *finding = mst_finding_of(m->level->checker, &id, "%s.mapping_groups[%llu].id",
                                                 m->path, (unsigned long long)index);
        MST_SET(finding->expected, "a unique id");
        MST_SET(finding->found, "%u, the id of mapping_groups[%u]", number, first);
        MST_REPORT(m->level->checker, "NS2-MAPPING-TWICE");
    }
    return MST_OK;
}

mst_status mst_ns2_mesh_begin(mst_ns2_level *level, const mst_value *mesh, const char *path,
                              mst_ns2_mesh_check **result) {
    mst_value list, triangles;
    mst_ns2_mesh_check *m = *result = mst_arena_zero(&level->checker->scratch, 1, sizeof *m);
    if (!m)
        return MST_NO_MEMORY;
    m->level = level;
    m->document = mesh->document;
    m->mesh = *mesh;
    MST_SET(m->path, "%s", path);
    m->materials_ordered = true;
    m->vertices.data = m->edges.data = m->ghosts.data = m->document->data;
    mst_bound bound;
    mst_bind(m->document, &mst_ns2_loop_edge_bindings, &bound);
    m->turned = mst_bound_column(&bound, offsetof(mst_ns2_loop_edge, flipped));
    m->edge = mst_bound_column(&bound, offsetof(mst_ns2_loop_edge, edge));
    mst_bind(m->document, &mst_ns2_triangle_bindings, &bound);
    m->corners = mst_bound_column(&bound, offsetof(mst_ns2_triangle, vertices));
    mst_bind(m->document, &mst_ns2_face_bindings, &m->face);
    mst_bind(m->document, &mst_ns2_mapping_bindings, &m->mapping_group);
    mst_bind(m->document, &mst_ns2_face_layers_bindings, &m->face_layers);
    m->informs = mst_checker_wants(level->checker, "NS2-EDGE-LOOSE");
    if (mst_member(mesh, "vertices", &list) == MST_OK)
        m->vertices = mst_column_in(&list, "position");
    if (mst_member(mesh, "edges", &list) == MST_OK)
        m->edges = mst_column_in(&list, "vertices");
    if (mst_member(mesh, "materials", &list) == MST_OK)
        m->material_count = mst_count(&list);
    m->has_faces = mst_member(mesh, "faces", &list) == MST_OK;
    if (m->has_faces)
        m->face_count = mst_count(&list);
    m->has_triangles = mst_member(mesh, "triangles", &triangles) == MST_OK;
    if (m->has_triangles && mst_member(&triangles, "ghost_vertices", &list) == MST_OK)
        m->ghosts = mst_column_in(&list, "position");
    if (m->has_triangles && mst_member(&triangles, "smoothed_normals", &list) == MST_OK) {
        m->normals = mst_count(&list);
        m->has_normals = true;
    }
    if (m->has_triangles) {
        list = mst_member_in(&triangles, "faces");
        m->triangle_lists = mst_count(&list);
    }
    mst_status status = take_memory(m);
    if (status == MST_OK && mst_member(mesh, "mapping_groups", &list) == MST_OK)
        status = mst_ns2_read_ids(level, &list, &m->mapping_groups);
    return status == MST_OK && m->mapping_groups.items ? check_mapping_ids(m, &list) : status;
}

/* ---- faces ------------------------------------------------------------------------------------- */

static mst_status check_face(mst_ns2_mesh_check *m, uint64_t offset) {
    mst_ns2_bound_face face;
    memset(&face, 0, sizeof face);
    mst_fill_at(&m->face, offset, m->mesh.end, &face);
    bool mapped = mst_ns2_ids_find(m->mapping_groups.items, m->mapping_groups.count, face.mapping_group) !=
                  MST_NS2_NONE;
    uint64_t at = offset + mst_bound_at(&m->face, offsetof(mst_ns2_bound_face, scale));
    for (uint32_t c = 0; c < 2 && !mapped; c++) { /* with a mapping group, the group's scale counts instead */
        if (face.scale[c] != 0)
            continue;
        mst_finding_at(m->level->checker, at + 4 * c, 4, "%s.faces[%llu].scale[%u]", m->path,
                       (unsigned long long)m->face_index, c);
        MST_REPORT(m->level->checker, "NS2-TEXTURE-SCALE");
    }
    if (face.material == m->next_material) {
        m->next_material++;
    } else if (face.material > m->next_material && face.material < m->material_count &&
               m->materials_ordered) {
        m->materials_ordered = false; /* reported once: later ones are consequences */
        at = offset + mst_bound_at(&m->face, offsetof(mst_ns2_bound_face, material));
        mst_diagnostic *finding = mst_finding_at(m->level->checker, at, 4, "%s.faces[%llu].material", m->path,
                                                 (unsigned long long)m->face_index);
        MST_SET(finding->expected, "at most %llu", (unsigned long long)m->next_material);
        MST_SET(finding->found, "%u", face.material);
        MST_REPORT(m->level->checker, "NS2-MATERIAL-ORDER");
    }
    return MST_OK;
}

/* Counts an edge once per face, however often the face uses it. */
static void use_edge(mst_ns2_mesh_check *m, uint32_t edge) {
    if (!m->informs || edge >= m->edges.count || m->last_face[edge] == m->face_index + 1)
        return;
    m->last_face[edge] = (uint32_t)m->face_index + 1;
    use(&m->edge_uses, edge);
}

static mst_status report_open(const mst_ns2_mesh_check *m, const mst_item *item, uint64_t index,
                              uint32_t expected, uint32_t found) {
    mst_diagnostic *finding = mst_finding_at(
        m->level->checker, item->offset, item->shape.prefix + item->shape.count * item->shape.element,
        "%s.faces[%llu].loops[%llu][%llu]", m->path, (unsigned long long)m->face_index,
        (unsigned long long)m->loop, (unsigned long long)index);
    MST_SET(finding->expected, "an edge from vertex %u", expected);
    MST_SET(finding->found, "one from vertex %u", found);
    MST_REPORT(m->level->checker, "NS2-LOOP-OPEN");
    return MST_OK;
}

static mst_status check_loop(mst_ns2_mesh_check *m, const mst_item *item) {
    uint64_t count = item->shape.count, offset = item->offset + item->shape.prefix;
    mst_column turned = mst_column_at(&m->turned, offset, count),
               edge = mst_column_at(&m->edge, offset, count);
    mst_ns2_run *loop = mst_ns2_push(m->level, &m->loops, sizeof *loop);
    if (!loop)
        return MST_NO_MEMORY;
    *loop = (mst_ns2_run){(uint32_t)(offset - m->mesh.offset), (uint32_t)count};
    uint32_t first = 0, end = 0;
    bool first_known = false, known = false;
    if (!count && m->loop == 0) {
        mst_finding_at(m->level->checker, item->offset, item->shape.prefix, "%s.faces[%llu].loops[0]",
                       m->path, (unsigned long long)m->face_index);
        MST_REPORT(m->level->checker, "NS2-LOOP-EMPTY");
    }
    for (uint64_t i = 0; i <= count; i++) {
        uint32_t from, to = 0;
        if (i == count) { /* back to the first edge */
            if (!first_known)
                break;
            from = first;
        } else {
            uint32_t index = mst_column_u32(&edge, i, 0);
            use_edge(m, index);
            if (index >= m->edges.count) {
                known = false;
                continue;
            }
            uint32_t start = mst_column_u32(&turned, i, 0) ? 1 : 0;
            from = mst_column_u32(&m->edges, index, start);
            to = mst_column_u32(&m->edges, index, 1 - start);
        }
        if (i == 0) {
            first = from;
            first_known = true;
        } else if (known && from != end) {
            mst_status status = report_open(m, item, i == count ? 0 : i, end, from);
            if (status != MST_OK)
                return status;
        }
        end = to;
        known = true;
    }
    return MST_OK;
}

/* ---- triangles, layers, groups ----------------------------------------------------------------- */

static void take_triangles(mst_ns2_mesh_check *m, const mst_item *item) {
    m->triangle_sum += item->shape.count;
    if (MST_CHANGED(m->triangle_lists_met == m->triangle_lists)) /* the list has as many elements */
        return;
    m->triangles[m->triangle_lists_met++] = (mst_ns2_run){
        (uint32_t)(item->offset + item->shape.prefix - m->mesh.offset), (uint32_t)item->shape.count};
}

static mst_status check_face_layers(mst_ns2_mesh_check *m, const mst_item *item) {
    char path[128];
    mst_ns2_bound_face_layers layers = {.format = MST_NS2_LAYER_FORMAT};
    mst_fill_at(&m->face_layers, item->offset, item->limit, &layers);
    snprintf(path, sizeof path, "%s.face_layers.format", m->path);
    uint32_t at = mst_bound_at(&m->face_layers, offsetof(mst_ns2_bound_face_layers, format));
    return mst_ns2_check_layer_format(m->level, layers.format, item->offset + at, path);
}

/* Reports duplicates within a group; that the indices exist is a rule of the tables. */
static mst_status check_members(mst_ns2_mesh_check *m, const mst_item *item) {
    m->groups_met++; /* does not overflow: a group has at least 8 bytes, and a chunk has less than 2^32 */
    mst_column indices = mst_column_of_numbers(m->document, item);
    for (uint64_t i = 0; i < indices.count; i++) {
        uint32_t index = mst_column_u32(&indices, i, 0);
        if (index >= m->in_group_count)
            continue;
        if (m->in_group[index] == m->groups_met) {
            uint64_t at = item->offset + item->shape.prefix + i * indices.stride;
            mst_diagnostic *finding =
                mst_finding_at(m->level->checker, at, 4, "%s.geometry_groups.%s[%llu].indices[%llu]", m->path,
                               m->groups, (unsigned long long)m->group, (unsigned long long)i);
            MST_SET(finding->found, "%u", index);
            MST_REPORT(m->level->checker, "NS2-GROUP-TWICE");
        }
        m->in_group[index] = m->groups_met;
    }
    return MST_OK;
}

static mst_status check_mapping_scale(const mst_ns2_mesh_check *m, const mst_item *item) {
    uint64_t at = item->offset + item->shape.prefix +
                  mst_bound_at(&m->mapping_group, offsetof(mst_ns2_bound_mapping, scale));
    mst_column scales = mst_bound_column(&m->mapping_group, offsetof(mst_ns2_bound_mapping, scale));
    scales = mst_column_at(&scales, item->offset + item->shape.prefix, item->shape.count);
    for (uint64_t i = 0; i < scales.count; i++)
        for (uint32_t c = 0; c < 2; c++) {
            if (mst_column_u32(&scales, i, c) << 1 != 0) /* neither 0 nor -0 */
                continue;
            mst_finding_at(m->level->checker, at + i * scales.stride + 4 * c, 4,
                           "%s.mapping_groups[%llu].scale[%u]", m->path, (unsigned long long)i, c);
            MST_REPORT(m->level->checker, "NS2-TEXTURE-SCALE");
        }
    return MST_OK;
}

/* ---- the walk ---------------------------------------------------------------------------------- */

static void enter_part(mst_ns2_mesh_check *m, mst_ns2_part part, const mst_item *item) {
    m->part = part;
    m->part_depth = item->depth;
}

static mst_status begin_list(mst_ns2_mesh_check *m, const mst_item *item) {
    if (m->part == ELSEWHERE && item->record == m->face.record)
        enter_part(m, IN_FACES, item);
    else if (m->part == ELSEWHERE && item->record == m->mapping_group.record)
        return check_mapping_scale(m, item);
    else if (m->part == IN_FACES && item->shape.element) {
        m->loop = item->index;
        return check_loop(m, item);
    } else if (m->part == IN_TRIANGLES && item->index != UINT64_MAX)
        take_triangles(m, item);
    else if (m->part == IN_GROUPS)
        m->groups = item->name;
    return MST_OK;
}

static mst_status begin_record(mst_ns2_mesh_check *m, const mst_item *item) {
    if (item->record == m->face.record) {
        if (MST_CHANGED(m->faces_met == m->face_count)) /* the list has as many elements */
            return MST_OK;
        m->face_index = item->index;
        m->first_loop[m->faces_met++] = (uint32_t)m->loops.count;
        return check_face(m, item->offset);
    }
    if (item->record == m->face_layers.record)
        return check_face_layers(m, item);
    if (item->record == &mst_ns2_geometry_groups_record)
        enter_part(m, IN_GROUPS, item);
    else if (item->record == &mst_ns2_triangles_record)
        enter_part(m, IN_TRIANGLES, item);
    else
        m->group = item->index;
    return MST_OK;
}

mst_status mst_ns2_mesh_item(mst_ns2_mesh_check *m, const mst_item *item) {
    if (item->kind == MST_ITEM_BEGIN_LIST)
        return begin_list(m, item);
    if (item->kind == MST_ITEM_BEGIN_RECORD)
        return begin_record(m, item);
    if (item->kind == MST_ITEM_LEAF && m->part == IN_GROUPS && mst_is_list(item->field)) /* `indices` */
        return check_members(m, item);
    if ((item->kind == MST_ITEM_END_RECORD || item->kind == MST_ITEM_END_LIST) &&
        item->depth == m->part_depth)
        m->part = ELSEWHERE;
    return MST_OK;
}

/* ---- after the walk ---------------------------------------------------------------------------- */

static mst_status check_uses(const mst_ns2_mesh_check *m, const mst_ns2_uses *used, const mst_column *list,
                             const char *name, bool edges) {
    for (uint64_t i = 0; i < list->count; i++) {
        unsigned times = uses_of(used, i);
        if (times && (times < 3 || !edges))
            continue;
        mst_finding_at(m->level->checker, (uint64_t)(list->data - m->document->data) + i * list->stride,
                       list->stride, "%s.%s[%llu]", m->path, name, (unsigned long long)i);
        MST_REPORT(m->level->checker, !edges  ? "NS2-VERTEX-LOOSE"
                                      : times ? "NS2-EDGE-NONMANIFOLD"
                                              : "NS2-EDGE-LOOSE");
    }
    return MST_OK;
}

static mst_status check_all_uses(mst_ns2_mesh_check *m) {
    if (!m->informs)
        return MST_OK;
    for (uint64_t i = 0; i < m->edges.count; i++) {
        use(&m->vertex_uses, mst_column_u32(&m->edges, i, 0));
        use(&m->vertex_uses, mst_column_u32(&m->edges, i, 1));
    }
    mst_status status = m->has_faces ? check_uses(m, &m->edge_uses, &m->edges, "edges", true) : MST_OK;
    if (status == MST_OK)
        status = check_uses(m, &m->vertex_uses, &m->vertices, "vertices", false);
    return status == MST_OK ? mst_ns2_check_same_edges(m) : status;
}

/* Chunks with one entry per face must have as many entries as there are faces. */
static mst_status check_counts(const mst_ns2_mesh_check *m) {
    mst_value triangles = m->mesh, layers = m->mesh, list;
    bool has_layers = mst_member(&m->mesh, "face_layers", &layers) == MST_OK;
    uint64_t entries = 0, stored = 0;
    if (has_layers) {
        list = mst_member_in(&layers, m->document->variant.version < 5 ? "masks" : "faces");
        entries = mst_count(&list);
    }
    if (entries != m->face_count) {
        mst_diagnostic *finding =
            mst_finding_of(m->level->checker, &layers, "%s%s", m->path, has_layers ? ".face_layers" : "");
        MST_SET(finding->expected, "%llu faces", (unsigned long long)m->face_count);
        MST_SET(finding->found, "%llu", (unsigned long long)entries);
        MST_REPORT(m->level->checker, "NS2-FACE-LAYERS");
    }
    if (m->level->copied && !m->has_triangles)
        return MST_OK; /* clipboards have none */
    if (m->has_triangles)
        triangles = mst_member_in(&m->mesh, "triangles");
    if (!m->has_triangles || m->triangle_lists_met != m->face_count) {
        if (m->has_triangles)
            triangles = mst_member_in(&triangles, "face_count");
        mst_diagnostic *finding = mst_finding_of(m->level->checker, &triangles, "%s%s", m->path,
                                                 m->has_triangles ? ".triangles.face_count" : "");
        MST_SET(finding->expected, "%llu faces", (unsigned long long)m->face_count);
        MST_SET(finding->found, "%llu", (unsigned long long)m->triangle_lists_met);
        MST_REPORT(m->level->checker, "NS2-TRIANGLES-MISSING");
    }
    if (!m->has_triangles)
        return MST_OK;
    triangles = mst_member_in(&m->mesh, "triangles");
    mst_value number = mst_member_in(&triangles, "triangle_count");
    mst_get_unsigned(&number, &stored);
    if (stored != m->triangle_sum) {
        mst_diagnostic *finding =
            mst_finding_of(m->level->checker, &number, "%s.triangles.triangle_count", m->path);
        MST_SET(finding->expected, "%llu", (unsigned long long)m->triangle_sum);
        MST_SET(finding->found, "%llu", (unsigned long long)stored);
        MST_REPORT(m->level->checker, "NS2-TRIANGLE-COUNT");
    }
    return MST_OK;
}

static mst_status check_unused_material(const mst_ns2_mesh_check *m) {
    if (!m->has_faces || !m->materials_ordered || m->next_material >= m->material_count)
        return MST_OK;
    mst_value list = mst_member_in(&m->mesh, "materials"), material = mst_element_in(&list, m->next_material);
    mst_diagnostic *finding = mst_finding_of(m->level->checker, &material, "%s.materials[%llu]", m->path,
                                             (unsigned long long)m->next_material);
    MST_SET(finding->message,
            "no face uses the material: the editor does not list such, and it can be removed");
    MST_REPORT(m->level->checker, "NS2-MATERIAL-ORDER");
    return MST_OK;
}

/* The parts of a mesh are normally in the order of the table. */
static mst_status check_order(const mst_ns2_mesh_check *m) {
    static const char *const parts[] = {"materials",   "vertices",       "edges",           "faces",
                                        "face_layers", "mapping_groups", "geometry_groups", "triangles"};
    uint64_t before = 0;
    for (size_t i = 0; i < MST_COUNT_OF(parts); i++) {
        mst_value part;
        if (mst_member(&m->mesh, parts[i], &part) != MST_OK)
            continue;
        if (part.offset < before) {
            mst_diagnostic *finding = mst_finding_of(m->level->checker, &part, "%s.%s", m->path, parts[i]);
            MST_SET(finding->message,
                    "the part of the mesh is not in the usual order, as in all known levels");
            MST_REPORT(m->level->checker, "NS2-ORDER");
            return MST_OK; /* reported once */
        }
        before = part.offset;
    }
    return MST_OK;
}

mst_status mst_ns2_mesh_end(mst_ns2_mesh_check *m) {
    m->first_loop[m->faces_met] = (uint32_t)m->loops.count;
    mst_status status = mst_ns2_check_chunks(m->level, &m->mesh, m->path);
    if (status == MST_OK)
        status = check_order(m);
    if (status == MST_OK)
        status = check_unused_material(m);
    if (status == MST_OK)
        status = mst_ns2_check_same_materials(m);
    if (status == MST_OK)
        status = check_counts(m);
    if (status == MST_OK)
        status = mst_ns2_check_faces(m);
    return status == MST_OK ? check_all_uses(m) : status;
}
