/* SPDX-License-Identifier: MIT */
/* A block by hand, and the contents of its scene. */
#ifndef MST_TESTS_SFA_SCENE_BLOCK_H
#define MST_TESTS_SFA_SCENE_BLOCK_H

#include "sfa_maps.h"
#include <mapstone/scene.h>

static inline mst_scene *scene_of(const void *bytes, size_t size, const char *name,
                                  const mst_scene_options *options) {
    mst_document *document;
    mst_scene *scene;
    mst_diagnostic why;
    mst_open_options how = {.size = sizeof how, .name = name};
    MUST(mst_open_memory(bytes, size, &how, &document, &why), &why);
    MUST(mst_scene_from_document(document, options, &scene, &why), &why);
    mst_close(document);
    return scene;
}

static inline const mst_node *node_named(const mst_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->node_count; i++)
        if (!strcmp(scene->nodes[i].name, name))
            return &scene->nodes[i];
    return NULL;
}

static inline const mst_mesh *mesh_of(const mst_scene *scene, const char *node) {
    const mst_node *found = node_named(scene, node);
    assert_non_null(found);
    assert_true(found->mesh >= 0);
    return &scene->meshes[found->mesh];
}

static inline const mst_extra *extra_of(const mst_extras *extras, const char *name) {
    for (size_t i = 0; i < extras->count; i++)
        if (!strcmp(extras->items[i].name, name))
            return &extras->items[i];
    return NULL;
}

static inline void assert_text(const mst_extras *extras, const char *name, const char *text) {
    const mst_extra *extra = extra_of(extras, name);
    assert_non_null(extra);
    assert_string_equal(extra->text, text);
}

static inline void assert_number(const mst_extras *extras, const char *name, int32_t number) {
    const mst_extra *extra = extra_of(extras, name);
    assert_non_null(extra);
    assert_int_equal(extra->integer, number);
}

static inline void assert_near(double value, double expected) {
    if (!(fabs(value - expected) < 1e-5)) {
        print_error("%g, not %g\n", value, expected);
        fail();
    }
}

#endif
