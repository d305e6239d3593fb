/* SPDX-License-Identifier: MIT */
/* What the files about blocks share: where arrays lie, bit streams, display lists. */
#ifndef MST_FORMATS_SFA_BLOCK_PARTS_H
#define MST_FORMATS_SFA_BLOCK_PARTS_H

#include "../../core/bytes.h"
#include "../../core/diagnose.h"
#include "block.h"

/* Fills in a diagnosis and returns its status; offset MST_NO_OFFSET if there is none. */
mst_status mst_sfa_fault(mst_diagnostic *diagnostic, mst_status status, const char *code, uint64_t offset,
                         const char *message);

/* Room after the bytes of a memory, which do not grow by that; NULL if there is none. */
uint8_t *mst_sfa_capacity(mst_buffer *buffer, size_t size);

/* ---- where the arrays of a block lie ------------------------------------------------------------ */

/* The arrays, in the order in which they are written; the data of the lists follows the records. */
typedef enum mst_sfa_array {
    MST_SFA_LISTS = 0,
    MST_SFA_POSITIONS,
    MST_SFA_COLORS,
    MST_SFA_TEXCOORDS,
    MST_SFA_STREAM_0,
    MST_SFA_STREAM_1,
    MST_SFA_STREAM_2,
    MST_SFA_TEXTURES,
    MST_SFA_SHADERS,
    MST_SFA_GROUPS,
    MST_SFA_POLYGONS,
    MST_SFA_ARRAYS
} mst_sfa_array;

typedef struct mst_sfa_layout {
    uint32_t size;
    uint32_t offsets[MST_SFA_ARRAYS], sizes[MST_SFA_ARRAYS], counts[MST_SFA_ARRAYS];
} mst_sfa_layout;

/* Reads and proves header and list records: every array and every list's data lies in the block. */
mst_status mst_sfa_layout_read(const uint8_t *bytes, size_t size, mst_sfa_layout *layout,
                               mst_diagnostic *diagnostic);

/* A list's data. */
static inline uint32_t mst_sfa_data_offset(const uint8_t *bytes, const mst_sfa_layout *layout, unsigned i) {
    return mst_load32(bytes + layout->offsets[MST_SFA_LISTS] + (size_t)i * MST_SFA_LIST_RECORD, true);
}
static inline uint16_t mst_sfa_data_size(const uint8_t *bytes, const mst_sfa_layout *layout, unsigned i) {
    return mst_load16(bytes + layout->offsets[MST_SFA_LISTS] + (size_t)i * MST_SFA_LIST_RECORD + 4, true);
}

typedef struct mst_sfa_span {
    uint32_t offset, size;
} mst_sfa_span;
#define MST_SFA_SPANS (MST_SFA_ARRAYS + 255)
/* All arrays and lists' data that are not empty, in the order in which they are written; how many. */
size_t mst_sfa_spans(const uint8_t *bytes, const mst_sfa_layout *layout, mst_sfa_span spans[MST_SFA_SPANS]);

/* ---- bit streams -------------------------------------------------------------------------------- */

/* The calls of no stream. */
void mst_sfa_calls_none(mst_sfa_call calls[256]);

/* Reads a stream. `ops` (NULL: none) takes what stands in the image from the ops' count on, `length` bytes.
 * `calls` (NULL: not wanted) notes lists that no earlier stream calls. */
mst_status mst_sfa_stream_read(const uint8_t *bytes, uint32_t size, uint32_t offset, unsigned stream,
                               unsigned list_count, uint8_t *ops, size_t *length, mst_sfa_call *calls,
                               mst_diagnostic *diagnostic);
/* The bytes that a stream of an image takes, after proving its operands. */
mst_status mst_sfa_stream_measure(const mst_sfa_block *block, unsigned stream, uint32_t *size,
                                  mst_diagnostic *diagnostic);
/* Writes it; the bytes there are zero. */
void mst_sfa_stream_write(const mst_sfa_block *block, unsigned stream, uint8_t *bytes);

/* ---- display lists ------------------------------------------------------------------------------ */

#define MST_SFA_TEXCOORDS_UNKNOWN 3
/* How many texcoords the vertices of a list have, as it is called; MST_SFA_TEXCOORDS_UNKNOWN. */
unsigned mst_sfa_texcoords_of(const mst_sfa_call *call, const uint8_t *shaders, unsigned shader_count);

/* What bounds a list's indices, and how they are stored. */
typedef struct mst_sfa_indices {
    unsigned counts[3]; /* positions, colors, texcoords */
    unsigned texcoords; /* of a vertex */
    uint8_t wide;
} mst_sfa_indices;

/* Goes over a list's data and proves its commands; how many there are, and the bytes of them in an image. */
mst_status mst_sfa_list_measure(const uint8_t *data, uint32_t size, uint32_t offset, unsigned list,
                                const mst_sfa_indices *indices, uint32_t *commands, size_t *length,
                                mst_diagnostic *diagnostic);
/* Writes the commands into an image. MST_DAMAGED if an index is too large. */
mst_status mst_sfa_list_read(const uint8_t *data, uint32_t size, uint32_t offset, unsigned list,
                             const mst_sfa_indices *indices, uint8_t *commands, mst_diagnostic *diagnostic);

typedef struct mst_sfa_list_size {
    uint32_t used;  /* bytes to the end of the last command that is not 0 */
    uint32_t zeros; /* commands 0 after it */
} mst_sfa_list_size;
/* The bytes that a list of an image takes, after proving opcodes and indices. */
mst_status mst_sfa_list_serialize_measure(const mst_sfa_block *block, unsigned list,
                                          const mst_sfa_indices *indices, mst_sfa_list_size *size,
                                          mst_diagnostic *diagnostic);
void mst_sfa_list_write(const mst_sfa_block *block, unsigned list, uint8_t wide, uint8_t *data);

/* Proves that an image can be parsed, and how large the block would be. */
mst_status mst_sfa_block_measure(const mst_sfa_block *block, const mst_sfa_call calls[256], uint64_t *size,
                                 mst_diagnostic *diagnostic);

/* ---- what follows from other values ------------------------------------------------------------- */

typedef enum mst_sfa_derived_kind {
    MST_SFA_D_GROUP_BOX = 0,
    MST_SFA_D_STRIPS,
    MST_SFA_D_LIST_BOUNDS,
    MST_SFA_D_LIST_SHADER,
    MST_SFA_D_SHADER_BITS,
    MST_SFA_D_MATRIX_BITS,
    MST_SFA_D_Y_RANGE, /* from the stored boxes of the groups */
    MST_SFA_DERIVED_KINDS
} mst_sfa_derived_kind;

/* How many values of the kind a block has. */
unsigned mst_sfa_derived_count(const mst_sfa_block *block, mst_sfa_derived_kind kind);
/* Where one stands in the image. */
const uint8_t *mst_sfa_derived_place(const mst_sfa_block *block, mst_sfa_derived_kind kind, unsigned index);
/* What it should be, in at most 12 bytes, as stored; how many bytes, 0 if nothing follows. */
unsigned mst_sfa_derive(const mst_sfa_block *block, const mst_sfa_call calls[256], mst_sfa_derived_kind kind,
                        unsigned index, uint8_t out[12]);

#endif
