/* SPDX-License-Identifier: MIT */
/* Graphics of Alien Trilogy: packed frames, sprites, models and files without a beginning. Files are written
 * byte by byte. */
#include "../src/codec/frame_lz.h"
#include "../src/formats/alien/graphics/alien_sprites.h"
#include "alien_graphics.h"
#include "thorough.h"
#include <mapstone/mapstone.h>

/* ---- packing ------------------------------------------------------------------------------------- */

static void streams_unpack(void **state) {
    (void)state;
    /* three bytes; two from two before; five from one before; nine from 12; the end */
    static const uint8_t packed[] = {0x78, 7, 8, 9, 0xFE, 0x20, 1, 0x50, 10, 1, 0, 0};
    static const uint8_t expected[] = {7, 8, 9, 8, 9, 9, 9, 9, 9, 9, 7, 8, 9, 8, 9, 9, 9, 9, 9};
    mst_frame_lz_sizes sizes;
    uint8_t made[64];
    assert_true(mst_frame_lz_measure(packed, sizeof packed, &sizes));
    assert_int_equal(sizes.packed, sizeof packed);
    assert_int_equal(sizes.unpacked, sizeof expected);
    assert_true(mst_frame_lz_unpack(packed, sizeof packed, made, sizeof expected));
    assert_memory_equal(made, expected, sizeof expected);
    assert_false(mst_frame_lz_unpack(packed, sizeof packed, made, sizeof expected - 1));
    for (size_t size = 0; size < sizeof packed; size++) /* cut off */
        assert_false(mst_frame_lz_measure(packed, size, &sizes));
}

static void damaged_streams_are_refused(void **state) {
    (void)state;
    static const struct {
        uint8_t bytes[8];
        size_t size;
    } streams[] = {
        {{0x02, 5, 0xFE, 0, 0, 0}, 6},    /* two from two before, if only one exists */
        {{0x06, 5, 0x00, 2, 0, 0}, 6},    /* three from two before */
        {{0x02, 5, 0x10, 0}, 4},          /* the end, with another length */
        {{0x06, 5, 0x00, 0}, 4},          /* flags are left after it */
        {{0x02, 5, 0x50, 1}, 4},          /* without its length */
        {{0x00, 1, 2, 3, 4, 5, 6, 7}, 8}, /* eight bytes are seven */
    };
    mst_frame_lz_sizes sizes;
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        assert_false(mst_frame_lz_measure(streams[i].bytes, streams[i].size, &sizes));
}

/* Packed data unpacks to the same. */
static void assert_packs(const uint8_t *bytes, size_t size) {
    mst_arena arena;
    mst_frame_lz_sizes sizes;
    uint8_t *packed, *made = malloc(size + 1);
    assert_non_null(made);
    mst_arena_begin(&arena, NULL, 0);
    size_t length = mst_frame_lz_pack(bytes, size, &arena, &packed);
    assert_true(length >= 3);
    assert_true(mst_frame_lz_measure(packed, length, &sizes));
    assert_int_equal(sizes.packed, length);
    assert_int_equal(sizes.unpacked, size);
    assert_true(mst_frame_lz_unpack(packed, length, made, size));
    assert_memory_equal(made, bytes, size);
    mst_arena_end(&arena);
    free(made);
}

static void any_bytes_pack(void **state) {
    (void)state;
    static uint8_t bytes[20000];
    random_state random = {7};
    for (unsigned letters = 1; letters < 300; letters = letters * 2 + 1) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(letters > 255 ? random_next(&random) : random_below(&random, letters));
        for (size_t size = 0; size < 20; size++)
            assert_packs(bytes, size);
        assert_packs(bytes, sizeof bytes);
    }
}

/* The packer's choices, each by hand. */
static void the_games_choices_are_made(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        uint8_t packed[24];
        size_t size;
    } cases[] = {
        {"ab", {0x04, 'a', 'b', 0, 0}, 5},                /* nothing to copy */
        {"abab", {0x0C, 'a', 'b', 0xFE, 0, 0}, 6},        /* two */
        {"abcabc", {0x18, 'a', 'b', 'c', 0, 3, 0, 0}, 8}, /* three */
        {"aaaaaaaa", {0x06, 'a', 0x40, 1, 0, 0}, 6},      /* seven */
        {"aaaaaaaaa", {0x06, 'a', 0x50, 1, 0, 0, 0}, 7},  /* eight */
        /* two of three, because two more are near from there on */
        {"cdabcabcd", {0xE0, 'c', 'd', 'a', 'b', 'c', 0xFD, 0xF9, 0, 0}, 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mst_arena arena;
        uint8_t *packed;
        mst_arena_begin(&arena, NULL, 0);
        size_t size =
            mst_frame_lz_pack((const uint8_t *)cases[i].bytes, strlen(cases[i].bytes), &arena, &packed);
        assert_int_equal(size, cases[i].size);
        assert_memory_equal(packed, cases[i].packed, size);
        mst_arena_end(&arena);
    }
}

/* ---- sprites ------------------------------------------------------------------------------------- */

static mst_document *open_sprites(writer *w, const char *name) {
    write_alien_sprites(w);
    mst_document *d = open_as(w->data, w->size, NULL, name);
    assert_string_equal(mst_document_format(d)->id, "alien-sprites");
    return d;
}

static void sprites_are_read(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned width, height, seed;
    } frames[] = {{"F000_00", 16, 16, 1}, {"F000_01", 20, 16, 2}, {"F001_00", 16, 32, 3}};
    writer w = {0};
    uint8_t pattern[512];
    mst_document *d = open_sprites(&w, "A.B16");
    assert_same_bytes(d, w.data, w.size);
    assert_round_trips(d);
    assert_int_equal(mst_image_count(d), 3);
    for (size_t i = 0; i < 3; i++) {
        mst_pixels pixels = {0};
        mst_diagnostic why;
        char name[MST_IMAGE_NAME];
        MUST(mst_image_read(d, i, 0, NULL, &pixels, name, &why), &why);
        alien_pattern(pattern, frames[i].width, frames[i].height, frames[i].seed);
        assert_string_equal(name, frames[i].name);
        assert_int_equal(pixels.width, frames[i].width);
        assert_int_equal(pixels.height, frames[i].height);
        assert_memory_equal(pixels.data, pattern, (size_t)pixels.width * pixels.height);
        assert_int_equal(pixels.palette[0][3], 0);
        assert_int_equal(pixels.palette[9][0], 9 * 8 + 9 / 4);
        assert_int_equal(pixels.palette[9][1], 1 * 8);
        assert_int_equal(pixels.palette[9][2], 3 * 8);
        mst_pixels_free(&pixels);
    }
    assert_describes(d, "rectangles",
                     "F000 frame 0: 16 x 16, 291 bytes packed\n"
                     "F000 frame 1: 20 x 16, 363 bytes packed\n"
                     "F001 frame 0: 16 x 32, not packed\n");
    mst_close(d);
    writer_free(&w);
}

/* The sizes in the game's program, by the file's name. */
static void known_sizes_are_taken(void **state) {
    (void)state;
    writer w = {0}, section = {0};
    static uint8_t pixels[84 * 80];
    begin_alien_form(&w, "0001");
    put_alien_literals(&section, pixels, sizeof pixels);
    put_alien_padding(&section);
    put_alien_section(&w, "F007", section.data, section.size);
    end_alien_form(&w);
    mst_document *d = open_as(w.data, w.size, NULL, "NME/shotgun.bnd");
    assert_describes(d, "rectangles", "F007 frame 0: 84 x 80 at -37 -76, animation 0, 7563 bytes packed\n");
    mst_close(d);
    writer_free(&section);
    writer_free(&w);
    /* an unpacked frame, between the sizes of an animation */
    static uint8_t walk[48 * 40 + 48 * 36];
    begin_alien_form(&w, "0001");
    put_alien_section(&w, "F001", walk, sizeof walk);
    end_alien_form(&w);
    d = open_as(w.data, w.size, NULL, "HUGGER.BND");
    assert_describes(d, "rectangles",
                     "F001 frame 0: 48 x 40 at -20 -36, animation 9, not packed\n"
                     "F001 frame 1: 48 x 36 at -24 -35, animation 9, not packed\n");
    mst_close(d);
    writer_free(&w);
}

static void frames_are_replaced(void **state) {
    (void)state;
    writer w = {0};
    mst_document *d = open_sprites(&w, "A.BND");
    for (size_t i = 0; i < 3; i++) {
        mst_pixels pixels = {0}, again = {0};
        mst_diagnostic why;
        MUST(mst_image_read(d, i, 0, NULL, &pixels, NULL, &why), &why);
        bool was = mst_is_edited(d) != 0;
        MUST(mst_image_replace(d, i, NULL, &pixels, &why), &why); /* the same */
        assert_int_equal(mst_is_edited(d) != 0, was);
        memset(pixels.data, 0, 100);
        pixels.data[7] = 200;
        MUST(mst_image_replace(d, i, NULL, &pixels, &why), &why);
        assert_true(mst_is_edited(d));
        MUST(mst_image_read(d, i, 0, NULL, &again, NULL, &why), &why);
        assert_int_equal(again.width, pixels.width);
        assert_memory_equal(again.data, pixels.data, (size_t)pixels.width * pixels.height);
        mst_pixels_free(&again);
        pixels.height--; /* another size */
        assert_int_equal(mst_image_replace(d, i, NULL, &pixels, &why), MST_REFUSED);
        pixels.height++;
        pixels.palette[200][0] ^= 255; /* a colour that does not exist */
        assert_int_equal(mst_image_replace(d, i, NULL, &pixels, &why), MST_REFUSED);
        mst_pixels_free(&pixels);
    }
    /* others keep their bytes */
    size_t size;
    const uint8_t *bytes = mst_document_file(d, 0, NULL, &size);
    assert_memory_equal(bytes, w.data, 4);
    assert_memory_equal(bytes + size - 520, w.data + w.size - 520, 520);
    assert_round_trips(d);
    mst_close(d);
    writer_free(&w);
}

/* Frames keep their places: a shorter one leaves zeros, a longer one is refused unless it is the last. */
static void frames_stay_in_their_places(void **state) {
    (void)state;
    writer w = {0};
    mst_document *d = open_sprites(&w, "A.BND");
    mst_pixels pixels = {0}, noise = {0};
    mst_diagnostic why;
    random_state random = {3};
    size_t size;
    MUST(mst_image_read(d, 0, 0, NULL, &pixels, NULL, &why), &why);
    memset(pixels.data, 5, 256);
    MUST(mst_image_replace(d, 0, NULL, &pixels, &why), &why);
    const uint8_t *bytes = mst_document_file(d, 0, NULL, &size);
    /* one literal, a copy of 255: two bytes, flags and the end; and zeros */
    static const uint8_t packed[] = {0x06, 5, 0x50, 1, 247, 0, 0, 0};
    assert_int_equal(size, w.size);
    assert_memory_equal(bytes + 20, packed, 7);
    for (size_t i = 20 + 7; i < 20 + 292; i++)
        assert_int_equal(bytes[i], 0);
    assert_memory_equal(bytes + 20 + 292, w.data + 20 + 292, w.size - 20 - 292);
    assert_round_trips(d);
    assert_int_equal(mst_image_count(d), 3);
    /* and back: the bytes that the game's packer makes also fit */
    alien_pattern(pixels.data, 16, 16, 1);
    MUST(mst_image_replace(d, 0, NULL, &pixels, &why), &why);
    bytes = mst_document_file(d, 0, NULL, &size);
    assert_int_equal(size, w.size);
    assert_memory_equal(bytes + 20 + 292, w.data + 20 + 292, w.size - 20 - 292);
    /* a frame that saves bytes by copies has no room for noise; the last one has */
    mst_close(d);
    writer short_file = {0}, section = {0};
    for (unsigned i = 0; i < 2; i++) {
        put_bytes_of(&section, packed, 4);
        put_bytes_of(&section, "\xF7\0\0", 3);
        put_u8(&section, 0);
    }
    begin_alien_form(&short_file, "0001");
    put_alien_section(&short_file, "F000", section.data, section.size);
    end_alien_form(&short_file);
    d = open_as(short_file.data, short_file.size, NULL, "A.BND");
    assert_int_equal(mst_image_count(d), 2);
    MUST(mst_image_read(d, 0, 0, NULL, &noise, NULL, &why), &why);
    for (size_t i = 0; i < 256; i++)
        noise.data[i] = (uint8_t)(1 + random_below(&random, 200));
    assert_int_equal(mst_image_replace(d, 0, NULL, &noise, &why), MST_REFUSED);
    assert_string_equal(why.expected, "at most 8 bytes");
    MUST(mst_image_replace(d, 1, NULL, &noise, &why), &why);
    assert_round_trips(d);
    mst_close(d);
    /* unpacked frames cannot be distinguished from zeros before them */
    put_bytes_of(&section, w.data + w.size - 520 - 512, 512);
    writer_free(&short_file);
    begin_alien_form(&short_file, "0001");
    put_alien_section(&short_file, "F000", section.data, section.size);
    end_alien_form(&short_file);
    d = open_as(short_file.data, short_file.size, NULL, "A.BND");
    assert_int_equal(mst_image_count(d), 3);
    assert_int_equal(mst_image_replace(d, 1, NULL, &noise, &why), MST_REFUSED);
    assert_string_equal(why.expected, "8 bytes");
    mst_close(d);
    mst_pixels_free(&pixels);
    mst_pixels_free(&noise);
    writer_free(&section);
    writer_free(&short_file);
    writer_free(&w);
}

/* ---- colours of other files ---------------------------------------------------------------------- */

typedef struct other_file {
    const char *name;
    const writer *bytes;
} other_file;

static mst_status find_other(void *user, const char *name, const void **bytes, size_t *size) {
    const other_file *file = user;
    if (strcmp(file->name, name) != 0)
        return MST_NO_PATH;
    *bytes = file->bytes->data;
    *size = file->bytes->size;
    return MST_OK;
}

static void colors_come_from_other_files(void **state) {
    (void)state;
    writer picture = {0}, palette = {0};
    write_alien_picture(&picture);
    write_alien_palette(&palette);
    mst_document *d = open_as(picture.data, picture.size, NULL, "STRUCT/FONT.BIN");
    assert_string_equal(mst_document_format(d)->id, "alien-picture");
    other_file file = {"FONT.PAL", &palette};
    mst_resolver resolver = {.find = find_other, .user = &file};
    mst_pixels pixels = {0}, real;
    mst_diagnostic why;
    char name[MST_IMAGE_NAME];
    MUST(mst_image_read(d, 0, 0, &resolver, &pixels, name, &why), &why);
    assert_string_equal(name, "picture");
    assert_int_equal(pixels.width, 256);
    assert_int_equal(pixels.height, 250);
    for (unsigned i = 0; i < 256; i++)
        for (unsigned c = 0; c < 3; c++) {
            unsigned part = (3 * i + c) * 7 % 64;
            assert_int_equal(pixels.palette[i][c], part * 4 + part / 16);
        }
    /* replacing it by itself changes nothing; a pixel of another colour does */
    MUST(mst_image_replace(d, 0, &resolver, &pixels, &why), &why);
    assert_false(mst_is_edited(d));
    pixels.data[5] = 77;
    MUST(mst_image_replace(d, 0, &resolver, &pixels, &why), &why);
    assert_int_equal(((const uint8_t *)mst_document_bytes(d, &(size_t){0}))[5], 77);
    pixels.palette[77][0] ^= 1;
    pixels.data[6] = 77;
    assert_int_equal(mst_image_replace(d, 0, &resolver, &pixels, &why), MST_REFUSED);
    real = pixels;
    real.height = 3;
    assert_int_equal(mst_image_replace(d, 0, &resolver, &real, &why), MST_REFUSED);
    mst_pixels_free(&pixels);
    /* without it: greys */
    file.name = "OTHER.PAL";
    MUST(mst_image_read(d, 0, 0, &resolver, &pixels, name, &why), &why);
    assert_int_equal(pixels.palette[200][1], 200);
    mst_pixels_free(&pixels);
    mst_close(d);
    writer_free(&picture);
    writer_free(&palette);
}

static void sprites_have_the_shared_colors(void **state) {
    (void)state;
    writer w = {0}, effects = {0}, section = {0};
    uint8_t pixels[512];
    mst_diagnostic why;
    begin_alien_form(&w, "0001");
    alien_pattern(pixels, 16, 32, 3);
    put_alien_section(&w, "F001", pixels, 512);
    end_alien_form(&w);
    mst_document *d = open_as(w.data, w.size, NULL, "A.BND");
    begin_alien_form(&effects, "PSXT");
    put(&section, 65536);
    put_alien_section(&effects, "TP00", section.data, section.size);
    writer_free(&section);
    put_u16(&section, 1), put_u16(&section, 0);
    for (unsigned i = 0; i < 256; i++)
        put_u16(&section, (uint16_t)(i * 5));
    put_alien_section(&effects, "CL00", section.data, section.size);
    end_alien_form(&effects);
    other_file file = {"EXPLGFX.BND", &effects};
    mst_resolver resolver = {.find = find_other, .user = &file};
    mst_pixels image = {0};
    MUST(mst_image_read(d, 0, 0, &resolver, &image, NULL, &why), &why);
    assert_int_equal(image.palette[100][0], (500 & 31) * 8 + (500 & 31) / 4);
    assert_int_equal(image.palette[100][1], (500 >> 5) * 8 + (500 >> 5) / 4);
    mst_pixels_free(&image);
    effects.size -= 40; /* truncated: greys */
    MUST(mst_image_read(d, 0, 0, &resolver, &image, NULL, &why), &why);
    assert_int_equal(image.palette[100][0], 100);
    mst_pixels_free(&image);
    mst_close(d);
    writer_free(&w);
    writer_free(&effects);
    writer_free(&section);
}

/* ---- checks -------------------------------------------------------------------------------------- */

/* The document has one finding, of that code; NULL: none. */
static void assert_code(const writer *w, const char *name, const char *code, const char *path) {
    findings list = {0};
    mst_diagnostic why;
    mst_document *d = open_as(w->data, w->size, NULL, name);
    MUST(mst_check(d, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, collect,
                   &list, NULL, &why),
         &why);
    if (list.count != (code ? 1 : 0))
        print_findings(&list);
    assert_int_equal(list.count, code ? 1 : 0);
    if (code) {
        assert_string_equal(list.items[0].code, code);
        assert_string_equal(list.items[0].path, path);
    }
    assert_same_bytes(d, w->data, w->size);
    assert_round_trips(d);
    assert_stops(d, &(mst_check_options){.size = sizeof(mst_check_options), .information = 1}, &list);
    findings_free(&list);
    mst_close(d);
}

static void sprites_are_checked(void **state) {
    (void)state;
    writer w = {0};
    write_alien_sprites(&w);
    assert_code(&w, "A.B16", NULL, NULL);
    w.data[11] = '3';
    assert_code(&w, "A.B16", "ALIEN-GFX-COUNT", "type");
    w.data[11] = 'x';
    assert_code(&w, "A.B16", "ALIEN-GFX-TYPE", "type");
    w.data[11] = '2';
    put_bytes_of(&w, "rest", 4);
    assert_code(&w, "A.B16", "ALIEN-GFX-TAIL", "trailing");
    w.size -= 4;
    put_alien_section(&w, "D000", "abcd", 4);
    assert_code(&w, "A.B16", "ALIEN-GFX-TAIL", "sections[3]");
    w.size -= 12;
    put_alien_section(&w, "C000", "abcd", 4);
    assert_code(&w, "A.B16", "ALIEN-GFX-TWICE", "sections[3].name");
    w.size -= 12;
    put_alien_section(&w, "C001", "ab", 2);
    assert_code(&w, "A.B16", "ALIEN-GFX-ALIGN", "sections[3]");
    writer_free(&w);
    /* pixels of an impossible frame size: 16 x 1 */
    begin_alien_form(&w, "0001");
    put_alien_section(&w, "F000", "abcdefghijklmnop", 16);
    end_alien_form(&w);
    assert_code(&w, "A.BND", "ALIEN-GFX-FRAME-SIZE", "sections[0].unpacked");
    writer_free(&w);
}

/* Odd lengths, a frame with truncated padding, sections of other names. */
static void odd_sections_stay(void **state) {
    (void)state;
    writer w = {0}, section = {0};
    uint8_t pixels[256];
    mst_diagnostic why;
    alien_pattern(pixels, 16, 16, 1);
    put_alien_literals(&section, pixels, 256);
    assert_int_equal(section.size % 4, 3);
    begin_alien_form(&w, "0005");
    put_alien_section(&w, "F000", section.data, section.size); /* without its padding */
    put_alien_section(&w, "F001", "", 0);
    put_alien_section(&w, "XYZ1", "abc", 3);
    w.data[w.size - 1] = 9; /* after it */
    put_alien_section(&w, "C00x", "abc", 3);
    put_alien_section(&w, "C001", "abc", 3);
    end_alien_form(&w);
    mst_document *d = open_as(w.data, w.size, NULL, "A.BND");
    assert_same_bytes(d, w.data, w.size);
    assert_round_trips(d);
    assert_int_equal(mst_image_count(d), 1);
    /* the number of sections is updated */
    MUST(mst_remove(d, "sections[1]", &why), &why);
    assert_memory_equal(mst_document_bytes(d, &(size_t){0}), "FORM0004", 8);
    /* a section cannot follow one that the size does not cover */
    MUST(mst_set(d, "sections[3].outside", "true", &why), &why);
    assert_int_equal(mst_set(d, "sections[1].outside", "true", &why), MST_REFUSED);
    mst_close(d);
    writer_free(&section);
    writer_free(&w);
}

static void damaged_sprites_are_refused(void **state) {
    (void)state;
    writer w = {0};
    mst_document *d;
    mst_diagnostic why;
    const mst_open_options options = {.size = sizeof options, .name = "A.BND"};
    write_alien_sprites(&w);
    static const struct {
        size_t at;
        uint8_t byte;
        const char *code;
    } cases[] = {{0, 'f', "ALIEN-MAGIC"},
                 {6, 255, "ALIEN-GFX-SIZE"},
                 {17, 9, "ALIEN-GFX-SIZE"},
                 {7, 5, "ALIEN-GFX-SIZE"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t was = w.data[cases[i].at];
        w.data[cases[i].at] = cases[i].byte;
        assert_int_equal(mst_open_memory(w.data, w.size, &options, &d, &why), MST_DAMAGED);
        assert_string_equal(why.code, cases[i].code);
        w.data[cases[i].at] = was;
    }
    assert_int_equal(mst_open_memory("", 0, &options, &d, &why), MST_DAMAGED);
    assert_string_equal(why.code, "ALIEN-MAGIC");
    writer_free(&w);
}

static void models_are_checked(void **state) {
    (void)state;
    writer w = {0};
    mst_diagnostic why;
    write_alien_models(&w);
    assert_code(&w, "A.BND", NULL, NULL);
    w.data[11] = '7';
    assert_code(&w, "A.BND", "ALIEN-GFX-COUNT", "type");
    w.data[11] = 'a';
    assert_code(&w, "A.BND", "ALIEN-GFX-COUNT", "type");
    w.data[11] = '2';
    put_bytes_of(&w, "rest", 4);
    assert_code(&w, "A.BND", "ALIEN-GFX-TAIL", "trailing");
    w.size -= 4;
    w.data[12 + 8 + 4] = 1;
    assert_code(&w, "A.BND", "ALIEN-NONZERO", "models[0].unknown_04");
    w.data[12 + 8 + 4] = 0;
    w.data[12 + 8 + 20] = 4;
    assert_code(&w, "A.BND", "ALIEN-QUAD-VERTEX", "models[0].quads[0].vertices[0]");
    w.data[12 + 8 + 20] = 0;
    mst_document *d = open_as(w.data, w.size, NULL, "A.BND");
    assert_string_equal(mst_document_format(d)->id, "alien-models");
    MUST(mst_remove(d, "models[1]", &why), &why);
    assert_memory_equal((const char *)mst_document_bytes(d, &(size_t){0}) + 8, "0001", 4);
    mst_close(d);
    writer_free(&w);

    static const struct {
        const char *name, *code, *path;
        unsigned last;
    } others[] = {{"M000", "ALIEN-GFX-TWICE", "models[1].name", 1},
                  {"M001", "ALIEN-MODEL-LAST", "models[1].quads[0].kind", 0}};
    for (size_t i = 0; i < 2; i++) {
        begin_alien_form(&w, "0002");
        put_alien_object(&w, "M000", 1);
        put_alien_object(&w, others[i].name, others[i].last);
        end_alien_form(&w);
        assert_code(&w, "A.BND", others[i].code, others[i].path);
        writer_free(&w);
    }
    static const char *const sections[][2] = {{"M001", "ALIEN-MODEL-SIZE"}, {"ABCD", "ALIEN-SECTION"}};
    for (size_t i = 0; i < 2; i++) {
        begin_alien_form(&w, "0002");
        put_alien_object(&w, "M000", 1);
        put_alien_section(&w, sections[i][0], "OBJ2", 4);
        end_alien_form(&w);
        assert_code(&w, "A.BND", sections[i][1], "unknown_sections[0]");
        writer_free(&w);
    }
}

static void flat_files_are_checked(void **state) {
    (void)state;
    static const struct {
        void (*write)(writer *w);
        const char *name, *id;
    } kinds[] = {{write_alien_palette, "A.PAL", "alien-palette"},
                 {write_alien_shades, "A.DPQ", "alien-shades"},
                 {write_alien_matches, "A.TNT", "alien-matches"},
                 {write_alien_picture, "A.BIN", "alien-picture"}};
    writer w = {0};
    mst_document *d;
    mst_diagnostic why;
    for (size_t i = 0; i < 4; i++) {
        kinds[i].write(&w);
        assert_code(&w, kinds[i].name, NULL, NULL);
        mst_open_options options = {.size = sizeof options, .format = kinds[i].id};
        MUST(mst_open_memory(w.data, w.size, &options, &d, &why), &why);
        mst_close(d);
        w.size--;
        options.name = kinds[i].name;
        assert_int_equal(mst_open_memory(w.data, w.size, &options, &d, &why), MST_DAMAGED);
        assert_string_equal(why.code, "ALIEN-GFX-KIND");
        writer_free(&w);
    }
    write_alien_palette(&w);
    w.data[10] = 64;
    assert_code(&w, "A.PAL", "ALIEN-PAL-RANGE", "colors[3].green");
    w.data[10] = 63;
    w.size = 672;
    assert_code(&w, "A.PAL", NULL, NULL);
    w.size = 576;
    assert_code(&w, "A.PAL", NULL, NULL);
    writer_free(&w);
    write_alien_shades(&w);
    w.data[256 * 9] = 1;
    assert_code(&w, "A.DPQ", "ALIEN-DPQ-ZERO", "rows[9].indices");
    w.data[256 * 9] = 0;
    w.data[255 * 256 + 40] = 41; /* a duplicate */
    assert_code(&w, "A.DPQ", NULL, NULL);
    w.data[255 * 256 + 39] = 40; /* to a colour that is itself mapped */
    assert_code(&w, "A.DPQ", "ALIEN-DPQ-TOP", "rows[255].indices");
    writer_free(&w);
    /* other files with the extension are not pictures */
    write_alien_picture(&w);
    assert_int_equal(mst_open_memory(w.data, 63999,
                                     &(mst_open_options){.size = sizeof(mst_open_options), .name = "A.BIN"},
                                     &d, &why),
                     MST_UNKNOWN);
    writer_free(&w);
}

int test_alien_graphics(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(streams_unpack),
                                       cmocka_unit_test(damaged_streams_are_refused),
                                       cmocka_unit_test(any_bytes_pack),
                                       cmocka_unit_test(the_games_choices_are_made),
                                       cmocka_unit_test(sprites_are_read),
                                       cmocka_unit_test(known_sizes_are_taken),
                                       cmocka_unit_test(frames_are_replaced),
                                       cmocka_unit_test(frames_stay_in_their_places),
                                       cmocka_unit_test(colors_come_from_other_files),
                                       cmocka_unit_test(sprites_have_the_shared_colors),
                                       cmocka_unit_test(sprites_are_checked),
                                       cmocka_unit_test(odd_sections_stay),
                                       cmocka_unit_test(damaged_sprites_are_refused),
                                       cmocka_unit_test(models_are_checked),
                                       cmocka_unit_test(flat_files_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
