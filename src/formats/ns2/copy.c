/* SPDX-License-Identifier: MIT */
/*
 * Copies faces and entities of a level to a clipboard. The faces' vertices, edges, materials and mapping
 * groups are copied as well and get new numbers; a clipboard has no triangles, and does not store the layers
 * and groups of geometry.
 */
#include "../../core/diagnose.h"
#include "../../core/number.h"
#include "../present.h"
#include "ids.h"
#include "ns2_bindings.h"
#include "ns2_tables.h"
#include "writing.h"
#include <stdio.h>

typedef struct copier {
    const mst_document *document; /* a level of version 10 */
    mst_ns2_writer out;
    mst_arena arena;
    mst_value mesh;
    bool has_mesh;
    bool *faces, *objects; /* whether each is copied */
    uint64_t face_count, object_count;
    /* for each copied element its number on the clipboard; else NONE */
    uint32_t *materials, *edges, *vertices;
    uint32_t *used; /* materials, in the order of their first use */
    uint64_t material_count, edge_count, vertex_count;
    uint32_t materials_used, edges_used, vertices_used, faces_used;
} copier;

static mst_value list_of(const copier *c, const char *name) {
    mst_value list;
    if (c->has_mesh && mst_member(&c->mesh, name, &list) == MST_OK)
        return list;
    memset(&list, 0, sizeof list);
    return list;
}

/* ---- the selection ---------------------------------------------------------------------------------- */

/* Whether a path is `list`, or an element of it: then `index`; UINT64_MAX: all. */
static bool is_in(const char *path, const char *list, uint64_t *index) {
    size_t length = strlen(list), whole = strlen(path);
    *index = UINT64_MAX;
    if (strncmp(path, list, length) != 0)
        return false;
    return whole == length || (path[length] == '[' && path[whole - 1] == ']' &&
                               mst_read_u64(path + length + 1, whole - length - 2, index));
}

static void mark(bool *marks, uint64_t count, uint64_t index) {
    if (index < count)
        marks[index] = true;
    else
        memset(marks, index == UINT64_MAX, (size_t)count);
}

static mst_status mark_path(void *user, const char *path, const mst_value *value) {
    copier *c = user;
    uint64_t index;
    (void)value;
    if (is_in(path, "objects", &index)) {
        mark(c->objects, c->object_count, index);
    } else if (is_in(path, "mesh.faces", &index)) {
        mark(c->faces, c->face_count, index);
    } else {
        mst_fail(c->out.diagnostic, MST_ARGUMENT, "only objects and faces are copied to a clipboard");
        if (c->out.diagnostic) {
            MST_SET(c->out.diagnostic->path, "%s", path);
            MST_SET(c->out.diagnostic->expected, "objects[...] or mesh.faces[...]");
        }
        return MST_ARGUMENT;
    }
    return MST_OK;
}

static void choose(copier *c, const mst_convert_options *options) {
    mst_value root = mst_root(c->document), list = list_of(c, "faces"), objects = root, found;
    c->face_count = mst_count(&list);
    mst_status status = mst_member(&root, "objects", &objects); /* a level has this list */
    c->object_count = status == MST_OK ? mst_count(&objects) : 0;
    c->faces = mst_arena_zero(&c->arena, (size_t)c->face_count, sizeof *c->faces);
    c->objects = mst_arena_zero(&c->arena, (size_t)c->object_count, sizeof *c->objects);
    if (!c->faces || !c->objects) {
        c->out.status = MST_NO_MEMORY;
        return;
    }
    if (!options->select_count) {
        mark(c->faces, c->face_count, UINT64_MAX);
        mark(c->objects, c->object_count, UINT64_MAX);
    }
    for (size_t i = 0; i < options->select_count && c->out.status == MST_OK; i++) {
        const char *path = options->select[i];
        if (mst_is_selector(path, 1)) {
            mst_selected selected = {0};
            c->out.status = mst_select(root, path, mark_path, c, &selected, c->out.diagnostic);
            if (c->out.status == MST_OK && !selected.count) {
                c->out.status = mst_fail(c->out.diagnostic, MST_NO_PATH, "nothing meets this selector");
                if (c->out.diagnostic)
                    MST_SET(c->out.diagnostic->path, "%s", path);
            }
        } else {
            c->out.status = mst_find(root, path, &found, c->out.diagnostic);
            if (c->out.status == MST_OK)
                c->out.status = mark_path(c, path, &found);
        }
    }
}

/* ---- parts that the faces need ---------------------------------------------------------------------- */

/* Marks an element as used; false if there is no such element. */
static bool use(uint32_t *numbers, uint64_t count, uint64_t index, uint32_t number) {
    if (index >= count)
        return false;
    if (numbers[index] == MST_NS2_NONE)
        numbers[index] = number;
    return true;
}

static uint32_t *no_numbers(copier *c, uint64_t count) {
    uint32_t *numbers = mst_arena_take(&c->arena, (size_t)count + 1, sizeof *numbers);
    if (numbers)
        memset(numbers, 0xFF, (size_t)count * sizeof *numbers);
    else
        c->out.status = MST_NO_MEMORY;
    return numbers;
}

static bool use_edges(copier *c, const mst_value *loops) {
    mst_value loop;
    bool there = true;
    for (mst_iterator it = mst_iterate(loops); there && mst_next(&it, &loop);) {
        mst_column edges = mst_column_in(&loop, "edge");
        for (uint64_t i = 0; i < edges.count && there; i++)
            there = use(c->edges, c->edge_count, mst_column_u32(&edges, i, 0), 0);
    }
    return there;
}

static void use_face(copier *c, const mst_value *face, uint64_t index) {
    mst_value loops = mst_member_in(face, "loops");
    uint64_t material = mst_number_in(face, "material");
    char path[40];
    bool is_new = material < c->material_count && c->materials[material] == MST_NS2_NONE;
    c->faces_used++;
    if (is_new)
        c->used[c->materials_used] = (uint32_t)material;
    if (!use(c->materials, c->material_count, material, c->materials_used) || !use_edges(c, &loops)) {
        snprintf(path, sizeof path, "mesh.faces[%llu]", (unsigned long long)index);
        mst_ns2_refuse(&c->out, path, "the face refers to an edge or a material that does not exist");
    }
    c->materials_used += is_new;
}

/* Numbers all parts that the faces need. */
static void number_parts(copier *c) {
    mst_value faces = list_of(c, "faces"), edges = list_of(c, "edges"), list, face;
    list = list_of(c, "materials");
    c->material_count = mst_count(&list);
    list = list_of(c, "vertices");
    c->vertex_count = mst_count(&list);
    c->edge_count = mst_count(&edges);
    c->materials = no_numbers(c, c->material_count);
    c->used = no_numbers(c, c->material_count);
    c->edges = no_numbers(c, c->edge_count);
    c->vertices = no_numbers(c, c->vertex_count);
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&faces); c->out.status == MST_OK && mst_next(&it, &face); index++)
        if (c->faces[index])
            use_face(c, &face, index);
    if (c->out.status != MST_OK || !c->faces_used)
        return;
    mst_column ends = mst_column_if(&edges, "vertices");
    for (uint64_t i = 0; i < ends.count; i++) {
        if (c->edges[i] == MST_NS2_NONE)
            continue;
        c->edges[i] = c->edges_used++;
        char path[40];
        snprintf(path, sizeof path, "mesh.edges[%llu]", (unsigned long long)i);
        for (uint32_t k = 0; k < 2; k++)
            if (!use(c->vertices, c->vertex_count, mst_column_u32(&ends, i, k), 0))
                mst_ns2_refuse(&c->out, path, "the edge refers to a vertex that does not exist");
    }
    for (uint64_t i = 0; i < c->vertex_count; i++)
        if (c->vertices[i] != MST_NS2_NONE)
            c->vertices[i] = c->vertices_used++;
}

/* ---- the mesh --------------------------------------------------------------------------------------- */

static void put_materials(copier *c) {
    mst_value list = list_of(c, "materials"), name;
    mst_ns2_put_u32(&c->out, c->materials_used);
    for (uint32_t i = 0; i < c->materials_used; i++) {
        name = mst_element_in(&list, c->used[i]);
        mst_ns2_copy_value(&c->out, &name);
    }
}

static void put_vertices(copier *c) {
    mst_value list = list_of(c, "vertices");
    mst_ns2_put_u32(&c->out, c->vertices_used);
    if (!c->vertices_used)
        return;
    mst_column column = mst_column_if(&list, "position");
    for (uint64_t i = 0; i < column.count; i++)
        if (c->vertices[i] != MST_NS2_NONE)
            mst_ns2_put(&c->out, column.data + i * column.stride, column.stride);
}

static void put_edges(copier *c) {
    mst_value list = list_of(c, "edges");
    mst_ns2_put_u32(&c->out, c->edges_used);
    if (!c->edges_used)
        return;
    mst_column ends = mst_column_if(&list, "vertices");
    for (uint64_t i = 0; i < ends.count; i++) {
        if (c->edges[i] == MST_NS2_NONE)
            continue;
        mst_ns2_put_u32(&c->out, c->vertices[mst_column_u32(&ends, i, 0)]);
        mst_ns2_put_u32(&c->out, c->vertices[mst_column_u32(&ends, i, 1)]);
        mst_ns2_put(&c->out, ends.data + i * ends.stride + 8, 1);
    }
}

static void put_face(copier *c, const mst_value *face) {
    mst_value loops = mst_member_in(face, "loops"), loop, material = mst_member_in(face, "material");
    mst_ns2_copy(&c->out, c->document, face->offset, material.offset);
    mst_ns2_put_u32(&c->out, c->materials[mst_scalar_of(&material)]);
    mst_ns2_put_u32(&c->out, (uint32_t)mst_number_in(face, "inner_loop_count"));
    for (mst_iterator it = mst_iterate(&loops); mst_next(&it, &loop);) {
        mst_column edges = mst_column_in(&loop, "edge"), flipped = mst_column_in(&loop, "flipped");
        mst_ns2_put_u32(&c->out, (uint32_t)edges.count);
        for (uint64_t i = 0; i < edges.count; i++) {
            mst_ns2_put_u32(&c->out, mst_column_u32(&flipped, i, 0));
            mst_ns2_put_u32(&c->out, c->edges[mst_column_u32(&edges, i, 0)]);
        }
    }
}

static void put_faces(copier *c) {
    mst_value list = list_of(c, "faces"), face;
    uint64_t index = 0;
    mst_ns2_put_u32(&c->out, c->faces_used);
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &face); index++)
        if (c->faces[index])
            put_face(c, &face);
}

/* No face is on a layer there. */
static void put_face_layers(copier *c) {
    mst_value layers = list_of(c, "face_layers"), list, entry;
    uint64_t index = 0;
    mst_ns2_put_u32(&c->out, c->faces_used);
    mst_ns2_put_u32(&c->out, MST_NS2_LAYER_FORMAT);
    for (uint32_t i = 0; i < c->faces_used; i++)
        mst_ns2_put_u32(&c->out, 0);
    if (mst_is_void(&layers))
        return;
    list = mst_member_in(&layers, "faces");
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &entry); index++)
        if (index < c->face_count && c->faces[index] && mst_number_in(&entry, "has_layers"))
            mst_ns2_lose_value(&c->out, &entry, "a clipboard does not store the layers of faces",
                               "mesh.face_layers.faces[%llu]", (unsigned long long)index);
}

/* The mapping groups that the faces use. */
static void put_mapping_groups(copier *c) {
    mst_value list = list_of(c, "mapping_groups"), faces = list_of(c, "faces"), face;
    uint64_t count = mst_count(&list), index = 0;
    mst_column ids = mst_column_if(&list, "id");
    mst_ns2_id *known = mst_arena_take(&c->arena, (size_t)count + 1, sizeof *known);
    bool *used = mst_arena_zero(&c->arena, (size_t)count + 1, sizeof *used);
    if (!known || !used) {
        c->out.status = MST_NO_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < ids.count; i++)
        known[i] = (mst_ns2_id){mst_column_u32(&ids, i, 0), i};
    size_t sorted = mst_ns2_ids_sort(known, (size_t)ids.count);
    uint32_t kept = 0;
    for (mst_iterator it = mst_iterate(&faces); ids.count && mst_next(&it, &face); index++) {
        uint32_t group = mst_ns2_ids_find(known, sorted, (uint32_t)mst_number_in(&face, "mapping_group"));
        if (!c->faces[index] || group == MST_NS2_NONE || used[group])
            continue;
        used[group] = true;
        kept++;
    }
    mst_ns2_put_u32(&c->out, kept);
    for (uint64_t i = 0; i < ids.count; i++)
        if (used[i])
            mst_ns2_put(&c->out, ids.data + i * ids.stride, ids.stride);
}

/* No vertex, edge or face is in a group there. */
static void put_groups(copier *c) {
    const struct {
        const char *name;
        const uint32_t *numbers;
        uint64_t count;
    } lists[] = {{"vertex_groups", c->vertices, c->vertex_count},
                 {"edge_groups", c->edges, c->edge_count},
                 {"face_groups", NULL, c->face_count}};
    mst_value groups = list_of(c, "geometry_groups"), list, group, indices, index;
    mst_ns2_put_u64(&c->out, 0);
    mst_ns2_put_u32(&c->out, 0);
    for (size_t i = 0; i < MST_COUNT_OF(lists) && !mst_is_void(&groups); i++) {
        uint64_t number = 0;
        list = mst_member_in(&groups, lists[i].name);
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &group); number++) {
            bool copied = false;
            indices = mst_member_in(&group, "indices");
            for (mst_iterator each = mst_iterate(&indices); !copied && mst_next(&each, &index);) {
                uint64_t k = mst_scalar_of(&index);
                copied = k < lists[i].count &&
                         (lists[i].numbers ? lists[i].numbers[k] != MST_NS2_NONE : c->faces[k]);
            }
            if (copied)
                mst_ns2_lose_value(&c->out, &group, "a clipboard does not store the groups of geometry",
                                   "mesh.geometry_groups.%s[%llu]", lists[i].name,
                                   (unsigned long long)number);
        }
    }
}

/* ---- the clipboard ---------------------------------------------------------------------------------- */

static size_t begin_block(copier *c, uint16_t kind) {
    uint8_t bytes[2];
    size_t begin = mst_ns2_begin(&c->out, MST_NS2_CLIP_BLOCK);
    mst_store16(bytes, kind, false);
    mst_ns2_put(&c->out, bytes, sizeof bytes);
    return begin;
}

static void put_mesh(copier *c) {
    static const struct {
        uint32_t id;
        void (*put)(copier *c);
    } chunks[] = {{4, put_materials},   {1, put_vertices},       {2, put_edges}, {3, put_faces},
                  {6, put_face_layers}, {7, put_mapping_groups}, {8, put_groups}};
    size_t block = begin_block(c, MST_NS2_CLIP_MESH);
    for (size_t i = 0; i < MST_COUNT_OF(chunks); i++) {
        size_t begin = mst_ns2_begin(&c->out, chunks[i].id);
        if (c->out.status == MST_OK)
            chunks[i].put(c);
        mst_ns2_end(&c->out, begin);
    }
    mst_ns2_end(&c->out, block);
}

static void put_objects(copier *c) {
    mst_value root = mst_root(c->document), list = mst_member_in(&root, "objects"), object;
    uint64_t index = 0, copied = 0;
    for (uint64_t i = 0; i < c->object_count; i++)
        copied += c->objects[i];
    if (!copied)
        return;
    size_t block = begin_block(c, MST_NS2_CLIP_OBJECTS);
    for (mst_iterator it = mst_iterate(&list); index < c->object_count && mst_next(&it, &object); index++) {
        if (!c->objects[index])
            continue;
        size_t begin = mst_ns2_begin(&c->out, MST_NS2_CLIP_OBJECT);
        mst_ns2_copy_value(&c->out, &object);
        mst_ns2_end(&c->out, begin);
    }
    mst_ns2_end(&c->out, block);
}

mst_status mst_ns2_level_to_clip(const mst_document *document, const mst_convert_options *options,
                                 mst_report_function report, void *user, mst_buffer *bytes,
                                 mst_diagnostic *diagnostic) {
    copier c = {
        .out = {
            .out = bytes, .diagnostic = diagnostic, .report = report, .user = user, .severity = MST_WARNING}};
    mst_document *level;
    const mst_convert_options newest = {
        .size = sizeof newest, .version = 10, .has_version = 1, .allow_loss = options->allow_loss};
    mst_status status = mst_convert(document, &newest, report, user, &level, diagnostic);
    if (status != MST_OK)
        return status;
    c.document = level;
    c.has_mesh = mst_find(mst_root(level), "mesh", &c.mesh, NULL) == MST_OK;
    mst_arena_begin(&c.arena, &document->allocator, 0);
    choose(&c, options);
    if (c.out.status == MST_OK)
        number_parts(&c);
    if (c.out.status == MST_OK && c.faces_used)
        put_mesh(&c);
    if (c.out.status == MST_OK)
        put_objects(&c);
    if (c.out.status == MST_OK && !bytes->size)
        mst_ns2_refuse(&c.out, "", "there is nothing to copy to a clipboard");
    mst_arena_end(&c.arena);
    mst_close(level);
    return mst_ns2_written(&c.out);
}
