/* SPDX-License-Identifier: MIT */
/* Banks: tables of packed entries, of blocks, voxel maps and textures. */
#ifndef MST_SFA_BANK_H
#define MST_SFA_BANK_H

#include "pair.h"

/*
 * The form of a bank:
 *   u32 count, entries: u8 present, then
 *     absent: u32 word of the table;
 *     present: u8 the word's upper eight bits; u32 count and frames (one, but of textures), each an entry's
 * form textures: u32 flags of the closing word; u8 how the sum is (mst_sfa_sum), u32 the sum if it is another
 */
typedef enum mst_sfa_sum { MST_SFA_SUM_RIGHT = 0, MST_SFA_SUM_WRONG, MST_SFA_SUM_NONE } mst_sfa_sum;

mst_status mst_sfa_bank_parse(const mst_sfa_pair *pair, const mst_file_view *files, uint64_t limit,
                              mst_buffer *parsed, mst_diagnostic *diagnostic);
mst_status mst_sfa_bank_serialize(const mst_sfa_pair *pair, mst_parsed_reader *parsed, mst_buffer *files,
                                  mst_diagnostic *diagnostic);

/* Goes through what is present in a bank's form. */
typedef struct mst_sfa_bank_cursor {
    mst_parsed_reader reader;
    bool textures;
    uint32_t count, next;               /* entries; the next one */
    uint32_t index, frame, frame_count; /* of what was met last */
    uint64_t entry, content;            /* where its form is, from its size on, and its content */
    uint64_t content_size;
    bool kept; /* there is no content */
    uint32_t frames_left;
} mst_sfa_bank_cursor;
mst_sfa_bank_cursor mst_sfa_bank_open(const uint8_t *parsed, uint64_t size, bool textures);
/* The next frame; false at the end. */
bool mst_sfa_bank_next(mst_sfa_bank_cursor *cursor);

/* How the sum after a table of textures is, of `count` words before the end mark; what is stored, and what
 * should be. */
mst_sfa_sum mst_sfa_table_sum(const uint8_t *table, size_t size, uint32_t count, uint32_t *stored,
                              uint32_t *right);

#define MST_SFA_R_PRESENT 11
#define MST_SFA_R_SUM     12

/* What entries begin with; `standard`: the word of one that is absent. */
#define MST_SFA_PRESENT(n) .when = {{MST_EQUAL, MST_SFA_R_PRESENT, (n)}}
#define MST_SFA_BANK_ENTRY_FIELDS(standard)                                                                  \
    {.name = "present", .kind = MST_KIND_U8, .bind = MST_SFA_R_PRESENT + 1, .flags = MST_FIELD_BOOL}, {      \
        .name = "word", .kind = MST_KIND_U32, .flags = MST_FIELD_DEFAULT, .initial = (standard),             \
        .doc = "Of the table, where nothing is.", MST_SFA_PRESENT(0)                                         \
    }
/* And those of blocks and voxel maps go on with. */
#define MST_SFA_BANK_FLAGS_FIELD                                                                             \
    {                                                                                                        \
        .name = "flags", .kind = MST_KIND_U8, .flags = MST_FIELD_DEFAULT, .initial = 0x10,                   \
        .doc = "The upper eight bits of the table's word: 0x10 it is present, 0x20 set in memory alone.",    \
        MST_SFA_PRESENT(1)                                                                                   \
    }
extern const mst_enum mst_sfa_sums;

#endif
