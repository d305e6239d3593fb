/* SPDX-License-Identifier: MIT */
/*
 * The assets that a scene is drawn with: materials with their textures, and the meshes of models, each made
 * once, from the files that the scene's documents name.
 */
#ifndef MST_SPARK_SPARK_STOCK_H
#define MST_SPARK_SPARK_STOCK_H

#include "../../files/named_files.h"
#include "../../scene/work.h"

typedef struct mst_spark_stock {
    mst_scene_builder *builder;
    mst_assets *assets;  /* NULL: nothing is searched for */
    int32_t *made;       /* per asset: index + 1 of the scene's material or mesh; -1: it cannot be shown */
    int32_t placeholder; /* the image in place of missing textures; -1: not yet added */
    bool textures;
    bool dressed;         /* some of them were found */
    bool packed;          /* images may stay compressed */
    bool specular;        /* also loads specular maps */
    uint32_t max_texture; /* 0: any */
    mst_array images;     /* the sources of the images that were added */
} mst_spark_stock;

/* Looks up the files that the document names, according to the options, and sets the scene's memory limit
 * accordingly. */
void mst_spark_stock_begin(mst_spark_stock *stock, mst_scene_builder *builder, const mst_document *document,
                           const mst_scene_options *options);
void mst_spark_stock_end(mst_spark_stock *stock);

/* The scene's material for a material's path, "": none. `name` becomes its name; without its file it is a
 * placeholder with its own colour. Both texts must live as long as the scene. */
int32_t mst_spark_stock_material(mst_spark_stock *stock, const char *path, const char *name);
/* The scene's material for a material document. */
int32_t mst_spark_stock_own_material(mst_spark_stock *stock, const mst_document *document, const char *name);

/* The named asset; NULL: none. `made` receives its place in stock->made. */
const mst_asset *mst_spark_stock_named(const mst_spark_stock *stock, mst_asset_kind kind, const char *name,
                                       int32_t **made);
/* The scene's mesh for the path of a model (spark_model_scene.c); -1: it was not found, or shows nothing. */
int32_t mst_spark_model_mesh(mst_spark_stock *stock, const char *path);

#endif
