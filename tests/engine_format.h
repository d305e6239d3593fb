/* SPDX-License-Identifier: MIT */
/* A format with every feature of tables. */
#ifndef MST_TESTS_ENGINE_FORMAT_H
#define MST_TESTS_ENGINE_FORMAT_H

#include "own_format.h"

static inline void fabricate(mst_document *d, const mst_format *format, uint32_t version, bool big,
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

static inline void discard(mst_document *d) {
    mst_arena_end(&d->arena);
}

static inline mst_status measure(const mst_document *d, mst_diagnostic *why) {
    mst_walk_request request = mst_walk_of_document(d);
    return mst_walk_field(&request, NULL, why);
}

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

static inline void put_f64(writer *w, double value) {
    put_u64(w, mst_bits_of_f64(value));
}

static inline void write_everything(writer *w, unsigned version, unsigned kind) {
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

#endif
