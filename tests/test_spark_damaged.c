/* SPDX-License-Identifier: MIT */
/* Levels whose models, materials and textures are damaged: one finding for each unreadable file, and the
 * level is drawn anyway. */
#include "dds_file.h"
#include "spark_model_file.h"
#include <mapstone/export.h>
#include <mapstone/picture.h>
#include <mapstone/scene.h>

/* ---- files in memory ----------------------------------------------------------------------------- */

typedef struct file {
    const char *name;
    const void *bytes;
    size_t size;
} file;

enum { MODEL, MATERIAL, TEXTURE, SOUND, FILES };
static file files[FILES] = {{.name = "models/a.model"},
                            {.name = "models/sides.material"},
                            {.name = "a.dds"},
                            {.name = "models/sound.model"}};

static mst_status find(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user;
    for (size_t i = 0; i < FILES; i++)
        if (strcmp(files[i].name, name) == 0) {
            *bytes = files[i].bytes;
            *size = files[i].size;
            return MST_OK;
        }
    return MST_NO_PATH;
}

static const mst_resolver resolver = {.find = find};

static writer model, texture;
static const char material[] = "// sides\nshader = \"shaders/Level.surface_shader\"\nalbedoMap = \"a.dds\"\n"
                               "normalMap = \"a.dds\"\nspecularMap = \"a.dds\"\nsurface = \"metal\"\n";
static mst_document *level;

static void all_is_sound(void) {
    files[MODEL].bytes = files[SOUND].bytes = model.data;
    files[MODEL].size = files[SOUND].size = model.size;
    files[MATERIAL].bytes = material;
    files[MATERIAL].size = sizeof material - 1;
    files[TEXTURE].bytes = texture.data;
    files[TEXTURE].size = texture.size;
}

#define ENTITY(model, x)                                                                                     \
    "{\"class_name\":\"prop_static\",\"group\":4294967295,\"properties\":["                                  \
    "{\"name\":\"model\",\"type\":4,\"value\":[\"" model "\"]},"                                             \
    "{\"name\":\"origin\",\"type\":9,\"value\":[" x ",0,0]}]}"

static int make_files(void **state) {
    static const char text[] =
        "{\"$format\":\"ns2-level\",\"version\":10,"
        "\"mesh\":{\"triangles\":{},\"materials\":[\"models/sides.material\"]},"
        "\"objects\":[" ENTITY("models/a.model", "0") "," ENTITY("models/sound.model", "5") "]}";
    const mst_open_options how = {.size = sizeof how, .lenient_json = 1};
    mst_diagnostic why;
    (void)state;
    write_spark_model(&model, 7);
    put_dds_header(&texture, 16, 16, 5, "DXT5", 0);
    for (unsigned side = 16; side; side /= 2)
        for (unsigned i = 0; i < (side < 4 ? 1 : side * side / 16); i++)
            put_bytes_of(&texture, "\xFF\x80\x12\x34\x56\x78\x9A\xBC\xDE\xF0\x11\x22\x33\x44\x55\x66", 16);
    MUST(mst_open_json(text, sizeof text - 1, &how, &level, &why), &why);
    return 0;
}

static int free_files(void **state) {
    (void)state;
    writer_free(&model);
    writer_free(&texture);
    mst_close(level);
    return 0;
}

/* ---- drawing the level --------------------------------------------------------------------------- */

/* Whether a file can be read alone. */
static bool can_be_read(const file *one) {
    mst_document *document;
    mst_value values;
    const mst_open_options how = {.size = sizeof how, .name = one->name};
    if (mst_open_memory(one->bytes, one->size, &how, &document, NULL) != MST_OK)
        return false;
    /* of a material some values must remain */
    bool good = mst_find(mst_root(document), "values", &values, NULL) != MST_OK || mst_count(&values);
    mst_close(document);
    return good;
}

static const mst_node *entity(const mst_scene *scene, uint32_t index) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].source.path, "objects") == 0 && scene->nodes[i].source.index == index)
            return &scene->nodes[i];
    fail();
    return NULL;
}

static void assert_drawn(bool model_is_good, bool packed) {
    const mst_scene_options how = {
        .size = sizeof how, .sidecars = &resolver, .specular = 1, .packed_images = packed};
    const mst_picture_options small = {
        .size = sizeof small, .width = 48, .height = 48, .view = MST_VIEW_OBLIQUE, .no_legend = 1};
    mst_scene *scene;
    mst_pixels pixels = {0};
    mst_buffer glb = {0};
    mst_diagnostic why;
    MUST(mst_scene_from_document(level, &how, &scene, &why), &why);
    assert_int_equal(entity(scene, 1)->role, MST_ROLE_GEOMETRY);
    if (!model_is_good)
        assert_int_equal(entity(scene, 0)->role, MST_ROLE_ENTITY);
    MUST(mst_scene_draw(scene, &small, &pixels, &why), &why);
    size_t others = 0;
    for (size_t i = 1; i < 48 * 48; i++)
        others += memcmp(pixels.data, pixels.data + 4 * i, 4) != 0;
    assert_true(others > 48);
    MUST(mst_scene_write_glb(scene, NULL, mst_buffer_sink(&glb), &why), &why);
    assert_true(glb.size > 1000);
    mst_buffer_free(&glb);
    mst_pixels_free(&pixels);
    mst_scene_free(scene);
}

/* Draws the level, and returns whether the current file can be read. */
static bool look(unsigned which) {
    const mst_check_options how = {.size = sizeof how, .sidecars = &resolver, .assets = 1, .information = 1};
    findings list = {0};
    mst_diagnostic why;
    bool good = can_be_read(&files[which]);
    MUST(mst_check(level, &how, collect, &list, NULL, &why), &why);
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.items[i].code, "SPARK-UNREADABLE") == 0) {
            assert_memory_equal(list.items[i].expected, files[which].name, strlen(files[which].name));
            count++;
        }
    if (count != (good ? 0 : 1))
        fail_msg("%zu findings for %s of %zu bytes", count, files[which].name, files[which].size);
    findings_free(&list);
    assert_drawn(which != MODEL || good, false);
    assert_drawn(which != MODEL || good, true);
    return good;
}

static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

#define PARTS 50
/* Truncates a file at every fiftieth, and replaces some of its bytes, or all. Returns how many of the
 * truncated ones could be read. */
static unsigned damage(unsigned which) {
    const file whole = files[which];
    unsigned good = 0;
    uint32_t state = 0x9E3779B9U ^ (uint32_t)whole.size;
    for (unsigned part = 0; part < PARTS; part++) {
        size_t size = whole.size * part / PARTS;
        uint8_t *bytes = malloc(size + 1), *others; /* separate, so that overreads are detected */
        assert_non_null(bytes);
        memcpy(bytes, whole.bytes, size);
        others = size ? realloc(bytes, size) : bytes;
        assert_non_null(others);
        files[which].bytes = others;
        files[which].size = size;
        good += look(which);
        free(others);
    }
    for (unsigned share = 1; share <= whole.size && share <= 4096; share *= 8) { /* one of so many bytes */
        uint8_t *bytes = malloc(whole.size);
        assert_non_null(bytes);
        memcpy(bytes, whole.bytes, whole.size);
        for (size_t i = 0; i < whole.size; i++)
            if (next_random(&state) % share == 0)
                bytes[i] = (uint8_t)(next_random(&state) >> 8);
        files[which].bytes = bytes;
        files[which].size = whole.size;
        look(which);
        free(bytes);
    }
    all_is_sound();
    return good;
}

/* ---- tests --------------------------------------------------------------------------------------- */

static void sound_files(void **state) {
    (void)state;
    all_is_sound();
    for (unsigned which = 0; which < FILES; which++)
        assert_true(look(which));
}

static void damaged_files(void **state) {
    (void)state;
    all_is_sound();
    assert_true(damage(MODEL) <= 3); /* truncated at the end of a chunk a model may be complete */
    assert_int_equal(damage(TEXTURE), 0);
    assert_in_range(damage(MATERIAL), PARTS / 2, PARTS - 2); /* its first line is a comment */
    files[MATERIAL].size = 0;
    assert_false(look(MATERIAL));
    static const char binary[] = "\0\1\2\3=\4\0\xFF\xFE\n\n";
    files[MATERIAL].bytes = binary;
    files[MATERIAL].size = sizeof binary - 1;
    assert_false(look(MATERIAL));
}

/* Real files, including damaged ones. */
static void real_files(void **state) {
    static const struct {
        const char *name;
        unsigned which;
        bool good;
    } all[] = {{"models/holo_warning__60c6f486.model", MODEL, true},
               {"models/hexagon4_4__4221e325.model", MODEL, true},
               {"models/exoshield__2d852d10.model", MODEL, true},
               {"models/placement_circle_marine_team2__0e204292.model", MODEL, true},
               {"models/sentry__9b7dfa49.model", MODEL, true},
               {"models/poster1__465e5c3a.model", MODEL, false},
               {"models/holo_warning__c6134b74.model", MODEL, false},
               {"dds/number0__f327d2fa.dds", TEXTURE, false},
               {"dds/AUSNS2-5__370ff16c.dds", TEXTURE, true},
               {"dds/Cursor_MenuDefault__8210b752.dds", TEXTURE, true},
               {"dds/Cursor_MenuDefault__a12bd587.dds", TEXTURE, true},
               {"dds/clawmarks__33e596c9.dds", TEXTURE, true},
               {"dds/jfk__7102e354.dds", TEXTURE, true},
               {"dds/sentry__6e0b30a4.dds", TEXTURE, true},
               {"dds/combat_experiencebar_background__f0445547.dds", TEXTURE, true},
               {"materials/biodome_glass_01__a1f4503c.material", MATERIAL, true},
               {"materials/web_distort__ceb54bb4.material", MATERIAL, true}};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char name[120];
        size_t size;
        snprintf(name, sizeof name, "spark/%s", all[i].name);
        uint8_t *bytes = corpus_read(name, &size);
        if (!bytes)
            return;
        all_is_sound();
        files[all[i].which].bytes = bytes;
        files[all[i].which].size = size;
        assert_int_equal(look(all[i].which), all[i].good);
        if (all[i].good)
            damage(all[i].which);
        free(bytes);
    }
}

int test_spark_damaged(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sound_files), cmocka_unit_test(damaged_files),
                                       cmocka_unit_test(real_files)};
    return cmocka_run_group_tests(tests, make_files, free_files);
}
