/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "image_files.h"
#include "../inputs/paths.h"
#include "../output/streams.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mst_status write_one(void *user, const char *name, const void *data, size_t size) {
    const image_files *files = user;
    char *path;
    if (asprintf(&path, "%s%s", files->directory, name) < 0)
        need(NULL);
    target out;
    bool written = make_parents(path) && target_begin(&out, path);
    if (written) {
        mst_sink sink = target_sink(&out);
        written = sink.write(sink.user, data, size) == MST_OK;
        written = written ? target_finish(&out) : (target_abandon(&out), false);
    }
    free(path);
    return written ? MST_OK : MST_IO;
}

void image_files_begin(image_files *files, const char *path) {
    size_t stem = strlen(path) - strlen(extension_of(path));
    if (asprintf(&files->directory, "%.*s.textures/", (int)stem, path) < 0)
        need(NULL);
    files->images = (mst_gltf_images){files->directory + (base_name(path) - path), write_one, files};
}

void image_files_end(image_files *files) {
    free(files->directory);
}
