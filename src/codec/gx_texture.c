/* SPDX-License-Identifier: MIT */
#include "gx_texture.h"
#include "../core/bytes.h"

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

/* A texel as one number, which is r, g, b, a when stored little-endian. */
static inline uint32_t texel_of(uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
    return r | g << 8 | b << 16 | a << 24;
}

/* Repeats the high bits below, so that all ones become 255. */
static inline uint32_t from3(uint32_t v) {
    return v << 5 | v << 2 | v >> 1;
}
static inline uint32_t from5(uint32_t v) {
    return v << 3 | v >> 2;
}
static inline uint32_t from6(uint32_t v) {
    return v << 2 | v >> 4;
}

static inline uint32_t from_rgb565(uint32_t v) {
    return texel_of(from5(v >> 11), from6(v >> 5 & 63), from5(v & 31), 255);
}

/* Opaque with 5 bits per channel, or 4 bits per channel and 3 of alpha. */
static inline uint32_t from_rgb5a3(uint32_t v) {
    uint32_t opaque = texel_of(from5(v >> 10 & 31), from5(v >> 5 & 31), from5(v & 31), 255);
    uint32_t other = texel_of((v >> 8 & 15) * 17, (v >> 4 & 15) * 17, (v & 15) * 17, from3(v >> 12 & 7));
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
TILE_OF_PAIRS(tile_rgb565, from_rgb565)
TILE_OF_PAIRS(tile_rgb5a3, from_rgb5a3)
TILE_OF_PAIRS(tile_c14, from_c14)

/* 16 pairs of alpha and red, then 16 of green and blue. */
static void tile_rgba8(const uint8_t *data, uint8_t *out, size_t stride) {
    for (unsigned y = 0; y < 4; y++, out += stride, data += 8)
        for (unsigned x = 0; x < 4; x++) {
            uint32_t ar = pair(data + 2 * x), gb = pair(data + 32 + 2 * x);
            put(out + 4 * x, texel_of(ar & 255, gb >> 8, gb & 255, ar >> 8));
        }
}

/* The four colours of a 4 x 4 block. If c0 > c1: both and two between them. Else: both, the one half-way
 * between, and the same but transparent. */
static inline void cmpr_colors(uint32_t c0, uint32_t c1, uint32_t colors[4]) {
    uint32_t a = from_rgb565(c0), b = from_rgb565(c1), between[3][2];
    for (unsigned i = 0; i < 3; i++) {
        uint32_t p = a >> 8 * i & 255, q = b >> 8 * i & 255;
        between[i][0] = c0 > c1 ? (2 * p + q) / 3 : (p + q) / 2;
        between[i][1] = c0 > c1 ? (p + 2 * q) / 3 : (p + q) / 2;
    }
    colors[0] = a;
    colors[1] = b;
    colors[2] = texel_of(between[0][0], between[1][0], between[2][0], 255);
    colors[3] = texel_of(between[0][1], between[1][1], between[2][1], c0 > c1 ? 255 : 0);
}

static inline void cmpr_decode(const uint8_t *data, uint8_t *out, size_t stride) {
    uint32_t colors[4];
    cmpr_colors(pair(data), pair(data + 2), colors);
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

/* The nearest of `max` + 1 steps from 0 to 255. */
static inline uint32_t to_steps(uint32_t v, uint32_t max) {
    return (v * max + 127) / 255;
}

static uint32_t square_distance(uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < 24; i += 8) {
        int32_t d = (int32_t)(a >> i & 255) - (int32_t)(b >> i & 255);
        sum += (uint32_t)(d * d);
    }
    return sum;
}

static uint32_t to_rgb565(uint32_t texel) {
    return to_steps(texel & 255, 31) << 11 | to_steps(texel >> 8 & 255, 63) << 5 |
           to_steps(texel >> 16 & 255, 31);
}

/* Uses the opaque form for full alpha, unless the other form is nearer. */
static uint32_t to_rgb5a3(uint32_t texel) {
    uint32_t r = texel & 255, g = texel >> 8 & 255, b = texel >> 16 & 255, alpha = to_steps(texel >> 24, 7);
    uint32_t opaque = 0x8000u | to_steps(r, 31) << 10 | to_steps(g, 31) << 5 | to_steps(b, 31);
    uint32_t other = alpha << 12 | to_steps(r, 15) << 8 | to_steps(g, 15) << 4 | to_steps(b, 15);
    bool worse = square_distance(from_rgb5a3(other), texel) >= square_distance(from_rgb5a3(opaque), texel);
    return alpha == 7 && worse ? opaque : other;
}

static uint32_t encode_texel(unsigned format, uint32_t texel) {
    uint32_t intensity = texel & 255, alpha = texel >> 24;
    switch (format) {
    case MST_GX_I4: return to_steps(intensity, 15);
    case MST_GX_I8: return intensity;
    case MST_GX_IA4: return to_steps(alpha, 15) << 4 | to_steps(intensity, 15);
    case MST_GX_IA8: return alpha << 8 | intensity;
    case MST_GX_RGB565: return to_rgb565(texel);
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

/* ---- fitting the colours of CMPR ----------------------------------------------------------------- */

typedef struct fit_job {
    uint32_t opaque[16]; /* opaque texels to approximate */
    uint8_t place[16];   /* their positions in the 4 x 4 block */
    unsigned count;
    uint32_t holes; /* index bits of the transparent texels: 3 each */
} fit_job;

typedef struct fit {
    uint32_t error; /* sum of squares */
    uint32_t c0, c1;
    uint32_t indices; /* the first texel's in the top bits */
} fit;

/* Finds the best indices for two end colours, ordered for four colours or for three and a hole. Updates
 * `best` and returns true if the error is smaller. */
static bool try_ends(const fit_job *job, uint32_t a, uint32_t b, bool holes, fit *best) {
    bool swap = holes ? a > b : a < b;
    uint32_t c0 = swap ? b : a, c1 = swap ? a : b, colors[4], error = 0, indices = job->holes;
    unsigned choices = c0 > c1 ? 4 : 3;
    cmpr_colors(c0, c1, colors);
    for (unsigned i = 0; i < job->count; i++) {
        uint32_t nearest = UINT32_MAX, index = 0;
        for (unsigned k = 0; k < choices; k++) {
            uint32_t distance = square_distance(colors[k], job->opaque[i]);
            if (distance < nearest) {
                nearest = distance;
                index = k;
            }
        }
        error += nearest;
        if (error >= best->error)
            return false;
        indices |= index << (30 - 2 * job->place[i]);
    }
    *best = (fit){error, c0, c1, indices};
    return true;
}

static uint32_t to_rgb565_of(const float color[3]) {
    uint32_t channels[3];
    for (unsigned i = 0; i < 3; i++) {
        float max = i == 1 ? 63.0f : 31.0f, v = color[i] * max / 255.0f + 0.5f;
        channels[i] = v < 0 ? 0 : v > max ? (uint32_t)max : (uint32_t)v;
    }
    return channels[0] << 11 | channels[1] << 5 | channels[2];
}

/* The ends of the texels' principal axis. */
static void ends_on_axis(const fit_job *job, uint32_t *a, uint32_t *b) {
    float mean[3] = {0}, spread[3][3] = {{0}}, low = 0, high = 0;
    for (unsigned i = 0; i < job->count; i++)
        for (unsigned k = 0; k < 3; k++)
            mean[k] += (float)(job->opaque[i] >> 8 * k & 255);
    for (unsigned k = 0; k < 3; k++)
        mean[k] /= (float)job->count;
    for (unsigned i = 0; i < job->count; i++) {
        float d[3];
        for (unsigned k = 0; k < 3; k++)
            d[k] = (float)(job->opaque[i] >> 8 * k & 255) - mean[k];
        for (unsigned k = 0; k < 9; k++)
            spread[k / 3][k % 3] += d[k / 3] * d[k % 3];
    }
    /* power iteration; the row of the largest variance is not orthogonal to the axis, so it converges */
    unsigned row = spread[1][1] > spread[0][0] ? 1 : 0;
    row = spread[2][2] > spread[row][row] ? 2 : row;
    float axis[3] = {spread[row][0], spread[row][1], spread[row][2]};
    for (unsigned turn = 0; turn < 8; turn++) {
        float next[3], max = 0;
        for (unsigned k = 0; k < 3; k++) {
            next[k] = spread[k][0] * axis[0] + spread[k][1] * axis[1] + spread[k][2] * axis[2];
            float size = next[k] < 0 ? -next[k] : next[k];
            max = size > max ? size : max;
        }
        if (max <= 0)
            break;
        for (unsigned k = 0; k < 3; k++)
            axis[k] = next[k] / max;
    }
    float length = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
    for (unsigned i = 0; i < job->count && length > 0; i++) {
        float along = 0;
        for (unsigned k = 0; k < 3; k++)
            along += ((float)(job->opaque[i] >> 8 * k & 255) - mean[k]) * axis[k];
        along /= length;
        low = along < low ? along : low;
        high = along > high ? along : high;
    }
    float from[3], to[3];
    for (unsigned k = 0; k < 3; k++) {
        from[k] = mean[k] + low * axis[k];
        to[k] = mean[k] + high * axis[k];
    }
    *a = to_rgb565_of(from);
    *b = to_rgb565_of(to);
}

/* The two end colours that fit the present indices best, by least squares. */
static bool ends_of_shares(const fit_job *job, const fit *now, uint32_t *a, uint32_t *b) {
    static const float shares[2][4] = {{1, 0, 0.5f, 0.5f}, {1, 0, 2 / 3.0f, 1 / 3.0f}};
    const float *share = shares[now->c0 > now->c1];
    float pp = 0, pq = 0, qq = 0, x[3] = {0}, y[3] = {0};
    for (unsigned i = 0; i < job->count; i++) {
        float p = share[now->indices >> (30 - 2 * job->place[i]) & 3], q = 1 - p;
        pp += p * p;
        pq += p * q;
        qq += q * q;
        for (unsigned k = 0; k < 3; k++) {
            float v = (float)(job->opaque[i] >> 8 * k & 255);
            x[k] += p * v;
            y[k] += q * v;
        }
    }
    float scale = pp * qq - pq * pq;
    if (scale < 1e-3f)
        return false;
    for (unsigned k = 0; k < 3; k++) {
        float p = (x[k] * qq - y[k] * pq) / scale, q = (y[k] * pp - x[k] * pq) / scale;
        x[k] = p;
        y[k] = q;
    }
    *a = to_rgb565_of(x);
    *b = to_rgb565_of(y);
    return true;
}

/* Steps each channel of both end colours up or down for as long as that reduces the error. */
static void step_ends(const fit_job *job, bool holes, fit *best) {
    static const struct { uint8_t shift, max; } channels[3] = {{11, 31}, {5, 63}, {0, 31}};
    bool better = true;
    for (unsigned pass = 0; pass < 16 && better && best->error; pass++) {
        better = false;
        for (unsigned i = 0; i < 12; i++) {
            unsigned shift = channels[i % 3].shift, max = channels[i % 3].max;
            uint32_t moved = i < 6 ? best->c0 : best->c1, still = i < 6 ? best->c1 : best->c0;
            uint32_t v = moved >> shift & max;
            bool up = i / 3 % 2;
            if (up ? v == max : v == 0)
                continue;
            moved = up ? moved + (1u << shift) : moved - (1u << shift);
            better = try_ends(job, moved, still, holes, best) || better;
        }
    }
}

/* For a single colour that the format does not have: two end colours with the nearest mixture. */
static void mix_one(const fit_job *job, bool holes, fit *best) {
    uint32_t a = 0, b = 0;
    for (unsigned k = 0; k < 3; k++) {
        int32_t max = k == 1 ? 63 : 31, v = (int32_t)(job->opaque[0] >> 8 * k & 255);
        int32_t middle = (int32_t)to_steps((uint32_t)v, (uint32_t)max), nearest = INT32_MAX, p = 0, q = 0;
        for (int32_t i = middle - 4; i <= middle + 4; i++)
            for (int32_t j = middle - 4; j <= middle + 4; j++) {
                if (i < 0 || j < 0 || i > max || j > max)
                    continue;
                int32_t x = (int32_t)(k == 1 ? from6((uint32_t)i) : from5((uint32_t)i));
                int32_t y = (int32_t)(k == 1 ? from6((uint32_t)j) : from5((uint32_t)j));
                int32_t distance = (holes ? (x + y) / 2 : (2 * x + y) / 3) - v;
                distance = distance < 0 ? -distance : distance;
                if (distance < nearest) {
                    nearest = distance;
                    p = i;
                    q = j;
                }
            }
        a = a << (k == 1 ? 6 : 5) | (uint32_t)p;
        b = b << (k == 1 ? 6 : 5) | (uint32_t)q;
    }
    try_ends(job, a, b, holes, best);
}

static void fit_ends(const fit_job *job, bool holes, fit *best) {
    fit one = {.error = UINT32_MAX};
    uint32_t a, b;
    bool same = true;
    for (unsigned i = 1; i < job->count; i++)
        same = same && !((job->opaque[i] ^ job->opaque[0]) & 0xFFFFFFu);
    ends_on_axis(job, &a, &b);
    try_ends(job, a, b, holes, &one);
    if (same && one.error)
        mix_one(job, holes, &one);
    for (unsigned i = 0; i < 4 && one.error && ends_of_shares(job, &one, &a, &b); i++)
        if (!try_ends(job, a, b, holes, &one))
            break;
    step_ends(job, holes, &one);
    if (one.error < best->error)
        *best = one;
}

/* Encodes a 4 x 4 block of texels with rows `stride` bytes apart. */
static void cmpr_encode(const uint8_t *wanted, size_t stride, uint8_t *data) {
    fit_job job = {.count = 0};
    fit best = {.error = UINT32_MAX};
    uint32_t hidden = 0;
    for (unsigned i = 0; i < 16; i++) {
        uint32_t texel = mst_load32(wanted + i / 4 * stride + i % 4 * 4, false);
        if (texel >> 31) {
            job.opaque[job.count] = texel;
            job.place[job.count++] = (uint8_t)i;
        } else {
            job.holes |= 3u << (30 - 2 * i);
            hidden = texel;
        }
    }
    if (job.count == 0) {
        best = (fit){0, to_rgb565(hidden), to_rgb565(hidden), job.holes};
    } else {
        if (!job.holes)
            fit_ends(&job, false, &best);
        if (best.error)
            fit_ends(&job, true, &best);
    }
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
