/* SPDX-License-Identifier: MIT */
/* Lengths of Natural Selection 2 in inches, as its editor shows them. */
#include "ns2_documents.h"
#include "ns2_level.h"
#include "refusing.h"

static mst_document *open_level(writer *w) {
    write_level(w, &(level_plan){.version = 10});
    return open_as(w->data, w->size, NULL, NULL);
}

static void assert_reals(const mst_document *document, const char *path, size_t count,
                         const double *expected) {
    mst_value value, element;
    MUST(mst_find(mst_root(document), path, &value, NULL), NULL);
    for (size_t i = 0; i < count; i++) {
        double real;
        element = value;
        if (mst_value_type(&value) == MST_TYPE_LIST)
            MUST(mst_element(&value, i, &element), NULL);
        MUST(mst_get_real(&element, &real), NULL);
        assert_true(real == (double)(float)expected[i]);
    }
}

static void inches(void **state) {
    (void)state;
    static const struct {
        const char *path, *given;
        size_t count;
        double expected[3];
    } cases[] = {
        {"objects[1].properties[name=origin].value", "[12in, 0, -3.5in]", 3, {0.3048, 0, -0.0889}},
        {"objects[1].properties[name=origin].value", "[1e1in,1,\t2in ]", 3, {0.254, 1, 0.0508}},
        {"objects[1].properties[name=origin].value[1]", "192in", 1, {4.8768}},
        {"objects[1].properties[name=distance].value", "192in", 1, {4.8768}},
        {"objects[1].properties[name=distance].value", "0.5in", 1, {0.0127}},
        {"objects[1].properties[name=distance].value", "[-1in]", 1, {-0.0254}},
        {"objects[1].properties[name=distance].value", "7", 1, {7}},
        {"mesh.vertices[0].position", "[0, 10000in, 0.25]", 3, {0, 254, 0.25}},
        {"mesh.vertices[0].position[2]", "1in", 1, {0.0254}},
    };
    writer w = {0};
    mst_document *document = open_level(&w);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        MUST(mst_set(document, cases[i].path, cases[i].given, &why), &why);
        assert_reals(document, cases[i].path, cases[i].count, cases[i].expected);
    }
    mst_close(document);
    writer_free(&w);
}

/* Values that are not lengths have no inches; and values that only look like lengths. */
static void refused(void **state) {
    (void)state;
    static const struct {
        const char *path, *given, *says;
    } cases[] = {
        {"objects[1].properties[name=volume].value", "12in", "not a length in metres, so it has no in"},
        {"objects[1].properties[name=outerAngle].value", "12in", "not a length"},
        {"objects[1].properties[name=count].value", "[12in]", "not a length"},
        {"mesh.faces[0].scale", "[1in, 2]", "not a length"},
        {"mesh.faces[0].material", "0in", "there is no material"},
        {"objects[1].properties[name=distance].value", "12inch", ""},
        {"objects[1].properties[name=distance].value", "12 in", ""},
        {"objects[1].properties[name=distance].value", "1.2.3in", ""},
        {"objects[1].properties[name=distance].value", "in", ""},
        {"objects[1].properties[name=distance].value", "x12in", ""},
        {"objects[1].properties[name=distance].value", "\"12in\"", ""},
        {"objects[1].properties[name=distance].value", "12m", ""},
    };
    writer w = {0};
    mst_document *document = open_level(&w);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_status status = mst_set(document, cases[i].path, cases[i].given, &why);
        if (status != MST_ARGUMENT || !strstr(why.message, cases[i].says))
            print_error("%s=%s: %s\n", cases[i].path, cases[i].given, why.message);
        assert_int_equal(status, MST_ARGUMENT);
        assert_non_null(strstr(why.message, cases[i].says));
        assert_int_equal(mst_set(document, cases[i].path, cases[i].given, NULL), MST_ARGUMENT);
    }
    size_t size;
    assert_memory_equal(mst_document_bytes(document, &size), w.data, w.size);
    /* texts are unchanged */
    MUST(mst_set(document, "objects[1].properties[name=output1].value", "12in", NULL), NULL);
    mst_value text;
    char capacity[8];
    MUST(mst_find(mst_root(document), "objects[1].properties[name=output1].value[0]", &text, NULL), NULL);
    MUST(mst_get_text(&text, capacity, sizeof capacity, NULL), NULL);
    assert_string_equal(capacity, "12in");
    mst_close(document);
    writer_free(&w);
}

static void without_memory(void **state) {
    (void)state;
    writer w = {0};
    write_level(&w, &(level_plan){.version = 10});
    mst_status status = MST_NO_MEMORY;
    for (int left = 0; status == MST_NO_MEMORY; left++) {
        int blocks = 1000;
        mst_document *document;
        mst_open_options options = {.size = sizeof options, .allocator = {no_memory, &blocks}};
        MUST(mst_open_memory(w.data, w.size, &options, &document, NULL), NULL);
        blocks = left;
        status = mst_set(document, "objects[1].properties[name=distance].value", "192in", NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        mst_close(document);
        assert_true(left < 1000);
    }
    writer_free(&w);
}

int test_ns2_lengths(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(inches), cmocka_unit_test(refused),
                                       cmocka_unit_test(without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
