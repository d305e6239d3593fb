/* SPDX-License-Identifier: MIT */
/* The parts of a scene without a builder that a picture uses, and the part of the world that it shows. */
#include "support.h"

#include "../src/export/view.h"

static const mst_node plain = {.name = "",
                               .class_name = "",
                               .layer = "",
                               .label = "",
                               .tag = "",
                               .role = MST_ROLE_GEOMETRY,
                               .parent = -1,
                               .mesh = -1,
                               .light = -1,
                               .camera = -1,
                               .rotation = {0, 0, 0, 1},
                               .scale = {1, 1, 1}};

static const mst_projection above = {.right = {1, 0, 0}, .down = {0, 0, 1}, .near = {0, 1, 0}, .scale = 1};

/* A floor of one square metre, seen from above. */
static const float corners[] = {0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0};
static const uint32_t floor_indices[] = {0, 1, 2, 0, 2, 3};

typedef struct taken {
    counted memory;
    mst_arena arena;
    mst_view_world world;
} taken;

static mst_status gather_with(taken *t, const mst_scene *scene, const mst_picture_options *options) {
    mst_allocator allocator = counted_allocator(&t->memory);
    mst_arena_begin(&t->arena, &allocator, 0);
    return mst_view_gather(&t->world, scene, options, &t->arena);
}

static void gather(taken *t, const mst_scene *scene, const mst_picture_options *options) {
    memset(t, 0, sizeof *t);
    MUST(gather_with(t, scene, options), NULL);
}

static void drop(taken *t) {
    mst_arena_end(&t->arena);
    assert_int_equal(t->memory.blocks, 0);
}

static void geometry_is_taken(void **state) {
    (void)state;
    static const float far[] = {0, 0, 0, 0, 0, 1e7f, 1, 0, 1}, line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    static const uint32_t beyond[] = {0, 1, 9, 0, 1, 2};
    const mst_primitive primitives[] = {
        {.material = -1, .vertex_count = 4, .index_count = 6, .positions = corners, .indices = floor_indices},
        {.material = -1, .vertex_count = 4, .positions = corners}, /* three of four corners */
        {.material = -1, .vertex_count = 4, .index_count = 6, .indices = floor_indices},
        {.material = -1, .vertex_count = 3, .positions = far},
        {.material = -1, .vertex_count = 3, .positions = line},
        {.material = -1, .vertex_count = 4, .index_count = 5, .positions = corners, .indices = floor_indices},
        {.material = -1, .vertex_count = 3, .index_count = 6, .positions = corners, .indices = beyond},
    };
    const mst_mesh mesh = {"", primitives, 7};
    mst_node nodes[4] = {plain, plain, plain, plain};
    nodes[0].mesh = 0;
    nodes[1].mesh = 1; /* none */
    nodes[2].mesh = 0;
    nodes[2].role = MST_ROLE_COLLISION;
    nodes[3].mesh = 0;
    nodes[3].scale[0] = -1; /* mirrored */
    const mst_scene scene = {.nodes = nodes, .node_count = 4, .meshes = &mesh, .mesh_count = 1};
    taken t;
    gather(&t, &scene, &(mst_picture_options){.size = sizeof(mst_picture_options)});
    assert_int_equal(t.world.part_count, 14);
    assert_int_equal(t.world.triangle_count, 2 * (2 + 1 + 1 + 1));
    for (size_t i = 0; i < t.world.triangle_count; i++) { /* all face up, including the mirrored ones */
        assert_true(t.world.triangles[i].normal[1] == 1);
        assert_true(t.world.triangles[i].area == 0.5f);
    }
    assert_true(t.world.triangles[5].corners[1][0] <= 0);
    drop(&t);
}

static void only_images_with_pixels_count(void **state) {
    (void)state;
    static uint8_t pixels[2048 * 4];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i % 4 == 0 ? 100 : i % 4 == 1 ? (i / 4 & 1) * 200 : 7);
    const mst_image images[] = {{.name = "", .pixels = {.width = 1, .height = 1, .data = pixels}},
                                {.name = "", .pixels = {.width = 64, .height = 32, .data = pixels}},
                                {.name = "", .pixels = {.width = 1, .height = 1}},
                                {.name = "", .pixels = {.width = 0, .height = 1, .data = pixels}},
                                {.name = "", .pixels = {.width = 1, .height = 0, .data = pixels}},
                                {.name = "", .pixels = {.width = 65537, .height = 1, .data = pixels}},
                                {.name = "", .pixels = {.width = 1, .height = 65537, .data = pixels}}};
    mst_material materials[9];
    for (int i = 0; i < 9; i++)
        materials[i] = (mst_material){.image = i - 1};
    mst_primitive primitives[12];
    for (int i = 0; i < 12; i++)
        primitives[i] = (mst_primitive){.material = i - 1,
                                        .vertex_count = 3,
                                        .positions = corners,
                                        .texcoords = i == 11 ? NULL : corners};
    primitives[11].material = 1;
    const mst_mesh mesh = {"", primitives, 12};
    mst_node node = plain;
    node.mesh = 0;
    const mst_scene scene = {.nodes = &node,
                             .node_count = 1,
                             .meshes = &mesh,
                             .mesh_count = 1,
                             .materials = materials,
                             .material_count = 9,
                             .images = images,
                             .image_count = 7};
    taken t;
    gather(&t, &scene, &(mst_picture_options){.size = sizeof(mst_picture_options)});
    for (int i = 0; i < 12; i++) {
        bool has_material = i > 0 && i != 10;
        assert_int_equal(t.world.parts[i].material != NULL, has_material);
        const mst_texels *texture = t.world.parts[i].image;
        assert_int_equal(texture != NULL, i == 2 || i == 3);
        if (texture)
            assert_ptr_equal(texture->image, &images[i - 2]);
    }
    MUST(mst_view_load_textures(&t.world, &above), NULL);
    assert_memory_equal(t.world.parts[2].image->average, "\x64\0\x07", 3);
    assert_int_equal(t.world.parts[3].image->average[0], 100);
    assert_in_range(t.world.parts[3].image->average[1], 140, 150); /* half of the light of 200 */
    drop(&t);
}

static void layers_are_chosen(void **state) {
    (void)state;
    static const char *const names[] = {NULL, "shown"};
    static const struct {
        const char *layer;
        mst_role role;
        int32_t parent;
        bool with, without; /* visible with layers selected, and without */
    } cases[] = {
        {"shown", MST_ROLE_GEOMETRY, -1, true, true}, {NULL, MST_ROLE_GEOMETRY, -1, false, true},
        {"other", MST_ROLE_GEOMETRY, 0, true, true},  {"other", MST_ROLE_GEOMETRY, 1, false, true},
        {"other", MST_ROLE_GEOMETRY, 5, false, true}, {"shown", MST_ROLE_HELPER, -1, true, false},
        {"other", MST_ROLE_HELPER, 0, false, false},  {"", MST_ROLE_GEOMETRY, 100, false, true},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    const mst_primitive primitive = {.material = -1, .vertex_count = 3, .positions = corners};
    const mst_mesh mesh = {"", &primitive, 1};
    mst_node nodes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        nodes[i] = plain;
        nodes[i].layer = cases[i].layer;
        nodes[i].role = cases[i].role;
        nodes[i].parent = cases[i].parent;
        nodes[i].mesh = 0;
        nodes[i].translation[0] = (float)(10 * i);
    }
    const mst_scene scene = {.nodes = nodes, .node_count = COUNT, .meshes = &mesh, .mesh_count = 1};
    for (int with = 0; with < 2; with++) {
        mst_picture_options options = {
            .size = sizeof options, .layers = with ? names : NULL, .layer_count = with ? 2 : 0};
        taken t;
        gather(&t, &scene, &options);
        size_t k = 0;
        for (size_t i = 0; i < COUNT; i++)
            if (with ? cases[i].with : cases[i].without) {
                assert_true(k < t.world.triangle_count);
                const mst_view_triangle *one = &t.world.triangles[k++];
                int32_t up = cases[i].parent;
                float x = (float)(10 * i) + (up >= 0 && up < (int32_t)i ? 10 * (float)up : 0);
                assert_true(one->corners[0][0] == x);
            }
        assert_int_equal(k, t.world.triangle_count);
        drop(&t);
    }
}

static void things_are_taken(void **state) {
    (void)state;
    const mst_light lights[] = {{.kind = MST_LIGHT_POINT, .color = {1, 0, 0}},
                                {.kind = MST_LIGHT_DIRECTIONAL}};
    static const struct {
        mst_node node;
        bool taken;
        float facing[3];
    } cases[] = {
        {{.role = MST_ROLE_ENTITY, .parent = -1, .light = -1, .facing = MST_FACING_X}, true, {1, 0, 0}},
        {{.role = MST_ROLE_ENTITY, .parent = 0, .light = -1}, false, {0}}, /* carried */
        {{.role = MST_ROLE_ENTITY, .parent = 9, .light = -1, .facing = MST_FACING_Y}, true, {0, 1, 0}},
        {{.role = MST_ROLE_ENTITY, .parent = 1000000, .light = 5, .facing = MST_FACING_Z}, true, {0, 0, 1}},
        {{.role = MST_ROLE_CAMERA, .parent = -1, .light = -1}, true, {0, 0, -1}},
        {{.role = MST_ROLE_LIGHT, .parent = -1, .light = 0}, true, {0}},
        {{.role = MST_ROLE_LIGHT, .parent = -1, .light = 1}, false, {0}}, /* the sun has no position */
        {{.role = MST_ROLE_LIGHT, .parent = -1, .light = 2}, true, {0}},
        {{.role = MST_ROLE_GROUP, .parent = -1, .light = -1}, false, {0}},
        {{.role = MST_ROLE_GROUP, .parent = -1, .light = -1, .label = ""}, false, {0}},
        {{.role = MST_ROLE_GROUP, .parent = -1, .light = -1, .label = "hall"}, true, {0}},
        {{.role = MST_ROLE_ENTITY, .parent = -1, .light = -1, .translation = {0, 0, 2e6f}}, false, {0}},
        {{.role = MST_ROLE_ENTITY,
          .parent = -1,
          .light = -1,
          .scale = {1e-25f, 1, 1},
          .facing = MST_FACING_X},
         true,
         {0}},
        {{.role = MST_ROLE_ENTITY, .parent = -1, .light = -1, .scale = {3e18f, 1, 1}, .facing = MST_FACING_X},
         true,
         {1, 0, 0}},
        {{.role = MST_ROLE_ENTITY, .parent = -1, .light = -1, .scale = {3e19f, 1, 1}, .facing = MST_FACING_X},
         true,
         {0}},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    mst_node nodes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        nodes[i] = cases[i].node;
        nodes[i].rotation[3] = 1;
        if (nodes[i].scale[0] == 0)
            nodes[i].scale[0] = nodes[i].scale[1] = nodes[i].scale[2] = 1;
        nodes[i].mesh = -1;
    }
    const mst_scene scene = {.nodes = nodes, .node_count = COUNT, .lights = lights, .light_count = 2};
    taken t;
    gather(&t, &scene, &(mst_picture_options){.size = sizeof(mst_picture_options)});
    size_t k = 0;
    for (size_t i = 0; i < COUNT; i++) {
        if (!cases[i].taken)
            continue;
        assert_true(k < t.world.entity_count);
        const mst_view_entity *entity = &t.world.entities[k++];
        assert_int_equal(entity->role, cases[i].node.role);
        assert_string_equal(entity->class_name, "");
        assert_string_equal(entity->tag, "");
        assert_string_equal(entity->label, cases[i].node.label ? cases[i].node.label : "");
        assert_ptr_equal(entity->color, i == 5 ? lights[0].color : NULL);
        if (cases[i].facing[0] != 0 || cases[i].facing[1] != 0 || cases[i].facing[2] != 0)
            for (int c = 0; c < 3; c++)
                assert_float_equal(entity->facing[c], cases[i].facing[c], 1e-6);
        else if (i > 10)
            assert_true(entity->facing[0] == 0 && entity->facing[1] == 0 && entity->facing[2] == 0);
    }
    assert_int_equal(k, t.world.entity_count);
    drop(&t);
    gather(&t, &scene, &(mst_picture_options){.size = sizeof(mst_picture_options), .no_entities = 1});
    assert_int_equal(t.world.entity_count, 0);
    drop(&t);
}

static void maps_are_taken(void **state) {
    (void)state;
    const mst_map_key keys[] = {{"one", {1, 2, 3, 255}}};
    const mst_map_face faces[] = {{{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}}, 0},
                                  {{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}}, 1}, /* a key that does not exist */
                                  {{{0, 0, 0}, {0, 0, 0}, {1, 0, 1}}, 0}, /* no face */
                                  {{{5, 0, 5}, {5, 0, 6}, {6, 0, 6}}, 0}};
    const mst_map_line lines[] = {{{0, 0, 0}, {1, 0, 1}, MST_MAP_WALL},
                                  {{NAN, 0, 0}, {1, 0, 1}, MST_MAP_WALL},
                                  {{0, 0, 0}, {1, 3e6f, 1}, MST_MAP_WALL},
                                  {{0, 0, 0}, {1, 0, 1}, MST_MAP_LINK}};
    mst_map map = {keys, 1, faces, 4, lines, 4};
    mst_node node = plain;
    mst_scene scene = {.nodes = &node, .node_count = 1, .map = &map};
    static const char *const layers[] = {"x"};
    static const struct {
        mst_picture_options options;
        size_t triangles, lines;
        bool map;
    } cases[] = {
        {{0}, 2, 2, true},
        {{.no_links = 1}, 2, 1, true},
        {{.no_entities = 1}, 2, 1, true},
        {{.heights = 1}, 0, 2, false},
        {{.view = MST_VIEW_OBLIQUE}, 0, 0, false},
        {{.view = MST_VIEW_OBLIQUE, .links = 1}, 0, 1, false}, /* without the walls */
        {{.view = MST_VIEW_OBLIQUE, .links = 1, .no_entities = 1}, 0, 0, false},
        {{.layers = layers, .layer_count = 1, .links = 1}, 0, 1, false},
        {{.layers = layers, .layer_count = 1}, 0, 0, false},
    };
    taken t;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gather(&t, &scene, &cases[i].options);
        assert_int_equal(t.world.triangle_count, cases[i].triangles);
        assert_int_equal(t.world.line_count, cases[i].lines);
        assert_int_equal(t.world.map != NULL, cases[i].map);
        if (cases[i].triangles)
            assert_int_equal(t.world.triangles[1].index, 3);
        drop(&t);
    }
    scene.node_count = 0; /* nothing determines the position of the map */
    gather(&t, &scene, &(mst_picture_options){.size = sizeof(mst_picture_options)});
    assert_int_equal(t.world.triangle_count, 0);
    drop(&t);
    /* more than any memory */
    scene.node_count = 1;
    map.face_count = INT32_MAX;
    memset(&t, 0, sizeof t);
    assert_int_equal(gather_with(&t, &scene, &(mst_picture_options){.size = sizeof(mst_picture_options)}),
                     MST_NO_MEMORY);
    drop(&t);
    const mst_primitive vast = {.material = -1, .vertex_count = UINT32_MAX, .positions = corners};
    const mst_primitive many[] = {vast, vast};
    const mst_mesh mesh = {"", many, 2};
    scene.map = NULL;
    scene.meshes = &mesh;
    scene.mesh_count = 1;
    node.mesh = 0;
    memset(&t, 0, sizeof t);
    assert_int_equal(gather_with(&t, &scene, &(mst_picture_options){.size = sizeof(mst_picture_options)}),
                     MST_NO_MEMORY);
    assert_true(t.memory.bytes < 1u << 20);
    drop(&t);
}

/* ---- the visible part ---------------------------------------------------------------------------- */

/* A world of triangles inserted by hand. */
typedef struct made {
    mst_arena arena;
    mst_view_world world;
    mst_view_triangle triangles[400];
    mst_view_entity entities[60];
} made;

static void make(made *m, size_t triangles, size_t entities) {
    memset(m, 0, sizeof *m);
    mst_arena_begin(&m->arena, NULL, 0);
    m->world = (mst_view_world){.arena = &m->arena,
                                .triangles = m->triangles,
                                .entities = m->entities,
                                .triangle_count = triangles,
                                .entity_count = entities};
}

static void put_triangle(made *m, size_t i, float x, float y, float z, float size) {
    mst_view_triangle *t = &m->triangles[i];
    const float offsets[3][3] = {{-size, 0, -size}, {-size, 0, size}, {size, 0, size}};
    for (int k = 0; k < 3; k++) {
        t->corners[k][0] = x + offsets[k][0];
        t->corners[k][1] = y + offsets[k][1];
        t->corners[k][2] = z + offsets[k][2];
    }
    t->normal[1] = 1;
    t->area = 2 * size * size;
}

static void what_sticks_out_everywhere_is_shown(void **state) {
    (void)state;
    static made m;
    bool empty = true;
    make(&m, 60, 0); /* huge ones around one place: each extends beyond the range of their middles */
    for (size_t i = 0; i < 60; i++)
        put_triangle(&m, i, (float)i / 100, 0, 0, 5000);
    assert_int_equal(mst_view_fit(&m.world, &above, &empty), MST_OK);
    assert_false(empty);
    assert_true(m.world.across.low < m.world.across.high);
    assert_true(m.world.along.low < m.world.along.high);
    assert_true(m.world.across.high - m.world.across.low < 5000);
    mst_arena_end(&m.arena);
}

/* Squares far from the others are shown as well, unless there are many in between. */
static void squares_far_away(void **state) {
    (void)state;
    static const struct {
        double square;
        float away;
        bool shown;
    } cases[] = {{0, 300, false}, {10, 300, true}, {10, 3000, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        static made m;
        bool empty;
        make(&m, 300, 0);
        m.world.square = cases[c].square;
        for (size_t i = 0; i < 300; i++)
            put_triangle(&m, i, i ? (float)(i % 10) * 2 : cases[c].away, 0, (float)(i / 10), 1);
        assert_int_equal(mst_view_fit(&m.world, &above, &empty), MST_OK);
        assert_int_equal(m.world.across.high > (double)cases[c].away, cases[c].shown);
        mst_arena_end(&m.arena);
    }
}

/* Stray floors, far above or below, are not coloured by height. */
static void strays_have_no_height(void **state) {
    (void)state;
    static made m;
    bool empty;
    make(&m, 300, 10);
    for (size_t i = 0; i < 300; i++)
        put_triangle(&m, i, (float)(i % 20),
                     i == 7   ? 900
                     : i == 8 ? -900
                              : (float)(i % 2) * 4,
                     (float)(i / 20), 0.5f);
    for (size_t i = 0; i < 10; i++)
        m.entities[i] = (mst_view_entity){.class_name = "",
                                          .label = "",
                                          .tag = "",
                                          .role = i < 8 ? MST_ROLE_ENTITY : MST_ROLE_LIGHT,
                                          .position = {5,
                                                       i == 0   ? 5000.0f
                                                       : i == 1 ? -5000.0f
                                                       : i == 2 ? -1.0f
                                                                : 4,
                                                       5}};
    assert_int_equal(mst_view_fit(&m.world, &above, &empty), MST_OK);
    assert_int_equal(mst_view_find_floors(&m.world, 0), MST_OK);
    assert_true(m.world.stops[0] >= -1 && m.world.stops[0] <= 1);
    assert_true(m.world.stops[MST_VIEW_STOPS - 1] >= 3 && m.world.stops[MST_VIEW_STOPS - 1] <= 5);
    for (int k = 1; k < MST_VIEW_STOPS; k++)
        assert_true(m.world.stops[k] > m.world.stops[k - 1]);
    assert_true(m.world.cut >= 4);
    /* heights have a share between the stops, and 0 or 1 beyond them */
    assert_true(mst_view_height_share(&m.world, -50) == 0);
    assert_true(mst_view_height_share(&m.world, 50) == 1);
    double share = mst_view_height_share(&m.world, 2);
    assert_true(share > 0.2 && share < 0.8);
    /* a cut below all floors leaves none */
    assert_int_equal(mst_view_find_floors(&m.world, -20), MST_OK);
    assert_true(m.world.cut == -20);
    assert_true(m.world.stops[0] == -1.5 && m.world.stops[MST_VIEW_STOPS - 1] == 1.5);
    mst_arena_end(&m.arena);
    /* a level of objects only, all in one place */
    make(&m, 0, 60);
    for (size_t i = 0; i < 60; i++)
        m.entities[i] = (mst_view_entity){.class_name = "", .label = "", .tag = "", .role = MST_ROLE_ENTITY};
    assert_int_equal(mst_view_fit(&m.world, &above, &empty), MST_OK);
    assert_false(empty);
    assert_true(m.world.across.low <= 0 && m.world.across.high >= 0);
    mst_arena_end(&m.arena);
    make(&m, 0, 0);
    assert_int_equal(mst_view_fit(&m.world, &above, &empty), MST_OK);
    assert_true(empty);
    mst_arena_end(&m.arena);
}

/* Each request for memory is refused once. */
static void memory_may_lack(void **state) {
    (void)state;
    enum { MAX = 1200 };
    static mst_node nodes[MAX];
    const mst_map_key keys[] = {{"one", {1, 2, 3, 255}}};
    static mst_map_face faces[400];
    static mst_map_line lines[200];
    for (size_t i = 0; i < 400; i++)
        faces[i] = (mst_map_face){{{0, 0, 0}, {0, 0, 1}, {1, 0, (float)(i + 1)}}, 0};
    const mst_map map = {keys, 1, faces, 400, lines, 200};
    const mst_primitive primitive = {.material = -1, .vertex_count = 3, .positions = corners};
    const mst_mesh mesh = {"", &primitive, 1};
    mst_scene scene = {.nodes = nodes, .meshes = &mesh, .mesh_count = 1};
    for (size_t i = 0; i < MAX; i++) {
        nodes[i] = plain;
        nodes[i].mesh = 0;
        nodes[i].translation[1] = (float)(i % 7);
    }
    for (int mapped = 0; mapped < 2; mapped++)
        for (scene.node_count = 1; scene.node_count < MAX; scene.node_count += 97 * sample_step())
            for (size_t fail_at = 1;; fail_at++) {
                taken t;
                bool empty = false;
                memset(&t, 0, sizeof t);
                t.memory.fail_at = fail_at;
                t.memory.for_good = true;
                scene.map = mapped ? &map : NULL;
                mst_status status =
                    gather_with(&t, &scene, &(mst_picture_options){.size = sizeof(mst_picture_options)});
                if (status == MST_OK)
                    status = mst_view_fit(&t.world, &above, &empty);
                if (status == MST_OK)
                    status = mst_view_find_floors(&t.world, 0);
                assert_int_equal(status, t.memory.failed ? MST_NO_MEMORY : MST_OK);
                bool failed = t.memory.failed;
                drop(&t);
                if (!failed)
                    break;
            }
}

int test_view(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometry_is_taken), cmocka_unit_test(only_images_with_pixels_count),
        cmocka_unit_test(layers_are_chosen), cmocka_unit_test(things_are_taken),
        cmocka_unit_test(maps_are_taken),    cmocka_unit_test(what_sticks_out_everywhere_is_shown),
        cmocka_unit_test(squares_far_away),  cmocka_unit_test(strays_have_no_height),
        cmocka_unit_test(memory_may_lack),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
