/* SPDX-License-Identifier: MIT */
/* Pictures of scenes as files, with files next to them that list the symbols. */
#ifndef CLI_PICTURES_PICTURE_FILES_H
#define CLI_PICTURES_PICTURE_FILES_H

#include "../inputs/inputs.h"
#include <mapstone/picture.h>

/* Whether --marks, if given, names a file that is not an input; reports it if not. */
bool marks_are_meant(const options *given, const inputs *all);

/* Whether the name of a picture requests a drawing, SVG. */
bool names_svg(const char *path);

/* Writes a picture and, unless `marks` is NULL, that file as JSON: both or none. `file` is for messages.
 * Returns an exit code. */
int write_picture(const mst_scene *scene, const mst_picture_options *how, const char *file, const char *path,
                  const char *marks);

#endif
