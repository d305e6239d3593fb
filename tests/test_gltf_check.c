/* SPDX-License-Identifier: MIT */
/* A .gltf against the files of its buffers. The glTF 2.0 specification, 3.6.1, states what is valid. */
#include "../src/export/gltf_check.h"
#include "support.h"
#include <mapstone/export.h>

typedef struct folder {
    const char *name; /* of the one existing file */
    size_t size;
    mst_status broken; /* not MST_OK: it cannot be read */
    unsigned asked;
} folder;

static mst_status find(void *user, const char *name, const void **bytes, size_t *size) {
    folder *here = user;
    here->asked++;
    if (here->broken != MST_OK)
        return here->broken;
    if (strcmp(name, here->name) != 0)
        return MST_NO_PATH;
    *bytes = "";
    *size = here->size;
    return MST_OK;
}

typedef struct received {
    unsigned count;
    mst_diagnostic last;
    mst_status answer;
} received;

static mst_status take(void *user, const mst_diagnostic *one) {
    received *all = user;
    all->count++;
    all->last = *one;
    return all->answer;
}

static mst_status check(const char *text, folder *here, received *all, mst_diagnostic *why) {
    const mst_resolver beside = {.find = find, .user = here};
    return mst_gltf_check(text, strlen(text), &beside, take, all, why);
}

static void sizes_are_compared(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t size; /* of "a b.bin" */
        unsigned count;
        const char *code, *path, *expected, *found;
    } cases[] = {
        {"{\"buffers\":[{\"uri\":\"a%20b.bin\",\"byteLength\":100}]}", 100, 0, "", "", "", ""},
        {"{\"buffers\":[{\"uri\":\"a b.bin\",\"byteLength\":100}]}", 100, 0, "", "", "", ""},
        {"{\"buffers\":[{\"byteLength\":100,\"uri\":\"a%20b.bin\"}]}", 99, 1, "GLTF-BUFFER", "buffers[0]",
         "100 bytes", "99"},
        {"{\"buffers\":[{\"byteLength\":100,\"uri\":\"%61 b.bin\"}]}", 101, 1, "GLTF-BUFFER-LONGER",
         "buffers[0]", "100 bytes", "101"},
        {"{\"buffers\":[{\"byteLength\":100,\"uri\":\"b.bin\"}]}", 100, 1, "GLTF-BUFFER", "buffers[0]",
         "100 bytes", ""},
        {"{\"asset\":{\"buffers\":[]},\"buffers\":[{\"byteLength\":1,\"uri\":\"data:,x\"},{\"byteLength\":3},"
         "{\"byteLength\":4,\"uri\":\"a b.bin\"}]}",
         5, 1, "GLTF-BUFFER-LONGER", "buffers[2]", "4 bytes", "5"},
        {"{\"buffers\":[{\"byteLength\":9,\"uri\":\"a%2zb.bin\"}]}", 9, 1, "GLTF-BUFFER", "buffers[0]",
         "9 bytes", ""},
        {"{\"buffers\":[{\"byteLength\":9,\"uri\":\"a%2\"}]}", 9, 1, "GLTF-BUFFER", "buffers[0]", "9 bytes",
         ""},
        {"{\"buffers\":[{\"byteLength\":9,\"uri\":\"a%zz\"}]}", 9, 1, "GLTF-BUFFER", "buffers[0]", "9 bytes",
         ""},
        {"{\"buffers\":[{\"byteLength\":9,\"uri\":\"%4A%4a%aA\"}]}", 9, 1, "GLTF-BUFFER", "buffers[0]",
         "9 bytes", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        folder here = {.name = "a b.bin", .size = cases[i].size};
        received all = {0};
        mst_diagnostic why;
        MUST(check(cases[i].text, &here, &all, &why), &why);
        assert_int_equal(all.count, cases[i].count);
        assert_string_equal(all.last.code, cases[i].code);
        assert_string_equal(all.last.path, cases[i].path);
        assert_string_equal(all.last.expected, cases[i].expected);
        assert_string_equal(all.last.found, cases[i].found);
        assert_true(here.asked >= 1);
        if (all.count) {
            bool longer = strcmp(cases[i].code, "GLTF-BUFFER") != 0;
            assert_int_equal(all.last.severity, longer ? MST_WARNING : MST_ERROR);
            assert_true(all.last.offset == MST_NO_OFFSET);
            assert_true(all.last.message[0]);
        }
    }
}

static void what_is_elsewhere_is_not_looked_at(void **state) {
    (void)state;
    static char long_name[1200];
    memset(long_name, 'x', 1100);
    static const char *const buffers[] = {
        "\"byteLength\":1",
        "\"byteLength\":1,\"uri\":\"data:application/octet-stream;base64,AA==\"",
        "\"byteLength\":1,\"uri\":\"https://example.org/a.bin\"",
        "\"byteLength\":1,\"uri\":\"/a.bin\"",
        "\"byteLength\":1,\"uri\":\"../a.bin\"",
        "\"byteLength\":1,\"uri\":\"%2e%2E/a.bin\"",
        "\"byteLength\":1,\"uri\":\"a%00.bin\"",
        "\"byteLength\":1,\"uri\":\"\"",
        "\"byteLength\":1,\"uri\":7",
        "\"uri\":\"a.bin\"",
        "\"byteLength\":\"1\",\"uri\":\"a.bin\"",
        "\"byteLength\":-1,\"uri\":\"a.bin\"",
        "\"byteLength\":1e3,\"uri\":\"a.bin\"",
        "\"byteLength\":1234567890123456789,\"uri\":\"a.bin\"",
    };
    char text[1400];
    for (size_t i = 0; i <= sizeof buffers / sizeof *buffers; i++) {
        folder here = {.name = "a.bin", .size = 5};
        received all = {0};
        mst_diagnostic why;
        if (i < sizeof buffers / sizeof *buffers)
            snprintf(text, sizeof text, "{\"buffers\":[{%s}]}", buffers[i]);
        else
            snprintf(text, sizeof text, "{\"buffers\":[{\"byteLength\":1,\"uri\":\"%s\"}]}", long_name);
        MUST(check(text, &here, &all, &why), &why);
        assert_int_equal(here.asked, 0);
        assert_int_equal(all.count, 0);
    }
    static const char *const others[] = {
        "{}", "[]", "7", "{\"buffers\":{}}", "{\"buffers\":[]}", "{\"buffers\":[1,[],null]}"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        folder here = {.name = "a.bin"};
        received all = {0};
        MUST(check(others[i], &here, &all, NULL), NULL);
        assert_int_equal(here.asked, 0);
    }
}

static void what_fails_is_handed_on(void **state) {
    (void)state;
    static const char text[] =
        "{\"buffers\":[{\"byteLength\":1,\"uri\":\"a\"},{\"byteLength\":1,\"uri\":\"b\"}]}";
    mst_diagnostic why;
    folder here = {.name = "", .broken = MST_IO};
    received all = {0};
    assert_int_equal(check(text, &here, &all, &why), MST_IO);
    assert_int_equal(here.asked, 1);
    here = (folder){.name = ""};
    all.answer = MST_STOPPED;
    assert_int_equal(check(text, &here, &all, &why), MST_STOPPED);
    assert_int_equal(all.count, 1);
    assert_int_equal(check("{\"buffers\":", &here, &all, &why), MST_DAMAGED);
    assert_true(why.message[0]);
}

static void codes_are_listed(void **state) {
    (void)state;
    assert_string_equal(mst_gltf_code_at(0)->code, "GLTF-BUFFER");
    assert_string_equal(mst_gltf_code_at(1)->code, "GLTF-BUFFER-LONGER");
    assert_null(mst_gltf_code_at(2));
}

int test_gltf_check(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_compared),
        cmocka_unit_test(what_is_elsewhere_is_not_looked_at),
        cmocka_unit_test(what_fails_is_handed_on),
        cmocka_unit_test(codes_are_listed),
    };
    return cmocka_run_group_tests_name("glTF against its buffers", tests, NULL, NULL);
}
