/* SPDX-License-Identifier: MIT */
/* Common to `convert` and `render`: the outputs for the inputs, and scenes as pictures. */
#ifndef CLI_PICTURES_PRODUCE_H
#define CLI_PICTURES_PRODUCE_H

#include "../inputs/many_files.h"
#include <mapstone/picture.h>

/* One output for each input. */
typedef struct products {
    char **paths; /* "-": stdout */
    size_t count;
} products;

/*
 * `to` is the argument of -o (NULL: stdout), `extensions` are those of the outputs, separated by spaces ("":
 * each input's own). With many inputs or a directory as output, each is written to DIR/NAME with the first
 * extension, unless it already has one of the others; files that would share a name keep their own extension
 * before it. False, with a message, if that is impossible or an input would be overwritten.
 */
bool products_plan(products *plan, const options *given, const inputs *all, const char *to,
                   const char *extensions);
/* The same for one output of all inputs combined. */
bool products_plan_one(products *plan, const options *given, const inputs *all, const char *to);
void products_free(products *plan);

/* The path of the second file of an output (".bin" of a .gltf, ".mtl" of an .obj), to be freed. The second
 * function reports a second file that is an input, and returns false then. */
char *path_of_side(const char *path, const char *extension);
bool products_plan_sides(const products *plan, const options *given, const inputs *all,
                         const char *extension);

/* Builds the scene of the job's file. If the level has no name, the scene is named after the file; `name`
 * stores that name and must live as long as the scene. */
#define SCENE_NAME 256
/* --cut for the library, where 0 means that it is not given: replaces 0 by a negligible height. */
float meant_cut(const options *given, double cut);
/* Whether --max-texture and --mip, if given, are numbers of pixels and of a level; reports it if not. */
bool textures_are_meant(const options *given);
/* The level given by --mip; 0 is the image. */
size_t meant_mip(const options *given);
mst_status make_scene(job *work, const mst_scene_options *how, mst_scene **scene, char name[SCENE_NAME],
                      mst_diagnostic *why);

/* The same for a model that is to be edited and imported: mst_editing_scene. */
mst_status make_editing_scene(job *work, const mst_scene_options *how, mst_scene **scene,
                              char name[SCENE_NAME], mst_diagnostic *why);

/* Applies --only and --hide, and reports their classes that the file does not have. */
void choose_classes(const options *given, mst_scene *scene, const char *file);

/* Whether the scene has the requested layers; if not, reports the existing ones. */
bool layers_are_there(const mst_scene *scene, const mst_picture_options *how, const char *file);

/* Writes one image of the job's file to `path` or, with a directory, below it under the image's own name;
 * never over an input. */
int write_image(job *work, size_t index, const char *directory, const char *path);

#endif
