/* SPDX-License-Identifier: MIT */
/*
 * The assets that a scene is drawn with: the models that its document names as meshes, with their materials
 * and pictures, each made once.
 */
#ifndef MST_TUROK_MODELS_TUROK_STOCK_H
#define MST_TUROK_MODELS_TUROK_STOCK_H

#include "../../../scene/work.h"
#include "index.h"
#include "models.h"

/* A model as shown. */
typedef struct mst_kex_shown {
    int32_t mesh;          /* of the scene; -1: it shows nothing */
    const char *materials; /* their names, with ", " between them */
} mst_kex_shown;

typedef struct mst_kex_stock {
    mst_scene_builder *builder;
    mst_assets *assets; /* NULL: nothing is searched for */
    bool found;         /* at least one model */
    bool textures;
    uint32_t max_texture;           /* 0: any */
    int32_t placeholder;            /* the image in place of missing ones; -1: not yet added */
    mst_hash_map models;            /* index in `shown` + 1; 0: not found */
    mst_hash_map materials, images; /* index in the scene + 1; 0: invisible, or not available */
    mst_array shown;
} mst_kex_stock;

/* Looks up the files that the document names, according to the options, and sets the scene's memory limit
 * accordingly. */
void mst_kex_stock_begin(mst_kex_stock *stock, mst_scene_builder *builder, const mst_document *document,
                         const mst_scene_options *options);
void mst_kex_stock_end(mst_kex_stock *stock);

/* A file that was found; NULL: not found. */
const mst_asset *mst_kex_stock_found(const mst_kex_stock *stock, mst_asset_kind kind, const char *name);
/* The same as a document of that format; NULL: none. */
mst_document *mst_kex_stock_open(const mst_kex_stock *stock, mst_asset_kind kind, const char *name,
                                 const mst_format *format);

/* The model of an actor, in a variant and in the first pose of an animation ("": none); of a static mesh with
 * `variant` MST_KEX_STATIC only its first shape. False: it was not found. */
#define MST_KEX_STATIC UINT32_MAX
bool mst_kex_stock_model(mst_kex_stock *stock, const char *path, const char *animation, uint32_t variant,
                         mst_kex_shown *shown);
/* Whether the model was found. */
bool mst_kex_stock_has(const mst_kex_stock *stock, const char *path);
/* The model of an open document, with poses for its nodes. */
mst_kex_shown mst_kex_stock_own(mst_kex_stock *stock, const mst_document *model,
                                const mst_document *animation, uint32_t variant, const char *name,
                                const char *file);
/* The scene's material of that name; -1: nothing is drawn. */
int32_t mst_kex_stock_material(mst_kex_stock *stock, const char *name);

#endif
