/* SPDX-License-Identifier: MIT */
/* Consequences of inserting or removing an element, for each fact that tables can state. */
#include "own_format.h"
#include <mapstone/edit.h>

#define RECORDS(X) X(file) X(item) X(tag) X(row) X(group) X(point) X(line) X(step) X(part) X(owner) X(node)
enum { RECORDS(RECORD_INDEX) };
#define LIST_OF(r) .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8, .record = &(r)
#define BYTE(label, ...)                                                                                     \
    { .name = (label), U8, REFERS(__VA_ARGS__) }

static const mst_field item_fields[] = {{.name = "id", U8}};
RECORD(item, "item", "what others refer to");
static const mst_field tag_fields[] = {PREFIXED("text", CHAR8, U8)};
RECORD(tag, "tag", "a text about an item", .is_inline = true);

static const mst_field row_fields[] = {
    BYTE("index", {.target = "items", NO(255)}),
    BYTE("must", {.target = "items", .then = "more", NO(254), .none_from = 1}),
    BYTE("id", {.by = MST_BY_ID, .target = "items", .key = "id", NO(0)}),
    BYTE("part", {.target = "items", NO(255), .member = true}),
    BYTE("low", {.target = "items", .mask = 0x0F}),
    BYTE("end", {.target = "items", .end_is_none = true}),
    {.name = "ids", U8, FIXED(2), REFERS({.by = MST_BY_BIT, .target = "items", .key = "id", .member = true})},
    {.name = "places", U8, FIXED(2), REFERS({.by = MST_BY_BIT, .target = "items", .apart = true})},
};
RECORD(row, "row", "numbers that refer to items");
static const mst_field group_fields[] = {{.name = "members",
                                          U8,
                                          .mode = MST_COUNT_PREFIX,
                                          .prefix = MST_KIND_U8,
                                          REFERS({.target = "items", .member = true})},
                                         PREFIXED("name", CHAR8, U8)};
RECORD(group, "group", "items that belong together");

static const mst_field point_fields[] = {{.name = "x", U8}};
RECORD(point, "point", "an end of lines");
static const mst_field line_fields[] = {{.name = "ends", U8, FIXED(2), REFERS({.target = "points"})}};
RECORD(line, "line", "two points");

static bool is_empty(const uint8_t *bytes) {
    return bytes[0] == 255 && bytes[1] == 255;
}
static const uint8_t empty[] = {255, 255};
static const mst_field step_fields[] = {
    BYTE("next", {.target = "steps", NO(255), .heir = "next"}),
    BYTE("what", {.target = "items"}),
};
RECORD(step, "step", "one of a fixed number of steps", .vacant = is_empty, .empty = empty);

static bool ends_run(const uint8_t *bytes, bool big) {
    (void)big;
    return bytes[0] != 0;
}
static uint64_t first_left(const mst_value *targets, const uint8_t *gone, const mst_value *list,
                           uint64_t element) {
    (void)list, (void)element;
    for (uint64_t i = 0; i < mst_count(targets); i++)
        if (!gone[i])
            return i;
    return UINT64_MAX;
}
static const mst_field part_fields[] = {{.name = "last", U8}};
RECORD(part, "part", "a part of a run");
static const mst_field owner_fields[] = {
    BYTE("first", {.target = "parts", NO(255), .run = true, .ends_run = ends_run}),
    BYTE("near", {.target = "points", NO(255), .instead = first_left}),
};
RECORD(owner, "owner", "has a run of parts");

static const mst_field node_fields[] = {
    {.name = "links", U8, FIXED(2), REFERS({.target = "nodes", NO(255)})}};
RECORD(node, "node", "is joined to others");

static const mst_refers of_items = {.target = "items"};
static const mst_field file_fields[] = {
    {.name = "items", LIST_OF(item)},
    {.name = "more", LIST_OF(item), .flags = MST_FIELD_APPEND},
    {.name = "tags", LIST_OF(tag), .parallel = &of_items},
    {.name = "rows", LIST_OF(row)},
    {.name = "groups", LIST_OF(group)},
    {.name = "points", LIST_OF(point), .flags = MST_FIELD_OWNED},
    {.name = "lines", LIST_OF(line)},
    BYTE("head", {.target = "steps", NO(255), .heir = "next"}),
    {.name = "steps", LIST_OF(step), .flags = MST_FIELD_SLOTS},
    {.name = "parts", LIST_OF(part)},
    {.name = "owners", LIST_OF(owner)},
    {.name = "nodes", LIST_OF(node)},
    {.name = "known", LIST_OF(item), .flags = MST_FIELD_NUMBERED},
};
RECORD(file, "file", "a file");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static const char *voids(const mst_value *list) {
    (void)list;
    return NULL;
}
static const mst_format format = {FORMAT(file, records), .editing = &(const mst_edit_hooks){.voids = voids}};

/* ---- cases ------------------------------------------------------------------------------------------ */

/* Members that are not given are empty lists, or the head of no step. */
static void whole(char *text, size_t capacity, const char *members) {
    static const char *const names[] = {"items", "more",  "tags",  "rows",   "groups", "points", "lines",
                                        "head",  "steps", "parts", "owners", "nodes",  "known"};
    size_t length = (size_t)snprintf(text, capacity, "{\"$format\":\"test\"");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char key[16];
        snprintf(key, sizeof key, "\"%s\":", names[i]);
        const char *at = strstr(members, key);
        const char *end = at ? at + strcspn(at, ";") : NULL;
        length += (size_t)(at ? snprintf(text + length, capacity - length, "%s%.*s", ",", (int)(end - at), at)
                              : snprintf(text + length, capacity - length, "%s%s%s", ",", key,
                                         strcmp(names[i], "head") ? "[]" : "255"));
    }
    snprintf(text + length, capacity - length, "}");
}

static mst_document *document_of(const char *members) {
    char text[2000];
    writer nothing = {0};
    mst_buffer bytes = {0};
    mst_document *d;
    mst_diagnostic why;
    for (int i = 0; i < 13; i++)
        put_u8(&nothing, 0);
    mst_document *none = open_own(&format, &nothing);
    whole(text, sizeof text, members);
    MUST(encode_as(none, text, &bytes, &why), &why);
    MUST(open_in(&format, false, bytes.data, bytes.size, &d, &why), &why);
    mst_close(none);
    mst_buffer_free(&bytes);
    free(nothing.data);
    return d;
}

typedef struct told {
    size_t lines;
    char first[700];
} told;

static mst_status hear(void *user, const mst_diagnostic *what) {
    told *t = user;
    if (!t->lines++)
        snprintf(t->first, sizeof t->first, "%s: %s", what->path, what->message);
    return MST_OK;
}

#define RESTS "\"items\":[{\"id\":7},{\"id\":8},{\"id\":9}];"
#define ROW(index, must, id, part, low, end, ids, places)                                                    \
    "\"rows\":[{\"index\":" #index ",\"must\":" #must ",\"id\":" #id ",\"part\":" #part ",\"low\":" #low     \
    ",\"end\":" #end ",\"ids\":" ids ",\"places\":" places "}]"

static const struct {
    const char *what, *before;
    mst_operation operation;
    int cascade, keep_loose;
    const char *after; /* NULL: refused */
    const char *said;  /* the first line of the report, or the reason of the refusal */
} cases[] = {
    {"numbers after a removed element are one less",
     "\"items\":[{\"id\":7},{\"id\":8},{\"id\":9}];\"more\":[{\"id\":1}];"
     "\"tags\":[\"a\",\"b\",\"c\"];" ROW(2, 3, 9, 255, 242, 3, "[0,2]", "[5,4]"),
     {.kind = MST_OPERATION_REMOVE, .path = "items[1]"},
     0,
     0,
     "\"items\":[{\"id\":7},{\"id\":9}];\"more\":[{\"id\":1}];"
     "\"tags\":[\"a\",\"c\"];" ROW(1, 2, 9, 255, 241, 2, "[0,2]", "[3,2]"),
     NULL},
    {"numbers after an inserted element are one more",
     "\"items\":[{\"id\":7},{\"id\":9}];\"more\":[{\"id\":1}];"
     "\"tags\":[\"a\",\"c\"];" ROW(1, 2, 9, 255, 241, 2, "[0,2]", "[3,2]"),
     {.kind = MST_OPERATION_INSERT, .path = "items[1]", .value = "{\"id\":8}"},
     0,
     0,
     "\"items\":[{\"id\":7},{\"id\":8},{\"id\":9}];\"more\":[{\"id\":1}];"
     "\"tags\":[\"a\",\"\",\"c\"];" ROW(2, 3, 9, 255, 242, 3, "[0,2]", "[5,4]"),
     NULL},
    {"numbers in the new element follow, too",
     "\"steps\":[];\"items\":[{\"id\":7},{\"id\":8}];\"tags\":[\"a\",\"b\"];\"nodes\":[{\"links\":[0,1]},{"
     "\"links\":[1,255]}]",
     {.kind = MST_OPERATION_INSERT, .path = "nodes[1]", .value = "{\"links\":[1,0]}"},
     0,
     0,
     "\"steps\":[];\"items\":[{\"id\":7},{\"id\":8}];\"tags\":[\"a\",\"b\"];\"nodes\":[{\"links\":[0,2]},{"
     "\"links\":[2,0]},{\"links\":[2,255]}]",
     NULL},
    {"what must refer to something refuses",
     "\"items\":[{\"id\":7},{\"id\":8}];\"tags\":[\"a\",\"b\"];" ROW(255, 0, 0, 255, 1, 2, "[0,0]", "[0,0]"),
     {.kind = MST_OPERATION_REMOVE, .path = "items[0]"},
     0,
     0,
     NULL,
     "rows[0].must: refers to an element that would be removed"},
    {"what can refer to nothing refuses, too",
     "\"items\":[{\"id\":7},{\"id\":8}];\"tags\":[\"a\",\"b\"];" ROW(0, 1, 0, 255, 1, 2, "[0,0]", "[0,0]"),
     {.kind = MST_OPERATION_REMOVE, .path = "items[0]"},
     0,
     0,
     NULL,
     "rows[0].index: refers to an element that would be removed"},
    {"an id that no other element has refuses",
     "\"items\":[{\"id\":7},{\"id\":8}];\"tags\":[\"a\",\"b\"];" ROW(255, 1, 7, 255, 1, 2, "[0,0]", "[0,0]"),
     {.kind = MST_OPERATION_REMOVE, .path = "items[0]"},
     0,
     0,
     NULL,
     "rows[0].id: refers to an element that would be removed"},
    {"an id that another element has does not",
     "\"items\":[{\"id\":7},{\"id\":7}];\"tags\":[\"a\",\"b\"];" ROW(255, 1, 7, 255, 1, 2, "[0,0]", "[0,0]"),
     {.kind = MST_OPERATION_REMOVE, .path = "items[0]"},
     0,
     0,
     "\"items\":[{\"id\":7}];\"tags\":[\"b\"];" ROW(255, 0, 7, 255, 0, 1, "[0,0]", "[0,0]"),
     NULL},
    {"on request it refers to nothing, and bits and parts are cleared",
     "\"items\":[{\"id\":7},{\"id\":8}];\"tags\":[\"a\",\"b\"];" ROW(1, 0, 8, 1, 0, 1, "[128,1]", "[2,3]"),
     {.kind = MST_OPERATION_REMOVE, .path = "items[1]"},
     1,
     0,
     "\"items\":[{\"id\":7}];\"tags\":[\"a\"];" ROW(255, 0, 0, 255, 0, 1, "[128,0]", "[0,1]"),
     "rows[0].index: no longer refers to anything"},
    {"on request what must refer to it goes",
     "\"items\":[{\"id\":7},{\"id\":8}];\"tags\":[\"a\",\"b\"];" ROW(255, 1, 0, 255, 0, 2, "[0,0]", "[0,0]"),
     {.kind = MST_OPERATION_REMOVE, .path = "items[1]"},
     1,
     0,
     "\"items\":[{\"id\":7}];\"tags\":[\"a\"];",
     "rows[0]: also removed: it refers to a removed element"},
    {"members leave their groups",
     RESTS "\"tags\":[\"\",\"\",\"\"];\"groups\":[{\"members\":[2,1,0],\"name\":\"g\"}]",
     {.kind = MST_OPERATION_REMOVE, .path = "items[1]"},
     0,
     0,
     "\"items\":[{\"id\":7},{\"id\":9}];\"tags\":[\"\",\"\"];\"groups\":[{\"members\":[1,0],\"name\":\"g\"}]",
     "groups[0].members[1]: also removed: it refers to a removed element"},
    {"rows of a parallel list do not come alone",
     RESTS "\"tags\":[\"a\",\"b\",\"c\"]",
     {.kind = MST_OPERATION_INSERT, .path = "tags[1]", .value = "x"},
     0,
     0,
     NULL,
     NULL},
    {"rows of a parallel list do not go alone",
     RESTS "\"tags\":[\"a\",\"b\",\"c\"]",
     {.kind = MST_OPERATION_REMOVE, .path = "tags[1]"},
     1,
     0,
     NULL,
     NULL},
    {"only the last of those that others know by number goes",
     "\"more\":[{\"id\":1},{\"id\":2}]",
     {.kind = MST_OPERATION_REMOVE, .path = "more[0]"},
     1,
     0,
     NULL,
     NULL},
    {"the last goes",
     "\"more\":[{\"id\":1},{\"id\":2}]",
     {.kind = MST_OPERATION_REMOVE, .path = "more[1]"},
     0,
     0,
     "\"more\":[{\"id\":1}]",
     NULL},
    {"a new one comes last",
     "\"more\":[{\"id\":1}]",
     {.kind = MST_OPERATION_INSERT, .path = "more[1]", .value = "{\"id\":2}"},
     0,
     0,
     "\"more\":[{\"id\":1},{\"id\":2}]",
     NULL},
    {"and nowhere else",
     "\"more\":[{\"id\":1}]",
     {.kind = MST_OPERATION_INSERT, .path = "more[0]", .value = "{\"id\":2}"},
     0,
     0,
     NULL,
     NULL},
    {"what other files know by number does not go",
     "\"known\":[{\"id\":1}]",
     {.kind = MST_OPERATION_REMOVE, .path = "known[0]"},
     1,
     0,
     NULL,
     NULL},
    {"nor come",
     "\"known\":[{\"id\":1}]",
     {.kind = MST_OPERATION_INSERT, .path = "known[1]", .value = "{\"id\":1}"},
     1,
     0,
     NULL,
     NULL},
    {"points go with their last line",
     "\"points\":[{\"x\":1},{\"x\":2},{\"x\":3},{\"x\":4}];\"lines\":[{\"ends\":[0,1]},{\"ends\":[1,2]}]",
     {.kind = MST_OPERATION_REMOVE, .path = "lines[0]"},
     0,
     0,
     "\"points\":[{\"x\":2},{\"x\":3},{\"x\":4}];\"lines\":[{\"ends\":[0,1]}]",
     "points[0]: also removed: nothing else refers to it"},
    {"or stay on request",
     "\"points\":[{\"x\":1},{\"x\":2},{\"x\":3}];\"lines\":[{\"ends\":[0,1]},{\"ends\":[1,2]}]",
     {.kind = MST_OPERATION_REMOVE, .path = "lines[0]"},
     0,
     1,
     "\"points\":[{\"x\":1},{\"x\":2},{\"x\":3}];\"lines\":[{\"ends\":[1,2]}]",
     NULL},
    {"lines go with a point, and its other end with them",
     "\"points\":[{\"x\":1},{\"x\":2},{\"x\":3}];\"lines\":[{\"ends\":[0,1]},{\"ends\":[1,2]}]",
     {.kind = MST_OPERATION_REMOVE, .path = "points[0]"},
     1,
     0,
     "\"points\":[{\"x\":2},{\"x\":3}];\"lines\":[{\"ends\":[0,1]}]",
     "lines[0]: also removed: it refers to a removed element"},
    {"the nearest takes the place of a point",
     "\"points\":[{\"x\":1},{\"x\":2}];\"owners\":[{\"first\":255,\"near\":1},{\"first\":255,\"near\":255}]",
     {.kind = MST_OPERATION_REMOVE, .path = "points[1]"},
     1,
     0,
     "\"points\":[{\"x\":1}];\"owners\":[{\"first\":255,\"near\":0},{\"first\":255,\"near\":255}]",
     "owners[0].near: now refers to another element"},
    {"a slot becomes empty, and the chain goes on after it",
     RESTS "\"tags\":[\"\",\"\",\"\"];\"head\":0;"
           "\"steps\":[{\"next\":1,\"what\":0},{\"next\":2,\"what\":1},{\"next\":255,\"what\":2}]",
     {.kind = MST_OPERATION_REMOVE, .path = "steps[1]"},
     0,
     0,
     RESTS "\"tags\":[\"\",\"\",\"\"];\"head\":0;"
           "\"steps\":[{\"next\":2,\"what\":0},{\"next\":255,\"what\":255},{\"next\":255,\"what\":2}]",
     "steps[0].next: now refers to another element"},
    {"steps whose item goes become empty, one after the other",
     "\"items\":[{\"id\":7},{\"id\":8}];\"tags\":[\"\",\"\"];\"head\":0;"
     "\"steps\":[{\"next\":1,\"what\":0},{\"next\":2,\"what\":0},{\"next\":255,\"what\":1}]",
     {.kind = MST_OPERATION_REMOVE, .path = "items[0]"},
     1,
     0,
     "\"items\":[{\"id\":8}];\"tags\":[\"\"];\"head\":2;"
     "\"steps\":[{\"next\":255,\"what\":255},{\"next\":255,\"what\":255},{\"next\":255,\"what\":0}]",
     "steps[0]: also removed: it refers to a removed element"},
    {"there are only so many slots",
     "\"steps\":[{\"next\":255,\"what\":255}]",
     {.kind = MST_OPERATION_INSERT, .path = "steps[0]", .value = "{\"next\":255,\"what\":0}"},
     0,
     0,
     NULL,
     NULL},
    {"a run begins with the next part",
     "\"parts\":[{\"last\":0},{\"last\":1},{\"last\":1}];"
     "\"owners\":[{\"first\":0,\"near\":255},{\"first\":2,\"near\":255}]",
     {.kind = MST_OPERATION_REMOVE, .path = "parts[0]"},
     0,
     0,
     "\"parts\":[{\"last\":1},{\"last\":1}];"
     "\"owners\":[{\"first\":0,\"near\":255},{\"first\":1,\"near\":255}]",
     NULL},
    {"a run without parts is none",
     "\"parts\":[{\"last\":0},{\"last\":1},{\"last\":1}];"
     "\"owners\":[{\"first\":0,\"near\":255},{\"first\":2,\"near\":255}]",
     {.kind = MST_OPERATION_REMOVE, .path = "parts[2]"},
     0,
     0,
     "\"parts\":[{\"last\":0},{\"last\":1}];"
     "\"owners\":[{\"first\":0,\"near\":255},{\"first\":255,\"near\":255}]",
     "owners[1].first: no longer refers to anything"},
    {"a part between two runs belongs to the first",
     "\"parts\":[{\"last\":1},{\"last\":1}];"
     "\"owners\":[{\"first\":0,\"near\":255},{\"first\":1,\"near\":255}]",
     {.kind = MST_OPERATION_INSERT, .path = "parts[1]", .value = "{\"last\":1}"},
     0,
     0,
     "\"parts\":[{\"last\":1},{\"last\":1},{\"last\":1}];"
     "\"owners\":[{\"first\":0,\"near\":255},{\"first\":2,\"near\":255}]",
     NULL},
    {"a part in front of all belongs to the first run",
     "\"parts\":[{\"last\":1},{\"last\":1}];"
     "\"owners\":[{\"first\":0,\"near\":255},{\"first\":1,\"near\":255}]",
     {.kind = MST_OPERATION_INSERT, .path = "parts[0]", .value = "{\"last\":0}"},
     0,
     0,
     "\"parts\":[{\"last\":0},{\"last\":1},{\"last\":1}];"
     "\"owners\":[{\"first\":0,\"near\":255},{\"first\":2,\"near\":255}]",
     NULL},
};

static void each_fact_is_followed(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[2000];
        told t = {0};
        mst_diagnostic why;
        mst_edit_options options = {.size = sizeof options,
                                    .cascade = cases[i].cascade,
                                    .keep_loose = cases[i].keep_loose,
                                    .report = hear,
                                    .user = &t};
        mst_document *d = document_of(cases[i].before);
        mst_status status = mst_edit(d, &cases[i].operation, 1, &options, &why);
        if ((status == MST_OK) != (cases[i].after != NULL))
            print_error("%s: %s\n", cases[i].what, status == MST_OK ? "done" : why.message);
        assert_int_equal(status, cases[i].after ? MST_OK : MST_REFUSED);
        whole(expected, sizeof expected, cases[i].after ? cases[i].after : cases[i].before);
        mst_value root = mst_root(d);
        char *now = json_of(&root, 1);
        if (strcmp(now, expected) != 0)
            print_error("%s\n", cases[i].what);
        assert_string_equal(now, expected);
        if (cases[i].said)
            assert_string_equal(t.first, cases[i].said);
        else
            assert_int_equal(t.lines, 0);
        free(now);
        mst_close(d);
    }
}

/* ---- numbers without room --------------------------------------------------------------------------- */

/* An index of 15 under a mask of four bits, and 254 before the value for none. */
static void numbers_that_do_not_fit(void **state) {
    (void)state;
    mst_diagnostic why;
    writer w = {0};
    put_u8(&w, 16);
    for (uint8_t i = 0; i < 16; i++)
        put_u8(&w, i);
    put_u8(&w, 0);
    put_u8(&w, 16);
    for (int i = 0; i < 16; i++)
        put_u8(&w, 0);
    put_u8(&w, 1);
    put_bytes_of(&w, "\xFF\x00\x00\xFF\x0F\x10\x00\x00\x00\x00", 10);
    put_bytes_of(&w, "\0\0\0\xFF\0\0\0\0\0", 9);
    mst_document *d = open_own(&format, &w);
    assert_int_equal(mst_insert(d, "items[0]", "{\"id\":1}", &why), MST_REFUSED);
    assert_string_equal(why.message,
                        "the numbers of later elements would not fit the fields that refer to them");
    assert_same_bytes(d, w.data, w.size);
    MUST(mst_insert(d, "items[16]", "{\"id\":1}", &why), &why); /* the last: only the end changes */
    assert_int_equal(number_at(d, "rows[0].end"), 17);
    mst_close(d);
    free(w.data);
}

/* ---- many at once ------------------------------------------------------------------------------------ */

static void all_or_none(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d = document_of(RESTS "\"tags\":[\"a\",\"b\",\"c\"]");
    mst_operation operations[] = {{.kind = MST_OPERATION_REMOVE, .path = "items[0]"},
                                  {.kind = MST_OPERATION_INSERT, .path = "items[2]", .value = "{\"id\":10}"},
                                  {.kind = MST_OPERATION_SET, .path = "tags[2]", .value = "d"},
                                  {.kind = MST_OPERATION_SET, .path = "items[7].id", .value = "1"}};
    assert_int_equal(mst_edit(d, operations, 4, NULL, &why), MST_NO_PATH);
    assert_string_equal(why.path, "items[7].id");
    assert_false(mst_is_edited(d));
    assert_int_equal(count_at(d, "items"), 3);
    MUST(mst_edit(d, operations, 3, NULL, &why), &why);
    assert_true(mst_is_edited(d));
    char expected[500];
    whole(expected, sizeof expected,
          "\"items\":[{\"id\":8},{\"id\":9},{\"id\":10}];\"tags\":[\"b\",\"c\",\"d\"]");
    assert_reads_as(d, expected);
    MUST(mst_edit(d, NULL, 0, NULL, &why), &why);
    operations[1].value = NULL;
    assert_int_equal(mst_edit(d, operations, 3, NULL, &why), MST_ARGUMENT);
    assert_int_equal(mst_edit(NULL, operations, 1, NULL, &why), MST_ARGUMENT);
    mst_close(d);
}

static mst_status stop(void *user, const mst_diagnostic *what) {
    (void)user, (void)what;
    return MST_UNKNOWN;
}

static void a_report_ends_the_edit(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d = document_of("\"points\":[{\"x\":1},{\"x\":2}];\"lines\":[{\"ends\":[0,1]}]");
    mst_operation removal = {.kind = MST_OPERATION_REMOVE, .path = "lines[0]"};
    mst_edit_options options = {.size = sizeof options, .report = stop};
    assert_int_equal(mst_edit(d, &removal, 1, &options, &why), MST_UNKNOWN);
    assert_false(mst_is_edited(d));
    mst_close(d);
}

int test_follow(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fact_is_followed),
        cmocka_unit_test(numbers_that_do_not_fit),
        cmocka_unit_test(all_or_none),
        cmocka_unit_test(a_report_ends_the_edit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
