/* SPDX-License-Identifier: MIT */
/* Poses of models in the first frame of a state, from bodies written byte by byte, and their pictures. */
#include "../src/formats/revenant/imagery/posed.h"
#include "../src/formats/revenant/imagery/stills.h"
#include "refusing.h"
#include "revenant_body.h"
#include "support.h"
#include <mapstone/scene.h>
#include <math.h>

static mst_status try_body(const body *b, uint32_t state, uint32_t size, mst_arena *arena, mst_posed *posed) {
    /* exactly of the stated size, so that reads past its end are detected */
    uint8_t *data = malloc(size ? size : 1);
    assert_non_null(data);
    memcpy(data, b->data, size);
    const mst_imagery imagery = {.header = b->header,
                                 .header_size = sizeof b->header,
                                 .data = data,
                                 .data_size = size,
                                 .state_count = STATES};
    mst_status status = mst_posed_read(&imagery, state, arena, posed);
    for (uint32_t i = 0; status == MST_OK && i < posed->texture_count; i++)
        if (posed->textures[i].pixels) { /* they point into the data, which is freed */
            uint8_t color[4];
            mst_posed_color(&posed->textures[i], 0, color);
        }
    free(data);
    return status;
}

static void assert_corner(const mst_posed *posed, uint32_t index, double x, double y, double z) {
    const float *p = posed->corners[index].position;
    if (fabs(p[0] - x) > 1e-4 || fabs(p[1] - y) > 1e-4 || fabs(p[2] - z) > 1e-4)
        print_message("corner %u: %f %f %f\n", index, p[0], p[1], p[2]);
    assert_true(fabs(p[0] - x) < 1e-4 && fabs(p[1] - y) < 1e-4 && fabs(p[2] - z) < 1e-4);
}

static void older_bodies(void **state) {
    (void)state;
    mst_arena arena;
    mst_posed posed;
    body b = old_body(HANGS);
    mst_arena_begin(&arena, NULL, 0);
    MUST(try_body(&b, 0, b.end, &arena, &posed), NULL);
    assert_int_equal(posed.object_count, 2);
    assert_int_equal(posed.triangle_count, 2);
    assert_string_equal(posed.objects[0].name, "hips");
    assert_int_equal(strlen(posed.objects[1].name), 32);
    assert_int_equal(posed.triangles[0].texture, -1);
    assert_int_equal(posed.triangles[0].material, 0);
    assert_int_equal(posed.triangles[1].texture, 0);
    assert_int_equal(posed.triangles[1].material, -1);
    assert_int_equal(posed.triangles[1].corners[0], 3);
    assert_int_equal(posed.textures[0].width, 2);
    assert_true(posed.colors[0][0] == 0.5F && posed.colors[0][2] == 1);
    assert_corner(&posed, 0, 1, 0, 2); /* 0 0 2 rotated is the same */
    assert_corner(&posed, 1, 1, 1, 0); /* 1 0 0 becomes 0 1 0 */
    /* 3 0 2: about x 3 -2 0, moved 3 0 0; then about z 0 3 0, moved 1 3 0 */
    assert_corner(&posed, 3, 1, 3, 0);
    assert_true(posed.corners[0].texture[0] == 0.25F && posed.corners[0].texture[1] == 0.75F);
    /* the second's normal pointed upwards: after the rotation about x it is 0 -1 0, about z 1 0 0 */
    assert_true(fabs(posed.corners[3].normal[0] - 1.0) < 1e-4);
    /* without keys nothing moves */
    MUST(try_body(&b, 1, b.end, &arena, &posed), NULL);
    assert_corner(&posed, 3, 3, 0, 2);
    assert_int_equal(try_body(&b, STATES, b.end, &arena, &posed), MST_UNSUPPORTED);
    free(b.data);
    b = old_body(0);
    MUST(try_body(&b, 0, b.end, &arena, &posed), NULL);
    assert_corner(&posed, 3, 3, 0, 0);
    /* more than the limits of its tables, each */
    static const uint32_t fields[] = {272, 916, 1880, 4, 264};
    for (unsigned i = 0; i < 5; i++) {
        uint32_t was = mst_load32(b.data + fields[i], false);
        number(&b, fields[i], i < 3 ? 65 : 3000000);
        assert_int_equal(try_body(&b, 0, b.end, &arena, &posed), MST_UNSUPPORTED);
        number(&b, fields[i], was);
    }
    small(&b, 5340, 2); /* a face used by both */
    assert_int_equal(try_body(&b, 0, b.end, &arena, &posed), MST_UNSUPPORTED);
    small(&b, 5340, 1);
    number(&b, 920 + 84, 8); /* not of 16 bits */
    MUST(try_body(&b, 0, b.end, &arena, &posed), NULL);
    assert_null(posed.textures[0].pixels);
    free(b.data);
    /* each state has corners of its own */
    b = old_body(MORPHS);
    assert_int_equal(try_body(&b, 1, b.end, &arena, &posed), MST_UNSUPPORTED);
    MUST(try_body(&b, 0, b.end, &arena, &posed), NULL);
    free(b.data);
    mst_arena_end(&arena);
}

static void short_keys(void **state) {
    (void)state;
    static const struct {
        uint32_t keys[6], count;
        double x, y, z; /* of the corner 0 1 2 */
    } cases[] = {
        {{0}, 0, 0, 1, 2},
        {{TRIPLE(1, 4, -8, 2)}, 1, 1, -1, 2.5},
        /* half a turn about z is 512 */
        {{TRIPLE(2, 0, 0, -512), TRIPLE(1, 4, 0, 0)}, 2, 1, -1, 2},
        {{TRIPLE(3, 128, 64, 32)}, 1, 0, 1, 1},
        /* single numbers are in 256ths */
        {{SINGLE(2, 256), SINGLE(3, -512), SINGLE(4, 128)}, 3, 1, -1, 2.5},
        {{SINGLE(8, 512), SINGLE(9, 256), SINGLE(10, 512)}, 3, 0, 1, 4},
        /* a repeated value begins the next frame */
        {{TRIPLE(1, 4, 0, 0), TRIPLE(1, 8, 0, 0)}, 2, 1, 1, 2},
        {{SINGLE(3, 256), TRIPLE(1, 8, 8, 8)}, 2, 0, 2, 2},
        {{SINGLE(4, 256), SINGLE(4, 512), SINGLE(2, 256)}, 3, 0, 1, 3},
        /* so do the codes for it, and unknown codes */
        {{TRIPLE(1, 4, 0, 0), SINGLE(0, 0), TRIPLE(3, 128, 128, 128)}, 3, 1, 1, 2},
        {{TRIPLE(1, 4, 0, 0), SINGLE(1, 5), TRIPLE(3, 128, 128, 128)}, 3, 1, 1, 2},
        {{TRIPLE(1, 4, 0, 0), SINGLE(11, 5), TRIPLE(3, 128, 128, 128)}, 3, 1, 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_arena arena;
        mst_posed posed;
        body b = new_body(SHORT, cases[i].keys, cases[i].count);
        mst_arena_begin(&arena, NULL, 0);
        MUST(try_body(&b, 0, b.end, &arena, &posed), NULL);
        assert_corner(&posed, 0, cases[i].x, cases[i].y, cases[i].z);
        mst_arena_end(&arena);
        free(b.data);
    }
}

static void newer_bodies(void **state) {
    (void)state;
    mst_arena arena;
    mst_posed posed;
    mst_arena_begin(&arena, NULL, 0);
    body b = new_body(0, NULL, 0);
    long_key(&b, b.end - 8, 4, 8, 12, 0, 0, 0);
    MUST(try_body(&b, 0, b.end, &arena, &posed), NULL);
    assert_corner(&posed, 0, 1, 3, 5);
    assert_int_equal(posed.triangle_count, 1);
    /* hidden in a state without keys */
    MUST(try_body(&b, 1, b.end, &arena, &posed), NULL);
    assert_int_equal(posed.triangle_count, 0);
    /* more corners, or faces, than exist */
    uint32_t object = mst_load32(b.data + 48, false) + 48;
    small(&b, object + 36, 4);
    assert_int_equal(try_body(&b, 0, b.end, &arena, &posed), MST_UNSUPPORTED);
    small(&b, object + 36, 2); /* the face has a corner that does not belong to its object */
    MUST(try_body(&b, 0, b.end, &arena, &posed), NULL);
    assert_int_equal(posed.triangle_count, 0);
    small(&b, object + 36, 3);
    number(&b, object + 40, 0); /* no faces */
    MUST(try_body(&b, 0, b.end, &arena, &posed), NULL);
    assert_int_equal(posed.triangle_count, 0);
    number(&b, object + 44, 0); /* no states */
    MUST(try_body(&b, 0, b.end, &arena, &posed), NULL);
    free(b.data);
    b = new_body(MORPHS, NULL, 0);
    long_key(&b, b.end - 8, 0, 0, 0, 0, 0, 0);
    MUST(try_body(&b, 2, b.end, &arena, &posed), NULL);
    assert_int_equal(posed.triangle_count, 1); /* it needs no keys: it has corners of its own */
    assert_corner(&posed, 0, 2, 1, 2);
    free(b.data);
    mst_arena_end(&arena);
}

/* Bodies that are truncated, or have any word corrupted, are refused or read, without reads past their
 * end. */
static void damaged(void **state) {
    (void)state;
    static const uint32_t keys[] = {4, 8, 12};
    body bodies[] = {old_body(HANGS), new_body(SHORT, keys, 3), new_body(MORPHS, NULL, 0)};
    for (size_t i = 0; i < 3; i++) {
        body *b = &bodies[i];
        uint32_t step = (uint32_t)sample_step();
        for (uint32_t size = 0; size < b->end; size += size % 7300 < 300 ? step : 31 * step) {
            mst_arena arena;
            mst_posed posed;
            mst_arena_begin(&arena, NULL, 0);
            assert_int_not_equal(try_body(b, 0, size, &arena, &posed), MST_NO_MEMORY);
            mst_arena_end(&arena);
        }
        for (uint32_t at = 0; at + 4 <= b->end; at += 4 * step) {
            static const uint32_t values[] = {0xFFFFFFFF, 0x7FFFFFFF, 0x7F800000, 1, 0xFFFF};
            uint32_t was = mst_load32(b->data + at, false);
            for (size_t k = 0; k < 5; k++) {
                mst_arena arena;
                mst_posed posed;
                number(b, at, values[k]);
                mst_arena_begin(&arena, NULL, 0);
                for (uint32_t which = 0; which < STATES; which++)
                    assert_int_not_equal(try_body(b, which, b->end, &arena, &posed), MST_NO_MEMORY);
                mst_arena_end(&arena);
            }
            number(b, at, was);
        }
        free(b->data);
    }
}

/* ---- the picture --------------------------------------------------------------------------------- */

static void scenes(void **state) {
    (void)state;
    body b = old_body(0);
    writer w = file_of(&b);
    free(b.data);
    mst_document *document;
    mst_scene *scene;
    mst_diagnostic why;
    MUST(mst_open_memory(w.data, w.size,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.i3d"}, &document,
                         &why),
         &why);
    MUST(mst_scene_from_document(document, NULL, &scene, &why), &why);
    assert_int_equal(scene->node_count, 3);
    assert_string_equal(scene->nodes[1].name, "hips");
    assert_int_equal(scene->mesh_count, 2);
    const mst_primitive *plain = scene->meshes[0].primitives, *textured = scene->meshes[1].primitives;
    assert_int_equal(plain->index_count, 3);
    assert_int_equal(scene->materials[plain->material].image, -1);
    const mst_pixels *image = &scene->images[scene->materials[textured->material].image].pixels;
    assert_int_equal(image->width, 2);
    assert_memory_equal(image->data, "\xF8\0\0\xFF\0\0\xF8\xFF", 8);
    for (int limit = 0; limit < 60; limit++) {
        int left = limit;
        mst_scene *other;
        const mst_scene_options options = {.size = sizeof options, .allocator = {no_memory, &left}};
        mst_status status = mst_scene_from_document(document, &options, &other, &why);
        assert_true(status == MST_OK || status == MST_NO_MEMORY);
        mst_scene_free(other);
    }
    mst_scene_free(scene);
    mst_close(document);
    mst_store32(w.data + 20 + sizeof b.header + 4, 3000000, false); /* corners */
    MUST(mst_open_memory(w.data, w.size,
                         &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.i3d"}, &document,
                         &why),
         &why);
    assert_int_equal(mst_scene_from_document(document, NULL, &scene, &why), MST_UNSUPPORTED);
    mst_close(document);
    writer_free(&w);
}

/* A triangle on the ground: its corners are at 0, 40 and 80 along x, 1 along y... */
static body flat_body(void) {
    body b = new_body(0, NULL, 0);
    long_key(&b, b.end - 8, 0, 0, 0, 0, 0, 0);
    uint32_t states = mst_load32(b.data + 16, false) + 16,
             frames = mst_load32(b.data + states, false) + states,
             corners = mst_load32(b.data + frames, false) + frames;
    put_corner(&b, corners, 0, 0, 0);
    put_corner(&b, corners + 32, 40, 0, 0);
    put_corner(&b, corners + 64, 0, 40, 0);
    return b;
}

static mst_still still_of(mst_sprites_builder *builder, const body *b, uint8_t facing) {
    writer w = file_of(b);
    mst_still still = mst_model_still(builder, "a.i3d", w.data, w.size, 0, facing);
    writer_free(&w);
    return still;
}

static void stills(void **state) {
    (void)state;
    mst_sprites_builder builder;
    mst_diagnostic why;
    MUST(mst_sprites_begin(&builder, NULL, 1 << 20, &why), &why);
    body b = flat_body();
    /* on the screen its corners are at 0 0, 40 20 and -40 20 */
    mst_still still = still_of(&builder, &b, 0);
    assert_int_equal(still.image, 0);
    assert_int_equal(still.x, 40);
    assert_int_equal(still.y, 0);
    assert_true(still.unlit && !still.lit && !still.flat);
    const mst_sprite_image *image = (const mst_sprite_image *)builder.images.items + 0;
    assert_int_equal(image->width, 80);
    assert_int_equal(image->height, 20);
    size_t drawn = 0;
    for (size_t i = 0; i < 80 * 20; i++) {
        drawn += image->pixels[4 * i + 3] == 255;
        if (image->pixels[4 * i + 3]) { /* grey, with some light; y / 2 and depth are related */
            assert_int_equal(image->pixels[4 * i], image->pixels[4 * i + 1]);
            assert_true(image->pixels[4 * i] > 70 && image->pixels[4 * i] < 128);
            double depth = -(2 * ((double)(i / 80) + 0.5)) * 0.867;
            assert_true(image->depths[i] <= depth && image->depths[i] > depth - 1.01);
        }
    }
    assert_true(drawn > 760 && drawn < 840); /* half of the rectangle */
    /* a quarter turn takes x to y, and y to -x: 0 0, -40 20 and -40 -20 */
    still = still_of(&builder, &b, 64);
    image = (const mst_sprite_image *)builder.images.items + still.image;
    assert_int_equal(still.x, 40);
    assert_int_equal(still.y, 20);
    assert_int_equal(image->width, 40);
    assert_int_equal(image->height, 40);
    /* too large, not a number, or no area at all */
    uint32_t states = mst_load32(b.data + 16, false) + 16,
             frames = mst_load32(b.data + states, false) + states,
             corners = mst_load32(b.data + frames, false) + frames;
    put_corner(&b, corners + 64, 0, 4000, 0);
    assert_int_equal(still_of(&builder, &b, 0).image, UINT32_MAX);
    put_corner(&b, corners + 64, 1500, 1500, 0);
    put_corner(&b, corners, -1500, -1500, 0);
    assert_int_equal(still_of(&builder, &b, 0).image, UINT32_MAX);
    put_corner(&b, corners, 0, 0, 0);
    put_corner(&b, corners + 64, 0, 0, 0);
    put_corner(&b, corners + 32, 0, 0, 0);
    assert_int_equal(still_of(&builder, &b, 0).image, UINT32_MAX);
    free(b.data);
    b = old_body(0);
    assert_int_not_equal(still_of(&builder, &b, 10).image, UINT32_MAX);
    free(b.data);
    assert_int_equal(mst_model_still(&builder, "x", "CGSR", 4, 0, 0).image, UINT32_MAX);
    assert_int_equal(builder.status, MST_OK);
    mst_sprites *sprites;
    MUST(mst_sprites_finish(&builder, &(mst_sprites){.name = "", .format = ""}, &sprites, &why), &why);
    mst_sprites_free(sprites);
}

static void memory_ends(void **state) {
    (void)state;
    body b = old_body(HANGS);
    writer w = file_of(&b);
    free(b.data);
    bool done = false;
    for (int limit = 0; limit < 60 && !done; limit++) {
        int left = limit;
        mst_sprites_builder builder;
        mst_sprites *sprites = NULL;
        mst_diagnostic why;
        const mst_sprites_options options = {.size = sizeof options, .allocator = {no_memory, &left}};
        mst_status status = mst_sprites_begin(&builder, &options, 1 << 20, &why);
        if (status == MST_OK) {
            mst_model_still(&builder, "a.i3d", w.data, w.size, 0, 3);
            status = mst_sprites_finish(&builder, &(mst_sprites){.name = "", .format = ""}, &sprites, &why);
        }
        done = status == MST_OK;
        assert_true(done || status == MST_NO_MEMORY);
        if (done)
            mst_sprites_free(sprites);
    }
    assert_true(done);
    writer_free(&w);
}

/* ---- pixels of textures -------------------------------------------------------------------------- */

static const struct kind_of_pixels {
    uint16_t masks[4], pixels[2];
    uint8_t colors[8];
    mst_alpha_mode mode;
} kinds_of_pixels[] = {
    {{0, 0, 0, 0}, {0xF800, 0x07FF}, {0xF8, 0, 0, 255, 0, 0xF8, 0xF8, 255}, MST_ALPHA_OPAQUE},
    {{0x1F, 0x7E0, 0xF800, 0}, {0xF800, 0x001E}, {0, 0, 0xF8, 255, 0xF0, 0, 0, 255}, MST_ALPHA_OPAQUE},
    {{0xF00, 0xF0, 0xF, 0xF000}, {0x8F21, 0xF00A}, {0xF0, 0x20, 0x10, 136, 0, 0, 0xA0, 255}, MST_ALPHA_BLEND},
    {{0xF00, 0xF0, 0xF, 0xF000},
     {0x0FFF, 0xF123},
     {0xF0, 0xF0, 0xF0, 0, 0x10, 0x20, 0x30, 255},
     MST_ALPHA_MASK},
    {{0x7C00, 0x3E0, 0x1F, 0x8000}, {0x7C01, 0x83E0}, {0xF8, 0, 8, 0, 0, 0xF8, 0, 255}, MST_ALPHA_MASK},
    {{0x7C00, 0x3E0, 0x1F, 0x8000}, {0xFC00, 0x8000}, {0xF8, 0, 0, 255, 0, 0, 0, 255}, MST_ALPHA_OPAQUE},
};

/* Its second object is a triangle on the ground in the colour of the texture's first pixel; the first has
 * none. */
static body textured_body(const struct kind_of_pixels *kind) {
    body b = old_body(0);
    uint32_t corners = mst_load32(b.data + 8, false) + 8, pixels = mst_load32(b.data + 1784, false) + 1784;
    corners += mst_load32(b.data + corners, false);
    pixels += mst_load32(b.data + pixels, false);
    for (unsigned i = 0; i < 4; i++)
        number(&b, 920 + 88 + 4 * i, kind->masks[i]);
    for (unsigned i = 0; i < 2; i++)
        small(&b, pixels + 2 * i, kind->pixels[i]);
    put_corner(&b, corners + 96, 0, 0, 0);
    put_corner(&b, corners + 128, 40, 0, 0);
    put_corner(&b, corners + 160, 0, 40, 0);
    long_key(&b, mst_load32(b.data + 6620, false) + 6620 + 16, 0, 0, 0, 0, 0, 0);
    small(&b, 5340, 0);
    return b;
}

static void pixels_in_scenes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof kinds_of_pixels / sizeof *kinds_of_pixels; i++) {
        const struct kind_of_pixels *kind = &kinds_of_pixels[i];
        body b = textured_body(kind);
        writer w = file_of(&b);
        mst_document *document;
        mst_scene *scene;
        mst_diagnostic why;
        MUST(mst_open_memory(w.data, w.size,
                             &(mst_open_options){.size = sizeof(mst_open_options), .name = "a.i3d"},
                             &document, &why),
             &why);
        MUST(mst_scene_from_document(document, NULL, &scene, &why), &why);
        const mst_material *material = &scene->materials[scene->meshes[0].primitives->material];
        const uint8_t *pixels = scene->images[material->image].pixels.data;
        for (unsigned k = 0; k < 8; k += 4) /* an invisible pixel has the colour of the adjacent one */
            assert_memory_equal(pixels + k + (kind->colors[k + 3] ? 0 : 3),
                                kind->colors + k + (kind->colors[k + 3] ? 0 : 3),
                                kind->colors[k + 3] ? 4 : 1);
        assert_int_equal(material->alpha_mode, kind->mode);
        mst_scene_free(scene);
        mst_close(document);
        writer_free(&w);
        free(b.data);
    }
}

/* Pixels are blended in 31 steps if some are partly transparent; others are either opaque or absent. */
static void pixels_in_stills(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof kinds_of_pixels / sizeof *kinds_of_pixels; i++) {
        const struct kind_of_pixels *kind = &kinds_of_pixels[i];
        mst_sprites_builder builder;
        mst_diagnostic why;
        body b = textured_body(kind);
        MUST(mst_sprites_begin(&builder, NULL, 1 << 20, &why), &why);
        mst_still still = still_of(&builder, &b, 0);
        assert_int_equal(still.image, 0);
        const mst_sprite_image *image = builder.images.items;
        bool blends = kind->mode == MST_ALPHA_BLEND;
        unsigned alpha = blends ? 17 : kind->colors[3], seen = 0;
        assert_int_equal(image->blended, blends);
        assert_int_equal(image->opaque, blends ? 31 : 255);
        for (uint32_t k = 0; k < image->width * image->height; k++) {
            assert_true(!image->pixels[4 * k + 3] || image->pixels[4 * k + 3] == alpha);
            seen += image->pixels[4 * k + 3] != 0;
        }
        assert_true(alpha ? seen > 500 : !seen);
        mst_sprites *sprites;
        MUST(mst_sprites_finish(&builder, &(mst_sprites){.name = "", .format = ""}, &sprites, &why), &why);
        mst_sprites_free(sprites);
        free(b.data);
    }
}

int test_revenant_posed(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(older_bodies),    cmocka_unit_test(newer_bodies),
                                       cmocka_unit_test(short_keys),      cmocka_unit_test(damaged),
                                       cmocka_unit_test(scenes),          cmocka_unit_test(stills),
                                       cmocka_unit_test(memory_ends),     cmocka_unit_test(pixels_in_scenes),
                                       cmocka_unit_test(pixels_in_stills)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
