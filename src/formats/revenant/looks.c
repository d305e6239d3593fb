/* SPDX-License-Identifier: MIT */
#include "looks.h"
#include "../../core/diagnose.h"
#include "../../core/hash.h"
#include "../../scene/work.h"
#include "imagery/model_mesh.h"
#include "imagery/stills.h"
#include "revenant.h"
#include <string.h>

#define HEIGHT 0.867 /* of a unit of height on the screen, and of x + y in depth */
/* A depth is -HEIGHT * (x + y) - height / 2, a row of the screen (x + y) / 2 - HEIGHT * height: the height of
 * a pixel is -(depth + 2 * HEIGHT * row) / this. */
#define DEPTH_HEIGHT (2 * HEIGHT * HEIGHT + 0.5)
#define SLOPE_ACROSS 1.16  /* of the depth of a wall along x or y */
#define SLOPE_DOWN   0.577 /* of an upright one */
#define SLOPE_GROUND (-2 * HEIGHT)
#define LIFT         1.0  /* units: height of shadows above the ground */
#define FAR_OFF      8192 /* larger depths mean nothing */

/* A mesh of a file. */
typedef struct view {
    uint32_t state;
    bool mirrored;
    int32_t mesh;
} view;

/* A file of imagery that was looked up. */
typedef struct file {
    const char *path; /* as in class.def */
    uint64_t hash;    /* of the path in lower case */
    mst_stills stills;
    const char *name;
    const void *bytes; /* the resolver's */
    size_t size;
    mst_array views; /* view */
} file;

static bool ok(const mst_revenant_looks *looks) {
    return mst_scene_ok(looks->builder);
}

void mst_revenant_looks_begin(mst_revenant_looks *looks, mst_scene_builder *builder,
                              const mst_scene_options *options, const mst_revenant_classes *classes,
                              uint64_t size) {
    const mst_sprites_options how = {.size = sizeof how, .allocator = builder->arena.allocator};
    *looks = (mst_revenant_looks){.builder = builder, .options = options, .classes = classes, .size = size};
    looks->file_of_type = mst_scene_scratch(builder, classes->type_count, sizeof *looks->file_of_type);
    looks->files = mst_scene_array(builder, sizeof(file));
    looks->reading = !options->no_assets && options->sidecars && options->sidecars->find && ok(looks);
    if (looks->reading && mst_sprites_begin(&looks->sprites, &how, 0, NULL) != MST_OK)
        mst_scene_fail(builder);
}

void mst_revenant_looks_end(mst_revenant_looks *looks) {
    mst_sprites *none = NULL;
    for (size_t i = 0; i < looks->files.count; i++)
        mst_array_free(&((file *)looks->files.items)[i].views);
    mst_array_free(&looks->files);
    if (looks->reading && looks->sprites.status == MST_OK)
        looks->sprites.status = MST_STOPPED; /* the sprites are not drawn: this only frees them */
    if (looks->reading)
        mst_sprites_finish(&looks->sprites, NULL, &none, NULL);
}

/* ---- files --------------------------------------------------------------------------------------- */

static void read_file(mst_revenant_looks *looks, file *one) {
    char place[sizeof((mst_diagnostic *)0)->path];
    mst_diagnostic why;
    one->stills.kind = MST_STILLS_DAMAGED;
    mst_revenant_imagery_place(one->path, place, sizeof place);
    mst_status status =
        looks->options->sidecars->find(looks->options->sidecars->user, place, &one->bytes, &one->size);
    if (status == MST_NO_MEMORY)
        mst_scene_fail(looks->builder);
    if (status != MST_OK)
        return;
    one->name = mst_scene_text(looks->builder, place, strlen(place));
    looks->size += one->size;
    mst_scene_limit(looks->builder, looks->options, looks->size);
    mst_sprites_read(&looks->sprites, NULL, one->size);
    mst_stills_read(&looks->sprites, &looks->builder->scratch, one->name, one->bytes, one->size, &one->stills,
                    &why);
    if (looks->sprites.status != MST_OK)
        mst_scene_fail(looks->builder);
}

static file *file_of(mst_revenant_looks *looks, const mst_revenant_type *type) {
    int32_t *index = &looks->file_of_type[type - looks->classes->types];
    file *files = looks->files.items;
    uint64_t hash = *index ? 0 : mst_hash_letters(MST_HASH, type->imagery);
    for (size_t i = 0; i < looks->files.count && !*index; i++)
        if (files[i].hash == hash)
            *index = (int32_t)i + 1;
    if (*index)
        return &files[*index - 1];
    file *added = mst_scene_push(looks->builder, &looks->files, 1);
    if (!added)
        return NULL;
    *added = (file){.path = type->imagery, .hash = hash};
    added->views = mst_scene_array(looks->builder, sizeof(view));
    *index = (int32_t)looks->files.count;
    read_file(looks, added);
    return added;
}

/* ---- pictures ------------------------------------------------------------------------------------ */

/* The change of the depth from the object's place: across the picture and down it. */
typedef struct slope {
    double start, across, down;
} slope;

static double within(double number, double least, double most) {
    return number < least ? least : number > most ? most : number;
}

/* Sums of a plane through points, by least squares. */
typedef struct sums {
    double n, x, y, d, xx, xy, yy, xd, yd;
} sums;

static sums sums_of(const mst_sprite_image *image, const mst_still *still, bool mirrored) {
    sums s = {0};
    for (uint32_t row = 0; row < image->height; row++)
        for (uint32_t column = 0; column < image->width; column++) {
            uint32_t from = mirrored ? image->width - 1 - column : column;
            size_t at = (size_t)row * image->width + from;
            double x = column + 0.5 - still->x, y = row + 0.5 - still->y, d = image->depths[at] - still->z;
            if (!image->pixels[4 * at + 3] || image->depths[at] > FAR_OFF || image->depths[at] < -FAR_OFF)
                continue;
            s.n += 1, s.x += x, s.y += y, s.d += d;
            s.xx += x * x, s.xy += x * y, s.yy += y * y, s.xd += x * d, s.yd += y * d;
        }
    return s;
}

/* The plane that fits the depths of a picture best. */
static slope slope_of(const mst_sprite_image *image, const mst_still *still, bool mirrored) {
    bool shadow = image->blended && still->flat && still->unlit;
    if (!image->depths)
        return shadow ? (slope){-LIFT * DEPTH_HEIGHT, 0, SLOPE_GROUND} : (slope){0, 0, 0};
    sums s = sums_of(image, still, mirrored);
    if (s.n < 1)
        return (slope){0, 0, 0};
    double x = s.x / s.n, y = s.y / s.n, d = s.d / s.n;
    double xx = s.xx / s.n - x * x, xy = s.xy / s.n - x * y, yy = s.yy / s.n - y * y;
    double xd = s.xd / s.n - x * d, yd = s.yd / s.n - y * d, whole = xx * yy - xy * xy;
    slope plane = {0, 0, 0};
    if (whole > 1e-6 * (1 + xx * yy)) {
        plane.across = within((xd * yy - yd * xy) / whole, -SLOPE_ACROSS, SLOPE_ACROSS);
        plane.down = within((yd * xx - xd * xy) / whole, SLOPE_GROUND, SLOPE_DOWN);
    }
    plane.start = d - plane.across * x - plane.down * y;
    return plane;
}

static int32_t picture_material(mst_revenant_looks *looks, const mst_sprite_image *from, const char *name) {
    mst_scene_builder *b = looks->builder;
    size_t count = (size_t)from->width * from->height;
    uint8_t *pixels = mst_scene_copy(b, from->pixels, count, 4);
    for (size_t i = 0; pixels && from->blended && i < count; i++)
        pixels[4 * i + 3] = (uint8_t)(pixels[4 * i + 3] * 255 / from->opaque);
    const mst_image image = {.name = name,
                             .pixels = {.width = from->width, .height = from->height, .data = pixels}};
    mst_material material = {.name = name,
                             .color = {1, 1, 1, 1},
                             .wrap_s = MST_WRAP_CLAMP,
                             .wrap_t = MST_WRAP_CLAMP,
                             .nearest = 1,
                             .alpha_mode = from->blended ? MST_ALPHA_BLEND : MST_ALPHA_MASK,
                             .alpha_cutoff = 0.5F,
                             .double_sided = 1,
                             .unlit = 1};
    material.image = pixels ? mst_scene_add_image(b, &image) : -1;
    return mst_scene_add_material(b, &material);
}

static int32_t picture_mesh(mst_revenant_looks *looks, const file *from, const mst_still *still,
                            uint32_t state, bool mirrored) {
    static const uint32_t order[6] = {0, 1, 2, 0, 2, 3};
    static const uint8_t right[4] = {0, 0, 1, 1}, bottom[4] = {0, 1, 1, 0};
    const mst_sprite_image *image = (const mst_sprite_image *)looks->sprites.images.items + still->image;
    slope plane = slope_of(image, still, mirrored);
    float *positions = mst_scene_take(looks->builder, 4, 3 * sizeof *positions),
          *texcoords = mst_scene_take(looks->builder, 4, 2 * sizeof *texcoords);
    const char *name = mst_scene_printf(looks->builder, "%s %lu%s", from->name, (unsigned long)state,
                                        mirrored ? " mirrored" : "");
    if (!positions || !texcoords)
        return -1;
    for (unsigned i = 0; i < 4; i++) {
        double x = (right[i] ? image->width : 0) - (double)still->x,
               y = (bottom[i] ? image->height : 0) - (double)still->y;
        double depth = plane.start + plane.across * x + plane.down * y;
        double height = -(depth - SLOPE_GROUND * y) / DEPTH_HEIGHT, sum = 2 * (y + HEIGHT * height);
        positions[3 * i] = (float)((sum + x) / 2);
        positions[3 * i + 1] = (float)height;
        positions[3 * i + 2] = (float)((sum - x) / 2);
        texcoords[2 * i] = right[i] != mirrored ? 1 : 0;
        texcoords[2 * i + 1] = bottom[i];
    }
    const mst_primitive shape = {.vertex_count = 4,
                                 .index_count = 6,
                                 .positions = positions,
                                 .texcoords = texcoords,
                                 .indices = order};
    return mst_scene_add_shape(looks->builder, &shape, name, picture_material(looks, image, name));
}

/* ---- models -------------------------------------------------------------------------------------- */

static int32_t model_mesh(mst_revenant_looks *looks, const file *from, uint32_t state) {
    const mst_file_view bytes = {.data = from->bytes, .size = from->size};
    mst_imagery imagery;
    mst_posed shape;
    mst_model_mesher mesher;
    mst_status status = mst_imagery_open(&bytes, &imagery, NULL);
    if (status == MST_OK)
        status = mst_posed_read(&imagery, state, &looks->builder->scratch, &shape);
    if (status == MST_NO_MEMORY)
        mst_scene_fail(looks->builder);
    if (status != MST_OK)
        return -1;
    mst_model_mesher_begin(&mesher, looks->builder, &shape, from->name);
    mesher.untextured = looks->options->no_textures != 0;
    return ok(looks) ? mst_model_mesh(&mesher, from->name, 0, shape.triangle_count) : -1;
}

/* ---- looks --------------------------------------------------------------------------------------- */

static int32_t make_mesh(mst_revenant_looks *looks, const file *from, uint32_t state, bool mirrored) {
    if (from->stills.kind == MST_STILLS_MODEL)
        return model_mesh(looks, from, state);
    if (from->stills.kind != MST_STILLS_PICTURES || looks->options->no_textures ||
        state >= from->stills.count)
        return -1;
    const mst_still *still = &from->stills.states[state];
    bool drawn = still->image != UINT32_MAX && (still->lit || still->unlit);
    return drawn ? picture_mesh(looks, from, still, state, mirrored) : -1;
}

int32_t mst_revenant_look(mst_revenant_looks *looks, const mst_revenant_type *type, uint32_t state,
                          bool mirrored, bool *turns) {
    if (!looks->reading || !*type->imagery || !ok(looks))
        return -1;
    file *from = file_of(looks, type);
    if (!from)
        return -1;
    *turns = from->stills.kind == MST_STILLS_MODEL;
    mirrored = mirrored && !*turns;
    const view *known = from->views.items;
    for (size_t i = 0; i < from->views.count; i++)
        if (known[i].state == state && known[i].mirrored == mirrored)
            return known[i].mesh;
    view made = {state, mirrored, ok(looks) ? make_mesh(looks, from, state, mirrored) : -1};
    view *added = mst_scene_push(looks->builder, &from->views, 1);
    if (added)
        *added = made;
    looks->count += made.mesh >= 0;
    return made.mesh;
}
