/* SPDX-License-Identifier: MIT */
#include "stock.h"
#include "../../codec/halve.h"
#include "../../scene/geometry.h"
#include "dds.h"
#include "look.h"
#include <string.h>

#define GLASS_ALPHA 0.3F

/* What is made of a texture. */
typedef enum texture_use {
    USE_COLOR,  /* opaque */
    USE_ALPHA,  /* with its alpha */
    USE_MASKED, /* with the red of another one as alpha */
    USE_NORMAL  /* green turned round: glTF's points up, the game's down the texture */
} texture_use;

typedef struct made_image {
    const mst_asset *texture, *mask;
    texture_use use;
    int32_t image;
} made_image;

/* ---- begin and end -------------------------------------------------------------------------------- */

void mst_spark_stock_begin(mst_spark_stock *stock, mst_scene_builder *builder, const mst_document *document,
                           const mst_scene_options *options) {
    *stock = (mst_spark_stock){.builder = builder,
                               .placeholder = -1,
                               .textures = !options->no_textures,
                               .max_texture = options->max_texture,
                               .images = mst_scene_array(builder, sizeof(made_image))};
    if (!options->sidecars || options->no_assets || !mst_scene_ok(builder))
        return;
    if (mst_assets_of(&document, 1, options->sidecars, &stock->assets, NULL) != MST_OK) {
        mst_scene_fail(builder);
        return;
    }
    uint64_t size = document->size;
    for (size_t i = 0; i < stock->assets->count; i++)
        size += stock->assets->items[i].size;
    mst_scene_limit(builder, options, size);
    stock->made = mst_scene_scratch(builder, stock->assets->count, sizeof *stock->made);
}

void mst_spark_stock_end(mst_spark_stock *stock) {
    mst_array_free(&stock->images);
    mst_assets_free(stock->assets);
    stock->assets = NULL;
}

const mst_asset *mst_spark_stock_named(const mst_spark_stock *stock, mst_asset_kind kind, const char *name,
                                       int32_t **made) {
    char plain[MST_ASSET_NAME];
    bool inside = stock->assets && stock->made && mst_asset_name(name, strlen(name), plain);
    const mst_asset *one = inside ? mst_asset_called(stock->assets, kind, plain) : NULL;
    if (one && made)
        *made = &stock->made[one - stock->assets->items];
    return one;
}

/* The same if it was found. */
static const mst_asset *found(const mst_spark_stock *stock, mst_asset_kind kind, const char *name) {
    const mst_asset *one = mst_spark_stock_named(stock, kind, name, NULL);
    return one && one->state == MST_ASSET_FOUND ? one : NULL;
}

/* ---- images --------------------------------------------------------------------------------------- */

/* Decodes the largest level that fits. `width` and `height` receive its sides; NULL: it is no texture. */
static uint8_t *decode(mst_spark_stock *stock, const mst_asset *texture, mst_arena *arena, uint32_t *width,
                       uint32_t *height) {
    mst_dds_header header;
    const uint8_t *bytes = texture->bytes;
    if (mst_dds_read_header(bytes, texture->size, &header, NULL) != MST_OK)
        return NULL;
    uint64_t at = MST_DDS_HEADER;
    uint32_t level = 0, most = stock->max_texture ? stock->max_texture : UINT32_MAX;
    while (level + 1 < header.levels &&
           (mst_dds_side(header.width, level) > most || mst_dds_side(header.height, level) > most))
        at += mst_dds_level_size(&header, level++);
    *width = mst_dds_side(header.width, level);
    *height = mst_dds_side(header.height, level);
    uint64_t size = mst_dds_level_size(&header, level);
    if (at > texture->size || size > texture->size - at)
        return NULL;
    uint8_t *pixels = mst_arena_take(arena, (size_t)*width * *height, 4);
    if (!pixels) {
        mst_scene_fail(stock->builder);
        return NULL;
    }
    header.width = *width;
    header.height = *height;
    mst_dds_decode(&header, bytes + at, pixels);
    while (*width > most || *height > most) { /* without smaller levels */
        uint8_t *half = mst_arena_take(arena, (size_t)mst_half(*width) * mst_half(*height), 4);
        if (!half) {
            mst_scene_fail(stock->builder);
            return NULL;
        }
        mst_halve(pixels, *width, *height, half);
        pixels = half;
        *width = mst_half(*width);
        *height = mst_half(*height);
    }
    return pixels;
}

/* The red of a mask becomes alpha; both may differ in size. */
static void put_mask(mst_spark_stock *stock, const mst_asset *mask, uint8_t *pixels, uint32_t width,
                     uint32_t height) {
    uint32_t across, down;
    const uint8_t *red = decode(stock, mask, &stock->builder->scratch, &across, &down);
    for (uint32_t y = 0; red && y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            uint64_t column = (uint64_t)x * across / width, row = (uint64_t)y * down / height;
            pixels[4 * ((size_t)y * width + x) + 3] = red[4 * (size_t)(row * across + column)];
        }
}

static void adapt(mst_spark_stock *stock, const made_image *one, uint8_t *pixels, uint32_t width,
                  uint32_t height) {
    size_t count = (size_t)width * height;
    for (size_t i = 0; i < count && one->use != USE_ALPHA; i++) {
        pixels[4 * i + 3] = 255;
        if (one->use == USE_NORMAL)
            pixels[4 * i + 1] = (uint8_t)(255 - pixels[4 * i + 1]);
    }
    if (one->use == USE_MASKED)
        put_mask(stock, one->mask, pixels, width, height);
}

/* The scene's image of a texture; -1: there is none. */
static int32_t image_of(mst_spark_stock *stock, const char *name, texture_use use, const char *mask) {
    made_image one = {.texture = found(stock, MST_ASSET_TEXTURE, name), .use = use, .image = -1};
    if (!one.texture || !stock->textures)
        return -1;
    if (use == USE_MASKED && !(one.mask = found(stock, MST_ASSET_TEXTURE, mask)))
        one.use = USE_ALPHA;
    const made_image *all = stock->images.items;
    for (size_t i = 0; i < stock->images.count; i++)
        if (all[i].texture == one.texture && all[i].mask == one.mask && all[i].use == one.use)
            return all[i].image;
    mst_image image = {.name = ""};
    uint8_t *pixels =
        decode(stock, one.texture, &stock->builder->arena, &image.pixels.width, &image.pixels.height);
    if (pixels) {
        adapt(stock, &one, pixels, image.pixels.width, image.pixels.height);
        image.name = mst_scene_text(stock->builder, one.texture->name, strlen(one.texture->name));
        image.pixels.data = pixels;
        one.image = mst_scene_add_image(stock->builder, &image);
    }
    made_image *added = mst_scene_push(stock->builder, &stock->images, 1);
    if (added)
        *added = one;
    return one.image;
}

/* ---- materials ------------------------------------------------------------------------------------ */

static void set_white(mst_material *material) {
    for (unsigned k = 0; k < 4; k++)
        material->color[k] = 1;
}

static void set_alpha(const mst_spark_look *look, mst_material *material) {
    switch (look->alpha) {
    case MST_SPARK_HOLES:
        material->alpha_mode = MST_ALPHA_MASK;
        material->alpha_cutoff = 0.5F;
        break;
    case MST_SPARK_GLASS:
        material->color[3] = GLASS_ALPHA;
        for (unsigned k = 0; k < 3 && look->tinted; k++)
            material->color[k] = look->tint[k];
        material->alpha_mode = MST_ALPHA_BLEND;
        break;
    case MST_SPARK_MIXED: material->alpha_mode = MST_ALPHA_BLEND; break;
    default: break;
    }
}

/* Fills in what the files say; false: there is nothing to see by them. */
static bool dress(mst_spark_stock *stock, const void *bytes, size_t size, mst_material *material) {
    mst_spark_look look;
    mst_spark_look_read(&look, bytes, size);
    const mst_asset *shader = found(stock, MST_ASSET_SHADER, look.shader);
    mst_spark_look_judge(&look, shader ? shader->bytes : NULL, shader ? shader->size : 0);
    if (look.alpha == MST_SPARK_GLOWING) {
        int32_t image = image_of(stock, look.emissive, USE_ALPHA, NULL);
        if (image < 0)
            return false;
        set_white(material);
        material->color[0] = material->color[1] = material->color[2] = 0;
        material->image = image;
        material->emissive_texture = (uint32_t)image + 1;
        material->alpha_mode = MST_ALPHA_BLEND;
        return true;
    }
    bool open = look.alpha == MST_SPARK_HOLES || look.alpha == MST_SPARK_MIXED;
    texture_use use = !open             ? USE_COLOR
                      : look.opacity[0] ? USE_MASKED
                      : look.own_alpha  ? USE_ALPHA
                                        : USE_COLOR;
    int32_t image = image_of(stock, look.albedo, use, look.opacity);
    if (image < 0 && !(look.alpha == MST_SPARK_GLASS && look.tinted))
        return false;
    set_white(material);
    material->image = image;
    set_alpha(&look, material);
    material->normal_texture = (uint32_t)(image_of(stock, look.normal, USE_NORMAL, NULL) + 1);
    material->emissive_texture = (uint32_t)(image_of(stock, look.emissive, USE_COLOR, NULL) + 1);
    material->double_sided = look.double_sided;
    return true;
}

/* A material of that content; NULL: there is none. */
static int32_t add_material(mst_spark_stock *stock, const void *bytes, size_t size, const char *path,
                            const char *name) {
    mst_scene_builder *builder = stock->builder;
    mst_material material = {.name = name};
    if (!bytes || !dress(stock, bytes, size, &material)) {
        if (stock->placeholder < 0)
            stock->placeholder = mst_scene_add_placeholder(builder);
        material.image = stock->placeholder;
        mst_color_of_name(*path ? path : name, material.color);
    }
    if (*path) {
        mst_extras_builder extras;
        mst_extras_begin(&extras, builder);
        mst_extras_string(&extras, "path", path);
        material.extras = mst_extras_end(&extras);
    }
    return mst_scene_add_material(builder, &material);
}

int32_t mst_spark_stock_material(mst_spark_stock *stock, const char *path, const char *name) {
    int32_t own = 0, *made = &own;
    const mst_asset *file = mst_spark_stock_named(stock, MST_ASSET_MATERIAL, path, &made);
    if (*made <= 0)
        *made = add_material(stock, file ? file->bytes : NULL, file ? file->size : 0, path, name) + 1;
    return *made - 1;
}

int32_t mst_spark_stock_own_material(mst_spark_stock *stock, const mst_document *document, const char *name) {
    size_t size;
    const void *bytes = mst_document_file(document, 0, NULL, &size);
    return add_material(stock, bytes, size, "", name);
}
