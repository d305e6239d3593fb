/* SPDX-License-Identifier: MIT */
#include "lzo.h"
#include "../core/diagnose.h"
#include "room.h"

#if MST_WITH_LZO
#include <lzo/lzo1x.h>

/* The length of a copy is a few bits and then 255 for each zero byte that follows. The copy that makes most
 * of its bytes has an instruction, n zeros, a last byte of the length and two of the distance: 255 (n + 1) +
 * 33 bytes of n + 4. Literal bytes are themselves in the stream. So 255 for each byte is never reached. */
#define CLAIM_PER_BYTE 255u

static mst_status damaged(mst_diagnostic *diagnostic, const char *code, uint64_t size, const char *message) {
    mst_fail(diagnostic, MST_DAMAGED, "%s", message);
    if (diagnostic) {
        MST_SET(diagnostic->code, "%s", code);
        diagnostic->offset = 0;
        diagnostic->length = size;
    }
    return MST_DAMAGED;
}

mst_status mst_lzo_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                          mst_memory *bytes, mst_diagnostic *diagnostic) {
    uint64_t most = size < UINT64_MAX / CLAIM_PER_BYTE ? size * CLAIM_PER_BYTE : UINT64_MAX;
    if (unpacked_size > most) {
        damaged(diagnostic, "LZO-CLAIM", size, "no LZO stream this short holds so many bytes");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "at most %llu unpacked bytes", (unsigned long long)most);
            MST_SET(diagnostic->found, "%llu", (unsigned long long)unpacked_size);
        }
        return MST_DAMAGED;
    }
    if (unpacked_size > limit)
        return mst_fail(diagnostic, MST_NO_MEMORY, "%llu unpacked bytes are more than the %llu allowed",
                        (unsigned long long)unpacked_size, (unsigned long long)limit);
    if (lzo_init() != LZO_E_OK)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "liblzo2 was not built for this machine");
    if (size > LZO_UINT_MAX || unpacked_size > LZO_UINT_MAX || !mst_memory_room(bytes, unpacked_size))
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for %llu unpacked bytes",
                        (unsigned long long)unpacked_size);

    uint8_t nothing = 0;
    uint8_t *room = bytes->data ? bytes->data + bytes->size : &nothing;
    lzo_uint made = (lzo_uint)unpacked_size;
    int result =
        size ? lzo1x_decompress_safe(packed, (lzo_uint)size, room, &made, NULL) : LZO_E_INPUT_OVERRUN;
    if (result == LZO_E_OK && made == unpacked_size) {
        bytes->size += (size_t)made;
        return MST_OK;
    }
    const char *found = NULL;
    switch (result) {
    case LZO_E_OK: damaged(diagnostic, "LZO-SIZE", size, "the LZO stream holds fewer bytes"); break;
    case LZO_E_OUTPUT_OVERRUN:
        damaged(diagnostic, "LZO-SIZE", size, "the LZO stream holds more bytes");
        found = "more";
        break;
    case LZO_E_INPUT_NOT_CONSUMED:
        damaged(diagnostic, "LZO-SIZE", size, "the LZO stream ends before the packed bytes do");
        break;
    case LZO_E_INPUT_OVERRUN:
    case LZO_E_EOF_NOT_FOUND: damaged(diagnostic, "LZO-CUT", size, "the LZO stream is cut off"); break;
    default:
        damaged(diagnostic, "LZO-STREAM", size, "the LZO stream copies from before its beginning");
        break;
    }
    if (diagnostic) {
        MST_SET(diagnostic->expected, "%llu unpacked bytes of %llu packed", (unsigned long long)unpacked_size,
                (unsigned long long)size);
        if (found)
            MST_SET(diagnostic->found, "%s", found);
        else
            MST_SET(diagnostic->found, "%llu", (unsigned long long)made);
    }
    return MST_DAMAGED;
}

#else

mst_status mst_lzo_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                          mst_memory *bytes, mst_diagnostic *diagnostic) {
    (void)packed, (void)size, (void)unpacked_size, (void)limit, (void)bytes;
    return mst_fail(diagnostic, MST_UNSUPPORTED, "this build cannot unpack LZO streams");
}

#endif
