/* SPDX-License-Identifier: MIT */
/* Triangles of a block: of its display lists, with one primitive for each material of a pass, and of its
 * collision polygons, with one for each surface. */
#include "meshes.h"
#include "../../../core/unreachable.h"
#include <string.h>

#define NO_VERTEX UINT32_MAX

/* Space for n elements; discards the array's content. */
static void *reserve(mst_sfa_scene_work *w, mst_array *array, size_t n) {
    array->count = 0;
    void *items = mst_scene_push(w->build, array, n ? n : 1);
    array->count = 0;
    return items;
}

const char *mst_sfa_scene_part_path(mst_sfa_scene_work *w, const char *list) {
    return mst_scene_printf(w->build, "%s.%s", w->source.path, list);
}

/* ---- display lists ------------------------------------------------------------------------------- */

typedef struct mesher {
    const mst_sfa_block *block;
    mst_sfa_vertex_slot *table;
    uint32_t mask;
    float *positions, *texcoords, *colors;
    uint32_t *indices, *corners, *elements;
    uint32_t list; /* the list being drawn */
    uint32_t vertex_count, index_count, dropped;
    const float *linear;
    float y_offset;
    bool textured, water;
} mesher;

static uint32_t new_vertex(mesher *m, unsigned position, unsigned color, unsigned texcoord) {
    const mst_sfa_block *b = m->block;
    uint32_t index = m->vertex_count++;
    float *to = m->positions + (size_t)index * 3;
    to[0] = (float)mst_sfa_i16(&b->positions, position, 0) / 8;
    to[1] = (float)mst_sfa_i16(&b->positions, position, 1) / 8 + m->y_offset;
    to[2] = (float)mst_sfa_i16(&b->positions, position, 2) / 8;
    unsigned bits = color < b->colors.count ? mst_column_u16(&b->colors, color, 0) : 0xFFFF;
    float *c = m->colors + (size_t)index * 4;
    c[0] = m->linear[bits >> 12];
    c[1] = m->linear[bits >> 8 & 15];
    c[2] = m->linear[bits >> 4 & 15];
    c[3] = m->water ? 1 : (float)(bits & 15) / 15;
    if (m->textured) {
        float *t = m->texcoords + (size_t)index * 2;
        bool exists = texcoord < b->texcoords.count;
        t[0] = exists ? (float)mst_sfa_i16(&b->texcoords, texcoord, 0) / 256 : 0;
        t[1] = exists ? (float)mst_sfa_i16(&b->texcoords, texcoord, 1) / 256 : 0;
    }
    return index;
}

static uint32_t vertex_of(mesher *m, const mst_column *vertices, unsigned index) {
    unsigned position = mst_column_u16(vertices, index, 0), color = mst_column_u16(vertices, index, 1);
    unsigned texcoord = m->textured ? mst_column_u16(vertices, index, 2) : 0;
    if (position >= m->block->positions.count)
        return NO_VERTEX;
    uint64_t key = ((uint64_t)position << 32 | (uint64_t)color << 16 | texcoord) + 1;
    uint32_t at = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 40) & m->mask;
    while (m->table[at].key) {
        if (m->table[at].key == key)
            return m->table[at].vertex;
        at = (at + 1) & m->mask;
    }
    uint32_t vertex = new_vertex(m, position, color, texcoord);
    m->table[at] = (mst_sfa_vertex_slot){key, vertex};
    return vertex;
}

/* Adds a clockwise triangle of the list, as a counter-clockwise one. */
static void put_triangle(mesher *m, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *to = m->indices + m->index_count;
    if (a == NO_VERTEX || b == NO_VERTEX || c == NO_VERTEX) {
        m->dropped++;
        return;
    }
    if (a == b || b == c || c == a)
        return;
    to[0] = a;
    to[1] = c;
    to[2] = b;
    m->elements[m->index_count / 3] = m->list;
    m->index_count += 3;
}

/* The largest number of triangles that a command yields. */
static uint64_t triangles_of(unsigned opcode, unsigned vertices) {
    switch (opcode >> 3) {
    case 0x80 >> 3:
    case 0x88 >> 3: return vertices / 4 * 2;
    case 0x90 >> 3: return vertices / 3;
    case 0x98 >> 3:
    case 0xA0 >> 3: return vertices > 2 ? vertices - 2 : 0;
    default: return 0;
    }
}

static void put_command(mesher *m, const mst_sfa_commands *command) {
    unsigned n = command->vertex_count;
    uint32_t *v = m->corners;
    mst_column vertices = mst_sfa_vertices(command);
    if (!triangles_of(command->opcode, n))
        return;
    for (unsigned i = 0; i < n; i++)
        v[i] = vertex_of(m, &vertices, i);
    switch (command->opcode >> 3) {
    case 0x80 >> 3:
    case 0x88 >> 3:
        for (unsigned i = 0; i + 3 < n; i += 4) {
            put_triangle(m, v[i], v[i + 1], v[i + 2]);
            put_triangle(m, v[i], v[i + 2], v[i + 3]);
        }
        break;
    case 0x90 >> 3:
        for (unsigned i = 0; i + 2 < n; i += 3)
            put_triangle(m, v[i], v[i + 1], v[i + 2]);
        break;
    case 0x98 >> 3:
        for (unsigned i = 0; i + 2 < n; i++)
            put_triangle(m, v[i + (i & 1)], v[i + 1 - (i & 1)], v[i + 2]);
        break;
    default:
        for (unsigned i = 1; i + 1 < n; i++)
            put_triangle(m, v[0], v[i], v[i + 1]);
        break;
    }
}

/* Whether two draws share a primitive: a material belongs to one pass and is either textured or not. */
static bool together(const mst_sfa_draw *a, const mst_sfa_draw *b) {
    return a->material == b->material;
}

bool mst_sfa_scene_make_drawn(mst_sfa_scene_work *w, const mst_sfa_block *block, size_t first,
                              mst_primitive *primitive, uint64_t *dropped) {
    const mst_sfa_draw *draws = w->draws.items;
    const mst_sfa_draw *like = &draws[first];
    uint64_t vertices = 0, triangles = 0;
    unsigned max = 0;
    for (size_t i = first; i < w->draws.count; i++)
        if (together(&draws[i], like))
            for (mst_sfa_commands it = mst_sfa_list_commands(block, draws[i].list);
                 mst_sfa_next_command(&it);) {
                uint64_t more = triangles_of(it.opcode, it.vertex_count);
                vertices += more ? it.vertex_count : 0;
                triangles += more;
                max = it.vertex_count > max ? it.vertex_count : max;
            }
    if (MST_UNREACHABLE(vertices >
                        UINT32_MAX / 8)) /* 255 lists of 64 KiB have fewer, as each is drawn once */
        triangles = UINT64_MAX;
    size_t budget = w->build->arena.budget;
    if (budget && triangles > budget / 4) { /* each needs at least an index */
        mst_scene_fail(w->build);
        return false;
    }
    uint32_t capacity = 16;
    while (capacity < vertices * 2)
        capacity *= 2;
    mesher m = {.block = block,
                .mask = capacity - 1,
                .linear = w->linear,
                .y_offset = block->y_offset,
                .textured = like->textured,
                .water = like->water};
    m.table = reserve(w, &w->table, capacity);
    m.positions = reserve(w, &w->positions, (size_t)vertices);
    m.texcoords = reserve(w, &w->texcoords, m.textured ? (size_t)vertices : 0);
    m.colors = reserve(w, &w->colors, (size_t)vertices);
    m.indices = reserve(w, &w->indices, (size_t)triangles);
    m.elements = reserve(w, &w->elements, (size_t)triangles);
    m.corners = reserve(w, &w->corners, max);
    if (!mst_scene_ok(w->build))
        return false;
    memset(m.table, 0, capacity * sizeof *m.table);
    for (size_t i = first; i < w->draws.count; i++)
        if (together(&draws[i], like)) {
            m.list = draws[i].list;
            for (mst_sfa_commands it = mst_sfa_list_commands(block, draws[i].list);
                 mst_sfa_next_command(&it);)
                put_command(&m, &it);
        }
    *dropped += m.dropped;
    if (!m.index_count)
        return false;
    *primitive = (mst_primitive){
        .material = like->material,
        .vertex_count = m.vertex_count,
        .index_count = m.index_count,
        .positions = mst_scene_copy(w->build, m.positions, m.vertex_count, 3 * sizeof(float)),
        .colors = mst_scene_copy(w->build, m.colors, m.vertex_count, 4 * sizeof(float)),
        .indices = mst_scene_copy(w->build, m.indices, m.index_count, sizeof(uint32_t)),
        .source = {w->source.file, mst_sfa_scene_part_path(w, "lists"), MST_NO_INDEX},
        .elements = mst_scene_copy(w->build, m.elements, m.index_count / 3, sizeof(uint32_t))};
    if (m.textured)
        primitive->texcoords = mst_scene_copy(w->build, m.texcoords, m.vertex_count, 2 * sizeof(float));
    return mst_scene_ok(w->build);
}

/* ---- collision ----------------------------------------------------------------------------------- */

/* The polygons of a group, without the polygons of groups before it, so that overlapping groups do not show a
 * polygon twice. */
static void group_range(const mst_sfa_block *block, unsigned group, unsigned *next, unsigned *first,
                        unsigned *end) {
    unsigned from = mst_column_u16(&block->groups, group, 0),
             to = mst_column_u16(&block->groups, group + 1, 0);
    if (from < *next)
        from = *next;
    if (to > block->polygons.count)
        to = (unsigned)block->polygons.count;
    *first = from;
    *end = to > from ? to : from;
    if (*end > *next)
        *next = *end;
}

static mst_column surfaces_of(const mst_sfa_block *block) {
    return mst_column_among(&block->groups, &mst_sfa_group_record, "surface");
}

size_t mst_sfa_scene_count_surfaces(const mst_sfa_block *block, uint32_t polygons[256]) {
    mst_column surfaces = surfaces_of(block);
    size_t kinds = 0;
    unsigned next = 0, first, end;
    memset(polygons, 0, 256 * sizeof *polygons);
    for (unsigned g = 0; g < block->groups.count; g++) {
        group_range(block, g, &next, &first, &end);
        uint32_t *count = &polygons[mst_column_u8(&surfaces, g, 0)];
        kinds += !*count && end > first;
        *count += end - first;
    }
    return kinds;
}

/* A position's coordinate in units, rounded down. */
static float whole_units(const mst_sfa_block *block, unsigned position, unsigned axis) {
    int eighths = mst_sfa_i16(&block->positions, position, axis);
    int whole = (eighths - ((eighths % 8 + 8) & 7)) / 8;
    return (float)whole;
}

bool mst_sfa_scene_make_surface(mst_sfa_scene_work *w, const mst_sfa_block *block, unsigned surface,
                                uint32_t polygons, mst_primitive *primitive, uint64_t *dropped) {
    size_t position_count = (size_t)block->positions.count;
    uint32_t *remap = reserve(w, &w->remap, position_count);
    uint32_t vertices = 0, indices = 0;
    float *positions = reserve(w, &w->positions, position_count); /* used at most once each */
    uint32_t *corners = reserve(w, &w->indices, polygons), *elements = reserve(w, &w->elements, polygons);
    if (!mst_scene_ok(w->build))
        return false;
    memset(remap, 0xFF, position_count * sizeof *remap);
    mst_column surfaces = surfaces_of(block);
    unsigned next = 0, first, end;
    for (unsigned g = 0; g < block->groups.count; g++) {
        group_range(block, g, &next, &first, &end);
        if (mst_column_u8(&surfaces, g, 0) != surface)
            continue;
        for (unsigned p = first; p < end; p++) {
            unsigned v[3];
            for (unsigned k = 0; k < 3; k++)
                v[k] = mst_column_u16(&block->polygons, p, k);
            if (v[0] >= position_count || v[1] >= position_count || v[2] >= position_count) {
                *dropped += 1;
                continue;
            }
            elements[indices / 3] = p;
            for (int k = 0; k < 3; k++) {
                if (remap[v[k]] == NO_VERTEX) {
                    float *to = positions + (size_t)vertices * 3;
                    for (unsigned axis = 0; axis < 3; axis++)
                        to[axis] = whole_units(block, v[k], axis);
                    to[1] += block->y_offset;
                    remap[v[k]] = vertices++;
                }
                corners[indices++] = remap[v[k]];
            }
        }
    }
    if (!indices)
        return false;
    *primitive =
        (mst_primitive){.material = mst_sfa_scene_surface_material(w, surface),
                        .vertex_count = vertices,
                        .index_count = indices,
                        .positions = mst_scene_copy(w->build, positions, vertices, 3 * sizeof(float)),
                        .indices = mst_scene_copy(w->build, corners, indices, sizeof(uint32_t)),
                        .source = {w->source.file, mst_sfa_scene_part_path(w, "polygons"), MST_NO_INDEX},
                        .elements = mst_scene_copy(w->build, elements, indices / 3, sizeof(uint32_t))};
    return mst_scene_ok(w->build);
}
