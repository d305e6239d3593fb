/* SPDX-License-Identifier: MIT */
/* What the reference says about the files of parsed formats: what their tables of parsed bytes cannot say. */
#ifndef MST_SFA_LAYOUT_TEXT_H
#define MST_SFA_LAYOUT_TEXT_H

/* Packed entries. */
#define MST_SFA_TEXT_WRAPPERS                                                                                \
    "\n"                                                                                                     \
    "## In the file\n"                                                                                       \
    "\n"                                                                                                     \
    "A packed entry begins with one of these wrappers; all numbers are big-endian. It usually ends with "    \
    "zeros up to a\n"                                                                                        \
    "multiple of 32 bytes from its first byte (`unpadded`: it has none). In the tables below, the fields "   \
    "`size`, `original`,\n"                                                                                  \
    "`wrapper`, `packing` and `unpadded`, and counts before lists, are in no file: `mapstone tree "          \
    "--offsets` shows which are.\n"                                                                          \
    "\n"                                                                                                     \
    "| offset | `ZLB\\0` and `LZOn` | `DIR\\0` and `DIRn` | `0xFACEFEED` and `0xE0E0E0E0` |\n"               \
    "|---|---|---|---|\n"                                                                                    \
    "| 0 | magic | magic | magic |\n"                                                                        \
    "| 4 | u32 `version` | u32 `version` | u32 unpacked size |\n"                                            \
    "| 8 | u32 unpacked size | u32 size | u32 size of `extra` |\n"                                           \
    "| 12 | u32 packed size | u32 size again | u32 packed size; E0: `packed_size` |\n"                       \
    "| 16 | the packed bytes | 16 bytes `unknown_10` | u32 `unknown_10`, u32 `unknown_14` |\n"               \
    "| 24 | | | `extra`, then a ZLB entry (FACEFEED) or the bytes (E0) |\n"                                  \
    "| 32 | | the bytes | |\n"                                                                               \
    "\n"                                                                                                     \
    "ZLB packs with zlib; retail streams begin with the bytes 58 85 and are otherwise zlib's (modified "     \
    "files: any zlib\n"                                                                                      \
    "header), LZOn with LZO1X. Without a wrapper the content is the file.\n"
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
    "its first byte, one for each frame and one for the end; each frame is a packed entry of its own. "      \
    "After the padding, the\n"                                                                               \
    "table has the sum of the bytes of all its words before the end mark as u32, then zeros up to 32 "       \
    "bytes.\n"
/* Blocks, without their wrapper. */
#define MST_SFA_TEXT_BLOCK                                                                                   \
    "\n"                                                                                                     \
    "## The block in the file\n"                                                                             \
    "\n"                                                                                                     \
    "A block has a header of 0xB8 bytes, big-endian. Offsets count from the block's first byte.\n"           \
    "\n"                                                                                                     \
    "| offset | content |\n"                                                                                 \
    "|---|---|\n"                                                                                            \
    "| 0x00 | u32 `unused_00`, u16 `flags`, u16 `unknown_06` |\n"                                            \
    "| 0x08 | u32 size of the block |\n"                                                                     \
    "| 0x0C | f32[12] `matrix`, 16 bytes `unknown_3C` |\n"                                                   \
    "| 0x4C, 0x50, 0x54 | u32 offsets of `polygons`, `polygon_groups`, `textures` |\n"                       \
    "| 0x58, 0x5C, 0x60 | u32 offsets of `positions`, `colors`, `texcoords` |\n"                             \
    "| 0x64, 0x68 | u32 offsets of `shaders`, `lists` |\n"                                                   \
    "| 0x6C | u32 `line_hits`, u32 `hits`, u32 `unknown_74` |\n"                                             \
    "| 0x78, 0x7C, 0x80 | u32 offsets of the three streams; 0: absent |\n"                                   \
    "| 0x84, 0x86, 0x88 | u16 sizes of the streams in bytes |\n"                                             \
    "| 0x8A | i16 `y_min`, `y_max`, `y_offset` |\n"                                                          \
    "| 0x90 | u16 number of positions, u16 `unknown_92`, u16 number of colors, of texcoords, of polygons "   \
    "|\n"                                                                                                    \
    "| 0x9A | u16 number of polygon groups, without the sentinel |\n"                                        \
    "| 0x9C | u16 `hit_count`, u16 `unknown_9E` |\n"                                                         \
    "| 0xA0, 0xA1, 0xA2 | u8 number of textures, of lists, of shaders |\n"                                   \
    "| 0xA3 | u8 `unknown_A3`, then 20 bytes `name` |\n"                                                     \
    "\n"                                                                                                     \
    "Elements are stored as the tables below describe them, one after the other, except for lists and "      \
    "streams. The game's\n"                                                                                  \
    "blocks have the arrays in this order: lists, the lists' data (each at a multiple of 32), positions, "   \
    "colors, texcoords, the\n"                                                                               \
    "streams (each at a multiple of 4), textures, shaders, polygon groups with the sentinel, polygons.\n"

#define MST_SFA_TEXT_STREAMS                                                                                 \
    "\n"                                                                                                     \
    "**Lists.** A record of 28 bytes: u32 offset and u16 size of the list's data, then `bounds_min` to "     \
    "`unknown_19`. The data\n"                                                                               \
    "are commands: u8 `opcode`; unless it is 0, u16 number of vertices, then the vertices. A vertex has "    \
    "the indices of a\n"                                                                                     \
    "position, of a color and of as many texcoords as its shader has layers (`layer_count` at 0x41 of the "  \
    "shader, 1 for\n"                                                                                        \
    "water, bit 31 of `flags`, and where no shader was selected); each has 8 bits, or 16 where the "         \
    "stream's last `format` op\n"                                                                            \
    "said so before it called the list. Zeros after the last command fill up to a multiple of 32 bytes. A "  \
    "list that no stream\n"                                                                                  \
    "calls, or whose number of texcoords is unknown, cannot be divided into commands (`form` 1).\n"          \
    "\n"                                                                                                     \
    "**Streams.** Ops are packed bit by bit, the lowest bit of each byte first: four bits `op`, then the "   \
    "operands, without any\n"                                                                                \
    "alignment. Op 0 and 4, matrices: 4 bits count, 8 bits each. Op 1, shader: 6 bits. Op 2, list: 8 bits. " \
    "Op 3, format: three\n"                                                                                  \
    "bits, wide position, wide color and wide texcoord. Op 5 ends the stream; `unused_bits` fills its last " \
    "byte. At the start\n"                                                                                   \
    "of a stream, no shader is selected and all indices have 8 bits. `shader_bit_address` and "              \
    "`matrix_bit_address` count bits\n"                                                                      \
    "from the start of the stream.\n"

#endif
