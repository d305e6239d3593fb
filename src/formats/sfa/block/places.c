/* SPDX-License-Identifier: MIT */
/* Where the bytes of a block's image come from in the block. */
#include "../../../core/unreachable.h"
#include "parts.h"
#include <stdlib.h>

typedef struct places {
    mst_spans *spans;
    uint64_t begin; /* of the image in the parsed bytes */
    const uint8_t *bytes, *image;
    const mst_sfa_layout *layout;
} places;

/* Each `unit` of the image's bytes from `here` on comes from `width` bytes at `source`; NULL: made up. */
static void from(const places *p, const uint8_t *here, const uint8_t *source, unsigned unit, unsigned width) {
    mst_spans_add(p->spans, p->begin + (uint64_t)(here - p->image), source, (uint16_t)unit, (uint16_t)width,
                  false);
}

static void note(const places *p, const uint8_t *here, const char *name, mst_byte_class byte_class,
                 uint64_t offset, uint64_t length) {
    mst_spans_note(p->spans, p->begin + (uint64_t)(here - p->image), name, byte_class, p->bytes + offset,
                   length, MST_ORIGIN_NONE);
}

static void header_places(const places *p) {
    const uint8_t *after = p->image + MST_SFA_IMAGE_LISTS;
    from(p, p->image, NULL, 1, 1);
    for (size_t i = 0; i < MST_SFA_HEADER_FIELDS; i++) {
        const mst_sfa_header_field *one = &mst_sfa_header_fields[i];
        from(p, p->image + one->image, p->bytes + one->block, 1, 1);
    }
    note(p, after, "size", MST_BYTES_DERIVED, 8, 4);
    for (unsigned i = 0; i < MST_SFA_ARRAYS; i++)
        note(p, after, mst_sfa_arrays[i].offset_name, MST_BYTES_DERIVED, mst_sfa_arrays[i].offset, 4);
    /* a stream without bytes has a count that the image lacks */
    for (unsigned i = MST_SFA_STREAM_0; i <= MST_SFA_STREAM_2; i++)
        note(p, after, "stream_size", MST_BYTES_DERIVED, mst_sfa_arrays[i].count,
             mst_sfa_arrays[i].count_width);
    if (!p->layout->sizes[MST_SFA_GROUPS])
        note(p, after, "group_count", MST_BYTES_DERIVED, mst_sfa_arrays[MST_SFA_GROUPS].count, 2);
}

/* An array, and the count before it. */
static void array_places(const places *p, mst_sfa_array array, const uint8_t *elements) {
    const mst_sfa_array_layout *in = &mst_sfa_arrays[array];
    from(p, elements - in->count_width, p->bytes + in->count, 1, 1);
    if (p->layout->sizes[array])
        from(p, elements, p->bytes + p->layout->offsets[array], 1, 1);
}

static void list_places(const places *p, const mst_sfa_block *view, unsigned i, const mst_sfa_call *call) {
    const uint8_t *record = view->image + view->list_offsets[i], *made = record + MST_SFA_LIST_FORM;
    uint32_t size = mst_sfa_data_size(p->bytes, p->layout, i);
    uint64_t at = p->layout->offsets[MST_SFA_LISTS] + (uint64_t)i * MST_SFA_LIST_RECORD;
    uint64_t data = mst_sfa_data_offset(p->bytes, p->layout, i), begin = data;
    note(p, record, "data_offset", MST_BYTES_DERIVED, at, 4);
    note(p, record, "data_size", MST_BYTES_DERIVED, at + 4, 2);
    from(p, record, p->bytes + at + 6, 1, 1);
    from(p, made, NULL, 1, 1);
    if (*made) {
        from(p, made + 5, size ? p->bytes + data : NULL, 1, 1);
        return;
    }
    for (mst_sfa_commands it = mst_sfa_list_commands(view, i); mst_sfa_next_command(&it);) {
        unsigned width = mst_sfa_vertex_size(it.texcoord_count, call->wide);
        from(p, it.vertices - (it.opcode ? 3 : 1), p->bytes + data, 1, 1);
        data += it.opcode ? 3 : 1;
        if (it.vertex_count && width == it.stride) /* all indices are wide */
            from(p, it.vertices, p->bytes + data, 1, 1);
        else if (it.vertex_count && 2 * width == it.stride) /* none is */
            from(p, it.vertices, p->bytes + data, 2, 1);
        else if (it.vertex_count)
            from(p, it.vertices, p->bytes + data, it.stride, width);
        data += (uint64_t)it.vertex_count * width;
    }
    if (size && data < begin + size)
        note(p, view->image + view->list_offsets[i + 1], "padding", MST_BYTES_PADDING, data,
             begin + size - data);
}

static void stream_places(const places *p, const mst_sfa_block *view, unsigned i) {
    const mst_sfa_stream *stream = &view->streams[i];
    const uint8_t *bytes = p->bytes + p->layout->offsets[MST_SFA_STREAM_0 + i];
    from(p, stream->present_byte, NULL, 1, 1);
    if (!stream->present)
        return;
    uint32_t bits = 0;
    for (mst_sfa_ops it = mst_sfa_stream_ops(view, i); mst_sfa_next_op(&it);) {
        const uint8_t *op = it.operands - 1;
        from(p, op, bytes + it.bit / 8, (unsigned)(it.next - op), (it.bits + 7) / 8 - it.bit / 8);
        bits = it.bits;
    }
    bits += 4; /* the end op, which the image lacks */
    from(p, stream->tail - 5, bytes + (bits - 1) / 8, 1, 1);
    from(p, stream->tail - 4, NULL, 1, 1);
    if (stream->tail_size)
        from(p, stream->tail, bytes + (bits + 7) / 8, 1, 1);
}

static int by_offset(const void *a, const void *b) {
    const mst_sfa_span *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* The bytes between the arrays. */
static void gap_places(const places *p, const uint8_t *end) {
    mst_sfa_span spans[MST_SFA_SPANS];
    size_t count = mst_sfa_spans(p->bytes, p->layout, spans);
    uint64_t covered = MST_SFA_BLOCK_HEADER;
    qsort(spans, count, sizeof *spans, by_offset);
    for (size_t i = 0; i <= count; i++) {
        uint64_t begin = i < count ? spans[i].offset : p->layout->size, at = covered;
        while (at < begin && !p->bytes[at])
            at++;
        if (begin > covered)
            note(p, end, at < begin || begin - covered >= 32 ? "gap" : "padding",
                 at < begin || begin - covered >= 32 ? MST_BYTES_GAP : MST_BYTES_PADDING, covered,
                 begin - covered);
        uint64_t after = i < count ? begin + spans[i].size : begin;
        covered = after > covered ? after : covered;
    }
}

void mst_sfa_block_places(const mst_parsed_writer *w, const uint8_t *bytes, const mst_sfa_layout *layout,
                          const mst_sfa_call calls[256], const uint8_t *image, size_t size) {
    places p = {w->spans, w->to->size, bytes, image, layout};
    mst_sfa_block view;
    mst_status viewed = mst_sfa_block_view(image, size, &view); /* not in the condition: see unreachable.h */
    if (MST_UNREACHABLE(viewed != MST_OK))                      /* it was just made */
        return;
    header_places(&p);
    from(&p, image + MST_SFA_IMAGE_LISTS, bytes + mst_sfa_arrays[MST_SFA_LISTS].count, 1, 1);
    for (unsigned i = 0; i < view.list_count; i++)
        list_places(&p, &view, i, &calls[i]);
    array_places(&p, MST_SFA_POSITIONS, view.positions);
    array_places(&p, MST_SFA_COLORS, view.colors);
    array_places(&p, MST_SFA_TEXCOORDS, view.texcoords);
    for (unsigned i = 0; i < MST_SFA_STREAMS; i++)
        stream_places(&p, &view, i);
    array_places(&p, MST_SFA_TEXTURES, view.textures);
    array_places(&p, MST_SFA_SHADERS, view.shaders);
    const uint8_t *has_groups = view.shaders + (size_t)view.shader_count * MST_SFA_SHADER;
    from(&p, has_groups, NULL, 1, 1);
    if (view.groups)
        array_places(&p, MST_SFA_GROUPS, view.groups);
    array_places(&p, MST_SFA_POLYGONS, view.polygons);
    from(&p, view.polygons + (size_t)view.polygon_count * MST_SFA_POLYGON, NULL, 1, 1);
    gap_places(&p, image + size);
}
