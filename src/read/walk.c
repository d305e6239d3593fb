/* SPDX-License-Identifier: MIT */
/*
 * The walker: traverses bytes by the tables, proves that everything fits, and reports each item to a visitor.
 * Opening is a walk without a visitor; the ledger, JSON, outlines and checks are visitors.
 */
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "walker.h"
#include <stdio.h>

const mst_field mst_document_field = {.name = "", .kind = MST_KIND_RECORD};
const char mst_padding_name[] = "padding";

static void path_of(const walker *w, const char *name, char *path, size_t capacity) {
    size_t length = 0;
    path[0] = 0;
    for (size_t i = 0; i < w->depth; i++)
        length = mst_path_step(path, capacity, length, w->frames[i].name, w->frames[i].index);
    mst_path_step(path, capacity, length, name, UINT64_MAX);
}

mst_status mst_walk_problem(const walker *w, const char *name, mst_status status) {
    if (w->diagnostic)
        path_of(w, name, w->diagnostic->path, sizeof w->diagnostic->path);
    return status;
}

/* Makes room for more frames. */
static mst_status grow(walker *w) {
    const mst_allocator *a = &w->document->allocator;
    size_t old = w->capacity * sizeof(frame), size = old * 2;
    /* a small input must not cause a large stack */
    uint64_t room = (w->document->size * 16 + (1u << 20)) / sizeof(frame) * sizeof(frame);
    if (size > room)
        size = (size_t)room;
    if (size <= old) {
        w->too_deep = true;
        return MST_NO_MEMORY;
    }
    frame *grown = a->resize(a->user, w->allocated ? w->frames : NULL, w->allocated ? old : 0, size);
    if (!grown)
        return mst_fail(w->diagnostic, MST_NO_MEMORY, "not enough memory for records nested this deeply");
    if (!w->allocated)
        memcpy(grown, w->first_frames, old);
    w->frames = grown;
    w->allocated = true;
    w->capacity = size / sizeof(frame);
    return MST_OK;
}

frame *mst_walk_push(walker *w, const uint32_t *context) {
    uint32_t copy[MST_VARIABLES];
    if (w->depth == w->capacity) {
        memcpy(copy, context, sizeof copy); /* they may be in a frame that moves */
        context = copy;
        if (grow(w) != MST_OK)
            return NULL;
    }
    frame *top = &w->frames[w->depth++];
    top->met = top->exact = top->in_chunk = top->in_list = false;
    top->levels = w->depth > 1 ? w->frames[w->depth - 2].levels + 1 : 0;
    top->start = w->position;
    memcpy(top->context, context, sizeof top->context);
    return top;
}

/* Skips content that the visitor does not want to enter. */
static mst_status skip(walker *w, const mst_field *field, const uint32_t *context, uint64_t end, bool single,
                       bool chunk) {
    mst_walk_request measure = {.document = w->document,
                                .field = field,
                                .context = context,
                                .offset = w->position,
                                .end = end,
                                .single = single,
                                .chunk = chunk,
                                .trusted = w->request->trusted};
    return mst_walk_field(&measure, &w->position, w->diagnostic);
}

static mst_status report_derived(const walker *w, const frame *top, const char *name, uint64_t length) {
    mst_item item = item_at(w, MST_ITEM_DERIVED, NULL, top->context, name, UINT64_MAX, w->position + length);
    item.length = length;
    mst_status status = length ? report(w, &item) : MST_OK;
    return status == MST_UNKNOWN ? MST_OK : status;
}

/* Advances to `offset` over padding. */
static mst_status pad_to(walker *w, const frame *top, uint64_t offset) {
    if (MST_CHANGED(offset < w->position))
        return mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_OFFSET, top->archive.base, 4,
                              "the offsets of the archive have changed since it was opened");
    mst_status status = report_derived(w, top, mst_padding_name, offset - w->position);
    w->position = offset;
    return status;
}

/* The maximum number of blocks of a record. */
static uint32_t block_fields(const mst_record *record) {
    uint32_t count = 0;
    while (count < record->field_count && !(record->fields[count].flags & MST_FIELD_OUTSIDE))
        count++;
    return count;
}

/* The header of an archive that is a record (`record` of the frame) or a list of its blocks. */
static mst_status begin_archive(walker *w, frame *top, bool root) {
    mst_status status = w->request->trusted ? MST_OK : MST_UNKNOWN;
    if (status == MST_OK)
        top->archive = mst_archive_at(w->document, w->position, top->end);
    else
        status = mst_archive_open(w->document, w->position, top->end, root || top->end == w->document->size,
                                  &top->archive, w->diagnostic);
    top->block = 0;
    if (status != MST_OK)
        return mst_walk_problem(w, "", status);
    uint32_t count = top->archive.count;
    if (top->mode == FRAME_RECORD && (count || top->record->min) &&
        (count < top->record->min || count > block_fields(top->record) ||
         (!top->record->min && count != block_fields(top->record)))) {
        status = mst_problem_at(w->document, w->diagnostic, root ? MST_PROBLEM_ROOT : MST_PROBLEM_BLOCKS,
                                w->position, 4, "the archive has the wrong number of blocks");
        if (w->diagnostic) {
            uint32_t min = top->record->min, max = block_fields(top->record);
            MST_SET(w->diagnostic->expected, min == max ? "%u" : min ? "%u to %u" : "%u or %u", min, max);
            MST_SET(w->diagnostic->found, "%u", count);
        }
        return mst_walk_problem(w, "", status);
    }
    top->step.blocks = (uint16_t)count; /* of a record */
    if (w->request->trusted && !w->visitor) {
        w->position = mst_archive_block(w->document, &top->archive, count);
        top->block = count;
        if (top->mode == FRAME_RECORD)
            mst_step_over_parts(&top->step, mst_plan_of(w->document, top->record));
        top->done = count;
        return MST_OK;
    }
    status = report_derived(w, top, "count", 4);
    w->position += 4;
    if (status == MST_OK)
        status = report_derived(w, top, "offsets", 4 * (uint64_t)(count + 1));
    w->position += 4 * (uint64_t)(count + 1);
    return status;
}

/* ---- ends of nested records -------------------------------------------------------------------- */

/* Notes the record of a new frame, if enough levels have passed since the last one. */
static void note_begin(const walker *w, frame *top) {
    mst_ends *ends = w->request->ends;
    if (top->levels < MST_ENDS_LEVELS)
        return;
    top->levels = 0;
    if (ends->items) {
        top->noted = ends->count;
        ends->items[ends->count].record = top->record;
        ends->items[ends->count].offset = w->position;
    }
    ends->count++;
}

/* Notes the longest list of the root record that has ended: members after it are often requested. */
static void note_list(const walker *w, const frame *top) {
    mst_end *longest = &w->request->ends->longest;
    if (w->position - top->outer > longest->end - longest->offset)
        *longest = (mst_end){top->record, top->outer, w->position};
}

/* The elements of a field whose plan gives their number; false if that many do not fit. */
static inline bool quick_shape(const mst_document *document, const mst_field *field,
                               const mst_field_plan *compiled, const uint32_t *context, uint64_t position,
                               uint64_t end, mst_shape *shape) {
    shape->prefix = 0;
    shape->count = 1;
    shape->element = compiled->extent;
    switch ((mst_quick)compiled->quick) {
    case MST_QUICK_NONE: return false;
    case MST_QUICK_FIXED: break;
    case MST_QUICK_COUNTED:
        if (!mst_fits(position, compiled->prefix, end))
            return false;
        shape->prefix = compiled->prefix;
        shape->count = mst_load(document->data + position, compiled->prefix, mst_field_big(document, field));
        break;
    case MST_QUICK_VARIABLE: shape->count = (uint64_t)context[field->count_variable] + field->count; break;
    case MST_QUICK_REST:
        if (position > end)
            return false;
        shape->count = end - position;
        return true;
    }
    return shape->count <= UINT32_MAX &&
           mst_fits(position, shape->prefix + shape->count * shape->element, end);
}

/* Passes over a record all of whose fields are quick; false if anything is wrong, which the regular walk then
 * finds. */
static bool pass_simple(const mst_document *document, const mst_record *record, const mst_plan *plan,
                        const uint32_t *context, uint64_t end, uint64_t *position) {
    uint64_t at = *position;
    for (uint16_t i = 0; i < record->field_count;) {
        const mst_field_plan *compiled = &plan->fields[i];
        mst_shape shape;
        if (compiled->leads && !mst_lead_holds(&compiled->lead, context)) {
            i = mst_step_over_absent(record, plan, context, i);
            continue;
        }
        if (compiled->led || mst_others_hold(&record->fields[i], compiled, context)) {
            if (!quick_shape(document, &record->fields[i], compiled, context, at, end, &shape))
                return false;
            at += shape.prefix + shape.count * shape.element;
        }
        i++;
    }
    *position = at;
    return true;
}

/* The same for a list of such records; false also if their number is unknown. */
static bool pass_simple_list(walker *w, const mst_field *field, const uint32_t *context, uint64_t end,
                             const mst_shape *shape) {
    const mst_plan *plan = mst_plan_of(w->document, field->record);
    uint64_t at = w->position + shape->prefix;
    if (!plan->simple || shape->count == MST_TO_SENTINEL || (field->flags & MST_FIELD_SHORT))
        return false;
    for (uint64_t i = 0; i < shape->count; i++)
        if (!pass_simple(w->document, field->record, plan, context, end, &at))
            return false;
    w->position = at;
    return true;
}

/* Begins one element of the field: a leaf is done at once, a record gets a frame. */
mst_status mst_walk_begin_record(walker *w, const mst_field *field, const uint32_t *context, uint64_t end,
                                 const label *as, bool chunk) {
    const mst_record *record = mst_record_of(w->document, field);
    const mst_plan *plan = mst_plan_of(w->document, record);
    bool met = false, endless = plan->endless;
    if (plan->simple && !w->visitor && !chunk &&
        pass_simple(w->document, record, plan, context, end, &w->position))
        return MST_OK;
    if (w->request->trusted && !w->visitor) {
        uint64_t after =
            plan->sized ? mst_sized_end(w->document, record, plan, w->position, end) : UINT64_MAX;
        if (after != UINT64_MAX) {
            w->position = after;
            return MST_OK;
        }
        if (endless && w->document->ends.count && mst_ends_find(w->document, record, end, &w->position))
            return MST_OK;
    }
    if (w->visitor && !record->is_inline) {
        mst_item item = item_at(w, MST_ITEM_BEGIN_RECORD, field, context, as->name, as->index, end);
        item.record = record;
        item.shape.count = 1;
        item.chunk = chunk;
        mst_status status = report(w, &item);
        if (status == MST_UNKNOWN)
            return skip(w, field, context, end, true, chunk);
        if (status != MST_OK)
            return status;
        met = true;
    }
    frame *top = mst_walk_push(w, context);
    if (!top)
        return MST_NO_MEMORY;
    top->mode = FRAME_RECORD;
    top->met = met;
    top->exact = chunk;
    top->field = field;
    top->record = record;
    top->runs = !w->visitor ? plan->runs : w->request->runs ? w->request->runs[record->index] : NULL;
    top->name = as->silent ? "" : as->name;
    top->index = as->silent ? UINT64_MAX : as->index;
    top->end = top->outer = end;
    top->outer_exact = chunk;
    mst_step_begin(&top->step, 0);
    /* the index that the visitor gets for an inline record's field */
    top->element = as->index;
    top->noted = SIZE_MAX;
    if (endless && w->request->ends)
        note_begin(w, top);
    return record->archive ? begin_archive(w, top, field == &mst_document_field) : MST_OK;
}

/* Passes over a list of records without a frame: without a visitor if possible, otherwise if it is not
 * wanted. MST_UNKNOWN: its elements have to be visited one by one. */
static mst_status pass_list(walker *w, const mst_field *field, const uint32_t *context, uint64_t end,
                            const label *as, bool chunk, const mst_shape *shape) {
    mst_status wanted = MST_UNKNOWN;
    if (w->visitor) {
        mst_item item = item_at(w, MST_ITEM_BEGIN_LIST, field, context, as->name, as->index, end);
        item.record = field->record;
        item.shape = *shape;
        item.chunk = chunk;
        wanted = report(w, &item);
        if (wanted != MST_UNKNOWN)
            return wanted == MST_OK ? MST_UNKNOWN : wanted;
    }
    if (shape->element > 0) {
        w->position += shape->prefix + shape->count * shape->element;
        return MST_OK;
    }
    if (w->visitor)
        return skip(w, field, context, end, false, false);
    if (field->mode != MST_COUNT_ARCHIVE && pass_simple_list(w, field, context, end, shape))
        return MST_OK;
    return mst_pass_texts(w->document, field, shape, end, &w->position) ? MST_OK : MST_UNKNOWN;
}

/* A list of records. */
static mst_status begin_list(walker *w, const mst_field *field, const uint32_t *context, uint64_t end,
                             const label *as, bool chunk, const mst_shape *shape) {
    mst_status status = pass_list(w, field, context, end, as, chunk, shape);
    if (status != MST_UNKNOWN)
        return status;
    uint64_t begin = w->position;
    w->position += shape->prefix;
    frame *top = mst_walk_push(w, context);
    if (!top)
        return MST_NO_MEMORY;
    top->mode = FRAME_LIST;
    top->outer = begin;
    top->met = w->visitor != NULL;
    top->field = field;
    top->record = field->record;
    top->name = as->silent ? "" : as->name;
    top->index = as->silent ? UINT64_MAX : as->index;
    top->end = end;
    top->done = 0;
    top->count = shape->count;
    top->element = shape->element;
    /* only the archive that is the whole file begins at 0: others have a header before them */
    bool root = top->start == 0;
    if (field->mode != MST_COUNT_ARCHIVE)
        return MST_OK;
    status = begin_archive(w, top, root);
    if (status == MST_OK && !w->visitor && !w->request->trusted &&
        mst_pass_blocks_of_text(w->document, field, &top->archive, &w->position))
        top->done = top->archive.count;
    return status;
}

/* Whether the bytes at the walker's position are the constant that the field requires. */
static mst_status check_constant(const walker *w, const mst_field *field, uint64_t length) {
    const uint8_t *bytes = w->document->data + w->position;
    if (memcmp(bytes, field->constant, field->count) == 0)
        return MST_OK;
    mst_status status = mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_MAGIC, w->position, length,
                                       "the bytes differ from the constant that the format requires");
    if (w->diagnostic) {
        MST_SET(w->diagnostic->expected, "%s", field->constant);
        size_t n = 0;
        for (uint64_t i = 0; i < length && i < 8; i++, n += 3)
            snprintf(w->diagnostic->found + n, sizeof w->diagnostic->found - n, "%02x ", bytes[i]);
        w->diagnostic->found[n - 1] = 0; /* drops the last blank: no constant is empty */
    }
    return mst_walk_problem(w, field->name, status);
}

/* Applies the effects of a number that ends at the walker's position. `owner`: the frame of its record; NULL:
 * the number is not in a record. */
static mst_status learn(walker *w, const mst_field *field, uint32_t *context, uint64_t stored, uint64_t end,
                        frame *owner) {
    if (!owner) {
        mst_bind_variable(field, context, stored);
        return MST_OK;
    }
    mst_step *step = &owner->step;
    bool known = step->sized;
    if (!mst_step_learn(step, owner->record, mst_plan_of(w->document, owner->record), field, context, stored,
                        w->position, end))
        return mst_walk_problem(
            w, field->name,
            mst_step_contradiction(step, w->document, field, stored, w->position, end, w->diagnostic));
    if (step->sized == known)
        return MST_OK;
    owner->end = mst_step_end(step, owner->outer);
    owner->exact = true;
    if (w->request->trusted && !w->request->visitor) {
        mst_step_over_parts(step, mst_plan_of(w->document, owner->record));
        w->position = owner->end = mst_step_end(step, owner->outer);
    }
    return MST_OK;
}

static inline mst_status report_leaf(const walker *w, const mst_field *field, const uint32_t *context,
                                     uint64_t end, const label *as, bool chunk, uint8_t met,
                                     const mst_shape *shape) {
    mst_item_kind kind = field->flags & MST_FIELD_SIZES ? MST_ITEM_DERIVED : MST_ITEM_LEAF;
    mst_item item = item_at(w, kind, field, context, as->name, as->index, end);
    item.length = shape->prefix + shape->count * shape->element;
    /* member by member: reading the structure right after its parts were written would stall */
    item.shape.prefix = shape->prefix;
    item.shape.count = shape->count;
    item.shape.element = shape->element;
    item.chunk = chunk;
    item.met = met;
    mst_status status = report(w, &item);
    return status == MST_UNKNOWN ? MST_OK : status;
}

/* Numbers, a text or raw bytes. */
static mst_status pass_leaf(walker *w, const mst_field *field, uint32_t *context, uint64_t end,
                            const label *as, bool chunk, const mst_shape *shape, frame *owner) {
    uint64_t length = shape->prefix + shape->count * shape->element, stored = 0;
    mst_status status = field->constant ? check_constant(w, field, length) : MST_OK;
    if (status != MST_OK)
        return status;
    bool decides = field->mode == MST_COUNT_ONE && mst_is_number(field) && mst_decides(field);
    if (decides)
        stored = mst_scalar_bits(w->document, field, w->position);
    if (w->visitor)
        status = report_leaf(w, field, context, end, as, chunk, MST_MET_ALL, shape);
    if (status != MST_OK)
        return status;
    w->position += length;
    return decides ? learn(w, field, context, stored, end, owner) : MST_OK;
}

mst_status mst_walk_begin_field(walker *w, const mst_field *field, uint32_t *context, uint64_t end,
                                const label *as, bool chunk, frame *owner) {
    if (field->kind == MST_KIND_CHUNKS)
        return mst_walk_begin_chunks(w, field, context, end);
    uint64_t numbers = field->mode == MST_COUNT_ONE ? 1 : field->mode == MST_COUNT_FIXED ? field->count : 0;
    mst_shape shape = {0, numbers, mst_kind_width[field->kind]};
    /* most fields are a few numbers: if they fit, nothing more is needed without a visitor */
    if (mst_is_number(field) && numbers && mst_fits(w->position, numbers * shape.element, end)) {
        if (!w->visitor && !mst_decides(field)) {
            w->position += numbers * shape.element;
            return MST_OK;
        }
    } else {
        mst_status status =
            mst_field_shape(w->document, field, context, w->position, end, &shape, w->diagnostic);
        if (status != MST_OK)
            return mst_walk_problem(w, as->silent ? "" : field->name, status);
    }
    if (field->kind == MST_KIND_RECORD && field->mode == MST_COUNT_ONE)
        return mst_walk_begin_record(w, field, context, end, as, chunk);
    if (field->kind == MST_KIND_RECORD)
        return begin_list(w, field, context, end, as, chunk, &shape);
    return pass_leaf(w, field, context, end, as, chunk, &shape, owner);
}

/* Checks that the content ends with the frame, if it must. */
static mst_status at_end(const walker *w, const frame *top) {
    if (!top->exact || w->position == top->end)
        return MST_OK;
    mst_status status = mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_TRAILING, w->position,
                                       top->end - w->position, "bytes are left over at the end");
    if (w->diagnostic)
        MST_SET(w->diagnostic->found, "%llu bytes", (unsigned long long)(top->end - w->position));
    return mst_walk_problem(w, "", status);
}

/* Advances from one part of a record to another: each must end where its sizes require. */
static mst_status leave_parts(const walker *w, frame *top, uint8_t from, uint8_t to) {
    mst_status status = MST_OK;
    for (uint8_t part = from; top->step.sized && part < to && status == MST_OK; part++) {
        status = at_end(w, top);
        top->step.part = (uint8_t)(part + 1);
        top->end = mst_step_end(&top->step, top->outer);
        top->exact = top->step.part == 1 || top->outer_exact;
    }
    return status;
}

/* The next field of the record, or NULL if it is absent. `status`: whether the parts before it end where they
 * must. */
static inline const mst_field *next_field(const walker *w, frame *top, const mst_plan *plan,
                                          mst_status *status) {
    uint8_t part = top->step.part;
    const mst_field *field =
        mst_step_next(&top->step, top->record, plan, top->context, w->document, w->position, top->outer);
    *status = top->step.part > part ? leave_parts(w, top, part, top->step.part) : MST_OK;
    return field;
}

mst_status mst_walk_end_frame(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    mst_status ended = top->mode == FRAME_RECORD ? leave_parts(w, top, top->step.part, 1) : MST_OK;
    if (ended == MST_OK)
        ended = at_end(w, top);
    if (ended != MST_OK)
        return ended;
    if (top->mode == FRAME_RECORD && top->noted != SIZE_MAX)
        w->request->ends->items[top->noted].end = w->position;
    else if (top->mode == FRAME_LIST && w->request->ends && w->depth == 2)
        note_list(w, top);
    mst_status status = MST_OK;
    if (top->met) {
        mst_item_kind kind = top->mode == FRAME_RECORD ? MST_ITEM_END_RECORD : MST_ITEM_END_LIST;
        mst_item item = item_at(w, kind, top->field, top->context, top->name, top->index, top->end);
        item.record = top->record;
        item.depth--;
        status = report(w, &item);
    }
    w->depth--;
    return status == MST_UNKNOWN ? MST_OK : status;
}

/* The blocks in order, then the fields after the archive. */
static mst_status step_archive(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    const mst_plan *plan = mst_plan_of(w->document, top->record);
    while (top->step.next < top->record->field_count) {
        mst_status status;
        bool outside = (top->record->fields[top->step.next].flags & MST_FIELD_OUTSIDE) != 0;
        if (outside || top->block < top->archive.count) {
            status = pad_to(w, top, mst_archive_block(w->document, &top->archive, top->block));
            if (status != MST_OK)
                return status;
        }
        const mst_field *field = next_field(w, top, plan, &status);
        if (!field)
            continue;
        uint64_t end =
            outside ? top->end : mst_archive_block_end(w->document, &top->archive, top->block++, w->position);
        size_t depth = w->depth;
        label as = {field->name, UINT64_MAX, false};
        status = mst_walk_begin_field(w, field, top->context, end, &as, false, top);
        if (status != MST_OK)
            return status;
        if (w->depth != depth)
            return MST_OK;
    }
    uint64_t end = mst_archive_block(w->document, &top->archive, top->archive.count);
    mst_status status = w->position < end ? pad_to(w, top, end) : MST_OK;
    return status == MST_OK ? mst_walk_end_frame(w) : status;
}

/* Skips the next fields of fixed size that are not visited, as far as they fit. */
static bool skips_run(walker *w, frame *top, const mst_plan *plan) {
    const mst_run *run = &top->runs[top->step.next];
    if (!run->size)
        return false;
    if (mst_fits(w->position, run->size, top->end)) {
        w->position += run->size;
        top->step.next = run->next;
        return true;
    }
    const mst_field_plan *compiled = &plan->fields[top->step.next];
    /* find the first field that does not fit */
    uint64_t left = top->end - w->position;
    while (compiled->size <= left) { /* ends: the sum does not fit */
        left -= compiled->size;
        compiled++;
        top->step.next++;
    }
    w->position = top->end - left;
    return false;
}

/* Passes a field whose plan gives its length, and reports it if it is visited. MST_UNKNOWN: it needs a full
 * step. */
static inline mst_status pass_quickly(walker *w, frame *top, const mst_field *field,
                                      const mst_field_plan *compiled, uint8_t met) {
    mst_shape shape;
    mst_status status = MST_OK;
    if (!quick_shape(w->document, field, compiled, top->context, w->position, top->end, &shape))
        return MST_UNKNOWN;
    const uint64_t stored = compiled->decides ? mst_scalar_bits(w->document, field, w->position) : 0;
    if (met) {
        if (field->mode == MST_COUNT_FIXED) {
            shape.count = field->count;
            shape.element = mst_kind_width[field->kind];
        }
        const bool inside = top->record->is_inline;
        const label as = {inside ? top->name : field->name, inside ? top->element : UINT64_MAX, inside};
        status = report_leaf(w, field, top->context, top->end, &as, false, met, &shape);
    }
    if (status != MST_OK)
        return status;
    w->position += shape.prefix + shape.count * shape.element;
    top->step.next++;
    if (field->flags & (MST_FIELD_SIZES | MST_FIELD_STOP))
        return learn(w, field, top->context, stored, top->end, top);
    if (compiled->decides)
        mst_bind_variable(field, top->context, stored);
    return MST_OK;
}

/* Advances to the next field of the record, if that is absent or is quickly passed; MST_UNKNOWN: it needs a
 * full step. */
static inline mst_status step_quickly(walker *w, frame *top, const mst_plan *plan) {
    const uint16_t index = top->step.next;
    const mst_field_plan *compiled = &plan->fields[index];
    const mst_field *field = &top->record->fields[index];
    if (compiled->leads && !mst_lead_holds(&compiled->lead, top->context)) {
        top->step.next = mst_step_over_absent(top->record, plan, top->context, index);
        return MST_OK;
    }
    if (!compiled->quick)
        return MST_UNKNOWN;
    if (!compiled->led && !mst_others_hold(field, compiled, top->context)) {
        top->step.next++;
        return MST_OK;
    }
    const uint8_t met = !w->visitor ? 0 : top->runs ? top->runs[index].met : MST_MET_ALL;
    if (met && field->kind == MST_KIND_RECORD)
        return MST_UNKNOWN;
    return pass_quickly(w, top, field, compiled, met);
}

/* Passes over a field that is present and is not visited. A trusted walk finds the end of a record by its
 * sizes. */
static mst_status pass_unmet(walker *w, frame *top, const mst_field *field, const label *as) {
    if (field->kind == MST_KIND_RECORD && w->visitor)
        return skip(w, field, top->context, top->end, false, false);
    mst_visitor visitor = w->visitor;
    w->visitor = NULL;
    mst_status status = mst_walk_begin_field(w, field, top->context, top->end, as, false, top);
    w->visitor = visitor;
    return status;
}

static mst_status step_record(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    if (top->record->archive)
        return step_archive(w);
    const mst_plan *plan = mst_plan_of(w->document, top->record);
    const mst_run *runs = top->runs;
    while (top->step.next < top->record->field_count) {
        if (runs && skips_run(w, top, plan))
            continue;
        mst_status status = step_quickly(w, top, plan);
        if (status == MST_OK)
            continue;
        if (status != MST_UNKNOWN)
            return status;
        const mst_field *field = next_field(w, top, plan, &status);
        if (status != MST_OK)
            return status;
        if (!field)
            continue;
        const size_t index = (size_t)(field - top->record->fields);
        const bool unmet = runs && !runs[index].met;
        const uint32_t alone = plan->fields[index].alone;
        if (unmet && alone && mst_fits(w->position, alone, top->end)) {
            w->position += alone;
            continue;
        }
        label as = {field->name, UINT64_MAX, false};
        if (top->record->is_inline)
            as = (label){top->name, top->element, true};
        if (!mst_is_number(field))
            mst_step_stop(&top->step, top->record, field, 0);
        size_t depth = w->depth;
        status = unmet ? pass_unmet(w, top, field, &as)
                       : mst_walk_begin_field(w, field, top->context, top->end, &as, false, top);
        if (status != MST_OK)
            return status;
        if (w->depth != depth)
            return MST_OK; /* its content is next */
    }
    return mst_walk_end_frame(w);
}

static mst_status step_list(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    bool to_sentinel = top->count == MST_TO_SENTINEL || (top->field->flags & MST_FIELD_SHORT);
    if (top->done >= top->count || (to_sentinel && w->position >= top->end)) {
        mst_status status = MST_OK;
        if (top->field->mode == MST_COUNT_ARCHIVE)
            status = pad_to(w, top, mst_archive_block(w->document, &top->archive, top->archive.count));
        return status == MST_OK ? mst_walk_end_frame(w) : status;
    }
    if (to_sentinel && top->done && w->position == top->start)
        return mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_COUNT, w->position, 0,
                              "an element has no bytes");
    if (top->field->mode == MST_COUNT_ARCHIVE) {
        mst_status status = pad_to(w, top, mst_archive_block(w->document, &top->archive, top->block));
        if (status != MST_OK)
            return status;
        uint64_t block_end = mst_archive_block_end(w->document, &top->archive, top->block++, w->position);
        return mst_walk_begin_record(w, top->field, top->context, block_end, &(label){"", top->done++, false},
                                     false);
    }
    mst_status status;
    const size_t depth = w->depth;
    do {                          /* most elements are done at once, or have their own frames */
        top->start = w->position; /* of the element */
        uint64_t end = top->element ? w->position + top->element : top->end;
        label as = {"", top->done++, false};
        status = mst_walk_begin_record(w, top->field, top->context, end, &as, false);
    } while (status == MST_OK && w->depth == depth && !to_sentinel && top->done < top->count);
    return status;
}

mst_status mst_walk_field(const mst_walk_request *request, uint64_t *after, mst_diagnostic *diagnostic) {
    walker w;
    w.request = request;
    w.document = request->document;
    w.diagnostic = diagnostic;
    w.visitor = request->visitor;
    w.position = request->offset;
    w.frames = w.first_frames;
    w.depth = 0;
    w.capacity = FRAMES;
    w.allocated = w.too_deep = false;
    uint32_t context[MST_VARIABLES];
    memcpy(context, request->context, sizeof context);
    const mst_field *field = request->field;
    label as = {field->name, request->index, false};
    mst_status status;
    if (request->single && field->kind == MST_KIND_RECORD) {
        status = mst_walk_begin_record(&w, field, context, request->end, &as, request->chunk);
    } else if (request->single) {
        mst_field one = *field; /* one number of a list */
        one.mode = mst_is_number(field) ? MST_COUNT_ONE : field->mode;
        status = mst_walk_begin_field(&w, &one, context, request->end, &as, request->chunk, NULL);
    } else {
        status = mst_walk_begin_field(&w, field, context, request->end, &as, request->chunk, NULL);
    }
    while (status == MST_OK && w.depth > 0) {
        uint8_t mode = w.frames[w.depth - 1].mode;
        status = mode == FRAME_RECORD ? step_record(&w)
                 : mode == FRAME_LIST ? step_list(&w)
                                      : mst_walk_step_chunks(&w);
    }
    if (w.too_deep) {
        status = mst_problem_at(w.document, diagnostic, MST_PROBLEM_NESTING, w.position, 0,
                                "records are nested too deeply for a file of this size");
        if (diagnostic)
            MST_SET(diagnostic->found, "%zu levels", w.depth);
    }
    if (w.allocated) {
        const mst_allocator *a = &w.document->allocator;
        a->resize(a->user, w.frames, w.capacity * sizeof(frame), 0);
    }
    /* a root's own size field may be less than the file's size */
    if (status == MST_OK && request->chunk && w.position != request->end)
        status = mst_problem_at(w.document, diagnostic, MST_PROBLEM_TRAILING, w.position,
                                request->end - w.position, "bytes are left over at the end");
    if (after)
        *after = w.position;
    return status;
}

mst_walk_request mst_walk_of_document(const mst_document *document) {
    return (mst_walk_request){.document = document,
                              .field = &mst_document_field,
                              .context = document->context,
                              .offset = 0,
                              .end = document->size,
                              .index = UINT64_MAX,
                              .chunk = true};
}
