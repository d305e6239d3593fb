/* SPDX-License-Identifier: MIT */
#include "engine.h"

const uint8_t mst_kind_width[] = {
    [MST_KIND_RAW] = 1,    [MST_KIND_U8] = 1,     [MST_KIND_I8] = 1,    [MST_KIND_U16] = 2,
    [MST_KIND_I16] = 2,    [MST_KIND_U32] = 4,    [MST_KIND_I32] = 4,   [MST_KIND_U64] = 8,
    [MST_KIND_I64] = 8,    [MST_KIND_F32] = 4,    [MST_KIND_F64] = 8,   [MST_KIND_CHAR8] = 1,
    [MST_KIND_CHAR16] = 2, [MST_KIND_RECORD] = 0, [MST_KIND_CHUNKS] = 0};

mst_presence mst_presence_in(const mst_field *field, mst_variant variant) {
    bool depends = field->present || (field->flags & MST_FIELD_OPTIONAL);
    if (field->directory > MST_NOT_STORED)
        return MST_ABSENT;
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++) {
        const mst_when *when = &field->when[i];
        if (when->operation == MST_ALWAYS)
            continue;
        uint32_t value = when->variable == MST_VARIABLE_BIG      ? variant.big
                         : when->variable == MST_VARIABLE_LAYOUT ? variant.layout
                                                                 : variant.version;
        bool fixed = when->variable == MST_VARIABLE_VERSION || when->variable == MST_VARIABLE_BIG ||
                     when->variable == MST_VARIABLE_LAYOUT;
        if (!fixed)
            depends = true;
        else if (!mst_when_holds(when, value))
            return MST_ABSENT;
    }
    return depends ? MST_DEPENDS : MST_PRESENT;
}

typedef struct compiler {
    const mst_format *format;
    mst_variant variant;
    mst_arena *arena;
    mst_plan *plans;
    uint8_t *state; /* 0 to do, 1 in progress, 2 done */
} compiler;

static mst_status compile(compiler *c, const mst_record *record);

/* The fixed size of a field (0 if it has none) and the minimum size. The recursion is as deep as the tables.
 */
static mst_status measure(compiler *c, const mst_field *field, uint32_t *size, uint32_t *minimum) {
    uint32_t width = mst_kind_width[field->kind];
    *size = *minimum = 0;
    uint32_t min = width;
    if (field->kind == MST_KIND_RECORD) {
        /* a record inside itself has no fixed size; the innermost one is absent, so its minimum is 0 here */
        if (c->state[field->record->index] != 1) {
            mst_status status = compile(c, field->record);
            if (status != MST_OK)
                return status;
            width = c->plans[field->record->index].stride;
            min = c->plans[field->record->index].minimum;
        } else if (field->mode != MST_COUNT_ARCHIVE) {
            c->plans[field->record->index].endless = true;
        }
    }
    uint64_t total = 0;
    switch ((mst_count_mode)field->mode) {
    case MST_COUNT_ONE:
        *size = width;
        *minimum = min;
        break;
    case MST_COUNT_FIXED:
        total = (uint64_t)width * field->count;
        *size = total <= UINT32_MAX ? (uint32_t)total : 0;
        total = (uint64_t)min * field->count;
        *minimum = total <= UINT32_MAX ? (uint32_t)total : UINT32_MAX;
        break;
    case MST_COUNT_PREFIX: *minimum = mst_kind_width[field->prefix]; break;
    case MST_COUNT_DATA_SET:
    case MST_COUNT_ARCHIVE: *minimum = 8; break;
    case MST_COUNT_VARIABLE:
    case MST_COUNT_PRODUCT:
    case MST_COUNT_ALIGN:
    case MST_COUNT_TO_END:
    case MST_COUNT_SENTINEL: break;
    }
    return MST_OK;
}

/* Stepping must visit each field of parts after the first. */
static bool in_first_part(const mst_field *field) {
    return !(field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE));
}

/* Whether the field is present for one value of a variable only, and `next` for the value after it. */
static bool is_alternative(const mst_field *field, const mst_field *next) {
    const mst_when *one = &field->when[0], *other = &next->when[0];
    return one->operation == MST_EQUAL && other->operation == MST_EQUAL && one->variable == other->variable &&
           other->value == one->value + 1 && in_first_part(field) && in_first_part(next);
}

/* Marks runs of fields of which at most one is present, so that stepping does not test each. */
static void mark_alternatives(const mst_record *record, mst_field_plan *fields) {
    for (uint16_t i = 0; i < record->field_count;) {
        uint16_t after = (uint16_t)(i + 1);
        while (after < record->field_count && fields[after - 1].presence == MST_DEPENDS &&
               fields[after].presence == MST_DEPENDS &&
               is_alternative(&record->fields[after - 1], &record->fields[after]))
            after++;
        for (uint16_t k = i; after - i > 2 && k < after; k++) {
            fields[k].presence = MST_ALTERNATIVE;
            fields[k].absent_next = after;
        }
        i = after;
    }
}

/* The first of a field's conditions that the variant does not decide; the maximum count if there is none. */
static uint8_t lead_of(const mst_field *field) {
    uint8_t i = 0;
    while (i < MST_COUNT_OF(field->when) && (field->when[i].operation == MST_ALWAYS ||
                                             ((1u << field->when[i].variable) & MST_VARIABLES_FIXED)))
        i++;
    return i;
}

/* Whether a field has no requirements other than its conditions before one. */
static bool needs_no_more(const mst_field *field, uint8_t condition) {
    while (condition < MST_COUNT_OF(field->when) && field->when[condition].operation == MST_ALWAYS)
        condition++;
    return condition == MST_COUNT_OF(field->when) && !field->present && !(field->flags & MST_FIELD_OPTIONAL);
}

/* Whether a field is absent unless the condition holds. */
static bool needs(const mst_field *field, const mst_when *condition) {
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++)
        if (field->when[i].operation == condition->operation &&
            field->when[i].variable == condition->variable && field->when[i].value == condition->value)
            return true;
    return false;
}

static const mst_lead holds_never = {.outside = true, .span = UINT32_MAX};

/* Turns a condition into the form of leads; false for sets of values with gaps. */
static bool make_lead(const mst_when *when, mst_lead *lead) {
    *lead = (mst_lead){.variable = when->variable, .mask = UINT32_MAX, .low = when->value};
    switch ((mst_operator)when->operation) {
    case MST_ALWAYS: return false;
    case MST_EQUAL: break;
    case MST_NOT_EQUAL: lead->outside = true; break;
    case MST_AT_LEAST: lead->span = UINT32_MAX - when->value; break;
    case MST_BELOW:
        lead->outside = true;
        lead->span = UINT32_MAX - when->value;
        break;
    case MST_ANY_BIT:
    case MST_NO_BIT:
        lead->outside = when->operation == MST_ANY_BIT;
        lead->mask = when->value;
        lead->low = 0;
        break;
    case MST_ONE_OF:
        for (lead->low = 0; lead->low < 31 && !(when->value >> lead->low & 1);)
            lead->low++;
        while (lead->low + lead->span < 31 && (when->value >> lead->low >> lead->span >> 1 & 1))
            lead->span++;
        return when->value >> lead->low == UINT32_MAX >> (31 - lead->span);
    }
    return true;
}

/* Finds the condition that leads a field, and whether it decides alone. Returns the condition. */
static const mst_when *find_lead(const mst_field *field, mst_field_plan *compiled) {
    uint8_t first = compiled->presence == MST_ALTERNATIVE ? 0 : lead_of(field);
    compiled->others = first;
    mst_lead lead;
    if (first == MST_COUNT_OF(field->when) || !in_first_part(field) || !make_lead(&field->when[first], &lead))
        return NULL;
    compiled->lead = lead;
    compiled->others++;
    compiled->leads = true;
    compiled->led = needs_no_more(field, compiled->others);
    return &field->when[first];
}

/* Determines how far stepping advances from an absent field: also over adjacent absent fields. */
static void mark_absent(const mst_record *record, mst_field_plan *fields) {
    for (uint16_t i = record->field_count; i-- > 0;) {
        mst_field_plan *compiled = &fields[i];
        const mst_when *lead = NULL;
        compiled->led = compiled->presence == MST_PRESENT;
        compiled->leads = compiled->presence == MST_ABSENT;
        if (compiled->leads)
            compiled->lead = holds_never;
        if (compiled->presence == MST_DEPENDS || compiled->presence == MST_ALTERNATIVE)
            lead = find_lead(&record->fields[i], compiled);
        if (compiled->presence == MST_ALTERNATIVE)
            continue;
        uint16_t next = (uint16_t)(i + 1);
        while (next < record->field_count) {
            bool led = lead && in_first_part(&record->fields[next]) && needs(&record->fields[next], lead);
            if (!led && fields[next].presence != MST_ABSENT)
                break;
            next = led ? (uint16_t)(next + 1) : fields[next].absent_next;
        }
        compiled->absent_next = next;
    }
}

static uint16_t first_outside(const mst_record *record) {
    uint16_t i = 0;
    while (i < record->field_count && !(record->fields[i].flags & MST_FIELD_OUTSIDE))
        i++;
    return i;
}

/* Determines whether the record's end follows from numbers at fixed places. */
static mst_status compile_sized(const compiler *c, const mst_record *record, mst_plan *plan) {
    mst_sized sized = {.stop = UINT16_MAX};
    bool fixed = plan->sizes && plan->outside == record->field_count;
    for (uint16_t i = 0; fixed && i <= plan->last_size; i++) {
        const mst_field *field = &record->fields[i];
        if (plan->fields[i].presence == MST_ABSENT)
            continue;
        bool one = field->mode == MST_COUNT_ONE && mst_is_number(field);
        int size = mst_size_index(field);
        fixed = plan->fields[i].presence == MST_PRESENT && plan->fields[i].size &&
                !(field->flags & MST_FIELD_LAST) && sized.head < UINT32_MAX - plan->fields[i].size;
        if (size >= 0) {
            sized.fields[size] = i;
            sized.places[size] = sized.head;
        } else if (field->flags & MST_FIELD_STOP) {
            fixed = fixed && one && sized.stop == UINT16_MAX;
            sized.stop = i;
            sized.stop_place = sized.head;
        }
        sized.head += plan->fields[i].size;
    }
    mst_sized *kept = fixed ? mst_arena_take(c->arena, 1, sizeof *kept) : NULL;
    if (kept)
        *kept = sized;
    plan->sized = kept;
    return fixed && !kept ? MST_NO_MEMORY : MST_OK;
}

/* The blocks of an archive are found by their offsets: they have no fixed position or size. */
static mst_status compile_archive(compiler *c, const mst_record *record) {
    mst_field_plan *fields = mst_arena_zero(c->arena, record->field_count, sizeof *fields);
    if (!fields)
        return MST_NO_MEMORY;
    for (uint16_t i = 0; i < record->field_count; i++) {
        fields[i].presence = (uint8_t)mst_presence_in(&record->fields[i], c->variant);
        fields[i].offset = UINT32_MAX;
        const mst_record *inner = record->fields[i].record;
        mst_status status = inner && c->state[inner->index] != 1 ? compile(c, inner) : MST_OK;
        if (status != MST_OK)
            return status;
    }
    c->plans[record->index].fields = fields;
    c->plans[record->index].outside = first_outside(record);
    c->plans[record->index].minimum = 8;
    c->state[record->index] = 2;
    return MST_OK;
}

/* Whether nothing depends on a field's value, not even an error. */
static bool decides_nothing(const mst_field *field) {
    return !field->bind && !field->constant && !(field->flags & (MST_FIELD_SIZES | MST_FIELD_STOP));
}

void mst_find_runs(const mst_record *record, const mst_field_plan *fields, mst_run *runs) {
    for (uint16_t i = record->field_count; i-- > 0;) {
        bool absent = fields[i].presence == MST_ABSENT, last = i + 1 == record->field_count;
        bool fixed = !runs[i].met && fields[i].size && fields[i].alone && in_first_part(&record->fields[i]);
        runs[i].size = absent || !fixed ? 0 : fields[i].size;
        runs[i].next = (uint16_t)(i + 1);
        if ((!absent && !fixed) || last || !(runs[i + 1].size || fields[i + 1].presence == MST_ABSENT))
            continue;
        uint64_t sum = (uint64_t)runs[i].size + runs[i + 1].size;
        if (sum > UINT32_MAX)
            continue;
        runs[i].size = (uint32_t)sum;
        runs[i].next = runs[i + 1].next;
    }
}

static mst_quick quick_mode(const mst_field *field) {
    switch ((mst_count_mode)field->mode) {
    case MST_COUNT_ONE:
    case MST_COUNT_FIXED: return field->kind == MST_KIND_RECORD ? MST_QUICK_NONE : MST_QUICK_FIXED;
    case MST_COUNT_PREFIX: return MST_QUICK_COUNTED;
    case MST_COUNT_VARIABLE: return MST_QUICK_VARIABLE;
    case MST_COUNT_TO_END: return field->kind == MST_KIND_RAW ? MST_QUICK_REST : MST_QUICK_NONE;
    default: return MST_QUICK_NONE;
    }
}

static void mark_quick(const compiler *c, const mst_record *record, mst_field_plan *fields) {
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        mst_field_plan *compiled = &fields[i];
        bool one = field->mode == MST_COUNT_ONE && mst_is_number(field);
        if (!in_first_part(field) || field->present || field->constant ||
            (field->flags & (MST_FIELD_OPTIONAL | MST_FIELD_SHORT)) ||
            (!one && (field->flags & MST_FIELD_STOP)))
            continue;
        compiled->quick = (uint8_t)quick_mode(field);
        compiled->extent = field->kind == MST_KIND_RECORD ? c->plans[field->record->index].stride
                                                          : mst_kind_width[field->kind];
        if (compiled->quick == MST_QUICK_FIXED && field->mode == MST_COUNT_FIXED) {
            uint64_t extent = (uint64_t)compiled->extent * field->count;
            compiled->extent = extent <= UINT32_MAX ? (uint32_t)extent : 0;
        }
        if (!compiled->extent)
            compiled->quick = MST_QUICK_NONE;
        compiled->prefix = compiled->quick == MST_QUICK_COUNTED ? mst_kind_width[field->prefix] : 0;
        compiled->decides = one && !decides_nothing(field);
    }
}

static bool is_simple(const mst_record *record, const mst_field_plan *fields) {
    bool simple = true;
    for (uint16_t i = 0; i < record->field_count; i++)
        simple = simple && (fields[i].presence == MST_ABSENT || (fields[i].quick && !fields[i].decides));
    return simple;
}

static mst_status compile(compiler *c, const mst_record *record) {
    if (c->state[record->index] == 2)
        return MST_OK;
    c->state[record->index] = 1;
    if (record->archive)
        return compile_archive(c, record);
    mst_field_plan *fields = mst_arena_zero(c->arena, record->field_count, sizeof *fields);
    mst_run *runs = mst_arena_zero(c->arena, record->field_count, sizeof *runs);
    if (!fields || !runs)
        return MST_NO_MEMORY;
    uint64_t offset = 0, minimum = 0;
    bool fixed = true, stopped = false;
    mst_plan *plan = &c->plans[record->index];
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i];
        fields[i].presence = (uint8_t)mst_presence_in(field, c->variant);
        fields[i].offset = fixed && offset < UINT32_MAX ? (uint32_t)offset : UINT32_MAX;
        if (fields[i].presence == MST_ABSENT)
            continue;
        uint32_t size, min;
        mst_status status = measure(c, field, &size, &min);
        if (status != MST_OK)
            return status;
        if (decides_nothing(field))
            fields[i].alone = size;
        if (fields[i].presence == MST_PRESENT) {
            fields[i].size = size;
            minimum += stopped ? 0 : min;
        }
        stopped = stopped || (field->flags & MST_FIELD_STOP);
        if (fields[i].size == 0 || stopped)
            fixed = false;
        if (field->flags & MST_FIELD_SIZES) {
            plan->sizes |= field->flags & MST_FIELD_SIZES;
            plan->last_size = i;
        }
        offset += fields[i].size;
    }
    mst_find_runs(record, fields, runs);
    mark_alternatives(record, fields);
    mark_absent(record, fields);
    mark_quick(c, record, fields);
    plan->simple = is_simple(record, fields);
    plan->outside = first_outside(record);
    plan->fields = fields;
    plan->runs = runs;
    plan->endless = plan->endless && !plan->sizes;
    plan->stride = fixed && offset <= UINT32_MAX ? (uint32_t)offset : 0;
    plan->minimum = minimum < UINT32_MAX ? (uint32_t)minimum : UINT32_MAX;
    /* a record that sets context variables or has size fields is read field by field, even if its size is
     * fixed */
    for (uint16_t i = 0; i < record->field_count; i++)
        if (record->fields[i].bind || record->fields[i].constant ||
            (record->fields[i].flags & MST_FIELD_SIZES))
            plan->stride = 0;
    c->state[record->index] = 2;
    return compile_sized(c, record, plan);
}

/* The fields whose values a field may hold: the cases of chunks, or itself. NULL after the last one. */
static const mst_field *content_of(const mst_field *field, int index) {
    const mst_chunks *chunks = field->chunks;
    if (field->kind != MST_KIND_CHUNKS)
        return index ? NULL : field;
    return index < chunks->case_count    ? &chunks->cases[index].field
           : index == chunks->case_count ? chunks->unknown
                                         : NULL;
}

static uint32_t read_by_conditions(const mst_field *field) {
    uint32_t variables = 0;
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++)
        if (field->when[i].operation != MST_ALWAYS)
            variables |= 1u << field->when[i].variable;
    return variables & ~MST_VARIABLES_FIXED;
}

/* The variables that the record reads before it certainly sets them itself, given the variables of nested
 * records. From a field that stops others, stepping continues at the last part. */
static uint32_t read_in(const compiler *c, const mst_record *record) {
    const mst_plan *plan = &c->plans[record->index];
    if (plan->stride) /* fixed: it neither reads nor sets any */
        return 0;
    uint32_t read = 0, set = 0, set_at_stop = UINT32_MAX;
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i], *content;
        if (plan->fields[i].presence == MST_ABSENT)
            continue;
        if (field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE)) {
            set &= set_at_stop;
            set_at_stop = UINT32_MAX;
        }
        uint32_t here = read_by_conditions(field);
        for (int k = 0; (content = content_of(field, k)) != NULL; k++)
            here |= mst_carried(c->plans, content);
        read |= here & ~set;
        if ((field->flags & MST_FIELD_STOP) && !mst_is_number(field))
            set_at_stop &= set;
        if (field->bind && plan->fields[i].presence == MST_PRESENT)
            set |= 1u << (field->bind - 1);
    }
    return read;
}

/* Adds the variables that may be set where a record begins to those of the records in it; false if none were
 * new. */
static bool give(const compiler *c, const mst_record *record, uint32_t *given) {
    uint32_t set = given[record->index];
    bool more = false;
    if (c->plans[record->index].stride)
        return false;
    for (uint16_t i = 0; i < record->field_count; i++) {
        const mst_field *field = &record->fields[i], *content;
        if (c->plans[record->index].fields[i].presence == MST_ABSENT)
            continue;
        for (int k = 0; (content = content_of(field, k)) != NULL; k++) {
            if (!content->record)
                continue;
            uint32_t *inner = &given[content->record->index], all = *inner | set;
            more = more || all != *inner;
            *inner = all;
        }
        if (field->bind)
            set |= 1u << (field->bind - 1);
    }
    return more;
}

/* Determines which variables the records need from outside. Records may contain each other, so passes are
 * repeated until nothing changes. */
static mst_status compile_carried(compiler *c) {
    const mst_record *const *records = c->format->tables.records;
    size_t count = c->format->tables.record_count;
    uint32_t *given = mst_arena_zero(c->arena, count, sizeof *given);
    if (!given)
        return MST_NO_MEMORY;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = count; i-- > 0;) {
            uint32_t read = read_in(c, records[i]), *carried = &c->plans[records[i]->index].carried;
            more = more || read != *carried;
            *carried = read;
        }
    }
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < count; i++)
            more = give(c, records[i], given) || more;
    }
    for (size_t i = 0; i < count; i++)
        c->plans[records[i]->index].carried &= given[records[i]->index];
    return MST_OK;
}

mst_status mst_plans_compile(const mst_format *format, mst_variant variant, mst_arena *arena,
                             const mst_plan **plans) {
    compiler c = {.format = format, .variant = variant, .arena = arena};
    c.plans = mst_arena_zero(arena, format->tables.record_count, sizeof *c.plans);
    c.state = mst_arena_zero(arena, format->tables.record_count, 1);
    if (!c.plans || !c.state)
        return MST_NO_MEMORY;
    for (size_t i = 0; i < format->tables.record_count; i++) {
        mst_status status = compile(&c, format->tables.records[i]);
        if (status != MST_OK)
            return status;
    }
    *plans = c.plans;
    return compile_carried(&c);
}
