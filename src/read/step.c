/* SPDX-License-Identifier: MIT */
#include "step.h"
#include "../core/diagnose.h"

bool mst_field_present(const mst_field *field, const uint32_t *context) {
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++)
        if (!mst_when_holds(&field->when[i], context[field->when[i].variable]))
            return false;
    return true;
}

uint16_t mst_step_over_absent(const mst_record *record, const mst_plan *plan, const uint32_t *context,
                              uint16_t index) {
    while (index < record->field_count && !record->archive) {
        const mst_field_plan *compiled = &plan->fields[index];
        const mst_lead *lead = &compiled->lead;
        if (compiled->presence == MST_ALTERNATIVE) {
            uint32_t ahead = context[lead->variable] - lead->low; /* below `low` it wraps, beyond all */
            if (ahead < (uint32_t)(compiled->absent_next - index))
                return (uint16_t)(index + ahead);
        } else if (mst_lead_holds(lead, context)) {
            break;
        }
        index = compiled->absent_next;
    }
    return index;
}

bool mst_step_found(const mst_step *step, const mst_field *field, const mst_field_plan *compiled,
                    const uint32_t *context, const mst_document *document, uint64_t position,
                    uint64_t outer) {
    if (!mst_others_hold(field, compiled, context))
        return false;
    if (!document || !mst_depends_on_bytes(field))
        return true;
    uint64_t end = mst_step_end(step, outer);
    if ((field->flags & MST_FIELD_OPTIONAL) && position >= end)
        return false;
    return !field->present || field->present(document, position, end, context);
}

static const uint32_t size_flags[] = {MST_FIELD_SIZE, MST_FIELD_SIZE_FIRST, MST_FIELD_SIZE_LAST};

bool mst_split_parts(const mst_plan *plan, const uint64_t sizes[3], uint64_t offset, uint64_t end,
                     uint64_t *first_end, uint64_t *last_end) {
    uint64_t total = plan->sizes & MST_FIELD_SIZE ? sizes[0] : sizes[1];
    if (!(plan->sizes & MST_FIELD_SIZE) && (plan->sizes & MST_FIELD_SIZE_LAST)) {
        if (sizes[2] > UINT64_MAX - total)
            return false;
        total += sizes[2];
    }
    if (!mst_fits(offset, total, end))
        return false;
    *last_end = *first_end = offset + total;
    if ((plan->sizes & MST_FIELD_SIZE_FIRST) && sizes[1] <= total)
        *first_end = offset + sizes[1];
    else if ((plan->sizes & MST_FIELD_SIZE_LAST) && sizes[2] <= total)
        *first_end = *last_end - sizes[2];
    else
        return !(plan->sizes & (MST_FIELD_SIZE_FIRST | MST_FIELD_SIZE_LAST));
    return true;
}

void mst_step_skip(mst_step *step, const mst_record *record, const mst_field *field, uint64_t stored) {
    if (mst_is_number(field)) {
        if ((int64_t)stored < 0)
            step->next = record->field_count;
        return;
    }
    while (step->next < record->field_count &&
           !(record->fields[step->next].flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE)))
        step->next++;
}

bool mst_step_size(mst_step *step, const mst_plan *plan, const mst_field *field, uint64_t stored,
                   uint64_t after, uint64_t outer) {
    step->marks[mst_size_index(field)] = mst_size_covered(field, stored);
    if (step->next != plan->last_size + 1)
        return true;
    uint64_t first_end, last_end;
    if (!mst_split_parts(plan, step->marks, after, outer, &first_end, &last_end))
        return false;
    step->marks[0] = first_end;
    step->marks[1] = last_end;
    step->sized = true;
    return true;
}

mst_status mst_step_contradiction(const mst_step *step, const mst_document *document, const mst_field *field,
                                  uint64_t stored, uint64_t after, uint64_t outer,
                                  mst_diagnostic *diagnostic) {
    uint64_t length = mst_kind_width[field->kind];
    bool beyond = !mst_fits(after, step->marks[mst_size_index(field)], outer);
    uint64_t unit = field->size_scale ? field->size_scale : 1;
    bool small = stored < (field->size_bias + unit - 1) / unit;
    mst_status status = mst_problem_at(document, diagnostic, MST_PROBLEM_OVERRUN, after - length, length,
                                       small    ? "the size is too small"
                                       : beyond ? "the size runs past the end of the enclosing data"
                                                : "the sizes contradict each other");
    if (!diagnostic)
        return status;
    uint64_t max = beyond ? outer - after : step->marks[0];
    if (small)
        MST_SET(diagnostic->expected, "at least %llu",
                (unsigned long long)((field->size_bias + unit - 1) / unit));
    else if (unit == 1)
        MST_SET(diagnostic->expected, "at most %llu bytes", (unsigned long long)(max + field->size_bias));
    else
        MST_SET(diagnostic->expected, "at most %llu x %llu bytes",
                (unsigned long long)((max + field->size_bias) / unit), (unsigned long long)unit);
    MST_SET(diagnostic->found, "%lld", (long long)stored);
    return status;
}

uint64_t mst_sized_end(const mst_document *document, const mst_record *record, const mst_plan *plan,
                       uint64_t offset, uint64_t end) {
    const mst_sized *sized = plan->sized;
    uint64_t sizes[3] = {0, 0, 0}, first_end, last_end;
    if (sized->stop != UINT16_MAX) {
        const mst_field *field = &record->fields[sized->stop];
        uint64_t at = offset + sized->stop_place, width = mst_kind_width[field->kind];
        if (!mst_fits(offset, sized->stop_place + width, end))
            return UINT64_MAX;
        if ((int64_t)mst_scalar_bits(document, field, at) < 0)
            return at + width;
    }
    if (!mst_fits(offset, sized->head, end))
        return UINT64_MAX;
    for (int i = 0; i < 3; i++)
        if (plan->sizes & size_flags[i]) {
            const mst_field *field = &record->fields[sized->fields[i]];
            sizes[i] = mst_size_covered(field, mst_scalar_bits(document, field, offset + sized->places[i]));
        }
    return mst_split_parts(plan, sizes, offset + sized->head, end, &first_end, &last_end) ? last_end
                                                                                          : UINT64_MAX;
}
