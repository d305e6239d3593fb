/* SPDX-License-Identifier: MIT */
/* Lists of placed objects as they are when they are unpacked. */
#include "../../schema/words.h"
#include "objects.h"
#include "sfa.h"

enum { I_LIST = MST_SFA_OBJECT_COUNT };

static const mst_field list_fields[] = {
    {.name = "objects",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_REST,
     .record = &mst_sfa_object_record,
     .doc = "Those of no group, then groups ascending, then curves and checkpoints."},
};
RECORD(list, I_LIST, "list", "the objects of a map");

static const mst_record *const records[] = {MST_SFA_OBJECT_RECORDS, [I_LIST] = &list};

static const mst_code_information codes[] = {MST_SFA_OBJECT_CODES};

static bool is_packed(const uint8_t *bytes, size_t size) {
    static const char *const magics[] = {"ZLB", "DIR", "LZO", "\xFA\xCE\xFE\xED", "\xE0\xE0\xE0\xE0"};
    for (size_t i = 0; i < MST_COUNT_OF(magics); i++)
        if (size >= strlen(magics[i]) && memcmp(bytes, magics[i], strlen(magics[i])) == 0)
            return true;
    return false;
}

static bool is_finite(const uint8_t *bytes) {
    return (mst_load32(bytes, true) & 0x7F800000u) != 0x7F800000u;
}

/* A name is enough. Without one, every record must be of a type that is known to be of its width, be
 * somewhere, and the last one must end where the file does. */
static bool recognise(const uint8_t *bytes, size_t size, uint64_t file_size, const char *name,
                      mst_variant *variant) {
    static const char *const endings[] = {".romlist", ".romlist.bin", ".romlist.zlb"};
    (void)variant;
    for (size_t i = 0; name && i < MST_COUNT_OF(endings); i++)
        if (mst_sfa_name_ends(name, endings[i]))
            return !is_packed(bytes, size);
    if (!size || size != file_size)
        return false;
    mst_sfa_object_head head;
    uint64_t offset = 0;
    for (; mst_sfa_object_at(bytes, offset, size, &head); offset += head.size) {
        if (!mst_sfa_width_known(head.type, head.kind, head.words))
            return false;
        for (unsigned k = 0; k < 3; k++)
            if (!is_finite(bytes + offset + 8 + 4 * k))
                return false;
    }
    return offset == size;
}

static mst_status check(mst_checker *checker) {
    const mst_document *document = checker->document;
    return mst_sfa_check_objects(checker, document->data, 0, document->size, "objects");
}

const mst_format mst_format_sfa_romlist = {
    .information = {.id = "sfa-romlist",
                    .title = "Star Fox Adventures object list",
                    .extensions = ".romlist .bin",
                    .media_type = "",
                    .versions = "",
                    .rows = "objects"},
    .root = &list,
    .records = records,
    .record_count = MST_COUNT_OF(records),
    .variant_big = true,
    .recognise = recognise,
    .problem_codes = {[MST_PROBLEM_OVERRUN] = "SFA-ROMLIST",
                      [MST_PROBLEM_STRING] = "SFA-ROMLIST",
                      [MST_PROBLEM_COUNT] = "SFA-ROMLIST",
                      [MST_PROBLEM_TRAILING] = "SFA-ROMLIST",
                      [MST_PROBLEM_NESTING] = "SFA-ROMLIST"},
    .codes = codes,
    .code_count = MST_COUNT_OF(codes),
    .check = check,
    .reference =
        "The objects of a map of Star Fox Adventures (GameCube, 2002), unpacked. Big-endian; positions are "
        "on\n"
        "the map, y up. A record is `size_words` times four bytes long, from its start; its type says what "
        "is in\n"
        "it. `unknown_1A` is what stands 0x1A bytes behind the record's start. A game bit of -1 is none.\n"};
