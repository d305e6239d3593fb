/* SPDX-License-Identifier: MIT */
/* Edits: values, texts, lists, elements and chunks that are inserted and removed. */
#include "edit.h"
#include <mapstone/edit.h>

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Every marked value is unchanged, except below `path` and `other`. */
static void assert_others(const session *s, const char *path, const char *other) {
    for (size_t i = 0; i < s->w.mark_count; i++) {
        const mark *m = &s->w.marks[i];
        mst_value value;
        uint64_t number;
        double real;
        char text[256];
        if (begins(m->path, path) || (other && begins(m->path, other)))
            continue;
        value = value_at(s->d, m->path);
        switch (m->kind) {
        case MARK_SPAN: break;
        case MARK_NUMBER:
            MUST(mst_get_unsigned(&value, &number), NULL);
            assert_int_equal(number, m->number);
            break;
        case MARK_BITS32:
            MUST(mst_get_real(&value, &real), NULL);
            if (real == real)
                assert_int_equal(mst_bits_of_f32((float)real), m->number);
            break;
        case MARK_TEXT:
            MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
            assert_string_equal(text, m->text);
            break;
        }
    }
}

/* ---- values of one size ------------------------------------------------------------------------ */

static void scalars_change_their_bytes_only(void **state) {
    (void)state;
    static const struct {
        const char *path, *json, *mark, *bytes;
        size_t length;
        bool list; /* JSON that must be read as JSON */
    } cases[] = {
        {"objects[1].properties[name=volume].value[0]", "0.5", "objects[1].properties[4].value[0]",
         "\0\0\0\x3F", 4, 0},
        {"objects[1].properties[name=volume].value", "0.5", "objects[1].properties[4].value[0]", "\0\0\0\x3F",
         4, 1},
        {"objects[1].properties[name=volume].value[0]", "\"-Infinity\"", "objects[1].properties[4].value[0]",
         "\0\0\x80\xFF", 4, 1},
        {"objects[1].properties[name=volume].value[0]", "\"NaN:7f812345\"",
         "objects[1].properties[4].value[0]", "\x45\x23\x81\x7F", 4, 1},
        {"objects[1].properties[name=enabled].value", "false", "objects[1].properties[3].value[0]",
         "\0\0\0\0", 4, 1},
        {"objects[1].properties[name=enabled].value[0]", "3", "objects[1].properties[3].value[0]", "\3\0\0\0",
         4, 0},
        {"objects[1].properties[name=team].value[0]", "-2", "objects[1].properties[14].value[0]",
         "\xFE\xFF\xFF\xFF", 4, 0},
        {"objects[0].group", "none", "objects[0].group", "\xFF\xFF\xFF\xFF", 4, 0},
        {"objects[0].group", "0x10203", "objects[0].group", "\3\2\1\0", 4, 0},
        {"layers[0].color[2]", "7", "layers[0].color[2]", "\7", 1, 0},
        {"layers[0].color", "[1,2,3,4]", "layers[0].color[0]", "\1\2\3\4", 4, 1},
        {"layers[0].visible", "false", "layers[0].visible", "\0\0\0\0", 4, 1},
        {"mesh.vertices[4].position[1]", "-2.25", "mesh.vertices[4].position[1]", "\0\0\x10\xC0", 4, 0},
        {"mesh.vertices[4].position", "[1,-0.0,1e0]", "mesh.vertices[4].position[0]",
         "\0\0\x80\x3F\0\0\0\x80\0\0\x80\x3F", 12, 1},
        {"mesh.vertices[10]", "{\"position\":[0,1,0],\"smooth\":2}", "mesh.vertices[10]",
         "\0\0\0\0\0\0\x80\x3F\0\0\0\0\2", 13, 1},
        {"mesh.faces[1].material", "0", "mesh.faces[1].material", "\0\0\0\0", 4, 0},
        {"mesh.triangles.triangle_count", "65536", "mesh.triangles.triangle_count", "\0\0\1\0", 4, 0},
        {"objects[1].properties[4].type", "percentage", "objects[1].properties[4].type", "\6\0\0\0", 4, 1},
        {"objects[0].class_name", "Location", "objects[0].class_name", "\x8\0\0\0Location", 12, 0},
        {"objects[0].class_name", "\"locatio\\u006e\"", "objects[0].class_name", "\x8\0\0\0location", 12, 1},
        {"custom_colors[3]", "[9,8,7,6]", "custom_colors[3][0]", "\x9\x8\x7\x6", 4, 1},
        {"unknown_chunks[0].data", "\"0102ff0405\"", NULL, "\1\2\xFF\4\5", 5, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        session s;
        mst_diagnostic why;
        level_plan plan = {.chunk_in_level = true};
        if (cases[i].list && !can_read_json())
            continue;
        begin(&s, &plan);
        mst_status status = mst_set(s.d, cases[i].path, cases[i].json, &why);
        if (status != MST_OK)
            print_error("%s = %s\n", cases[i].path, cases[i].json);
        MUST(status, &why);
        assert_true(mst_is_edited(s.d));
        size_t place = cases[i].mark ? mark_of(&s.w, cases[i].mark)->offset : s.w.size - cases[i].length;
        uint8_t *expected = malloc(s.w.size);
        assert_non_null(expected);
        memcpy(expected, s.w.data, s.w.size);
        memcpy(expected + place, cases[i].bytes, cases[i].length);
        size_t size;
        const uint8_t *now = mst_document_bytes(s.d, &size);
        if (size != s.w.size || memcmp(now, expected, size) != 0)
            print_error("%s = %s\n", cases[i].path, cases[i].json);
        assert_same_bytes(s.d, expected, s.w.size);
        free(expected);
        assert_sound(s.d);
        end(&s);
    }
}

/* Setting a value to itself changes nothing. */
static void what_is_set_to_itself(void **state) {
    (void)state;
    NEED_JSON();
    for (int everything = 0; everything < 2; everything++)
        for (unsigned version = 4; version <= 10; version += 3) {
            session s;
            level_plan plan = {.version = version, .everything = everything};
            begin(&s, &plan);
            for (size_t i = 0; i < s.w.mark_count; i++) {
                const char *path = s.w.marks[i].path;
                const char *last = strrchr(path, '.');
                mst_diagnostic why;
                if (strcmp(path, "version") == 0 ||
                    (last && (strcmp(last, ".component_count") == 0 ||
                              strcmp(last, ".inner_loop_count") == 0 || strcmp(last, ".face_count") == 0)))
                    continue;
                char *text = json_at(s.d, path);
                mst_status status = mst_set(s.d, path, text, &why);
                if (status != MST_OK)
                    print_error("%s = %s\n", path, text);
                MUST(status, &why);
                size_t size;
                const void *now = mst_document_bytes(s.d, &size);
                if (size != s.w.size || memcmp(now, s.w.data, size) != 0)
                    print_error("%s = %s\n", path, text);
                assert_same_bytes(s.d, s.w.data, s.w.size);
                free(text);
            }
            end(&s);
        }
}

/* ---- values of another size -------------------------------------------------------------------- */

/* An argument is one value: text after it is not read as further members of the enclosing record. */
static void one_value_only(void **state) {
    (void)state;
    NEED_JSON();
    static const char *const more[] = {",\"group\":5", ",\"data\":\"00\"", ",1",         "}", "]", " 1",
                                       " \"\"",        "],\"other\":[1",   "},{\"id\":1"};
    session s;
    level_plan plan = {.everything = true, .chunk_in_level = true};
    mst_diagnostic why;
    begin(&s, &plan);
    for (size_t i = 0; i < s.w.mark_count; i++)
        for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
            const char *path = s.w.marks[i].path;
            char *value = json_at(s.d, path), *text = malloc(strlen(value) + 32);
            assert_non_null(text);
            sprintf(text, "%s%s", value, more[k]);
            mst_status status = mst_set(s.d, path, text, &why);
            if (status != MST_ARGUMENT && status != MST_REFUSED)
                print_error("%s = %s: %s\n", path, text, mst_status_text(status));
            assert_true(status == MST_ARGUMENT || status == MST_REFUSED);
            free(text);
            free(value);
        }
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        char text[80];
        snprintf(text, sizeof text, "\"m\"%s", more[k]);
        assert_int_equal(mst_insert(s.d, "mesh.materials[0]", text, &why), MST_ARGUMENT);
        assert_string_equal(why.expected, "one JSON value");
        assert_int_equal(why.offset, MST_NO_OFFSET);
        snprintf(text, sizeof text, "{\"id\":1234,\"data\":\"00\"}%s", more[k]);
        assert_int_equal(mst_insert(s.d, "unknown_chunks[0]", text, &why), MST_ARGUMENT);
    }
    assert_same_bytes(s.d, s.w.data, s.w.size);
    end(&s);
}

/* Negative indices count from the end, anywhere in a path. */
static void from_the_end(void **state) {
    (void)state;
    NEED_JSON();
    session s;
    level_plan plan = {.chunk_in_level = true};
    mst_diagnostic why;
    mst_value last, same;
    begin(&s, &plan);
    static const struct {
        const char *path, *same;
    } cases[] = {
        {"objects[-1]", "objects[10]"},
        {"objects[-11].class_name", "objects[0].class_name"},
        {"mesh.vertices[-2].position[-1]", "mesh.vertices[9].position[2]"},
        {"mesh.vertices[2:5][-1]", "mesh.vertices[4]"},
        {"mesh.vertices[-3:][0]", "mesh.vertices[8]"},
        {"mesh.vertices[-99:-10][0]", "mesh.vertices[0]"},
        {"mesh.vertices[1:-1][-1]", "mesh.vertices[9]"},
        {"unknown_chunks[-1].data", "unknown_chunks[0].data"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        last = value_at(s.d, cases[i].path);
        same = value_at(s.d, cases[i].same);
        assert_int_equal(last.offset, same.offset);
        assert_int_equal(last.end, same.end);
    }
    static const struct {
        const char *path, *expected;
    } wrong[] = {
        {"objects[-12]", "-11 to -1"}, {"objects[-0]", "-11 to -1"},
        {"objects[11]", "below 11"},   {"objects[2].extras[-1]", "below 0"},
        {"objects[-]", NULL},          {"objects[--1]", NULL},
        {"mesh.vertices[0:-]", NULL},  {"objects[-99999999999999999999]", NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(mst_find(mst_root(s.d), wrong[i].path, &last, &why), MST_NO_PATH);
        if (wrong[i].expected)
            assert_string_equal(why.expected, wrong[i].expected);
        assert_int_equal(mst_find(mst_root(s.d), wrong[i].path, &last, NULL), MST_NO_PATH);
    }
    last = value_at(s.d, "mesh.vertices[-1:-3]");
    assert_int_equal(mst_count(&last), 0);
    MUST(mst_set(s.d, "objects[-1].class_name", "the_last", &why), &why);
    assert_json_at(s.d, "objects[10].class_name", "\"the_last\"");
    MUST(mst_insert(s.d, "mesh.materials[-1]", "\"before_the_last\"", &why), &why);
    assert_json_at(s.d, "mesh.materials[1]", "\"before_the_last\"");
    MUST(mst_insert(s.d, "mesh.materials[-3]", "\"first\"", &why), &why);
    assert_json_at(s.d, "mesh.materials[0]", "\"first\"");
    assert_int_equal(mst_insert(s.d, "mesh.materials[-5]", "\"x\"", &why), MST_NO_PATH);
    assert_int_equal(mst_insert(s.d, "mesh.materials[-]", "\"x\"", &why), MST_ARGUMENT);
    assert_int_equal(mst_insert(s.d, "mesh.materials[--1]", "\"x\"", &why), MST_ARGUMENT);
    MUST(mst_remove(s.d, "mesh.materials[-4]", &why), &why);
    MUST(mst_remove(s.d, "mesh.materials[-2]", &why), &why);
    MUST(mst_insert(s.d, "unknown_chunks[-1]", "{\"id\":1234,\"data\":\"00\"}", &why), &why);
    assert_json_at(s.d, "unknown_chunks[0].id", "1234");
    assert_sound(s.d);
    end(&s);
}

/* true and false in brackets, as printed; numbers still work. */
static void selected_by_yes_and_no(void **state) {
    (void)state;
    session s;
    level_plan plan = {0};
    mst_value a, b;
    begin(&s, &plan);
    a = value_at(s.d, "objects[has_layers=true]");
    b = value_at(s.d, "objects[has_layers=1]");
    assert_int_equal(a.offset, b.offset);
    a = value_at(s.d, "objects[has_layers=false]");
    b = value_at(s.d, "objects[has_layers=0]");
    assert_int_equal(a.offset, b.offset);
    assert_int_equal(mst_find(mst_root(s.d), "objects[has_layers=True]", &a, NULL), MST_NO_PATH);
    assert_int_equal(mst_find(mst_root(s.d), "objects[has_layers=maybe]", &a, NULL), MST_NO_PATH);
    a = value_at(s.d, "layers[visible=true].name");
    end(&s);
}

/* Literal texts, and bytes. */
static void texts_as_they_stand(void **state) {
    (void)state;
    NEED_JSON();
    static const struct {
        const char *path, *given, *json;
    } cases[] = {
        {"objects[0].class_name", "5", "\"5\""},
        {"objects[0].class_name", "true", "\"true\""},
        {"objects[0].class_name", "null", "\"null\""},
        {"objects[0].class_name", "[1]", "\"[1]\""},
        {"objects[0].class_name", "{\"a\":1}", "\"{\\\"a\\\":1}\""},
        {"objects[0].class_name", "[x", "\"[x\""},
        {"objects[0].class_name", " x ", "\" x \""},
        {"objects[0].class_name", "\"5\"", "\"5\""},
        {"objects[0].class_name", " \"x\" ", "\"x\""},
        {"objects[0].class_name", "{\"$raw\":\"616200\"}", "\"ab\\u0000\""},
        {"objects[0].class_name", "a,\"b\":1", "\"a,\\\"b\\\":1\""},
        {"groups[0].name", "12e3", "\"12e3\""},
        {"objects[1].properties[name=model].value", "5", "[\"5\"]"},
        {"objects[1].properties[name=model].value", "true", "[\"true\"]"},
        {"objects[1].properties[name=model].value", "\"true\"", "[\"true\"]"},
        {"objects[1].properties[name=model].value[0]", "6", "\"6\""},
        {"unknown_chunks[0].data", "12345678", "\"12345678\""},
        {"unknown_chunks[0].data", "00ff", "\"00ff\""},
        {"unknown_chunks[0].data", "\"00ff\"", "\"00ff\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        session s;
        level_plan plan = {.chunk_in_level = true};
        mst_diagnostic why;
        begin(&s, &plan);
        mst_status status = mst_set(s.d, cases[i].path, cases[i].given, &why);
        if (status != MST_OK)
            print_error("%s = %s\n", cases[i].path, cases[i].given);
        MUST(status, &why);
        assert_json_at(s.d, cases[i].path, cases[i].json);
        assert_sound(s.d);
        end(&s);
    }
    session s;
    level_plan plan = {0};
    mst_diagnostic why;
    begin(&s, &plan);
    static const char *const wrong[] = {"\"x",         "\"",           " \"x\"y",
                                        "\"a\" \"b\"", "{\"$raw\":5}", "{\"$raw\":\"6\"}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(mst_set(s.d, "objects[0].class_name", wrong[i], &why), MST_ARGUMENT);
    assert_int_equal(mst_set(s.d, "objects[1].properties[name=model].value", "{\"a\":1}", &why),
                     MST_ARGUMENT);
    assert_int_equal(mst_set(s.d, "objects[1].properties[name=model].value", "[a", &why), MST_ARGUMENT);
    assert_same_bytes(s.d, s.w.data, s.w.size);
    end(&s);
}

static void texts_of_other_lengths(void **state) {
    (void)state;
    static const struct {
        const char *path;
        unsigned width;
    } texts[] = {{"objects[0].class_name", 1},
                 {"objects[1].properties[4].name", 1},
                 {"objects[1].properties[2].value[0]", 2},
                 {"objects[1].properties[name=model].value[0]", 2},
                 {"mesh.materials[0]", 1},
                 {"layers[1].name", 2},
                 {"groups[0].name", 2},
                 {"viewports", 2},
                 {"editor_settings[0].layers.name", 2},
                 {"editor_settings[0].properties[0].name", 1}};
    static const struct {
        const char *text;
        size_t bytes, units;
    } values[] = {{"", 0, 0},
                  {"x", 1, 1},
                  {"a much longer text than it was", 30, 30},
                  {"\xC3\xA9\xF0\x9F\x98\x80", 6, 3}};
    for (unsigned version = 9; version <= 10; version++)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
                session s;
                mst_diagnostic why;
                mst_value value;
                char text[128];
                level_plan plan = {.version = version};
                begin(&s, &plan);
                size_t old;
                value = value_at(s.d, texts[i].path);
                const void *bytes;
                MUST(mst_get_bytes(&value, &bytes, &old), NULL);
                MUST(mst_set(s.d, texts[i].path, values[k].text, &why), &why);
                char *plain = strchr(texts[i].path, '=') ? NULL : json_at(s.d, texts[i].path);
                free(plain);
                value = value_at(s.d, texts[i].path);
                MUST(mst_get_text(&value, text, sizeof text, NULL), NULL);
                assert_string_equal(text, values[k].text);
                size_t size,
                    expected = s.w.size - old + (texts[i].width == 1 ? values[k].bytes : 2 * values[k].units);
                mst_document_bytes(s.d, &size);
                assert_int_equal(size, expected);
                assert_others(&s,
                              begins(texts[i].path, "objects[1].properties[name=")
                                  ? "objects[1].properties[7]"
                                  : texts[i].path,
                              NULL);
                assert_sound(s.d);
                end(&s);
            }
}

static void lists_of_other_lengths(void **state) {
    (void)state;
    NEED_JSON();
    static const struct {
        const char *path, *json, *count_path, *count, *changed;
        int more; /* bytes */
    } cases[] = {
        {"objects[1].properties[name=scale].value", "[1,2,3,4]", "objects[1].properties[5].component_count",
         "4", "objects[1].properties[5]", 4},
        {"objects[1].properties[name=scale].value", "[]", "objects[1].properties[5].component_count", "0",
         "objects[1].properties[5]", -12},
        {"objects[1].properties[name=model].value", "[\"a\",\"bc\"]",
         "objects[1].properties[7].component_count", "2", "objects[1].properties[7]", 6 + 8 - 32},
        {"objects[0].layer_masks", "[1,2]", "objects[0].has_layers", "true", "objects[0].layer_masks", -24},
        {"mesh.geometry_groups.edge_groups[0].indices", "[5,6,7,8,9]",
         "mesh.geometry_groups.edge_groups[0].id", "7", "mesh.geometry_groups.edge_groups[0].indices", 8},
        {"mesh.vertices", "[{\"position\":[1,2,3],\"smooth\":0}]", "mesh.vertices[0].position", "[1,2,3]",
         "mesh.vertices", -130},
        {"mesh.faces[1].loops", "[[{\"flipped\":true,\"edge\":3}],[],[]]", "mesh.faces[1].inner_loop_count",
         "2", "mesh.faces[1]", 12 + 4 + 4 - 28},
        {"mesh.faces[1].loops[0]", "[]", "mesh.faces[1].inner_loop_count", "0", "mesh.faces[1].loops", -24},
        {"mesh.triangles.faces", "[[]]", "mesh.triangles.face_count", "1", "mesh.triangles.",
         4 - (12 + 24 * 10)},
        {"objects[2].properties", "[]", "objects[2].properties", "[]", "objects[2].properties", -84},
        {"objects[2].extras", "[{\"name\":\"n\",\"data\":\"00ff\"}]", "objects[2].extras[0].data", "\"00ff\"",
         "objects[2].extras", 5 + 6},
        {"unknown_chunks[0].data", "\"\"", "unknown_chunks[0].data", "\"\"", "unknown_chunks", -5},
        {"layers", "[]", "layers", "[]", "layers", -(4 + 10 + 12) - (4 + 20 + 12)},
        {"editor_settings", "[]", "editor_settings", "[]", "editor_settings", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        session s;
        mst_diagnostic why;
        level_plan plan = {.chunk_in_level = true};
        size_t size;
        begin(&s, &plan);
        mst_status status = mst_set(s.d, cases[i].path, cases[i].json, &why);
        if (status != MST_OK)
            print_error("%s\n", cases[i].path);
        MUST(status, &why);
        assert_json_at(s.d, cases[i].count_path, cases[i].count);
        mst_document_bytes(s.d, &size);
        if (cases[i].more)
            assert_int_equal((int64_t)size - (int64_t)s.w.size, cases[i].more);
        assert_others(&s, cases[i].changed, NULL);
        assert_sound(s.d);
        end(&s);
    }
}

/* A flag that is set adds the fields that it declares. */
static void flags_bring_fields(void **state) {
    (void)state;
    NEED_JSON();
    session s;
    mst_diagnostic why;
    level_plan plan = {0};
    size_t size;
    begin(&s, &plan);
    MUST(mst_set(s.d, "objects[1].has_layers", "true", &why), &why);
    mst_document_bytes(s.d, &size);
    assert_int_equal(size, s.w.size + 8); /* the words' format and their number */
    assert_json_at(s.d, "objects[1].layer_masks", "[]");
    assert_json_at(s.d, "objects[1].layer_format", "2");
    assert_others(&s, "objects[1].has_layers", NULL);
    MUST(mst_set(s.d, "objects[1].layer_masks", "[8,0,0,0,0,0,0,0]", &why), &why);
    assert_sound(s.d);
    /* and removes it again */
    MUST(mst_set(s.d, "objects[1].has_layers", "false", &why), &why);
    assert_same_bytes(s.d, s.w.data, s.w.size);
    MUST(mst_set(s.d, "mesh.face_layers.faces[1].has_layers", "true", &why), &why);
    assert_json_at(s.d, "mesh.face_layers.faces[1]", "{\"has_layers\":true,\"layer_masks\":[]}");
    assert_sound(s.d);
    end(&s);
}

/* ---- inserted and removed elements ------------------------------------------------------------- */

/* Further changes when an element is inserted or removed. */
typedef enum following {
    NOTHING = 0,
    NUMBERS,  /* the references to elements after it; on request references to it are removed with it */
    PARALLEL, /* nothing: the list is parallel to another one */
} following;

static const struct {
    const char *list;
    uint64_t count;
    const char *json; /* NULL: a copy of the first */
    size_t bytes;     /* size of one element; 0: not checked */
    following follows;
} lists[] = {
    {"objects", 11,
     "{\"has_layers\":false,\"group\":\"none\",\"class_name\":\"new\",\"properties\":[],\"extras\":[]}",
     8 + 4 + 4 + 7 + 4 + 4, NOTHING},
    {"objects[1].properties", 15, "{\"name\":\"n\",\"type\":\"integer\",\"animated\":false,\"value\":[5]}",
     8 + 5 + 4 + 4 + 4 + 4, NOTHING},
    {"objects[2].extras", 0, "{\"name\":\"\",\"data\":\"\"}", 8, NOTHING},
    {"objects[0].layer_masks", 8, "7", 4, NOTHING},
    {"layers", 2, "{\"name\":\"L\",\"visible\":true,\"color\":[1,2,3,4],\"id\":9}", 6 + 4 + 4 + 4, NUMBERS},
    {"groups", 1, NULL, 4 + 34 + 12, NUMBERS},
    {"custom_colors", 16, "[1,2,3,4]", 4, NOTHING},
    {"mesh.vertices", 11, "{\"position\":[1,2,3],\"smooth\":1}", 13, NUMBERS},
    {"mesh.edges", 13, "{\"vertices\":[1,2],\"smooth\":0}", 9, NUMBERS},
    {"mesh.faces", 3, NULL, 0, NUMBERS},
    {"mesh.faces[1].loops", 1, "[]", 4, NOTHING},
    {"mesh.faces[1].loops[0]", 3, "{\"flipped\":false,\"edge\":1}", 8, NOTHING},
    {"mesh.face_layers.faces", 3, "{\"has_layers\":false}", 4, PARALLEL},
    {"mesh.materials", 2, "\"m\"", 5, NUMBERS},
    {"mesh.mapping_groups", 0, "{\"id\":1,\"angle\":0,\"scale\":[1,1],\"offset\":[0,0],\"normal\":[0,0,1]}",
     36, NOTHING},
    {"mesh.geometry_groups.face_groups", 1, "{\"id\":7,\"indices\":[0,1]}", 16, NOTHING},
    {"mesh.triangles.ghost_vertices", 1, "[0,0,0]", 12, NUMBERS},
    {"mesh.triangles.faces", 3, "[]", 4, PARALLEL},
    {"mesh.triangles.faces[0]", 8, NULL, 24, NOTHING},
    {"editor_settings", 1, NULL, 0, NOTHING},
    {"editor_settings[0].properties", 2, NULL, 0, NOTHING},
    {"unknown_chunks", 1, "{\"id\":1234,\"data\":\"00\"}", 9, NOTHING},
    {"mesh.unknown_chunks", 1, "{\"id\":1234}", 8, NOTHING},
};

static void elements_come_and_go(void **state) {
    (void)state;
    NEED_JSON();
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (int where = 0; where < 3; where++) { /* at the beginning, in the middle, at the end */
            session s;
            mst_diagnostic why;
            mst_value list, element;
            char path[128];
            level_plan plan = {.chunk_in_level = true, .chunk_in_mesh = true};
            begin(&s, &plan);
            uint64_t index = where == 0 ? 0 : where == 1 ? lists[i].count / 2 : lists[i].count;
            list = value_at(s.d, lists[i].list);
            if (mst_count(&list) != lists[i].count)
                print_error("%s\n", lists[i].list);
            assert_int_equal(mst_count(&list), lists[i].count);
            snprintf(path, sizeof path, "%s[0]", lists[i].list);
            char *copy = lists[i].json ? NULL : json_at(s.d, path);
            snprintf(path, sizeof path, "%s[%llu]", lists[i].list, (unsigned long long)index);
            mst_status status = mst_insert(s.d, path, copy ? copy : lists[i].json, &why);
            if (lists[i].follows == PARALLEL) {
                assert_int_equal(status, MST_REFUSED);
                assert_string_equal(why.expected, "mesh.faces");
                free(copy);
                end(&s);
                continue;
            }
            if (status != MST_OK)
                print_error("%s\n", path);
            MUST(status, &why);
            assert_true(mst_is_edited(s.d));
            list = value_at(s.d, lists[i].list);
            assert_int_equal(mst_count(&list), lists[i].count + 1);
            MUST(mst_element(&list, index, &element), NULL);
            size_t size;
            mst_document_bytes(s.d, &size);
            if (lists[i].bytes && size != s.w.size + lists[i].bytes)
                print_error("%s\n", path);
            if (lists[i].bytes)
                assert_int_equal(size, s.w.size + lists[i].bytes);
            char *now = json_at(s.d, path);
            if (copy || (lists[i].json[0] != '{' && lists[i].json[0] != '['))
                assert_string_equal(now, copy ? copy : lists[i].json);
            free(now);
            free(copy);
            if (lists[i].follows == NOTHING)
                assert_others(&s, lists[i].list,
                              begins(lists[i].list, "mesh.faces[1].loops") ? "mesh.faces[1].inner_loop"
                              : begins(lists[i].list, "mesh.triangles")    ? "mesh.triangles.triangle_count"
                                                                           : NULL);
            assert_sound(s.d);
            /* removed again, nothing has changed */
            MUST(mst_remove(s.d, path, &why), &why);
            assert_same_bytes(s.d, s.w.data, s.w.size);
            assert_int_equal(mst_find(mst_root(s.d), path, &element, NULL),
                             index < lists[i].count ? MST_OK : MST_NO_PATH);
            end(&s);
        }
}

static void all_elements_go(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        session s;
        mst_diagnostic why;
        char path[128];
        level_plan plan = {.chunk_in_level = true, .chunk_in_mesh = true};
        begin(&s, &plan);
        for (uint64_t k = 0; k < lists[i].count; k++) {
            mst_operation removal = {.kind = MST_OPERATION_REMOVE, .path = path};
            mst_edit_options all = {.size = sizeof all, .cascade = 1};
            mst_value list;
            list = value_at(s.d, lists[i].list);
            if (lists[i].follows == NUMBERS && mst_count(&list) == 0) /* more than one is removed at a time */
                break;
            snprintf(path, sizeof path, "%s[%llu]", lists[i].list,
                     (unsigned long long)(k % 2 ? 0 : mst_count(&list) - 1));
            mst_status status = mst_edit(s.d, &removal, 1, &all, &why);
            if (lists[i].follows == PARALLEL) {
                assert_int_equal(status, MST_REFUSED);
                break;
            }
            if (strcmp(lists[i].list, "mesh.faces[1].loops") == 0) {
                assert_int_equal(status, MST_REFUSED); /* a face requires a border */
                break;
            }
            if (status != MST_OK)
                print_error("%s\n", path);
            MUST(status, &why);
            assert_tiled(s.d);
        }
        assert_sound(s.d);
        end(&s);
    }
}

static void chunks_go(void **state) {
    (void)state;
    static const struct {
        const char *path;
        size_t bytes; /* 0: not checked */
    } chunks[] = {{"viewports", 8 + 4 + 26},
                  {"layers", 0},
                  {"groups", 8 + 4 + 4 + 34 + 12},
                  {"custom_colors", 8 + 68},
                  {"mesh", 0},
                  {"editor_settings", 0},
                  {"mesh.triangles", 0},
                  {"mesh.vertices", 8 + 4 + 13 * 11},
                  {"mesh.materials", 0},
                  {"mesh.face_layers", 0},
                  {"editor_settings[0].layers", 0},
                  {"editor_settings[0].properties", 0}};
    for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
        session s;
        mst_diagnostic why;
        mst_value value;
        level_plan plan = {0};
        begin(&s, &plan);
        MUST(mst_remove(s.d, chunks[i].path, &why), &why);
        assert_int_equal(mst_find(mst_root(s.d), chunks[i].path, &value, NULL), MST_NO_PATH);
        size_t size;
        mst_document_bytes(s.d, &size);
        if (chunks[i].bytes)
            assert_int_equal(size, s.w.size - chunks[i].bytes);
        assert_others(&s, chunks[i].path, NULL);
        assert_sound(s.d);
        end(&s);
    }
}

int test_edit(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_change_their_bytes_only),
        cmocka_unit_test(what_is_set_to_itself),
        cmocka_unit_test(one_value_only),
        cmocka_unit_test(from_the_end),
        cmocka_unit_test(selected_by_yes_and_no),
        cmocka_unit_test(texts_as_they_stand),
        cmocka_unit_test(texts_of_other_lengths),
        cmocka_unit_test(lists_of_other_lengths),
        cmocka_unit_test(flags_bring_fields),
        cmocka_unit_test(elements_come_and_go),
        cmocka_unit_test(all_elements_go),
        cmocka_unit_test(chunks_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
