/* SPDX-License-Identifier: MIT */
/* Checks of blocks. */
#include "../../../check/finding.h"
#include "parts.h"
#include <stdio.h>

typedef struct check_state {
    mst_checker *checker;
    const char *path; /* of the block */
    mst_sfa_block block;
    mst_sfa_call calls[256];
} check_state;

static uint64_t offset_of(const check_state *c, const uint8_t *field) {
    return (uint64_t)(field - c->checker->document->data);
}
static uint64_t offset_in(const check_state *c, const mst_column *column, uint64_t index) {
    return mst_column_offset(c->checker->document, column, index);
}

static mst_status check_size(check_state *c) {
    uint32_t size = c->block.original_size; /* blocks without it fit, or were not written */
    if (size <= MST_SFA_BLOCK_MAXIMUM)
        return MST_OK;
    mst_diagnostic *finding =
        mst_finding_at(c->checker, offset_of(c, c->block.image), c->block.size, "%s", c->path);
    MST_SET(finding->expected, "at most %u bytes", MST_SFA_BLOCK_MAXIMUM);
    return mst_report(c->checker, "SFA-BLOCK-SIZE", NULL, "%u", size);
}

/* ---- arrays ------------------------------------------------------------------------------------- */

static mst_status check_order(check_state *c) {
    const mst_sfa_block *block = &c->block;
    mst_sfa_layout layout;
    mst_sfa_span spans[MST_SFA_SPANS];
    if (!block->original_size || mst_sfa_layout_read(block->original, block->original_size, &layout,
                                                     mst_finding(c->checker, 0, 0)) != MST_OK)
        return MST_OK;
    size_t count = mst_sfa_spans(block->original, &layout, spans);
    uint32_t end = MST_SFA_BLOCK_HEADER;
    for (size_t i = 0; i < count; end = spans[i].offset + spans[i].size, i++) {
        if (spans[i].offset >= end)
            continue;
        mst_diagnostic *finding = mst_finding_at(c->checker, offset_of(c, block->original + spans[i].offset),
                                                 spans[i].size, "%s.original", c->path);
        MST_SET(finding->message, "arrays overlap or are in an unusual order");
        MST_SET(finding->expected, "at least 0x%X", (unsigned)end);
        return mst_report(c->checker, "SFA-BLOCK-OVERLAP", NULL, "0x%X", (unsigned)spans[i].offset);
    }
    return MST_OK;
}

static mst_status check_groups(check_state *c) {
    const mst_column *groups = &c->block.groups;
    mst_status status = MST_OK;
    for (unsigned i = 1; groups->data && i <= groups->count && status == MST_OK; i++) {
        unsigned first = mst_column_u16(groups, i, 0), before = mst_column_u16(groups, i - 1, 0);
        if (first >= before)
            continue;
        char group[32] = "polygon_sentinel";
        if (i < groups->count)
            snprintf(group, sizeof group, "polygon_groups[%u]", i);
        mst_diagnostic *finding =
            mst_finding_at(c->checker, offset_in(c, groups, i), 2, "%s.%s.first_polygon", c->path, group);
        MST_SET(finding->message, "the group's first polygon precedes the previous group's");
        MST_SET(finding->expected, "at least %u", before);
        status = mst_report(c->checker, "SFA-GROUP-ORDER", NULL, "%u", first);
    }
    return status;
}

static mst_status check_range(check_state *c) {
    const mst_column *positions = &c->block.positions;
    unsigned outside = 0, first = 0;
    for (unsigned i = 0; i < positions->count; i++) {
        int x = mst_sfa_i16(positions, i, 0), z = mst_sfa_i16(positions, i, 2);
        if (x < 0 || x > 640 * 8 || z < 0 || z > 640 * 8)
            first = outside++ ? first : i;
    }
    if (!outside)
        return MST_OK;
    mst_diagnostic *finding =
        mst_finding_at(c->checker, offset_in(c, positions, first), 6, "%s.positions[%u]", c->path, first);
    MST_SET(finding->message, "the position is outside the block's square");
    return mst_report(c->checker, "SFA-GEOMETRY-RANGE", "x and z from 0 to 5120", "%u such position%s",
                      outside, outside == 1 ? "" : "s");
}

static mst_status check_name(check_state *c) {
    const char *p = c->block.name;
    bool right = strncmp(p, "mod", 3) == 0;
    p += right ? 3 : 0;
    for (int part = 0; part < 2 && right; part++) {
        const char *digits = p;
        while (*p >= '0' && *p <= '9')
            p++;
        right = p > digits && *p == (part ? 0 : '.');
        p += right && !part;
    }
    if (right)
        return MST_OK;
    uint64_t at = offset_of(c, c->block.image) + mst_field_offset(&mst_sfa_block_record, "name");
    mst_diagnostic *finding = mst_finding_at(c->checker, at, 20, "%s.name", c->path);
    MST_SET(finding->message, "the name does not contain the file and block number");
    return mst_report(c->checker, "SFA-NAME", "mod<N>.<sub>", "%.20s", c->block.name);
}

/* ---- shaders and lists -------------------------------------------------------------------------- */

static mst_status check_shaders(check_state *c) {
    const mst_column *all = &c->block.shaders.all, *counts = &c->block.shaders.layer_counts;
    mst_column attributes = mst_column_among(all, &mst_sfa_shader_record, "attributes");
    mst_status status = MST_OK;
    for (unsigned i = 0; i < all->count && status == MST_OK; i++) {
        unsigned count = mst_column_u8(counts, i, 0);
        if (!(mst_column_u8(&attributes, i, 0) & 2)) {
            mst_diagnostic *finding = mst_finding_at(c->checker, offset_in(c, &attributes, i), 1,
                                                     "%s.shaders[%u].attributes", c->path, i);
            MST_SET(finding->message, "bit 1 is not set, and readers disagree about such streams");
            status =
                mst_report(c->checker, "SFA-SHADER-ATTRIBUTES", NULL, "%u", mst_column_u8(&attributes, i, 0));
        }
        if (count > 2 && status == MST_OK) {
            mst_diagnostic *finding = mst_finding_at(c->checker, offset_in(c, counts, i), 1,
                                                     "%s.shaders[%u].layer_count", c->path, i);
            MST_SET(finding->message, "a shader has at most two layers");
            status = mst_report(c->checker, "SFA-SHADER-ATTRIBUTES", "at most 2", "%u", count);
        }
        for (unsigned k = 0; k < 2 && k < count && status == MST_OK; k++) {
            mst_column textures = mst_sfa_layers_of(&c->block.shaders, i, "texture");
            int32_t texture = (int32_t)mst_column_u32(&textures, k, 0);
            if (texture >= -1 && texture < (int32_t)c->block.textures.count)
                continue;
            mst_diagnostic *finding = mst_finding_at(c->checker, offset_in(c, &textures, k), 4,
                                                     "%s.shaders[%u].layers[%u].texture", c->path, i, k);
            MST_SET(finding->message,
                    "the block has no such texture: set an index below its number of textures");
            MST_SET(finding->expected, "below %u", (unsigned)c->block.textures.count);
            status = mst_report(c->checker, "SFA-TEXTURE-INDEX", NULL, "%ld", (long)texture);
        }
    }
    return status;
}

static mst_status check_lists(check_state *c) {
    mst_status status = MST_OK;
    for (unsigned i = 0; i < c->block.list_count && status == MST_OK; i++) {
        if (c->calls[i].stream != MST_SFA_NOT_CALLED)
            continue;
        mst_diagnostic *finding =
            mst_finding_at(c->checker, offset_of(c, c->block.image + c->block.list_offsets[i]),
                           MST_SFA_LIST_FIELDS, "%s.lists[%u]", c->path, i);
        MST_SET(finding->message, "no stream draws the list: it is invisible");
        status = mst_checker_report(c->checker, "SFA-LIST-UNUSED");
    }
    return status;
}

/* ---- derived values ----------------------------------------------------------------------------- */

#define NUMBERS 40 /* for the text of three numbers */

static void numbers_text(const uint8_t *bytes, uint8_t kind, unsigned count, char text[NUMBERS]) {
    const mst_column numbers = {bytes, count, mst_kind_width[kind], true};
    size_t length = 0;
    for (unsigned i = 0; i < count; i++) {
        int value = kind == MST_KIND_U8    ? mst_column_u8(&numbers, i, 0)
                    : kind == MST_KIND_I16 ? mst_sfa_i16(&numbers, i, 0)
                                           : mst_column_u16(&numbers, i, 0);
        length += (size_t)snprintf(text + length, NUMBERS - length, "%s%d", i ? ", " : "", value);
    }
}

/* Reports one finding for each field that differs. */
static mst_status check_derived(check_state *c, mst_sfa_derived_kind kind, unsigned index) {
    const mst_sfa_derived *derived = &mst_sfa_deriveds[kind];
    uint8_t made[12];
    unsigned size = mst_sfa_derive(&c->block, c->calls, kind, index, made);
    const uint8_t *field = mst_sfa_derived_place(&c->block, kind, index);
    mst_status status = MST_OK;
    if (!size || memcmp(field, made, size) == 0)
        return MST_OK;
    if (kind == MST_SFA_D_LIST_SHADER && *field >= c->block.shaders.all.count)
        return MST_OK; /* reported elsewhere as a dangling reference */
    uint8_t number = mst_field_named(derived->record, derived->names[0])->kind;
    unsigned step = (unsigned)mst_kind_width[number] * derived->components;
    char expected[NUMBERS], found[NUMBERS], holder[32] = "";
    if (derived->list)
        snprintf(holder, sizeof holder, "%s[%u].", derived->list, index);
    for (unsigned i = 0; i < size / step && status == MST_OK; i++, field += step) {
        if (memcmp(field, made + i * step, step) == 0)
            continue;
        mst_diagnostic *finding = mst_finding_at(c->checker, offset_of(c, field), step, "%s.%s%s", c->path,
                                                 holder, derived->names[i]);
        MST_SET(finding->message, "%s", derived->message);
        numbers_text(made + i * step, number, derived->components, expected);
        numbers_text(field, number, derived->components, found);
        status = mst_report(c->checker, derived->code, expected, "%s", found);
    }
    return status;
}

static mst_status check_all(check_state *c) {
    static mst_status (*const checks[])(check_state *) = {
        check_size, check_order, check_groups, check_range, check_name, check_shaders, check_lists};
    mst_status status = MST_OK;
    for (size_t i = 0; i < MST_COUNT_OF(checks) && status == MST_OK; i++)
        status = checks[i](c);
    for (unsigned kind = 0; kind < MST_SFA_DERIVED_KINDS; kind++) {
        unsigned count = mst_sfa_derived_count(&c->block, (mst_sfa_derived_kind)kind);
        for (unsigned i = 0; i < count && status == MST_OK; i++)
            status = check_derived(c, (mst_sfa_derived_kind)kind, i);
    }
    return status;
}

/* Reports why a block was kept raw, by parsing its bytes again. */
static mst_status check_raw(const check_state *c) {
    mst_buffer again = {.allocator = c->checker->document->allocator};
    mst_diagnostic why;
    mst_parsed_writer parsed = {.to = &again, .limit = UINT64_MAX};
    mst_status status = mst_sfa_block_parse(c->block.raw_bytes, c->block.raw_size, &parsed, &why);
    mst_buffer_free(&again);
    if (status != MST_DAMAGED)
        return status;
    mst_diagnostic *finding = mst_finding_at(
        c->checker, offset_of(c, c->block.raw_bytes) + (why.offset > c->block.raw_size ? 0 : why.offset),
        why.length, "%s%s%s", c->path, why.path[0] ? "." : "", why.path);
    MST_SET(finding->message, "%s", why.message);
    return mst_report(c->checker, why.code, why.expected, "%s", why.found);
}

mst_status mst_sfa_block_check(mst_checker *checker, uint64_t offset, uint64_t size, const char *path) {
    check_state c = {.checker = checker, .path = path};
    if (mst_sfa_block_view(checker->document->data + offset, (size_t)size, &c.block) != MST_OK)
        return MST_OK;
    if (c.block.raw)
        return check_raw(&c);
    mst_sfa_block_calls(&c.block, c.calls);
    return check_all(&c);
}
