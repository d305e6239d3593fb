/* SPDX-License-Identifier: MIT */
/* IMAGERY.DAT, a copy of the headers of all imagery files. Source: a file of the developers of 1998. */
#include "../../../check/finding.h"
#include "../../../tables/words.h"
#include "../../present.h"
#include "imagery.h"

#define RECORDS(X) X(cache) X(entry)
enum { RECORDS(RECORD_INDEX) };

static const mst_field entry_fields[] = {
    {.name = "file",
     .kind = MST_KIND_CHAR8,
     FIXED(80),
     .doc = "The path of the file, as `class.def` has it: below `IMAGERY`, with backslashes, in any case."},
    {.name = "header",
     BYTES,
     .flags = MST_FIELD_CONTENT,
     .doc = "The file's header: `imagery_id`, the number of states, the states and their walkmaps, as the "
            "reference of `revenant-image` has them."},
};
RECORD(entry, "entry", "the header of a file");

static const mst_field cache_fields[] = {
    {.name = "magic", .kind = MST_KIND_CHAR8, FIXED(4), .constant = "HDRS"},
    {.name = "version",
     U32,
     .doc = "1 in the only known file.",
     .rule = {.kind = MST_RULE_NAMED, .code = "REV-HEADERS-VERSION"},
     .names = &(const mst_enum){(const mst_enum_name[]){{1, "1998"}}, 1}},
    {.name = "entries", LIST(entry), .doc = "In any order."},
};
RECORD(cache, "cache", "the file");
static const mst_record *const records[] = {RECORDS(RECORD_ADDRESS)};

static const mst_code_information codes[] = {
    {"REV-HEADERS-MAGIC", MST_ERROR,
     "the file does not begin with HDRS: it is not a file of headers, or its beginning is lost"},
    {"REV-HEADERS-OVERRUN", MST_ERROR,
     "an entry runs past the end of the file, or the file continues after the last one"},
    {"REV-HEADERS-VERSION", MST_WARNING, "the version is not known"},
    {"REV-HEADERS-ENTRY", MST_WARNING, "a header is too short for its states"},
};

/* A header has eight bytes and 76 for each state, then the walkmaps. */
static mst_status check(mst_checker *checker) {
    mst_value root = mst_root(checker->document), entries = mst_member_in(&root, "entries"), one;
    mst_status status = MST_OK;
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(&entries); status == MST_OK && mst_next(&it, &one); index++) {
        mst_value header = mst_member_in(&one, "header");
        const void *bytes = NULL;
        size_t size = 0;
        mst_get_bytes(&header, &bytes, &size);
        uint64_t states = size < 8 ? 0 : mst_load32((const uint8_t *)bytes + 4, false);
        uint64_t needed = 8 + MST_IMAGERY_STATE * states;
        if (size >= needed)
            continue;
        mst_diagnostic *finding =
            mst_finding_of(checker, &header, "entries[%llu].header", (unsigned long long)index);
        MST_SET(finding->expected, "%llu bytes or more", (unsigned long long)needed);
        status = mst_report(checker, "REV-HEADERS-ENTRY", NULL, "%llu", (unsigned long long)size);
    }
    return status;
}

static bool probe(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                  mst_variant *variant) {
    (void)file_size, (void)name, (void)variant;
    return size >= 4 && memcmp(bytes, "HDRS", 4) == 0;
}

const mst_format mst_format_revenant_headers = {
    .information = {.id = "revenant-headers",
                    .title = "Revenant imagery headers",
                    .extensions = ".dat",
                    .media_type = "",
                    .versions = "",
                    .rows = "entries"},
    .tables.root = &cache,
    .tables.records = records,
    .tables.record_count = MST_COUNT_OF(records),
    .identity.probe = probe,
    .check.problem_codes = {"REV-HEADERS-MAGIC", "REV-HEADERS-VERSION", "REV-HEADERS-OVERRUN",
                            "REV-HEADERS-OVERRUN", "REV-HEADERS-OVERRUN", "REV-HEADERS-OVERRUN"},
    .check.codes = &(const mst_codes)MST_CODES(codes),
    .check.check = check,
    .tables.introduction =
        "`IMAGERY.DAT` in the root of Revenant (Cinematix, 1999): the headers of all imagery files, so that "
        "the "
        "game need not open\n"
        "each of them when it starts. It is used only if it is newer than `class.def`, and never needed. "
        "Little-endian.\n",
    .tables.relations = "- `file` names an `.I2D` or `.I3D` file, of which `header` is a copy.\n",
    .tables.sources = "- A file of the developers of 1998 with 1,541 entries, published by one of the game's "
                      "authors (<https://github.com/benjcooley/Revenant>).\n",
};
