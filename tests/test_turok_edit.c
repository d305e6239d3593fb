/* SPDX-License-Identifier: MIT */
/* Consequences of edits of Turok levels: boxes of cells, empty cells, links of both sides, flags of areas,
 * filing. */
#include "turok_square.h"
#include <mapstone/edit.h>

static void change(mst_document *d, const char *path, const char *json) {
    mst_diagnostic why;
    mst_status status = mst_set(d, path, json, &why);
    if (status != MST_OK)
        print_error("%s=%s\n", path, json);
    MUST(status, &why);
}

static void add(mst_document *d, const char *path, const char *json) {
    mst_diagnostic why;
    mst_status status = mst_insert(d, path, json, &why);
    if (status != MST_OK)
        print_error("%s=%s\n", path, json);
    MUST(status, &why);
}

/* The checks implement the same rules of the same description: no finding is new. */
static void assert_clean(const mst_document *d) {
    findings list = {0};
    mst_diagnostic why;
    mst_check_options options = {.size = sizeof options};
    MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
    if (list.count)
        print_findings(&list);
    assert_int_equal(list.count, 0);
    findings_free(&list);
}

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;
static bytes bytes_of(const mst_document *d) {
    bytes made;
    const void *data = mst_document_bytes(d, &made.size);
    made.data = malloc(made.size);
    assert_non_null(made.data);
    memcpy(made.data, data, made.size);
    return made;
}

static const char mesh[] = "{\"origin\":[%d,%d,0],\"scale\":[1,1,1],\"rotation\":[0,0,0,1],"
                           "\"bounds_min\":[-5,-6,0],\"bounds_max\":[7,8,9],\"texture\":-1,\"flags\":[],"
                           "\"sector\":-1,\"collision_radius\":0,\"collision_height\":0,\"cull_bits\":-1}";
static const char *mesh_at(int x, int y) {
    static char text[400];
    snprintf(text, sizeof text, mesh, x, y);
    return text;
}

/* turok.md 8: a cell's box is the union of its meshes' boxes +- 10.24; an empty cell's box is its lattice
 * corner, and the lattice is the union of all meshes (3.8). */
static void boxes_follow(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_18, "");
        mst_diagnostic why;
        bytes old = bytes_of(d);
        add(d, "grid_sections[0].static_meshes[1]", mesh_at(200, -100));
        change(d, "grid_sections[0].models[1]", "models/b.bin");
        assert_json_at(d, "grid_bounds.minimums[0]", "[-10.24,-116.24]");
        assert_json_at(d, "grid_bounds.maximums[0]", "[217.24,110.24]");
        assert_json_at(d, "grid_bounds.minimums[1]", "[103.5,-106]");
        assert_json_at(d, "grid_bounds.maximums[1]", "[103.5,-106]");
        assert_clean(d);
        change(d, "grid_sections[0].static_meshes[1].origin[0]", "300");
        assert_json_at(d, "grid_bounds.maximums[0]", "[317.24,110.24]");
        assert_json_at(d, "grid_bounds.minimums[1]", "[153.5,-106]");
        assert_clean(d);
        MUST(mst_remove(d, "grid_sections[0].static_meshes[1]", &why), &why);
        assert_same_bytes(d, old.data, old.size);
        /* changes unrelated to boxes change none */
        change(d, "grid_sections[0].static_meshes[0].origin[2]", "300");
        change(d, "grid_sections[0].static_meshes[0].origin[2]", "0");
        assert_same_bytes(d, old.data, old.size);
        free(old.data);
        mst_close(d);
    }
}

/* An empty cell has no lists: they appear with the first mesh and are removed with the last (turok.md 5). */
static void empty_cells_follow(void **state) {
    (void)state;
    mst_document *d = make(false, stride_18, "");
    mst_diagnostic why;
    bytes old = bytes_of(d);
    add(d, "grid_sections[1].static_meshes[0]", mesh_at(90, 50));
    change(d, "grid_sections[1].models[0]", "models/b.bin");
    assert_json_at(d, "grid_bounds.minimums", "[[-10.24,-10.24],[74.76,33.76]]");
    assert_json_at(d, "grid_bounds.maximums", "[[110.24,110.24],[107.24,68.24]]");
    assert_clean(d);
    MUST(mst_remove(d, "grid_sections[1].static_meshes[0]", &why), &why);
    assert_same_bytes(d, old.data, old.size);
    MUST(mst_remove(d, "grid_sections[0].static_meshes[0]", &why), &why);
    assert_json_at(d, "grid_sections", "[{},{}]");
    assert_json_at(d, "grid_bounds.minimums[0]", "[-10.24,-10.24]"); /* there is no lattice left */
    assert_int_equal(mst_insert(d, "grid_sections[1].static_meshes[1]", mesh_at(0, 0), &why), MST_NO_PATH);
    assert_int_equal(mst_insert(d, "grid_sections[1].statues[0]", mesh_at(0, 0), &why), MST_NO_PATH);
    assert_int_equal(mst_insert(d, "grid_sections[2].static_meshes[0]", mesh_at(0, 0), &why), MST_NO_PATH);
    assert_round_trips(d);
    free(old.data);
    mst_close(d);
}

/* A box that was larger than its meshes only grows; one that the same edit sets is kept. */
static void other_boxes_stay(void **state) {
    (void)state;
    mst_document *d = make(false, stride_18, "");
    mst_diagnostic why;
    change(d, "grid_bounds.minimums[0]", "[-500,-500]");
    change(d, "grid_bounds.maximums[1]", "[77,77]");
    add(d, "grid_sections[0].static_meshes[1]", mesh_at(-100, 50));
    assert_json_at(d, "grid_bounds.minimums[0]", "[-500,-500]");
    MUST(mst_remove(d, "grid_sections[0].static_meshes[1]", &why), &why);
    add(d, "grid_sections[0].static_meshes[1]", mesh_at(-1000, 50));
    assert_json_at(d, "grid_bounds.minimums[0]", "[-1015.24,-500]");
    assert_json_at(d, "grid_bounds.maximums[1]", "[77,77]");
    const mst_operation both[] = {
        {.kind = MST_OPERATION_SET,
         .path = "grid_sections[0].static_meshes[1].origin",
         .value = "[2000,0,0]"},
        {.kind = MST_OPERATION_SET, .path = "grid_bounds.maximums[0]", .value = "[3,4]"}};
    MUST(mst_edit(d, both, 2, NULL, &why), &why);
    assert_json_at(d, "grid_bounds.maximums[0]", "[3,4]");
    /* nowhere */
    change(d, "grid_sections[0].static_meshes[1].origin[0]", "\"NaN\"");
    change(d, "grid_sections[0].static_meshes[1].origin[0]", "\"Infinity\"");
    /* a grid whose parts contradict each other is left alone */
    change(d, "grid_bounds.size", "[3,1]");
    change(d, "grid_sections[0].static_meshes[1].origin[0]", "1");
    change(d, "grid_bounds.size", "[2]");
    change(d, "grid_sections[0].static_meshes[1].origin[0]", "2");
    assert_int_equal(mst_update_grid(d, &why), MST_REFUSED);
    mst_close(d);
}

/* turok.md 3.8: meshes are filed by their origin; moving one keeps the filing unless refiling is
 * requested. */
static void refiling(void **state) {
    (void)state;
    mst_document *d =
        make(false, stride_18, ",\"visibility\":{\"stride\":1,\"row_count\":2,\"rows\":\"0000\"}");
    mst_diagnostic why;
    bytes old = bytes_of(d);
    MUST(mst_update_grid(d, &why), &why); /* all are in their places */
    assert_same_bytes(d, old.data, old.size);
    change(d, "grid_sections[0].static_meshes[0].origin", "[60,50,0]");
    assert_clean(d);
    assert_json_at(d, "visibility.row_count", "2");
    change(d, "grid_bounds.minimums[1]", "[1,1]");
    add(d, "grid_sections[0].static_meshes[0]", mesh_at(500, 50));
    change(d, "grid_sections[0].models[0]", "models/b.bin");
    add(d, "grid_sections[0].static_meshes[0]", mesh_at(450, 50));
    change(d, "grid_sections[0].models[0]", "models/c.bin");
    MUST(mst_update_grid(d, &why), &why);
    assert_json_at(d, "grid_sections[0].models", "[\"models/tree01.bin\"]");
    assert_json_at(d, "grid_sections[1].models", "[\"models/c.bin\",\"models/b.bin\"]");
    assert_json_at(d, "grid_sections[1].static_meshes[1].origin", "[500,50,0]");
    assert_json_at(d, "grid_bounds.minimums", "[[29.76,-10.24],[434.76,33.76]]");
    mst_value value;
    assert_int_equal(mst_find(mst_root(d), "visibility", &value, NULL), MST_NO_PATH);
    assert_clean(d);
    bytes again = bytes_of(d);
    MUST(mst_update_grid(d, &why), &why);
    assert_same_bytes(d, again.data, again.size);
    /* in one cell, the existing ones come first; a cell with one path too few is not touched */
    change(d, "grid_sections[0].static_meshes[0].origin", "[460,50,0]");
    change(d, "grid_sections[1].static_meshes[0].origin", "[1,50,0]");
    MUST(mst_update_grid(d, &why), &why);
    assert_json_at(d, "grid_sections[0].models", "[\"models/c.bin\"]");
    assert_json_at(d, "grid_sections[1].models", "[\"models/b.bin\",\"models/tree01.bin\"]");
    change(d, "grid_sections[1].models", "[\"models/b.bin\"]");
    assert_int_equal(mst_update_grid(d, &why), MST_REFUSED);
    free(again.data);
    free(old.data);
    mst_close(d);
}

/* turok.md 8: a new sector is linked from both sides, by the rule of 3.7. */
static void links_of_both_sides(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_18, "");
        mst_diagnostic why;
        add(d, "collision.vertices[4]", "{\"position\":[200,0,0],\"ceiling\":0}");
        /* beyond the edge between vertices 1 and 2: link 2 of sector 0 (v2-v1) */
        add(d, "collision.sectors[2]",
            "{\"sector_set\":0,\"flags\":[],\"vertices\":[1,4,2],\"links\":[65535,65535,65535],\"draw_"
            "order\":0}");
        assert_json_at(d, "collision.sectors[0].links", "[1,65535,2]");
        assert_json_at(d, "collision.sectors[2].links", "[0,65535,65535]");
        assert_clean(d);
        /* a copy is not adjacent to anything, and a given link is kept */
        add(d, "collision.sectors[3]",
            "{\"sector_set\":0,\"flags\":[],\"vertices\":[1,4,2],\"links\":[1,65535,65535],\"draw_order\":"
            "0}");
        assert_json_at(d, "collision.sectors[2].links", "[0,65535,65535]");
        assert_json_at(d, "collision.sectors[3].links", "[1,65535,65535]");
        MUST(mst_remove(d, "collision.sectors[3]", &why), &why);
        mst_operation one = {.kind = MST_OPERATION_REMOVE, .path = "collision.sectors[2]"};
        mst_edit_options options = {.size = sizeof options, .cascade = 1, .keep_loose = 1};
        assert_int_equal(mst_edit(d, &one, 1, NULL, &why), MST_REFUSED);
        MUST(mst_edit(d, &one, 1, &options, &why), &why);
        assert_json_at(d, "collision.sectors[0].links", "[1,65535,65535]");
        add(d, "collision.sectors[2]",
            "{\"sector_set\":0,\"flags\":[],\"vertices\":[1,4,2],\"links\":[1,65535,65535],\"draw_order\":"
            "0}");
        assert_json_at(d, "collision.sectors[0].links", "[1,65535,65535]");
        mst_close(d);
    }
}

/* turok.md 8: sectors have the lower 16 flags of their area, and keep their higher ones. */
static void flags_of_areas(void **state) {
    (void)state;
    mst_document *d = make(false, stride_18, "");
    mst_diagnostic why;
    change(d, "collision.sectors[1].flags", "[\"cliff\"]");
    change(d, "collision.sector_sets[0].flags", "[\"water\",\"event\"]");
    assert_json_at(d, "collision.sectors[0].flags", "[\"water\"]");
    assert_json_at(d, "collision.sectors[1].flags", "[\"water\",\"cliff\"]");
    change(d, "collision.sector_sets[0].flags", "[\"climb\"]");
    assert_json_at(d, "collision.sectors[0].flags", "[\"climb\"]");
    assert_json_at(d, "collision.sectors[1].flags", "[\"cliff\",\"climb\"]");
    change(d, "collision.sectors[1].sector_set", "7");
    change(d, "collision.sector_sets[0].flags", "[]");
    assert_json_at(d, "collision.sectors[1].flags", "[\"cliff\",\"climb\"]");
    assert_json_at(d, "collision.sectors[0].flags", "[]");
    mst_value set;
    mst_buffer copy = {0};
    MUST(mst_find(mst_root(d), "collision.sector_sets[0]", &set, &why), &why);
    MUST(mst_write_json(&set, NULL, mst_buffer_sink(&copy), &why), &why);
    copy.data[copy.size - 1] = 0;
    add(d, "collision.sector_sets[1]", (const char *)copy.data);
    mst_buffer_free(&copy);
    MUST(mst_remove(d, "collision.sector_sets[1]", &why), &why);
    mst_close(d);
}

/* turok.md 3.2: without sectors their size is kept, as it determines the rule for links. */
static void sectors_of_16_bytes(void **state) {
    (void)state;
    mst_document *d = make(false, stride_16, "");
    mst_diagnostic why;
    mst_operation both[] = {{.kind = MST_OPERATION_REMOVE, .path = "collision.sectors[0]"},
                            {.kind = MST_OPERATION_REMOVE, .path = "collision.sectors[0]"}};
    mst_edit_options options = {.size = sizeof options, .cascade = 1};
    MUST(mst_edit(d, both, 2, &options, &why), &why);
    mst_value sectors;
    uint64_t offset;
    MUST(mst_find(mst_root(d), "collision.sectors", &sectors, &why), &why);
    assert_int_equal(mst_count(&sectors), 0);
    mst_value_span(&sectors, &offset, NULL);
    size_t size;
    const uint8_t *data = mst_document_bytes(d, &size);
    assert_int_equal(mst_load32(data + offset, false), 16);
    assert_round_trips(d);
    add(d, "collision.vertices[0]", "{\"position\":[0,0,0],\"ceiling\":0}");
    add(d, "collision.sectors[0]", "{\"sector_set\":0,\"flags\":[],\"vertices\":[0,0,0],\"links\":[1,1,1]}");
    mst_close(d);
    /* with 18 bytes, the usual one, none is written */
    d = make(false, stride_18, "");
    MUST(mst_edit(d, both, 2, &options, &why), &why);
    MUST(mst_find(mst_root(d), "collision.sectors", &sectors, &why), &why);
    mst_value_span(&sectors, &offset, NULL);
    data = mst_document_bytes(d, &size);
    assert_int_equal(mst_load32(data + offset, false), 0);
    mst_close(d);
}

/* ---- actors and meshes as one thing -------------------------------------------------------------- */

static mst_status count_paths(void *user, const char *path, const mst_value *value) {
    snprintf(user, 64, "%s", path);
    assert_non_null(value);
    return MST_OK;
}

/* turok.md 8: record, model and animation are edited together. */
static void actors_are_one(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_18, "");
        mst_diagnostic why;
        bytes old = bytes_of(d);
        char *one = json_at(d, "actors[0]"), found[64];
        assert_non_null(
            strstr(one, ",\"model\":\"models/dyn_turok.bin\",\"animation\":\"anims/turok_anim.bin\"}"));
        assert_non_null(strstr(one, "{\"type\":\"turok\","));
        add(d, "actors[1]", one);
        char *two = json_at(d, "actors[-1]");
        assert_string_equal(one, two);
        change(d, "actors[1].model", "models/b.bin");
        change(d, "actors[1].health", "7");
        change(d, "actors[1].animation", "_morph");
        assert_json_at(d, "actors.models", "[\"models/dyn_turok.bin\",\"models/b.bin\"]");
        assert_json_at(d, "actors.animations[1]", "\"_morph\"");
        assert_json_at(d, "actors[model=models/b.bin].health", "7");
        assert_json_at(d, "actors[health=7].model", "\"models/b.bin\"");
        mst_selected selected;
        MUST(mst_select(mst_root(d), "actors[model~*b.bin & health>6].animation", count_paths, found,
                        &selected, &why),
             &why);
        assert_int_equal(selected.count, 1);
        assert_string_equal(found, "actors[1].animation");
        /* another one in its place; members of the neighbouring records that are not given are kept */
        change(d, "actors[1]", one);
        assert_json_at(d, "actors[1].model", "\"models/dyn_turok.bin\"");
        change(d, "actors[1].model", "models/b.bin");
        char *record = json_at(d, "actors.records[0]");
        change(d, "actors[1]", record);
        assert_json_at(d, "actors[1].model", "\"models/b.bin\"");
        MUST(mst_remove(d, "actors[1]", &why), &why);
        assert_same_bytes(d, old.data, old.size);
        /* one without paths gets the paths of the first of its type */
        add(d, "actors[0]", record);
        assert_json_at(d, "actors.models", "[\"models/dyn_turok.bin\",\"models/dyn_turok.bin\"]");
        MUST(mst_remove(d, "actors[0]", &why), &why);
        assert_same_bytes(d, old.data, old.size);
        static const struct {
            const char *path;
            mst_status status;
        } none[] = {{"actors[1]", MST_NO_PATH},       {"actors[0].colour", MST_NO_PATH},
                    {"actors[model=x]", MST_NO_PATH}, {"actors[0].model[0]", MST_NO_PATH},
                    {"world[0]", MST_NO_PATH},        {"actors[0].model.x", MST_NO_PATH}};
        for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
            mst_value value;
            assert_int_equal(mst_find(mst_root(d), none[i].path, &value, &why), none[i].status);
        }
        assert_int_equal(mst_insert(d, "actors[3]", one, &why), MST_NO_PATH);
        assert_int_equal(mst_insert(d, "actors[1]", "5", &why), MST_ARGUMENT);
        assert_int_equal(mst_insert(d, "actors[1]", "{\"model\":\"a\\\"b\"", &why), MST_ARGUMENT);
        assert_int_equal(mst_insert(d, "actors[1]", "{\"model\" \"a\"}", &why), MST_ARGUMENT);
        assert_int_equal(mst_set(d, "actors[0]", "{\"model\":\"models/a.bin\"}", &why), MST_ARGUMENT);
        assert_int_equal(mst_remove(d, "actors[0].model", &why), MST_REFUSED);
        assert_same_bytes(d, old.data, old.size);
        free(record);
        free(one);
        free(two);
        free(old.data);
        mst_close(d);
    }
}

/* Members in any order, with blanks, quotes and brackets in texts. */
static void json_of_actors(void **state) {
    (void)state;
    mst_document *d = make(false, stride_18, "");
    char *record = json_at(d, "actors.records[0]"), text[4096];
    snprintf(text, sizeof text, " { \"animation\" : \"a,}]\\\"x\" , %.*s , \"model\":null } ",
             (int)strlen(record) - 2, record + 1);
    add(d, "actors[0]", text);
    assert_json_at(d, "actors.animations[0]", "\"a,}]\\\"x\"");
    assert_json_at(d, "actors.models[0]", "null");
    assert_json_at(d, "actors[1].type", "\"turok\"");
    free(record);
    mst_close(d);
}

/* A mesh is one with its model, in cells that have some and in those that have none yet. */
static void meshes_are_one(void **state) {
    (void)state;
    mst_document *d = make(false, stride_18, "");
    mst_diagnostic why;
    bytes old = bytes_of(d);
    char *tree = json_at(d, "grid_sections[0][0]");
    assert_non_null(strstr(tree, ",\"model\":\"models/tree01.bin\"}"));
    add(d, "grid_sections[1][0]", tree);
    assert_json_at(d, "grid_sections[1].models", "[\"models/tree01.bin\"]");
    assert_clean(d);
    add(d, "grid_sections[1][1]", tree);
    change(d, "grid_sections[1][1].model", "models/b.bin");
    change(d, "grid_sections[1][1].origin[0]", "25");
    assert_json_at(d, "grid_sections[1].models", "[\"models/tree01.bin\",\"models/b.bin\"]");
    assert_clean(d);
    MUST(mst_remove(d, "grid_sections[1][model=models/tree01.bin]", &why), &why);
    MUST(mst_remove(d, "grid_sections[1][0]", &why), &why);
    assert_same_bytes(d, old.data, old.size);
    mst_value value;
    assert_int_equal(mst_find(mst_root(d), "grid_sections[1][0]", &value, &why), MST_NO_PATH);
    assert_int_equal(mst_insert(d, "grid_sections[1][1]", tree, &why), MST_NO_PATH);
    free(tree);
    free(old.data);
    mst_close(d);
}

typedef struct said {
    char text[400];
} said;
static mst_status hear(void *user, const mst_diagnostic *what) {
    said *s = user;
    size_t length = strlen(s->text);
    snprintf(s->text + length, sizeof s->text - length, "%s %s\n", what->path, what->message);
    return MST_OK;
}

/* turok.md 3.9: actors are over their sectors; 8: they follow vertices. The sectors meet on the diagonal. */
static void sectors_of_actors(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_18, "");
        mst_diagnostic why;
        said heard = {.text = ""};
        mst_edit_options options = {.size = sizeof options, .report = hear, .user = &heard};
        mst_operation move = {.kind = MST_OPERATION_MOVE_BY, .path = "actors[0]", .value = "-40,60,0"};
        MUST(mst_edit(d, &move, 1, &options, &why), &why);
        assert_json_at(d, "actors[0].sector", "1");
        assert_string_equal(heard.text, "actors[0].sector is now 1, the sector below it; it was 0\n");
        assert_clean(d);
        change(d, "actors[0].origin", "[60, 20, 5]");
        assert_json_at(d, "actors[0].sector", "0");
        change(d, "actors[0].sector", "1"); /* as set by the caller */
        assert_json_at(d, "actors[0].sector", "1");
        change(d, "actors[0].health", "9"); /* a wrong value is kept */
        change(d, "actors[0].origin[2]", "1");
        assert_json_at(d, "actors[0].sector", "1");
        change(d, "actors[0].origin", "[500, 20, 5]"); /* over none */
        assert_json_at(d, "actors[0].sector", "1");
        change(d, "actors[0].origin", "[60, 20, 5]");
        assert_json_at(d, "actors[0].sector", "0");
        change(d, "actors[0].sector", "-1"); /* in none */
        change(d, "actors[0].origin", "[20, 60, 5]");
        assert_json_at(d, "actors[0].sector", "-1");
        change(d, "actors[0].sector", "1");
        /* the diagonal passes it */
        change(d, "collision.vertices[0].position", "[0, 90, 0]");
        assert_json_at(d, "actors[0].sector", "1");
        change(d, "collision.vertices[0].position", "[0, 0, 0]");
        /* of two floors the nearer one */
        add(d, "collision.vertices[4]", "{\"position\": [0, 0, 50]}");
        add(d, "collision.vertices[5]", "{\"position\": [100, 0, 50]}");
        add(d, "collision.vertices[6]", "{\"position\": [0, 100, 50]}");
        add(d, "collision.sectors[2]", "{\"vertices\": [4, 5, 6], \"links\": [65535, 65535, 65535]}");
        add(d, "collision.sectors[3]", "{\"vertices\": [4, 4, 6], \"links\": [65535, 65535, 65535]}");
        change(d, "actors[0].origin", "[30, 10, 40]");
        assert_json_at(d, "actors[0].sector", "2");
        mst_close(d);
    }
}

int test_turok_edit(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_follow),        cmocka_unit_test(empty_cells_follow),
        cmocka_unit_test(other_boxes_stay),    cmocka_unit_test(refiling),
        cmocka_unit_test(links_of_both_sides), cmocka_unit_test(flags_of_areas),
        cmocka_unit_test(sectors_of_16_bytes), cmocka_unit_test(actors_are_one),
        cmocka_unit_test(json_of_actors),      cmocka_unit_test(meshes_are_one),
        cmocka_unit_test(sectors_of_actors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
