/* SPDX-License-Identifier: MIT */
/* Conditions on positions, and on the names of referenced elements. */
#include "../src/read/opened.h"
#include "own_format.h"
#include <mapstone/edit.h>

#define RECORDS(X) X(file) X(thing) X(spot) X(layer)
enum { RECORDS(RECORD_INDEX) };
#define LIST_OF(r) .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8, .record = &(r)

static const mst_placement_fields thing_stands = {.position = {"place"}};
static const mst_field thing_fields[] = {
    {.name = "place", F32, FIXED(3)},
    {.name = "masks",
     .kind = MST_KIND_U8,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U8,
     REFERS({.by = MST_BY_BIT, .target = "layers", .key = "id"})},
    {.name = "group", U8, REFERS({.by = MST_BY_ID, .target = "groups", .key = "id", NO(255)})},
    {.name = "next", U8, REFERS({.target = "layers", NO(255)})},
};
RECORD(thing, "thing", "stands somewhere", .placement = &thing_stands);
static const mst_placement_fields spot_stands = {.position = {"x", "y"}};
static const mst_field spot_fields[] = {{.name = "x", U8}, {.name = "y", U8}};
RECORD(spot, "spot", "stands in a grid", .placement = &spot_stands);
static const mst_field layer_fields[] = {PREFIXED("name", CHAR8, U8), {.name = "id", U8}};
RECORD(layer, "layer", "has a name");
static const mst_field file_fields[] = {{.name = "things", LIST_OF(thing)},
                                        {.name = "spots", LIST_OF(spot)},
                                        {.name = "layers", LIST_OF(layer)},
                                        {.name = "groups", LIST_OF(layer)},
                                        PREFIXED("numbers", U8, U8)};
RECORD(file, "file", "a file");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};
static const mst_format format = {FORMAT(file, records), .information.editor_unit = "in",
                                  .information.editor_per_metre = 1 / 0.0254};

static const char whole[] = "{\"things\":["
                            "{\"place\":[0,0,0],\"masks\":[1],\"group\":3,\"next\":0},"
                            "{\"place\":[1,2,3],\"masks\":[0,2],\"group\":255,\"next\":1},"
                            "{\"place\":[-4,0,3],\"masks\":[],\"group\":5,\"next\":255}],"
                            "\"spots\":[{\"x\":1,\"y\":2},{\"x\":7,\"y\":2}],"
                            "\"layers\":[{\"name\":\"Walls\",\"id\":9},{\"name\":\"Props\",\"id\":0}],"
                            "\"groups\":[{\"name\":\"Gate\",\"id\":3},{\"name\":\"5\",\"id\":4}],"
                            "\"numbers\":[1]}";

static mst_document *begin(void) {
    writer nothing = {0};
    mst_buffer bytes = {0};
    mst_document *d;
    mst_diagnostic why;
    put_bytes_of(&nothing, "\0\0\0\0\0", 5);
    mst_document *none = open_own(&format, &nothing);
    MUST(encode_as(none, whole, &bytes, &why), &why);
    MUST(open_in(&format, false, bytes.data, bytes.size, &d, &why), &why);
    mst_close(none);
    mst_buffer_free(&bytes);
    free(nothing.data);
    return d;
}

static mst_status add_index(void *user, const char *path, const mst_value *value) {
    char *all = user;
    (void)value;
    strncat(all, strchr(path, '[') + 1, 1);
    return MST_OK;
}

typedef struct condition_case {
    const char *selector, *indices; /* NULL: it is refused */
} condition_case;

static void assert_found(const condition_case *cases, size_t count) {
    mst_document *d = begin();
    for (size_t i = 0; i < count; i++) {
        char found[16] = "";
        mst_selected selected;
        mst_diagnostic why;
        mst_status status = mst_select(mst_root(d), cases[i].selector, add_index, found, &selected, &why);
        if (status != (cases[i].indices ? MST_OK : MST_ARGUMENT) ||
            (cases[i].indices && strcmp(found, cases[i].indices) != 0))
            print_error("%s: %s\n", cases[i].selector, found);
        assert_int_equal(status, cases[i].indices ? MST_OK : MST_ARGUMENT);
        if (cases[i].indices)
            assert_string_equal(found, cases[i].indices);
    }
    mst_close(d);
}

static void places(void **state) {
    (void)state;
    static const condition_case cases[] = {
        {"things[within=0,0,0:1,2,3]", "01"},
        {"things[within=1,2,3:0,0,0]", "01"}, /* corners in any order */
        {"things[within = [-4,0,0] : [0,0,3] ]", "02"},
        {"things[within=0,0,0:0.9,2,3]", "0"},
        {"things[within=0,0,0:5]", "012"}, /* 3, 4, 5: on the sphere */
        {"things[within=0,0,0:4.99]", "01"},
        {"things[within=0,0,0:0]", "0"},
        {"things[within=0in,0in,0in:39.4in,78.8in,118.2in]", "01"}, /* just above 1, 2 and 3 m */
        {"things[within=0in,0in,0in:39.3in,78.7in,118.1in]", "0"},
        {"things[within=0,0:1,2]", "01"}, /* the third coordinate may have any value */
        {"things[within=0,0,0:9 & next=1]", "1"},
        {"spots[within=0,0:1,2]", "0"},
        {"spots[within=7,2:1]", "1"},
        {"spots[within=0,0,0:9,9,9]", "01"},
        {"things[within=0,0,0]", NULL},
        {"things[within=0:1]", NULL},
        {"things[within=0,0,0:1,2]", NULL},
        {"things[within=0,0,x:1,2,3]", NULL},
        {"things[within=0,0,0,0:1,2,3,4]", NULL},
        {"things[within=0,0,NaN:1,2,3]", NULL},
        {"layers[within=0,0,0:1]", NULL},
        {"numbers[within=0,0,0:1]", NULL},
        {"things[within!=0,0,0:1]", ""},
    };
    assert_found(cases, sizeof cases / sizeof *cases);
}

static void names(void **state) {
    (void)state;
    static const condition_case cases[] = {
        {"things[layer=Props]", "0"},   {"things[layer=Walls]", "1"}, /* bit 9: bit 1 of the second number */
        {"things[layer!=Props]", "12"}, {"things[layer~*s]", "01"},
        {"things[layer!~W*]", "02"},    {"things[layer=]", "2"},
        {"things[layer!=]", "01"},      {"things[group=]", "12"}, /* 255 and 5 are not the id of any */
        {"things[group!=]", "0"},       {"things[group==Gate]", "0"},
        {"things[place=1,2,3]", "1"},   {"things[place=[1, 2, 3]]", "1"},
        {"things[place=1 2 3]", "1"},   {"things[place!=1,2,3]", "02"},
        {"things[place=1,2]", ""},      {"things[place=1,2,3,4]", ""},
        {"things[masks=Props]", "0"},   {"things[masks has Walls]", "1"},
        {"things[group=Gate]", "0"},    {"things[group!=Gate]", "12"},
        {"things[group=5]", "2"}, /* the number comes first */
        {"things[group=4]", ""},        {"things[next=Props]", "1"},
        {"things[next~W*]", "0"},       {"things[color=Props]", ""},
        {"numbers[layer=Props]", ""},
    };
    assert_found(cases, sizeof cases / sizeof *cases);
}

static void joined(void **state) {
    (void)state;
    static const condition_case cases[] = {
        {"things[group=3 | group=5]", "02"},
        {"things[group=3|next=1 & group=255]", "01"}, /* & binds closer */
        {"things[(group=3|next=1) & group=255]", "1"},
        {"things[!(group=3|next=1)]", "2"},
        {"things[!group=3]", "12"},
        {"things[! group=3 & !next=1]", "2"},
        {"things[!!group=3]", "0"},
        {"things[((group=3))|((group=5)&!(next=1))]", "02"},
        {"things[!color]", "012"},
        {"layers[name=Walls|name=Props]", "01"},
        {"layers[name=\"Walls|name=Props\"]", ""},
        {"layers[name~{Wa,Pr}*]", "01"},
        {"layers[name~W{alls,ells}]", "0"},
        {"layers[!name~{W,X}*]", "1"},
        {"layers[name=Walls)]", NULL},
        {"layers[name=\"Walls)\"]", ""}, /* it is part of the name */
        {"layers[name=Walls(]", NULL},
        {"layers[name=(Walls)]", ""},
        {"things[((((((((((((((((group=3))))))))))))))))]", "0"},
        {"things[(((((((((((((((((group=3)))))))))))))))))]", NULL},
        {"things[(group=3]", NULL},
        {"things[(group=3))]", NULL},
        {"things[group=3 &]", NULL},
        {"things[| group=3]", NULL},
        {"things[group=3 || next=1]", NULL},
        {"things[()]", NULL},
        {"things[!]", NULL},
        {"things[(group=3) next=1]", NULL},
    };
    assert_found(cases, sizeof cases / sizeof *cases);
}

static void some_of_those(void **state) {
    (void)state;
    static const condition_case cases[] = {
        {"things[group!=3; 0]", "1"},
        {"things[group!=3;1]", "2"},
        {"things[group!=3; 2]", ""},
        {"things[group!=3; -1]", "2"},
        {"things[group!=3; -2]", "1"},
        {"things[group!=3; -3]", ""},
        {"things[*; 0:2]", "01"},
        {"things[*; 1:]", "12"},
        {"things[*;:1]", "0"},
        {"things[*; :-1]", "01"},
        {"things[*; -2:]", "12"},
        {"things[*; 2:1]", ""},
        {"things[*; 0:99]", "012"},
        {"things[*; 7:99]", ""},
        {"things[*; -9:1]", "0"},
        {"layers[name=Walls;0]", "0"},
        {"layers[name=Walls; next]", ""},
        {"things[*; 0:1:2]", NULL},
        {"things[*; 99999999999999999999]", NULL},
        {"things[*; -]", NULL},
    };
    assert_found(cases, sizeof cases / sizeof *cases);
}

static void elements_meet_conditions(void **state) {
    (void)state;
    mst_document *d = begin();
    mst_value element = value_at(d, "things[1]"), number = value_at(d, "numbers[0]");
    mst_diagnostic why;
    bool meets;
    MUST(mst_matches(&element, "next=1 & within=1,2,3:1", &meets, &why), &why);
    assert_true(meets);
    MUST(mst_matches(&element, "next=0", &meets, NULL), NULL);
    assert_false(meets);
    MUST(mst_matches(&element, "", &meets, NULL), NULL);
    assert_true(meets); /* there are none */
    assert_int_equal(mst_matches(&element, "within=1", &meets, &why), MST_ARGUMENT);
    assert_string_equal(why.found, "1");
    assert_int_equal(mst_matches(&element, "within=1", &meets, NULL), MST_ARGUMENT);
    assert_int_equal(mst_matches(&number, "within=0,0:1", &meets, &why), MST_ARGUMENT);
    assert_int_equal(mst_matches(NULL, "next=0", &meets, &why), MST_ARGUMENT);
    assert_int_equal(mst_matches(&element, NULL, &meets, &why), MST_ARGUMENT);
    assert_int_equal(mst_matches(&element, "next=0", NULL, &why), MST_ARGUMENT);
    assert_int_equal(mst_matches(&element, "layer=Attic", &meets, &why), MST_NO_PATH);
    assert_string_equal(why.expected, "Walls, Props");
    assert_int_equal(mst_matches(&(mst_value){.document = NULL}, "next=0", &meets, &why), MST_ARGUMENT);
    mst_close(d);
}

static void texts_meet_conditions(void **state) {
    (void)state;
    static const struct {
        const char *text, *condition;
        int meets; /* -1: it is invalid */
    } cases[] = {
        {"a b", "=a b", 1},
        {"a b", "== a b ", 1},
        {"a b", "=\"a b\"", 1},
        {"a b", "=a", 0},
        {"a b", "!=a", 1},
        {"", "=", 1},
        {"a", "=", 0},
        {"a", "!=", 1},
        {"abc", "~a*c", 1},
        {"abc", "!~a?c", 0},
        {"12", ">5", 1},
        {"12", "<=12", 1},
        {"12", ">=12.5", 0},
        {"12", "<x", 0},
        {"x", "<1", 0},
        {"x", " has x", 0},
        {"x", "x", -1},
        {"x", "x=1", -1},
        {"x", "", -1},
        {"12", "=(3 * 4)", 1},
        {"12", "!=(3 * 4)", 0},
        {"12", ">(24 / 2)", 0},
        {"12", "<=(24 / 2)", 1},
        {"a 1", "=(\"a \" + 1)", 1},
        {"a 1", "!=(\"a \" + 1)", 0},
        {"12", "=(unheard)", 0},
        {"12", "=(3 *)", -1},
        {"x", "<(1)", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool meets = true;
        mst_status status = mst_text_matches(cases[i].text, cases[i].condition, NULL, &meets);
        assert_int_equal(status, cases[i].meets < 0 ? MST_ARGUMENT : MST_OK);
        assert_int_equal(meets, cases[i].meets > 0);
    }
}

static void nothing_is_said(void **state) {
    (void)state;
    static const struct {
        const char *selector, *message;
    } cases[] = {
        {"things[next<0]", "nothing matches"},
        {"things[next<0].place", "nothing matches"},
        {"things[next=7]", "no element has next=7"},
        {"things[layer=Attic]", "there is no layer \"Attic\""},
        {"things[layer!=wlals]", "there is no layer \"wlals\"; did you mean \"Walls\"?"},
        {"things[layer~Attic]", "nothing matches"},
        {"things[group has Gat]", "there is no group \"Gat\"; did you mean \"Gate\"?"},
        {"things[within=99,99:1]", "nothing matches"},
        {"things[laver=Attic]", "the elements have no field \"laver\""},
        {"things[*][next=1]", "all 3 matches lack it"},
        {"things[7:9]", NULL}, /* an empty slice matches nothing */
        {"things[next=1].color", "the only match lacks it: there is no field \"color\""},
        {"things[*].color", "all 3 matches lack it: there is no field \"color\""},
        {"things[*].grup", "all 3 matches lack it: there is no field \"grup\"; did you mean \"group\"?"},
    };
    mst_document *d = begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[16] = "";
        mst_diagnostic why;
        mst_status status = mst_select(mst_root(d), cases[i].selector, add_index, found, NULL, &why);
        assert_int_equal(status, cases[i].message ? MST_NO_PATH : MST_OK);
        if (cases[i].message) {
            assert_string_equal(why.message, cases[i].message);
            assert_string_equal(why.path, cases[i].selector);
        }
        assert_int_equal(mst_select(mst_root(d), cases[i].selector, add_index, found, NULL, NULL), status);
    }
    mst_close(d);
}

int test_conditions(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(names),
        cmocka_unit_test(joined),
        cmocka_unit_test(some_of_those),
        cmocka_unit_test(elements_meet_conditions),
        cmocka_unit_test(texts_meet_conditions),
        cmocka_unit_test(nothing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
