/* SPDX-License-Identifier: MIT */
/* Converts blocks to images. */
#include "../../../codec/reserve.h"
#include "../packing/pair.h"
#include "parts.h"

typedef struct parse_state {
    const uint8_t *bytes;
    mst_sfa_layout layout;
    mst_sfa_shaders shaders;
    mst_sfa_call calls[256];
    uint64_t size;          /* of the image, up to `original` */
    mst_diagnostic ignored; /* for callers that do not want one */
} parse_state;

static bool has_groups(const mst_sfa_layout *layout) {
    return layout->sizes[MST_SFA_GROUPS] != 0;
}

static const uint8_t *array_in(const parse_state *u, mst_sfa_array array) {
    return u->bytes + u->layout.offsets[array];
}

static mst_sfa_indices indices_in(const parse_state *u, unsigned list) {
    return (mst_sfa_indices){.counts = {u->layout.counts[MST_SFA_POSITIONS], u->layout.counts[MST_SFA_COLORS],
                                        u->layout.counts[MST_SFA_TEXCOORDS]},
                             .texcoords = mst_sfa_texcoords_of(&u->calls[list], &u->shaders),
                             .wide = u->calls[list].wide};
}

/* Overlapping arrays could make the image many times as large as the block, hence a limit. */
static mst_status add_size(parse_state *u, uint64_t size, mst_diagnostic *diagnostic) {
    u->size += size;
    if (u->size <= (uint64_t)u->layout.size * 7)
        return MST_OK;
    return mst_sfa_fault(diagnostic, MST_DAMAGED, "SFA-BLOCK-OVERLAP", 0, "the arrays overlap too much");
}

static mst_status measure(parse_state *u, mst_diagnostic *diagnostic) {
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
        uint32_t offset = mst_sfa_data_offset(u->bytes, layout, i);
        size_t length = mst_sfa_data_size(u->bytes, layout, i);
        if (length && indices.texcoords != MST_SFA_TEXCOORDS_UNKNOWN)
            status = mst_sfa_list_measure(u->bytes + offset, (uint32_t)length, offset, i, &indices, &length,
                                          diagnostic);
        if (status == MST_OK)
            status = add_size(u, length + MST_SFA_LIST_RECORD, diagnostic);
    }
    for (unsigned i = MST_SFA_POSITIONS; i < MST_SFA_ARRAYS && status == MST_OK; i++)
        if (i < MST_SFA_STREAM_0 || i > MST_SFA_STREAM_2)
            status = add_size(u, layout->sizes[i], diagnostic);
    return status;
}

static mst_status put_list(const parse_state *u, unsigned i, mst_parsed_writer *w,
                           mst_diagnostic *diagnostic) {
    mst_sfa_indices indices = indices_in(u, i);
    const uint8_t *record = array_in(u, MST_SFA_LISTS) + (size_t)i * MST_SFA_LIST_RECORD;
    uint32_t offset = mst_sfa_data_offset(u->bytes, &u->layout, i);
    uint32_t size = mst_sfa_data_size(u->bytes, &u->layout, i);
    const uint8_t *data = u->bytes + (size ? offset : 0);
    bool raw = indices.texcoords == MST_SFA_TEXCOORDS_UNKNOWN;
    mst_parsed_note(w, "data_offset", MST_BYTES_DERIVED, record, 4);
    mst_parsed_note(w, "data_size", MST_BYTES_DERIVED, record + 4, 2);
    mst_parsed_bytes(w, record + MST_SFA_LIST_RECORD - MST_SFA_LIST_FIELDS, MST_SFA_LIST_FIELDS);
    mst_parsed_number(w, raw, 1);
    if (raw) {
        mst_parsed_counted(w, data, size);
        return MST_OK;
    }
    mst_parsed_number(w, indices.texcoords, 1);
    return mst_sfa_list_read(data, size, offset, i, &indices, w, diagnostic);
}

/* Writes a stream that was measured. */
static mst_status put_stream(const parse_state *u, unsigned i, mst_parsed_writer *w,
                             mst_diagnostic *diagnostic) {
    uint32_t size = u->layout.sizes[MST_SFA_STREAM_0 + i];
    size_t length = 0;
    mst_parsed_number(w, size != 0, 1);
    if (!size)
        return MST_OK;
    return mst_sfa_stream_read(u->bytes, size, u->layout.offsets[MST_SFA_STREAM_0 + i], i,
                               u->layout.counts[MST_SFA_LISTS], w, &length, NULL, diagnostic);
}

/* Writes an array's count, then the array. */
static void put_array(const parse_state *u, mst_sfa_array array, mst_parsed_writer *w) {
    const mst_sfa_array_layout *in = &mst_sfa_arrays[array];
    mst_parsed_bytes(w, u->bytes + in->count, in->count_width);
    mst_parsed_bytes(w, array_in(u, array), u->layout.sizes[array]);
}

/* Writes the header's fields, and notes those that follow from the arrays. */
static void put_header(const parse_state *u, mst_parsed_writer *w) {
    mst_parsed_number(w, 0, 1);
    for (size_t i = 0; i < MST_SFA_HEADER_FIELDS; i++)
        mst_parsed_bytes(w, u->bytes + mst_sfa_header_fields[i].block, mst_sfa_header_fields[i].size);
    mst_parsed_note(w, "size", MST_BYTES_DERIVED, u->bytes + 8, 4);
    for (unsigned i = 0; i < MST_SFA_ARRAYS; i++)
        mst_parsed_note(w, mst_sfa_arrays[i].offset_name, MST_BYTES_DERIVED,
                        u->bytes + mst_sfa_arrays[i].offset, 4);
    /* a stream without bytes has a count that the image lacks */
    for (unsigned i = MST_SFA_STREAM_0; i <= MST_SFA_STREAM_2; i++)
        mst_parsed_note(w, "stream_size", MST_BYTES_DERIVED, u->bytes + mst_sfa_arrays[i].count,
                        mst_sfa_arrays[i].count_width);
    if (!has_groups(&u->layout))
        mst_parsed_note(w, "group_count", MST_BYTES_DERIVED, u->bytes + mst_sfa_arrays[MST_SFA_GROUPS].count,
                        2);
}

/* Notes the bytes between the arrays. */
static void note_gaps(const parse_state *u, mst_parsed_writer *w) {
    mst_sfa_span gaps[MST_SFA_SPANS + 1];
    size_t count = w->spans ? mst_sfa_gaps(u->bytes, &u->layout, gaps) : 0;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *gap = u->bytes + gaps[i].offset;
        bool padding = gaps[i].size < 32 && mst_sfa_is_zero(gap, gaps[i].size);
        mst_parsed_note(w, padding ? "padding" : "gap", padding ? MST_BYTES_PADDING : MST_BYTES_GAP, gap,
                        gaps[i].size);
    }
}

/* Writes the image with an empty `original`. */
static mst_status put_image(const parse_state *u, mst_parsed_writer *w, mst_diagnostic *diagnostic) {
    put_header(u, w);
    mst_parsed_bytes(w, u->bytes + mst_sfa_arrays[MST_SFA_LISTS].count, 1);
    mst_status status = MST_OK;
    for (unsigned i = 0; i < u->layout.counts[MST_SFA_LISTS] && status == MST_OK; i++)
        status = put_list(u, i, w, diagnostic);
    put_array(u, MST_SFA_POSITIONS, w);
    put_array(u, MST_SFA_COLORS, w);
    put_array(u, MST_SFA_TEXCOORDS, w);
    for (unsigned i = 0; i < MST_SFA_STREAMS && status == MST_OK; i++)
        status = put_stream(u, i, w, diagnostic);
    put_array(u, MST_SFA_TEXTURES, w);
    put_array(u, MST_SFA_SHADERS, w);
    mst_parsed_number(w, has_groups(&u->layout), 1);
    if (has_groups(&u->layout))
        put_array(u, MST_SFA_GROUPS, w);
    put_array(u, MST_SFA_POLYGONS, w);
    mst_parsed_number(w, 0, 4);
    note_gaps(u, w);
    return status == MST_OK ? w->status : status;
}

/* Whether the image serializes to exactly this block. */
static mst_status compare(const uint8_t *image, size_t size, const uint8_t *bytes, size_t block_size,
                          const mst_allocator *allocator, bool *same, mst_diagnostic *diagnostic) {
    mst_buffer made = {.allocator = *allocator};
    mst_status status = mst_sfa_block_serialize(image, size, &made, diagnostic);
    *same = status == MST_OK && made.size == block_size && memcmp(made.data, bytes, block_size) == 0;
    mst_buffer_free(&made);
    return status == MST_NO_MEMORY ? status : MST_OK;
}

static mst_status check_polygons(const parse_state *u, mst_diagnostic *diagnostic) {
    const mst_sfa_layout *in = &u->layout;
    const mst_column polygons = {array_in(u, MST_SFA_POLYGONS), in->counts[MST_SFA_POLYGONS], MST_SFA_POLYGON,
                                 true};
    const mst_column groups = {has_groups(in) ? array_in(u, MST_SFA_GROUPS) : NULL,
                               in->counts[MST_SFA_GROUPS], MST_SFA_GROUP, true};
    return mst_sfa_check_polygons(&polygons, &groups, in->counts[MST_SFA_POSITIONS], u->bytes, MST_DAMAGED,
                                  diagnostic);
}

static mst_status parse(parse_state *u, size_t size, mst_parsed_writer *w, mst_diagnostic *diagnostic) {
    size_t start = w->to->size;
    mst_status status = mst_sfa_layout_read(u->bytes, size, &u->layout, diagnostic);
    if (status != MST_OK)
        return status;
    u->shaders = mst_sfa_shaders_at(array_in(u, MST_SFA_SHADERS), u->layout.counts[MST_SFA_SHADERS]);
    status = measure(u, diagnostic);
    if (status == MST_OK)
        status = check_polygons(u, diagnostic);
    if (status == MST_OK && !mst_buffer_reserve(w->to, u->size + 150))
        status = MST_NO_MEMORY;
    if (status == MST_OK)
        status = put_image(u, w, diagnostic);
    bool same = false;
    if (status == MST_OK)
        status = compare(w->to->data + start, w->to->size - start, u->bytes, size, &w->to->allocator, &same,
                         diagnostic);
    if (status != MST_OK || same)
        return status;
    if (!mst_buffer_reserve(w->to, size))
        return MST_NO_MEMORY;
    w->to->size -= 4;
    mst_parsed_original(w, u->bytes, size);
    return w->status;
}

mst_status mst_sfa_block_parse(const uint8_t *bytes, size_t size, mst_parsed_writer *w,
                               mst_diagnostic *diagnostic) {
    mst_allocator a = mst_allocator_or_default(&w->to->allocator);
    parse_state *u = a.resize(a.user, NULL, 0, sizeof *u); /* too much for the stack */
    if (!u)
        return mst_sfa_no_memory(diagnostic);
    memset(u, 0, sizeof *u);
    u->bytes = bytes;
    mst_parsed_mark start = mst_parsed_here(w);
    mst_status status = parse(u, size, w, diagnostic ? diagnostic : &u->ignored);
    if (status != MST_OK)
        mst_parsed_cut(w, start);
    a.resize(a.user, u, sizeof *u, 0);
    return status == MST_NO_MEMORY ? mst_sfa_no_memory(diagnostic) : status;
}

mst_status mst_sfa_block_parse_raw(const uint8_t *bytes, size_t size, mst_parsed_writer *w,
                                   mst_diagnostic *diagnostic) {
    if (!mst_buffer_reserve(w->to, (uint64_t)size + 5))
        return mst_sfa_no_memory(diagnostic);
    mst_parsed_number(w, 1, 1);
    mst_parsed_counted(w, bytes, size);
    return w->status == MST_NO_MEMORY ? mst_sfa_no_memory(diagnostic) : w->status;
}
