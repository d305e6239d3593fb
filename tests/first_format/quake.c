/* SPDX-License-Identifier: MIT */
/*
 * Levels of Quake ("BSP29": i32 29, then offset and size of fifteen lumps) by tables alone, as written by a
 * reader of "Your first format" in CONTRIBUTING.md. Facts: id Software's published sources (bspfile.h).
 */
#include "../../src/files/directory_files.h"
#include "../../src/read/engine.h"
#include <string.h>

#define RECORDS(X)                                                                                           \
    X(bsp) X(lump) X(plane) X(vertex) X(node) X(surface) X(face) X(clipnode) X(leaf) X(edge) X(model)
enum { RECORDS(RECORD_INDEX) };
enum { PLACED = 1, TYPE };
enum {
    DAMAGED,
    ENTITIES,
    PLANES,
    TEXTURES,
    VERTICES,
    VISIBILITY,
    NODES,
    SURFACES,
    FACES,
    LIGHTING,
    CLIPNODES,
    LEAVES,
    LEAF_FACES,
    EDGES,
    FACE_EDGES,
    MODELS
};
static const mst_enum_name types[] = {
    {DAMAGED, "damaged"},       {ENTITIES, "entities"},   {PLANES, "planes"},
    {TEXTURES, "textures"},     {VERTICES, "vertices"},   {VISIBILITY, "visibility"},
    {NODES, "nodes"},           {SURFACES, "surfaces"},   {FACES, "faces"},
    {LIGHTING, "lighting"},     {CLIPNODES, "clipnodes"}, {LEAVES, "leaves"},
    {LEAF_FACES, "leaf_faces"}, {EDGES, "edges"},         {FACE_EDGES, "face_edges"},
    {MODELS, "models"}};

static const mst_field plane_fields[] = {
    {.name = "normal", F32, FIXED(3)}, {.name = "distance", F32}, {.name = "axis", I32}};
RECORD(plane, "plane", "a plane");
static const mst_field vertex_fields[] = {{.name = "position", F32, FIXED(3)}};
RECORD(vertex, "vertex", "a corner");
static const mst_field node_fields[] = {{.name = "plane", I32},         {.name = "children", I16, FIXED(2)},
                                        {.name = "low", I16, FIXED(3)}, {.name = "high", I16, FIXED(3)},
                                        {.name = "first_face", U16},    {.name = "face_count", U16}};
RECORD(node, "node", "a plane that divides space");
static const mst_field surface_fields[] = {{.name = "u", F32, FIXED(4)},
                                           {.name = "v", F32, FIXED(4)},
                                           {.name = "texture", I32},
                                           {.name = "flags", I32}};
RECORD(surface, "surface", "how a texture lies on a face");
static const mst_field face_fields[] = {{.name = "plane", U16},      {.name = "side", U16},
                                        {.name = "first_edge", I32}, {.name = "edge_count", U16},
                                        {.name = "surface", U16},    {.name = "styles", U8, FIXED(4)},
                                        {.name = "light", I32}};
RECORD(face, "face", "a polygon");
static const mst_field clipnode_fields[] = {{.name = "plane", I32}, {.name = "children", I16, FIXED(2)}};
RECORD(clipnode, "clipnode", "a plane that divides space for things of one size");
static const mst_field leaf_fields[] = {{.name = "content", I32},         {.name = "visibility", I32},
                                        {.name = "low", I16, FIXED(3)},   {.name = "high", I16, FIXED(3)},
                                        {.name = "first_leaf_face", U16}, {.name = "leaf_face_count", U16},
                                        {.name = "sounds", U8, FIXED(4)}};
RECORD(leaf, "leaf", "a convex part of space");
static const mst_field edge_fields[] = {{.name = "vertices", U16, FIXED(2)}};
RECORD(edge, "edge", "an edge");
static const mst_field model_fields[] = {{.name = "low", F32, FIXED(3)},    {.name = "high", F32, FIXED(3)},
                                         {.name = "origin", F32, FIXED(3)}, {.name = "nodes", I32, FIXED(4)},
                                         {.name = "leaf_count", I32},       {.name = "first_face", I32},
                                         {.name = "face_count", I32}};
RECORD(model, "model", "the level, or a part of it that moves");

#define LUMP(type, label, ...) MST_ENTRY_DATA_OF(TYPE, type, label, __VA_ARGS__)
#define RAW                    .kind = MST_KIND_RAW
static const mst_field lump_fields[] = {
    {.name = "offset", I32, .directory = MST_DATA_OFFSET},
    {.name = "size", I32, .directory = MST_DATA_SIZE},
    MST_ENTRY_LAYOUT(PLACED),
    MST_ENTRY_TYPES(TYPE, types),
    LUMP(DAMAGED, "data", RAW),
    LUMP(ENTITIES, "entities", .kind = MST_KIND_CHAR8),
    MST_ENTRY_ELEMENTS(TYPE, PLANES, "planes", plane),
    LUMP(TEXTURES, "textures", RAW),
    MST_ENTRY_ELEMENTS(TYPE, VERTICES, "vertices", vertex),
    LUMP(VISIBILITY, "visibility", RAW),
    MST_ENTRY_ELEMENTS(TYPE, NODES, "nodes", node),
    MST_ENTRY_ELEMENTS(TYPE, SURFACES, "surfaces", surface),
    MST_ENTRY_ELEMENTS(TYPE, FACES, "faces", face),
    LUMP(LIGHTING, "lighting", RAW, .flags = MST_FIELD_CONTENT),
    MST_ENTRY_ELEMENTS(TYPE, CLIPNODES, "clipnodes", clipnode),
    MST_ENTRY_ELEMENTS(TYPE, LEAVES, "leaves", leaf),
    LUMP(LEAF_FACES, "leaf_faces", U16),
    MST_ENTRY_ELEMENTS(TYPE, EDGES, "edges", edge),
    LUMP(FACE_EDGES, "face_edges", I32),
    MST_ENTRY_ELEMENTS(TYPE, MODELS, "models", model),
};
RECORD(lump, "lump", "a part of the level");
static const mst_field bsp_fields[] = {
    {.name = "version", I32},
    MST_DIRECTORY_LAYOUT(PLACED, 4),
    MST_DIRECTORY_SLOTS(lump, 15),
};
RECORD(bsp, "bsp", "a level");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return size >= 124 && memcmp(bytes, "\x1d\0\0\0", 4) == 0;
}
static const mst_code_information code_list[] = {
    {.code = "BSP-DAMAGED", .severity = MST_ERROR, .documentation = "The file ends too early."}};
static const mst_codes codes = MST_CODES(code_list);
extern const mst_format mst_format_quake_bsp; /* for formats.c, as take.py writes it */
const mst_format mst_format_quake_bsp = {
    .information = {.id = "quake-bsp",
                    .title = "Quake levels",
                    .extensions = ".bsp",
                    .media_type = "application/x-quake-bsp",
                    .versions = "",
                    .rows = "entries"},
    .tables = {.root = &bsp, .records = records, .record_count = MST_COUNT_OF(records)},
    .identity.probe = probe,
    .files = MST_DIRECTORY_FILES,
    .check = {.problem_codes = MST_DIRECTORY_PROBLEMS("BSP-DAMAGED"), .codes = &codes},
};
