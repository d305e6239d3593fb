/* SPDX-License-Identifier: MIT */
#include "assign.h"
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../write/given.h"
#include <math.h>

typedef struct assign_state {
    const mst_value *value;
    const mst_field *field;
    mst_assignment how;
    const char *given;
    mst_arena *arena;
    mst_diagnostic *diagnostic;
} assign_state;

static mst_status wrong(const assign_state *a, mst_status status, const char *message) {
    mst_fail(a->diagnostic, status, "%s", message);
    if (a->diagnostic)
        MST_SET(a->diagnostic->found, "%.60s", a->given);
    return status;
}

mst_status mst_value_text(const mst_value *value, mst_arena *arena, const char **json,
                          mst_diagnostic *diagnostic) {
    mst_buffer text = {.allocator = arena->allocator};
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    mst_status status = mst_write_json(value, &compact, mst_buffer_sink(&text), diagnostic);
    while (text.size && text.data[text.size - 1] == '\n')
        text.size--;
    *json = status == MST_OK ? mst_arena_text(arena, (const char *)text.data, text.size) : NULL;
    mst_buffer_free(&text);
    return status == MST_OK && !*json ? MST_NO_MEMORY : status;
}

/* ---- numbers ---------------------------------------------------------------------------------------- */

/* Calculates with separate signs, so that all 64 bits fit. Division drops the remainder. */
static bool integers(const assign_state *a, uint64_t old, uint64_t given, bool given_negative, char *text,
                     size_t *length) {
    bool negative = mst_is_signed(a->field->kind) && (int64_t)old < 0;
    uint64_t x = negative ? (uint64_t)0 - old : old, result;
    if (a->how == MST_ASSIGN_TIMES) {
        if (x && given > UINT64_MAX / x)
            return false;
        result = x * given;
        negative ^= given_negative;
    } else if (a->how == MST_ASSIGN_OVER) {
        result = x / given;
        negative ^= given_negative;
    } else if (negative == (given_negative ^ (a->how == MST_ASSIGN_MINUS))) {
        if (given > UINT64_MAX - x)
            return false;
        result = x + given;
    } else {
        result = x >= given ? x - given : given - x;
        negative ^= x < given;
    }
    *length = 0;
    if (negative && result)
        text[(*length)++] = '-';
    *length += mst_write_u64(text + *length, result);
    return true;
}

static bool has_no_remainder(const assign_state *a, const mst_value *number, uint64_t by) {
    uint64_t old = mst_scalar_of(number);
    return (mst_is_signed(a->field->kind) && (int64_t)old < 0 ? (uint64_t)0 - old : old) % by == 0;
}

static bool is_float(const mst_field *field) {
    return field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64;
}

/* Combines one number of the value with the given one. */
static mst_status one_number(const assign_state *a, const mst_value *number, const mst_json_node *given,
                             char *text, size_t *length) {
    double old, by;
    uint64_t magnitude;
    size_t minus = given->length && *given->text == '-';
    if (given->kind != MST_JSON_NUMBER || !mst_read_f64(given->text, given->length, &by))
        return wrong(a, MST_ARGUMENT, "a number is needed, or as many as the value has");
    if (a->how == MST_ASSIGN_OVER && by == 0)
        return wrong(a, MST_ARGUMENT, "division by 0");
    if (!is_float(a->field) && mst_read_u64(given->text + minus, given->length - minus, &magnitude) &&
        (a->how != MST_ASSIGN_OVER || has_no_remainder(a, number, magnitude))) {
        if (!integers(a, mst_scalar_of(number), magnitude, minus, text, length))
            return wrong(a, MST_ARGUMENT, "the result is too large");
        return MST_OK;
    }
    if (mst_get_real(number, &old) != MST_OK)
        return wrong(a, MST_ARGUMENT, "the value is not a number");
    old = a->how == MST_ASSIGN_TIMES  ? old * by
          : a->how == MST_ASSIGN_OVER ? old / by
          : a->how == MST_ASSIGN_PLUS ? old + by
                                      : old - by;
    if (!is_float(a->field))
        old = floor(old + 0.5);
    if (!isfinite(old))
        return wrong(a, MST_ARGUMENT, "the result is not a finite number");
    *length = mst_write_f64(text, old);
    return MST_OK;
}

static mst_status numbers(const assign_state *a, bool list, const char **json) {
    mst_json given;
    const char *text = a->given;
    mst_status status = mst_in_metres(a->value->document, a->field, a->arena, &text, a->diagnostic);
    if (status == MST_OK)
        status = mst_json_parse(text, strlen(text), a->arena, &given, NULL);
    if (status != MST_OK)
        return status == MST_DAMAGED ? wrong(a, MST_ARGUMENT, "a number is needed") : status;
    uint64_t count = list ? mst_count(a->value) : 1;
    const mst_json_node *first = given.nodes;
    bool each = first->kind == MST_JSON_ARRAY;
    if (each && (first->count != count || given.count != count + 1))
        return wrong(a, MST_ARGUMENT, "a number is needed, or as many as the value has");
    char *made = mst_arena_take(a->arena, (size_t)count + 1, 2 * MST_NUMBER_MAX), *to = made;
    if (!made)
        return MST_NO_MEMORY;
    if (list)
        *to++ = '[';
    for (uint64_t i = 0; i < count; i++) {
        mst_value number = *a->value;
        size_t length = 0;
        if (list && mst_element(a->value, i, &number) != MST_OK)
            return MST_DAMAGED;
        if (i)
            *to++ = ',';
        status = one_number(a, &number, each ? first + 1 + i : first, to, &length);
        if (status != MST_OK)
            return status;
        to += length;
    }
    if (list)
        *to++ = ']';
    *to = 0;
    *json = made;
    return MST_OK;
}

/* ---- flags ------------------------------------------------------------------------------------------ */

/* Names, separated by commas or as a list, with the sign that sets or clears each. */
static mst_status flags(const assign_state *a, const char **json) {
    mst_json given = {0};
    const char *text = a->given;
    mst_status status = mst_json_parse(text, strlen(text), a->arena, &given, NULL);
    if (status == MST_NO_MEMORY)
        return status;
    bool list = status == MST_OK && given.nodes->kind == MST_JSON_ARRAY;
    bool string = status == MST_OK && given.nodes->kind == MST_JSON_STRING;
    size_t length = strlen(text), at = 0;
    char *made = mst_arena_take(a->arena, 2 * length + 3, 1), sign = a->how == MST_ASSIGN_PLUS ? '+' : '-';
    if (!made)
        return MST_NO_MEMORY;
    if (a->how == MST_ASSIGN_TIMES || a->how == MST_ASSIGN_OVER)
        return wrong(a, MST_ARGUMENT, "flags can be set by += and cleared by -=");
    for (uint32_t i = list; i < (list ? given.count : 1); i++) {
        const char *names = list || string ? given.nodes[i].text : text;
        size_t size = list || string ? given.nodes[i].length : length;
        if (at)
            made[at++] = ',';
        for (size_t c = 0; c < size; c++) {
            if (!c || names[c - 1] == ',')
                made[at++] = sign;
            made[at++] = names[c];
        }
    }
    made[at] = 0;
    *json = made;
    return MST_OK;
}

/* ---- text ------------------------------------------------------------------------------------------- */

/* The parts of s/old/new/. */
typedef struct substitution {
    const char *old, *now;
    size_t old_length, now_length;
    bool all;
} substitution;

static bool read_substitution(const char *text, substitution *s) {
    char mark = text[0] == 's' ? text[1] : 0;
    const char *middle = mark ? strchr(text + 2, mark) : NULL;
    const char *end = middle ? strchr(middle + 1, mark) : NULL;
    if (!end || middle == text + 2 || (end[1] && strcmp(end + 1, "g") != 0))
        return false;
    *s = (substitution){text + 2, middle + 1, (size_t)(middle - text - 2), (size_t)(end - middle - 1),
                        end[1] == 'g'};
    return true;
}

static mst_status texts(const assign_state *a, const char **json) {
    substitution s = {0};
    size_t length = 0, given = strlen(a->given), at = 0;
    const char *first, *appended = a->given;
    if (a->how == MST_ASSIGN_SUBSTITUTE && !read_substitution(a->given, &s))
        return wrong(a, MST_ARGUMENT, "a substitution is of the form s/old/new/ or s/old/new/g");
    mst_json quoted;
    if (*a->given == '"' && mst_json_parse(a->given, given, a->arena, &quoted, NULL) == MST_OK) {
        appended = quoted.nodes->text;
        given = quoted.nodes->length;
    }
    /* invalid text could not be written back unchanged */
    mst_status status = mst_value_text(a->value, a->arena, &first, a->diagnostic);
    if (status != MST_OK || *first == '{' || *first == '[')
        return status != MST_OK ? status : wrong(a, MST_REFUSED, "the value is not valid text");
    mst_get_text(a->value, NULL, 0, &length);
    char *old = mst_arena_take(a->arena, length + 1, 1), *made = NULL;
    if (old && !s.old_length)
        made = mst_arena_take(a->arena, length + given + 1, 1);
    else if (old) /* every byte could become the new text */
        made = mst_arena_take(a->arena, length + 1, s.now_length + 1);
    if (!made)
        return MST_NO_MEMORY;
    mst_get_text(a->value, old, length + 1, &length);
    bool done = !s.old_length;
    for (size_t i = 0; i < length;) {
        bool here = !done && s.old_length <= length - i && memcmp(old + i, s.old, s.old_length) == 0;
        if (here) {
            memcpy(made + at, s.now, s.now_length);
            at += s.now_length;
            i += s.old_length;
            done = !s.all;
        } else {
            made[at++] = old[i++];
        }
    }
    if (!s.old_length) {
        memcpy(made + at, appended, given);
        at += given;
    }
    *json = mst_json_quoted(a->arena, made, at);
    return *json ? MST_OK : MST_NO_MEMORY;
}

mst_status mst_assigned(const mst_value *value, mst_assignment how, const char *given, mst_arena *arena,
                        const char **json, mst_diagnostic *diagnostic) {
    mst_value one;
    bool single = mst_single_of(value, &one), list = mst_value_type(value) == MST_TYPE_LIST;
    const mst_field *field = mst_field_of(single ? &one : value);
    assign_state a = {single ? &one : value, field, how, given, arena, diagnostic};
    if (single && how != MST_ASSIGN_SUBSTITUTE && (field->flags & MST_FIELD_FLAGS))
        return flags(&a, json);
    if (single && mst_is_text(field) && (how == MST_ASSIGN_SUBSTITUTE || how == MST_ASSIGN_PLUS))
        return texts(&a, json);
    if (mst_is_number(field) && !(field->flags & (MST_FIELD_BOOL | MST_FIELD_FLAGS)) &&
        how != MST_ASSIGN_SUBSTITUTE)
        return numbers(&a, !single && list, json);
    return wrong(&a, MST_ARGUMENT,
                 how == MST_ASSIGN_SUBSTITUTE ? "the value is not text" : "the value is not a number");
}
