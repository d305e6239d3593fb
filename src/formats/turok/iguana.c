/* SPDX-License-Identifier: MIT */
/*
 * Iguana archives: the container of the data of the 1997-98 games and of the remaster's levels. There are no
 * type tags: the kind of a block is inferred from its bytes by the rules below. Facts: public tools for these
 * games.
 */
#include "../../codec/rnc.h"
#include "../../core/diagnose.h"
#include "../../tables/words.h"
#include "turok.h"

/* layouts */
enum { L_ARCHIVE, L_CONTENT };
/* context variables */
enum { R_STRIDE = 1, R_COUNT, R_PACKED };

#define IN(layout) .when = {{MST_EQUAL, MST_VARIABLE_LAYOUT, (layout)}}

#define RECORDS(X) X(archive) X(block) X(data_set) X(rnc)
enum { RECORDS(RECORD_INDEX) };

/* ---- kinds of blocks ---------------------------------------------------------------------------- */

#define SLACK 16 /* padding may be up to 15 bytes */

static bool is_rnc(const uint8_t *bytes, uint64_t size) {
    return size >= 18 && memcmp(bytes, "RNC", 3) == 0 && (bytes[3] == 1 || bytes[3] == 2) &&
           18 + (uint64_t)mst_load32(bytes + 8, true) <= size;
}

/* Whether offsets ascend from after the header to the end of the block. `total` is the size of the block, of
 * which `size` bytes are given; fewer than `tail` bytes may follow the last offset. */
static bool is_indexed(const uint8_t *bytes, uint64_t size, uint64_t total, bool big, uint64_t tail) {
    if (size < 12)
        return false;
    uint32_t count = mst_load32(bytes, big);
    uint64_t header = mst_archive_header(count), before = header;
    if (!count || header > total)
        return false;
    for (uint32_t i = 0; i <= count; i++) {
        if (!mst_fits(4 + 4 * (uint64_t)i, 4, size))
            return true; /* probing: only the beginning of the file is given */
        uint64_t offset = mst_load32(bytes + 4 + 4 * (uint64_t)i, big);
        if (offset < before || (i == 0 && offset >= header + SLACK) || offset > total + MST_BLOCK_ALIGN - 1)
            return false;
        before = offset;
    }
    return total == MST_SIZE_UNKNOWN || before >= total || total - before < tail;
}

static bool is_data_set(const uint8_t *bytes, uint64_t size, bool big) {
    if (size < 8)
        return false;
    uint64_t used = (uint64_t)mst_load32(bytes, big) * mst_load32(bytes + 4, big);
    return used && used <= size - 8 && size - 8 - used < SLACK;
}

static bool is_zero(const uint8_t *bytes, uint64_t size) {
    for (uint64_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return size >= 8;
}

mst_iguana_kind mst_iguana_kind_of(const uint8_t *bytes, uint64_t size, bool big, bool *ambiguous) {
    bool indexed = is_indexed(bytes, size, size, big, SLACK) &&
                   mst_load32(bytes + 4 + 4 * (uint64_t)mst_load32(bytes, big), big) <= size;
    if (ambiguous)
        *ambiguous = indexed && is_data_set(bytes, size, big);
    if (is_rnc(bytes, size))
        return MST_IGUANA_RNC;
    if (indexed)
        return MST_IGUANA_INDEXED;
    if (is_data_set(bytes, size, big))
        return MST_IGUANA_DATA_SET;
    return is_zero(bytes, size) ? MST_IGUANA_EMPTY : MST_IGUANA_RAW;
}

static bool is_kind(const mst_document *document, uint64_t offset, uint64_t end, mst_iguana_kind kind) {
    return mst_iguana_kind_of(document->data + offset, end - offset, document->variant.big, NULL) == kind;
}
static bool has_blocks(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    (void)context;
    return is_kind(document, offset, end, MST_IGUANA_INDEXED);
}
static bool has_data_set(const mst_document *document, uint64_t offset, uint64_t end,
                         const uint32_t *context) {
    (void)context;
    return is_kind(document, offset, end, MST_IGUANA_DATA_SET);
}
static bool has_rnc(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    (void)context;
    return is_kind(document, offset, end, MST_IGUANA_RNC);
}
static bool has_zeros(const mst_document *document, uint64_t offset, uint64_t end, const uint32_t *context) {
    (void)context;
    return is_kind(document, offset, end, MST_IGUANA_EMPTY);
}

/* ---- tables ------------------------------------------------------------------------------------- */

static const mst_field data_set_fields[] = {
    {.name = "stride", U32, BIND(R_STRIDE), .doc = "Size of an element in bytes."},
    {.name = "count", U32, BIND(R_COUNT), .doc = "Number of elements."},
    {.name = "elements",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_PRODUCT,
     .count_variable = R_STRIDE,
     .count = R_COUNT,
     .doc = "Their content depends on their place; some lists are stored byte plane by byte plane."},
};
static const mst_record data_set = {.name = "data_set",
                                    .index = I_data_set,
                                    .fields = data_set_fields,
                                    .field_count = MST_COUNT_OF(data_set_fields),
                                    .doc = "elements of one size"};

static const mst_field rnc_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, .mode = MST_COUNT_FIXED, .count = 3, .constant = "RNC"},
    {.name = "method", U8, .doc = "1: Huffman codes in 16-bit words; 2: fixed codes in bytes."},
    {.name = "unpacked_size", U32, .flags = MST_FIELD_BIG, .doc = "Number of unpacked bytes."},
    {.name = "packed_size", U32, BIND(R_PACKED), .flags = MST_FIELD_BIG, .doc = "Bytes after this header."},
    {.name = "unpacked_crc",
     U16,
     .flags = MST_FIELD_BIG,
     .doc = "CRC-16 (polynomial 0xA001 reflected, start 0) of the unpacked bytes."},
    {.name = "packed_crc", U16, .flags = MST_FIELD_BIG, .doc = "The same of the packed bytes."},
    {.name = "leeway", U8, .doc = "Not needed for unpacking; kept."},
    {.name = "chunk_count", U8, .doc = "Number of chunks that the packed bytes are divided into."},
    {.name = "packed",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_VARIABLE,
     .count_variable = R_PACKED,
     .flags = MST_FIELD_CONTENT,
     .doc = "The packed bytes; the kind of the unpacked content is inferred as for any block."},
};
static const mst_record rnc = {.name = "rnc",
                               .index = I_rnc,
                               .fields = rnc_fields,
                               .field_count = MST_COUNT_OF(rnc_fields),
                               .doc = "a block packed by RNC (Rob Northen compression)"};

/* The rules of the functions above for other languages: the kinds in the order in which they are tried. */
static const char block_types[] =
    "  rnc_ahead:\n    params:\n      - id: limit\n        type: u8\n    seq:\n"
    "      - id: magic\n        size: 3\n      - id: method\n        type: u1\n"
    "      - id: unpacked\n        type: u4be\n      - id: packed\n        type: u4be\n"
    "    instances:\n      is_one:\n        value: 'magic == [82, 78, 67] and (method == 1 or method == 2) "
    "and "
    "18 + packed <= limit - _io.pos'\n"
    "  offset_ahead:\n    params:\n      - id: before\n        type: u8\n      - id: most\n        type: u8\n"
    "    seq:\n      - id: value\n        type: u4\n"
    "    instances:\n      fits:\n        value: value >= before and value < most\n"
    "  blocks_ahead:\n    params:\n      - id: limit\n        type: u8\n    seq:\n"
    "      - id: mark\n        size: 0\n        if: start >= 0\n      - id: count\n        type: u4\n"
    "      - id: offsets\n        type: 'offset_ahead(_index == 0 ? header : offsets[_index - "
    "1].value.as<u8>, "
    "_index == 0 ? header + 16 : 4294967296)'\n"
    "        repeat: until\n        repeat-until: not _.fits or offsets.size > count\n"
    "        if: count > 0 and header <= limit - start\n"
    "    instances:\n      start:\n        value: _io.pos\n      header:\n        value: 8 + 4 * count\n"
    "      is_one:\n        value: 'count > 0 and header <= limit - start and offsets.last.fits and "
    "offsets.last.value <= limit - start and limit - start - offsets.last.value < 16'\n"
    "  set_ahead:\n    params:\n      - id: limit\n        type: u8\n    seq:\n"
    "      - id: stride\n        type: u4\n      - id: count\n        type: u4\n"
    "    instances:\n      is_one:\n        value: 'stride * count > 0 and stride * count <= limit - _io.pos "
    "- 8 and "
    "limit - _io.pos - 8 - stride * count < 16'\n"
    "  zeros_ahead:\n    params:\n      - id: limit\n        type: u8\n    seq:\n"
    "      - id: bytes\n        type: u1\n        repeat: until\n        repeat-until: '_ != 0 or _io.pos >= "
    "limit'\n"
    "    instances:\n      is_one:\n        value: 'bytes.last == 0'\n";
static const mst_expression expressions[] = {
    {.present = has_rnc, .ahead = "rnc_ahead", .text = "@ >= 18 and %.is_one"},
    {.present = has_blocks, .ahead = "blocks_ahead", .text = "@ >= 12 and %.is_one"},
    {.present = has_data_set, .ahead = "set_ahead", .text = "@ >= 8 and %.is_one"},
    {.present = has_zeros, .ahead = "zeros_ahead", .text = "@ >= 8 and %.is_one"},
    {.text = NULL}};

static const mst_record block;
static const mst_field block_fields[] = {
    {.name = "rnc",
     .kind = MST_KIND_RECORD,
     .record = &rnc,
     .flags = MST_FIELD_STOP,
     .present = has_rnc,
     .doc = "A packed block: begins with RNC and method 1 or 2, and its packed size fits."},
    {.name = "blocks",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_ARCHIVE,
     .record = &block,
     .flags = MST_FIELD_STOP,
     .present = has_blocks,
     .doc = "An archive: offsets ascend from right after the header to the end, give or take 15 bytes."},
    {.name = "data_set",
     .kind = MST_KIND_RECORD,
     .record = &data_set,
     .flags = MST_FIELD_STOP,
     .present = has_data_set,
     .doc = "A data set: its elements fill the block, except for up to 15 bytes."},
    {.name = "empty",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_STOP | MST_FIELD_CONTENT,
     .present = has_zeros,
     .doc = "Eight zeros or more: an archive without blocks or a data set without elements."},
    {.name = "raw",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Any other bytes."},
};
static const mst_record block = {.name = "block",
                                 .index = I_block,
                                 .fields = block_fields,
                                 .field_count = MST_COUNT_OF(block_fields),
                                 .doc = "the first of these that matches"};

static const mst_field archive_fields[] = {
    {.name = "blocks",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_ARCHIVE,
     .record = &block,
     IN(L_ARCHIVE),
     .doc = "What the archive holds, by number; kinds are inferred."},
    {.name = "tail",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes after the archive, kept unchanged.",
     IN(L_ARCHIVE)},
    {.name = "content",
     .kind = MST_KIND_RECORD,
     .record = &block,
     .doc = "Content of a packed block.",
     IN(L_CONTENT)},
    {.name = "padding",
     .kind = MST_KIND_RAW,
     .mode = MST_COUNT_TO_END,
     .flags = MST_FIELD_OMIT_EMPTY,
     .doc = "Bytes that the content does not use, kept unchanged.",
     IN(L_CONTENT)},
};
static const mst_record archive = {.name = "archive",
                                   .index = I_archive,
                                   .fields = archive_fields,
                                   .field_count = MST_COUNT_OF(archive_fields),
                                   .doc = "the file: an indexed archive"};

static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

/* ---- the format --------------------------------------------------------------------------------- */

#define TAIL_MAX 4096 /* bytes after the root archive that probing accepts */

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)name;
    variant->big = false;
    if (is_indexed(bytes, size, file_size, false, TAIL_MAX))
        return true;
    variant->big = is_indexed(bytes, size, file_size, true, TAIL_MAX);
    return variant->big;
}

/* Unpacks the record `rnc`, or the block that contains it. */
static mst_status unpack(const mst_value *value, mst_buffer *bytes, mst_variant *variant,
                         mst_diagnostic *diagnostic) {
    mst_value packed = *value;
    if (mst_value_type(&packed) == MST_TYPE_RECORD && mst_field_of(&packed)->record == &block)
        mst_member(value, "rnc", &packed);
    if (mst_value_type(&packed) != MST_TYPE_RECORD || mst_field_of(&packed)->record != &rnc)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "there is no packed block at this path");
    uint64_t offset, length;
    mst_value_span(&packed, &offset, &length);
    uint8_t *unpacked;
    size_t size;
    mst_status status = mst_rnc_unpack(value->document->data + offset, length, &bytes->allocator, &unpacked,
                                       &size, NULL, diagnostic);
    if (status != MST_OK) {
        if (diagnostic && diagnostic->offset != MST_NO_OFFSET)
            diagnostic->offset += offset;
        return status;
    }
    bytes->data = unpacked;
    bytes->size = bytes->capacity = size;
    variant->layout = L_CONTENT;
    return MST_OK;
}

static const char *const layouts[] = {[L_ARCHIVE] = "archive", [L_CONTENT] = "content"};

const mst_format mst_format_iguana = {
    .information = {.id = "iguana",
                    .title = "Iguana archive",
                    .extensions = ".dat .lsm .lss",
                    .media_type = "",
                    .versions = "",
                    .rows = "blocks"},
    .tables.root = &archive,
    .tables.records = records,
    .tables.expressions = expressions,
    .tables.expression_types = block_types,
    .tables.record_count = MST_COUNT_OF(records),
    .conversion = &(const mst_conversion){.either_order = true,
                                          .order_loss = "only the words of archives and data sets are "
                                                        "converted: fields of records and packed blocks stay "
                                                        "unchanged"},
    .identity.probe = probe,
    .identity.layouts = layouts,
    .identity.layout_count = MST_COUNT_OF(layouts),
    .check.problem_codes = {[MST_PROBLEM_MAGIC] = "RNC-HEADER",
                            [MST_PROBLEM_VERSION] = "IGUANA-OFFSET",
                            [MST_PROBLEM_OVERRUN] = "IGUANA-TRUNCATED",
                            [MST_PROBLEM_STRING] = "IGUANA-COUNT",
                            [MST_PROBLEM_COUNT] = "IGUANA-COUNT",
                            [MST_PROBLEM_TRAILING] = "IGUANA-TRUNCATED",
                            [MST_PROBLEM_OFFSET] = "IGUANA-OFFSET",
                            [MST_PROBLEM_NESTING] = "IGUANA-NESTING"},
    .check.codes = &mst_iguana_codes,
    .content.special = &(const mst_special_content){.unpack = unpack},
    .check.check = mst_iguana_check,
    .tables.listed = MST_LISTED({"archive", "blocks", "packed bytes do not unpack", "turok.md 8"},
                                {"block", "blocks", "packed bytes do not unpack", "turok.md 8"}),
    .tables.sources =
        "Published tools for the games of 1997 and 1998. No archive of these games could be measured, only "
        "levels of the remaster.\n",
    .tables.introduction =
        "The archive that holds the data of Turok (1997), Turok 2 and the remaster's levels: CARTDATA.DAT, "
        ".lsm, .lss,\n"
        "and a part of N64 images. Little-endian on the PC, big-endian on the N64: whichever order makes the "
        "root an archive.\n\n"
        "An indexed archive is u32 count n, u32 offsets[n + 1] from its first byte (the last one is its "
        "end), then the blocks,\n"
        "each at a multiple of 8 (in older data 16), with zeros as padding. An archive without blocks is "
        "eight zero bytes or more.\n"
        "A data set is u32 size of an element, u32 number of elements, then the elements. There are no type "
        "tags: a block is\n"
        "the first of these that matches:\n\n"
        "- packed: it begins with RNC and method 1 or 2, and 18 plus the packed size is at most its size;\n"
        "- an archive: n is 1 or more, the first offset is 8 + 4 n or up to 15 more, no offset descends, and "
        "the last one is at\n"
        "  most the block's size and less than 16 below it;\n"
        "- a data set: element size and number are 1 or more, and the elements end at most 15 bytes before "
        "the block does;\n"
        "- empty: eight bytes or more, all 0;\n"
        "- anything else is bytes.\n\n"
        "Some data sets are stored byte plane by byte plane: byte j of element i of n is at 8 + j n + i. "
        "Nothing in the file\n"
        "indicates this.\n",
    .tables.in_files = {"\n"
                        "## Packed blocks\n\n"
                        "After the header of `rnc`, bits and whole bytes are taken from the same bytes: "
                        "where a bit is needed and none is left,\n"
                        "the next ones are fetched from there, and whole bytes that are taken meanwhile are "
                        "after them. A copy proceeds byte by byte, so\n"
                        "it may overlap its own output. The first two bits have no meaning. The checksums "
                        "are CRC-16 with the polynomial\n"
                        "A001h (8005h with its bits reversed), from 0.\n\n"
                        "**Method 1.** Bits come from u16 in little-endian order, the lowest first, and a "
                        "number's lowest bit is first. Each\n"
                        "of the chunks has three tables of codes and 16 bits n, then n times: a run of "
                        "literal bytes, their number a\n"
                        "code of the first table, and, except the last time, a copy: a code of the second "
                        "table plus 1 is its distance,\n"
                        "one of the third plus 2 is its length. A table is 5 bits m and m lengths of 4 bits, "
                        "of the codes of the\n"
                        "symbols 0 to m - 1; 0: the symbol has none. Codes ascend by length, then by symbol, "
                        "from 0, as usual; their highest bit\n"
                        "is first. Symbols 0 and 1 are the values 0 and 1; symbol s is 2^(s-1) plus the "
                        "number in the next s - 1 bits.\n\n"
                        "**Method 2.** Bits come from single bytes, the highest first, and a number's "
                        "highest bit is first. Then, until the\n"
                        "unpacked size is reached:\n\n"
                        "| bits | content |\n"
                        "|---|---|\n"
                        "| 0 | a literal byte |\n"
                        "| 10, a, 0 | a copy of 4 + a bytes; a distance |\n"
                        "| 10, a, 1, b | a copy of 2 (3 + a) + b bytes; a distance. If that is 9: four bits "
                        "k, and 4 k + 12 literal bytes instead |\n"
                        "| 110 | a copy of 2 bytes; a byte: the distance is one more |\n"
                        "| 1110 | a copy of 3 bytes; a distance |\n"
                        "| 1111 | a byte c: a copy of c + 8 bytes and a distance; if c is 0, the chunk ends, "
                        "and one bit follows: whether another chunk does |\n\n"
                        "A distance is 256 h + l + 1, of bits that give h and then a byte l: 0 is h = 0; 110 "
                        "is 1; 100x is 2 + x; 1 b 1 d 1 is\n"
                        "4 + 2 b + d; 1 b 1 d 0 e is 8 + 4 b + 2 d + e.\n"},
};
