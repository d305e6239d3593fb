/* SPDX-License-Identifier: MIT */
/* Inserting or removing several elements of a list together: the bytes after them move once. */
#include "../core/diagnose.h"
#include "editing.h"
#include "follow.h"
#include "single_edit.h"
#include <stdlib.h>

/* ---- insertions --------------------------------------------------------------------------------------- */

/* Encodes the elements, with the bytes of the list between them. */
static mst_status encode_many(edit *e, const mst_value *list, const mst_insertion *all, size_t count) {
    uint64_t length = mst_count(list), index = 0, header = mst_edit_is_headed(list) ? MST_CHUNK_HEADER : 0;
    uint64_t end = mst_shape_of(list) == MST_SHAPE_LIST ? list->offset + mst_shape_of_list(list).prefix
                                                        : list->end; /* of the elements before */
    mst_sink sink = mst_buffer_sink(&e->bytes);
    mst_iterator it = mst_iterate(list);
    mst_value element;
    mst_status status = MST_OK;
    bool more = mst_next(&it, &element) != 0;
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        uint64_t before = all[i].index - i; /* elements that already existed */
        for (; more && index < before; index++) {
            end = mst_value_after(&element);
            more = mst_next(&it, &element) != 0;
        }
        uint64_t offset = more && before < length ? element.offset - header : end;
        if (i)
            status = sink.write(sink.user, e->document->data + e->to, (size_t)(offset - e->to));
        else
            e->from = offset;
        e->to = offset;
        e->path = all[i].path;
        e->rest = all[i].json != NULL;
        if (status == MST_OK)
            status = mst_edit_encode_element(e, list, all[i].json, offset);
    }
    return status;
}

/* An inserted element. */
typedef struct insertion {
    size_t order, at;
} insertion;

static int earlier_first(const void *left, const void *right) {
    const insertion *a = left, *b = right;
    return a->order != b->order ? (a->order > b->order) - (a->order < b->order)
                                : (a->at > b->at) - (a->at < b->at);
}

static const mst_several *several_of(edit *e, const mst_insertion *all, size_t count) {
    mst_several *several = mst_arena_take(&e->arena, 1, sizeof *several);
    uint64_t *indices = mst_arena_take(&e->arena, count, sizeof *indices);
    size_t *order = mst_arena_take(&e->arena, count, sizeof *order);
    insertion *sorted = mst_arena_take(&e->arena, count, sizeof *sorted);
    if (!several || !indices || !order || !sorted)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        indices[i] = all[i].index;
        sorted[i] = (insertion){all[i].order, i};
    }
    qsort(sorted, count, sizeof *sorted, earlier_first);
    for (size_t i = 0; i < count; i++)
        order[sorted[i].at] = i;
    *several = (mst_several){indices, order, count};
    return several;
}

mst_status mst_edit_insert_many(mst_document *document, const char *list, const mst_insertion *insertions,
                                size_t count, mst_diagnostic *diagnostic) {
    edit e;
    mst_value value;
    mst_status status = mst_edit_start(&e, document, list, diagnostic);
    if (status == MST_OK)
        status = mst_edit_find(&e, list);
    if (status == MST_OK && e.chain.count == MST_PATH_DEPTH)
        status = mst_edit_refuse(&e, MST_NO_PATH, "the path is too deep");
    if (status == MST_OK) {
        value = e.values[e.chain.count - 1];
        uint64_t wanted = mst_count(&value) + count;
        status = encode_many(&e, &value, insertions, count);
        e.more = (int32_t)count;
        e.several = several_of(&e, insertions, count);
        if (status == MST_OK && !e.several)
            status = MST_NO_MEMORY;
        e.values[e.chain.count] = value; /* as if the first new element already ended the chain */
        e.values[e.chain.count].shape &= ~(uint32_t)MST_SHAPE_IN_CHUNK;
        e.indices[e.chain.count++] = insertions->index;
        if (status == MST_OK)
            status = mst_edit_splice(&e);
        if (status == MST_OK &&
            (mst_find(mst_root(document), list, &value, NULL) != MST_OK || mst_count(&value) != wanted))
            status = mst_edit_refuse(&e, MST_REFUSED, "the list would be read back with other elements");
    }
    return mst_edit_finish(&e, status);
}

/* ---- removals ----------------------------------------------------------------------------------------- */

/* Collects the bytes of the elements that remain, from the first removed element to the last. */
static mst_status leave_out_many(edit *e, const mst_value *list, const uint64_t *indices, size_t count) {
    uint64_t index = 0, header = mst_edit_is_headed(list) ? MST_CHUNK_HEADER : 0;
    mst_sink sink = mst_buffer_sink(&e->bytes);
    mst_iterator it = mst_iterate(list);
    mst_value element;
    mst_status status = MST_OK;
    size_t gone = 0;
    for (; gone < count && status == MST_OK && mst_next(&it, &element); index++) {
        if (index != indices[gone])
            continue;
        uint64_t begin = element.offset - header;
        if (!gone++) {
            e->from = begin;
            e->values[e->chain.count] = element; /* the first removed element ends the chain */
            e->indices[e->chain.count] = index;
        } else {
            status = sink.write(sink.user, e->document->data + e->to, (size_t)(begin - e->to));
        }
        e->to = mst_value_after(&element);
    }
    e->chain.count++;
    return status == MST_OK && gone < count ? mst_edit_refuse(e, MST_NO_PATH, "the list is shorter than that")
                                            : status;
}

static mst_status remove_one_by_one(mst_document *document, const char *list, const uint64_t *indices,
                                    size_t count, mst_diagnostic *diagnostic) {
    mst_arena scratch;
    mst_status status = MST_OK;
    mst_arena_begin(&scratch, &document->allocator, 0);
    for (size_t i = count; i-- && status == MST_OK;) {
        const char *path = mst_arena_printf(&scratch, "%s[%llu]", list, (unsigned long long)indices[i]);
        status = path ? mst_edit_remove(document, path, diagnostic) : MST_NO_MEMORY;
    }
    mst_arena_end(&scratch);
    return status;
}

mst_status mst_edit_remove_many(mst_document *document, const char *list, const uint64_t *indices,
                                size_t count, mst_diagnostic *diagnostic) {
    edit e;
    mst_value value = {0};
    bool alone = false;
    mst_status status = mst_edit_start(&e, document, list, diagnostic);
    if (status == MST_OK)
        status = mst_edit_find(&e, list);
    if (status == MST_OK && e.chain.count == MST_PATH_DEPTH)
        status = mst_edit_refuse(&e, MST_NO_PATH, "the path is too deep");
    if (status == MST_OK) {
        value = e.values[e.chain.count - 1];
        bool optional = (mst_field_of(&value)->flags & MST_FIELD_OPTIONAL) && mst_count(&value) == count;
        bool last = indices[count - 1] + 1 == mst_count(&value);
        alone = count == 1 || optional || !mst_come_together(&value, -1, last);
    }
    if (status == MST_OK && !alone) {
        uint64_t wanted = mst_count(&value) - count;
        status = leave_out_many(&e, &value, indices, count);
        e.more = -(int32_t)count;
        e.several = &(const mst_several){indices, NULL, count};
        if (status == MST_OK)
            status = mst_edit_splice(&e);
        mst_value now;
        bool none = !wanted && mst_shape_of(&value) == MST_SHAPE_CHUNK_LIST;
        if (status == MST_OK && !none &&
            (mst_find(mst_root(document), list, &now, NULL) != MST_OK || mst_count(&now) != wanted))
            status = mst_edit_refuse(&e, MST_REFUSED, "the list would be read back with other elements");
    }
    status = mst_edit_finish(&e, status);
    return status == MST_OK && alone ? remove_one_by_one(document, list, indices, count, diagnostic) : status;
}
