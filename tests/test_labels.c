/* SPDX-License-Identifier: MIT */
/* Names that elements get from others: selected, read, and given, in each version of the format that stores
 * them differently. */
#include "../src/write/rebuild.h"
#include "ns2_level.h"
#include "support.h"
#include <mapstone/edit.h>

static mst_document *level_of(unsigned version) {
    writer w = {0};
    mst_document *document, *own;
    mst_diagnostic why;
    level_plan plan = {.version = version};
    write_level(&w, &plan);
    MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
    MUST(mst_rebuild(document, &own, &why), &why); /* its bytes are its own */
    mst_close(document);
    writer_free(&w);
    return own;
}

static mst_status apply(mst_document *d, const char *text, mst_diagnostic *why) {
    mst_operations *all = NULL;
    mst_check_options checks = {.size = sizeof checks};
    mst_edit_options options = {.size = sizeof options, .checks = &checks};
    size_t count;
    mst_status status = mst_operations_read(&all, text, strlen(text), 1, NULL, why);
    const mst_operation *items = mst_operations_all(all, &count);
    if (status == MST_OK)
        status = mst_edit(d, items, count, &options, why);
    mst_operations_free(all);
    return status;
}

static mst_status list_path(void *user, const char *path, const mst_value *value) {
    char *text = user;
    (void)value;
    snprintf(text + strlen(text), 400 - strlen(text), "%s%s", *text ? " " : "", path);
    return MST_OK;
}

/* The paths that a selector matches; its error message. */
static const char *selected(const mst_document *d, const char *selector) {
    static char text[400];
    mst_diagnostic why;
    *text = 0;
    mst_status status = mst_select(mst_root(d), selector, list_path, text, NULL, &why);
    if (status != MST_OK)
        snprintf(text, sizeof text, "%.300s", why.message);
    return text;
}

/* All labels of an element, with commas between them. */
static const char *labels_of(const mst_document *d, const char *list, const char *word, uint64_t element) {
    static char text[400];
    mst_labels *labels;
    mst_diagnostic why;
    *text = 0;
    MUST(mst_labels_open(&labels, d, list, word, &why), &why);
    for (size_t i = 0; mst_labels_name(labels, element, i); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? "," : "",
                 mst_labels_name(labels, element, i));
    mst_labels_close(labels);
    return text;
}

static void select_by_names(void **state) {
    (void)state;
    static const unsigned versions[] = {4, 5, 8, 10};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        mst_document *d = level_of(versions[i]);
        assert_string_equal(selected(d, "mesh.faces[material~*b.material]"), "mesh.faces[1] mesh.faces[2]");
        assert_string_equal(selected(d, "mesh.faces[material=materials/a.material]"), "mesh.faces[0]");
        assert_string_equal(selected(d, "mesh.faces[material=1; -1]"), "mesh.faces[2]");
        assert_string_equal(selected(d, "mesh.faces[layer=Vents]"), "mesh.faces[0]");
        assert_string_equal(selected(d, "mesh.faces[layer=]"), "mesh.faces[1] mesh.faces[2]");
        assert_string_equal(selected(d, "mesh.faces[!layer~U* | material~*/a*]"),
                            "mesh.faces[0] mesh.faces[1] mesh.faces[2]");
        assert_string_equal(selected(d, "mesh.faces[layer=Vent]"),
                            "there is no layer \"Vent\"; did you mean \"Vents\"?");
        assert_string_equal(selected(d, "mesh.faces[material=b]"), "there is no material \"b\"");
        assert_string_equal(selected(d, "objects[layer=Upper deck]"), "objects[0]");
        if (versions[i] >= 5) {
            assert_string_equal(selected(d, "mesh.faces[group~Coll*]"), "mesh.faces[0]");
            assert_string_equal(selected(d, "mesh.faces[group!=CollisionGeometry]"),
                                "mesh.faces[1] mesh.faces[2]");
            assert_string_equal(selected(d, "mesh.faces[group=7]"), "mesh.faces[0]");
            assert_string_equal(selected(d, "mesh.faces[layer=3]"), "mesh.faces[0]");
        }
        /* all corners count: face 0 has some that face 1 lacks */
        assert_string_equal(selected(d, "mesh.faces[within=-1,-9,-1:9,0.5,9]"),
                            "mesh.faces[1] mesh.faces[2]");
        assert_string_equal(selected(d, "mesh.faces[within=4,4,0:5.7]"), "mesh.faces[0]");
        assert_string_equal(selected(d, "mesh.faces[within=4,4,0:5.6]"), "nothing matches");
        mst_close(d);
    }
}

static void read_names(void **state) {
    (void)state;
    mst_document *d = level_of(10);
    mst_labels *labels;
    mst_diagnostic why;
    assert_string_equal(labels_of(d, "mesh.faces", "layer", 0), "Vents,Upper deck");
    assert_string_equal(labels_of(d, "mesh.faces", "layers", 1), "");
    assert_string_equal(labels_of(d, "mesh.faces", "material", 2), "materials/b.material");
    assert_string_equal(labels_of(d, "mesh.faces", "group", 0), "CollisionGeometry");
    assert_string_equal(labels_of(d, "objects", "group", 0), "CollisionGeometry");
    assert_string_equal(labels_of(d, "objects", "layer", 0), "Upper deck");
    assert_int_equal(mst_labels_open(&labels, d, "mesh.faces", "vertices", &why), MST_NO_PATH);
    assert_null(labels);
    assert_int_equal(mst_labels_open(&labels, d, "mesh.face", "layer", &why), MST_NO_PATH);
    assert_int_equal(mst_labels_open(&labels, d, "mesh", "layer", &why), MST_NO_PATH);
    assert_int_equal(mst_labels_open(&labels, NULL, "mesh", "layer", &why), MST_ARGUMENT);
    assert_null(mst_labels_name(NULL, 0, 0));
    mst_labels_close(NULL);
    mst_close(d);
}

/* The result for a value; NULL: the edit is refused. */
static void give_names(void **state) {
    (void)state;
    static const struct {
        unsigned version;
        const char *operation, *path, *json;
    } all[] = {
        {10, "objects[0].layer = Vents", "objects[0].layer_masks", "[2,0,0,0,0,0,0,0]"},
        {10, "objects[0].layer += Vents", "objects[0].layer_masks", "[10,0,0,0,0,0,0,0]"},
        {10, "objects[0].layer = 1", "objects[0].layer_masks", "[2,0,0,0,0,0,0,0]"},
        {10, "objects[0].layer = [\"Vents\",3]", "objects[0].layer_masks", "[10,0,0,0,0,0,0,0]"},
        {10, "objects[0].layer -= Upper deck", "objects[0].has_layers", "false"},
        {10, "objects[0].layer = ", "objects[0].has_layers", "false"},
        {10, "objects[1].layer = Upper deck", "objects[1].layer_masks", "[8,0,0,0,0,0,0,0]"},
        {10, "objects[1].layer -= Upper deck", "objects[1].has_layers", "false"},
        {5, "objects[1].layer += Upper deck", "objects[1].layer_masks", "[8,0,0,0,0,0,0,0]"},
        {4, "objects[1].layer = Upper deck", "objects[1].layer_mask", "2"},
        {4, "mesh.faces[0].layer -= Vents", "mesh.face_layers.masks[0]", "2"},
        {10, "mesh.faces[0].layer -= Vents", "mesh.face_layers.faces[0].layer_masks", "[8,0,0,0,0,0,0,0]"},
        {10, "mesh.faces[2].layer = Vents", "mesh.face_layers.faces[2].layer_masks", "[2,0,0,0,0,0,0,0]"},
        {10, "mesh.faces[0].layer = none", "mesh.face_layers.faces[0].has_layers", "false"},
        {10, "objects[0].layer = Vent", NULL, "there is no layer \"Vent\"; did you mean \"Vents\"?"},
        {10, "objects[0].layer = 2", NULL, "there is no layer \"2\""},
        {10, "objects[0].layer = \"1\"", NULL, "there is no layer \"1\""},
        {10, "objects[1].group = CollisionGeometry", "objects[1].group", "7"},
        {10, "objects[0].group = none", "objects[0].group", "\"none\""},
        {10, "objects[0].group = Walls", NULL, "there is no group \"Walls\""},
        {10, "mesh.faces[2].group = CollisionGeometry", "mesh.geometry_groups.face_groups[0].indices",
         "[0,2]"},
        {10, "each mesh.faces[*].group = CollisionGeometry", "mesh.geometry_groups.face_groups[0].indices",
         "[0,1,2]"},
        {10, "mesh.faces[0].group = ", "mesh.geometry_groups.face_groups", "[]"},
        {10, "mesh.faces[0].group = Walls", NULL, "there is no group \"Walls\""},
        {10, "mesh.faces[0].material = materials/b.material", "mesh.materials", "[\"materials/b.material\"]"},
        {10, "mesh.faces[1].material = materials/new.material", "mesh.materials",
         "[\"materials/a.material\",\"materials/new.material\",\"materials/b.material\"]"},
        {10, "mesh.faces[2].material = materials/a.material", "mesh.faces[2].material", "0"},
        {10, "mesh.faces[1].material += materials/a.material", NULL, "it has one name: set it with ="},
        {10, "mesh.faces[1].location = Hub", NULL, "it follows from where the element is: move it"},
        {10,
         "{\"op\":\"set\",\"path\":\"mesh.faces[*].layer\",\"by\":\"+=\",\"new\":\"Vents\",\"each\":true}",
         "mesh.face_layers.faces[1].layer_masks", "[2,0,0,0,0,0,0,0]"},
        {10, "mesh.faces[*].layer += Vents", NULL, "the selector matches 3 values"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mst_document *d = level_of(all[i].version);
        mst_diagnostic why = {.message = ""};
        mst_undo *undo;
        size_t size, now_size;
        const void *bytes = mst_document_bytes(d, &size);
        uint8_t *before = malloc(size);
        assert_non_null(before);
        memcpy(before, bytes, size);
        MUST(mst_undo_begin(d, &undo, &why), &why);
        mst_status status = apply(d, all[i].operation, &why);
        MUST(mst_undo_end(undo, d, NULL), &why);
        if (!all[i].path && (status == MST_OK || strcmp(why.message, all[i].json) != 0))
            fail_msg("%s: %s", all[i].operation, why.message);
        if (all[i].path && status != MST_OK)
            fail_msg("%s: %s (%s)", all[i].operation, why.message, why.path);
        if (all[i].path)
            assert_json_at(d, all[i].path, all[i].json);
        MUST(mst_undo_swap(undo, d, NULL), &why);
        const void *now = mst_document_bytes(d, &now_size);
        assert_int_equal(now_size, size);
        assert_memory_equal(now, before, size);
        mst_undo_free(undo);
        free(before);
        mst_close(d);
    }
}

static void set_by_name(void **state) {
    (void)state;
    mst_document *d = level_of(10);
    mst_diagnostic why;
    MUST(mst_set(d, "objects[1].layer", "Vents", &why), &why);
    assert_json_at(d, "objects[1].layer_masks", "[2,0,0,0,0,0,0,0]");
    MUST(mst_set(d, "mesh.faces[0].material", "\"materials/b.material\"", &why), &why);
    assert_json_at(d, "mesh.faces[0].material", "0");
    mst_close(d);
}

/* Rows of numbers proved together become the same bytes as one by one. */
static void together(void **state) {
    (void)state;
    mst_document *d = level_of(10), *other = level_of(10);
    mst_diagnostic why;
    size_t size, other_size;
    MUST(apply(d, "each mesh.faces[*].layer = Vents\nmesh.faces[1].layer = none", &why), &why);
    MUST(apply(other, "mesh.faces[2].layer = Vents", &why), &why);
    MUST(apply(other, "mesh.faces[0].layer = 1", &why), &why);
    const void *bytes = mst_document_bytes(d, &size), *others = mst_document_bytes(other, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, others, size);
    mst_close(d);
    mst_close(other);
}

static void rooms(void **state) {
    (void)state;
    mst_document *d = level_of(10);
    mst_diagnostic why;
    /* the location of the fixture has a name; it gets a position and a size */
    MUST(apply(d,
               "objects[0].properties.origin = [4,-6,0]\nobjects[0].properties.angles = "
               "[0,0,0]\nobjects[0].properties.scale ?= [8,4,3]\n"
               "objects[0].properties.name = Hub (old)\nobjects[1].properties.output1 = Hub (old)",
               &why),
         &why);
    assert_string_equal(selected(d, "mesh.faces[within=Hub (old)]"), "mesh.faces[2]");
    assert_string_equal(labels_of(d, "mesh.faces", "location", 2), "Hub (old)");
    assert_string_equal(selected(d, "mesh.faces[location=Hub]"),
                        "there is no location \"Hub\"; did you mean \"Hub (old)\"?");
    assert_int_equal(apply(d, "move in=(Hub (old)) by 0,0,1", &why), MST_REFUSED); /* it shares a vertex */
    assert_int_equal(apply(d, "move in=(\"Hub (old)\") by 0,0,1", &why), MST_REFUSED); /* as in conditions */
    assert_int_equal(apply(d, "move in=(Hbu) by 0,0,1", &why), MST_NO_PATH);
    assert_int_equal(apply(d, "duplicate in=(Hub (old))", &why), MST_ARGUMENT);
    MUST(apply(d, "in=(Hub (old)).layer = Vents", &why), &why);
    assert_string_equal(labels_of(d, "mesh.faces", "layer", 2), "Vents");
    assert_string_equal(labels_of(d, "objects", "layer", 0), "Vents");
    mst_close(d);
}

static void memory_that_does_not_last(void **state) {
    (void)state;
    static const char *const texts[] = {"each mesh.faces[material~*b* & layer= & location=].layer += Vents",
                                        "each mesh.faces[*].group = CollisionGeometry",
                                        "each mesh.faces[1:3].material = materials/a.material",
                                        "mesh.faces[0].material = materials/new.material",
                                        "rotate in=(hub) by 90deg"};
    const mst_edit_options options = {.size = sizeof options, .drag = 1};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        writer w = {0};
        level_plan plan = {0};
        write_level(&w, &plan);
        for (size_t fail_at = 1, failed = 1; failed; fail_at += sample_step()) {
            counted memory = {0};
            mst_open_options how = {.size = sizeof how, .allocator = counted_allocator(&memory)};
            mst_document *d;
            mst_diagnostic why;
            MUST(mst_open_memory(w.data, w.size, &how, &d, &why), &why);
            mst_operations *all = NULL;
            size_t count;
            MUST(mst_operations_read(&all, texts[i], strlen(texts[i]), 1, NULL, &why), &why);
            memory.calls = 0;
            memory.fail_at = fail_at;
            const mst_operation *items = mst_operations_all(all, &count);
            mst_status status = mst_edit(d, items, count, &options, &why);
            failed = memory.failed;
            memory.fail_at = 0;
            if (status != MST_OK && !(failed && status == MST_NO_MEMORY) &&
                !(status == MST_NO_PATH && i == 4 && !failed)) /* the room is empty */
                fail_msg("%s: %s", texts[i], why.message);
            mst_operations_free(all);
            mst_close(d);
            assert_int_equal(memory.blocks, 0);
        }
        writer_free(&w);
    }
}

int test_labels(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(select_by_names),
                                       cmocka_unit_test(read_names),
                                       cmocka_unit_test(give_names),
                                       cmocka_unit_test(set_by_name),
                                       cmocka_unit_test(rooms),
                                       cmocka_unit_test(together),
                                       cmocka_unit_test(memory_that_does_not_last)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
