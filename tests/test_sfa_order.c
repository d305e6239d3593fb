/* SPDX-License-Identifier: MIT */
/* Objects are moved to the part of their list where the game looks for them: those without a group, groups by
 * ascending number, curves and checkpoints. */
#include <mapstone/edit.h>

#include "../src/write/rebuild.h"
#include "support.h"

#define CURVE 0x6E

/* An object of 24 bytes, by a letter: u without a group, 1 to 9 of that group, c a curve, k a checkpoint.
 * `id` distinguishes equal ones. */
static void put_object(writer *w, char letter, uint32_t id) {
    bool grouped = letter >= '1' && letter <= '9';
    put_u16(w, letter == 'c' ? CURVE : letter == 'k' ? 5 : 0x31C);
    put_u8(w, 6);
    put_u8(w, 0);
    put_u8(w, grouped ? 0x10 : 4);
    put_u8(w, 0);
    put_u8(w, grouped ? (uint8_t)(letter - '0') : 40);
    put_u8(w, 0);
    for (int i = 0; i < 3; i++)
        put_u32(w, 0);
    put_u32(w, id);
}

static mst_document *open_list(const char *letters) {
    writer w = {.big = true};
    mst_open_options options = {.size = sizeof options, .name = "some.romlist"};
    mst_document *document;
    mst_diagnostic why;
    for (size_t i = 0; letters[i]; i++)
        put_object(&w, letters[i], (uint32_t)i + 1);
    MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
    mst_document *copy; /* the bytes are freed */
    MUST(mst_rebuild(document, &copy, &why), &why);
    mst_close(document);
    writer_free(&w);
    return copy;
}

/* The letters and ids of the objects: "u1u2 11". */
static void list_text(const mst_document *document, char *letters, char *ids) {
    size_t size;
    const uint8_t *bytes = mst_document_file(document, 0, NULL, &size);
    size_t n = 0;
    for (; n < size / 24; n++) {
        const uint8_t *o = bytes + 24 * n;
        letters[n] = (char)(o[1] == CURVE ? 'c' : o[1] == 5 ? 'k' : o[4] == 0x10 ? '0' + o[6] : 'u');
        ids[n] = (char)('a' + o[0x17]);
    }
    letters[n] = ids[n] = 0;
}

typedef struct said {
    char text[400];
    mst_status answer;
} said;

static mst_status hear(void *user, const mst_diagnostic *line) {
    said *all = user;
    size_t length = strlen(all->text);
    snprintf(all->text + length, sizeof all->text - length, "%s: %s\n", line->path, line->message);
    return all->answer;
}

/* An object of that letter, with the id 25. */
static void object_json(char letter, char *json, size_t size) {
    writer w = {.big = true};
    mst_open_options options = {.size = sizeof options, .name = "some.romlist"};
    mst_document *document;
    mst_value object;
    mst_buffer text = {0};
    put_object(&w, letter, 25);
    MUST(mst_open_memory(w.data, w.size, &options, &document, NULL), NULL);
    MUST(mst_find(mst_root(document), "objects[0]", &object, NULL), NULL);
    MUST(mst_write_json(&object, NULL, mst_buffer_sink(&text), NULL), NULL);
    assert_true(text.size < size);
    memcpy(json, text.data, text.size);
    json[text.size] = 0;
    mst_buffer_free(&text);
    mst_close(document);
    writer_free(&w);
}

static void test_insert(void **state) {
    (void)state;
    static const struct {
        const char *before;
        char letter;
        unsigned at;
        const char *after, *ids, *says;
    } cases[] = {
        /* valid at the requested place */
        {"uu12ck", 'u', 0, "uuu12ck", "zbcdefg", ""},
        {"uu12ck", 'u', 2, "uuu12ck", "bczdefg", ""},
        {"uu12ck", '1', 3, "uu112ck", "bcdzefg", ""},
        {"uu12ck", 'k', 6, "uu12ckk", "bcdefgz", ""},
        {"uu13ck", '2', 3, "uu123ck", "bcdzefg", ""},
        {"", 'c', 0, "c", "z", ""},
        /* the nearest valid place */
        {"uu12ck", 'u', 6, "uuu12ck", "bczdefg", "objects[6]: moves to objects[2]: the order of groups\n"},
        {"uu12ck", 'u', 3, "uuu12ck", "bczdefg", "objects[3]: moves to objects[2]: the order of groups\n"},
        {"uu12ck", '2', 0, "uu122ck", "bcdzefg", "objects[0]: moves to objects[3]: the order of groups\n"},
        {"uu12ck", '1', 5, "uu112ck", "bcdzefg", "objects[5]: moves to objects[3]: the order of groups\n"},
        {"uu12ck", 'c', 1, "uu12cck", "bcdezfg", "objects[1]: moves to objects[4]: the order of groups\n"},
        {"uu12ck", 'k', 1, "uu12kck", "bcdezfg", "objects[1]: moves to objects[4]: the order of groups\n"},
        /* a list that is out of order is kept, except for the new one */
        {"u1u2c", 'u', 5, "uu1u2c", "bzcdef", "objects[5]: moves to objects[1]: the order of groups\n"},
        {"u1u2c", '2', 0, "u1u22c", "bcdzef", "objects[0]: moves to objects[3]: the order of groups\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *document = open_list(cases[i].before);
        char path[40], json[1000], letters[40], ids[40];
        said all = {.text = ""};
        mst_diagnostic why;
        snprintf(path, sizeof path, "objects[%u]", cases[i].at);
        object_json(cases[i].letter, json, sizeof json);
        const mst_operation one = {.kind = MST_OPERATION_INSERT, .path = path, .value = json};
        const mst_edit_options options = {.size = sizeof options, .report = hear, .user = &all};
        MUST(mst_edit(document, &one, 1, &options, &why), &why);
        list_text(document, letters, ids);
        assert_string_equal(letters, cases[i].after);
        assert_string_equal(ids, cases[i].ids);
        assert_string_equal(all.text, cases[i].says);
        mst_close(document);
    }
}

static void test_set(void **state) {
    (void)state;
    static const struct {
        const char *before, *path, *value, *after, *ids;
    } cases[] = {
        {"uu12ck", "objects[3].bound", "1", "uu11ck", "bcdefg"},
        {"uu23ck", "objects[3].bound", "1", "uu12ck", "bcedfg"},
        {"uu12ck", "objects[2].load_flags", "4", "uuu2ck", "bcdefg"},
        {"uu12ck", "objects[3].load_flags", "near_player", "uuu1ck", "bcedfg"},
        {"uu12ck", "objects[5].id", "9", "uu12ck", "bcdefj"},
        {"uu12ck", "objects[1].type", "checkpoint4", "u12kck", "bdecfg"},
        {"uu12ck", "objects[5].position", "[1, 2, 3]", "uu12ck", "bcdefg"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *document = open_list(cases[i].before);
        char letters[40], ids[40];
        mst_diagnostic why;
        MUST(mst_set(document, cases[i].path, cases[i].value, &why), &why);
        list_text(document, letters, ids);
        assert_string_equal(letters, cases[i].after);
        assert_string_equal(ids, cases[i].ids);
        mst_close(document);
    }
}

static void test_several(void **state) {
    (void)state;
    mst_document *document = open_list("uu12ck");
    char letters[40], ids[40];
    mst_diagnostic why;
    char fresh[1000];
    object_json('1', fresh, sizeof fresh);
    const mst_operation all[] = {
        {.kind = MST_OPERATION_SET, .path = "objects[0].load_flags", .value = "16"}, /* of the first two */
        {.kind = MST_OPERATION_SET, .path = "objects[0].bound", .value = "3"},
        {.kind = MST_OPERATION_REMOVE, .path = "objects[5]"},
        {.kind = MST_OPERATION_INSERT, .path = "objects[0]", .value = fresh},
    };
    MUST(mst_edit(document, all, 4, NULL, &why), &why);
    list_text(document, letters, ids);
    assert_string_equal(letters, "u1123c");
    assert_string_equal(ids, "czdebf");
    /* removing moves nothing */
    MUST(mst_remove(document, "objects[1]", &why), &why);
    list_text(document, letters, ids);
    assert_string_equal(letters, "u123c");
    mst_close(document);
    document = open_list("c1u");
    MUST(mst_remove(document, "objects[1]", &why), &why);
    list_text(document, letters, ids);
    assert_string_equal(letters, "cu");
    mst_close(document);
}

static void test_the_listener_may_stop(void **state) {
    (void)state;
    mst_document *document = open_list("uu12ck");
    said all = {.answer = MST_STOPPED};
    const mst_operation one = {.kind = MST_OPERATION_SET, .path = "objects[0].load_flags", .value = "16"};
    const mst_edit_options options = {.size = sizeof options, .report = hear, .user = &all};
    char letters[40], ids[40];
    assert_int_equal(mst_edit(document, &one, 1, &options, NULL), MST_STOPPED);
    list_text(document, letters, ids);
    assert_string_equal(letters, "uu12ck");
    mst_close(document);
}

static void test_no_memory(void **state) {
    (void)state;
    writer w = {.big = true};
    for (unsigned i = 0; i < 6; i++)
        put_object(&w, "uu12ck"[i], i + 1);
    for (size_t n = 1;; n++) {
        counted c = {0};
        mst_open_options options = {
            .size = sizeof options, .name = "some.romlist", .allocator = counted_allocator(&c)};
        mst_document *document;
        mst_diagnostic why;
        char letters[40], ids[40];
        MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
        c.fail_at = c.calls + n;
        mst_status status = mst_set(document, "objects[0].load_flags", "16", &why);
        c.fail_at = 0;
        list_text(document, letters, ids);
        if (status == MST_OK)
            assert_string_equal(ids, "cdebfg");
        else
            assert_int_equal(status, MST_NO_MEMORY);
        mst_close(document);
        assert_int_equal(c.blocks, 0);
        if (!c.failed)
            break;
    }
    writer_free(&w);
}

static void test_lists_that_are_not_understood(void **state) {
    (void)state;
    static const uint8_t damaged[] = "ZLB\0\0\0\0\1\0\0\0\1\0\0\0\1x"; /* kept unparsed */
    mst_open_options options = {.size = sizeof options, .name = "some.romlist.zlb"};
    mst_document *document;
    mst_status status = mst_open_memory(damaged, sizeof damaged, &options, &document, NULL);
    if (status != MST_OK)
        return;
    assert_int_equal(mst_set(document, "objects", "[]", NULL), MST_NO_PATH);
    mst_close(document);
}

int test_sfa_order(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_insert),    cmocka_unit_test(test_set),
        cmocka_unit_test(test_several),   cmocka_unit_test(test_the_listener_may_stop),
        cmocka_unit_test(test_no_memory), cmocka_unit_test(test_lists_that_are_not_understood)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
