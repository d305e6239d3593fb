/* SPDX-License-Identifier: MIT */
/* Pictures in banks and in textures: their number, and their replacement. */
#define _XOPEN_SOURCE 700
#include "../src/formats/sfa/packing/bank.h"
#include "sfa_entries.h"
#include "stopping.h"

/* ---- pictures ----------------------------------------------------------------------------------- */

static void read_picture(const mst_document *document, size_t index, mst_pixels *pixels) {
    char name[MST_IMAGE_NAME];
    mst_diagnostic why;
    memset(pixels, 0, sizeof *pixels);
    MUST(mst_image_read(document, index, 0, NULL, pixels, name, &why), &why);
    static const char *const names[] = {"texture_0",   "texture_2",   "texture_3",
                                        "texture_4_0", "texture_4_1", "texture_5"};
    assert_string_equal(name, names[index]);
}

static void pictures_are_replaced(void **state) {
    (void)state;
    needs_packing();
    two t = make_bank();
    assert_int_equal(entry_at[0], 0);
    for (size_t i = 0; i < 6; i++) {
        mst_document *document = must_open_two(&t), *again;
        mst_diagnostic why;
        mst_pixels pixels, after;
        assert_int_equal(mst_image_count(document), 6);
        read_picture(document, i, &pixels);
        MUST(mst_image_replace(document, i, NULL, &pixels, &why), &why);
        assert_files(document, &t);
        assert_false(mst_is_edited(document));
        /* the last pixel first: colours that the format can represent */
        size_t count = (size_t)pixels.width * pixels.height;
        for (size_t k = 0; k < count / 2; k++) {
            uint8_t one[4];
            memcpy(one, pixels.data + 4 * k, 4);
            memcpy(pixels.data + 4 * k, pixels.data + 4 * (count - 1 - k), 4);
            memcpy(pixels.data + 4 * (count - 1 - k), one, 4);
        }
        MUST(mst_image_replace(document, i, NULL, &pixels, &why), &why);
        assert_true(mst_is_edited(document));
        two made = two_of(document, &t);
        again = must_open_two(&made);
        read_picture(again, i, &after);
        if (i != 2) /* CMPR has few colours in a tile */
            assert_memory_equal(after.data, pixels.data, 4 * count);
        assert_two(&made, "sfa-textures");
        mst_close(again);
        two_free(&made);
        mst_pixels_free(&after);
        pixels.width--;
        assert_int_equal(mst_image_replace(document, i, NULL, &pixels, &why), MST_REFUSED);
        mst_pixels_free(&pixels);
        mst_close(document);
    }
    /* smaller levels are made from the picture */
    mst_document *document = must_open_two(&t);
    mst_pixels pixels;
    mst_diagnostic why;
    mst_value value;
    const void *data;
    size_t size;
    read_picture(document, 5, &pixels);
    memset(pixels.data, 100, 4 * 64);
    for (size_t y = 0; y < 8; y += 2) /* squares of four with an average of 110 */
        for (size_t x = 0; x < 8; x += 2)
            memset(pixels.data + 4 * (y * 8 + x), 140, 4);
    MUST(mst_image_replace(document, 5, NULL, &pixels, &why), &why);
    MUST(mst_find(mst_root(document), "textures[5].frames[0].data", &value, &why), &why);
    MUST(mst_get_bytes(&value, &data, &size), NULL);
    assert_int_equal(size, 96);
    for (size_t i = 0; i < 16; i++) /* 4 x 4, of a tile of 8 x 4 */
        assert_int_equal(((const uint8_t *)data)[64 + i / 4 * 8 + i % 4], 110);
    mst_pixels_free(&pixels);
    assert_int_equal(mst_image_read(document, 6, 0, NULL, &pixels, NULL, &why), MST_ARGUMENT);
    mst_close(document);
    two_free(&t);
}

/* A texture alone. */
typedef struct lone {
    writer bytes;
    mst_document *document;
    mst_pixels pixels;
} lone;

static lone open_lone(const writer *texture) {
    lone l = {.bytes = wrap(DIR0, texture)};
    mst_diagnostic why;
    char name[MST_IMAGE_NAME];
    l.document = open_named(&l.bytes, NULL);
    assert_string_equal(mst_document_format(l.document)->id, "sfa-texture");
    assert_int_equal(mst_image_count(l.document), 1);
    MUST(mst_image_read(l.document, 0, 0, NULL, &l.pixels, name, &why), &why);
    assert_string_equal(name, "texture");
    return l;
}

static void close_lone(lone *l) {
    mst_pixels_free(&l->pixels);
    mst_close(l->document);
    writer_free(&l->bytes);
}

/* The levels' bytes; they are 0x20 + 0x60 bytes after the start of the file. */
static const uint8_t *lone_data(const lone *l) {
    size_t size;
    const uint8_t *bytes = mst_document_file(l->document, 0, NULL, &size);
    assert_true(size > 0x80);
    return bytes + 0x80;
}

/* Those that are complete, in tiles of 8 x 4. */
static void levels_are_read(void **state) {
    (void)state;
    needs_packing();
    writer texture = make_texture(I8, 4, 2, 2, 3 * 32 - 1, 9);
    lone l = open_lone(&texture);
    mst_diagnostic why;
    mst_pixels pixels = {0};
    assert_int_equal(mst_image_levels(l.document, 0), 2);
    assert_int_equal(mst_image_read(l.document, 0, 2, NULL, &pixels, NULL, &why), MST_ARGUMENT);
    MUST(mst_image_read(l.document, 0, 1, NULL, &pixels, NULL, &why), &why);
    assert_int_equal(pixels.width, 2);
    assert_int_equal(pixels.height, 1);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(pixels.data[i], lone_data(&l)[32 + i / 4]);
    mst_pixels_free(&pixels);
    close_lone(&l);
    writer_free(&texture);
    two t = make_bank();
    mst_document *document = must_open_two(&t);
    assert_int_equal(mst_image_levels(document, 5), 2);
    MUST(mst_image_read(document, 5, 1, NULL, &pixels, NULL, &why), &why);
    assert_int_equal(pixels.width, 4);
    mst_pixels_free(&pixels);
    mst_close(document);
    two_free(&t);
}

/* Each level is made from the one above it, whatever its shape; bytes after the last one are kept. */
static void levels_are_made(void **state) {
    (void)state;
    needs_packing();
    static const struct {
        unsigned width, height, max_lod, levels; /* levels: with data */
        uint8_t values[4];                       /* of the pixels */
        uint8_t next[2], last;                   /* of level 1, and of level 2 */
    } cases[] = {
        {2, 2, 4, 5, {10, 20, 30, 41}, {25, 0}, 0},
        {4, 1, 2, 3, {10, 20, 30, 50}, {15, 40}, 28},
        {1, 4, 2, 3, {10, 20, 30, 50}, {15, 40}, 28},
        {4, 1, 2, 2, {10, 20, 30, 50}, {15, 40}, 0}, /* the last one is missing */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer texture =
            make_texture(I8, cases[i].width, cases[i].height, cases[i].max_lod, cases[i].levels * 32, 9);
        lone l = open_lone(&texture);
        uint8_t indices[4] = {0, 1, 2, 3}, after[32];
        memcpy(after, lone_data(&l) + (cases[i].levels - 1) * 32, 32);
        mst_pixels with = {.width = cases[i].width, .height = cases[i].height, .data = indices};
        with.format = MST_PIXELS_INDEXED8;
        uint8_t palette[4][4];
        with.palette_count = 4;
        with.palette = palette;
        for (unsigned k = 0; k < 4; k++)
            memset(with.palette[k], cases[i].values[k], 4);
        mst_diagnostic why;
        MUST(mst_image_replace(l.document, 0, NULL, &with, &why), &why);
        const uint8_t *data = lone_data(&l);
        bool flat = cases[i].height == 1, tall = cases[i].width == 1;
        for (unsigned k = 0; k < 4; k++) /* rows of a tile have eight pixels */
            assert_int_equal(data[flat ? k : tall ? 8 * k : k / 2 * 8 + k % 2], cases[i].values[k]);
        assert_int_equal(data[32], cases[i].next[0]);
        if (cases[i].next[1])
            assert_int_equal(data[32 + (tall ? 8 : 1)], cases[i].next[1]);
        if (cases[i].last)
            assert_int_equal(data[64], cases[i].last);
        if (i == 0)
            assert_memory_equal(data + 4 * 32, after, 32);
        findings list = check_all(l.document, NULL);
        assert_int_equal(list.count, i == 3);
        if (list.count)
            assert_string_equal(list.items[0].path, "max_lod");
        findings_free(&list);
        close_lone(&l);
        writer_free(&texture);
    }
}

static void pictures_that_are_not_written(void **state) {
    (void)state;
    needs_packing();
    static const struct {
        unsigned format, second; /* the offset of the alpha image */
        const char *found;
    } cases[] = {{4, 128, "RGB565 with an alpha image"}, {9, 0, "C8"}};
    for (size_t i = 0; i < 2; i++) {
        writer texture = make_texture(cases[i].format, 8, 8, 0, 160, 3);
        mst_store32(texture.data + 0x50, cases[i].second, true);
        lone l = open_lone(&texture);
        mst_diagnostic why;
        if (cases[i].second) /* a byte is two pixels, in rows of eight */
            for (unsigned k = 0; k < 64; k++) {
                uint8_t both = texture.data[0x60 + 128 + k / 2];
                assert_int_equal(l.pixels.data[4 * k + 3], (k % 2 ? both & 15 : both >> 4) * 17);
            }
        MUST(mst_image_replace(l.document, 0, NULL, &l.pixels, &why), &why); /* the same value as before */
        l.pixels.data[0] ^= 0x80;
        assert_int_equal(mst_image_replace(l.document, 0, NULL, &l.pixels, &why), MST_REFUSED);
        assert_string_equal(why.found, cases[i].found);
        assert_int_equal(mst_image_replace(l.document, 0, NULL, &l.pixels, NULL), MST_REFUSED);
        l.pixels.height--;
        assert_int_equal(mst_image_replace(l.document, 0, NULL, &l.pixels, &why), MST_REFUSED);
        assert_string_equal(why.expected, "8 x 8");
        assert_string_equal(why.found, "8 x 7");
        assert_int_equal(mst_image_replace(l.document, 0, NULL, &l.pixels, NULL), MST_REFUSED);
        assert_false(mst_is_edited(l.document));
        assert_round_trips(l.document);
        l.bytes.data[15] ^= 1;
        mst_document *two_sizes = open_named(&l.bytes, NULL);
        assert_one(two_sizes, NULL, "SFA-DIR-SIZE", "");
        assert_stops(two_sizes, NULL, 1);
        mst_close(two_sizes);
        close_lone(&l);
        /* an alpha image located after the end is ignored */
        mst_store32(texture.data + 0x50, 144, true);
        l = open_lone(&texture);
        assert_one(l.document, NULL, "SFA-TEXTURE-ALPHA", "alpha_image_offset");
        close_lone(&l);
        writer_free(&texture);
    }
}

/* Entries that are kept packed, or are not a texture, are not pictures. */
static void not_all_entries_are_pictures(void **state) {
    (void)state;
    needs_packing();
    two t = make_bank();
    writer few = {.big = true}, unknown = {.big = true};
    put_zeros(&few, 10);
    mst_store32(t.tab.data + 4, 0x81000000 | (uint32_t)(t.bin.size / 2), true);
    put_entry(&t.bin, &few, DIR0);
    t.bin.data[entry_at[0] + 40] ^= 0x10;         /* the stream */
    t.bin.data[entry_at[3] + 0x20 + 0x16] = 0x21; /* the format */
    mst_store32(t.tab.data + 32, sum_of(&t.tab, COUNT + 1), true);
    mst_document *document = must_open_two(&t);
    assert_int_equal(mst_image_count(document), 4);
    mst_pixels pixels = {0};
    char name[MST_IMAGE_NAME];
    mst_diagnostic why;
    MUST(mst_image_read(document, 0, 0, NULL, &pixels, name, &why), &why);
    assert_string_equal(name, "texture_2");
    mst_pixels_free(&pixels);
    findings list = check_all(document, NULL);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.items[0].path, "textures[0].frames[0]");
    assert_string_equal(list.items[0].code, "SFA-ZLB");
    assert_string_equal(list.items[1].path, "textures[1].frames[0]");
    assert_string_equal(list.items[1].code, "SFA-TEXTURE");
    assert_string_equal(list.items[2].path, "textures[3].frames[0].format");
    findings_free(&list);
    assert_stops(document, NULL, 3);
    mst_close(document);
    two_free(&t);
    put_u32(&unknown, 0xF0F0F0F0);
    document = open_as(unknown.data, unknown.size, "sfa-texture", NULL);
    assert_int_equal(mst_image_count(document), 0);
    assert_int_equal(mst_image_read(document, 0, 0, NULL, &pixels, name, &why), MST_ARGUMENT);
    assert_nothing(document, NULL);
    mst_close(document);
    writer_free(&unknown);
    writer_free(&few);
}

static void textures_are_recognised(void **state) {
    (void)state;
    needs_packing();
    static const struct {
        size_t at;
        uint16_t value;
        bool whole, cut; /* whether it is one with all of its data, and truncated */
    } cases[] = {
        {0x10, 0x100, true, true},    {0x02, 1, false, false},      {0x06, 1, false, false},
        {0x0A, 0, false, false},      {0x0C, 0, false, false},      {0x0E, 2, false, false},
        {0x16, 0x0701, false, false}, {0x16, 0x0103, false, false}, {0x18, 0x0301, false, false},
        {0x18, 0x0106, false, false}, {0x10, 0, true, false},       {0x10, 0x101, true, false},
        {0x0A, 1025, true, false},    {0x0C, 1025, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        writer w = make_texture(I8, 8, 4, 0, 40000, 1);
        mst_variant variant = {0};
        const mst_format *format = &mst_format_sfa_texture;
        mst_store16(w.data + cases[i].at, cases[i].value, true);
        if (format->identity.probe(w.data, w.size, w.size, NULL, &variant) != cases[i].whole)
            print_error("case %zu\n", i);
        assert_int_equal(format->identity.probe(w.data, w.size, w.size, NULL, &variant), cases[i].whole);
        assert_int_equal(format->identity.probe(w.data, 0x60, 0x60, NULL, &variant), cases[i].cut);
        assert_false(format->identity.probe(w.data, 0x5F, 0x5F, NULL, &variant));
        /* in a wrapper it may be incomplete */
        writer packed = wrap(DIR0, &w);
        assert_int_equal(format->identity.probe(packed.data, 0x80, packed.size, NULL, &variant),
                         cases[i].whole);
        writer_free(&packed);
        writer_free(&w);
    }
}

/* A picture is replaced, or nothing is. */
static void pictures_may_lack_memory(void **state) {
    (void)state;
    needs_packing();
    writer texture = make_texture(I8, 64, 64, 6, 8192, 9), w = wrap(DIR0, &texture);
    for (size_t fail_at = 1;; fail_at += sample_step()) {
        counted memory = {0};
        mst_open_options options = {.size = sizeof options, .allocator = counted_allocator(&memory)};
        mst_document *document;
        mst_diagnostic why;
        mst_pixels pixels = {.allocator = options.allocator};
        MUST(mst_open_memory(w.data, w.size, &options, &document, &why), &why);
        memory.calls = 0;
        memory.fail_at = fail_at;
        mst_status status = mst_image_read(document, 0, 0, NULL, &pixels, NULL, &why);
        if (status == MST_OK) {
            pixels.data[0] ^= 1;
            status = mst_image_replace(document, 0, NULL, &pixels, &why);
        }
        bool failed = memory.failed;
        memory.fail_at = 0;
        mst_pixels_free(&pixels);
        if (status != MST_OK) {
            assert_true(failed);
            assert_int_equal(status, MST_NO_MEMORY);
            assert_int_equal(why.status, MST_NO_MEMORY);
            assert_writer(document, &w);
        }
        mst_close(document);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong);
        if (!failed)
            break;
    }
    writer_free(&w);
    writer_free(&texture);
}

int test_sfa_pictures(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_replaced),
        cmocka_unit_test(levels_are_made),
        cmocka_unit_test(levels_are_read),
        cmocka_unit_test(pictures_that_are_not_written),
        cmocka_unit_test(not_all_entries_are_pictures),
        cmocka_unit_test(textures_are_recognised),
        cmocka_unit_test(pictures_may_lack_memory),
    };
    return cmocka_run_group_tests(tests, look, NULL);
}
