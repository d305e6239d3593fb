/* SPDX-License-Identifier: MIT */
/* The enclosing sizes, counts and offsets of an edit. */
#include "editing.h"

/* ---- enclosing sizes and counts ---------------------------------------------------------------- */

static mst_status add_to(const edit *e, uint8_t *data, uint64_t offset, unsigned width, int64_t by,
                         bool big) {
    uint64_t old = mst_load(data + offset, width, big);
    uint64_t now = old + (uint64_t)by; /* a negative result wraps, and is too large */
    if (by == -1 && !old)
        return mst_edit_refuse(e, MST_REFUSED, "the last element of the list cannot be removed");
    if (width < 8 && now >> (8 * width))
        return mst_edit_refuse(e, MST_REFUSED, "an enclosing size or count cannot hold the new number");
    mst_store(data + offset, width, now, big);
    return MST_OK;
}

/* The offset of a record's field, by its table entry; false if it is absent. */
static bool offset_of(const mst_value *record, const mst_field *field, uint64_t *offset) {
    mst_value member;
    for (mst_iterator it = mst_iterate(record); mst_next(&it, &member);)
        if (mst_field_of(&member) == field) {
            *offset = member.offset;
            return true;
        }
    return false;
}

bool mst_edit_has_own_header(const mst_document *document, const mst_value *value) {
    const mst_chunks *chunks = mst_chunks_of(document->format, mst_field_of(value));
    return mst_holds_header(chunks, mst_field_of(value));
}

/* ---- archives ---------------------------------------------------------------------------------- */

bool mst_edit_is_block(const edit *e, uint32_t i, mst_archive *archive, uint32_t *block) {
    if (i == 0)
        return false;
    const mst_value *around = &e->values[i - 1], *value = &e->values[i];
    const mst_field *field = mst_field_of(around);
    const mst_record *record = mst_edit_table_of(around);
    bool list = mst_shape_of(around) == MST_SHAPE_LIST && field->mode == MST_COUNT_ARCHIVE;
    if (!list && !(record && record->archive && mst_shape_of(around) == MST_SHAPE_ONE))
        return false;
    *archive = mst_archive_at(e->document, around->offset, around->end);
    if (list) {
        *block = (uint32_t)e->indices[i];
        return true;
    }
    /* by offset: the value may be the field of an inline record */
    for (*block = 0; *block < archive->count; ++*block)
        if (mst_archive_block(e->document, archive, *block) == value->offset)
            return true;
    return false;
}

mst_status mst_edit_include_padding(edit *e) {
    const mst_document *document = e->document;
    if (e->bytes.size == e->to - e->from)
        return MST_OK;
    for (uint32_t i = e->chain.count; i-- > 1;) {
        mst_archive archive;
        uint32_t block;
        if (!mst_edit_is_block(e, i, &archive, &block))
            continue;
        uint64_t content = mst_value_after(&e->values[i]),
                 begin = mst_archive_block(document, &archive, block),
                 end = mst_archive_block(document, &archive, block + 1);
        if (MST_UNREACHABLE(e->to > content)) /* the edited bytes are in the block */
            content = e->to;
        static const uint8_t zeros[MST_BLOCK_ALIGN_MAX] = {0};
        unsigned align = mst_edit_block_align(e, i - 1);
        mst_sink sink = mst_buffer_sink(&e->bytes);
        mst_status status = sink.write(sink.user, document->data + e->to, (size_t)(content - e->to));
        uint64_t size = begin - archive.base + (e->from - begin) + e->bytes.size;
        if (status == MST_OK)
            status = sink.write(sink.user, zeros, (size_t)((align - size % align) % align));
        e->to = end;
        return status == MST_OK ? MST_OK : mst_edit_refuse(e, status, "not enough memory for the edit");
    }
    return MST_OK;
}

/* Shifts the offsets after the block whose length changed. */
static mst_status shift_offsets(const edit *e, uint8_t *data, const mst_archive *archive, uint32_t block,
                                int64_t by) {
    mst_status status = MST_OK;
    for (uint64_t i = (uint64_t)block + 1; i <= archive->count && status == MST_OK; i++)
        status = add_to(e, data, archive->base + 4 + 4 * i, 4, by, archive->big);
    return status;
}

/* Whether the size of the elements depends on the layout: it is then kept, even without elements. */
static bool tells_layout(const mst_document *document, const mst_field *list) {
    const mst_record *record = document->variant.layout ? list->record : NULL; /* the default needs none */
    bool tells = false;
    for (uint16_t f = 0; record && f < record->field_count; f++)
        tells = tells || record->fields[f].when[0].variable == MST_VARIABLE_LAYOUT;
    return tells;
}

/* Counts one element more or less in a data set. */
static mst_status count_in_data_set(const edit *e, uint8_t *data, const mst_value *list) {
    const mst_field *field = mst_field_of(list);
    bool big = e->document->variant.big;
    uint32_t stride = field->kind == MST_KIND_RECORD ? mst_plan_of(e->document, field->record)->stride
                                                     : mst_kind_width[field->kind];
    mst_status status = add_to(e, data, list->offset + 4, 4, e->more, big);
    bool empty = status == MST_OK && !mst_load32(data + list->offset + 4, big);
    if (status == MST_OK)
        mst_store32(data + list->offset, empty && !tells_layout(e->document, field) ? 0 : stride, big);
    return status;
}

mst_status mst_edit_update_enclosing(const edit *e, uint8_t *data, int64_t by) {
    const mst_document *document = e->document;
    uint32_t last = e->chain.count - 1;
    mst_status status = MST_OK;
    for (uint32_t i = 0; i <= last && status == MST_OK; i++) {
        const mst_value *value = &e->values[i];
        bool inside = i < last || e->more == 0;
        const mst_chunks *chunks = mst_shape_of(value) != MST_SHAPE_CHUNK_LIST
                                       ? mst_chunks_of(document->format, mst_field_of(value))
                                       : NULL;
        mst_archive archive;
        uint32_t block;
        if (by && mst_edit_is_block(e, i, &archive, &block))
            status = shift_offsets(e, data, &archive, block, by);
        if (status != MST_OK)
            break;
        if ((value->shape & MST_SHAPE_IN_CHUNK) && chunks && inside &&
            !mst_holds_header(chunks, mst_field_of(value)))
            status = add_to(e, data, value->offset - 4, 4, by, mst_chunks_big(chunks, document->variant));
        const mst_record *record = mst_edit_table_of(value);
        if (i < last && (mst_field_of(&e->values[i + 1])->flags & MST_FIELD_OUTSIDE))
            record = NULL;
        if (status == MST_OK && inside && record && mst_shape_of(value) == MST_SHAPE_ONE)
            for (uint16_t f = 0; f < record->field_count && status == MST_OK; f++) {
                const mst_field *field = &record->fields[f];
                uint64_t offset;
                bool last_part = i < last && (mst_field_of(&e->values[i + 1])->flags & MST_FIELD_LAST);
                uint32_t grows = MST_FIELD_SIZE | (last_part ? MST_FIELD_SIZE_LAST : MST_FIELD_SIZE_FIRST);
                int64_t unit = field->size_scale ? field->size_scale : 1;
                if (!(field->flags & grows) || !offset_of(value, field, &offset) || offset >= e->from)
                    continue;
                if (by % unit)
                    return mst_edit_refuse(e, MST_REFUSED,
                                           "an enclosing size cannot hold the new number of bytes");
                status = add_to(e, data, offset, mst_kind_width[field->kind], by / unit,
                                mst_field_big(document, field));
            }
    }
    if (status != MST_OK || !e->more)
        return status;
    /* one element more or less: its list is the step before it in the chain */
    const mst_value *list = &e->values[last - 1];
    const mst_field *field = mst_field_of(list);
    if (mst_shape_of(list) != MST_SHAPE_LIST)
        return MST_OK; /* chunks are not counted */
    if (field->mode == MST_COUNT_PREFIX)
        return add_to(e, data, list->offset, mst_kind_width[field->prefix], e->more,
                      mst_field_big(document, field));
    if (field->mode == MST_COUNT_TO_END || field->mode == MST_COUNT_SENTINEL)
        return MST_OK;
    if (field->mode == MST_COUNT_DATA_SET)
        return count_in_data_set(e, data, list);
    if (field->mode == MST_COUNT_ARCHIVE)
        return mst_edit_refuse(e, MST_REFUSED,
                               "blocks cannot be added or removed one by one: set the complete list");
    if (field->mode == MST_COUNT_VARIABLE) {
        const mst_value *record = &e->values[last - 2];
        const mst_record *table = mst_edit_table_of(record);
        for (uint16_t f = 0; f < table->field_count; f++) {
            uint64_t offset;
            if (table->fields[f].length_of && strcmp(table->fields[f].length_of, field->name) == 0 &&
                offset_of(record, &table->fields[f], &offset))
                return add_to(e, data, offset, mst_kind_width[table->fields[f].kind], e->more,
                              mst_field_big(document, &table->fields[f]));
        }
    }
    return mst_edit_refuse(e, MST_REFUSED, "the number of elements is fixed");
}
