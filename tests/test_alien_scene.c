/* SPDX-License-Identifier: MIT */
/* Alien Trilogy levels as scenes. What the small level must give follows from
 * its numbers; what the real one must give was counted by an independent reader. */
#include "../src/formats/alien/alien.h"
#include "../src/scene/geometry.h"
#include "alien_level.h"
#include "thorough.h"
#include <mapstone/scene.h>

/* ---- small helpers ----------------------------------------------------------------------------- */

/* A resolver of one file, which counts how often it was asked. */
typedef struct one_file {
    const char *name;
    const void *bytes;
    size_t size;
    unsigned asked;
} one_file;

static mst_status find_one(void *user, const char *name, const void **bytes, size_t *size) {
    one_file *file = user;
    file->asked++;
    if (!file->name || strcmp(file->name, name) != 0)
        return MST_NO_PATH;
    *bytes = file->bytes;
    *size = file->size;
    return MST_OK;
}

static mst_document *open_bytes(const void *bytes, size_t size, const char *name) {
    mst_document *document;
    mst_diagnostic why;
    mst_open_options options = {.name = name};
    MUST(mst_open_memory(bytes, size, &options, &document, &why), &why);
    return document;
}

static mst_scene *scene_of_bytes(const void *bytes, size_t size, const char *name,
                                 const mst_scene_options *options) {
    mst_scene *scene;
    mst_diagnostic why;
    mst_document *document = open_bytes(bytes, size, name);
    MUST(mst_scene_from_document(document, options, &scene, &why), &why);
    mst_close(document); /* a scene does not need it */
    return scene;
}

/* The scene of a level with a texture file (NULL: without). */
static mst_scene *scene_of(const alien_level *l, bool big, const alien_textures *t) {
    writer level = {0}, textures = {0};
    write_alien_level(&level, l, big);
    if (t)
        write_alien_textures(&textures, t, false);
    one_file file = {t ? "111GFX.BIN" : NULL, textures.data, textures.size, 0};
    mst_resolver resolver = {.find = find_one, .user = &file};
    mst_scene_options options = {.sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(level.data, level.size, "L111LEV.MAP", &options);
    writer_free(&level);
    writer_free(&textures);
    return scene;
}

typedef struct fixture {
    alien_level *level;
    alien_textures textures;
} fixture;

static fixture begin(void) {
    fixture f = {.level = malloc(sizeof *f.level)};
    assert_non_null(f.level);
    alien_small(f.level);
    alien_small_textures(&f.textures);
    return f;
}
static void end(fixture *f) {
    free(f->level);
    alien_textures_free(&f->textures);
}

static const mst_extra *extra_of(const mst_extras *extras, const char *name) {
    for (size_t i = 0; i < extras->count; i++)
        if (strcmp(extras->items[i].name, name) == 0)
            return &extras->items[i];
    return NULL;
}
static const char *text_of(const mst_extras *extras, const char *name) {
    const mst_extra *extra = extra_of(extras, name);
    if (!extra)
        print_error("there is no extra %s\n", name);
    assert_non_null(extra);
    return extra->text;
}
static int32_t integer_of(const mst_extras *extras, const char *name) {
    const mst_extra *extra = extra_of(extras, name);
    if (!extra)
        print_error("there is no extra %s\n", name);
    assert_non_null(extra);
    assert_int_equal(extra->kind, MST_EXTRA_INTEGER);
    return extra->integer;
}

static size_t count_class(const mst_scene *scene, const char *class_name) {
    size_t count = 0;
    for (size_t i = 0; i < scene->node_count; i++)
        count += strcmp(scene->nodes[i].class_name, class_name) == 0;
    return count;
}
static const mst_node *node_of(const mst_scene *scene, const char *class_name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].class_name, class_name) == 0)
            return &scene->nodes[i];
    print_error("there is no %s\n", class_name);
    fail();
    return NULL;
}
static const mst_node *named_node(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0)
            return &scene->nodes[i];
    print_error("there is no node %s\n", name);
    fail();
    return NULL;
}

static void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 2e-5 * (1 + fabs(expected))))
        print_error("%.9g, expected %.9g\n", value, expected);
    assert_true(fabs(value - expected) <= 2e-5 * (1 + fabs(expected)));
}

/* A corner of the level's geometry: where it is, what it looks along, and what it has. */
typedef struct corner {
    const mst_material *material;
    float texcoord[2], color[4];
} corner;

static bool find_corner(const mst_scene *scene, const double place[3], const double normal[3], corner *c) {
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (node->role != MST_ROLE_GEOMETRY || strcmp(node->layer, "geometry") != 0 || node->mesh < 0)
            continue;
        const mst_mesh *mesh = &scene->meshes[node->mesh];
        for (size_t k = 0; k < mesh->primitive_count; k++) {
            const mst_primitive *p = &mesh->primitives[k];
            for (size_t v = 0; v < p->vertex_count; v++) {
                bool same = true;
                for (size_t a = 0; a < 3; a++)
                    same = same && fabs((double)p->positions[3 * v + a] - place[a]) < 1e-3 &&
                           fabs((double)p->normals[3 * v + a] - normal[a]) < 1e-3;
                if (!same)
                    continue;
                c->material = &scene->materials[p->material];
                memcpy(c->texcoord, p->texcoords + 2 * v, sizeof c->texcoord);
                memcpy(c->color, p->colors + 4 * v, sizeof c->color);
                return true;
            }
        }
    }
    return false;
}

static corner the_corner(const mst_scene *scene, double x, double y, double z, const double normal[3]) {
    corner c;
    const double place[3] = {x, y, z};
    bool found = find_corner(scene, place, normal, &c);
    if (!found)
        print_error("no corner at %g, %g, %g\n", x, y, z);
    assert_true(found);
    return c;
}

static const double up[3] = {0, 1, 0}, down[3] = {0, -1, 0}, east[3] = {1, 0, 0}, west[3] = {-1, 0, 0},
                    south[3] = {0, 0, 1};

/* Texture coordinates in pixels of a page of 256. */
static void check_texel(const mst_scene *scene, double x, double y, double z, const double normal[3],
                        double u, double v) {
    corner c = the_corner(scene, x, y, z, normal);
    assert_near((double)c.texcoord[0] * 256, u);
    assert_near((double)c.texcoord[1] * 256, v);
}

/* What must hold in every scene; returns the triangles of one layer. */
static size_t check_scene(const mst_scene *scene, const char *layer) {
    size_t triangles = 0;
    for (size_t i = 1; i < scene->node_count; i++)
        assert_true(scene->nodes[i].parent >= 0 && (size_t)scene->nodes[i].parent < i);
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (node->mesh < 0)
            continue;
        const mst_mesh *mesh = &scene->meshes[node->mesh];
        for (size_t k = 0; k < mesh->primitive_count; k++) {
            const mst_primitive *p = &mesh->primitives[k];
            assert_int_equal(p->index_count % 3, 0);
            assert_true(p->material >= 0 && (size_t)p->material < scene->material_count);
            for (uint32_t n = 0; n < p->index_count; n++)
                assert_true(p->indices[n] < p->vertex_count);
            for (size_t n = 0; n < 4 * (size_t)p->vertex_count && p->colors; n++)
                assert_true(p->colors[n] >= 0 && p->colors[n] <= 1);
            if (strcmp(node->layer, layer) == 0)
                triangles += p->index_count / 3;
        }
    }
    return triangles;
}

/* ---- geometry ---------------------------------------------------------------------------------- */

static void test_texture_corners(void **state) {
    (void)state;
    fixture f = begin();
    for (int big = 0; big < 2; big++) {
        mst_scene *scene = scene_of(f.level, big != 0, &f.textures);
        assert_int_equal(check_scene(scene, "geometry"), 13); /* six quads, one triangle */
        assert_string_equal(text_of(&scene->extras, "textures"), "111GFX.BIN");
        assert_null(extra_of(&scene->extras, "faces_not_shown"));
        /* texture 0 is 32 x 32 at (0, 0) */
        check_texel(scene, -512, 0, 256, up, 0, 32);
        check_texel(scene, 0, 0, 256, up, 32, 32);
        check_texel(scene, 0, 0, -256, up, 32, 0);
        check_texel(scene, -512, 0, -256, up, 0, 0);
        /* texture 1 is 32 x 16 at (32, 0); the ceiling begins at the other side */
        check_texel(scene, -512, 1024, -256, down, 32, 16);
        check_texel(scene, 0, 1024, 256, down, 64, 0);
        /* texture 2 is 8 x 8 at (64, 8): the wall that is seen from +X */
        check_texel(scene, -512, 0, 256, east, 64, 16);
        check_texel(scene, -512, 0, -256, east, 72, 16);
        check_texel(scene, -512, 1024, -256, east, 72, 8);
        check_texel(scene, -512, 1024, 256, east, 64, 8);
        /* texture 3 is 64 x 32 at (0, 64), mirrored */
        check_texel(scene, 0, 128, 256, up, 64, 96);
        check_texel(scene, 512, 128, 256, up, 0, 96);
        check_texel(scene, 512, 128, -256, up, 0, 64);
        check_texel(scene, 0, 128, -256, up, 64, 64);
        /* a triangle has corners 0, 2 and 3 of texture 2 */
        check_texel(scene, 0, 128, -256, south, 64, 16);
        check_texel(scene, 512, 128, -256, south, 72, 8);
        check_texel(scene, 512, 1024, -256, south, 64, 8);
        /* the panel shows the first texture of program 1, which is 3 */
        check_texel(scene, 512, 128, -256, west, 0, 96);
        check_texel(scene, 512, 640, 256, west, 64, 64);
        mst_scene_free(scene);
    }
    end(&f);
}

static void test_triangle_flags(void **state) {
    (void)state;
    static const struct {
        uint8_t flags;
        double u, v; /* of the triangle's second corner */
    } cases[] = {{0, 72, 16}, {1, 72, 8}, {5, 72, 8}, {13, 72, 8}, {2, 64, 16}, {4, 72, 16}};
    fixture f = begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        f.level->quads[5].draw_flags = cases[i].flags;
        mst_scene *scene = scene_of(f.level, false, &f.textures);
        check_texel(scene, 512, 128, -256, south, cases[i].u, cases[i].v);
        mst_scene_free(scene);
    }
    end(&f);
}

static void test_materials(void **state) {
    (void)state;
    fixture f = begin();
    f.level->quads[1].draw_flags = 3;
    f.level->quads[2].draw_flags = 4;
    mst_scene *scene = scene_of(f.level, false, &f.textures);
    /* texture 0 has index 0 at its upper left corner, the others have none */
    corner c = the_corner(scene, -512, 0, 256, up);
    assert_string_equal(c.material->name, "page_0_holes");
    assert_int_equal(c.material->alpha_mode, MST_ALPHA_MASK);
    assert_near((double)c.material->alpha_cutoff, 0.5);
    assert_true(c.material->unlit && c.material->nearest && !c.material->double_sided);
    for (int i = 0; i < 4; i++)
        assert_near((double)c.material->color[i], 1);
    const mst_image *image = &scene->images[c.material->image];
    assert_int_equal(image->width, 256);
    assert_int_equal(image->height, 256);
    /* pixel (5, 2) has index 11: red 11, green 1, blue 3 of 31, five bits as eight */
    static const uint8_t expected[4] = {90, 8, 24, 255};
    assert_memory_equal(image->pixels + 4 * (2 * 256 + 5), expected, 4);
    /* the hole is not the palette's magenta, but like what is around it */
    for (int k = 0; k < 3; k++) {
        const uint8_t *right = image->pixels + 4, *below = image->pixels + 1024;
        assert_int_equal(image->pixels[k], (right[k] + below[k] + below[4 + k] + 1) / 3);
    }
    assert_int_equal(image->pixels[3], 0);
    c = the_corner(scene, -512, 1024, -256, down);
    assert_string_equal(c.material->name, "page_0_double_sided");
    assert_true(c.material->double_sided);
    assert_int_equal(c.material->alpha_mode, MST_ALPHA_OPAQUE);
    c = the_corner(scene, -512, 0, 256, east);
    assert_string_equal(c.material->name, "page_0_double_sided");
    c = the_corner(scene, 0, 128, 256, up);
    assert_string_equal(c.material->name, "page_1");
    assert_false(c.material->double_sided);
    mst_scene_free(scene);
    end(&f);
}

/* sRGB to linear, from the standard. */
static double linear(double srgb) {
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4);
}

static void test_light(void **state) {
    (void)state;
    static const double off[3] = {32 / 128.0, 64 / 128.0, 96 / 128.0}, on[3] = {1, 16 / 128.0, 1};
    fixture f = begin();
    for (int lit = 0; lit < 2; lit++) {
        f.level->lights[2].is_on = (uint8_t)(lit ? 3 : 0);
        mst_scene *scene = scene_of(f.level, lit != 0, &f.textures);
        corner wall = the_corner(scene, -512, 0, 256, east), floor = the_corner(scene, -512, 0, 256, up);
        for (int i = 0; i < 3; i++) {
            assert_near((double)wall.color[i], linear(lit ? on[i] : off[i]));
            assert_near((double)floor.color[i], 1);
        }
        assert_near((double)wall.color[3], 1);
        mst_scene_free(scene);
    }
    /* a light that is not there */
    f.level->light_count = 2;
    mst_scene *scene = scene_of(f.level, false, &f.textures);
    assert_near((double)the_corner(scene, -512, 0, 256, east).color[0], 1);
    mst_scene_free(scene);
    end(&f);
}

static void test_bounds(void **state) {
    (void)state;
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, NULL);
    assert_near(scene->unit_metres, 1 / 256.0);
    assert_string_equal(scene->format, "alien-map");
    assert_string_equal(scene->name, "L111 Entrance");
    /* the collision: floors and ceilings of both open cells, up and down */
    const mst_node *node = named_node(scene, "Collision");
    assert_int_equal(node->role, MST_ROLE_COLLISION);
    assert_string_equal(node->layer, "collision");
    const mst_primitive *p = scene->meshes[node->mesh].primitives;
    assert_int_equal(p->vertex_count, 16);
    assert_int_equal(p->index_count, 24);
    double sums[2] = {0, 0}; /* twice the areas, of what looks up and down */
    for (uint32_t i = 0; i < p->index_count; i += 3) {
        double normal[3];
        mst_polygon_normal(p->positions, p->indices + i, 3, normal);
        sums[normal[1] < 0] += normal[1];
        assert_near(normal[0], 0);
        double y = (double)p->positions[3 * p->indices[i] + 1];
        assert_true(normal[1] > 0 ? y == 0 || y == 128 : y == 1024);
    }
    assert_near(sums[0], 2 * 2 * 512.0 * 512.0);
    assert_near(sums[1], -2 * 2 * 512.0 * 512.0);
    mst_bounds b = mst_scene_bounds(scene, 1u << MST_ROLE_COLLISION);
    assert_near((double)b.minimum[0], -2);
    assert_near((double)b.maximum[0], 2);
    assert_near((double)b.minimum[1], 0);
    assert_near((double)b.maximum[1], 4);
    assert_near((double)b.minimum[2], -1);
    assert_near((double)b.maximum[2], 1);
    mst_scene_free(scene);
    end(&f);
}

/* ---- what is not as it should be --------------------------------------------------------------- */

static void test_bad_faces(void **state) {
    (void)state;
    fixture f = begin();
    f.level->quads[0].vertices[2] = f.level->vertex_count;
    f.level->quads[1].vertices[0] = -1;
    f.level->quads[2].vertices[1] = f.level->quads[2].vertices[0]; /* of no area: no matter */
    f.level->quads[3].texture = 5;                                 /* there are five */
    f.level->quads[4].texture = 0xFFFF;
    f.level->quads[6].texture = 900; /* no such animator: texture 900 */
    f.level->models[0].quads[0].vertices[0] = 1000;
    mst_scene *scene = scene_of(f.level, false, &f.textures);
    check_scene(scene, "geometry");
    assert_int_equal(integer_of(&scene->extras, "faces_not_shown"), 3);
    corner c;
    static const double gone[3] = {-512, 0, 256};
    assert_false(find_corner(scene, gone, up, &c));
    assert_string_equal(the_corner(scene, 0, 128, 256, up).material->name, "texture_5");
    assert_string_equal(the_corner(scene, 0, 1024, 256, down).material->name, "texture_65535");
    assert_string_equal(the_corner(scene, 512, 128, 256, west).material->name, "texture_900");
    assert_int_equal(node_of(scene, "door")->role, MST_ROLE_ENTITY); /* with a marker instead */
    assert_true(node_of(scene, "door")->mesh >= 0);
    mst_scene_free(scene);

    /* a level that is none, and one of nothing */
    f.level->no_map = true;
    f.level->model_count = 0;
    scene = scene_of(f.level, false, NULL);
    assert_int_equal(scene->node_count, 1);
    mst_scene_free(scene);
    memset(f.level, 0, sizeof *f.level);
    scene = scene_of(f.level, true, NULL);
    check_scene(scene, "");
    mst_scene_free(scene);
    /* things outside the grid are at height 0 */
    alien_small(f.level);
    f.level->monsters[0].x = 200;
    f.level->start_y = 60000;
    f.level->doors[0].model = 9;
    scene = scene_of(f.level, false, NULL);
    assert_near((double)node_of(scene, "face_hugger")->translation[0], (200 - 2) * 512 + 256);
    assert_near((double)node_of(scene, "face_hugger")->translation[1], 0);
    assert_true(node_of(scene, "door")->mesh >= 0);
    mst_scene_free(scene);
    end(&f);
}

static void test_without_textures(void **state) {
    (void)state;
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, NULL);
    assert_string_equal(text_of(&scene->extras, "textures"), "not found");
    check_texel(scene, -512, 0, 256, up, 0, 256);
    check_texel(scene, 0, 0, -256, up, 256, 0);
    check_texel(scene, 0, 128, 256, up, 256, 256); /* mirrored */
    corner c = the_corner(scene, 0, 128, 256, up);
    assert_string_equal(c.material->name, "texture_3");
    assert_string_equal(scene->images[c.material->image].name, "placeholder");
    assert_true(c.material->unlit);
    mst_scene_free(scene);
    end(&f);
}

static void test_sidecars(void **state) {
    (void)state;
    fixture f = begin();
    writer level = {0}, textures = {0};
    write_alien_level(&level, f.level, false);
    write_alien_textures(&textures, &f.textures, false);
    one_file file = {"111GFX.B16", textures.data, textures.size, 0};
    mst_resolver resolver = {.find = find_one, .user = &file};
    mst_scene_options options = {.sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(level.data, level.size, "l111lev.map", &options);
    assert_string_equal(text_of(&scene->extras, "textures"), "111GFX.B16");
    assert_string_equal(the_corner(scene, 0, 128, 256, up).material->name, "page_1");
    mst_scene_free(scene);
    /* truncated, of another kind, or empty: reported, and shown without it */
    file.name = "111GFX.BIN";
    for (int i = 0; i < 3; i++) {
        file.bytes = i == 1 ? level.data : textures.data;
        file.size = i == 0 ? textures.size / 2 : i == 1 ? level.size : 0;
        scene = scene_of_bytes(level.data, level.size, "L111LEV.MAP", &options);
        assert_true(strncmp(text_of(&scene->extras, "textures"), "damaged: 111GFX.BIN: ", 21) == 0);
        assert_string_equal(the_corner(scene, 0, 128, 256, up).material->name, "texture_3");
        mst_scene_free(scene);
    }
    /* a page without a palette is shown in greys */
    writer_free(&textures);
    f.textures.pages[1].no_palette = true;
    write_alien_textures(&textures, &f.textures, true);
    file.bytes = textures.data;
    file.size = textures.size;
    scene = scene_of_bytes(level.data, level.size, "L111LEV.MAP", &options);
    assert_string_equal(the_corner(scene, 0, 128, 256, up).material->name, "page_1");
    assert_string_equal(the_corner(scene, -512, 0, 256, east).material->name, "page_0");
    mst_scene_free(scene);
    /* a name that says no level: nothing is looked for */
    file.asked = 0;
    scene = scene_of_bytes(level.data, level.size, "edited level.map", &options);
    assert_int_equal(file.asked, 0);
    assert_string_equal(scene->name, "edited level");
    assert_string_equal(text_of(&scene->extras, "textures"), "not found");
    mst_scene_free(scene);
    writer_free(&level);
    writer_free(&textures);
    end(&f);
}

static void test_memory(void **state) {
    (void)state;
    fixture f = begin();
    writer level = {0}, textures = {0};
    f.textures.page_count = 1;
    free(f.textures.pages[1].pixels);
    f.textures.pages[1].pixels = NULL;
    write_alien_level(&level, f.level, false);
    write_alien_textures(&textures, &f.textures, false);
    mst_document *document = open_bytes(level.data, level.size, "L111LEV.MAP");
    one_file file = {"111GFX.BIN", textures.data, textures.size, 0};
    mst_resolver resolver = {.find = find_one, .user = &file};
    counted c = {0};
    mst_scene_options options = {.sidecars = &resolver, .allocator = counted_allocator(&c)};
    bool failed = true;
    for (size_t call = 1; failed && call < 10000; call++) {
        mst_scene *scene = NULL;
        mst_diagnostic why;
        c = (counted){.fail_at = call, .for_good = true};
        mst_status status = mst_scene_from_document(document, &options, &scene, &why);
        failed = c.failed;
        if (status == MST_OK)
            mst_scene_free(scene);
        else
            assert_int_equal(status, MST_NO_MEMORY);
        assert_int_equal(c.blocks, 0);
        assert_int_equal(c.bytes, 0);
        assert_false(c.wrong);
    }
    assert_false(failed);
    /* a budget that is too small */
    c = (counted){0};
    options.budget = 4096;
    mst_scene *scene = NULL;
    assert_int_equal(mst_scene_from_document(document, &options, &scene, NULL), MST_NO_MEMORY);
    assert_int_equal(c.blocks, 0);
    mst_close(document);
    writer_free(&level);
    writer_free(&textures);
    end(&f);
}

/* Bytes of a level and of its textures changed at random: never more than a failure. */
static void test_damaged(void **state) {
    (void)state;
    fixture f = begin();
    writer level = {0}, textures = {0};
    write_alien_level(&level, f.level, false);
    write_alien_textures(&textures, &f.textures, false);
    uint8_t *copy = malloc(level.size), *pages = malloc(textures.size);
    assert_non_null(copy);
    assert_non_null(pages);
    random_state r = {7};
    for (int round = 0; round < 400; round++) {
        memcpy(copy, level.data, level.size);
        memcpy(pages, textures.data, textures.size);
        for (int i = 0; i < 12; i++) {
            copy[random_next(&r) % level.size] = (uint8_t)random_next(&r);
            pages[random_next(&r) % (i % 2 ? 44u : (uint32_t)textures.size)] = (uint8_t)random_next(&r);
        }
        one_file file = {"111GFX.BIN", pages, textures.size, 0};
        mst_resolver resolver = {.find = find_one, .user = &file};
        mst_scene_options options = {.sidecars = &resolver};
        mst_open_options how = {.name = "L111LEV.MAP"};
        mst_document *document;
        mst_scene *scene;
        if (mst_open_memory(copy, level.size, &how, &document, NULL) != MST_OK)
            continue;
        if (mst_scene_from_document(document, &options, &scene, NULL) == MST_OK) {
            check_scene(scene, "");
            mst_scene_free(scene);
        }
        mst_close(document);
    }
    free(copy);
    free(pages);
    writer_free(&level);
    writer_free(&textures);
    end(&f);
}

/* ---- things ------------------------------------------------------------------------------------ */

static void world_point(const mst_scene *scene, const mst_node *node, double x, double y, double z,
                        double result[3]) {
    float *matrices = malloc(scene->node_count * 16 * sizeof *matrices);
    assert_non_null(matrices);
    mst_scene_world_matrices(scene, matrices);
    const float local[3] = {(float)x, (float)y, (float)z};
    float point[3];
    mst_matrix_point(matrices + 16 * (size_t)(node - scene->nodes), local, point);
    for (int i = 0; i < 3; i++)
        result[i] = (double)point[i];
    free(matrices);
}

static void check_point(const mst_scene *scene, const mst_node *node, const double local[3], double x,
                        double y, double z) {
    double point[3];
    world_point(scene, node, local[0], local[1], local[2], point);
    assert_near(point[0], x);
    assert_near(point[1], y);
    assert_near(point[2], z);
}

static void test_things(void **state) {
    (void)state;
    static const double origin[3] = {0, 0, 0}, ahead[3] = {0, 0, 256};
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, NULL);
    /* cell (1, 1): 1 m to the left; cell (2, 1): 1 m to the right, half a metre up */
    const mst_node *hugger = node_of(scene, "face_hugger"), *drone = node_of(scene, "warrior_drone");
    assert_int_equal(hugger->role, MST_ROLE_ENTITY);
    assert_string_equal(hugger->layer, "monsters");
    check_point(scene, hugger, origin, -1, 0, 0);
    check_point(scene, hugger, ahead, -2, 0, 0); /* 6: to -X */
    check_point(scene, drone, origin, 1, 0.5, 0);
    check_point(scene, drone, ahead, 1 + sqrt(0.5), 0.5, sqrt(0.5)); /* 1: between +Z and +X */
    assert_string_equal(text_of(&hugger->extras, "path"), "map.monsters[0]");
    assert_int_equal(integer_of(&hugger->extras, "type"), 2);
    assert_string_equal(text_of(&hugger->extras, "type_name"), "face_hugger");
    assert_int_equal(integer_of(&hugger->extras, "rotation"), 6);
    assert_string_equal(text_of(&hugger->extras, "rotation_name"), "west");
    assert_int_equal(integer_of(&hugger->extras, "speed"), 100);
    assert_int_equal(integer_of(&hugger->extras, "unknown_0a_2"), 155);
    assert_true(hugger->mesh >= 0 && hugger->mesh != drone->mesh);

    assert_string_equal(node_of(scene, "medi_kit")->layer, "pickups");
    assert_string_equal(node_of(scene, "barrel")->layer, "boxes");
    check_point(scene, node_of(scene, "small_switch_with_lightning"), ahead, 0, 0, 0);
    const mst_node *path = node_of(scene, "path_node");
    assert_int_equal(count_class(scene, "path_node"), 2);
    assert_int_equal(path->role, MST_ROLE_HELPER);
    assert_string_equal(path->layer, "path");
    assert_int_equal(path->mesh, -1);
    assert_int_equal(integer_of(&path->extras, "links_0"), 1);

    const mst_node *start = node_of(scene, "start"), *camera = named_node(scene, "camera");
    check_point(scene, start, origin, -1, 0, 0);
    check_point(scene, start, ahead, 0, 0, 0); /* 2: to +X */
    assert_string_equal(start->label, "start");
    assert_int_equal(camera->role, MST_ROLE_CAMERA);
    assert_true(camera->camera >= 0);
    check_point(scene, camera, origin, -1, 1.7, 0);
    check_point(scene, camera, (const double[3]){0, 0, -256}, 0, 1.7, 0);
    mst_scene_free(scene);

    /* a type without a name, and no markers */
    f.level->monsters[0].type = 77;
    f.level->boxes[0].type = 5;
    writer w = {0};
    write_alien_level(&w, f.level, true);
    mst_scene_options options = {.no_markers = 1};
    scene = scene_of_bytes(w.data, w.size, "L999.MAP", &options);
    assert_string_equal(scene->name, "L999");
    assert_int_equal(integer_of(&node_of(scene, "monster")->extras, "type"), 77);
    assert_null(extra_of(&node_of(scene, "monster")->extras, "type_name"));
    assert_string_equal(node_of(scene, "box")->layer, "boxes");
    for (size_t i = 0; i < scene->node_count; i++)
        assert_true(scene->nodes[i].role != MST_ROLE_ENTITY || scene->nodes[i].mesh < 0);
    mst_scene_free(scene);
    writer_free(&w);
    end(&f);
}

static void test_models(void **state) {
    (void)state;
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, &f.textures);
    const mst_node *model = named_node(scene, "D000"), *lift = named_node(scene, "L000");
    assert_int_equal(model->role, MST_ROLE_GEOMETRY);
    assert_string_equal(model->layer, "doors");
    assert_string_equal(lift->layer, "lifts");
    assert_string_equal(scene->nodes[model->parent].class_name, "door");
    assert_int_equal(scene->nodes[model->parent].mesh, -1);
    assert_string_equal(text_of(&scene->nodes[model->parent].extras, "lock_name"), "open");
    /* around the middle of its cell, on its floor: +Z becomes +X, +X becomes -Z */
    check_point(scene, model, (const double[3]){-192, 0, 64}, 1.25, 0.5, 0.75);
    check_point(scene, model, (const double[3]){256, 512, 64}, 1.25, 2.5, -1);
    /* lifts are not turned */
    check_point(scene, lift, (const double[3]){-192, 0, 64}, 0.25, 0.5, 0.25);
    const mst_primitive *p = scene->meshes[model->mesh].primitives;
    assert_int_equal(p->vertex_count, 4);
    assert_near((double)p->texcoords[0] * 256, 32); /* texture 1 */
    assert_near((double)p->texcoords[1] * 256, 16);
    assert_near((double)p->normals[2], 1);
    mst_scene_free(scene);

    /* the number in the name counts, not the place */
    memcpy(f.level->models[0].name, "D007", 5);
    f.level->models[2] = f.level->models[0];
    f.level->models[2].vertices[1].x = 300;
    memcpy(f.level->models[2].name, "D001", 5);
    f.level->model_count = 3;
    for (int number = 0; number < 10; number++) {
        f.level->doors[0].model = (uint8_t)number;
        scene = scene_of(f.level, false, NULL);
        const mst_node *door = node_of(scene, "door");
        const mst_node *child = door + 1; /* if it has one */
        bool has = child < scene->nodes + scene->node_count && child->parent == door - scene->nodes;
        assert_int_equal(has, number == 7 || number <= 1); /* 0 stands for the first */
        if (has)
            assert_near((double)scene->meshes[child->mesh].primitives[0].positions[3],
                        number == 1 ? 300 : 256);
        mst_scene_free(scene);
    }
    end(&f);
}

static void test_triggers(void **state) {
    (void)state;
    fixture f = begin();
    mst_scene *scene = scene_of(f.level, false, NULL);
    const mst_node *trigger = node_of(scene, "trigger"), *last = node_of(scene, "level_end");
    assert_string_equal(trigger->layer, "triggers");
    assert_string_equal(trigger->label, "");
    assert_string_equal(last->label, "level end");
    check_point(scene, trigger, (const double[3]){0, 0, 0}, -1, 0, 0);
    check_point(scene, last, (const double[3]){0, 0, 0}, 1, 0.5, 0);
    assert_string_equal(text_of(&trigger->extras, "path"), "map.cells[5]");
    assert_int_equal(integer_of(&trigger->extras, "trigger"), 1);
    assert_string_equal(text_of(&trigger->extras, "text"),
                        "1, any number of times: open door 0, then light 2 on");
    assert_string_equal(text_of(&scene->extras, "json"),
                        "{\"triggers\":[{\"index\":1,\"text\":\"1, any number of times: open door 0, then "
                        "light 2 on\"},{\"index\":2,\"text\":\"2, 1 time: end of level\"}]}");
    mst_scene_free(scene);
    /* a chain in a circle, a command and a trigger that are not there */
    f.level->commands[1].next = 0;
    f.level->triggers[2].first_command = 200;
    alien_cell_at(f.level, 0, 0)->trigger = 200;
    scene = scene_of(f.level, false, NULL);
    assert_int_equal(count_class(scene, "level_end"), 0);
    assert_int_equal(count_class(scene, "trigger"), 3);
    const char *text = text_of(&node_of(scene, "trigger")->extras, "path");
    assert_string_equal(text, "map.cells[0]");
    assert_null(extra_of(&node_of(scene, "trigger")->extras, "text"));
    mst_scene_free(scene);
    end(&f);
}

/* A trigger's action is written in full; cells show its beginning. */
static void test_long_trigger(void **state) {
    (void)state;
    fixture f = begin();
    for (uint8_t i = 0; i < 20; i++)
        f.level->commands[i + 2] = (alien_command){0, (uint8_t)(i < 19 ? i + 3 : 255), 1, 100};
    f.level->commands[1].next = 2;
    char whole[600] = "1, any number of times: open door 0, then light 2 on";
    for (int i = 0; i < 20; i++)
        memcpy(whole + strlen(whole), ", then light 100 on", 20);
    mst_scene *scene = scene_of(f.level, false, NULL);
    char shown[204];
    snprintf(shown, sizeof shown, "%.200s...", whole);
    assert_string_equal(text_of(&node_of(scene, "trigger")->extras, "text"), shown);
    assert_non_null(strstr(text_of(&scene->extras, "json"), whole));
    mst_scene_free(scene);
    end(&f);
}

/* Numbers in names that are none, are too large, or are there twice. */
static void test_model_names(void **state) {
    (void)state;
    static const struct {
        const char *names[3]; /* of models whose second corner is at 256, 300 and 400 */
        int number;
        int corner; /* 0: none */
    } cases[] = {
        {{"D001", "D001", "D002"}, 1, 256}, /* the first of a number */
        {{"D001", "D001", "D002"}, 2, 400},
        {{"D001", "D001", "D002"}, 0, 256}, /* a place of which nobody has the number */
        {{"D300", "D255", "D256"}, 255, 300},
        {{"D300", "D255", "D256"}, 0, 256},
        {{"D300", "D255", "D256"}, 44, 0},
        {{"D/01", "D:01", "D0A1"}, 1, 300},
        {{"D01 ", "DOOR", "D000"}, 0, 400},
        {{"D01 ", "DOOR", "D000"}, 3, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture f = begin();
        f.level->lift_count = 0;
        f.level->model_count = 3;
        for (size_t k = 0; k < 3; k++) {
            f.level->models[k] = f.level->models[0];
            memcpy(f.level->models[k].name, cases[i].names[k], 5);
            f.level->models[k].vertices[1].x = (int16_t)(k ? 200 + 100 * k : 256);
        }
        f.level->doors[0].model = (uint8_t)cases[i].number;
        mst_scene *scene = scene_of(f.level, false, NULL);
        const mst_node *door = node_of(scene, "door"), *child = door + 1;
        bool has = child < scene->nodes + scene->node_count && child->parent == door - scene->nodes;
        assert_int_equal(has, cases[i].corner != 0);
        if (has)
            assert_near((double)scene->meshes[child->mesh].primitives[0].positions[3], cases[i].corner);
        mst_scene_free(scene);
        end(&f);
    }
}

/* A texture that lies beside its page is taken from there all the same, and has no holes. */
static void test_pages_of_other_shapes(void **state) {
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        fixture f = begin();
        f.textures.information[0] = wide ? 4096 : 16;
        f.textures.information[1] = wide ? 16 : 4096;
        memset(f.textures.pages[0].pixels, 0, 65536); /* holes, all of it */
        f.textures.pages[0].rectangles[0] = (alien_rectangle){20, 2, 3, 3, 0, 0};
        f.textures.pages[0].rectangles[1] = (alien_rectangle){2, 20, 3, 3, 0, 0};
        mst_scene *scene = scene_of(f.level, false, &f.textures);
        const char *beside = wide ? "page_0_holes" : "page_0", *below = wide ? "page_0" : "page_0_holes";
        assert_string_equal(the_corner(scene, -512, 0, 256, up).material->name, beside);
        assert_string_equal(the_corner(scene, 0, 1024, 256, down).material->name, below);
        mst_scene_free(scene);
        end(&f);
    }
}

/* A level without an open cell has nothing to stand on. */
static void test_solid(void **state) {
    (void)state;
    fixture f = begin();
    for (unsigned i = 0; i < 12; i++)
        f.level->cells[i].first_quad = -1;
    mst_scene *scene = scene_of(f.level, false, NULL);
    for (size_t i = 0; i < scene->node_count; i++)
        assert_int_not_equal(scene->nodes[i].role, MST_ROLE_COLLISION);
    named_node(scene, "Geometry");
    mst_scene_free(scene);
    end(&f);
}

static mst_status find_no_memory(void *user, const char *name, const void **bytes, size_t *size) {
    (void)user;
    (void)name;
    *bytes = NULL;
    *size = 0;
    return MST_NO_MEMORY;
}

/* Names of levels, and of files that have none. */
static void test_file_names(void **state) {
    (void)state;
    static const char *const names[][2] = {{"L111LEV.MAP", "L111 Entrance"},
                                           {"L999LEV.MAP", "L999LEV"},
                                           {"level", "level"},
                                           {".map", ".map"},
                                           {"", ""},
                                           {"a.b.c", "a.b"}};
    fixture f = begin();
    writer w = {0};
    write_alien_level(&w, f.level, false);
    mst_scene *scene;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        scene = scene_of_bytes(w.data, w.size, names[i][0], NULL); /* without options */
        assert_string_equal(scene->name, names[i][1]);
        assert_string_equal(text_of(&scene->extras, "textures"), "not found");
        mst_scene_free(scene);
    }
    /* a resolver that only lists folders, and one without memory */
    mst_resolver resolver = {.find = NULL};
    mst_scene_options options = {.sidecars = &resolver};
    scene = scene_of_bytes(w.data, w.size, "L111LEV.MAP", &options);
    assert_string_equal(text_of(&scene->extras, "textures"), "not found");
    mst_scene_free(scene);
    resolver.find = find_no_memory;
    mst_document *document = open_bytes(w.data, w.size, "L111LEV.MAP");
    mst_diagnostic why;
    assert_int_equal(mst_scene_from_document(document, &options, &scene, &why), MST_NO_MEMORY);
    assert_int_equal(why.status, MST_NO_MEMORY);
    mst_close(document);
    writer_free(&w);
    end(&f);
}

/* Every piece of memory that a scene takes is refused once: with textures, and without any. */
static void test_pieces(void **state) {
    (void)state;
    for (int with = 0; with < 2; with++) {
        fixture f = begin();
        writer w = {0}, textures = {0};
        f.level->doors[0].model = with ? 0 : 9; /* a marker, and no model */
        f.textures.page_count = 1;
        f.textures.information[0] = f.textures.information[1] = 16; /* small pages */
        f.textures.pages[0].size = 256;
        write_alien_level(&w, f.level, false);
        write_alien_textures(&textures, &f.textures, false);
        mst_document *document = open_bytes(w.data, w.size, "L111LEV.MAP");
        one_file file = {with ? "111GFX.BIN" : NULL, textures.data, textures.size, 0};
        mst_resolver resolver = {.find = find_one, .user = &file};
        mst_scene_options options = {.sidecars = &resolver};
        assert_true(assert_refused_scenes(document, &options) > 50 / sample_step());
        mst_close(document);
        writer_free(&w);
        writer_free(&textures);
        f.textures.page_count = 2;
        end(&f);
    }
}

/* ---- the real level ---------------------------------------------------------------------------- */

static const uint8_t *column_of(const mst_document *document, const char *list, const char *name,
                                mst_column *column) {
    mst_value value;
    MUST(mst_find(mst_root(document), list, &value, NULL), NULL);
    assert_true(mst_column_of(&value, name, column));
    return column->data;
}

/* Faces that lie flat where their cell has its floor or ceiling: which way they look. */
static void count_flat(const mst_scene *scene, const mst_document *document, size_t ways[2][2]) {
    mst_column floors, ceilings;
    column_of(document, "map.cells", "floor", &floors);
    column_of(document, "map.cells", "ceiling", &ceilings);
    memset(ways, 0, sizeof(size_t[2][2]));
    for (size_t i = 0; i < scene->node_count; i++) {
        const mst_node *node = &scene->nodes[i];
        if (node->role != MST_ROLE_GEOMETRY || strcmp(node->layer, "geometry") != 0 || node->mesh < 0)
            continue;
        const mst_primitive *p = scene->meshes[node->mesh].primitives;
        for (uint32_t n = 0; n < p->index_count; n += 3) {
            double normal[3], middle[3] = {0, 0, 0};
            mst_polygon_normal(p->positions, p->indices + n, 3, normal);
            for (uint32_t k = 0; k < 9; k++)
                middle[k % 3] += (double)p->positions[3 * p->indices[n + k / 3] + k % 3] / 3;
            double x = floor(middle[0] / 512 + 46), y = floor(middle[2] / 512 + 52.5);
            if (normal[0] != 0 || normal[2] != 0 || normal[1] == 0 || x < 0 || y < 0 || x > 91 || y > 104)
                continue;
            size_t cell = (size_t)y * 92 + (size_t)x;
            if (middle[1] == floors.data[cell * floors.stride] * 32.0)
                ways[0][normal[1] > 0]++;
            else if (middle[1] == ceilings.data[cell * ceilings.stride] * 32.0)
                ways[1][normal[1] > 0]++;
        }
    }
}

static bool same_floats(const float *a, const float *b, size_t count) {
    return (!a && !b) || (a && b && memcmp(a, b, count * sizeof *a) == 0);
}

/* Both byte orders say the same. */
static void assert_same_scenes(const mst_scene *a, const mst_scene *b) {
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->mesh_count, b->mesh_count);
    for (size_t i = 0; i < a->node_count; i++) {
        assert_string_equal(a->nodes[i].name, b->nodes[i].name);
        assert_memory_equal(a->nodes[i].translation, b->nodes[i].translation, sizeof(float[3]));
        assert_memory_equal(a->nodes[i].rotation, b->nodes[i].rotation, sizeof(float[4]));
    }
    for (size_t i = 0; i < a->mesh_count; i++)
        for (size_t k = 0; k < a->meshes[i].primitive_count; k++) {
            const mst_primitive *p = &a->meshes[i].primitives[k], *q = &b->meshes[i].primitives[k];
            assert_int_equal(p->vertex_count, q->vertex_count);
            assert_true(same_floats(p->positions, q->positions, 3 * (size_t)p->vertex_count));
            assert_true(same_floats(p->texcoords, q->texcoords, 2 * (size_t)p->vertex_count));
            assert_true(same_floats(p->colors, q->colors, 4 * (size_t)p->vertex_count));
        }
}

static void test_corpus(void **state) {
    (void)state;
    size_t size, twin_size, gfx_size;
    uint8_t *bytes = corpus_read("alien/L111LEV.MAP", &size);
    if (!bytes)
        return;
    uint8_t *twin = corpus_read("alien/L111LEV.big-endian.MAP", &twin_size),
            *gfx = corpus_read("alien/111GFX.BIN", &gfx_size);
    one_file file = {"111GFX.BIN", gfx, gfx_size, 0};
    mst_resolver resolver = {.find = find_one, .user = &file};
    mst_scene_options options = {.sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(bytes, size, "L111LEV.MAP", &options);
    assert_string_equal(scene->name, "L111 Entrance");
    assert_string_equal(text_of(&scene->extras, "textures"), "111GFX.BIN");
    assert_null(extra_of(&scene->extras, "faces_not_shown"));
    for (size_t i = 0; i < scene->material_count; i++) /* no texture is missing */
        assert_null(strstr(scene->materials[i].name, "texture_"));

    /* 11,265 faces besides the terminator, 285 of which are triangles (counted by an independent reader) */
    mst_document *document = open_bytes(bytes, size, NULL);
    mst_column vertices;
    column_of(document, "map.quads", "vertices", &vertices);
    assert_int_equal(vertices.count, 11266);
    size_t triangles = 0;
    for (uint64_t i = 0; i + 1 < vertices.count; i++)
        triangles += mst_column_u32(&vertices, i, 3) == UINT32_MAX;
    assert_int_equal(check_scene(scene, "geometry"), 2 * (11265 - triangles) + triangles);

    /* floors look up and ceilings down, but for a few */
    size_t ways[2][2];
    count_flat(scene, document, ways);
    assert_true(ways[0][1] > 6000 && ways[0][0] < 20);
    assert_true(ways[1][0] > 5700 && ways[1][1] < 20);

    /* the grid is 92 x 105 cells; its last column and row are empty */
    mst_bounds b = mst_scene_bounds(scene, 1u << MST_ROLE_GEOMETRY);
    assert_near((double)b.minimum[0], -92);
    assert_near((double)b.maximum[0], 90);
    assert_near((double)b.minimum[2], -105);
    assert_near((double)b.maximum[2], 103);

    /* what the header counts */
    assert_int_equal(count_class(scene, "face_hugger") + count_class(scene, "warrior_drone"), 28);
    assert_int_equal(count_class(scene, "door"), 6);
    assert_int_equal(count_class(scene, "path_node"), 71);
    const mst_node *start = node_of(scene, "start");
    check_point(scene, start, (const double[3]){0, 0, 0}, (39 - 46) * 2 + 1, 0, (100 - 52.5) * 2 + 1);
    check_point(scene, start, (const double[3]){0, 0, 256}, (39 - 46) * 2 + 2, 0, (100 - 52.5) * 2 + 1);
    /* doors are between floors: their models reach down to the floor of their cell */
    const mst_node *door = node_of(scene, "door");
    check_point(scene, door, (const double[3]){0, 0, 0}, (42 - 46) * 2 + 1, 0, (99 - 52.5) * 2 + 1);

    mst_scene *other = scene_of_bytes(twin, twin_size, "L111LEV.MAP", &options);
    assert_same_scenes(scene, other);
    mst_scene_free(other);
    mst_scene_free(scene);
    mst_close(document);
    free(bytes);
    free(twin);
    free(gfx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texture_corners),
        cmocka_unit_test(test_triangle_flags),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_light),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_bad_faces),
        cmocka_unit_test(test_without_textures),
        cmocka_unit_test(test_sidecars),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_things),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_triggers),
        cmocka_unit_test(test_long_trigger),
        cmocka_unit_test(test_model_names),
        cmocka_unit_test(test_pages_of_other_shapes),
        cmocka_unit_test(test_solid),
        cmocka_unit_test(test_file_names),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_corpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
