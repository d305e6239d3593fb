/* SPDX-License-Identifier: MIT */
/* Maps of Star Fox Adventures as scenes, with all sidecars made by hand: places, layers, titles, warps,
 * missing or damaged data, and too little memory for any of it. */
#include "../src/formats/sfa/maps/maps_world.h"
#include "../src/formats/sfa/scene/sfa_scene.h"
#include "../src/formats/sfa/sfa_names.h"
#include "sfa_maps.h"
#include "sfa_small.h"
#include <mapstone/scene.h>

/* ---- a world by hand ---------------------------------------------------------------------------- */

/* A block with only a name and two groups without polygons. */
static void put_block(writer *w, const char *name) {
    size_t start = w->size;
    put_zeros(w, 0xB8 + 3 * 20);
    put_aligned(w, 32);
    uint8_t *b = w->data + start;
    static const uint8_t places[] = {0x4C, 0x50, 0x54, 0x58, 0x5C, 0x60, 0x64, 0x68};
    for (size_t i = 0; i < sizeof places; i++)
        mst_store32(b + places[i], 0xB8, true);
    mst_store32(b + 8, (uint32_t)(w->size - start), true);
    mst_store16(b + 0x9A, 2, true);
    memcpy(b + 0xA4, name, strlen(name));
}

typedef struct world {
    two maps;
    writer blocks, blocks_tab, first_blocks, places, titles, warps, hits, hits_tab, list;
    shelf beside;
    mst_resolver resolver;
} world;

static void put_warp(writer *w, float x, int layer, int angle) {
    put_f32(w, x), put_f32(w, 2), put_f32(w, 3);
    put_u16(w, (uint16_t)layer), put_u16(w, (uint16_t)angle);
}

/* Maps 0 (3 x 2), 1 (a stub) and 2 (2 x 1); blocks 0 and 2 of directory 13, 1 is kept unparsed. */
static world *make_world(void) {
    static const uint32_t cells_0[] = {CELL(13, 0, 127), EMPTY,           CELL(13, 1, 127), CELL(13, 0, 127),
                                       CELL(13, 2, 127), CELL(26, 0, 127)};
    static const uint32_t cells_2[] = {CELL(13, 0, 127), CELL(90, 0, 127)};
    world *w = malloc(sizeof *w);
    assert_non_null(w);
    memset(w, 0, sizeof *w);
    writer *const all[] = {&w->blocks, &w->blocks_tab, &w->first_blocks, &w->places, &w->titles,
                           &w->warps,  &w->hits,       &w->hits_tab,     &w->list};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->big = true;
    w->maps = begin_maps();
    put_map(&w->maps, &(plan){.columns = 3, .rows = 2, .origin_x = 1, .cells = cells_0});
    put_stub_map(&w->maps);
    put_map(&w->maps, &(plan){.columns = 2, .rows = 1, .cells = cells_2});
    end_maps(&w->maps);
    for (unsigned i = 0; i < 3; i++) {
        put_u32(&w->blocks_tab, 0x10000000 | (uint32_t)w->blocks.size);
        if (i == 1)
            put_u32(&w->blocks, 0xF0F0F0F0), put_zeros(&w->blocks, 28);
        else
            put_block(&w->blocks, i ? "mod14.2" : "mod14.0");
    }
    put_u32(&w->blocks_tab, 0xFFFFFFFF);
    put_aligned(&w->blocks_tab, 32);
    for (unsigned i = 0; i < 14; i++)
        put_u16(&w->first_blocks, 0);
    put_u16(&w->first_blocks, 3);
    put_u16(&w->first_blocks, 0xFFFF);
    sfa_put_placement(&w->places, 5, 6, 7, 2, 0, 0);
    sfa_put_placement(&w->places, 0, 0, -3, 0, 0, 0);
    sfa_put_placement(&w->places, 0, 0, 0, -1, 0, 0);
    sfa_put_map_name(&w->titles, "Twenty-eight letters long ..", 0, 0);
    sfa_put_map_name(&w->titles, "\x01stub\xE4", 0, 0);
    sfa_put_map_name(&w->titles, "", 0, 0);
    put_zeros(&w->warps, 16);
    put_warp(&w->warps, (float)NAN, 0, 64);
    put_warp(&w->warps, 1, 0, 0);
    put_warp(&w->warps, 1, 3, 0);
    put_warp(&w->warps, 1, -3, 0);
    put_u32(&w->hits_tab, 0);
    for (unsigned k = 0; k < 2; k++)
        put_u16(&w->hits, 100), put_u16(&w->hits, 200);
    put_u16(&w->hits, 300), put_u16(&w->hits, 400);
    put_u16(&w->hits, 0x1E28);
    put_u8(&w->hits, 0x0E), put_u8(&w->hits, 0x0A), put_u16(&w->hits, 0), put_u16(&w->hits, 0);
    put_aligned(&w->hits, 32);
    put_u32(&w->hits_tab, (uint32_t)w->hits.size);
    put_u32(&w->hits_tab, 0xFFFFFFFF);
    put_aligned(&w->hits_tab, 32);
    put_u16(&w->list, 4), put_u8(&w->list, 6), put_zeros(&w->list, 21);
    for (unsigned i = 0; i < 2; i++) { /* two points of a curve, each linked with the other */
        size_t start = w->list.size;
        put_u16(&w->list, MST_SFA_CURVE), put_u8(&w->list, 13), put_zeros(&w->list, 49);
        mst_store32(w->list.data + start + 0x08, i ? 0x42C80000 : 0, true); /* 100 */
        mst_store32(w->list.data + start + 0x14, 7 + i, true);
        memset(w->list.data + start + 0x1C, 0xFF, 16);
        mst_store32(w->list.data + start + 0x1C, 8 - i, true);
    }
    const struct {
        const char *name;
        const writer *bytes;
    } files[] = {{"shipbattle/mod14.zlb.bin", &w->blocks},
                 {"shipbattle/mod14.tab", &w->blocks_tab},
                 {"TRKBLK.tab", &w->first_blocks},
                 {"globalma.bin", &w->places},
                 {"MAPINFO.bin", &w->titles},
                 {"WARPTAB.bin", &w->warps},
                 {"HITS.bin", &w->hits},
                 {"HITS.tab", &w->hits_tab},
                 {"frontend.romlist.zlb", &w->list}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        shelf_put(&w->beside, files[i].name, files[i].bytes->data, files[i].bytes->size);
    w->resolver = shelf_resolver(&w->beside);
    return w;
}
static void free_world(world *w) {
    two_free(&w->maps);
    writer *const all[] = {&w->blocks, &w->blocks_tab, &w->first_blocks, &w->places, &w->titles,
                           &w->warps,  &w->hits,       &w->hits_tab,     &w->list};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        writer_free(all[i]);
    free(w);
}
static shelf_file *beside(world *w, const char *name) {
    for (size_t i = 0; i < w->beside.count; i++)
        if (strcmp(w->beside.files[i].name, name) == 0)
            return &w->beside.files[i];
    fail();
    return NULL;
}

static mst_scene *scene_of(world *w, const char *map) {
    mst_document *document = must_open_two(&w->maps);
    mst_scene *scene = NULL;
    mst_diagnostic why;
    mst_scene_options options = {.size = sizeof options, .sidecars = &w->resolver, .map = map};
    MUST(mst_scene_from_document(document, &options, &scene, &why), &why);
    mst_close(document);
    return scene;
}

/* ---- checking it -------------------------------------------------------------------------------- */

static const mst_node *node_named(const mst_scene *scene, const char *name, unsigned which) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0 && !which--)
            return &scene->nodes[i];
    return NULL;
}
static const char *parent_of(const mst_scene *scene, const mst_node *node) {
    assert_non_null(node);
    return scene->nodes[node->parent].name;
}
static const mst_extra *extra_of(const mst_extras *extras, const char *name) {
    for (size_t i = 0; i < extras->count; i++)
        if (strcmp(extras->items[i].name, name) == 0)
            return &extras->items[i];
    return NULL;
}
static void assert_extra(const mst_node *node, const char *name, int32_t number) {
    assert_non_null(node);
    const mst_extra *extra = extra_of(&node->extras, name);
    assert_non_null(extra);
    assert_int_equal(extra->integer, number);
}
static void assert_said(const mst_node *node, const char *name, const char *text) {
    assert_non_null(node);
    const mst_extra *extra = extra_of(&node->extras, name);
    assert_non_null(extra);
    assert_string_equal(extra->text, text);
}

/* ---- tests -------------------------------------------------------------------------------------- */

static void places_and_titles(void **state) {
    (void)state;
    world *w = make_world();
    mst_scene *scene = scene_of(w, NULL);
    const mst_node *map = node_named(scene, "frontend", 0), *other = node_named(scene, "dragrock", 0);
    /* layers that do not exist */
    assert_string_equal(parent_of(scene, map), "elsewhere");
    assert_string_equal(parent_of(scene, other), "elsewhere");
    assert_extra(map, "layer", -3);
    assert_extra(other, "layer", 7);
    assert_true(other->translation[0] > 3199 && other->translation[0] < 3201);
    assert_said(map, "title", "Twenty-eight letters long ..");
    assert_said(other, "title", "dragrock"); /* the table has none */
    /* block 1 is not understood, and directory 26 is unknown */
    assert_extra(map, "cells_with_blocks", 3);
    assert_extra(map, "cells_not_shown", 2);
    assert_said(map, "missing", "shipbattle/TEX1.bin, darkicemines/mod27.zlb.bin");
    assert_extra(other, "cells_not_shown", 1);
    assert_null(node_named(scene, "block_13_1", 0));
    /* lines: made once, and shown with the block wherever it is */
    const mst_node *first = node_named(scene, "ladder", 0), *last = node_named(scene, "ladder", 2);
    assert_non_null(first);
    assert_non_null(last);
    assert_null(node_named(scene, "ladder", 3));
    assert_int_equal(first->mesh, last->mesh);
    assert_string_equal(parent_of(scene, last), "hits");
    assert_string_equal(parent_of(scene, &scene->nodes[last->parent]), "block_13_0");
    mst_scene_free(scene);

    scene = scene_of(w, "frontend2");
    assert_string_equal(scene->name, "_stub_");
    mst_scene_free(scene);
    free_world(w);
}

/* Layers with maps are on top of each other; a single one needs no distinction, regardless of warps. */
static void layers_are_storeys(void **state) {
    (void)state;
    world *w = make_world();
    mst_scene *scene = scene_of(w, NULL);
    assert_int_equal(scene->storey_count, 0);
    mst_scene_free(scene);
    mst_store16(w->places.data + 4, 0, true);           /* of the first, */
    mst_store16(w->places.data + 12 + 4, 0xFFFF, true); /* -1 of the second */
    scene = scene_of(w, NULL);
    assert_int_equal(scene->storey_count, 2);
    assert_string_equal(scene->nodes[scene->storeys[0]].name, "underground");
    assert_string_equal(scene->nodes[scene->storeys[1]].name, "surface");
    mst_scene_free(scene);
    scene = scene_of(w, "0");
    assert_int_equal(scene->storey_count, 0);
    mst_scene_free(scene);
    free_world(w);
}

static void warps_and_layers(void **state) {
    (void)state;
    world *w = make_world();
    mst_scene *scene = scene_of(w, NULL);
    static const char *const layers[] = {"surface", "surface", "elsewhere", "elsewhere"};
    assert_null(node_named(scene, "warp_0", 0)); /* all of it is zero */
    for (unsigned i = 0; i < 4; i++) {
        char name[16];
        snprintf(name, sizeof name, "warp_%u", i + 1);
        const mst_node *warp = node_named(scene, name, 0);
        assert_string_equal(parent_of(scene, warp), "warps");
        assert_string_equal(parent_of(scene, &scene->nodes[warp->parent]), layers[i]);
        assert_true(warp->translation[0] == (i ? 1.0F : 0.0F)); /* not a number: 0 */
        assert_true(warp->translation[1] == 2.0F);
    }
    /* a quarter of a turn */
    const mst_node *warp = node_named(scene, "warp_1", 0);
    assert_true(fabs((double)warp->rotation[1] - sqrt(0.5)) < 1e-6);
    assert_true(fabs((double)warp->rotation[3] - sqrt(0.5)) < 1e-6);
    assert_null(node_named(scene, "warps", 2)); /* one for each layer */
    /* an arrow in the coordinates of the world */
    assert_non_null(scene->map);
    assert_true(scene->map->line_count >= 1);
    assert_true(scene->map->lines[0].from[0] == 0.0F || scene->map->lines[0].to[0] == 0.0F);
    mst_scene_free(scene);
    free_world(w);
}

static void maps_by_name_and_number(void **state) {
    (void)state;
    world *w = make_world();
    mst_document *document = must_open_two(&w->maps);
    static const struct {
        const char *map;
        const char *name; /* NULL: none */
    } cases[] = {{"0", "Twenty-eight letters long .."},
                 {"002", "dragrock"},
                 {"dragrock", "dragrock"},
                 {"3", NULL},
                 {"2:", NULL},
                 {"2/", NULL},
                 {"", NULL},
                 {"000002", NULL},
                 {"-1", NULL},
                 {"temple", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_scene *scene = NULL;
        mst_diagnostic why;
        mst_scene_options options = {.size = sizeof options, .sidecars = &w->resolver, .map = cases[i].map};
        mst_status status = mst_scene_from_document(document, &options, &scene, &why);
        assert_int_equal(status, cases[i].name ? MST_OK : MST_NO_PATH);
        if (cases[i].name)
            assert_string_equal(scene->name, cases[i].name);
        else
            assert_null(scene);
        mst_scene_free(scene);
    }
    mst_close(document);
    free_world(w);
}

/* Tables that end early, are too long, or count nothing. */
static void tables_of_other_lengths(void **state) {
    (void)state;
    world *w = make_world();
    beside(w, "globalma.bin")->size = 24; /* places without an end */
    beside(w, "TRKBLK.tab")->size = 30;   /* first blocks without one */
    mst_scene *scene = scene_of(w, NULL);
    assert_extra(node_named(scene, "frontend", 0), "cells_with_blocks", 3);
    assert_extra(node_named(scene, "dragrock", 0), "cells_with_blocks", 1);
    mst_scene_free(scene);
    /* after the end of the places there are none */
    mst_store16(w->places.data + 18, (uint16_t)-1, true);
    scene = scene_of(w, NULL);
    assert_null(node_named(scene, "frontend", 0));
    mst_scene_free(scene);
    /* 130 numbers, with a total of none: the numbers are used unchecked, and block 1 is kept */
    writer many = {.big = true};
    put_zeros(&many, 260);
    shelf_file *table = beside(w, "TRKBLK.tab");
    table->data = many.data;
    table->size = many.size;
    scene = scene_of(w, "0");
    assert_extra(node_named(scene, "frontend", 0), "cells_with_blocks", 3);
    mst_scene_free(scene);
    /* a total of two: block 2 is the last one, which is kept */
    mst_store16(w->first_blocks.data + 28, 2, true);
    table->data = w->first_blocks.data;
    table->size = w->first_blocks.size;
    scene = scene_of(w, "0");
    assert_extra(node_named(scene, "frontend", 0), "cells_with_blocks", 2);
    mst_scene_free(scene);
    writer_free(&many);
    free_world(w);
}

/* As in the game: a directory that the table lacks is its last one, a block beyond the total the last one. */
static void block_numbers(void **state) {
    (void)state;
    uint16_t numbers[] = {0, 2, 9};
    const mst_sfa_first_blocks blocks = {numbers, 2};
    assert_int_equal(mst_sfa_block_number(&blocks, 0, 1), 1);
    assert_int_equal(mst_sfa_block_number(&blocks, 1, 6), 8);
    assert_int_equal(mst_sfa_block_number(&blocks, 1, 7), 8);
    assert_int_equal(mst_sfa_block_number(&blocks, 2, 0), 2);
    assert_int_equal(mst_sfa_block_number(&blocks, 72, 3), 5);
}

/* The scene's list of missing files for map 0, which must equal this. */
static void assert_missing(const mst_scene *scene, const char *what) {
    const mst_extra *missing = extra_of(&node_named(scene, "frontend", 0)->extras, "missing");
    assert_non_null(missing);
    assert_non_null(strstr(missing->text, what));
}

static size_t count_objects(const mst_scene *scene) {
    size_t count = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        count += scene->nodes[i].role == MST_ROLE_ENTITY;
    return count;
}

/* From a damaged list of objects, those before the damage are present; the scene reports the fault. */
static void damaged_lists(void **state) {
    (void)state;
    world *w = make_world();
    shelf_file *list = beside(w, "frontend.romlist.zlb");
    static const struct { size_t size, objects; } cuts[] = {{127, 2}, {77, 2}, {75, 1}, {25, 1}, {23, 0}};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        list->size = cuts[i].size;
        mst_scene *scene = scene_of(w, "0");
        assert_int_equal(count_objects(scene), cuts[i].objects);
        assert_missing(scene, "darkicemines/mod27.zlb.bin, damaged: frontend.romlist.zlb: ");
        mst_scene_free(scene);
    }
    /* the second object's size is smaller than its header */
    list->size = w->list.size;
    w->list.data[24 + 2] = 5;
    mst_scene *scene = scene_of(w, "0");
    assert_int_equal(count_objects(scene), 1);
    assert_missing(scene, "damaged: frontend.romlist.zlb: ");
    mst_scene_free(scene);
    /* the wrapper's header is cut off; its packed bytes are */
    static const uint8_t cut[16] = {'Z', 'L', 'B', 0, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 9};
    list->data = cut;
    for (list->size = 15; list->size <= 16; list->size++) {
        scene = scene_of(w, "0");
        assert_int_equal(count_objects(scene), 0);
        assert_missing(scene, "damaged: frontend.romlist.zlb: ");
        mst_scene_free(scene);
    }
    /* an unknown wrapper */
    static const uint8_t kept[32] = {0xF0, 0xF0, 0xF0, 0xF0};
    list->data = kept;
    list->size = sizeof kept;
    scene = scene_of(w, "0");
    assert_missing(scene, "not understood: frontend.romlist.zlb");
    mst_scene_free(scene);
    free_world(w);
}

static void damaged_files(void **state) {
    (void)state;
    world *w = make_world();
    beside(w, "shipbattle/mod14.tab")->size = 4; /* no end */
    beside(w, "HITS.tab")->size = 4;
    mst_scene *scene = scene_of(w, "0");
    const mst_node *map = node_named(scene, "frontend", 0);
    assert_extra(map, "cells_with_blocks", 0);
    assert_missing(scene, "damaged: shipbattle/mod14.zlb.bin: the table has no end");
    assert_missing(scene, "HITS.bin");
    mst_scene_free(scene);
    free_world(w);
}

/* As many names of missing files as fit are listed, each in full. */
static void much_that_is_missing(void **state) {
    (void)state;
    two t = begin_maps();
    uint32_t cells[70];
    for (unsigned i = 0; i < 70; i++)
        cells[i] = CELL(i, 0, 127);
    put_map(&t, &(plan){.columns = 70, .rows = 1, .cells = cells});
    end_maps(&t);
    mst_document *document = must_open_two(&t);
    mst_scene *scene = NULL;
    mst_diagnostic why;
    MUST(mst_scene_from_document(document, NULL, &scene, &why), &why);
    const mst_node *map = node_named(scene, "frontend", 0);
    assert_extra(map, "cells_not_shown", 70);
    const mst_extra *missing = extra_of(&map->extras, "missing");
    assert_non_null(missing);
    size_t length = strlen(missing->text);
    assert_true(length > 800 && length < 900);
    assert_memory_equal(missing->text, "animtest/mod0.zlb.bin, animtest/mod1.zlb.bin, ", 46);
    mst_scene_free(scene);
    mst_close(document);
    two_free(&t);
}

/* Beyond the known maps of the game, a map has only a number. */
static void maps_that_are_not_known(void **state) {
    (void)state;
    two t = begin_maps();
    for (unsigned i = 0; i < 117; i++)
        put_stub_map(&t);
    put_map(&t, &(plan){.columns = 1, .rows = 1});
    end_maps(&t);
    mst_document *document = must_open_two(&t);
    mst_scene *scene = NULL;
    mst_diagnostic why;
    mst_scene_options options = {.size = sizeof options, .map = "117"};
    MUST(mst_scene_from_document(document, &options, &scene, &why), &why);
    assert_string_equal(scene->name, "map_117");
    const mst_node *map = node_named(scene, "map_117", 0);
    assert_said(map, "title", "map_117");
    assert_said(map, "missing", "HITS.bin, TRKBLK.tab"); /* it has no list of objects */
    mst_scene_free(scene);
    mst_close(document);
    two_free(&t);
}

/* ---- memory ------------------------------------------------------------------------------------- */

/* For any memory limit the result is the scene or a status with a reason, and nothing leaks. */
static mst_status try_scene(world *w, const char *map, counted *memory, size_t budget) {
    mst_document *document = must_open_two(&w->maps);
    mst_scene *scene = NULL;
    mst_diagnostic why;
    memset(&why, 0, sizeof why);
    mst_scene_options options = {.size = sizeof options,
                                 .sidecars = &w->resolver,
                                 .map = map,
                                 .allocator = counted_allocator(memory),
                                 .budget = budget};
    mst_status status = mst_scene_from_document(document, &options, &scene, &why);
    assert_true(status == MST_OK || status == MST_NO_MEMORY);
    assert_int_equal(scene != NULL, status == MST_OK);
    if (status != MST_OK)
        assert_int_equal(why.status, MST_NO_MEMORY);
    mst_scene_free(scene);
    mst_close(document);
    assert_int_equal(memory->blocks, 0);
    assert_false(memory->wrong);
    return status;
}

static void budgets_of_any_size(void **state) {
    (void)state;
    world *w = make_world();
    for (unsigned places = 0; places < 2; places++) {
        bool enough = false;
        for (size_t budget = 64; !enough; budget += 48 * sample_step()) {
            counted memory = {0};
            enough = try_scene(w, NULL, &memory, budget) == MST_OK;
            assert_true(budget < 1 << 20);
        }
        if (!places)
            beside(w, "globalma.bin")->name = "-"; /* then all of them, next to each other */
    }
    free_world(w);
}

static void any_request_may_fail(void **state) {
    (void)state;
    world *w = make_world();
    static const char *const maps[] = {NULL, "0", "0"};
    for (unsigned i = 0; i < 3; i++) {
        beside(w, "frontend.romlist.zlb")->size -= i == 2; /* then it is damaged */
        for (size_t fail_at = 1;; fail_at += sample_step()) {
            counted memory = {.fail_at = fail_at, .for_good = true};
            try_scene(w, maps[i], &memory, 0);
            if (!memory.failed)
                break;
            memory = (counted){.fail_at = fail_at};
            try_scene(w, maps[i], &memory, 0);
        }
    }
    free_world(w);
}

/* More blocks and warps than fit in the first block of memory; an empty map, after those that have titles. */
static void much_of_everything(void **state) {
    (void)state;
    world *w = make_world();
    uint32_t cells[128], empty = EMPTY;
    for (unsigned i = 0; i < 128; i++)
        cells[i] = CELL(12 + i / 64, i % 64, 127);
    two_free(&w->maps);
    w->maps = begin_maps();
    put_map(&w->maps, &(plan){.columns = 64, .rows = 2, .cells = cells});
    put_stub_map(&w->maps);
    put_map(&w->maps, &(plan){.columns = 1, .rows = 1, .cells = &empty});
    end_maps(&w->maps);
    put_zeros(&w->warps, 1 << 16);
    shelf_file *warps = beside(w, "WARPTAB.bin");
    warps->data = w->warps.data;
    warps->size = w->warps.size;
    beside(w, "MAPINFO.bin")->size = 32;
    mst_scene *scene = scene_of(w, NULL);
    assert_said(node_named(scene, "dragrock", 0), "title", "dragrock");
    assert_extra(node_named(scene, "dragrock", 0), "cells_with_blocks", 0);
    /* block 1 and the missing directory's; from 2 on all are block 2, the last one */
    assert_extra(node_named(scene, "frontend", 0), "cells_not_shown", 1 + 64);
    mst_scene_free(scene);
    for (size_t fail_at = 1;; fail_at += sample_step()) {
        counted memory = {.fail_at = fail_at, .for_good = true};
        try_scene(w, NULL, &memory, 0);
        if (!memory.failed)
            break;
    }
    free_world(w);
}

int test_sfa_world(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_and_titles),       cmocka_unit_test(warps_and_layers),
        cmocka_unit_test(layers_are_storeys),      cmocka_unit_test(maps_by_name_and_number),
        cmocka_unit_test(tables_of_other_lengths), cmocka_unit_test(damaged_files),
        cmocka_unit_test(much_that_is_missing),    cmocka_unit_test(maps_that_are_not_known),
        cmocka_unit_test(budgets_of_any_size),     cmocka_unit_test(any_request_may_fail),
        cmocka_unit_test(block_numbers),           cmocka_unit_test(damaged_lists),
        cmocka_unit_test(much_of_everything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
