/* SPDX-License-Identifier: MIT */
/* Two files that are one document: a table of offsets (.tab) and what it points into (.bin). */
#ifndef MST_SFA_PAIR_H
#define MST_SFA_PAIR_H

#include "entry.h"
#include "sfa.h"

typedef struct mst_sfa_pair mst_sfa_pair;
struct mst_sfa_pair {
    /* Appends the form of files 0 (.bin) and 1 (.tab). */
    mst_status (*parse)(const mst_sfa_pair *pair, const mst_file_view *files, uint64_t limit,
                        mst_buffer *parsed, mst_diagnostic *diagnostic);
    /* Makes the files of a form as they usually are, and leaves the reader after it. MST_STOPPED: they are
     * made, but for offsets for which the table has no room. */
    mst_status (*serialize)(const mst_sfa_pair *pair, mst_parsed_reader *parsed, mst_buffer *files,
                            mst_diagnostic *diagnostic);
    /* of banks: what entries hold, and what their list is called */
    const mst_sfa_content *content;
    const char *list;
    bool textures;
};

/* Hooks of a format that is a pair; `serializing` is its mst_sfa_pair. The form is what pair->parse gives,
 * and after it both files as they are stored, each after its size: empty where serializing gives them
 * anyway. */
mst_status mst_sfa_pair_parse(const mst_format *format, const mst_file_view *files, uint64_t limit,
                              mst_buffer *parsed, mst_diagnostic *diagnostic);
/* The files: those that are stored, as long as they say the same. */
mst_status mst_sfa_pair_serialize(const mst_format *format, const uint8_t *parsed, size_t size,
                                  mst_buffer *files, mst_diagnostic *diagnostic);
/* Of a bank's entries. */
bool mst_sfa_pair_is_canonical(const mst_format *format, const uint8_t *parsed, uint64_t offset,
                               uint64_t end);
#define MST_SFA_PAIR(pair)                                                                                   \
    .file_count = 2, .sidecar = mst_sfa_sidecar, .alone = {&mst_format_sfa_kept, &mst_format_sfa_table},     \
    .parse = mst_sfa_pair_parse, .serialize = mst_sfa_pair_serialize,                                        \
    .is_canonical = mst_sfa_pair_is_canonical, .serializing = &(pair)

/* Which of a pair a name is (1: the table), and the other's name: X.tab belongs to X.zlb.bin or X.bin. */
int mst_sfa_sidecar(const char *name, unsigned attempt, char *other, size_t capacity);

/* What finds the files beside a document that is checked; NULL: nothing does. */
const mst_resolver *mst_sfa_resolver_of(const mst_checker *checker);

/* How many words there are before a table's end mark. MST_DAMAGED (SFA-TAB) without one. */
mst_status mst_sfa_table_read(const uint8_t *bytes, size_t size, uint32_t *count, mst_diagnostic *diagnostic);
/* Appends the end mark and zeros up to a multiple of 32. */
void mst_sfa_table_end(mst_parsed_writer *table);

#define MST_SFA_ORIGINAL_FIELD(label, text)                                                                  \
    {                                                                                                        \
        .name = label, .kind = MST_KIND_RAW, .mode = MST_COUNT_PREFIX, .prefix = MST_KIND_U32,               \
        .flags = MST_FIELD_OMIT_EMPTY | MST_FIELD_CONTENT, .doc = text                                       \
    }
#define MST_SFA_ORIGINAL_FIELDS                                                                              \
    MST_SFA_ORIGINAL_FIELD("original_bin",                                                                   \
                           "The file as it is, where serializing would give another; kept as long "          \
                           "as it says the same."),                                                          \
        MST_SFA_ORIGINAL_FIELD("original_tab", "The same of its table.")

#endif
