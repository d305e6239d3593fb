/* SPDX-License-Identifier: MIT */
/*
 * The small tables of Star Fox Adventures: one list each, in a file that only its name identifies. Bytes
 * after the list are kept.
 */
#include "small.h"
#include "../../../core/diagnose.h"
#include "../../../core/number.h"
#include "../../../schema/engine.h"
#include "../../../schema/words.h"
#include "../names.h"
#include "../packing/pair.h"
#include "../sfa.h"
#include "maps.h"
#include <mapstone/search.h>
#include <math.h>

#define TABLE(r) .kind = MST_KIND_RECORD, .mode = MST_COUNT_SENTINEL, .record = (r)
#define TAIL                                                                                                 \
    { .name = "tail", RAW_TO_END, .flags = MST_FIELD_OMIT_EMPTY, .doc = "Bytes after the list, kept." }

/* a format's file is its first record, its row the second */
enum {
    I_globalma_file = 0,
    I_mapinfo_file = 0,
    I_objindex_file = 0,
    I_textable_file = 0,
    I_trkblk_file = 0,
    I_warptab_file = 0,
    I_globalma_row = 1,
    I_mapinfo_row = 1,
    I_warptab_row = 1
};

#define LAYER_MIN (-2) /* deep underground */
#define LAYER_MAX 2    /* space */

/* Any file of that name can be opened: the list takes the rows that fit, and the rest is kept. */
#define FORMAT(variable, label, text, list, files)                                                           \
    .information = {.id = label,                                                                             \
                    .title = "Star Fox Adventures " text,                                                    \
                    .extensions = files,                                                                     \
                    .media_type = "",                                                                        \
                    .versions = "",                                                                          \
                    .rows = list},                                                                           \
    .tables.root = &variable##_file, .tables.records = variable##_records,                                   \
    .tables.record_count = MST_COUNT_OF(variable##_records), .identity.big = true,                           \
    .identity.probe = is_##variable

/* The files have no magic and are recognized by their names. */
#define PROBE(variable, file)                                                                                \
    static bool is_##variable(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,       \
                              mst_variant *variant) {                                                        \
        (void)bytes;                                                                                         \
        (void)size;                                                                                          \
        (void)variant;                                                                                       \
        return name && file_size > 0 && mst_sfa_same_name(mst_sfa_file_name(name), file);                    \
    }

#define CODE_CUT                                                                                             \
    { "SFA-TABLE-CUT", MST_WARNING, "the file ends within a row" }

/* Rows of one size fill the file; a remainder is a row that was cut off. */
static mst_status check_rows(mst_checker *checker, uint64_t row) {
    mst_diagnostic finding;
    uint64_t left = checker->document->size % row;
    if (!left)
        return MST_OK;
    memset(&finding, 0, sizeof finding);
    MST_SET(finding.path, "tail");
    finding.offset = checker->document->size - left;
    finding.length = left;
    MST_SET(finding.expected, "rows of %llu bytes", (unsigned long long)row);
    MST_SET(finding.found, "%llu bytes left over", (unsigned long long)left);
    return mst_checker_report(checker, "SFA-TABLE-CUT", &finding);
}

static mst_status report_no_end(mst_checker *checker, const char *list, const char *mark) {
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    MST_SET(finding.path, "%s", list);
    finding.offset = checker->document->size;
    MST_SET(finding.expected, "%s", mark);
    return mst_checker_report(checker, "SFA-TAB", &finding);
}

static const mst_code_information row_codes[] = {CODE_CUT};

/* ---- MAPINFO.bin -------------------------------------------------------------------------------- */

static const mst_enum_name map_kinds[] = {
    {MST_SFA_MAP, "map"},
    {MST_SFA_SUB_MAP, "sub_map"},
    {MST_SFA_SPECIAL, "special"},
    {MST_SFA_SPECIAL_SUB_MAP, "special_sub_map"},
    {MST_SFA_SPECIAL_MAP, "special_map"},
};
static const mst_field mapinfo_row_fields[] = {
    {.name = "name", .kind = MST_KIND_CHAR8, FIXED(28)},
    {.name = "type", U8, NAMES(map_kinds), .doc = "Kind of map; a sub-map is carried by an object."},
    {.name = "unknown_1D", U8},
    {.name = "object_type", I16, .doc = "Type of the object that carries the map; 0: none, or unknown."},
};
RECORD(mapinfo_row, "map", "the name and kind of a map");
static const mst_field mapinfo_file_fields[] = {
    {.name = "maps", TABLE(&mapinfo_row), .doc = "By map number."}, TAIL};
RECORD(mapinfo_file, "maps", "names and kinds of all maps");
static const mst_record *const mapinfo_records[] = {&mapinfo_file, &mapinfo_row};

#define MAPINFO 32

static mst_status check_mapinfo(mst_checker *checker) {
    return check_rows(checker, MAPINFO);
}

PROBE(mapinfo, "MAPINFO.bin")
const mst_format mst_format_sfa_mapinfo = {
    FORMAT(mapinfo, "sfa-mapinfo", "names of maps", "maps", ".bin"),
    .check.codes = &(const mst_codes)MST_CODES(row_codes), .check.check = check_mapinfo,
    .tables.introduction =
        "`MAPINFO.bin` of Star Fox Adventures (GameCube, 2002). The game reads `type` only.\n"};

/* ---- globalma.bin ------------------------------------------------------------------------------- */

#define PLACEMENT       12
#define PLACEMENT_LAYER 4
#define PLACEMENT_MAP   6
#define PLACEMENT_LINK  8

static bool ends_placements(const uint8_t *bytes, bool big) {
    return (int16_t)mst_load16(bytes + PLACEMENT_MAP, big) < 0;
}
static const mst_field globalma_row_fields[] = {
    {.name = "grid_x", I16, .doc = "Column of the map's origin cell on the grid of the world, in cells."},
    {.name = "grid_z", I16, .doc = "Row of that cell."},
    {.name = "layer", I16, .doc = "-2 deep underground, -1 underground, 0 surface, 1 above, 2 space."},
    {.name = "map", I16},
    {.name = "links", I16, FIXED(2), .doc = "Maps whose objects are loaded with it; -1: none."},
};
RECORD(globalma_row, "placement", "the place of a map on the grid of the world");
static const mst_field globalma_file_fields[] = {
    {.name = "placements", TABLE(&globalma_row), .ends = ends_placements},
    {.name = "tail",
     RAW_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The end mark, a placement with a negative map, and the bytes after it."},
};
RECORD(globalma_file, "world", "the places of the maps");
static const mst_record *const globalma_records[] = {&globalma_file, &globalma_row};
static const mst_code_information globalma_codes[] = {
    {"SFA-GLOBAL-LINK", MST_WARNING, "a map is placed twice, or links to a map that is not placed"},
    {"SFA-GLOBAL-PLACE", MST_WARNING,
     "the layer does not exist, or the map of the end mark is negative but not -1"},
    {"SFA-TAB", MST_ERROR, "the list has no end mark"},
};

/* Map numbers have 15 bits. */
#define MAP_NUMBERS 0x8000u

static mst_status report_placement(mst_checker *checker, uint64_t row, const char *field, uint64_t component,
                                   uint64_t offset, int number, const char *message) {
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    size_t length = mst_path_step(finding.path, sizeof finding.path, 0, "placements", row);
    mst_path_step(finding.path, sizeof finding.path, length, field, component);
    finding.offset = offset;
    finding.length = 2;
    MST_SET(finding.message, "%s", message);
    MST_SET(finding.found, "%d", number);
    return mst_checker_report(checker, "SFA-GLOBAL-LINK", &finding);
}

static mst_status check_layer(mst_checker *checker, uint64_t row) {
    uint64_t offset = row * PLACEMENT + PLACEMENT_LAYER;
    int layer = (int16_t)mst_load16(checker->document->data + offset, checker->document->variant.big);
    if (layer >= LAYER_MIN && layer <= LAYER_MAX)
        return MST_OK;
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    size_t length = mst_path_step(finding.path, sizeof finding.path, 0, "placements", row);
    mst_path_step(finding.path, sizeof finding.path, length, "layer", UINT64_MAX);
    finding.offset = offset;
    finding.length = 2;
    MST_SET(finding.message, "the layer does not exist");
    MST_SET(finding.expected, "%d to %d", LAYER_MIN, LAYER_MAX);
    MST_SET(finding.found, "%d", layer);
    return mst_checker_report(checker, "SFA-GLOBAL-PLACE", &finding);
}

/* The game treats any negative map as the end; all retail files have -1. */
static mst_status check_end(mst_checker *checker, uint64_t row) {
    uint64_t offset = row * PLACEMENT + PLACEMENT_MAP;
    int map = (int16_t)mst_load16(checker->document->data + offset, checker->document->variant.big);
    if (map == -1)
        return MST_OK;
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    MST_SET(finding.path, "tail");
    finding.offset = offset;
    finding.length = 2;
    MST_SET(finding.message, "the list ends here with a negative map other than -1");
    MST_SET(finding.expected, "-1");
    MST_SET(finding.found, "%d", map);
    return mst_checker_report(checker, "SFA-GLOBAL-PLACE", &finding);
}

static mst_status check_globalma(mst_checker *checker) {
    const mst_document *document = checker->document;
    bool big = document->variant.big;
    uint8_t *placed = mst_arena_zero(&checker->scratch, MAP_NUMBERS, 1);
    if (!placed)
        return MST_NO_MEMORY;
    uint64_t count = 0;
    mst_status status = MST_OK;
    for (; status == MST_OK && mst_fits(count * PLACEMENT, PLACEMENT, document->size) &&
           !ends_placements(document->data + count * PLACEMENT, big);
         count++) {
        int map = mst_load16(document->data + count * PLACEMENT + PLACEMENT_MAP, big);
        if (placed[map] == 1)
            status = report_placement(checker, count, "map", UINT64_MAX, count * PLACEMENT + PLACEMENT_MAP,
                                      map, "the map is placed twice");
        placed[map] = placed[map] ? 2 : 1;
        if (status == MST_OK)
            status = check_layer(checker, count);
    }
    if (status == MST_OK)
        status = mst_fits(count * PLACEMENT, PLACEMENT, document->size)
                     ? check_end(checker, count)
                     : report_no_end(checker, "placements", "a placement with a negative map");
    for (uint64_t i = 0; i < count; i++)
        for (unsigned k = 0; k < 2 && status == MST_OK; k++) {
            uint64_t offset = i * PLACEMENT + PLACEMENT_LINK + 2 * k;
            int link = (int16_t)mst_load16(document->data + offset, big);
            if (link != -1 && (link < 0 || !placed[link]))
                status =
                    report_placement(checker, i, "links", k, offset, link, "the linked map is not placed");
        }
    return status;
}

PROBE(globalma, "globalma.bin")
const mst_format mst_format_sfa_globalma = {
    FORMAT(globalma, "sfa-globalma", "places of maps", "placements", ".bin"),
    .check.codes = &(const mst_codes)MST_CODES(globalma_codes), .check.check = check_globalma,
    .tables.introduction =
        "`globalma.bin` of Star Fox Adventures (GameCube, 2002). A cell (column, row) of a map is at\n"
        "(grid_x - origin_x + column, grid_z - origin_z + row) on the grid of its layer. Where maps "
        "overlap,\n"
        "the first one whose cell is not empty owns the place.\n"};

/* ---- TRKBLK.tab --------------------------------------------------------------------------------- */

#define END_MARK 0xFFFF

static bool is_end_mark(const uint8_t *bytes, bool big) {
    return mst_load16(bytes, big) == END_MARK;
}
static bool has_end_mark(const mst_document *document, uint64_t offset, uint64_t end,
                         const uint32_t *context) {
    (void)document, (void)context;
    return mst_fits(offset, 2, end); /* the list ends only there or at the end of the file */
}
static const mst_field trkblk_file_fields[] = {
    {.name = "first_blocks",
     U16,
     .mode = MST_COUNT_SENTINEL,
     .ends = is_end_mark,
     .doc = "First block of each directory, by the directory numbers of cells; the last value is the total "
            "number of blocks."},
    {.name = "end_mark", U16, .present = has_end_mark, .doc = "0xFFFF."},
    TAIL,
};
RECORD(trkblk_file, "first_blocks", "the number of each directory's first block");
static const mst_record *const trkblk_records[] = {&trkblk_file};
static const mst_code_information trkblk_codes[] = {
    {"SFA-TAB", MST_ERROR, "the table has no end mark"},
    {"SFA-TRKBLK-COUNT", MST_WARNING,
     "a table has a different number of blocks: later blocks get the lines and routes of others"},
};

static mst_status check_trkblk(mst_checker *checker) {
    mst_value root = mst_root(checker->document), mark;
    if (mst_member(&root, "end_mark", &mark) == MST_OK)
        return mst_sfa_check_block_counts(checker, (uint32_t)(mark.offset / 2));
    return report_no_end(checker, "first_blocks", "0xFFFF");
}

PROBE(trkblk, "TRKBLK.tab")
const mst_format mst_format_sfa_trkblk = {
    FORMAT(trkblk, "sfa-trkblk", "first blocks", "first_blocks", ".tab"),
    .check.codes = &(const mst_codes)MST_CODES(trkblk_codes), .check.check = check_trkblk,
    .tables.introduction = "`TRKBLK.tab` of Star Fox Adventures (GameCube, 2002). The number of a block is\n"
                           "first_blocks[mod] + sub, with `mod` and `sub` of the cell that shows it.\n"};

/* ---- WARPTAB.bin -------------------------------------------------------------------------------- */

#define WARP       16
#define WARP_LAYER 12
#define CELL_SIDE  640
#define GRID_MAX   100000

static const mst_field warptab_row_fields[] = {
    {.name = "position", F32, FIXED(3), .doc = "x, y, z in the world, in units; y is up."},
    {.name = "layer", I16},
    {.name = "angle", I16, .unit = "1/256 turn"},
};
RECORD(warptab_row, "warp", "the destination of a warp; all zero: unused");
static const mst_field warptab_file_fields[] = {{.name = "warps", TABLE(&warptab_row)}, TAIL};
RECORD(warptab_file, "warps", "the destinations of warps, by number");
static const mst_record *const warptab_records[] = {&warptab_file, &warptab_row};
static const mst_code_information warptab_codes[] = {
    {"SFA-WARP-LAYER", MST_WARNING, "the layer does not exist, or there is no map at the warp's destination"},
    CODE_CUT,
};

static mst_status report_warp(mst_checker *checker, uint64_t warp, const char *field, uint64_t offset,
                              uint64_t length, mst_diagnostic *finding) {
    size_t n = mst_path_step(finding->path, sizeof finding->path, 0, "warps", warp);
    mst_path_step(finding->path, sizeof finding->path, n, field, UINT64_MAX);
    finding->offset = offset;
    finding->length = length;
    return mst_checker_report(checker, "SFA-WARP-LAYER", finding);
}

/* The grid of the world; `places` NULL if the files that define it are missing. */
static mst_status find_world(mst_checker *checker, mst_sfa_place **places, size_t *count) {
    const mst_resolver *resolver = mst_sfa_resolver_of(checker);
    const void *bytes, *world;
    size_t size, world_size;
    *places = NULL;
    *count = 0;
    if (!resolver || resolver->find(resolver->user, "MAPS.tab", &bytes, &size) != MST_OK)
        return MST_OK;
    mst_open_options options = {.name = "MAPS.tab",
                                .format = mst_format_sfa_maps.information.id,
                                .allocator = checker->document->allocator,
                                .sidecars = resolver};
    mst_document *maps;
    mst_status status = mst_open_memory(bytes, size, &options, &maps, NULL);
    if (status != MST_OK)
        return status == MST_NO_MEMORY ? status : MST_OK;
    if (maps->format == &mst_format_sfa_maps &&
        resolver->find(resolver->user, "globalma.bin", &world, &world_size) == MST_OK)
        status =
            mst_sfa_place_cells(maps->data, maps->size, world, world_size, &checker->scratch, places, count);
    mst_close(maps);
    return status;
}

/* The grid cell of a coordinate; false if it is out of range. */
static bool grid_of(const uint8_t *bytes, bool big, int *cell) {
    double at = floor((double)mst_f32_of_bits(mst_load32(bytes, big)) / CELL_SIDE);
    if (!(at >= -GRID_MAX && at <= GRID_MAX))
        return false;
    *cell = (int)at;
    return true;
}

static mst_status check_warptab(mst_checker *checker) {
    const mst_document *document = checker->document;
    bool big = document->variant.big;
    mst_sfa_place *places;
    size_t count;
    mst_status status = find_world(checker, &places, &count);
    for (uint64_t i = 0; status == MST_OK && mst_fits(i * WARP, WARP, document->size); i++) {
        static const uint8_t unused[WARP] = {0};
        const uint8_t *warp = document->data + i * WARP;
        int layer = (int16_t)mst_load16(warp + WARP_LAYER, big), x, z;
        mst_diagnostic finding;
        memset(&finding, 0, sizeof finding);
        if (layer < LAYER_MIN || layer > LAYER_MAX) {
            MST_SET(finding.expected, "%d to %d", LAYER_MIN, LAYER_MAX);
            MST_SET(finding.found, "%d", layer);
            status = report_warp(checker, i, "layer", i * WARP + WARP_LAYER, 2, &finding);
        } else if (places && memcmp(warp, unused, WARP) != 0 &&
                   !(grid_of(warp, big, &x) && grid_of(warp + 8, big, &z) &&
                     mst_sfa_place_at(places, count, layer, x, z))) {
            MST_SET(finding.message, "there is no map at the warp's destination");
            status = report_warp(checker, i, "position", i * WARP, 12, &finding);
        }
    }
    return status == MST_OK ? check_rows(checker, WARP) : status;
}

PROBE(warptab, "WARPTAB.bin")
const mst_format mst_format_sfa_warptab = {
    FORMAT(warptab, "sfa-warptab", "warps", "warps", ".bin"),
    .check.codes = &(const mst_codes)MST_CODES(warptab_codes), .check.check = check_warptab,
    .tables.introduction = "`WARPTAB.bin` of Star Fox Adventures (GameCube, 2002).\n"};

/* ---- OBJINDEX.bin, TEXTABLE.bin ----------------------------------------------------------------- */

static const mst_field objindex_file_fields[] = {
    {.name = "definitions",
     I16,
     .mode = MST_COUNT_SENTINEL,
     .doc = "Index into OBJECTS.tab for each object type; -1: unused."},
    TAIL};
RECORD(objindex_file, "definitions", "the definition of each object type");
static const mst_record *const objindex_records[] = {&objindex_file};

static mst_status check_words(mst_checker *checker) {
    return check_rows(checker, 2);
}

PROBE(objindex, "OBJINDEX.bin")
const mst_format mst_format_sfa_objindex = {
    FORMAT(objindex, "sfa-objindex", "index of objects", "definitions", ".bin"),
    .check.codes = &(const mst_codes)MST_CODES(row_codes), .check.check = check_words,
    .tables.introduction = "`OBJINDEX.bin` of Star Fox Adventures (GameCube, 2002).\n"};

static const mst_field textable_file_fields[] = {
    {.name = "textures",
     U16,
     .mode = MST_COUNT_SENTINEL,
     .doc = "A texture number for each texture id: with bit 15, the other bits index TEX1; else the number "
            "indexes TEXPRE for ids from 3000 on, TEX0 below."},
    TAIL};
RECORD(textable_file, "textures", "the textures of objects, by id");
static const mst_record *const textable_records[] = {&textable_file};

PROBE(textable, "TEXTABLE.bin")
const mst_format mst_format_sfa_textable = {
    FORMAT(textable, "sfa-textable", "texture ids", "textures", ".bin"),
    .check.codes = &(const mst_codes)MST_CODES(row_codes), .check.check = check_words,
    .tables.introduction =
        "`TEXTABLE.bin` of Star Fox Adventures (GameCube, 2002). Blocks do not use it. Ids from 3000 on\n"
        "with a nonzero entry mean the number after it; a negative id is itself a texture number, "
        "negated.\n"};
