/* SPDX-License-Identifier: MIT */
/*
 * Files that are not modelled further: packed entries of any content, tables and banks without their
 * counterpart, and files of the game that are identified only by their names.
 */
#include "../../../check/finding.h"
#include "../../../tables/words.h"
#include "../sfa.h"
#include "../sfa_names.h"
#include "bank.h"
#include "entry.h"
#include "layout_text.h"
#include "pair.h"

/* ---- packed entries ------------------------------------------------------------------------------ */

static const mst_field packed_fields[] = {
    MST_SFA_ENTRY_FIELDS,
    {.name = "content",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .when = {MST_SFA_UNDERSTOOD},
     .doc = "The unpacked bytes."},
};
enum { I_packed, I_table = 0, I_kept = 0 }; /* each is the only one of its format */
RECORD(packed, "packed", "a packed entry");
static const mst_record *const packed_records[] = {&packed};
static const mst_code_information packed_codes[] = {MST_SFA_ENTRY_CODES};

static bool probe_packed(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                         mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return mst_sfa_is_wrapped(bytes, size);
}

static const mst_sfa_content content = {NULL, NULL, NULL};

static mst_status check_packed(mst_checker *checker) {
    return mst_sfa_check_entry(checker, 0, "");
}

const mst_format mst_format_sfa_packed = {
    .information = {.id = "sfa-packed",
                    .title = "Star Fox Adventures packed entry",
                    .extensions = "",
                    .media_type = "",
                    .versions = "",
                    .rows = ""},
    .tables.root = &packed,
    .tables.records = packed_records,
    .tables.record_count = MST_COUNT_OF(packed_records),
    .identity.big = true,
    .identity.probe = probe_packed,
    MST_SFA_SINGLE(content),
    .check.problem_codes = {[MST_PROBLEM_OVERRUN] = "SFA-ZLB", [MST_PROBLEM_COUNT] = "SFA-ZLB"},
    .check.codes = &(const mst_codes)MST_CODES(packed_codes),
    .check.check = check_packed,
    .tables.sources = MST_SFA_SOURCES("five streams of the game"),
    .tables.introduction =
        "Any data in a wrapper of Star Fox Adventures (GameCube, 2002): ZLB (zlib), DIR (not "
        "packed), LZOn (LZO1X,\n"
        "read only), FACEFEED (a ZLB after other data) and E0E0E0E0 (not packed, after other data). "
        "Big-endian.\n"
        "Retail streams are zlib's output at level 6 with a window of 2^13 and memory level "
        "9.\n",
    .tables.in_files = {MST_SFA_TEXT_WRAPPERS}};

/* ---- a table or a bank alone --------------------------------------------------------------------- */

static bool is_end_mark(const uint8_t *bytes, bool big) {
    return mst_load32(bytes, big) == 0xFFFFFFFF;
}
static const mst_field table_fields[] = {
    {.name = "words",
     U32,
     .mode = MST_COUNT_SENTINEL,
     .ends = is_end_mark,
     .doc = "Offsets, with flags in the upper bits."},
    {.name = "tail",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "From the end mark on: padding, sometimes with a sum."},
};
static const mst_expression table_expressions[] = {{.ends = is_end_mark, .text = "$ == 0xffffffff"},
                                                   {.text = NULL}};
RECORD(table, "table", "a table of offsets whose bank is missing");
static const mst_record *const table_records[] = {&table};
static const mst_code_information table_codes[] = {
    {"SFA-ALONE", MST_WARNING, "a file that belongs to this one is missing: put it in the same directory"},
    {"SFA-TAB-SUM", MST_INFORMATION,
     "the sum after the table is wrong: the table was modified after the game was released"}};

static bool probe_never(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                        mst_variant *variant) {
    (void)bytes, (void)size, (void)file_size, (void)name, (void)variant;
    return false;
}

static mst_status check_alone(mst_checker *checker) {
    char other[256];
    mst_diagnostic *finding = mst_finding_of(checker, NULL, "%s", "");
    if (mst_sfa_sidecar(checker->document->name, 0, other, sizeof other) < 0)
        return MST_OK;
    MST_SET(finding->message, "the other file of the pair is missing: put it in the same directory");
    return mst_report(checker, "SFA-ALONE", other, "no entry of that name");
}

/* Texture tables have a sum, which the game ignores. */
static mst_status check_table(mst_checker *checker) {
    static const char *const names[] = {"TEX0.tab", "TEX1.tab", "TEXPRE.tab"};
    const mst_document *document = checker->document;
    bool textures = false;
    for (size_t i = 0; i < MST_COUNT_OF(names); i++)
        textures = textures || mst_sfa_is_file(document->name, names[i]);
    uint32_t words, stored, right;
    mst_status status = check_alone(checker);
    if (status != MST_OK || !textures ||
        mst_sfa_table_read(document->data, (size_t)document->size, &words, NULL) != MST_OK ||
        mst_sfa_table_sum(document->data, (size_t)document->size, words, &stored, &right) !=
            MST_SFA_SUM_WRONG)
        return status;
    mst_diagnostic *finding = mst_finding_at(checker, ((uint64_t)words * 4 + 4 + 31) / 32 * 32, 4, "tail");
    MST_SET(finding->expected, "0x%08x", right);
    return mst_report(checker, "SFA-TAB-SUM", NULL, "0x%08x", stored);
}

const mst_format mst_format_sfa_table = {
    .information = {.id = "sfa-table",
                    .title = "Star Fox Adventures table",
                    .extensions = ".tab",
                    .media_type = "",
                    .versions = "",
                    .rows = "words"},
    .tables.root = &table,
    .tables.expressions = table_expressions,
    .tables.records = table_records,
    .tables.record_count = MST_COUNT_OF(table_records),
    .identity.big = true,
    .identity.probe = probe_never,
    .check.codes = &(const mst_codes)MST_CODES(table_codes),
    .check.check = check_table,
    .tables.sources = MST_SFA_SOURCES("one of the game's tables"),
    .tables.introduction = "A table of offsets (.tab) without its bank (.bin) in the same directory.\n"};

/* ---- files identified by name -------------------------------------------------------------------- */

static const mst_field kept_fields[] = {
    {.name = "content", .kind = MST_KIND_RAW, .mode = MST_COUNT_TO_END, .doc = "The bytes of the file."},
};
RECORD(kept, "kept", "a file of the game that is not modelled");
static const mst_record *const kept_records[] = {&kept};

/* Characters, scripts and effects; also the format of banks without a table. */
static bool probe_kept(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                       mst_variant *variant) {
    static const char *const stems[] = {
        "objects",  "tables",   "anim",     "animcurv", "modelind", "models",     "objseq",   "objseq2c",
        "envfxact", "lactions", "amap",     "modanim",  "preanim",  "weapondata", "gametext", "savegame",
        "blocks",   "bits",     "cambient", "fonts",    "screens",  "curves"};
    (void)bytes, (void)size, (void)file_size, (void)variant;
    /* such common words mean nothing in longer names */
    const char *file = name ? mst_sfa_file_name(name) : "";
    for (size_t i = 0; i < MST_COUNT_OF(stems); i++)
        if (strlen(file) == strlen(stems[i]) + sizeof ".bin" - 1 && mst_sfa_pair_is_named(file, stems[i]))
            return true;
    return false;
}

static mst_status check_kept(mst_checker *checker) {
    const char *name = checker->document->name;
    mst_variant variant = {0, true, 0};
    return probe_kept(NULL, 0, 0, name, &variant) ? MST_OK : check_alone(checker);
}

const mst_format mst_format_sfa_kept = {.information = {.id = "sfa-kept",
                                                        .title = "Star Fox Adventures file, kept",
                                                        .extensions = "",
                                                        .media_type = "",
                                                        .versions = "",
                                                        .rows = ""},
                                        .tables.root = &kept,
                                        .tables.records = kept_records,
                                        .tables.record_count = MST_COUNT_OF(kept_records),
                                        .identity.big = true,
                                        .identity.probe = probe_kept,
                                        .check.codes = &(const mst_codes)MST_CODES(table_codes),
                                        .check.check = check_kept,
                                        .tables.sources = MST_SFA_SOURCES("names of files on five discs"),
                                        .tables.introduction =
                                            "Characters, scripts and effects of Star Fox Adventures, "
                                            "identified by name and kept unchanged; and a bank (.bin)\n"
                                            "without its table (.tab) in the same directory.\n"};
