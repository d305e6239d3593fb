/* SPDX-License-Identifier: MIT */
/* Findings of checks in levels of Natural Selection 2, by code. */
#include "ns2_documents.h"
#include "ns2_level.h"

/* ---- findings ---------------------------------------------------------------------------------- */

static const char schema[] =
    "<?xml version=\"1.0\"?>\n"
    "<editor_setup>\n"
    "<class name=\"thing\"><parameter name=\"enabled\" type=\"boolean\"/>"
    "<parameter name=\"output1\" type=\"string\"/></class>\n"
    "<class name=\"logic_timer\" parent=\"thing\">\n"
    "<parameter name=\"volume\" type=\"real\"/><parameter name=\"scale\" type=\"vector\"/>"
    "<parameter name=\"count\" type=\"integer\"/><parameter name=\"model\" type=\"file\"/>"
    "<parameter name=\"color\" type=\"color\"/><parameter name=\"tint\" type=\"color\"/>"
    "<parameter name=\"share\" type=\"percentage\"/>"
    "<parameter name=\"outerAngle\" type=\"angle\"/>"
    "<parameter name=\"waitDelay\" type=\"time\"/>"
    "<parameter name=\"distance\" type=\"distance\"/>\n"
    "<parameter name=\"team\" type=\"choice\"><choice value=\"1\" name=\"A\"/>"
    "<choice value=\"2\" name=\"B\"/></parameter>\n"
    "</class>\n"
    "<class name=\"location\"><parameter name=\"name\" type=\"string\"/></class>\n"
    "<class name=\"ns2_gamerules\"/><class name=\"light_point\"/>"
    "<class name=\"power_point\"/><class name=\"resource_point\"/>"
    "<class name=\"tech_point\"/>\n"
    "</editor_setup>\n";

typedef struct code_case {
    const char *code, *path, *expected, *found;
    level_plan plan;
    const char *patch; /* the mark where `value` is written, `delta` after it; width 0: `text` is written */
    int delta;
    unsigned width;
    uint32_t value;
    const char *text;
    const char *second; /* another mark that gets the same value */
    const char *where;  /* the mark where the finding is; NULL: `patch`; "": no offset */
    int where_delta;
    size_t length; /* 0: not checked */
    size_t count;  /* findings of that code; 0: one */
    bool schema;
    enum { WARNS, FAILS, INFORMS } severity;
} code_case;

#define PATCH(mark, n)         .patch = (mark), .width = 4, .value = (n), .length = 4
#define PATCH_TEXT(mark, d, t) .patch = (mark), .delta = (d), .text = (t)

static const code_case code_cases[] = {
    {"NS2-TRIANGLE-VERTEX", "mesh.triangles.faces[1][0].vertices[1]", "below 12", "12",
     PATCH("mesh.triangles.faces[1][0].vertices[1]", 12)},
    {"NS2-NONFINITE", "mesh.vertices[0].position[1]", "a finite number", "infinity",
     PATCH("mesh.vertices[0].position[1]", 0x7F800000)},
    {"NS2-NONFINITE", "objects[0].properties[0].value[2]", "a finite number", "NaN",
     PATCH("objects[0].properties[0].value[2]", 0xFFC00000)},
    {"NS2-NONFINITE", "mesh.faces[1].angle", "a finite number", "-infinity",
     PATCH("mesh.faces[1].angle", 0xFF800000)},
    {"NS2-NONFINITE", "mesh.triangles.ghost_vertices[0][1]", "a finite number", "NaN",
     PATCH("mesh.triangles.ghost_vertices[0][1]", 0x7F812345)},
    {"NS2-MAPPING-GROUP", "mesh.faces[1].mapping_group",
     "no reference, as `mapping_groups` is empty, or none", "4294967231",
     PATCH("mesh.faces[1].mapping_group", 0xFFFFFFBF)},
    {"NS2-LOOP-OPEN", "mesh.faces[2].loops[0][1]", "an edge from vertex 9", "one from vertex 10",
     .patch = "mesh.faces[2].loops[0][1].flipped", .width = 4, .value = 1,
     .where = "mesh.faces[2].loops[0][0].flipped", .where_delta = -4, .length = 28, .count = 2},
    {"NS2-DUPLICATE-PROPERTY", "objects[0].properties[1].name", "", "\"origin\"",
     PATCH_TEXT("objects[0].properties[1].name", 4, "origin"), .length = 10},
    /* half of 8 m by the 4 m from y -4 to -8 */
    {"NS2-FACE-EMPTY", "mesh.triangles.faces[2]", "", "an area of 16 m2", .plan = {.empty_face = true},
     .where = "mesh.triangles.faces[2]", .length = 4},
    {"NS2-EDGE-LOOSE", "mesh.edges[13]", "", "", .plan = {.loose_edge = true}, .where = "mesh.edges[13]",
     .length = 9, .severity = INFORMS},
    {"NS2-VERTEX-LOOSE", "mesh.vertices[11]", "", "", .plan = {.loose_vertex = true},
     .where = "mesh.vertices[11]", .length = 13, .severity = INFORMS},
    {"NS2-EDGE-NONMANIFOLD", "mesh.edges[0]", "", "", .plan = {.third_face = true}, .where = "mesh.edges[0]",
     .length = 9, .severity = INFORMS},
    {"NS2-MATERIAL-ORDER", "mesh.faces[0].material", "at most 0", "1", PATCH("mesh.faces[0].material", 1)},
    {"NS2-MATERIAL-ORDER", "mesh.materials[2]", "", "", .plan = {.unused_material = true},
     .where = "mesh.materials[2]", .length = 24},
    {"NS2-MATERIAL-INDEX", "mesh.faces[2].material", "below 2", "9", PATCH("mesh.faces[2].material", 9)},
    {"NS2-EDGE-INDEX", "mesh.faces[1].loops[0][0].edge", "below 13", "999",
     PATCH("mesh.faces[1].loops[0][0].edge", 999)},
    {"NS2-EDGE-VERTEX", "mesh.edges[8].vertices[1]", "below 11", "999",
     PATCH("mesh.edges[8].vertices[1]", 999), .second = "mesh.edges[9].vertices[0]", .count = 2},
    {"NS2-GROUP-UNKNOWN", "objects[0].group", "the id of one of 1 groups, or none", "99",
     PATCH("objects[0].group", 99)},
    {"NS2-GROUP-UNKNOWN", "mesh.geometry_groups.edge_groups[0].id", "the id of one of 1 groups", "8",
     PATCH("mesh.geometry_groups.edge_groups[0].id", 8)},
    {"NS2-LAYER-UNKNOWN", "objects[0].layer_masks[0]", "the id of one of 2 layers", "9",
     PATCH("objects[0].layer_masks[0]", 1 << 9)},
    {"NS2-LAYER-UNKNOWN", "mesh.face_layers.faces[0].layer_masks[1]", "the id of one of 2 layers", "32",
     PATCH("mesh.face_layers.faces[0].layer_masks[1]", 1)},
    {"NS2-LAYER-INDEX", "objects[0].layer_mask", "below 2", "2", .plan = {.version = 4},
     .patch = "objects[0].layer_mask", .width = 4, .value = 4, .length = 8},
    {"NS2-LAYER-INDEX", "mesh.face_layers.masks[1]", "below 2", "31", .plan = {.version = 4},
     .patch = "mesh.face_layers.masks[1]", .width = 4, .value = 0x80000000, .length = 8},
    {"NS2-GROUP-NAME", "groups[0].name", "\"CollisionGeometry\"", "\"collisionGeometry\"",
     PATCH_TEXT("groups[0].name", 4, "c"), .length = 38},
    {"NS2-OUTPUT-TARGET", "objects[1].properties[2].value", "", "\"tub\"",
     PATCH_TEXT("objects[1].properties[2].value[0]", 4, "t"), .length = 10},
    {"NS2-PROPERTY-TYPE", "objects[1].properties[4].type", "0..10", "11",
     PATCH("objects[1].properties[4].type", 11)},
    {"NS2-PROPERTY-COMPONENTS", "objects[1].properties[6].value", "1", "2", .plan = {.two_integers = true},
     .where = "objects[1].properties[6].value", .length = 8},
    {"NS2-ANIMATED", "objects[1].properties[4].animated", "", "1",
     PATCH("objects[1].properties[4].animated", 1)},
    {"NS2-CHUNK-UNKNOWN", "unknown_chunks[0]", "", "99", .plan = {.chunk_in_level = true},
     .where = "unknown_chunks[0]", .length = 13},
    {"NS2-CHUNK-UNKNOWN", "mesh.unknown_chunks[0]", "", "77", .plan = {.chunk_in_mesh = true},
     .where = "mesh.unknown_chunks[0]", .length = 11},
    {"NS2-CHUNK-UNKNOWN", "editor_settings[0].unknown_chunks[0]", "", "9",
     .plan = {.chunk_in_settings = true}, .where = "editor_settings[0].unknown_chunks[0]", .length = 9},
    {"NS2-CHUNK-TWICE", "unknown_chunks[0]", "", "3", .plan = {.second_layers = true},
     .where = "unknown_chunks[0]", .length = 12},
    {"NS2-CHUNK-TWICE", "mesh.unknown_chunks[0]", "", "4", .plan = {.chunk_in_mesh = true},
     .patch = "mesh.unknown_chunks[0]", .width = 4, .value = 4, .length = 11},
    {"NS2-CHUNK-TWICE", "editor_settings[0].unknown_chunks[0]", "", "0", .plan = {.chunk_in_settings = true},
     .patch = "editor_settings[0].unknown_chunks[0]", .width = 4, .value = 0, .length = 9},
    {"NS2-CHUNK-UNKNOWN", "objects[0].properties[1]", "", "1", .patch = "objects[0].properties[1].name",
     .delta = -8, .width = 4, .value = 1, .where = "objects[0].properties[1].name", .where_delta = -8,
     .length = 42},
    {"NS2-CHUNK-UNKNOWN", "editor_settings[0]", "", "9", .patch = "editor_settings[0].layers.name",
     .delta = -16, .width = 4, .value = 9, .where_delta = -16},
    {"NS2-ANIMATED", "editor_settings[0].properties[1].animated", "", "7",
     PATCH("editor_settings[0].properties[1].animated", 7)},
    {"NS2-PROPERTY-COMPONENTS", "editor_settings[0].properties[0].value", "1", "2", .count = 1,
     .plan = {.two_in_settings = true}, .where = "editor_settings[0].properties[0].value", .length = 8},
    {"NS2-TAIL", "objects[1].properties[7].data", "nothing", "2 bytes",
     .patch = "objects[1].properties[7].value[0]", .width = 4, .value = 13, /* of 14 letters */
     .where_delta = 4 + 26, .length = 2},
    {"NS2-TAIL", "editor_settings[0].properties[1].data", "nothing", "3 bytes",
     .plan = {.tail_in_settings = true}, .where = "editor_settings[0].properties[1].data", .length = 3},
    {"NS2-LAYER-FORMAT", "objects[0].layer_format", "2", "3", PATCH("objects[0].layer_format", 3)},
    {"NS2-LAYER-FORMAT", "mesh.face_layers.format", "2", "0", .patch = "mesh.face_layers.face_count",
     .delta = 4, .width = 4, .value = 0, .where_delta = 4, .length = 4},
    {"NS2-TRIANGLE-COUNT", "mesh.triangles.triangle_count", "10", "11",
     PATCH("mesh.triangles.triangle_count", 11)},
    {"NS2-TRIANGLES-MISSING", "mesh.triangles.face_count", "3 faces", "4",
     .plan = {.triangles_without_face = true}, .where = "mesh.triangles.face_count", .length = 4,
     .severity = FAILS},
    {"NS2-TRIANGLES-MISSING", "mesh", "3 faces", "0", .plan = {.no_triangles = true}, .where = "mesh",
     .severity = FAILS},
    {"NS2-MESH-COUNT", "unknown_chunks[0]", "", "2", .plan = {.second_mesh = true},
     .where = "unknown_chunks[0]", .length = 8, .severity = FAILS},
    {"NS2-FACE-LAYERS", "mesh.face_layers", "3 faces", "2", .plan = {.few_face_layers = true},
     .where = "mesh.face_layers.face_count", .severity = FAILS},
    {"NS2-FACE-LAYERS", "mesh.face_layers", "3 faces", "2", .plan = {.version = 4, .few_face_layers = true},
     .where = "mesh.face_layers.masks[0]", .length = 16, .severity = FAILS},
    {"NS2-GROUP-INDEX", "mesh.geometry_groups.vertex_groups[0].indices[1]", "below 11", "11",
     PATCH("mesh.geometry_groups.vertex_groups[0].indices[1]", 11), .severity = FAILS},
    {"NS2-GROUP-INDEX", "mesh.geometry_groups.edge_groups[0].indices[2]", "below 13", "4294967295",
     PATCH("mesh.geometry_groups.edge_groups[0].indices[2]", 0xFFFFFFFF), .severity = FAILS},
    {"NS2-GROUP-INDEX", "mesh.geometry_groups.face_groups[0].indices[0]", "below 3", "3",
     PATCH("mesh.geometry_groups.face_groups[0].indices[0]", 3), .severity = FAILS},
    {"NS2-GROUP-TWICE", "mesh.geometry_groups.vertex_groups[0].indices[3]", "", "1",
     PATCH("mesh.geometry_groups.vertex_groups[0].indices[3]", 1)},
    {"NS2-GROUP-TWICE", "mesh.geometry_groups.edge_groups[0].indices[1]", "", "0",
     PATCH("mesh.geometry_groups.edge_groups[0].indices[1]", 0)},
    {"NS2-ID-TWICE", "groups[1].id", "a unique id", "7, the id of groups[0]", .plan = {.twin_ids = true},
     .where = "groups[1].id", .length = 4, .count = 2, .severity = FAILS},
    {"NS2-ID-TWICE", "layers[2].id", "a unique id", "3, the id of layers[1]", .plan = {.twin_ids = true},
     .patch = "groups[1].id", .width = 4, .value = 8, .where = "layers[2].id", .length = 4,
     .severity = FAILS},
    {"NS2-MAPPING-TWICE", "mesh.mapping_groups[1].id", "a unique id", "1, the id of mapping_groups[0]",
     .plan = {.twin_mappings = true}, .where = "mesh.mapping_groups[1].id", .length = 4},
    {"NS2-LAYER-ID", "layers[2].id", "below 256", "256", .plan = {.twin_ids = true}, .patch = "layers[2].id",
     .second = "groups[1].id", .width = 4, .value = 256, .where = "layers[2].id", .length = 4},
    {"NS2-TRIANGLE-FACE", "mesh.triangles.faces[1][0].vertices[2]", "",
     "vertex 5, 0.48507124 m off the face's plane", PATCH("mesh.triangles.faces[1][0].vertices[2]", 5)},
    {"NS2-TRIANGLE-FACE", "mesh.triangles.faces[0][7].vertices[2]", "",
     "vertex 11, outside the face's border", PATCH("mesh.triangles.ghost_vertices[0][0]", 0xBF800000),
     .where = "mesh.triangles.faces[0][7].vertices[2]"}, /* x is -1 */
    {"NS2-TEXTURE-SCALE", "mesh.faces[1].scale[0]", "", "", PATCH("mesh.faces[1].scale[0]", 0)},
    {"NS2-TEXTURE-SCALE", "mesh.faces[2].scale[1]", "", "", PATCH("mesh.faces[2].scale[1]", 0x80000000)},
    {"NS2-MATERIAL-TWICE", "mesh.materials[1]", "", "\"materials/a.material\"",
     PATCH_TEXT("mesh.materials[1]", 14, "a"), .length = 24},
    {"NS2-BOOL", "layers[0].visible", "0 or 1", "2", PATCH("layers[0].visible", 2)},
    {"NS2-BOOL", "groups[0].visible", "0 or 1", "4294967295", PATCH("groups[0].visible", 0xFFFFFFFF)},
    {"NS2-BOOL", "mesh.faces[0].loops[1][0].flipped", "0 or 1", "3",
     PATCH("mesh.faces[0].loops[1][0].flipped", 3)},
    {"NS2-BOOL", "mesh.vertices[3].smooth", "0 or 1", "2", .patch = "mesh.vertices[3].smooth", .width = 1,
     .value = 2, .length = 1},
    {"NS2-BOOL", "mesh.edges[12].smooth", "0 or 1", "255", .patch = "mesh.edges[12].smooth", .width = 1,
     .value = 255, .length = 1},
    {"NS2-BOOL", "mesh.face_layers.faces[0].has_layers", "0 or 1", "2",
     PATCH("mesh.face_layers.faces[0].has_layers", 2)},
    {"NS2-BOOL", "objects[0].has_layers", "0 or 1", "256", PATCH("objects[0].has_layers", 256)},
    {"NS2-BOOL", "objects[1].properties[3].value[0]", "0 or 1", "2",
     PATCH("objects[1].properties[3].value[0]", 2)},
    {"NS2-ORIGIN", "objects[0]", "", "\"location\"", PATCH_TEXT("objects[0].properties[0].name", 4, "O"),
     .where = "objects[0].has_layers"},
    {"NS2-ORIGIN", "objects[0].properties[0].value", "", "", .patch = "objects[0].properties[0].value[0]",
     .width = 4, .value = 0x45BB8000 /* 6000 */, .length = 12, .severity = INFORMS},
    {"NS2-EDGE-SAME", "mesh.edges[13]", "", "edges[0]", .plan = {.twin_edge = true},
     .where = "mesh.edges[13]", .length = 9, .severity = INFORMS},
    {"NS2-EDGE-SAME", "mesh.edges[13]", "", "vertex 10", .plan = {.point_edge = true},
     .where = "mesh.edges[13]", .length = 9, .severity = INFORMS},
    {"NS2-TRIANGLE-EMPTY", "mesh.triangles.faces[1][0]", "", "",
     .patch = "mesh.triangles.faces[1][0].vertices[1]", .width = 4, .value = 1,
     .where = "mesh.triangles.faces[1][0].vertices[0]", .length = 24, .severity = INFORMS},
    {"NS2-ORDER", "mesh", "", "", .plan = {.mesh_second = true}, .where = "mesh", .severity = INFORMS},
    {"NS2-ORDER", "mesh.vertices", "", "", .plan = {.materials_last = true}, .where = "mesh.vertices[0]",
     .where_delta = -4, .length = 4 + 11 * 13, .severity = INFORMS},
    {"NS2-NORMAL-INDEX", "mesh.triangles.faces[0][3].normals[2]", "below 2", "2",
     PATCH("mesh.triangles.faces[0][3].normals[2]", 2)},
    {"NS2-CLASS-UNKNOWN", "objects[1].class_name", "", "\"xogic_timer\"",
     PATCH_TEXT("objects[1].class_name", 4, "x"), .length = 15, .schema = true},
    {"NS2-PROPERTY-UNKNOWN", "objects[1].properties[4].name", "a property of logic_timer", "\"Volume\"",
     PATCH_TEXT("objects[1].properties[4].name", 4, "V"), .length = 10, .schema = true},
    {"NS2-PROPERTY-UNKNOWN", "objects[1].properties[4].type", "2 (real)", "6",
     PATCH("objects[1].properties[4].type", 6), .schema = true},
    {"NS2-CHOICE", "objects[1].properties[14].value", "", "7", PATCH("objects[1].properties[14].value[0]", 7),
     .schema = true},
    {"NS2-PLAYABLE", "objects", "at least 2 location", "1", PATCH_TEXT("objects[0].class_name", 4, "L"),
     .where = "", .severity = INFORMS},
    {"NS2-PLAYABLE", "objects", "at least 1 light", "0", PATCH_TEXT("objects[3].class_name", 4, "L"),
     .where = "", .severity = INFORMS},
};

/* 1 if the case was run, 0 if this build cannot read schemas. */
static int run_case(const code_case *c) {
    writer w = {0};
    write_level(&w, &c->plan);
    if (c->patch && c->width)
        patch(&w, c->patch, c->delta, c->width, c->value);
    if (c->second)
        patch(&w, c->second, c->delta, c->width, c->value);
    if (c->text)
        memcpy(w.data + mark_of(&w, c->patch)->offset + c->delta, c->text, strlen(c->text));
    mst_document *document = open_as(w.data, w.size, NULL, NULL);
    assert_round_trips(document);
    mst_check_options options = {.size = sizeof options, .information = 1};
    if (c->schema) {
        options.schema = schema;
        options.schema_size = sizeof schema - 1;
    }
    findings list = {0};
    mst_check_result result;
    mst_diagnostic why;
    mst_status status = mst_check(document, &options, collect, &list, &result, &why);
    if (status != MST_UNSUPPORTED) {
        MUST(status, &why);
        size_t wanted = c->count ? c->count : 1;
        if (list.count != wanted || count_code(&list, c->code) != wanted) {
            print_error("%s:\n", c->code);
            print_findings(&list);
        }
        assert_int_equal(list.count, wanted);
        assert_int_equal(count_code(&list, c->code), wanted);
        const mst_diagnostic *first = &list.items[0];
        static const mst_severity severities[] = {MST_WARNING, MST_ERROR, MST_INFORMATION};
        mst_severity severity = severities[c->severity];
        assert_int_equal(first->severity, severity);
        assert_int_equal(first->status, MST_OK);
        assert_int_equal(result.errors, severity == MST_ERROR ? wanted : 0);
        assert_int_equal(result.warnings, severity == MST_WARNING ? wanted : 0);
        assert_int_equal(result.information, severity == MST_INFORMATION ? wanted : 0);
        assert_string_equal(first->path, c->path);
        assert_string_equal(first->expected, c->expected);
        assert_string_equal(first->found, c->found);
        assert_true(first->message[0] != 0);
        const char *where = c->where ? c->where : c->patch;
        uint64_t offset =
            *where ? mark_of(&w, where)->offset + (size_t)(ptrdiff_t)c->where_delta : MST_NO_OFFSET;
        assert_int_equal(first->offset, offset);
        if (c->length)
            assert_int_equal(first->length, c->length);
        /* a path of a finding leads to a value */
        mst_value value;
        if (*where)
            MUST(mst_find(mst_root(document), first->path, &value, &why), &why);
        assert_stops(document, &options, &list);
    }
    findings_free(&list);
    mst_close(document);
    writer_free(&w);
    return status != MST_UNSUPPORTED;
}

static void every_finding(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof code_cases / sizeof *code_cases; i++)
        if (!run_case(&code_cases[i]))
            print_message("# %s: this build cannot read XML\n", code_cases[i].code);
}

static void every_code_has_a_case(void **state) {
    (void)state;
    for (size_t f = 0; f < mst_format_count(); f++) {
        const mst_format_information *format = mst_format_at(f);
        if (strncmp(format->id, "ns2-", 4) != 0)
            continue;
        size_t codes = 0;
        for (const mst_code_information *code; (code = mst_code_at(format, codes)) != NULL; codes++) {
            bool found = false;
            for (size_t i = 0; i < sizeof code_cases / sizeof *code_cases; i++)
                found = found || strcmp(code_cases[i].code, code->code) == 0;
            for (size_t i = 0; i < sizeof error_cases / sizeof *error_cases; i++)
                found = found || strcmp(error_cases[i].code, code->code) == 0;
            for (size_t i = 0; i < sizeof ns2_text_codes / sizeof *ns2_text_codes; i++)
                found = found || strcmp(ns2_text_codes[i], code->code) == 0; /* test_ns2_checks.c */
            for (size_t i = 0; i < sizeof asset_codes / sizeof *asset_codes; i++)
                found = found || strcmp(asset_codes[i], code->code) == 0;
            found = found || strcmp(code->code, "HMP-SIZE") == 0; /* test_ns2_overview.c */
            if (!found)
                print_error("%s is never tested\n", code->code);
            assert_true(found);
            assert_true(code->documentation[0] != 0);
        }
        assert_true(codes > 0);
    }
}

/* A clipboard has the data of a level, except the layers and groups, and the targets of outputs. */
static void findings_of_clipboards(void **state) {
    (void)state;
    static const char *const odd[][2] = {
        {"blocks[0].objects[1].has_layers", "NS2-BOOL"},
        {"blocks[0].objects[1].layer_format", "NS2-LAYER-FORMAT"},
        {"blocks[0].objects[1].properties[15]", "NS2-CHUNK-UNKNOWN"},
        {"blocks[0].objects[1].properties[16].type", "NS2-PROPERTY-TYPE"},
        {"blocks[0].objects[1].properties[17].animated", "NS2-ANIMATED"},
        {"blocks[0].objects[1].properties[18].data", "NS2-TAIL"},
        {"blocks[0].objects[1].properties[19].name", "NS2-DUPLICATE-PROPERTY"},
        {"blocks[0].objects[1].properties[19].data", "NS2-TAIL"},
        {"blocks[0].objects[1].properties[20].value[0]", "NS2-BOOL"},
        {"blocks[0].objects[1].properties[21].value[0]", "NS2-NONFINITE"},
        {"blocks[0].objects[1].properties[21].value[1]", "NS2-NONFINITE"},
        {"blocks[0].objects[1].properties[21].value[2]", "NS2-NONFINITE"},
        {"blocks[0].objects[1].properties[23].value", "NS2-PROPERTY-COMPONENTS"},
        {"blocks[0].objects[1].properties[24].value", "NS2-PROPERTY-COMPONENTS"},
        {"blocks[0].objects[1].properties[25].value", "NS2-PROPERTY-COMPONENTS"},
        {"blocks[0].objects[1].extras[0].data", "NS2-EXTRA-SIZE"},
        {"blocks[0].objects[2].id", "NS2-CHUNK-UNKNOWN"}, /* it is 4 */
        {"blocks[1].mesh.faces[1].mapping_group", "NS2-MAPPING-GROUP"},
        {"blocks[1].mesh.unknown_chunks[0]", "NS2-CHUNK-UNKNOWN"},
        {"blocks[2].kind", "NS2-CHUNK-UNKNOWN"},
    };
    const size_t wanted = sizeof odd / sizeof *odd;
    writer w = {0};
    write_clip_objects(&w, 0);
    size_t mesh = w.size + 10;
    write_clip_mesh(&w, 1);
    /* its last chunk becomes one of an unknown id, and a face gets a missing mapping group */
    size_t last = mesh, faces = 0;
    for (size_t at = mesh; at < w.size; at += 8 + mst_load32(w.data + at + 4, false)) {
        last = at;
        if (mst_load32(w.data + at, false) == 3)
            faces = at + 8;
    }
    assert_int_equal(mst_load32(w.data + last, false), 8);
    mst_store32(w.data + last, 80, false);
    size_t second = faces + 4 + 32 + 2 * (4 + 4 * 8); /* after a face with two loops of four edges */
    assert_int_equal(mst_load32(w.data + second + 20, false), NO_GROUP);
    mst_store32(w.data + second + 20, 5, false);
    begin_block(&w, 2, 5, 3);
    put_bytes_of(&w, "beyond", 6);
    end_length(&w);
    mst_document *document = open_as(w.data, w.size, NULL, NULL);
    findings list = {0};
    mst_diagnostic why;
    mst_check_options options = {.size = sizeof options, .information = 1};
    MUST(mst_check(document, &options, collect, &list, NULL, &why), &why);
    if (list.count != wanted)
        print_findings(&list);
    assert_int_equal(list.count, wanted);
    for (size_t i = 0; i < wanted; i++) {
        size_t found = 0;
        mst_value value;
        for (size_t k = 0; k < list.count; k++)
            if (strcmp(list.items[k].path, odd[i][0]) == 0 && strcmp(list.items[k].code, odd[i][1]) == 0) {
                uint64_t offset, length;
                MUST(mst_find(mst_root(document), odd[i][0], &value, &why), &why);
                mst_value_span(&value, &offset, &length);
                assert_int_equal(list.items[k].offset, offset);
                found++;
            }
        if (found != 1)
            print_error("%s: %s\n", odd[i][1], odd[i][0]);
        assert_int_equal(found, 1);
    }
    assert_stops(document, &options, &list);
    mst_check_options broken = {.size = sizeof broken, .schema = "<a>", .schema_size = 3};
    mst_status status = mst_check(document, &broken, NULL, NULL, NULL, &why);
    assert_true(status == MST_ARGUMENT || status == MST_UNSUPPORTED);
    findings_free(&list);
    mst_close(document);
    writer_free(&w);
}

/* The small level also satisfies the schema. */
static void schemas(void **state) {
    (void)state;
    writer w = {0};
    level_plan plan = {0};
    write_level(&w, &plan);
    mst_document *document = open_as(w.data, w.size, NULL, NULL);
    findings list = {0};
    mst_check_options options = {
        .size = sizeof options, .schema = schema, .schema_size = sizeof schema - 1, .information = 1};
    mst_diagnostic why;
    mst_status status = mst_check(document, &options, collect, &list, NULL, &why);
    if (status == MST_UNSUPPORTED) {
        mst_close(document);
        writer_free(&w);
        skip();
    }
    MUST(status, &why);
    print_findings(&list);
    assert_int_equal(list.count, 0);
    /* text that is not XML */
    static const char *const broken[] = {"", "<a>", "no", "<a></b>",
                                         "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        options.schema = broken[i];
        options.schema_size = strlen(broken[i]);
        assert_int_equal(mst_check(document, &options, collect, &list, NULL, &why), MST_ARGUMENT);
    }
    findings_free(&list);
    mst_close(document);
    writer_free(&w);
}

static mst_status stop_at_once(void *user, const mst_diagnostic *diagnostic) {
    (void)diagnostic;
    ++*(int *)user;
    return MST_STOPPED;
}

/* The status returned by the caller's function ends the check. */
static void checks_can_be_stopped(void **state) {
    (void)state;
    writer w = {0};
    level_plan plan = {.everything = true};
    write_level(&w, &plan);
    mst_document *document = open_as(w.data, w.size, NULL, NULL);
    int calls = 0;
    assert_int_equal(mst_check(document, NULL, stop_at_once, &calls, NULL, NULL), MST_STOPPED);
    assert_int_equal(calls, 1);
    /* at each of its findings; and whichever request for memory is refused */
    mst_check_options options = {
        .size = sizeof options, .information = 1, .schema = schema, .schema_size = sizeof schema - 1};
    for (int with_schema = 0; with_schema < 2; with_schema++) {
        findings list = {0};
        if (!with_schema)
            options.schema = NULL;
        else
            options.schema = schema;
        mst_status status = mst_check(document, &options, collect, &list, NULL, NULL);
        if (status == MST_UNSUPPORTED)
            continue; /* a build that cannot read XML */
        MUST(status, NULL);
        assert_true(list.count > 10);
        assert_stops(document, &options, &list);
        size_t refused = assert_refused_checks(w.data, w.size, &options, &list);
        assert_true(sample_step() > 1 || refused > (with_schema ? 10 : 0));
        findings_free(&list);
    }
    mst_close(document);
    writer_free(&w);
}

/* A file of zeros is unknown chunks from end to end: they are counted, and only some are described. */
static void chunks_are_counted(void **state) {
    (void)state;
    static const uint8_t zeros[4 + 8 * 9] = {'L', 'V', 'L', 10};
    mst_document *document = open_as(zeros, sizeof zeros, NULL, NULL);
    mst_check_options options = {.size = sizeof options, .details = 2};
    mst_check_result result;
    findings list = {0};
    MUST(mst_check(document, &options, collect, &list, &result, NULL), NULL);
    assert_int_equal(count_code(&list, "NS2-CHUNK-UNKNOWN"), 9);
    assert_int_equal(result.warnings, 9);
    for (size_t i = 0, at = 0; i < list.count; i++) {
        if (strcmp(list.items[i].code, "NS2-CHUNK-UNKNOWN") != 0)
            continue;
        assert_int_equal(list.items[i].path[0] != 0, at < 2);
        assert_true(list.items[i].offset == (at < 2 ? 4 + 8 * at : MST_NO_OFFSET));
        at++;
    }
    assert_stops(document, &options, &list);
    assert_refused_checks(zeros, sizeof zeros, &options, &list);
    findings_free(&list);
    mst_close(document);
}

int test_ns2_findings(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_finding),          cmocka_unit_test(every_code_has_a_case),
        cmocka_unit_test(findings_of_clipboards), cmocka_unit_test(schemas),
        cmocka_unit_test(checks_can_be_stopped),  cmocka_unit_test(chunks_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
