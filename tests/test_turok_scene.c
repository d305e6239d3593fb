/* SPDX-License-Identifier: MIT */
/* Turok levels as scenes. What the small level must give follows from its numbers and the rules of the
 * format; what the larger ones must give was counted by an independent reader. */
#include "../src/scene/geometry.h"
#include "thorough.h"
#include <mapstone/picture.h>
#include <mapstone/scene.h>

#define UNITS 38.4

/* ---- a small level ----------------------------------------------------------------------------- */

typedef struct small_level {
    bool short_sectors; /* of 16 bytes, without draw order */
    bool turned_links;  /* as in the original game */
    bool hostile;       /* sectors with dangling references */
    bool straight_down; /* the sun's light */
    bool bare;          /* no sky, no paths of actors, an empty list of meshes in the empty cell */
    int no_corners;     /* of cells: 1 no minimums, 2 no maximums */
    unsigned areas;     /* more of them, with water, a colour each, and a sector each */
    unsigned actors;    /* more of them, of tag 5 and acting on tag 5 */
} small_level;

static void pad8(writer *w) {
    while (w->size % 8)
        put_u8(w, 0);
}

/* An archive of blocks that were written apart; frees them. */
static void put_archive(writer *w, writer *blocks, uint32_t count) {
    uint32_t offset = (8 + 4 * count + 7) / 8 * 8;
    put_u32(w, count);
    for (uint32_t i = 0; i < count; i++) {
        pad8(&blocks[i]);
        put_u32(w, offset);
        offset += (uint32_t)blocks[i].size;
    }
    put_u32(w, count ? offset : 0);
    pad8(w);
    for (uint32_t i = 0; i < count; i++) {
        put_bytes_of(w, blocks[i].data, blocks[i].size);
        writer_free(&blocks[i]);
    }
}

static void put_reals(writer *w, size_t count, const float *values) {
    for (size_t i = 0; i < count; i++)
        put_f32(w, values[i]);
}
#define REALS(w, ...)                                                                                        \
    put_reals((w), sizeof((float[]){__VA_ARGS__}) / sizeof(float), (const float[]){__VA_ARGS__})

static void put_string(writer *w, const char *text) {
    put_u32(w, (uint32_t)strlen(text) + 1);
    put_u32(w, 1);
    put_bytes_of(w, text, strlen(text) + 1);
}

static void put_set(writer *w, uint32_t flags, uint8_t color) {
    put_u32(w, flags);
    put_u32(w, 0x04030201);
    put_bytes_of(w, "\x00\xff\x80\x7f", 4);
    REALS(w, 1024, 900, 750, 744, 19.2F, 125, 100, 1);
    for (int i = 0; i < 6; i++)
        put_u16(w, (uint16_t)i);
    put_bytes_of(w, "\x01\x03\x01", 3);
    put_u8(w, color);
    put_bytes_of(w, "\x06\xff\x00\x00", 4);
}

static void put_sector(writer *w, const small_level *l, uint16_t set, uint16_t flags,
                       const uint16_t corners[3], const uint16_t links[3], uint16_t order) {
    put_u16(w, set);
    put_u16(w, flags);
    for (int i = 0; i < 3; i++)
        put_u16(w, corners[i]);
    for (int i = 0; i < 3; i++)
        put_u16(w, links[i]);
    if (!l->short_sectors)
        put_u16(w, order);
}

static void put_actor(writer *w, uint32_t type, const float origin[3], float yaw, bool box, uint16_t tid,
                      uint16_t target) {
    put_u32(w, type);
    put_reals(w, 3, origin);
    REALS(w, 0.5F, 0.5F, 0.5F, yaw);
    put_u32(w, 0);
    float far_off = box ? 20 : -1e30F;
    REALS(w, -far_off, -far_off, box ? 0 : 1e30F, far_off, far_off, box ? 80 : -1e30F);
    REALS(w, 1, 2, 3, 4, 5, 6, 25.6F, 25.6F, 71.68F, 30.72F, 7, 8, 0);
    put_u32(w, 0xFFFFFFFF);
    put_u32(w, 9); /* solid, snap_to_floor */
    put_u32(w, 0);
    put_u16(w, 0x1001);
    put_u16(w, 100);
    put_u16(w, tid);
    put_u16(w, target);
    put_u16(w, 0);
    put_bytes_of(w, "\x64\x00\x00\xff\x00\x00", 6);
}

/*
 * A triangle in the south, another one north of it (40 % up its western side), and a third that the map does
 * not show. Seen from above, x to the right and y up:
 *     3
 *     | \
 *     |   2
 *     0 --1
 */
static void write_level(writer *w, const small_level *l) {
    writer root[7] = {0}, world[3] = {0}, collision[3] = {0}, bounds[3] = {0}, cells[2] = {0}, cell[2] = {0},
           actors[3] = {0}, mesh_paths[1] = {0}, paths[2][3] = {0};
    put_u32(&root[0], 1);
    if (l->straight_down)
        REALS(&world[0], 0, 0, -1);
    else
        REALS(&world[0], 0.6F, 0, 0.8F);
    REALS(&world[1], 1, 0.5F, 0.25F, 1);
    REALS(&world[2], 0.25F, 0.25F, 0.25F, 1);
    put_archive(&root[1], world, 3);
    if (l->bare)
        put_u64(&root[2], 0);
    else
        put_string(&root[2], "skies/skyMaterials/x");

    writer *v = &collision[0];
    put_u32(v, 16);
    put_u32(v, 5);
    REALS(v, 0, 0, 0, 0, 384, 0, 0, 0, 384, 192, 0, 76.8F, 0, 768, 38.4F, 115.2F);
    REALS(v, 0, l->hostile ? NAN : -384, 0, 0);

    v = &collision[1];
    put_u32(v, 64);
    put_u32(v, 3 + l->areas);
    put_set(v, 0x00010000, 2);   /* event, blue */
    put_set(v, 0x00100041, 6);   /* draw_sky, ceiling, water; brown */
    put_set(v, 0x00000008, 200); /* cliff; a colour that is none */
    for (unsigned i = 0; i < l->areas; i++) {
        size_t start = v->size;
        put_set(v, 0, 0);
        v->data[start + 8] = (uint8_t)i; /* red of the water */
    }

    v = &collision[2];
    put_u32(v, l->short_sectors ? 16 : 18);
    put_u32(v, (l->hostile ? 6 : 3) + l->areas);
    const uint16_t south[3] = {0, 1, 2}, north[3] = {0, 2, 3}, hidden[3] = {4, 1, 0},
                   beyond[3] = {0, 1, 60000};
    const uint16_t none[3] = {0xFFFF, 0xFFFF, 0xFFFF};
    /* Link 0 is over v0-v2, 1 over v1-v0, 2 over v2-v1; turned: 0 over v0-v1, 1 over v1-v2, 2 over v2-v0. */
    const uint16_t south_links[2][3] = {{1, 0xFFFF, 0xFFFF}, {0xFFFF, 0xFFFF, 1}};
    const uint16_t north_links[2][3] = {{0xFFFF, 0, 0xFFFF}, {0, 0xFFFF, 0xFFFF}};
    put_sector(v, l, 0, 0, south, south_links[l->turned_links], 7);
    put_sector(v, l, 1, 0x41, north, north_links[l->turned_links], 9);
    put_sector(v, l, 2, 0x208, hidden, none, 0); /* a corner of it is nowhere if hostile */
    if (l->hostile) {
        put_sector(v, l, 9, 0, south, none, 0);  /* no such area */
        put_sector(v, l, 0, 0, beyond, none, 0); /* no such corner */
        put_sector(v, l, 65535, 0x41, north, (const uint16_t[3]){60000, 9, 5}, 0x8000);
    }
    for (unsigned i = 0; i < l->areas; i++)
        put_sector(v, l, (uint16_t)(3 + i), 1, south, none, 0);
    put_archive(&root[3], collision, 3);

    put_u32(&bounds[0], 2);
    put_u32(&bounds[0], 2);
    put_u16(&bounds[0], 2);
    put_u16(&bounds[0], 1);
    for (int i = 1; i < 3; i++) {
        put_u32(&bounds[i], 8);
        put_u32(&bounds[i], l->no_corners == i ? 0 : 2);
    }
    if (l->no_corners != 1)
        REALS(&bounds[1], 59.76F, 29.76F, 200, 0);
    if (l->no_corners != 2)
        REALS(&bounds[2], 140.24F, 90.24F, 200, 0);
    put_archive(&root[4], bounds, 3);

    put_u32(&cell[0], 88);
    put_u32(&cell[0], 1);
    REALS(&cell[0], 100, 60, 5, 0.35F, 0.35F, 0.7F, 0, 0, 0, -1, -30, -20, 0, 30, 20, 40);
    put_u32(&cell[0], 0xFFFFFFFF);
    put_u32(&cell[0], 5); /* collide, no_draw_camera */
    put_u32(&cell[0], 0xFFFFFFFF);
    REALS(&cell[0], 40, 70);
    put_u32(&cell[0], 0xFFFFFFFF);
    put_string(&mesh_paths[0], "models/stone.bin");
    put_archive(&cell[1], mesh_paths, 1);
    put_archive(&cells[0], cell, 2);
    if (l->bare) {
        put_u32(&cell[0], 88);
        put_u32(&cell[0], 0);
        put_archive(&cell[1], NULL, 0);
    }
    put_archive(&cells[1], cell, l->bare ? 2 : 0);
    put_archive(&root[5], cells, 2);

    put_u32(&actors[0], 140);
    put_u32(&actors[0], 3 + l->actors);
    put_actor(&actors[0], 0, (const float[3]){192, 38.4F, 0}, 1.57079632679F, true, 1, 0);
    put_actor(&actors[0], 12345, (const float[3]){38.4F, 384, 10}, 0, false, 2, 7);
    put_actor(&actors[0], 438, (const float[3]){300, 30, 0}, 0, true, 7, 0xFFFF);
    for (unsigned i = 0; i < l->actors; i++)
        put_actor(&actors[0], 0xFFFFFFFE - i, (const float[3]){(float)i, 0, 0}, 0, false, 5, 5);
    for (int k = 0; k < 2; k++) {
        put_string(&paths[k][0], k ? "anims/a_anim.bin" : "models/stone.bin");
        put_string(&paths[k][1], "");
        put_string(&paths[k][2], k ? "" : "models/coin.bin");
        put_archive(&actors[1 + k], paths[k], l->bare ? 0 : 3);
        for (int i = 0; i < 3; i++) /* if they were not taken */
            writer_free(&paths[k][i]);
    }
    put_archive(&root[6], actors, 3);
    put_archive(w, root, 7);
}

static mst_scene *scene_of_bytes(const void *bytes, size_t size, const mst_scene_options *options) {
    mst_scene *scene;
    mst_document *document;
    mst_diagnostic why;
    mst_open_options open = {.name = "small.map"};
    MUST(mst_open_memory(bytes, size, &open, &document, &why), &why);
    assert_string_equal(mst_document_format(document)->id, "turok-map");
    MUST(mst_scene_from_document(document, options, &scene, &why), &why);
    mst_close(document);
    return scene;
}

/* Writes another number over the one that a path leads to. */
static void change(writer *w, const char *path, float number) {
    mst_document *document;
    mst_open_options open = {.name = "small.map"};
    mst_value value;
    uint64_t offset, length;
    mst_diagnostic why;
    MUST(mst_open_memory(w->data, w->size, &open, &document, &why), &why);
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    mst_value_span(&value, &offset, &length);
    assert_int_equal(length, 4);
    mst_store32(w->data + offset, mst_bits_of_f32(number), false);
    mst_close(document);
}

static mst_scene *scene_of(const small_level *l) {
    writer w = {0};
    write_level(&w, l);
    mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
    writer_free(&w);
    return scene;
}

/* ---- looking at scenes ------------------------------------------------------------------------- */

static int32_t find_node(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

static const mst_node *node_named(const mst_scene *scene, const char *name) {
    int32_t index = find_node(scene, name);
    if (index < 0)
        print_error("no node %s\n", name);
    assert_true(index >= 0);
    return &scene->nodes[index];
}

static const mst_mesh *mesh_of(const mst_scene *scene, const char *name) {
    const mst_node *node = node_named(scene, name);
    assert_true(node->mesh >= 0);
    return &scene->meshes[node->mesh];
}

static const mst_extra *extra_of(const mst_extras *extras, const char *name) {
    for (size_t i = 0; i < extras->count; i++)
        if (strcmp(extras->items[i].name, name) == 0)
            return &extras->items[i];
    return NULL;
}

static const char *text_of(const mst_node *node, const char *name) {
    const mst_extra *extra = extra_of(&node->extras, name);
    if (!extra || extra->kind != MST_EXTRA_TEXT)
        print_error("%s has no text %s\n", node->name, name);
    assert_true(extra && extra->kind == MST_EXTRA_TEXT);
    return extra->text;
}

static void assert_reals(const float *got, const double *wanted, size_t count, double within) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabs((double)got[i] - wanted[i]) <= within))
            print_error("%zu: %.9g is not %.9g\n", i, (double)got[i], wanted[i]);
        assert_true(fabs((double)got[i] - wanted[i]) <= within);
    }
}
#define ASSERT_REALS(got, ...)                                                                               \
    assert_reals((got), (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double), 1e-5)

/* A point of a node's own coordinates in the world; as a direction without the translation. */
static void to_world(const mst_scene *scene, const char *name, const float point[3], bool direction,
                     float world[3]) {
    float *matrices = malloc(scene->node_count * 16 * sizeof(float)), zero[3] = {0}, origin[3];
    assert_non_null(matrices);
    mst_scene_world_matrices(scene, matrices);
    const float *matrix = matrices + 16 * find_node(scene, name);
    mst_matrix_point(matrix, point, world);
    mst_matrix_point(matrix, zero, origin);
    for (int i = 0; i < 3 && direction; i++)
        world[i] -= origin[i];
    free(matrices);
}

/* Every triangle's own normal is on the side of its corners' normals. */
static void assert_outward(const mst_scene *scene) {
    for (size_t m = 0; m < scene->mesh_count; m++)
        for (size_t k = 0; k < scene->meshes[m].primitive_count; k++) {
            const mst_primitive *p = &scene->meshes[m].primitives[k];
            for (uint32_t i = 0; p->normals && !p->indices && i + 2 < p->vertex_count; i += 3) {
                double n[3], sum = 0;
                mst_polygon_normal(p->positions + i * 3, NULL, 3, n);
                for (int c = 0; c < 3; c++)
                    sum += n[c] * (double)p->normals[i * 3 + (uint32_t)c];
                assert_true(sum >= 0);
            }
        }
}

/* ---- the small level --------------------------------------------------------------------------- */

static void test_root(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    const mst_node *root = &scene->nodes[0];
    ASSERT_REALS(root->rotation, -0.70710678, 0, 0, 0.70710678);
    ASSERT_REALS(root->scale, 1 / UNITS, 1 / UNITS, 1 / UNITS);
    assert_true(fabs(scene->unit_metres * UNITS - 1) < 1e-6);
    assert_string_equal(scene->name, "small");
    assert_string_equal(scene->format, "turok-map");
    assert_string_equal(extra_of(&scene->extras, "sky_material")->text, "skies/skyMaterials/x");
    assert_true(extra_of(&scene->extras, "ambient_color_0")->real == 0.25);
    /* the right way up and not mirrored: east stays, north is -Z, up is Y */
    float world[3];
    to_world(scene, "area_0001", (const float[3]){384, 192, 38.4F}, false, world);
    ASSERT_REALS(world, 10, 1, -5);
    mst_scene_free(scene);
}

static void test_floors(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    const mst_mesh *south = mesh_of(scene, "area_0000"), *north = mesh_of(scene, "area_0001"),
                   *ceiling = mesh_of(scene, "ceiling"), *water = mesh_of(scene, "water");
    assert_int_equal(south->primitive_count, 1);
    assert_int_equal(south->primitives->vertex_count, 3);
    ASSERT_REALS(south->primitives->positions, 0, 0, 0, 384, 0, 0, 384, 192, 0);
    ASSERT_REALS(south->primitives->normals, 0, 0, 1);
    assert_string_equal(scene->materials[south->primitives->material].name, "event");
    ASSERT_REALS(north->primitives->positions, 0, 0, 0, 384, 192, 0, 0, 768, 38.4F);
    assert_string_equal(scene->materials[north->primitives->material].name, "water");
    assert_string_equal(scene->materials[mesh_of(scene, "area_0002")->primitives->material].name, "wall");
    ASSERT_REALS(ceiling->primitives->positions, 0, 768, 115.2F, 384, 192, 76.8F, 0, 0, 0);
    assert_int_equal(ceiling->primitives->vertex_count, 3);
    ASSERT_REALS(water->primitives->positions, 0, 0, 19.2F, 384, 192, 19.2F, 0, 768, 19.2F);
    ASSERT_REALS(water->primitives->normals, 0, 0, 1);
    const mst_material *blue = &scene->materials[water->primitives->material];
    ASSERT_REALS(blue->color, 0, 1, 0.2158605, 127 / 255.0);
    assert_int_equal(blue->alpha_mode, MST_ALPHA_BLEND);

    const mst_node *area = node_named(scene, "area_0001");
    assert_string_equal(area->layer, "floor");
    assert_int_equal(area->role, MST_ROLE_GEOMETRY);
    assert_string_equal(text_of(area, "sectors"), "1");
    assert_string_equal(text_of(area, "flags_names"), "water ceiling draw_sky");
    assert_string_equal(text_of(area, "automap_color_name"), "brown");
    assert_int_equal(extra_of(&area->extras, "arguments_3")->integer, 3);
    assert_outward(scene);
    mst_scene_free(scene);
}

/* Walls stand over solid edges and face their sector, whichever way links are counted. */
static void test_walls(void **state) {
    (void)state;
    for (int variant = 0; variant < 3; variant++) {
        small_level l = {.short_sectors = variant > 0, .turned_links = variant == 2};
        mst_scene *scene = scene_of(&l);
        const mst_primitive *walls = mesh_of(scene, "walls")->primitives;
        assert_int_equal(walls->vertex_count, (2 + 2 + 3) * 6);
        assert_outward(scene);
        /* each of the south's and the north's solid edges, in either order */
        static const double wanted[4][2][3] = {{{0, 0, 0}, {384, 0, 0}},
                                               {{384, 0, 0}, {384, 192, 0}},
                                               {{384, 192, 0}, {0, 768, 38.4F}},
                                               {{0, 768, 38.4F}, {0, 0, 0}}};
        for (int k = 0; k < 4; k++) {
            bool found = false;
            for (uint32_t i = 0; i < 24; i += 6) {
                const float *p = walls->positions + i * 3; /* b, a, a', b, a', b' */
                bool same = true;
                for (int c = 0; c < 3; c++)
                    same = same && (double)p[3 + c] == wanted[k][0][c] && (double)p[c] == wanted[k][1][c];
                if (!same)
                    continue;
                found = true;
                double heights[2] = {k < 2    ? 71.68
                                     : k == 2 ? 76.8
                                              : 115.2,
                                     k < 2    ? 71.68
                                     : k == 2 ? 115.2
                                              : 0};
                ASSERT_REALS(p + 6, wanted[k][0][0], wanted[k][0][1], heights[0]);
                ASSERT_REALS(p + 15, wanted[k][1][0], wanted[k][1][1], heights[1]);
            }
            assert_true(found);
        }
        /* the southern wall is seen from the north */
        assert_true(walls->normals[1] == 1 || variant == 2);
        mst_scene_free(scene);
    }
}

static void test_things(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    const mst_node *mesh = node_named(scene, "mesh_0_0"), *box = node_named(scene, "box_0_0");
    ASSERT_REALS(mesh->translation, 100, 60, 5);
    ASSERT_REALS(mesh->rotation, 0, 0, 0, -1);
    ASSERT_REALS(mesh->scale, 0.35F, 0.35F, 0.7F);
    assert_int_equal(mesh->mesh, -1);
    assert_string_equal(text_of(mesh, "model"), "models/stone.bin");
    assert_string_equal(text_of(mesh, "flags_names"), "collide no_draw_camera");
    ASSERT_REALS(box->translation, 100, 60, 25);
    ASSERT_REALS(box->scale, 60, 40, 40);
    assert_int_equal(box->role, MST_ROLE_HELPER);

    const mst_node *player = node_named(scene, "actor_0"), *unknown = node_named(scene, "actor_1"),
                   *coin = node_named(scene, "actor_2");
    assert_int_equal(player->role, MST_ROLE_ENTITY);
    assert_string_equal(player->class_name, "turok");
    assert_string_equal(unknown->class_name, "type_12345");
    assert_string_equal(coin->class_name, "pickup_coin1");
    assert_string_equal(unknown->tag, "2");
    assert_string_equal(coin->tag, "7");
    assert_string_equal(player->tag, ""); /* nothing acts on it, and it acts on nothing */
    ASSERT_REALS(player->rotation, 0, 0, 0.70710678, 0.70710678);
    ASSERT_REALS(player->scale, 0.5, 0.5, 0.5);
    assert_string_equal(text_of(player, "spawn_flags_1_names"), "solid snap_to_floor");
    assert_string_equal(text_of(player, "spawn_flags_3_names"), "return_warp bit_12");
    assert_string_equal(text_of(player, "animation"), "anims/a_anim.bin");
    assert_int_equal(extra_of(&coin->extras, "target_tid")->integer, -1);
    /* a box of the same model is the same mesh; none where there is no box */
    assert_int_equal(node_named(scene, "actor_box_0")->mesh, box->mesh);
    assert_int_not_equal(node_named(scene, "actor_box_2")->mesh, box->mesh);
    assert_int_equal(find_node(scene, "actor_box_1"), -1);
    /* as large as the model, which is scaled: 40 by 40 by 80 at half the size */
    ASSERT_REALS(node_named(scene, "actor_box_0")->translation, 192, 38.4F, 20);
    ASSERT_REALS(node_named(scene, "actor_box_0")->scale, 20, 20, 40);

    /* a quarter turn counter-clockwise: it looks west, from 0.9 of its height */
    assert_int_equal(scene->camera_count, 1);
    assert_int_equal(node_named(scene, "start_0")->role, MST_ROLE_CAMERA);
    float point[3];
    to_world(scene, "start_0", (const float[3]){0, 0, -(float)UNITS}, true, point);
    ASSERT_REALS(point, -1, 0, 0);
    to_world(scene, "start_0", (const float[3]){0, (float)UNITS, 0}, true, point);
    ASSERT_REALS(point, 0, 1, 0);
    to_world(scene, "start_0", (const float[3]){0, 0, 0}, false, point);
    ASSERT_REALS(point, 5, 1.68, -1);
    /* one outline */
    const mst_primitive *grid = mesh_of(scene, "cells")->primitives;
    assert_int_equal(grid->vertex_count, 4 * 6);
    ASSERT_REALS(grid->positions, 59.76F, 29.76F, 0);
    mst_scene_free(scene);
}

static mst_status one_definition(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                                 void *taker) {
    const char *text = user;
    assert_string_equal(folder, "defs/actors");
    assert_string_equal(ending, ".txt");
    return take(taker, "mod.txt", text, strlen(text));
}

/* A mod's definitions name the types that nobody else knows. */
static void test_actor_names(void **state) {
    (void)state;
    char text[] = "Monster_Newt 12345 { health 5 }";
    mst_resolver resolver = {.each = one_definition, .user = text};
    mst_scene_options options = {.sidecars = &resolver};
    writer w = {0};
    write_level(&w, &(small_level){0});
    mst_scene *scene = scene_of_bytes(w.data, w.size, &options);
    assert_string_equal(node_named(scene, "actor_1")->class_name, "Monster_Newt");
    assert_string_equal(node_named(scene, "actor_2")->class_name, "pickup_coin1");
    mst_scene_free(scene);
    writer_free(&w);
}

/* How a definition is told from what stands around it. NULL: the type 12345 gets no name. */
static void test_definitions(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"", NULL},
        {"Newt 12345", "Newt"},
        {"Newt\t\r\n12345{}", "Newt"},
        {"\"Big Newt\" \"12345\"", "Big Newt"},
        {"a.b-c_D9 12345", "a.b-c_D9"},
        {"Newt;12345", "Newt"},
        {"Zed {} Newt 12345 { a 1 }", "Newt"},
        {"Old 12345 {} New 12345 {}", "New"}, /* the last one counts */
        {"A 7 {} Old 12345 {} B 99999 {} C -3 {} New 12345 {} D 6 {}", "New"},
        {"Newt 12345 { Other 12345 }", "Newt"}, /* only before blocks */
        {"{ Newt 12345 }", NULL},
        {"} Newt 12345", "Newt"}, /* one too many is none */
        {"{{} Newt 12345 }", NULL},
        {"Newt { 12345 }", NULL},
        {"12345", NULL},
        {"1 12345", "1"},
        {"Newt 12345x", NULL},
        {"Newt 1234", NULL},
        {"Newt 123456", NULL},
        {"Newt -12345", NULL},
        {"Newt 4294979641", NULL}, /* 2^32 and more */
        {"Newt 99999999999999999999", NULL},
        {"Newt 0000012345", "Newt"},
        {"Newt - 12345", "-"}, /* a word as well as any */
        {"Newt \"\" 12345", ""},
        {"\"Newt\n12345", "Newt"}, /* a line ends what nobody ended */
        {"\"Newt", NULL},
        {"// Newt 12345\nOther 1", NULL},
        {"// Newt 12345", NULL},
        {"Newt // Other\n 12345", "Newt"},
        {"/* Newt 12345 */", NULL},
        {"/* Other */ Newt /**/ 12345", "Newt"},
        {"Newt /* 12345", NULL},
        {"Newt /* * / 12345 *", NULL},
        {"Newt 12345 /", "Newt"},
        {"Newt / 12345", "Newt"},
        {"Newt 12345 /*", "Newt"},
        {"Newt `~@[ 12345", "Newt"}, /* characters beside those of words */
    };
    writer w = {0};
    write_level(&w, &(small_level){0});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s", cases[i].text);
        mst_resolver resolver = {.each = one_definition, .user = text};
        mst_scene_options options = {.sidecars = &resolver};
        mst_scene *scene = scene_of_bytes(w.data, w.size, &options);
        const char *name = node_named(scene, "actor_1")->class_name;
        if (strcmp(name, cases[i].name ? cases[i].name : "type_12345") != 0)
            print_error("%s: %s\n", text, name);
        assert_string_equal(name, cases[i].name ? cases[i].name : "type_12345");
        assert_string_equal(node_named(scene, "actor_2")->class_name, "pickup_coin1");
        mst_scene_free(scene);
    }
    /* names of 200 bytes and more are cut; of 65536 definitions and more the rest is passed over */
    size_t size = 0, capacity = 65536 * 16 + 1000;
    char *text = malloc(capacity);
    assert_non_null(text);
    memset(text, 'n', 300);
    size = 300;
    for (unsigned i = 0; i < 65536; i++)
        size += (size_t)snprintf(text + size, capacity - size, "%s %u", i ? " a" : "", i ? 20000 + i : 438);
    snprintf(text + size, capacity - size, " Newt 12345");
    mst_resolver resolver = {.each = one_definition, .user = text};
    mst_scene_options options = {.sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(w.data, w.size, &options);
    assert_string_equal(node_named(scene, "actor_1")->class_name, "type_12345");
    text[200] = 0;
    assert_string_equal(node_named(scene, "actor_2")->class_name, text);
    mst_scene_free(scene);
    free(text);
    /* no resolver of many */
    resolver.each = NULL;
    scene = scene_of_bytes(w.data, w.size, &options);
    assert_string_equal(node_named(scene, "actor_2")->class_name, "pickup_coin1");
    mst_scene_free(scene);
    writer_free(&w);
}

static mst_status no_memory(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                            void *taker) {
    mst_status *status = user;
    (void)folder;
    (void)ending;
    (void)take;
    (void)taker;
    return *status;
}

/* Unreadable definitions count as absent, except for lack of memory. */
static void test_unread_definitions(void **state) {
    (void)state;
    static const mst_status statuses[] = {MST_IO, MST_DAMAGED, MST_NO_MEMORY};
    writer w = {0};
    write_level(&w, &(small_level){0});
    mst_document *document;
    mst_open_options open = {.name = "small.map"};
    MUST(mst_open_memory(w.data, w.size, &open, &document, NULL), NULL);
    for (size_t i = 0; i < 3; i++) {
        mst_status reported = statuses[i];
        mst_resolver resolver = {.each = no_memory, .user = &reported};
        mst_scene_options options = {.sidecars = &resolver};
        mst_scene *scene;
        mst_diagnostic why;
        mst_status status = mst_scene_from_document(document, &options, &scene, &why);
        assert_int_equal(status, reported == MST_NO_MEMORY ? MST_NO_MEMORY : MST_OK);
        if (status != MST_OK) {
            assert_int_equal(why.status, MST_NO_MEMORY);
            continue;
        }
        assert_string_equal(node_named(scene, "actor_2")->class_name, "pickup_coin1");
        mst_scene_free(scene);
    }
    mst_close(document);
    writer_free(&w);
}

static void test_sun(void **state) {
    (void)state;
    for (int down = 0; down < 2; down++) {
        mst_scene *scene = scene_of(&(small_level){.straight_down = down});
        assert_int_equal(scene->light_count, 1);
        assert_int_equal(scene->lights->kind, MST_LIGHT_DIRECTIONAL);
        ASSERT_REALS(scene->lights->color, 1, 0.5, 0.25);
        float travel[3];
        to_world(scene, "sun", (const float[3]){0, 0, -(float)UNITS}, true, travel);
        if (down) /* the sun is below */
            ASSERT_REALS(travel, 0, 1, 0);
        else
            ASSERT_REALS(travel, -0.6, -0.8, 0);
        mst_scene_free(scene);
    }
}

static void test_map(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    const mst_map *map = scene->map;
    assert_non_null(map);
    assert_int_equal(map->face_count, 3);
    /* what the game hides is below all, then 9 below 7 */
    assert_string_equal(map->keys[map->faces[0].key].name, "hidden");
    assert_string_equal(map->keys[map->faces[1].key].name, "brown");
    assert_string_equal(map->keys[map->faces[2].key].name, "blue");
    ASSERT_REALS(&map->faces[2].corners[0][0], 0, 0, 0, 384, 0, 0, 384, 192, 0);
    size_t walls = 0, links = 0;
    for (size_t i = 0; i < map->line_count; i++) {
        walls += map->lines[i].kind == MST_MAP_WALL;
        if (map->lines[i].kind != MST_MAP_LINK)
            continue;
        links++;
        ASSERT_REALS(map->lines[i].from, 38.4F, 384, 10);
        ASSERT_REALS(map->lines[i].to, 300, 30, 0);
    }
    assert_int_equal(walls, 4);
    assert_int_equal(links, 1);
    mst_scene_free(scene);
    /* without draw orders the file's order counts */
    scene = scene_of(&(small_level){.short_sectors = true});
    assert_string_equal(scene->map->keys[scene->map->faces[0].key].name, "hidden");
    assert_string_equal(scene->map->keys[scene->map->faces[1].key].name, "blue");
    mst_scene_free(scene);
}

/* The box is turned already and scaled along the model's axes: in the plane the larger scale counts. */
static void test_scaled_boxes(void **state) {
    (void)state;
    static const struct {
        double scale[3];
        double size[3], middle; /* of a box of 40 by 40 by 80 that stands on the ground */
    } cases[] = {{{0.5, 0.25, 2}, {20, 20, 160}, 80},
                 {{0.25, 0.5, 1}, {20, 20, 80}, 40},
                 {{-1.5, 1, -1}, {60, 60, 80}, 40},
                 {{0, 0, 0}, {0, 0, 0}, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        write_level(&w, &(small_level){0});
        for (int k = 0; k < 3; k++) {
            char path[64];
            snprintf(path, sizeof path, "actors.records[0].scale[%d]", k);
            change(&w, path, (float)cases[i].scale[k]);
        }
        mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
        const mst_node *box = node_named(scene, "actor_box_0");
        ASSERT_REALS(box->scale, cases[i].size[0], cases[i].size[1], cases[i].size[2]);
        ASSERT_REALS(box->translation, 192, 38.4F, cases[i].middle);
        mst_scene_free(scene);
        writer_free(&w);
    }
}

static void pixel_of(const mst_picture *picture, double x, double y, uint8_t pixel[3]) {
    size_t at = ((size_t)y * picture->width + (size_t)x) * 4;
    memcpy(pixel, picture->pixels + at, 3);
}

static void test_picture(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){0});
    mst_picture picture = {0};
    mst_diagnostic why;
    /* 10 by 30 m, 0.9 m around it, 20 pixels a metre; z goes from -20 to 10 */
    mst_picture_options options = {.width = 236,
                                   .height = 636,
                                   .no_entities = 1,
                                   .no_legend = 1,
                                   .no_grid = 1,
                                   .background = {1, 2, 3, 255}};
    MUST(mst_scene_draw(scene, &options, &picture, &why), &why);
    uint8_t flat[3], slope[3], hidden[3], empty[3];
    pixel_of(&picture, (8 + 0.9) * 20, (-1 + 20.9) * 20, flat);
    pixel_of(&picture, (1 + 0.9) * 20, (-14 + 20.9) * 20, slope);
    pixel_of(&picture, (2 + 0.9) * 20, (3 + 20.9) * 20, hidden);
    pixel_of(&picture, (9 + 0.9) * 20, (-14 + 20.9) * 20, empty);
    const uint8_t *blue = scene->map->keys[2].color;
    assert_memory_equal(flat, blue, 3);
    assert_true(slope[0] > slope[1] && slope[1] > slope[2] && slope[2] > 30); /* brown */
    assert_memory_equal(hidden, scene->map->keys[12].color, 3);
    assert_memory_equal(empty, "\x01\x02\x03", 3);
    mst_picture_free(&picture);
    /* by height both are coloured otherwise */
    options.heights = 1;
    MUST(mst_scene_draw(scene, &options, &picture, &why), &why);
    pixel_of(&picture, (8 + 0.9) * 20, (-1 + 20.9) * 20, flat);
    assert_memory_not_equal(flat, blue, 3);
    mst_picture_free(&picture);
    /* entities, tags and arrows leave marks */
    mst_picture_options whole = {.width = 400, .tags = 1}, bare = {.width = 400, .no_links = 1};
    mst_picture other = {0};
    MUST(mst_scene_draw(scene, &whole, &picture, &why), &why);
    MUST(mst_scene_draw(scene, &bare, &other, &why), &why);
    assert_int_equal(picture.height, other.height);
    assert_memory_not_equal(picture.pixels, other.pixels, (size_t)picture.width * picture.height * 4);
    mst_picture_free(&picture);
    mst_picture_free(&other);
    mst_scene_free(scene);
}

/* ---- hostile levels ---------------------------------------------------------------------------- */

static void test_hostile(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){.hostile = true});
    assert_int_equal(extra_of(&scene->extras, "sectors_not_shown")->integer, 2);
    assert_string_equal(text_of(node_named(scene, "area_0009"), "sectors"), "3");
    const mst_mesh *far_off = mesh_of(scene, "area_65535");
    assert_string_equal(scene->materials[far_off->primitives->material].name, "water");
    /* its area, which would know how high the water is, is missing */
    assert_int_equal(mesh_of(scene, "water")->primitives->vertex_count, 3);
    assert_int_equal(scene->map->face_count, 4);
    assert_string_equal(scene->map->keys[scene->map->faces[0].key].name, "brown");
    mst_picture picture = {0};
    mst_diagnostic why;
    MUST(mst_scene_draw(scene, &(mst_picture_options){.width = 300}, &picture, &why), &why);
    mst_picture_free(&picture);
    mst_scene_free(scene);
}

/* A number that is none takes only that away which needs it. */
static void test_no_numbers(void **state) {
    (void)state;
    static const struct {
        const char *paths[2];
        float numbers[2];
        const char *gone, *here;
    } cases[] = {
        {{"collision.vertices[2].ceiling"}, {NAN}, "ceiling", "area_0001"},
        {{"collision.sector_sets[1].water_height"}, {NAN}, "water", "ceiling"},
        {{"collision.vertices[0].position[1]"}, {INFINITY}, "area_0000", "actor_0"},
        {{"world.sun_direction[1]"}, {INFINITY}, "sun", "start_0"},
        {{"world.sun_direction[0]", "world.sun_direction[2]"}, {0, 0}, "sun", "start_0"},
        {{"grid_sections[0].static_meshes[0].bounds_min[1]"}, {NAN}, "box_0_0", "mesh_0_0"},
        {{"grid_sections[0].static_meshes[0].bounds_max[1]"}, {INFINITY}, "box_0_0", "mesh_0_0"},
        {{"grid_sections[0].static_meshes[0].bounds_min[2]",
          "grid_sections[0].static_meshes[0].bounds_max[2]"},
         {-3e38F, 3e38F},
         "box_0_0",
         "mesh_0_0"},
        {{"grid_bounds.minimums[0][0]"}, {-INFINITY}, "cells", "grid"},
        {{"grid_bounds.maximums[0][1]"}, {INFINITY}, "cells", "grid"},
        {{"grid_bounds.maximums[0][1]"}, {29}, "cells", "grid"},
        {{"actors.records[0].bounds_max[0]"}, {NAN}, "actor_box_0", "actor_0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = {0};
        write_level(&w, &(small_level){0});
        mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
        node_named(scene, cases[i].gone);
        node_named(scene, cases[i].here);
        mst_scene_free(scene);
        for (int k = 0; k < 2 && cases[i].paths[k]; k++)
            change(&w, cases[i].paths[k], cases[i].numbers[k]);
        scene = scene_of_bytes(w.data, w.size, NULL);
        if (find_node(scene, cases[i].gone) >= 0)
            print_error("%s\n", cases[i].paths[0]);
        assert_int_equal(find_node(scene, cases[i].gone), -1);
        node_named(scene, cases[i].here);
        mst_scene_free(scene);
        writer_free(&w);
    }
    /* who looks nowhere looks along the axis */
    writer w = {0};
    write_level(&w, &(small_level){0});
    change(&w, "actors.records[0].yaw", NAN);
    mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
    ASSERT_REALS(node_named(scene, "actor_0")->rotation, 0, 0, 0, 1);
    mst_scene_free(scene);
    /* walls under a ceiling that is none are as high as those without one */
    change(&w, "collision.vertices[3].ceiling", INFINITY);
    scene = scene_of_bytes(w.data, w.size, NULL);
    const mst_primitive *walls = mesh_of(scene, "walls")->primitives;
    float highest = 0;
    for (uint32_t i = 0; i < walls->vertex_count; i++)
        highest = walls->positions[3 * i + 2] > highest ? walls->positions[3 * i + 2] : highest;
    assert_true(fabs((double)highest - (38.4 + 71.68)) < 1e-4);
    mst_scene_free(scene);
    writer_free(&w);
}

/* What is not there is not shown, and the rest is. */
static void test_bare(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){.bare = true});
    assert_string_equal(extra_of(&scene->extras, "sky_material")->text, "");
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "actor_%d", i);
        assert_string_equal(text_of(node_named(scene, name), "model"), "");
        assert_string_equal(text_of(node_named(scene, name), "animation"), "");
    }
    /* a box without a model has a colour, too */
    const mst_mesh *box = mesh_of(scene, "actor_box_0");
    assert_string_equal(scene->materials[box->primitives->material].name, "no_model");
    assert_string_equal(text_of(node_named(scene, "mesh_0_0"), "model"), "models/stone.bin");
    assert_int_equal(find_node(scene, "mesh_1_0"), -1);
    assert_int_equal(mesh_of(scene, "cells")->primitives->vertex_count, 4 * 6);
    mst_scene_free(scene);
    for (int i = 1; i < 3; i++) {
        scene = scene_of(&(small_level){.no_corners = i});
        assert_int_equal(find_node(scene, "cells"), -1);
        node_named(scene, "mesh_0_0");
        mst_scene_free(scene);
    }
}

/* Walls of sectors that have no solid edge, and of one whose edge has no length. */
static void test_edges(void **state) {
    (void)state;
    writer w = {0};
    mst_document *document;
    mst_value value;
    uint64_t offset, length;
    write_level(&w, &(small_level){0});
    MUST(mst_open_memory(w.data, w.size, NULL, &document, NULL), NULL);
    MUST(mst_find(mst_root(document), "collision.sectors", &value, NULL), NULL);
    mst_value_span(&value, &offset, &length);
    mst_close(document);
    assert_int_equal(length, 8 + 3 * 18);
    uint8_t *hidden = w.data + offset + 8 + 2 * 18;
    mst_store16(hidden + 4, 0, false); /* its corners become 0, 1, 0: link 0 is over no edge */
    mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
    const mst_primitive *walls = mesh_of(scene, "walls")->primitives;
    assert_int_equal(walls->vertex_count, (2 + 2 + 3) * 6);
    uint32_t flat = 0;
    for (uint32_t i = 0; i < walls->vertex_count; i++) {
        const float *n = walls->normals + 3 * i;
        assert_true(fabs((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) - 1) < 1e-5);
        flat += n[0] == 1 && n[1] == 0 && n[2] == 0;
    }
    assert_true(flat >= 6);
    mst_scene_free(scene);
    for (int i = 0; i < 9; i++) /* all links lead somewhere */
        mst_store16(w.data + offset + 8 + (size_t)(i / 3) * 18 + 10 + (size_t)(i % 3) * 2, 7, false);
    scene = scene_of_bytes(w.data, w.size, NULL);
    assert_int_equal(find_node(scene, "walls"), -1);
    node_named(scene, "area_0000");
    mst_scene_free(scene);
    writer_free(&w);
}

/* Areas whose water has one colour share a material; of more than 64 colours not all are looked for. */
static void test_water_colors(void **state) {
    (void)state;
    mst_scene *scene = scene_of(&(small_level){.areas = 66});
    const mst_mesh *water = mesh_of(scene, "water");
    /* in the order of areas: that of the north is as the first of the others */
    assert_int_equal(water->primitive_count, 66);
    assert_int_equal(water->primitives[0].vertex_count, 6);
    for (uint32_t i = 0; i < 66; i++) {
        const mst_material *m = &scene->materials[water->primitives[i].material];
        char name[24];
        snprintf(name, sizeof name, "water_%02xff807f", (unsigned)i);
        assert_string_equal(m->name, name);
        assert_int_equal(water->primitives[i].vertex_count, i ? 3 : 6);
    }
    mst_scene_free(scene);
}

/* Of many actors that act on each other only so many arrows are drawn as can be distinguished. */
static void test_many_links(void **state) {
    (void)state;
    static const unsigned actors[] = {10, 20, 300};
    static const size_t wanted[] = {1 + 10 * 9, 1 + 20 * 16, 4096};
    for (size_t i = 0; i < 3; i++) {
        mst_scene *scene = scene_of(&(small_level){.actors = actors[i]});
        size_t links = 0;
        for (size_t k = 0; k < scene->map->line_count; k++)
            links += scene->map->lines[k].kind == MST_MAP_LINK;
        assert_int_equal(links, wanted[i]);
        assert_string_equal(node_named(scene, "actor_3")->class_name, "type_m2");
        assert_string_equal(node_named(scene, "actor_3")->tag, "5");
        mst_scene_free(scene);
    }
}

static void test_names(void **state) {
    (void)state;
    static const char *const names[][2] = {{".map", ".map"}, {"a.b.map", "a.b"}, {"level", "level"}};
    writer w = {0};
    write_level(&w, &(small_level){0});
    for (size_t i = 0; i < 3; i++) {
        mst_open_options open = {.name = names[i][0]};
        mst_document *document;
        mst_scene *scene;
        MUST(mst_open_memory(w.data, w.size, &open, &document, NULL), NULL);
        MUST(mst_scene_from_document(document, NULL, &scene, NULL), NULL);
        assert_string_equal(scene->name, names[i][1]);
        mst_scene_free(scene);
        mst_close(document);
    }
    writer_free(&w);
}

/* Whatever byte is wrong: a scene or a diagnosis, and nothing lost. */
static void test_changed_bytes(void **state) {
    (void)state;
    writer w = {0};
    write_level(&w, &(small_level){0});
    for (size_t i = 0; i < w.size; i++) {
        counted c = {0};
        uint8_t kept = w.data[i];
        mst_document *document;
        mst_scene *scene = NULL;
        w.data[i] = (uint8_t)(kept ^ (i % 3 ? 0xFF : 0x80));
        if (mst_open_memory(w.data, w.size, NULL, &document, NULL) == MST_OK) {
            mst_scene_options options = {.allocator = counted_allocator(&c)};
            if (mst_scene_from_document(document, &options, &scene, NULL) == MST_OK)
                mst_scene_free(scene);
            mst_close(document);
        }
        w.data[i] = kept;
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
    writer_free(&w);
}

static void test_memory(void **state) {
    (void)state;
    writer w = {0};
    write_level(&w, &(small_level){0});
    mst_document *document;
    mst_scene *scene;
    MUST(mst_open_memory(w.data, w.size, NULL, &document, NULL), NULL);
    mst_status status = MST_NO_MEMORY;
    for (size_t fail_at = 1; status != MST_OK; fail_at++) {
        counted c = {.fail_at = fail_at, .for_good = fail_at % 2};
        mst_scene_options options = {.allocator = counted_allocator(&c)};
        status = mst_scene_from_document(document, &options, &scene, NULL);
        assert_true(status == MST_OK || (status == MST_NO_MEMORY && c.failed));
        if (status == MST_OK)
            mst_scene_free(scene);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
    }
    for (size_t budget = 1000; budget < 8000000; budget += budget / 7) {
        mst_scene_options options = {.budget = budget};
        status = mst_scene_from_document(document, &options, &scene, NULL);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        if (status == MST_OK)
            mst_scene_free(scene);
    }
    assert_int_equal(status, MST_OK);
    mst_close(document);
    writer_free(&w);
}

/* Every piece of memory that a scene takes is refused once. */
static void test_pieces(void **state) {
    (void)state;
    char text[] = "Monster_Newt_Of_The_Swamp 12345 { health 5 } Another_Monster -10 { }";
    mst_resolver resolver = {.each = one_definition, .user = text};
    mst_scene_options options = {.sidecars = &resolver};
    writer w = {0};
    write_level(&w, &(small_level){.actors = 4, .areas = 2});
    change(&w, "actors.records[5].type", -1e30F); /* its number takes 10 digits */
    mst_document *document;
    mst_open_options open = {.name = "small.map"};
    MUST(mst_open_memory(w.data, w.size, &open, &document, NULL), NULL);
    assert_true(assert_refused_scenes(document, &options) > 200 / sample_step());
    mst_close(document);
    writer_free(&w);
}

/* ---- digests ----------------------------------------------------------------------------------- */

/* SHA-256 as in FIPS 180-4. */
static uint32_t turned_right(uint32_t value, unsigned bits) {
    return value >> bits | value << (32 - bits);
}

static void sha256(const uint8_t *bytes, size_t size, char text[65]) {
    uint32_t h[8], k[64];
    /* the fractions of the roots of the first primes */
    for (uint32_t prime = 2, count = 0; count < 64; prime++) {
        bool is_prime = true;
        for (uint32_t d = 2; d * d <= prime; d++)
            is_prime = is_prime && prime % d;
        if (!is_prime)
            continue;
        double square = sqrt((double)prime), cube = cbrt((double)prime);
        if (count < 8)
            h[count] = (uint32_t)((square - floor(square)) * 4294967296.0);
        k[count++] = (uint32_t)((cube - floor(cube)) * 4294967296.0);
    }
    size_t padded = (size + 8) / 64 * 64 + 64;
    uint8_t *all = calloc(padded, 1);
    assert_non_null(all);
    if (size)
        memcpy(all, bytes, size);
    all[size] = 0x80;
    for (int i = 0; i < 8; i++)
        all[padded - 1 - (size_t)i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    for (size_t block = 0; block < padded; block += 64) {
        uint32_t w[64], s[8];
        for (size_t i = 0; i < 16; i++)
            w[i] = mst_load32(all + block + 4 * i, true);
        for (int i = 16; i < 64; i++) {
            uint32_t a = turned_right(w[i - 15], 7) ^ turned_right(w[i - 15], 18) ^ w[i - 15] >> 3;
            uint32_t b = turned_right(w[i - 2], 17) ^ turned_right(w[i - 2], 19) ^ w[i - 2] >> 10;
            w[i] = w[i - 16] + a + w[i - 7] + b;
        }
        memcpy(s, h, sizeof s);
        for (int i = 0; i < 64; i++) {
            uint32_t e = turned_right(s[4], 6) ^ turned_right(s[4], 11) ^ turned_right(s[4], 25);
            uint32_t a = turned_right(s[0], 2) ^ turned_right(s[0], 13) ^ turned_right(s[0], 22);
            uint32_t one = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
            uint32_t two = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            memmove(s + 1, s, 7 * sizeof *s);
            s[4] += one;
            s[0] = one + two;
        }
        for (int i = 0; i < 8; i++)
            h[i] += s[i];
    }
    free(all);
    for (int i = 0; i < 8; i++)
        snprintf(text + 8 * i, 9, "%08lx", (unsigned long)h[i]);
}

static void test_sha256(void **state) {
    (void)state;
    char text[65];
    sha256((const uint8_t *)"abc", 3, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/* ---- the corpus -------------------------------------------------------------------------------- */

typedef struct figures {
    const char *file;
    size_t floors, ceilings, waters, solid_edges, area_primitives;
    size_t meshes, mesh_boxes, actors, actor_boxes, cameras;
    const char *floor_digest, *ceiling_digest, *water_digest;
    double low[3], high[3]; /* of floors */
    const char *classes;
    double travel[3]; /* of light, in the file's axes */
} figures;

static const figures expected[] = {
    {"synth_basic18.map",
     3,
     2,
     1,
     5,
     3,
     3,
     3,
     2,
     2,
     1,
     "dd5e48280e4dd841abab86546fc3a4043a009f494e4204f9e395246a034d7825",
     "9580242d2d0b94033cb81552d573ea13a67d955ba7d32b4119f516e0b0cf0368",
     "d9efaaceda074dedbac5975e16dd48bc25425dc8ee1661404ae4a79dd592c7b6",
     {0, 0, 0},
     {512, 1024, 64},
     "wall 1 plain 2 ",
     {0.668597, 0.568807, -0.478995}},
    {"synth_vis8.map",
     3,
     2,
     1,
     5,
     3,
     3,
     3,
     2,
     2,
     1,
     "dd5e48280e4dd841abab86546fc3a4043a009f494e4204f9e395246a034d7825",
     "9580242d2d0b94033cb81552d573ea13a67d955ba7d32b4119f516e0b0cf0368",
     "d9efaaceda074dedbac5975e16dd48bc25425dc8ee1661404ae4a79dd592c7b6",
     {0, 0, 0},
     {512, 1024, 64},
     "wall 1 plain 2 ",
     {0.668597, 0.568807, -0.478995}},
    {"synth_stride16.map",
     3,
     2,
     1,
     5,
     3,
     3,
     3,
     2,
     2,
     1,
     "dd5e48280e4dd841abab86546fc3a4043a009f494e4204f9e395246a034d7825",
     "9580242d2d0b94033cb81552d573ea13a67d955ba7d32b4119f516e0b0cf0368",
     "d9efaaceda074dedbac5975e16dd48bc25425dc8ee1661404ae4a79dd592c7b6",
     {0, 0, 0},
     {512, 1024, 64},
     "wall 1 plain 2 ",
     {0.668597, 0.568807, -0.478995}},
    {"synth_empty.map",
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     0,
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
     {1, 1, 1},
     {-1, -1, -1},
     "",
     {0.668597, 0.568807, -0.478995}},
    {"synth_level.map",
     3180,
     242,
     210,
     224,
     48,
     400,
     400,
     120,
     105,
     1,
     "95451d74ab07788767a25a3b1eca20edaf332e03a11cc65bdf7c1a41b59cd51e",
     "269ff376a47851af34e3826b3c5abc550fb24efc0bdfde9ed4f6e2a95ed14b8a",
     "3d0cc9556504499798c8c3fb7d2b761bc7b397e9fefddeb8e07907cc44810820",
     {-5208.77490234375, -5208.783203125, 84.51899719238281},
     {5208.908203125, 5207.6640625, 883.8870239257812},
     "death_pit 18 teleport 20 checkpoint 20 event 18 secret 20 climb 6 wall 104 crawl 24 water 210 "
     "restricted 20 bridge 12 plain 2708 ",
     {0.669555, 0.569622, -0.476683}},
    {"synth_valley.map",
     3052,
     772,
     280,
     300,
     26,
     400,
     400,
     120,
     94,
     1,
     "9536f2844fab071c8b1a3b1a34aa2ebc0face803c1b6e4db5d65984ba41f2bb0",
     "ecfdba62fb68802c084811e4bb18490bb555dad0cf9ae12bcb64effecd464184",
     "7d1953b31bb8ebd61576f93a6cefaaf1c1b9fda39edaa0441cbc1fb03585d484",
     {0, 0, -59.882999420166016},
     {4505.60009765625, 3686.39990234375, 99.98699951171875},
     "death_pit 8 checkpoint 12 climb 14 wall 204 water 280 plain 2534 ",
     {0.668597, 0.568807, -0.478995}},
};

#define SECTORS_MAX 4096

/* The triangles of a layer in the order of their sectors, by the lists that its nodes have. */
typedef struct layer_figures {
    size_t triangles, primitives;
    char digest[65];
    double low[3], high[3];
} layer_figures;

static void figures_of(const mst_scene *scene, const char *layer, layer_figures *f) {
    float(*found)[9] = calloc(SECTORS_MAX, sizeof *found);
    uint8_t *bytes = malloc((size_t)SECTORS_MAX * 36);
    bool *there = calloc(SECTORS_MAX, sizeof *there);
    assert_true(found && bytes && there);
    memset(f, 0, sizeof *f);
    for (int i = 0; i < 3; i++) {
        f->low[i] = 1;
        f->high[i] = -1;
    }
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (strcmp(node->layer, layer) != 0 || node->mesh < 0)
            continue;
        const char *list = text_of(node, "sectors");
        const mst_mesh *mesh = &scene->meshes[node->mesh];
        for (size_t k = 0; k < mesh->primitive_count; k++, f->primitives++) {
            const mst_primitive *p = &mesh->primitives[k];
            for (uint32_t corner = 0; corner < p->vertex_count; corner += 3, f->triangles++) {
                char *after;
                unsigned long sector = strtoul(list, &after, 10);
                assert_true(after > list && sector < SECTORS_MAX && !there[sector]);
                list = after;
                there[sector] = true;
                memcpy(found[sector], p->positions + (size_t)corner * 3, sizeof *found);
            }
        }
        assert_string_equal(list, "");
    }
    size_t size = 0;
    for (size_t i = 0; i < SECTORS_MAX; i++)
        for (size_t k = 0; k < 9 && there[i]; k++, size += 4) {
            float value = found[i][k] + 0.0F;
            if (size < 12 || (double)value < f->low[k % 3])
                f->low[k % 3] = (double)value;
            if (size < 12 || (double)value > f->high[k % 3])
                f->high[k % 3] = (double)value;
            mst_store32(bytes + size, mst_bits_of_f32(value), false);
        }
    sha256(bytes, size, f->digest);
    free(found);
    free(bytes);
    free(there);
}

static size_t count_layer(const mst_scene *scene, const char *layer, mst_role role, int32_t parent) {
    size_t count = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        count += strcmp(scene->nodes[i].layer, layer) == 0 && scene->nodes[i].role == role &&
                 scene->nodes[i].parent == parent;
    return count;
}

/* The classes of all floors, as "wall 1 plain 2 ", in the order in which they are looked for. */
static void classes_of(const mst_scene *scene, char *text, size_t capacity) {
    static const char *const names[] = {"death_pit",  "damage", "teleport", "checkpoint", "event",
                                        "secret",     "climb",  "wall",     "crawl",      "water",
                                        "restricted", "bridge", "plain"};
    size_t length = 0;
    text[0] = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        size_t count = 0;
        for (size_t i = 0; i < scene->node_count; i++) {
            const mst_node *node = &scene->nodes[i];
            const mst_mesh *mesh = node->mesh >= 0 ? &scene->meshes[node->mesh] : NULL;
            for (size_t k = 0; mesh && strcmp(node->layer, "floor") == 0 && k < mesh->primitive_count; k++)
                if (strcmp(scene->materials[mesh->primitives[k].material].name, names[n]) == 0)
                    count += mesh->primitives[k].vertex_count / 3;
        }
        if (count)
            length += (size_t)snprintf(text + length, capacity - length, "%s %zu ", names[n], count);
    }
}

static void check_figures(const figures *e, const mst_scene *scene) {
    layer_figures f;
    char classes[400];
    figures_of(scene, "floor", &f);
    assert_int_equal(f.triangles, e->floors);
    assert_int_equal(f.primitives, e->area_primitives);
    assert_string_equal(f.digest, e->floor_digest);
    for (int i = 0; i < 3; i++) {
        assert_true(f.low[i] == e->low[i]);
        assert_true(f.high[i] == e->high[i]);
    }
    figures_of(scene, "ceiling", &f);
    assert_int_equal(f.triangles, e->ceilings);
    assert_string_equal(f.digest, e->ceiling_digest);
    figures_of(scene, "water", &f);
    assert_int_equal(f.triangles, e->waters);
    assert_string_equal(f.digest, e->water_digest);
    int32_t walls = find_node(scene, "walls");
    assert_int_equal(walls < 0 ? 0 : mesh_of(scene, "walls")->primitives->vertex_count, e->solid_edges * 6);
    classes_of(scene, classes, sizeof classes);
    assert_string_equal(classes, e->classes);
    static const char *const layers[] = {"static_meshes", "static_mesh_boxes", "actors", "actor_boxes"};
    static const mst_role roles[] = {MST_ROLE_GROUP, MST_ROLE_HELPER, MST_ROLE_ENTITY, MST_ROLE_HELPER};
    const size_t counts[] = {e->meshes, e->mesh_boxes, e->actors, e->actor_boxes};
    for (int i = 0; i < 4; i++)
        assert_int_equal(count_layer(scene, layers[i], roles[i], find_node(scene, layers[i])), counts[i]);
    assert_int_equal(count_layer(scene, "start", MST_ROLE_CAMERA, 0), e->cameras);
    float travel[3];
    to_world(scene, "sun", (const float[3]){0, 0, -(float)UNITS}, true, travel);
    const double wanted[3] = {e->travel[0], e->travel[2], -e->travel[1]};
    assert_reals(travel, wanted, 3, 2e-5);
    assert_outward(scene);
}

/* Of a level of which the automap hides every third sector all are on the map, and those are marked. */
static void test_hidden_sectors(void **state) {
    (void)state;
    size_t size, hidden = 0, marked = 0;
    mst_diagnostic why;
    mst_document *document;
    uint8_t *bytes = corpus_read("turok/synth_level.map", &size);
    if (!bytes)
        skip();
    MUST(mst_open_memory(bytes, size, NULL, &document, &why), &why);
    mst_value sectors, flags;
    MUST(mst_find(mst_root(document), "collision.sectors", &sectors, &why), &why);
    uint64_t count = mst_count(&sectors), offset, length;
    for (uint64_t i = 0; i < count; i += 3) {
        mst_value sector;
        MUST(mst_element(&sectors, i, &sector), NULL);
        MUST(mst_member(&sector, "flags", &flags), NULL);
        mst_value_span(&flags, &offset, &length);
        bytes[offset + 1] |= 0x02; /* bit 9 */
    }
    for (uint64_t i = 0; i < count; i++) { /* some were hidden before */
        mst_value sector;
        MUST(mst_element(&sectors, i, &sector), NULL);
        MUST(mst_member(&sector, "flags", &flags), NULL);
        mst_value_span(&flags, &offset, &length);
        marked += (bytes[offset + 1] & 0x02) != 0;
    }
    assert_true(marked >= (count + 2) / 3);
    mst_close(document);
    mst_scene *scene = scene_of_bytes(bytes, size, NULL);
    assert_int_equal(scene->map->face_count, count);
    for (size_t i = 0; i < scene->map->face_count; i++)
        if (strcmp(scene->map->keys[scene->map->faces[i].key].name, "hidden") == 0)
            assert_int_equal(i, hidden++); /* they come first */
    assert_int_equal(hidden, marked);
    mst_scene_free(scene);
    free(bytes);
}

static void test_corpus(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char name[64];
        size_t size;
        snprintf(name, sizeof name, "turok/%s", expected[i].file);
        uint8_t *bytes = corpus_read(name, &size);
        if (!bytes)
            return;
        mst_scene *scene = scene_of_bytes(bytes, size, NULL);
        check_figures(&expected[i], scene);
        if (strcmp(expected[i].file, "synth_valley.map") == 0) {
            /* the first mesh and actor */
            const mst_node *mesh = node_named(scene, "mesh_0_0"), *player = node_named(scene, "actor_0");
            assert_string_equal(text_of(mesh, "model"), "models/env_tree26.bin");
            ASSERT_REALS(mesh->translation, 111.78199005126953, 13.222679138183594, 58.30400085449219);
            ASSERT_REALS(mesh->rotation, 0, 0, -0.026084482669830322, 0.9996597170829773);
            ASSERT_REALS(player->translation, 96.20368194580078, 214.97364807128906, 40);
            ASSERT_REALS(player->rotation, 0, 0, 0.6591853504817538, 0.7519805008843298);
        }
        mst_scene_free(scene);
        free(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_root),
        cmocka_unit_test(test_floors),
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_things),
        cmocka_unit_test(test_actor_names),
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_unread_definitions),
        cmocka_unit_test(test_sun),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_picture),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_no_numbers),
        cmocka_unit_test(test_bare),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_water_colors),
        cmocka_unit_test(test_many_links),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_changed_bytes),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_sha256),
        cmocka_unit_test(test_scaled_boxes),
        cmocka_unit_test(test_hidden_sectors),
        cmocka_unit_test(test_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
