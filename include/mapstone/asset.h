/* SPDX-License-Identifier: MIT */
/*
 * Assets: the files that a level names, and files that these name in turn: models, materials, textures,
 * pictures.
 *
 *     mst_assets *assets;
 *     if (mst_level_assets(level, &assets, &why) == MST_OK)
 *         for (size_t i = 0; i < assets->count; i++)
 *             if (assets->items[i].state == MST_ASSET_MISSING)
 *                 puts(assets->items[i].name);
 *     mst_assets_free(assets);
 */
#ifndef MAPSTONE_ASSET_H
#define MAPSTONE_ASSET_H

#include "document.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mst_asset_kind {
    MST_ASSET_MODEL = 0,
    MST_ASSET_MATERIAL,
    MST_ASSET_TEXTURE,
    MST_ASSET_SHADER,
    MST_ASSET_ANIMATION,
    MST_ASSET_PICTURE, /* an object's appearance in games that are drawn with pictures */
    MST_ASSET_TABLE    /* assigns pictures to objects, among other data: class.def */
} mst_asset_kind;

typedef enum mst_asset_state {
    MST_ASSET_FOUND = 0,
    MST_ASSET_MISSING,   /* also a name without the extension of its kind, which is not looked for */
    MST_ASSET_OUTSIDE,   /* the name leads out of the game's root, or to a hidden file: it is never looked for
                          */
    MST_ASSET_UNREADABLE /* it was found, but cannot be read, or is damaged */
} mst_asset_state;

typedef struct mst_asset {
    mst_asset_kind kind;
    mst_asset_state state;
    const char *name; /* as first spelled, with '/' between directories */
    uint64_t uses;    /* the number of times it is named */
    /* The value that names it first: its path in the document with this index, or if `by` is not
     * MST_NO_ASSET, in that asset. */
    const char *path;
    size_t document;
    size_t by;
    /* The file found: `name`, or the texture next to the picture that it was made from (.png). */
    const char *file;
    /* Its bytes, as long as the resolver is valid; NULL unless it was found. */
    const void *bytes;
    size_t size;
} mst_asset;
#define MST_NO_ASSET SIZE_MAX

/* Assets that documents name are first, in the order of the file. */
typedef struct mst_assets {
    const mst_asset *items;
    size_t count;
} mst_assets;

/* "model", "material", "texture", "shader", "animation", "picture", "table" */
MST_API const char *mst_asset_kind_name(mst_asset_kind kind);

/* NULL is allowed. */
MST_API void mst_assets_free(mst_assets *assets);

#ifdef __cplusplus
}
#endif
#endif
