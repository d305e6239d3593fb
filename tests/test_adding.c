/* SPDX-License-Identifier: MIT */
/* New elements of which only some fields are given. */
#include "../src/write/rebuild.h"
#include "ns2_level.h"
#include "together.h"

static mst_document *level_of(level_plan plan) {
    writer w = {0};
    mst_document *document, *own;
    mst_diagnostic why;
    write_level(&w, &plan);
    MUST(mst_open_memory(w.data, w.size, NULL, &document, &why), &why);
    MUST(mst_rebuild(document, &own, &why), &why); /* its bytes are its own */
    mst_close(document);
    writer_free(&w);
    return own;
}

static mst_status insert(mst_document *document, const char *path, const char *value, mst_diagnostic *why) {
    mst_operation one = {.kind = MST_OPERATION_INSERT, .path = path, .value = value};
    return mst_edit(document, &one, 1, NULL, why);
}

static uint64_t count_at(const mst_document *document, const char *path) {
    mst_value value = value_at(document, path);
    return mst_count(&value);
}

/* ---- entities --------------------------------------------------------------------------------------- */

/* The remaining fields are copied from the first entity of its class. */
static void like_others(void **state) {
    (void)state;
    mst_diagnostic why;
    for (unsigned version = 4; version <= 10; version++) {
        mst_document *d = level_of((level_plan){.version = version});
        MUST(insert(d, "objects[11]",
                    "{\"class_name\": \"location\", \"properties\": {\"name\": \"Annex\", \"origin\": [1, 2, "
                    "3]}}",
                    &why),
             &why);
        assert_json_at(d, "objects[11].properties[0].value", "[1,2,3]");
        assert_json_at(d, "objects[11].properties[1].value", "[0,0,1.5]"); /* angles */
        assert_json_at(d, "objects[11].properties[2].value", "[\"Annex\"]");
        assert_int_equal(count_at(d, "objects[11].properties"), 3);
        assert_json_at(d, "objects[0].properties[2].value", "[\"hub\"]");
        if (version >= 5) {
            assert_json_at(d, "objects[11].group", "7");
            assert_json_at(d, "objects[11].layer_masks[0]", "8");
        }
        mst_close(d);
    }
}

/* No entity is similar: its properties have the types that they have elsewhere, or in other levels. */
static void like_none(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d = level_of((level_plan){0});
    MUST(insert(d, "objects[0]",
                "{\"class_name\": \"light_spot\", \"properties\": {\"share\": 0.5, \"innerAngle\": 0.25, "
                "\"color\": [1, 1, 1], \"output7\": \"x\", \"castsShadows\": true}}",
                &why),
         &why);
    assert_json_at(d, "objects[0].has_layers", "false");
    assert_json_at(d, "objects[0].group", "\"none\"");
    assert_int_equal(count_at(d, "objects[0].extras"), 0);
    assert_json_at(d, "objects[0].properties[0]",
                   "{\"name\":\"origin\",\"type\":\"distance\",\"animated\":false,\"value\":[0,0,0]}");
    assert_json_at(d, "objects[0].properties[name=share]",
                   "{\"name\":\"share\",\"type\":\"percentage\",\"animated\":false,\"value\":[0.5]}");
    assert_json_at(d, "objects[0].properties[name=innerAngle].type", "\"angle\"");
    assert_json_at(d, "objects[0].properties[name=color].value", "[1,1,1]");
    assert_json_at(d, "objects[0].properties[name=output7].value", "[\"x\"]");
    assert_json_at(d, "objects[0].properties[name=castsShadows].value", "[true]");
    /* of no known type */
    assert_int_equal(
        insert(d, "objects[0]", "{\"class_name\": \"a\", \"properties\": {\"unheard\": 1}}", &why),
        MST_NO_PATH);
    assert_string_equal(why.path, "properties.unheard");
    /* complete properties are left alone */
    MUST(insert(d, "objects[0]",
                "{\"class_name\": \"location\", \"properties\": [{\"name\": \"unheard\", \"type\": 3, "
                "\"value\": [1]}]}",
                &why),
         &why);
    assert_int_equal(count_at(d, "objects[0].properties"), 1);
    assert_json_at(d, "objects[0].properties[0].animated", "false");
    /* an unknown kind */
    MUST(insert(d, "objects[0]", "{}", &why), &why);
    assert_json_at(d, "objects[0].class_name", "\"\"");
    assert_int_equal(count_at(d, "objects[0].properties"), 2);
    mst_close(d);
}

/* Values that belong to one entity alone are not copied, and unknown names are errors. */
static void own_and_wrong(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d = level_of((level_plan){.cubemap = true});
    assert_int_equal(count_at(d, "objects[4].extras"), 1);
    MUST(insert(d, "objects[11]", "{\"class_name\": \"power_point\"}", &why), &why);
    assert_int_equal(count_at(d, "objects[11].extras"), 0);
    assert_int_equal(insert(d, "objects[11]", "{\"class_name\": \"power_point\", \"colour\": 1}", &why),
                     MST_ARGUMENT);
    assert_string_equal(why.path, "objects[11]");
    assert_string_equal(why.found, "colour");
    assert_int_equal(insert(d, "objects[11]", "{\"class_name\": ", &why), MST_ARGUMENT);
    assert_int_equal(insert(d, "nothing[0]", "{}", &why), MST_NO_PATH);
    assert_int_equal(insert(d, "objects", "{}", &why), MST_ARGUMENT);
    mst_close(d);
}

/* Fields that are not given: empty, or zero; a layer is visible, and white, as in nearly all real levels. */
static void zeros(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d = level_of((level_plan){0});
    MUST(insert(d, "mesh.vertices[11]", "{\"position\": [1, 2, 3]}", &why), &why);
    assert_json_at(d, "mesh.vertices[11]", "{\"position\":[1,2,3],\"smooth\":0}");
    MUST(insert(d, "layers[2]", "{\"name\": \"New\", \"id\": 9}", &why), &why);
    assert_json_at(d, "layers[2]", "{\"name\":\"New\",\"visible\":true,\"color\":[255,255,255,0],\"id\":9}");
    MUST(insert(d, "objects[0].properties[2]", "{\"name\": \"a\", \"type\": \"real\", \"value\": [1]}", &why),
         &why);
    assert_json_at(d, "objects[0].properties[2].animated", "false");
    mst_close(d);
}

/* ---- faces ------------------------------------------------------------------------------------------ */

/* Existing vertices and edges are used; missing ones are made. */
static void faces_by_positions(void **state) {
    (void)state;
    mst_diagnostic why;
    for (unsigned version = 4; version <= 10; version++) {
        mst_document *d = level_of((level_plan){.version = version});
        MUST(
            insert(
                d, "mesh.faces[3]",
                "{\"positions\": [[8, 0, 0], [0, 0, 0], [4, 0, -9]], \"material\": \"materials/b.material\"}",
                &why),
            &why);
        assert_int_equal(count_at(d, "mesh.vertices"), 12);
        assert_json_at(d, "mesh.vertices[11].position", "[4,0,-9]");
        assert_int_equal(count_at(d, "mesh.edges"), 15);
        assert_json_at(d, "mesh.edges[13].vertices", "[0,11]");
        assert_json_at(d, "mesh.edges[14].vertices", "[11,1]");
        assert_json_at(d, "mesh.faces[3].loops",
                       "[[{\"flipped\":true,\"edge\":0},{\"flipped\":false,\"edge\":13},{\"flipped\":false,"
                       "\"edge\":14}]]");
        assert_json_at(d, "mesh.faces[3].material", "1");
        assert_json_at(d, "mesh.faces[3].mapping_group", "\"none\"");
        assert_json_at(d, "mesh.faces[3].angle", "0.25"); /* like the first one of this material */
        assert_int_equal(count_at(d, "mesh.triangles.faces[3]"), 1);
        char *corners = json_at(d, "mesh.triangles.faces[3][0].vertices"); /* starting from any of them */
        assert_true(strcmp(corners, "[1,0,11]") == 0 || strcmp(corners, "[0,11,1]") == 0 ||
                    strcmp(corners, "[11,1,0]") == 0);
        free(corners);
        assert_json_at(d, "mesh.triangles.triangle_count", "11");
        if (version >= 7) /* the ghost's index has increased */
            assert_json_at(d, "mesh.triangles.faces[0][7].vertices[2]", "12");
        mst_check_result result;
        MUST(mst_check(d, NULL, NULL, NULL, &result, &why), &why);
        assert_int_equal(result.errors + result.warnings, 0);
        /* and removed again, with everything made for it */
        mst_document *before = level_of((level_plan){.version = version});
        mst_operation gone = {.kind = MST_OPERATION_REMOVE, .path = "mesh.faces[3]"};
        size_t size, old;
        MUST(mst_edit(d, &gone, 1, NULL, &why), &why);
        const void *bytes = mst_document_bytes(d, &size), *then = mst_document_bytes(before, &old);
        assert_int_equal(size, old);
        assert_memory_equal(bytes, then, size);
        mst_close(before);
        mst_close(d);
    }
}

static void faces_with_holes(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *d = level_of((level_plan){0});
    MUST(insert(d, "mesh.faces[0]",
                "{\"positions\": [[0, 0, 9], [9, 0, 9], [9, 9, 9], [0, 9, 9]], \"angle\": 1,"
                "\"holes\": [[[2, 2, 9], [2, 4, 9], [4, 4, 9]]], \"material\": \"materials/new.material\"}",
                &why),
         &why);
    assert_int_equal(count_at(d, "mesh.faces[0].loops"), 2);
    assert_int_equal(count_at(d, "mesh.vertices"), 18);
    assert_int_equal(count_at(d, "mesh.edges"), 20);
    assert_int_equal(count_at(d, "mesh.triangles.faces[0]"), 7);
    /* materials are in the order in which faces use them */
    assert_json_at(d, "mesh.materials[0]", "\"materials/new.material\"");
    assert_json_at(d, "mesh.faces[0].material", "0");
    assert_json_at(d, "mesh.faces[1].material", "1");
    assert_json_at(d, "mesh.faces[0].angle", "1");
    assert_json_at(d, "mesh.faces[0].scale", "[0.30757874,0.30757874]");
    /* loops with a material by its name */
    MUST(insert(d, "mesh.faces[4]",
                "{\"loops\": [[{\"edge\": 10}, {\"edge\": 11}, {\"edge\": 12}]], \"material\": "
                "\"materials/b.material\"}",
                &why),
         &why);
    assert_json_at(d, "mesh.faces[4].material", "2");
    assert_json_at(d, "mesh.faces[4].loops[0][0].flipped", "false");
    mst_close(d);
}

/* Faces inserted together make the same bytes as each alone. */
static void faces_together(void **state) {
    (void)state;
    static const char *const scripts[] = {
        /* a fan: each uses an edge of the one before, and a new material */
        "add mesh.faces positions=[[0,0,0],[9,0,0],[9,9,0]] material=materials/new.material\n"
        "add mesh.faces positions=[[0,0,0],[9,9,0],[-0,9,0]] material=materials/new.material\n"
        "add mesh.faces positions=[[0,0,0],[0,9,0],[-9,0,0]] material=materials/newer.material\n"
        "add mesh.faces positions=[[0,0,0],[-9,0,0],[-9,-9,0]] material=0 angle=0.5",
        /* all ways to insert faces */
        "duplicate mesh.faces[0]\n"
        "duplicate mesh.faces[1] to 0\n"
        "add mesh.faces positions=[[0,0,0],[9,0,0],[9,9,0]] material=0\n"
        "duplicate mesh.faces[0]\n"
        "insert mesh.faces[0] = {\"positions\":[[1,0,0],[9,0,1],[9,9,2]],\"material\":\"a\"}\n"
        "add mesh.faces positions=[[0,0,0],[9,0,0],[9,9,8]] material=a\n"
        "duplicate mesh.faces[-1]",
        "add mesh.faces positions=[[0,0,0],[9,0,0],[9,9,0]] material=0\n"
        "add mesh.faces positions=[[0,0,0],[9,0,0],[9,9,7]] material=0\n"
        "duplicate mesh.faces[3]\nduplicate mesh.faces[0]\nduplicate mesh.faces[0]\n"
        "mesh.faces[2].angle = 0.25\nremove mesh.faces[1]",
        /* copies of the first and the last, with their rows, and numbers that name them */
        ("duplicate mesh.faces[0] to 1\nduplicate mesh.faces[0] to 0\nduplicate mesh.faces[2] to 1\n"
         "duplicate mesh.faces[4] to 2"),
    };
    for (unsigned version = 4; version <= 10; version++)
        for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
            mst_document *d = level_of((level_plan){.version = version});
            mst_document *alone = level_of((level_plan){.version = version});
            assert_same_together(d, alone, scripts[i]);
            mst_close(alone);
            mst_close(d);
        }
}

static mst_status set(mst_document *document, const char *path, const char *value, mst_diagnostic *why) {
    mst_operation one = {.kind = MST_OPERATION_SET, .path = path, .value = value};
    return mst_edit(document, &one, 1, NULL, why);
}

/* Another border, and holes: elements that only the old shape needed are removed, and the face is the
 * same. */
static void faces_in_place(void **state) {
    static const char *const wrong[] = {"[[0,0,0],[1,0,0]]", "[[0,0,0],[1,0,0],[2,0,0]]", "x", "7",
                                        "[[0,0,0],[1,0,0],[1,1]]"};
    (void)state;
    mst_diagnostic why;
    for (unsigned version = 4; version <= 10; version++) {
        mst_document *d = level_of((level_plan){.version = version}),
                     *before = level_of((level_plan){.version = version});
        MUST(insert(d, "mesh.faces[3]",
                    "{\"positions\": [[8, 0, 0], [0, 0, 0], [4, 0, -9]], \"material\": 1}", &why),
             &why);
        MUST(set(d, "mesh.faces[3].positions", "[[8, 0, 0], [0, 0, 0], [4, 0, -5]]", &why), &why);
        assert_int_equal(count_at(d, "mesh.vertices"), 12);
        assert_json_at(d, "mesh.vertices[11].position", "[4,0,-5]");
        assert_int_equal(count_at(d, "mesh.edges"), 15);
        assert_json_at(d, "mesh.edges[13].vertices", "[0,11]");
        assert_json_at(d, "mesh.edges[14].vertices", "[11,1]");
        assert_json_at(d, "mesh.faces[3].angle", "0.25");
        assert_int_equal(count_at(d, "mesh.triangles.faces[3]"), 1);
        MUST(set(d, "mesh.faces[3].holes", "[[[3, 0, -1], [4, 0, -2], [5, 0, -1]]]", &why), &why);
        assert_int_equal(count_at(d, "mesh.faces[3].loops"), 2);
        assert_int_equal(count_at(d, "mesh.vertices"), 15);
        assert_int_equal(count_at(d, "mesh.triangles.faces[3]"), 6);
        MUST(set(d, "mesh.faces[3].positions", "[[8, 0, 0], [0, 0, 0], [4, 0, -7]]", &why), &why);
        assert_int_equal(count_at(d, "mesh.faces[3].loops"), 2);
        assert_int_equal(count_at(d, "mesh.vertices"), 15);
        assert_json_at(d, "mesh.triangles.triangle_count", "16");
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            assert_int_equal(set(d, "mesh.faces[3].positions", wrong[i], &why), MST_ARGUMENT);
            assert_string_equal(why.path, "mesh.faces[3].positions");
            assert_int_equal(count_at(d, "mesh.vertices"), 15);
        }
        assert_int_equal(set(d, "mesh.faces[9].positions", "[[0,0,0],[1,0,0],[1,1,0]]", &why), MST_NO_PATH);
        mst_check_result result;
        MUST(mst_check(d, NULL, NULL, NULL, &result, &why), &why);
        assert_int_equal(result.errors + result.warnings, 0);
        MUST(set(d, "mesh.faces[3].holes", "[]", &why), &why);
        assert_int_equal(count_at(d, "mesh.vertices"), 12);
        /* nothing else has changed: without it the level is the old one */
        mst_operation gone = {.kind = MST_OPERATION_REMOVE, .path = "mesh.faces[3]"};
        size_t size, old;
        MUST(mst_edit(d, &gone, 1, NULL, &why), &why);
        const void *bytes = mst_document_bytes(d, &size), *then = mst_document_bytes(before, &old);
        assert_int_equal(size, old);
        assert_memory_equal(bytes, then, size);
        mst_close(before);
        mst_close(d);
    }
}

/* An existing face keeps its layers, groups and texture, and smooth corners. */
static void faces_keep_what_they_have(void **state) {
    static const char *const kept[] = {"mesh.faces[0].angle",
                                       "mesh.faces[0].offset",
                                       "mesh.faces[0].scale",
                                       "mesh.faces[0].material",
                                       "mesh.faces[0].mapping_group",
                                       "mesh.face_layers",
                                       "mesh.geometry_groups.face_groups",
                                       "mesh.triangles.smoothed_normals"};
    (void)state;
    mst_diagnostic why;
    mst_document *d = level_of((level_plan){0}), *before = level_of((level_plan){0});
    MUST(set(d, "mesh.faces[0].holes", "[[[1, 0, 1], [2, 0, 1], [2, 0, 2]]]", &why), &why);
    assert_int_equal(count_at(d, "mesh.faces[0].loops"), 2);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        char *was = json_at(before, kept[i]);
        assert_json_at(d, kept[i], was);
        free(was);
    }
    mst_close(before);
    mst_close(d);
}

/* Layers and groups given with new faces, by name or id, or as a mask. */
static void faces_with_labels(void **state) {
    static const char *const given[] = {"\"layer\":3,\"group\":7", "\"layers\":[3],\"groups\":[7]",
                                        "\"layer_masks\":[8],\"groups\":7"};
    (void)state;
    mst_diagnostic why;
    for (unsigned version = 5; version <= 10; version++)
        for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
            char json[200];
            mst_document *d = level_of((level_plan){.version = version});
            snprintf(json, sizeof json, "{\"positions\":[[0,0,9],[9,0,9],[9,9,9]],\"material\":0,%s}",
                     given[i]);
            MUST(insert(d, "mesh.faces[3]", json, &why), &why);
            assert_json_at(d, "mesh.face_layers.faces[3].layer_masks", "[8,0,0,0,0,0,0,0]");
            mst_labels *groups;
            MUST(mst_labels_open(&groups, d, "mesh.faces", "group", &why), &why);
            assert_string_equal(mst_labels_name(groups, 3, 0), "CollisionGeometry");
            assert_null(mst_labels_name(groups, 3, 1));
            mst_labels_close(groups);
            assert_int_equal(
                insert(d, "mesh.faces[4]",
                       "{\"positions\":[[0,0,9],[9,0,9],[9,9,9]],\"material\":0,\"layer\":\"None such\"}",
                       &why),
                MST_ARGUMENT);
            assert_int_equal(count_at(d, "mesh.faces"), 4);
            mst_close(d);
        }
    for (unsigned version = 5; version <= 10; version++) {
        mst_document *d = level_of((level_plan){.version = version}),
                     *alone = level_of((level_plan){.version = version});
        assert_same_together(
            d, alone,
            "insert mesh.faces[3] = {\"positions\":[[0,0,9],[9,0,9],[9,9,9]],\"material\":0,\"layer\":3}\n"
            "insert mesh.faces[4] = "
            "{\"positions\":[[0,0,9],[9,9,9],[0,9,9]],\"material\":0,\"layer\":3,\"group\":7}\n"
            "insert mesh.faces[5] = {\"positions\":[[0,0,9],[0,9,9],[-9,0,9]],\"material\":0}\n"
            "insert mesh.faces[0] = {\"positions\":[[0,0,9],[0,9,9],[-9,0,9]],\"material\":0,\"layer\":1}\n"
            "remove mesh.faces[1]");
        mst_close(alone);
        mst_close(d);
    }
}

static void wrong_faces(void **state) {
    static const char *const wrong[] = {
        "{\"positions\": [[0, 0], [1, 0, 0], [1, 1, 0]], \"material\": 0}",
        "{\"positions\": [[0, 0, 0], [1, 0, \"x\"], [1, 1, 0]], \"material\": 0}",
        "{\"positions\": [[0, 0, 0], 4, [1, 1, 0]], \"material\": 0}",
        "{\"positions\": [[0, 0, 0], [1, 0, 0]], \"material\": 0}",
        "{\"positions\": 7, \"material\": 0}",
        "{\"positions\": [[0, 0, 0], [0, 0, 0], [1, 1, 0]], \"material\": 0}",
        "{\"positions\": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], \"holes\": 3, \"material\": 0}",
        "{\"positions\": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], \"holes\": [3], \"material\": 0}",
        "{\"positions\": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], \"loops\": [], \"material\": 0}",
        "{\"holes\": [[[0, 0, 0], [1, 0, 0], [1, 1, 0]]], \"material\": 0}",
        "{\"positions\": [[0, 0, 0], [1, 0, 0], [1, 1, 0]",
    };
    (void)state;
    mst_diagnostic why;
    mst_document *d = level_of((level_plan){0});
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(insert(d, "mesh.faces[3]", wrong[i], &why), MST_ARGUMENT);
        assert_int_equal(count_at(d, "mesh.vertices"), 11);
        assert_false(mst_is_edited(d));
    }
    mst_close(d);
}

/* ---- by identity ------------------------------------------------------------------------------------ */

static mst_status apply(mst_document *d, const char *text, const mst_edit_options *options,
                        mst_diagnostic *why) {
    mst_operations *all = NULL;
    size_t count;
    mst_status status = mst_operations_read(&all, text, strlen(text), 1, NULL, why);
    const mst_operation *items = mst_operations_all(all, &count);
    if (status == MST_OK)
        status = mst_edit(d, items, count, options, why);
    mst_operations_free(all);
    return status;
}

/* Values in the form that users write. */
static void additions(void **state) {
    static const struct {
        const char *text, *path, *json;
    } cases[] = {
        {"add location name=Hub origin=1,2,3", "objects[11].properties[name=origin].value", "[1,2,3]"},
        {"add location name=Hub origin=1,2,3", "objects[11].properties[name=name].value", "[\"Hub\"]"},
        {"add location name=Hub", "objects[11].class_name", "\"location\""},
        {"add location name=Hub", "objects[11].group", "7"}, /* like the first one */
        {"add location name=\"Red Hub\"   origin=[1, 2, 3]", "objects[11].properties[name=name].value",
         "[\"Red Hub\"]"},
        {"add location name=A origin=100in,0,-10in", "objects[11].properties[name=origin].value",
         "[2.54,0,-0.254]"},
        {"add light_spot name=5 enabled=true intensity=2", "objects[11].properties[name=name].value",
         "[\"5\"]"},
        {"add location name=5", "objects[11].properties[name=name].value", "[\"5\"]"},
        {"add location name=true", "objects[11].properties[name=name].value", "[\"true\"]"},
        {"add light_spot name=5 enabled=true intensity=2", "objects[11].properties[name=enabled].value",
         "[true]"},
        {"add light_spot name=5 enabled=true intensity=2", "objects[11].properties[name=intensity].value",
         "[2]"},
        {"add some_class", "objects[11].properties[0].value", "[0,0,0]"},
        {"add location name=A\nadd power_point\nadd location name=Last",
         "objects[13].properties[name=name].value", "[\"Last\"]"},
        {"remove objects[0]\nadd location name=A", "objects[10].class_name", "\"location\""},
        {"add location name=A\nremove objects[0]\nadd power_point", "objects[11].class_name",
         "\"power_point\""},
        {"add location name=A\nadd layers name=Third id=9", "layers[2].name", "\"Third\""},
        {"add layers name=5 id=9 visible=true", "layers[2].name", "\"5\""},
        {"add layers name=a,b id=9 color=1,2,3,4 visible=true", "layers[2].name", "\"a,b\""},
        {"add layers name=x id=9 color=[1,2,3,4]", "layers[2].color", "[1,2,3,4]"},
        {"add layer name=x", "layers[2].name", "\"x\""},
        {"add layer name=x", "layers[2].visible", "true"},
        {"add face positions=[[8, 0, 0], [0, 0, 0], [4, 0, -9]] material=materials/b.material",
         "mesh.faces[3].material", "1"},
        {"add group name=x", "groups[1].color", "[255,255,255,0]"},
        {"add object class_name=location name=x", "objects[11].properties[name=name].value", "[\"x\"]"},
        {"add objects[0].properties name=waitDelay type=time value=[2]", "objects[0].properties[3].value",
         "[2]"},
        {"add mesh.faces positions=[[8, 0, 0], [0, 0, 0], [4, 0, -9]] material=materials/b.material",
         "mesh.faces[3].material", "1"},
        {"{\"op\":\"add\",\"path\":\"location\",\"new\":{\"name\":\"Hub\",\"origin\":[1,2,3]}}",
         "objects[11].properties[name=origin].value", "[1,2,3]"},
        {"{\"op\":\"add\",\"path\":\"power_point\"}", "objects[11].class_name", "\"power_point\""},
        {"{\"op\":\"add\",\"path\":\"mesh.materials\",\"new\":\"materials/c.material\"}", "mesh.materials[2]",
         "\"materials/c.material\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_diagnostic why;
        mst_document *d = level_of((level_plan){0});
        MUST(apply(d, cases[i].text, NULL, &why), &why);
        assert_json_at(d, cases[i].path, cases[i].json);
        mst_close(d);
    }
}

/* Layers and groups without a given id get one that no other has. */
static void own_ids(void **state) {
    (void)state;
    static const char *const lists[] = {"layers", "groups"};
    for (int l = 0; l < 2; l++) {
        mst_diagnostic why;
        char text[80], path[40];
        mst_document *d = level_of((level_plan){0});
        uint64_t before = count_at(d, lists[l]);
        snprintf(text, sizeof text, "add %s name=A\nadd %s name=B\nadd %s name=B", lists[l], lists[l],
                 lists[l]);
        MUST(apply(d, text, NULL, &why), &why);
        assert_int_equal(count_at(d, lists[l]), before + 3);
        int64_t ids[40];
        assert_true(before + 3 < 40);
        for (unsigned i = 0; i < before + 3; i++) {
            snprintf(path, sizeof path, "%s[%u].id", lists[l], i);
            ids[i] = number_at(d, path);
            for (unsigned k = 0; k < i; k++)
                assert_int_not_equal(ids[i], ids[k]);
        }
        mst_close(d);
    }
}

static void wrong_additions(void **state) {
    static const struct {
        const char *text;
        mst_status status;
    } cases[] = {
        {"add location name", MST_ARGUMENT},
        {"add location =5", MST_ARGUMENT},
        {"add location origin=1,2,3", MST_ARGUMENT}, /* the game needs its name */
        {"add mesh.materials", MST_ARGUMENT},
        {"add mesh.materials name=x", MST_ARGUMENT},
        {"add mesh.vertices wrong=1", MST_ARGUMENT},
        {"add layers[0] name=x", MST_OK},
        {"add mesh.faces positions=[[0, 0, 0]] material=x", MST_ARGUMENT},
    };
    (void)state;
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_document *d = level_of((level_plan){0});
        assert_int_equal(apply(d, cases[i].text, NULL, &why), cases[i].status);
        assert_int_equal(mst_is_edited(d), cases[i].status == MST_OK);
        mst_close(d);
    }
    mst_document *d = level_of((level_plan){0});
    mst_operation one = {.kind = MST_OPERATION_ADD, .path = "power_point"};
    MUST(mst_edit(d, &one, 1, NULL, &why), &why);
    one.path = NULL;
    assert_int_equal(mst_edit(d, &one, 1, NULL, &why), MST_ARGUMENT);
    mst_close(d);
}

/* A schema states the initial values of entities: ancestors first, later definitions of a name win. */
static void as_in_a_schema(void **state) {
    static const char schema[] =
        "<classes><class name=\"base\"><parameter name=\"scale\" type=\"vector\" default=\"1, 2.5 ,1\"/>"
        "<parameter name=\"enabled\" type=\"boolean\" default=\"true\"/></class>"
        "<class name=\"lamp\"><parent>base</parent><parent>elsewhere</parent>"
        "<parameter name=\"outerAngle\" type=\"angle\" default=\"180\"/>"
        "<parameter name=\"name\" type=\"string\" default=\"x, y\"/>"
        "<parameter name=\"mode\" type=\"choice\" default=\"2.5\"/><parameter name=\"odd\" type=\"what\"/>"
        "<parameter name=\"color\" type=\"color\" default=\"red\"/>"
        "<parameter name=\"enabled\" type=\"boolean\" default=\"false\"/></class>"
        "<class name=\"loop\"><parent>loop</parent><parameter name=\"distance\" type=\"distance\" "
        "default=\"2.0\"/></class></classes>";
    static const char *const values[][2] = {
        {"scale", "[1,2.5,1]"}, {"enabled", "[false]"}, {"outerAngle", "[3.1415927]"},
        {"name", "[\"Hall\"]"}, {"mode", "[2]"},        {"color", "[0,0,0]"}};
    (void)state;
    mst_diagnostic why;
    mst_check_options checks = {.size = sizeof checks, .schema = schema, .schema_size = sizeof schema - 1};
    mst_edit_options options = {.size = sizeof options, .checks = &checks};
    mst_document *d = level_of((level_plan){0});
    mst_status status = apply(d, "add lamp name=Hall origin=1,2,3", &options, &why);
    if (status == MST_UNSUPPORTED) { /* built without XML */
        mst_close(d);
        skip();
    }
    MUST(status, &why);
    assert_int_equal(count_at(d, "objects[11].properties"), 8);
    assert_json_at(d, "objects[11].properties[0].value", "[1,2,3]");
    for (unsigned i = 0; i < 6; i++) {
        char path[80], name[40];
        snprintf(path, sizeof path, "objects[11].properties[%u].name", i + 2);
        snprintf(name, sizeof name, "\"%s\"", values[i][0]);
        assert_json_at(d, path, name);
        snprintf(path, sizeof path, "objects[11].properties[%u].value", i + 2);
        assert_json_at(d, path, values[i][1]);
    }
    MUST(apply(d, "add loop\nadd location name=Hub", &options, &why), &why);
    assert_json_at(d, "objects[12].properties[name=distance].value", "[2]");
    assert_json_at(d, "objects[13].group", "7"); /* of no class of the schema: like another one */
    MUST(apply(d, "add layers name=lamp id=9", &options, &why), &why);
    checks.schema = "<classes>";
    checks.schema_size = 9;
    assert_int_equal(apply(d, "add lamp", &options, &why), MST_ARGUMENT);
    mst_close(d);
}

static void memory_that_does_not_last(void **state) {
    static const char *const cases[][2] = {
        {"objects[11]",
         "{\"class_name\": \"location\", \"properties\": {\"name\": \"Annex\", \"intensity\": 3}}"},
        {"mesh.faces[3]", "{\"positions\": [[8, 0, 0], [0, 0, 0], [4, 0, -9]], \"material\": \"new\"}"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        level_plan plan = {0};
        write_level(&w, &plan);
        for (size_t fail_at = 1, failed = 1; failed; fail_at += sample_step()) {
            counted memory = {0};
            mst_open_options how = {.size = sizeof how, .allocator = counted_allocator(&memory)};
            mst_document *d;
            mst_diagnostic why;
            MUST(mst_open_memory(w.data, w.size, &how, &d, &why), &why);
            memory.calls = 0;
            memory.fail_at = fail_at;
            mst_status status = insert(d, cases[i][0], cases[i][1], &why);
            failed = memory.failed;
            memory.fail_at = 0;
            assert_true(status == MST_OK || (failed && status == MST_NO_MEMORY));
            mst_close(d);
            assert_int_equal(memory.blocks, 0);
        }
        writer_free(&w);
    }
}

int test_adding(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_others),
        cmocka_unit_test(like_none),
        cmocka_unit_test(own_and_wrong),
        cmocka_unit_test(zeros),
        cmocka_unit_test(faces_by_positions),
        cmocka_unit_test(faces_with_holes),
        cmocka_unit_test(faces_together),
        cmocka_unit_test(faces_in_place),
        cmocka_unit_test(faces_keep_what_they_have),
        cmocka_unit_test(faces_with_labels),
        cmocka_unit_test(wrong_faces),
        cmocka_unit_test(additions),
        cmocka_unit_test(own_ids),
        cmocka_unit_test(wrong_additions),
        cmocka_unit_test(as_in_a_schema),
        cmocka_unit_test(memory_that_does_not_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
