/* SPDX-License-Identifier: MIT */
/* The files that a level references, and the files that these reference: found in any case, once, and missing
 * ones reported.
 */
#include "../src/read/opened.h"
#include "dds_file.h"
#include "ns2_level.h"
#include "spark_model_file.h"
#include <ctype.h>
#include <mapstone/asset.h>
#include <mapstone/level.h>

#define ENTITY(model)                                                                                        \
    "{\"class_name\":\"prop_static\",\"group\":4294967295,\"properties\":["                                  \
    "{\"name\":\"model\",\"type\":4,\"value\":[\"" model "\"]},"                                             \
    "{\"name\":\"origin\",\"type\":9,\"value\":[1,2,3]}]}"
#define DECAL                                                                                                \
    "{\"class_name\":\"decal\",\"group\":4294967295,\"properties\":["                                        \
    "{\"name\":\"material\",\"type\":4,\"value\":[\"materials/arrow.material\"]},"                           \
    "{\"name\":\"material\",\"type\":4,\"value\":[\"materials/second.material\"]}]}"
#define LEVEL(materials, objects)                                                                            \
    "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"materials\":[" materials "],\"triangles\":{}},"   \
    "\"objects\":[" objects "]}"

/* ---- files in memory ----------------------------------------------------------------------------- */

typedef struct file {
    const char *name, *text; /* text NULL: it cannot be read */
    size_t size;             /* 0: the text's */
} file;

static const file *files;
static size_t file_count, asked;

static mst_status find(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user;
    asked++;
    for (size_t i = 0; i < file_count; i++) {
        size_t k = 0;
        while (name[k] && tolower((unsigned char)name[k]) == tolower((unsigned char)files[i].name[k]))
            k++;
        if (name[k] || files[i].name[k])
            continue;
        *bytes = files[i].text;
        *size = files[i].size ? files[i].size : files[i].text ? strlen(files[i].text) : 0;
        return files[i].text ? MST_OK : MST_IO;
    }
    return MST_NO_PATH;
}

static const mst_resolver resolver = {.find = find};

static mst_document *level_of(const char *text) {
    const mst_open_options how = {.size = sizeof how, .lenient_json = 1};
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_json(text, strlen(text), &how, &document, &why), &why);
    return document;
}

/* ---- the list ------------------------------------------------------------------------------------ */

/* Lists as lines: kind, state, uses, name, source of the reference, path. */
static void lists(const char *text, const file *with, size_t count, const char *expected) {
    static const char *const states[] = {"found", "missing", "outside", "unreadable"};
    char all[2000] = "";
    mst_assets *assets;
    mst_diagnostic why;
    mst_document *document = level_of(text);
    const mst_document *const documents[] = {document};
    files = with;
    file_count = count;
    MUST(mst_assets_of(documents, 1, &resolver, &assets, &why), &why);
    for (size_t i = 0; i < assets->count; i++) {
        const mst_asset *one = &assets->items[i];
        size_t length = strlen(all);
        assert_int_equal(one->document, 0);
        assert_int_equal(one->bytes != NULL, one->state == MST_ASSET_FOUND);
        bool beside = strcmp(one->name, "materials/wall_n.png") == 0;
        assert_string_equal(one->file, beside ? "materials/wall_n.dds" : one->name);
        assert_int_equal(one->size != 0, one->state == MST_ASSET_FOUND);
        snprintf(all + length, sizeof all - length, "%s %s %llu %s (%s %s)\n", mst_asset_kind_name(one->kind),
                 states[one->state], (unsigned long long)one->uses, one->name,
                 one->by == MST_NO_ASSET ? "-" : assets->items[one->by].name, one->path);
    }
    assert_string_equal(all, expected);
    mst_assets_free(assets);
    mst_close(document);
}

static void everything_is_listed_once(void **state) {
    (void)state;
    writer model = {0}, wall = {0};
    write_spark_model(&model, 7);
    put_dds_header(&wall, 1, 1, 0, NULL, 32);
    put_u32(&wall, 0x12345678);
    const file with[] = {
        {"materials/Wall.material",
         "shader = \"shaders/Level.surface_shader\"\nalbedoMap = \"materials/wall.dds\"\n"
         "normalMap = \"materials/wall_n.png\"\nemissiveMap = \"*screen\"\nspecularMap = \"%inherit\"\n"
         "scanMap = \"bad.dds\"\nnoiseMap = \"noise.png\"\n",
         0},
        {"materials/wall.dds", (const char *)wall.data, wall.size},
        {"materials/wall_n.dds", (const char *)wall.data, wall.size},
        {"bad.dds", (const char *)wall.data, wall.size - 1},
        {"noise.png", "of no format that is known", 0},
        {"empty.material", "// nothing\n", 0},
        {"models/a.model", (const char *)model.data, model.size},
        {"models/bottom.material", "shader = \"../core/shaders/Model.surface_shader\"\n", 0},
    };
    lists(LEVEL("\"materials/wall.material\",\"materials\\\\none.material\",\"empty.material\"",
                ENTITY("models/A.model") "," ENTITY("models/a.model") "," ENTITY("") "," DECAL),
          with, sizeof with / sizeof *with,
          "material found 1 materials/wall.material (- mesh.materials[0])\n"
          "material missing 1 materials/none.material (- mesh.materials[1])\n"
          "material unreadable 1 empty.material (- mesh.materials[2])\n"
          "model found 2 models/A.model (- objects[0].properties[0].value)\n"
          "material missing 1 materials/arrow.material (- objects[3].properties[0].value)\n"
          "shader missing 1 shaders/Level.surface_shader (materials/wall.material values[0].value)\n"
          "texture found 1 materials/wall.dds (materials/wall.material values[1].value)\n"
          "texture found 1 materials/wall_n.png (materials/wall.material values[2].value)\n"
          "texture unreadable 1 bad.dds (materials/wall.material values[5].value)\n"
          "texture found 1 noise.png (materials/wall.material values[6].value)\n"
          "material missing 1 models/sides.material (models/A.model materials[0])\n"
          "material found 1 models/bottom.material (models/A.model materials[1])\n"
          "model missing 1 models/other.model (models/A.model animation_model)\n"
          "shader missing 1 shaders/Model.surface_shader (models/bottom.material values[0].value)\n");
    free(model.data);
    free(wall.data);
}

/* Models with circular animation references also end. */
static void circles_end(void **state) {
    (void)state;
    writer model = {0};
    write_spark_model(&model, 7);
    const file with[] = {{"models/a.model", (const char *)model.data, model.size},
                         {"models/other.model", (const char *)model.data, model.size}};
    lists(LEVEL("", ENTITY("models/a.model")), with, 2,
          "model found 1 models/a.model (- objects[0].properties[0].value)\n"
          "material missing 2 models/sides.material (models/a.model materials[0])\n"
          "material missing 2 models/bottom.material (models/a.model materials[1])\n"
          "model found 2 models/other.model (models/a.model animation_model)\n");
    free(model.data);
}

static void nothing_leads_out_of_the_root(void **state) {
    static const char *const names[] = {"/etc/passwd", "..",  "a/../../b", "c:/a.material",
                                        "a//b",        "./a", "a/..",      "\\\\\\\\a",
                                        "../cores/a",  "a/",  "a\\u0001b"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[300];
        snprintf(text, sizeof text, LEVEL("\"%s\"", ""), names[i]);
        mst_document *document = level_of(text);
        const mst_document *const documents[] = {document};
        mst_assets *assets;
        asked = 0;
        MUST(mst_assets_of(documents, 1, &resolver, &assets, NULL), NULL);
        assert_int_equal(assets->count, 1);
        assert_int_equal(assets->items[0].state, MST_ASSET_OUTSIDE);
        assert_int_equal(asked, 0);
        mst_assets_free(assets);
        mst_close(document);
    }
    /* a name that is too long is truncated, and not looked for */
    char name[700], text[900];
    memset(name, 'a', sizeof name);
    name[sizeof name - 1] = 0;
    snprintf(text, sizeof text, LEVEL("\"%s\"", ""), name);
    mst_document *document = level_of(text);
    const mst_document *const documents[] = {document};
    mst_assets *assets;
    MUST(mst_assets_of(documents, 1, NULL, &assets, NULL), NULL);
    assert_int_equal(assets->items[0].state, MST_ASSET_OUTSIDE);
    mst_assets_free(assets);
    mst_close(document);
}

static void many_names_are_kept(void **state) {
    (void)state;
    char *text = malloc(1 << 16), *at = text;
    assert_non_null(text);
    at += sprintf(at, "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"triangles\":{},\"materials\":[");
    for (unsigned i = 0; i < 1000; i++)
        at += sprintf(at, "%s\"materials/%u.material\"", i ? "," : "", i % 700);
    sprintf(at, "]}}");
    mst_document *document = level_of(text);
    const mst_document *const documents[] = {document};
    mst_assets *assets;
    MUST(mst_assets_of(documents, 1, NULL, &assets, NULL), NULL);
    assert_int_equal(assets->count, 700);
    for (size_t i = 0; i < 700; i++)
        assert_int_equal(assets->items[i].uses, i < 300 ? 2 : 1);
    mst_assets_free(assets);
    mst_close(document);
    free(text);
}

static void missing_arguments(void **state) {
    (void)state;
    mst_document *none = NULL;
    const mst_document *const documents[] = {none};
    mst_assets *assets;
    assert_int_equal(mst_assets_of(documents, 1, NULL, &assets, NULL), MST_ARGUMENT);
    assert_int_equal(mst_assets_of(NULL, 1, NULL, &assets, NULL), MST_ARGUMENT);
    assert_int_equal(mst_assets_of(documents, 0, NULL, NULL, NULL), MST_ARGUMENT);
    MUST(mst_assets_of(NULL, 0, NULL, &assets, NULL), NULL);
    assert_int_equal(assets->count, 0);
    mst_assets_free(assets);
    mst_assets_free(NULL);
    assert_int_equal(mst_level_assets(NULL, &assets, NULL), MST_ARGUMENT);
    assert_string_equal(mst_asset_kind_name((mst_asset_kind)99), "asset");
}

static void any_allocation_may_fail(void **state) {
    (void)state;
    writer model = {0};
    write_spark_model(&model, 7);
    const file with[] = {{"models/a.model", (const char *)model.data, model.size}};
    files = with;
    file_count = 1;
    for (size_t fail_at = 1;; fail_at++) {
        static const char text[] = LEVEL("\"materials/a.material\"", ENTITY("models/a.model"));
        counted c = {.fail_at = SIZE_MAX};
        const mst_open_options how = {
            .size = sizeof how, .lenient_json = 1, .allocator = counted_allocator(&c)};
        mst_document *document;
        mst_assets *assets;
        MUST(mst_open_json(text, sizeof text - 1, &how, &document, NULL), NULL);
        const mst_document *const documents[] = {document};
        c.calls = 0;
        c.fail_at = fail_at;
        mst_status status = mst_assets_of(documents, 1, &resolver, &assets, NULL);
        c.fail_at = SIZE_MAX;
        mst_assets_free(assets);
        mst_close(document);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (status == MST_OK)
            break;
        assert_int_equal(status, MST_NO_MEMORY);
    }
    free(model.data);
}

/* ---- checks -------------------------------------------------------------------------------------- */

typedef struct reports {
    char text[2000];
} reports;

static mst_status note(void *user, const mst_diagnostic *one) {
    reports *all = user;
    size_t length = strlen(all->text);
    if (strncmp(one->code, "SPARK-", 6) == 0)
        snprintf(all->text + length, sizeof all->text - length, "%s %s %s%s\n", one->code, one->path,
                 one->expected, strcmp(one->code, "SPARK-MISSING") == 0 ? one->message : one->found);
    return MST_OK;
}

static void reports_of(mst_document *document, const mst_resolver *with, bool assets, const char *expected) {
    reports all = {""};
    mst_diagnostic why;
    const mst_check_options how = {.size = sizeof how, .information = 1, .sidecars = with, .assets = assets};
    MUST(mst_check(document, &how, note, &all, NULL, &why), &why);
    assert_string_equal(all.text, expected);
    mst_close(document);
}

static void missing_files_are_reported(void **state) {
    (void)state;
    const file with[] = {{"materials/a.material",
                          "shader = \"shaders/Level.surface_shader\"\nalbedoMap = \"materials/none.dds\"\n",
                          0},
                         {"models/bad.model", "MDL\x07\x01", 0},
                         {"models/locked.model", NULL, 0}};
    static const char text[] = LEVEL("\"materials/a.material\",\"materials/none.material\",\"../x.material\"",
                                     ENTITY("models/none.model") "," ENTITY("models/none.model") "," ENTITY(
                                         "models/bad.model") "," ENTITY("models/locked.model"));
    files = with;
    file_count = sizeof with / sizeof *with;
    reports_of(level_of(text), &resolver, true,
               "SPARK-MATERIAL-MISSING mesh.materials[1] materials/none.material\n"
               "SPARK-PATH mesh.materials[2] ../x.material\n"
               "SPARK-MODEL-MISSING objects[0].properties[0].value models/none.model, 2 times\n"
               "SPARK-UNREADABLE objects[2].properties[0].value models/bad.model\n"
               "SPARK-UNREADABLE objects[3].properties[0].value models/locked.model\n"
               "SPARK-TEXTURE-MISSING  materials/none.dds, for materials/a.material\n"
               "SPARK-MISSING  1 model, 1 material and 1 texture that are named were not found\n");
    reports_of(level_of(text), &resolver, false, "");
    reports_of(level_of(text), NULL, true, "");
    reports_of(level_of(LEVEL("", "")), &resolver, true, "");
}

/* Models and materials also have these findings alone. */
static void other_files_are_checked(void **state) {
    (void)state;
    writer model = {0};
    mst_document *document;
    mst_diagnostic why;
    write_spark_model(&model, 7);
    file_count = 0;
    MUST(mst_open_memory(model.data, model.size, NULL, &document, &why), &why);
    reports_of(document, &resolver, true,
               "SPARK-MATERIAL-MISSING materials[0] models/sides.material\n"
               "SPARK-MATERIAL-MISSING materials[1] models/bottom.material\n"
               "SPARK-MODEL-MISSING animation_model models/other.model\n"
               "SPARK-MISSING  1 model, 2 materials and 0 textures that are named were not found\n");
    free(model.data);
    static const char pairs[] =
        "shader = \"a.surface_shader\"\nalbedoMap = \"a.dds\"\nnormalMap = \"/b.dds\"\n";
    MUST(mst_open_memory(pairs, sizeof pairs - 1,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.material"},
                         &document, &why),
         &why);
    reports_of(document, &resolver, true,
               "SPARK-TEXTURE-MISSING values[1].value a.dds\nSPARK-PATH values[2].value /b.dds\n"
               "SPARK-MISSING  0 models, 0 materials and 1 texture that are named were not found\n");
    MUST(mst_open_memory(pairs, sizeof pairs - 1,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.material"},
                         &document, &why),
         &why);
    reports_of(document, NULL, false, "SPARK-PATH values[2].value /b.dds\n");
    static const char xml[] = "<material><maps><map type=\"texture\" value=\"a.dds\"/></maps></material>";
    MUST(mst_open_memory(xml, sizeof xml - 1,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.material"},
                         &document, &why),
         &why);
    reports_of(document, &resolver, true,
               "SPARK-MATERIAL-XML  \nSPARK-TEXTURE-MISSING values[0].value a.dds\n"
               "SPARK-MISSING  0 models, 0 materials and 1 texture that are named were not found\n");
}

int test_assets(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_listed_once),
        cmocka_unit_test(circles_end),
        cmocka_unit_test(nothing_leads_out_of_the_root),
        cmocka_unit_test(many_names_are_kept),
        cmocka_unit_test(missing_arguments),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(missing_files_are_reported),
        cmocka_unit_test(other_files_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
