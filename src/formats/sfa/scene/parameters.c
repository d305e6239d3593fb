/* SPDX-License-Identifier: MIT */
/* The fields of placed objects as extras of their nodes, by the tables that also describe documents. */
#include "parameters.h"
#include "../../../core/number.h"
#include "../../../core/unreachable.h"
#include "../objects/objects.h"
#include <math.h>
#include <string.h>

#define LOAD_GROUPED 0x10

static unsigned width_of(uint8_t number_kind) {
    switch (number_kind) {
    case MST_KIND_U8:
    case MST_KIND_I8: return 1;
    case MST_KIND_U16:
    case MST_KIND_I16: return 2;
    case MST_KIND_U32:
    case MST_KIND_I32:
    case MST_KIND_F32: return 4;
    default: return 0;
    }
}

static int64_t integer_at(const uint8_t *bytes, uint8_t number_kind) {
    switch (number_kind) {
    case MST_KIND_U8: return bytes[0];
    case MST_KIND_I8: return (int8_t)bytes[0];
    case MST_KIND_U16: return mst_load16(bytes, true);
    case MST_KIND_I16: return (int16_t)mst_load16(bytes, true);
    case MST_KIND_I32: return (int32_t)mst_load32(bytes, true);
    default: return mst_load32(bytes, true);
    }
}

/* Adds a list of numbers as one text, "255 127 0", without unused links. */
static void add_numbers(mst_extra_list *list, const mst_field *field, const uint8_t *bytes) {
    char text[16 * MST_NUMBER_MAX];
    size_t length = 0;
    unsigned width = width_of(field->kind);
    for (uint32_t i = 0; i < field->count; i++) {
        if (MST_UNREACHABLE(i == 16)) /* no field has that many */
            break;
        int64_t number = integer_at(bytes + (size_t)i * width, field->kind);
        if (field->kind == MST_KIND_U32 && number == NO_LINK)
            continue;
        if (length)
            text[length++] = ' ';
        length += mst_write_i64(text + length, number);
    }
    mst_extra_text(list, field->name, mst_scene_text(list->scene, text, length));
}

static bool is_unknown(const char *name) {
    return strncmp(name, "unknown", 7) == 0;
}

/* Adds the known parameters by name, as far as the record is long enough. */
static void add_parameters(mst_extra_list *list, const mst_record *part, const uint8_t *record,
                           uint64_t size) {
    uint64_t at = AT_PARAMETERS;
    unsigned curve_kind = size > AT_CURVE_KIND ? record[AT_CURVE_KIND] : 0;
    for (uint32_t i = 0; part && i < part->field_count; i++) {
        const mst_field *field = &part->fields[i];
        uint32_t length = mst_sfa_parameter_size(field);
        if (!mst_sfa_parameter_there(field, curve_kind))
            continue;
        if (!mst_fits(at, length, size))
            break;
        const uint8_t *bytes = record + at;
        at += length;
        if (!width_of(field->kind) || is_unknown(field->name))
            continue;
        if (field->mode == MST_COUNT_FIXED) {
            add_numbers(list, field, bytes);
        } else if (field->kind == MST_KIND_F32) {
            float real = mst_sfa_real_at(bytes);
            if (isfinite(real))
                mst_extra_real(list, field->name, (double)real);
        } else {
            int64_t number = integer_at(bytes, field->kind);
            const char *name = field->names ? mst_name_of_number(field->names, number) : NULL;
            if (name)
                mst_extra_text(list, field->name, name);
            else
                mst_extra_integer(list, field->name, number);
        }
    }
}

/* Adds the acts in which the object exists, as "1 2 5". */
static void add_acts(mst_extra_list *list, const uint8_t *record) {
    char text[64];
    size_t length = 0;
    unsigned count = 0;
    for (unsigned act = 1; act <= 15; act++) {
        bool missing = act <= 8 ? record[AT_ACTS_0] >> (act - 1) & 1 : record[AT_ACTS_1] >> (16 - act) & 1;
        if (missing)
            continue;
        if (count++)
            text[length++] = ' ';
        length += mst_write_u64(text + length, act);
    }
    mst_extra_text(list, "acts",
                   count == 15 ? "all"
                   : count     ? mst_scene_text(list->scene, text, length)
                               : "none");
}

static const char *load_name(unsigned flags) {
    switch (flags) {
    case 0x01: return "level_object";
    case 0x02: return "manual";
    case 0x04: return "near_player";
    case 0x08: return "by_code";
    case 0x10: return "grouped";
    case 0x20: return "block_object";
    default: return NULL;
    }
}

static void add_header(mst_extra_list *list, int type, const char *name, const uint8_t *record) {
    mst_extra_integer(list, "type", type);
    mst_extra_text(list, "name", name);
    mst_extra_integer(list, "id", mst_load32(record + AT_ID, true));
    if (type == MST_SFA_CURVE) {
        static const mst_field groups = {
            .name = "link_walk_groups", .kind = MST_KIND_U8, .mode = MST_COUNT_FIXED, .count = 4};
        mst_extra_integer(list, "walk_group", record[AT_ACTS_0]);
        add_numbers(list, &groups, record + AT_LOAD_FLAGS);
        return;
    }
    unsigned flags = record[AT_LOAD_FLAGS];
    add_acts(list, record);
    if (load_name(flags))
        mst_extra_text(list, "load", load_name(flags));
    else
        mst_extra_integer(list, "load", flags);
    if (flags & LOAD_GROUPED)
        mst_extra_integer(list, "group", record[AT_BOUND]);
    else
        mst_extra_integer(list, "load_radius", 8 * record[AT_BOUND]);
    mst_extra_integer(list, "cull_distance", 8 * record[AT_CULL_DISTANCE]);
}

static void add_bytes(mst_extra_list *list, const uint8_t *record, uint64_t size) {
    static const char digits[] = "0123456789abcdef";
    uint64_t count = size - AT_PARAMETERS;
    if (!count)
        return;
    char *text = mst_scene_take(list->scene, (size_t)count * 2 + 1, 1);
    if (!text)
        return;
    for (size_t i = 0; i < count; i++) {
        text[2 * i] = digits[record[AT_PARAMETERS + i] >> 4];
        text[2 * i + 1] = digits[record[AT_PARAMETERS + i] & 15];
    }
    text[2 * count] = 0;
    mst_extra_text(list, "parameters", text);
}

void mst_sfa_add_parameters(mst_extra_list *list, int type, const char *name, const mst_record *part,
                            const uint8_t *record, uint64_t size) {
    add_header(list, type, name, record);
    add_parameters(list, part, record, size);
    add_bytes(list, record, size);
}

/* ---- directions --------------------------------------------------------------------------------- */

/*
 * The byte of a field that turns the object about Y; -1: none. Fields with several angles are named after the
 * order in which the game keeps them, and there x is the angle about Y: trees, which stand upright, differ in
 * it, and so do lamps on walls. For objects with a single angle named y, it is that one.
 */
static int yaw_in(const char *name) {
    static const struct {
        const char *name;
        int byte;
    } angles[] = {{"rotation_x", 0},  {"rotation_y", 0}, {"rotation_zyx", 2}, {"rotation_xyz", 0},
                  {"rotation_xy", 0}, {"rotation", 0},   {"yaw", 0}};
    for (size_t i = 0; i < MST_COUNT_OF(angles); i++)
        if (strcmp(name, angles[i].name) == 0)
            return angles[i].byte;
    return -1;
}

int16_t mst_sfa_yaw_offset(const mst_record *part) {
    uint32_t at = AT_PARAMETERS;
    for (uint32_t i = 0; part && i < part->field_count; i++) {
        int byte = yaw_in(part->fields[i].name);
        if (byte >= 0) /* x precedes y */
            return (int16_t)(at + (uint32_t)byte);
        if (mst_sfa_parameter_there(&part->fields[i], 0))
            at += mst_sfa_parameter_size(&part->fields[i]);
    }
    return -1;
}
