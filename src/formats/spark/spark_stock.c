/* SPDX-License-Identifier: MIT */
#include "spark_stock.h"
#include "../../codec/halve.h"
#include "../../read/opened.h"
#include "../../scene/geometry.h"
#include "../../scene/packed.h"
#include "dds.h"
#include "look.h"
#include <string.h>

#define GLASS_ALPHA 0.3F

/* Colours in place of textures: their saturation is reduced by these factors. */
#define PALE_SHARE  0.45F /* alone */
#define MUTED_SHARE 0.33F /* next to textures, */
#define MUTED_LIGHT 0.42F /* and then with this brightness */

/* A gloss of 1 is still not a mirror; without a map, the gloss corresponds to a roughness of 0.8. */
#define GLOSS_SHARE  0.7F
#define GLOSS_USUAL  (0.2F / GLOSS_SHARE)
#define GLOSS_BLOCKS 32u /* of four rows, sampled evenly */

/* The image to make of a texture. */
typedef enum texture_use {
    USE_COLOR,  /* opaque */
    USE_ALPHA,  /* with the texture's own alpha */
    USE_MASKED, /* with the red channel of another texture as alpha */
    USE_NORMAL  /* green inverted: glTF's points up, the game's down the texture */
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
                               .packed = options->packed_images != 0,
                               .specular = options->specular != 0,
                               .max_texture = options->max_texture,
                               .images = mst_scene_array(builder, sizeof(made_image))};
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
        stock->dressed = stock->dressed ||
                         (stock->textures && one->kind == MST_ASSET_TEXTURE && one->state == MST_ASSET_FOUND);
    }
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

/* The asset, if it was found. */
static const mst_asset *found(const mst_spark_stock *stock, mst_asset_kind kind, const char *name) {
    const mst_asset *one = mst_spark_stock_named(stock, kind, name, NULL);
    return one && one->state == MST_ASSET_FOUND ? one : NULL;
}

/* ---- images --------------------------------------------------------------------------------------- */

/* A level of a texture. */
typedef struct texture_level {
    mst_packed_image image;
    mst_dds_header header; /* its sides are the level's */
    const uint8_t *data;
    texture_use use;
} texture_level;

/* The largest level that fits; false: it is not a texture. */
static bool find_level(const mst_spark_stock *stock, const mst_asset *texture, texture_level *level) {
    mst_dds_header *header = &level->header;
    const uint8_t *bytes = texture->bytes;
    if (mst_dds_read_header(bytes, texture->size, header, NULL) != MST_OK)
        return false;
    uint64_t at = header->size;
    uint32_t number = 0, most = stock->max_texture ? stock->max_texture : UINT32_MAX;
    while (number + 1 < header->levels &&
           (mst_dds_side(header->width, number) > most || mst_dds_side(header->height, number) > most))
        at += mst_dds_level_size(header, number++);
    header->width = mst_dds_side(header->width, number);
    header->height = mst_dds_side(header->height, number);
    uint64_t size = mst_dds_level_size(header, 0);
    level->data = bytes + at;
    return at <= texture->size && size <= texture->size - at;
}

static void adapt(texture_use use, uint64_t count, uint8_t *pixels) {
    for (uint64_t i = 0; i < count && use != USE_ALPHA; i++) {
        pixels[4 * i + 3] = 255;
        if (use == USE_NORMAL)
            pixels[4 * i + 1] = (uint8_t)(255 - pixels[4 * i + 1]);
    }
}

static void unpack(const mst_packed_image *image, uint32_t first, uint32_t count, uint8_t *rgba) {
    const texture_level *level = (const texture_level *)(const void *)image;
    mst_dds_header rows = level->header;
    rows.height = first;
    const uint8_t *data = level->data + (first ? mst_dds_level_size(&rows, 0) : 0);
    rows.height = count;
    mst_dds_decode(&rows, data, rgba);
    adapt(level->use, (uint64_t)count * rows.width, rgba);
}

/* The pixels of a level in `arena`, halved until it fits: the texture may have no smaller ones. */
static uint8_t *decode(mst_spark_stock *stock, const texture_level *level, mst_arena *arena,
                       mst_pixels *image) {
    uint32_t width = level->header.width, height = level->header.height,
             most = stock->max_texture ? stock->max_texture : UINT32_MAX;
    bool fits = width <= most && height <= most;
    uint8_t *pixels = mst_arena_take(fits ? arena : &stock->builder->scratch, (size_t)width * height, 4);
    if (pixels)
        unpack(&level->image, 0, height, pixels);
    while (pixels && !fits) {
        uint32_t across = mst_half(width), down = mst_half(height);
        fits = across <= most && down <= most;
        uint8_t *half = mst_arena_take(fits ? arena : &stock->builder->scratch, (size_t)across * down, 4);
        if (half)
            mst_halve(pixels, width, height, half);
        pixels = half;
        width = across;
        height = down;
    }
    if (!pixels)
        mst_scene_fail(stock->builder);
    *image = (mst_pixels){.width = width, .height = height, .data = pixels};
    return pixels;
}

/* The red of a mask becomes alpha; both may differ in size. */
static void put_mask(mst_spark_stock *stock, const mst_asset *mask, const mst_pixels *image) {
    texture_level level = {.use = USE_COLOR};
    mst_pixels red;
    if (!find_level(stock, mask, &level) || !decode(stock, &level, &stock->builder->scratch, &red))
        return;
    for (uint32_t y = 0; y < image->height; y++)
        for (uint32_t x = 0; x < image->width; x++) {
            uint64_t column = (uint64_t)x * red.width / image->width,
                     row = (uint64_t)y * red.height / image->height;
            image->data[4 * ((size_t)y * image->width + x) + 3] =
                red.data[4 * (size_t)(row * red.width + column)];
        }
}

/* Keeps a level as stored, or decodes it; false: no memory. */
static bool take_level(mst_spark_stock *stock, const texture_level *level, const mst_asset *mask,
                       mst_image *image) {
    mst_scene_builder *builder = stock->builder;
    uint32_t most = stock->max_texture ? stock->max_texture : UINT32_MAX;
    bool solid = level->use == USE_COLOR || level->use == USE_NORMAL; /* no colours bleed into it */
    if (stock->packed && solid && level->header.width <= most && level->header.height <= most) {
        texture_level *kept = mst_scene_copy(builder, level, 1, sizeof *kept);
        image->pixels = (mst_pixels){.width = level->header.width, .height = level->header.height};
        image->packed = kept ? &kept->image : NULL;
        return kept != NULL;
    }
    if (!decode(stock, level, &builder->arena, &image->pixels))
        return false;
    if (mask)
        put_mask(stock, mask, &image->pixels);
    return true;
}

/* The scene's image of a texture; -1: none. */
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
    texture_level level = {.image.unpack = unpack, .use = one.use};
    if (find_level(stock, one.texture, &level) && take_level(stock, &level, one.mask, &image)) {
        image.name = mst_scene_text(stock->builder, one.texture->name, strlen(one.texture->name));
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

/* The mean alpha of a map of highlights, 0..1; the usual value if all of it is opaque. */
static float gloss_of(mst_spark_stock *stock, const char *name) {
    const mst_asset *texture = found(stock, MST_ASSET_TEXTURE, name);
    texture_level level = {.use = USE_ALPHA};
    if (!texture || !find_level(stock, texture, &level) || level.header.kind == MST_DXT1 ||
        level.header.kind == MST_DDS_BGR8)
        return GLOSS_USUAL;
    const uint32_t width = level.header.width, height = level.header.height,
                   blocks = (height + MST_PACKED_ROWS - 1) / MST_PACKED_ROWS,
                   step = blocks / GLOSS_BLOCKS + 1;
    mst_arena arena;
    mst_arena_begin(&arena, &stock->builder->arena.allocator, 0);
    uint8_t *rows = mst_arena_take(&arena, width, 4 * MST_PACKED_ROWS);
    uint64_t sum = 0, count = 0;
    for (uint32_t block = 0; rows && block < blocks; block += step) {
        uint32_t first = block * MST_PACKED_ROWS,
                 taken = height - first < MST_PACKED_ROWS ? height - first : MST_PACKED_ROWS;
        unpack(&level.image, first, taken, rows);
        for (uint64_t i = 0; i < (uint64_t)taken * width; i++)
            sum += rows[4 * i + 3];
        count += (uint64_t)taken * width;
    }
    if (!rows)
        mst_scene_fail(stock->builder);
    mst_arena_end(&arena);
    return sum < 255 * count ? (float)((double)sum / (255.0 * (double)count)) : GLOSS_USUAL;
}

/* Applies the contents of the files; false: they show nothing. */
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
    if (stock->specular)
        material->specular_texture = (uint32_t)(image_of(stock, look.specular, USE_COLOR, NULL) + 1);
    material->roughness = 1 - GLOSS_SHARE * gloss_of(stock, look.specular);
    material->double_sided = look.double_sided;
    return true;
}

/* Walls and floors in the full colours of their names are too glaring, and symbols do not show on them: pale,
 * they still differ. Next to textures they would dominate the picture: they get about the textures'
 * brightness. */
static void mute(float color[4], bool textures) {
    float mean = 0, seen[3];
    for (int i = 0; i < 3; i++) {
        seen[i] = mst_srgb_of_linear(color[i]);
        mean += seen[i] / 3;
    }
    for (int i = 0; i < 3; i++)
        color[i] = mst_linear_of_srgb(textures ? MUTED_LIGHT + (seen[i] - mean) * MUTED_SHARE
                                               : mean + (seen[i] - mean) * PALE_SHARE);
}

/* Materials of one directory are made for places of one style. */
static void color_of_path(const char *path, float color[4]) {
    char family[128] = "";
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length < sizeof family)
        memcpy(family, path, length);
    mst_color_of_family(family, path, color);
}

/* Adds a material with that content. */
static int32_t add_material(mst_spark_stock *stock, const void *bytes, size_t size, const char *path,
                            const char *name) {
    mst_scene_builder *builder = stock->builder;
    mst_material material = {.name = name};
    if (!bytes || !dress(stock, bytes, size, &material)) {
        if (stock->placeholder < 0)
            stock->placeholder = mst_scene_add_placeholder(builder);
        material.image = stock->placeholder;
        color_of_path(*path ? path : name, material.color);
        mute(material.color, stock->dressed);
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
