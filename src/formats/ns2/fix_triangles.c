/* SPDX-License-Identifier: MIT */
/* Adds the parts that a mesh may lack when written by people and other programs: triangles, made from the
 * faces' borders, and layers. */
#include "../../core/output.h"
#include "../../edit/fix_findings.h"
#include "../present.h"
#include "ns2.h"
#include "triangles.h"
#include <stdio.h>

/* A row for each face, empty where a border gives no triangles. */
static mst_status put_rows(const mst_document *document, const mst_value *mesh, mst_output *out) {
    mst_value faces = mst_member_in(mesh, "faces"), face;
    mst_status status = MST_OK;
    bool first = true;
    mst_output_text(out, "[");
    for (mst_iterator it = mst_iterate(&faces); status == MST_OK && mst_next(&it, &face); first = false) {
        mst_arena arena;
        uint32_t *triangles;
        size_t count;
        const char *row = "[]";
        mst_arena_begin(&arena, &document->allocator, 0);
        status = mst_ns2_triangulate(mesh, &face, NULL, &arena, &triangles, &count);
        if (status == MST_OK && count)
            status = mst_ns2_triangles_text(document, triangles, NULL, count, &arena, &row);
        mst_output_text(out, first ? "" : ",");
        mst_output_text(out, status == MST_OK ? row : "");
        mst_arena_end(&arena);
    }
    mst_output_text(out, "]");
    return status;
}

/* No layers for any face. */
static mst_status put_no_layers(const mst_document *document, const mst_value *mesh, mst_output *out) {
    const mst_value faces = mst_member_in(mesh, "faces");
    const char *none = document->variant.version < 5 ? "0" : "{\"has_layers\":false}";
    const uint64_t count = mst_count(&faces);
    for (uint64_t i = 0; i < count; i++) {
        mst_output_text(out, i ? "," : "[");
        mst_output_text(out, none);
    }
    mst_output_text(out, "]");
    return MST_OK;
}

/* A missing part of a mesh: a chunk, which has a row for each face. */
typedef struct missing_part {
    const char *chunk, *list;
    mst_status (*put)(const mst_document *, const mst_value *, mst_output *);
} missing_part;

/* The mesh as JSON, without its closing bracket. */
static mst_status put_mesh(const mst_value *mesh, mst_buffer *json) {
    const mst_json_options compact = {.size = sizeof compact, .compact = 1};
    mst_status status = mst_write_json(mesh, &compact, mst_buffer_sink(json), NULL);
    while (status == MST_OK && json->size && json->data[json->size - 1] != '}')
        json->size--;
    json->size -= json->size != 0;
    return status;
}

static mst_status put_rest(const missing_part *what, const mst_document *document, const mst_value *mesh,
                           bool there, mst_buffer *json) {
    mst_output out;
    mst_output_begin(&out, mst_buffer_sink(json));
    if (!there) {
        mst_output_text(&out, ",\"");
        mst_output_text(&out, what->chunk);
        mst_output_text(&out, "\":{\"");
        mst_output_text(&out, what->list);
        mst_output_text(&out, "\":");
    }
    mst_status status = what->put(document, mesh, &out);
    mst_output_bytes(&out, "}}", there ? 0 : 2);
    mst_output_bytes(&out, "", 1);
    return mst_output_end(&out) == MST_OK ? status : MST_NO_MEMORY;
}

/* Sets a list that is empty, or that the mesh lacks. In any other list it is not certain which face a row
 * belongs to. */
static mst_status fill(mst_fix_context *fixing, const missing_part *what) {
    const mst_document *document = fixing->document;
    char path[40];
    mst_value mesh, rows, faces;
    snprintf(path, sizeof path, "%s.%s", what->chunk, what->list);
    if (mst_find(mst_root(document), "mesh", &mesh, NULL) != MST_OK ||
        mst_member(&mesh, "faces", &faces) != MST_OK || !mst_count(&faces))
        return MST_OK;
    const bool there = mst_find(mesh, path, &rows, NULL) == MST_OK;
    if (there && mst_count(&rows))
        return MST_OK;
    mst_buffer json = {.allocator = document->allocator};
    mst_status status = there ? MST_OK : put_mesh(&mesh, &json);
    if (status == MST_OK)
        status = put_rest(what, document, &mesh, there, &json);
    snprintf(path, sizeof path, "mesh.%s.%s", what->chunk, what->list);
    if (status == MST_OK)
        status = fixing->set(fixing, there ? path : "mesh", (const char *)json.data);
    mst_buffer_free(&json);
    return status;
}

mst_status mst_ns2_fix_triangles(mst_fix_context *fixing) {
    return fill(fixing, &(const missing_part){"triangles", "faces", put_rows});
}

mst_status mst_ns2_fix_face_layers(mst_fix_context *fixing) {
    const char *list = fixing->document->variant.version < 5 ? "masks" : "faces";
    return fill(fixing, &(const missing_part){"face_layers", list, put_no_layers});
}
