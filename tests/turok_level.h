/* SPDX-License-Identifier: MIT */
/* A small Turok level by hand, and the contents of its scene. */
#ifndef MST_TESTS_TUROK_LEVEL_H
#define MST_TESTS_TUROK_LEVEL_H

#include "../src/scene/geometry.h"
#include "thorough.h"

#define UNITS 38.4

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

static inline void pad8(writer *w) {
    while (w->size % 8)
        put_u8(w, 0);
}

/* An archive of blocks that were written separately; frees them. */
static inline void put_archive(writer *w, writer *blocks, uint32_t count) {
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

static inline void put_reals(writer *w, size_t count, const float *values) {
    for (size_t i = 0; i < count; i++)
        put_f32(w, values[i]);
}

#define REALS(w, ...)                                                                                        \
    put_reals((w), sizeof((float[]){__VA_ARGS__}) / sizeof(float), (const float[]){__VA_ARGS__})

static inline void put_string(writer *w, const char *text) {
    put_u32(w, (uint32_t)strlen(text) + 1);
    put_u32(w, 1);
    put_bytes_of(w, text, strlen(text) + 1);
}

static inline void put_set(writer *w, uint32_t flags, uint8_t color) {
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

static inline void put_sector(writer *w, const small_level *l, uint16_t set, uint16_t flags,
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

static inline void put_actor(writer *w, uint32_t type, const float origin[3], float yaw, bool box,
                             uint16_t tid, uint16_t target) {
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
 * A triangle in the south, another one north of it (40 % up its western side), and a third one hidden from
 * the map. Seen from above, x to the right and y up:
 *     3
 *     | \
 *     |   2
 *     0 --1
 */
static inline void write_level(writer *w, const small_level *l) {
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
    put_set(v, 0x00000008, 200); /* cliff; an invalid colour */
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
    /* Link 0 is over v0-v2, 1 over v1-v0, 2 over v2-v1; with turned_links: 0 over v0-v1, 1 over v1-v2, 2 over
     * v2-v0. */
    const uint16_t south_links[2][3] = {{1, 0xFFFF, 0xFFFF}, {0xFFFF, 0xFFFF, 1}};
    const uint16_t north_links[2][3] = {{0xFFFF, 0, 0xFFFF}, {0, 0xFFFF, 0xFFFF}};
    put_sector(v, l, 0, 0, south, south_links[l->turned_links], 7);
    put_sector(v, l, 1, 0x41, north, north_links[l->turned_links], 9);
    put_sector(v, l, 2, 0x208, hidden, none, 0); /* if hostile one of its corners is missing */
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

static inline mst_scene *scene_of_bytes(const void *bytes, size_t size, const mst_scene_options *options) {
    mst_scene *scene;
    mst_document *document;
    mst_diagnostic why;
    mst_open_options open = {.size = sizeof open, .name = "small.map"};
    MUST(mst_open_memory(bytes, size, &open, &document, &why), &why);
    assert_string_equal(mst_document_format(document)->id, "turok-map");
    MUST(mst_scene_from_document(document, options, &scene, &why), &why);
    mst_close(document);
    return scene;
}

/* Writes another number over the one at a path. */
static inline void change(writer *w, const char *path, float number) {
    mst_document *document;
    mst_open_options open = {.size = sizeof open, .name = "small.map"};
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

static inline mst_scene *scene_of(const small_level *l) {
    writer w = {0};
    write_level(&w, l);
    mst_scene *scene = scene_of_bytes(w.data, w.size, NULL);
    writer_free(&w);
    return scene;
}

static inline int32_t find_node(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0)
            return (int32_t)i;
    return -1;
}

static inline const mst_node *node_named(const mst_scene *scene, const char *name) {
    int32_t index = find_node(scene, name);
    if (index < 0)
        print_error("no node %s\n", name);
    assert_true(index >= 0);
    return &scene->nodes[index];
}

static inline const mst_mesh *mesh_of(const mst_scene *scene, const char *name) {
    const mst_node *node = node_named(scene, name);
    assert_true(node->mesh >= 0);
    return &scene->meshes[node->mesh];
}

static inline const mst_extra *extra_of(const mst_extras *extras, const char *name) {
    for (size_t i = 0; i < extras->count; i++)
        if (strcmp(extras->items[i].name, name) == 0)
            return &extras->items[i];
    return NULL;
}

static inline const char *text_of(const mst_node *node, const char *name) {
    const mst_extra *extra = extra_of(&node->extras, name);
    if (!extra || extra->kind != MST_EXTRA_TEXT)
        print_error("%s has no text %s\n", node->name, name);
    assert_true(extra && extra->kind == MST_EXTRA_TEXT);
    return extra->text;
}

static inline void assert_reals(const float *got, const double *wanted, size_t count, double within) {
    for (size_t i = 0; i < count; i++) {
        if (!(fabs((double)got[i] - wanted[i]) <= within))
            print_error("%zu: %.9g is not %.9g\n", i, (double)got[i], wanted[i]);
        assert_true(fabs((double)got[i] - wanted[i]) <= within);
    }
}

#define ASSERT_REALS(got, ...)                                                                               \
    assert_reals((got), (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double), 1e-5)

/* A point of a node's own coordinates in the world; as a direction without the translation. */
static inline void to_world(const mst_scene *scene, const char *name, const float point[3], bool direction,
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
static inline void assert_outward(const mst_scene *scene) {
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

static inline mst_status one_definition(void *user, const char *folder, const char *ending,
                                        mst_take_sidecar take, void *taker) {
    const char *text = user;
    assert_string_equal(folder, "defs/actors");
    assert_string_equal(ending, ".txt");
    return take(taker, "mod.txt", text, strlen(text));
}

#endif
