/* SPDX-License-Identifier: MIT */
/* Queries of values: numbers, types, paths, and reading in bulk. */
#include "engine_format.h"
#include "ns2_level.h"

/* ---- queries of values ------------------------------------------------------------------------- */

static void scalars(void **state) {
    (void)state;
    writer w = {.big = true};
    write_everything(&w, 3, 5);
    mst_document d;
    fabricate(&d, &test_format, 3, true, w.data, w.size);
    int64_t integer;
    uint64_t number;
    double real;
    char text[16];
    size_t length;
    const void *bytes;
    mst_value v = value_at(&d, "i64");
    MUST(mst_get_integer(&v, &integer), NULL);
    assert_true(integer == INT64_MIN);
    assert_int_equal(mst_get_unsigned(&v, &number), MST_ARGUMENT);
    v = value_at(&d, "u64");
    assert_int_equal(mst_get_integer(&v, &integer), MST_ARGUMENT);
    MUST(mst_get_unsigned(&v, &number), NULL);
    assert_true(number == UINT64_C(0xFEDCBA9876543210));
    MUST(mst_get_real(&v, &real), NULL);
    assert_true(real == 18364758544493064720.0);
    v = value_at(&d, "i32");
    MUST(mst_get_integer(&v, &integer), NULL);
    assert_int_equal(integer, -2);
    MUST(mst_get_real(&v, &real), NULL);
    assert_true(real == -2.0);
    v = value_at(&d, "f32"); /* not an integer */
    assert_int_equal(mst_get_integer(&v, &integer), MST_ARGUMENT);
    v = value_at(&d, "f64"); /* too large for one */
    assert_int_equal(mst_get_integer(&v, &integer), MST_ARGUMENT);
    v = value_at(&d, "counted[2]");
    MUST(mst_get_integer(&v, &integer), NULL);
    assert_int_equal(integer, 2);
    MUST(mst_get_unsigned(&v, &number), NULL);
    assert_int_equal(number, 2);
    v = value_at(&d, "by_u16"); /* a list of one element can be read as that element, others cannot */
    MUST(mst_get_real(&v, &real), NULL);
    assert_true(real == 0.5);
    v = value_at(&d, "by_u8");
    assert_int_equal(mst_get_unsigned(&v, &number), MST_ARGUMENT);
    v = value_at(&d, "narrow");
    assert_int_equal(mst_get_unsigned(&v, &number), MST_ARGUMENT);
    MUST(mst_get_text(&v, text, sizeof text, &length), NULL);
    assert_string_equal(text, "\xC3\xA9!");
    assert_int_equal(length, 3);
    MUST(mst_get_text(&v, text, 2, &length), NULL); /* half a character is left out */
    assert_string_equal(text, "");
    assert_int_equal(length, 3);
    MUST(mst_get_text(&v, text, 3, NULL), NULL);
    assert_string_equal(text, "\xC3\xA9");
    MUST(mst_get_text(&v, text, 0, &length), NULL);
    assert_int_equal(length, 3);
    MUST(mst_get_bytes(&v, &bytes, &length), NULL);
    assert_int_equal(length, 3);
    assert_memory_equal(bytes, "\xC3\xA9!", 3);
    v = value_at(&d, "wide");
    MUST(mst_get_text(&v, text, sizeof text, &length), NULL);
    assert_string_equal(text, "\xF0\x9F\x98\x80x");
    MUST(mst_get_text(&v, text, 4, &length), NULL);
    assert_string_equal(text, "");
    assert_int_equal(length, 5);
    MUST(mst_get_bytes(&v, &bytes, &length), NULL);
    assert_int_equal(length, 6);
    v = value_at(&d, "name"); /* without the padding */
    MUST(mst_get_text(&v, text, sizeof text, &length), NULL);
    assert_string_equal(text, "name");
    assert_int_equal(length, 4);
    v = value_at(&d, "raw");
    assert_int_equal(mst_get_text(&v, text, sizeof text, &length), MST_ARGUMENT);
    MUST(mst_get_bytes(&v, &bytes, &length), NULL);
    assert_int_equal(length, 2);
    v = value_at(&d, "color");
    assert_string_equal(mst_get_name(&v), "green");
    v = value_at(&d, "u8");
    assert_null(mst_get_name(&v));
    assert_int_equal(mst_get_bytes(&v, &bytes, &length), MST_ARGUMENT);
    discard(&d);
    writer_free(&w);
}

static void types_and_fields(void **state) {
    (void)state;
    static const struct {
        const char *path, *type_name;
        mst_type type;
        uint64_t count;
    } cases[] = {
        {"u8", "u8", MST_TYPE_INTEGER, 0},          {"yes", "bool", MST_TYPE_BOOL, 0},
        {"f64", "f64", MST_TYPE_REAL, 0},           {"narrow", "text", MST_TYPE_TEXT, 0},
        {"wide", "wide text", MST_TYPE_TEXT, 0},    {"raw", "bytes", MST_TYPE_BYTES, 0},
        {"pair", "record", MST_TYPE_RECORD, 2},     {"pairs", "record", MST_TYPE_LIST, 2},
        {"fixed", "i16", MST_TYPE_LIST, 3},         {"by_u8", "u16", MST_TYPE_LIST, 2},
        {"counted", "f32", MST_TYPE_LIST, 3},       {"rest", "u16", MST_TYPE_LIST, 3},
        {"texts", "record", MST_TYPE_LIST, 2},      {"texts[0]", "text", MST_TYPE_TEXT, 0},
        {"sized[1]", "record", MST_TYPE_RECORD, 3}, {"pairs[0:1]", "record", MST_TYPE_LIST, 1},
    };
    writer w = {0};
    write_everything(&w, 3, 5);
    mst_document d;
    fabricate(&d, &test_format, 3, false, w.data, w.size);
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        mst_value v = value_at(&d, cases[i].path), element;
        if (mst_value_type(&v) != cases[i].type || mst_count(&v) != cases[i].count)
            print_error("%s\n", cases[i].path);
        assert_int_equal(mst_value_type(&v), cases[i].type);
        assert_string_equal(mst_value_field(&v).type_name, cases[i].type_name);
        assert_int_equal(mst_count(&v), cases[i].count);
        /* iterating visits as many; elements by index are the same */
        uint64_t met = 0;
        for (mst_iterator it = mst_iterate(&v); mst_next(&it, &element); met++) {
            mst_value same;
            uint64_t a, b, length;
            if (cases[i].type != MST_TYPE_LIST)
                continue;
            MUST(mst_element(&v, met, &same), NULL);
            mst_value_span(&element, &a, &length);
            mst_value_span(&same, &b, &length);
            assert_int_equal(a, b);
        }
        assert_int_equal(met, cases[i].count);
        assert_int_equal(mst_element(&v, cases[i].count, &element), MST_NO_PATH);
        assert_int_equal(mst_element(&v, UINT64_MAX, &element), MST_NO_PATH);
    }
    mst_value whole = mst_root(&d), member;
    assert_int_equal(mst_count(&whole), MST_COUNT_OF(root_fields) - 2); /* "older", and one "value" */
    assert_int_equal(mst_member(&whole, "older", &member), MST_NO_PATH);
    assert_int_equal(mst_member(&whole, "nothing", &member), MST_NO_PATH);
    assert_int_equal(mst_document_version(&d), 3);
    discard(&d);
    writer_free(&w);
}

/* ---- paths ------------------------------------------------------------------------------------- */

static void paths(void **state) {
    (void)state;
    static const struct {
        const char *path, *same; /* the simplest path of the same value */
    } cases[] = {
        {"objects[0].class_name", "objects[0].class_name"},
        {"objects[class_name=logic_timer].class_name", "objects[1].class_name"},
        {"objects[class_name=\"tech_point\"].group", "objects[6].group"},
        {"objects[1].properties[name=scale].value[2]", "objects[1].properties[5].value[2]"},
        {"objects[1].properties[type=bool].name", "objects[1].properties[3].name"},
        {"objects[1].properties[type=9].name", "objects[1].properties[0].name"},
        {"objects[group=none].class_name", "objects[1].class_name"},
        {"layers[name=Upper deck].id", "layers[1].id"},
        {"layers[id=3].name", "layers[1].name"},
        {"layers[id=0x3].name", "layers[1].name"},
        {"mesh.faces[angle=0.25].material", "mesh.faces[0].material"},
        {"mesh.vertices[2:5][1].smooth", "mesh.vertices[3].smooth"},
        {"mesh.vertices[2:5].position[1][0]", "mesh.vertices[3].position[0]"},
        {"mesh.materials[1]", "mesh.materials[1]"},
        {"objects[5:][1].class_name", "objects[6].class_name"},
        {"objects[:2].class_name[1]", "objects[1].class_name"},
        {"editor_settings[0].layers.layer_masks[7]", "editor_settings[0].layers.layer_masks[7]"},
        {".version", "version"},
    };
    static const struct {
        const char *path;
        uint64_t count;
    } slices[] = {
        {"mesh.vertices[:]", 11},     {"mesh.vertices[3:]", 8},           {"mesh.vertices[:3]", 3},
        {"mesh.vertices[3:4]", 1},    {"mesh.vertices[4:4]", 0},          {"mesh.vertices[5:3]", 0},
        {"mesh.vertices[0:999]", 11}, {"mesh.vertices[99:]", 0},          {"objects[2:].class_name", 9},
        {"objects[:]", 11},           {"mesh.vertices[0:4].position", 4},
    };
    static const struct {
        const char *path, *message, *expected; /* NULL: any */
    } errors[] = {
        {"nothing", "there is no field \"nothing\"",
         "magic, version, mesh, objects, layers, groups, viewports, custom_colors, editor_settings"},
        {"Objects", "there is no field \"Objects\"; did you mean \"objects\"?",
         "objects, magic, version, mesh, layers, groups, viewports, custom_colors, editor_settings"},
        {"custom-colours", "there is no field \"custom-colours\"; did you mean \"custom_colors\"?", NULL},
        {"objects[0].class", "there is no field \"class\"; did you mean \"class_name\"?", NULL},
        {"objects[:].clas_name", "the elements have no field \"clas_name\"; did you mean \"class_name\"?",
         NULL},
        {"objects[class_name=Logic_Timer]",
         "no element has class_name=Logic_Timer; did you mean class_name=logic_timer?", NULL},
        {"objects[clasname=x]", "the elements have no field \"clasname\"; did you mean \"class_name\"?",
         NULL},
        {"mesh.nothing", "there is no field \"nothing\"", NULL},
        {"objects.class_name", "\"class_name\" cannot be a field of a list: pick an element", "[0] to [10]"},
        {"objects[11]", "there is no element [11]", "below 11"},
        {"objects[99999999999999999999]", NULL, NULL},
        {"objects[-]", NULL, NULL},
        {"objects[", NULL, NULL},
        {"objects[0", NULL, NULL},
        {"objects[0:", NULL, NULL},
        {"objects[0:x]", "a slice must look like [0:100], not \"[0:x]\"", NULL},
        {"objects[0:1:2]", NULL, NULL},
        {"objects[class_name=nobody]", "no element has class_name=nobody", NULL},
        {"objects[class_name=\"nobody\"]", NULL, NULL},
        {"objects[=x]", NULL, NULL},
        {"objects[class_name=x", NULL, NULL},
        {"objects[class_name=\"x]", NULL, NULL},
        {"version[0]", "this is not a list, so it cannot have \"[0]\"", NULL},
        {"version.x", "there is no field \"x\"", NULL},
        {"mesh.vertices[:][0:2][:]", NULL, NULL},
        {"mesh.vertices[:].nothing", "the elements have no field \"nothing\"", NULL},
        {"mesh..vertices", NULL, NULL},
        {"mesh.", NULL, NULL},
        {"mesh.materials[1].text", NULL, NULL},
        {"]", NULL, NULL},
    };
    writer w = {0};
    level_plan plan = {0};
    write_level(&w, &plan);
    mst_document *d;
    mst_diagnostic why;
    mst_value value, same;
    MUST(mst_open_memory(w.data, w.size, NULL, &d, &why), &why);
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        uint64_t a, b, a_length, b_length;
        mst_status status = mst_find(mst_root(d), cases[i].path, &value, &why);
        if (status != MST_OK)
            print_error("%s\n", cases[i].path);
        MUST(status, &why);
        same = value_at(d, cases[i].same);
        mst_value_span(&value, &a, &a_length);
        mst_value_span(&same, &b, &b_length);
        if (a != b)
            print_error("%s\n", cases[i].path);
        assert_int_equal(a, b);
        assert_int_equal(a_length, b_length);
    }
    for (size_t i = 0; i < MST_COUNT_OF(slices); i++) {
        value = value_at(d, slices[i].path);
        assert_int_equal(mst_value_type(&value), MST_TYPE_LIST);
        if (mst_count(&value) != slices[i].count)
            print_error("%s\n", slices[i].path);
        assert_int_equal(mst_count(&value), slices[i].count);
    }
    for (size_t i = 0; i < MST_COUNT_OF(errors); i++) {
        mst_status status = mst_find(mst_root(d), errors[i].path, &value, &why);
        if (status != MST_NO_PATH)
            print_error("%s: %s\n", errors[i].path, mst_status_text(status));
        assert_int_equal(status, MST_NO_PATH);
        assert_int_equal(why.status, MST_NO_PATH);
        assert_string_equal(why.path, errors[i].path);
        assert_true(why.message[0] != 0);
        if (errors[i].message)
            assert_string_equal(why.message, errors[i].message);
        if (errors[i].expected)
            assert_string_equal(why.expected, errors[i].expected);
        assert_int_equal(mst_find(mst_root(d), errors[i].path, &value, NULL), MST_NO_PATH);
    }
    /* relative to a value */
    same = value_at(d, "objects[1]");
    MUST(mst_find(same, "properties[name=volume].value", &value, &why), &why);
    MUST(mst_find(same, "", &value, &why), &why);
    /* a very long path is accepted */
    char deep[4000];
    memset(deep, 'a', sizeof deep - 1);
    deep[sizeof deep - 1] = 0;
    assert_int_equal(mst_find(mst_root(d), deep, &value, &why), MST_NO_PATH);
    assert_int_equal(strlen(why.path), 399);
    assert_string_equal(why.path + 395, "a...");
    deep[399] = 0; /* all of it fits */
    assert_int_equal(mst_find(mst_root(d), deep, &value, &why), MST_NO_PATH);
    assert_string_equal(why.path, deep);
    deep[399] = 'a';
    char steps[16];
    size_t length = mst_path_step(steps, sizeof steps, 0, "objects", 3);
    assert_string_equal(steps, "objects[3]");
    assert_int_equal(mst_path_step(steps, sizeof steps, length, "properties", UINT64_MAX), 21);
    assert_string_equal(steps, "objects[3].p...");
    memset(deep, '[', sizeof deep - 1);
    assert_int_equal(mst_find(mst_root(d), deep, &value, &why), MST_NO_PATH);
    mst_close(d);
    writer_free(&w);
}

/* ---- bulk reading ------------------------------------------------------------------------------ */

static const mst_field numbers_fields[] = {PREFIXED("f32", F32, U8), PREFIXED("f64", F64, U8),
                                           PREFIXED("i32", I32, U8), PREFIXED("u64", U64, U8),
                                           PREFIXED("i64", I64, U8), PREFIXED("u8", U8, U8)};

static const mst_record numbers = {.name = "numbers", .index = 0, TABLE(numbers_fields)};
static const mst_record *const numbers_records[] = {&numbers};

static const mst_format numbers_format = {
    .information =
        {.id = "numbers", .title = "", .extensions = "", .media_type = "", .versions = "", .rows = ""},
    .tables.root = &numbers,
    .tables.records = numbers_records,
    .tables.record_count = 1,
    .check.problem_codes = PROBLEMS};

/* Iterating over a slice equals iterating over its part of the list. */
static void slices(void **state) {
    (void)state;
    static const struct {
        const char *path;
        uint64_t count;
    } cases[] = {
        {"objects[2:5]", 3},
        {"objects[2:5].class_name", 3},
        {"objects[:]", 0},
        {"objects[3:3]", 0},
        {"objects[1].properties[1:4]", 3},
        {"objects[1].properties[1:4].name", 3},
        {"mesh.vertices[2:4]", 2},
        {"mesh.vertices[2:4].position", 2},
        {"mesh.materials[1:]", 0},
        {"mesh.faces[1:2].loops", 1},
        {"objects[1].properties[5].value[1:3]", 2},
    };
    writer w = {0};
    level_plan plan = {.chunk_in_level = true};
    mst_document *d;
    mst_diagnostic why;
    write_level(&w, &plan);
    MUST(mst_open_memory(w.data, w.size, NULL, &d, &why), &why);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_value slice, went, got;
        uint64_t at = 0;
        MUST(mst_find(mst_root(d), cases[i].path, &slice, &why), &why);
        for (mst_iterator it = mst_iterate(&slice); mst_next(&it, &went); at++) {
            assert_int_equal(mst_element(&slice, at, &got), MST_OK);
            assert_ptr_equal(went.field, got.field);
            assert_true(went.offset == got.offset && mst_value_type(&went) == mst_value_type(&got));
        }
        assert_true(at == mst_count(&slice));
        assert_true(!cases[i].count || at == cases[i].count);
    }
    mst_close(d);
    writer_free(&w);
}

static void conversions(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        static const float singles[8] = {0, 1.75f, -1.75f, 300, -300, 1e20f, INFINITY, -INFINITY};
        put_u8(&w, 9);
        for (int i = 0; i < 8; i++)
            put_f32(&w, singles[i]);
        put_u32(&w, 0x7F812345);
        put_u8(&w, 3), put_f64(&w, 0.1), put_f64(&w, -1e300), put_u64(&w, UINT64_C(0x7FF8000000000001));
        put_u8(&w, 3), put_u32(&w, 0xFFFFFFFF), put_u32(&w, 0x7FFFFFFF), put_u32(&w, 0x80000000);
        put_u8(&w, 2), put_u64(&w, UINT64_MAX), put_u64(&w, 1);
        put_u8(&w, 2), put_u64(&w, (uint64_t)INT64_MIN), put_u64(&w, (uint64_t)INT64_MAX);
        put_u8(&w, 4), put_u8(&w, 0), put_u8(&w, 127), put_u8(&w, 128), put_u8(&w, 255);
        mst_document d;
        mst_diagnostic why;
        fabricate(&d, &numbers_format, 0, big, w.data, w.size);
        MUST(measure(&d, &why), &why);
        uint64_t count;
        mst_value v = value_at(&d, "f32");
        float floats[9];
        mst_target target = {.type = MST_F32, .data = floats, .capacity = 9};
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_int_equal(count, 9);
        assert_memory_equal(floats, singles, sizeof singles);
        assert_int_equal(mst_bits_of_f32(floats[8]), 0x7F812345); /* a NaN keeps its bits */
        double doubles[9];
        target = (mst_target){.type = MST_F64, .data = doubles, .capacity = 9};
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_true(doubles[1] == 1.75 && doubles[7] == -(double)INFINITY && doubles[8] != doubles[8]);
        static const uint8_t as_u8[9] = {0, 1, 0, 255, 0, 255, 255, 0, 0};
        static const int8_t as_i8[9] = {0, 1, -1, 127, -128, 127, 127, -128, 0};
        static const uint16_t as_u16[9] = {0, 1, 0, 300, 0, 65535, 65535, 0, 0};
        static const int16_t as_i16[9] = {0, 1, -1, 300, -300, 32767, 32767, -32768, 0};
        static const uint32_t as_u32[9] = {0, 1, 0, 300, 0, UINT32_MAX, UINT32_MAX, 0, 0};
        static const int32_t as_i32[9] = {0, 1, -1, 300, -300, INT32_MAX, INT32_MAX, INT32_MIN, 0};
        static const uint64_t as_u64[9] = {0, 1, 0, 300, 0, UINT64_MAX, UINT64_MAX, 0, 0};
        static const int64_t as_i64[9] = {0, 1, -1, 300, -300, INT64_MAX, INT64_MAX, INT64_MIN, 0};
        static const struct {
            mst_element_type type;
            const void *expected;
            size_t width;
        } wanted[] = {{MST_U8, as_u8, 1},   {MST_I8, as_i8, 1},   {MST_U16, as_u16, 2}, {MST_I16, as_i16, 2},
                      {MST_U32, as_u32, 4}, {MST_I32, as_i32, 4}, {MST_I64, as_i64, 8}};
        uint64_t capacity[9];
        for (size_t i = 0; i < MST_COUNT_OF(wanted); i++) {
            target = (mst_target){.type = wanted[i].type, .data = capacity, .capacity = 9};
            MUST(mst_read(&v, &target, &count, &why), &why);
            assert_memory_equal(capacity, wanted[i].expected, 9 * wanted[i].width);
        }
        target = (mst_target){.type = MST_U64, .data = capacity, .capacity = 9};
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_int_equal(capacity[4], 0);
        assert_true(capacity[5] == as_u64[5] && capacity[6] == as_u64[6] && capacity[8] == 0);
        /* integers to others */
        int8_t bytes[4];
        v = value_at(&d, "i32");
        target = (mst_target){.type = MST_I8, .data = bytes, .capacity = 4};
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_int_equal(count, 3);
        assert_true(bytes[0] == -1 && bytes[1] == 127 && bytes[2] == -128);
        target = (mst_target){.type = MST_U64, .data = capacity, .capacity = 4};
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_true(capacity[0] == 0 && capacity[1] == 0x7FFFFFFF && capacity[2] == 0);
        target = (mst_target){.type = MST_F32, .data = floats, .capacity = 4};
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_true(floats[0] == -1.0f && floats[2] == -2147483648.0f);
        v = value_at(&d, "u64");
        int64_t longs[2];
        target = (mst_target){.type = MST_I64, .data = longs, .capacity = 2};
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_true(longs[0] == INT64_MAX && longs[1] == 1);
        v = value_at(&d, "i64");
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_true(longs[0] == INT64_MIN && longs[1] == INT64_MAX);
        v = value_at(&d, "u8");
        target = (mst_target){.type = MST_I8, .data = bytes, .capacity = 4};
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_true(bytes[1] == 127 && bytes[2] == 127 && bytes[3] == 127);
        v = value_at(&d, "f64");
        target = (mst_target){.type = MST_F32, .data = floats, .capacity = 3};
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_true(floats[0] == 0.1f && floats[1] == -INFINITY && floats[2] != floats[2]);
        discard(&d);
        writer_free(&w);
    }
}

static void strides(void **state) {
    (void)state;
    writer w = {0};
    level_plan plan = {0};
    write_level(&w, &plan);
    mst_document *d;
    mst_diagnostic why;
    uint64_t count;
    MUST(mst_open_memory(w.data, w.size, NULL, &d, &why), &why);
    struct {
        float position[3];
        uint32_t mine;
    } points[12];
    /* all positions in one call, next to the caller's own members */
    memset(points, 0xEE, sizeof points);
    mst_value v = value_at(d, "mesh.vertices[:].position");
    mst_target target = {.type = MST_F32, .stride = sizeof *points, .data = points, .capacity = 12};
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(count, 11);
    for (size_t i = 0; i < 11; i++) {
        assert_memory_equal(points[i].position, level_positions[i], 12);
        assert_int_equal(points[i].mine, 0xEEEEEEEE);
    }
    assert_int_equal(points[11].mine, 0xEEEEEEEE);
    assert_int_equal(mst_bits_of_f32(points[11].position[0]), 0xEEEEEEEE);
    /* no more than the capacity; the first two components only; a part */
    target.capacity = 2;
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(count, 2);
    double two[8][2];
    v = value_at(d, "mesh.vertices[4:8].position");
    target = (mst_target){.type = MST_F64, .components = 2, .data = two, .capacity = 8};
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_true(two[i][0] == (double)level_positions[i + 4][0] &&
                    two[i][1] == (double)level_positions[i + 4][1]);
    /* one component, one element, numbers of a list, elements of different size */
    uint8_t smooth[16];
    v = value_at(d, "mesh.vertices[:].smooth");
    target = (mst_target){.type = MST_U8, .data = smooth, .capacity = 16};
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(count, 11);
    assert_true(smooth[3] == 1 && smooth[2] == 0);
    v = value_at(d, "mesh.vertices[1].position");
    float three[3];
    target = (mst_target){.type = MST_F32, .components = 3, .data = three, .capacity = 1};
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(count, 1);
    assert_memory_equal(three, level_positions[1], 12);
    v = value_at(d, "version");
    uint16_t version;
    target = (mst_target){.type = MST_U16, .data = &version, .capacity = 1};
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(version, 10);
    v = value_at(d, "mesh.faces[:].material");
    uint32_t materials[4];
    target = (mst_target){.type = MST_U32, .data = materials, .capacity = 4};
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(count, 3);
    assert_true(materials[0] == 0 && materials[1] == 1 && materials[2] == 1);
    v = value_at(d, "objects[2:5].group");
    target.capacity = 3;
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(count, 3);
    assert_int_equal(materials[0], 0xFFFFFFFF);
    v = value_at(d, "custom_colors[1:3]");
    target = (mst_target){.type = MST_U8, .data = smooth, .capacity = 4};
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(count, 2);
    assert_true(smooth[0] == 12 && smooth[7] == 33);
    v = value_at(d, "editor_settings[0].layers.layer_masks[2:5]");
    target = (mst_target){.type = MST_U32, .data = materials, .capacity = 4};
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_int_equal(count, 3);
    assert_true(materials[0] == 2 && materials[2] == 4);
    /* a first element without numbers does not give its room to the others */
    uint8_t room[10 * sizeof(uint32_t)];
    memset(room, 0xEE, sizeof room);
    MUST(mst_set(d, "objects[0].properties[0].value", "[]", &why), &why);
    v = value_at(d, "objects[0].properties[:].value");
    target = (mst_target){.type = MST_F32, .data = room, .capacity = 2};
    assert_int_equal(mst_read(&v, &target, &count, &why), MST_ARGUMENT);
    assert_int_equal(count, 1);
    for (size_t i = 0; i < sizeof room; i++)
        assert_int_equal(room[i], 0xEE);
    target = (mst_target){.type = MST_U32, .data = materials, .capacity = 4};
    /* values that cannot be read */
    static const char *const none[] = {"objects[0].class_name", "objects",       "mesh",
                                       "objects[:].class_name", "mesh.vertices", "mesh.vertices[:]",
                                       "mesh.faces[:]"};
    for (size_t i = 0; i < MST_COUNT_OF(none); i++) {
        v = value_at(d, none[i]);
        assert_int_equal(mst_read(&v, &target, &count, &why), MST_ARGUMENT);
        assert_int_equal(count, 0);
    }
    v = value_at(d, "mesh.vertices[:].position");
    target = (mst_target){.type = MST_F32, .components = 4, .data = points, .capacity = 12};
    assert_int_equal(mst_read(&v, &target, &count, &why), MST_ARGUMENT);
    target = (mst_target){.type = (mst_element_type)99, .data = points, .capacity = 12};
    assert_int_equal(mst_read(&v, &target, &count, &why), MST_ARGUMENT);
    v = value_at(d, "mesh.vertices[1].position");
    target = (mst_target){.type = MST_F32, .components = 2, .data = points, .capacity = 12};
    assert_int_equal(mst_read(&v, &target, &count, &why), MST_ARGUMENT); /* three are not pairs */
    mst_close(d);
    writer_free(&w);
}

int test_reading(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars), cmocka_unit_test(types_and_fields), cmocka_unit_test(paths),
        cmocka_unit_test(slices),  cmocka_unit_test(conversions),      cmocka_unit_test(strides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
