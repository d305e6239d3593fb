/* SPDX-License-Identifier: MIT */
/*
 * Rewriting a zip archive with other content of one member. All other bytes are unchanged: members, their
 * order, times and comments, and the bytes before the archive; only offsets that move are adjusted.
 */
#include "../codec/deflate.h"
#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "zip.h"

#include <string.h>

enum { METHOD_DEFLATED = 8, FLAG_DESCRIPTOR = 1 << 3, DESCRIPTOR_SIZE = 12 };
#define MARK_DESCRIPTOR 0x08074B50u

/* The new content, and the part of the old archive that it replaces. */
typedef struct replace_state {
    mst_container *container;
    const mst_container_member *member;
    const uint8_t *file;
    size_t size;
    mst_zip_directory directory;
    uint64_t begin, data, end; /* offsets of the member's header, its data, and its end */
    const uint8_t *bytes;      /* as stored */
    size_t stored, unpacked;
    uint32_t crc;
    mst_sink sink;
} replace_state;

static uint32_t u16(const uint8_t *at) {
    return mst_load16(at, false);
}

static uint32_t u32(const uint8_t *at) {
    return mst_load32(at, false);
}

static mst_status refuse(const replace_state *r, mst_diagnostic *diagnostic, const char *why) {
    return mst_fail(diagnostic, MST_UNSUPPORTED, "%s cannot be replaced: %s", r->member->name, why);
}

/* Finds the end of the member: after its data, and the sizes that may follow it. */
static mst_status find_end(replace_state *r, mst_diagnostic *diagnostic) {
    const uint8_t *header = r->file + r->begin;
    r->end = r->data + r->member->packed;
    if (!(u16(header + 6) & FLAG_DESCRIPTOR))
        return MST_OK;
    const uint64_t left = r->directory.begin - r->end;
    const bool marked = left >= 4 && u32(r->file + r->end) == MARK_DESCRIPTOR;
    const uint64_t at = r->end + (marked ? 4 : 0);
    if (left < DESCRIPTOR_SIZE + (marked ? 4u : 0u) || u32(r->file + at) != r->member->crc ||
        u32(r->file + at + 4) != r->member->packed)
        return refuse(r, diagnostic, "the sizes after its data are not valid");
    r->end = at + DESCRIPTOR_SIZE;
    return MST_OK;
}

/* Whether an entry of the directory is the member's. */
static bool is_members(const replace_state *r, const uint8_t *entry) {
    return r->directory.base + u32(entry + 42) == r->begin;
}

/* No other member may share its bytes. */
static mst_status check_entries(const replace_state *r, mst_diagnostic *diagnostic) {
    size_t own = 0;
    for (uint64_t at = r->directory.begin; at < r->directory.end; at += mst_zip_entry_size(r->file + at)) {
        const uint64_t left = r->directory.end - at;
        if (left < MST_ZIP_ENTRY_SIZE || mst_zip_entry_size(r->file + at) > left)
            return refuse(r, diagnostic, "the archive's directory is not valid");
        const uint64_t position = r->directory.base + u32(r->file + at + 42);
        own += position == r->begin;
        if (u32(r->file + at + 42) == UINT32_MAX || u32(r->file + at + 20) == UINT32_MAX ||
            u32(r->file + at + 24) == UINT32_MAX)
            return refuse(r, diagnostic, "the archive has sizes of 64 bits");
        if (position > r->begin && position < r->end)
            return refuse(r, diagnostic, "another member overlaps it");
    }
    return own == 1 ? MST_OK : refuse(r, diagnostic, "several members share the same bytes");
}

static mst_status find(replace_state *r, mst_diagnostic *diagnostic) {
    mst_status status = mst_zip_find_directory(r->container, &r->directory, diagnostic);
    if (status == MST_OK)
        status = mst_zip_find_data(r->container, r->member, &r->data, diagnostic);
    if (status != MST_OK)
        return status;
    r->begin = r->member->position;
    r->data += r->begin;
    if (r->directory.large)
        return refuse(r, diagnostic, "the archive has sizes of 64 bits");
    if (r->data + r->member->packed > r->directory.begin)
        return refuse(r, diagnostic, "its data is within the directory");
    status = find_end(r, diagnostic);
    return status == MST_OK ? check_entries(r, diagnostic) : status;
}

static void put16(uint8_t *to, uint32_t value) {
    mst_store16(to, (uint16_t)value, false);
}

static void put32(uint8_t *to, uint64_t value) {
    mst_store32(to, (uint32_t)value, false);
}

/* Writes the fields common to a header and an entry, from the flags on. */
static void put_member(const replace_state *r, uint8_t *flags) {
    put16(flags, u16(flags) & ~(uint32_t)FLAG_DESCRIPTOR);
    put32(flags + 8, r->crc);
    put32(flags + 12, r->stored);
    put32(flags + 16, r->unpacked);
}

static mst_status write(const replace_state *r, const void *bytes, size_t size) {
    return size ? r->sink.write(r->sink.user, bytes, size) : MST_OK;
}

static mst_status write_member(const replace_state *r) {
    uint8_t header[MST_ZIP_HEADER_SIZE];
    memcpy(header, r->file + r->begin, sizeof header);
    put_member(r, header + 6);
    mst_status status = write(r, header, sizeof header);
    if (status == MST_OK)
        status = write(r, r->file + r->begin + sizeof header, (size_t)(r->data - r->begin) - sizeof header);
    return status == MST_OK ? write(r, r->bytes, r->stored) : status;
}

static mst_status write_directory(const replace_state *r, int64_t by) {
    mst_status status = MST_OK;
    for (uint64_t at = r->directory.begin, next; at < r->directory.end && status == MST_OK; at = next) {
        uint8_t entry[MST_ZIP_ENTRY_SIZE];
        const uint64_t offset = u32(r->file + at + 42);
        next = at + mst_zip_entry_size(r->file + at);
        memcpy(entry, r->file + at, sizeof entry);
        if (is_members(r, entry))
            put_member(r, entry + 8);
        else if (r->directory.base + offset > r->begin)
            put32(entry + 42, offset + (uint64_t)by);
        status = write(r, entry, sizeof entry);
        if (status == MST_OK)
            status = write(r, r->file + at + sizeof entry, (size_t)(next - at) - sizeof entry);
    }
    return status;
}

static mst_status write_end(const replace_state *r, int64_t by) {
    uint8_t end[MST_ZIP_END_SIZE];
    const uint8_t *from = r->file + r->directory.end;
    memcpy(end, from, sizeof end);
    put32(end + 16, u32(end + 16) + (uint64_t)by);
    mst_status status = write(r, end, sizeof end);
    const size_t rest = (size_t)(r->size - r->directory.end) - sizeof end;
    return status == MST_OK ? write(r, from + sizeof end, rest) : status;
}

static mst_status write_all(const replace_state *r, mst_diagnostic *diagnostic) {
    const int64_t by = (int64_t)(r->data - r->begin + r->stored) - (int64_t)(r->end - r->begin);
    if ((uint64_t)((int64_t)r->size + by) >= UINT32_MAX || r->unpacked >= UINT32_MAX)
        return refuse(r, diagnostic, "the archive would have more than 4 GiB");
    mst_status status = write(r, r->file, (size_t)r->begin);
    if (status == MST_OK)
        status = write_member(r);
    if (status == MST_OK)
        status = write(r, r->file + r->end, (size_t)(r->directory.begin - r->end));
    if (status == MST_OK)
        status = write_directory(r, by);
    if (status == MST_OK)
        status = write_end(r, by);
    return status == MST_OK ? status : mst_fail(diagnostic, status, "the archive could not be written");
}

mst_status mst_container_replace(mst_container *container, size_t index, const void *bytes, size_t size,
                                 mst_sink sink, mst_diagnostic *diagnostic) {
    if (!container || index >= container->members.count || (!bytes && size) || !sink.write)
        return mst_fail(diagnostic, MST_ARGUMENT, "an archive, one of its members and bytes are needed");
    replace_state r = {.container = container,
                       .member = (const mst_container_member *)container->members.items + index,
                       .file = container->file.data,
                       .size = container->file.size,
                       .bytes = bytes,
                       .stored = size,
                       .unpacked = size,
                       .sink = sink};
    if (!mst_container_is_zip(container) || !r.file)
        return refuse(&r, diagnostic, "only zip archives can be written");
    mst_buffer packed = {.allocator = container->allocator};
    mst_status status = find(&r, diagnostic);
    if (status == MST_OK && r.member->method == METHOD_DEFLATED) {
        /* a zlib stream is deflate between a header of two bytes and a checksum of four */
        status = mst_zlib_pack(bytes, size, MST_ZLIB_MODDED, &packed, diagnostic);
        r.bytes = status == MST_OK ? packed.data + 2 : NULL;
        r.stored = status == MST_OK ? packed.size - 6 : 0;
    } else if (status == MST_OK && r.member->method) {
        status = refuse(&r, diagnostic, "it is packed in a way that is only read");
    }
    r.crc = mst_zip_crc(bytes, size);
    if (status == MST_OK)
        status = write_all(&r, diagnostic);
    mst_buffer_free(&packed);
    return status;
}
