/* SPDX-License-Identifier: MIT */
/* The fields of placed objects as extras of their nodes, by the tables that also describe documents. */
#include "sfa_parameters.h"
#include "../../../core/number.h"
#include "../../present.h"
#include <math.h>
#include <string.h>

#define LOAD_GROUPED 0x10

/* Adds a list of numbers as one text, "255 127 0", without unused links. */
static void add_numbers(mst_extra_list *list, const mst_value *numbers) {
    const mst_field *field = mst_field_of(numbers);
    char text[16 * MST_NUMBER_MAX];
    size_t length = 0;
    mst_shape shape = mst_shape_of_list(numbers);
    for (uint64_t i = 0; i < shape.count; i++) {
        if (MST_UNREACHABLE(i == 16)) /* no field has this many */
            break;
        uint64_t bits = mst_scalar_bits(numbers->document, field, numbers->offset + i * shape.element);
        if (field->kind == MST_KIND_U32 && bits == MST_SFA_NO_LINK)
            continue;
        if (length)
            text[length++] = ' ';
        length += mst_write_i64(text + length, (int64_t)bits);
    }
    mst_extra_text(list, field->name, mst_scene_text(list->scene, text, length));
}

static bool is_unknown(const char *name) {
    return strncmp(name, "unknown", 7) == 0;
}

static void add_parameters(mst_extra_list *list, const mst_value *parameters) {
    mst_value value;
    for (mst_iterator it = mst_iterate(parameters); mst_next(&it, &value);) {
        const mst_field *field = mst_field_of(&value);
        if (!mst_is_number(field) || is_unknown(field->name))
            continue;
        if (mst_is_list(field)) {
            add_numbers(list, &value);
        } else if (field->kind == MST_KIND_F32) {
            float real = mst_f32_of_bits((uint32_t)mst_scalar_of(&value));
            if (isfinite(real))
                mst_extra_real(list, field->name, (double)real);
        } else {
            int64_t number = (int64_t)mst_scalar_of(&value);
            const char *name = field->names ? mst_name_of_number(field->names, number) : NULL;
            if (name)
                mst_extra_text(list, field->name, name);
            else
                mst_extra_integer(list, field->name, number);
        }
    }
}

/* Adds the acts in which the object exists, as "1 2 5". */
static void add_acts(mst_extra_list *list, const mst_sfa_object *object) {
    char text[64];
    size_t length = 0;
    unsigned count = 0;
    for (unsigned act = 1; act <= 15; act++) {
        bool missing = act <= 8 ? object->acts_0 >> (act - 1) & 1 : object->acts_1 >> (16 - act) & 1;
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

static void add_header(mst_extra_list *list, const mst_sfa_object *object, const char *name) {
    mst_extra_integer(list, "type", object->type);
    mst_extra_text(list, "name", name);
    mst_extra_integer(list, "id", object->id);
    if (object->type == MST_SFA_CURVE) {
        mst_value groups = mst_member_in(&object->value, "link_walk_groups");
        mst_extra_integer(list, "walk_group", (int64_t)mst_number_in(&object->value, "walk_group"));
        add_numbers(list, &groups);
        return;
    }
    unsigned flags = object->load_flags;
    add_acts(list, object);
    if (load_name(flags))
        mst_extra_text(list, "load", load_name(flags));
    else
        mst_extra_integer(list, "load", flags);
    if (flags & LOAD_GROUPED)
        mst_extra_integer(list, "group", object->bound);
    else
        mst_extra_integer(list, "load_radius", 8 * object->bound);
    mst_extra_integer(list, "cull_distance", 8 * object->cull_distance);
}

static void add_bytes(mst_extra_list *list, const mst_value *object) {
    const uint8_t *bytes = object->document->data + object->offset + MST_SFA_OBJECT_HEADER;
    uint64_t count = object->end - object->offset - MST_SFA_OBJECT_HEADER;
    if (!count)
        return;
    char *text = mst_scene_take(list->scene, count * 2 + 1, 1);
    if (!text)
        return;
    for (size_t i = 0; i < count; i++)
        mst_write_hex(text + 2 * i, bytes[i], 2);
    text[2 * count] = 0;
    mst_extra_text(list, "parameters", text);
}

void mst_sfa_add_parameters(mst_extra_list *list, const mst_sfa_object *object, const char *name) {
    add_header(list, object, name);
    add_parameters(list, &object->parameters);
    add_bytes(list, &object->value);
}

/* ---- directions --------------------------------------------------------------------------------- */

/*
 * The byte of a field that turns the object about Y; -1: none. Fields with several angles are named after the
 * order in which the game keeps them, and there x is the angle about Y: upright trees differ in it, and so do
 * lamps on walls. For objects with a single angle named y, this is the angle.
 */
static int yaw_byte(const char *name) {
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

const char *mst_sfa_yaw_in(const mst_record *part, unsigned *byte) {
    for (uint32_t i = 0; part && i < part->field_count; i++)
        if (yaw_byte(part->fields[i].name) >= 0) { /* x precedes y */
            *byte = (unsigned)yaw_byte(part->fields[i].name);
            return part->fields[i].name;
        }
    return NULL;
}

void mst_sfa_position_of(const mst_sfa_object *object, float position[3]) {
    for (unsigned i = 0; i < 3; i++)
        position[i] = isfinite(object->position[i]) ? object->position[i] : 0;
}

bool mst_sfa_has_parameters(const mst_sfa_object *object) {
    return object->parameters.document != NULL;
}
