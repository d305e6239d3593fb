/* SPDX-License-Identifier: MIT */
/* Scenes of maps, of the world, and of real blocks. */
#include "sfa_scene_block.h"

/* ---- the corpus --------------------------------------------------------------------------------- */

static void normal_of(const mst_primitive *p, uint32_t at, double normal[3]) {
    double side[2][3];
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < 2; i++)
            side[i][k] = (double)p->positions[p->indices[at + 1 + i] * 3 + (uint32_t)k] -
                         (double)p->positions[p->indices[at] * 3 + (uint32_t)k];
    double length = 0;
    for (int k = 0; k < 3; k++) {
        normal[k] = side[0][(k + 1) % 3] * side[1][(k + 2) % 3] - side[0][(k + 2) % 3] * side[1][(k + 1) % 3];
        length += normal[k] * normal[k];
    }
    for (int k = 0; k < 3; k++)
        normal[k] /= sqrt(length);
}

/* In the real block the visible surfaces and the collision have the same orientation; three floors face
 * up. */
static void real_block(void **state) {
    (void)state;
    size_t size;
    uint8_t *bytes = corpus_read("sfa/samples/animtest.mod6.0.block.bin", &size);
    mst_scene *scene = scene_of(bytes, size, "mod6.0.block", NULL);
    unsigned up = 0, seen = 0;
    const mst_mesh *opaque = mesh_of(scene, "opaque");
    for (size_t i = 0; i < opaque->primitive_count; i++)
        for (uint32_t at = 0; at < opaque->primitives[i].index_count; at += 3) {
            double normal[3];
            bool same = false;
            normal_of(&opaque->primitives[i], at, normal);
            for (size_t n = 0; n < scene->node_count; n++) {
                if (scene->nodes[n].role != MST_ROLE_COLLISION)
                    continue;
                const mst_primitive *p = scene->meshes[scene->nodes[n].mesh].primitives;
                for (uint32_t k = 0; k < p->index_count; k += 3) {
                    double other[3];
                    normal_of(p, k, other);
                    same = same || normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2] > 0.99;
                }
            }
            assert_true(same);
            up += normal[1] > 0.99;
            seen++;
        }
    assert_int_equal(seen, 7);
    assert_int_equal(up, 3);
    mst_scene_free(scene);
    free(bytes);
}

static uint32_t triangles_under(const mst_scene *scene, mst_role role) {
    uint32_t count = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].role == role && scene->nodes[i].mesh >= 0)
            for (size_t k = 0; k < scene->meshes[scene->nodes[i].mesh].primitive_count; k++)
                count += scene->meshes[scene->nodes[i].mesh].primitives[k].index_count / 3;
    return count;
}

static void small_blocks(void **state) {
    (void)state;
    static const struct {
        const char *file;
        int y_min, y_max;
        uint32_t polygons;
    } blocks[] = {{"sfa/mini/animtest/mod6.0.block", -28, 186, 129},
                  {"sfa/mini/animtest/mod6.1.block", -42, 128, 129},
                  {"sfa/mini/animtest/mod6.2.block", -18, 229, 129},
                  {"sfa/mini/animtest/mod6.3.block", -31, 171, 129},
                  {"sfa/mini/shipbattle/mod14.0.block", -28, 186, 801}};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        size_t size;
        uint8_t *bytes = corpus_read(blocks[i].file, &size);
        mst_scene *scene = scene_of(bytes, size, "a.block", NULL);
        mst_bounds box = mst_scene_bounds(scene, 1u << MST_ROLE_COLLISION);
        assert_true(fabs((double)box.minimum[1] * 10 - blocks[i].y_min) < 1e-3);
        assert_true(fabs((double)box.maximum[1] * 10 - blocks[i].y_max) < 1e-3);
        assert_int_equal(triangles_under(scene, MST_ROLE_COLLISION), blocks[i].polygons);
        assert_true(triangles_under(scene, MST_ROLE_GEOMETRY) > 0);
        mst_scene_free(scene);
        free(bytes);
    }
}

/* ---- the small set ------------------------------------------------------------------------------ */

/* A resolver of the set's files, one of which is treated as missing. */
typedef struct small_set {
    mst_search *search;
    mst_resolver inner, outer;
    const char *absent;  /* "*": all */
    const char *renamed; /* the replacement name of the absent one; NULL: none */
    mst_document *maps;
} small_set;

static mst_status find_max(void *user, const char *name, const void **bytes, size_t *size) {
    small_set *set = user;
    if (set->renamed && !strcmp(name, set->renamed))
        return set->inner.find(set->inner.user, set->absent, bytes, size);
    if (set->absent && (!strcmp(set->absent, "*") || !strcmp(set->absent, name)))
        return MST_NO_PATH;
    return set->inner.find(set->inner.user, name, bytes, size);
}

static bool open_set(small_set *set) {
    char path[1024];
    mst_diagnostic why;
    memset(set, 0, sizeof *set);
    if (!corpus_path("sfa/mini", path, sizeof path)) {
        print_message("# no corpus found (MAPSTONE_CORPUS)\n");
        return false;
    }
    MUST(mst_search_create(NULL, &set->search), NULL);
    MUST(mst_search_add(set->search, path, &why), &why);
    set->inner = mst_search_resolver(set->search);
    set->outer = (mst_resolver){.find = find_max, .user = set};
    assert_true(strlen(path) < sizeof path - 10);
    memcpy(path + strlen(path), "/MAPS.bin", 10);
    MUST(mst_open_file(path, NULL, &set->maps, &why), &why);
    assert_string_equal(mst_document_format(set->maps)->id, "sfa-maps");
    return true;
}

static void close_set(small_set *set) {
    mst_close(set->maps);
    mst_search_free(set->search);
}

static mst_scene *scene_of_set(small_set *set, const char *map) {
    mst_scene *scene;
    mst_diagnostic why;
    mst_scene_options options = {.size = sizeof options, .sidecars = &set->outer, .map = map};
    MUST(mst_scene_from_document(set->maps, &options, &scene, &why), &why);
    return scene;
}

static const mst_node *child_of(const mst_scene *scene, const mst_node *parent, const char *name,
                                unsigned which) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (scene->nodes[i].parent == parent - scene->nodes && !strcmp(scene->nodes[i].name, name) &&
            !which--)
            return &scene->nodes[i];
    return NULL;
}

static void one_map(void **state) {
    (void)state;
    needs_zlib();
    small_set set;
    if (!open_set(&set))
        skip();
    mst_scene *scene = scene_of_set(&set, "frontend"), *same = scene_of_set(&set, "0");
    assert_int_equal(scene->node_count, same->node_count);
    mst_scene_free(same);
    assert_string_equal(scene->name, "Ship Battle");
    assert_near((double)scene->grid_step, 64);
    const mst_node *map = node_named(scene, "frontend");
    assert_non_null(map);
    assert_near((double)map->translation[0], 0);
    assert_number(&map->extras, "cells_with_blocks", 3);
    assert_null(extra_of(&map->extras, "missing"));
    /* the same block twice: its meshes exist once */
    const mst_node *a = child_of(scene, map, "block_13_0", 0), *b = child_of(scene, map, "block_13_0", 1);
    assert_non_null(a);
    assert_non_null(b);
    assert_near((double)a->translation[0], -640);
    assert_near((double)a->translation[2], 0);
    assert_near((double)b->translation[0], 640);
    assert_near((double)b->translation[2], 640);
    assert_int_equal(child_of(scene, a, "opaque", 0)->mesh, child_of(scene, b, "opaque", 0)->mesh);
    const mst_node *lines[2] = {child_of(scene, a, "hits", 0), child_of(scene, b, "hits", 0)};
    assert_non_null(lines[0]);
    assert_non_null(lines[1]);
    assert_int_equal(child_of(scene, lines[0], "ladder", 0)->mesh,
                     child_of(scene, lines[1], "ladder", 0)->mesh);
    assert_non_null(child_of(scene, map, "block_5_1", 0));
    assert_non_null(node_named(scene, "MagicPlant_259"));
    mst_scene_free(scene);

    mst_scene *other = NULL;
    mst_diagnostic why;
    mst_scene_options options = {.size = sizeof options, .sidecars = &set.outer, .map = "nowhere"};
    assert_int_equal(mst_scene_from_document(set.maps, &options, &other, &why), MST_NO_PATH);
    options.map = "117";
    assert_int_equal(mst_scene_from_document(set.maps, &options, &other, &why), MST_NO_PATH);
    options.map = "dfpodium"; /* has no cells */
    MUST(mst_scene_from_document(set.maps, &options, &other, &why), &why);
    mst_scene_free(other);
    close_set(&set);
}

static void world(void **state) {
    (void)state;
    small_set set;
    if (!open_set(&set))
        skip();
    size_t size;
    uint8_t *places = corpus_read("sfa/mini/globalma.bin", &size);
    mst_scene *scene = scene_of_set(&set, NULL);
    static const char *const layers[] = {"deep_underground", "underground", "surface", "above", "space"};
    unsigned maps = 0;
    for (size_t at = 0; at + 12 <= size && (int16_t)mst_load16(places + at + 6, true) >= 0; at += 12) {
        int number = mst_load16(places + at + 6, true);
        const mst_node *map = node_named(scene, number == 0 ? "frontend" : "animtest");
        assert_true(number == 0 || number == 26);
        assert_non_null(map);
        assert_near((double)map->translation[0], 640.0 * (int16_t)mst_load16(places + at, true));
        assert_near((double)map->translation[2], 640.0 * (int16_t)mst_load16(places + at + 2, true));
        const mst_node *layer = &scene->nodes[map->parent];
        assert_string_equal(layer->name, layers[(int16_t)mst_load16(places + at + 4, true) + 2]);
        assert_string_equal(layer->layer, layer->name);
        assert_string_equal(child_of(scene, map, "label", 0)->label, number ? "Animtest" : "Ship Battle");
        maps++;
    }
    assert_int_equal(maps, 2);
    free(places);
    /* warps */
    uint8_t *warps = corpus_read("sfa/mini/WARPTAB.bin", &size);
    unsigned used = 0;
    for (size_t i = 0; i < size / 16; i++) {
        static const uint8_t unused[16];
        char name[32];
        snprintf(name, sizeof name, "warp_%u", (unsigned)i);
        const mst_node *node = node_named(scene, name);
        bool there = memcmp(warps + i * 16, unused, 16) != 0;
        assert_int_equal(there, node != NULL);
        if (!there)
            continue;
        uint32_t bits_of_x = mst_load32(warps + i * 16, true);
        float x;
        memcpy(&x, &bits_of_x, 4);
        assert_near((double)node->translation[0], (double)x);
        const mst_node *layer = &scene->nodes[scene->nodes[node->parent].parent];
        assert_string_equal(layer->name, layers[(int16_t)mst_load16(warps + i * 16 + 12, true) + 2]);
        used++;
    }
    assert_int_equal(used, 4);
    free(warps);
    mst_scene_free(scene);
    close_set(&set);
}

/* Whatever is missing, there is a scene, and it reports the missing data. */
static void missing_files(void **state) {
    (void)state;
    needs_zlib();
    static const struct {
        const char *name, *said;
    } files[] = {{"TRKBLK.tab", "TRKBLK.tab"},
                 {"HITS.bin", "HITS.bin"},
                 {"HITS.tab", "HITS.bin"},
                 {"MAPINFO.bin", NULL},
                 {"WARPTAB.bin", NULL},
                 {"globalma.bin", NULL},
                 {"frontend.romlist.zlb", "frontend.romlist.zlb"},
                 {"shipbattle/mod14.zlb.bin", "shipbattle/mod14.zlb.bin"},
                 {"shipbattle/mod14.tab", "shipbattle/mod14.zlb.bin"},
                 {"shipbattle/TEX1.bin", "shipbattle/TEX1.bin"},
                 {"shipbattle/TEX1.tab", "shipbattle/TEX1.bin"},
                 {"*", "TRKBLK.tab"}};
    small_set set;
    if (!open_set(&set))
        skip();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        set.absent = files[i].name;
        mst_scene *scene = scene_of_set(&set, NULL);
        const mst_node *map = node_named(scene, "frontend");
        assert_non_null(map);
        const mst_extra *lacking = extra_of(&map->extras, "missing");
        if (files[i].said) {
            assert_non_null(lacking);
            assert_non_null(strstr(lacking->text, files[i].said));
        } else {
            assert_null(lacking);
        }
        /* without the table of first blocks, a bank's own table states the beginnings of its blocks */
        if (!strcmp(files[i].name, "TRKBLK.tab"))
            assert_number(&map->extras, "cells_with_blocks", 3);
        mst_scene_free(scene);
    }
    mst_scene *scene;
    mst_diagnostic why;
    MUST(mst_scene_from_document(set.maps, NULL, &scene, &why), &why);
    assert_text(&scene->extras, "missing", "globalma.bin");
    mst_scene_free(scene);
    close_set(&set);
}

/* Object lists have one of three names. */
static void renamed_list(void **state) {
    (void)state;
    needs_zlib();
    static const char *const names[] = {NULL, "frontend.romlist.bin", "frontend.romlist"};
    size_t nodes[3];
    small_set set;
    if (!open_set(&set))
        skip();
    set.absent = "frontend.romlist.zlb";
    for (size_t i = 0; i < 3; i++) {
        set.renamed = names[i];
        mst_scene *scene = scene_of_set(&set, "frontend");
        assert_int_equal(extra_of(&node_named(scene, "frontend")->extras, "missing") != NULL, i == 0);
        nodes[i] = scene->node_count;
        mst_scene_free(scene);
    }
    assert_true(nodes[1] > nodes[0]);
    assert_int_equal(nodes[1], nodes[2]);
    close_set(&set);
}

static void bounded(void **state) {
    (void)state;
    needs_zlib();
    small_set set;
    if (!open_set(&set))
        skip();
    mst_scene *scene = NULL;
    mst_diagnostic why;
    mst_scene_options options = {.size = sizeof options, .sidecars = &set.outer, .budget = 20000};
    assert_int_equal(mst_scene_from_document(set.maps, &options, &scene, &why), MST_NO_MEMORY);
    for (size_t budget = 1000; budget < 1000000; budget += budget / 3) {
        options.budget = budget;
        mst_status status = mst_scene_from_document(set.maps, &options, &scene, &why);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        if (status == MST_OK)
            mst_scene_free(scene);
    }
    close_set(&set);
}

/* Maps with any byte changed: a scene, or no document, or beyond the budget. */
static void damaged_maps(void **state) {
    (void)state;
    small_set set;
    if (!open_set(&set))
        skip();
    size_t size;
    uint8_t *bytes = corpus_read("sfa/mini/MAPS.bin", &size);
    size_t step = sample_step() > 1 ? 37 : 7;
    for (size_t i = 0; i < size; i += step) {
        uint8_t kept = bytes[i];
        mst_document *document = NULL;
        mst_diagnostic why;
        mst_open_options how = {.size = sizeof how, .name = "MAPS.bin", .sidecars = &set.outer};
        bytes[i] ^= (uint8_t)(1u << i % 8);
        if (mst_open_memory(bytes, size, &how, &document, &why) == MST_OK) {
            mst_scene *scene = NULL;
            mst_scene_options options = {.size = sizeof options, .sidecars = &set.outer, .budget = 1 << 20};
            mst_status status = mst_scene_from_document(document, &options, &scene, &why);
            assert_true(status == MST_OK || status == MST_NO_MEMORY || status == MST_UNSUPPORTED);
            if (status == MST_OK)
                mst_scene_free(scene);
        }
        mst_close(document);
        bytes[i] = kept;
    }
    free(bytes);
    close_set(&set);
}

static void bank(void **state) {
    (void)state;
    needs_zlib();
    small_set set;
    char path[1024];
    mst_document *document;
    mst_diagnostic why;
    mst_scene *scene;
    if (!open_set(&set))
        skip();
    assert_true(corpus_path("sfa/mini/animtest/mod6.zlb.bin", path, sizeof path));
    MUST(mst_open_file(path, NULL, &document, &why), &why);
    MUST(mst_scene_from_document(document, NULL, &scene, &why), &why);
    assert_string_equal(scene->name, "mod6");
    /* two by two, 640 units and a gap apart */
    for (unsigned i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "mod6.%u", i);
        const mst_node *node = node_named(scene, name);
        assert_non_null(node);
        assert_near((double)node->translation[0], i % 2 * 704.0);
        assert_near((double)node->translation[2], i / 2 * 704.0);
    }
    assert_int_equal(triangles_under(scene, MST_ROLE_COLLISION), 4 * 129);
    mst_scene_free(scene);
    mst_close(document);
    close_set(&set);
}

int test_sfa_scene_maps(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_block),   cmocka_unit_test(small_blocks),  cmocka_unit_test(one_map),
        cmocka_unit_test(world),        cmocka_unit_test(missing_files), cmocka_unit_test(renamed_list),
        cmocka_unit_test(renamed_list), cmocka_unit_test(bounded),       cmocka_unit_test(damaged_maps),
        cmocka_unit_test(bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
