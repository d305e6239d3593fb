/* SPDX-License-Identifier: MIT */
/* Checks of blocks. */
#include "parts.h"
#include <stdio.h>

typedef struct checking {
    mst_sfa_block block;
    mst_sfa_call calls[256];
    mst_report_function report;
    void *user;
    mst_diagnostic finding;
} checking;

/* Begins a finding; the caller adds the path, expected and found. */
static void begin(checking *c, const char *code, mst_severity severity, const uint8_t *field, size_t length,
                  const char *message) {
    mst_sfa_fault(&c->finding, MST_OK, code, (uint64_t)(field - c->block.image), message);
    c->finding.severity = severity;
    c->finding.length = length;
}
static mst_status emit(checking *c) {
    return c->report(c->user, &c->finding);
}

static mst_status check_form(checking *c) {
    uint64_t size = 0;
    mst_diagnostic why;
    mst_status status = mst_sfa_block_measure(&c->block, c->calls, &size, &why);
    if (status != MST_OK) {
        c->finding = why;
        c->finding.status = MST_OK;
        c->finding.severity = MST_ERROR;
        return emit(c);
    }
    if (c->block.original_size)
        size = c->block.original_size;
    if (size <= MST_SFA_BLOCK_MAXIMUM)
        return MST_OK;
    begin(c, "SFA-BLOCK-SIZE", MST_WARNING, c->block.image, c->block.size,
          "the block is larger than the game accepts");
    MST_SET(c->finding.expected, "at most %u bytes", MST_SFA_BLOCK_MAXIMUM);
    MST_SET(c->finding.found, "%llu", (unsigned long long)size);
    return emit(c);
}

/* ---- arrays ------------------------------------------------------------------------------------- */

static mst_status check_order(checking *c) {
    const mst_sfa_block *block = &c->block;
    mst_sfa_layout layout;
    mst_sfa_span spans[MST_SFA_SPANS];
    if (!block->original_size ||
        mst_sfa_layout_read(block->original, block->original_size, &layout, NULL) != MST_OK)
        return MST_OK;
    size_t count = mst_sfa_spans(block->original, &layout, spans);
    uint32_t end = MST_SFA_BLOCK_HEADER;
    for (size_t i = 0; i < count; i++) {
        if (spans[i].offset < end) {
            begin(c, "SFA-BLOCK-OVERLAP", MST_WARNING, block->original + spans[i].offset, spans[i].size,
                  "arrays overlap or are in an unusual order");
            MST_SET(c->finding.path, "original");
            MST_SET(c->finding.expected, "at least 0x%X", (unsigned)end);
            MST_SET(c->finding.found, "0x%X", (unsigned)spans[i].offset);
            return emit(c);
        }
        end = spans[i].offset + spans[i].size;
    }
    return MST_OK;
}

static mst_status check_groups(checking *c) {
    const mst_sfa_block *block = &c->block;
    mst_status status = MST_OK;
    for (unsigned i = 1; block->groups && i <= block->group_count && status == MST_OK; i++) {
        const uint8_t *p = block->groups + (size_t)i * MST_SFA_GROUP;
        unsigned first = mst_load16(p, true), before = mst_load16(p - MST_SFA_GROUP, true);
        if (first >= before)
            continue;
        begin(c, "SFA-GROUP-ORDER", MST_WARNING, p, 2,
              "the group's first polygon precedes that of the group before it");
        if (i < block->group_count)
            MST_SET(c->finding.path, "polygon_groups[%u].first_polygon", i);
        else
            MST_SET(c->finding.path, "polygon_sentinel.first_polygon");
        MST_SET(c->finding.expected, "at least %u", before);
        MST_SET(c->finding.found, "%u", first);
        status = emit(c);
    }
    return status;
}

static mst_status check_range(checking *c) {
    const mst_sfa_block *block = &c->block;
    unsigned outside = 0, first = 0;
    for (unsigned i = 0; i < block->position_count; i++)
        for (unsigned axis = 0; axis < 3; axis += 2) {
            int value = (int16_t)mst_load16(block->positions + (size_t)i * 6 + 2 * axis, true);
            if (value >= 0 && value <= 640 * 8)
                continue;
            first = outside++ ? first : i;
            break;
        }
    if (!outside)
        return MST_OK;
    begin(c, "SFA-GEOMETRY-RANGE", MST_INFORMATION, block->positions + (size_t)first * 6, 6,
          "the position lies outside the block's square");
    MST_SET(c->finding.path, "positions[%u]", first);
    MST_SET(c->finding.expected, "x and z from 0 to 5120");
    MST_SET(c->finding.found, "%u such position%s", outside, outside == 1 ? "" : "s");
    return emit(c);
}

static mst_status check_name(checking *c) {
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
    begin(c, "SFA-NAME", MST_WARNING, c->block.image + MST_SFA_IMAGE_NAME, 20,
          "the name does not give the file and block number");
    MST_SET(c->finding.path, "name");
    MST_SET(c->finding.expected, "mod<N>.<sub>");
    MST_SET(c->finding.found, "%.20s", c->block.name);
    return emit(c);
}

/* ---- shaders and lists -------------------------------------------------------------------------- */

static mst_status check_shader(checking *c, unsigned i) {
    const mst_sfa_block *block = &c->block;
    const uint8_t *p = block->shaders + (size_t)i * MST_SFA_SHADER;
    mst_status status = MST_OK;
    if (!(p[0x40] & 2)) {
        begin(c, "SFA-SHADER-ATTRIBUTES", MST_WARNING, p + 0x40, 1,
              "bit 1 is not set, and readers disagree about such streams");
        MST_SET(c->finding.path, "shaders[%u].attributes", i);
        MST_SET(c->finding.found, "%u", p[0x40]);
        status = emit(c);
    }
    if (p[0x41] > 2 && status == MST_OK) {
        begin(c, "SFA-SHADER-ATTRIBUTES", MST_WARNING, p + 0x41, 1, "a shader has at most two layers");
        MST_SET(c->finding.path, "shaders[%u].layer_count", i);
        MST_SET(c->finding.expected, "at most 2");
        MST_SET(c->finding.found, "%u", p[0x41]);
        status = emit(c);
    }
    for (unsigned k = 0; k < 2 && k < p[0x41] && status == MST_OK; k++) {
        int32_t texture = (int32_t)mst_load32(p + 0x24 + 8 * k, true);
        if (texture >= -1 && texture < (int32_t)block->texture_count)
            continue;
        begin(c, "SFA-TEXTURE-INDEX", MST_WARNING, p + 0x24 + 8 * k, 4, "the block has no such texture");
        MST_SET(c->finding.path, "shaders[%u].layers[%u].texture", i, k);
        MST_SET(c->finding.expected, "below %u", block->texture_count);
        MST_SET(c->finding.found, "%ld", (long)texture);
        status = emit(c);
    }
    return status;
}

static mst_status check_list(checking *c, unsigned i) {
    const uint8_t *p = c->block.image + c->block.list_offsets[i];
    mst_status status = MST_OK;
    if (c->calls[i].stream == MST_SFA_NOT_CALLED) {
        begin(c, "SFA-LIST-UNUSED", MST_WARNING, p, MST_SFA_LIST_FORM, "no stream draws the list");
        MST_SET(c->finding.path, "lists[%u]", i);
        status = emit(c);
    }
    return status;
}

/* ---- derived values ----------------------------------------------------------------------------- */

/* How findings name and print derived values. */
static const struct {
    const char *code, *message;
    uint8_t width;
    bool is_signed;
    const char *names[6]; /* of the fields, `count` numbers each */
    uint8_t count;
} derived[MST_SFA_DERIVED_KINDS] = {
    [MST_SFA_D_GROUP_BOX] = {"SFA-BOUNDS",
                             "the box is not that of the polygons",
                             2,
                             true,
                             {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"},
                             1},
    [MST_SFA_D_STRIPS] = {"SFA-SUB-BLOCKS",
                          "sub_blocks are not the strips that the polygon touches",
                          2,
                          false,
                          {"sub_blocks"},
                          1},
    [MST_SFA_D_LIST_BOUNDS] =
        {"SFA-BOUNDS", "the box is not that of the vertices", 2, true, {"bounds_min", "bounds_max"}, 3},
    [MST_SFA_D_LIST_SHADER] =
        {"SFA-SHADER-INDEX", "the stream draws the list with another shader", 1, false, {"shader"}, 1},
    [MST_SFA_D_SHADER_BITS] =
        {"SFA-BITS", "the stream's shader op is at another bit", 2, false, {"shader_bit_address"}, 1},
    [MST_SFA_D_MATRIX_BITS] =
        {"SFA-BITS", "the stream's matrices op is at another bit", 2, false, {"matrix_bit_address"}, 1},
    [MST_SFA_D_Y_RANGE] =
        {"SFA-BOUNDS", "the y range is not that of the groups", 2, true, {"y_min", "y_max"}, 1},
};

#define NUMBERS 40 /* for the text of three numbers */

static void numbers_text(const uint8_t *p, unsigned kind, char text[NUMBERS]) {
    size_t length = 0;
    for (unsigned i = 0; i < derived[kind].count; i++, p += derived[kind].width) {
        long value = derived[kind].width == 1  ? *p
                     : derived[kind].is_signed ? (int16_t)mst_load16(p, true)
                                               : mst_load16(p, true);
        length += (size_t)snprintf(text + length, NUMBERS - length, "%s%ld", i ? ", " : "", value);
    }
}

/* One finding for each field that differs. */
static mst_status check_derived(checking *c, mst_sfa_derived_kind kind, unsigned index) {
    uint8_t made[12];
    unsigned size = mst_sfa_derive(&c->block, c->calls, kind, index, made);
    const uint8_t *field = mst_sfa_derived_place(&c->block, kind, index);
    unsigned step = (unsigned)derived[kind].width * derived[kind].count;
    mst_status status = MST_OK;
    if (!size || memcmp(field, made, size) == 0)
        return MST_OK;
    if (kind == MST_SFA_D_LIST_SHADER && *field >= c->block.shader_count)
        return MST_OK; /* reported as a dangling reference */
    for (unsigned i = 0; i < size / step && status == MST_OK; i++) {
        if (memcmp(field + i * step, made + i * step, step) == 0)
            continue;
        char expected[NUMBERS], found[NUMBERS], path[40];
        begin(c, derived[kind].code, MST_WARNING, field + i * step, step, derived[kind].message);
        numbers_text(made + i * step, kind, expected);
        numbers_text(field + i * step, kind, found);
        MST_SET(c->finding.expected, "%s", expected);
        MST_SET(c->finding.found, "%s", found);
        if (kind == MST_SFA_D_GROUP_BOX)
            MST_SET(path, "polygon_groups[%u].", index);
        else if (kind == MST_SFA_D_STRIPS)
            MST_SET(path, "polygons[%u].", index);
        else if (kind != MST_SFA_D_Y_RANGE)
            MST_SET(path, "lists[%u].", index);
        else
            path[0] = 0;
        MST_SET(c->finding.path, "%s%s", path, derived[kind].names[i]);
        status = emit(c);
    }
    return status;
}

static mst_status check_all(checking *c) {
    mst_status status = check_form(c);
    if (status == MST_OK)
        status = check_order(c);
    if (status == MST_OK)
        status = check_groups(c);
    if (status == MST_OK)
        status = check_range(c);
    if (status == MST_OK)
        status = check_name(c);
    for (unsigned i = 0; i < c->block.shader_count && status == MST_OK; i++)
        status = check_shader(c, i);
    for (unsigned i = 0; i < c->block.list_count && status == MST_OK; i++)
        status = check_list(c, i);
    for (unsigned kind = 0; kind < MST_SFA_DERIVED_KINDS; kind++) {
        unsigned count = mst_sfa_derived_count(&c->block, (mst_sfa_derived_kind)kind);
        for (unsigned i = 0; i < count && status == MST_OK; i++)
            status = check_derived(c, (mst_sfa_derived_kind)kind, i);
    }
    return status;
}

mst_status mst_sfa_block_check(const uint8_t *image, size_t size, mst_report_function report, void *user) {
    checking c = {.report = report, .user = user};
    if (mst_sfa_block_view(image, size, &c.block) != MST_OK || c.block.raw)
        return MST_OK;
    mst_sfa_block_calls(&c.block, c.calls);
    return check_all(&c);
}
