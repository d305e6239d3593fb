/* SPDX-License-Identifier: MIT */
#include "gx_texture.h"
#include "../core/bytes.h"
#include "color_block.h"

/* A tile has at most 8 x 8 texels. */
#define TILE_CAPACITY (64u * 4)

typedef struct layout {
    char name[8];
    uint8_t width, height; /* of a tile, in texels; 0: unknown format */
    uint8_t size;          /* of a tile, in bytes */
    bool encodes;
} layout;

static const layout layouts[] = {
    [MST_GX_I4] = {"I4", 8, 8, 32, true},         [MST_GX_I8] = {"I8", 8, 4, 32, true},
    [MST_GX_IA4] = {"IA4", 8, 4, 32, true},       [MST_GX_IA8] = {"IA8", 4, 4, 32, true},
    [MST_GX_RGB565] = {"RGB565", 4, 4, 32, true}, [MST_GX_RGB5A3] = {"RGB5A3", 4, 4, 32, true},
    [MST_GX_RGBA8] = {"RGBA8", 4, 4, 64, true},   [MST_GX_C4] = {"C4", 8, 8, 32, false},
    [MST_GX_C8] = {"C8", 8, 4, 32, false},        [MST_GX_C14X2] = {"C14X2", 4, 4, 32, false},
    [MST_GX_CMPR] = {"CMPR", 8, 8, 32, true}};

bool mst_gx_is_known(unsigned format) {
    return format < sizeof layouts / sizeof *layouts && layouts[format].width;
}

const char *mst_gx_name(unsigned format) {
    return mst_gx_is_known(format) ? layouts[format].name : NULL;
}

bool mst_gx_can_encode(unsigned format) {
    return mst_gx_is_known(format) && layouts[format].encodes;
}

uint64_t mst_gx_level_size(unsigned format, uint32_t width, uint32_t height) {
    if (!mst_gx_is_known(format))
        return 0;
    const layout *l = &layouts[format];
    uint64_t across = ((uint64_t)width + l->width - 1) / l->width;
    uint64_t down = ((uint64_t)height + l->height - 1) / l->height;
    return across * down * l->size;
}

/* ---- colours ------------------------------------------------------------------------------------- */

/* Repeats the high bits in the low ones, so that all ones become 255. */
static inline uint32_t from3(uint32_t v) {
    return v << 5 | v << 2 | v >> 1;
}

/* Opaque with 5 bits per channel, or 4 bits per channel and 3 of alpha. */
static inline uint32_t from_rgb5a3(uint32_t v) {
    uint32_t opaque =
        mst_texel(mst_texel_from5(v >> 10 & 31), mst_texel_from5(v >> 5 & 31), mst_texel_from5(v & 31), 255);
    uint32_t other = mst_texel((v >> 8 & 15) * 17, (v >> 4 & 15) * 17, (v & 15) * 17, from3(v >> 12 & 7));
    return v >> 15 ? opaque : other;
}

/* From a byte of intensity, a byte of alpha and intensity in 4 bits each, and the same in a byte each. */
static inline uint32_t from_i8(uint32_t v) {
    return v * 0x01010101u;
}
static inline uint32_t from_ia4(uint32_t v) {
    return (v & 15) * 0x111111u | (v >> 4) * 0x11000000u;
}
static inline uint32_t from_ia8(uint32_t v) {
    return (v & 255) * 0x010101u | v >> 8 << 24;
}
static inline uint32_t from_grey(uint32_t v) {
    return v * 0x010101u | 0xFF000000u;
}

/* ---- decoding a tile ----------------------------------------------------------------------------- */

static inline void put(uint8_t *out, uint32_t texel) {
    mst_store32(out, texel, false);
}
static inline uint32_t pair(const uint8_t *p) {
    return mst_load16(p, true);
}

/* Tile decoders for texels of half a byte, one byte and two bytes. */
#define TILE_OF_NIBBLES(name, convert)                                                                       \
    static void name(const uint8_t *data, uint8_t *out, size_t stride) {                                     \
        for (unsigned y = 0; y < 8; y++, out += stride, data += 4)                                           \
            for (unsigned x = 0; x < 4; x++) {                                                               \
                put(out + 8 * x, convert((data[x] >> 4) * 17u));                                             \
                put(out + 8 * x + 4, convert((data[x] & 15) * 17u));                                         \
            }                                                                                                \
    }
#define TILE_OF_BYTES(name, convert)                                                                         \
    static void name(const uint8_t *data, uint8_t *out, size_t stride) {                                     \
        for (unsigned y = 0; y < 4; y++, out += stride, data += 8)                                           \
            for (unsigned x = 0; x < 8; x++)                                                                 \
                put(out + 4 * x, convert(data[x]));                                                          \
    }
#define TILE_OF_PAIRS(name, convert)                                                                         \
    static void name(const uint8_t *data, uint8_t *out, size_t stride) {                                     \
        for (unsigned y = 0; y < 4; y++, out += stride, data += 8)                                           \
            for (unsigned x = 0; x < 4; x++)                                                                 \
                put(out + 4 * x, convert(pair(data + 2 * x)));                                               \
    }

static inline uint32_t from_c14(uint32_t v) {
    return from_grey(v >> 6 & 255); /* the low 14 bits are the index */
}

TILE_OF_NIBBLES(tile_i4, from_i8)
TILE_OF_NIBBLES(tile_c4, from_grey)
TILE_OF_BYTES(tile_i8, from_i8)
TILE_OF_BYTES(tile_c8, from_grey)
TILE_OF_BYTES(tile_ia4, from_ia4)
TILE_OF_PAIRS(tile_ia8, from_ia8)
TILE_OF_PAIRS(tile_rgb565, mst_texel_from_rgb565)
TILE_OF_PAIRS(tile_rgb5a3, from_rgb5a3)
TILE_OF_PAIRS(tile_c14, from_c14)

/* 16 pairs of alpha and red, then 16 of green and blue. */
static void tile_rgba8(const uint8_t *data, uint8_t *out, size_t stride) {
    for (unsigned y = 0; y < 4; y++, out += stride, data += 8)
        for (unsigned x = 0; x < 4; x++) {
            uint32_t ar = pair(data + 2 * x), gb = pair(data + 32 + 2 * x);
            put(out + 4 * x, mst_texel(ar & 255, gb >> 8, gb & 255, ar >> 8));
        }
}

static inline void cmpr_decode(const uint8_t *data, uint8_t *out, size_t stride) {
    uint32_t colors[4];
    mst_color_block_colors(pair(data), pair(data + 2), pair(data) > pair(data + 2), colors);
    for (unsigned y = 0; y < 4; y++, out += stride) {
        unsigned indices = data[4 + y];
        put(out, colors[indices >> 6]);
        put(out + 4, colors[indices >> 4 & 3]);
        put(out + 8, colors[indices >> 2 & 3]);
        put(out + 12, colors[indices & 3]);
    }
}

static void tile_cmpr(const uint8_t *data, uint8_t *out, size_t stride) {
    cmpr_decode(data, out, stride);
    cmpr_decode(data + 8, out + 16, stride);
    cmpr_decode(data + 16, out + 4 * stride, stride);
    cmpr_decode(data + 24, out + 4 * stride + 16, stride);
}

typedef void decode_function(const uint8_t *data, uint8_t *out, size_t stride);
static decode_function *const decoders[] = {
    [MST_GX_I4] = tile_i4,       [MST_GX_I8] = tile_i8,         [MST_GX_IA4] = tile_ia4,
    [MST_GX_IA8] = tile_ia8,     [MST_GX_RGB565] = tile_rgb565, [MST_GX_RGB5A3] = tile_rgb5a3,
    [MST_GX_RGBA8] = tile_rgba8, [MST_GX_C4] = tile_c4,         [MST_GX_C8] = tile_c8,
    [MST_GX_C14X2] = tile_c14,   [MST_GX_CMPR] = tile_cmpr};

static inline uint32_t min(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

void mst_gx_decode(unsigned format, uint32_t width, uint32_t height, const uint8_t *data, uint8_t *rgba) {
    if (!mst_gx_is_known(format))
        return;
    const layout *l = &layouts[format];
    decode_function *decode = decoders[format];
    size_t stride = (size_t)width * 4;
    for (uint32_t y = 0; y < height; y += l->height) {
        uint32_t rows = min(l->height, height - y);
        for (uint32_t x = 0; x < width; x += l->width, data += l->size) {
            uint8_t *out = rgba + y * stride + (size_t)x * 4;
            if (rows == l->height && width - x >= l->width) {
                decode(data, out, stride);
                continue;
            }
            uint8_t tile[TILE_CAPACITY];
            decode(data, tile, l->width * 4u);
            for (uint32_t i = 0; i < rows; i++)
                memcpy(out + i * stride, tile + i * l->width * 4u, min(l->width, width - x) * 4u);
        }
    }
}

/* ---- encoding texels ----------------------------------------------------------------------------- */

/* Uses the opaque form for full alpha, unless the other is nearer. */
static uint32_t to_rgb5a3(uint32_t texel) {
    uint32_t r = texel & 255, g = texel >> 8 & 255, b = texel >> 16 & 255,
             alpha = mst_texel_to_steps(texel >> 24, 7);
    uint32_t opaque = 0x8000u | mst_texel_to_steps(r, 31) << 10 | mst_texel_to_steps(g, 31) << 5 |
                      mst_texel_to_steps(b, 31);
    uint32_t other = alpha << 12 | mst_texel_to_steps(r, 15) << 8 | mst_texel_to_steps(g, 15) << 4 |
                     mst_texel_to_steps(b, 15);
    bool worse =
        mst_texel_distance(from_rgb5a3(other), texel) >= mst_texel_distance(from_rgb5a3(opaque), texel);
    return alpha == 7 && worse ? opaque : other;
}

static uint32_t encode_texel(unsigned format, uint32_t texel) {
    uint32_t intensity = texel & 255, alpha = texel >> 24;
    switch (format) {
    case MST_GX_I4: return mst_texel_to_steps(intensity, 15);
    case MST_GX_I8: return intensity;
    case MST_GX_IA4: return mst_texel_to_steps(alpha, 15) << 4 | mst_texel_to_steps(intensity, 15);
    case MST_GX_IA8: return alpha << 8 | intensity;
    case MST_GX_RGB565: return mst_texel_to_rgb565(texel);
    default: return to_rgb5a3(texel);
    }
}

/* Encodes the texels of a tile that differ from `old`, or all if it is NULL. */
static void encode_tile(unsigned format, const uint8_t *wanted, const uint8_t *old, uint8_t *data) {
    const layout *l = &layouts[format];
    unsigned count = (unsigned)l->width * l->height;
    for (unsigned i = 0; i < count; i++) {
        if (old && memcmp(old + 4 * i, wanted + 4 * i, 4) == 0)
            continue;
        const uint8_t *from = wanted + 4 * i;
        uint32_t texel = mst_load32(from, false);
        switch (format) {
        case MST_GX_I4: {
            unsigned shift = i & 1 ? 0 : 4;
            uint8_t *to = data + i / 2;
            *to = (uint8_t)((*to & ~(15u << shift)) | encode_texel(format, texel) << shift);
            break;
        }
        case MST_GX_I8:
        case MST_GX_IA4: data[i] = (uint8_t)encode_texel(format, texel); break;
        default: mst_store16(data + 2 * i, (uint16_t)encode_texel(format, texel), true); break;
        case MST_GX_RGBA8:
            data[2 * i] = from[3];
            data[2 * i + 1] = from[0];
            data[32 + 2 * i] = from[1];
            data[32 + 2 * i + 1] = from[2];
            break;
        }
    }
}

/* ---- encoding CMPR ------------------------------------------------------------------------------- */

static void cmpr_encode(const uint8_t *wanted, size_t stride, uint8_t *data) {
    mst_color_block best = mst_color_block_fit(wanted, stride, true);
    mst_store16(data, (uint16_t)best.c0, true);
    mst_store16(data + 2, (uint16_t)best.c1, true);
    mst_store32(data + 4, best.indices, true);
}

/* Whether two texels are equal in CMPR, in which alpha is one bit and transparent texels have no colour. */
static bool same_in_cmpr(const uint8_t *wanted, const uint8_t *old) {
    return wanted[3] >> 7 == old[3] >> 7 && (wanted[3] < 128 || memcmp(wanted, old, 3) == 0);
}

static void encode_cmpr_tile(const uint8_t *wanted, const uint8_t *old, uint8_t *data) {
    for (unsigned i = 0; i < 4; i++, data += 8) {
        size_t place = i / 2 * 4 * 32 + i % 2 * 16;
        bool same = old != NULL;
        for (unsigned k = 0; k < 16 && same; k++) {
            size_t texel = place + k / 4 * 32 + k % 4 * 4;
            same = same_in_cmpr(wanted + texel, old + texel);
        }
        if (!same)
            cmpr_encode(wanted + place, 32, data);
    }
}

void mst_gx_encode(unsigned format, uint32_t width, uint32_t height, const uint8_t *rgba,
                   const uint8_t *previous, uint8_t *data) {
    if (!mst_gx_can_encode(format))
        return;
    const layout *l = &layouts[format];
    size_t stride = (size_t)width * 4, tile_stride = l->width * 4u;
    for (uint32_t y = 0; y < height; y += l->height)
        for (uint32_t x = 0; x < width; x += l->width, data += l->size) {
            uint8_t wanted[TILE_CAPACITY], old[TILE_CAPACITY];
            uint32_t rows = min(l->height, height - y), columns = min(l->width, width - x);
            if (previous) {
                decoders[format](previous, old, tile_stride);
                memcpy(wanted, old, l->height * tile_stride);
                memmove(data, previous, l->size);
                previous += l->size;
            } else {
                memset(data, 0, l->size);
            }
            for (uint32_t i = 0; i < (previous ? rows : l->height); i++) {
                uint8_t *row = wanted + i * tile_stride;
                memcpy(row, rgba + (y + min(i, rows - 1)) * stride + (size_t)x * 4, columns * 4u);
                for (uint32_t k = columns; k < l->width && !previous; k++)
                    memcpy(row + 4 * k, row + 4 * (columns - 1), 4);
            }
            if (format == MST_GX_CMPR)
                encode_cmpr_tile(wanted, previous ? old : NULL, data);
            else
                encode_tile(format, wanted, previous ? old : NULL, data);
        }
}
