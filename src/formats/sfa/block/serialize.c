/* SPDX-License-Identifier: MIT */
/* Converts images to blocks. */
#include "../../../codec/reserve.h"
#include "../../../core/unreachable.h"
#include "parts.h"
#include <stdlib.h>

/* Appends zeros; NULL if out of memory. */
static uint8_t *grow(mst_parsed_writer *w, size_t size) {
    mst_buffer *to = w->to;
    if (w->status != MST_OK || !mst_buffer_reserve(to, size ? size : 1)) {
        w->status = MST_NO_MEMORY;
        return NULL;
    }
    memset(to->data + to->size, 0, size);
    to->size += size;
    return to->data + to->size - size;
}

static mst_status put(mst_buffer *to, const uint8_t *bytes, size_t size) {
    if (!mst_buffer_reserve(to, size ? size : 1))
        return MST_NO_MEMORY;
    if (size)
        memcpy(to->data + to->size, bytes, size);
    to->size += size;
    return MST_OK;
}

static uint32_t aligned(uint32_t value, uint32_t to) {
    return (value + to - 1) / to * to;
}

/* Copies the parts of the header that are also in an image, or in another block's header. */
static void copy_header(uint8_t *to, const uint8_t *from) {
    for (size_t i = 0; i < MST_SFA_HEADER_FIELDS; i++)
        memcpy(to + mst_sfa_header_fields[i].block, from + mst_sfa_header_fields[i].block,
               mst_sfa_header_fields[i].size);
}
static void put_header(uint8_t *header, const uint8_t *image) {
    image++; /* skips the form */
    for (size_t i = 0; i < MST_SFA_HEADER_FIELDS; image += mst_sfa_header_fields[i++].size)
        memcpy(header + mst_sfa_header_fields[i].block, image, mst_sfa_header_fields[i].size);
}

/* A block being written, from `base` on. */
typedef struct write_state {
    const mst_sfa_block *block;
    const mst_sfa_call *calls; /* of its lists */
    mst_parsed_writer w;
    size_t base;
} write_state;

static uint32_t written(const write_state *to) {
    return (uint32_t)(to->w.to->size - to->base);
}

static void align_to(write_state *to, uint32_t alignment) {
    grow(&to->w, aligned(written(to), alignment) - written(to));
}

/* ---- serialize --------------------------------------------------------------------------------------- */

/* The widths of a list's indices: as set by its stream; if no stream calls it, the smallest that fit. */
static mst_sfa_indices indices_of(const mst_sfa_block *block, const mst_sfa_call *call, unsigned list) {
    mst_sfa_indices indices = {.counts = {(unsigned)block->positions.count, (unsigned)block->colors.count,
                                          (unsigned)block->texcoords.count},
                               .texcoords = mst_sfa_block_list(block, list).texcoord_count,
                               .wide = call->wide};
    if (call->stream != MST_SFA_NOT_CALLED)
        return indices;
    for (mst_sfa_commands it = mst_sfa_list_commands(block, list); mst_sfa_next_command(&it);)
        for (unsigned i = 0; i < it.vertex_count; i++)
            for (unsigned k = 0; k < 2 + it.texcoord_count; k++)
                if (it.vertices[(size_t)i * it.stride + 2 * k])
                    indices.wide |= (uint8_t)(1u << (k < 2 ? k : 2));
    return indices;
}

static mst_status list_refused(mst_diagnostic *diagnostic, const mst_sfa_block *block, unsigned list,
                               const char *field, const char *message) {
    mst_sfa_fault(diagnostic, MST_REFUSED, "SFA-LIST", block->list_offsets[list], message);
    MST_SET(diagnostic->path, "lists[%u].%s", list, field);
    return MST_REFUSED;
}

/* Checks that the list would get the same form and texcoord_count if the block were read again. */
static mst_status check_form(const mst_sfa_block *block, const mst_sfa_list *from, const mst_sfa_call *call,
                             unsigned list, mst_diagnostic *diagnostic) {
    unsigned texcoords = mst_sfa_texcoords_of(call, &block->shaders);
    bool raw = from->form == 1;
    if (from->form > 1)
        return list_refused(diagnostic, block, list, "form", "form is neither 0 nor 1");
    if (raw && texcoords != MST_SFA_TEXCOORDS_UNKNOWN)
        return list_refused(diagnostic, block, list, "form",
                            "a list that a stream draws cannot be raw bytes");
    if (raw && from->count > 0xFFFF - 31)
        return list_refused(diagnostic, block, list, "data", "a list has at most 65504 bytes");
    if (raw || call->stream == MST_SFA_NOT_CALLED || from->texcoord_count == texcoords)
        return MST_OK;
    list_refused(diagnostic, block, list, "texcoord_count",
                 "texcoord_count does not match the list's shader");
    if (texcoords != MST_SFA_TEXCOORDS_UNKNOWN)
        MST_SET(diagnostic->expected, "%u", texcoords);
    MST_SET(diagnostic->found, "%u", from->texcoord_count);
    return MST_REFUSED;
}

/* Appends a list's data and fills in its record. */
static mst_status write_list(write_state *to, unsigned list, mst_diagnostic *diagnostic) {
    const mst_sfa_block *block = to->block;
    mst_sfa_list from = mst_sfa_block_list(block, list);
    mst_sfa_list_size size = {.used = from.count};
    mst_sfa_indices indices = {.wide = 0};
    mst_status status = check_form(block, &from, &to->calls[list], list, diagnostic);
    if (status == MST_OK && from.form == 0) {
        indices = indices_of(block, &to->calls[list], list);
        status = mst_sfa_list_serialize_measure(block, list, &indices, &size, diagnostic);
    }
    if (status != MST_OK)
        return status;
    uint32_t padded = aligned(size.used + size.zeros, 32), offset = written(to);
    uint8_t *data = grow(&to->w, padded);
    if (!data)
        return MST_NO_MEMORY;
    if (from.form == 0)
        mst_sfa_list_write(block, list, indices.wide, data);
    else if (from.count)
        memcpy(data, from.data, from.count);
    uint8_t *made = to->w.to->data + to->base + MST_SFA_BLOCK_HEADER + (size_t)list * MST_SFA_LIST_RECORD;
    mst_store32(made, offset, true);
    mst_store16(made + 4, (uint16_t)padded, true);
    memcpy(made + MST_SFA_LIST_RECORD - MST_SFA_LIST_FIELDS, from.record.data, MST_SFA_LIST_FIELDS);
    return MST_OK;
}

/* Appends an array and sets its offset and count in the header; `bytes` NULL: zeros, which are returned. */
static uint8_t *append(write_state *to, mst_sfa_array array, const uint8_t *bytes, size_t size,
                       uint64_t count) {
    const mst_sfa_array_layout *in = &mst_sfa_arrays[array];
    uint32_t offset = written(to);
    uint8_t *target = grow(&to->w, size);
    if (!target)
        return NULL;
    if (bytes && size)
        memcpy(target, bytes, size);
    uint8_t *header = to->w.to->data + to->base;
    bool may_be_absent = array >= MST_SFA_STREAM_0;
    mst_store32(header + in->offset, size || !may_be_absent ? offset : 0, true);
    mst_store(header + in->count, in->count_width, count, true);
    return target;
}

static void append_array(write_state *to, mst_sfa_array array, uint32_t alignment,
                         const mst_column *elements) {
    size_t more = array == MST_SFA_GROUPS && elements->data ? MST_SFA_GROUP : 0;
    align_to(to, alignment);
    append(to, array, elements->data, (size_t)elements->count * mst_sfa_arrays[array].element + more,
           elements->count);
}

static mst_status append_stream(write_state *to, unsigned i, uint32_t size) {
    align_to(to, 4);
    uint8_t *target = append(to, (mst_sfa_array)(MST_SFA_STREAM_0 + i), NULL, size, size);
    if (!target)
        return MST_NO_MEMORY;
    mst_sfa_stream_write(to->block, i, target);
    return MST_OK;
}

/* Writes the block with the order and the padding of the game's own blocks. */
static mst_status write_arrays(write_state *to, mst_diagnostic *diagnostic) {
    const mst_sfa_block *block = to->block;
    uint32_t stream_sizes[MST_SFA_STREAMS];
    mst_status status = MST_OK;
    for (unsigned i = 0; i < MST_SFA_STREAMS && status == MST_OK; i++)
        status = mst_sfa_stream_measure(block, i, &stream_sizes[i], diagnostic);
    if (status == MST_OK)
        status = mst_sfa_check_polygons(&block->polygons, &block->groups, block->positions.count,
                                        block->image, MST_REFUSED, diagnostic);
    if (status != MST_OK)
        return status;
    uint32_t lists = MST_SFA_BLOCK_HEADER + block->list_count * MST_SFA_LIST_RECORD;
    uint8_t *header = grow(&to->w, aligned(lists, 32));
    if (!header)
        return MST_NO_MEMORY;
    put_header(header, block->image);
    mst_store32(header + mst_sfa_arrays[MST_SFA_LISTS].offset, MST_SFA_BLOCK_HEADER, true);
    header[mst_sfa_arrays[MST_SFA_LISTS].count] = (uint8_t)block->list_count;
    for (unsigned i = 0; i < block->list_count && status == MST_OK; i++)
        status = write_list(to, i, diagnostic);
    append_array(to, MST_SFA_POSITIONS, 1, &block->positions);
    append_array(to, MST_SFA_COLORS, 4, &block->colors);
    append_array(to, MST_SFA_TEXCOORDS, 4, &block->texcoords);
    for (unsigned i = 0; i < MST_SFA_STREAMS && status == MST_OK; i++)
        if (stream_sizes[i])
            status = append_stream(to, i, stream_sizes[i]);
    append_array(to, MST_SFA_TEXTURES, 4, &block->textures);
    append_array(to, MST_SFA_SHADERS, 1, &block->shaders.all);
    append_array(to, MST_SFA_GROUPS, 1, &block->groups);
    append_array(to, MST_SFA_POLYGONS, 1, &block->polygons);
    align_to(to, 32);
    return status == MST_OK ? to->w.status : status;
}

static mst_status write_canonical(const mst_sfa_block *block, mst_sfa_call calls[256], mst_buffer *out,
                                  mst_diagnostic *diagnostic) {
    write_state to = {block, calls, {.to = out, .limit = UINT64_MAX}, out->size};
    mst_sfa_block_calls(block, calls);
    mst_status status = write_arrays(&to, diagnostic);
    if (status == MST_OK)
        mst_store32(out->data + to.base + 8, written(&to), true);
    return status;
}

/* Refuses blocks that the game cannot load. */
static mst_status check_limits(const mst_sfa_block *block, size_t size, mst_diagnostic *diagnostic) {
    bool large = size > MST_SFA_BLOCK_MAXIMUM;
    uint64_t shaders = block->shaders.all.count;
    if (!large && shaders <= 64)
        return MST_OK;
    mst_sfa_fault(diagnostic, MST_REFUSED, large ? "SFA-BLOCK-SIZE" : "SFA-SHADER-INDEX", MST_NO_OFFSET,
                  large ? "the block is larger than the game accepts"
                        : "a stream can select only 64 shaders");
    MST_SET(diagnostic->path, "%s", large ? "" : "shaders");
    MST_SET(diagnostic->expected, "at most %u", large ? MST_SFA_BLOCK_MAXIMUM : 64u);
    MST_SET(diagnostic->found, "%llu", (unsigned long long)(large ? size : shaders));
    return MST_REFUSED;
}

/* ---- into a copy of the original block ---------------------------------------------------------- */

/* Whether a list's commands, written into `size` bytes, would be read back the same. */
static bool list_fills(const mst_sfa_block *block, const mst_sfa_call *call, unsigned list, uint32_t size) {
    mst_sfa_list from = mst_sfa_block_list(block, list);
    if (from.form == 1)
        return from.count == size;
    mst_sfa_indices indices = indices_of(block, call, list);
    mst_sfa_list_size measured;
    mst_diagnostic ignored;
    mst_status status = mst_sfa_list_serialize_measure(block, list, &indices, &measured, &ignored);
    if (MST_UNREACHABLE(status != MST_OK)) /* writing the canonical block measured the same list */
        return false;
    uint32_t filled = aligned(measured.used, 32);
    return measured.used <= size && measured.zeros == (size > filled ? size - filled : 0);
}

static bool same_sizes(const mst_sfa_block *block, const mst_sfa_call calls[256], const mst_sfa_layout *made,
                       const mst_sfa_layout *original) {
    for (unsigned i = 0; i < MST_SFA_ARRAYS; i++)
        if (made->counts[i] != original->counts[i] || made->sizes[i] != original->sizes[i])
            return false;
    for (unsigned i = 0; i < block->list_count; i++)
        if (!list_fills(block, &calls[i], i, mst_sfa_data_size(block->original, original, i)))
            return false;
    return true;
}

/* Writes a piece of the block, or compares it with the written bytes. */
static bool put_piece(uint8_t *to, const uint8_t *from, uint32_t size, bool compare) {
    if (compare)
        return !size || memcmp(to, from, size) == 0;
    if (size)
        memcpy(to, from, size);
    return true;
}

/* Copies the canonical block's arrays to their original offsets. With `compare`: whether all of them are
 * intact there, which fails if arrays overlap. */
static bool put_pieces(const mst_sfa_block *block, const uint8_t *made, const mst_sfa_layout *from,
                       const mst_sfa_layout *to, uint8_t *bytes, bool compare) {
    if (MST_UNREACHABLE(!made)) /* it has at least a header */
        return false;
    if (!compare) /* no array overlaps the header */
        copy_header(bytes, made);
    for (unsigned i = MST_SFA_POSITIONS; i < MST_SFA_ARRAYS; i++)
        if (!put_piece(bytes + to->offsets[i], made + from->offsets[i], to->sizes[i], compare))
            return false;
    for (unsigned i = 0; i < block->list_count; i++) {
        size_t record = (size_t)i * MST_SFA_LIST_RECORD + MST_SFA_LIST_RECORD - MST_SFA_LIST_FIELDS;
        if (!put_piece(bytes + to->offsets[MST_SFA_LISTS] + record,
                       made + from->offsets[MST_SFA_LISTS] + record, MST_SFA_LIST_FIELDS, compare))
            return false;
        uint32_t offset = mst_sfa_data_offset(block->original, to, i);
        uint32_t size = mst_sfa_data_size(block->original, to, i);
        uint32_t made_size = mst_sfa_data_size(made, from, i);
        if (!put_piece(bytes + offset, made + mst_sfa_data_offset(made, from, i),
                       size < made_size ? size : made_size, compare))
            return false;
        for (uint32_t k = made_size; k < size; k++)
            if (compare && bytes[offset + k])
                return false;
            else if (!compare)
                bytes[offset + k] = 0;
    }
    /* an array may overlap the offsets and sizes in the list records */
    for (unsigned i = 0; compare && i < block->list_count; i++) {
        size_t record = to->offsets[MST_SFA_LISTS] + (size_t)i * MST_SFA_LIST_RECORD;
        if (memcmp(bytes + record, block->original + record, 6) != 0)
            return false;
    }
    return true;
}

/* The offset of the first byte outside all arrays that is not zero; the block's size if all are zero. */
static uint32_t gap_byte(const uint8_t *bytes, const mst_sfa_layout *layout) {
    mst_sfa_span gaps[MST_SFA_SPANS + 1];
    size_t count = mst_sfa_gaps(bytes, layout, gaps);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < gaps[i].size; k++)
            if (bytes[gaps[i].offset + k])
                return gaps[i].offset + k;
    return layout->size;
}

static mst_status original_refused(mst_diagnostic *diagnostic, const mst_sfa_block *block, const char *code,
                                   uint64_t at, const char *message) {
    mst_sfa_fault(diagnostic, MST_REFUSED, code, (uint64_t)(block->original - block->image) + at, message);
    MST_SET(diagnostic->path, "original");
    return MST_REFUSED;
}

/* Writes the block with its original layout; `made` is the canonical one. */
static mst_status write_original(const mst_sfa_block *block, const mst_sfa_call calls[256],
                                 const mst_buffer *made, mst_buffer *out, mst_diagnostic *diagnostic) {
    mst_sfa_layout from, to;
    mst_status status = mst_sfa_layout_read(made->data, made->size, &from, diagnostic);
    if (MST_UNREACHABLE(status != MST_OK)) /* it was written just before */
        return status;
    if (mst_sfa_layout_read(block->original, block->original_size, &to, diagnostic) != MST_OK)
        return original_refused(diagnostic, block, "SFA-BLOCK-HEADER", 0,
                                "the original bytes are not a block");
    bool same = same_sizes(block, calls, &from, &to);
    const uint8_t *bytes = same ? block->original : made->data;
    size_t size = same ? block->original_size : made->size;
    if (!same) {
        uint32_t gap = gap_byte(block->original, &to);
        if (gap < to.size)
            return original_refused(
                diagnostic, block, "SFA-BLOCK-OVERLAP", gap,
                "bytes between the arrays of the original block would be lost, as array sizes changed");
        status = check_limits(block, size, diagnostic);
        if (status != MST_OK)
            return status;
    }
    size_t base = out->size;
    status = put(out, bytes, size);
    if (status != MST_OK || !same)
        return status;
    put_pieces(block, made->data, &from, &to, out->data + base, false);
    if (put_pieces(block, made->data, &from, &to, out->data + base, true))
        return MST_OK;
    return original_refused(
        diagnostic, block, "SFA-BLOCK-OVERLAP", 0,
        "arrays of the original block overlap, and their shared bytes would need two values");
}

/* Checks the fields that must be 0 or 1. */
static mst_status check_bools(const mst_sfa_block *block, mst_diagnostic *diagnostic) {
    const struct {
        const char *path;
        const uint8_t *field;
    } bools[] = {{"form", block->image},
                 {"streams[0].present", block->streams[0].present_byte},
                 {"streams[1].present", block->streams[1].present_byte},
                 {"streams[2].present", block->streams[2].present_byte},
                 {"has_polygon_groups", block->has_groups}};
    for (size_t i = 0; i < MST_COUNT_OF(bools); i++) {
        if (*bools[i].field <= 1)
            continue;
        mst_sfa_fault(diagnostic, MST_REFUSED, "SFA-BLOCK-HEADER", (uint64_t)(bools[i].field - block->image),
                      "the value is neither 0 nor 1");
        MST_SET(diagnostic->path, "%s", bools[i].path);
        MST_SET(diagnostic->expected, "0 or 1");
        MST_SET(diagnostic->found, "%u", *bools[i].field);
        return MST_REFUSED;
    }
    return MST_OK;
}

/* State of serializing: too large for the stack at this call depth. */
typedef struct serialize_state {
    mst_sfa_block block;
    mst_sfa_call calls[256];
    mst_diagnostic ignored;
} serialize_state;

static mst_status serialize(serialize_state *f, mst_buffer *bytes, mst_diagnostic *diagnostic) {
    const mst_sfa_block *block = &f->block;
    if (block->raw) {
        return put(bytes, block->raw_bytes, block->raw_size);
    }
    size_t base = bytes->size;
    mst_buffer made = {.allocator = bytes->allocator};
    mst_buffer *canonical = block->original_size ? &made : bytes;
    mst_status status = check_bools(block, diagnostic);
    if (status == MST_OK)
        status = write_canonical(block, f->calls, canonical, diagnostic);
    if (status == MST_OK && block->original_size)
        status = write_original(block, f->calls, &made, bytes, diagnostic);
    else if (status == MST_OK)
        status = check_limits(block, bytes->size - base, diagnostic);
    if (status != MST_OK)
        bytes->size = base;
    mst_buffer_free(&made);
    return status;
}

mst_status mst_sfa_block_serialize(const uint8_t *image, size_t size, mst_buffer *bytes,
                                   mst_diagnostic *diagnostic) {
    mst_allocator allocator = mst_allocator_or_default(&bytes->allocator);
    serialize_state *f = allocator.resize(allocator.user, NULL, 0, sizeof *f);
    if (!f)
        return mst_sfa_no_memory(diagnostic);
    mst_diagnostic *why = diagnostic ? diagnostic : &f->ignored;
    mst_status status = MST_OK;
    if (mst_sfa_block_view(image, size, &f->block) != MST_OK)
        status = mst_sfa_fault(why, MST_REFUSED, "SFA-BLOCK-HEADER", MST_NO_OFFSET,
                               "the values do not form a block");
    else
        status = serialize(f, bytes, why);
    allocator.resize(allocator.user, f, sizeof *f, 0);
    return status == MST_NO_MEMORY ? mst_sfa_no_memory(diagnostic) : status;
}
