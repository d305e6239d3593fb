/* SPDX-License-Identifier: MIT */
/* Inserting, removing and reordering blocks in an archive's lists: the other blocks keep their bytes, and the
 * padding after them. */
#include "../core/unreachable.h"
#include "editing.h"
#include "single_edit.h"

static uint64_t aligned(uint64_t size, unsigned align) {
    return size + (align - size % align) % align;
}

/* The archive of a value, if it is one with blocks. */
static bool archive_of(const mst_value *value, mst_archive *archive) {
    const mst_record *record = mst_edit_table_of(value);
    bool list = mst_shape_of(value) == MST_SHAPE_LIST && mst_field_of(value)->mode == MST_COUNT_ARCHIVE;
    if (!list && !(record && record->archive && mst_shape_of(value) == MST_SHAPE_ONE))
        return false;
    *archive = mst_archive_at(value->document, value->offset, value->end);
    return archive->count > 0;
}

static bool is_wide(const mst_document *document, const mst_archive *archive) {
    for (uint32_t i = 0; i <= archive->count; i++)
        if (mst_archive_stored(document, archive, i) % MST_BLOCK_ALIGN_MAX)
            return false;
    return true;
}

/* Whether there is more padding than MST_BLOCK_ALIGN requires. */
static bool has_gap(const mst_value *value, const mst_archive *archive) {
    uint64_t end = archive->base + mst_archive_header(archive->count);
    mst_iterator it = mst_iterate(value);
    mst_value child;
    for (uint32_t block = 0; block <= archive->count; block++) {
        uint64_t begin = mst_archive_block(value->document, archive, block);
        if (begin >= end && begin - end >= MST_BLOCK_ALIGN)
            return true;
        if (block == archive->count || !mst_next(&it, &child))
            break;
        end = mst_value_after(&child);
    }
    return false;
}

unsigned mst_edit_block_align(const edit *e, uint32_t last) {
    mst_archive archive;
    for (uint32_t i = 0; i <= last; i++)
        if (archive_of(&e->values[i], &archive) && !is_wide(e->document, &archive))
            return MST_BLOCK_ALIGN;
    for (uint32_t i = 0; i <= last; i++)
        if (archive_of(&e->values[i], &archive) && has_gap(&e->values[i], &archive))
            return MST_BLOCK_ALIGN_MAX;
    return MST_BLOCK_ALIGN;
}

/* An archive being written to the edit's bytes. */
typedef struct write_state {
    edit *e;
    mst_archive old;
    uint32_t count, next;
    unsigned align;
    mst_status status;
} write_state;

static void put(write_state *w, const uint8_t *bytes, uint64_t size) {
    mst_sink sink = mst_buffer_sink(&w->e->bytes);
    if (w->status == MST_OK)
        w->status = sink.write(sink.user, bytes, (size_t)size);
}

static void put_padding(write_state *w) {
    static const uint8_t zeros[MST_BLOCK_ALIGN_MAX] = {0};
    put(w, zeros, aligned(w->e->bytes.size, w->align) - w->e->bytes.size);
}

/* The next block begins here, or the archive ends. */
static void put_offset(write_state *w) {
    if (w->status == MST_OK && w->e->bytes.size > UINT32_MAX)
        w->status = mst_edit_refuse(w->e, MST_REFUSED, "the archive is too large for its offsets");
    if (w->status == MST_OK)
        mst_store32(w->e->bytes.data + 4 + 4 * (size_t)w->next++, (uint32_t)w->e->bytes.size, w->old.big);
}

/* Writes a header, with as much room before the first block as the old one had more than needed. */
static void put_header(write_state *w) {
    static const uint8_t zeros[64] = {0};
    uint64_t size = aligned(mst_archive_header(w->count), w->align);
    if (!w->count)
        size = MST_BLOCK_ALIGN;
    else if (w->old.count) {
        uint64_t first = mst_archive_stored(w->e->document, &w->old, 0),
                 usual = aligned(mst_archive_header(w->old.count), w->align);
        size += first > usual ? first - usual : 0;
    }
    while (size && w->status == MST_OK) {
        uint64_t part = size < sizeof zeros ? size : sizeof zeros;
        put(w, zeros, part);
        size -= part;
    }
    if (w->status == MST_OK)
        mst_store32(w->e->bytes.data, w->count, w->old.big);
}

static void put_old_block(write_state *w, uint32_t block) {
    const mst_document *document = w->e->document;
    uint64_t begin = mst_archive_block(document, &w->old, block),
             end = mst_archive_block_end(document, &w->old, block, begin);
    put_offset(w);
    put(w, document->data + begin, end - begin);
    /* the last padding of a file may be missing */
    if (mst_archive_stored(document, &w->old, block + 1) > end - w->old.base)
        put_padding(w);
}

mst_status mst_edit_put_blocks(edit *e, const mst_value *list, uint64_t index, const mst_buffer *block) {
    write_state w = {.e = e, .old = mst_archive_at(e->document, list->offset, list->end)};
    w.align = mst_edit_block_align(e, e->chain.count - 1);
    if (MST_UNREACHABLE(index > w.old.count || w.old.count == UINT32_MAX)) /* the callers checked this */
        return MST_NO_PATH;
    w.count = block ? w.old.count + 1 : w.old.count - 1;
    put_header(&w);
    for (uint32_t i = 0; i <= w.old.count && w.status == MST_OK; i++) {
        if (block && i == index) {
            put_padding(&w);
            put_offset(&w);
            put(&w, block->data, block->size);
            put_padding(&w);
        }
        if (i < w.old.count && (block || i != index))
            put_old_block(&w, i);
    }
    if (w.count)
        put_offset(&w);
    return w.status;
}

mst_status mst_edit_permute_blocks(mst_document *document, const mst_value *list, const uint32_t *from,
                                   mst_arena *arena) {
    mst_archive old = mst_archive_at(document, list->offset, list->end);
    uint64_t first = mst_archive_block(document, &old, 0), end = mst_archive_block(document, &old, old.count);
    if (mst_archive_stored(document, &old, old.count) > end - old.base)
        return MST_UNSUPPORTED; /* the last block would need its padding */
    uint64_t *starts = mst_arena_take(arena, (size_t)old.count + 1, sizeof *starts);
    uint8_t *bytes = mst_arena_take(arena, (size_t)(end - first) + 1, 1), *to = mst_edit_bytes(document);
    if (!starts || !bytes)
        return MST_NO_MEMORY;
    memcpy(bytes, to + first, (size_t)(end - first));
    for (uint32_t i = 0; i <= old.count; i++)
        starts[i] = mst_archive_block(document, &old, i) - first;
    uint64_t at = first;
    for (uint32_t i = 0; i < old.count; i++) {
        uint64_t size = starts[from[i] + 1] - starts[from[i]];
        mst_store32(to + old.base + 4 + 4 * (uint64_t)i, (uint32_t)(at - old.base), old.big);
        memcpy(to + at, bytes + starts[from[i]], (size_t)size);
        at += size;
    }
    return MST_OK;
}
