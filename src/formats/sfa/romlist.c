/* SPDX-License-Identifier: MIT */
/* Lists of placed objects, packed or not. */
#include "../../schema/words.h"
#include "entry.h"
#include "objects.h"
#include "sfa.h"

enum { I_LIST = MST_SFA_OBJECT_COUNT };

static const mst_field list_fields[] = {
    MST_SFA_ENTRY_FIELDS,
    {.name = "objects",
     .kind = MST_KIND_RECORD,
     .mode = MST_COUNT_REST,
     .record = &mst_sfa_object_record,
     .when = {MST_SFA_UNDERSTOOD},
     .doc = "Those of no group, then groups ascending, then curves and checkpoints."},
};
RECORD(list, I_LIST, "list", "the objects of a map");

static const mst_record *const records[] = {MST_SFA_OBJECT_RECORDS, [I_LIST] = &list};

static const mst_code_information codes[] = {MST_SFA_ENTRY_CODES, MST_SFA_OBJECT_CODES};

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
            return true;
    if (mst_sfa_is_wrapped(bytes, size))
        return false;
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

static const mst_sfa_content content = {NULL, NULL, NULL};

static mst_status unfold(const mst_file_view *files, const char *name, uint64_t limit, mst_memory *form,
                         mst_diagnostic *diagnostic) {
    (void)name;
    return mst_sfa_entry_unfold(files[0].data, files[0].size, &content, true, limit, form, diagnostic);
}

static mst_status fold(const uint8_t *form, size_t size, mst_memory *files, mst_diagnostic *diagnostic) {
    mst_form_reader reader = {form, size, 0, false};
    return mst_sfa_entry_fold(&reader, &content, files, diagnostic);
}

static bool redundant(const uint8_t *form, uint64_t offset, uint64_t end) {
    return mst_sfa_entry_is_usual(form, offset, end, &content);
}

static mst_status check(mst_checker *checker) {
    const mst_document *document = checker->document;
    const uint8_t *list_bytes;
    uint64_t size, length;
    mst_status status = mst_sfa_check_entry(checker, 0, "");
    if (status != MST_OK ||
        !mst_sfa_entry_content(document->data, document->size, &list_bytes, &size, &length))
        return status;
    uint64_t begin = (uint64_t)(list_bytes - document->data);
    return mst_sfa_check_objects(checker, document->data, begin, begin + size, "objects");
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
    .file_count = 1,
    .unfold = unfold,
    .fold = fold,
    .redundant = redundant,
    .locate = mst_sfa_entry_locate,
    .problem_codes = {[MST_PROBLEM_OVERRUN] = "SFA-ROMLIST",
                      [MST_PROBLEM_STRING] = "SFA-ROMLIST",
                      [MST_PROBLEM_COUNT] = "SFA-ROMLIST",
                      [MST_PROBLEM_TRAILING] = "SFA-ROMLIST",
                      [MST_PROBLEM_NESTING] = "SFA-ROMLIST"},
    .codes = codes,
    .code_count = MST_COUNT_OF(codes),
    .check = check,
    .reference =
        "The objects of a map of Star Fox Adventures (GameCube, 2002), packed or not. Big-endian; positions "
        "are on\n"
        "the map, y up. A record is `size_words` times four bytes long, from its start; its type says what "
        "is in\n"
        "it. `unknown_1A` is what stands 0x1A bytes behind the record's start. A game bit of -1 is none.\n"};
