/* SPDX-License-Identifier: MIT */
/* Values: handles into a document's bytes, and their accessors. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/text.h"
#include "../core/unreachable.h"
#include "engine.h"
#include <math.h>
#include <stdio.h>

static const mst_record *value_record(const mst_value *value) {
    const mst_field *field = mst_field_of(value);
    return field->record ? field->record : value->document->format->tables.root;
}

static mst_value value_at(const mst_document *document, const mst_field *field, const uint32_t *context,
                          uint64_t offset, uint64_t end, uint32_t shape) {
    mst_value value;
    value.document = document;
    value.field = field;
    value.offset = offset;
    value.end = end;
    value.first = 0;
    value.count = 0;
    value.column = NULL;
    value.chunks = NULL;
    value.shape = shape;
    memcpy(value.context, context, sizeof value.context);
    return value;
}

mst_value mst_root(const mst_document *document) {
    if (!document)
        return (mst_value){.document = NULL};
    return value_at(document, &mst_document_field, document->context, 0, document->size,
                    MST_SHAPE_ONE | MST_SHAPE_IN_CHUNK);
}

/* Replaces an inline record by its field. */
static void unwrap(mst_value *value) {
    while (mst_field_of(value)->kind == MST_KIND_RECORD && value_record(value)->is_inline) {
        const mst_field *inner = &value_record(value)->fields[0];
        bool in_list = mst_is_list(inner);
        value->field = inner;
        value->shape =
            (in_list ? MST_SHAPE_LIST : MST_SHAPE_ONE) | (value->shape & ~(uint32_t)MST_SHAPE_MASK);
        if (in_list)
            break;
    }
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
    mst_shape shape;
    mst_status status = mst_field_shape(value->document, mst_field_of(value), value->context, value->offset,
                                        value->end, &shape, NULL);
    if (MST_CHANGED(status != MST_OK))
        shape = (mst_shape){0, 0, 1};
    return shape;
}

/* The end of a value that only the walker can find. Opening has proved it and noted the ends of nested
 * records, so that this allocates nothing. */
static uint64_t walked_end(const mst_value *value, uint64_t offset, bool single) {
    uint64_t after;
    mst_walk_request request = {.document = value->document,
                                .field = mst_field_of(value),
                                .context = value->context,
                                .offset = offset,
                                .end = value->end,
                                .index = UINT64_MAX,
                                .single = single,
                                .trusted = true};
    mst_status status = mst_walk_field(&request, &after, NULL);
    return MST_CHANGED(status != MST_OK) ? value->end : after;
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
    if (!record && single)
        return MST_CHANGED(!mst_scalar_fits(value)) ? value->end
                                                    : value->offset + mst_kind_width[field->kind];
    if (!single) {
        mst_shape extent = mst_shape_of_list(value);
        if (!record || extent.element)
            return value->offset + extent.prefix + extent.count * extent.element;
    }
    return walked_end(value, value->offset, single);
}

void mst_value_span(const mst_value *value, uint64_t *offset, uint64_t *length) {
    bool is_void = mst_is_void(value);
    if (offset)
        *offset = is_void ? 0 : value->offset;
    if (length)
        *length = is_void ? 0 : mst_value_after(value) - value->offset;
}

/* ---- iterators --------------------------------------------------------------------------------- */

/* Counts a chunk list by iterating over its stream. */
static uint64_t chunk_count(const mst_value *value) {
    const mst_chunks *chunks = value->chunks;
    mst_chunk_cursor cursor = {value->offset, 0};
    mst_chunk chunk;
    uint64_t count = 0;
    while (mst_chunk_next(value->document, chunks, &cursor, value->end, &chunk, NULL) == MST_OK)
        count += (chunk.which < 0 ? chunks->unknown : &chunks->cases[chunk.which].field) == value->field;
    return count;
}

/* Iterates over a slice as over its list, from the slice's first element to its last: `count` is the index
 * after that. */
static mst_iterator iterate_slice(const mst_value *slice) {
    mst_value list = *slice, passed;
    list.shape = slice->chunks ? MST_SHAPE_CHUNK_LIST : MST_SHAPE_LIST;
    list.column = NULL;
    mst_iterator it = mst_iterate(&list);
    uint64_t available = slice->chunks ? UINT64_MAX : it.value.count;
    uint64_t first = MST_CHANGED(slice->first > available) ? available : slice->first;
    if (!slice->chunks) {
        uint64_t element = mst_shape_of_list(slice).element;
        it.position += first * element;
        if (element || mst_field_of(slice)->mode == MST_COUNT_ARCHIVE)
            it.index = first;
    }
    while (it.index < first && mst_next(&it, &passed))
        ;
    it.value.shape |= MST_SHAPE_PART;
    it.value.column = slice->column;
    it.value.count = MST_CHANGED(slice->count > available - first) ? available : first + slice->count;
    return it;
}

mst_iterator mst_iterate(const mst_value *value) {
    if (mst_is_void(value))
        return (mst_iterator){.index = 0};
    if (mst_shape_of(value) == MST_SHAPE_SLICE)
        return iterate_slice(value);
    mst_iterator it;
    memset(&it, 0, sizeof it);
    it.value = *value;
    it.position = value->offset;
    it.outer = it.last_part = value->end;
    if (mst_shape_of(value) == MST_SHAPE_LIST) {
        mst_shape shape = mst_shape_of_list(value);
        it.position += shape.prefix;
        it.value.count = shape.count;
    }
    return it;
}

static int next_chunk(mst_iterator *it, mst_value *value) {
    const mst_document *document = it->value.document;
    const mst_chunks *chunks = it->value.chunks;
    mst_chunk_cursor cursor = {it->position, it->seen};
    mst_chunk chunk;
    while (mst_chunk_next(document, chunks, &cursor, it->value.end, &chunk, NULL) == MST_OK) {
        it->position = cursor.offset;
        it->seen = cursor.seen;
        const mst_field *field = chunk.which < 0 ? chunks->unknown : &chunks->cases[chunk.which].field;
        if (field != it->value.field)
            continue;
        bool as_list = chunk.which >= 0 && !(field->flags & MST_FIELD_REPEATED) && mst_is_list(field);
        *value = value_at(document, field, it->value.context, chunk.start, chunk.end,
                          (as_list ? MST_SHAPE_LIST : MST_SHAPE_ONE) | MST_SHAPE_IN_CHUNK);
        if (!as_list)
            unwrap(value);
        it->index++;
        return 1;
    }
    return 0;
}

static int next_element(mst_iterator *it, mst_value *value) {
    const mst_document *document = it->value.document;
    const mst_field *field = mst_field_of(&it->value);
    bool to_sentinel = it->value.count == MST_TO_SENTINEL || (field->flags & MST_FIELD_SHORT);
    if (it->index >= it->value.count || (to_sentinel && it->position >= it->value.end))
        return 0;
    if (field->mode == MST_COUNT_ARCHIVE) {
        mst_archive archive = mst_archive_at(document, it->value.offset, it->value.end);
        uint32_t block = (uint32_t)it->index++;
        if (MST_CHANGED(block >= archive.count))
            return 0;
        uint64_t begin = mst_archive_block(document, &archive, block);
        *value = value_at(document, field, it->value.context, begin,
                          mst_archive_block_end(document, &archive, block, begin),
                          MST_SHAPE_ONE | MST_SHAPE_ELEMENT);
        unwrap(value);
        return 1;
    }
    uint64_t width = mst_kind_width[field->kind];
    if (field->kind == MST_KIND_RECORD)
        width = mst_plan_of(document, value_record(&it->value))->stride;
    uint64_t after = width ? it->position + width : walked_end(&it->value, it->position, true);
    *value =
        value_at(document, field, it->value.context, it->position, after, MST_SHAPE_ONE | MST_SHAPE_ELEMENT);
    unwrap(value);
    it->position = after;
    it->index++;
    return 1;
}

/* A record that is an archive: its blocks, then the fields after them. */
static int next_block(mst_iterator *it, mst_value *value) {
    const mst_document *document = it->value.document;
    const mst_record *record = value_record(&it->value);
    mst_archive archive = mst_archive_at(document, it->value.offset, it->outer);
    while (it->field_index < record->field_count) {
        const mst_field *field = &record->fields[it->field_index];
        uint32_t block = it->field_index++;
        bool outside = (field->flags & MST_FIELD_OUTSIDE) != 0;
        if (!outside && block >= archive.count)
            continue;
        uint64_t offset = mst_archive_block(document, &archive, outside ? archive.count : block);
        uint64_t end = outside ? it->outer : mst_archive_block_end(document, &archive, block, offset);
        if (outside && !mst_field_found(document, field, it->value.context, offset, end))
            continue;
        *value = value_at(document, field, it->value.context, offset, end,
                          mst_is_list(field) ? MST_SHAPE_LIST : MST_SHAPE_ONE);
        if (field->kind == MST_KIND_RECORD && field->mode == MST_COUNT_ONE)
            unwrap(value);
        return 1;
    }
    return 0;
}

/* Whether a chunk's field may have that name: an inline record goes by the name of its field, too. */
static bool may_be_called(const mst_field *field, const char *name) {
    return (field->record && field->record->is_inline) || strcmp(field->name, name) == 0;
}

/* With `only`, chunks of other names are skipped: each search is a walk over all chunks. */
static int next_field(mst_iterator *it, mst_value *value, const char *only) {
    const mst_document *document = it->value.document;
    if (MST_UNREACHABLE(!document)) /* void values are not iterated */
        return 0;
    const mst_record *record = value_record(&it->value);
    if (record->archive)
        return next_block(it, value);
    const mst_plan *plan = mst_plan_of(document, record);
    uint32_t *context = it->value.context;
    while (it->field_index < record->field_count) {
        const mst_field *field = &record->fields[it->field_index];
        const mst_field_plan *compiled = &plan->fields[it->field_index];
        if (compiled->presence == MST_ABSENT) {
            it->field_index++;
            continue;
        }
        if (field->flags & MST_FIELD_OUTSIDE)
            it->value.end = it->outer;
        else if (field->flags & MST_FIELD_LAST)
            it->value.end = it->last_part;
        if (compiled->presence == MST_DEPENDS &&
            !mst_field_found(document, field, context, it->position, it->value.end)) {
            it->field_index++;
            continue;
        }
        if (field->kind == MST_KIND_CHUNKS) {
            const mst_chunks *chunks = field->chunks;
            while (it->case_index <= chunks->case_count) {
                uint32_t which = it->case_index++;
                const mst_field *one =
                    which < chunks->case_count ? &chunks->cases[which].field : chunks->unknown;
                if (only && !may_be_called(one, only))
                    continue;
                mst_value list =
                    value_at(document, one, context, it->position, it->value.end, MST_SHAPE_CHUNK_LIST);
                list.chunks = chunks;
                mst_iterator inner = mst_iterate(&list);
                mst_value first;
                if (!next_chunk(&inner, &first))
                    continue;
                *value = which == chunks->case_count || (one->flags & MST_FIELD_REPEATED) ? list : first;
                return 1;
            }
            it->position = it->value.end;
            it->field_index++;
            continue;
        }
        *value = value_at(document, field, context, it->position, it->value.end,
                          mst_is_list(field) ? MST_SHAPE_LIST : MST_SHAPE_ONE);
        uint64_t after = compiled->size ? it->position + compiled->size : mst_value_after(value);
        if (MST_CHANGED(after > it->value.end))
            return 0;
        uint64_t stored = 0;
        if (field->mode == MST_COUNT_ONE && mst_is_number(field) &&
            (field->bind || (field->flags & (MST_FIELD_SIZES | MST_FIELD_STOP)))) {
            stored = mst_scalar_of(value);
            mst_bind_variable(field, context, stored);
            if (field->flags & MST_FIELD_SIZES)
                it->sizes[mst_size_index(field)] = mst_size_covered(field, stored);
            uint64_t first_end;
            if ((field->flags & MST_FIELD_SIZES) && it->field_index == plan->last_size) {
                bool placed =
                    mst_split_parts(plan, it->sizes, after, it->value.end, &first_end, &it->last_part);
                if (MST_CHANGED(!placed))
                    return 0;
                it->value.end = first_end;
            }
        }
        if (field->kind == MST_KIND_RECORD && field->mode == MST_COUNT_ONE)
            unwrap(value);
        it->position = after;
        it->field_index = mst_field_after(record, (uint16_t)it->field_index, stored);
        return 1;
    }
    return 0;
}

int mst_next(mst_iterator *it, mst_value *value) {
    if (!it || !value || mst_is_void(&it->value))
        return 0;
    if (it->value.shape & MST_SHAPE_PART) {
        bool chunks = mst_shape_of(&it->value) == MST_SHAPE_CHUNK_LIST;
        mst_value element;
        if (it->index >= it->value.count)
            return 0;
        int more = chunks ? next_chunk(it, &element) : next_element(it, &element);
        if (MST_CHANGED(!more)) /* slices do not exceed their list */
            return 0;
        const mst_field *column = it->value.column;
        if (column)
            return mst_member(&element, column->name, value) == MST_OK;
        *value = element;
        return 1;
    }
    switch (mst_shape_of(&it->value)) {
    case MST_SHAPE_CHUNK_LIST: return next_chunk(it, value);
    case MST_SHAPE_LIST: return next_element(it, value);
    default: return mst_field_of(&it->value)->kind == MST_KIND_RECORD ? next_field(it, value, NULL) : 0;
    }
}

/* A list of chunks without elements: the first one would be inserted at the end of the stream. */
static mst_status empty_chunk_list(const mst_value *record, const char *name, mst_value *list) {
    mst_iterator it = mst_iterate(record);
    mst_value value;
    while (next_field(&it, &value, name)) /* for the context variables and the end */
        ;
    const mst_record *table = value_record(record);
    for (uint16_t f = 0; f < table->field_count; f++) {
        const mst_chunks *chunks = table->fields[f].chunks;
        if (!chunks || !mst_field_present(&table->fields[f], it.value.context))
            continue;
        for (uint32_t which = 0; which <= chunks->case_count; which++) {
            const mst_field *one = which < chunks->case_count ? &chunks->cases[which].field : chunks->unknown;
            if (!(one->flags & MST_FIELD_REPEATED) || strcmp(one->name, name) != 0)
                continue;
            *list = value_at(record->document, one, it.value.context, it.value.end, it.value.end,
                             MST_SHAPE_CHUNK_LIST);
            list->chunks = chunks;
            return MST_OK;
        }
    }
    return MST_NO_PATH;
}

mst_status mst_member(const mst_value *record, const char *name, mst_value *member) {
    if (!name || !member || mst_is_void(record))
        return MST_ARGUMENT;
    if (mst_shape_of(record) != MST_SHAPE_ONE || mst_field_of(record)->kind != MST_KIND_RECORD)
        return MST_NO_PATH;
    mst_value value;
    for (mst_iterator it = mst_iterate(record); next_field(&it, &value, name);)
        if (strcmp(mst_field_of(&value)->name, name) == 0 ||
            /* an inline record was replaced by its field, which has another name */
            (it.field_index && strcmp(value_record(record)->fields[it.field_index - 1].name, name) == 0)) {
            *member = value;
            return MST_OK;
        }
    return empty_chunk_list(record, name, member);
}

uint64_t mst_number_in(const mst_value *record, const char *name) {
    mst_value member;
    uint64_t number = 0;
    if (mst_member(record, name, &member) == MST_OK)
        mst_get_unsigned(&member, &number);
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
        base.shape = list->chunks ? MST_SHAPE_CHUNK_LIST : MST_SHAPE_LIST;
        const mst_field *column = list->column;
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
            it.index = index;
            bool exists = mst_next(&it, element);
            return MST_CHANGED(!exists) ? MST_NO_PATH : MST_OK; /* `index` is below the count */
        }
        if (extent.element) {
            uint64_t offset = list->offset + extent.prefix + index * extent.element;
            mst_value found = value_at(list->document, field, list->context, offset, offset + extent.element,
                                       MST_SHAPE_ONE | MST_SHAPE_ELEMENT);
            unwrap(&found);
            *element = found; /* may alias `list` */
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

/* ---- scalars ----------------------------------------------------------------------------------- */

uint64_t mst_scalar_bits(const mst_document *document, const mst_field *field, uint64_t offset) {
    unsigned width = mst_kind_width[field->kind];
    uint64_t bits = mst_load(document->data + offset, width, mst_field_big(document, field));
    switch ((mst_kind)field->kind) {
    case MST_KIND_I8: return (uint64_t)(int64_t)(int8_t)bits;
    case MST_KIND_I16: return (uint64_t)(int64_t)(int16_t)bits;
    case MST_KIND_I32: return (uint64_t)(int64_t)(int32_t)bits;
    default: return bits;
    }
}

bool mst_single_of(const mst_value *value, mst_value *one) {
    *one = *value;
    while (mst_shape_of(one) != MST_SHAPE_ONE) {
        if (mst_count(one) != 1)
            return false;
        mst_value list = *one;
        if (mst_element(&list, 0, one) != MST_OK) /* a slice of a field that this element lacks */
            return false;
    }
    return true;
}

/* The scalar that the value, or its only element, is. */
static mst_status scalar(const mst_value *value, const mst_field **field, uint64_t *bits) {
    mst_value one;
    if (!mst_single_of(value, &one))
        return MST_ARGUMENT;
    *field = mst_field_of(&one);
    if (!mst_is_number(*field))
        return MST_ARGUMENT;
    *bits = mst_scalar_of(&one);
    return MST_OK;
}

static double real_of(const mst_field *field, uint64_t bits) {
    if (field->kind == MST_KIND_F32)
        return (double)mst_f32_of_bits((uint32_t)bits);
    if (field->kind == MST_KIND_F64)
        return mst_f64_of_bits(bits);
    return mst_is_signed(field->kind) ? (double)(int64_t)bits : (double)bits;
}

mst_status mst_get_integer(const mst_value *value, int64_t *number) {
    if (!number || mst_is_void(value))
        return MST_ARGUMENT;
    const mst_field *field;
    uint64_t bits;
    mst_status status = scalar(value, &field, &bits);
    if (status != MST_OK)
        return status;
    if (field->kind == MST_KIND_F32 || field->kind == MST_KIND_F64) {
        double real = real_of(field, bits);
        if (!(real >= -9223372036854775808.0 && real < 9223372036854775808.0) || real != floor(real))
            return MST_ARGUMENT;
        *number = (int64_t)real;
        return MST_OK;
    }
    if (!mst_is_signed(field->kind) && bits > INT64_MAX)
        return MST_ARGUMENT;
    *number = (int64_t)bits;
    return MST_OK;
}

mst_status mst_get_unsigned(const mst_value *value, uint64_t *number) {
    if (!number || mst_is_void(value))
        return MST_ARGUMENT;
    const mst_field *field;
    uint64_t bits;
    mst_status status = scalar(value, &field, &bits);
    if (status != MST_OK)
        return status;
    if (field->flags & MST_FIELD_FLAGS)
        bits &= mst_bits_in(field);
    if ((field->flags & MST_FIELD_FLAGS) || (!mst_is_signed(field->kind) && field->kind < MST_KIND_F32)) {
        *number = bits;
        return MST_OK;
    }
    int64_t with_sign;
    if (mst_get_integer(value, &with_sign) != MST_OK || with_sign < 0)
        return MST_ARGUMENT;
    *number = (uint64_t)with_sign;
    return MST_OK;
}

mst_status mst_get_real(const mst_value *value, double *number) {
    if (!number || mst_is_void(value))
        return MST_ARGUMENT;
    const mst_field *field;
    uint64_t bits;
    mst_status status = scalar(value, &field, &bits);
    if (status == MST_OK)
        *number = real_of(field, bits);
    return status;
}

const char *mst_name_of_number(const mst_enum *names, int64_t value) {
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].value == value)
            return names->items[i].name;
    return NULL;
}

const char *mst_get_name(const mst_value *value) {
    if (mst_is_void(value))
        return NULL;
    const mst_field *field;
    uint64_t bits;
    if (scalar(value, &field, &bits) != MST_OK || !field->names || (field->flags & MST_FIELD_FLAGS))
        return NULL;
    return mst_name_of_number(field->names, (int64_t)bits);
}

mst_status mst_get_bytes(const mst_value *value, const void **bytes, size_t *size) {
    if (!bytes || !size || mst_is_void(value))
        return MST_ARGUMENT;
    mst_value one;
    if (!mst_single_of(value, &one))
        return MST_ARGUMENT;
    const mst_field *field = mst_field_of(&one);
    if (!mst_is_text(field) && field->kind != MST_KIND_RAW)
        return MST_ARGUMENT;
    mst_shape shape = mst_shape_of_list(&one);
    *bytes = one.document->data + one.offset + shape.prefix;
    *size = (size_t)(shape.count * shape.element);
    if (field->kind == MST_KIND_CHAR8 && field->mode == MST_COUNT_FIXED)
        while (*size && ((const uint8_t *)*bytes)[*size - 1] == 0)
            --*size;
    return MST_OK;
}

bool mst_low_text(const uint8_t *bytes, size_t size, char *text, size_t capacity, size_t *length) {
    if (size > capacity)
        return false;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] < 0x80)
            return false;
        text[i] = (char)(bytes[i] & 0x7F);
    }
    *length = size;
    return true;
}

mst_status mst_get_text(const mst_value *value, char *text, size_t capacity, size_t *length) {
    if ((!text && capacity) || mst_is_void(value))
        return MST_ARGUMENT;
    const void *bytes = NULL;
    size_t size = 0;
    if (capacity)
        text[0] = 0;
    mst_value one;
    if (!mst_single_of(value, &one) || !mst_is_text(mst_field_of(&one)))
        return MST_ARGUMENT;
    mst_get_bytes(&one, &bytes, &size); /* cannot fail for text */
    if (mst_field_of(&one)->mode == MST_COUNT_DATA_SET && size && ((const char *)bytes)[size - 1] == 0)
        size--;
    char narrow[256];
    if (mst_field_of(&one)->flags & MST_FIELD_HIGH) {
        if (mst_low_text(bytes, size, narrow, sizeof narrow, &size)) {
            while (mst_field_of(&one)->mode == MST_COUNT_FIXED && size && narrow[size - 1] == 0)
                size--;
            bytes = narrow;
        }
    }
    if (mst_field_of(&one)->kind == MST_KIND_CHAR8) {
        /* without valid UTF-8, each byte above 0x7F becomes U+FFFD (three bytes) */
        size_t out = 0, total = 0;
        const char *p = bytes;
        bool valid = mst_utf8_valid(p, size);
        if (valid && size < capacity) {
            memcpy(text, p, size);
            out = total = size;
        }
        for (size_t i = total; i < size; i++) {
            bool bad = !valid && (uint8_t)p[i] >= 0x80;
            const char *piece = bad ? "\xEF\xBF\xBD" : p + i;
            size_t n = bad ? 3 : 1;
            if (out == total && total + n < capacity) {
                memcpy(text + out, piece, n);
                out += n;
            }
            total += n;
        }
        if (capacity) {
            if (valid)
                out = mst_utf8_cut(p, size, out);
            text[out] = 0;
        }
        if (length)
            *length = total;
        return MST_OK;
    }
    bool big = mst_field_big(one.document, mst_field_of(&one));
    size_t out = 0, total = 0, units = size / 2;
    for (size_t i = 0; i < units;) {
        char piece[8];
        size_t n = 1;
        uint16_t unit = mst_load16((const uint8_t *)bytes + 2 * i, big);
        if (unit >= 0xD800 && unit < 0xDC00 && i + 1 < units) {
            uint16_t low = mst_load16((const uint8_t *)bytes + 2 * i + 2, big);
            n = low >= 0xDC00 && low < 0xE000 ? 2 : 1;
        }
        size_t made = mst_utf16_to_utf8((const uint8_t *)bytes + 2 * i, n, big, piece);
        if (out == total && total + made < capacity) {
            memcpy(text + out, piece, made);
            out += made;
        }
        total += made;
        i += n;
    }
    if (capacity)
        text[out] = 0;
    if (length)
        *length = total;
    return MST_OK;
}
