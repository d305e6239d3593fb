/* SPDX-License-Identifier: MIT */
/* The schema engine, part by part, with small formats of the test's own. */
#include "ns2_level.h"
#include "own_format.h"

/* ---- documents of formats that are in no list -------------------------------------------------- */

static void fabricate(mst_document *d, const mst_format *format, uint32_t version, bool big,
                      const void *bytes, size_t size) {
    memset(d, 0, sizeof *d);
    d->format = format;
    d->variant = (mst_variant){version, big, 0};
    d->allocator = mst_allocator_or_default(NULL);
    mst_arena_begin(&d->arena, &d->allocator, 0);
    d->data = bytes;
    d->size = size;
    d->context[MST_VARIABLE_VERSION] = version;
    MUST(mst_plans_compile(format, d->variant, &d->arena, &d->plans), NULL);
}
static void discard(mst_document *d) {
    mst_arena_end(&d->arena);
}
static mst_status measure(const mst_document *d, mst_diagnostic *why) {
    mst_walk_request request = mst_walk_of_document(d);
    return mst_walk_field(&request, NULL, why);
}
static void json_text(const mst_document *d, int compact, mst_buffer *text) {
    mst_diagnostic why;
    mst_value root = mst_root(d);
    mst_json_options options = {.compact = compact};
    MUST(mst_write_json(&root, &options, mst_buffer_sink(text), &why), &why);
    MUST(mst_buffer_sink(text).write(text, "", 1), NULL);
    text->size--;
}
/* What the JSON makes in the byte order of `d`; false in a build that cannot read JSON. */
static bool json_bytes(const mst_document *d, const mst_buffer *text, mst_buffer *made) {
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_json json;
    mst_diagnostic why;
    mst_status status = mst_json_parse((const char *)text->data, text->size, &arena, &json, &why);
    if (status != MST_UNSUPPORTED) {
        MUST(status, &why);
        mst_encode_request request = {.format = d->format,
                                      .variant = d->variant,
                                      .plans = d->plans,
                                      .allocator = &d->allocator,
                                      .limit = UINT32_MAX,
                                      .field = &mst_document_field,
                                      .single = true,
                                      .context = d->context,
                                      .source = {.json = json.nodes}};
        made->allocator = d->allocator;
        MUST(mst_encode_field(&request, made, &why), &why);
    }
    mst_arena_end(&arena);
    return status != MST_UNSUPPORTED;
}

/* ---- a format with everything ------------------------------------------------------------------ */

enum { R_COUNT = 1, R_FLAGS, R_KIND };
enum { I_ROOT, I_PAIR, I_TEXT, I_SIZED };

static const mst_field pair_fields[] = {{.name = "a", .kind = MST_KIND_U16},
                                        {.name = "b", .kind = MST_KIND_I8}};
static const mst_record pair = {.name = "pair", .index = I_PAIR, TABLE(pair_fields)};
static const mst_field text_fields[] = {
    {.name = "text", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8}};
static const mst_record text_record = {
    .name = "text", .index = I_TEXT, TABLE(text_fields), .is_inline = true};
static const mst_field sized_fields[] = {
    {.name = "size", .kind = MST_KIND_U16, .flags = MST_FIELD_SIZE | MST_FIELD_BIG},
    {.name = "a", .kind = MST_KIND_U8},
    {.name = "tail", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
};
static const mst_record sized = {.name = "sized", .index = I_SIZED, TABLE(sized_fields)};
static const mst_enum_name colors[] = {{1, "red"}, {2, "green"}};
static const mst_enum color_names = {colors, 2};

#define NUMBER(label, KIND)                                                                                  \
    { .name = label, .kind = MST_KIND_##KIND }
#define PREFIXED(label, KIND, by)                                                                            \
    { .name = label, .kind = MST_KIND_##KIND, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_##by }
static const mst_field root_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = 2, .constant = "TS"},
    {.name = "version", .kind = MST_KIND_U8},
    NUMBER("u8", U8),
    NUMBER("i8", I8),
    NUMBER("u16", U16),
    NUMBER("i16", I16),
    NUMBER("u32", U32),
    NUMBER("i32", I32),
    NUMBER("u64", U64),
    NUMBER("i64", I64),
    NUMBER("f32", F32),
    NUMBER("f64", F64),
    {.name = "always_big", .kind = MST_KIND_U32, .flags = MST_FIELD_BIG},
    {.name = "yes", .kind = MST_KIND_U16, .flags = MST_FIELD_BOOL},
    {.name = "color", .kind = MST_KIND_U8, .names = &color_names},
    {.name = "usual", .kind = MST_KIND_U8, .flags = MST_FIELD_DEFAULT, .initial = 7},
    {.name = "fixed", .kind = MST_KIND_I16, .mode = MST_COUNT_FIXED, .count = 3},
    PREFIXED("by_u8", U16, U8),
    PREFIXED("by_u16", F64, U16),
    PREFIXED("by_u32", U64, U32),
    {.name = "count", .kind = MST_KIND_U8, .length_of = "counted", .length_bias = -2, BIND(R_COUNT)},
    {.name = "counted",
     .kind = MST_KIND_F32,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .count = 2},
    {.name = "name", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = 8},
    PREFIXED("narrow", CHAR8, U16),
    PREFIXED("wide", CHAR16, U8),
    PREFIXED("raw", RAW, U16),
    {.name = "pair", .kind = MST_KIND_RECORD, .record = &pair},
    {.name = "pairs",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &pair},
    {.name = "texts", .kind = MST_KIND_RECORD, .mode = MST_COUNT_FIXED, .count = 2, .record = &text_record},
    {.name = "sized", .kind = MST_KIND_RECORD, .mode = MST_COUNT_FIXED, .count = 2, .record = &sized},
    {.name = "flags", .kind = MST_KIND_U8, BIND(R_FLAGS)},
    {.name = "if_bit", .kind = MST_KIND_U8, .when = {{MST_ANY_BIT, R_FLAGS, 6}}},
    {.name = "if_no_bit", .kind = MST_KIND_U8, .when = {{MST_NO_BIT, R_FLAGS, 8}}},
    {.name = "newer", .kind = MST_KIND_U8, .when = {{MST_AT_LEAST, MST_VARIABLE_VERSION, 3}}},
    {.name = "older", .kind = MST_KIND_U8, .when = {{MST_BELOW, MST_VARIABLE_VERSION, 3}}},
    {.name = "kind", .kind = MST_KIND_U8, BIND(R_KIND)},
    {.name = "value", .kind = MST_KIND_U16, .when = {{MST_EQUAL, R_KIND, 1}}},
    {.name = "value",
     .kind = MST_KIND_F32,
     .when = {{MST_NOT_EQUAL, R_KIND, 1}, {MST_ONE_OF, R_KIND, 1u << 2 | 1u << 5}}},
    {.name = "rest", .kind = MST_KIND_U16, .mode = MST_COUNT_TO_END},
};
static const mst_record root = {.name = "root", .index = I_ROOT, TABLE(root_fields)};
static const mst_record *const test_records[] = {&root, &pair, &text_record, &sized};
static const mst_format test_format = {
    .information =
        {.id = "test", .title = "", .extensions = "", .media_type = "", .versions = "", .rows = ""},
    .tables.root = &root,
    .tables.records = test_records,
    .tables.record_count = MST_COUNT_OF(test_records),
    .identity.version_field = "version",
    .check.problem_codes = PROBLEMS};

static void put_f64(writer *w, double value) {
    put_u64(w, mst_bits_of_f64(value));
}

static void write_everything(writer *w, unsigned version, unsigned kind) {
    bool big = w->big;
    put_bytes_of(w, "TS", 2);
    at(w, "version"), put_u8(w, (uint8_t)version);
    at(w, "u8"), put_u8(w, 200);
    put_u8(w, 0x80); /* i8: -128 */
    at(w, "u16"), put_u16(w, 0xABCD);
    put_u16(w, 0x8001); /* -32767 */
    at(w, "u32"), put_u32(w, 0xDEADBEEF);
    put_u32(w, 0xFFFFFFFE); /* -2 */
    at(w, "u64"), put_u64(w, UINT64_C(0xFEDCBA9876543210));
    put_u64(w, UINT64_C(0x8000000000000000));
    at(w, "f32"), put_f32(w, 0.1f);
    put_f64(w, -1e300);
    w->big = true;
    at(w, "always_big"), put_u32(w, 0x01020304);
    w->big = big;
    at(w, "yes"), put_u16(w, 1);
    at(w, "color"), put_u8(w, 2);
    at(w, "usual"), put_u8(w, 7);
    put_u16(w, 1), put_u16(w, 0xFFFF), put_u16(w, 3);
    put_u8(w, 2), at(w, "by_u8[0]"), put_u16(w, 0x1234), put_u16(w, 5);
    put_u16(w, 1), put_f64(w, 0.5);
    put_u32(w, 2), at(w, "by_u32[0]"), put_u64(w, UINT64_C(1) << 53), put_u64(w, (UINT64_C(1) << 53) + 1);
    at(w, "count"), put_u8(w, 1);
    for (unsigned i = 0; i < 3; i++)
        at(w, "counted[%u]", i), put_f32(w, (float)i);
    at(w, "name"), put_bytes_of(w, "name\0\0\0\0", 8);
    put_u16(w, 3), put_bytes_of(w, "\xC3\xA9!", 3);
    put_u8(w, 3), put_u16(w, 0xD83D), put_u16(w, 0xDE00), put_u16(w, 'x');
    put_u16(w, 2), put_bytes_of(w, "\0\xFF", 2);
    at(w, "pair"), put_mark(w, w->size, 3, MARK_SPAN);
    put_u16(w, 513), put_u8(w, 0xFF);
    put_u8(w, 2);
    for (unsigned i = 0; i < 2; i++) {
        at(w, "pairs[%u].a", i), put_u16(w, (uint16_t)(1000 + i));
        put_u8(w, (uint8_t)(0xF0 + i));
    }
    put_u8(w, 1), put_u8(w, 'p');
    put_u8(w, 0);
    for (unsigned i = 0; i < 2; i++) {
        w->big = true; /* as its size always is */
        put_u16(w, i ? 4 : 1);
        w->big = big;
        at(w, "sized[%u].a", i), put_u8(w, (uint8_t)(9 - i));
        at(w, "sized[%u].tail", i), put_bytes_of(w, "xyz", i ? 3 : 0);
    }
    at(w, "flags"), put_u8(w, 4);
    at(w, "if_bit"), put_u8(w, 1);
    at(w, "if_no_bit"), put_u8(w, 2);
    at(w, "%s", version >= 3 ? "newer" : "older"), put_u8(w, 3);
    at(w, "kind"), put_u8(w, (uint8_t)kind);
    if (kind == 1)
        at(w, "value"), put_u16(w, 0x0102);
    else if (kind == 2 || kind == 5)
        at(w, "value"), put_f32(w, 2.5f);
    put_u16(w, 10), at(w, "rest[1]"), put_u16(w, 20), put_u16(w, 30);
}

#define EVERYTHING_JSON                                                                                      \
    "{\"$format\":\"test\",\"version\":3,\"u8\":200,\"i8\":-128,\"u16\":43981,\"i16\":-32767,"               \
    "\"u32\":3735928559,\"i32\":-2,\"u64\":\"0xfedcba9876543210\",\"i64\":\"0x8000000000000000\","           \
    "\"f32\":0.1,\"f64\":-1e300,\"always_big\":16909060,\"yes\":true,\"color\":\"green\","                   \
    "\"fixed\":[1,-1,3],\"by_u8\":[4660,5],\"by_u16\":[0.5],"                                                \
    "\"by_u32\":[9007199254740992,\"0x0020000000000001\"],\"counted\":[0,1,2],\"name\":\"name\","            \
    "\"narrow\":\"\xC3\xA9!\",\"wide\":\"\xF0\x9F\x98\x80x\",\"raw\":\"00ff\",\"pair\":{\"a\":513,\"b\":-1}" \
    ","                                                                                                      \
    "\"pairs\":[{\"a\":1000,\"b\":-16},{\"a\":1001,\"b\":-15}],\"texts\":[\"p\",\"\"],"                      \
    "\"sized\":[{\"a\":9},{\"a\":8,\"tail\":\"78797a\"}],\"flags\":4,\"if_bit\":1,\"if_no_bit\":2,"          \
    "\"newer\":3,\"kind\":5,\"value\":2.5,\"rest\":[10,20,30]}\n"

#define FORMAT_KEY "{\"$format\":\"test\","
#define ORDER_KEY  "\"$byte_order\":\"big\","

static void both_byte_orders(void **state) {
    (void)state;
    writer twins[2] = {{.big = false}, {.big = true}};
    mst_buffer texts[2] = {{0}, {0}};
    for (int big = 0; big < 2; big++) {
        write_everything(&twins[big], 3, 5);
        mst_document d;
        mst_diagnostic why;
        fabricate(&d, &test_format, 3, big, twins[big].data, twins[big].size);
        MUST(measure(&d, &why), &why);
        assert_marks(&d, &twins[big]);
        assert_encodes(&d);
        assert_ledger(&d);
        assert_checks(&d);
        json_text(&d, 1, &texts[big]);
        /* a byte order that is not the format's default is shown after the format */
        const char *text = (const char *)texts[big].data, *after = &EVERYTHING_JSON[strlen(FORMAT_KEY)];
        assert_memory_equal(text, FORMAT_KEY, strlen(FORMAT_KEY));
        text += strlen(FORMAT_KEY);
        if (big) {
            assert_memory_equal(text, ORDER_KEY, strlen(ORDER_KEY));
            text += strlen(ORDER_KEY);
        }
        assert_string_equal(text, after);
        discard(&d);
    }
    assert_memory_not_equal(twins[0].data, twins[1].data, twins[0].size);
    /* the same JSON makes either of them, indented or not */
    for (int big = 0; big < 2; big++) {
        mst_document d;
        fabricate(&d, &test_format, 3, big, twins[big].data, twins[big].size);
        mst_buffer made = {0}, pretty = {0}, again = {0};
        json_text(&d, 0, &pretty);
        if (json_bytes(&d, &texts[!big], &made)) {
            assert_same_bytes(&d, made.data, made.size);
            json_bytes(&d, &pretty, &again);
            assert_same_bytes(&d, again.data, again.size);
        }
        mst_buffer_free(&made);
        mst_buffer_free(&pretty);
        mst_buffer_free(&again);
        discard(&d);
        mst_buffer_free(&texts[!big]);
        writer_free(&twins[big]);
    }
}

static void conditions_decide(void **state) {
    (void)state;
    static const struct {
        unsigned version, kind;
        mst_type value;
    } cases[] = {{2, 1, MST_TYPE_INTEGER}, {3, 1, MST_TYPE_INTEGER}, {2, 2, MST_TYPE_REAL},
                 {4, 5, MST_TYPE_REAL},    {3, 0, MST_TYPE_NONE},    {3, 40, MST_TYPE_NONE}};
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++)
        for (int big = 0; big < 2; big++) {
            writer w = {.big = big};
            write_everything(&w, cases[i].version, cases[i].kind);
            mst_document d;
            mst_value value;
            fabricate(&d, &test_format, cases[i].version, big, w.data, w.size);
            MUST(measure(&d, NULL), NULL);
            assert_marks(&d, &w);
            assert_encodes(&d);
            mst_status status = mst_find(mst_root(&d), "value", &value, NULL);
            assert_int_equal(status, cases[i].value == MST_TYPE_NONE ? MST_NO_PATH : MST_OK);
            if (status == MST_OK)
                assert_int_equal(mst_value_type(&value), cases[i].value);
            status = mst_find(mst_root(&d), "newer", &value, NULL);
            assert_int_equal(status, cases[i].version >= 3 ? MST_OK : MST_NO_PATH);
            discard(&d);
            writer_free(&w);
        }
}

static void operators(void **state) {
    (void)state;
    static const struct {
        mst_operator operation;
        uint32_t value, variable;
        bool holds;
    } cases[] = {
        {MST_ALWAYS, 1, 2, true},
        {MST_EQUAL, 5, 5, true},
        {MST_EQUAL, 5, 6, false},
        {MST_NOT_EQUAL, 5, 5, false},
        {MST_NOT_EQUAL, 5, 6, true},
        {MST_AT_LEAST, 5, 4, false},
        {MST_AT_LEAST, 5, 5, true},
        {MST_AT_LEAST, 5, UINT32_MAX, true},
        {MST_BELOW, 5, 4, true},
        {MST_BELOW, 5, 5, false},
        {MST_BELOW, 0, 0, false},
        {MST_ANY_BIT, 6, 2, true},
        {MST_ANY_BIT, 6, 9, false},
        {MST_NO_BIT, 6, 2, false},
        {MST_NO_BIT, 6, 9, true},
        {MST_ONE_OF, 1u << 31, 31, true},
        {MST_ONE_OF, 0xFFFFFFFF, 32, false},
        {MST_ONE_OF, 0xFFFFFFFF, UINT32_MAX, false},
        {MST_ONE_OF, 5, 1, false},
        {MST_ONE_OF, 5, 2, true},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        mst_field field = {.name = "x", .when = {{(uint8_t)cases[i].operation, 3, cases[i].value}}};
        uint32_t context[MST_VARIABLES] = {[3] = cases[i].variable};
        assert_int_equal(mst_field_present(&field, context), cases[i].holds);
        /* all three must hold */
        field.when[2] = (mst_when){MST_EQUAL, 4, 1};
        assert_false(mst_field_present(&field, context));
    }
}

static void plans(void **state) {
    (void)state;
    mst_document d;
    fabricate(&d, &test_format, 3, false, NULL, 0);
    const mst_plan *plan = mst_plan_of(&d, &pair);
    assert_int_equal(plan->stride, 3);
    assert_int_equal(plan->minimum, 3);
    assert_int_equal(plan->fields[1].offset, 2);
    assert_int_equal(plan->fields[0].run_size, 3);
    assert_int_equal(plan->fields[0].run_next, 2);
    assert_int_equal(mst_plan_of(&d, &text_record)->stride, 0);
    assert_int_equal(mst_plan_of(&d, &text_record)->minimum, 1);
    assert_int_equal(mst_plan_of(&d, &sized)->stride, 0); /* read one by one: it has a size */
    assert_int_equal(mst_plan_of(&d, &sized)->minimum, 3);
    plan = mst_plan_of(&d, &root);
    for (size_t i = 0; i < MST_COUNT_OF(root_fields); i++) {
        const char *name = root_fields[i].name;
        mst_presence wanted = strcmp(name, "newer") == 0         ? MST_PRESENT
                              : strcmp(name, "older") == 0       ? MST_ABSENT
                              : root_fields[i].when[0].operation ? MST_DEPENDS
                                                                 : MST_PRESENT;
        assert_int_equal(plan->fields[i].presence, wanted);
    }
    assert_int_equal(plan->fields[2].offset, 3); /* u8 */
    assert_int_equal(plan->fields[11].offset, 3 + 1 + 1 + 2 + 2 + 4 + 4 + 8 + 8 + 4);
    discard(&d);
}

/* Every place where the bytes can end: the very field is named, and nothing beyond is read. */
static void every_end(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        write_everything(&w, 3, 5);
        size_t rest = w.size - 6; /* three numbers until the end: fewer are as well */
        for (size_t size = 0; size < w.size; size++) {
            uint8_t *exact = malloc(size ? size : 1);
            assert_non_null(exact);
            memcpy(exact, w.data, size);
            mst_document d;
            mst_diagnostic why;
            fabricate(&d, &test_format, 3, big, exact, size);
            mst_status status = measure(&d, &why);
            assert_int_equal(status, size >= rest && (size - rest) % 2 == 0 ? MST_OK : MST_DAMAGED);
            if (status != MST_OK) {
                assert_true(why.path[0] != 0);
                assert_true(why.offset <= size && why.length <= size - why.offset);
                assert_true(strncmp(why.code, "T-", 2) == 0);
            }
            if (size == 20) { /* within u64, which takes 17 to 24 */
                assert_string_equal(why.path, "u64");
                assert_string_equal(why.code, "T-OVERRUN");
                assert_int_equal(why.offset, 17);
                assert_string_equal(why.expected, "8 bytes");
                assert_string_equal(why.found, "3 left");
            }
            discard(&d);
            free(exact);
        }
        writer_free(&w);
    }
}

static void problems(void **state) {
    (void)state;
    static const struct {
        const char *mark;
        int delta;
        uint8_t value;
        const char *code, *path;
    } cases[] = {
        {"version", -1, 'X', "T-MAGIC", "magic"},         {"by_u8[0]", -1, 255, "T-COUNT", "by_u8"},
        {"count", 0, 255, "T-COUNT", "counted"},          {"sized[0].a", 0, 9, NULL, NULL},
        {"sized[0].a", -1, 0, "T-OVERRUN", "sized[0].a"}, {"sized[0].a", -2, 1, "T-OVERRUN", "sized[0].size"},
        {"sized[0].a", -4, 200, "T-STRING", "texts[0]"},
    };
    for (size_t i = 0; i < MST_COUNT_OF(cases); i++) {
        writer w = {0};
        write_everything(&w, 3, 5);
        size_t place = mark_of(&w, cases[i].mark)->offset + (size_t)(ptrdiff_t)cases[i].delta;
        if (cases[i].path && strcmp(cases[i].path, "texts[0]") == 0)
            place--; /* the first text's length: 1 'p' 0 stand before the size */
        w.data[place] = cases[i].value;
        mst_document d;
        mst_diagnostic why;
        fabricate(&d, &test_format, 3, false, w.data, w.size);
        mst_status status = measure(&d, &why);
        assert_int_equal(status, cases[i].code ? MST_DAMAGED : MST_OK);
        if (status != MST_OK) {
            assert_string_equal(why.code, cases[i].code);
            assert_string_equal(why.path, cases[i].path);
        }
        discard(&d);
        writer_free(&w);
    }
    /* an odd byte after a list that extends to the end */
    writer w = {0};
    write_everything(&w, 3, 5);
    put_u8(&w, 1);
    mst_document d;
    mst_diagnostic why;
    fabricate(&d, &test_format, 3, false, w.data, w.size);
    assert_int_equal(measure(&d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "T-TRAILING");
    assert_string_equal(why.path, "rest");
    assert_int_equal(why.offset, w.size - 1);
    assert_int_equal(why.length, 1);
    discard(&d);
    writer_free(&w);
}

/* ---- records in themselves --------------------------------------------------------------------- */

static const mst_record node;
static const mst_field node_fields[] = {
    {.name = "size", .kind = MST_KIND_U32, .flags = MST_FIELD_SIZE},
    {.name = "nodes", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &node},
};
static const mst_record node = {.name = "node", .index = 1, TABLE(node_fields)};
static const mst_field tree_fields[] = {
    {.name = "nodes", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &node}};
static const mst_record tree = {.name = "tree", .index = 0, TABLE(tree_fields)};
static const mst_record *const tree_records[] = {&tree, &node};
static const mst_format tree_format = {
    .information =
        {.id = "tree", .title = "", .extensions = "", .media_type = "", .versions = "", .rows = ""},
    .tables.root = &tree,
    .tables.records = tree_records,
    .tables.record_count = 2,
    .check.problem_codes = PROBLEMS};

/* `depth` nodes, each in the one before. */
static void write_nodes(writer *w, uint32_t depth) {
    for (uint32_t i = 0; i < depth; i++)
        put_u32(w, (depth - 1 - i) * 4);
}

static size_t occurrences(const mst_buffer *text, const char *what) {
    size_t count = 0;
    for (const char *p = (const char *)text->data; (p = strstr(p, what)) != NULL; p++)
        count++;
    return count;
}

static void deep_nesting(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        mst_document d;
        mst_diagnostic why;
        /* more frames than a file of four bytes a level may ask for */
        write_nodes(&w, 10000);
        fabricate(&d, &tree_format, 0, big, w.data, w.size);
        assert_int_equal(measure(&d, &why), MST_DAMAGED);
        assert_non_null(strstr(why.message, "nested too deeply"));
        discard(&d);
        writer_free(&w);
        w = (writer){.big = big};
        write_nodes(&w, 1500);
        fabricate(&d, &tree_format, 0, big, w.data, w.size);
        MUST(measure(&d, &why), &why);
        assert_ledger(&d);
        assert_checks(&d);
        mst_buffer text = {0}, made = {0};
        json_text(&d, 1, &text);
        assert_int_equal(occurrences(&text, "{\"nodes\":["), 1500);
        assert_int_equal(occurrences(&text, "]}"), 1501);
        if (json_bytes(&d, &text, &made))
            assert_same_bytes(&d, made.data, made.size);
        mst_buffer_free(&text);
        mst_buffer_free(&made);
        json_text(&d, 0, &text);
        mst_buffer_free(&text);
        /* the innermost one says that there is more */
        mst_store32(w.data + w.size - 4, 1, big);
        assert_int_equal(measure(&d, &why), MST_DAMAGED);
        assert_string_equal(why.code, "T-OVERRUN");
        assert_int_equal(why.offset, w.size - 4);
        assert_true(strncmp(why.path, "nodes[0].nodes[0].nodes[0].", 27) == 0);
        discard(&d);
        writer_free(&w);
        /* encoding from values measures every level again */
        write_nodes(&w, 300);
        w.big = big;
        for (uint32_t i = 0; i < 300; i++)
            mst_store32(w.data + 4 * (size_t)i, (299 - i) * 4, big);
        fabricate(&d, &tree_format, 0, big, w.data, w.size);
        assert_encodes(&d);
        discard(&d);
        writer_free(&w);
    }
}

static mst_status count_deepest(void *user, const mst_event *event) {
    uint32_t *deepest = user;
    if (event->depth > *deepest)
        *deepest = event->depth;
    return event->depth >= 100 && event->kind == MST_EVENT_BEGIN_RECORD ? MST_UNKNOWN : MST_OK;
}

static mst_status stop_at_ten(void *user, const mst_event *event) {
    (void)event;
    return ++*(int *)user == 10 ? MST_STOPPED : MST_OK;
}

static void walks_skip_and_stop(void **state) {
    (void)state;
    writer w = {0};
    write_nodes(&w, 1000);
    mst_document d;
    fabricate(&d, &tree_format, 0, false, w.data, w.size);
    uint32_t deepest = 0;
    MUST(mst_walk(&d, count_deepest, &deepest), NULL);
    assert_int_equal(deepest, 100);
    int events = 0;
    MUST(mst_walk(&d, stop_at_ten, &events), NULL);
    assert_int_equal(events, 10);
    discard(&d);
    writer_free(&w);
}

/* ---- records of nothing ------------------------------------------------------------------------ */

static const mst_field nothing_fields[] = {
    {.name = "never", .kind = MST_KIND_U8, .when = {{MST_EQUAL, 1, 1}}}};
static const mst_record nothing = {.name = "nothing", .index = 1, TABLE(nothing_fields)};
static const mst_field void_fields[] = {
    {.name = "nothings", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &nothing}};
static const mst_record void_record = {.name = "void", .index = 0, TABLE(void_fields)};
static const mst_record *const void_records[] = {&void_record, &nothing};
static const mst_format void_format = {
    .information =
        {.id = "void", .title = "", .extensions = "", .media_type = "", .versions = "", .rows = ""},
    .tables.root = &void_record,
    .tables.records = void_records,
    .tables.record_count = 2,
    .check.problem_codes = PROBLEMS};

/* Elements that take no bytes would never come to the end. */
static void elements_of_no_bytes(void **state) {
    (void)state;
    static const uint8_t bytes[3] = {1, 2, 3};
    mst_document d;
    mst_diagnostic why;
    fabricate(&d, &void_format, 0, false, bytes, sizeof bytes);
    assert_int_equal(measure(&d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "T-COUNT");
    assert_int_equal(why.offset, 0);
    discard(&d);
}

/* ---- what can be asked of values --------------------------------------------------------------- */

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
    v = value_at(&d, "f32"); /* no integer */
    assert_int_equal(mst_get_integer(&v, &integer), MST_ARGUMENT);
    v = value_at(&d, "f64"); /* too large for one */
    assert_int_equal(mst_get_integer(&v, &integer), MST_ARGUMENT);
    v = value_at(&d, "counted[2]");
    MUST(mst_get_integer(&v, &integer), NULL);
    assert_int_equal(integer, 2);
    MUST(mst_get_unsigned(&v, &number), NULL);
    assert_int_equal(number, 2);
    v = value_at(&d, "by_u16"); /* a list of one stands for that one, others do not */
    MUST(mst_get_real(&v, &real), NULL);
    assert_true(real == 0.5);
    v = value_at(&d, "by_u8");
    assert_int_equal(mst_get_unsigned(&v, &number), MST_ARGUMENT);
    v = value_at(&d, "narrow");
    assert_int_equal(mst_get_unsigned(&v, &number), MST_ARGUMENT);
    MUST(mst_get_text(&v, text, sizeof text, &length), NULL);
    assert_string_equal(text, "\xC3\xA9!");
    assert_int_equal(length, 3);
    MUST(mst_get_text(&v, text, 2, &length), NULL); /* half a character is none */
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
    v = value_at(&d, "name"); /* without what it is padded with */
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
        /* going through it meets as many; elements by index are the same */
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
        const char *path, *same; /* the plainest path of the same value */
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
    /* from where one is */
    same = value_at(d, "objects[1]");
    MUST(mst_find(same, "properties[name=volume].value", &value, &why), &why);
    MUST(mst_find(same, "", &value, &why), &why);
    /* a very long path is not a trouble */
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

enum { READ_F32S, READ_F64S, READ_I32S, READ_U64S, READ_I64S };
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

/* Going through a slice is going through its part of the list. */
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
    /* no more than there is room for; the first two components only; a part */
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
    /* what cannot be read */
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

/* ---- all formats' tables ----------------------------------------------------------------------- */

static bool when_holds(const mst_when *when, uint32_t value) {
    mst_field field = {.when = {{when->operation, 1, when->value}}};
    uint32_t context[MST_VARIABLES] = {[1] = value};
    return mst_field_present(&field, context);
}

#define WHENS MST_COUNT_OF(((const mst_field *)0)->when)

/* Whether the fields' conditions on some context variable exclude each other. */
static bool exclude(const mst_field *a, const mst_field *b) {
    for (unsigned variable = 0; variable < MST_VARIABLES; variable++) {
        bool possible = false;
        for (unsigned i = 0; i < 300 && !possible; i++) {
            /* small numbers, and those around the compared values */
            uint32_t value = i;
            if (i >= 256 && i < 256 + 6 * WHENS) {
                const mst_field *of = i < 256 + 3 * WHENS ? a : b;
                value = of->when[(i - 256) / 3 % WHENS].value + (i - 256) % 3 - 1;
            }
            bool all = true;
            for (unsigned k = 0; k < 2 * WHENS; k++) {
                const mst_when *when = k < WHENS ? &a->when[k] : &b->when[k - WHENS];
                all = all && (when->operation == MST_ALWAYS || when->variable != variable ||
                              when_holds(when, value));
            }
            possible = all;
        }
        if (!possible)
            return true;
    }
    return false;
}

static bool has_code(const mst_format *format, const char *code) {
    for (size_t i = 0; i < format->check.code_count; i++)
        if (strcmp(format->check.codes[i].code, code) == 0)
            return true;
    return false;
}

/* A field of a record or of a chunk in it; NULL: it has none of that name. */
static const mst_field *field_named(const mst_record *record, const char *name, size_t length) {
    for (uint16_t f = 0; f < record->field_count; f++) {
        const mst_field *field = &record->fields[f];
        if (strlen(field->name) == length && memcmp(field->name, name, length) == 0)
            return field;
        for (uint8_t c = 0; field->chunks && c < field->chunks->case_count; c++) {
            const mst_field *of = &field->chunks->cases[c].field;
            if (strlen(of->name) == length && memcmp(of->name, name, length) == 0)
                return of;
        }
    }
    return NULL;
}

/* Some record has the list that a path names, and its elements have `key`. */
static bool leads_somewhere(const mst_format *format, const char *path, const char *key) {
    for (size_t r = 0; r < format->tables.record_count; r++) {
        const mst_record *record = format->tables.records[r];
        const mst_field *field = NULL;
        for (const char *step = path; step && record;
             step = strchr(step, '.') ? strchr(step, '.') + 1 : NULL) {
            field = field_named(record, step, strcspn(step, "."));
            record = field ? field->record : NULL;
        }
        if (!field || (field->mode == MST_COUNT_ONE && !(field->flags & MST_FIELD_REPEATED)))
            continue;
        if (!key || (record && field_named(record, key, strlen(key))))
            return true;
    }
    return false;
}

static void check_fact(const mst_format *format, const mst_record *record, const mst_field *field,
                       const mst_refers *fact) {
    assert_true(mst_is_number(field) && field->kind < MST_KIND_F32);
    assert_true(fact->by <= MST_BY_BIT && fact->nones <= MST_NONES);
    assert_true(!fact->code || has_code(format, fact->code));
    assert_true(leads_somewhere(format, fact->target, fact->key));
    assert_true(!fact->then || leads_somewhere(format, fact->then, NULL));
    assert_true(!fact->where || field_named(record, fact->where, strlen(fact->where)));
}

static void check_field(const mst_format *format, const mst_record *record, const mst_field *field) {
    assert_non_null(field->name);
    assert_true(field->kind <= MST_KIND_CHUNKS && field->mode <= MST_COUNT_SENTINEL);
    assert_true(field->bind <= MST_VARIABLES && field->count_variable < MST_VARIABLES);
    for (size_t i = 0; i < sizeof field->when / sizeof *field->when; i++)
        if (field->when[i].operation && field->when[i].variable == MST_VARIABLE_LAYOUT)
            assert_true(field->when[i].value < format->identity.layout_count);
    if (field->mode == MST_COUNT_PREFIX)
        assert_true(field->prefix == MST_KIND_U8 || field->prefix == MST_KIND_U16 ||
                    field->prefix == MST_KIND_U32 || field->prefix == MST_KIND_U64);
    if (field->constant) {
        assert_int_equal(field->kind, MST_KIND_CHAR8);
        assert_int_equal(field->mode, MST_COUNT_FIXED);
        assert_int_equal(strlen(field->constant), field->count);
    }
    if (field->kind == MST_KIND_RECORD) {
        assert_true(field->record->index < format->tables.record_count);
        assert_ptr_equal(format->tables.records[field->record->index], field->record);
    }
    if (field->length_of) {
        bool found = false;
        for (uint16_t i = 0; i < record->field_count; i++)
            found = found || strcmp(record->fields[i].name, field->length_of) == 0;
        assert_true(found);
    }
    if (field->rule.kind)
        assert_true(has_code(format, field->rule.code));
    for (uint8_t i = 0; i < field->refers_count; i++)
        check_fact(format, record, field, &field->refers[i]);
    assert_true(!(field->flags & MST_FIELD_ORIGINAL) || format->files.is_canonical);
    for (size_t i = 0; field->names && i < field->names->count; i++)
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(field->names->items[i].name, field->names->items[k].name);
            assert_true(field->names->items[i].value != field->names->items[k].value);
        }
}

static void tables(void **state) {
    (void)state;
    for (size_t f = 0; mst_formats[f]; f++) {
        const mst_format *format = mst_formats[f];
        assert_ptr_equal(mst_format_at(f), &format->information);
        assert_ptr_equal(mst_format_of(&format->information), format);
        for (size_t i = 0; i < f; i++)
            assert_string_not_equal(mst_formats[i]->information.id, format->information.id);
        for (size_t i = 0; i < MST_PROBLEMS; i++)
            assert_true(!format->check.problem_codes[i] || has_code(format, format->check.problem_codes[i]));
        for (size_t i = 0; format->files.count > 1 && i < MST_FILES_MAX; i++)
            assert_true(format->files.alone[i] && !format->files.alone[i]->files.count);
        assert_true(!format->images.count == !format->images.read &&
                    !format->images.count == !format->images.replace);
        if (format->check.nonfinite_code)
            assert_true(has_code(format, format->check.nonfinite_code));
        for (size_t i = 0; i < format->check.code_count; i++) {
            assert_true(strlen(format->check.codes[i].code) < sizeof((mst_diagnostic *)0)->code);
            for (size_t k = 0; k < i; k++)
                assert_string_not_equal(format->check.codes[i].code, format->check.codes[k].code);
        }
        for (size_t i = 0; i < format->tables.record_count; i++) {
            const mst_record *record = format->tables.records[i];
            assert_int_equal(record->index, i);
            assert_true(record->doc && *record->doc);
            assert_true(!record->is_inline || record->field_count == 1);
            for (uint16_t n = 0; record->archive && n + 1 < record->field_count; n++)
                assert_false(record->fields[n].flags & MST_FIELD_OUTSIDE); /* one stands after it, if any */
            for (uint16_t n = 0; n < record->field_count; n++)
                assert_true(strlen(record->fields[n].name) < 60);
            /* all names in the record: its fields, and the cases of its chunks */
            const mst_field *all[256];
            size_t count = 0;
            for (uint16_t n = 0; n < record->field_count; n++) {
                const mst_field *field = &record->fields[n];
                check_field(format, record, field);
                const mst_chunks *chunks = field->kind == MST_KIND_CHUNKS ? field->chunks : NULL;
                if (!chunks) {
                    assert_true(count < 256);
                    all[count++] = field;
                    continue;
                }
                assert_true(chunks->case_count <= MST_CASES);
                assert_true(chunks->unknown->flags & MST_FIELD_REPEATED);
                assert_true(chunks->unknown->record->fields[1].flags & MST_FIELD_SIZE);
                for (int c = 0; c <= chunks->case_count; c++) {
                    const mst_field *one = c < chunks->case_count ? &chunks->cases[c].field : chunks->unknown;
                    check_field(format, record, one);
                    for (int k = 0; k < c && c < chunks->case_count; k++)
                        assert_true(chunks->cases[k].id != chunks->cases[c].id);
                    assert_true(count < 256);
                    all[count++] = one;
                }
            }
            for (size_t a = 0; a < count; a++)
                for (size_t b = 0; b < a; b++)
                    if (strcmp(all[a]->name, all[b]->name) == 0 && !exclude(all[a], all[b])) {
                        print_error("%s: %s.%s\n", format->information.id, record->name, all[a]->name);
                        fail();
                    }
        }
    }
    assert_null(mst_format_at(mst_format_count()));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_byte_orders),
        cmocka_unit_test(conditions_decide),
        cmocka_unit_test(operators),
        cmocka_unit_test(plans),
        cmocka_unit_test(every_end),
        cmocka_unit_test(problems),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(walks_skip_and_stop),
        cmocka_unit_test(elements_of_no_bytes),
        cmocka_unit_test(scalars),
        cmocka_unit_test(types_and_fields),
        cmocka_unit_test(paths),
        cmocka_unit_test(slices),
        cmocka_unit_test(conversions),
        cmocka_unit_test(strides),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
