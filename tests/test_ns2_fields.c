/* SPDX-License-Identifier: MIT */
/* The tables of Natural Selection 2 levels and clipboards against a list of their fields. */
#include "values.h"

#define SIZED "Bytes after the size fields, up to the end of the record."

#define SMALL                                                                                                \
    "= string transparent", "text; u32 n, n x char", "= wide_string transparent",                            \
        "text; u32 n, n x UTF-16 char", "= point transparent", "position; f32[3]"

#define MESH                                                                                                 \
    "= vertex", "position; f32[3]", "smooth; u8; version >= 8", "= edge",                                    \
        "vertices; u32[2]; ; Index into `vertices` (NS2-EDGE-VERTEX).", "smooth; u8; version >= 8",          \
        "= loop_edge", "flipped; bool (u32)", "edge; u32; ; Index into `edges` (NS2-EDGE-INDEX).",           \
        "= loop transparent", "edges; u32 n, n x loop_edge", "= face", "angle; f32", "offset; f32[2]",       \
        "scale; f32[2]", "mapping_group; u32; ; 4294967295 none",                                            \
        "material; u32; ; Index into `materials` (NS2-MATERIAL-INDEX).",                                     \
        "inner_loop_count; u32; ; Length of `loops` minus one.", "loops; (inner_loop_count + 1) x loop",     \
        "= face_layer", "has_layers; bool (u32)", "layer_masks; u32 n, n x u32; has_layers is not 0",        \
        "= face_layers", "face_count; u32; version >= 5; Length of `faces`.",                                \
        "format; u32; version >= 5; Usually 2.", "faces; face_count x face_layer; version >= 5",             \
        "masks; u64 until the end; version < 5", "= mapping_group", "id; u32", "angle; f32",                 \
        "scale; f32[2]", "offset; f32[2]", "normal; f32[3]", "= vertex_group", "id; u32",                    \
        "indices; u32 n, n x u32", "= edge_group", "id; u32", "indices; u32 n, n x u32", "= face_group",     \
        "id; u32", "indices; u32 n, n x u32", "= geometry_groups", "vertex_groups; u32 n, n x vertex_group", \
        "edge_groups; u32 n, n x edge_group", "face_groups; u32 n, n x face_group", "= triangle",            \
        "vertices; u32[3]", "normals; u32[3]; version >= 8", "= face_triangles transparent",                 \
        "triangles; u32 n, n x triangle", "= triangles", "ghost_vertices; u32 n, n x point; version >= 7",   \
        "smoothed_normals; u32 n, n x point; version >= 8", "face_count; u32; ; Length of `faces`.",         \
        "triangle_count; u32", "faces; face_count x face_triangles", "= mesh",                               \
        "# 4; materials; u32 n, n x string", "# 1; vertices; u32 n, n x vertex",                             \
        "# 2; edges; u32 n, n x edge", "# 3; faces; u32 n, n x face", "# 6; face_layers; face_layers",       \
        "# 7; mapping_groups; u32 n, n x mapping_group", "# 8; geometry_groups; geometry_groups",            \
        "# 5; triangles; triangles"

#define PROPERTY                                                                                             \
    "= property", "id; u32; ; Usually 2.", "length; u32; ; " SIZED, "name; u32 n, n x char; id is 2",        \
        "type; u32; id is 2; 0 string, 1 bool, 2 real, 3 integer, 4 file_name, 5 color, 6 percentage, "      \
        "7 angle, 8 time, 9 distance, 10 choice",                                                            \
        "component_count; u32; id is 2; Length of `value`.", "animated; bool (u32); id is 2",                \
        "value; component_count x wide_string; id is 2, animated is 0, type is one of 0 4",                  \
        "value; component_count x bool (u32); id is 2, animated is 0, type is one of 1",                     \
        "value; component_count x f32; id is 2, animated is 0, type is one of 2 5 6 7 8 9",                  \
        "value; component_count x i32; id is 2, animated is 0, type is one of 3 10",                         \
        "data; bytes until the end", "= extra", "name; u32 n, n x char", "length; u32; ; " SIZED,            \
        "cubemap; cube_side[6]; ; Cubemap of a reflection probe: in an extra reflection_probe_cubemap of "   \
        "the right size.",                                                                                   \
        "data; bytes until the end", "= cube_side transparent", "rows; cube_row[64]",                        \
        "= cube_row transparent", "pixels; bytes[256]"

#define OBJECT                                                                                               \
    "layer_mask; u64; version < 5", "has_layers; bool (u32); version >= 5",                                  \
        "layer_format; u32; version >= 5, has_layers is not 0; Usually 2.",                                  \
        "layer_masks; u32 n, n x u32; version >= 5, has_layers is not 0",                                    \
        "group; u32; version >= 5; 4294967295 none", "class_name; u32 n, n x char",                          \
        "property_count; u32; version >= 10; Length of `properties`.",                                       \
        "properties; property_count x property; version >= 10",                                              \
        "properties; property until the end; version < 10", "extras; u32 n, n x extra; version >= 10"

#define UNKNOWN "= unknown_chunk", "id; u32", "length; u32; ; " SIZED, "data; bytes until the end"

static const char *const level[] = {
    "= level",
    "magic; char[3]; ; Always `LVL`.",
    "version; u8",
    "# 2; mesh; mesh",
    "# 1; objects; object; Any number of chunks.",
    "# 3; layers; u32 n, n x layer",
    "# 5; groups; u32 n, n x layer",
    "# 4; viewports; u32 n, n x UTF-16 char",
    "# 6; custom_colors; u32 n, n x color",
    "# 7; editor_settings; setting until the end",
    SMALL,
    MESH,
    PROPERTY,
    "= object",
    OBJECT,
    "= layer",
    "name; u32 n, n x UTF-16 char",
    "visible; bool (u32)",
    "color; u8[4]",
    "id; u32; version >= 5",
    "= color transparent",
    "rgba; u8[4]",
    "= setting",
    "id; u32; ; Usually 2117553294.",
    "length; u32; ; " SIZED,
    "data; bytes until the end; id is not 2117553294",
    "# 0; layers; setting_layers",
    "# 1; properties; property until the end",
    "= setting_layers",
    "name; u32 n, n x UTF-16 char",
    "layer_masks; u32 n, n x u32",
    UNKNOWN,
};

static const char *const clip[] = {
    "= clipboard",
    "blocks; block until the end",
    SMALL,
    MESH,
    PROPERTY,
    UNKNOWN,
    "= clip_object",
    "id; u32; ; Usually 1.",
    "length; u32; ; " SIZED,
    OBJECT,
    "= block",
    "unknown_00; u32; ; Usually 1.",
    "length; u32; ; " SIZED,
    "kind; u16; ; 1 objects, 2 mesh",
    "mesh; mesh; kind is 2",
    "objects; clip_object until the end; kind is 1",
    "data; bytes until the end; kind is not 1, kind is not 2",
};

static void fields_of_levels(void **state) {
    (void)state;
    ASSERT_FIELDS("ns2-level", level);
}
static void fields_of_clipboards(void **state) {
    (void)state;
    ASSERT_FIELDS("ns2-clip", clip);
}

/* Settings of another id, above as below the known one, are bytes. */
static void other_settings(void **state) {
    (void)state;
    for (uint32_t id = 0x7E374C8Du; id <= 0x7E374C8Fu; id++) {
        writer w = {0};
        mst_document *document;
        mst_diagnostic why;
        mst_value value;
        put_bytes_of(&w, "LVL\012", 4);
        begin_chunk(&w, 7);
        begin_chunk(&w, id);
        if (id == 0x7E374C8Eu)
            begin_chunk(&w, 1), end_chunk(&w);
        else
            put_bytes_of(&w, "1234567", 7);
        end_chunk(&w);
        end_chunk(&w);
        MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
        mst_status as_bytes = mst_find(mst_root(document), "editor_settings[0].data", &value, NULL);
        assert_int_equal(as_bytes, id == 0x7E374C8Eu ? MST_NO_PATH : MST_OK);
        mst_close(document);
        writer_free(&w);
    }
}

static const record_place places[] = {
    {"vertex", "mesh.vertices[3]", NULL},
    {"edge", "mesh.edges[2]", NULL},
    {"loop_edge", "mesh.faces[0].loops[0][1]", NULL},
    {"triangle", "mesh.triangles.faces[0][1]", NULL},
    {NULL, NULL, NULL},
};

static void values(void **state) {
    (void)state;
    assert_values("ns2-level", level, sizeof level / sizeof *level, "outpost", NULL, places);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(fields_of_levels),
        cmocka_unit_test(fields_of_clipboards),
        cmocka_unit_test(other_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
