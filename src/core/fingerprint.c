/* SPDX-License-Identifier: MIT */
#include "fingerprint.h"
#include "bytes.h"
#include "hash.h"
#include <mapstone/base.h>
#include <string.h>

#define LANES 4
#define BLOCK (LANES * 8) /* bytes */

/* Odd, so that multiplying by them loses nothing. */
#define FIRST  UINT64_C(0x9E3779B185EBCA87)
#define SECOND UINT64_C(0xC2B2AE3D27D4EB4F)

static uint64_t mix(uint64_t lane, uint64_t word) {
    lane += word * SECOND;
    lane = lane << 31 | lane >> 33;
    return lane * FIRST;
}

void mst_fingerprint(const void *data, size_t size, char text[MST_FINGERPRINT]) {
    const uint8_t *bytes = data;
    uint64_t lanes[LANES] = {1, 2, 3, 4};
    size_t left = size;
    for (; left >= BLOCK; left -= BLOCK, bytes += BLOCK)
        for (size_t i = 0; i < LANES; i++)
            lanes[i] = mix(lanes[i], mst_load64(bytes + 8 * i, false));
    uint8_t rest[BLOCK + 8 + BLOCK] = {0};
    for (size_t i = 0; i < LANES; i++)
        mst_store64(rest + 8 * i, lanes[i], false);
    mst_store64(rest + BLOCK, size, false);
    if (left)
        memcpy(rest + BLOCK + 8, bytes, left);
    char whole[65];
    mst_sha256_text(rest, sizeof rest, whole);
    memcpy(text, whole, MST_FINGERPRINT - 1);
    text[MST_FINGERPRINT - 1] = 0;
}
