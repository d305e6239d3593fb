/* SPDX-License-Identifier: MIT */
#include "turok_stock.h"
#include "../../../read/opened.h"
#include "../../../scene/geometry.h"
#include "material_items.h"
#include "model_names.h"
#include "turok_picture.h"
#include <string.h>

#define GREY            0.21F /* linear, for materials that are not known */
#define BYTES_OF_PIXELS 8     /* added to the memory limit (64 times `size`) per pixel */

/* ---- begin and end -------------------------------------------------------------------------------- */

void mst_kex_stock_begin(mst_kex_stock *stock, mst_scene_builder *builder, const mst_document *document,
                         const mst_scene_options *options) {
    *stock = (mst_kex_stock){.builder = builder,
                             .textures = !options->no_textures,
                             .max_texture = options->max_texture,
                             .placeholder = -1,
                             .shown = mst_scene_array(builder, sizeof(mst_kex_shown))};
    if (!options->sidecars || options->no_assets || !mst_scene_ok(builder))
        return;
    if (mst_assets_of(&document, 1, options->sidecars, &stock->assets, NULL) != MST_OK) {
        mst_scene_fail(builder);
        return;
    }
    uint64_t size = document->size;
    for (size_t i = 0; i < stock->assets->count; i++) {
        const mst_asset *one = &stock->assets->items[i];
        size += one->size;
        stock->found = stock->found || (one->kind == MST_ASSET_MODEL && one->state == MST_ASSET_FOUND);
        if (one->kind == MST_ASSET_TEXTURE && one->state == MST_ASSET_FOUND)
            size += mst_kex_picture_pixels(one->bytes, one->size) / BYTES_OF_PIXELS;
    }
    mst_scene_limit(builder, options, size);
}

void mst_kex_stock_end(mst_kex_stock *stock) {
    mst_array_free(&stock->shown);
    mst_assets_free(stock->assets);
    stock->assets = NULL;
}

const mst_asset *mst_kex_stock_found(const mst_kex_stock *stock, mst_asset_kind kind, const char *name) {
    char plain[MST_ASSET_NAME];
    bool inside = stock->assets && mst_asset_name(name, strlen(name), plain);
    const mst_asset *one = inside ? mst_asset_called(stock->assets, kind, plain) : NULL;
    return one && one->state == MST_ASSET_FOUND ? one : NULL;
}

mst_document *mst_kex_stock_open(const mst_kex_stock *stock, mst_asset_kind kind, const char *name,
                                 const mst_format *format) {
    const mst_asset *file = mst_kex_stock_found(stock, kind, name);
    mst_document *document;
    if (!file)
        return NULL;
    const mst_open_options how = {.size = sizeof how,
                                  .allocator = stock->builder->arena.allocator,
                                  .name = file->name,
                                  .format = format->information.id};
    mst_status status = mst_open_memory(file->bytes, file->size, &how, &document, NULL);
    if (status == MST_NO_MEMORY)
        mst_scene_fail(stock->builder);
    return status == MST_OK ? document : NULL;
}

/* ---- images --------------------------------------------------------------------------------------- */

static int32_t read_image(mst_kex_stock *stock, const mst_asset *file) {
    mst_scene_builder *builder = stock->builder;
    mst_image image = {.name = mst_scene_text(builder, file->name, strlen(file->name))};
    mst_status status =
        mst_kex_picture_read(file->bytes, file->size, stock->max_texture, &builder->arena, &image.pixels);
    if (status == MST_NO_MEMORY)
        mst_scene_fail(builder);
    return status == MST_OK ? mst_scene_add_image(builder, &image) : -1;
}

/* The scene's image of a picture; -1: none. */
static int32_t image_of(mst_kex_stock *stock, const char *name) {
    const mst_asset *file = mst_kex_stock_found(stock, MST_ASSET_TEXTURE, name);
    bool fresh;
    if (!file)
        return -1;
    uint32_t *number = mst_kex_number_of(&stock->images, stock->builder, file->name, &fresh);
    if (number && fresh)
        *number = (uint32_t)(read_image(stock, file) + 1);
    return number ? (int32_t)*number - 1 : -1;
}

/* ---- materials ------------------------------------------------------------------------------------ */

static void set_color(mst_material *material, float red, float green, float blue) {
    material->color[0] = red;
    material->color[1] = green;
    material->color[2] = blue;
    material->color[3] = 1;
}

/* Sets the picture's colours; a missing picture is shown as a grid. */
static void set_picture(mst_kex_stock *stock, const char *picture, mst_material *material) {
    if (strcmp(picture, "_black") == 0)
        set_color(material, 0, 0, 0);
    if (!stock->textures || !*picture || (picture[0] == '_' && strcmp(picture, "_default") != 0))
        return;
    material->image = image_of(stock, picture);
    if (material->image < 0) {
        if (stock->placeholder < 0)
            stock->placeholder = mst_scene_add_placeholder(stock->builder);
        material->image = stock->placeholder;
    }
}

static void dress(mst_kex_stock *stock, const mst_kex_look *look, mst_material *material) {
    for (unsigned k = 0; k < 3; k++)
        material->color[k] = mst_linear_of_srgb(look->color[k]);
    material->color[3] = look->color[3];
    set_picture(stock, look->picture, material);
    material->wrap_s = material->wrap_t = look->wrap;
    material->nearest = look->nearest;
    material->alpha_mode = look->alpha == MST_KEX_MASKED    ? MST_ALPHA_MASK
                           : look->alpha == MST_KEX_BLENDED ? MST_ALPHA_BLEND
                                                            : MST_ALPHA_OPAQUE;
    material->alpha_cutoff = look->cutoff;
    material->double_sided = !look->one_sided;
    material->unlit = look->unlit;
}

/* Adds the material; -1: nothing is drawn with it. */
static int32_t add_material(mst_kex_stock *stock, const char *name) {
    mst_material material = {
        .name = mst_scene_text(stock->builder, name, strlen(name)), .image = -1, .double_sided = 1};
    char file[MST_ASSET_NAME];
    const char *last;
    mst_document *document = NULL;
    set_color(&material, GREY, GREY, GREY);
    if (mst_kex_split_material(name, strlen(name), file, &last))
        document = mst_kex_stock_open(stock, MST_ASSET_MATERIAL, file, &mst_format_turok_material);
    mst_kex_look *look = document ? mst_scene_scratch(stock->builder, 1, sizeof *look) : NULL;
    bool known = look && mst_kex_find_look(document, last, strlen(last), look);
    mst_close(document);
    if (known && look->hidden)
        return -1;
    if (known)
        dress(stock, look, &material);
    return mst_scene_add_material(stock->builder, &material);
}

int32_t mst_kex_stock_material(mst_kex_stock *stock, const char *name) {
    bool fresh;
    uint32_t *number = mst_kex_number_of(&stock->materials, stock->builder, name, &fresh);
    if (number && fresh)
        *number = (uint32_t)(add_material(stock, name) + 1);
    return number ? (int32_t)*number - 1 : -1;
}

bool mst_kex_stock_has(const mst_kex_stock *stock, const char *path) {
    return mst_kex_stock_found(stock, MST_ASSET_MODEL, path) != NULL;
}
