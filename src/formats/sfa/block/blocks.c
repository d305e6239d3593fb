/* SPDX-License-Identifier: MIT */
/* Files of block models: one block, packed or not, and banks of them (mod<N>.zlb.bin and mod<N>.tab). */
#include "blocks.h"
#include "../../../core/diagnose.h"
#include "../../../schema/engine.h"
#include "../../../schema/words.h"
#include "../names.h"
#include "../packing/bank.h"
#include "../packing/layout_text.h"
#include "../scene/scene.h"
#include "../sfa.h"
#include <stdio.h>

const mst_sfa_content mst_sfa_block_content = {mst_sfa_block_parse, mst_sfa_block_serialize,
                                               mst_sfa_block_parse_raw};

static const mst_sfa_pair pair = {.parse = mst_sfa_bank_parse,
                                  .serialize = mst_sfa_bank_serialize,
                                  .content = &mst_sfa_block_content,
                                  .list = "blocks"};

/* ---- tables -------------------------------------------------------------------------------------- */

enum { I_packed = MST_SFA_BLOCK_RECORDS, I_entry, I_bank };

static const mst_field packed_fields[] = {
    MST_SFA_ENTRY_FIELDS,
    {.name = "block", .kind = MST_KIND_RECORD, .record = &mst_sfa_block_record, .when = {MST_SFA_UNDERSTOOD}},
};
RECORD(packed, "packed_block", "a block in its wrapper");

static const mst_field entry_fields[] = {
    MST_SFA_BANK_ENTRY_FIELDS(0),
    MST_SFA_BANK_FLAGS_FIELD,
    {.name = "packed", .kind = MST_KIND_RECORD, .record = &packed, MST_SFA_PRESENT(1)},
};
RECORD(entry, "entry", "a block of the bank, or an absent one");

static const mst_field bank_fields[] = {
    {.name = "blocks",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_PREFIX,
     .prefix = MST_KIND_U32,
     .record = &entry,
     .doc = "By block number; those of preceding directories are absent."},
    MST_SFA_ORIGINAL_FIELDS,
};
RECORD(bank, "blocks", "the blocks of a directory");

static const mst_record *const bank_records[] = {
    MST_SFA_BLOCK_RECORD_LIST, [I_packed] = &packed, [I_entry] = &entry, [I_bank] = &bank};
static const mst_record *const single_records[] = {MST_SFA_BLOCK_RECORD_LIST, [I_packed] = &packed};

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
    /* inserting or deleting entries renumbers them; none was edited then */
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

/* ---- checking ------------------------------------------------------------------------------------ */

typedef struct relay {
    mst_checker *checker;
    const char *path; /* of the block */
    uint64_t offset;
} relay;

static mst_status pass_on(void *user, const mst_diagnostic *found) {
    const relay *to = user;
    mst_diagnostic finding = *found;
    MST_SET(finding.path, "%s%s%s", to->path, found->path[0] ? "." : "", found->path);
    finding.offset += to->offset; /* they all have an offset */
    return mst_checker_report(to->checker, found->code, &finding);
}

static mst_status check_entry(mst_checker *checker, uint64_t entry_offset, const char *path,
                              const char *block) {
    const mst_document *document = checker->document;
    const uint8_t *image;
    uint64_t size, length;
    mst_status status = mst_sfa_check_entry(checker, entry_offset, path);
    if (status != MST_OK || !mst_sfa_entry_content(document->data + entry_offset,
                                                   document->size - entry_offset, &image, &size, &length))
        return status;
    relay to = {checker, block, (uint64_t)(image - document->data)};
    mst_sfa_block view;
    mst_sfa_block_view(image, (size_t)size, &view);
    if (view.raw) {
        /* kept as bytes: parsing them again gives the reason */
        mst_buffer again = {.allocator = document->allocator};
        mst_diagnostic why;
        mst_parsed_writer parsed = {.to = &again, .limit = UINT64_MAX};
        status = mst_sfa_block_parse(view.raw_bytes, view.raw_size, &parsed, &why);
        mst_buffer_free(&again);
        if (status != MST_DAMAGED)
            return status;
        to.offset = (uint64_t)(view.raw_bytes - document->data);
        why.status = MST_OK;
        if (why.offset > view.raw_size)
            why.offset = 0;
        return pass_on(&to, &why);
    }
    return mst_sfa_block_check(image, (size_t)size, pass_on, &to);
}

/* ---- textures of the directory ------------------------------------------------------------------- */

/* Which entries of the directory's texture bank are present; NULL: there is no bank. Allocated from the
 * checker's scratch arena. */
static uint8_t *textures_beside(mst_checker *checker, uint32_t *count) {
    const mst_resolver *sidecars = mst_sfa_resolver_of(checker);
    const void *bytes;
    size_t size;
    uint32_t words;
    if (!sidecars || sidecars->find(sidecars->user, "TEX1.tab", &bytes, &size) != MST_OK ||
        mst_sfa_table_read(bytes, size, &words, NULL) != MST_OK)
        return NULL;
    uint8_t *present = mst_arena_take(&checker->scratch, words + 1, 1);
    *count = words;
    for (uint32_t i = 0; present && i < words; i++)
        present[i] = ((const uint8_t *)bytes)[4 * (size_t)i] >> 7;
    return present;
}

static mst_status check_textures(mst_checker *checker, uint64_t entry_offset, const char *block,
                                 const uint8_t *present, uint32_t count) {
    const mst_document *document = checker->document;
    const uint8_t *image;
    uint64_t size, length;
    mst_sfa_block view;
    if (!present || !mst_sfa_entry_content(document->data + entry_offset, document->size - entry_offset,
                                           &image, &size, &length))
        return MST_OK;
    mst_sfa_block_view(image, (size_t)size, &view); /* has no textures if it is kept as bytes */
    for (unsigned i = 0; i < view.texture_count; i++) {
        uint32_t number = mst_load32(view.textures + 4 * (size_t)i, true);
        if (number < count && present[number])
            continue;
        mst_diagnostic finding;
        mst_fail(&finding, MST_OK, "the texture is not in TEX1 of the block's directory");
        MST_SET(finding.path, "%s.textures[%u]", block, i);
        MST_SET(finding.found, "%u", number);
        mst_status status = mst_checker_report(checker, "SFA-TEXTURE-INDEX", &finding);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

static mst_status check_single(mst_checker *checker) {
    uint32_t count = 0;
    const uint8_t *present = textures_beside(checker, &count);
    mst_status status = check_entry(checker, 0, "", "block");
    return status == MST_OK ? check_textures(checker, 0, "block", present, count) : status;
}

static mst_status check_bank(mst_checker *checker) {
    const mst_document *document = checker->document;
    uint32_t count = 0;
    const uint8_t *present = textures_beside(checker, &count);
    mst_sfa_bank_cursor cursor = mst_sfa_bank_open(document->data, document->size, false);
    while (mst_sfa_bank_next(&cursor)) {
        char path[40], block[60];
        snprintf(path, sizeof path, "blocks[%u].packed", cursor.index);
        snprintf(block, sizeof block, "%s.block", path);
        mst_status status = check_entry(checker, cursor.entry, path, block);
        if (status == MST_OK)
            status = check_textures(checker, cursor.entry, block, present, count);
        if (status != MST_OK)
            return status;
    }
    return MST_OK;
}

/* ---- the formats --------------------------------------------------------------------------------- */

#define PROBLEMS                                                                                             \
    .check.problem_codes = {                                                                                 \
        [MST_PROBLEM_OVERRUN] = "SFA-BLOCK-OFFSET", [MST_PROBLEM_COUNT] = "SFA-BLOCK-COUNT"}

/* mod<N>.tab, mod<N>.zlb.bin, mod<N>.bin */
static bool probe_bank(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                       mst_variant *variant) {
    (void)bytes, (void)size, (void)file_size, (void)variant;
    const char *file = name ? mst_sfa_file_name(name) : "";
    size_t digits = 0;
    if (strlen(file) < 3 || (file[0] | 32) != 'm' || (file[1] | 32) != 'o' || (file[2] | 32) != 'd')
        return false;
    while (digits < 3 && file[3 + digits] >= '0' && file[3 + digits] <= '9')
        digits++;
    const char *ending = file + 3 + digits;
    return digits && (mst_sfa_same_name(ending, ".tab") || mst_sfa_same_name(ending, ".zlb.bin") ||
                      mst_sfa_same_name(ending, ".bin"));
}

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
    .identity.big = true,
    .identity.probe = probe_bank,
    MST_SFA_PAIR(pair),
    .edit.fix_up = fix_up_bank,
    PROBLEMS,
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = check_bank,
    .scene.build = mst_sfa_blocks_scene,
    .tables.introduction =
        "The blocks of a directory of Star Fox Adventures (GameCube, 2002): a table (`mod6.tab`) and its "
        "bank (`mod6.zlb.bin`),\n"
        "which make one document. A block is a square of 640 x 640 units of the world, and each is packed "
        "by itself.\n"
        "Big-endian. Writing recomputes the offsets, counts and bit streams of a block; an unusual layout "
        "is kept in `original`.\n",
    .tables.in_files = {MST_SFA_TEXT_TABLE MST_SFA_TEXT_BANK, MST_SFA_TEXT_WRAPPERS, MST_SFA_TEXT_BLOCK,
                        MST_SFA_TEXT_STREAMS}};

/* Whether the array offsets of the header are inside the block: a further test for files that are cut off or
 * have trailing data, where the block's size differs from the file's. */
static bool is_header(const uint8_t *header, uint32_t block_size) {
    for (size_t at = 0x4C; at <= 0x68; at += 4) {
        uint32_t offset = mst_load32(header + at, true);
        if (offset < MST_SFA_BLOCK_HEADER || offset > block_size)
            return false;
    }
    return true;
}
static bool probe_block(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                        mst_variant *variant) {
    uint8_t header[MST_SFA_BLOCK_HEADER];
    (void)name, (void)variant;
    if (mst_sfa_entry_peek(bytes, size, header, sizeof header) < sizeof header ||
        mst_load32(header + 0x68, true) != MST_SFA_BLOCK_HEADER)
        return false;
    uint32_t block_size = mst_load32(header + 8, true);
    if (!mst_sfa_is_wrapped(bytes, size))
        return block_size % 32 == 0 && (block_size == file_size || is_header(header, block_size));
    return block_size % 32 == 0;
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
    .edit.fix_up = fix_up_single,
    PROBLEMS,
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = check_single,
    .scene.build = mst_sfa_block_scene,
    .tables.introduction =
        "One block of Star Fox Adventures (GameCube, 2002), packed or not: a square of 640 x 640 units of "
        "the world.\n",
    .tables.in_files = {MST_SFA_TEXT_WRAPPERS, MST_SFA_TEXT_BLOCK, MST_SFA_TEXT_STREAMS}};
