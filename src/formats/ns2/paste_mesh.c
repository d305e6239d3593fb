/* SPDX-License-Identifier: MIT */
/* The geometry on a clipboard, appended to the geometry of a level. */
#include "../../core/diagnose.h"
#include "../present.h"
#include "ns2_paste.h"
#include "triangles.h"
#include <stdio.h>
#include <stdlib.h>

bool mst_ns2_is_known(const mst_ns2_known *known, uint64_t id) {
    return id < MST_NS2_NONE && mst_ns2_ids_find(known->ids, known->count, (uint32_t)id) != MST_NS2_NONE;
}

/* The bits of a word that are layers of the level. */
static uint32_t known_bits(const mst_ns2_paster *p, uint32_t bits, uint64_t w) {
    for (uint32_t k = 0; k < 32; k++)
        if ((bits >> k & 1) && !mst_ns2_is_known(&p->layers, 32 * w + k))
            bits &= ~((uint32_t)1 << k);
    return bits;
}

void mst_ns2_paste_layers(mst_ns2_paster *p, const mst_value *words, const mst_value *format,
                          const char *path) {
    mst_value word;
    uint64_t w = 0;
    bool all = true, any = false;
    for (mst_iterator it = mst_iterate(words); mst_next(&it, &word); w++) {
        uint32_t bits = (uint32_t)mst_scalar_of(&word), left = known_bits(p, bits, w);
        all = all && left == bits;
        any = any || left;
    }
    bool some = !mst_is_void(words) && (all || any);
    if (!all)
        mst_ns2_lose_value(&p->out, words, "the level has no layer of this id", "%s.layer_masks", path);
    mst_ns2_put_u32(&p->out, some);
    if (!some)
        return;
    if (!mst_is_void(format))
        mst_ns2_copy_value(&p->out, format);
    mst_ns2_put_u32(&p->out, (uint32_t)mst_count(words));
    w = 0;
    for (mst_iterator it = mst_iterate(words); mst_next(&it, &word); w++)
        mst_ns2_put_u32(&p->out, known_bits(p, (uint32_t)mst_scalar_of(&word), w));
}

typedef mst_ns2_pasted_mesh part;

static mst_value list_in(const mst_value *mesh, const char *name) {
    mst_value list;
    if (mst_member(mesh, name, &list) != MST_OK)
        memset(&list, 0, sizeof list);
    return list;
}

static uint32_t count_in(const mst_value *mesh, const char *name) {
    mst_value list = list_in(mesh, name);
    return (uint32_t)mst_count(&list);
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

/* A material by name; `number` is its index among all, the level's first. */
typedef struct named {
    const void *text;
    size_t size;
    uint32_t number, first; /* `first`: of the same name */
    mst_value value;
} named;

static int by_text(const void *left, const void *right) {
    const named *a = left, *b = right;
    size_t size = a->size < b->size ? a->size : b->size;
    int order = size ? memcmp(a->text, b->text, size) : 0;
    if (!order && a->size != b->size)
        order = a->size < b->size ? -1 : 1;
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static int by_place(const void *left, const void *right) {
    const named *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

static size_t take_names(const mst_value *mesh, named *names, size_t at, size_t end) {
    mst_value list = list_in(mesh, "materials"), value;
    for (mst_iterator it = mst_iterate(&list); at < end && mst_next(&it, &value); at++) {
        names[at] = (named){.text = "", .number = (uint32_t)at, .value = value};
        mst_get_bytes(&value, &names[at].text, &names[at].size);
    }
    return at;
}

/* Materials with the same name are merged; materials that the level lacks are appended to its own. */
static void number_materials(mst_ns2_paster *p) {
    uint32_t own = count_in(&p->mesh, "materials");
    size_t total = own, count;
    for (size_t i = 0; i < p->part_count; i++)
        total += p->parts[i].material_count;
    named *names = mst_arena_take(&p->arena, total + 1, sizeof *names);
    p->materials = mst_arena_take(&p->arena, total + 1, sizeof *p->materials);
    if (!names || !p->materials) {
        p->out.status = MST_NO_MEMORY;
        return;
    }
    count = take_names(&p->mesh, names, 0, own);
    for (size_t i = 0; i < p->part_count; i++)
        count = take_names(&p->parts[i].mesh, names, count, total);
    if (count)
        qsort(names, count, sizeof *names, by_text);
    for (size_t i = 0; i < count; i++) {
        bool same = i && names[i].size == names[i - 1].size &&
                    (!names[i].size || memcmp(names[i].text, names[i - 1].text, names[i].size) == 0);
        names[i].first = same ? names[i - 1].first : names[i].number;
    }
    if (count)
        qsort(names, count, sizeof *names, by_place);
    size_t at = own;
    for (size_t i = 0; i < p->part_count; i++)
        for (uint32_t k = 0; k < p->parts[i].material_count && at < count; k++, at++) {
            if (names[at].first == at) { /* a new one; from here on `first` is its number in the level */
                p->materials[p->material_count] = names[at].value;
                names[at].first = own + p->material_count++;
            } else if (names[at].first >= own) {
                names[at].first = names[names[at].first].first;
            }
            p->parts[i].materials[k] = names[at].first;
        }
}

/* Ids of mapping groups that the level also has are replaced by free ones. */
static void number_mapping_groups(mst_ns2_paster *p) {
    mst_value list = list_in(&p->mesh, "mapping_groups");
    mst_column ids = mst_column_if(&list, "id");
    uint32_t highest = 0;
    for (uint64_t i = 0; i < ids.count; i++)
        if (mst_column_u32(&ids, i, 0) > highest)
            highest = mst_column_u32(&ids, i, 0);
    for (size_t i = 0; i < p->part_count; i++) {
        mst_ns2_known *known = &p->parts[i].mapping_groups;
        list = list_in(&p->parts[i].mesh, "mapping_groups");
        ids = mst_column_if(&list, "id");
        uint64_t count = ids.count;
        known->ids = mst_arena_take(&p->arena, (size_t)count + 1, sizeof *known->ids);
        if (!known->ids) {
            p->out.status = MST_NO_MEMORY;
            return;
        }
        for (uint64_t k = 0; k < count; k++)
            known->ids[k] = (mst_ns2_id){mst_column_u32(&ids, k, 0), 0};
        known->count = mst_ns2_ids_sort(known->ids, (size_t)count);
        if (known->count != count)
            mst_ns2_refuse(&p->out, p->parts[i].path, "two of its mapping groups have the same id");
        if (known->count >= MST_NS2_NONE - highest)
            mst_ns2_refuse(&p->out, p->parts[i].path, "there are no free ids for its mapping groups");
        for (size_t k = 0; p->out.status == MST_OK && k < known->count; k++)
            known->ids[k].index = ++highest;
    }
}

static const char *const needed[] = {"materials", "vertices", "edges", "faces"};

static void begin_part(mst_ns2_paster *p, part *one, const mst_value *block, uint64_t index) {
    part *before = p->part_count ? one - 1 : NULL;
    memset(one, 0, sizeof *one);
    snprintf(one->path, sizeof one->path, "blocks[%llu].mesh", (unsigned long long)index);
    one->mesh = mst_member_in(block, "mesh");
    one->material_count = count_in(&one->mesh, "materials");
    one->vertices = count_in(&one->mesh, "vertices");
    one->edges = count_in(&one->mesh, "edges");
    one->faces = count_in(&one->mesh, "faces");
    one->first_vertex = before ? before->first_vertex + before->vertices : count_in(&p->mesh, "vertices");
    one->first_edge = before ? before->first_edge + before->edges : count_in(&p->mesh, "edges");
    one->first_face = before ? before->first_face + before->faces : count_in(&p->mesh, "faces");
    one->materials = mst_arena_take(&p->arena, (size_t)one->material_count + 1, sizeof *one->materials);
    if (!one->materials)
        p->out.status = MST_NO_MEMORY;
    p->part_count++;
    p->vertices += one->vertices;
    p->edges += one->edges;
    p->faces += one->faces;
}

void mst_ns2_paste_begin(mst_ns2_paster *p) {
    mst_value root = mst_root(p->level), clip = mst_root(p->clip), blocks, block, list;
    uint64_t index = 0;
    blocks = mst_member_in(&clip, "blocks");
    uint64_t count = mst_count(&blocks);
    p->parts = mst_arena_take(&p->arena, (size_t)count + 1, sizeof *p->parts);
    if (!p->parts) {
        p->out.status = MST_NO_MEMORY;
        return;
    }
    bool there = mst_member(&root, "mesh", &p->mesh) == MST_OK;
    for (mst_iterator it = mst_iterate(&blocks); index < count && mst_next(&it, &block); index++) {
        uint64_t kind = mst_number_in(&block, "kind");
        char path[40];
        snprintf(path, sizeof path, "blocks[%llu]", (unsigned long long)index);
        if (kind != MST_NS2_CLIP_MESH && kind != MST_NS2_CLIP_OBJECTS)
            mst_ns2_refuse(&p->out, path, "its meaning is not known: it cannot be pasted");
        else if (kind == MST_NS2_CLIP_MESH && there)
            begin_part(p, &p->parts[p->part_count], &block, index);
        else if (kind == MST_NS2_CLIP_MESH)
            mst_ns2_refuse(&p->out, path, "the level has no mesh that faces could be pasted into");
    }
    for (size_t i = 0; p->part_count && i < MST_COUNT_OF(needed); i++)
        if (mst_member(&p->mesh, needed[i], &list) != MST_OK)
            mst_ns2_refuse(&p->out, "mesh", "the level's mesh lacks a list that faces would be pasted into");
    if (p->out.status == MST_OK && p->part_count)
        number_materials(p);
    if (p->out.status == MST_OK && p->part_count)
        number_mapping_groups(p);
}

/* ---- lists ------------------------------------------------------------------------------------------ */

/* Writes the length of a list with the level's and the clipboard's elements, and then the level's own
 * elements. */
static void put_own(mst_ns2_paster *p, const mst_value *list, uint64_t more) {
    mst_ns2_put_u32(&p->out, (uint32_t)(mst_count(list) + more));
    mst_ns2_copy(&p->out, p->level, list->offset + 4, mst_value_after(list));
}

static void put_materials(mst_ns2_paster *p, const mst_value *list) {
    put_own(p, list, p->material_count);
    for (uint32_t i = 0; i < p->material_count; i++)
        mst_ns2_copy_value(&p->out, &p->materials[i]);
}

static void put_vertices(mst_ns2_paster *p, const mst_value *list) {
    put_own(p, list, p->vertices);
    for (size_t i = 0; i < p->part_count; i++) {
        mst_value more = list_in(&p->parts[i].mesh, "vertices");
        if (p->parts[i].vertices)
            mst_ns2_copy(&p->out, p->clip, more.offset + 4, mst_value_after(&more));
    }
}

/* Writes the number in the level of an element on the clipboard. */
static void put_number(mst_ns2_paster *p, const part *one, uint32_t number, uint32_t count, uint32_t first) {
    if (number >= count)
        mst_ns2_refuse(&p->out, one->path,
                       "the clipboard refers to a vertex or an edge that it does not have");
    mst_ns2_put_u32(&p->out, number + first);
}

static void put_edges(mst_ns2_paster *p, const mst_value *list) {
    put_own(p, list, p->edges);
    for (size_t i = 0; i < p->part_count; i++) {
        const part *one = &p->parts[i];
        mst_value more = list_in(&one->mesh, "edges");
        mst_column ends = mst_column_if(&more, "vertices");
        for (uint64_t k = 0; k < ends.count; k++) {
            put_number(p, one, mst_column_u32(&ends, k, 0), one->vertices, one->first_vertex);
            put_number(p, one, mst_column_u32(&ends, k, 1), one->vertices, one->first_vertex);
            mst_ns2_put(&p->out, ends.data + k * ends.stride + 8, 1);
        }
    }
}

static void put_face(mst_ns2_paster *p, const part *one, const mst_value *face) {
    mst_value group = mst_member_in(face, "mapping_group"), loops = mst_member_in(face, "loops"), loop;
    uint64_t material = mst_number_in(face, "material"), id = mst_scalar_of(&group);
    uint32_t mapped = id == MST_NS2_NONE ? MST_NS2_NONE
                                         : mst_ns2_ids_find(one->mapping_groups.ids,
                                                            one->mapping_groups.count, (uint32_t)id);
    if (material >= one->material_count)
        mst_ns2_refuse(&p->out, one->path, "a face refers to a material that the clipboard does not have");
    if (id != MST_NS2_NONE && mapped == MST_NS2_NONE)
        mst_ns2_refuse(&p->out, one->path,
                       "a face refers to a mapping group that the clipboard does not have");
    if (p->out.status != MST_OK)
        return;
    mst_ns2_copy(&p->out, p->clip, face->offset, group.offset);
    mst_ns2_put_u32(&p->out, mapped);
    mst_ns2_put_u32(&p->out, one->materials[material]);
    mst_ns2_put_u32(&p->out, (uint32_t)mst_number_in(face, "inner_loop_count"));
    for (mst_iterator it = mst_iterate(&loops); mst_next(&it, &loop);) {
        mst_column edges = mst_column_in(&loop, "edge"), flipped = mst_column_in(&loop, "flipped");
        mst_ns2_put_u32(&p->out, (uint32_t)edges.count);
        for (uint64_t i = 0; i < edges.count; i++) {
            mst_ns2_put_u32(&p->out, mst_column_u32(&flipped, i, 0));
            put_number(p, one, mst_column_u32(&edges, i, 0), one->edges, one->first_edge);
        }
    }
}

static void put_faces(mst_ns2_paster *p, const mst_value *list) {
    put_own(p, list, p->faces);
    for (size_t i = 0; i < p->part_count; i++) {
        mst_value more = list_in(&p->parts[i].mesh, "faces"), face;
        for (mst_iterator it = mst_iterate(&more); mst_next(&it, &face);)
            put_face(p, &p->parts[i], &face);
    }
}

static void put_face_layers(mst_ns2_paster *p, const mst_value *record) {
    mst_value own = mst_member_in(record, "faces"), format = mst_member_in(record, "format");
    mst_value none, words, entry;
    memset(&none, 0, sizeof none);
    mst_ns2_put_u32(&p->out, (uint32_t)(mst_count(&own) + p->faces));
    mst_ns2_copy(&p->out, p->level, format.offset, mst_value_after(record));
    for (size_t i = 0; i < p->part_count; i++) {
        const part *one = &p->parts[i];
        mst_value layers = list_in(&one->mesh, "face_layers"), list = none;
        if (!mst_is_void(&layers))
            list = mst_member_in(&layers, "faces");
        mst_iterator it = mst_iterate(&list);
        for (uint32_t f = 0; f < one->faces; f++) {
            char path[96];
            snprintf(path, sizeof path, "%s.face_layers.faces[%u]", one->path, f);
            bool any = mst_next(&it, &entry) && mst_member(&entry, "layer_masks", &words) == MST_OK;
            mst_ns2_paste_layers(p, any ? &words : &none, &none, path);
        }
    }
}

static void put_mapping_groups(mst_ns2_paster *p, const mst_value *list) {
    uint64_t more = 0;
    for (size_t i = 0; i < p->part_count; i++)
        more += p->parts[i].mapping_groups.count;
    put_own(p, list, more);
    for (size_t i = 0; i < p->part_count; i++) {
        const mst_ns2_known *known = &p->parts[i].mapping_groups;
        mst_value groups = list_in(&p->parts[i].mesh, "mapping_groups");
        if (!known->count)
            continue;
        mst_column ids = mst_column_if(&groups, "id");
        for (uint64_t k = 0; k < ids.count; k++) {
            mst_ns2_put_u32(&p->out, mst_ns2_ids_find(known->ids, known->count, mst_column_u32(&ids, k, 0)));
            mst_ns2_put(&p->out, ids.data + k * ids.stride + 4, ids.stride - 4);
        }
    }
}

/* The triangles of the faces on the clipboard, made from their borders. */
static void put_new_triangles(mst_ns2_paster *p, const part *one, uint32_t no_normal, uint32_t *count) {
    mst_value faces = list_in(&one->mesh, "faces"), face;
    for (mst_iterator it = mst_iterate(&faces); p->out.status == MST_OK && mst_next(&it, &face);) {
        mst_arena arena;
        uint32_t *triangles;
        size_t made;
        mst_arena_begin(&arena, &p->level->allocator, 0);
        mst_status status = mst_ns2_triangulate(&one->mesh, &face, NULL, &arena, &triangles, &made);
        if (status != MST_OK)
            p->out.status = status;
        else
            mst_ns2_put_u32(&p->out, (uint32_t)made);
        for (size_t i = 0; status == MST_OK && i < made; i++) {
            for (size_t k = 0; k < 3; k++)
                mst_ns2_put_u32(&p->out, triangles[3 * i + k] + one->first_vertex);
            for (size_t k = 0; k < 3; k++)
                mst_ns2_put_u32(&p->out, no_normal);
        }
        *count += (uint32_t)made;
        mst_arena_end(&arena);
    }
}

static void put_triangles(mst_ns2_paster *p, const mst_value *record) {
    mst_value faces = mst_member_in(record, "faces"), counted = mst_member_in(record, "face_count"), one;
    uint32_t vertices = count_in(&p->mesh, "vertices"), more = p->vertices, made = 0;
    uint32_t total = (uint32_t)mst_number_in(record, "triangle_count");
    mst_ns2_copy(&p->out, p->level, record->offset, counted.offset);
    mst_ns2_put_u32(&p->out, (uint32_t)mst_count(&faces) + p->faces);
    size_t at = p->out.out->size;
    mst_ns2_put_u32(&p->out, total);
    for (mst_iterator it = mst_iterate(&faces); mst_next(&it, &one);) {
        mst_column corners = mst_column_in(&one, "vertices");
        mst_ns2_put_u32(&p->out, (uint32_t)corners.count);
        for (uint64_t i = 0; i < corners.count; i++) {
            for (uint32_t k = 0; k < 3; k++) {
                uint32_t number = mst_column_u32(&corners, i, k);
                mst_ns2_put_u32(&p->out, number < vertices ? number : number + more);
            }
            mst_ns2_put(&p->out, corners.data + i * corners.stride + 12, 12);
        }
    }
    for (size_t i = 0; i < p->part_count; i++)
        put_new_triangles(p, &p->parts[i], count_in(record, "smoothed_normals"), &made);
    if (p->out.status == MST_OK)
        mst_store32(p->out.out->data + at, total + made, false);
}

/* ---- the mesh --------------------------------------------------------------------------------------- */

/* According to the description, a clipboard has no groups of geometry, and the meaning of their ids would be
 * unknown. */
static void leave_groups_out(mst_ns2_paster *p) {
    static const char *const names[] = {"vertex_groups", "edge_groups", "face_groups"};
    for (size_t i = 0; i < p->part_count * MST_COUNT_OF(names); i++) {
        const part *one = &p->parts[i / MST_COUNT_OF(names)];
        const char *name = names[i % MST_COUNT_OF(names)];
        mst_value groups = list_in(&one->mesh, "geometry_groups"), list, group;
        uint64_t index = 0;
        if (mst_is_void(&groups))
            continue;
        list = mst_member_in(&groups, name);
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &group); index++)
            mst_ns2_lose_value(&p->out, &group, "groups of geometry are not pasted",
                               "%s.geometry_groups.%s[%llu]", one->path, name, (unsigned long long)index);
    }
}

void mst_ns2_paste_mesh(mst_ns2_paster *p) {
    static const struct {
        uint32_t id;
        const char *name;
        void (*put)(mst_ns2_paster *p, const mst_value *value);
    } chunks[] = {{4, "materials", put_materials},
                  {1, "vertices", put_vertices},
                  {2, "edges", put_edges},
                  {3, "faces", put_faces},
                  {6, "face_layers", put_face_layers},
                  {7, "mapping_groups", put_mapping_groups},
                  {5, "triangles", put_triangles}};
    const mst_field *field = &mst_ns2_mesh_record.fields[0];
    mst_iterator stream;
    mst_chunk chunk;
    uint64_t end;
    bool found = mst_find_chunks(&p->mesh, field, &stream, &end);
    if (MST_UNREACHABLE(!found)) /* a mesh has them */
        return;
    mst_chunk_cursor cursor = {stream.position, 0};
    while (p->out.status == MST_OK &&
           mst_chunk_next(p->level, field->chunks, &cursor, end, &chunk, NULL) == MST_OK) {
        size_t i = 0;
        while (i < MST_COUNT_OF(chunks) && (chunks[i].id != chunk.id || chunk.which < 0))
            i++;
        if (i == MST_COUNT_OF(chunks)) {
            mst_ns2_copy(&p->out, p->level, chunk.offset, chunk.end);
            continue;
        }
        mst_value value = mst_member_in(&p->mesh, chunks[i].name);
        size_t begin = mst_ns2_begin(&p->out, chunk.id);
        chunks[i].put(p, &value);
        mst_ns2_end(&p->out, begin);
    }
    leave_groups_out(p);
}
