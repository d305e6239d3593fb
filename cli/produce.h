/* SPDX-License-Identifier: MIT */
/* What `convert` and `render` share: which output belongs to which input, and scenes as pictures. */
#ifndef CLI_PRODUCE_H
#define CLI_PRODUCE_H

#include "batch.h"
#include <mapstone/picture.h>

/* One output for each input. */
typedef struct products {
    char **paths; /* "-": stdout */
    size_t count;
} products;

/* Whether `path` stands for a directory: it is one, or ends with a slash. */
bool names_directory(const char *path);

/*
 * `to` is what -o says (NULL: stdout), `extensions` what the outputs may have, separated by blanks ("": their
 * own). With many inputs or a directory as output, each goes to DIR/NAME with the first of these, unless it
 * has one of the others already; files that would then share a name keep their own extension before it.
 * False, and has said why, if that cannot be done or an input would be overwritten.
 */
bool products_plan(products *plan, const options *given, const inputs *all, const char *to,
                   const char *extensions);
/* The same for one output of all inputs together. */
bool products_plan_one(products *plan, const options *given, const inputs *all, const char *to);
void products_free(products *plan);

/* The .bin beside a .gltf, to be freed; and whether none of them is an input (says so if one is). */
char *path_of_side(const char *path);
bool products_plan_sides(const products *plan, const options *given, const inputs *all);

/* The job's file as a scene. A scene that the level gives no name gets that of the file, which is kept in
 * `name` and must live as long as the scene. */
#define SCENE_NAME 256
mst_status make_scene(job *work, const mst_scene_options *how, mst_scene **scene, char name[SCENE_NAME],
                      mst_diagnostic *why);

/* The scene as PNG. */
/* Whether the scene has the layers that a picture is asked for; else says which there are. */
bool layers_are_there(const mst_scene *scene, const mst_picture_options *how, const char *file);
mst_status write_png(const mst_scene *scene, const mst_picture_options *how, mst_sink sink,
                     mst_diagnostic *why);

#endif
