/* SPDX-License-Identifier: MIT */
/* Checks of Natural Selection 2 levels that are written as JSON, a line or two for each. */
#include "ns2_level.h"
#include "thorough.h"

/* The codes that were found. */
static char met_codes[100][32];
static size_t met_count;

static bool has_met(const char *code) {
    for (size_t i = 0; i < met_count; i++)
        if (strcmp(met_codes[i], code) == 0)
            return true;
    return false;
}

static void meet(const char *code) {
    if (has_met(code))
        return;
    assert_true(met_count < 100);
    snprintf(met_codes[met_count++], sizeof met_codes[0], "%s", code);
}

#define MESH_OF(parts) "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{" parts "}}"
#define WITH_MESH      "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"triangles\":{}},"
#define ORIGIN         "{\"name\":\"origin\",\"type\":9,\"value\":[1,2,3]}"
#define ENTITY(class_name, properties)                                                                       \
    "{\"class_name\":\"" class_name "\",\"group\":4294967295,\"properties\":[" properties "]}"
#define ENTITIES(list)             WITH_MESH "\"objects\":[" list "]}"
#define OBJECTS(properties)        ENTITIES(ENTITY("thing", properties "," ORIGIN))
#define PROPERTY(name, type, more) "{\"name\":\"" name "\",\"type\":" type "," more "}"
#define TEXT(name, text)           PROPERTY(name, "0", "\"value\":[\"" text "\"]")
#define NAMED(list, name)          WITH_MESH "\"" list "\":[{\"name\":\"" name "\"}]}"
#define LETTERS_64                 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl"

typedef struct text_case {
    const char *text, *schema, *expected; /* "CODE path" of all findings, a line each */
} text_case;

/* With information a line of it begins with "i ". */
static void run_case(const text_case *c, bool informs) {
    mst_open_options options = {.size = sizeof options, .lenient_json = 1};
    mst_document *document;
    mst_diagnostic why;
    mst_status status = mst_open_json(c->text, strlen(c->text), &options, &document, &why);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    mst_check_options how = {.size = sizeof how,
                             .schema = c->schema,
                             .schema_size = c->schema ? strlen(c->schema) : 0,
                             .information = informs};
    findings list = {0};
    status = mst_check(document, &how, collect, &list, NULL, &why);
    if (status != MST_UNSUPPORTED) {
        char text[2000] = "";
        MUST(status, &why);
        for (size_t i = 0, length = 0; i < list.count; i++) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s%s %s", i ? "\n" : "",
                                       list.items[i].severity == MST_INFORMATION ? "i " : "",
                                       list.items[i].code, list.items[i].path);
            meet(list.items[i].code);
            assert_true(length < sizeof text);
        }
        if (strcmp(text, c->expected) != 0)
            print_error("%s\n", c->text);
        assert_string_equal(text, c->expected);
        assert_stops(document, &how, &list);
    }
    findings_free(&list);
    mst_close(document);
}

static void run_text_case(const text_case *c) {
    run_case(c, false);
}

static void names_that_are_nearly_known(void **state) {
    (void)state;
    static const text_case cases[] = {
        {NAMED("groups", "collision geometry"), NULL, "NS2-GROUP-NAME groups[0].name"},
        {NAMED("groups", "CollisionGeometry "), NULL, "NS2-GROUP-NAME groups[0].name"},
        {NAMED("groups", "LowLights"), NULL, "NS2-GROUP-NAME groups[0].name"},
        {NAMED("groups", "low  lights"), NULL, "NS2-GROUP-NAME groups[0].name"},
        {NAMED("groups", "Low Lights"), NULL, ""},
        {NAMED("groups", "Low Light"), NULL, ""},
        {NAMED("groups", "Low Lights2"), NULL, ""},
        {NAMED("groups", ""), NULL, ""},
        /* 64 characters are compared, and 130 are not */
        {NAMED("groups", LETTERS_64), NULL, ""},
        {NAMED("groups", LETTERS_64 LETTERS_64 "ab"), NULL, ""},
        /* layers have names of their own, and are not groups */
        {NAMED("groups", "vents"), NULL, ""},
        {NAMED("layers", "VENTS"), NULL, ""},
        {NAMED("layers", "collision geometry"), NULL, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_text_case(&cases[i]);
}

static void outputs(void **state) {
    (void)state;
    static const text_case cases[] = {
        {OBJECTS(TEXT("output1", "nobody")), NULL, "NS2-OUTPUT-TARGET objects[0].properties[0].value"},
        {OBJECTS(TEXT("output10", "nobody")), NULL, "NS2-OUTPUT-TARGET objects[0].properties[0].value"},
        {OBJECTS(TEXT("output1", "hub") "," TEXT("name", "hub")), NULL, ""},
        {OBJECTS(TEXT("output1", "a") "," TEXT("output2", "b")), NULL,
         "NS2-OUTPUT-TARGET objects[0].properties[0].value\nNS2-OUTPUT-TARGET "
         "objects[0].properties[1].value"},
        {OBJECTS(TEXT("output1", "hub") "," TEXT("name", "Hub")), NULL, ""},
        {OBJECTS(TEXT("output1", "HUB 2[z") "," TEXT("name", "hub 2[Z")), NULL, ""},
        {OBJECTS(TEXT("output1", "hub[") "," TEXT("name", "hub{")), NULL,
         "NS2-OUTPUT-TARGET objects[0].properties[0].value"},
        {OBJECTS(TEXT("output1", "hu") "," TEXT("name", "hub")), NULL,
         "NS2-OUTPUT-TARGET objects[0].properties[0].value"},
        {OBJECTS(TEXT("output1x", "nobody")), NULL, ""},
        {OBJECTS(TEXT("output1", "hub") "," TEXT("nama", "hub")), NULL,
         "NS2-OUTPUT-TARGET objects[0].properties[0].value"},
        {OBJECTS(TEXT("output1", "")), NULL, ""},
        {OBJECTS(TEXT("output", "nobody")), NULL, ""},
        {OBJECTS(TEXT("outpux1", "nobody")), NULL, ""},
        {OBJECTS(TEXT("output/", "nobody")), NULL, ""},
        {OBJECTS(TEXT("output:", "nobody")), NULL, ""},
        {OBJECTS(PROPERTY("output1", "4", "\"value\":[\"nobody\"]")), NULL, ""},
        /* animated: there is no value */
        {OBJECTS(PROPERTY("output1", "0", "\"animated\":true")), NULL,
         "NS2-ANIMATED objects[0].properties[0].animated"},
        {OBJECTS(TEXT("output1", "hub") "," PROPERTY("name", "0", "\"animated\":true")), NULL,
         "NS2-ANIMATED objects[0].properties[1].animated\nNS2-OUTPUT-TARGET objects[0].properties[0].value"},
        /* of two texts, it is unknown which is meant */
        {OBJECTS(PROPERTY("output1", "0", "\"value\":[\"a\",\"b\"]")), NULL,
         "NS2-PROPERTY-COMPONENTS objects[0].properties[0].value"},
        {OBJECTS(PROPERTY("output1", "0", "\"value\":[]")), NULL,
         "NS2-PROPERTY-COMPONENTS objects[0].properties[0].value"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_text_case(&cases[i]);
}

/* Names are compared with the first 64 of an entity. */
static void many_properties(void **state) {
    (void)state;
    for (unsigned twin = 62; twin <= 66; twin++) {
        char text[20000];
        size_t length = (size_t)snprintf(
            text, sizeof text,
            WITH_MESH "\"objects\":[{\"class_name\":\"thing\",\"group\":4294967295,\"properties\":[");
        for (unsigned i = 0; i <= 70; i++) /* the last one has the name of another one */
            length += (size_t)snprintf(text + length, sizeof text - length,
                                       "%s{\"name\":\"p%u\",\"type\":1,\"value\":[true]}", i ? "," : "",
                                       i < 70 ? i : twin);
        length += (size_t)snprintf(text + length, sizeof text - length, "," ORIGIN "]}]}");
        assert_true(length < sizeof text);
        run_text_case(&(text_case){text, NULL,
                                   twin < 64 ? "NS2-DUPLICATE-PROPERTY objects[0].properties[70].name" : ""});
    }
}

/* Of many entities in a chain one has an output without a target. */
static void many_outputs(void **state) {
    (void)state;
    enum { MANY = 100 };
    char text[30000];
    size_t length = (size_t)snprintf(text, sizeof text, WITH_MESH "\"objects\":[");
    for (unsigned i = 0; i < MANY; i++)
        length += (size_t)snprintf(
            text + length, sizeof text - length,
            "%s{\"class_name\":\"thing\",\"group\":4294967295,\"properties\":[{\"name\":\"name\","
            "\"value\":[\"n%u\"]},{\"name\":\"output1\",\"value\":[\"n%u\"]}," ORIGIN "]}",
            i ? "," : "", i, (i + 1) % (MANY + 1));
    length += (size_t)snprintf(text + length, sizeof text - length, "]}");
    assert_true(length < sizeof text);
    run_text_case(&(text_case){text, NULL, "NS2-OUTPUT-TARGET objects[99].properties[1].value"});
}

#define SETUP(more) "<a>" more "</a>"
#define CHOICES                                                                                              \
    SETUP("<class name=\"thing\"><parameter name=\"c\" type=\"choice\"><choice value=\"1\"/>"                \
          "<choice value=\"x\"/><choice value=\"-3\"/></parameter></class>")
#define CHOICE(more) OBJECTS(PROPERTY("c", "10", more))
#define UNKNOWN_C    "NS2-PROPERTY-UNKNOWN objects[0].properties[0].name"

#define CLASS(name, more)     "<class name=\"" name "\">" more "</class>"
#define PARENT(name)          "<parent>" name "</parent>"
#define PARAMETER(name, type) "<parameter name=\"" name "\" type=\"" type "\"/>"
#define WRONG_TYPE            "NS2-PROPERTY-UNKNOWN objects[0].properties[0].type"

/* Classes with several parents: an entity "thing" has a property "c", which is a choice. */
static void schemas_with_parents(void **state) {
    (void)state;
    static const char text[] = CHOICE("\"value\":[2]");
    static const struct {
        const char *schema[4]; /* the same in other orders of the text */
        const char *expected;
    } cases[] = {
        /* from either of two parents, in either order */
        {{SETUP(CLASS("a", PARAMETER("c", "choice")) CLASS("b", PARAMETER("d", "real"))
                    CLASS("thing", PARENT("a") PARENT("b"))),
          SETUP(CLASS("a", PARAMETER("c", "choice")) CLASS("b", PARAMETER("d", "real"))
                    CLASS("thing", PARENT("b") PARENT("a"))),
          SETUP(CLASS("thing", PARENT("a") PARENT("b")) CLASS("b", PARAMETER("d", "real"))
                    CLASS("a", PARAMETER("c", "choice"))),
          SETUP(CLASS("thing", PARENT("b") PARENT("a") PARENT("b")) CLASS("b", PARAMETER("d", "real"))
                    CLASS("a", PARAMETER("c", "choice")))},
         ""},
        /* of two parents that have it the first one wins, including everything above it */
        {{SETUP(CLASS("a", PARAMETER("c", "choice")) CLASS("b", PARAMETER("c", "real"))
                    CLASS("thing", PARENT("a") PARENT("b"))),
          SETUP(CLASS("thing", PARENT("a") PARENT("b")) CLASS("b", PARAMETER("c", "real"))
                    CLASS("a", PARENT("above")) CLASS("above", PARAMETER("c", "choice")))},
         ""},
        {{SETUP(CLASS("a", PARAMETER("c", "choice")) CLASS("b", PARAMETER("c", "real"))
                    CLASS("thing", PARENT("b") PARENT("a")))},
         WRONG_TYPE},
        /* the class itself wins over both, wherever its parameter is */
        {{SETUP(CLASS("a", PARAMETER("c", "real"))
                    CLASS("thing", PARAMETER("c", "choice") PARENT("a") PARENT("a"))),
          SETUP(CLASS("thing", PARENT("a") PARAMETER("c", "choice")) CLASS("a", PARAMETER("c", "real")))},
         ""},
        /* a class in two pieces has the parents of both, starting with the first piece's */
        {{SETUP(CLASS("a", PARAMETER("c", "choice")) CLASS("b", PARAMETER("c", "real"))
                    CLASS("thing", PARENT("a")) CLASS("thing", PARENT("b"))),
          SETUP(CLASS("thing", "") CLASS("thing", PARENT("a")) CLASS("thing", PARENT("b"))
                    CLASS("a", PARAMETER("c", "choice")) CLASS("b", PARAMETER("c", "real")))},
         ""},
        /* two ways to one class above */
        {{SETUP(CLASS("thing", PARENT("a") PARENT("b")) CLASS("a", PARENT("top")) CLASS("b", PARENT("top"))
                    CLASS("top", PARAMETER("d", "choice")))},
         UNKNOWN_C},
        /* a parent that is missing, which is information, does not hide the next one */
        {{SETUP(CLASS("a", PARAMETER("c", "choice")) CLASS("thing", PARENT("x") PARENT("a"))),
          SETUP(CLASS("thing", PARENT("a") PARENT("x")) CLASS("a", PARAMETER("c", "choice")))},
         ""},
        /* nor does a circle, of which each class is reported; a class that only leads to one is not in it */
        {{SETUP(CLASS("a", PARENT("b")) CLASS("b", PARENT("a") PARAMETER("c", "choice"))
                    CLASS("thing", PARENT("a"))),
          SETUP(CLASS("thing", PARENT("a")) CLASS("b", PARENT("a") PARAMETER("c", "choice"))
                    CLASS("a", PARENT("b"))),
          SETUP(CLASS("b", PARAMETER("c", "choice") PARENT("thing") PARENT("b"))
                    CLASS("thing", PARENT("b")))},
         "NS2-SCHEMA \nNS2-SCHEMA "},
        {{SETUP(CLASS("thing", PARENT("a")) CLASS("a", PARENT("b")) CLASS("b", PARENT("d"))
                    CLASS("d", PARENT("b") PARENT("e") PARENT("a")) CLASS("e", PARAMETER("c", "choice"))),
          SETUP(CLASS("d", PARENT("a") PARENT("e") PARENT("b")) CLASS("e", PARAMETER("c", "choice"))
                    CLASS("thing", PARENT("a")) CLASS("b", PARENT("d")) CLASS("a", PARENT("b")))},
         "NS2-SCHEMA \nNS2-SCHEMA \nNS2-SCHEMA "},
        /* a parent that is missing, in a circle */
        {{SETUP(CLASS("thing", PARENT("gone") PARENT("thing") PARENT("thing") PARAMETER("c", "choice")))},
         "NS2-SCHEMA "},
        /* two separate circles */
        {{SETUP(CLASS("thing", PARENT("a")) CLASS("a", PARENT("a") PARENT("between"))
                    CLASS("between", PARENT("b")) CLASS("b", PARENT("b") PARAMETER("c", "choice")))},
         "NS2-SCHEMA \nNS2-SCHEMA "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < 4 && cases[i].schema[k]; k++)
            run_text_case(&(text_case){text, cases[i].schema[k], cases[i].expected});
}

/* A chain of so many classes above "thing", the last of which has the property. */
static void run_chain(unsigned above, const char *expected) {
    char setup[40000];
    size_t length = (size_t)snprintf(setup, sizeof setup, "<a><class name=\"thing\" parent=\"p1\"/>");
    for (unsigned i = 1; i < above; i++)
        length += (size_t)snprintf(setup + length, sizeof setup - length,
                                   "<class name=\"p%u\" parent=\"p%u\"/>", i, i + 1);
    length +=
        (size_t)snprintf(setup + length, sizeof setup - length,
                         "<class name=\"p%u\"><parameter name=\"c\" type=\"choice\"/></class></a>", above);
    assert_true(length < sizeof setup);
    /* once, regardless of how often the class is queried */
    run_text_case(
        &(text_case){OBJECTS(PROPERTY("c", "10", "\"value\":[2]") "," PROPERTY("d", "10", "\"value\":[2]")),
                     setup, expected});
}

/* Up to that many classes are checked; more are reported, and nothing else. */
static void long_chains_of_parents(void **state) {
    (void)state;
    run_chain(1, "NS2-PROPERTY-UNKNOWN objects[0].properties[1].name");
    run_chain(256, "NS2-PROPERTY-UNKNOWN objects[0].properties[1].name");
    run_chain(257, "NS2-SCHEMA ");
}

/* Faults of a schema are reported with the names of the classes. */
static void words_about_schemas(void **state) {
    (void)state;
    static const char setup[] = SETUP(CLASS("a", PARENT("gone")) CLASS("b", PARENT("b")));
    mst_document *document;
    MUST(mst_open_memory("LVL\x0A", 4, NULL, &document, NULL), NULL);
    mst_check_options options = {
        .size = sizeof options, .schema = setup, .schema_size = sizeof setup - 1, .information = 1};
    findings list = {0};
    if (mst_check(document, &options, collect, &list, NULL, NULL) == MST_OK) {
        assert_string_equal(list.items[0].code, "NS2-SCHEMA");
        assert_string_equal(list.items[0].found, "class \"a\", parent \"gone\"");
        assert_int_equal(list.items[0].severity, MST_INFORMATION); /* it may be in the game's schema */
        assert_int_equal(list.items[1].severity, MST_WARNING);
        assert_true(list.items[0].offset == MST_NO_OFFSET);
        assert_string_equal(list.items[1].code, "NS2-SCHEMA");
        assert_string_equal(list.items[1].found, "class \"b\"");
        assert_true(strcmp(list.items[0].message, list.items[1].message) != 0);
    }
    findings_free(&list);
    mst_close(document);
}

/* Variants of a schema, and the finding about an entity "thing" with a property "c". */
static void odd_schemas(void **state) {
    (void)state;
    static const text_case cases[] = {
        {CHOICE("\"value\":[1]"), CHOICES, ""},
        {CHOICE("\"value\":[-3]"), CHOICES, ""},
        {CHOICE("\"value\":[2]"), CHOICES, "NS2-CHOICE objects[0].properties[0].value"},
        {CHOICE("\"value\":[2,2]"), CHOICES, "NS2-PROPERTY-COMPONENTS objects[0].properties[0].value"},
        {CHOICE("\"animated\":true"), CHOICES, "NS2-ANIMATED objects[0].properties[0].animated"},
        /* a choice without values; a parameter of an unknown type, or of none */
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"thing\"><parameter name=\"c\" type=\"choice\"/></class>"), ""},
        {CHOICE("\"value\":[2]"), SETUP("<class name=\"thing\"><parameter name=\"c\" type=\"odd\"/></class>"),
         ""},
        {CHOICE("\"value\":[2]"), SETUP("<class name=\"thing\"><parameter name=\"c\"/></class>"), ""},
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"thing\"><parameter name=\"c\" type=\"real\"/></class>"),
         "NS2-PROPERTY-UNKNOWN objects[0].properties[0].type"},
        /* a class without a name, and elements outside of their parents */
        {CHOICE("\"value\":[2]"), SETUP("<class/><class name=\"thing\"/>"), UNKNOWN_C},
        {CHOICE("\"value\":[2]"),
         SETUP("<parameter name=\"c\"/><parent>b</parent><choice value=\"1\"/><class name=\"thing\"/>"),
         UNKNOWN_C},
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"thing\"><parameter name=\"c\" type=\"choice\"/><choice value=\"1\"/></class>"),
         ""},
        /* a class that appears twice: the later one adds to the earlier, and its parameters win */
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"thing\"/><class name=\"thing\"><parameter name=\"c\"/></class>"), ""},
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"thing\"><parameter name=\"c\"/></class><class name=\"thing\"/>"), ""},
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"thing\"><parameter name=\"c\" type=\"real\"/></class>"
               "<class name=\"between\"/><class name=\"thing\"><parameter name=\"c\"/></class>"),
         ""},
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"thing\"><parameter name=\"c\" type=\"real\"/><parameter name=\"b\"/>"
               "<parameter name=\"c\" type=\"choice\"/><parameter name=\"c\" type=\"choice\"/></class>"),
         ""},
        /* parents: as an attribute or in text with blanks, of which there is a limit; circular; missing */
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"b\"><parameter name=\"c\"/></class><class name=\"thing\" parent=\"b\"/>"), ""},
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"b\"><parameter name=\"c\"/></class><class name=\"thing\"><parent> "
               "b\n</parent></class>"),
         ""},
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"" LETTERS_64 LETTERS_64
               "\"><parameter name=\"c\"/></class><class name=\"thing\">"
               "<parent>" LETTERS_64 LETTERS_64 "</parent></class>"),
         ""}, /* 128 letters are truncated to 127: the parent, and so perhaps the property, are elsewhere */
        {CHOICE("\"value\":[2]"), SETUP("<class name=\"thing\" parent=\"thing\"/>"),
         "NS2-SCHEMA \n" UNKNOWN_C},
        {CHOICE("\"value\":[2]"), SETUP("<class name=\"thing\" parent=\"x\"/>"), ""},
        {CHOICE("\"value\":[2]"),
         SETUP("<class name=\"b\"><parameter name=\"c\"/></class><class name=\"thing\"><parent>x<class "
               "name=\"d\"/></parent></class>"),
         UNKNOWN_C}, /* which is not a parent of any class */
        /* positions, and names that are too long, are not checked */
        {ENTITIES(ENTITY("thing", PROPERTY("origin", "9", "\"value\":[1,2,3]") "," PROPERTY(
                                      "angles", "7", "\"value\":[1,2,3]"))),
         SETUP("<class name=\"thing\"/>"), ""},
        {OBJECTS(TEXT(LETTERS_64 LETTERS_64, "a")), SETUP("<class name=\"thing\"/>"), ""},
        {OBJECTS(TEXT(LETTERS_64, "a")), SETUP("<class name=\"thing\"/>"), UNKNOWN_C},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_text_case(&cases[i]);
    /* a fault in the first of several consecutive pieces */
    size_t size = (1u << 20) + 1000;
    char *text = malloc(size);
    assert_non_null(text);
    memset(text, ' ', size);
    memcpy(text, "<a></b>", 7);
    writer w = {0};
    level_plan plan = {0};
    write_level(&w, &plan);
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
    mst_check_options options = {.size = sizeof options, .schema = text, .schema_size = size};
    mst_status status = mst_check(document, &options, NULL, NULL, NULL, &why);
    assert_true(status == MST_ARGUMENT || status == MST_UNSUPPORTED);
    assert_int_equal(why.status, status);
    memcpy(text, "<a></a>", 7);
    findings list = {0};
    status = mst_check(document, &options, collect, &list, NULL, &why);
    assert_true(status == MST_OK || status == MST_UNSUPPORTED);
    if (status == MST_OK) /* no class is known */
        assert_int_equal(count_code(&list, "NS2-CLASS-UNKNOWN"), LEVEL_OBJECTS);
    findings_free(&list);
    free(text);
    mst_close(document);
    writer_free(&w);
}

/* ---- entities ---------------------------------------------------------------------------------- */

#define NUMBER(name, value)         PROPERTY(name, "3", "\"value\":[" value "]")
#define SCALE(value)                PROPERTY("scale", "2", "\"value\":[" value "]")
#define FILE_NAME(text)             PROPERTY("model", "4", "\"value\":[\"" text "\"]")
#define ONE(class_name, properties) ENTITIES(ENTITY(class_name, properties "," ORIGIN))
#define BARE(class_name)            ENTITIES(ENTITY(class_name, ORIGIN))
#define NO_PLAY                     "\n" ONLY_NO_PLAY
#define ONLY_NO_PLAY                                                                                         \
    "i NS2-PLAYABLE objects\ni NS2-PLAYABLE objects\ni NS2-PLAYABLE objects\ni NS2-PLAYABLE objects\n"       \
    "i NS2-PLAYABLE objects\ni NS2-PLAYABLE objects"

static void entities(void **state) {
    (void)state;
    static const text_case cases[] = {
        {BARE(""), NULL, "NS2-CLASS-EMPTY objects[0].class_name"},
        {ONE("thing", PROPERTY("a", "9", "\"value\":[1,2]")), NULL,
         "NS2-PROPERTY-COMPONENTS objects[0].properties[0].value"},
        {ONE("thing", PROPERTY("a", "5", "\"value\":[1,2]")), NULL,
         "NS2-PROPERTY-COMPONENTS objects[0].properties[0].value"},
        {ENTITIES(ENTITY("thing", TEXT("a", "b"))), NULL, "NS2-ORIGIN objects[0]"},
        {BARE("prop_static"), NULL, "NS2-MODEL objects[0]"},
        {ONE("prop_static", FILE_NAME("")), NULL, "NS2-MODEL objects[0]"},
        {ONE("prop_static", FILE_NAME("a.model")), NULL, ""},
        {BARE("prop_dynamic"), NULL, ""},
        {BARE("prop_statics"), NULL, ""},
        {ONE("location", TEXT("name", "a") "," SCALE("1,2,3")), NULL, ""},
        {ONE("location", TEXT("name", "a")), NULL, ""},
        {ONE("location", TEXT("name", "")), NULL, "NS2-LOCATION objects[0]"},
        {BARE("location"), NULL, "NS2-LOCATION objects[0]"},
        {ONE("location", TEXT("name", "a") "," SCALE("1,-0.0,0")), NULL,
         "NS2-LOCATION objects[0].properties[1].value[1]\nNS2-LOCATION objects[0].properties[1].value[2]"},
        {ONE("location", TEXT("name", "a") "," SCALE("0")), NULL,
         ""}, /* without information about its sides */
        {ONE("thing", SCALE("0,0,0") "," TEXT("name", "")), NULL, ""},
        {ENTITIES(
             ENTITY("a_gamerules", ORIGIN) "," ENTITY("thing", ORIGIN) "," ENTITY("a_gamerules", ORIGIN)),
         NULL, "NS2-GAMERULES-TWICE objects[2].class_name"},
        {ENTITIES(
             ENTITY("gamerules", ORIGIN) "," ENTITY("gamerules", ORIGIN) "," ENTITY("gamerules", ORIGIN)),
         NULL, "NS2-GAMERULES-TWICE objects[1].class_name\nNS2-GAMERULES-TWICE objects[2].class_name"},
        {ENTITIES(ENTITY("a_gamerules", ORIGIN) "," ENTITY("b_gamerules", ORIGIN) "," ENTITY(
             "gamerules", ORIGIN) "," ENTITY("gamerules_a", ORIGIN) "," ENTITY("gamerules_a", ORIGIN)),
         NULL, ""},
        {WITH_MESH "\"objects\":[{\"class_name\":\"a\",\"group\":4294967295,\"properties\":[" ORIGIN
                   "],\"extras\":[{\"name\":\"other\",\"data\":\"00\"},"
                   "{\"name\":\"reflection_probe_cubemap\",\"data\":\"0011\"},"
                   "{\"name\":\"reflection_probe_cubemap\"},{\"name\":\"reflection_probe_cubemaps\"}]}]}",
         NULL, "NS2-EXTRA-SIZE objects[0].extras[1].data\nNS2-EXTRA-SIZE objects[0].extras[2].data"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_text_case(&cases[i]);
    static const text_case informed[] = {
        {BARE("prop_dynamic"), NULL, "i NS2-MODEL objects[0]" NO_PLAY},
        {ONE("thing", FILE_NAME("a/B.model")), NULL, "i NS2-MODEL objects[0].properties[0].value" NO_PLAY},
        {ONE("thing", FILE_NAME("a\\\\b.model")), NULL, "i NS2-MODEL objects[0].properties[0].value" NO_PLAY},
        {ONE("thing", FILE_NAME("a\\\\B.model")), NULL, "i NS2-MODEL objects[0].properties[0].value" NO_PLAY},
        {ONE("thing", FILE_NAME("A\\\\b.model")), NULL, "i NS2-MODEL objects[0].properties[0].value" NO_PLAY},
        {ONE("thing", FILE_NAME("a@[.model") "," TEXT("sound", "A\\\\B")), NULL, ONLY_NO_PLAY},
        {ENTITIES(ENTITY("thing", PROPERTY("origin", "9", "\"value\":[3000,4000,0]"))), NULL, ONLY_NO_PLAY},
        {ENTITIES(ENTITY("thing", PROPERTY("origin", "9", "\"value\":[3000,-4001,0]"))), NULL,
         "i NS2-ORIGIN objects[0].properties[0].value" NO_PLAY},
        {ENTITIES(ENTITY("thing", PROPERTY("origin", "9", "\"value\":[\"Infinity\",0,0]"))), NULL,
         "NS2-NONFINITE objects[0].properties[0].value[0]" NO_PLAY},
    };
    for (size_t i = 0; i < sizeof informed / sizeof *informed; i++)
        run_case(&informed[i], true);
}

/* References of entities. */
static void links(void **state) {
    (void)state;
#define GATE(properties) ENTITY("teleport_trigger", properties "," ORIGIN)
#define GOAL(number)     ENTITY("teleport_destination", NUMBER("teleportDestinationId", number) "," ORIGIN)
    static const text_case informed[] = {
        {ENTITIES(GATE(NUMBER("teleportDestinationId", "7"))), NULL,
         "i NS2-TELEPORT objects[0].properties[0].value" NO_PLAY},
        {ENTITIES(GATE(NUMBER("teleportDestinationId", "7")) "," GOAL("8")), NULL,
         "i NS2-TELEPORT objects[0].properties[0].value" NO_PLAY},
        {ENTITIES(GATE(NUMBER("teleportDestinationId", "-7")) "," GOAL("8") "," GOAL("-7")), NULL,
         ONLY_NO_PLAY},
        /* the number of another trigger, or of something else, is dangling */
        {ENTITIES(GATE(NUMBER("teleportDestinationId", "7")) "," ENTITY(
             "thing", NUMBER("teleportDestinationId", "7") "," ORIGIN)),
         NULL, "i NS2-TELEPORT objects[0].properties[0].value" NO_PLAY},
        /* neither a number nor a name */
        {ENTITIES(GATE(TEXT("destination", ""))), NULL, "i NS2-TELEPORT objects[0].class_name" NO_PLAY},
        /* a name takes precedence over the number, wherever it is */
        {ENTITIES(GATE(NUMBER("teleportDestinationId", "7") "," TEXT("destination", "Goal")) "," ENTITY(
             "thing", TEXT("name", "goal") "," ORIGIN)),
         NULL, ONLY_NO_PLAY},
        {ENTITIES(ENTITY("thing", TEXT("name", "goal") "," ORIGIN) "," GATE(
             TEXT("destination", "GOAL") "," NUMBER("teleportDestinationId", "7"))),
         NULL, ONLY_NO_PLAY},
        {ENTITIES(GATE(NUMBER("teleportDestinationId", "7") "," TEXT("destination", "goal")) "," GOAL("7")),
         NULL, "i NS2-TELEPORT objects[0].properties[1].value" NO_PLAY},
        /* an empty one does not */
        {ENTITIES(GATE(NUMBER("teleportDestinationId", "7") "," TEXT("destination", "")) "," GOAL("8")), NULL,
         "i NS2-TELEPORT objects[0].properties[0].value" NO_PLAY},
        {ENTITIES(GATE(PROPERTY("teleportDestinationId", "3", "\"animated\":true"))), NULL,
         "NS2-ANIMATED objects[0].properties[0].animated" NO_PLAY},
    };
    for (size_t i = 0; i < sizeof informed / sizeof *informed; i++)
        run_case(&informed[i], true);
#define STOP(name)               ENTITY("func_train_waypoint", TEXT("trainName", name) "," ORIGIN)
#define WAVE(name)               ENTITY("npc_wave_manager", TEXT("waypoint", name) "," ORIGIN)
#define CALLED(class_name, name) ENTITY(class_name, TEXT("name", name) "," ORIGIN)
    static const text_case cases[] = {
        {ENTITIES(STOP("a") "," CALLED("func_train", "A")), NULL, ""},
        {ENTITIES(STOP("a") "," CALLED("func_moveable", "a")), NULL, ""},
        {ENTITIES(CALLED("func_platform", "a") "," STOP("a") "," STOP("a")), NULL, ""},
        {ENTITIES(STOP("a") "," CALLED("func_trains", "a")), NULL,
         "NS2-TRAIN objects[0].properties[0].value"},
        {ENTITIES(STOP("a") "," CALLED("func", "a")), NULL, "NS2-TRAIN objects[0].properties[0].value"},
        {ENTITIES(STOP("")), NULL, "NS2-TRAIN objects[0].class_name"},
        {BARE("func_train_waypoint"), NULL, "NS2-TRAIN objects[0].class_name"},
        {ENTITIES(WAVE("a") "," CALLED("logic_waypoint", "a")), NULL, ""},
        {ENTITIES(WAVE("a") "," CALLED("logic_timer", "a")), NULL,
         "NS2-WAYPOINT objects[0].properties[0].value"},
        {ENTITIES(ENTITY("npc_wave_manager_tunnel", TEXT("waypoint", "a") "," ORIGIN)), NULL,
         "NS2-WAYPOINT objects[0].properties[0].value"},
        {ENTITIES(WAVE("") "," ENTITY("npc_wave_manager", ORIGIN)), NULL, ""},
        {ENTITIES(ENTITY("thing", TEXT("waypoint", "a") "," ORIGIN)), NULL, ""},
        /* a train is not a goal of a wave of the same name */
        {ENTITIES(STOP("a") "," WAVE("a") "," CALLED("func_train", "a")), NULL,
         "NS2-WAYPOINT objects[1].properties[0].value"},
        /* a channel without a sender, and a room with only one place, are not suspicious */
        {ENTITIES(ENTITY("cinematic", NUMBER("listenChannel", "5") "," ORIGIN) "," ENTITY(
             "room_spawn", NUMBER("RoomId", "5") "," ORIGIN)),
         NULL, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_text_case(&cases[i]);
}

/* ---- meshes ------------------------------------------------------------------------------------ */

#define NONE                "\"mapping_group\":4294967295"
#define UNIT                "\"scale\":[1,1],"
#define LAYERS(list)        "\"face_layers\":{\"format\":2,\"faces\":[" list "]},"
#define VERTICES(l)         "\"vertices\":[" l "],"
#define V(x, y, z)          "{\"position\":[" #x "," #y "," #z "]}"
#define EDGES(l)            "\"edges\":[" l "],"
#define E(a, b)             "{\"vertices\":[" #a "," #b "]}"
#define L(f, e)             "{\"flipped\":" #f ",\"edge\":" #e "}"
#define FACES(l)            "\"materials\":[\"a\"],\"faces\":[" l "],"
#define TRIANGLES(count, l) "\"triangles\":{\"triangle_count\":" count ",\"faces\":[" l "]}"
#define T(a, b, c)          "{\"vertices\":[" #a "," #b "," #c "]}"
#define GHOSTS(count, g, l)                                                                                  \
    "\"triangles\":{\"ghost_vertices\":[" g "],\"triangle_count\":" count ",\"faces\":[" l "]}"
/* A square of 4 m, and a face of it with a hole of 2 m. */
#define SQUARE                                                                                               \
    VERTICES(V(0, 0, 0) "," V(4, 0, 0) "," V(4, 4, 0) "," V(0, 4, 0))                                        \
    EDGES(E(0, 1) "," E(1, 2) "," E(2, 3) "," E(3, 0))
#define ROUND    L(false, 0) "," L(false, 1) "," L(false, 2) "," L(false, 3)
#define ONE_FACE FACES("{" UNIT NONE ",\"loops\":[[" ROUND "]]}") LAYERS("{}")

static void meshes(void **state) {
    (void)state;
    static const text_case cases[] = {
        {"{\"$format\":\"ns2-level\",\"version\":10}", NULL, "NS2-MESH-COUNT mesh"},
        {"{\"$format\":\"ns2-level\",\"version\":4}", NULL, "NS2-MESH-COUNT mesh"},
        {MESH_OF(""), NULL, ""}, /* lenient reading adds the members that every mesh has */
        {MESH_OF(TRIANGLES("0", "")), NULL, ""},
        {MESH_OF(FACES("{" UNIT NONE ",\"loops\":[[]]}") LAYERS("{}") TRIANGLES("0", "[]")), NULL,
         "NS2-LOOP-EMPTY mesh.faces[0].loops[0]"},
        {MESH_OF(SQUARE ONE_FACE TRIANGLES("2", "[" T(0, 1, 2) "," T(0, 2, 3) "]")), NULL, ""},
        /* a hole without edges is not a border */
        {MESH_OF(SQUARE FACES("{" UNIT NONE ",\"loops\":[[" ROUND "],[]]}") LAYERS("{}")
                     TRIANGLES("2", "[" T(0, 1, 2) "," T(0, 2, 3) "]")),
         NULL, ""},
        {MESH_OF(SQUARE FACES("{" UNIT NONE ",\"loops\":[[" ROUND "]]}")
                     TRIANGLES("2", "[" T(0, 1, 2) "," T(0, 2, 3) "]")),
         NULL, "NS2-FACE-LAYERS mesh"},
        {MESH_OF(SQUARE ONE_FACE "\"mapping_groups\":[]"), NULL, "NS2-TRIANGLES-MISSING mesh"},
        {MESH_OF(SQUARE ONE_FACE TRIANGLES("0", "")), NULL,
         "NS2-TRIANGLES-MISSING mesh.triangles.face_count"},
        /* a mapping group's scale is used in place of a face's */
        {MESH_OF(SQUARE FACES("{\"mapping_group\":3,\"loops\":[[" ROUND "]]}") LAYERS(
             "{}") "\"mapping_groups\":[{\"id\":3,\"scale\":[1,2]}]," TRIANGLES("1", "[" T(0, 1, 2) "]")),
         NULL, ""},
        {MESH_OF("\"mapping_groups\":[{\"id\":3,\"scale\":[1,2]},{\"id\":4,\"scale\":[1,-0.0]}]," TRIANGLES(
             "0", "")),
         NULL, "NS2-TEXTURE-SCALE mesh.mapping_groups[1].scale[1]"},
        /* of three materials with one name all but the first are reported; no face uses any of them */
        {MESH_OF("\"materials\":[\"b\",\"a\",\"b\",\"ab\",\"b\"]," TRIANGLES("0", "")), NULL,
         "NS2-MATERIAL-ORDER mesh.materials[0]\nNS2-MATERIAL-TWICE mesh.materials[2]\nNS2-MATERIAL-TWICE "
         "mesh.materials[4]"},
        {MESH_OF("\"materials\":[\"" LETTERS_64 "\",\"" LETTERS_64 "\"]," TRIANGLES("0", "")), NULL,
         "NS2-MATERIAL-ORDER mesh.materials[0]\nNS2-MATERIAL-TWICE mesh.materials[1]"},
        {MESH_OF("\"materials\":[\"\",\"\"]," TRIANGLES("0", "")), NULL,
         "NS2-MATERIAL-ORDER mesh.materials[0]\nNS2-MATERIAL-TWICE mesh.materials[1]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_text_case(&cases[i]);
}

/* The corners that a face contains: its own, those on its edges (to a centimetre), those within it. */
static void corners_of_triangles(void **state) {
    (void)state;
#define GHOST_OF(at)      MESH_OF(SQUARE ONE_FACE GHOSTS("1", "[" at "]", "[" T(0, 1, 4) "]"))
#define GHOST_AT(x, y, z) GHOST_OF(#x "," #y "," #z)
#define OFF               "NS2-TRIANGLE-FACE mesh.triangles.faces[0][0].vertices[2]"
    static const text_case cases[] = {
        {GHOST_AT(2, 2, 0), NULL, ""},
        {GHOST_AT(2, 2, 0.009), NULL, ""},
        {GHOST_AT(2, 2, -0.011), NULL, OFF},
        {GHOST_AT(2, 4, 0), NULL, ""},
        {GHOST_AT(2, 4.009, 0), NULL, ""},
        {GHOST_AT(2, 4.011, 0), NULL, OFF},
        {GHOST_AT(2, 4.5, 0), NULL, OFF},
        {GHOST_AT(-1, 2, 0), NULL, OFF},
        {GHOST_AT(5, 2, 0), NULL, OFF},
        {GHOST_AT(5, 5, 5), NULL, OFF},
        {GHOST_OF("2,2,\"NaN\""), NULL, "NS2-NONFINITE mesh.triangles.ghost_vertices[0][2]"},
        {GHOST_OF("2,2,1e38"), NULL, OFF},
        {GHOST_OF("\"Infinity\",2,0"), NULL, "NS2-NONFINITE mesh.triangles.ghost_vertices[0][0]"},
        /* a face without a border contains no corner */
        {MESH_OF(SQUARE FACES("{" UNIT NONE ",\"loops\":[[]]}") LAYERS("{}")
                     TRIANGLES("1", "[" T(0, 1, 2) "]")),
         NULL,
         "NS2-LOOP-EMPTY mesh.faces[0].loops[0]\nNS2-TRIANGLE-FACE mesh.triangles.faces[0][0].vertices[0]"},
        /* a slope: over its middle */
        {MESH_OF(VERTICES(V(0, 0, 0) "," V(4, 0, 0) "," V(4, 4, 4) "," V(0, 4, 4))
                     EDGES(E(0, 1) "," E(1, 2) "," E(2, 3) "," E(3, 0))
                         ONE_FACE GHOSTS("2", "[2,2,3],[2,3,3]", "[" T(0, 1, 5) "," T(0, 1, 4) "]")),
         NULL, "NS2-TRIANGLE-FACE mesh.triangles.faces[0][1].vertices[2]"},
        /* not at a vertex unrelated to the face, but once for a triangle */
        {MESH_OF(SQUARE FACES("{" UNIT NONE ",\"loops\":[[" L(false, 0) "," L(false, 1) "]]}") LAYERS("{}")
                     TRIANGLES("1", "[" T(0, 3, 3) "]")),
         NULL,
         "NS2-LOOP-OPEN mesh.faces[0].loops[0][0]\nNS2-TRIANGLE-FACE mesh.triangles.faces[0][0].vertices[1]"},
        /* faces with a missing edge or vertex, or one that is not finite, are not checked */
        {MESH_OF(SQUARE FACES("{" UNIT NONE ",\"loops\":[[" L(false, 0) "," L(false, 9) "]]}") LAYERS("{}")
                     TRIANGLES("1", "[" T(0, 1, 3) "]")),
         NULL, "NS2-EDGE-INDEX mesh.faces[0].loops[0][1].edge"},
        {MESH_OF(VERTICES(V(0, 0, 0) "," V(1, 0, 0)) EDGES(E(0, 7)) FACES("{" UNIT NONE ",\"loops\":[[" L(
             false, 0) "," L(true, 0) "]]}") LAYERS("{}") TRIANGLES("1", "[" T(0, 1, 1) "]")),
         NULL, "NS2-EDGE-VERTEX mesh.edges[0].vertices[1]"},
        {MESH_OF(VERTICES(V(0, 0, 0) ",{\"position\":[1,\"NaN\",0]}"
                                     "," V(1, 1, 0) "," V(5, 5, 5)) EDGES(E(0, 1) "," E(1, 2) "," E(2, 0))
                     FACES("{" UNIT NONE ",\"loops\":[[" L(false, 0) "," L(false, 1) "," L(false, 2) "]]}")
                         LAYERS("{}") TRIANGLES("1", "[" T(0, 1, 3) "]")),
         NULL, "NS2-NONFINITE mesh.vertices[1].position[1]"},
        /* a missing corner is reported as such */
        {MESH_OF(SQUARE ONE_FACE TRIANGLES("1", "[" T(0, 1, 4) "]")), NULL,
         "NS2-TRIANGLE-VERTEX mesh.triangles.faces[0][0].vertices[2]"},
        /* an L-shaped face: within its bounds, but outside */
        {MESH_OF(VERTICES(V(0, 0, 0) "," V(4, 0, 0) "," V(4, 1, 0) "," V(1, 1, 0) "," V(1, 4, 0) "," V(
             0, 4, 0)) EDGES(E(0, 1) "," E(1, 2) "," E(2, 3) "," E(3, 4) "," E(4, 5) "," E(5, 0))
                     FACES("{" UNIT NONE ",\"loops\":[[" L(false, 0) "," L(false, 1) "," L(false, 2) "," L(
                         false, 3) "," L(false, 4) "," L(false, 5) "]]}") LAYERS("{}")
                         GHOSTS("2", "[3,3,0],[0.5,0.5,0]", "[" T(0, 1, 6) "," T(0, 1, 7) "]")),
         NULL, "NS2-TRIANGLE-FACE mesh.triangles.faces[0][0].vertices[2]"},
        /* the edge of a hole is one of the face's; a face in another plane */
        {MESH_OF(VERTICES(V(0, 0, 0) "," V(0, 8, 0) "," V(0, 8, 8) "," V(0, 0, 8) "," V(0, 2, 2) "," V(
             0, 2, 6) "," V(0, 6, 6) "," V(0, 6, 2))
                     EDGES(E(0, 1) "," E(1, 2) "," E(2, 3) "," E(3, 0) "," E(4, 5) "," E(5, 6) "," E(
                         6, 7) "," E(7, 4))
                         FACES("{" UNIT NONE ",\"loops\":[[" ROUND
                               "],[" L(false, 4) "," L(false, 5) "," L(false, 6) "," L(false, 7) "]]}")
                             LAYERS("{}") GHOSTS("2", "[0,2,4],[1,1,1]", "[" T(0, 4, 8) "," T(0, 4, 9) "]")),
         NULL, "NS2-TRIANGLE-FACE mesh.triangles.faces[0][1].vertices[2]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_text_case(&cases[i]);
}

/* Faces without triangles: with an area, with an invisible one, and with an unknown one. */
static void faces_without_triangles(void **state) {
    (void)state;
#define STRIP(width) /* one of 4 m */                                                                        \
    MESH_OF(VERTICES(V(0, 0, 0) "," V(4, 0, 0) "," V(4, width, 0) "," V(0, width, 0))                        \
                EDGES(E(0, 1) "," E(1, 2) "," E(2, 3) "," E(3, 0)) ONE_FACE TRIANGLES("0", "[]"))
    static const text_case informed[] = {
        {STRIP(0.002), NULL, "NS2-FACE-EMPTY mesh.triangles.faces[0]" NO_PLAY},
        {STRIP(0.0009), NULL, "i NS2-FACE-EMPTY mesh.triangles.faces[0]" NO_PLAY},
        {STRIP(0), NULL, "i NS2-FACE-EMPTY mesh.triangles.faces[0]" NO_PLAY},
    };
    for (size_t i = 0; i < sizeof informed / sizeof *informed; i++)
        run_case(&informed[i], true);
    static const text_case unknown = {
        MESH_OF(FACES("{" UNIT NONE ",\"loops\":[[" L(false, 0) "]]}") LAYERS("{}") TRIANGLES("0", "[]")),
        NULL, "NS2-EDGE-INDEX mesh.faces[0].loops[0][0].edge\nNS2-FACE-EMPTY mesh.triangles.faces[0]"};
    run_text_case(&unknown);
}

/* Edges that more than two faces use: a face that runs over one more than once counts once. */
static void edges_of_faces(void **state) {
    (void)state;
#define LOOSE "i NS2-EDGE-LOOSE mesh.edges[2]\ni NS2-EDGE-LOOSE mesh.edges[3]"
#define TWICE "{" UNIT NONE ",\"loops\":[[" L(false, 0) "," L(true, 0) "],[" L(false, 0) "," L(true, 0) "]]}"
#define ONCE  "{" UNIT NONE ",\"loops\":[[" L(false, 1) "," L(true, 1) "," L(false, 1) "," L(true, 1) "]]}"
    static const text_case informed[] = {
        {MESH_OF(SQUARE FACES(TWICE "," ONCE) LAYERS("{},{}") TRIANGLES("0", "[],[]")), NULL,
         "i NS2-FACE-EMPTY mesh.triangles.faces[0]\ni NS2-FACE-EMPTY mesh.triangles.faces[1]\n" LOOSE
             NO_PLAY},
        {MESH_OF(SQUARE FACES(TWICE "," ONCE "," TWICE "," TWICE) LAYERS("{},{},{},{}")
                     TRIANGLES("0", "[],[],[],[]")),
         NULL,
         "i NS2-FACE-EMPTY mesh.triangles.faces[0]\ni NS2-FACE-EMPTY mesh.triangles.faces[1]\n"
         "i NS2-FACE-EMPTY mesh.triangles.faces[2]\ni NS2-FACE-EMPTY mesh.triangles.faces[3]\n"
         "i NS2-EDGE-NONMANIFOLD mesh.edges[0]\n" LOOSE NO_PLAY},
    };
    for (size_t i = 0; i < sizeof informed / sizeof *informed; i++)
        run_case(&informed[i], true);
}

/* A clipboard's mesh normally has no triangles; if it has, they are checked. */
static void triangles_on_a_clipboard(void **state) {
    (void)state;
#define CLIP(parts) "{\"$format\":\"ns2-clip\",\"blocks\":[{\"kind\":\"mesh\",\"mesh\":{" parts "}}]}"
    static const text_case cases[] = {
        {CLIP(SQUARE FACES("{" UNIT NONE ",\"loops\":[[" ROUND
                           "]]}") "\"face_layers\":{\"format\":2,\"faces\":[{}]}"),
         NULL, ""},
        {CLIP(SQUARE ONE_FACE TRIANGLES("0", "")), NULL,
         "NS2-TRIANGLES-MISSING blocks[0].mesh.triangles.face_count"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        run_text_case(&cases[i]);
}

/* ---- large levels, and files that change --------------------------------------------------------- */

enum { ROUND_EDGES = 1000, ROUND_TRIANGLES = 1500 };

static void add(char *text, size_t capacity, size_t *length, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void add(char *text, size_t capacity, size_t *length, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    *length += (size_t)vsnprintf(text + *length, capacity - *length, format, arguments);
    va_end(arguments);
    assert_true(*length < capacity);
}

/* A face of that many edges, with triangles that all have the same corner outside of its border, but within
 * its bounds: a saw of 1 m teeth. NULL: this build cannot read JSON. */
static mst_document *open_saw(void) {
    size_t capacity = 400000, length = 0;
    char *text = malloc(capacity);
    assert_non_null(text);
    add(text, capacity, &length, "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"vertices\":[");
    for (unsigned i = 0; i < ROUND_EDGES; i++)
        add(text, capacity, &length, "%s{\"position\":[%u,%u,0]}", i ? "," : "", i < 999 ? i : 998,
            i == 0 || i == 999 ? 0
            : i % 2            ? 1
                               : 3);
    add(text, capacity, &length, "],\"edges\":[");
    for (unsigned i = 0; i < ROUND_EDGES; i++)
        add(text, capacity, &length, "%s{\"vertices\":[%u,%u]}", i ? "," : "", i, (i + 1) % ROUND_EDGES);
    add(text, capacity, &length, "]," FACES("{" UNIT NONE ",\"loops\":[["));
    length -= strlen("],");
    for (unsigned i = 0; i < ROUND_EDGES; i++)
        add(text, capacity, &length, "%s{\"edge\":%u}", i ? "," : "", i);
    add(text, capacity, &length,
        "]]}]," LAYERS("{}") "\"triangles\":{\"ghost_vertices\":[[1,2.5,0]],\"faces\":[[");
    for (unsigned i = 0; i < ROUND_TRIANGLES; i++)
        add(text, capacity, &length, "%s" T(0, 1, 1000), i ? "," : "");
    add(text, capacity, &length, "]],\"triangle_count\":1500}}}");
    mst_open_options options = {.size = sizeof options, .lenient_json = 1};
    mst_document *document = NULL;
    mst_diagnostic why;
    mst_status status = mst_open_json(text, length, &options, &document, &why);
    if (status != MST_UNSUPPORTED)
        MUST(status, &why);
    free(text);
    return document;
}

/* Corners are compared with edges as long as that takes no longer than a few passes over the file. */
static void effort_is_bounded(void **state) {
    (void)state;
    mst_document *document = open_saw();
    if (!document)
        skip();
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(document, NULL, collect, &list, NULL, &why), &why);
    size_t size;
    const void *bytes = mst_document_bytes(document, &size);
    assert_int_equal(list.count, 16 * size / ROUND_EDGES);
    assert_true(list.count > 500 && list.count < ROUND_TRIANGLES);
    assert_int_equal(count_code(&list, "NS2-TRIANGLE-FACE"), list.count);
    findings_free(&list);
    /* whichever request for memory is refused */
    mst_check_options options = {.size = sizeof options, .information = 1};
    MUST(mst_check(document, &options, collect, &list, NULL, &why), &why);
    assert_true(assert_refused_checks(bytes, size, &options, &list) > 3 || sample_step() > 3);
    findings_free(&list);
    mst_close(document);
}

/* Many entities that reference nothing, and a schema of long names: whichever request for memory is
 * refused. */
static void refused_memory(void **state) {
    (void)state;
    enum { MANY = 3000, LONG = 300000 };
    size_t capacity = MANY * 160, length = 0;
    char *text = malloc(capacity), *setup = malloc(LONG + 100);
    assert_non_null(text);
    assert_non_null(setup);
    add(text, capacity, &length, WITH_MESH "\"objects\":[");
    for (unsigned i = 0; i < MANY; i++)
        add(text, capacity, &length, "%s" ENTITY("func_train_waypoint", ORIGIN), i ? "," : "");
    add(text, capacity, &length, "]}");
    mst_open_options options = {.size = sizeof options, .lenient_json = 1};
    mst_document *document;
    mst_diagnostic why;
    mst_status status = mst_open_json(text, length, &options, &document, &why);
    free(text);
    if (status == MST_UNSUPPORTED) {
        free(setup);
        skip();
    }
    MUST(status, &why);
    length = (size_t)snprintf(setup, 100, "<a><class name=\"func_train_waypoint\"/><class name=\"");
    memset(setup + length, 'x', LONG);
    length += LONG;
    memcpy(setup + length, "\"/></a>", 7);
    for (int with_schema = 0; with_schema < 2; with_schema++) {
        mst_check_options how = {.size = sizeof how,
                                 .schema = with_schema ? setup : NULL,
                                 .schema_size = with_schema ? length + 7 : 0};
        findings list = {0};
        status = mst_check(document, &how, collect, &list, NULL, &why);
        if (status == MST_UNSUPPORTED)
            continue;
        MUST(status, &why);
        assert_int_equal(count_code(&list, "NS2-TRAIN"), MANY);
        size_t size;
        const void *bytes = mst_document_bytes(document, &size);
        /* the checker, the schema, and the entities; another request is for less work only */
        assert_true(assert_refused_checks(bytes, size, &how, &list) > 2 || sample_step() > 3);
        findings_free(&list);
    }
    free(setup);
    mst_close(document);
}

/* Writes to the level while it is checked, as another program may to a file that is mapped. */
typedef struct meddler {
    writer *w;
    int times;
} meddler;

static mst_status meddle(void *user, const mst_diagnostic *finding) {
    meddler *m = user;
    (void)finding;
    if (m->times++ == 0) {
        mst_store(m->w->data + mark_of(m->w, "mesh.faces[2].inner_loop_count")->offset, 4, UINT32_MAX, false);
        mst_store(m->w->data + mark_of(m->w, "mesh.faces[2].loops[0][0].flipped")->offset - 4, 4, UINT32_MAX,
                  false);
        /* counts are from the walk; a triangle no longer has an area */
        size_t triangles = mark_of(m->w, "mesh.triangles.faces[1]")->offset;
        mst_store(m->w->data + triangles, 4, UINT32_MAX, false);
        for (size_t corner = 0; corner < 3; corner++)
            mst_store(m->w->data + triangles + 4 + 4 * corner, 4, 0, false);
    }
    return MST_OK;
}

static void a_level_that_changes(void **state) {
    (void)state;
    writer w = {0};
    level_plan plan = {.unused_material = true};
    write_level(&w, &plan);
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
    meddler m = {.w = &w};
    mst_check_options options = {.size = sizeof options, .information = 1};
    mst_status status = mst_check(document, &options, meddle, &m, NULL, &why);
    assert_true(status == MST_OK || status == MST_DAMAGED);
    assert_true(m.times > 1);
    mst_close(document);
    writer_free(&w);
}

static void every_code_of_texts_is_met(void **state) {
    (void)state;
    if (!met_count)
        skip(); /* a build that cannot read JSON */
    for (size_t i = 0; i < sizeof ns2_text_codes / sizeof *ns2_text_codes; i++) {
        bool xml = strcmp(ns2_text_codes[i], "NS2-SCHEMA") == 0; /* which only some builds can read */
        if (!xml && !has_met(ns2_text_codes[i]))
            print_error("%s is not met\n", ns2_text_codes[i]);
        assert_true(xml || has_met(ns2_text_codes[i]));
    }
}

int test_ns2_checks(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_nearly_known),
        cmocka_unit_test(outputs),
        cmocka_unit_test(many_properties),
        cmocka_unit_test(many_outputs),
        cmocka_unit_test(odd_schemas),
        cmocka_unit_test(schemas_with_parents),
        cmocka_unit_test(words_about_schemas),
        cmocka_unit_test(long_chains_of_parents),
        cmocka_unit_test(entities),
        cmocka_unit_test(links),
        cmocka_unit_test(meshes),
        cmocka_unit_test(corners_of_triangles),
        cmocka_unit_test(faces_without_triangles),
        cmocka_unit_test(edges_of_faces),
        cmocka_unit_test(triangles_on_a_clipboard),
        cmocka_unit_test(effort_is_bounded),
        cmocka_unit_test(refused_memory),
        cmocka_unit_test(a_level_that_changes),
        cmocka_unit_test(every_code_of_texts_is_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
