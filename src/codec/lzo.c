/* SPDX-License-Identifier: MIT */
/*
 * A stream consists of instructions, each a byte with operands. An instruction copies literals, which are
 * bytes of the stream, or earlier output, by a length and a distance back; the source may overlap the target.
 * A copy of output is followed by up to three literals, whose number is in two spare bits of the instruction.
 */
#include "lzo.h"
#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "reserve.h"

/* The length of a copy is a few bits plus 255 for each zero byte that follows. The most productive copy is an
 * instruction, n zeros, a last byte of the length and two of the distance: 255 (n + 1) + 33 bytes from n + 4.
 * Literals take their own size in the stream. So 255 per byte is never reached. */
#define CLAIM_PER_BYTE 255u

/* Why the unpacker stopped. */
typedef enum stop { RUNNING, AT_END, CUT, TOO_MANY, FROM_BEFORE } stop;

typedef struct unpacker {
    const uint8_t *packed;
    uint64_t size, read;
    uint8_t *out;
    uint64_t expected, made;
    uint64_t instruction; /* its offset */
} unpacker;

#define RUN 4u

static stop copy_literals(unpacker *u, uint64_t count) {
    if (!mst_fits(u->made, count, u->expected))
        return TOO_MANY;
    if (!mst_fits(u->read, count, u->size))
        return CUT;
    memcpy(u->out + u->made, u->packed + u->read, (size_t)count);
    u->made += count;
    u->read += count;
    return RUNNING;
}

static stop copy_back(unpacker *u, uint64_t distance, uint64_t length) {
    if (distance > u->made)
        return FROM_BEFORE;
    if (!mst_fits(u->made, length, u->expected))
        return TOO_MANY;
    uint8_t *from = u->out + (u->made - distance), *to = from + distance;
    u->made += length;
    if (length <= 16) { /* most are */
        while (length--)
            *to++ = *from++;
        return RUNNING;
    }
    /* An overlapping copy repeats its source: each piece doubles the bytes that the next can copy. */
    for (uint64_t ready = distance, piece; length; ready += piece, length -= piece) {
        piece = length < ready ? length : ready;
        memcpy(from + ready, from, (size_t)piece);
    }
    return RUNNING;
}

/* Reads a length: the low bits of the instruction or, if they are zero, the bytes after it. */
static stop read_length(unpacker *u, unsigned instruction, unsigned mask, uint64_t *length) {
    *length = instruction & mask;
    if (*length)
        return RUNNING;
    for (*length = mask; u->read < u->size; *length += 255) {
        uint8_t byte = u->packed[u->read++];
        if (byte) {
            *length += byte;
            return RUNNING;
        }
        if (*length > u->expected)
            return TOO_MANY;
    }
    return CUT;
}

static stop unpack_all(unpacker *u) {
    /* the meaning of an instruction below 16 depends on the number of literals after the last copy: none, one
     * to three, or a run */
    unsigned literals = 0;
    stop stopped = RUNNING;
    if (u->size && u->packed[0] > 17) {
        u->read = 1;
        unsigned count = u->packed[0] - 17u;
        stopped = copy_literals(u, count);
        literals = count < RUN ? count : RUN; /* up to three count as literals after a copy */
    }
    while (stopped == RUNNING) {
        u->instruction = u->read;
        if (u->read == u->size)
            return CUT;
        unsigned byte = u->packed[u->read++], spare = byte;
        uint64_t length, distance;
        if (byte < 16 && literals == 0) {
            stopped = read_length(u, byte, 15, &length);
            if (stopped == RUNNING)
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
            if (stopped != RUNNING)
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
        if (stopped == RUNNING && literals)
            stopped = copy_literals(u, literals);
    }
    return stopped;
}

mst_status mst_lzo_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                          mst_buffer *bytes, mst_diagnostic *diagnostic) {
    uint64_t max = size < UINT64_MAX / CLAIM_PER_BYTE ? size * CLAIM_PER_BYTE : UINT64_MAX;
    mst_status status =
        mst_check_claim(unpacked_size, max, limit, "LZO-CLAIM", size,
                        "an LZO stream of this size cannot unpack to so many bytes", diagnostic);
    if (status != MST_OK)
        return status;
    if (!mst_buffer_reserve(bytes, unpacked_size))
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for %llu unpacked bytes",
                        (unsigned long long)unpacked_size);

    uint8_t nothing = 0;
    unpacker u = {.packed = packed,
                  .size = size,
                  .out = bytes->data ? bytes->data + bytes->size : &nothing,
                  .expected = unpacked_size};
    stop stopped = unpack_all(&u);
    uint64_t length = u.read - u.instruction;
    switch (stopped) {
    case RUNNING:
    case AT_END:
        if (u.made == unpacked_size && u.read == size) {
            bytes->size += (size_t)unpacked_size;
            return MST_OK;
        }
        if (u.made < unpacked_size)
            mst_damaged(diagnostic, "LZO-SIZE", u.instruction, length,
                        "the LZO stream unpacks to fewer bytes");
        else
            mst_damaged(diagnostic, "LZO-SIZE", u.read, size - u.read,
                        "the LZO stream ends before the packed bytes do");
        break;
    case TOO_MANY:
        mst_damaged(diagnostic, "LZO-SIZE", u.instruction, length, "the LZO stream unpacks to more bytes");
        break;
    case CUT:
        mst_damaged(diagnostic, "LZO-CUT", u.instruction, size - u.instruction, "the LZO stream is cut off");
        break;
    case FROM_BEFORE:
        mst_damaged(diagnostic, "LZO-STREAM", u.instruction, length,
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
