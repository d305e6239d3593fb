/* SPDX-License-Identifier: MIT */
/* Levels of Natural Selection 2: every version, structs, files that do not open, JSON. */
#include "ns2_documents.h"
#include "ns2_level.h"

static mst_value find(const mst_document *document, const char *path) {
    mst_value value;
    mst_diagnostic why;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    return value;
}

static char *json_of(const mst_value *value, int compact) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_json_options options = {.size = sizeof options, .compact = compact};
    MUST(mst_write_json(value, &options, mst_buffer_sink(&text), &why), &why);
    MUST(mst_buffer_sink(&text).write(&text, "", 1), NULL);
    return (char *)text.data;
}

static void assert_json_of(const mst_document *document, const char *path, const char *expected) {
    mst_value value = find(document, path);
    char *text = json_of(&value, 1);
    assert_string_equal(text, expected);
    free(text);
}

/* ---- Fields that a version lacks are absent; those it has are present. ------------------------- */

static void small_levels_of_every_version(void **state) {
    (void)state;
    for (unsigned version = 4; version <= 10; version++) {
        writer w = {0};
        level_plan plan = {.version = version};
        write_level(&w, &plan);
        mst_document *document = open_as(w.data, w.size, NULL, NULL);
        assert_string_equal(mst_document_format(document)->id, "ns2-level");
        assert_int_equal(mst_document_version(document), version);
        assert_marks(document, &w);
        assert_round_trips(document);
        findings list = {0};
        mst_check_options options = {.size = sizeof options, .information = 1};
        MUST(mst_check(document, &options, collect, &list, NULL, NULL), NULL);
        print_findings(&list);
        assert_int_equal(list.count, 0);
        findings_free(&list);
        mst_close(document);
        writer_free(&w);
    }
}

static void full_levels_of_every_version(void **state) {
    (void)state;
    for (unsigned version = 4; version <= 10; version++) {
        writer w = {0};
        level_plan plan = {.version = version, .everything = true};
        write_level(&w, &plan);
        mst_document *document = open_as(w.data, w.size, NULL, NULL);
        assert_int_equal(mst_document_version(document), version);
        assert_marks(document, &w);
        assert_round_trips(document);
        assert_false(mst_is_edited(document));
        assert_json_of(document, "objects[1].properties[6].value", "[-5]\n");
        assert_json_of(document, "mesh.faces[1].offset", "[\"NaN:ffc00000\",-0.0]\n");
        assert_json_of(document, "objects[1].properties[name=numbers].value",
                       "[\"NaN\",\"NaN:7f812345\",\"-Infinity\",-0.0]\n");
        assert_json_of(document, "objects[1].properties[name=flag].value", "[2]\n");
        assert_json_of(document, "objects[1].properties[22].name", "{\"$raw\":\"6eff6d\"}\n");
        assert_json_of(document, "objects[1].properties[22].value", "[{\"$raw\":\"780000d8\"}]\n");
        assert_json_of(document, "objects[1].properties[25].value", "[\"one\",\"\"]\n");
        assert_json_of(document, "objects[1].properties[name=none].value", "[]\n");
        assert_json_of(document, "layers[1].visible", "2\n");
        assert_json_of(document, "layers[0].visible", "true\n");
        assert_json_of(document, "viewports",
                       "\"<viewports a=\\\"1\\\">\\n\\t\\\\<\\u0001>\\n</viewports>\\n\"\n");
        mst_value value = find(document, "objects[1].properties[22].value");
        char text[16];
        size_t length;
        MUST(mst_get_text(&value, text, sizeof text, &length), NULL);
        assert_string_equal(text, "x\xEF\xBF\xBD");
        assert_int_equal(length, 4);
        mst_close(document);
        writer_free(&w);
    }
}

/* Fields that a version does not have are not there; those it has are. */
static void fields_by_version(void **state) {
    static const struct {
        const char *path;
        unsigned from, until; /* versions with the field */
    } fields[] = {
        {"objects[0].layer_mask", 4, 4},
        {"objects[0].has_layers", 5, 10},
        {"objects[0].group", 5, 10},
        {"objects[0].property_count", 10, 10},
        {"objects[0].extras", 10, 10},
        {"layers[0].id", 5, 10},
        {"mesh.geometry_groups", 5, 10},
        {"mesh.face_layers.masks", 4, 4},
        {"mesh.face_layers.faces", 5, 10},
        {"mesh.triangles.ghost_vertices", 7, 10},
        {"mesh.triangles.smoothed_normals", 8, 10},
        {"mesh.triangles.faces[0][0].normals", 8, 10},
        {"mesh.vertices[0].smooth", 8, 10},
        {"mesh.edges[0].smooth", 8, 10},
    };
    (void)state;
    for (unsigned version = 4; version <= 10; version++) {
        writer w = {0};
        level_plan plan = {.version = version};
        write_level(&w, &plan);
        mst_document *document = open_as(w.data, w.size, NULL, NULL);
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            mst_value value;
            mst_status wanted =
                version >= fields[i].from && version <= fields[i].until ? MST_OK : MST_NO_PATH;
            mst_status status = mst_find(mst_root(document), fields[i].path, &value, NULL);
            if (status != wanted)
                print_error("version %u, %s\n", version, fields[i].path);
            assert_int_equal(status, wanted);
        }
        mst_close(document);
        writer_free(&w);
    }
}

static void odd_order_is_kept(void **state) {
    (void)state;
    writer w = {0};
    level_plan plan = {.everything = true};
    write_level(&w, &plan);
    mst_document *document = open_as(w.data, w.size, NULL, NULL);
    mst_value root = mst_root(document);
    char *text = json_of(&root, 1);
    assert_non_null(strstr(text,
                           "{\"$format\":\"ns2-level\",\"version\":10,"
                           "\"$order\":[\"unknown_chunks\",\"objects\",\"mesh\",\"objects*10\",\"layers\","
                           "\"unknown_chunks\",\"groups\",\"viewports\",\"custom_colors\","
                           "\"editor_settings\"],\"mesh\":{"));
    assert_non_null(strstr(text, "\"mesh\":{\"$order\":[\"materials\",\"unknown_chunks\",\"vertices\","));
    free(text);
    mst_close(document);
    writer_free(&w);
    /* the default order is not shown */
    plan.everything = false;
    write_level(&w, &plan);
    document = open_as(w.data, w.size, NULL, NULL);
    root = mst_root(document);
    text = json_of(&root, 1);
    assert_null(strstr(text, "$order"));
    free(text);
    mst_close(document);
    writer_free(&w);
}

static void empty_level(void **state) {
    (void)state;
    for (uint8_t version = 4; version <= 10; version++) {
        const uint8_t bytes[4] = {'L', 'V', 'L', version};
        mst_document *document = open_as(bytes, sizeof bytes, NULL, NULL);
        mst_value root = mst_root(document), value;
        assert_int_equal(mst_count(&root), 2); /* magic and version */
        assert_int_equal(mst_find(root, "mesh", &value, NULL), MST_NO_PATH);
        assert_int_equal(mst_find(root, "groups", &value, NULL), MST_NO_PATH);
        /* a list of chunks exists, and is empty */
        assert_int_equal(mst_find(root, "objects", &value, NULL), MST_OK);
        assert_int_equal(mst_value_type(&value), MST_TYPE_LIST);
        assert_int_equal(mst_count(&value), 0);
        assert_int_equal(mst_find(root, "objects[0]", &value, NULL), MST_NO_PATH);
        char expected[64];
        snprintf(expected, sizeof expected, "{\"$format\":\"ns2-level\",\"version\":%u}\n", version);
        char *text = json_of(&root, 1);
        assert_string_equal(text, expected);
        free(text);
        assert_round_trips(document);
        mst_close(document);
    }
}

static void clipboards(void **state) {
    (void)state;
    for (int what = 0; what < 3; what++) { /* objects, a mesh, both and something else */
        writer w = {0};
        if (what != 1)
            write_clip_objects(&w, 0);
        if (what != 0)
            write_clip_mesh(&w, what == 2);
        if (what == 2) {
            begin_block(&w, 2, 5, 3);
            at(&w, "blocks[2].data");
            put_bytes_of(&w, "beyond", 6);
            end_length(&w);
        }
        mst_document *document = open_as(w.data, w.size, NULL, NULL);
        assert_string_equal(mst_document_format(document)->id, "ns2-clip");
        assert_int_equal(mst_document_version(document), 0);
        assert_marks(document, &w);
        assert_round_trips(document);
        mst_value value;
        if (what != 0) {
            value = find(document, what == 2 ? "blocks[1].mesh.vertices" : "blocks[0].mesh.vertices");
            assert_int_equal(mst_count(&value), 11);
            value = find(document, what == 2 ? "blocks[1].kind" : "blocks[kind=mesh].kind");
            assert_string_equal(mst_get_name(&value), "mesh");
        }
        mst_close(document);
        writer_free(&w);
    }
    /* empty blocks */
    const uint8_t empty[10] = {1, 0, 0, 0, 2, 0, 0, 0, 1, 0};
    mst_document *document = open_as(empty, sizeof empty, NULL, NULL);
    assert_string_equal(mst_document_format(document)->id, "ns2-clip");
    assert_round_trips(document);
    mst_close(document);
}

/* ---- numbers of many records ------------------------------------------------------------------------ */

/* Reads the values of a path with slices; returns the number of elements. */
static uint64_t read_all(const mst_document *document, const char *path, mst_element_type type, void *data) {
    mst_target target = {.type = type, .data = data, .capacity = 16};
    mst_value list = find(document, path);
    uint64_t count;
    mst_diagnostic why;
    MUST(mst_read(&list, &target, &count, &why), &why);
    return count;
}

static void numbers_of_the_mesh(void **state) {
    (void)state;
    for (unsigned version = 7; version <= 8; version++) {
        writer w = {0};
        level_plan plan = {.version = version};
        write_level(&w, &plan);
        mst_document *document = open_as(w.data, w.size, NULL, NULL);
        float positions[16][3];
        uint8_t smooth[16];
        uint32_t numbers[16][3], flipped[16], edges[16][2];
        assert_int_equal(read_all(document, "mesh.vertices[:].position", MST_F32, positions), 11);
        for (size_t i = 0; i < 11; i++)
            assert_memory_equal(positions[i], level_positions[i], 12);
        if (version >= 8) {
            assert_int_equal(read_all(document, "mesh.vertices[:].smooth", MST_U8, smooth), 11);
            for (size_t i = 0; i < 11; i++)
                assert_int_equal(smooth[i], i == 3);
        }
        assert_int_equal(read_all(document, "mesh.edges[2:9].vertices", MST_U32, edges), 7);
        for (size_t i = 0; i < 7; i++)
            assert_memory_equal(edges[i], level_edges[i + 2], 8);
        assert_int_equal(read_all(document, "mesh.faces[0].loops[1][:].flipped", MST_U32, flipped), 4);
        assert_int_equal(flipped[0], 1);
        assert_int_equal(read_all(document, "mesh.faces[0].loops[1][:].edge", MST_U32, flipped), 4);
        assert_int_equal(flipped[0], 7);
        assert_int_equal(read_all(document, "mesh.triangles.faces[0][:].vertices", MST_U32, numbers), 8);
        assert_int_equal(numbers[7][0], 3);
        assert_int_equal(numbers[7][2], 11); /* the ghost */
        if (version >= 8) {
            assert_int_equal(read_all(document, "mesh.triangles.faces[0][:].normals", MST_U32, numbers), 8);
            assert_int_equal(numbers[7][1], 1);
        }
        mst_close(document);
        writer_free(&w);
    }
}

/* ---- files that cannot be opened --------------------------------------------------------------- */

static void errors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof error_cases / sizeof *error_cases; i++) {
        const error_case *c = &error_cases[i];
        writer w = {0};
        level_plan plan = {.version = c->version};
        write_level(&w, &plan);
        if (c->patch)
            patch(&w, c->patch, c->delta, c->width, c->value);
        mst_document *document = NULL;
        mst_diagnostic why;
        mst_open_options options = {.size = sizeof options, .format = "ns2-level"};
        mst_status status = mst_open_memory(w.data, c->size ? c->size : w.size, &options, &document, &why);
        char text[700];
        mst_diagnostic_text(&why, text, sizeof text);
        print_message("# %s\n", text);
        assert_int_equal(status, MST_DAMAGED);
        assert_null(document);
        assert_int_equal(why.status, MST_DAMAGED);
        assert_int_equal(why.severity, MST_ERROR);
        assert_string_equal(why.code, c->code);
        assert_string_equal(why.path, c->path);
        if (c->expected)
            assert_string_equal(why.expected, c->expected);
        if (c->found)
            assert_string_equal(why.found, c->found);
        assert_int_equal(why.offset, c->where
                                         ? mark_of(&w, c->where)->offset + (size_t)(ptrdiff_t)c->where_delta
                                         : c->offset);
        if (c->length)
            assert_int_equal(why.length, c->length);
        assert_true(why.message[0] != 0);
        writer_free(&w);
    }
}

static void what_is_no_level(void **state) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *found;
    } cases[] = {
        {"", 0, ""},
        {"LV", 2, "text: LV"},
        {"<?xml version=\"1.0\"?>\n<a/>", 26, "text: <?xml version=\"1.0\"?> <a"},
        {"\x89PNG\r\n\x1A\n", 8, "89 50 4e 47 0d 0a 1a 0a"},
        {"\1\0\0\0\x20\0\0\0\1\0", 10, "01 00 00 00 20 00 00 00"}, /* a truncated block of a clipboard */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *document;
        mst_diagnostic why;
        assert_int_equal(mst_open_memory(cases[i].bytes, cases[i].size, NULL, &document, &why), MST_UNKNOWN);
        assert_string_equal(why.found, cases[i].found);
        assert_string_equal(why.code, "");
        assert_null(mst_identify(cases[i].bytes, cases[i].size, cases[i].size, NULL, NULL));
    }
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .format = "no-such-format"};
    assert_int_equal(mst_open_memory("LVL\x0A", 4, &options, &document, &why), MST_ARGUMENT);
    assert_string_equal(mst_identify("LVL\x0A", 4, 1 << 20, NULL, NULL)->id, "ns2-level");
}

/* ---- invalid JSON ------------------------------------------------------------------------------ */

#define LEVEL(more)  "{\"$format\":\"ns2-level\",\"version\":10" more "}"
#define OBJECT(more) "\"has_layers\":false,\"group\":0,\"class_name\":\"x\",\"properties\":[]" more

static void json_errors(void **state) {
    (void)state;
    static const struct {
        const char *text;
        mst_status status;
        const char *path, *expected, *found; /* NULL: not checked */
    } cases[] = {
        {"", MST_DAMAGED, NULL, NULL, NULL},
        {LEVEL("") "x", MST_DAMAGED, NULL, NULL, NULL},
        {"[]", MST_ARGUMENT, "", NULL, NULL},
        {"{}", MST_UNKNOWN, "", NULL, NULL},
        {"{\"$format\":5}", MST_UNKNOWN, "", NULL, NULL},
        {"{\"$format\":\"doc\"}", MST_UNKNOWN, "", "", "doc"},
        {"{\"$format\":\"ns2-level\"}", MST_ARGUMENT, "version", "one of 4, 5, 6, 7, 8, 9, 10", ""},
        {"{\"$format\":\"ns2-level\",\"version\":3}", MST_ARGUMENT, "version", NULL, NULL},
        {"{\"$format\":\"ns2-level\",\"version\":\"10\"}", MST_ARGUMENT, "version", NULL, NULL},
        {LEVEL(",\"other\":1"), MST_ARGUMENT, "", "", "other"},
        {LEVEL(",\"layers\":[],\"layers\":[]"), MST_ARGUMENT, "", NULL, NULL},
        {LEVEL(",\"$ordr\":[]"), MST_ARGUMENT, "", "", "$ordr"},
        {LEVEL(",\"objects\":[{" OBJECT(",\"extras\":[],\"$order\":[]") "}]"), MST_ARGUMENT, "objects[0]", "",
         "$order"},
        {LEVEL(",\"objects\":[{" OBJECT(",\"extras\":[],\"property_count\":7") "}]"), MST_ARGUMENT,
         "objects[0].property_count", NULL, NULL},
        {LEVEL(",\"objects\":{}"), MST_ARGUMENT, "objects", "a list", "an object"},
        {LEVEL(",\"objects\":[7]"), MST_ARGUMENT, "objects[0]", "an object", "a number"},
        {LEVEL(",\"objects\":[{\"class_name\":\"x\"}]"), MST_ARGUMENT, "objects[0].has_layers", NULL, NULL},
        {LEVEL(",\"objects\":[{" OBJECT(",\"extras\":[],\"layer_masks\":[]") "}]"), MST_ARGUMENT,
         "objects[0]", "", "layer_masks"},
        {LEVEL(",\"objects\":[{\"has_layers\":false,\"group\":0}]"), MST_ARGUMENT, "objects[0].class_name",
         NULL, NULL},
        {"{\"$format\":\"ns2-level\",\"version\":9,\"objects\":[{" OBJECT(",\"extras\":[]") "}]}",
         MST_ARGUMENT, "objects[0]", "", "extras"},
        {LEVEL(",\"viewports\":7"), MST_ARGUMENT, "viewports", "a string", "a number"},
        {LEVEL(",\"viewports\":{\"$raw\":\"000\"}"), MST_ARGUMENT, "viewports", NULL, NULL},
        {LEVEL(",\"$order\":[\"nothing\"]"), MST_ARGUMENT, "$order", NULL, NULL},
        {LEVEL(",\"$order\":[7]"), MST_ARGUMENT, "$order", NULL, NULL},
        {LEVEL(",\"$order\":7"), MST_ARGUMENT, "$order", "a list", "a number"},
        {LEVEL(",\"unknown_chunks\":[{\"id\":2}]"), MST_ARGUMENT, "unknown_chunks", "", "mesh"},
        {LEVEL(",\"unknown_chunks\":[{\"id\":1e0}]"), MST_ARGUMENT, "unknown_chunks", "", "objects"},
        {LEVEL(",\"$order\":[\"unknown_chunks\",\"mesh\"],\"mesh\":{},\"unknown_chunks\":[{\"id\":2}]"),
         MST_ARGUMENT, "unknown_chunks", "", "mesh"},
        {LEVEL(",\"$order\":[\"viewports\"]"), MST_ARGUMENT, "$order", NULL, NULL},
        {LEVEL(",\"$order\":[\"layers*18446744073709551615\"],\"layers\":[]"), MST_ARGUMENT, "$order", NULL,
         NULL},
        {LEVEL(",\"custom_colors\":[[1,2,3,4],[1,2,3]]"), MST_ARGUMENT, "custom_colors[1]", "4", "3"},
        {LEVEL(",\"mesh\":{\"vertices\":[{\"position\":[1,2],\"smooth\":0}]}"), MST_ARGUMENT,
         "mesh.vertices[0].position", "3", "2"},
        {LEVEL(",\"mesh\":{\"vertices\":[{\"position\":[1,2,\"a\"],\"smooth\":0}]}"), MST_ARGUMENT,
         "mesh.vertices[0].position", "a number", "a"},
        {LEVEL(",\"mesh\":{\"vertices\":[{\"position\":[1,2,3],\"smooth\":256}]}"), MST_ARGUMENT,
         "mesh.vertices[0].smooth", "an integer of the field's size", "256"},
        {LEVEL(",\"mesh\":{\"materials\":[\"a\",null]}"), MST_ARGUMENT, "mesh.materials[1]", "a string",
         "null"},
        {LEVEL(",\"mesh\":{\"vertices\":[{\"position\":[1,2,1e99],\"smooth\":0}]}"), MST_ARGUMENT,
         "mesh.vertices[0].position", "a number", "1e99"},
    };
    mst_document *document;
    mst_diagnostic why;
    if (mst_open_json("{}", 2, NULL, &document, &why) == MST_UNSUPPORTED)
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_status status = mst_open_json(cases[i].text, strlen(cases[i].text), NULL, &document, &why);
        bool good = status == cases[i].status && why.status == status &&
                    (!cases[i].path || strcmp(why.path, cases[i].path) == 0) &&
                    (!cases[i].expected || strcmp(why.expected, cases[i].expected) == 0) &&
                    (!cases[i].found || strcmp(why.found, cases[i].found) == 0);
        char text[700];
        mst_diagnostic_text(&why, text, sizeof text);
        if (!good)
            print_error("%s: %s: %s\n", cases[i].text, mst_status_text(status), text);
        assert_true(good);
        assert_true(why.message[0] != 0);
        assert_null(document);
    }
    /* missing lists are empty */
    mst_document *full;
    static const char without[] = LEVEL(",\"objects\":[{" OBJECT("") "}]"),
                      with[] = LEVEL(",\"objects\":[{" OBJECT(",\"extras\":[]") "}]");
    size_t size, full_size;
    MUST(mst_open_json(without, sizeof without - 1, NULL, &document, &why), &why);
    MUST(mst_open_json(with, sizeof with - 1, NULL, &full, &why), &why);
    const void *bytes = mst_document_bytes(document, &size),
               *full_bytes = mst_document_bytes(full, &full_size);
    assert_int_equal(size, full_size);
    assert_memory_equal(bytes, full_bytes, size);
    mst_close(full);
    mst_close(document);
    document = NULL;
    /* missing fields may be filled in, but nothing is dropped */
    static const char lenient[] = LEVEL(",\"objects\":[{\"class_name\":\"x\"}]"),
                      lost[] = LEVEL(",\"objects\":[{\"class_name\":\"x\",\"layer_masks\":[1]}]"),
                      twice[] = LEVEL(",\"layers\":[],\"layers\":[]");
    mst_open_options options = {.size = sizeof options, .lenient_json = 1};
    MUST(mst_open_json(lenient, sizeof lenient - 1, &options, &document, &why), &why);
    assert_json_of(
        document, "objects[0]",
        "{\"has_layers\":false,\"group\":0,\"class_name\":\"x\",\"properties\":[],\"extras\":[]}\n");
    assert_round_trips(document);
    mst_close(document);
    assert_int_equal(mst_open_json(lost, sizeof lost - 1, &options, &document, &why), MST_REFUSED);
    assert_int_equal(mst_open_json(twice, sizeof twice - 1, &options, &document, &why), MST_ARGUMENT);
}

/* ---- damage ------------------------------------------------------------------------------------ */

/* Every truncation of a level either opens or is reported as damaged. */
static void every_beginning(void **state) {
    (void)state;
    for (unsigned version = 4; version <= 10; version++) {
        writer w = {0};
        level_plan plan = {.version = version, .everything = true};
        write_level(&w, &plan);
        for (size_t size = 0; size < w.size; size += size < 64 ? 1 : sample_step()) {
            uint8_t *exact = malloc(size ? size : 1); /* so that a sanitizer detects an access beyond it */
            assert_non_null(exact);
            memcpy(exact, w.data, size);
            mst_document *document;
            mst_diagnostic why;
            mst_status status = mst_open_memory(exact, size, NULL, &document, &why);
            if (status == MST_OK) {
                mst_close(document);
            } else {
                assert_int_equal(status, size < 3 ? MST_UNKNOWN : MST_DAMAGED);
                assert_true(size < 3 || (why.code[0] != 0 && why.offset <= size));
            }
            free(exact);
        }
        writer_free(&w);
    }
}

/* Whatever a byte is changed to: nothing breaks, and files that open survive. */
static void every_byte_changed(void **state) {
    (void)state;
    writer w = {0};
    level_plan plan = {.everything = true};
    random_state r = {12345};
    write_level(&w, &plan);
    for (size_t i = 0; i < w.size; i += sample_step()) {
        uint8_t old = w.data[i];
        w.data[i] = (uint8_t)random_next(&r);
        mst_document *document;
        mst_diagnostic why;
        if (mst_open_memory(w.data, w.size, NULL, &document, &why) == MST_OK) {
            assert_encodes(document);
            if (i % 8 == 0)
                assert_round_trips(document);
            mst_close(document);
        }
        w.data[i] = old;
    }
    writer_free(&w);
}

/* Settings with an id above or below the known one are bytes. */
static void other_settings(void **state) {
    (void)state;
    for (uint32_t id = 0x7E374C8Du; id <= 0x7E374C8Fu; id++) {
        writer w = {0};
        mst_document *document;
        mst_diagnostic why;
        mst_value value;
        put_bytes_of(&w, "LVL\012", 4);
        begin_chunk(&w, 7);
        begin_chunk(&w, id);
        if (id == 0x7E374C8Eu)
            begin_chunk(&w, 1), end_chunk(&w);
        else
            put_bytes_of(&w, "1234567", 7);
        end_chunk(&w);
        end_chunk(&w);
        MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
        mst_status as_bytes = mst_find(mst_root(document), "editor_settings[0].data", &value, NULL);
        assert_int_equal(as_bytes, id == 0x7E374C8Eu ? MST_NO_PATH : MST_OK);
        mst_close(document);
        writer_free(&w);
    }
}

int test_ns2(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_levels_of_every_version),
        cmocka_unit_test(full_levels_of_every_version),
        cmocka_unit_test(fields_by_version),
        cmocka_unit_test(odd_order_is_kept),
        cmocka_unit_test(empty_level),
        cmocka_unit_test(clipboards),
        cmocka_unit_test(numbers_of_the_mesh),
        cmocka_unit_test(errors),
        cmocka_unit_test(what_is_no_level),
        cmocka_unit_test(json_errors),
        cmocka_unit_test(every_beginning),
        cmocka_unit_test(every_byte_changed),
        cmocka_unit_test(other_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
