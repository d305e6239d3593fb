/* SPDX-License-Identifier: MIT */
/* The letters of pictures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../src/export/font.h"

static void font_has_all_letters(void **state) {
    (void)state;
    enum { WIDTH = 12, HEIGHT = 12 };
    static uint8_t seen[95][WIDTH * HEIGHT * 4];
    const mst_rgba white = {255, 255, 255, 255};
    for (int c = 0; c < 95; c++) {
        char text[2] = {(char)(32 + c), 0};
        mst_canvas canvas = mst_canvas_of(WIDTH, HEIGHT, seen[c]);
        mst_font_draw(&canvas, 1, 1, 1, text, SIZE_MAX, white, false);
        for (int other = 0; other < c; other++)
            assert_memory_not_equal(seen[c], seen[other], sizeof seen[c]);
    }
    uint8_t pixels[WIDTH * HEIGHT * 4] = {0};
    mst_canvas canvas = mst_canvas_of(WIDTH, HEIGHT, pixels);
    /* Out of the canvas on every side. */
    mst_font_draw(&canvas, -30000, -7, 3, "outside of everything", 5, white, true);
    mst_font_draw(&canvas, 3, 3, 40, "WWW", SIZE_MAX, white, true);
}

enum { CELL = 12 * 14 * 4 };

static void draw_cell(const char *text, uint8_t pixels[CELL]) {
    memset(pixels, 0, CELL);
    mst_canvas canvas = mst_canvas_of(12, 14, pixels);
    mst_font_draw(&canvas, 1, 3, 1, text, SIZE_MAX, (mst_rgba){255, 255, 255, 255}, false);
}

static void utf8_of(uint32_t code, char text[4]) {
    char bytes[4] = {(char)(0xC0 | code >> 6), (char)(0x80 | (code & 0x3F))};
    memcpy(text, bytes, sizeof bytes);
}

/* Latin-1 and Latin Extended-A: no letter is like another or like ASCII except those that also look alike in
 * print. */
static void font_has_accents(void **state) {
    (void)state;
    static const uint32_t alike[] = {0xA0, 0xAD, 0x110};
    static uint8_t seen[0x180 - 32][CELL];
    size_t count = 0, next = 0;
    for (uint32_t code = 0x20; code < 0x180; code++) {
        char text[4] = {(char)code};
        if (code >= 0x7F && code < 0xA0)
            continue;
        if (code >= 0x80)
            utf8_of(code, text);
        draw_cell(text, seen[count]);
        if (next < sizeof alike / sizeof *alike && code == alike[next]) {
            next++;
            continue;
        }
        for (size_t other = 0; other < count; other++)
            if (!memcmp(seen[count], seen[other], CELL))
                fail_msg("U+%04X is like another", (unsigned)code);
        count++;
    }
    assert_int_equal(next, sizeof alike / sizeof *alike);
}

/* Every Unicode letter from Latin to Cyrillic is drawn, except four that are obsolete. */
static void font_has_latin_to_cyrillic(void **state) {
    (void)state;
    static const struct {
        uint32_t first, last;
    } none[] = {{0x7F, 0x9F},   {0x378, 0x379}, {0x380, 0x383},
                {0x38B, 0x38B}, {0x38D, 0x38D}, {0x3A2, 0x3A2}, /* not assigned */
                {0x52A, 0x52D}};
    uint8_t box[CELL], shown[CELL];
    draw_cell("\xE2\x98\x83", box);
    size_t next = 0;
    for (uint32_t code = 0x21; code < 0x530; code++) {
        char text[8] = {(char)code};
        if (code >= 0x80)
            utf8_of(code, text);
        draw_cell(text, shown);
        const bool missing = next < sizeof none / sizeof *none && code >= none[next].first;
        if (code >= 0x80 && missing != !memcmp(shown, box, CELL))
            fail_msg("U+%04X", (unsigned)code);
        if (missing && code == none[next].last)
            next++;
    }
    /* A Vietnamese letter with two marks, and one that is in Unicode but not in the font. */
    draw_cell("\xE1\xBB\x99", shown); /* o, circumflex, dot below */
    assert_memory_not_equal(shown, box, CELL);
    draw_cell("\xE1\xB8\x98", shown); /* E with circumflex below */
    assert_memory_not_equal(shown, box, CELL);
}

/* The dots of letters, as in the font's own files; corners are slightly smoothed. */
static void font_draws_letters(void **state) {
    (void)state;
    static const struct {
        const char *text, *rows[12];
    } cases[] = {{"\xD0\x96", /* Cyrillic Zhe */
                  {"      ", "      ", "      ", "# # # ", "# # # ", " ###  ", "  #   ", " ###  ", "# # # ",
                   "# # # ", "      ", "      "}},
                 {"\xC3\x89", /* E acute */
                  {"   #  ", "  #   ", "      ", "##### ", "#     ", "#     ", "####  ", "#     ", "#     ",
                   "##### ", "      ", "      "}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t shown[CELL];
        draw_cell(cases[i].text, shown);
        for (int row = 0; row < 12; row++)
            for (int column = 0; column < 6; column++)
                assert_int_equal(shown[(row * 12 + column + 1) * 4 + 3] > 128,
                                 cases[i].rows[row][column] == '#');
    }
}

/* A letter and a combining mark are one character, equal to the precomposed one. */
static void font_combines(void **state) {
    (void)state;
    static const struct {
        const char *one, *other;
    } same[] = {{"\xC3\xA9", "e\xCC\x81"},         /* acute */
                {"\xC3\x84", "A\xCC\x88"},         /* diaeresis */
                {"\xC3\xAF", "i\xCC\x88"},         /* loses its dot */
                {"\xC4\xB5", "j\xCC\x82"},         /* circumflex */
                {"\xC3\xA7", "c\xCC\xA7"},         /* cedilla, below */
                {"\xC4\xAF", "i\xCC\xA8"},         /* ogonek: the dot stays */
                {"\xC3\xA9", "e\xCC\x81\xCC\x88"}, /* of two the first */
                {"\xD0\x99", "\xD0\x98\xCC\x86"},  /* breve, on a tall letter of Cyrillic */
                {"\xE2\x98\x83", "\xEF\xBF\xBD"},  /* missing parts always look the same */
                {"\xE2\x98\x83", "\xF0\x9F\x98\x80"},
                {"\xE2\x98\x83", "\x01"},
                {"\xE2\x98\x83", "\x80"},          /* invalid UTF-8: a continuation without a start, */
                {"\xE2\x98\x83", "\xC3"},          /* a missing continuation, */
                {"\xE2\x98\x83", "\xC1\xA1"},      /* an overlong encoding of a, */
                {"\xE2\x98\x83", "\xC3\xA9\xA9"}}; /* one continuation too many */
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        uint8_t one[CELL], other[CELL];
        draw_cell(same[i].one, one);
        draw_cell(same[i].other, other);
        if (memcmp(one, other, CELL))
            fail_msg("pair %zu", i);
        assert_int_equal(mst_font_count(same[i].other), 1);
    }
    assert_int_equal(mst_font_count("a\xE2\x82\xAC\x01z"), 4);
    assert_int_equal(mst_font_count("\xCC\x81"
                                    "e"),
                     2); /* a mark without a letter */
}

int test_font(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(font_has_all_letters),
        cmocka_unit_test(font_has_accents),
        cmocka_unit_test(font_has_latin_to_cyrillic),
        cmocka_unit_test(font_draws_letters),
        cmocka_unit_test(font_combines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
