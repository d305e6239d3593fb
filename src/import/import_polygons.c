/* SPDX-License-Identifier: MIT */
/*
 * Faces of new or changed geometry of a model: triangles of one material in one plane that share edges become
 * one piece. Of the pieces that have the number of a face of the level, one is this face, which is changed in
 * place: the one in its plane, else one parallel to it, such as the end of an extrusion. It is the original
 * face of the other pieces, and of connected ones without a number (as made by a boolean): they are new faces
 * on its layers and in its groups.
 */
#include "../core/diagnose.h"
#include "../core/lower_bound.h"
#include "../core/vector.h"
#include "faces.h"
#include <math.h>
#include <stdlib.h>

#define SAME_NORMAL 0.999
#define SAME_PLANE  1e-3 /* metres */
#define ROUNDS      64   /* of searching connected pieces */

typedef struct flat {
    double normal[3], distance;
    uint32_t part;   /* union of triangles: the index of another, or its own */
    uint32_t origin; /* its original face in the level; MST_NO_INDEX: none */
    bool in_plane;   /* in the plane of that */
    bool taken;      /* excluded: it has no area */
} flat;

typedef struct side {
    uint32_t low, high, triangle;
} side;

typedef struct part {
    size_t first, count;
    uint32_t origin;
    unsigned rank; /* match with its original face: 3 is the same, 2 is in its plane, 1 parallel to it */
    double normal[3], area;
} part;

typedef struct make_state {
    mst_face_work *f;
    const mst_face_origin *origins;
    mst_face_triangle *triangles, *sorted; /* by part */
    flat *flats;
    side *sides;
    part *parts;
    uint32_t *part_of; /* of triangles; MST_NO_INDEX: none */
    size_t count, part_count;
    mst_arena *arena;
} make_state;

/* ---- triangles ---- */

static bool weld_corners(make_state *m) {
    mst_weld_points *welding = &m->f->welding;
    for (size_t i = 0; i < 3 * m->count; i++) {
        mst_face_corner *corner = &m->triangles[i / 3].corners[i % 3];
        const uint32_t said = corner->number;
        double at[3] = {0, 0, 0};
        if (said < m->f->vertex_count)
            for (int k = 0; k < 3; k++)
                at[k] = (double)mst_weld_point(welding, said)[k];
        if (said >= m->f->vertex_count || mst_point_distance(at, corner->at) > MST_SAME_POINT)
            corner->number = mst_weld(welding, corner->at);
        if (corner->number == MST_NO_INDEX)
            return false;
        for (int k = 0; k < 3; k++)
            corner->at[k] = (double)mst_weld_point(welding, corner->number)[k];
    }
    return true;
}

static uint32_t find_origin(const make_state *m, uint32_t face) {
    MST_LOWER_BOUND(low, middle, m->f->origins.count, m->origins[middle].face < face);
    return low < m->f->origins.count && m->origins[low].face == face ? (uint32_t)low : MST_NO_INDEX;
}

static bool is_in_plane(const mst_face_triangle *t, const double normal[3], double distance) {
    for (int i = 0; i < 3; i++)
        if (!(fabs(mst_dot(normal, t->corners[i].at) - distance) <= SAME_PLANE))
            return false;
    return true;
}

static void measure(const make_state *m, uint32_t index) {
    const mst_face_triangle *t = &m->triangles[index];
    flat *own = &m->flats[index];
    const mst_face_corner *c = t->corners;
    const bool sliver = mst_is_sliver(t);
    const bool whole = mst_face_plane(t, 1, own->normal, &own->distance);
    own->part = index;
    own->origin = t->face == MST_NO_INDEX ? MST_NO_INDEX : find_origin(m, t->face);
    own->taken = c[0].number == c[1].number || c[1].number == c[2].number || c[2].number == c[0].number;
    const mst_face_origin *origin = own->origin == MST_NO_INDEX ? NULL : &m->origins[own->origin];
    own->in_plane = origin && is_in_plane(t, origin->normal, origin->distance) &&
                    (sliver || mst_dot(own->normal, origin->normal) > SAME_NORMAL);
    if (own->in_plane) {
        memcpy(own->normal, origin->normal, sizeof own->normal);
        own->distance = origin->distance;
    } else {
        own->taken = own->taken || sliver || !whole;
    }
}

/* ---- triangles that are there twice ---- */

typedef struct twin {
    uint32_t corners[3]; /* the lowest first, in their order around the triangle */
    uint32_t origin, triangle;
    int32_t material;
} twin;

static int compare_places(const twin *a, const twin *b) {
    const int corners = memcmp(a->corners, b->corners, sizeof a->corners);
    if (corners || a->origin != b->origin)
        return corners ? corners : a->origin < b->origin ? -1 : 1;
    return (a->material > b->material) - (a->material < b->material);
}

static int compare_twins(const void *left, const void *right) {
    const twin *a = left, *b = right;
    const int order = compare_places(a, b);
    return order ? order : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

/* Duplicated where they are, as Shift+D and Escape leave them. Two faces of the level at one place have two
 * numbers. */
static mst_status leave_out_twins(make_state *m) {
    size_t count = 0;
    twin *all = mst_arena_take(m->arena, m->count, sizeof *all);
    if (!all)
        return mst_importing_no_memory(m->f->w);
    for (uint32_t i = 0; i < m->count; i++) {
        const mst_face_corner *c = m->triangles[i].corners;
        const size_t low = c[0].number < c[1].number ? (c[0].number < c[2].number ? 0 : 2)
                                                     : (c[1].number < c[2].number ? 1 : 2);
        all[i] = (twin){{c[low].number, c[(low + 1) % 3].number, c[(low + 2) % 3].number},
                        m->flats[i].origin,
                        i,
                        m->triangles[i].material};
    }
    if (m->count > 1)
        qsort(all, m->count, sizeof *all, compare_twins);
    for (size_t i = 1; i < m->count; i++)
        if (!m->flats[all[i].triangle].taken && compare_places(&all[i - 1], &all[i]) == 0) {
            m->flats[all[i].triangle].taken = true;
            count++;
        }
    return !count ? MST_OK
                  : mst_importing_warn(m->f->w, "",
                                       "%zu triangles are in the model twice, at the same place, and are "
                                       "imported once",
                                       count);
}

/* ---- pieces ---- */

static uint32_t root_of(flat *flats, uint32_t index) {
    while (flats[index].part != index) {
        flats[index].part = flats[flats[index].part].part;
        index = flats[index].part;
    }
    return index;
}

static bool joins(const make_state *m, uint32_t a, uint32_t b, uint32_t root_a, uint32_t root_b) {
    const flat *x = &m->flats[a], *y = &m->flats[b], *p = &m->flats[root_a], *q = &m->flats[root_b];
    if (x->taken || y->taken || m->triangles[a].material != m->triangles[b].material ||
        x->origin != y->origin || x->in_plane != y->in_plane)
        return false;
    return x->in_plane ||
           ((!m->f->w->options->onto || mst_same_mapping(&m->triangles[a], &m->triangles[b])) &&
            mst_dot(x->normal, y->normal) >= SAME_NORMAL && mst_dot(p->normal, q->normal) >= SAME_NORMAL &&
            is_in_plane(&m->triangles[b], p->normal, p->distance) &&
            is_in_plane(&m->triangles[a], q->normal, q->distance));
}

static int compare_sides(const void *left, const void *right) {
    const side *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

/* Whether a side and one up to seven before it are the same edge. */
static bool same_side(const make_state *m, size_t k, size_t i) {
    return m->sides[k].low == m->sides[i].low && m->sides[k].high == m->sides[i].high && i - k < 8;
}

static void join_triangles(make_state *m) {
    for (size_t i = 0; i < 3 * m->count; i++) {
        const mst_face_corner *c = m->triangles[i / 3].corners;
        const uint32_t a = c[i % 3].number, b = c[(i + 1) % 3].number;
        m->sides[i] = (side){a < b ? a : b, a < b ? b : a, (uint32_t)(i / 3)};
    }
    if (m->count)
        qsort(m->sides, 3 * m->count, sizeof *m->sides, compare_sides);
    for (size_t i = 1; i < 3 * m->count; i++)
        for (size_t k = i; k-- > 0 && same_side(m, k, i);) {
            const uint32_t a = m->sides[k].triangle, b = m->sides[i].triangle;
            const uint32_t of_a = root_of(m->flats, a), of_b = root_of(m->flats, b);
            if (of_a != of_b && joins(m, a, b, of_a, of_b))
                m->flats[of_a > of_b ? of_a : of_b].part = of_a > of_b ? of_b : of_a;
        }
}

/* Groups the triangles by piece. Roots precede the other triangles of their pieces. */
static void sort_parts(make_state *m) {
    size_t made = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const uint32_t root = root_of(m->flats, i);
        m->part_of[i] = MST_NO_INDEX;
        if (m->flats[i].taken)
            continue;
        if (root == i) {
            m->parts[m->part_count] = (part){.origin = m->flats[i].origin};
            m->part_of[i] = (uint32_t)m->part_count++;
        }
        m->part_of[i] = m->part_of[root];
        m->parts[m->part_of[i]].count++;
    }
    for (size_t p = 0; p < m->part_count; p++) {
        m->parts[p].first = made;
        made += m->parts[p].count;
        m->parts[p].count = 0;
    }
    for (uint32_t i = 0; i < m->count; i++)
        if (m->part_of[i] != MST_NO_INDEX) {
            part *own = &m->parts[m->part_of[i]];
            m->sorted[own->first + own->count++] = m->triangles[i];
            own->area += mst_triangle_area(&m->triangles[i]);
            own->rank = m->flats[i].in_plane ? 2 : own->rank;
        }
}

static bool is_unchanged(const make_state *m, const part *own, const mst_face_origin *origin, bool *same) {
    mst_face_shape was, is;
    mst_arena arena;
    mst_arena_begin(&arena, &m->f->w->result->allocator, 0);
    const bool made = mst_face_shape_of(origin->before, origin->count, false, &arena, &was) &&
                      mst_face_shape_of(m->sorted + own->first, own->count, false, &arena, &is);
    *same = made && mst_same_shape(&was, &is, false);
    mst_arena_end(&arena);
    return made;
}

static bool measure_parts(make_state *m) {
    for (size_t p = 0; p < m->part_count; p++) {
        part *own = &m->parts[p];
        double distance;
        const mst_face_origin *origin = own->origin == MST_NO_INDEX ? NULL : &m->origins[own->origin];
        if (origin && own->rank == 2)
            memcpy(own->normal, origin->normal, sizeof own->normal);
        else
            mst_face_plane(m->sorted + own->first, own->count, own->normal, &distance);
        bool same = false;
        if (origin && own->rank == 2 && !is_unchanged(m, own, origin, &same))
            return false;
        if (same)
            own->rank = 3;
        else if (origin && own->rank < 2 && mst_dot(own->normal, origin->normal) > SAME_NORMAL)
            own->rank = 1;
    }
    return true;
}

/* ---- original faces ---- */

/* The pieces that are the level's faces; by origin. */
static uint32_t *find_own(make_state *m) {
    const size_t count = m->f->origins.count;
    uint32_t *own = mst_arena_take(m->arena, count, sizeof *own);
    for (size_t i = 0; i < count && own; i++)
        own[i] = MST_NO_INDEX;
    for (uint32_t p = 0; p < m->part_count && own; p++) {
        const part *one = &m->parts[p];
        uint32_t *best = one->origin == MST_NO_INDEX ? NULL : &own[one->origin];
        const part *other = best && *best != MST_NO_INDEX ? &m->parts[*best] : NULL;
        if (best &&
            (!other || one->rank > other->rank || (one->rank == other->rank && one->area > other->area)))
            *best = p;
    }
    return own;
}

/* A piece without a number inherits the original face of a neighbour in its mesh. */
static void hand_on(make_state *m) {
    bool any = true;
    for (int round = 0; round < ROUNDS && any; round++) {
        any = false;
        for (size_t i = 1; i < 3 * m->count; i++)
            for (size_t k = i; k-- > 0 && same_side(m, k, i);) {
                const uint32_t a = m->sides[k].triangle, b = m->sides[i].triangle;
                if (m->part_of[a] == MST_NO_INDEX || m->part_of[b] == MST_NO_INDEX ||
                    m->triangles[a].node != m->triangles[b].node)
                    continue;
                part *x = &m->parts[m->part_of[a]], *y = &m->parts[m->part_of[b]];
                if ((x->origin == MST_NO_INDEX) == (y->origin == MST_NO_INDEX))
                    continue;
                any = true;
                if (x->origin == MST_NO_INDEX)
                    x->origin = y->origin;
                else
                    y->origin = x->origin;
            }
    }
}

/* ---- all of it ---- */

static mst_status write_parts(make_state *m, const uint32_t *own) {
    mst_status status = MST_OK;
    for (int news = 0; news < 2; news++) /* existing faces first */
        for (uint32_t p = 0; p < m->part_count && status == MST_OK; p++) {
            const part *one = &m->parts[p];
            const bool is_own = one->origin != MST_NO_INDEX && own[one->origin] == p;
            mst_face_piece piece = {.triangles = m->sorted + one->first,
                                    .count = one->count,
                                    .origin = one->origin == MST_NO_INDEX ? NULL : &m->origins[one->origin]};
            memcpy(piece.normal, one->normal, sizeof piece.normal);
            if (is_own == (news != 0))
                continue;
            mst_arena arena;
            mst_arena_begin(&arena, &m->f->w->result->allocator, 0);
            status = is_own ? mst_import_changed_face(m->f, &piece, &arena)
                            : mst_import_new_face(m->f, &piece, &arena);
            mst_arena_end(&arena);
        }
    return status;
}

/* Removes faces all of whose remaining triangles have no area. */
static mst_status remove_empty(make_state *m, const uint32_t *own) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < m->f->origins.count && status == MST_OK; i++)
        if (own[i] == MST_NO_INDEX)
            status = mst_script_remove(m->f->w, m->f->script, mst_path_of_face(m->f, m->origins[i].face));
    return status;
}

static mst_status make(make_state *m) {
    m->triangles = mst_arena_take(m->arena, m->count, sizeof *m->triangles);
    m->sorted = mst_arena_take(m->arena, m->count, sizeof *m->sorted);
    m->flats = mst_arena_zero(m->arena, m->count, sizeof *m->flats);
    m->sides = mst_arena_take(m->arena, m->count, 3 * sizeof *m->sides);
    m->parts = mst_arena_take(m->arena, m->count, sizeof *m->parts);
    m->part_of = mst_arena_take(m->arena, m->count, sizeof *m->part_of);
    if (!m->triangles || !m->sorted || !m->flats || !m->sides || !m->parts || !m->part_of)
        return mst_importing_no_memory(m->f->w);
    if (m->count)
        memcpy(m->triangles, m->f->triangles.items, m->count * sizeof *m->triangles);
    if (!weld_corners(m))
        return mst_importing_no_memory(m->f->w);
    for (uint32_t i = 0; i < m->count; i++)
        measure(m, i);
    mst_status status = leave_out_twins(m);
    if (status != MST_OK)
        return status;
    join_triangles(m);
    sort_parts(m);
    const uint32_t *own = measure_parts(m) ? find_own(m) : NULL;
    if (!own)
        return mst_importing_no_memory(m->f->w);
    hand_on(m);
    status = write_parts(m, own);
    return status == MST_OK ? remove_empty(m, own) : status;
}

mst_status mst_import_polygons(mst_face_work *f) {
    mst_arena arena;
    make_state m = {.f = f, .origins = f->origins.items, .count = f->triangles.count, .arena = &arena};
    if (m.count > UINT32_MAX / 4)
        return mst_importing_no_memory(f->w);
    mst_arena_begin(&arena, &f->w->result->allocator, 0);
    mst_status status = make(&m);
    mst_arena_end(&arena);
    return status;
}
