/* SPDX-License-Identifier: MIT */
/* Levels of Natural Selection 2 converted to other versions; the expected files are written byte by byte. */
#include "fixtures.h"
#include "ns2_level.h"
#include "stopping.h"

static void put_over(writer *w, const char *path, int delta, unsigned width, uint32_t value) {
    mst_store(w->data + (ptrdiff_t)mark_of(w, path)->offset + delta, width, value, false);
}

static mst_document *converted(const mst_document *from, unsigned version, bool allow_loss) {
    mst_document *made;
    mst_diagnostic why;
    mst_convert_options options = {
        .size = sizeof options, .version = version, .has_version = 1, .allow_loss = allow_loss};
    MUST(mst_convert(from, &options, NULL, NULL, &made, &why), &why);
    assert_int_equal(mst_document_version(made), version);
    return made;
}

static void assert_bytes(const mst_document *document, const void *bytes, size_t size, const char *what) {
    mst_buffer saved = {0};
    mst_diagnostic why;
    MUST(mst_save(document, mst_buffer_sink(&saved), &why), &why);
    size_t i = 0;
    while (i < size && i < saved.size && saved.data[i] == ((const uint8_t *)bytes)[i])
        i++;
    if (i < size || i < saved.size)
        print_error("%s: differs at %#zx: %zu bytes instead of %zu\n", what, i, saved.size, size);
    assert_true(i == size && i == saved.size);
    mst_buffer_free(&saved);
}

/* A level of version `from` as one of version `to`, as the description requires. */
static void as_version(writer *w, level_plan plan, unsigned from, unsigned to) {
    plan.version = to;
    plan.numbered = plan.ungrouped = from < 5;
    plan.no_ghosts = from < 7;
    plan.unsmoothed = from < 8;
    plan.loose_vertex = from >= 7 && to < 7; /* the former ghost */
    write_level(w, &plan);
    for (int c = 0; plan.loose_vertex && c < 3; c++) {
        char path[64];
        uint32_t bits;
        snprintf(path, sizeof path, "mesh.vertices[11].position[%d]", c);
        memcpy(&bits, &level_ghost[c], sizeof bits);
        put_over(w, path, 0, 4, bits);
    }
    if (plan.loose_vertex)
        put_over(w, "mesh.triangles.faces[0][7].vertices[2]", 0, 4, 11);
}

/* From every version to every other: the bytes equal a level written in that version. */
static void every_version(void **state) {
    (void)state;
    for (unsigned from = 4; from <= 10; from++)
        for (unsigned to = 4; to <= 10; to++) {
            writer before = {0}, after = {0};
            char what[32];
            level_plan plan = {.version = from, .no_editor = from >= 5 && to < 5}; /* settings name layers */
            snprintf(what, sizeof what, "%u to %u", from, to);
            write_level(&before, &plan);
            as_version(&after, plan, from, to);
            mst_document *document = open_as(before.data, before.size, NULL, NULL);
            mst_document *made = converted(document, to, from > to);
            assert_bytes(made, after.data, after.size, what);
            assert_round_trips(made);
            if (from <= to) { /* nothing is lost on the way up, and nothing remains of it on the way back */
                mst_document *back = converted(made, from, false);
                assert_bytes(back, before.data, before.size, what);
                mst_close(back);
            }
            mst_close(made);
            mst_close(document);
            writer_free(&before);
            writer_free(&after);
        }
}

/* Values that only newer versions store, by path. */
static void losses(void **state) {
    static const struct {
        const char *path;
        unsigned since; /* the version that introduced it */
    } lost[] = {
        {"mesh.vertices[3].smooth", 8},
        {"mesh.edges[12].smooth", 8},
        {"mesh.geometry_groups.vertex_groups[0]", 5},
        {"mesh.geometry_groups.edge_groups[0]", 5},
        {"mesh.geometry_groups.face_groups[0]", 5},
        {"mesh.triangles.ghost_vertices", 7},
        {"mesh.triangles.smoothed_normals", 8},
        {"objects[0].group", 5},
        {"objects[1].layer_format", 5},
        {"objects[1].extras[0]", 10},
        {"objects[1].extras[1]", 10},
        {"layers", 5}, /* the second chunk */
        {"editor_settings", 5},
    };
    (void)state;
    writer w = {0};
    level_plan plan = {.everything = true};
    write_level(&w, &plan);
    mst_document *document = open_as(w.data, w.size, NULL, NULL), *made;
    for (unsigned to = 4; to <= 10; to++) {
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {.size = sizeof options, .version = to, .has_version = 1};
        mst_status status = mst_convert(document, &options, collect, &list, &made, &why);
        size_t expected = 0;
        for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
            bool wanted = to < lost[i].since, found = false;
            expected += wanted;
            for (size_t k = 0; k < list.count; k++)
                found = found || strcmp(list.items[k].path, lost[i].path) == 0;
            if (found != wanted)
                print_error("version %u: %s\n", to, lost[i].path);
            assert_int_equal(found, wanted);
        }
        assert_int_equal(list.count, expected);
        assert_int_equal(status, expected ? MST_REFUSED : MST_OK);
        findings_free(&list);
        mst_close(made);
        made = converted(document, to, true);
        assert_encodes(made);
        mst_close(made);
    }
    mst_close(document);
    writer_free(&w);
}

/* Layers have no ids in version 4: a mask has a bit for each by its place, for at most 64. */
static void masks(void **state) {
    static const struct {
        const char *path;
        unsigned word;
        uint32_t bits;
        const char *now; /* the mask of object 0 */
        size_t losses;   /* with the groups, of which there are four */
    } cases[] = {
        {"objects[0].layer_masks[0]", 0, 1u << 3, "2", 4},
        {"objects[0].layer_masks[0]", 0, 1u << 1 | 1u << 3, "3", 4},
        {"objects[0].layer_masks[0]", 0, 1u << 5, "32", 4}, /* no layer before, none after */
        {"objects[0].layer_masks[0]", 0, 1u << 0, "0", 5},  /* would be the first layer */
        {"objects[0].layer_masks[1]", 0, 1u << 31, "\"0x8000000000000002\"", 4},
        {"objects[0].layer_masks[2]", 0, 1, "2", 5},
        {"objects[0].layer_masks[7]", 0, 1u << 31, "2", 5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        level_plan plan = {.no_ghosts = true, .unsmoothed = true, .no_editor = true};
        write_level(&w, &plan);
        put_over(&w, cases[i].path, 0, 4, cases[i].bits);
        mst_document *document = open_as(w.data, w.size, NULL, NULL), *made;
        mst_diagnostic why;
        findings list = {0};
        mst_convert_options options = {
            .size = sizeof options, .version = 4, .has_version = 1, .allow_loss = 1};
        MUST(mst_convert(document, &options, collect, &list, &made, &why), &why);
        assert_json_at(made, "objects[0].layer_mask", cases[i].now);
        assert_json_at(made, "mesh.face_layers.masks", "[3,0,0]");
        if (list.count != cases[i].losses)
            print_findings(&list);
        assert_int_equal(list.count, cases[i].losses);
        findings_free(&list);
        mst_close(made);
        mst_close(document);
        writer_free(&w);
    }
}

/* Incomplete levels, and numbers that name nothing. */
static void odd_levels(void **state) {
    (void)state;
    /* a second mesh is not of a known version, unless both store it in the same way */
    writer w = {0};
    level_plan twice = {.second_mesh = true};
    write_level(&w, &twice);
    mst_document *document = open_as(w.data, w.size, NULL, NULL), *made = converted(document, 9, false);
    mst_close(made);
    mst_diagnostic why;
    mst_convert_options options = {.size = sizeof options, .version = 7, .has_version = 1};
    findings list = {0};
    assert_int_equal(mst_convert(document, &options, collect, &list, &made, &why), MST_REFUSED);
    bool said = false;
    for (size_t i = 0; i < list.count; i++)
        said = said || strcmp(list.items[i].path, "mesh") == 0;
    assert_true(said);
    findings_free(&list);
    mst_close(document);
    writer_free(&w);
    /* triangles that reference missing normals */
    level_plan rough = {.unsmoothed = true, .no_editor = true};
    write_level(&w, &rough);
    put_over(&w, "mesh.triangles.faces[1]", 4 + 12 + 8, 4, 5);
    document = open_as(w.data, w.size, NULL, NULL);
    assert_int_equal(mst_convert(document, &options, collect, &list, &made, &why), MST_REFUSED);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].path, "mesh.triangles.faces[1][0].normals");
    assert_string_equal(why.message, "1 value would be lost in version 7");
    findings_free(&list);
    mst_close(document);
    writer_free(&w);
    /* another format of the layers of faces */
    level_plan plain = {.unsmoothed = true, .no_editor = true, .no_ghosts = true, .ungrouped = true};
    write_level(&w, &plain);
    put_over(&w, "mesh.face_layers.face_count", 4, 4, 3);
    document = open_as(w.data, w.size, NULL, NULL);
    options.version = 4;
    assert_int_equal(mst_convert(document, &options, collect, &list, &made, &why), MST_REFUSED);
    assert_int_equal(list.count, 1);
    assert_string_equal(list.items[0].path, "mesh.face_layers.format");
    findings_free(&list);
    mst_close(document);
    writer_free(&w);
    /* without layers, and without triangles */
    mst_document *bare;
    static const char json[] =
        "{\"$format\":\"ns2-level\",\"version\":4,\"mesh\":{\"materials\":[],\"vertices\":[],"
        "\"edges\":[],\"faces\":[]},\"objects\":[{\"layer_mask\":1,\"class_name\":\"a\",\"properties\":[]}]}";
    MUST(mst_open_json(json, sizeof json - 1, NULL, &bare, &why), &why);
    made = converted(bare, 10, false);
    assert_json_at(made, "mesh.geometry_groups.face_groups", "[]");
    assert_json_at(made, "objects[0].layer_masks", "[1,0,0,0,0,0,0,0]");
    document = converted(made, 4, false);
    assert_json_at(document, "objects[0].layer_mask", "1");
    mst_close(document);
    mst_close(made);
    mst_close(bare);
    /* chunks that the version of a level does not use */
    static const char early[] =
        "{\"$format\":\"ns2-level\",\"version\":4,\"mesh\":{\"materials\":[],\"vertices\":[],\"edges\":[],"
        "\"faces\":[],\"geometry_groups\":{\"vertex_groups\":[],\"edge_groups\":[],\"face_groups\":[]}}}";
    MUST(mst_open_json(early, sizeof early - 1, NULL, &bare, &why), &why);
    made = converted(bare, 5, false);
    assert_round_trips(made);
    mst_close(made);
    mst_close(bare);
}

/* A loss report that stops early, and insufficient memory. */
static void conversions_that_end_early(void **state) {
    static const unsigned versions[][2] = {{10, 4}, {4, 10}, {9, 6}};
    (void)state;
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        writer w = {0};
        level_plan plan = {.version = versions[i][0], .everything = true};
        write_level(&w, &plan);
        mst_document *document = open_as(w.data, w.size, NULL, NULL), *made;
        mst_diagnostic why;
        mst_convert_options options = {
            .size = sizeof options, .version = versions[i][1], .has_version = 1, .allow_loss = 1};
        stopping all = {.at = SIZE_MAX};
        MUST(mst_convert(document, &options, stop_at, &all, &made, &why), &why);
        mst_close(made);
        for (size_t at = 0; at < all.heard; at++) {
            stopping s = {.at = at};
            assert_int_equal(mst_convert(document, &options, stop_at, &s, &made, &why), MST_STOPPED);
            assert_int_equal(s.heard, at + 1);
            assert_null(made);
        }
        mst_close(document);
        for (size_t fail_at = 1;; fail_at += sample_step()) {
            counted memory = {0};
            mst_open_options how = {.size = sizeof how, .allocator = counted_allocator(&memory)};
            MUST(mst_open_memory(w.data, w.size, &how, &document, &why), &why);
            memory.calls = 0;
            memory.fail_at = fail_at;
            mst_status status = mst_convert(document, &options, NULL, NULL, &made, &why);
            bool failed = memory.failed;
            memory.fail_at = 0;
            assert_true(status == MST_OK || (failed && status == MST_NO_MEMORY));
            mst_close(made);
            mst_close(document);
            assert_int_equal(memory.blocks, 0);
            if (!failed)
                break;
        }
        writer_free(&w);
    }
}

static void count_errors(const mst_document *document, uint64_t *errors, uint64_t *warnings) {
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(document, NULL, NULL, NULL, &result, &why), &why);
    *errors = result.errors;
    *warnings = result.warnings;
}

/* A real level converted up and down again is unchanged, and valid in every version. */
static void up_and_back(const char *name, const mst_document *document) {
    if (strcmp(mst_document_format(document)->id, "ns2-level") != 0)
        return;
    unsigned from = mst_document_version(document);
    uint64_t errors, warnings, new_errors, new_warnings;
    mst_buffer saved = {0};
    mst_diagnostic why;
    MUST(mst_save(document, mst_buffer_sink(&saved), &why), &why);
    count_errors(document, &errors, &warnings);
    for (unsigned to = 4; to <= 10; to++) {
        mst_document *made = converted(document, to, to < from);
        count_errors(made, &new_errors, &new_warnings);
        assert_int_equal(new_errors, errors);
        if (to >= from) {
            assert_int_equal(new_warnings, warnings);
            mst_document *back = converted(made, from, false);
            assert_bytes(back, saved.data, saved.size, name);
            mst_close(back);
        }
        mst_close(made);
    }
    mst_buffer_free(&saved);
}

static void real_levels(void **state) {
    static const char *const folders[] = {"ns2"};
    (void)state;
    assert_true(documents_of_corpus(folders, 1, up_and_back) > 0);
}

int test_ns2_convert(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version),
        cmocka_unit_test(losses),
        cmocka_unit_test(masks),
        cmocka_unit_test(odd_levels),
        cmocka_unit_test(conversions_that_end_early),
        cmocka_unit_test(real_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
