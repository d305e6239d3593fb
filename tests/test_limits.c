/* SPDX-License-Identifier: MIT */
/* Exact limits: the longest that is taken, and one more; with small formats of the test's own. */
#include "own_format.h"

enum { I_ROOT, I_INNER };

/* ---- paths of an edit --------------------------------------------------------------------------- */

#define PATH_LONGEST 511 /* of what a missing field, or the list of a new element, stands in */

static const mst_field thing_fields[] = {
    {.name = "size", .kind = MST_KIND_U16, .flags = MST_FIELD_SIZE},
    {.name = "name", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U16},
    {.name = "list", .kind = MST_KIND_U8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "extra", .kind = MST_KIND_U8, .flags = MST_FIELD_OPTIONAL},
};
static const mst_record thing = {.name = "thing", .index = I_INNER, TABLE(thing_fields)};
static const mst_field things_fields[] = {{.name = "things",
                                           .kind = MST_KIND_RECORD,
                                           .mode = MST_COUNT_PREFIX,
                                           .prefix = MST_KIND_U8,
                                           .record = &thing},
                                          {.name = "note", .kind = MST_KIND_U8, .flags = MST_FIELD_OPTIONAL}};
static const mst_record things = {.name = "things", .index = I_ROOT, TABLE(things_fields)};
static const mst_record *const thing_records[] = {&things, &thing};
static const mst_format thing_format = {FORMAT(things, thing_records)};

/* A document of one thing, and a path to it that is `length` characters long and ends in `more`. */
static mst_document *thing_at(size_t length, const char *more, char *path) {
    static const char before[] = "things[name=";
    char name[600];
    size_t n = length - strlen(before) - strlen("]") - strlen(more);
    assert_true(n < sizeof name);
    memset(name, 'a', n);
    name[n] = 0;
    sprintf(path, "%s%s]%s", before, name, more);
    assert_int_equal(strlen(path), length);
    writer w = {0};
    put_u8(&w, 1);
    put_u16(&w, (uint16_t)(2 + n + 2)), put_u16(&w, (uint16_t)n), put_bytes_of(&w, name, n);
    put_u8(&w, 1), put_u8(&w, 7);
    mst_document *d;
    mst_diagnostic why;
    MUST(try_as(&thing_format, &w, &d, &why), &why);
    writer_free(&w);
    return d;
}

static void paths_of_edits(void **state) {
    (void)state;
    if (!reads_json)
        skip();
    for (size_t length = PATH_LONGEST - 2; length <= PATH_LONGEST + 2; length++) {
        char path[600];
        mst_diagnostic why;
        bool fits = length <= PATH_LONGEST;
        /* a field that is not there, in what has that path */
        mst_document *d = thing_at(length, "", path);
        strcat(path, ".extra");
        assert_int_equal(mst_set(d, path, "5", &why), fits ? MST_OK : MST_NO_PATH);
        if (fits)
            assert_int_equal(number_at(d, "things[0].extra"), 5);
        mst_close(d);
        /* a new element of the list that has it */
        d = thing_at(length, ".list", path);
        strcat(path, "[0]");
        assert_int_equal(mst_insert(d, path, "9", &why), fits ? MST_OK : MST_ARGUMENT);
        assert_int_equal(number_at(d, "things[0].list[0]"), fits ? 9 : 7);
        if (!fits)
            assert_string_equal(why.message, "the path is too long");
        mst_close(d);
    }
}

/* A field that the root could have. */
static void missing_at_the_root(void **state) {
    (void)state;
    if (!reads_json)
        skip();
    char path[600];
    mst_diagnostic why;
    mst_value value;
    mst_document *d = thing_at(40, "", path);
    assert_int_equal(mst_find(mst_root(d), "note", &value, NULL), MST_NO_PATH);
    MUST(mst_set(d, "note", "200", &why), &why);
    assert_int_equal(number_at(d, "note"), 200);
    MUST(mst_set(d, "note", "201", &why), &why);
    assert_int_equal(number_at(d, "note"), 201);
    assert_int_equal(mst_set(d, "notes", "1", &why), MST_NO_PATH);
    assert_int_equal(mst_set(d, "", "1", &why), MST_ARGUMENT);
    assert_encodes(d);
    mst_close(d);
}

/* ---- texts in archives -------------------------------------------------------------------------- */

static const mst_field text_fields[] = {{.name = "text", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_DATA_SET}};
static const mst_record text = {.name = "text", .index = I_INNER, TABLE(text_fields), .is_inline = true};
static const mst_field texts_fields[] = {
    {.name = "texts", .kind = MST_KIND_RECORD, .mode = MST_COUNT_ARCHIVE, .record = &text}};
static const mst_record texts = {.name = "texts", .index = I_ROOT, TABLE(texts_fields)};
static const mst_record *const text_records[] = {&texts, &text};
static const mst_format text_format = {FORMAT(texts, text_records)};

/* Each block holds at least what says how long its text is, whatever would be read there. */
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

/* No text at all is not an empty one. */
static void no_text(void **state) {
    (void)state;
    if (!reads_json)
        skip();
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_of_edits),
        cmocka_unit_test(missing_at_the_root),
        cmocka_unit_test(blocks_of_texts),
        cmocka_unit_test(no_text),
    };
    return cmocka_run_group_tests(tests, look_what_there_is, NULL);
}
