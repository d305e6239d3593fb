/* SPDX-License-Identifier: MIT */
/* TGA pictures: every kind of pixel, packed and unpacked, from every corner; invalid files. */
#include "../src/codec/tga.h"
#include "support.h"

typedef struct header {
    uint8_t id, palette, type;
    uint16_t first, count;
    uint8_t palette_depth;
    uint16_t width, height;
    uint8_t depth, descriptor;
} header;

static void put_header(writer *w, const header *h) {
    put_u8(w, h->id), put_u8(w, h->palette), put_u8(w, h->type);
    put_u16(w, h->first), put_u16(w, h->count), put_u8(w, h->palette_depth);
    put_u32(w, 0), put_u16(w, h->width), put_u16(w, h->height);
    put_u8(w, h->depth), put_u8(w, h->descriptor);
}

/* Writes a picture of 2 x 2 pixels, or another size, and compares the result of reading it. */
static void same(const header *h, const char *bytes, size_t size, const uint8_t *expected) {
    writer w = {0};
    mst_tga tga;
    header full = *h;
    full.width = h->width ? h->width : 2;
    full.height = h->height ? h->height : 2;
    put_header(&w, &full);
    put_bytes_of(&w, bytes, size);
    assert_true(mst_tga_begin(w.data, w.size, &tga));
    size_t count = (size_t)full.width * full.height * 4;
    uint8_t *rgba = malloc(count);
    assert_non_null(rgba);
    assert_true(mst_tga_decode(w.data, w.size, &tga, rgba));
    assert_memory_equal(rgba, expected, count);
    for (size_t cut = 18; cut < w.size; cut++) { /* a shorter file is detected */
        bool begun = mst_tga_begin(w.data, cut, &tga);
        assert_false(begun && mst_tga_decode(w.data, cut, &tga, rgba));
    }
    free(rgba);
    writer_free(&w);
}
#define SAME(h, bytes, ...) same(&(const header)h, (bytes), sizeof(bytes) - 1, (const uint8_t[]){__VA_ARGS__})
#define HEADER(...)                                                                                          \
    { __VA_ARGS__ }

static void colors(void **state) {
    (void)state;
    /* rows from the bottom, from the top, and from the right */
    SAME(HEADER(.type = 2, .depth = 24), "\1\2\3\4\5\6\7\10\11\12\13\14", 9, 8, 7, 255, 12, 11, 10, 255, 3, 2,
         1, 255, 6, 5, 4, 255);
    SAME(HEADER(.type = 2, .depth = 24, .descriptor = 0x20), "\1\2\3\4\5\6\7\10\11\12\13\14", 3, 2, 1, 255, 6,
         5, 4, 255, 9, 8, 7, 255, 12, 11, 10, 255);
    SAME(HEADER(.type = 2, .depth = 24, .descriptor = 0x30), "\1\2\3\4\5\6\7\10\11\12\13\14", 6, 5, 4, 255, 3,
         2, 1, 255, 12, 11, 10, 255, 9, 8, 7, 255);
    /* alpha: kept; if all zero and not declared, there is none */
    SAME(HEADER(.type = 2, .depth = 32, .descriptor = 0x28, .height = 1), "\1\2\3\0\4\5\6\0", 3, 2, 1, 0, 6,
         5, 4, 0);
    SAME(HEADER(.type = 2, .depth = 32, .descriptor = 0x20, .height = 1), "\1\2\3\0\4\5\6\0", 3, 2, 1, 255, 6,
         5, 4, 255);
    SAME(HEADER(.type = 2, .depth = 32, .descriptor = 0x20, .height = 1), "\1\2\3\0\4\5\6\7", 3, 2, 1, 0, 6,
         5, 4, 7);
    /* 5 bits each: 0x7C00 is red */
    SAME(HEADER(.type = 2, .depth = 16, .descriptor = 0x21, .height = 1), "\0\x7C\x1F\x80", 255, 0, 0, 0, 0,
         0, 255, 255);
    SAME(HEADER(.type = 2, .depth = 16, .descriptor = 0x20, .height = 1), "\0\x7C\xE0\x03", 255, 0, 0, 255, 0,
         255, 0, 255);
    SAME(HEADER(.type = 2, .depth = 15, .descriptor = 0x21, .height = 1), "\0\x7C\x10\x42", 255, 0, 0, 255,
         132, 132, 132, 255);
    SAME(HEADER(.type = 3, .depth = 8, .descriptor = 0x20, .height = 1), "\1\2", 1, 1, 1, 255, 2, 2, 2, 255);
    /* a text before the pixels, and a palette that true colours do not need */
    SAME(HEADER(.id = 2, .type = 3, .depth = 8, .descriptor = 0x20, .height = 1), "ab\1\2", 1, 1, 1, 255, 2,
         2, 2, 255);
    SAME(HEADER(.palette = 1, .count = 1, .palette_depth = 16, .type = 3, .depth = 8, .descriptor = 0x20,
                .height = 1),
         "ab\1\2", 1, 1, 1, 255, 2, 2, 2, 255);
}

static void palettes(void **state) {
    (void)state;
    SAME(HEADER(.palette = 1, .type = 1, .count = 2, .palette_depth = 24, .depth = 8, .descriptor = 0x20,
                .height = 1),
         "\1\2\3\4\5\6\1\0", 6, 5, 4, 255, 3, 2, 1, 255);
    /* from colour 5 on; colours that the palette lacks are transparent */
    SAME(HEADER(.palette = 1, .type = 1, .first = 5, .count = 1, .palette_depth = 32, .depth = 8,
                .descriptor = 0x28, .height = 1, .width = 3),
         "\1\2\3\4\5\4\6", 3, 2, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void packed(void **state) {
    (void)state;
    /* a run of three, one alone */
    SAME(HEADER(.type = 11, .depth = 8, .descriptor = 0x20), "\x82\7\0\11", 7, 7, 7, 255, 7, 7, 7, 255, 7, 7,
         7, 255, 9, 9, 9, 255);
    SAME(HEADER(.type = 10, .depth = 24, .descriptor = 0x20), "\1\1\2\3\4\5\6\x81\7\10\11", 3, 2, 1, 255, 6,
         5, 4, 255, 9, 8, 7, 255, 9, 8, 7, 255);
    SAME(HEADER(.palette = 1, .type = 9, .count = 1, .palette_depth = 24, .depth = 8, .descriptor = 0x20,
                .height = 1),
         "\1\2\3\x81\0", 3, 2, 1, 255, 3, 2, 1, 255);
}

static void no_pictures(void **state) {
    (void)state;
    static const header all[] = {
        {.type = 0, .width = 1, .height = 1, .depth = 24},
        {.type = 4, .width = 1, .height = 1, .depth = 24},
        {.type = 2, .width = 1, .height = 1, .depth = 23},
        {.type = 3, .width = 1, .height = 1, .depth = 16},
        {.type = 1, .width = 1, .height = 1, .depth = 8},
        {.type = 1, .palette = 1, .count = 1, .palette_depth = 24, .width = 1, .height = 1, .depth = 16},
        {.type = 1, .palette = 1, .count = 1, .palette_depth = 8, .width = 1, .height = 1, .depth = 8},
        {.type = 2, .palette = 2, .width = 1, .height = 1, .depth = 24},
        {.type = 2, .width = 0, .height = 1, .depth = 24},
        {.type = 2, .width = 1, .height = 0, .depth = 24},
        {.type = 2, .width = 16385, .height = 1, .depth = 24},
        {.type = 2, .width = 1, .height = 16385, .depth = 24},
        {.type = 2, .id = 255, .width = 1, .height = 1, .depth = 24},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        writer w = {0};
        mst_tga tga;
        put_header(&w, &all[i]);
        memset(put(&w, 32), 0, 32);
        assert_false(mst_tga_begin(w.data, w.size, &tga));
        writer_free(&w);
    }
    mst_tga tga;
    assert_false(mst_tga_begin((const uint8_t *)"", 0, &tga));
}

int test_tga(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(colors), cmocka_unit_test(palettes),
                                       cmocka_unit_test(packed), cmocka_unit_test(no_pictures)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
