/* SPDX-License-Identifier: MIT */
/* Sectors of Revenant as scenes. Our own sectors are written as JSON here; the expected contents of real ones
 * were counted by an independent reader (expected.json of the corpus) or follow from the description. */
#include "../src/formats/revenant/revenant.h"
#include "../src/read/opened.h"
#include "../src/scene/geometry.h"
#include "documents.h"
#include <mapstone/picture.h>
#include <mapstone/scene.h>

/* ---- small helpers ----------------------------------------------------------------------------- */

/* Closes the documents, as the scene must not need them. */
static mst_scene *scene_of(mst_document **documents, size_t count, const mst_scene_options *options) {
    mst_scene *scene = NULL;
    mst_diagnostic why;
    MUST(mst_scene_from_documents((const mst_document *const *)documents, count, options, &scene, &why),
         &why);
    assert_non_null(scene);
    for (size_t i = 0; i < count; i++)
        mst_close(documents[i]);
    return scene;
}

static mst_scene *scene_of_text(const char *text, const char *name, const mst_scene_options *options) {
    mst_document *document = open_json(text, name);
    return scene_of(&document, 1, options);
}

static int32_t node_named(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0)
            return (int32_t)i;
    print_error("there is no node %s\n", name);
    fail();
    return -1;
}

static const mst_node *the_node(const mst_scene *scene, const char *name) {
    return &scene->nodes[node_named(scene, name)];
}

static const mst_extra *find_extra(const mst_extras *extras, const char *name) {
    for (size_t i = 0; i < extras->count; i++)
        if (strcmp(extras->items[i].name, name) == 0)
            return &extras->items[i];
    return NULL;
}

static const mst_extra *extra_of(const mst_extras *extras, const char *name) {
    const mst_extra *extra = find_extra(extras, name);
    if (!extra)
        print_error("there is no extra %s\n", name);
    assert_non_null(extra);
    return extra;
}

static void assert_place(const mst_node *node, double x, double y, double z) {
    assert_float_equal(node->translation[0], x, 0);
    assert_float_equal(node->translation[1], y, 0);
    assert_float_equal(node->translation[2], z, 0);
}

static void assert_close(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        print_error("%.9g, expected %.9g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

/* The direction of a node's -Z. */
static void ahead_of(const mst_node *node, double ahead[3]) {
    double x = (double)node->rotation[0], y = (double)node->rotation[1], z = (double)node->rotation[2],
           w = (double)node->rotation[3];
    ahead[0] = -2 * (x * z + y * w);
    ahead[1] = -2 * (y * z - x * w);
    ahead[2] = -(1 - 2 * (x * x + y * y));
}

/* Invariants of every scene. */
static void check_scene(const mst_scene *scene) {
    assert_int_equal(scene->nodes[0].parent, -1);
    assert_close((double)scene->nodes[0].scale[0], 1.0 / 32, 0);
    assert_close(scene->unit_metres, 1.0 / 32, 0);
    assert_close((double)scene->grid_step, 32, 0);
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        assert_true(i == 0 || (node->parent >= 0 && (size_t)node->parent < i));
        for (int k = 0; k < 3; k++)
            assert_true(isfinite(node->translation[k]) && isfinite(node->rotation[k]));
        assert_true(node->mesh < (int32_t)scene->mesh_count);
        for (size_t a = 0; a < node->extras.count; a++) {
            assert_non_null(node->extras.items[a].name);
            for (size_t b = 0; b < a; b++)
                assert_string_not_equal(node->extras.items[a].name, node->extras.items[b].name);
        }
    }
    for (size_t i = 0; i < scene->mesh_count; i++) {
        assert_int_equal(scene->meshes[i].primitive_count, 1);
        const mst_primitive *p = &scene->meshes[i].primitives[0];
        assert_in_range(p->material, 0, scene->material_count - 1);
        for (uint32_t k = 0; k < p->index_count; k++)
            assert_true(p->indices[k] < p->vertex_count);
        for (uint32_t k = 0; k < p->index_count; k += 3) { /* each triangle faces along its normals */
            double normal[3], along = 0;
            mst_polygon_normal(p->positions, p->indices + k, 3, normal);
            for (uint32_t c = 0; c < 3; c++)
                along += normal[c] * (double)p->normals[3 * p->indices[k] + c];
            assert_true(along > 0);
        }
    }
}

/* ---- texts of sectors -------------------------------------------------------------------------- */

#define SECTOR(version, objects)                                                                             \
    "{\"$format\":\"revenant-sector\",\"version\":" version ",\"objects\":[" objects "]}"
#define OBJECT(class, id, name, flags, position, more)                                                       \
    "{\"object_version\":0,\"class\":\"" class "\",\"unique_id\":" id ",\"name\":\"" name                    \
                                               "\",\"flags\":" flags ",\"position\":[" position "]" more "}"

static const char definitions[] = "// types\n"
                                  "Unique Type ID = 0x10\n"
                                  "CLASS \"WEAPON\"\nBEGIN\n"
                                  "STATS\nBEGIN\nDamage DMG 0 0 100\nEND\n"
                                  "TYPES\nBEGIN\n\"Club\" \"Equip\\Club.I3D\" 0x00000007 {4} {}\nEND\nEND\n"
                                  "CLASS \"TILE\"\nBEGIN\nTYPES\nBEGIN\n"
                                  "\"DunFloor\" \"Dungeon\\Floor.I2D\" 0xf0000001 {} {}\nEND\nEND\n";

static mst_status find_definitions(void *user, const char *name, const void **bytes, size_t *size) {
    (*(int *)user)++;
    if (strcmp(name, "class.def") != 0)
        return MST_NO_PATH;
    *bytes = definitions;
    *size = sizeof definitions - 1;
    return MST_OK;
}

/* ---- places ------------------------------------------------------------------------------------ */

static void test_places(void **state) {
    (void)state;
    static const char text[] = SECTOR(
        "15", OBJECT("tile", "4026531841", "", "1", "12304,9136,272", "") ",{\"object_version\":-1}," OBJECT(
                  "exit", "2", "ToTown", "0", "14000,20000,-5", ",\"exit_flags\":3"));
    mst_scene *scene = scene_of_text(text, "44_12_8.DAT", NULL);
    check_scene(scene);
    assert_string_equal(scene->name, "level 44, sector 12 8");
    assert_string_equal(scene->format, "revenant-sector");
    assert_int_equal(scene->node_count, 4);
    const mst_node *sector = the_node(scene, "sector 12,8");
    assert_int_equal(sector->parent, 0);
    assert_int_equal(sector->role, MST_ROLE_GROUP);
    assert_place(sector, 0, 0, 0);
    assert_int_equal(extra_of(&sector->extras, "level")->integer, 44);
    assert_int_equal(extra_of(&sector->extras, "slots")->integer, 3);
    assert_string_equal(extra_of(&sector->extras, "file")->text, "44_12_8.DAT");

    /* without class.def it is named by its class and id */
    const mst_node *tile = the_node(scene, "tile f0000001");
    assert_place(tile, 12304, 272, 9136);
    assert_int_equal(tile->role, MST_ROLE_GEOMETRY);
    assert_string_equal(tile->class_name, "tile");
    assert_string_equal(tile->layer, "tile");
    assert_string_equal(extra_of(&tile->extras, "unique_id_hex")->text, "f0000001");
    assert_int_equal(extra_of(&tile->extras, "slot")->integer, 0);

    /* the game takes the upper bits of x and y, but not of z, from the file's name */
    const mst_node *exit = the_node(scene, "ToTown");
    assert_place(exit, 12 * 1024 + 14000 % 1024, -5, 8 * 1024 + 20000 % 1024);
    assert_int_equal(exit->role, MST_ROLE_ENTITY);
    assert_string_equal(exit->label, "ToTown");
    assert_int_equal(extra_of(&exit->extras, "slot")->integer, 2);
    assert_int_equal(extra_of(&exit->extras, "class_number")->integer, 10);
    assert_int_equal(extra_of(&exit->extras, "position_x")->integer, 14000);
    assert_int_equal(extra_of(&exit->extras, "exit_flags")->integer, 3);
    assert_string_equal(extra_of(&exit->extras, "exit_flags_names")->text, "on activated");
    assert_null(find_extra(&exit->extras, "flags_names")); /* none are set */
    mst_bounds bounds = mst_scene_bounds(scene, 1u << MST_ROLE_ENTITY);
    assert_close((double)bounds.minimum[1], -5.0 / 32, 1e-6); /* boxes stand on their position */
    mst_scene_free(scene);

    /* a name that is not a sector's: unchanged positions */
    scene = scene_of_text(text, "copy.bin", NULL);
    check_scene(scene);
    assert_place(the_node(scene, "ToTown"), 14000, -5, 20000);
    assert_string_equal(scene->name, "");
    mst_scene_free(scene);
}

static void test_facing(void **state) {
    (void)state;
    static const char text[] =
        SECTOR("15", OBJECT("item", "1", "a", "1", "0,0,0", ",\"rotation_z\":0") "," OBJECT(
                         "item", "1", "b", "1", "0,0,0", ",\"rotation_z\":64") "," //
               OBJECT("item", "1", "c", "1", "0,0,0", ",\"rotation_z\":128"));
    mst_scene *scene = scene_of_text(text, "1_0_0.dat", NULL);
    check_scene(scene);
    /* 0 is towards -y, 64 towards +x, 128 towards +y */
    static const double expected[3][3] = {{0, 0, -1}, {1, 0, 0}, {0, 0, 1}};
    static const char *const names[3] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        double ahead[3];
        ahead_of(the_node(scene, names[i]), ahead);
        for (int k = 0; k < 3; k++)
            assert_close(ahead[k], expected[i][k], 1e-6);
    }
    assert_int_equal(the_node(scene, "a")->mesh, the_node(scene, "b")->mesh);
    mst_scene_free(scene);

    /* old sectors have a facing instead */
    scene = scene_of_text("{\"$format\":\"revenant-sector\",\"version\":2,\"objects\":[{\"class\":\"item\","
                          "\"unique_id\":1,\"name\":\"old\",\"facing\":64,\"position\":[1,2,3]}]}",
                          "1_0_0.dat", NULL);
    double ahead[3];
    ahead_of(the_node(scene, "old"), ahead);
    assert_close(ahead[0], 1, 1e-6);
    assert_place(the_node(scene, "old"), 1, 3, 2);
    mst_scene_free(scene);
}

/* ---- values of objects ------------------------------------------------------------------------- */

static void test_names(void **state) {
    (void)state;
    static const char text[] = SECTOR(
        "15", OBJECT("weapon", "7", "", "1", "5,6,7", ",\"poison\":9") "," //
        OBJECT("weapon", "7", "Mine", "1", "5,6,7",
               ",\"stats\":[{\"value\":3,\"id\":\"DMG\\u0000\"},{\"value\":4,\"id\":\"DMG\\u0000\"}]") "," //
        OBJECT("tile", "4026531841", "", "1", "5,6,7", "") ","                                             //
        OBJECT("character", "8", "Monk", "1", "5,6,7", ",\"root_state\":\"still\""));
    int asked = 0;
    mst_resolver resolver = {.find = find_definitions, .user = &asked};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene = scene_of_text(text, "1_0_0.dat", &options);
    check_scene(scene);
    assert_true(asked > 0);
    const mst_node *club = the_node(scene, "Club"), *mine = the_node(scene, "Mine");
    assert_string_equal(extra_of(&club->extras, "type")->text, "Club");
    assert_string_equal(extra_of(&club->extras, "imagery")->text, "Equip\\Club.I3D");
    assert_int_equal(extra_of(&club->extras, "poison")->integer, 9);
    assert_string_equal(extra_of(&club->extras, "flags_names")->text, "immobile");
    assert_string_equal(club->label, "");
    assert_string_equal(extra_of(&mine->extras, "type")->text, "Club");
    assert_int_equal(extra_of(&mine->extras, "stat_DMG")->integer, 3);
    assert_int_equal(extra_of(&mine->extras, "stat_DMG_2")->integer, 4);
    assert_int_equal(club->mesh, mine->mesh);
    assert_string_equal(scene->meshes[club->mesh].name, "Club");
    const mst_node *monk = the_node(scene, "Monk");
    assert_string_equal(monk->label, "Monk");
    assert_string_equal(extra_of(&monk->extras, "root_state")->text, "still");
    /* materials: one of weapons, one for each type of tiles, with the type's name */
    const mst_node *floor = the_node(scene, "DunFloor");
    assert_string_equal(scene->materials[scene->meshes[floor->mesh].primitives[0].material].name, "DunFloor");
    assert_string_equal(scene->materials[scene->meshes[club->mesh].primitives[0].material].name, "weapon");
    mst_scene_free(scene);

    options.no_markers = 1; /* tiles are not markers */
    scene = scene_of_text(text, "1_0_0.dat", &options);
    assert_int_equal(the_node(scene, "Club")->mesh, -1);
    assert_true(the_node(scene, "DunFloor")->mesh >= 0);
    mst_scene_free(scene);
}

#define LIGHT(flags, color, intensity, multiplier)                                                           \
    ",\"rotation_z\":64,\"light\":{\"flags\":" flags ",\"position\":[10,20,30],\"color\":[" color            \
    "],\"intensity\":" intensity ",\"multiplier\":" multiplier "}"

static void test_lights(void **state) {
    (void)state;
    static const char text[] = SECTOR(
        "15",
        OBJECT("lightsource", "1", "lamp", "5", "100,200,300",
               LIGHT("0", "255,0,188", "255", "28")) "," OBJECT("effect", "2", "sun", "5", "100,200,300",
                                                                LIGHT("3", "255,255,255", "51", "0")));
    mst_scene *scene = scene_of_text(text, "1_0_0.dat", NULL);
    check_scene(scene);
    assert_int_equal(scene->light_count, 2);
    const mst_node *first = NULL, *second = NULL;
    for (size_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].role == MST_ROLE_LIGHT) {
            second = first ? &scene->nodes[i] : NULL;
            first = first ? first : &scene->nodes[i];
        }
    assert_non_null(first);
    assert_non_null(second);
    assert_int_equal(first->parent, node_named(scene, "lamp"));
    assert_int_equal(second->parent, node_named(scene, "sun"));
    const mst_light *lamp = &scene->lights[first->light], *sun = &scene->lights[second->light];
    assert_int_equal(lamp->kind, MST_LIGHT_POINT);
    assert_int_equal(sun->kind, MST_LIGHT_DIRECTIONAL);
    assert_close((double)lamp->color[0], 1, 1e-6);
    assert_close((double)lamp->color[1], 0, 0);
    assert_close((double)lamp->color[2], 0.502886, 1e-4); /* ((188 / 255 + 0.055) / 1.055) ^ 2.4 */
    assert_close((double)lamp->intensity, 50, 1e-4);
    assert_true(sun->intensity > 0 && sun->intensity < 10);
    assert_int_equal(extra_of(&first->extras, "intensity")->integer, 255);
    assert_int_equal(extra_of(&first->extras, "multiplier")->integer, 28);
    assert_int_equal(extra_of(&first->extras, "color_b")->integer, 188);
    assert_int_equal(extra_of(&first->extras, "position_z")->integer, 30);
    assert_string_equal(extra_of(&second->extras, "flags_names")->text, "directional sun");
    double down[3];
    assert_close((double)second->scale[0], 1, 0);
    /* in the world: the object's place plus the light's, regardless of the object's rotation */
    float *matrices = calloc(scene->node_count * 16, sizeof *matrices);
    assert_non_null(matrices);
    mst_scene_world_matrices(scene, matrices);
    const float *matrix = matrices + 16 * (first - scene->nodes);
    assert_close((double)matrix[12] * 32, 110, 1e-3);
    assert_close((double)matrix[13] * 32, 330, 1e-3);
    assert_close((double)matrix[14] * 32, 220, 1e-3);
    free(matrices);
    ahead_of(second, down);
    assert_close(down[1], -1, 1e-6);
    mst_scene_free(scene);
}

static void test_inventory(void **state) {
    (void)state;
    static const char text[] = SECTOR(
        "15",
        OBJECT("container", "1", "chest", "1", "100,200,300",
               ",\"inventory\":[" OBJECT(
                   "item", "2", "bag", "1", "7,7,7",
                   ",\"inventory\":[" OBJECT(
                       "key", "3", "key", "1", "0,0,0",
                       "") "]") ",{\"object_version\":-1}," OBJECT("money", "4", "coins", "5", "0,0,0",
                                                                   LIGHT("0", "1,2,3", "4", "5")) "]") "," //
        OBJECT("item", "2", "other", "1", "1,2,3", ""));
    mst_scene *scene = scene_of_text(text, "1_0_0.dat", NULL);
    check_scene(scene);
    int32_t chest = node_named(scene, "chest"), bag = node_named(scene, "bag");
    assert_place(the_node(scene, "chest"), 100, 300, 200);
    assert_int_equal(the_node(scene, "bag")->parent, chest);
    assert_int_equal(the_node(scene, "key")->parent, bag);
    assert_int_equal(the_node(scene, "coins")->parent, chest);
    assert_int_equal(the_node(scene, "other")->parent, node_named(scene, "sector 0,0"));
    assert_place(the_node(scene, "bag"), 0, 0, 0); /* where the chest is */
    assert_place(the_node(scene, "key"), 0, 0, 0);
    assert_int_equal(the_node(scene, "key")->mesh, -1);
    assert_int_equal(the_node(scene, "key")->role, MST_ROLE_ENTITY);
    assert_int_equal(extra_of(&the_node(scene, "coins")->extras, "slot")->integer, 2);
    assert_int_equal(extra_of(&the_node(scene, "bag")->extras, "position_x")->integer, 7);
    assert_int_equal(scene->light_count, 0); /* carried things emit no light */
    mst_scene_free(scene);
}

/* Unnamed objects have the names of their types; data after an inventory is reported as well. */
static void test_labels(void **state) {
    (void)state;
    static const char text[] =
        SECTOR("15", OBJECT("character", "7", "", "1", "5,6,7", "") "," OBJECT("exit", "7", "", "1", "5,6,7",
                                                                               "") "," //
               OBJECT("character", "99", "", "1", "5,6,7", "") ","                     //
               OBJECT("container", "1", "box", "1", "5,6,7",
                      ",\"inventory\":[" OBJECT("tile", "4026531841", "", "1", "1,2,3",
                                                "") "],\"inventory_tail\":\"010203\"") "," //
               OBJECT("weapon", "7", "Mine", "1", "5,6,7",
                      ",\"stats\":[{\"value\":3,\"id\":\"A   \"},{\"value\":4,\"id\":\"    \"}]"));
    int asked = 0;
    mst_resolver resolver = {.find = find_definitions, .user = &asked};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene = scene_of_text(text, "1_0_0.dat", &options);
    check_scene(scene);
    unsigned clubs = 0, labels = 0;
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (strcmp(node->name, "Club") != 0)
            continue;
        clubs++;
        labels += *node->label != 0;
        if (*node->label) /* an exit without a name has no label */
            assert_string_equal(node->label, "Club");
    }
    assert_int_equal(clubs, 2);
    assert_int_equal(labels, 1);
    assert_string_equal(the_node(scene, "character 00000063")->label, "");
    const mst_node *floor = the_node(scene, "DunFloor"), *box = the_node(scene, "box");
    assert_int_equal(floor->role, MST_ROLE_ENTITY); /* carried things do not count as ground */
    assert_int_equal(floor->parent, box - scene->nodes);
    assert_int_equal(extra_of(&box->extras, "inventory_tail_bytes")->integer, 3);
    const mst_node *mine = the_node(scene, "Mine");
    assert_int_equal(extra_of(&mine->extras, "stat_A")->integer, 3);
    assert_int_equal(extra_of(&mine->extras, "stat_")->integer, 4);
    mst_scene_free(scene);
    /* a resolver that finds nothing */
    resolver.find = NULL;
    scene = scene_of_text(text, "1_0_0.dat", &options);
    assert_string_equal(the_node(scene, "character 00000007")->class_name, "character");
    mst_scene_free(scene);
}

static mst_status find_nothing(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user, (void)name, (void)bytes, (void)size;
    return MST_NO_PATH;
}

/* If one of several sectors does not state its place, they are not a level. */
static void test_no_level(void **state) {
    (void)state;
    static const char text[] = SECTOR("15", OBJECT("item", "7", "a", "1", "5,6,7", ""));
    static const char *const names[][2] = {
        {"1_0_0.dat", "sector.dat"}, {"sector.dat", "1_0_0.dat"}, {"1_0_0.dat", "2_0_1.dat"}};
    mst_resolver resolver = {.find = find_nothing};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    for (size_t i = 0; i < 3; i++) {
        mst_document *documents[2] = {open_json(text, names[i][0]), open_json(text, names[i][1])};
        mst_scene *scene = scene_of(documents, 2, &options);
        check_scene(scene);
        assert_null(find_extra(&scene->extras, "level"));
        assert_int_equal(extra_of(&scene->extras, "sectors")->integer, 2);
        assert_non_null(the_node(scene, "level 1 sector 0,0"));
        mst_scene_free(scene);
    }
}

/* An unusual number of types, each with a box of its own, or a tile. */
static void test_many_types(void **state) {
    (void)state;
    size_t capacity = 400 * 200, length = 0;
    char *text = malloc(capacity);
    assert_non_null(text);
    length +=
        (size_t)snprintf(text, capacity, "{\"$format\":\"revenant-sector\",\"version\":15,\"objects\":[");
    for (unsigned i = 0; i < 400; i++)
        length += (size_t)snprintf(
            text + length, capacity - length,
            "%s{\"object_version\":0,\"class\":\"item\",\"unique_id\":%u,\"name\":\"\",\"flags\":1,"
            "\"position\":[%u,5,6]}",
            i ? "," : "", 1000 + i % 300, i);
    snprintf(text + length, capacity - length, "]}");
    mst_scene *scene = scene_of_text(text, "1_0_0.dat", NULL);
    check_scene(scene);
    assert_int_equal(scene->mesh_count, 300);
    assert_string_equal(scene->meshes[the_node(scene, "item 00000513")->mesh].name, "item 00000513");
    mst_scene_free(scene);
    free(text);
}

/* ---- several sectors --------------------------------------------------------------------------- */

static void test_level(void **state) {
    (void)state;
    static const char first[] = SECTOR("15", OBJECT("item", "1", "one", "1", "3,4,5", "")),
                      second[] = SECTOR("4", "{\"class\":\"item\",\"unique_id\":1,\"name\":\"two\","
                                             "\"position\":[3,4,5]}");
    mst_document *documents[3] = {open_json(first, "maps/7_1_2.DAT"), open_json(second, "7_3_0.dat"), NULL};
    mst_scene *scene = scene_of(documents, 2, NULL);
    check_scene(scene);
    assert_string_equal(scene->name, "level 7");
    assert_int_equal(extra_of(&scene->extras, "sectors")->integer, 2);
    assert_place(the_node(scene, "one"), 1024 + 3, 5, 2048 + 4);
    assert_place(the_node(scene, "two"), 3072 + 3, 5, 4);
    assert_int_equal(the_node(scene, "one")->parent, node_named(scene, "sector 1,2"));
    assert_int_equal(the_node(scene, "two")->parent, node_named(scene, "sector 3,0"));
    assert_int_equal(the_node(scene, "one")->mesh, the_node(scene, "two")->mesh);
    mst_scene_free(scene);

    documents[0] = open_json(first, "7_1_2.DAT");
    documents[1] = open_json(second, "8_3_0.dat");
    documents[2] = open_json(SECTOR("15", ""), NULL);
    scene = scene_of(documents, 3, NULL);
    check_scene(scene);
    assert_string_equal(scene->name, "");
    assert_true(node_named(scene, "level 8 sector 3,0") > 0);
    assert_true(node_named(scene, "sector") > 0);
    mst_scene_free(scene);
}

/* Sizes of tiles are derived from their layout. */
static void test_tiles(void **state) {
    (void)state;
    char text[8192] = "{\"$format\":\"revenant-sector\",\"version\":15,\"objects\":[";
    size_t length = strlen(text);
    for (int i = 0; i < 12; i++) /* floors 64 by 96, a wall along them, and scattered plants */
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%s" OBJECT("tile", "1", "floor", "1", "%d,%d,0", "") "," //
                                   OBJECT("tile", "2", "wall", "1", "%d,500,0",
                                          "") "," OBJECT("tile", "3", "plant", "1", "%d,%d,0", ""),
                                   i ? "," : "", i % 4 * 64, i / 4 * 96, i * 80, i * 71 % 997, i * 37 % 499);
    snprintf(text + length, sizeof text - length, "]}");
    mst_scene *scene = scene_of_text(text, "1_0_0.dat", NULL);
    check_scene(scene);
    static const struct {
        const char *name;
        double x, z;
    } expected[2] = {{"floor", 64, 96}, {"wall", 80, 40}};
    double heights[3];
    static const char *const names[3] = {"floor", "wall", "plant"};
    for (int i = 0; i < 3; i++) {
        const mst_primitive *p = &scene->meshes[the_node(scene, names[i])->mesh].primitives[0];
        double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
        for (uint32_t k = 0; k < 3 * p->vertex_count; k++) {
            double value = (double)p->positions[k];
            low[k % 3] = value < low[k % 3] ? value : low[k % 3];
            high[k % 3] = value > high[k % 3] ? value : high[k % 3];
        }
        assert_close(low[0], -high[0], 0);
        assert_close(low[1], high[1], 0);
        heights[i] = low[1];
        if (i < 2) {
            assert_close(high[0] - low[0], expected[i].x, 0);
            assert_close(high[2] - low[2], expected[i].z, 0);
        } else {
            assert_true(high[0] - low[0] < 30 && high[2] - low[2] < 30);
        }
    }
    assert_true(heights[0] < heights[1] && heights[1] < heights[2]);
    mst_scene_free(scene);
}

/* ---- hostile ----------------------------------------------------------------------------------- */

static void test_hostile(void **state) {
    (void)state;
    static const char text[] = SECTOR(
        "15",
        OBJECT("tile", "4294967295", "", "4294967295", "-2147483648,2147483647,-2147483648",
               ",\"rotation_z\":255,\"map_index\":-2147483648,\"light\":{\"flags\":255,\"position\":"
               "[-2147483648,2147483647,-2147483648],\"color\":[0,0,0],\"intensity\":255,\"multiplier\":"
               "32767}") "," OBJECT("tile", "4294967295", "", "0", "2147483647,-1,2147483647",
                                    ",\"velocity\":[-1,0,1]") "," //
                                                              "{\"object_version\":32767,\"class\":32767,"
                                                              "\"unique_id\":1,\"position\":[1,2,3]},"
                                                              "{\"object_version\":1,\"class\":-5,\"unique_"
                                                              "id\":1}," //
                                                              "{\"object_version\":0,\"class\":\"player\","
                                                              "\"unique_id\":0,\"player\":\"\"}");
    for (int named = 0; named < 2; named++) {
        mst_scene *scene = scene_of_text(text, named ? "999999_999999_999999.DAT" : NULL, NULL);
        check_scene(scene);
        const mst_node *tile = the_node(scene, "tile ffffffff");
        if (named)
            assert_place(tile, 999999.0 * 1024, -2147483648.0, (float)(999999.0 * 1024 + 1023));
        const mst_extra *flags = extra_of(&tile->extras, "flags");
        assert_int_equal(flags->kind, MST_EXTRA_REAL);
        assert_close(flags->real, 4294967295.0, 0);
        for (size_t i = 0; i < scene->light_count; i++)
            assert_true(isfinite(scene->lights[i].intensity) && scene->lights[i].intensity < 1000);
        mst_pixels picture = {0};
        mst_diagnostic why;
        for (int view = MST_VIEW_ABOVE; view <= MST_VIEW_DIMETRIC; view++) {
            mst_picture_options how = {
                .size = sizeof how, .view = (mst_view)view, .width = 300, .height = 200};
            MUST(mst_scene_draw(scene, &how, &picture, &why), &why);
            mst_pixels_free(&picture);
        }
        mst_scene_free(scene);
    }
}

/* Inventories nested as deep as the file allows: neither stack nor time may grow without bound. */
static void test_deep(void **state) {
    (void)state;
    enum { DEPTH = 3000 };
    size_t capacity = (size_t)DEPTH * 160 + 200;
    char *text = malloc(capacity);
    assert_non_null(text);
    size_t length =
        (size_t)snprintf(text, capacity, "{\"$format\":\"revenant-sector\",\"version\":3,\"objects\":[");
    for (int i = 0; i < DEPTH; i++)
        length += (size_t)snprintf(text + length, capacity - length,
                                   "{\"class\":\"container\",\"unique_id\":1,\"inventory\":[");
    for (int i = 0; i < DEPTH; i++)
        length += (size_t)snprintf(text + length, capacity - length, "]}");
    snprintf(text + length, capacity - length, "]}");
    mst_document *document = NULL;
    mst_open_options options = {.size = sizeof options, .name = "1_0_0.dat", .lenient_json = 1};
    mst_status status = mst_open_json(text, strlen(text), &options, &document, NULL);
    free(text);
    if (status != MST_OK) { /* JSON may be limited in depth; then there is nothing to prove */
        skip();
        return;
    }
    mst_scene *scene = scene_of(&document, 1, NULL);
    assert_int_equal(scene->node_count, DEPTH + 2);
    assert_int_equal(scene->nodes[DEPTH + 1].parent, DEPTH);
    mst_scene_free(scene);
}

/* Whichever allocation fails, there is no scene, nothing leaks, and it is reported. */
static void test_no_memory(void **state) {
    (void)state;
    static const char text[] =
        SECTOR("15", OBJECT("container", "1", "chest", "5", "1,2,3",
                            LIGHT("0", "1,2,3", "4", "5") ",\"inventory\":["      //
                            OBJECT("item", "2", "bag", "1", "7,7,7", "") "]") "," //
               OBJECT("tile", "4", "", "1", "1,2,3", ",\"stats\":[{\"value\":3,\"id\":\"DMG\\u0000\"}]"));
    int asked = 0;
    mst_resolver resolver = {.find = find_definitions, .user = &asked};
    mst_document *document = open_json(text, "1_0_0.dat");
    for (size_t budget = 256; budget < 16384; budget += 40 * sample_step()) {
        mst_scene_options options = {.size = sizeof options, .budget = budget, .sidecars = &resolver};
        mst_scene *scene = NULL;
        mst_diagnostic why;
        mst_status status =
            mst_scene_from_documents((const mst_document *const *)&document, 1, &options, &scene, &why);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        assert_true((status == MST_OK) == (scene != NULL));
        mst_scene_free(scene);
    }
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
        counted memory = {.fail_at = fail_at, .for_good = true}; /* a single failure may be handled */
        mst_scene_options options = {
            .size = sizeof options, .allocator = counted_allocator(&memory), .sidecars = &resolver};
        mst_scene *scene = NULL;
        mst_status status =
            mst_scene_from_documents((const mst_document *const *)&document, 1, &options, &scene, NULL);
        done = !memory.failed;
        assert_int_equal(status, done ? MST_OK : MST_NO_MEMORY);
        mst_scene_free(scene);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong);
        assert_true(fail_at < 10000);
    }
    mst_close(document);
}

/* ---- pictures ---------------------------------------------------------------------------------- */

/* The middle of all pixels of a colour. */
static void find_color(const mst_pixels *picture, const uint8_t color[3], double middle[2]) {
    double sum[2] = {0, 0}, count = 0;
    for (uint32_t row = 0; row < picture->height; row++)
        for (uint32_t column = 0; column < picture->width; column++)
            if (memcmp(picture->data + ((size_t)row * picture->width + column) * 4, color, 3) == 0) {
                sum[0] += column + 0.5;
                sum[1] += row + 0.5;
                count++;
            }
    assert_true(count > 0);
    middle[0] = sum[0] / count;
    middle[1] = sum[1] / count;
}

/* The 2:1 projection: a step along X goes right and half as much down, along Z left and down, a step up
 * 0.866 up. Four classes have marks of four colours. */
static void test_dimetric(void **state) {
    (void)state;
    static const char text[] = SECTOR("15", OBJECT("armor", "1", "", "1", "500,500,200", "") "," //
                                      OBJECT("exit", "2", "", "1", "700,500,200", "") ","        //
                                      OBJECT("food", "3", "", "1", "500,700,200", "") ","        //
                                      OBJECT("key", "4", "", "1", "500,500,400", ""));
    static const uint8_t colors[4][3] = {{255, 92, 92}, {255, 255, 255}, {255, 150, 40}, {236, 118, 220}};
    static const double expected[4][2] = {{0, 0}, {1, 0.5}, {-1, 0.5}, {0, -0.8660254}};
    mst_scene *scene = scene_of_text(text, "1_0_0.dat", NULL);
    mst_pixels picture = {0};
    mst_picture_options how = {.size = sizeof how,
                               .view = MST_VIEW_DIMETRIC,
                               .width = 1600,
                               .height = 1200,
                               .no_legend = 1,
                               .no_grid = 1};
    mst_diagnostic why;
    double at[4][2];
    MUST(mst_scene_draw(scene, &how, &picture, &why), &why);
    for (int i = 0; i < 4; i++)
        find_color(&picture, colors[i], at[i]);
    mst_pixels_free(&picture);
    mst_scene_free(scene);
    double step = at[1][0] - at[0][0];
    assert_true(step > 100);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            assert_close(at[i][k] - at[0][k], expected[i][k] * step, 1.5);
}

/* ---- real sectors ------------------------------------------------------------------------------ */

/* The number after "name": within one entry of expected.json; -1 if it is missing. */
static long number_after(const char *from, const char *end, const char *name) {
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = strstr(from, key);
    return found && found < end ? strtol(found + strlen(key), NULL, 10) : -1;
}

/* Compares scenes with the figures of a file. `chained`: the figures of version 0, whose objects include
 * those carried by others. Returns the number of its files. */
static size_t compare_with(const char *figures, bool chained) {
    size_t size, files = 0;
    uint8_t *expected = corpus_read(figures, &size);
    char path[1024];
    if (!expected)
        return 0;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memcpy(text, expected, size);
    text[size] = 0;
    free(expected);
    for (const char *entry = text; (entry = strstr(entry, "\"file\": \"")) != NULL;) {
        entry += 9;
        const char *stop = strstr(entry, "\"file\": \""), *end = stop ? stop : text + size;
        char name[80] = "revenant/";
        size_t length = strcspn(entry, "\"");
        assert_true(length < 60);
        memcpy(name + 9, entry, length);
        name[9 + length] = 0;
        const char *classes = strstr(entry, "\"classes\":");
        if (!classes || classes > end || !corpus_path(name, path, sizeof path) ||
            (strncmp(name, "revenant/v0/", 12) == 0) != chained)
            continue;
        const char *classes_end = strchr(classes, '}');
        mst_document *document;
        mst_diagnostic why;
        MUST(mst_open_file(path, NULL, &document, &why), &why);
        mst_scene *scene = scene_of(&document, 1, NULL);
        check_scene(scene);
        long objects = 0, carried = 0, lights = 0, counts[32] = {0};
        static const char *const names[] = {
            "item",      "weapon", "armor",       "food",   "container",    "tile",     "exit",
            "character", "trap",   "shadow",      "helper", "key",          "money",    "effect",
            "player",    "scroll", "lightsource", "ammo",   "rangedweapon", "talisman", "tool"};
        for (size_t i = 0; i < scene->node_count; i++) {
            const mst_node *node = &scene->nodes[i];
            if (node->role == MST_ROLE_GROUP)
                continue;
            if (node->role == MST_ROLE_LIGHT) {
                lights++;
                continue;
            }
            if (scene->nodes[node->parent].role != MST_ROLE_GROUP) {
                carried++;
                if (!chained)
                    continue;
            }
            objects++;
            for (size_t k = 0; k < sizeof names / sizeof *names; k++)
                counts[k] += strcmp(node->class_name, names[k]) == 0;
        }
        if (objects != number_after(entry, end, "objects") ||
            carried != number_after(entry, end, chained ? "chained_items" : "in_inventories") ||
            lights != number_after(entry, end, "lights"))
            print_error("%s: %ld objects, %ld carried, %ld lights\n", name, objects, carried, lights);
        assert_int_equal(objects, number_after(entry, end, "objects"));
        assert_int_equal(carried, number_after(entry, end, chained ? "chained_items" : "in_inventories"));
        assert_int_equal(lights, number_after(entry, end, "lights"));
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            long wanted = number_after(classes, classes_end, names[k]);
            assert_int_equal(counts[k], wanted < 0 ? 0 : wanted);
        }
        mst_scene_free(scene);
        files++;
    }
    free(text);
    return files;
}

static void test_corpus(void **state) {
    (void)state;
    size_t files = compare_with("revenant/expected.json", false);
    if (!files)
        skip();
    assert_true(files > 20);
    assert_int_equal(compare_with("revenant/expected_v0.json", true), 8);
}

/* Up to version 2 a chain leads through the slots of the carried objects, in any order. */
static void test_chains(void **state) {
    (void)state;
    /* 2 carries 0, 4 and 1; 4 cannot also carry 1; 3 and 5 carry each other; 6 carries itself, and the chain
     * of 8 leads to an empty slot */
    static const char text[] =
        "{\"$format\":\"revenant-sector\",\"$version\":2,\"version\":2,\"objects\":["
        "{\"class\":\"armor\",\"name\":\"coat\",\"first_item\":-1,\"next_item\":4,\"position\":[5,6,7]},"
        "{\"class\":\"money\",\"name\":\"coin\",\"first_item\":-1,\"next_item\":-1},"
        "{\"class\":\"character\",\"name\":\"Locke\",\"first_item\":0,\"next_item\":-1},"
        "{\"class\":\"item\",\"name\":\"hen\",\"first_item\":5,\"next_item\":-1},"
        "{\"class\":\"container\",\"name\":\"purse\",\"first_item\":1,\"next_item\":1},"
        "{\"class\":\"item\",\"name\":\"egg\",\"first_item\":3,\"next_item\":-1},"
        "{\"class\":\"item\",\"name\":\"self\",\"first_item\":6,\"next_item\":6},"
        "{\"class\":\"empty\"},"
        "{\"class\":\"tool\",\"name\":\"bag\",\"first_item\":9,\"next_item\":-1},"
        "{\"class\":\"item\",\"name\":\"lost\",\"first_item\":9,\"next_item\":7}]}";
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = "44_3_5.DAT", .lenient_json = 1};
    MUST(mst_open_json(text, strlen(text), &options, &document, &why), &why);
    mst_scene *scene = scene_of(&document, 1, NULL);
    check_scene(scene);
    static const struct {
        const char *name, *carrier; /* NULL: no carrier */
        const char *path;
    } wanted[] = {{"coat", "Locke", "objects[0]"},  {"coin", "Locke", "objects[1]"},
                  {"purse", "Locke", "objects[4]"}, {"lost", NULL, "objects[9]"},
                  {"Locke", NULL, "objects[2]"},    {"self", NULL, "objects[6]"}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const mst_node *node = the_node(scene, wanted[i].name), *parent = &scene->nodes[node->parent];
        char path[40];
        mst_scene_source_path(&node->source, path, sizeof path);
        assert_string_equal(path, wanted[i].path);
        if (wanted[i].carrier)
            assert_string_equal(parent->name, wanted[i].carrier);
        else
            assert_int_equal(parent->role, MST_ROLE_GROUP);
    }
    /* of those that carry each other, one is on the ground */
    int32_t hen = node_named(scene, "hen"), egg = node_named(scene, "egg");
    assert_int_equal((scene->nodes[hen].parent == egg) + (scene->nodes[egg].parent == hen), 1);
    mst_scene_free(scene);
}

int test_revenant_scene(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),    cmocka_unit_test(test_facing),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_lights),    cmocka_unit_test(test_inventory), cmocka_unit_test(test_level),
        cmocka_unit_test(test_labels),    cmocka_unit_test(test_no_level),  cmocka_unit_test(test_many_types),
        cmocka_unit_test(test_tiles),     cmocka_unit_test(test_hostile),   cmocka_unit_test(test_deep),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_dimetric),  cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_chains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
