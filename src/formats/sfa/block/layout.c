/* SPDX-License-Identifier: MIT */
/* Where a block's header says that its arrays are. */
#include "../../../codec/reserve.h"
#include "../../../core/unreachable.h"
#include "parts.h"

mst_status mst_sfa_fault(mst_diagnostic *diagnostic, mst_status status, const char *code, uint64_t offset,
                         const char *message) {
    mst_fail(diagnostic, status, "%s", message);
    if (diagnostic) {
        MST_SET(diagnostic->code, "%s", code);
        diagnostic->offset = offset;
    }
    return status;
}

uint8_t *mst_sfa_reserve(mst_buffer *buffer, size_t size) {
    /* at least 1, so that size 0 gives a pointer, too */
    return mst_buffer_reserve(buffer, size ? size : 1) ? buffer->data + buffer->size : NULL;
}

mst_status mst_sfa_no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "out of memory while converting a block");
}

const mst_sfa_array_layout mst_sfa_arrays[MST_SFA_ARRAYS] = {
    [MST_SFA_LISTS] = {"lists", "lists_offset", 0x68, 0xA1, 1, MST_SFA_LIST_RECORD},
    [MST_SFA_POSITIONS] = {"positions", "positions_offset", 0x58, 0x90, 2, 6},
    [MST_SFA_COLORS] = {"colors", "colors_offset", 0x5C, 0x94, 2, 2},
    [MST_SFA_TEXCOORDS] = {"texcoords", "texcoords_offset", 0x60, 0x96, 2, 4},
    [MST_SFA_STREAM_0] = {"streams[0]", "stream_0_offset", 0x78, 0x84, 2, 1},
    [MST_SFA_STREAM_1] = {"streams[1]", "stream_1_offset", 0x7C, 0x86, 2, 1},
    [MST_SFA_STREAM_2] = {"streams[2]", "stream_2_offset", 0x80, 0x88, 2, 1},
    [MST_SFA_TEXTURES] = {"textures", "textures_offset", 0x54, 0xA0, 1, 4},
    [MST_SFA_SHADERS] = {"shaders", "shaders_offset", 0x64, 0xA2, 1, MST_SFA_SHADER},
    [MST_SFA_GROUPS] = {"polygon_groups", "polygon_groups_offset", 0x50, 0x9A, 2, MST_SFA_GROUP},
    [MST_SFA_POLYGONS] = {"polygons", "polygons_offset", 0x4C, 0x98, 2, MST_SFA_POLYGON},
};

const mst_sfa_header_field mst_sfa_header_fields[MST_SFA_HEADER_FIELDS] = {
    {0x00, 1, 4},  {0x04, 5, 4},  {0x0C, 9, 64}, {0x6C, 73, 12}, {0x8A, 85, 6},
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
        uint32_t offset = mst_load32(bytes + mst_sfa_arrays[i].offset, true);
        uint32_t count =
            (uint32_t)mst_load(bytes + mst_sfa_arrays[i].count, mst_sfa_arrays[i].count_width, true);
        bool is_stream = i >= MST_SFA_STREAM_0 && i <= MST_SFA_STREAM_2;
        if (is_stream && (!offset || !count)) /* absent */
            continue;
        layout->offsets[i] = offset;
        layout->counts[i] = count;
        uint64_t length = (uint64_t)count * mst_sfa_arrays[i].element;
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
            offset_fault(diagnostic, mst_sfa_arrays[i].offset, offset, length, size);
            if (diagnostic)
                MST_SET(diagnostic->path, "%s", mst_sfa_arrays[i].name);
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

mst_status mst_sfa_check_polygons(const uint8_t *polygons, unsigned count, const uint8_t *groups,
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
