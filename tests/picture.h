/* SPDX-License-Identifier: MIT */
/* Small scenes, and the contents of their pictures. */
#ifndef MST_TESTS_PICTURE_H
#define MST_TESTS_PICTURE_H

#include "../src/export/font.h"
#include "support.h"
#include <mapstone/picture.h>

#define NODES 2300

typedef struct stage {
    mst_scene scene;
    mst_node nodes[NODES];
    mst_mesh meshes[40];
    mst_primitive primitives[40];
    mst_material materials[40];
    float corners[40][12];
} stage;

static inline stage *begin(void) {
    stage *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->scene = (mst_scene){.name = "stage",
                           .format = "none",
                           .nodes = s->nodes,
                           .meshes = s->meshes,
                           .materials = s->materials,
                           .unit_metres = 1};
    return s;
}

static inline mst_node *add(stage *s, mst_role role, float x, float y, float z) {
    assert_true(s->scene.node_count < NODES);
    mst_node *node = &s->nodes[s->scene.node_count++];
    *node = (mst_node){.name = "",
                       .class_name = "",
                       .layer = "",
                       .label = "",
                       .tag = "",
                       .role = role,
                       .parent = -1,
                       .mesh = -1,
                       .light = -1,
                       .camera = -1,
                       .translation = {x, y, z},
                       .rotation = {0, 0, 0, 1},
                       .scale = {1, 1, 1}};
    return node;
}

static inline mst_node *add_thing(stage *s, const char *class_name, float x, float z) {
    mst_node *node = add(s, MST_ROLE_ENTITY, x, 0, z);
    node->class_name = class_name;
    return node;
}

/* A quad of one corner and two sides, with a material of its own; it is visible from where side a turns to
 * side b counter-clockwise. */
static inline mst_node *add_quad(stage *s, const float corner[3], const float a[3], const float b[3]) {
    static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
    size_t i = s->scene.mesh_count++;
    s->scene.material_count = s->scene.mesh_count;
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 3; c++)
            s->corners[i][k * 3 + c] = corner[c] + (k == 1 || k == 2 ? a[c] : 0) + (k > 1 ? b[c] : 0);
    s->primitives[i] = (mst_primitive){.material = (int32_t)i,
                                       .vertex_count = 4,
                                       .index_count = 6,
                                       .positions = s->corners[i],
                                       .indices = order};
    s->meshes[i] = (mst_mesh){"", &s->primitives[i], 1};
    s->materials[i] = (mst_material){.name = "", .color = {0.5f, 0.5f, 0.5f, 1}, .image = -1};
    mst_node *node = add(s, MST_ROLE_GEOMETRY, 0, 0, 0);
    node->mesh = (int32_t)i;
    return node;
}

#define V(x, y, z) ((const float[3]){(x), (y), (z)})

static inline mst_node *add_floor(stage *s, float x, float z, float width, float depth, float y) {
    return add_quad(s, V(x, y, z), V(0, 0, depth), V(width, 0, 0));
}

static inline mst_pixels draw(const stage *s, const mst_picture_options *options) {
    mst_pixels picture = {0};
    mst_diagnostic why;
    MUST(mst_scene_draw(&s->scene, options, &picture, &why), &why);
    return picture;
}

static inline const uint8_t *at_pixel(const mst_pixels *picture, double x, double y) {
    assert_true(x >= 0 && y >= 0 && x < picture->width && y < picture->height);
    return picture->data + ((size_t)y * picture->width + (size_t)x) * 4;
}

/* Whether a text is somewhere in one colour, with other colours around its strokes. */
static inline bool shows(const mst_pixels *picture, const char *text, int32_t scale) {
    int32_t width = (int32_t)mst_font_count(text) * MST_FONT_WIDTH * scale, height = MST_FONT_HEIGHT * scale;
    uint8_t *stroke = calloc((size_t)width * (size_t)height, 4);
    assert_non_null(stroke);
    mst_canvas canvas = mst_canvas_of(width, height, stroke);
    mst_font_draw(&canvas, 0, 0, scale, text, SIZE_MAX, (mst_rgba){255, 255, 255, 255}, false);
    int32_t first = 0;
    while (stroke[first * 4 + 3] < 255) /* paler pixels only round corners off */
        first++;
    bool found = false;
    for (int32_t y = 0; y + height <= (int32_t)picture->height && !found; y++)
        for (int32_t x = 0; x + width <= (int32_t)picture->width && !found; x++) {
            const uint8_t *color = at_pixel(picture, x + first % width, y + first / width);
            bool same = true;
            for (int32_t i = first; i < width * height && same; i++) {
                const uint8_t *pixel = at_pixel(picture, x + i % width, y + i / width);
                uint8_t alpha = stroke[i * 4 + 3];
                same = (alpha > 0 && alpha < 255) || (memcmp(pixel, color, 4) == 0) == (alpha == 255);
            }
            found = same;
        }
    free(stroke);
    return found;
}

static inline void has(const mst_pixels *picture, const char *text) {
    if (!shows(picture, text, 1))
        fail_msg("it does not show '%s'", text);
}

static inline void has_not(const mst_pixels *picture, const char *text) {
    if (shows(picture, text, 1))
        fail_msg("it shows '%s'", text);
}

#endif
