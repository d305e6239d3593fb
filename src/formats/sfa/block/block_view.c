/* SPDX-License-Identifier: MIT */
/* Finds the parts of a block's image. */
#include "parts.h"

/* Reads a count and the elements. */
static mst_column take_array(mst_parsed_reader *r, mst_sfa_array array) {
    const mst_sfa_array_layout *in = &mst_sfa_arrays[array];
    uint32_t count = mst_parsed_read(r, in->count_width);
    return (mst_column){mst_parsed_take(r, (uint64_t)count * in->element), count, in->element, true};
}

static mst_sfa_list take_list(mst_parsed_reader *r) {
    mst_sfa_list list = {.record = {mst_parsed_take(r, MST_SFA_LIST_FIELDS), 1, 0, true}};
    list.form = (uint8_t)mst_parsed_read(r, 1);
    if (list.form == 1) {
        list.data = mst_parsed_read_counted(r, &list.count);
        return list;
    }
    list.texcoord_count = (uint8_t)mst_parsed_read(r, 1);
    list.count = mst_parsed_read(r, 4);
    list.data = r->data + r->at;
    return list;
}

mst_sfa_list mst_sfa_block_list(const mst_sfa_block *block, unsigned list) {
    mst_parsed_reader r = {block->image, block->size, block->list_offsets[list], false};
    return take_list(&r);
}

static void pass_list(mst_parsed_reader *r) {
    mst_sfa_list list = take_list(r);
    if (list.form == 1)
        return;
    if (list.texcoord_count > 2)
        r->failed = true;
    for (uint32_t left = list.count; left && !r->failed; left--)
        if (mst_parsed_read(r, 1))
            mst_parsed_take(r, (uint64_t)mst_parsed_read(r, 2) * (4 + 2u * list.texcoord_count));
}

static void take_stream(mst_parsed_reader *r, mst_sfa_stream *stream) {
    stream->present_byte = mst_parsed_take(r, 1);
    stream->present = !r->failed && *stream->present_byte == 1;
    if (!stream->present)
        return;
    stream->op_count = mst_parsed_read(r, 4);
    stream->ops = r->data + r->at;
    for (uint32_t left = stream->op_count; left && !r->failed; left--)
        switch (mst_parsed_read(r, 1)) {
        case MST_SFA_OP_SHADER:
        case MST_SFA_OP_LIST: mst_parsed_take(r, 1); break;
        case MST_SFA_OP_FORMAT: mst_parsed_take(r, 3); break;
        case MST_SFA_OP_MATRICES:
        case MST_SFA_OP_MATRICES_0: mst_parsed_take(r, mst_parsed_read(r, 1)); break;
        default: r->failed = true; break;
        }
    stream->unused_bits = (uint8_t)mst_parsed_read(r, 1);
    stream->tail = mst_parsed_read_counted(r, &stream->tail_size);
}

static int16_t header_number(const mst_column *header, const char *name) {
    mst_column number = mst_column_among(header, &mst_sfa_block_record, name);
    return (int16_t)mst_sfa_i16(&number, 0, 0);
}

static void take_header(mst_parsed_reader *r, mst_sfa_block *block) {
    const mst_column header = {r->data, 1, 0, true};
    if (!mst_parsed_take(r, mst_field_offset(&mst_sfa_block_record, "lists") - r->at))
        return;
    block->y_min = header_number(&header, "y_min");
    block->y_max = header_number(&header, "y_max");
    block->y_offset = header_number(&header, "y_offset");
    memcpy(block->name, mst_column_among(&header, &mst_sfa_block_record, "name").data, 20);
}

mst_sfa_shaders mst_sfa_shaders_at(const uint8_t *bytes, uint64_t count) {
    mst_sfa_shaders shaders = {.all = {bytes, count, MST_SFA_SHADER, true}};
    shaders.flags = mst_column_among(&shaders.all, &mst_sfa_shader_record, "flags");
    shaders.layer_counts = mst_column_among(&shaders.all, &mst_sfa_shader_record, "layer_count");
    return shaders;
}

mst_column mst_sfa_layers_of(const mst_sfa_shaders *shaders, uint64_t shader, const char *name) {
    mst_column layers = mst_column_among(&shaders->all, &mst_sfa_shader_record, "layers");
    layers.data += shader * layers.stride;
    layers.stride = MST_SFA_LAYER;
    layers.count = 2;
    return mst_column_among(&layers, &mst_sfa_layer_record, name);
}

mst_status mst_sfa_block_view(const uint8_t *image, size_t size, mst_sfa_block *block) {
    mst_parsed_reader r = {image, size, 0, false};
    memset(block, 0, sizeof *block);
    block->image = image;
    block->raw = mst_parsed_read(&r, 1) == 1;
    if (block->raw) {
        block->raw_bytes = mst_parsed_read_counted(&r, &block->raw_size);
    } else {
        take_header(&r, block);
        block->list_count = mst_parsed_read(&r, 1);
        for (unsigned i = 0; i < block->list_count; i++) {
            block->list_offsets[i] = (uint32_t)r.at;
            pass_list(&r);
        }
        block->list_offsets[block->list_count] = (uint32_t)r.at;
        block->positions = take_array(&r, MST_SFA_POSITIONS);
        block->colors = take_array(&r, MST_SFA_COLORS);
        block->texcoords = take_array(&r, MST_SFA_TEXCOORDS);
        for (unsigned i = 0; i < MST_SFA_STREAMS; i++)
            take_stream(&r, &block->streams[i]);
        block->textures = take_array(&r, MST_SFA_TEXTURES);
        mst_column shaders = take_array(&r, MST_SFA_SHADERS);
        if (!r.failed)
            block->shaders = mst_sfa_shaders_at(shaders.data, shaders.count);
        block->has_groups = mst_parsed_take(&r, 1);
        if (!r.failed && *block->has_groups == 1) {
            block->groups = take_array(&r, MST_SFA_GROUPS);
            mst_parsed_take(&r, MST_SFA_GROUP);
        }
        block->polygons = take_array(&r, MST_SFA_POLYGONS);
        block->original = mst_parsed_read_counted(&r, &block->original_size);
    }
    block->size = (size_t)r.at;
    if (!r.failed)
        return MST_OK;
    memset(block, 0, sizeof *block);
    return MST_DAMAGED;
}
