/* SPDX-License-Identifier: MIT */
/*
 * Gives a face another border or other holes. The face keeps its texture, layers, groups and number, and
 * corners that remain keep their smoothness. Corners are given as for new faces (ns2_adding.c): `set
 * mesh.faces[3].positions = [...]`, `set mesh.faces[3].holes = [...]`.
 */
#include "../../core/diagnose.h"
#include "../../core/json_text.h"
#include "../../core/map.h"
#include "../../core/number.h"
#include "../../edit/follow.h"
#include "../../edit/single_edit.h"
#include "../present.h"
#include "ns2.h"
#include "ns2_bindings.h"
#include "triangles.h"
#include <stdlib.h>

#define FACES "mesh.faces"

typedef struct reshape_state {
    mst_document *document;
    const mst_operation *operation;
    const mst_edit_options *options;
    mst_arena *arena;
    mst_diagnostic *diagnostic;
    uint64_t index;     /* of the face */
    bool holes;         /* holes are given, not the border */
    mst_hash_map edges; /* its old edges; the value is 1 where a face still uses it */
} reshape_state;

static mst_status refuse(const reshape_state *r, mst_status status, const char *message) {
    mst_fail(r->diagnostic, status, "%s", message);
    if (r->diagnostic)
        MST_SET(r->diagnostic->path, "%s", r->operation->path);
    return status;
}

static bool read_path(const char *path, uint64_t *index, bool *holes) {
    static const char list[] = FACES "[";
    const size_t begin = sizeof list - 1;
    if (strncmp(path, list, begin) != 0)
        return false;
    const size_t digits = strspn(path + begin, "0123456789");
    const char *end = path + begin + digits;
    *holes = strcmp(end, "].holes") == 0;
    return (*holes || strcmp(end, "].positions") == 0) && mst_read_u64(path + begin, digits, index);
}

bool mst_ns2_reaches(const char *path) {
    uint64_t index;
    bool holes;
    return read_path(path, &index, &holes);
}

/* ---- the old and the new shape ---------------------------------------------------------------------- */

static mst_status find_face(const reshape_state *r, mst_value *face) {
    mst_value faces;
    mst_status status = mst_find(mst_root(r->document), FACES, &faces, r->diagnostic);
    return status == MST_OK && mst_element(&faces, r->index, face) != MST_OK
               ? refuse(r, MST_NO_PATH, "the face does not exist")
               : status;
}

/* The face as JSON of a new face, with the given corners in place of its own. */
static mst_status new_shape(const reshape_state *r, const mst_value *face, const char **json) {
    const char *old = NULL, *other = "";
    mst_json was, given;
    mst_status status =
        mst_json_parse(r->operation->value, strlen(r->operation->value), r->arena, &given, NULL);
    if (status == MST_DAMAGED)
        return refuse(r, MST_ARGUMENT, "corners are lists of three coordinates each");
    if (status == MST_OK)
        status = mst_ns2_geometry(FACES, face, r->index, r->arena, &old);
    if (status == MST_OK && !old)
        return refuse(r, MST_REFUSED, "the face has edges or vertices that do not exist: remove it");
    if (status == MST_OK)
        status = mst_json_parse(old, strlen(old), r->arena, &was, NULL);
    if (status != MST_OK)
        return status;
    const uint32_t kept = mst_json_find_member(&was, r->holes ? "positions" : "holes");
    if (kept)
        other = mst_json_text_of(&was, kept, r->arena);
    const char *name = kept ? r->holes ? ",\"positions\":" : ",\"holes\":" : "";
    *json = other ? mst_arena_printf(r->arena, "{\"%s\":%s%s%s}", r->holes ? "holes" : "positions",
                                     r->operation->value, name, other)
                  : NULL;
    return *json ? MST_OK : MST_NO_MEMORY;
}

/* ---- edges no longer in use ------------------------------------------------------------------------- */

static mst_status note_edges(reshape_state *r, const mst_value *face) {
    mst_value loops = mst_member_in(face, "loops"), loop;
    for (mst_iterator it = mst_iterate(&loops); mst_next(&it, &loop);) {
        const mst_column edges = mst_column_in(&loop, "edge");
        for (uint64_t i = 0; i < edges.count; i++)
            if (!mst_hash_map_add(&r->edges, mst_key_number(mst_column_u32(&edges, i, 0))))
                return MST_NO_MEMORY;
    }
    return MST_OK;
}

/* Marks the old edges that faces still use. */
static mst_status find_users(reshape_state *r) {
    mst_value faces, face, loop;
    mst_status status = mst_find(mst_root(r->document), FACES, &faces, r->diagnostic);
    if (status != MST_OK)
        return status;
    for (mst_iterator it = mst_iterate(&faces); mst_next(&it, &face);) {
        mst_value loops = mst_member_in(&face, "loops");
        for (mst_iterator each = mst_iterate(&loops); mst_next(&each, &loop);) {
            const mst_column edges = mst_column_in(&loop, "edge");
            for (uint64_t i = 0; i < edges.count; i++) {
                uint32_t *used = mst_hash_map_find(&r->edges, mst_key_number(mst_column_u32(&edges, i, 0)));
                if (used)
                    *used = 1;
            }
        }
    }
    return MST_OK;
}

static int by_number(const void *left, const void *right) {
    const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static mst_status remove_loose(reshape_state *r) {
    size_t count = 0;
    if (r->options && r->options->keep_loose)
        return MST_OK;
    uint64_t *loose = mst_arena_take(r->arena, r->edges.count + 1, sizeof *loose);
    mst_status status = loose ? find_users(r) : MST_NO_MEMORY;
    for (size_t i = 0; i < r->edges.count && status == MST_OK; i++)
        if (!r->edges.entries[i].value)
            loose[count++] = r->edges.entries[i].key.number;
    if (status != MST_OK || !count)
        return status;
    qsort(loose, count, sizeof *loose, by_number);
    return mst_follow_removals(r->document, "mesh.edges", loose, count, false, r->options, r->diagnostic);
}

/* ---- triangles -------------------------------------------------------------------------------------- */

static mst_status set_triangles(reshape_state *r) {
    mst_value mesh = {.document = NULL}, face, rows, row;
    bool has_area = false;
    const char *json = NULL;
    mst_status status = find_face(r, &face);
    if (status == MST_OK)
        status = mst_find(mst_root(r->document), "mesh", &mesh, r->diagnostic);
    if (status != MST_OK)
        return status;
    if (mst_find(mesh, "triangles.faces", &rows, NULL) != MST_OK ||
        mst_element(&rows, r->index, &row) != MST_OK)
        memset(&row, 0, sizeof row);
    status = mst_ns2_redraw(&mesh, &face, &row, r->arena, &has_area, &json);
    if (status == MST_OK && !has_area)
        return refuse(r, MST_ARGUMENT, "the corners enclose no area");
    if (status != MST_OK || !json)
        return status;
    const char *path = mst_arena_printf(r->arena, "mesh.triangles.faces[%llu]", (unsigned long long)r->index);
    return path ? mst_edit_set(r->document, path, json, r->diagnostic) : MST_NO_MEMORY;
}

/* ---- the whole operation ---------------------------------------------------------------------------- */

/* Sets the loops for the new corners; new vertices and edges are appended to their lists. */
static mst_status set_loops(reshape_state *r, const char *json) {
    mst_json made;
    mst_status status = mst_ns2_expand(r->document, FACES, &json, 1, r->arena, r->diagnostic);
    if (status != MST_OK && r->diagnostic)
        MST_SET(r->diagnostic->path, "%s", r->operation->path);
    if (status == MST_OK)
        status = mst_json_parse(json, strlen(json), r->arena, &made, r->diagnostic);
    const uint32_t loops = status == MST_OK ? mst_json_find_member(&made, "loops") : 0;
    const char *text = loops ? mst_json_text_of(&made, loops, r->arena) : NULL;
    const char *path = mst_arena_printf(r->arena, FACES "[%llu].loops", (unsigned long long)r->index);
    if (status != MST_OK)
        return status;
    return text && path ? mst_edit_set(r->document, path, text, r->diagnostic) : MST_NO_MEMORY;
}

static mst_status reshape(reshape_state *r) {
    mst_value face;
    const char *json = NULL;
    mst_status status = find_face(r, &face);
    if (status == MST_OK)
        status = new_shape(r, &face, &json);
    if (status == MST_OK)
        status = note_edges(r, &face);
    if (status == MST_OK)
        status = set_loops(r, json);
    if (status == MST_OK)
        status = set_triangles(r);
    return status == MST_OK ? remove_loose(r) : status;
}

mst_status mst_ns2_reshape(mst_document *document, const mst_operation *operation,
                           const mst_edit_options *options, mst_diagnostic *diagnostic) {
    mst_arena arena;
    reshape_state r = {.document = document,
                       .operation = operation,
                       .options = options,
                       .arena = &arena,
                       .diagnostic = diagnostic,
                       .edges = {.allocator = document->allocator}};
    if (!read_path(operation->path, &r.index, &r.holes))
        return MST_UNSUPPORTED;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_status status = reshape(&r);
    mst_hash_map_end(&r.edges);
    mst_arena_end(&arena);
    return status;
}
