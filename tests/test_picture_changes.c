/* SPDX-License-Identifier: MIT */
/* Maps of the changes between two scenes: which colours are where. */
#include "picture.h"

#define SIDE     400
#define COUNT(x) (sizeof(x) / sizeof *(x))

/* A floor of 100 m, and another one next to it that may be added or removed: a pixel is a quarter of a
 * metre. */
static stage *begin_floor(void) {
    stage *s = begin();
    add(s, MST_ROLE_GROUP, 0, 0, 0);
    add_floor(s, 0, 0, 100, 100, 0)->source = (mst_scene_source){"", "floors[0]", MST_NO_INDEX};
    for (size_t i = 0; i < s->scene.node_count; i++)
        s->nodes[i].parent = i ? 0 : -1;
    return s;
}

static mst_node *add_named(stage *s, const char *path, float x, float z) {
    mst_node *node = add_thing(s, "lamp", x, z);
    node->source = (mst_scene_source){"", path, MST_NO_INDEX};
    node->parent = 0;
    return node;
}

static mst_pixels draw_changes(const stage *old, const stage *now, const mst_scene_change *changes,
                               size_t count, const mst_picture_options *options) {
    static const mst_picture_options bare = {
        .size = sizeof bare, .width = SIDE, .height = SIDE, .no_legend = 1, .no_labels = 1};
    mst_pixels picture = {0};
    mst_diagnostic why;
    MUST(mst_scene_draw_changes(&old->scene, &now->scene, changes, count, options ? options : &bare, &picture,
                                &why),
         &why);
    return picture;
}

typedef enum hue { GREY, GREEN, RED, YELLOW, OTHER } hue;

static hue hue_of(const uint8_t *p) {
    int r = p[0], g = p[1], b = p[2];
    if (abs(r - g) < 12 && abs(g - b) < 12)
        return GREY;
    if (r > b + 30 && g > b + 30)
        return YELLOW;
    if (g > r + 30)
        return GREEN;
    return r > g + 30 ? RED : OTHER;
}

/* The picture shows 105 m: 100 and a margin. */
static hue hue_at(const mst_pixels *picture, double x, double z) {
    const double scale = SIDE / 105.0;
    return hue_of(at_pixel(picture, (x + 2.5) * scale, (z + 2.5) * scale));
}

static size_t count_hue(const mst_pixels *picture, hue wanted) {
    size_t count = 0;
    for (size_t i = 0; i < (size_t)picture->width * picture->height; i++)
        count += hue_of(picture->data + i * 4) == wanted;
    return count;
}

static void nothing_has_changed(void **state) {
    (void)state;
    stage *s = begin_floor();
    add_named(s, "objects[0]", 50, 50);
    mst_pixels picture = draw_changes(s, s, NULL, 0, NULL);
    assert_int_equal(count_hue(&picture, GREY), SIDE * SIDE);
    mst_pixels_free(&picture);
    free(s);
}

static void things_have_the_colour_of_their_change(void **state) {
    (void)state;
    stage *old = begin_floor(), *now = begin_floor();
    add_named(old, "objects[0]", 20, 20);
    add_named(old, "objects[1]", 40, 20); /* removed */
    add_named(old, "objects[2]", 20, 80); /* moved */
    add_named(old, "objects[3]", 80, 20); /* a value of it changes */
    add_named(now, "objects[0]", 20, 20);
    add_named(now, "objects[1]", 80, 80);
    add_named(now, "objects[2]", 80, 20);
    add_named(now, "objects[3]", 60, 20); /* added */
    const mst_scene_change changes[] = {
        {"objects[1]", NULL, NULL}, {"objects[2]", "objects[1]", NULL},   {"objects[3]", "objects[2]", ""},
        {NULL, "objects[3]", NULL}, {"objects[77]", "objects[78]", NULL}, {NULL, "objects[0]", "other.file"}};
    mst_pixels picture = draw_changes(old, now, changes, COUNT(changes), NULL);
    assert_int_equal(hue_at(&picture, 20, 20), GREY);
    assert_int_equal(hue_at(&picture, 40, 20), RED);
    assert_int_equal(hue_at(&picture, 60, 20), GREEN);
    assert_int_equal(hue_at(&picture, 80, 20), YELLOW);
    assert_int_equal(hue_at(&picture, 80, 80), YELLOW);
    assert_int_equal(hue_at(&picture, 50, 80), YELLOW); /* the arrow */
    assert_int_equal(hue_at(&picture, 50, 75), GREY);
    mst_pixels_free(&picture);
    free(old);
    free(now);
}

/* Faces, in lists by their elements; changed ones in their new state. A node inside a changed value belongs
 * to it. */
static void faces_have_it_too(void **state) {
    (void)state;
    static const uint32_t first[] = {5, 5}, second[] = {6, 7};
    stage *old = begin_floor(), *now = begin_floor();
    add_floor(old, 10, 10, 20, 20, 1)->source = (mst_scene_source){"", "rooms[0].walls[3]", MST_NO_INDEX};
    add_floor(now, 60, 10, 20, 20, 1)->source = (mst_scene_source){"", "rooms[1].walls[0]", MST_NO_INDEX};
    add_floor(old, 10, 60, 20, 20, 1);
    add_floor(now, 60, 60, 20, 20, 1);
    old->primitives[2].source = now->primitives[2].source = (mst_scene_source){"", "faces", MST_NO_INDEX};
    old->primitives[2].elements = first;
    now->primitives[2].elements = second;
    for (size_t i = 2; i < 4; i++)
        old->nodes[i].parent = now->nodes[i].parent = 0;
    const mst_scene_change changes[] = {
        {"rooms[0]", NULL, NULL}, {NULL, "rooms[1]", NULL}, {"faces[5]", "faces[6]", NULL}};
    mst_pixels picture = draw_changes(old, now, changes, COUNT(changes), NULL);
    assert_int_equal(hue_at(&picture, 20, 20), RED);
    assert_int_equal(hue_at(&picture, 70, 20), GREEN);
    assert_int_equal(hue_at(&picture, 20, 70), GREY); /* the old state is not shown */
    assert_int_equal(hue_at(&picture, 50, 50), GREY);
    assert_true((hue_at(&picture, 65, 75) == YELLOW) != (hue_at(&picture, 75, 65) == YELLOW));
    mst_pixels_free(&picture);
    free(old);
    free(now);
}

/* From above a wall is a line, and a small face has a ring around it. */
static void walls_and_small_faces_are_seen(void **state) {
    (void)state;
    stage *old = begin_floor(), *now = begin_floor();
    add_quad(now, V(10, 0, 50), V(80, 0, 0), V(0, 3, 0))->source =
        (mst_scene_source){"", "walls[0]", MST_NO_INDEX};
    add_floor(now, 50, 20, 0.2f, 0.2f, 1)->source = (mst_scene_source){"", "tiles[0]", MST_NO_INDEX};
    now->nodes[2].parent = now->nodes[3].parent = 0;
    const mst_scene_change wall = {NULL, "walls[0]", NULL}, tile = {NULL, "tiles[0]", NULL};
    mst_pixels picture = draw_changes(old, now, &wall, 1, NULL);
    assert_int_equal(hue_at(&picture, 50, 50), GREEN);
    assert_int_equal(hue_at(&picture, 20, 50), GREEN);
    assert_int_equal(hue_at(&picture, 50, 52), GREY);
    mst_pixels_free(&picture);
    picture = draw_changes(old, now, &tile, 1, NULL);
    assert_true(count_hue(&picture, GREEN) > 20);
    mst_pixels_free(&picture);
    free(old);
    free(now);
}

static void the_legend_counts(void **state) {
    (void)state;
    stage *old = begin_floor(), *now = begin_floor(), *none = begin();
    add_named(old, "objects[0]", 20, 20);
    add_named(now, "objects[0]", 60, 60);
    const mst_scene_change changes[] = {{"objects[0]", "objects[0]", NULL}, {NULL, "objects[9]", NULL}};
    mst_picture_options options = {.size = sizeof options, .width = 800, .background = {9, 9, 9, 255}};
    mst_pixels picture = draw_changes(old, now, changes, 2, &options);
    assert_int_equal(picture.width, 800);
    has(&picture, "added 1");
    has(&picture, "removed 0");
    has(&picture, "changed 1");
    has(&picture, "of these moved 1");
    has(&picture, "not on the map 1");
    has(&picture, "stage");
    mst_pixels_free(&picture);
    now->scene.name = "";
    options.height = 100; /* too low for a legend */
    picture = draw_changes(old, now, changes, 1, &options);
    has_not(&picture, "changed 1");
    mst_pixels_free(&picture);
    options.height = 300;
    picture = draw_changes(old, now, changes, 1, &options);
    has(&picture, "(without a name)");
    has_not(&picture, "not on the map 1");
    mst_pixels_free(&picture);
    /* one of the two, or both, are empty */
    const mst_scene_change came = {NULL, "objects[0]", NULL}, went = {"objects[0]", NULL, NULL};
    options = (mst_picture_options){
        .size = sizeof(mst_picture_options), .width = SIDE, .height = SIDE, .no_legend = 1, .transparent = 1};
    picture = draw_changes(none, now, &came, 1, &options);
    assert_int_equal(hue_at(&picture, 60, 60), GREEN);
    mst_pixels_free(&picture);
    picture = draw_changes(now, none, &went, 1, &options);
    assert_int_equal(hue_at(&picture, 60, 60), RED);
    mst_pixels_free(&picture);
    picture = draw_changes(none, none, NULL, 0, &options);
    assert_int_equal(count_hue(&picture, GREY), SIDE * SIDE);
    mst_pixels_free(&picture);
    free(old);
    free(now);
    free(none);
}

/* Numbers that are not finite, indices out of range, and far away places are skipped. */
static void odd_scenes(void **state) {
    (void)state;
    static const uint32_t beyond[6] = {0, 1, 99, 0, 2, 3};
    stage *old = begin_floor(), *now = begin_floor();
    static char long_path[700];
    memset(long_path, 'x', sizeof long_path - 1);
    add_named(now, "objects[0]", NAN, 2);
    add_named(now, "objects[1]", 1e5f, 1e5f);
    add_named(now, "objects[1]", 3, 3); /* the first one is used */
    add_named(now, long_path, 5, 5);
    add_named(now, NULL, 7, 7);
    mst_node *bent = add_floor(now, 20, 20, 5, 5, 1), *torn = add_floor(now, 30, 30, NAN, 5, 1);
    bent->source = torn->source = (mst_scene_source){NULL, "floors[1]", MST_NO_INDEX};
    bent->parent = torn->parent = 0;
    now->primitives[1].indices = beyond;
    add(now, MST_ROLE_GEOMETRY, 0, 0, 0)->mesh = 39; /* it does not exist */
    const mst_scene_change changes[] = {{NULL, "objects[0]", NULL},
                                        {NULL, "objects[1]", NULL},
                                        {NULL, long_path, NULL},
                                        {NULL, "floors[1]", NULL}};
    mst_pixels picture = draw_changes(old, now, changes, 4, NULL);
    mst_pixels_free(&picture);
    free(old);
    free(now);
}

static void refused(void **state) {
    (void)state;
    stage *s = begin_floor();
    static const mst_picture_options wrong[] = {
        {.width = 20000}, {.height = 20000}, {.view = MST_VIEW_OBLIQUE}, {.ceiling_cut = NAN}};
    const mst_scene_change change = {"floors[0]", "floors[0]", NULL};
    mst_pixels picture = {0};
    mst_diagnostic why;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        mst_picture_options options = wrong[i];
        options.size = sizeof options;
        assert_int_equal(mst_scene_draw_changes(&s->scene, &s->scene, &change, 1, &options, &picture, &why),
                         MST_ARGUMENT);
    }
    for (size_t at = 1;; at++) {
        counted c = {.fail_at = at, .for_good = true};
        picture = (mst_pixels){.allocator = counted_allocator(&c)};
        mst_picture_options options = {.size = sizeof options, .width = 300, .height = 200};
        mst_status status =
            mst_scene_draw_changes(&s->scene, &s->scene, &change, 1, &options, &picture, &why);
        if (status == MST_OK)
            mst_pixels_free(&picture);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed) {
            MUST(status, &why);
            break;
        }
        assert_int_equal(status, MST_NO_MEMORY);
        assert_true(at < 1000);
    }
    free(s);
}

int test_picture_changes(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_has_changed),
        cmocka_unit_test(things_have_the_colour_of_their_change),
        cmocka_unit_test(faces_have_it_too),
        cmocka_unit_test(walls_and_small_faces_are_seen),
        cmocka_unit_test(the_legend_counts),
        cmocka_unit_test(odd_scenes),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
