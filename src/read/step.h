/* SPDX-License-Identifier: MIT */
/*
 * One step over a record's fields: the next field, whether it is present, and the end of its part. The
 * walker, the iterators of values and the encoder all iterate over records by it, so that a new kind of
 * condition, part or stop is implemented here and nowhere else.
 */
#ifndef MST_READ_STEP_H
#define MST_READ_STEP_H

#include "engine.h"

/* Begins with a record's first field. `blocks`: of an archive, which has at most as many as its record has
 * fields. */
static inline void mst_step_begin(mst_step *step, uint32_t blocks) {
    memset(step, 0, sizeof *step);
    step->blocks = (uint16_t)blocks;
}

/* Whether the bytes, beyond the context variables, decide if the field is present. */
static inline bool mst_depends_on_bytes(const mst_field *field) {
    return field->present || (field->flags & MST_FIELD_OPTIONAL);
}

/* The end of the part of the record that the step is in. */
static inline uint64_t mst_step_end(const mst_step *step, uint64_t outer) {
    return step->sized && step->part < 2 ? step->marks[step->part] : outer;
}

/* Whether a field whose `lead` holds is present. For mst_step_next. */
bool mst_step_found(const mst_step *step, const mst_field *field, const mst_field_plan *compiled,
                    const uint32_t *context, const mst_document *document, uint64_t position, uint64_t outer);

/* Whether the conditions of a field hold that do not follow from its `lead`. */
static inline bool mst_others_hold(const mst_field *field, const mst_field_plan *compiled,
                                   const uint32_t *context) {
    for (size_t i = compiled->others; i < MST_COUNT_OF(field->when); i++)
        if (!mst_when_holds(&field->when[i], context[field->when[i].variable]))
            return false;
    return true;
}

/* The first field from `index` on that is present or whose `lead` holds. In archives no field is skipped:
 * they are counted as blocks. */
uint16_t mst_step_over_absent(const mst_record *record, const mst_plan *plan, const uint32_t *context,
                              uint16_t index);

/*
 * Tests the record's field `step->next`, or the first after it that may be present, and advances past it.
 * Returns the field, or NULL if it is absent. Its bytes would begin at `position`; the record ends at
 * `outer`. Without a document (for data that is about to be written) the context variables alone decide: see
 * mst_depends_on_bytes.
 */
static inline const mst_field *mst_step_next(mst_step *step, const mst_record *record, const mst_plan *plan,
                                             const uint32_t *context, const mst_document *document,
                                             uint64_t position, uint64_t outer) {
    uint16_t index = step->next;
    const mst_field_plan *compiled = &plan->fields[index];
    if (compiled->leads && !mst_lead_holds(&compiled->lead, context)) {
        step->next = index = mst_step_over_absent(record, plan, context, index);
        if (index >= record->field_count)
            return NULL;
        compiled = &plan->fields[index];
    }
    step->next++;
    const mst_field *field = &record->fields[index];
    if (field->flags & (MST_FIELD_LAST | MST_FIELD_OUTSIDE))
        step->part = field->flags & MST_FIELD_LAST ? 1 : 2;
    else if (record->archive)
        return index < step->blocks && compiled->presence != MST_ABSENT ? field : NULL;
    bool found = compiled->led || mst_step_found(step, field, compiled, context, document, position, outer);
    return found ? field : NULL;
}

/* Whether the value of a number decides about other fields, so that mst_step_learn must get it. */
static inline bool mst_decides(const mst_field *field) {
    return field->bind != 0 || (field->flags & (MST_FIELD_SIZES | MST_FIELD_STOP)) != 0;
}

/* Skips the fields that one with MST_FIELD_STOP stops; for mst_step_stop. */
void mst_step_skip(mst_step *step, const mst_record *record, const mst_field *field, uint64_t stored);

/* After the last visited field: skips the fields that it stops. `stored` is its value; 0 for anything that is
 * not a number. */
static inline void mst_step_stop(mst_step *step, const mst_record *record, const mst_field *field,
                                 uint64_t stored) {
    if (field->flags & MST_FIELD_STOP)
        mst_step_skip(step, record, field, stored);
}

/* Derives the ends of the parts from a size; for mst_step_learn. */
bool mst_step_size(mst_step *step, const mst_plan *plan, const mst_field *field, uint64_t stored,
                   uint64_t after, uint64_t outer);

/*
 * After a number for which mst_decides, and which ends at `after`: sets its context variable, skips the
 * fields that it stops, and derives the ends of the parts. False if the sizes are beyond `outer` or
 * contradict each other.
 */
static inline bool mst_step_learn(mst_step *step, const mst_record *record, const mst_plan *plan,
                                  const mst_field *field, uint32_t *context, uint64_t stored, uint64_t after,
                                  uint64_t outer) {
    mst_bind_variable(field, context, stored);
    mst_step_stop(step, record, field, stored);
    return !(field->flags & MST_FIELD_SIZES) || mst_step_size(step, plan, field, stored, after, outer);
}

/* Reports why mst_step_learn failed. */
mst_status mst_step_contradiction(const mst_step *step, const mst_document *document, const mst_field *field,
                                  uint64_t stored, uint64_t after, uint64_t outer,
                                  mst_diagnostic *diagnostic);

/* Skips the fields of the parts, after their ends are known. */
static inline void mst_step_over_parts(mst_step *step, const mst_plan *plan) {
    step->part = 1;
    step->next = step->next < plan->outside ? plan->outside : step->next;
}

/* The end of a record of an opened document, if its plan has `sized`, without a step. UINT64_MAX: it must be
 * stepped over. */
uint64_t mst_sized_end(const mst_document *document, const mst_record *record, const mst_plan *plan,
                       uint64_t offset, uint64_t end);

#endif
