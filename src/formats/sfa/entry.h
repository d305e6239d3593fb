/* SPDX-License-Identifier: MIT */
/*
 * Packed entries: what is in banks and in files of their own, in one of several wrappers. Parsed, an entry
 * is a record of its wrapper's fields and what is packed in it, which has a form of its own.
 */
#ifndef MST_SFA_ENTRY_H
#define MST_SFA_ENTRY_H

#include "../../schema/schema.h"
#include "parsed.h"

typedef enum mst_sfa_wrapper {
    MST_SFA_PLAIN = 0, /* no wrapper: the bytes as they are */
    MST_SFA_ZLB,       /* a zlib stream after 16 bytes */
    MST_SFA_DIR,       /* stored, after 32 bytes; "DIR" and a zero */
    MST_SFA_DIRN,      /* the same, "DIRn" */
    MST_SFA_LZO,       /* LZO1X, "LZOn" */
    MST_SFA_FACEFEED,  /* a ZLB after other data */
    MST_SFA_E0,        /* stored, after other data */
    MST_SFA_KEPT       /* not understood, or damaged: bytes, kept */
} mst_sfa_wrapper;

/* A wrapper that has been read. */
typedef struct mst_sfa_entry {
    mst_sfa_wrapper wrapper;
    const uint8_t *data; /* what is packed or stored */
    uint64_t data_size;
    uint64_t unpacked_size;
    uint64_t length; /* of the whole entry, without padding after it */
    uint32_t version;
    const uint8_t *unknown_10;                      /* DIR: 16 bytes */
    uint32_t outer_10, outer_14, outer_packed_size; /* FACEFEED, E0 */
    const uint8_t *extra;
    uint32_t extra_size;
} mst_sfa_entry;

/* Whether bytes begin with the magic of a wrapper. */
bool mst_sfa_is_wrapped(const uint8_t *bytes, uint64_t size);
/* MST_DAMAGED (SFA-ZLB) if the wrapper makes no sense; offsets from the entry's first byte. */
mst_status mst_sfa_entry_read(const uint8_t *bytes, uint64_t size, mst_sfa_entry *entry,
                              mst_diagnostic *diagnostic);
/* Appends what is packed in it; more than `limit` bytes in all are MST_NO_MEMORY. */
mst_status mst_sfa_entry_unpack(const mst_sfa_entry *entry, uint64_t limit, mst_buffer *bytes,
                                mst_diagnostic *diagnostic);
/* The first bytes of what is packed, as many as can be had; 0 if there is nothing of the kind. */
size_t mst_sfa_entry_peek(const uint8_t *bytes, uint64_t size, uint8_t *first, size_t capacity);

/* What entries hold: how that is parsed and parsed. Both append; neither is given for bytes as they are. */
typedef struct mst_sfa_content {
    mst_status (*parse)(const uint8_t *bytes, size_t size, mst_buffer *parsed, mst_diagnostic *diagnostic);
    mst_status (*serialize)(const uint8_t *parsed, size_t size, mst_buffer *bytes,
                            mst_diagnostic *diagnostic);
    /* What is not understood, in a bank; there where `parse` is. */
    mst_status (*parse_raw)(const uint8_t *bytes, size_t size, mst_buffer *parsed,
                            mst_diagnostic *diagnostic);
} mst_sfa_content;

/*
 * Appends an entry's form. `strict`: what is damaged is an error; else it is kept (MST_SFA_KEPT). The form is
 *   u32 bytes that follow; u32 size and bytes as stored; u8 wrapper; fields of the wrapper; the content
 */
mst_status mst_sfa_entry_parse(const uint8_t *bytes, size_t size, const mst_sfa_content *content, bool strict,
                               uint64_t limit, mst_buffer *parsed, mst_diagnostic *diagnostic);
/* Appends the entry that a form describes (from its size on), and moves the reader after it. */
mst_status mst_sfa_entry_serialize(mst_parsed_reader *parsed, const mst_sfa_content *content,
                                   mst_buffer *bytes, mst_diagnostic *diagnostic);
/* Whether the stored bytes at `offset` of an entry up to `end` are what packing makes again. */
bool mst_sfa_entry_is_canonical(const uint8_t *parsed, uint64_t offset, uint64_t end,
                                const mst_sfa_content *content);

/* Hooks of a format whose file is one entry; `serializing` is its mst_sfa_content. */
mst_status mst_sfa_single_parse(const mst_format *format, const mst_file_view *files, uint64_t limit,
                                mst_buffer *parsed, mst_diagnostic *diagnostic);
mst_status mst_sfa_single_serialize(const mst_format *format, const uint8_t *parsed, size_t size,
                                    mst_buffer *files, mst_diagnostic *diagnostic);
bool mst_sfa_single_is_canonical(const mst_format *format, const uint8_t *parsed, uint64_t offset,
                                 uint64_t end);
#define MST_SFA_SINGLE(content)                                                                              \
    .file_count = 1, .parse = mst_sfa_single_parse, .serialize = mst_sfa_single_serialize,                   \
    .is_canonical = mst_sfa_single_is_canonical, .serializing = &(content)

/* The content in an entry's form (from its size on), and the form's own length; false if it is kept. */
bool mst_sfa_entry_content(const uint8_t *parsed, uint64_t size, const uint8_t **content,
                           uint64_t *content_size, uint64_t *length);

/* For `locate` of a format whose content is parsed as it is. */
uint64_t mst_sfa_entry_locate(const uint8_t *parsed, uint64_t size, uint64_t offset);

/* Says what is wrong with the wrapper of the entry at `offset` of the checked document's form (from its size
 * on); of one that is kept as it is, why. */
mst_status mst_sfa_check_entry(mst_checker *checker, uint64_t offset, const char *path);
#define MST_SFA_ENTRY_CODES                                                                                  \
    {"SFA-ZLB", MST_ERROR, "the wrapper makes no sense, or what is packed in it is damaged"}, {              \
        "SFA-DIR-SIZE", MST_WARNING, "a stored entry says two different sizes"                               \
    }

/* The fields of an entry's record before its content, which has the condition MST_SFA_UNDERSTOOD. */
#define MST_SFA_R_WRAPPER 10
#define MST_SFA_UNDERSTOOD                                                                                   \
    { MST_NOT_EQUAL, MST_SFA_R_WRAPPER, MST_SFA_KEPT }
extern const mst_enum mst_sfa_wrappers, mst_sfa_ways;
#define MST_SFA_WRAPPER_IS(wrapper)  .when = {{MST_EQUAL, MST_SFA_R_WRAPPER, (wrapper)}}
#define MST_SFA_WRAPPER_ONE_OF(bits) .when = {{MST_ONE_OF, MST_SFA_R_WRAPPER, (bits)}}
#define MST_SFA_ENTRY_FIELDS                                                                                 \
    {.name = "size", .kind = MST_KIND_U32, .flags = MST_FIELD_SIZE},                                         \
        {.name = "original",                                                                                 \
         .kind = MST_KIND_RAW,                                                                               \
         .mode = MST_COUNT_PREFIX,                                                                           \
         .prefix = MST_KIND_U32,                                                                             \
         .flags = MST_FIELD_OMIT_EMPTY | MST_FIELD_CONTENT | MST_FIELD_ORIGINAL,                             \
         .doc = "The entry as it is in the file, kept as long as it unpacks to the content."},               \
        {.name = "wrapper",                                                                                  \
         .kind = MST_KIND_U8,                                                                                \
         .bind = MST_SFA_R_WRAPPER + 1,                                                                      \
         .names = &mst_sfa_wrappers,                                                                         \
         .doc = "How it is packed."},                                                                        \
        {.name = "packing",                                                                                  \
         .kind = MST_KIND_U8,                                                                                \
         .names = &mst_sfa_ways,                                                                             \
         .flags = MST_FIELD_DEFAULT,                                                                         \
         .doc = "How zlib is set when it is packed again.",                                                  \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_ZLB | 1u << MST_SFA_FACEFEED)},                                \
        {.name = "version",                                                                                  \
         .kind = MST_KIND_U32,                                                                               \
         .flags = MST_FIELD_DEFAULT,                                                                         \
         .initial = 1,                                                                                       \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_ZLB | 1u << MST_SFA_DIR | 1u << MST_SFA_DIRN |                 \
                                1u << MST_SFA_LZO | 1u << MST_SFA_FACEFEED)},                                \
        {.name = "unknown_10",                                                                               \
         .kind = MST_KIND_RAW,                                                                               \
         .mode = MST_COUNT_FIXED,                                                                            \
         .count = 16,                                                                                        \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_DIR | 1u << MST_SFA_DIRN)},                                    \
        {.name = "unknown_10",                                                                               \
         .kind = MST_KIND_U32,                                                                               \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_FACEFEED | 1u << MST_SFA_E0)},                                 \
        {.name = "unknown_14",                                                                               \
         .kind = MST_KIND_U32,                                                                               \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_FACEFEED | 1u << MST_SFA_E0)},                                 \
        {.name = "packed_size", .kind = MST_KIND_U32, MST_SFA_WRAPPER_IS(MST_SFA_E0)},                       \
        {.name = "extra",                                                                                    \
         .kind = MST_KIND_RAW,                                                                               \
         .mode = MST_COUNT_PREFIX,                                                                           \
         .prefix = MST_KIND_U32,                                                                             \
         .doc = "Data before what is packed.",                                                               \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_FACEFEED | 1u << MST_SFA_E0)},                                 \
    {                                                                                                        \
        .name = "unpadded", .kind = MST_KIND_U8, .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,                \
        .doc = "No zeros up to a multiple of 32 bytes.",                                                     \
        MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_ZLB | 1u << MST_SFA_DIR | 1u << MST_SFA_DIRN |                  \
                               1u << MST_SFA_FACEFEED | 1u << MST_SFA_E0)                                    \
    }

#endif
