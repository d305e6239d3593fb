/* SPDX-License-Identifier: MIT */
/* Polygons become triangles. */
#include "../src/core/number.h"
#include "../src/scene/build.h"
#include "../src/scene/geometry.h"
#include "refusing.h"
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- triangulation ---- */

#define MAX_POINTS 600

/* Returns the number of triangles. */
static size_t triangulate(const float *points, const uint32_t *indices, const uint32_t *counts, size_t loops,
                          const mst_allocator *allocator, uint32_t *triangles) {
    size_t count;
    mst_status status = mst_polygon_triangulate(points, indices, counts, loops, allocator, triangles, &count);
    assert_int_equal(status, MST_OK);
    return count;
}

static double triangle_area(const float *points, const uint32_t *triangle, const double unit[3]) {
    double normal[3];
    mst_polygon_normal(points, triangle, 3, normal);
    return (normal[0] * unit[0] + normal[1] * unit[1] + normal[2] * unit[2]) / 2;
}

/*
 * Triangulates and checks that all triangles have the border's orientation and add up to `expected`: as no
 * triangle is reversed, this holds only if they neither overlap nor leave gaps. Returns their number.
 */
static size_t check_area(const float *points, const uint32_t *indices, const uint32_t *counts, size_t loops,
                         double expected) {
    static uint32_t triangles[3 * 2 * MAX_POINTS];
    double normal[3];
    mst_polygon_normal(points, indices, counts[0], normal);
    double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    assert_true(length > 0);
    double unit[3] = {normal[0] / length, normal[1] / length, normal[2] / length};
    size_t count = triangulate(points, indices, counts, loops, NULL, triangles);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double area = triangle_area(points, triangles + 3 * i, unit);
        assert_true(area >= -1e-6 * expected);
        sum += area;
    }
    if (fabs(sum - expected) > 1e-5 * expected)
        print_message("area %.9g, expected %.9g\n", sum, expected);
    assert_true(fabs(sum - expected) <= 1e-5 * expected);
    return count;
}

/* Puts points of the plane z = 0 on a tilted plane far from the origin, which keeps areas. */
static void tilt(const double (*flat)[2], size_t count, int plane, float *points) {
    static const double axes[4][2][3] = {{{1, 0, 0}, {0, 1, 0}},
                                         {{0, 1, 0}, {1, 0, 0}}, /* seen from the other side */
                                         {{0.6, 0.8, 0}, {0, 0, 1}},
                                         {{2.0 / 3, 2.0 / 3, 1.0 / 3}, {-1.0 / 3, 2.0 / 3, -2.0 / 3}}};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            points[3 * i + (size_t)k] =
                (float)(flat[i][0] * axes[plane][0][k] + flat[i][1] * axes[plane][1][k]);
}

/* On the first `planes` of those. */
static void check_planes(const double (*flat)[2], const uint32_t *counts, size_t loops, double expected,
                         size_t triangles, int planes) {
    size_t total = 0;
    for (size_t i = 0; i < loops; i++)
        total += counts[i];
    float points[3 * MAX_POINTS];
    uint32_t reversed[MAX_POINTS];
    for (int plane = 0; plane < planes; plane++) {
        tilt(flat, total, plane, points);
        size_t count = check_area(points, NULL, counts, loops, expected);
        if (triangles)
            assert_int_equal(count, triangles);
        /* Every loop reversed, and only the border. */
        for (int all = 0; all < 2; all++) {
            for (size_t loop = 0, start = 0; loop < loops; start += counts[loop++])
                for (size_t i = 0; i < counts[loop]; i++)
                    reversed[start + i] = (uint32_t)(start + (all || !loop ? counts[loop] - 1 - i : i));
            check_area(points, reversed, counts, loops, expected);
        }
    }
}

static void check_flat(const double (*flat)[2], const uint32_t *counts, size_t loops, double expected,
                       size_t triangles) {
    check_planes(flat, counts, loops, expected, triangles, 4);
}

static void test_simple_polygons(void **state) {
    (void)state;
    const double triangle[3][2] = {{0, 0}, {4, 0}, {0, 3}};
    check_flat(triangle, (uint32_t[]){3}, 1, 6, 1);
    const double square[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    check_flat(square, (uint32_t[]){4}, 1, 4, 2);
    const double ell[6][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    check_flat(ell, (uint32_t[]){6}, 1, 5, 4);
    const double arrow[4][2] = {{0, 0}, {4, -2}, {1, 0}, {4, 2}}; /* one reflex corner */
    check_flat(arrow, (uint32_t[]){4}, 1, 2, 2);
    const double comb[10][2] = {{0, 0}, {9, 0}, {9, 5}, {7, 5}, {7, 1},
                                {5, 1}, {5, 5}, {3, 5}, {3, 1}, {0, 1}};
    check_flat(comb, (uint32_t[]){10}, 1, 9 + 2 * 4 + 2 * 4, 8);
    double circle[64][2];
    for (int i = 0; i < 64; i++) {
        circle[i][0] = 10 * cos(i * 6.283185307179586 / 64);
        circle[i][1] = 10 * sin(i * 6.283185307179586 / 64);
    }
    check_flat((const double(*)[2])circle, (uint32_t[]){64}, 1, 32 * 100 * sin(6.283185307179586 / 64), 62);
}

static void test_collinear_points(void **state) {
    (void)state;
    /* Points on straight edges stay corners, so that neighbours with the same points meet without gaps. */
    const double square[8][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    check_flat(square, (uint32_t[]){8}, 1, 4, 6);
    const double triangle[5][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 3}};
    check_flat(triangle, (uint32_t[]){5}, 1, 4.5, 3);
    const double repeated[7][2] = {{0, 0}, {0, 0}, {2, 0}, {2, 2}, {2, 2}, {0, 2}, {0, 0}};
    check_flat(repeated, (uint32_t[]){7}, 1, 4, 2);
    const double spike[6][2] = {{0, 0}, {2, 0}, {5, 0}, {2, 0}, {2, 2}, {0, 2}};
    check_flat(spike, (uint32_t[]){6}, 1, 4, 0);
}

static void test_holes(void **state) {
    (void)state;
    const double one[8][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {3, 3}, {6, 3}, {6, 7}, {3, 7}};
    check_flat(one, (uint32_t[]){4, 4}, 2, 100 - 12, 8);
    const double several[4 + 3 * 4][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {1, 1}, {2, 1}, {2, 2}, {1, 2},
                                          {4, 1}, {5, 1},  {5, 2},   {4, 2},  {4, 5}, {8, 5}, {8, 6}, {4, 6}};
    check_flat(several, (uint32_t[]){4, 4, 4, 4}, 4, 100 - 1 - 1 - 4, 4 + 12 + 6 - 2);
    /* In a row, in the order along the ray, and one touching the border's corner. */
    double row[4 + 20 * 4][2] = {{0, 0}, {61, 0}, {61, 3}, {0, 3}};
    uint32_t counts[21] = {4};
    for (size_t i = 0; i < 20; i++) {
        const double x = 3 * (double)i + 1;
        double(*hole)[2] = row + 4 + 4 * i;
        hole[0][0] = hole[3][0] = x;
        hole[1][0] = hole[2][0] = x + 1;
        hole[0][1] = hole[1][1] = 1;
        hole[2][1] = hole[3][1] = 2;
        counts[i + 1] = 4;
    }
    check_flat((const double(*)[2])row, counts, 21, 61 * 3 - 20, 0);
    const double touching[7][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {0, 0}, {5, 2}, {2, 5}};
    check_flat(touching, (uint32_t[]){4, 3}, 2, 100 - 10.5, 0);
    const double far_corner[7][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {10, 10}, {5, 8}, {8, 5}};
    check_flat(far_corner, (uint32_t[]){4, 3}, 2, 100 - 10.5, 0);
    /* A hole without area and one outside change nothing. */
    const double idle[4 + 2 + 4][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {3, 3},
                                       {4, 4}, {-9, 1}, {-8, 1},  {-8, 2}, {-9, 2}};
    check_flat(idle, (uint32_t[]){4, 2, 4}, 3, 100, 2);
}

/* A corner on the border of an ear is not inside it: slits that the ring traverses in both directions. */
static void test_touching_corners(void **state) {
    (void)state;
    const double slit[8][2] = {{4, 3}, {3, 3}, {4, 3}, {2, 1}, {1, 0}, {5, 3}, {4, 4}, {2, 2}};
    check_flat(slit, (uint32_t[]){8}, 1, 3, 0);
    /* a hole that shares a part of the border's edge, and has a spike along it */
    const double beside[9][2] = {{0, 4}, {0, 1}, {3, 0}, {3, 2}, {3, 4}, {3, 1}, {3, 3}, {3, 2}, {1, 1}};
    check_planes(beside, (uint32_t[]){5, 4}, 2, 10.5 - 1, 0, 2); /* where rounding does not separate them */
}

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Star-shaped borders and star-shaped holes on a grid of cells: the area is known from the loops alone. */
static void test_random_polygons(void **state) {
    (void)state;
    uint32_t seed = 7;
    for (int round = 0; round < 300; round++) {
        static double flat[MAX_POINTS][2];
        uint32_t counts[17], total = 0;
        size_t loops = 1 + next_random(&seed) % 17;
        double expected = 0;
        for (size_t loop = 0; loop < loops; loop++) {
            uint32_t count = 3 + next_random(&seed) % 30, start = total;
            double x = loop ? (double)((loop - 1) % 4) * 10 - 15 : 0,
                   y = loop ? (double)((loop - 1) / 4) * 10 - 15 : 0;
            bool whole = round % 2; /* corners on integers: many are collinear */
            for (uint32_t i = 0; i < count; i++) {
                double angle = 6.283185307179586 * i / count;
                double part = 1 + (next_random(&seed) % 1000) / 1000.0;
                double radius = loop ? 2.4 * part : 40 * part; /* 4.8 at most: stays in its cell */
                flat[total][0] = x + radius * cos(angle);
                flat[total][1] = y + radius * sin(angle);
                if (whole && !loop) {
                    flat[total][0] = nearbyint(flat[total][0]);
                    flat[total][1] = nearbyint(flat[total][1]);
                }
                total++;
            }
            counts[loop] = count;
            double area = 0;
            for (uint32_t i = 0; i < count; i++) {
                const double *a = flat[start + i], *b = flat[start + (i + 1) % count];
                area += (a[0] * b[1] - a[1] * b[0]) / 2;
            }
            if (!loop && area < 40 * 40 * 1.2) { /* three corners may cut the cells */
                total = 0;
                loop = SIZE_MAX;
                continue;
            }
            expected += loop ? -area : area;
            if (!loop && count < 8)
                loops = 1;
        }
        check_flat((const double(*)[2])flat, counts, loops, expected, 0);
    }
}

/* ---- many corners ---- */

typedef struct large {
    float *points; /* in the plane z = 0 */
    uint32_t *counts;
    uint32_t point_count;
    size_t loop_count;
    double area;
} large;

static large large_begin(uint32_t points, size_t loops) {
    return (large){.points = calloc(points, 3 * sizeof(float)), .counts = calloc(loops, sizeof(uint32_t))};
}

static void corner_at(large *l, double x, double y) {
    l->points[3 * l->point_count] = (float)x;
    l->points[3 * l->point_count++ + 1] = (float)y;
}

/* Ends a loop; its area is added, or subtracted for a hole; it is computed from the stored points. */
static void close_loop(large *l, uint32_t first) {
    double area = 0;
    for (uint32_t i = first; i < l->point_count; i++) {
        const float *a = l->points + 3 * i, *b = l->points + 3 * (i + 1 < l->point_count ? i + 1 : first);
        area += ((double)a[0] * (double)b[1] - (double)a[1] * (double)b[0]) / 2;
    }
    l->area += l->loop_count ? -fabs(area) : fabs(area);
    l->counts[l->loop_count++] = l->point_count - first;
}

static void quadrangle(large *l, double x, double y, double width, double height) {
    uint32_t first = l->point_count;
    corner_at(l, x, y);
    corner_at(l, x + width, y);
    corner_at(l, x + width, y + height);
    corner_at(l, x, y + height);
    close_loop(l, first);
}

/* A polygon with h holes and n corners in total is cut into n + 2h - 2 triangles. */
static void check_large(large *l) {
    uint32_t *triangles = malloc((l->point_count + 2 * l->loop_count) * 3 * sizeof *triangles);
    double normal[3];
    mst_polygon_normal(l->points, NULL, l->counts[0], normal);
    const double unit[3] = {0, 0, normal[2] > 0 ? 1 : -1};
    size_t count = triangulate(l->points, NULL, l->counts, l->loop_count, NULL, triangles);
    assert_int_equal(count, l->point_count + 2 * (l->loop_count - 1) - 2);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double area = triangle_area(l->points, triangles + 3 * i, unit);
        assert_true(area >= 0);
        sum += area;
    }
    if (fabs(sum - l->area) > 1e-5 * l->area)
        fail_msg("area %.9g, expected %.9g", sum, l->area);
    free(triangles);
    free(l->points);
    free(l->counts);
}

static void test_many_corners(void **state) {
    (void)state;
    enum { COUNT = 16000 };
    uint32_t seed = 11;
    large star = large_begin(COUNT, 1), comb = large_begin(COUNT + 2, 1), band = large_begin(COUNT, 1),
          spiral = large_begin(COUNT, 1);
    for (int i = 0; i < COUNT; i++) {
        double angle = i * 6.283185307179586 / COUNT, radius = 50 + next_random(&seed) % 1000 / 20.0;
        corner_at(&star, radius * cos(angle), radius * sin(angle));
    }
    close_loop(&star, 0);
    check_large(&star);
    for (int i = 0; i < COUNT; i++) /* across all axes, so that the boxes around its teeth are large */
        corner_at(&comb, i / 2 + (i % 4 == 1 || i % 4 == 2 ? 300 : 0),
                  i / 2 - (i % 4 == 1 || i % 4 == 2 ? 300 : 0));
    corner_at(&comb, COUNT / 2, COUNT / 2 + 9);
    corner_at(&comb, -1, 9);
    close_loop(&comb, 0);
    check_large(&comb);
    double heights[COUNT / 2];
    for (int i = 0; i < COUNT; i++) { /* there, and back one unit higher */
        int x = i < COUNT / 2 ? i : COUNT - 1 - i;
        heights[x] = i < COUNT / 2 ? next_random(&seed) % 10000 : heights[x] + 1;
        corner_at(&band, x, heights[x]);
    }
    close_loop(&band, 0);
    check_large(&band);
    for (int i = 0; i < COUNT; i++) {
        double turn = 0.01 * (i < COUNT / 2 ? i : COUNT - 1 - i),
               radius = 10 + turn + (i < COUNT / 2 ? 0 : 3);
        corner_at(&spiral, radius * cos(turn), radius * sin(turn));
    }
    close_loop(&spiral, 0);
    check_large(&spiral);
}

static void test_many_holes(void **state) {
    (void)state;
    enum { SIDE = 45, COUNT = SIDE * SIDE }; /* 2,025 */
    for (int shape = 0; shape < 4; shape++) {
        large l = large_begin(4 + 4 * COUNT, 1 + COUNT);
        double width = shape == 1 ? 3 * COUNT : shape == 2 ? 3 : 3 * SIDE;
        double height = shape == 1 ? 3 : shape == 2 ? 3 * COUNT : 3 * SIDE;
        uint32_t seed = 23;
        quadrangle(&l, -1, -1, width + 1, height + 1);
        for (int i = 0; i < COUNT; i++) {
            double part = 2.0 * (next_random(&seed) % 1000) / 1000;
            if (shape == 0) /* in a grid, in a row, in a column, and in an unordered grid */
                quadrangle(&l, 3 * (i % SIDE), 3 * (i / SIDE), 2, 2);
            else if (shape == 3)
                quadrangle(&l, 3 * (i % SIDE) + part / 2, 3 * (i / SIDE) + part / 3, 2 - part / 2,
                           2.5 - part);
            else
                quadrangle(&l, shape == 1 ? 3 * i : 0, shape == 1 ? 0 : 3 * i, 1.5, 1.5);
        }
        check_large(&l);
    }
}

/* Points joined in any order: the time is bounded, and the output fits. */
static void test_patience(void **state) {
    (void)state;
    enum { COUNT = 1200, HOLES = 100 };
    uint32_t seed = 5;
    large l = large_begin(COUNT + 4 * HOLES, 1 + HOLES);
    for (int i = 0; i < COUNT; i++)
        corner_at(&l, next_random(&seed) % 10000, next_random(&seed) % 10000);
    close_loop(&l, 0);
    for (int i = 0; i < HOLES; i++)
        quadrangle(&l, next_random(&seed) % 10000, next_random(&seed) % 10000, 500, 500);
    uint32_t *triangles = malloc((COUNT + 6 * HOLES) * 3 * sizeof *triangles);
    size_t count = triangulate(l.points, NULL, l.counts, l.loop_count, NULL, triangles);
    assert_in_range(count, COUNT / 4, COUNT + 6 * HOLES);
    for (size_t i = 0; i < 3 * count; i++)
        assert_true(triangles[i] < l.point_count);
    free(triangles);
    free(l.points);
    free(l.counts);
    /* with little or no budget left, while holes are already joined: the number of triangles is the same,
     * overlapping or not */
    enum { SIDE = 10 };
    l = large_begin(4 + 4 * SIDE * SIDE, 1 + SIDE * SIDE);
    quadrangle(&l, -1, -1, 3 * SIDE + 1, 3 * SIDE + 1);
    for (int i = 0; i < SIDE * SIDE; i++)
        quadrangle(&l, 3 * (i % SIDE), 3 * (i / SIDE) + i % 7 * 0.1, 2, 2);
    triangles = malloc((l.point_count + 2 * l.loop_count) * 3 * sizeof *triangles);
    for (uint32_t patience = 0; patience < 200; patience += patience / 2 + 1) {
        assert_int_equal(mst_polygon_triangulate_within(l.points, NULL, l.counts, l.loop_count, NULL,
                                                        patience, triangles, &count),
                         MST_OK);
        assert_true(count > l.point_count / 2 && count <= l.point_count + 2 * (l.loop_count - 1) - 2);
        for (size_t i = 0; i < 3 * count; i++)
            assert_true(triangles[i] < l.point_count);
    }
    free(triangles);
    free(l.points);
    free(l.counts);
}

static void test_impossible_polygons(void **state) {
    (void)state;
    uint32_t triangles[3 * 64];
    const float line[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2};
    assert_int_equal(triangulate(line, NULL, (uint32_t[]){3}, 1, NULL, triangles), 0);
    assert_int_equal(triangulate(line, NULL, (uint32_t[]){2}, 1, NULL, triangles), 0);
    assert_int_equal(triangulate(line, NULL, NULL, 0, NULL, triangles), 0);
    const float unknown[12] = {NAN, 0, 0, 1, INFINITY, 0, 0, 1, 0, 0, 0, 0};
    assert_int_equal(triangulate(unknown, NULL, (uint32_t[]){4}, 1, NULL, triangles), 0);
    const float one_unknown[15] = {0, 0, 0, 2, 0, 0, NAN, NAN, 0, 2, 2, 0, 0, 2, 0};
    check_area(one_unknown, NULL, (uint32_t[]){5}, 1, 4);
    /* A star that crosses itself: there is output, and it fits. */
    float star[15];
    for (int i = 0; i < 5; i++) {
        star[3 * i] = (float)cos(i * 2 * 2.0 * 3.14159265 / 5);
        star[3 * i + 1] = (float)sin(i * 2 * 2.0 * 3.14159265 / 5);
        star[3 * i + 2] = 0;
    }
    size_t count = triangulate(star, NULL, (uint32_t[]){5}, 1, NULL, triangles);
    assert_in_range(count, 1, 3);
    /* Arbitrary points: bounded, and the indices are among the given ones. */
    uint32_t seed = 3;
    for (int round = 0; round < 500; round++) {
        float points[3 * 40];
        for (int i = 0; i < 120; i++)
            points[i] = i % 3 == 2 ? 0 : (float)(next_random(&seed) % 6);
        uint32_t counts[3] = {20, 12, 8};
        uint32_t many[3 * 44];
        count = triangulate(points, NULL, counts, 3, NULL, many);
        assert_true(count <= 44);
        for (size_t i = 0; i < 3 * count; i++)
            assert_true(many[i] < 40);
    }
}

static void test_polygon_without_memory(void **state) {
    (void)state;
    large l = large_begin(4 * 301, 301); /* more than one block of memory */
    quadrangle(&l, -1, -1, 1000, 5);
    for (int i = 0; i < 300; i++)
        quadrangle(&l, 3 * i, 0, 1, 1);
    uint32_t *triangles = malloc((l.point_count + 2 * l.loop_count) * 3 * sizeof *triangles);
    int failures = 0;
    for (size_t loops = 1; loops < l.loop_count; loops += 3)
        for (int max = 0;; max++) {
            int left = max;
            mst_allocator allocator = {no_memory, &left};
            size_t count = 7;
            mst_status status =
                mst_polygon_triangulate(l.points, NULL, l.counts, loops, &allocator, triangles, &count);
            assert_int_equal(count, status == MST_OK ? 4 * loops + 2 * (loops - 1) - 2 : 0);
            if (status == MST_OK)
                break;
            assert_int_equal(status, MST_NO_MEMORY);
            failures++;
        }
    assert_true(failures > 20);
    free(triangles);
    free(l.points);
    free(l.counts);
}

static void test_normal(void **state) {
    (void)state;
    const float square[12] = {5, 5, 1, 7, 5, 1, 7, 8, 1, 5, 8, 1};
    double normal[3];
    mst_polygon_normal(square, NULL, 4, normal);
    assert_true(normal[0] == 0 && normal[1] == 0 && normal[2] == 12);
    const uint32_t backwards[4] = {3, 2, 1, 0};
    mst_polygon_normal(square, backwards, 4, normal);
    assert_true(normal[2] == -12);
    mst_polygon_normal(square, NULL, 0, normal);
    assert_true(normal[2] == 0);
}

int test_triangulate(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simple_polygons),
        cmocka_unit_test(test_collinear_points),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_touching_corners),
        cmocka_unit_test(test_random_polygons),
        cmocka_unit_test(test_many_corners),
        cmocka_unit_test(test_many_holes),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_impossible_polygons),
        cmocka_unit_test(test_polygon_without_memory),
        cmocka_unit_test(test_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
