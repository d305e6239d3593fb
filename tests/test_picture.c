/* SPDX-License-Identifier: MIT */
/* Pictures of a small building made here: its floors, walls, a hole and things, and their appearance in the
 * picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mapstone/picture.h>

#include "../src/export/raster.h"

#define MESHES 4
#define QUADS  400

typedef struct house {
    mst_scene scene;
    mst_node nodes[32];
    mst_mesh meshes[MESHES];
    mst_primitive primitives[MESHES];
    mst_material material;
    float positions[MESHES][QUADS * 12];
    uint32_t indices[MESHES][QUADS * 6];
} house;

static mst_node *add_node(house *h, mst_role role, const char *class_name, const char *layer, int32_t mesh) {
    mst_node *node = &h->nodes[h->scene.node_count++];
    *node = (mst_node){.name = class_name,
                       .class_name = class_name,
                       .layer = layer,
                       .role = role,
                       .parent = h->scene.node_count == 1 ? -1 : 0,
                       .mesh = mesh,
                       .light = -1,
                       .camera = -1,
                       .rotation = {0, 0, 0, 1},
                       .scale = {1, 1, 1}};
    return node;
}

static void add_entity(house *h, const char *class_name, float x, float y, float z) {
    mst_node *node = add_node(h, MST_ROLE_ENTITY, class_name, "", -1);
    node->translation[0] = x;
    node->translation[1] = y;
    node->translation[2] = z;
}

/* A quad of one corner and two sides; it is visible from where side a turns to side b counter-clockwise. */
static void quad(house *h, int mesh, const float corner[3], const float a[3], const float b[3]) {
    mst_primitive *primitive = &h->primitives[mesh];
    uint32_t first = primitive->vertex_count;
    assert_true(primitive->index_count < QUADS * 6);
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 3; c++)
            h->positions[mesh][(first + (uint32_t)k) * 3 + (uint32_t)c] =
                corner[c] + (k == 1 || k == 2 ? a[c] : 0) + (k > 1 ? b[c] : 0);
    static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
    for (int k = 0; k < 6; k++)
        h->indices[mesh][primitive->index_count++] = first + order[k];
    primitive->vertex_count += 4;
}

#define V(x, y, z) ((const float[3]){(x), (y), (z)})

static void floor_at(house *h, int mesh, float x, float z, float width, float depth, float y) {
    quad(h, mesh, V(x, y, z), V(0, 0, depth), V(width, 0, 0));
}

/* A room seen from within: floor, ceiling, four walls. */
static void capacity(house *h, int mesh, float x, float z, float width, float depth, float low, float high) {
    float tall = high - low;
    floor_at(h, mesh, x, z, width, depth, low);
    quad(h, mesh, V(x, high, z), V(width, 0, 0), V(0, 0, depth));
    quad(h, mesh, V(x, low, z), V(width, 0, 0), V(0, tall, 0));
    quad(h, mesh, V(x + width, low, z + depth), V(-width, 0, 0), V(0, tall, 0));
    quad(h, mesh, V(x, low, z + depth), V(0, 0, -depth), V(0, tall, 0));
    quad(h, mesh, V(x + width, low, z), V(0, 0, depth), V(0, tall, 0));
}

/*
 * Seen from above, 30 by 20 metres: a low room on the left (floor 0, z 4..16) with a hole in its floor,
 * stairs of twelve steps, a high room on the right (floor 3, z 0..20). Mesh 2 is a cellar below the high
 * room, mesh 1 a gallery on a layer of its own.
 */
static house *build(void) {
    house *h = calloc(1, sizeof *h);
    assert_non_null(h);
    h->material = (mst_material){.name = "stone", .color = {0.5f, 0.45f, 0.4f, 1}, .image = -1};
    h->scene = (mst_scene){.name = "test house",
                           .format = "none",
                           .nodes = h->nodes,
                           .meshes = h->meshes,
                           .materials = &h->material,
                           .material_count = 1,
                           .unit_metres = 1};
    for (int i = 0; i < MESHES; i++) {
        h->primitives[i] = (mst_primitive){.positions = h->positions[i], .indices = h->indices[i]};
        h->meshes[i] = (mst_mesh){"mesh", &h->primitives[i], 1};
    }
    h->scene.mesh_count = MESHES;
    add_node(h, MST_ROLE_GROUP, "", "", -1);

    /* The low room's floor in four pieces around the hole x 6..8, z 10..12. */
    floor_at(h, 0, 0, 4, 12, 6, 0);
    floor_at(h, 0, 0, 12, 12, 4, 0);
    floor_at(h, 0, 0, 10, 6, 2, 0);
    floor_at(h, 0, 8, 10, 4, 2, 0);
    quad(h, 0, V(0, 4, 4), V(12, 0, 0), V(0, 0, 12));
    quad(h, 0, V(0, 0, 4), V(12, 0, 0), V(0, 4, 0));
    quad(h, 0, V(12, 0, 16), V(-12, 0, 0), V(0, 4, 0));
    quad(h, 0, V(0, 0, 16), V(0, 0, -12), V(0, 4, 0));
    for (int i = 0; i < 12; i++) {
        float x = 12 + 0.5f * (float)i, y = 0.25f * (float)i;
        floor_at(h, 0, x, 9, 0.5f, 3, y + 0.25f);
        quad(h, 0, V(x, y, 9), V(0, 0, 3), V(0, 0.25f, 0));
    }
    capacity(h, 0, 18, 0, 12, 20, 3, 7);
    floor_at(h, 1, 0, 17, 12, 2, 1);
    capacity(h, 2, 20, 2, 8, 16, -1, 2);
    add_node(h, MST_ROLE_GEOMETRY, "", "", 0);
    add_node(h, MST_ROLE_GEOMETRY, "", "gallery", 1);
    add_node(h, MST_ROLE_GEOMETRY, "", "", 2);

    add_entity(h, "spawn", 2, 0, 6);
    add_entity(h, "spawn", 4, 0, 6);
    add_entity(h, "spawn", 6, 0, 6);
    add_entity(h, "flag", 24, 3, 10);
    add_entity(h, "crate", 20, 3, 18);
    add_entity(h, "crate", 28, 3, 2);
    add_entity(h, "lamp", 3, 3, 14);
    h->nodes[h->scene.node_count - 1].role = MST_ROLE_LIGHT;
    return h;
}

static void draw(house *h, const mst_picture_options *options, mst_pixels *picture) {
    mst_diagnostic diagnostic;
    *picture = (mst_pixels){0};
    assert_int_equal(mst_scene_draw(&h->scene, options, picture, &diagnostic), MST_OK);
    assert_non_null(picture->data);
}

/* For inspection: MAPSTONE_PICTURES names a directory. */
static void keep(const mst_pixels *picture, const char *name) {
    const char *directory = getenv("MAPSTONE_PICTURES");
    mst_buffer memory = {0};
    char path[512];
    if (!directory || mst_pixels_write_png(picture, mst_buffer_sink(&memory), NULL) != MST_OK)
        return;
    snprintf(path, sizeof path, "%s/%s.png", directory, name);
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(memory.data, 1, memory.size, file);
        fclose(file);
    }
    mst_buffer_free(&memory);
}

static const uint8_t *pixel(const mst_pixels *picture, double x, double y) {
    assert_true(x >= 0 && y >= 0 && x < picture->width && y < picture->height);
    return picture->data + ((size_t)y * picture->width + (size_t)x) * 4;
}

/* The box of opaque pixels, of a picture of geometry only. */
typedef struct box {
    double left, top, right, bottom;
} box;

static box covered(const mst_pixels *picture) {
    box b = {1e9, 1e9, -1, -1};
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++)
            if (picture->data[((size_t)y * picture->width + x) * 4 + 3] > 100) {
                b.left = x < b.left ? x : b.left;
                b.right = x + 1.0 > b.right ? x + 1.0 : b.right;
                b.top = y < b.top ? y : b.top;
                b.bottom = y + 1.0 > b.bottom ? y + 1.0 : b.bottom;
            }
    return b;
}

static const mst_picture_options bare = {.size = sizeof bare,
                                         .width = 620,
                                         .height = 420,
                                         .transparent = 1,
                                         .no_entities = 1,
                                         .no_legend = 1,
                                         .no_grid = 1};

/* The pixel at a place of the house, which measures 30 by 20. */
static const uint8_t *at(const mst_pixels *picture, const box *b, double x, double z) {
    return pixel(picture, b->left + (b->right - b->left) * x / 30, b->top + (b->bottom - b->top) * z / 20);
}

static int difference(const uint8_t *a, const uint8_t *b) {
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

static int brightness(const uint8_t *a) {
    return a[0] + a[1] + a[2];
}

static void map_shows_floors_where_they_are(void **state) {
    (void)state;
    house *h = build();
    mst_pixels picture;
    draw(h, &bare, &picture);
    keep(&picture, "bare");
    box b = covered(&picture);
    /* It fills the picture, and has the aspect ratio of the house. */
    assert_true(b.right - b.left > 540);
    assert_true(fabs((b.right - b.left) / (b.bottom - b.top) - 1.5) < 0.02);

    const uint8_t *low = at(&picture, &b, 3, 8), *high = at(&picture, &b, 24, 5);
    assert_int_equal(low[3], 255);
    assert_int_equal(high[3], 255);
    assert_true(difference(low, high) > 120);
    /* The low floor is bluer, the high one yellower; the cellar below the high one is not seen. */
    assert_true(low[2] > low[0] && high[0] > high[2]);
    assert_true(difference(high, at(&picture, &b, 19, 1)) < 40);
    /* The hole, and the outside. */
    assert_int_equal(at(&picture, &b, 7, 11)[3], 0);
    assert_int_equal(at(&picture, &b, 15, 4)[3], 0);
    assert_int_equal(at(&picture, &b, 15, 18)[3], 0);
    /* Stairs: in between, from step to step. */
    const uint8_t *step = at(&picture, &b, 15.25, 10.5);
    assert_int_equal(step[3], 255);
    assert_true(difference(step, low) > 40 && difference(step, high) > 40);
    /* The walls of the high room are light lines. */
    assert_true(brightness(at(&picture, &b, 18.0, 5)) > brightness(high) + 60);
    assert_true(brightness(at(&picture, &b, 24, 0.02)) > brightness(high) + 60);
    mst_pixels_free(&picture);
    assert_null(picture.data);
    free(h);
}

static void cut_takes_off_what_is_higher(void **state) {
    (void)state;
    house *h = build();
    mst_pixels picture;
    draw(h, &bare, &picture);
    box b = covered(&picture);
    uint8_t whole[4];
    memcpy(whole, at(&picture, &b, 24, 5), 4);
    mst_pixels_free(&picture);

    mst_picture_options options = bare;
    options.ceiling_cut = 2.5f;
    draw(h, &options, &picture);
    keep(&picture, "cut");
    /* Now the cellar's floor is visible, which is lower than all others. */
    assert_int_equal(at(&picture, &b, 24, 5)[3], 255);
    assert_true(difference(at(&picture, &b, 24, 5), whole) > 100);
    assert_int_equal(at(&picture, &b, 19, 5)[3], 0);
    mst_pixels_free(&picture);
    free(h);
}

/* Roofs of a town, over floors with entities on them. */
static void roofs_are_found(void **state) {
    (void)state;
    house *h = build();
    h->scene.node_count = 1;
    for (int i = 0; i < 25; i++) {
        floor_at(h, 3, (float)(i % 5) * 6, (float)(i / 5) * 4, 6, 4, 0);
        if (i != 12)
            floor_at(h, 3, (float)(i % 5) * 6, (float)(i / 5) * 4, 6, 4, 9);
        if (i < 10)
            add_entity(h, "npc", (float)(i % 5) * 6 + 3, 0, (float)(i / 5) * 4 + 2);
    }
    add_node(h, MST_ROLE_GEOMETRY, "", "", 3);
    mst_pixels picture;
    mst_picture_options options = bare;
    options.no_entities = 0;
    draw(h, &options, &picture);
    keep(&picture, "roofs");
    box b = covered(&picture);
    /* Under the roof the same as in the yard without one. */
    assert_true(difference(at(&picture, &b, 15, 10), at(&picture, &b, 4.5, 17.5)) < 20);
    mst_pixels_free(&picture);
    free(h);
}

static void strays_do_not_make_it_small(void **state) {
    (void)state;
    house *h = build();
    mst_pixels alone, picture;
    draw(h, &bare, &alone);
    /* A plane of twenty kilometres, a thing far away, and one nowhere. */
    floor_at(h, 3, -10000, -10000, 20000, 20000, -0.5f);
    floor_at(h, 3, 5000, 5000, 1, 1, 600);
    add_node(h, MST_ROLE_GEOMETRY, "", "", 3);
    add_entity(h, "lost", 40000, 0, -30000);
    add_entity(h, "lost", NAN, 0, INFINITY);
    mst_picture_options options = bare;
    options.no_entities = 0;
    draw(h, &options, &picture);
    keep(&picture, "strays");
    box b = covered(&alone);
    /* The house is at its old place, to a few pixels: outside of it the plane is visible now. */
    assert_int_equal(at(&picture, &b, 15, 4)[3], 255);
    const uint8_t *plane = at(&picture, &b, 15, 3);
    assert_true(difference(plane, at(&picture, &b, 24, 5)) > 100);
    assert_true(brightness(at(&picture, &b, 18.0, 5)) > brightness(plane) + 100);
    assert_true(difference(at(&picture, &b, 18.6, 4), at(&picture, &b, 17.4, 4)) > 100);
    assert_true(difference(at(&picture, &b, 29.4, 4), at(&picture, &b, 30.3, 4)) > 100);
    mst_pixels_free(&picture);
    mst_pixels_free(&alone);
    free(h);
}

static void layers_choose_what_is_drawn(void **state) {
    (void)state;
    house *h = build();
    mst_pixels picture;
    draw(h, &bare, &picture);
    box b = covered(&picture);
    assert_int_equal(at(&picture, &b, 6, 18)[3], 255);
    mst_pixels_free(&picture);

    static const char *const gallery[] = {"attic", "gallery"};
    mst_picture_options options = bare;
    options.layers = gallery;
    options.layer_count = 2;
    draw(h, &options, &picture);
    b = covered(&picture);
    assert_true(fabs((b.right - b.left) / (b.bottom - b.top) - 6) < 0.2); /* 12 by 2 metres */
    mst_pixels_free(&picture);

    /* A node below one of a layer belongs to it as well. */
    h->nodes[1].parent = 2;
    h->nodes[1].layer = "other";
    mst_node moved = h->nodes[1];
    h->nodes[1] = h->nodes[2];
    h->nodes[2] = moved;
    h->nodes[2].parent = 1;
    draw(h, &options, &picture);
    b = covered(&picture);
    assert_true(fabs((b.right - b.left) / (b.bottom - b.top) - 1.5) < 0.02);
    mst_pixels_free(&picture);

    /* Only geometry is drawn. */
    h->nodes[1].role = MST_ROLE_COLLISION;
    h->nodes[2].role = MST_ROLE_HELPER;
    draw(h, &options, &picture);
    assert_int_equal(pixel(&picture, 5, 5)[3], 0);
    mst_pixels_free(&picture);
    free(h);
}

static void marks_stand_where_entities_are(void **state) {
    (void)state;
    house *h = build();
    mst_pixels picture, without;
    mst_picture_options options = bare;
    draw(h, &bare, &without);
    options.no_entities = 0;
    draw(h, &options, &picture);
    keep(&picture, "marks");
    box b = covered(&without);
    assert_true(difference(at(&picture, &b, 2, 6), at(&without, &b, 2, 6)) > 60);
    assert_true(difference(at(&picture, &b, 24, 10), at(&without, &b, 24, 10)) > 60);
    assert_true(difference(at(&picture, &b, 20, 18), at(&without, &b, 20, 18)) > 60);
    /* One class, one colour; two classes, two. */
    assert_int_equal(difference(at(&picture, &b, 2, 6), at(&picture, &b, 4, 6)), 0);
    assert_true(difference(at(&picture, &b, 2, 6), at(&picture, &b, 24, 10)) > 60);
    assert_int_equal(difference(at(&picture, &b, 9, 8), at(&without, &b, 9, 8)), 0);
    mst_pixels_free(&picture);
    mst_pixels_free(&without);
    free(h);
}

static void legend_and_sizes(void **state) {
    (void)state;
    house *h = build();
    mst_pixels picture;
    draw(h, NULL, &picture);
    keep(&picture, "above");
    assert_int_equal(picture.width, 1600);
    assert_true(picture.height >= 400 && picture.height < 1600);
    /* The panel on the right is not the ground's colour, and has text. */
    assert_true(difference(pixel(&picture, 1595, 3), pixel(&picture, 3, 3)) > 0);
    int light = 0;
    for (uint32_t x = 1250; x < 1600; x++)
        light += brightness(pixel(&picture, x, 30)) > 600;
    assert_true(light > 4);
    mst_pixels_free(&picture);

    h->scene.object = MST_OBJECT_PANEL; /* one surface needs less */
    draw(h, NULL, &picture);
    assert_int_equal(picture.width, 512);
    mst_pixels_free(&picture);
    h->scene.object = MST_OBJECT_NONE;

    static const uint32_t sizes[][2] = {{1, 1}, {3, 900}, {900, 3}, {200, 120}, {401, 0}, {0, 700}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int view = 0; view < 2; view++) {
            mst_picture_options options = {
                .size = sizeof options, .view = (mst_view)view, .width = sizes[i][0], .height = sizes[i][1]};
            draw(h, &options, &picture);
            assert_int_equal(picture.width, sizes[i][0] ? sizes[i][0] : 1600);
            if (sizes[i][1])
                assert_int_equal(picture.height, sizes[i][1]);
            mst_pixels_free(&picture);
        }
    free(h);
}

static void oblique_looks_into_rooms(void **state) {
    (void)state;
    house *h = build();
    mst_pixels picture;
    mst_picture_options options = {.size = sizeof options, .view = MST_VIEW_OBLIQUE};
    draw(h, &options, &picture);
    keep(&picture, "oblique");
    mst_pixels_free(&picture);

    /* Straight down, ceilings are culled and floors are visible; a red one must be red. */
    options = bare;
    options.view = MST_VIEW_OBLIQUE;
    options.pitch = 1.5707963f;
    h->material.color[0] = 0.8f;
    h->material.color[1] = h->material.color[2] = 0.05f;
    draw(h, &options, &picture);
    box b = covered(&picture);
    assert_true(fabs((b.right - b.left) / (b.bottom - b.top) - 1.5) < 0.03);
    const uint8_t *floor_pixel = at(&picture, &b, 3, 8);
    assert_true(floor_pixel[0] > 2 * floor_pixel[1] && floor_pixel[0] > 120);
    assert_int_equal(at(&picture, &b, 7, 11)[3], 0);
    mst_pixels_free(&picture);
    free(h);
}

/* A floor of two texels: left half green, right half blue; and one with holes. */
static void textures_are_seen(void **state) {
    (void)state;
    static const uint8_t texels[] = {0, 255, 0, 255, 0, 0, 255, 255};
    static const float texcoords[] = {0, 0, 0, 1, 1, 1, 1, 0};
    house *h = build();
    h->scene.node_count = 1;
    floor_at(h, 3, 0, 0, 30, 20, 0);
    add_node(h, MST_ROLE_GEOMETRY, "", "", 3);
    uint8_t pixels[sizeof texels];
    memcpy(pixels, texels, sizeof texels);
    mst_image image = {.name = "image", .pixels = {.width = 2, .height = 1, .data = pixels}};
    h->scene.images = &image;
    h->scene.image_count = 1;
    h->primitives[3].texcoords = texcoords;
    h->material = (mst_material){.color = {1, 1, 1, 1}, .image = 0, .nearest = 1, .wrap_s = MST_WRAP_CLAMP};
    mst_picture_options options = bare;
    options.view = MST_VIEW_OBLIQUE;
    options.pitch = 1.5707963f;
    mst_pixels picture;
    draw(h, &options, &picture);
    box b = covered(&picture);
    assert_true(at(&picture, &b, 14.5, 10)[1] > 150 && at(&picture, &b, 14.5, 10)[2] < 60);
    assert_true(at(&picture, &b, 15.5, 10)[2] > 150 && at(&picture, &b, 15.5, 10)[1] < 60);
    mst_pixels_free(&picture);

    pixels[3] = 0;
    h->material.alpha_mode = MST_ALPHA_MASK;
    h->material.alpha_cutoff = 0.5f;
    draw(h, &options, &picture);
    box half = covered(&picture);
    assert_true(fabs(half.left - (b.left + b.right) / 2) < 2);
    mst_pixels_free(&picture);
    free(h);
}

/* A floor at height 0 whose texture is red, and next to it one without a texture. */
static house *half_textured(mst_image *image, float plain_width) {
    static uint8_t red[] = {255, 0, 0, 255};
    static const float texcoords[] = {0, 0, 0, 1, 1, 1, 1, 0};
    house *h = build();
    h->scene.node_count = 1;
    floor_at(h, 3, 0, 0, 12, 20, 0);
    h->primitives[2].vertex_count = h->primitives[2].index_count = 0; /* no cellar */
    floor_at(h, 2, 12, 0, plain_width, 20, 0);
    h->primitives[2].material = -1;
    add_node(h, MST_ROLE_GEOMETRY, "", "", 3);
    add_node(h, MST_ROLE_GEOMETRY, "", "", 2);
    *image = (mst_image){.name = "red", .pixels = {.width = 1, .height = 1, .data = red}};
    h->scene.images = image;
    h->scene.image_count = 1;
    h->primitives[3].texcoords = texcoords;
    h->material = (mst_material){.color = {1, 1, 1, 1}, .image = 0};
    return h;
}

static bool red_from_above(house *h, const mst_picture_options *options) {
    mst_pixels picture;
    draw(h, options, &picture);
    const box b = covered(&picture);
    const uint8_t *seen = at(&picture, &b, 6, 10);
    const bool red = seen[0] > 2 * seen[1] && seen[0] > 2 * seen[2];
    mst_pixels_free(&picture);
    return red;
}

/* If most of the floors have textures, these are shown; placeholders for missing ones do not count. */
static void textures_from_above(void **state) {
    (void)state;
    mst_image image;
    house *h = half_textured(&image, 8);
    mst_picture_options heights = bare;
    heights.heights = 1;
    assert_true(red_from_above(h, &bare));
    assert_false(red_from_above(h, &heights));
    image.placeholder = 1;
    assert_false(red_from_above(h, &bare));
    image.placeholder = 0;
    h->material.image = -1;
    assert_false(red_from_above(h, &bare));
    free(h);
    h = half_textured(&image, 18);
    assert_false(red_from_above(h, &bare));
    free(h);
}

/* Parts above the cut are left out of a picture of textures as well as of one of heights. */
static void textures_are_cut(void **state) {
    (void)state;
    mst_image image;
    house *h = half_textured(&image, 8);
    mst_picture_options low = bare;
    low.ceiling_cut = 4;
    h->primitives[1].vertex_count = h->primitives[1].index_count = 0;
    floor_at(h, 1, 0, 0, 20, 20, 5);
    h->primitives[1].material = -1;
    add_node(h, MST_ROLE_GEOMETRY, "", "", 1);
    h->scene.pictured = 1;
    assert_false(red_from_above(h, &bare));
    assert_true(red_from_above(h, &low));
    free(h);
}

/* A scene may request its textures, from above as well; an explicit request for heights takes precedence. */
static void pictured_from_above(void **state) {
    (void)state;
    house *h = build();
    mst_pixels plain, pictured, heights;
    mst_picture_options options = bare;
    h->material.color[0] = 0.8f;
    h->material.color[1] = h->material.color[2] = 0.05f;
    draw(h, &options, &plain);
    h->scene.pictured = 1;
    draw(h, &options, &pictured);
    options.heights = 1;
    draw(h, &options, &heights);
    box b = covered(&plain);
    const uint8_t *seen = at(&pictured, &b, 3, 8);
    assert_true(seen[0] > 2 * seen[1] && seen[0] > 120);
    assert_false(at(&plain, &b, 3, 8)[0] > 2 * at(&plain, &b, 3, 8)[1]);
    assert_int_equal(plain.width, heights.width);
    assert_int_equal(plain.height, heights.height);
    assert_memory_equal(plain.data, heights.data, (size_t)plain.width * plain.height * 4);
    mst_pixels_free(&plain);
    mst_pixels_free(&pictured);
    mst_pixels_free(&heights);
    free(h);
}

/* A group may have a name to be written; it is not a thing, and has no mark. */
static void groups_have_names(void **state) {
    (void)state;
    house *h = build();
    mst_pixels without, with;
    mst_picture_options options = bare;
    options.no_entities = 0;
    mst_node *node = add_node(h, MST_ROLE_GROUP, "", "", -1);
    node->translation[0] = 8;
    node->translation[2] = 8;
    draw(h, &options, &without);
    node->label = "hall";
    draw(h, &options, &with);
    options.no_entities = 1;
    mst_pixels bounds;
    draw(h, &options, &bounds);
    box b = covered(&bounds);
    assert_int_equal(difference(at(&with, &b, 8, 8), at(&without, &b, 8, 8)), 0); /* no mark */
    int white = 0;
    for (size_t i = 0; i < (size_t)with.width * with.height; i++)
        white += difference(with.data + i * 4, without.data + i * 4) > 100;
    assert_true(white > 10);
    mst_pixels_free(&bounds);
    mst_pixels_free(&without);
    mst_pixels_free(&with);
    free(h);
}

static void odd_input_is_survived(void **state) {
    (void)state;
    house *h = build();
    mst_pixels picture;
    for (int view = 0; view < 2; view++) {
        mst_picture_options options = {
            .size = sizeof options, .view = (mst_view)view, .width = 300, .height = 200};
        static const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, 1e20f, 0};
        for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
            h->positions[0][i * 9] = odd[i];
            h->nodes[4].translation[1] = odd[i];
            h->nodes[2].scale[1] = odd[i];
            draw(h, &options, &picture);
            mst_pixels_free(&picture);
        }
        h->indices[0][7] = 4000000000u;
        h->nodes[2].mesh = 77;
        h->primitives[0].material = 5;
        draw(h, &options, &picture);
        mst_pixels_free(&picture);
    }
    mst_diagnostic diagnostic;
    mst_picture_options options = {.size = sizeof options, .width = 32769};
    assert_int_equal(mst_scene_draw(&h->scene, &options, &picture, &diagnostic), MST_ARGUMENT);
    assert_int_equal(diagnostic.status, MST_ARGUMENT);
    options = (mst_picture_options){.size = sizeof(mst_picture_options), .ceiling_cut = NAN};
    assert_int_equal(mst_scene_draw(&h->scene, &options, &picture, NULL), MST_ARGUMENT);
    options =
        (mst_picture_options){.size = sizeof(mst_picture_options), .view = MST_VIEW_OBLIQUE, .yaw = INFINITY};
    assert_int_equal(mst_scene_draw(&h->scene, &options, &picture, NULL), MST_ARGUMENT);
    assert_int_equal(mst_scene_draw(NULL, NULL, &picture, NULL), MST_ARGUMENT);
    free(h);
}

static void empty_scene_says_so(void **state) {
    (void)state;
    const mst_scene scene = {.name = "void", .format = "none"};
    for (int view = 0; view < 2; view++) {
        mst_pixels picture = {0};
        mst_picture_options options = {.size = sizeof options, .view = (mst_view)view, .no_legend = 1};
        assert_int_equal(mst_scene_draw(&scene, &options, &picture, NULL), MST_OK);
        int light = 0;
        for (size_t i = 0; i < (size_t)picture.width * picture.height; i++)
            light += brightness(picture.data + i * 4) > 500;
        assert_true(light > 200);
        keep(&picture, "empty");
        mst_pixels_free(&picture);
    }
}

/* ---- memory ----------------------------------------------------------------------------------------------
 */

typedef struct counter {
    size_t in_use, calls, fail_at;
} counter;

static void *counted(void *user, void *old, size_t old_size, size_t new_size) {
    counter *c = user;
    if (new_size && c->calls++ == c->fail_at)
        return NULL;
    c->in_use += new_size;
    c->in_use -= old_size;
    if (!new_size) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    house *h = build();
    mst_picture_options options = {.size = sizeof options, .width = 320, .height = 200};
    for (size_t fail_at = 0;; fail_at++) {
        counter c = {.fail_at = fail_at};
        mst_pixels picture = {.allocator = {counted, &c}};
        mst_status status = mst_scene_draw(&h->scene, &options, &picture, NULL);
        if (status == MST_OK)
            assert_int_equal(c.in_use, 320 * 200 * 4);
        else
            assert_int_equal(status, MST_NO_MEMORY);
        mst_pixels_free(&picture);
        assert_int_equal(c.in_use, 0);
        if (status == MST_OK)
            break;
        assert_true(fail_at < 1000);
    }
    free(h);
}

/* ---- parts -----------------------------------------------------------------------------------------------
 */

/* A fan of triangles around a point covers each sample once: by the ids, none is missing or covered twice. */
static bool count_sample(void *user, uint32_t id, int32_t x, int32_t y, float depth) {
    uint8_t *counts = user;
    (void)id;
    (void)depth;
    counts[y * 64 + x]++;
    return false;
}

static void triangles_share_edges(void **state) {
    (void)state;
    float depth[64 * 64];
    uint32_t id[64 * 64];
    uint8_t counts[64 * 64] = {0};
    mst_samples samples = {.width = 64, .rows = 64, .depth = depth, .id = id};
    mst_samples_clear(&samples);
    static const double ring[9][2] = {{-9, -9},     {32.5, -20}, {1e7, -1e7}, {90, 32.5}, {80, 80},
                                      {31.25, 200}, {-50, 90},   {-1e9, 7},   {-9, -9}};
    for (int i = 0; i < 8; i++) {
        const double corners[3][3] = {
            {32.5, 32.5, 1}, {ring[i][0], ring[i][1], 1}, {ring[i + 1][0], ring[i + 1][1], 1}};
        mst_samples_triangle(&samples, corners, 1, count_sample, counts);
    }
    for (int i = 0; i < 64 * 64; i++)
        assert_int_equal(counts[i], 1);
}

static void nearer_wins(void **state) {
    (void)state;
    float depth[16];
    uint32_t id[16];
    mst_samples samples = {.width = 4, .top = 4, .rows = 4, .depth = depth, .id = id};
    mst_samples_clear(&samples);
    static const double far_one[3][3] = {{0, 0, 1}, {20, 0, 1}, {0, 20, 1}};
    static const double near_one[3][3] = {{0, 4, 2}, {2, 4, 2}, {0, 6, 2}};
    mst_samples_triangle(&samples, near_one, 7, NULL, NULL);
    mst_samples_triangle(&samples, far_one, 8, NULL, NULL);
    assert_int_equal(id[0], 7);
    assert_int_equal(id[3], 8);
    assert_int_equal(id[12], 8);
}

static mst_status refuse(void *user, const void *data, size_t size) {
    (void)user;
    (void)data;
    (void)size;
    return MST_STOPPED;
}

static uint32_t big_endian(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void png_has_the_size_given(void **state) {
    (void)state;
    static uint8_t pixels[3 * 2 * 4] = {1, 2, 3, 4};
    mst_buffer memory = {0};
    mst_status status = mst_pixels_write_png(&(mst_pixels){.width = 3, .height = 2, .data = pixels},
                                             mst_buffer_sink(&memory), NULL);
    if (status == MST_UNSUPPORTED)
        skip();
    assert_int_equal(status, MST_OK);
    /* PNG specification, 5.2 and 11.2.2: signature, then IHDR: width, height, depth 8, colour type 6. */
    static const unsigned char signature[] = {137, 'P', 'N', 'G', 13, 10, 26, 10};
    assert_true(memory.size > 45);
    assert_memory_equal(memory.data, signature, 8);
    assert_memory_equal(memory.data + 12, "IHDR", 4);
    assert_int_equal(big_endian(memory.data + 16), 3);
    assert_int_equal(big_endian(memory.data + 20), 2);
    assert_int_equal(memory.data[24], 8);
    assert_int_equal(memory.data[25], 6);
    assert_memory_equal(memory.data + memory.size - 8, "IEND", 4);
    mst_buffer_free(&memory);
    assert_int_equal(mst_pixels_write_png(&(mst_pixels){.width = 3, .height = 2, .data = pixels},
                                          (mst_sink){refuse, NULL}, NULL),
                     MST_STOPPED);
    assert_int_equal(
        mst_pixels_write_png(&(mst_pixels){.height = 2, .data = pixels}, (mst_sink){refuse, NULL}, NULL),
        MST_ARGUMENT);
    assert_int_equal(
        mst_pixels_write_png(&(mst_pixels){.width = 3, .height = 2}, (mst_sink){refuse, NULL}, NULL),
        MST_ARGUMENT);
}

int test_picture(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_shows_floors_where_they_are),
        cmocka_unit_test(cut_takes_off_what_is_higher),
        cmocka_unit_test(roofs_are_found),
        cmocka_unit_test(strays_do_not_make_it_small),
        cmocka_unit_test(layers_choose_what_is_drawn),
        cmocka_unit_test(marks_stand_where_entities_are),
        cmocka_unit_test(legend_and_sizes),
        cmocka_unit_test(oblique_looks_into_rooms),
        cmocka_unit_test(textures_are_seen),
        cmocka_unit_test(pictured_from_above),
        cmocka_unit_test(textures_from_above),
        cmocka_unit_test(textures_are_cut),
        cmocka_unit_test(groups_have_names),
        cmocka_unit_test(odd_input_is_survived),
        cmocka_unit_test(empty_scene_says_so),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(triangles_share_edges),
        cmocka_unit_test(nearer_wins),
        cmocka_unit_test(png_has_the_size_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
