/* SPDX-License-Identifier: MIT */
#include "alien_stock.h"
#include "../../read/opened.h"
#include "../present.h"
#include "graphics/alien_sprites.h"
#include "stock_files.h"
#include <stdio.h>
#include <string.h>

enum { UNKNOWN = -2 }; /* not made yet */

/* ---- begin and end -------------------------------------------------------------------------------- */

static mst_document *open_found(const mst_alien_stock *stock, const char *name, const char *format,
                                const void *bytes, size_t size) {
    const mst_open_options how = {
        .size = sizeof how, .format = format, .name = name, .allocator = stock->builder->arena.allocator};
    mst_document *document = NULL;
    if (mst_open_memory(bytes, size, &how, &document, NULL) == MST_NO_MEMORY)
        mst_scene_fail(stock->builder);
    return document;
}

/* The bytes of all files that the level names, for the limit of memory. */
static uint64_t size_of_files(const mst_alien_stock *stock, const mst_document *level) {
    mst_assets *assets;
    uint64_t size = 0;
    if (mst_assets_of(&level, 1, stock->sidecars, &assets, NULL) != MST_OK) {
        mst_scene_fail(stock->builder);
        return 0;
    }
    for (size_t i = 0; i < assets->count; i++)
        size += assets->items[i].size;
    mst_assets_free(assets);
    return size;
}

void mst_alien_stock_begin(mst_alien_stock *stock, mst_scene_builder *builder, const mst_value *map,
                           const char *level, const mst_document *textures,
                           const mst_scene_options *options) {
    char number[4] = "";
    *stock = (mst_alien_stock){.builder = builder, .map = map, .textures = !options->no_textures};
    if (!mst_alien_level_number(level, number)) /* its chapter is not known */
        return;
    stock->chapter_3 = mst_alien_is_chapter_3(number);
    if (!options->sidecars || !options->sidecars->find || options->no_assets || !mst_scene_ok(builder))
        return;
    stock->sidecars = options->sidecars;
    mst_scene_limit(builder, options,
                    map->document->size + (textures ? textures->size : 0) +
                        size_of_files(stock, map->document));
    size_t quads = (size_t)MST_ALIEN_SPRITE_TYPES * (MST_ALIEN_LIGHTS + 1);
    stock->quads = mst_scene_scratch(builder, quads, sizeof *stock->quads);
    stock->images = mst_scene_scratch(builder, MST_ALIEN_SPRITE_TYPES, sizeof *stock->images);
    if (!stock->quads || !stock->images) {
        stock->sidecars = NULL;
        return;
    }
    for (size_t i = 0; i < quads; i++)
        stock->quads[i] = UNKNOWN;
    for (size_t i = 0; i < MST_ALIEN_SPRITE_TYPES; i++)
        stock->images[i] = UNKNOWN;
    for (size_t i = 0; i < MST_ALIEN_PICKUP_MODELS; i++)
        stock->pickups[i] = UNKNOWN;
    for (size_t i = 0; i < MST_ALIEN_BOX_MODELS; i++)
        stock->boxes[i] = UNKNOWN;
    mst_pixels page = {.allocator = builder->scratch.allocator};
    if (textures && mst_image_read(textures, 0, 0, NULL, &page, NULL, NULL) == MST_OK) {
        memcpy(stock->palette, page.palette, sizeof stock->palette);
        stock->has_palette = true;
    }
    mst_pixels_free(&page);
    for (size_t i = 0; i < 2; i++) {
        char name[MST_ALIEN_FILE];
        const void *bytes;
        size_t size;
        memcpy(name, mst_alien_model_files[i], sizeof name);
        if (mst_alien_find(stock->sidecars, name, &bytes, &size) == MST_OK)
            stock->models[i] = open_found(stock, name, "alien-models", bytes, size);
    }
}

void mst_alien_stock_end(mst_alien_stock *stock) {
    for (size_t i = 0; i < 2; i++)
        mst_close(stock->models[i]);
}

/* ---- monsters ------------------------------------------------------------------------------------- */

/* The frame that shows a monster facing the viewer: the one that the game's program uses, else one of its
 * size that begins a section, else the first. NULL: none. */
static const mst_alien_sprite *facing_frame(const mst_alien_sprite *sprites, size_t count,
                                            const mst_alien_frame *wanted, unsigned animation) {
    const mst_alien_sprite *like = NULL, *first = NULL;
    for (size_t i = 0; i < count; i++) {
        const mst_alien_sprite *one = &sprites[i];
        if (!one->shape.width)
            continue;
        if (!first)
            first = one;
        if (one->number)
            continue;
        if (one->animation == (int)animation)
            return one;
        if (!like && wanted && one->shape.width == wanted->width && one->shape.height == wanted->height)
            like = one;
    }
    return like ? like : first;
}

typedef struct picture {
    const char *name; /* of the file */
    mst_alien_frame shape;
} picture;

static int32_t add_image(mst_alien_stock *stock, const mst_alien_sprite *sprite, const picture *p) {
    mst_scene_builder *builder = stock->builder;
    uint8_t *indices = mst_scene_scratch(builder, sprite->pixels, 1),
            *colors = mst_scene_take(builder, sprite->pixels, 4);
    if (!indices || !colors)
        return -1;
    mst_alien_sprite_unpack(sprite, indices);
    for (size_t i = 0; i < sprite->pixels; i++) {
        memcpy(colors + 4 * i, stock->palette[indices[i]], 3);
        colors[4 * i + 3] = indices[i] ? 255 : 0;
    }
    mst_image image = {.name = p->name,
                       .pixels = {.width = p->shape.width, .height = p->shape.height, .data = colors}};
    return mst_scene_add_image(builder, &image);
}

/* Reads the picture of a monster; returns its image, -1: none. */
static int32_t read_picture(mst_alien_stock *stock, const mst_alien_monster_look *look, picture *p) {
    char file[MST_ALIEN_FILE];
    const void *bytes;
    size_t size, count;
    mst_alien_sprite *sprites;
    int32_t image = -1;
    const mst_alien_frame *wanted = mst_alien_first_frame(look->file, look->animation);
    mst_alien_monster_file(look, file);
    mst_status status = mst_alien_find(stock->sidecars, file, &bytes, &size);
    if (status == MST_NO_MEMORY)
        mst_scene_fail(stock->builder);
    mst_document *document = status == MST_OK ? open_found(stock, file, "alien-sprites", bytes, size) : NULL;
    if (!document)
        return -1;
    status = mst_alien_sprites_list(document, &stock->builder->scratch, &sprites, &count);
    const mst_alien_sprite *sprite =
        status == MST_OK ? facing_frame(sprites, count, wanted, look->animation) : NULL;
    if (sprite) {
        p->name = mst_scene_text(stock->builder, look->file, strlen(look->file));
        p->shape = sprite->shape;
        bool same = wanted && wanted->width == p->shape.width && wanted->height == p->shape.height;
        if (same) {
            p->shape = *wanted;
        } else if (sprite->animation < 0) { /* its pivot is not known: it stands on the floor, or hangs */
            p->shape.x = (int16_t)(-(int)p->shape.width / 2);
            p->shape.y = (int16_t)(look->hangs ? 0 : -(int)p->shape.height);
        }
        image = add_image(stock, sprite, p);
    } else if (status != MST_OK) {
        mst_scene_fail(stock->builder);
    }
    mst_close(document);
    return image;
}

/* A quad in the plane of the node, around its anchor. */
static int32_t add_quad(mst_alien_stock *stock, const mst_alien_monster_look *look, const picture *p,
                        int32_t image, const float light[3]) {
    mst_scene_builder *builder = stock->builder;
    static const uint8_t triangles[6] = {0, 1, 2, 0, 2, 3};
    mst_primitive *one = mst_scene_take(builder, 1, sizeof *one);
    float *positions = mst_scene_take(builder, 4, 3 * sizeof(float)),
          *normals = mst_scene_take(builder, 4, 3 * sizeof(float)),
          *texcoords = mst_scene_take(builder, 4, 2 * sizeof(float)),
          *colors = mst_scene_take(builder, 4, 4 * sizeof(float));
    uint32_t *indices = mst_scene_take(builder, 6, sizeof(uint32_t));
    const mst_material material = {.name = p->name,
                                   .color = {1, 1, 1, 1},
                                   .image = stock->textures ? image : -1,
                                   .wrap_s = MST_WRAP_CLAMP,
                                   .wrap_t = MST_WRAP_CLAMP,
                                   .nearest = 1,
                                   .double_sided = 1,
                                   .unlit = 1,
                                   .alpha_mode = MST_ALPHA_MASK,
                                   .alpha_cutoff = 0.5F};
    int32_t number = mst_scene_add_material(builder, &material);
    if (!one || !positions || !normals || !texcoords || !colors || !indices)
        return -1;
    for (unsigned k = 0; k < 4; k++) { /* lower left, then counter-clockwise */
        bool right = k == 1 || k == 2, high = k >= 2;
        positions[3 * k] = look->units * (float)(p->shape.x + (right ? p->shape.width : 0));
        positions[3 * k + 1] = -look->units * (float)(p->shape.y + (high ? 0 : p->shape.height));
        normals[3 * k + 2] = 1;
        texcoords[2 * k] = right;
        texcoords[2 * k + 1] = high ? 0 : 1;
        memcpy(colors + 4 * (size_t)k, light, 3 * sizeof *light);
        colors[4 * k + 3] = 1;
    }
    for (unsigned i = 0; i < 6; i++)
        indices[i] = triangles[i];
    *one = (mst_primitive){.material = number,
                           .vertex_count = 4,
                           .index_count = 6,
                           .positions = positions,
                           .normals = normals,
                           .texcoords = texcoords,
                           .colors = colors,
                           .indices = indices};
    const mst_mesh mesh = {.name = p->name, .primitives = one, .primitive_count = 1};
    return mst_scene_add_mesh(builder, &mesh);
}

int32_t mst_alien_monster_mesh(mst_alien_stock *stock, const mst_alien_work *level, uint64_t type,
                               uint32_t light) {
    static const float full[3] = {1, 1, 1};
    const mst_alien_monster_look *look = mst_alien_monster_look_of(type);
    if (!look || !stock->sidecars || !stock->has_palette || !mst_scene_ok(stock->builder))
        return -1;
    uint32_t lit = light < level->light_count ? light : MST_ALIEN_LIGHTS;
    int32_t *made = &stock->quads[type * (MST_ALIEN_LIGHTS + 1) + lit], *image = &stock->images[type];
    if (*made != UNKNOWN)
        return *made;
    picture p = {.name = look->file};
    if (*image == UNKNOWN) {
        *image = read_picture(stock, look, &p);
        stock->shapes[type] = p.shape;
    }
    p.shape = stock->shapes[type];
    p.name = *image < 0 ? "" : ((const mst_image *)stock->builder->images.items)[*image].name;
    return *made = *image < 0 ? -1
                              : add_quad(stock, look, &p, *image,
                                         lit < MST_ALIEN_LIGHTS ? level->lights[lit] : full);
}

/* ---- models --------------------------------------------------------------------------------------- */

/* Textures and lights for models of one file of pages. */
static mst_alien_work *work_of(mst_alien_stock *stock, unsigned pages) {
    static const char *const labels[MST_ALIEN_PAGE_FILES] = {"pickups_", "panel_0_", "panel_1_"};
    mst_alien_work *work = &stock->works[pages];
    char name[MST_ALIEN_FILE];
    const void *bytes;
    size_t size;
    if (stock->begun[pages])
        return work;
    stock->begun[pages] = true;
    work->builder = stock->builder;
    work->label = labels[pages];
    mst_status status = mst_alien_find_pages(stock->sidecars, pages, name, &bytes, &size);
    mst_document *document = status == MST_OK ? open_found(stock, name, "alien-gfx", bytes, size) : NULL;
    if (status == MST_NO_MEMORY)
        mst_scene_fail(stock->builder);
    if (document)
        mst_alien_take_textures(work, document);
    mst_close(document);
    mst_alien_take_level(work, stock->map);
    return work;
}

/* The last section of that number, as in the game; false: none. */
static bool find_model(const mst_document *document, int number, mst_value *model) {
    mst_value root = mst_root(document), list = mst_member_in(&root, "models"), one;
    char wanted[16];
    bool found = false;
    snprintf(wanted, sizeof wanted, "M%03d", number);
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &one);) {
        mst_value name = mst_member_in(&one, "name");
        if (memcmp(mst_bytes_in(&name, 4), wanted, 4) != 0)
            continue;
        *model = one;
        found = true;
    }
    return found;
}

static int32_t make_model(mst_alien_stock *stock, unsigned file, int number, unsigned pages) {
    mst_value model;
    mst_primitive *primitives;
    if (!stock->models[file] || !find_model(stock->models[file], number, &model))
        return -1;
    mst_alien_work *work = work_of(stock, pages);
    if (!mst_scene_ok(stock->builder))
        return -1;
    size_t count = mst_alien_primitives(work, &model, NULL, &primitives);
    if (!count)
        return -1;
    for (size_t i = 0; i < count; i++) { /* a triangle refers to the thing that it shows */
        primitives[i].source = (mst_scene_source){.path = NULL, .index = MST_NO_INDEX};
        primitives[i].elements = NULL;
    }
    const char *name = mst_scene_printf(stock->builder, "%s_M%03d", file ? "OBJ3D" : "PICKMOD", number);
    const mst_mesh mesh = {.name = name, .primitives = primitives, .primitive_count = count};
    return mst_scene_add_mesh(stock->builder, &mesh);
}

int32_t mst_alien_pickup_mesh(mst_alien_stock *stock, uint64_t type) {
    int number = mst_alien_pickup_model(type);
    if (number < 0 || !stock->sidecars)
        return -1;
    if (stock->pickups[number] == UNKNOWN)
        stock->pickups[number] = make_model(stock, 0, number, MST_ALIEN_PICKUP_PAGES);
    return stock->pickups[number];
}

int32_t mst_alien_box_mesh(mst_alien_stock *stock, uint64_t type) {
    int number = mst_alien_box_model(type, stock->chapter_3);
    if (number < 0 || !stock->sidecars)
        return -1;
    int32_t *made = &stock->boxes[number];
    if (*made == UNKNOWN)
        *made = make_model(stock, 1, number, mst_alien_box_pages(number));
    if (*made < 0 && number != 1) { /* a box without a model is shown as a crate */
        int32_t crate = stock->boxes[1];
        *made = stock->boxes[1] = crate == UNKNOWN ? make_model(stock, 1, 1, MST_ALIEN_PICKUP_PAGES) : crate;
    }
    return *made;
}
