/* SPDX-License-Identifier: MIT */
/* Converts images to blocks. */
#include "../../../codec/reserve.h"
#include "../../../core/unreachable.h"
#include "parts.h"
#include <stdlib.h>

/* Appends zeros; NULL if out of memory. */
static uint8_t *grow(mst_buffer *buffer, size_t size) {
    uint8_t *target = mst_sfa_reserve(buffer, size);
    if (target) {
        memset(target, 0, size);
        buffer->size += size;
    }
    return target;
}

static uint32_t aligned(uint32_t value, uint32_t to) {
    return (value + to - 1) / to * to;
}

/* ---- serialize --------------------------------------------------------------------------------------- */

/* The widths of a list's indices: those that its stream sets; if no stream calls it, the smallest that fit.
 */
static mst_sfa_indices indices_of(const mst_sfa_block *block, const mst_sfa_call *call, unsigned list) {
    mst_sfa_indices indices = {.counts = {block->position_count, block->color_count, block->texcoord_count},
                               .texcoords = block->image[block->list_offsets[list] + MST_SFA_LIST_TEXCOORDS],
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
    if (diagnostic)
        MST_SET(diagnostic->path, "lists[%u].%s", list, field);
    return MST_REFUSED;
}

/* Checks that the list would get the same form and texcoord_count if the block were read again. */
static mst_status check_form(const mst_sfa_block *block, const mst_sfa_call *call, unsigned list,
                             mst_diagnostic *diagnostic) {
    const uint8_t *record = block->image + block->list_offsets[list];
    unsigned texcoords = mst_sfa_texcoords_of(call, block->shaders, block->shader_count);
    bool raw = record[MST_SFA_LIST_FORM] == 1;
    if (record[MST_SFA_LIST_FORM] > 1)
        return list_refused(diagnostic, block, list, "form", "form is neither 0 nor 1");
    if (raw && texcoords != MST_SFA_TEXCOORDS_UNKNOWN)
        return list_refused(diagnostic, block, list, "form",
                            "a list that a stream draws cannot be raw bytes");
    if (raw || call->stream == MST_SFA_NOT_CALLED || record[MST_SFA_LIST_TEXCOORDS] == texcoords)
        return MST_OK;
    list_refused(diagnostic, block, list, "texcoord_count",
                 "texcoord_count is not that of the list's shader");
    if (diagnostic) {
        if (texcoords != MST_SFA_TEXCOORDS_UNKNOWN)
            MST_SET(diagnostic->expected, "%u", texcoords);
        MST_SET(diagnostic->found, "%u", record[MST_SFA_LIST_TEXCOORDS]);
    }
    return MST_REFUSED;
}

/* The size of a list's data, and the widths of its indices. */
static mst_status measure_list(const mst_sfa_block *block, const mst_sfa_call *call, unsigned list,
                               uint32_t *size, mst_sfa_indices *indices, mst_diagnostic *diagnostic) {
    const uint8_t *record = block->image + block->list_offsets[list];
    mst_status status = check_form(block, call, list, diagnostic);
    if (status != MST_OK)
        return status;
    if (record[MST_SFA_LIST_FORM] == 1) {
        *size = mst_load32(record + MST_SFA_LIST_FORM + 1, true);
        if (*size > 0xFFFF - 31)
            return list_refused(diagnostic, block, list, "data", "a list takes at most 65504 bytes");
        return MST_OK;
    }
    mst_sfa_list_size measured;
    *indices = indices_of(block, call, list);
    status = mst_sfa_list_serialize_measure(block, list, indices, &measured, diagnostic);
    *size = measured.used + measured.zeros;
    return status;
}

/* Appends a list's data and fills in its record. */
static mst_status write_list(const mst_sfa_block *block, const mst_sfa_call *call, unsigned list,
                             mst_buffer *out, size_t base, mst_diagnostic *diagnostic) {
    const uint8_t *record = block->image + block->list_offsets[list];
    uint32_t size;
    mst_sfa_indices indices = {.wide = 0};
    bool raw = record[MST_SFA_LIST_FORM] == 1;
    mst_status status = measure_list(block, call, list, &size, &indices, diagnostic);
    if (status != MST_OK)
        return status;
    uint32_t padded = aligned(size, 32), offset = (uint32_t)(out->size - base);
    uint8_t *data = grow(out, padded);
    if (!data)
        return mst_sfa_no_memory(diagnostic);
    if (!raw)
        mst_sfa_list_write(block, list, indices.wide, data);
    else if (size)
        memcpy(data, record + MST_SFA_LIST_FORM + 5, size);
    uint8_t *made = out->data + base + MST_SFA_BLOCK_HEADER + (size_t)list * MST_SFA_LIST_RECORD;
    mst_store32(made, offset, true);
    mst_store16(made + 4, (uint16_t)padded, true);
    memcpy(made + 6, record, MST_SFA_LIST_FORM);
    return MST_OK;
}

static mst_status align_to(mst_buffer *out, size_t base, uint32_t to) {
    uint32_t size = (uint32_t)(out->size - base);
    return grow(out, aligned(size, to) - size) ? MST_OK : MST_NO_MEMORY;
}

/* Appends an array and sets its offset and count in the header; `bytes` NULL: zeros. */
static mst_status append(mst_buffer *out, size_t base, mst_sfa_array array, const uint8_t *bytes, size_t size,
                         unsigned count) {
    uint32_t offset = (uint32_t)(out->size - base);
    uint8_t *target = grow(out, size);
    if (!target)
        return MST_NO_MEMORY;
    if (bytes && size)
        memcpy(target, bytes, size);
    uint8_t *header = out->data + base;
    bool may_be_absent = array >= MST_SFA_STREAM_0;
    mst_store32(header + mst_sfa_arrays[array].offset, size || !may_be_absent ? offset : 0, true);
    mst_store(header + mst_sfa_arrays[array].count, mst_sfa_arrays[array].count_width, count, true);
    return MST_OK;
}

static mst_status append_streams(const mst_sfa_block *block, const uint32_t sizes[MST_SFA_STREAMS],
                                 mst_buffer *out, size_t base) {
    mst_status status = MST_OK;
    for (unsigned i = 0; i < MST_SFA_STREAMS && status == MST_OK; i++) {
        if (!sizes[i])
            continue;
        status = align_to(out, base, 4);
        if (status == MST_OK)
            status = append(out, base, (mst_sfa_array)(MST_SFA_STREAM_0 + i), NULL, sizes[i], sizes[i]);
        if (status == MST_OK)
            mst_sfa_stream_write(block, i, out->data + out->size - sizes[i]);
    }
    return status;
}

static mst_status append_arrays(const mst_sfa_block *block, const uint32_t stream_sizes[MST_SFA_STREAMS],
                                mst_buffer *out, size_t base) {
    const struct {
        mst_sfa_array array;
        uint8_t align;
        const uint8_t *bytes;
        unsigned count, more;
    } rest[] = {{MST_SFA_POSITIONS, 1, block->positions, block->position_count, 0},
                {MST_SFA_COLORS, 4, block->colors, block->color_count, 0},
                {MST_SFA_TEXCOORDS, 4, block->texcoords, block->texcoord_count, 0},
                {MST_SFA_TEXTURES, 4, block->textures, block->texture_count, 0},
                {MST_SFA_SHADERS, 1, block->shaders, block->shader_count, 0},
                {MST_SFA_GROUPS, 1, block->groups, block->group_count, block->groups ? 1 : 0},
                {MST_SFA_POLYGONS, 1, block->polygons, block->polygon_count, 0}};
    mst_status status = MST_OK;
    for (size_t i = 0; i < MST_COUNT_OF(rest) && status == MST_OK; i++) {
        if (rest[i].array == MST_SFA_TEXTURES)
            status = append_streams(block, stream_sizes, out, base);
        if (status == MST_OK)
            status = align_to(out, base, rest[i].align);
        if (status == MST_OK)
            status = append(out, base, rest[i].array, rest[i].bytes,
                            ((size_t)rest[i].count + rest[i].more) * mst_sfa_arrays[rest[i].array].element,
                            rest[i].count);
    }
    return status == MST_OK ? align_to(out, base, 32) : status;
}

/* Writes the block with the order and the padding of the game's own blocks. */
static mst_status write_canonical(const mst_sfa_block *block, mst_sfa_call calls[256], mst_buffer *out,
                                  mst_diagnostic *diagnostic) {
    size_t base = out->size;
    uint32_t stream_sizes[MST_SFA_STREAMS];
    mst_status status = MST_OK;
    for (unsigned i = 0; i < MST_SFA_STREAMS && status == MST_OK; i++)
        status = mst_sfa_stream_measure(block, i, &stream_sizes[i], diagnostic);
    if (status == MST_OK)
        status =
            mst_sfa_check_polygons(block->polygons, block->polygon_count, block->groups, block->group_count,
                                   block->position_count, block->image, MST_REFUSED, diagnostic);
    if (status != MST_OK)
        return status;
    mst_sfa_block_calls(block, calls);
    uint8_t *header = grow(out, aligned(MST_SFA_BLOCK_HEADER + block->list_count * MST_SFA_LIST_RECORD, 32));
    if (!header)
        return mst_sfa_no_memory(diagnostic);
    for (size_t i = 0; i < MST_SFA_HEADER_FIELDS; i++)
        memcpy(header + mst_sfa_header_fields[i].block, block->image + mst_sfa_header_fields[i].image,
               mst_sfa_header_fields[i].size);
    mst_store32(header + mst_sfa_arrays[MST_SFA_LISTS].offset, MST_SFA_BLOCK_HEADER, true);
    header[mst_sfa_arrays[MST_SFA_LISTS].count] = (uint8_t)block->list_count;
    for (unsigned i = 0; i < block->list_count && status == MST_OK; i++)
        status = write_list(block, &calls[i], i, out, base, diagnostic);
    if (status == MST_OK && append_arrays(block, stream_sizes, out, base) != MST_OK)
        status = mst_sfa_no_memory(diagnostic);
    if (status != MST_OK) {
        out->size = base;
        return status;
    }
    mst_store32(out->data + base + 8, (uint32_t)(out->size - base), true);
    return MST_OK;
}

/* Refuses what the game cannot load. */
static mst_status check_limits(const mst_sfa_block *block, size_t size, mst_diagnostic *diagnostic) {
    bool large = size > MST_SFA_BLOCK_MAXIMUM;
    if (!large && block->shader_count <= 64)
        return MST_OK;
    mst_sfa_fault(diagnostic, MST_REFUSED, large ? "SFA-BLOCK-SIZE" : "SFA-SHADER-INDEX", MST_NO_OFFSET,
                  large ? "the block is larger than the game accepts"
                        : "a stream can select only 64 shaders");
    if (diagnostic) {
        MST_SET(diagnostic->path, "%s", large ? "" : "shaders");
        MST_SET(diagnostic->expected, "at most %u", large ? MST_SFA_BLOCK_MAXIMUM : 64u);
        MST_SET(diagnostic->found, "%llu", (unsigned long long)(large ? size : block->shader_count));
    }
    return MST_REFUSED;
}

mst_status mst_sfa_block_measure(const mst_sfa_block *block, const mst_sfa_call calls[256], uint64_t *size,
                                 mst_diagnostic *diagnostic) {
    uint64_t all = aligned(MST_SFA_BLOCK_HEADER + block->list_count * MST_SFA_LIST_RECORD, 32);
    mst_status status =
        mst_sfa_check_polygons(block->polygons, block->polygon_count, block->groups, block->group_count,
                               block->position_count, block->image, MST_REFUSED, diagnostic);
    uint64_t streams = 0;
    for (unsigned i = 0; i < MST_SFA_STREAMS && status == MST_OK; i++) {
        uint32_t one = 0;
        status = mst_sfa_stream_measure(block, i, &one, diagnostic);
        streams += aligned(one, 4);
    }
    for (unsigned i = 0; i < block->list_count && status == MST_OK; i++) {
        uint32_t one = 0;
        status = measure_list(block, &calls[i], i, &one, &(mst_sfa_indices){.wide = 0}, diagnostic);
        all += aligned(one, 32);
    }
    all = (all + 6 * (uint64_t)block->position_count + 3) / 4 * 4;
    all = (all + 2 * (uint64_t)block->color_count + 3) / 4 * 4;
    all += 4 * ((uint64_t)block->texcoord_count + block->texture_count) + streams +
           (uint64_t)block->shader_count * MST_SFA_SHADER +
           (block->groups ? (uint64_t)block->group_count + 1 : 0) * MST_SFA_GROUP +
           (uint64_t)block->polygon_count * MST_SFA_POLYGON;
    *size = (all + 31) / 32 * 32;
    return status;
}

/* ---- into a copy of the original block ---------------------------------------------------------- */

/* Whether a list's commands, written into `size` bytes, would be read back the same. */
static bool list_fills(const mst_sfa_block *block, const mst_sfa_call *call, unsigned list, uint32_t size) {
    const uint8_t *record = block->image + block->list_offsets[list];
    if (record[MST_SFA_LIST_FORM] == 1)
        return mst_load32(record + MST_SFA_LIST_FORM + 1, true) == size;
    mst_sfa_indices indices = indices_of(block, call, list);
    mst_sfa_list_size measured;
    mst_status status = mst_sfa_list_serialize_measure(block, list, &indices, &measured, NULL);
    if (MST_UNREACHABLE(status != MST_OK)) /* writing the canonical block has measured the same list */
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

/* Writes a piece of the block, or compares it with what has been written. */
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
    for (size_t i = 0; i < MST_SFA_HEADER_FIELDS && !compare; i++) /* no array overlaps the header */
        memcpy(bytes + mst_sfa_header_fields[i].block, made + mst_sfa_header_fields[i].block,
               mst_sfa_header_fields[i].size);
    for (unsigned i = MST_SFA_POSITIONS; i < MST_SFA_ARRAYS; i++)
        if (!put_piece(bytes + to->offsets[i], made + from->offsets[i], to->sizes[i], compare))
            return false;
    for (unsigned i = 0; i < block->list_count; i++) {
        size_t record = (size_t)i * MST_SFA_LIST_RECORD + 6;
        if (!put_piece(bytes + to->offsets[MST_SFA_LISTS] + record,
                       made + from->offsets[MST_SFA_LISTS] + record, MST_SFA_LIST_RECORD - 6, compare))
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

static int compare_spans(const void *a, const void *b) {
    const mst_sfa_span *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The offset of the first byte outside all arrays that is not zero; the block's size if all are zero. */
static uint32_t gap_byte(const uint8_t *bytes, const mst_sfa_layout *layout) {
    mst_sfa_span spans[MST_SFA_SPANS];
    size_t count = mst_sfa_spans(bytes, layout, spans);
    qsort(spans, count, sizeof *spans, compare_spans);
    uint32_t at = MST_SFA_BLOCK_HEADER;
    for (size_t i = 0; i <= count; i++) {
        uint32_t end = i < count ? spans[i].offset : layout->size;
        for (; at < end; at++)
            if (bytes[at])
                return at;
        if (i < count && spans[i].offset + spans[i].size > at)
            at = spans[i].offset + spans[i].size;
    }
    return layout->size;
}

static mst_status original_refused(mst_diagnostic *diagnostic, const mst_sfa_block *block, const char *code,
                                   uint64_t at, const char *message) {
    mst_sfa_fault(diagnostic, MST_REFUSED, code, (uint64_t)(block->original - block->image) + at, message);
    if (diagnostic)
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
    if (mst_sfa_layout_read(block->original, block->original_size, &to, NULL) != MST_OK)
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
    uint8_t *target = mst_sfa_reserve(out, size);
    if (!target)
        return mst_sfa_no_memory(diagnostic);
    memcpy(target, bytes, size);
    if (same) {
        put_pieces(block, made->data, &from, &to, target, false);
        if (!put_pieces(block, made->data, &from, &to, target, true))
            return original_refused(
                diagnostic, block, "SFA-BLOCK-OVERLAP", 0,
                "arrays of the original block overlap, and their shared bytes would need two values");
    }
    out->size += size;
    return MST_OK;
}

/* Checks the fields that must be 0 or 1. */
static mst_status check_bools(const mst_sfa_block *block, mst_diagnostic *diagnostic) {
    const uint8_t *after_shaders = block->shaders + (size_t)block->shader_count * MST_SFA_SHADER;
    const char *path = NULL;
    const uint8_t *field = block->image;
    if (*field > 1)
        path = "form";
    for (unsigned i = 0; i < MST_SFA_STREAMS && !path; i++) {
        static const char *const paths[] = {"streams[0].present", "streams[1].present", "streams[2].present"};
        field = block->streams[i].present_byte;
        if (*field > 1)
            path = paths[i];
    }
    if (!path && *after_shaders > 1) {
        path = "has_polygon_groups";
        field = after_shaders;
    }
    if (!path)
        return MST_OK;
    mst_sfa_fault(diagnostic, MST_REFUSED, "SFA-BLOCK-HEADER", (uint64_t)(field - block->image),
                  "the value is neither 0 nor 1");
    if (diagnostic) {
        MST_SET(diagnostic->path, "%s", path);
        MST_SET(diagnostic->expected, "0 or 1");
        MST_SET(diagnostic->found, "%u", *field);
    }
    return MST_REFUSED;
}

/* State of serializing: too large for the stack at this call depth. */
typedef struct serializing {
    mst_sfa_block block;
    mst_sfa_call calls[256];
} serializing;

static mst_status serialize(serializing *f, mst_buffer *bytes, mst_diagnostic *diagnostic) {
    const mst_sfa_block *block = &f->block;
    if (block->raw) {
        uint8_t *target = mst_sfa_reserve(bytes, block->raw_size);
        if (!target)
            return mst_sfa_no_memory(diagnostic);
        if (block->raw_size)
            memcpy(target, block->raw_bytes, block->raw_size);
        bytes->size += block->raw_size;
        return MST_OK;
    }
    mst_status status = check_bools(block, diagnostic);
    if (status != MST_OK)
        return status;
    size_t base = bytes->size;
    if (!block->original_size) {
        status = write_canonical(block, f->calls, bytes, diagnostic);
        if (status == MST_OK)
            status = check_limits(block, bytes->size - base, diagnostic);
        if (status != MST_OK)
            bytes->size = base;
        return status;
    }
    mst_buffer made = {.allocator = bytes->allocator};
    status = write_canonical(block, f->calls, &made, diagnostic);
    if (status == MST_OK)
        status = write_original(block, f->calls, &made, bytes, diagnostic);
    mst_buffer_free(&made);
    return status;
}

mst_status mst_sfa_block_serialize(const uint8_t *image, size_t size, mst_buffer *bytes,
                                   mst_diagnostic *diagnostic) {
    mst_allocator allocator = mst_allocator_or_default(&bytes->allocator);
    serializing *f = allocator.resize(allocator.user, NULL, 0, sizeof *f);
    if (!f)
        return mst_sfa_no_memory(diagnostic);
    mst_status status = MST_OK;
    if (mst_sfa_block_view(image, size, &f->block) != MST_OK)
        status = mst_sfa_fault(diagnostic, MST_REFUSED, "SFA-BLOCK-HEADER", MST_NO_OFFSET,
                               "the values do not form a block");
    else
        status = serialize(f, bytes, diagnostic);
    allocator.resize(allocator.user, f, sizeof *f, 0);
    return status;
}
