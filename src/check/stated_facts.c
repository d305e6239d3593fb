/* SPDX-License-Identifier: MIT */
/* The facts that the tables state about a value. */
#include "../read/engine.h"
#include "../read/placement.h"
#include "refers.h"
#include <mapstone/facts.h>

static mst_meaning meaning_of(const mst_value *value, const mst_field *field) {
    if (field->kind == MST_KIND_RECORD || field->kind == MST_KIND_CHUNKS || field == &mst_document_field)
        return MST_MEANS_PARTS;
    if (field->length_of || (field->flags & MST_FIELD_SIZES) || field->constant ||
        (mst_checksum_path(value->document) && field->rule.kind == MST_RULE_NONE &&
         strcmp(field->name, mst_checksum_path(value->document)) == 0))
        return MST_MEANS_DERIVED;
    if (mst_is_text(field))
        return MST_MEANS_TEXT;
    if (!mst_is_number(field))
        return field->flags & MST_FIELD_CONTENT ? MST_MEANS_PARTS : MST_MEANS_UNKNOWN;
    if (field->flags & MST_FIELD_FLAGS)
        return MST_MEANS_FLAGS;
    return field->refers_count ? MST_MEANS_ELEMENT : field->names ? MST_MEANS_NAMED : MST_MEANS_NUMBER;
}

static void find_limits(const mst_field *field, mst_value_facts *facts) {
    if (!mst_is_number(field) || field->kind == MST_KIND_F64)
        return;
    facts->has_limits = 1;
    if (field->kind == MST_KIND_F32) {
        facts->maximum = 3.4028234663852886e38;
        facts->minimum = -facts->maximum;
        return;
    }
    bool is_signed = mst_is_signed(field->kind);
    uint64_t all = mst_bits_in(field);
    facts->maximum = (double)(is_signed ? all >> 1 : all);
    facts->minimum = is_signed ? -(double)(all >> 1) - 1 : 0;
}

mst_status mst_value_facts_of(const mst_value *value, mst_value_facts *facts) {
    if (mst_is_void(value) || !facts || facts->size != sizeof *facts)
        return MST_ARGUMENT;
    const mst_field *field = mst_field_of(value);
    *facts = (mst_value_facts){.size = sizeof *facts, .meaning = meaning_of(value, field)};
    find_limits(field, facts);
    if (mst_is_text(field) && field->mode == MST_COUNT_FIXED)
        facts->text_limit = (uint64_t)field->count * (field->kind == MST_KIND_CHAR16 ? 2 : 1);
    if (facts->meaning == MST_MEANS_ELEMENT ||
        (facts->meaning == MST_MEANS_FLAGS && field->flags & MST_FIELD_BESIDE && field->refers_count)) {
        facts->list = field->refers->target;
        facts->key = field->refers->key;
        facts->bits = field->refers->by == MST_BY_BIT;
        facts->has_none = field->refers->nones != 0;
        facts->none = facts->has_none ? mst_refers_none(field, field->refers, 0) : 0;
    }
    double position[3];
    const mst_placement_fields *placement = mst_placement_of(value);
    facts->stands = placement && mst_position_of(value, position) > 1;
    facts->turns = facts->stands && (placement->turn[0] || placement->quaternion);
    return MST_OK;
}

const char *mst_value_name(const mst_value *value, size_t index, int64_t *number, const char **words) {
    const mst_field *field = mst_is_void(value) ? NULL : mst_field_of(value);
    if (words)
        *words = NULL;
    if (!field || !number || !field->names)
        return NULL;
    for (size_t i = 0; i < field->names->count; i++) {
        const mst_enum_name *one = &field->names->items[i];
        if ((field->flags & MST_FIELD_FLAGS) && !(mst_bits_in(field) >> one->value & 1))
            continue; /* this field is narrower than others with these names */
        if (index--)
            continue;
        *number = one->value;
        if (words && field->meanings)
            *words = field->meanings[i];
        return one->name;
    }
    return NULL;
}
