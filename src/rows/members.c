/* SPDX-License-Identifier: MIT */
/* The fields of an element, iterated once for all columns that request one by name. */
#include "../tables/fields.h"
#include "line.h"
#include "rows.h"

/* Whether lookup needs names alone; for a field that an element lacks, the library searches further only if
 * there are chunks, records replaced by their field, or rows of parallel lists. */
static bool is_simple(const mst_record *record) {
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        if (field->chunks || field->kind == MST_KIND_CHUNKS || (field->record && field->record->is_inline))
            return false;
    }
    return true;
}

/* Begins with an element; false: its fields alone do not give its members. */
static bool begin(mst_row_members *members, const mst_value *element) {
    const mst_record *record = mst_field_of(element)->record;
    if (record != members->record) {
        members->record = record;
        members->simple = record && !(element->shape & MST_SHAPE_ROW) && is_simple(record);
    }
    members->element = *element;
    members->count = 0;
    members->whole = members->simple && mst_value_type(element) == MST_TYPE_RECORD;
    return members->whole;
}

void mst_row_members_take(mst_row_members *members, const mst_value *element) {
    mst_value value;
    if (!begin(members, element))
        return;
    for (mst_iterator it = mst_iterate(element); mst_next(&it, &value);) {
        if (members->count == MST_FIELDS_KEPT) {
            members->whole = false;
            return;
        }
        members->values[members->count++] = value;
    }
}

void mst_row_members_write(mst_row_members *members, const mst_value *element, mst_rows *rows,
                           size_t column) {
    mst_noted_members noted = {members->values, MST_FIELDS_KEPT, 0};
    if (!begin(members, element)) {
        mst_cell_json(rows, column, element, NULL);
        return;
    }
    mst_cell_json(rows, column, element, &noted);
    members->whole = !rows->failed && noted.count <= MST_FIELDS_KEPT;
    members->count = members->whole ? noted.count : 0;
}

bool mst_row_find(void *user, const char *path, mst_value *value) {
    const mst_row_members *members = user;
    for (size_t i = 0; i < members->count && members->whole; i++) {
        const char *name = mst_field_of(&members->values[i])->name;
        if (*name == *path && strcmp(name, path) == 0) {
            *value = members->values[i];
            return true;
        }
    }
    return (!members->whole || strpbrk(path, ".[@")) &&
           mst_find(members->element, path, value, NULL) == MST_OK;
}

bool mst_differs_by_class(const mst_record *record, const mst_field *field) {
    for (mst_fields it = mst_fields_of_record(record); field->record && mst_fields_next(&it);)
        for (size_t i = 0; i < MST_COUNT_OF(field->when) && it.field->names && it.field->bind; i++)
            if (field->when[i].operation == MST_EQUAL && field->when[i].variable == it.field->bind - 1)
                return true;
    return false;
}

bool mst_row_differs_by_class(const mst_value *element, const mst_value *member) {
    const mst_record *record = mst_field_of(element)->record;
    return record && mst_differs_by_class(record, mst_field_of(member));
}
