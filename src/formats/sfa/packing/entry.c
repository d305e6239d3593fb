/* SPDX-License-Identifier: MIT */
/* Packed entries: reading their wrappers, parsing and serializing. Sources: public notes on the game's files,
 * and measurements on retail streams, which zlib reproduces. */
#include "entry.h"
#include "../../../check/finding.h"
#include "../../../codec/deflate.h"
#include "../../../codec/lzo.h"
#include "../../../core/unreachable.h"

static const mst_enum_name wrapper_names[] = {{MST_SFA_PLAIN, "none"}, {MST_SFA_ZLB, "zlb"},
                                              {MST_SFA_DIR, "dir"},    {MST_SFA_DIRN, "dirn"},
                                              {MST_SFA_LZO, "lzo"},    {MST_SFA_FACEFEED, "facefeed"},
                                              {MST_SFA_E0, "stored"},  {MST_SFA_KEPT, "not_understood"}};
const mst_enum mst_sfa_wrappers = {wrapper_names, MST_COUNT_OF(wrapper_names)};
static const mst_enum_name way_names[] = {{MST_ZLIB_RETAIL, "retail"}, {MST_ZLIB_MODDED, "modded"}};
const mst_enum mst_sfa_ways = {way_names, MST_COUNT_OF(way_names)};

#define HEADER       16u /* of ZLB and LZOn */
#define DIR_HEADER   32u
#define OUTER_HEADER 24u /* of FACEFEED and E0E0E0E0, before the extra data */

static uint64_t aligned(uint64_t size) {
    return (size + 31) / 32 * 32;
}

/* ---- reading ------------------------------------------------------------------------------------ */

static mst_status damaged(mst_diagnostic *diagnostic, uint64_t offset, uint64_t length, uint64_t expected,
                          uint64_t found, const char *message) {
    mst_fail(diagnostic, MST_DAMAGED, "%s", message);
    if (diagnostic) {
        MST_SET(diagnostic->code, "SFA-ZLB");
        diagnostic->offset = offset;
        diagnostic->length = length;
        MST_SET(diagnostic->expected, "at most %llu bytes", (unsigned long long)expected);
        MST_SET(diagnostic->found, "%llu", (unsigned long long)found);
    }
    return MST_DAMAGED;
}

static mst_sfa_wrapper wrapper_of(const uint8_t *bytes, uint64_t size) {
    if (size < 4)
        return MST_SFA_PLAIN;
    switch (mst_load32(bytes, true)) {
    case 0xFACEFEED: return MST_SFA_FACEFEED;
    case 0xE0E0E0E0: return MST_SFA_E0;
    case 0xF0F0F0F0: return MST_SFA_KEPT;
    default: break;
    }
    if (memcmp(bytes, "ZLB", 4) == 0)
        return MST_SFA_ZLB;
    if (memcmp(bytes, "DIR", 3) == 0 && (bytes[3] == 0 || bytes[3] == 'n'))
        return bytes[3] ? MST_SFA_DIRN : MST_SFA_DIR;
    return memcmp(bytes, "LZOn", 4) == 0 ? MST_SFA_LZO : MST_SFA_PLAIN;
}

bool mst_sfa_is_wrapped(const uint8_t *bytes, uint64_t size) {
    return wrapper_of(bytes, size) != MST_SFA_PLAIN;
}

mst_status mst_sfa_entry_read(const uint8_t *bytes, uint64_t size, mst_sfa_entry *entry,
                              mst_diagnostic *diagnostic) {
    memset(entry, 0, sizeof *entry);
    entry->wrapper = wrapper_of(bytes, size);
    uint64_t inner = 0;
    if (entry->wrapper == MST_SFA_PLAIN || entry->wrapper == MST_SFA_KEPT) {
        entry->data = bytes;
        entry->data_size = entry->unpacked_size = entry->length = size;
        return MST_OK;
    }
    if (entry->wrapper == MST_SFA_FACEFEED || entry->wrapper == MST_SFA_E0) {
        if (size < OUTER_HEADER)
            return damaged(diagnostic, 0, size, size, OUTER_HEADER, "the wrapper's header is cut off");
        entry->unpacked_size = mst_load32(bytes + 4, true);
        entry->extra_size = mst_load32(bytes + 8, true);
        entry->outer_packed_size = mst_load32(bytes + 12, true);
        entry->outer_10 = mst_load32(bytes + 16, true);
        entry->outer_14 = mst_load32(bytes + 20, true);
        if (entry->extra_size > size - OUTER_HEADER)
            return damaged(diagnostic, 8, 4, size - OUTER_HEADER, entry->extra_size,
                           "the extra data runs past the end of the entry");
        entry->extra = bytes + OUTER_HEADER;
        inner = OUTER_HEADER + (uint64_t)entry->extra_size;
        if (entry->wrapper == MST_SFA_E0) {
            if (entry->unpacked_size > size - inner)
                return damaged(diagnostic, 4, 4, size - inner, entry->unpacked_size,
                               "the content runs past the end of the entry");
            entry->data = bytes + inner;
            entry->data_size = entry->unpacked_size;
            entry->length = inner + entry->data_size;
            return MST_OK;
        }
        if (wrapper_of(bytes + inner, size - inner) != MST_SFA_ZLB) {
            damaged(diagnostic, inner, 4, 0, 0, "the extra data is not followed by a packed entry");
            if (diagnostic) {
                MST_SET(diagnostic->expected, "ZLB");
                MST_SET(diagnostic->found, "another magic");
            }
            return MST_DAMAGED;
        }
    }
    entry->inner = inner;
    bool stored = entry->wrapper == MST_SFA_DIR || entry->wrapper == MST_SFA_DIRN;
    uint64_t header = stored ? DIR_HEADER : HEADER;
    if (header > size - inner)
        return damaged(diagnostic, inner, size - inner, size - inner, header,
                       "the wrapper's header is cut off");
    entry->version = mst_load32(bytes + inner + 4, true);
    entry->unpacked_size = mst_load32(bytes + inner + 8, true);
    entry->data_size = stored ? entry->unpacked_size : mst_load32(bytes + inner + 12, true);
    if (entry->data_size > size - inner - header)
        return damaged(diagnostic, inner + (stored ? 8 : 12), 4, size - inner - header, entry->data_size,
                       "the packed bytes run past the end of the entry");
    entry->unknown_10 = bytes + inner + HEADER;
    entry->data = bytes + inner + header;
    entry->length = inner + header + entry->data_size;
    return MST_OK;
}

mst_status mst_sfa_entry_unpack(const mst_sfa_entry *entry, uint64_t limit, mst_buffer *bytes,
                                mst_diagnostic *diagnostic) {
    mst_status status = MST_OK;
    if (entry->wrapper == MST_SFA_ZLB || entry->wrapper == MST_SFA_FACEFEED)
        status = mst_zlib_unpack(entry->data, entry->data_size, entry->unpacked_size, limit, bytes, NULL,
                                 diagnostic);
    else if (entry->wrapper == MST_SFA_LZO)
        status =
            mst_lzo_unpack(entry->data, entry->data_size, entry->unpacked_size, limit, bytes, diagnostic);
    else {
        mst_parsed_writer w = {.to = bytes, .limit = UINT64_MAX};
        mst_parsed_bytes(&w, entry->data, (size_t)entry->unpacked_size);
        return w.status;
    }
    if (status == MST_DAMAGED && diagnostic)
        MST_SET(diagnostic->code, "SFA-ZLB");
    return status;
}

mst_status mst_sfa_file_unpack(const mst_file_view *file, mst_sfa_entry *entry, mst_buffer *bytes) {
    mst_status status = mst_sfa_entry_read(file->data, file->size, entry, NULL);
    return status == MST_OK ? mst_sfa_entry_unpack(entry, (uint64_t)file->size * 16 + (1u << 20), bytes, NULL)
                            : status;
}

size_t mst_sfa_entry_peek(const uint8_t *bytes, uint64_t size, uint8_t *first, size_t capacity) {
    mst_sfa_wrapper wrapper = wrapper_of(bytes, size);
    uint64_t inner = 0;
    if (wrapper == MST_SFA_FACEFEED && size >= OUTER_HEADER)
        inner = OUTER_HEADER + (uint64_t)mst_load32(bytes + 8, true);
    bool stored = wrapper == MST_SFA_DIR || wrapper == MST_SFA_DIRN;
    uint64_t header = wrapper == MST_SFA_PLAIN ? 0 : stored ? DIR_HEADER : HEADER;
    if (wrapper == MST_SFA_E0 || wrapper == MST_SFA_KEPT || wrapper == MST_SFA_LZO ||
        !mst_fits(inner, header, size))
        return 0;
    if (wrapper == MST_SFA_ZLB || wrapper == MST_SFA_FACEFEED)
        return mst_zlib_peek(bytes + inner + header, size - inner - header, first, capacity);
    uint64_t left = size - inner - header;
    size_t n = left < capacity ? (size_t)left : capacity;
    memcpy(first, bytes + inner + header, n);
    return n;
}

/* ---- parsing ---------------------------------------------------------------------------------- */

static mst_status keep(const uint8_t *bytes, size_t size, mst_parsed_writer *w) {
    size_t begin = mst_parsed_begin(w);
    mst_parsed_counted(w, bytes, size);
    mst_parsed_number(w, MST_SFA_KEPT, 1);
    mst_parsed_end(w, begin);
    return w->status;
}

/* Entries usually end with zeros up to a multiple of 32, or without padding where these are missing. */
static bool is_unpadded(const mst_sfa_entry *entry, size_t size) {
    return size == entry->length && size % 32 != 0;
}

/* Writes the data before the content: the original bytes and the wrapper's fields. */
static void put_wrapper(mst_parsed_writer *w, const mst_sfa_entry *entry, const uint8_t *bytes, size_t size) {
    bool plain = entry->wrapper == MST_SFA_PLAIN, zlib = false;
    bool outer = entry->wrapper == MST_SFA_FACEFEED || entry->wrapper == MST_SFA_E0;
    const uint8_t *header = outer ? bytes : bytes + entry->inner, *inner = bytes + entry->inner;
    mst_parsed_original(w, bytes, plain ? 0 : size);
    mst_parsed_from(w, (uint32_t)entry->wrapper, 1, plain ? NULL : header, 4);
    zlib = entry->wrapper == MST_SFA_ZLB || entry->wrapper == MST_SFA_FACEFEED;
    if (zlib)
        mst_parsed_number(
            w, mst_zlib_is_modded(entry->data, entry->data_size) ? MST_ZLIB_MODDED : MST_ZLIB_RETAIL, 1);
    if (outer) {
        mst_parsed_note(w, "unpacked_size", MST_BYTES_DERIVED, header + 4, 4);
        mst_parsed_note(w, "extra_size", MST_BYTES_DERIVED, header + 8, 4);
    }
    if (entry->wrapper == MST_SFA_FACEFEED) {
        mst_parsed_note(w, "outer_packed_size", MST_BYTES_DERIVED, header + 12, 4);
        mst_parsed_note(w, "magic", MST_BYTES_DERIVED, inner, 4);
    }
    if (!plain && entry->wrapper != MST_SFA_E0)
        mst_parsed_from(w, entry->version, 4, inner + 4, 4);
    if (entry->wrapper == MST_SFA_DIR || entry->wrapper == MST_SFA_DIRN)
        mst_parsed_bytes(w, entry->unknown_10, 16);
    if (outer) {
        mst_parsed_from(w, entry->outer_10, 4, header + 16, 4);
        mst_parsed_from(w, entry->outer_14, 4, header + 20, 4);
        if (entry->wrapper == MST_SFA_E0)
            mst_parsed_from(w, entry->outer_packed_size, 4, header + 12, 4);
        mst_parsed_counted(w, entry->extra, entry->extra_size);
    }
    if (!plain && entry->wrapper != MST_SFA_LZO)
        mst_parsed_number(w, is_unpadded(entry, size), 1);
    if (!plain && entry->wrapper != MST_SFA_E0) {
        mst_parsed_note(w, "unpacked_size", MST_BYTES_DERIVED, inner + 8, 4);
        mst_parsed_note(w, "packed_size", MST_BYTES_DERIVED, inner + 12, 4);
    }
}

/* The entry's content: the unpacked bytes, or the file's. */
typedef struct content_bytes {
    const uint8_t *bytes;
    size_t size;
    mst_buffer unpacked;
    uint32_t origin;
} content_bytes;

static bool is_packed(const mst_sfa_entry *entry) {
    return entry->wrapper == MST_SFA_ZLB || entry->wrapper == MST_SFA_FACEFEED ||
           entry->wrapper == MST_SFA_LZO;
}

static mst_status unpack_content(const mst_sfa_entry *entry, bool strict, mst_parsed_writer *w,
                                 content_bytes *inside, mst_diagnostic *diagnostic) {
    inside->bytes = entry->data;
    inside->size = (size_t)entry->unpacked_size;
    if (!is_packed(entry))
        return MST_OK;
    /* the unpacked content is in memory twice for a while */
    uint64_t capacity = w->limit > w->to->size ? (w->limit - w->to->size) / 2 : 0;
    mst_status status = mst_sfa_entry_unpack(entry, capacity, &inside->unpacked, diagnostic);
    /* in a bank, a stream that claims too large a size counts as damaged, so that the other entries can be
     * read */
    if (status == MST_NO_MEMORY && !strict && entry->unpacked_size > capacity)
        status = MST_DAMAGED;
    inside->bytes = inside->unpacked.data;
    inside->size = inside->unpacked.size;
    if (status == MST_OK && w->spans)
        inside->origin =
            mst_spans_content(w->spans, entry->data, entry->data_size, inside->bytes, inside->size);
    return status;
}

static mst_status parse_content(const mst_sfa_entry *entry, const mst_sfa_content *content, bool strict,
                                const content_bytes *inside, mst_parsed_writer *w,
                                mst_diagnostic *diagnostic) {
    if (w->spans && is_packed(entry))
        mst_spans_note(w->spans, w->to->size, "packed", MST_BYTES_FIELD, entry->data, entry->data_size,
                       inside->origin);
    if (!content->parse) {
        mst_parsed_bytes(w, inside->bytes, inside->size);
        return w->status;
    }
    mst_parsed_mark start = mst_parsed_here(w);
    mst_status status = content->parse(inside->bytes, inside->size, w, diagnostic);
    if (status == MST_DAMAGED && strict)
        mst_parsed_blame(w, is_packed(entry) ? entry->data : inside->bytes, is_packed(entry), diagnostic);
    if (status != MST_DAMAGED || strict)
        return status;
    mst_parsed_cut(w, start);
    return content->parse_raw(inside->bytes, inside->size, w, diagnostic);
}

mst_status mst_sfa_entry_parse(const uint8_t *bytes, size_t size, const mst_sfa_content *content, bool strict,
                               mst_parsed_writer *w, mst_diagnostic *diagnostic) {
    mst_parsed_mark start = mst_parsed_here(w);
    mst_sfa_entry entry;
    content_bytes inside = {.unpacked = {.allocator = w->to->allocator}, .origin = MST_ORIGIN_NONE};
    mst_status status = mst_sfa_entry_read(bytes, size, &entry, diagnostic);
    if (status == MST_OK && entry.wrapper != MST_SFA_KEPT)
        status = unpack_content(&entry, strict, w, &inside, diagnostic);
    if (status == MST_DAMAGED && strict)
        mst_parsed_blame(w, bytes, false, diagnostic);
    if (status == MST_OK && entry.wrapper != MST_SFA_KEPT) {
        size_t begin = mst_parsed_begin(w);
        put_wrapper(w, &entry, bytes, size);
        status = w->status;
        if (status == MST_OK)
            status = parse_content(&entry, content, strict, &inside, w, diagnostic);
        mst_parsed_end(w, begin);
        if (status == MST_OK)
            status = w->status;
        if (status == MST_OK && w->to->size > w->limit)
            status = MST_NO_MEMORY;
        if (status == MST_OK && entry.wrapper != MST_SFA_PLAIN)
            mst_parsed_note(w, "padding", MST_BYTES_PADDING, bytes + entry.length, size - entry.length);
    }
    if (w->spans && inside.origin != MST_ORIGIN_NONE)
        mst_spans_keep(w->spans, inside.origin, &inside.unpacked);
    mst_buffer_free(&inside.unpacked);
    if (entry.wrapper == MST_SFA_KEPT || (status == MST_DAMAGED && !strict)) {
        mst_parsed_cut(w, start);
        status = keep(bytes, size, w);
    }
    if (status == MST_NO_MEMORY) /* not all of these failures have set a diagnostic */
        mst_fail(diagnostic, status, "the unpacked content needs more memory than the limit allows");
    if (status != MST_OK)
        mst_parsed_cut(w, start);
    return status;
}

/* ---- serializing ------------------------------------------------------------------------------------ */

/* The parts of a parsed entry. */
typedef struct entry_parsed {
    const uint8_t *original;
    uint32_t original_size;
    mst_sfa_wrapper wrapper;
    uint8_t way;
    bool unpadded;
    mst_sfa_entry fields;
    const uint8_t *content;
    size_t content_size;
} entry_parsed;

static bool take_apart(mst_parsed_reader *inner, entry_parsed *e) {
    memset(e, 0, sizeof *e);
    e->original = mst_parsed_read_counted(inner, &e->original_size);
    uint32_t wrapper = mst_parsed_read(inner, 1);
    if (wrapper > MST_SFA_KEPT)
        return false;
    e->wrapper = (mst_sfa_wrapper)wrapper;
    if (e->wrapper == MST_SFA_KEPT)
        return !inner->failed && inner->at == inner->size;
    bool plain = e->wrapper == MST_SFA_PLAIN, outer = wrapper == MST_SFA_FACEFEED || wrapper == MST_SFA_E0;
    if (wrapper == MST_SFA_ZLB || wrapper == MST_SFA_FACEFEED)
        e->way = (uint8_t)mst_parsed_read(inner, 1);
    if (!plain && e->wrapper != MST_SFA_E0)
        e->fields.version = mst_parsed_read(inner, 4);
    if (wrapper == MST_SFA_DIR || wrapper == MST_SFA_DIRN)
        e->fields.unknown_10 = mst_parsed_take(inner, 16);
    if (outer) {
        e->fields.outer_10 = mst_parsed_read(inner, 4);
        e->fields.outer_14 = mst_parsed_read(inner, 4);
        if (e->wrapper == MST_SFA_E0)
            e->fields.outer_packed_size = mst_parsed_read(inner, 4);
        e->fields.extra = mst_parsed_read_counted(inner, &e->fields.extra_size);
    }
    if (!plain && e->wrapper != MST_SFA_LZO)
        e->unpadded = mst_parsed_read(inner, 1) != 0;
    if (inner->failed)
        return false;
    e->content = inner->data + inner->at;
    e->content_size = (size_t)(inner->size - inner->at);
    return true;
}

/* Appends a new entry with the content `inside`. */
static mst_status pack(const entry_parsed *e, const uint8_t *inside, size_t size, mst_buffer *bytes,
                       mst_diagnostic *diagnostic) {
    mst_parsed_writer w = {.to = bytes, .limit = UINT64_MAX};
    size_t start = bytes->size, packed_at = 0;
    if (size > UINT32_MAX)
        return mst_fail(diagnostic, MST_REFUSED, "the content is too large for a packed entry");
    if (e->wrapper == MST_SFA_PLAIN) {
        mst_parsed_bytes(&w, inside, size);
        return w.status;
    }
    if (e->wrapper == MST_SFA_LZO)
        return mst_fail(diagnostic, MST_REFUSED, "packing with LZO is not supported; choose another wrapper");
    if (e->wrapper == MST_SFA_FACEFEED || e->wrapper == MST_SFA_E0) {
        mst_parsed_number(&w, e->wrapper == MST_SFA_E0 ? 0xE0E0E0E0 : 0xFACEFEED, 4);
        mst_parsed_number(&w, (uint32_t)size, 4);
        mst_parsed_number(&w, e->fields.extra_size, 4);
        mst_parsed_number(&w, e->fields.outer_packed_size, 4);
        mst_parsed_number(&w, e->fields.outer_10, 4);
        mst_parsed_number(&w, e->fields.outer_14, 4);
        mst_parsed_bytes(&w, e->fields.extra, e->fields.extra_size);
    }
    size_t inner = bytes->size;
    if (e->wrapper != MST_SFA_E0) {
        static const char magics[][5] = {
            [MST_SFA_ZLB] = "ZLB", [MST_SFA_DIR] = "DIR", [MST_SFA_DIRN] = "DIRn"};
        mst_parsed_bytes(&w, magics[e->wrapper == MST_SFA_FACEFEED ? MST_SFA_ZLB : e->wrapper], 4);
        mst_parsed_number(&w, e->fields.version, 4);
        mst_parsed_number(&w, (uint32_t)size, 4);
        packed_at = bytes->size;
        mst_parsed_number(&w, (uint32_t)size, 4);
    }
    mst_status status = w.status;
    if (e->wrapper == MST_SFA_ZLB || e->wrapper == MST_SFA_FACEFEED) {
        size_t before = bytes->size;
        if (status == MST_OK)
            status = mst_zlib_pack(inside, size, (mst_zlib_way)e->way, bytes, diagnostic);
        if (status == MST_OK)
            mst_store32(bytes->data + packed_at, (uint32_t)(bytes->size - before), true);
        if (status == MST_OK && e->wrapper == MST_SFA_FACEFEED) {
            uint64_t packed = aligned(bytes->size - inner);
            mst_parsed_zeros(&w, (size_t)(packed - (bytes->size - inner)));
            mst_store32(bytes->data + start + 12, (uint32_t)packed, true);
            status = w.status;
        }
    } else {
        if (e->fields.unknown_10)
            mst_parsed_bytes(&w, e->fields.unknown_10, 16);
        mst_parsed_bytes(&w, inside, size);
        status = w.status;
    }
    if (status == MST_OK && !e->unpadded) {
        mst_parsed_zeros(&w, (size_t)(aligned(bytes->size - start) - (bytes->size - start)));
        status = w.status;
    }
    return status;
}

/* Whether the original entry has the same fields and unpacks to these bytes. MST_NO_MEMORY: undecided. */
static mst_status unpacks_to(const entry_parsed *e, const uint8_t *inside, size_t size,
                             const mst_allocator *allocator, bool *same) {
    mst_sfa_entry entry;
    *same = false;
    if (mst_sfa_entry_read(e->original, e->original_size, &entry, NULL) != MST_OK ||
        entry.wrapper != e->wrapper || entry.unpacked_size != size || entry.version != e->fields.version ||
        entry.extra_size != e->fields.extra_size || entry.outer_10 != e->fields.outer_10 ||
        entry.outer_14 != e->fields.outer_14 ||
        (e->wrapper == MST_SFA_E0 && entry.outer_packed_size != e->fields.outer_packed_size))
        return MST_OK;
    if (e->fields.extra_size && memcmp(entry.extra, e->fields.extra, e->fields.extra_size) != 0)
        return MST_OK;
    if (e->fields.unknown_10 && memcmp(entry.unknown_10, e->fields.unknown_10, 16) != 0)
        return MST_OK;
    if (e->wrapper != MST_SFA_LZO && is_unpadded(&entry, e->original_size) != e->unpadded)
        return MST_OK;
    bool zlib = e->wrapper == MST_SFA_ZLB || e->wrapper == MST_SFA_FACEFEED;
    if (zlib && mst_zlib_is_modded(entry.data, entry.data_size) != (e->way == MST_ZLIB_MODDED))
        return MST_OK;
    mst_buffer unpacked = {.allocator = *allocator};
    mst_status status = mst_sfa_entry_unpack(&entry, size, &unpacked, NULL);
    /* unpacking fails unless it yields as many bytes as the wrapper claims */
    *same = status == MST_OK && (!size || memcmp(unpacked.data, inside, size) == 0);
    mst_buffer_free(&unpacked);
    return status == MST_NO_MEMORY ? status : MST_OK;
}

static mst_status serialize_content(const entry_parsed *e, const mst_sfa_content *content, mst_buffer *own,
                                    const uint8_t **inside, size_t *size, mst_diagnostic *diagnostic) {
    *inside = e->content;
    *size = e->content_size;
    if (!content->serialize)
        return MST_OK;
    mst_status status = content->serialize(e->content, e->content_size, own, diagnostic);
    *inside = own->data;
    *size = own->size;
    return status;
}

mst_status mst_sfa_entry_serialize(mst_parsed_reader *parsed, const mst_sfa_content *content,
                                   mst_buffer *bytes, mst_diagnostic *diagnostic) {
    mst_parsed_reader inner = mst_parsed_inner(parsed);
    entry_parsed e;
    if (!take_apart(&inner, &e))
        return mst_fail(diagnostic, MST_REFUSED, "a packed entry is incomplete");
    mst_parsed_writer w = {.to = bytes, .limit = UINT64_MAX};
    if (e.wrapper == MST_SFA_KEPT) {
        mst_parsed_bytes(&w, e.original, e.original_size);
        return w.status;
    }
    mst_buffer own = {.allocator = bytes->allocator};
    const uint8_t *inside;
    size_t size;
    mst_status status = serialize_content(&e, content, &own, &inside, &size, diagnostic);
    bool same = false;
    if (status == MST_OK && e.original_size && e.wrapper != MST_SFA_PLAIN) {
        status = unpacks_to(&e, inside, size, &bytes->allocator, &same);
        if (status != MST_OK)
            mst_fail(diagnostic, status, "out of memory while unpacking the original entry");
    }
    if (status == MST_OK && same) {
        mst_parsed_bytes(&w, e.original, e.original_size);
        status = w.status;
    } else if (status == MST_OK) {
        status = pack(&e, inside, size, bytes, diagnostic);
    }
    mst_buffer_free(&own);
    return status;
}

bool mst_sfa_entry_is_canonical(const uint8_t *parsed, uint64_t offset, uint64_t end,
                                const mst_sfa_content *content) {
    mst_parsed_reader inner = {parsed + offset, end - offset, 0, false};
    entry_parsed e;
    if (!take_apart(&inner, &e) || e.wrapper == MST_SFA_KEPT)
        return false;
    mst_buffer own = {0}, again = {0};
    const uint8_t *inside;
    size_t size;
    mst_status status = serialize_content(&e, content, &own, &inside, &size, NULL);
    if (status == MST_OK)
        status = pack(&e, inside, size, &again, NULL);
    bool same = status == MST_OK && again.size == e.original_size &&
                (!again.size || memcmp(again.data, e.original, again.size) == 0);
    mst_buffer_free(&own);
    mst_buffer_free(&again);
    return same;
}

mst_status mst_sfa_single_parse(const mst_format *format, const mst_file_view *files,
                                mst_parsed_writer *parsed, mst_diagnostic *diagnostic) {
    return mst_sfa_entry_parse(files[0].data, files[0].size, format->files.parameters, true, parsed,
                               diagnostic);
}

mst_status mst_sfa_single_serialize(const mst_format *format, const uint8_t *parsed, size_t size,
                                    mst_buffer *files, mst_diagnostic *diagnostic) {
    mst_parsed_reader reader = {parsed, size, 0, false};
    return mst_sfa_entry_serialize(&reader, format->files.parameters, files, diagnostic);
}

bool mst_sfa_single_is_canonical(const mst_format *format, const uint8_t *parsed, uint64_t offset,
                                 uint64_t end) {
    return mst_sfa_entry_is_canonical(parsed, offset, end, format->files.parameters);
}

bool mst_sfa_entry_content(const uint8_t *parsed, uint64_t size, const uint8_t **content,
                           uint64_t *content_size, uint64_t *length) {
    mst_parsed_reader all = {parsed, size, 0, false};
    mst_parsed_reader inner = mst_parsed_inner(&all);
    entry_parsed e;
    *content = NULL;
    *content_size = 0;
    *length = all.failed ? UINT64_MAX : all.at;
    if (all.failed || !take_apart(&inner, &e) || e.wrapper == MST_SFA_KEPT)
        return false;
    *content = e.content;
    *content_size = e.content_size;
    return true;
}

/* ---- checking ----------------------------------------------------------------------------------- */

mst_status mst_sfa_check_entry(mst_checker *checker, uint64_t offset, const char *path) {
    const mst_document *document = checker->document;
    mst_parsed_reader reader = {document->data + offset, document->size - offset, 0, false};
    mst_parsed_reader inner = mst_parsed_inner(&reader);
    entry_parsed e;
    mst_sfa_entry entry;
    mst_diagnostic *finding = mst_finding(checker, 0, 0);
    bool valid = take_apart(&inner, &e);
    if (MST_UNREACHABLE(!valid) || !e.original_size) /* it was parsed when the document was opened */
        return MST_OK;
    mst_status status = mst_sfa_entry_read(e.original, e.original_size, &entry, finding);
    const char *code = "SFA-ZLB";
    if (e.wrapper == MST_SFA_DIR || e.wrapper == MST_SFA_DIRN) {
        uint32_t other = mst_load32(e.original + 12, true);
        if (other == entry.unpacked_size)
            return MST_OK;
        code = "SFA-DIR-SIZE";
        mst_fail(finding, MST_OK, "the two sizes of an entry that is not packed differ");
        MST_SET(finding->expected, "%llu", (unsigned long long)entry.unpacked_size);
        MST_SET(finding->found, "%u", other);
        finding->offset = 12;
        finding->length = 4;
    } else if (e.wrapper != MST_SFA_KEPT) {
        return MST_OK;
    } else if (status == MST_OK && entry.wrapper == MST_SFA_KEPT) {
        return MST_OK; /* an undocumented wrapper */
    } else if (status == MST_OK) {
        mst_buffer unpacked = {.allocator = document->allocator};
        status = mst_sfa_entry_unpack(&entry, document->size * 16 + (1u << 20), &unpacked, finding);
        mst_buffer_free(&unpacked);
        if (status == MST_OK)
            mst_fail(finding, MST_OK, "the unpacked content is not understood");
    }
    MST_SET(finding->path, "%s", path);
    finding->status = MST_OK;
    /* the fault's offset is relative to the original bytes */
    uint64_t at = finding->offset < e.original_size ? finding->offset : 0;
    finding->offset = (uint64_t)(e.original - document->data) + at;
    return mst_checker_report(checker, code);
}
