/* SPDX-License-Identifier: MIT */
/* The surfaces and walls of a map as SVG: the lowest first, each over the preceding ones. */
#include "svg.h"
#include "view.h"

#include <stdlib.h>

typedef struct shape {
    double depth;
    uint32_t triangle, corner; /* of a wall: the start of its line */
    float width;               /* of the line, in pixels; 0: a surface */
    mst_rgba color;
} shape;

static int by_depth(const void *left, const void *right) {
    const shape *a = left, *b = right;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void to_pixel(const mst_projection *p, const mst_view_frame *frame, const float point[3],
                     double pixel[2]) {
    pixel[0] = (mst_view_dot(p->right, point) - p->left) * p->scale + frame->x;
    pixel[1] = (mst_view_dot(p->down, point) - p->top) * p->scale + frame->y;
}

/* Whether no part of a triangle can be in the frame. */
static bool outside(const mst_view_frame *frame, double pixels[3][2]) {
    const double low[2] = {frame->x, frame->y},
                 high[2] = {(double)frame->x + frame->width, (double)frame->y + frame->height};
    for (int axis = 0; axis < 2; axis++) {
        bool before = true, after = true;
        for (int k = 0; k < 3; k++) {
            before = before && !(pixels[k][axis] >= low[axis]);
            after = after && !(pixels[k][axis] <= high[axis]);
        }
        if (before || after)
            return true;
    }
    return false;
}

/* Fills the shape in; false if the map does not show the triangle. */
static bool shape_of(const mst_view_world *world, const mst_projection *projection, double unit,
                     uint32_t index, shape *s) {
    const mst_view_triangle *t = &world->triangles[index];
    double corners[3][3];
    mst_map_look look = {.shown = true};
    float mean = (t->corners[0][1] + t->corners[1][1] + t->corners[2][1]) / 3;
    if (!world->map)
        look = mst_map_look_of(world, projection, unit, t, corners);
    *s = (shape){.depth = world->map  ? (double)index
                          : look.wall ? look.depth
                                      : (double)mean,
                 .triangle = index,
                 .corner = (uint32_t)look.from,
                 .width = look.wall ? (float)(look.width / 2) : 0,
                 .color = mst_map_color_of(world, projection, t, look.wall, mean)};
    return look.shown;
}

static bool same_path(const shape *a, const shape *b) {
    return a->width == b->width && a->color.r == b->color.r && a->color.g == b->color.g &&
           a->color.b == b->color.b;
}

static void write_shape(mst_svg *svg, const shape *s, double pixels[3][2]) {
    const bool wall = s->width > 0;
    mst_svg_move(svg, pixels[wall ? s->corner : 0]);
    mst_svg_go(svg, pixels[wall ? (s->corner + 1) % 3 : 1]);
    if (wall)
        return;
    mst_svg_go(svg, pixels[2]);
    mst_svg_close(svg);
}

mst_status mst_view_write_map(const mst_view_world *world, const mst_projection *projection,
                              const mst_view_frame *frame, mst_canvas *canvas) {
    mst_svg *svg = canvas->svg;
    const double unit = canvas->width > 1600 ? canvas->width / 1600.0 : 1;
    size_t count = 0;
    shape *shapes = mst_arena_take(world->arena, world->triangle_count, sizeof *shapes);
    if (!shapes)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < world->triangle_count; i++)
        count += shape_of(world, projection, unit, (uint32_t)i, &shapes[count]);
    if (count)
        qsort(shapes, count, sizeof *shapes, by_depth);
    mst_svg_begin_clip(svg, frame->x + frame->width, frame->y + frame->height);
    const shape *open = NULL; /* the path being written has the style of this one */
    for (size_t i = 0; i < count; i++) {
        const shape *s = &shapes[i];
        double pixels[3][2];
        for (int k = 0; k < 3; k++)
            to_pixel(projection, frame, world->triangles[s->triangle].corners[k], pixels[k]);
        if (outside(frame, pixels))
            continue;
        if (open && !same_path(open, s)) {
            mst_svg_end_path(svg);
            open = NULL;
        }
        if (!open && s->width > 0)
            mst_svg_begin_stroke(svg, (double)s->width, s->color);
        else if (!open)
            mst_svg_begin_area(svg, s->color);
        open = s;
        write_shape(svg, s, pixels);
    }
    if (open)
        mst_svg_end_path(svg);
    mst_svg_end_clip(svg);
    return MST_OK;
}
