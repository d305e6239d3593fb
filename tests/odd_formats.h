/* SPDX-License-Identifier: MIT */
/* Formats with rare features, one for each shape, and tests of all of them. */
#ifndef MST_TESTS_ODD_FORMATS_H
#define MST_TESTS_ODD_FORMATS_H

#include "own_format.h"

typedef struct how {
    bool lenient, drop, big;
    size_t limit; /* 0: none */
} how;

/* Bytes from JSON, or (`json` NULL) from a document. */
static inline mst_status encode(const mst_format *format, const mst_document *d, const char *json, how with,
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

/* JSON that does not make a document, with and without a diagnostic. */
typedef struct wrong {
    const char *json;
    mst_status status;
    const char *path, *message, *expected, *found; /* NULL: any */
} wrong;

static inline void assert_wrong(const mst_format *format, const wrong *cases, size_t count, how with) {
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

/* Limited output: a too small limit gives MST_NO_MEMORY, an exact one suffices. */
static inline void assert_limits(const mst_format *format, const mst_document *d) {
    mst_buffer text = {0}, made;
    mst_diagnostic why;
    mst_value root = mst_root(d);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    for (int json = 0; json < 2; json++)
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

static inline bool is_mark(const uint8_t *bytes, bool big) {
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

static inline void put_f64(writer *w, double value) {
    put_u64(w, mst_bits_of_f64(value));
}

static inline void put_pair(writer *w, uint16_t a, int64_t b) {
    put_u16(w, a);
    put_u64(w, (uint64_t)b);
}

/* `variety`: 0 default, 1 empty, 2 values that JSON has to represent as bytes. */
static inline void put_odd(writer *w, unsigned variety) {
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
    put_u32(w, variety == 1 ? 12 : 10); /* without elements any size is valid */
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

/* One key of the usual JSON with another value, or (`value` NULL) without the key. */
static inline char *changed(const char *key, const char *value) {
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
    size_t kept = (size_t)(at - text) - (value || *end == ',' ? 0 : 1);
    memcpy(made, text, kept);
    made[kept] = 0;
    if (value)
        strcat(strcat(made, wanted), value);
    strcat(made, !value && *end == ',' ? end + 1 : end);
    return made;
}

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
static inline void put_archive(writer *w, size_t count, const uint32_t *offsets) {
    size_t begin = w->size;
    put_u32(w, (uint32_t)count);
    for (size_t i = 0; i <= count; i++)
        put_u32(w, offsets[i]);
    while (w->size - begin < offsets[count])
        put_u8(w, 0);
}

enum { I_STREAM, I_UNKNOWN, I_WORD };

static inline bool is_even(const uint8_t *content, uint64_t size, bool big) {
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

typedef struct tourist {
    size_t met, at;
    mst_status says;
    bool inside;     /* there was something to skip */
    mst_status then; /* returned for everything after it */
} tourist;

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

static inline cases_at put_case(writer *w) {
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

static const mst_format rules_format = {FORMAT(rules_record, rules_records),
                                        .check.codes = &(const mst_codes)MST_CODES(rules_codes),
                                        .check.nonfinite_code = "T-FINITE"};

static inline void put_flat(writer *w, uint32_t single, uint32_t vector, uint64_t both, uint16_t index,
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

static inline void put_rules(writer *w, bool bad) {
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

#endif
