/* SPDX-License-Identifier: MIT */
/* What the encoder says of values that do not fit, what it puts in place of those that are missing, and what
 * is read of odd ones: with small formats of the test's own. */
#include "../src/core/diagnose.h"
#include "../src/core/number.h"
#include "own_format.h"

typedef struct how {
    bool lenient, drop, big;
    size_t limit; /* 0: none */
} how;

/* Bytes from JSON, or (`json` NULL) from a document. */
static mst_status encode(const mst_format *format, const mst_document *d, const char *json, how with,
                         mst_buffer *made, mst_diagnostic *why) {
    mst_arena arena;
    mst_json tree = {NULL, 0};
    mst_arena_begin(&arena, NULL, 0);
    mst_status status = json ? mst_json_parse(json, strlen(json), &arena, &tree, why) : MST_OK;
    mst_allocator allocator = mst_allocator_or_default(NULL);
    uint32_t context[MST_VARIABLES] = {[MST_VARIABLE_BIG] = with.big};
    mst_encode_request request = {.format = format,
                                  .variant = {0, with.big, 0},
                                  .allocator = &allocator,
                                  .limit = with.limit ? with.limit : SIZE_MAX,
                                  .lenient = with.lenient,
                                  .drop = with.drop,
                                  .field = &mst_document_field,
                                  .single = true,
                                  .context = context};
    if (json)
        request.source.json = tree.nodes;
    else
        request.source.value = mst_root(d);
    MUST(mst_plans_compile(format, request.variant, &arena, &request.plans), NULL);
    *made = (mst_buffer){.allocator = allocator};
    if (status == MST_OK)
        status = mst_encode_field(&request, made, why);
    mst_arena_end(&arena);
    return status;
}

/* JSON that makes no document, with and without a diagnostic. */
typedef struct wrong {
    const char *json;
    mst_status status;
    const char *path, *message, *expected, *found; /* NULL: any */
} wrong;

static void assert_wrong(const mst_format *format, const wrong *cases, size_t count, how with) {
    for (size_t i = 0; i < count; i++) {
        mst_buffer made;
        mst_diagnostic why;
        mst_status status = encode(format, NULL, cases[i].json, with, &made, &why);
        mst_buffer_free(&made);
        if (status != cases[i].status || strcmp(why.path, cases[i].path) != 0)
            print_error("%s: %s at \"%s\": %s\n", cases[i].json, mst_status_text(status), why.path,
                        why.message);
        assert_int_equal(status, cases[i].status);
        assert_int_equal(why.status, cases[i].status);
        assert_string_equal(why.path, cases[i].path);
        if (cases[i].message)
            assert_string_equal(why.message, cases[i].message);
        if (cases[i].expected)
            assert_string_equal(why.expected, cases[i].expected);
        if (cases[i].found)
            assert_string_equal(why.found, cases[i].found);
        assert_int_equal(encode(format, NULL, cases[i].json, with, &made, NULL), cases[i].status);
        mst_buffer_free(&made);
    }
}

/* Limited output: a limit that is too small is MST_NO_MEMORY, an exact one is enough. */
static void assert_limits(const mst_format *format, const mst_document *d) {
    mst_buffer text = {0}, made;
    mst_diagnostic why;
    mst_value root = mst_root(d);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    for (int json = 0; json < 1 + reads_json; json++)
        for (size_t limit = 1; limit <= d->size; limit++) {
            const char *source = json ? (const char *)text.data : NULL;
            mst_status status =
                encode(format, d, source, (how){.limit = limit, .big = d->variant.big}, &made, &why);
            assert_int_equal(status, limit < d->size ? MST_NO_MEMORY : MST_OK);
            if (status == MST_OK)
                assert_same_bytes(d, made.data, made.size);
            else
                assert_int_equal(why.status, MST_NO_MEMORY);
            assert_true(made.size <= limit);
            mst_buffer_free(&made);
            status = encode(format, d, source, (how){.limit = limit, .big = d->variant.big}, &made, NULL);
            assert_int_equal(status, limit < d->size ? MST_NO_MEMORY : MST_OK);
            mst_buffer_free(&made);
        }
    mst_buffer_free(&text);
}

/* ---- a format with what is rare ---------------------------------------------------------------- */

enum { R_COUNT = 1, R_ROWS, R_COLUMNS };
enum { I_ROOT, I_PAIR, I_SIZED, I_LOOSE };

static const mst_field pair_fields[] = {{.name = "a", .kind = MST_KIND_U16},
                                        {.name = "b", .kind = MST_KIND_I64}};
static const mst_record pair = {.name = "pair", .index = I_PAIR, TABLE(pair_fields)};
static const mst_field sized_fields[] = {
    {.name = "size", .kind = MST_KIND_I8, .flags = MST_FIELD_SIZE},
    {.name = "text", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "tail", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
};
static const mst_record sized = {.name = "sized", .index = I_SIZED, TABLE(sized_fields)};
static const mst_field loose_fields[] = {PREFIXED("name", CHAR8, U8)};
static const mst_record loose = {.name = "loose", .index = I_LOOSE, TABLE(loose_fields)};

static bool is_mark(const uint8_t *bytes, bool big) {
    return mst_load16(bytes, big) == 0xFFFF;
}

static const mst_enum_name shade_names[] = {{1, "dark"}, {2, "light"}};
static const mst_enum shades = {shade_names, 2};

static const mst_field odd_fields[] = {
    {.name = "count", .kind = MST_KIND_U8, .length_of = "doubles", .length_bias = -2, BIND(R_COUNT)},
    {.name = "doubles",
     .kind = MST_KIND_F64,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .count = 2},
    {.name = "set", .kind = MST_KIND_F32, .mode = MST_COUNT_DATA_SET},
    {.name = "label", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_DATA_SET},
    {.name = "pairs_set", .kind = MST_KIND_RECORD, .mode = MST_COUNT_DATA_SET, .record = &pair},
    {.name = "code", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = 4, .flags = MST_FIELD_HIGH},
    {.name = "high",
     .kind = MST_KIND_CHAR8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U16,
     .flags = MST_FIELD_HIGH},
    PREFIXED("wide", CHAR16, U8),
    PREFIXED("bytes", RAW, U8),
    {.name = "hash", .kind = MST_KIND_RAW, .mode = MST_COUNT_FIXED, .count = 2},
    {.name = "pairs", .kind = MST_KIND_RECORD, .mode = MST_COUNT_FIXED, .count = 2, .record = &pair},
    {.name = "sized", .kind = MST_KIND_RECORD, .record = &sized},
    {.name = "loose", .kind = MST_KIND_RECORD, .record = &loose},
    {.name = "shade", .kind = MST_KIND_U8, .names = &shades},
    {.name = "rows", .kind = MST_KIND_U8, BIND(R_ROWS)},
    {.name = "columns", .kind = MST_KIND_U8, BIND(R_COLUMNS)},
    {.name = "grid",
     .kind = MST_KIND_I16,
     .mode = MST_COUNT_PRODUCT,
     .count_variable = R_ROWS,
     .count = R_COLUMNS},
    {.name = "some", .kind = MST_KIND_U16, .mode = MST_COUNT_SENTINEL, .ends = is_mark},
    {.name = "end", .kind = MST_KIND_U16},
    {.name = "rest", .kind = MST_KIND_U16, .mode = MST_COUNT_TO_END},
};
static const mst_record odd = {.name = "odd", .index = I_ROOT, TABLE(odd_fields)};
static const mst_record *const odd_records[] = {&odd, &pair, &sized, &loose};
static const mst_format odd_format = {FORMAT(odd, odd_records)};

static void put_f64(writer *w, double value) {
    put_u64(w, mst_bits_of_f64(value));
}
static void put_pair(writer *w, uint16_t a, int64_t b) {
    put_u16(w, a);
    put_u64(w, (uint64_t)b);
}

/* `variety`: 0 default, 1 empty, 2 what JSON has to represent as bytes. */
static void put_odd(writer *w, unsigned variety) {
    unsigned more = variety == 1 ? 0 : 1;
    put_u8(w, (uint8_t)more);
    for (unsigned i = 0; i < 2 + more; i++)
        put_f64(w, i ? 1e300 : variety == 2 ? (double)INFINITY : -0.25);
    put_u32(w, more ? 4 : variety == 1 ? 0 : 4);
    put_u32(w, 2 * more);
    for (unsigned i = 0; i < 2 * more; i++)
        put_f32(w, (float)i + 0.5f);
    switch (variety) {
    case 0: put_u32(w, 6), put_u32(w, 1), put_bytes_of(w, "label", 6); break;
    case 1: put_u32(w, 0), put_u32(w, 0); break;
    default: put_u32(w, 4), put_u32(w, 1), put_bytes_of(w, "a\0b", 4); break;
    }
    put_u32(w, variety == 1 ? 12 : 10); /* without elements any size will do */
    put_u32(w, more);
    if (more)
        put_pair(w, 7, -7);
    put_bytes_of(w, variety == 2 ? "a\xE1zz" : variety == 1 ? "\x80\x80\x80\x80" : "\xC1\xC2\x80\x80", 4);
    put_u16(w, variety == 1 ? 0 : 3);
    put_bytes_of(w, variety == 2 ? "\xC1xy" : "\xC1\xC2\xC3", variety == 1 ? 0 : 3);
    put_u8(w, variety == 1 ? 0 : 2);
    if (variety != 1)
        put_u16(w, variety == 2 ? 0xD800 : 'w'), put_u16(w, variety == 2 ? 0xE123 : 'x');
    put_u8(w, (uint8_t)more);
    put_bytes_of(w, "\xAB", more);
    put_bytes_of(w, "\x01\x02", 2);
    put_pair(w, 1, INT64_MIN), put_pair(w, 2, variety == 1 ? INT64_MAX : -1);
    put_u8(w, variety == 1 ? 1 : 4);
    put_u8(w, variety == 1 ? 0 : 2);
    if (variety != 1)
        put_bytes_of(w, "hi\x99", 3);
    put_u8(w, 1), put_u8(w, 'n');
    put_u8(w, variety == 0 ? 2 : 9);
    put_u8(w, 2), put_u8(w, (uint8_t)more);
    for (unsigned i = 0; i < 2 * more; i++)
        put_u16(w, (uint16_t)(0 - i));
    for (unsigned i = 0; i < 3 * more; i++)
        put_u16(w, (uint16_t)(10 + i));
    put_u16(w, 0xFFFF);
    for (unsigned i = 0; i < more; i++)
        put_u16(w, 77);
}

static const char *const odd_json[] = {
    "{\"$format\":\"test\",\"doubles\":[-0.25,1e300,1e300],\"set\":[0.5,1.5],\"label\":\"label\","
    "\"pairs_set\":[{\"a\":7,\"b\":-7}],\"code\":\"AB\",\"high\":\"ABC\",\"wide\":\"wx\",\"bytes\":\"ab\","
    "\"hash\":\"0102\",\"pairs\":[{\"a\":1,\"b\":\"0x8000000000000000\"},{\"a\":2,\"b\":-1}],"
    "\"sized\":{\"text\":\"hi\",\"tail\":\"99\"},\"loose\":{\"name\":\"n\"},\"shade\":\"light\",\"rows\":2,"
    "\"columns\":1,\"grid\":[0,-1],\"some\":[10,11,12],\"end\":65535,\"rest\":[77]}",
    "{\"$format\":\"test\",\"doubles\":[-0.25,1e300],\"set\":[],\"label\":null,\"$stride.pairs_set\":12,"
    "\"pairs_set\":[],\"code\":\"\",\"high\":\"\",\"wide\":\"\",\"bytes\":\"\",\"hash\":\"0102\","
    "\"pairs\":[{\"a\":1,\"b\":\"0x8000000000000000\"},{\"a\":2,\"b\":\"0x7fffffffffffffff\"}],\"sized\":{"
    "\"text\":\"\"},"
    "\"loose\":{\"name\":\"n\"},\"shade\":9,\"rows\":2,\"columns\":0,\"grid\":[],\"some\":[],\"end\":65535,"
    "\"rest\":[]}",
    "{\"$format\":\"test\",\"doubles\":[\"Infinity\",1e300,1e300],\"set\":[0.5,1.5],"
    "\"label\":{\"$raw\":\"61006200\"},\"pairs_set\":[{\"a\":7,\"b\":-7}],\"code\":{\"$raw\":\"61e17a7a\"},"
    "\"high\":{\"$raw\":\"c17879\"},\"wide\":{\"$raw\":\"00d823e1\"},\"bytes\":\"ab\",\"hash\":\"0102\","
    "\"pairs\":[{\"a\":1,\"b\":\"0x8000000000000000\"},{\"a\":2,\"b\":-1}],"
    "\"sized\":{\"text\":\"hi\",\"tail\":\"99\"},\"loose\":{\"name\":\"n\"},\"shade\":9,\"rows\":2,"
    "\"columns\":1,\"grid\":[0,-1],\"some\":[10,11,12],\"end\":65535,\"rest\":[77]}",
};

static void whole(void **state) {
    (void)state;
    for (unsigned variety = 0; variety < 3; variety++)
        for (int big = 0; big < 2; big++) {
            writer w = {.big = big};
            put_odd(&w, variety);
            mst_document *d = open_as(&odd_format, &w);
            if (!big)
                assert_reads_as(d, odd_json[variety]);
            assert_survives(d);
            assert_limits(&odd_format, d);
            mst_close(d);
            writer_free(&w);
        }
}

/* One key of the usual JSON with another value, or (`value` NULL) without the key. */
static char *changed(const char *key, const char *value) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *text = odd_json[0], *at = strstr(text, wanted);
    assert_non_null(at);
    const char *end = at + strlen(wanted);
    int depth = 0;
    for (bool quoted = false; quoted || depth > 0 || (*end != ',' && *end != '}'); end++) {
        quoted = quoted != (*end == '"');
        if (!quoted)
            depth += (*end == '[' || *end == '{') - (*end == ']' || *end == '}');
    }
    size_t capacity = strlen(text) + (value ? strlen(value) : 0) + 8;
    char *made = malloc(capacity);
    assert_non_null(made);
    if (value)
        snprintf(made, capacity, "%.*s%s%s%s", (int)(at - text), text, wanted, value, end);
    else
        snprintf(made, capacity, "%.*s%s", (int)(at - text) - (*end != ','), text,
                 *end == ',' ? end + 1 : end);
    return made;
}

static void what_does_not_fit(void **state) {
    (void)state;
    if (!reads_json)
        skip();
    static const char fit[] = "the value does not fit the field",
                      hex[] = "the bytes are not pairs of hexadecimal digits",
                      number[] = "the number of elements is wrong",
                      lost[] = "there is no such field here: wrong name or version, or its flag is not set";
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
        {"doubles", "[1,2,1]}", {NULL, MST_DAMAGED, "", NULL, NULL, NULL}},
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
        {"shade", "\"bright\"", {NULL, MST_ARGUMENT, "shade", fit, "an integer", "bright"}},
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

/* What means the same as the usual JSON. */
static void other_ways_to_say_it(void **state) {
    (void)state;
    if (!reads_json)
        skip();
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
    /* a text of no bytes is another thing than none */
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
    /* the size that elements of a set would have, if there are none: a number of 32 bits, or it is none */
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

/* Without a key: an error that names it, or (asked to be lenient) zeros. */
static void missing_fields(void **state) {
    (void)state;
    if (!reads_json)
        skip();
    for (size_t i = 0; i < MST_COUNT_OF(odd_fields); i++) {
        const char *name = odd_fields[i].name;
        if (odd_fields[i].length_of)
            continue;
        char *json = changed(name, NULL);
        wrong one = {json, MST_ARGUMENT, name, "the field is missing", NULL, NULL};
        if (strcmp(name, "doubles") == 0) /* then nothing says the count either */
            one.path = "count";
        assert_wrong(&odd_format, &one, 1, (how){0});
        free(json);
    }
    /* a record that has no one size cannot be made of zeros; a list of records can be empty */
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

/* ---- archives ---------------------------------------------------------------------------------- */

static const mst_field crate_fields[] = {
    {.name = "one", RAW_TO_END},
    {.name = "two", RAW_TO_END},
    {.name = "three", RAW_TO_END},
    {.name = "after", .kind = MST_KIND_U16, .flags = MST_FIELD_OUTSIDE | MST_FIELD_OPTIONAL},
};
static const mst_record crate = {.name = "crate", .index = 0, TABLE(crate_fields), .archive = true, .min = 1};
static const mst_record *const crate_records[] = {&crate};
static const mst_format crate_format = {FORMAT(crate, crate_records)};

static const mst_field slab_fields[] = {PREFIXED("text", CHAR8, U8)};
static const mst_record slab = {.name = "slab", .index = 1, TABLE(slab_fields)};
static const mst_field stack_fields[] = {
    {.name = "slabs", .kind = MST_KIND_RECORD, .mode = MST_COUNT_ARCHIVE, .record = &slab},
    {.name = "tail", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
};
static const mst_record stack = {.name = "stack", .index = 0, TABLE(stack_fields)};
static const mst_record *const stack_records[] = {&stack, &slab};
static const mst_format stack_format = {FORMAT(stack, stack_records)};

/* An archive of blocks of these sizes, at these offsets. */
static void put_archive(writer *w, size_t count, const uint32_t *offsets) {
    size_t begin = w->size;
    put_u32(w, (uint32_t)count);
    for (size_t i = 0; i <= count; i++)
        put_u32(w, offsets[i]);
    while (w->size - begin < offsets[count])
        put_u8(w, 0);
}

static void archives(void **state) {
    (void)state;
    static const uint32_t offsets[] = {24, 32, 32, 40};
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        put_archive(&w, 3, offsets);
        memcpy(w.data + 24, "first", 5);
        memcpy(w.data + 32, "third", 5);
        mst_document *d = open_as(&crate_format, &w);
        if (!big)
            assert_reads_as(d, "{\"$format\":\"test\",\"one\":\"6669727374000000\",\"two\":\"\","
                               "\"three\":\"7468697264000000\"}");
        assert_survives(d);
        assert_limits(&crate_format, d);
        mst_close(d);
        put_u16(&w, 7);
        d = open_as(&crate_format, &w);
        if (!big)
            assert_reads_as(d, "{\"$format\":\"test\",\"one\":\"6669727374000000\",\"two\":\"\","
                               "\"three\":\"7468697264000000\",\"after\":7}");
        assert_survives(d);
        assert_limits(&crate_format, d);
        mst_close(d);
        writer_free(&w);
    }
    /* padding that is not as usual, of a list: before the first, between two, and after the last */
    static const uint32_t wide[] = {24, 32, 40};
    writer w = {0};
    put_archive(&w, 2, wide);
    memcpy(w.data + 16, "\1\2\3\4\5\6\7\x8", 8);
    memcpy(w.data + 24, "\2ab\0\0\0\0\7", 8);
    memcpy(w.data + 32, "\1c", 2);
    mst_document *d = open_as(&stack_format, &w);
    assert_reads_as(d,
                    "{\"$format\":\"test\",\"$gaps.slabs\":[[0, \"0102030405060708\"], [1, \"0000000007\"]],"
                    "\"slabs\":[{\"text\":\"ab\"},{\"text\":\"c\"}]}");
    assert_survives(d);
    assert_limits(&stack_format, d);
    mst_value slabs, part, at;
    MUST(mst_find(mst_root(d), "slabs", &slabs, NULL), NULL);
    MUST(mst_find(mst_root(d), "slabs[1:]", &part, NULL), NULL);
    assert_int_equal(mst_count(&part), 1);
    mst_iterator it = mst_iterate(&part);
    assert_true(mst_next(&it, &at));
    assert_int_equal(at.offset, 32);
    assert_false(mst_next(&it, &at));
    uint64_t offset, length;
    mst_value_span(&part, &offset, &length);
    assert_int_equal(offset, 0); /* what holds it */
    assert_int_equal(offset + length, w.size);
    MUST(mst_element(&slabs, 1, &at), NULL);
    assert_int_equal(at.offset, 32);
    assert_int_equal(mst_element(&slabs, 2, &at), MST_NO_PATH);
    MUST(mst_find(mst_root(d), "slabs[0:2].text", &part, NULL), NULL);
    char text[8];
    assert_int_equal(mst_get_text(&part, text, sizeof text, NULL), MST_ARGUMENT); /* two of them */
    MUST(mst_find(mst_root(d), "slabs[1:2].text", &part, NULL), NULL);
    MUST(mst_get_text(&part, text, sizeof text, NULL), NULL);
    assert_string_equal(text, "c");
    mst_close(d);
    writer_free(&w);
    /* no blocks, and an end that says something */
    put_u32(&w, 0), put_u32(&w, 5);
    d = open_as(&stack_format, &w);
    assert_reads_as(d, "{\"$format\":\"test\",\"$end.slabs\":5,\"slabs\":[]}");
    assert_survives(d);
    mst_close(d);
    writer_free(&w);
}

static void wrong_archives(void **state) {
    (void)state;
    static const char pairs[] = "entries must be [block, \"hex\"], in ascending order",
                      hex[] = "the bytes are not pairs of hexadecimal digits";
    static const wrong crates[] = {
        {"{\"one\":\"\",\"three\":\"\"}", MST_ARGUMENT, "two", "the field is missing", NULL, NULL},
        {"{\"after\":1}", MST_ARGUMENT, "one", "the field is missing", NULL, NULL},
        {"{\"one\":\"\",\"$gaps\":5}", MST_ARGUMENT, "$gaps", "the value does not fit the field", "a list",
         "a number"},
        {"{\"one\":\"\",\"$gaps\":[0]}", MST_ARGUMENT, "$gaps", pairs, NULL, NULL},
        {"{\"one\":\"\",\"$gaps\":[[0]]}", MST_ARGUMENT, "$gaps", pairs, NULL, NULL},
        {"{\"one\":\"\",\"$gaps\":[[\"0\",\"00\"]]}", MST_ARGUMENT, "$gaps", pairs, NULL, NULL},
        {"{\"one\":\"\",\"$gaps\":[[0,0]]}", MST_ARGUMENT, "$gaps", pairs, NULL, NULL},
        {"{\"one\":\"\",\"$gaps\":[[-1,\"00\"]]}", MST_ARGUMENT, "$gaps", pairs, NULL, NULL},
        {"{\"one\":\"\",\"two\":\"\",\"$gaps\":[[1,\"00\"],[0,\"00\"]]}", MST_ARGUMENT, "$gaps", pairs, NULL,
         NULL},
        {"{\"one\":\"\",\"$gaps\":[[0,\"0\"]]}", MST_ARGUMENT, "$gaps", hex, NULL, NULL},
        {"{\"one\":\"\",\"$gaps\":[[1,\"0g\"]]}", MST_ARGUMENT, "$gaps", hex, NULL, NULL},
        {"{\"one\":\"\",\"$stride\":1}", MST_ARGUMENT, "",
         "there is no such field here: wrong name or version, or its flag is not set", NULL, "$stride"},
    };
    static const wrong stacks[] = {
        {"{\"slabs\":[{\"text\":\"\"}],\"$gaps.slabs\":[[0,\"zz\"]]}", MST_ARGUMENT, "slabs.$gaps", hex, NULL,
         NULL},
        {"{\"slabs\":[{\"text\":\"\"}],\"$gaps.slabs\":[[1,\"zz\"]]}", MST_ARGUMENT, "slabs.$gaps", hex, NULL,
         NULL},
        {"{\"slabs\":[],\"$gaps.slabs\":true}", MST_ARGUMENT, "slabs.$gaps",
         "the value does not fit the field", "a list", "true"},
    };
    if (!reads_json)
        skip();
    assert_wrong(&crate_format, crates, MST_COUNT_OF(crates), (how){0});
    assert_wrong(&stack_format, stacks, MST_COUNT_OF(stacks), (how){0});
    /* entries with default or no content, and an unnecessary end */
    static const char *const same[] = {"{\"one\":\"0102\",\"two\":\"\"}",
                                       "{\"one\":\"0102\",\"two\":\"\",\"$gaps\":[]}",
                                       "{\"one\":\"0102\",\"two\":\"\",\"$gaps\":[[1,\"000000000000\"]]}",
                                       "{\"one\":\"0102\",\"two\":\"\",\"$gaps\":[[9,\"00\"]]}",
                                       "{\"one\":\"0102\",\"two\":\"\",\"$end\":9,\"$cut\":9}",
                                       "{\"one\":\"0102\",\"two\":\"\",\"$cut\":\"1\"}"};
    mst_buffer first, made;
    MUST(encode(&crate_format, NULL, same[0], (how){0}, &first, NULL), NULL);
    /* the count, three offsets, two bytes and six of padding */
    assert_int_equal(first.size, 4 + 3 * 4 + 8);
    assert_memory_equal(first.data, "\2\0\0\0\x10\0\0\0\x18\0\0\0\x18\0\0\0\1\2\0\0\0\0\0\0", 24);
    for (size_t i = 1; i < MST_COUNT_OF(same); i++) {
        MUST(encode(&crate_format, NULL, same[i], (how){0}, &made, NULL), NULL);
        assert_int_equal(made.size, first.size);
        assert_memory_equal(made.data, first.data, first.size);
        mst_buffer_free(&made);
    }
    mst_buffer_free(&first);
    /* the last padding may be missing: the end is where it would be */
    MUST(encode(&crate_format, NULL, "{\"one\":\"\",\"$gaps\":[[1,\"\"]],\"$cut\":7}", (how){0}, &made, NULL),
         NULL);
    assert_int_equal(made.size, 16); /* a block begins at a multiple of 8 */
    assert_int_equal(mst_load32(made.data + 8, false), 16 + 7);
    mst_buffer_free(&made);
    /* lists of blocks that are missing, where that is allowed: of none */
    MUST(encode(&stack_format, NULL, "{}", (how){.lenient = true}, &made, NULL), NULL);
    assert_int_equal(made.size, 8);
    assert_memory_equal(made.data, "\0\0\0\0\0\0\0\0", 8);
    mst_buffer_free(&made);
}

/* Every fault of an archive's header, with and without a diagnostic. */
static void damaged_archives(void **state) {
    (void)state;
    static const struct {
        uint32_t count, offsets[4];
        size_t size;
        const char *code, *expected, *found;
    } cases[] = {
        {3, {24, 32, 32, 40}, 40, NULL, NULL, NULL},
        {0, {5, 0, 0, 0}, 8, "T-BLOCKS", "1 to 3", "0"},
        {4, {0, 0, 0, 0}, 20, "T-COUNT", "at most 3", "4"},
        {2, {16, 24, 32, 0}, 32, NULL, NULL, NULL},
        {3, {12, 32, 32, 40}, 40, "T-OFFSET", "at least 20", "12"},
        {3, {24, 32, 31, 40}, 40, "T-OFFSET", "at least 32", "31"},
        {3, {24, 32, 32, 48}, 40, "T-OVERRUN", "at most 40", "48"},
        {3, {24, 32, 32, 47}, 40, NULL, NULL, NULL}, /* the last padding may be missing */
        {1, {8, 8, 0, 0}, 7, "T-OVERRUN", "8 bytes", NULL},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        writer w = {0};
        mst_document *d;
        mst_diagnostic why;
        put_u32(&w, cases[i].count);
        for (size_t k = 0; k < 4; k++)
            put_u32(&w, cases[i].offsets[k]);
        while (w.size < cases[i].size)
            put_u8(&w, 0);
        mst_status status = open_in(&crate_format, false, w.data, cases[i].size, &d, &why);
        assert_int_equal(status, cases[i].code ? MST_DAMAGED : MST_OK);
        if (status != MST_OK) {
            if (strcmp(why.code, cases[i].code) != 0 && strcmp(why.code, "T-ROOT") != 0)
                print_error("case %zu: %s\n", i, why.code);
            if (strcmp(cases[i].code, "T-BLOCKS") == 0) /* of the root */
                assert_string_equal(why.code, "T-ROOT");
            else
                assert_string_equal(why.code, cases[i].code);
            assert_string_equal(why.expected, cases[i].expected);
            if (cases[i].found)
                assert_string_equal(why.found, cases[i].found);
        } else {
            assert_survives(d);
        }
        mst_close(d);
        mst_document *untold;
        assert_int_equal(open_in(&crate_format, false, w.data, cases[i].size, &untold, NULL), status);
        mst_close(untold);
        writer_free(&w);
    }
}

/* ---- chunks ------------------------------------------------------------------------------------ */

enum { I_STREAM, I_UNKNOWN, I_WORD };
static bool is_even(const uint8_t *content, uint64_t size, bool big) {
    (void)big;
    return size == 0 || content[0] % 2 == 0;
}
static const mst_field unknown_fields[] = {
    {.name = "id", .kind = MST_KIND_U32},
    {.name = "length", .kind = MST_KIND_U32, .flags = MST_FIELD_SIZE},
    {.name = "data", RAW_TO_END},
};
static const mst_record unknown_record = {.name = "unknown", .index = I_UNKNOWN, TABLE(unknown_fields)};
static const mst_field unknown_chunk = {
    .name = "unknown", .kind = MST_KIND_RECORD, .record = &unknown_record, .flags = MST_FIELD_REPEATED};
static const mst_field word_fields[] = {{.name = "is", .kind = MST_KIND_U16}};
static const mst_record word = {.name = "word", .index = I_WORD, TABLE(word_fields)};
static const mst_case stream_cases[] = {
    {.id = 1,
     .field = {.name = "numbers", .kind = MST_KIND_U8, .mode = MST_COUNT_TO_END},
     .accepts = is_even},
    {.id = 2,
     .field = {.name = "words", .kind = MST_KIND_RECORD, .record = &word, .flags = MST_FIELD_REPEATED}},
    {.id = 3, .field = {.name = "single", .kind = MST_KIND_U8}},
};
static const mst_chunks stream_chunks = {.cases = stream_cases, .case_count = 3, .unknown = &unknown_chunk};
static const mst_field stream_fields[] = {
    {.name = "head", .kind = MST_KIND_U8, .flags = MST_FIELD_OPTIONAL},
    {.name = "chunks", .kind = MST_KIND_CHUNKS, .chunks = &stream_chunks},
};
static const mst_record stream = {.name = "stream", .index = I_STREAM, TABLE(stream_fields)};
static const mst_record *const stream_records[] = {&stream, &unknown_record, &word};
static const mst_format stream_format = {FORMAT(stream, stream_records)};

static void chunks(void **state) {
    (void)state;
    static const char *const order[] = {"[\"words*2\",\"numbers\",\"unknown\",\"single\"]"};
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        put_u8(&w, 9);
        put_u32(&w, 2), put_u32(&w, 2), put_u16(&w, 500);
        put_u32(&w, 2), put_u32(&w, 2), put_u16(&w, 501);
        put_u32(&w, 1), put_u32(&w, 2), put_u16(&w, 0x0202);
        put_u32(&w, 1), put_u32(&w, 1), put_u8(&w, 2); /* a second one */
        put_u32(&w, 3), put_u32(&w, 1), put_u8(&w, 5);
        mst_document *d = open_as(&stream_format, &w);
        if (!big) {
            char expected[400];
            snprintf(
                expected, sizeof expected,
                "{\"$format\":\"test\",\"head\":9,\"$order\":%s,\"numbers\":[2,2],\"words\":[{\"is\":500}"
                ",{\"is\":501}],"
                "\"single\":5,\"unknown\":[{\"id\":1,\"data\":\"02\"}]}",
                order[0]);
            assert_reads_as(d, expected);
        }
        assert_survives(d);
        assert_limits(&stream_format, d);
        mst_close(d);
        /* nothing at all */
        mst_diagnostic why;
        MUST(open_in(&stream_format, big, "", 0, &d, &why), &why);
        assert_survives(d);
        mst_close(d);
        /* a chunk of which only the beginning is there, and one that says more than there is */
        static const char *const expected[] = {"8 bytes", "at most 1 bytes"};
        for (size_t cut = 1; cut < 3; cut++) {
            size_t size = cut == 1 ? w.size - 1 : w.size;
            if (cut == 2)
                mst_store32(w.data + w.size - 5, 2, big);
            for (int reported = 1; reported >= 0; reported--) {
                assert_int_equal(open_in(&stream_format, big, w.data, size, &d, reported ? &why : NULL),
                                 MST_DAMAGED);
                mst_close(d);
            }
            assert_string_equal(why.code, "T-OVERRUN");
            assert_string_equal(why.expected, cut == 1 ? "at most 0 bytes" : expected[1]);
        }
        assert_int_equal(open_in(&stream_format, big, w.data, 1 + 5, &d, &why), MST_DAMAGED);
        assert_string_equal(why.expected, expected[0]);
        assert_int_equal(open_in(&stream_format, big, w.data, 1 + 5, &d, NULL), MST_DAMAGED);
        writer_free(&w);
        /* bytes left over in a chunk */
        put_u8(&w, 9);
        put_u32(&w, 3), put_u32(&w, 2), put_u16(&w, 1);
        if (big)
            mst_store32(w.data + 1, 3, true), mst_store32(w.data + 5, 2, true);
        for (int reported = 1; reported >= 0; reported--)
            assert_int_equal(open_in(&stream_format, big, w.data, w.size, &d, reported ? &why : NULL),
                             MST_DAMAGED);
        assert_string_equal(why.code, "T-TRAILING");
        assert_string_equal(why.path, "single");
        writer_free(&w);
    }
}

static void wrong_chunks(void **state) {
    (void)state;
    static const char fit[] = "the value does not fit the field",
                      other[] = "the chunk would be read as another field",
                      none[] = "an entry does not name chunks";
    static const wrong cases[] = {
        {"{\"numbers\":[1]}", MST_ARGUMENT, "numbers", other, NULL, "unknown"},
        {"{\"numbers\":5}", MST_ARGUMENT, "numbers", fit, "a list", "a number"},
        {"{\"words\":5}", MST_ARGUMENT, "words", fit, "a list", "a number"},
        {"{\"words\":[{\"is\":70000}]}", MST_ARGUMENT, "words[0].is", fit, "an integer of the field's size",
         "70000"},
        {"{\"unknown\":[{\"id\":3,\"data\":\"00\"}]}", MST_ARGUMENT, "unknown", other, NULL, "single"},
        {"{\"unknown\":[{\"data\":\"00\"}]}", MST_ARGUMENT, "unknown[0].id", "the field is missing", NULL,
         NULL},
        {"{\"single\":1,\"$order\":5}", MST_ARGUMENT, "$order", fit, "a list", "a number"},
        {"{\"single\":1,\"$order\":[5]}", MST_ARGUMENT, "$order", none, NULL, NULL},
        {"{\"single\":1,\"$order\":[\"nothing\"]}", MST_ARGUMENT, "$order", none, NULL, NULL},
        {"{\"single\":1,\"$order\":[\"single*x\"]}", MST_ARGUMENT, "$order", none, NULL, NULL},
        {"{\"single\":1,\"$order\":[\"single*\"]}", MST_ARGUMENT, "$order", none, NULL, NULL},
        {"{\"single\":1,\"$order\":[\"single*2\"]}", MST_ARGUMENT, "$order",
         "it names more chunks than there are", NULL, NULL},
        {"{\"single\":1,\"$order\":[\"words\"]}", MST_ARGUMENT, "$order",
         "it names more chunks than there are", NULL, NULL},
        {"{\"single\":1,\"chunks\":[]}", MST_ARGUMENT, "",
         "there is no such field here: wrong name or version, or its flag is not set", NULL, "chunks"},
    };
    if (!reads_json)
        skip();
    assert_wrong(&stream_format, cases, MST_COUNT_OF(cases), (how){0});
    /* an order that is the default, lacks some chunks, or names only a part */
    static const char *const same[] = {
        "{\"words\":[{\"is\":1},{\"is\":2}],\"single\":3}",
        "{\"words\":[{\"is\":1},{\"is\":2}],\"single\":3,\"$order\":[]}",
        "{\"words\":[{\"is\":1},{\"is\":2}],\"single\":3,\"$order\":[\"words*2\"]}",
        "{\"words\":[{\"is\":1},{\"is\":2}],\"single\":3,\"$order\":[\"single*0\",\"words\"]}",
        "{\"words\":[{\"is\":1},{\"is\":2}],\"single\":[3]}"};
    mst_buffer first, made;
    MUST(encode(&stream_format, NULL, same[0], (how){0}, &first, NULL), NULL);
    for (size_t i = 1; i < MST_COUNT_OF(same); i++) {
        mst_diagnostic why;
        mst_status status = encode(&stream_format, NULL, same[i], (how){0}, &made, &why);
        if (status != MST_OK)
            print_error("%s\n", same[i]);
        MUST(status, &why);
        assert_int_equal(made.size, first.size);
        assert_memory_equal(made.data, first.data, first.size);
        mst_buffer_free(&made);
    }
    mst_buffer_free(&first);
    /* asked to drop fields without a place: only those */
    static const wrong dropped[] = {
        {"{\"single\":1,\"nothing\":2}", MST_ARGUMENT, "", NULL, NULL, "nothing"},
    };
    assert_wrong(&stream_format, dropped, 1, (how){.drop = true});
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
        {MST_KIND_U64, MST_JSON_NUMBER, "1e16", false, 0}, /* doubles are not exact there */
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

/* ---- what is read ------------------------------------------------------------------------------ */

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
        mst_document *d = open_as(&odd_format, &w);
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
    /* numbers at the edge of what an integer holds, and a NUL that a text does not end in */
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
        mst_document *d = open_as(&odd_format, &w);
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
    if (!reads_json)
        return;
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
    mst_document *d = open_as(&odd_format, &w);
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        mst_buffer text = {0};
        mst_value v = value_at(d, cases[i].path);
        mst_json_options options = {.compact = 1};
        mst_diagnostic why;
        MUST(mst_write_json(&v, &options, mst_buffer_sink(&text), &why), &why);
        text.data[text.size - 1] = 0;
        assert_string_equal((const char *)text.data, cases[i].json);
        mst_buffer_free(&text);
    }
    mst_close(d);
    writer_free(&w);
}

/* ---- walks ------------------------------------------------------------------------------------- */

typedef struct tourist {
    size_t met, at;
    mst_status says;
    bool inside;     /* there was something to pass over */
    mst_status then; /* returned for everything after it */
} tourist;
static mst_status tour(void *user, const mst_item *item) {
    tourist *t = user;
    (void)item;
    size_t now = t->met++;
    return now == t->at ? t->says : now > t->at ? t->then : MST_OK;
}
static mst_status tour_events(void *user, const mst_event *event) {
    tourist *t = user;
    if (t->met == t->at)
        t->inside = event->kind == MST_EVENT_BEGIN_LIST || event->kind == MST_EVENT_BEGIN_RECORD;
    size_t now = t->met++;
    return now == t->at ? t->says : now > t->at ? t->then : MST_OK;
}

static mst_status tour_findings(void *user, const mst_diagnostic *finding) {
    tourist *t = user;
    (void)finding;
    size_t now = t->met++;
    return now == t->at ? t->says : now > t->at ? t->then : MST_OK;
}

/* Whatever is met, a visitor may end the walk there, or pass over it, and then no more is met than else. */
static void tours(const mst_document *d) {
    for (int by_case = 0; by_case < 2; by_case++) {
        mst_walk_request request = mst_walk_of_document(d);
        request.visitor = tour;
        request.by_case = by_case;
        tourist all = {0, SIZE_MAX, MST_OK, false, MST_OK};
        request.user = &all;
        MUST(mst_walk_field(&request, NULL, NULL), NULL);
        for (size_t n = 0; n < all.met; n++) {
            tourist t = {0, n, MST_STOPPED, false, MST_OK};
            request.user = &t;
            assert_int_equal(mst_walk_field(&request, NULL, NULL), MST_STOPPED);
            assert_int_equal(t.met, n + 1);
            t = (tourist){0, n, MST_UNKNOWN, false, MST_OK};
            uint64_t after = 0;
            MUST(mst_walk_field(&request, &after, NULL), NULL);
            assert_true(t.met <= all.met && t.met > n);
            assert_int_equal(after, d->size);
        }
    }
    tourist all = {0, SIZE_MAX, MST_OK, false, MST_OK};
    MUST(mst_walk(d, tour_events, &all), NULL);
    for (size_t n = 0; n < all.met; n++) {
        tourist t = {0, n, MST_NO_MEMORY, false, MST_OK};
        assert_int_equal(mst_walk(d, tour_events, &t), MST_NO_MEMORY);
        assert_int_equal(t.met, n + 1);
        t = (tourist){0, n, MST_STOPPED, false, MST_OK};
        MUST(mst_walk(d, tour_events, &t), NULL);
        assert_int_equal(t.met, n + 1);
        t = (tourist){0, n, MST_UNKNOWN, false, MST_OK};
        MUST(mst_walk(d, tour_events, &t), NULL);
        tourist twice = {0, n, MST_UNKNOWN, false, MST_STOPPED};
        MUST(mst_walk(d, tour_events, &twice), NULL);
        assert_true(twice.met == n + 2 || twice.met == all.met);
        if (t.inside)
            assert_true(t.met > n && t.met <= all.met + 2); /* the count before it, and it as a leaf */
        else
            assert_int_equal(t.met, all.met);
    }
}

static void tours_end_anywhere(void **state) {
    (void)state;
    static const uint32_t offsets[] = {24, 32, 32, 40}, slabs[] = {24, 32, 40};
    writer w = {0};
    put_odd(&w, 0);
    mst_document *d = open_as(&odd_format, &w);
    tours(d);
    mst_close(d);
    writer_free(&w);
    put_archive(&w, 3, offsets);
    put_u16(&w, 7);
    d = open_as(&crate_format, &w);
    tours(d);
    mst_close(d);
    writer_free(&w);
    put_archive(&w, 2, slabs);
    put_u8(&w, 7);
    d = open_as(&stack_format, &w);
    tours(d);
    mst_close(d);
    writer_free(&w);
    put_u8(&w, 9);
    put_u32(&w, 2), put_u32(&w, 2), put_u16(&w, 500);
    put_u32(&w, 1), put_u32(&w, 2), put_u16(&w, 0x0202);
    put_u32(&w, 2), put_u32(&w, 2), put_u16(&w, 501);
    put_u32(&w, 7), put_u32(&w, 1), put_u8(&w, 5);
    d = open_as(&stream_format, &w);
    tours(d);
    mst_value words = value_at(d, "words");
    uint64_t offset, length;
    mst_value_span(&words, &offset, &length); /* of which others stand between */
    assert_int_equal(offset + length, w.size);
    mst_close(d);
    writer_free(&w);
}

/* ---- records that stand for their field, parts, data sets: what opens and what does not -------- */

enum { I_CASE, I_HULL, I_TEXT, I_SET, I_INNER, I_PART };
static const mst_field inner_fields[] = {{.name = "a", .kind = MST_KIND_U8}, PREFIXED("b", U8, U8)};
static const mst_record inner = {.name = "inner", .index = I_INNER, TABLE(inner_fields)};
static const mst_field hull_fields[] = {{.name = "content", .kind = MST_KIND_RECORD, .record = &inner}};
static const mst_record hull = {.name = "hull", .index = I_HULL, TABLE(hull_fields), .is_inline = true};
static const mst_field prefixed_fields[] = {PREFIXED("text", CHAR8, U8)};
static const mst_record prefixed = {
    .name = "text", .index = I_TEXT, TABLE(prefixed_fields), .is_inline = true};
static const mst_field text_set_fields[] = {
    {.name = "text", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_DATA_SET}};
static const mst_record text_set = {.name = "set", .index = I_SET, TABLE(text_set_fields), .is_inline = true};
static const mst_field part_fields[] = {
    {.name = "whole", .kind = MST_KIND_U8, .flags = MST_FIELD_SIZE},
    {.name = "front", .kind = MST_KIND_U8, .flags = MST_FIELD_SIZE_FIRST},
    {.name = "a", .kind = MST_KIND_U8},
    {.name = "b", .kind = MST_KIND_U8, .flags = MST_FIELD_LAST},
    {.name = "c", .kind = MST_KIND_U8, .flags = MST_FIELD_OUTSIDE},
};
static const mst_record part_record = {.name = "part", .index = I_PART, TABLE(part_fields)};
static const mst_field case_fields[] = {
    {.name = "hulls",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &hull},
    {.name = "hull", .kind = MST_KIND_RECORD, .record = &hull},
    {.name = "part", .kind = MST_KIND_RECORD, .record = &part_record},
    {.name = "texts", .kind = MST_KIND_RECORD, .mode = MST_COUNT_ARCHIVE, .record = &prefixed},
    {.name = "sets", .kind = MST_KIND_RECORD, .mode = MST_COUNT_ARCHIVE, .record = &text_set},
    {.name = "hulled", .kind = MST_KIND_RECORD, .mode = MST_COUNT_ARCHIVE, .record = &hull},
    {.name = "extra",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &hull,
     .flags = MST_FIELD_OMIT_EMPTY}, /* JSON leaves it out */
};
static const mst_record case_record = {.name = "case", .index = I_CASE, TABLE(case_fields)};
static const mst_record *const case_records[] = {&case_record, &hull,  &prefixed,
                                                 &text_set,    &inner, &part_record};
static const mst_format case_format = {FORMAT(case_record, case_records)};

/* Where the parts begin. */
typedef struct cases_at {
    size_t hulls, part, texts, sets, hulled;
} cases_at;
static cases_at put_case(writer *w) {
    static const uint32_t one[] = {16, 24}, two[] = {16, 32};
    cases_at at;
    at.hulls = w->size;
    put_u8(w, 2);
    put_u8(w, 1), put_u8(w, 2), put_u8(w, 11), put_u8(w, 12);
    put_u8(w, 2), put_u8(w, 0);
    put_u8(w, 3), put_u8(w, 0);
    at.part = w->size;
    put_u8(w, 2), put_u8(w, 1), put_u8(w, 21), put_u8(w, 22), put_u8(w, 23);
    at.texts = w->size;
    put_archive(w, 1, one);
    memcpy(w->data + at.texts + 16, "\2hi", 3);
    at.sets = w->size;
    put_archive(w, 1, two);
    mst_store32(w->data + at.sets + 16, 6, w->big);
    mst_store32(w->data + at.sets + 20, 1, w->big);
    memcpy(w->data + at.sets + 24, "hello", 5);
    at.hulled = w->size;
    put_archive(w, 1, one);
    memcpy(w->data + at.hulled + 16, "\1\2\3\4", 4);
    put_u8(w, w->big);
    if (w->big)
        put_u8(w, 1), put_u8(w, 0);
    return at;
}

static void stand_ins(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        cases_at at = put_case(&w);
        mst_document *d = open_as(&case_format, &w);
        if (!big)
            assert_reads_as(d, "{\"$format\":\"test\",\"hulls\":[{\"a\":1,\"b\":[11,12]},{\"a\":2,\"b\":[]}],"
                               "\"hull\":{\"a\":3,\"b\":[]},\"part\":{\"a\":21,\"b\":22,\"c\":23},"
                               "\"texts\":[\"hi\"],\"sets\":[\"hello\"],\"hulled\":[{\"a\":1,\"b\":[3,4]}]}");
        assert_survives(d);
        assert_limits(&case_format, d);
        tours(d);
        mst_value v = value_at(d, "hulls[0].b[1]");
        uint64_t number;
        MUST(mst_get_unsigned(&v, &number), NULL);
        assert_int_equal(number, 12);
        mst_close(d);
        const struct {
            size_t at;
            uint8_t value;
            const char *code, *path;
        } damage[] = {
            {at.part + 1, 2, "T-TRAILING", "part"},       /* the first part has a byte left over */
            {at.part + 1, 0, "T-OVERRUN", "part.a"},      /* ... or none */
            {at.part + 1, 3, "T-OVERRUN", "part.front"},  /* more than the complete size */
            {at.part, 200, "T-OVERRUN", "part.front"},    /* the total exceeds the available bytes */
            {at.hulls + 2, 255, "T-COUNT", "hulls[0].b"}, /* */
            {at.texts + 16, 9, "T-STRING", "texts[0]"},   /* longer than its block */
            {at.texts + 8 + (big ? 3 : 0), 200, "T-OVERRUN", "texts"},
            {at.sets + 16 + (big ? 3 : 0), 9, "T-COUNT", "sets[0]"},
            {at.sets + 20 + (big ? 3 : 0), 2, "T-TEXT", "sets[0]"},
            {at.sets + 20 + (big ? 3 : 0), 0, "T-TEXT", "sets[0]"},
            {at.hulled + 17, 9, "T-COUNT", "hulled[0].b"},
        };
        for (size_t i = 0; i < MST_COUNT_OF(damage); i++) {
            uint8_t old = w.data[damage[i].at];
            mst_diagnostic why;
            w.data[damage[i].at] = damage[i].value;
            for (int reported = 1; reported >= 0; reported--) {
                mst_status status = open_in(&case_format, big, w.data, w.size, &d, reported ? &why : NULL);
                if (status != MST_DAMAGED)
                    print_error("%zu: %s\n", i, mst_status_text(status));
                assert_int_equal(status, MST_DAMAGED);
            }
            if (strcmp(why.path, damage[i].path) != 0 || strcmp(why.code, damage[i].code) != 0)
                print_error("%zu: %s: %s, %s\n", i, why.path, why.code, why.message);
            assert_string_equal(why.code, damage[i].code);
            assert_string_equal(why.path, damage[i].path);
            w.data[damage[i].at] = old;
        }
        /* a data set in a block of fewer bytes than it says what it is in */
        mst_store32(w.data + at.sets + 8, 16, big), mst_store32(w.data + at.sets + 4, 16, big);
        for (size_t size = at.sets + 12; size < w.size; size++)
            for (int reported = 1; reported >= 0; reported--) {
                mst_diagnostic why;
                assert_int_equal(open_in(&case_format, big, w.data, size, &d, reported ? &why : NULL),
                                 MST_DAMAGED);
            }
        writer_free(&w);
    }
}

/* Truncation at every offset, with and without a diagnostic. */
static void every_end(void **state) {
    (void)state;
    for (unsigned variety = 0; variety < 3; variety++) {
        writer w = {.big = variety == 1};
        put_odd(&w, variety);
        size_t rest = w.size - (variety == 1 ? 0 : 2);
        for (size_t size = 0; size < w.size; size++) {
            mst_diagnostic why;
            mst_document *d;
            uint8_t *exact = malloc(size + !size);
            assert_non_null(exact);
            memcpy(exact, w.data, size);
            mst_status wanted = size == rest ? MST_OK : MST_DAMAGED;
            assert_int_equal(open_in(&odd_format, w.big, exact, size, &d, &why), wanted);
            mst_close(d);
            assert_int_equal(open_in(&odd_format, w.big, exact, size, &d, NULL), wanted);
            mst_close(d);
            if (wanted != MST_OK)
                assert_true(why.path[0] && why.offset <= size && strncmp(why.code, "T-", 2) == 0);
            free(exact);
        }
        writer_free(&w);
    }
    /* headers of data sets */
    static const struct {
        uint32_t stride, count;
        const char *path, *code, *expected, *found;
    } sets[] = {{5, 1, "set", "T-STRIDE", "4", "5"},
                {4, 0x10000000, "set", "T-COUNT", NULL, "268435456 x 4"},
                {4, 0, "", NULL, NULL, NULL}};
    for (size_t i = 0; i < MST_COUNT_OF(sets); i++) {
        writer w = {0};
        mst_diagnostic why;
        mst_document *d;
        put_odd(&w, 1);
        mst_store32(w.data + 1 + 16, sets[i].stride, false);
        mst_store32(w.data + 1 + 20, sets[i].count, false);
        mst_status status = open_in(&odd_format, false, w.data, w.size, &d, &why);
        assert_int_equal(status, sets[i].code ? MST_DAMAGED : MST_OK);
        if (status != MST_OK) {
            assert_string_equal(why.path, sets[i].path);
            assert_string_equal(why.code, sets[i].code);
            if (sets[i].expected)
                assert_string_equal(why.expected, sets[i].expected);
            assert_string_equal(why.found, sets[i].found);
        }
        mst_close(d);
        writer_free(&w);
    }
    static const uint32_t labels[][2] = {{0, 2}, {6, 0}, {6, 2}};
    for (size_t i = 0; i < MST_COUNT_OF(labels); i++) {
        writer w = {0};
        mst_diagnostic why;
        mst_document *d;
        put_odd(&w, 0);
        mst_store32(w.data + 1 + 24 + 16, labels[i][0], false);
        mst_store32(w.data + 1 + 24 + 20, labels[i][1], false);
        assert_int_equal(open_in(&odd_format, false, w.data, w.size, &d, &why), MST_DAMAGED);
        assert_string_equal(why.path, "label");
        assert_string_equal(why.code, "T-TEXT");
        assert_string_equal(why.expected, "1");
        assert_int_equal(open_in(&odd_format, false, w.data, w.size, &d, NULL), MST_DAMAGED);
        writer_free(&w);
    }
}

/* ---- what the tables ask to be checked --------------------------------------------------------- */

enum { I_RULES, I_FLAT, I_WIDE, I_SCATTERED };
static const mst_field flat_fields[] = {
    {.name = "single", .kind = MST_KIND_F32},
    {.name = "swapped", .kind = MST_KIND_F32, .flags = MST_FIELD_BIG},
    {.name = "vector", .kind = MST_KIND_F32, .mode = MST_COUNT_FIXED, .count = 2},
    {.name = "double", .kind = MST_KIND_F64},
    {.name = "index", .kind = MST_KIND_U16, REFERS({.target = "flats", NO(0xFFFF), .code = "T-INDEX"})},
    {.name = "plain_index", .kind = MST_KIND_U8, REFERS({.target = "flats", .code = "T-INDEX"})},
    {.name = "zeros",
     .kind = MST_KIND_U8,
     .mode = MST_COUNT_FIXED,
     .count = 2,
     .rule = {MST_RULE_ZERO, "T-ZERO"}},
    {.name = "shade", .kind = MST_KIND_U8, .names = &shades, .rule = {MST_RULE_NAMED, "T-NAMED"}},
    {.name = "newer", .kind = MST_KIND_U32, .when = {{MST_AT_LEAST, MST_VARIABLE_VERSION, 5}}},
};
static const mst_record flat = {.name = "flat", .index = I_FLAT, TABLE(flat_fields)};
static const mst_field wide_fields[] = {
    {.name = "doubles", .kind = MST_KIND_F64, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "zero", .kind = MST_KIND_I16, .rule = {MST_RULE_ZERO, "T-ZERO"}},
    {.name = "nowhere", .kind = MST_KIND_U8, REFERS({.target = "nothing", .code = "T-INDEX"})},
    {.name = "shades",
     .kind = MST_KIND_U8,
     .mode = MST_COUNT_FIXED,
     .count = 2,
     .names = &shades,
     .rule = {MST_RULE_NAMED, "T-NAMED"}},
};
static const mst_record wide_record = {.name = "wide", .index = I_WIDE, TABLE(wide_fields)};
#define SINGLE_AND_BYTE(n)                                                                                   \
    {.name = "f" #n, .kind = MST_KIND_F32}, {                                                                \
        .name = "b" #n, .kind = MST_KIND_U8                                                                  \
    }
static const mst_field scattered_fields[] = {
    SINGLE_AND_BYTE(0),  SINGLE_AND_BYTE(1),  SINGLE_AND_BYTE(2),  SINGLE_AND_BYTE(3),  SINGLE_AND_BYTE(4),
    SINGLE_AND_BYTE(5),  SINGLE_AND_BYTE(6),  SINGLE_AND_BYTE(7),  SINGLE_AND_BYTE(8),  SINGLE_AND_BYTE(9),
    SINGLE_AND_BYTE(10), SINGLE_AND_BYTE(11), SINGLE_AND_BYTE(12), SINGLE_AND_BYTE(13), SINGLE_AND_BYTE(14),
    SINGLE_AND_BYTE(15), SINGLE_AND_BYTE(16), SINGLE_AND_BYTE(17),
};
static const mst_record scattered = {.name = "scattered", .index = I_SCATTERED, TABLE(scattered_fields)};
static const mst_field rules_fields[] = {
    {.name = "flats",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &flat},
    {.name = "wide", .kind = MST_KIND_RECORD, .record = &wide_record},
    {.name = "scattered",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &scattered},
};
static const mst_record rules_record = {.name = "rules", .index = I_RULES, TABLE(rules_fields)};
static const mst_record *const rules_records[] = {&rules_record, &flat, &wide_record, &scattered};
static const mst_code_information rules_codes[] = {{"T-FINITE", MST_ERROR, "a number is not finite"},
                                                   {"T-INDEX", MST_ERROR, "an index"},
                                                   {"T-ZERO", MST_INFORMATION, "not zero"},
                                                   {"T-NAMED", MST_WARNING, "no name"}};
static const mst_format rules_format = {FORMAT(rules_record, rules_records), .check.codes = rules_codes,
                                        .check.code_count = MST_COUNT_OF(rules_codes),
                                        .check.nonfinite_code = "T-FINITE"};
/* The same without a word on numbers that are not finite. */
static const mst_format lax_format = {FORMAT(rules_record, rules_records), .check.codes = rules_codes,
                                      .check.code_count = MST_COUNT_OF(rules_codes)};

static void put_flat(writer *w, uint32_t single, uint32_t vector, uint64_t both, uint16_t index,
                     uint8_t shade) {
    bool big = w->big;
    put_u32(w, single);
    w->big = true;
    put_u32(w, single);
    w->big = big;
    put_f32(w, 1), put_u32(w, vector);
    put_u64(w, both);
    put_u16(w, index), put_u8(w, (uint8_t)index), put_u8(w, 0), put_u8(w, index != 0), put_u8(w, shade);
}
static void put_rules(writer *w, bool bad) {
    put_u8(w, 3);
    for (unsigned i = 0; i < 3; i++) {
        bool now = bad && i == 1;
        put_flat(w, now ? 0x7F800000 : 0x3F800000, now ? 0xFF800000 : 0,
                 now ? UINT64_C(0x7FF0000000000001) : 0, now ? 5 : 0, now ? 9 : 1);
    }
    put_flat(w, 0, 0, 0, 0xFFFF, 1);
    w->data[0] = 4;
    put_u8(w, 2), put_f64(w, 1), put_u64(w, bad ? UINT64_C(0xFFF0000000000000) : 0);
    put_u16(w, bad ? 0xFFFF : 0), put_u8(w, 7), put_u8(w, 1), put_u8(w, bad ? 0 : 2);
    put_u8(w, 2);
    for (unsigned i = 0; i < 36; i++)
        put_u32(w, bad && i == 35 ? 0x7FC00000 : 0), put_u8(w, 1);
}

typedef struct said {
    const char *path, *code, *expected, *found;
} said;
static mst_status stop_at_once(void *user, const mst_diagnostic *finding) {
    (void)finding;
    ++*(size_t *)user;
    return MST_STOPPED;
}

static void rules(void **state) {
    (void)state;
    static const char finite[] = "a finite number", inf[] = "infinity";
    static const said all[] = {
        {"flats[1].single", "T-FINITE", finite, inf},
        {"flats[1].swapped", "T-FINITE", finite, inf},
        {"flats[1].vector[1]", "T-FINITE", finite, "-infinity"},
        {"flats[1].double", "T-FINITE", finite, "NaN"},
        {"flats[1].index", "T-INDEX", "below 4, or 65535", "5"},
        {"flats[1].plain_index", "T-INDEX", "below 4", "5"},
        {"flats[3].plain_index", "T-INDEX", "below 4", "255"},
        {"flats[1].zeros[1]", "T-ZERO", "0", "1"},
        {"flats[3].zeros[1]", "T-ZERO", "0", "1"},
        {"flats[1].shade", "T-NAMED", "1..2", "9"},
        {"wide.doubles[1]", "T-FINITE", finite, "-infinity"},
        {"wide.zero", "T-ZERO", "0", "-1"},
        {"wide.shades[1]", "T-NAMED", "1..2", "0"},
        {"scattered[1].f17", "T-FINITE", finite, "NaN"},
    };
    for (int big = 0; big < 2; big++)
        for (int bad = 0; bad < 2; bad++) {
            writer w = {.big = big};
            put_rules(&w, bad);
            mst_document *d = open_as(&rules_format, &w);
            assert_survives(d);
            for (int information = 0; information < 2; information++) {
                mst_check_options options = {.information = information};
                findings found = {0};
                mst_check_result result;
                MUST(mst_check(d, information ? &options : NULL, collect, &found, &result, NULL), NULL);
                size_t at = 0;
                for (size_t i = 0; i < MST_COUNT_OF(all); i++) {
                    bool always = strncmp(all[i].path, "flats[3]", 8) == 0;
                    if ((!bad && !always) || (!information && strcmp(all[i].code, "T-ZERO") == 0))
                        continue;
                    if (at == found.count || strcmp(found.items[at].path, all[i].path) != 0)
                        print_findings(&found);
                    assert_true(at < found.count);
                    assert_string_equal(found.items[at].path, all[i].path);
                    assert_string_equal(found.items[at].code, all[i].code);
                    assert_string_equal(found.items[at].expected, all[i].expected);
                    assert_string_equal(found.items[at].found, all[i].found);
                    mst_value v;
                    MUST(mst_find(mst_root(d), all[i].path, &v, NULL), NULL);
                    assert_int_equal(found.items[at].offset, v.offset);
                    at++;
                }
                if (at != found.count)
                    print_findings(&found);
                assert_int_equal(found.count, at);
                assert_int_equal(result.errors + result.warnings + result.information, at);
                size_t first = 0;
                if (at) {
                    assert_int_equal(mst_check(d, NULL, stop_at_once, &first, NULL, NULL), MST_STOPPED);
                    assert_int_equal(first, 1);
                }
                findings_free(&found);
            }
            mst_close(d);
            /* nobody minds */
            d = open_as(&lax_format, &w);
            findings found = {0};
            MUST(mst_check(d, NULL, collect, &found, NULL, NULL), NULL);
            assert_int_equal(count_code(&found, "T-FINITE"), 0);
            assert_true(count_code(&found, "T-INDEX") > 0);
            findings_free(&found);
            mst_close(d);
            writer_free(&w);
        }
    /* each finding by itself may be the last that somebody wants to hear of */
    writer w = {0};
    put_rules(&w, true);
    mst_document *d = open_as(&rules_format, &w);
    mst_check_options options = {.information = 1};
    for (size_t n = 0;; n++) {
        tourist t = {0, n, MST_STOPPED, false, MST_OK};
        mst_check_result result;
        mst_status status = mst_check(d, &options, tour_findings, &t, &result, NULL);
        if (status == MST_OK) {
            assert_int_equal(n, MST_COUNT_OF(all));
            break;
        }
        assert_int_equal(status, MST_STOPPED);
        assert_int_equal(t.met, n + 1);
    }
    mst_close(d);
    writer_free(&w);
    /* a rule of a chunk alone, and none at all */
    static const mst_case ruled_cases[] = {
        {.id = 3, .field = {.name = "single", .kind = MST_KIND_U8, .rule = {MST_RULE_ZERO, "T-NAMED"}}}};
    static const mst_chunks ruled_chunks = {.cases = ruled_cases, .case_count = 1, .unknown = &unknown_chunk};
    static const mst_field ruled_fields[] = {
        {.name = "chunks", .kind = MST_KIND_CHUNKS, .chunks = &ruled_chunks}};
    static const mst_record ruled = {.name = "ruled", .index = I_STREAM, TABLE(ruled_fields)};
    static const mst_record *const ruled_records[] = {&ruled, &unknown_record};
    static const mst_format ruled_format = {FORMAT(ruled, ruled_records), .check.codes = rules_codes,
                                            .check.code_count = MST_COUNT_OF(rules_codes)};
    put_u32(&w, 3), put_u32(&w, 1), put_u8(&w, 5);
    d = open_as(&ruled_format, &w);
    findings found = {0};
    MUST(mst_check(d, NULL, collect, &found, NULL, NULL), NULL);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.items[0].path, "single");
    assert_int_equal(found.items[0].offset, 8);
    findings_free(&found);
    mst_close(d);
    writer_free(&w);
    put_u8(&w, 1), put_u32(&w, 3), put_u32(&w, 1), put_u8(&w, 5);
    d = open_as(&stream_format, &w);
    MUST(mst_check(d, NULL, collect, &found, NULL, NULL), NULL);
    assert_int_equal(found.count, 0);
    mst_close(d);
    writer_free(&w);
}

/* ---- reading in bulk --------------------------------------------------------------------------- */

static void bulk(void **state) {
    (void)state;
    writer w = {0};
    put_rules(&w, false);
    mst_document *d = open_as(&rules_format, &w);
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
        target.stride = 2 * components * sizeof *floats; /* there is something between them */
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_int_equal(count, cases[i].count);
        assert_true((double)floats[0] == cases[i].first &&
                    (double)floats[(count - 1) * 2 * components + components - 1] == cases[i].last);
        target.capacity = 0;
        MUST(mst_read(&v, &target, &count, &why), &why);
        assert_int_equal(count, 0);
    }
    /* what is not a list of records with a struct, and bytes that are none */
    static const char *const none[] = {"flats", "flats[:]",  "flats[:].single",
                                       "wide",  "wide.zero", "wide.doubles"};
    for (size_t i = 0; i < MST_COUNT_OF(none); i++) {
        mst_value v = value_at(d, none[i]);
        assert_int_equal(mst_read_structs(&v, capacity, 8, 1, &count, &why), MST_ARGUMENT);
        assert_int_equal(mst_read_interleaved(&v, 1, capacity, sizeof capacity, &count, &why), MST_ARGUMENT);
    }
    mst_close(d);
    writer_free(&w);
    /* elements of many sizes, one by one */
    put_case(&w);
    d = open_as(&case_format, &w);
    mst_value v, b;
    mst_target target = {.type = MST_U8, .data = capacity, .capacity = 8};
    assert_int_equal(mst_find(mst_root(d), "hulls[:].b", &b, &why),
                     MST_NO_PATH); /* of the hull; there is none */
    mst_close(d);
    writer_free(&w);
    put_odd(&w, 0);
    d = open_as(&odd_format, &w);
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

/* ---- paths -------------------------------------------------------------------------------------- */

typedef struct path_case {
    const char *path, *same, *message; /* NULL: it is found, or the message does not matter */
} path_case;

static void assert_paths(const mst_document *d, const path_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        mst_value found, same;
        mst_diagnostic why;
        mst_status status = mst_find(mst_root(d), cases[i].path, &found, &why);
        if (status != (cases[i].same ? MST_OK : MST_NO_PATH))
            print_error("%s\n", cases[i].path);
        assert_int_equal(status, cases[i].same ? MST_OK : MST_NO_PATH);
        if (status == MST_OK) {
            same = value_at(d, cases[i].same);
            assert_int_equal(found.offset, same.offset);
        } else if (cases[i].message) {
            assert_string_equal(why.message, cases[i].message);
        }
    }
}

static void odd_paths(void **state) {
    (void)state;
    static const char wanted[] = "an index, a slice or name=value and a closing bracket must follow at ";
    static const path_case in_rules[] = {
        {"flats[single=1]", "flats[0]", NULL},
        {"flats[single=1.0]", "flats[0]", NULL},
        {"flats[single=0]", "flats[3]", NULL},
        {"flats[single=0.5]", NULL, "no element has single=0.5"},
        {"flats[single=x]", NULL, "no element has single=x"},
        {"flats[index=65535]", "flats[3]", NULL},
        {"flats[index=65535.0]", "flats[3]", NULL},
        {"flats[index=0xffff]", "flats[3]", NULL},
        {"flats[index=2]", NULL, "no element has index=2"},
        {"flats[vector=1]", NULL, "no element has vector=1"},
        {"flats[vector=1.5]", NULL, "no element has vector=1.5"},
        {"flats[shade=dark]", "flats[0]", NULL},
        {"flats[shade=dusk]", NULL, "no element has shade=dusk; did you mean shade=dark?"},
        {"flats[shade=darker]", NULL, "no element has shade=darker; did you mean shade=dark?"},
        {"flats[newer=0]", NULL, "the elements have no field \"newer\""},
        {"flats[0:2].single[1]", "flats[1].single", NULL},
        {"flats[0:2].single.x", NULL, NULL},
        {"wide.doubles[0:2].x", NULL, NULL},
        {"flats[abc]d=1", NULL, NULL},
        {"flats[a_name_that_is_much_longer_than_any_that_a_table_has_for_a_field_of_it=1]", NULL, NULL},
        {"flats[abc", NULL, NULL},
    };
    static const path_case in_stack[] = {
        {"slabs[text=ab]", "slabs[0]", NULL},
        {"slabs[text=\"c\"]", "slabs[1]", NULL},
        {"slabs[text=a]", NULL, "no element has text=a; did you mean text=ab?"},
        {"slabs[text=ax]", NULL, "no element has text=ax; did you mean text=ab?"},
        {"slabs[text=abc]", NULL, "no element has text=abc; did you mean text=ab?"},
    };
    writer w = {0};
    put_rules(&w, false);
    mst_document *d = open_as(&rules_format, &w);
    assert_paths(d, in_rules, MST_COUNT_OF(in_rules));
    mst_value found;
    mst_diagnostic why;
    assert_int_equal(mst_find(mst_root(d), "flats[abc]d=1", &found, &why), MST_NO_PATH);
    assert_memory_equal(why.message, wanted, strlen(wanted));
    mst_close(d);
    writer_free(&w);
    static const uint32_t offsets[] = {16, 24, 32};
    put_archive(&w, 2, offsets);
    memcpy(w.data + 16, "\2ab", 3);
    memcpy(w.data + 24, "\1c", 2);
    d = open_as(&stack_format, &w);
    assert_paths(d, in_stack, MST_COUNT_OF(in_stack));
    mst_close(d);
    writer_free(&w);
}

/* ---- plans -------------------------------------------------------------------------------------- */

/* The sizes that a record has say where its first and last part end, or contradict each other. */
static void places_of_parts(void **state) {
    (void)state;
    enum { WHOLE = MST_FIELD_SIZE, FIRST = MST_FIELD_SIZE_FIRST, LAST = MST_FIELD_SIZE_LAST };
    static const struct {
        uint32_t has;
        uint64_t sizes[3], offset, end;
        bool good;
        uint64_t first_end, last_end;
    } cases[] = {
        {WHOLE, {10, 0, 0}, 5, 15, true, 15, 15},
        {WHOLE, {10, 0, 0}, 5, 14, false, 0, 0},
        {WHOLE, {UINT64_MAX, 0, 0}, 5, 15, false, 0, 0},
        {WHOLE | FIRST, {10, 4, 0}, 5, 15, true, 9, 15},
        {WHOLE | FIRST, {10, 11, 0}, 5, 50, false, 0, 0},
        {WHOLE | LAST, {10, 0, 4}, 5, 15, true, 11, 15},
        {WHOLE | LAST, {10, 0, 11}, 5, 50, false, 0, 0},
        {FIRST, {0, 4, 0}, 5, 15, true, 9, 9},
        {FIRST | LAST, {0, 4, 3}, 5, 15, true, 9, 12},
        {FIRST | LAST, {0, 4, 7}, 5, 15, false, 0, 0},
        {FIRST | LAST, {0, 4, UINT64_MAX - 2}, 5, 15, false, 0, 0},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        mst_plan plan = {.sizes = cases[i].has};
        uint64_t first = 0, last = 0;
        assert_int_equal(mst_split_parts(&plan, cases[i].sizes, cases[i].offset, cases[i].end, &first, &last),
                         cases[i].good);
        if (cases[i].good)
            assert_true(first == cases[i].first_end && last == cases[i].last_end);
    }
    /* the stored number, in units, with what it counts before */
    mst_field field = {.kind = MST_KIND_U64, .size_scale = 4, .size_bias = 8};
    assert_true(mst_size_covered(&field, 5) == 12);
    assert_true(mst_size_covered(&field, 2) == 0);
    assert_true(mst_size_covered(&field, 1) == UINT64_MAX);
    assert_true(mst_size_covered(&field, UINT64_MAX) == UINT64_MAX);
    static const mst_variant variants[] = {{1, false, 0}, {2, false, 0}, {1, true, 0}, {1, false, 1}};
    for (size_t a = 0; a < 4; a++)
        for (size_t b = 0; b < 4; b++)
            assert_int_equal(mst_same_variant(variants[a], variants[b]), a == b);
}

/* Records of more bytes than a plan can say are gone through field by field. */
static void huge_records(void **state) {
    (void)state;
    static const mst_field half[] = {
        {.name = "a", .kind = MST_KIND_U32, .mode = MST_COUNT_FIXED, .count = 0x3FFFFFFF},
        {.name = "b", .kind = MST_KIND_U32, .mode = MST_COUNT_FIXED, .count = 0x3FFFFFFF},
        {.name = "c", .kind = MST_KIND_U8},
    };
    static const mst_record halves = {.name = "halves", .index = 0, TABLE(half)};
    static const mst_field over[] = {
        {.name = "a", .kind = MST_KIND_U64, .mode = MST_COUNT_FIXED, .count = 0x40000000}};
    static const mst_record more = {.name = "more", .index = 1, TABLE(over)};
    static const mst_record *const list[] = {&halves, &more};
    static const mst_format format = {FORMAT(halves, list)};
    mst_arena arena;
    const mst_plan *plans;
    mst_arena_begin(&arena, NULL, 0);
    MUST(mst_plans_compile(&format, (mst_variant){0, false, 0}, &arena, &plans), NULL);
    assert_int_equal(plans[0].stride, 0);
    assert_int_equal(plans[0].minimum, UINT32_MAX);
    assert_int_equal(plans[0].fields[0].size, 0xFFFFFFFC);
    assert_int_equal(plans[0].fields[0].run_size, 0xFFFFFFFC); /* the two do not go into one run */
    assert_int_equal(plans[0].fields[0].run_next, 1);
    assert_int_equal(plans[0].fields[1].offset, 0xFFFFFFFC);
    assert_int_equal(plans[0].fields[2].offset, UINT32_MAX);
    assert_int_equal(plans[1].stride, 0);
    assert_int_equal(plans[1].minimum, UINT32_MAX);
    assert_int_equal(plans[1].fields[0].size, 0);
    mst_arena_end(&arena);
    mst_document *d;
    mst_diagnostic why;
    assert_int_equal(open_in(&format, false, "abcdefg", 7, &d, &why), MST_DAMAGED);
    assert_string_equal(why.path, "a");
    assert_string_equal(why.code, "T-OVERRUN");
}

/* ---- hooks -------------------------------------------------------------------------------------- */

static size_t pictures_there;
static size_t count_of_pictures(const mst_document *d) {
    (void)d;
    return pictures_there;
}

static void picture_numbers(void **state) {
    (void)state;
    static const mst_format pictured = {FORMAT(loose, odd_records), .images.count = count_of_pictures};
    mst_document d = {.format = &pictured};
    mst_diagnostic why;
    mst_pixels pixels;
    pictures_there = 3;
    assert_int_equal(mst_image_read(&d, 3, &pixels, NULL, &why), MST_ARGUMENT);
    assert_string_equal(why.message, "there is no image 3");
    assert_string_equal(why.expected, "0..2");
    assert_int_equal(mst_image_read(&d, 3, &pixels, NULL, NULL), MST_ARGUMENT);
    pictures_there = 0;
    assert_int_equal(mst_image_replace(&d, 0, &pixels, &why), MST_ARGUMENT);
    assert_string_equal(why.found, "no images");
    assert_int_equal(mst_image_replace(&d, 0, &pixels, NULL), MST_ARGUMENT);
}

/* Parsed, the bytes are each one more. What is 0xFF then is not read again. */
static mst_status parse_more(const mst_format *format, const mst_file_view *files, uint64_t limit,
                             mst_buffer *bytes, mst_diagnostic *diagnostic) {
    (void)format;
    (void)limit;
    mst_sink sink = mst_buffer_sink(bytes);
    for (size_t i = 0; i < files[0].size; i++) {
        uint8_t byte = (uint8_t)(files[0].data[i] + 1);
        if (byte == 0xFF) {
            mst_fail(diagnostic, MST_DAMAGED, "a byte that cannot be");
            if (diagnostic)
                MST_SET(diagnostic->code, "T-MAGIC");
            return MST_DAMAGED;
        }
        mst_status status = sink.write(sink.user, &byte, 1);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}
static mst_status serialize_less(const mst_format *format, const uint8_t *bytes, size_t size,
                                 mst_buffer *files, mst_diagnostic *diagnostic) {
    (void)format;
    (void)diagnostic;
    mst_sink sink = mst_buffer_sink(&files[0]);
    mst_status status = MST_OK;
    for (size_t i = 0; i < size && status == MST_OK; i++) {
        uint8_t byte = (uint8_t)(bytes[i] - 1);
        status = sink.write(sink.user, &byte, 1);
    }
    return status;
}

static void serializing(void **state) {
    (void)state;
    static const mst_field all[] = {{.name = "all", RAW_TO_END}};
    static const mst_record pile = {.name = "pile", .index = 0, TABLE(all)};
    static const mst_record *const list[] = {&pile};
    static const mst_format format = {FORMAT(pile, list), .files.count = 1, .files.parse = parse_more,
                                      .files.serialize = serialize_less};
    mst_document *d;
    mst_diagnostic why;
    static const struct {
        const char *bytes;
        size_t size;
        bool good;
    } cases[] = {{"abc", 3, true}, {"", 0, true}, {"a\xFF", 2, false}};
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++)
        for (int reported = 1; reported >= 0; reported--) {
            MUST(open_in(&format, false, cases[i].bytes, cases[i].size, &d, &why), &why);
            mst_status status = mst_serialize(d, reported ? &why : NULL);
            assert_int_equal(status, cases[i].good ? MST_OK : MST_REFUSED);
            if (cases[i].good) {
                size_t size;
                const uint8_t *file = mst_document_file(d, 0, NULL, &size);
                assert_int_equal(size, cases[i].size);
                for (size_t k = 0; k < size; k++)
                    assert_int_equal(file[k], (uint8_t)cases[i].bytes[k] - 1);
                assert_memory_equal(mst_document_bytes(d, &size), cases[i].bytes, cases[i].size);
                assert_int_equal(mst_file_offset(d, 1), MST_NO_OFFSET); /* packed, it has no place */
            } else if (reported) {
                assert_string_equal(why.message, "the files could not be read back");
                assert_string_equal(why.code, "T-MAGIC");
                assert_string_equal(why.found, "a byte that cannot be");
            }
            mst_close(d);
        }
}

/* A place to write to that is full after so many pieces. */
typedef struct full {
    size_t pieces;
} full;
static mst_status write_full(void *user, const void *data, size_t size) {
    full *f = user;
    (void)data;
    (void)size;
    return f->pieces && f->pieces-- ? MST_OK : MST_IO;
}

static void full_places(void **state) {
    (void)state;
    /* chunks of more than is put together before it is written */
    writer w = {0};
    put_u8(&w, 9);
    for (unsigned i = 0; i < 3000; i++)
        put_u32(&w, 2), put_u32(&w, 2), put_u16(&w, (uint16_t)i);
    mst_document *d = open_as(&stream_format, &w);
    static const char *const paths[] = {"", "words", "words[10:2000]"};
    for (size_t i = 0; i < MST_COUNT_OF(paths); i++) {
        mst_value v = value_at(d, paths[i]);
        size_t pieces = 0;
        for (;; pieces++) {
            full f = {pieces};
            mst_diagnostic why;
            mst_status status = mst_write_json(&v, NULL, (mst_sink){write_full, &f}, &why);
            if (status == MST_OK)
                break;
            assert_int_equal(status, MST_IO);
            assert_string_equal(why.message, "the JSON could not be written");
        }
        assert_true(pieces > 1);
    }
    mst_close(d);
    writer_free(&w);
}

/* ---- columns ------------------------------------------------------------------------------------ */

static void columns(void **state) {
    (void)state;
    writer w = {.big = true};
    put_rules(&w, false);
    mst_document *d = open_as(&rules_format, &w);
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
    d = open_as(&case_format, &w);
    mst_value hulls = value_at(d, "hulls");
    assert_false(mst_column_of(&hulls, "a", &column)); /* of no one size */
    mst_close(d);
    writer_free(&w);
}

/* ---- edits -------------------------------------------------------------------------------------- */

/* What is done to a document, and what the value at `look` (NULL: the same path) then is. */
typedef struct change {
    char way; /* 's'et, 'i'nsert, 'r'emove */
    const char *path, *json;
    mst_status status;
    const char *look, *is;
    const char *message; /* if it is refused */
} change;

/* Each change by itself, on a document of those bytes. */
static void assert_changes(const mst_format *format, const writer *w, const change *all, size_t count) {
    for (size_t i = 0; i < count; i++) {
        mst_document *d = open_as(format, w);
        mst_diagnostic why;
        for (int again = 0; again < 2; again++) { /* the second time without a diagnostic */
            mst_diagnostic *diagnostic = again ? NULL : &why;
            mst_status status = all[i].way == 's'   ? mst_set(d, all[i].path, all[i].json, diagnostic)
                                : all[i].way == 'i' ? mst_insert(d, all[i].path, all[i].json, diagnostic)
                                                    : mst_remove(d, all[i].path, diagnostic);
            if (status != all[i].status)
                print_error("%c %s %s: %s: %s\n", all[i].way, all[i].path, all[i].json ? all[i].json : "",
                            mst_status_text(status), again ? "" : why.message);
            assert_int_equal(status, all[i].status);
            if (status == MST_OK)
                break;
            assert_false(mst_is_edited(d));
        }
        if (all[i].status == MST_OK) {
            mst_value now = {0};
            if (all[i].is)
                now = value_at(d, all[i].look ? all[i].look : all[i].path);
            char *is = all[i].is ? json_of(&now, 1) : NULL;
            if (is)
                assert_string_equal(is, all[i].is);
            free(is);
            assert_survives(d);
        } else {
            if (all[i].message && strcmp(why.message, all[i].message) != 0)
                print_error("%s: %s\n", all[i].path, why.message);
            if (all[i].message)
                assert_string_equal(why.message, all[i].message);
            assert_string_equal(why.path, all[i].path);
            assert_same_bytes(d, w->data, w->size);
        }
        mst_close(d);
    }
}

static void changes(void **state) {
    (void)state;
    if (!reads_json)
        skip();
    char long_path[700], long_element[700], much[300] = "\"", bytes[700] = "\"";
    memset(long_path, 'a', sizeof long_path);
    memcpy(long_path + 600, ".b", 3);
    memset(long_element, 'a', sizeof long_element);
    memcpy(long_element + 600, "[0]", 4);
    memset(much + 1, 'x', 200);
    memcpy(much + 201, "\"", 2);
    memset(bytes + 1, '0', 600);
    memcpy(bytes + 601, "\"", 2);
    static const char hold[] = "an enclosing size or count cannot hold the new number",
                      fixed[] = "the number of elements is fixed",
                      follows[] = "this field is computed from other fields and cannot be set";
    const change in_odd[] = {
        {'s', "doubles[0]", "2.5", MST_OK, NULL, "2.5", NULL},
        {'s', "doubles[0]", "-1e3", MST_OK, NULL, "-1000", NULL},
        {'s', "doubles[0]", " 4 ", MST_OK, NULL, "4", NULL},
        {'s', "doubles[0]", "-", MST_ARGUMENT, NULL, NULL, "the value does not fit the field"},
        {'s', "doubles[0]", "", MST_ARGUMENT, NULL, NULL, NULL},
        {'s', "doubles[0]", "true", MST_ARGUMENT, NULL, NULL, NULL},
        {'s', "shade", "true", MST_OK, NULL, "\"dark\"", NULL},
        {'s', "shade", "false", MST_OK, NULL, "0", NULL},
        {'s', "shade", "dark", MST_OK, NULL, "\"dark\"", NULL},
        {'s', "shade", "\"dark\"", MST_OK, NULL, "\"dark\"", NULL},
        {'s', "shade", "0x1", MST_OK, NULL, "\"dark\"", NULL},
        {'s', "hash", "\"ffff\"", MST_OK, NULL, "\"ffff\"", NULL},
        {'s', "label", "other words", MST_OK, NULL, "\"other words\"", NULL},
        {'s', "label", "12", MST_OK, NULL, "\"12\"", NULL},
        {'s', "set", "[]", MST_OK, NULL, "[]", NULL},
        {'s', "set", "7", MST_OK, NULL, "[7]", NULL},
        {'s', "count", "3", MST_REFUSED, NULL, NULL, follows},
        {'s', "rows", "3", MST_ARGUMENT, NULL, NULL, NULL},
        {'s', "doubles", "[1,2]", MST_OK, "count", "0", NULL},
        {'s', "doubles.x", "1", MST_NO_PATH, NULL, NULL, NULL},
        {'s', "pairs.a", "1", MST_NO_PATH, NULL, NULL, NULL},
        {'s', "nothing", "1", MST_NO_PATH, NULL, NULL, NULL},
        {'s', "nothing[0]", "1", MST_NO_PATH, NULL, NULL, NULL},
        {'s', "sized.size", "1", MST_REFUSED, NULL, NULL, follows},
        {'s', "sized.text", much, MST_REFUSED, NULL, NULL, NULL},
        {'s', "sized.tail", bytes, MST_REFUSED, NULL, NULL, hold},
        {'s', "sized.text", "\"\"", MST_OK, NULL, "\"\"", NULL},
        {'s', "pairs[0:1].a", "1", MST_ARGUMENT, NULL, NULL,
         "a slice cannot be edited: name each element by its index"},
        {'i', "doubles[1]", "5", MST_OK, "doubles", "[-0.25,5,1e300,1e300]", NULL},
        {'r', "doubles[0]", NULL, MST_OK, "count", "0", NULL},
        {'i', "set[2]", "5", MST_OK, "set", "[0.5,1.5,5]", NULL},
        {'r', "set[0]", NULL, MST_OK, "set", "[1.5]", NULL},
        {'r', "pairs_set[0]", NULL, MST_OK, "pairs_set", "[]", NULL},
        {'i', "pairs_set[0]", "{\"a\":1,\"b\":2}", MST_OK, "pairs_set",
         "[{\"a\":1,\"b\":2},{\"a\":7,\"b\":-7}]", NULL},
        {'i', "some[3]", "5", MST_OK, "some", "[10,11,12,5]", NULL},
        {'i', "rest[0]", "5", MST_OK, "rest", "[5,77]", NULL},
        {'i', "rest[3]", "5", MST_NO_PATH, NULL, NULL, "the list is shorter than that"},
        {'i', "rest[99999999999999999999999]", "5", MST_NO_PATH, NULL, NULL, "the list is shorter than that"},
        {'i', "pairs[0]", "{\"a\":1,\"b\":2}", MST_REFUSED, NULL, NULL, fixed},
        {'i', "grid[0]", "1", MST_REFUSED, NULL, NULL, fixed},
        {'r', "grid[0]", NULL, MST_REFUSED, NULL, NULL, fixed},
        {'r', "pairs[0].a", NULL, MST_REFUSED, NULL, NULL,
         "the field is part of every record of this type and cannot be removed"},
        {'r', "", NULL, MST_ARGUMENT, NULL, NULL, "the document itself cannot be removed"},
        {'s', "", "1", MST_ARGUMENT, NULL, NULL, "the document itself cannot be set: build it from JSON"},
        {'i', "shade[0]", "1", MST_ARGUMENT, NULL, NULL, "this is not a list"},
        {'i', "shade", "1", MST_ARGUMENT, NULL, NULL,
         "the path of an insertion must end in the new element's [index]"},
        {'i', "set[]", "1", MST_ARGUMENT, NULL, NULL,
         "the path of an insertion must end in the new element's [index]"},
        {'i', "set[x]", "1", MST_ARGUMENT, NULL, NULL,
         "the path of an insertion must end in the new element's [index]"},
    };
    writer w = {0};
    put_odd(&w, 0);
    assert_changes(&odd_format, &w, in_odd, MST_COUNT_OF(in_odd));
    mst_document *d = open_as(&odd_format, &w);
    mst_diagnostic why;
    assert_int_equal(mst_set(d, long_path, "1", &why), MST_NO_PATH);
    assert_int_equal(mst_insert(d, long_element, "1", &why), MST_ARGUMENT);
    assert_string_equal(why.message, "the path is too long");
    mst_close(d);
    writer_free(&w);
    /* what stands outside of an archive moves nothing in it; a block of another length moves what follows */
    static const uint32_t offsets[] = {24, 32, 32, 40};
    static const change in_crate[] = {
        {'s', "after", "9", MST_OK, NULL, "9", NULL},
        {'s', "one", "\"010203040506070809\"", MST_OK, "after", "7", NULL},
        {'s', "two", "\"01\"", MST_OK, "three", "\"0000000000000000\"", NULL},
        {'s', "three", "\"\"", MST_OK, "after", "7", NULL},
    };
    put_archive(&w, 3, offsets);
    put_u16(&w, 7);
    assert_changes(&crate_format, &w, in_crate, MST_COUNT_OF(in_crate));
    writer_free(&w);
    static const uint32_t slabs[] = {16, 24, 32};
    static const change in_stack[] = {
        {'s', "slabs[0].text", "more than eight", MST_OK, "slabs[1].text", "\"c\"", NULL},
        {'s', "slabs[1].text", "", MST_OK, "slabs[0].text", "\"ab\"", NULL},
        {'s', "slabs", "[{\"text\":\"x\"}]", MST_OK, NULL, "[{\"text\":\"x\"}]", NULL},
        {'i', "slabs[0]", "{\"text\":\"x\"}", MST_REFUSED, NULL, NULL,
         "blocks cannot be added or removed one by one: set the complete list"},
        {'s', "tail", "\"01\"", MST_OK, NULL, "\"01\"", NULL},
    };
    put_archive(&w, 2, slabs);
    memcpy(w.data + 16, "\2ab", 3);
    memcpy(w.data + 24, "\1c", 2);
    assert_changes(&stack_format, &w, in_stack, MST_COUNT_OF(in_stack));
    writer_free(&w);
    /* chunks */
    static const change in_stream[] = {
        {'s', "head", "1", MST_OK, NULL, "1", NULL},
        {'i', "words[0]", "{\"is\":5}", MST_OK, "words", "[{\"is\":5},{\"is\":500}]", NULL},
        {'i', "words[1]", "{\"is\":5}", MST_OK, "words", "[{\"is\":500},{\"is\":5}]", NULL},
        {'r', "words[0]", NULL, MST_OK, "words", "[]", NULL},
        {'r', "words", NULL, MST_ARGUMENT, NULL, NULL,
         "a list of chunks cannot be removed: remove its elements one by one"},
        {'s', "words", "[]", MST_ARGUMENT, NULL, NULL,
         "a list of chunks cannot be set: set its elements one by one"},
        {'r', "numbers", NULL, MST_OK, "words", "[{\"is\":500}]", NULL},
        {'s', "numbers", "[2,3,4]", MST_OK, NULL, "[2,3,4]", NULL},
        {'s', "numbers", "[1]", MST_REFUSED, NULL, NULL, NULL},
        {'s', "unknown[0].id", "3", MST_REFUSED, NULL, NULL, NULL},
        {'s', "unknown[0].data", "\"0102\"", MST_OK, NULL, "\"0102\"", NULL},
        {'i', "unknown[0]", "{\"id\":8,\"data\":\"\"}", MST_OK, "unknown[0]", "{\"id\":8,\"data\":\"\"}",
         NULL},
        {'i', "unknown[0]", "{\"id\":2,\"data\":\"0101\"}", MST_REFUSED, NULL, NULL, NULL},
        {'r', "unknown[0]", NULL, MST_OK, "unknown", "[]", NULL},
    };
    put_u8(&w, 9);
    put_u32(&w, 2), put_u32(&w, 2), put_u16(&w, 500);
    put_u32(&w, 1), put_u32(&w, 2), put_u16(&w, 0x0202);
    put_u32(&w, 7), put_u32(&w, 1), put_u8(&w, 5);
    assert_changes(&stream_format, &w, in_stream, MST_COUNT_OF(in_stream));
    writer_free(&w);
    static const change in_case[] = {
        {'s', "part.c", "99", MST_OK, NULL, "99", NULL},
        {'s', "part.b", "98", MST_OK, NULL, "98", NULL},
        {'s', "hulls[0].b", "[1,2,3,4,5,6]", MST_OK, "sets[0]", "\"hello\"", NULL},
        {'s', "hulls[1]", "{\"a\":9,\"b\":[9]}", MST_OK, NULL, "{\"a\":9,\"b\":[9]}", NULL},
        {'i', "hulls[2]", "{\"a\":9,\"b\":[9]}", MST_OK, "hulls[2].b[0]", "9", NULL},
        {'r', "hulls[0]", NULL, MST_OK, "hulls", "[{\"a\":2,\"b\":[]}]", NULL},
        {'s', "texts[0]", "a text of more than eight bytes", MST_OK, "hulled[0].b", "[3,4]", NULL},
        {'s', "sets[0]", "a text of more than eight bytes", MST_OK, "hulled[0].b", "[3,4]", NULL},
        {'s', "hulled[0].b[1]", "77", MST_OK, "hulled[0].b", "[3,77]", NULL},
    };
    put_case(&w);
    assert_changes(&case_format, &w, in_case, MST_COUNT_OF(in_case));
    writer_free(&w);
}

/* A root that stores its size, and bytes after it. */
static const mst_field own_size_fields[] = {{.name = "size", .kind = MST_KIND_U32, .flags = MST_FIELD_SIZE},
                                            {.name = "bytes", RAW_TO_END}};
static const mst_record own_size = {.name = "own_size", .index = 0, TABLE(own_size_fields)};
static const mst_record *const own_size_records[] = {&own_size};
static const mst_format own_size_format = {FORMAT(own_size, own_size_records)};

static void after_the_root(void **state) {
    (void)state;
    static const uint8_t bytes[] = {2, 0, 0, 0, 'a', 'b', 'c'};
    mst_document *d;
    mst_diagnostic why;
    MUST(open_in(&own_size_format, false, bytes, 6, &d, &why), &why);
    assert_survives(d);
    mst_close(d);
    assert_int_equal(open_in(&own_size_format, false, bytes, 7, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "T-TRAILING");
    assert_int_equal(why.offset, 6);
    assert_int_equal(why.length, 1);
    assert_int_equal(open_in(&own_size_format, false, bytes, 5, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "T-OVERRUN");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole),
        cmocka_unit_test(what_does_not_fit),
        cmocka_unit_test(other_ways_to_say_it),
        cmocka_unit_test(missing_fields),
        cmocka_unit_test(archives),
        cmocka_unit_test(wrong_archives),
        cmocka_unit_test(damaged_archives),
        cmocka_unit_test(chunks),
        cmocka_unit_test(wrong_chunks),
        cmocka_unit_test(numbers),
        cmocka_unit_test(values),
        cmocka_unit_test(values_as_json),
        cmocka_unit_test(tours_end_anywhere),
        cmocka_unit_test(stand_ins),
        cmocka_unit_test(every_end),
        cmocka_unit_test(rules),
        cmocka_unit_test(bulk),
        cmocka_unit_test(odd_paths),
        cmocka_unit_test(places_of_parts),
        cmocka_unit_test(huge_records),
        cmocka_unit_test(picture_numbers),
        cmocka_unit_test(serializing),
        cmocka_unit_test(full_places),
        cmocka_unit_test(columns),
        cmocka_unit_test(changes),
        cmocka_unit_test(after_the_root),
    };
    return cmocka_run_group_tests_name("engine, odd", tests, look_what_there_is, NULL);
}
