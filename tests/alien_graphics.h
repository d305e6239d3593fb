/* SPDX-License-Identifier: MIT */
/* Files of sprites and of models of Alien Trilogy, written byte by byte. */
#ifndef MST_TESTS_ALIEN_GRAPHICS_H
#define MST_TESTS_ALIEN_GRAPHICS_H

#include "documents.h"
#include "support.h"

void begin_alien_form(writer *w, const char *type);
/* The file's size covers everything written so far. */
void end_alien_form(writer *w);
void put_alien_section(writer *w, const char *name, const void *bytes, size_t size);

/* Packs pixels as literals: no copies. */
void put_alien_literals(writer *w, const uint8_t *pixels, size_t count);
void put_alien_padding(writer *w);

/* A picture that resembles itself from row to row at one width only. */
void alien_pattern(uint8_t *pixels, unsigned width, unsigned height, unsigned seed);

/* Two packed frames and an unpacked one, 16 x 16, 20 x 16 and 16 x 32, in two sections, and colours. */
void write_alien_sprites(writer *w);

/* A model: a quad and a triangle with four corners. `last`: the quad with the mark. */
void put_alien_object(writer *w, const char *name, unsigned last);
void write_alien_models(writer *w);

void write_alien_palette(writer *w);
void write_alien_shades(writer *w);
void write_alien_matches(writer *w);
void write_alien_picture(writer *w);

#endif
