/* SPDX-License-Identifier: MIT */
/*
 * Ear clipping. Two of the three axes are kept, so that the coordinates are those of the file: the sign of
 * a cross product of such differences is all but always exact, and no tolerance is needed anywhere.
 */
#include "../core/arena.h"
#include "geometry.h"
#include <math.h>
#include <stdlib.h>

#define NONE UINT32_MAX

typedef enum corner_kind {
    CORNER_EAR,     /* may be cut off */
    CORNER_BLOCKED, /* convex, but another point lies in its triangle */
    CORNER_REFLEX,  /* not convex; straight ones too */
    CORNER_FLAT     /* a spike or a repeated point: may be left out, no area is lost */
} corner_kind;

typedef struct corner {
    double x, y;
    uint32_t point;                          /* index among the caller's points */
    uint32_t previous, next;                 /* around the polygon */
    uint32_t previous_blocker, next_blocker; /* list of the reflex corners */
    uint8_t kind;
    uint8_t blocker; /* it is in that list */
} corner;

typedef struct hole {
    double x, y;
    uint32_t corner; /* its leftmost one */
} hole;

typedef struct polygon {
    corner *corners;
    uint32_t count;
    uint32_t first_blocker;
    uint32_t *triangles;
    size_t triangle_count;
} polygon;

/* Twice the area of a triangle; above 0 if it runs counter-clockwise. */
static double cross(const corner *a, const corner *b, const corner *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

static bool same(const corner *a, const corner *b) {
    return a->x == b->x && a->y == b->y;
}

/* ---- building the ring of corners ---- */

typedef struct projection {
    const float *points;
    const uint32_t *indices;
    int u, v; /* the axes that are kept */
} projection;

/* Adds a loop as a ring of corners; returns its first corner, NONE if fewer than 3 points are left of it. */
static uint32_t add_loop(polygon *p, const projection *from, size_t start, uint32_t count) {
    uint32_t first = p->count, used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t point = from->indices ? from->indices[start + i] : (uint32_t)(start + i);
        const float *xyz = from->points + 3 * (size_t)point;
        if (!isfinite(xyz[0]) || !isfinite(xyz[1]) || !isfinite(xyz[2]))
            continue;
        corner *c = &p->corners[first + used];
        *c = (corner){.x = (double)xyz[from->u], .y = (double)xyz[from->v], .point = point};
        if (!used || !same(c, c - 1))
            used++;
    }
    while (used > 1 && same(&p->corners[first], &p->corners[first + used - 1]))
        used--;
    if (used < 3)
        return NONE;
    for (uint32_t i = 0; i < used; i++) {
        p->corners[first + i].next = first + (i + 1) % used;
        p->corners[first + i].previous = first + (i + used - 1) % used;
    }
    p->count += used;
    return first;
}

static double loop_area(const polygon *p, uint32_t first) {
    double area = 0;
    const corner *origin = &p->corners[first];
    for (uint32_t i = origin->next; i != first; i = p->corners[i].next)
        area += cross(origin, &p->corners[i], &p->corners[p->corners[i].next]);
    return area;
}

static void reverse_loop(polygon *p, uint32_t first) {
    uint32_t i = first;
    do {
        corner *c = &p->corners[i];
        uint32_t next = c->next;
        c->next = c->previous;
        c->previous = next;
        i = next;
    } while (i != first);
}

/* ---- joining holes ---- */

/* Whether the way from a corner to a point begins inside the polygon. */
static bool begins_inside(const polygon *p, const corner *a, const corner *b) {
    const corner *previous = &p->corners[a->previous], *next = &p->corners[a->next];
    if (cross(previous, a, next) > 0)
        return cross(a, b, next) <= 0 && cross(a, previous, b) <= 0;
    return cross(a, b, previous) > 0 || cross(a, next, b) > 0;
}

/* Of two corners in the same place: whether the angle of `a` contains that of `b`. */
static bool contains_angle(const polygon *p, const corner *a, const corner *b) {
    return cross(&p->corners[a->previous], a, &p->corners[b->previous]) > 0 &&
           cross(&p->corners[b->next], a, &p->corners[a->next]) > 0;
}

static bool in_triangle(double ax, double ay, double bx, double by, double cx, double cy, const corner *p) {
    return (cx - p->x) * (ay - p->y) >= (ax - p->x) * (cy - p->y) &&
           (ax - p->x) * (by - p->y) >= (bx - p->x) * (ay - p->y) &&
           (bx - p->x) * (cy - p->y) >= (cx - p->x) * (by - p->y);
}

/*
 * The corner of the ring that a hole's leftmost corner can be joined to (Eberly's method): a ray to the left
 * meets an edge; its left end can be seen unless corners lie in the triangle between, of which then the one
 * nearest to the ray can. NONE: the hole is not inside.
 */
static uint32_t find_bridge(const polygon *p, uint32_t ring, const corner *h) {
    double met = -INFINITY;
    uint32_t best = NONE, touching = NONE, i = ring;
    do {
        const corner *a = &p->corners[i], *b = &p->corners[a->next];
        if (same(a, h)) {
            if (begins_inside(p, a, &p->corners[h->next]))
                return i;
            touching = i;
        }
        if (h->y <= a->y && h->y >= b->y && a->y != b->y) {
            double x = a->x + (h->y - a->y) * (b->x - a->x) / (b->y - a->y);
            if (x <= h->x && x > met) {
                met = x;
                best = a->x < b->x ? i : a->next;
            }
        }
        i = a->next;
    } while (i != ring);
    if (touching != NONE)
        return touching;
    if (best == NONE || met == h->x)
        return best;
    const corner *end = &p->corners[best];
    const double end_x = end->x, end_y = end->y;
    double least = INFINITY;
    uint32_t stop = best;
    i = stop;
    do {
        const corner *c = &p->corners[i];
        if (c->x < h->x && c->x >= end_x &&
            in_triangle(h->y < end_y ? h->x : met, h->y, end_x, end_y, h->y < end_y ? met : h->x, h->y, c) &&
            begins_inside(p, c, h)) {
            double slope = fabs(h->y - c->y) / (h->x - c->x);
            const corner *b = &p->corners[best];
            if (slope < least ||
                (slope == least && (c->x > b->x || (c->x == b->x && contains_angle(p, b, c))))) {
                best = i;
                least = slope;
            }
        }
        i = c->next;
    } while (i != stop);
    return best;
}

/* Joins two rings: both corners are doubled, and the way between them is gone there and back. */
static void join(polygon *p, uint32_t a, uint32_t b) {
    uint32_t a2 = p->count++, b2 = p->count++;
    corner *c = p->corners;
    c[a2] = c[a];
    c[b2] = c[b];
    c[c[a].next].previous = a2;
    c[c[b].previous].next = b2;
    c[a].next = b;
    c[b].previous = a;
    c[b2].next = a2;
    c[a2].previous = b2;
}

static int compare_holes(const void *left, const void *right) {
    const hole *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->corner < b->corner ? -1 : a->corner > b->corner;
}

static hole leftmost_of(const polygon *p, uint32_t first) {
    uint32_t least = first;
    for (uint32_t i = p->corners[first].next; i != first; i = p->corners[i].next) {
        const corner *a = &p->corners[i], *b = &p->corners[least];
        if (a->x < b->x || (a->x == b->x && a->y < b->y))
            least = i;
    }
    return (hole){p->corners[least].x, p->corners[least].y, least};
}

/* ---- clipping ---- */

/* Whether the way from b to q leads into the angle a, b, c, which is convex. */
static bool in_angle(const corner *a, const corner *b, const corner *c, const corner *q) {
    return cross(b, c, q) > 0 && cross(a, b, q) > 0;
}

static bool blocked(const polygon *p, const corner *b) {
    const corner *a = &p->corners[b->previous], *c = &p->corners[b->next];
    double left = fmin(fmin(a->x, b->x), c->x), right = fmax(fmax(a->x, b->x), c->x);
    double low = fmin(fmin(a->y, b->y), c->y), high = fmax(fmax(a->y, b->y), c->y);
    for (uint32_t i = p->first_blocker; i != NONE; i = p->corners[i].next_blocker) {
        const corner *q = &p->corners[i];
        if (q->x < left || q->x > right || q->y < low || q->y > high || q == a || q == c || same(q, a) ||
            same(q, c))
            continue;
        if (same(q, b)) {
            if (in_angle(a, b, c, &p->corners[q->previous]) || in_angle(a, b, c, &p->corners[q->next]))
                return true;
        } else if (cross(a, b, q) >= 0 && cross(b, c, q) >= 0 && cross(c, a, q) >= 0) {
            return true;
        }
    }
    return false;
}

static void set_blocker(polygon *p, uint32_t index, bool blocker) {
    corner *c = &p->corners[index];
    if (c->blocker == blocker)
        return;
    c->blocker = blocker;
    if (blocker) {
        c->previous_blocker = NONE;
        c->next_blocker = p->first_blocker;
        if (p->first_blocker != NONE)
            p->corners[p->first_blocker].previous_blocker = index;
        p->first_blocker = index;
        return;
    }
    if (c->previous_blocker == NONE)
        p->first_blocker = c->next_blocker;
    else
        p->corners[c->previous_blocker].next_blocker = c->next_blocker;
    if (c->next_blocker != NONE)
        p->corners[c->next_blocker].previous_blocker = c->previous_blocker;
}

/* Sorts out all that can be said of a corner without the others. */
static void classify(polygon *p, uint32_t index) {
    corner *b = &p->corners[index];
    const corner *a = &p->corners[b->previous], *c = &p->corners[b->next];
    double area = cross(a, b, c);
    if (area > 0)
        b->kind = CORNER_BLOCKED;
    else if (area == 0 &&
             (same(a, b) || same(b, c) || (a->x - b->x) * (c->x - b->x) + (a->y - b->y) * (c->y - b->y) > 0))
        b->kind = CORNER_FLAT;
    else
        b->kind = CORNER_REFLEX;
    set_blocker(p, index, b->kind == CORNER_REFLEX);
}

static void find_ear(polygon *p, uint32_t index) {
    corner *c = &p->corners[index];
    if (c->kind == CORNER_EAR || c->kind == CORNER_BLOCKED)
        c->kind = blocked(p, c) ? CORNER_BLOCKED : CORNER_EAR;
}

static void find_all_ears(polygon *p, uint32_t start) {
    uint32_t i = start;
    do {
        find_ear(p, i);
        i = p->corners[i].next;
    } while (i != start);
}

static uint32_t next_to_cut(const polygon *p, uint32_t start) {
    uint32_t i = start;
    do {
        if (p->corners[i].kind == CORNER_EAR || p->corners[i].kind == CORNER_FLAT)
            return i;
        i = p->corners[i].next;
    } while (i != start);
    return NONE;
}

/* Where nothing can be cut off rightly, the smallest triangle does the least harm. */
static uint32_t least_harm(const polygon *p, uint32_t start) {
    double least = INFINITY;
    uint32_t best = NONE, i = start;
    do {
        const corner *c = &p->corners[i];
        if (c->kind == CORNER_BLOCKED) {
            double area = cross(&p->corners[c->previous], c, &p->corners[c->next]);
            if (area < least) {
                least = area;
                best = i;
            }
        }
        i = c->next;
    } while (i != start);
    return best;
}

static void clip(polygon *p, uint32_t start) {
    uint32_t remaining = 0, i = start;
    do {
        classify(p, i);
        remaining++;
        i = p->corners[i].next;
    } while (i != start);
    find_all_ears(p, start);
    int searches = 8; /* of all corners, in vain: bounded, so that the time is that of a square */
    while (remaining >= 3) {
        uint32_t cut = next_to_cut(p, start);
        if (cut == NONE && searches > 0) {
            searches--;
            find_all_ears(p, start);
            cut = next_to_cut(p, start);
        }
        if (cut == NONE)
            cut = least_harm(p, start);
        if (cut == NONE)
            return; /* what is left runs the other way round */
        corner *c = &p->corners[cut], *a = &p->corners[c->previous], *b = &p->corners[c->next];
        if (c->kind != CORNER_FLAT) {
            uint32_t *triangle = p->triangles + 3 * p->triangle_count++;
            triangle[0] = a->point;
            triangle[1] = c->point;
            triangle[2] = b->point;
        }
        set_blocker(p, cut, false);
        a->next = c->next;
        b->previous = c->previous;
        remaining--;
        classify(p, c->previous);
        classify(p, c->next);
        find_ear(p, c->previous);
        find_ear(p, c->next);
        start = b->next; /* not the neighbour: else long thin fans come out */
    }
}

/* Puts the holes in order from the left and joins each to the ring. */
static void join_holes(polygon *p, uint32_t border, hole *holes, size_t count) {
    if (count > 1)
        qsort(holes, count, sizeof *holes, compare_holes);
    for (size_t i = 0; i < count; i++) {
        uint32_t bridge = find_bridge(p, border, &p->corners[holes[i].corner]);
        if (bridge != NONE)
            join(p, bridge, holes[i].corner);
    }
}

static projection choose_axes(const float *points, const uint32_t *indices, uint32_t count) {
    double normal[3];
    mst_polygon_normal(points, indices, count, normal);
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(normal[i]) > fabs(normal[axis]))
            axis = i;
    bool turned = normal[axis] < 0; /* swapping the axes makes the border run counter-clockwise */
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return (projection){points, indices, turned ? v : u, turned ? u : v};
}

mst_status mst_polygon_triangulate(const float *points, const uint32_t *indices, const uint32_t *loop_counts,
                                   size_t loop_count, const mst_allocator *allocator, uint32_t *triangles,
                                   size_t *triangle_count) {
    uint64_t total = 0;
    *triangle_count = 0;
    if (loop_count == 0 || loop_counts[0] < 3)
        return MST_OK;
    for (size_t i = 0; i < loop_count; i++)
        total += loop_counts[i];
    total += 2 * (uint64_t)(loop_count - 1);
    if (total >= NONE)
        return MST_NO_MEMORY;
    mst_arena arena; /* two pieces, given back together */
    mst_arena_begin(&arena, allocator, 0);
    polygon p = {.corners = mst_arena_take(&arena, (size_t)total, sizeof *p.corners), .first_blocker = NONE};
    p.triangles = triangles;
    hole *holes = mst_arena_take(&arena, loop_count, sizeof *holes);
    bool room = p.corners && holes;
    if (room) {
        projection from = choose_axes(points, indices, loop_counts[0]);
        uint32_t border = add_loop(&p, &from, 0, loop_counts[0]);
        if (border != NONE && loop_area(&p, border) > 0) {
            size_t start = loop_counts[0], hole_count = 0;
            for (size_t i = 1; i < loop_count; i++) {
                uint32_t loop = add_loop(&p, &from, start, loop_counts[i]);
                start += loop_counts[i];
                double area = loop == NONE ? 0 : loop_area(&p, loop);
                if (area == 0)
                    continue;
                if (area > 0)
                    reverse_loop(&p, loop);
                holes[hole_count++] = leftmost_of(&p, loop);
            }
            join_holes(&p, border, holes, hole_count);
            clip(&p, border);
        }
    }
    mst_arena_end(&arena);
    *triangle_count = p.triangle_count;
    return room ? MST_OK : MST_NO_MEMORY;
}
