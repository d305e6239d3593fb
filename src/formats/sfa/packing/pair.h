/* SPDX-License-Identifier: MIT */
/* Two files that make one document: a table of offsets (.tab) and the bank it points into (.bin). */
#ifndef MST_SFA_PAIR_H
#define MST_SFA_PAIR_H

#include "../sfa.h"
#include "entry.h"

typedef struct mst_sfa_pair mst_sfa_pair;
struct mst_sfa_pair {
    /* Appends the parsed bytes of files 0 (.bin) and 1 (.tab). */
    mst_status (*parse)(const mst_sfa_pair *pair, const mst_file_view *files, mst_parsed_writer *w,
                        mst_diagnostic *diagnostic);
    /* Writes both files in their canonical layout and leaves the reader after the parsed bytes. MST_STOPPED:
     * they are written, but some offsets do not fit into the table. */
    mst_status (*serialize)(const mst_sfa_pair *pair, mst_parsed_reader *parsed, mst_buffer *files,
                            mst_diagnostic *diagnostic);
    /* banks only: the content of entries, and the name of their list */
    const mst_sfa_content *content;
    const char *list;
    bool textures;
};

/* Hooks of a format that is a pair; `serializing` is its mst_sfa_pair. The parsed bytes are the output of
 * pair->parse, then both original files, each after its size: empty if serializing yields both files
 * anyway. */
mst_status mst_sfa_pair_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                              mst_diagnostic *diagnostic);
/* Writes the files: the original ones as long as they parse to the same values. */
mst_status mst_sfa_pair_serialize(const mst_format *format, const uint8_t *parsed, size_t size,
                                  mst_buffer *files, mst_diagnostic *diagnostic);
/* For the entries of a bank. */
bool mst_sfa_pair_is_canonical(const mst_format *format, const uint8_t *parsed, uint64_t offset,
                               uint64_t end);
#define MST_SFA_PAIR(pair)                                                                                   \
    .files.count = 2, .files.sidecar = mst_sfa_sidecar,                                                      \
    .files.alone = {&mst_format_sfa_kept, &mst_format_sfa_table}, .files.parse = mst_sfa_pair_parse,         \
    .files.serialize = mst_sfa_pair_serialize, .files.is_canonical = mst_sfa_pair_is_canonical,              \
    .files.parameters = &(pair)

/* Which file of a pair has this name (0: the bank, 1: the table, -1: neither), and the other one's name:
 * X.tab belongs to X.zlb.bin or X.bin. */
int mst_sfa_sidecar(const char *name, unsigned attempt, char *other, size_t capacity);

/* Recognizes a pair by its name (mst_sfa_is_file), "<stem>.bin" or "<stem>.tab". */
bool mst_sfa_pair_is_named(const char *name, const char *stem);

/* The resolver of files next to the checked document; NULL: none. */
const mst_resolver *mst_sfa_resolver_of(const mst_checker *checker);
/* A file next to the checked document; false: not found. */
bool mst_sfa_find_beside(const mst_checker *checker, const char *name, mst_file_view *file);
/* The file of an object list, under any of its names; `name` receives the name found, or the usual one.
 * `resolver` may be NULL. */
#define MST_SFA_LIST_FILE 64
bool mst_sfa_find_list(const mst_resolver *resolver, const char *list, char name[MST_SFA_LIST_FILE],
                       mst_file_view *file);
/* Opens such a file as a document of a format. MST_NO_PATH: not found; others: it cannot be read. */
mst_status mst_sfa_open_beside(const mst_checker *checker, const char *name, const mst_format *format,
                               mst_document **document);

/* Counts the words before a table's end mark. MST_DAMAGED (SFA-TAB) without one. */
mst_status mst_sfa_table_read(const uint8_t *bytes, size_t size, uint32_t *count, mst_diagnostic *diagnostic);
/* The same for a pair's table during parsing. */
mst_status mst_sfa_table_parse(mst_parsed_writer *w, const mst_file_view *table, uint32_t *count,
                               mst_diagnostic *diagnostic);
/* A word before the end mark. */
uint32_t mst_sfa_table_word(const mst_file_view *table, uint32_t index);
/* Records the bytes after a table's words: the end mark and zeros. */
void mst_sfa_table_notes(mst_parsed_writer *w, const mst_file_view *table, uint32_t words);
/* Appends the end mark, then the counted bytes from `parsed` (may be NULL), or zeros up to a multiple of 32
 * if there are none. */
void mst_sfa_table_end(mst_parsed_writer *table, mst_parsed_reader *parsed);

/* Bytes from `size` to the next multiple of 32. */
static inline uint64_t mst_sfa_padding(uint64_t size) {
    return (32 - size % 32) % 32;
}
bool mst_sfa_is_zero(const uint8_t *bytes, uint64_t size);
/* Writes the bytes from `end` to `size`, counted: none if they are zeros up to a multiple of 32. Returns
 * whether they are. */
bool mst_sfa_parse_padding(mst_parsed_writer *w, const uint8_t *bytes, uint64_t end, uint64_t size);

/* The bytes after the end mark of a pair's table (mst_sfa_parse_padding). */
#define MST_SFA_TAIL_FIELD                                                                                   \
    {                                                                                                        \
        .name = "tail", .kind = MST_KIND_RAW, MST_PREFIXED, .flags = MST_FIELD_OMIT_EMPTY,                   \
        .doc = "The bytes after the table's end mark; empty if they are zeros up to a multiple of 32."       \
    }
#define MST_SFA_ORIGINAL_FIELD(label, text)                                                                  \
    {                                                                                                        \
        .name = label, .kind = MST_KIND_RAW, MST_PREFIXED,                                                   \
        .flags = MST_FIELD_OMIT_EMPTY | MST_FIELD_CONTENT, .doc = text                                       \
    }
#define MST_SFA_ORIGINAL_FIELDS                                                                              \
    MST_SFA_ORIGINAL_FIELD("original_bin", "The original bank, if serializing would produce other bytes; "   \
                                           "kept while it parses to the same values."),                      \
        MST_SFA_ORIGINAL_FIELD("original_tab", "The same for the table.")

#endif
