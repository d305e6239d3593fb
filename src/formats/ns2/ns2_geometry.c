/* SPDX-License-Identifier: MIT */
/* Faces and edges as patches describe them: by the positions of their corners and the name of their
 * material. */
#include "../../core/number.h"
#include "../../core/output.h"
#include "../../edit/assign.h"
#include "../present.h"
#include "ns2.h"
#include <math.h>

typedef struct segment_output {
    mst_output out;
    mst_column points, ends;
    bool whole; /* all numbers refer to existing elements */
} segment_output;

static bool find_list(const mst_document *document, const char *path, mst_value *list) {
    memset(list, 0, sizeof *list);
    return mst_find(mst_root(document), path, list, NULL) == MST_OK;
}

static void put_point(segment_output *s, uint32_t vertex) {
    char digits[MST_NUMBER_MAX];
    s->whole = s->whole && vertex < s->points.count;
    for (uint32_t k = 0; k < 3 && s->whole; k++) {
        float at = mst_f32_of_bits(mst_column_u32(&s->points, vertex, k));
        s->whole = isfinite(at);
        mst_output_text(&s->out, k ? "," : "[");
        mst_output_bytes(&s->out, digits, mst_write_f32(digits, s->whole ? at : 0));
    }
    mst_output_text(&s->out, "]");
}

static void put_loop(segment_output *s, const mst_value *loop) {
    mst_column edges = mst_column_in(loop, "edge"), flipped = mst_column_in(loop, "flipped");
    mst_output_text(&s->out, "[");
    for (uint64_t i = 0; i < edges.count && s->whole; i++) {
        uint32_t edge = mst_column_u32(&edges, i, 0), end = mst_column_u32(&flipped, i, 0) != 0;
        s->whole = edge < s->ends.count;
        mst_output_text(&s->out, i ? "," : "");
        if (s->whole)
            put_point(s, mst_column_u32(&s->ends, edge, end));
    }
    mst_output_text(&s->out, "]");
}

static mst_status put_material(segment_output *s, const mst_value *face, mst_arena *arena) {
    mst_value materials, material;
    const char *json;
    s->whole = s->whole && find_list(face->document, "mesh.materials", &materials) &&
               mst_element(&materials, mst_number_in(face, "material"), &material) == MST_OK;
    if (!s->whole)
        return MST_OK;
    mst_status status = mst_value_text(&material, arena, &json, NULL);
    mst_output_text(&s->out, ",\"material\":");
    mst_output_text(&s->out, status == MST_OK ? json : "");
    return status;
}

static mst_status put_face(segment_output *s, const mst_value *face, mst_arena *arena) {
    mst_value loops = mst_member_in(face, "loops"), loop;
    uint64_t number = 0;
    mst_output_text(&s->out, "{\"positions\":");
    for (mst_iterator it = mst_iterate(&loops); s->whole && mst_next(&it, &loop); number++) {
        mst_output_text(&s->out, number == 0 ? "" : number == 1 ? ",\"holes\":[" : ",");
        put_loop(s, &loop);
    }
    s->whole = s->whole && number;
    mst_output_text(&s->out, number > 1 ? "]" : "");
    mst_status status = put_material(s, face, arena);
    mst_output_text(&s->out, "}");
    return status;
}

/* The face of an element of the faces or of their layer rows. False: it is in another list. */
static bool find_face(const char *list, const mst_value *element, uint64_t index, mst_value *face) {
    mst_value faces;
    *face = *element;
    if (strcmp(list, "mesh.faces") == 0)
        return true;
    if (strcmp(list, "mesh.face_layers.faces") != 0 && strcmp(list, "mesh.face_layers.masks") != 0)
        return false;
    return find_list(element->document, "mesh.faces", &faces) && mst_element(&faces, index, face) == MST_OK;
}

mst_status mst_ns2_geometry(const char *list, const mst_value *element, uint64_t index, mst_arena *arena,
                            const char **json) {
    mst_buffer text = {.allocator = arena->allocator};
    mst_value points, edges, face;
    mst_status status = MST_OK;
    segment_output s;
    bool is_edge = strcmp(list, "mesh.edges") == 0;
    if ((!is_edge && !find_face(list, element, index, &face)) ||
        !find_list(element->document, "mesh.vertices", &points) ||
        !find_list(element->document, "mesh.edges", &edges))
        return MST_OK;
    s.points = mst_column_in(&points, "position");
    s.ends = mst_column_in(&edges, "vertices");
    s.whole = true;
    mst_output_begin(&s.out, mst_buffer_sink(&text));
    if (is_edge) {
        s.whole = index < s.ends.count;
        mst_output_text(&s.out, "{\"vertices\":[");
        for (uint32_t k = 0; k < 2 && s.whole; k++) {
            mst_output_text(&s.out, k ? "," : "");
            put_point(&s, mst_column_u32(&s.ends, index, k));
        }
        mst_output_text(&s.out, "]}");
    } else {
        status = put_face(&s, &face, arena);
    }
    mst_status written = mst_output_end(&s.out);
    status = status == MST_OK ? written : status;
    const char *made =
        status == MST_OK && s.whole ? mst_arena_text(arena, (const char *)text.data, text.size) : NULL;
    if (status == MST_OK && s.whole && !made)
        status = MST_NO_MEMORY;
    if (made)
        *json = made;
    mst_buffer_free(&text);
    return status;
}
