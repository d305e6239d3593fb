/* SPDX-License-Identifier: MIT */
/* Hiding nodes of a scene by their classes. */
#include "../core/diagnose.h"
#include "../core/text.h"
#include <mapstone/scene.h>

#include <stdbool.h>
#include <string.h>

enum { HIDDEN = 1, PART = 2 /* of an entity, while choosing: parents come before their children */ };

/* "": it has none */
static const char *class_of(const mst_node *node) {
    const char *name = node->class_name ? node->class_name : "";
    return *name                           ? name
           : node->role == MST_ROLE_LIGHT  ? "light"
           : node->role == MST_ROLE_CAMERA ? "camera"
                                           : "";
}

/* Whether a class is like one of the patterns; all that it is like are counted. */
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
        const mst_node *above = node->parent >= 0 && (size_t)node->parent < i ? &nodes[node->parent] : NULL;
        const char *name = class_of(node);
        bool thing =
            node->role == MST_ROLE_ENTITY || node->role == MST_ROLE_LIGHT || node->role == MST_ROLE_CAMERA;
        bool part = above && (above->role == MST_ROLE_ENTITY || (above->hidden & PART));
        bool wanted = fits(name, c.only, c.only_count, c.found);
        bool unwanted = fits(name, c.hide, c.hide_count, c.found ? c.found + c.only_count : NULL);
        bool hidden = unwanted || (c.only_count && thing && !wanted && !part);
        node->hidden = (hidden ? HIDDEN : 0) | (part ? PART : 0);
    }
    for (size_t i = 0; i < scene->node_count; i++)
        nodes[i].hidden &= HIDDEN;
    return MST_OK;
}
