/* SPDX-License-Identifier: MIT */
/*
 * Pastes the contents of a clipboard into a level. Everything is appended to its list, so that in the level
 * only the ghost vertices are renumbered, which are numbered after the vertices; in the pasted parts, all
 * numbers are. Triangles are made from the borders of the faces. Layers and groups are identified by id; ids
 * that the level lacks are left out.
 */
#include "ns2_paste.h"
#include "../../core/diagnose.h"
#include "../../edit/assign.h"
#include "../../edit/single_edit.h"
#include "../present.h"
#include "ns2_bindings.h"
#include <stdio.h>

/* ---- layers and groups ------------------------------------------------------------------------------ */

/* ---- entities --------------------------------------------------------------------------------------- */

static void put_object(mst_ns2_paster *p, const mst_bound *bound, const mst_value *object, const char *path) {
    mst_ns2_bound_object o;
    mst_value format;
    memset(&o, 0, sizeof o);
    memset(&format, 0, sizeof format);
    mst_fill(bound, object, &o);
    if (MST_CHANGED(mst_is_void(&o.class_name)))
        return;
    if (mst_member(object, "layer_format", &format) != MST_OK)
        memset(&format, 0, sizeof format);
    bool group = o.group == MST_NS2_NONE || mst_ns2_is_known(&p->groups, o.group);
    size_t chunk = mst_ns2_begin(&p->out, MST_NS2_OBJECT);
    mst_ns2_paste_layers(p, &o.layer_masks, &format, path);
    if (!group)
        mst_ns2_lose(&p->out, o.class_name.offset - 4, 4, "the level has no group of this id", "%s.group",
                     path);
    mst_ns2_put_u32(&p->out, group ? o.group : MST_NS2_NONE);
    mst_ns2_copy(&p->out, p->clip, o.class_name.offset, mst_value_after(object));
    mst_ns2_end(&p->out, chunk);
}

static void put_objects(mst_ns2_paster *p) {
    mst_value blocks = mst_root(p->clip), block, list, object;
    mst_bound bound;
    uint64_t b = 0;
    mst_bind(p->clip, &mst_ns2_clip_object_bindings, &bound);
    blocks = mst_member_in(&blocks, "blocks");
    for (mst_iterator it = mst_iterate(&blocks); mst_next(&it, &block); b++) {
        if (mst_number_in(&block, "kind") != MST_NS2_CLIP_OBJECTS)
            continue;
        uint64_t index = 0;
        list = mst_member_in(&block, "objects");
        for (mst_iterator each = mst_iterate(&list); mst_next(&each, &object); index++) {
            char path[64];
            snprintf(path, sizeof path, "blocks[%llu].objects[%llu]", (unsigned long long)b,
                     (unsigned long long)index);
            if (mst_number_in(&object, "id") != MST_NS2_CLIP_OBJECT)
                mst_ns2_refuse(&p->out, path, "its meaning is not known: it cannot be pasted");
            else
                put_object(p, &bound, &object, path);
        }
    }
}

/* ---- the level -------------------------------------------------------------------------------------- */

/* Reads and sorts the ids of layers or groups. */
static void know(mst_ns2_paster *p, const char *name, mst_ns2_known *known) {
    mst_value root = mst_root(p->level), list, entry;
    uint32_t count = 0;
    if (mst_member(&root, name, &list) != MST_OK)
        return;
    uint64_t capacity = mst_count(&list);
    known->ids = mst_arena_take(&p->arena, (size_t)capacity, sizeof *known->ids);
    if (!known->ids) {
        p->out.status = MST_NO_MEMORY;
        return;
    }
    for (mst_iterator it = mst_iterate(&list); count < capacity && mst_next(&it, &entry); count++)
        known->ids[count] = (mst_ns2_id){(uint32_t)mst_number_in(&entry, "id"), count};
    known->count = mst_ns2_ids_sort(known->ids, count);
}

/* The level's chunks, with the mesh and the entities of the clipboard. */
static void put_level(mst_ns2_paster *p) {
    const mst_field *field = &mst_ns2_level_record.fields[2];
    mst_value root = mst_root(p->level);
    mst_iterator stream;
    mst_chunk chunk;
    uint64_t end, after = 0; /* the chunk after which the entities are put */
    bool found = mst_find_chunks(&root, field, &stream, &end);
    if (MST_UNREACHABLE(!found)) /* a level has them */
        return;
    mst_chunk_cursor cursor = {stream.position, 0};
    while (mst_chunk_next(p->level, field->chunks, &cursor, end, &chunk, NULL) == MST_OK)
        if (chunk.id == MST_NS2_OBJECT || (chunk.id == MST_NS2_MESH && !after))
            after = chunk.end;
    mst_ns2_copy(&p->out, p->level, 0, MST_NS2_FIRST_CHUNK);
    cursor = (mst_chunk_cursor){stream.position, 0};
    if (!after)
        put_objects(p);
    while (p->out.status == MST_OK &&
           mst_chunk_next(p->level, field->chunks, &cursor, end, &chunk, NULL) == MST_OK) {
        if (chunk.id == MST_NS2_MESH && chunk.which >= 0 && p->part_count) {
            size_t begin = mst_ns2_begin(&p->out, MST_NS2_MESH);
            mst_ns2_paste_mesh(p);
            mst_ns2_end(&p->out, begin);
        } else {
            mst_ns2_copy(&p->out, p->level, chunk.offset, chunk.end);
        }
        if (chunk.end == after)
            put_objects(p);
    }
}

/* Level and clipboard, both of version 10. */
static mst_status paste(const mst_document *level, const mst_document *clip, mst_severity severity,
                        mst_report_function report, void *user, mst_buffer *bytes,
                        mst_diagnostic *diagnostic) {
    mst_ns2_paster p = {
        .level = level,
        .clip = clip,
        .out = {
            .out = bytes, .diagnostic = diagnostic, .report = report, .user = user, .severity = severity}};
    mst_arena_begin(&p.arena, &level->allocator, 0);
    know(&p, "layers", &p.layers);
    know(&p, "groups", &p.groups);
    mst_ns2_paste_begin(&p);
    if (p.out.status == MST_OK)
        put_level(&p);
    mst_arena_end(&p.arena);
    return mst_ns2_written(&p.out);
}

/* Reports which entities and faces are new. */
static mst_status say_added(const mst_document *before, const mst_document *after,
                            const mst_edit_options *options, mst_diagnostic *diagnostic) {
    static const char *const lists[] = {"objects", "mesh.faces"};
    mst_status status = MST_OK;
    for (size_t i = 0; options->change && i < MST_COUNT_OF(lists); i++) {
        mst_value old, now, element;
        if (mst_find(mst_root(before), lists[i], &old, NULL) != MST_OK ||
            mst_find(mst_root(after), lists[i], &now, NULL) != MST_OK)
            continue;
        uint64_t index = 0, count = mst_count(&old);
        for (mst_iterator it = mst_iterate(&now); status == MST_OK && mst_next(&it, &element); index++) {
            if (index < count)
                continue;
            mst_arena arena;
            char path[40];
            mst_edit_change change = {.kind = MST_CHANGE_ADD, .path = path};
            snprintf(path, sizeof path, "%s[%llu]", lists[i], (unsigned long long)index);
            mst_arena_begin(&arena, &after->allocator, 0);
            status = mst_value_text(&element, &arena, &change.now, diagnostic);
            if (status == MST_OK)
                status = options->change(options->user, &change);
            mst_arena_end(&arena);
        }
    }
    return status;
}

/* Converts the level to version 10, which can hold everything on a clipboard, and then back. */
mst_status mst_ns2_paste(const mst_document *document, const mst_document *clip,
                         const mst_edit_options *options, mst_buffer *bytes, mst_diagnostic *diagnostic) {
    mst_convert_options newest = {.size = sizeof newest, .version = 10, .has_version = 1},
                        back = {.size = sizeof back,
                                .version = document->variant.version,
                                .has_version = 1,
                                .allow_loss = options->force};
    mst_document *level = NULL, *made = NULL, *result = NULL;
    mst_buffer merged = {.allocator = document->allocator};
    mst_open_options opening = {
        .size = sizeof opening, .allocator = document->allocator, .budget = SIZE_MAX, .name = document->name};
    if (clip->format != &mst_format_ns2_clip)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "only a clipboard can be pasted, not %s",
                        clip->format->information.title);
    mst_status status = mst_convert(document, &newest, options->report, options->user, &level, diagnostic);
    if (status == MST_OK)
        status = paste(level, clip, MST_INFORMATION, options->report, options->user, &merged, diagnostic);
    if (status == MST_OK)
        status = mst_document_adopt(document->format, NULL, &merged, &opening, &made, diagnostic);
    if (status == MST_OK)
        status = mst_convert(made, &back, options->report, options->user, &result, diagnostic);
    if (status == MST_OK) {
        mst_sink sink = mst_buffer_sink(bytes);
        status = sink.write(sink.user, result->data, (size_t)result->size);
    }
    if (status == MST_OK)
        status = say_added(document, result, options, diagnostic);
    mst_buffer_free(&merged);
    mst_close(level);
    mst_close(made);
    mst_close(result);
    return status;
}

/* An empty level. */
static const uint8_t empty_level[] = {
    'L', 'V', 'L', 10,                                                               /* the mesh: */
    2,   0,   0,   0,  120, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0,             /* materials */
    1,   0,   0,   0,  4,   0, 0, 0, 0, 0, 0, 0,                                     /* vertices */
    2,   0,   0,   0,  4,   0, 0, 0, 0, 0, 0, 0,                                     /* edges */
    3,   0,   0,   0,  4,   0, 0, 0, 0, 0, 0, 0,                                     /* faces */
    6,   0,   0,   0,  8,   0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0,                         /* their layers */
    7,   0,   0,   0,  4,   0, 0, 0, 0, 0, 0, 0,                                     /* mapping groups */
    8,   0,   0,   0,  12,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,             /* groups */
    5,   0,   0,   0,  16,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* triangles */
};

mst_status mst_ns2_clip_to_level(const mst_document *document, const mst_convert_options *options,
                                 mst_report_function report, void *user, mst_buffer *bytes,
                                 mst_diagnostic *diagnostic) {
    mst_open_options opening = {.size = sizeof opening, .allocator = document->allocator};
    mst_document *level;
    if (options->select_count)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "a clipboard is converted as a whole: nothing can be selected");
    mst_status status = mst_open_memory(empty_level, sizeof empty_level, &opening, &level, diagnostic);
    if (status == MST_OK)
        status = paste(level, document, MST_WARNING, report, user, bytes, diagnostic);
    mst_close(level);
    return status;
}
