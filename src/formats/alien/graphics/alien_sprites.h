/* SPDX-License-Identifier: MIT */
/* Sprites of Alien Trilogy: files of frames, most of which are packed. */
#ifndef MST_ALIEN_GRAPHICS_ALIEN_SPRITES_H
#define MST_ALIEN_GRAPHICS_ALIEN_SPRITES_H

#include "../../../codec/frame_lz.h"
#include "../../../files/parsed.h"
#include "../alien.h"
#include "frames.h"

#define MST_ALIEN_SPRITE_MIN  256u /* pixels of a packed frame */
#define MST_ALIEN_SPRITE_SIDE 260u /* the longest side of a frame */

extern const mst_codes mst_alien_sprites_codes;

/* How a section of sprites is parsed. */
enum { MST_ALIEN_SPRITE_BYTES, MST_ALIEN_SPRITE_FRAMES, MST_ALIEN_SPRITE_COLORS };

mst_status mst_alien_sprites_parse(const mst_format *format, const mst_file_view *files, mst_parsed_writer *w,
                                   mst_diagnostic *diagnostic);
mst_status mst_alien_sprites_serialize(const mst_format *format, const uint8_t *bytes, size_t size,
                                       mst_buffer *files, mst_diagnostic *diagnostic);
mst_status mst_alien_sprites_check(mst_checker *checker);

/* A frame, packed or not. */
typedef struct mst_alien_sprite {
    uint64_t section;
    char name[5];    /* of the section */
    unsigned number; /* in it */
    bool packed;
    const uint8_t *bytes;  /* as stored */
    size_t size, pixels;   /* stored, and unpacked */
    mst_alien_frame shape; /* width 0: unknown */
    int animation;         /* -1: not one in the game's program */
} mst_alien_sprite;

/* All frames, in the order of the file, in the arena. */
mst_status mst_alien_sprites_list(const mst_document *document, mst_arena *arena, mst_alien_sprite **sprites,
                                  size_t *count);
/* The pixels of a frame: `sprite->pixels` indices. */
void mst_alien_sprite_unpack(const mst_alien_sprite *sprite, uint8_t *pixels);
/* Guesses the size of a frame by the similarity of its rows; false: no valid size fits. */
bool mst_alien_sprite_guess(const uint8_t *pixels, size_t count, mst_alien_frame *shape);

size_t mst_alien_sprites_image_count(const mst_document *document);
mst_status mst_alien_sprites_image_read(const mst_document *document, size_t index, size_t level,
                                        mst_pixels *pixels, char *name, mst_diagnostic *diagnostic);
mst_status mst_alien_sprites_image_replace(mst_document *document, size_t index, const mst_pixels *pixels,
                                           mst_diagnostic *diagnostic);
mst_status mst_alien_sprites_describe(const mst_document *document, const char *what,
                                      const mst_resolver *sidecars, mst_sink sink,
                                      mst_diagnostic *diagnostic);

#endif
