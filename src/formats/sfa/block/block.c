/* SPDX-License-Identifier: MIT */
/* Converts blocks to images and back. */
#include "../../../codec/reserve.h"
#include "../../../core/unreachable.h"
#include "parts.h"
#include <stdlib.h>

mst_status mst_sfa_fault(mst_diagnostic *diagnostic, mst_status status, const char *code, uint64_t offset,
                         const char *message) {
    mst_fail(diagnostic, status, "%s", message);
    if (diagnostic) {
        MST_SET(diagnostic->code, "%s", code);
        diagnostic->offset = offset;
    }
    return status;
}

uint8_t *mst_sfa_capacity(mst_buffer *buffer, size_t size) {
    /* at least 1, so that size 0 gives a pointer, too */
    return mst_buffer_reserve(buffer, size ? size : 1) ? buffer->data + buffer->size : NULL;
}

/* Appends zeros; NULL if out of memory. */
static uint8_t *grow(mst_buffer *buffer, size_t size) {
    uint8_t *target = mst_sfa_capacity(buffer, size);
    if (target) {
        memset(target, 0, size);
        buffer->size += size;
    }
    return target;
}

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "out of memory while converting a block");
}

static uint32_t aligned(uint32_t value, uint32_t to) {
    return (value + to - 1) / to * to;
}

/* ---- layout ------------------------------------------------------------------------------------- */

/* Where the header has an array's offset and count, and the size of an element. */
static const struct {
    const char *name;
    uint8_t offset, count, count_width, element;
} arrays[MST_SFA_ARRAYS] = {
    [MST_SFA_LISTS] = {"lists", 0x68, 0xA1, 1, MST_SFA_LIST_RECORD},
    [MST_SFA_POSITIONS] = {"positions", 0x58, 0x90, 2, 6},
    [MST_SFA_COLORS] = {"colors", 0x5C, 0x94, 2, 2},
    [MST_SFA_TEXCOORDS] = {"texcoords", 0x60, 0x96, 2, 4},
    [MST_SFA_STREAM_0] = {"streams[0]", 0x78, 0x84, 2, 1},
    [MST_SFA_STREAM_1] = {"streams[1]", 0x7C, 0x86, 2, 1},
    [MST_SFA_STREAM_2] = {"streams[2]", 0x80, 0x88, 2, 1},
    [MST_SFA_TEXTURES] = {"textures", 0x54, 0xA0, 1, 4},
    [MST_SFA_SHADERS] = {"shaders", 0x64, 0xA2, 1, MST_SFA_SHADER},
    [MST_SFA_GROUPS] = {"polygon_groups", 0x50, 0x9A, 2, MST_SFA_GROUP},
    [MST_SFA_POLYGONS] = {"polygons", 0x4C, 0x98, 2, MST_SFA_POLYGON},
};

/* Header fields that are copied to and from the image: offset in the block, offset in the image, size. */
static const struct {
    uint8_t block, image, size;
} header_fields[] = {{0x00, 1, 4},  {0x04, 5, 4},  {0x0C, 9, 64}, {0x6C, 73, 12}, {0x8A, 85, 6},
                     {0x92, 91, 2}, {0x9C, 93, 4}, {0xA3, 97, 1}, {0xA4, 98, 20}};

static mst_status offset_fault(mst_diagnostic *diagnostic, uint64_t at, uint64_t offset, uint64_t length,
                               size_t size) {
    mst_sfa_fault(diagnostic, MST_DAMAGED, "SFA-BLOCK-OFFSET", at, "the array lies outside the block");
    if (diagnostic) {
        diagnostic->length = 4;
        MST_SET(diagnostic->expected, "%llu bytes from 0xB8 to 0x%llX", (unsigned long long)length,
                (unsigned long long)size);
        MST_SET(diagnostic->found, "0x%llX", (unsigned long long)offset);
    }
    return MST_DAMAGED;
}

static mst_status read_list_records(const uint8_t *bytes, size_t size, const mst_sfa_layout *layout,
                                    mst_diagnostic *diagnostic) {
    for (unsigned i = 0; i < layout->counts[MST_SFA_LISTS]; i++) {
        uint32_t offset = mst_sfa_data_offset(bytes, layout, i), length = mst_sfa_data_size(bytes, layout, i);
        if (!length || (offset >= MST_SFA_BLOCK_HEADER && mst_fits(offset, length, size)))
            continue;
        offset_fault(diagnostic, layout->offsets[MST_SFA_LISTS] + (uint64_t)i * MST_SFA_LIST_RECORD, offset,
                     length, size);
        if (diagnostic)
            MST_SET(diagnostic->path, "lists[%u].commands", i);
        return MST_DAMAGED;
    }
    return MST_OK;
}

mst_status mst_sfa_layout_read(const uint8_t *bytes, size_t size, mst_sfa_layout *layout,
                               mst_diagnostic *diagnostic) {
    uint32_t stored = size >= MST_SFA_BLOCK_HEADER ? mst_load32(bytes + 8, true) : 0;
    if (size < MST_SFA_BLOCK_HEADER || stored != size) {
        mst_sfa_fault(diagnostic, MST_DAMAGED, "SFA-BLOCK-HEADER", size < MST_SFA_BLOCK_HEADER ? 0 : 8,
                      size < MST_SFA_BLOCK_HEADER ? "the block is shorter than its header"
                                                  : "the size in the header is not that of the block");
        if (diagnostic && size < MST_SFA_BLOCK_HEADER) {
            MST_SET(diagnostic->expected, "at least %d bytes", MST_SFA_BLOCK_HEADER);
            MST_SET(diagnostic->found, "%llu", (unsigned long long)size);
        } else if (diagnostic) {
            diagnostic->length = 4;
            MST_SET(diagnostic->expected, "%llu", (unsigned long long)size);
            MST_SET(diagnostic->found, "%u", (unsigned)stored);
        }
        return MST_DAMAGED;
    }
    memset(layout, 0, sizeof *layout);
    layout->size = stored;
    for (unsigned i = 0; i < MST_SFA_ARRAYS; i++) {
        uint32_t offset = mst_load32(bytes + arrays[i].offset, true);
        uint32_t count = (uint32_t)mst_load(bytes + arrays[i].count, arrays[i].count_width, true);
        bool is_stream = i >= MST_SFA_STREAM_0 && i <= MST_SFA_STREAM_2;
        if (is_stream && (!offset || !count)) /* absent */
            continue;
        layout->offsets[i] = offset;
        layout->counts[i] = count;
        uint64_t length = (uint64_t)count * arrays[i].element;
        if (!offset && !count)
            continue;
        bool fits = offset >= MST_SFA_BLOCK_HEADER && mst_fits(offset, length, size);
        if (i == MST_SFA_GROUPS && fits && !mst_fits(offset, length + MST_SFA_GROUP, size)) {
            mst_sfa_fault(diagnostic, MST_DAMAGED, "SFA-BLOCK-COUNT", offset + length,
                          "the sentinel after the polygon groups lies outside the block");
            if (diagnostic)
                MST_SET(diagnostic->path, "polygon_sentinel");
            return MST_DAMAGED;
        }
        if (!fits) {
            offset_fault(diagnostic, arrays[i].offset, offset, length, size);
            if (diagnostic)
                MST_SET(diagnostic->path, "%s", arrays[i].name);
            return MST_DAMAGED;
        }
        layout->sizes[i] = (uint32_t)length + (i == MST_SFA_GROUPS ? MST_SFA_GROUP : 0);
    }
    return read_list_records(bytes, size, layout, diagnostic);
}

size_t mst_sfa_spans(const uint8_t *bytes, const mst_sfa_layout *layout, mst_sfa_span spans[MST_SFA_SPANS]) {
    size_t count = 0;
    for (unsigned i = 0; i < MST_SFA_ARRAYS; i++) {
        if (layout->sizes[i])
            spans[count++] = (mst_sfa_span){layout->offsets[i], layout->sizes[i]};
        for (unsigned k = 0; i == MST_SFA_LISTS && k < layout->counts[i]; k++)
            if (mst_sfa_data_size(bytes, layout, k))
                spans[count++] = (mst_sfa_span){mst_sfa_data_offset(bytes, layout, k),
                                                mst_sfa_data_size(bytes, layout, k)};
    }
    return count;
}

static mst_status polygon_fault(mst_diagnostic *diagnostic, mst_status status, uint64_t offset,
                                unsigned polygon, unsigned vertex, unsigned limit, unsigned found) {
    mst_sfa_fault(diagnostic, status, "SFA-BLOCK-COUNT", offset, "the block has no such position");
    if (diagnostic) {
        diagnostic->length = 2;
        MST_SET(diagnostic->path, "polygons[%u].vertices[%u]", polygon, vertex);
        MST_SET(diagnostic->expected, "below %u", limit);
        MST_SET(diagnostic->found, "%u", found);
    }
    return status;
}

/* Checks that polygons refer to existing positions and that the sentinel group gives the number of polygons.
 * Offsets in diagnostics count from `origin`. */
static mst_status check_polygons(const uint8_t *polygons, unsigned count, const uint8_t *groups,
                                 unsigned group_count, unsigned positions, const uint8_t *origin,
                                 mst_status status, mst_diagnostic *diagnostic) {
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 3; k++) {
            const uint8_t *p = polygons + (size_t)i * MST_SFA_POLYGON + 2 * k;
            if (mst_load16(p, true) >= positions)
                return polygon_fault(diagnostic, status, (uint64_t)(p - origin), i, k, positions,
                                     mst_load16(p, true));
        }
    const uint8_t *sentinel = groups ? groups + (size_t)group_count * MST_SFA_GROUP : NULL;
    if (!sentinel || mst_load16(sentinel, true) == count)
        return MST_OK;
    mst_sfa_fault(diagnostic, status, "SFA-BLOCK-COUNT", (uint64_t)(sentinel - origin),
                  "the sentinel after the polygon groups does not give the number of polygons");
    if (diagnostic) {
        diagnostic->length = 2;
        MST_SET(diagnostic->path, "polygon_sentinel.first_polygon");
        MST_SET(diagnostic->expected, "%u", count);
        MST_SET(diagnostic->found, "%u", mst_load16(sentinel, true));
    }
    return status;
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
        return no_memory(diagnostic);
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
    mst_store32(header + arrays[array].offset, size || !may_be_absent ? offset : 0, true);
    mst_store(header + arrays[array].count, arrays[array].count_width, count, true);
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
            status =
                append(out, base, rest[i].array, rest[i].bytes,
                       ((size_t)rest[i].count + rest[i].more) * arrays[rest[i].array].element, rest[i].count);
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
        status = check_polygons(block->polygons, block->polygon_count, block->groups, block->group_count,
                                block->position_count, block->image, MST_REFUSED, diagnostic);
    if (status != MST_OK)
        return status;
    mst_sfa_block_calls(block, calls);
    uint8_t *header = grow(out, aligned(MST_SFA_BLOCK_HEADER + block->list_count * MST_SFA_LIST_RECORD, 32));
    if (!header)
        return no_memory(diagnostic);
    for (size_t i = 0; i < MST_COUNT_OF(header_fields); i++)
        memcpy(header + header_fields[i].block, block->image + header_fields[i].image, header_fields[i].size);
    mst_store32(header + arrays[MST_SFA_LISTS].offset, MST_SFA_BLOCK_HEADER, true);
    header[arrays[MST_SFA_LISTS].count] = (uint8_t)block->list_count;
    for (unsigned i = 0; i < block->list_count && status == MST_OK; i++)
        status = write_list(block, &calls[i], i, out, base, diagnostic);
    if (status == MST_OK && append_arrays(block, stream_sizes, out, base) != MST_OK)
        status = no_memory(diagnostic);
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
        check_polygons(block->polygons, block->polygon_count, block->groups, block->group_count,
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
    for (size_t i = 0; i < MST_COUNT_OF(header_fields) && !compare; i++) /* no array overlaps the header */
        memcpy(bytes + header_fields[i].block, made + header_fields[i].block, header_fields[i].size);
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
    uint8_t *target = mst_sfa_capacity(out, size);
    if (!target)
        return no_memory(diagnostic);
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
        uint8_t *target = mst_sfa_capacity(bytes, block->raw_size);
        if (!target)
            return no_memory(diagnostic);
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
        return no_memory(diagnostic);
    mst_status status = MST_OK;
    if (mst_sfa_block_view(image, size, &f->block) != MST_OK)
        status = mst_sfa_fault(diagnostic, MST_REFUSED, "SFA-BLOCK-HEADER", MST_NO_OFFSET,
                               "the values do not form a block");
    else
        status = serialize(f, bytes, diagnostic);
    allocator.resize(allocator.user, f, sizeof *f, 0);
    return status;
}

/* ---- parse ------------------------------------------------------------------------------------- */

typedef struct parsing {
    const uint8_t *bytes;
    mst_sfa_layout layout;
    mst_sfa_call calls[256];
    uint64_t size; /* of the image, up to `original` */
} parsing;

static bool has_groups(const mst_sfa_layout *layout) {
    return layout->sizes[MST_SFA_GROUPS] != 0;
}

static mst_sfa_indices indices_in(const parsing *u, unsigned list) {
    return (mst_sfa_indices){.counts = {u->layout.counts[MST_SFA_POSITIONS], u->layout.counts[MST_SFA_COLORS],
                                        u->layout.counts[MST_SFA_TEXCOORDS]},
                             .texcoords = mst_sfa_texcoords_of(&u->calls[list],
                                                               u->bytes + u->layout.offsets[MST_SFA_SHADERS],
                                                               u->layout.counts[MST_SFA_SHADERS]),
                             .wide = u->calls[list].wide};
}

/* Overlapping arrays could make the image many times as large as the block, hence a limit. */
static mst_status add_size(parsing *u, uint64_t size, mst_diagnostic *diagnostic) {
    u->size += size;
    if (u->size <= (uint64_t)u->layout.size * 7)
        return MST_OK;
    return mst_sfa_fault(diagnostic, MST_DAMAGED, "SFA-BLOCK-OVERLAP", 0, "the arrays overlap too much");
}

static mst_status measure(parsing *u, mst_diagnostic *diagnostic) {
    const mst_sfa_layout *layout = &u->layout;
    mst_status status = MST_OK;
    mst_sfa_calls_none(u->calls);
    u->size = 0;
    for (unsigned i = 0; i < MST_SFA_STREAMS && status == MST_OK; i++) {
        size_t length = 0;
        if (layout->sizes[MST_SFA_STREAM_0 + i])
            status = mst_sfa_stream_read(u->bytes, layout->sizes[MST_SFA_STREAM_0 + i],
                                         layout->offsets[MST_SFA_STREAM_0 + i], i,
                                         layout->counts[MST_SFA_LISTS], NULL, &length, u->calls, diagnostic);
        if (status == MST_OK)
            status = add_size(u, length, diagnostic);
    }
    for (unsigned i = 0; i < layout->counts[MST_SFA_LISTS] && status == MST_OK; i++) {
        mst_sfa_indices indices = indices_in(u, i);
        uint32_t offset = mst_sfa_data_offset(u->bytes, layout, i), commands;
        size_t length = mst_sfa_data_size(u->bytes, layout, i);
        if (length && indices.texcoords != MST_SFA_TEXCOORDS_UNKNOWN)
            status = mst_sfa_list_measure(u->bytes + offset, (uint32_t)length, offset, i, &indices, &commands,
                                          &length, diagnostic);
        if (status == MST_OK)
            status = add_size(u, length + MST_SFA_LIST_RECORD, diagnostic);
    }
    for (unsigned i = MST_SFA_POSITIONS; i < MST_SFA_ARRAYS && status == MST_OK; i++)
        if (i < MST_SFA_STREAM_0 || i > MST_SFA_STREAM_2)
            status = add_size(u, layout->sizes[i], diagnostic);
    return status;
}

static mst_status put_list(const parsing *u, unsigned i, uint8_t **out, mst_diagnostic *diagnostic) {
    mst_sfa_indices indices = indices_in(u, i);
    uint32_t offset = mst_sfa_data_offset(u->bytes, &u->layout, i);
    uint32_t size = mst_sfa_data_size(u->bytes, &u->layout, i), commands = 0;
    size_t length = 0;
    const uint8_t *data = u->bytes + (size ? offset : 0);
    uint8_t *p = *out;
    memcpy(p, u->bytes + u->layout.offsets[MST_SFA_LISTS] + (size_t)i * MST_SFA_LIST_RECORD + 6,
           MST_SFA_LIST_FORM);
    p += MST_SFA_LIST_FORM;
    mst_status status = MST_OK;
    if (indices.texcoords == MST_SFA_TEXCOORDS_UNKNOWN) {
        *p++ = 1;
        mst_store32(p, size, true);
        memcpy(p + 4, data, size);
        p += 4 + size;
    } else {
        *p++ = 0;
        *p++ = (uint8_t)indices.texcoords;
        mst_sfa_list_measure(data, size, offset, i, &indices, &commands, &length,
                             NULL); /* succeeded before */
        mst_store32(p, commands, true);
        status = mst_sfa_list_read(data, size, offset, i, &indices, p + 4, diagnostic);
        p += 4 + length;
    }
    *out = p;
    return status;
}

/* Copies a stream that has been measured. */
static void put_stream(const parsing *u, unsigned i, uint8_t **out) {
    uint32_t size = u->layout.sizes[MST_SFA_STREAM_0 + i];
    *(*out)++ = size != 0;
    size_t length = 0;
    if (size)
        mst_sfa_stream_read(u->bytes, size, u->layout.offsets[MST_SFA_STREAM_0 + i], i,
                            u->layout.counts[MST_SFA_LISTS], *out, &length, NULL, NULL);
    *out += length;
}

/* Writes an array's count, then the array. */
static void put_array(const parsing *u, mst_sfa_array array, uint8_t **out) {
    unsigned width = arrays[array].count_width;
    mst_store(*out, width, u->layout.counts[array], true);
    if (u->layout.sizes[array])
        memcpy(*out + width, u->bytes + u->layout.offsets[array], u->layout.sizes[array]);
    *out += width + u->layout.sizes[array];
}

/* Writes the image up to `original`. */
static mst_status put_image(const parsing *u, uint8_t *image, size_t *size, mst_diagnostic *diagnostic) {
    uint8_t *out = image + MST_SFA_IMAGE_LISTS;
    *image = 0;
    for (size_t i = 0; i < MST_COUNT_OF(header_fields); i++)
        memcpy(image + header_fields[i].image, u->bytes + header_fields[i].block, header_fields[i].size);
    *out++ = (uint8_t)u->layout.counts[MST_SFA_LISTS];
    mst_status status = MST_OK;
    for (unsigned i = 0; i < u->layout.counts[MST_SFA_LISTS] && status == MST_OK; i++)
        status = put_list(u, i, &out, diagnostic);
    if (status != MST_OK)
        return status;
    put_array(u, MST_SFA_POSITIONS, &out);
    put_array(u, MST_SFA_COLORS, &out);
    put_array(u, MST_SFA_TEXCOORDS, &out);
    for (unsigned i = 0; i < MST_SFA_STREAMS; i++)
        put_stream(u, i, &out);
    put_array(u, MST_SFA_TEXTURES, &out);
    put_array(u, MST_SFA_SHADERS, &out);
    *out++ = has_groups(&u->layout);
    if (has_groups(&u->layout))
        put_array(u, MST_SFA_GROUPS, &out);
    put_array(u, MST_SFA_POLYGONS, &out);
    *size = (size_t)(out - image);
    return status;
}

/* Whether the image serializes to this very block. */
static mst_status compare(const uint8_t *image, size_t size, const uint8_t *bytes, size_t block_size,
                          const mst_allocator *allocator, bool *same, mst_diagnostic *diagnostic) {
    mst_buffer made = {.allocator = *allocator};
    mst_status status = mst_sfa_block_serialize(image, size, &made, diagnostic);
    *same = status == MST_OK && made.size == block_size && memcmp(made.data, bytes, block_size) == 0;
    mst_buffer_free(&made);
    return status == MST_NO_MEMORY ? status : MST_OK;
}

mst_status mst_sfa_block_parse(const uint8_t *bytes, size_t size, mst_buffer *image,
                               mst_diagnostic *diagnostic) {
    parsing u;
    u.bytes = bytes;
    mst_status status = mst_sfa_layout_read(bytes, size, &u.layout, diagnostic);
    if (status == MST_OK)
        status = measure(&u, diagnostic);
    if (status == MST_OK)
        status = check_polygons(bytes + u.layout.offsets[MST_SFA_POLYGONS], u.layout.counts[MST_SFA_POLYGONS],
                                has_groups(&u.layout) ? bytes + u.layout.offsets[MST_SFA_GROUPS] : NULL,
                                u.layout.counts[MST_SFA_GROUPS], u.layout.counts[MST_SFA_POSITIONS], bytes,
                                MST_DAMAGED, diagnostic);
    if (status != MST_OK)
        return status;
    uint8_t *target = mst_sfa_capacity(image, (size_t)u.size + MST_SFA_IMAGE_LISTS + 32);
    if (!target)
        return no_memory(diagnostic);
    size_t made = 0;
    status = put_image(&u, target, &made, diagnostic);
    if (status != MST_OK)
        return status;
    mst_store32(target + made, 0, true);
    made += 4;
    bool same;
    status = compare(target, made, bytes, size, &image->allocator, &same, diagnostic);
    if (status != MST_OK)
        return status;
    if (!same) {
        mst_store32(target + made - 4, (uint32_t)size, true);
        target = mst_sfa_capacity(image, made + size);
        if (!target)
            return no_memory(diagnostic);
        memcpy(target + made, bytes, size);
        made += size;
    }
    image->size += made;
    return MST_OK;
}

mst_status mst_sfa_block_parse_raw(const uint8_t *bytes, size_t size, mst_buffer *image,
                                   mst_diagnostic *diagnostic) {
    uint8_t *target = size <= UINT32_MAX - 5 ? mst_sfa_capacity(image, size + 5) : NULL;
    if (!target)
        return no_memory(diagnostic);
    target[0] = 1;
    mst_store32(target + 1, (uint32_t)size, true);
    if (size)
        memcpy(target + 5, bytes, size);
    image->size += size + 5;
    return MST_OK;
}
