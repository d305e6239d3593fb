/* SPDX-License-Identifier: MIT */
/* Materials of Natural Selection 2: values and other text, edits that keep everything else, checks. */
#include "support.h"
#include <mapstone/mapstone.h>

static mst_document *open_text(const char *text) {
    mst_open_options options = {.size = sizeof options, .name = "a.material"};
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(text, strlen(text), &options, &document, &why), &why);
    assert_string_equal(mst_document_format(document)->id, "spark-material");
    return document;
}

static void assert_text(const mst_document *document, const char *text) {
    size_t size;
    const void *bytes = mst_document_file(document, 0, NULL, &size);
    if (size != strlen(text) || memcmp(bytes, text, size) != 0)
        fail_msg("the text is\n%.*s\nnot\n%s", (int)size, (const char *)bytes, text);
}

static void assert_member(const mst_document *document, size_t index, const char *name,
                          const char *expected) {
    char path[60], text[200];
    mst_value value;
    mst_diagnostic why;
    snprintf(path, sizeof path, "values[%zu].%s", index, name);
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
    assert_string_equal(text, expected);
}

static size_t count_of(const mst_document *document) {
    mst_value values;
    MUST(mst_find(mst_root(document), "values", &values, NULL), NULL);
    return (size_t)mst_count(&values);
}

/* Names and values are found whatever surrounds them, and every byte survives. */
static void reading(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *values[6]; /* name, value, ... */
    } files[] = {
        {"", {NULL}},
        {"\n \t\r\n", {NULL}},
        {"// a = 1", {NULL}},
        {"/* a = 1 */", {NULL}},
        {"/* a = 1", {NULL}},
        {"a", {NULL}},
        {"a =", {NULL}},
        {"a = // b = 1\nc = 2", {"c", "2"}},
        {"= 1\n1a = 2\n", {NULL}},
        {"a b = 1\nc=2", {"c", "2"}},
        {"a = \"b\"", {"a", "b"}},
        {"a = \"b\"\n", {"a", "b"}},
        {"a=\"b\"\r\nc_2\t=\t-.5\r\n", {"a", "b", "c_2", "-.5"}},
        {"a = \"//b\" // c\nd = 2.// e", {"a", "//b", "d", "2."}},
        {"a = 1/* b */c = 2\n", {"a", "1", "c", "2"}},
        {"a = [1, 2.5]\nb = [ .2 ]", {"a", "[1, 2.5]", "b", "[ .2 ]"}},
        {"a = [1, 2\nb = [", {"a", "[1,", "b", "["}},
        {"a = \"b\nc = \"\"\n", {"a", "b", "c", ""}},
        {"a = \"b\" c = \"d\"\n", {"a", "b", "c", "d"}},
        {"a = word\"b\"\n", {"a", "word"}},
        {"a = \"5\"\n", {"a", "5"}},
        {"  a = \"b\"\n", {"a", "b"}},
        {" <material><map type=\"texture\" value=\"a.dds\"/>\n<map type=\"bump\"value=\"b\" />",
         {"texture", "a.dds", "bump", "b"}},
        {"<material> type=\"a\" type=\"\" value=\"b\" type=\"c value=\"d\" type=\"e\" value=\"f", {NULL}},
        {"<material> type=\"a", {NULL}},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        mst_document *document = open_text(files[i].text);
        size_t count = 0;
        for (; count < 3 && files[i].values[2 * count]; count++) {
            assert_member(document, count, "name", files[i].values[2 * count]);
            assert_member(document, count, "value", files[i].values[2 * count + 1]);
        }
        assert_int_equal(count_of(document), count);
        assert_text(document, files[i].text);
        assert_round_trips(document);
        mst_close(document);
    }
}

/* Text around a value is kept only if it is not the default. */
static void usual(void **state) {
    (void)state;
    mst_document *document = open_text("a = \"b\"\nc = 1.5\nd = [1, -2]\ne = \"1\"\nf =2\n");
    static const char *const between[] = {"", "", "", " = \"", " ="}, *const after[] = {"", "", "", "\"\n",
                                                                                        "\n"};
    for (size_t i = 0; i < 5; i++) {
        assert_member(document, i, "between", between[i]);
        assert_member(document, i, "after", after[i]);
    }
    mst_close(document);
}

#define MARK "\xEF\xBB\xBF"
/* A byte order mark does not hide the line after it, and keeps its place. */
static void byte_order_mark(void **state) {
    (void)state;
    static const struct {
        const char *text, *names[2];
    } files[] = {
        {MARK "shader = \"b\"\na = 1\n", {"shader", "a"}},
        {MARK "  shader = \"b\"", {"shader"}},
        {MARK "// c\nshader = \"b\"\n", {"shader"}},
        {MARK "\n<material><map type=\"a\" value=\"b\"/>", {"a"}},
        {MARK, {NULL}},
        {"\xEF\xBBshader = \"b\"\na = 1\n", {"a"}},
        {MARK MARK "shader = \"b\"\na = 1\n", {"a"}},
        {"\n" MARK "shader = \"b\"\na = 1\n", {"a"}},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        mst_document *document = open_text(files[i].text);
        size_t count = 0;
        for (; count < 2 && files[i].names[count]; count++)
            assert_member(document, count, "name", files[i].names[count]);
        assert_int_equal(count_of(document), count);
        assert_text(document, files[i].text);
        assert_round_trips(document);
        mst_close(document);
    }
    mst_document *document = open_text(MARK "shader = \"a.surface_shader\"\nsurface = \"metal\"\n");
    findings list = {0};
    mst_diagnostic why;
    const mst_check_options all = {.size = sizeof all, .information = 1};
    MUST(mst_check(document, &all, collect, &list, NULL, &why), &why);
    assert_int_equal(list.count, 0);
    findings_free(&list);
    assert_member(document, 0, "between", "");
    MUST(mst_set(document, "values[0].value", "b.surface_shader", &why), &why);
    assert_text(document, MARK "shader = \"b.surface_shader\"\nsurface = \"metal\"\n");
    MUST(mst_insert(document, "values[0]", "{\"name\": \"a\", \"value\": \"1\"}", &why), &why);
    assert_text(document, MARK "a = 1\nshader = \"b.surface_shader\"\nsurface = \"metal\"\n");
    MUST(mst_remove(document, "values[0]", &why), &why);
    MUST(mst_remove(document, "values[0]", &why), &why);
    assert_text(document, MARK "surface = \"metal\"\n");
    MUST(mst_set(document, "before", "\"\"", &why), &why);
    assert_text(document, "surface = \"metal\"\n");
    mst_close(document);
}

/* ---- edits --------------------------------------------------------------------------------------- */

static void edits(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *document =
        open_text("// mine\nshader =  \"a.surface_shader\" // what?\nAlbedoMap = \"a.dds\"\n\nx =1");
    MUST(mst_set(document, "values[name=AlbedoMap].value", "b c.dds", &why), &why);
    MUST(mst_set(document, "values[0].value", "b.surface_shader", &why), &why);
    assert_text(document,
                "// mine\nshader =  \"b.surface_shader\" // what?\nAlbedoMap = \"b c.dds\"\n\nx =1");
    /* a new value gets a line, and quotes if required */
    MUST(mst_insert(document, "values[3]", "{\"name\": \"tint\", \"value\": \"[1, 2]\"}", &why), &why);
    MUST(mst_insert(document, "values[4]", "{\"name\": \"surface\", \"value\": \"metal\"}", &why), &why);
    assert_text(document,
                "// mine\nshader =  \"b.surface_shader\" // what?\nAlbedoMap = \"b c.dds\"\n\nx =1\n"
                "tint = [1, 2]\nsurface = \"metal\"\n");
    MUST(mst_set(document, "values[4].value", "\"7\"", &why), &why);
    MUST(mst_remove(document, "values[0]", &why), &why);
    assert_text(document, "// mine\nAlbedoMap = \"b c.dds\"\n\nx =1\ntint = [1, 2]\nsurface = 7\n");
    static const char *const refused[][2] = {{"values[0].value", "\"a\\\"b\""},
                                             {"values[0].value", "\"a\\nb\""},
                                             {"values[1].value", "\"a b\""},
                                             {"values[1].value", "\"\""},
                                             {"values[0].name", "\"a b\""},
                                             {"values[0].name", "\"\""},
                                             {"values[0].name", "\"1\""},
                                             {"values[0].between", "\"x\""},
                                             {"values[0].between", "\" \""},
                                             {"values[0].between", "\"\""},
                                             {"values[0].between", "\"= x\""},
                                             {"values[2].after", "\"// b\""},
                                             {"form", "xml"},
                                             {"before", "\"<\""}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(mst_set(document, refused[i][0], refused[i][1], &why), MST_REFUSED);
        assert_int_equal(mst_set(document, refused[i][0], refused[i][1], NULL), MST_REFUSED);
    }
    assert_text(document, "// mine\nAlbedoMap = \"b c.dds\"\n\nx =1\ntint = [1, 2]\nsurface = 7\n");
    mst_close(document);
}

/* Whether the last line has a line end belongs to the file, not to a value: adding and removing a last value
 * does not change it. */
static void no_last_line_end(void **state) {
    (void)state;
    static const char *const texts[] = {"a = \"b\"\nc = 1.5", "a = 1\nc = \"d\"", "a = 1\nc = 2\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mst_diagnostic why;
        mst_document *document = open_text(texts[i]);
        assert_member(document, 1, "between", "");
        assert_round_trips(document);
        MUST(mst_insert(document, "values[2]", "{\"name\": \"e\", \"value\": \"f\"}", &why), &why);
        MUST(mst_remove(document, "values[2]", &why), &why);
        assert_text(document, texts[i]);
        mst_operation turn = {.kind = MST_OPERATION_MOVE, .path = "values[1]", .value = "0"};
        MUST(mst_edit(document, &turn, 1, NULL, &why), &why);
        MUST(mst_edit(document, &turn, 1, NULL, &why), &why);
        assert_text(document, texts[i]);
        mst_close(document);
    }
}

static void edits_of_xml(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *document = open_text("<material><map type=\"a b\" value=\"c\"/></material>");
    MUST(mst_set(document, "values[0].value", "d e", &why), &why);
    MUST(mst_set(document, "values[0].name", "f g", &why), &why);
    MUST(mst_set(document, "values[0].between", "\"\\\"value=\\\"\"", &why), &why);
    assert_text(document, "<material><map type=\"f g\"value=\"d e\"/></material>");
    static const char *const refused[] = {"\"\"", "\" = \"", "\"\\\" x\"", "\"\\\" value=\\\"x\""};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(mst_set(document, "values[0].between", refused[i], &why), MST_REFUSED);
    mst_close(document);
}

/* ---- checks -------------------------------------------------------------------------------------- */

#define SHADER "shader = \"a.surface_shader\"\n"
static void checks(void **state) {
    (void)state;
    static const struct {
        const char *text, *code, *path;
    } files[] = {
        {SHADER, NULL, NULL},
        {"// x\n" SHADER "/* y */ // z\n", NULL, NULL},
        {"SHADER=\"A.Surface_Shader\"", NULL, NULL},
        {SHADER "a = \"b\" x\n", "SPARK-MATERIAL-SYNTAX", "values[1].after"},
        {SHADER "a = 1 x\n", "SPARK-MATERIAL-SYNTAX", "values[1].after"},
        {SHADER "a = \"b\"\"\n", "SPARK-MATERIAL-SYNTAX", "values[1].after"},
        {SHADER "a = \"b\" \xFF\n", "SPARK-MATERIAL-SYNTAX", "values[1].after"},
        {"x\r\n" SHADER, "SPARK-MATERIAL-SYNTAX", "before"},
        {MARK "x\r\n" SHADER, "SPARK-MATERIAL-SYNTAX", "before"},
        {MARK MARK "\n" SHADER, "SPARK-MATERIAL-SYNTAX", "before"},
        {SHADER "a = \"b\n", "SPARK-MATERIAL-STRING-OPEN", "values[1].value"},
        {SHADER "a = \"b", "SPARK-MATERIAL-STRING-OPEN", "values[1].value"},
        {SHADER "a = b\n", "SPARK-MATERIAL-BARE", "values[1].value"},
        {SHADER "a = [b]\n", "SPARK-MATERIAL-BARE", "values[1].value"},
        {SHADER "a = [1 2]\n", "SPARK-MATERIAL-BARE", "values[1].value"},
        {SHADER "a = [1]2\n", "SPARK-MATERIAL-SYNTAX", "values[1].after"},
        {SHADER "a = 1.2.3\n", "SPARK-MATERIAL-BARE", "values[1].value"},
        {SHADER "a = -\n", "SPARK-MATERIAL-BARE", "values[1].value"},
        {SHADER "a = 1\nA = 2\n", "SPARK-MATERIAL-DUPLICATE", "values[2].name"},
        {"a = 1\n", "SPARK-MATERIAL-NO-SHADER", "values"},
        {"shader = \"a.dds\"\n", "SPARK-MATERIAL-SHADER", "values[0].value"},
        {SHADER "albedoMap = \"a.png\"\n", "SPARK-MATERIAL-MAP", "values[1].value"},
        {SHADER "albedoMap=\"a.png\"\n", "SPARK-MATERIAL-MAP", "values[1].value"},
        {SHADER "emissivemap1 = \"\"\n", "SPARK-MATERIAL-MAP", "values[1].value"},
        {SHADER "aMapTeam2 = \"%inherit\"\n", "i SPARK-MATERIAL-MAP", "values[1].value"},
        {SHADER "aMap = \"lua/GUIScreen.Lua\"\n", "i SPARK-MATERIAL-MAP", "values[1].value"},
        {SHADER "aMap = \"*screen\"\nbMap = 5\ncMap = \"A.DDS\"\n", NULL, NULL},
        {SHADER "aMap = \"a\\b.dds\"\n", "SPARK-MATERIAL-BACKSLASH", "values[1].value"},
        {"<material>", "SPARK-MATERIAL-XML", ""},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        mst_document *document = open_text(files[i].text);
        findings list = {0};
        mst_diagnostic why;
        const mst_check_options all = {.size = sizeof all, .information = 1};
        MUST(mst_check(document, &all, collect, &list, NULL, &why), &why);
        print_findings(&list);
        assert_int_equal(list.count, files[i].code ? 1 : 0);
        if (files[i].code) { /* "i " before the code: information, not a warning */
            bool informs = strncmp(files[i].code, "i ", 2) == 0;
            assert_string_equal(list.items[0].code, files[i].code + (informs ? 2 : 0));
            assert_int_equal(list.items[0].severity, informs ? MST_INFORMATION : MST_WARNING);
            assert_string_equal(list.items[0].path, files[i].path);
        }
        findings_free(&list);
        mst_close(document);
    }
}

/* Two findings about one value: each has its own message, and both are at the value. */
static void two_findings(void **state) {
    (void)state;
    mst_document *document = open_text("shader = \"a\\b.fx\"\n");
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(document, NULL, collect, &list, NULL, &why), &why);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].message,
                        "the path has backslashes: write slashes, as the game's own files do");
    assert_string_equal(list.items[1].message,
                        "the shader is not a .surface_shader, unlike the shaders of the game");
    assert_int_equal(list.items[0].offset, 10); /* of the a */
    assert_int_equal(list.items[1].offset, 10);
    findings_free(&list);
    mst_close(document);
}

/* A caller that stops after one finding gets no other. */
static mst_status stop(void *user, const mst_diagnostic *diagnostic) {
    (void)diagnostic;
    ++*(unsigned *)user;
    return MST_STOPPED;
}

static void stopping(void **state) {
    (void)state;
    static const char *const texts[] = {"x\n" SHADER "aMap = b\\c\naMap = \"\\\n", "shader = \"\\\n",
                                        "a = b\na = c\n", "a = 1 x\n", "aMap = \"b\"\n\na = 1\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mst_document *document = open_text(texts[i]);
        unsigned seen = 0;
        mst_diagnostic why;
        assert_int_equal(mst_check(document, NULL, stop, &seen, NULL, &why), MST_STOPPED);
        assert_int_equal(seen, 1);
        mst_close(document);
    }
}

/* By its name, or by a shader named first. */
static void probing(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
        bool is;
    } files[] = {{"", "x.MATERIAL", true},        {"// a\n" SHADER, "x", true},
                 {"shader = \"b\"", "x", false},  {"a = \"b.surface_shader\"", NULL, false},
                 {"<material>\n", "x", true},     {" <material", "x", false},
                 {"<materials>", "x", false},     {MARK SHADER, "x", true},
                 {MARK "<material>\n", "x", true}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const mst_format_information *format =
            mst_identify(files[i].text, strlen(files[i].text), strlen(files[i].text), files[i].name, NULL);
        assert_int_equal(format && !strcmp(format->id, "spark-material"), files[i].is);
    }
}

int test_spark_material(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reading),          cmocka_unit_test(usual),
                                       cmocka_unit_test(byte_order_mark),  cmocka_unit_test(edits),
                                       cmocka_unit_test(no_last_line_end), cmocka_unit_test(edits_of_xml),
                                       cmocka_unit_test(checks),           cmocka_unit_test(two_findings),
                                       cmocka_unit_test(stopping),         cmocka_unit_test(probing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
