/* SPDX-License-Identifier: MIT */
/* Editing: the requested value and everything that depends on it change, and nothing else. */
#include "ns2_level.h"

typedef struct session {
    writer w;
    mst_document *d;
} session;

static void begin(session *s, const level_plan *plan) {
    mst_diagnostic why;
    memset(s, 0, sizeof *s);
    write_level(&s->w, plan);
    MUST(mst_open_memory(s->w.data, s->w.size, NULL, &s->d, &why), &why);
}
static void end(session *s) {
    mst_close(s->d);
    writer_free(&s->w);
}

static void find(const mst_document *d, const char *path, mst_value *value) {
    mst_diagnostic why;
    mst_status status = mst_find(mst_root(d), path, value, &why);
    if (status != MST_OK)
        print_error("%s\n", path);
    MUST(status, &why);
}

static char *json_at(const mst_document *d, const char *path) {
    mst_buffer text = {0};
    mst_diagnostic why;
    mst_value value;
    mst_json_options options = {.compact = 1};
    find(d, path, &value);
    MUST(mst_write_json(&value, &options, mst_buffer_sink(&text), &why), &why);
    text.data[text.size - 1] = 0; /* instead of the line's end */
    return (char *)text.data;
}
static void assert_json_at(const mst_document *d, const char *path, const char *expected) {
    char *text = json_at(d, path);
    assert_string_equal(text, expected);
    free(text);
}

/* JSON cannot be read in every build; scalars can be set in all of them. */
static bool can_read_json(void) {
    mst_document *d;
    static const char text[] = "{\"$format\":\"ns2-level\",\"version\":10}";
    mst_status status = mst_open_json(text, sizeof text - 1, NULL, &d, NULL);
    if (status == MST_OK)
        mst_close(d);
    return status != MST_UNSUPPORTED;
}
#define NEED_JSON()                                                                                          \
    do {                                                                                                     \
        if (!can_read_json())                                                                                \
            skip();                                                                                          \
    } while (0)

static uint8_t *copy_bytes(const mst_document *d, size_t *size) {
    const void *bytes = mst_document_bytes(d, size);
    uint8_t *copy = malloc(*size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, *size);
    return copy;
}

/* The chunks of the level and of its mesh fill their places: lengths followed. */
static void assert_tiled(const mst_document *d) {
    size_t size, place;
    const uint8_t *bytes = mst_document_bytes(d, &size);
    for (place = 4; place < size;) {
        assert_true(size - place >= 8);
        uint32_t id = mst_load32(bytes + place, false), length = mst_load32(bytes + place + 4, false);
        assert_true(length <= size - place - 8);
        size_t after = place + 8 + length;
        if (id == 2) {
            for (place += 8; place < after;) {
                assert_true(after - place >= 8);
                place += 8;
                assert_true(mst_load32(bytes + place - 4, false) <= after - place);
                place += mst_load32(bytes + place - 4, false);
            }
            assert_int_equal(place, after);
        }
        place = after;
    }
    assert_int_equal(place, size);
}

/* The bytes open afresh, and survive everything. */
static void assert_sound(const mst_document *d) {
    size_t size;
    uint8_t *bytes = copy_bytes(d, &size);
    mst_document *again;
    mst_diagnostic why;
    assert_tiled(d);
    MUST(mst_open_memory(bytes, size, NULL, &again, &why), &why);
    assert_round_trips(again);
    mst_close(again);
    free(bytes);
    assert_encodes(d);
}

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
        find(s->d, m->path, &value);
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
        bool list; /* JSON that must be read as such */
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

/* An argument is one value: text after it is not read as further members of the record around it. */
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

/* Negative indices count from the end, wherever a path goes. */
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
        find(s.d, cases[i].path, &last);
        find(s.d, cases[i].same, &same);
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
    find(s.d, "mesh.vertices[-1:-3]", &last);
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

/* Yes and no in brackets, as printed; numbers still work. */
static void selected_by_yes_and_no(void **state) {
    (void)state;
    session s;
    level_plan plan = {0};
    mst_value a, b;
    begin(&s, &plan);
    find(s.d, "objects[has_layers=true]", &a);
    find(s.d, "objects[has_layers=1]", &b);
    assert_int_equal(a.offset, b.offset);
    find(s.d, "objects[has_layers=false]", &a);
    find(s.d, "objects[has_layers=0]", &b);
    assert_int_equal(a.offset, b.offset);
    assert_int_equal(mst_find(mst_root(s.d), "objects[has_layers=True]", &a, NULL), MST_NO_PATH);
    assert_int_equal(mst_find(mst_root(s.d), "objects[has_layers=maybe]", &a, NULL), MST_NO_PATH);
    find(s.d, "layers[visible=true].name", &a);
    end(&s);
}

/* What stands for a text, and for bytes. */
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
                find(s.d, texts[i].path, &value);
                const void *bytes;
                MUST(mst_get_bytes(&value, &bytes, &old), NULL);
                MUST(mst_set(s.d, texts[i].path, values[k].text, &why), &why);
                char *plain = strchr(texts[i].path, '=') ? NULL : json_at(s.d, texts[i].path);
                free(plain);
                find(s.d, texts[i].path, &value);
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
        {"mesh.triangles.faces", "[[]]", "mesh.triangles.face_count", "1", "mesh.triangles.face",
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

/* A flag that is set brings what it says is there. */
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
    assert_int_equal(size, s.w.size + 8); /* the words' format, and how many there are */
    assert_json_at(s.d, "objects[1].layer_masks", "[]");
    assert_json_at(s.d, "objects[1].layer_format", "2");
    assert_others(&s, "objects[1].has_layers", NULL);
    MUST(mst_set(s.d, "objects[1].layer_masks", "[8,0,0,0,0,0,0,0]", &why), &why);
    assert_sound(s.d);
    /* and takes it away again */
    MUST(mst_set(s.d, "objects[1].has_layers", "false", &why), &why);
    assert_same_bytes(s.d, s.w.data, s.w.size);
    MUST(mst_set(s.d, "mesh.face_layers.faces[1].has_layers", "true", &why), &why);
    assert_json_at(s.d, "mesh.face_layers.faces[1]", "{\"has_layers\":true,\"layer_masks\":[]}");
    assert_sound(s.d);
    end(&s);
}

/* ---- elements that come and go ----------------------------------------------------------------- */

static const struct {
    const char *list;
    uint64_t count;
    const char *json; /* NULL: a copy of the first */
    size_t bytes;     /* size of one element; 0: not checked */
} lists[] = {
    {"objects", 11,
     "{\"has_layers\":false,\"group\":\"none\",\"class_name\":\"new\",\"properties\":[],\"extras\":[]}",
     8 + 4 + 4 + 7 + 4 + 4},
    {"objects[1].properties", 15, "{\"name\":\"n\",\"type\":\"integer\",\"animated\":false,\"value\":[5]}",
     8 + 5 + 4 + 4 + 4 + 4},
    {"objects[2].extras", 0, "{\"name\":\"\",\"data\":\"\"}", 8},
    {"objects[0].layer_masks", 8, "7", 4},
    {"layers", 2, "{\"name\":\"L\",\"visible\":true,\"color\":[1,2,3,4],\"id\":9}", 6 + 4 + 4 + 4},
    {"groups", 1, NULL, 4 + 34 + 12},
    {"custom_colors", 16, "[1,2,3,4]", 4},
    {"mesh.vertices", 11, "{\"position\":[1,2,3],\"smooth\":1}", 13},
    {"mesh.edges", 13, "{\"vertices\":[1,2],\"smooth\":0}", 9},
    {"mesh.faces", 3, NULL, 0},
    {"mesh.faces[1].loops", 1, "[]", 4},
    {"mesh.faces[1].loops[0]", 3, "{\"flipped\":false,\"edge\":1}", 8},
    {"mesh.face_layers.faces", 3, "{\"has_layers\":false}", 4},
    {"mesh.materials", 2, "\"m\"", 5},
    {"mesh.mapping_groups", 0, "{\"id\":1,\"angle\":0,\"scale\":[1,1],\"offset\":[0,0],\"normal\":[0,0,1]}",
     36},
    {"mesh.geometry_groups.face_groups", 1, "{\"id\":7,\"indices\":[0,1]}", 16},
    {"mesh.triangles.ghost_vertices", 1, "[0,0,0]", 12},
    {"mesh.triangles.faces", 3, "[]", 4},
    {"mesh.triangles.faces[0]", 8, NULL, 24},
    {"editor_settings", 1, NULL, 0},
    {"editor_settings[0].properties", 2, NULL, 0},
    {"unknown_chunks", 1, "{\"id\":1234,\"data\":\"00\"}", 9},
    {"mesh.unknown_chunks", 1, "{\"id\":1234}", 8},
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
            find(s.d, lists[i].list, &list);
            if (mst_count(&list) != lists[i].count)
                print_error("%s\n", lists[i].list);
            assert_int_equal(mst_count(&list), lists[i].count);
            snprintf(path, sizeof path, "%s[0]", lists[i].list);
            char *copy = lists[i].json ? NULL : json_at(s.d, path);
            snprintf(path, sizeof path, "%s[%llu]", lists[i].list, (unsigned long long)index);
            mst_status status = mst_insert(s.d, path, copy ? copy : lists[i].json, &why);
            if (status != MST_OK)
                print_error("%s\n", path);
            MUST(status, &why);
            assert_true(mst_is_edited(s.d));
            find(s.d, lists[i].list, &list);
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
            assert_others(&s, lists[i].list,
                          begins(lists[i].list, "mesh.faces[1].loops") ? "mesh.faces[1].inner_loop"
                          : begins(lists[i].list, "mesh.triangles")    ? "mesh.triangles.face_count"
                          : begins(lists[i].list, "mesh.face_layers")  ? "mesh.face_layers.face_count"
                                                                       : NULL);
            assert_sound(s.d);
            /* gone again, nothing has changed */
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
            snprintf(path, sizeof path, "%s[%llu]", lists[i].list,
                     (unsigned long long)(k % 2 ? 0 : lists[i].count - 1 - k));
            mst_status status = mst_remove(s.d, path, &why);
            if (strcmp(lists[i].list, "mesh.faces[1].loops") == 0) {
                assert_int_equal(status, MST_REFUSED); /* a face has a border */
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

/* ---- what is not done -------------------------------------------------------------------------- */

typedef enum operation { SET, REMOVE, INSERT } operation;

static mst_status edit(mst_document *d, operation what, const char *path, const char *json,
                       mst_diagnostic *why) {
    return what == SET      ? mst_set(d, path, json, why)
           : what == REMOVE ? mst_remove(d, path, why)
                            : mst_insert(d, path, json, why);
}

#define SIXTEEN                                                                                              \
    "\x80\x80\x80\x80\x80\x80\x80\x80"                                                                       \
    "\x80\x80\x80\x80\x80\x80\x80\x80"

static void what_is_refused(void **state) {
    (void)state;
    static const struct {
        operation what;
        const char *path, *json;
        mst_status status;
        bool json_wanted;
    } cases[] = {
        {SET, "version", "9", MST_REFUSED, 0},
        {SET, "magic", "ABC", MST_REFUSED, 0},
        {SET, "objects[1].properties[5].component_count", "2", MST_REFUSED, 0},
        {SET, "objects[1].property_count", "2", MST_REFUSED, 0},
        {SET, "objects[1].properties[5].length", "2", MST_REFUSED, 0},
        {SET, "unknown_chunks[0].length", "2", MST_REFUSED, 0},
        {SET, "mesh.faces[0].inner_loop_count", "0", MST_REFUSED, 0},
        {SET, "mesh.triangles.face_count", "0", MST_REFUSED, 0},
        /* five bytes are not object */
        {SET, "unknown_chunks[0].id", "1", MST_REFUSED, 0},
        {SET, "", "{}", MST_ARGUMENT, 0},
        {SET, "objects", "[]", MST_ARGUMENT, 0},
        {SET, "mesh.vertices[0:2]", "[]", MST_ARGUMENT, 0},
        {SET, "mesh.vertices[:].smooth", "1", MST_ARGUMENT, 0},
        {SET, "mesh.materials[0:2][0]", "longer than before", MST_ARGUMENT, 0},
        /* no UTF-8, and more bytes than the characters that it would be */
        {SET, "viewports", SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN,
         MST_ARGUMENT, 0},
        {SET, "viewports", "\xE2", MST_ARGUMENT, 0},
        {SET, "nothing", "1", MST_NO_PATH, 0},
        {SET, "objects[99].group", "1", MST_NO_PATH, 0},
        {SET, "layers[0].color[1]", "256", MST_ARGUMENT, 0},
        {SET, "layers[0].color[1]", "-1", MST_ARGUMENT, 0},
        {SET, "layers[0].color[1]", "1.5", MST_ARGUMENT, 0},
        {SET, "layers[0].color[1]", "red", MST_ARGUMENT, 0},
        {SET, "layers[0].color", "[1,2,3]", MST_ARGUMENT, 1},
        {SET, "layers[0].color", "[1,2,3,4,5]", MST_ARGUMENT, 1},
        {SET, "layers[0].color", "{}", MST_ARGUMENT, 1},
        {SET, "objects[0].group", "", MST_ARGUMENT, 0},
        {SET, "objects[0].group", "4294967296", MST_ARGUMENT, 0},
        {SET, "objects[0].class_name", "{\"$raw\":\"zz\"}", MST_ARGUMENT, 1},
        {SET, "mesh.vertices[0]", "{\"position\":[1,2,3]}", MST_ARGUMENT, 1},
        {SET, "mesh.vertices[0]", "{\"position\":[1,2,3],\"smooth\":1,\"other\":1}", MST_ARGUMENT, 1},
        {SET, "mesh.vertices[0]", "{\"position\":[1,2,3],\"smooth\":1,\"smooth\":1}", MST_ARGUMENT, 1},
        {SET, "mesh.vertices[0].position", "[1,2,\"x\"]", MST_ARGUMENT, 1},
        {SET, "unknown_chunks[0].data", "integer", MST_ARGUMENT, 1},
        {SET, "unknown_chunks[0].data", "\"0\"", MST_ARGUMENT, 1},
        {SET, "mesh.faces[1].loops", "[]", MST_REFUSED, 1},
        {SET, "objects[1].properties[4].type", "string", MST_ARGUMENT, 1},
        /* these would lose the content of other fields */
        {SET, "objects[1].properties[4].type", "11", MST_REFUSED, 1},
        {SET, "objects[1].properties[4].animated", "true", MST_REFUSED, 1},
        {SET, "objects[1].properties[4].animated", "1", MST_REFUSED, 1},
        {SET, "objects[1].properties[4].id", "1", MST_REFUSED, 1},
        {SET, "editor_settings[0].id", "5", MST_REFUSED, 1},
        {REMOVE, "", NULL, MST_ARGUMENT, 0},
        {REMOVE, "version", NULL, MST_REFUSED, 0},
        {REMOVE, "objects[0].class_name", NULL, MST_REFUSED, 0},
        {REMOVE, "objects[0].layer_masks", NULL, MST_REFUSED, 0},
        {REMOVE, "layers[0].color[1]", NULL, MST_REFUSED, 0},
        {REMOVE, "mesh.vertices[0].position[0]", NULL, MST_REFUSED, 0},
        {REMOVE, "mesh.faces[1].loops[0]", NULL, MST_REFUSED, 0},
        {REMOVE, "objects", NULL, MST_ARGUMENT, 0},
        {REMOVE, "mesh.vertices[:]", NULL, MST_ARGUMENT, 0},
        {REMOVE, "mesh.materials[0:2][0]", NULL, MST_ARGUMENT, 0},
        {REMOVE, "objects[0:2][0]", NULL, MST_ARGUMENT, 0},
        {REMOVE, "objects[11]", NULL, MST_NO_PATH, 0},
        {INSERT, "layers[0].color[0]", "1", MST_REFUSED, 0},
        {INSERT, "mesh.vertices[0].position[3]", "1", MST_REFUSED, 0},
        {INSERT, "layers[3]", "{}", MST_NO_PATH, 0},
        {INSERT, "layers[99999999999999999999999999]", "{}", MST_NO_PATH, 0},
        {INSERT, "layers", "{}", MST_ARGUMENT, 0},
        {INSERT, "layers[x]", "{}", MST_ARGUMENT, 0},
        {INSERT, "layers[]", "{}", MST_ARGUMENT, 0},
        {INSERT, "", "{}", MST_ARGUMENT, 0},
        {INSERT, "version[0]", "1", MST_ARGUMENT, 0},
        {INSERT, "nothing[0]", "1", MST_NO_PATH, 0},
        {INSERT, "layers[0]", "{}", MST_ARGUMENT, 1},
        {INSERT, "layers[0]", "[]", MST_ARGUMENT, 1},
        {INSERT, "mesh.vertices[0]", "7", MST_ARGUMENT, 1},
        {INSERT, "objects[0]", "{\"class_name\":\"x\"}", MST_ARGUMENT, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        session s;
        mst_diagnostic why;
        level_plan plan = {.chunk_in_level = true};
        if (cases[i].json_wanted && !can_read_json())
            continue;
        begin(&s, &plan);
        mst_status status = edit(s.d, cases[i].what, cases[i].path, cases[i].json, &why);
        if (status != cases[i].status) {
            char text[700] = "";
            if (status != MST_OK)
                mst_diagnostic_text(&why, text, sizeof text);
            print_error("%s = %s: %s: %s\n", cases[i].path, cases[i].json, mst_status_text(status), text);
        }
        assert_int_equal(status, cases[i].status);
        assert_int_equal(why.status, cases[i].status);
        assert_true(why.message[0] != 0);
        assert_same_bytes(s.d, s.w.data, s.w.size);
        assert_false(mst_is_edited(s.d));
        assert_marks(s.d, &s.w);
        /* without a diagnosis as well */
        assert_int_equal(edit(s.d, cases[i].what, cases[i].path, cases[i].json, NULL), cases[i].status);
        end(&s);
    }
}

/* A chunk is not turned into another field by its id, nor by what stands before it. */
static void chunks_keep_their_meaning(void **state) {
    (void)state;
    NEED_JSON();
    static const char text[] = "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{},\"unknown_chunks\":["
                               "{\"id\":99,\"data\":\"00000000\"},{\"id\":2,\"data\":\"\"}]}";
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_json(text, sizeof text - 1, NULL, &d, &why), &why);
    assert_int_equal(mst_set(d, "unknown_chunks[0].id", "5", &why), MST_REFUSED); /* groups: none */
    assert_int_equal(mst_insert(d, "unknown_chunks[0]", "{\"id\":3,\"data\":\"00000000\"}", &why),
                     MST_REFUSED);
    assert_int_equal(mst_remove(d, "mesh", &why), MST_REFUSED); /* there is a second one */
    assert_false(mst_is_edited(d));
    MUST(mst_set(d, "unknown_chunks[0].id", "98", &why), &why);
    MUST(mst_insert(d, "unknown_chunks[2]", "{\"id\":2,\"data\":\"\"}", &why), &why);
    MUST(mst_remove(d, "unknown_chunks[1]", &why), &why);
    MUST(mst_remove(d, "unknown_chunks[1]", &why), &why);
    MUST(mst_remove(d, "mesh", &why), &why);
    assert_json_at(d, "unknown_chunks", "[{\"id\":98,\"data\":\"00000000\"}]");
    mst_close(d);
}

/* ---- many edits, one after the other ----------------------------------------------------------- */

static void random_edits(void **state) {
    (void)state;
    NEED_JSON();
    static const char *const values[] = {
        "0",   "1",       "4294967295", "-1", "0.5",     "\"text\"", "\"\"",    "true",     "none",      "[]",
        "[1]", "[1,2,3]", "\"NaN\"",    "{}", "[\"a\"]", "null",     "integer", "\"00ff\"", "[[],[],[]]"};
    for (unsigned version = 4; version <= 10; version += 3) {
        session s;
        random_state r = {version};
        level_plan plan = {.version = version, .everything = true};
        begin(&s, &plan);
        unsigned done = 0, turns = sample_step() > 1 ? 80 : 400;
        for (unsigned turn = 0; turn < turns; turn++) {
            char path[140];
            const mark *m = &s.w.marks[random_below(&r, (uint32_t)s.w.mark_count)];
            operation what = random_below(&r, 2) ? SET : random_below(&r, 2) ? INSERT : REMOVE;
            snprintf(path, sizeof path, "%s", m->path);
            char *bracket = strrchr(path, '[');
            if (bracket && what != SET && random_below(&r, 3)) /* the element itself, not its content */
                bracket[strcspn(bracket, "]") + 1] = 0;
            size_t size;
            mst_value value;
            mst_diagnostic why;
            uint8_t *before = copy_bytes(s.d, &size);
            char *copy = NULL;
            if (random_below(&r, 2) && mst_find(mst_root(s.d), path, &value, NULL) == MST_OK)
                copy = json_at(s.d, path);
            const char *json = copy ? copy : values[random_below(&r, sizeof values / sizeof *values)];
            mst_status status = edit(s.d, what, path, json, &why);
            if (status == MST_OK) {
                done++;
                assert_tiled(s.d);
                assert_encodes(s.d);
                if (turn % 20 == 0)
                    assert_sound(s.d);
            } else {
                if (status == MST_NO_MEMORY || status == MST_DAMAGED)
                    print_error("%s = %s: %s %s\n", path, json, why.message, why.path);
                assert_true(status == MST_NO_PATH || status == MST_ARGUMENT || status == MST_REFUSED);
                assert_same_bytes(s.d, before, size);
            }
            free(copy);
            free(before);
        }
        assert_true(done > turns / 8);
        assert_sound(s.d);
        end(&s);
    }
}

static void edited_documents_are_saved(void **state) {
    (void)state;
    session s;
    mst_diagnostic why;
    mst_buffer saved = {0};
    level_plan plan = {0};
    begin(&s, &plan);
    MUST(mst_set(s.d, "objects[0].class_name", "a_longer_class_name", &why), &why);
    MUST(mst_save(s.d, mst_buffer_sink(&saved), &why), &why);
    assert_same_bytes(s.d, saved.data, saved.size);
    mst_buffer_free(&saved);
    end(&s);
}

/* ---- memory ------------------------------------------------------------------------------------ */

typedef enum job {
    JOB_OPEN,
    JOB_SET,
    JOB_SET_FLAG,
    JOB_INSERT,
    JOB_REMOVE,
    JOB_JSON,
    JOB_OPEN_JSON,
    JOB_CHECK,
    JOB_ENCODE,
    JOBS
} job;

static mst_status work(job what, mst_document *d, const mst_allocator *allocator, const mst_buffer *text,
                       mst_diagnostic *why) {
    mst_buffer out = {.allocator = *allocator};
    mst_value root;
    mst_document *made = NULL;
    mst_open_options options = {.allocator = *allocator};
    mst_status status = MST_OK;
    switch (what) {
    case JOB_SET: return mst_set(d, "objects[1].class_name", "quite_another_name", why);
    case JOB_SET_FLAG: return mst_set(d, "objects[2].has_layers", "true", why);
    case JOB_INSERT: return mst_insert(d, "mesh.vertices[2]", "{\"position\":[1,2,3],\"smooth\":1}", why);
    case JOB_REMOVE: return mst_remove(d, "objects[3]", why);
    case JOB_JSON:
        root = mst_root(d);
        status = mst_write_json(&root, NULL, mst_buffer_sink(&out), why);
        break;
    case JOB_OPEN_JSON:
        status = mst_open_json((const char *)text->data, text->size, &options, &made, why);
        mst_close(made);
        break;
    case JOB_CHECK: status = mst_check(d, NULL, NULL, NULL, NULL, why); break;
    case JOB_ENCODE: status = mst_encode(d, mst_buffer_sink(&out), why); break;
    default: break;
    }
    if (out.data)
        allocator->resize(allocator->user, out.data, out.capacity, 0);
    return status;
}

/* Each allocation of each job fails once: it is reported, nothing leaks and nothing changes. */
static void every_allocation_fails(void **state) {
    (void)state;
    bool json = can_read_json();
    writer w = {0};
    level_plan plan = {.everything = true};
    write_level(&w, &plan);
    mst_buffer text = {0};
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size, NULL, &d, &why), &why);
    mst_value root = mst_root(d);
    MUST(mst_write_json(&root, NULL, mst_buffer_sink(&text), &why), &why);
    mst_close(d);
    for (int what = 0; what < JOBS; what++) {
        if (!json && (what == JOB_SET_FLAG || what == JOB_INSERT || what == JOB_OPEN_JSON))
            continue;
        size_t failures = 0;
        /* first it fails once (an arena then tries a smaller block), then for good */
        for (size_t turn = 0;; turn++) {
            size_t fail_at = turn / 2 + 1;
            counted c = {.for_good = turn % 2 == 1};
            mst_open_options options = {.allocator = counted_allocator(&c)};
            if (what == JOB_OPEN)
                c.fail_at = fail_at;
            mst_status status = mst_open_memory(w.data, w.size, &options, &d, &why);
            if (status == MST_OK && what != JOB_OPEN) {
                c.calls = 0;
                c.fail_at = fail_at;
                status = work((job)what, d, &options.allocator, &text, &why);
            }
            if (c.failed && (status != MST_OK || c.for_good)) {
                failures++;
                if (status != MST_NO_MEMORY)
                    print_error("job %d, allocation %zu: %s\n", what, fail_at, mst_status_text(status));
                assert_int_equal(status, MST_NO_MEMORY);
                assert_int_equal(why.status, MST_NO_MEMORY);
                assert_true(why.message[0] != 0);
            } else {
                MUST(status, &why);
            }
            if (what == JOB_OPEN && status != MST_OK) {
                assert_null(d);
            } else if (status != MST_OK) {
                c.fail_at = 0;
                assert_same_bytes(d, w.data, w.size);
                assert_false(mst_is_edited(d));
                assert_encodes(d);
            }
            mst_close(d);
            assert_int_equal(c.blocks, 0);
            assert_int_equal(c.bytes, 0);
            assert_false(c.wrong);
            if (!c.failed)
                break;
            assert_true(fail_at < 10000);
        }
        assert_true(failures > 0);
    }
    mst_buffer_free(&text);
    writer_free(&w);
}

static void budgets(void **state) {
    (void)state;
    session s;
    level_plan plan = {0};
    begin(&s, &plan);
    counted c = {0};
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.allocator = counted_allocator(&c), .budget = 1};
    assert_int_equal(mst_open_memory(s.w.data, s.w.size, &options, &d, &why), MST_NO_MEMORY);
    assert_null(d);
    assert_int_equal(c.blocks, 0);
    options.budget = 0;
    MUST(mst_open_memory(s.w.data, s.w.size, &options, &d, &why), &why);
    assert_int_equal(mst_document_memory(d), c.bytes);
    assert_true(c.bytes < 16 * s.w.size + (1u << 20));
    MUST(mst_set(d, "objects[0].class_name", "x", &why), &why);
    assert_int_equal(mst_document_memory(d), c.bytes);
    mst_close(d);
    mst_close(NULL);
    assert_int_equal(c.blocks, 0);
    end(&s);
}

/* The first chunk of a list that has none goes to the end, and the last one may go again. */
static void first_of_a_list(void **state) {
    (void)state;
    static const uint8_t bytes[4] = {'L', 'V', 'L', 10};
    static const char object[] = "{\"has_layers\":false,\"group\":\"none\",\"class_name\":\"a\","
                                 "\"properties\":[],\"extras\":[]}";
    if (!can_read_json())
        skip();
    mst_document *d;
    mst_diagnostic why;
    MUST(mst_open_memory(bytes, sizeof bytes, NULL, &d, &why), &why);
    MUST(mst_insert(d, "objects[0]", object, &why), &why);
    MUST(mst_insert(d, "objects[1]", object, &why), &why);
    size_t size;
    mst_document_bytes(d, &size);
    /* id, length, has_layers, group, length of the name, name, two counts */
    assert_int_equal(size, 4 + 2 * (4 + 4 + 4 + 4 + 4 + 1 + 4 + 4));
    MUST(mst_remove(d, "objects[0]", &why), &why);
    MUST(mst_remove(d, "objects[0]", &why), &why);
    const void *now = mst_document_bytes(d, &size);
    assert_int_equal(size, sizeof bytes);
    assert_memory_equal(now, bytes, sizeof bytes);
    mst_close(d);
}

int main(void) {
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
        cmocka_unit_test(first_of_a_list),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(chunks_keep_their_meaning),
        cmocka_unit_test(random_edits),
        cmocka_unit_test(edited_documents_are_saved),
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(budgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
