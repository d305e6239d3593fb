/* SPDX-License-Identifier: MIT */
/* Selectors: paths whose brackets select many elements. */
#include "own_format.h"
#include <mapstone/edit.h>

#define RECORDS(X) X(file) X(house) X(pair)
enum { RECORDS(RECORD_INDEX) };
static const mst_enum_name kinds[] = {{0, "shop"}, {1, "school"}, {2, "shed"}};
static const mst_enum kind_names = {kinds, MST_COUNT_OF(kinds)};
static const mst_enum_name lights[] = {{0, "door"}, {1, "roof"}, {2, "yard"}};
static const mst_enum light_names = {lights, MST_COUNT_OF(lights)};

static const mst_field pair_fields[] = {PREFIXED("name", CHAR8, U8), {.name = "value", U8}};
RECORD(pair, "pair", "a named value", .pairs = true);
static const mst_field house_fields[] = {
    PREFIXED("name", CHAR8, U8),
    {.name = "kind", U8, .names = &kind_names},
    {.name = "lights", U8, .names = &light_names, .flags = MST_FIELD_FLAGS},
    {.name = "height", .kind = MST_KIND_F32},
    {.name = "pairs",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     .record = &pair},
};
RECORD(house, "house", "a house");
static const mst_field file_fields[] = {{.name = "houses",
                                         .kind = MST_KIND_RECORD,
                                         .mode = MST_COUNT_PREFIX,
                                         .prefix = MST_KIND_U8,
                                         .record = &house},
                                        PREFIXED("numbers", U8, U8)};
RECORD(file, "file", "a file");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};
static const mst_format format = {FORMAT(file, records)};

static const char town[] =
    "{\"houses\":["
    "{\"name\":\"Mill\",\"kind\":\"shop\",\"lights\":[\"door\"],\"height\":8.5,\"pairs\":[{\"name\":"
    "\"rooms\",\"value\":4}]},"
    "{\"name\":\"Mint\",\"kind\":\"school\",\"lights\":[\"door\",\"roof\"],\"height\":12,\"pairs\":[]},"
    "{\"name\":\"Barn & "
    "Co\",\"kind\":\"shed\",\"lights\":[],\"height\":-1,\"pairs\":[{\"name\":\"rooms\",\"value\":1},"
    "{\"name\":\"doors\",\"value\":2}]}],"
    "\"numbers\":[5,6,7,8]}";

static mst_document *town_document(void) {
    writer nothing = {0};
    mst_buffer bytes = {0};
    mst_document *d;
    mst_diagnostic why;
    put_u8(&nothing, 0);
    put_u8(&nothing, 0);
    mst_document *none = open_own(&format, &nothing);
    MUST(encode_as(none, town, &bytes, &why), &why);
    MUST(open_in(&format, false, bytes.data, bytes.size, &d, &why), &why);
    mst_close(none);
    mst_buffer_free(&bytes);
    free(nothing.data);
    return d;
}

typedef struct listed {
    char text[500];
    size_t count, limit;
} listed;

static mst_status list_path(void *user, const char *path, const mst_value *value) {
    listed *all = user;
    mst_value same;
    if (all->limit && all->count == all->limit)
        return MST_UNKNOWN;
    /* the path leads to the value */
    MUST(mst_find(mst_root(value->document), path, &same, NULL), NULL);
    assert_int_equal(same.offset, value->offset);
    size_t length = strlen(all->text);
    snprintf(all->text + length, sizeof all->text - length, "%s%s", all->count++ ? " " : "", path);
    return MST_OK;
}

static void values_by_conditions(void **state) {
    (void)state;
    static const struct {
        const char *selector, *paths;
        uint64_t lacking;
    } cases[] = {
        {"houses[1].name", "houses[1].name", 0},
        {"houses[-1].name", "houses[-1].name", 0},
        {"houses[*].name", "houses[0].name houses[1].name houses[2].name", 0},
        {"houses[ * ]", "houses[0] houses[1] houses[2]", 0},
        {"houses[1:]", "houses[1] houses[2]", 0},
        {"houses[:-1]", "houses[0] houses[1]", 0},
        {"houses[0:1].kind", "houses[0].kind", 0},
        {"houses[2:1]", "", 0},
        {"houses[-9:-8]", "", 0},
        {"numbers[1:3]", "numbers[1] numbers[2]", 0},
        {"numbers[*]", "numbers[0] numbers[1] numbers[2] numbers[3]", 0},
        {"houses[name=Mint]", "houses[1]", 0},
        {"houses[name=\"Barn & Co\"]", "houses[2]", 0},
        {"houses[name!=Mint]", "houses[0] houses[2]", 0},
        {"houses[name~M*]", "houses[0] houses[1]", 0},
        {"houses[name~?i?l]", "houses[0]", 0},
        {"houses[name~*n*o]", "houses[2]", 0},
        {"houses[name~M]", "", 0},
        {"houses[name!~M*]", "houses[2]", 0},
        {"houses[kind~sh*]", "houses[0] houses[2]", 0},
        {"houses[kind=school]", "houses[1]", 0},
        {"houses[height~1*]", "", 0},
        {"houses[height>8.5]", "houses[1]", 0},
        {"houses[height>=8.5]", "houses[0] houses[1]", 0},
        {"houses[height<0]", "houses[2]", 0},
        {"houses[height<=-1]", "houses[2]", 0},
        {"houses[height<tall]", "", 0},
        {"houses[name>1]", "", 0},
        {"houses[lights has door]", "houses[0] houses[1]", 0},
        {"houses[lights has door,roof]", "houses[1]", 0},
        {"houses[lights has attic]", "", 0},
        {"houses[kind has door]", "", 0},
        {"houses[name~M* & height>9]", "houses[1]", 0},
        {"houses[name~M*&height>9&kind=shop]", "", 0},
        {"houses[pairs.rooms=4]", "houses[0]", 0},
        {"houses[pairs.rooms]", "houses[0] houses[2]", 0},
        {"houses[pairs[0].name=rooms]", "houses[0] houses[2]", 0},
        {"houses[nothing=1]", "", 0},
        {"houses[nothing!=1]", "", 0},
        {"houses[*].pairs.doors", "houses[2].pairs.doors", 2},
        {"houses[*].pairs[*].value",
         "houses[0].pairs[0].value houses[2].pairs[0].value houses[2].pairs[1].value", 0},
        {"houses[*].pairs[value<3].name", "houses[2].pairs[0].name houses[2].pairs[1].name", 0},
        {"houses[*].pairs[0].value", "houses[0].pairs[0].value houses[2].pairs[0].value", 1},
    };
    mst_document *d = town_document();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        listed all = {0};
        mst_selected selected;
        mst_diagnostic why;
        mst_status status = mst_select(mst_root(d), cases[i].selector, list_path, &all, &selected, &why);
        if (status != MST_OK || strcmp(all.text, cases[i].paths) != 0)
            print_error("%s\n", cases[i].selector);
        MUST(status, &why);
        assert_string_equal(all.text, cases[i].paths);
        assert_int_equal(selected.count, all.count);
        assert_int_equal(selected.lacking, cases[i].lacking);
    }
    mst_close(d);
}

static void what_is_no_selector(void **state) {
    (void)state;
    static const struct {
        const char *selector;
        mst_status status;
    } cases[] = {
        {"houses[*", MST_ARGUMENT},          {"houses[name=\"a]", MST_ARGUMENT},
        {"houses[0].name[*]", MST_ARGUMENT}, {"houses[1:x]", MST_ARGUMENT},
        {"houses[-:1]", MST_ARGUMENT},       {"shops[*]", MST_NO_PATH},
        {"houses[7].pairs[*]", MST_NO_PATH},
    };
    mst_document *d = town_document();
    listed all = {0};
    mst_diagnostic why;
    char selector[700];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_status status = mst_select(mst_root(d), cases[i].selector, list_path, &all, NULL, &why);
        if (status != cases[i].status)
            print_error("%s\n", cases[i].selector);
        assert_int_equal(status, cases[i].status);
    }
    memset(selector, 'x', sizeof selector - 1);
    selector[sizeof selector - 1] = 0;
    assert_int_equal(mst_select(mst_root(d), selector, list_path, &all, NULL, &why), MST_ARGUMENT);
    memcpy(selector, "houses[*].", 10);
    assert_int_equal(mst_select(mst_root(d), selector, list_path, &all, NULL, &why), MST_ARGUMENT);
    memcpy(selector, "houses[name~M*", 14);
    selector[14] = ' ';
    memset(selector + 15, ' ', 600);
    memcpy(selector + 615, "]", 2);
    MUST(mst_select(mst_root(d), selector, list_path, &all, NULL, &why), &why);
    assert_int_equal(mst_select(mst_root(d), NULL, list_path, &all, NULL, &why), MST_ARGUMENT);
    assert_int_equal(mst_select(mst_root(d), "houses", NULL, &all, NULL, &why), MST_ARGUMENT);
    all = (listed){.limit = 2};
    assert_int_equal(mst_select(mst_root(d), "houses[*]", list_path, &all, NULL, &why), MST_UNKNOWN);
    assert_false(mst_is_selector("houses[1].name", 1));
    assert_false(mst_is_selector("houses", 1));
    assert_false(mst_is_selector("houses[*", 1));
    assert_false(mst_is_selector(NULL, 1));
    assert_false(mst_is_selector("houses[1:2]", 0));
    assert_true(mst_is_selector("houses[1:2]", 1));
    assert_true(mst_is_selector("houses[0].pairs[*]", 0));
    mst_close(d);
}

static mst_status hear(void *user, const mst_diagnostic *what) {
    char *text = user;
    snprintf(text, 200, "%.80s: %.100s", what->path, what->message);
    return MST_OK;
}

static void many_are_edited(void **state) {
    (void)state;
    mst_document *d = town_document();
    mst_diagnostic why;
    char said[200] = "";
    mst_operation operations[] = {{.kind = MST_OPERATION_SET, .path = "houses[name~M*].height", .value = "3"},
                                  {.kind = MST_OPERATION_REMOVE, .path = "houses[height=3].pairs[*]"},
                                  {.kind = MST_OPERATION_REMOVE, .path = "houses[kind=shop]"},
                                  {.kind = MST_OPERATION_SET, .path = "numbers[1:3]", .value = "0"},
                                  {.kind = MST_OPERATION_SET, .path = "houses[*].pairs.doors", .value = "9"}};
    mst_edit_options each = {.size = sizeof each, .each = 1, .report = hear, .user = said};
    assert_int_equal(mst_edit(d, operations, 1, NULL, &why), MST_ARGUMENT);
    assert_string_equal(why.message, "the selector matches 2 values");
    assert_string_equal(why.found, "houses[0].height, houses[1].height");
    assert_false(mst_is_edited(d));
    MUST(mst_edit(d, operations, 5, &each, &why), &why);
    assert_string_equal(said, "houses[*].pairs.doors: one element lacks it");
    assert_reads_as(
        d, "{\"$format\":\"test\",\"houses\":["
           "{\"name\":\"Mint\",\"kind\":\"school\",\"lights\":[\"door\",\"roof\"],\"height\":3,\"pairs\":[]},"
           "{\"name\":\"Barn & Co\",\"kind\":\"shed\",\"lights\":[],\"height\":-1,\"pairs\":"
           "[{\"name\":\"rooms\",\"value\":1},{\"name\":\"doors\",\"value\":9}]}],\"numbers\":[5,0,0,8]}");
    mst_operation none = {.kind = MST_OPERATION_SET, .path = "houses[name=Mill].height", .value = "3"};
    assert_int_equal(mst_edit(d, &none, 1, &each, &why), MST_NO_PATH);
    mst_operation one = {.kind = MST_OPERATION_SET, .path = "houses[name=Mint].height", .value = "4"};
    MUST(mst_edit(d, &one, 1, NULL, &why), &why);
    mst_operation by_name = {.kind = MST_OPERATION_SET, .path = "houses[1].pairs.rooms", .value = "7"};
    MUST(mst_edit(d, &by_name, 1, NULL, &why), &why);
    assert_int_equal(number_at(d, "houses[1].pairs[0].value"), 7);
    assert_int_equal(mst_set(d, "houses[1].pairs.windows", "7", &why), MST_NO_PATH);
    mst_close(d);
}

int test_select(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_conditions),
        cmocka_unit_test(what_is_no_selector),
        cmocka_unit_test(many_are_edited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
