/* SPDX-License-Identifier: MIT */
/*
 * Zip archives, read by the directory at their end, which gives direct access to every member. Stored members
 * are views of the file, deflated ones are unpacked by zlib, the others (and all compressed ones, in a build
 * without zlib) by libarchive.
 */
#include "zip.h"
#include "../codec/deflate.h"
#include "../core/bytes.h"
#include "../core/diagnose.h"
#include "../core/unreachable.h"

#include <string.h>

enum {
    END_SIZE = MST_ZIP_END_SIZE,
    LOCATOR_SIZE = 20, /* of the zip64 end record */
    LARGE_END_SIZE = 56,
    ENTRY_SIZE = MST_ZIP_ENTRY_SIZE,
    HEADER_SIZE = MST_ZIP_HEADER_SIZE,
    COMMENT_MAX = 65535,
    DESCRIPTOR_MAX = 24, /* data descriptor after a member's data */
    METHOD_STORED = 0,
    METHOD_DEFLATED = 8,
    MADE_BY_UNIX = 3
};
#define MARK_HEADER    0x04034B50u
#define MARK_ENTRY     0x02014B50u
#define MARK_END       0x06054B50u
#define MARK_LOCATOR   0x07064B50u
#define MARK_LARGE_END 0x06064B50u

static uint32_t u16(const uint8_t *at) {
    return mst_load16(at, false);
}
static uint32_t u32(const uint8_t *at) {
    return mst_load32(at, false);
}
static uint64_t u64(const uint8_t *at) {
    return mst_load64(at, false);
}

static const uint32_t crc_table[256] = {
    0x00000000, 0x77073096, 0xEE0E612C, 0x990951BA, 0x076DC419, 0x706AF48F, 0xE963A535, 0x9E6495A3,
    0x0EDB8832, 0x79DCB8A4, 0xE0D5E91E, 0x97D2D988, 0x09B64C2B, 0x7EB17CBD, 0xE7B82D07, 0x90BF1D91,
    0x1DB71064, 0x6AB020F2, 0xF3B97148, 0x84BE41DE, 0x1ADAD47D, 0x6DDDE4EB, 0xF4D4B551, 0x83D385C7,
    0x136C9856, 0x646BA8C0, 0xFD62F97A, 0x8A65C9EC, 0x14015C4F, 0x63066CD9, 0xFA0F3D63, 0x8D080DF5,
    0x3B6E20C8, 0x4C69105E, 0xD56041E4, 0xA2677172, 0x3C03E4D1, 0x4B04D447, 0xD20D85FD, 0xA50AB56B,
    0x35B5A8FA, 0x42B2986C, 0xDBBBC9D6, 0xACBCF940, 0x32D86CE3, 0x45DF5C75, 0xDCD60DCF, 0xABD13D59,
    0x26D930AC, 0x51DE003A, 0xC8D75180, 0xBFD06116, 0x21B4F4B5, 0x56B3C423, 0xCFBA9599, 0xB8BDA50F,
    0x2802B89E, 0x5F058808, 0xC60CD9B2, 0xB10BE924, 0x2F6F7C87, 0x58684C11, 0xC1611DAB, 0xB6662D3D,
    0x76DC4190, 0x01DB7106, 0x98D220BC, 0xEFD5102A, 0x71B18589, 0x06B6B51F, 0x9FBFE4A5, 0xE8B8D433,
    0x7807C9A2, 0x0F00F934, 0x9609A88E, 0xE10E9818, 0x7F6A0DBB, 0x086D3D2D, 0x91646C97, 0xE6635C01,
    0x6B6B51F4, 0x1C6C6162, 0x856530D8, 0xF262004E, 0x6C0695ED, 0x1B01A57B, 0x8208F4C1, 0xF50FC457,
    0x65B0D9C6, 0x12B7E950, 0x8BBEB8EA, 0xFCB9887C, 0x62DD1DDF, 0x15DA2D49, 0x8CD37CF3, 0xFBD44C65,
    0x4DB26158, 0x3AB551CE, 0xA3BC0074, 0xD4BB30E2, 0x4ADFA541, 0x3DD895D7, 0xA4D1C46D, 0xD3D6F4FB,
    0x4369E96A, 0x346ED9FC, 0xAD678846, 0xDA60B8D0, 0x44042D73, 0x33031DE5, 0xAA0A4C5F, 0xDD0D7CC9,
    0x5005713C, 0x270241AA, 0xBE0B1010, 0xC90C2086, 0x5768B525, 0x206F85B3, 0xB966D409, 0xCE61E49F,
    0x5EDEF90E, 0x29D9C998, 0xB0D09822, 0xC7D7A8B4, 0x59B33D17, 0x2EB40D81, 0xB7BD5C3B, 0xC0BA6CAD,
    0xEDB88320, 0x9ABFB3B6, 0x03B6E20C, 0x74B1D29A, 0xEAD54739, 0x9DD277AF, 0x04DB2615, 0x73DC1683,
    0xE3630B12, 0x94643B84, 0x0D6D6A3E, 0x7A6A5AA8, 0xE40ECF0B, 0x9309FF9D, 0x0A00AE27, 0x7D079EB1,
    0xF00F9344, 0x8708A3D2, 0x1E01F268, 0x6906C2FE, 0xF762575D, 0x806567CB, 0x196C3671, 0x6E6B06E7,
    0xFED41B76, 0x89D32BE0, 0x10DA7A5A, 0x67DD4ACC, 0xF9B9DF6F, 0x8EBEEFF9, 0x17B7BE43, 0x60B08ED5,
    0xD6D6A3E8, 0xA1D1937E, 0x38D8C2C4, 0x4FDFF252, 0xD1BB67F1, 0xA6BC5767, 0x3FB506DD, 0x48B2364B,
    0xD80D2BDA, 0xAF0A1B4C, 0x36034AF6, 0x41047A60, 0xDF60EFC3, 0xA867DF55, 0x316E8EEF, 0x4669BE79,
    0xCB61B38C, 0xBC66831A, 0x256FD2A0, 0x5268E236, 0xCC0C7795, 0xBB0B4703, 0x220216B9, 0x5505262F,
    0xC5BA3BBE, 0xB2BD0B28, 0x2BB45A92, 0x5CB36A04, 0xC2D7FFA7, 0xB5D0CF31, 0x2CD99E8B, 0x5BDEAE1D,
    0x9B64C2B0, 0xEC63F226, 0x756AA39C, 0x026D930A, 0x9C0906A9, 0xEB0E363F, 0x72076785, 0x05005713,
    0x95BF4A82, 0xE2B87A14, 0x7BB12BAE, 0x0CB61B38, 0x92D28E9B, 0xE5D5BE0D, 0x7CDCEFB7, 0x0BDBDF21,
    0x86D3D2D4, 0xF1D4E242, 0x68DDB3F8, 0x1FDA836E, 0x81BE16CD, 0xF6B9265B, 0x6FB077E1, 0x18B74777,
    0x88085AE6, 0xFF0F6A70, 0x66063BCA, 0x11010B5C, 0x8F659EFF, 0xF862AE69, 0x616BFFD3, 0x166CCF45,
    0xA00AE278, 0xD70DD2EE, 0x4E048354, 0x3903B3C2, 0xA7672661, 0xD06016F7, 0x4969474D, 0x3E6E77DB,
    0xAED16A4A, 0xD9D65ADC, 0x40DF0B66, 0x37D83BF0, 0xA9BCAE53, 0xDEBB9EC5, 0x47B2CF7F, 0x30B5FFE9,
    0xBDBDF21C, 0xCABAC28A, 0x53B39330, 0x24B4A3A6, 0xBAD03605, 0xCDD70693, 0x54DE5729, 0x23D967BF,
    0xB3667A2E, 0xC4614AB8, 0x5D681B02, 0x2A6F2B94, 0xB40BBE37, 0xC30C8EA1, 0x5A05DF1B, 0x2D02EF8D};

uint32_t mst_zip_crc(const void *data, size_t size) {
    const uint8_t *at = data;
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++)
        crc = crc_table[(crc ^ at[i]) & 0xFF] ^ crc >> 8;
    return ~crc;
}

/* ---- the directory -------------------------------------------------------------------------------- */

static mst_status damaged(const mst_container *container, mst_diagnostic *diagnostic, uint64_t offset,
                          const char *why) {
    mst_container_fail(container, NULL, diagnostic, MST_DAMAGED, why);
    if (diagnostic)
        diagnostic->offset = offset;
    return MST_DAMAGED;
}

/* The end of the file, which has the records that lead to the directory. */
typedef struct tail {
    mst_container_bytes view;
    uint64_t begin; /* its offset in the file */
} tail;

static const uint8_t *at_offset(const tail *of, uint64_t offset) {
    return (const uint8_t *)of->view.data + (offset - of->begin);
}

/* The zip64 end record that the locator before `end` names; its offset to `*found`. Its offset is wrong if
 * other bytes precede the archive: then the record is assumed to be directly before the locator. */
static mst_status find_large_end(const mst_container *container, const tail *last, uint64_t end,
                                 uint64_t *found, mst_container_bytes *record, mst_diagnostic *diagnostic) {
    uint64_t limit = end - LOCATOR_SIZE, large = u64(at_offset(last, limit) + 8);
    if (limit < LARGE_END_SIZE)
        return damaged(container, diagnostic, limit, "the end record of its directory is not valid");
    for (int i = 0; i < 2; i++) {
        *found = i || large > limit - LARGE_END_SIZE ? limit - LARGE_END_SIZE : large;
        mst_status status = mst_container_view(container, *found, LARGE_END_SIZE, record, diagnostic);
        if (status != MST_OK || u32(record->data) == MARK_LARGE_END)
            return status;
        mst_container_unview(container, record);
    }
    return damaged(container, diagnostic, limit, "the end record of its directory is not valid");
}

static mst_status read_end(const mst_container *container, const tail *last, mst_zip_directory *found,
                           mst_diagnostic *diagnostic) {
    size_t size = container->file.size;
    uint64_t first = size - END_SIZE > COMMENT_MAX ? size - END_SIZE - COMMENT_MAX : 0,
             end = size - END_SIZE + 1;
    while (end > first && !(u32(at_offset(last, end - 1)) == MARK_END &&
                            u16(at_offset(last, end + 19)) <= size - END_SIZE - (end - 1)))
        end--;
    if (end-- == first)
        return damaged(container, diagnostic, size, "it has no directory at its end; it may be truncated");
    bool large = false;
    uint64_t length = u32(at_offset(last, end + 12)), offset = u32(at_offset(last, end + 16)), after = end;
    if (end >= LOCATOR_SIZE && u32(at_offset(last, end - LOCATOR_SIZE)) == MARK_LOCATOR) {
        mst_container_bytes record = {0};
        mst_status status = find_large_end(container, last, end, &after, &record, diagnostic);
        if (status != MST_OK)
            return status;
        length = u64((const uint8_t *)record.data + 40);
        offset = u64((const uint8_t *)record.data + 48);
        mst_container_unview(container, &record);
        large = true;
    }
    if (length > after || offset > after - length)
        return damaged(container, diagnostic, end, "its directory is not at the offset in its end record");
    *found = (mst_zip_directory){after - length, after, after - length - offset, large};
    return MST_OK;
}

mst_status mst_zip_find_directory(const mst_container *container, mst_zip_directory *found,
                                  mst_diagnostic *diagnostic) {
    size_t size = container->file.size;
    if (size < END_SIZE)
        return damaged(container, diagnostic, 0, "it ends before its directory");
    uint64_t count = LOCATOR_SIZE + END_SIZE + COMMENT_MAX;
    tail last = {.begin = size > count ? size - count : 0};
    mst_status status = mst_container_view(container, last.begin, size - last.begin, &last.view, diagnostic);
    if (status == MST_OK)
        status = read_end(container, &last, found, diagnostic);
    mst_container_unview(container, &last.view);
    return status;
}

typedef struct sizes {
    uint64_t size, packed, offset;
} sizes;

/* Takes sizes that do not fit 32 bits from the zip64 extra field, which has only those, in order. */
static bool widen(sizes *one, const uint8_t *extra, size_t length) {
    uint64_t *const wide[] = {&one->size, &one->packed, &one->offset};
    while (length >= 4) {
        size_t block = u16(extra + 2);
        if (block > length - 4)
            break;
        if (u16(extra) == 1) {
            size_t at = 4;
            for (size_t i = 0; i < 3; i++) {
                if (*wide[i] != UINT32_MAX)
                    continue;
                if (at + 8 > 4 + block)
                    return false;
                *wide[i] = u64(extra + at);
                at += 8;
            }
            return true;
        }
        extra += 4 + block;
        length -= 4 + block;
    }
    return one->size != UINT32_MAX && one->packed != UINT32_MAX && one->offset != UINT32_MAX;
}

/* Whether an entry is a file, not a directory or link. */
static bool is_file(const uint8_t *entry, const char *name, size_t length) {
    uint32_t mode = u32(entry + 38) >> 16 & 0170000;
    if (length && (name[length - 1] == '/' || name[length - 1] == '\\'))
        return false;
    return u16(entry + 4) >> 8 != MADE_BY_UNIX || mode == 0 || mode == 0100000;
}

static mst_status list_entries(mst_container *container, const mst_zip_directory *at, const uint8_t *entries,
                               mst_diagnostic *diagnostic) {
    uint64_t left = at->begin; /* bytes left for members, which do not overlap */
    for (uint64_t next = at->begin; next < at->end;) {
        const uint8_t *entry = entries + (next - at->begin);
        if (at->end - next < ENTRY_SIZE || u32(entry) != MARK_ENTRY)
            return damaged(container, diagnostic, next, "an entry of its directory is not valid");
        size_t name = u16(entry + 28), extra = u16(entry + 30), comment = u16(entry + 32);
        if (name + extra + comment > at->end - next - ENTRY_SIZE)
            return damaged(container, diagnostic, next,
                           "an entry of its directory extends past the directory's end");
        next += ENTRY_SIZE + name + extra + comment;
        const char *text = (const char *)entry + ENTRY_SIZE;
        if (!is_file(entry, text, name))
            continue;
        sizes one = {u32(entry + 24), u32(entry + 20), u32(entry + 42)};
        if (!widen(&one, entry + ENTRY_SIZE + name, extra))
            return damaged(container, diagnostic, next, "an entry of its directory lacks its sizes");
        if (one.packed > left)
            return damaged(container, diagnostic, next, "its members overlap");
        left -= one.packed;
        mst_container_member *member;
        mst_status status = mst_container_add_foreign(container, text, name, &member, diagnostic);
        if (status != MST_OK)
            return status;
        if (!member)
            continue;
        member->size = one.size;
        member->packed = one.packed;
        member->position = one.offset > at->begin - at->base ? UINT64_MAX : at->base + one.offset;
        member->method = (uint16_t)u16(entry + 10);
        member->crc = u32(entry + 16);
        member->encrypted = u16(entry + 8) & 1;
    }
    return MST_OK;
}

/* ---- members -------------------------------------------------------------------------------------- */

/* A member in the file: its header of `begin` bytes, then its data; `taken`: its total size at most. */
typedef struct part {
    uint64_t begin, taken;
} part;

static mst_status find_member(mst_container *container, const mst_container_member *member, part *found,
                              mst_diagnostic *diagnostic) {
    size_t size = container->file.size;
    mst_container_bytes view = {0};
    if (member->encrypted)
        return mst_container_fail(container, member, diagnostic, MST_UNSUPPORTED, "it is encrypted");
    bool there = member->position <= size &&
                 !MST_UNREACHABLE(size - member->position < HEADER_SIZE); /* the directory follows it */
    mst_status status =
        there ? mst_container_view(container, member->position, HEADER_SIZE, &view, diagnostic) : MST_OK;
    if (status != MST_OK)
        return status;
    const uint8_t *header = view.data;
    there = there && u32(header) == MARK_HEADER;
    bool encrypted = there && (u16(header + 6) & 1);
    uint64_t begin = there ? HEADER_SIZE + (uint64_t)u16(header + 26) + u16(header + 28) : 0;
    mst_container_unview(container, &view);
    if (!there)
        return mst_container_fail(container, member, diagnostic, MST_DAMAGED,
                                  "its header is not where it should be");
    if (encrypted)
        return mst_container_fail(container, member, diagnostic, MST_UNSUPPORTED, "it is encrypted");
    uint64_t capacity = size - member->position;
    if (begin > capacity || member->packed > capacity - begin)
        return mst_container_fail(container, member, diagnostic, MST_DAMAGED,
                                  "it extends past the end of the archive");
    uint64_t after = capacity - begin - member->packed;
    *found = (part){begin, begin + member->packed + (after < DESCRIPTOR_MAX ? after : DESCRIPTOR_MAX)};
    if (member->method == METHOD_STORED && member->packed != member->size)
        return mst_container_fail(container, member, diagnostic, MST_DAMAGED,
                                  "it is stored, but its packed and unpacked sizes differ");
    return MST_OK;
}

static bool is_inflated(const mst_container_member *member) {
    return MST_WITH_ZLIB && member->method == METHOD_DEFLATED;
}

/* Unpacks a deflated member, of `packed` bytes at most. */
static mst_status inflate_member(mst_container *container, mst_container_member *member, const uint8_t *data,
                                 uint64_t packed, mst_container_bytes *bytes, mst_diagnostic *diagnostic) {
    uint64_t limit = mst_container_member_limit(container, member, packed);
    *bytes = (mst_container_bytes){.data = ""};
    if (member->size > limit)
        return mst_container_bursts(container, member, packed, diagnostic);
    mst_buffer made = {.allocator = container->allocator};
    mst_diagnostic why;
    mst_status status = mst_deflate_unpack(data, packed, member->size, limit, &made, NULL, &why);
    if (status != MST_OK) {
        mst_buffer_free(&made);
        return mst_container_fail(container, member, diagnostic, status, why.message);
    }
    mst_container_count_unpacked(container, member, made.size);
    void *less =
        made.size ? made.allocator.resize(made.allocator.user, made.data, made.capacity, made.size) : NULL;
    if (less)
        *bytes = (mst_container_bytes){less, made.size, less};
    else
        mst_buffer_free(&made);
    return less || !member->size
               ? MST_OK
               : mst_container_fail(container, member, diagnostic, MST_NO_MEMORY, "not enough memory for it");
}

static mst_status read_packed(mst_container *container, mst_container_member *member, const part *at,
                              mst_container_bytes *bytes, mst_diagnostic *diagnostic) {
    mst_container_bytes view = {0};
    mst_status status = mst_container_view(container, member->position, at->taken, &view, diagnostic);
    bool inflated = is_inflated(member);
    if (status == MST_OK && inflated)
        status = inflate_member(container, member, (const uint8_t *)view.data + at->begin,
                                view.size - at->begin, bytes, diagnostic);
    else if (status == MST_OK)
        status = mst_container_unpack_zip(container, member, view.data, view.size, bytes, diagnostic);
    mst_container_unview(container, &view);
    if (status != MST_OK || !inflated || mst_zip_crc(bytes->data, bytes->size) == member->crc)
        return status; /* libarchive verifies it */
    mst_container_release(container, bytes);
    return mst_container_fail(container, member, diagnostic, MST_DAMAGED, "its checksum is wrong");
}

static mst_status read_member(mst_container *container, mst_container_member *member,
                              mst_container_bytes *bytes, mst_diagnostic *diagnostic) {
    part at = {0};
    mst_status status = find_member(container, member, &at, diagnostic);
    if (status != MST_OK)
        return status;
    if (member->method != METHOD_STORED)
        return read_packed(container, member, &at, bytes, diagnostic);
    status = mst_container_view(container, member->position + at.begin, member->packed, bytes, diagnostic);
    if (status != MST_OK || mst_zip_crc(bytes->data, bytes->size) == member->crc)
        return status;
    mst_container_release(container, bytes);
    return mst_container_fail(container, member, diagnostic, MST_DAMAGED, "its checksum is wrong");
}

#define PEEKED 65536 /* packed bytes, of which the beginning is unpacked */

static mst_status peek(mst_container *container, mst_container_member *member, void *first, size_t *size,
                       mst_diagnostic *diagnostic) {
    part at = {0};
    mst_container_bytes view = {0};
    mst_status status = find_member(container, member, &at, diagnostic);
    if (status != MST_OK)
        return status;
    bool stored = member->method == METHOD_STORED;
    uint64_t most = stored ? member->packed : at.taken, wanted = stored ? *size : at.begin + PEEKED;
    bool whole = container->file.data && !stored; /* in memory it costs nothing */
    status = mst_container_view(container, member->position + (stored ? at.begin : 0),
                                whole || most < wanted ? most : wanted, &view, diagnostic);
    if (status == MST_OK && is_inflated(member))
        *size = mst_deflate_peek((const uint8_t *)view.data + at.begin, view.size - at.begin, first, *size);
    else if (status == MST_OK && !stored)
        status = mst_container_peek_zip(container, member, view.data, view.size, first, size, diagnostic);
    if (status == MST_OK && stored) {
        *size = view.size;
        if (view.size)
            memcpy(first, view.data, view.size);
    }
    mst_container_unview(container, &view);
    return status;
}

mst_status mst_zip_find_data(mst_container *container, const mst_container_member *member, uint64_t *begin,
                             mst_diagnostic *diagnostic) {
    part at = {0};
    mst_status status = find_member(container, member, &at, diagnostic);
    *begin = at.begin;
    return status;
}

size_t mst_zip_entry_size(const uint8_t *entry) {
    return ENTRY_SIZE + (size_t)u16(entry + 28) + u16(entry + 30) + u16(entry + 32);
}

static const mst_container_kind zip_kind = {read_member, mst_container_release_memory, NULL, peek};

bool mst_container_is_zip(const mst_container *container) {
    return container->kind == &zip_kind;
}

mst_status mst_container_list_zip(mst_container *container, mst_diagnostic *diagnostic) {
    mst_container_bytes view = {0};
    mst_status status = mst_container_view(container, 0, container->file.size < 4 ? 0 : 4, &view, diagnostic);
    uint32_t mark = view.size ? u32(view.data) : 0;
    mst_container_unview(container, &view);
    if (status != MST_OK || (mark != MARK_HEADER && mark != MARK_END))
        return status == MST_OK ? MST_UNKNOWN : status;
    container->kind = &zip_kind;
    mst_zip_directory at = {0};
    status = mst_zip_find_directory(container, &at, diagnostic);
    if (status == MST_OK)
        status = mst_container_view_list(container, at.begin, at.end - at.begin, &view, diagnostic);
    if (status == MST_OK)
        status = list_entries(container, &at, view.data, diagnostic);
    mst_container_unview(container, &view);
    return status;
}
