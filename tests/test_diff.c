/* SPDX-License-Identifier: MIT */
/* Differences between two documents: the counts of an independent differ on successive saves of real levels,
 * known edits, and no differences where nothing changed. */
#include "../src/tables/schema.h"
#include "edit.h"
#include "fixture_files.h"
#include "go_through.h"
#include <mapstone/diff.h>
#include <mapstone/edit.h>
#include <math.h>

/* ---- collecting ------------------------------------------------------------------------------------- */

typedef struct seen {
    char lines[400][160]; /* changes of the content, as "+ objects[-1/130] label path" */
    size_t count;         /* their number, including those that do not fit */
    uint64_t of_sort[5];
    uint64_t objects[3], changed_objects, values;   /* by kind; objects with a changed value */
    uint64_t faces[3], reshaped, retextured, whole; /* of the reshaped ones: moved as a whole */
    uint64_t vertices[3], moved, following; /* parts by kind; vertices that moved, faces that only follow */
    uint64_t last_object, last_face;
    mst_status stop;
} seen;

static mst_status see(void *user, const mst_difference *change) {
    seen *all = user;
    static const char marks[] = "~+-m";
    all->of_sort[change->sort]++;
    assert_int_equal(change->size, sizeof *change);
    assert_true(change->list && change->path && change->label && change->type && change->place);
    if (change->kind == MST_DIFFERENCE_ADD)
        assert_true(mst_value_type(&change->new_element) != MST_TYPE_NONE &&
                    change->old_index == MST_NOWHERE);
    if (change->kind == MST_DIFFERENCE_REMOVE)
        assert_true(mst_value_type(&change->old_element) != MST_TYPE_NONE &&
                    change->new_index == MST_NOWHERE);
    bool vertex = strcmp(change->list, "mesh.vertices") == 0;
    if (vertex && change->kind < MST_DIFFERENCE_MOVE && change->sort == MST_DIFFERENCE_PART)
        all->vertices[change->kind]++;
    all->moved += vertex && change->moves && strcmp(change->path, "position") == 0;
    all->following += change->follows != 0;
    if (change->sort != MST_DIFFERENCE_CONTENT)
        return all->stop;
    if (all->count < sizeof all->lines / sizeof *all->lines)
        snprintf(all->lines[all->count], sizeof *all->lines, "%c %.60s[%lld/%lld] %.40s%s%.40s",
                 marks[change->kind], change->list, (long long)change->old_index,
                 (long long)change->new_index, change->label, *change->path ? " " : "", change->path);
    all->count++;
    bool object = strcmp(change->list, "objects") == 0, face = strcmp(change->list, "mesh.faces") == 0;
    if (change->kind < MST_DIFFERENCE_MOVE && object)
        all->objects[change->kind]++;
    if (change->kind < MST_DIFFERENCE_MOVE && face)
        all->faces[change->kind]++;
    if (change->kind == MST_DIFFERENCE_SET && object) {
        all->changed_objects += change->new_index + 1 != all->last_object;
        all->last_object = change->new_index + 1;
    }
    if (change->kind == MST_DIFFERENCE_SET && face && strcmp(change->path, "loops") == 0)
        all->reshaped++;
    all->whole += change->moves_whole != 0;
    return all->stop;
}

static void compare(const mst_document *old, const mst_document *now, seen *all) {
    mst_diagnostic why;
    memset(all, 0, sizeof *all);
    MUST(mst_diff(old, now, NULL, see, all, &why), &why);
}

static void print_seen(const seen *all) {
    for (size_t i = 0; i < all->count && i < sizeof all->lines / sizeof *all->lines; i++)
        print_error("  %s\n", all->lines[i]);
}

/* Exactly these changes of the content, in this order; NULL ends them. */
static void assert_seen(const mst_document *old, const mst_document *now, const char *const *expected) {
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    compare(old, now, all);
    size_t count = 0;
    bool same = true;
    for (; expected[count]; count++)
        same = same && count < all->count && strcmp(all->lines[count], expected[count]) == 0;
    if (!same || count != all->count)
        print_seen(all);
    assert_true(same);
    assert_int_equal(all->count, count);
    free(all);
}
#define SEES(old, now, ...) assert_seen((old), (now), (const char *const[]){__VA_ARGS__, NULL})

/* ---- histories -------------------------------------------------------------------------------------- */

static uint64_t number_after(const char *text, const char *end, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(text, quoted);
    assert_true(at && at < end);
    return strtoull(at + strlen(quoted), NULL, 10);
}

static void text_after(const char *text, const char *key, char *to, size_t capacity) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": \"", key);
    const char *at = strstr(text, quoted);
    assert_non_null(at);
    at += strlen(quoted);
    snprintf(to, capacity, "%.*s", (int)strcspn(at, "\""), at);
}

static mst_document *open_history(const char *chain, const char *name) {
    char file[160], path[512];
    mst_document *d;
    mst_diagnostic why;
    snprintf(file, sizeof file, "histories/ns2/%s/%s", chain, name);
    assert_true(corpus_path(file, path, sizeof path));
    MUST(mst_open_file(path, NULL, &d, &why), &why);
    return d;
}

/* Both ways: additions in one are removals in the other. */
static void compare_pair(const char *entry, const char *end) {
    char chain[64], names[2][64];
    text_after(entry, "chain", chain, sizeof chain);
    text_after(entry, "old", names[0], sizeof names[0]);
    text_after(entry, "new", names[1], sizeof names[1]);
    mst_document *sides[2] = {open_history(chain, names[0]), open_history(chain, names[1])};
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    for (int back = 0; back < 2; back++) {
        compare(sides[back], sides[1 - back], all);
        const uint64_t expected[] = {number_after(entry, end, back ? "objects_removed" : "objects_added"),
                                     number_after(entry, end, back ? "objects_added" : "objects_removed"),
                                     number_after(entry, end, "objects_changed"),
                                     number_after(entry, end, "faces_reshaped"),
                                     number_after(entry, end, back ? "faces_removed" : "faces_added"),
                                     number_after(entry, end, back ? "faces_added" : "faces_removed"),
                                     number_after(entry, end, back ? "vertices_removed" : "vertices_added"),
                                     number_after(entry, end, back ? "vertices_added" : "vertices_removed")};
        /* the independent differ identifies vertices, and so faces, by their positions alone */
        const uint64_t found[] = {all->objects[MST_DIFFERENCE_ADD],
                                  all->objects[MST_DIFFERENCE_REMOVE],
                                  all->changed_objects,
                                  all->reshaped - all->whole,
                                  all->faces[MST_DIFFERENCE_ADD] + all->whole,
                                  all->faces[MST_DIFFERENCE_REMOVE] + all->whole,
                                  all->vertices[MST_DIFFERENCE_ADD] + all->moved,
                                  all->vertices[MST_DIFFERENCE_REMOVE] + all->moved};
        for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
            if (found[i] != expected[i])
                print_error("%s %s: number %zu, back %d\n", chain, names[0], i, back);
            assert_int_equal(found[i], expected[i]);
        }
        assert_true(all->of_sort[MST_DIFFERENCE_VIEW] >= 1);
    }
    free(all);
    mst_close(sides[0]);
    mst_close(sides[1]);
}

static void successive_saves(void **state) {
    (void)state;
    size_t size, pairs = 0;
    char *text = (char *)corpus_read("histories/ns2/expected.json", &size);
    text[size - 1] = 0;
    for (char *at = text, *end; (at = strchr(at, '{')); at = end, pairs++) {
        end = strstr(at, "\n }");
        assert_non_null(end);
        compare_pair(at, end);
    }
    free(text);
    assert_true(pairs >= 10);
}

/* ---- nothing ---------------------------------------------------------------------------------------- */

static mst_status refuse(void *user, const mst_difference *change) {
    (void)user;
    print_error("%s[%lld] %s %s\n", change->list, (long long)change->old_index, change->label, change->path);
    fail();
    return MST_OK;
}

static mst_document *open_fixture(const test_file *one) {
    mst_document *d;
    mst_search *search = NULL;
    mst_open_options options = {.size = sizeof options, .name = one->name};
    mst_resolver resolver;
    if (one->directory[0]) {
        MUST(mst_search_create(NULL, &search), NULL);
        MUST(mst_search_add(search, one->directory, NULL), NULL);
        resolver = mst_search_resolver(search);
        options.sidecars = &resolver;
    }
    mst_status status = mst_open_memory(one->bytes, one->size, &options, &d, NULL);
    mst_search_free(search);
    return status == MST_OK ? d : NULL;
}

static void nothing_has_changed(void **state) {
    (void)state;
    test_files all = files_small();
    files_of_samples(&all);
    files_of_corpus(&all, 1u << 16);
    for (size_t i = 0; i < all.count; i++) {
        mst_document *one = open_fixture(&all.items[i]), *other = open_fixture(&all.items[i]);
        if (one && other)
            MUST(mst_diff(one, other, NULL, refuse, NULL, NULL), NULL);
        mst_close(one);
        mst_close(other);
    }
    files_free(&all);
}

/* ---- known edits ------------------------------------------------------------------------------------ */

static mst_document *open_json_file(const char *path, const char *name) {
    size_t size;
    char *text = (char *)read_whole(path, &size);
    mst_document *d;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = name};
    assert_non_null(text);
    mst_status status = mst_open_json(text, size, &options, &d, &why);
    free(text);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
    return d;
}

#define SET(where, json)                                                                                     \
    { .kind = MST_OPERATION_SET, .path = (where), .value = (json) }
#define INSERT(where, json)                                                                                  \
    { .kind = MST_OPERATION_INSERT, .path = (where), .value = (json) }
#define REMOVE(where)                                                                                        \
    { .kind = MST_OPERATION_REMOVE, .path = (where) }
#define EDIT(document, ...)                                                                                  \
    do {                                                                                                     \
        const mst_operation list[] = {__VA_ARGS__};                                                          \
        const mst_edit_options how = {.size = sizeof how, .cascade = 1};                                     \
        mst_diagnostic why;                                                                                  \
        MUST(mst_edit((document), list, sizeof list / sizeof *list, &how, &why), &why);                      \
    } while (0)

/* An insertion is not a change of the elements after it. */
static void insertions_change_nothing_else(void **state) {
    (void)state;
    mst_document *old = open_json_file("samples/outpost.json", "outpost.level"),
                 *now = open_json_file("samples/outpost.json", "outpost.level");
    EDIT(now, INSERT("objects[3]", "{\"has_layers\":false,\"group\":\"none\",\"class_name\":\"marker\","
                                   "\"properties\":[],\"extras\":[]}"));
    SEES(old, now, "+ objects[-1/3] marker");
    SEES(now, old, "- objects[3/-1] marker");
    mst_close(old);
    mst_close(now);
}

static mst_status keeps_its_index(void *user, const mst_difference *change) {
    *(size_t *)user += change->kind == MST_DIFFERENCE_SET && !strcmp(change->list, "objects");
    assert_true(!change->ambiguous && change->old_index == change->new_index);
    return MST_OK;
}

/* Two equal objects exchange places: by content nothing has changed but their order. */
static void edits_in_place(void **state) {
    (void)state;
    mst_document *old = open_json_file("samples/outpost.json", "outpost.level"),
                 *now = open_json_file("samples/outpost.json", "outpost.level");
    const mst_diff_options in_place = {.size = sizeof in_place, .in_place = 1};
    size_t changes = 0;
    EDIT(now, SET("objects[0].properties[name=origin].value", "[3, 0.1, 13]"),
         SET("objects[1].properties[name=origin].value", "[3, 0.1, 3]"));
    MUST(mst_diff(old, now, &in_place, keeps_its_index, &changes, NULL), NULL);
    assert_int_equal(changes, 2);
    EDIT(now, REMOVE("objects[2]")); /* another length: matched by content, as usual */
    SEES(old, now, "- objects[2/-1] ready_room_start");
    mst_close(old);
    mst_close(now);
}

static void values_and_elements(void **state) {
    (void)state;
    mst_document *old = open_json_file("samples/outpost.json", "outpost.level"),
                 *now = open_json_file("samples/outpost.json", "outpost.level");
    EDIT(now, SET("objects[5].properties.origin[0]", "99"), REMOVE("objects[2]"),
         SET("layers[0].visible", "false"));
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    compare(old, now, all);
    assert_int_equal(all->objects[MST_DIFFERENCE_REMOVE], 1);
    assert_int_equal(all->objects[MST_DIFFERENCE_SET], 1);
    assert_int_equal(all->count, 2);
    assert_int_equal(all->of_sort[MST_DIFFERENCE_VIEW], 1);
    assert_non_null(strstr(all->lines[0], "properties.origin"));
    free(all);
    mst_close(old);
    mst_close(now);
}

/* Removing a face shifts edges, vertices and rows of parallel lists: only the face is removed. */
static void faces_by_their_corners(void **state) {
    (void)state;
    mst_document *old = open_json_file("samples/outpost.json", "outpost.level"),
                 *now = open_json_file("samples/outpost.json", "outpost.level");
    EDIT(now, REMOVE("mesh.faces[3]"));
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    compare(old, now, all);
    assert_int_equal(all->count, 1);
    assert_int_equal(all->faces[MST_DIFFERENCE_REMOVE], 1);
    assert_memory_equal(all->lines[0], "- mesh.faces[3/-1]", 18);
    EDIT(now, SET("mesh.vertices[0].position[1]", "77"));
    compare(old, now, all);
    assert_int_equal(all->faces[MST_DIFFERENCE_REMOVE] - all->faces[MST_DIFFERENCE_ADD], 1);
    assert_int_equal(all->count,
                     all->reshaped + all->faces[MST_DIFFERENCE_REMOVE] + all->faces[MST_DIFFERENCE_ADD]);
    assert_true(all->reshaped >= 1);
    free(all);
    mst_close(old);
    mst_close(now);
}

/* A loop that traverses one of its edges in reverse has other corners. */
static void edges_are_turned(void **state) {
    (void)state;
    mst_document *old = open_json_file("samples/outpost.json", "outpost.level"),
                 *now = open_json_file("samples/outpost.json", "outpost.level");
    EDIT(now, SET("mesh.faces[3].loops[0][1].flipped", "true"));
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    compare(old, now, all);
    assert_int_equal(all->count, 1);
    assert_int_equal(all->reshaped, 1);
    free(all);
    mst_close(old);
    mst_close(now);
}

/* A vertex that moves is still a corner of its faces: these are reshaped, edges and triangles stay. A removed
 * vertex has not moved to an inserted one with other links. */
static void vertices_move(void **state) {
    (void)state;
    mst_document *old = open_json_file("samples/outpost.json", "outpost.level"),
                 *now = open_json_file("samples/outpost.json", "outpost.level");
    EDIT(now, SET("mesh.vertices[100].position[1]", "7"));
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    for (int back = 0; back < 2; back++) {
        compare(back ? now : old, back ? old : now, all);
        assert_int_equal(all->moved, 1);
        assert_int_equal(all->vertices[MST_DIFFERENCE_SET], 1);
        assert_int_equal(all->of_sort[MST_DIFFERENCE_PART], 1);
        assert_int_equal(all->of_sort[MST_DIFFERENCE_DERIVED] + all->of_sort[MST_DIFFERENCE_STORAGE], 0);
        assert_int_equal(all->count, 3); /* it is in three faces of the sample */
        assert_int_equal(all->reshaped, 3);
        assert_int_equal(all->following, 3);
    }
    EDIT(now, SET("mesh.vertices[101].position[1]", "8"), REMOVE("mesh.faces[3]"));
    compare(old, now, all);
    assert_int_equal(all->moved, 2);
    assert_int_equal(all->faces[MST_DIFFERENCE_REMOVE], 1);
    assert_int_equal(all->following, all->reshaped);
    free(all);
    mst_close(old);
    mst_close(now);
}

/* The elements that moved as a whole, and their maximum distance. */
typedef struct moves {
    size_t whole, along, other; /* faces that moved so, accompanying changes, other changes of faces */
    double by[3];
} moves;

static mst_status see_move(void *user, const mst_difference *change) {
    moves *all = user;
    if (change->sort != MST_DIFFERENCE_CONTENT || strcmp(change->list, "mesh.faces") != 0)
        return MST_OK;
    if (change->moves_whole) {
        assert_true(change->reshapes && change->follows);
        memcpy(all->by, change->moved_by, sizeof all->by);
    }
    all->whole += change->moves_whole != 0;
    all->along += change->along != 0;
    all->other += !change->moves_whole && !change->along;
    return MST_OK;
}

static moves moves_between(const mst_document *old, const mst_document *now) {
    moves all = {.whole = 0};
    mst_diagnostic why;
    MUST(mst_diff(old, now, NULL, see_move, &all, &why), &why);
    return all;
}

/* Faces move together with their vertices, although none of the linked elements remain in place. */
static void faces_move_together(void **state) {
    (void)state;
    mst_document *old = open_json_file("samples/outpost.json", "outpost.level"),
                 *now = open_json_file("samples/outpost.json", "outpost.level");
    mst_edit_options each = {.size = sizeof each, .each = 1};
    mst_diagnostic said;
    mst_value faces;
    MUST(mst_find(mst_root(old), "mesh.faces", &faces, &said), &said);
    const size_t count = (size_t)mst_count(&faces);
    mst_operation by = {.kind = MST_OPERATION_MOVE_BY, .path = "mesh.faces[*]", .value = "30,0.25,-0.1"};
    MUST(mst_edit(now, &by, 1, &each, &said), &said);
    moves all = moves_between(old, now);
    assert_int_equal(all.whole, count);
    assert_int_equal(all.other, 0);
    assert_true(all.along > 0);
    assert_true(fabs(all.by[0] - 30) < 1e-4 && fabs(all.by[1] - 0.25) < 1e-4 && fabs(all.by[2] + 0.1) < 1e-4);
    EDIT(now, REMOVE("mesh.faces[7]"), SET("mesh.faces[2].scale[0]", "4"));
    all = moves_between(old, now); /* the numbers of the following faces differ */
    assert_int_equal(all.whole, count - 1);
    assert_int_equal(all.other, 2);
    all = moves_between(now, old);
    assert_int_equal(all.whole, count - 1);
    assert_true(fabs(all.by[0] + 30) < 1e-4);
    mst_close(old);
    mst_close(now);
}

/* Faces at the same distance by chance have not moved: they are between other corners. */
static void faces_do_not_seem_to_move(void **state) {
    (void)state;
    static const char *const shapes[2] = {"[[0,0,0],[0,0,4],[4,0,4],[4,0,0]]",
                                          "[[90,0,0],[90,0,5],[97,0,5],[97,0,0]]"};
    mst_document *sides[2];
    for (size_t i = 0; i < 2; i++) {
        char face[200];
        sides[i] = open_json_file("samples/outpost.json", "outpost.level");
        snprintf(face, sizeof face, "{\"positions\":%s,\"material\":\"materials/outpost/floor.material\"}",
                 shapes[i]);
        EDIT(sides[i], INSERT("mesh.faces[173]", face));
    }
    const moves all = moves_between(sides[0], sides[1]);
    assert_int_equal(all.whole, 0);
    assert_int_equal(all.other, 2);
    mst_close(sides[0]);
    mst_close(sides[1]);
}

/* ---- defaults ---------------------------------------------------------------------------------------- */

typedef struct defaults {
    char lines[16][80]; /* paths of values, with "=" if the schema has the new one */
    size_t count;
} defaults;

static mst_status note_default(void *user, const mst_difference *change) {
    defaults *all = user;
    assert_true(all->count < sizeof all->lines / sizeof *all->lines);
    if (change->sort != MST_DIFFERENCE_CONTENT)
        return MST_OK;
    snprintf(all->lines[all->count++], sizeof *all->lines, "%s%.60s", change->is_default ? "=" : "",
             change->path);
    return MST_OK;
}

/* Degrees are stored as radians, and reals as f32: the value is the same. */
static void values_of_the_schema(void **state) {
    (void)state;
    static const char schema[] = "<editor><classes><class name=\"light_point\">"
                                 "<parameter name=\"intensity\" type=\"real\" default=\"0.1\"/>"
                                 "<parameter name=\"innerAngle\" type=\"angle\" default=\"90\"/>"
                                 "<parameter name=\"castsShadows\" type=\"boolean\" default=\"true\"/>"
                                 "<parameter name=\"color\" type=\"color\" default=\"1, 0.5, 0.25\"/>"
                                 "<parameter name=\"name\" type=\"string\" default=\"lamp\"/>"
                                 "</class></classes></editor>";
    mst_document *old = open_json_file("samples/outpost.json", "outpost.level"),
                 *now = open_json_file("samples/outpost.json", "outpost.level");
    EDIT(now, SET("objects[19].properties.intensity", "0.1"), SET("objects[20].properties.intensity", "0.2"),
         SET("objects[19].properties.color", "[1, 0.5, 0.25]"),
         SET("objects[20].properties.color", "[1, 0.5, 0.5]"), SET("objects[7].properties.origin[0]", "-24"));
    const mst_operation added[] = {
        INSERT("objects[19].properties[0]",
               "{\"name\":\"innerAngle\",\"type\":\"angle\",\"value\":[1.57079637]}"),
        INSERT("objects[19].properties[0]", "{\"name\":\"castsShadows\",\"type\":\"bool\",\"value\":[true]}"),
        INSERT("objects[20].properties[0]", "{\"name\":\"name\",\"type\":\"string\",\"value\":[\"lamp\"]}"),
        INSERT("objects[20].properties[0]",
               "{\"name\":\"castsShadows\",\"type\":\"bool\",\"value\":[false]}")};
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        mst_value there;
        char path[80];
        const char *name = strstr(added[i].value, ":\"") + 2;
        snprintf(path, sizeof path, "%.11sproperties.%.*s", added[i].path, (int)strcspn(name, "\""), name);
        if (mst_find(mst_root(now), path, &there, NULL) == MST_OK)
            MUST(mst_edit(now, &(mst_operation)REMOVE(path), 1, NULL, &why), &why);
        MUST(mst_edit(now, &added[i], 1, NULL, &why), &why);
    }
    defaults all = {.count = 0};
    const mst_diff_options how = {.size = sizeof how, .schema = schema, .schema_size = sizeof schema - 1};
    mst_status status = mst_diff(old, now, &how, note_default, &all, &why);
    if (status == MST_UNSUPPORTED)
        skip(); /* a build without XML */
    MUST(status, &why);
    static const char *const expected[] = {
        "=properties.intensity",   "properties.intensity",   "=properties.color",
        "properties.color",        "=properties.innerAngle", "=properties.castsShadows",
        "properties.castsShadows", "=properties.name",       "properties.origin"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        bool seen_it = false;
        for (size_t k = 0; k < all.count; k++)
            seen_it = seen_it || strcmp(all.lines[k], expected[i]) == 0;
        if (!seen_it)
            print_error("not seen: %s\n", expected[i]);
        assert_true(seen_it);
    }
    assert_int_equal(all.count, sizeof expected / sizeof *expected);
    const mst_diff_options bad = {.size = sizeof bad, .schema = "<", .schema_size = 1};
    assert_int_equal(mst_diff(old, now, &bad, note_default, &all, &why), MST_ARGUMENT);
    mst_close(old);
    mst_close(now);
}

static void other_families(void **state) {
    (void)state;
    mst_document *old = open_json_file("samples/valley.json", "valley.map"),
                 *now = open_json_file("samples/valley.json", "valley.map");
    EDIT(now, SET("actors.records[0].health", "7"), REMOVE("actors.records[3]"));
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    compare(old, now, all);
    if (all->count != 2)
        print_seen(all);
    assert_int_equal(all->count, 2);
    assert_memory_equal(all->lines[0], "~ actors.records[0/0]", 21);
    assert_memory_equal(all->lines[1], "- actors.records[3/-1]", 22);
    mst_close(old);
    mst_close(now);
    old = open_json_file("samples/bunker.json", "L101LEV.MAP");
    now = open_json_file("samples/bunker.json", "L101LEV.MAP");
    EDIT(now, SET("map.monsters[0].health", "7"), SET("map.pickups[0].x", "9"));
    compare(old, now, all);
    assert_int_equal(all->count, 2);
    assert_memory_equal(all->lines[0], "~ map.monsters[0/0]", 19);
    assert_memory_equal(all->lines[1], "~ map.pickups[0/0]", 18);
    mst_close(old);
    mst_close(now);
    old = open_json_file("samples/keep/7_10_10.json", "7_10_10.DAT");
    now = open_json_file("samples/keep/7_10_10.json", "7_10_10.DAT");
    EDIT(now, SET("objects[1].position[0]", "5"));
    compare(old, now, all);
    assert_int_equal(all->count, 1);
    assert_memory_equal(all->lines[0], "~ objects[1/1]", 14);
    free(all);
    mst_close(old);
    mst_close(now);
}

/* A level of an earlier version: only the additions of the later one are reported. */
static void versions_differ(void **state) {
    (void)state;
    session old, now;
    begin(&old, &(level_plan){.version = 9});
    begin(&now, &(level_plan){.version = 10});
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    compare(old.d, now.d, all);
    assert_true(all->count > 0);
    for (size_t i = 0; i < all->count; i++)
        if (!strstr(all->lines[i], "version") && !strstr(all->lines[i], "extras"))
            print_error("  %s\n", all->lines[i]);
    free(all);
    end(&old);
    end(&now);
}

/* ---- limits ----------------------------------------------------------------------------------------- */

static mst_status stop(void *user, const mst_difference *change) {
    (void)user, (void)change;
    return MST_STOPPED;
}

static void ends_when_told(void **state) {
    (void)state;
    session s, other;
    begin(&s, &(level_plan){.version = 10});
    begin(&other, &(level_plan){.version = 10, .everything = true});
    assert_int_equal(mst_diff(s.d, other.d, NULL, stop, NULL, NULL), MST_STOPPED);
    end(&s);
    end(&other);
}

/* Every request for memory fails once, and nothing is lost. */
static void memory_runs_out(void **state) {
    (void)state;
    session old, now;
    begin(&old, &(level_plan){.version = 10});
    begin(&now, &(level_plan){.version = 10, .everything = true});
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    for (size_t at = 1;; at++) {
        counted c = {.fail_at = at};
        mst_diff_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        mst_diagnostic why;
        memset(all, 0, sizeof *all);
        mst_status status = mst_diff(old.d, now.d, &options, see, all, &why);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed) {
            MUST(status, &why);
            break;
        }
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        assert_true(at < 100000);
    }
    mst_diff_options little = {.size = sizeof little, .budget = 64};
    assert_int_equal(mst_diff(old.d, now.d, &little, see, all, NULL), MST_NO_MEMORY);
    free(all);
    end(&old);
    end(&now);
}

/* A value nested unusually deep is a single change, and does not take longer. */
static void deep_nesting(void **state) {
    (void)state;
    mst_document *sides[2];
    writer w[2] = {{0}, {0}};
    mst_open_options options = {.size = sizeof options, .name = "7_3_5.DAT"};
    seen *all = malloc(sizeof *all);
    assert_non_null(all);
    for (int side = 0; side < 2; side++) {
        mst_diagnostic why;
        put_nested_inventories(&w[side], 2000);
        size_t at = w[side].size - 1;
        while (memcmp(w[side].data + at, "chest", 5) != 0)
            at--;
        w[side].data[at] = side ? 'C' : 'c';
        MUST(mst_open_memory(w[side].data, w[side].size, &options, &sides[side], &why), &why);
    }
    compare(sides[0], sides[1], all);
    assert_int_equal(all->count, 1);
    assert_memory_equal(all->lines[0], "~ objects[0].inventory[0].inventory[0]", 38);
    free(all);
    for (int side = 0; side < 2; side++) {
        mst_close(sides[side]);
        writer_free(&w[side]);
    }
}

static void formats_differ(void **state) {
    (void)state;
    mst_diagnostic why;
    mst_document *one = open_json_file("samples/outpost.json", "outpost.level"),
                 *map = open_json_file("samples/valley.json", "valley.map");
    assert_int_equal(mst_diff(one, map, NULL, refuse, NULL, &why), MST_ARGUMENT);
    assert_non_null(strstr(why.message, "cannot be compared"));
    mst_close(one);
    mst_close(map);
}

/* ---- the tables ------------------------------------------------------------------------------------- */

static bool names_field(const mst_format *format, const mst_compared *facts) {
    for (size_t r = 0; r < format->tables.record_count; r++) {
        const mst_record *record = format->tables.records[r];
        for (uint16_t f = 0; f < record->field_count; f++) {
            const mst_chunks *chunks = record->fields[f].chunks;
            if (strcmp(record->name, facts->record) != 0)
                continue;
            if (strcmp(record->fields[f].name, facts->field) == 0)
                return true;
            for (uint8_t c = 0; chunks && c < chunks->case_count; c++)
                if (strcmp(chunks->cases[c].field.name, facts->field) == 0)
                    return true;
        }
    }
    return false;
}

/* Each fact is about a field of a format that has the table of facts. */
static void facts_name_fields(void **state) {
    (void)state;
    for (size_t i = 0; mst_formats[i]; i++)
        for (const mst_compared *facts = mst_formats[i]->tables.compared; facts && facts->record; facts++) {
            bool named = false;
            for (size_t k = 0; mst_formats[k]; k++)
                named = named || (mst_formats[k]->tables.compared == mst_formats[i]->tables.compared &&
                                  names_field(mst_formats[k], facts));
            if (!named)
                print_error("%s.%s\n", facts->record, facts->field);
            assert_true(named);
        }
}

int test_diff(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(successive_saves),
        cmocka_unit_test(nothing_has_changed),
        cmocka_unit_test(insertions_change_nothing_else),
        cmocka_unit_test(edits_in_place),
        cmocka_unit_test(values_and_elements),
        cmocka_unit_test(faces_by_their_corners),
        cmocka_unit_test(edges_are_turned),
        cmocka_unit_test(vertices_move),
        cmocka_unit_test(faces_move_together),
        cmocka_unit_test(faces_do_not_seem_to_move),
        cmocka_unit_test(values_of_the_schema),
        cmocka_unit_test(other_families),
        cmocka_unit_test(versions_differ),
        cmocka_unit_test(ends_when_told),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(formats_differ),
        cmocka_unit_test(deep_nesting),
        cmocka_unit_test(facts_name_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
