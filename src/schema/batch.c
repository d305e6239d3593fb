/* SPDX-License-Identifier: MIT */
#include "batch.h"
#include "../core/diagnose.h"
#include "edit.h"
#include "editing.h"

void mst_batch_begin(mst_batch *batch, mst_document *document, const mst_document *original) {
    memset(batch, 0, sizeof *batch);
    batch->document = document;
    batch->before = original;
    mst_arena_begin(&batch->arena, &document->allocator, 0);
    batch->written = (mst_array){.element_size = sizeof(mst_batch_set), .allocator = document->allocator};
    batch->waiting = batch->written;
}

void mst_batch_end(mst_batch *batch) {
    mst_finder_reset(&batch->finder);
    mst_array_free(&batch->written);
    mst_array_free(&batch->waiting);
    mst_arena_end(&batch->arena);
    mst_close(batch->own);
}

/* ---- what waits --------------------------------------------------------------------------------------- */

/* How many of the waiting sets begin before an offset. */
static size_t waiting_before(const mst_batch *batch, uint64_t offset) {
    const mst_batch_set *all = batch->waiting.items;
    size_t low = 0, high = batch->waiting.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all[middle].from < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool mst_batch_covers(const mst_batch *batch, uint64_t from, uint64_t to) {
    const mst_batch_set *all = batch->waiting.items;
    size_t at = waiting_before(batch, from);
    return (at < batch->waiting.count && all[at].from < to) || (at && all[at - 1].to > from);
}

mst_status mst_batch_note(mst_batch *batch, const mst_batch_set *set) {
    mst_array *to = set->bytes ? &batch->waiting : &batch->written;
    size_t at = set->bytes ? waiting_before(batch, set->from) : to->count;
    mst_batch_set made = *set, *all;
    made.path = mst_arena_text(&batch->arena, set->path, strlen(set->path));
    made.chain.values = mst_arena_take(&batch->arena, set->chain.count, sizeof *made.chain.values);
    made.chain.indices = mst_arena_take(&batch->arena, set->chain.count, sizeof *made.chain.indices);
    if (set->bytes)
        made.bytes = mst_arena_take(&batch->arena, set->size + 1, 1);
    if (!made.path || !made.chain.values || !made.chain.indices || (set->bytes && !made.bytes) ||
        !mst_array_push(to, 1))
        return MST_NO_MEMORY;
    memcpy(made.chain.values, set->chain.values, set->chain.count * sizeof *made.chain.values);
    memcpy(made.chain.indices, set->chain.indices, set->chain.count * sizeof *made.chain.indices);
    if (set->bytes && set->size)
        memcpy(made.bytes, set->bytes, set->size);
    all = to->items;
    memmove(all + at + 1, all + at, (to->count - 1 - at) * sizeof *all);
    all[at] = made;
    return MST_OK;
}

mst_status mst_batch_find(mst_batch *batch, const char *path, mst_value *value, mst_diagnostic *diagnostic) {
    mst_arena scratch;
    mst_arena_begin(&scratch, &batch->document->allocator, 0);
    mst_chain chain = {.values = mst_arena_take(&scratch, MST_PATH_DEPTH, sizeof *chain.values),
                       .indices = mst_arena_take(&scratch, MST_PATH_DEPTH, sizeof *chain.indices),
                       .finder = &batch->finder};
    mst_status status = MST_NO_MEMORY;
    if (chain.values && chain.indices)
        status = mst_find_chain(mst_root(batch->document), path, &chain, diagnostic);
    if (status == MST_OK) {
        *value = chain.values[chain.count - 1];
        uint64_t offset, length;
        mst_value_span(value, &offset, &length);
        if (mst_batch_covers(batch, offset, offset + length)) {
            status = mst_batch_settle(batch, diagnostic);
            if (status == MST_OK)
                status = mst_find(mst_root(batch->document), path, value, diagnostic);
        }
    }
    mst_arena_end(&scratch);
    return status;
}

/* ---- carrying it out ---------------------------------------------------------------------------------- */

static int64_t growth_of(const mst_batch_set *set) {
    return (int64_t)set->size - (int64_t)(set->to - set->from);
}

static mst_status refuse(const mst_batch_set *set, const char *message, mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_REFUSED, "%s", message);
    if (diagnostic && set)
        MST_SET(diagnostic->path, "%s", set->path);
    return MST_REFUSED;
}

/* The document's bytes with the sizes and counts around all that waits, where they were. */
static mst_status with_sizes(const mst_batch *batch, uint8_t *bytes, mst_diagnostic *diagnostic) {
    const mst_batch_set *all = batch->waiting.items;
    mst_status status = MST_OK;
    edit e = {.document = batch->document, .diagnostic = diagnostic};
    for (size_t i = 0; i < batch->waiting.count && status == MST_OK; i++) {
        e.path = all[i].path;
        e.chain = all[i].chain;
        e.values = e.chain.values;
        e.indices = e.chain.indices;
        e.from = all[i].from;
        e.to = all[i].to;
        status = mst_edit_update_enclosing(&e, bytes, growth_of(&all[i]));
    }
    return status;
}

/* The bytes with all that waits in its place. */
static mst_status splice_all(const mst_batch *batch, mst_buffer *made, mst_diagnostic *diagnostic) {
    const mst_document *document = batch->document;
    const mst_batch_set *all = batch->waiting.items;
    mst_allocator allocator = document->allocator;
    uint64_t size = document->size, at = 0;
    for (size_t i = 0; i < batch->waiting.count; i++)
        size += (uint64_t)growth_of(&all[i]);
    if (size > SIZE_MAX - 1)
        return refuse(all, "the document would become too large", diagnostic);
    uint8_t *sized = allocator.resize(allocator.user, NULL, 0, (size_t)document->size + 1);
    *made = (mst_buffer){.allocator = allocator, .capacity = (size_t)size + 1, .size = (size_t)size};
    made->data = allocator.resize(allocator.user, NULL, 0, made->capacity);
    mst_status status = sized && made->data ? MST_OK : MST_NO_MEMORY;
    if (status == MST_OK) {
        memcpy(sized, document->data, (size_t)document->size);
        status = with_sizes(batch, sized, diagnostic);
    }
    if (status == MST_OK) {
        uint8_t *to = made->data;
        for (size_t i = 0; i < batch->waiting.count; i++) {
            memcpy(to, sized + at, (size_t)(all[i].from - at));
            to += all[i].from - at;
            if (all[i].size)
                memcpy(to, all[i].bytes, all[i].size);
            to += all[i].size;
            at = all[i].to;
        }
        memcpy(to, sized + at, (size_t)(document->size - at));
    }
    if (sized)
        allocator.resize(allocator.user, sized, (size_t)document->size + 1, 0);
    return status;
}

/* ---- proving it --------------------------------------------------------------------------------------- */

/* Where something is that began at an offset before; what waits is in the order of the file. */
static uint64_t offset_now(const mst_batch *batch, const int64_t *grown, uint64_t offset) {
    return offset + (uint64_t)grown[waiting_before(batch, offset)];
}

/* The member of a record that a step led to, by its table entry: names of inline records are not unique. */
static bool same_member(const mst_value *record, const mst_value *old, uint64_t offset, mst_value *member) {
    bool chunks = mst_shape_of(old) == MST_SHAPE_CHUNK_LIST;
    for (mst_iterator it = mst_iterate(record); mst_next(&it, member);)
        if (member->field == old->field && (chunks || member->offset == offset))
            return true;
    return false;
}

/* Whether the steps that led to a value lead to the same place, with what was set. */
static bool leads_there(const mst_batch *batch, const int64_t *grown, mst_finder *finder,
                        const mst_document *proof, const mst_batch_set *set) {
    mst_value value = mst_root(proof), inner;
    for (uint32_t i = 1; i < set->chain.count; i++) {
        const mst_value *old = &set->chain.values[i];
        uint64_t offset = offset_now(batch, grown, old->offset);
        bool element = set->chain.indices[i] != UINT64_MAX;
        if (element && mst_finder_element(finder, &value, set->chain.indices[i], &inner) != MST_OK)
            return false;
        if (!element && !same_member(&value, old, offset, &inner))
            return false;
        if (inner.field != old->field ||
            (mst_shape_of(old) != MST_SHAPE_CHUNK_LIST && inner.offset != offset))
            return false;
        value = inner;
    }
    uint64_t size = mst_value_after(&value) - value.offset;
    return size == set->size &&
           (!set->bytes || memcmp(proof->data + value.offset, set->bytes, set->size) == 0);
}

static mst_status prove(const mst_batch *batch, const mst_document *proof, mst_diagnostic *diagnostic) {
    const mst_batch_set *waiting = batch->waiting.items, *written = batch->written.items;
    size_t count = batch->waiting.count;
    mst_arena scratch;
    mst_finder finder = {0};
    if (!mst_same_variant(proof->variant, batch->document->variant))
        return refuse(count ? waiting : written,
                      "the document would be read as another version, byte order or layout", diagnostic);
    mst_arena_begin(&scratch, &proof->allocator, 0);
    int64_t *grown = mst_arena_take(&scratch, count + 1, sizeof *grown);
    mst_status status = grown ? MST_OK : MST_NO_MEMORY;
    if (grown)
        grown[0] = 0;
    for (size_t i = 0; grown && i < count; i++)
        grown[i + 1] = grown[i] + growth_of(&waiting[i]);
    for (size_t i = 0; status == MST_OK && i < count + batch->written.count; i++) {
        const mst_batch_set *set = i < count ? &waiting[i] : &written[i - count];
        bool replaced = i >= count && mst_batch_covers(batch, set->from, set->to); /* by a later one */
        if (!replaced && !leads_there(batch, grown, &finder, proof, set))
            status = refuse(set, "the value would be read back as something else", diagnostic);
    }
    mst_finder_reset(&finder);
    mst_arena_end(&scratch);
    return status;
}

static mst_status cannot_be_read(const mst_batch *batch, mst_status status, const mst_diagnostic *why,
                                 mst_diagnostic *diagnostic) {
    const mst_batch_set *first = batch->waiting.count ? batch->waiting.items : batch->written.items;
    if (status != MST_DAMAGED)
        return status;
    refuse(first, "the edit would make a document that cannot be read", diagnostic);
    if (diagnostic) {
        MST_SET(diagnostic->found, "%s", why->message);
        MST_SET(diagnostic->code, "%s", why->code);
    }
    return MST_REFUSED;
}

/* ---- settling ----------------------------------------------------------------------------------------- */

static void forget(mst_batch *batch) {
    batch->waiting.count = batch->written.count = 0;
    mst_finder_reset(&batch->finder);
    mst_arena_end(&batch->arena);
}

mst_status mst_batch_settle(mst_batch *batch, mst_diagnostic *diagnostic) {
    mst_document *document = batch->document, *proof = NULL;
    mst_buffer bytes = {.allocator = document->allocator};
    mst_diagnostic why;
    mst_open_options options = {.allocator = document->allocator, .budget = SIZE_MAX, .name = document->name};
    if (!batch->waiting.count && !batch->written.count)
        return MST_OK;
    mst_status status = MST_OK;
    if (batch->waiting.count) {
        status = splice_all(batch, &bytes, diagnostic);
    } else { /* nothing moves */
        bytes =
            (mst_buffer){document->own, (size_t)document->size, document->own_capacity, document->allocator};
    }
    if (status == MST_OK)
        status =
            cannot_be_read(batch, mst_document_adopt(document->format, NULL, &bytes, &options, &proof, &why),
                           &why, diagnostic);
    if (status == MST_OK && !batch->waiting.count)
        document->own = NULL; /* the proof has the bytes */
    else if (batch->waiting.count)
        mst_buffer_free(&bytes);
    if (status == MST_OK)
        status = prove(batch, proof, diagnostic);
    if (status == MST_OK && document->format->edit.fix_up)
        document->format->edit.fix_up(batch->before, proof, proof->own);
    if (status == MST_OK && mst_keep_file_names(proof, document) != MST_OK)
        status = MST_NO_MEMORY;
    if (proof) { /* on failure, too: the document may have no bytes any more */
        mst_edit_adopt(document, proof);
        mst_close(proof);
    }
    forget(batch);
    if (batch->own) /* it was the state before these sets */
        mst_close(batch->own);
    batch->own = NULL;
    batch->before = NULL;
    return status;
}

mst_status mst_batch_leave(mst_batch *batch, mst_diagnostic *diagnostic) {
    mst_status status = mst_batch_settle(batch, diagnostic);
    mst_finder_reset(&batch->finder);
    batch->before = NULL;
    return status;
}
