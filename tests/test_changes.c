/* SPDX-License-Identifier: MIT */
/* Edits of rare values: each alone, and refused ones. */
#include "odd_formats.h"

/* ---- edits -------------------------------------------------------------------------------------- */

/* An edit of a document, and the resulting value at `look` (NULL: the same path). */
typedef struct change {
    char way; /* 's'et, 'i'nsert, 'r'emove */
    const char *path, *json;
    mst_status status;
    const char *look, *is;
    const char *message; /* if it is refused */
} change;

/* Each change alone, on a document of those bytes. */
static void assert_changes(const mst_format *format, const writer *w, const change *all, size_t count) {
    for (size_t i = 0; i < count; i++) {
        mst_document *d = open_own(format, w);
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
        {'s', "pairs[0:1].a", "1", MST_OK, "pairs[0].a", "1", NULL},
        {'s', "pairs[0:2].a", "1", MST_ARGUMENT, NULL, NULL, "the selector matches 2 values"},
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
    mst_document *d = open_own(&odd_format, &w);
    mst_diagnostic why;
    assert_int_equal(mst_set(d, long_path, "1", &why), MST_NO_PATH);
    assert_int_equal(mst_insert(d, long_element, "1", &why), MST_ARGUMENT);
    assert_string_equal(why.message, "the path is too long");
    mst_close(d);
    writer_free(&w);
    /* bytes outside of an archive move nothing in it; a block of another length moves the following ones */
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
        {'i', "slabs[0]", "{\"text\":\"x\"}", MST_OK, "slabs[1].text", "\"ab\"", NULL},
        {'i', "slabs[2]", "{\"text\":\"x\"}", MST_OK, "slabs[1].text", "\"c\"", NULL},
        {'r', "slabs[0]", NULL, MST_OK, "slabs[0].text", "\"c\"", NULL},
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

int test_changes(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes),
        cmocka_unit_test(after_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
