/* SPDX-License-Identifier: MIT */
/* Paths: odd ones, and the longest in an edit. */
#include "odd_formats.h"

/* ---- paths -------------------------------------------------------------------------------------- */

typedef struct path_case {
    const char *path, *same, *message; /* NULL: it is found, or the message does not matter */
} path_case;

static void assert_paths(const mst_document *d, const path_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        mst_value found, same;
        mst_diagnostic why;
        mst_status status = mst_find(mst_root(d), cases[i].path, &found, &why);
        if (status != (cases[i].same ? MST_OK : MST_NO_PATH))
            print_error("%s\n", cases[i].path);
        assert_int_equal(status, cases[i].same ? MST_OK : MST_NO_PATH);
        if (status == MST_OK) {
            same = value_at(d, cases[i].same);
            assert_int_equal(found.offset, same.offset);
        } else if (cases[i].message) {
            assert_string_equal(why.message, cases[i].message);
        }
    }
}

static void odd_paths(void **state) {
    (void)state;
    static const char wanted[] = "an index, a slice or name=value and a closing bracket must follow at ";
    static const path_case in_rules[] = {
        {"flats[single=1]", "flats[0]", NULL},
        {"flats[single=1.0]", "flats[0]", NULL},
        {"flats[single=0]", "flats[3]", NULL},
        {"flats[single=0.5]", NULL, "no element has single=0.5"},
        {"flats[single=x]", NULL, "no element has single=x"},
        {"flats[index=65535]", "flats[3]", NULL},
        {"flats[index=65535.0]", "flats[3]", NULL},
        {"flats[index=0xffff]", "flats[3]", NULL},
        {"flats[index=2]", NULL, "no element has index=2"},
        {"flats[vector=1]", NULL, "no element has vector=1"},
        {"flats[vector=1.5]", NULL, "no element has vector=1.5"},
        {"flats[shade=dark]", "flats[0]", NULL},
        {"flats[shade=dusk]", NULL, "no element has shade=dusk; did you mean shade=dark?"},
        {"flats[shade=darker]", NULL, "no element has shade=darker; did you mean shade=dark?"},
        {"flats[newer=0]", NULL, "the elements have no field \"newer\""},
        {"flats[0:2].single[1]", "flats[1].single", NULL},
        {"flats[0:2].single.x", NULL, NULL},
        {"wide.doubles[0:2].x", NULL, NULL},
        {"flats[abc]d=1", NULL, NULL},
        {"flats[a_name_that_is_much_longer_than_any_that_a_table_has_for_a_field_of_it=1]", NULL, NULL},
        {"flats[abc", NULL, NULL},
    };
    static const path_case in_stack[] = {
        {"slabs[text=ab]", "slabs[0]", NULL},
        {"slabs[text=\"c\"]", "slabs[1]", NULL},
        {"slabs[text=a]", NULL, "no element has text=a; did you mean text=ab?"},
        {"slabs[text=ax]", NULL, "no element has text=ax; did you mean text=ab?"},
        {"slabs[text=abc]", NULL, "no element has text=abc; did you mean text=ab?"},
    };
    writer w = {0};
    put_rules(&w, false);
    mst_document *d = open_own(&rules_format, &w);
    assert_paths(d, in_rules, MST_COUNT_OF(in_rules));
    mst_value found;
    mst_diagnostic why;
    assert_int_equal(mst_find(mst_root(d), "flats[abc]d=1", &found, &why), MST_NO_PATH);
    assert_memory_equal(why.message, wanted, strlen(wanted));
    mst_close(d);
    writer_free(&w);
    static const uint32_t offsets[] = {16, 24, 32};
    put_archive(&w, 2, offsets);
    memcpy(w.data + 16, "\2ab", 3);
    memcpy(w.data + 24, "\1c", 2);
    d = open_own(&stack_format, &w);
    assert_paths(d, in_stack, MST_COUNT_OF(in_stack));
    mst_close(d);
    writer_free(&w);
}

enum { I_TOP, I_BELOW };

/* ---- paths of an edit --------------------------------------------------------------------------- */

#define PATH_LONGEST 511 /* of the record without the field, or of the list of a new element */

static const mst_field thing_fields[] = {
    {.name = "size", .kind = MST_KIND_U16, .flags = MST_FIELD_SIZE},
    {.name = "name", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U16},
    {.name = "list", .kind = MST_KIND_U8, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8},
    {.name = "extra", .kind = MST_KIND_U8, .flags = MST_FIELD_OPTIONAL},
};

static const mst_record thing = {.name = "thing", .index = I_BELOW, TABLE(thing_fields)};

static const mst_field things_fields[] = {{.name = "things",
                                           .kind = MST_KIND_RECORD,
                                           .mode = MST_COUNT_PREFIX,
                                           .prefix = MST_KIND_U8,
                                           .record = &thing},
                                          {.name = "note", .kind = MST_KIND_U8, .flags = MST_FIELD_OPTIONAL}};

static const mst_record things = {.name = "things", .index = I_TOP, TABLE(things_fields)};
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
    for (size_t length = PATH_LONGEST - 2; length <= PATH_LONGEST + 2; length++) {
        char path[600];
        mst_diagnostic why;
        bool fits = length <= PATH_LONGEST;
        /* a missing field, in the record with that path */
        mst_document *d = thing_at(length, "", path);
        strcat(path, ".extra");
        assert_int_equal(mst_set(d, path, "5", &why), fits ? MST_OK : MST_NO_PATH);
        if (fits)
            assert_int_equal(number_at(d, "things[0].extra"), 5);
        mst_close(d);
        /* a new element of the list with that path */
        d = thing_at(length, ".list", path);
        strcat(path, "[0]");
        assert_int_equal(mst_insert(d, path, "9", &why), fits ? MST_OK : MST_ARGUMENT);
        assert_int_equal(number_at(d, "things[0].list[0]"), fits ? 9 : 7);
        if (!fits)
            assert_string_equal(why.message, "the path is too long");
        mst_close(d);
    }
}

/* A possible but missing field of the root. */
static void missing_at_the_root(void **state) {
    (void)state;
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

int test_paths(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_paths),
        cmocka_unit_test(paths_of_edits),
        cmocka_unit_test(missing_at_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
