/* SPDX-License-Identifier: MIT */
/* Hiding nodes of a scene by their classes. */
#include "../core/diagnose.h"
#include "../core/text.h"
#include <mapstone/scene.h>

#include <stdbool.h>
#include <string.h>

/* "" if it has none */
static const char *class_of(const mst_node *node) {
    const char *name = node->class_name ? node->class_name : "";
    return *name                           ? name
           : node->role == MST_ROLE_LIGHT  ? "light"
           : node->role == MST_ROLE_CAMERA ? "camera"
                                           : "";
}

/* Whether a class matches one of the patterns; every match is counted. */
static bool fits(const char *name, const char *const *patterns, size_t count, size_t *found) {
    bool any = false;
    for (size_t i = 0; i < count && *name; i++) {
        bool like = mst_text_is_like(name, patterns[i], strlen(patterns[i]));
        any = any || like;
        if (found)
            found[i] += like;
    }
    return any;
}

static bool are_there(const char *const *patterns, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!patterns || !patterns[i])
            return false;
    return true;
}

/* Whether the node is below an entity. Parents precede their children. */
static bool is_part(const mst_node *nodes, size_t index) {
    while (nodes[index].parent >= 0 && (size_t)nodes[index].parent < index) {
        index = (size_t)nodes[index].parent;
        if (nodes[index].role == MST_ROLE_ENTITY)
            return true;
    }
    return false;
}

mst_status mst_scene_choose(mst_scene *scene, const mst_scene_choice *choice, mst_diagnostic *diagnostic) {
    mst_scene_choice c = {0};
    if (choice)
        memcpy(&c, choice, choice->size < sizeof c ? choice->size : sizeof c);
    if (!scene || !are_there(c.only, c.only_count) || !are_there(c.hide, c.hide_count))
        return mst_fail(diagnostic, MST_ARGUMENT, "a choice needs a scene, and a text for each pattern");
    if (c.found)
        memset(c.found, 0, (c.only_count + c.hide_count) * sizeof *c.found);
    mst_node *nodes = (mst_node *)(uintptr_t)scene->nodes; /* the library's own memory */
    for (size_t i = 0; i < scene->node_count; i++) {
        mst_node *node = &nodes[i];
        const char *name = class_of(node);
        bool thing =
            node->role == MST_ROLE_ENTITY || node->role == MST_ROLE_LIGHT || node->role == MST_ROLE_CAMERA;
        bool wanted = fits(name, c.only, c.only_count, c.found);
        bool unwanted = fits(name, c.hide, c.hide_count, c.found ? c.found + c.only_count : NULL);
        node->hidden = unwanted || (c.only_count && thing && !wanted && !is_part(nodes, i));
    }
    return MST_OK;
}
