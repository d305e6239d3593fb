/* SPDX-License-Identifier: MIT */
/* Numbers in JSON: the bits that a field stores for them. */
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/number.h"
#include "../core/spelling.h"
#include "../core/text.h"
#include "../read/engine.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>

static bool special_real(const mst_field *field, const char *text, size_t length, uint64_t *bits) {
    bool wide = field->kind == MST_KIND_F64;
    if (length == 8 && memcmp(text, "Infinity", 8) == 0)
        *bits = wide ? mst_bits_of_f64((double)INFINITY) : mst_bits_of_f32(INFINITY);
    else if (length == 9 && memcmp(text, "-Infinity", 9) == 0)
        *bits = wide ? mst_bits_of_f64((double)-INFINITY) : mst_bits_of_f32(-INFINITY);
    else if (length == 3 && memcmp(text, "NaN", 3) == 0)
        *bits = wide ? UINT64_C(0x7FF8000000000000) : 0x7FC00000u;
    else if (length == (wide ? 20u : 12u) && memcmp(text, "NaN:", 4) == 0) {
        uint8_t bytes[8];
        if (!mst_read_hex(text + 4, length - 4, bytes))
            return false;
        *bits = wide ? mst_load64(bytes, true) : mst_load32(bytes, true);
    } else {
        return false;
    }
    return true;
}

const char *mst_kind_of_json(const mst_json_node *node) {
    static const char *const names[] = {"null",     "false",  "true",     "a number",
                                        "a string", "a list", "an object"};
    return names[node->kind];
}

static void describe(mst_misfit *why, const mst_json_node *node, const char *expected) {
    why->message = "the value does not fit the field";
    MST_SET(why->expected, "%s", expected);
    if (node->kind == MST_JSON_NUMBER || node->kind == MST_JSON_STRING)
        MST_SET(why->found, "%.*s", node->length < 40 ? (int)node->length : 40, node->text);
    else
        MST_SET(why->found, "%s", mst_kind_of_json(node));
}

#define NEAREST 3 /* names that are listed */

/* Describes a name that the field does not have: the nearest ones that it has. */
static void describe_nearest(mst_misfit *why, const mst_json_node *node, const mst_enum *names) {
    size_t taken[NEAREST] = {0}, length = 0, count = names->count < NEAREST ? names->count : NEAREST;
    unsigned at[NEAREST] = {0};
    describe(why, node, "");
    for (size_t n = 0; n < count; n++) {
        at[n] = UINT_MAX;
        for (size_t i = 0; i < names->count; i++) {
            bool is_taken = false;
            for (size_t before = 0; before < n; before++)
                is_taken = is_taken || taken[before] == i;
            const char *name = names->items[i].name;
            unsigned distance =
                mst_spelling_distance(node->text, node->length, name, strlen(name), MST_SPELLING_MAX);
            if (!is_taken && distance < at[n]) {
                at[n] = distance;
                taken[n] = i;
            }
        }
        if (n && at[0] <= 2 && at[n] > 2)
            break; /* the intended name is clear */
        length += (size_t)snprintf(why->expected + length, sizeof why->expected - length, "%s%.20s",
                                   n ? ", " : "", names->items[taken[n]].name);
    }
    snprintf(why->expected + length, sizeof why->expected - length, ", or an integer");
}

/* ~3164: a number whose sense is inverted. */
static bool turned_number(const mst_json_node *node, uint64_t *bits) {
    uint64_t number;
    if (node->kind != MST_JSON_STRING || node->length < 2 || node->text[0] != '~' ||
        !mst_read_u64(node->text + 1, node->length - 1, &number) || number >= 0x7FFF)
        return false;
    *bits = (number | 0x8000) - 0x10000;
    return true;
}

bool mst_number_of_json(const mst_field *field, const mst_json_node *node, uint64_t *bits, mst_misfit *why) {
    *bits = 0;
    bool too_large = false;
    bool real = field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64;
    bool flags = (field->flags & MST_FIELD_FLAGS) != 0;
    if (flags && node->kind == MST_JSON_ARRAY && node->count == 1 && node[1].kind == MST_JSON_NUMBER)
        node++;
    if (flags && (node->kind == MST_JSON_STRING || node->kind == MST_JSON_ARRAY))
        return mst_flags_of_json(field, node, NULL, bits, why);
    if (!flags && (node->kind == MST_JSON_TRUE || node->kind == MST_JSON_FALSE)) {
        *bits = node->kind == MST_JSON_TRUE;
        if (!real)
            return true;
    }
    if (node->kind == MST_JSON_NUMBER && real) {
        float single = 0;
        double both = 0;
        if (field->kind == MST_KIND_F32 ? mst_read_f32(node->text, node->length, &single)
                                        : mst_read_f64(node->text, node->length, &both)) {
            *bits = field->kind == MST_KIND_F32 ? mst_bits_of_f32(single) : mst_bits_of_f64(both);
            return true;
        }
    }
    if ((field->flags & MST_FIELD_SENSE) && turned_number(node, bits))
        return true;
    if (node->kind == MST_JSON_STRING && real && special_real(field, node->text, node->length, bits))
        return true;
    if (node->kind == MST_JSON_STRING && field->names)
        for (size_t i = 0; i < field->names->count; i++)
            if (strlen(field->names->items[i].name) == node->length &&
                memcmp(field->names->items[i].name, node->text, node->length) == 0) {
                *bits = (uint64_t)field->names->items[i].value;
                return true;
            }
    if ((node->kind == MST_JSON_NUMBER || node->kind == MST_JSON_STRING) && !real && node->length) {
        uint64_t magnitude;
        bool negative = node->text[0] == '-';
        double integer;
        if (mst_read_u64(node->text + negative, node->length - negative, &magnitude)) {
            /* 16 hexadecimal digits are the bits themselves */
            bool as_bits = node->kind == MST_JSON_STRING && field->kind == MST_KIND_I64 && !negative;
            if (as_bits) {
                *bits = magnitude;
                return true;
            }
            if (mst_integer_fits(field->kind, negative, magnitude, bits))
                return true;
            too_large = true;
        } else if (node->kind == MST_JSON_NUMBER && mst_read_f64(node->text, node->length, &integer) &&
                   integer == floor(integer) && fabs(integer) < 9007199254740992.0 &&
                   mst_integer_fits(field->kind, integer < 0, (uint64_t)fabs(integer), bits)) {
            return true; /* 1e3, 2.0 */
        }
    }
    if (node->kind == MST_JSON_STRING && field->names && field->names->count && !flags && !too_large) {
        describe_nearest(why, node, field->names);
        return false;
    }
    describe(why, node,
             too_large ? "an integer of the field's size"
             : real    ? "a number"
             : flags   ? "a list of flags, or an integer"
                       : "an integer");
    return false;
}
