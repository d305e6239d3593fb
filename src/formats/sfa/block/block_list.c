/* SPDX-License-Identifier: MIT */
/* Display lists: commands with vertices, whose indices have one or two bytes each. */
#include "parts.h"

unsigned mst_sfa_texcoords_of(const mst_sfa_call *call, const mst_sfa_shaders *shaders) {
    if (call->stream == MST_SFA_NOT_CALLED)
        return MST_SFA_TEXCOORDS_UNKNOWN;
    if (call->shader == MST_SFA_NO_SHADER)
        return 1;
    if (call->shader >= shaders->all.count)
        return MST_SFA_TEXCOORDS_UNKNOWN;
    if (mst_column_u32(&shaders->flags, call->shader, 0) & MST_SFA_SHADER_WATER)
        return 1;
    unsigned layers = mst_column_u8(&shaders->layer_counts, call->shader, 0);
    return layers <= 2 ? layers : MST_SFA_TEXCOORDS_UNKNOWN;
}

/* Primitives of vertex format 5. */
static bool is_primitive(uint8_t opcode) {
    return opcode >= 0x80 && opcode < 0xC0 && (opcode & 7) == 5;
}

unsigned mst_sfa_vertex_size(unsigned texcoords, uint8_t wide) {
    return 1u + (wide & 1u) + 1u + (wide >> 1 & 1u) + texcoords * (1u + (wide >> 2 & 1u));
}

/* The number of zero commands after the last nonzero one; zeros up to a multiple of 32 are padding
 * instead. */
static uint32_t zeros_after(uint32_t used, uint32_t size) {
    uint32_t filled = (used + 31) / 32 * 32;
    return size > filled ? size - filled : 0;
}

static void list_path(mst_diagnostic *diagnostic, unsigned list, uint64_t command) {
    MST_SET(diagnostic->path, "lists[%u].commands[%llu]", list, (unsigned long long)command);
}

/* The size without trailing zeros. */
static uint32_t used_of(const uint8_t *data, uint32_t size) {
    while (size && !data[size - 1])
        size--;
    return size;
}

mst_status mst_sfa_list_measure(const uint8_t *data, uint32_t size, uint32_t offset, unsigned list,
                                const mst_sfa_indices *indices, size_t *length, mst_diagnostic *diagnostic) {
    unsigned stride = mst_sfa_vertex_size(indices->texcoords, indices->wide),
             made = 4 + 2 * indices->texcoords;
    uint32_t at = 0, used = 0, last = used_of(data, size), command = 0;
    *length = 0;
    for (; at < last; command++) {
        uint8_t opcode = data[at];
        const char *message = NULL;
        unsigned vertices = 0;
        if (!opcode) {
            at++;
            *length += 1;
            continue;
        }
        if (!is_primitive(opcode))
            message = "the opcode is unknown";
        else if (!mst_fits(at, 3, size))
            message = "the command runs past the list's data";
        else if (!mst_fits(at + 3, (uint64_t)(vertices = mst_load16(data + at + 1, true)) * stride, size))
            message = "the vertices run past the list's data";
        if (message) {
            mst_sfa_fault(diagnostic, MST_DAMAGED, "SFA-LIST", (uint64_t)offset + at, message);
            list_path(diagnostic, list, command);
            if (vertices)
                MST_SET(diagnostic->expected, "%u bytes for %u vertices", vertices * stride, vertices);
            MST_SET(diagnostic->found, vertices ? "%u" : "0x%02X", vertices ? size - at - 3 : opcode);
            return MST_DAMAGED;
        }
        at += 3 + vertices * stride;
        used = at;
        *length += 3 + vertices * made;
    }
    *length += zeros_after(used, size);
    return MST_OK;
}

/* Widens an index to 16 bits and updates the largest. */
static inline const uint8_t *widen(const uint8_t *p, uint8_t *out, bool wide, unsigned *max) {
    unsigned value = wide ? mst_load16(p, true) : *p;
    if (value > *max)
        *max = value;
    out[0] = (uint8_t)(value >> 8);
    out[1] = (uint8_t)value;
    return p + (wide ? 2 : 1);
}

/* Inlined for each vertex format, so that the loop has no branches. */
static inline void widen_all(const uint8_t *p, uint8_t *out, unsigned count, unsigned texcoords, bool wide_0,
                             bool wide_1, bool wide_2, unsigned max[3]) {
    unsigned a = max[0], b = max[1], c = max[2];
    for (unsigned i = 0; i < count; i++) {
        p = widen(p, out, wide_0, &a);
        p = widen(p, out + 2, wide_1, &b);
        for (unsigned k = 0; k < texcoords; k++)
            p = widen(p, out + 4 + 2 * k, wide_2, &c);
        out += 4 + 2 * texcoords;
    }
    max[0] = a;
    max[1] = b;
    max[2] = c;
}

static void widen_vertices(const uint8_t *p, uint8_t *out, unsigned count, const mst_sfa_indices *indices,
                           unsigned max[3]) {
    switch ((unsigned)indices->wide << 4 | indices->texcoords) {
    case 0x01: widen_all(p, out, count, 1, false, false, false, max); break;
    case 0x02: widen_all(p, out, count, 2, false, false, false, max); break;
    case 0x51: widen_all(p, out, count, 1, true, false, true, max); break;
    case 0x52: widen_all(p, out, count, 2, true, false, true, max); break;
    case 0x71: widen_all(p, out, count, 1, true, true, true, max); break;
    case 0x72: widen_all(p, out, count, 2, true, true, true, max); break;
    default:
        widen_all(p, out, count, indices->texcoords, indices->wide & 1, indices->wide & 2, indices->wide & 4,
                  max);
        break;
    }
}

static const char *const attributes[] = {"position", "color", "texcoord", "texcoord_1"};

/* Finds the first index of a command's vertices (as in an image) that is not below its limit; false if all
 * are. */
static bool find_index(const uint8_t *vertices, unsigned count, unsigned texcoords, const unsigned limits[3],
                       unsigned *vertex, unsigned *attribute) {
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < 2 + texcoords; k++, vertices += 2)
            if (mst_load16(vertices, true) >= limits[k < 2 ? k : 2]) {
                *vertex = i;
                *attribute = k;
                return true;
            }
    return false;
}

static mst_status index_fault(mst_diagnostic *diagnostic, mst_status status, uint64_t offset, unsigned list,
                              uint32_t command, unsigned vertex, unsigned attribute, unsigned limit,
                              unsigned found, const char *message) {
    mst_sfa_fault(diagnostic, status, "SFA-LIST", offset, message);
    MST_SET(diagnostic->path, "lists[%u].commands[%u].vertices[%u].%s", list, (unsigned)command, vertex,
            attributes[attribute]);
    MST_SET(diagnostic->expected, "below %u", limit);
    MST_SET(diagnostic->found, "%u", found);
    return status;
}

/* Maps the indices of vertices in an image to their bytes in the file, all or some of which are narrower. */
static void vertex_places(mst_parsed_writer *w, const uint8_t *data, unsigned made, unsigned stride) {
    if (made == stride)
        mst_parsed_units(w, data, 1, 1);
    else if (made == 2 * stride)
        mst_parsed_units(w, data, 2, 1);
    else
        mst_parsed_units(w, data, (uint16_t)made, (uint16_t)stride);
}

mst_status mst_sfa_list_read(const uint8_t *data, uint32_t size, uint32_t offset, unsigned list,
                             const mst_sfa_indices *indices, mst_parsed_writer *w,
                             mst_diagnostic *diagnostic) {
    unsigned texcoords = indices->texcoords, stride = mst_sfa_vertex_size(texcoords, indices->wide);
    unsigned made = 4 + 2 * texcoords;
    uint32_t at = 0, used = 0, last = used_of(data, size), command = 0;
    size_t count_at = w->to->size;
    mst_parsed_number(w, 0, 4);
    uint8_t *out = w->to->data + w->to->size;
    for (; at < last; command++, w->to->size = (size_t)(out - w->to->data)) {
        mst_parsed_units(w, data + at, 1, 1);
        uint8_t opcode = *out++ = data[at++];
        if (!opcode)
            continue;
        unsigned vertices = mst_load16(data + at, true);
        unsigned max[3] = {0, 0, 0};
        mst_store16(out, (uint16_t)vertices, true);
        at += 2;
        out += 2;
        widen_vertices(data + at, out, vertices, indices, max);
        bool holds = max[0] < indices->counts[0] && max[1] < indices->counts[1] &&
                     (!texcoords || max[2] < indices->counts[2]);
        unsigned vertex, attribute;
        if (!holds && find_index(out, vertices, texcoords, indices->counts, &vertex, &attribute))
            return index_fault(diagnostic, MST_DAMAGED, (uint64_t)offset + at + vertex * stride, list,
                               command, vertex, attribute, indices->counts[attribute < 2 ? attribute : 2],
                               mst_load16(out + (size_t)vertex * made + 2 * attribute, true),
                               "the index is past the end of its array");
        w->to->size = (size_t)(out - w->to->data);
        if (vertices)
            vertex_places(w, data + at, made, stride);
        out += (size_t)vertices * made;
        at += vertices * stride;
        used = at;
    }
    uint32_t zeros = zeros_after(used, size);
    if (zeros)
        mst_parsed_units(w, data + used, 1, 1);
    memset(out, 0, zeros);
    w->to->size += zeros;
    mst_store32(w->to->data + count_at, command + zeros, true);
    mst_parsed_note(w, "padding", MST_BYTES_PADDING, data + used + zeros, size - used - zeros);
    return MST_OK;
}

/* ---- of an image -------------------------------------------------------------------------------- */

mst_sfa_commands mst_sfa_list_commands(const mst_sfa_block *block, unsigned list) {
    mst_sfa_list from = mst_sfa_block_list(block, list);
    if (from.form)
        return (mst_sfa_commands){.left = 0};
    return (mst_sfa_commands){.index = UINT32_MAX,
                              .texcoord_count = from.texcoord_count,
                              .stride = 4 + 2u * from.texcoord_count,
                              .left = from.count,
                              .next = from.data};
}

bool mst_sfa_next_command(mst_sfa_commands *commands) {
    if (!commands->left)
        return false;
    commands->left--;
    commands->index++;
    commands->opcode = *commands->next++;
    commands->vertex_count = 0;
    commands->vertices = commands->next;
    if (commands->opcode) {
        commands->vertex_count = mst_load16(commands->next, true);
        commands->vertices += 2;
        commands->next = commands->vertices + (size_t)commands->vertex_count * commands->stride;
    }
    return true;
}

mst_status mst_sfa_list_serialize_measure(const mst_sfa_block *block, unsigned list,
                                          const mst_sfa_indices *indices, mst_sfa_list_size *size,
                                          mst_diagnostic *diagnostic) {
    unsigned stride = mst_sfa_vertex_size(indices->texcoords, indices->wide);
    unsigned limits[3];
    for (unsigned i = 0; i < 3; i++)
        limits[i] = !(indices->wide >> i & 1) && indices->counts[i] > 256 ? 256 : indices->counts[i];
    *size = (mst_sfa_list_size){0, 0};
    uint64_t at = 0, used = 0;
    for (mst_sfa_commands it = mst_sfa_list_commands(block, list); mst_sfa_next_command(&it);) {
        uint64_t offset = (uint64_t)(it.vertices - block->image);
        unsigned vertex, attribute;
        at++;
        if (!it.opcode) {
            size->zeros++;
            continue;
        }
        if (!is_primitive(it.opcode)) {
            mst_sfa_fault(diagnostic, MST_REFUSED, "SFA-LIST", offset - 3, "the opcode is unknown");
            list_path(diagnostic, list, it.index);
            MST_SET(diagnostic->found, "0x%02X", it.opcode);
            return MST_REFUSED;
        }
        if (find_index(it.vertices, it.vertex_count, it.texcoord_count, limits, &vertex, &attribute)) {
            unsigned kind = attribute < 2 ? attribute : 2;
            size_t at_index = (size_t)vertex * it.stride + 2 * attribute;
            unsigned value = mst_load16(it.vertices + at_index, true);
            return index_fault(diagnostic, MST_REFUSED, offset + at_index, list, it.index, vertex, attribute,
                               limits[kind], value,
                               value < indices->counts[kind] ? "the stream's format allows only 8-bit indices"
                                                             : "the index is past the end of its array");
        }
        at += 2 + (uint64_t)it.vertex_count * stride;
        size->zeros = 0;
        used = at;
    }
    /* trailing zeros count, even in the last command */
    if (at > 0xFFFF - 31) {
        mst_sfa_fault(diagnostic, MST_REFUSED, "SFA-LIST", block->list_offsets[list],
                      "a list has at most 65504 bytes");
        MST_SET(diagnostic->path, "lists[%u].commands", list);
        MST_SET(diagnostic->found, "%llu", (unsigned long long)at);
        return MST_REFUSED;
    }
    size->used = (uint32_t)used;
    return MST_OK;
}

void mst_sfa_list_write(const mst_sfa_block *block, unsigned list, uint8_t wide, uint8_t *data) {
    for (mst_sfa_commands it = mst_sfa_list_commands(block, list); mst_sfa_next_command(&it);) {
        *data++ = it.opcode;
        if (!it.opcode)
            continue;
        mst_store16(data, it.vertex_count, true);
        data += 2;
        const uint8_t *p = it.vertices;
        for (unsigned i = 0; i < it.vertex_count; i++)
            for (unsigned k = 0; k < 2 + it.texcoord_count; k++, p += 2) {
                if (wide >> (k < 2 ? k : 2) & 1)
                    *data++ = p[0];
                *data++ = p[1];
            }
    }
}
