/* SPDX-License-Identifier: MIT */
/* Revenant's imagery: the container that pictures (.I2D) and models (.I3D) share, and the parsed form of
 * pictures. */
#ifndef MST_FORMATS_REVENANT_IMAGERY_H
#define MST_FORMATS_REVENANT_IMAGERY_H

#include "../../../codec/tile_block.h"
#include "../../../files/parsed.h"
#include "../../../read/engine.h"

extern const mst_format mst_format_revenant_image, mst_format_revenant_model, mst_format_revenant_headers;

#define MST_IMAGERY_NONE UINT32_MAX /* no bitmap, no animation */

/* ---- the container -------------------------------------------------------------------------------- */

#define MST_IMAGERY_PREFIX 20u /* bytes before the header */
#define MST_IMAGERY_STATE  76u
#define MST_IMAGERY_SLOTS  64u
#define MST_IMAGERY_SLOT   20u

/* A file whose sizes have been checked. */
typedef struct mst_imagery {
    const uint8_t *bytes, *header, *table, *data, *trailing;
    uint32_t header_size, data_size;
    uint64_t trailing_size;
    uint32_t state_count, bitmap_count;
} mst_imagery;

/* The kind of body: the header's first number. */
enum { MST_IMAGERY_PICTURES = 0, MST_IMAGERY_MODEL, MST_IMAGERY_HELPER };

bool mst_imagery_probe(const uint8_t *bytes, size_t size, const char *name, bool model);
mst_status mst_imagery_open(const mst_file_view *file, mst_imagery *imagery, mst_diagnostic *diagnostic);
mst_status mst_imagery_damaged(const mst_imagery *imagery, const char *code, const uint8_t *at,
                               uint64_t length, const char *message, mst_diagnostic *diagnostic);

/* The target of the offset field at `at` in a section of `size` bytes, relative to the field; `size` and
 * above: outside. A field of 0 means no offset: MST_IMAGERY_NONE. */
uint32_t mst_imagery_target(const uint8_t *section, uint32_t size, uint32_t at);

/* Bytes from `from` to `to` of a section: zeros up to a multiple of 4, or other bytes, which are kept. */
void mst_imagery_put_fill(mst_parsed_writer *w, const uint8_t *section, uint32_t from, uint32_t to);
void mst_imagery_take_fill(mst_parsed_reader *r, mst_parsed_writer *section);
/* Whether there are bytes. */
bool mst_imagery_skip_fill(mst_parsed_reader *r);

/* Writes the data before the states: the file's own header, and the kind of its body. */
void mst_imagery_put_beginning(mst_parsed_writer *w, const mst_imagery *imagery);

/* Writes a state, without its data in the body. `*end` is the end of the preceding states' walkmaps. */
void mst_imagery_put_state(mst_parsed_writer *w, const mst_imagery *imagery, uint32_t index, uint32_t *end);
/* Reads a state and writes it to a header of `count` states as number `index`, and its walkmap to `walkmaps`.
 */
mst_status mst_imagery_take_state(mst_parsed_reader *r, uint32_t index, uint32_t count,
                                  mst_parsed_writer *states, mst_parsed_writer *walkmaps,
                                  mst_diagnostic *diagnostic);
void mst_imagery_skip_state(mst_parsed_reader *r);
/* Appends a number as stored in files. */
static inline void mst_imagery_put(mst_parsed_writer *section, uint32_t number) {
    uint8_t bytes[4];
    mst_store32(bytes, number, false);
    mst_parsed_put(section, bytes, sizeof bytes);
}

/* Whether a path is the columns or rows of a walkmap (editing.reaches); sets them, and resizes the cells
 * (editing.resize). New cells follow the old ones and have the height 0. */
#define MST_IMAGERY_CELLS 1048576u /* maximum for an edit; real walkmaps have some hundred */
bool mst_imagery_is_size_of_walkmap(const char *path);
mst_status mst_imagery_resize_walkmap(mst_document *document, const struct mst_operation *operation,
                                      const struct mst_edit_options *options, mst_diagnostic *diagnostic);

extern const mst_enum mst_imagery_state_flags, mst_imagery_animation_flags;
extern const char *const mst_imagery_state_flag_meanings[], *const mst_imagery_animation_flag_meanings[];

/* ---- parsed pictures ------------------------------------------------------------------------------ */

enum {
    MST_BITMAP_8 = 1 << 0,
    MST_BITMAP_15 = 1 << 1,
    MST_BITMAP_16 = 1 << 2,
    MST_BITMAP_24 = 1 << 3,
    MST_BITMAP_32 = 1 << 4,
    MST_BITMAP_Z = 1 << 5,
    MST_BITMAP_NORMALS = 1 << 6,
    MST_BITMAP_ALIAS = 1 << 7,
    MST_BITMAP_ALPHA = 1 << 8,
    MST_BITMAP_NO_PIXELS = 1 << 11,
    MST_BITMAP_PACKED = 3 << 14 /* two flags, always both or none */
};
#define MST_BITMAP_DEPTHS 0x1Fu
#define MST_BITMAP_HEADER 72u
#define MST_BITMAP_SIDE   8192u

/* The planes that a bitmap may have besides its pixels, in the order of their sizes and offsets. */
enum { MST_PLANE_ALIAS, MST_PLANE_ALPHA, MST_PLANE_Z, MST_PLANE_NORMALS, MST_PLANE_PALETTE, MST_PLANES };
/* How a plane's bytes are parsed. */
enum { MST_PLANE_BYTES, MST_PLANE_BLOCKS, MST_PLANE_COLORS };
#define MST_PALETTE_SIZE 1536u

/* Whether the flags state that a bitmap has the plane. */
static inline bool mst_bitmap_says(uint32_t flags, unsigned plane) {
    static const uint16_t bits[MST_PLANES] = {MST_BITMAP_ALIAS, MST_BITMAP_ALPHA, MST_BITMAP_Z,
                                              MST_BITMAP_NORMALS, 0xFFFF};
    return plane == MST_PLANE_PALETTE || (flags & bits[plane]) != 0;
}
/* Whether they state that the plane is packed in blocks; `plane` MST_PLANES: the pixels. */
static inline bool mst_bitmap_packs(uint32_t flags, unsigned plane) {
    return (flags & MST_BITMAP_PACKED) == MST_BITMAP_PACKED &&
           (plane == MST_PLANES || plane == MST_PLANE_Z || plane == MST_PLANE_NORMALS);
}

mst_status mst_image_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                           mst_diagnostic *diagnostic);
mst_status mst_image_serialize(const mst_format *format, const uint8_t *bytes, size_t size, mst_buffer *files,
                               mst_diagnostic *diagnostic);
/* Checks of the common parts: sizes and trailing bytes; the walkmap of a state. */
mst_status mst_imagery_check_sizes(mst_checker *checker);
mst_status mst_imagery_check_walkmap(mst_checker *checker, const mst_value *state, uint64_t index);

extern const mst_codes mst_imagery_codes;
#define MST_IMAGERY_PROBLEM_CODES                                                                            \
    {                                                                                                        \
        "REV-IMAGE-MAGIC", "REV-IMAGE-VERSION", "REV-IMAGE-OVERRUN", "REV-IMAGE-OVERRUN",                    \
            "REV-IMAGE-OVERRUN", "REV-IMAGE-OVERRUN"                                                         \
    }

#endif
