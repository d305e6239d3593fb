/* SPDX-License-Identifier: MIT */
/*
 * Converts levels between versions: chunks that both versions store in the same way are copied, the others
 * are rewritten. Data that only newer versions store gets the value of an unused feature; data that an older
 * version cannot store is reported as lost.
 */
#include "../present.h"
#include "ids.h"
#include "ns2_bindings.h"
#include "ns2_tables.h"
#include "writing.h"
#include <stdio.h>

#define LAYER_WORDS   8u  /* of every mask in known levels */
#define NUMBERED_MAX  64u /* layers in a mask of version 4 */
#define CHANGED_IN(n) (1u << (n))

typedef struct converter {
    const mst_document *document;
    mst_ns2_writer out;
    mst_arena arena;
    uint32_t from, to;
    uint32_t changed; /* CHANGED_IN the versions between them */
    mst_bound object;
    mst_ns2_id *layers; /* their numbers by id */
    size_t layer_count;
    uint64_t numbered;    /* layers */
    bool ids_are_numbers; /* of all of them */
    uint64_t index;       /* of the object */
} converter;

static const char not_stored[] = "the new version cannot store it";

/* ---- layers ----------------------------------------------------------------------------------------- */

/* The layers' numbers by id, for masks of version 4. */
static void number_layers(converter *c) {
    mst_value root = mst_root(c->document), list, layer;
    c->ids_are_numbers = true;
    if (mst_member(&root, "layers", &list) != MST_OK)
        return;
    uint32_t count = 0;
    c->numbered = mst_count(&list);
    c->layers = mst_arena_take(&c->arena, (size_t)c->numbered, sizeof *c->layers);
    if (!c->layers) {
        c->out.status = MST_NO_MEMORY;
        return;
    }
    for (mst_iterator it = mst_iterate(&list); count < c->numbered && mst_next(&it, &layer); count++)
        c->layers[count] = (mst_ns2_id){(uint32_t)mst_number_in(&layer, "id"), count};
    c->layer_count = mst_ns2_ids_sort(c->layers, count);
    c->ids_are_numbers = c->layer_count == count;
    for (size_t i = 0; i < c->layer_count; i++)
        c->ids_are_numbers = c->ids_are_numbers && c->layers[i].id == c->layers[i].index;
}

/* The mask of version 4 for words of ids. A number that no layer has, in either version, is kept. */
static uint64_t mask_of(converter *c, const mst_value *words, const char *path) {
    uint64_t mask = 0, w = 0;
    mst_value word;
    for (mst_iterator it = mst_iterate(words); mst_next(&it, &word); w++)
        for (uint32_t bits = (uint32_t)mst_scalar_of(&word), k = 0; bits; bits >>= 1, k++) {
            if (!(bits & 1))
                continue;
            uint64_t id = 32 * w + k;
            uint32_t number =
                id < MST_NS2_NONE ? mst_ns2_ids_find(c->layers, c->layer_count, (uint32_t)id) : MST_NS2_NONE;
            uint64_t bit = number == MST_NS2_NONE && id >= c->numbered ? id : number;
            if (bit < NUMBERED_MAX)
                mask |= (uint64_t)1 << bit;
            else
                mst_ns2_lose(&c->out, word.offset, 4, "the new version has no bit for this layer", "%s[%llu]",
                             path, (unsigned long long)w);
        }
    return mask;
}

/* The words from version 5 on, in which a layer's id is its number in version 4. */
static void put_words(converter *c, uint64_t mask) {
    mst_ns2_put_u32(&c->out, LAYER_WORDS);
    mst_ns2_put_u64(&c->out, mask);
    for (uint32_t i = 2; i < LAYER_WORDS; i++)
        mst_ns2_put_u32(&c->out, 0);
}

/* Layers or groups: from version 5 on, each has an id. */
static void convert_layers(converter *c, const mst_value *list, const char *name) {
    mst_value layer;
    uint32_t index = 0;
    (void)name;
    mst_ns2_put_u32(&c->out, (uint32_t)mst_count(list));
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &layer); index++) {
        uint64_t end = mst_value_after(&layer);
        mst_ns2_copy(&c->out, c->document, layer.offset, c->from < 5 ? end : end - 4);
        if (c->to >= 5)
            mst_ns2_put_u32(&c->out, index);
    }
}

/* ---- the mesh --------------------------------------------------------------------------------------- */

/* Vertices or edges: from version 8 on, each has a byte that states whether it is smooth. */
static void convert_smooth(converter *c, const mst_value *list, const char *name) {
    bool edges = strcmp(name, "edges") == 0;
    mst_column column = mst_column_in(list, edges ? "vertices" : "position");
    mst_value ghosts;
    uint32_t size = edges ? 8 : 12;
    uint8_t rough = 0;
    uint64_t more =
        !edges && c->from >= 7 && c->to < 7 &&
                mst_find(mst_root(c->document), "mesh.triangles.ghost_vertices", &ghosts, NULL) == MST_OK
            ? mst_count(&ghosts)
            : 0;
    mst_ns2_put_u32(&c->out, (uint32_t)(column.count + more));
    for (uint64_t i = 0; i < column.count; i++) {
        const uint8_t *record = column.data + i * column.stride;
        mst_ns2_put(&c->out, record, size);
        if (c->to >= 8)
            mst_ns2_put(&c->out, c->from >= 8 ? record + size : &rough, 1);
        else if (c->from >= 8 && record[size])
            mst_ns2_lose(&c->out, mst_column_offset(c->document, &column, i) + size, 1, not_stored,
                         "mesh.%s[%llu].smooth", name, (unsigned long long)i);
    }
    if (more) /* triangles number ghosts after the vertices: they keep their numbers */
        mst_ns2_copy(&c->out, c->document, ghosts.offset + 4, mst_value_after(&ghosts));
}

static void convert_face_layers(converter *c, const mst_value *record, const char *name) {
    mst_value list, element, words;
    char path[64];
    (void)name;
    if (c->from < 5) {
        list = mst_member_in(record, "masks");
        mst_ns2_put_u32(&c->out, (uint32_t)mst_count(&list));
        mst_ns2_put_u32(&c->out, MST_NS2_LAYER_FORMAT);
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);) {
            uint64_t mask = mst_scalar_of(&element);
            mst_ns2_put_u32(&c->out, mask != 0);
            if (mask)
                put_words(c, mask);
        }
        return;
    }
    mst_value format = mst_member_in(record, "format");
    if (mst_scalar_of(&format) != MST_NS2_LAYER_FORMAT)
        mst_ns2_lose_value(&c->out, &format, not_stored, "%s", "mesh.face_layers.format");
    list = mst_member_in(record, "faces");
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++) {
        snprintf(path, sizeof path, "mesh.face_layers.faces[%llu].layer_masks", (unsigned long long)index);
        bool any = mst_member(&element, "layer_masks", &words) == MST_OK;
        mst_ns2_put_u64(&c->out, any ? mask_of(c, &words, path) : 0);
    }
}

/* Version 4 has none: a chunk of three empty lists is added or removed. */
static void convert_geometry_groups(converter *c, const mst_value *record, const char *name) {
    static const char *const lists[] = {"vertex_groups", "edge_groups", "face_groups"};
    (void)name;
    for (size_t i = 0; i < MST_COUNT_OF(lists); i++) {
        mst_value list = mst_member_in(record, lists[i]), group;
        uint64_t index = 0;
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &group); index++)
            mst_ns2_lose_value(&c->out, &group, not_stored, "mesh.geometry_groups.%s[%llu]", lists[i],
                               (unsigned long long)index);
    }
}

/* The triangles of a face: from version 8 on, each has smoothed normals, which are missing before. */
static void convert_face_triangles(converter *c, const mst_value *triangles, uint64_t face, bool smoothed) {
    mst_column vertices = mst_column_in(triangles, "vertices");
    mst_ns2_put_u32(&c->out, (uint32_t)vertices.count);
    for (uint64_t i = 0; i < vertices.count; i++) {
        const uint8_t *triangle = vertices.data + i * vertices.stride;
        static const uint8_t none[12];
        mst_ns2_put(&c->out, triangle, 12);
        if (c->to >= 8)
            mst_ns2_put(&c->out, c->from >= 8 ? triangle + 12 : none, 12);
        else if (c->from >= 8 && !smoothed && memcmp(triangle + 12, none, 12) != 0)
            mst_ns2_lose(&c->out, mst_column_offset(c->document, &vertices, i) + 12, 12, not_stored,
                         "mesh.triangles.faces[%llu][%llu].normals", (unsigned long long)face,
                         (unsigned long long)i);
    }
}

static void convert_triangles(converter *c, const mst_value *record, const char *name) {
    mst_value list, faces = mst_member_in(record, "faces"), triangles;
    uint64_t index = 0;
    bool smoothed = false;
    (void)name;
    if (c->from >= 7) {
        list = mst_member_in(record, "ghost_vertices");
        if (c->to >= 7)
            mst_ns2_copy_value(&c->out, &list);
        else if (mst_count(&list))
            mst_ns2_lose_value(&c->out, &list, "ghost vertices become vertices without edges",
                               "mesh.triangles.ghost_vertices");
    } else if (c->to >= 7) {
        mst_ns2_put_u32(&c->out, 0);
    }
    if (c->from >= 8) {
        list = mst_member_in(record, "smoothed_normals");
        smoothed = mst_count(&list) != 0;
        if (c->to >= 8)
            mst_ns2_copy_value(&c->out, &list);
        else if (smoothed)
            mst_ns2_lose_value(&c->out, &list, not_stored, "%s", "mesh.triangles.smoothed_normals");
    } else if (c->to >= 8) {
        mst_ns2_put_u32(&c->out, 0);
    }
    mst_ns2_put_u32(&c->out, (uint32_t)mst_number_in(record, "face_count"));
    mst_ns2_put_u32(&c->out, (uint32_t)mst_number_in(record, "triangle_count"));
    for (mst_iterator it = mst_iterate(&faces); mst_next(&it, &triangles); index++)
        convert_face_triangles(c, &triangles, index, smoothed);
}

/* ---- entities --------------------------------------------------------------------------------------- */

static void convert_object_layers(converter *c, const mst_value *object, const mst_ns2_bound_object *o) {
    mst_value format;
    char path[64];
    if (c->to >= 5) { /* from version 4 */
        mst_ns2_put_u32(&c->out, o->layer_mask != 0);
        if (o->layer_mask) {
            mst_ns2_put_u32(&c->out, MST_NS2_LAYER_FORMAT);
            put_words(c, o->layer_mask);
        }
        mst_ns2_put_u32(&c->out, MST_NS2_NONE);
        return;
    }
    snprintf(path, sizeof path, "objects[%llu].layer_masks", (unsigned long long)c->index);
    mst_ns2_put_u64(&c->out, mst_is_void(&o->layer_masks) ? 0 : mask_of(c, &o->layer_masks, path));
    if (mst_member(object, "layer_format", &format) == MST_OK &&
        mst_scalar_of(&format) != MST_NS2_LAYER_FORMAT)
        mst_ns2_lose(&c->out, format.offset, 4, not_stored, "objects[%llu].layer_format",
                     (unsigned long long)c->index);
    if (o->group != MST_NS2_NONE)
        mst_ns2_lose(&c->out, o->class_name.offset - 4, 4, not_stored, "objects[%llu].group",
                     (unsigned long long)c->index);
}

static void convert_object(converter *c, const mst_value *object) {
    mst_ns2_bound_object o;
    memset(&o, 0, sizeof o);
    mst_fill(&c->object, object, &o);
    if (MST_CHANGED(mst_is_void(&o.class_name) || mst_is_void(&o.properties)))
        return;
    if (c->changed & CHANGED_IN(5))
        convert_object_layers(c, object, &o);
    else
        mst_ns2_copy(&c->out, c->document, object->offset, o.class_name.offset);
    mst_ns2_copy_value(&c->out, &o.class_name);
    if (c->to >= 10)
        mst_ns2_put_u32(&c->out, (uint32_t)mst_count(&o.properties));
    mst_ns2_copy_value(&c->out, &o.properties);
    if (c->to >= 10 && c->from >= 10) {
        mst_ns2_copy_value(&c->out, &o.extras);
    } else if (c->to >= 10) {
        mst_ns2_put_u32(&c->out, 0);
    } else if (c->from >= 10) {
        mst_value extra;
        uint64_t index = 0;
        for (mst_iterator it = mst_iterate(&o.extras); mst_next(&it, &extra); index++)
            mst_ns2_lose_value(&c->out, &extra, not_stored, "objects[%llu].extras[%llu]",
                               (unsigned long long)c->index, (unsigned long long)index);
    }
    c->index++;
}

/* ---- chunks ----------------------------------------------------------------------------------------- */

/* How the contents of chunks of one kind are written. */
typedef struct rule {
    uint32_t id;
    uint32_t changed; /* CHANGED_IN the versions that store it differently */
    const char *name;
    void (*convert)(converter *c, const mst_value *value, const char *name);
    uint32_t since; /* version that introduced it: removed for older ones, copied for newer ones */
    bool each;      /* there are several, each with its own value */
} rule;

static void convert_chunks(converter *c, const mst_value *record, const mst_field *field, const rule *rules,
                           size_t count, const char *prefix);

#define GEOMETRY_GROUPS 8u
static const rule mesh_rules[] = {
    {.id = 1, .changed = CHANGED_IN(7) | CHANGED_IN(8), .name = "vertices", .convert = convert_smooth},
    {.id = 2, .changed = CHANGED_IN(8), .name = "edges", .convert = convert_smooth},
    {.id = 6, .changed = CHANGED_IN(5), .name = "face_layers", .convert = convert_face_layers},
    {.id = GEOMETRY_GROUPS,
     .changed = CHANGED_IN(5),
     .name = "geometry_groups",
     .convert = convert_geometry_groups,
     .since = 5},
    {.id = 5, .changed = CHANGED_IN(7) | CHANGED_IN(8), .name = "triangles", .convert = convert_triangles},
};

static void convert_mesh(converter *c, const mst_value *mesh, const char *name) {
    (void)name;
    convert_chunks(c, mesh, &mst_ns2_mesh_record.fields[0], mesh_rules, MST_COUNT_OF(mesh_rules), "mesh.");
}

static const rule level_rules[] = {
    {.id = MST_NS2_MESH,
     .changed = CHANGED_IN(5) | CHANGED_IN(7) | CHANGED_IN(8),
     .name = "mesh",
     .convert = convert_mesh},
    {.id = 1, .changed = CHANGED_IN(5) | CHANGED_IN(10), .name = "objects", .each = true},
    {.id = 3, .changed = CHANGED_IN(5), .name = "layers", .convert = convert_layers},
    {.id = 5, .changed = CHANGED_IN(5), .name = "groups", .convert = convert_layers},
    /* it refers to layers by id */
    {.id = 7, .changed = CHANGED_IN(5), .name = "editor_settings", .since = 5},
};

static void put_no_groups(converter *c) {
    size_t begin = mst_ns2_begin(&c->out, GEOMETRY_GROUPS);
    mst_ns2_put_u64(&c->out, 0);
    mst_ns2_put_u32(&c->out, 0);
    mst_ns2_end(&c->out, begin);
}

/* One chunk that the versions store in different ways. */
static void convert_chunk(converter *c, const mst_value *record, const mst_chunk *chunk, const rule *r,
                          mst_iterator *each, const char *prefix) {
    mst_value value;
    bool goes = c->to < r->since && (r->convert || !c->ids_are_numbers);
    if (r->since && !goes) {
        mst_ns2_copy(&c->out, c->document, chunk->offset, chunk->end);
        return;
    }
    if (chunk->which < 0) {
        mst_ns2_lose(&c->out, chunk->offset, chunk->end - chunk->offset,
                     "a second chunk of its kind is left out", "%s%s", prefix, r->name);
        return;
    }
    bool found = r->each ? mst_next(each, &value) != 0 : mst_member(record, r->name, &value) == MST_OK;
    if (MST_CHANGED(!found))
        return;
    if (goes && !r->convert) {
        mst_ns2_lose_value(&c->out, &value, not_stored, "%s", r->name);
    } else if (goes) {
        r->convert(c, &value, r->name);
    } else {
        size_t begin = mst_ns2_begin(&c->out, r->id);
        if (r->each)
            convert_object(c, &value);
        else
            r->convert(c, &value, r->name);
        mst_ns2_end(&c->out, begin);
    }
}

static void convert_chunks(converter *c, const mst_value *record, const mst_field *field, const rule *rules,
                           size_t count, const char *prefix) {
    mst_iterator stream, each = {0};
    mst_value objects;
    uint64_t end;
    mst_chunk chunk;
    bool is_mesh = rules == mesh_rules, groups = !is_mesh || c->from >= 5 || c->to < 5;
    if (!is_mesh && mst_member(record, "objects", &objects) == MST_OK)
        each = mst_iterate(&objects);
    bool found = mst_find_chunks(record, field, &stream, &end);
    if (MST_CHANGED(!found))
        return;
    mst_chunk_cursor cursor = {stream.position, 0};
    while (c->out.status == MST_OK &&
           mst_chunk_next(c->document, field->chunks, &cursor, end, &chunk, NULL) == MST_OK) {
        const rule *r = NULL;
        for (size_t i = 0; i < count && !r; i++)
            r = rules[i].id == chunk.id && (rules[i].changed & c->changed) ? &rules[i] : NULL;
        bool before = is_mesh && (chunk.id == GEOMETRY_GROUPS || chunk.id == 5);
        if (!groups && before) {
            if (chunk.id == 5)
                put_no_groups(c);
            groups = true;
        }
        if (r)
            convert_chunk(c, record, &chunk, r, &each, prefix);
        else
            mst_ns2_copy(&c->out, c->document, chunk.offset, chunk.end);
    }
    if (!groups)
        put_no_groups(c);
}

mst_status mst_ns2_convert(const mst_document *document, const mst_convert_options *options,
                           mst_report_function report, void *user, mst_buffer *bytes,
                           mst_diagnostic *diagnostic) {
    converter c = {.document = document,
                   .out = {.out = bytes,
                           .diagnostic = diagnostic,
                           .report = report,
                           .user = user,
                           .severity = MST_WARNING},
                   .from = document->variant.version,
                   .to = options->version};
    for (uint32_t v = c.from < c.to ? c.from : c.to; v < c.from || v < c.to; v++)
        c.changed |= CHANGED_IN(v + 1);
    mst_arena_begin(&c.arena, &document->allocator, 0);
    mst_bind(document, &mst_ns2_object_bindings, &c.object);
    if (c.from >= 5 && c.to < 5)
        number_layers(&c);
    mst_value root = mst_root(document);
    uint8_t version = (uint8_t)c.to;
    mst_ns2_put(&c.out, document->data, 3);
    mst_ns2_put(&c.out, &version, 1);
    convert_chunks(&c, &root, &mst_ns2_level_record.fields[2], level_rules, MST_COUNT_OF(level_rules), "");
    mst_arena_end(&c.arena);
    return mst_ns2_written(&c.out);
}
