/* SPDX-License-Identifier: MIT */
/* Texts of the reference about the files of parsed formats, which their tables of parsed bytes cannot
 * describe. */
#ifndef MST_SFA_LAYOUT_TEXT_H
#define MST_SFA_LAYOUT_TEXT_H

/* Packed entries. */
#define MST_SFA_TEXT_WRAPPERS                                                                                \
    "\n"                                                                                                     \
    "## In the file\n\n"                                                                                     \
    "This section and the next ones describe bytes; the tables after them describe the values that the "     \
    "program derives from them.\n"                                                                           \
    "Where the two differ in a width, a count or the order, the bytes are as described here. Files do not "  \
    "contain `size`, `original`,\n"                                                                          \
    "`wrapper`, `packing` and `unpadded`; `mapstone tree --offsets` marks the other values that combine "    \
    "several places.\n"                                                                                      \
    "All numbers are big-endian.\n\n"                                                                        \
    "A packed entry begins with a wrapper. After it, zeros usually fill the file up to a multiple of 32 "    \
    "bytes from the entry's\n"                                                                               \
    "first byte (`unpadded`: there are none).\n\n"                                                           \
    "| offset | `ZLB\\0` and `LZOn` | `DIR\\0` and `DIRn` | `0xFACEFEED` and `0xE0E0E0E0` |\n"               \
    "|---|---|---|---|\n"                                                                                    \
    "| 0 | magic | magic | magic |\n"                                                                        \
    "| 4 | u32 `version` | u32 `version` | u32 size of the content |\n"                                      \
    "| 8 | u32 size of the content | u32 size of the content | u32 size of `extra` |\n"                      \
    "| 12 | u32 size of the packed bytes | u32 the same size | u32 packed size (E0: `packed_size`, not "     \
    "understood) |\n"                                                                                        \
    "| 16 | the packed bytes | 16 bytes `unknown_10` | u32 `unknown_10`, u32 `unknown_14` |\n"               \
    "| 24 | | | `extra`, then the content: FACEFEED packed, E0 unpacked |\n"                                 \
    "| 32 | | the unpacked content | |\n\n"                                                                  \
    "- ZLB: a zlib stream. The game's own equal zlib's output at level 6 with a window of 2^13 bytes and "   \
    "memory level 9 (`packing`\n"                                                                            \
    "  0; they begin with 58 85); the streams of modders' tools at level 9 and memory level 8 (`packing` "   \
    "1; 58 C3). A stream that neither\n"                                                                     \
    "  setting reproduces is kept unchanged in `original`.\n"                                                \
    "- LZOn: an LZO1X stream (https://www.kernel.org/doc/html/latest/staging/lzo.html). It is only read, "   \
    "so `original` keeps it.\n"                                                                              \
    "- FACEFEED: the packed content is a ZLB entry with its own header; the packed size is the size of the " \
    "whole entry, rounded up\n"                                                                              \
    "  to a multiple of 32.\n"                                                                               \
    "- Without a wrapper the content is the file. An entry that cannot be unpacked is kept whole "           \
    "(`wrapper` 7).\n"
/* Tables of offsets: any, of entries, of textures. */
#define MST_SFA_TEXT_TABLE                                                                                   \
    "\n"                                                                                                     \
    "## The table\n"                                                                                         \
    "\n"                                                                                                     \
    "A `.tab` file has u32 words, big-endian, up to an end mark 0xFFFFFFFF, then zeros up to a multiple of " \
    "32 bytes.\n"

#define MST_SFA_TEXT_BANK                                                                                    \
    "\n"                                                                                                     \
    "The upper eight bits of a word are flags (0x10: the entry is present), the lower 24 the offset of the " \
    "entry in the\n"                                                                                         \
    "bank. An entry ends where the next one in the order of offsets begins, or at the end of the bank.\n"

#define MST_SFA_TEXT_TEXTURES                                                                                \
    "\n"                                                                                                     \
    "Words of textures have 0x80 for present, the number of frames in bits 24 to 29, and the offset in "     \
    "units of 2 bytes. The\n"                                                                                \
    "word before the end mark gives the end of the bank. If there are several frames, the entry begins "     \
    "with u32 offsets from\n"                                                                                \
    "its first byte, one for each frame and one for the end; each frame is a separate packed entry. After "  \
    "the padding, the\n"                                                                                     \
    "table has the sum of the bytes of all its words before the end mark as u32, then zeros up to 32 "       \
    "bytes.\n"
/* Blocks, without their wrapper. */
#define MST_SFA_TEXT_BLOCK                                                                                   \
    "\n"                                                                                                     \
    "## The block in the file\n\n"                                                                           \
    "A block has a header of 0xB8 bytes. Offsets count from the block's first byte; 0 means that the array " \
    "is missing, which\n"                                                                                    \
    "is allowed for `polygons`, `polygon_groups`, `textures`, `shaders` and the streams.\n\n"                \
    "| offset | type | content |\n"                                                                          \
    "|---|---|---|\n"                                                                                        \
    "| 0x00 | u32 | `unused_00` |\n"                                                                         \
    "| 0x04 | u16 | `flags` |\n"                                                                             \
    "| 0x06 | u16 | `unknown_06` |\n"                                                                        \
    "| 0x08 | u32 | size of the block, with the zeros at its end |\n"                                        \
    "| 0x0C | f32[12] | `matrix` |\n"                                                                        \
    "| 0x3C | 16 bytes | `unknown_3C` |\n"                                                                   \
    "| 0x4C | u32 | offset of `polygons` |\n"                                                                \
    "| 0x50 | u32 | offset of `polygon_groups`; not 0: `has_polygon_groups` |\n"                             \
    "| 0x54 | u32 | offset of `textures` |\n"                                                                \
    "| 0x58 | u32 | offset of `positions` |\n"                                                               \
    "| 0x5C | u32 | offset of `colors` |\n"                                                                  \
    "| 0x60 | u32 | offset of `texcoords` |\n"                                                               \
    "| 0x64 | u32 | offset of `shaders` |\n"                                                                 \
    "| 0x68 | u32 | offset of the records of `lists` |\n"                                                    \
    "| 0x6C | u32 | `line_hits` |\n"                                                                         \
    "| 0x70 | u32 | `hits` |\n"                                                                              \
    "| 0x74 | u32 | `unknown_74` |\n"                                                                        \
    "| 0x78 | u32[3] | offsets of the streams |\n"                                                           \
    "| 0x84 | u16[3] | sizes of the streams in bytes |\n"                                                    \
    "| 0x8A | i16 | `y_min` |\n"                                                                             \
    "| 0x8C | i16 | `y_max` |\n"                                                                             \
    "| 0x8E | i16 | `y_offset` |\n"                                                                          \
    "| 0x90 | u16 | number of `positions` |\n"                                                               \
    "| 0x92 | u16 | `unknown_92` |\n"                                                                        \
    "| 0x94 | u16 | number of `colors` |\n"                                                                  \
    "| 0x96 | u16 | number of `texcoords` |\n"                                                               \
    "| 0x98 | u16 | number of `polygons` |\n"                                                                \
    "| 0x9A | u16 | number of `polygon_groups`, without the sentinel |\n"                                    \
    "| 0x9C | u16 | `hit_count` |\n"                                                                         \
    "| 0x9E | u16 | `unknown_9E` |\n"                                                                        \
    "| 0xA0 | u8 | number of `textures` |\n"                                                                 \
    "| 0xA1 | u8 | number of `lists` |\n"                                                                    \
    "| 0xA2 | u8 | number of `shaders` |\n"                                                                  \
    "| 0xA3 | u8 | `unknown_A3` |\n"                                                                         \
    "| 0xA4 | char[20] | `name` |\n\n"                                                                       \
    "The game's blocks have everything in this order, with zeros where an alignment leaves bytes:\n\n"       \
    "1. the header\n"                                                                                        \
    "2. the records of the lists, 28 bytes each\n"                                                           \
    "3. at a multiple of 32, the data of each list, filled up to a multiple of 32\n"                         \
    "4. `positions`, 6 bytes each\n"                                                                         \
    "5. at a multiple of 4, `colors`, 2 bytes each\n"                                                        \
    "6. at a multiple of 4, `texcoords`, 4 bytes each\n"                                                     \
    "7. at a multiple of 4 each, the streams that exist\n"                                                   \
    "8. at a multiple of 4, `textures`, 4 bytes each\n"                                                      \
    "9. `shaders`, 68 bytes each: as in the table below, `layers` at 0x24 with 8 bytes each, `flags` at "    \
    "0x3C, `layer_count` at 0x41\n"                                                                          \
    "10. `polygon_groups`, 20 bytes each, and the sentinel\n"                                                \
    "11. `polygons`, 8 bytes each\n"                                                                         \
    "12. zeros up to a multiple of 32\n\n"                                                                   \
    "A block with another order, or other bytes between the arrays, is kept in `original`. A block that "    \
    "cannot be read is\n"                                                                                    \
    "kept in `data` (`form` 1).\n\n"                                                                         \
    "To read a block, read the header, the shaders, then the streams, and only then the lists' data: the "   \
    "streams give the width of their\n"                                                                      \
    "indices.\n"

/* The drawing operations of blocks, and their effects. */
#define MST_SFA_TEXT_STREAMS                                                                                 \
    "\n"                                                                                                     \
    "**Streams.** Bits are taken from the lowest of each byte to the highest, and a number's lowest bit is " \
    "first. Each op is four\n"                                                                               \
    "bits `op`, then its operands without any alignment:\n\n"                                                \
    "| op | operands |\n"                                                                                    \
    "|---|---|\n"                                                                                            \
    "| 0, 4: `matrices` | 4 bits count, 8 bits each; blocks do not use them |\n"                             \
    "| 1: `shader` | 6 bits |\n"                                                                             \
    "| 2: `list` | 8 bits |\n"                                                                               \
    "| 3: `format` | 1 bit each: `wide_position`, `wide_color`, `wide_texcoord` |\n"                         \
    "| 5: the end | none; not in `ops` |\n\n"                                                                \
    "`unused_bits` fills the last byte. An op applies until the next of its kind; at the start of a stream " \
    "no shader is selected and all\n"                                                                        \
    "indices have 8 bits. `shader_bit_address` of a list is where, in the first stream that draws it, the "  \
    "four bits of the last\n"                                                                                \
    "`shader` op before it begin, counted in bits from the start of the stream; `matrix_bit_address` "       \
    "likewise. Example: the bytes\n"                                                                         \
    "21 0C 28 00 24 A0 00 are `shader` 2, `format` all narrow, `matrices` [0], `list` 1, the end.\n\n"       \
    "**Lists.** A record has u32 offset and u16 size of the list's data, then `bounds_min` to "              \
    "`unknown_19`. The size is a multiple of\n"                                                              \
    "32. The data are commands: u8 `opcode`; unless it is 0, u16 number of vertices, then the vertices. A "  \
    "vertex has the index of a\n"                                                                            \
    "position, of a color and, `texcoord_count` times, of a texcoord; each has 8 bits, or 16 if the last "   \
    "`format` op before the\n"                                                                               \
    "list was drawn selects that. `texcoord_count` is not stored: it is the `layer_count` of the selected "  \
    "shader, but 1 if that shader's\n"                                                                       \
    "`flags` have bit 31 (0x80000000, `water`) and 1 if no shader is selected. If several ops draw a list, " \
    "the first one is used.\n"                                                                               \
    "Zeros from the last command up to a multiple of 32 are not commands. A list that no stream draws, or "  \
    "whose shader does not exist\n"                                                                          \
    "or has more than 2 layers, cannot be divided into commands: it is kept in `data` (`form` 1).\n"

#endif
