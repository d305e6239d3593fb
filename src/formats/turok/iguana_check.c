/* SPDX-License-Identifier: MIT */
/* Checks of an Iguana archive and of the packed blocks in it. */
#include "../../check/finding.h"
#include "../../codec/rnc.h"
#include "turok.h"

static const mst_code_information codes[] = {
    {"IGUANA-OFFSET", MST_ERROR, "offsets descend, or point into a header"},
    {"IGUANA-COUNT", MST_ERROR, "a count is too large for the remaining bytes"},
    {"IGUANA-TRUNCATED", MST_ERROR, "a block extends past the end of the file"},
    {"IGUANA-NESTING", MST_ERROR, "archives are nested too deeply for a file of this size"},
    {"IGUANA-AMBIGUOUS", MST_INFORMATION,
     "the block could be a data set or an archive: it is read as an archive"},
    {"IGUANA-TAIL", MST_WARNING, "bytes follow the archive; they are kept unchanged"},
    {"IGUANA-TAIL-SHORT", MST_WARNING, "the last bytes of the archive are missing; they may be only padding"},
    {"RNC-HEADER", MST_ERROR, "the header of a packed block is not valid"},
    {"RNC-SIZE", MST_ERROR, "the packed bytes unpack to more or fewer bytes than the header states"},
    {"RNC-DISTANCE", MST_ERROR,
     "the packed bytes refer to a position before the beginning of the unpacked bytes"},
    {"RNC-CODE", MST_ERROR, "the packed bytes contain a code that does not exist"},
    {"RNC-CRC", MST_WARNING,
     "a checksum of the packed block is wrong: some of the unpacked bytes are probably damaged"},
};
const mst_codes mst_iguana_codes = MST_CODES(codes);

#define LEVELS 64

/* a packed block's header */
#define RNC_MARK        4u
#define RNC_PACKED_SIZE 8u
#define RNC_CRC         12u
#define RNC_HEADER      18u

typedef struct walk {
    mst_checker *checker;
    const mst_document *document;
    struct {
        const char *name;
        uint64_t index;
    } steps[LEVELS];
    uint32_t depth;
} walk;

/* Begins a finding about bytes of an item, with the item's path. */
static mst_diagnostic *finding_in(const walk *w, const mst_item *item, uint64_t offset, uint64_t length) {
    mst_diagnostic *finding = mst_finding(w->checker, offset, length);
    size_t written = 0;
    for (uint32_t i = 0; i < w->depth && i < LEVELS; i++)
        written =
            mst_path_step(finding->path, sizeof finding->path, written, w->steps[i].name, w->steps[i].index);
    mst_path_step(finding->path, sizeof finding->path, written, item->name, item->index);
    return finding;
}

static mst_status check_rnc(const walk *w, const mst_item *item) {
    mst_diagnostic why;
    uint8_t *unpacked = NULL;
    size_t size = 0;
    unsigned mismatches = 0;
    const mst_allocator *allocator = &w->document->allocator;
    memset(&why, 0, sizeof why);
    mst_status status = mst_rnc_unpack(w->document->data + item->offset, item->limit - item->offset,
                                       allocator, &unpacked, &size, &mismatches, &why);
    if (unpacked)
        allocator->resize(allocator->user, unpacked, size, 0);
    if (status == MST_NO_MEMORY)
        return status;
    if (status == MST_DAMAGED) {
        mst_diagnostic *finding = finding_in(w, item, item->offset + why.offset, why.length);
        MST_SET(finding->message, "%s", why.message);
        return mst_report(w->checker, why.code, why.expected, "%s", why.found);
    }
    if (!mismatches)
        return MST_OK;
    finding_in(w, item, item->offset + RNC_CRC, 4);
    return mst_report(w->checker, "RNC-CRC", NULL, "a different checksum of the %s bytes",
                      mismatches & MST_RNC_PACKED_CRC ? "packed" : "unpacked");
}

/* Other bytes that begin like a packed block are a damaged packed block. */
static mst_status check_raw(const walk *w, const mst_item *item) {
    const uint8_t *bytes = w->document->data + item->offset;
    if (item->length < RNC_MARK || memcmp(bytes, "RNC", 3) != 0 || (bytes[3] != 1 && bytes[3] != 2))
        return MST_OK;
    mst_diagnostic *finding = finding_in(w, item, item->offset, RNC_MARK);
    if (item->length < RNC_HEADER) {
        MST_SET(finding->expected, "a header of %u bytes", RNC_HEADER);
        return mst_report(w->checker, "RNC-HEADER", NULL, "%llu", (unsigned long long)item->length);
    }
    finding->offset += RNC_PACKED_SIZE;
    MST_SET(finding->expected, "at most %llu packed bytes", (unsigned long long)(item->length - RNC_HEADER));
    return mst_report(w->checker, "RNC-HEADER", NULL, "%u", mst_load32(bytes + RNC_PACKED_SIZE, true));
}

static mst_status check_ambiguous(const walk *w, const mst_item *item) {
    bool ambiguous;
    uint64_t length = item->limit - item->offset;
    mst_iguana_kind_of(w->document->data + item->offset, length, w->document->variant.big, &ambiguous);
    if (!ambiguous)
        return MST_OK;
    finding_in(w, item, item->offset, length);
    return mst_checker_report(w->checker, "IGUANA-AMBIGUOUS");
}

static mst_status visit(void *user, const mst_item *item) {
    walk *w = user;
    mst_status status = MST_OK;
    switch (item->kind) {
    case MST_ITEM_BEGIN_RECORD:
        if (strcmp(item->name, "rnc") == 0) {
            status = check_rnc(w, item);
            return status == MST_OK ? MST_UNKNOWN : status;
        }
        if (strcmp(item->record->name, "block") == 0 && mst_checker_wants(w->checker, "IGUANA-AMBIGUOUS"))
            status = check_ambiguous(w, item);
        __attribute__((fallthrough));
    case MST_ITEM_BEGIN_LIST:
        if (w->depth < LEVELS) {
            w->steps[w->depth].name = item->name;
            w->steps[w->depth].index = item->index;
        }
        w->depth++;
        return status;
    case MST_ITEM_END_LIST:
    case MST_ITEM_END_RECORD: w->depth--; return MST_OK;
    case MST_ITEM_DERIVED: return MST_OK;
    case MST_ITEM_LEAF: break;
    }
    if (strcmp(item->name, "raw") == 0)
        return check_raw(w, item);
    if (w->depth != 1 || strcmp(item->name, "tail") != 0 || !item->length)
        return MST_OK;
    finding_in(w, item, item->offset, item->length);
    return mst_report(w->checker, "IGUANA-TAIL", NULL, "%llu bytes", (unsigned long long)item->length);
}

/* The last offset of the archive may be up to seven bytes after the end of the file. */
static mst_status check_end(mst_checker *checker) {
    const mst_document *document = checker->document;
    mst_value root = mst_root(document), blocks;
    if (mst_member(&root, "blocks", &blocks) != MST_OK)
        return MST_OK; /* unpacked content is a block, which may not be an archive */
    mst_archive archive = mst_archive_at(document, 0, document->size);
    uint64_t last_offset = mst_archive_header(archive.count) - 4, end = mst_archive_end(document, &archive);
    if (end <= document->size)
        return MST_OK;
    mst_diagnostic *finding = mst_finding_at(checker, last_offset, 4, "blocks");
    MST_SET(finding->expected, "%llu bytes", (unsigned long long)end);
    return mst_report(checker, "IGUANA-TAIL-SHORT", NULL, "%llu", (unsigned long long)document->size);
}

mst_status mst_iguana_check(mst_checker *checker) {
    walk w = {.checker = checker, .document = checker->document};
    mst_walk_request request = mst_walk_of_document(checker->document);
    request.visitor = visit;
    request.user = &w;
    mst_status status = mst_walk_field(&request, NULL, NULL);
    return status == MST_OK ? check_end(checker) : status;
}
