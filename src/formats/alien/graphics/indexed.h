/* SPDX-License-Identifier: MIT */
/* Indexed pixels of Alien Trilogy's pictures: replacing them, and the files that contain their colours. */
#ifndef MST_FORMATS_ALIEN_INDEXED_H
#define MST_FORMATS_ALIEN_INDEXED_H

#include "../alien.h"

/* A component of a 15-bit colour as 8 bits. */
static inline uint8_t mst_alien_eight_bits(unsigned five) {
    return (uint8_t)(five << 3 | five >> 2);
}

/* Indices of new pixels, in the arena: a pixel keeps its index where its colour is right. NULL: nothing
 * changes. Refuses another size, and colours that the palette of `now` lacks. */
mst_status mst_alien_find_indices(const mst_pixels *pixels, const mst_pixels *now, mst_arena *arena,
                                  uint8_t **indices, mst_diagnostic *diagnostic);
/* Bytes as JSON, in the arena; NULL: no memory. */
char *mst_alien_bytes_text(const uint8_t *bytes, size_t size, mst_arena *arena);
/* Sets the bytes at a path. */
mst_status mst_alien_set_bytes(mst_document *document, const char *path, const uint8_t *bytes, size_t size,
                               mst_arena *arena, mst_diagnostic *diagnostic);

/* The colours of a screen, from the palette with its name. False: not found. */
bool mst_alien_colors_of_picture(const mst_document *document, const mst_resolver *sidecars,
                                 uint8_t palette[256][4]);
/* The colours of sprites: those that the palettes of all levels share. */
bool mst_alien_colors_of_sprites(const mst_document *document, const mst_resolver *sidecars,
                                 uint8_t palette[256][4]);

#endif
