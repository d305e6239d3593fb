/* SPDX-License-Identifier: MIT */
/* Checks of maps: by themselves, and against the files that belong to them. */
#include "../../../core/diagnose.h"
#include "../../../schema/engine.h"
#include "../objects/objects.h"
#include "../packing/entry.h"
#include "../packing/pair.h"
#include "maps.h"
#include <mapstone/search.h>
#include <stdlib.h>

static const mst_code_information codes[] = {
    {"SFA-TAB", MST_ERROR,
     "the table has no end mark, or does not consist of rows of seven offsets and the file's size"},
    {"SFA-MAPS", MST_ERROR,
     "the map's offsets are out of order or past the end of the file, or the sizes of its sections do not "
     "match its columns and rows"},
    {"SFA-ALONE", MST_WARNING, "a file that belongs to this one is missing"},
    {"SFA-INFO-OBJECTS", MST_WARNING, "the number of objects is not that of the object list"},
    {"SFA-INFO-SIZE", MST_WARNING, "the unpacked size is not that of the object list"},
    {"SFA-STUB", MST_WARNING, "the packed size or the magic is not that of the object list"},
    {"SFA-LAYER-ROWS", MST_WARNING, "layer_row_count is not the number of layer_rects"},
    {"SFA-CELL-JUNK", MST_WARNING, "the cell was never set"},
    {"SFA-CELL-FILE", MST_WARNING, "the cell's block does not exist"},
    {"SFA-CELL-LAYER", MST_WARNING, "the cell's row of layer_rects does not exist"},
    {"SFA-CELL-CAPACITY", MST_WARNING, "the map has more cells than the game can hold"},
    {"SFA-MAPS-CAPACITY", MST_WARNING, "the map's header and cells are larger than the game's buffer"},
    {"SFA-GLOBAL-OVERLAP", MST_WARNING, "another map has a block at the same place in the world"},
};
const mst_codes mst_sfa_maps_codes = MST_CODES(codes);

#define CELLS_MAX      512u
#define CELLS_CAPACITY 0xD48u /* bytes, for the header and the cells */
#define INFO           0x38u
#define ROW_WORDS      7u
#define TABLE_PRESENT  0x10000000u
#define END_MARK       0xFFFFFFFFu
#define TRKBLK_END     0xFFFFu
#define PLACEMENT      12u
#define STUB_MAGIC     0xFACEFEEDu

static bool find_file(const mst_resolver *resolver, const char *name, mst_file_view *file) {
    const void *bytes;
    size_t size;
    if (resolver->find(resolver->user, name, &bytes, &size) != MST_OK)
        return false;
    *file = (mst_file_view){bytes, size};
    return true;
}

/* ---- reporting ---------------------------------------------------------------------------------- */

static void begin(mst_diagnostic *finding, uint32_t map, const char *field, uint64_t index, uint64_t offset,
                  uint64_t length) {
    memset(finding, 0, sizeof *finding);
    size_t n = mst_path_step(finding->path, sizeof finding->path, 0, "maps", map);
    mst_path_step(finding->path, sizeof finding->path, n, field, index);
    finding->offset = offset;
    finding->length = length;
}

static mst_status report(mst_checker *checker, const char *code, const mst_sfa_map_view *map,
                         const char *field, uint64_t offset, uint64_t length, uint64_t expected,
                         int64_t found) {
    mst_diagnostic finding;
    begin(&finding, map->number, field, UINT64_MAX, offset, length);
    MST_SET(finding.expected, "%llu", (unsigned long long)expected);
    MST_SET(finding.found, "%lld", (long long)found);
    return mst_checker_report(checker, code, &finding);
}

static mst_status report_missing(mst_checker *checker, const char *name) {
    mst_diagnostic finding;
    memset(&finding, 0, sizeof finding);
    finding.offset = MST_NO_OFFSET;
    MST_SET(finding.expected, "%s", name);
    MST_SET(finding.found, "nothing of that name");
    return mst_checker_report(checker, "SFA-ALONE", &finding);
}

/* ---- a map by itself ---------------------------------------------------------------------------- */

/* offsets in the parsed map record */
#define AT_OBJECT_LIST_SIZE 9u
#define AT_OBJECT_COUNT     29u
#define AT_LAYER_ROW_COUNT  31u
#define AT_UNPACKED_SIZE    4u /* these two in the stub */
#define AT_PACKED_SIZE      12u

static mst_status check_cells(mst_checker *checker, const mst_sfa_map_view *map) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < map->cell_count && status == MST_OK; i++) {
        mst_sfa_cell cell = mst_sfa_map_cell(map, i);
        uint64_t offset = map->cells_offset + (uint64_t)i * MST_SFA_CELL_SIZE;
        mst_diagnostic finding;
        if (cell.junk) {
            begin(&finding, map->number, "cells", i, offset, MST_SFA_CELL_SIZE);
            MST_SET(finding.found, "mod %u", cell.mod);
            status = mst_checker_report(checker, "SFA-CELL-JUNK", &finding);
        }
        if (status == MST_OK && cell.layer_row != MST_SFA_NO_LAYER_ROW && cell.layer_row >= map->layer_rows) {
            begin(&finding, map->number, "cells", i, offset + 2, 1);
            MST_SET(finding.expected, "below %u, or 127", map->layer_rows);
            MST_SET(finding.found, "%u", cell.layer_row);
            status = mst_checker_report(checker, "SFA-CELL-LAYER", &finding);
        }
    }
    return status;
}

/* Checks the map's copy of the object list's header. */
static mst_status check_stub(mst_checker *checker, const mst_sfa_map_view *map) {
    uint32_t magic = mst_load32(checker->document->data + map->stub_offset, true);
    if (magic == STUB_MAGIC)
        return MST_OK;
    mst_diagnostic finding;
    begin(&finding, map->number, "object_list.magic", UINT64_MAX, map->stub_offset, 4);
    MST_SET(finding.message, "the object list's header has the wrong magic");
    MST_SET(finding.expected, "0x%08x", STUB_MAGIC);
    MST_SET(finding.found, "0x%08x", magic);
    return mst_checker_report(checker, "SFA-STUB", &finding);
}

static mst_status check_map(mst_checker *checker, const mst_sfa_map_view *map) {
    mst_diagnostic finding;
    if (map->form == MST_SFA_MAP_KEPT) {
        begin(&finding, map->number, NULL, UINT64_MAX, map->offset, 1);
        for (unsigned k = 1; k < ROW_WORDS; k++)
            if (map->offsets[k] < map->offsets[k - 1]) {
                MST_SET(finding.expected, "at least %u", map->offsets[k - 1]);
                MST_SET(finding.found, "%u", map->offsets[k]);
                break;
            }
        return mst_checker_report(checker, "SFA-MAPS", &finding);
    }
    mst_status status = check_stub(checker, map);
    if (status != MST_OK || map->form != MST_SFA_MAP_FULL)
        return status;
    if (map->layer_row_count != map->layer_rows)
        status = report(checker, "SFA-LAYER-ROWS", map, "layer_row_count", map->offset + AT_LAYER_ROW_COUNT,
                        2, map->layer_rows, map->layer_row_count);
    if (status == MST_OK && map->cell_count > CELLS_MAX) {
        begin(&finding, map->number, "cells", UINT64_MAX, map->cells_offset,
              (uint64_t)map->cell_count * MST_SFA_CELL_SIZE);
        MST_SET(finding.expected, "at most %u", CELLS_MAX);
        MST_SET(finding.found, "%u", map->cell_count);
        status = mst_checker_report(checker, "SFA-CELL-CAPACITY", &finding);
    }
    uint64_t needed = INFO + 4 * (uint64_t)map->cell_count;
    if (status == MST_OK && needed > CELLS_CAPACITY) {
        begin(&finding, map->number, "cells", UINT64_MAX, map->cells_offset,
              (uint64_t)map->cell_count * MST_SFA_CELL_SIZE);
        MST_SET(finding.expected, "at most %u bytes", CELLS_CAPACITY);
        MST_SET(finding.found, "%llu", (unsigned long long)needed);
        status = mst_checker_report(checker, "SFA-MAPS-CAPACITY", &finding);
    }
    return status == MST_OK ? check_cells(checker, map) : status;
}

/* Checks the original table, which is kept if it is not canonical: the order of the rows, and words that form
 * no row. `reader` is after the maps. */
static mst_status check_table(mst_checker *checker, mst_parsed_reader *reader) {
    uint32_t bin_size, size, words = 0, before = 0;
    mst_diagnostic finding;
    mst_status status = MST_OK;
    mst_parsed_read_counted(reader, &size);
    mst_parsed_read_counted(reader, &bin_size);
    const uint8_t *table = mst_parsed_read_counted(reader, &size);
    uint64_t table_offset = reader->at - size;
    if (!size)
        return MST_OK;
    while (mst_fits(4 * (uint64_t)words, 4, size) && mst_load32(table + 4 * (size_t)words, true) != END_MARK)
        words++;
    for (uint32_t i = 0; i < words / ROW_WORDS && status == MST_OK; i++) {
        uint32_t info = mst_load32(table + 4 * (size_t)i * ROW_WORDS, true);
        if (info < before) {
            begin(&finding, i, NULL, UINT64_MAX, table_offset + 4 * (uint64_t)i * ROW_WORDS, 4);
            MST_SET(finding.message, "the map begins before the previous map");
            MST_SET(finding.expected, "at least %u", before);
            MST_SET(finding.found, "%u", info);
            status = mst_checker_report(checker, "SFA-MAPS", &finding);
        }
        before = info;
    }
    uint32_t closing = words ? mst_load32(table + 4 * (size_t)(words - 1), true) : 0;
    bool rows = words % ROW_WORDS == 1;
    if (status == MST_OK && (!rows || closing != bin_size)) {
        memset(&finding, 0, sizeof finding);
        MST_SET(finding.path, "original_tab");
        finding.offset = table_offset;
        finding.length = 4 * (uint64_t)words;
        if (rows) {
            MST_SET(finding.expected, "%u", bin_size);
            MST_SET(finding.found, "%u", closing);
        } else {
            MST_SET(finding.found, "%u words", words);
        }
        status = mst_checker_report(checker, "SFA-TAB", &finding);
    }
    return status;
}

/* ---- object lists ------------------------------------------------------------------------------- */

static uint64_t count_objects(const uint8_t *bytes, size_t size) {
    mst_sfa_object_header header;
    uint64_t count = 0;
    for (uint64_t at = 0; mst_sfa_object_at(bytes, at, size, &header); at += header.size)
        count++;
    return count;
}

static mst_status check_list(mst_checker *checker, const mst_sfa_map_view *map, const mst_file_view *list) {
    mst_sfa_entry entry;
    mst_buffer unpacked = {.allocator = checker->document->allocator};
    mst_status status = mst_sfa_entry_read(list->data, list->size, &entry, NULL);
    if (status == MST_OK)
        status = mst_sfa_entry_unpack(&entry, (uint64_t)list->size * 16 + (1u << 20), &unpacked, NULL);
    if (status != MST_OK) { /* a check of the list itself reports that */
        mst_buffer_free(&unpacked);
        return status == MST_NO_MEMORY ? status : MST_OK;
    }
    uint64_t objects = count_objects(unpacked.data, unpacked.size);
    uint64_t size = unpacked.size, packed = (entry.length + 31) / 32 * 32;
    mst_buffer_free(&unpacked);
    bool full = map->form == MST_SFA_MAP_FULL;
    if (full && (map->object_count < 0 || (uint64_t)map->object_count != objects))
        status = report(checker, "SFA-INFO-OBJECTS", map, "object_count", map->offset + AT_OBJECT_COUNT, 2,
                        objects, map->object_count);
    if (status == MST_OK && full && map->object_list_size != size)
        status = report(checker, "SFA-INFO-SIZE", map, "object_list_size", map->offset + AT_OBJECT_LIST_SIZE,
                        2, size, map->object_list_size);
    if (status == MST_OK && map->unpacked_size != size)
        status = report(checker, "SFA-INFO-SIZE", map, "object_list.unpacked_size",
                        map->stub_offset + AT_UNPACKED_SIZE, 4, size, map->unpacked_size);
    if (status == MST_OK && map->packed_size != packed)
        status = report(checker, "SFA-STUB", map, "object_list.packed_size",
                        map->stub_offset + AT_PACKED_SIZE, 4, packed, map->packed_size);
    return status;
}

static mst_sfa_maps_cursor maps_of(const mst_checker *checker) {
    return mst_sfa_maps_open(checker->document->data, checker->document->size);
}

/* Without the list, compares the two copies of its size in the map. */
static mst_status check_size(mst_checker *checker, const mst_sfa_map_view *map) {
    if (map->form != MST_SFA_MAP_FULL || map->object_list_size == map->unpacked_size)
        return MST_OK;
    return report(checker, "SFA-INFO-SIZE", map, "object_list_size", map->offset + AT_OBJECT_LIST_SIZE, 2,
                  map->unpacked_size, map->object_list_size);
}

/* The list of a map; false if it is missing or the map cannot have one. */
static bool find_list(const mst_resolver *resolver, const mst_sfa_map_view *map, char *name, size_t capacity,
                      mst_file_view *list) {
    const mst_sfa_map *known = mst_sfa_map_of((int)map->number);
    *name = 0;
    if (!known || map->form == MST_SFA_MAP_KEPT)
        return false;
    mst_diagnostic_set(name, capacity, "%s.romlist.zlb", known->list);
    return resolver && find_file(resolver, name, list);
}

static mst_status check_lists(mst_checker *checker, const mst_resolver *resolver) {
    mst_sfa_maps_cursor cursor = maps_of(checker);
    mst_sfa_map_view map;
    mst_file_view list;
    char name[64], first[64] = "";
    bool any = false;
    while (!any && mst_sfa_maps_next(&cursor, &map)) {
        any = find_list(resolver, &map, name, sizeof name, &list);
        if (!first[0] && map.form == MST_SFA_MAP_FULL)
            MST_SET(first, "%s", name);
    }
    mst_status status = MST_OK;
    if (resolver && !any && first[0])
        status = report_missing(checker, first);
    cursor = maps_of(checker);
    while (status == MST_OK && mst_sfa_maps_next(&cursor, &map)) {
        if (find_list(resolver, &map, name, sizeof name, &list)) {
            status = check_list(checker, &map, &list);
            continue;
        }
        if (any && name[0] && map.form == MST_SFA_MAP_FULL)
            status = report_missing(checker, name);
        if (status == MST_OK)
            status = check_size(checker, &map);
    }
    return status;
}

/* ---- blocks ------------------------------------------------------------------------------------- */

typedef struct tables {
    mst_file_view first_blocks; /* TRKBLK.tab */
    uint32_t mods;              /* number of its values, including the total */
    mst_file_view blocks[MST_SFA_DIRECTORIES];
    uint32_t words[MST_SFA_DIRECTORIES]; /* of each, before its end mark */
    bool used[MST_SFA_DIRECTORIES], present[MST_SFA_DIRECTORIES];
} tables;

static bool shows_block(mst_sfa_cell cell) {
    return !cell.junk && cell.mod != MST_SFA_NO_BLOCK;
}

/* The number of a block, computed as by the game. */
static uint32_t block_number(const tables *t, unsigned mod, unsigned sub) {
    uint32_t last = t->mods - 1, total = (uint32_t)mst_load16(t->first_blocks.data + 2 * (size_t)last, true);
    uint32_t number =
        (uint32_t)mst_load16(t->first_blocks.data + 2 * (size_t)(mod < last ? mod : last), true);
    number += sub;
    return number < total || !total ? number : total - 1;
}

static uint32_t words_of(const mst_file_view *table) {
    uint32_t count = 0;
    while (mst_fits(4 * (uint64_t)count, 4, table->size) &&
           mst_load32(table->data + 4 * (size_t)count, true) != END_MARK)
        count++;
    return count;
}

static bool has_block(const tables *t, unsigned mod, uint32_t number) {
    return number < t->words[mod] &&
           (mst_load32(t->blocks[mod].data + 4 * (size_t)number, true) & TABLE_PRESENT);
}

static mst_status check_blocks_of(mst_checker *checker, const tables *t, const mst_sfa_map_view *map) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < map->cell_count && status == MST_OK; i++) {
        mst_sfa_cell cell = mst_sfa_map_cell(map, i);
        mst_diagnostic finding;
        if (!shows_block(cell))
            continue;
        begin(&finding, map->number, "cells", i, map->cells_offset + (uint64_t)i * MST_SFA_CELL_SIZE, 2);
        const char *directory = mst_sfa_directory_of(cell.mod)->name;
        int file = mst_sfa_file_number(cell.mod);
        if (!t->present[cell.mod]) {
            MST_SET(finding.expected, "%s/mod%d.tab", directory, file);
            MST_SET(finding.found, "nothing of that name");
        } else {
            uint32_t number = block_number(t, cell.mod, cell.sub);
            if (has_block(t, cell.mod, number))
                continue;
            MST_SET(finding.expected, "block %u in %s/mod%d.tab", number, directory, file);
            MST_SET(finding.found, "none");
        }
        status = mst_checker_report(checker, "SFA-CELL-FILE", &finding);
    }
    return status;
}

static mst_status check_blocks(mst_checker *checker, const mst_resolver *resolver) {
    mst_sfa_maps_cursor cursor = maps_of(checker);
    mst_sfa_map_view map;
    tables t;
    memset(&t, 0, sizeof t);
    while (mst_sfa_maps_next(&cursor, &map))
        for (uint32_t i = 0; i < map.cell_count; i++) {
            mst_sfa_cell cell = mst_sfa_map_cell(&map, i);
            if (shows_block(cell))
                t.used[cell.mod] = true;
        }
    char first[64] = "";
    bool any = false;
    for (int mod = 0; mod < MST_SFA_DIRECTORIES; mod++) {
        char name[64];
        if (!t.used[mod])
            continue;
        const mst_sfa_directory *directory = mst_sfa_directory_of(mod);
        mst_diagnostic_set(name, sizeof name, "%s/mod%d.tab", directory->name, mst_sfa_file_number(mod));
        t.present[mod] = find_file(resolver, name, &t.blocks[mod]);
        t.words[mod] = t.present[mod] ? words_of(&t.blocks[mod]) : 0;
        any = any || t.present[mod];
        if (!first[0] && directory->has_files)
            MST_SET(first, "%s", name);
    }
    if (!any)
        return first[0] ? report_missing(checker, first) : MST_OK;
    if (!find_file(resolver, "TRKBLK.tab", &t.first_blocks))
        return report_missing(checker, "TRKBLK.tab");
    while (mst_fits(2 * (uint64_t)t.mods, 2, t.first_blocks.size) &&
           mst_load16(t.first_blocks.data + 2 * (size_t)t.mods, true) != TRKBLK_END)
        t.mods++;
    if (!t.mods)
        return MST_OK;
    mst_status status = MST_OK;
    cursor = maps_of(checker);
    while (status == MST_OK && mst_sfa_maps_next(&cursor, &map))
        status = check_blocks_of(checker, &t, &map);
    return status;
}

/* ---- the world ---------------------------------------------------------------------------------- */

static int compare_grid(const mst_sfa_place *p, const mst_sfa_place *q) {
    if (p->layer != q->layer)
        return p->layer < q->layer ? -1 : 1;
    if (p->z != q->z)
        return p->z < q->z ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

static int compare_places(const void *a, const void *b) {
    const mst_sfa_place *p = a, *q = b;
    int order = compare_grid(p, q);
    if (order)
        return order;
    return p->map < q->map ? -1 : p->map > q->map; /* cells of one map are at different places */
}

/* The first placement of a map; NULL: none. */
static const uint8_t *placement_of(const uint8_t *world, size_t size, uint32_t map) {
    for (size_t at = 0; mst_fits(at, PLACEMENT, size); at += PLACEMENT) {
        int number = (int16_t)mst_load16(world + at + 6, true);
        if (number < 0)
            return NULL;
        if ((uint32_t)number == map)
            return world + at;
    }
    return NULL;
}

mst_status mst_sfa_place_cells(const uint8_t *parsed, uint64_t parsed_size, const uint8_t *world,
                               size_t world_size, mst_arena *scratch, mst_sfa_place **places, size_t *count) {
    mst_sfa_maps_cursor cursor = mst_sfa_maps_open(parsed, parsed_size);
    mst_sfa_map_view map;
    uint64_t needed = 0;
    *places = NULL;
    *count = 0;
    while (mst_sfa_maps_next(&cursor, &map))
        needed += map.number < MST_SFA_MAPS ? map.cell_count : 0;
    if (!needed)
        return MST_OK;
    *places = mst_arena_zero(scratch, (size_t)needed, sizeof **places);
    if (!*places)
        return MST_NO_MEMORY;
    cursor = mst_sfa_maps_open(parsed, parsed_size);
    while (mst_sfa_maps_next(&cursor, &map)) {
        const uint8_t *row = map.number < MST_SFA_MAPS ? placement_of(world, world_size, map.number) : NULL;
        for (uint32_t i = 0; row && i < map.cell_count; i++) {
            if (!shows_block(mst_sfa_map_cell(&map, i)))
                continue;
            mst_sfa_place *p = &(*places)[(*count)++];
            p->x = (int16_t)mst_load16(row, true) - map.origin_x + (int)(i % (uint32_t)map.columns);
            p->z = (int16_t)mst_load16(row + 2, true) - map.origin_z + (int)(i / (uint32_t)map.columns);
            p->layer = (int16_t)mst_load16(row + 4, true);
            p->map = map.number;
            p->cell = i;
            p->offset = map.cells_offset + (uint64_t)i * MST_SFA_CELL_SIZE;
        }
    }
    qsort(*places, *count, sizeof **places, compare_places);
    return MST_OK;
}

const mst_sfa_place *mst_sfa_place_at(const mst_sfa_place *places, size_t count, int layer, int x, int z) {
    mst_sfa_place key = {.layer = layer, .x = x, .z = z};
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_grid(&places[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && compare_grid(&places[low], &key) == 0 ? &places[low] : NULL;
}

static mst_status check_world(mst_checker *checker, const mst_resolver *resolver) {
    mst_file_view world;
    if (!find_file(resolver, "globalma.bin", &world))
        return report_missing(checker, "globalma.bin");
    mst_sfa_place *places;
    size_t count;
    mst_status status = mst_sfa_place_cells(checker->document->data, checker->document->size, world.data,
                                            world.size, &checker->scratch, &places, &count);
    for (size_t i = 1; i < count && status == MST_OK; i++) {
        const mst_sfa_place *p = &places[i - 1], *q = &places[i];
        if (compare_grid(p, q) != 0)
            continue;
        mst_diagnostic finding;
        begin(&finding, q->map, "cells", q->cell, q->offset, MST_SFA_CELL_SIZE);
        MST_SET(finding.found, "maps[%u].cells[%u] at (%d, %d) of layer %d", p->map, p->cell, p->x, p->z,
                p->layer);
        status = mst_checker_report(checker, "SFA-GLOBAL-OVERLAP", &finding);
    }
    return status;
}

mst_status mst_sfa_check_maps(mst_checker *checker) {
    mst_sfa_maps_cursor cursor = maps_of(checker);
    mst_sfa_map_view map;
    mst_status status = MST_OK;
    while (status == MST_OK && mst_sfa_maps_next(&cursor, &map))
        status = check_map(checker, &map);
    if (status == MST_OK)
        status = check_table(checker, &cursor.reader);
    const mst_resolver *resolver = mst_sfa_resolver_of(checker);
    if (status == MST_OK)
        status = check_lists(checker, resolver);
    if (status == MST_OK && resolver)
        status = check_blocks(checker, resolver);
    if (status == MST_OK && resolver)
        status = check_world(checker, resolver);
    return status;
}
