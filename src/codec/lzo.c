/* SPDX-License-Identifier: MIT */
/*
 * A stream is instructions, each one byte and its operands. It copies literals, bytes of the stream itself,
 * or bytes that were made before, by a length and a distance back; what it copies may reach into what it
 * makes. After the latter come up to three literals, whose number two spare bits of the instruction say.
 */
#include "lzo.h"
#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "reserve.h"

/* The length of a copy is a few bits and then 255 for each zero byte that follows. The copy that makes most
 * of its bytes has an instruction, n zeros, a last byte of the length and two of the distance: 255 (n + 1) +
 * 33 bytes of n + 4. Literal bytes are themselves in the stream. So 255 for each byte is never reached. */
#define CLAIM_PER_BYTE 255u

/* What stopped the unpacker. */
typedef enum stop { GOES_ON, AT_END, CUT, TOO_MANY, FROM_BEFORE } stop;

typedef struct unpacker {
    const uint8_t *packed;
    uint64_t size, read;
    uint8_t *capacity;
    uint64_t wanted, made;
    uint64_t instruction; /* where it begins */
} unpacker;

#define RUN 4u

static stop copy_literals(unpacker *u, uint64_t count) {
    if (!mst_fits(u->made, count, u->wanted))
        return TOO_MANY;
    if (!mst_fits(u->read, count, u->size))
        return CUT;
    memcpy(u->capacity + u->made, u->packed + u->read, (size_t)count);
    u->made += count;
    u->read += count;
    return GOES_ON;
}

static stop copy_back(unpacker *u, uint64_t distance, uint64_t length) {
    if (distance > u->made)
        return FROM_BEFORE;
    if (!mst_fits(u->made, length, u->wanted))
        return TOO_MANY;
    uint8_t *from = u->capacity + (u->made - distance), *to = from + distance;
    u->made += length;
    if (length <= 16) { /* most are */
        while (length--)
            *to++ = *from++;
        return GOES_ON;
    }
    /* What reaches into itself repeats: each piece doubles what the next is taken from. */
    for (uint64_t there = distance, piece; length; there += piece, length -= piece) {
        piece = length < there ? length : there;
        memcpy(from + there, from, (size_t)piece);
    }
    return GOES_ON;
}

/* The length in the low bits of the instruction; if they are zero it goes on after it. */
static stop read_length(unpacker *u, unsigned instruction, unsigned mask, uint64_t *length) {
    *length = instruction & mask;
    if (*length)
        return GOES_ON;
    for (*length = mask; u->read < u->size; *length += 255) {
        uint8_t byte = u->packed[u->read++];
        if (byte) {
            *length += byte;
            return GOES_ON;
        }
        if (*length > u->wanted)
            return TOO_MANY;
    }
    return CUT;
}

static stop unpack_all(unpacker *u) {
    /* What an instruction below 16 means depends on how many literals came after the last copy: none, one to
     * three, or a run. */
    unsigned literals = 0;
    stop stopped = GOES_ON;
    if (u->size && u->packed[0] > 17) {
        u->read = 1;
        unsigned count = u->packed[0] - 17u;
        stopped = copy_literals(u, count);
        literals = count < RUN ? count : RUN; /* a few are as after a copy */
    }
    while (stopped == GOES_ON) {
        u->instruction = u->read;
        if (u->read == u->size)
            return CUT;
        unsigned byte = u->packed[u->read++], spare = byte;
        uint64_t length, distance;
        if (byte < 16 && literals == 0) {
            stopped = read_length(u, byte, 15, &length);
            if (stopped == GOES_ON)
                stopped = copy_literals(u, length + 3);
            literals = RUN;
            continue;
        }
        if (byte >= 64 || byte < 16) {
            if (u->read == u->size)
                return CUT;
            unsigned next = u->packed[u->read++];
            if (byte >= 64) {
                length = (byte >> 5) + 1;
                distance = 1 + (byte >> 2 & 7) + (next << 3);
            } else {
                length = literals == RUN ? 3 : 2;
                distance = (literals == RUN ? 0x801 : 1) + (byte >> 2) + (next << 2);
            }
        } else {
            bool far = byte < 32;
            stopped = read_length(u, byte, far ? 7 : 31, &length);
            if (stopped != GOES_ON)
                break;
            if (!mst_fits(u->read, 2, u->size))
                return CUT;
            spare = mst_load16(u->packed + u->read, false);
            u->read += 2;
            length += 2;
            distance = far ? 0x4000 + ((byte & 8) << 11) + (spare >> 2) : 1 + (spare >> 2);
            if (far && distance == 0x4000)
                return AT_END;
        }
        stopped = copy_back(u, distance, length);
        literals = spare & 3;
        if (stopped == GOES_ON && literals)
            stopped = copy_literals(u, literals);
    }
    return stopped;
}

static mst_status damaged(mst_diagnostic *diagnostic, const char *code, uint64_t offset, uint64_t length,
                          const char *message) {
    mst_fail(diagnostic, MST_DAMAGED, "%s", message);
    if (diagnostic) {
        MST_SET(diagnostic->code, "%s", code);
        diagnostic->offset = offset;
        diagnostic->length = length;
    }
    return MST_DAMAGED;
}

mst_status mst_lzo_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                          mst_buffer *bytes, mst_diagnostic *diagnostic) {
    uint64_t max = size < UINT64_MAX / CLAIM_PER_BYTE ? size * CLAIM_PER_BYTE : UINT64_MAX;
    if (unpacked_size > max) {
        damaged(diagnostic, "LZO-CLAIM", 0, size, "no LZO stream this short holds so many bytes");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "at most %llu unpacked bytes", (unsigned long long)max);
            MST_SET(diagnostic->found, "%llu", (unsigned long long)unpacked_size);
        }
        return MST_DAMAGED;
    }
    if (unpacked_size > limit)
        return mst_fail(diagnostic, MST_NO_MEMORY, "%llu unpacked bytes are more than the %llu allowed",
                        (unsigned long long)unpacked_size, (unsigned long long)limit);
    if (!mst_buffer_reserve(bytes, unpacked_size))
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for %llu unpacked bytes",
                        (unsigned long long)unpacked_size);

    uint8_t nothing = 0;
    unpacker u = {.packed = packed,
                  .size = size,
                  .capacity = bytes->data ? bytes->data + bytes->size : &nothing,
                  .wanted = unpacked_size};
    stop stopped = unpack_all(&u);
    uint64_t length = u.read - u.instruction;
    switch (stopped) {
    case GOES_ON:
    case AT_END:
        if (u.made == unpacked_size && u.read == size) {
            bytes->size += (size_t)unpacked_size;
            return MST_OK;
        }
        if (u.made < unpacked_size)
            damaged(diagnostic, "LZO-SIZE", u.instruction, length, "the LZO stream holds fewer bytes");
        else
            damaged(diagnostic, "LZO-SIZE", u.read, size - u.read,
                    "the LZO stream ends before the packed bytes do");
        break;
    case TOO_MANY:
        damaged(diagnostic, "LZO-SIZE", u.instruction, length, "the LZO stream holds more bytes");
        break;
    case CUT:
        damaged(diagnostic, "LZO-CUT", u.instruction, size - u.instruction, "the LZO stream is cut off");
        break;
    case FROM_BEFORE:
        damaged(diagnostic, "LZO-STREAM", u.instruction, length,
                "the LZO stream copies from before its beginning");
        break;
    }
    if (diagnostic) {
        MST_SET(diagnostic->expected, "%llu unpacked bytes of %llu packed", (unsigned long long)unpacked_size,
                (unsigned long long)size);
        if (stopped == TOO_MANY)
            MST_SET(diagnostic->found, "more after %llu of %llu", (unsigned long long)u.made,
                    (unsigned long long)u.instruction);
        else
            MST_SET(diagnostic->found, "%llu of %llu", (unsigned long long)u.made,
                    (unsigned long long)u.read);
    }
    return MST_DAMAGED;
}
