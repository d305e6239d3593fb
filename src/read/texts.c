/* SPDX-License-Identifier: MIT */
/* Lists of texts, proved with one loop each: there may be hundreds of thousands. */
#include "engine.h"

bool mst_pass_blocks_of_text(const mst_document *document, const mst_field *field, const mst_archive *archive,
                             uint64_t *position) {
    const mst_record *record = field->record;
    if (!record->is_inline || !mst_is_text(&record->fields[0]) ||
        record->fields[0].mode != MST_COUNT_DATA_SET)
        return false;
    uint64_t begin = mst_archive_block(document, archive, 0);
    for (uint32_t i = 0; i < archive->count; i++) {
        uint64_t end = mst_archive_block_of(document, archive, i + 1);
        if (end < begin + 8)
            return false;
        uint32_t stride = mst_load32(document->data + begin, archive->big);
        uint32_t count = mst_load32(document->data + begin + 4, archive->big);
        if ((count != 1 && (stride | count)) || (count && stride > end - begin - 8))
            return false;
        begin = end;
    }
    *position = begin;
    return true;
}

bool mst_pass_texts(const mst_document *document, const mst_field *field, const mst_shape *shape,
                    uint64_t end, uint64_t *position) {
    const mst_field *text = field->record->fields;
    if (!field->record->is_inline || !mst_is_text(text) || text->mode != MST_COUNT_PREFIX ||
        field->mode == MST_COUNT_ARCHIVE || shape->count == MST_TO_SENTINEL ||
        (field->flags & MST_FIELD_SHORT))
        return false;
    unsigned prefix = mst_kind_width[text->prefix], width = mst_kind_width[text->kind];
    bool big = mst_field_big(document, text);
    uint64_t at = *position + shape->prefix;
    for (uint64_t i = 0; i < shape->count; i++) {
        if (!mst_fits(at, prefix, end))
            return false;
        uint64_t size = mst_load(document->data + at, prefix, big) * width;
        at += prefix;
        if (!mst_fits(at, size, end))
            return false;
        at += size;
    }
    *position = at;
    return true;
}
