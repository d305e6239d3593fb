/* SPDX-License-Identifier: MIT */
/* VOXMAP.bin and VOXMAP.tab: the walkable cells of each block of a directory. The game loads but never uses
 * them. Sources: public notes, and a survey of the records of a disc. */
#include "../../../check/finding.h"
#include "../../../edit/fix_findings.h"
#include "../../../tables/words.h"
#include "../../present.h"
#include "../packing/bank.h"
#include "../packing/layout_text.h"
#include "../sfa.h"
#include "renumber.h"

#define RECORDS(X) X(file) X(entry) X(packed) X(record)
enum { RECORDS(RECORD_INDEX) };

/* ---- records ------------------------------------------------------------------------------------ */

/*
 * In the file: eleven numbers, the bitmap, and nodes and ranks in either order. Parsed:
 *   u8 kept; if 1: the bytes, else
 *   u32 unknown_00, i32 min_y, u32 unknown_08, i32 max_y, u32 unknown_10, _18, _20, _28
 *   u8 ranks_first; u32 size and bitmap; u32 count and ranks (u16 each; none if they are those of the
 *   bitmap); u32 size and nodes; u32 size and bytes of each gap, and of the tail; u8 unpadded
 */
#define HEADER     0x2Cu
#define ROW_BITMAP 32u
#define ROW_RANKS  3u

static unsigned bits_of(uint8_t byte) {
    unsigned count = 0;
    for (; byte; byte &= (uint8_t)(byte - 1))
        count++;
    return count;
}

/* The number of set bits in `size` bytes. */
static uint64_t count_bits(const uint8_t *bytes, uint64_t size) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < size; i++)
        count += bits_of(bytes[i]);
    return count;
}

static void pack_ranks(uint8_t bytes[ROW_RANKS], uint32_t low, uint32_t high) {
    bytes[0] = (uint8_t)low;
    bytes[1] = (uint8_t)((low >> 8 & 15) | (high & 15) << 4);
    bytes[2] = (uint8_t)(high >> 4);
}

/* The ranks of a row: the number of set bits before each of its halves, with `*before` before the row. */
static void ranks_of(const uint8_t *row, uint32_t *before, uint8_t bytes[ROW_RANKS]) {
    uint32_t low = *before, high = low + (uint32_t)count_bits(row, ROW_BITMAP / 2);
    *before = high + (uint32_t)count_bits(row + ROW_BITMAP / 2, ROW_BITMAP / 2);
    pack_ranks(bytes, low & 0xFFF, high & 0xFFF);
}

typedef struct parts {
    uint64_t rows, nodes; /* counts */
    uint64_t nodes_at, ranks_at, end;
    bool ranks_first;
    bool derived; /* the ranks are right for the bitmap */
} parts;

static bool find_parts(const uint8_t *bytes, size_t size, parts *p) {
    memset(p, 0, sizeof *p);
    if (size < HEADER || mst_load32(bytes + 0x24, true) != HEADER)
        return false;
    int64_t rows = (int64_t)(int32_t)mst_load32(bytes + 0x0C, true) - (int32_t)mst_load32(bytes + 4, true);
    if (rows < 0 || (uint64_t)rows > (size - HEADER) / (ROW_BITMAP + ROW_RANKS))
        return false;
    p->rows = (uint64_t)rows;
    uint64_t after = HEADER + ROW_BITMAP * p->rows;
    p->nodes = count_bits(bytes + HEADER, ROW_BITMAP * p->rows);
    p->nodes_at = mst_load32(bytes + 0x14, true);
    p->ranks_at = mst_load32(bytes + 0x1C, true);
    uint64_t nodes_end = p->nodes_at + 4 * p->nodes, ranks_end = p->ranks_at + ROW_RANKS * p->rows;
    p->ranks_first = p->ranks_at < p->nodes_at;
    p->end = p->ranks_first ? nodes_end : ranks_end;
    if (p->end > size || (p->ranks_first ? p->ranks_at < after || p->nodes_at < ranks_end
                                         : p->nodes_at < after || p->ranks_at < nodes_end))
        return false;
    p->derived = true;
    uint32_t before = 0;
    for (uint64_t i = 0; i < p->rows && p->derived; i++) {
        uint8_t ranks[ROW_RANKS];
        ranks_of(bytes + HEADER + ROW_BITMAP * i, &before, ranks);
        p->derived = memcmp(ranks, bytes + p->ranks_at + ROW_RANKS * i, ROW_RANKS) == 0;
    }
    return true;
}

static mst_status parse_record(const uint8_t *bytes, size_t size, mst_parsed_writer *w,
                               mst_diagnostic *diagnostic) {
    parts p;
    if (!find_parts(bytes, size, &p)) {
        mst_fail(diagnostic, MST_DAMAGED, "the parts of the record overlap or run past its end");
        if (diagnostic)
            MST_SET(diagnostic->code, "SFA-VOXMAP");
        return MST_DAMAGED;
    }
    mst_parsed_number(w, 0, 1);
    mst_parsed_bytes(w, bytes, 0x14);
    for (unsigned at = 0x18; at < HEADER; at += 8)
        mst_parsed_bytes(w, bytes + at, 4);
    mst_parsed_note(w, "nodes_offset", MST_BYTES_DERIVED, bytes + 0x14, 4);
    mst_parsed_note(w, "ranks_offset", MST_BYTES_DERIVED, bytes + 0x1C, 4);
    mst_parsed_note(w, "bitmap_offset", MST_BYTES_DERIVED, bytes + 0x24, 4);
    mst_parsed_number(w, p.ranks_first, 1);
    uint64_t bitmap = ROW_BITMAP * p.rows, first = p.ranks_first ? p.ranks_at : p.nodes_at;
    mst_parsed_counted(w, bytes + HEADER, (size_t)bitmap);
    mst_parsed_number(w, p.derived ? 0 : (uint32_t)(2 * p.rows), 4);
    for (uint64_t i = 0; i < p.rows && !p.derived && w->status == MST_OK; i++) {
        const uint8_t *ranks = bytes + p.ranks_at + ROW_RANKS * i;
        mst_parsed_from(w, ranks[0] | (ranks[1] & 15u) << 8, 2, ranks, 2);
        mst_parsed_from(w, (uint32_t)(ranks[1] >> 4 | ranks[2] << 4), 2, ranks + 1, 2);
    }
    if (p.derived)
        mst_parsed_note(w, "ranks", MST_BYTES_DERIVED, bytes + p.ranks_at, ROW_RANKS * p.rows);
    mst_parsed_counted(w, bytes + p.nodes_at, (size_t)(4 * p.nodes));
    mst_parsed_counted(w, bytes + HEADER + bitmap, (size_t)(first - HEADER - bitmap));
    uint64_t first_end = p.ranks_first ? p.ranks_at + ROW_RANKS * p.rows : p.nodes_at + 4 * p.nodes;
    uint64_t second = p.ranks_first ? p.nodes_at : p.ranks_at;
    mst_parsed_counted(w, bytes + first_end, (size_t)(second - first_end));
    uint64_t tail = size - p.end;
    bool standard = mst_sfa_parse_padding(w, bytes, p.end, size);
    mst_parsed_number(w, !tail && !standard, 1);
    mst_parsed_note(w, "padding", MST_BYTES_PADDING, bytes + p.end, standard ? tail : 0);
    return w->status;
}

static mst_status parse_kept(const uint8_t *bytes, size_t size, mst_parsed_writer *w,
                             mst_diagnostic *diagnostic) {
    (void)diagnostic;
    mst_parsed_number(w, 1, 1);
    mst_parsed_bytes(w, bytes, size);
    return w->status;
}

static mst_status serialize_parts(mst_parsed_reader *r, mst_buffer *bytes, mst_diagnostic *diagnostic) {
    const uint8_t *header = mst_parsed_take(r, 0x14), *unknown = mst_parsed_take(r, 12);
    bool ranks_first = mst_parsed_read(r, 1) != 0;
    uint32_t bitmap_size, nodes_size, gap_sizes[2], tail_size;
    const uint8_t *bitmap = mst_parsed_read_counted(r, &bitmap_size);
    uint32_t rank_count = mst_parsed_read(r, 4);
    const uint8_t *ranks = mst_parsed_take(r, 2 * (uint64_t)rank_count);
    const uint8_t *nodes = mst_parsed_read_counted(r, &nodes_size), *gaps[2];
    for (unsigned i = 0; i < 2; i++)
        gaps[i] = mst_parsed_read_counted(r, &gap_sizes[i]);
    const uint8_t *tail = mst_parsed_read_counted(r, &tail_size);
    bool unpadded = mst_parsed_read(r, 1) != 0;
    if (r->failed)
        return mst_fail(diagnostic, MST_REFUSED, "the record is incomplete");
    int64_t rows = (int64_t)(int32_t)mst_load32(header + 12, true) - (int32_t)mst_load32(header + 4, true);
    if (rows < 0 || bitmap_size % ROW_BITMAP || (uint64_t)rows != bitmap_size / ROW_BITMAP)
        return mst_fail(diagnostic, MST_REFUSED,
                        "the bitmap must have 32 bytes for each of the max_y - min_y rows");
    uint64_t count = (uint64_t)rows;
    if (nodes_size != 4 * count_bits(bitmap, bitmap_size))
        return mst_fail(diagnostic, MST_REFUSED,
                        "there must be a node of 4 bytes for each set bit of the bitmap");
    if (rank_count && rank_count != 2 * count)
        return mst_fail(diagnostic, MST_REFUSED, "there must be two ranks for each row, or none");
    mst_parsed_writer w = {.to = bytes, .limit = UINT64_MAX};
    uint64_t first = HEADER + (uint64_t)bitmap_size + gap_sizes[0], ranks_size = ROW_RANKS * count;
    uint64_t second = first + (ranks_first ? ranks_size : nodes_size) + gap_sizes[1];
    uint64_t end = second + (ranks_first ? nodes_size : ranks_size) + tail_size;
    if (end > UINT32_MAX)
        return mst_fail(diagnostic, MST_REFUSED, "the record becomes too large for its offsets");
    mst_parsed_bytes(&w, header, 0x14);
    mst_parsed_number(&w, (uint32_t)(ranks_first ? second : first), 4);
    mst_parsed_bytes(&w, unknown, 4);
    mst_parsed_number(&w, (uint32_t)(ranks_first ? first : second), 4);
    mst_parsed_bytes(&w, unknown + 4, 4);
    mst_parsed_number(&w, HEADER, 4);
    mst_parsed_bytes(&w, unknown + 8, 4);
    mst_parsed_bytes(&w, bitmap, bitmap_size);
    for (unsigned part = 0; part < 2; part++) {
        mst_parsed_bytes(&w, gaps[part], gap_sizes[part]);
        if (ranks_first != (part == 0)) {
            mst_parsed_bytes(&w, nodes, nodes_size);
            continue;
        }
        uint32_t before = 0;
        for (uint64_t i = 0; i < count && w.status == MST_OK; i++) {
            uint8_t packed[ROW_RANKS];
            if (rank_count) {
                uint32_t low = mst_load16(ranks + 4 * i, true), high = mst_load16(ranks + 4 * i + 2, true);
                if (low > 0xFFF || high > 0xFFF)
                    return mst_fail(diagnostic, MST_REFUSED, "a rank must be below 4096");
                pack_ranks(packed, low, high);
            } else {
                ranks_of(bitmap + ROW_BITMAP * i, &before, packed);
            }
            mst_parsed_bytes(&w, packed, sizeof packed);
        }
    }
    mst_parsed_bytes(&w, tail, tail_size);
    if (!tail_size && !unpadded)
        mst_parsed_zeros(&w, (size_t)mst_sfa_padding(end));
    return w.status;
}

static mst_status serialize_record(const uint8_t *parsed, size_t size, mst_buffer *bytes,
                                   mst_diagnostic *diagnostic) {
    mst_parsed_reader reader = {parsed, size, 0, false};
    if (mst_parsed_read(&reader, 1) == 0)
        return serialize_parts(&reader, bytes, diagnostic);
    mst_parsed_writer w = {.to = bytes, .limit = UINT64_MAX};
    mst_parsed_bytes(&w, parsed + 1, size - 1);
    return w.status;
}

static const mst_sfa_content content = {parse_record, serialize_record, parse_kept};
static const mst_sfa_pair voxmap_pair = {
    .parse = mst_sfa_bank_parse, .serialize = mst_sfa_bank_serialize, .content = &content, .list = "entries"};

/* ---- tables ------------------------------------------------------------------------------------- */

#define R_KEPT  12
#define READ    IF(IS(R_KEPT, 0))
#define UNKNOWN .flags = MST_FIELD_DEFAULT, READ

static const mst_field record_fields[] = {
    {.name = "kept",
     U8,
     BIND(R_KEPT),
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,
     .doc = "1: the record's parts are not where they should be, and it is kept as bytes."},
    {.name = "unknown_00", U32, UNKNOWN, .doc = "Not known: the game does not use voxel maps."},
    {.name = "min_y", I32, READ, .unit = "10 units", .doc = "Bottom of the first row of cells."},
    {.name = "unknown_08", U32, UNKNOWN, .doc = "Not known: the game does not use voxel maps."},
    {.name = "max_y", I32, READ, .unit = "10 units", .doc = "Top of the last row."},
    {.name = "unknown_10", U32, UNKNOWN, .doc = "Not known: the game does not use voxel maps."},
    {.name = "unknown_18", U32, UNKNOWN, .doc = "Not known: the game does not use voxel maps."},
    {.name = "unknown_20", U32, UNKNOWN, .doc = "Not known: the game does not use voxel maps."},
    {.name = "unknown_28", U32, UNKNOWN, .doc = "Not known: the game does not use voxel maps."},
    {.name = "ranks_first",
     U8,
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,
     READ,
     .doc = "1: the ranks precede the nodes."},
    {.name = "bitmap",
     .flags = MST_FIELD_CONTENT,
     BYTES,
     READ,
     .doc = "32 bytes per row: 16 x 16 cells of 40 units, at bit x & 7 of byte z * 2 + x / 8."},
    {.name = "ranks",
     U16,
     MST_PREFIXED,
     READ,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Two per row: the number of set bits before its z 0 and before its z 8. Empty if they are "
            "right."},
    {.name = "nodes",
     .flags = MST_FIELD_CONTENT,
     BYTES,
     READ,
     .doc = "4 bytes for each set bit: a byte for each quarter of the cell in z, with 2 bits for each "
            "quarter in x: 0 free, bit 1 blocked."},
    {.name = "gap_1", BYTES, READ, .flags = MST_FIELD_OMIT_EMPTY, .doc = "Bytes after the bitmap."},
    {.name = "gap_2", BYTES, READ, .flags = MST_FIELD_OMIT_EMPTY, .doc = "Bytes between nodes and ranks."},
    {.name = "tail",
     BYTES,
     READ,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after both; empty if they are zeros up to a multiple of 32."},
    {.name = "unpadded",
     U8,
     READ,
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,
     .doc = "1: no zeros follow up to a multiple of 32 bytes."},
    {.name = "bytes", RAW_TO_END, .when = {{MST_NOT_EQUAL, R_KEPT, 0}}, .doc = "The bytes of a kept record."},
};
RECORD(record, "voxel_map", "the walkable cells of a block");

static const mst_field packed_fields[] = {
    MST_SFA_ENTRY_FIELDS,
    {.name = "map",
     .kind = MST_KIND_RECORD,
     .record = &record,
     .when = {MST_SFA_UNDERSTOOD},
     .doc = "Where one can walk in the block."},
};
RECORD(packed, "packed", "a packed voxel map");

static const mst_field entry_fields[] = {
    MST_SFA_BANK_ENTRY_FIELDS(0),
    MST_SFA_BANK_FLAGS_FIELD,
    {.name = "packed",
     .kind = MST_KIND_RECORD,
     .record = &packed,
     MST_SFA_PRESENT(1),
     .doc = "The packed map of the block."},
};
RECORD(entry, "entry", "the voxel map of a block, or an absent one");

static const mst_field file_fields[] = {
    {.name = "entries",
     LIST(entry),
     .flags = MST_FIELD_NUMBERED,
     .doc = "By block number; those below the directory's first are absent."},
    MST_SFA_ORIGINAL_FIELDS,
};
RECORD(file, "voxel_maps", "the walkable cells of the blocks of a directory");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

/* ---- checking ----------------------------------------------------------------------------------- */

static const mst_code_information codes[] = {
    MST_SFA_ENTRY_CODES,
    {"SFA-TAB", MST_ERROR, "the table has no end mark, or an offset is past the end of the file"},
    {"SFA-VOXMAP", MST_WARNING, "the parts of the record are not at their usual places; it is kept as bytes"},
    {"SFA-VOXMAP-RANKS", MST_WARNING, "the ranks are not the numbers of bits set before them"},
};

static mst_status check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), list = mst_member_in(&root, "entries");
    mst_value one, wrapped, map, ranks;
    mst_iterator it = mst_iterate(&list);
    mst_status status = MST_OK;
    for (unsigned i = 0; status == MST_OK && mst_next(&it, &one); i++) {
        char path[48];
        if (mst_member(&one, "packed", &wrapped) != MST_OK)
            continue;
        mst_diagnostic_set(path, sizeof path, "entries[%u].packed", i);
        status = mst_sfa_check_entry(checker, wrapped.offset, path);
        if (status != MST_OK || mst_member(&wrapped, "map", &map) != MST_OK)
            continue;
        bool kept = mst_member(&map, "ranks", &ranks) != MST_OK;
        if (!kept && !mst_count(&ranks))
            continue;
        mst_finding_of(checker, &map, "%s.map%s", path, kept ? "" : ".ranks");
        status = mst_checker_report(checker, kept ? "SFA-VOXMAP" : "SFA-VOXMAP-RANKS");
    }
    return status;
}

/* Removes stored ranks: they are stored only where they are wrong. */
static mst_status fix_ranks(mst_fix_context *fixing) {
    return fixing->set(fixing, fixing->finding->path, "[]");
}

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)bytes, (void)size, (void)file_size, (void)variant;
    return mst_sfa_pair_is_named(name, "VOXMAP");
}

const mst_format mst_format_sfa_voxmap = {
    .information = {.id = "sfa-voxmap",
                    .title = "Star Fox Adventures voxel maps",
                    .extensions = ".bin .tab",
                    .media_type = "",
                    .versions = "",
                    .rows = "entries"},
    .tables.root = &file,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.compared = mst_sfa_compared,
    .identity.big = true,
    .identity.probe = probe,
    MST_SFA_PAIR(voxmap_pair),
    .check.problem_codes = {[MST_PROBLEM_OVERRUN] = "SFA-ZLB", [MST_PROBLEM_COUNT] = "SFA-ZLB"},
    .editing = &(const mst_edit_hooks){MST_SFA_NUMBERED},
    .set = MST_SFA_NUMBERED_BY_BLOCKS,
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.dangling = MST_DANGLING("SFA-VOXMAP-RANKS"),
    .check.fixes = MST_FIXES({"SFA-VOXMAP-RANKS", "counts them again", fix_ranks}),
    .check.check = check,
    .tables.relations =
        "| number | refers to |\n|---|---|\n"
        "| place in `entries` | block number: `first_blocks[mod]` of `TRKBLK.tab` plus `sub` of a cell |\n",
    .tables.listed = MST_LISTED({"voxel_maps", "entries", NULL, "sfa.md 3.3"}),
    .tables.sources = MST_SFA_SOURCES("no file of the game could be measured"),
    .tables.introduction = "`VOXMAP.bin` and `VOXMAP.tab` of a directory of Star Fox Adventures (GameCube, "
                           "2002): one document. Name either file;\n"
                           "the other one is found in the same directory. The game loads the maps but does "
                           "not use them. They divide the block into 16 x 16\n"
                           "cells of 40 units, in rows of 10 units stacked upwards.\n",
    .tables.in_files = {
        MST_SFA_TEXT_TABLE MST_SFA_TEXT_BANK, MST_SFA_TEXT_WRAPPERS
        "\n"
        "## The record in the file\n"
        "\n"
        "Eleven u32: `unknown_00`, `min_y`, `unknown_08`, `max_y`, `unknown_10`, the offset of the nodes, "
        "`unknown_18`, the offset of\n"
        "the ranks, `unknown_20`, the offset of the bitmap (0x2C), `unknown_28`. There are max_y - min_y "
        "rows. The bitmap has 32\n"
        "bytes for each, the nodes 4 bytes for each set bit, the ranks 3 bytes for each row: two numbers of "
        "12 bits, the first\n"
        "in the first byte and the low half of the second: r0 = b0 | (b1 & 15) << 8, r1 = b1 >> 4 | b2 << 4. "
        "Zeros follow up to a\n"
        "multiple of 32.\n"}};
