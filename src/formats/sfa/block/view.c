/* SPDX-License-Identifier: MIT */
/* Finds the parts of a block's image. */
#include "parts.h"

typedef struct cursor {
    const uint8_t *image;
    size_t size, at;
    bool failed;
} cursor;

/* The next bytes; past the end of the image, four zeros, and `failed` is set. */
static const uint8_t *next(cursor *c, uint64_t size) {
    static const uint8_t nothing[4];
    if (c->failed || !mst_fits(c->at, size, c->size)) {
        c->failed = true;
        return nothing;
    }
    const uint8_t *p = c->image + c->at;
    c->at += (size_t)size;
    return p;
}
static unsigned next8(cursor *c) {
    return *next(c, 1);
}
static unsigned next16(cursor *c) {
    return mst_load16(next(c, 2), true);
}
static uint32_t next32(cursor *c) {
    return mst_load32(next(c, 4), true);
}

static void view_list(cursor *c) {
    next(c, MST_SFA_LIST_FORM);
    if (next8(c) == 1) {
        next(c, next32(c));
        return;
    }
    unsigned texcoords = next8(c);
    if (texcoords > 2)
        c->failed = true;
    for (uint32_t left = next32(c); left && !c->failed; left--)
        if (next8(c))
            next(c, (uint64_t)next16(c) * (4 + 2 * texcoords));
}

static void view_stream(cursor *c, mst_sfa_stream *stream) {
    stream->present_byte = next(c, 1);
    stream->present = *stream->present_byte == 1;
    if (!stream->present)
        return;
    stream->op_count = next32(c);
    stream->ops = c->image + c->at;
    for (uint32_t left = stream->op_count; left && !c->failed; left--)
        switch (next8(c)) {
        case MST_SFA_OP_SHADER:
        case MST_SFA_OP_LIST: next(c, 1); break;
        case MST_SFA_OP_FORMAT: next(c, 3); break;
        case MST_SFA_OP_MATRICES:
        case MST_SFA_OP_MATRICES_0: next(c, next8(c)); break;
        default: c->failed = true; break;
        }
    stream->unused_bits = (uint8_t)next8(c);
    stream->tail_size = next32(c);
    stream->tail = next(c, stream->tail_size);
}

static int16_t signed_at(const uint8_t *p) {
    return (int16_t)mst_load16(p, true);
}

mst_status mst_sfa_block_view(const uint8_t *image, size_t size, mst_sfa_block *block) {
    cursor c = {image, size, 0, false};
    memset(block, 0, sizeof *block);
    block->image = image;
    block->raw = next8(&c) == 1;
    if (block->raw) {
        block->raw_size = next32(&c);
        block->raw_bytes = next(&c, block->raw_size);
    } else {
        next(&c, MST_SFA_IMAGE_LISTS - 1);
        block->list_count = next8(&c);
        for (unsigned i = 0; i < block->list_count; i++) {
            block->list_offsets[i] = (uint32_t)c.at;
            view_list(&c);
        }
        block->list_offsets[block->list_count] = (uint32_t)c.at;
        block->position_count = next16(&c);
        block->positions = next(&c, (uint64_t)block->position_count * 6);
        block->color_count = next16(&c);
        block->colors = next(&c, (uint64_t)block->color_count * 2);
        block->texcoord_count = next16(&c);
        block->texcoords = next(&c, (uint64_t)block->texcoord_count * 4);
        for (unsigned i = 0; i < MST_SFA_STREAMS; i++)
            view_stream(&c, &block->streams[i]);
        block->texture_count = next8(&c);
        block->textures = next(&c, (uint64_t)block->texture_count * 4);
        block->shader_count = next8(&c);
        block->shaders = next(&c, (uint64_t)block->shader_count * MST_SFA_SHADER);
        if (next8(&c) == 1) {
            block->group_count = next16(&c);
            block->groups = next(&c, ((uint64_t)block->group_count + 1) * MST_SFA_GROUP);
        }
        block->polygon_count = next16(&c);
        block->polygons = next(&c, (uint64_t)block->polygon_count * MST_SFA_POLYGON);
        block->original_size = next32(&c);
        block->original = next(&c, block->original_size);
    }
    if (c.failed) {
        memset(block, 0, sizeof *block);
        return MST_DAMAGED;
    }
    block->size = c.at;
    if (!block->raw) {
        block->y_min = signed_at(image + MST_SFA_IMAGE_Y_MIN);
        block->y_max = signed_at(image + MST_SFA_IMAGE_Y_MAX);
        block->y_offset = signed_at(image + MST_SFA_IMAGE_Y_OFFSET);
        memcpy(block->name, image + MST_SFA_IMAGE_NAME, 20);
    }
    return MST_OK;
}
