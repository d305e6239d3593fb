/* SPDX-License-Identifier: MIT */
/* Models as sprites: drawn once for a state and a direction, in the game's projection, with the depth of each
 * pixel. How the game lights them is not known: a light from the upper left replaces it. */
#include "../../../core/angles.h"
#include "posed.h"
#include "stills.h"
#include <math.h>
#include <string.h>

#define SIDE_MAX 2048       /* pixels; men are about 75 high */
#define WORK_MAX (1u << 26) /* pixels of all triangles together */
#define HEIGHT   0.867      /* of a unit on the screen, and of x and y in depth */
#define TURN     (6.283185307179586 / 256)
#define SHADOW   0.55

typedef struct point {
    double x, y, depth; /* on the screen, from the object's place */
    double light;
    const float *texture;
} point;

typedef struct canvas {
    bool sheer; /* draws translucent triangles, after all opaque ones */
    int32_t left, top;
    uint32_t width, height;
    uint8_t *pixels;
    int16_t *depths;
} canvas;

static point project(const mst_posed_corner *corner, double c, double s) {
    static const double light[3] = {-0.2, 0.6, 0.77};
    double x = corner->position[0] * c - corner->position[1] * s,
           y = corner->position[0] * s + corner->position[1] * c, z = corner->position[2];
    double nx = corner->normal[0] * c - corner->normal[1] * s,
           ny = corner->normal[0] * s + corner->normal[1] * c;
    double shade = nx * light[0] + ny * light[1] + corner->normal[2] * light[2];
    return (point){.x = x - y,
                   .y = (x + y) / 2 - z * HEIGHT,
                   .depth = -(x + y) * HEIGHT - z / 2,
                   .light = SHADOW + (1 - SHADOW) * (shade > 0 ? shade : 0),
                   .texture = corner->texture};
}

/* ---- triangles ----------------------------------------------------------------------------------- */

static uint32_t wrapped(double share, uint32_t size) {
    double place = share - floor(share);
    uint32_t at = place >= 0 && place < 1 ? (uint32_t)(place * size) : 0;
    return at < size ? at : size - 1;
}

static void color_of(const mst_posed *posed, const mst_posed_triangle *triangle, const point p[3],
                     const double weights[3], uint8_t color[4]) {
    const mst_posed_texture *texture = triangle->texture >= 0 ? &posed->textures[triangle->texture] : NULL;
    double u = 0, v = 0, light = 0;
    for (int i = 0; i < 3; i++) {
        u += p[i].texture[0] * weights[i];
        v += p[i].texture[1] * weights[i];
        light += p[i].light * weights[i];
    }
    memset(color, 128, 3);
    color[3] = 255;
    if (texture && texture->pixels) {
        mst_posed_color(texture,
                        (size_t)wrapped(v, texture->height) * texture->width + wrapped(u, texture->width),
                        color);
    } else if (triangle->material >= 0) {
        for (int c = 0; c < 3; c++) {
            float part = posed->colors[triangle->material][c];
            color[c] = (uint8_t)(255 * (part > 0 ? part < 1 ? part : 1 : 0));
        }
    }
    for (int c = 0; c < 3; c++)
        color[c] = (uint8_t)(color[c] * light);
}

/* Translucent pixels are blended over existing ones, and do not hide translucent ones behind them. */
static void put_pixel(canvas *to, size_t at, double depth, const uint8_t color[4]) {
    uint8_t *pixel = to->pixels + 4 * at;
    unsigned over = color[3], under = pixel[3] * (255u - over) / 255, all = over + under;
    if (depth < to->depths[at] && !(to->sheer && pixel[3] == 255))
        to->depths[at] = (int16_t)depth;
    for (int c = 0; c < 3; c++)
        pixel[c] = (uint8_t)((color[c] * over + pixel[c] * under + all / 2) / all);
    pixel[3] = (uint8_t)all;
}

static double across(const point *a, const point *b, double x, double y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

/* The pixels around three points, within the canvas. */
typedef struct box {
    int32_t left, top, right, bottom;
} box;

static box box_of(const point p[3]) {
    return (box){(int32_t)floor(fmin(p[0].x, fmin(p[1].x, p[2].x))),
                 (int32_t)floor(fmin(p[0].y, fmin(p[1].y, p[2].y))),
                 (int32_t)ceil(fmax(p[0].x, fmax(p[1].x, p[2].x))),
                 (int32_t)ceil(fmax(p[0].y, fmax(p[1].y, p[2].y)))};
}

static void draw_triangle(canvas *to, const mst_posed *posed, const mst_posed_triangle *triangle,
                          const point p[3]) {
    double area = across(&p[0], &p[1], p[2].x, p[2].y);
    box b = box_of(p);
    if (area > -1e-9 && area < 1e-9)
        return;
    for (int32_t y = b.top; y < b.bottom; y++)
        for (int32_t x = b.left; x < b.right; x++) {
            double weights[3], least = 1;
            for (int i = 0; i < 3; i++) {
                weights[i] = across(&p[(i + 1) % 3], &p[(i + 2) % 3], x + 0.5, y + 0.5) / area;
                least = weights[i] < least ? weights[i] : least;
            }
            double depth = floor(p[0].depth * weights[0] + p[1].depth * weights[1] + p[2].depth * weights[2]);
            size_t at = (size_t)(y - to->top) * to->width + (size_t)(x - to->left);
            bool behind = depth >= to->depths[at] && (!to->sheer || to->pixels[4 * at + 3] == 255);
            uint8_t color[4];
            if (least < 0 || behind)
                continue;
            color_of(posed, triangle, p, weights, color);
            if (color[3] && (color[3] < 255) == to->sheer)
                put_pixel(to, at, depth, color);
        }
}

/* ---- the picture --------------------------------------------------------------------------------- */

/* The rectangle of all triangles; false: none, or too large. */
static bool measure(const mst_posed *posed, const point *points, canvas *to) {
    int32_t right = INT32_MIN, bottom = INT32_MIN;
    uint64_t work = 0;
    to->left = to->top = INT32_MAX;
    for (uint32_t i = 0; i < posed->triangle_count; i++) {
        point p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = points[posed->triangles[i].corners[k]];
            if (!(fabs(p[k].x) < SIDE_MAX && fabs(p[k].y) < SIDE_MAX && fabs(p[k].depth) < INT16_MAX / 2.0))
                return false;
        }
        box b = box_of(p);
        to->left = b.left < to->left ? b.left : to->left;
        to->top = b.top < to->top ? b.top : to->top;
        right = b.right > right ? b.right : right;
        bottom = b.bottom > bottom ? b.bottom : bottom;
        work += (uint64_t)(b.right - b.left) * (uint64_t)(b.bottom - b.top);
    }
    if (to->left >= right || to->top >= bottom || work > WORK_MAX || right - to->left > SIDE_MAX ||
        bottom - to->top > SIDE_MAX)
        return false;
    to->width = (uint32_t)(right - to->left);
    to->height = (uint32_t)(bottom - to->top);
    return true;
}

static void draw_triangles(canvas *to, const mst_posed *posed, const point *points) {
    for (uint32_t i = 0; i < posed->triangle_count; i++) {
        const mst_posed_triangle *triangle = &posed->triangles[i];
        point p[3];
        for (int k = 0; k < 3; k++)
            p[k] = points[triangle->corners[k]];
        if (!to->sheer ||
            (triangle->texture >= 0 && posed->textures[triangle->texture].alpha == MST_POSED_BLENDS))
            draw_triangle(to, posed, triangle, p);
    }
}

/* Reduces alpha to the 32 steps of sprites; false: all pixels are opaque or empty. */
static bool blend(const canvas *from, size_t count) {
    bool sheer = false;
    for (size_t i = 0; i < count && !sheer; i++)
        sheer = from->pixels[4 * i + 3] && from->pixels[4 * i + 3] < 255;
    for (size_t i = 0; i < count && sheer; i++)
        from->pixels[4 * i + 3] = (uint8_t)((from->pixels[4 * i + 3] * 31 + 127) / 255);
    return sheer;
}

static void draw(mst_sprites_builder *builder, mst_arena *scratch, const char *name, const mst_posed *posed,
                 uint8_t facing, mst_still *result) {
    double c = mst_cosine(facing * TURN), s = mst_sine(facing * TURN);
    point *points = mst_arena_take(scratch, posed->corner_count, sizeof *points);
    canvas to;
    if (!points) {
        builder->status = MST_NO_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < posed->corner_count; i++)
        points[i] = project(&posed->corners[i], c, s);
    if (!measure(posed, points, &to))
        return;
    size_t count = (size_t)to.width * to.height;
    to.pixels = mst_sprites_take(builder, count, 4);
    to.depths = to.pixels ? mst_sprites_take(builder, count, sizeof *to.depths) : NULL;
    if (!to.depths)
        return;
    memset(to.pixels, 0, 4 * count);
    for (size_t i = 0; i < count; i++)
        to.depths[i] = INT16_MAX;
    to.sheer = false;
    draw_triangles(&to, posed, points);
    to.sheer = true;
    draw_triangles(&to, posed, points);
    bool blended = blend(&to, count);
    const mst_sprite_image image = {.name = name,
                                    .width = to.width,
                                    .height = to.height,
                                    .pixels = to.pixels,
                                    .opaque = blended ? 31 : 255,
                                    .blended = blended,
                                    .depths = to.depths};
    result->image = mst_sprites_add_image(builder, &image);
    result->x = -to.left;
    result->y = -to.top;
}

mst_still mst_model_still(mst_sprites_builder *builder, const char *name, const void *bytes, size_t size,
                          uint32_t state, uint8_t facing) {
    mst_still result = {.image = UINT32_MAX, .unlit = true};
    const mst_file_view file = {.data = bytes, .size = size};
    mst_imagery imagery;
    mst_posed posed;
    mst_arena scratch;
    mst_arena_begin(&scratch, &builder->owner->arena.allocator, 0);
    mst_status status = mst_imagery_open(&file, &imagery, NULL);
    if (status == MST_OK)
        status = mst_posed_read(&imagery, state, &scratch, &posed);
    if (status == MST_NO_MEMORY)
        builder->status = status;
    if (status == MST_OK)
        draw(builder, &scratch, name, &posed, facing, &result);
    mst_arena_end(&scratch);
    return result;
}
