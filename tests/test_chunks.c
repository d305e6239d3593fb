/* SPDX-License-Identifier: MIT */
/* Chunks by number: their order, and unknown ones. */
#include "odd_formats.h"

/* ---- chunks ------------------------------------------------------------------------------------ */

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
        mst_document *d = open_own(&stream_format, &w);
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
        /* a truncated chunk, and one with a length beyond the end */
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
         "no such field here: wrong name or version, or its flag is not set", NULL, "chunks"},
    };
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
    /* dropping fields without a place: only those */
    static const wrong dropped[] = {
        {"{\"single\":1,\"nothing\":2}", MST_ARGUMENT, "", NULL, NULL, "nothing"},
    };
    assert_wrong(&stream_format, dropped, 1, (how){.drop = true});
}

int test_chunks(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks),
        cmocka_unit_test(wrong_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
