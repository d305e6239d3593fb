/* SPDX-License-Identifier: MIT */
/* Sizes in units that include the preceding fields, and values that are transformed before they select a
 * case. */
#include "own_format.h"

/* ---- sizes and mapped values -------------------------------------------------------------------- */

/*
 * A thing: u16 type, u8 words, body. Of types from 10 to 19 the body begins with a u16, of others from 20 on
 * with a record whose own kind (odd: one more byte) determines its fields; types below 10 have bytes.
 */
enum { R_CLASS = 1, R_ODD };
enum { I_THINGS, I_THING, I_INNER };

static uint32_t class_of(uint32_t type) {
    return type < 10 ? 0 : type < 20 ? 1 : 2;
}

static uint32_t is_odd(uint32_t kind) {
    return kind % 2;
}

#define OF_CLASS(n) .when = {{MST_EQUAL, R_CLASS, (n)}}

static const mst_field inner_fields[] = {
    {.name = "kind", .kind = MST_KIND_U8, BIND(R_ODD), .transform = is_odd},
    {.name = "more", .kind = MST_KIND_U8, .when = {{MST_EQUAL, R_ODD, 1}}},
};

static const mst_record inner = {.name = "inner", .index = I_INNER, TABLE(inner_fields)};

static const mst_field thing_fields[] = {
    {.name = "type", .kind = MST_KIND_U16, BIND(R_CLASS), .transform = class_of},
    {.name = "words", .kind = MST_KIND_U8, .flags = MST_FIELD_SIZE, .size_scale = 4, .size_bias = 3},
    {.name = "mark", .kind = MST_KIND_U8},
    {.name = "number", .kind = MST_KIND_U16, OF_CLASS(1)},
    {.name = "inner", .kind = MST_KIND_RECORD, .record = &inner, OF_CLASS(2)},
    {.name = "tail", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY},
};

static const mst_record thing = {.name = "thing", .index = I_THING, TABLE(thing_fields)};

static const mst_field things_fields[] = {
    {.name = "things", .kind = MST_KIND_RECORD, .mode = MST_COUNT_TO_END, .record = &thing}};

static const mst_record things = {.name = "things", .index = I_THINGS, TABLE(things_fields)};
static const mst_record *const thing_records[] = {&things, &thing, &inner};
static const mst_format thing_format = {FORMAT(things, thing_records)};

static void write_things(writer *w) {
    at(w, "things[0].type"), put_u16(w, 3);
    put_u8(w, 1);
    at(w, "things[0].mark"), put_u8(w, 0xA0);
    put_u16(w, 12);
    put_u8(w, 2);
    at(w, "things[1].mark"), put_u8(w, 0xA1);
    at(w, "things[1].number"), put_u16(w, 700);
    at(w, "things[1].tail"), put_bytes_of(w, "xy", 2);
    put_u16(w, 500);
    put_u8(w, 2);
    at(w, "things[2].mark"), put_u8(w, 0xA2);
    at(w, "things[2].inner.kind"), put_u8(w, 5);
    at(w, "things[2].inner.more"), put_u8(w, 6);
    put_bytes_of(w, "zz", 2);
    put_u16(w, 20);
    put_u8(w, 2);
    at(w, "things[3].mark"), put_u8(w, 0xA3);
    at(w, "things[3].inner.kind"), put_u8(w, 4);
    at(w, "things[3].tail"), put_bytes_of(w, "abc", 3);
}

static void units(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        write_things(&w);
        mst_document *d = open_own(&thing_format, &w);
        assert_marks(d, &w);
        assert_survives(d);
        assert_int_equal(count_at(d, "things"), 4);
        assert_false(has(d, "things[0].number"));
        assert_false(has(d, "things[0].inner"));
        assert_false(has(d, "things[3].inner.more"));
        assert_false(has(d, "things[3].number"));
        mst_close(d);
        every_byte(&thing_format, &w);
        every_beginning(&thing_format, &w);
        writer_free(&w);
    }
}

/* Every size that a thing can state, against its contents: for type 12, six bytes at least. */
static void every_size(void **state) {
    (void)state;
    for (unsigned words = 0; words < 256; words++) {
        writer w = {0};
        put_u16(&w, 12), put_u8(&w, (uint8_t)words);
        for (unsigned i = 0; i < 397; i++)
            put_u8(&w, 0);
        /* the bytes after the thing are not part of it: one more thing of the entire rest, if that can be
         * expressed
         */
        bool fits = words >= 2 && 4 * words <= w.size;
        size_t rest = fits ? w.size - 4 * (size_t)words : 0;
        if (rest)
            w.data[4 * words + 2] = (uint8_t)(rest / 4);
        mst_document *d;
        mst_diagnostic why;
        mst_status status = try_as(&thing_format, &w, &d, &why);
        assert_int_equal(status, fits ? MST_OK : MST_DAMAGED);
        if (fits) {
            assert_int_equal(count_at(d, "things"), rest ? 2 : 1);
            assert_encodes(d);
        } else {
            assert_string_equal(why.code, "T-OVERRUN");
            assert_string_equal(why.path, words == 1 ? "things[0].number" : "things[0].words");
            assert_int_equal(why.offset, words == 1 ? 4 : 2);
            if (words != 1)
                assert_string_equal(why.expected, words ? "at most 100 x 4 bytes" : "at least 1");
        }
        mst_close(d);
        writer_free(&w);
    }
}

static void refused(void **state) {
    (void)state;
    writer w = {0};
    write_things(&w);
    mst_document *d = open_own(&thing_format, &w);
    char json[2400];
    for (unsigned tail = 0; tail <= 1100; tail++) { /* 4 bytes and the tail, 255 words at most */
        mst_buffer made = {0};
        mst_diagnostic why;
        int n = snprintf(json, sizeof json, "{\"things\":[{\"type\":1,\"mark\":2,\"tail\":\"");
        for (unsigned i = 0; i < tail; i++)
            n += snprintf(json + n, sizeof json - (size_t)n, "ab");
        snprintf(json + n, sizeof json - (size_t)n, "\"}]}");
        mst_status status = encode_as(d, json, &made, &why);
        assert_int_equal(status, tail % 4 || tail > 255 * 4 - 4 ? MST_REFUSED : MST_OK);
        if (status == MST_OK) {
            assert_int_equal(made.size, tail + 4);
            assert_int_equal(made.data[2], (tail + 4) / 4);
        } else {
            assert_string_equal(why.path, "things[0]");
            if (tail % 4)
                assert_string_equal(why.expected, "a multiple of 4 bytes");
        }
        mst_buffer_free(&made);
    }
    mst_close(d);
    writer_free(&w);
}

static void edits(void **state) {
    (void)state;
    writer w = {0};
    write_things(&w);
    mst_document *d = open_own(&thing_format, &w);
    mst_diagnostic why;
    /* four more bytes are one word; one more byte cannot be expressed */
    MUST(mst_set(d, "things[1].tail", "\"000102030405\"", &why), &why);
    assert_int_equal(number_at(d, "things[1].words"), 3);
    assert_int_equal(mst_set(d, "things[1].tail", "\"00010203040506\"", &why), MST_REFUSED);
    assert_int_equal(number_at(d, "things[1].words"), 3);
    MUST(mst_set(d, "things[1].tail", "\"7879\"", &why), &why);
    assert_same_bytes(d, w.data, w.size);
    assert_int_equal(mst_set(d, "things[1].words", "3", &why), MST_REFUSED);
    /* another type of the same class is otherwise the same */
    MUST(mst_set(d, "things[1].type", "19", &why), &why);
    assert_int_equal(number_at(d, "things[1].number"), 700);
    /* of another class it has other fields: nothing is lost silently */
    assert_int_equal(mst_set(d, "things[1].type", "3", &why), MST_REFUSED);
    assert_int_equal(number_at(d, "things[1].type"), 19);
    MUST(mst_insert(d, "things[4]",
                    "{\"type\":30,\"mark\":1,\"inner\":{\"kind\":1,\"more\":9},\"tail\":\"0000\"}", &why),
         &why);
    MUST(mst_insert(d, "things[0]", "{\"type\":11,\"mark\":1,\"number\":2,\"tail\":\"ffff\"}", &why), &why);
    assert_int_equal(count_at(d, "things"), 6);
    assert_int_equal(number_at(d, "things[5].inner.more"), 9);
    assert_int_equal(number_at(d, "things[5].words"), 2);
    assert_int_equal(mst_insert(d, "things[0]", "{\"type\":11,\"mark\":1,\"number\":2}", &why), MST_REFUSED);
    MUST(mst_remove(d, "things[1]", &why), &why);
    assert_int_equal(count_at(d, "things"), 5);
    assert_survives(d);
    mst_close(d);
    writer_free(&w);
}

int test_sizes(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units),
        cmocka_unit_test(every_size),
        cmocka_unit_test(refused),
        cmocka_unit_test(edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
