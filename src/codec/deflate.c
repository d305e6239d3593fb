/* SPDX-License-Identifier: MIT */
#include "deflate.h"
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "reserve.h"

bool mst_zlib_is_modded(const uint8_t *stream, uint64_t size) {
    return size >= 2 && stream[0] == 0x58 && stream[1] == 0xC3;
}

#if MST_WITH_ZLIB
#include <limits.h>
#include <zlib.h>

/* Deflate's longest copy is 258 bytes and takes at least two bits. The extra bytes are for streams that are
 * shorter than their header and checksum. */
#define CLAIM_PER_BYTE 1032u
#define CLAIM_EXTRA    64u

/* zlib frees without the size that our allocators need, so it is stored before each block. */
typedef union block_header {
    size_t size;
    uint64_t align[2]; /* keeps malloc's alignment */
} block_header;

static voidpf take(voidpf opaque, uInt items, uInt item_size) {
    const mst_allocator *allocator = opaque;
    /* zlib allocates its state, its window and tables, whose sizes do not depend on the stream */
    if (MST_UNREACHABLE(item_size && items > (SIZE_MAX - sizeof(block_header)) / item_size))
        return Z_NULL;
    size_t size = sizeof(block_header) + (size_t)items * item_size;
    block_header *header = allocator->resize(allocator->user, NULL, 0, size);
    if (!header)
        return Z_NULL;
    header->size = size;
    return header + 1;
}

static void give_back(voidpf opaque, voidpf address) {
    const mst_allocator *allocator = opaque;
    if (MST_UNREACHABLE(!address)) /* zlib never frees NULL */
        return;
    block_header *header = (block_header *)address - 1;
    allocator->resize(allocator->user, header, header->size, 0);
}

static uInt piece_of(uint64_t size) {
    return size < UINT_MAX ? (uInt)size : UINT_MAX;
}

/* Inflates `packed` to the stream's end, or as far as possible, into the `expected` bytes of `space`. If
 * there is more, one more byte is inflated and dropped, so that `made` exceeds `expected`. */
static int inflate_all(z_stream *stream, const uint8_t *packed, uint64_t size, uint8_t *space,
                       uint64_t expected, uint64_t *read, uint64_t *made) {
    uint8_t surplus = 0;
    int result = Z_OK;
    *read = *made = 0;
    while (result == Z_OK && *made <= expected) {
        uInt in = piece_of(size - *read), out = *made < expected ? piece_of(expected - *made) : 1;
        stream->next_in = (z_const Bytef *)(uintptr_t)(packed + *read);
        stream->avail_in = in;
        stream->next_out = *made < expected ? space + *made : &surplus;
        stream->avail_out = out;
        result = inflate(stream, in == size - *read ? Z_FINISH : Z_NO_FLUSH);
        uInt in_used = in - stream->avail_in, out_used = out - stream->avail_out;
        *read += in_used;
        *made += out_used;
        /* Z_BUF_ERROR: one of the buffers is used up, which is the end only if there was no progress */
        if (result == Z_BUF_ERROR && (in_used || out_used))
            result = Z_OK;
    }
    return result;
}

static mst_status wrong_size(mst_diagnostic *diagnostic, uint64_t offset, uint64_t expected, uint64_t made) {
    mst_damaged(diagnostic, "ZLIB-SIZE", offset, 0, "the zlib stream unpacks to a different number of bytes");
    if (diagnostic) {
        MST_SET(diagnostic->expected, "%llu unpacked bytes", (unsigned long long)expected);
        if (made > expected)
            MST_SET(diagnostic->found, "more");
        else
            MST_SET(diagnostic->found, "%llu", (unsigned long long)made);
    }
    return MST_DAMAGED;
}

#define WITH_HEADER    15 /* bits of the window, as inflateInit2 takes them */
#define WITHOUT_HEADER (-15)

static mst_status unpack(int window, const uint8_t *packed, uint64_t size, uint64_t unpacked_size,
                         uint64_t limit, mst_buffer *bytes, uint64_t *used, mst_diagnostic *diagnostic) {
    if (used)
        *used = 0;
    uint64_t max =
        size < (UINT64_MAX - CLAIM_EXTRA) / CLAIM_PER_BYTE ? size * CLAIM_PER_BYTE + CLAIM_EXTRA : UINT64_MAX;
    mst_status status =
        mst_check_claim(unpacked_size, max, limit, "ZLIB-CLAIM", 0,
                        "a zlib stream of this size cannot unpack to so many bytes", diagnostic);
    if (status != MST_OK)
        return status;

    mst_allocator allocator = mst_allocator_or_default(&bytes->allocator);
    z_stream stream = {.zalloc = take, .zfree = give_back, .opaque = &allocator};
    if (!mst_buffer_reserve(bytes, unpacked_size) || inflateInit2(&stream, window) != Z_OK)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for %llu unpacked bytes",
                        (unsigned long long)unpacked_size);
    uint64_t read, made;
    uint8_t *space = unpacked_size ? bytes->data + bytes->size : NULL;
    int result = inflate_all(&stream, packed, size, space, unpacked_size, &read, &made);
    const char *why = stream.msg; /* a constant; NULL if a dictionary is needed */
    inflateEnd(&stream);

    if (made > unpacked_size)
        return wrong_size(diagnostic, read, unpacked_size, made);
    switch (result) {
    case Z_STREAM_END:
        if (made < unpacked_size)
            return wrong_size(diagnostic, read, unpacked_size, made);
        bytes->size += (size_t)made;
        if (used)
            *used = read;
        return MST_OK;
    case Z_MEM_ERROR: return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to unpack a zlib stream");
    case Z_BUF_ERROR:
        mst_damaged(diagnostic, "ZLIB-CUT", read, 0, "the zlib stream is cut off");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%llu unpacked bytes and the stream's end",
                    (unsigned long long)unpacked_size);
            MST_SET(diagnostic->found, "%llu from %llu packed bytes", (unsigned long long)made,
                    (unsigned long long)size);
        }
        return MST_DAMAGED;
    default:
        mst_damaged(diagnostic, "ZLIB-STREAM", read, 0, "the zlib stream is damaged");
        if (diagnostic) {
            MST_SET(diagnostic->expected, "%llu unpacked bytes", (unsigned long long)unpacked_size);
            MST_SET(diagnostic->found, "%s after %llu", why ? why : "a preset dictionary is needed",
                    (unsigned long long)made);
        }
        return MST_DAMAGED;
    }
}

mst_status mst_zlib_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                           mst_buffer *bytes, uint64_t *used, mst_diagnostic *diagnostic) {
    return unpack(WITH_HEADER, packed, size, unpacked_size, limit, bytes, used, diagnostic);
}

mst_status mst_deflate_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                              mst_buffer *bytes, uint64_t *used, mst_diagnostic *diagnostic) {
    return unpack(WITHOUT_HEADER, packed, size, unpacked_size, limit, bytes, used, diagnostic);
}

static size_t peek(int window, const uint8_t *packed, uint64_t size, uint8_t *first, size_t capacity) {
    mst_allocator allocator = mst_allocator_or_default(NULL);
    z_stream stream = {.zalloc = take, .zfree = give_back, .opaque = &allocator};
    if (inflateInit2(&stream, window) != Z_OK)
        return 0;
    stream.next_in = (z_const Bytef *)(uintptr_t)packed;
    stream.avail_in = piece_of(size);
    stream.next_out = first;
    uInt space = piece_of(capacity);
    stream.avail_out = space;
    inflate(&stream, Z_SYNC_FLUSH);
    size_t made = space - stream.avail_out;
    inflateEnd(&stream);
    return made;
}

size_t mst_zlib_peek(const uint8_t *packed, uint64_t size, uint8_t *first, size_t capacity) {
    return peek(WITH_HEADER, packed, size, first, capacity);
}

size_t mst_deflate_peek(const uint8_t *packed, uint64_t size, uint8_t *first, size_t capacity) {
    return peek(WITHOUT_HEADER, packed, size, first, capacity);
}

#define PIECE 4096 /* bytes of output at a time */

mst_status mst_zlib_pack(const uint8_t *bytes, uint64_t size, mst_zlib_way way, mst_buffer *packed,
                         mst_diagnostic *diagnostic) {
    mst_allocator allocator = mst_allocator_or_default(&packed->allocator);
    z_stream stream = {.zalloc = take, .zfree = give_back, .opaque = &allocator};
    size_t size_before = packed->size;
    bool modded = way == MST_ZLIB_MODDED;
    mst_status status = MST_OK;
    if (deflateInit2(&stream, modded ? 9 : 6, Z_DEFLATED, 13, modded ? 8 : 9, Z_DEFAULT_STRATEGY) != Z_OK)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to pack a zlib stream");

    uint64_t read = 0;
    int result = Z_OK;
    while (result == Z_OK && status == MST_OK) {
        uInt in = piece_of(size - read);
        if (!mst_buffer_reserve(packed, PIECE)) {
            status = MST_NO_MEMORY;
            break;
        }
        stream.next_out = packed->data + packed->size;
        stream.avail_out = PIECE;
        stream.next_in = (z_const Bytef *)(uintptr_t)(in ? bytes + read : stream.next_out);
        stream.avail_in = in;
        result = deflate(&stream, in == size - read ? Z_FINISH : Z_NO_FLUSH);
        read += in - stream.avail_in;
        packed->size += PIECE - stream.avail_out;
    }
    deflateEnd(&stream);
    if (result == Z_STREAM_END && status == MST_OK)
        return MST_OK;
    packed->size = size_before;
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to pack a zlib stream");
}

#else

mst_status mst_zlib_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                           mst_buffer *bytes, uint64_t *used, mst_diagnostic *diagnostic) {
    (void)packed, (void)size, (void)unpacked_size, (void)limit, (void)bytes;
    if (used)
        *used = 0;
    return mst_fail(diagnostic, MST_UNSUPPORTED, "this build cannot unpack zlib streams");
}

mst_status mst_deflate_unpack(const uint8_t *packed, uint64_t size, uint64_t unpacked_size, uint64_t limit,
                              mst_buffer *bytes, uint64_t *used, mst_diagnostic *diagnostic) {
    return mst_zlib_unpack(packed, size, unpacked_size, limit, bytes, used, diagnostic);
}

size_t mst_zlib_peek(const uint8_t *packed, uint64_t size, uint8_t *first, size_t capacity) {
    (void)packed, (void)size, (void)first, (void)capacity;
    return 0;
}

size_t mst_deflate_peek(const uint8_t *packed, uint64_t size, uint8_t *first, size_t capacity) {
    return mst_zlib_peek(packed, size, first, capacity);
}

mst_status mst_zlib_pack(const uint8_t *bytes, uint64_t size, mst_zlib_way way, mst_buffer *packed,
                         mst_diagnostic *diagnostic) {
    (void)bytes, (void)size, (void)way, (void)packed;
    return mst_fail(diagnostic, MST_UNSUPPORTED, "this build cannot pack zlib streams");
}

#endif
