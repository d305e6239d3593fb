/* SPDX-License-Identifier: MIT */
/* Scenes of small levels of Alien Trilogy, and their queries. */
#ifndef MST_TESTS_ALIEN_SCENE_H
#define MST_TESTS_ALIEN_SCENE_H

#include "alien_level.h"
#include <mapstone/scene.h>

/* A resolver of one file, which counts its calls. */
typedef struct one_file {
    const char *name;
    const void *bytes;
    size_t size;
    unsigned asked;
} one_file;

static inline mst_status find_one(void *user, const char *name, const void **bytes, size_t *size) {
    one_file *file = user;
    file->asked++;
    if (!file->name || strcmp(file->name, name) != 0)
        return MST_NO_PATH;
    *bytes = file->bytes;
    *size = file->size;
    return MST_OK;
}

static inline mst_scene *scene_of_bytes(const void *bytes, size_t size, const char *name,
                                        const mst_scene_options *options) {
    mst_scene *scene;
    mst_diagnostic why;
    mst_document *document = open_as(bytes, size, NULL, name);
    MUST(mst_scene_from_document(document, options, &scene, &why), &why);
    mst_close(document); /* a scene does not need it */
    return scene;
}

/* The scene of a level with a texture file (NULL: without). */
static inline mst_scene *scene_of(const alien_level *l, bool big, const alien_textures *t) {
    writer level = {0}, textures = {0};
    write_alien_level(&level, l, big);
    if (t)
        write_alien_textures(&textures, t, false);
    one_file file = {t ? "111GFX.BIN" : NULL, textures.data, textures.size, 0};
    mst_resolver resolver = {.find = find_one, .user = &file};
    mst_scene_options options = {.size = sizeof options, .sidecars = &resolver};
    mst_scene *scene = scene_of_bytes(level.data, level.size, "L111LEV.MAP", &options);
    writer_free(&level);
    writer_free(&textures);
    return scene;
}

typedef struct fixture {
    alien_level *level;
    alien_textures textures;
} fixture;

static inline fixture begin(void) {
    fixture f = {.level = malloc(sizeof *f.level)};
    assert_non_null(f.level);
    alien_small(f.level);
    alien_small_textures(&f.textures);
    return f;
}

static inline void end(fixture *f) {
    free(f->level);
    alien_textures_free(&f->textures);
}

static inline const mst_extra *extra_of(const mst_extras *extras, const char *name) {
    for (size_t i = 0; i < extras->count; i++)
        if (strcmp(extras->items[i].name, name) == 0)
            return &extras->items[i];
    return NULL;
}

static inline const char *text_of(const mst_extras *extras, const char *name) {
    const mst_extra *extra = extra_of(extras, name);
    if (!extra)
        print_error("there is no extra %s\n", name);
    assert_non_null(extra);
    return extra->text;
}

static inline int32_t integer_of(const mst_extras *extras, const char *name) {
    const mst_extra *extra = extra_of(extras, name);
    if (!extra)
        print_error("there is no extra %s\n", name);
    assert_non_null(extra);
    assert_int_equal(extra->kind, MST_EXTRA_INTEGER);
    return extra->integer;
}

static inline const mst_node *node_of(const mst_scene *scene, const char *class_name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].class_name, class_name) == 0)
            return &scene->nodes[i];
    print_error("there is no %s\n", class_name);
    fail();
    return NULL;
}

static inline const mst_node *named_node(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (strcmp(scene->nodes[i].name, name) == 0)
            return &scene->nodes[i];
    print_error("there is no node %s\n", name);
    fail();
    return NULL;
}

static inline void assert_near(double value, double expected) {
    if (!(fabs(value - expected) <= 2e-5 * (1 + fabs(expected))))
        print_error("%.9g, expected %.9g\n", value, expected);
    assert_true(fabs(value - expected) <= 2e-5 * (1 + fabs(expected)));
}

/* A corner of the level's geometry: its position, its normal, and its attributes. */
typedef struct corner {
    const mst_material *material;
    float texcoord[2], color[4];
} corner;

static inline bool find_corner(const mst_scene *scene, const double place[3], const double normal[3],
                               corner *c) {
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

static inline corner the_corner(const mst_scene *scene, double x, double y, double z,
                                const double normal[3]) {
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

/* Invariants of every scene; returns the triangles of one layer. */
static inline size_t check_scene(const mst_scene *scene, const char *layer) {
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

#endif
