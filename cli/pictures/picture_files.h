/* SPDX-License-Identifier: MIT */
/* Pictures of scenes as files, and beside them what symbols they have. */
#ifndef CLI_PICTURES_PICTURE_FILES_H
#define CLI_PICTURES_PICTURE_FILES_H

#include "../inputs/inputs.h"
#include <mapstone/picture.h>

/* Whether --marks, if it is given, names a file that is no input; else says so. */
bool marks_are_meant(const options *given, const inputs *all);

/* Whether a picture of that name is a drawing, SVG. */
bool names_svg(const char *path);

/* Writes a picture, and if `marks` is not NULL that file, as JSON: both or none. `file` is for messages.
 * Returns an exit code. */
int write_picture(const mst_scene *scene, const mst_picture_options *how, const char *file, const char *path,
                  const char *marks);

#endif
