/* SPDX-License-Identifier: MIT */
/*
 * Packed entries, in banks or as files, each in one of several wrappers. A parsed entry is a record of the
 * wrapper's fields and the unpacked content, which may be parsed further.
 */
#ifndef MST_SFA_ENTRY_H
#define MST_SFA_ENTRY_H

#include "../../../files/parsed.h"
#include "../../../tables/schema.h"

typedef enum mst_sfa_wrapper {
    MST_SFA_PLAIN = 0, /* no wrapper */
    MST_SFA_ZLB,       /* a header of 16 bytes, then a zlib stream */
    MST_SFA_DIR,       /* a header of 32 bytes ("DIR" and a zero), then the bytes, not packed */
    MST_SFA_DIRN,      /* the same with "DIRn" */
    MST_SFA_LZO,       /* "LZOn", LZO1X */
    MST_SFA_FACEFEED,  /* other data, then a ZLB */
    MST_SFA_E0,        /* other data, then the bytes, not packed */
    MST_SFA_KEPT       /* unknown or damaged wrapper: the bytes are kept unchanged */
} mst_sfa_wrapper;

/* A wrapper as read from a file. */
typedef struct mst_sfa_entry {
    mst_sfa_wrapper wrapper;
    const uint8_t *data; /* the payload, packed or not */
    uint64_t data_size;
    uint64_t unpacked_size;
    uint64_t length; /* of the entry without the padding after it */
    uint64_t inner;  /* offset of the ZLB, DIR or LZOn header; E0: of the content */
    uint32_t version;
    const uint8_t *unknown_10;                      /* DIR: 16 bytes */
    uint32_t outer_10, outer_14, outer_packed_size; /* FACEFEED, E0 */
    const uint8_t *extra;
    uint32_t extra_size;
} mst_sfa_entry;

/* Whether bytes begin with the magic of a wrapper. */
bool mst_sfa_is_wrapped(const uint8_t *bytes, uint64_t size);
/* MST_DAMAGED (SFA-ZLB) if the wrapper is invalid; offsets are from the entry's first byte. */
mst_status mst_sfa_entry_read(const uint8_t *bytes, uint64_t size, mst_sfa_entry *entry,
                              mst_diagnostic *diagnostic);
/* Appends the unpacked content; more than `limit` bytes in all: MST_NO_MEMORY. */
mst_status mst_sfa_entry_unpack(const mst_sfa_entry *entry, uint64_t limit, mst_buffer *bytes,
                                mst_diagnostic *diagnostic);
/* Reads and unpacks a file next to the checked one. */
mst_status mst_sfa_file_unpack(const mst_file_view *file, mst_sfa_entry *entry, mst_buffer *bytes);
/* The first bytes of the unpacked content, as many as possible; 0: none. */
size_t mst_sfa_entry_peek(const uint8_t *bytes, uint64_t size, uint8_t *first, size_t capacity);

/* How the content of entries is parsed and serialized. All append; NULL if the content is just bytes. */
typedef struct mst_sfa_content {
    mst_status (*parse)(const uint8_t *bytes, size_t size, mst_parsed_writer *w, mst_diagnostic *diagnostic);
    mst_status (*serialize)(const uint8_t *parsed, size_t size, mst_buffer *bytes,
                            mst_diagnostic *diagnostic);
    /* Keeps content that `parse` cannot read, in a bank. */
    mst_status (*parse_raw)(const uint8_t *bytes, size_t size, mst_parsed_writer *w,
                            mst_diagnostic *diagnostic);
} mst_sfa_content;

/*
 * Appends a parsed entry. `strict`: damage is an error; else the entry is kept (MST_SFA_KEPT). The parsed
 * bytes are: u32 size of the rest; u32 size and original bytes; u8 wrapper; its fields; the content.
 */
mst_status mst_sfa_entry_parse(const uint8_t *bytes, size_t size, const mst_sfa_content *content, bool strict,
                               mst_parsed_writer *w, mst_diagnostic *diagnostic);
/* Serializes the parsed entry at the reader (from its size on), and moves the reader past it. */
mst_status mst_sfa_entry_serialize(mst_parsed_reader *parsed, const mst_sfa_content *content,
                                   mst_buffer *bytes, mst_diagnostic *diagnostic);
/* Whether packing the content of the parsed entry from `offset` (after its size) to `end` yields its original
 * bytes. */
bool mst_sfa_entry_is_canonical(const uint8_t *parsed, uint64_t offset, uint64_t end,
                                const mst_sfa_content *content);

/* Hooks of a format whose file is one entry; `serializing` is its mst_sfa_content. */
mst_status mst_sfa_single_parse(const mst_format *format, const mst_file_view *files,
                                mst_parsed_writer *parsed, mst_diagnostic *diagnostic);
mst_status mst_sfa_single_serialize(const mst_format *format, const uint8_t *parsed, size_t size,
                                    mst_buffer *files, mst_diagnostic *diagnostic);
bool mst_sfa_single_is_canonical(const mst_format *format, const uint8_t *parsed, uint64_t offset,
                                 uint64_t end);
#define MST_SFA_SINGLE(content)                                                                              \
    .files.count = 1, .files.parse = mst_sfa_single_parse, .files.serialize = mst_sfa_single_serialize,      \
    .files.is_canonical = mst_sfa_single_is_canonical, .files.parameters = &(content)

/* The content of a parsed entry (from its size on), and the length of the parsed entry; false if the entry is
 * kept. */
bool mst_sfa_entry_content(const uint8_t *parsed, uint64_t size, const uint8_t **content,
                           uint64_t *content_size, uint64_t *length);

/* Checks the wrapper of the parsed entry at `offset` of the checked document (from its size on); reports why
 * a kept entry was kept. */
mst_status mst_sfa_check_entry(mst_checker *checker, uint64_t offset, const char *path);
#define MST_SFA_ENTRY_CODES                                                                                  \
    {"SFA-ZLB", MST_ERROR, "the wrapper is invalid, or its packed data is damaged"}, {                       \
        "SFA-DIR-SIZE", MST_WARNING, "the two sizes of an entry that is not packed differ"                   \
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
         .doc = "The original entry, kept while it unpacks to the content."},                                \
        {.name = "wrapper",                                                                                  \
         .kind = MST_KIND_U8,                                                                                \
         .bind = MST_SFA_R_WRAPPER + 1,                                                                      \
         .names = &mst_sfa_wrappers,                                                                         \
         .doc = "How the entry is packed."},                                                                 \
        {.name = "packing",                                                                                  \
         .kind = MST_KIND_U8,                                                                                \
         .names = &mst_sfa_ways,                                                                             \
         .flags = MST_FIELD_DEFAULT,                                                                         \
         .doc = "The zlib settings for packing it again.",                                                   \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_ZLB | 1u << MST_SFA_FACEFEED)},                                \
        {.name = "version",                                                                                  \
         .kind = MST_KIND_U32,                                                                               \
         .flags = MST_FIELD_DEFAULT,                                                                         \
         .initial = 1,                                                                                       \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_ZLB | 1u << MST_SFA_DIR | 1u << MST_SFA_DIRN |                 \
                                1u << MST_SFA_LZO | 1u << MST_SFA_FACEFEED),                                 \
         .doc = "1; the game does not read it."},                                                            \
        {.name = "unknown_10",                                                                               \
         .kind = MST_KIND_RAW,                                                                               \
         .mode = MST_COUNT_FIXED,                                                                            \
         .count = 16,                                                                                        \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_DIR | 1u << MST_SFA_DIRN),                                     \
         .doc = "Not known: no description names it."},                                                      \
        {.name = "unknown_10",                                                                               \
         .kind = MST_KIND_U32,                                                                               \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_FACEFEED | 1u << MST_SFA_E0),                                  \
         .doc = "Not known; 24 in the game's files."},                                                       \
        {.name = "unknown_14",                                                                               \
         .kind = MST_KIND_U32,                                                                               \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_FACEFEED | 1u << MST_SFA_E0),                                  \
         .doc = "Not known; the size of `extra` and 28 in the game's files."},                               \
        {.name = "packed_size",                                                                              \
         .kind = MST_KIND_U32,                                                                               \
         MST_SFA_WRAPPER_IS(MST_SFA_E0),                                                                     \
         .doc = "Not understood: kept unchanged."},                                                          \
        {.name = "extra",                                                                                    \
         .kind = MST_KIND_RAW,                                                                               \
         .mode = MST_COUNT_PREFIX,                                                                           \
         .prefix = MST_KIND_U32,                                                                             \
         .doc = "Data before the packed content.",                                                           \
         MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_FACEFEED | 1u << MST_SFA_E0)},                                 \
    {                                                                                                        \
        .name = "unpadded", .kind = MST_KIND_U8, .flags = MST_FIELD_BOOL | MST_FIELD_DEFAULT,                \
        .doc = "1: no zeros follow up to a multiple of 32 bytes.",                                           \
        MST_SFA_WRAPPER_ONE_OF(1u << MST_SFA_ZLB | 1u << MST_SFA_DIR | 1u << MST_SFA_DIRN |                  \
                               1u << MST_SFA_FACEFEED | 1u << MST_SFA_E0)                                    \
    }

#endif
