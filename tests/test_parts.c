/* SPDX-License-Identifier: MIT */
/* The schema engine's ways to say sizes, parts, padding, named chunks and forms of a file, each with a small
 * format of the test's own. */
#include "own_format.h"

/* ---- sizes and parts --------------------------------------------------------------------------- */

/*
 * A thing: tag (negative: nothing else), sizes, body, tail; then its last part: a count, as many numbers as
 * there are of them, a tail; then one byte outside. In layout "whole" the sizes are (both, last), in "split"
 * (first, both).
 */
enum { R_COUNT = 1, R_TAG };
enum { I_THINGS, I_THING };
#define IN_LAYOUT(n) .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, (n)}}
#define SIZE(label, which, n)                                                                                \
    { .name = label, .kind = MST_KIND_U16, .flags = MST_FIELD_##which, IN_LAYOUT(n) }
static const mst_field thing_fields[] = {
    {.name = "tag", .kind = MST_KIND_I8, .flags = MST_FIELD_STOP, BIND(R_TAG)},
    SIZE("size_1", SIZE, 0),
    SIZE("size_2", SIZE_LAST, 0),
    SIZE("size_1", SIZE_FIRST, 1),
    SIZE("size_2", SIZE, 1),
    {.name = "body", .kind = MST_KIND_U16},
    {.name = "tail", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
    {.name = "count",
     .kind = MST_KIND_U8,
     .length_of = "numbers",
     BIND(R_COUNT),
     .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_SHORT},
    {.name = "numbers",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_COUNT,
     .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_SHORT,
     .record = &(const mst_record){.name = "number",
                                   .index = 2,
                                   .fields = &(const mst_field){.name = "x", .kind = MST_KIND_U16, BIND(5)},
                                   .field_count = 1}},
    {.name = "rest",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_LAST | MST_FIELD_OPTIONAL | MST_FIELD_OMIT_EMPTY},
    {.name = "outside", .kind = MST_KIND_U8, .flags = MST_FIELD_OUTSIDE},
};
static const mst_record thing = {.name = "thing", .index = I_THING, TABLE(thing_fields)};
static const mst_field things_fields[] = {
    {.name = "things", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &thing}};
static const mst_record things = {.name = "things", .index = I_THINGS, TABLE(things_fields)};

static uint8_t chosen_layout;
static bool in_layout(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                      mst_variant *variant) {
    variant->layout = chosen_layout;
    return any_file(bytes, size, file_size, name, variant);
}
static const char *const thing_layouts[] = {"whole", "split"};

static void put_thing(writer *w, unsigned index, const char *tail, int count, unsigned numbers,
                      const char *rest) {
    char path[32];
    snprintf(path, sizeof path, "things[%u]", index);
    at(w, "%s.tag", path), put_u8(w, 1);
    size_t sizes = w->size;
    put_u16(w, 0), put_u16(w, 0);
    at(w, "%s.body", path), put_u16(w, (uint16_t)(500 + index));
    if (*tail)
        at(w, "%s.tail", path), put_bytes_of(w, tail, strlen(tail));
    size_t first = w->size - sizes - 4;
    if (count >= 0)
        at(w, "%s.count", path), put_u8(w, (uint8_t)count);
    for (unsigned i = 0; i < numbers; i++)
        at(w, "%s.numbers[%u].x", path, i), put_u16(w, (uint16_t)(100 + i));
    if (*rest)
        at(w, "%s.rest", path), put_bytes_of(w, rest, strlen(rest));
    size_t whole = w->size - sizes - 4;
    mst_store16(w->data + sizes, (uint16_t)(chosen_layout ? first : whole), w->big);
    mst_store16(w->data + sizes + 2, (uint16_t)(chosen_layout == 1 ? whole : whole - first), w->big);
    at(w, "%s.outside", path), put_u8(w, (uint8_t)(7 + index));
}

static void parts(void **state) {
    (void)state;
    static const mst_record *list[3];
    list[0] = &things;
    list[1] = &thing;
    list[2] = thing_fields[8].record;
    const mst_format format = {FORMAT_PROBED(things, list, in_layout), .convert.either_order = true,
                               .identity.layouts = thing_layouts, .identity.layout_count = 2};
    for (chosen_layout = 0; chosen_layout < 2; chosen_layout++) {
        writer w = {0};
        put_thing(&w, 0, "", -1, 0, "");
        put_thing(&w, 1, "tail", -1, 0, "");
        put_thing(&w, 2, "", 0, 0, "");
        put_thing(&w, 3, "", 2, 2, "");
        put_thing(&w, 4, "t", 5, 2, ""); /* counts more than there are */
        put_thing(&w, 5, "t", 1, 1, "rest");
        put_u8(&w, 0x80); /* nothing */
        put_thing(&w, 7, "", 0, 0, "r");
        put_u8(&w, 0xFF);
        mst_document *d = open_as(&format, &w);
        assert_marks(d, &w);
        assert_survives(d);
        assert_int_equal(count_at(d, "things"), 9);
        assert_false(has(d, "things[0].count"));
        assert_true(has(d, "things[2].count"));
        assert_int_equal(count_at(d, "things[4].numbers"), 2);
        assert_int_equal(number_at(d, "things[4].count"), 5);
        assert_int_equal(count_at(d, "things[6]"), 1);
        mst_value root = mst_root(d);
        char *text = json_of(&root, 1);
        static const char *const whole =
            "{\"$format\":\"test\",%s\"things\":["
            "{\"tag\":1,\"body\":500,\"outside\":7},"
            "{\"tag\":1,\"body\":501,\"tail\":\"7461696c\",\"outside\":8},"
            "{\"tag\":1,\"body\":502,\"outside\":9,\"count\":0},"
            "{\"tag\":1,\"body\":503,\"numbers\":[{\"x\":100},{\"x\":101}],\"outside\":10},"
            "{\"tag\":1,\"body\":504,\"tail\":\"74\",\"numbers\":[{\"x\":100},{\"x\":101}],\"outside\":11,"
            "\"count\":5},"
            "{\"tag\":1,\"body\":505,\"tail\":\"74\",\"numbers\":[{\"x\":100}],\"rest\":\"72657374\","
            "\"outside\":12},{\"tag\":-128},"
            "{\"tag\":1,\"body\":507,\"numbers\":[],\"rest\":\"72\",\"outside\":14},{\"tag\":-1}]}";
        char expected[1200];
        static const char *const layouts[] = {"", "\"$layout\":\"split\","};
        snprintf(expected, sizeof expected, whole, layouts[chosen_layout]);
        assert_string_equal(text, expected);
        free(text);
        if (reads_json) { /* sizes follow edits in every part, and outside nothing does */
            mst_diagnostic why;
            writer now = {0};
            MUST(mst_set(d, "things[1].tail", "\"6f74686572\"", &why), &why);
            MUST(mst_set(d, "things[0].tail", "\"6f\"", &why), &why);
            MUST(mst_insert(d, "things[3].numbers[2]", "{\"x\":102}", &why), &why);
            MUST(mst_remove(d, "things[5].numbers[0]", &why), &why);
            MUST(mst_set(d, "things[5].rest", "\"7272\"", &why), &why);
            put_thing(&now, 0, "o", -1, 0, "");
            put_thing(&now, 1, "other", -1, 0, "");
            put_thing(&now, 2, "", 0, 0, "");
            put_thing(&now, 3, "", 3, 3, "");
            put_thing(&now, 4, "t", 5, 2, "");
            put_thing(&now, 5, "t", 0, 0, "rr");
            put_u8(&now, 0x80);
            put_thing(&now, 7, "", 0, 0, "r");
            put_u8(&now, 0xFF);
            assert_same_bytes(d, now.data, now.size);
            assert_survives(d);
            writer_free(&now);
        }
        mst_close(d);
        every_beginning(&format, &w);
        every_byte(&format, &w);
        writer_free(&w);
        /* sizes that cannot be: the second part is more than both, the first less than is known */
        put_thing(&w, 0, "", 1, 1, "");
        mst_diagnostic why;
        for (unsigned i = 0; i < 2; i++) {
            mst_store16(w.data + 1 + 2 * (size_t)i, 1000, false);
            assert_int_equal(try_as(&format, &w, &d, &why), MST_DAMAGED);
            assert_string_equal(why.code, "T-OVERRUN");
            mst_store16(w.data + 1 + 2 * (size_t)i, 0, false);
            mst_status status = try_as(&format, &w, &d, &why);
            assert_true(status == MST_DAMAGED || status == MST_OK);
            mst_close(d);
            writer_free(&w);
            put_thing(&w, 0, "", 1, 1, "");
        }
        writer_free(&w);
    }
    chosen_layout = 0;
}

/* ---- counts ------------------------------------------------------------------------------------- */

enum { R_WIDTH = 1, R_HEIGHT };
static const mst_field grid_fields[] = {
    {.name = "width", .kind = MST_KIND_U16, BIND(R_WIDTH)},
    {.name = "height", .kind = MST_KIND_U16, BIND(R_HEIGHT)},
    {.name = "cells",
     .kind = MST_KIND_U16,
     .mode = MST_COUNT_PRODUCT,
     .count_variable = R_WIDTH,
     .count = R_HEIGHT},
};
static const mst_record grid = {.name = "grid", .index = 0, TABLE(grid_fields)};
static const mst_record *const grid_records[] = {&grid};
static const mst_format grid_format = {FORMAT(grid, grid_records)};

static void products(void **state) {
    (void)state;
    static const uint16_t sizes[][2] = {{0, 0}, {0, 65535}, {1, 1}, {3, 2}, {7, 5}};
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        writer w = {0};
        at(&w, "width"), put_u16(&w, sizes[i][0]);
        at(&w, "height"), put_u16(&w, sizes[i][1]);
        for (unsigned c = 0; c < (unsigned)sizes[i][0] * sizes[i][1]; c++)
            at(&w, "cells[%u]", c), put_u16(&w, (uint16_t)(c * 3));
        mst_document *d = open_as(&grid_format, &w);
        assert_marks(d, &w);
        assert_survives(d);
        assert_int_equal(count_at(d, "cells"), (uint64_t)sizes[i][0] * sizes[i][1]);
        if (reads_json && sizes[i][0] == 3) { /* as many as the grid has */
            MUST(mst_set(d, "cells", "[1,2,3,4,5,6]", &why), &why);
            assert_true(mst_set(d, "cells", "[1,2,3,4,5]", &why) != MST_OK);
            assert_true(mst_set(d, "width", "2", &why) != MST_OK);
            assert_int_equal(mst_remove(d, "cells[0]", &why), MST_REFUSED);
            assert_int_equal(mst_insert(d, "cells[0]", "1", &why), MST_REFUSED);
            assert_int_equal(count_at(d, "cells"), 6);
        }
        mst_close(d);
        every_beginning(&grid_format, &w);
        every_byte(&grid_format, &w);
        writer_free(&w);
    }
    /* more than 32 bits can count */
    writer w = {0};
    put_u32(&w, UINT32_MAX);
    mst_document *d;
    assert_int_equal(try_as(&grid_format, &w, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "T-COUNT");
    assert_string_equal(why.path, "cells");
    assert_int_equal(why.offset, 4);
    writer_free(&w);
}

static const mst_field padded_fields[] = {
    {.name = "text", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "padding", .kind = MST_KIND_RAW, .mode = MST_COUNT_ALIGN, .count = 4},
    {.name = "number", .kind = MST_KIND_U32},
    {.name = "more", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "end", .kind = MST_KIND_RAW, .mode = MST_COUNT_ALIGN, .count = 8},
};
static const mst_record padded = {.name = "padded", .index = 0, TABLE(padded_fields)};
static const mst_record *const padded_records[] = {&padded};
static const mst_format padded_format = {FORMAT(padded, padded_records)};

static void alignment(void **state) {
    (void)state;
    static const char letters[] = "abcdefghi";
    for (unsigned length = 0; length < 9; length++)
        for (int odd = 0; odd < 2; odd++) {
            writer w = {0};
            put_u8(&w, (uint8_t)length), put_bytes_of(&w, letters, length);
            size_t padding = (4 - w.size % 4) % 4;
            at(&w, "padding"), put_bytes_of(&w, odd ? "xyz" : "\0\0\0", padding);
            at(&w, "number"), put_u32(&w, 77);
            put_u8(&w, (uint8_t)length), put_bytes_of(&w, letters, length);
            put_bytes_of(&w, "\0\0\0\0\0\0\0", (8 - w.size % 8) % 8);
            mst_document *d = open_as(&padded_format, &w);
            assert_marks(d, &w);
            assert_survives(d);
            mst_value root = mst_root(d);
            char *text = json_of(&root, 1);
            assert_int_equal(strstr(text, "padding") != NULL, odd && padding);
            assert_null(strstr(text, "end"));
            free(text);
            mst_ledger ledger;
            MUST(mst_byte_coverage(d, &ledger, NULL), NULL);
            assert_true(ledger.bytes[MST_BYTES_PADDING] >= padding);
            mst_close(d);
            every_beginning(&padded_format, &w);
            writer_free(&w);
        }
}

/* ---- texts and byte orders ---------------------------------------------------------------------- */

static const mst_field mixed_fields[] = {
    {.name = "high",
     .kind = MST_KIND_CHAR8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .flags = MST_FIELD_HIGH},
    {.name = "code", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = 4, .flags = MST_FIELD_HIGH},
    {.name = "as_file", .kind = MST_KIND_U32},
    {.name = "little", .kind = MST_KIND_U32, .flags = MST_FIELD_LITTLE},
    {.name = "big", .kind = MST_KIND_U32, .flags = MST_FIELD_BIG},
    {.name = "littles", .kind = MST_KIND_I16, .mode = MST_COUNT_FIXED, .count = 2, .flags = MST_FIELD_LITTLE},
    {.name = "low_first", .kind = MST_KIND_U8, .when = {{MST_EQUAL, MST_VARIABLE_BIG, 0}}},
    {.name = "pair", .kind = MST_KIND_U8},
    {.name = "low_first", .kind = MST_KIND_U8, .when = {{MST_NOT_EQUAL, MST_VARIABLE_BIG, 0}}},
};
static const mst_record mixed = {.name = "mixed", .index = 0, TABLE(mixed_fields)};
static const mst_record *const mixed_records[] = {&mixed};

/* The first byte after the texts decides. */
static mst_status resolve_order(const uint8_t *bytes, size_t size, mst_variant *variant,
                                mst_diagnostic *diagnostic) {
    (void)diagnostic;
    variant->big = size > 9 && bytes[9] == 1;
    return MST_OK;
}
static const mst_format mixed_format = {FORMAT(mixed, mixed_records),
                                        .identity.resolve_variant = resolve_order};

static void put_mixed(writer *w, bool big) {
    put_u8(w, 4);
    put_bytes_of(w, "\xC1\xE2\xE3\xA1", 4); /* Abc! */
    put_bytes_of(w, "\xD3\xCC\xD0\x80", 4); /* SLP and NUL */
    w->big = big;
    at(w, "as_file"), put_u32(w, 0x01020304);
    w->big = false;
    at(w, "little"), put_u32(w, 0x05060708);
    w->big = true;
    at(w, "big"), put_u32(w, 0x090A0B0C);
    w->big = false;
    put_u16(w, 0xFFFE), at(w, "littles[1]"), put_u16(w, 300);
    at(w, big ? "pair" : "low_first"), put_u8(w, big ? 2 : 1);
    at(w, big ? "low_first" : "pair"), put_u8(w, big ? 1 : 2);
}

static void orders(void **state) {
    (void)state;
    writer twins[2] = {{0}, {0}};
    put_mixed(&twins[0], false);
    put_mixed(&twins[1], true);
    for (int big = 0; big < 2; big++) {
        mst_document *d = open_as(&mixed_format, &twins[big]), *other;
        mst_diagnostic why;
        assert_marks(d, &twins[big]);
        assert_survives(d);
        char text[200];
        snprintf(text, sizeof text,
                 "{\"$format\":\"test\",%s\"high\":\"Abc!\",\"code\":\"SLP\",\"as_file\":16909060,"
                 "\"little\":84281096,\"big\":151653132,\"littles\":[-2,300],%s}",
                 big ? "\"$byte_order\":\"big\"," : "",
                 big ? "\"pair\":2,\"low_first\":1" : "\"low_first\":1,\"pair\":2");
        assert_reads_as(d, text);
        mst_convert_options options = {.byte_order = big ? "little" : "big"};
        MUST(mst_convert(d, &options, NULL, NULL, &other, &why), &why);
        assert_same_bytes(other, twins[!big].data, twins[!big].size);
        mst_close(other);
        if (reads_json) {
            MUST(mst_set(d, "high", "\"~ !?\"", &why), &why);
            MUST(mst_set(d, "code", "\"AB\"", &why), &why);
            const uint8_t *bytes;
            size_t size;
            bytes = mst_document_bytes(d, &size);
            assert_memory_equal(bytes, "\4\xFE\xA0\xA1\xBF\xC1\xC2\x80\x80", 9);
            assert_int_equal(mst_set(d, "high", "\"\xC3\xA9\"", &why), MST_ARGUMENT);
            assert_int_equal(mst_set(d, "code", "\"ABCDE\"", &why), MST_ARGUMENT);
        }
        mst_close(d);
    }
    /* texts that are not as they should be are bytes */
    for (size_t i = 1; i < 9; i++) {
        twins[0].data[i] &= 0x7F;
        mst_document *d = open_as(&mixed_format, &twins[0]);
        assert_survives(d);
        mst_value root = mst_root(d);
        char *text = json_of(&root, 1);
        assert_non_null(strstr(text, "\"$raw\""));
        free(text);
        mst_close(d);
        twins[0].data[i] |= 0x80;
    }
    writer_free(&twins[0]);
    writer_free(&twins[1]);
}

/* ---- named chunks ------------------------------------------------------------------------------- */

enum { I_FILE, I_UNKNOWN, I_NAMED, I_PLAIN };
#define HEADER                                                                                               \
    {.name = "id", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = 4}, {                           \
        .name = "length", .kind = MST_KIND_U32, .flags = MST_FIELD_SIZE | MST_FIELD_BIG                      \
    }
static const mst_field other_fields[] = {
    HEADER,
    {.name = "data", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
    {.name = "padding",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_ALIGN,
     .count = 4,
     .flags = MST_FIELD_OUTSIDE},
};
static const mst_record other = {.name = "other", .index = I_UNKNOWN, TABLE(other_fields)};
static const mst_field other_field = {
    .name = "others", .kind = MST_KIND_RECORD, .record = &other, .flags = MST_FIELD_REPEATED};
static const mst_field named_fields[] = {
    HEADER, {.name = "a", .kind = MST_KIND_U16}, {.name = "b", .kind = MST_KIND_U16}};
static const mst_record named = {.name = "named", .index = I_NAMED, TABLE(named_fields)};
static const mst_field plain_fields[] = {{.name = "x", .kind = MST_KIND_U32}};
static const mst_record plain = {.name = "plain", .index = I_PLAIN, TABLE(plain_fields)};

static bool accepts_four(const uint8_t *content, uint64_t size, bool big) {
    /* two numbers, of which the second is not less than the first */
    return size == 4 && mst_load16(content, big) <= mst_load16(content + 2, big);
}
static const mst_case cases[] = {
    {.id = MST_NAMED('H', 'E', 'A', 'D'),
     .field = {.name = "head", .kind = MST_KIND_RECORD, .record = &plain}},
    {.id = MST_NAMED('N', '0', '0', 0),
     .any = 0x000000FF,
     .accepts = accepts_four,
     .field = {.name = "named",
               .kind = MST_KIND_RECORD,
               .record = &named,
               .flags = MST_FIELD_REPEATED | MST_FIELD_WITH_HEADER}},
};
static const mst_chunks chunks = {
    .cases = cases, .case_count = MST_COUNT_OF(cases), .big = true, .align = 4, .unknown = &other_field};
static const mst_field file_fields[] = {{.name = "mark", .kind = MST_KIND_U32},
                                        {.name = "chunks", .kind = MST_KIND_CHUNKS, .chunks = &chunks}};
static const mst_record file = {.name = "file", .index = I_FILE, TABLE(file_fields)};
static const mst_record *const file_records[] = {&file, &other, &named, &plain};

static mst_status resolve_mark(const uint8_t *bytes, size_t size, mst_variant *variant,
                               mst_diagnostic *diagnostic) {
    (void)diagnostic;
    variant->big = size >= 4 && bytes[0] == 1;
    return MST_OK;
}
static const mst_format file_format = {FORMAT(file, file_records), .identity.resolve_variant = resolve_mark};

static void put_chunk(writer *w, const char *id, const void *data, size_t size, char padding) {
    bool big = w->big;
    w->big = true;
    put_bytes_of(w, id, 4);
    put_u32(w, (uint32_t)size);
    w->big = big;
    put_bytes_of(w, data, size);
    while (w->size % 4)
        put_u8(w, (uint8_t)padding);
}
static void put_pair(writer *w, const char *id, uint16_t a, uint16_t b) {
    writer content = {.big = w->big};
    put_u16(&content, a), put_u16(&content, b);
    put_chunk(w, id, content.data, content.size, 0);
    writer_free(&content);
}

static void put_file(writer *w) {
    put_u32(w, 0x01000002);
    put_pair(w, "N001", 1, 2);
    put_chunk(w, "HEAD", "\1\1\1\1", 4, 0);
    put_pair(w, "N002", 2, 1);              /* is not accepted */
    put_chunk(w, "ODD1", "12345", 5, 0);    /* padded as usual */
    put_chunk(w, "ODD2", "123456", 6, 'p'); /* with something else */
    put_chunk(w, "HEAD", "\2\2\2\2", 4, 0); /* a second one */
    put_chunk(w, "N00x", "123", 3, 0);      /* too short */
    put_pair(w, "N00\xFF", 5, 500);
    put_chunk(w, "NONE", "", 0, 0);
}

static void named_chunks(void **state) {
    (void)state;
    mst_diagnostic why;
    writer twins[2] = {{.big = false}, {.big = true}};
    for (int big = 0; big < 2; big++) {
        put_file(&twins[big]);
        mst_document *d = open_as(&file_format, &twins[big]);
        assert_survives(d);
        assert_int_equal(count_at(d, "named"), 2);
        assert_int_equal(number_at(d, "named[0].b"), 2);
        assert_int_equal(number_at(d, "named[1].b"), 500);
        assert_int_equal(number_at(d, "head.x"), 0x01010101);
        assert_int_equal(count_at(d, "others"), 6);
        assert_int_equal(number_at(d, "others[1].length"), 5);
        uint64_t offset, length;
        mst_value value = value_at(d, "others[1]");
        mst_value_span(&value, &offset, &length);
        assert_int_equal(length, 8 + 5 + 3);
        value = value_at(d, "others[2].padding");
        mst_value_span(&value, &offset, &length);
        assert_int_equal(length, 2);
        mst_value root = mst_root(d);
        char *text = json_of(&root, 1);
        assert_non_null(strstr(text, "\"$order\":[\"named\",\"head\",\"others*5\",\"named\",\"others\"]"));
        assert_non_null(strstr(text, "\"padding\":\"7070\""));
        assert_non_null(strstr(text, "{\"id\":{\"$raw\":\"4e3030ff\"},\"a\":5,\"b\":500}"));
        free(text);
        mst_close(d);
        every_beginning(&file_format, &twins[big]);
    }
    every_byte(&file_format, &twins[0]);
    if (reads_json)
        for (int big = 0; big < 2; big++) {
            /* what follows keeps its alignment, whatever lengths become */
            mst_document *d = open_as(&file_format, &twins[big]);
            for (size_t size = 0; size < 12; size++) {
                char hex[40] = "\"";
                for (size_t i = 0; i < size; i++)
                    strcat(hex, "5a");
                strcat(hex, "\"");
                MUST(mst_set(d, "others[1].data", hex, &why), &why);
                assert_survives(d);
                assert_int_equal(count_at(d, "others"), 6);
                assert_int_equal(number_at(d, "others[1].length"), size);
                assert_int_equal(number_at(d, "named[1].b"), 500);
            }
            /* a pair that would not be accepted any more is not a pair */
            assert_int_equal(mst_set(d, "named[0].a", "9", &why), MST_REFUSED);
            MUST(mst_set(d, "named[0].a", "2", &why), &why);
            MUST(mst_remove(d, "named[0]", &why), &why);
            assert_int_equal(count_at(d, "named"), 1);
            MUST(mst_insert(d, "named[1]", "{\"id\":\"N00z\",\"a\":1,\"b\":1}", &why), &why);
            assert_int_equal(count_at(d, "named"), 2);
            assert_int_equal(mst_insert(d, "named[1]", "{\"id\":\"N00z\",\"a\":2,\"b\":1}", &why),
                             MST_REFUSED);
            assert_int_equal(mst_insert(d, "named[1]", "{\"id\":\"M00z\",\"a\":1,\"b\":1}", &why),
                             MST_REFUSED);
            assert_survives(d);
            mst_close(d);
        }
    writer_free(&twins[0]);
    writer_free(&twins[1]);
}

/* ---- what only the bytes tell ------------------------------------------------------------------- */

/* A list is there if what stands before the end can be one: a count of bytes that fits. */
static bool can_be_list(const mst_document *document, uint64_t offset, uint64_t end,
                        const uint32_t *context) {
    assert_int_equal(context[MST_VARIABLE_VERSION], 0);
    return offset < end && document->data[offset] == end - offset - 1;
}
static const mst_field hook_fields[] = {
    {.name = "size", .kind = MST_KIND_U8, .flags = MST_FIELD_SIZE},
    {.name = "a", .kind = MST_KIND_U8},
    {.name = "list",
     .kind = MST_KIND_U8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .present = can_be_list},
    {.name = "rest", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
};
static const mst_record hook = {.name = "hook", .index = 1, TABLE(hook_fields)};
static const mst_field hooks_fields[] = {
    {.name = "hooks", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &hook}};
static const mst_record hooks = {.name = "hooks", .index = 0, TABLE(hooks_fields)};
static const mst_record *const hook_records[] = {&hooks, &hook};
static const mst_format hook_format = {FORMAT(hooks, hook_records)};

static void present_hooks(void **state) {
    (void)state;
    writer w = {0};
    static const uint8_t bytes[] = {4, 1, 2, 7, 8, /* a list */
                                    2, 1, 0,       /* an empty one */
                                    1, 1,          /* none */
                                    4, 1, 1, 7, 8 /* one that is not to be believed */};
    put_bytes_of(&w, bytes, sizeof bytes);
    mst_document *d = open_as(&hook_format, &w);
    assert_reads_as(
        d, "{\"$format\":\"test\",\"hooks\":[{\"a\":1,\"list\":[7,8]},{\"a\":1,\"list\":[]},{\"a\":1},"
           "{\"a\":1,\"rest\":\"010708\"}]}");
    assert_survives(d);
    assert_false(has(d, "hooks[2].list"));
    assert_false(has(d, "hooks[3].list"));
    if (reads_json) {
        mst_diagnostic why;
        MUST(mst_insert(d, "hooks[1].list[0]", "9", &why), &why);
        assert_int_equal(count_at(d, "hooks[1].list"), 1);
        MUST(mst_set(d, "hooks[3].rest", "\"030708\"", &why), &why);
        assert_survives(d);
    }
    mst_close(d);
    every_beginning(&hook_format, &w);
    every_byte(&hook_format, &w);
    writer_free(&w);
}

/* ---- forms of a file ----------------------------------------------------------------------------- */

static const mst_field form_fields[] = {
    {.name = "version", .kind = MST_KIND_U8},
    {.name = "list", .kind = MST_KIND_U8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8, IN_LAYOUT(0)},
    {.name = "pair", .kind = MST_KIND_U8, .mode = MST_COUNT_FIXED, .count = 2, IN_LAYOUT(1)},
    {.name = "all", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END, IN_LAYOUT(2)},
};
static const mst_record form = {.name = "form", .index = 0, TABLE(form_fields)};
static const mst_record *const form_records[] = {&form};
static const char *const form_layouts[] = {"list", "pair", "raw"};

static bool probe_form(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                       mst_variant *variant) {
    (void)file_size;
    (void)name;
    variant->version = size ? bytes[0] : 0;
    variant->layout = 0;
    return true;
}
static bool known_form(uint32_t version) {
    return version == 1 || version == 2;
}
/* Version 1 has other forms. */
static bool next_form(mst_variant *variant) {
    if (variant->version != 1 || variant->layout == 2)
        return false;
    variant->layout++;
    return true;
}
static mst_status resolve_form(const uint8_t *bytes, size_t size, mst_variant *variant,
                               mst_diagnostic *diagnostic) {
    (void)variant;
    if (size > 1 && bytes[1] == 99) {
        mst_diagnostic made = {.status = MST_DAMAGED, .offset = 1, .length = 1, .code = "T-SETTLE"};
        if (diagnostic)
            *diagnostic = made;
        return MST_DAMAGED;
    }
    return MST_OK;
}
static const mst_format form_format = {FORMAT_PROBED(form, form_records, probe_form),
                                       .identity.version_field = "version",
                                       .identity.version = 2,
                                       .identity.version_known = known_form,
                                       .identity.layouts = form_layouts,
                                       .identity.layout_count = 3,
                                       .identity.resolve_variant = resolve_form,
                                       .identity.fallback = next_form};

static void forms(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *json; /* NULL: it is damaged */
        const char *code;
    } files[] = {
        {"\1\2ab", 4, "{\"$format\":\"test\",\"version\":1,\"list\":[97,98]}", NULL},
        {"\1\3", 2, "{\"$format\":\"test\",\"$layout\":\"raw\",\"version\":1,\"all\":\"03\"}", NULL},
        {"\1\3a", 3, "{\"$format\":\"test\",\"$layout\":\"pair\",\"version\":1,\"pair\":[3,97]}", NULL},
        {"\1\3ab", 4, "{\"$format\":\"test\",\"$layout\":\"raw\",\"version\":1,\"all\":\"036162\"}", NULL},
        {"\1", 1, "{\"$format\":\"test\",\"$layout\":\"raw\",\"version\":1,\"all\":\"\"}", NULL},
        {"\2\2ab", 4, "{\"$format\":\"test\",\"version\":2,\"list\":[97,98]}", NULL},
        {"\2\3ab", 4, NULL, "T-COUNT"},
        {"\2\1ab", 4, NULL, "T-TRAILING"},
        {"\3\2ab", 4, NULL, "T-VERSION"},
        {"\1\143ab", 4, NULL, "T-SETTLE"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        writer w = {0};
        put_bytes_of(&w, files[i].bytes, files[i].size);
        mst_document *d;
        mst_diagnostic why;
        mst_status status = try_as(&form_format, &w, &d, &why);
        assert_int_equal(status, files[i].json ? MST_OK : MST_DAMAGED);
        if (status == MST_OK) {
            assert_reads_as(d, files[i].json);
            assert_survives(d);
        } else {
            assert_string_equal(why.code, files[i].code);
            assert_null(d);
        }
        if (reads_json && i == 2) { /* an edit does not change the structure */
            MUST(mst_set(d, "pair[0]", "9", &why), &why);
            assert_reads_as(d, "{\"$format\":\"test\",\"$layout\":\"pair\",\"version\":1,\"pair\":[9,97]}");
            /* unless the bytes would be another one */
            assert_int_equal(mst_set(d, "pair[0]", "1", &why), MST_REFUSED);
            assert_reads_as(d, "{\"$format\":\"test\",\"$layout\":\"pair\",\"version\":1,\"pair\":[9,97]}");
        }
        mst_close(d);
        writer_free(&w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),  cmocka_unit_test(products),     cmocka_unit_test(alignment),
        cmocka_unit_test(orders), cmocka_unit_test(named_chunks), cmocka_unit_test(present_hooks),
        cmocka_unit_test(forms),
    };
    return cmocka_run_group_tests(tests, look_what_there_is, NULL);
}
