/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast textures are decoded and encoded, zlib streams unpacked and packed, and LZO streams
 * unpacked, with memcpy of the same pixels in the same run for comparison. Prints a table in Markdown:
 * bench_codecs
 */
#include "../src/codec/deflate.h"
#include "../src/codec/gx_texture.h"
#include "../src/codec/lzo.h"
#include <mapstone/mapstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIDE   1024u
#define PIXELS ((size_t)SIDE * SIDE * 4)

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct work {
    unsigned format;
    uint8_t *rgba, *copy, *data, *old;
    mst_buffer packed, unpacked;
    mst_zlib_way way;
    size_t made; /* bytes that the LZO stream unpacks to */
} work;

static double best(void (*run)(work *), work *w) {
    double shortest = 1e9, begun = now();
    for (int i = 0; i < 3 || (now() - begun < 0.3 && i < 1000); i++) {
        double start = now();
        run(w);
        double time = now() - start;
        if (time < shortest)
            shortest = time;
    }
    return shortest;
}

static void run_memcpy(work *w) {
    memcpy(w->copy, w->rgba, PIXELS);
}
static void run_decode(work *w) {
    mst_gx_decode(w->format, SIDE, SIDE, w->data, w->copy);
}
static void run_encode(work *w) {
    mst_gx_encode(w->format, SIDE, SIDE, w->rgba, NULL, w->data);
}
static void run_keep(work *w) {
    mst_gx_encode(w->format, SIDE, SIDE, w->copy, w->old, w->data);
}
static void run_pack(work *w) {
    w->packed.size = 0;
    mst_zlib_pack(w->rgba, PIXELS, w->way, &w->packed, NULL);
}
static void run_unpack(work *w) {
    w->unpacked.size = 0;
    mst_zlib_unpack(w->packed.data, w->packed.size, PIXELS, PIXELS, &w->unpacked, NULL, NULL);
}
static void run_unpack_lzo(work *w) {
    w->unpacked.size = 0;
    if (mst_lzo_unpack(w->packed.data, w->packed.size, w->made, PIXELS, &w->unpacked, NULL) != MST_OK)
        abort();
}

/* A stream that unpacks to almost the size of the pixels: runs of 4 to 18 literals, each followed by a few
 * short copies from nearby and a longer one from farther back, like packed models. */
static void put_lzo(work *w) {
    mst_sink sink = mst_buffer_sink(&w->packed);
    uint8_t piece[64] = {17 + 32};
    size_t made = 32;
    uint32_t state = 1;
    w->packed.size = 0;
    memcpy(piece + 1, w->rgba, 32);
    sink.write(sink.user, piece, 33);
    while (made < PIXELS - 200) {
        state = state * 1664525u + 1013904223u;
        size_t n = 0, run = 4 + (state >> 28) % 15;
        /* 3 to 8 bytes, 9 to 32 back. */
        for (unsigned i = 0; i < 1 + (state >> 26) % 4; i++) {
            unsigned length = 3 + (state >> (20 - 2 * i)) % 6;
            piece[n++] = (uint8_t)((length - 1) << 5 | (state >> i & 7) << 2);
            piece[n++] = (uint8_t)(1 + (state >> 5 & 1));
            made += length;
        }
        /* 3 to 33 bytes, at most 16,384 back. */
        unsigned length = 3 + (state >> 10) % 31, distance = 1 + (state >> 8) % 16384;
        if (distance > made)
            distance = 1;
        piece[n++] = (uint8_t)(32 | (length - 2));
        piece[n++] = (uint8_t)((distance - 1) << 2);
        piece[n++] = (uint8_t)((distance - 1) >> 6);
        piece[n++] = (uint8_t)(run - 3);
        memcpy(piece + n, w->rgba + made, run);
        made += length + run;
        sink.write(sink.user, piece, n + run);
    }
    sink.write(sink.user, "\x11\0", 3);
    w->made = made;
}

/* Slopes with some noise, as painted textures have. */
static void paint(uint8_t *rgba) {
    uint32_t state = 1;
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++, rgba += 4) {
            state = state * 1664525u + 1013904223u;
            uint32_t noise = state >> 28;
            rgba[0] = (uint8_t)(x / 5 + noise);
            rgba[1] = (uint8_t)(y / 6 + (x ^ y) / 32 + noise);
            rgba[2] = (uint8_t)((x + y) / 9 + noise);
            rgba[3] = 255;
        }
}

static void show(const char *name, const char *what, double seconds, double copying) {
    printf("| %s | %s | %.2f | %.0f | %.3f |\n", name, what, seconds * 1e3, (double)PIXELS / seconds / 1e6,
           copying / seconds);
}

int main(void) {
    work w = {.rgba = malloc(PIXELS), .copy = malloc(PIXELS), .data = malloc(PIXELS), .old = malloc(PIXELS)};
    if (!w.rgba || !w.copy || !w.data || !w.old)
        return 1;
    paint(w.rgba);
    memset(w.copy, 1, PIXELS);
    memset(w.data, 1, PIXELS);
    double copying = best(run_memcpy, &w);
    printf("### Codecs, %u x %u texels\n\n", SIDE, SIDE);
    printf("| what | | ms | MB/s of RGBA | relative to memcpy |\n|---|---|--:|--:|--:|\n");
    show("RGBA", "memcpy", copying, copying);
    for (w.format = 0; w.format < 16; w.format++) {
        if (!mst_gx_is_known(w.format))
            continue;
        const char *name = mst_gx_name(w.format);
        bool encodes = mst_gx_can_encode(w.format);
        double encoding = encodes ? best(run_encode, &w) : 0;
        memcpy(w.old, w.data, PIXELS);
        show(name, "decode", best(run_decode, &w), copying);
        if (encodes) {
            show(name, "encode", encoding, copying);
            show(name, "encode what did not change", best(run_keep, &w), copying);
        }
    }
    if (mst_zlib_pack(w.rgba, 1, MST_ZLIB_RETAIL, &w.packed, NULL) == MST_OK) {
        show("zlib", "pack", best(run_pack, &w), copying);
        show("zlib", "unpack", best(run_unpack, &w), copying);
    }
    put_lzo(&w);
    show("LZO", "unpack", best(run_unpack_lzo, &w), copying);
    printf("\n");
    mst_buffer_free(&w.packed);
    mst_buffer_free(&w.unpacked);
    free(w.rgba);
    free(w.copy);
    free(w.data);
    free(w.old);
    return 0;
}
