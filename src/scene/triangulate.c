/* SPDX-License-Identifier: MIT */
/*
 * Ear clipping. Two of the three axes are kept, so that coordinates equal the file's: the sign of a cross
 * product of their differences is nearly always exact, and no tolerance is needed. A tree of boxes finds
 * candidates in a triangle or on a ray, so that each corner takes about as long in a large polygon as in a
 * small one. Where that does not help, `patience` bounds the time: the rest is clipped without tests.
 */
#include "../core/arena.h"
#include "geometry.h"
#include "near.h"
#include <math.h>
#include <stdlib.h>

#define NONE     MST_NO_ITEM
#define PATIENCE 2048 /* steps for each corner; difficult polygons take a tenth of it */

typedef enum corner_kind {
    CORNER_EAR,     /* may be cut off */
    CORNER_BLOCKED, /* convex, but another point is in its triangle */
    CORNER_REFLEX,  /* not convex, or straight */
    CORNER_FLAT     /* a spike or a repeated point: can be dropped without loss of area */
} corner_kind;

typedef struct corner {
    double x, y;
    uint32_t point;          /* index among the caller's points */
    uint32_t previous, next; /* around the polygon */
    uint32_t place;          /* index in `ring` */
    uint8_t kind;
    uint8_t blocker; /* reflex, so it may be in an ear */
    uint8_t joined;  /* in the border's ring */
} corner;

typedef struct hole {
    double x, y;
    uint32_t corner; /* its leftmost one */
} hole;

typedef struct polygon {
    corner *corners;
    uint32_t count;
    mst_box_tree tree; /* while holes are joined: of the edges from the corners; then of the reflex corners */
    uint32_t *ring;    /* the corners in order */
    mst_marks to_cut;  /* by place: ears and flat corners */
    uint64_t patience; /* remaining steps */
    uint32_t *triangles;
    size_t triangle_count;
} polygon;

static void spend(polygon *p, uint64_t steps) {
    p->patience -= steps < p->patience ? steps : p->patience;
}

/* Twice the area of a triangle; positive if counter-clockwise. */
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
    int u, v; /* the axes kept */
} projection;

/* Adds a loop as a ring of corners. Returns its first corner, NONE if fewer than 3 usable points remain. */
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

/* Whether the segment from a corner to a point begins inside the polygon. */
static bool begins_inside(const polygon *p, const corner *a, const corner *b) {
    const corner *previous = &p->corners[a->previous], *next = &p->corners[a->next];
    if (cross(previous, a, next) > 0)
        return cross(a, b, next) <= 0 && cross(a, previous, b) <= 0;
    return cross(a, b, previous) > 0 || cross(a, next, b) > 0;
}

/* For two corners at the same position: whether the angle of `a` contains that of `b`. */
static bool contains_angle(const polygon *p, const corner *a, const corner *b) {
    return cross(&p->corners[a->previous], a, &p->corners[b->previous]) > 0 &&
           cross(&p->corners[b->next], a, &p->corners[a->next]) > 0;
}

static bool in_triangle(double ax, double ay, double bx, double by, double cx, double cy, const corner *p) {
    return (cx - p->x) * (ay - p->y) >= (ax - p->x) * (cy - p->y) &&
           (ax - p->x) * (by - p->y) >= (bx - p->x) * (ay - p->y) &&
           (bx - p->x) * (cy - p->y) >= (cx - p->x) * (by - p->y);
}

static mst_box edge_box(const corner *a, const corner *b) {
    return (mst_box){fmin(a->x, b->x), fmin(a->y, b->y), fmax(a->x, b->x), fmax(a->y, b->y)};
}

/* The point where a ray to the left hits an edge of the ring. */
typedef struct hit {
    double x;
    uint32_t end;     /* the edge's left end; NONE: no edge is hit */
    uint32_t touched; /* a corner at the same position as the ray's start; NONE: there is none */
    bool open;        /* the hole's next edge begins inside the polygon at `touched` */
} hit;

static hit look_left(polygon *p, const corner *h) {
    hit result = {-INFINITY, NONE, NONE, false};
    mst_box_search search = mst_box_search_begin(&p->tree, (mst_box){-INFINITY, h->y, h->x, h->y});
    for (uint32_t i; !result.open && (i = mst_box_search_next(&search)) != NONE;) {
        const corner *a = &p->corners[i], *b = &p->corners[a->next];
        if (!a->joined)
            continue;
        if (same(a, h)) {
            result.open = begins_inside(p, a, &p->corners[h->next]);
            result.touched = i;
        }
        if (h->y <= a->y && h->y >= b->y && a->y != b->y) {
            double x = a->x + (h->y - a->y) * (b->x - a->x) / (b->y - a->y);
            if (x <= h->x && x > result.x) {
                result.x = search.within.left = x;
                result.end = a->x < b->x ? i : a->next;
            }
        }
    }
    spend(p, search.steps);
    return result;
}

/*
 * The corner of the ring to which a hole's leftmost corner is joined, by Eberly's method: a ray to the left
 * hits an edge, whose left end is visible unless corners are in the triangle between; of those the one at the
 * smallest angle to the ray is visible. NONE if the hole is not inside.
 */
static uint32_t find_bridge(polygon *p, const corner *h) {
    const hit met = look_left(p, h);
    if (met.touched != NONE)
        return met.touched;
    if (met.end == NONE || met.x == h->x || !p->patience)
        return met.end;
    uint32_t best = met.end;
    const corner *end = &p->corners[best];
    double min = INFINITY;
    mst_box_search search =
        mst_box_search_begin(&p->tree, (mst_box){end->x, fmin(end->y, h->y), h->x, fmax(end->y, h->y)});
    for (uint32_t i; (i = mst_box_search_next(&search)) != NONE;) {
        const corner *c = &p->corners[i];
        const double first = h->y < end->y ? h->x : met.x, last = h->y < end->y ? met.x : h->x;
        if (c->joined && c->x < h->x && c->x >= end->x &&
            in_triangle(first, h->y, end->x, end->y, last, h->y, c) && begins_inside(p, c, h)) {
            double slope = fabs(h->y - c->y) / (h->x - c->x);
            const corner *b = &p->corners[best];
            if (slope < min || (slope == min && (c->x > b->x || (c->x == b->x && contains_angle(p, b, c))))) {
                best = i;
                min = slope;
            }
        }
    }
    spend(p, search.steps);
    return best;
}

/* Marks a ring as one that holes can be joined to. */
static void enter_ring(polygon *p, uint32_t first) {
    uint32_t i = first;
    do {
        p->corners[i].joined = 1;
        mst_box_tree_enter(&p->tree, i);
        i = p->corners[i].next;
    } while (i != first);
}

/* Joins two rings by a bridge, an edge in both directions between two corners, which are duplicated. */
static void join(polygon *p, uint32_t a, uint32_t b) {
    uint32_t a2 = p->count++, b2 = p->count++;
    corner *c = p->corners;
    enter_ring(p, b);
    c[a2] = c[a];
    c[b2] = c[b];
    c[c[a].next].previous = a2;
    c[c[b].previous].next = b2;
    c[a].next = b;
    c[b].previous = a;
    c[b2].next = a2;
    c[a2].previous = b2;
    const mst_box bridge = edge_box(&c[a], &c[b]);
    mst_box_tree_add(&p->tree, a2, a);
    mst_box_tree_add(&p->tree, b2, b);
    mst_box_tree_enter(&p->tree, a2);
    mst_box_tree_enter(&p->tree, b2);
    mst_box_tree_grow(&p->tree, a, bridge);
    mst_box_tree_grow(&p->tree, b2, bridge);
}

static int compare_holes(const void *left, const void *right) {
    const hole *a = left, *b = right;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return (a->corner > b->corner) - (a->corner < b->corner);
}

static hole leftmost_of(const polygon *p, uint32_t first) {
    uint32_t min = first;
    for (uint32_t i = p->corners[first].next; i != first; i = p->corners[i].next) {
        const corner *a = &p->corners[i], *b = &p->corners[min];
        if (a->x < b->x || (a->x == b->x && a->y < b->y))
            min = i;
    }
    return (hole){p->corners[min].x, p->corners[min].y, min};
}

/* ---- clipping ---- */

/* Whether the direction from b to q is inside the convex angle a, b, c. */
static bool in_angle(const corner *a, const corner *b, const corner *c, const corner *q) {
    return cross(b, c, q) > 0 && cross(a, b, q) > 0;
}

static bool blocks(const polygon *p, const corner *q, const corner *a, const corner *b, const corner *c) {
    if (!q->blocker || same(q, a) || same(q, c))
        return false;
    if (same(q, b))
        return in_angle(a, b, c, &p->corners[q->previous]) || in_angle(a, b, c, &p->corners[q->next]);
    return cross(a, b, q) >= 0 && cross(b, c, q) >= 0 && cross(c, a, q) >= 0;
}

static bool blocked(polygon *p, const corner *b) {
    const corner *a = &p->corners[b->previous], *c = &p->corners[b->next];
    const double edges[3][4] = {{a->x, a->y, b->x, b->y}, {b->x, b->y, c->x, c->y}, {c->x, c->y, a->x, a->y}};
    mst_box_search search =
        mst_box_search_begin(&p->tree, (mst_box){fmin(fmin(a->x, b->x), c->x), fmin(fmin(a->y, b->y), c->y),
                                                 fmax(fmax(a->x, b->x), c->x), fmax(fmax(a->y, b->y), c->y)});
    search.edges = edges;
    search.edge_count = 3;
    bool found = false;
    for (uint32_t i; !found && (i = mst_box_search_next(&search)) != NONE;)
        found = blocks(p, &p->corners[i], a, b, c);
    spend(p, search.steps);
    return found;
}

static void set_blocker(polygon *p, uint32_t index, bool blocker) {
    corner *c = &p->corners[index];
    if (c->blocker == blocker)
        return;
    c->blocker = blocker;
    if (blocker)
        mst_box_tree_enter(&p->tree, index);
    else
        mst_box_tree_leave(&p->tree, index);
}

static void set_kind(polygon *p, corner *c, corner_kind kind) {
    c->kind = (uint8_t)kind;
    mst_marks_set(&p->to_cut, c->place, kind == CORNER_EAR || kind == CORNER_FLAT);
}

/* Classifies a corner by its neighbours alone; a convex one is blocked until find_ear. */
static void classify(polygon *p, uint32_t index) {
    corner *b = &p->corners[index];
    const corner *a = &p->corners[b->previous], *c = &p->corners[b->next];
    double area = cross(a, b, c);
    if (area > 0)
        set_kind(p, b, CORNER_BLOCKED);
    else if (area == 0 &&
             (same(a, b) || same(b, c) || (a->x - b->x) * (c->x - b->x) + (a->y - b->y) * (c->y - b->y) > 0))
        set_kind(p, b, CORNER_FLAT);
    else
        set_kind(p, b, CORNER_REFLEX);
    set_blocker(p, index, b->kind == CORNER_REFLEX);
}

static void find_ear(polygon *p, uint32_t index) {
    corner *c = &p->corners[index];
    if (c->kind == CORNER_EAR || c->kind == CORNER_BLOCKED)
        set_kind(p, c, p->patience && blocked(p, c) ? CORNER_BLOCKED : CORNER_EAR);
}

static void find_all_ears(polygon *p, uint32_t start) {
    uint32_t i = start;
    do {
        find_ear(p, i);
        i = p->corners[i].next;
    } while (i != start);
}

/* The first corner to cut at `start` or after it, around the ring. */
static uint32_t next_to_cut(const polygon *p, uint32_t start) {
    uint32_t place = mst_marks_next(&p->to_cut, p->corners[start].place);
    if (place == NONE)
        place = mst_marks_next(&p->to_cut, 0);
    return place == NONE ? NONE : p->ring[place];
}

/* If there is no ear, cutting off the smallest triangle does the least harm. */
static uint32_t least_harm(polygon *p, uint32_t start) {
    double min = INFINITY;
    uint32_t best = NONE, i = start;
    do {
        const corner *c = &p->corners[i];
        if (c->kind == CORNER_BLOCKED) {
            double area = cross(&p->corners[c->previous], c, &p->corners[c->next]);
            if (area < min) {
                min = area;
                best = i;
            }
        }
        i = c->next;
        spend(p, 1);
    } while (i != start);
    return best;
}

static void clip(polygon *p, uint32_t start) {
    uint32_t remaining = 0, i = start;
    do {
        p->corners[i].place = remaining;
        p->ring[remaining++] = i;
        i = p->corners[i].next;
    } while (i != start);
    for (uint32_t place = 0; place < remaining; place++)
        classify(p, p->ring[place]);
    find_all_ears(p, start);
    while (remaining >= 3) {
        uint32_t cut = next_to_cut(p, start);
        if (cut == NONE) {
            find_all_ears(p, start);
            cut = next_to_cut(p, start);
        }
        if (cut == NONE)
            cut = least_harm(p, start);
        if (cut == NONE)
            return; /* the rest is clockwise */
        corner *c = &p->corners[cut], *a = &p->corners[c->previous], *b = &p->corners[c->next];
        if (c->kind != CORNER_FLAT) {
            uint32_t *triangle = p->triangles + 3 * p->triangle_count++;
            triangle[0] = a->point;
            triangle[1] = c->point;
            triangle[2] = b->point;
        }
        set_kind(p, c, CORNER_REFLEX); /* so that it is not cut again */
        set_blocker(p, cut, false);
        a->next = c->next;
        b->previous = c->previous;
        remaining--;
        classify(p, c->previous);
        classify(p, c->next);
        find_ear(p, c->previous);
        find_ear(p, c->next);
        start = b->next; /* skips the neighbour, to avoid fans of thin triangles */
    }
}

/* Joins the holes to the ring, from left to right. */
static void join_holes(polygon *p, uint32_t border, hole *holes, size_t count) {
    qsort(holes, count, sizeof *holes, compare_holes);
    enter_ring(p, border);
    for (size_t i = 0; i < count; i++) {
        uint32_t bridge = find_bridge(p, &p->corners[holes[i].corner]);
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
    bool turned = normal[axis] < 0; /* swapping the axes makes the border counter-clockwise */
    int u = (axis + 1) % 3, v = (axis + 2) % 3;
    return (projection){points, indices, turned ? v : u, turned ? u : v};
}

/* Makes the tree of boxes of all corners, or of the edges that begin at them. */
static bool make_tree(polygon *p, mst_arena *arena, mst_box *boxes, bool edges, uint32_t capacity) {
    for (uint32_t i = 0; i < p->count; i++) {
        const corner *c = &p->corners[i];
        boxes[i] = edge_box(c, edges ? &p->corners[c->next] : c);
    }
    return mst_box_tree_make(&p->tree, arena, boxes, p->count, capacity);
}

/* Adds the holes to the border, whose area is positive. */
static bool add_holes(polygon *p, mst_arena *arena, mst_box *boxes, const projection *from, uint32_t border,
                      const uint32_t *loop_counts, size_t loop_count, uint32_t capacity) {
    hole *holes = mst_arena_take(arena, loop_count, sizeof *holes);
    size_t start = loop_counts[0], hole_count = 0;
    for (size_t i = 1; holes && i < loop_count; i++) {
        uint32_t loop = add_loop(p, from, start, loop_counts[i]);
        start += loop_counts[i];
        double area = loop == NONE ? 0 : loop_area(p, loop);
        if (area == 0)
            continue;
        if (area > 0)
            reverse_loop(p, loop);
        holes[hole_count++] = leftmost_of(p, loop);
    }
    if (!holes || (hole_count && !make_tree(p, arena, boxes, true, capacity)))
        return false;
    if (hole_count)
        join_holes(p, border, holes, hole_count);
    return true;
}

mst_status mst_polygon_triangulate(const float *points, const uint32_t *indices, const uint32_t *loop_counts,
                                   size_t loop_count, const mst_allocator *allocator, uint32_t *triangles,
                                   size_t *triangle_count) {
    return mst_polygon_triangulate_within(points, indices, loop_counts, loop_count, allocator, PATIENCE,
                                          triangles, triangle_count);
}

mst_status mst_polygon_triangulate_within(const float *points, const uint32_t *indices,
                                          const uint32_t *loop_counts, size_t loop_count,
                                          const mst_allocator *allocator, uint32_t patience,
                                          uint32_t *triangles, /* NOLINT(readability-non-const-parameter) */
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
    const uint32_t capacity = (uint32_t)total;
    mst_arena arena;
    mst_arena_begin(&arena, allocator, 0);
    polygon p = {.corners = mst_arena_take(&arena, capacity, sizeof *p.corners),
                 .ring = mst_arena_take(&arena, capacity, sizeof *p.ring),
                 .triangles = triangles,
                 .patience = patience * (total + 64)};
    mst_box *boxes = mst_arena_take(&arena, capacity, sizeof *boxes);
    bool made = p.corners && p.ring && boxes && mst_marks_make(&p.to_cut, &arena, capacity);
    projection from = choose_axes(points, indices, loop_counts[0]);
    uint32_t border = made ? add_loop(&p, &from, 0, loop_counts[0]) : NONE;
    if (border != NONE && loop_area(&p, border) > 0) {
        made =
            loop_count == 1 || add_holes(&p, &arena, boxes, &from, border, loop_counts, loop_count, capacity);
        made = made && make_tree(&p, &arena, boxes, false, capacity);
        if (made)
            clip(&p, border);
    }
    mst_arena_end(&arena);
    *triangle_count = p.triangle_count;
    return made ? MST_OK : MST_NO_MEMORY;
}
