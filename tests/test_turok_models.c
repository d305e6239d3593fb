/* SPDX-License-Identifier: MIT */
/* Models, animations and materials of the Turok remaster: each field, refusals, every check, edits. */
#include "documents.h"
#include "turok_models_file.h"
#include <mapstone/mapstone.h>

static mst_document *open_called(const char *name, const void *bytes, size_t size, const char *format) {
    mst_open_options options = {.size = sizeof options, .name = name};
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(bytes, size, &options, &document, &why), &why);
    assert_string_equal(mst_document_format(document)->id, format);
    return document;
}

static mst_document *open_model(void) {
    static writer w; /* the document refers to its bytes */
    writer_free(&w);
    write_kex_model(&w);
    return open_called("lamp.bin", w.data, w.size, "turok-model");
}

static mst_document *open_animation(void) {
    static writer w;
    writer_free(&w);
    write_kex_animation(&w);
    return open_called("lamp_anim.bin", w.data, w.size, "turok-animation");
}

static mst_document *open_materials(const char *text) {
    return open_called("mat_a.kmat", text, strlen(text), "turok-material");
}

static void assert_real(const mst_document *document, const char *path, double expected) {
    mst_value value;
    mst_diagnostic why;
    double number = 0;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    MUST(mst_get_real(&value, &number), NULL);
    if (!(fabs(number - expected) < 1e-6))
        fail_msg("%s is %g", path, number);
}

static void assert_text(const mst_document *document, const char *path, const char *expected) {
    mst_value value;
    mst_diagnostic why;
    char text[64];
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
    assert_string_equal(text, expected);
}

static void assert_count(const mst_document *document, const char *path, uint64_t count) {
    mst_value value;
    mst_diagnostic why;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    assert_int_equal(mst_count(&value), count);
}

static void edit(mst_document *document, const char *path, const char *value) {
    mst_diagnostic why;
    MUST(mst_set(document, path, value, &why), &why);
}

/* ---- reading ------------------------------------------------------------------------------------- */

static void fields_of_models(void **state) {
    (void)state;
    mst_document *document = open_model();
    assert_round_trips(document);
    assert_real(document, "bounds_min[1]", -8);
    assert_real(document, "bounds_max[2]", 16);
    assert_count(document, "nodes", 2);
    assert_real(document, "nodes[0].children[0]", 1);
    assert_count(document, "nodes[0].variants", 2);
    assert_real(document, "nodes[0].variants[1]", 1);
    assert_count(document, "nodes[0].objects[1]", 0);
    assert_count(document, "nodes[1].objects[0]", 2);
    assert_text(document, "nodes[0].objects[0][0].material", "materials/mat_lamp/glass");
    assert_text(document, "nodes[1].objects[0][1].material", "materials/sub/mat_wall/brick");
    assert_real(document, "nodes[1].objects[0][1].triangles[1][2]", 3);
    assert_real(document, "nodes[1].objects[0][1].vertices[2].position[2]", 8);
    assert_real(document, "nodes[0].objects[0][0].vertices[2].uv[1]", 1);
    assert_real(document, "nodes[0].objects[0][0].vertices[0].normal[2]", 1);
    mst_close(document);
}

static void fields_of_animations(void **state) {
    (void)state;
    mst_document *document = open_animation();
    assert_round_trips(document);
    assert_real(document, "animations[0].id", 7);
    assert_real(document, "animations[1].id", -1);
    assert_real(document, "animations[0].loop_frame", 1);
    assert_real(document, "animations[0].tracks[0].rotation", -1);
    assert_real(document, "animations[0].tracks[1].translation", 0);
    assert_real(document, "animations[0].poses[1].translation[2]", 5);
    assert_real(document, "animations[0].yaw_offsets[1]", 0.5);
    assert_real(document, "animations[0].translations[1][0]", 11);
    assert_real(document, "animations[0].rotations[0][3]", 0.70710678);
    assert_real(document, "animations[0].events[0].function", -2);
    assert_real(document, "animations[0].events[0].arguments[3]", 4);
    mst_value value;
    assert_int_equal(mst_find(mst_root(document), "animations[1].blend", &value, NULL), MST_NO_PATH);
    mst_close(document);
}

/* A surface without triangles may store the number of its vertices, or omit it. */
static void empty_surfaces(void **state) {
    (void)state;
    for (unsigned bare = 0; bare < 2; bare++) {
        writer w = {0};
        put_u32(&w, 1);
        KEX_FLOATS(&w, 0, 0, 0, 0, 0, 0);
        put_u32(&w, 1);
        put_u32(&w, 0), put_u32(&w, 1), put_u32(&w, 1), put_u16(&w, 0);
        put_u32(&w, 2);
        put_bytes_of(&w, "a/b", 4), put_u32(&w, 0);
        if (!bare)
            put_u32(&w, 0);
        put_kex_square(&w, "a/c", 1);
        mst_document *document = open_called("a.bin", w.data, w.size, "turok-model");
        assert_round_trips(document);
        assert_text(document, "nodes[0].objects[0][1].material", "a/c");
        assert_count(document, "nodes[0].objects[0][1].vertices", 4);
        mst_close(document);
        put_u8(&w, 9); /* with bytes after the end it is read as if the number were stored */
        mst_diagnostic why;
        mst_open_options options = {.size = sizeof options, .name = "a.bin"};
        mst_status status = mst_open_memory(w.data, w.size, &options, &document, &why);
        assert_int_equal(status, bare ? MST_DAMAGED : MST_OK);
        if (status == MST_OK) {
            assert_round_trips(document);
            mst_value tail;
            const void *bytes;
            size_t size;
            MUST(mst_find(mst_root(document), "tail", &tail, NULL), NULL);
            MUST(mst_get_bytes(&tail, &bytes, &size), NULL);
            assert_int_equal(size, 1);
            mst_close(document);
        }
        writer_free(&w);
    }
}

/* By content alone only a file without faults is a model. */
static void identifying(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
    } changes[] = {{0, 2}, {28, 0}, {32, 0x10000}, {36, 0}, {36, 256}, {40, 0}, {40, 256}};
    writer w = {0};
    write_kex_model(&w);
    assert_string_equal(mst_identify(w.data, w.size, w.size, NULL, NULL)->id, "turok-model");
    assert_null(mst_identify(w.data, w.size, w.size, "lamp.dat", NULL));
    assert_null(mst_identify(w.data, 43, w.size, "lamp.bin", NULL));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        uint32_t old = mst_load32(w.data + changes[i].at, false);
        mst_store32(w.data + changes[i].at, changes[i].value, false);
        assert_null(mst_identify(w.data, w.size, w.size, NULL, NULL));
        assert_string_equal(mst_identify(w.data, w.size, w.size, "lamp.bin", NULL)->id, "turok-model");
        mst_store32(w.data + changes[i].at, old, false);
    }
    static const uint32_t no_lengths[] = {1, 0x7F800000, 0x00800000, 0x4F000000, 0xFFC00000};
    for (size_t i = 0; i < sizeof no_lengths / sizeof *no_lengths; i++) {
        mst_store32(w.data + 4 + 4 * i, no_lengths[i], false);
        assert_null(mst_identify(w.data, w.size, w.size, "lamp.bin", NULL));
        mst_store32(w.data + 4 + 4 * i, 0, false);
    }
    writer_free(&w);
    write_kex_animation(&w);
    assert_string_equal(mst_identify(w.data, w.size, w.size, NULL, NULL)->id, "turok-animation");
    assert_string_equal(mst_identify(w.data, w.size, w.size, "x.bin", NULL)->id, "turok-animation");
    assert_string_equal(mst_identify(w.data, 8, 8, "x_anim.bin", NULL)->id, "turok-animation");
    assert_null(mst_identify(w.data, w.size, w.size, "x.dat", NULL));
    assert_null(mst_identify(w.data, 7, 7, "x_anim.bin", NULL));
    assert_null(mst_identify(w.data, 39, w.size, "x.bin", NULL));
    static const struct {
        size_t at;
        uint32_t value;
    } wrong[] = {{0, 2}, {0, 256}, {4, 0}, {4, 65536}, {12, 1}, {12, 65536}, {16, 3}, {20, 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint32_t old = mst_load32(w.data + wrong[i].at, false);
        mst_store32(w.data + wrong[i].at, wrong[i].value, false);
        assert_null(mst_identify(w.data, w.size, w.size, "x.bin", NULL));
        mst_store32(w.data + wrong[i].at, old, false);
    }
    mst_store32(w.data + 16, 65536, false), mst_store32(w.data + 20, 65536, false);
    assert_null(mst_identify(w.data, w.size, w.size, "x.bin", NULL));
    mst_store32(w.data + 16, 65535, false), mst_store32(w.data + 20, 65535, false);
    assert_null(mst_identify(w.data, w.size, w.size, "x.bin", NULL)); /* it is too short for them */
    writer_free(&w);
    static const char kmat[] = "// a\nmaterial \"x\" {";
    assert_string_equal(mst_identify(kmat, sizeof kmat - 1, sizeof kmat - 1, NULL, NULL)->id,
                        "turok-material");
    static const char *const other[] = {"",           "material",      "material a b",
                                        "material {", "materials a {", "\"a\""};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_null(mst_identify(other[i], strlen(other[i]), strlen(other[i]), NULL, NULL));
    assert_string_equal(mst_identify("", 0, 0, "a.kmat", NULL)->id, "turok-material");
}

static void assert_refused(const char *format, const void *bytes, size_t size, const char *code) {
    mst_open_options as = {.size = sizeof as, .format = format};
    mst_document *document;
    mst_diagnostic why;
    assert_int_equal(mst_open_memory(bytes, size, &as, &document, &why), MST_DAMAGED);
    assert_string_equal(why.code, code);
    assert_int_equal(mst_open_memory(bytes, size, &as, &document, NULL), MST_DAMAGED);
}

/* The version is decisive, regardless of the file's name and size. */
static void other_versions(void **state) {
    (void)state;
    enum { NAMES = 4, VERSIONS = 4 };
    static const char *const names[NAMES] = {NULL, "lamp.bin", "lamp_anim.bin", "lamp.dat"};
    static const uint32_t versions[VERSIONS] = {0, 2, 0x100, UINT32_MAX};
    for (size_t i = 0; i < 2 * NAMES * VERSIONS; i++) {
        writer w = {0};
        mst_open_options as = {.size = sizeof as,
                               .format = i % 2 ? "turok-model" : "turok-animation",
                               .name = names[i / 2 % NAMES]};
        mst_document *document;
        mst_diagnostic why;
        if (i % 2)
            write_kex_model(&w);
        else
            write_kex_animation(&w);
        mst_store32(w.data, versions[i / 2 / NAMES], false);
        assert_int_equal(mst_open_memory(w.data, w.size, &as, &document, &why), MST_DAMAGED);
        assert_string_equal(why.code, "KEX-VERSION");
        writer_free(&w);
    }
}

static void refused(void **state) {
    (void)state;
    writer w = {0};
    write_kex_model(&w);
    assert_refused("turok-model", w.data, 3, "KEX-TRUNCATED");
    assert_refused("turok-model", w.data, 43, "KEX-COUNT"); /* fewer bytes than two nodes take */
    assert_refused("turok-model", w.data, w.size - 1, "KEX-COUNT");
    size_t name = 44 + 2 + 4 + 4;
    /* the name has no end */
    assert_refused("turok-model", w.data, name + 20, "KEX-TRUNCATED");
    mst_store32(w.data + 28, 0, false);
    assert_refused("turok-model", w.data, w.size, "KEX-NODES");
    mst_store32(w.data, 2, false);
    assert_refused("turok-model", w.data, w.size, "KEX-VERSION");
    writer_free(&w);
    write_kex_animation(&w);
    assert_refused("turok-animation", w.data, 6, "KEX-TRUNCATED");
    assert_refused("turok-animation", w.data, w.size - 1, "KEX-COUNT");
    assert_refused("turok-animation", w.data, 44, "KEX-COUNT");
    mst_store32(w.data, 3, false);
    assert_refused("turok-animation", w.data, w.size, "KEX-VERSION");
    writer_free(&w);
    static const char *const texts[] = {
        "material a {",
        "material a { shader \"b }",
        "material a { shader \"b\n\" }",
        "material a { shader b }",
        "material a { sort \"b\" }",
        "material a { alphamask x }",
        "material a { alphamask }",
        "material a { param \"b\" c \"d\" }",
        "material a { sampler \"diffuse\" 0 }",
        "material a { blend { } }",
        "material a",
        "material",
        "material { }",
        "{ }",
        "}",
        "\"a\"",
        "/* a",
        "material a { } /*/",
        "x { x { x { x { x { x { x { x { x { } } } } } } } } }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_refused("turok-material", texts[i], strlen(texts[i]), "KMAT-SYNTAX");
}

/* With no bytes left, materials are not looked for again. */
static void no_materials(void **state) {
    (void)state;
    mst_document *document = open_materials("material a{}");
    mst_diagnostic why;
    MUST(mst_remove(document, "materials[0]", &why), &why);
    assert_count(document, "materials", 0);
    assert_round_trips(document);
    MUST(mst_insert(document, "materials[0]", "{\"word\": \"stray\"}", &why), &why);
    assert_round_trips(document);
    mst_close(document);
}

/* A model file has a node: without one it could not be opened again. */
static void the_last_node(void **state) {
    (void)state;
    mst_document *document = open_model();
    mst_diagnostic why;
    mst_edit_options cascade = {.size = sizeof cascade, .cascade = true};
    mst_operation both[2] = {{.kind = MST_OPERATION_REMOVE, .path = "nodes[1]"},
                             {.kind = MST_OPERATION_REMOVE, .path = "nodes[0]"}};
    assert_int_equal(mst_edit(document, both, 2, &cascade, &why), MST_REFUSED);
    assert_string_equal(why.message, "the file could no longer be identified");
    assert_count(document, "nodes", 2);
    MUST(mst_edit(document, both, 1, &cascade, &why), &why);
    assert_count(document, "nodes", 1);
    mst_close(document);
}

/* Words, values and blocks are found regardless of the characters between them, and every byte survives. */
static void reading_materials(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        " \r\n\t// nothing",
        "material a{}",
        "material \"a b\" { }\n",
        "/* b */material a // c\n{ blend/* d */depthtest}",
        "material a\r\n{\r\n    shader \"progs/world\"\r\n}",
        "material a {sampler\"diffuse\"0\"x.png\"{filter linear wrap repeat}}",
        "material a { sampler \"diffuse\" 0 \"x.png\" }",
        "material a { shaders { x { y } } sampler \"diffuse\" 0 \"x\" { scroll 0 1 rotate \"2\" scale } }",
        "material a { glow 3 other \"x\" \"y\" { z } }\nstray",
        "x { x { x { x { x { x { x { x { } } } } } } } }",
        kex_lamp,
        kex_wall,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mst_document *document = open_materials(texts[i]);
        assert_round_trips(document);
        mst_close(document);
    }
    mst_document *document = open_materials(kex_lamp);
    assert_count(document, "materials", 2);
    assert_text(document, "materials[0].values[0].text", "glass");
    assert_text(document, "materials[0].items[3].values[2].text", "textures/glass.tga");
    assert_text(document, "materials[0].items[3].items[1].word", "wrap");
    assert_text(document, "materials[1].items[1].word", "fullbright");
    assert_real(document, "materials[0].space", 0); /* all is the default */
    assert_real(document, "materials[0].items[3].items[1].space", 0);
    assert_real(document, "materials[1].close_space", 0);
    mst_close(document);
}

/* ---- edits --------------------------------------------------------------------------------------- */

static void assert_file(const mst_document *document, const char *text) {
    size_t size;
    const void *bytes = mst_document_file(document, 0, NULL, &size);
    if (size != strlen(text) || memcmp(bytes, text, size) != 0)
        fail_msg("the text is\n%.*s\nnot\n%s", (int)size, (const char *)bytes, text);
}

/* Only the value changes; new data is written in the default layout. */
static void edits(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *document = open_materials("// mine\nmaterial a {\n\tsort  masked // why\n}\n");
    edit(document, "materials[0].items[0].values[0].text", "water");
    edit(document, "materials[0].values[0].text", "b");
    assert_file(document, "// mine\nmaterial b {\n\tsort  water // why\n}\n");
    MUST(mst_insert(document, "materials[0].items[1]", "{\"word\": \"blend\"}", &why), &why);
    assert_file(document, "// mine\nmaterial b {\n\tsort  water\n    blend // why\n}\n");
    MUST(mst_insert(document, "materials[1]",
                    "{\"word\": \"material\", \"values\": [{\"text\": \"c\"}], \"block\": true, \"items\": "
                    "[{\"word\": \"shader\", \"values\": [{\"quoted\": true, \"text\": \"d\"}]}]}",
                    &why),
         &why);
    assert_file(document,
                "// mine\nmaterial b {\n\tsort  water\n    blend // why\n}\nmaterial c {\n    shader "
                "\"d\"\n}\n");
    MUST(mst_remove(document, "materials[0]", &why), &why);
    assert_file(document, "material c {\n    shader \"d\"\n}\n");
    static const char *const refused_edits[][2] = {{"materials[0].items[0].values[0].text", "\"a\\\"b\""},
                                                   {"materials[0].items[0].values[0].text", "\"a\\nb\""},
                                                   {"materials[0].items[0].values[0].quoted", "false"},
                                                   {"materials[0].items[0].word", "\"a b\""},
                                                   {"materials[0].items[0].word", "\"\""},
                                                   {"materials[0].values[0].text", "\"a {\""},
                                                   {"after", "\"x\""},
                                                   {"materials[0].word", "\"{\""}};
    for (size_t i = 0; i < sizeof refused_edits / sizeof *refused_edits; i++)
        assert_int_equal(mst_set(document, refused_edits[i][0], refused_edits[i][1], &why), MST_REFUSED);
    mst_close(document);
}

#define MARK "\xEF\xBB\xBF"
/* A byte order mark is not part of the first word, and keeps its place. */
static void byte_order_mark(void **state) {
    (void)state;
    static const char *const texts[] = {MARK, MARK "material a {\n}\n", MARK "\n// a\nmaterial a { blend }"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        mst_document *document = open_materials(texts[i]);
        assert_real(document, "byte_order_mark", 1);
        assert_count(document, "materials", i > 0);
        assert_file(document, texts[i]);
        assert_round_trips(document);
        mst_close(document);
    }
    assert_string_equal(mst_identify(texts[1], strlen(texts[1]), strlen(texts[1]), NULL, NULL)->id,
                        "turok-material");
    mst_diagnostic why;
    mst_document *document = open_materials(texts[1]);
    assert_text(document, "materials[0].word", "material");
    assert_real(document, "materials[0].space", 0);
    findings list = {0};
    const mst_check_options all = {.size = sizeof all, .information = 1};
    MUST(mst_check(document, &all, collect, &list, NULL, &why), &why);
    assert_int_equal(count_code(&list, "KMAT-KEY"), 0);
    findings_free(&list);
    MUST(mst_insert(
             document, "materials[0]",
             "{\"word\": \"material\", \"values\": [{\"text\": \"b\"}], \"block\": true, \"items\": []}",
             &why),
         &why);
    assert_file(document, MARK "material b {\n}\nmaterial a {\n}\n");
    MUST(mst_remove(document, "materials[0]", &why), &why);
    MUST(mst_remove(document, "materials[0]", &why), &why);
    assert_file(document, MARK "\n");
    edit(document, "byte_order_mark", "false");
    assert_file(document, "\n");
    assert_int_equal(mst_set(document, "after", "\"" MARK "\"", &why), MST_REFUSED);
    mst_close(document);
}

/* Nodes are referenced by number: the references are updated. */
static void edits_of_models(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *document = open_model();
    MUST(mst_remove(document, "nodes[0].objects[0][0].triangles[1]", &why), &why);
    MUST(mst_remove(document, "nodes[0].objects[0][0].vertices[3]", &why), &why);
    edit(document, "nodes[0].objects[0][0].material", "materials/mat_lamp/other");
    assert_round_trips(document);
    assert_text(document, "nodes[0].objects[0][0].material", "materials/mat_lamp/other");
    assert_int_equal(mst_set(document, "nodes[0].objects[0][0].material", "{\"$raw\": \"610062\"}", &why),
                     MST_REFUSED);
    mst_close(document);
}

/* ---- checks -------------------------------------------------------------------------------------- */

typedef struct fault {
    const char *edits[3][2];
    const char *code, *at; /* the only finding, and its path */
} fault;
static const fault model_faults[] = {
    {{{"nodes[0].objects[0][0].triangles", "[[0, 1, 2], [0, 2, 3], [0, 1, 4]]"}},
     "KEX-INDEX",
     "nodes[0].objects[0][0].triangles[2][2]"},
    {{{"nodes[0].variants[1]", "2"}}, "KEX-VARIANT", "nodes[0].variants[1]"},
    {{{"nodes[0].children", "[]"}}, "KEX-TREE", "nodes"},
    {{{"nodes[1].children", "[0]"}}, "KEX-TREE", "nodes"},
    {{{"nodes[0].children", "[1, 1]"}}, "KEX-TREE", "nodes"},
    {{{"nodes[1].objects", "[]"}, {"nodes[1].variants", "[]"}}, "KEX-NODES", "nodes[1].variants"},
    {{{"bounds_min[2]", "17"}}, "KEX-BOUNDS", "bounds_min[2]"},
    {{{"nodes[0].objects[0][0].vertices[1].position[0]", "\"NaN\""}},
     "KEX-NONFINITE",
     "nodes[0].objects[0][0].vertices[1].position[0]"},
    {{{"nodes[0].objects[0][0].triangles", "[[0, 1, 2]]"}},
     "KEX-VERTEX-UNUSED",
     "nodes[0].objects[0][0].vertices"},
    {{{"nodes[0].objects[0][0].material", "glass"}}, "KEX-MATERIAL", "nodes[0].objects[0][0].material"},
    {{{"nodes[0].objects[0][0].triangles", "[]"}}, "KEX-EMPTY", "nodes[0].objects[0][0]"},
    {{{"nodes[0].objects[0][0].vertices[1].normal", "[0, 0, 0.9]"}},
     "KEX-NORMAL",
     "nodes[0].objects[0][0].vertices"},
};
static const fault animation_faults[] = {
    {{{"animations[0].tracks[1].translation", "1"}}, "KEX-ANIM-INDEX", "animations[0].tracks[1].translation"},
    {{{"animations[0].tracks[0].rotation", "-2"}}, "KEX-ANIM-INDEX", "animations[0].tracks[0].rotation"},
    {{{"animations[1].yaw_offsets", "[0]"}}, "KEX-FRAMES", "animations[1].frame_count"},
    {{{"animations[1].tracks", "[{\"translation\": -1, \"rotation\": -1}]"}},
     "KEX-ANIM-NODES",
     "animations[1].node_count"},
    {{{"tail", "\"00\""}}, "KEX-TAIL", "tail"},
    {{{"animations[0].yaw_offsets[0]", "\"Infinity\""}}, "KEX-NONFINITE", "animations[0].yaw_offsets[0]"},
};

static void check_of(const mst_document *document, findings *list) {
    mst_diagnostic why;
    mst_check_options options = {.size = sizeof options, .information = 1};
    MUST(mst_check(document, &options, collect, list, NULL, &why), &why);
}

static mst_status stop(void *user, const mst_diagnostic *diagnostic) {
    (void)diagnostic;
    ++*(unsigned *)user;
    return MST_STOPPED;
}

static void try_faults(const fault *faults, size_t count, mst_document *(*make)(void)) {
    for (size_t i = 0; i < count; i++) {
        mst_document *document = make();
        mst_diagnostic why;
        findings list = {0};
        unsigned seen = 0;
        check_of(document, &list);
        assert_int_equal(list.count, 0);
        for (size_t k = 0; k < 3 && faults[i].edits[k][0]; k++)
            edit(document, faults[i].edits[k][0], faults[i].edits[k][1]);
        check_of(document, &list);
        print_findings(&list);
        assert_true(list.count >= 1);
        for (size_t k = 0; k < list.count; k++)
            assert_string_equal(list.items[k].code, faults[i].code);
        assert_string_equal(list.items[0].path, faults[i].at);
        assert_int_equal(mst_check(document,
                                   &(mst_check_options){.size = sizeof(mst_check_options), .information = 1},
                                   stop, &seen, NULL, &why),
                         MST_STOPPED);
        assert_int_equal(seen, 1);
        assert_round_trips(document);
        findings_free(&list);
        mst_close(document);
    }
}

static void faults_of_models(void **state) {
    (void)state;
    try_faults(model_faults, sizeof model_faults / sizeof *model_faults, open_model);
    try_faults(animation_faults, sizeof animation_faults / sizeof *animation_faults, open_animation);
    /* values with consequences */
    mst_document *document = open_model();
    findings list = {0};
    edit(document, "nodes[0].children[0]", "0");
    check_of(document, &list);
    assert_int_equal(count_code(&list, "KEX-CHILD"), 1);
    assert_int_equal(count_code(&list, "KEX-TREE"), 1);
    findings_free(&list);
    edit(document, "nodes[0].children[0]", "2");
    check_of(document, &list);
    assert_int_equal(count_code(&list, "KEX-CHILD"), 1);
    assert_int_equal(count_code(&list, "KEX-TREE"), 1);
    findings_free(&list);
    mst_close(document);
}

static void faults_of_materials(void **state) {
    (void)state;
    static const struct {
        const char *items, *code, *at;
    } texts[] = {
        {"glow", "KMAT-KEY", "materials[0].items[1].word"},
        {"filter", "KMAT-KEY", "materials[0].items[1].word"},
        {"sampler \"diffuse\" 1 \"x\" { wrap repeat glow }", "KMAT-KEY",
         "materials[0].items[1].items[1].word"},
        {"sort soft", "KMAT-VALUE", "materials[0].items[1].values[0].text"},
        {"cull left", "KMAT-VALUE", "materials[0].items[1].values[0].text"},
        {"alphafunc less", "KMAT-VALUE", "materials[0].items[1].values[0].text"},
        {"alphamask 1.5", "KMAT-VALUE", "materials[0].items[1].values[0].text"},
        {"alphamask -1", "KMAT-VALUE", "materials[0].items[1].values[0].text"},
        {"sampler \"diffuse\" 1 \"x\" { wrap round }", "KMAT-VALUE",
         "materials[0].items[1].items[0].values[0].text"},
        {"color_diffuse \"1 1 1\"", "KMAT-COLOUR", "materials[0].items[1].values[0].text"},
        {"color_diffuse \"1 1 1 1 1\"", "KMAT-COLOUR", "materials[0].items[1].values[0].text"},
        {"color_diffuse \"1 1 1 x\"", "KMAT-COLOUR", "materials[0].items[1].values[0].text"},
        {"sampler \"diffuse\" 0 \"x\"", "KMAT-SAMPLER", "materials[0].items[1].values[1].text"},
        {"sampler \"diffuse\" 4 \"x\"", "KMAT-SAMPLER", "materials[0].items[1].values[1].text"},
        {"alphatest", "KMAT-SORT", "materials[0].items"},
        {"} material a { nodraw", "KMAT-TWICE", "materials[1].values[0].text"},
        {"} material b {", "KMAT-SAMPLER", "materials[1].items"},
        {"} stray {", "KMAT-KEY", "materials[1].word"},
        {"alphatest sort masked sort default alphamask 0 color_diffuse \" 1 1\t1 0.5 \" nodraw", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char text[200];
        unsigned seen = 0;
        findings list = {0};
        snprintf(text, sizeof text, "material a { sampler \"diffuse\" 0 \"x\" %s }", texts[i].items);
        mst_document *document = open_materials(text);
        check_of(document, &list);
        print_findings(&list);
        assert_int_equal(list.count, texts[i].code != NULL);
        if (texts[i].code) {
            assert_string_equal(list.items[0].code, texts[i].code);
            assert_string_equal(list.items[0].path, texts[i].at);
            assert_int_equal(
                mst_check(document, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1},
                          stop, &seen, NULL, NULL),
                MST_STOPPED);
        }
        findings_free(&list);
        mst_close(document);
    }
}

/* ---- the corpus ---------------------------------------------------------------------------------- */

/* Results of an independent reader for the damaged files: each has the findings that its name indicates. */
static void corpus(void **state) {
    (void)state;
    static const struct {
        const char *name, *codes; /* in sequence */
    } files[] = {{"bad/bad_brace.kmat", "KMAT-SYNTAX "},
                 {"bad/bad_child.bin", "KEX-CHILD KEX-TREE "},
                 {"bad/bad_count.bin", "KEX-COUNT "},
                 {"bad/bad_index.bin", "KEX-INDEX "},
                 {"bad/bad_key.kmat", "KMAT-KEY KMAT-KEY KMAT-VALUE "},
                 {"bad/bad_nodes.bin", "KEX-NODES "},
                 {"bad/bad_string.kmat", "KMAT-SYNTAX "},
                 {"bad/bad_tail.bin", "KEX-TAIL "},
                 {"bad/bad_truncated.bin", "KEX-COUNT "},
                 {"bad/bad_variant.bin", "KEX-VARIANT "},
                 {"bad/bad_version.bin", "KEX-VERSION "},
                 {"bad/empty_surface.bin", "KEX-EMPTY "},
                 {"game_root/anims/dyn_flag01_anim.bin", ""},
                 {"game_root/materials/mat_pillar01.kmat", ""},
                 {"game_root/materials/sub/mat_rock01.kmat", ""},
                 {"game_root/materials/mat_dyn_flag01.kmat", ""},
                 {"game_root/materials/mat_dyn_lamp01.kmat", ""},
                 {"game_root/materials/mat_crate01.kmat", ""},
                 {"game_root/models/dyn_flag01.bin", ""},
                 {"game_root/models/dyn_lamp01.bin", ""},
                 {"game_root/models/pillar01.bin", ""},
                 {"game_root/models/unlit01.bin", ""},
                 {"game_root/models/crate01.bin", ""},
                 {"game_root/models/sub/rock01.bin", ""}};
    char path[700];
    if (!corpus_path("turok-models", path, sizeof path)) {
        print_message("# no corpus found (MAPSTONE_CORPUS)\n");
        skip();
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char name[200], codes[200] = "";
        mst_document *document;
        mst_diagnostic why;
        findings list = {0};
        snprintf(name, sizeof name, "turok-models/%s", files[i].name);
        assert_true(corpus_path(name, path, sizeof path));
        if (mst_open_file(path, NULL, &document, &why) == MST_OK) {
            check_of(document, &list);
            for (size_t k = 0; k < list.count; k++)
                snprintf(codes + strlen(codes), sizeof codes - strlen(codes), "%s ", list.items[k].code);
            assert_round_trips(document);
            mst_close(document);
        } else {
            snprintf(codes, sizeof codes, "%s ", why.code);
        }
        assert_string_equal(codes, files[i].codes);
        findings_free(&list);
    }
}

int test_turok_models(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields_of_models),
                                       cmocka_unit_test(fields_of_animations),
                                       cmocka_unit_test(empty_surfaces),
                                       cmocka_unit_test(identifying),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(other_versions),
                                       cmocka_unit_test(reading_materials),
                                       cmocka_unit_test(no_materials),
                                       cmocka_unit_test(the_last_node),
                                       cmocka_unit_test(edits),
                                       cmocka_unit_test(byte_order_mark),
                                       cmocka_unit_test(edits_of_models),
                                       cmocka_unit_test(faults_of_models),
                                       cmocka_unit_test(faults_of_materials),
                                       cmocka_unit_test(corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
