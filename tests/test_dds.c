/* SPDX-License-Identifier: MIT */
/* DDS textures: headers written field by field, refusals and warnings, and images. */
#include "../src/core/json.h"
#include "dds_file.h"
#include <mapstone/mapstone.h>

static mst_document *open_bytes(const void *bytes, size_t size) {
    mst_document *document;
    mst_diagnostic why;
    MUST(mst_open_memory(bytes, size, NULL, &document, &why), &why);
    assert_string_equal(mst_document_format(document)->id, "dds");
    return document;
}

static void put_pattern(writer *w, size_t size) {
    for (size_t i = 0; i < size; i++)
        put_u8(w, (uint8_t)(i * 37 + 11));
}

/* A texture of 8 x 4 pixels with four levels; its bytes are a pattern. */
static void write_texture(writer *w, const char *four_cc, uint32_t bits) {
    put_dds_header(w, 8, 4, 4, four_cc, bits);
    unsigned block = four_cc && !strcmp(four_cc, "DXT1") ? 8 : 16;
    put_pattern(w, four_cc ? 5 * block : (8 * 4 + 4 * 2 + 2 * 1 + 1) * bits / 8);
}

static const struct {
    const char *four_cc;
    uint32_t bits;
} kinds[] = {{"DXT1", 0}, {"DXT3", 0}, {"DXT5", 0}, {NULL, 32}, {NULL, 24}};
#define KINDS (sizeof kinds / sizeof *kinds)

static void assert_code(const mst_document *document, const char *code) {
    findings list = {0};
    mst_diagnostic why;
    MUST(mst_check(document, NULL, collect, &list, NULL, &why), &why);
    print_findings(&list);
    assert_int_equal(list.count, code ? 1 : 0);
    if (code)
        assert_string_equal(list.items[0].code, code);
    findings_free(&list);
}

static uint64_t number_at(const mst_document *document, const char *path) {
    mst_value value;
    mst_diagnostic why;
    uint64_t number = 0;
    MUST(mst_find(mst_root(document), path, &value, &why), &why);
    MUST(mst_get_unsigned(&value, &number), NULL);
    return number;
}

static void kinds_survive(void **state) {
    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        writer w = {0};
        write_texture(&w, kinds[k].four_cc, kinds[k].bits);
        mst_document *document = open_bytes(w.data, w.size);
        assert_int_equal(number_at(document, "width"), 8);
        assert_int_equal(number_at(document, "height"), 4);
        assert_int_equal(number_at(document, "pixel_format.red_mask"), kinds[k].bits ? 0xFF0000 : 0);
        assert_int_equal(number_at(document, "pixel_format.alpha_mask"),
                         kinds[k].bits == 32 ? 0xFF000000 : 0);
        mst_value levels;
        MUST(mst_find(mst_root(document), "levels", &levels, NULL), NULL);
        assert_int_equal(mst_count(&levels), 4);
        assert_round_trips(document);
        assert_same_files(document, document);
        assert_code(document, NULL);
        mst_close(document);
        writer_free(&w);
    }
}

static void assert_refused(const writer *w, size_t size, const char *code, uint64_t offset) {
    mst_open_options as = {.size = sizeof as, .format = "dds"};
    mst_document *document;
    mst_diagnostic why;
    assert_int_equal(mst_open_memory(w->data, size, &as, &document, &why), MST_DAMAGED);
    assert_string_equal(why.code, code);
    assert_int_equal(why.offset, offset);
    assert_int_equal(mst_open_memory(w->data, size, &as, &document, NULL), MST_DAMAGED);
}

static mst_pixels image_of(const mst_document *document) {
    mst_pixels pixels = {0};
    mst_diagnostic why;
    char name[MST_IMAGE_NAME];
    assert_int_equal(mst_image_count(document), 1);
    MUST(mst_image_read(document, 0, 0, NULL, &pixels, name, &why), &why);
    assert_string_equal(name, "texture");
    assert_int_equal(pixels.format, MST_PIXELS_RGBA8);
    return pixels;
}

/* ---- extended headers ---------------------------------------------------------------------------- */

/* A file of 4 x 4 pixels with an extended header, or with an older one of the same pixels. */
static mst_document *open_extended(writer *w, const char *four_cc, uint32_t format, uint32_t flags,
                                   uint32_t array, size_t pixels) {
    const bool extended = four_cc && !strcmp(four_cc, "DX10");
    put_dds_header(w, 4, 4, 1, four_cc, 32);
    if (extended)
        put_dds_extension(w, format, 3, flags, array);
    put_pattern(w, pixels);
    return open_bytes(w->data, w->size);
}

/* The numbers are DXGI_FORMAT's. */
static void extended_headers(void **state) {
    (void)state;
    static const struct {
        uint32_t format;
        const char *four_cc;
        size_t size;
        const char *name;
    } same[] = {{70, "DXT1", 8, "BC1_TYPELESS"},     {71, "DXT1", 8, "BC1_UNORM"},
                {72, "DXT1", 8, "BC1_UNORM_SRGB"},   {73, "DXT3", 16, "BC2_TYPELESS"},
                {74, "DXT3", 16, "BC2_UNORM"},       {75, "DXT3", 16, "BC2_UNORM_SRGB"},
                {76, "DXT5", 16, "BC3_TYPELESS"},    {77, "DXT5", 16, "BC3_UNORM"},
                {78, "DXT5", 16, "BC3_UNORM_SRGB"},  {87, NULL, 64, "B8G8R8A8_UNORM"},
                {90, NULL, 64, "B8G8R8A8_TYPELESS"}, {91, NULL, 64, "B8G8R8A8_UNORM_SRGB"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        writer files[2] = {0};
        mst_document *extended = open_extended(&files[0], "DX10", same[i].format, 0, 1, same[i].size);
        mst_document *plain = open_extended(&files[1], same[i].four_cc, 0, 0, 0, same[i].size);
        mst_value value;
        MUST(mst_find(mst_root(extended), "extension[0].dxgi_format", &value, NULL), NULL);
        assert_string_equal(mst_get_name(&value), same[i].name);
        mst_pixels one = image_of(extended), other = image_of(plain);
        assert_memory_equal(one.data, other.data, 64);
        mst_pixels_free(&one);
        mst_pixels_free(&other);
        assert_round_trips(extended);
        assert_same_files(extended, extended);
        assert_code(extended, NULL);
        mst_close(extended);
        mst_close(plain);
        writer_free(&files[0]);
        writer_free(&files[1]);
    }
}

/* Pixels that cannot be decoded are kept; a request for a picture reports their kind. */
static void kept_pixels(void **state) {
    (void)state;
    static const struct {
        uint32_t format, dimension, flags, array, capabilities_2;
        const char *found;
    } files[] = {{98, 3, 0, 1, 0, "BC7_UNORM, DXGI format 98"},
                 {28, 3, 0, 1, 0, "R8G8B8A8_UNORM, DXGI format 28"},
                 {1, 3, 0, 1, 0, "R32G32B32A32_TYPELESS, DXGI format 1"},
                 {130, 3, 0, 1, 0, "DXGI format 130"},
                 {71, 3, 4, 1, 0, "BC1_UNORM, DXGI format 71"},
                 {71, 3, 0, 2, 0, "BC1_UNORM, DXGI format 71"},
                 {71, 4, 0, 1, 0, "BC1_UNORM, DXGI format 71"},
                 {71, 3, 0, 1, 0x200, "BC1_UNORM, DXGI format 71"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        writer w = {0};
        put_dds_header(&w, 8, 4, 4, "DX10", 0);
        mst_store32(w.data + 112, files[i].capabilities_2, false);
        put_dds_extension(&w, files[i].format, files[i].dimension, files[i].flags, files[i].array);
        put_pattern(&w, 33);
        mst_document *document = open_bytes(w.data, w.size);
        mst_diagnostic why;
        mst_pixels pixels = {.width = 8, .height = 4};
        char name[MST_IMAGE_NAME];
        assert_int_equal(mst_image_count(document), 1);
        assert_int_equal(mst_image_read(document, 0, 0, NULL, &pixels, name, &why), MST_UNSUPPORTED);
        assert_string_equal(why.found, files[i].found);
        assert_string_equal(why.path, "extension[0].dxgi_format");
        assert_round_trips(document);
        assert_same_files(document, document);
        assert_code(document, "SPARK-DDS-PIXELS");
        mst_close(document);
        assert_refused(&w, 147, "SPARK-DDS-SIZE", 0);
        writer_free(&w);
    }
}

/* The header and its extension agree, and levels fit the format. */
static void extensions_are_kept(void **state) {
    (void)state;
    mst_diagnostic why;
    writer w = {0};
    mst_document *document = open_extended(&w, "DX10", 74, 0, 1, 16);
    static const char *const refused[][2] = {{"pixel_format.four_cc", "\"DXT3\""},
                                             {"extension", "[]"},
                                             {"extension[0].dxgi_format", "98"},
                                             {"extension[0].dxgi_format", "71"}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_int_equal(mst_set(document, refused[i][0], refused[i][1], &why), MST_REFUSED);
    MUST(mst_set(document, "extension[0].dxgi_format", "\"BC3_UNORM\"", &why), &why);
    assert_int_equal(number_at(document, "extension[0].dxgi_format"), 77);
    mst_close(document);
    writer_free(&w);
}

/* ---- refusals and warnings ----------------------------------------------------------------------- */

static void refused(void **state) {
    (void)state;
    static const struct {
        unsigned offset;
        uint32_t number;
        const char *code;
        unsigned at;
    } faults[] = {{0, 0x20534445, "SPARK-DDS-MAGIC", 0},    {4, 128, "SPARK-DDS-HEADER", 4},
                  {76, 24, "SPARK-DDS-HEADER", 76},         {16, 0, "SPARK-DDS-HEADER", 16},
                  {12, 0, "SPARK-DDS-HEADER", 12},          {12, 16385, "SPARK-DDS-HEADER", 12},
                  {84, 0x32495441, "SPARK-DDS-FORMAT", 80}, {112, 0x200, "SPARK-DDS-FORMAT", 80},
                  {112, 0x200000, "SPARK-DDS-FORMAT", 80},  {80, 0x41, "SPARK-DDS-FORMAT", 80},
                  {16, 16384, "SPARK-DDS-SHORT", 128}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        writer w = {0};
        write_texture(&w, "DXT5", 0);
        mst_store32(w.data + faults[i].offset, faults[i].number, false);
        assert_refused(&w, w.size, faults[i].code, faults[i].at);
        writer_free(&w);
    }
    static const unsigned masks[] = {92, 96, 100, 104};
    for (size_t i = 0; i < 4; i++) {
        writer w = {0};
        write_texture(&w, NULL, 32);
        mst_store32(w.data + masks[i], 0xFF00FF, false);
        assert_refused(&w, w.size, "SPARK-DDS-FORMAT", 80);
        writer_free(&w);
    }
    writer w = {0};
    write_texture(&w, NULL, 32);
    mst_store32(w.data + 88, 16, false);
    assert_refused(&w, w.size, "SPARK-DDS-FORMAT", 80);
    assert_refused(&w, 5, "SPARK-DDS-SIZE", 0);
    assert_refused(&w, 3, "SPARK-DDS-SIZE", 0);
    assert_refused(&w, 127, "SPARK-DDS-SIZE", 0);
    writer_free(&w);
    write_texture(&w, "DXT1", 0);
    assert_refused(&w, w.size - 1, "SPARK-DDS-SHORT", w.size - 8);
    writer_free(&w);
}

static void warned_of(void **state) {
    (void)state;
    static const struct {
        uint32_t width, height, levels;
        const char *four_cc;
        unsigned data;
        const char *code;
    } files[] = {{4, 4, 0, "DXT1", 8, NULL},
                 {4, 4, 1, "DXT1", 8, NULL},
                 {4, 4, 2, "DXT1", 16, NULL}, /* without the 1 x 1 level */
                 {4, 4, 1, "DXT1", 10, "SPARK-DDS-TRAILING"},
                 {6, 4, 1, "DXT1", 16, "SPARK-DDS-BLOCK"},
                 {4, 6, 1, "DXT3", 32, "SPARK-DDS-BLOCK"},
                 {5, 3, 1, NULL, 45, NULL},
                 {4, 4, 5, "DXT1", 24, "SPARK-DDS-MIPS"},
                 {16, 16, 2, "DXT1", 160, "SPARK-DDS-MIPS"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        writer w = {0};
        put_dds_header(&w, files[i].width, files[i].height, files[i].levels, files[i].four_cc, 24);
        put_pattern(&w, files[i].data);
        mst_document *document = open_bytes(w.data, w.size);
        assert_code(document, files[i].code);
        assert_round_trips(document);
        mst_close(document);
        writer_free(&w);
    }
}

/* ---- edits --------------------------------------------------------------------------------------- */

/* Levels have the sizes that follow from the header: neither can be changed alone. */
static void edits(void **state) {
    (void)state;
    writer w = {0};
    write_texture(&w, "DXT1", 0);
    mst_document *document = open_bytes(w.data, w.size);
    static const char *const refused[][2] = {{"width", "16"},
                                             {"width", "0"},
                                             {"level_count", "3"},
                                             {"levels[3]", "\"00\""},
                                             {"pixel_format.size", "3"},
                                             {"levels", "[]"}};
    mst_diagnostic why;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(mst_set(document, refused[i][0], refused[i][1], &why), MST_REFUSED);
        assert_int_equal(mst_set(document, refused[i][0], refused[i][1], NULL), MST_REFUSED);
        assert_same_bytes(document, w.data, w.size);
    }
    MUST(mst_set(document, "pixel_format.flags", "[\"four_cc\", \"normal\"]", &why), &why);
    MUST(mst_set(document, "levels[3]", "\"0001020304050607\"", &why), &why);
    MUST(mst_set(document, "trailing", "\"ff\"", &why), &why);
    w.data[80 + 3] = 0x80;
    for (unsigned i = 0; i < 8; i++)
        w.data[w.size - 8 + i] = (uint8_t)i;
    put_u8(&w, 0xFF);
    assert_same_bytes(document, w.data, w.size);
    mst_close(document);
    writer_free(&w);
}

/* ---- images -------------------------------------------------------------------------------------- */

static void flat_pixels(void **state) {
    (void)state;
    writer w = {0};
    put_dds_header(&w, 2, 1, 0, NULL, 32);
    put_bytes_of(&w, "\x01\x02\x03\x04\x05\x06\x07\x08", 8);
    mst_document *document = open_bytes(w.data, w.size);
    mst_pixels pixels = image_of(document);
    assert_int_equal(pixels.width, 2);
    assert_int_equal(pixels.height, 1);
    assert_memory_equal(pixels.data, "\x03\x02\x01\x04\x07\x06\x05\x08", 8);
    mst_pixels_free(&pixels);
    mst_close(document);
    writer_free(&w);
    put_dds_header(&w, 1, 2, 0, NULL, 24);
    put_bytes_of(&w, "\x01\x02\x03\x04\x05\x06", 6);
    document = open_bytes(w.data, w.size);
    pixels = image_of(document);
    assert_memory_equal(pixels.data, "\x03\x02\x01\xFF\x06\x05\x04\xFF", 8);
    pixels.data[4] = 9;
    mst_diagnostic why;
    MUST(mst_image_replace(document, 0, NULL, &pixels, &why), &why);
    w.data[w.size - 1] = 9;
    assert_same_bytes(document, w.data, w.size);
    pixels.data[7] = 254;
    assert_int_equal(mst_image_replace(document, 0, NULL, &pixels, &why), MST_REFUSED);
    mst_pixels_free(&pixels);
    mst_close(document);
    writer_free(&w);
}

/* 4 x 1, 2 x 1 and 1 x 1 pixels, as stored. */
static void levels_are_read(void **state) {
    (void)state;
    static const struct {
        uint32_t width;
        const char *rgba;
    } levels[] = {
        {4, "\x03\x02\x01\x04\x07\x06\x05\x08\x0b\x0a\x09\x0c\x0f\x0e\x0d\x10"},
        {2, "\x13\x12\x11\x14\x17\x16\x15\x18"},
        {1, "\x1b\x1a\x19\x1c"},
    };
    writer w = {0};
    put_dds_header(&w, 4, 1, 3, NULL, 32);
    for (uint8_t byte = 1; byte <= 4 * 7; byte++)
        put_u8(&w, byte);
    mst_document *document = open_bytes(w.data, w.size);
    mst_diagnostic why;
    mst_pixels pixels = {0};
    assert_int_equal(mst_image_levels(document, 0), 3);
    assert_int_equal(mst_image_levels(document, 1), 0);
    for (size_t i = 0; i < 3; i++) {
        MUST(mst_image_read(document, 0, i, NULL, &pixels, NULL, &why), &why);
        assert_int_equal(pixels.width, levels[i].width);
        assert_int_equal(pixels.height, 1);
        assert_memory_equal(pixels.data, levels[i].rgba, 4 * levels[i].width);
        mst_pixels_free(&pixels);
    }
    assert_int_equal(mst_image_read(document, 0, 3, NULL, &pixels, NULL, &why), MST_ARGUMENT);
    assert_string_equal(why.expected, "0..2");
    assert_int_equal(mst_image_read(document, 1, 1, NULL, &pixels, NULL, &why), MST_ARGUMENT);
    mst_close(document);
    writer_free(&w);
}

/* Replaces the left half with one colour: it is read back in all levels, and the right half keeps its bytes.
 */
static void replaced(void **state) {
    (void)state;
    static const uint8_t color[4] = {255, 0, 0, 255}; /* which all kinds have */
    for (size_t k = 0; k < KINDS; k++) {
        writer w = {0};
        write_texture(&w, kinds[k].four_cc, kinds[k].bits);
        mst_document *document = open_bytes(w.data, w.size);
        mst_pixels pixels = image_of(document), again;
        mst_diagnostic why;
        MUST(mst_image_replace(document, 0, NULL, &pixels, &why), &why);
        assert_false(mst_is_edited(document));
        for (unsigned i = 0; i < 32; i++)
            if (i % 8 < 4)
                memcpy(pixels.data + 4 * i, color, 4);
        MUST(mst_image_replace(document, 0, NULL, &pixels, &why), &why);
        again = image_of(document);
        assert_memory_equal(again.data, pixels.data, 8 * 4 * 4);
        size_t size;
        const uint8_t *file = mst_document_file(document, 0, NULL, &size);
        assert_int_equal(size, w.size);
        if (kinds[k].four_cc) { /* the right one of two blocks */
            size_t block = (w.size - 128) / 5;
            assert_memory_equal(file + 128 + block, w.data + 128 + block, block);
        }
        assert_memory_not_equal(file + size - 8, w.data + size - 8, 8);
        assert_round_trips(document);
        pixels.width = 4;
        pixels.height = 8;
        assert_int_equal(mst_image_replace(document, 0, NULL, &pixels, &why), MST_REFUSED);
        assert_int_equal(mst_image_replace(document, 0, NULL, &pixels, NULL), MST_REFUSED);
        mst_pixels_free(&pixels);
        mst_pixels_free(&again);
        mst_close(document);
        writer_free(&w);
    }
}

/* Pixels with a palette are replaced as well. */
static void replaced_by_palette(void **state) {
    (void)state;
    writer w = {0};
    put_dds_header(&w, 2, 1, 0, NULL, 32);
    put_pattern(&w, 8);
    mst_document *document = open_bytes(w.data, w.size);
    uint8_t indices[2] = {1, 0};
    uint8_t palette[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    mst_pixels pixels = {.width = 2,
                         .height = 1,
                         .format = MST_PIXELS_INDEXED8,
                         .data = indices,
                         .palette_count = 2,
                         .palette = palette};
    mst_diagnostic why;
    MUST(mst_image_replace(document, 0, NULL, &pixels, &why), &why);
    memcpy(w.data + 128, "\x07\x06\x05\x08\x03\x02\x01\x04", 8);
    assert_same_bytes(document, w.data, w.size);
    mst_close(document);
    writer_free(&w);
}

int test_dds(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_survive),
                                       cmocka_unit_test(extended_headers),
                                       cmocka_unit_test(kept_pixels),
                                       cmocka_unit_test(extensions_are_kept),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(warned_of),
                                       cmocka_unit_test(edits),
                                       cmocka_unit_test(flat_pixels),
                                       cmocka_unit_test(levels_are_read),
                                       cmocka_unit_test(replaced),
                                       cmocka_unit_test(replaced_by_palette)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
