/* SPDX-License-Identifier: MIT */
/* Flags: integers whose bits have names. Read and written as names, with a number for bits without a name. */
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/name.h"
#include "../core/number.h"
#include "engine.h"

static uint64_t bit_of(const mst_field *field, const mst_enum_name *name) {
    return (UINT64_C(1) << name->value) & mst_bits_in(field);
}

uint64_t mst_flags_named(const mst_field *field) {
    uint64_t named = 0;
    for (size_t i = 0; i < field->names->count; i++)
        named |= bit_of(field, &field->names->items[i]);
    return named;
}

const char *mst_flags_take(const mst_field *field, uint64_t *left, size_t *next) {
    while (*left && *next < field->names->count) {
        const mst_enum_name *name = &field->names->items[(*next)++];
        uint64_t bit = bit_of(field, name);
        if (*left & bit) {
            *left &= ~bit;
            return name->name;
        }
    }
    return NULL;
}

static bool misfit(mst_misfit *why, const char *message, const char *text, size_t length) {
    why->message = message;
    why->expected[0] = 0;
    MST_SET(why->found, "%.*s", length < 60 ? (int)length : 60, text);
    return false;
}

/* ---- reading ----------------------------------------------------------------------------------- */

typedef struct reader {
    const mst_field *field;
    const uint64_t *old; /* the value that + and - change; NULL: none */
    uint64_t bits;
    enum { NOTHING = 0, PLAIN, SIGNED } met;
    mst_misfit *why;
} reader;

/* Reports an unknown flag and lists the known flags, the most similar first. */
static bool unknown_flag(const reader *r, const char *text, size_t length) {
    misfit(r->why, "unknown flag", text, length);
    mst_names names = {.wanted = r->why->found};
    const mst_enum *all = r->field->names;
    for (size_t i = 0; i < all->count; i++)
        if (bit_of(r->field, &all->items[i]))
            mst_names_add(&names, all->items[i].name);
    mst_names_text(&names, r->why->expected, sizeof r->why->expected);
    return false;
}

/* Reads one name or number. */
static bool read_bits(const reader *r, const char *text, size_t length, uint64_t *bits) {
    const mst_enum *all = r->field->names;
    for (size_t i = 0; i < all->count; i++)
        if (strlen(all->items[i].name) == length && memcmp(all->items[i].name, text, length) == 0) {
            *bits = bit_of(r->field, &all->items[i]);
            return *bits ? true : unknown_flag(r, text, length);
        }
    if (!mst_read_u64(text, length, bits))
        return unknown_flag(r, text, length);
    if (*bits & ~mst_bits_in(r->field))
        return misfit(r->why, "the number has more bits than the field", text, length);
    return true;
}

static bool read_item(reader *r, const char *text, size_t length) {
    while (length && *text == ' ')
        text++, length--;
    while (length && text[length - 1] == ' ')
        length--;
    char sign = length && (*text == '+' || *text == '-') ? *text : 0;
    if (r->met != NOTHING && (r->met == SIGNED) != (sign != 0))
        return misfit(r->why, "either all flags or none must have a + or -", text, length);
    if (sign && !r->old)
        return misfit(r->why, "+ and - need a present value to change", text, length);
    if (sign && r->met == NOTHING)
        r->bits = *r->old;
    r->met = sign ? SIGNED : PLAIN;
    uint64_t bits;
    if (!read_bits(r, text + (sign != 0), length - (sign != 0), &bits))
        return false;
    r->bits = sign == '-' ? r->bits & ~bits : r->bits | bits;
    return true;
}

static bool read_items(reader *r, const char *text, size_t length) {
    for (;;) {
        const char *comma = memchr(text, ',', length);
        size_t item = comma ? (size_t)(comma - text) : length;
        if (!read_item(r, text, item))
            return false;
        if (!comma)
            return true;
        text = comma + 1;
        length -= item + 1;
    }
}

/* Whether the text is a negative decimal number. */
static bool is_negative(const char *text, size_t length) {
    int64_t number;
    return length > 1 && *text == '-' && !memchr(text, 'x', length) && !memchr(text, 'X', length) &&
           mst_read_i64(text, length, &number);
}

static bool negative_bits(const mst_field *field, const char *text, size_t length, uint64_t *bits) {
    uint64_t magnitude;
    return mst_read_u64(text + 1, length - 1, &magnitude) &&
           mst_integer_fits(field->kind, true, magnitude, bits);
}

/* Extends the bits in the same way as reading the field. */
static uint64_t extended(const mst_field *field, uint64_t bits) {
    uint64_t mask = mst_bits_in(field), sign = mask ^ mask >> 1;
    bits &= mask;
    return mst_is_signed(field->kind) ? (bits ^ sign) - sign : bits;
}

bool mst_flags_of_text(const mst_field *field, const char *text, size_t length, const uint64_t *old,
                       uint64_t *bits, mst_misfit *why) {
    reader r = {.field = field, .old = old, .why = why};
    if (is_negative(text, length))
        return negative_bits(field, text, length, bits) ||
               misfit(why, "the number has more bits than the field", text, length);
    bool good = read_items(&r, text, length);
    *bits = extended(field, r.bits);
    return good;
}

bool mst_flags_of_json(const mst_field *field, const mst_json_node *node, const uint64_t *old, uint64_t *bits,
                       mst_misfit *why) {
    if (node->kind == MST_JSON_STRING)
        return mst_flags_of_text(field, node->text, node->length, old, bits, why);
    reader r = {.field = field, .old = old, .why = why};
    for (uint32_t i = 0; i < node->count; i++) { /* nested nodes fail below, so indices are right */
        const mst_json_node *item = &node[1 + i];
        if (item->kind != MST_JSON_STRING && item->kind != MST_JSON_NUMBER)
            return misfit(why, "a list of flags must contain only names and numbers", "", 0);
        if (!read_items(&r, item->text, item->length))
            return false;
    }
    *bits = extended(field, r.bits);
    return true;
}

/* ---- public functions -------------------------------------------------------------------------- */

static bool flags_of_value(const mst_value *value, mst_value *one, uint64_t *bits) {
    if (!mst_single_of(value, one) || !(mst_field_of(one)->flags & MST_FIELD_FLAGS))
        return false;
    *bits = mst_scalar_of(one) & mst_bits_in(mst_field_of(one));
    return true;
}

mst_status mst_get_flags(const mst_value *value, char *text, size_t capacity, size_t *length) {
    if ((!text && capacity) || mst_is_void(value))
        return MST_ARGUMENT;
    mst_value one;
    uint64_t left;
    size_t total = 0, next = 0;
    if (capacity)
        text[0] = 0;
    if (!flags_of_value(value, &one, &left))
        return MST_ARGUMENT;
    bool cut = false;
    for (bool more = true; more;) {
        char number[MST_NUMBER_MAX] = "0x";
        const char *name = mst_flags_take(mst_field_of(&one), &left, &next);
        if (!name) { /* the bits without a name, or 0 if no bit is set */
            more = false;
            if (!left && total)
                break;
            unsigned digits = 1;
            while (digits < 16 && left >> 4 * digits)
                digits++;
            if (mst_field_of(&one)->flags & MST_FIELD_BESIDE)
                number[mst_write_u64(number, left)] = 0;
            else
                number[left ? 2 + mst_write_hex(number + 2, left, digits) : 1] = 0;
            name = number;
        }
        size_t n = strlen(name), comma = total != 0;
        cut = cut || total + comma + n >= capacity;
        if (!cut) {
            memcpy(text + total, ",", comma);
            memcpy(text + total + comma, name, n + 1);
        }
        total += comma + n;
    }
    if (length)
        *length = total;
    return MST_OK;
}
