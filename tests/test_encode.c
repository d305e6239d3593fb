/* SPDX-License-Identifier: MIT */
/* Diagnostics of the encoder for values that do not fit, and the values that it uses for missing ones. */
#include "odd_formats.h"

/* ---- a format with rare features --------------------------------------------------------------- */

static void whole(void **state) {
    (void)state;
    for (unsigned variety = 0; variety < 3; variety++)
        for (int big = 0; big < 2; big++) {
            writer w = {.big = big};
            put_odd(&w, variety);
            mst_document *d = open_own(&odd_format, &w);
            if (!big)
                assert_reads_as(d, odd_json[variety]);
            assert_survives(d);
            assert_limits(&odd_format, d);
            mst_close(d);
            writer_free(&w);
        }
}

static void what_does_not_fit(void **state) {
    (void)state;
    static const char fit[] = "the value does not fit the field",
                      hex[] = "the bytes are not pairs of hexadecimal digits",
                      number[] = "the number of elements is wrong",
                      lost[] = "no such field here: wrong name or version, or its flag is not set";
    static const struct {
        const char *key, *value;
        wrong w;
    } cases[] = {
        {"doubles",
         "[1]",
         {NULL, MST_REFUSED, "doubles", "there are more elements than the format can count", NULL, "-1"}},
        {"doubles",
         "5",
         {NULL, MST_REFUSED, "doubles", "there are more elements than the format can count", NULL, "-2"}},
        {"doubles", "[1,2,{}]", {NULL, MST_ARGUMENT, "doubles", fit, "a number", "an object"}},
        {"doubles", "[1,2,\"x\"]", {NULL, MST_ARGUMENT, "doubles", fit, "a number", "x"}},
        {"doubles",
         "[1,2,1]}",
         {NULL, MST_DAMAGED, "line 1, column 37", "not JSON: unexpected text", "the end of the text", ","}},
        {"doubles",
         "[1,2,\"a word of more than the forty characters that are shown of it\"]",
         {NULL, MST_ARGUMENT, "doubles", fit, "a number", "a word of more than the forty characters"}},
        {"doubles",
         "[1,2,3],\"count\":2",
         {NULL, MST_ARGUMENT, "count", "the count differs from the list's length", "1", NULL}},
        {"doubles",
         "[1,2,3],\"count\":\"x\"",
         {NULL, MST_ARGUMENT, "count", "the count differs from the list's length", "1", NULL}},
        {"set", "3", {NULL, MST_ARGUMENT, "set", fit, "a list", "a number"}},
        {"set", "{}", {NULL, MST_ARGUMENT, "set", fit, "a list", "an object"}},
        {"set", "[true,1]", {NULL, MST_ARGUMENT, "set", fit, "a number", "true"}},
        {"set", "[null]", {NULL, MST_ARGUMENT, "set", fit, "a number", "null"}},
        {"label",
         "\"a\\u0000b\"",
         {NULL, MST_ARGUMENT, "label", "the text must not contain NUL", NULL, NULL}},
        {"label", "7", {NULL, MST_ARGUMENT, "label", fit, "a string", "a number"}},
        {"label", "{\"$raw\":5}", {NULL, MST_ARGUMENT, "label", fit, "a string", "an object"}},
        {"label", "{\"$rax\":\"00\"}", {NULL, MST_ARGUMENT, "label", fit, "a string", "an object"}},
        {"label", "{\"$r\":\"00\"}", {NULL, MST_ARGUMENT, "label", fit, "a string", "an object"}},
        {"label", "{\"$raw\":\"00\",\"b\":1}", {NULL, MST_ARGUMENT, "label", fit, "a string", "an object"}},
        {"label", "{\"$raw\":\"0\"}", {NULL, MST_ARGUMENT, "label", hex, NULL, NULL}},
        {"label", "{\"$raw\":\"0g\"}", {NULL, MST_ARGUMENT, "label", hex, NULL, NULL}},
        {"wide", "{\"$raw\":\"000000\"}", {NULL, MST_ARGUMENT, "wide", hex, NULL, NULL}},
        {"wide", "null", {NULL, MST_ARGUMENT, "wide", fit, "a string", "null"}},
        {"code", "\"ABCDE\"", {NULL, MST_ARGUMENT, "code", number, "4", "5"}},
        {"code", "\"\\u00e9\"", {NULL, MST_ARGUMENT, "code", "the text must be ASCII", NULL, NULL}},
        {"code", "{\"$raw\":\"6161616161\"}", {NULL, MST_ARGUMENT, "code", number, "4", "5"}},
        {"bytes", "5", {NULL, MST_ARGUMENT, "bytes", fit, "a string", "a number"}},
        {"bytes", "\"0\"", {NULL, MST_ARGUMENT, "bytes", hex, NULL, NULL}},
        {"hash", "\"01\"", {NULL, MST_ARGUMENT, "hash", number, "2", "1"}},
        {"pairs", "[{\"a\":1,\"b\":2}]", {NULL, MST_ARGUMENT, "pairs", number, "2", "1"}},
        {"pairs", "7", {NULL, MST_ARGUMENT, "pairs", fit, "a list", "a number"}},
        {"pairs", "[{\"a\":1,\"b\":2},7]", {NULL, MST_ARGUMENT, "pairs[1]", fit, "an object", "a number"}},
        {"pairs",
         "[{\"a\":1,\"b\":2},{\"a\":70000,\"b\":2}]",
         {NULL, MST_ARGUMENT, "pairs[1].a", fit, "an integer of the field's size", "70000"}},
        {"pairs",
         "[{\"a\":1,\"b\":2},{\"a\":1}]",
         {NULL, MST_ARGUMENT, "pairs[1].b", "the field is missing", NULL, NULL}},
        {"pairs",
         "[{\"a\":1,\"b\":2},{\"a\":1,\"b\":2,\"c\":3}]",
         {NULL, MST_ARGUMENT, "pairs[1]", lost, NULL, "c"}},
        {"pairs",
         "[{\"a\":1,\"b\":2},{\"a\":1,\"b\":2,\"a\":3}]",
         {NULL, MST_ARGUMENT, "pairs[1]", "a field is given twice, or does not belong here", NULL, NULL}},
        {"sized",
         "{\"text\":\"\",\"size\":1}",
         {NULL, MST_ARGUMENT, "sized", "a field is given twice, or does not belong here", NULL, NULL}},
        {"sized", "[]", {NULL, MST_ARGUMENT, "sized", fit, "an object", "a list"}},
        {"shade", "\"bright\"", {NULL, MST_ARGUMENT, "shade", fit, "light, or an integer", "bright"}},
        {"shade", "1.5", {NULL, MST_ARGUMENT, "shade", fit, "an integer", "1.5"}},
        {"grid", "[1]", {NULL, MST_ARGUMENT, "grid", number, "2", "1"}},
        {"end", "1,\"$gaps\":[]", {NULL, MST_ARGUMENT, "", lost, NULL, "$gaps"}},
        {"end", "1,\"$gapsome\":[]", {NULL, MST_ARGUMENT, "", lost, NULL, "$gapsome"}},
        {"end", "1,\"$gaps.set\":[]", {NULL, MST_ARGUMENT, "", lost, NULL, "$gaps.set"}},
        {"end", "1,\"$gaps.sex\":[]", {NULL, MST_ARGUMENT, "", lost, NULL, "$gaps.sex"}},
        {"end", "1,\"$stride\":1", {NULL, MST_ARGUMENT, "", lost, NULL, "$stride"}},
        {"end", "1,\"$stride.rest\":1", {NULL, MST_ARGUMENT, "", lost, NULL, "$stride.rest"}},
        {"end", "1,\"$order\":[]", {NULL, MST_ARGUMENT, "", lost, NULL, "$order"}},
        {"end",
         "1,\"a key of more than the sixty characters that are shown of it, and then more\":1",
         {NULL, MST_ARGUMENT, "", lost, NULL,
          "a key of more than the sixty characters that are shown of it"}},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        char *json = changed(cases[i].key, cases[i].value);
        wrong one = cases[i].w;
        one.json = json;
        assert_wrong(&odd_format, &one, 1, (how){0});
        free(json);
    }
    /* as many as the prefix can count, and one more */
    for (size_t n = 255; n < 257; n++) {
        char value[600];
        memset(value, 'a', sizeof value);
        value[0] = '"';
        memcpy(value + n + 1, "\"", 2);
        char *json = changed("wide", value);
        mst_buffer made;
        mst_diagnostic why;
        mst_status status = encode(&odd_format, NULL, json, (how){0}, &made, &why);
        assert_int_equal(status, n == 255 ? MST_OK : MST_REFUSED);
        if (status != MST_OK) {
            assert_string_equal(why.path, "wide");
            assert_string_equal(why.found, "256");
        }
        mst_buffer_free(&made);
        free(json);
    }
    /* a size of eight bits with a sign holds 127: the text's length, 126 bytes, and one more */
    for (size_t n = 126; n < 128; n++) {
        char value[300] = "{\"text\":\"";
        memset(value + strlen(value), 'a', n);
        strcpy(value + 9 + n, "\"}");
        char *json = changed("sized", value);
        mst_buffer made;
        mst_diagnostic why;
        mst_status status = encode(&odd_format, NULL, json, (how){0}, &made, &why);
        assert_int_equal(status, n == 126 ? MST_OK : MST_REFUSED);
        if (status != MST_OK) {
            assert_string_equal(why.path, "sized");
            assert_string_equal(why.message, "there are more bytes than the size field can hold");
        }
        mst_buffer_free(&made);
        free(json);
    }
}

/* Other JSON with the same meaning. */
static void other_ways_to_say_it(void **state) {
    (void)state;
    static const struct {
        const char *key, *value, *same; /* NULL: the usual value */
    } cases[] = {
        {"doubles", "[-25e-2,1e300,1e+300]", NULL},
        {"doubles", "[-0.25,1e300,1e300],\"count\":1", NULL},
        {"shade", "2", NULL},
        {"shade", "2.0", NULL},
        {"shade", "\"2\"", NULL},
        {"shade", "\"0x2\"", NULL},
        {"shade", "0.2e1", NULL},
        {"shade", "[2]", NULL},
        {"shade", "true", "1"},
        {"shade", "false", "0"},
        {"label", "{\"$raw\":\"6c6162656c00\"}", NULL},
        {"code", "{\"$raw\":\"c1c28080\"}", NULL},
        {"high", "{\"$raw\":\"c1c2c3\"}", NULL},
        {"hash", "{\"$raw\":\"0102\"}", NULL},
        {"hash", "\"01\\u00302\"", NULL},
        {"set", "[5e-1,\"Infinity\"]", "[0.5,\"Infinity\"]"},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        char *one = changed(cases[i].key, cases[i].value);
        char *other = cases[i].same ? changed(cases[i].key, cases[i].same) : NULL;
        mst_buffer a, b;
        mst_diagnostic why;
        mst_status status = encode(&odd_format, NULL, one, (how){0}, &a, &why);
        if (status != MST_OK)
            print_error("%s: %s\n", cases[i].key, cases[i].value);
        MUST(status, &why);
        MUST(encode(&odd_format, NULL, other ? other : odd_json[0], (how){0}, &b, &why), &why);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.data, b.data, a.size);
        mst_buffer_free(&a);
        mst_buffer_free(&b);
        free(one);
        free(other);
    }
    /* an empty text differs from none */
    char *json = changed("label", "{\"$raw\":\"\"}");
    mst_buffer made;
    MUST(encode(&odd_format, NULL, json, (how){0}, &made, NULL), NULL);
    assert_int_equal(mst_load32(made.data + 1 + 3 * 8 + 8 + 8, false), 0);
    assert_int_equal(mst_load32(made.data + 1 + 3 * 8 + 8 + 8 + 4, false), 1);
    mst_document *d;
    mst_diagnostic why;
    MUST(open_in(&odd_format, false, made.data, made.size, &d, &why), &why);
    assert_survives(d);
    mst_close(d);
    mst_buffer_free(&made);
    free(json);
    /* the size that elements of an empty set would have: a number of 32 bits, or null */
    static const struct {
        const char *said;
        uint32_t stride;
    } strides[] = {{"9", 9}, {"\"9\"", 0}, {"4294967296", 0}, {"-1", 0}, {"4294967295", UINT32_MAX}};
    for (size_t i = 0; i < MST_COUNT_OF(strides); i++) {
        char value[64];
        snprintf(value, sizeof value, "[],\"$stride.set\":%s", strides[i].said);
        json = changed("set", value);
        MUST(encode(&odd_format, NULL, json, (how){0}, &made, &why), &why);
        assert_int_equal(mst_load32(made.data + 1 + 3 * 8, false), strides[i].stride);
        assert_int_equal(mst_load32(made.data + 1 + 3 * 8 + 4, false), 0);
        mst_buffer_free(&made);
        free(json);
    }
}

/* Without a key: an error that names it, or (in lenient mode) zeros. */
static void missing_fields(void **state) {
    (void)state;
    for (size_t i = 0; i < MST_COUNT_OF(odd_fields); i++) {
        const char *name = odd_fields[i].name;
        if (odd_fields[i].length_of)
            continue;
        char *json = changed(name, NULL);
        wrong one = {json, MST_ARGUMENT, name, "the field is missing", NULL, NULL};
        if (strcmp(name, "doubles") == 0) /* then there is no count either */
            one.path = "count";
        assert_wrong(&odd_format, &one, 1, (how){0});
        free(json);
    }
    /* a record of variable size cannot be made of zeros; a list of records can be empty */
    static const wrong none[] = {
        {"{\"doubles\":[0,0],\"sized\":{\"text\":\"\"}}", MST_ARGUMENT, "loose", "the field is missing", NULL,
         NULL},
        {"{}", MST_ARGUMENT, "doubles", "the number of elements is wrong", "2", "0"},
        {"{\"doubles\":[0,0],\"sized\":{\"text\":\"\"},\"loose\":{\"name\":\"\"},\"rows\":1,\"columns\":1}",
         MST_ARGUMENT, "grid", "the number of elements is wrong", "1", "0"},
        {"{\"doubles\":[0,0],\"sized\":{\"text\":\"\"},\"loose\":{\"name\":\"\"},\"nothing\":1}", MST_REFUSED,
         "", "this field would be lost", NULL, "nothing"},
    };
    assert_wrong(&odd_format, none, MST_COUNT_OF(none), (how){.lenient = true});
    mst_buffer made;
    mst_diagnostic why;
    static const char json[] = "{\"doubles\":[0,0],\"sized\":{\"text\":\"\"},\"loose\":{\"name\":\"n\"}}";
    MUST(encode(&odd_format, NULL, json, (how){.lenient = true}, &made, &why), &why);
    writer w = {0};
    put_u8(&w, 0), put_f64(&w, 0), put_f64(&w, 0);
    memset(put(&w, 3 * 8), 0, 3 * 8); /* data sets */
    memset(put(&w, 4), 0, 4);
    put_u16(&w, 0), put_u8(&w, 0), put_u8(&w, 0), put_u16(&w, 0);
    memset(put(&w, 20), 0, 20);
    put_u8(&w, 1), put_u8(&w, 0);
    put_u8(&w, 1), put_u8(&w, 'n');
    put_u8(&w, 0), put_u8(&w, 0), put_u8(&w, 0), put_u16(&w, 0);
    if (made.size != w.size)
        print_error("%zu bytes\n", made.size);
    assert_int_equal(made.size, w.size);
    assert_memory_equal(made.data, w.data, w.size);
    writer_free(&w);
    mst_buffer_free(&made);
}

/* ---- numbers ----------------------------------------------------------------------------------- */

static void numbers(void **state) {
    (void)state;
    static const struct {
        uint8_t kind, node;
        const char *text;
        bool good;
        uint64_t bits;
    } cases[] = {
        {MST_KIND_U8, MST_JSON_NUMBER, "255", true, 255},
        {MST_KIND_U8, MST_JSON_NUMBER, "256", false, 0},
        {MST_KIND_U8, MST_JSON_NUMBER, "-1", false, 0},
        {MST_KIND_U8, MST_JSON_NUMBER, "-0", true, 0},
        {MST_KIND_U8, MST_JSON_NUMBER, "1.5", false, 0},
        {MST_KIND_U8, MST_JSON_NUMBER, "25e1", true, 250},
        {MST_KIND_U8, MST_JSON_NUMBER, "26e1", false, 0},
        {MST_KIND_U64, MST_JSON_NUMBER, "1e16", false, 0}, /* doubles cannot represent all integers there */
        {MST_KIND_U64, MST_JSON_NUMBER, "-1e3", false, 0},
        {MST_KIND_U8, MST_JSON_STRING, "", false, 0},
        {MST_KIND_U8, MST_JSON_STRING, "1e1", false, 0},
        {MST_KIND_I8, MST_JSON_NUMBER, "-128", true, (uint64_t)-128},
        {MST_KIND_I8, MST_JSON_NUMBER, "-129", false, 0},
        {MST_KIND_I8, MST_JSON_NUMBER, "127", true, 127},
        {MST_KIND_I8, MST_JSON_NUMBER, "128", false, 0},
        {MST_KIND_I8, MST_JSON_NUMBER, "-1e2", true, (uint64_t)-100},
        {MST_KIND_I16, MST_JSON_NUMBER, "-32768", true, (uint64_t)-32768},
        {MST_KIND_I16, MST_JSON_NUMBER, "32768", false, 0},
        {MST_KIND_U16, MST_JSON_STRING, "0xffff", true, 65535},
        {MST_KIND_U32, MST_JSON_NUMBER, "4294967295", true, UINT32_MAX},
        {MST_KIND_U32, MST_JSON_NUMBER, "4294967296", false, 0},
        {MST_KIND_I32, MST_JSON_NUMBER, "-2147483648", true, (uint64_t)INT32_MIN},
        {MST_KIND_I32, MST_JSON_NUMBER, "2147483648", false, 0},
        {MST_KIND_U64, MST_JSON_NUMBER, "18446744073709551615", true, UINT64_MAX},
        {MST_KIND_U64, MST_JSON_NUMBER, "18446744073709551616", false, 0},
        {MST_KIND_I64, MST_JSON_NUMBER, "9223372036854775808", false, 0},
        {MST_KIND_I64, MST_JSON_NUMBER, "-9223372036854775808", true, UINT64_C(1) << 63},
        {MST_KIND_I64, MST_JSON_STRING, "0x8000000000000000", true, UINT64_C(1) << 63},
        {MST_KIND_I64, MST_JSON_STRING, "-1", true, UINT64_MAX},
        {MST_KIND_F32, MST_JSON_NUMBER, "0.5", true, 0x3F000000},
        {MST_KIND_F32, MST_JSON_STRING, "Infinity", true, 0x7F800000},
        {MST_KIND_F32, MST_JSON_STRING, "-Infinity", true, 0xFF800000},
        {MST_KIND_F32, MST_JSON_STRING, "NaN", true, 0x7FC00000},
        {MST_KIND_F32, MST_JSON_STRING, "NaN:ffc00001", true, 0xFFC00001},
        {MST_KIND_F32, MST_JSON_STRING, "NaN:ffc0000x", false, 0},
        {MST_KIND_F32, MST_JSON_STRING, "NaN:ffc00001ffc00001", false, 0},
        {MST_KIND_F32, MST_JSON_STRING, "Nan", false, 0},
        {MST_KIND_F32, MST_JSON_STRING, "infinity", false, 0},
        {MST_KIND_F32, MST_JSON_STRING, "+Infinity", false, 0},
        {MST_KIND_F32, MST_JSON_STRING, "nothingatall", false, 0},
        {MST_KIND_F32, MST_JSON_STRING, "0.5", false, 0},
        {MST_KIND_F32, MST_JSON_TRUE, "", false, 0},
        {MST_KIND_F64, MST_JSON_NUMBER, "0.5", true, UINT64_C(0x3FE0000000000000)},
        {MST_KIND_F64, MST_JSON_STRING, "Infinity", true, UINT64_C(0x7FF0000000000000)},
        {MST_KIND_F64, MST_JSON_STRING, "-Infinity", true, UINT64_C(0xFFF0000000000000)},
        {MST_KIND_F64, MST_JSON_STRING, "NaN", true, UINT64_C(0x7FF8000000000000)},
        {MST_KIND_F64, MST_JSON_STRING, "NaN:fff8000000000001", true, UINT64_C(0xFFF8000000000001)},
        {MST_KIND_F64, MST_JSON_STRING, "NaN:ffc00001", false, 0},
        {MST_KIND_F64, MST_JSON_STRING, "NaN:fff800000000000z", false, 0},
        {MST_KIND_F64, MST_JSON_NULL, "", false, 0},
        {MST_KIND_I16, MST_JSON_TRUE, "", true, 1},
        {MST_KIND_I16, MST_JSON_FALSE, "", true, 0},
        {MST_KIND_I16, MST_JSON_NULL, "", false, 0},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        mst_field field = {.name = "x", .kind = cases[i].kind};
        mst_json_node node = {cases[i].text, (uint32_t)strlen(cases[i].text), 1, 0, cases[i].node};
        mst_misfit why = {"", "", ""};
        uint64_t bits;
        bool good = mst_number_of_json(&field, &node, &bits, &why);
        if (good != cases[i].good || (good && bits != cases[i].bits))
            print_error("%s as kind %u: %d, %llx\n", cases[i].text, cases[i].kind, good,
                        (unsigned long long)bits);
        assert_int_equal(good, cases[i].good);
        if (good)
            assert_true(bits == cases[i].bits);
        else
            assert_true(why.message[0] != 0 && why.expected[0] != 0);
    }
    assert_true(mst_default_budget(0) == (1u << 20));
    assert_true(mst_default_budget(100) == 1600 + (1u << 20));
    assert_true(mst_default_budget(UINT64_MAX) == SIZE_MAX);
    assert_true(mst_default_budget(SIZE_MAX / 16) == SIZE_MAX);
}

int test_encode(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(other_ways_to_say_it),
        cmocka_unit_test(missing_fields),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
