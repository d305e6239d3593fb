/* SPDX-License-Identifier: MIT */
/* Textures: a header of 96 bytes, then the mip levels in one of the GameCube's texture formats. */
#ifndef MST_SFA_TEXTURE_H
#define MST_SFA_TEXTURE_H

#include "../packing/bank.h"
#include <mapstone/scene.h>

#define MST_SFA_TEXTURE_HEADER 0x60u

typedef struct mst_sfa_texture {
    uint32_t width, height;
    unsigned format;
    uint8_t wrap_s, wrap_t; /* 0 clamp, 1 repeat, 2 mirror */
    bool nearest;
    unsigned levels;     /* per the header; fewer may be in the file */
    const uint8_t *data; /* the levels, sometimes a second image */
    uint64_t data_size;
    const uint8_t *alpha_image; /* I4 of the same size, used as alpha; NULL: none */
} mst_sfa_texture;

/* MST_DAMAGED (SFA-TEXTURE) if it is not a texture or level 0 is incomplete; offsets are from its first
 * byte. */
mst_status mst_sfa_texture_read(const uint8_t *bytes, uint64_t size, mst_sfa_texture *texture,
                                mst_diagnostic *diagnostic);
/* Level 0 as RGBA8: width x height x 4 bytes. */
void mst_sfa_texture_decode(const mst_sfa_texture *texture, uint8_t *rgba);
/* The bytes of a texture in its parsed content; NULL if the content is kept as other bytes. */
const uint8_t *mst_sfa_texture_in(const uint8_t *content, uint64_t size, uint64_t *texture_size);

extern const mst_sfa_content mst_sfa_texture_content;

#endif
