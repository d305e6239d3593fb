/* SPDX-License-Identifier: MIT */
#include "given.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/unreachable.h"

/* The field that replaces inline records. */
static const mst_field *innermost(const mst_field *field) {
    while (field->kind == MST_KIND_RECORD && field->record->is_inline)
        field = &field->record->fields[0];
    return field;
}

/* The kind of a word: a number, a boolean, or else a string. */
static uint8_t kind_of_word(const char *text, size_t length) {
    if (strcmp(text, "true") == 0)
        return MST_JSON_TRUE;
    if (strcmp(text, "false") == 0)
        return MST_JSON_FALSE;
    bool begins = (*text >= '0' && *text <= '9') || *text == '-';
    return begins && strspn(text, "+-.0123456789Ee") == length ? MST_JSON_NUMBER : MST_JSON_STRING;
}

/* Whether the text is meant as JSON, not as a word. */
static bool begins_json(const char *text, bool for_text) {
    text += strspn(text, " \t\r\n");
    return *text == '"' || (!for_text && (*text == '[' || *text == '{'));
}

static bool is_key(const mst_json_node *node, const char *name) {
    return node->length == strlen(name) && memcmp(node->text, name, node->length) == 0;
}

/* Whether JSON for text or raw bytes must be interpreted, not taken literally. */
static bool says_bytes(const mst_json_node *nodes, const mst_field *field) {
    switch ((mst_json_kind)nodes[0].kind) {
    case MST_JSON_STRING: return true;
    case MST_JSON_NULL: return mst_is_text(field) && field->mode == MST_COUNT_DATA_SET;
    case MST_JSON_OBJECT: return nodes[0].count == 1 && is_key(&nodes[1], "$raw");
    default: return false;
    }
}

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory to read the value");
}

/* Replaces the value by bits. */
static mst_status give_bits(const mst_field *field, uint64_t bits, mst_arena *arena, mst_json *given,
                            mst_diagnostic *diagnostic) {
    mst_json_node *node = mst_arena_zero(arena, 1, sizeof *node);
    char *text = mst_arena_take(arena, 1, MST_NUMBER_MAX);
    if (!node || !text)
        return no_memory(diagnostic);
    size_t length =
        mst_is_signed(field->kind) ? mst_write_i64(text, (int64_t)bits) : mst_write_u64(text, bits);
    *node = (mst_json_node){.text = text, .length = (uint32_t)length, .end = 1, .kind = MST_JSON_NUMBER};
    *given = (mst_json){node, 1};
    return MST_OK;
}

/* Replaces flags by their number. A number stored next to flags leaves the flags unchanged. */
static mst_status resolve_flags(const mst_field *field, const mst_value *old, mst_arena *arena,
                                mst_json *given, mst_diagnostic *diagnostic) {
    const mst_json_node *first = &given->nodes[0];
    uint64_t beside, named = mst_flags_named(field);
    if ((field->flags & MST_FIELD_BESIDE) && old && first->kind == MST_JSON_NUMBER &&
        mst_read_u64(first->text, first->length, &beside) && !(beside & named))
        return give_bits(field, beside | (mst_scalar_of(old) & named), arena, given, diagnostic);
    bool number = first->kind == MST_JSON_ARRAY && first->count == 1 && first[1].kind == MST_JSON_NUMBER;
    if (number || (first->kind != MST_JSON_STRING && first->kind != MST_JSON_ARRAY))
        return MST_OK;
    uint64_t bits, before = 0;
    mst_misfit why;
    if (old)
        before = mst_scalar_of(old);
    if (!mst_flags_of_json(field, first, old ? &before : NULL, &bits, &why)) {
        mst_fail(diagnostic, MST_ARGUMENT, "%s", why.message);
        mst_misfit_to(diagnostic, &why);
        return MST_ARGUMENT;
    }
    return give_bits(field, bits, arena, given, diagnostic);
}

/* Reads the text if it is JSON; `literal`: whether to take it literally. */
static mst_status read_json(const char *json, size_t length, const mst_field *field, bool list,
                            mst_arena *arena, mst_json *given, bool *literal, mst_diagnostic *diagnostic) {
    bool bytes = mst_is_text(field) || field->kind == MST_KIND_RAW;
    mst_diagnostic why;
    mst_status status = mst_json_parse(json, length, arena, given, &why);
    if (status == MST_OK) {
        const mst_json_node *first = &given->nodes[0];
        *literal = bytes && !says_bytes(first, field) && !(list && first->kind >= MST_JSON_ARRAY);
        return MST_OK;
    }
    *literal =
        status != MST_NO_MEMORY && (bytes || mst_is_number(field)) && !begins_json(json, bytes && !list);
    if (*literal)
        return MST_OK;
    if (status == MST_DAMAGED) { /* the damage is in the text: its offset is not an offset in a file */
        why.status = status = MST_ARGUMENT;
        why.path[0] = 0;
        MST_SET(why.expected, "one JSON value");
        MST_SET(why.found, "%.40s", json + why.offset);
        why.offset = MST_NO_OFFSET;
    }
    if (diagnostic)
        *diagnostic = why;
    return status;
}

/* ---- lengths in the unit of the game's editor ----------------------------------------------------- */

static bool is_of_number(char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

/* The length of a number with the unit, such as 12in; the first `number` bytes are the number. 0: not a
 * length. */
static size_t length_with_unit(const char *text, const char *unit, size_t *number) {
    size_t size = strlen(unit);
    *number = 0;
    while (is_of_number(text[*number]))
        ++*number;
    bool ends = *number && strncmp(text + *number, unit, size) == 0 &&
                strspn(text + *number + size, ",] \t\r\n") + !text[*number + size];
    double value;
    return ends && mst_read_f64(text, *number, &value) ? *number + size : 0;
}

mst_status mst_in_metres(const mst_document *document, const mst_field *field, mst_arena *arena,
                         const char **json, mst_diagnostic *diagnostic) {
    const mst_format_information *format = &document->format->information;
    const char *unit = format->editor_unit;
    field = innermost(field);
    if (!unit || !mst_is_number(field) || !strstr(*json, unit) || strchr(*json, '"'))
        return MST_OK;
    /* the buffer has room for a number in place of each character */
    char *made = mst_arena_take(arena, strlen(*json) + 1, MST_NUMBER_MAX), *to = made;
    if (!made)
        return no_memory(diagnostic);
    bool is_length = field->kind == MST_KIND_F32 && field->unit && strcmp(field->unit, "m") == 0, any = false;
    for (const char *at = *json; *at;) {
        size_t number, size = length_with_unit(at, unit, &number);
        double value = 0;
        if (!size) { /* copy the complete number: its rest must not be read as another one */
            for (size_t i = 0; i < (number ? number : 1); i++)
                *to++ = *at++;
            continue;
        }
        mst_read_f64(at, number, &value);
        to += mst_write_f64(to, value / format->editor_per_metre);
        at += size;
        any = true;
    }
    *to = 0;
    if (any && !is_length) {
        mst_fail(diagnostic, MST_ARGUMENT, "the value is not a length in metres, so it has no %s", unit);
        if (diagnostic)
            MST_SET(diagnostic->found, "%.40s", *json);
        return MST_ARGUMENT;
    }
    *json = any ? made : *json;
    return MST_OK;
}

/* ---- values --------------------------------------------------------------------------------------- */

mst_status mst_read_given(const char *json, const mst_field *field, bool single, const mst_value *old,
                          mst_arena *arena, mst_json *given, mst_diagnostic *diagnostic) {
    size_t length = strlen(json);
    if (length > UINT32_MAX)
        return mst_fail(diagnostic, MST_ARGUMENT, "the JSON is too long");
    bool list = !single && mst_is_list(field);
    field = innermost(field);
    mst_json_node *nodes = mst_arena_zero(arena, 2, sizeof *nodes);
    if (!nodes)
        return no_memory(diagnostic);
    mst_json_node word = {json, (uint32_t)length, 1, 0, MST_JSON_STRING};
    if (mst_is_number(field))
        word.kind = kind_of_word(json, length);
    bool literal = word.kind != MST_JSON_STRING; /* numbers work without a JSON reader */
    mst_status status = MST_OK;
    if (!literal)
        status = read_json(json, length, field, list, arena, given, &literal, diagnostic);
    if (status != MST_OK)
        return status;
    if (literal) {
        nodes[1] = word;
        *given = (mst_json){&nodes[1], 1};
    }
    if (list && given->nodes[0].kind < MST_JSON_ARRAY) { /* a single value means a list of one */
        nodes[1] = given->nodes[0];
        nodes[1].end = 2;
        nodes[0] = (mst_json_node){.end = 2, .count = 1, .kind = MST_JSON_ARRAY};
        *given = (mst_json){nodes, 2};
    }
    return (field->flags & MST_FIELD_FLAGS) && !list ? resolve_flags(field, old, arena, given, diagnostic)
                                                     : MST_OK;
}

/* The nodes of `json` with those from `at` up to `rest` replaced by `value` (NULL: nothing), after a key
 * (NULL: none). */
static mst_json_node *spliced(const mst_json *json, uint32_t at, uint32_t rest, const mst_json_node *key,
                              const mst_json *value, mst_arena *arena, uint32_t *count) {
    uint32_t first = at + (key != NULL), added = value ? value->count : 0;
    uint64_t total = (uint64_t)first + added + (json->count - rest);
    if (MST_UNREACHABLE(total > UINT32_MAX)) /* more nodes than memory could hold */
        return NULL;
    mst_json_node *copy = mst_arena_take(arena, (size_t)total, sizeof *copy);
    if (!copy)
        return NULL;
    memcpy(copy, json->nodes, at * sizeof *copy);
    copy[0].end = (uint32_t)total;
    if (key)
        copy[at] = *key;
    for (uint32_t i = 0; i < added; i++) {
        copy[first + i] = value->nodes[i];
        copy[first + i].end += first;
    }
    uint32_t moved = first + added - rest; /* modulo 2^32: may be negative */
    for (uint32_t i = rest; i < json->count; i++) {
        copy[i + moved] = json->nodes[i];
        copy[i + moved].end += moved;
    }
    *count = (uint32_t)total;
    return copy;
}

static uint32_t find_member(const mst_json *object, const char *name) {
    const mst_json_node *nodes = object->nodes;
    uint32_t at = 1;
    while (at < nodes[0].end && !is_key(&nodes[at], name))
        at = nodes[at + 1].end;
    return at;
}

mst_status mst_json_member(const mst_json *object, const char *name, mst_arena *arena, mst_json *made) {
    uint32_t at = find_member(object, name) + 1;
    if (at > object->nodes[0].end)
        return MST_NO_PATH;
    uint32_t count = object->nodes[at].end - at;
    mst_json_node *copy = mst_arena_take(arena, count, sizeof *copy);
    if (!copy)
        return MST_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        copy[i] = object->nodes[at + i];
        copy[i].end -= at;
    }
    *made = (mst_json){copy, count};
    return MST_OK;
}

mst_status mst_json_without_member(const mst_json *object, const char *name, mst_arena *arena,
                                   mst_json *made) {
    const mst_json_node *nodes = object->nodes;
    uint32_t at = find_member(object, name), rest = at < nodes[0].end ? nodes[at + 1].end : at, count;
    mst_json_node *copy = spliced(object, at, rest, NULL, NULL, arena, &count);
    if (!copy)
        return MST_NO_MEMORY;
    copy[0].count -= rest != at;
    *made = (mst_json){copy, count};
    return MST_OK;
}

mst_status mst_json_with_member(const mst_json *object, const char *name, const mst_json *value,
                                mst_arena *arena, mst_json *made) {
    const mst_json_node *nodes = object->nodes;
    uint32_t at = find_member(object, name), count;
    bool exists = at < nodes[0].end;
    mst_json_node key = {name, (uint32_t)strlen(name), at + 1, 0, MST_JSON_STRING};
    mst_json_node *copy = exists ? spliced(object, at + 1, nodes[at + 1].end, NULL, value, arena, &count)
                                 : spliced(object, at, at, &key, value, arena, &count);
    if (!copy)
        return MST_NO_MEMORY;
    copy[0].count += !exists;
    *made = (mst_json){copy, count};
    return MST_OK;
}
