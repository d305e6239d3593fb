/* SPDX-License-Identifier: MIT */
/* Files of Alien Trilogy without a header that identifies them: they are identified by their names and
 * lengths. */
#ifndef MST_FORMATS_ALIEN_FLAT_H
#define MST_FORMATS_ALIEN_FLAT_H

#include "../alien.h"

#define MST_ALIEN_SHADES  65536u /* bytes of a light table */
#define MST_ALIEN_MATCHES 32768u /* of a table of colours */

/* The colours of a `.PAL` file as 8 bits each, from `*first` on; returns their number, 0: not a palette. */
uint32_t mst_alien_palette(const uint8_t *bytes, size_t size, uint8_t colors[256][4], uint32_t *first);

#endif
