/* SPDX-License-Identifier: MIT */
#include "given.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/unreachable.h"

/* The field that stands for a record of one field. */
static const mst_field *innermost(const mst_field *field) {
    while (field->kind == MST_KIND_RECORD && field->record->is_inline)
        field = &field->record->fields[0];
    return field;
}

/* What a word is that may be a number, or yes or no: a string if it is none of them. */
static uint8_t kind_of_word(const char *text, size_t length) {
    if (strcmp(text, "true") == 0)
        return MST_JSON_TRUE;
    if (strcmp(text, "false") == 0)
        return MST_JSON_FALSE;
    bool begins = (*text >= '0' && *text <= '9') || *text == '-';
    return begins && strspn(text, "+-.0123456789Ee") == length ? MST_JSON_NUMBER : MST_JSON_STRING;
}

/* Whether JSON is meant, and not a word. */
static bool begins_json(const char *text, bool for_text) {
    text += strspn(text, " \t\r\n");
    return *text == '"' || (!for_text && (*text == '[' || *text == '{'));
}

static bool is_key(const mst_json_node *node, const char *name) {
    return node->length == strlen(name) && memcmp(node->text, name, node->length) == 0;
}

/* Whether JSON says something else of a text, or of raw bytes, than its characters do. */
static bool says_bytes(const mst_json_node *nodes, const mst_field *field) {
    switch ((mst_json_kind)nodes[0].kind) {
    case MST_JSON_STRING: return true;
    case MST_JSON_NULL: return mst_is_text(field) && field->mode == MST_COUNT_DATA_SET;
    case MST_JSON_OBJECT: return nodes[0].count == 1 && is_key(&nodes[1], "$raw");
    default: return false;
    }
}

static mst_status no_memory(mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "there is no memory to read the value");
}

/* Flags as the number that they make. */
static mst_status resolve_flags(const mst_field *field, const mst_value *old, mst_arena *arena,
                                mst_json *given, mst_diagnostic *diagnostic) {
    const mst_json_node *first = &given->nodes[0];
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

/* Reads JSON, if it is any; `stands`: the text is to be taken as it stands. */
static mst_status read_json(const char *json, size_t length, const mst_field *field, bool list,
                            mst_arena *arena, mst_json *given, bool *stands, mst_diagnostic *diagnostic) {
    bool bytes = mst_is_text(field) || field->kind == MST_KIND_RAW;
    mst_diagnostic why;
    mst_status status = mst_json_parse(json, length, arena, given, &why);
    if (status == MST_OK) {
        const mst_json_node *first = &given->nodes[0];
        *stands = bytes && !says_bytes(first, field) && !(list && first->kind >= MST_JSON_ARRAY);
        return MST_OK;
    }
    *stands =
        status != MST_NO_MEMORY && (bytes || mst_is_number(field)) && !begins_json(json, bytes && !list);
    if (*stands)
        return MST_OK;
    if (status == MST_DAMAGED) { /* the text is, not the document: its offset is none of a file */
        why.status = status = MST_ARGUMENT;
        MST_SET(why.expected, "one JSON value");
        MST_SET(why.found, "%.40s", json + why.offset);
        why.offset = MST_NO_OFFSET;
    }
    if (diagnostic)
        *diagnostic = why;
    return status;
}

mst_status mst_read_given(const char *json, const mst_field *field, bool single, const mst_value *old,
                          mst_arena *arena, mst_json *given, mst_diagnostic *diagnostic) {
    size_t length = strlen(json);
    if (length > UINT32_MAX)
        return mst_fail(diagnostic, MST_ARGUMENT, "the JSON is too long");
    bool list = !single && mst_is_list(field);
    field = innermost(field);
    mst_json_node *capacity = mst_arena_zero(arena, 2, sizeof *capacity);
    if (!capacity)
        return no_memory(diagnostic);
    mst_json_node word = {json, (uint32_t)length, 1, 0, MST_JSON_STRING};
    if (mst_is_number(field))
        word.kind = kind_of_word(json, length);
    bool stands = word.kind != MST_JSON_STRING; /* numbers need no reader of JSON */
    mst_status status = MST_OK;
    if (!stands)
        status = read_json(json, length, field, list, arena, given, &stands, diagnostic);
    if (status != MST_OK)
        return status;
    if (stands) {
        capacity[1] = word;
        *given = (mst_json){&capacity[1], 1};
    }
    if (list && given->nodes[0].kind < MST_JSON_ARRAY) { /* one value stands for a list of that one */
        capacity[1] = given->nodes[0];
        capacity[1].end = 2;
        capacity[0] = (mst_json_node){.end = 2, .count = 1, .kind = MST_JSON_ARRAY};
        *given = (mst_json){capacity, 2};
    }
    return (field->flags & MST_FIELD_FLAGS) && !list ? resolve_flags(field, old, arena, given, diagnostic)
                                                     : MST_OK;
}

mst_status mst_json_with_member(const mst_json *object, const char *name, const mst_json *value,
                                mst_arena *arena, mst_json *made) {
    const mst_json_node *nodes = object->nodes;
    uint32_t at = 1;
    while (at < nodes[0].end && !is_key(&nodes[at], name))
        at = nodes[at + 1].end;
    bool there = at < nodes[0].end;
    uint32_t head = there ? at + 1 : at, rest = there ? nodes[at + 1].end : at,
             place = there ? head : head + 1;
    uint64_t total = (uint64_t)place + value->count + (object->count - rest);
    if (MST_UNREACHABLE(total > UINT32_MAX)) /* nodes of more bytes than memory has */
        return MST_NO_MEMORY;
    mst_json_node *copy = mst_arena_take(arena, (size_t)total, sizeof *copy);
    if (!copy)
        return MST_NO_MEMORY;
    memcpy(copy, nodes, head * sizeof *copy);
    copy[0].end = (uint32_t)total;
    if (!there) {
        copy[0].count++;
        copy[head] = (mst_json_node){name, (uint32_t)strlen(name), place, 0, MST_JSON_STRING};
    }
    for (uint32_t i = 0; i < value->count; i++) {
        copy[place + i] = value->nodes[i];
        copy[place + i].end += place;
    }
    uint32_t moved = place + value->count - rest; /* modulo 2^32: it may be back */
    for (uint32_t i = rest; i < object->count; i++) {
        copy[i + moved] = nodes[i];
        copy[i + moved].end += moved;
    }
    *made = (mst_json){copy, (uint32_t)total};
    return MST_OK;
}
