/* SPDX-License-Identifier: MIT */
#include "color_block.h"
#include "../core/bytes.h"

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
    mst_color_block_colors(c0, c1, c0 > c1, colors);
    for (unsigned i = 0; i < job->count; i++) {
        uint32_t nearest = UINT32_MAX, index = 0;
        for (unsigned k = 0; k < choices; k++) {
            uint32_t distance = mst_texel_distance(colors[k], job->opaque[i]);
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

/* The two end colours that fit the current indices best, by least squares. */
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

/* For a single colour that the format cannot represent: two end colours with the nearest mixture. */
static void mix_one(const fit_job *job, bool holes, fit *best) {
    uint32_t a = 0, b = 0;
    for (unsigned k = 0; k < 3; k++) {
        int32_t max = k == 1 ? 63 : 31, v = (int32_t)(job->opaque[0] >> 8 * k & 255);
        int32_t middle = (int32_t)mst_texel_to_steps((uint32_t)v, (uint32_t)max), nearest = INT32_MAX, p = 0,
                q = 0;
        for (int32_t i = middle - 4; i <= middle + 4; i++)
            for (int32_t j = middle - 4; j <= middle + 4; j++) {
                if (i < 0 || j < 0 || i > max || j > max)
                    continue;
                int32_t x = (int32_t)(k == 1 ? mst_texel_from6((uint32_t)i) : mst_texel_from5((uint32_t)i));
                int32_t y = (int32_t)(k == 1 ? mst_texel_from6((uint32_t)j) : mst_texel_from5((uint32_t)j));
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

mst_color_block mst_color_block_fit(const uint8_t *texels, size_t stride, bool holes) {
    fit_job job = {.count = 0};
    fit best = {.error = UINT32_MAX};
    uint32_t hidden = 0;
    for (unsigned i = 0; i < 16; i++) {
        uint32_t texel = mst_load32(texels + i / 4 * stride + i % 4 * 4, false);
        if (texel >> 31 || !holes) {
            job.opaque[job.count] = texel;
            job.place[job.count++] = (uint8_t)i;
        } else {
            job.holes |= 3u << (30 - 2 * i);
            hidden = texel;
        }
    }
    if (job.count == 0)
        return (mst_color_block){mst_texel_to_rgb565(hidden), mst_texel_to_rgb565(hidden), job.holes};
    if (!job.holes)
        fit_ends(&job, false, &best);
    if (best.error && holes)
        fit_ends(&job, true, &best);
    return (mst_color_block){best.c0, best.c1, best.indices};
}
