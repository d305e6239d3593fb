/* SPDX-License-Identifier: MIT */
/*
 * Block models of Star Fox Adventures. A block in a file has offsets, bit streams and display lists; its
 * *image* (here: the parsed block) has the same data in sequence, so that tables can describe it
 * (block_tables.c): big-endian, without padding, each count before its elements. Parsing turns a block into
 * its image, serializing an image into a block; an unedited block is reproduced exactly.
 *
 * A list is kept raw if no stream draws it, or if its number of texcoords per vertex is unknown. Trailing
 * zeros of a display list are padding, not commands, up to the next multiple of 32 bytes. `original` is the
 * block itself if its canonical layout would give other bytes; serializing then writes the values into a copy
 * of it.
 */
#ifndef MST_FORMATS_SFA_BLOCK_H
#define MST_FORMATS_SFA_BLOCK_H

#include "../../../files/parsed.h"
#include "../../../read/binding.h"

#define MST_SFA_BLOCK_HEADER  0xB8
#define MST_SFA_BLOCK_MAXIMUM 0x32000 /* size of the largest block that the game accepts */
#define MST_SFA_LIST_RECORD   0x1C
#define MST_SFA_SHADER        0x44
#define MST_SFA_LAYER         8
#define MST_SFA_GROUP         0x14
#define MST_SFA_POLYGON       8
#define MST_SFA_STREAMS       3

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
/* Checks the image at `offset` of the checked document; `path` is the block's. */
mst_status mst_sfa_block_check(mst_checker *checker, uint64_t offset, uint64_t size, const char *path);

/* Whether the first MST_SFA_BLOCK_HEADER bytes of a file or entry look like a block's. `size`: of the file,
 * if the block is not packed; else 0. */
bool mst_sfa_block_probe(const uint8_t *header, uint64_t size);

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

#define MST_SFA_SHADER_WATER UINT32_C(0x80000000) /* a shader flag */
typedef struct mst_sfa_shaders {
    mst_column all, flags, layer_counts;
} mst_sfa_shaders;
mst_sfa_shaders mst_sfa_shaders_at(const uint8_t *bytes, uint64_t count);
/* A field of a shader's two layers. */
mst_column mst_sfa_layers_of(const mst_sfa_shaders *shaders, uint64_t shader, const char *name);

/* Pointers and columns are into the image; numbers there are big-endian. */
typedef struct mst_sfa_block {
    const uint8_t *image;
    size_t size; /* of the image; bytes after it are ignored */
    bool raw;
    const uint8_t *raw_bytes;
    uint32_t raw_size;

    int16_t y_min, y_max, y_offset;
    char name[21];
    unsigned list_count;
    uint32_t list_offsets[256]; /* of the list records in the image; [list_count]: their end */
    mst_column positions, colors, texcoords, textures, polygons;
    mst_sfa_shaders shaders;
    mst_column groups; /* the sentinel follows the last; data NULL: absent */
    const uint8_t *has_groups;
    mst_sfa_stream streams[MST_SFA_STREAMS];
    const uint8_t *original;
    uint32_t original_size;
} mst_sfa_block;

/* MST_DAMAGED if the image ends too soon or has unknown forms; nothing else is checked. */
mst_status mst_sfa_block_view(const uint8_t *image, size_t size, mst_sfa_block *block);

/* A signed number of 16 bits. */
static inline int mst_sfa_i16(const mst_column *column, uint64_t index, uint32_t component) {
    return (int16_t)mst_column_u16(column, index, component);
}

typedef struct mst_sfa_list {
    mst_column record; /* for the fields before `form` */
    uint8_t form;      /* 1: raw */
    uint8_t texcoord_count;
    uint32_t count;      /* of commands; raw: of bytes */
    const uint8_t *data; /* the commands or bytes */
} mst_sfa_list;

mst_sfa_list mst_sfa_block_list(const mst_sfa_block *block, unsigned list);

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
static inline mst_column mst_sfa_vertices(const mst_sfa_commands *command) {
    return (mst_column){command->vertices, command->vertex_count, command->stride, true};
}

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
    uint32_t bits;           /* at which it ends; finally, the stream's length without its end op */
    uint32_t left;
    const uint8_t *next;
} mst_sfa_ops;

mst_sfa_ops mst_sfa_stream_ops(const mst_sfa_block *block, unsigned stream);
bool mst_sfa_next_op(mst_sfa_ops *ops);

/* How a list is drawn: determined by the first op, of the first stream, that calls it. */
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

/* The records of a block, in every format that has blocks: `variable`_record each. The format's own records
 * follow them. */
/* clang-format off */
#define MST_SFA_BLOCK_RECORDS(X) \
    X(mst_sfa_block) X(mst_sfa_list) X(mst_sfa_command) X(mst_sfa_vertex_0) X(mst_sfa_vertex_1) \
    X(mst_sfa_vertex_2) X(mst_sfa_position) X(mst_sfa_texcoord) X(mst_sfa_stream) X(mst_sfa_op) \
    X(mst_sfa_shader) X(mst_sfa_layer) X(mst_sfa_group) X(mst_sfa_polygon)
#define MST_SFA_BLOCK_DECLARED(variable) extern const mst_record variable##_record;
#define MST_SFA_BLOCK_INDEX(variable)    I_##variable,
#define MST_SFA_BLOCK_ADDRESS(variable)  &variable##_record,
/* clang-format on */
MST_SFA_BLOCK_RECORDS(MST_SFA_BLOCK_DECLARED)
enum { MST_SFA_BLOCK_RECORDS(MST_SFA_BLOCK_INDEX) MST_SFA_BLOCK_RECORD_COUNT };

extern const mst_enum mst_sfa_surfaces, mst_sfa_shader_flags, mst_sfa_opcodes, mst_sfa_ops_names;

#endif
