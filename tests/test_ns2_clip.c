/* SPDX-License-Identifier: MIT */
/* Levels of Natural Selection 2 copied to a clipboard, and clipboards pasted into levels. */
#include "../src/write/rebuild.h"
#include "fixtures.h"
#include "ns2_level.h"
#include <mapstone/edit.h>

static void put_over(writer *w, const char *path, int delta, unsigned width, uint32_t value) {
    mst_store(w->data + (ptrdiff_t)mark_of(w, path)->offset + delta, width, value, false);
}

static mst_document *level_of(level_plan plan) {
    writer w = {0};
    mst_document *document;
    mst_diagnostic why;
    write_level(&w, &plan);
    uint8_t *bytes = malloc(w.size);
    assert_non_null(bytes);
    memcpy(bytes, w.data, w.size);
    MUST(mst_open_memory(bytes, w.size, NULL, &document, &why), &why);
    writer_free(&w);
    mst_document *own;
    MUST(mst_rebuild(document, &own, &why), &why); /* its bytes are its own */
    mst_close(document);
    free(bytes);
    return own;
}

static mst_status copy(const mst_document *from, const char *const *select, size_t count, bool allow_loss,
                       findings *losses, mst_document **clip, mst_diagnostic *why) {
    mst_convert_options options = {.size = sizeof options,
                                   .format = "ns2-clip",
                                   .select = select,
                                   .select_count = count,
                                   .allow_loss = allow_loss};
    return mst_convert(from, &options, losses ? collect : NULL, losses, clip, why);
}

static mst_document *copied(const mst_document *from, const char *const *select, size_t count) {
    mst_document *clip;
    mst_diagnostic why;
    MUST(copy(from, select, count, true, NULL, &clip, &why), &why);
    return clip;
}

static void assert_bytes(const mst_document *document, const void *bytes, size_t size) {
    size_t now, i = 0;
    const uint8_t *data = mst_document_bytes(document, &now);
    while (i < size && i < now && data[i] == ((const uint8_t *)bytes)[i])
        i++;
    if (i < size || i < now)
        print_error("differs at %#zx: %zu bytes instead of %zu\n", i, now, size);
    assert_true(i == size && i == now);
}

static mst_status apply(mst_document *document, mst_operation_kind kind, const char *path, const char *value,
                        mst_diagnostic *why) {
    mst_operation one = {.kind = kind, .path = path, .value = value};
    return mst_edit(document, &one, 1, NULL, why);
}

static uint8_t *copy_of(const mst_document *document, size_t *size) {
    const void *bytes = mst_document_bytes(document, size);
    uint8_t *made = malloc(*size + 1);
    assert_non_null(made);
    memcpy(made, bytes, *size);
    return made;
}

static uint64_t count_at(const mst_document *document, const char *path) {
    mst_value value = value_at(document, path);
    return mst_count(&value);
}

/* ---- copying ---------------------------------------------------------------------------------------- */

/* All of a level, of every version: the bytes match the description. */
static void whole_levels(void **state) {
    (void)state;
    for (unsigned version = 4; version <= 10; version++) {
        level_plan plan = {.version = version}, as = {.numbered = version < 5, .unsmoothed = version < 8};
        writer expected = {0};
        mst_document *from = level_of(plan), *clip = copied(from, NULL, 0);
        write_clip_of_level(&expected, as);
        if (version < 5) /* the first entity is in no group there */
            for (size_t i = 0; i < expected.mark_count; i++)
                if (strcmp(expected.marks[i].path, "blocks[1].objects[0].class_name") == 0)
                    mst_store32(expected.data + expected.marks[i].offset - 4, NO_GROUP, false);
        assert_string_equal(mst_document_format(clip)->id, "ns2-clip");
        assert_bytes(clip, expected.data, expected.size);
        assert_round_trips(clip);
        mst_close(clip);
        mst_close(from);
        writer_free(&expected);
    }
}

/* A selection: the elements that the faces need are included, with new numbers. */
static void selections(void **state) {
    (void)state;
    static const char *const side[] = {"mesh.faces[1]", "objects[class_name=power_point]", "objects[0]"},
                             *const all_faces[] = {"mesh.faces"}, *const entities[] = {"objects[-2:]"};
    mst_document *from = level_of((level_plan){.everything = true}), *clip = copied(from, side, 3);
    /* edges 0, 8 and 9 between vertices 0, 1 and 8 */
    assert_json_at(clip, "blocks[0].mesh.materials", "[\"materials/b.material\"]");
    assert_json_at(clip, "blocks[0].mesh.vertices",
                   "[{\"position\":[0,0,0],\"smooth\":0},{\"position\":[8,0,0],\"smooth\":0},"
                   "{\"position\":[4,-4,1],\"smooth\":0}]");
    assert_json_at(clip, "blocks[0].mesh.edges",
                   "[{\"vertices\":[0,1],\"smooth\":0},{\"vertices\":[1,2],\"smooth\":0},"
                   "{\"vertices\":[2,0],\"smooth\":0}]");
    assert_json_at(clip, "blocks[0].mesh.faces[0].material", "0");
    assert_json_at(
        clip, "blocks[0].mesh.faces[0].loops",
        "[[{\"flipped\":true,\"edge\":0},{\"flipped\":true,\"edge\":2},{\"flipped\":true,\"edge\":1}]]");
    assert_json_at(clip, "blocks[0].mesh.mapping_groups[0].id", "1"); /* which this face uses */
    assert_json_at(clip, "blocks[1].objects[0].class_name", "\"location\"");
    assert_json_at(clip, "blocks[1].objects[0].group", "7");
    assert_json_at(clip, "blocks[1].objects[1].class_name", "\"power_point\"");
    assert_int_equal(count_at(clip, "blocks[1].objects"), 3);
    assert_round_trips(clip);
    mst_close(clip);
    clip = copied(from, all_faces, 1);
    assert_int_equal(count_at(clip, "blocks"), 1);
    assert_int_equal(count_at(clip, "blocks[0].mesh.faces"), 3);
    mst_close(clip);
    clip = copied(from, entities, 1);
    assert_int_equal(count_at(clip, "blocks"), 1);
    assert_int_equal(count_at(clip, "blocks[0].objects"), 2);
    mst_close(clip);
    mst_close(from);
}

/* Values of the copied faces that a clipboard cannot store, and only of those faces. */
static void losses_of_copies(void **state) {
    static const struct {
        const char *select, *lost[5];
    } cases[] = {
        {"mesh.faces[0]",
         {"mesh.face_layers.faces[0]", "mesh.geometry_groups.vertex_groups[0]",
          "mesh.geometry_groups.edge_groups[0]", "mesh.geometry_groups.face_groups[0]"}},
        {"mesh.faces[1]", {"mesh.geometry_groups.vertex_groups[0]", "mesh.geometry_groups.edge_groups[0]"}},
        {"mesh.faces[2]", {NULL}},
        {"objects[3]", {NULL}},
    };
    (void)state;
    mst_document *from = level_of((level_plan){0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        findings list = {0};
        mst_document *clip;
        mst_diagnostic why;
        mst_status status = copy(from, &cases[i].select, 1, false, &list, &clip, &why);
        size_t count = 0;
        while (cases[i].lost[count]) {
            assert_true(count < list.count);
            assert_string_equal(list.items[count].path, cases[i].lost[count]);
            count++;
        }
        assert_int_equal(list.count, count);
        assert_int_equal(status, count ? MST_REFUSED : MST_OK);
        findings_free(&list);
        mst_close(clip);
    }
    mst_close(from);
}

static void refused_copies(void **state) {
    static const struct {
        const char *select, *patch;
        int delta;
        uint32_t value;
        mst_status status;
        const char *path, *message;
    } cases[] = {
        {"layers[0]", NULL, 0, 0, MST_ARGUMENT, "layers[0]",
         "only objects and faces are copied to a clipboard"},
        {"mesh.vertices[0]", NULL, 0, 0, MST_ARGUMENT, "mesh.vertices[0]", NULL},
        {"objects[*].class_name", NULL, 0, 0, MST_ARGUMENT, "objects[0].class_name", NULL},
        {"objectsX", NULL, 0, 0, MST_NO_PATH, NULL, NULL},
        {"objects[99]", NULL, 0, 0, MST_NO_PATH, NULL, NULL},
        {"objects[class_name=none]", NULL, 0, 0, MST_NO_PATH, NULL, "nothing meets this selector"},
        {"mesh.faces[1]", "mesh.faces[1].material", 0, 9, MST_REFUSED, "mesh.faces[1]",
         "the face refers to an edge or a material that does not exist"},
        {"mesh.faces[1]", "mesh.faces[1].loops[0][1].edge", 0, 99, MST_REFUSED, "mesh.faces[1]", NULL},
        {"mesh.faces[1]", "mesh.edges[8]", 4, 99, MST_REFUSED, "mesh.edges[8]",
         "the edge refers to a vertex that does not exist"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        level_plan plan = {0};
        mst_document *from, *clip;
        mst_diagnostic why;
        write_level(&w, &plan);
        if (cases[i].patch)
            put_over(&w, cases[i].patch, cases[i].delta, 4, cases[i].value);
        MUST(mst_open_memory(w.data, w.size, NULL, &from, &why), &why);
        assert_int_equal(copy(from, &cases[i].select, 1, true, NULL, &clip, &why), cases[i].status);
        assert_null(clip);
        if (cases[i].path)
            assert_string_equal(why.path, cases[i].path);
        if (cases[i].message)
            assert_string_equal(why.message, cases[i].message);
        mst_close(from);
        writer_free(&w);
    }
    /* formats and options that cannot be combined */
    mst_document *from = level_of((level_plan){0}), *made;
    mst_diagnostic why;
    const char *one = "objects[0]";
    mst_convert_options options = {.size = sizeof options, .select = &one, .select_count = 1};
    assert_int_equal(mst_convert(from, &options, NULL, NULL, &made, &why), MST_ARGUMENT);
    options = (mst_convert_options){.size = sizeof(mst_convert_options), .format = "alien-map"};
    assert_int_equal(mst_convert(from, &options, NULL, NULL, &made, &why), MST_UNSUPPORTED);
    options = (mst_convert_options){
        .size = sizeof(mst_convert_options), .format = "ns2-clip", .version = 10, .has_version = 1};
    assert_int_equal(mst_convert(from, &options, NULL, NULL, &made, &why), MST_ARGUMENT);
    options = (mst_convert_options){
        .size = sizeof(mst_convert_options), .format = "ns2-clip", .byte_order = "little"};
    assert_int_equal(mst_convert(from, &options, NULL, NULL, &made, &why), MST_ARGUMENT);
    mst_document *clip = copied(from, &one, 1);
    options = (mst_convert_options){.size = sizeof(mst_convert_options),
                                    .format = "ns2-level",
                                    .select = &one,
                                    .select_count = 1,
                                    .allow_loss = 1};
    assert_int_equal(mst_convert(clip, &options, NULL, NULL, &made, &why), MST_ARGUMENT);
    mst_close(clip);
    mst_close(from);
    /* an empty level */
    static const char json[] = "{\"$format\":\"ns2-level\",\"version\":10}";
    MUST(mst_open_json(json, sizeof json - 1, NULL, &from, &why), &why);
    assert_int_equal(copy(from, NULL, 0, true, NULL, &clip, &why), MST_REFUSED);
    assert_string_equal(why.message, "there is nothing to copy to a clipboard");
    mst_close(from);
}

/* ---- pasting ---------------------------------------------------------------------------------------- */

/* Pasted elements are last, with their numbers; removing them again restores the level. */
static void pasted_and_removed(void **state) {
    static const char *const select[] = {"mesh.faces[1]", "objects[0]"};
    (void)state;
    for (unsigned version = 4; version <= 10; version++) {
        mst_document *from = level_of((level_plan){.everything = version >= 9}),
                     *clip = copied(from, select, 2), *into = level_of((level_plan){.version = version});
        mst_edit_options options = {.size = sizeof options};
        mst_diagnostic why;
        size_t size;
        uint8_t *before = copy_of(into, &size);
        MUST(mst_paste(into, clip, &options, &why), &why);
        assert_true(mst_is_edited(into));
        assert_int_equal(mst_document_version(into), version);
        assert_json_at(into, "mesh.vertices[13].position", "[4,-4,1]");
        assert_json_at(into, "mesh.edges[14].vertices", "[12,13]");
        assert_json_at(into, "mesh.faces[3].material", "1"); /* the one of this name */
        assert_json_at(into, "mesh.faces[3].loops[0][1]", "{\"flipped\":true,\"edge\":15}");
        assert_json_at(into, "mesh.triangles.triangle_count", "11");
        assert_json_at(into, "mesh.triangles.face_count", "4");
        assert_int_equal(count_at(into, "mesh.triangles.faces[3]"), 1);
        if (version >= 7) /* the ghost follows the vertices */
            assert_json_at(into, "mesh.triangles.faces[0][7].vertices[2]", "14");
        if (version >= 8) /* none */
            assert_json_at(into, "mesh.triangles.faces[3][0].normals", "[1,1,1]");
        if (version >= 9) {
            assert_json_at(into, "mesh.mapping_groups[0].id", "1");
            assert_json_at(into, "mesh.faces[3].mapping_group", "1");
        }
        assert_json_at(into, "objects[11].class_name", "\"location\"");
        if (version >= 5) /* the levels have the same layers and groups */
            assert_json_at(into, "objects[11].group", "7");
        if (version >= 5)
            assert_json_at(into, "objects[11].layer_masks[0]", "8");
        MUST(apply(into, MST_OPERATION_REMOVE, "objects[11]", NULL, &why), &why);
        if (version >= 9)
            MUST(apply(into, MST_OPERATION_SET, "mesh.faces[3].mapping_group", "\"none\"", &why), &why);
        if (version >= 9)
            MUST(apply(into, MST_OPERATION_REMOVE, "mesh.mapping_groups[0]", NULL, &why), &why);
        MUST(apply(into, MST_OPERATION_REMOVE, "mesh.faces[3]", NULL, &why), &why);
        assert_bytes(into, before, size);
        free(before);
        mst_close(into);
        mst_close(clip);
        mst_close(from);
    }
}

/* Layers, groups and materials that the level lacks; mapping groups whose id it has. */
static void what_the_level_lacks(void **state) {
    (void)state;
    mst_document *from = level_of((level_plan){.everything = true}), *clip = copied(from, NULL, 0), *into;
    mst_edit_options options = {.size = sizeof options, .report = collect};
    mst_diagnostic why;
    findings list = {0};
    options.user = &list;
    static const char json[] =
        "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"materials\":[\"materials/b.material\"],"
        "\"vertices\":[],\"edges\":[],\"faces\":[],\"face_layers\":{\"faces\":[]},"
        "\"mapping_groups\":[{\"id\":1,\"angle\":0,\"scale\":[1,1],\"offset\":[0,0],\"normal\":[0,1,0]}],"
        "\"triangles\":{\"ghost_vertices\":[],\"smoothed_normals\":[],\"triangle_count\":0,\"faces\":[]}}}";
    MUST(mst_open_json(json, sizeof json - 1, NULL, &into, &why), &why);
    MUST(mst_paste(into, clip, &options, &why), &why);
    assert_json_at(into, "mesh.materials", "[\"materials/b.material\",\"materials/a.material\"]");
    assert_json_at(into, "mesh.faces[0].material", "1");
    assert_json_at(into, "mesh.faces[1].material", "0");
    assert_json_at(into, "mesh.mapping_groups[1].id", "2");
    assert_json_at(into, "mesh.faces[1].mapping_group", "2");
    assert_json_at(into, "objects[0].has_layers", "false");
    assert_json_at(into, "objects[0].group", "\"none\"");
    assert_int_equal(count_at(into, "mesh.triangles.faces[0]"), 8);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].path, "blocks[1].objects[0].layer_masks");
    assert_string_equal(list.items[1].path, "blocks[1].objects[0].group");
    assert_string_equal(list.items[2].path, "blocks[1].objects[1].layer_masks");
    for (size_t i = 0; i < list.count; i++)
        assert_int_equal(list.items[i].severity, MST_INFORMATION);
    findings_free(&list);
    mst_close(into);
    /* one layer of two is there */
    into = level_of((level_plan){0});
    MUST(
        apply(clip, MST_OPERATION_SET, "blocks[1].objects[0].layer_masks", "[12, 0, 0, 0, 0, 0, 0, 0]", &why),
        &why);
    MUST(mst_paste(into, clip, &options, &why), &why);
    assert_json_at(into, "objects[11].layer_masks", "[8,0,0,0,0,0,0,0]");
    assert_int_equal(list.count, 2);
    assert_non_null(strstr(list.items[1].message, "in the copy"));
    findings_free(&list);
    mst_close(into);
    mst_close(clip);
    mst_close(from);
}

/* A clipboard as a level of its own, with everything that it needs. */
static void new_levels(void **state) {
    (void)state;
    mst_document *from = level_of((level_plan){0}), *clip = copied(from, NULL, 0), *made;
    mst_diagnostic why;
    findings list = {0};
    mst_convert_options options = {.size = sizeof options, .format = "ns2-level"};
    assert_int_equal(mst_convert(clip, &options, collect, &list, &made, &why), MST_REFUSED);
    assert_string_equal(why.message, "2 values would be lost in ns2-level");
    findings_free(&list);
    options.allow_loss = 1;
    MUST(mst_convert(clip, &options, NULL, NULL, &made, &why), &why);
    assert_int_equal(mst_document_version(made), 10);
    assert_int_equal(count_at(made, "objects"), LEVEL_OBJECTS);
    assert_int_equal(count_at(made, "mesh.faces"), 3);
    assert_json_at(made, "mesh.triangles.triangle_count", "10");
    assert_round_trips(made);
    mst_check_result result;
    MUST(mst_check(made, NULL, NULL, NULL, &result, &why), &why);
    assert_int_equal(result.errors + result.warnings, 0);
    /* and copied again, it is the same */
    mst_document *again = copied(made, NULL, 0);
    size_t size;
    const void *bytes = mst_document_bytes(again, &size);
    assert_true(size > 0);
    MUST(apply(clip, MST_OPERATION_SET, "blocks[1].objects[0].has_layers", "false", &why), &why);
    MUST(apply(clip, MST_OPERATION_SET, "blocks[1].objects[0].group", "\"none\"", &why), &why);
    assert_bytes(clip, bytes, size);
    mst_close(again);
    mst_close(made);
    mst_close(clip);
    mst_close(from);
}

/* No part of a clipboard with missing targets or unknown contents is pasted, and nothing into a level that
 * cannot take it. */
static void refused_pastes(void **state) {
    static const struct {
        const char *path, *value, *about, *message;
    } cases[] = {
        {"blocks[0].mesh.edges[3].vertices", "[0, 90]", "blocks[0].mesh",
         "the clipboard refers to a vertex or an edge that it does not have"},
        {"blocks[0].mesh.faces[2].loops[0][1].edge", "90", "blocks[0].mesh", NULL},
        {"blocks[0].mesh.faces[2].material", "90", "blocks[0].mesh",
         "a face refers to a material that the clipboard does not have"},
        {"blocks[0].mesh.faces[2].mapping_group", "90", "blocks[0].mesh",
         "a face refers to a mapping group that the clipboard does not have"},
        {"blocks[1].objects[2].id", "4", "blocks[1].objects[2]",
         "its meaning is not known: it cannot be pasted"},
    };
    (void)state;
    mst_document *from = level_of((level_plan){0}), *into = level_of((level_plan){0});
    mst_diagnostic why;
    size_t size;
    uint8_t *before = copy_of(into, &size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *clip = copied(from, NULL, 0);
        MUST(apply(clip, MST_OPERATION_SET, cases[i].path, cases[i].value, &why), &why);
        assert_int_equal(mst_paste(into, clip, NULL, &why), MST_REFUSED);
        assert_string_equal(why.path, cases[i].about);
        if (cases[i].message)
            assert_string_equal(why.message, cases[i].message);
        assert_bytes(into, before, size);
        assert_false(mst_is_edited(into));
        mst_close(clip);
    }
    mst_document *clip = copied(from, NULL, 0), *other;
    assert_int_equal(mst_paste(NULL, clip, NULL, &why), MST_ARGUMENT);
    assert_int_equal(mst_paste(into, NULL, NULL, &why), MST_ARGUMENT);
    assert_int_equal(mst_paste(into, from, NULL, &why), MST_UNSUPPORTED);
    assert_int_equal(mst_paste(clip, from, NULL, &why), MST_UNSUPPORTED);
    static const char none[] = "{\"$format\":\"ns2-level\",\"version\":10}",
                      bare[] = "{\"$format\":\"ns2-level\",\"version\":10,\"mesh\":{\"vertices\":[]}}";
    MUST(mst_open_json(none, sizeof none - 1, NULL, &other, &why), &why);
    assert_int_equal(mst_paste(other, clip, NULL, &why), MST_REFUSED);
    assert_string_equal(why.message, "the level has no mesh that faces could be pasted into");
    mst_close(other);
    MUST(mst_open_json(bare, sizeof bare - 1, NULL, &other, &why), &why);
    assert_int_equal(mst_paste(other, clip, NULL, &why), MST_REFUSED);
    assert_string_equal(why.message, "the level's mesh lacks a list that faces would be pasted into");
    mst_close(other);
    mst_close(clip);
    /* entities alone need no mesh */
    const char *one = "objects[0]";
    clip = copied(from, &one, 1);
    MUST(mst_open_json(none, sizeof none - 1, NULL, &other, &why), &why);
    MUST(mst_paste(other, clip, NULL, &why), &why);
    assert_int_equal(count_at(other, "objects"), 1);
    mst_close(other);
    mst_close(clip);
    /* smoothing, in a version without it: only if forced */
    const char *face = "mesh.faces[0]";
    clip = copied(from, &face, 1);
    other = level_of((level_plan){.version = 7});
    assert_int_equal(mst_paste(other, clip, NULL, &why), MST_REFUSED);
    assert_string_equal(why.message, "1 value would be lost in version 7");
    mst_edit_options forced = {.size = sizeof forced, .force = 1};
    MUST(mst_paste(other, clip, &forced, &why), &why);
    assert_int_equal(count_at(other, "mesh.faces"), 4);
    mst_close(other);
    mst_close(clip);
    /* a new error */
    clip = copied(from, &one, 1);
    MUST(apply(clip, MST_OPERATION_SET, "blocks[0].objects[0].class_name", "", &why), &why);
    mst_check_options checks = {.size = sizeof checks};
    mst_edit_options checked = {.size = sizeof checked, .checks = &checks};
    assert_int_equal(mst_paste(into, clip, &checked, &why), MST_REFUSED);
    assert_string_equal(why.code, "NS2-CLASS-EMPTY");
    assert_bytes(into, before, size);
    mst_close(clip);
    free(before);
    mst_close(into);
    mst_close(from);
}

/* ---- memory, reports, real files -------------------------------------------------------------------- */

static mst_status stop_at_once(void *user, const mst_diagnostic *loss) {
    (void)user;
    (void)loss;
    return MST_STOPPED;
}

static mst_status stop_at_change(void *user, const mst_edit_change *change) {
    size_t *left = user;
    assert_int_equal(change->kind, MST_CHANGE_ADD);
    assert_non_null(change->now);
    return (*left)-- ? MST_OK : MST_STOPPED;
}

static void ended_early(void **state) {
    (void)state;
    mst_document *from = level_of((level_plan){.everything = true}), *clip, *made,
                 *into = level_of((level_plan){0});
    mst_diagnostic why;
    mst_convert_options copying = {.size = sizeof copying, .format = "ns2-clip", .allow_loss = 1};
    assert_int_equal(mst_convert(from, &copying, stop_at_once, NULL, &clip, &why), MST_STOPPED);
    clip = copied(from, NULL, 0);
    size_t left = 0;
    mst_edit_options options = {.size = sizeof options, .change = stop_at_change, .user = &left};
    for (size_t heard = 0; heard <= LEVEL_OBJECTS + 3; heard++) {
        left = heard;
        assert_int_equal(mst_paste(into, clip, &options, &why),
                         heard < LEVEL_OBJECTS + 3 ? MST_STOPPED : MST_OK);
    }
    mst_close(into);
    mst_close(clip);
    writer w = {0}, c = {0};
    level_plan plan = {.everything = true};
    write_level(&w, &plan);
    write_clip_of_level(&c, plan);
    for (size_t fail_at = 1, failed = 1; failed; fail_at += sample_step()) {
        counted memory = {0};
        mst_open_options how = {.size = sizeof how, .allocator = counted_allocator(&memory)};
        MUST(mst_open_memory(w.data, w.size, &how, &into, &why), &why);
        MUST(mst_open_memory(c.data, c.size, &how, &clip, &why), &why);
        memory.calls = 0;
        memory.fail_at = fail_at;
        mst_status status = mst_convert(into, &copying, NULL, NULL, &made, &why);
        mst_status pasted = mst_paste(into, clip, NULL, &why);
        failed = memory.failed;
        memory.fail_at = 0;
        assert_true(status == MST_OK || (failed && status == MST_NO_MEMORY));
        assert_true(pasted == MST_OK || (failed && pasted == MST_NO_MEMORY));
        mst_close(made);
        mst_close(into);
        mst_close(clip);
        assert_int_equal(memory.blocks, 0);
    }
    writer_free(&w);
    writer_free(&c);
    mst_close(from);
}

static uint64_t errors_of(const mst_document *document) {
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(document, NULL, NULL, NULL, &result, &why), &why);
    return result.errors;
}

/* A real level copied, made into a level, and pasted into itself. */
static void copied_and_pasted(const char *name, const mst_document *document) {
    if (strcmp(mst_document_format(document)->id, "ns2-level") != 0)
        return;
    (void)name;
    mst_document *clip = copied(document, NULL, 0), *made, *twice;
    mst_diagnostic why;
    mst_convert_options back = {.size = sizeof back, .format = "ns2-level", .allow_loss = 1};
    MUST(mst_convert(clip, &back, NULL, NULL, &made, &why), &why);
    assert_int_equal(errors_of(made), errors_of(document));
    assert_int_equal(count_at(made, "mesh.faces"), count_at(document, "mesh.faces"));
    assert_int_equal(count_at(made, "objects"), count_at(document, "objects"));
    MUST(mst_rebuild(document, &twice, &why), &why);
    mst_edit_options options = {.size = sizeof options, .force = 1};
    MUST(mst_paste(twice, clip, &options, &why), &why);
    assert_int_equal(count_at(twice, "mesh.faces"), 2 * count_at(document, "mesh.faces"));
    assert_int_equal(count_at(twice, "mesh.materials"), count_at(document, "mesh.materials"));
    assert_int_equal(errors_of(twice), 2 * errors_of(document));
    mst_close(twice);
    mst_close(made);
    mst_close(clip);
}

static void real_levels(void **state) {
    static const char *const folders[] = {"ns2"};
    (void)state;
    assert_true(documents_of_corpus(folders, 1, copied_and_pasted) > 0);
}

int test_ns2_clip(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_levels),       cmocka_unit_test(selections),
        cmocka_unit_test(losses_of_copies),   cmocka_unit_test(refused_copies),
        cmocka_unit_test(pasted_and_removed), cmocka_unit_test(what_the_level_lacks),
        cmocka_unit_test(new_levels),         cmocka_unit_test(refused_pastes),
        cmocka_unit_test(ended_early),        cmocka_unit_test(real_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
