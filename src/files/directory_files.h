/* SPDX-License-Identifier: MIT */
/*
 * Files with a directory: a header, a contiguous table of entries of one size, and for each entry its data,
 * at the offset and of the size that the entry states. Two records are enough to describe such a file: the
 * root, which is the header as stored, then MST_DIRECTORY_LAYOUT and the entries; and the entry as stored,
 * then MST_ENTRY_LAYOUT and the data. Stored fields (numbers, texts and bytes of fixed size) are first; those
 * with a `directory` role are offsets, sizes and counts, which serializing computes: integers of at most 32
 * bits. A header without such a role is followed by the directory, whose number of entries is
 * MST_DIRECTORY_SLOTS: lumps that a game identifies by number.
 *
 * The layout of the data is kept as well, so that any such file is rewritten unchanged: its order, the
 * alignment, gaps, data that several entries share, and the offsets of entries without data.
 */
#ifndef MST_FILES_DIRECTORY_FILES_H
#define MST_FILES_DIRECTORY_FILES_H

#include "../tables/words.h"
#include "parsed.h"

/* The hooks of `files`. */
mst_status mst_directory_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                               mst_diagnostic *diagnostic);
mst_status mst_directory_serialize(const mst_format *format, const uint8_t *bytes, size_t size,
                                   mst_buffer *files, mst_diagnostic *diagnostic);
bool mst_directory_is_canonical(const mst_format *format, const uint8_t *bytes, uint64_t offset,
                                uint64_t end);
#define MST_DIRECTORY_FILES                                                                                  \
    {                                                                                                        \
        .count = 1, .parse = mst_directory_parse, .serialize = mst_directory_serialize,                      \
        .is_canonical = mst_directory_is_canonical                                                           \
    }
/* `problem_codes`: the code for everything that does not fit into the file. */
#define MST_DIRECTORY_PROBLEMS(code)                                                                         \
    { [MST_PROBLEM_OVERRUN] = (code), [MST_PROBLEM_COUNT] = (code), [MST_PROBLEM_OFFSET] = (code) }

/* Where the directory is, and where an entry's data is. */
enum { MST_DIRECTORY_LAST = 0, MST_DIRECTORY_FIRST, MST_DIRECTORY_AT };
enum { MST_DATA_FOLLOWS = 0, MST_DATA_AT, MST_DATA_SHARED };
extern const mst_enum mst_directory_places, mst_data_places;

#define MST_LAYOUT_FIELD(label, more, ...)                                                                   \
    {                                                                                                        \
        .name = (label), .directory = MST_NOT_STORED, .flags = MST_FIELD_BIG | MST_FIELD_ORIGINAL | (more),  \
        __VA_ARGS__                                                                                          \
    }
/* After the header. `variable` is a context variable that no other field of these records uses, `align` the
 * usual alignment of data. */
#define MST_DIRECTORY_LAYOUT(variable, align)                                                                \
    MST_LAYOUT_FIELD("alignment", MST_FIELD_DEFAULT, U32, .initial = (align),                                \
                     .doc = "What the data and the directory are aligned to, by zeros before them."),        \
        MST_LAYOUT_FIELD("directory", MST_FIELD_DEFAULT, U8, BIND(variable), .names = &mst_directory_places, \
                         .doc = "Where the directory is: after all data, before it, or at some place in "    \
                                "the order of the offsets."),                                                \
        MST_LAYOUT_FIELD("directory_at", 0, U32, IF(IS(variable, MST_DIRECTORY_AT)),                         \
                         .doc = "Its offset in the file that was opened, by which it finds its place."),     \
        MST_LAYOUT_FIELD("directory_gap", MST_FIELD_OMIT_EMPTY, BYTES,                                       \
                         .doc = "Bytes before the directory, in place of the alignment's zeros."),           \
        MST_LAYOUT_FIELD("end", MST_FIELD_OMIT_EMPTY, BYTES, .doc = "Bytes after all else.")
/* The entries, after that: a list of `record`. */
#define MST_DIRECTORY_ENTRIES(record)                                                                        \
    {                                                                                                        \
        .name = "entries", LIST(record), .flags = MST_FIELD_BIG, .directory = MST_NOT_STORED,                \
        .doc = "The directory, in its order."                                                                \
    }
#define MST_DIRECTORY_SLOTS(record, number)                                                                  \
    {                                                                                                        \
        .name = "entries", LIST(record), .count = (number), .flags = MST_FIELD_BIG,                          \
        .directory = MST_NOT_STORED, .doc = "The directory: the game knows the entries by number."           \
    }

/* After the stored fields of an entry. */
#define MST_ENTRY_LAYOUT(variable)                                                                           \
    MST_LAYOUT_FIELD("placed", MST_FIELD_DEFAULT, U8, BIND(variable), .names = &mst_data_places,             \
                     .doc = "Where the data is: after the data of the previous entry; at a place in the "    \
                            "order of the offsets; or in bytes that are written anyway (all or none)."),     \
        MST_LAYOUT_FIELD("at", 0, U32, IF(IS_NOT(variable, MST_DATA_FOLLOWS)),                               \
                         .doc = "Its offset in the file that was opened."),                                  \
        MST_LAYOUT_FIELD("gap", MST_FIELD_OMIT_EMPTY, BYTES,                                                 \
                         .doc = "Bytes before the data, in place of the alignment's zeros.")
/* The data, after that: bytes. */
#define MST_ENTRY_DATA                                                                                       \
    {                                                                                                        \
        .name = "data", BYTES, .flags = MST_FIELD_BIG, .directory = MST_NOT_STORED,                          \
        .doc = "The bytes at the stored offset."                                                             \
    }
/* Or typed data. `types` is an array of mst_enum_name: 0 is data of no known type; the others are found by
 * the name of an entry, which is its first text, or, if entries have none, by its index plus 1. `variable` is
 * a context variable. Then a field for each type, also for 0: bytes, a text, or elements of one size, which
 * must fill the data; otherwise the data has type 0. */
#define MST_ENTRY_TYPES(variable, types)                                                                     \
    {.name = "type",                                                                                         \
     .directory = MST_NOT_STORED,                                                                            \
     .flags = MST_FIELD_BIG | MST_FIELD_DEFAULT,                                                             \
     U8,                                                                                                     \
     BIND(variable),                                                                                         \
     NAMES(types),                                                                                           \
     .doc = "What the data is; it follows from the name or the number of the entry."},                       \
    {                                                                                                        \
        .name = "data_size", .directory = MST_NOT_STORED, .flags = MST_FIELD_BIG | MST_FIELD_SIZE, U32       \
    }
#define MST_ENTRY_DATA_OF(variable, type, label, ...)                                                        \
    { .name = (label), .directory = MST_NOT_STORED, TO_END, IF(IS(variable, type)), __VA_ARGS__ }
#define MST_ENTRY_ELEMENTS(variable, type, label, record_)                                                   \
    MST_ENTRY_DATA_OF(variable, type, label, .kind = MST_KIND_RECORD, .record = &(record_))

#endif
