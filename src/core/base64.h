/* SPDX-License-Identifier: MIT */
/* Base64 (RFC 4648, section 4), read and written. */
#ifndef MST_CORE_BASE64_H
#define MST_CORE_BASE64_H

#include "arena.h"
#include "output.h"

/* Decodes Base64, with or without padding, to memory of the arena. NULL: not Base64, or out of memory. */
unsigned char *mst_base64_read(const char *text, size_t length, mst_arena *arena, size_t *size);

typedef struct mst_base64 {
    mst_output *out;
    unsigned char rest[3];
    unsigned fill;
} mst_base64;

/* A sink that writes Base64 to the encoder's output; what is left is written at the end. */
mst_sink mst_base64_sink(mst_base64 *encoder);
void mst_base64_end(mst_base64 *encoder);

#endif
