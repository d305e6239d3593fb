/* SPDX-License-Identifier: MIT */
/* Values read from odd files: one by one, in bulk, in columns, as JSON. */
#include "../src/read/opened.h"
#include "odd_formats.h"

/* ---- reading values ---------------------------------------------------------------------------- */

static void values(void **state) {
    (void)state;
    int64_t integer;
    uint64_t number;
    double real;
    const void *bytes;
    size_t length;
    char text[1200];
    static const struct {
        const char *path, *text[3]; /* of each variety; NULL: none */
    } texts[] = {
        {"label", {"label", "", "a\xEF\xBF\xBD"}},
        {"code", {"AB", "", "a\xEF\xBF\xBDzz"}},
        {"high", {"ABC", "", "\xEF\xBF\xBDxy"}},
        {"wide", {"wx", "", "\xEF\xBF\xBD\xEE\x84\xA3"}},
        {"bytes", {NULL, NULL, NULL}},
        {"shade", {NULL, NULL, NULL}},
        {"pairs", {NULL, NULL, NULL}},
        {"pairs[0:1].a", {NULL, NULL, NULL}},
    };
    for (unsigned variety = 0; variety < 3; variety++) {
        writer w = {.big = variety == 1};
        put_odd(&w, variety);
        mst_document *d = open_own(&odd_format, &w);
        for (size_t i = 0; i < MST_COUNT_OF(texts); i++) {
            mst_value v = value_at(d, texts[i].path);
            const char *wanted = texts[i].text[variety];
            if (strcmp(texts[i].path, "label") == 0 && variety == 2)
                continue; /* below */
            assert_int_equal(mst_get_text(&v, text, sizeof text, &length), wanted ? MST_OK : MST_ARGUMENT);
            assert_string_equal(text, wanted ? wanted : "");
            if (wanted)
                assert_int_equal(length, strlen(wanted));
        }
        mst_value v = value_at(d, "label");
        MUST(mst_get_text(&v, text, sizeof text, &length), NULL);
        assert_int_equal(length, variety == 0 ? 5 : variety == 1 ? 0 : 3); /* without the NUL at the end */
        if (variety == 2)
            assert_memory_equal(text, "a\0b", 3);
        v = value_at(d, "pairs");
        assert_int_equal(mst_get_integer(&v, &integer), MST_ARGUMENT);
        assert_int_equal(mst_get_unsigned(&v, &number), MST_ARGUMENT);
        assert_int_equal(mst_get_real(&v, &real), MST_ARGUMENT);
        assert_int_equal(mst_get_bytes(&v, &bytes, &length), MST_ARGUMENT);
        assert_null(mst_get_name(&v));
        v = value_at(d, "sized");
        assert_int_equal(mst_get_real(&v, &real), MST_ARGUMENT);
        assert_null(mst_get_name(&v));
        v = value_at(d, "doubles[0]");
        MUST(mst_get_real(&v, &real), NULL);
        assert_true(variety == 2 ? isinf(real) : real == -0.25);
        assert_int_equal(mst_get_integer(&v, &integer), MST_ARGUMENT); /* a quarter, or infinity */
        assert_int_equal(mst_get_unsigned(&v, &number), MST_ARGUMENT);
        v = value_at(d, "shade");
        if (variety == 0)
            assert_string_equal(mst_get_name(&v), "light");
        else
            assert_null(mst_get_name(&v));
        mst_close(d);
        writer_free(&w);
    }
    /* numbers at the limits of integers, and a NUL that is not the end of a text */
    static const struct {
        double stored;
        bool fits, fits_unsigned;
    } edges[] = {{9223372036854774784.0, true, true},
                 {9223372036854775808.0, false, false},
                 {-9223372036854775808.0, true, false},
                 {-1e19, false, false},
                 {3.0, true, true},
                 {-3.0, true, false}};
    for (size_t i = 0; i < MST_COUNT_OF(edges); i++) {
        writer w = {0};
        put_odd(&w, 0);
        mst_store(w.data + 1, 8, mst_bits_of_f64(edges[i].stored), false);
        memcpy(w.data + 1 + 24 + 8 + 8 + 8, "labels", 6);
        mst_document *d = open_own(&odd_format, &w);
        mst_value v = value_at(d, "doubles[0]");
        assert_int_equal(mst_get_integer(&v, &integer), edges[i].fits ? MST_OK : MST_ARGUMENT);
        if (edges[i].fits)
            assert_true((double)integer == edges[i].stored);
        assert_int_equal(mst_get_unsigned(&v, &number), edges[i].fits_unsigned ? MST_OK : MST_ARGUMENT);
        v = value_at(d, "label");
        MUST(mst_get_text(&v, text, sizeof text, &length), NULL);
        assert_string_equal(text, "labels");
        assert_survives(d);
        mst_close(d);
        writer_free(&w);
    }
    /* a text with bit 7 that is longer than the buffer for one comparison */
    char json[1000] = "\"";
    memset(json + 1, 'A', 300);
    strcpy(json + 301, "\"");
    char *whole_json = changed("high", json);
    mst_buffer made;
    mst_diagnostic why;
    mst_document *d;
    MUST(encode(&odd_format, NULL, whole_json, (how){0}, &made, &why), &why);
    MUST(open_in(&odd_format, false, made.data, made.size, &d, &why), &why);
    mst_value v = value_at(d, "high");
    MUST(mst_get_text(&v, text, sizeof text, &length), NULL);
    assert_int_equal(length, 900); /* as bytes that are not text */
    assert_survives(d);
    mst_close(d);
    mst_buffer_free(&made);
    free(whole_json);
}

/* One value as JSON: nothing of it is left out. */
static void values_as_json(void **state) {
    (void)state;
    static const struct {
        const char *path, *json;
    } cases[] = {
        {"grid[1]", "-1"},
        {"grid", "[0,-1]"},
        {"doubles[0]", "-0.25"},
        {"shade", "\"light\""},
        {"count", "1"},
        {"pairs[1]", "{\"a\":2,\"b\":-1}"},
        {"pairs[0:2]", "[{\"a\":1,\"b\":\"0x8000000000000000\"},{\"a\":2,\"b\":-1}]"},
        {"pairs[0:2].a", "[1,2]"},
        {"sized.tail", "\"99\""},
        {"label", "\"label\""},
        {"pairs_set", "[{\"a\":7,\"b\":-7}]"},
    };
    writer w = {0};
    put_odd(&w, 0);
    mst_document *d = open_own(&odd_format, &w);
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        mst_buffer text = {0};
        mst_value v = value_at(d, cases[i].path);
        mst_json_options options = {.size = sizeof options, .compact = 1};
        mst_diagnostic why;
        MUST(mst_write_json(&v, &options, mst_buffer_sink(&text), &why), &why);
        text.data[text.size - 1] = 0;
        assert_string_equal((const char *)text.data, cases[i].json);
        mst_buffer_free(&text);
    }
    mst_close(d);
    writer_free(&w);
}

/* ---- reading in bulk --------------------------------------------------------------------------- */

static void bulk(void **state) {
    (void)state;
    writer w = {0};
    put_rules(&w, false);
    mst_document *d = open_own(&rules_format, &w);
    mst_diagnostic why;
    uint64_t count;
    uint8_t capacity[256];
    double doubles[16];
    float floats[16];
    static const struct {
        const char *path;
        uint32_t components;
        mst_status status;
        uint64_t count;
        double first, last;
    } cases[] = {
        {"flats[:].single", 0, MST_OK, 4, 1, 0},
        {"flats[1:3].single", 0, MST_OK, 2, 1, 1},
        {"flats[4:].single", 0, MST_OK, 0, 0, 0},
        {"flats[:].vector", 2, MST_OK, 4, 1, 0},
        {"flats[:].vector", 3, MST_ARGUMENT, 0, 0, 0},
        {"flats[:].index", 1, MST_OK, 4, 0, 65535},
        {"flats[:]", 0, MST_ARGUMENT, 0, 0, 0},
        {"flats", 0, MST_ARGUMENT, 0, 0, 0},
        {"wide", 0, MST_ARGUMENT, 0, 0, 0},
        {"wide.doubles", 0, MST_OK, 2, 1, 0},
        {"wide.doubles[1:2]", 0, MST_OK, 1, 0, 0},
        {"wide.doubles", 2, MST_OK, 1, 1, 0},
        {"wide.zero", 0, MST_OK, 1, 0, 0},
        {"scattered[:].b3", 0, MST_OK, 2, 1, 1},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        mst_value v = value_at(d, cases[i].path);
        mst_target target = {
            .type = MST_F64, .components = cases[i].components, .data = doubles, .capacity = 8};
        assert_int_equal(mst_read(&v, &target, &count, &why), cases[i].status);
        assert_int_equal(count, cases[i].count);
        if (cases[i].status != MST_OK || !count)
            continue;
        uint32_t components = cases[i].components ? cases[i].components : 1;
        assert_true(doubles[0] == cases[i].first && doubles[count * components - 1] == cases[i].last);
        target.type = MST_F32;
        target.data = floats;
        target.stride = 2 * components * sizeof *floats; /* with a gap between them */
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_int_equal(count, cases[i].count);
        assert_true((double)floats[0] == cases[i].first &&
                    (double)floats[(count - 1) * 2 * components + components - 1] == cases[i].last);
        target.capacity = 0;
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_int_equal(count, 0);
    }
    /* invalid bytes */
    static const char *const none[] = {"flats", "flats[:]",  "flats[:].single",
                                       "wide",  "wide.zero", "wide.doubles"};
    for (size_t i = 0; i < MST_COUNT_OF(none); i++) {
        mst_value v = value_at(d, none[i]);
        assert_int_equal(mst_read_interleaved(&v, 1, capacity, sizeof capacity, &count, &why), MST_ARGUMENT);
    }
    mst_close(d);
    writer_free(&w);
    /* elements of many sizes, one by one */
    put_case(&w);
    d = open_own(&case_format, &w);
    mst_value v, b;
    mst_target target = {.type = MST_U8, .data = capacity, .capacity = 8};
    assert_int_equal(mst_find(mst_root(d), "hulls[:].b", &b, &why), MST_NO_PATH); /* of the missing hull */
    mst_close(d);
    writer_free(&w);
    put_odd(&w, 0);
    d = open_own(&odd_format, &w);
    v = value_at(d, "bytes");
    MUST(mst_read_interleaved(&v, 1, capacity, 1, &count, &why), &why);
    assert_true(count == 1 && capacity[0] == 0xAB);
    assert_int_equal(mst_read_interleaved(&v, 0, capacity, 1, &count, &why), MST_ARGUMENT);
    assert_int_equal(mst_read_interleaved(&v, 2, capacity, 1, &count, &why), MST_ARGUMENT);
    assert_int_equal(mst_read_interleaved(&v, 1, capacity, 0, &count, &why), MST_ARGUMENT);
    v = value_at(d, "some");
    target.type = MST_I64;
    int64_t longs[3];
    target.data = longs;
    MUST(mst_read(&v, &target, &count, &why), &why);
    assert_true(count == 3 && longs[0] == 10 && longs[2] == 12);
    target.components = 2;
    assert_int_equal(mst_read(&v, &target, &count, &why), MST_ARGUMENT); /* three are not pairs */
    mst_close(d);
    writer_free(&w);
}

/* ---- columns ------------------------------------------------------------------------------------ */

static void columns(void **state) {
    (void)state;
    writer w = {.big = true};
    put_rules(&w, false);
    mst_document *d = open_own(&rules_format, &w);
    mst_value flats = value_at(d, "flats"), wide = value_at(d, "wide"), doubles = value_at(d, "wide.doubles");
    mst_column column;
    assert_true(mst_column_of(&flats, "single", &column));
    assert_int_equal(column.count, 4);
    assert_int_equal(column.stride, 4 + 4 + 8 + 8 + 2 + 1 + 2 + 1);
    assert_true(column.big);
    assert_int_equal(mst_column_u32(&column, 1, 0), 0x3F800000);
    assert_false(mst_column_of(&flats, "newer", &column));
    assert_false(mst_column_of(&flats, "nothing", &column));
    assert_false(mst_column_of(&wide, "zero", &column));
    assert_false(mst_column_of(&doubles, "zero", &column));
    uint64_t count;
    double numbers_there[8];
    mst_target target = {.type = MST_F64, .data = numbers_there, .capacity = 8};
    mst_diagnostic why;
    mst_value newer = value_at(d, "flats[:].newer");
    assert_int_equal(mst_read(&newer, &target, &count, &why), MST_NO_PATH);
    assert_string_equal(why.message, "this version has no field newer");
    mst_close(d);
    writer_free(&w);
    w.big = false;
    put_case(&w);
    d = open_own(&case_format, &w);
    mst_value hulls = value_at(d, "hulls");
    assert_false(mst_column_of(&hulls, "a", &column)); /* of variable size */
    mst_close(d);
    writer_free(&w);
}

/* ---- numbers of a record ------------------------------------------------------------------------- */

static void numbers_by_name(void **state) {
    (void)state;
    static const mst_field fields[] = {{.name = "below", .kind = MST_KIND_I16},
                                       {.name = "above", .kind = MST_KIND_U16},
                                       {.name = "half", .kind = MST_KIND_F32}};
    static const mst_record root = {.name = "root", TABLE(fields)};
    static const mst_record *const records[] = {&root};
    static const mst_format format = {FORMAT(root, records)};
    writer w = {.big = true};
    put_u16(&w, 0xFFFE);
    put_u16(&w, 0xFFFE);
    put_f32(&w, 0.5F);
    mst_document *d = open_own(&format, &w);
    mst_value record = mst_root(d);
    assert_true(mst_number_in(&record, "below") == (uint64_t)-2);
    assert_int_equal(mst_number_in(&record, "above"), 65534);
    assert_int_equal(mst_number_in(&record, "half"), 0); /* not an integer */
    assert_int_equal(mst_number_in(&record, "missing"), 0);
    mst_close(d);
    writer_free(&w);
}

int test_values(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),  cmocka_unit_test(values_as_json),  cmocka_unit_test(bulk),
        cmocka_unit_test(columns), cmocka_unit_test(numbers_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
