/* SPDX-License-Identifier: MIT */
/* Images of a model as separate files: in a folder next to the model with its name, "a.textures". */
#ifndef CLI_PICTURES_IMAGE_FILES_H
#define CLI_PICTURES_IMAGE_FILES_H

#include <mapstone/export.h>

typedef struct image_files {
    char *directory; /* the path of the folder, with a slash at the end */
    mst_gltf_images images;
} image_files;

/* Begins for the model that is written to `path`. */
void image_files_begin(image_files *files, const char *path);
void image_files_end(image_files *files);

#endif
