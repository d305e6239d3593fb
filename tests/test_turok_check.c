/* SPDX-License-Identifier: MIT */
/* Checks of Turok levels: every code by a level without other faults, valid levels, and figures of an
 * independent reader. Levels are made from JSON; if the structure is to be broken, bytes are changed. */
#include "../src/core/json.h"
#include "../src/edit/single_edit.h"
#include "turok_square.h"

/* "path=json" sets, "+path=json" inserts, "*path=other" inserts a copy, "-path" removes. */
static void edit(mst_document *d, const char *what) {
    char path[120] = "", copy[4096];
    mst_diagnostic why;
    size_t skipped = strchr("+*-", *what) != NULL, length = strcspn(what + skipped, "=");
    assert_true(length < sizeof path);
    memcpy(path, what + skipped, length);
    const char *text = what + skipped + length + (what[skipped + length] == '=');
    if (*what == '*') {
        mst_buffer json = {0};
        mst_value value;
        MUST(mst_find(mst_root(d), text, &value, &why), &why);
        MUST(mst_write_json(&value, NULL, mst_buffer_sink(&json), &why), &why);
        snprintf(copy, sizeof copy, "%.*s", (int)json.size, (const char *)json.data);
        mst_buffer_free(&json);
        text = copy;
    }
    mst_status status = *what == '-' ? mst_edit_remove(d, path, &why)
                        : skipped    ? mst_edit_insert(d, path, text, &why)
                                     : mst_edit_set(d, path, text, &why); /* without consequences */
    if (status != MST_OK)
        print_error("%s\n", what);
    MUST(status, &why);
}

static findings check(const mst_document *d, int information) {
    findings list = {0};
    mst_check_result result;
    mst_diagnostic why;
    mst_check_options options = {.size = sizeof options, .information = information};
    MUST(mst_check(d, &options, collect, &list, &result, &why), &why);
    assert_int_equal(result.errors + result.warnings + result.information, list.count);
    return list;
}

/* "CODE path" of all findings, a line each, and each names bytes of the file. */
static void report(const mst_document *d, const findings *list, char *text, size_t capacity) {
    size_t size, written = 0;
    mst_document_bytes(d, &size);
    text[0] = 0;
    for (size_t i = 0; i < list->count; i++) {
        const mst_diagnostic *f = &list->items[i];
        assert_true(f->offset < size && f->length <= size - f->offset && f->message[0]);
        written += (size_t)snprintf(text + written, written < capacity ? capacity - written : 0, "%s%s %s",
                                    i ? "\n" : "", f->code, f->path);
        assert_true(written < capacity);
        /* the value at the path encloses the bytes */
        mst_value value;
        uint64_t offset, length;
        if (f->path[0] && mst_find(mst_root(d), f->path, &value, NULL) == MST_OK &&
            strcmp(f->code, "TUROK-GAP") != 0 && strcmp(f->code, "TUROK-PADDING") != 0) {
            mst_value_span(&value, &offset, &length);
            if (f->offset < offset || f->offset + f->length > offset + length)
                print_error("%s %s\n", f->code, f->path);
            assert_true(f->offset >= offset && f->offset + f->length <= offset + length);
        }
    }
}

static void expect(const mst_document *d, const char *expected) {
    char text[4096];
    findings list = check(d, 1);
    report(d, &list, text, sizeof text);
    assert_string_equal(text, expected);
    assert_stops(d, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, &list);
    /* without information only the rest is reported */
    findings rest = check(d, 0);
    size_t more = 0;
    for (size_t k = 0; k < list.count; k++)
        more += list.items[k].severity == MST_INFORMATION;
    assert_int_equal(rest.count, list.count - more);
    findings_free(&rest);
    findings_free(&list);
}

typedef struct one {
    const char *expected;
    const char *edits[8];
} one;

#define BOX_OF_NONE                                                                                          \
    "actors.records[0].bounds_min=[1e30, 1e30, 1e30]", "actors.records[0].bounds_max=[-1e30, -1e30, -1e30]"
#define THIRD(vertices, links)                                                                               \
    "+collision.sectors[2]={\"sector_set\": 0, \"flags\": 0, \"vertices\": " vertices ", \"links\": " links  \
    ", \"draw_order\": 0}"
#define FOURTH(vertices, links)                                                                              \
    "+collision.sectors[3]={\"sector_set\": 0, \"flags\": 0, \"vertices\": " vertices ", \"links\": " links  \
    ", \"draw_order\": 0}"
#define VERTEX(index, position) "+collision.vertices[" index "]={\"position\": " position ", \"ceiling\": 0}"

static const one contents[] = {
    {"", {"version=1"}},
    {"TUROK-VERSION version", {"version=2"}},
    {"TUROK-SUN-LENGTH world.sun_direction", {"world.sun_direction[0]=0.61"}},
    {"TUROK-NONFINITE world.sun_color[3]", {"world.sun_color[3]=\"NaN\""}},
    {"TUROK-NONFINITE collision.sector_sets[0].fog_far", {"collision.sector_sets[0].fog_far=\"Infinity\""}},
    /* texts */
    {"TUROK-PATH sky_material", {"sky_material=skies/sky_brown"}},
    {"TUROK-PATH sky_material", {"sky_material=skies/skyMaterials/Brown"}},
    {"TUROK-PATH sky_material", {"sky_material=skies/skymaterials/brown"}},
    {"TUROK-PATH grid_sections[0].models[0]", {"grid_sections[0].models[0]=models/a.b"}},
    {"TUROK-PATH grid_sections[0].models[0]", {"grid_sections[0].models[0]=models/longer_than_8_Bytes.bin"}},
    {"TUROK-PATH grid_sections[0].models[0]", {"grid_sections[0].models[0]=models\\\\a.bin"}},
    {"TUROK-PATH grid_sections[0].models[0]", {"grid_sections[0].models[0]=models/a\\\\b.bin"}},
    {"TUROK-PATH grid_sections[0].models[0]", {"grid_sections[0].models[0]=models/long_name_\xc3\xa9.bin"}},
    {"TUROK-PATH grid_sections[0].models[0]",
     {"grid_sections[0].models[0]=\"models/long_name_\\u007f.bin\""}},
    {"TUROK-PATH actors.models[0]", {"actors.models[0]=\"models/\\u001f.bin\""}},
    {"TUROK-PATH actors.models[0]", {"actors.models[0]=_morph"}},
    {"TUROK-PATH actors.animations[0]", {"actors.animations[0]=anims/turok.bin"}},
    {"TUROK-PATH actors.animations[0]", {"actors.animations[0]=models/turok_anim.bin"}},
    {"TUROK-STRING-ABSENT actors.animations[0]", {"actors.animations=[null]"}},
    {"TUROK-PATH grid_sections[0].models[0]", {"grid_sections[0].models[0]=models/a\\b.bin"}},
    {"TUROK-PATH sky_material",
     {"sky_material=skies/long_long_long_long_long_long_long_long_long_long_long_long_long_long_long_long"}},
    /* sectors */
    {"TUROK-VERTEX-INDEX collision.sectors[1].vertices[2]", {"-collision.vertices[3]"}},
    {"TUROK-SET-INDEX collision.sectors[1].sector_set", {"collision.sectors[1].sector_set=1"}},
    {"TUROK-LINK-INDEX collision.sectors[0].links[1]", {"collision.sectors[0].links[1]=2"}},
    {"TUROK-WINDING collision.sectors[0].vertices",
     {"collision.sectors[0].vertices=[0, 2, 1]", "collision.sectors[0].links=[65535, 1, 65535]"}},
    {"TUROK-DEGENERATE collision.sectors[2].vertices", {THIRD("[3, 3, 3]", "[65535, 65535, 65535]")}},
    {"TUROK-DEGENERATE collision.sectors[2].vertices",
     {VERTEX("4", "[0, 0, 0]"), VERTEX("5", "[1, 1, 8]"), VERTEX("6", "[2, 2, 0]"),
      THIRD("[4, 5, 6]", "[65535, 65535, 65535]")}},
    {"TUROK-DEGENERATE collision.sectors[2].vertices", /* it has the unshared edge 4-5 twice */
     {VERTEX("4", "[0, 0, 0]"), VERTEX("5", "[1, 1, 8]"), THIRD("[4, 5, 4]", "[65535, 65535, 65535]")}},
    {"TUROK-FLAGS-LESS collision.sectors[1].flags",
     {"collision.sector_sets[0].flags=65537", "collision.sectors[0].flags=1"}},
    {"TUROK-FLAGS-DIFFER collision.sectors[1].flags", {"collision.sectors[1].flags=512"}},
    {"TUROK-FLAGS-LESS collision.sectors[1].flags\nTUROK-FLAGS-DIFFER collision.sectors[1].flags",
     {"collision.sector_sets[0].flags=1", "collision.sectors[0].flags=1", "collision.sectors[1].flags=2"}},
    {"TUROK-CEILING-BELOW collision.sectors[0].vertices[1]",
     {"collision.sector_sets[0].flags=64", "collision.sectors[0].flags=64", "collision.sectors[1].flags=64",
      "collision.vertices[0].ceiling=10", "collision.vertices[2].ceiling=10",
      "collision.vertices[3].ceiling=0.5"}},
    {"TUROK-VERTEX-UNUSED collision.vertices[4]", {VERTEX("4", "[9, 9, 9]")}},
    {"TUROK-SET-UNUSED collision.sector_sets[1]", {"*collision.sector_sets[1]=collision.sector_sets[0]"}},
    {"TUROK-SET-RESERVED collision.sector_sets[0].unknown_3e",
     {"collision.sector_sets[0].unknown_3e=[0, 1]"}},
    {"TUROK-NONFINITE collision.vertices[1].position[0]",
     {"collision.vertices[1].position[0]=\"NaN\"", "actors.records[0].sector=1",
      "actors.records[0].origin[0]=20", "actors.records[0].origin[1]=60"}}, /* it runs neither way */
    /* links */
    {"TUROK-LINK-SELF collision.sectors[0].links[1]", {"collision.sectors[0].links[1]=0"}},
    {"TUROK-LINK-MISSING collision.sectors[0].links[0]",
     {"collision.sectors[0].links[0]=65535", "collision.sectors[1].links[1]=65535"}},
    {"TUROK-LINK-MISSING collision.sectors[1].links[1]\nTUROK-LINK-ONEWAY collision.sectors[0].links[0]",
     {"collision.sectors[1].links[1]=65535"}},
    {"TUROK-LINK-MISSING collision.sectors[0].links[0]\nTUROK-LINK-ONEWAY collision.sectors[1].links[1]",
     {"collision.sectors[0].links[0]=65535"}},
    {"TUROK-LINK-EDGE collision.sectors[0].links[1]", {"collision.sectors[0].links[1]=1"}},
    {"TUROK-EDGE-THREE collision.sectors[0].links[0]",
     {VERTEX("4", "[90, 5, 9]"), THIRD("[0, 4, 2]", "[65535, 65535, 65535]")}},
    {"TUROK-EDGE-THREE collision.sectors[0].links[0]\nTUROK-LINK-ONEWAY collision.sectors[2].links[0]",
     {VERTEX("4", "[90, 5, 9]"), THIRD("[0, 4, 2]", "[1, 65535, 65535]")}},
    {"TUROK-FLAGS-DIFFER collision.sectors[2].flags\nTUROK-LINK-DROP collision.sectors[2].links[1]",
     {VERTEX("4", "[10, 10, 50]"), VERTEX("5", "[20, 10, 50]"), VERTEX("6", "[20, 20, 50]"),
      THIRD("[4, 5, 6]", "[65535, 0, 65535]"), "collision.sectors[2].flags=32"}},
    {"TUROK-FLAGS-DIFFER collision.sectors[2].flags\nTUROK-LINK-EDGE collision.sectors[2].links[1]",
     {VERTEX("4", "[10, 10, -1]"), VERTEX("5", "[20, 10, -1]"), VERTEX("6", "[20, 20, 50]"),
      THIRD("[4, 5, 6]", "[65535, 0, 65535]"), "collision.sectors[2].flags=32"}}, /* up */
    {"TUROK-LINK-EDGE collision.sectors[2].links[1]",
     {VERTEX("4", "[10, 10, 50]"), VERTEX("5", "[20, 10, 50]"), VERTEX("6", "[20, 20, 50]"),
      THIRD("[4, 5, 6]", "[65535, 0, 65535]")}}, /* not a bridge */
    {"TUROK-LINK-EDGE collision.sectors[0].links[2]\nTUROK-FLAGS-DIFFER collision.sectors[2].flags\n"
     "TUROK-LINK-EDGE collision.sectors[2].links[1]",
     {VERTEX("4", "[10, 10, 50]"), VERTEX("5", "[20, 10, 50]"), VERTEX("6", "[20, 20, 50]"),
      THIRD("[4, 5, 6]", "[65535, 0, 65535]"), "collision.sectors[2].flags=32",
      "collision.sectors[0].links[2]=2"}}, /* in both directions */
    {"TUROK-FLAGS-DIFFER collision.sectors[2].flags\nTUROK-LINK-DROP collision.sectors[2].links[1]",
     {VERTEX("4", "[10, 10, 1]"), VERTEX("5", "[20, 10, -1]"), VERTEX("6", "[20, 20, 50]"),
      THIRD("[4, 5, 6]", "[65535, 0, 65535]"), "collision.sectors[2].flags=32"}}, /* one end is above */
    /* missing corners: nothing is below or above them */
    {"TUROK-VERTEX-INDEX collision.sectors[2].vertices[0]\nTUROK-FLAGS-DIFFER collision.sectors[2].flags\n"
     "TUROK-LINK-EDGE collision.sectors[2].links[1]",
     {VERTEX("4", "[20, 10, 50]"), VERTEX("5", "[20, 20, 50]"), THIRD("[9, 4, 5]", "[65535, 0, 65535]"),
      "collision.sectors[2].flags=32"}},
    {"TUROK-VERTEX-INDEX collision.sectors[2].vertices[1]\nTUROK-FLAGS-DIFFER collision.sectors[2].flags\n"
     "TUROK-LINK-EDGE collision.sectors[2].links[1]",
     {VERTEX("4", "[20, 10, 50]"), VERTEX("5", "[20, 20, 50]"), THIRD("[4, 9, 5]", "[65535, 0, 65535]"),
      "collision.sectors[2].flags=32"}},
    {"TUROK-VERTEX-INDEX collision.sectors[0].vertices[0]\nTUROK-VERTEX-INDEX "
     "collision.sectors[0].vertices[1]\n"
     "TUROK-VERTEX-INDEX collision.sectors[0].vertices[2]\n"
     "TUROK-FLAGS-DIFFER collision.sectors[2].flags\n"
     "TUROK-LINK-EDGE collision.sectors[2].links[1]\nTUROK-VERTEX-UNUSED collision.vertices[1]",
     {VERTEX("4", "[10, 10, 50]"), VERTEX("5", "[20, 10, 50]"), VERTEX("6", "[20, 20, 50]"),
      THIRD("[4, 5, 6]", "[65535, 0, 65535]"), "collision.sectors[2].flags=32",
      "collision.sectors[0].vertices=[7, 8, 9]", "collision.sectors[0].links=[65535, 65535, 65535]",
      "collision.sectors[1].links=[65535, 65535, 65535]"}},
    /* the last of all edges, linked one way; and present twice in the sector to which it is linked */
    {"TUROK-LINK-MISSING collision.sectors[3].links[0]\nTUROK-LINK-ONEWAY collision.sectors[2].links[2]",
     {VERTEX("4", "[300, 50, 0]"), VERTEX("5", "[200, 0, 0]"), VERTEX("6", "[200, 100, 0]"),
      THIRD("[1, 5, 6]", "[65535, 65535, 3]"), FOURTH("[5, 4, 6]", "[65535, 65535, 65535]")}},
    {"TUROK-EDGE-THREE collision.sectors[2].links[2]\nTUROK-DEGENERATE collision.sectors[4].vertices",
     {VERTEX("4", "[300, 50, 0]"), VERTEX("5", "[200, 0, 0]"), VERTEX("6", "[200, 100, 0]"),
      THIRD("[1, 5, 6]", "[65535, 65535, 4]"), FOURTH("[5, 4, 6]", "[65535, 65535, 65535]"),
      "+collision.sectors[4]={\"sector_set\": 0, \"flags\": 0, \"vertices\": [5, 6, 5], \"links\": [65535, "
      "2, "
      "2], \"draw_order\": 0}"}},
    /* the grid */
    {"TUROK-GRID-SIZE grid_bounds.size", {"grid_bounds.size=[2]"}},
    {"TUROK-GRID-SIZE grid_bounds.size", {"grid_bounds.size=[-2, -1]"}},
    {"TUROK-GRID-SIZE grid_bounds.minimums", {"+grid_bounds.minimums[2]=[0, 0]"}},
    {"TUROK-GRID-SIZE grid_bounds.maximums", {"-grid_bounds.maximums[1]"}},
    {"TUROK-GRID-SIZE grid_sections", {"grid_sections=[{}, {}, {}]"}},
    {"TUROK-GRID-BOUNDS grid_bounds.minimums[0][1]", {"grid_bounds.minimums[0][1]=-10.35"}},
    {"TUROK-GRID-BOUNDS grid_bounds.maximums[0][0]", {"grid_bounds.maximums[0][0]=110.1"}},
    {"", {"grid_bounds.maximums[0]=[110.28, 110.2]", "grid_bounds.minimums[1]=[50.04, -0.04]"}},
    {"TUROK-GRID-EMPTY grid_bounds.minimums[1][0]", {"grid_bounds.minimums[1][0]=49"}},
    {"TUROK-GRID-EMPTY grid_bounds.maximums[1][1]", {"grid_bounds.maximums[1][1]=0.1"}},
    {"TUROK-GRID-EMPTY grid_bounds.maximums[1][1]",
     {"grid_sections[1]={\"static_meshes\": [], \"models\": []}", "grid_bounds.maximums[1][1]=0.1"}},
    /* meshes */
    {"TUROK-MODEL-COUNT grid_sections[0].models", {"grid_sections[0].models=[]"}},
    {"TUROK-MESH-CELL grid_sections[0].static_meshes[0].origin[1]",
     {"grid_sections[0].static_meshes[0].origin=[20, 500, 0]",
      "grid_sections[0].static_meshes[0].bounds_min=[-20, -500, 0]",
      "grid_sections[0].static_meshes[0].bounds_max=[80, -400, 0]"}},
    {"TUROK-QUATERNION grid_sections[0].static_meshes[0].rotation",
     {"grid_sections[0].static_meshes[0].rotation=[0, 0, 0.05, 1]"}},
    {"TUROK-MESH-BOUNDS grid_sections[0].static_meshes[0].bounds_min[2]",
     {"grid_sections[0].static_meshes[0].bounds_min[2]=11"}},
    {"TUROK-MESH-SECTOR grid_sections[0].static_meshes[0].sector",
     {"grid_sections[0].static_meshes[0].sector=2"}},
    {"TUROK-MESH-SECTOR grid_sections[0].static_meshes[0].sector",
     {"grid_sections[0].static_meshes[0].sector=-2"}},
    {"TUROK-MESH-NO-MODEL grid_sections[0].models[0]", {"grid_sections[0].models[0]=\"\""}},
    {"TUROK-MESH-FLAGS grid_sections[0].static_meshes[0].flags",
     {"grid_sections[0].static_meshes[0].flags=8"}},
    {"TUROK-MESH-FILED grid_sections[0].static_meshes[0].origin",
     {"grid_sections[0].static_meshes[0].origin=[50, 50, 0]",
      "grid_sections[0].static_meshes[0].bounds_min=[-50, -50, 0]",
      "grid_sections[0].static_meshes[0].bounds_max=[50, 50, 0]"}},
    {"TUROK-MESH-BOUNDS grid_sections[0].static_meshes[0].bounds_min[1]", /* the first of two */
     {"grid_sections[0].static_meshes[0].origin[1]=95",
      "grid_sections[0].static_meshes[0].bounds_min=[-20, 6, 11]",
      "grid_sections[0].static_meshes[0].bounds_max[1]=5", "grid_bounds.minimums[0][1]=90.76"}},
    {"", {"grid_sections[0].static_meshes[0].sector=1"}},
    {"TUROK-MESH-CELL grid_sections[0].static_meshes[0].origin[0]\n" /* and once only */
     "TUROK-MESH-FILED grid_sections[0].static_meshes[0].origin",
     {"grid_sections[0].static_meshes[0].origin=[500, 500, 0]",
      "grid_sections[0].static_meshes[0].bounds_min=[-500, -500, 0]",
      "grid_sections[0].static_meshes[0].bounds_max=[-400, -400, 0]"}},
    {"TUROK-NONFINITE grid_sections[0].static_meshes[0].bounds_min[0]\nTUROK-GRID-BOUNDS "
     "grid_bounds.minimums[0][0]", /* then the empty one is not reported */
     {"grid_sections[0].static_meshes[0].bounds_min[0]=\"-Infinity\"", "grid_bounds.minimums[1][0]=49"}},
    {"TUROK-NONFINITE grid_sections[0].static_meshes[0].bounds_max[1]\nTUROK-GRID-BOUNDS "
     "grid_bounds.maximums[0][1]",
     {"grid_sections[0].static_meshes[0].bounds_max[1]=\"Infinity\"", "grid_bounds.minimums[1][0]=49"}},
    {"TUROK-STRING-ABSENT grid_sections[0].models[0]\nTUROK-MESH-NO-MODEL grid_sections[0].models[0]",
     {"grid_sections[0].models=[null]"}},
    /* actors */
    {"TUROK-ACTOR-BOUNDS actors.records[0].bounds_min[0]",
     {"actors.records[0].bounds_min=[1e30, 1e30, 1e30]"}}, /* not both corners of one without a model */
    {"TUROK-ACTOR-BOUNDS-NONE actors.records[0].bounds_min\nTUROK-MODEL-COUNT actors.models",
     {BOX_OF_NONE, "actors.models=[]"}},
    {"TUROK-ACTOR-BOUNDS-NONE actors.records[0].bounds_min\nTUROK-STRING-ABSENT actors.models[0]",
     {BOX_OF_NONE, "actors.models=[null]"}},
    {"TUROK-ACTOR-BOUNDS-NONE actors.records[0].bounds_min\nTUROK-STRING-NUL actors.models[0]",
     {BOX_OF_NONE, "actors.models=[{\"$raw\": \"\"}]"}}, /* empty */
    {"TUROK-MODEL-COUNT actors.models", {"actors.models=[\"\", \"\"]"}},
    {"TUROK-MODEL-COUNT actors.animations", {"actors.animations=[]"}},
    {"TUROK-ACTOR-BOUNDS actors.records[0].bounds_min[1]", {"actors.records[0].bounds_min[1]=1.5"}},
    {"TUROK-ACTOR-BOUNDS actors.records[0].bounds_min[0]", {BOX_OF_NONE}},
    {"TUROK-ACTOR-BOUNDS-NONE actors.records[0].bounds_min", {BOX_OF_NONE, "actors.models[0]=\"\""}},
    {"TUROK-ACTOR-SECTOR-RANGE actors.records[0].sector", {"actors.records[0].sector=2"}},
    {"TUROK-ACTOR-SECTOR-RANGE actors.records[0].sector", {"actors.records[0].sector=-2"}},
    {"TUROK-ACTOR-NO-SECTOR actors.records[0].sector", {"actors.records[0].sector=-1"}},
    {"TUROK-ACTOR-OUTSIDE actors.records[0].origin", {"actors.records[0].origin[1]=-0.02"}},
    {"TUROK-ACTOR-OUTSIDE actors.records[0].origin", {"actors.records[0].sector=1"}},
    {"", {"actors.records[0].origin=[60, -0.009, 5000]"}},
    {"TUROK-ACTOR-YAW actors.records[0].yaw", {"actors.records[0].yaw=3.1417"}},
    {"TUROK-ACTOR-YAW actors.records[0].yaw", {"actors.records[0].yaw=-3.1417"}},
    {"", {"actors.records[0].yaw=-3.1415927"}},
    {"TUROK-TARGET actors.records[0].target_tid", {"actors.records[0].target_tid=101"}},
    {"", {"actors.records[0].target_tid=100"}},
    {"TUROK-NO-PLAYER actors.records", {"actors.records[0].type=1"}},
    {"TUROK-ACTOR-TYPE actors.records[0].type\nTUROK-NO-PLAYER actors.records", {"actors.records[0].type=3"}},
    {"TUROK-ACTOR-TYPE actors.records[0].type\nTUROK-NO-PLAYER actors.records",
     {"actors.records[0].type=-1"}},
};

static void contents_are_told(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        for (int big = 0; big < 2; big++) {
            mst_document *d = make(big, stride_18, "");
            for (size_t k = 0; k < 8 && contents[i].edits[k]; k++)
                edit(d, contents[i].edits[k]);
            expect(d, contents[i].expected);
            mst_close(d);
        }
}

/* A reported text is cut to the capacity, and unprintable characters are written as numbers. */
static void texts_are_shown(void **state) {
    (void)state;
#define FIFTY "01234567890123456789012345678901234567890123456789"
    static const char *const texts[][2] = {
        {"actors.models=[\"m\\u001f\\u007fx\"]", "m\\x1f\\x7fx"},
        {"actors.models=[\"" FIFTY FIFTY "\"]", FIFTY "0123456789012345678901234"}};
    for (size_t i = 0; i < 2; i++) {
        mst_document *d = make(false, stride_18, "");
        edit(d, texts[i][0]);
        findings list = check(d, 0);
        assert_int_equal(list.count, 1);
        assert_string_equal(list.items[0].found, texts[i][1]);
        assert_string_equal(list.items[0].expected, "models/*.bin, lower case");
        findings_free(&list);
        mst_close(d);
    }
}

static void numbers_are_told(void **state) {
    (void)state;
    mst_document *d = make(false, stride_18, "");
    edit(d, "collision.sectors[0].links[1]=2");
    edit(d, "actors.records[0].yaw=4.5");
    findings list = check(d, 0);
    mst_value value;
    uint64_t offset, length;
    assert_int_equal(list.count, 2);
    MUST(mst_find(mst_root(d), "collision.sectors[0].links[1]", &value, NULL), NULL);
    mst_value_span(&value, &offset, &length);
    assert_int_equal(list.items[0].offset, offset);
    assert_int_equal(list.items[0].length, length);
    assert_string_equal(list.items[0].expected, "below 2, or 65535");
    assert_string_equal(list.items[0].found, "2");
    assert_int_equal(list.items[0].severity, MST_ERROR);
    assert_string_equal(list.items[1].found, "4.5");
    assert_int_equal(list.items[1].severity, MST_WARNING);
    findings_free(&list);
    mst_close(d);
}

static void what_is_legal_is_silent(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_18, "");
        static const char *const edits[] = {
            "*collision.sector_sets[1]=collision.sector_sets[0]", "collision.sectors[1].sector_set=1",
            "collision.vertices[1].ceiling=-50", "collision.sector_sets[0].cull_bits=255",
            "collision.sector_sets[0].flags=1074790400", "grid_sections[0].static_meshes[0].cull_bits=-1",
            "grid_sections[0].static_meshes[0].rotation=[0, 0, 0, -1]",
            "grid_sections[0].static_meshes[0].origin[2]=-0.0", "grid_sections[0].static_meshes[0].flags=7",
            /* a cell that overlaps the first one, and exceeds the grid's own */
            "grid_sections[1]={\"static_meshes\": [{\"origin\": [70, 70, 0], \"scale\": [1, 1, 1], "
            "\"rotation\": "
            "[1, 0, 0, 0], \"bounds_min\": [-70, -60, 0], \"bounds_max\": [30, 30, 0], \"texture\": -1, "
            "\"flags\": 0, \"sector\": -1, \"collision_radius\": 0, \"collision_height\": 0, \"cull_bits\": "
            "-1}], "
            "\"models\": [\"models/a.bin\"]}",
            "grid_bounds.minimums[1]=[-10.24, -0.24]", "grid_bounds.maximums[1]=[110.24, 110.24]",
            "actors.records[0].origin[2]=-900", "actors.records[0].tid=-7", "actors.models[0]=\"\"",
            "actors.animations[0]=_morph", "sky_material=\"\"", "actors.records[0].target_tid=-1"};
        for (size_t i = 0; i < sizeof edits / sizeof *edits; i++)
            edit(d, edits[i]);
        edit(d, "*actors.records[1]=actors.records[0]");
        edit(d, "actors.models=[\"\", \"models/b.bin\"]");
        edit(d, "actors.animations=[\"_morph\", \"\"]");
        edit(d, "actors.records[1].type=53511");
        expect(d, "");
        mst_close(d);
    }
}

/* The edge of a link: with sectors of 16 bytes the rule that fits more often. */
static void links_have_two_rules(void **state) {
    (void)state;
    static const char *const original[] = {"collision.sectors[0].links=[65535, 65535, 1]",
                                           "collision.sectors[1].links=[0, 65535, 65535]"};
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_16, "");
        expect(d, "");
        edit(d, original[0]);
        edit(d, original[1]);
        expect(d, "");
        edit(d, "collision.sectors[1].links[0]=65535");
        expect(d, "TUROK-LINK-MISSING collision.sectors[1].links[0]\nTUROK-LINK-ONEWAY "
                  "collision.sectors[0].links[2]");
        mst_close(d);
        d = make(big, stride_18, "");
        edit(d, original[0]);
        edit(d, original[1]);
        expect(d, "TUROK-LINK-MISSING collision.sectors[0].links[0]\nTUROK-LINK-EDGE "
                  "collision.sectors[0].links[2]\n"
                  "TUROK-LINK-EDGE collision.sectors[1].links[0]");
        mst_close(d);
    }
}

static void more_blocks_are_told(void **state) {
    (void)state;
    static const struct {
        const char *more, *expected;
    } cases[] = {
        {", \"visibility\": {\"stride\": 8, \"row_count\": 2, \"rows\": "
         "\"00000000000000000000000000000000\"}",
         ""},
        {", \"visibility\": {\"stride\": 8, \"row_count\": 1, \"rows\": \"0000000000000000\"}",
         "TUROK-VISIBILITY-SIZE visibility.row_count"},
        {", \"visibility\": {\"stride\": 0, \"row_count\": 2, \"rows\": \"\"}",
         "TUROK-VISIBILITY-SIZE visibility.stride"},
        {", \"visibility\": {\"stride\": 1, \"row_count\": 2, \"rows\": \"0000\"}, \"block_8\": "
         "\"0102030405060708\"",
         "TUROK-ROOT-EXTRA "},
        {", \"tail\": \"00\"", "TUROK-TAIL tail"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int big = 0; big < 2; big++) {
            mst_document *d = make(big, stride_18, cases[i].more);
            expect(d, cases[i].expected);
            mst_close(d);
        }
}

/* More than indices can address. */
static void limits_are_told(void **state) {
    (void)state;
    static const struct {
        const char *name, *element;
        size_t max;
    } lists[] = {{"vertices", "{}", 65536},
                 {"sector_sets", "{}", 65536},
                 {"sectors", "{\"vertices\": [0, 1, 2]}", 65535}};
    static const char header[] =
        "{\"$format\": \"turok-map\", \"version\": 1, \"world\": {\"sun_direction\": [0, 0, "
        "1], \"sun_color\": [1, 1, 1, 1], \"ambient_color\": [0, 0, 0, 1]}, "
        "\"sky_material\": \"\", \"grid_bounds\": {\"size\": [0, 0], \"minimums\": [], "
        "\"maximums\": []}, \"grid_sections\": [], \"actors\": {\"records\": [], "
        "\"models\": [], \"animations\": []}, \"collision\": {";
    for (size_t i = 0; i < (sample_step() > 1 ? 1 : 3); i++)
        for (size_t over = 0; over < 2; over++) {
            writer w = {0};
            put_bytes_of(&w, header, sizeof header - 1);
            for (size_t other = 0; other < 3; other++) {
                put_bytes_of(&w, other ? ", \"" : "\"", other ? 3 : 1);
                put_bytes_of(&w, lists[other].name, strlen(lists[other].name));
                put_bytes_of(&w, "\": [", 4);
                for (size_t k = 0; other == i && k < lists[i].max + over; k++) {
                    put_bytes_of(&w, ",", k > 0);
                    put_bytes_of(&w, lists[i].element, strlen(lists[i].element));
                }
                put_bytes_of(&w, "]", 1);
            }
            put_bytes_of(&w, "}}", 2);
            mst_open_options options = {.size = sizeof options, .lenient_json = 1};
            mst_document *d;
            mst_diagnostic why;
            mst_status status = mst_open_json((const char *)w.data, w.size, &options, &d, &why);
            writer_free(&w);
            if (status == MST_UNSUPPORTED)
                skip();
            MUST(status, &why);
            findings list = check(d, 1);
            assert_int_equal(count_code(&list, "TUROK-LIMIT"), over);
            findings_free(&list);
            mst_close(d);
        }
}

/* ---- changed bytes ------------------------------------------------------------------------------ */

static uint8_t *bytes_of(const mst_document *d, size_t *size, size_t capacity) {
    const void *bytes = mst_document_bytes(d, size);
    uint8_t *copy = calloc(1, *size + capacity);
    assert_non_null(copy);
    memcpy(copy, bytes, *size);
    return copy;
}
static size_t place_of(const mst_document *d, const char *path) {
    mst_value value;
    uint64_t offset, length;
    mst_diagnostic why;
    MUST(mst_find(mst_root(d), path, &value, &why), &why);
    mst_value_span(&value, &offset, &length);
    return (size_t)offset;
}
/* Opens the bytes, compares the findings, frees them. */
static void expect_bytes(uint8_t *bytes, size_t size, const char *expected) {
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .format = "turok-map"};
    mst_status status = mst_open_memory(bytes, size, &options, &d, &why);
    if (status != MST_OK)
        print_error("expected %s\n", expected);
    MUST(status, &why);
    expect(d, expected);
    mst_close(d);
    free(bytes);
}
static void expect_damage(uint8_t *bytes, size_t size, const char *code) {
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .format = "turok-map"};
    assert_int_equal(mst_open_memory(bytes, size, &options, &d, &why), MST_DAMAGED);
    if (strcmp(why.code, code) != 0)
        print_error("%s: %s\n", why.path, why.message);
    assert_string_equal(why.code, code);
    free(bytes);
}

static void padding_is_told(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_18, "");
        size_t size;
        uint8_t *b = bytes_of(d, &size, 0);
        b[38] = 1; /* after the root's 8 offsets */
        expect_bytes(b, size, "TUROK-PADDING ");
        b = bytes_of(d, &size, 0);
        b[place_of(d, "version") + 7] = 1;
        expect_bytes(b, size, "TUROK-PADDING version");
        b = bytes_of(d, &size, 0);
        b[place_of(d, "world.sun_direction") + 12] = 1;
        expect_bytes(b, size, "TUROK-PADDING world.sun_direction");
        b = bytes_of(d, &size, 0);
        b[place_of(d, "grid_bounds.size") + 15] = 1;
        expect_bytes(b, size, "TUROK-PADDING grid_bounds.size");
        b = bytes_of(d, &size, 0);
        b[place_of(d, "grid_sections[0].models[0]") + 8 + 18] = 1;
        expect_bytes(b, size, "TUROK-PADDING grid_sections[0].models[0]");
        b = bytes_of(d, &size, 0);
        b[size - 1] = 1;
        expect_bytes(b, size, "TUROK-PADDING actors.animations[0]");
        /* after the offsets of archives: 4 bytes each, and 4 for their number */
        static const struct {
            const char *path;
            size_t blocks;
        } archives[] = {{"world", 3},
                        {"collision", 3},
                        {"grid_bounds", 3},
                        {"actors", 3},
                        {"actors.models", 1},
                        {"actors.animations", 1},
                        {"grid_sections[0].models", 1}};
        for (size_t i = 0; i < sizeof archives / sizeof *archives; i++) {
            char expected[80];
            b = bytes_of(d, &size, 0);
            b[place_of(d, archives[i].path) + 8 + 4 * archives[i].blocks] = 1;
            snprintf(expected, sizeof expected, "TUROK-PADDING %s", archives[i].path);
            expect_bytes(b, size, expected);
        }
        /* after data whose size is not a multiple of 8: two sectors, an actor */
        b = bytes_of(d, &size, 0);
        b[place_of(d, "collision.sectors") + 8 + 2 * 18] = 1;
        expect_bytes(b, size, "TUROK-PADDING collision.sectors");
        b = bytes_of(d, &size, 0);
        b[place_of(d, "actors.records") + 8 + 140] = 1;
        expect_bytes(b, size, "TUROK-PADDING actors.records");
        /* the version 4 bytes earlier: not at a multiple of 8, and followed by too many bytes */
        b = bytes_of(d, &size, 0);
        mst_store32(b + 4, 36, big);
        mst_store32(b + 36, 1, big);
        mst_store32(b + 40, 0, big);
        expect_bytes(b, size, "TUROK-GAP version\nTUROK-GAP version");
        /* 8 bytes more at the end of the last block */
        b = bytes_of(d, &size, 8);
        mst_store32(b + 4 + 4 * 7, (uint32_t)size + 8, big);
        expect_bytes(b, size + 8, "TUROK-GAP actors");
        b = bytes_of(d, &size, 0);
        mst_store32(b + place_of(d, "grid_sections[1]") + 4, 8, big);
        expect_bytes(b, size, "TUROK-EMPTY-END grid_sections[1]");
        mst_close(d);
    }
}

static void ends_are_told(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_18, "");
        size_t size;
        uint8_t *b = bytes_of(d, &size, 3);
        expect_bytes(b, size + 3, "TUROK-TAIL tail");
        mst_close(d);
        d = make(big, stride_18, ", \"visibility\": {\"stride\": 1, \"row_count\": 2, \"rows\": \"0000\"}");
        for (size_t cut = 1; cut <= 6; cut++) { /* in the end all of the padding */
            b = bytes_of(d, &size, 0);
            expect_bytes(b, size - cut, "TUROK-TAIL-SHORT ");
        }
        b = bytes_of(d, &size, 0); /* where the last block itself states that it ends without padding */
        mst_store32(b + 4 + 4 * 8, (uint32_t)size - 6, big);
        expect_bytes(b, size - 6, "TUROK-TAIL-SHORT ");
        mst_close(d);
    }
}

static void nuls_are_told(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_18, "");
        size_t size, sky = place_of(d, "sky_material") + 8, length = strlen("skies/skyMaterials/sky_brown");
        uint8_t *b = bytes_of(d, &size, 0);
        b[sky + length] = 'x';
        expect_bytes(b, size, "TUROK-STRING-NUL sky_material");
        b = bytes_of(d, &size, 0);
        b[sky + length - 2] = 0;
        expect_bytes(b, size, "TUROK-STRING-NUL sky_material");
        b = bytes_of(d, &size, 0);
        b[sky + 3] = 0; /* and the text before it is not a path */
        expect_bytes(b, size, "TUROK-STRING-NUL sky_material\nTUROK-PATH sky_material");
        b = bytes_of(d, &size, 0);
        mst_store32(b + sky - 8, 0, big); /* one empty element: the text has become a gap */
        memset(b + sky, 0, length);
        expect_bytes(b, size, "TUROK-STRING-NUL sky_material\nTUROK-GAP sky_material");
        mst_close(d);
    }
}

static void structure_is_told(void **state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        mst_document *d = make(big, stride_18, "");
        size_t size;
        uint8_t *b = bytes_of(d, &size, 0);
        mst_store32(b + place_of(d, "actors") + 4 + 4 * 3, (uint32_t)size, big);
        expect_damage(b, size, "TUROK-TRUNCATED");
        b = bytes_of(d, &size, 0);
        mst_store32(b + place_of(d, "collision.sectors") + 4, 0x10000000, big);
        expect_damage(b, size, "TUROK-COUNT");
        b = bytes_of(d, &size, 0);
        mst_store32(b + place_of(d, "actors") + 4 + 4, 8, big);
        expect_damage(b, size, "TUROK-OFFSET");
        b = bytes_of(d, &size, 0);
        mst_store32(b + place_of(d, "actors"), 2, big);
        expect_damage(b, size, "TUROK-CHILDREN");
        b = bytes_of(d, &size, 0);
        mst_store32(b + place_of(d, "grid_sections[0]"), 1, big);
        expect_damage(b, size, "TUROK-CHILDREN");
        b = bytes_of(d, &size, 0);
        mst_store32(b + place_of(d, "collision.vertices"), 15, big);
        expect_damage(b, size, "TUROK-STRIDE");
        b = bytes_of(d, &size, 0);
        mst_store32(b + place_of(d, "actors.models[0]") + 4, 2, big);
        expect_damage(b, size, "TUROK-STRING");
        mst_close(d);
    }
    mst_document *d = make(false, stride_18, "");
    size_t size;
    uint8_t *b = bytes_of(d, &size, 0);
    expect_damage(b, size - 24, "TUROK-TRUNCATED");
    b = bytes_of(d, &size, 0);
    mst_store32(b, 6, false);
    expect_damage(b, size, "TUROK-ROOT");
    mst_close(d);
}

/* Every code of the list is tested above. */
static void all_codes_are_tried(void **state) {
    (void)state;
    static const char elsewhere[] =
        "TUROK-ROOT TUROK-TRUNCATED TUROK-COUNT TUROK-OFFSET TUROK-CHILDREN TUROK-STRIDE TUROK-STRING "
        "TUROK-LIMIT TUROK-ROOT-EXTRA TUROK-TAIL TUROK-TAIL-SHORT TUROK-PADDING TUROK-GAP TUROK-STRING-NUL "
        "TUROK-VISIBILITY-SIZE TUROK-EMPTY-END "
        /* test_turok_models.c */
        "TUROK-MODEL-MISSING TUROK-MODEL-ANIMATION TUROK-MODEL-KMAT TUROK-MODEL-MATERIAL "
        "TUROK-MODEL-TEXTURE ";
    mst_document *d = make(false, stride_18, "");
    const mst_format_information *format = mst_document_format(d);
    const mst_code_information *code;
    size_t count = 0;
    for (; (code = mst_code_at(format, count)) != NULL; count++) {
        char word[64];
        snprintf(word, sizeof word, "%s ", code->code);
        bool tried = strstr(elsewhere, word) != NULL;
        for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
            tried = tried || strstr(contents[i].expected, word);
        if (!tried)
            print_error("%s\n", code->code);
        assert_true(tried && strlen(code->code) < sizeof((mst_diagnostic *)0)->code);
    }
    assert_int_equal(count, 63);
    mst_close(d);
}

/* ---- lack of memory ----------------------------------------------------------------------------- */

static void nothing_is_lost_without_memory(void **state) {
    (void)state;
    mst_document *d = make(false, stride_18, "");
    size_t size;
    uint8_t *b = bytes_of(d, &size, 0);
    mst_close(d);
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {0};
        mst_open_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        mst_diagnostic why;
        MUST(mst_open_memory(b, size, &options, &d, &why), &why);
        c.fail_at = c.calls + fail_at;
        c.for_good = true;
        mst_status status = mst_check(d, NULL, NULL, NULL, NULL, &why);
        assert_int_equal(status, c.failed ? MST_NO_MEMORY : MST_OK);
        mst_close(d);
        assert_int_equal(c.blocks, 0);
        if (!c.failed)
            break;
    }
    free(b);
}

static void changed_bytes_do_no_harm(void **state) {
    (void)state;
    random_state r = {7};
    size_t opened = 0, size;
    mst_document *d = make(false, stride_18, "");
    uint8_t *b = bytes_of(d, &size, 0), *changed = malloc(size);
    mst_close(d);
    assert_non_null(changed);
    for (int i = 0; i < 4000; i++) {
        memcpy(changed, b, size);
        for (uint32_t k = random_below(&r, 3) + 1; k; k--) {
            uint32_t value = random_below(&r, 4) ? random_below(&r, 9) : random_next(&r);
            changed[random_below(&r, (uint32_t)size)] = (uint8_t)value;
        }
        mst_open_options options = {.size = sizeof options, .format = "turok-map"};
        if (mst_open_memory(changed, size, &options, &d, NULL) != MST_OK)
            continue;
        assert_checks(d);
        mst_close(d);
        opened++;
    }
    assert_true(opened > 500);
    free(changed);
    free(b);
}

static mst_status stop(void *user, const mst_diagnostic *finding) {
    (void)user;
    (void)finding;
    return MST_STOPPED;
}
static void a_report_can_stop_it(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        if (!contents[i].expected[0])
            continue;
        mst_document *d = make(false, stride_18, "");
        for (size_t k = 0; k < 8 && contents[i].edits[k]; k++)
            edit(d, contents[i].edits[k]);
        mst_check_options options = {.size = sizeof options, .information = 1};
        mst_check_result result;
        assert_int_equal(mst_check(d, &options, stop, NULL, &result, NULL), MST_STOPPED);
        assert_int_equal(result.errors + result.warnings + result.information, 1);
        mst_close(d);
    }
}

/* ---- figures of an independent reader ----------------------------------------------------------- */

static const mst_json_node *member(const mst_json_node *nodes, const mst_json_node *object,
                                   const char *name) {
    const mst_json_node *node = object + 1;
    for (uint32_t i = 0; i < object->count; i++, node = &nodes[node[1].end])
        if (node->length == strlen(name) && memcmp(node->text, name, node->length) == 0)
            return node + 1;
    return NULL;
}

/* Our path for its "sectors/12/links/1", which may be a prefix of ours; "" matches anything. */
static void translate(const char *code, const mst_json_node *node, char *path, size_t capacity) {
    char words[4][32] = {"", "", "", ""};
    char text[100];
    snprintf(text, sizeof text, "%.*s", (int)node->length, node->text);
    sscanf(text, "%31[^/]/%31[^/]/%31[^/]/%31[^/]", words[0], words[1], words[2], words[3]);
    if (strcmp(words[0], "grid_sections") == 0 && strncmp(code, "TUROK-GRID-", 11) == 0)
        snprintf(path, capacity, "grid_bounds.minimums[%s]", words[1]);
    else if (strcmp(words[0], "grid_sections") == 0)
        snprintf(path, capacity, "grid_sections[%s].static_meshes[%s]", words[1], words[2]);
    else if (strcmp(words[0], "actors") == 0)
        snprintf(path, capacity, "actors.records[%s]", words[1]);
    else if (words[3][0])
        snprintf(path, capacity, "collision.%s[%s].%s[%s]", words[0], words[1], words[2], words[3]);
    else if (words[1][0])
        snprintf(path, capacity, "collision.%s[%s]", words[0], words[1]);
    else
        snprintf(path, capacity, "%s", words[0]);
}

static void compare(const char *name, const mst_json_node *nodes, const mst_json_node *figures) {
    char path[200];
    size_t size;
    mst_document *d;
    mst_diagnostic why;
    snprintf(path, sizeof path, "turok/%s", name);
    uint8_t *bytes = corpus_read(path, &size);
    MUST(mst_open_memory(bytes, size, NULL, &d, &why), &why);
    findings list = check(d, 1);
    uint64_t sum = 0;
    const mst_json_node *code = figures + 1;
    for (uint32_t i = 0; i < figures->count; i++, code = &nodes[code[1].end]) {
        char text[40];
        uint64_t expected;
        const mst_json_node *count = code + 2, *first = &nodes[count->end];
        snprintf(text, sizeof text, "%.*s", (int)code->length, code->text);
        assert_true(mst_read_u64(count->text, count->length, &expected));
        if (count_code(&list, text) != expected)
            print_error("%s: %s\n", name, text);
        assert_int_equal(count_code(&list, text), expected);
        sum += expected;
        size_t at = 0;
        for (uint32_t k = 0; k < first->count; k++, at++) {
            translate(text, first + 1 + k, path, sizeof path);
            while (at < list.count && strcmp(list.items[at].code, text) != 0)
                at++;
            assert_true(at < list.count);
            if (strncmp(list.items[at].path, path, strlen(path)) != 0)
                print_error("%s: %s at %s, not %s\n", name, text, list.items[at].path, path);
            assert_true(strncmp(list.items[at].path, path, strlen(path)) == 0);
        }
    }
    assert_int_equal(list.count, sum);
    findings_free(&list);
    mst_close(d);
    free(bytes);
}

static void findings_are_as_expected(void **state) {
    (void)state;
    size_t size, compared = 0;
    uint8_t *text = corpus_read("turok/expected.json", &size);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    mst_arena_begin(&arena, NULL, 0);
    mst_status status = mst_json_parse((const char *)text, size, &arena, &json, &why);
    if (status != MST_UNSUPPORTED) {
        MUST(status, &why);
        const mst_json_node *nodes = json.nodes, *file = nodes + 1;
        for (uint32_t i = 0; i < nodes->count; i++, file = &nodes[file[1].end]) {
            const mst_json_node *figures = member(nodes, file + 1, "findings");
            char name[100];
            snprintf(name, sizeof name, "%.*s", (int)file->length, file->text);
            if (!figures)
                continue;
            compare(name, nodes, figures);
            compared++;
        }
        assert_true(compared >= 6);
    }
    mst_arena_end(&arena);
    free(text);
    if (status == MST_UNSUPPORTED)
        skip();
}

int test_turok_check(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contents_are_told),
        cmocka_unit_test(texts_are_shown),
        cmocka_unit_test(numbers_are_told),
        cmocka_unit_test(what_is_legal_is_silent),
        cmocka_unit_test(links_have_two_rules),
        cmocka_unit_test(more_blocks_are_told),
        cmocka_unit_test(limits_are_told),
        cmocka_unit_test(padding_is_told),
        cmocka_unit_test(ends_are_told),
        cmocka_unit_test(nuls_are_told),
        cmocka_unit_test(structure_is_told),
        cmocka_unit_test(all_codes_are_tried),
        cmocka_unit_test(nothing_is_lost_without_memory),
        cmocka_unit_test(changed_bytes_do_no_harm),
        cmocka_unit_test(a_report_can_stop_it),
        cmocka_unit_test(findings_are_as_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
