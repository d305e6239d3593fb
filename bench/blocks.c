/* SPDX-License-Identifier: MIT */
/*
 * Measures how fast blocks of Star Fox Adventures are parsed, serialized, checked and made into meshes, with
 * memcpy of the parsed bytes (and of the meshes) in the same run for comparison. The block is generated, and
 * about as large as blocks can be. Prints a table in Markdown: bench_blocks
 */
#include "../src/formats/sfa/block/blocks.h"
#include "../src/formats/sfa/scene/sfa_scene.h"
#include "../src/read/engine.h"
#include "make_block.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SIZE 0x40000

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

typedef struct work {
    const uint8_t *block;
    size_t size;
    mst_buffer parsed, made;
    uint8_t *copy;
    mst_scene *scene;
} work;

static mst_status ignore(void *user, const mst_diagnostic *diagnostic) {
    (void)user;
    return diagnostic->status;
}
static mst_status run_memcpy(work *w) {
    memcpy(w->copy, w->parsed.data, w->parsed.size);
    return MST_OK;
}
static mst_status run_parse(work *w) {
    w->parsed.size = 0;
    mst_parsed_writer to = {.to = &w->parsed, .limit = UINT64_MAX};
    return mst_sfa_block_parse(w->block, w->size, &to, NULL);
}
static mst_status run_serialize(work *w) {
    w->made.size = 0;
    return mst_sfa_block_serialize(w->parsed.data, w->parsed.size, &w->made, NULL);
}
static mst_status run_check(work *w) {
    static const mst_code_information codes[] = {MST_SFA_BLOCK_CODES};
    static const mst_codes list = MST_CODES(codes);
    static const mst_format format = {.check.codes = &list};
    mst_document document = {.format = &format, .data = w->parsed.data, .size = w->parsed.size};
    mst_checker checker = {.document = &document, .report = ignore};
    return mst_sfa_block_check(&checker, 0, w->parsed.size, "block");
}

static mst_status run_meshes(work *w) {
    static const mst_scene_options standard = {.size = sizeof standard};
    static const mst_scene settings = {0};
    static const float nowhere[3];
    mst_scene_builder build;
    mst_sfa_scene_work scene;
    mst_sfa_scene_textures textures;
    mst_sfa_scene_block made;
    mst_scene_free(w->scene);
    w->scene = NULL;
    mst_scene_begin(&build, NULL, 0);
    mst_sfa_scene_work_begin(&scene, &build, &standard, w->parsed.size);
    mst_sfa_scene_textures_begin(&scene, "", &textures);
    mst_sfa_scene_block_make(&scene, w->parsed.data, w->parsed.size, &(mst_scene_source){0}, &textures,
                             &made);
    mst_sfa_scene_block_place(&scene, -1, "block", nowhere, &made);
    mst_sfa_scene_textures_end(&textures);
    mst_sfa_scene_work_end(&scene);
    return mst_scene_finish(&build, &settings, &w->scene, NULL);
}

/* Bytes of all arrays of the meshes. */
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

/* The shortest time of as many runs as fit into the time limit. */
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
    static const block_form large = {8, 4000, 5000, 2000, 1};
    static const struct {
        const char *name;
        mst_status (*run)(work *);
    } runs[] = {
        {"memcpy", run_memcpy}, {"parse", run_parse}, {"serialize", run_serialize}, {"check", run_check}};
    work w = {.block = block, .size = make_block(block, &large)};
    if (run_parse(&w) != MST_OK || run_serialize(&w) != MST_OK || w.made.size != w.size ||
        memcmp(w.made.data, block, w.size) != 0) {
        fprintf(stderr, "the block is not serialized to the same bytes\n");
        return 1;
    }
    w.copy = malloc(w.parsed.size);
    if (!w.copy)
        return 1;
    printf("\n### A block of %.1f KB, parsed %.1f KB\n\n", (double)w.size / 1e3, (double)w.parsed.size / 1e3);
    printf("| what | us | MB/s of parsed bytes | times memcpy |\n|---|--:|--:|--:|\n");
    double copy = 0;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        double time = best(runs[i].run, &w);
        copy = i ? copy : time;
        printf("| %s | %.1f | %.0f | %.1f |\n", runs[i].name, time * 1e6, (double)w.parsed.size / time / 1e6,
               time / copy);
    }
    double time = best(run_meshes, &w);
    size_t meshes = size_of_meshes(w.scene);
    uint8_t *to = realloc(w.copy, meshes), *from = calloc(meshes, 1);
    if (!to || !from)
        return 1;
    w.copy = to;
    uint8_t *parsed = w.parsed.data;
    size_t parsed_size = w.parsed.size;
    w.parsed.data = from;
    w.parsed.size = meshes;
    copy = best(run_memcpy, &w);
    w.parsed.data = parsed;
    w.parsed.size = parsed_size;
    printf("\nmeshes of %.1f KB\n\n| what | us | MB/s of meshes | times memcpy |\n|---|--:|--:|--:|\n",
           (double)meshes / 1e3);
    printf("| memcpy | %.1f | %.0f | %.1f |\n", copy * 1e6, (double)meshes / copy / 1e6, 1.0);
    printf("| meshes | %.1f | %.0f | %.1f |\n", time * 1e6, (double)meshes / time / 1e6, time / copy);
    free(from);
    mst_scene_free(w.scene);
    mst_buffer_free(&w.parsed);
    mst_buffer_free(&w.made);
    free(w.copy);
    return 0;
}
