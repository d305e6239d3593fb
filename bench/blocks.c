/* SPDX-License-Identifier: MIT */
/*
 * How fast blocks of Star Fox Adventures are unfolded, folded and made into meshes, beside memcpy of the
 * image (and of the meshes) in the same run: one block, about as large as there can be, made here. Prints a
 * table in Markdown: bench_blocks
 */
#include "../src/core/bytes.h"
#include "../src/formats/sfa/block.h"
#include "../src/formats/sfa/scene.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LISTS = 8, VERTICES = 4000, POSITIONS = 5000, POLYGONS = 2000, SIZE = 0x40000 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void put_bits(uint8_t *bytes, unsigned *at, unsigned count, unsigned value) {
    for (unsigned i = 0; i < count; i++, ++*at)
        if (value >> i & 1)
            bytes[*at / 8] |= (uint8_t)(1u << *at % 8);
}

/* Triangle strips of 40 vertices, every other list with narrow indices. */
static size_t make_list(uint8_t *p, bool wide) {
    uint8_t *start = p;
    for (unsigned strip = 0; strip < VERTICES / 40; strip++) {
        *p++ = 0x9D;
        mst_store16(p, 40, true);
        p += 2;
        for (unsigned i = 0; i < 40; i++) {
            unsigned index = wide ? (strip * 40 + i) % POSITIONS : (strip + i) % 256;
            if (wide)
                *p++ = (uint8_t)(index >> 8);
            *p++ = (uint8_t)index;
            *p++ = (uint8_t)(index % 200);
            if (wide)
                *p++ = (uint8_t)(index >> 8);
            *p++ = (uint8_t)index;
        }
    }
    return ((size_t)(p - start) + 31) / 32 * 32;
}

static size_t make_block(uint8_t *b) {
    size_t at = (0xB8 + LISTS * 0x1C + 31) / 32 * 32;
    unsigned bit = 0;
    uint8_t stream[200] = {0};
    for (unsigned i = 0; i < LISTS; i++) {
        uint8_t *record = b + 0xB8 + 0x1C * i;
        size_t size = make_list(b + at, i & 1);
        mst_store32(record, (uint32_t)at, true);
        mst_store16(record + 4, (uint16_t)size, true);
        at += size;
        put_bits(stream, &bit, 4, 1), put_bits(stream, &bit, 6, 0);
        put_bits(stream, &bit, 4, 3), put_bits(stream, &bit, 3, i & 1 ? 5 : 0);
        put_bits(stream, &bit, 4, 2), put_bits(stream, &bit, 8, i);
    }
    put_bits(stream, &bit, 4, 5);
    const struct {
        unsigned offset, count, width, elements, size;
    } arrays[] = {{0x58, 0x90, 2, POSITIONS, 6}, {0x5C, 0x94, 2, 200, 2},
                  {0x60, 0x96, 2, POSITIONS, 4}, {0x78, 0x84, 2, (bit + 7) / 8, 1},
                  {0x54, 0xA0, 1, 4, 4},         {0x64, 0xA2, 1, 1, 0x44},
                  {0x50, 0x9A, 2, 1, 0x14},      {0x4C, 0x98, 2, POLYGONS, 8}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        at = (at + 3) / 4 * 4;
        mst_store32(b + arrays[i].offset, (uint32_t)at, true);
        mst_store(b + arrays[i].count, arrays[i].width, arrays[i].elements, true);
        if (arrays[i].offset == 0x78)
            memcpy(b + at, stream, (bit + 7) / 8);
        if (arrays[i].offset == 0x64)
            b[at + 0x40] = 6, b[at + 0x41] = 1;
        if (arrays[i].offset == 0x50)
            mst_store16(b + at + 0x14, POLYGONS, true), at += 0x14;
        for (unsigned k = 0; arrays[i].offset == 0x4C && k < POLYGONS; k++)
            mst_store16(b + at + (size_t)k * 8, (uint16_t)(k % POSITIONS), true);
        at += (size_t)arrays[i].elements * arrays[i].size;
    }
    at = (at + 31) / 32 * 32;
    mst_store32(b + 8, (uint32_t)at, true);
    mst_store32(b + 0x68, 0xB8, true);
    b[0xA1] = LISTS;
    return at;
}

typedef struct work {
    const uint8_t *block;
    size_t size;
    mst_memory image, made;
    uint8_t *copy;
    mst_scene *scene;
} work;

static mst_status ignore(void *user, const mst_diagnostic *diagnostic) {
    (void)user;
    return diagnostic->status;
}
static mst_status run_memcpy(work *w) {
    memcpy(w->copy, w->image.data, w->image.size);
    return MST_OK;
}
static mst_status run_unfold(work *w) {
    w->image.size = 0;
    return mst_sfa_block_unfold(w->block, w->size, &w->image, NULL);
}
static mst_status run_fold(work *w) {
    w->made.size = 0;
    return mst_sfa_block_fold(w->image.data, w->image.size, &w->made, NULL);
}
static mst_status run_check(work *w) {
    return mst_sfa_block_check(w->image.data, w->image.size, ignore, NULL);
}

static mst_status run_meshes(work *w) {
    static const mst_scene_options usual = {0};
    static const mst_scene settings = {0};
    static const float nowhere[3];
    mst_scene_builder build;
    mst_sfa_scene_work scene;
    mst_sfa_scene_textures textures;
    mst_sfa_scene_block made;
    mst_scene_free(w->scene);
    w->scene = NULL;
    mst_scene_begin(&build, NULL, 0);
    mst_sfa_scene_work_begin(&scene, &build, &usual);
    mst_sfa_scene_textures_begin(&scene, "", &textures);
    mst_sfa_scene_block_make(&scene, w->image.data, w->image.size, &textures, &made);
    mst_sfa_scene_block_place(&scene, -1, "block", nowhere, NULL, &made);
    mst_sfa_scene_textures_end(&textures);
    mst_sfa_scene_work_end(&scene);
    return mst_scene_finish(&build, &settings, &w->scene);
}

/* Bytes of what meshes consist of. */
static size_t size_of_meshes(const mst_scene *scene) {
    size_t size = 0;
    for (size_t i = 0; i < scene->mesh_count; i++)
        for (size_t k = 0; k < scene->meshes[i].primitive_count; k++) {
            const mst_primitive *p = &scene->meshes[i].primitives[k];
            size += p->vertex_count * (12 + (p->texcoords ? 8u : 0) + (p->colors ? 16u : 0));
            size += p->index_count * sizeof(uint32_t);
        }
    return size;
}

/* The best of as many runs as fit into a while. */
static double best(mst_status (*run)(work *), work *w) {
    double shortest = 1e9, begun = now();
    for (int i = 0; i < 5 || now() - begun < 0.5; i++) {
        double start = now();
        if (run(w) != MST_OK) {
            fprintf(stderr, "the block cannot be read\n");
            exit(1);
        }
        double time = now() - start;
        if (time < shortest)
            shortest = time;
    }
    return shortest;
}

int main(void) {
    static uint8_t block[4 * SIZE];
    static const struct {
        const char *name;
        mst_status (*run)(work *);
    } runs[] = {{"memcpy", run_memcpy}, {"unfold", run_unfold}, {"fold", run_fold}, {"check", run_check}};
    work w = {.block = block, .size = make_block(block)};
    if (run_unfold(&w) != MST_OK || run_fold(&w) != MST_OK || w.made.size != w.size ||
        memcmp(w.made.data, block, w.size) != 0) {
        fprintf(stderr, "the block does not come back\n");
        return 1;
    }
    w.copy = malloc(w.image.size);
    if (!w.copy)
        return 1;
    printf("a block of %.1f KB, its image %.1f KB\n\n", (double)w.size / 1e3, (double)w.image.size / 1e3);
    printf("| what | us | MB/s of image | times memcpy |\n|---|--:|--:|--:|\n");
    double copy = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        double time = best(runs[i].run, &w);
        copy = i ? copy : time;
        printf("| %s | %.1f | %.0f | %.1f |\n", runs[i].name, time * 1e6, (double)w.image.size / time / 1e6,
               time / copy);
    }
    double time = best(run_meshes, &w);
    size_t meshes = size_of_meshes(w.scene);
    uint8_t *to = realloc(w.copy, meshes), *from = calloc(meshes, 1);
    if (!to || !from)
        return 1;
    w.copy = to;
    uint8_t *image = w.image.data;
    size_t image_size = w.image.size;
    w.image.data = from;
    w.image.size = meshes;
    copy = best(run_memcpy, &w);
    w.image.data = image;
    w.image.size = image_size;
    printf("\nmeshes of %.1f KB\n\n| what | us | MB/s of meshes | times memcpy |\n|---|--:|--:|--:|\n",
           (double)meshes / 1e3);
    printf("| memcpy | %.1f | %.0f | %.1f |\n", copy * 1e6, (double)meshes / copy / 1e6, 1.0);
    printf("| meshes | %.1f | %.0f | %.1f |\n", time * 1e6, (double)meshes / time / 1e6, time / copy);
    free(from);
    mst_scene_free(w.scene);
    mst_memory_free(&w.image);
    mst_memory_free(&w.made);
    free(w.copy);
    return 0;
}
