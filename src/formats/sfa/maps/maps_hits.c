/* SPDX-License-Identifier: MIT */
/* HITS.bin and HITS.tab: walls, ledges and ladders of all blocks. Sources: public notes on the game's files
 * and code. */
#include "maps_hits.h"
#include "../../../check/finding.h"
#include "../../../edit/single_edit.h"
#include "../../../tables/words.h"
#include "../../present.h"
#include "../packing/layout_text.h"
#include "../packing/pair.h"
#include "../sfa.h"
#include "renumber.h"
#include <stdio.h>

#define RECORDS(X) X(file) X(chunk) X(wall)
enum { RECORDS(RECORD_INDEX) };

/* ---- records ------------------------------------------------------------------------------------ */

/* A parsed record is the file's, except that the flags precede the heights, whose format they determine, and
 * that the byte of the type is divided into its three parts. */
#define HEIGHTS_FILE   12u
#define FLAGS_FILE     14u
#define FLAGS_PARSED   12u
#define HEIGHTS_PARSED 13u
#define TYPE_FILE      15u
#define TYPE_PARSED    15u
#define AFTER_TYPE     16u
#define REST           4u  /* bytes after it */
#define LINE           20u /* bytes */
#define LINE_PARSED    22u
#define TYPE_BITS      0x3Fu
#define DISABLED       0x40u
#define SECOND_CLASS   0x80u
#define ONE_HEIGHT     0x80u
#define BLOCK_SIDE     640

static void bad_offset(mst_diagnostic *diagnostic, uint32_t index, uint64_t min, uint64_t max,
                       uint64_t found) {
    mst_fail(diagnostic, MST_DAMAGED,
             "the table's offset is not between the previous one and the end of the .bin");
    if (diagnostic) {
        MST_SET(diagnostic->code, "SFA-TAB");
        diagnostic->offset = 4 * (uint64_t)index;
        diagnostic->length = 4;
        MST_SET(diagnostic->expected, "%llu to %llu", (unsigned long long)min, (unsigned long long)max);
        MST_SET(diagnostic->found, "%llu", (unsigned long long)found);
    }
}

static void put_line(mst_parsed_writer *w, const uint8_t *line) {
    const uint8_t *type = line + TYPE_FILE;
    mst_parsed_bytes(w, line, HEIGHTS_FILE);
    mst_parsed_bytes(w, line + FLAGS_FILE, 1);
    mst_parsed_bytes(w, line + HEIGHTS_FILE, 2);
    mst_parsed_from(w, *type & TYPE_BITS, 1, type, 1);
    mst_parsed_from(w, (*type & DISABLED) != 0, 1, type, 1);
    mst_parsed_from(w, (*type & SECOND_CLASS) != 0, 1, type, 1);
    mst_parsed_bytes(w, line + AFTER_TYPE, REST);
}

static mst_status parse_hits(const mst_sfa_pair *pair, const mst_file_view *files, mst_parsed_writer *w,
                             mst_diagnostic *diagnostic) {
    (void)pair;
    uint32_t words;
    mst_status status = mst_sfa_table_parse(w, &files[1], &words, diagnostic);
    if (status != MST_OK)
        return status;
    mst_parsed_number(w, words ? words - 1 : 0, 4);
    uint64_t before = 0;
    for (uint32_t i = 0; i < words && w->status == MST_OK; i++) {
        uint64_t offset = mst_sfa_table_word(&files[1], i);
        if (offset < before || offset > files[0].size) {
            bad_offset(diagnostic, i, before, files[0].size, offset);
            mst_parsed_blame(w, files[1].data, false, diagnostic);
            return MST_DAMAGED;
        }
        mst_parsed_note(w, "offset", MST_BYTES_DERIVED, files[1].data + 4 * (size_t)i, 4);
        if (i) {
            const uint8_t *lines = files[0].data + before;
            uint64_t size = offset - before, count = size / LINE;
            mst_parsed_number(w, (uint32_t)count, 4);
            for (uint64_t k = 0; k < count && w->status == MST_OK; k++)
                put_line(w, lines + k * LINE);
            if (mst_sfa_parse_padding(w, lines, count * LINE, size))
                mst_parsed_note(w, "padding", MST_BYTES_PADDING, lines + count * LINE, size % LINE);
        }
        before = offset;
    }
    mst_parsed_counted(w, files[0].data + before, files[0].size - (size_t)before);
    mst_sfa_parse_padding(w, files[1].data, 4 * ((uint64_t)words + 1), files[1].size);
    mst_sfa_table_notes(w, &files[1], words);
    return w->status == MST_OK
               ? MST_OK
               : mst_fail(diagnostic, w->status, "the lines need more memory than the limit allows");
}

static mst_status refuse(mst_diagnostic *diagnostic, uint32_t block, uint32_t line, const char *field,
                         unsigned limit, unsigned found) {
    mst_fail(diagnostic, MST_REFUSED, "the number does not fit into its bits");
    if (diagnostic) {
        MST_SET(diagnostic->path, "blocks[%u].lines[%u].%s", block, line, field);
        MST_SET(diagnostic->expected, "0 to %u", limit);
        MST_SET(diagnostic->found, "%u", found);
    }
    return MST_REFUSED;
}

static mst_status serialize_line(const uint8_t *bytes, mst_parsed_writer *bin, uint32_t block, uint32_t index,
                                 mst_diagnostic *diagnostic) {
    static const char *const parts[] = {"type", "disabled", "second_class"};
    static const uint8_t limits[] = {TYPE_BITS, 1, 1}, shifts[] = {0, 6, 7};
    unsigned type = 0;
    for (unsigned i = 0; i < MST_COUNT_OF(parts); i++) {
        unsigned part = bytes[TYPE_PARSED + i];
        if (part > limits[i])
            return refuse(diagnostic, block, index, parts[i], limits[i], part);
        type |= part << shifts[i];
    }
    mst_parsed_bytes(bin, bytes, HEIGHTS_FILE);
    mst_parsed_bytes(bin, bytes + HEIGHTS_PARSED, 2);
    mst_parsed_bytes(bin, bytes + FLAGS_PARSED, 1);
    mst_parsed_number(bin, type, 1);
    mst_parsed_bytes(bin, bytes + LINE_PARSED - REST, REST);
    return MST_OK;
}

static mst_status serialize_hits(const mst_sfa_pair *pair, mst_parsed_reader *parsed, mst_buffer *files,
                                 mst_diagnostic *diagnostic) {
    (void)pair;
    mst_parsed_writer bin = {.to = &files[0], .limit = UINT64_MAX},
                      table = {.to = &files[1], .limit = UINT64_MAX};
    uint32_t count = mst_parsed_read(parsed, 4), size;
    const uint8_t *bytes;
    mst_parsed_number(&table, 0, 4);
    for (uint32_t i = 0; i < count && !parsed->failed && bin.status == MST_OK && table.status == MST_OK;
         i++) {
        uint32_t lines = mst_parsed_read(parsed, 4);
        size_t begin = files[0].size;
        for (uint32_t k = 0; k < lines && bin.status == MST_OK; k++) {
            bytes = mst_parsed_take(parsed, LINE_PARSED);
            if (!bytes)
                break;
            mst_status fits = serialize_line(bytes, &bin, i, k, diagnostic);
            if (fits != MST_OK)
                return fits;
        }
        bytes = mst_parsed_read_counted(parsed, &size);
        mst_parsed_bytes(&bin, bytes, size);
        mst_parsed_zeros(&bin, (size_t)mst_sfa_padding(files[0].size - begin));
        if (files[0].size >= UINT32_MAX)
            return mst_fail(diagnostic, MST_REFUSED,
                            "the file becomes too large for the offsets in its table");
        mst_parsed_number(&table, (uint32_t)files[0].size, 4);
    }
    bytes = mst_parsed_read_counted(parsed, &size);
    mst_parsed_bytes(&bin, bytes, size);
    mst_sfa_table_end(&table, parsed);
    mst_status status = bin.status != MST_OK ? bin.status : table.status;
    if (status != MST_OK) /* before parsed->failed, as not all lines were read then */
        return mst_fail(diagnostic, status, "out of memory while writing the lines");
    if (parsed->failed)
        return mst_fail(diagnostic, MST_REFUSED, "the lines are incomplete");
    return MST_OK;
}

static const mst_sfa_pair hits_pair = {.parse = parse_hits, .serialize = serialize_hits};

/* ---- lines -------------------------------------------------------------------------------------- */

static const mst_binding hit_items[] = {
    MST_BINDING(mst_sfa_hit, x, "x"),
    MST_BINDING(mst_sfa_hit, y, "y"),
    MST_BINDING(mst_sfa_hit, z, "z"),
    MST_BINDING(mst_sfa_hit, flags, "flags"),
    MST_BINDING(mst_sfa_hit, heights, "heights"),
    MST_BINDING(mst_sfa_hit, height, "height"),
    MST_BINDING(mst_sfa_hit, type, "type"),
    MST_BINDING(mst_sfa_hit, disabled, "disabled"),
    MST_BINDING(mst_sfa_hit, second_class, "second_class"),
    MST_BINDING(mst_sfa_hit, parameter, "parameter"),
    MST_BINDING(mst_sfa_hit, unknown_12, "unknown_12"),
};
const mst_bindings mst_sfa_hit_bindings = MST_BINDINGS(mst_sfa_hit, "line", hit_items);
static const mst_bindings *const bindings[] = {&mst_sfa_hit_bindings};

mst_sfa_hit mst_sfa_hit_of(const mst_bound *bound, const mst_value *line) {
    mst_sfa_hit hit = {.flags = 0};
    mst_fill(bound, line, &hit);
    if (hit.flags & ONE_HEIGHT)
        hit.heights[0] = hit.heights[1] = hit.height;
    return hit;
}

mst_sfa_hit *mst_sfa_hits_of(const mst_value *lines, mst_arena *arena, uint32_t *count) {
    mst_bound bound;
    mst_value line;
    uint64_t capacity = mst_count(lines);
    mst_sfa_hit *hits = mst_arena_take(arena, (size_t)capacity, sizeof *hits);
    *count = 0;
    mst_bind(lines->document, &mst_sfa_hit_bindings, &bound);
    mst_iterator it = mst_iterate(lines);
    while (hits && *count < capacity && mst_next(&it, &line))
        hits[(*count)++] = mst_sfa_hit_of(&bound, &line);
    return hits;
}

static const mst_enum_name type_names[] = {
    {0x01, "barrier"},          {0x02, "grab_ledge"},     {0x03, "climbable_wall"}, {0x04, "jump_off_ledge"},
    {0x05, "jump_off_ledge_5"}, {0x06, "climb_up_ledge"}, {0x0A, "ladder"},         {0x0D, "push_barrier"},
    {0x0E, "tunnel"},           {0x10, "water_edge"},     {0x11, "grab_ledge_11"},  {0x12, "push"},
    {0x13, "electrified"},
};
static const mst_enum types = {type_names, MST_COUNT_OF(type_names)};

const char *mst_sfa_hit_name(unsigned type) {
    return mst_name_of_number(&types, (int64_t)type);
}

bool mst_sfa_hit_is_padding(const mst_sfa_hit *hit) {
    static const mst_sfa_hit none; /* the members leave no gaps between them */
    return memcmp(hit, &none, sizeof none) == 0;
}

bool mst_sfa_hit_is_outside(const int16_t ends[2]) {
    return ends[0] < 0 || ends[0] > BLOCK_SIDE || ends[1] < 0 || ends[1] > BLOCK_SIDE;
}

/* ---- tables ------------------------------------------------------------------------------------- */

#define R_FLAGS 11

static const mst_enum_name flag_names[] = {{4, "inverted_on_load"}, {7, "one_height"}};
static const mst_field wall_fields[] = {
    {.name = "x", I16, FIXED(2), .doc = "Of both ends, in units from the block's corner: 0 to 640."},
    {.name = "y", I16, FIXED(2), .doc = "Of both ends, in units; the block's y_offset is not added."},
    {.name = "z", I16, FIXED(2), .doc = "Of both ends, in units from the block's corner: 0 to 640."},
    {.name = "flags",
     U8,
     BIND(R_FLAGS),
     NAMES(flag_names),
     .doc = "0x80: one height for both ends; 0x10: inverted on loading; the others are unknown.",
     .flags = MST_FIELD_FLAGS},
    {.name = "heights",
     U8,
     FIXED(2),
     .when = {{MST_NO_BIT, R_FLAGS, ONE_HEIGHT}},
     .doc = "Of the wall at both ends, in units."},
    {.name = "height", I16, .when = {{MST_ANY_BIT, R_FLAGS, ONE_HEIGHT}}, .doc = "Of the wall, in units."},
    {.name = "type",
     U8,
     .names = &types,
     .doc = "The effect on anyone who touches it, 0 to 63: 17 acts as 2 while the game runs; 0 in padding. "
            "Others are not known."},
    {.name = "disabled", U8, .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT, .doc = "The line has no effect."},
    {.name = "second_class",
     U8,
     .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,
     .doc = "Not known: public notes only state that it divides lines into two classes."},
    {.name = "parameter", I16, .doc = "The number by which objects switch lines on and off; -1: none."},
    {.name = "unknown_12", I16, .doc = "Not known; 0 according to public notes."},
};
RECORD(wall, "line", "a wall between two ends that acts on whoever touches it");

static const mst_field chunk_fields[] = {
    {.name = "lines",
     LIST(wall),
     .doc = "The game counts as many lines as fit, so padding as long as a line also counts as one."},
    {.name = "tail",
     BYTES,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The remaining bytes; empty if they are zeros up to a multiple of 32."},
};
RECORD(chunk, "block", "the lines of a block");

static const mst_field file_fields[] = {
    {.name = "blocks", LIST(chunk), .flags = MST_FIELD_NUMBERED, .doc = "By block number."},
    {.name = "rest",
     BYTES,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "The bytes of the file after the last block."},
    MST_SFA_TAIL_FIELD,
    MST_SFA_ORIGINAL_FIELDS,
};
RECORD(file, "lines", "the interaction lines of all blocks");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

/* ---- checking ----------------------------------------------------------------------------------- */

static const mst_code_information codes[] = {
    {"SFA-TAB", MST_ERROR, "the table has no end mark, or an offset is past the end of the file"},
    {"SFA-HIT-RANGE", MST_WARNING, "an end of the line is outside the block: the game disables the line"},
    {"SFA-HIT-PADDING", MST_INFORMATION, "the line is padding"},
};

static mst_status check_line(mst_checker *checker, const mst_sfa_hit *hit, const mst_value *line,
                             unsigned block, unsigned index) {
    bool x = mst_sfa_hit_is_outside(hit->x), z = mst_sfa_hit_is_outside(hit->z);
    if (mst_sfa_hit_is_padding(hit)) {
        mst_finding_of(checker, line, "blocks[%u].lines[%u]", block, index);
        return mst_checker_report(checker, "SFA-HIT-PADDING");
    }
    if (!x && !z)
        return MST_OK;
    const char *axis = x ? "x" : "z";
    const int16_t *ends = x ? hit->x : hit->z;
    mst_value place = mst_member_in(line, axis);
    mst_finding_of(checker, &place, "blocks[%u].lines[%u].%s", block, index, axis);
    return mst_report(checker, "SFA-HIT-RANGE", "0 to 640", "%d, %d", ends[0], ends[1]);
}

static mst_status check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), blocks = mst_member_in(&root, "blocks"), block, line;
    mst_bound bound;
    mst_status status = MST_OK;
    mst_bind(checker->document, &mst_sfa_hit_bindings, &bound);
    mst_iterator it = mst_iterate(&blocks);
    for (unsigned b = 0; mst_next(&it, &block); b++) {
        mst_value lines = mst_member_in(&block, "lines");
        mst_iterator each = mst_iterate(&lines);
        for (unsigned i = 0; status == MST_OK && mst_next(&each, &line); i++) {
            mst_sfa_hit hit = mst_sfa_hit_of(&bound, &line);
            status = check_line(checker, &hit, &line, b, i);
        }
    }
    return status;
}

/* ---- editing ------------------------------------------------------------------------------------ */

#define PAD 32u /* the lines of a block take a multiple of it */

static uint64_t padded(uint64_t lines) {
    return (lines * LINE + PAD - 1) / PAD;
}

/* The lines of a block up to the last that is not all zeros. */
static uint64_t real_lines(const mst_value *lines) {
    static const uint8_t zeros[LINE_PARSED];
    uint64_t count = mst_count(lines);
    mst_value last;
    while (count && mst_element(lines, count - 1, &last) == MST_OK &&
           memcmp(lines->document->data + last.offset, zeros, LINE_PARSED) == 0)
        count--;
    return count;
}

static bool lines_of(const mst_document *document, uint64_t block, mst_value *lines) {
    mst_value root = mst_root(document), blocks, at;
    return mst_member(&root, "blocks", &blocks) == MST_OK && mst_element(&blocks, block, &at) == MST_OK &&
           mst_member(&at, "lines", lines) == MST_OK;
}

/* When a line was removed from a block, also removes lines of zeros at its end that are no longer needed as
 * padding. */
static mst_status settle(const mst_document *before, mst_document *after, const mst_edit_options *options,
                         mst_diagnostic *diagnostic) {
    (void)options;
    mst_value old, now, blocks, root = mst_root(before);
    mst_status status = MST_OK;
    uint64_t count = mst_member(&root, "blocks", &blocks) == MST_OK ? mst_count(&blocks) : 0;
    root = mst_root(after);
    if (mst_member(&root, "blocks", &blocks) != MST_OK || mst_count(&blocks) != count)
        return MST_OK; /* blocks were inserted or removed */
    after->between = true;
    for (uint64_t i = 0; i < count && status == MST_OK; i++) {
        if (!lines_of(before, i, &old) || !lines_of(after, i, &now))
            continue;
        uint64_t real = real_lines(&now), all = mst_count(&now);
        bool went = real < real_lines(&old) && padded(real) < padded(all);
        for (; went && all > real && status == MST_OK; all--) {
            char path[60];
            snprintf(path, sizeof path, "blocks[%llu].lines[%llu]", (unsigned long long)i,
                     (unsigned long long)all - 1);
            status = mst_edit_remove(after, path, diagnostic);
        }
    }
    after->between = false;
    return status;
}

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)bytes, (void)size, (void)file_size, (void)variant;
    return mst_sfa_pair_is_named(name, "HITS");
}

const mst_format mst_format_sfa_hits = {
    .information = {.id = "sfa-hits",
                    .title = "Star Fox Adventures interaction lines",
                    .extensions = ".bin .tab",
                    .media_type = "",
                    .versions = "",
                    .rows = "blocks"},
    .tables.root = &file,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .tables.compared = mst_sfa_compared,
    .tables.bindings = bindings,
    .tables.bindings_count = MST_COUNT_OF(bindings),
    .identity.big = true,
    .identity.probe = probe,
    MST_SFA_PAIR(hits_pair),
    .editing = &(const mst_edit_hooks){MST_SFA_NUMBERED, .settle = settle, .one_by_one = true},
    /* writing the files pads the lines of a block */
    .check.problem_codes = {[MST_PROBLEM_OVERRUN] = "SFA-TAB", [MST_PROBLEM_COUNT] = "SFA-TAB"},
    .set = MST_SFA_NUMBERED_BY_BLOCKS,
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = check,
    .tables.relations =
        "| number | refers to |\n|---|---|\n"
        "| place in `blocks` | block number: `first_blocks[mod]` of `TRKBLK.tab` plus `sub` of a cell |\n"
        "| `line.parameter` | `line_parameter` of the HitAnimator objects that switch the line |\n",
    .tables.listed = MST_LISTED({"lines", "blocks", NULL, "sfa.md 3.7"}),
    .tables.sources = MST_SFA_SOURCES("no file of the game could be measured"),
    .tables.introduction = "`HITS.bin` and `HITS.tab` of Star Fox Adventures (GameCube, 2002): one document. "
                           "Name either file; the other one is\n"
                           "found in the same directory. The wall of a line is the quad (x0, y0, z0), (x0, "
                           "y0 + h0, z0), (x1, y1 + h1, z1), (x1, y1, z1).\n"
                           "The lines of a block take a multiple of 32 bytes, and the game counts as many as "
                           "fit: padding makes further lines,\n"
                           "all zero.\n",
    .tables.in_files = {MST_SFA_TEXT_TABLE
                        "\n"
                        "The words of the table are the offset of each block's lines in `HITS.bin`, and the "
                        "offset of the end of the last line. A line has\n"
                        "20 bytes: i16 `x`[2], `y`[2], `z`[2]; at 12 the two u8 `heights` or the i16 "
                        "`height`; at 14 u8 `flags`, at 15 u8 with\n"
                        "`type` in bits 0 to 5, `disabled` in bit 6 and `second_class` in bit 7, at 16 i16 "
                        "`parameter`, i16 `unknown_12`.\n"}};
