/* SPDX-License-Identifier: MIT */
/*
 * Block models of Star Fox Adventures. A block in a file has offsets, bit streams and display lists; its
 * *image* (here: the parsed block) has the same data in sequence, so that tables can describe it. Parsing
 * turns a block into its image, serializing an image into a block; an unedited block comes back byte for
 * byte.
 *
 * The image is big-endian, without padding; each count precedes what it counts:
 *
 *   u8 form                      0 decoded; 1 raw: only u32 n and the n bytes of the block follow
 *   u32 unused_00, u16 flags, u16 unknown_06, f32[12] matrix, u8[16] unknown_3C, u32 line_hits, u32 hits,
 *   u32 unknown_74, i16 y_min, i16 y_max, i16 y_offset, u16 unknown_92, u16 hit_count, u16 unknown_9E,
 *   u8 unknown_A3, char[20] name
 *   u8 n lists                   i16[3] bounds_min, i16[3] bounds_max, u8 flags, u8 shader,
 *                                u16 shader_bit_address, u16 matrix_bit_address, u8 sort_layer,
 *                                u8[3] unknown_19, u8 form; then
 *                                form 0: u8 texcoord_count (0..2), u32 n commands: u8 opcode; unless it is
 *                                        0: u16 n vertices: u16 position, u16 color, u16 texcoord,
 *                                        u16 texcoord_1 (as many of the last two as texcoord_count says)
 *                                form 1: u32 n, n bytes: for lists that no stream draws, or whose number of
 *                                        texcoords per vertex is unknown
 *   u16 n positions i16[3], u16 n colors u16, u16 n texcoords i16[2]
 *   3 streams                    u8 present; if it is 1: u32 n ops: u8 op and its operands (shader: u8;
 *                                list: u8; format: three u8, 1 for wide; matrices: u8 n, n bytes), without
 *                                the end op; u8 unused_bits: the bits above the end op in its last byte;
 *                                u32 n, the n bytes after that
 *   u8 n textures u32, u8 n shaders (68 bytes, as in the block)
 *   u8 has_polygon_groups        if it is 1: u16 n polygon_groups (20 bytes, as in the block), and
 *                                polygon_sentinel, one more of them
 *   u16 n polygons               8 bytes, as in the block
 *   u32 n original, n bytes      the original block, if its canonical layout would be other bytes; else
 *                                empty. Serializing then writes the values into a copy of it.
 *
 * Trailing zeros of a display list are padding, not commands, up to the next multiple of 32 bytes.
 */
#ifndef MST_FORMATS_SFA_BLOCK_H
#define MST_FORMATS_SFA_BLOCK_H

#include "../../../schema/parsed.h"
#include "../../../schema/schema.h"

#define MST_SFA_BLOCK_HEADER  0xB8
#define MST_SFA_BLOCK_MAXIMUM 0x32000 /* size of the largest block that the game accepts */
#define MST_SFA_LIST_RECORD   0x1C
#define MST_SFA_SHADER        0x44
#define MST_SFA_GROUP         0x14
#define MST_SFA_POLYGON       8
#define MST_SFA_STREAMS       3

/* Offsets of the fixed fields of an image. */
enum {
    MST_SFA_IMAGE_FORM = 0,
    MST_SFA_IMAGE_Y_MIN = 85,
    MST_SFA_IMAGE_Y_MAX = 87,
    MST_SFA_IMAGE_Y_OFFSET = 89,
    MST_SFA_IMAGE_NAME = 98,
    MST_SFA_IMAGE_LISTS = 118
};

/* ---- from block to image and back --------------------------------------------------------------- */

/* Appends the image of a block. MST_DAMAGED with a code, a path in the block and an offset from its start if
 * it cannot be read; `image` is then unchanged. An image takes at most 8 times the block's size plus 256
 * bytes. */
mst_status mst_sfa_block_parse(const uint8_t *bytes, size_t size, mst_parsed_writer *w,
                               mst_diagnostic *diagnostic);
/* Appends an image of form 1, which only keeps the bytes. */
mst_status mst_sfa_block_parse_raw(const uint8_t *bytes, size_t size, mst_parsed_writer *w,
                                   mst_diagnostic *diagnostic);
/* Appends the block of an image. MST_REFUSED with a code and a path if no block can hold it, or if bytes
 * between the arrays of the original block would be lost; `bytes` is then unchanged. */
mst_status mst_sfa_block_serialize(const uint8_t *image, size_t size, mst_buffer *bytes,
                                   mst_diagnostic *diagnostic);
/* After an edit: recomputes derived values (boxes, bit addresses, strips, first polygons) in place, where
 * they were right before and have changed. */
void mst_sfa_block_fix_up(const uint8_t *before, size_t before_size, uint8_t *after, size_t after_size);
/* Reports findings about an image, with paths in the block ("lists[2].bounds_min") and offsets in the image.
 */
mst_status mst_sfa_block_check(const uint8_t *image, size_t size, mst_report_function report, void *user);

/* ---- reading an image --------------------------------------------------------------------------- */

typedef struct mst_sfa_stream {
    bool present;
    const uint8_t *present_byte; /* in the image */
    uint32_t op_count;
    const uint8_t *ops;
    uint8_t unused_bits;
    const uint8_t *tail;
    uint32_t tail_size;
} mst_sfa_stream;

/* Pointers are into the image; numbers there are big-endian. */
typedef struct mst_sfa_block {
    const uint8_t *image;
    size_t size; /* of the image; bytes after it are ignored */
    bool raw;
    const uint8_t *raw_bytes;
    uint32_t raw_size;

    int16_t y_min, y_max, y_offset;
    char name[21];
    unsigned list_count, texture_count, shader_count;
    unsigned position_count, color_count, texcoord_count, group_count, polygon_count;
    uint32_t list_offsets[256]; /* of the list records in the image; [list_count] is their end */
    const uint8_t *positions;   /* 6 bytes each */
    const uint8_t *colors;      /* 2 */
    const uint8_t *texcoords;   /* 4 */
    mst_sfa_stream streams[MST_SFA_STREAMS];
    const uint8_t *textures; /* 4 */
    const uint8_t *shaders;  /* MST_SFA_SHADER */
    const uint8_t *groups;   /* MST_SFA_GROUP; the sentinel follows the last; NULL: absent */
    const uint8_t *polygons; /* MST_SFA_POLYGON */
    const uint8_t *original;
    uint32_t original_size;
} mst_sfa_block;

/* MST_DAMAGED if the image ends too soon or has unknown forms; nothing else is checked. */
mst_status mst_sfa_block_view(const uint8_t *image, size_t size, mst_sfa_block *block);

/* Offsets in a list's record in the image. */
enum {
    MST_SFA_LIST_BOUNDS_MIN = 0,
    MST_SFA_LIST_BOUNDS_MAX = 6,
    MST_SFA_LIST_FLAGS = 12,
    MST_SFA_LIST_SHADER = 13,
    MST_SFA_LIST_SHADER_BITS = 14,
    MST_SFA_LIST_MATRIX_BITS = 16,
    MST_SFA_LIST_SORT_LAYER = 18,
    MST_SFA_LIST_FORM = 22,
    MST_SFA_LIST_TEXCOORDS = 23 /* form 0 */
};

/* Iterates over the commands of a list:
 *     for (mst_sfa_commands it = mst_sfa_list_commands(&block, i); mst_sfa_next_command(&it);) */
typedef struct mst_sfa_commands {
    uint8_t opcode;          /* of the command */
    uint16_t vertex_count;   /* of the command */
    const uint8_t *vertices; /* vertex_count times `stride` bytes: position, color, texcoords, u16 each */
    unsigned stride;
    unsigned texcoord_count;
    uint32_t index; /* of the command */
    uint32_t left;
    const uint8_t *next;
} mst_sfa_commands;

/* No commands if the list is kept raw. */
mst_sfa_commands mst_sfa_list_commands(const mst_sfa_block *block, unsigned list);
bool mst_sfa_next_command(mst_sfa_commands *commands);

typedef enum mst_sfa_op {
    MST_SFA_OP_MATRICES_0 = 0,
    MST_SFA_OP_SHADER = 1,
    MST_SFA_OP_LIST = 2,
    MST_SFA_OP_FORMAT = 3,
    MST_SFA_OP_MATRICES = 4,
    MST_SFA_OP_END = 5 /* not in images */
} mst_sfa_op;

typedef struct mst_sfa_ops {
    uint8_t op;              /* mst_sfa_op */
    uint8_t operand;         /* shader, list; matrices: how many; format: 1 position, 2 color, 4 texcoord */
    const uint8_t *operands; /* in the image */
    uint32_t index;          /* of the op */
    uint32_t bit;            /* at which it begins in the stream */
    uint32_t bits;           /* at which it ends; at last, the stream's length without its end op */
    uint32_t left;
    const uint8_t *next;
} mst_sfa_ops;

mst_sfa_ops mst_sfa_stream_ops(const mst_sfa_block *block, unsigned stream);
bool mst_sfa_next_op(mst_sfa_ops *ops);

/* How a list is drawn: by the first op, of the first stream, that calls it. */
typedef struct mst_sfa_call {
    uint16_t shader_bit, matrix_bit; /* MST_SFA_NO_BIT: no such op, or its bit exceeds 16 bits */
    uint8_t stream;                  /* MST_SFA_NOT_CALLED */
    uint8_t shader;                  /* MST_SFA_NO_SHADER */
    uint8_t wide;                    /* indices of 16 bits: 1 position, 2 color, 4 texcoord */
} mst_sfa_call;
#define MST_SFA_NO_BIT     0xFFFF
#define MST_SFA_NOT_CALLED 0xFF
#define MST_SFA_NO_SHADER  0xFF

void mst_sfa_block_calls(const mst_sfa_block *block, mst_sfa_call calls[256]);

/* ---- tables ------------------------------------------------------------------------------------- */

/* Record numbers of a block in every format that has blocks; the format's own records come after them. */
enum {
    MST_SFA_I_BLOCK,
    MST_SFA_I_LIST,
    MST_SFA_I_COMMAND,
    MST_SFA_I_VERTEX_0,
    MST_SFA_I_VERTEX_1,
    MST_SFA_I_VERTEX_2,
    MST_SFA_I_POSITION,
    MST_SFA_I_TEXCOORD,
    MST_SFA_I_STREAM,
    MST_SFA_I_OP,
    MST_SFA_I_SHADER,
    MST_SFA_I_LAYER,
    MST_SFA_I_GROUP,
    MST_SFA_I_POLYGON,
    MST_SFA_BLOCK_RECORDS
};
extern const mst_record mst_sfa_block_record, mst_sfa_list_record, mst_sfa_command_record,
    mst_sfa_vertex_0_record, mst_sfa_vertex_1_record, mst_sfa_vertex_2_record, mst_sfa_position_record,
    mst_sfa_texcoord_record, mst_sfa_stream_record, mst_sfa_op_record, mst_sfa_shader_record,
    mst_sfa_layer_record, mst_sfa_group_record, mst_sfa_polygon_record;
/* For a format's list of records. */
#define MST_SFA_BLOCK_RECORD_LIST                                                                            \
    [MST_SFA_I_BLOCK] = &mst_sfa_block_record, [MST_SFA_I_LIST] = &mst_sfa_list_record,                      \
    [MST_SFA_I_COMMAND] = &mst_sfa_command_record, [MST_SFA_I_VERTEX_0] = &mst_sfa_vertex_0_record,          \
    [MST_SFA_I_VERTEX_1] = &mst_sfa_vertex_1_record, [MST_SFA_I_VERTEX_2] = &mst_sfa_vertex_2_record,        \
    [MST_SFA_I_POSITION] = &mst_sfa_position_record, [MST_SFA_I_TEXCOORD] = &mst_sfa_texcoord_record,        \
    [MST_SFA_I_STREAM] = &mst_sfa_stream_record, [MST_SFA_I_OP] = &mst_sfa_op_record,                        \
    [MST_SFA_I_SHADER] = &mst_sfa_shader_record, [MST_SFA_I_LAYER] = &mst_sfa_layer_record,                  \
    [MST_SFA_I_GROUP] = &mst_sfa_group_record, [MST_SFA_I_POLYGON] = &mst_sfa_polygon_record

extern const mst_enum mst_sfa_surfaces, mst_sfa_shader_flags, mst_sfa_opcodes, mst_sfa_ops_names;

#endif
