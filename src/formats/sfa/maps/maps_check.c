/* SPDX-License-Identifier: MIT */
/* Checks of maps: alone, and against the files that belong to them. */
#include "../../../check/finding.h"
#include "../../present.h"
#include "../objects/objects.h"
#include "../packing/pair.h"
#include "maps_world.h"

static const mst_code_information codes[] = {
    {"SFA-TAB", MST_ERROR,
     "the table has no end mark, or does not consist of rows of seven offsets and the file's size"},
    {"SFA-MAPS", MST_ERROR,
     "the map's offsets are out of order or past the end of the file, or the sizes of its sections do not "
     "match its columns and rows"},
    {"SFA-ALONE", MST_WARNING, "a file that belongs to this one is missing: put it in the same directory"},
    {"SFA-INFO-OBJECTS", MST_WARNING,
     "the number of objects differs from the object list: set it to the length of the list"},
    {"SFA-INFO-SIZE", MST_WARNING,
     "the unpacked size differs from the object list: set it to the list's size"},
    {"SFA-STUB", MST_WARNING, "the packed size or the magic differs from the object list"},
    {"SFA-LAYER-ROWS", MST_WARNING, "layer_row_count differs from the length of layer_rects"},
    {"SFA-ROMLIST-ID", MST_INFORMATION, "several objects have the same id: a reference may find any of them"},
    {"SFA-CELL-JUNK", MST_WARNING, "the cell was never set: it contains arbitrary memory, and shows nothing"},
    {"SFA-CELL-FILE", MST_WARNING,
     "the cell's block does not exist: the cell counts as occupied, but shows nothing"},
    {"SFA-CELL-LAYER", MST_WARNING, "the cell's row of layer_rects does not exist"},
    {"SFA-CELL-CAPACITY", MST_WARNING, "the map has more cells than the game can hold"},
    {"SFA-MAPS-CAPACITY", MST_WARNING, "the map's header and cells are larger than the game's buffer"},
    {"SFA-GLOBAL-OVERLAP", MST_WARNING, "another map has a block at the same place in the world"},
};
const mst_codes mst_sfa_maps_codes = MST_CODES(codes);

#define CELLS_MAX      512u
#define CELLS_CAPACITY 0xD48u /* bytes, for the header and the cells */
#define INFO           0x38u
#define CELL           4u /* bytes, in the file */
#define TABLE_PRESENT  0x10000000u
#define STUB_MAGIC     0xFACEFEEDu

/* ---- reporting ---------------------------------------------------------------------------------- */

/* A finding about a field of a map, or of the copy of its object list's header. */
static mst_diagnostic *finding_in(mst_checker *checker, const mst_sfa_map_view *map, const mst_value *record,
                                  const char *field) {
    mst_value value = mst_member_in(record, field);
    return mst_finding_of(checker, &value, "maps[%u].%s%s", map->number,
                          record == &map->object_list ? "object_list." : "", field);
}

/* A finding about a number that is not the expected one. */
static mst_status report(mst_checker *checker, const char *code, const mst_sfa_map_view *map,
                         const mst_value *record, const char *field, uint64_t expected, int64_t found) {
    mst_diagnostic *finding = finding_in(checker, map, record, field);
    MST_SET(finding->expected, "%llu", (unsigned long long)expected);
    return mst_report(checker, code, NULL, "%lld", (long long)found);
}

/* The finding is about `length` bytes of the cell from `member` on. */
static mst_diagnostic *finding_of_cell(mst_checker *checker, const mst_sfa_map_view *map,
                                       const mst_column *member, uint32_t index, uint64_t length) {
    return mst_finding_at(checker, mst_column_offset(map->map.document, member, index), length,
                          "maps[%u].cells[%u]", map->number, index);
}

static mst_status report_missing(mst_checker *checker, const char *name) {
    mst_finding_of(checker, NULL, "%s", "");
    return mst_report(checker, "SFA-ALONE", name, "no entry of that name");
}

/* ---- a map alone -------------------------------------------------------------------------------- */

static mst_status check_cells(mst_checker *checker, const mst_sfa_map_view *map) {
    uint32_t rows = (uint32_t)mst_count(&map->layer_rects);
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < map->cell_count && status == MST_OK; i++) {
        mst_sfa_cell cell = mst_sfa_map_cell(map, i);
        if (cell.junk) {
            finding_of_cell(checker, map, &map->mod, i, map->mod.stride);
            status = mst_report(checker, "SFA-CELL-JUNK", NULL, "mod %u", cell.mod);
        }
        if (status == MST_OK && cell.layer_row != MST_SFA_NO_LAYER_ROW && cell.layer_row >= rows) {
            mst_diagnostic *finding = finding_of_cell(checker, map, &map->layer_row, i, 1);
            MST_SET(finding->expected, "below %u, or 127", rows);
            status = mst_report(checker, "SFA-CELL-LAYER", NULL, "%u", cell.layer_row);
        }
    }
    return status;
}

/* Checks the map's copy of the object list's header. */
static mst_status check_stub(mst_checker *checker, const mst_sfa_map_view *map) {
    if (map->stub.magic == STUB_MAGIC)
        return MST_OK;
    mst_diagnostic *finding = finding_in(checker, map, &map->object_list, "magic");
    MST_SET(finding->message, "the object list's header has the wrong magic");
    return mst_report(checker, "SFA-STUB", "0xfacefeed", "0x%08x", map->stub.magic);
}

static mst_status check_kept(mst_checker *checker, const mst_sfa_map_view *map) {
    mst_diagnostic *finding = mst_finding_at(checker, map->map.offset, 1, "maps[%u]", map->number);
    for (unsigned k = 1; k < MST_SFA_MAP_OFFSETS; k++)
        if (map->offsets[k] < map->offsets[k - 1]) {
            MST_SET(finding->expected, "at least %u", map->offsets[k - 1]);
            return mst_report(checker, "SFA-MAPS", NULL, "%u", map->offsets[k]);
        }
    return mst_checker_report(checker, "SFA-MAPS");
}

/* Reports more cells, or bytes of them, than the game has space for. */
static mst_status check_capacity(mst_checker *checker, const mst_sfa_map_view *map, const char *code,
                                 uint64_t needed, uint64_t capacity, const char *unit) {
    if (needed <= capacity)
        return MST_OK;
    mst_diagnostic *finding =
        mst_finding_at(checker, mst_column_offset(map->map.document, &map->mod, 0),
                       (uint64_t)map->cell_count * map->mod.stride, "maps[%u].cells", map->number);
    MST_SET(finding->expected, "at most %llu%s", (unsigned long long)capacity, unit);
    return mst_report(checker, code, NULL, "%llu", (unsigned long long)needed);
}

static mst_status check_map(mst_checker *checker, const mst_sfa_map_view *map) {
    if (map->form == MST_SFA_MAP_KEPT)
        return check_kept(checker, map);
    mst_status status = check_stub(checker, map);
    if (status != MST_OK || map->form != MST_SFA_MAP_FULL)
        return status;
    uint64_t rows = mst_count(&map->layer_rects), cells = map->cell_count;
    if (map->layer_row_count != rows)
        status =
            report(checker, "SFA-LAYER-ROWS", map, &map->map, "layer_row_count", rows, map->layer_row_count);
    if (status == MST_OK)
        status = check_capacity(checker, map, "SFA-CELL-CAPACITY", cells, CELLS_MAX, "");
    if (status == MST_OK)
        status =
            check_capacity(checker, map, "SFA-MAPS-CAPACITY", INFO + CELL * cells, CELLS_CAPACITY, " bytes");
    return status == MST_OK ? check_cells(checker, map) : status;
}

static mst_file_view original(const mst_document *document, const char *name) {
    mst_value root = mst_root(document), value = mst_member_in(&root, name);
    const void *bytes = NULL;
    size_t size = 0;
    mst_get_bytes(&value, &bytes, &size);
    return (mst_file_view){bytes, size};
}

/* Checks the original table, which is kept if it is not canonical: the order of the rows, and words that form
 * no row. */
static mst_status check_table(mst_checker *checker) {
    const mst_document *document = checker->document;
    mst_file_view bin = original(document, "original_bin"), table = original(document, "original_tab");
    uint32_t words, before = 0;
    if (!table.size)
        return MST_OK;
    uint64_t offset = (uint64_t)(table.data - document->data);
    mst_sfa_table_read(table.data, table.size, &words, NULL); /* counts them, whether or not they end */
    for (uint32_t i = 0; i < words / MST_SFA_MAP_OFFSETS; i++) {
        uint32_t info = mst_sfa_table_word(&table, i * MST_SFA_MAP_OFFSETS);
        if (info < before) {
            mst_diagnostic *finding =
                mst_finding_at(checker, offset + 4 * (uint64_t)i * MST_SFA_MAP_OFFSETS, 4, "maps[%u]", i);
            MST_SET(finding->message, "the map begins before the previous map");
            MST_SET(finding->expected, "at least %u", before);
            mst_status status = mst_report(checker, "SFA-MAPS", NULL, "%u", info);
            if (status != MST_OK)
                return status;
        }
        before = info;
    }
    uint32_t closing = words ? mst_sfa_table_word(&table, words - 1) : 0;
    bool rows = words % MST_SFA_MAP_OFFSETS == 1;
    if (rows && closing == bin.size)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_at(checker, offset, 4 * (uint64_t)words, "original_tab");
    if (!rows)
        return mst_report(checker, "SFA-TAB", NULL, "%u words", words);
    MST_SET(finding->expected, "%zu", bin.size);
    return mst_report(checker, "SFA-TAB", NULL, "%u", closing);
}

/* ---- object lists ------------------------------------------------------------------------------- */

static mst_status check_list(mst_checker *checker, const mst_sfa_map_view *map, const mst_file_view *list,
                             mst_array *ids) {
    mst_sfa_entry entry;
    mst_buffer unpacked = {.allocator = checker->document->allocator};
    mst_status status = mst_sfa_file_unpack(list, &entry, &unpacked);
    uint64_t intact = 0;
    uint64_t objects = status == MST_OK ? mst_sfa_count_objects(unpacked.data, unpacked.size, &intact) : 0;
    uint64_t size = unpacked.size, packed = (entry.length + 31) / 32 * 32;
    if (status == MST_OK)
        status = mst_sfa_ids_add(ids, map->number, unpacked.data, size);
    mst_buffer_free(&unpacked);
    if (status != MST_OK) /* a check of the list itself reports this */
        return status == MST_NO_MEMORY ? status : MST_OK;
    bool full = map->form == MST_SFA_MAP_FULL;
    if (full && intact == size && (map->object_count < 0 || (uint64_t)map->object_count != objects))
        status =
            report(checker, "SFA-INFO-OBJECTS", map, &map->map, "object_count", objects, map->object_count);
    if (status == MST_OK && full && map->object_list_size != size)
        status =
            report(checker, "SFA-INFO-SIZE", map, &map->map, "object_list_size", size, map->object_list_size);
    if (status == MST_OK && map->stub.unpacked_size != size)
        status = report(checker, "SFA-INFO-SIZE", map, &map->object_list, "unpacked_size", size,
                        map->stub.unpacked_size);
    if (status == MST_OK && entry.wrapper != MST_SFA_PLAIN && map->stub.packed_size != packed)
        status =
            report(checker, "SFA-STUB", map, &map->object_list, "packed_size", packed, map->stub.packed_size);
    return status;
}

/* Without the list, compares the two copies of its size in the map. */
static mst_status check_size(mst_checker *checker, const mst_sfa_map_view *map) {
    if (map->form != MST_SFA_MAP_FULL || map->object_list_size == map->stub.unpacked_size)
        return MST_OK;
    mst_diagnostic *finding = finding_in(checker, map, &map->map, "object_list_size");
    MST_SET(finding->expected, "as in object_list, %u", map->stub.unpacked_size);
    return mst_report(checker, "SFA-INFO-SIZE", NULL, "%lld", (long long)map->object_list_size);
}

typedef struct tables {
    mst_sfa_first_blocks first_blocks;
    mst_file_view blocks[MST_SFA_DIRECTORIES];
    uint32_t words[MST_SFA_DIRECTORIES]; /* of each, before its end mark */
    bool used[MST_SFA_DIRECTORIES], present[MST_SFA_DIRECTORIES];
} tables;

/* The state of walking all maps, one per check: too much for the stack. */
typedef struct all_maps {
    mst_sfa_maps_cursor cursor;
    mst_sfa_map_view map;
    tables tables;
} all_maps;

/* The list of a map; false if it is missing or the map cannot have one. */
static bool find_list(const mst_checker *checker, const mst_sfa_map_view *map, char name[MST_SFA_LIST_FILE],
                      mst_file_view *list) {
    const mst_sfa_map *known = mst_sfa_map_of((int)map->number);
    *name = 0;
    if (!known || map->form == MST_SFA_MAP_KEPT)
        return false;
    return mst_sfa_find_list(mst_sfa_resolver_of(checker), known->list, name, list);
}

static mst_status check_lists(mst_checker *checker, all_maps *maps) {
    mst_sfa_map_view *map = &maps->map;
    mst_array ids = {.element_size = sizeof(mst_sfa_placed_id), .allocator = checker->document->allocator};
    mst_file_view list;
    char name[MST_SFA_LIST_FILE], first[MST_SFA_LIST_FILE] = "";
    bool any = false;
    mst_sfa_maps_open(checker->document, &maps->cursor);
    while (!any && mst_sfa_maps_next(&maps->cursor, map)) {
        any = find_list(checker, map, name, &list);
        if (!first[0] && map->form == MST_SFA_MAP_FULL)
            MST_SET(first, "%s", name);
    }
    mst_status status = MST_OK;
    if (mst_sfa_resolver_of(checker) && !any && first[0])
        status = report_missing(checker, first);
    mst_sfa_maps_open(checker->document, &maps->cursor);
    while (status == MST_OK && mst_sfa_maps_next(&maps->cursor, map)) {
        if (find_list(checker, map, name, &list)) {
            status = check_list(checker, map, &list, &ids);
            continue;
        }
        if (any && name[0] && map->form == MST_SFA_MAP_FULL)
            status = report_missing(checker, name);
        if (status == MST_OK)
            status = check_size(checker, map);
    }
    if (status == MST_OK)
        status = mst_sfa_ids_report(checker, &ids);
    mst_array_free(&ids);
    return status;
}

/* ---- blocks ------------------------------------------------------------------------------------- */

static bool has_block(const tables *t, unsigned mod, uint32_t number) {
    return number < t->words[mod] && (mst_sfa_table_word(&t->blocks[mod], number) & TABLE_PRESENT);
}

static mst_status check_blocks_of(mst_checker *checker, const tables *t, const mst_sfa_map_view *map) {
    mst_status status = MST_OK;
    for (uint32_t i = 0; i < map->cell_count && status == MST_OK; i++) {
        mst_sfa_cell cell = mst_sfa_map_cell(map, i);
        if (!mst_sfa_shows_block(cell))
            continue;
        mst_diagnostic *finding = finding_of_cell(checker, map, &map->mod, i, 2); /* mod and sub */
        const char *directory = mst_sfa_directory_of(cell.mod)->name;
        int file = mst_sfa_file_number(cell.mod);
        if (!t->present[cell.mod]) {
            MST_SET(finding->expected, "%s/mod%d.tab", directory, file);
            status = mst_report(checker, "SFA-CELL-FILE", NULL, "no entry of that name");
            continue;
        }
        uint32_t number = mst_sfa_block_number(&t->first_blocks, cell.mod, cell.sub);
        if (has_block(t, cell.mod, number))
            continue;
        MST_SET(finding->expected, "block %u in %s/mod%d.tab", number, directory, file);
        status = mst_report(checker, "SFA-CELL-FILE", NULL, "none");
    }
    return status;
}

/* Finds the tables of the directories that cells use; `first` receives the name of the first one expected.
 * False: there are none. */
static bool find_tables(mst_checker *checker, all_maps *maps, char first[64]) {
    tables *t = &maps->tables;
    bool any = false;
    mst_sfa_maps_open(checker->document, &maps->cursor);
    while (mst_sfa_maps_next(&maps->cursor, &maps->map))
        for (uint32_t i = 0; i < maps->map.cell_count; i++) {
            mst_sfa_cell cell = mst_sfa_map_cell(&maps->map, i);
            if (mst_sfa_shows_block(cell))
                t->used[cell.mod] = true;
        }
    for (int mod = 0; mod < MST_SFA_DIRECTORIES; mod++) {
        char name[64];
        if (!t->used[mod])
            continue;
        const mst_sfa_directory *directory = mst_sfa_directory_of(mod);
        mst_diagnostic_set(name, sizeof name, "%s/mod%d.tab", directory->name, mst_sfa_file_number(mod));
        t->present[mod] = mst_sfa_find_beside(checker, name, &t->blocks[mod]);
        if (t->present[mod]) /* counts the words, whether or not they end */
            mst_sfa_table_read(t->blocks[mod].data, t->blocks[mod].size, &t->words[mod], NULL);
        any = any || t->present[mod];
        if (!first[0] && directory->has_files)
            mst_diagnostic_set(first, 64, "%s", name);
    }
    return any;
}

static mst_status check_blocks(mst_checker *checker, all_maps *maps) {
    char first[64] = "";
    tables *t = &maps->tables;
    if (!find_tables(checker, maps, first))
        return first[0] ? report_missing(checker, first) : MST_OK;
    mst_document *numbers;
    mst_status status = mst_sfa_open_beside(checker, "TRKBLK.tab", &mst_format_sfa_trkblk, &numbers);
    if (status == MST_NO_PATH)
        return report_missing(checker, "TRKBLK.tab");
    if (status == MST_OK)
        status = mst_sfa_read_first_blocks(numbers, &checker->scratch, &t->first_blocks);
    mst_close(numbers);
    if (!t->first_blocks.directories)
        return status == MST_NO_MEMORY ? status : MST_OK;
    mst_sfa_maps_open(checker->document, &maps->cursor);
    while (status == MST_OK && mst_sfa_maps_next(&maps->cursor, &maps->map))
        status = check_blocks_of(checker, t, &maps->map);
    return status;
}

/* ---- the world ---------------------------------------------------------------------------------- */

static mst_status check_world(mst_checker *checker) {
    mst_document *world;
    mst_sfa_place *places = NULL;
    size_t count = 0;
    mst_status status = mst_sfa_open_beside(checker, "globalma.bin", &mst_format_sfa_globalma, &world);
    if (status == MST_NO_PATH)
        return report_missing(checker, "globalma.bin");
    if (status == MST_OK)
        status = mst_sfa_place_cells(checker->document, world, &checker->scratch, &places, &count);
    mst_close(world);
    if (status != MST_OK)
        return status == MST_NO_MEMORY ? status : MST_OK;
    for (size_t i = 1; i < count && status == MST_OK; i++) {
        const mst_sfa_place *p = &places[i - 1], *q = &places[i];
        if (!mst_sfa_same_place(p, q))
            continue;
        mst_finding_at(checker, q->offset, q->length, "maps[%u].cells[%u]", q->map, q->cell);
        status = mst_report(checker, "SFA-GLOBAL-OVERLAP", NULL, "maps[%u].cells[%u] at (%d, %d) of layer %d",
                            p->map, p->cell, p->x, p->z, p->layer);
    }
    return status;
}

mst_status mst_sfa_check_maps(mst_checker *checker) {
    all_maps *maps = mst_arena_zero(&checker->scratch, 1, sizeof *maps);
    if (!maps)
        return MST_NO_MEMORY;
    mst_status status = MST_OK;
    mst_sfa_maps_open(checker->document, &maps->cursor);
    while (status == MST_OK && mst_sfa_maps_next(&maps->cursor, &maps->map))
        status = check_map(checker, &maps->map);
    if (status == MST_OK)
        status = check_table(checker);
    if (status == MST_OK)
        status = check_lists(checker, maps);
    if (status != MST_OK || !mst_sfa_resolver_of(checker))
        return status;
    status = check_blocks(checker, maps);
    return status == MST_OK ? check_world(checker) : status;
}
