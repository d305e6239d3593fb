/* SPDX-License-Identifier: MIT */
#include "engine.h"

const uint8_t mst_kind_width[] = {
    [MST_KIND_RAW] = 1,    [MST_KIND_U8] = 1,     [MST_KIND_I8] = 1,    [MST_KIND_U16] = 2,
    [MST_KIND_I16] = 2,    [MST_KIND_U32] = 4,    [MST_KIND_I32] = 4,   [MST_KIND_U64] = 8,
    [MST_KIND_I64] = 8,    [MST_KIND_F32] = 4,    [MST_KIND_F64] = 8,   [MST_KIND_CHAR8] = 1,
    [MST_KIND_CHAR16] = 2, [MST_KIND_RECORD] = 0, [MST_KIND_CHUNKS] = 0};

static bool holds(const mst_when *when, uint32_t value) {
    switch ((mst_operator)when->operation) {
    case MST_ALWAYS: return true;
    case MST_EQUAL: return value == when->value;
    case MST_NOT_EQUAL: return value != when->value;
    case MST_AT_LEAST: return value >= when->value;
    case MST_BELOW: return value < when->value;
    case MST_ANY_BIT: return (value & when->value) != 0;
    case MST_NO_BIT: return (value & when->value) == 0;
    case MST_ONE_OF: return value < 32 && (when->value >> value & 1) != 0;
    }
    return false;
}

bool mst_field_present(const mst_field *field, const uint32_t *registers) {
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++)
        if (!holds(&field->when[i], registers[field->when[i].reg]))
            return false;
    return true;
}

static mst_presence presence_in(const mst_field *field, uint32_t version) {
    mst_presence presence = MST_PRESENT;
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++) {
        const mst_when *when = &field->when[i];
        if (when->operation == MST_ALWAYS)
            continue;
        if (when->reg != MST_REGISTER_VERSION)
            presence = presence == MST_ABSENT ? MST_ABSENT : MST_DEPENDS;
        else if (!holds(when, version))
            return MST_ABSENT;
    }
    return presence;
}

typedef struct compiler {
    const mst_format *format;
    mst_variant variant;
    mst_arena *arena;
    mst_plan *plans;
    uint8_t *state; /* 0 to do, 1 being done, 2 done */
} compiler;

static mst_status compile(compiler *c, const mst_record *record);

/* The fixed size of a field (0 if it has none) and the least bytes it takes. The depth of the recursion is
 * that of the tables. */
static mst_status measure(compiler *c, const mst_field *field, uint32_t *size, uint32_t *minimum) {
    uint32_t width = mst_kind_width[field->kind];
    *size = *minimum = 0;
    uint32_t least = width;
    if (field->kind == MST_KIND_RECORD) {
        /* a record inside itself has no fixed size: it ends somewhere, so its least size is 0 here */
        if (c->state[field->record->index] != 1) {
            mst_status status = compile(c, field->record);
            if (status != MST_OK)
                return status;
            width = c->plans[field->record->index].stride;
            least = c->plans[field->record->index].minimum;
        }
    }
    uint64_t total = 0;
    switch ((mst_count_mode)field->mode) {
    case MST_COUNT_ONE:
        *size = width;
        *minimum = least;
        break;
    case MST_COUNT_FIXED:
        total = (uint64_t)width * field->count;
        *size = total <= UINT32_MAX ? (uint32_t)total : 0;
        total = (uint64_t)least * field->count;
        *minimum = total <= UINT32_MAX ? (uint32_t)total : UINT32_MAX;
        break;
    case MST_COUNT_PREFIX: *minimum = mst_kind_width[field->prefix]; break;
    case MST_COUNT_REGISTER:
    case MST_COUNT_REST: break;
    }
    return MST_OK;
}

static mst_status compile(compiler *c, const mst_record *record) {
    if (c->state[record->index] == 2)
        return MST_OK;
    c->state[record->index] = 1;
    mst_field_plan *fields = mst_arena_zero(c->arena, record->field_count, sizeof *fields);
    if (!fields)
        return MST_NO_MEMORY;
    uint64_t offset = 0, minimum = 0;
    bool fixed = true;
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        fields[i].presence = (uint8_t)presence_in(field, c->variant.version);
        fields[i].offset = fixed && offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX;
        if (fields[i].presence == MST_ABSENT)
            continue;
        uint32_t size, least;
        mst_status status = measure(c, field, &size, &least);
        if (status != MST_OK)
            return status;
        if (fields[i].presence == MST_PRESENT) {
            fields[i].size = size;
            minimum += least;
        }
        if (fields[i].size == 0)
            fixed = false;
        offset += fields[i].size;
    }
    /* runs, from the last field to the first */
    for (uint16_t i = record->field_count; i-- > 0;) {
        const mst_field *field = &record->fields[i];
        bool skips =
            fields[i].presence == MST_ABSENT ||
            (fields[i].size > 0 && !field->save && !(field->flags & MST_FIELD_SIZE) && !field->constant);
        fields[i].run_next = (uint16_t)(i + 1);
        if (!skips)
            continue;
        fields[i].run_size = fields[i].size;
        if (i + 1 < record->field_count && fields[i + 1].run_next > i + 1u &&
            (fields[i + 1].run_size > 0 || fields[i + 1].presence == MST_ABSENT)) {
            uint64_t sum = (uint64_t)fields[i].run_size + fields[i + 1].run_size;
            if (sum <= UINT32_MAX) {
                fields[i].run_size = (uint32_t)sum;
                fields[i].run_next = fields[i + 1].run_next;
            }
        }
    }
    mst_plan *plan = &c->plans[record->index];
    plan->fields = fields;
    plan->stride = fixed && offset <= UINT32_MAX ? (uint32_t)offset : 0;
    plan->minimum = minimum < UINT32_MAX ? (uint32_t)minimum : UINT32_MAX;
    /* a record that sets registers or holds sizes is read field by field even if its size is fixed */
    for (uint16_t i = 0; i < record->field_count; i++)
        if (record->fields[i].save || record->fields[i].constant ||
            (record->fields[i].flags & MST_FIELD_SIZE))
            plan->stride = 0;
    c->state[record->index] = 2;
    return MST_OK;
}

mst_status mst_plans_compile(const mst_format *format, mst_variant variant, mst_arena *arena,
                             const mst_plan **plans) {
    compiler c = {.format = format, .variant = variant, .arena = arena};
    c.plans = mst_arena_zero(arena, format->record_count, sizeof *c.plans);
    c.state = mst_arena_zero(arena, format->record_count, 1);
    if (!c.plans || !c.state)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < format->record_count; i++) {
        mst_status status = compile(&c, format->records[i]);
        if (status != MST_OK)
            return status;
    }
    *plans = c.plans;
    return MST_OK;
}
