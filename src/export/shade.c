/* SPDX-License-Identifier: MIT */
/* Draws the triangles of a view: two by two samples per pixel, band by band, then colours from the id and
 * depth of each sample. */
#include "../core/unreachable.h"
#include "../scene/geometry.h"
#include "view.h"

#include <math.h>
#include <string.h>

#define BAND_SAMPLES ((int32_t)1 << 19) /* approximate number in memory at once */
#define EDGE         2                  /* samples on either side that determine an edge */
#define WALL         0x80000000u        /* flag of an id: the line of a wall */
#define WALL_TALL    1.0                /* metres; lines of lower walls, such as steps, are darker */
#define EXPOSED      0.17               /* target for the mean brightness, linear */
#define EXPOSURE_MAX 80.0
#define PAINTED      0.17 /* target for the mean of textures without the level's lights, linear */
#define PAINTED_MAX  4.0
#define LAMPS_MEAN   0.42   /* target for the mean root of the lit surfaces, linear */
#define LAMPS_REST   0.06   /* ambient light on the mean surface, linear */
#define LAMPS_LOOKED 16384u /* triangles that decide the mean */
#define WAYS         16
#define WALL_THIN    1.2 /* pixels; steep faces that appear wider are surfaces */

/* A triangle with the values that its samples need. */
typedef struct seen_triangle {
    const mst_view_triangle *triangle; /* NULL: none yet */
    uint32_t vertices[3];
    double corners[3][3]; /* in samples */
    double over;          /* 1 / its area in samples, doubled */
    double density;       /* the root of its area in its texture per area in samples */
} seen_triangle;

struct mst_painter {
    const mst_view_world *world;
    const mst_projection *projection;
    const mst_view_frame *frame;
    mst_canvas *canvas;
    mst_samples samples;     /* a band, and its surroundings */
    int32_t rows;            /* number of sample rows */
    int32_t margin;          /* sample rows kept above and below a band, for access to neighbours */
    bool map;                /* floors and walls; else shaded */
    double unit;             /* width of a line in pixels */
    uint8_t *srgb_of_linear; /* 4096 */
    float *linear_of_srgb;   /* 256 */
    double exposure;         /* factor by which prelit surfaces are brightened */
    double painted;          /* for other surfaces with textures */
    int32_t ways[WAYS][2];   /* by samples across and down */
    ptrdiff_t steps[WAYS];   /* by samples */
    double power, rest;      /* for the level's lights: factor, and ambient light */
    seen_triangle seen;
};

typedef struct rgb {
    double r, g, b; /* sRGB, 0..255 */
} rgb;

static rgb mix(rgb a, rgb b, double share) {
    return (rgb){a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share};
}

static rgb scaled(rgb a, double by) {
    return (rgb){a.r * by, a.g * by, a.b * by};
}

static double clamped(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

mst_rgba mst_view_height_color(double share) {
    /* Lightness rises evenly from a blue that contrasts with the dark background to a yellow. */
    static const uint8_t stops[6][3] = {{62, 78, 138},  {47, 110, 144}, {44, 143, 138},
                                        {84, 174, 108}, {160, 200, 82}, {240, 214, 96}};
    double at = clamped(share, 0, 1) * 5;
    int stop = at < 5 ? (int)at : 4;
    double part = at - stop;
    uint8_t c[3];
    for (int i = 0; i < 3; i++)
        c[i] = (uint8_t)(stops[stop][i] + (stops[stop + 1][i] - stops[stop][i]) * part + 0.5);
    return (mst_rgba){c[0], c[1], c[2], 255};
}

static rgb height_color(const mst_view_world *world, double height) {
    mst_rgba c = mst_view_height_color(mst_view_height_share(world, height));
    return (rgb){c.r, c.g, c.b};
}

/* A point of the world in samples of the frame. */
static void to_samples(const mst_projection *projection, const float point[3], double sample[3]) {
    sample[0] = (mst_view_dot(projection->right, point) - projection->left) * projection->scale * 2;
    sample[1] = (mst_view_dot(projection->down, point) - projection->top) * projection->scale * 2;
    sample[2] = mst_view_dot(projection->near, point);
}

/* Whether the surroundings of a triangle, up to `reach`, are above or below the band. */
static bool outside(const mst_painter *p, const double corners[3][3], double reach) {
    double top = p->samples.top - reach, bottom = p->samples.top + p->samples.rows + reach;
    return (corners[0][1] < top && corners[1][1] < top && corners[2][1] < top) ||
           (corners[0][1] > bottom && corners[1][1] > bottom && corners[2][1] > bottom);
}

static void heights(const mst_view_triangle *t, double *low, double *high) {
    *low = *high = (double)t->corners[0][1];
    for (int k = 1; k < 3; k++) {
        double y = (double)t->corners[k][1];
        *low = y < *low ? y : *low;
        *high = y > *high ? y : *high;
    }
}

/* ---- the map ----------------------------------------------------------------------------------------- */

/* A wall seen from above is the line between its two most distant corners. */
static mst_map_look wall_look(const mst_view_world *world, double unit, const mst_view_triangle *t,
                              const double corners[3][3], double low, double high) {
    mst_map_look look = {.wall = true};
    double max = -1;
    for (int k = 0; k < 3; k++) {
        const double *a = corners[k], *b = corners[(k + 1) % 3];
        double squared = (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]);
        if (squared > max) {
            max = squared;
            look.from = k;
        }
    }
    const double *a = corners[look.from], *b = corners[(look.from + 1) % 3];
    double area = fabs((b[0] - a[0]) * (corners[(look.from + 2) % 3][1] - a[1]) -
                       (b[1] - a[1]) * (corners[(look.from + 2) % 3][0] - a[0]));
    double thickness = max > 0 ? area / sqrt(max) / 2 : 0; /* pixels: two samples each */
    if (thickness > WALL_THIN && fabsf(t->normal[1]) > 0.1f)
        return (mst_map_look){.shown = t->normal[1] > 0};
    double tall = high - low;
    look.shown = tall >= 0.05;
    look.width = unit * (tall < WALL_TALL ? 1.4 : 2.6);
    /* Raised a little, so that a floor that ends at the wall's top does not hide half of the line. */
    look.depth = (high < world->cut ? high : world->cut) + 0.02;
    return look;
}

mst_map_look mst_map_look_of(const mst_view_world *world, const mst_projection *projection, double unit,
                             const mst_view_triangle *t, double corners[3][3]) {
    double low, high;
    const bool floor = t->normal[1] > MST_VIEW_FLOOR;
    heights(t, &low, &high);
    if ((!floor && t->normal[1] < -MST_VIEW_FLOOR) || low >= world->cut || low < world->height.low)
        return (mst_map_look){0};
    for (int k = 0; k < 3; k++)
        to_samples(projection, t->corners[k], corners[k]);
    if (floor)
        return (mst_map_look){.shown = true};
    return wall_look(world, unit, t, (const double(*)[3])corners, low, high);
}

static void draw_map_band(mst_painter *p) {
    const mst_view_world *world = p->world;
    mst_samples_clear(&p->samples);
    for (size_t i = 0; i < world->triangle_count; i++) {
        const mst_view_triangle *t = &world->triangles[i];
        double corners[3][3];
        mst_map_look look = {.shown = true};
        if (world->map) { /* in painting order, regardless of height */
            for (int k = 0; k < 3; k++) {
                to_samples(p->projection, t->corners[k], corners[k]);
                corners[k][2] = (double)i;
            }
        } else {
            look = mst_map_look_of(world, p->projection, p->unit, t, corners);
        }
        if (!look.shown || outside(p, (const double(*)[3])corners, look.wall ? look.width : 0))
            continue;
        if (look.wall)
            mst_samples_line(&p->samples, corners[look.from], corners[(look.from + 1) % 3], look.depth,
                             look.width, ((uint32_t)i + 1) | WALL);
        else
            mst_samples_triangle(&p->samples, (const double(*)[3])corners, (uint32_t)i + 1, NULL, NULL);
    }
}

/* Light from the picture's upper left, and steep faces darker. */
static double relief(const mst_projection *p, const mst_view_triangle *t) {
    const double slope = mst_view_dot(p->right, t->normal) + mst_view_dot(p->down, t->normal);
    return clamped(0.62 + 0.38 * (double)t->normal[1] - 0.22 * slope, 0.35, 1.15);
}

/* The material's own colour; higher is lighter. */
static rgb symbol_color(const mst_view_world *world, const mst_view_triangle *t, float depth) {
    const mst_material *material = world->parts[t->part].material;
    double shade = 0.72 + 0.4 * mst_view_height_share(world, (double)depth), c[3];
    for (int i = 0; i < 3; i++)
        c[i] =
            clamped((double)mst_srgb_of_linear(material ? material->color[i] : 0.2f) * 255 * shade, 0, 255);
    return (rgb){c[0], c[1], c[2]};
}

static rgb map_color(const mst_view_world *world, const mst_projection *projection,
                     const mst_view_triangle *t, bool wall, float depth) {
    if (world->map) {
        const uint8_t *c = world->map->keys[world->map->faces[t->index].key].color;
        return scaled((rgb){c[0], c[1], c[2]}, relief(projection, t));
    }
    if (world->symbolic && !wall)
        return symbol_color(world, t, depth);
    if (wall) {
        double low, high;
        heights(t, &low, &high);
        double strength = clamped((high - low) / WALL_TALL, 0, 1);
        rgb step = scaled(height_color(world, high), 0.62);
        return mix(step, (rgb){232, 236, 242}, strength < 1 ? 0 : 0.9);
    }
    rgb color = height_color(world, (double)depth);
    return scaled(color, relief(projection, t) * (t->normal[1] > MST_VIEW_FLOOR ? 1 : 0.7));
}

static mst_rgba to_bytes(rgb c) {
    return (mst_rgba){(uint8_t)clamped(c.r + 0.5, 0, 255), (uint8_t)clamped(c.g + 0.5, 0, 255),
                      (uint8_t)clamped(c.b + 0.5, 0, 255), 255};
}

mst_rgba mst_map_color_of(const mst_view_world *world, const mst_projection *projection,
                          const mst_view_triangle *t, bool wall, float depth) {
    return to_bytes(map_color(world, projection, t, wall, depth));
}

static bool sample_at(const mst_painter *p, int32_t x, int32_t y, size_t *at) {
    y -= p->samples.top;
    if (x < 0 || y < 0 || x >= p->samples.width || y >= p->samples.rows)
        return false;
    *at = (size_t)y * (size_t)p->samples.width + (size_t)x;
    return p->samples.id[*at] != 0;
}

/* The directions in which shut_in searches from a sample: to the sides and across, near and far. */
static void find_ways(mst_painter *p) {
    static const int8_t ways[8][2] = {{2, 0}, {-2, 0}, {0, 2}, {0, -2}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    for (int i = 0; i < WAYS; i++) {
        const int32_t reach = i < WAYS / 2 ? p->margin / 5 + 1 : p->margin / 2;
        p->ways[i][0] = ways[i % 8][0] * reach;
        p->ways[i][1] = ways[i % 8][1] * reach;
        p->steps[i] = (ptrdiff_t)p->ways[i][1] * p->samples.width + p->ways[i][0];
    }
}

/* How much a floor is occluded by higher surroundings, 0..1. */
static double shut_in(const mst_painter *p, int32_t x, int32_t y, size_t here) {
    const mst_samples *all = &p->samples;
    const float *depth = all->depth + here;
    const int32_t reach = p->margin, row = y - all->top;
    const bool inside = x >= reach && x + reach < all->width && row >= reach && row + reach < all->rows;
    double sum = 0;
    for (int i = 0; i < WAYS; i++) {
        const int32_t to_x = x + p->ways[i][0], to_row = row + p->ways[i][1];
        if (!inside && (to_x < 0 || to_row < 0 || to_x >= all->width || to_row >= all->rows))
            continue;
        const double rise = (double)depth[p->steps[i]] - (double)*depth; /* -infinity where it is empty */
        if (rise > 0.08)
            sum += clamped((rise - 0.08) / 1.2, 0, 1);
    }
    return sum / WAYS;
}

/* Whether a contour line passes between a sample and the next ones. */
static bool contour_at(const mst_painter *p, int32_t x, int32_t y, size_t here, double interval) {
    double depth = (double)p->samples.depth[here];
    /* Floors often have round heights, where rounding errors alone would cross a line. */
    double offset = 0.29 * interval;
    for (int side = 0; side < 2; side++) {
        size_t at;
        if (!sample_at(p, x + (side ? 2 : 0), y + (side ? 0 : 2), &at) || p->samples.id[at] & WALL)
            continue;
        double height = (double)p->samples.depth[at], rise = fabs(height - depth);
        if (rise > 1e-3 && rise < interval * 0.6 &&
            floor((height + offset) / interval) != floor((depth + offset) / interval))
            return true;
    }
    return false;
}

static double contour_interval(const mst_view_world *world) {
    double range = world->stops[MST_VIEW_STOPS - 1] - world->stops[0];
    return range > 60 ? 5 : range > 24 ? 2 : 1;
}

/* ---- realistic surfaces ------------------------------------------------------------------------------ */

static int32_t wrapped(int64_t texel, uint32_t size, mst_wrap wrap) {
    int64_t n = size;
    if (texel >= 0 && texel < n)
        return (int32_t)texel;
    if (wrap == MST_WRAP_CLAMP)
        return (int32_t)(texel < 0 ? 0 : texel >= n ? n - 1 : texel);
    int64_t period = wrap == MST_WRAP_MIRROR ? 2 * n : n;
    texel %= period;
    texel += texel < 0 ? period : 0;
    return (int32_t)(texel < n ? texel : period - 1 - texel);
}

/* floor() is a library call on 2003 processors, which are the compilation target. */
static int64_t floored(double value) {
    const int64_t whole = (int64_t)value;
    return whole - (value < (double)whole);
}

static void add_texel(const mst_painter *p, const mst_pixels *image, int32_t x, int32_t y, double weight,
                      double color[4]) {
    const uint8_t *texel = image->data + ((size_t)y * image->width + (size_t)x) * 4;
    for (int c = 0; c < 3; c++)
        color[c] += weight * (double)p->linear_of_srgb[texel[c]];
    color[3] += weight * (texel[3] / 255.0);
}

/* Linear colour and alpha of a texture; `spread` is the number of texels across a pixel. */
static void texture_color(const mst_painter *p, const mst_view_part *part, const mst_texels *texture,
                          const double uv[2], double spread, double color[4]) {
    const mst_pixels *image = mst_texels_level(texture, spread);
    const mst_wrap across = part->material->wrap_s, down = part->material->wrap_t;
    double s = uv[0] * image->width, t = uv[1] * image->height;
    if (!(fabs(s) < 1e9 && fabs(t) < 1e9))
        s = t = 0;
    for (int c = 0; c < 4; c++)
        color[c] = 0;
    if (part->material->nearest && image == texture->levels) {
        add_texel(p, image, wrapped(floored(s), image->width, across),
                  wrapped(floored(t), image->height, down), 1, color);
        return;
    }
    s -= 0.5;
    t -= 0.5;
    const int64_t s0 = floored(s), t0 = floored(t);
    const double fs = s - (double)s0, ft = t - (double)t0;
    const int32_t x[2] = {wrapped(s0, image->width, across), wrapped(s0 + 1, image->width, across)};
    const int32_t y[2] = {wrapped(t0, image->height, down), wrapped(t0 + 1, image->height, down)};
    for (int k = 0; k < 4; k++)
        add_texel(p, image, x[k & 1], y[k >> 1], (k & 1 ? fs : 1 - fs) * (k >> 1 ? ft : 1 - ft), color);
}

/* The position of a sample in its triangle. */
typedef struct place {
    uint32_t vertices[3];
    double weights[3];
    double density; /* as in the triangle */
} place;

/* The triangle that was examined last: most samples are in the same one as the preceding sample. */
static const seen_triangle *look_at(mst_painter *p, const mst_view_triangle *t) {
    seen_triangle *seen = &p->seen;
    if (seen->triangle == t)
        return seen;
    const mst_view_part *part = &p->world->parts[t->part];
    const float *texcoords = part->primitive->texcoords;
    double(*c)[3] = seen->corners, uv[3][2] = {{0}};
    seen->triangle = t;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t corner = part->mirrored ? 2 - k : k;
        const size_t vertex = seen->vertices[k] =
            part->primitive->indices ? part->primitive->indices[t->index + corner] : t->index + corner;
        to_samples(p->projection, t->corners[k], c[k]);
        if (texcoords) {
            uv[k][0] = (double)texcoords[vertex * 2];
            uv[k][1] = (double)texcoords[vertex * 2 + 1];
        }
    }
    /* A triangle without area has no samples. */
    seen->over = 1 / ((c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[1][1] - c[0][1]) * (c[2][0] - c[0][0]));
    seen->density = sqrt(
        fabs(((uv[1][0] - uv[0][0]) * (uv[2][1] - uv[0][1]) - (uv[1][1] - uv[0][1]) * (uv[2][0] - uv[0][0])) *
             seen->over));
    return seen;
}

static place place_of(mst_painter *p, const mst_view_triangle *t, double x, double y) {
    const seen_triangle *seen = look_at(p, t);
    const double(*c)[3] = (const double(*)[3])seen->corners;
    place at = {.vertices = {seen->vertices[0], seen->vertices[1], seen->vertices[2]},
                .density = seen->density};
    const double dx = x - c[0][0], dy = y - c[0][1];
    at.weights[1] = (dx * (c[2][1] - c[0][1]) - dy * (c[2][0] - c[0][0])) * seen->over;
    at.weights[2] = ((c[1][0] - c[0][0]) * dy - (c[1][1] - c[0][1]) * dx) * seen->over;
    at.weights[1] = clamped(at.weights[1], 0, 1);
    at.weights[2] = clamped(at.weights[2], 0, 1);
    at.weights[0] = 1 - at.weights[1] - at.weights[2];
    return at;
}

static double interpolated(const place *at, const float *values, uint32_t stride, uint32_t component) {
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += at->weights[k] * (double)values[(size_t)at->vertices[k] * stride + component];
    return sum;
}

static void texture_there(const mst_painter *p, const mst_view_part *part, const place *at,
                          const mst_texels *texture, double color[4]) {
    const float *texcoords = part->primitive->texcoords;
    const double uv[2] = {interpolated(at, texcoords, 2, 0), interpolated(at, texcoords, 2, 1)};
    if (MST_UNREACHABLE(!part->material)) { /* images belong to materials */
        memset(color, 0, 4 * sizeof *color);
        return;
    }
    texture_color(p, part, texture, uv, 2 * at->density * texture->side, color);
}

/* The material's colour at the place, linear, with alpha. */
static void surface_color(const mst_painter *p, const mst_view_part *part, const place *at, double color[4]) {
    const mst_primitive *primitive = part->primitive;
    for (uint32_t c = 0; c < 4; c++) {
        color[c] = part->material ? (double)part->material->color[c] : c < 3 ? 0.5 : 1;
        if (primitive->colors)
            color[c] *= interpolated(at, primitive->colors, 4, c);
    }
    if (part->image) {
        double texture[4];
        texture_there(p, part, at, part->image, texture);
        for (int c = 0; c < 4; c++)
            color[c] *= texture[c];
    }
}

static uint8_t to_srgb(const mst_painter *p, double value) {
    return p->srgb_of_linear[value > 0 ? value < 1 ? (size_t)(value * 4095 + 0.5) : 4095 : 0];
}

/* The light at a place of a triangle. */
static void lamp_light(const mst_painter *p, const mst_view_triangle *t, const place *at,
                       const double normal[3], double lit[3]) {
    double point[3] = {0};
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            point[c] += at->weights[k] * (double)t->corners[k][c];
    mst_lamps_at(p->world->lamps, point, normal, lit);
    for (int c = 0; c < 3; c++)
        lit[c] = lit[c] * p->power + p->rest;
}

/* Bright light makes colours paler, but not flat. */
static double toned(double value) {
    return value * (1 + value / 9) / (1 + value);
}

static rgb solid_color(mst_painter *p, uint32_t id, double x, double y) {
    const mst_view_triangle *t = &p->world->triangles[id - 1];
    const mst_view_part *part = &p->world->parts[t->part];
    const mst_projection *view = p->projection;
    place at = place_of(p, t, x, y);
    double normal[3] = {(double)t->normal[0], (double)t->normal[1], (double)t->normal[2]};
    if (part->primitive->normals) {
        double own[3], length = 0, along = 0, turned[3];
        for (uint32_t c = 0; c < 3; c++)
            own[c] = interpolated(&at, part->primitive->normals, 3, c);
        for (int c = 0; c < 3; c++) {
            turned[c] = (double)part->turn[c * 3] * own[0] + (double)part->turn[c * 3 + 1] * own[1] +
                        (double)part->turn[c * 3 + 2] * own[2];
            turned[c] = part->mirrored ? -turned[c] : turned[c];
            length += turned[c] * turned[c];
            along += turned[c] * normal[c];
        }
        /* A normal that is not finite, or opposes its face, is ignored. */
        if (length > 0 && length < 1e30 && along > 0)
            for (int c = 0; c < 3; c++)
                normal[c] = turned[c] / sqrt(length);
    }
    double facing = normal[0] * view->near[0] + normal[1] * view->near[1] + normal[2] * view->near[2];
    double flip = facing < 0 ? -1 : 1; /* the back of a double-sided surface */
    /* A lamp over the viewer's left shoulder, and light from the sky. */
    double side =
        -(normal[0] * view->right[0] + normal[1] * view->right[1] + normal[2] * view->right[2]) * flip;
    double light = 0.34 + 0.30 * fabs(facing) + 0.26 * clamped(side * 0.7 + 0.3, 0, 1) +
                   0.22 * clamped(normal[1] * flip, 0, 1);
    bool unlit = part->material && part->material->unlit;
    double color[4];
    surface_color(p, part, &at, color);
    double brighter = unlit ? p->exposure : part->image && !p->world->lamps ? p->painted : 1;
    for (int c = 0; c < 3; c++) /* keeps bright colours below white */
        color[c] = color[c] * brighter / (1 + clamped(color[c], 0, 1) * (brighter - 1));
    if (unlit)
        light = 0.6 + light * 0.4;
    if (p->world->lamps && !unlit) {
        const double flipped[3] = {normal[0] * flip, normal[1] * flip, normal[2] * flip};
        double lit[3];
        lamp_light(p, t, &at, flipped, lit);
        light = 0.7 + light * 0.3;
        for (int c = 0; c < 3; c++)
            color[c] = toned(color[c] * lit[c]);
    }
    /* Dark levels should stay visible: a little grey lifts black materials. */
    rgb result = {to_srgb(p, color[0] * 0.94 + 0.012), to_srgb(p, color[1] * 0.94 + 0.012),
                  to_srgb(p, color[2] * 0.94 + 0.012)};
    result = scaled(result, clamped(light, 0, 1.08));
    if (part->glow) {
        double glow[4] = {0, 0, 0, 0};
        texture_there(p, part, &at, part->glow, glow);
        result.r = clamped(result.r + to_srgb(p, glow[0]), 0, 255);
        result.g = clamped(result.g + to_srgb(p, glow[1]), 0, 255);
        result.b = clamped(result.b + to_srgb(p, glow[2]), 0, 255);
    }
    return result;
}

/* Prelit levels may be made for dark rooms, and textures for bright lamps: the factor that brings the colours
 * of surfaces that are prelit, or textured and not prelit, to the target brightness; at least 1. */
static double find_exposure(const mst_painter *p, bool prelit, double target, double max) {
    const mst_view_world *world = p->world;
    double sum = 0, weights = 0;
    for (size_t i = 0; i < world->triangle_count; i++) {
        const mst_view_triangle *t = &world->triangles[i];
        const mst_view_part *part = &world->parts[t->part];
        const mst_primitive *primitive = part->primitive;
        if (!part->material || !part->material->unlit == prelit || (!prelit && !part->image))
            continue;
        bool away = !(mst_view_dot(p->projection->near, t->normal) > 0) && !part->material->double_sided;
        if (!prelit && away)
            continue; /* such as ceilings */
        static const double shares[3] = {0.2126, 0.7152, 0.0722};
        uint32_t vertex = primitive->indices ? primitive->indices[t->index] : t->index;
        double brightness = 0, weight = (double)(t->area < world->area_max ? t->area : world->area_max);
        for (uint32_t c = 0; c < 3; c++) {
            double value = (double)part->material->color[c];
            if (primitive->colors)
                value *= (double)primitive->colors[(size_t)vertex * 4 + c];
            if (part->image)
                value *= (double)p->linear_of_srgb[part->image->average[c]];
            brightness += shares[c] * clamped(value, 0, 1);
        }
        sum += brightness * weight;
        weights += weight;
    }
    return sum > 0 ? clamped(target * weights / sum, 1, max) : 1;
}

/* Samples triangles at regular intervals: their brightness in the lights, with power 1, and their own
 * brightness. */
static size_t look_at_lamps(const mst_painter *p, float *lit, float *own, float *weights) {
    const mst_view_world *world = p->world;
    static const double shares[3] = {0.2126, 0.7152, 0.0722};
    size_t count = 0, step = world->triangle_count / LAMPS_LOOKED + 1;
    for (size_t i = 0; i < world->triangle_count; i += step) {
        const mst_view_triangle *t = &world->triangles[i];
        const mst_view_part *part = &world->parts[t->part];
        if (!part->material || part->material->unlit || t->normal[1] < -MST_VIEW_FLOOR)
            continue; /* ceilings are not seen */
        double point[3], light[3],
            normal[3] = {(double)t->normal[0], (double)t->normal[1], (double)t->normal[2]};
        const float *corner = t->corners[i / step % 3]; /* between a corner and the middle */
        for (int c = 0; c < 3; c++)
            point[c] = ((double)t->corners[0][c] + (double)t->corners[1][c] + (double)t->corners[2][c] +
                        3 * (double)corner[c]) /
                       6;
        mst_lamps_at(world->lamps, point, normal, light);
        double sum = 0, mean = 0;
        for (int c = 0; c < 3; c++) {
            double color = clamped((double)part->material->color[c], 0, 1);
            if (part->image)
                color *= (double)p->linear_of_srgb[part->image->average[c]];
            sum += shares[c] * light[c] * color;
            mean += shares[c] * color;
        }
        lit[count] = (float)sum;
        own[count] = (float)mean;
        weights[count++] = t->area < world->area_max ? t->area : world->area_max;
    }
    return count;
}

/* Finds the strength of the lights that gives surfaces of medium brightness on average. */
static mst_status find_power(mst_painter *p) {
    float *lit = mst_arena_take(p->world->arena, LAMPS_LOOKED, sizeof *lit),
          *own = mst_arena_take(p->world->arena, LAMPS_LOOKED, sizeof *own),
          *weights = mst_arena_take(p->world->arena, LAMPS_LOOKED, sizeof *weights);
    if (!lit || !own || !weights)
        return MST_NO_MEMORY;
    size_t count = look_at_lamps(p, lit, own, weights);
    double weight = 0, mean = 0, low = 1e-9, high = 1e9;
    for (size_t i = 0; i < count; i++) {
        weight += (double)weights[i];
        mean += (double)(own[i] * weights[i]);
    }
    p->rest = mean > 0 ? LAMPS_REST * weight / mean : 1;
    for (int step = 0; step < 40; step++) {
        double sum = 0;
        p->power = sqrt(low * high);
        for (size_t i = 0; i < count; i++)
            sum += sqrt(toned((double)lit[i] * p->power + (double)own[i] * p->rest)) * (double)weights[i];
        *(sum < LAMPS_MEAN * weight ? &low : &high) = p->power;
    }
    return MST_OK;
}

/* Rejects samples in the holes of masked textures and of blended surfaces. */
static bool not_a_hole(void *user, uint32_t id, int32_t x, int32_t y, float depth) {
    mst_painter *p = user;
    const mst_view_triangle *t = &p->world->triangles[id - 1];
    const mst_view_part *part = &p->world->parts[t->part];
    (void)depth;
    place at = place_of(p, t, x + 0.5, y + 0.5);
    double color[4];
    surface_color(p, part, &at, color);
    if (part->material->alpha_mode == MST_ALPHA_MASK)
        return color[3] >= (double)part->material->alpha_cutoff;
    /* A blended surface covers a share of a pixel's four samples that matches its alpha. */
    static const double min[4] = {0.1, 0.6, 0.85, 0.35};
    return color[3] >= min[(y & 1) * 2 + (x & 1)];
}

static void draw_solid_band(mst_painter *p) {
    const mst_view_world *world = p->world;
    mst_samples_clear(&p->samples);
    for (size_t i = 0; i < world->triangle_count; i++) {
        const mst_view_triangle *t = &world->triangles[i];
        const mst_material *material = world->parts[t->part].material;
        double low, high, corners[3][3];
        if (!(mst_view_dot(p->projection->near, t->normal) > 0) && !(material && material->double_sided))
            continue;
        heights(t, &low, &high);
        if (low > world->height.high || high < world->height.low || low >= world->cut)
            continue;
        for (int k = 0; k < 3; k++)
            to_samples(p->projection, t->corners[k], corners[k]);
        if (outside(p, (const double(*)[3])corners, 0))
            continue;
        bool holes = material && material->alpha_mode != MST_ALPHA_OPAQUE;
        mst_samples_triangle(&p->samples, (const double(*)[3])corners, (uint32_t)i + 1,
                             holes ? not_a_hole : NULL, p);
    }
}

/* The strength of an edge at a sample: where depth jumps, and where faces meet. */
static double edge_at(const mst_painter *p, int32_t x, int32_t y, size_t here) {
    double strength = 0, depth = (double)p->samples.depth[here];
    const float *normal = p->world->triangles[p->samples.id[here] - 1].normal;
    for (int axis = 0; axis < 2; axis++) {
        size_t at[2] = {0, 0};
        int32_t dx = axis ? 0 : EDGE, dy = axis ? EDGE : 0;
        bool before = sample_at(p, x - dx, y - dy, &at[0]), after = sample_at(p, x + dx, y + dy, &at[1]);
        if (!before || !after) {
            strength += 0.5;
            continue;
        }
        const uint32_t *ids = p->samples.id;
        if (ids[at[0]] == ids[here] && ids[at[1]] == ids[here])
            continue;
        /* On one plane depth changes evenly. */
        double bend = fabs((double)p->samples.depth[at[0]] + (double)p->samples.depth[at[1]] - 2 * depth);
        strength += clamped(bend * p->projection->scale / 14 - 0.35, 0, 1) * 0.8;
        const float *other = p->world->triangles[p->samples.id[at[1]] - 1].normal;
        double same = (double)(normal[0] * other[0] + normal[1] * other[1] + normal[2] * other[2]);
        strength += clamped((0.85 - same) * 2, 0, 0.45);
    }
    return clamped(strength, 0, 1);
}

/* ---- bands ------------------------------------------------------------------------------------------- */

/* The samples of a pixel: the object that each shows, and its depth. take_same takes all samples that show
 * the same object as `first` and have not been taken yet, and returns their centre. */
typedef struct four_samples {
    uint32_t ids[4]; /* 0: nothing, or taken */
    float depths[4];
} four_samples;

typedef struct middle {
    double x, y, depth; /* x and y from the pixel's corner, in samples */
    int count;
} middle;

static middle take_same(four_samples *s, int first) {
    const uint32_t id = s->ids[first];
    middle m = {0};
    for (int k = first; k < 4; k++) {
        if (s->ids[k] != id)
            continue;
        m.x += (k & 1) + 0.5;
        m.y += (k >> 1) + 0.5;
        m.depth += (double)s->depths[k];
        m.count++;
        s->ids[k] = 0;
    }
    m.x /= m.count;
    m.y /= m.count;
    m.depth /= m.count;
    return m;
}

/* The colours of one pixel's four samples, with effects of its surroundings. The samples of one triangle have
 * one colour, taken at their centre, as graphics cards do it: textures are already as coarse as pixels. */
static void paint_pixel(mst_painter *p, int32_t x, int32_t y, double interval) {
    const bool map = p->map;
    const size_t width = (size_t)p->samples.width;
    const size_t corner = (size_t)(2 * y - p->samples.top) * width + 2 * (size_t)x;
    const size_t places[4] = {corner, corner + 1, corner + width, corner + width + 1};
    four_samples samples;
    rgb sum = {0, 0, 0};
    int covered = 0, first = 4;
    for (int k = 3; k >= 0; k--) {
        samples.ids[k] = p->samples.id[places[k]];
        samples.depths[k] = p->samples.depth[places[k]];
        first = samples.ids[k] ? k : first;
    }
    if (first == 4)
        return;
    for (int k = first; k < 4; k++) {
        const uint32_t id = samples.ids[k];
        if (!id)
            continue;
        const middle m = take_same(&samples, k);
        rgb color = map ? map_color(p->world, p->projection, &p->world->triangles[(id & ~WALL) - 1],
                                    id & WALL, (float)m.depth)
                        : solid_color(p, id, x * 2 + m.x, y * 2 + m.y);
        sum = (rgb){sum.r + color.r * m.count, sum.g + color.g * m.count, sum.b + color.b * m.count};
        covered += m.count;
    }
    const size_t here = places[first];
    const int32_t first_x = x * 2 + (first & 1), first_y = y * 2 + (first >> 1);
    double dim = 1;
    if (!map) {
        dim -= 0.45 * edge_at(p, first_x, first_y, here);
    } else if (!p->world->map && !(p->samples.id[here] & WALL)) {
        dim -= 0.5 * shut_in(p, first_x, first_y, here);
        if (!p->world->symbolic && contour_at(p, first_x, first_y, here, interval))
            dim *= 0.84;
    }
    sum = scaled(sum, dim / covered);
    mst_canvas_blend(p->canvas, p->frame->x + x, p->frame->y + y, to_bytes(sum), covered / 4.0);
}

mst_painter *mst_painter_begin(const mst_view_world *world, const mst_projection *projection,
                               const mst_view_frame *frame, int32_t picture_width, bool map) {
    mst_painter *p = mst_arena_zero(world->arena, 1, sizeof *p);
    if (!p)
        return NULL;
    p->world = world;
    p->projection = projection;
    p->frame = frame;
    p->map = map;
    p->unit = picture_width > 1600 ? picture_width / 1600.0 : 1;
    p->margin = map ? (int32_t)(12 * p->unit) : EDGE;
    p->samples.width = frame->width * 2;
    int32_t rows = BAND_SAMPLES / p->samples.width;
    const int32_t least = p->margin > 64 ? p->margin : 64; /* its surroundings move with each band */
    rows = rows > least ? rows : least;
    rows = rows < frame->height * 2 ? rows / 2 * 2 : frame->height * 2;
    p->rows = rows + 2 * p->margin;
    size_t count = (size_t)p->samples.width * (size_t)p->rows;
    p->samples.depth = mst_arena_take(world->arena, count, sizeof(float));
    p->samples.id = mst_arena_take(world->arena, count, sizeof(uint32_t));
    find_ways(p);
    p->srgb_of_linear = mst_arena_take(world->arena, 4096, 1);
    p->linear_of_srgb = mst_arena_take(world->arena, 256, sizeof(float));
    if (!p->samples.depth || !p->samples.id || !p->srgb_of_linear || !p->linear_of_srgb)
        return NULL;
    for (int i = 0; i < 4096; i++)
        p->srgb_of_linear[i] = (uint8_t)(mst_srgb_of_linear((float)i / 4095) * 255 + 0.5f);
    for (int i = 0; i < 256; i++)
        p->linear_of_srgb[i] = mst_linear_of_srgb((float)i / 255);
    p->exposure = map ? 1 : find_exposure(p, true, EXPOSED, EXPOSURE_MAX);
    p->painted = map || world->object ? 1 : find_exposure(p, false, PAINTED, PAINTED_MAX);
    return !world->lamps || map || find_power(p) == MST_OK ? p : NULL;
}

/* Makes the rows of samples from `top` on, and those around them; existing ones are kept. */
static void advance(mst_painter *p, int32_t top) {
    mst_samples *all = &p->samples;
    const size_t width = (size_t)all->width;
    const int32_t end = all->top + all->rows;
    const int32_t kept = all->rows && top >= all->top && top < end ? end - top : 0;
    memmove(all->depth, all->depth + (size_t)(all->rows - kept) * width,
            (size_t)kept * width * sizeof *all->depth);
    memmove(all->id, all->id + (size_t)(all->rows - kept) * width, (size_t)kept * width * sizeof *all->id);
    *all = (mst_samples){.width = all->width,
                         .top = top + kept,
                         .rows = p->rows - kept,
                         .depth = all->depth + (size_t)kept * width,
                         .id = all->id + (size_t)kept * width};
    if (p->map)
        draw_map_band(p);
    else
        draw_solid_band(p);
    *all = (mst_samples){.width = all->width,
                         .top = top,
                         .rows = p->rows,
                         .depth = all->depth - (size_t)kept * width,
                         .id = all->id - (size_t)kept * width};
}

void mst_painter_paint(mst_painter *p, mst_canvas *canvas) {
    const mst_view_frame *frame = p->frame;
    const int32_t first = canvas->top - frame->y, last = first + canvas->rows;
    const int32_t from = first > 0 ? first : 0, end = last < frame->height ? last : frame->height;
    const int32_t rows = (p->rows - 2 * p->margin) / 2;
    const double interval = contour_interval(p->world);
    p->canvas = canvas;
    for (int32_t top = from; top < end; top += rows) {
        advance(p, 2 * top - p->margin);
        for (int32_t y = top; y < end && y < top + rows; y++)
            for (int32_t x = 0; x < frame->width; x++)
                paint_pixel(p, x, y, interval);
    }
}
