/* SPDX-License-Identifier: MIT */
/* Values: handles into a document's bytes, and iterating over their elements and fields. */
#include "../core/unreachable.h"
#include "step.h"

/* ---- context ----------------------------------------------------------------------------------- */

static const mst_record *value_record(const mst_value *value) {
    return mst_record_of(value->document, mst_field_of(value));
}

_Static_assert(sizeof((mst_iterator){0}.context) == MST_VARIABLES * sizeof(uint32_t),
               "an iterator over a record has all variables");
_Static_assert(sizeof((mst_value){0}.context) == MST_VARIABLES_CARRIED * sizeof(uint32_t),
               "a value has room for all variables that it may carry");

static inline void put_context(mst_value *value, const uint32_t *context) {
    value->context[0] = value->context[1] = value->context[2] = 0;
    uint32_t carried = mst_carried(value->document->plans, mst_field_of(value));
    size_t n = 0;
    for (unsigned variable = 0; carried >> variable; variable++)
        if ((carried >> variable & 1) &&
            !MST_UNREACHABLE(n == MST_VARIABLES_CARRIED)) /* see its definition */
            value->context[n++] = context[variable];
}

const uint32_t *mst_context_with(const mst_value *value, uint32_t carried, uint32_t all[MST_VARIABLES]) {
    memcpy(all, value->document->context, MST_VARIABLES * sizeof *all);
    size_t n = 0;
    for (unsigned variable = 0; carried >> variable; variable++)
        if ((carried >> variable & 1) && !MST_UNREACHABLE(n == MST_VARIABLES_CARRIED))
            all[variable] = value->context[n++];
    return all;
}

/* Replaces an inline record by its field. */
static void unwrap_inline(mst_value *value) {
    uint32_t all[MST_VARIABLES];
    const uint32_t *context = mst_context_of(value, all);
    while (mst_field_of(value)->kind == MST_KIND_RECORD && value_record(value)->is_inline) {
        const mst_field *inner = &value_record(value)->fields[0];
        bool in_list = mst_is_list(inner);
        value->field = inner;
        value->shape =
            (in_list ? MST_SHAPE_LIST : MST_SHAPE_ONE) | (value->shape & ~(uint32_t)MST_SHAPE_MASK);
        if (in_list)
            break;
    }
    put_context(value, context);
}
static inline void unwrap(mst_value *value) {
    if (mst_field_of(value)->kind == MST_KIND_RECORD && value_record(value)->is_inline)
        unwrap_inline(value);
}

static inline mst_value value_at(const mst_document *document, const mst_field *field,
                                 const uint32_t *context, uint64_t offset, uint64_t end, uint32_t shape) {
    mst_value value;
    value.document = document;
    value.field = field;
    value.offset = offset;
    value.end = end;
    value.first = 0;
    value.count = 0;
    value.shape = shape;
    put_context(&value, context);
    return value;
}

mst_value mst_root(const mst_document *document) {
    if (!document)
        return (mst_value){.document = NULL};
    return value_at(document, &mst_document_field, document->context, 0, document->size,
                    MST_SHAPE_ONE | MST_SHAPE_IN_CHUNK);
}

mst_value mst_value_of_item(const mst_document *document, const mst_item *item) {
    uint32_t shape = MST_SHAPE_ONE;
    if (item->kind == MST_ITEM_BEGIN_LIST || (item->kind == MST_ITEM_LEAF && mst_is_list(item->field)))
        shape = MST_SHAPE_LIST;
    if (item->chunk)
        shape |= MST_SHAPE_IN_CHUNK;
    return value_at(document, item->field, item->context, item->offset, item->limit, shape);
}

mst_type mst_value_type(const mst_value *value) {
    if (mst_is_void(value))
        return MST_TYPE_NONE;
    const mst_field *field = mst_field_of(value);
    if (mst_shape_of(value) != MST_SHAPE_ONE)
        return MST_TYPE_LIST;
    switch ((mst_kind)field->kind) {
    case MST_KIND_RAW: return MST_TYPE_BYTES;
    case MST_KIND_F32:
    case MST_KIND_F64: return MST_TYPE_REAL;
    case MST_KIND_CHAR8:
    case MST_KIND_CHAR16: return MST_TYPE_TEXT;
    case MST_KIND_RECORD: return MST_TYPE_RECORD;
    default: return field->flags & MST_FIELD_BOOL ? MST_TYPE_BOOL : MST_TYPE_INTEGER;
    }
}

mst_field_information mst_value_field(const mst_value *value) {
    if (mst_is_void(value))
        return (mst_field_information){"", "", "", ""};
    static const char *const names[] = {"bytes", "u8",  "i8",  "u16",  "i16",       "u32",    "i32",   "u64",
                                        "i64",   "f32", "f64", "text", "wide text", "record", "chunks"};
    const mst_field *field = mst_field_of(value);
    return (mst_field_information){field->name, field->doc ? field->doc : "", field->unit ? field->unit : "",
                                   field->flags & MST_FIELD_BOOL ? "bool" : names[field->kind]};
}

mst_shape mst_shape_of_list(const mst_value *value) {
    const mst_field *field = mst_field_of(value);
    uint64_t width = mst_kind_width[field->kind];
    if (field->mode == MST_COUNT_FIXED && width && mst_fits(value->offset, field->count * width, value->end))
        return (mst_shape){0, field->count, width};
    mst_shape shape;
    uint32_t context[MST_VARIABLES];
    mst_status status = mst_field_shape(value->document, field, mst_context_of(value, context), value->offset,
                                        value->end, &shape, NULL);
    if (MST_CHANGED(status != MST_OK))
        shape = (mst_shape){0, 0, 1};
    return shape;
}

/* The end of a value (`single`: of one element of a list) that only the walker can find. Opening has proved
 * it and noted the ends of nested records, so that this allocates nothing. */
static uint64_t walked_end(const mst_document *document, const mst_field *field, const uint32_t *context,
                           uint64_t offset, uint64_t end, bool single) {
    uint64_t after;
    mst_walk_request request = {.document = document,
                                .field = field,
                                .context = context,
                                .offset = offset,
                                .end = end,
                                .index = UINT64_MAX,
                                .single = single,
                                .trusted = true};
    mst_status status = mst_walk_field(&request, &after, NULL);
    return MST_CHANGED(status != MST_OK) ? end : after;
}

uint64_t mst_value_after(const mst_value *value) {
    uint32_t shape = mst_shape_of(value);
    const mst_field *field = mst_field_of(value);
    if (shape == MST_SHAPE_CHUNK_LIST || shape == MST_SHAPE_SLICE || (value->shape & MST_SHAPE_IN_CHUNK))
        return value->end;
    if (shape == MST_SHAPE_LIST && field->mode == MST_COUNT_TO_END)
        return value->end;
    if (shape == MST_SHAPE_LIST && field->mode == MST_COUNT_ARCHIVE) {
        mst_archive archive = mst_archive_at(value->document, value->offset, value->end);
        return mst_archive_block(value->document, &archive, archive.count);
    }
    bool record = field->kind == MST_KIND_RECORD;
    bool single = shape == MST_SHAPE_ONE && !mst_is_text(field) && field->kind != MST_KIND_RAW;
    if (record && single && (value->shape & MST_SHAPE_ELEMENT) && field->mode != MST_COUNT_ONE &&
        field->mode != MST_COUNT_ARCHIVE)
        return value->end; /* found by iterating over its list */
    if (!record && single)
        return MST_CHANGED(!mst_scalar_fits(value)) ? value->end
                                                    : value->offset + mst_kind_width[field->kind];
    if (!single) {
        mst_shape extent = mst_shape_of_list(value);
        if (!record || extent.element)
            return value->offset + extent.prefix + extent.count * extent.element;
        const mst_end *longest = &value->document->ends.longest;
        if (longest->record == field->record && longest->offset == value->offset &&
            !MST_CHANGED(longest->end > value->end))
            return longest->end;
    }
    uint32_t context[MST_VARIABLES];
    return walked_end(value->document, field, mst_context_of(value, context), value->offset, value->end,
                      single);
}

void mst_value_span(const mst_value *value, uint64_t *offset, uint64_t *length) {
    bool is_void = mst_is_void(value);
    if (offset)
        *offset = is_void ? 0 : value->offset;
    if (length)
        *length = is_void ? 0 : mst_value_after(value) - value->offset;
}

/* ---- iterators --------------------------------------------------------------------------------- */

const mst_chunks *mst_chunks_of_list(const mst_value *list) {
    size_t index = (list->shape & MST_SHAPE_OWNERS) >> MST_SHAPE_OWNER;
    const mst_record *owner = list->document->format->tables.records[index];
    uint16_t f = 0;
    while (!owner->fields[f].chunks) /* one of them has */
        f++;
    return owner->fields[f].chunks;
}

/* Counts a chunk list by iterating over its stream. */
static uint64_t chunk_count(const mst_value *value) {
    const mst_chunks *chunks = mst_chunks_of_list(value);
    mst_chunk_cursor cursor = {value->offset, 0};
    mst_chunk chunk;
    uint64_t count = 0;
    while (mst_chunk_next(value->document, chunks, &cursor, value->end, &chunk, NULL) == MST_OK)
        count += (chunk.which < 0 ? chunks->unknown : &chunks->cases[chunk.which].field) == value->field;
    return count;
}

/* Positions the iterator at the beginning of a list. `chunks`: of a list of chunks. */
static inline void begin_list(mst_iterator *it, const mst_value *list, const mst_chunks *chunks) {
    it->document = list->document;
    it->field = list->field;
    it->offset = it->position = list->offset;
    it->end = list->end;
    it->shape = list->shape;
    memcpy(it->context, list->context, sizeof list->context);
    it->step.list = (mst_element_step){0, 0, chunks, 0};
}

/* The element that the iterator is at; it has the context of its list. */
static inline void element_at(const mst_iterator *it, mst_value *element, uint64_t offset, uint64_t end,
                              uint32_t shape) {
    element->document = it->document;
    element->field = it->field;
    element->offset = offset;
    element->end = end;
    element->first = element->count = 0;
    element->shape = shape;
    memcpy(element->context, it->context, sizeof element->context);
    if ((shape & MST_SHAPE_MASK) == MST_SHAPE_ONE)
        unwrap(element);
}

/* Iterates over a slice as over its list, from the slice's first element to its last. `count` is the index
 * after that. */
static mst_iterator iterate_slice(const mst_value *slice) {
    mst_value list = mst_list_of_slice(slice), passed;
    mst_iterator it = mst_iterate(&list);
    mst_element_step *step = &it.step.list;
    bool chunked = (slice->shape & MST_SHAPE_CHUNKED) != 0;
    uint64_t available = chunked ? UINT64_MAX : step->count;
    uint64_t first = MST_CHANGED(slice->first > available) ? available : slice->first;
    if (!chunked) {
        uint64_t element = mst_shape_of_list(&list).element;
        it.position += first * element;
        if (element || mst_field_of(slice)->mode == MST_COUNT_ARCHIVE)
            step->index = first;
    }
    while (step->index < first && mst_next(&it, &passed))
        ;
    it.shape |= MST_SHAPE_PART | (slice->shape >> MST_SHAPE_COLUMN << MST_SHAPE_COLUMN);
    step->count = MST_CHANGED(slice->count > available - first) ? available : first + slice->count;
    return it;
}

mst_iterator mst_iterate(const mst_value *value) {
    mst_iterator it;
    if (mst_is_void(value))
        return (mst_iterator){.document = NULL};
    uint32_t kind = mst_shape_of(value);
    if (kind == MST_SHAPE_SLICE)
        return iterate_slice(value);
    it.document = value->document;
    it.field = value->field;
    it.offset = it.position = value->offset;
    it.end = value->end;
    it.shape = value->shape;
    if (kind == MST_SHAPE_ONE && mst_field_of(value)->kind != MST_KIND_RECORD)
        return it; /* it has no elements */
    if (kind == MST_SHAPE_ONE) {
        uint32_t carried = mst_carried(value->document->plans, mst_field_of(value));
        if (carried)
            mst_context_with(value, carried, it.context);
        else
            memcpy(it.context, value->document->context, sizeof it.context);
        it.step.record = (mst_step){{0, 0, 0}, 0, 0, 0, 0, 0};
        return it;
    }
    memcpy(it.context, value->context, sizeof value->context);
    it.step.list = (mst_element_step){0, 0, NULL, 0};
    if (kind == MST_SHAPE_CHUNK_LIST) {
        it.step.list.chunks = mst_chunks_of_list(value);
    } else {
        mst_shape shape = mst_shape_of_list(value);
        it.position += shape.prefix;
        it.step.list.count = shape.count;
    }
    return it;
}

mst_iterator mst_iterate_from(const mst_value *record, uint16_t field, uint32_t offset) {
    mst_iterator it = mst_iterate(record);
    it.step.record.next = field;
    it.position += offset;
    return it;
}

static int next_chunk(mst_iterator *it, mst_value *value) {
    mst_element_step *step = &it->step.list;
    const mst_chunks *chunks = step->chunks;
    mst_chunk_cursor cursor = {it->position, step->seen};
    mst_chunk chunk;
    while (mst_chunk_next(it->document, chunks, &cursor, it->end, &chunk, NULL) == MST_OK) {
        it->position = cursor.offset;
        step->seen = cursor.seen;
        const mst_field *field = chunk.which < 0 ? chunks->unknown : &chunks->cases[chunk.which].field;
        if (field != it->field)
            continue;
        bool as_list = chunk.which >= 0 && !(field->flags & MST_FIELD_REPEATED) && mst_is_list(field);
        element_at(it, value, chunk.start, chunk.end,
                   (as_list ? MST_SHAPE_LIST : MST_SHAPE_ONE) | MST_SHAPE_IN_CHUNK);
        step->index++;
        return 1;
    }
    return 0;
}

/* The beginning of block `index` of the archive that is iterated, and its `end`; false if there is none. */
static bool block_at(const mst_iterator *it, uint64_t index, uint64_t *begin, uint64_t *end) {
    mst_archive archive = mst_archive_at(it->document, it->offset, it->end);
    bool exists = index < archive.count;
    *begin = mst_archive_block(it->document, &archive, exists ? (uint32_t)index : archive.count);
    *end = exists ? mst_archive_block_end(it->document, &archive, (uint32_t)index, *begin) : it->end;
    return exists;
}

static int next_element(mst_iterator *it, mst_value *value) {
    const mst_field *field = it->field;
    mst_element_step *step = &it->step.list;
    bool to_sentinel = step->count == MST_TO_SENTINEL || (field->flags & MST_FIELD_SHORT);
    if (step->index >= step->count || (to_sentinel && it->position >= it->end))
        return 0;
    const mst_record *record = field->kind == MST_KIND_RECORD ? mst_record_of(it->document, field) : NULL;
    const mst_plan *plan = record ? mst_plan_of(it->document, record) : NULL;
    uint64_t begin = it->position, width = plan ? plan->stride : mst_kind_width[field->kind], after;
    if (field->mode == MST_COUNT_ARCHIVE) {
        bool exists = block_at(it, step->index, &begin, &after);
        if (MST_CHANGED(!exists))
            return 0;
    } else if (width) {
        it->position = after = begin + width;
    } else {
        bool sized = plan && plan->sized;
        after = sized ? mst_sized_end(it->document, record, plan, begin, it->end) : UINT64_MAX;
        if (after == UINT64_MAX) {
            mst_value list;
            uint32_t all[MST_VARIABLES];
            element_at(it, &list, begin, it->end, MST_SHAPE_LIST);
            after = walked_end(it->document, field, mst_context_of(&list, all), begin, it->end, true);
        }
        it->position = after;
    }
    element_at(it, value, begin, after, MST_SHAPE_ONE | MST_SHAPE_ELEMENT);
    step->index++;
    return 1;
}

/* Whether a chunk's field may have that name: an inline record also has the name of its field. */
static bool may_be_called(const mst_field *field, const char *name) {
    return (field->record && field->record->is_inline) ||
           (field->name[0] == name[0] && strcmp(field->name, name) == 0);
}

/* The next list of chunks, or single chunk, of the stream that the iterator is at; 0 after the last one. With
 * `only`, chunks of other names are skipped: each search is a walk over all chunks. */
static int next_case(mst_iterator *it, const mst_chunks *chunks, uint64_t end, mst_value *value,
                     const char *only) {
    mst_step *step = &it->step.record;
    uint32_t owner = (uint32_t)mst_record_of(it->document, it->field)->index << MST_SHAPE_OWNER;
    while (step->next_case <= chunks->case_count) {
        uint32_t which = step->next_case++;
        const mst_field *one = which < chunks->case_count ? &chunks->cases[which].field : chunks->unknown;
        if (only && !may_be_called(one, only))
            continue;
        mst_value list =
            value_at(it->document, one, it->context, it->position, end, MST_SHAPE_CHUNK_LIST | owner);
        mst_iterator inner;
        begin_list(&inner, &list, chunks);
        mst_value first;
        if (!next_chunk(&inner, &first))
            continue;
        *value = which == chunks->case_count || (one->flags & MST_FIELD_REPEATED) ? list : first;
        return 1;
    }
    step->next_case = 0;
    it->position = end;
    return 0;
}

/* Moves the iterator past a field of its record, which `value` is; false if its bytes have changed. */
static inline bool pass(mst_iterator *it, const mst_record *record, const mst_plan *plan,
                        const mst_field *field, const mst_value *value) {
    mst_step *step = &it->step.record;
    uint32_t size = plan->fields[field - record->fields].size;
    uint64_t after = size ? it->position + size : mst_value_after(value);
    if (MST_CHANGED(after > value->end))
        return false;
    it->position = after;
    if (field->mode != MST_COUNT_ONE || !mst_is_number(field)) {
        mst_step_stop(step, record, field, 0);
        return true;
    }
    if (!mst_decides(field))
        return true;
    bool learned =
        mst_step_learn(step, record, plan, field, it->context, mst_scalar_of(value), after, value->end);
    return !MST_CHANGED(!learned);
}

/* Moves the iterator to the next present field of its record, and `end` to the end of the enclosing data;
 * NULL after the last one. */
static inline const mst_field *next_present(mst_iterator *it, const mst_record *record, const mst_plan *plan,
                                            uint64_t *end) {
    mst_step *step = &it->step.record;
    while (step->next < record->field_count) {
        uint64_t block_end = 0;
        if (record->archive && block_at(it, step->next, &it->position, &block_end))
            step->blocks = (uint16_t)(step->next + 1);
        const mst_field *field =
            mst_step_next(step, record, plan, it->context, it->document, it->position, it->end);
        *end = record->archive ? block_end : mst_step_end(step, it->end);
        if (field)
            return field;
    }
    return NULL;
}

/* The next field of a record: 1, or 0 after the last one, or -1 at the stream `stop`, whose `end` it finds.
 * The one called `only` ends the iteration. */
static inline int step_field(mst_iterator *it, mst_value *value, const char *only, const mst_field *stop,
                             uint64_t *end) {
    if (MST_UNREACHABLE(!it->document)) /* void values are not iterated */
        return 0;
    const mst_record *record = mst_record_of(it->document, it->field);
    const mst_plan *plan = mst_plan_of(it->document, record);
    mst_step *step = &it->step.record;
    const mst_field *field;
    for (;;) {
        *end = mst_step_end(step, it->end);
        field = step->next_case ? &record->fields[step->next - 1] /* still in its chunks */
                                : next_present(it, record, plan, end);
        if (!field)
            return 0;
        if (field->kind != MST_KIND_CHUNKS)
            break;
        if (field == stop)
            return -1;
        it->last = (uint32_t)(field - record->fields);
        if (next_case(it, field->chunks, *end, value, only))
            return 1;
    }
    it->last = (uint32_t)(field - record->fields);
    *value = value_at(it->document, field, it->context, it->position, *end,
                      mst_is_list(field) ? MST_SHAPE_LIST : MST_SHAPE_ONE);
    bool last = only && strcmp(field->name, only) == 0; /* nothing after it is needed */
    if (!record->archive && !last && !pass(it, record, plan, field, value))
        return 0;
    if (field->mode == MST_COUNT_ONE)
        unwrap(value);
    return 1;
}

static int next_field(mst_iterator *it, mst_value *value, const char *only) {
    uint64_t end;
    return step_field(it, value, only, NULL, &end);
}

bool mst_find_chunks(const mst_value *record, const mst_field *chunks, mst_iterator *stream, uint64_t *end) {
    *stream = mst_iterate(record);
    *end = record->end;
    mst_value passed;
    int more;
    while ((more = step_field(stream, &passed, "", chunks, end)) > 0)
        ;
    return more < 0;
}

bool mst_next(mst_iterator *it, mst_value *value) {
    if (!it || !value || !it->document || !it->field)
        return 0;
    uint32_t kind = it->shape & MST_SHAPE_MASK;
    if (kind == MST_SHAPE_ONE)
        return ((const mst_field *)it->field)->kind == MST_KIND_RECORD ? next_field(it, value, NULL) : 0;
    const mst_field *column = mst_column_field(it->field, it->shape);
    if ((it->shape & MST_SHAPE_PART) && it->step.list.index >= it->step.list.count)
        return 0;
    int more = kind == MST_SHAPE_CHUNK_LIST ? next_chunk(it, value) : next_element(it, value);
    if (more && column) {
        mst_value element = *value;
        return mst_member(&element, column->name, value) == MST_OK;
    }
    return more;
}

/* An empty list of chunks: the first one would be inserted at the end of the stream. */
static mst_status empty_chunk_list(const mst_value *record, const char *name, mst_value *list) {
    const mst_record *table = value_record(record);
    for (uint16_t f = 0; f < table->field_count; f++) {
        const mst_chunks *chunks = table->fields[f].chunks;
        mst_iterator stream;
        uint64_t end;
        for (uint32_t which = 0; chunks && which <= chunks->case_count; which++) {
            const mst_field *one = which < chunks->case_count ? &chunks->cases[which].field : chunks->unknown;
            if (!(one->flags & MST_FIELD_REPEATED) || strcmp(one->name, name) != 0 ||
                !mst_find_chunks(record, &table->fields[f], &stream, &end))
                continue;
            *list = value_at(record->document, one, stream.context, end, end,
                             MST_SHAPE_CHUNK_LIST | (uint32_t)table->index << MST_SHAPE_OWNER);
            return MST_OK;
        }
    }
    return MST_NO_PATH;
}

/* Whether the value that the iterator just gave is the field of that name. */
static bool is_called(const mst_iterator *it, const mst_value *value, const char *name) {
    if (strcmp(mst_field_of(value)->name, name) == 0)
        return true;
    /* an inline record was replaced by its field, which has another name */
    const mst_field *field = &mst_record_of(it->document, it->field)->fields[it->last];
    return field->kind != MST_KIND_CHUNKS && strcmp(field->name, name) == 0;
}

/* Whether the version of a record has a field that may have that name. */
static bool may_have(const mst_value *record, const char *name) {
    const mst_record *table = value_record(record);
    const mst_field_plan *fields = mst_plan_of(record->document, table)->fields;
    for (uint16_t f = 0; f < table->field_count; f++)
        if (fields[f].presence != MST_ABSENT &&
            (table->fields[f].kind == MST_KIND_CHUNKS || may_be_called(&table->fields[f], name)))
            return true;
    return false;
}

mst_status mst_member(const mst_value *record, const char *name, mst_value *member) {
    if (!name || !member || mst_is_void(record))
        return MST_ARGUMENT;
    if (mst_shape_of(record) != MST_SHAPE_ONE || mst_field_of(record)->kind != MST_KIND_RECORD)
        return MST_NO_PATH;
    mst_value value;
    mst_iterator it = mst_iterate(record);
    for (bool may = may_have(record, name); may && next_field(&it, &value, name);)
        if (is_called(&it, &value, name)) {
            *member = value;
            return MST_OK;
        }
    if ((record->shape & MST_SHAPE_ROW) && mst_row_member(record, name, &value, member))
        return MST_OK;
    return empty_chunk_list(record, name, member);
}

uint64_t mst_number_in(const mst_value *record, const char *name) {
    mst_value member;
    uint64_t number = 0;
    int64_t negative;
    if (mst_member(record, name, &member) == MST_OK && mst_get_unsigned(&member, &number) != MST_OK &&
        mst_get_integer(&member, &negative) == MST_OK)
        number = (uint64_t)negative;
    return number;
}

uint64_t mst_count(const mst_value *value) {
    if (mst_is_void(value))
        return 0;
    mst_shape shape;
    switch (mst_shape_of(value)) {
    case MST_SHAPE_CHUNK_LIST: return chunk_count(value);
    case MST_SHAPE_SLICE: return value->count;
    case MST_SHAPE_LIST:
        shape = mst_shape_of_list(value);
        if (shape.count != MST_TO_SENTINEL && !(mst_field_of(value)->flags & MST_FIELD_SHORT))
            return shape.count;
        break;
    default:
        if (mst_field_of(value)->kind != MST_KIND_RECORD)
            return 0;
    }
    uint64_t count = 0;
    mst_value element;
    for (mst_iterator it = mst_iterate(value); mst_next(&it, &element);)
        count++;
    return count;
}

mst_status mst_element(const mst_value *list, uint64_t index, mst_value *element) {
    if (!element || mst_is_void(list))
        return MST_ARGUMENT;
    mst_value base = *list;
    uint32_t shape = mst_shape_of(list);
    if (shape == MST_SHAPE_SLICE) {
        if (index >= list->count)
            return MST_NO_PATH;
        base = mst_list_of_slice(list);
        const mst_field *column = mst_column_field(mst_field_of(list), list->shape);
        if (!column)
            return mst_element(&base, list->first + index, element);
        mst_value record;
        mst_status status = mst_element(&base, list->first + index, &record);
        if (MST_CHANGED(status != MST_OK)) /* slices do not exceed their list */
            return status;
        return mst_member(&record, column->name, element);
    }
    if (shape == MST_SHAPE_LIST) {
        const mst_field *field = mst_field_of(list);
        mst_shape extent = mst_shape_of_list(list);
        if (index >= extent.count)
            return MST_NO_PATH;
        if (field->mode == MST_COUNT_ARCHIVE) {
            mst_iterator it = mst_iterate(list);
            it.step.list.index = index;
            bool exists = mst_next(&it, element);
            return MST_CHANGED(!exists) ? MST_NO_PATH : MST_OK; /* `index` is below the count */
        }
        if (extent.element) {
            uint64_t offset = list->offset + extent.prefix + index * extent.element;
            mst_iterator it; /* `element` may be `list` */
            begin_list(&it, list, NULL);
            element_at(&it, element, offset, offset + extent.element, MST_SHAPE_ONE | MST_SHAPE_ELEMENT);
            return MST_OK;
        }
    } else if (shape != MST_SHAPE_CHUNK_LIST) {
        return MST_NO_PATH;
    }
    uint64_t at = 0;
    mst_value value;
    for (mst_iterator it = mst_iterate(&base); mst_next(&it, &value); at++)
        if (at == index) {
            *element = value;
            return MST_OK;
        }
    return MST_NO_PATH;
}
