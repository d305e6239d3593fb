/* SPDX-License-Identifier: MIT */
#include "waiting_sets.h"
#include "../core/diagnose.h"
#include "../core/lower_bound.h"
#include "editing.h"
#include "single_edit.h"
#include <stdlib.h>

void mst_batch_begin(mst_batch *batch, mst_document *document, const mst_document *original) {
    memset(batch, 0, sizeof *batch);
    batch->document = document;
    batch->before = original;
    mst_arena_begin(&batch->arena, &document->allocator, 0);
    batch->written = (mst_array){.element_size = sizeof(mst_batch_set), .allocator = document->allocator};
    batch->waiting = batch->written;
    batch->going = (mst_array){.element_size = sizeof(mst_batch_index), .allocator = document->allocator};
}

void mst_batch_end(mst_batch *batch) {
    mst_landmarks_reset(&batch->landmarks);
    mst_array_free(&batch->written);
    mst_array_free(&batch->waiting);
    mst_array_free(&batch->going);
    mst_arena_end(&batch->arena);
    mst_close(batch->own);
}

/* ---- waiting edits ------------------------------------------------------------------------------------ */

/* How many of the waiting sets begin before an offset. */
static size_t waiting_before(const mst_batch *batch, uint64_t offset) {
    const mst_batch_set *all = batch->waiting.items;
    MST_LOWER_BOUND(low, middle, batch->waiting.count, all[middle].from < offset);
    return low;
}

bool mst_batch_covers(const mst_batch *batch, uint64_t from, uint64_t to) {
    const mst_batch_set *all = batch->waiting.items;
    size_t at = waiting_before(batch, from);
    return (at < batch->waiting.count && all[at].from < to) || (at && all[at - 1].to > from);
}

mst_status mst_batch_note(mst_batch *batch, const mst_batch_set *set) {
    bool waits = set->bytes || set->goes;
    mst_array *to = waits ? &batch->waiting : &batch->written;
    size_t at = waits ? waiting_before(batch, set->from) : to->count;
    uint32_t last = set->chain.count - 1;
    mst_batch_index *gone = set->goes ? mst_array_push(&batch->going, 1) : NULL;
    if (set->goes && !gone)
        return MST_NO_MEMORY;
    if (gone)
        *gone = (mst_batch_index){set->chain.values[last - 1].field, set->chain.values[last - 1].offset,
                                  set->chain.indices[last]};
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
    batch->weight += sizeof made + set->size;
    memmove(all + at + 1, all + at, (to->count - 1 - at) * sizeof *all);
    all[at] = made;
    return MST_OK;
}

mst_status mst_batch_find(mst_batch *batch, const char *path, mst_value *value, mst_diagnostic *diagnostic) {
    mst_arena scratch;
    mst_arena_begin(&scratch, &batch->document->allocator, 0);
    mst_chain chain = {.values = mst_arena_take(&scratch, MST_PATH_DEPTH, sizeof *chain.values),
                       .indices = mst_arena_take(&scratch, MST_PATH_DEPTH, sizeof *chain.indices),
                       .landmarks = &batch->landmarks};
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

/* ---- applying them ------------------------------------------------------------------------------------ */

static int64_t growth_of(const mst_batch_set *set) {
    return (int64_t)set->size - (int64_t)(set->to - set->from);
}

static void name_path(const mst_batch_set *set, mst_diagnostic *diagnostic) {
    if (diagnostic && set && set->goes)
        MST_SET(diagnostic->path, "%.200s[%llu]", set->path,
                (unsigned long long)set->chain.indices[set->chain.count - 1]);
    else if (diagnostic && set)
        MST_SET(diagnostic->path, "%s", set->path);
}

static mst_status refuse(const mst_batch_set *set, const char *message, mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_REFUSED, "%s", message);
    name_path(set, diagnostic);
    return MST_REFUSED;
}

/* Updates, in place, the enclosing sizes and counts of all waiting edits in the document's bytes. */
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
        e.more = all[i].goes ? -1 : 0;
        status = mst_edit_update_enclosing(&e, bytes, growth_of(&all[i]));
        if (status != MST_OK)
            name_path(&all[i], diagnostic);
    }
    return status;
}

/* The bytes with all waiting edits applied. */
static mst_status splice_all(const mst_batch *batch, mst_buffer *made, mst_diagnostic *diagnostic) {
    const mst_document *document = batch->document;
    const mst_batch_set *all = batch->waiting.items;
    mst_allocator allocator = document->allocator;
    uint64_t size = document->size, at = 0;
    for (size_t i = 0; i < batch->waiting.count; i++)
        size += (uint64_t)growth_of(&all[i]);
    if (size > SIZE_MAX - 1)
        return refuse(all, "the document would become too large", diagnostic);
    if (mst_edit_may_grow(document, size, 0, diagnostic) != MST_OK)
        return MST_REFUSED;
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

/* ---- proving them ------------------------------------------------------------------------------------- */

/* The growth by all edits before each waiting one, and by all; NULL: out of memory. */
static int64_t *growths(const mst_batch *batch, mst_arena *arena) {
    const mst_batch_set *waiting = batch->waiting.items;
    size_t count = batch->waiting.count;
    int64_t *grown = mst_arena_take(arena, count + 1, sizeof *grown);
    if (grown)
        grown[0] = 0;
    for (size_t i = 0; grown && i < count; i++)
        grown[i + 1] = grown[i] + growth_of(&waiting[i]);
    return grown;
}

/* The new offset of a value, from its old one; waiting edits are in the order of the file. */
static uint64_t offset_now(const mst_batch *batch, const int64_t *grown, uint64_t offset) {
    return offset + (uint64_t)grown[waiting_before(batch, offset)];
}

static int by_list(const void *left, const void *right) {
    const mst_batch_index *a = left, *b = right;
    if (a->list != b->list)
        return (a->list > b->list) - (a->list < b->list);
    uintptr_t of_a = (uintptr_t)a->field, of_b = (uintptr_t)b->field;
    return of_a != of_b ? (of_a > of_b) - (of_a < of_b) : (a->index > b->index) - (a->index < b->index);
}

/* How many elements of a list before an index are removed. */
static uint64_t gone_before(const mst_batch *batch, const mst_value *list, uint64_t index) {
    const mst_batch_index *all = batch->going.items;
    size_t bounds[2];
    for (int i = 0; i < 2; i++) {
        mst_batch_index key = {list->field, list->offset, i ? index : 0};
        MST_LOWER_BOUND(low, middle, batch->going.count, by_list(&all[middle], &key) < 0);
        bounds[i] = low;
    }
    return bounds[1] - bounds[0];
}

/* The member of a record that a step led to, by its table entry: names of inline records are not unique. */
static bool same_member(const mst_value *record, const mst_value *old, uint64_t offset, mst_value *member) {
    bool chunks = mst_shape_of(old) == MST_SHAPE_CHUNK_LIST;
    if (chunks) /* there may be none left */
        return mst_member(record, mst_field_of(old)->name, member) == MST_OK;
    for (mst_iterator it = mst_iterate(record); mst_next(&it, member);)
        if (member->field == old->field && member->offset == offset)
            return true;
    return false;
}

/* Follows the steps that led to a value, up to step `end`, in the new document. False: they lead elsewhere.
 */
static bool follow_steps(const mst_batch *batch, const int64_t *grown, mst_landmarks *landmarks,
                         const mst_batch_set *set, uint32_t end, mst_value *value) {
    mst_value inner;
    for (uint32_t i = 1; i < end; i++) {
        const mst_value *old = &set->chain.values[i];
        uint64_t offset = offset_now(batch, grown, old->offset), index = set->chain.indices[i];
        bool chunks = mst_shape_of(old) == MST_SHAPE_CHUNK_LIST;
        if (index != UINT64_MAX) {
            index -= gone_before(batch, old - 1, index);
            if (mst_landmarks_element(landmarks, value, index, &inner) != MST_OK)
                return false;
        } else if (!same_member(value, old, offset, &inner)) {
            return false;
        }
        if (inner.field != old->field || (!chunks && inner.offset != offset))
            return false;
        *value = inner;
    }
    return true;
}

/* Whether a value that was set is right, or a list has the right number of elements. */
static bool is_right(const mst_batch *batch, const int64_t *grown, mst_landmarks *landmarks,
                     const mst_document *proof, const mst_batch_set *set) {
    mst_value value = mst_root(proof);
    uint32_t last = set->chain.count - 1;
    if (!follow_steps(batch, grown, landmarks, set, last + !set->goes, &value))
        return false;
    if (set->goes) {
        const mst_value *list = &set->chain.values[last - 1];
        return mst_count(&value) == mst_count(list) - gone_before(batch, list, UINT64_MAX);
    }
    uint64_t size = mst_value_after(&value) - value.offset;
    return size == set->size &&
           (!set->bytes || memcmp(proof->data + value.offset, set->bytes, set->size) == 0);
}

static bool is_of_list(const mst_batch_set *one, const mst_batch_set *other) {
    const mst_value *a = &one->chain.values[one->chain.count - 2],
                    *b = &other->chain.values[other->chain.count - 2];
    return a->field == b->field && a->offset == b->offset;
}

static mst_status prove(const mst_batch *batch, const mst_document *proof, mst_diagnostic *diagnostic) {
    const mst_batch_set *waiting = batch->waiting.items, *written = batch->written.items;
    size_t count = batch->waiting.count;
    mst_arena scratch;
    mst_landmarks landmarks = {0};
    if (!mst_same_variant(proof->variant, batch->document->variant))
        return refuse(count ? waiting : written,
                      "the document would be read as another version, byte order or layout", diagnostic);
    if (batch->going.count)
        qsort(batch->going.items, batch->going.count, sizeof(mst_batch_index), by_list);
    mst_arena_begin(&scratch, &proof->allocator, 0);
    const int64_t *grown = growths(batch, &scratch);
    mst_status status = grown ? MST_OK : MST_NO_MEMORY;
    const mst_batch_set *before = NULL;
    for (size_t i = 0; status == MST_OK && i < count + batch->written.count; i++) {
        const mst_batch_set *set = i < count ? &waiting[i] : &written[i - count];
        bool again = set->goes && before && is_of_list(before, set); /* it was counted */
        before = set->goes ? set : before;
        if (again)
            continue;
        bool replaced = i >= count && mst_batch_covers(batch, set->from, set->to); /* by a later one */
        if (!replaced && !is_right(batch, grown, &landmarks, proof, set))
            status = refuse(set, "the value would be read back as something else", diagnostic);
    }
    mst_landmarks_reset(&landmarks);
    mst_arena_end(&scratch);
    return status;
}

/* Whether the files are read back with the values that were set, which are in the bytes `before`. */
static mst_status prove_files(const mst_batch *batch, mst_document *proof, const uint8_t *before,
                              mst_diagnostic *diagnostic) {
    const mst_batch_set *waiting = batch->waiting.items, *written = batch->written.items;
    size_t count = batch->waiting.count;
    mst_landmarks landmarks = {0};
    mst_arena scratch;
    mst_arena_begin(&scratch, &proof->allocator, 0);
    mst_chain chain = {.values = mst_arena_take(&scratch, MST_PATH_DEPTH, sizeof *chain.values),
                       .indices = mst_arena_take(&scratch, MST_PATH_DEPTH, sizeof *chain.indices),
                       .landmarks = &landmarks};
    const int64_t *grown = growths(batch, &scratch);
    mst_status status = chain.values && chain.indices && grown ? MST_OK : MST_NO_MEMORY;
    for (size_t i = 0; status == MST_OK && i < count + batch->written.count; i++) {
        const mst_batch_set *set = i < count ? &waiting[i] : &written[i - count];
        if (i >= count && mst_batch_covers(batch, set->from, set->to))
            continue;
        const uint8_t *old = before + offset_now(batch, grown, set->from);
        status = mst_find_chain(mst_root(proof), set->path, &chain, NULL);
        const mst_value *value = &chain.values[chain.count - 1];
        if (status == MST_NO_MEMORY)
            break;
        if (status != MST_OK || mst_value_after(value) - value->offset != set->size ||
            memcmp(proof->data + value->offset, old, set->size) != 0)
            status = refuse(set, "the files would be read back with another value", diagnostic);
    }
    mst_landmarks_reset(&landmarks);
    mst_arena_end(&scratch);
    return status;
}

/* Serializes the proved document to files. */
static mst_status write_files(const mst_batch *batch, mst_document *proof, mst_diagnostic *diagnostic) {
    size_t size = (size_t)proof->size;
    const mst_allocator *a = &proof->allocator;
    uint8_t *before = a->resize(a->user, NULL, 0, size + 1);
    if (!before)
        return MST_NO_MEMORY;
    memcpy(before, proof->data, size);
    mst_status status = mst_serialize(proof, diagnostic);
    if (status == MST_OK && (proof->size != size || memcmp(proof->data, before, size) != 0))
        status = prove_files(batch, proof, before, diagnostic);
    a->resize(a->user, before, size + 1, 0);
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
    batch->waiting.count = batch->written.count = batch->going.count = 0;
    batch->weight = 0;
    mst_landmarks_reset(&batch->landmarks);
    mst_arena_end(&batch->arena);
}

static int outer_first(const void *left, const void *right) {
    const mst_batch_set *a = left, *b = right;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to < b->to) - (a->to > b->to);
}

/* Removes edits inside removed elements. */
static void leave_out_inner(mst_batch *batch) {
    mst_batch_set *all = batch->waiting.items;
    size_t count = 0;
    if (!batch->going.count)
        return;
    qsort(all, batch->waiting.count, sizeof *all, outer_first);
    for (size_t i = 0; i < batch->waiting.count; i++)
        if (!count || all[i].from >= all[count - 1].to)
            all[count++] = all[i];
    batch->waiting.count = count;
}

mst_status mst_batch_settle(mst_batch *batch, mst_diagnostic *diagnostic) {
    mst_document *document = batch->document, *proof = NULL;
    mst_buffer bytes = {.allocator = document->allocator};
    mst_diagnostic why;
    mst_open_options options = {
        .size = sizeof options, .allocator = document->allocator, .budget = SIZE_MAX, .name = document->name};
    if (!batch->waiting.count && !batch->written.count)
        return MST_OK;
    mst_status status = MST_OK;
    leave_out_inner(batch);
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
    if (status == MST_OK && document->format->fix_up)
        document->format->fix_up(batch->before ? batch->before : document, proof, proof->own);
    if (status == MST_OK && mst_keep_file_names(proof, document) != MST_OK)
        status = MST_NO_MEMORY;
    if (status == MST_OK && document->format->files.count)
        status = write_files(batch, proof, diagnostic);
    if (proof) { /* also on failure: the document may no longer have bytes */
        mst_edit_adopt(document, proof);
        mst_close(proof);
    }
    forget(batch);
    if (batch->own) /* the state before these sets */
        mst_close(batch->own);
    batch->own = NULL;
    batch->before = NULL;
    return status;
}

mst_status mst_batch_remove(mst_batch *batch, const char *list_path, const mst_chain *list,
                            const mst_value *element, uint64_t index) {
    const mst_value *around = &list->values[list->count - 1];
    const mst_chunks *chunks =
        mst_shape_of(around) == MST_SHAPE_CHUNK_LIST ? mst_chunks_of_list(around) : NULL;
    bool headed = chunks && !mst_holds_header(chunks, mst_field_of(around));
    mst_batch_set set = {.path = list_path, .chain = *list, .goes = true};
    set.chain.values[set.chain.count] = *element;
    set.chain.indices[set.chain.count++] = index;
    set.from = element->offset - (headed ? MST_CHUNK_HEADER : 0);
    set.to = mst_value_after(element);
    return mst_batch_note(batch, &set);
}

mst_status mst_batch_leave(mst_batch *batch, mst_diagnostic *diagnostic) {
    mst_status status = mst_batch_settle(batch, diagnostic);
    mst_landmarks_reset(&batch->landmarks);
    batch->before = NULL;
    return status;
}
