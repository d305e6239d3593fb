/* SPDX-License-Identifier: MIT */
/* The parts of pictures: samples, pixels, lines; and the things drawn on maps: lines, arrows, tags, colours
 * and squares, also beyond the frame. */
#include "support.h"

#include "../src/export/font.h"
#include "../src/export/map.h"
#include "../src/export/squares.h"

#define SIDE 64

/* ---- samples ------------------------------------------------------------------------------------- */

typedef struct field {
    mst_samples samples;
    float depth[SIDE * SIDE];
    uint32_t id[SIDE * SIDE];
} field;

static void clear(field *f) {
    f->samples = (mst_samples){.width = SIDE, .rows = SIDE, .depth = f->depth, .id = f->id};
    mst_samples_clear(&f->samples);
}

static size_t taken(const field *f) {
    size_t count = 0;
    for (size_t i = 0; i < SIDE * SIDE; i++)
        count += f->id[i] != 0;
    return count;
}

static void triangles_that_are_nothing(void **state) {
    (void)state;
    static const double none[][3][3] = {
        {{0, 0, 0}, {10, 10, 0}, {20, 20, 0}},                  /* a line */
        {{0, 0, 0}, {10, NAN, 0}, {0, 20, 0}},                  /* not numbers */
        {{0, 0, 0}, {INFINITY, 0, 0}, {0, 20, 0}},              /* */
        {{0, 0, 0}, {10, 0, -2e12}, {0, 20, 0}},                /* beyond all depths */
        {{-9, 0, 0}, {-2, 0, 0}, {-9, 20, 0}},                  /* left of it */
        {{SIDE + 1, 0, 0}, {SIDE + 9, 0, 0}, {SIDE + 1, 9, 0}}, /* right */
        {{0, -9, 0}, {9, -9, 0}, {0, -1, 0}},                   /* above */
        {{0, SIDE + 1, 0}, {9, SIDE + 1, 0}, {0, SIDE + 9, 0}}, /* below */
    };
    static field f;
    clear(&f);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        mst_samples_triangle(&f.samples, none[i], 1, NULL, NULL);
    assert_int_equal(taken(&f), 0);
    mst_samples_line(&f.samples, (const double[]){9, 9}, (const double[]){9, 9}, 0, 5, 1);
    assert_int_equal(taken(&f), 0);
    mst_samples_line(&f.samples, (const double[]){10, 20}, (const double[]){30, 20}, 0, 4, 1);
    assert_int_equal(taken(&f), (20 + 4) * 4); /* half a width more at either end */
}

/* Corners far outside on every side are clipped without moving the inside. */
static void triangles_may_be_vast(void **state) {
    (void)state;
    static const double far = 1e11;
    static field f, wanted;
    for (int turn = 0; turn < 4; turn++) {
        clear(&f);
        clear(&wanted);
        /* half a plane: right of a line, below it, left of it, above it; the depth grows across */
        double corners[3][3], near[2][3][3];
        const double from[3][2] = {{20, -far}, {20, far}, {far, 0}};
        for (int k = 0; k < 3; k++) {
            double x = from[k][0], y = from[k][1];
            corners[k][0] = turn == 0 ? x : turn == 2 ? 40 - x : y;
            corners[k][1] = turn == 1 ? x : turn == 3 ? 40 - x : y;
            corners[k][2] = k == 2 ? 1 : 0;
        }
        const double box[4][2] = {{20, -100}, {20, 100}, {200, 100}, {200, -100}};
        for (int half = 0; half < 2; half++)
            for (int k = 0; k < 3; k++) {
                double x = box[k ? k + half : 0][0], y = box[k ? k + half : 0][1];
                near[half][k][0] = turn == 0 ? x : turn == 2 ? 40 - x : y;
                near[half][k][1] = turn == 1 ? x : turn == 3 ? 40 - x : y;
                near[half][k][2] = 0;
            }
        mst_samples_triangle(&f.samples, (const double(*)[3])corners, 7, NULL, NULL);
        mst_samples_triangle(&wanted.samples, (const double(*)[3])near[0], 7, NULL, NULL);
        mst_samples_triangle(&wanted.samples, (const double(*)[3])near[1], 7, NULL, NULL);
        assert_memory_equal(f.id, wanted.id, sizeof f.id);
        assert_true(taken(&f) > 1000 && taken(&f) < SIDE * SIDE);
        for (size_t i = 0; i < SIDE * SIDE; i++)
            assert_true(!f.id[i] || (f.depth[i] >= 0 && f.depth[i] <= 1));
    }
}

/* Depth stays between the corners' depths even if a sample's middle is slightly outside of them. */
static void depth_has_bounds(void **state) {
    (void)state;
    static field f;
    clear(&f);
    for (uint32_t i = 0; i < 200; i++) { /* slivers, along which depth changes considerably */
        double x = 0.5 + (i % 60), y = 0.5 + i / 4.0;
        const double corners[3][3] = {{x, y, 0}, {x + 0.003, y + 3, 1000}, {x - 0.003, y + 3, -1000}};
        mst_samples_triangle(&f.samples, corners, i + 1, NULL, NULL);
    }
    for (size_t i = 0; i < SIDE * SIDE; i++)
        assert_true(!f.id[i] || fabsf(f.depth[i]) <= 1000);
    assert_true(taken(&f) > 0);
}

/* ---- pixels -------------------------------------------------------------------------------------- */

typedef struct sheet {
    mst_canvas canvas;
    uint8_t pixels[SIDE * SIDE * 4];
} sheet;

static void wipe(sheet *s) {
    memset(s->pixels, 0, sizeof s->pixels);
    s->canvas = mst_canvas_of(SIDE, SIDE, s->pixels);
}

static const uint8_t *at_pixel(const sheet *s, int32_t x, int32_t y) {
    return s->pixels + (y * SIDE + x) * 4;
}

/* The number of pixels drawn in a rectangle (all: everywhere). */
static size_t inked(const sheet *s, int32_t left, int32_t top, int32_t right, int32_t bottom) {
    size_t count = 0;
    for (int32_t y = top; y < bottom; y++)
        for (int32_t x = left; x < right; x++)
            count += at_pixel(s, x, y)[3] != 0;
    return count;
}

static const mst_rgba white = {255, 255, 255, 255}, nothing = {1, 2, 3, 0};

static void colours_are_put_over_each_other(void **state) {
    (void)state;
    static sheet s;
    wipe(&s);
    mst_canvas_blend(&s.canvas, 3, 3, nothing, 1); /* nothing over nothing */
    mst_canvas_blend(&s.canvas, 3, 3, white, 0);
    mst_canvas_blend(&s.canvas, 3, 3, white, -1);
    mst_canvas_blend(&s.canvas, 3, 3, white, (double)NAN);
    static const int32_t outside[][2] = {{-1, 0}, {0, -1}, {SIDE, 0}, {0, SIDE}};
    for (size_t i = 0; i < 4; i++)
        mst_canvas_blend(&s.canvas, outside[i][0], outside[i][1], white, 1);
    assert_int_equal(inked(&s, 0, 0, SIDE, SIDE), 0);
    mst_canvas_blend(&s.canvas, 3, 3, (mst_rgba){0, 255, 100, 255}, 7);
    assert_memory_equal(at_pixel(&s, 3, 3), "\0\xFF\x64\xFF", 4);
    mst_canvas_blend(&s.canvas, 3, 3, (mst_rgba){200, 55, 100, 255}, 0.5);
    assert_memory_equal(at_pixel(&s, 3, 3), "\x64\x9B\x64\xFF", 4); /* the mean */
    mst_canvas_rectangle(&s.canvas, -5, -7, 10, 10, white);
    assert_int_equal(inked(&s, 0, 0, SIDE, SIDE), 5 * 3 + 1);
    mst_canvas_rectangle(&s.canvas, SIDE - 2, SIDE - 3, 100, 100, white);
    assert_int_equal(inked(&s, 0, 0, SIDE, SIDE), 5 * 3 + 1 + 2 * 3);
    mst_canvas_rectangle(&s.canvas, 10, 10, 0, 9, white);
    mst_canvas_rectangle(&s.canvas, 10, 10, 9, -2, white);
    assert_int_equal(inked(&s, 0, 0, SIDE, SIDE), 5 * 3 + 1 + 2 * 3);
}

static void lines_and_marks_end_at_the_canvas(void **state) {
    (void)state;
    static const double none[][4] = {
        {5, 5, 5, 5},     {0, 0, 2e9, 1},   {(double)NAN, 0, 1, 1}, {-50, 5, -10, 5},
        {100, 5, 200, 9}, {5, -80, 9, -10}, {5, 100, 5, 200},       {0, 0, (double)INFINITY, 0}};
    static sheet s;
    wipe(&s);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        mst_canvas_line(&s.canvas, none[i][0], none[i][1], none[i][2], none[i][3], 2, white);
    static const double away[][2] = {{-20, 5}, {90, 5}, {5, -20}, {5, 90}};
    for (size_t i = 0; i < 4; i++)
        for (int shape = 0; shape < MST_MARKS; shape++)
            mst_canvas_mark(&s.canvas, (mst_mark)shape, away[i][0], away[i][1], 4, 1, white);
    assert_int_equal(inked(&s, 0, 0, SIDE, SIDE), 0);
    mst_canvas_line(&s.canvas, -100, 20, 200, 20, 2, white); /* two rows of all pixels */
    assert_int_equal(inked(&s, 0, 19, SIDE, 21), 2 * SIDE);
    assert_int_equal(inked(&s, 0, 0, SIDE, 18), 0);
    wipe(&s);
    mst_canvas_line(&s.canvas, -100, 200, 200, -100, 2, white); /* from corner to corner below */
    assert_int_equal(inked(&s, 0, 0, 20, 20), 0);
    assert_true(at_pixel(&s, 50, 50)[3] > 200);
    /* a mark of any shape covers its middle or, as a ring, surrounds it, and has about the same area as the
     * others */
    for (int shape = 0; shape < MST_MARKS; shape++) {
        wipe(&s);
        mst_canvas_mark(&s.canvas, (mst_mark)shape, 32.5, 32.5, 10, 0, white);
        assert_int_equal(at_pixel(&s, 32, 32)[3], shape == MST_MARK_RING ? 0 : 255);
        assert_in_range(inked(&s, 0, 0, SIDE, SIDE), 200, 420); /* a disc has 314 */
        assert_int_equal(inked(&s, 0, 0, 18, SIDE), 0);
    }
}

/* ---- maps ---------------------------------------------------------------------------------------- */

/* One metre is one pixel; north is up. The frame is the middle of the canvas. */
static const mst_projection flat = {
    .right = {1, 0, 0}, .down = {0, 0, 1}, .near = {0, 1, 0}, .left = 16, .top = 16, .scale = 1};
static const mst_view_frame middle = {16, 16, 32, 32};

static size_t lines_drawn(const mst_map_line *line, sheet *s) {
    mst_map_line copy = *line;
    const mst_view_world world = {.lines = &copy, .line_count = 1};
    const mst_map_state d = {&world, &flat, &middle, &s->canvas, 1};
    wipe(s);
    mst_map_draw_lines(&d, line->kind == MST_MAP_WALL ? MST_MAP_LINK : MST_MAP_WALL);
    assert_int_equal(inked(s, 0, 0, SIDE, SIDE), 0); /* the other kind */
    mst_map_draw_lines(&d, line->kind);
    return inked(s, 0, 0, SIDE, SIDE);
}

static void lines_are_cut_to_the_frame(void **state) {
    (void)state;
    static const struct {
        float from[2], to[2]; /* x, z */
        bool seen;
    } cases[] = {
        {{0, 32}, {64, 32}, true},        {{32, 64}, {32, 0}, true},     {{-900, -900}, {900, 900}, true},
        {{964, -900}, {-900, 964}, true}, {{30, 30}, {34, 34}, true},    {{0, 2}, {64, 2}, false},
        {{0, 62}, {64, 62}, false},       {{2, 0}, {2, 64}, false},      {{62, 64}, {62, 0}, false},
        {{-40, 20}, {20, -40}, false},    {{44, 100}, {100, 44}, false}, {{32, 32}, {32, 32}, false},
    };
    static sheet s;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int kind = 0; kind < 2; kind++) {
            const mst_map_line line = {.from = {cases[i].from[0], 5, cases[i].from[1]},
                                       .to = {cases[i].to[0], -5, cases[i].to[1]},
                                       .kind = kind ? MST_MAP_LINK : MST_MAP_WALL};
            bool arrow = kind && i == 4; /* too short to go from mark to mark */
            if ((lines_drawn(&line, &s) > 0) != (cases[i].seen && !arrow))
                fail_msg("%zu %d", i, kind);
            /* nothing further out than eight pixels and half a line's width */
            assert_int_equal(inked(&s, 0, 0, SIDE, 6), 0);
            assert_int_equal(inked(&s, 0, 0, 6, SIDE), 0);
            assert_int_equal(inked(&s, 58, 0, SIDE, SIDE), 0);
            assert_int_equal(inked(&s, 0, 58, SIDE, SIDE), 0);
        }
}

/* An arrow has its head at its end, and none if that is outside. */
static void arrows_have_heads(void **state) {
    (void)state;
    static const float ends[][2] = {{32, 10}, {54, 32}, {32, 54}, {10, 32}};
    static sheet headed, plain;
    for (size_t i = 0; i < 4; i++) {
        float x = ends[i][0], z = ends[i][1];
        mst_map_line line = {.from = {32, 0, 32}, .to = {x, 0, z}, .kind = MST_MAP_LINK};
        size_t outwards = lines_drawn(&line, &plain);
        /* the tip: at the end of the frame, then 5 pixels inside; 4.5 pixels before the mark */
        for (int c = 0; c < 3; c += 2)
            line.to[c] = 32 + (line.to[c] - 32) * 0.6f;
        size_t inwards = lines_drawn(&line, &headed);
        assert_true(inwards > 0 && outwards > inwards / 2);
        /* next to the shaft near the tip */
        int32_t tip_x = (int32_t)(32 + (x - 32) * 0.6f * 0.55f),
                tip_z = (int32_t)(32 + (z - 32) * 0.6f * 0.55f);
        size_t across = 0, without = 0;
        for (int32_t k = -3; k <= 3; k++) {
            int32_t px = tip_x + (x == 32 ? k : 0), pz = tip_z + (x == 32 ? 0 : k);
            across += at_pixel(&headed, px, pz)[3] != 0;
            without += at_pixel(&plain, px, pz)[3] != 0;
        }
        assert_true(across > without);
    }
}

static void ticks_and_tags(void **state) {
    (void)state;
    static sheet s;
    mst_view_entity entities[140];
    mst_view_world world = {.entities = entities};
    const mst_map_state d = {&world, &flat, &middle, &s.canvas, 1};
    static const struct {
        float place[2], facing[3];
        mst_role role;
        bool seen;
    } ticks[] = {
        {{32, 32}, {1, 0, 0}, MST_ROLE_ENTITY, true},   {{32, 32}, {0, 1, 0}, MST_ROLE_ENTITY, false},
        {{32, 32}, {0, 0, -1}, MST_ROLE_CAMERA, false}, {{10, 32}, {1, 0, 0}, MST_ROLE_ENTITY, false},
        {{54, 32}, {1, 0, 0}, MST_ROLE_ENTITY, false},  {{32, 10}, {1, 0, 0}, MST_ROLE_ENTITY, false},
        {{32, 54}, {1, 0, 0}, MST_ROLE_ENTITY, false},  {{32, 32}, {0, 0, 0}, MST_ROLE_ENTITY, false},
    };
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        mst_view_entity one = {.role = ticks[i].role, .position = {ticks[i].place[0], 0, ticks[i].place[1]}};
        memcpy(one.facing, ticks[i].facing, sizeof one.facing);
        wipe(&s);
        mst_map_draw_tick(&d, &one, 3, white);
        assert_int_equal(inked(&s, 0, 0, SIDE, SIDE) > 0, ticks[i].seen);
    }
    /* tags: one is written, one is at the same place, one has no room, the others are nowhere */
    static const struct {
        float place[2];
        const char *tag;
        bool seen;
    } tags[] = {
        {{18, 24}, "a1", true},  {{20, 25}, "b2", false},   {{18, 40}, "c3", true},
        {{40, 24}, "d4", false}, {{8, 24}, "e5", false},    {{20, 17}, "f6", false},
        {{20, 46}, "g7", false}, {{2e6f, 24}, "h8", false}, {{20, -2e6f}, "i9", false},
        {{26, 24}, "", false},   {{30, 25}, "j", true},     {{30, 40}, "k", true},
    };
    enum { TAGS = sizeof tags / sizeof *tags };
    static sheet wanted;
    wipe(&wanted);
    for (size_t i = 0; i < TAGS; i++) {
        entities[i] =
            (mst_view_entity){.tag = tags[i].tag, .position = {tags[i].place[0], 0, tags[i].place[1]}};
        if (tags[i].seen) {
            world.entity_count = 1;
            entities[0] = entities[i];
            mst_map_state alone = d;
            alone.canvas = &wanted.canvas;
            mst_map_draw_tags(&alone);
        }
    }
    assert_true(inked(&wanted, 0, 0, SIDE, SIDE) > 0);
    for (size_t i = 0; i < TAGS; i++)
        entities[i] =
            (mst_view_entity){.tag = tags[i].tag, .position = {tags[i].place[0], 0, tags[i].place[1]}};
    world.entity_count = TAGS;
    wipe(&s);
    mst_map_draw_tags(&d);
    assert_memory_equal(s.pixels, wanted.pixels, sizeof s.pixels);
}

/* The legend of colours: the colours of faces, once each, in their order. */
static void used_colours_have_keys(void **state) {
    (void)state;
    static sheet s;
    mst_map_key keys[40];
    for (size_t i = 0; i < 40; i++)
        keys[i] = (mst_map_key){"k", {(uint8_t)(100 + i), 7, 9, 255}};
    static const uint32_t used[] = {4, 2, 4, 39, 40, 4000000000u, 2, 7};
    mst_map_face faces[8];
    memset(faces, 0, sizeof faces);
    for (size_t i = 0; i < 8; i++)
        faces[i].key = used[i];
    const mst_map map = {.keys = keys, .key_count = 39, .faces = faces, .face_count = 8};
    mst_view_world world = {.map = &map};
    const mst_map_state d = {&world, &flat, &middle, &s.canvas, 1};
    wipe(&s);
    int32_t rows = mst_map_key_rows(&world), end = mst_map_draw_keys(&d, 0, SIDE, 3, 10);
    assert_int_equal(end, 3 + rows * 10);
    uint8_t found[8];
    size_t count = 0;
    for (int32_t y = 3; y < end; y += 10)
        for (int32_t x = 0; x < SIDE; x++) { /* each changes its colour once */
            uint8_t red = at_pixel(&s, x, y)[0];
            if (at_pixel(&s, x, y)[1] == 7 && (!count || found[count - 1] != red)) {
                assert_true(count < 8);
                found[count++] = red;
            }
        }
    assert_int_equal(count, 3);
    assert_int_equal(found[0], 102);
    assert_int_equal(found[1], 104);
    assert_int_equal(found[2], 107);
    const mst_map fewer = {.keys = keys, .key_count = 3, .faces = faces + 1, .face_count = 1};
    world.map = &fewer;
    assert_int_equal(mst_map_key_rows(&world), 1);
    const mst_map none = {.keys = keys, .key_count = 3, .faces = faces, .face_count = 1};
    world.map = &none;
    assert_int_equal(mst_map_key_rows(&world), 0);
    world.map = NULL;
    assert_int_equal(mst_map_key_rows(&world), 0);
}

/* ---- squares ------------------------------------------------------------------------------------- */

typedef struct plan {
    counted memory;
    mst_arena arena;
    mst_view_world world;
    mst_view_part parts[64];
    mst_view_entity entities[4];
    mst_squares squares;
} plan;

/* Things in the middle of squares of 10 metres: column, row. */
static void plan_begin(plan *p, const int32_t (*places)[2], size_t count) {
    memset(p, 0, sizeof *p);
    mst_allocator allocator = counted_allocator(&p->memory);
    mst_arena_begin(&p->arena, &allocator, 0);
    p->world = (mst_view_world){.arena = &p->arena,
                                .parts = p->parts,
                                .entities = p->entities,
                                .part_count = count,
                                .across = {-1e5, 1e5},
                                .along = {-1e5, 1e5},
                                .height = {-10, 10},
                                .square = 10};
    for (size_t i = 0; i < count; i++) {
        p->parts[i].place[0] = (float)places[i][0] * 10 + 5;
        p->parts[i].place[2] = (float)places[i][1] * 10 + 5;
    }
}

static void squares_are_where_things_are(void **state) {
    (void)state;
    static const int32_t places[][2] = {{-1, 2}, {1, 2}, {1, 4}, {1, 4}};
    static const float strays[][3] = {{2e5f, 0, 0}, {-2e5f, 0, 0}, {0, 0, 2e5f}, {0, 0, -2e5f},
                                      {55, 11, 55}, {55, -11, 55}, {2e6f, 0, 0}, {0, 0, -2e6f}};
    plan p;
    for (size_t stray = 0; stray <= 8; stray++) {
        plan_begin(&p, places, 4);
        p.parts[2].place[1] = p.parts[3].place[1] = p.entities[0].position[1] = 4;
        if (stray < 8) {
            memcpy(p.parts[4].place, strays[stray], sizeof strays[stray]);
            p.world.part_count = 5;
            if (stray >= 6)
                p.world.across = p.world.along = (mst_range){-1e7, 1e7};
        }
        p.entities[0].position[0] = 5; /* in column 0, row 3 */
        p.entities[0].position[2] = 35;
        p.world.entity_count = 1;
        assert_int_equal(mst_squares_find(&p.world, &flat, &p.squares), MST_OK);
        assert_int_equal(p.squares.column, -1);
        assert_int_equal(p.squares.row, 2);
        assert_int_equal(p.squares.columns, 3);
        assert_int_equal(p.squares.rows, 3);
        /* they are connected by their corners, at the median height of the five */
        static const uint32_t groups[] = {1, 0, 1, 0, 1, 0, 0, 0, 1};
        for (size_t i = 0; i < 9; i++)
            assert_int_equal(p.squares.group[i], groups[i]);
        assert_true(p.squares.heights[1] == 4);
        p.world.across = p.world.along = (mst_range){0, 10};
        mst_squares_widen(&p.squares, &p.world, &flat);
        assert_true(p.world.across.low == -10 && p.world.across.high == 20);
        assert_true(p.world.along.low == 0 && p.world.along.high == 50);
        mst_arena_end(&p.arena);
    }
    /* the maximum number, and one more, in both directions; and none */
    for (int32_t far = 127; far <= 128; far++)
        for (int axis = 0; axis < 2; axis++) {
            int32_t ends[2][2] = {{0, 0}, {0, 0}};
            ends[1][axis] = far;
            plan_begin(&p, (const int32_t(*)[2])ends, 2);
            assert_int_equal(mst_squares_find(&p.world, &flat, &p.squares), MST_OK);
            assert_int_equal(p.squares.group != NULL, far == 127);
            mst_arena_end(&p.arena);
        }
    plan_begin(&p, places, 1);
    p.parts[0].place[1] = 50;
    assert_int_equal(mst_squares_find(&p.world, &flat, &p.squares), MST_OK);
    assert_null(p.squares.group);
    static sheet s;
    wipe(&s);
    mst_squares_draw(&p.squares, &flat, &middle, &s.canvas, 1, true);
    assert_int_equal(inked(&s, 0, 0, SIDE, SIDE), 0);
    mst_arena_end(&p.arena);
    /* memory for one and the other */
    static const int32_t large[][2] = {{0, 0}, {100, 100}};
    for (size_t fail_at = 1;; fail_at++) {
        plan_begin(&p, large, 2);
        p.memory.fail_at = fail_at;
        p.memory.for_good = true;
        mst_status status = mst_squares_find(&p.world, &flat, &p.squares);
        assert_int_equal(status, p.memory.failed ? MST_NO_MEMORY : MST_OK);
        bool failed = p.memory.failed;
        mst_arena_end(&p.arena);
        if (!failed)
            break;
    }
}

/* Their sides, and numbers in them or, if they are small, at the edges. */
static void squares_are_drawn(void **state) {
    (void)state;
    static const int32_t places[][2] = {{0, 0}, {2, 0}, {0, 1}};
    const struct {
        double scale;
        mst_projection view;
        bool numbers;
    } cases[] = {
        {0.4, flat, true},                                             /* small */
        {0.4, flat, false},                                            /* without numbers */
        {0.001, flat, true},                                           /* less than a pixel */
        {7, flat, true},                                               /* large: numbers within */
        {7, {.right = {-1, 0, 0}, .down = {0, 0, -1}}, true},          /* from the other side */
        {7, {.right = {0.7, 0, -0.7}, .down = {0.35, 0, 0.35}}, true}, /* on a tip */
        {7, {.right = {0.7, 0, 0.7}, .down = {-0.35, 0, 0.35}}, true}, /* on the other one */
        {0.4, {.right = {0.7, 0, 0.7}, .down = {-0.35, 0, 0.35}}, true},
        {0.4, {.right = {1, 0, 0}, .down = {0, 1, 0}}, true}, /* edge on: rows have no height */
    };
    enum { WIDE = 300 };
    static uint8_t pixels[2][WIDE * WIDE * 4];
    const mst_view_frame frame = {10, 10, WIDE - 20, WIDE - 20};
    plan p;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t count[2];
        for (int numbers = 0; numbers < 2; numbers++) {
            mst_projection view = cases[i].view;
            view.scale = cases[i].scale;
            plan_begin(&p, places, 3);
            assert_int_equal(mst_squares_find(&p.world, &view, &p.squares), MST_OK);
            p.world.across = p.world.along = (mst_range){1e9, -1e9};
            mst_squares_widen(&p.squares, &p.world, &view);
            view.left = (p.world.across.low + p.world.across.high) / 2 - frame.width / view.scale / 2;
            view.top = (p.world.along.low + p.world.along.high) / 2 - frame.height / view.scale / 2;
            mst_canvas canvas = mst_canvas_of(WIDE, WIDE, pixels[numbers]);
            memset(pixels[numbers], 0, sizeof pixels[numbers]);
            mst_squares_draw(&p.squares, &view, &frame, &canvas, 1, numbers && cases[i].numbers);
            count[numbers] = 0;
            for (size_t k = 3; k < sizeof pixels[numbers]; k += 4)
                count[numbers] += pixels[numbers][k] != 0;
            mst_arena_end(&p.arena);
        }
        assert_true(count[0] > 0);
        assert_int_equal(count[1] > count[0], cases[i].numbers);
    }
    /* squares outside of the frame have no number */
    mst_projection away = flat;
    away.left = 1000;
    plan_begin(&p, places, 3);
    assert_int_equal(mst_squares_find(&p.world, &away, &p.squares), MST_OK);
    for (int k = 0; k < 4; k++) {
        const double lefts[] = {1000, -1000, 0, 0}, tops[] = {0, 0, 1000, -1000};
        away.left = lefts[k];
        away.top = tops[k];
        mst_canvas canvas = mst_canvas_of(WIDE, WIDE, pixels[0]);
        memset(pixels[0], 0, sizeof pixels[0]);
        away.scale = 7;
        mst_squares_draw(&p.squares, &away, &frame, &canvas, 1, true);
        for (size_t n = 3; n < sizeof pixels[0]; n += 4)
            assert_int_equal(pixels[0][n], 0);
    }
    mst_arena_end(&p.arena);
}

int test_raster(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_that_are_nothing),
        cmocka_unit_test(triangles_may_be_vast),
        cmocka_unit_test(depth_has_bounds),
        cmocka_unit_test(colours_are_put_over_each_other),
        cmocka_unit_test(lines_and_marks_end_at_the_canvas),
        cmocka_unit_test(lines_are_cut_to_the_frame),
        cmocka_unit_test(arrows_have_heads),
        cmocka_unit_test(ticks_and_tags),
        cmocka_unit_test(used_colours_have_keys),
        cmocka_unit_test(squares_are_where_things_are),
        cmocka_unit_test(squares_are_drawn),
    };
    return cmocka_run_group_tests_name("raster", tests, NULL, NULL);
}
