/* SPDX-License-Identifier: MIT */
/* Real levels: every byte of them survives, and figures are those of an independent reader. */
#include "../src/core/json.h"
#include "support.h"

#define FOLDER "ns2"

static void list_levels(corpus_list *list) {
    if (!corpus_files(FOLDER, ".level", ".clip", list)) {
        print_message("# there is no corpus (MAPSTONE_CORPUS)\n");
        skip();
    }
    assert_true(list->count > 0);
}

static uint8_t *read_level(const char *name, size_t *size) {
    char path[200];
    snprintf(path, sizeof path, FOLDER "/%s", name);
    return corpus_read(path, size);
}

static mst_document *open_level(const char *name, const uint8_t *bytes, size_t size) {
    mst_document *document;
    mst_diagnostic why;
    mst_status status = mst_open_memory(bytes, size, NULL, &document, &why);
    if (status != MST_OK)
        print_error("%s\n", name);
    MUST(status, &why);
    return document;
}

static void levels_survive(void **state) {
    corpus_list list;
    (void)state;
    list_levels(&list);
    for (size_t i = 0; i < list.count; i++) {
        size_t size;
        uint8_t *bytes = read_level(list.names[i], &size);
        mst_document *document = open_level(list.names[i], bytes, size);
        assert_encodes(document);
        assert_json(document, 1);
        assert_ledger(document);
        if (size < 100000)
            assert_json(document, 0);
        mst_close(document);
        free(bytes);
    }
}

/* ---- figures ----------------------------------------------------------------------------------- */

static uint64_t count_at(const mst_document *d, const char *path) {
    mst_value value;
    return mst_find(mst_root(d), path, &value, NULL) == MST_OK ? mst_count(&value) : 0;
}

static const mst_json_node *member(const mst_json_node *nodes, const mst_json_node *object,
                                   const char *name) {
    const mst_json_node *node = object + 1;
    assert_int_equal(object->kind, MST_JSON_OBJECT);
    for (uint32_t i = 0; i < object->count; i++) {
        if (node->length == strlen(name) && memcmp(node->text, name, node->length) == 0)
            return node + 1;
        node = &nodes[node[1].end];
    }
    print_error("the figures have no %s\n", name);
    fail();
    return NULL;
}

static uint64_t number_of(const mst_json_node *node) {
    uint64_t number = 0;
    assert_int_equal(node->kind, MST_JSON_NUMBER);
    assert_true(mst_read_u64(node->text, node->length, &number));
    return number;
}

static void same_text(const mst_value *value, const mst_json_node *node) {
    char text[512];
    size_t length;
    MUST(mst_get_text(value, text, sizeof text, &length), NULL);
    assert_int_equal(node->kind, MST_JSON_STRING);
    assert_int_equal(length, node->length);
    assert_memory_equal(text, node->text, length);
}

static void same_names(const mst_document *d, const char *path, const mst_json_node *nodes,
                       const mst_json_node *names) {
    char name[64];
    assert_int_equal(count_at(d, path), names->count);
    const mst_json_node *node = names + 1;
    for (uint32_t i = 0; i < names->count; i++, node = &nodes[node->end]) {
        mst_value value;
        snprintf(name, sizeof name, "%s[%u].name", path, i);
        MUST(mst_find(mst_root(d), name, &value, NULL), NULL);
        same_text(&value, node);
    }
}

/* The box around all positions, read in one go. */
static void same_box(const mst_document *d, const mst_json_node *nodes, const mst_json_node *box) {
    mst_value value;
    uint64_t count = count_at(d, "mesh.vertices");
    if (!count || box->kind != MST_JSON_ARRAY)
        return;
    float *positions = malloc((size_t)count * 3 * sizeof *positions), low[3], high[3];
    assert_non_null(positions);
    mst_target target = {.type = MST_F32, .data = positions, .capacity = count};
    MUST(mst_find(mst_root(d), "mesh.vertices[:].position", &value, NULL), NULL);
    uint64_t read;
    MUST(mst_read(&value, &target, &read, NULL), NULL);
    assert_int_equal(read, count);
    for (size_t c = 0; c < 3; c++) {
        low[c] = high[c] = positions[c];
        for (size_t i = 0; i < count; i++) {
            float at = positions[3 * i + c];
            low[c] = at < low[c] ? at : low[c];
            high[c] = at > high[c] ? at : high[c];
        }
    }
    free(positions);
    const mst_json_node *corner = box + 1;
    for (int which = 0; which < 2; which++, corner = &nodes[corner->end]) {
        assert_int_equal(corner->count, 3);
        for (size_t c = 0; c < 3; c++) {
            double expected;
            assert_true(mst_read_f64(corner[1 + c].text, corner[1 + c].length, &expected));
            assert_true((double)(which ? high[c] : low[c]) == expected);
        }
    }
}

static void same_classes(const mst_document *d, const mst_json_node *nodes, const mst_json_node *classes) {
    const mst_json_node *node = classes + 1;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < classes->count; i++, node = &nodes[node[1].end]) {
        mst_value objects, object, name;
        uint64_t count = 0;
        MUST(mst_find(mst_root(d), "objects", &objects, NULL), NULL);
        for (mst_iterator it = mst_iterate(&objects); mst_next(&it, &object);) {
            const void *bytes;
            size_t size;
            MUST(mst_member(&object, "class_name", &name), NULL);
            MUST(mst_get_bytes(&name, &bytes, &size), NULL);
            count += size == node->length && memcmp(bytes, node->text, size) == 0;
        }
        assert_int_equal(count, number_of(node + 1));
        sum += count;
    }
    assert_int_equal(sum, count_at(d, "objects"));
}

static void same_mesh(const mst_document *d, const mst_json_node *nodes, const mst_json_node *figures) {
    mst_value list, face, loops, loop;
    uint64_t loop_count = 0, loop_edges = 0, triangles = 0, stored;
    if (mst_find(mst_root(d), "mesh.faces", &list, NULL) == MST_OK)
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &face);) {
            MUST(mst_member(&face, "loops", &loops), NULL);
            for (mst_iterator inner = mst_iterate(&loops); mst_next(&inner, &loop); loop_count++)
                loop_edges += mst_count(&loop);
        }
    if (mst_find(mst_root(d), "mesh.triangles.faces", &list, NULL) == MST_OK)
        for (mst_iterator it = mst_iterate(&list); mst_next(&it, &face);)
            triangles += mst_count(&face);
    assert_int_equal(loop_count, number_of(member(nodes, figures, "loops")));
    assert_int_equal(loop_edges, number_of(member(nodes, figures, "loop_edges")));
    assert_int_equal(triangles, number_of(member(nodes, figures, "triangles")));
    if (mst_find(mst_root(d), "mesh.triangles.triangle_count", &list, NULL) == MST_OK) {
        MUST(mst_get_unsigned(&list, &stored), NULL);
        assert_int_equal(stored, triangles);
    }
    static const struct {
        const char *figure, *path;
    } counts[] = {{"materials", "mesh.materials"},
                  {"vertices", "mesh.vertices"},
                  {"edges", "mesh.edges"},
                  {"faces", "mesh.faces"},
                  {"ghosts", "mesh.triangles.ghost_vertices"},
                  {"normals", "mesh.triangles.smoothed_normals"},
                  {"mapping_groups", "mesh.mapping_groups"},
                  {"objects", "objects"}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        assert_int_equal(count_at(d, counts[i].path), number_of(member(nodes, figures, counts[i].figure)));
    static const char *const groups[] = {"mesh.geometry_groups.vertex_groups",
                                         "mesh.geometry_groups.edge_groups",
                                         "mesh.geometry_groups.face_groups"};
    const mst_json_node *numbers = member(nodes, figures, "geom_groups");
    if (numbers->kind == MST_JSON_ARRAY)
        for (uint32_t i = 0; i < numbers->count; i++)
            assert_int_equal(count_at(d, groups[i]), number_of(numbers + 1 + i));
}

typedef struct tally {
    uint64_t dangling; /* triangles with a vertex that is not there */
    char last[200];    /* the triangle of the last such finding */
} tally;

/* Three findings may be of one triangle: "mesh.triangles.faces[1][2].vertices[0]". */
static mst_status count_dangling(void *user, const mst_diagnostic *finding) {
    tally *t = user;
    char triangle[200];
    if (strcmp(finding->code, "NS2-TRIANGLE-VERTEX") != 0)
        return MST_OK;
    const char *end = strstr(finding->path, ".vertices[");
    assert_non_null(end);
    snprintf(triangle, sizeof triangle, "%.*s", (int)(end - finding->path), finding->path);
    t->dangling += strcmp(triangle, t->last) != 0;
    memcpy(t->last, triangle, sizeof t->last);
    return MST_OK;
}

static void compare(const mst_json_node *nodes, const mst_json_node *figures) {
    const mst_json_node *name = member(nodes, figures, "file");
    char file[160];
    size_t size;
    snprintf(file, sizeof file, "%.*s", (int)name->length, name->text);
    uint8_t *bytes = read_level(file, &size);
    mst_document *d = open_level(file, bytes, size);
    print_message("# %s\n", file);
    assert_int_equal(size, number_of(member(nodes, figures, "size")));
    assert_int_equal(mst_document_version(d), number_of(member(nodes, figures, "version")));
    same_mesh(d, nodes, figures);
    uint64_t properties = 0, extras = 0;
    mst_value objects, object, list;
    if (mst_find(mst_root(d), "objects", &objects, NULL) == MST_OK)
        for (mst_iterator it = mst_iterate(&objects); mst_next(&it, &object);) {
            properties += mst_member(&object, "properties", &list) == MST_OK ? mst_count(&list) : 0;
            extras += mst_member(&object, "extras", &list) == MST_OK ? mst_count(&list) : 0;
        }
    assert_int_equal(properties, number_of(member(nodes, figures, "properties")));
    assert_int_equal(extras, number_of(member(nodes, figures, "extras")));
    same_names(d, "layers", nodes, member(nodes, figures, "layers"));
    same_names(d, "groups", nodes, member(nodes, figures, "groups"));
    same_box(d, nodes, member(nodes, figures, "bbox"));
    same_classes(d, nodes, member(nodes, figures, "classes"));
    tally t = {0};
    mst_check_result result;
    mst_diagnostic why;
    MUST(mst_check(d, NULL, count_dangling, &t, &result, &why), &why);
    assert_int_equal(result.errors, 0);
    assert_int_equal(t.dangling, number_of(member(nodes, figures, "dangling_tri")));
    mst_close(d);
    free(bytes);
}

static void figures_are_as_expected(void **state) {
    (void)state;
    size_t size;
    uint8_t *text = corpus_read(FOLDER "/expected.json", &size);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    mst_arena_begin(&arena, NULL, 0);
    mst_status status = mst_json_parse((const char *)text, size, &arena, &json, &why);
    if (status == MST_UNSUPPORTED) {
        mst_arena_end(&arena);
        free(text);
        skip();
    }
    MUST(status, &why);
    const mst_json_node *nodes = json.nodes, *node = nodes + 1;
    assert_true(nodes->kind == MST_JSON_ARRAY && nodes->count > 0);
    for (uint32_t i = 0; i < nodes->count; i++, node = &nodes[node->end])
        compare(nodes, node);
    mst_arena_end(&arena);
    free(text);
}

/* ---- damage ------------------------------------------------------------------------------------ */

static void try_beginning(const uint8_t *bytes, size_t size) {
    mst_document *document;
    mst_diagnostic why;
    mst_status status = mst_open_memory(bytes, size, NULL, &document, &why);
    if (status == MST_OK) {
        mst_close(document);
        return;
    }
    assert_true(status == MST_DAMAGED || status == MST_UNKNOWN);
    assert_int_equal(why.status, status);
    assert_true(status == MST_UNKNOWN || (why.code[0] != 0 && why.offset <= size));
}

/* Every beginning of the smallest level of each version, and some of the others. */
static void beginnings(void **state) {
    corpus_list list;
    (void)state;
    list_levels(&list);
    size_t smallest[256] = {0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < list.count; i++) {
            size_t size;
            uint8_t *bytes = read_level(list.names[i], &size);
            uint8_t version = size > 3 && memcmp(bytes, "LVL", 3) == 0 ? bytes[3] : 0;
            if (pass == 0) {
                smallest[version] = !smallest[version] || size < smallest[version] ? size : smallest[version];
            } else {
                size_t step = size == smallest[version] && size < 100000 ? 1 : size / 500 + 1;
                for (size_t end = 0; end < size; end += step)
                    try_beginning(bytes, end);
            }
            free(bytes);
        }
}

static void flipped_bytes(void **state) {
    corpus_list list;
    random_state r = {2024};
    (void)state;
    list_levels(&list);
    for (size_t i = 0; i < list.count; i++) {
        size_t size;
        uint8_t *bytes = read_level(list.names[i], &size);
        for (int turn = 0; turn < (size < 100000 ? 300 : 10); turn++) {
            /* half of them among the counts and names at the beginning */
            size_t at = random_next(&r) % (turn % 2 && size > 2000 ? 2000 : size);
            uint8_t old = bytes[at];
            bytes[at] = (uint8_t)(old ^ (1 + random_below(&r, 255)));
            mst_document *document;
            if (mst_open_memory(bytes, size, NULL, &document, NULL) == MST_OK) {
                assert_encodes(document);
                if (turn % 10 == 0) {
                    assert_ledger(document);
                    assert_checks(document);
                    assert_json(document, 1);
                }
                mst_close(document);
            }
            bytes[at] = old;
        }
        free(bytes);
    }
}

/* What the editor's schema says of real levels is said without trouble. */
static void real_schema(void **state) {
    corpus_list list;
    (void)state;
    list_levels(&list);
    size_t length;
    uint8_t *text = corpus_read(FOLDER "/editor_setup.xml", &length);
    for (size_t i = 0; i < list.count; i++) {
        size_t size;
        uint8_t *bytes = read_level(list.names[i], &size);
        mst_document *document = open_level(list.names[i], bytes, size);
        mst_check_options options = {.schema = (const char *)text, .schema_size = length, .information = 1};
        mst_check_result plain, with;
        mst_diagnostic why;
        MUST(mst_check(document, NULL, NULL, NULL, &plain, &why), &why);
        mst_status status = mst_check(document, &options, NULL, NULL, &with, &why);
        if (status != MST_UNSUPPORTED) {
            MUST(status, &why);
            assert_true(with.warnings >= plain.warnings);
        }
        mst_close(document);
        free(bytes);
    }
    free(text);
}

int main(void) {
    /* the one that may skip comes last: node's WASI does not survive a program that used files, ended early
     * and is started again */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_survive),          cmocka_unit_test(beginnings),
        cmocka_unit_test(flipped_bytes),           cmocka_unit_test(real_schema),
        cmocka_unit_test(figures_are_as_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
