/* SPDX-License-Identifier: MIT */
/* Files of block models: one block, packed or not, and banks of them (mod<N>.zlb.bin and mod<N>.tab). */
#include "blocks.h"
#include "../../../check/finding.h"
#include "../../../edit/fix_findings.h"
#include "../../../edit/single_edit.h"
#include "../../../tables/words.h"
#include "../../present.h"
#include "../maps/renumber.h"
#include "../packing/bank.h"
#include "../packing/layout_text.h"
#include "../scene/sfa_scene.h"
#include "../sfa.h"
#include "../sfa_names.h"
#include <stdio.h>

const mst_sfa_content mst_sfa_block_content = {mst_sfa_block_parse, mst_sfa_block_serialize,
                                               mst_sfa_block_parse_raw};

static const mst_sfa_pair pair = {.parse = mst_sfa_bank_parse,
                                  .serialize = mst_sfa_bank_serialize,
                                  .content = &mst_sfa_block_content,
                                  .list = "blocks"};

/* ---- tables -------------------------------------------------------------------------------------- */

enum { I_packed = MST_SFA_BLOCK_RECORD_COUNT, I_entry, I_bank };

static const mst_field packed_fields[] = {
    MST_SFA_ENTRY_FIELDS,
    {.name = "block",
     .kind = MST_KIND_RECORD,
     .record = &mst_sfa_block_record,
     .when = {MST_SFA_UNDERSTOOD},
     .doc = "The packed content: the model of a cell."},
};
RECORD(packed, "packed_block", "a block in its wrapper");

static const mst_field entry_fields[] = {
    MST_SFA_BANK_ENTRY_FIELDS(0),
    MST_SFA_BANK_FLAGS_FIELD,
    {.name = "packed",
     .kind = MST_KIND_RECORD,
     .record = &packed,
     MST_SFA_PRESENT(1),
     .doc = "The packed block."},
};
RECORD(entry, "entry", "a block of the bank, or an absent one");

static const mst_field bank_fields[] = {
    {.name = "blocks",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U32,
     .record = &entry,
     .flags = MST_FIELD_NUMBERED,
     .doc = "By block number; the blocks of preceding directories are absent."},
    MST_SFA_ORIGINAL_FIELDS,
};
RECORD(bank, "blocks", "the blocks of a directory");

static const mst_record *const bank_records[] = {MST_SFA_BLOCK_RECORDS(MST_SFA_BLOCK_ADDRESS) & packed,
                                                 &entry, &bank};
static const mst_record *const single_records[] = {MST_SFA_BLOCK_RECORDS(MST_SFA_BLOCK_ADDRESS) & packed};

static const mst_code_information codes[] = {
    MST_SFA_ENTRY_CODES,
    MST_SFA_BLOCK_CODES,
    {"SFA-TAB", MST_ERROR, "the table has no end mark, or an entry begins after the end of the bank"},
};

/* ---- fixing up after edits ------------------------------------------------------------------------ */

static void fix_up_entry(const mst_document *before, uint64_t old, const mst_document *after, uint64_t new,
                         uint8_t *bytes) {
    const uint8_t *from, *to;
    uint64_t from_size, to_size, length;
    if (mst_sfa_entry_content(before->data + old, before->size - old, &from, &from_size, &length) &&
        mst_sfa_entry_content(after->data + new, after->size - new, &to, &to_size, &length))
        mst_sfa_block_fix_up(from, (size_t)from_size, bytes + (to - after->data), (size_t)to_size);
}

static void fix_up_single(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    fix_up_entry(before, 0, after, 0, bytes);
}

static void fix_up_bank(const mst_document *before, const mst_document *after, uint8_t *bytes) {
    mst_sfa_bank_cursor old = mst_sfa_bank_open(before->data, before->size, false);
    mst_sfa_bank_cursor new = mst_sfa_bank_open(after->data, after->size, false);
    /* inserting or removing entries renumbers them; no entry was edited then */
    if (old.count != new.count)
        return;
    bool more = mst_sfa_bank_next(&old) && mst_sfa_bank_next(&new);
    while (more) {
        if (old.index != new.index) { /* present in only one of them */
            more = mst_sfa_bank_next(old.index < new.index ? &old : &new);
            continue;
        }
        uint64_t a = old.reader.at - old.entry, b = new.reader.at - new.entry;
        bool same = a == b && memcmp(before->data + old.entry, after->data + new.entry, (size_t)a) == 0;
        if (!same)
            fix_up_entry(before, old.entry, after, new.entry, bytes);
        more = mst_sfa_bank_next(&old) && mst_sfa_bank_next(&new);
    }
}

/* A group is only removed when it has no polygons: they would get the surface of the group before, or
 * none. For the same reason a new group that begins where the previous one does (a copy) gets none of its
 * polygons. */
static const char *keep_polygons(const mst_value *list, const mst_document *after, uint64_t index, int by,
                                 uint8_t *bytes) {
    if (!by || mst_field_of(list)->record != &mst_sfa_group_record)
        return NULL;
    mst_column firsts = mst_column_in(list, "first_polygon"); /* the sentinel follows the last group */
    if (by > 0 && index) {
        mst_column now = firsts;
        uint8_t *rows = bytes + (firsts.data - list->document->data);
        now.data = rows;
        now.count++;
        if (mst_column_u16(&now, (uint32_t)index, 0) == mst_column_u16(&now, (uint32_t)index - 1, 0))
            mst_store16(rows + index * now.stride, (uint16_t)mst_column_u16(&now, (uint32_t)index + 1, 0),
                        after->variant.big);
    }
    if (by > 0)
        return NULL;
    unsigned first = mst_column_u16(&firsts, (uint32_t)index, 0),
             end = mst_column_u16(&firsts, (uint32_t)index + 1, 0);
    return first < end ? "the group has polygons: remove those first" : NULL;
}

static bool has_polygons(const mst_value *list, int by, bool last) {
    (void)by, (void)last;
    return mst_field_of(list)->record == &mst_sfa_group_record;
}

/* Recomputes values after several steps of an edit: between the steps they may have been inconsistent. */
static mst_status settle_bank(const mst_document *before, mst_document *after,
                              const mst_edit_options *options, mst_diagnostic *diagnostic) {
    (void)options, (void)diagnostic;
    fix_up_bank(before, after, mst_edit_bytes(after));
    return MST_OK;
}

static mst_status settle_single(const mst_document *before, mst_document *after,
                                const mst_edit_options *options, mst_diagnostic *diagnostic) {
    (void)options, (void)diagnostic;
    fix_up_single(before, after, mst_edit_bytes(after));
    return MST_OK;
}

/* ---- checking ------------------------------------------------------------------------------------ */

/* The table of the directory's textures; data NULL: none. */
typedef struct textures {
    mst_file_view table;
    uint32_t count;
} textures;

static textures textures_beside(const mst_checker *checker) {
    textures found = {{NULL, 0}, 0};
    if (!mst_sfa_find_beside(checker, "TEX1.tab", &found.table) ||
        mst_sfa_table_read(found.table.data, found.table.size, &found.count, NULL) != MST_OK)
        return (textures){{NULL, 0}, 0};
    return found;
}

static mst_status check_textures(mst_checker *checker, uint64_t image, uint64_t size, const char *path,
                                 const textures *beside) {
    mst_sfa_block view;
    mst_status status = MST_OK;
    if (!beside->table.data)
        return MST_OK;
    mst_sfa_block_view(checker->document->data + image, (size_t)size, &view); /* raw: has no textures */
    for (unsigned i = 0; i < view.textures.count && status == MST_OK; i++) {
        uint32_t number = mst_column_u32(&view.textures, i, 0);
        if (number < beside->count && mst_sfa_table_word(&beside->table, number) >> 31) /* it is present */
            continue;
        mst_diagnostic *finding = mst_finding_of(checker, NULL, "%s.textures[%u]", path, i);
        MST_SET(finding->message, "the texture is not in TEX1 of the block's directory");
        status = mst_report(checker, "SFA-TEXTURE-INDEX", NULL, "%u", number);
    }
    return status;
}

static mst_status check_entry(mst_checker *checker, uint64_t entry_offset, const char *path,
                              const char *block, const textures *beside) {
    const mst_document *document = checker->document;
    const uint8_t *image;
    uint64_t size, length;
    mst_status status = mst_sfa_check_entry(checker, entry_offset, path);
    if (status != MST_OK || !mst_sfa_entry_content(document->data + entry_offset,
                                                   document->size - entry_offset, &image, &size, &length))
        return status;
    uint64_t at = (uint64_t)(image - document->data);
    status = mst_sfa_block_check(checker, at, size, block);
    return status == MST_OK ? check_textures(checker, at, size, block, beside) : status;
}

static mst_status check_single(mst_checker *checker) {
    textures beside = textures_beside(checker);
    return check_entry(checker, 0, "", "block", &beside);
}

static mst_status check_bank(mst_checker *checker) {
    const mst_document *document = checker->document;
    textures beside = textures_beside(checker);
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, false);
    mst_status status = MST_OK;
    while (status == MST_OK && mst_sfa_bank_next(&cursor)) {
        char path[40], block[60];
        snprintf(path, sizeof path, "blocks[%u].packed", cursor.index);
        snprintf(block, sizeof block, "%s.block", path);
        status = check_entry(checker, cursor.entry, path, block, &beside);
    }
    return status;
}

/* Cells count a directory's blocks from its first one. */
static uint64_t first_present(const mst_document *document) {
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, false);
    return mst_sfa_bank_next(&cursor) ? cursor.index : cursor.count;
}

/* ---- the formats --------------------------------------------------------------------------------- */

#define PROBLEMS                                                                                             \
    .check.problem_codes = {                                                                                 \
        [MST_PROBLEM_OVERRUN] = "SFA-BLOCK-OFFSET", [MST_PROBLEM_COUNT] = "SFA-BLOCK-COUNT"}

/* mod<N>.tab, mod<N>.zlb.bin, mod<N>.bin */
static bool is_bank_name(const char *file) {
    size_t digits = 0;
    if (strlen(file) < 3 || (file[0] | 32) != 'm' || (file[1] | 32) != 'o' || (file[2] | 32) != 'd')
        return false;
    while (digits < 3 && file[3 + digits] >= '0' && file[3 + digits] <= '9')
        digits++;
    const char *ending = file + 3 + digits;
    return digits && (mst_same_text(ending, ".tab") || mst_same_text(ending, ".zlb.bin") ||
                      mst_same_text(ending, ".bin"));
}

/* After the name of a folder, a table or packed bytes are also required: mod<N> is short. */
static bool probe_bank(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                       mst_variant *variant) {
    (void)file_size, (void)variant;
    const char *file = name ? mst_sfa_file_name(name) : "";
    if (is_bank_name(file))
        return true;
    while (*(file += strcspn(file, MST_SFA_SEPARATORS)))
        if (is_bank_name(++file))
            return mst_sfa_name_ends(file, ".tab") || mst_sfa_is_wrapped(bytes, size);
    return false;
}

/* Of both formats; a list that no stream draws cannot be in the file. */
#define BLOCK_LISTED(...) MST_LISTED({"block", "lists", "no stream would draw it", "sfa.md 3.9"}, __VA_ARGS__)

#define BLOCK_FIXES                                                                                          \
    MST_FIXES({"SFA-BOUNDS", "sets it to the vertices' range", NULL},                                        \
              {"SFA-SUB-BLOCKS", "sets the strips that the polygon touches", NULL},                          \
              {"SFA-BITS", "sets the address in the stream", NULL})

const mst_format mst_format_sfa_blocks = {
    .information = {.id = "sfa-blocks",
                    .title = "Star Fox Adventures block bank",
                    .extensions = ".bin .tab",
                    .media_type = "",
                    .versions = "",
                    .rows = "blocks"},
    .tables.root = &bank,
    .tables.records = bank_records,
    .tables.record_count = MST_COUNT_OF(bank_records),
    .tables.compared = mst_sfa_compared,
    .identity.big = true,
    .identity.probe = probe_bank,
    MST_SFA_PAIR(pair),
    .fix_up = fix_up_bank,
    .set = &(const mst_set_rules){.names_elsewhere = {"textures", "textures"},
                                  .renumber_files = mst_sfa_renumber_blocks,
                                  .numbers_begin = first_present},
    .editing =
        &(const mst_edit_hooks){
            .renumber = keep_polygons, .alone = has_polygons, .settle = settle_bank, MST_SFA_NUMBERED},
    PROBLEMS,
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.fixes = BLOCK_FIXES,
    .check.check = check_bank,
    .build_scene = mst_sfa_blocks_scene,
    .tables.relations = "| number | refers to |\n|---|---|\n"
                        "| place in `blocks` | block number: `first_blocks[mod]` of `TRKBLK.tab` plus `sub` "
                        "of a cell; the same place in `HITS.tab` and `VOXMAP.tab` |\n"
                        "| `block.textures[]` | the place of an entry in `TEX1.tab` of the same directory "
                        "(SFA-TEXTURE-INDEX) |\n",
    .tables.listed = BLOCK_LISTED({"blocks", "blocks", NULL, "sfa.md 5"},
                                  {"block", "polygon_groups", "the group has polygons", "sfa.md 3.9"}),
    .tables.sources = MST_SFA_SOURCES("two blocks of the game's discs, and one of its tables"),
    .tables.introduction = "The blocks of a directory of Star Fox Adventures (GameCube, 2002): a table "
                           "(`mod6.tab`) and its bank (`mod6.zlb.bin`),\n"
                           "which make one document. A block is a square of 640 x 640 units of the world, "
                           "and is packed separately.\n"
                           "Big-endian. Writing recomputes the offsets, counts and bit streams of a block; "
                           "an unusual layout is kept in `original`.\n",
    .tables.in_files = {MST_SFA_TEXT_TABLE MST_SFA_TEXT_BANK, MST_SFA_TEXT_WRAPPERS, MST_SFA_TEXT_BLOCK,
                        MST_SFA_TEXT_STREAMS}};

static bool probe_block(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                        mst_variant *variant) {
    uint8_t header[MST_SFA_BLOCK_HEADER];
    (void)name, (void)variant;
    return mst_sfa_entry_peek(bytes, size, header, sizeof header) == sizeof header &&
           mst_sfa_block_probe(
               header, mst_sfa_is_wrapped(bytes, size) || file_size == MST_SIZE_UNKNOWN ? 0 : file_size);
}
const mst_format mst_format_sfa_block = {
    .information = {.id = "sfa-block",
                    .title = "Star Fox Adventures block",
                    .extensions = ".block",
                    .media_type = "",
                    .versions = "",
                    .rows = ""},
    .tables.root = &packed,
    .tables.records = single_records,
    .tables.record_count = MST_COUNT_OF(single_records),
    .identity.big = true,
    .identity.probe = probe_block,
    MST_SFA_SINGLE(mst_sfa_block_content),
    .fix_up = fix_up_single,
    .set = &(const mst_set_rules){.names_elsewhere = {"textures", "textures"}},
    .editing =
        &(const mst_edit_hooks){.renumber = keep_polygons, .alone = has_polygons, .settle = settle_single},
    PROBLEMS,
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.fixes = BLOCK_FIXES,
    .check.check = check_single,
    .build_scene = mst_sfa_block_scene,
    .tables.relations = "| number | refers to |\n|---|---|\n"
                        "| `block.textures[]` | the place of an entry in `TEX1.tab` of the same directory "
                        "(SFA-TEXTURE-INDEX) |\n",
    .tables.listed = BLOCK_LISTED({"block", "polygon_groups", "the group has polygons", "sfa.md 3.9"}),
    .tables.sources = MST_SFA_SOURCES("two blocks of the game's discs"),
    .tables.introduction =
        "One block of Star Fox Adventures (GameCube, 2002), packed or not: a square of 640 x 640 units of "
        "the world.\n",
    .tables.in_files = {MST_SFA_TEXT_WRAPPERS, MST_SFA_TEXT_BLOCK, MST_SFA_TEXT_STREAMS}};
