/* SPDX-License-Identifier: MIT */
/*
 * The small tables of Star Fox Adventures: one list each, in a file identified only by its name. Bytes after
 * the list are kept.
 */
#include "../../../check/finding.h"
#include "../../../tables/words.h"
#include "../../present.h"
#include "../packing/pair.h"
#include "../sfa_names.h"
#include "maps_world.h"
#include "renumber.h"
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
#define LAYERS    "-2 to 2"

/* Any file of that name can be opened: the list takes the rows that fit, and the rest is kept. */
#define FORMAT(variable, label, text, list, files)                                                           \
    .information = {.id = label,                                                                             \
                    .title = "Star Fox Adventures " text,                                                    \
                    .extensions = files,                                                                     \
                    .media_type = "",                                                                        \
                    .versions = "",                                                                          \
                    .rows = list},                                                                           \
    .tables.root = &variable##_file, .tables.records = variable##_records,                                   \
    .tables.compared = mst_sfa_compared, .tables.record_count = MST_COUNT_OF(variable##_records),            \
    .identity.big = true, .identity.probe = is_##variable

/* The files have no magic and are recognized by their names. */
#define PROBE(variable, file)                                                                                \
    static bool is_##variable(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,       \
                              mst_variant *variant) {                                                        \
        (void)bytes;                                                                                         \
        (void)size;                                                                                          \
        (void)variant;                                                                                       \
        return name && file_size > 0 && mst_sfa_is_file(name, file);                                         \
    }

#define CODE_CUT                                                                                             \
    { "SFA-TABLE-CUT", MST_WARNING, "the file ends within a row" }

/* Rows of one size fill the file; a remainder is a truncated row. */
static mst_status check_rows(mst_checker *checker) {
    const mst_document *document = checker->document;
    const mst_field *list = &document->format->tables.root->fields[0];
    uint32_t row = list->record ? mst_plan_of(document, list->record)->stride : mst_kind_width[list->kind];
    mst_value root = mst_root(document), tail = mst_member_in(&root, "tail");
    mst_diagnostic *finding = mst_finding_of(checker, &tail, "tail");
    if (!finding->length)
        return MST_OK;
    MST_SET(finding->expected, "rows of %u bytes", row);
    return mst_report(checker, "SFA-TABLE-CUT", NULL, "%llu bytes left over",
                      (unsigned long long)finding->length);
}

static mst_status report_no_end(mst_checker *checker, const char *list, const char *mark) {
    mst_diagnostic *finding = mst_finding_at(checker, checker->document->size, 0, "%s", list);
    MST_SET(finding->expected, "%s", mark);
    return mst_checker_report(checker, "SFA-TAB");
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
    {.name = "name",
     .kind = MST_KIND_CHAR8,
     FIXED(28),
     .doc = "The makers' name of the map, cut off at 28 characters; the game does not read it."},
    {.name = "type", U8, NAMES(map_kinds), .doc = "Kind of map; a sub-map is carried by an object."},
    {.name = "unknown_1D", U8, .doc = "Not known; 6 in all maps of the game, which does not read it."},
    {.name = "object_type", I16, .doc = "Type of the object that carries the map; 0: none, or unknown."},
};
RECORD(mapinfo_row, "map", "the name and kind of a map");
static const mst_field mapinfo_file_fields[] = {
    {.name = "maps", TABLE(&mapinfo_row), .flags = MST_FIELD_NUMBERED, .doc = "By map number."}, TAIL};
RECORD(mapinfo_file, "maps", "names and kinds of all maps");
static const mst_record *const mapinfo_records[] = {&mapinfo_file, &mapinfo_row};

PROBE(mapinfo, "MAPINFO.bin")
const mst_format mst_format_sfa_mapinfo = {
    FORMAT(mapinfo, "sfa-mapinfo", "names of maps", "maps", ".bin"),
    .check.codes = &(const mst_codes)MST_CODES(row_codes),
    .check.check = check_rows,
    .tables.relations = "| number | refers to |\n|---|---|\n"
                        "| place of a `map` | the same place in `MAPS.tab` |\n"
                        "| `map.object_type` | `type` of an object, a place in `OBJINDEX.bin` |\n",
    .tables.listed = MST_LISTED({"maps", "maps", NULL, "sfa.md 3.5"}),
    .tables.sources = MST_SFA_SOURCES("no file of the game could be measured"),
    .tables.introduction =
        "`MAPINFO.bin` of Star Fox Adventures (GameCube, 2002). The game reads `type` only.\n"};

/* ---- globalma.bin ------------------------------------------------------------------------------- */

/* The highest bit of its `map`, which is negative. */
static bool ends_placements(const uint8_t *bytes, bool big) {
    return bytes[big ? 6 : 7] >= 0x80;
}
static const mst_field globalma_row_fields[] = {
    {.name = "grid_x", I16, .doc = "Column of the map's origin cell on the grid of the world, in cells."},
    {.name = "grid_z", I16, .doc = "Row of that cell."},
    {.name = "layer", I16, .doc = "-2 deep underground, -1 underground, 0 surface, 1 above, 2 space."},
    {.name = "map", I16, .names = &mst_sfa_map_names, .doc = "The map, by the name of its object list."},
    {.name = "links",
     I16,
     FIXED(2),
     .names = &mst_sfa_map_names,
     .doc = "Maps whose objects are loaded with it; -1: none."},
};
RECORD(globalma_row, "placement", "the place of a map on the grid of the world");
static const mst_field globalma_file_fields[] = {
    {.name = "placements",
     TABLE(&globalma_row),
     .ends = ends_placements,
     .doc = "The maps that the world has. Where several could own a cell, the lowest map number with a block "
            "there does."},
    {.name = "tail",
     RAW_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The end mark, a placement with a negative map, and the bytes after it."},
};
static const mst_expression globalma_expressions[] = {{.ends = ends_placements, .text = "$.map.to_i < 0"},
                                                      {.text = NULL}};
RECORD(globalma_file, "world", "the places of the maps");
static const mst_record *const globalma_records[] = {&globalma_file, &globalma_row};
static const mst_bindings *const globalma_bindings[] = {&mst_sfa_placement_bindings};
static const mst_code_information globalma_codes[] = {
    {"SFA-GLOBAL-LINK", MST_WARNING, "a map is placed twice, or links to a map that is not placed"},
    {"SFA-GLOBAL-PLACE", MST_WARNING,
     "the layer does not exist, or the end mark has a negative map other than -1"},
    {"SFA-TAB", MST_ERROR, "the list has no end mark"},
};

/* Map numbers have 15 bits. */
#define MAP_NUMBERS 0x8000u

static mst_status report_map(mst_checker *checker, const mst_value *number, size_t row, const char *field,
                             int map, const char *message) {
    mst_diagnostic *finding = mst_finding_of(checker, number, "placements[%zu].%s", row, field);
    MST_SET(finding->message, "%s", message);
    return mst_report(checker, "SFA-GLOBAL-LINK", NULL, "%d", map);
}

static mst_status check_layer(mst_checker *checker, const mst_value *placement, size_t row, int layer) {
    if (layer >= LAYER_MIN && layer <= LAYER_MAX)
        return MST_OK;
    mst_value value = mst_member_in(placement, "layer");
    mst_diagnostic *finding = mst_finding_of(checker, &value, "placements[%zu].layer", row);
    MST_SET(finding->message, "the layer does not exist");
    return mst_report(checker, "SFA-GLOBAL-PLACE", LAYERS, "%d", layer);
}

/* The game treats any negative map as the end; all retail files have -1. */
static mst_status check_end(mst_checker *checker, const mst_value *tail) {
    mst_sfa_placement end = {.map = -1};
    mst_bound bound;
    mst_bind(checker->document, &mst_sfa_placement_bindings, &bound);
    if (tail->end - tail->offset < bound.size)
        return report_no_end(checker, "placements", "a placement with a negative map");
    mst_fill_at(&bound, tail->offset, tail->end, &end);
    if (end.map == -1)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_at(
        checker, tail->offset + mst_bound_at(&bound, offsetof(mst_sfa_placement, map)), 2, "tail");
    MST_SET(finding->message, "the list ends here with a negative map other than -1");
    return mst_report(checker, "SFA-GLOBAL-PLACE", "-1", "%d", end.map);
}

static mst_status check_links(mst_checker *checker, const mst_value *placement, size_t row,
                              const int16_t links[2], const uint8_t *placed) {
    mst_status status = MST_OK;
    for (unsigned k = 0; k < 2 && status == MST_OK; k++) {
        if (links[k] == -1 || (links[k] >= 0 && placed[links[k]]))
            continue;
        mst_value list = mst_member_in(placement, "links"), link = mst_element_in(&list, k);
        status = report_map(checker, &link, row, k ? "links[1]" : "links[0]", links[k],
                            "the linked map is not placed");
    }
    return status;
}

static mst_status check_globalma(mst_checker *checker) {
    mst_value root = mst_root(checker->document), list = mst_member_in(&root, "placements"),
              tail = mst_member_in(&root, "tail");
    uint8_t *placed = mst_arena_zero(&checker->scratch, MAP_NUMBERS, 1);
    mst_sfa_placement *rows;
    size_t count;
    mst_status status = mst_sfa_placements(checker->document, &checker->scratch, &rows, &count);
    if (!placed || status != MST_OK)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        mst_value row = mst_element_in(&list, i), number = mst_member_in(&row, "map");
        uint8_t *times = &placed[(uint16_t)rows[i].map & (MAP_NUMBERS - 1)];
        if (*times == 1)
            status = report_map(checker, &number, i, "map", rows[i].map, "the map is placed twice");
        *times = *times ? 2 : 1;
        if (status == MST_OK)
            status = check_layer(checker, &row, i, rows[i].layer);
    }
    if (status == MST_OK)
        status = check_end(checker, &tail);
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        mst_value row = mst_element_in(&list, i);
        status = check_links(checker, &row, i, rows[i].links, placed);
    }
    return status;
}

PROBE(globalma, "globalma.bin")
const mst_format mst_format_sfa_globalma = {
    FORMAT(globalma, "sfa-globalma", "places of maps", "placements", ".bin"),
    .tables.expressions = globalma_expressions,
    .tables.bindings = globalma_bindings,
    .tables.bindings_count = MST_COUNT_OF(globalma_bindings),
    .check.codes = &(const mst_codes)MST_CODES(globalma_codes),
    .check.dangling = MST_DANGLING("SFA-GLOBAL-LINK", "SFA-GLOBAL-PLACE"),
    .check.check = check_globalma,
    .tables.relations = "| number | refers to |\n"
                        "|---|---|\n"
                        "| `placement.map`, `placement.links` | place of a map in `MAPS.tab` |\n"
                        "| `placement.grid_x`, `grid_z` | the square of the world that contains the cell at "
                        "`origin_x`, `origin_z` of the map |\n",
    .tables.sources = MST_SFA_SOURCES("the file of the game"),
    .tables.introduction =
        "`globalma.bin` of Star Fox Adventures (GameCube, 2002). A cell (column, row) of a map is at\n"
        "(grid_x - origin_x + column, grid_z - origin_z + row) on the grid of its layer. Where maps "
        "overlap,\n"
        "the first one whose cell is not empty owns the place.\n"};

/* ---- TRKBLK.tab --------------------------------------------------------------------------------- */

static bool is_end_mark(const uint8_t *bytes, bool big) {
    (void)big;
    return bytes[0] == 0xFF && bytes[1] == 0xFF;
}
static bool has_end_mark(const mst_document *document, uint64_t offset, uint64_t end,
                         const uint32_t *context) {
    (void)document, (void)context;
    return end - offset >= 2; /* the list ends only there or at the end of the file */
}
static const mst_field trkblk_file_fields[] = {
    {.name = "first_blocks",
     U16,
     .mode = MST_COUNT_SENTINEL,
     .ends = is_end_mark,
     .flags = MST_FIELD_NUMBERED,
     .doc = "First block of each directory, by the directory numbers of cells; the last value is the total "
            "number of blocks."},
    {.name = "end_mark", U16, .present = has_end_mark, .doc = "0xFFFF."},
    TAIL,
};
static const mst_expression trkblk_expressions[] = {{.ends = is_end_mark, .text = "$ == 0xffff"},
                                                    {.present = has_end_mark, .text = "@ >= 2"},
                                                    {.text = NULL}};
RECORD(trkblk_file, "first_blocks", "the number of each directory's first block");
static const mst_record *const trkblk_records[] = {&trkblk_file};
static const mst_code_information trkblk_codes[] = {
    {"SFA-TAB", MST_ERROR, "the table has no end mark"},
    {"SFA-TRKBLK-COUNT", MST_WARNING,
     "a table has a different number of blocks: later blocks use the lines and routes of others"},
};

static mst_status check_trkblk(mst_checker *checker) {
    mst_value root = mst_root(checker->document), mark;
    if (mst_member(&root, "end_mark", &mark) == MST_OK)
        return mst_sfa_check_block_counts(checker);
    return report_no_end(checker, "first_blocks", "0xFFFF");
}

PROBE(trkblk, "TRKBLK.tab")
const mst_format mst_format_sfa_trkblk = {
    FORMAT(trkblk, "sfa-trkblk", "first blocks", "first_blocks", ".tab"),
    .editing = &(const mst_edit_hooks){MST_SFA_NUMBERED},
    .set = MST_SFA_NUMBERED_BY_BLOCKS,
    .tables.expressions = trkblk_expressions,
    .check.codes = &(const mst_codes)MST_CODES(trkblk_codes),
    .check.dangling = MST_DANGLING("SFA-TRKBLK-COUNT"),
    .check.check = check_trkblk,
    .tables.relations =
        "| number | refers to |\n|---|---|\n"
        "| place in `first_blocks` | `mod` of cells: the number of a directory |\n"
        "| `first_blocks[]` | a block number: the place of the directory's first block in `HITS.tab` and in "
        "the directory's `mod<N>.tab` and `VOXMAP.tab` (SFA-TRKBLK-COUNT) |\n",
    .tables.sources = MST_SFA_SOURCES("no file of the game could be measured"),
    .tables.introduction = "`TRKBLK.tab` of Star Fox Adventures (GameCube, 2002). The number of a block is\n"
                           "first_blocks[mod] + sub, with `mod` and `sub` of the cell that shows it.\n"};

/* ---- WARPTAB.bin -------------------------------------------------------------------------------- */

#define CELL_SIDE 640
#define GRID_MAX  100000

static const mst_field warptab_row_fields[] = {
    {.name = "position", F32, FIXED(3), .doc = "x, y, z in the world, in units; y is up."},
    {.name = "layer",
     I16,
     .doc = "The layer of the world at the destination, -2 to 2, as in `globalma.bin`."},
    {.name = "angle",
     I16,
     .unit = "1/256 turn",
     .doc = "The direction that one faces then, about the vertical; only the low eight bits can matter."},
};
RECORD(warptab_row, "warp", "the destination of a warp; all zero: unused");
static const mst_field warptab_file_fields[] = {
    {.name = "warps",
     TABLE(&warptab_row),
     .flags = MST_FIELD_NUMBERED,
     .doc = "By warp number, 128 in the game's file, of which about half are unused."},
    TAIL};
RECORD(warptab_file, "warps", "the destinations of warps, by number");
static const mst_record *const warptab_records[] = {&warptab_file, &warptab_row};
static const mst_bindings *const warptab_bindings[] = {&mst_sfa_warp_bindings};
static const mst_code_information warptab_codes[] = {
    {"SFA-WARP-LAYER", MST_WARNING, "the layer does not exist, or there is no map at the warp's destination"},
    CODE_CUT,
};

/* The grid of the world; `places` NULL if the files that define it are missing. */
static mst_status find_world(mst_checker *checker, mst_sfa_place **places, size_t *count) {
    mst_document *maps, *world = NULL;
    *places = NULL;
    *count = 0;
    mst_status status = mst_sfa_open_beside(checker, "MAPS.tab", &mst_format_sfa_maps, &maps);
    if (status == MST_OK)
        status = mst_sfa_open_beside(checker, "globalma.bin", &mst_format_sfa_globalma, &world);
    if (status == MST_OK)
        status = mst_sfa_place_cells(maps, world, &checker->scratch, places, count);
    mst_close(world);
    mst_close(maps);
    return status == MST_NO_MEMORY ? status : MST_OK;
}

/* The grid cell of a coordinate; false if it is out of range. */
static bool grid_of(float coordinate, int *cell) {
    double at = floor((double)coordinate / CELL_SIDE);
    if (!(at >= -GRID_MAX && at <= GRID_MAX))
        return false;
    *cell = (int)at;
    return true;
}

static mst_status check_warp(mst_checker *checker, const mst_value *value, unsigned index,
                             const mst_sfa_warp *warp, const mst_sfa_place *places, size_t count) {
    int x, z;
    if (warp->layer < LAYER_MIN || warp->layer > LAYER_MAX) {
        mst_value layer = mst_member_in(value, "layer");
        mst_finding_of(checker, &layer, "warps[%u].layer", index);
        return mst_report(checker, "SFA-WARP-LAYER", LAYERS, "%d", warp->layer);
    }
    if (!places || mst_sfa_warp_is_unused(warp) ||
        (grid_of(warp->position[0], &x) && grid_of(warp->position[2], &z) &&
         mst_sfa_place_at(places, count, warp->layer, x, z)))
        return MST_OK;
    mst_value position = mst_member_in(value, "position");
    mst_diagnostic *finding = mst_finding_of(checker, &position, "warps[%u].position", index);
    MST_SET(finding->message, "there is no map at the warp's destination: set another place or layer");
    return mst_checker_report(checker, "SFA-WARP-LAYER");
}

static mst_status check_warptab(mst_checker *checker) {
    mst_value root = mst_root(checker->document), list = mst_member_in(&root, "warps"), value;
    mst_bound bound;
    mst_sfa_place *places;
    size_t count;
    mst_status status = find_world(checker, &places, &count);
    mst_bind(checker->document, &mst_sfa_warp_bindings, &bound);
    mst_iterator it = mst_iterate(&list);
    for (unsigned i = 0; status == MST_OK && mst_next(&it, &value); i++) {
        mst_sfa_warp warp = {.layer = 0};
        mst_fill(&bound, &value, &warp);
        status = check_warp(checker, &value, i, &warp, places, count);
    }
    return status == MST_OK ? check_rows(checker) : status;
}

PROBE(warptab, "WARPTAB.bin")
const mst_format mst_format_sfa_warptab = {
    FORMAT(warptab, "sfa-warptab", "warps", "warps", ".bin"),
    .tables.bindings = warptab_bindings,
    .tables.bindings_count = MST_COUNT_OF(warptab_bindings),
    .check.codes = &(const mst_codes)MST_CODES(warptab_codes),
    .check.dangling = MST_DANGLING("SFA-WARP-LAYER"),
    .check.check = check_warptab,
    .tables.relations =
        "| number | refers to |\n|---|---|\n"
        "| place of a `warp` | `arrival_warp_id`, `target_warp` and `exit_warp` of objects |\n"
        "| `warp.position`, `warp.layer` | a place in the world that `globalma.bin` lays out |\n",
    .tables.listed = MST_LISTED({"warps", "warps", NULL, "sfa.md 3.7"}),
    .tables.sources = MST_SFA_SOURCES("no file of the game could be measured"),
    .tables.introduction = "`WARPTAB.bin` of Star Fox Adventures (GameCube, 2002).\n"};

/* ---- OBJINDEX.bin, TEXTABLE.bin ----------------------------------------------------------------- */

static const mst_field objindex_file_fields[] = {
    {.name = "definitions",
     I16,
     .mode = MST_COUNT_SENTINEL,
     .flags = MST_FIELD_APPEND,
     .doc = "Index into OBJECTS.tab for each object type; -1: unused."},
    TAIL};
RECORD(objindex_file, "definitions", "the definition of each object type");
static const mst_record *const objindex_records[] = {&objindex_file};

PROBE(objindex, "OBJINDEX.bin")
const mst_format mst_format_sfa_objindex = {
    FORMAT(objindex, "sfa-objindex", "index of objects", "definitions", ".bin"),
    .check.codes = &(const mst_codes)MST_CODES(row_codes),
    .check.check = check_rows,
    .tables.relations = "| number | refers to |\n|---|---|\n"
                        "| place in `definitions` | `type` of objects |\n"
                        "| `definitions[]` | the place of an entry in `OBJECTS.tab` |\n",
    .tables.sources = MST_SFA_SOURCES("no file of the game could be measured"),
    .tables.introduction = "`OBJINDEX.bin` of Star Fox Adventures (GameCube, 2002).\n"};

static const mst_field textable_file_fields[] = {
    {.name = "textures",
     U16,
     .mode = MST_COUNT_SENTINEL,
     .flags = MST_FIELD_APPEND,
     .doc = "A texture number for each texture id: with bit 15, the other bits index TEX1; else the number "
            "indexes TEXPRE for ids from 3000 on, TEX0 below."},
    TAIL};
RECORD(textable_file, "textures", "the textures of objects, by id");
static const mst_record *const textable_records[] = {&textable_file};

PROBE(textable, "TEXTABLE.bin")
const mst_format mst_format_sfa_textable = {
    FORMAT(textable, "sfa-textable", "texture ids", "textures", ".bin"),
    .check.codes = &(const mst_codes)MST_CODES(row_codes),
    .check.check = check_rows,
    .tables.relations =
        "| number | refers to |\n|---|---|\n"
        "| place in `textures` | the texture ids that objects have (blocks name entries of TEX1 themselves) "
        "|\n"
        "| `textures[]` | the place of an entry in `TEX1.tab`, `TEX0.tab` or `TEXPRE.tab` |\n",
    .tables.sources = MST_SFA_SOURCES("no file of the game could be measured"),
    .tables.introduction =
        "`TEXTABLE.bin` of Star Fox Adventures (GameCube, 2002). Blocks do not use it. Ids from 3000 on\n"
        "with a nonzero entry mean the number after it; a negative id is itself a texture number, "
        "negated.\n"};
