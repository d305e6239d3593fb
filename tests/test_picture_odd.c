/* SPDX-License-Identifier: MIT */
/* Pictures of odd scenes: labels, cameras, lights, surfaces, memory. */
#include "../src/export/squares.h"
#include "picture.h"

/* ---- in the picture ------------------------------------------------------------------------------ */

static const mst_picture_options bare = {
    .size = sizeof bare, .width = 200, .height = 200, .no_legend = 1, .no_grid = 1};

static bool differs(const mst_pixels *a, const mst_pixels *b) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    return memcmp(a->data, b->data, (size_t)a->width * a->height * 4) != 0;
}

/* Where two labels do not both fit, a place's is written, by its name, rather than a symbol's. */
static void places_come_first(void **state) {
    (void)state;
    mst_pixels pictures[2];
    for (unsigned i = 0; i < 2; i++) {
        stage *s = begin();
        add_floor(s, 0, 0, 100, 100, 0);
        mst_node *symbol = add(s, MST_ROLE_GROUP, 51, 0, 51);
        symbol->name = "steam.cinematic";
        symbol->label = i ? "" : "steam";
        mst_node *place = add(s, MST_ROLE_GROUP, 50, 0, 50);
        place->name = place->label = "hall";
        pictures[i] = draw(s, &bare);
        free(s);
    }
    assert_false(differs(&pictures[0], &pictures[1]));
    mst_pixels_free(&pictures[0]);
    mst_pixels_free(&pictures[1]);
}

static void labels_have_their_place(void **state) {
    (void)state;
    stage *s = begin();
    add_floor(s, 0, 0, 100, 100, 0);
    mst_pixels without = draw(s, &bare);
    static const struct {
        float x, z;
        const char *label;
        bool seen;
    } cases[] = {
        {50, 50, "hall", true},
        {20, 20, "hall", false}, /* once is enough */
        {51, 51, "door", false}, /* over the other */
        {1, 50, "left, or so", false},
        {99, 50, "right, or so", false},
        {50, 99.5f, "below", false},
        {50, 80,
         "a label that is wider than the whole of the picture is, by some "
         "letters at least",
         false},
        {9e5f, 50, "far", false},
        {-9e5f, 50, "far", false},
        {50, 9e5f, "far", false},
        {50, -9e5f, "far", false},
    };
    enum { COUNT = sizeof cases / sizeof *cases };
    for (size_t i = 0; i < COUNT; i++) {
        add(s, MST_ROLE_GROUP, cases[i].x, 0, cases[i].z)->label = cases[i].label;
        /* each that has room is seen alone, wherever the others are */
        mst_node first = s->nodes[1];
        s->nodes[1] = s->nodes[1 + i];
        size_t count = s->scene.node_count;
        s->scene.node_count = 2;
        mst_pixels alone = draw(s, &bare);
        s->nodes[1].label = " ";
        mst_pixels blank = draw(s, &bare);
        assert_int_equal(differs(&alone, &blank), i < 3);
        mst_pixels_free(&blank);
        mst_pixels_free(&alone);
        s->scene.node_count = count;
        s->nodes[1] = first;
    }
    mst_pixels all = draw(s, &bare);
    s->scene.node_count = 2;
    mst_pixels one = draw(s, &bare);
    /* the order of places decides which is written where, but each except "hall" and "door" is left out */
    s->scene.node_count = 4;
    mst_pixels three = draw(s, &bare);
    assert_false(differs(&all, &three));
    assert_true(differs(&one, &without));
    mst_picture_options options = bare;
    options.no_labels = 1;
    mst_pixels none = draw(s, &options);
    assert_false(differs(&none, &without));
    mst_pixels_free(&all);
    mst_pixels_free(&three);
    mst_pixels_free(&one);
    mst_pixels_free(&none);
    mst_pixels_free(&without);
    /* more than are ever written */
    static char names[200][8];
    s->scene.node_count = 1;
    for (size_t i = 0; i < 200; i++) {
        snprintf(names[i], sizeof names[i], "%zu", i);
        add(s, MST_ROLE_GROUP, (float)(i % 14) * 7 + 4, 0, (float)(i / 14) * 6 + 4)->label = names[i];
    }
    options = (mst_picture_options){
        .size = sizeof(mst_picture_options), .width = 600, .height = 600, .no_legend = 1, .no_grid = 1};
    mst_pixels many = draw(s, &options);
    s->scene.node_count = 1 + 150;
    mst_pixels fewer = draw(s, &options);
    assert_true(many.width == fewer.width);
    mst_pixels_free(&many);
    mst_pixels_free(&fewer);
    free(s);
}

/* The direction of cameras is drawn where there is room for the arrow and the direction is visible. */
static void cameras_look(void **state) {
    (void)state;
    static const struct {
        float x, z, rotation[4];
        bool arrow;
    } cases[] = {
        {50, 50, {0, 0, 0, 1}, true},
        {50, 50, {0, 0.70710678f, 0, 0.70710678f}, true},
        {50, 50, {-0.70710678f, 0, 0, 0.70710678f}, false}, /* down */
        {-60, 50, {0, 0, 0, 1}, false},
        {50, -60, {0, 0, 0, 1}, false},
        {99.9f, 50, {0, 0, 0, 1}, false},
        {50, 99.9f, {0, 0, 0, 1}, false},
    };
    stage *s = begin();
    add_floor(s, 0, 0, 100, 100, 0);
    mst_picture_options options = bare;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        s->scene.node_count = 1;
        mst_node *node = add(s, MST_ROLE_CAMERA, cases[i].x, 5, cases[i].z);
        memcpy(node->rotation, cases[i].rotation, sizeof node->rotation);
        mst_pixels with = draw(s, &options);
        memcpy(node->rotation, cases[2].rotation, sizeof node->rotation);
        mst_pixels down = draw(s, &options);
        assert_int_equal(differs(&with, &down), cases[i].arrow);
        mst_pixels_free(&with);
        mst_pixels_free(&down);
    }
    free(s);
}

/* Lights have their own colour at full brightness; a white or black one has the usual colour. */
static void lights_have_colours(void **state) {
    (void)state;
    static const float colours[][3] = {{1, 1, 1},   {0, 0, 0},    {5, 0, 0},
                                       {NAN, 0, 0}, {0.2f, 0, 0}, {0, 0.5f, -1}};
    stage *s = begin();
    add_floor(s, 0, 0, 100, 100, 0);
    mst_light light = {.kind = MST_LIGHT_POINT};
    add(s, MST_ROLE_LIGHT, 50, 2, 50);
    mst_pixels standard = draw(s, &bare), before = {0};
    s->nodes[1].light = 0;
    s->scene.lights = &light;
    s->scene.light_count = 1;
    for (size_t i = 0; i < 6; i++) {
        memcpy(light.color, colours[i], sizeof light.color);
        mst_pixels picture = draw(s, &bare);
        assert_int_equal(differs(&picture, &standard), i >= 4);
        if (i == 5)
            assert_true(differs(&picture, &before));
        mst_pixels_free(&before);
        before = picture;
    }
    mst_pixels_free(&before);
    /* in a scene of symbols they are larger, unless there are very many */
    s->scene.symbolic = 1;
    s->nodes[1].light = -1;
    mst_pixels few = draw(s, &bare);
    for (size_t i = 0; i < 2100; i++)
        add(s, MST_ROLE_LIGHT, 20, 2, 20);
    mst_pixels many = draw(s, &bare);
    assert_true(differs(&few, &standard));
    size_t shrunk = 0;
    for (uint32_t y = 90; y < 110; y++)
        for (uint32_t x = 90; x < 110; x++)
            shrunk += memcmp(at_pixel(&few, x, y), at_pixel(&many, x, y), 4) != 0;
    assert_true(shrunk > 2);
    mst_pixels_free(&few);
    mst_pixels_free(&many);
    mst_pixels_free(&standard);
    free(s);
}

/* ---- surfaces ------------------------------------------------------------------------------------ */

static const mst_picture_options straight_down = {.size = sizeof straight_down,
                                                  .view = MST_VIEW_OBLIQUE,
                                                  .width = 200,
                                                  .height = 200,
                                                  .pitch = 1.5707963f,
                                                  .no_legend = 1,
                                                  .no_entities = 1,
                                                  .no_labels = 1};

/* The colour in the middle of a floor that fills the picture. */
static void middle_is(const stage *s, uint8_t color[4]) {
    mst_pixels picture = draw(s, &straight_down);
    memcpy(color, at_pixel(&picture, 80, 100), 4);
    mst_pixels_free(&picture);
}

static void surfaces_may_be_odd(void **state) {
    (void)state;
    uint8_t plain[4], now[4];
    stage *s = begin();
    add_floor(s, 0, 0, 10, 10, 0);
    middle_is(s, plain);
    assert_int_equal(plain[3], 255);
    /* impossible normals are ignored */
    float normals[12] = {0};
    s->primitives[0].normals = normals;
    static const float odd[] = {0, -1, 1e20f, NAN, 1};
    for (size_t i = 0; i < 5; i++) {
        for (int k = 0; k < 4; k++)
            normals[k * 3 + 1] = odd[i];
        middle_is(s, now);
        assert_memory_equal(now, plain, 4);
    }
    for (int k = 0; k < 4; k++)
        normals[k * 3] = 1; /* towards the light, or away: it looks different */
    middle_is(s, now);
    assert_memory_not_equal(now, plain, 4);
    /* the same mirrored: the normal is mirrored as well */
    uint8_t mirrored[4];
    s->nodes[0].scale[0] = -1;
    middle_is(s, mirrored);
    for (int k = 0; k < 4; k++)
        normals[k * 3] = -1;
    s->nodes[0].scale[0] = 1;
    middle_is(s, now);
    assert_memory_equal(now, mirrored, 4);
    s->primitives[0].normals = NULL;
    /* colours out of range: black and white */
    for (int c = 0; c < 3; c++)
        s->materials[0].color[c] = -5;
    middle_is(s, now);
    assert_memory_equal(now, "\0\0\0\xFF", 4);
    for (int c = 0; c < 3; c++)
        s->materials[0].color[c] = 50;
    middle_is(s, now);
    assert_true(now[0] == now[1] && now[1] == now[2] && now[0] > plain[0]);
    /* colours of vertices, without indices, of a surface that the game does not light */
    static const float red[] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    for (int c = 0; c < 3; c++)
        s->materials[0].color[c] = 0.01f;
    s->materials[0].unlit = 1;
    s->primitives[0].colors = red;
    middle_is(s, now);
    assert_true(now[0] > now[1] + 30 && now[1] == now[2]); /* at a useful brightness */
    static const float triangle[] = {0, 0, 0, 0, 0, 10, 10, 0, 10, 0, 0, 0, 10, 0, 10, 10, 0, 0};
    static const float more_red[] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    uint8_t indexed[4];
    memcpy(indexed, now, 4);
    s->primitives[0] = (mst_primitive){.vertex_count = 6, .positions = triangle, .colors = more_red};
    middle_is(s, now);
    assert_memory_equal(now, indexed, 4);
    s->primitives[0].colors = NULL;
    for (int c = 0; c < 3; c++)
        s->materials[0].color[c] = 0;
    middle_is(s, now);
    assert_true(now[0] < 60); /* black stays black */
    free(s);
}

/* Textures that are dark on average become brighter in a level; others, and those of one object, do not. */
static void dark_textures_are_brightened(void **state) {
    (void)state;
    static uint8_t texels[] = {40, 20, 20, 255};
    static float texcoords[8];
    stage *s = begin();
    add_floor(s, 0, 0, 10, 10, 0);
    const mst_image image = {.name = "", .pixels = {.width = 1, .height = 1, .data = texels}};
    s->scene.images = &image;
    s->scene.image_count = 1;
    s->primitives[0].texcoords = texcoords;
    s->materials[0] = (mst_material){.name = "", .color = {1, 1, 1, 1}, .image = 0};
    uint8_t level[4], thing[4], bright[4], bright_thing[4];
    middle_is(s, level);
    s->scene.object = MST_OBJECT_BODY;
    middle_is(s, thing);
    assert_true(thing[0] < 55);
    assert_true(level[0] > thing[0] + 15 && level[0] < 130);
    assert_true(level[0] > level[1] + 15); /* and keep their colour */
    memset(texels, 200, 3);
    middle_is(s, bright_thing);
    s->scene.object = MST_OBJECT_NONE;
    middle_is(s, bright);
    assert_memory_equal(bright, bright_thing, 4);
    free(s);
}

/* Texture coordinates outside of the texture: repeated, mirrored, or clamped to its edge. */
static void textures_repeat(void **state) {
    (void)state;
    static uint8_t texels[] = {255, 0, 0, 255, 0, 0, 255, 255}; /* red, blue */
    static const struct {
        mst_wrap wrap;
        float u;
        bool red;
    } cases[] = {
        {MST_WRAP_REPEAT, 0.25f, true},   {MST_WRAP_REPEAT, 0.75f, false}, {MST_WRAP_REPEAT, 5.25f, true},
        {MST_WRAP_REPEAT, -0.25f, false}, {MST_WRAP_MIRROR, 0.75f, false}, {MST_WRAP_MIRROR, 1.25f, false},
        {MST_WRAP_MIRROR, 1.75f, true},   {MST_WRAP_MIRROR, -0.25f, true}, {MST_WRAP_CLAMP, 7, false},
        {MST_WRAP_CLAMP, -7, true},       {MST_WRAP_REPEAT, NAN, true},    {MST_WRAP_REPEAT, 1e12f, true},
    };
    stage *s = begin();
    add_floor(s, 0, 0, 10, 10, 0);
    const mst_image image = {.name = "", .pixels = {.width = 2, .height = 1, .data = texels}};
    float texcoords[8];
    s->scene.images = &image;
    s->scene.image_count = 1;
    s->primitives[0].texcoords = texcoords;
    for (int smooth = 0; smooth < 2; smooth++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i += sample_step()) {
            uint8_t now[4];
            for (int k = 0; k < 4; k++) {
                texcoords[k * 2] = cases[i].u;
                texcoords[k * 2 + 1] = 0.5f;
            }
            s->materials[0] = (mst_material){.name = "",
                                             .color = {1, 1, 1, 1},
                                             .image = 0,
                                             .nearest = !smooth,
                                             .wrap_s = cases[i].wrap,
                                             .wrap_t = MST_WRAP_CLAMP};
            middle_is(s, now);
            if (!smooth || i < 10)
                assert_int_equal(now[0] > now[2], cases[i].red);
            assert_int_equal(now[3], 255);
        }
    /* where v is not a number either */
    for (int k = 0; k < 8; k++)
        texcoords[k] = k & 1 ? INFINITY : 0.25f;
    uint8_t now[4];
    middle_is(s, now);
    assert_int_equal(now[3], 255);
    free(s);
}

/* Strays above and below are not painted, slopes are shown as seen from above, and faces that look down are
 * not. */
static void slopes_and_strays(void **state) {
    (void)state;
    stage *s = begin();
    for (size_t i = 0; i < 30; i++)
        add_floor(s, (float)(i % 6) * 10, (float)(i / 6) * 10, 10, 10, 0);
    mst_picture_options options = bare;
    mst_pixels flat = draw(s, &options), solid = draw(s, &straight_down);
    add_floor(s, 20, 20, 5, 5, 900);
    add_floor(s, 20, 20, 5, 5, -900);
    mst_pixels with_strays = draw(s, &options), solid_with = draw(s, &straight_down);
    assert_false(differs(&flat, &with_strays));
    assert_false(differs(&solid, &solid_with));
    mst_pixels_free(&with_strays);
    mst_pixels_free(&solid_with);
    /* steep, up and down: tilted by about 70 degrees, five metres across */
    for (int down = 0; down < 2; down++) {
        s->scene.node_count = 30;
        s->scene.mesh_count = 30;
        if (down)
            add_quad(s, V(20, 0, 20), V(5, 12, 0), V(0, 0, 5));
        else
            add_quad(s, V(20, 0, 20), V(0, 0, 5), V(5, 12, 0));
        mst_pixels with = draw(s, &options);
        assert_int_equal(differs(&with, &flat), !down);
        bool same = memcmp(at_pixel(&with, 76, 92), at_pixel(&with, 50, 50), 4) == 0;
        assert_int_equal(same, down);
        mst_pixels_free(&with);
    }
    /* a wall so thin that it has no length on the map, and one too low to be a wall */
    s->scene.node_count = 30;
    s->scene.mesh_count = 30;
    add_quad(s, V(0, 0, 20), V(1e-13f, 0, 0), V(0, 5, 0));
    add_quad(s, V(20, 0, 20), V(5, 0, 0), V(0, 0.01f, 0));
    mst_pixels low = draw(s, &options);
    assert_memory_equal(at_pixel(&low, 76, 84), at_pixel(&flat, 76, 84), 4);
    mst_pixels_free(&low);
    mst_pixels_free(&flat);
    mst_pixels_free(&solid);
    free(s);
}

/* The distance between contour lines grows with the height of the level. */
static void contours(void **state) {
    (void)state;
    static const float tall[] = {10, 100, 300};
    size_t lines[3];
    for (size_t i = 0; i < 3; i++) {
        stage *s = begin();
        add_quad(s, V(0, 0, 0), V(0, 0, 200), V(200, tall[i], 0));
        mst_pixels picture = draw(s, &(mst_picture_options){.size = sizeof(mst_picture_options),
                                                            .width = 400,
                                                            .height = 400,
                                                            .no_legend = 1,
                                                            .no_grid = 1});
        lines[i] = 0;
        for (uint32_t x = 20; x < 380; x++) {
            const uint8_t *a = at_pixel(&picture, x - 1, 200), *b = at_pixel(&picture, x, 200);
            lines[i] += b[0] + b[1] + b[2] + 25 < a[0] + a[1] + a[2];
        }
        mst_pixels_free(&picture);
        free(s);
    }
    assert_in_range(lines[0], 8, 11);  /* every metre of 10 */
    assert_in_range(lines[1], 45, 52); /* every second of 100 */
    assert_in_range(lines[2], 55, 62); /* every fifth of 300 */
}

/* A picture so wide that it is painted in bands is the same as one painted at once. */
static void bands_join(void **state) {
    (void)state;
    if (sample_step() > 1)
        skip();
    stage *s = begin();
    add_floor(s, 0, 0, 10, 10, 0);
    add_quad(s, V(0, 0, 5), V(10, 0, 0), V(0, 3, 0));
    for (int view = 0; view < 2; view++) {
        mst_picture_options options = {.size = sizeof options,
                                       .view = (mst_view)view,
                                       .width = 16384,
                                       .height = 80,
                                       .pitch = 1.5707963f,
                                       .no_legend = 1,
                                       .no_grid = 1};
        mst_pixels wide = draw(s, &options);
        options.width = 80;
        mst_pixels narrow = draw(s, &options);
        size_t same = 0, inked = 0;
        for (uint32_t y = 0; y < 80; y++)
            for (uint32_t x = 0; x < 80; x++) {
                const uint8_t *a = at_pixel(&narrow, x, y), *b = at_pixel(&wide, x + (16384 - 80) / 2, y);
                bool in_wide = memcmp(b, at_pixel(&wide, 0, 0), 4) != 0;
                inked += in_wide;
                same += in_wide == (memcmp(a, at_pixel(&narrow, 0, 0), 4) != 0);
            }
        assert_true(inked > 3000);
        assert_true(same > 80 * 80 * 95 / 100); /* lines are as wide as the picture asks for */
        mst_pixels_free(&wide);
        mst_pixels_free(&narrow);
    }
    free(s);
}

/* Walls across such a picture have the same thickness everywhere. */
static void walls_cross_bands(void **state) {
    (void)state;
    if (sample_step() > 1)
        skip();
    stage *s = begin();
    for (int i = 0; i < 24; i++) /* 23.3 rows apart, and half as thick */
        add_quad(s, V(0, 0, (float)i * 23.3f), V(16000, 0, 0), V(0, 3, 0));
    mst_picture_options options = {.size = sizeof options,
                                   .width = 16384,
                                   .height = 600,
                                   .no_legend = 1,
                                   .no_grid = 1,
                                   .ceiling_cut = 10,
                                   .area = {0, -20, 16384, 600}};
    mst_pixels picture = draw(s, &options);
    int seen = 0, thick = 0, least = 1000, most = 0;
    for (uint32_t y = 0; y < picture.height; y++) {
        const bool inked = memcmp(at_pixel(&picture, 5000, y), at_pixel(&picture, 16383, 0), 4) != 0;
        thick += inked;
        if (!inked && thick) {
            seen++;
            least = thick < least ? thick : least;
            most = thick > most ? thick : most;
            thick = 0;
        }
    }
    assert_int_equal(seen, 24);
    assert_in_range(most - least, 0, 1); /* depends on the position of its edges in pixels */
    mst_pixels_free(&picture);
    free(s);
}

static mst_status take_nothing(void *user, const void *data, size_t size) {
    (void)data;
    size_t *capacity = user;
    if (size > *capacity)
        return MST_IO;
    *capacity -= size;
    return MST_OK;
}

/* A picture written a few hundred rows at a time is the same as one drawn at once. */
static void written_by_bands(void **state) {
    (void)state;
    if (sample_step() > 1)
        skip();
    stage *s = begin();
    add_floor(s, 0, 0, 90, 14, 0);
    add_quad(s, V(0, 0, 5), V(80, 0, 0), V(0, 3, 0));
    for (int i = 0; i < 60; i++)
        add_thing(s, i % 3 ? "door" : "lift", (float)(i % 10) * 9, (float)(i / 10) * 2)->tag = "tagged";
    mst_node *hall = add(s, MST_ROLE_GROUP, 45, 0, 6);
    hall->label = "the great hall";
    for (int view = MST_VIEW_ABOVE; view <= MST_VIEW_OBLIQUE; view++) {
        size_t none = 4000;
        mst_picture_place place;
        const mst_picture_options options = {.size = sizeof options,
                                             .view = (mst_view)view,
                                             .width = 6000,
                                             .height = 1500,
                                             .tags = 1,
                                             .place = &place};
        mst_pixels whole = draw(s, &options);
        mst_buffer expected = {0}, written = {0};
        const mst_status status = mst_scene_write_png(&s->scene, &options, mst_buffer_sink(&written), NULL);
        whole.unfiltered = view == MST_VIEW_ABOVE; /* as maps are written */
        assert_int_equal(mst_pixels_write_png(&whole, mst_buffer_sink(&expected), NULL), status);
        assert_true(status == MST_OK || status == MST_UNSUPPORTED);
        assert_int_equal(place.width, 6000);
        assert_int_equal(place.height, 1500);
        assert_int_equal(written.size, expected.size);
        assert_memory_equal(written.data, expected.data, written.size);
        const mst_sink full = {take_nothing, &none};
        assert_int_equal(mst_scene_write_png(&s->scene, &options, full, NULL), status ? status : MST_IO);
        mst_buffer_free(&written);
        mst_buffer_free(&expected);
        mst_pixels_free(&whole);
    }
    free(s);
}

/* Of several places of one name the largest has the label, if there is room; else the next one. */
static void largest_place_has_the_name(void **state) {
    (void)state;
    stage *s = begin();
    add_floor(s, 0, 0, 100, 100, 0);
    static const float places[3] = {20, 50, 80};
    for (int i = 0; i < 3; i++) {
        mst_node *node = add(s, MST_ROLE_GROUP, places[i], 0, 50);
        node->label = "the great hall";
        node->scale[0] = i == 1 ? -4 : 2; /* inverted, and still the largest */
    }
    mst_picture_options options = {
        .size = sizeof options, .width = 600, .height = 600, .no_legend = 1, .no_grid = 1};
    static const struct {
        float second; /* where the largest is */
        int named;
    } cases[] = {{50, 1}, {99.9F, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        s->nodes[2].translation[0] = cases[i].second;
        mst_pixels all = draw(s, &options);
        for (int one = 0; one < 3; one++) {
            for (int k = 0; k < 3; k++)
                s->nodes[1 + k].label =
                    k == one ? "the great hall" : " "; /* which shows nothing, but is a place */
            mst_pixels alone = draw(s, &options);
            if (differs(&all, &alone) != (one != cases[i].named))
                fail_msg("case %zu, place %d", i, one);
            mst_pixels_free(&alone);
        }
        for (int k = 0; k < 3; k++)
            s->nodes[1 + k].label = "the great hall";
        mst_pixels_free(&all);
    }
    free(s);
}

/* With labels all things have their names, including each of several equal ones, where there is room. */
static void all_have_their_names(void **state) {
    (void)state;
    stage *s = begin();
    add_floor(s, 0, 0, 100, 100, 0);
    add_thing(s, "door", 20, 20)->name = "gate";
    add_thing(s, "door", 80, 20)->name = "gate";
    add_thing(s, "lift", 50, 50)->name = "hoist";
    add_thing(s, "lift", 50, 50)->name = "under it";
    add(s, MST_ROLE_LIGHT, 20, 0, 80)->name = "lantern";
    add_thing(s, "crate", 50, 80)->name = "crate"; /* as in the legend */
    add_thing(s, "room", 80, 80)->label = "the hall";
    mst_picture_options options = {
        .size = sizeof options, .width = 600, .height = 600, .no_legend = 1, .no_grid = 1};
    mst_pixels few = draw(s, &options);
    has(&few, "the hall");
    has_not(&few, "gate");
    options.labels = 1;
    mst_pixels all = draw(s, &options);
    has(&all, "gate");
    has(&all, "hoist");
    has(&all, "lantern");
    has(&all, "the hall");
    has_not(&all, "under it");
    has_not(&all, "crate");
    for (size_t i = 1; i < 3; i++) { /* the other also has its name */
        s->nodes[i].name = "";
        mst_pixels one = draw(s, &options);
        assert_true(differs(&one, &all));
        has(&one, "gate");
        s->nodes[i].name = "gate";
        mst_pixels_free(&one);
    }
    mst_pixels_free(&few);
    mst_pixels_free(&all);
    free(s);
}

/* Connected squares are flat, at the median height of their contents. */
static void squares_lie_flat(void **state) {
    (void)state;
    static const float places[][3] = {{5, 1, 5},   {15, 9, 5},  {15, 2, 15},  {5, 3, 5},  {16, 2, 16},
                                      {95, 40, 5}, {91, 50, 5}, {95, 45, 15}, {85, 7, 95}};
    enum { COUNT = sizeof places / sizeof *places };
    mst_arena arena;
    mst_arena_begin(&arena, NULL, 0);
    mst_view_entity entities[COUNT];
    for (int i = 0; i < COUNT; i++) {
        entities[i] = (mst_view_entity){.label = ""};
        memcpy(entities[i].position, places[i], sizeof places[i]);
    }
    const mst_range all = {-1000, 1000};
    mst_view_world world = {.arena = &arena,
                            .entities = entities,
                            .entity_count = COUNT,
                            .across = all,
                            .along = all,
                            .height = all,
                            .square = 10};
    const mst_projection above = {.right = {1, 0, 0}, .down = {0, 0, 1}, .near = {0, 1, 0}, .scale = 1};
    mst_squares squares;
    assert_int_equal(mst_squares_find(&world, &above, &squares), MST_OK);
    assert_int_equal(squares.columns, 10);
    assert_int_equal(squares.rows, 10);
    static const struct {
        int column, row;
        float height;
    } expected[] = {{0, 0, 2}, {1, 0, 2}, {1, 1, 2}, {9, 0, 45}, {9, 1, 45}, {8, 9, 7}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint32_t group = squares.group[expected[i].row * 10 + expected[i].column];
        assert_true(group > 0 && group <= 3);
        assert_true(squares.heights[group] == expected[i].height);
    }
    assert_int_equal(squares.group[5], 0);
    assert_int_equal(squares.group[10], 0);
    mst_arena_end(&arena);
}

/* If the file has other axes and units, they are shown next to metres. */
static void axes_are_those_of_the_file_too(void **state) {
    (void)state;
    stage *s = begin();
    mst_picture_options options = {.size = sizeof options, .width = 500, .height = 400};
    add_floor(s, 0, 0, 100, 50, 0);
    mst_pixels plain = draw(s, &options);
    has_not(&plain, "units");
    has_not(&plain, "(+x)");
    s->scene.unit_metres = 0.5;
    mst_node *root = &s->nodes[0]; /* as Turok's */
    root->rotation[0] = -0.70710678F;
    root->rotation[3] = 0.70710678F;
    mst_pixels above = draw(s, &options);
    has(&above, "-Z (+y)");
    has(&above, "+X (+x)");
    has(&above, " units");
    options.view = MST_VIEW_OBLIQUE;
    mst_pixels oblique = draw(s, &options);
    has(&oblique, "+Y (+z)");
    root->rotation[1] = 0.2F; /* along none of them */
    mst_pixels odd = draw(s, &options);
    has_not(&odd, "(");
    mst_pixels_free(&plain);
    mst_pixels_free(&above);
    mst_pixels_free(&oblique);
    mst_pixels_free(&odd);
    free(s);
}

/* A node and its descendants, as if nothing else existed. */
static void branches_stand_alone(void **state) {
    (void)state;
    stage *s = begin();
    mst_picture_options options = {
        .size = sizeof options, .width = 200, .height = 200, .no_legend = 1, .branch = 1};
    add_floor(s, 0, 0, 50, 50, 2)->label = "one";
    add(s, MST_ROLE_GROUP, 0, 0, 0); /* to be the branch */
    add_floor(s, 10, 20, 70, 60, 1)->layer = "floor";
    add(s, MST_ROLE_GROUP, 30, 0, 30)->label = "below";
    add_floor(s, 0, 0, 90, 90, 9)->layer = "floor";
    for (int i = 2; i < 4; i++)
        s->nodes[i].parent = i - 1;
    mst_pixels branch = draw(s, &options);
    const char *const layers[] = {"floor"};
    options.layers = layers;
    options.layer_count = 1;
    mst_pixels both = draw(s, &options);
    s->scene.node_count = 4; /* without the last; the first now has no size */
    s->nodes[0].mesh = -1;
    s->nodes[0].label = "";
    options = (mst_picture_options){
        .size = sizeof(mst_picture_options), .width = 200, .height = 200, .no_legend = 1};
    mst_pixels alone = draw(s, &options);
    assert_false(differs(&branch, &alone));
    s->nodes[3].label = "";
    mst_pixels unnamed = draw(s, &options);
    assert_true(differs(&branch, &unnamed));
    assert_false(differs(&both, &branch)); /* descendants of a layer belong to it */
    mst_pixels_free(&branch);
    mst_pixels_free(&both);
    mst_pixels_free(&alone);
    mst_pixels_free(&unnamed);
    free(s);
}

static void squares_go_without_numbers(void **state) {
    (void)state;
    stage *s = begin();
    s->scene.grid_step = 50;
    for (size_t i = 0; i < 4; i++)
        add_floor(s, (float)(i % 2) * 50, (float)(i / 2) * 50, 50, 50, 0)->translation[0] = 0;
    mst_picture_options options = {.size = sizeof options, .width = 300, .height = 200, .no_legend = 1};
    mst_pixels with = draw(s, &options);
    has(&with, "0,0");
    options.no_labels = 1;
    mst_pixels without = draw(s, &options);
    has_not(&without, "0,0");
    options.no_grid = 1;
    mst_pixels bare_one = draw(s, &options);
    assert_true(differs(&bare_one, &without));
    mst_pixels_free(&with);
    mst_pixels_free(&without);
    mst_pixels_free(&bare_one);
    free(s);
}

static void what_is_asked_for_may_be_wrong(void **state) {
    (void)state;
    static const mst_picture_options wrong[] = {
        {.height = 32769}, {.width = 32769}, {.view = (mst_view)7}, {.yaw = NAN},
        {.pitch = NAN},    {.pitch = 2e4f},  {.yaw = INFINITY},     {.ceiling_cut = INFINITY},
    };
    stage *s = begin();
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        mst_pixels picture = {0};
        mst_picture_options options = wrong[i];
        options.size = sizeof options;
        assert_int_equal(mst_scene_draw(&s->scene, &options, &picture, &why), MST_ARGUMENT);
        assert_int_equal(why.status, MST_ARGUMENT);
        assert_null(picture.data);
        mst_buffer written = {0};
        assert_int_equal(mst_scene_write_png(&s->scene, &options, mst_buffer_sink(&written), &why),
                         MST_ARGUMENT);
        assert_int_equal(written.size, 0);
    }
    assert_int_equal(mst_scene_draw(&s->scene, NULL, NULL, &why), MST_ARGUMENT);
    mst_pixels_free(NULL);
    free(s);
}

/* Each request for memory is refused once. */
static void memory_may_lack(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c"};
    stage *s = begin();
    s->scene.symbolic = 1;
    s->scene.grid_step = 40;
    for (size_t i = 0; i < 30; i++)
        add_floor(s, (float)(i % 6) * 10, (float)(i / 6) * 10, 10, 10, 0);
    for (size_t count = 30; count < 1500; count += 190 * sample_step()) {
        while (s->scene.node_count < count)
            add_thing(s, names[s->scene.node_count % 3], 5, 5);
        for (size_t fail_at = 1;; fail_at++) {
            counted c = {.fail_at = fail_at, .for_good = true};
            mst_pixels picture = {.allocator = counted_allocator(&c)};
            mst_picture_options options = {.size = sizeof options, .width = 64, .height = 64};
            mst_diagnostic why = {0};
            mst_status status = mst_scene_draw(&s->scene, &options, &picture, &why);
            assert_int_equal(status, c.failed ? MST_NO_MEMORY : MST_OK);
            assert_int_equal(why.status, status);
            mst_pixels_free(&picture);
            assert_int_equal(c.blocks, 0);
            assert_false(c.wrong);
            if (!c.failed)
                break;
        }
    }
    free(s);
}

int test_picture_odd(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_come_first),
        cmocka_unit_test(labels_have_their_place),
        cmocka_unit_test(cameras_look),
        cmocka_unit_test(lights_have_colours),
        cmocka_unit_test(surfaces_may_be_odd),
        cmocka_unit_test(dark_textures_are_brightened),
        cmocka_unit_test(textures_repeat),
        cmocka_unit_test(slopes_and_strays),
        cmocka_unit_test(contours),
        cmocka_unit_test(bands_join),
        cmocka_unit_test(walls_cross_bands),
        cmocka_unit_test(written_by_bands),
        cmocka_unit_test(largest_place_has_the_name),
        cmocka_unit_test(all_have_their_names),
        cmocka_unit_test(squares_lie_flat),
        cmocka_unit_test(axes_are_those_of_the_file_too),
        cmocka_unit_test(branches_stand_alone),
        cmocka_unit_test(squares_go_without_numbers),
        cmocka_unit_test(what_is_asked_for_may_be_wrong),
        cmocka_unit_test(memory_may_lack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
