/* SPDX-License-Identifier: MIT */
/* Banks: tables of packed entries, of blocks, voxel maps and textures. */
#ifndef MST_SFA_BANK_H
#define MST_SFA_BANK_H

#include "pair.h"

/*
 * The parsed bytes of a bank:
 *   u32 count, entries: u8 present, then
 *     absent: u32 word of the table;
 *     present: u8 the word's upper eight bits; the parsed entry (textures: u32 count, then one per frame)
 *   textures only: u8 flags of the closing word; u8 state of the sum (mst_sfa_sum); if it is wrong: u32 sum
 */
typedef enum mst_sfa_sum { MST_SFA_SUM_RIGHT = 0, MST_SFA_SUM_WRONG, MST_SFA_SUM_NONE } mst_sfa_sum;

mst_status mst_sfa_bank_parse(const mst_sfa_pair *pair, const mst_file_view *files, mst_parsed_writer *w,
                              mst_diagnostic *diagnostic);
mst_status mst_sfa_bank_serialize(const mst_sfa_pair *pair, mst_parsed_reader *parsed, mst_buffer *files,
                                  mst_diagnostic *diagnostic);

/* Iterates over the present entries of a parsed bank. */
typedef struct mst_sfa_bank_cursor {
    mst_parsed_reader reader;
    bool textures;
    uint32_t count, next;               /* number of entries; index of the next one */
    uint32_t index, frame, frame_count; /* of the current frame */
    uint64_t entry, content;            /* offsets of the parsed entry (its size field) and of its content */
    uint64_t content_size;
    bool kept; /* the entry has no content */
    uint32_t frames_left;
} mst_sfa_bank_cursor;
mst_sfa_bank_cursor mst_sfa_bank_open(const uint8_t *parsed, uint64_t size, bool textures);
/* Advances to the next frame; false at the end. */
bool mst_sfa_bank_next(mst_sfa_bank_cursor *cursor);

/* The state of the sum after a texture table with `count` words before its end mark; the sum in the file and
 * the right one. */
mst_sfa_sum mst_sfa_table_sum(const uint8_t *table, size_t size, uint32_t count, uint32_t *stored,
                              uint32_t *right);

#define MST_SFA_R_PRESENT 11
#define MST_SFA_R_SUM     12

/* The first fields of an entry; `standard`: the word of an absent one. */
#define MST_SFA_PRESENT(n) .when = {{MST_EQUAL, MST_SFA_R_PRESENT, (n)}}
#define MST_SFA_BANK_ENTRY_FIELDS(standard)                                                                  \
    {.name = "present",                                                                                      \
     .kind = MST_KIND_U8,                                                                                    \
     .bind = MST_SFA_R_PRESENT + 1,                                                                          \
     .flags = MST_FIELD_BOOL,                                                                                \
     .doc = "Whether the bank has data for this entry of the table."},                                       \
    {                                                                                                        \
        .name = "word", .kind = MST_KIND_U32, .flags = MST_FIELD_DEFAULT, .initial = (standard),             \
        .doc = "The table's word of an absent entry.", MST_SFA_PRESENT(0)                                    \
    }
/* The next field in banks of blocks and voxel maps. */
#define MST_SFA_BANK_FLAGS_FIELD                                                                             \
    {                                                                                                        \
        .name = "flags", .kind = MST_KIND_U8, .flags = MST_FIELD_DEFAULT, .initial = 0x10,                   \
        .doc = "The upper eight bits of the table's word: 0x10 present, 0x20 set only in memory.",           \
        MST_SFA_PRESENT(1)                                                                                   \
    }
extern const mst_enum mst_sfa_sums;

#endif
