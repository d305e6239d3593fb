/* SPDX-License-Identifier: MIT */
/* glTF of scenes without a builder and with many faults, and with insufficient memory. */
#include "support.h"
#include <mapstone/export.h>

/* The JSON of a GLB with a NUL after it, and its binary part. */
typedef struct written {
    mst_buffer memory;
    char *json;
    const uint8_t *binary;
    size_t binary_size;
} written;

static written write_glb(const mst_scene *scene) {
    written w = {0};
    mst_diagnostic why;
    MUST(mst_scene_write_glb(scene, NULL, mst_buffer_sink(&w.memory), &why), &why);
    const uint8_t *data = w.memory.data;
    size_t size = mst_load32(data + 12, false);
    w.json = malloc(size + 1);
    assert_non_null(w.json);
    memcpy(w.json, data + 20, size);
    w.json[size] = 0;
    if (w.memory.size > 20 + size) {
        w.binary = data + 28 + size;
        w.binary_size = mst_load32(data + 20 + size, false);
    }
    return w;
}

static void free_written(written *w) {
    free(w->json);
    mst_buffer_free(&w->memory);
}

static void has(const written *w, const char *piece) {
    if (!strstr(w->json, piece))
        fail_msg("not in the JSON: %s\n%s", piece, w->json);
}
static void has_not(const written *w, const char *piece) {
    if (strstr(w->json, piece))
        fail_msg("in the JSON: %s\n%s", piece, w->json);
}

static const mst_node plain = {
    .parent = -1, .mesh = -1, .light = -1, .camera = -1, .rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};

static void names_are_safe(void **state) {
    (void)state;
    static const struct {
        const char *name, *class_name, *safe;
    } cases[] = {{NULL, NULL, "node"},         {NULL, "a class", "a_class"},
                 {"", "class-2", "class-2"},   {"@AZ[`az{/09:_-", NULL, "_AZ__az__09__-"},
                 {"\x80\x81", NULL, "node_2"}, {"\xC3\xBC.", NULL, "__"}};
    enum { COUNT = sizeof cases / sizeof *cases };
    mst_node nodes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        nodes[i] = plain;
        nodes[i].name = cases[i].name;
        nodes[i].class_name = cases[i].class_name;
    }
    mst_scene scene = {.nodes = nodes, .node_count = COUNT};
    written w = write_glb(&scene);
    const char *at = w.json;
    for (size_t i = 0; i < COUNT; i++) { /* in their order */
        char piece[64];
        snprintf(piece, sizeof piece, "{\"name\":\"%s\"", cases[i].safe);
        at = strstr(at, piece);
        if (!at)
            fail_msg("no %s in %s", piece, w.json);
        at++;
    }
    free_written(&w);
}

static void what_does_not_hold_is_left_out(void **state) {
    (void)state;
    static uint8_t pixels[4] = {1, 2, 3, 4};
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    mst_extra extras[] = {{.name = "none", .kind = MST_EXTRA_TEXT},
                          {.name = "latin", .kind = MST_EXTRA_TEXT, .text = "\xFF\\"},
                          {.name = "huge", .kind = MST_EXTRA_REAL, .real = 1e300},
                          {.name = "endless", .kind = MST_EXTRA_REAL, .real = (double)INFINITY}};
    mst_image images[] = {{.name = "", .pixels = {.width = 1, .height = 1}},
                          {.name = "", .pixels = {.width = 0, .height = 1, .data = pixels}},
                          {.name = "", .pixels = {.width = 1, .height = 0, .data = pixels}}};
    mst_material materials[4];
    mst_primitive primitives[6];
    for (int i = 0; i < 4; i++)
        materials[i] = (mst_material){.color = {1, 1, 1, 1}, .image = i};
    for (int i = 0; i < 6; i++)
        primitives[i] = (mst_primitive){.material = i, .vertex_count = 3, .positions = corners};
    primitives[4].positions = NULL;
    primitives[5].vertex_count = 2;
    mst_mesh meshes[] = {{.primitives = primitives, .primitive_count = 6}};
    mst_light lights[] = {{.kind = (mst_light_kind)7, .color = {1, 1, 1}, .intensity = 1}};
    mst_camera cameras[] = {{.vertical_fov = 1, .near_plane = 1},
                            {.vertical_fov = 3.2F, .near_plane = INFINITY, .far_plane = 5}};
    mst_node nodes[4] = {plain, plain, plain, plain};
    nodes[0].mesh = 0;
    nodes[0].role = (mst_role)99;
    nodes[0].extras = (mst_extras){extras, 4};
    nodes[1].mesh = 1;
    nodes[1].light = 0;
    nodes[2].camera = 1;
    nodes[2].parent = 3;
    nodes[3].mesh = nodes[3].light = nodes[3].camera = 50;
    mst_scene scene = {.nodes = nodes,
                       .node_count = 4,
                       .meshes = meshes,
                       .mesh_count = 1,
                       .materials = materials,
                       .material_count = 4,
                       .images = images,
                       .image_count = 3,
                       .lights = lights,
                       .light_count = 1,
                       .cameras = cameras,
                       .camera_count = 2};
    written w = write_glb(&scene);
    has_not(&w, "\"images\"");
    has_not(&w, "\"children\"");
    has_not(&w, "\"role\":\"\"");
    has_not(&w, "50");
    has(&w, "\"scenes\":[{\"name\":\"scene\",\"nodes\":[0,1,2,3,4]");
    has(&w, "\"none\":\"\",\"latin\":\"\xC3\xBF\\u005c\",\"huge\":1e300,\"endless\":0.0");
    has(&w, "\"type\":\"point\"");
    has(&w, "\"yfov\":0.8,\"znear\":0.1,\"zfar\":5"); /* the one used by a node */
    assert_int_equal(w.binary_size, 4 * sizeof corners);
    free_written(&w);
}

static void triangles_that_are_none_are_left_out(void **state) {
    (void)state;
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                       normals[9] = {0, 0, 1, 0, 0, 1.0001F, 0, 0, 1};
    static const uint32_t indices[] = {9, 1, 2, 0, 9, 2, 0, 1, 9, 0, 0, 1, 0, 1, 1, 1, 0, 1, 2, 0, 1};
    float *many = calloc(65536, 3 * sizeof *many);
    assert_non_null(many);
    many[3] = many[7] = 1;
    const uint32_t wide[] = {0, 1, 65535, 65535, 65535, 1, 2, 65535, 0};
    mst_primitive primitives[] = {
        {.material = -1,
         .vertex_count = 3,
         .index_count = 21,
         .positions = corners,
         .normals = normals,
         .indices = indices},
        {.material = -1, .vertex_count = 65536, .index_count = 9, .positions = many, .indices = wide}};
    mst_mesh meshes[] = {{.primitives = primitives, .primitive_count = 2}};
    mst_node node = plain;
    node.mesh = 0;
    mst_scene scene = {.nodes = &node, .node_count = 1, .meshes = meshes, .mesh_count = 1};
    written w = write_glb(&scene);
    has(&w, "\"componentType\":5123,\"type\":\"SCALAR\",\"count\":3}");
    has(&w, "\"componentType\":5125,\"type\":\"SCALAR\",\"count\":6}");
    /* positions and normals of the first, positions of the second, its indices in 16 bits, in 32 */
    size_t vectors = 2 * sizeof corners + (size_t)65536 * 12;
    assert_int_equal(w.binary_size, vectors + 8 + 24);
    assert_memory_equal(w.binary + vectors, "\2\0\0\0\1\0\0\0", 8);
    static const uint32_t left[] = {0, 1, 65535, 2, 65535, 0};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(mst_load32(w.binary + vectors + 8 + 4 * i, false), left[i]);
    /* a normal that is slightly too long has length 1 */
    assert_int_equal(mst_load32(w.binary + sizeof corners + 20, false), mst_bits_of_f32(1));
    free_written(&w);
    free(many);
}

static void what_is_missing_is_said(void **state) {
    (void)state;
    mst_scene scene = {0};
    mst_buffer json = {0}, binary = {0};
    mst_diagnostic why;
    assert_int_equal(mst_scene_write_glb(&scene, NULL, (mst_sink){0}, &why), MST_ARGUMENT);
    assert_int_equal(mst_scene_write_glb(NULL, NULL, mst_buffer_sink(&json), &why), MST_ARGUMENT);
    assert_int_equal(mst_scene_write_gltf(NULL, NULL, NULL, mst_buffer_sink(&json), (mst_sink){0}, &why),
                     MST_ARGUMENT);
    assert_int_equal(mst_scene_write_gltf(&scene, NULL, NULL, (mst_sink){0}, (mst_sink){0}, &why),
                     MST_ARGUMENT);
    assert_int_equal(json.size, 0);
    /* an empty scene has no binary part, and no name of one */
    MUST(mst_scene_write_gltf(&scene, NULL, "x.bin", mst_buffer_sink(&json), mst_buffer_sink(&binary), &why),
         &why);
    assert_int_equal(binary.size, 0);
    assert_true(json.size > 0);
    mst_sink sink = mst_buffer_sink(&json);
    assert_int_equal(sink.write(sink.user, "", 1), MST_OK);
    assert_null(strstr((char *)json.data, "x.bin"));
    mst_buffer_free(&json);
}

/* Each allocation is once the first one that is refused, with all following ones. */
static void memory_may_lack(void **state) {
    (void)state;
    enum { MAX = 300 };
    static uint8_t pixels[16] = {1, 2, 3, 4};
    static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static mst_node nodes[MAX];
    mst_image images[] = {{.name = "i", .pixels = {.width = 2, .height = 2, .data = pixels}},
                          {.name = "i", .pixels = {.width = 2, .height = 2, .data = pixels}}};
    mst_material materials[] = {{.name = "m", .image = 0}, {.name = "m", .image = 1}};
    mst_primitive primitives[] = {{.material = 0, .vertex_count = 3, .positions = corners},
                                  {.material = 1, .vertex_count = 3, .positions = corners}};
    mst_mesh meshes[] = {{"a mesh", primitives, 2}};
    for (size_t i = 0; i < MAX; i++) {
        nodes[i] = plain;
        nodes[i].name = "a name of which the blanks are replaced";
        nodes[i].mesh = nodes[i].light = 0;
    }
    static const mst_light lamp = {.name = "lamp", .color = {1, 1, 1}, .intensity = 1};
    mst_scene scene = {.nodes = nodes,
                       .meshes = meshes,
                       .mesh_count = 1,
                       .materials = materials,
                       .material_count = 2,
                       .images = images,
                       .image_count = 2,
                       .lights = &lamp,
                       .light_count = 1};
    for (scene.node_count = 1; scene.node_count < MAX; scene.node_count += 7 * sample_step())
        for (size_t fail_at = 1;; fail_at++) {
            counted c = {.fail_at = fail_at, .for_good = true};
            mst_gltf_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
            mst_buffer json = {0}, binary = {0};
            mst_diagnostic why = {0};
            mst_status status = fail_at % 2
                                    ? mst_scene_write_glb(&scene, &options, mst_buffer_sink(&binary), &why)
                                    : mst_scene_write_gltf(&scene, &options, "b", mst_buffer_sink(&json),
                                                           mst_buffer_sink(&binary), &why);
            assert_int_equal(status, c.failed ? MST_NO_MEMORY : MST_OK);
            assert_true(!c.failed || why.status == status);
            assert_int_equal(binary.size > 0, status == MST_OK);
            assert_int_equal(c.blocks, 0);
            assert_false(c.wrong);
            mst_buffer_free(&json);
            mst_buffer_free(&binary);
            if (!c.failed && fail_at % 2) /* a GLB takes more */
                break;
        }
}

int test_gltf_odd(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_safe),
        cmocka_unit_test(what_does_not_hold_is_left_out),
        cmocka_unit_test(triangles_that_are_none_are_left_out),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(memory_may_lack),
    };
    return cmocka_run_group_tests_name("odd glTF", tests, NULL, NULL);
}
