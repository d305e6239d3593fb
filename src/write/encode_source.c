/* SPDX-License-Identifier: MIT */
/* The encoder's sources of values: a record's fields in JSON or in a document, and the additional keys of
 * JSON. */
#include "../core/number.h"
#include "encoder.h"
#include <stdio.h>

bool mst_source_member(mst_encode_frame *record, const char *name, mst_source *member) {
    *member = record->source;
    if (!record->source.json)
        return mst_member(&record->source.value, name, &member->value) == MST_OK;
    const mst_json_node *nodes = record->source.json, *object = &nodes[record->source.node];
    size_t length = strlen(name);
    /* keys are usually in the order of the table: continue after the last one found */
    uint32_t first = record->source.node + 1, at = record->cursor ? record->cursor : first;
    for (uint32_t tried = 0; tried < object->count; tried++) {
        if (at >= object->end)
            at = first;
        if (nodes[at].length == length && memcmp(nodes[at].text, name, length) == 0) {
            record->cursor = nodes[at + 1].end;
            member->node = at + 1;
            return true;
        }
        at = nodes[at + 1].end;
    }
    return false;
}

bool mst_source_field(mst_encode_frame *record, const mst_field *field, mst_source *member) {
    if (record->source.json)
        return mst_source_member(record, field->name, member);
    const mst_field *fields = record->record->fields;
    mst_iterator *it = &record->iterator;
    if (!it->document)
        *it = mst_iterate(&record->source.value);
    int more = 1;
    while (more && (mst_is_void(&record->ahead) || fields + it->last < field))
        more = mst_next(it, &record->ahead);
    if (more && fields + it->last == field) {
        *member = record->source;
        member->value = record->ahead;
        return true;
    }
    return mst_source_member(record, field->name, member);
}

uint64_t mst_source_count(const mst_source *source) {
    if (source->json)
        return source->json[source->node].kind == MST_JSON_ARRAY ? source->json[source->node].count : 0;
    return mst_count(&source->value);
}

/* The member "$gaps" and the like of an object, or "$gaps.models" for a list in it; NULL if it has none. */
const mst_json_node *mst_own_key(const mst_encode_frame *record, const char *key, const char *list) {
    char name[160];
    snprintf(name, sizeof name, list ? "%s.%s" : "%s", key, list);
    const mst_json_node *nodes = record->source.json, *object = &nodes[record->source.node];
    size_t length = strlen(name);
    if (object->kind != MST_JSON_OBJECT) /* a list that is set alone */
        return NULL;
    for (uint32_t at = record->source.node + 1; at < object->end; at = nodes[at + 1].end)
        if (nodes[at].length == length && memcmp(nodes[at].text, name, length) == 0)
            return &nodes[at + 1];
    return NULL;
}

bool mst_own_number(const mst_encode_frame *record, const char *key, const char *list, uint64_t *number) {
    const mst_json_node *node = mst_own_key(record, key, list);
    return node && node->kind == MST_JSON_NUMBER && mst_read_u64(node->text, node->length, number) &&
           *number <= UINT32_MAX;
}

/* Whether the key is "$gaps" or the like, for a record or a list in it. */
static bool is_archive_key(const mst_encode_frame *record, const mst_json_node *key) {
    static const char *const keys[] = {"$gaps", "$end", "$cut", "$stride"};
    for (size_t k = 0; k < MST_COUNT_OF(keys); k++) {
        size_t n = strlen(keys[k]);
        if (key->length < n || memcmp(key->text, keys[k], n) != 0)
            continue;
        if (key->length == n)
            return record->record->archive && k < 3;
        if (key->text[n] != '.')
            continue;
        for (uint16_t i = 0; i < record->record->field_count; i++) {
            const mst_field *field = &record->record->fields[i];
            if (strlen(field->name) == key->length - n - 1 &&
                memcmp(field->name, key->text + n + 1, key->length - n - 1) == 0)
                return field->mode == (k == 3 ? MST_COUNT_DATA_SET : MST_COUNT_ARCHIVE);
        }
    }
    return false;
}

/* Whether the key is not a field's, but the document's, an archive's, or "$order" where there are chunks. */
bool mst_is_own_key(const mst_encode_frame *record, const mst_json_node *key) {
    static const char *const of_document[] = {"$format", "$version", "$byte_order",
                                              "$layout", "$content", "$schema"};
    for (size_t i = 0; i < MST_COUNT_OF(of_document); i++)
        if (key->length == strlen(of_document[i]) && memcmp(key->text, of_document[i], key->length) == 0)
            return record->field == &mst_document_field;
    if (is_archive_key(record, key))
        return true;
    if (key->length != 6 || memcmp(key->text, "$order", 6) != 0)
        return false;
    for (uint16_t i = 0; i < record->record->field_count; i++)
        if (record->record->fields[i].kind == MST_KIND_CHUNKS)
            return true;
    return false;
}

/* Fails with the first key of a JSON object that no field used. With request->drop, keys of fields that the
 * record has under other conditions are ignored: clearing a flag removes its fields. */
mst_status mst_unused_key(mst_encoder *e, const mst_encode_frame *top) {
    const mst_json_node *nodes = top->source.json, *object = &nodes[top->source.node];
    const mst_plan *plan = &e->request->plans[top->record->index];
    char found[64] = "";
    for (uint32_t at = top->source.node + 1; at < object->end; at = nodes[at + 1].end) {
        bool known = mst_is_own_key(top, &nodes[at]);
        for (uint16_t i = 0; i < top->record->field_count && !known; i++) {
            const mst_field *field = &top->record->fields[i];
            bool there = plan->fields[i].presence != MST_ABSENT && mst_field_present(field, top->context);
            if (field->kind == MST_KIND_CHUNKS) {
                for (int c = 0; c <= field->chunks->case_count && !known; c++) {
                    const char *name = c < field->chunks->case_count ? field->chunks->cases[c].field.name
                                                                     : field->chunks->unknown->name;
                    known = (there || e->request->drop) && strlen(name) == nodes[at].length &&
                            memcmp(name, nodes[at].text, nodes[at].length) == 0;
                }
                continue;
            }
            known = (there || e->request->drop) && strlen(field->name) == nodes[at].length &&
                    memcmp(field->name, nodes[at].text, nodes[at].length) == 0;
        }
        if (!known) {
            snprintf(found, sizeof found, "%.*s", (int)(nodes[at].length < 60 ? nodes[at].length : 60),
                     nodes[at].text);
            /* lenient: an edit fills in the record, so the data lost would be the document's */
            return mst_encode_fail(e, e->request->lenient ? MST_REFUSED : MST_ARGUMENT, "",
                                   e->request->lenient
                                       ? "this field would be lost"
                                       : "no such field here: wrong name or version, or its flag is not set",
                                   NULL, found);
        }
    }
    return e->request->drop ? MST_OK
                            : mst_encode_fail(e, MST_ARGUMENT, "",
                                              "a field is given twice, or does not belong here", NULL, NULL);
}
