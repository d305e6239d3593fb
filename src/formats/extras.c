/* SPDX-License-Identifier: MIT */
#include "extras.h"
#include <stdio.h>

static void add_number(mst_extras_builder *extras, const char *name, const mst_value *value) {
    int64_t integer = 0;
    double real = 0;
    if (mst_value_type(value) == MST_TYPE_REAL) {
        mst_get_real(value, &real);
        mst_extras_real(extras, name, real);
    } else {
        mst_get_integer(value, &integer);
        mst_extras_integer(extras, name, integer);
    }
}

void mst_extras_flags(mst_extras_builder *extras, const mst_field *field, uint64_t bits) {
    char text[1024], name[64];
    size_t length = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        if (!(bits >> bit & 1))
            continue;
        const char *known = mst_name_of_number(field->names, bit);
        char number[16];
        snprintf(number, sizeof number, "bit_%u", (unsigned)bit);
        int wrote =
            snprintf(text + length, sizeof text - length, "%s%s", length ? " " : "", known ? known : number);
        length += wrote > 0 ? (size_t)wrote : 0;
        if (MST_UNREACHABLE(length >= sizeof text)) /* all names of the longest enum fit in 600 bytes */
            return;
    }
    snprintf(name, sizeof name, "%s_names", field->name);
    mst_extras_text(extras, name, text, length);
}

void mst_extras_fields(mst_extras_builder *extras, const mst_value *record) {
    mst_value field, element;
    for (mst_iterator it = mst_iterate(record); mst_next(&it, &field);) {
        const mst_field *known = mst_field_of(&field);
        uint64_t bits = 0;
        char name[64];
        if (mst_value_type(&field) == MST_TYPE_LIST) {
            unsigned index = 0;
            for (mst_iterator each = mst_iterate(&field); mst_next(&each, &element); index++) {
                snprintf(name, sizeof name, "%s_%u", known->name, index);
                add_number(extras, name, &element);
            }
            continue;
        }
        add_number(extras, known->name, &field);
        const char *value_name = mst_get_name(&field);
        if (known->flags & MST_FIELD_FLAGS) {
            mst_get_unsigned(&field, &bits);
            mst_extras_flags(extras, known, bits);
        } else if (value_name) {
            snprintf(name, sizeof name, "%s_name", known->name);
            mst_extras_string(extras, name, value_name);
        }
    }
}

const char *mst_scene_text_of(mst_scene_builder *builder, mst_arena *arena, const mst_value *value,
                              size_t *length) {
    size_t total = 0;
    if (length)
        *length = 0;
    if (!mst_scene_ok(builder) || mst_get_text(value, NULL, 0, &total) != MST_OK || !total)
        return "";
    char *text = mst_arena_take(arena, total + 1, 1); /* at most three bytes for two in the file */
    if (!text) {
        mst_scene_fail(builder);
        return "";
    }
    mst_get_text(value, text, total + 1, NULL);
    if (length)
        *length = total;
    return text;
}
