/* SPDX-License-Identifier: MIT */
/* Findings that only one value can correct: one value of a correct file is spoilt, and fixing must restore
 * the file to the byte. Cases that need sidecars, or damage that edits refuse, are in the tests of the
 * format: test_sfa_maps_check, test_sfa_voxmap. */
#include "../src/edit/fix_findings.h"
#include "fixing.h"
#include "fixtures.h"
#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static const struct {
    const char *code, *fixture, *path, *wrong;
} cases[] = {
    {"NS2-TRIANGLE-COUNT", "outpost", "mesh.triangles.triangle_count", "3"},
    {"ALIEN-ENEMY-MASK", "bunker", "map.enemy_mask", "3"},
    {"ALIEN-GFX-COUNT", "bunker-textures", "information.rectangle_count", "7"},
    {"ALIEN-GFX-COUNT", "bunker-textures", "information.unknown_08", "7"},
    {"ALIEN-GFX-COUNT", "alien_sprites", "type", "0009"},
    {"ALIEN-GFX-COUNT", "alien_models", "type", "0009"},
    {"REV-HASH", "keep_7_10_10", "state_hash", "5"},
    {"REV-IMAGE-OBJECT-SIZE", "revenant_image", "object_size_excess", "4"},
    {"REV-IMAGE-OBJECT-SIZE", "revenant_model", "object_size_excess", "4"},
    {"SFA-BOUNDS", "sfa_block", "block.lists[0].bounds_min", "[1,2,3]"},
    {"SFA-BOUNDS", "sfa_block", "block.polygon_groups[0].x_max", "1"},
    {"SFA-BOUNDS", "sfa_block", "block.y_min", "-3000"},
    {"SFA-SUB-BLOCKS", "sfa_block", "block.polygons[0].sub_blocks", "3"},
    {"SFA-BITS", "sfa_block", "block.lists[0].shader_bit_address", "40"},
    {"SFA-LAYER-ROWS", "sfa_maps", "maps[0].layer_row_count", "9"},
};
/* Codes tested with their formats, or below. */
static const char *const elsewhere[] = {"SFA-INFO-OBJECTS",   "SFA-INFO-SIZE",         "SFA-STUB",
                                        "SFA-VOXMAP-RANKS",   "TUROK-GRID-BOUNDS",     "TUROK-GRID-EMPTY",
                                        "SPARK-MODEL-BOUNDS", "NS2-TRIANGLES-MISSING", "NS2-FACE-LAYERS"};

static mst_document *open_fixture(const char *name, fixture *f) {
    mst_document *document = NULL;
    mst_diagnostic why;
    for (size_t i = 0; i < FIXTURES; i++)
        if (strcmp(fixtures[i].name, name) == 0 && fixture_make(&fixtures[i], f)) {
            MUST(fixture_open(f->source, f->files, &document, &why), &why);
            return document;
        }
    return NULL; /* not supported by this build */
}

static size_t findings_of(const mst_document *document, const char *code) {
    findings list = {0};
    const mst_check_options all = {.size = sizeof all, .information = 1};
    MUST(mst_check(document, &all, collect, &list, NULL, NULL), NULL);
    size_t count = count_code(&list, code);
    findings_free(&list);
    return count;
}

static void each_is_as_before(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fixture f;
        fixed_list list;
        mst_diagnostic why;
        size_t size;
        mst_document *document = open_fixture(cases[i].fixture, &f);
        if (!document)
            continue;
        print_message("# %s %s\n", cases[i].fixture, cases[i].path);
        size_t before = findings_of(document, cases[i].code);
        MUST(mst_set(document, cases[i].path, cases[i].wrong, &why), &why);
        assert_true(findings_of(document, cases[i].code) > before);
        assert_true(fix(document, NULL, cases[i].code, &list) >= 1);
        assert_non_null(strstr(list.text, cases[i].path));
        assert_int_equal(findings_of(document, cases[i].code), 0);
        const void *bytes = mst_document_file(document, 0, NULL, &size);
        if (!before) {
            assert_int_equal(size, f.files[0].size);
            assert_memory_equal(bytes, f.files[0].data, size);
        }
        assert_int_equal(fix(document, NULL, cases[i].code, &list), 0);
        mst_close(document);
        fixture_free(&f);
    }
}

/* The boxes of the sample are rounded differently: turok.md allows 0.05. */
static void boxes_of_cells(void **state) {
    (void)state;
    fixture f;
    fixed_list list;
    mst_diagnostic why;
    mst_value root, number;
    mst_document *document = open_fixture("valley", &f);
    if (!document)
        skip();
    double before, after;
    static const char *const paths[] = {"grid_bounds.minimums[0][0]", "grid_bounds.maximums[0][1]"};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        root = mst_root(document);
        MUST(mst_find(root, paths[i], &number, &why), &why);
        MUST(mst_get_real(&number, &before), NULL);
        MUST(mst_set(document, paths[i], i ? "1" : "9999", &why), &why);
        assert_int_equal(findings_of(document, "TUROK-GRID-BOUNDS"), 1);
        assert_int_equal(fix(document, NULL, NULL, &list), 1);
        assert_non_null(strstr(list.text, paths[i]));
        assert_int_equal(findings_of(document, "TUROK-GRID-BOUNDS"), 0);
        root = mst_root(document);
        MUST(mst_find(root, paths[i], &number, &why), &why);
        MUST(mst_get_real(&number, &after), NULL);
        assert_true(fabs(after - before) <= 0.05);
    }
    mst_close(document);
    fixture_free(&f);
    document = open_fixture("valley", &f);
    assert_non_null(document);
    assert_int_equal(findings_of(document, "TUROK-GRID-EMPTY"), 0);
    mst_value sections, meshes, section;
    root = mst_root(document);
    MUST(mst_member(&root, "grid_sections", &sections), NULL);
    char path[64] = "";
    for (uint64_t i = 0; i < mst_count(&sections) && !*path; i++)
        if (mst_element(&sections, i, &section) == MST_OK &&
            mst_member(&section, "static_meshes", &meshes) != MST_OK)
            snprintf(path, sizeof path, "grid_bounds.maximums[%u][1]", (unsigned)i);
    assert_string_not_equal(path, "");
    MUST(mst_set(document, path, "77", &why), &why);
    assert_int_equal(findings_of(document, "TUROK-GRID-EMPTY"), 1);
    assert_int_equal(fix(document, NULL, "TUROK-GRID-EMPTY", &list), 1);
    assert_int_equal(findings_of(document, "TUROK-GRID-EMPTY"), 0);
    mst_close(document);
    fixture_free(&f);
}

/* Boxes that depend on animations cannot be computed. */
static void boxes_of_models(void **state) {
    (void)state;
    fixture f;
    fixed_list list;
    mst_diagnostic why;
    mst_document *document = open_fixture("spark_model", &f);
    assert_non_null(document);
    MUST(mst_set(document, "bounding_box.half_size", "[0.1,0.1,0.1]", &why), &why);
    assert_int_equal(findings_of(document, "SPARK-MODEL-BOUNDS"), 0);
    assert_int_equal(fix(document, NULL, "SPARK-MODEL-BOUNDS", &list), 0);
    mst_operation still[] = {{.kind = MST_OPERATION_REMOVE, .path = "sequences"},
                             {.kind = MST_OPERATION_REMOVE, .path = "animation_nodes"},
                             {.kind = MST_OPERATION_REMOVE, .path = "animations"}};
    const mst_edit_options cascade = {.size = sizeof cascade, .cascade = 1};
    MUST(mst_edit(document, still, COUNT_OF(still), &cascade, &why), &why);
    assert_int_equal(findings_of(document, "SPARK-MODEL-BOUNDS"), 1);
    assert_true(fix(document, NULL, "SPARK-MODEL-BOUNDS", &list) >= 1);
    assert_int_equal(findings_of(document, "SPARK-MODEL-BOUNDS"), 0);
    mst_close(document);
    fixture_free(&f);
}

/* Triangles and layers of all faces, whose chunks are empty or missing. A face without a hole gets a fan or
 * another triangulation: its corners less two triangles. */
static void what_a_mesh_lacks(void **state) {
    (void)state;
    static const char *const without[] = {
        "", ",\"triangles\":{\"triangle_count\":0,\"faces\":[]},\"face_layers\":{\"faces\":[]}"};
    for (size_t i = 0; i < COUNT_OF(without); i++)
        for (unsigned version = 4; version <= 10; version += 3) {
            char json[1200];
            fixed_list list;
            mst_diagnostic why;
            mst_document *document;
            mst_value value;
            snprintf(
                json, sizeof json,
                "{\"$format\":\"ns2-level\",\"version\":%u,\"mesh\":{\"materials\":[\"a\"],\"vertices\":[{"
                "\"position\":[0,0,0]},"
                "{\"position\":[0,0,4]},{\"position\":[4,0,4]},{\"position\":[4,0,0]}],\"edges\":[{"
                "\"vertices\":[0,1]},"
                "{\"vertices\":[1,2]},{\"vertices\":[2,3]},{\"vertices\":[3,0]}],\"faces\":[{\"scale\":[1,1],"
                "\"mapping_group\":4294967295,\"loops\":[[{\"edge\":0},{\"edge\":1},{\"edge\":2},{\"edge\":3}"
                "]]}]%s}}",
                version,
                version == 4 && i ? ",\"triangles\":{\"faces\":[]},\"face_layers\":{\"masks\":[]}"
                                  : without[i]);
            const mst_open_options lenient = {.size = sizeof lenient, .lenient_json = 1};
            MUST(mst_open_json(json, strlen(json), &lenient, &document, &why), &why);
            assert_int_equal(findings_of(document, "NS2-TRIANGLES-MISSING"), 1);
            assert_int_equal(findings_of(document, "NS2-FACE-LAYERS"), 1);
            assert_true(fix(document, NULL, NULL, &list) >= 1);
            assert_int_equal(findings_of(document, "NS2-TRIANGLES-MISSING"), 0);
            assert_int_equal(findings_of(document, "NS2-FACE-LAYERS"), 0);
            assert_int_equal(findings_of(document, "NS2-TRIANGLE-COUNT"), 0);
            MUST(mst_find(mst_root(document), "mesh.triangles.faces[0]", &value, &why), &why);
            assert_int_equal(mst_count(&value), 2);
            MUST(mst_find(mst_root(document),
                          version < 5 ? "mesh.face_layers.masks" : "mesh.face_layers.faces", &value, &why),
                 &why);
            assert_int_equal(mst_count(&value), 1);
            assert_int_equal(fix(document, NULL, NULL, &list), 0);
            mst_close(document);
        }
}

/* Correct values are kept, and so are those not requested, and those that others must decide. */
static void nothing_else(void **state) {
    (void)state;
    fixture f;
    fixed_list list;
    mst_diagnostic why;
    mst_document *document = open_fixture("bunker", &f);
    if (!document)
        skip();
    assert_int_equal(fix(document, NULL, NULL, &list), 0);
    assert_false(mst_is_edited(document));
    MUST(mst_set(document, "map.enemy_mask", "3", &why), &why);
    assert_int_equal(fix(document, NULL, "ALIEN-RUNS", &list), 0);
    assert_string_equal(list.text, "");
    MUST(mst_fix(document, NULL, NULL, &why), &why); /* no options: everything */
    assert_int_equal(findings_of(document, "ALIEN-ENEMY-MASK"), 0);
    mst_close(document);
    fixture_free(&f);
    assert_int_equal(mst_fix(NULL, NULL, NULL, &why), MST_ARGUMENT);
    assert_null(mst_fix_of(mst_format_at(0), "ALIEN-ENEMY-MASK-NOT"));
    assert_null(mst_fix_of(NULL, "REV-HASH"));
    assert_null(mst_fix_of(mst_format_at(0), NULL));
}

static mst_status stop(void *user, const mst_fixed_value *one) {
    (void)user, (void)one;
    return MST_STOPPED;
}

static void a_stop_changes_nothing(void **state) {
    (void)state;
    fixture f;
    mst_diagnostic why;
    mst_document *document = open_fixture("keep_7_10_10", &f);
    if (!document)
        skip();
    MUST(mst_set(document, "state_hash", "5", &why), &why);
    const mst_fix_options how = {.size = sizeof how, .fixed = stop};
    uint64_t count = 9;
    assert_int_equal(mst_fix(document, &how, &count, &why), MST_STOPPED);
    assert_int_equal(count, 0);
    assert_int_equal(findings_of(document, "REV-HASH"), 1);
    mst_close(document);
    fixture_free(&f);
}

/* Each fixed code belongs to its format, and has a test. */
static void all_are_tested(void **state) {
    (void)state;
    size_t fixed = 0;
    for (size_t i = 0; i < mst_format_count(); i++) {
        const mst_code_information *one;
        for (size_t k = 0; (one = mst_code_at(mst_format_at(i), k)) != NULL; k++) {
            if (!mst_fix_of(mst_format_at(i), one->code))
                continue;
            bool tested = false;
            fixed++;
            for (size_t c = 0; c < COUNT_OF(cases); c++)
                tested = tested || strcmp(cases[c].code, one->code) == 0;
            for (size_t c = 0; c < COUNT_OF(elsewhere); c++)
                tested = tested || strcmp(elsewhere[c], one->code) == 0;
            if (!tested)
                print_error("%s is not tested\n", one->code);
            assert_true(tested);
        }
    }
    assert_true(fixed > COUNT_OF(elsewhere));
}

int test_fix(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_as_before), cmocka_unit_test(boxes_of_cells),
        cmocka_unit_test(boxes_of_models),   cmocka_unit_test(what_a_mesh_lacks),
        cmocka_unit_test(nothing_else),      cmocka_unit_test(a_stop_changes_nothing),
        cmocka_unit_test(all_are_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
