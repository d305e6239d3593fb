/* SPDX-License-Identifier: MIT */
/* Converts blocks to images. */
#include "../../../core/unreachable.h"
#include "parts.h"

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
    unsigned width = mst_sfa_arrays[array].count_width;
    mst_store(*out, width, u->layout.counts[array], true);
    if (u->layout.sizes[array])
        memcpy(*out + width, u->bytes + u->layout.offsets[array], u->layout.sizes[array]);
    *out += width + u->layout.sizes[array];
}

/* Writes the image up to `original`. */
static mst_status put_image(const parsing *u, uint8_t *image, size_t *size, mst_diagnostic *diagnostic) {
    uint8_t *out = image + MST_SFA_IMAGE_LISTS;
    *image = 0;
    for (size_t i = 0; i < MST_SFA_HEADER_FIELDS; i++)
        memcpy(image + mst_sfa_header_fields[i].image, u->bytes + mst_sfa_header_fields[i].block,
               mst_sfa_header_fields[i].size);
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

mst_status mst_sfa_block_parse(const uint8_t *bytes, size_t size, mst_parsed_writer *w,
                               mst_diagnostic *diagnostic) {
    parsing u;
    u.bytes = bytes;
    mst_buffer *image = w->to;
    mst_status status = mst_sfa_layout_read(bytes, size, &u.layout, diagnostic);
    if (status == MST_OK)
        status = measure(&u, diagnostic);
    if (status == MST_OK)
        status = mst_sfa_check_polygons(
            bytes + u.layout.offsets[MST_SFA_POLYGONS], u.layout.counts[MST_SFA_POLYGONS],
            has_groups(&u.layout) ? bytes + u.layout.offsets[MST_SFA_GROUPS] : NULL,
            u.layout.counts[MST_SFA_GROUPS], u.layout.counts[MST_SFA_POSITIONS], bytes, MST_DAMAGED,
            diagnostic);
    if (status != MST_OK)
        return status;
    uint8_t *target = mst_sfa_reserve(image, (size_t)u.size + MST_SFA_IMAGE_LISTS + 32);
    if (!target)
        return mst_sfa_no_memory(diagnostic);
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
    if (w->spans)
        mst_sfa_block_places(w, bytes, &u.layout, u.calls, target, made);
    image->size += made;
    if (same)
        return MST_OK;
    mst_store32(target + made - 4, (uint32_t)size, true);
    if (!mst_sfa_reserve(image, size))
        return mst_sfa_no_memory(diagnostic);
    if (w->spans)
        mst_spans_add(w->spans, image->size, bytes, 1, 1, true);
    mst_parsed_put(w, bytes, size);
    return w->status == MST_NO_MEMORY ? mst_sfa_no_memory(diagnostic) : w->status;
}

mst_status mst_sfa_block_parse_raw(const uint8_t *bytes, size_t size, mst_parsed_writer *w,
                                   mst_diagnostic *diagnostic) {
    if (size > UINT32_MAX - 5 || !mst_sfa_reserve(w->to, size + 5))
        return mst_sfa_no_memory(diagnostic);
    mst_parsed_number(w, 1, 1);
    mst_parsed_counted(w, bytes, size);
    return w->status == MST_NO_MEMORY ? mst_sfa_no_memory(diagnostic) : w->status;
}
