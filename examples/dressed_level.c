/* SPDX-License-Identifier: MIT */
/* Loads a level with the models and textures of its game: lists missing files, and the first colour of each
 * material. dressed_level LEVEL [GAME] */
#include <mapstone/mapstone.h>
#include <stdio.h>
#include <stdlib.h>

static void list_missing(const mst_assets *assets) {
    for (size_t i = 0; i < assets->count; i++)
        if (assets->items[i].state != MST_ASSET_FOUND)
            printf("missing  %-8s %s\n", mst_asset_kind_name(assets->items[i].kind), assets->items[i].name);
}

/* The upper left texel of each material's texture; a renderer would use all texels. */
static void list_materials(const mst_scene *scene) {
    for (size_t i = 0; i < scene->material_count; i++) {
        const mst_material *material = &scene->materials[i];
        if (material->image < 0) {
            printf("material %s: no texture\n", material->name);
            continue;
        }
        const mst_pixels *pixels = &scene->images[material->image].pixels;
        const unsigned char *first = pixels->data;
        printf("material %s: %u x %u, #%02x%02x%02x\n", material->name, (unsigned)pixels->width,
               (unsigned)pixels->height, first[0], first[1], first[2]);
    }
}

int main(int argc, char **argv) {
    const char *const roots[] = {argc > 2 ? argv[2] : ""};
    const mst_level_options how = {.size = sizeof how, .search_paths = roots, .search_path_count = argc > 2};
    mst_level *level = NULL;
    mst_assets *assets = NULL;
    mst_scene *scene = NULL;
    mst_diagnostic why = {0};
    int code = EXIT_FAILURE;
    if (mst_level_open(argc > 1 ? argv[1] : "-", &how, &level, &why) == MST_OK &&
        mst_level_assets(level, &assets, &why) == MST_OK &&
        mst_level_scene(level, NULL, &scene, &why) == MST_OK) {
        list_missing(assets);
        list_materials(scene);
        code = EXIT_SUCCESS;
    } else {
        fprintf(stderr, "dressed_level: %s\n", why.message);
    }
    mst_scene_free(scene);
    mst_assets_free(assets);
    mst_level_close(level);
    return code;
}
