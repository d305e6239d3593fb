/* SPDX-License-Identifier: MIT */
/* Pixels to PNG and back, and PNG files from other programs: truncated, corrupted or inflated. The files are
 * assembled here, byte by byte. */
#include "../src/read/engine.h"
#include "support.h"
#include <mapstone/image.h>
#include <mapstone/picture.h>
#if MST_WITH_ZLIB
#include <zlib.h>
#endif

/* ---- PNG by hand ---------------------------------------------------------------------------------- */

typedef struct png {
    uint8_t data[8192];
    size_t size;
} png;

static void put_bytes(png *to, const void *bytes, size_t size) {
    assert_true(size <= sizeof to->data - to->size);
    if (size)
        memcpy(to->data + to->size, bytes, size);
    to->size += size;
}

static void put_big(png *to, uint32_t number) {
    uint8_t bytes[4] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16), (uint8_t)(number >> 8),
                        (uint8_t)number};
    put_bytes(to, bytes, 4);
}

/* CRC-32 and Adler-32 as in the specifications of PNG and zlib. */
static uint32_t crc_of(const uint8_t *bytes, size_t size) {
    uint32_t crc = 0xFFFFFFFF;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

static uint32_t adler_of(const uint8_t *bytes, size_t size) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; i++) {
        a = (a + bytes[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static void put_chunk(png *to, const char *type, const void *content, size_t size) {
    put_big(to, (uint32_t)size);
    size_t start = to->size;
    put_bytes(to, type, 4);
    put_bytes(to, content, size);
    put_big(to, crc_of(to->data + start, size + 4));
}

static void put_header(png *to, uint32_t width, uint32_t height, uint8_t depth, uint8_t color,
                       uint8_t laced) {
    to->size = 0;
    put_bytes(to, "\x89PNG\r\n\x1a\n", 8);
    png header = {.size = 0};
    put_big(&header, width);
    put_big(&header, height);
    uint8_t rest[5] = {depth, color, 0, 0, laced};
    put_bytes(&header, rest, 5);
    put_chunk(to, "IHDR", header.data, header.size);
}

/* Rows with the filter's byte before each, in one uncompressed block of deflate; and the end. */
static void put_tail(png *to, const uint8_t *rows, size_t size) {
    png data = {.size = 0};
    uint8_t header[7] = {
        0x78, 0x01, 1, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size, (uint8_t)(~size >> 8)};
    put_bytes(&data, header, 7);
    put_bytes(&data, rows, size);
    put_big(&data, adler_of(rows, size));
    put_chunk(to, "IDAT", data.data, data.size);
    put_chunk(to, "IEND", NULL, 0);
}

static const uint8_t colors[16 * 3] = {1,   2,   3,   11,  12,  13,  21,  22,  23,  31,  32,  33,
                                       41,  42,  43,  51,  52,  53,  61,  62,  63,  71,  72,  73,
                                       81,  82,  83,  91,  92,  93,  101, 102, 103, 111, 112, 113,
                                       121, 122, 123, 131, 132, 133, 141, 142, 143, 151, 152, 153};

/* The index of the test picture at a place. */
static unsigned index_at(size_t x, size_t y, unsigned below) {
    return (unsigned)(x * 5 + y * 3 + x * y) % below;
}

/* A picture with a palette; all of its indices are below `below`. */
static void make_indexed(png *to, uint32_t width, uint32_t height, unsigned depth, unsigned entries,
                         unsigned below, bool laced) {
    static const uint8_t passes[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                         {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    static const uint8_t whole[4] = {0, 0, 1, 1};
    uint8_t rows[2048] = {0};
    size_t size = 0;
    for (int pass = 0; pass < (laced ? 7 : 1); pass++) {
        const uint8_t *p = laced ? passes[pass] : whole;
        for (size_t y = p[1]; y < height && p[0] < width; y += p[3]) {
            rows[size++] = 0;
            unsigned bits = 0;
            for (size_t x = p[0]; x < width; x += p[2], bits += depth) {
                unsigned shift = 8 - depth - bits % 8;
                rows[size + bits / 8] |= (uint8_t)(index_at(x, y, below) << shift);
            }
            size += (bits + 7) / 8;
            assert_true(size < sizeof rows - 64);
        }
    }
    put_header(to, width, height, (uint8_t)depth, 3, laced);
    put_chunk(to, "PLTE", colors, entries * 3);
    put_tail(to, rows, size);
}

/* ---- helpers -------------------------------------------------------------------------------------- */

static mst_status read_png(const png *from, mst_pixels *pixels, mst_diagnostic *why) {
    uint8_t *copy = malloc(from->size ? from->size : 1); /* so that reads past the end are detected */
    assert_non_null(copy);
    memcpy(copy, from->data, from->size);
    mst_status status = mst_pixels_read_png(copy, from->size, pixels, why);
    free(copy);
    return status;
}

static void reading_is(const png *from, mst_status wanted) {
    mst_pixels pixels = {0};
    mst_diagnostic why = {0};
    mst_status status = read_png(from, &pixels, &why);
    assert_int_equal(status, wanted);
    assert_int_equal(why.status, wanted);
    assert_true(why.message[0]);
    assert_null(pixels.data);
}

static uint8_t some_colors[256][4];

#if MST_WITH_PNG
static uint32_t big_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* A chunk's content, NULL if the type is missing; its checksum is right. */
static const uint8_t *chunk_of(const mst_buffer *file, const char *type, size_t *size) {
    for (size_t at = 8; at + 12 <= file->size;) {
        const uint8_t *chunk = file->data + at;
        *size = big_at(chunk);
        assert_true(*size <= file->size - at - 12);
        assert_int_equal(big_at(chunk + 8 + *size), crc_of(chunk + 4, *size + 4));
        if (memcmp(chunk + 4, type, 4) == 0)
            return chunk + 8;
        at += 12 + *size;
    }
    return NULL;
}

static mst_pixels some_indexed(uint8_t *data, uint32_t width, uint32_t height, uint32_t count) {
    mst_pixels pixels = {.width = width,
                         .height = height,
                         .format = MST_PIXELS_INDEXED8,
                         .data = data,
                         .palette_count = count,
                         .palette = some_colors};
    for (uint32_t i = 0; i < count; i++) {
        pixels.palette[i][0] = (uint8_t)(i * 7);
        pixels.palette[i][1] = (uint8_t)(255 - i);
        pixels.palette[i][2] = (uint8_t)(i * 3 + 1);
        pixels.palette[i][3] = 255;
    }
    for (uint32_t i = 0; i < width * height; i++)
        data[i] = (uint8_t)(i * 13 % count);
    return pixels;
}

static void comes_back(const mst_pixels *pixels, mst_buffer *file) {
    mst_diagnostic why;
    MUST(mst_pixels_write_png(pixels, mst_buffer_sink(file), &why), &why);
    mst_pixels again = {0};
    MUST(mst_pixels_read_png(file->data, file->size, &again, &why), &why);
    assert_int_equal(again.width, pixels->width);
    assert_int_equal(again.height, pixels->height);
    assert_int_equal(again.format, pixels->format);
    assert_int_equal(again.palette_count, pixels->palette_count);
    for (uint32_t i = 0; i < pixels->palette_count; i++)
        assert_memory_equal(again.palette[i], pixels->palette[i], 4);
    assert_memory_equal(again.data, pixels->data,
                        (size_t)pixels->width * pixels->height *
                            (pixels->format == MST_PIXELS_INDEXED8 ? 1 : 4));
    mst_pixels_free(&again);
    assert_null(again.data);
}

/* ---- round trips ---------------------------------------------------------------------------------- */

static void indexed_pixels_come_back(void **state) {
    (void)state;
    uint8_t data[33 * 17];
    static const uint32_t counts[] = {1, 2, 16, 17, 255, 256};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        mst_pixels pixels = some_indexed(data, 33, 17, counts[i]);
        mst_buffer file = {0};
        comes_back(&pixels, &file);
        size_t size;
        const uint8_t *header = chunk_of(&file, "IHDR", &size), *palette = chunk_of(&file, "PLTE", &size);
        assert_int_equal(size, counts[i] * 3);
        assert_int_equal(big_at(header), 33);
        assert_int_equal(big_at(header + 4), 17);
        assert_int_equal(header[8], 8); /* bits a pixel */
        assert_int_equal(header[9], 3); /* with a palette */
        for (size_t k = 0; k < counts[i]; k++)
            assert_memory_equal(palette + 3 * k, pixels.palette[k], 3);
        assert_null(chunk_of(&file, "tRNS", &size));
        assert_non_null(chunk_of(&file, "IEND", &size));
        mst_buffer_free(&file);
    }
}

static void transparent_colours_come_back(void **state) {
    (void)state;
    uint8_t data[16];
    mst_pixels pixels = some_indexed(data, 4, 4, 9);
    pixels.palette[0][3] = 0;
    pixels.palette[5][3] = 128;
    mst_buffer file = {0};
    comes_back(&pixels, &file);
    size_t size;
    const uint8_t *alpha = chunk_of(&file, "tRNS", &size);
    assert_non_null(alpha);
    assert_int_equal(size, 6); /* up to the last one that is not opaque */
    assert_memory_equal(alpha, "\0\xFF\xFF\xFF\xFF\x80", 6);
    mst_buffer_free(&file);
}

static void rgba_pixels_come_back(void **state) {
    (void)state;
    uint8_t data[5 * 3 * 4];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 37);
    mst_pixels pixels = {.width = 5, .height = 3, .data = data};
    mst_buffer file = {0};
    comes_back(&pixels, &file);
    mst_buffer_free(&file);
}

#if MST_WITH_ZLIB
/* The byte before each row states its filter (PNG specification, 9.2): 0, none, if that is requested. */
static void filters_are_left_out(void **state) {
    (void)state;
    enum { SIDE = 32, ROW = 1 + 4 * SIDE };
    static uint8_t data[4 * SIDE * SIDE], rows[ROW * SIDE];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 5); /* a filter helps here, and is used */
    for (int unfiltered = 0; unfiltered < 2; unfiltered++) {
        mst_pixels pixels = {.width = SIDE, .height = SIDE, .data = data, .unfiltered = unfiltered};
        mst_buffer file = {0};
        unsigned filtered = 0;
        uLongf size = sizeof rows;
        comes_back(&pixels, &file);
        assert_memory_equal(file.data + 37, "IDAT", 4);
        uLong packed = 0;
        for (size_t i = 33; i < 37; i++)
            packed = packed << 8 | file.data[i];
        assert_int_equal(uncompress(rows, &size, file.data + 41, packed), Z_OK);
        assert_int_equal(size, sizeof rows);
        for (size_t y = 0; y < SIDE; y++)
            filtered += rows[ROW * y] != 0;
        assert_int_equal(filtered != 0, !unfiltered);
        mst_buffer_free(&file);
    }
}
#endif

static mst_status stop(void *user, const void *data, size_t size) {
    (void)user;
    (void)data;
    (void)size;
    return MST_STOPPED;
}

static void what_cannot_be_written(void **state) {
    (void)state;
    uint8_t data[16];
    mst_diagnostic why;
    mst_buffer file = {0};
    mst_pixels good = some_indexed(data, 4, 4, 9), bad = good;
    bad.width = 0;
    assert_int_equal(mst_pixels_write_png(&bad, mst_buffer_sink(&file), &why), MST_ARGUMENT);
    bad = good;
    bad.data = NULL;
    assert_int_equal(mst_pixels_write_png(&bad, mst_buffer_sink(&file), &why), MST_ARGUMENT);
    bad = good;
    bad.palette_count = 0;
    assert_int_equal(mst_pixels_write_png(&bad, mst_buffer_sink(&file), &why), MST_ARGUMENT);
    bad.palette_count = 257;
    assert_int_equal(mst_pixels_write_png(&bad, mst_buffer_sink(&file), &why), MST_ARGUMENT);
    bad.palette_count = 9;
    bad.palette = NULL;
    assert_int_equal(mst_pixels_write_png(&bad, mst_buffer_sink(&file), &why), MST_ARGUMENT);
    bad.palette = some_colors;
    bad.palette_count = 8; /* one of the pixels has the ninth */
    assert_int_equal(mst_pixels_write_png(&bad, mst_buffer_sink(&file), &why), MST_ARGUMENT);
    static const struct {
        uint32_t width, height;
    } sizes[] = {{0, 1}, {1, 0}, {0x80000000, 1}, {1, 0x80000000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(mst_pixels_write_png(
                             &(mst_pixels){.width = sizes[i].width, .height = sizes[i].height, .data = data},
                             mst_buffer_sink(&file), &why),
                         MST_ARGUMENT);
    assert_int_equal(mst_pixels_write_png(&(mst_pixels){.width = 1, .height = 1, .data = data},
                                          (mst_sink){NULL, NULL}, &why),
                     MST_ARGUMENT);
    assert_int_equal(file.size, 0);
    assert_int_equal(mst_pixels_write_png(&good, (mst_sink){stop, NULL}, &why), MST_STOPPED);
    mst_buffer_free(&file);
}

/* ---- files of other programs ---------------------------------------------------------------------- */

static void palettes_of_any_depth_are_read(void **state) {
    (void)state;
    static png file;
    static const unsigned depths[] = {1, 2, 4, 8};
    for (int laced = 0; laced < 2; laced++)
        for (size_t d = 0; d < 4; d++)
            for (uint32_t width = 1; width < 20; width += 3)
                for (uint32_t height = 1; height < 12; height += 5) {
                    unsigned entries = depths[d] < 4 ? 1u << depths[d] : 16;
                    make_indexed(&file, width, height, depths[d], entries, entries, laced);
                    mst_pixels pixels = {0};
                    mst_diagnostic why;
                    MUST(read_png(&file, &pixels, &why), &why);
                    assert_int_equal(pixels.format, MST_PIXELS_INDEXED8);
                    assert_int_equal(pixels.width, width);
                    assert_int_equal(pixels.height, height);
                    assert_int_equal(pixels.palette_count, entries);
                    for (unsigned i = 0; i < entries; i++) {
                        assert_memory_equal(pixels.palette[i], colors + 3 * i, 3);
                        assert_int_equal(pixels.palette[i][3], 255);
                    }
                    for (size_t y = 0; y < height; y++)
                        for (size_t x = 0; x < width; x++)
                            assert_int_equal(pixels.data[y * width + x], index_at(x, y, entries));
                    mst_pixels_free(&pixels);
                }
}

/* A file of one row. */
static void one_row(png *to, uint32_t width, uint8_t depth, uint8_t color, const char *is_inline,
                    size_t transparent_size, const char *row, size_t size) {
    uint8_t rows[64] = {0};
    memcpy(rows + 1, row, size);
    put_header(to, width, 1, depth, color, 0);
    if (is_inline)
        put_chunk(to, "tRNS", is_inline, transparent_size);
    put_tail(to, rows, size + 1);
}

static void other_kinds_become_rgba(void **state) {
    (void)state;
    static png file;
    static const struct {
        uint8_t depth, color;
        const char *is_inline;
        size_t transparent_size;
        const char *row;
        size_t row_size;
        const char *wanted; /* two pixels */
    } cases[] = {
        /* gray */
        {8, 0, NULL, 0, "\x10\xF0", 2, "\x10\x10\x10\xFF\xF0\xF0\xF0\xFF"},
        {1, 0, NULL, 0, "\x40", 1, "\x00\x00\x00\xFF\xFF\xFF\xFF\xFF"},
        {8, 0, "\x00\x10", 2, "\x10\xF0", 2, "\x10\x10\x10\x00\xF0\xF0\xF0\xFF"},
        /* gray and alpha, RGB, RGBA */
        {8, 4, NULL, 0, "\x10\x20\x30\x40", 4, "\x10\x10\x10\x20\x30\x30\x30\x40"},
        {8, 2, NULL, 0, "\x01\x02\x03\x04\x05\x06", 6, "\x01\x02\x03\xFF\x04\x05\x06\xFF"},
        {8, 2, "\0\x04\0\x05\0\x06", 6, "\x01\x02\x03\x04\x05\x06", 6, "\x01\x02\x03\xFF\x04\x05\x06\x00"},
        {8, 6, NULL, 0, "\x01\x02\x03\x04\x05\x06\x07\x08", 8, "\x01\x02\x03\x04\x05\x06\x07\x08"},
        /* 16 bits */
        {16, 2, NULL, 0, "\xFF\xFF\x00\x00\x80\x80\x01\x01\x02\x02\x03\x03", 12,
         "\xFF\x00\x80\xFF\x01\x02\x03\xFF"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        one_row(&file, 2, cases[i].depth, cases[i].color, cases[i].is_inline, cases[i].transparent_size,
                cases[i].row, cases[i].row_size);
        mst_pixels pixels = {0};
        mst_diagnostic why;
        MUST(read_png(&file, &pixels, &why), &why);
        assert_int_equal(pixels.format, MST_PIXELS_RGBA8);
        assert_int_equal(pixels.width, 2);
        assert_int_equal(pixels.palette_count, 0);
        assert_memory_equal(pixels.data, cases[i].wanted, 8);
        mst_pixels_free(&pixels);
    }
}

static void a_palette_may_be_transparent(void **state) {
    (void)state;
    static png file;
    static const uint8_t row[] = {0, 2, 1, 0};
    put_header(&file, 3, 1, 8, 3, 0);
    put_chunk(&file, "PLTE", colors, 9);
    put_chunk(&file, "tRNS", "\x00\x7F", 2);
    put_tail(&file, row, sizeof row);
    mst_pixels pixels = {0};
    mst_diagnostic why;
    MUST(read_png(&file, &pixels, &why), &why);
    assert_int_equal(pixels.palette_count, 3);
    assert_memory_equal(pixels.palette[0], "\x01\x02\x03\x00", 4);
    assert_memory_equal(pixels.palette[1], "\x0B\x0C\x0D\x7F", 4);
    assert_memory_equal(pixels.palette[2], "\x15\x16\x17\xFF", 4);
    assert_memory_equal(pixels.data, row + 1, 3);
    mst_pixels_free(&pixels);
}

static void damage_is_found(void **state) {
    (void)state;
    static png whole, file;
    make_indexed(&whole, 7, 5, 4, 16, 16, false);
    /* truncated anywhere; the checksum of IEND carries no data, and is not checked */
    size_t end = whole.size - 4;
    for (size_t size = 0; size < end; size++) {
        file = whole;
        file.size = size;
        reading_is(&file, MST_DAMAGED);
    }
    /* any byte changed: each is covered by a checksum, or determines the following bytes */
    for (size_t i = 0; i < end; i++) {
        file = whole;
        file.data[i] ^= 0x11;
        mst_pixels pixels = {0};
        mst_diagnostic why;
        mst_status status = read_png(&file, &pixels, &why);
        if (status != MST_DAMAGED && status != MST_REFUSED)
            fail_msg("byte %zu", i);
        assert_null(pixels.data);
    }
    /* no palette */
    static const uint8_t row[] = {0, 0};
    put_header(&file, 1, 1, 8, 3, 0);
    put_tail(&file, row, sizeof row);
    reading_is(&file, MST_DAMAGED);
    /* rows are missing */
    put_header(&file, 1, 2, 8, 3, 0);
    put_chunk(&file, "PLTE", colors, 3);
    put_tail(&file, row, sizeof row);
    reading_is(&file, MST_DAMAGED);
    file.size = 0;
    put_bytes(&file, "GIF89a, which is something else", 31);
    reading_is(&file, MST_DAMAGED);
}

static void colours_beyond_the_palette(void **state) {
    (void)state;
    static png file;
    for (unsigned depth = 2; depth <= 8; depth *= 2) {
        make_indexed(&file, 9, 6, depth, 3, 3, false);
        mst_pixels pixels = {0};
        mst_diagnostic why;
        MUST(read_png(&file, &pixels, &why), &why);
        mst_pixels_free(&pixels);
        make_indexed(&file, 9, 6, depth, 3, 4, false);
        reading_is(&file, MST_DAMAGED);
    }
    static const uint8_t rows[] = {0, 0, 1, 2, 0, 0, 1, 3};
    mst_pixels pixels = {0};
    mst_diagnostic why;
    put_header(&file, 3, 2, 8, 3, 0);
    put_chunk(&file, "PLTE", colors, 9);
    put_tail(&file, rows, sizeof rows);
    assert_int_equal(read_png(&file, &pixels, &why), MST_DAMAGED);
    assert_non_null(strstr(why.message, "column 2 of row 1"));
    assert_string_equal(why.found, "3");
    assert_int_equal(read_png(&file, &pixels, NULL), MST_DAMAGED);
}

static void bombs_are_not_let_off(void **state) {
    (void)state;
    static png file;
    static const uint8_t row[] = {0, 0};
    counted memory = {0};
    mst_pixels pixels = {.allocator = counted_allocator(&memory)};
    mst_diagnostic why;
    for (int indexed = 0; indexed < 2; indexed++) {
        put_header(&file, 100000, 100000, 8, indexed ? 3 : 6, 0);
        if (indexed)
            put_chunk(&file, "PLTE", colors, 3);
        put_tail(&file, row, sizeof row);
        assert_int_equal(read_png(&file, &pixels, &why), MST_REFUSED);
        put_header(&file, 0x7FFFFFFF, 0x7FFFFFFF, 8, indexed ? 3 : 6, 0);
        if (indexed)
            put_chunk(&file, "PLTE", colors, 3);
        put_tail(&file, row, sizeof row);
        mst_status status = read_png(&file, &pixels, &why); /* libspng itself refuses some of them */
        assert_true(status == MST_REFUSED || status == MST_DAMAGED);
        assert_int_equal(memory.calls, 0);
    }
    /* exactly at the limit, with the rows missing; and one more */
    size_t size = file.size;
    uint32_t max = (uint32_t)(1024 * size + (1u << 20));
    for (uint32_t more = 0; more < 2; more++) {
        put_header(&file, 1, max + more, 8, 3, 0);
        put_chunk(&file, "PLTE", colors, 3);
        put_tail(&file, row, sizeof row);
        assert_int_equal(file.size, size);
        assert_int_equal(read_png(&file, &pixels, &why), more ? MST_REFUSED : MST_DAMAGED);
    }
    assert_int_equal(memory.calls, 1);
    assert_int_equal(memory.blocks, 0);
}

static void memory_may_be_missing(void **state) {
    (void)state;
    static png file;
    make_indexed(&file, 7, 5, 4, 16, 16, false);
    counted memory = {.fail_at = 1};
    mst_pixels pixels = {.allocator = counted_allocator(&memory)};
    mst_diagnostic why;
    assert_int_equal(read_png(&file, &pixels, &why), MST_NO_MEMORY);
    assert_null(pixels.data);
    MUST(read_png(&file, &pixels, &why), &why);
    assert_int_equal(memory.bytes, 7 * 5 + 4 * 16);
    mst_pixels_free(&pixels);
    mst_pixels_free(&pixels);
    assert_int_equal(memory.blocks, 0);
    assert_false(memory.wrong);
}
#else
static void there_is_no_png(void **state) {
    (void)state;
    static png file;
    uint8_t data[1] = {0};
    mst_pixels pixels = {.width = 1,
                         .height = 1,
                         .format = MST_PIXELS_INDEXED8,
                         .data = data,
                         .palette_count = 1,
                         .palette = some_colors};
    mst_buffer sink = {0};
    mst_diagnostic why;
    assert_int_equal(mst_pixels_write_png(&pixels, mst_buffer_sink(&sink), &why), MST_UNSUPPORTED);
    make_indexed(&file, 7, 5, 4, 16, 16, false);
    reading_is(&file, MST_UNSUPPORTED);
}
#endif

/* ---- pictures in documents ------------------------------------------------------------------------ */

static size_t three(const mst_document *document) {
    (void)document;
    return 3;
}

static mst_status read_one(const mst_document *document, size_t index, size_t level, mst_pixels *pixels,
                           char *name, mst_diagnostic *why) {
    (void)level;
    (void)document;
    (void)why;
    pixels->width = (uint32_t)index + 1;
    snprintf(name, MST_IMAGE_NAME, "page_%zu", index);
    return MST_OK;
}

static mst_status replace_one(mst_document *document, size_t index, const mst_pixels *pixels,
                              mst_diagnostic *why) {
    (void)pixels;
    (void)why;
    document->size = index;
    return MST_OK;
}

static void documents_have_pictures(void **state) {
    (void)state;
    static const mst_images images = {.count = three, .read = read_one, .replace = replace_one};
    static const mst_format with = {.information = {.id = "with", .title = "Pictures"}, .images = &images};
    mst_document document;
    memset(&document, 0, sizeof document);
    document.format = &with;
    mst_pixels pixels = {0};
    mst_diagnostic why;
    char name[MST_IMAGE_NAME];
    assert_int_equal(mst_image_count(&document), 3);
    MUST(mst_image_read(&document, 2, 0, NULL, &pixels, name, &why), &why);
    assert_int_equal(pixels.width, 3);
    assert_string_equal(name, "page_2");
    MUST(mst_image_read(&document, 1, 0, NULL, &pixels, NULL, &why), &why);
    assert_int_equal(pixels.width, 2);
    assert_int_equal(mst_image_read(&document, 3, 0, NULL, &pixels, name, &why), MST_ARGUMENT);
    assert_string_equal(why.expected, "0..2");
    assert_int_equal(mst_image_read(&document, SIZE_MAX, 0, NULL, &pixels, name, NULL), MST_ARGUMENT);

    uint8_t data[4] = {0, 1, 2, 1};
    mst_pixels other = {.width = 2,
                        .height = 2,
                        .format = MST_PIXELS_INDEXED8,
                        .data = data,
                        .palette_count = 3,
                        .palette = some_colors};
    MUST(mst_image_replace(&document, 2, NULL, &other, &why), &why);
    assert_int_equal(document.size, 2);
    assert_int_equal(mst_image_replace(&document, 3, NULL, &other, &why), MST_ARGUMENT);
    assert_int_equal(mst_image_replace(&document, 1, NULL, NULL, &why), MST_ARGUMENT);
    assert_int_equal(mst_image_read(&document, 1, 0, NULL, NULL, NULL, &why), MST_ARGUMENT);
    assert_int_equal(mst_image_replace(NULL, 1, NULL, &other, &why), MST_ARGUMENT);
    other.palette_count = 2;
    assert_int_equal(mst_image_replace(&document, 1, NULL, &other, &why), MST_ARGUMENT);
    assert_non_null(strstr(why.message, "column 0 of row 1"));
    other.palette_count = 257;
    assert_int_equal(mst_image_replace(&document, 1, NULL, &other, &why), MST_ARGUMENT);
    other.palette_count = 3;
    other.height = 0;
    assert_int_equal(mst_image_replace(&document, 1, NULL, &other, &why), MST_ARGUMENT);
    other.height = 2;
    other.data = NULL;
    assert_int_equal(mst_image_replace(&document, 1, NULL, &other, &why), MST_ARGUMENT);
    assert_int_equal(document.size, 2);
}

static void documents_may_have_none(void **state) {
    (void)state;
    static const mst_format without = {.information = {.id = "without", .title = "No pictures"}};
    mst_document document;
    memset(&document, 0, sizeof document);
    document.format = &without;
    uint8_t data[1] = {0};
    mst_pixels pixels = {.width = 1,
                         .height = 1,
                         .format = MST_PIXELS_INDEXED8,
                         .data = data,
                         .palette_count = 1,
                         .palette = some_colors};
    mst_diagnostic why;
    assert_int_equal(mst_image_count(&document), 0);
    assert_int_equal(mst_image_read(&document, 0, 0, NULL, &pixels, NULL, &why), MST_UNSUPPORTED);
    assert_non_null(strstr(why.message, "No pictures"));
    assert_int_equal(mst_image_replace(&document, 0, NULL, &pixels, &why), MST_UNSUPPORTED);
}

int test_image(void) {
    const struct CMUnitTest tests[] = {
#if MST_WITH_PNG
        cmocka_unit_test(indexed_pixels_come_back),
        cmocka_unit_test(transparent_colours_come_back),
        cmocka_unit_test(rgba_pixels_come_back),
#if MST_WITH_ZLIB
        cmocka_unit_test(filters_are_left_out),
#endif
        cmocka_unit_test(what_cannot_be_written),
        cmocka_unit_test(palettes_of_any_depth_are_read),
        cmocka_unit_test(other_kinds_become_rgba),
        cmocka_unit_test(a_palette_may_be_transparent),
        cmocka_unit_test(damage_is_found),
        cmocka_unit_test(colours_beyond_the_palette),
        cmocka_unit_test(bombs_are_not_let_off),
        cmocka_unit_test(memory_may_be_missing),
#else
        cmocka_unit_test(there_is_no_png),
#endif
        cmocka_unit_test(documents_have_pictures),
        cmocka_unit_test(documents_may_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
