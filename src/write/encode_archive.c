/* SPDX-License-Identifier: MIT */
/* Encoding of archives: the header, and the padding around blocks. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/text.h"
#include "../core/unreachable.h"
#include "encoder.h"

/* The number of a record's blocks: up to the last field that has a value. */
uint32_t mst_encode_blocks(mst_encode_frame *top) {
    uint32_t count = top->record->min;
    mst_source member;
    for (uint32_t i = 0; i < top->record->field_count; i++)
        if (!(top->record->fields[i].flags & MST_FIELD_OUTSIDE) && i >= count &&
            mst_source_member(top, top->record->fields[i].name, &member))
            count = i + 1;
    return count;
}

/* Writes the header; the offsets are filled in later. `owner` is the record that contains the list, NULL for
 * a record. */
mst_status mst_encode_archive(mst_encoder *e, mst_encode_frame *top, uint64_t blocks,
                              const mst_encode_frame *owner) {
    bool big = e->request->variant.big;
    const mst_encode_frame *keys = owner ? owner : top;
    const char *list = owner ? top->name : NULL;
    top->archive = e->out->size;
    top->blocks = (uint32_t)blocks;
    uint8_t *target = mst_encode_reserve(e, MST_SPAN_HEADER, NULL, mst_archive_header(top->blocks));
    if (!target)
        return mst_encode_fail(e, MST_NO_MEMORY, NULL, "not enough memory for the bytes", NULL, NULL);
    memset(target, 0, (size_t)mst_archive_header(top->blocks));
    mst_store32(target, top->blocks, big);
    uint64_t end = 0;
    if (!top->source.json) {
        const mst_document *document = top->source.value.document;
        top->old = mst_archive_at(document, top->source.value.offset, top->source.value.end);
        top->content_end = top->old.base + mst_archive_header(top->old.count);
        if (MST_CHANGED(top->old.count != top->blocks))
            return mst_encode_fail(e, MST_REFUSED, "", "the bytes have changed since they were opened", NULL,
                                   NULL);
        if (!blocks)
            end = mst_archive_end(document, &top->old);
    } else {
        const mst_json_node *gaps = mst_own_key(keys, "$gaps", list);
        if (gaps && gaps->kind != MST_JSON_ARRAY)
            return mst_encode_fail(e, MST_ARGUMENT, "$gaps", "the value does not fit the field", "a list",
                                   mst_kind_of_json(gaps));
        if (gaps && gaps->count) {
            top->gap = (uint32_t)(gaps - top->source.json) + 1;
            top->gap_end = gaps->end;
        }
        if (!blocks)
            mst_own_number(keys, "$end", list, &end);
    }
    if (!blocks)
        mst_store32(target + 4, (uint32_t)end, big);
    return MST_OK;
}

/* Writes the padding before the next block or after the last one: zeros up to the alignment of blocks, unless
 * the source specifies another. */
static mst_status put_gap(mst_encoder *e, mst_encode_frame *top) {
    uint64_t size = mst_block_padding(e->out->size - top->archive);
    const uint8_t *bytes = NULL;
    const mst_json_node *hex = NULL;
    if (!top->source.json) {
        const mst_document *document = top->source.value.document;
        uint64_t begin = mst_archive_block(document, &top->old, top->block);
        size = begin > top->content_end ? begin - top->content_end : 0;
        bytes = document->data + top->content_end;
    } else if (top->gap && top->gap < top->gap_end) {
        /* [block, "hex"], in order */
        const mst_json_node *entry = &top->source.json[top->gap];
        uint64_t block;
        if (entry->kind != MST_JSON_ARRAY || entry->count != 2 || entry[1].kind != MST_JSON_NUMBER ||
            entry[2].kind != MST_JSON_STRING || !mst_read_u64(entry[1].text, entry[1].length, &block) ||
            block < top->block)
            return mst_encode_fail(e, MST_ARGUMENT, "$gaps",
                                   "entries must be [block, \"hex\"], in ascending order", NULL, NULL);
        if (block == top->block) {
            hex = &entry[2];
            size = hex->length / 2;
            top->gap = entry->end;
        }
    }
    uint8_t *target = mst_encode_reserve(e, MST_SPAN_GAP, NULL, size);
    if (!target)
        return mst_encode_fail(e, MST_NO_MEMORY, NULL, "not enough memory for the bytes", NULL, NULL);
    if (bytes)
        memcpy(target, bytes, (size_t)size);
    else if (!hex)
        memset(target, 0, (size_t)size);
    else if (hex->length % 2 || !mst_read_hex(hex->text, hex->length, target))
        return mst_encode_fail(e, MST_ARGUMENT, "$gaps", "the bytes are not pairs of hexadecimal digits",
                               NULL, NULL);
    return MST_OK;
}

/* Writes the padding before a block (or after the last one) and its offset. */
mst_status mst_encode_block(mst_encoder *e, mst_encode_frame *top) {
    if (!top->blocks)
        return MST_OK;
    mst_status status = put_gap(e, top);
    uint64_t offset = e->out->size - top->archive;
    if (status == MST_OK && top->block == top->blocks) {
        /* the last padding of a file may be missing */
        uint64_t cut = 0;
        bool list = top->mode == FRAME_LIST;
        const mst_encode_frame *keys = list && e->depth > 1 ? &e->frames[e->depth - 2] : top;
        if (top->source.json)
            mst_own_number(keys, "$cut", list ? top->name : NULL, &cut);
        else
            cut = mst_archive_end(top->source.value.document, &top->old) + top->old.base -
                  mst_archive_block(top->source.value.document, &top->old, top->old.count);
        offset += cut < MST_BLOCK_ALIGN ? cut : 0;
    }
    if (status == MST_OK && offset > UINT32_MAX)
        status = mst_encode_fail(e, MST_REFUSED, "", "the archive is too large for its offsets", NULL, NULL);
    if (status == MST_OK)
        mst_store32(e->out->data + top->archive + 4 + 4 * (size_t)top->block, (uint32_t)offset,
                    e->request->variant.big);
    top->block++;
    return status;
}

/* Records the end of the content of a document's block. */
void mst_encode_note(mst_encode_frame *top, const mst_source *block) {
    if (!block->json)
        top->content_end = mst_value_after(&block->value);
}
