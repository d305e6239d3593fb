/* SPDX-License-Identifier: MIT */
/* Writes the headers of DDS textures, field by field, from the format's description. */
#ifndef MST_TESTS_DDS_FILE_H
#define MST_TESTS_DDS_FILE_H

#include "support.h"

/* `four_cc` NULL: `bits` of blue, green, red (and alpha). */
static inline void put_dds_header(writer *w, uint32_t width, uint32_t height, uint32_t levels,
                                  const char *four_cc, uint32_t bits) {
    put_bytes_of(w, "DDS ", 4);
    put_u32(w, 124);
    put_u32(w, 0x1007 | (levels ? 0x20000 : 0));
    put_u32(w, height);
    put_u32(w, width);
    put_u32(w, 0), put_u32(w, 0);
    put_u32(w, levels);
    for (unsigned i = 0; i < 11; i++)
        put_u32(w, 0);
    put_u32(w, 32);
    put_u32(w, four_cc ? 4 : bits == 32 ? 0x41 : 0x40);
    put_bytes_of(w, four_cc ? four_cc : "\0\0\0\0", 4);
    put_u32(w, four_cc ? 0 : bits);
    put_u32(w, four_cc ? 0 : 0xFF0000);
    put_u32(w, four_cc ? 0 : 0xFF00);
    put_u32(w, four_cc ? 0 : 0xFF);
    put_u32(w, four_cc || bits == 24 ? 0 : 0xFF000000);
    put_u32(w, 0x1000 | (levels > 1 ? 0x400008 : 0));
    for (unsigned i = 0; i < 4; i++)
        put_u32(w, 0);
}

/* The extension of a header whose packing is DX10. */
static inline void put_dds_extension(writer *w, uint32_t format, uint32_t dimension, uint32_t flags,
                                     uint32_t array) {
    put_u32(w, format);
    put_u32(w, dimension);
    put_u32(w, flags);
    put_u32(w, array);
    put_u32(w, 0);
}

#endif
