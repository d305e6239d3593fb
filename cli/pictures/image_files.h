/* SPDX-License-Identifier: MIT */
/* Images of a model in files of their own: in a folder beside it that is called like it, "a.textures". */
#ifndef CLI_PICTURES_IMAGE_FILES_H
#define CLI_PICTURES_IMAGE_FILES_H

#include <mapstone/export.h>

typedef struct image_files {
    char *directory; /* the path of the folder, with a slash at the end */
    mst_gltf_images images;
} image_files;

/* For the model that is written to `path`. */
void image_files_begin(image_files *files, const char *path);
void image_files_end(image_files *files);

#endif
