/* SPDX-License-Identifier: MIT */
/* Real levels: every byte of them survives, and figures match an independent reader's. */
#include "../src/core/json.h"
#include "support.h"

#define FOLDER "ns2"

static void list_levels(corpus_list *list) {
    if (!corpus_files(FOLDER, ".level", ".clip", list)) {
        print_message("# no corpus found (MAPSTONE_CORPUS)\n");
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

/* The box around all positions, read in one call. */
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
    uint64_t dangling; /* triangles with a missing vertex */
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
                for (size_t end = 0; end < size; end += step * sample_step())
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
        for (size_t turn = 0; turn < (size < 100000 ? 300u : 10u); turn += sample_step()) {
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

/* Checks with the editor's schema succeed on real levels. */
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
        mst_check_options options = {
            .size = sizeof options, .schema = (const char *)text, .schema_size = length, .information = 1};
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

/* ---- Alien Trilogy ----------------------------------------------------------------------------- */

/* A document of the corpus under its own name; `bytes` is to be freed. */
static mst_document *open_corpus(const char *name, uint8_t **bytes, size_t *size) {
    *bytes = corpus_read(name, size);
    const char *base = strrchr(name, '/');
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.size = sizeof options, .name = base ? base + 1 : name};
    mst_status status = mst_open_memory(*bytes, *size, &options, &document, &why);
    if (status != MST_OK)
        print_error("%s\n", name);
    MUST(status, &why);
    return document;
}

static mst_status find_in_alien(void *user, const char *name, const void **bytes, size_t *size) {
    uint8_t **kept = user;
    if (strcmp(name, "111GFX.BIN") != 0)
        return MST_UNKNOWN;
    free(*kept);
    *bytes = *kept = corpus_read("alien/111GFX.BIN", size);
    return MST_OK;
}

static const char *const alien_levels[] = {"alien/L111LEV.MAP", "alien/L111LEV.big-endian.MAP"};

static void alien_levels_survive(void **state) {
    (void)state;
    uint8_t *bytes[2], *textures = NULL;
    size_t sizes[2];
    mst_resolver resolver = {.find = find_in_alien, .user = &textures};
    for (int big = 0; big < 2; big++) {
        mst_document *d = open_corpus(alien_levels[big], &bytes[big], &sizes[big]);
        assert_string_equal(mst_document_format(d)->id, "alien-map");
        assert_encodes(d);
        assert_json(d, 1);
        assert_ledger(d);
        /* it has no faults, including its textures */
        findings list = {0};
        mst_check_options options = {.size = sizeof options, .sidecars = &resolver};
        mst_diagnostic why;
        MUST(mst_check(d, &options, collect, &list, NULL, &why), &why);
        print_findings(&list);
        assert_int_equal(list.count, 0);
        assert_non_null(textures);
        findings_free(&list);
        mst_close(d);
    }
    for (int big = 0; big < 2; big++) { /* converted, each equals the other */
        mst_document *d, *twin;
        mst_diagnostic why;
        MUST(mst_open_memory(bytes[big], sizes[big], NULL, &d, &why), &why);
        mst_convert_options options = {.size = sizeof options, .byte_order = big ? "little" : "big"};
        MUST(mst_convert(d, &options, NULL, NULL, &twin, &why), &why);
        assert_same_bytes(twin, bytes[!big], sizes[!big]);
        mst_close(twin);
        mst_close(d);
    }
    free(bytes[0]);
    free(bytes[1]);
    free(textures);
}

static uint64_t number_in(const mst_document *d, const char *path) {
    mst_value value;
    mst_diagnostic why;
    uint64_t number;
    MUST(mst_find(mst_root(d), path, &value, &why), &why);
    MUST(mst_get_unsigned(&value, &number), NULL);
    return number;
}

/* The figures of a record whose fields are all bytes, or all 16-bit numbers. */
static void same_bytes_of(const mst_document *d, const char *path, unsigned width,
                          const mst_json_node *figures) {
    mst_value value;
    uint64_t offset, length;
    size_t size;
    const uint8_t *data = mst_document_bytes(d, &size);
    MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
    mst_value_span(&value, &offset, &length);
    assert_int_equal(length, (uint64_t)figures->count * width);
    for (uint32_t i = 0; i < figures->count; i++)
        assert_int_equal(mst_load(data + offset + (size_t)i * width, width, false),
                         number_of(figures + 1 + i));
}

static void same_quad(const mst_document *d, uint64_t index, const mst_json_node *figures) {
    char path[64];
    for (uint32_t i = 0; i < 7; i++) {
        static const char *const fields[] = {"vertices[0]", "vertices[1]", "vertices[2]", "vertices[3]",
                                             "texture",     "draw_flags",  "light"};
        snprintf(path, sizeof path, "map.quads[%u].%s", (unsigned)index, fields[i]);
        assert_int_equal(number_in(d, path), number_of(figures + 1 + i));
    }
}

static void alien_figures(const mst_json_node *nodes) {
    static const struct {
        const char *figure, *path;
        bool list;
    } header[] = {{"vertCount", "map.vertices", true},
                  {"quadCount", "map.quads", true},
                  {"length", "map.grid_columns", false},
                  {"width", "map.grid_rows", false},
                  {"startX", "map.start_x", false},
                  {"startY", "map.start_y", false},
                  {"monsters", "map.monsters", true},
                  {"pickups", "map.pickups", true},
                  {"boxes", "map.boxes", true},
                  {"doors", "map.doors", true},
                  {"lifts", "map.lifts", true},
                  {"startAngle", "map.start_angle", false},
                  {"texAnims", "map.texture_animators", true},
                  {"texAnimWords", "map.texture_animation_words", true},
                  {"enemyMask", "map.enemy_mask", false},
                  {"ventMask", "map.vent_mask", false},
                  {"paths", "map.path_nodes", true},
                  {"lights", "map.lights", true},
                  {"triggers", "map.triggers", true},
                  {"commands", "map.commands", true}};
    for (int big = 0; big < 2; big++) {
        uint8_t *bytes;
        size_t size;
        mst_document *d = open_corpus(alien_levels[big], &bytes, &size);
        const mst_json_node *figures = member(nodes, nodes, "header");
        assert_int_equal(figures->count, sizeof header / sizeof *header);
        for (size_t i = 0; i < sizeof header / sizeof *header; i++) {
            uint64_t found = header[i].list ? count_at(d, header[i].path) : number_in(d, header[i].path);
            assert_int_equal(found, number_of(member(nodes, figures, header[i].figure)));
        }
        assert_int_equal(count_at(d, "map.cells"), number_of(member(nodes, figures, "length")) *
                                                       number_of(member(nodes, figures, "width")));
        same_quad(d, 0, member(nodes, nodes, "first_quad"));
        same_quad(d, count_at(d, "map.quads") - 2, member(nodes, nodes, "last_real_quad"));
        same_bytes_of(d, "map.monsters[0]", 1, member(nodes, nodes, "first_monster"));
        same_bytes_of(d, "map.doors[0]", 1, member(nodes, nodes, "first_door"));
        if (!big)
            same_bytes_of(d, "map.vertices[0]", 2, member(nodes, nodes, "first_vertex"));
        /* sections: name, place of the header, size of the content */
        const mst_json_node *sections = member(nodes, nodes, "sections"), *node = sections + 1;
        for (uint32_t i = 0; i < sections->count; i++, node = &nodes[node->end]) {
            char path[32];
            mst_value value;
            uint64_t offset, length;
            snprintf(path, sizeof path, i ? "door_models[%u]" : "map", i - 1);
            MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
            mst_value_span(&value, &offset, &length);
            assert_int_equal(offset - (i ? 0 : 8), number_of(node + 2));
            assert_int_equal(length - (i ? 8 : 0), number_of(node + 3));
        }
        mst_close(d);
        free(bytes);
    }
    uint8_t *bytes;
    size_t size;
    mst_document *d = open_corpus("alien/111GFX.BIN", &bytes, &size);
    uint64_t rectangles = 0, lists = count_at(d, "rectangle_lists");
    for (uint64_t i = 0; i < lists; i++) {
        char path[64];
        snprintf(path, sizeof path, "rectangle_lists[%u].rectangles", (unsigned)i);
        rectangles += count_at(d, path);
    }
    assert_int_equal(rectangles, number_of(member(nodes, nodes, "texture_rectangles")));
    assert_encodes(d);
    assert_json(d, 1);
    assert_ledger(d);
    mst_close(d);
    free(bytes);
    bytes = corpus_read("alien/APRESENT.MAP", &size);
    mst_open_options options = {.size = sizeof options, .name = "APRESENT.MAP"};
    assert_int_equal(mst_open_memory(bytes, size, &options, &d, NULL), MST_UNKNOWN);
    free(bytes);
}

/* ---- Revenant ---------------------------------------------------------------------------------- */

typedef struct sector_figures {
    uint64_t slots, objects, inside, lights, velocities, stats, tails, classes[32];
} sector_figures;

static const char *const sector_classes[] = {
    "item",   "weapon", "armor",        "talisman",     "food",   "container", "lightsource",
    "tool",   "money",  "tile",         "exit",         "player", "character", "trap",
    "shadow", "helper", "key",          "invcontainer", "potion", "unused_19", "unused_20",
    "ammo",   "scroll", "rangedweapon", "unused_24",    "effect", "mapscroll", "early_20"};
#define SECTOR_CLASSES (sizeof sector_classes / sizeof *sector_classes)

/* An object of the top level, or a carried one; players are not inspected. */
static void add_object(sector_figures *f, const mst_value *object, bool inside) {
    mst_value value, element;
    uint64_t offset, length;
    f->slots += !inside;
    if (mst_count(object) == 1) /* an empty slot */
        return;
    MUST(mst_member(object, "class", &value), NULL);
    const char *name = mst_get_name(&value); /* numbers differ in the first files */
    f->objects += !inside;
    f->inside += inside;
    for (size_t i = 0; !inside && name && i < SECTOR_CLASSES; i++)
        f->classes[i] += strcmp(name, sector_classes[i]) == 0;
    if (!inside) {
        f->lights += mst_member(object, "light", &value) == MST_OK;
        f->velocities += mst_member(object, "velocity", &value) == MST_OK;
        f->stats += mst_member(object, "stats", &value) == MST_OK ? mst_count(&value) : 0;
        if (mst_member(object, "unknown_tail", &value) == MST_OK) {
            mst_value_span(&value, &offset, &length);
            f->tails += length > 0;
        }
    }
    /* inventories of real sectors are not deep */
    if (mst_member(object, "inventory", &value) == MST_OK)
        for (mst_iterator it = mst_iterate(&value); mst_next(&it, &element);)
            add_object(f, &element, true);
}

/* The figures of version 0 that others lack. */
#define FIGURES_OF_0 19
static void same_sector_0(const mst_value *objects, const mst_json_node *nodes,
                          const mst_json_node *figures) {
    uint64_t chained = 0, texts = 0, amounts = 0, shadows = 0, named = 0, offset, size;
    int64_t number, sums[3] = {0};
    mst_value object, value, element;
    const char *layout = "late";
    for (mst_iterator it = mst_iterate(objects); mst_next(&it, &object);) {
        if (mst_member(&object, "position", &value) != MST_OK)
            continue;
        for (unsigned k = 0; k < 3; k++) {
            MUST(mst_element(&value, k, &element), NULL);
            MUST(mst_get_integer(&element, &number), NULL);
            sums[k] += number;
        }
        layout = mst_member(&object, "unknown_d", &value) == MST_OK ? "early" : layout;
        texts += mst_member(&object, "text", &value) == MST_OK;
        amounts += mst_member(&object, "amount_minus_1", &value) == MST_OK;
        MUST(mst_member(&object, "name", &value), NULL);
        mst_value_span(&value, &offset, &size);
        named += size > 1; /* with its length */
        static const char *const names[] = {"first_item", "next_item", "shadow"};
        for (size_t i = 0; i < 3; i++) {
            MUST(mst_member(&object, names[i], &value), NULL);
            MUST(mst_get_integer(&value, &number), NULL);
            *(i < 2 ? &chained : &shadows) += number != -1;
        }
    }
    const mst_json_node *wanted = member(nodes, figures, "layout"),
                        *all = member(nodes, figures, "position_sum");
    assert_true(wanted->length == strlen(layout) && memcmp(wanted->text, layout, wanted->length) == 0);
    assert_int_equal(chained, number_of(member(nodes, figures, "chained_items")));
    assert_int_equal(texts, number_of(member(nodes, figures, "texts")));
    assert_int_equal(amounts, number_of(member(nodes, figures, "amounts")));
    assert_int_equal(shadows, number_of(member(nodes, figures, "shadows")));
    assert_int_equal(named, number_of(member(nodes, figures, "named")));
    for (unsigned k = 0; k < 3; k++)
        assert_int_equal(sums[k], number_of(all + 1 + k));
}

static void same_sector(const mst_document *d, const mst_json_node *nodes, const mst_json_node *figures) {
    sector_figures f;
    memset(&f, 0, sizeof f);
    mst_value objects, object, value;
    MUST(mst_find(mst_root(d), "objects", &objects, NULL), NULL);
    for (mst_iterator it = mst_iterate(&objects); mst_next(&it, &object);)
        add_object(&f, &object, false);
    if (mst_document_version(d) == 0)
        same_sector_0(&objects, nodes, figures);
    assert_int_equal(f.slots, number_of(member(nodes, figures, "slots")));
    assert_int_equal(f.objects, number_of(member(nodes, figures, "objects")));
    assert_int_equal(f.inside, number_of(member(nodes, figures, "in_inventories")));
    assert_int_equal(f.lights, number_of(member(nodes, figures, "lights")));
    assert_int_equal(f.velocities, number_of(member(nodes, figures, "with_velocity")));
    assert_int_equal(f.stats, number_of(member(nodes, figures, "stats")));
    assert_int_equal(f.tails, number_of(member(nodes, figures, "unknown_tails")));
    const mst_json_node *classes = member(nodes, figures, "classes"), *node = classes + 1;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < classes->count; i++, node = &nodes[node[1].end])
        for (size_t k = 0; k < SECTOR_CLASSES; k++)
            if (node->length == strlen(sector_classes[k]) &&
                memcmp(node->text, sector_classes[k], node->length) == 0) {
                assert_int_equal(f.classes[k], number_of(node + 1));
                sum += f.classes[k];
            }
    assert_int_equal(sum, f.objects);
    const mst_json_node *hash = member(nodes, figures, "state_hash");
    if (hash->kind == MST_JSON_NUMBER)
        assert_int_equal(number_in(d, "state_hash"), number_of(hash));
    else
        assert_int_equal(mst_find(mst_root(d), "state_hash", &value, NULL), MST_NO_PATH);
    const mst_json_node *first = NULL; /* that is not an empty slot */
    for (uint32_t i = 0; f.objects && !first; i++) {
        char path[64];
        uint64_t offset, length;
        snprintf(path, sizeof path, "objects[%u]", i);
        MUST(mst_find(mst_root(d), path, &object, NULL), NULL);
        if (mst_count(&object) == 1)
            continue;
        first = member(nodes, figures, "first");
        mst_value_span(&object, &offset, &length);
        assert_int_equal(offset, number_of(member(nodes, first, "offset")));
        MUST(mst_member(&object, "name", &value), NULL);
        same_text(&value, member(nodes, first, "name"));
        snprintf(path, sizeof path, "objects[%u].flags", i);
        assert_int_equal(number_in(d, path), number_of(member(nodes, first, "flags")));
        snprintf(path, sizeof path, "objects[%u].state", i);
        assert_int_equal(number_in(d, path), number_of(member(nodes, first, "state")));
        for (unsigned k = 0; k < 3; k++) {
            int64_t found;
            double wanted;
            const mst_json_node *at = member(nodes, first, "position") + 1 + k;
            snprintf(path, sizeof path, "objects[%u].position[%u]", i, k);
            MUST(mst_find(mst_root(d), path, &value, NULL), NULL);
            MUST(mst_get_integer(&value, &found), NULL);
            assert_true(mst_read_f64(at->text, at->length, &wanted));
            assert_true((double)found == wanted);
        }
    }
}

/* Converted to version 15 it equals the output of other code, where that exists. */
static void same_as_15(const mst_document *d, const char *base) {
    char name[160];
    corpus_list list;
    assert_true(corpus_files("revenant/v15", ".DAT", NULL, &list));
    for (size_t i = 0; i < list.count; i++) {
        if (strcmp(list.names[i], base) != 0)
            continue;
        size_t size;
        snprintf(name, sizeof name, "revenant/v15/%s", base);
        uint8_t *bytes = corpus_read(name, &size);
        mst_document *made;
        mst_diagnostic why;
        mst_convert_options options = {
            .size = sizeof options, .version = 15, .has_version = 1, .allow_loss = 1};
        MUST(mst_convert(d, &options, NULL, NULL, &made, &why), &why);
        assert_same_bytes(made, bytes, size);
        mst_close(made);
        free(bytes);
    }
}

static void compare_sector(const mst_json_node *nodes, const mst_json_node *figures) {
    const mst_json_node *name = member(nodes, figures, "file");
    if (figures->count < FIGURES_OF_0 && number_of(member(nodes, figures, "version")) == 0)
        return; /* these figures have been replaced */
    char path[200];
    uint8_t *bytes;
    size_t size;
    snprintf(path, sizeof path, "revenant/%.*s", (int)name->length, name->text);
    mst_document *d = open_corpus(path, &bytes, &size);
    uint64_t version = number_of(member(nodes, figures, "version"));
    assert_string_equal(mst_document_format(d)->id, "revenant-sector");
    assert_int_equal(mst_document_version(d), version);
    assert_encodes(d);
    assert_json(d, 1);
    assert_ledger(d);
    findings list = {0};
    mst_diagnostic why;
    mst_check_result result;
    MUST(mst_check(d, NULL, collect, &list, &result, &why), &why);
    assert_int_equal(result.errors, 0);
    assert_int_equal(count_code(&list, "REV-HASH") + count_code(&list, "REV-FILE-NAME"), 0);
    assert_int_equal(count_code(&list, "REV-V0-LAYOUT"), 0);
    findings_free(&list);
    same_sector(d, nodes, figures);
    if (version && version < 15)
        same_as_15(d, strrchr(path, '/') + 1);
    mst_close(d);
    free(bytes);
}

/* Calls a function with the figures of a file; skips without a corpus or a JSON reader. */
static void with_figures(const char *path, void (*use)(const mst_json_node *nodes)) {
    size_t size;
    uint8_t *text = corpus_read(path, &size);
    mst_arena arena;
    mst_json json;
    mst_diagnostic why;
    mst_arena_begin(&arena, NULL, 0);
    mst_status status = mst_json_parse((const char *)text, size, &arena, &json, &why);
    if (status == MST_OK)
        use(json.nodes);
    mst_arena_end(&arena);
    free(text);
    if (status == MST_UNSUPPORTED)
        skip();
    MUST(status, &why);
}

static void sector_figures_of_all(const mst_json_node *nodes) {
    const mst_json_node *node = nodes + 1;
    assert_true(nodes->kind == MST_JSON_ARRAY && nodes->count > 0);
    for (uint32_t i = 0; i < nodes->count; i++, node = &nodes[node->end])
        compare_sector(nodes, node);
}

static void alien_figures_are_as_expected(void **state) {
    (void)state;
    with_figures("alien/expected.json", alien_figures);
}

static void sector_figures_are_as_expected(void **state) {
    (void)state;
    with_figures("revenant/expected.json", sector_figures_of_all);
    with_figures("revenant/expected_v0.json", sector_figures_of_all);
}

/* Checks with the real class.def succeed on real sectors. */
static void real_classes(void **state) {
    (void)state;
    size_t length;
    uint8_t *text = corpus_read("revenant/class.def", &length);
    for (unsigned version = 1; version <= 15; version++) {
        char folder[32], path[200];
        corpus_list list;
        snprintf(folder, sizeof folder, "revenant/v%u", version);
        if (!corpus_files(folder, ".DAT", ".dat", &list))
            continue;
        for (size_t i = 0; i < list.count; i++) {
            uint8_t *bytes;
            size_t size;
            snprintf(path, sizeof path, "%s/%.128s", folder, list.names[i]);
            mst_document *d = open_corpus(path, &bytes, &size);
            mst_check_options options = {
                .size = sizeof options, .schema = (const char *)text, .schema_size = length};
            mst_check_result plain, with;
            mst_diagnostic why;
            MUST(mst_check(d, NULL, NULL, NULL, &plain, &why), &why);
            MUST(mst_check(d, &options, NULL, NULL, &with, &why), &why);
            assert_true(with.warnings >= plain.warnings);
            assert_int_equal(with.errors, 0);
            mst_close(d);
            free(bytes);
        }
    }
    free(text);
}

static void flipped_sectors(void **state) {
    (void)state;
    static const char *const files[] = {"revenant/v15/48_11_9.DAT", "revenant/v8/48_11_9.DAT",
                                        "revenant/v3/5_4_23.DAT",   "revenant/v1/52_11_8.DAT",
                                        "revenant/v0/0_2_1.DAT",    "alien/L111LEV.MAP"};
    random_state r = {2025};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t size;
        uint8_t *bytes = corpus_read(files[i], &size);
        for (size_t turn = 0; turn < (size < 100000 ? 300u : 10u); turn += sample_step()) {
            size_t at = random_next(&r) % size;
            uint8_t old = bytes[at];
            bytes[at] = (uint8_t)(old ^ (1 + random_below(&r, 255)));
            mst_document *document;
            mst_open_options options = {.size = sizeof options, .name = strrchr(files[i], '/') + 1};
            if (mst_open_memory(bytes, size, &options, &document, NULL) == MST_OK) {
                assert_encodes(document);
                assert_checks(document);
                if (turn % 10 == 0) {
                    assert_ledger(document);
                    assert_json(document, 1);
                }
                mst_close(document);
            }
            bytes[at] = old;
        }
        free(bytes);
    }
}

int test_corpus(void) {
    /* tests that may be skipped are last: node's WASI does not survive a program that used files, ended early
     * and is started again */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_survive),
        cmocka_unit_test(beginnings),
        cmocka_unit_test(flipped_bytes),
        cmocka_unit_test(real_schema),
        cmocka_unit_test(alien_levels_survive),
        cmocka_unit_test(real_classes),
        cmocka_unit_test(flipped_sectors),
        cmocka_unit_test(sector_figures_are_as_expected),
        cmocka_unit_test(alien_figures_are_as_expected),
        cmocka_unit_test(figures_are_as_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
