/* SPDX-License-Identifier: MIT */
/* Operations as text, new values made from old ones, copies and moves, and transactions. */
#include "own_format.h"
#include <mapstone/edit.h>

#define RECORDS(X) X(file) X(thing) X(pair) X(layer) X(word)
enum { RECORDS(RECORD_INDEX) };
#define LIST_OF(r) .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8, .record = &(r)

static const mst_enum_name light_names[] = {{0, "door"}, {1, "roof"}, {5, "porch"}};
static const mst_enum lights = {light_names, MST_COUNT_OF(light_names)};
static const mst_field pair_fields[] = {PREFIXED("name", CHAR8, U8), {.name = "value", U8}};
RECORD(pair, "pair", "a named number", .pairs = true);
static const mst_field thing_fields[] = {
    PREFIXED("name", CHAR8, U8),
    {.name = "small", .kind = MST_KIND_I8},
    {.name = "large", .kind = MST_KIND_U64},
    {.name = "place", F32, FIXED(3)},
    {.name = "flags", U8, .flags = MST_FIELD_FLAGS, .names = &lights},
    {.name = "sure", U8, .flags = MST_FIELD_BOOL},
    {.name = "layer", U8, REFERS({.by = MST_BY_ID, .target = "layers", .key = "id", NO(255)})},
    {.name = "pairs", LIST_OF(pair)},
};
RECORD(thing, "thing", "has values of all kinds");
static const mst_field layer_fields[] = {{.name = "id", U8}};
RECORD(layer, "layer", "is known by its id");
static const mst_field word_fields[] = {PREFIXED("text", CHAR8, U8)};
RECORD(word, "word", "about a thing", .is_inline = true);
static const mst_refers of_things = {.target = "things"};
static const mst_field file_fields[] = {
    {.name = "things", LIST_OF(thing)},
    {.name = "words", LIST_OF(word), .parallel = &of_things},
    {.name = "layers", LIST_OF(layer)},
    {.name = "best", U8, REFERS({.target = "things", NO(255)})},
};
RECORD(file, "file", "a file");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};
static const mst_format format = {FORMAT(file, records)};

#define ADA(more)                                                                                            \
    "{\"name\":\"Ada\",\"small\":-3,\"large\":5,\"place\":[8.08,1,-2],\"flags\":[\"door\"],\"sure\":true,"   \
    "\"layer\":4,\"pairs\":[" more "]}"
#define BOB                                                                                                  \
    "{\"name\":\"Bob\",\"small\":100,\"large\":\"0xffffffffffffffff\",\"place\":[0,0,0],\"flags\":[],"       \
    "\"sure\":false,\"layer\":7,\"pairs\":[{\"name\":\"size\",\"value\":2}]}"
#define CAT                                                                                                  \
    "{\"name\":\"a \\\"b\\\" b\",\"small\":0,\"large\":0,\"place\":[1,2,3],\"flags\":[],\"sure\":false,"     \
    "\"layer\":255,\"pairs\":[]}"
#define REST(words, best) ",\"words\":[" words "],\"layers\":[{\"id\":4},{\"id\":7}],\"best\":" best "}"
#define WHOLE             "{\"$format\":\"test\",\"things\":[" ADA("") "," BOB "," CAT "]" REST("\"x\",\"y\",\"z\"", "1")

static mst_document *begin(void) {
    writer nothing = {0};
    mst_buffer bytes = {0};
    mst_document *d;
    mst_diagnostic why;
    put_bytes_of(&nothing, "\0\0\0\0", 4);
    mst_document *none = open_own(&format, &nothing);
    MUST(encode_as(none, WHOLE, &bytes, &why), &why);
    MUST(open_in(&format, false, bytes.data, bytes.size, &d, &why), &why);
    mst_close(none);
    mst_buffer_free(&bytes);
    free(nothing.data);
    return d;
}

/* ---- text ------------------------------------------------------------------------------------------- */

/* Applies one operation of text. */
static mst_status apply_text(mst_document *d, const char *text, const mst_edit_options *options,
                             mst_diagnostic *why) {
    mst_operations *all = NULL;
    size_t count;
    mst_status status = mst_operations_read(&all, text, strlen(text), 0, NULL, why);
    const mst_operation *items = mst_operations_all(all, &count);
    if (status == MST_OK)
        status = mst_edit(d, items, count, options, why);
    mst_operations_free(all);
    return status;
}

typedef struct reading {
    const char *text;
    mst_operation made; /* path NULL: the text is not an operation */
} reading;

static const reading readings[] = {
    {"a.b = 5", {.path = "a.b", .value = "5"}},
    {"a.b=  5 ", {.path = "a.b", .value = "  5 "}},
    {"set a[x=1 & y=\"]=\"].b  =  [1, 2]", {.path = "a[x=1 & y=\"]=\"].b", .value = "[1, 2]"}},
    {"set = 5", {.path = "set", .value = "5"}},
    {"remove=5", {.path = "remove", .value = "5"}},
    {"a += 1", {.path = "a", .value = "1", .assignment = MST_ASSIGN_PLUS}},
    {"a-=b", {.path = "a", .value = "b", .assignment = MST_ASSIGN_MINUS}},
    {"a *= 2", {.path = "a", .value = "2", .assignment = MST_ASSIGN_TIMES}},
    {"a[x/y] /= 2", {.path = "a[x/y]", .value = "2", .assignment = MST_ASSIGN_OVER}},
    {"a / = 2", {.path = NULL}},
    {"a %= 2", {.path = NULL}},
    {"a[b := c] :=b + \"=\"",
     {.path = "a[b := c]", .value = "b + \"=\"", .assignment = MST_ASSIGN_EXPRESSION}},
    {"a :=  b ", {.path = "a", .value = "b ", .assignment = MST_ASSIGN_EXPRESSION}},
    {"set := 5", {.path = "set", .value = "5", .assignment = MST_ASSIGN_EXPRESSION}},
    {"a : = 5", {.path = NULL}},
    {"insert a[0] := 5", {.path = NULL}},
    {"{\"op\":\"set\",\"path\":\"a\",\"new\":\"b + \\\"c\\\"\",\"by\":\":=\"}",
     {.path = "a", .value = "b + \"c\"", .assignment = MST_ASSIGN_EXPRESSION}},
    {"{\"op\":\"set\",\"path\":\"a\",\"new\":5,\"by\":\":=\"}",
     {.path = "a", .value = "5", .assignment = MST_ASSIGN_EXPRESSION}},
    {"a ?= 2", {.path = "a", .value = "2", .assignment = MST_ASSIGN_OR_ADD}},
    {"a s/x=y/z/g", {.path = "a", .value = "s/x=y/z/g", .assignment = MST_ASSIGN_SUBSTITUTE}},
    {"insert a[0] = {\"b\":1}", {.kind = MST_OPERATION_INSERT, .path = "a[0]", .value = "{\"b\":1}"}},
    {"remove a[to 3]", {.kind = MST_OPERATION_REMOVE, .path = "a[to 3]"}},
    {"duplicate a[1]", {.kind = MST_OPERATION_DUPLICATE, .path = "a[1]"}},
    {"duplicate a[1] to 3", {.kind = MST_OPERATION_DUPLICATE, .path = "a[1]", .value = "3"}},
    {"move a[1] to -1", {.kind = MST_OPERATION_MOVE, .path = "a[1]", .value = "-1"}},
    {"move a[1]", {.path = NULL}},
    {"move a[x by y] by 0, 2,0", {.kind = MST_OPERATION_MOVE_BY, .path = "a[x by y]", .value = "0, 2,0"}},
    {"move a by [0, 2, 0]", {.kind = MST_OPERATION_MOVE_BY, .path = "a", .value = "[0, 2, 0]"}},
    {"move a by 1 to 2", {.kind = MST_OPERATION_MOVE, .path = "a by 1", .value = "2"}},
    {"move a by", {.path = NULL}},
    {"rotate a[0] by 90deg", {.kind = MST_OPERATION_ROTATE, .path = "a[0]", .value = "90deg"}},
    {"rotate a[b about c] by 2 about 1,2,3",
     {.kind = MST_OPERATION_ROTATE, .path = "a[b about c]", .value = "2", .about = "1,2,3"}},
    {"scale a by 1,2,1", {.kind = MST_OPERATION_SCALE, .path = "a", .value = "1,2,1"}},
    {"scale = 2", {.path = "scale", .value = "2"}},
    {"scale a about 1,2,3", {.path = NULL}},
    {"rotate a", {.path = NULL}},
    {"a", {.path = NULL}},
    {"= 5", {.path = NULL}},
    {"insert a[0] += 5", {.path = NULL}},
    {"", {.path = NULL}},
    {"{\"op\":\"set\",\"path\":\"a\",\"new\":[1, {\"b\":null, "
     "\"c\":\"q\\\"\\n\"}],\"old\":true,\"by\":\"+=\"}",
     {.path = "a",
      .value = "[1,{\"b\":null,\"c\":\"q\\\"\\u000a\"}]",
      .old = "true",
      .assignment = MST_ASSIGN_PLUS}},
    {"{\"op\":\"set\",\"path\":\"a\",\"new\":\"s/a/b/\",\"by\":\"s\"}",
     {.path = "a", .value = "s/a/b/", .assignment = MST_ASSIGN_SUBSTITUTE}},
    {"{\"op\":\"remove\",\"at\":{\"list\":\"a\",\"index\":3},\"note\":\"why\"}",
     {.kind = MST_OPERATION_REMOVE, .path = "", .at = "{\"list\":\"a\",\"index\":3}"}},
    {"{\"op\":\"move\",\"path\":\"a[0]\",\"to\":2}",
     {.kind = MST_OPERATION_MOVE, .path = "a[0]", .value = "2"}},
    {"{\"op\":\"move\",\"path\":\"a\",\"by\":[0,2,0]}",
     {.kind = MST_OPERATION_MOVE_BY, .path = "a", .value = "[0,2,0]"}},
    {"{\"by\":\"90deg\",\"about\":\"1,2\",\"op\":\"rotate\",\"path\":\"a\"}",
     {.kind = MST_OPERATION_ROTATE, .path = "a", .value = "90deg", .about = "1,2"}},
    {"{\"op\":\"scale\",\"path\":\"a\",\"by\":2,\"about\":[1,2]}",
     {.kind = MST_OPERATION_SCALE, .path = "a", .value = "2", .about = "[1,2]"}},
    {"{\"op\":\"remove\",\"path\":\"a\",\"by\":2}", {.path = NULL}},
    {"{\"op\":\"rotate\",\"path\":\"a\",\"by\":{}}", {.path = NULL}},
    {"{\"op\":\"go\",\"path\":\"a\"}", {.path = NULL}},
    {"{\"op\":\"set\",\"path\":\"a\",\"by\":\"%=\"}", {.path = NULL}},
    {"{\"op\":\"set\",\"path\":5}", {.path = NULL}},
    {"{\"op\":\"set\",\"at\":5}", {.path = NULL}},
    {"{\"op\":\"set\",\"what\":5}", {.path = NULL}},
    {"{\"op\":\"set\"}", {.path = NULL}},
    {"{\"path\":\"a\"}", {.path = NULL}},
    {"{\"path\":", {.path = NULL}},
};

static void same_text(const char *found, const char *expected) {
    if (expected)
        assert_string_equal(found, expected);
    else
        assert_null(found);
}

static void texts_are_operations(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof readings / sizeof *readings; i++) {
        const mst_operation *made = &readings[i].made;
        mst_operations *all = NULL;
        mst_diagnostic why;
        size_t count;
        mst_status status =
            mst_operations_read(&all, readings[i].text, strlen(readings[i].text), 0, NULL, &why);
        if (status != (made->path ? MST_OK : MST_ARGUMENT))
            print_error("%s\n", readings[i].text);
        assert_int_equal(status, made->path ? MST_OK : MST_ARGUMENT);
        const mst_operation *items = mst_operations_all(all, &count);
        assert_int_equal(count, made->path != NULL);
        if (count) {
            assert_int_equal(items->kind, made->kind);
            assert_int_equal(items->assignment, made->assignment);
            assert_string_equal(items->path, made->path);
            same_text(items->value, made->value);
            same_text(items->at, made->at);
            same_text(items->old, made->old);
            same_text(items->about, made->about);
        }
        mst_operations_free(all);
    }
}

static void scripts_have_lines(void **state) {
    (void)state;
    static const char script[] = "# what to do\n\n  a = 5\r\n\tremove b[0]\nmove c[1]\n";
    mst_operations *all = NULL;
    mst_diagnostic why;
    size_t count;
    assert_int_equal(mst_operations_read(&all, script, sizeof script - 1, 1, NULL, &why), MST_ARGUMENT);
    assert_string_equal(why.path, "line 5");
    const mst_operation *items = mst_operations_all(all, &count);
    assert_int_equal(count, 2);
    assert_string_equal(items[0].value, "5");
    assert_string_equal(items[1].path, "b[0]");
    MUST(mst_operations_read(&all, "", 0, 1, NULL, &why), &why);
    mst_operations_free(all);
    mst_operations_free(NULL);
    assert_null(mst_operations_all(NULL, &count));
    assert_int_equal(count, 0);
}

/* ---- values ----------------------------------------------------------------------------------------- */

typedef struct assigning {
    const char *text, *path, *now; /* `now` NULL: refused, */
    mst_status status;             /* with this */
} assigning;

static const assigning assignments[] = {
    {"things[0].small += 5", "things[0].small", "2", 0},
    {"things[0].small -= -5", "things[0].small", "2", 0},
    {"things[0].small -= 125", "things[0].small", "-128", 0},
    {"things[0].small -= 126", NULL, NULL, MST_ARGUMENT},
    {"things[0].small *= -2", "things[0].small", "6", 0},
    {"things[0].small *= 0.5", "things[0].small", "-1", 0}, /* -1.5 to the nearest */
    {"things[0].small *= 0", "things[0].small", "0", 0},
    {"things[0].small /= 2", "things[0].small", "-1", 0}, /* -1.5 to the nearest */
    {"things[0].small /= -3", "things[0].small", "1", 0},
    {"things[0].small /= 0", NULL, NULL, MST_ARGUMENT},
    {"things[0].place[2] /= 2", "things[0].place[2]", "-1", 0},
    {"things[0].place /= 0", NULL, NULL, MST_ARGUMENT},
    {"things[1].large /= 3", "things[1].large", "\"0x5555555555555555\"", 0},
    {"things[0].flags /= 2", NULL, NULL, MST_ARGUMENT},
    {"things[0].name /= 2", NULL, NULL, MST_ARGUMENT},
    {"things[0].small -= -3", "things[0].small", "0", 0},
    {"things[1].large -= 1", "things[1].large", "\"0xfffffffffffffffe\"", 0},
    {"things[1].large += 1", NULL, NULL, MST_ARGUMENT},
    {"things[1].large *= 2", NULL, NULL, MST_ARGUMENT},
    {"things[0].large -= 6", NULL, NULL, MST_ARGUMENT},
    {"things[0].place += 2", "things[0].place", "[10.08,3,0]", 0},
    {"things[0].place += [0, 2, 0]", "things[0].place", "[8.08,3,-2]", 0},
    {"things[0].place[2] *= 1.5", "things[0].place[2]", "-3", 0},
    {"things[0].place += [1, 2]", NULL, NULL, MST_ARGUMENT},
    {"things[0].place += up", NULL, NULL, MST_ARGUMENT},
    {"things[0].place += true", NULL, NULL, MST_ARGUMENT},
    {"things[0].place *= 1e300", NULL, NULL, MST_ARGUMENT},
    {"things[0].flags += roof,porch", "things[0].flags", "[\"door\",\"roof\",\"porch\"]", 0},
    {"things[0].flags += [\"roof\",\"porch\"]", "things[0].flags", "[\"door\",\"roof\",\"porch\"]", 0},
    {"things[0].flags -= door", "things[0].flags", "[]", 0},
    {"things[0].flags -= \"door\"", "things[0].flags", "[]", 0},
    {"things[0].flags *= 2", NULL, NULL, MST_ARGUMENT},
    {"things[0].flags += lamp", NULL, NULL, MST_ARGUMENT},
    {"things[0].sure += 1", NULL, NULL, MST_ARGUMENT},
    {"things[0].name += m", "things[0].name", "\"Adam\"", 0},
    {"things[0].name += \" 5\"", "things[0].name", "\"Ada 5\"", 0},
    {"things[2].name s/b/c/", "things[2].name", "\"a \\\"c\\\" b\"", 0},
    {"things[2].name s/b/c/g", "things[2].name", "\"a \\\"c\\\" c\"", 0},
    {"things[2].name s/q/c/", "things[2].name", "\"a \\\"b\\\" b\"", 0},
    {"things[2].name s|\"||g", "things[2].name", "\"a b b\"", 0},
    {"things[2].name s/b/c/i", NULL, NULL, MST_ARGUMENT},
    {"things[2].name s//c/", NULL, NULL, MST_ARGUMENT},
    {"things[2].name -= b", NULL, NULL, MST_ARGUMENT},
    {"things[2].small s/0/1/", NULL, NULL, MST_ARGUMENT},
    {"things[2] += 1", NULL, NULL, MST_ARGUMENT},
    {"things[2].weight += 1", NULL, NULL, MST_NO_PATH},
    {"things[1].pairs.size ?= 3", "things[1].pairs", "[{\"name\":\"size\",\"value\":3}]", 0},
    {"things[0].pairs.size ?= 3", "things[0].pairs", "[{\"name\":\"size\",\"value\":3}]", 0},
    {"things[0].pairs.width ?= 3", NULL, NULL, MST_NO_PATH},
    {"things[0].weight ?= 3", NULL, NULL, MST_NO_PATH},
};

static void values_from_old_ones(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof assignments / sizeof *assignments; i++) {
        const assigning *a = &assignments[i];
        mst_diagnostic why;
        mst_document *d = begin();
        mst_status status = apply_text(d, a->text, NULL, &why);
        if (status != a->status)
            print_error("%s: %s\n", a->text, status == MST_OK ? "done" : why.message);
        assert_int_equal(status, a->status);
        if (a->now) {
            mst_value value;
            MUST(mst_find(mst_root(d), a->path, &value, &why), &why);
            char *now = json_of(&value, 1);
            assert_string_equal(now, a->now);
            free(now);
        } else {
            assert_reads_as(d, WHOLE);
        }
        mst_close(d);
    }
}

/* ---- several elements ------------------------------------------------------------------------------- */

static void what_elements_lack(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d = begin();
    mst_edit_options each = {.size = sizeof each, .each = 1};
    assert_int_equal(apply_text(d, "things[*].pairs.size = 4", NULL, &why), MST_NO_PATH);
    assert_string_equal(why.message, "2 elements lack it");
    assert_string_equal(why.path, "things[*].pairs.size");
    MUST(apply_text(d, "things[*].pairs.size = 4", &each, &why), &why);
    assert_int_equal(number_at(d, "things[1].pairs.size"), 4);
    assert_int_equal(count_at(d, "things[0].pairs"), 0);
    assert_int_equal(apply_text(d, "things[*].pairs.size ?= 5", NULL, &why), MST_ARGUMENT);
    MUST(apply_text(d, "things[*].pairs.size ?= 5", &each, &why), &why);
    for (int i = 0; i < 3; i++) {
        char path[40];
        snprintf(path, sizeof path, "things[%d].pairs.size", i);
        assert_int_equal(number_at(d, path), 5);
    }
    MUST(apply_text(d, "things[0:2].place[0:2] *= 0", &each, &why), &why);
    assert_int_equal(apply_text(d, "things[name=Eve].small = 1", &each, &why), MST_NO_PATH);
    mst_close(d);
}

/* ---- copies and moves ------------------------------------------------------------------------------- */

static void copies_take_their_rows(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d = begin();
    MUST(apply_text(d, "duplicate things[0]", NULL, &why), &why);
    assert_reads_as(d, "{\"$format\":\"test\",\"things\":[" ADA("") "," ADA("") "," BOB "," CAT "]" REST(
                           "\"x\",\"x\",\"y\",\"z\"", "2"));
    MUST(apply_text(d, "remove things[1]", NULL, &why), &why);
    assert_reads_as(d, WHOLE);
    MUST(apply_text(d, "duplicate things[2] to 0", NULL, &why), &why);
    assert_reads_as(d, "{\"$format\":\"test\",\"things\":[" CAT
                       "," ADA("") "," BOB "," CAT "]" REST("\"z\",\"x\",\"y\",\"z\"", "2"));
    MUST(apply_text(d, "remove things[0]", NULL, &why), &why);
    MUST(apply_text(d, "duplicate layers[0] to 2", NULL, &why), &why); /* with an id of its own */
    assert_int_equal(number_at(d, "layers[2].id"), 8);
    assert_int_equal(apply_text(d, "duplicate words[0]", NULL, &why), MST_REFUSED);
    assert_int_equal(apply_text(d, "duplicate things", NULL, &why), MST_ARGUMENT);
    assert_int_equal(apply_text(d, "duplicate things[0] to 5", NULL, &why), MST_NO_PATH);
    mst_close(d);
}

/* Copies in one edit have ids of their own like copies in separate edits. */
static void copies_together_have_their_ids(void **state) {
    (void)state;
    mst_operation operations[] = {
        {.kind = MST_OPERATION_DUPLICATE, .path = "layers[0]"},
        {.kind = MST_OPERATION_DUPLICATE, .path = "layers[1]"},
        {.kind = MST_OPERATION_DUPLICATE, .path = "layers[3]", .value = "0"},
        {.kind = MST_OPERATION_INSERT, .path = "layers[0]", .value = "{\"id\":4}"},
        {.kind = MST_OPERATION_DUPLICATE, .path = "layers[0]"}, /* two have 4: the original keeps it */
        {.kind = MST_OPERATION_DUPLICATE, .path = "layers[3]"},
        {.kind = MST_OPERATION_INSERT, .path = "layers[0]", .value = "{\"id\":252}"},
        {.kind = MST_OPERATION_DUPLICATE, .path = "layers[0]"},
        {.kind = MST_OPERATION_DUPLICATE, .path = "layers[1]"},
        {.kind = MST_OPERATION_INSERT, .path = "layers[0]", .value = "{\"id\":255}"}, /* none */
        {.kind = MST_OPERATION_DUPLICATE, .path = "layers[0]"},
    };
    const uint64_t ids[] = {255, 255, 252, 253, 254, 4, 4, 10, 4, 4, 8, 9, 7};
    for (int apart = 0; apart < 2; apart++) {
        mst_diagnostic why;
        mst_document *d = begin();
        size_t count = sizeof operations / sizeof *operations;
        for (size_t i = 0; i < (apart ? count : 1); i++)
            MUST(mst_edit(d, operations + i, apart ? 1 : count, NULL, &why), &why);
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
            char path[40];
            snprintf(path, sizeof path, "layers[%zu].id", i);
            assert_int_equal(number_at(d, path), ids[i]);
        }
        mst_close(d);
    }
}

static void moves_take_their_rows(void **state) {
    (void)state;
    static const char *const there_and_back[][2] = {{"move things[0] to 2", "move things[2] to 0"},
                                                    {"move things[2] to 0", "move things[0] to -1"},
                                                    {"move things[1] to 2", "move things[2] to 1"},
                                                    {"move layers[0] to 1", "move layers[1] to 0"},
                                                    {"move things[1] to 1", "move things[0] to 0"}};
    mst_diagnostic why;
    mst_document *d = begin();
    for (size_t i = 0; i < sizeof there_and_back / sizeof *there_and_back; i++) {
        MUST(apply_text(d, there_and_back[i][0], NULL, &why), &why);
        if (!i)
            assert_reads_as(d, "{\"$format\":\"test\",\"things\":[" BOB "," CAT
                               "," ADA("") "]" REST("\"y\",\"z\",\"x\"", "0"));
        MUST(apply_text(d, there_and_back[i][1], NULL, &why), &why);
        assert_reads_as(d, WHOLE);
    }
    assert_int_equal(apply_text(d, "move words[0] to 1", NULL, &why), MST_REFUSED);
    assert_int_equal(apply_text(d, "move things[0] to 3", NULL, &why), MST_NO_PATH);
    assert_int_equal(apply_text(d, "move things[0] to -4", NULL, &why), MST_NO_PATH);
    assert_int_equal(apply_text(d, "move best to 0", NULL, &why), MST_ARGUMENT);
    mst_operation odd = {.kind = MST_OPERATION_MOVE, .path = "things[0]", .value = "up"};
    assert_int_equal(mst_edit(d, &odd, 1, NULL, &why), MST_ARGUMENT);
    mst_close(d);
}

/* ---- expected values -------------------------------------------------------------------------------- */

typedef struct meeting {
    const char *text;
    mst_status status;
} meeting;

static const meeting meetings[] = {
    {"{\"op\":\"set\",\"path\":\"best\",\"old\":1,\"new\":2}", MST_OK},
    {"{\"op\":\"set\",\"path\":\"best\",\"old\":2,\"new\":0}", MST_REFUSED},
    {"{\"op\":\"set\",\"path\":\"things[0].place\",\"old\":[8.08,1,-2],\"new\":[0,0,0]}", MST_OK},
    {"{\"op\":\"set\",\"path\":\"things[0].place\",\"old\":[8.09,1,-2],\"new\":[0,0,0]}", MST_REFUSED},
    {"{\"op\":\"remove\",\"path\":\"things[0]\",\"old\":" BOB "}", MST_REFUSED},
    {"{\"op\":\"remove\",\"path\":\"things[0]\",\"old\":" ADA("") "}", MST_OK},
    {"{\"op\":\"remove\",\"path\":\"things[0]\",\"old\":7}", MST_ARGUMENT},
    {"{\"op\":\"set\",\"at\":{\"list\":\"things\",\"index\":2,\"name\":\"Ada\"},\"path\":\"small\",\"old\":-"
     "3,"
     "\"new\":1}",
     MST_OK},
    {"{\"op\":\"set\",\"at\":{\"list\":\"things\",\"place\":[1,2,3],\"sure\":false,\"layer\":255},\"path\":"
     "\"small\",\"old\":0,\"new\":1}",
     MST_OK},
    {"{\"op\":\"set\",\"at\":{\"list\":\"things\",\"sure\":false,\"index\":1},\"path\":\"small\",\"old\":100,"
     "\"new\":1}",
     MST_OK},
    {"{\"op\":\"remove\",\"at\":{\"list\":\"things\",\"pairs.size\":2},\"path\":\"pairs[0]\"}", MST_OK},
    {"{\"op\":\"remove\",\"at\":{\"list\":\"things\",\"name\":\"Ada\"}}", MST_OK},
    {"{\"op\":\"set\",\"at\":{\"list\":\"things\",\"sure\":false},\"path\":\"small\",\"new\":1}",
     MST_NO_PATH},
    {"{\"op\":\"set\",\"at\":{\"list\":\"things\",\"name\":\"Eve\"},\"path\":\"small\",\"new\":1}",
     MST_NO_PATH},
    {"{\"op\":\"set\",\"at\":{\"list\":\"things\",\"place\":[1,2]},\"path\":\"small\",\"new\":1}",
     MST_NO_PATH},
    {"{\"op\":\"set\",\"at\":{\"list\":\"things\",\"place\":[1,2,[3]]},\"path\":\"small\",\"new\":1}",
     MST_NO_PATH},
    {"{\"op\":\"set\",\"at\":{\"list\":\"things\",\"place\":{}},\"path\":\"small\",\"new\":1}", MST_NO_PATH},
    {"{\"op\":\"set\",\"at\":{\"list\":\"people\"},\"path\":\"small\",\"new\":1}", MST_NO_PATH},
    {"{\"op\":\"set\",\"at\":{\"name\":\"Ada\"},\"path\":\"small\",\"new\":1}", MST_ARGUMENT},
};

static void what_is_expected(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof meetings / sizeof *meetings; i++) {
        mst_diagnostic why;
        mst_document *d = begin();
        mst_edit_options cascade = {.size = sizeof cascade, .cascade = 1};
        mst_status status = apply_text(d, meetings[i].text, &cascade, &why);
        if (status != meetings[i].status)
            print_error("%s: %s\n", meetings[i].text, status == MST_OK ? "done" : why.message);
        assert_int_equal(status, meetings[i].status);
        mst_close(d);
    }
}

/* ---- reported changes ------------------------------------------------------------------------------- */

static mst_status note_change(void *user, const mst_edit_change *change) {
    char *to = user;
    snprintf(to + strlen(to), 400 - strlen(to), "%d %s %.12s %.12s;", (int)change->kind, change->path,
             change->old ? change->old : "-", change->now ? change->now : "-");
    return strlen(to) > 350 ? MST_STOPPED : MST_OK;
}

static void changes_are_heard(void **state) {
    (void)state;
    mst_diagnostic why;
    char heard[400] = "";
    mst_document *d = begin();
    mst_edit_options options = {.size = sizeof options, .each = 1, .user = heard, .change = note_change};
    mst_operation operations[] = {
        {.path = "things[0].small", .value = "4"},
        {.path = "things[0].small", .value = "4"},
        {.path = "things[0].pairs.size", .value = "1", .assignment = MST_ASSIGN_OR_ADD},
        {.kind = MST_OPERATION_MOVE, .path = "things[0]", .value = "-1"},
        {.kind = MST_OPERATION_DUPLICATE, .path = "layers[-1]"},
        {.kind = MST_OPERATION_INSERT, .path = "layers[-1]", .value = "{\"id\":9}"},
        {.kind = MST_OPERATION_REMOVE, .path = "layers[2]"}};
    MUST(mst_edit(d, operations, 7, &options, &why), &why);
    assert_string_equal(heard, "0 things[0].small -3 4;0 things[0].pairs.size - 1;3 things[0] 0 2;"
                               "1 layers[2] - {\"id\":8};1 layers[2] - {\"id\":9};2 layers[2] {\"id\":9} -;");
    while (strlen(heard) < 350)
        strcat(heard, ".");
    mst_operation same = {.path = "things[2].small", .value = "4"};
    MUST(mst_edit(d, &same, 1, &options, &why), &why); /* nothing changes */
    assert_int_equal(mst_edit(d, operations + 6, 1, &options, &why), MST_STOPPED);
    mst_close(d);
}

/* ---- transactions ----------------------------------------------------------------------------------- */

static void step_by_step(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_transaction *t;
    mst_document *d = begin();
    mst_operation more = {.path = "best", .value = "1", .assignment = MST_ASSIGN_PLUS},
                  none = {.path = "worst", .value = "1"};
    MUST(mst_edit_begin(d, NULL, &t, &why), &why);
    MUST(mst_edit_apply(t, &more, &why), &why);
    assert_int_equal(number_at(mst_edit_document(t), "best"), 2);
    assert_int_equal(number_at(d, "best"), 1);
    mst_edit_abort(t);
    assert_false(mst_is_edited(d));
    MUST(mst_edit_begin(d, NULL, &t, &why), &why);
    MUST(mst_edit_apply(t, &more, &why), &why);
    MUST(mst_edit_commit(t, &why), &why);
    assert_int_equal(number_at(d, "best"), 2);
    assert_true(mst_is_edited(d));
    MUST(mst_edit_begin(d, NULL, &t, &why), &why);
    assert_int_equal(mst_edit_apply(t, &none, &why), MST_NO_PATH);
    assert_int_equal(mst_edit_apply(t, &more, &why), MST_REFUSED);
    assert_int_equal(mst_edit_commit(t, &why), MST_REFUSED);
    assert_int_equal(number_at(d, "best"), 2);
    mst_close(d);
}

/* ---- memory ----------------------------------------------------------------------------------------- */

static mst_status count_change(void *user, const mst_edit_change *change) {
    ++*(size_t *)user;
    return change->path ? MST_OK : MST_STOPPED;
}

static void every_allocation_fails(void **state) {
    (void)state;
    static const char script[] =
        "things[0].place += [1,2,3]\nthings[0].flags += roof\nthings[0].name s/A/B/\n"
        "duplicate things[0]\nmove things[0] to 2\nthings[*].pairs.size ?= 3\n"
        "{\"op\":\"set\",\"at\":{\"list\":\"things\",\"name\":\"Bob\"},\"path\":"
        "\"small\",\"new\":1,\"old\":100}\nremove layers[0]\n"
        "things[*].name := name + index\nthings[*].place[0] := place[0] * 2\n";
    mst_document *like = begin();
    size_t size;
    const void *bytes = mst_document_bytes(like, &size);
    size_t failures = 0;
    for (size_t turn = 0;; turn++) {
        counted c = {.for_good = turn % 2 == 1};
        mst_open_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        mst_buffer copy = {.allocator = options.allocator};
        size_t heard = 0;
        mst_document *d;
        mst_diagnostic why;
        MUST(mst_buffer_sink(&copy).write(&copy, bytes, size), NULL);
        MUST(mst_document_adopt(&format, NULL, &copy, &options, &d, &why), &why);
        mst_edit_options how = {
            .size = sizeof how, .each = 1, .cascade = 1, .change = count_change, .user = &heard};
        mst_operations *all = NULL;
        size_t count;
        c.calls = 0;
        c.fail_at = turn / 2 + 1;
        mst_status status = mst_operations_read(&all, script, sizeof script - 1, 1, &options.allocator, &why);
        const mst_operation *items = mst_operations_all(all, &count);
        if (status == MST_OK)
            status = mst_edit(d, items, count, &how, &why);
        bool done = !c.failed;
        if (status != MST_OK) {
            assert_int_equal(status, MST_NO_MEMORY);
            assert_true(why.message[0] != 0);
            failures++;
            c.fail_at = 0;
            assert_same_bytes(d, bytes, size);
        }
        c.fail_at = 0;
        mst_operations_free(all);
        mst_close(d);
        assert_int_equal(c.blocks, 0);
        if (done)
            break;
    }
    assert_true(failures > 20);
    mst_close(like);
}

int test_operations(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_operations),   cmocka_unit_test(scripts_have_lines),
        cmocka_unit_test(values_from_old_ones),   cmocka_unit_test(what_elements_lack),
        cmocka_unit_test(copies_take_their_rows), cmocka_unit_test(copies_together_have_their_ids),
        cmocka_unit_test(moves_take_their_rows),  cmocka_unit_test(what_is_expected),
        cmocka_unit_test(changes_are_heard),      cmocka_unit_test(step_by_step),
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
