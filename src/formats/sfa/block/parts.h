/* SPDX-License-Identifier: MIT */
/* Shared by the block files: the layout of arrays, bit streams, display lists. */
#ifndef MST_FORMATS_SFA_BLOCK_PARTS_H
#define MST_FORMATS_SFA_BLOCK_PARTS_H

#include "../../../core/bytes.h"
#include "../../../core/diagnose.h"
#include "block.h"

/* Diagnostics are not optional here. */

/* Fills in a diagnostic and returns its status; offset MST_NO_OFFSET: none. */
mst_status mst_sfa_fault(mst_diagnostic *diagnostic, mst_status status, const char *code, uint64_t offset,
                         const char *message);

mst_status mst_sfa_no_memory(mst_diagnostic *diagnostic);

/* ---- layout ------------------------------------------------------------------------------------- */

/* The arrays, in the order in which they are written; the lists' data follows their records. */
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

/* The part of a list's record that an image also has: without the offset and size of its data. */
#define MST_SFA_LIST_FIELDS (MST_SFA_LIST_RECORD - 6)

/* The positions in the header of an array's offset and count, and the size of an element. */
typedef struct mst_sfa_array_layout {
    const char *name, *offset_name;
    uint8_t offset, count, count_width, element;
} mst_sfa_array_layout;
extern const mst_sfa_array_layout mst_sfa_arrays[MST_SFA_ARRAYS];

/* Parts of the header that an image also has, in order. */
typedef struct mst_sfa_header_field {
    uint8_t block, size; /* offset in the block */
} mst_sfa_header_field;
#define MST_SFA_HEADER_FIELDS 7
extern const mst_sfa_header_field mst_sfa_header_fields[MST_SFA_HEADER_FIELDS];

typedef struct mst_sfa_layout {
    uint32_t size;
    uint32_t offsets[MST_SFA_ARRAYS], sizes[MST_SFA_ARRAYS], counts[MST_SFA_ARRAYS];
} mst_sfa_layout;

/* Reads the header and the list records, and checks that every array and every list's data is inside the
 * block. */
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
/* The non-empty arrays and list data, in the order in which they are written; returns their number. */
size_t mst_sfa_spans(const uint8_t *bytes, const mst_sfa_layout *layout, mst_sfa_span spans[MST_SFA_SPANS]);
/* The bytes after the header that are outside all of them, in ascending order; returns the number of gaps. */
size_t mst_sfa_gaps(const uint8_t *bytes, const mst_sfa_layout *layout, mst_sfa_span gaps[MST_SFA_SPANS + 1]);

/* Checks that polygons refer to existing positions and that the sentinel group states the number of polygons
 * (groups->data NULL: no groups). Offsets in diagnostics count from `origin`. */
mst_status mst_sfa_check_polygons(const mst_column *polygons, const mst_column *groups, uint64_t positions,
                                  const uint8_t *origin, mst_status status, mst_diagnostic *diagnostic);

/* ---- bit streams -------------------------------------------------------------------------------- */

/* Marks all lists as not called. */
void mst_sfa_calls_none(mst_sfa_call calls[256]);

/* Reads a stream; its `length` counts bytes in the image, from the count of ops on, which `w` (may be NULL)
 * receives. `calls` (may be NULL) receives the lists that no earlier stream calls. */
mst_status mst_sfa_stream_read(const uint8_t *bytes, uint32_t size, uint32_t offset, unsigned stream,
                               unsigned list_count, mst_parsed_writer *w, size_t *length, mst_sfa_call *calls,
                               mst_diagnostic *diagnostic);
/* Checks the operands of a stream in an image, and computes its size in the block. */
mst_status mst_sfa_stream_measure(const mst_sfa_block *block, unsigned stream, uint32_t *size,
                                  mst_diagnostic *diagnostic);
/* Writes a stream; `bytes` must be zeroed. */
void mst_sfa_stream_write(const mst_sfa_block *block, unsigned stream, uint8_t *bytes);

/* ---- display lists ------------------------------------------------------------------------------ */

#define MST_SFA_TEXCOORDS_UNKNOWN 3
/* The number of texcoords per vertex of a list, from the shader it is drawn with, or
 * MST_SFA_TEXCOORDS_UNKNOWN. */
unsigned mst_sfa_texcoords_of(const mst_sfa_call *call, const mst_sfa_shaders *shaders);

/* The size of a vertex in a list's data. */
unsigned mst_sfa_vertex_size(unsigned texcoords, uint8_t wide);

/* The limits and widths of a list's indices. */
typedef struct mst_sfa_indices {
    unsigned counts[3]; /* positions, colors, texcoords */
    unsigned texcoords; /* per vertex */
    uint8_t wide;
} mst_sfa_indices;

/* Checks the commands of a list's data; returns their size in an image. */
mst_status mst_sfa_list_measure(const uint8_t *data, uint32_t size, uint32_t offset, unsigned list,
                                const mst_sfa_indices *indices, size_t *length, mst_diagnostic *diagnostic);
/* Writes the commands and their number into an image, which has room for them. MST_DAMAGED if an index is too
 * large. */
mst_status mst_sfa_list_read(const uint8_t *data, uint32_t size, uint32_t offset, unsigned list,
                             const mst_sfa_indices *indices, mst_parsed_writer *w,
                             mst_diagnostic *diagnostic);

typedef struct mst_sfa_list_size {
    uint32_t used;  /* bytes up to the end of the last nonzero command */
    uint32_t zeros; /* zero commands after it */
} mst_sfa_list_size;
/* Checks the opcodes and indices of a list in an image, and computes its size in the block. */
mst_status mst_sfa_list_serialize_measure(const mst_sfa_block *block, unsigned list,
                                          const mst_sfa_indices *indices, mst_sfa_list_size *size,
                                          mst_diagnostic *diagnostic);
void mst_sfa_list_write(const mst_sfa_block *block, unsigned list, uint8_t wide, uint8_t *data);

/* ---- derived values ----------------------------------------------------------------------------- */

typedef enum mst_sfa_derived_kind {
    MST_SFA_D_GROUP_BOX = 0,
    MST_SFA_D_STRIPS,
    MST_SFA_D_LIST_BOUNDS,
    MST_SFA_D_LIST_SHADER,
    MST_SFA_D_SHADER_BITS,
    MST_SFA_D_MATRIX_BITS,
    MST_SFA_D_Y_RANGE, /* from the groups' box fields */
    MST_SFA_DERIVED_KINDS
} mst_sfa_derived_kind;

/* How findings name and print them: the list that holds them (NULL: the block), and the fields in order,
 * `components` numbers each. */
typedef struct mst_sfa_derived {
    const char *code, *message, *list;
    const mst_record *record;
    const char *names[6];
    uint8_t components;
} mst_sfa_derived;
extern const mst_sfa_derived mst_sfa_deriveds[MST_SFA_DERIVED_KINDS];

/* The number of values of this kind in a block. */
unsigned mst_sfa_derived_count(const mst_sfa_block *block, mst_sfa_derived_kind kind);
/* The address of a value in the image; `index` must be in range. */
const uint8_t *mst_sfa_derived_place(const mst_sfa_block *block, mst_sfa_derived_kind kind, unsigned index);
/* The correct value, as bytes of the image; returns their number, 0 if it cannot be derived. */
unsigned mst_sfa_derive(const mst_sfa_block *block, const mst_sfa_call calls[256], mst_sfa_derived_kind kind,
                        unsigned index, uint8_t out[12]);

#endif
