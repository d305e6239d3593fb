/* SPDX-License-Identifier: MIT */
/*
 * Rows: a record with lists that are parallel to one of them (actors: records, models, animations) has rows,
 * each an element of that list with the parallel elements at the same index: `actors[12]`,
 * `actors[12].model`.
 */
#include "engine.h"

static const mst_record *table_of(const mst_value *value) {
    return mst_record_of(value->document, mst_field_of(value));
}

const mst_field *mst_rows_field(const mst_value *record, size_t index) {
    const mst_record *table = table_of(record);
    for (uint16_t f = 0; f < table->field_count; f++)
        if (table->fields[f].row && !index--)
            return &table->fields[f];
    return NULL;
}

bool mst_has_rows(const mst_value *record) {
    return !mst_is_void(record) && mst_shape_of(record) == MST_SHAPE_ONE &&
           mst_field_of(record)->kind == MST_KIND_RECORD && mst_rows_field(record, 0);
}

bool mst_rows_of(const mst_value *record, mst_value *list) {
    return mst_has_rows(record) &&
           mst_member(record, mst_rows_field(record, 0)->parallel->target, list) == MST_OK;
}

void mst_make_row(mst_value *element, const mst_value *record, uint64_t index) {
    element->shape |= MST_SHAPE_ROW;
    element->first = index;
    element->count = record->offset;
}

/* The record that has the lists: an archive, which stores its own end. */
static bool record_of(const mst_value *row, mst_value *record) {
    const mst_format *format = row->document->format;
    const mst_record *owner = NULL;
    *record = mst_root(row->document);
    for (size_t r = 0; r < format->tables.record_count && !owner; r++) {
        const mst_record *table = format->tables.records[r];
        for (uint16_t f = 0; f < table->field_count && !owner; f++)
            owner = &table->fields[f] == mst_field_of(row) ? table : NULL;
    }
    for (size_t r = 0; owner && r < format->tables.record_count; r++) {
        const mst_record *table = format->tables.records[r];
        for (uint16_t f = 0; f < table->field_count; f++)
            if (table->fields[f].record == owner) {
                record->field = &table->fields[f];
                record->offset = row->count;
                record->shape = MST_SHAPE_ONE;
                return true;
            }
    }
    return false;
}

const mst_field *mst_row_field(const mst_value *row, size_t index) {
    mst_value record;
    return (row->shape & MST_SHAPE_ROW) && mst_shape_of(row) == MST_SHAPE_ONE && record_of(row, &record)
               ? mst_rows_field(&record, index)
               : NULL;
}

bool mst_row_member(const mst_value *row, const char *name, mst_value *list, mst_value *member) {
    mst_value record;
    const mst_field *field;
    size_t index = 0;
    do
        field = mst_row_field(row, index++);
    while (field && strcmp(field->row, name) != 0);
    return field && record_of(row, &record) && mst_member(&record, field->name, list) == MST_OK &&
           mst_element(list, row->first, member) == MST_OK;
}

/* ---- JSON --------------------------------------------------------------------------------------- */

/* The end of a text in JSON that begins at `at`. */
static const char *text_end(const char *at) {
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return at + (*at == '"');
}

/* The end of a member that begins at `at`: the comma or bracket that follows it. */
static const char *member_end(const char *at) {
    size_t depth = 0;
    while (*at && (depth || (*at != ',' && *at != '}'))) {
        if (*at == '"') {
            at = text_end(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= (*at == '}' || *at == ']') && depth;
        at++;
    }
    return at;
}

static size_t blanks(const char *text) {
    return strspn(text, " \t\r\n");
}

/* The parallel member that begins at `at`, and its value; MST_ROW_MEMBERS: none. */
static size_t member_at(const mst_value *record, const char *at, const char **value) {
    for (size_t i = 0; i < MST_ROW_MEMBERS; i++) {
        const mst_field *field = mst_rows_field(record, i);
        size_t length = field ? strlen(field->row) : 0;
        if (!field)
            break;
        if (at[0] != '"' || strncmp(at + 1, field->row, length) != 0 || at[1 + length] != '"')
            continue;
        at += length + 2;
        at += blanks(at);
        *value = *at == ':' ? at + 1 + blanks(at + 1) : at;
        return *at == ':' ? i : MST_ROW_MEMBERS;
    }
    return MST_ROW_MEMBERS;
}

mst_status mst_split_row(const mst_value *record, const char *json, mst_arena *arena, const char **own,
                         const char *beside[MST_ROW_MEMBERS]) {
    const char *at = json + blanks(json), *value;
    size_t length = 0;
    char *left = mst_arena_take(arena, strlen(json) + 2, 1);
    memset(beside, 0, MST_ROW_MEMBERS * sizeof *beside);
    *own = left;
    if (!left)
        return MST_NO_MEMORY;
    if (*at != '{') {
        *own = json; /* not a record, which callers report */
        return MST_OK;
    }
    left[length++] = *at++;
    for (;;) {
        at += blanks(at);
        const char *end = member_end(at);
        size_t which = member_at(record, at, &value);
        if (which < MST_ROW_MEMBERS) {
            beside[which] = mst_arena_text(arena, value, (size_t)(end - value));
            if (!beside[which])
                return MST_NO_MEMORY;
        } else {
            if (length > 1 && end > at)
                left[length++] = ',';
            memcpy(left + length, at, (size_t)(end - at));
            length += (size_t)(end - at);
        }
        if (*end != ',') {
            memcpy(left + length, end, strlen(end) + 1); /* the bracket, and any excess text */
            return MST_OK;
        }
        at = end + 1;
    }
}
