/* SPDX-License-Identifier: MIT */
/* The legend of pictures: rows, titles, labels. */
#include "picture.h"

/* ---- the legend ---------------------------------------------------------------------------------- */

/* The number in "other (n)"; 0: none. */
static unsigned others(const mst_pixels *picture) {
    char text[24];
    if (!shows(picture, "other (", 1))
        return 0;
    for (unsigned n = 1; n < 30; n++) {
        snprintf(text, sizeof text, "other (%u)", n);
        if (shows(picture, text, 1))
            return n;
    }
    return 0;
}

/* Frequent classes are named; if there is no room for all, the rarest are the others. */
static void classes_have_rows(void **state) {
    (void)state;
    static const char *const names[] = {"a20", "b19", "c18", "d17", "e16", "f15", "g14", "h13", "i12", "j11",
                                        "k10", "l9",  "m8",  "n7",  "o6",  "p5",  "q4",  "r3",  "s2",  ""};
    stage *s = begin();
    add_floor(s, 0, 0, 100, 100, 0);
    for (size_t i = 0; i < 20; i++)
        for (size_t k = 0; k < (i == 19 ? 160 : i == 0 ? 60 : 20 - i); k++)
            add_thing(s, names[i], (float)(k % 90) + 3, (float)i * 4 + 3);
    mst_pixels picture =
        draw(s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = 700});
    has(&picture, "(no class)");
    has(&picture, "160");
    has(&picture, "a20");
    has(&picture, "m8");
    has_not(&picture, "n7");
    has_not(&picture, "lights");
    has_not(&picture, "cameras");
    assert_int_equal(others(&picture), 6);
    has(&picture, "27"); /* things of those: 7 + 6 + 5 + 4 + 3 + 2 */
    mst_pixels_free(&picture);
    for (size_t k = 0; k < 5; k++)
        add(s, k < 3 ? MST_ROLE_LIGHT : MST_ROLE_CAMERA, 50, 1, 50);
    unsigned before = 21;
    for (uint32_t height = 160; height <= 560; height += 80 * (uint32_t)sample_step()) {
        picture = draw(
            s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = height});
        unsigned now = others(&picture);
        assert_true(now <= before || before == 0);
        if (now) /* if those have a row, the first has one before them, unless they are all */
            assert_int_equal(shows(&picture, "(no class)", 1), now < 20);
        before = now;
        mst_pixels_free(&picture);
    }
    assert_true(before == 6 || sample_step() > 1);
    picture = draw(s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400});
    has(&picture, "lights");
    has(&picture, "cameras");
    mst_pixels_free(&picture);
    /* without others, and with so little room that there are some */
    s->scene.node_count = 1;
    for (size_t i = 0; i < 5; i++)
        add_thing(s, names[i], (float)i + 3, 3);
    for (uint32_t height = 160; height <= 320; height += 40 * (uint32_t)sample_step()) {
        picture = draw(
            s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = height});
        unsigned now = others(&picture);
        for (size_t i = 0; now && i < 5; i++) /* of one each the first by name are named */
            assert_int_equal(shows(&picture, names[i], 1), i < 5 - now);
        mst_pixels_free(&picture);
    }
    assert_int_equal(others(&(mst_pixels){0}), 0);
    free(s);
}

/* The legend of a scene of symbols states the materials of its ground. */
static void grounds_have_rows(void **state) {
    (void)state;
    static const char *const names[] = {"sand",  "grass", "rock", "snow", "lava", "mud",  "wood",
                                        "brick", "iron",  "gold", "clay", "moss", "dust", "salt"};
    stage *s = begin();
    s->scene.symbolic = 1;
    for (size_t i = 0; i < 14; i++) {
        add_floor(s, (float)(i % 5) * 10, (float)(i / 5) * 10, 10, 10, 0);
        s->materials[i].name = names[i];
        s->materials[i].color[0] = i == 0 ? 2.0f : i == 1 ? -1.0f : 0.5f;
        for (size_t k = i; k < 14; k++) /* the first ones occur more often */
            add(s, MST_ROLE_GEOMETRY, 0, 0, 0)->mesh = (int32_t)i;
    }
    add_quad(s, V(0, 0, 0), V(50, 0, 0), V(0, 5, 0)); /* a wall, without a material */
    s->primitives[14].material = -1;
    add_floor(s, 40, 20, 10, 10, 0);
    s->primitives[15].material = 99;
    s->materials[14].name = s->materials[15].name = "unused";
    mst_pixels picture =
        draw(s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = 600});
    has(&picture, "ground");
    has(&picture, "sand");
    has(&picture, "gold");
    has_not(&picture, "clay");
    has_not(&picture, "unused");
    has_not(&picture, "height of floors");
    assert_int_equal(others(&picture), 4);
    mst_pixels_free(&picture);
    unsigned before = 99;
    for (uint32_t height = 160; height < 420; height += 52 * (uint32_t)sample_step()) {
        picture = draw(
            s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = height});
        unsigned now = others(&picture);
        if (shows(&picture, "ground", 1)) {
            assert_true(now && now <= before);
            assert_int_equal(shows(&picture, "sand", 1), now < 14);
            before = now;
        } else {
            assert_int_equal(before, 99); /* it appears when there is room, and is kept */
        }
        mst_pixels_free(&picture);
    }
    /* as many grounds as there are rows, and too little room */
    s->scene.node_count = 1 + 14;
    picture =
        draw(s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = 600});
    has(&picture, "sand");
    assert_int_equal(others(&picture), 0);
    mst_pixels_free(&picture);
    for (uint32_t height = 160; height < 420; height += 52 * (uint32_t)sample_step()) {
        picture = draw(
            s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = height});
        if (shows(&picture, "sand", 1))
            has(&picture, "ground");
        mst_pixels_free(&picture);
    }
    s->scene.material_count = 0;
    picture =
        draw(s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = 600});
    has_not(&picture, "ground");
    mst_pixels_free(&picture);
    free(s);
}

static void titles_and_sizes(void **state) {
    (void)state;
    static const struct {
        const char *name, *shown;
        int32_t scale;
    } titles[] = {{"stage", "stage", 2},
                  {NULL, "(without a name)", 1},
                  {"", "(without a name)", 1},
                  {"a name of twenty letters and more", "a name of twenty letters", 1}};
    stage *s = begin();
    add_floor(s, 0, 0, 1234.4f, 100, -0.02f);
    for (size_t i = 0; i < 4; i++) {
        s->scene.name = titles[i].name;
        mst_pixels picture =
            draw(s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = 500});
        if (!shows(&picture, titles[i].shown, titles[i].scale) && !shows(&picture, titles[i].shown, 2))
            fail_msg("no %s", titles[i].shown);
        has(&picture, "seen from above");
        has(&picture, "1234 x 100 m");
        has(&picture, "height of floors");
        has(&picture, "0 m"); /* not "-0" */
        mst_pixels_free(&picture);
    }
    s->scene.name = "stage";
    mst_pixels picture =
        draw(s, &(mst_picture_options){
                    .size = sizeof(mst_picture_options), .view = MST_VIEW_OBLIQUE, .width = 400, .yaw = 1});
    has(&picture, "oblique view");
    has(&picture, "+Y");
    mst_pixels_free(&picture);
    picture = draw(s, &(mst_picture_options){
                          .size = sizeof(mst_picture_options), .view = MST_VIEW_OBLIQUE, .width = 400});
    has(&picture, "+X");
    has(&picture, "+Y");
    has(&picture, "-Z");
    mst_pixels_free(&picture);
    /* straight down, the axis that points at the viewer is left out */
    picture = draw(s, &(mst_picture_options){.size = sizeof(mst_picture_options),
                                             .view = MST_VIEW_OBLIQUE,
                                             .width = 400,
                                             .pitch = 1.5707963f});
    has(&picture, "+X");
    has_not(&picture, "+Y");
    mst_pixels_free(&picture);
    picture = draw(s, &(mst_picture_options){
                          .size = sizeof(mst_picture_options), .view = MST_VIEW_DIMETRIC, .width = 400});
    has(&picture, "2:1 projection");
    mst_pixels_free(&picture);
    s->scene.node_count = 0;
    add_floor(s, 0, 0, 0.1f, 0.1f, 0);
    picture =
        draw(s, &(mst_picture_options){.size = sizeof(mst_picture_options), .width = 400, .height = 500});
    has(&picture, "0.1 x 0.1 m");
    has(&picture, "0.1 m"); /* the scale bar's */
    mst_pixels_free(&picture);
    /* nothing at all */
    s->scene.node_count = 0;
    for (int view = 0; view < 3; view++) {
        picture = draw(
            s, &(mst_picture_options){
                   .size = sizeof(mst_picture_options), .view = (mst_view)view, .width = 400, .height = 500});
        assert_true(shows(&picture, "stage", 2));
        has_not(&picture, "0 x 0 m");
        mst_pixels_free(&picture);
    }
    free(s);
}

int test_picture_legend(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_have_rows),
        cmocka_unit_test(grounds_have_rows),
        cmocka_unit_test(titles_and_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
