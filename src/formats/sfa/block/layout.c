/* SPDX-License-Identifier: MIT */
/* The positions of a block's arrays, according to its header. */
#include "../../../core/unreachable.h"
#include "parts.h"
#include <stdlib.h>

mst_status mst_sfa_fault(mst_diagnostic *diagnostic, mst_status status, const char *code, uint64_t offset,
                         const char *message) {
    mst_fail(diagnostic, status, "%s", message);
    MST_SET(diagnostic->code, "%s", code);
    diagnostic->offset = offset;
    return status;
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
    {0x00, 8}, {0x0C, 64}, {0x6C, 12}, {0x8A, 6}, {0x92, 2}, {0x9C, 4}, {0xA3, 21}};

static bool is_stream(unsigned array) {
    return array >= MST_SFA_STREAM_0 && array <= MST_SFA_STREAM_2;
}

bool mst_sfa_block_probe(const uint8_t *header, uint64_t size) {
    uint32_t own = mst_load32(header + 8, true);
    bool inside = true;
    for (unsigned i = 0; i < MST_SFA_ARRAYS; i++) {
        uint32_t offset = mst_load32(header + mst_sfa_arrays[i].offset, true);
        inside = inside && (is_stream(i) || (offset >= MST_SFA_BLOCK_HEADER && offset <= own));
    }
    /* truncated files and files with trailing data have another size */
    return mst_load32(header + mst_sfa_arrays[MST_SFA_LISTS].offset, true) == MST_SFA_BLOCK_HEADER &&
           own % 32 == 0 && (!size || own == size || inside);
}

static mst_status offset_fault(mst_diagnostic *diagnostic, uint64_t at, uint64_t offset, uint64_t length,
                               size_t size) {
    mst_sfa_fault(diagnostic, MST_DAMAGED, "SFA-BLOCK-OFFSET", at, "the array is outside the block");
    diagnostic->length = 4;
    MST_SET(diagnostic->expected, "%llu bytes from 0xB8 to 0x%llX", (unsigned long long)length,
            (unsigned long long)size);
    MST_SET(diagnostic->found, "0x%llX", (unsigned long long)offset);
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
        MST_SET(diagnostic->path, "lists[%u].commands", i);
        return MST_DAMAGED;
    }
    return MST_OK;
}

static mst_status size_fault(mst_diagnostic *diagnostic, size_t size, uint32_t stored) {
    bool shorter = size < MST_SFA_BLOCK_HEADER;
    mst_sfa_fault(diagnostic, MST_DAMAGED, "SFA-BLOCK-HEADER", shorter ? 0 : 8,
                  shorter ? "the block is shorter than its header"
                          : "the size in the header is not the size of the block");
    diagnostic->length = shorter ? 0 : 4;
    MST_SET(diagnostic->expected, shorter ? "at least %zu bytes" : "%zu",
            shorter ? (size_t)MST_SFA_BLOCK_HEADER : size);
    MST_SET(diagnostic->found, "%zu", shorter ? size : stored);
    return MST_DAMAGED;
}

mst_status mst_sfa_layout_read(const uint8_t *bytes, size_t size, mst_sfa_layout *layout,
                               mst_diagnostic *diagnostic) {
    uint32_t stored = size >= MST_SFA_BLOCK_HEADER ? mst_load32(bytes + 8, true) : 0;
    if (size < MST_SFA_BLOCK_HEADER || stored != size)
        return size_fault(diagnostic, size, stored);
    memset(layout, 0, sizeof *layout);
    layout->size = stored;
    for (unsigned i = 0; i < MST_SFA_ARRAYS; i++) {
        const mst_sfa_array_layout *in = &mst_sfa_arrays[i];
        uint32_t offset = mst_load32(bytes + in->offset, true);
        uint32_t count = (uint32_t)mst_load(bytes + in->count, in->count_width, true);
        if (is_stream(i) && (!offset || !count)) /* absent */
            continue;
        layout->offsets[i] = offset;
        layout->counts[i] = count;
        uint64_t length = (uint64_t)count * in->element;
        if (!offset && !count)
            continue;
        if (offset < MST_SFA_BLOCK_HEADER || !mst_fits(offset, length, size)) {
            offset_fault(diagnostic, in->offset, offset, length, size);
            MST_SET(diagnostic->path, "%s", in->name);
            return MST_DAMAGED;
        }
        if (i == MST_SFA_GROUPS && !mst_fits(offset + length, MST_SFA_GROUP, size)) {
            mst_sfa_fault(diagnostic, MST_DAMAGED, "SFA-BLOCK-COUNT", offset + length,
                          "the sentinel after the polygon groups is outside the block");
            MST_SET(diagnostic->path, "polygon_sentinel");
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

static int by_offset(const void *a, const void *b) {
    const mst_sfa_span *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

size_t mst_sfa_gaps(const uint8_t *bytes, const mst_sfa_layout *layout,
                    mst_sfa_span gaps[MST_SFA_SPANS + 1]) {
    size_t count = mst_sfa_spans(bytes, layout, gaps), found = 0;
    qsort(gaps, count, sizeof *gaps, by_offset);
    uint32_t covered = MST_SFA_BLOCK_HEADER;
    gaps[count] = (mst_sfa_span){layout->size, 0};
    for (size_t i = 0; i <= count; i++) {
        uint32_t begin = gaps[i].offset, end = begin + gaps[i].size;
        if (begin > covered)
            gaps[found++] = (mst_sfa_span){covered, begin - covered};
        covered = end > covered ? end : covered;
    }
    return found;
}

mst_status mst_sfa_check_polygons(const mst_column *polygons, const mst_column *groups, uint64_t positions,
                                  const uint8_t *origin, mst_status status, mst_diagnostic *diagnostic) {
    for (unsigned i = 0; i < polygons->count; i++)
        for (unsigned k = 0; k < 3; k++) {
            unsigned position = mst_column_u16(polygons, i, k);
            if (position < positions)
                continue;
            mst_sfa_fault(diagnostic, status, "SFA-BLOCK-COUNT",
                          (uint64_t)(polygons->data - origin) + (uint64_t)i * MST_SFA_POLYGON + 2 * k,
                          "the block has no such position");
            diagnostic->length = 2;
            MST_SET(diagnostic->path, "polygons[%u].vertices[%u]", i, k);
            MST_SET(diagnostic->expected, "below %u", (unsigned)positions);
            MST_SET(diagnostic->found, "%u", position);
            return status;
        }
    unsigned end = groups->data ? mst_column_u16(groups, groups->count, 0) : 0;
    if (!groups->data || end == polygons->count)
        return MST_OK;
    mst_sfa_fault(diagnostic, status, "SFA-BLOCK-COUNT",
                  (uint64_t)(groups->data - origin) + groups->count * MST_SFA_GROUP,
                  "the sentinel after the polygon groups is not the number of polygons");
    diagnostic->length = 2;
    MST_SET(diagnostic->path, "polygon_sentinel.first_polygon");
    MST_SET(diagnostic->expected, "%u", (unsigned)polygons->count);
    MST_SET(diagnostic->found, "%u", end);
    return status;
}
