/* SPDX-License-Identifier: MIT */
/* Scenes as OBJ and as Quake's maps: polygons, places and names. Expected values are worked out by hand. */
#include "support.h"
#include <mapstone/export.h>

static const mst_node plain = {.name = "",
                               .class_name = "",
                               .layer = "",
                               .parent = -1,
                               .mesh = -1,
                               .light = -1,
                               .camera = -1,
                               .role = MST_ROLE_GEOMETRY,
                               .rotation = {0, 0, 0, 1},
                               .scale = {1, 1, 1}};

/* A square of two triangles, a second one that is folded, and a ring around a hole. */
static const float square[] = {0, 0, 0, 2, 0, 0, 2, 0, -2, 0, 0, -2};
static const float uvs[] = {0, 0, 1, 0, 1, 1, 0, 1};
static const uint32_t two[] = {0, 1, 2, 0, 2, 3};
static const uint32_t folded[] = {0, 1, 2, 0, 3, 2};
static const float ring[] = {0, 0, 0, 6, 0, 0, 6, 0, -6, 0, 0, -6, 2, 0, -2, 4, 0, -2, 4, 0, -4, 2, 0, -4};
static const uint32_t around[] = {0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
static const uint32_t same[8] = {7, 7, 7, 7, 7, 7, 7, 7};
static const uint32_t apart[2] = {0, 1};

typedef struct small {
    mst_primitive part;
    mst_mesh mesh;
    mst_node nodes[2];
    mst_material material;
    mst_scene scene;
} small;

static void make(small *s, const float *positions, uint32_t vertices, const uint32_t *indices,
                 uint32_t count) {
    memset(s, 0, sizeof *s);
    s->part = (mst_primitive){.material = 0,
                              .positions = positions,
                              .vertex_count = vertices,
                              .indices = indices,
                              .index_count = count,
                              .elements = same,
                              .source = {.path = "mesh.faces", .index = MST_NO_INDEX}};
    s->mesh = (mst_mesh){.name = "mesh", .primitives = &s->part, .primitive_count = 1};
    s->nodes[0] = s->nodes[1] = plain;
    s->nodes[0].name = "level";
    s->nodes[1].name = "floor";
    s->nodes[1].parent = 0;
    s->nodes[1].mesh = 0;
    s->material = (mst_material){.name = "stone", .color = {1, 0.5F, 0.25F, 1}, .image = -1};
    s->scene = (mst_scene){.name = "small",
                           .nodes = s->nodes,
                           .node_count = 2,
                           .meshes = &s->mesh,
                           .mesh_count = 1,
                           .materials = &s->material,
                           .material_count = 1};
}

/* The text of a scene, to be freed. */
static char *text_of(const mst_scene *scene, mst_export_options how, mst_buffer *materials) {
    mst_buffer out = {0};
    mst_diagnostic why;
    how.size = sizeof how;
    how.materials = materials ? "a.mtl" : NULL;
    if (materials)
        how.materials_to = mst_buffer_sink(materials);
    MUST(mst_scene_export(scene, &how, mst_buffer_sink(&out), &why), &why);
    mst_sink sink = mst_buffer_sink(&out);
    assert_int_equal(sink.write(sink.user, "", 1), MST_OK);
    return (char *)out.data;
}

static void writes(const mst_scene *scene, mst_export_options how, const char *expected) {
    char *text = text_of(scene, how, NULL);
    assert_string_equal(text, expected);
    free(text);
}

static void writes_piece(const mst_scene *scene, mst_export_options how, const char *piece) {
    char *text = text_of(scene, how, NULL);
    if (!strstr(text, piece))
        fail_msg("not in it: %s\n%s", piece, text);
    free(text);
}

static const mst_export_options obj = {.format = MST_SCENE_OBJ};
static const mst_export_options map = {.format = MST_SCENE_QUAKE_MAP};

static void a_face_is_a_polygon(void **state) {
    (void)state;
    small s;
    make(&s, square, 4, two, 6);
    s.part.texcoords = uvs;
    writes(&s.scene, obj,
           "# metres, Y up\no floor\ng level\nusemtl stone\n"
           "v 0 0 0\nv 2 0 0\nv 2 0 -2\nv 0 0 -2\nvt 0 1\nvt 1 1\nvt 1 0\nvt 0 0\nf 1/1 2/2 3/3 4/4\n");
    const mst_export_options triangles = {.triangles = 1};
    writes_piece(&s.scene, triangles, "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n");
}

static void what_is_no_polygon_stays_triangles(void **state) {
    (void)state;
    small s;
    make(&s, square, 4, folded, 6);
    writes_piece(&s.scene, obj, "f 1 2 3\nf 1 4 3\n");
    make(&s, square, 4, two, 6);
    s.part.elements = apart; /* two faces */
    writes_piece(&s.scene, obj, "f 1 2 3\nf 1 3 4\n");
    make(&s, square, 4, two, 6);
    s.part.source.path = "collision.sectors"; /* whose elements are not polygons */
    writes_piece(&s.scene, obj, "f 1 2 3\nf 1 3 4\n");
    s.part.elements = NULL;
    writes_piece(&s.scene, obj, "f 1 2 3\nf 1 3 4\n");
    make(&s, ring, 8, around, 24); /* with a hole */
    char *text = text_of(&s.scene, obj, NULL);
    size_t lines = 0;
    for (const char *at = text; (at = strstr(at, "\nf ")) != NULL; at++)
        lines++;
    assert_int_equal(lines, 8);
    free(text);
    /* a corner with other attributes in one of the triangles */
    static const float five[] = {0, 0, 0, 2, 0, 0, 2, 0, -2, 0, 0, -2, 0, 0, 0};
    static const float looks[] = {0, 0, 1, 0, 1, 1, 0, 1, 0.5F, 0};
    static const uint32_t other[] = {0, 1, 2, 4, 2, 3};
    make(&s, five, 5, other, 6);
    s.part.texcoords = looks;
    writes_piece(&s.scene, obj, "f 1/1 2/2 3/3\nf 1/5 3/3 4/4\n");
}

static void degenerate_triangles_are_left_out(void **state) {
    (void)state;
    static const uint32_t odd[] = {0, 1, 2, 0, 0, 1, 0, 1, 9, 0, 4, 1};
    static const float five[] = {0, 0, 0, 2, 0, 0, 2, 0, -2, 0, 0, -2, 0, 0, 0};
    small s;
    make(&s, five, 5, odd, 12);
    writes(&s.scene, obj,
           "# metres, Y up\no floor\ng level\nusemtl stone\nv 0 0 0\nv 2 0 0\nv 2 0 -2\nf 1 2 3\n");
}

static void places_are_those_of_the_world(void **state) {
    (void)state;
    small s;
    make(&s, square, 4, two, 6);
    s.nodes[0].scale[0] = s.nodes[0].scale[1] = s.nodes[0].scale[2] = 0.5F;
    s.nodes[1].translation[1] = 4;
    s.nodes[1].scale[0] = -1; /* mirrored: the order of corners is reversed */
    writes_piece(&s.scene, obj, "v 0 2 0\nv -1 2 0\nv -1 2 -1\nv 0 2 -1\nf 4 3 2 1\n");
    const mst_export_options own = {.own_units = 1};
    writes_piece(&s.scene, own, "# the level's own units and axes\n");
    writes_piece(&s.scene, own, "v 0 4 0\nv -2 4 0\nv -2 4 -2\nv 0 4 -2\nf 4 3 2 1\n");
    static const float normals[] = {0.6F, 0.8F, 0, 0.6F, 0.8F, 0, 0.6F, 0.8F, 0, 0.6F, 0.8F, 0};
    s.part.normals = normals;
    s.nodes[1].scale[0] = -2; /* a normal is across its surface: (0.3, 0.8) of length 1, and mirrored */
    char *text = text_of(&s.scene, obj, NULL);
    const char *line = strstr(text, "vn ");
    float x = 0, y = 0, z = 1;
    assert_non_null(line);
    assert_int_equal(sscanf(line, "vn %f %f %f", &x, &y, &z), 3);
    assert_true(fabs((double)x + 0.3511234416) < 1e-6 && fabs((double)y - 0.9363291776) < 1e-6 &&
                fabs((double)z) < 1e-6);
    free(text);
}

static void joints_move_their_vertices(void **state) {
    (void)state;
    static const uint16_t joints[16] = {0};
    static const float weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    static const float bind[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1};
    static const int32_t joint = 0;
    const mst_skin skin = {.name = "skin", .joints = &joint, .joint_count = 1, .inverse_binds = bind};
    small s;
    make(&s, square, 4, two, 6);
    s.part.joints = joints;
    s.part.weights = weights;
    s.nodes[0].translation[1] = 3;
    s.nodes[1].translation[1] = 100; /* which does not count */
    s.nodes[1].skin = 1;
    s.scene.skins = &skin;
    s.scene.skin_count = 1;
    writes_piece(&s.scene, obj, "v 10 3 0\nv 12 3 0\n");
}

static void names_neither_end_lines_nor_are_paths(void **state) {
    (void)state;
    small s;
    mst_buffer materials = {0};
    make(&s, square, 4, two, 6);
    s.material.name = "../etc/a\nusemtl b\\";
    s.nodes[1].name = "x\nf 1 1 1";
    s.nodes[1].layer = "lay\r\ner \\";
    char *text = text_of(&s.scene, obj, &materials);
    assert_non_null(strstr(text, "\nmtllib a.mtl\no x_f_1_1_1\ng lay__er__\nusemtl ___etc_a_usemtl_b_\n"));
    free(text);
    mst_sink sink = mst_buffer_sink(&materials);
    assert_int_equal(sink.write(sink.user, "", 1), MST_OK);
    assert_string_equal((char *)materials.data,
                        "# materials, each after its name in the level\n\n# ../etc/a_usemtl b_\n"
                        "newmtl ___etc_a_usemtl_b_\nKd 1 0.5 0.25\nd 1\nillum 1\n");
    mst_buffer_free(&materials);
    s.nodes[1].class_name = s.nodes[1].layer = NULL;
    writes_piece(&s.scene, obj, "\no x_f_1_1_1\ng level\nusemtl");
}

/* A side of the pyramid: along the edge, and down to the apex. */
#define SIDE(from, to, along, down)                                                                          \
    "( " from " ) ( " to " ) ( -39.370079 39.370079 -7.874016 ) skip [ " along " 0 ] [ " down                \
    " -0.196116135 0 ] 0 1 1\n"

/* The square as a brush: z, x and y in inches, its front clockwise from above, and the apex 0.2 m below. */
static void a_face_is_a_brush(void **state) {
    (void)state;
    small s;
    make(&s, square, 4, two, 6);
    s.part.texcoords = uvs;
    writes(
        &s.scene, map,
        "// Game: Generic\n// Format: Valve\n{\n\"classname\" \"worldspawn\"\n\"mapversion\" \"220\"\n"
        "\"message\" \"small\"\n{\n"
        "( 0 0 0 ) ( -78.740157 78.740157 0 ) ( 0 78.740157 0 ) stone [ 0 1 0 0 ] [ -1 0 0 0 ] 0 0.61515748 "
        "0.61515748\n" SIDE("0 0 0", "0 78.740157 0", "0 1 0", "-0.980580676 0")
            SIDE("0 78.740157 0", "-78.740157 78.740157 0", "-1 0 0", "0 -0.980580676")
                SIDE("-78.740157 78.740157 0", "-78.740157 0 0", "0 -1 0", "0.980580676 0")
                    SIDE("-78.740157 0 0", "0 0 0", "1 0 0", "0 0.980580676") "}\n}\n");
}

static void entities_are_keys_and_values(void **state) {
    (void)state;
    static const mst_extra extras[] = {
        {.name = "path", .kind = MST_EXTRA_TEXT, .text = "objects[0]"},
        {.name = "class", .kind = MST_EXTRA_TEXT, .text = "light"},
        {.name = "text", .kind = MST_EXTRA_TEXT, .text = "a \"b\"\n\\c"},
        {.name = "none", .kind = MST_EXTRA_TEXT},
        {.name = "color_r", .kind = MST_EXTRA_REAL, .real = 0.5},
        {.name = "color_g", .kind = MST_EXTRA_REAL, .real = 1},
        {.name = "color_b", .kind = MST_EXTRA_INTEGER, .integer = -2},
        {.name = "other_x", .kind = MST_EXTRA_INTEGER, .integer = 3},
        {.name = "origin_x", .kind = MST_EXTRA_REAL, .real = 9},
        {.name = "origin_y", .kind = MST_EXTRA_REAL, .real = 9},
    };
    small s;
    make(&s, square, 4, two, 6);
    s.nodes[1].mesh = -1;
    s.nodes[1].role = MST_ROLE_LIGHT;
    s.nodes[1].class_name = "li\"ght";
    s.nodes[1].layer = "Up\"per";
    s.nodes[1].translation[0] = 1;
    s.nodes[1].translation[1] = 2;
    s.nodes[1].rotation[0] = 0.38268343F; /* 45 degrees about X: a normal along Z points down */
    s.nodes[1].rotation[3] = 0.92387953F;
    s.nodes[1].extras = (mst_extras){extras, sizeof extras / sizeof *extras};
    writes(&s.scene, map,
           "// Game: Generic\n// Format: Valve\n{\n\"classname\" \"worldspawn\"\n\"mapversion\" \"220\"\n"
           "\"message\" \"small\"\n}\n"
           "{\n\"classname\" \"func_group\"\n\"_tb_type\" \"_tb_layer\"\n\"_tb_name\" \"Up'per\"\n\"_tb_id\" "
           "\"1\"\n}\n"
           "{\n\"classname\" \"li'ght\"\n\"origin\" \"0 39.370079 78.740157\"\n\"angles\" \"45 0 "
           "0\"\n\"_tb_layer\" \"1\"\n"
           "\"_mapstone_path\" \"objects[0]\"\n\"text\" \"a 'b' /c\"\n\"none\" \"\"\n\"color\" \"0.5 1 -2\"\n"
           "\"other_x\" \"3\"\n}\n");
}

static void classes_are_an_fgd(void **state) {
    (void)state;
    mst_buffer out = {0};
    mst_diagnostic why;
    MUST(mst_write_fgd("ns2-level", mst_buffer_sink(&out), &why), &why);
    mst_sink sink = mst_buffer_sink(&out);
    assert_int_equal(sink.write(sink.user, "", 1), MST_OK);
    const char *text = (const char *)out.data;
    assert_non_null(
        strstr(text, "@PointClass size(-8 -8 -8, 8 8 8) = light_point : \"light_point\"\n[\n"
                     "\tcolor(color1) : \"color\" : \"1 1 1\"\n"
                     "\tdistance(float) : \"distance, m\" : \"10\"\n"
                     "\tintensity(float) : \"intensity\" : \"5\"\n"
                     "\tcasts_shadows(choices) : \"casts_shadows\" : 0 = [ 0 : \"no\" 1 : \"yes\" ]\n"));
    assert_non_null(strstr(text, "\tname(string) : \"name\" : \"\"\n"));
    assert_null(strstr(text, "?"));
    mst_buffer_free(&out);
    assert_int_equal(mst_write_fgd("turok-map", mst_buffer_sink(&out), &why), MST_UNSUPPORTED);
    assert_int_equal(mst_write_fgd(NULL, mst_buffer_sink(&out), &why), MST_ARGUMENT);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    small s;
    mst_buffer out = {0};
    mst_diagnostic why;
    const mst_sink sink = mst_buffer_sink(&out), none = {0};
    make(&s, square, 4, two, 6);
    assert_int_equal(mst_scene_export(NULL, NULL, sink, &why), MST_ARGUMENT);
    assert_int_equal(mst_scene_export(&s.scene, NULL, none, &why), MST_ARGUMENT);
    mst_export_options how = {.size = sizeof how, .materials = "a\nb", .materials_to = sink};
    assert_int_equal(mst_scene_export(&s.scene, &how, sink, &why), MST_ARGUMENT);
    how.materials = "a.mtl";
    how.materials_to = none;
    assert_int_equal(mst_scene_export(&s.scene, &how, sink, &why), MST_ARGUMENT);
    how.materials = NULL;
    how.format = (mst_scene_format)7;
    assert_int_equal(mst_scene_export(&s.scene, &how, sink, &why), MST_ARGUMENT);
    assert_int_equal(out.size, 0);
    assert_int_equal(mst_scene_export(&s.scene, NULL, (mst_sink){refuse_bytes, NULL}, &why), MST_IO);
    mst_buffer_free(&out);
}

/* Without memory there is no incomplete file. */
static void memory_that_runs_out_is_reported(void **state) {
    (void)state;
    small s;
    make(&s, ring, 8, around, 24);
    s.nodes[1].layer = "lay er";
    for (int format = 0; format <= MST_SCENE_QUAKE_MAP; format++) {
        mst_status status = MST_NO_MEMORY;
        mst_buffer whole = {0}, out = {0};
        mst_diagnostic why;
        mst_gltf_options parts = {.size = sizeof parts};
        mst_export_options how = {.size = sizeof how, .format = (mst_scene_format)format, .model = &parts};
        MUST(mst_scene_export(&s.scene, &how, mst_buffer_sink(&whole), &why), &why);
        for (size_t n = 1; status == MST_NO_MEMORY; n++) {
            counted c = {.fail_at = n, .for_good = true};
            parts.allocator = counted_allocator(&c);
            out.size = 0;
            status = mst_scene_export(&s.scene, &how, mst_buffer_sink(&out), &why);
            assert_int_equal(c.blocks, 0);
            assert_true(n < 1000);
        }
        assert_int_equal(status, MST_OK);
        assert_int_equal(out.size, whole.size);
        assert_memory_equal(out.data, whole.data, whole.size);
        mst_buffer_free(&whole);
        mst_buffer_free(&out);
    }
}

int test_export(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_is_a_polygon),
        cmocka_unit_test(what_is_no_polygon_stays_triangles),
        cmocka_unit_test(degenerate_triangles_are_left_out),
        cmocka_unit_test(places_are_those_of_the_world),
        cmocka_unit_test(joints_move_their_vertices),
        cmocka_unit_test(names_neither_end_lines_nor_are_paths),
        cmocka_unit_test(a_face_is_a_brush),
        cmocka_unit_test(entities_are_keys_and_values),
        cmocka_unit_test(classes_are_an_fgd),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests_name("OBJ and Quake's maps", tests, NULL, NULL);
}
