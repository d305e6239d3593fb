/* SPDX-License-Identifier: MIT */
/* Entities in scenes of Natural Selection 2, and insufficient memory. */
#include "../src/scene/geometry.h"
#include "ns2_scene.h"

/* ---- entities ---------------------------------------------------------------------------------- */

/* The direction to which a node maps a direction. */
static void direction_of(const mst_scene *scene, const mst_node *node, const double from[3], double to[3]) {
    float *matrices = malloc(scene->node_count * 16 * sizeof(float));
    assert_non_null(matrices);
    mst_scene_world_matrices(scene, matrices);
    const float *m = matrices + 16 * (node - scene->nodes);
    for (int row = 0; row < 3; row++)
        to[row] = (double)m[row] * from[0] + (double)m[4 + row] * from[1] + (double)m[8 + row] * from[2];
    free(matrices);
}

static void check_direction(const mst_scene *scene, const char *name, double x, double y, double z,
                            const double expected[3]) {
    double to[3];
    direction_of(scene, the_node(scene, name), (const double[3]){x, y, z}, to);
    for (int i = 0; i < 3; i++)
        assert_close(to[i], expected[i], 1e-5);
}

/* clang-format off */
static const char rotation_text[] =
    LEVEL("10", "",
          ",\"objects\":["
          OBJECT("yaw", NO_GROUP, PROPERTY("angles", "angle", "0,0,1.5707964")) ","
          OBJECT("pitch", NO_GROUP, PROPERTY("angles", "angle", "0,1.5707964,0")) ","
          OBJECT("roll", NO_GROUP, PROPERTY("angles", "angle", "1.5707964,0,0")) ","
          OBJECT("all", NO_GROUP, PROPERTY("angles", "angle", "0.3,-0.7,2.1")) "]");

/* clang-format on */

/* clang-format off */
static const char symbols_text[] =
    LEVEL("10", "",
          ",\"objects\":["
          OBJECT("decal", NO_GROUP, PROPERTY("material", "file_name", "\"materials/a/arrows_01.material\"")) ","
          OBJECT("skybox", NO_GROUP, PROPERTY("cinematicName", "file_name", "\"maps\\\\skyboxes\\\\dusk.cinematic\"") ","
                 PROPERTY("cinematicName", "file_name", "\"second.cinematic\"")) ","
          OBJECT("sound_effect", NO_GROUP, PROPERTY("eventName", "file_name", "\"sound/a.fev/b/all_clear\"")) ","
          OBJECT("cinematic", NO_GROUP, PROPERTY("name", "string", "\"Steam\"") ","
                 PROPERTY("cinematicName", "file_name", "\"cinematics/steam.cinematic\"")) ","
          OBJECT("ambient_sound", NO_GROUP, PROPERTY("eventName", "file_name", "\"sound/\"")) ","
          OBJECT("prop_static", NO_GROUP, PROPERTY("model", "file_name", "\"models/a.model\"") ","
                 PROPERTY("material", "file_name", "\"b.material\"")) "]");
/* clang-format on */

/* An entity shown only as a symbol has the name of its file, unless it has one of its own. */
static void symbols_have_the_names_of_their_files(void **state) {
    static const char *const names[][2] = {{"arrows_01.material", "arrows_01"},
                                           {"dusk.cinematic", "dusk"},
                                           {"all_clear", "all_clear"},
                                           {"Steam", "steam"},
                                           {"ambient_sound", ""},
                                           {"prop_static", ""}};
    (void)state;
    mst_scene *scene = scene_of_text(symbols_text, NULL);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_string_equal(the_node(scene, names[i][0])->label, names[i][1]);
        assert_int_equal(the_node(scene, names[i][0])->source.index, i);
    }
    mst_scene_free(scene);
}

static void test_rotation(void **state) {
    (void)state;
    mst_scene *scene = scene_of_text(rotation_text, NULL);
    check_direction(scene, "yaw", 0, 0, 1, (const double[3]){1, 0, 0});
    check_direction(scene, "pitch", 0, 0, 1, (const double[3]){0, -1, 0});
    check_direction(scene, "roll", 1, 0, 0, (const double[3]){0, 1, 0});
    /* roll first, then pitch, then yaw, each as a rotation in its plane */
    double v[3] = {0.2, -0.5, 0.9};
    const double roll = 0.3, pitch = -0.7, yaw = 2.1;
    double a[3] = {v[0] * cos(roll) - v[1] * sin(roll), v[0] * sin(roll) + v[1] * cos(roll), v[2]};
    double b[3] = {a[0], a[1] * cos(pitch) - a[2] * sin(pitch), a[1] * sin(pitch) + a[2] * cos(pitch)};
    double c[3] = {b[2] * sin(yaw) + b[0] * cos(yaw), b[1], b[2] * cos(yaw) - b[0] * sin(yaw)};
    check_direction(scene, "all", v[0], v[1], v[2], c);
    mst_scene_free(scene);
}

/* clang-format off */
static const char entities_text[] =
    LEVEL("10", "",
          ",\"objects\":["
          OBJECT("prop_static", NO_GROUP,
                 PROPERTY("origin", "distance", "1,2,3") ","
                 PROPERTY("scale", "real", "2,2,2") ","
                 PROPERTY("model", "file_name", "\"models/a.model\"")) ","
          OBJECT("prop_static", NO_GROUP, PROPERTY("model", "file_name", "\"models/a.model\"")) ","
          OBJECT("prop_static", NO_GROUP, PROPERTY("model", "file_name", "\"models/b.model\"")) ","
          OBJECT("tech_point", "\"has_layers\":false,\"group\":9,",
                 PROPERTY("name", "string", "\"Hangar\"") ","
                 PROPERTY("teamNumber", "choice", "2") ","
                 PROPERTY("on", "bool", "1") ","
                 PROPERTY("tint", "color", "0.5,0.25,1,1") ","
                 PROPERTY("teamNumber", "choice", "3") ","
                 PROPERTY("angles", "angle", "0,0,1")) ","
          OBJECT("tech_point", NO_GROUP, "") ","
          OBJECT("location", NO_GROUP, PROPERTY("scale", "real", "20,30,40")) "],"
          "\"groups\":[{\"id\":9,\"name\":\"Base\"}]");

/* clang-format on */

static void test_entities(void **state) {
    (void)state;
    mst_scene *scene = scene_of_text(entities_text, NULL);
    int32_t meshes[6], at = node_named(scene, "Entities") + 1;
    for (int i = 0; i < 6; i++) {
        const mst_node *node = &scene->nodes[at + i];
        char path[32];
        snprintf(path, sizeof path, "objects[%d]", i);
        assert_string_equal(extra_of(&node->extras, "path")->text, path);
        assert_int_equal(node->role, MST_ROLE_ENTITY);
        meshes[i] = node->mesh;
        /* a box around a room would hide it: the last one has none */
        assert_int_equal(meshes[i] >= 0, i < 5);
    }
    assert_int_equal(meshes[0], meshes[1]);
    assert_int_not_equal(meshes[0], meshes[2]);
    assert_int_equal(meshes[3], meshes[4]);
    assert_int_not_equal(meshes[2], meshes[3]);
    assert_int_equal(scene->mesh_count, 3);
    assert_close((double)scene->nodes[at + 5].scale[0], 20, 0);
    assert_close((double)scene->nodes[at + 5].scale[2], 40, 0);
    assert_string_equal(scene->meshes[meshes[0]].name, "models/a.model");
    assert_string_equal(scene->meshes[meshes[3]].name, "tech_point");
    assert_int_equal(scene->meshes[meshes[0]].primitives[0].index_count, 36);
    assert_close((double)scene->nodes[at].scale[1], 2, 0);
    assert_close((double)scene->nodes[at].translation[2], 3, 0);
    const mst_node *point = the_node(scene, "Hangar");
    assert_string_equal(point->class_name, "tech_point");
    assert_string_equal(point->layer, "Base");
    assert_string_equal(extra_of(&point->extras, "class")->text, "tech_point");
    assert_string_equal(extra_of(&point->extras, "group")->text, "Base");
    assert_string_equal(extra_of(&point->extras, "name")->text, "Hangar");
    assert_int_equal(extra_of(&point->extras, "teamNumber")->integer, 2);
    assert_int_equal(extra_of(&point->extras, "teamNumber_2")->integer, 3);
    assert_int_equal(extra_of(&point->extras, "on")->integer, 1);
    assert_close(extra_of(&point->extras, "tint_g")->real, 0.25, 0);
    assert_close(extra_of(&point->extras, "tint_a")->real, 1, 0);
    assert_close(extra_of(&point->extras, "angles_yaw")->real, 1, 0);
    mst_scene_free(scene);
    mst_scene_options bare = {.size = sizeof bare, .no_markers = 1};
    scene = scene_of_text(entities_text, &bare);
    assert_int_equal(scene->mesh_count, 0);
    assert_int_equal(scene->material_count, 0);
    mst_scene_free(scene);
}

/* clang-format off */
static const char odd_values_text[] =
    LEVEL("10", "",
          ",\"objects\":["
          OBJECT("thing", NO_GROUP,
                 PROPERTY("angles", "angle", "\"NaN\",\"Infinity\",\"-Infinity\"") ","
                 PROPERTY("model", "file_name", "\"models/first.model\"") ","
                 PROPERTY("model", "file_name", "\"models/second.model\"") ","
                 PROPERTY("five", "color", "1,2,3,4,5") ","
                 PROPERTY("two", "angle", "1,2") ","
                 PROPERTY("name", "string", "\"A\"") "," PROPERTY("name", "string", "\"B\"")) ","
          OBJECT("light_point", NO_GROUP,
                 PROPERTY("intensity", "real", "1e38") "," PROPERTY("distance", "distance", "\"Infinity\"") ","
                 PROPERTY("color", "color", "\"NaN\",\"Infinity\",2,1")) ","
          OBJECT("light_ambient", NO_GROUP, PROPERTY("intensity", "real", "\"NaN\"")) ","
          OBJECT("light_spot", NO_GROUP,
                 PROPERTY("innerAngle", "angle", "1.5") "," PROPERTY("outerAngle", "angle", "1.2")) "]");

/* clang-format on */

/* Of two properties of one name the first counts; numbers that are not finite are ignored. */
static void test_odd_values(void **state) {
    (void)state;
    mst_scene *scene = scene_of_text(odd_values_text, NULL);
    const mst_node *thing = the_node(scene, "A");
    assert_close((double)thing->rotation[3], 1, 1e-6);
    assert_string_equal(scene->meshes[thing->mesh].name, "models/first.model");
    assert_string_equal(extra_of(&thing->extras, "model_2")->text, "models/second.model");
    assert_close(extra_of(&thing->extras, "five_4")->real, 5, 0);
    assert_close(extra_of(&thing->extras, "two_y")->real, 2, 0);
    assert_string_equal(extra_of(&thing->extras, "name_2")->text, "B");
    assert_close((double)scene->lights[0].intensity, 1e30, 1e24);
    assert_close((double)scene->lights[0].range, 0, 0);
    static const double colors[3] = {0, 0, 1};
    for (int i = 0; i < 3; i++)
        assert_close((double)scene->lights[0].color[i], colors[i], 0);
    assert_close((double)scene->lights[1].intensity, 0, 0);
    assert_close((double)scene->lights[2].inner_angle, 0.6, 1e-6); /* no wider than the outer one */
    assert_close((double)scene->lights[2].outer_angle, 0.6, 1e-6);
    mst_scene_free(scene);
}

/* clang-format off */
static const char lights_text[] =
    LEVEL("10", "",
          ",\"objects\":["
          OBJECT("light_spot", NO_GROUP,
                 PROPERTY("angles", "angle", "0,0,1.5707964") ","
                 PROPERTY("color", "color", "1,0.5,0.25,1") ","
                 PROPERTY("distance", "distance", "12.5") ","
                 PROPERTY("intensity", "real", "5") ","
                 PROPERTY("innerAngle", "angle", "0.4") ","
                 PROPERTY("outerAngle", "angle", "1.2")) ","
          OBJECT("light_point", NO_GROUP,
                 PROPERTY("intensity", "real", "5") "," PROPERTY("distance", "distance", "8")) ","
          OBJECT("light_ambient", NO_GROUP, PROPERTY("intensity", "real", "5")) "]");

/* clang-format on */

static void test_lights(void **state) {
    (void)state;
    mst_scene *scene = scene_of_text(lights_text, NULL);
    assert_int_equal(scene->light_count, 3);
    assert_int_equal(scene->mesh_count, 0);
    const mst_light *spot = &scene->lights[0], *point = &scene->lights[1], *ambient = &scene->lights[2];
    assert_int_equal(spot->kind, MST_LIGHT_SPOT);
    assert_close((double)spot->inner_angle, 0.2, 1e-6);
    assert_close((double)spot->outer_angle, 0.6, 1e-6);
    assert_close((double)spot->range, 12.5, 0);
    assert_close((double)spot->color[1], 0.5, 0);
    assert_int_equal(point->kind, MST_LIGHT_POINT);
    assert_close((double)point->intensity, (double)spot->intensity, 0);
    assert_true(ambient->intensity > 0 && ambient->intensity < point->intensity);
    assert_close((double)ambient->range, 0, 0);
    assert_int_equal(the_node(scene, "light_point")->role, MST_ROLE_LIGHT);
    assert_int_equal(the_node(scene, "light_point")->light, 1);
    const mst_node *entity = the_node(scene, "light_spot"), *holder = the_node(scene, "light");
    assert_int_equal(entity->role, MST_ROLE_LIGHT);
    assert_int_equal(holder->parent, entity - scene->nodes);
    assert_int_equal(holder->light, 0);
    assert_close(extra_of(&entity->extras, "intensity")->real, 5, 0);
    /* the entity's +Z is the world's +X after a quarter turn; a light shines along its node's -Z */
    check_direction(scene, "light_spot", 0, 0, 1, (const double[3]){1, 0, 0});
    check_direction(scene, "light", 0, 0, -1, (const double[3]){1, 0, 0});
    mst_scene_free(scene);
}

/* clang-format off */
#define START                                                                                                \
    ",\"objects\":["                                                                                         \
    OBJECT("ready_room_start", NO_GROUP,                                                                     \
           PROPERTY("origin", "distance", "4,5,6") "," PROPERTY("angles", "angle", "0,0,1.5707964")) "]"

#define VIEW                                                                                                 \
    ",\"viewports\":\"<viewports>\\n<viewport><view>negative_y</view><camera_position><x>9</x><y>9</y>"       \
    "<z>9</z></camera_position><camera_yaw>0</camera_yaw><camera_pitch>0</camera_pitch></viewport>\\n"       \
    "<viewport><view>perspective</view><camera_position><x>1.5</x>\\n<y>-2</y><z>3</z></camera_position>"    \
    "<camera_yaw>3.1415927</camera_yaw><camera_pitch>0</camera_pitch></viewport></viewports>\""

/* clang-format on */

static void test_camera(void **state) {
    (void)state;
    char text[3000];
    snprintf(text, sizeof text, "{\"$format\":\"ns2-level\",\"version\":10%s%s}", START, VIEW);
    mst_scene *scene = scene_of_text(text, NULL);
    const mst_node *camera = the_node(scene, "camera");
    assert_int_equal(camera->role, MST_ROLE_CAMERA);
    assert_int_equal(camera->camera, 0);
    assert_close((double)camera->translation[0], 4, 0);
    assert_close((double)camera->translation[1], 6.8, 1e-5);
    check_direction(scene, "camera", 0, 0, -1, (const double[3]){1, 0, 0});
    check_direction(scene, "camera", 0, 1, 0, (const double[3]){0, 1, 0});
    mst_scene_free(scene);
    snprintf(text, sizeof text, "{\"$format\":\"ns2-level\",\"version\":10%s}", VIEW);
    scene = scene_of_text(text, NULL);
    camera = the_node(scene, "camera");
    assert_close((double)camera->translation[0], 1.5, 0);
    assert_close((double)camera->translation[1], -2, 0);
    check_direction(scene, "camera", 0, 0, -1, (const double[3]){0, 0, -1});
    mst_scene_free(scene);
    /* neither: no camera */
    scene = scene_of_text("{\"$format\":\"ns2-level\",\"version\":4}", NULL);
    assert_int_equal(scene->camera_count, 0);
    assert_int_equal(scene->node_count, 1);
    mst_scene_free(scene);
}

/* Unusable views of the editor are ignored, and so are unclosed ones. */
static void test_viewports(void **state) {
    (void)state;
#define PLACE_OF(x) "<x>" x "</x><y>2</y><z>3</z>"
#define TURN        "<camera_pitch>0</camera_pitch><camera_yaw>0</camera_yaw>"
#define ONE(more)   "<viewport><view>perspective</view>" more "</viewport>"
    static const struct {
        const char *text;
        double x; /* of the camera; 0: none */
    } cases[] = {
        {"", 0},
        {ONE(PLACE_OF("1.5") TURN), 1.5},
        {ONE(TURN PLACE_OF("-1e8")), -1e8},
        {"<viewport><view>perspective</view>" PLACE_OF("1.5") TURN, 0},
        {"<viewport>" PLACE_OF("1.5") TURN "</viewport>", 0},
        {"<viewport><view>top</view>" PLACE_OF("1.5") TURN "</viewport>" ONE(PLACE_OF("4") TURN), 4},
        {"<viewport></viewport><viewport></viewport>" ONE(PLACE_OF("4") TURN), 4},
        {ONE(PLACE_OF("1.5")), 0},
        {ONE("<x>1.5</x><y>2</y>" TURN), 0},
        {ONE("<x>1.5</x><z>2</z>" TURN), 0},
        {ONE("<y>1.5</y><z>2</z>" TURN), 0},
        {ONE(PLACE_OF("1.5") "<camera_pitch>0</camera_pitch>"), 0},
        {ONE(PLACE_OF("1.5") "<camera_yaw>0</camera_yaw>"), 0},
        {ONE(PLACE_OF("1.5")) ONE(PLACE_OF("4") TURN), 4}, /* the first has no angles */
        {ONE(PLACE_OF("1.5a") TURN), 0},
        {ONE(PLACE_OF("") TURN), 0},
        {ONE(PLACE_OF("1e9") TURN), 0},
        {ONE(PLACE_OF("nan") TURN), 0},
        {ONE("<x2>9</x2><xx>9</xx><x >9</x >" PLACE_OF("1.5") TURN), 1.5},
        {ONE("< x><" PLACE_OF("1.5") TURN), 1.5},
        {ONE("<y>2</y><z>3</z>" TURN) "<x>7</x>", 0}, /* it does not belong to a view */
        {ONE("<y>2</y><z>3</z>" TURN "<x>7"), 7},
        {"<viewport><view>perspective</view><y>2</y><z>3</z>" TURN "</viewport><x>7", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, "{\"$format\":\"ns2-level\",\"version\":10,\"viewports\":\"%s\"}",
                 cases[i].text);
        mst_scene *scene = scene_of_text(text, NULL);
        int32_t camera = node_named(scene, "camera");
        if ((camera >= 0) != (cases[i].x != 0))
            print_error("%s\n", cases[i].text);
        assert_int_equal(camera >= 0, cases[i].x != 0);
        if (camera >= 0)
            assert_close((double)scene->nodes[camera].translation[0], cases[i].x, 0);
        mst_scene_free(scene);
    }
}

/* clang-format off */
static const char clip_text[] =
    "{\"$format\":\"ns2-clip\",\"blocks\":[{\"unknown_00\":1,\"kind\":\"mesh\",\"mesh\":{"
    "\"materials\":[\"a.material\"],\"vertices\":" POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0") "," EDGES4
    "\"faces\":[" FACE("0", "") "]}},{\"unknown_00\":1,\"kind\":\"objects\",\"objects\":["
    OBJECT("tech_point", NO_GROUP, PROPERTY("origin", "distance", "4,5,6")) "]}]}";

/* clang-format on */

static void test_clip(void **state) {
    (void)state;
    mst_document *document = open_json(clip_text, NULL);
    mst_scene *scene = NULL;
    mst_diagnostic why;
    MUST(mst_ns2_clip_scene(document, NULL, &scene, &why), &why);
    mst_close(document);
    assert_int_equal(check_scene(scene), 2);
    const mst_node *node = the_node(scene, "tech_point");
    assert_string_equal(extra_of(&node->extras, "path")->text, "blocks[1].objects[0]");
    assert_close((double)node->translation[1], 5, 0);
    mst_scene_free(scene);
}

/* ---- memory ------------------------------------------------------------------------------------ */

/* clang-format off */
static const char memory_level[] =
    LEVEL("10",
          TWO_FACES(",\"geometry_groups\":{\"face_groups\":[{\"id\":1,\"indices\":[1]}]},"
                    "\"mapping_groups\":[{\"id\":3,\"normal\":[1,0,0]}],"
                    "\"face_layers\":{\"format\":2,\"faces\":[{\"has_layers\":true,\"layer_masks\":[1]},"
                    "{\"has_layers\":false}]}"),
          ",\"objects\":["
          OBJECT("prop_static", NO_GROUP, PROPERTY("model", "file_name", "\"a\"")) ","
          OBJECT("light_spot", NO_GROUP, PROPERTY("intensity", "real", "5")) ","
          OBJECT("ready_room_start", NO_GROUP, "") "],\"layers\":[{\"id\":0,\"name\":\"L\"}],"
          "\"groups\":[{\"id\":1,\"name\":\"G\"}]");

/* clang-format on */

static void test_memory(void **state) {
    (void)state;
    mst_document *document = open_json(memory_level, NULL);
    counted c = {0};
    mst_scene_options options = {
        .size = sizeof options, .allocator = counted_allocator(&c), .split_layers = 1};
    mst_scene *scene = scene_of(document, &options);
    mst_scene_free(scene);
    assert_int_equal(c.blocks, 0);
    assert_false(c.wrong);
    size_t calls = c.calls;
    for (size_t i = 1; i <= calls; i++) {
        c = (counted){.fail_at = i};
        mst_diagnostic why;
        scene = NULL;
        mst_status status = mst_ns2_scene(document, &options, &scene, &why);
        if (status == MST_OK) {
            check_scene(scene);
            mst_scene_free(scene);
        } else {
            assert_int_equal(status, MST_NO_MEMORY);
            assert_int_equal(why.status, MST_NO_MEMORY);
            assert_null(scene);
        }
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
    for (size_t budget = 1; budget < 20000; budget += 700) {
        mst_scene_options bounded = {.size = sizeof bounded, .budget = budget};
        mst_status status = mst_ns2_scene(document, &bounded, &scene, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        assert_true(budget > 2000 || status == MST_NO_MEMORY);
        if (status == MST_OK)
            mst_scene_free(scene);
    }
    mst_close(document);
}

/* clang-format off */
static const char long_names[] =
    LEVEL("10",
          "\"materials\":[\"materials/a/long/path/of/one.material\",\"materials/a/long_name_that_has_no_ending\"],"
          "\"vertices\":" POINTS("0,0,0", "0,0,4", "4,0,4", "4,0,0") "," EDGES4
          "\"faces\":[" FACE("0", TRANSFORM "\"angle\":0") "," FACE("1", "") "],\"triangles\":{\"faces\":[" TRIANGLES2 "]},"
          "\"geometry_groups\":{\"face_groups\":[{\"id\":1,\"indices\":[1]},{\"id\":2,\"indices\":[0]}]},"
          "\"mapping_groups\":[{\"id\":3,\"normal\":[1,0,0]}],"
          "\"face_layers\":{\"format\":2,\"faces\":[{\"has_layers\":true,\"layer_masks\":[1]},"
          "{\"has_layers\":true,\"layer_masks\":[2]}]}",
          ",\"objects\":["
          OBJECT("prop_static_with_a_long_name", NO_GROUP, PROPERTY("model", "file_name", "\"models/of/a/long/path\"")) ","
          OBJECT("another_class_of_a_long_name", "\"has_layers\":true,\"layer_masks\":[1],\"group\":1,", "") ","
          OBJECT("light_spot", NO_GROUP, PROPERTY("intensity", "real", "5")) "],"
          "\"layers\":[{\"id\":0,\"name\":\"A layer of a long name\"},{\"id\":1,\"name\":\"B\"}],"
          "\"groups\":[{\"id\":1,\"name\":\"A group of a long name\"},{\"id\":2,\"name\":\"CollisionGeometry\"}]"
          VIEW);

/* clang-format on */

/* Every allocation of a scene is refused once. */
static void test_pieces(void **state) {
    (void)state;
    const char *const texts[] = {long_names, memory_level, version_4_text, clip_text, entities_text};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mst_document *document = open_json(texts[i], NULL);
        mst_scene_options options = {.size = sizeof options, .split_layers = i < 2};
        assert_true(assert_refused_scenes(document, &options) > 20 / sample_step());
        mst_close(document);
    }
}

int test_ns2_scene_entities(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_have_the_names_of_their_files),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_entities),
        cmocka_unit_test(test_odd_values),
        cmocka_unit_test(test_lights),
        cmocka_unit_test(test_camera),
        cmocka_unit_test(test_viewports),
        cmocka_unit_test(test_clip),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
