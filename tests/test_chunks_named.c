/* SPDX-License-Identifier: MIT */
/* Chunks by name: ids with ignored bits, padding, rejected content. */
#include "own_format.h"

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

static const mst_record other_record = {.name = "other", .index = I_UNKNOWN, TABLE(other_fields)};

static const mst_field other_field = {
    .name = "others", .kind = MST_KIND_RECORD, .record = &other_record, .flags = MST_FIELD_REPEATED};

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
static const mst_record *const file_records[] = {&file, &other_record, &named, &plain};

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
    put_pair(w, "N002", 2, 1);              /* is rejected */
    put_chunk(w, "ODD1", "12345", 5, 0);    /* with the usual padding */
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
        mst_document *d = open_own(&file_format, &twins[big]);
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
    for (int big = 0; big < 2; big++) {
        /* the following chunk keeps its alignment for any length */
        mst_document *d = open_own(&file_format, &twins[big]);
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
        /* a pair that would be rejected is not a pair */
        assert_int_equal(mst_set(d, "named[0].a", "9", &why), MST_REFUSED);
        MUST(mst_set(d, "named[0].a", "2", &why), &why);
        MUST(mst_remove(d, "named[0]", &why), &why);
        assert_int_equal(count_at(d, "named"), 1);
        MUST(mst_insert(d, "named[1]", "{\"id\":\"N00z\",\"a\":1,\"b\":1}", &why), &why);
        assert_int_equal(count_at(d, "named"), 2);
        assert_int_equal(mst_insert(d, "named[1]", "{\"id\":\"N00z\",\"a\":2,\"b\":1}", &why), MST_REFUSED);
        assert_int_equal(mst_insert(d, "named[1]", "{\"id\":\"M00z\",\"a\":1,\"b\":1}", &why), MST_REFUSED);
        assert_survives(d);
        mst_close(d);
    }
    writer_free(&twins[0]);
    writer_free(&twins[1]);
}

int test_chunks_named(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
