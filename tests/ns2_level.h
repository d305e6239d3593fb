/* SPDX-License-Identifier: MIT */
/*
 * Levels of Natural Selection 2 and clipboards, written byte by byte from the description of the format, with
 * the path of every part. Independent of the library's tables.
 */
#ifndef MST_TESTS_NS2_LEVEL_H
#define MST_TESTS_NS2_LEVEL_H

#include "documents.h"

#define NO_GROUP 0xFFFFFFFFu

/* The codes that tests/test_ns2_checks.c covers. */
static const char *const ns2_text_codes[] = {"NS2-GROUP-NAME",      "NS2-SCHEMA",     "NS2-LOOP-EMPTY",
                                             "NS2-CLASS-EMPTY",     "NS2-MODEL",      "NS2-LOCATION",
                                             "NS2-GAMERULES-TWICE", "NS2-EXTRA-SIZE", "NS2-TELEPORT",
                                             "NS2-TRAIN",           "NS2-WAYPOINT"};

/* Codes about referenced files that are missing, which tests/test_assets.c covers. */
static const char *const asset_codes[] = {
    "SPARK-MODEL-MISSING", "SPARK-MATERIAL-MISSING", "SPARK-TEXTURE-MISSING", "SPARK-UNREADABLE",
    "SPARK-PATH",          "SPARK-MISSING"};

/* Options of a level. All zero: a small playable level without findings. */
typedef struct level_plan {
    unsigned version; /* 0: 10 */
    bool everything;  /* everything odd, but legal */
    /* single faults */
    bool empty_face, loose_edge, loose_vertex, third_face, unused_material, two_integers, chunk_in_level,
        chunk_in_mesh, chunk_in_settings, two_in_settings, tail_in_settings, second_layers,
        triangles_without_face, second_mesh, mesh_second, materials_last, few_face_layers, no_triangles,
        twin_ids, twin_mappings, twin_edge, point_edge, cubemap;
    /* parts that a level of an older version lacks */
    bool unsmoothed, no_ghosts, ungrouped, numbered, no_editor;
    bool unlayered; /* no face is on a layer */
} level_plan;

typedef struct level {
    writer *w;
    level_plan plan;
    unsigned version;
    bool from5, from7, from8, from10;
} level;

/* ---- properties -------------------------------------------------------------------------------- */

typedef struct properties {
    level *l;
    char path[64]; /* of the list */
    unsigned count;
} properties;

void begin_property(properties *p, const char *name, uint32_t type, uint32_t components);
void end_property(properties *p);
void put_reals(properties *p, const char *name, uint32_t type, uint32_t components, const float *v);
void put_real(properties *p, const char *name, uint32_t type, float v);
void put_integer(properties *p, const char *name, uint32_t type, uint32_t v);
void put_string(properties *p, const char *name, uint32_t type, const char *text);
/* The position of every entity. */
void put_place(properties *p, float x);

/* One property of every type. */
void put_all_types(properties *p);

/* Properties that real levels rarely or never have: `from` is the index of the first. */
void put_odd_properties(properties *p);

/* ---- entities ---------------------------------------------------------------------------------- */

/* The content of an object chunk. */
void put_object(level *l, const char *path, unsigned index);
#define LEVEL_OBJECTS 11

/* ---- the mesh ---------------------------------------------------------------------------------- */

/* A square with a hole, a triangle at one of its sides, and another triangle that shares a corner with it. */
static const float level_positions[][3] = {{0, 0, 0},  {8, 0, 0},  {8, 8, 0},  {0, 8, 0},
                                           {2, 2, 0},  {6, 2, 0},  {6, 6, 0},  {2, 6, 0},
                                           {4, -4, 1}, {8, -8, 1}, {0, -8, 1}, {-5, -5, -5}};
static const float level_ghost[3] = {0, 4, 0}; /* on an edge */
static const uint32_t level_edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5},  {5, 6},  {6, 7},
                                          {7, 4}, {1, 8}, {8, 0}, {8, 9}, {9, 10}, {10, 8}, {4, 0}};

void put_loop(writer *w, unsigned face, unsigned loop, unsigned count, const uint32_t (*edges)[2]);

void put_face(level *l, unsigned face, uint32_t material, uint32_t holes);

void put_triangles(level *l, unsigned face, unsigned count, const uint32_t (*triangles)[3]);

void put_mesh_triangles(level *l, bool ghosts);

void put_group_list(writer *w, const char *name, uint32_t count);

void put_materials(level *l);

void put_mesh(level *l);

/* ---- the rest ---------------------------------------------------------------------------------- */

void put_layer(level *l, const char *table, unsigned index, const char *name, uint32_t id);

void put_layers(level *l, const char *second);

void put_settings(level *l);

void put_one_object(level *l, unsigned index);

#define LEVEL_VIEWPORTS "<viewports a=\"1\">\n\t\\<\x01>\n</viewports>\n"

void write_level(writer *w, const level_plan *plan);

/* ---- clipboards -------------------------------------------------------------------------------- */

void begin_block(writer *w, unsigned block, uint32_t unknown, uint16_t kind);

void write_clip_objects(writer *w, unsigned block);

/* The mesh chunks without triangles; the paths of their marks are a level's, so the marks are dropped. */
void write_clip_mesh_of(writer *w, unsigned block, const level_plan *plan);

void write_clip_mesh(writer *w, unsigned block);

/* All of a level of version 10, as its editor copies it. */
void write_clip_of_level(writer *w, level_plan plan);

#endif
