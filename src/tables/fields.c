/* SPDX-License-Identifier: MIT */
#include "fields.h"
#include <string.h>

mst_fields mst_fields_of_format(const mst_format *format) {
    return (mst_fields){.records = format->tables.records, .record_count = format->tables.record_count};
}

mst_fields mst_fields_of_record(const mst_record *record) {
    return (mst_fields){.record = record};
}

bool mst_fields_next(mst_fields *it) {
    it->chunks = it->chunks ? it->chunks : it->field ? it->field->chunks : NULL;
    if (it->chunks && it->next_case <= it->chunks->case_count) {
        bool known = it->next_case < it->chunks->case_count;
        it->field = known ? &it->chunks->cases[it->next_case].field : it->chunks->unknown;
        it->next_case++;
        return true;
    }
    it->chunks = NULL;
    it->next_case = 0;
    while (!it->record || it->next == it->record->field_count) {
        if (!it->record_count)
            return false;
        it->record = *it->records++;
        it->record_count--;
        it->next = 0;
    }
    it->field = &it->record->fields[it->next++];
    return true;
}

const mst_compared *mst_compared_of_list(const mst_format *format, const char *path) {
    const char *name = mst_last_name(path);
    for (const mst_compared *one = format->tables.compared; one && one->record; one++)
        if (strcmp(one->field, name) == 0)
            return one;
    return NULL;
}

bool mst_compared_is_kind(const mst_compared *facts, const char *path) {
    for (size_t i = 0; i < MST_COMPARED_PATHS && facts->kind[i]; i++)
        if (strcmp(facts->kind[i], path) == 0)
            return true;
    return false;
}

const mst_compared *mst_compared_facts(const mst_format *format, const mst_field *list) {
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        for (const mst_compared *one = format->tables.compared; it.field == list && one && one->record; one++)
            if (strcmp(one->record, it.record->name) == 0 && strcmp(one->field, list->name) == 0)
                return one;
    return NULL;
}

bool mst_is_known_elsewhere(const mst_format *format, const char *path) {
    const size_t length = strcspn(path, "[");
    const char *name = path;
    bool is = false;
    for (size_t i = 0; i < length; i++)
        if (path[i] == '.')
            name = path + i + 1;
    const size_t size = length - (size_t)(name - path);
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);) {
        is = is || (strncmp(it.field->name, name, size) == 0 && !it.field->name[size] &&
                    (it.field->flags & (MST_FIELD_APPEND | MST_FIELD_NUMBERED)));
        for (uint8_t i = 0; i < it.field->refers_count; i++) {
            const char *target = mst_last_name(it.field->refers[i].target);
            if (strncmp(target, name, size) == 0 && !target[size])
                return false;
        }
    }
    return is;
}
