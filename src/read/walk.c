/* SPDX-License-Identifier: MIT */
/*
 * The walker: goes over bytes by the tables, proves that everything fits, and reports each item to a visitor.
 * Opening is a walk without a visitor; the ledger, JSON, outlines and checks are visitors.
 */
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "step.h"
#include <stdio.h>

const mst_field mst_document_field = {.name = "", .kind = MST_KIND_RECORD};
const char mst_padding_name[] = "padding";

typedef enum frame_mode { FRAME_RECORD, FRAME_LIST, FRAME_CHUNKS } frame_mode;

typedef struct frame {
    uint8_t mode;     /* frame_mode */
    bool met;         /* its BEGIN was reported, so its END must be */
    bool exact;       /* must end exactly at `end` */
    bool in_chunk;    /* FRAME_CHUNKS: inside a chunk's content */
    bool in_list;     /* FRAME_CHUNKS by case: inside the list of a repeated case */
    bool outer_exact; /* FRAME_RECORD: the fields outside the sizes must end exactly at `outer` */
    uint32_t block;   /* next block of an archive */
    uint32_t levels;  /* frames since the nearest enclosing one whose end is noted */
    const mst_field *field;
    const mst_record *record;
    const char *name; /* label in paths; "" none */
    uint64_t index;   /* label in paths; UINT64_MAX none */
    uint64_t start, end;
    union {
        struct {                 /* FRAME_RECORD and FRAME_LIST */
            mst_step step;       /* FRAME_RECORD */
            uint64_t outer;      /* FRAME_RECORD: the end of all parts; `end` is that of the present one */
            mst_archive archive; /* of a record that is an archive, or of a list of its blocks */
            uint64_t done, count, element;
            size_t noted; /* FRAME_RECORD: index of its entry in mst_ends; SIZE_MAX: none */
        };
        struct { /* FRAME_CHUNKS */
            const mst_chunks *chunks;
            const char *content; /* name of the field in the chunk */
            uint64_t chunk_end;
            mst_chunk_cursor cursor;
            uint32_t counters[MST_CASES + 1]; /* chunks of each case so far */
            uint16_t next;                    /* by case: the present one */
        };
    };
    uint32_t context[MST_VARIABLES];
} frame;

#define FRAMES 6 /* of 300 bytes each, and walks start others; deeper nesting is allocated */

typedef struct walker {
    const mst_walk_request *request;
    const mst_document *document;
    mst_diagnostic *diagnostic;
    uint64_t position;
    frame *frames;
    size_t depth, capacity;
    bool allocated;
    bool too_deep;
    frame first_frames[FRAMES];
} walker;

static void path_of(const walker *w, const char *name, char *path, size_t capacity) {
    size_t length = 0;
    path[0] = 0;
    for (size_t i = 0; i < w->depth; i++)
        length = mst_path_step(path, capacity, length, w->frames[i].name, w->frames[i].index);
    mst_path_step(path, capacity, length, name, UINT64_MAX);
}

static mst_status problem(const walker *w, const char *name, mst_status status) {
    if (w->diagnostic)
        path_of(w, name, w->diagnostic->path, sizeof w->diagnostic->path);
    return status;
}

static mst_status report(const walker *w, const mst_item *item) {
    return w->request->visitor ? w->request->visitor(w->request->user, item) : MST_OK;
}

/* A new frame at the walker's position, with a copy of the context variables. */
static frame *push(walker *w, const uint32_t *context) {
    uint32_t copy[MST_VARIABLES]; /* they may be in a frame that moves */
    memcpy(copy, context, sizeof copy);
    if (w->depth == w->capacity) {
        const mst_allocator *a = &w->document->allocator;
        size_t old = w->capacity * sizeof(frame), size = old * 2;
        /* a small input must not cause a large stack */
        uint64_t room = (w->document->size * 16 + (1u << 20)) / sizeof(frame) * sizeof(frame);
        if (size > room)
            size = (size_t)room;
        if (size <= old) {
            w->too_deep = true;
            return NULL;
        }
        frame *grown = a->resize(a->user, w->allocated ? w->frames : NULL, w->allocated ? old : 0, size);
        if (!grown) {
            mst_fail(w->diagnostic, MST_NO_MEMORY, "not enough memory for records nested this deeply");
            return NULL;
        }
        if (!w->allocated)
            memcpy(grown, w->first_frames, old);
        w->frames = grown;
        w->allocated = true;
        w->capacity = size / sizeof(frame);
    }
    frame *top = &w->frames[w->depth++];
    top->met = top->exact = top->in_chunk = top->in_list = false;
    top->levels = w->depth > 1 ? w->frames[w->depth - 2].levels + 1 : 0;
    top->start = w->position;
    memcpy(top->context, copy, sizeof copy);
    return top;
}

/* The label of an item in paths (frames) and for the visitor; they differ below an inline record. */
typedef struct label {
    const char *name;
    uint64_t index;
    bool silent; /* the path already contains it */
} label;

/* Skips what the visitor does not want to enter. */
static mst_status skip(walker *w, const mst_field *field, const uint32_t *context, uint64_t end, bool single,
                       bool chunk) {
    mst_walk_request measure = {.document = w->document,
                                .field = field,
                                .context = context,
                                .offset = w->position,
                                .end = end,
                                .single = single,
                                .chunk = chunk};
    return mst_walk_field(&measure, &w->position, w->diagnostic);
}

/* The item at the walker's position. Each member is assigned separately: with a partial initialiser,
 * compilers clear the structure first, which takes longer than everything else about a field. */
static inline mst_item item_at(const walker *w, mst_item_kind kind, const mst_field *field,
                               const uint32_t *context, const char *name, uint64_t index, uint64_t limit) {
    mst_item item;
    item.kind = kind;
    item.field = field;
    item.record = NULL;
    item.chunks = NULL;
    item.context = context;
    item.name = name;
    item.index = index;
    item.offset = w->position;
    item.length = 0;
    item.limit = limit;
    item.shape.prefix = item.shape.count = item.shape.element = 0;
    item.depth = (uint32_t)w->depth;
    item.chunk = false;
    return item;
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
        return problem(w, "", status);
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
        return problem(w, "", status);
    }
    top->step.blocks = (uint16_t)count; /* of a record */
    if (w->request->trusted && !w->request->visitor) {
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

/* Begins one element of the field: a leaf is done at once, a record gets a frame. */
static mst_status begin_record(walker *w, const mst_field *field, const uint32_t *context, uint64_t end,
                               const label *as, bool chunk) {
    const mst_record *record = mst_record_of(w->document, field);
    const mst_plan *plan = mst_plan_of(w->document, record);
    bool met = false, endless = plan->endless;
    if (w->request->trusted && !w->request->visitor) {
        uint64_t after =
            plan->sized ? mst_sized_end(w->document, record, plan, w->position, end) : UINT64_MAX;
        if (after != UINT64_MAX) {
            w->position = after;
            return MST_OK;
        }
        if (endless && w->document->ends.count && mst_ends_find(w->document, record, end, &w->position))
            return MST_OK;
    }
    if (w->request->visitor && !record->is_inline) {
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
    frame *top = push(w, context);
    if (!top)
        return MST_NO_MEMORY;
    top->mode = FRAME_RECORD;
    top->met = met;
    top->exact = chunk;
    top->field = field;
    top->record = record;
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

/* Chunks: their frame, which begins at the walker's position. */
static mst_status begin_chunks(walker *w, const mst_field *field, const uint32_t *context, uint64_t end) {
    uint64_t start = w->position;
    if (w->request->by_case) {
        mst_item item = item_at(w, MST_ITEM_BEGIN_LIST, field, context, "$chunks", UINT64_MAX, end);
        item.chunks = field->chunks;
        mst_status status = report(w, &item);
        if (status == MST_UNKNOWN) {
            w->position = end;
            return MST_OK;
        }
        if (status != MST_OK)
            return status;
    }
    frame *top = push(w, context);
    if (!top)
        return MST_NO_MEMORY;
    top->mode = FRAME_CHUNKS;
    top->field = field;
    top->record = NULL;
    top->chunks = field->chunks;
    top->next = 0;
    top->name = "";
    top->index = UINT64_MAX;
    top->end = end;
    top->cursor = (mst_chunk_cursor){start, 0};
    memset(top->counters, 0, sizeof top->counters);
    return MST_OK;
}

/* Passes over a list of records without a frame: without a visitor if possible, otherwise if it is not
 * wanted. MST_UNKNOWN: its elements have to be met one by one. */
static mst_status pass_list(walker *w, const mst_field *field, const uint32_t *context, uint64_t end,
                            const label *as, bool chunk, const mst_shape *shape) {
    mst_status wanted = MST_UNKNOWN;
    if (w->request->visitor) {
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
    if (w->request->visitor)
        return skip(w, field, context, end, false, false);
    return mst_pass_texts(w->document, field, shape, end, &w->position) ? MST_OK : MST_UNKNOWN;
}

/* A list of records. */
static mst_status begin_list(walker *w, const mst_field *field, const uint32_t *context, uint64_t end,
                             const label *as, bool chunk, const mst_shape *shape) {
    mst_status status = pass_list(w, field, context, end, as, chunk, shape);
    if (status != MST_UNKNOWN)
        return status;
    w->position += shape->prefix;
    frame *top = push(w, context);
    if (!top)
        return MST_NO_MEMORY;
    top->mode = FRAME_LIST;
    top->met = w->request->visitor != NULL;
    top->field = field;
    top->record = field->record;
    top->name = as->silent ? "" : as->name;
    top->index = as->silent ? UINT64_MAX : as->index;
    top->end = end;
    top->done = 0;
    top->count = shape->count;
    top->element = shape->element;
    /* only the archive that is the file itself begins at 0: others have a header before them */
    bool root = top->start == 0;
    if (field->mode != MST_COUNT_ARCHIVE)
        return MST_OK;
    status = begin_archive(w, top, root);
    if (status == MST_OK && !w->request->visitor && !w->request->trusted &&
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
    return problem(w, field->name, status);
}

/* What a number decides, which ends at the walker's position. `owner`: the frame of its
 * record; NULL: the number is not a record's. */
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
        return problem(
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
    if (w->request->visitor) {
        mst_item_kind kind = field->flags & MST_FIELD_SIZES ? MST_ITEM_DERIVED : MST_ITEM_LEAF;
        mst_item item = item_at(w, kind, field, context, as->name, as->index, end);
        item.length = length;
        /* member by member: reading the structure right after its parts were written would stall */
        item.shape.prefix = shape->prefix;
        item.shape.count = shape->count;
        item.shape.element = shape->element;
        item.chunk = chunk;
        status = report(w, &item);
        if (status != MST_OK && status != MST_UNKNOWN)
            return status;
    }
    w->position += length;
    return decides ? learn(w, field, context, stored, end, owner) : MST_OK;
}

static mst_status begin_field(walker *w, const mst_field *field, uint32_t *context, uint64_t end,
                              const label *as, bool chunk, frame *owner) {
    if (field->kind == MST_KIND_CHUNKS)
        return begin_chunks(w, field, context, end);
    uint64_t numbers = field->mode == MST_COUNT_ONE ? 1 : field->mode == MST_COUNT_FIXED ? field->count : 0;
    mst_shape shape = {0, numbers, mst_kind_width[field->kind]};
    /* most fields are a few numbers: if they fit, there is nothing more to do without a visitor */
    if (mst_is_number(field) && numbers && mst_fits(w->position, numbers * shape.element, end)) {
        if (!w->request->visitor && !mst_decides(field)) {
            w->position += numbers * shape.element;
            return MST_OK;
        }
    } else {
        mst_status status =
            mst_field_shape(w->document, field, context, w->position, end, &shape, w->diagnostic);
        if (status != MST_OK)
            return problem(w, as->silent ? "" : field->name, status);
    }
    if (field->kind == MST_KIND_RECORD && field->mode == MST_COUNT_ONE)
        return begin_record(w, field, context, end, as, chunk);
    if (field->kind == MST_KIND_RECORD)
        return begin_list(w, field, context, end, as, chunk, &shape);
    return pass_leaf(w, field, context, end, as, chunk, &shape, owner);
}

/* Checks that the content ends with the frame, where it must. */
static mst_status at_end(const walker *w, const frame *top) {
    if (!top->exact || w->position == top->end)
        return MST_OK;
    mst_status status = mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_TRAILING, w->position,
                                       top->end - w->position, "bytes are left over at the end");
    if (w->diagnostic)
        MST_SET(w->diagnostic->found, "%llu bytes", (unsigned long long)(top->end - w->position));
    return problem(w, "", status);
}

/* Advances from one part of a record to another: each must end where its sizes say. */
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

static mst_status end_frame(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    mst_status ended = top->mode == FRAME_RECORD ? leave_parts(w, top, top->step.part, 1) : MST_OK;
    if (ended == MST_OK)
        ended = at_end(w, top);
    if (ended != MST_OK)
        return ended;
    if (top->mode == FRAME_RECORD && top->noted != SIZE_MAX)
        w->request->ends->items[top->noted].end = w->position;
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
        status = begin_field(w, field, top->context, end, &as, false, top);
        if (status != MST_OK)
            return status;
        if (w->depth != depth)
            return MST_OK;
    }
    uint64_t end = mst_archive_block(w->document, &top->archive, top->archive.count);
    mst_status status = w->position < end ? pad_to(w, top, end) : MST_OK;
    return status == MST_OK ? end_frame(w) : status;
}

/* Without a visitor, skips the fields of fixed size that come next, as far as they fit. */
static bool skips_run(walker *w, frame *top, const mst_plan *plan) {
    const mst_field_plan *compiled = &plan->fields[top->step.next];
    if (!compiled->run_size)
        return false;
    if (mst_fits(w->position, compiled->run_size, top->end)) {
        w->position += compiled->run_size;
        top->step.next = compiled->run_next;
        return true;
    }
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

/* Without a visitor, passes over a field that is one number and decides about nothing, if it fits. */
static inline bool passes_number(walker *w, const frame *top, const mst_field *field) {
    uint64_t width = mst_kind_width[field->kind];
    if (field->mode != MST_COUNT_ONE || !mst_is_number(field) || field->constant || mst_decides(field) ||
        !mst_fits(w->position, width, top->end))
        return false;
    w->position += width;
    return true;
}

static mst_status step_record(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    if (top->record->archive)
        return step_archive(w);
    const mst_plan *plan = mst_plan_of(w->document, top->record);
    const bool visited = w->request->visitor != NULL;
    while (top->step.next < top->record->field_count) {
        if (!visited && skips_run(w, top, plan))
            continue;
        mst_status status;
        const mst_field *field = next_field(w, top, plan, &status);
        if (status != MST_OK)
            return status;
        if (!field)
            continue;
        if (!visited && passes_number(w, top, field))
            continue;
        label as = {field->name, UINT64_MAX, false};
        if (top->record->is_inline)
            as = (label){top->name, top->element, true};
        if (!mst_is_number(field))
            mst_step_stop(&top->step, top->record, field, 0);
        size_t depth = w->depth;
        status = begin_field(w, field, top->context, top->end, &as, false, top);
        if (status != MST_OK)
            return status;
        if (w->depth != depth)
            return MST_OK; /* its content comes first */
    }
    return end_frame(w);
}

static mst_status step_list(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    bool to_sentinel = top->count == MST_TO_SENTINEL || (top->field->flags & MST_FIELD_SHORT);
    if (top->done >= top->count || (to_sentinel && w->position >= top->end)) {
        mst_status status = MST_OK;
        if (top->field->mode == MST_COUNT_ARCHIVE)
            status = pad_to(w, top, mst_archive_block(w->document, &top->archive, top->archive.count));
        return status == MST_OK ? end_frame(w) : status;
    }
    if (to_sentinel && top->done && w->position == top->start)
        return mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_COUNT, w->position, 0,
                              "an element has no bytes");
    if (top->field->mode == MST_COUNT_ARCHIVE) {
        mst_status status = pad_to(w, top, mst_archive_block(w->document, &top->archive, top->block));
        if (status != MST_OK)
            return status;
        uint64_t block_end = mst_archive_block_end(w->document, &top->archive, top->block++, w->position);
        return begin_record(w, top->field, top->context, block_end, &(label){"", top->done++, false}, false);
    }
    mst_status status;
    const size_t depth = w->depth;
    do {                          /* most elements are at once done with, or have frames of their own */
        top->start = w->position; /* of the element */
        uint64_t end = top->element ? w->position + top->element : top->end;
        label as = {"", top->done++, false};
        status = begin_record(w, top->field, top->context, end, &as, false);
    } while (status == MST_OK && w->depth == depth && !to_sentinel && top->done < top->count);
    return status;
}

static const char *name_of_chunk(const mst_chunks *chunks, uint32_t id) {
    for (uint8_t i = 0; i < chunks->case_count; i++)
        if (((chunks->cases[i].id ^ id) & ~chunks->cases[i].any) == 0)
            return chunks->cases[i].field.name;
    return chunks->unknown->name;
}

static mst_status step_chunks(walker *w) {
    frame *top = &w->frames[w->depth - 1];
    if (top->in_chunk && w->position != top->chunk_end) {
        mst_status status = mst_problem_at(w->document, w->diagnostic, MST_PROBLEM_TRAILING, w->position,
                                           top->chunk_end - w->position, "bytes are left over in the chunk");
        if (w->diagnostic)
            MST_SET(w->diagnostic->found, "%llu bytes", (unsigned long long)(top->chunk_end - w->position));
        return problem(w, top->content, status);
    }
    top->in_chunk = false;
    mst_chunk chunk = {.offset = UINT64_MAX};
    bool by_case = w->request->by_case && w->request->visitor;
    for (;;) {
        mst_status status =
            mst_chunk_next(w->document, top->chunks, &top->cursor, top->end, &chunk, w->diagnostic);
        if (status == MST_UNKNOWN) {
            if (top->in_list) {
                top->in_list = false;
                mst_item end = item_at(w, MST_ITEM_END_LIST, NULL, top->context, "", UINT64_MAX, top->end);
                end.depth--;
                status = report(w, &end);
                if (status != MST_OK && status != MST_UNKNOWN)
                    return status;
            }
            if (!by_case || top->next >= top->chunks->case_count) {
                w->position = top->end;
                return end_frame(w);
            }
            top->next++;
            top->cursor = (mst_chunk_cursor){top->start, 0};
            continue;
        }
        if (status != MST_OK)
            return problem(w, chunk.offset == top->cursor.offset ? name_of_chunk(top->chunks, chunk.id) : "",
                           status);
        if (by_case && (chunk.which < 0 ? top->chunks->case_count : chunk.which) != (int)top->next)
            continue;
        break;
    }
    const mst_field *field = chunk.which < 0 ? top->chunks->unknown : &top->chunks->cases[chunk.which].field;
    bool repeated = chunk.which < 0 || (field->flags & MST_FIELD_REPEATED);
    uint32_t *counter = &top->counters[chunk.which < 0 ? MST_CASES : chunk.which];
    label as = {field->name, UINT64_MAX, false};
    if (repeated)
        as.index = (*counter)++;
    mst_status status;
    if (by_case && repeated && !top->in_list) {
        mst_item begin =
            item_at(w, MST_ITEM_BEGIN_LIST, field, top->context, field->name, UINT64_MAX, top->end);
        begin.record = field->record;
        begin.chunks = top->chunks;
        begin.offset = top->start;
        begin.shape.count = MST_TO_SENTINEL;
        status = report(w, &begin);
        if (status == MST_UNKNOWN) { /* skip all chunks of the case */
            top->next++;
            top->cursor = (mst_chunk_cursor){top->start, 0};
            return MST_OK;
        }
        if (status != MST_OK)
            return status;
        top->in_list = true;
    }
    if (by_case && repeated)
        as.name = "";
    top->in_chunk = true;
    top->chunk_end = chunk.end;
    top->content = field->name;
    w->position = chunk.offset;
    if (mst_holds_header(top->chunks, field))
        return begin_record(w, field, top->context, chunk.end, &as, true);
    mst_item header = item_at(w, MST_ITEM_DERIVED, NULL, top->context, "chunk", UINT64_MAX, chunk.end);
    header.length = MST_CHUNK_HEADER;
    status = report(w, &header);
    if (status != MST_OK && status != MST_UNKNOWN)
        return status;
    w->position += MST_CHUNK_HEADER;
    if (repeated)
        return begin_record(w, field, top->context, chunk.end, &as, true);
    return begin_field(w, field, top->context, chunk.end, &as, true, NULL);
}

mst_status mst_walk_field(const mst_walk_request *request, uint64_t *after, mst_diagnostic *diagnostic) {
    walker w;
    w.request = request;
    w.document = request->document;
    w.diagnostic = diagnostic;
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
        status = begin_record(&w, field, context, request->end, &as, request->chunk);
    } else if (request->single) {
        mst_field one = *field; /* one number of a list */
        one.mode = mst_is_number(field) ? MST_COUNT_ONE : field->mode;
        status = begin_field(&w, &one, context, request->end, &as, request->chunk, NULL);
    } else {
        status = begin_field(&w, field, context, request->end, &as, request->chunk, NULL);
    }
    while (status == MST_OK && w.depth > 0) {
        uint8_t mode = w.frames[w.depth - 1].mode;
        status = mode == FRAME_RECORD ? step_record(&w)
                 : mode == FRAME_LIST ? step_list(&w)
                                      : step_chunks(&w);
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
