/* SPDX-License-Identifier: MIT */
/* Models of Natural Selection 2: a model written field by field, refusals, and every check. */
#include "spark_model_file.h"
#include <mapstone/mapstone.h>

static mst_document *open_model(uint32_t version) {
    writer w = {0};
    mst_document *opened, *document;
    mst_diagnostic why;
    write_spark_model(&w, version);
    MUST(mst_open_memory(w.data, w.size, NULL, &opened, &why), &why);
    assert_string_equal(mst_document_format(opened)->id, "spark-model");
    /* one that does not need the bytes */
    mst_buffer text = {.allocator = {NULL, NULL}};
    mst_value root = mst_root(opened);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    MUST(mst_open_json((const char *)text.data, text.size, NULL, &document, &why), &why);
    assert_same_bytes(document, w.data, w.size);
    mst_buffer_free(&text);
    mst_close(opened);
    writer_free(&w);
    return document;
}

static void assert_count(const mst_document *document, const char *path, uint64_t count) {
    mst_value value;
    mst_diagnostic why;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    if (mst_count(&value) != count)
        fail_msg("%s has %llu elements", path, (unsigned long long)mst_count(&value));
}

static void assert_real(const mst_document *document, const char *path, double expected) {
    mst_value value;
    mst_diagnostic why;
    double number = 0;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    MUST(mst_get_real(&value, &number), NULL);
    if (!(number > expected - 1e-6 && number < expected + 1e-6))
        fail_msg("%s is %g", path, number);
}

static void assert_text(const mst_document *document, const char *path, const char *expected) {
    mst_value value;
    mst_diagnostic why;
    char text[64];
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
    assert_string_equal(text, expected);
}

static const uint32_t versions[] = {3, 5, 7};

/* Each field is at the described place. */
static void fields(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        mst_document *document = open_model(versions[i]);
        assert_int_equal(mst_document_version(document), versions[i]);
        assert_round_trips(document);
        assert_count(document, "vertices", 16);
        assert_real(document, "vertices[6].position[1]", 2);
        assert_real(document, "vertices[6].normal[2]", -0.894427);
        assert_real(document, "vertices[6].uv[1]", 0.75);
        assert_real(document, "vertices[6].bones[0].weight", 1);
        assert_real(document, "vertices[6].bones[0].index", 1);
        assert_count(document, "indices", 18);
        assert_real(document, "face_sets[1].first_face", 2);
        assert_count(document, "face_sets[1].palette", 2);
        assert_text(document, "bones[1].name", "tip");
        assert_real(document, "bones[0].pose.translation[1]", 0.5);
        assert_real(document, "bones[0].pose.flip", 1);
        assert_text(document, "materials[1]", "models/bottom.material");
        assert_real(document, "animations[0].frame_rate", 30);
        assert_count(document, "animations[0].tracks[0].frames", 2);
        assert_real(document, "animations[0].tracks[0].frames[1].translation[1]", 1.5);
        assert_text(document, "animations[0].tags[0].name", "hit");
        assert_real(document, "animation_nodes[1].maximum", 1);
        assert_count(document, "animation_nodes[2].nodes", 2);
        assert_text(document, "sequences[0].name", "idle");
        assert_text(document, "blend_parameters[0]", "move_speed");
        assert_count(document, "solids[1].triangles", 4);
        assert_real(document, "solids[1].to_bone.origin[1]", 0.25);
        assert_real(document, "joints[0].maximum[2]", 1);
        assert_text(document, "attach_points[1].name", "door");
        assert_real(document, "cameras[0].to_bone.origin[2]", -5);
        if (versions[i] >= 5) {
            assert_text(document, "collision_reps.names[0].name", "default");
            assert_real(document, "collision_pairs[0].solid_2", 1);
            assert_real(document, "bounding_box.half_size[1]", 1);
            assert_count(document, "bone_bounding_boxes", 2);
        }
        if (versions[i] >= 7) {
            assert_count(document, "animations[0].curves", 2);
            assert_real(document, "animations[0].curves[1].position.values[1][1]", 1);
            assert_real(document, "animations[0].curves[1].rotation.values[0][3]", 1);
            assert_real(document, "vertices[0].color[3]", 255);
            assert_text(document, "animation_model", "models/other.model");
        }
        mst_close(document);
    }
}

/* ---- refusals ------------------------------------------------------------------------------------ */

static void assert_refused(const void *bytes, size_t size, const char *code) {
    mst_open_options as = {.size = sizeof as, .format = "spark-model"};
    mst_document *document;
    mst_diagnostic why;
    assert_int_equal(mst_open_memory(bytes, size, &as, &document, &why), MST_DAMAGED);
    assert_string_equal(why.code, code);
}

static void refused(void **state) {
    (void)state;
    assert_refused("MDX\7", 4, "SPARK-MODEL-MAGIC");
    assert_refused("MDL\4", 4, "SPARK-MODEL-VERSION");
    assert_refused("MDL\6", 4, "SPARK-MODEL-VERSION");
    assert_refused("MDL", 3, "SPARK-MODEL-CHUNK-OVERRUN");
    assert_refused("MDL\7\1", 5, "SPARK-MODEL-TRAILING");
    assert_refused("MDL\7\1\0\0\0\5\0\0\0\0\0\0\0", 16, "SPARK-MODEL-CHUNK-OVERRUN");
    assert_refused("MDL\7\1\0\0\0\5\0\0\0\0\0\0\0\0", 17, "SPARK-MODEL-TRAILING");
    assert_refused("MDL\7\2\0\0\0\4\0\0\0\1\0\0\0", 16, "SPARK-MODEL-COUNT");
    assert_refused("MDL\7\4\0\0\0\10\0\0\0\1\0\0\0\1\0\0\0", 20, "SPARK-MODEL-STRING-OVERRUN");
    assert_null(mst_identify("MD", 2, 2, "x", NULL));
    assert_null(mst_identify("XDL", 3, 3, "x", NULL));
}

/* ---- checks -------------------------------------------------------------------------------------- */

static void check_of(const mst_document *document, findings *list) {
    mst_diagnostic why;
    MUST(mst_check(document, NULL, collect, list, NULL, &why), &why);
}

static void nothing(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        mst_document *document = open_model(versions[i]);
        findings list = {0};
        check_of(document, &list);
        print_findings(&list);
        assert_int_equal(list.count, 0);
        findings_free(&list);
        mst_close(document);
    }
}

typedef struct fault {
    const char *path, *value; /* NULL: removed */
    const char *code, *at;    /* the only finding, and its path */
} fault;
static const fault faults[] = {
    {"indices[3]", "16", "SPARK-MODEL-INDEX", "indices[3]"},
    {"face_sets[0].material", "2", "SPARK-MODEL-MATERIAL-INDEX", "face_sets[0].material"},
    {"face_sets[0].palette[0]", "2", "SPARK-MODEL-PALETTE", "face_sets[0].palette[0]"},
    {"face_sets[1].palette", "[0, 1, 0]", "SPARK-MODEL-PALETTE-DUPLICATE", "face_sets[1].palette"},
    {"face_sets[1].palette", "[0]", "SPARK-MODEL-WEIGHT-INDEX", "vertices[6]"},
    {"face_sets[1].face_count", "5", "SPARK-MODEL-FACESET-RANGE", "face_sets[1]"},
    {"materials[0]", "\"\"", "SPARK-MODEL-MATERIAL-NAME", "materials[0]"},
    {"materials[0]", "\"a\\\\b.material\"", "SPARK-MODEL-MATERIAL-NAME", "materials[0]"},
    {"materials[1]", "\"a.dds\"", "SPARK-MODEL-MATERIAL-NAME", "materials[1]"},
    {"vertices[0].normal", "[0, -0.5, 0]", "SPARK-MODEL-NORMAL", "vertices[0]"},
    {"vertices[0].normal", "[0, -1.5, 0]", "SPARK-MODEL-NORMAL", "vertices[0]"},
    {"vertices[0].tangent[0]", "\"NaN\"", "SPARK-MODEL-NONFINITE", "vertices[0].tangent[0]"},
    {"vertices[1].bones[1].weight", "0.5", "SPARK-MODEL-WEIGHT-SUM", "vertices[1]"},
    {"vertices[6].position", "[1, 0, -1]", "SPARK-MODEL-TRIANGLE-FLAT", "indices[6]"},
    {"bones[0].parent", "1", "SPARK-MODEL-BONE-PARENT", "bones[0].parent"},
    {"bones[0].parent", "0", "SPARK-MODEL-BONE-PARENT", "bones[0].parent"},
    {"bones[0].parent", "2", "SPARK-MODEL-BONE-PARENT", "bones[0].parent"},
    {"bone_bounding_boxes[1]", NULL, "SPARK-MODEL-BONE-BOUNDS", "bone_bounding_boxes"},
    {"collision_reps.reps[0].solid_count", "3", "SPARK-MODEL-REP-RANGE", "collision_reps.reps[0]"},
    {"collision_reps.reps[0].first_joint", "1", "SPARK-MODEL-REP-RANGE", "collision_reps.reps[0]"},
    {"collision_reps.reps[0].pair_count", "2", "SPARK-MODEL-REP-RANGE", "collision_reps.reps[0]"},
    {"collision_reps.names[0].rep", "1", "SPARK-MODEL-REP-RANGE", "collision_reps.names[0].rep"},
    {"collision_reps.names[0].name", "damage", "SPARK-MODEL-REP-NAME", "collision_reps.names"},
    {"solids[0].bone", "2", "SPARK-MODEL-SOLID-BONE", "solids[0].bone"},
    {"solids[0].triangles[3]", "[1, 3, 4]", "SPARK-MODEL-SOLID-INDEX", "solids[0].triangles[3][2]"},
    {"solids[0].triangles[3]", NULL, "SPARK-MODEL-SOLID-OPEN", "solids[0]"},
    {"solids[0].triangles[3]", "[1, 2, 3]", "SPARK-MODEL-SOLID-OPEN", "solids[0]"},
    {"joints[0].solid_1", "2", "SPARK-MODEL-JOINT-SOLID", "joints[0].solid_1"},
    {"joints[0].solid_2", "none", "SPARK-MODEL-JOINT-SOLID", "joints[0].solid_2"},
    {"collision_pairs[0].solid_2", "2", "SPARK-MODEL-PAIR-SOLID", "collision_pairs[0].solid_2"},
    {"attach_points[0].bone", "2", "SPARK-MODEL-ATTACH-BONE", "attach_points[0].bone"},
    {"cameras[0].bone", "2", "SPARK-MODEL-CAMERA-BONE", "cameras[0].bone"},
    {"animations[0].tracks[0].bone", "2", "SPARK-MODEL-ANIM-BONE", "animations[0].tracks[0].bone"},
    {"animations[0].curves[1]", NULL, "SPARK-MODEL-ANIM-CURVES", "animations[0].curves"},
    {"animations[0].tags[0].frame", "2", "SPARK-MODEL-ANIM-TAG", "animations[0].tags[0].frame"},
    {"animations[0].compressed", "2", "SPARK-MODEL-BOOL", "animations[0].compressed"},
    {"animation_nodes[0].animation", "1", "SPARK-MODEL-NODE-REF", "animation_nodes[0].animation"},
    {"animation_nodes[1].nodes[1]", "3", "SPARK-MODEL-NODE-REF", "animation_nodes[1].nodes[1]"},
    {"animation_nodes[2].nodes[1]", "3", "SPARK-MODEL-NODE-REF", "animation_nodes[2].nodes[1]"},
    {"animation_nodes[1].parameter", "1", "SPARK-MODEL-NODE-PARAMETER", "animation_nodes[1].parameter"},
    {"sequences[0].node", "3", "SPARK-MODEL-SEQUENCE-NODE", "sequences[0].node"},
    {"animation_nodes[0]", "{\"type\": 4, \"flags\": []}", "SPARK-MODEL-NODE-TYPE",
     "animation_nodes[0].type"},
};

/* The box of a model with animated bones contains all its poses rather than the stored vertices. */
static void boxes(void **state) {
    (void)state;
    mst_document *document = open_model(7);
    mst_diagnostic why;
    findings list = {0};
    MUST(mst_set(document, "vertices[6].position", "[0, 2.1, 0]", &why), &why);
    check_of(document, &list);
    assert_int_equal(list.count, 0);
    MUST(mst_set(document, "bone_bounding_boxes", "[]", &why), &why);
    check_of(document, &list);
    assert_int_equal(count_code(&list, "SPARK-MODEL-BOUNDS"), 1);
    findings_free(&list);
    mst_close(document);

    document = open_model(7);
    mst_operation still[] = {{.kind = MST_OPERATION_REMOVE, .path = "sequences"},
                             {.kind = MST_OPERATION_REMOVE, .path = "animation_nodes"},
                             {.kind = MST_OPERATION_REMOVE, .path = "animations"}};
    const mst_edit_options cascade = {.size = sizeof cascade, .cascade = 1};
    MUST(mst_edit(document, still, sizeof still / sizeof *still, &cascade, &why), &why);
    check_of(document, &list);
    const size_t before = list.count;
    assert_int_equal(count_code(&list, "SPARK-MODEL-BOUNDS"), 0);
    findings_free(&list);
    MUST(mst_set(document, "vertices[6].position", "[0, 2.1, 0]", &why), &why);
    check_of(document, &list);
    assert_int_equal(list.count, before + 1);
    assert_int_equal(count_code(&list, "SPARK-MODEL-BOUNDS"), 1);
    assert_string_equal(list.items[list.count - 1].path, "bounding_box");
    findings_free(&list);
    mst_close(document);
}

static void each_fault(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const fault *f = &faults[i];
        mst_document *document = open_model(7);
        mst_diagnostic why;
        findings list = {0};
        if (f->value)
            MUST(mst_set(document, f->path, f->value, &why), &why);
        else
            MUST(mst_remove(document, f->path, &why), &why);
        check_of(document, &list);
        bool only = list.count == 1 && !strcmp(list.items[0].code, f->code);
        /* consequences of an index out of range */
        bool also = !strcmp(f->code, "SPARK-MODEL-SOLID-INDEX") && count_code(&list, f->code) == 1;
        if (!only && !also) {
            print_findings(&list);
            fail_msg("%s = %s gives %zu findings", f->path, f->value ? f->value : "nothing", list.count);
        }
        if (only)
            assert_string_equal(list.items[0].path, f->at);
        findings_free(&list);
        assert_round_trips(document);
        mst_close(document);
    }
}

/* Faults with other faults as a consequence. */
static void several_faults(void **state) {
    (void)state;
    static const struct {
        const char *path, *value, *codes[3];
    } edits[] = {
        {"face_sets[1].first_face",
         "1",
         {"SPARK-MODEL-FACESET-ORDER", "SPARK-MODEL-FACESET-COVER", "SPARK-MODEL-VERTEX-SHARED"}},
        {"face_sets[1].face_count", "3", {"SPARK-MODEL-FACESET-COVER", "SPARK-MODEL-VERTEX-LOOSE", NULL}},
        {"face_sets[0].first_face",
         "9",
         {"SPARK-MODEL-FACESET-RANGE", "SPARK-MODEL-FACESET-ORDER", "SPARK-MODEL-VERTEX-LOOSE"}},
        {"indices",
         "[0, 2, 1, 0, 3, 2, 4, 6, 5, 7, 9, 8, 10, 12, 11, 13, 15, 14]",
         {"SPARK-MODEL-WINDING", NULL, NULL}},
        {"indices",
         "[0, 1, 2, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]",
         {"SPARK-MODEL-INDEX-COUNT", "SPARK-MODEL-FACESET-RANGE", NULL}},
        {"face_sets", "[]", {"SPARK-MODEL-FACESET-COVER", "SPARK-MODEL-VERTEX-LOOSE", NULL}},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        mst_document *document = open_model(7);
        mst_diagnostic why;
        findings list = {0};
        MUST(mst_set(document, edits[i].path, edits[i].value, &why), &why);
        check_of(document, &list);
        print_findings(&list);
        for (size_t k = 0; k < 3 && edits[i].codes[k]; k++)
            assert_true(count_code(&list, edits[i].codes[k]) > 0);
        findings_free(&list);
        mst_close(document);
    }
}

static void large_palette(void **state) {
    (void)state;
    char text[400] = "[0";
    for (unsigned i = 1; i <= 60; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", %u", i);
    snprintf(text + strlen(text), sizeof text - strlen(text), "]");
    mst_document *document = open_model(7);
    mst_diagnostic why;
    findings list = {0};
    MUST(mst_set(document, "face_sets[0].palette", text, &why), &why);
    check_of(document, &list);
    assert_int_equal(count_code(&list, "SPARK-MODEL-PALETTE-SIZE"), 1);
    assert_int_equal(count_code(&list, "SPARK-MODEL-PALETTE-DUPLICATE"), 0);
    findings_free(&list);
    mst_close(document);
}

/* Chunks in another order, twice, unknown, and missing. */
static void chunks(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *code;
        size_t count;
    } files[] = {
        {"MDL\3\1\0\0\0\4\0\0\0\0\0\0\0\2\0\0\0\4\0\0\0\0\0\0\0\3\0\0\0\4\0\0\0\0\0\0\0\6\0\0\0\4\0\0\0\0\0\0"
         "\0"
         "\4\0\0\0\4\0\0\0\0\0\0\0",
         64, NULL, 0},
        {"MDL\3\2\0\0\0\4\0\0\0\0\0\0\0\1\0\0\0\4\0\0\0\0\0\0\0\3\0\0\0\4\0\0\0\0\0\0\0\6\0\0\0\4\0\0\0\0\0\0"
         "\0"
         "\4\0\0\0\4\0\0\0\0\0\0\0",
         64, "SPARK-MODEL-CHUNK-ORDER", 1},
        {"MDL\3\1\0\0\0\4\0\0\0\0\0\0\0\2\0\0\0\4\0\0\0\0\0\0\0\3\0\0\0\4\0\0\0\0\0\0\0\6\0\0\0\4\0\0\0\0\0\0"
         "\0"
         "\4\0\0\0\4\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0",
         72, "SPARK-MODEL-CHUNK-DUPLICATE", 1},
        {"MDL\3\1\0\0\0\4\0\0\0\0\0\0\0\2\0\0\0\4\0\0\0\0\0\0\0\3\0\0\0\4\0\0\0\0\0\0\0\6\0\0\0\4\0\0\0\0\0\0"
         "\0"
         "\4\0\0\0\4\0\0\0\0\0\0\0\14\0\0\0\0\0\0\0",
         72, "SPARK-MODEL-CHUNK-UNKNOWN", 1},
        {"MDL\3", 4, "SPARK-MODEL-CHUNK-MISSING", 5},
        {"MDL\7", 4, "SPARK-MODEL-CHUNK-MISSING", 7},
        {"MDL\3\1\0\0\0\4\0\0\0\0\0\0\0\2\0\0\0\4\0\0\0\0\0\0\0\6\0\0\0\4\0\0\0\0\0\0\0\4\0\0\0\4\0\0\0\0\0\0"
         "\0",
         52, "SPARK-MODEL-CHUNK-MISSING", 1},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        mst_document *document;
        mst_diagnostic why;
        findings list = {0};
        MUST(mst_open_memory(files[i].bytes, files[i].size, NULL, &document, &why), &why);
        check_of(document, &list);
        print_findings(&list);
        assert_int_equal(list.count, files[i].count);
        if (files[i].code)
            assert_int_equal(count_code(&list, files[i].code), files[i].count);
        findings_free(&list);
        assert_round_trips(document);
        mst_close(document);
    }
}

/* A caller that stops after one finding gets no other. */
static mst_status stop(void *user, const mst_diagnostic *diagnostic) {
    (void)diagnostic;
    ++*(unsigned *)user;
    return MST_STOPPED;
}

static void stopping(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        const fault *f = &faults[i];
        mst_document *document = open_model(7);
        mst_diagnostic why;
        unsigned seen = 0;
        if (f->value)
            MUST(mst_set(document, f->path, f->value, &why), &why);
        else
            MUST(mst_remove(document, f->path, &why), &why);
        assert_int_equal(mst_check(document, NULL, stop, &seen, NULL, &why), MST_STOPPED);
        assert_int_equal(seen, 1);
        mst_close(document);
    }
}

int test_spark_model(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),        cmocka_unit_test(refused),    cmocka_unit_test(nothing),
        cmocka_unit_test(boxes),         cmocka_unit_test(each_fault), cmocka_unit_test(several_faults),
        cmocka_unit_test(large_palette), cmocka_unit_test(chunks),     cmocka_unit_test(stopping)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
