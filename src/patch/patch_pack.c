/* SPDX-License-Identifier: MIT */
/*
 * Packed operations. The patch of two levels that have little in common is longer than both of them: it has
 * the old values, the new ones, and the context that identifies elements in other levels. It is too long to
 * be read, so that its lines become one line with a zlib stream in Base64. Leaving out context was the
 * alternative, but two pairs of saves of real levels would have to lose half and two thirds of their bytes.
 */
#include "../codec/deflate.h"
#include "../core/base64.h"
#include "../core/diagnose.h"
#include "drafts.h"

#define PACKED_LEAST 1024 /* bytes of lines; less is not worth a stream */
#define PACKED_MOST  64   /* times the stream: so much at most may be unpacked */

mst_status mst_patch_pack(size_t head, mst_buffer *text, mst_diagnostic *diagnostic) {
    const size_t size = text->size - head;
    mst_buffer packed = {.allocator = text->allocator};
    if (size < PACKED_LEAST)
        return MST_OK;
    mst_status status = mst_zlib_pack(text->data + head, size, MST_ZLIB_MODDED, &packed, diagnostic);
    if (status == MST_OK && size / PACKED_MOST <= packed.size) {
        mst_output out;
        mst_base64 encoder = {.out = &out};
        text->size = head;
        mst_output_begin(&out, mst_buffer_sink(text));
        mst_output_format(&out, "{\"op\":\"packed\",\"size\":%zu,\"data\":\"", size);
        const mst_sink sink = mst_base64_sink(&encoder);
        sink.write(sink.user, packed.data, packed.size);
        mst_base64_end(&encoder);
        mst_output_text(&out, "\"}\n");
        status = mst_output_end(&out);
    }
    mst_buffer_free(&packed);
    return status == MST_UNSUPPORTED ? MST_OK : status; /* without zlib they stay lines */
}

mst_status mst_patch_unpack(const char *data, size_t length, uint64_t size, mst_arena *arena,
                            mst_buffer *lines, mst_diagnostic *diagnostic) {
    size_t packed_size = 0;
    uint64_t used = 0;
    const unsigned char *packed = mst_base64_read(data, length, arena, &packed_size);
    if (arena->starved)
        return MST_NO_MEMORY;
    if (!packed)
        return mst_fail(diagnostic, MST_ARGUMENT, "packed operations are not Base64");
    if (size / PACKED_MOST > packed_size)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "packed operations claim to be more than %d times the stream", PACKED_MOST);
    const mst_status status =
        mst_zlib_unpack(packed, packed_size, size, UINT64_MAX, lines, &used, diagnostic);
    if (status == MST_DAMAGED || (status == MST_OK && used != packed_size))
        return mst_fail(diagnostic, MST_ARGUMENT, "packed operations are not a zlib stream of %llu bytes",
                        (unsigned long long)size);
    return status;
}
