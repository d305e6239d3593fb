/* SPDX-License-Identifier: MIT */
/* Values calculated from others, in assignments and conditions. */
#include "../src/read/expression.h"
#include "own_format.h"
#include <mapstone/edit.h>

#define RECORDS(X) X(file) X(thing) X(pair) X(inner)
enum { RECORDS(RECORD_INDEX) };
#define LIST_OF(r) .kind = MST_KIND_RECORD, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U8, .record = &(r)

static const mst_enum_name kind_names[] = {{0, "door"}, {1, "roof"}, {5, "porch"}};
static const mst_enum kinds = {kind_names, MST_COUNT_OF(kind_names)};
static const mst_field pair_fields[] = {PREFIXED("name", CHAR8, U8), {.name = "value", F32}};
RECORD(pair, "pair", "a named number", .pairs = true);
static const mst_field inner_fields[] = {{.name = "deep", U8}};
RECORD(inner, "inner", "is in a thing");
static const mst_field thing_fields[] = {
    PREFIXED("name", CHAR8, U8),
    {.name = "small", .kind = MST_KIND_I8},
    {.name = "large", .kind = MST_KIND_U64},
    {.name = "place", F32, FIXED(3)},
    {.name = "real", .kind = MST_KIND_F64},
    {.name = "kind", U8, .names = &kinds},
    {.name = "flags", U8, .flags = MST_FIELD_FLAGS, .names = &kinds},
    {.name = "sure", U8, .flags = MST_FIELD_BOOL},
    {.name = "inner", .kind = MST_KIND_RECORD, .record = &inner},
    {.name = "pairs", LIST_OF(pair)},
};
RECORD(thing, "thing", "has values of all kinds");
static const mst_field file_fields[] = {
    {.name = "things", LIST_OF(thing)}, PREFIXED("numbers", U8, U8), {.name = "version", U8}};
RECORD(file, "file", "a file");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};
static const mst_format format = {FORMAT(file, records)};

#define THING(name, small, large, more)                                                                      \
    "{\"name\":\"" name "\",\"small\":" small ",\"large\":" large ",\"place\":[8.08,1,-2],\"real\":0.1,"     \
    "\"kind\":\"roof\",\"flags\":[\"roof\"],\"sure\":true,\"inner\":{\"deep\":9},\"pairs\":[" more "]}"
#define PAIRS "{\"name\":\"size\",\"value\":2.5},{\"name\":\"name\",\"value\":7}"
static const char whole[] = "{\"things\":[" THING("Ada", "-3", "5", PAIRS) "," THING(
    "Bob", "100", "7",
    "{\"name\":\"size\",\"value\":0}") "," THING("(Cat)", "6", "9007199254740993",
                                                 "") "],\"numbers\":[4,5,6],\"version\":3}";

static mst_document *begin(void) {
    writer nothing = {0};
    mst_buffer bytes = {0};
    mst_document *d;
    mst_diagnostic why;
    put_bytes_of(&nothing, "\0\0\0", 3);
    mst_document *none = open_own(&format, &nothing);
    MUST(encode_as(none, whole, &bytes, &why), &why);
    MUST(open_in(&format, false, bytes.data, bytes.size, &d, &why), &why);
    mst_close(none);
    mst_buffer_free(&bytes);
    free(nothing.data);
    return d;
}

/* ---- expressions -------------------------------------------------------------------------------------- */

static mst_status evaluate(const mst_document *d, const char *text, char *texts, size_t capacity,
                           mst_operand *value, mst_diagnostic *why) {
    mst_value scopes[] = {value_at(d, "things[0]"), mst_root(d)};
    mst_calculation of = {.text = {text, strlen(text)},
                          .scopes = scopes,
                          .scope_count = 2,
                          .index = 4,
                          .texts = texts,
                          .capacity = capacity};
    return mst_expression_value(&of, value, why);
}

static void numbers_are_calculated(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"7", 7},
        {" 0.5 ", 0.5},
        {"1e3", 1000},
        {"1e-3", 0.001},
        {"1 + 2 * 3", 7},
        {"1 * 2 + 3", 5},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"10-4-3", 3},
        {"24 / 4 / 2", 3},
        {"24 / 4 * 2", 12},
        {"2 - 3 * 4 - 5", -15},
        {"7 / 2", 3.5},
        {"2 * -3", -6},
        {"-2 - -3", 1},
        {"-(1 + 2) * 2", -6},
        {"-(-(2))", 2},
        {"((((5))))", 5},
        {"round(2.5)", 3},
        {"round(-2.5)", -2},
        {"round(-2.6)", -3},
        {"round(0.49999999999999994)", 0},
        {"round(7.3, 0.25)", 7.25},
        {"round(7.4, 0.25)", 7.5},
        {"round(-7.3, 0.25)", -7.25},
        {"round(0.29, 0.1)", 0.3},
        {"round(17, 5)", 15},
        {"floor(-1.5)", -2},
        {"ceil(-1.5)", -1},
        {"abs(-4.5)", 4.5},
        {"sqrt(2.25)", 1.5},
        {"min(3, 1, 2)", 1},
        {"max(3, 1 + 8, 2)", 9},
        {"max (2, min(5, 4)) * 2", 8},
        {"min(-1, 1) - max(-1, 1)", -2},
        {"index", 4},
        {"index * 2 + 1", 9},
        {"9007199254740991 - 1", 9007199254740990.0},
        {"small", -3},
        {"large + small", 2},
        {"place[1] - place[2]", 3},
        {"place[0]", 8.079999923706055}, /* the float nearest to 8.08 */
        {"real", 0.1},
        {"kind + 1", 2},
        {"sure + sure", 2},
        {"inner.deep", 9},
        {"pairs.size * 2", 5},
        {"pairs[name=size].value", 2.5},
        {"pairs[-1].value", 7},
        {"things[1].small", 100},
        {"things[name=Bob].small", 100},
        {"version", 3},
        {"numbers[2]", 6},
    };
    mst_document *d = begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_operand value;
        mst_diagnostic why;
        mst_excerpt text = {cases[i].text, strlen(cases[i].text)};
        MUST(mst_expression_check(text, true, &why), &why);
        MUST(evaluate(d, cases[i].text, NULL, 0, &value, &why), &why);
        if (value.is_text || value.number != cases[i].value)
            fail_msg("%s: %.17g", cases[i].text, value.number);
    }
    mst_close(d);
}

static void texts_are_joined(void **state) {
    (void)state;
    static const struct {
        const char *text, *value;
    } cases[] = {
        {"\"door\"", "door"},
        {"\"\"", ""},
        {"\"say \"\"x\"\"\"", "say \"x\""},
        {"\"door_\" + index", "door_4"},
        {"index + \"_door\"", "4_door"},
        {"1 + 2 + \"x\"", "3x"},
        {"\"x\" + 1 + 2", "x12"},
        {"\"x\" + (1 + 2)", "x3"},
        {"\"x\" + 2 * 3 + \"y\"", "x6y"},
        {"\"a\" + (\"b\" + (1 + \"c\") + \"d\") + \"e\"", "ab1cde"},
        {"1 + (2 + \"ab\")", "12ab"},
        {"\"x\" + -1", "x-1"},
        {"\"x\" + 0 * -1", "x0"},
        {"\"x\" + 1 / 4", "x0.25"},
        {"\"x\" + 4 / 2", "x2"},
        {"name", "Ada"},
        {"name + \" \" + things[1].name", "Ada Bob"},
        {"\"\" + place[0]", "8.08"},
        {"\"\" + place[0] * 2", "16.16"},
        {"\"\" + pairs.size", "2.5"},
        {"\"\" + real", "0.1"},
        {"\"\" + large", "5"},
        {"\"\" + kind", "roof"},
        {"\"\" + (kind + 4)", "5"},
        {"sure + \"!\"", "true!"},
    };
    mst_document *d = begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char texts[64];
        mst_operand value;
        mst_diagnostic why;
        mst_excerpt text = {cases[i].text, strlen(cases[i].text)};
        MUST(mst_expression_check(text, true, &why), &why);
        MUST(evaluate(d, cases[i].text, texts, sizeof texts, &value, &why), &why);
        if (!value.is_text || value.length != strlen(cases[i].value) ||
            memcmp(texts + value.start, cases[i].value, value.length) != 0)
            fail_msg("%s: %.*s", cases[i].text, value.length, texts + value.start);
    }
    mst_close(d);
}

/* The error of an expression, and whether it is detected without values. */
typedef struct mistake {
    const char *text, *message;
    int column;
    bool late;
} mistake;

static const mistake mistakes[] = {
    {"", "a value is missing", 1, false},
    {"1 +", "a value is missing", 4, false},
    {"1 + * 2", "a value is missing", 5, false},
    {"+1", "a value is missing", 1, false},
    {"- -1", "a value is missing", 3, false},
    {"()", "a value is missing", 2, false},
    {"min()", "a value is missing", 5, false},
    {"min(1,)", "a value is missing", 7, false},
    {"1 2", "an operator is missing", 3, false},
    {"1 ^ 2", "an operator is missing", 3, false},
    {"small small", "an operator is missing", 7, false},
    {"\"a\" \"b\"", "an operator is missing", 5, false},
    {"1 > 2", "an operator is missing", 3, false},
    {"1 + 2)", "there is no bracket to close", 6, false},
    {"2 * (1 + 2", "a closing bracket is missing", 5, false},
    {"2 * min(1, 2", "a closing bracket is missing", 5, false},
    {"1, 2", "a comma is only between arguments", 2, false},
    {"min(1, (2, 3))", "a comma is only between arguments", 10, false},
    {"1.2.3", "this is not a number", 1, false},
    {"2 * 1x", "this is not a number", 5, false},
    {"1 + \"a", "the text is not closed", 5, false},
    {"1 + a[1", "a closing bracket \"]\" is missing", 5, false},
    {"1 + tan(1)", "unknown function", 5, false},
    {"1 + min(1)", "min takes two numbers or more", 5, false},
    {"1 + round(1, 2, 3)", "round takes a number, or a number and a step", 5, false},
    {"floor(1, 2)", "floor takes one number", 1, false},
    {"1 + 9007199254740992", "an integer is not below 2^53", 5, false},
    {"1e999", "this is not a number", 1, false},
    {"9007199254740991 + 1", "an integer is not below 2^53", 18, true},
    {"3000000000 * -3100000000", "an integer is not below 2^53", 12, true},
    {"things[2].large", "an integer is not below 2^53", 1, true},
    {"1 / (2 - 2)", "division by 0", 3, true},
    {"1e300 * 1e300", "the result is too large", 7, true},
    {"1 + sqrt(-4)", "the result is not a number", 5, true},
    {"round(1, 0)", "the step must be above 0", 10, true},
    {"round(1, -2)", "the step must be above 0", 10, true},
    {"1 - \"a\"", "a number is needed", 5, true},
    {"name * 2", "a number is needed", 1, true},
    {"-name", "a number is needed", 2, true},
    {"round(name)", "a number is needed", 7, true},
    {"max(1, 2, name)", "a number is needed", 11, true},
    {"1 + place", "this is a list", 5, true},
    {"1 + things[0:2].small", "this is a list", 5, true},
    {"1 + flags", "flags are not a number", 5, true},
    {"1 + inner", "this is neither a number nor a text", 5, true},
    {"1 + smal", "there is no field \"smal\"; did you mean \"small\"?", 5, true},
    {"1 + place[3]", "there is no element [3]", 5, true},
    {"\"a\" + name + \"0123456789\"", "the text is too long", 14, true},
    {"\"a\" + 1234567890123", "the text is too long", 7, true},
};

static void mistakes_have_columns(void **state) {
    (void)state;
    mst_document *d = begin();
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *one = &mistakes[i];
        char texts[12], column[64];
        mst_operand value;
        mst_diagnostic why = {.status = MST_OK}, early = {.status = MST_OK};
        mst_status status = evaluate(d, one->text, texts, sizeof texts, &value, &why);
        snprintf(column, sizeof column, " at column %d of the expression", one->column);
        size_t length = strlen(why.message), end = strlen(column);
        if (status == MST_OK || strncmp(why.message, one->message, strlen(one->message)) != 0 ||
            length < end || strcmp(why.message + length - end, column) != 0)
            fail_msg("%s: %s", one->text, status == MST_OK ? "it is right" : why.message);
        assert_int_equal(status,
                         strstr(one->message, "there is no ") && one->late ? MST_NO_PATH : MST_ARGUMENT);
        mst_excerpt text = {one->text, strlen(one->text)};
        status = mst_expression_check(text, true, &early);
        if ((status == MST_OK) != one->late)
            fail_msg("%s: %s", one->text, early.message);
        if (!one->late)
            assert_string_equal(early.message, why.message);
    }
    mst_close(d);
}

static void lengths_and_depths_are_bounded(void **state) {
    (void)state;
    mst_document *d = begin();
    char text[MST_EXPRESSION_LENGTH + 2], *to;
    mst_operand value;
    mst_diagnostic why;
    for (int depth = MST_EXPRESSION_DEPTH; depth <= MST_EXPRESSION_DEPTH + 1; depth++) {
        static const char *const opening[] = {"(", "max(1,1+1*-"}; /* all that can be pending in one */
        for (int k = 0; k < 2; k++) {
            to = text;
            for (int i = 0; i < depth; i++)
                to += sprintf(to, "%s", opening[k]);
            to += sprintf(to, "1");
            memset(to, ')', (size_t)depth);
            to[depth] = 0;
            mst_status status = evaluate(d, text, NULL, 0, &value, &why);
            assert_int_equal(status, depth > MST_EXPRESSION_DEPTH ? MST_ARGUMENT : MST_OK);
            if (status == MST_OK)
                assert_true(value.number == 1);
            else
                assert_string_equal(why.message,
                                    k ? "there are too many brackets at column 353 of the expression"
                                      : "there are too many brackets at column 33 of the expression");
        }
    }
    memset(text, 'x', 220); /* a name that the message truncates */
    memcpy(text, "pairs[name=", 11);
    memcpy(text + 220, "].value", 8);
    assert_int_equal(evaluate(d, text, NULL, 0, &value, &why), MST_NO_PATH);
    assert_non_null(strstr(why.message, " at column 1 of the expression"));
    memset(text, ' ', sizeof text);
    text[0] = '1';
    text[MST_EXPRESSION_LENGTH] = 0;
    MUST(evaluate(d, text, NULL, 0, &value, &why), &why);
    text[MST_EXPRESSION_LENGTH] = ' ';
    text[MST_EXPRESSION_LENGTH + 1] = 0;
    assert_int_equal(evaluate(d, text, NULL, 0, &value, &why), MST_ARGUMENT);
    assert_string_equal(why.message, "the expression is too long at column 1025 of the expression");
    mst_close(d);
}

static void what_is_not_known_is_told(void **state) {
    (void)state;
    mst_operand value;
    mst_diagnostic why;
    mst_calculation none = {.text = {"1 + a", 5}, .index = UINT64_MAX};
    assert_int_equal(mst_expression_value(&none, &value, &why), MST_ARGUMENT);
    assert_string_equal(why.message, "names are not known here, at column 5 of the expression");
    none.text = (mst_excerpt){"index", 5};
    assert_int_equal(mst_expression_value(&none, &value, NULL), MST_ARGUMENT);
    assert_int_equal(mst_expression_check(none.text, false, &why), MST_ARGUMENT);
    assert_string_equal(why.message, "index is not known here, at column 1 of the expression");
}

/* ---- assignments -------------------------------------------------------------------------------------- */

static mst_status assign(mst_document *d, const char *path, const char *expression, mst_diagnostic *why) {
    mst_operation one = {.path = path, .value = expression, .assignment = MST_ASSIGN_EXPRESSION};
    mst_edit_options each = {.size = sizeof each, .each = 1};
    return mst_edit(d, &one, 1, &each, why);
}

static void values_are_assigned(void **state) {
    (void)state;
    static const struct {
        const char *path, *expression, *list, *json;
    } cases[] = {
        {"things[0].small", "large * 2", "things[0].small", "10"},
        {"things[*].small", "index - 1", "things[0:3].small", "[-1,0,1]"},
        {"things[0].place[1]", "round(place[0], 0.25) + index", "things[0].place", "[8.08,8,-2]"},
        {"things[1].place[2]", "1 / 3", "things[1].place[2]", "0.33333334"},
        {"things[1].real", "1 / 3", "things[1].real", "0.3333333333333333"},
        {"things[*].name", "name + \"_\" + index", "things[0:3].name", "[\"Ada_0\",\"Bob_1\",\"(Cat)_2\"]"},
        {"things[0].pairs.size", "size * 2 + name + small", "things[0].pairs.size", "9"},
        {"things[0].pairs[0].name", "name + \"s\"", "things[0].pairs[0].name", "\"sizes\""},
        {"things[0].pairs[1].value", "value + 1", "things[0].pairs[1].value", "8"},
        {"things[*].inner.deep", "deep + index + version", "things[2].inner.deep", "14"},
        {"things[1].kind", "\"por\" + \"ch\"", "things[1].kind", "\"porch\""},
        {"things[1].kind", "5", "things[1].kind", "\"porch\""},
        {"things[1].sure", "1 - sure", "things[1].sure", "false"},
        {"numbers[*]", "index * 10", "numbers", "[0,10,20]"},
        {"version", "version + 1", "version", "4"},
        {"things[*].large", "things[0].large + things[1].large", "things[0:3].large", "[12,12,12]"},
        {"things[0].small", "-128", "things[0].small", "-128"},
        {"things[0].small", "127.0", "things[0].small", "127"},
        {"things[0].large", "9007199254740991", "things[0].large", "9007199254740991"},
        {"things[0].large", "0 * -1", "things[0].large", "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *d = begin();
        mst_diagnostic why;
        MUST(assign(d, cases[i].path, cases[i].expression, &why), &why);
        mst_value value = value_at(d, cases[i].list);
        char *json = json_of(&value, 1);
        if (strcmp(json, cases[i].json) != 0)
            fail_msg("%s := %s: %s", cases[i].path, cases[i].expression, json);
        free(json);
        mst_close(d);
    }
}

static void nothing_is_assigned_if_one_cannot_be(void **state) {
    (void)state;
    static const struct {
        const char *path, *expression, *at, *message;
    } cases[] = {
        {"things[0].small", "2.5", "things[0].small", "the field holds integers, and there is a fraction"},
        {"things[0].small", "1 + 127", "things[0].small", "the number is out of the field's range"},
        {"things[0].small", "-129", "things[0].small", "the number is out of the field's range"},
        {"things[0].large", "-1", "things[0].large", "the number is out of the field's range"},
        {"things[0].large", "1e17", "things[0].large", "an integer is not below 2^53"},
        {"things[0].place[0]", "1e39", "things[0].place[0]", "the number is out of the field's range"},
        {"things[0].sure", "2", "things[0].sure", "the field holds 0 or 1"},
        {"things[0].name", "5", "things[0].name", "the field holds text"},
        {"things[0].real", "name", "things[0].real", "the field holds numbers, and there is a text"},
        {"things[0].kind", "\"cellar\"", "things[0].kind", ""},
        {"things[0].flags", "1", "things[0].flags", "the field holds neither a number nor a text"},
        {"things[0].inner", "1", "things[0].inner", "the field holds neither a number nor a text"},
        {"things[0].place", "1", "things[0].place", "an element of the list is needed"},
        {"things[*].small", "6 / (large - 7)", "things[1].small", "division by 0"},
        {"things[*].small", "pairs.size", "things[0].small", "the field holds integers"},
        {"things[*].small", "2 * pairs.size", "things[2].small", "\"size\" cannot be a field of a list"},
        {"things[*].small", "1 +", "things[*].small", "a value is missing"},
        {"version", "index", "version", "index is not known here"},
        {"things[9].small", "1", "things[9].small", "there is no element [9]"},
    };
    mst_document *d = begin();
    size_t size, size_now;
    const void *bytes = mst_document_bytes(d, &size);
    void *before = memcpy(malloc(size), bytes, size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_status status = assign(d, cases[i].path, cases[i].expression, &why);
        if (status == MST_OK || strncmp(why.message, cases[i].message, strlen(cases[i].message)) != 0 ||
            strcmp(why.path, cases[i].at) != 0)
            fail_msg("%s := %s: %s: %s", cases[i].path, cases[i].expression, why.path,
                     status == MST_OK ? "it is right" : why.message);
        bytes = mst_document_bytes(d, &size_now);
        assert_int_equal(size_now, size);
        assert_memory_equal(bytes, before, size);
    }
    free(before);
    mst_close(d);
}

static void what_waits_is_seen(void **state) {
    (void)state;
    mst_document *d = begin();
    mst_diagnostic why;
    static const mst_operation operations[] = {
        {.path = "things[0].name", .value = "Adelaide"},
        {.path = "things[0].small", .value = "9"},
        {.path = "things[1].name",
         .value = "things[0].name + things[0].small",
         .assignment = MST_ASSIGN_EXPRESSION},
        {.path = "things[2].name", .value = "things[1].name + \"!\"", .assignment = MST_ASSIGN_EXPRESSION}};
    MUST(mst_edit(d, operations, 4, NULL, &why), &why);
    mst_value names = value_at(d, "things[0:3].name");
    char *json = json_of(&names, 1);
    assert_string_equal(json, "[\"Adelaide\",\"Adelaide9\",\"Adelaide9!\"]");
    free(json);
    mst_close(d);
}

/* ---- conditions --------------------------------------------------------------------------------------- */

static mst_status add_index(void *user, const char *path, const mst_value *value) {
    (void)value;
    strncat(user, strchr(path, '[') + 1, 1);
    return MST_OK;
}

static void elements_meet_expressions(void **state) {
    (void)state;
    static const struct {
        const char *selector, *indices, *message;
    } cases[] = {
        {"things[small > (large * 2)]", "1", NULL},
        {"things[small >= (-3) & small < (version)]", "", NULL}, /* names are members of the element */
        {"things[small = (inner.deep - 3)]", "2", NULL},
        {"things[small != (large - 8)]", "1", NULL}, /* things[2].large is too large */
        {"things[small == (large - 8) | small <= (-6 / 2)]", "0", NULL},
        {"things[!(small < (2 * (1 + 2)))]", "12", NULL},
        {"things[place[0] = (8.08)]", "012", NULL}, /* as stored */
        {"things[place[0] = (place[1] * 8 + 0.08)]", "012", NULL},
        {"things[small > (pairs.size * 2)]", "1", NULL}, /* the others: not above, and without it */
        {"things[small != (pairs.size)]", "01", NULL},
        {"things[small > (1 / pairs.size)]", "", NULL},
        {"things[name = (\"A\" + \"da\")]", "0", NULL},
        {"things[name != (\"A\" + \"da\")]", "12", NULL},
        {"things[name > (1)]", "", NULL},
        {"things[name = (1)]", "", NULL},
        {"things[name != (1)]", "012", NULL},
        {"things[small = (name)]", "", NULL},
        {"things[small < (name)]", "", NULL},
        {"things[kind = (\"ro\" + \"of\")]", "012", NULL},
        {"things[kind = (kind)]", "012", NULL},
        {"things[none > (1)]", "", NULL},
        {"things[name=\"(Cat)\"]", "2", NULL},
        {"things[name~(C*)]", "2", NULL},
        {"things[name=(a) or (b)]", "", NULL}, /* which is a text */
        {"things[small > (1 +)]", NULL, "a value is missing at column 5 of the expression"},
        {"things[small > (index)]", NULL, "index is not known here, at column 2 of the expression"},
        {"things[name = (old gate)]", NULL, "an operator is missing at column 6 of the expression"},
    };
    mst_document *d = begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char found[8] = "";
        mst_selected selected;
        mst_diagnostic why;
        mst_status status = mst_select(mst_root(d), cases[i].selector, add_index, found, &selected, &why);
        if (status != (cases[i].indices ? MST_OK : MST_ARGUMENT) ||
            (cases[i].indices && strcmp(found, cases[i].indices) != 0))
            fail_msg("%s: %s", cases[i].selector, status == MST_OK ? found : why.message);
        if (cases[i].message) {
            assert_string_equal(why.message, cases[i].message);
            assert_string_equal(why.expected, "an expression, or text in double quotes");
        }
    }
    mst_close(d);
}

int test_expression(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_calculated),
        cmocka_unit_test(texts_are_joined),
        cmocka_unit_test(mistakes_have_columns),
        cmocka_unit_test(lengths_and_depths_are_bounded),
        cmocka_unit_test(what_is_not_known_is_told),
        cmocka_unit_test(values_are_assigned),
        cmocka_unit_test(nothing_is_assigned_if_one_cannot_be),
        cmocka_unit_test(what_waits_is_seen),
        cmocka_unit_test(elements_meet_expressions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
