/* SPDX-License-Identifier: MIT */
/* Finding vertices, edges and faces of a level by position. */
#include "../../core/number.h"
#include "../../core/unreachable.h"
#include "carry.h"

static bool find_list(const mst_document *document, const char *path, mst_value *list) {
    memset(list, 0, sizeof *list);
    return mst_find(mst_root(document), path, list, NULL) == MST_OK && mst_count(list) < UINT32_MAX / 8;
}

static uint64_t mix(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

/* ---- vertices, edges, materials ---------------------------------------------------------------------- */

/* The number of a key; with `add`, a new key gets the number `next`. There is room for it. */
static uint32_t number_of(mst_hash_map *numbers, mst_hash_map_entry key, uint32_t next, bool add) {
    key.value = next;
    const uint32_t *number = add ? mst_hash_map_add(numbers, key) : mst_hash_map_find(numbers, key);
    return number ? *number : MST_NS2_NOWHERE;
}

/* Takes the next vertex, which is already in `points`, unless there is one at its position. */
static uint32_t place_vertex(mst_ns2_places *p, uint32_t next, bool add) {
    uint32_t *bits = p->point_keys + 3 * (size_t)next;
    bool is_nan = false;
    for (size_t k = 0; k < 3; k++) {
        float number = p->points[3 * (size_t)next + k] + 0.0F; /* -0 is 0 */
        bits[k] = mst_bits_of_f32(number);
        is_nan = is_nan || number != number; /* it has no position */
    }
    return is_nan ? (add ? next : MST_NS2_NOWHERE)
                  : number_of(&p->by_point, mst_key_bytes(bits, 3 * sizeof *bits), next, add);
}

uint32_t mst_ns2_vertex_at(mst_ns2_places *p, const float point[3], bool add) {
    if (p->vertices >= p->vertex_count + p->room)
        return MST_NS2_NOWHERE;
    memcpy(p->points + 3 * (size_t)p->vertices, point, 3 * sizeof *point);
    uint32_t found = place_vertex(p, p->vertices, add);
    p->vertices += found == p->vertices;
    return found;
}

static uint32_t first_of(const mst_ns2_places *p, uint32_t vertex) {
    return vertex < p->vertex_count ? p->first[vertex] : vertex;
}

static uint32_t place_edge(mst_ns2_places *p, uint32_t from, uint32_t to, uint32_t next, bool add) {
    uint64_t low = from < to ? from : to, high = from < to ? to : from;
    return number_of(&p->by_ends, mst_key_number(high << 32 | low), next, add);
}

uint32_t mst_ns2_edge_between(mst_ns2_places *p, uint32_t from, uint32_t to, bool add) {
    if (p->edges >= p->edge_count + p->room)
        return MST_NS2_NOWHERE;
    uint32_t found = place_edge(p, from, to, p->edges, add);
    if (found == p->edges)
        p->edge[p->edges++] = (mst_ns2_edge_there){{from, to}, NULL};
    return found;
}

uint32_t mst_ns2_material_called(mst_ns2_places *p, const mst_json_node *name, bool add) {
    for (uint32_t i = 0; i < p->materials; i++)
        if (p->names[i].length == name->length &&
            (!name->length || memcmp(p->names[i].text, name->text, name->length) == 0))
            return i;
    if (!add)
        return MST_NS2_NOWHERE;
    p->names[p->materials] = *name;
    return p->materials++;
}

/* ---- faces ------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const mst_ns2_shape *shape) {
    uint64_t sum = shape->corner_count;
    for (uint32_t i = 0; i < shape->corner_count; i++) /* independent of where loops begin */
        sum += mix(0, shape->corners[i]);
    return mix(0, sum);
}

/* Whether two loops are the same, wherever they begin: a border visits one vertex a few times at most. */
static bool same_loop(const uint32_t *a, const uint32_t *b, uint32_t count) {
    for (uint32_t turn = 0, tries = 0; turn < count && tries < 8; turn++) {
        uint32_t k = 0;
        if (b[turn] != a[0])
            continue;
        tries++;
        while (k < count && a[k] == b[(k + turn) % count])
            k++;
        if (k == count)
            return true;
    }
    return count == 0;
}

static bool same_shape(const mst_ns2_shape *a, const mst_ns2_shape *b) {
    bool same = a->loop_count == b->loop_count && a->corner_count == b->corner_count;
    uint32_t at = 0;
    for (uint32_t i = 0; i < a->loop_count && same; at += a->counts[i++])
        same = a->counts[i] == b->counts[i] && same_loop(a->corners + at, b->corners + at, a->counts[i]);
    return same;
}

uint32_t mst_ns2_face_at(const mst_ns2_places *p, const mst_ns2_shape *shape, uint32_t material,
                         uint32_t owner) {
    uint64_t hash = hash_of(shape);
    uint32_t found = MST_NS2_NOWHERE;
    const uint32_t *first = mst_hash_map_find(&p->by_shape, mst_key_number(hash));
    for (uint32_t at = first ? *first : 0; at; at = p->face[at - 1].next) {
        const mst_ns2_face_there *one = &p->face[at - 1];
        if ((one->owner && one->owner != owner) || !same_shape(&one->shape, shape))
            continue;
        if (one->owner == owner)
            return at - 1;
        if (found == MST_NS2_NOWHERE || (one->material == material && p->face[found].material != material))
            found = at - 1;
    }
    return found;
}

/* Reads a face of the document; false: a number in it refers to nothing. */
static mst_status read_face(mst_ns2_places *p, const mst_value *value, mst_ns2_face_there *face,
                            bool *there) {
    mst_value loops = mst_member_in(value, "loops"), loop;
    uint64_t corners = 0, number = mst_count(&loops);
    for (mst_iterator it = mst_iterate(&loops); mst_next(&it, &loop);)
        corners += mst_count(&loop);
    mst_ns2_shape *shape = &face->shape;
    shape->corners = mst_arena_take(p->arena, (size_t)corners + 1, sizeof *shape->corners);
    shape->counts = mst_arena_take(p->arena, (size_t)number + 1, sizeof *shape->counts);
    face->edges = mst_arena_take(p->arena, (size_t)corners + 1, sizeof *face->edges);
    if (!shape->corners || !shape->counts || !face->edges)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(&loops); *there && mst_next(&it, &loop);) {
        mst_column edges = mst_column_in(&loop, "edge"), flipped = mst_column_in(&loop, "flipped");
        for (uint64_t i = 0; i < edges.count && *there; i++) {
            uint32_t edge = mst_column_u32(&edges, i, 0);
            *there = edge < p->edge_count;
            if (!*there)
                break;
            face->edges[shape->corner_count] = edge;
            shape->corners[shape->corner_count++] =
                first_of(p, p->edge[edge].ends[mst_column_u32(&flipped, i, 0) != 0]);
        }
        shape->counts[shape->loop_count++] = (uint32_t)edges.count;
    }
    face->material = (uint32_t)mst_number_in(value, "material");
    return MST_OK;
}

static mst_status read_faces(mst_ns2_places *p, const mst_value *faces, bool *there) {
    mst_value value;
    uint32_t i = 0;
    p->face = mst_arena_zero(p->arena, (size_t)p->face_count + 1, sizeof *p->face);
    if (!p->face || !mst_hash_map_reserve(&p->by_shape, p->face_count))
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(faces); *there && mst_next(&it, &value); i++) {
        mst_status status = read_face(p, &value, &p->face[i], there);
        if (status != MST_OK)
            return status;
    }
    while (*there && i-- > 0) { /* of several equal faces, the first is found first */
        uint32_t *first = mst_hash_map_add(&p->by_shape, mst_key_number(hash_of(&p->face[i].shape)));
        if (MST_UNREACHABLE(!first)) /* there is room */
            return MST_NO_MEMORY;
        p->face[i].next = *first;
        *first = i + 1;
    }
    return MST_OK;
}

/* ---- all ---------------------------------------------------------------------------------------------- */

static void read_points(mst_ns2_places *p, const mst_value *points, const mst_value *edges, bool *there) {
    mst_column positions = mst_column_in(points, "position"), ends = mst_column_in(edges, "vertices");
    for (uint32_t i = 0; i < p->vertex_count; i++) {
        for (uint32_t k = 0; k < 3; k++)
            p->points[3 * (size_t)i + k] = mst_f32_of_bits(mst_column_u32(&positions, i, k));
        p->first[i] = place_vertex(p, i, true);
    }
    for (uint32_t i = 0; i < p->edge_count && *there; i++) {
        for (uint32_t k = 0; k < 2; k++)
            p->edge[i].ends[k] = mst_column_u32(&ends, i, k);
        *there = p->edge[i].ends[0] < p->vertex_count && p->edge[i].ends[1] < p->vertex_count;
        if (*there)
            place_edge(p, p->first[p->edge[i].ends[0]], p->first[p->edge[i].ends[1]], i, true);
    }
}

mst_status mst_ns2_places_read(mst_ns2_places *p, const mst_document *document, size_t room, size_t names,
                               mst_arena *arena, bool *there) {
    mst_value points, edges, faces, materials, name;
    *p = (mst_ns2_places){.document = document, .arena = arena, .room = room};
    *there = find_list(document, "mesh.vertices", &points) && find_list(document, "mesh.edges", &edges) &&
             find_list(document, "mesh.faces", &faces) && find_list(document, "mesh.materials", &materials) &&
             room < UINT32_MAX / 8;
    if (!*there)
        return MST_OK;
    p->vertices = p->vertex_count = (uint32_t)mst_count(&points);
    p->edges = p->edge_count = (uint32_t)mst_count(&edges);
    p->face_count = (uint32_t)mst_count(&faces);
    p->material_count = (uint32_t)mst_count(&materials);
    p->points = mst_arena_take(arena, p->vertex_count + room + 1, 3 * sizeof *p->points);
    p->point_json = mst_arena_zero(arena, p->vertex_count + room + 1, sizeof *p->point_json);
    p->first = mst_arena_take(arena, (size_t)p->vertex_count + 1, sizeof *p->first);
    p->edge = mst_arena_zero(arena, p->edge_count + room + 1, sizeof *p->edge);
    p->names = mst_arena_zero(arena, p->material_count + names + 1, sizeof *p->names);
    p->point_keys = mst_arena_take(arena, p->vertex_count + room + 1, 3 * sizeof *p->point_keys);
    p->by_point.allocator = p->by_ends.allocator = p->by_shape.allocator = mst_arena_allocator(arena);
    if (!p->points || !p->point_json || !p->first || !p->edge || !p->names || !p->point_keys ||
        !mst_hash_map_reserve(&p->by_point, p->vertex_count + room) ||
        !mst_hash_map_reserve(&p->by_ends, p->edge_count + room))
        return MST_NO_MEMORY;
    read_points(p, &points, &edges, there);
    for (mst_iterator it = mst_iterate(&materials); mst_next(&it, &name);) {
        const void *bytes = "";
        size_t size = 0;
        mst_get_bytes(&name, &bytes, &size);
        p->names[p->materials++] = (mst_json_node){.text = bytes, .length = (uint32_t)size};
    }
    return *there ? read_faces(p, &faces, there) : MST_OK;
}
