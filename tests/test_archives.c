/* SPDX-License-Identifier: MIT */
/* Indexed archives: offsets, padding, blocks of texts. */
#include "odd_formats.h"

/* ---- archives ---------------------------------------------------------------------------------- */

static void archives(void **state) {
    (void)state;
    static const uint32_t offsets[] = {24, 32, 32, 40};
    for (int big = 0; big < 2; big++) {
        writer w = {.big = big};
        put_archive(&w, 3, offsets);
        memcpy(w.data + 24, "first", 5);
        memcpy(w.data + 32, "third", 5);
        mst_document *d = open_own(&crate_format, &w);
        if (!big)
            assert_reads_as(d, "{\"$format\":\"test\",\"one\":\"6669727374000000\",\"two\":\"\","
                               "\"three\":\"7468697264000000\"}");
        assert_survives(d);
        assert_limits(&crate_format, d);
        mst_close(d);
        put_u16(&w, 7);
        d = open_own(&crate_format, &w);
        if (!big)
            assert_reads_as(d, "{\"$format\":\"test\",\"one\":\"6669727374000000\",\"two\":\"\","
                               "\"three\":\"7468697264000000\",\"after\":7}");
        assert_survives(d);
        assert_limits(&crate_format, d);
        mst_close(d);
        writer_free(&w);
    }
    /* unusual padding of a list: before the first, between two, and after the last */
    static const uint32_t wide[] = {24, 32, 40};
    writer w = {0};
    put_archive(&w, 2, wide);
    memcpy(w.data + 16, "\1\2\3\4\5\6\7\x8", 8);
    memcpy(w.data + 24, "\2ab\0\0\0\0\7", 8);
    memcpy(w.data + 32, "\1c", 2);
    mst_document *d = open_own(&stack_format, &w);
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
    assert_int_equal(offset, 0); /* the enclosing record */
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
    /* no blocks, and an end that does not match */
    put_u32(&w, 0), put_u32(&w, 5);
    d = open_own(&stack_format, &w);
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
         "no such field here: wrong name or version, or its flag is not set", NULL, "$stride"},
    };
    static const wrong stacks[] = {
        {"{\"slabs\":[{\"text\":\"\"}],\"$gaps.slabs\":[[0,\"zz\"]]}", MST_ARGUMENT, "slabs.$gaps", hex, NULL,
         NULL},
        {"{\"slabs\":[{\"text\":\"\"}],\"$gaps.slabs\":[[1,\"zz\"]]}", MST_ARGUMENT, "slabs.$gaps", hex, NULL,
         NULL},
        {"{\"slabs\":[],\"$gaps.slabs\":true}", MST_ARGUMENT, "slabs.$gaps",
         "the value does not fit the field", "a list", "true"},
    };
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
    /* the last padding may be missing: the end is at its usual place */
    MUST(encode(&crate_format, NULL, "{\"one\":\"\",\"$gaps\":[[1,\"\"]],\"$cut\":7}", (how){0}, &made, NULL),
         NULL);
    assert_int_equal(made.size, 16); /* a block begins at a multiple of 8 */
    assert_int_equal(mst_load32(made.data + 8, false), 16 + 7);
    mst_buffer_free(&made);
    /* missing lists of blocks, if allowed: empty */
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

enum { I_TOP, I_BELOW };

/* ---- texts in archives -------------------------------------------------------------------------- */

static const mst_field text_fields[] = {{.name = "text", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_DATA_SET}};
static const mst_record text = {.name = "text", .index = I_BELOW, TABLE(text_fields), .is_inline = true};

static const mst_field texts_fields[] = {
    {.name = "texts", .kind = MST_KIND_RECORD, .mode = MST_COUNT_ARCHIVE, .record = &text}};

static const mst_record texts = {.name = "texts", .index = I_TOP, TABLE(texts_fields)};
static const mst_record *const text_records[] = {&texts, &text};
static const mst_format text_format = {FORMAT(texts, text_records)};

/* Each block contains at least the length of its text, regardless of the bytes there. */
static void blocks_of_texts(void **state) {
    (void)state;
    for (uint32_t first = 0; first <= 9; first++)
        for (uint32_t last = 0; last <= 9; last++) {
            writer w = {0};
            mst_document *d;
            mst_diagnostic why;
            put_u32(&w, 2), put_u32(&w, 16), put_u32(&w, 16 + first), put_u32(&w, 16 + first + last);
            for (uint32_t i = 0; i < first + last; i++)
                put_u8(&w, 0);
            bool fits = first >= 8 && last >= 8;
            mst_status status = try_as(&text_format, &w, &d, &why);
            if (status != (fits ? MST_OK : MST_DAMAGED))
                print_error("%u and %u bytes: %s\n", first, last, mst_status_text(status));
            assert_int_equal(status, fits ? MST_OK : MST_DAMAGED);
            if (!fits)
                assert_string_equal(why.path, first < 8 ? "texts[0]" : "texts[1]");
            mst_close(d);
            writer_free(&w);
        }
}

/* A missing text is not an empty one. */
static void no_text(void **state) {
    (void)state;
    writer w = {0};
    mst_document *d;
    mst_diagnostic why;
    put_u32(&w, 1), put_u32(&w, 16), put_u32(&w, 32), put_u32(&w, 0);
    put_u32(&w, 4), put_u32(&w, 1), put_bytes_of(&w, "abc\0\0\0\0\0", 8);
    MUST(try_as(&text_format, &w, &d, &why), &why);
    static const struct {
        const char *given;
        uint32_t stride, count;
    } cases[] = {{"null", 0, 0}, {"\"null\"", 5, 1}, {"\"\"", 1, 1}, {"{\"$raw\":\"\"}", 0, 1}, {"12", 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        MUST(mst_set(d, "texts[0]", cases[i].given, &why), &why);
        size_t size;
        const uint8_t *bytes = mst_document_bytes(d, &size);
        assert_int_equal(mst_load32(bytes + 16, false), cases[i].stride);
        assert_int_equal(mst_load32(bytes + 20, false), cases[i].count);
    }
    mst_close(d);
    writer_free(&w);
}

int test_archives(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(archives),         cmocka_unit_test(wrong_archives),
        cmocka_unit_test(damaged_archives), cmocka_unit_test(blocks_of_texts),
        cmocka_unit_test(no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
