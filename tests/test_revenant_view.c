/* SPDX-License-Identifier: MIT */
/* Sectors as the game shows them: pictures drawn over each other by the rules of the published engine. The
 * expected pixels are worked out by hand; two levels of the corpus have the hash found by an independent
 * program. */
#include "../src/core/hash.h"
#include "../src/formats/present.h"
#include "../src/read/opened.h"
#include "refusing.h"
#include "revenant_game.h"
#include "thorough.h"
#include <mapstone/base.h>
#include <mapstone/level.h>
#include <mapstone/sprites.h>

typedef struct names {
    char text[400];
    size_t count, stop;
} names;

static mst_status note_file(void *user, const mst_diagnostic *finding) {
    names *n = user;
    size_t length = strlen(n->text);
    assert_int_equal(finding->severity, MST_INFORMATION);
    snprintf(n->text + length, sizeof n->text - length, "%s;", finding->path);
    return ++n->count == n->stop ? MST_STOPPED : MST_OK;
}

static mst_sprites *sprites_of(const sector_object *objects, size_t count, game *g, names *missing) {
    writer w;
    mst_document *document = open_objects(objects, count, &w);
    const mst_document *documents[] = {document};
    mst_resolver resolver = {.find = find_file, .user = g};
    mst_sprites_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_sprites *sprites;
    mst_diagnostic why;
    options.report = missing ? note_file : NULL;
    options.user = missing;
    MUST(mst_sprites_from_documents(documents, 1, &options, &sprites, &why), &why);
    assert_string_equal(sprites->format, "revenant-sector");
    mst_close(document); /* sprites do not need it */
    writer_free(&w);
    return sprites;
}

/* The four visible pixels of objects at the place above: "rrggbbaa" each. */
static void assert_seen(const sector_object *objects, size_t count, int ambient, const char *const seen[4]) {
    game g = small_game();
    mst_sprites *sprites = sprites_of(objects, count, &g, NULL);
    game_free(&g);
    mst_sprites_view view = {
        .size = sizeof view, .left = LEFT, .top = TOP, .width = 2, .height = 2, .ambient = ambient};
    mst_pixels pixels = {0};
    mst_diagnostic why;
    MUST(mst_sprites_draw(sprites, &view, &pixels, &why), &why);
    for (size_t i = 0; i < 4; i++) {
        char found[9];
        const uint8_t *p = pixels.data + 4 * i;
        snprintf(found, sizeof found, "%02x%02x%02x%02x", p[0], p[1], p[2], p[3]);
        assert_string_equal(found, seen[i]);
    }
    mst_pixels_free(&pixels);
    mst_sprites_free(sprites);
}
#define SEEN(objects, ambient, ...)                                                                          \
    assert_seen((objects), sizeof(objects) / sizeof *(objects), (ambient), (const char *const[]){__VA_ARGS__})

/* Colours of image_palette: i is (8 i, 8 (31 - i), 40h). */
#define COLOR_1 "08f040ff"
#define COLOR_2 "10e840ff"
#define COLOR_4 "20d840ff"
#define COLOR_5 "28d040ff"
#define COLOR_6 "30c840ff"
#define COLOR_7 "38c040ff"
#define NOTHING "00000000"

static void one_picture(void **state) {
    (void)state;
    const sector_object floor[] = {thing(FLOOR, 0)}, other[] = {thing(OTHER_FLOOR, 0)},
                        mirrored[] = {thing(FLOOR, 1 << 9)}, plain[] = {thing(PLAIN, 0)},
                        spark[] = {thing(SPARK, 0)};
    SEEN(floor, 0, COLOR_1, COLOR_2, NOTHING, COLOR_4);
    SEEN(other, 0, COLOR_1, COLOR_2, NOTHING, COLOR_4); /* the same file, in any case */
    SEEN(mirrored, 0, COLOR_2, COLOR_1, COLOR_4, NOTHING);
    SEEN(plain, 0, "00f840ff", NOTHING, COLOR_1, COLOR_1); /* colour 0 is an ordinary one */
    SEEN(spark, 0, "000008ff", NOTHING, NOTHING, NOTHING);
}

/* Nearer pixels hide others in either order; of equal depths the later one is visible. */
static void depths_decide(void **state) {
    (void)state;
    const sector_object first[] = {thing(NEAR, 0), thing(FLOOR, 0)},
                        last[] = {thing(FLOOR, 0), thing(NEAR, 0)},
                        equal[] = {thing(FLOOR, 0), thing(FLOOR, 1 << 9)};
    SEEN(first, 0, COLOR_5, COLOR_5, NOTHING, COLOR_4);
    SEEN(last, 0, COLOR_5, COLOR_5, NOTHING, COLOR_4);
    SEEN(equal, 0, COLOR_2, COLOR_1, COLOR_4, COLOR_4);
}

/* A higher object is nearer by half its height, and drawn 0.867 of it further up. */
static void heights(void **state) {
    (void)state;
    sector_object objects[] = {thing(FLOOR, 0), thing(FLOOR, 1 << 9)};
    objects[0].position[2] = 100;
    objects[1].position[0] = X + 86; /* 86 further right and 43 down: at (-100, 86 - 43 * 2) */
    objects[1].position[1] = Y + 86;
    objects[1].position[2] = 200; /* 173 up, less 86 down */
    game g = small_game();
    mst_sprites *sprites = sprites_of(objects, 2, &g, NULL);
    game_free(&g);
    assert_int_equal(sprites->count, 2);
    assert_int_equal(sprites->items[0].left, LEFT);
    assert_int_equal(sprites->items[0].top, TOP - 86);
    assert_int_equal(sprites->items[1].top, TOP - 173 + 86);
    int sum = SECTOR_X * 1024 + X + SECTOR_Y * 1024 + Y;
    assert_int_equal(sprites->items[0].depth, 47359 - 50 - sum * 867 / 1000 - REGISTERED_Z);
    assert_int_equal(sprites->items[1].depth, 47359 - 100 - (sum + 172) * 867 / 1000 - REGISTERED_Z);
    assert_int_equal(sprites->top, TOP - 173 + 86);
    assert_int_equal(sprites->height, 2 + 1);
    assert_int_equal(sprites->width, 2);
    assert_string_equal(sprites->items[1].name, "Floor");
    assert_string_equal(sprites->items[1].source.file, NAME);
    assert_string_equal(sprites->items[1].source.path, "objects");
    assert_int_equal(sprites->items[1].source.index, 1);
    mst_sprites_free(sprites);
}

/* Alpha mixes in 31ths, above black where nothing is; it does not hide, and without depth the order is
 * irrelevant. */
static void alpha_mixes(void **state) {
    (void)state;
    const sector_object alone[] = {thing(GHOST, 0)}, above[] = {thing(FLOOR, 0), thing(GHOST, 0)},
                        below[] = {thing(GHOST, 0), thing(FLOOR, 0)};
    /* white is f8; 16 / 31 of it 80h */
    SEEN(alone, 0, "f8f8f8ff", "808080ff", NOTHING, "f8f8f8ff");
    /* (10 e8 40) * 15 / 31 + f8 * 16 / 31 */
    SEEN(above, 0, "f8f8f8ff", "87f09eff", NOTHING, "f8f8f8ff");
    SEEN(below, 0, COLOR_1, COLOR_2, NOTHING, COLOR_4);
}

/* Lit objects follow all unlit ones, and light does not change them. */
static void light(void **state) {
    (void)state;
    const sector_object glow[] = {thing(GLOW, 0), thing(NEAR, 0)};
    SEEN(glow, 0, COLOR_6, COLOR_5, NOTHING, NOTHING);
    /* (28 d0 40) * 15 / 31 */
    SEEN(glow, 15, COLOR_6, "13641eff", NOTHING, NOTHING);
    /* white webs, where nothing is nearer */
    const sector_object web[] = {thing(WEB, 0), thing(FLOOR, 0)}, hidden[] = {thing(WEB, 0), thing(NEAR, 0)};
    SEEN(web, 0, "ffffffff", "ffffffff", "ffffffff", COLOR_4);
    SEEN(hidden, 0, COLOR_5, COLOR_5, "ffffffff", "ffffffff");
}

static void not_drawn(void **state) {
    (void)state;
    sector_object objects[] = {thing(FLOOR, 1 << 7), thing(FLOOR, 1 << 8), thing(FLOOR, 1 << 10),
                               thing(FLOOR, 0),      thing(LOST, 0),       thing(77, 0),
                               thing(NO_FILE, 0),    thing(LOST, 0),       {.empty = true}};
    objects[3].state = 1; /* it has one */
    game g = small_game();
    names missing = {0};
    mst_sprites *sprites = sprites_of(objects, sizeof objects / sizeof *objects, &g, &missing);
    assert_int_equal(sprites->count, 0);
    assert_int_equal(sprites->missing_count, 4);
    assert_int_equal(sprites->model_count, 0);
    assert_string_equal(missing.text, "IMAGERY/lost.i2d;class.def;"); /* which lacks type 77 */
    assert_int_equal(mst_sprites_at(sprites, LEFT, TOP), SIZE_MAX);
    mst_pixels pixels = {0};
    mst_diagnostic why;
    assert_int_equal(mst_sprites_draw(sprites, NULL, &pixels, &why), MST_ARGUMENT);
    mst_sprites_free(sprites);
    game_free(&g);
    /* an object selected in the editor has a picture for that, or none */
    const sector_object chosen[] = {thing(CHOSEN_ONE, 1 << 10), thing(FLOOR, 0)};
    SEEN(chosen, 0, COLOR_7, COLOR_7, COLOR_7, COLOR_7);
}

/* States with animations show their first frame. */
static void states(void **state) {
    (void)state;
    sector_object objects[] = {thing(PAIR, 0), thing(PAIR, 0)};
    objects[1].state = 1;
    game g = small_game();
    mst_sprites *sprites = sprites_of(objects, 2, &g, NULL);
    game_free(&g);
    assert_int_equal(sprites->count, 2);
    assert_int_equal(sprites->lit, 1);
    const mst_sprite_image *first = &sprites->images[sprites->items[0].image],
                           *second = &sprites->images[sprites->items[1].image];
    assert_int_equal(first->width, 70);
    assert_int_equal(second->width, 3);
    assert_non_null(first->depths);
    assert_null(second->depths);
    assert_true(sprites->items[1].flat);
    mst_sprites_free(sprites);
}

static void labels(void **state) {
    (void)state;
    sector_object guard = thing(GUARD, 0), named = thing(GUARD, 1 << 7), exit = thing(FLOOR, 1 << 7);
    guard.class_number = named.class_number = SECTOR_CHARACTER;
    exit.class_number = SECTOR_EXIT;
    named.name = "Ardrik";
    exit.name = "Stairs";
    sector_object objects[] = {guard, named, exit, exit, thing(FLOOR, 0)};
    objects[3].name = "";
    game g = small_game();
    mst_sprites *sprites = sprites_of(objects, 5, &g, NULL);
    game_free(&g);
    static const char *const expected[] = {"Guard", "Ardrik", "Stairs"};
    static const char *const classes[] = {"character", "character", "exit"};
    assert_int_equal(sprites->label_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(sprites->labels[i].text, expected[i]);
        assert_string_equal(sprites->labels[i].class_name, classes[i]);
        assert_int_equal(sprites->labels[i].x, LEFT + REGISTERED_X);
        assert_int_equal(sprites->labels[i].y, TOP + REGISTERED_Y);
        assert_int_equal(sprites->labels[i].source.index, i);
    }
    mst_sprites_free(sprites);
}

/* ---- parts of the picture ------------------------------------------------------------------------ */

/* A floor of 40 x 40 pictures, as a whole and in parts that cut squares and pictures. */
static void parts_are_the_whole(void **state) {
    (void)state;
    enum { SIDE = 40, COUNT = SIDE * SIDE };
    sector_object *objects = calloc(COUNT, sizeof *objects);
    assert_non_null(objects);
    for (int i = 0; i < COUNT; i++) {
        objects[i] = thing(i % 3 ? FLOOR : GHOST, i % 2 ? 1 << 9 : 0);
        objects[i].position[0] = 7 + i % SIDE * 13;
        objects[i].position[1] = 9 + i / SIDE * 13;
    }
    game g = small_game();
    mst_sprites *sprites = sprites_of(objects, COUNT, &g, NULL);
    game_free(&g);
    free(objects);
    mst_pixels whole = {0};
    mst_diagnostic why;
    MUST(mst_sprites_draw(sprites, NULL, &whole, &why), &why);
    assert_int_equal(whole.width, sprites->width);
    assert_true(whole.width > 1000 && whole.height > 500);
    for (int32_t left = -300; left < 1300; left += 177)
        for (int32_t top = -100; top < 700; top += 231) {
            mst_sprites_view view = {.size = sizeof view,
                                     .left = sprites->left + left,
                                     .top = sprites->top + top,
                                     .width = 211,
                                     .height = 97,
                                     .background = {1, 2, 3, 4}};
            mst_pixels part = {0};
            MUST(mst_sprites_draw(sprites, &view, &part, &why), &why);
            for (int32_t y = 0; y < 97; y++)
                for (int32_t x = 0; x < 211; x++) {
                    int64_t column = left + x, row = top + y;
                    bool inside = column >= 0 && row >= 0 && column < whole.width && row < whole.height;
                    const uint8_t *from = whole.data + 4 * (inside ? row * whole.width + column : 0);
                    const uint8_t *expected = inside && from[3] ? from : view.background;
                    assert_memory_equal(part.data + 4 * (y * 211 + x), expected, 4);
                    size_t at = mst_sprites_at(sprites, view.left + x, view.top + y);
                    assert_int_equal(at != SIZE_MAX, inside && from[3]);
                }
            mst_pixels_free(&part);
        }
    mst_pixels_free(&whole);
    mst_sprites_free(sprites);
}

/* ---- levels of several sectors, memory, arguments ------------------------------------------------ */

/* Sectors are drawn row by row, in any order; carried objects are not drawn. */
static void sectors(void **state) {
    (void)state;
    game g = small_game();
    mst_resolver resolver = {.find = find_file, .user = &g};
    const sector_object one = thing(FLOOR, 0);
    writer w = {0};
    const sector s = {.version = 8, .objects = &one, .object_count = 1};
    write_sector(&w, &s);
    static const char *const given[] = {"44_1_1.DAT", "other.dat", "44_0_1.DAT", "44_1_0.DAT"};
    static const char *const order[] = {"44_1_0.DAT", "44_0_1.DAT", "44_1_1.DAT", "other.dat"};
    mst_document *documents[4];
    for (int i = 0; i < 4; i++)
        documents[i] = open_named(&w, given[i]);
    const mst_sprites_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_sprites *sprites;
    mst_diagnostic why;
    MUST(mst_sprites_from_documents((const mst_document *const *)documents, 4, &options, &sprites, &why),
         &why);
    assert_int_equal(sprites->count, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(sprites->items[i].source.file, order[i]);
    assert_int_equal(sprites->items[0].left, 1024 + X - Y - REGISTERED_X);
    assert_int_equal(sprites->items[3].left, X - Y - REGISTERED_X); /* its own position, without a name */
    assert_int_equal(sprites->image_count, 1);
    mst_sprites_free(sprites);
    for (int i = 0; i < 4; i++)
        mst_close(documents[i]);
    writer_free(&w);
    game_free(&g);
}

static void memory_ends(void **state) {
    (void)state;
    game g = small_game();
    mst_resolver resolver = {.find = find_file, .user = &g};
    const sector_object objects[] = {thing(FLOOR, 0), thing(PAIR, 0), thing(GHOST, 0), thing(LOST, 0)};
    writer w;
    mst_document *document = open_objects(objects, 4, &w);
    const mst_document *documents[] = {document};
    mst_diagnostic why;
    mst_sprites *sprites;
    bool done = false;
    for (int limit = 0; limit < 200 && !done; limit++) {
        int left = limit;
        mst_sprites_options options = {
            .size = sizeof options, .sidecars = &resolver, .allocator = {no_memory, &left}};
        mst_status status = mst_sprites_from_documents(documents, 1, &options, &sprites, &why);
        done = status == MST_OK;
        if (!done) {
            assert_int_equal(status, MST_NO_MEMORY);
            assert_null(sprites);
            continue;
        }
        bool drawn = false;
        for (int more = 0; more < 20 && !drawn; more++) {
            int some = more;
            mst_pixels pixels = {.allocator = {no_memory, &some}};
            status = mst_sprites_draw(sprites, NULL, &pixels, &why);
            drawn = status == MST_OK;
            assert_true(drawn || status == MST_NO_MEMORY);
            if (drawn)
                mst_pixels_free(&pixels);
        }
        assert_true(drawn);
        mst_sprites_free(sprites);
    }
    assert_true(done);
    mst_sprites_options options = {.size = sizeof options, .sidecars = &resolver, .budget = 1000};
    assert_int_equal(mst_sprites_from_documents(documents, 1, &options, &sprites, &why), MST_NO_MEMORY);
    mst_close(document);
    writer_free(&w);
    game_free(&g);
}

static void arguments(void **state) {
    (void)state;
    game g = small_game(), empty = {0};
    mst_resolver resolver = {.find = find_file, .user = &g}, none = {.find = find_file, .user = &empty};
    const sector_object objects[] = {thing(LOST, 0), thing(FLOOR, 0)};
    writer w;
    mst_document *document = open_objects(objects, 2, &w);
    const mst_document *documents[] = {document};
    names missing = {.stop = 1};
    mst_diagnostic why;
    mst_sprites *sprites;
    mst_sprites_options options = {.size = sizeof options};
    assert_int_equal(mst_sprites_from_documents(documents, 1, NULL, &sprites, &why), MST_NO_PATH);
    assert_int_equal(mst_sprites_from_documents(documents, 1, &options, &sprites, &why), MST_NO_PATH);
    options.sidecars = &none;
    assert_int_equal(mst_sprites_from_documents(documents, 1, &options, &sprites, &why), MST_NO_PATH);
    assert_non_null(strstr(why.message, "class.def"));
    options.sidecars = &resolver;
    options.report = note_file;
    options.user = &missing;
    assert_int_equal(mst_sprites_from_documents(documents, 1, &options, &sprites, &why), MST_STOPPED);
    options.report = NULL;
    MUST(mst_sprites_from_documents(documents, 1, &options, &sprites, &why), &why);
    mst_pixels pixels = {0};
    mst_sprites_view view = {.size = sizeof view, .ambient = 32};
    assert_int_equal(mst_sprites_draw(sprites, &view, &pixels, &why), MST_ARGUMENT);
    view.ambient = -1;
    assert_int_equal(mst_sprites_draw(sprites, &view, &pixels, &why), MST_ARGUMENT);
    view = (mst_sprites_view){.size = sizeof view, .width = 65536, .height = 65536};
    assert_int_equal(mst_sprites_draw(sprites, &view, &pixels, &why), MST_REFUSED);
    view.height = 0;
    assert_int_equal(mst_sprites_draw(sprites, &view, &pixels, &why), MST_ARGUMENT);
    assert_int_equal(mst_sprites_draw(NULL, NULL, &pixels, &why), MST_ARGUMENT);
    assert_int_equal(mst_sprites_draw(sprites, NULL, NULL, &why), MST_ARGUMENT);
    assert_int_equal(mst_sprites_at(NULL, 0, 0), SIZE_MAX);
    assert_int_equal(mst_sprites_at(sprites, LEFT, TOP), 0);
    assert_int_equal(mst_sprites_at(sprites, LEFT, TOP + 1), SIZE_MAX); /* nothing is drawn there */
    assert_int_equal(mst_sprites_at(sprites, LEFT, TOP - 1), SIZE_MAX);
    assert_int_equal(mst_sprites_at(sprites, LEFT + 2, TOP), SIZE_MAX);
    mst_sprites_free(sprites);
    mst_sprites_free(NULL);
    mst_close(document);
    writer_free(&w);
    game_free(&g);
}

/* ---- the corpus ---------------------------------------------------------------------------------- */

/* Levels of the developers' files, as an independent program composes them. */
static void levels_of_the_corpus(void **state) {
    (void)state;
    static const struct {
        const char *level;
        int32_t left, top;
        uint32_t width, height;
        size_t pixels;
        const char *hash;
    } levels[] = {{"45", -1740, 8214, 4142, 2303, 2767151,
                   "1de06406b2f7988aa3368ef5ad73e14586f8cd51bf5d557049ae83c59215d6f9"},
                  {"46", -5964, 10059, 3856, 1759, 3627222,
                   "9f90acf840ab86f01d08f7b94137e813d1b56b50f26453465b42042679fbbecb"}};
    char root[600], map[600];
    if (!corpus_path("revenant-imagery/root", root, sizeof root) ||
        !corpus_path("revenant-imagery/root/map", map, sizeof map))
        skip();
    const char *paths[] = {root};
    const mst_sprites_options pictures = {.size = sizeof pictures, .no_models = 1};
    for (size_t i = 0; i < 2; i++) {
        const mst_level_options options = {
            .size = sizeof options, .level = levels[i].level, .search_paths = paths, .search_path_count = 1};
        mst_level *level;
        mst_sprites *sprites;
        mst_pixels pixels = {0};
        mst_diagnostic why;
        char hash[65];
        size_t count = 0;
        MUST(mst_level_open(map, &options, &level, &why), &why);
        MUST(mst_level_sprites(level, &pictures, &sprites, &why), &why);
        mst_level_close(level);
        assert_int_equal(sprites->left, levels[i].left);
        assert_int_equal(sprites->top, levels[i].top);
        assert_int_equal(sprites->width, levels[i].width);
        assert_int_equal(sprites->height, levels[i].height);
        MUST(mst_sprites_draw(sprites, NULL, &pixels, &why), &why);
        for (size_t k = 0; k < (size_t)pixels.width * pixels.height; k++)
            count += pixels.data[4 * k + 3] == 255;
        assert_int_equal(count, levels[i].pixels);
        mst_sha256_text(pixels.data, 4 * (size_t)pixels.width * pixels.height, hash);
        assert_string_equal(hash, levels[i].hash);
        mst_pixels_free(&pixels);
        mst_sprites_free(sprites);
    }
}

/* 900 sectors that show one picture of 64 x 64 pixels keep it once, and a part of the level takes memory for
 * its pixels, regardless of the size of the level. */
static void memory_of_many_sectors(void **state) {
    (void)state;
    enum { SIDE = 30, SECTORS = SIDE * SIDE };
    static char colors[64 * 64];
    static mst_document *documents[SECTORS];
    image_source s;
    game g = {0};
    memset(colors, 3, sizeof colors);
    image_begin(&s);
    image_state(&s, "still", UNLIT, 0, 0, NULL);
    uint32_t bitmap = image_bitmap(&s, 64, 64, BITS_8, colors, sizeof colors);
    image_palette(&s, bitmap);
    image_slot(&s, 0, 0, bitmap);
    add_text(&g, "class.def", types_def);
    add_file(&g, "IMAGERY/near.i2d", image_finish(&s));
    const sector_object one = thing(NEAR, 0);
    const sector content = {.version = 8, .objects = &one, .object_count = 1};
    writer w = {0};
    write_sector(&w, &content);
    for (int i = 0; i < SECTORS; i++) {
        char name[32];
        snprintf(name, sizeof name, "44_%d_%d.DAT", i % SIDE, i / SIDE);
        documents[i] = open_named(&w, name);
    }
    mst_resolver resolver = {.find = find_file, .user = &g};
    counted memory = {0}, drawing = {0};
    const mst_sprites_options options = {
        .size = sizeof options, .sidecars = &resolver, .allocator = counted_allocator(&memory)};
    mst_sprites *sprites;
    mst_diagnostic why;
    MUST(
        mst_sprites_from_documents((const mst_document *const *)documents, SECTORS, &options, &sprites, &why),
        &why);
    assert_int_equal(sprites->count, SECTORS);
    assert_int_equal(sprites->image_count, 1);
    assert_true(memory.peak < 1 << 20); /* 900 pictures would be 14 MiB */
    assert_true(sprites->width > 50000);
    const mst_sprites_view view = {
        .size = sizeof view, .left = LEFT, .top = TOP, .width = 256, .height = 256};
    mst_pixels part = {.allocator = counted_allocator(&drawing)};
    MUST(mst_sprites_draw(sprites, &view, &part, &why), &why);
    assert_int_equal(part.data[3], 255);
    assert_true(drawing.peak < 1 << 20);
    mst_pixels_free(&part);
    mst_sprites_free(sprites);
    for (int i = 0; i < SECTORS; i++)
        mst_close(documents[i]);
    assert_int_equal(memory.blocks + drawing.blocks, 0);
    writer_free(&w);
    game_free(&g);
}

int test_revenant_view(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_picture),
                                       cmocka_unit_test(depths_decide),
                                       cmocka_unit_test(heights),
                                       cmocka_unit_test(alpha_mixes),
                                       cmocka_unit_test(light),
                                       cmocka_unit_test(not_drawn),
                                       cmocka_unit_test(states),
                                       cmocka_unit_test(labels),
                                       cmocka_unit_test(parts_are_the_whole),
                                       cmocka_unit_test(sectors),
                                       cmocka_unit_test(memory_ends),
                                       cmocka_unit_test(memory_of_many_sectors),
                                       cmocka_unit_test(arguments),
                                       cmocka_unit_test(levels_of_the_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
