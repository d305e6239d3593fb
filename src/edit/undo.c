/* SPDX-License-Identifier: MIT */
/* Undoing edits, to the byte: the bytes that the document had, as differences from its current ones. */
#include "../core/delta.h"
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "single_edit.h"
#include <mapstone/edit.h>

/* The current or former state of the document. */
typedef struct state {
    uint64_t size, hash; /* of its bytes */
    uint64_t files;      /* hash of its files */
    mst_variant variant;
    bool edited;
} state;

struct mst_undo {
    mst_allocator allocator;
    uint8_t *bytes; /* until the edit has ended: the bytes of `other` */
    bool ended;
    state here, other; /* the document's, and the one to change it to */
    mst_delta delta;   /* turns the document's bytes into the other's */
};

static state state_of(const mst_document *document) {
    state s = {.size = document->size, .variant = document->variant, .edited = document->edited};
    s.hash = mst_hash_bytes(MST_HASH, document->data, (size_t)document->size);
    s.files = MST_HASH;
    for (size_t i = 0; i < document->format->files.count; i++)
        s.files = mst_hash_bytes(s.files, document->files[i].data, document->files[i].size);
    return s;
}

static bool is_same(const state *a, const state *b) {
    return a->size == b->size && a->hash == b->hash && a->files == b->files &&
           mst_same_variant(a->variant, b->variant);
}

static void free_bytes(mst_undo *undo) {
    if (undo->bytes)
        undo->allocator.resize(undo->allocator.user, undo->bytes, (size_t)undo->other.size + 1, 0);
    undo->bytes = NULL;
}

mst_status mst_undo_begin(const mst_document *document, mst_undo **undo, mst_diagnostic *diagnostic) {
    if (undo)
        *undo = NULL;
    if (!document || !undo)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document and a place for the undo are needed");
    const mst_allocator a = document->allocator;
    mst_undo *made = a.resize(a.user, NULL, 0, sizeof *made);
    if (made) {
        memset(made, 0, sizeof *made);
        made->allocator = a;
        made->other = state_of(document);
        made->bytes = a.resize(a.user, NULL, 0, (size_t)document->size + 1);
    }
    if (!made || !made->bytes) {
        mst_undo_free(made);
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the undo");
    }
    memcpy(made->bytes, document->data, (size_t)document->size);
    *undo = made;
    return MST_OK;
}

mst_status mst_undo_end(mst_undo *undo, const mst_document *document, mst_diagnostic *diagnostic) {
    if (!undo || !document || undo->ended)
        return mst_fail(diagnostic, MST_ARGUMENT, "an undo that has begun and a document are needed");
    mst_status status = mst_delta_make(document->data, document->size, undo->bytes, undo->other.size,
                                       &undo->allocator, &undo->delta);
    if (status != MST_OK) {
        mst_delta_free(&undo->delta);
        return mst_fail(diagnostic, status, "not enough memory for the undo");
    }
    undo->here = state_of(document);
    undo->ended = true;
    free_bytes(undo);
    return MST_OK;
}

/* Makes the document with the other bytes. */
static mst_status make_other(const mst_undo *undo, const mst_document *document, mst_document **other,
                             mst_diagnostic *diagnostic) {
    const mst_allocator *a = &document->allocator;
    mst_buffer bytes = {.size = (size_t)undo->other.size, .capacity = (size_t)undo->other.size + 1};
    bytes.allocator = *a;
    bytes.data = a->resize(a->user, NULL, 0, bytes.capacity);
    *other = NULL;
    if (!bytes.data)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the undo");
    mst_delta_apply(&undo->delta, document->data, bytes.data);
    mst_open_options options = {
        .size = sizeof options, .name = document->name, .allocator = *a, .budget = SIZE_MAX};
    mst_status status =
        mst_document_adopt(document->format, &undo->other.variant, &bytes, &options, other, diagnostic);
    mst_buffer_free(&bytes);
    if (status == MST_OK && mst_keep_file_names(*other, document) != MST_OK)
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the undo");
    if (status == MST_OK)
        status = mst_serialize(*other, diagnostic);
    return status;
}

/* Makes the delta from the other document's bytes to the document's; the other must have its former state. */
static mst_status make_way_back(const mst_undo *undo, const mst_document *document, const mst_document *other,
                                mst_delta *back, mst_diagnostic *diagnostic) {
    state made = state_of(other);
    if (!is_same(&made, &undo->other))
        return mst_fail(diagnostic, MST_REFUSED, "the document cannot be restored to its earlier content");
    mst_status status =
        mst_delta_make(other->data, other->size, document->data, document->size, &undo->allocator, back);
    if (status == MST_OK)
        return MST_OK;
    mst_delta_free(back);
    return mst_fail(diagnostic, status, "not enough memory for the undo");
}

mst_status mst_undo_swap(mst_undo *undo, mst_document *document, mst_diagnostic *diagnostic) {
    if (!undo || !document || !undo->ended)
        return mst_fail(diagnostic, MST_ARGUMENT, "an undo that has ended and a document are needed");
    state now = state_of(document);
    if (!is_same(&now, &undo->here))
        return mst_fail(diagnostic, MST_REFUSED, "the document has changed since the edit");
    mst_delta back = {.old_size = 0};
    mst_document *other;
    mst_status status = make_other(undo, document, &other, diagnostic);
    if (!other)
        return status;
    if (status == MST_OK)
        status = make_way_back(undo, document, other, &back, diagnostic);
    if (status == MST_OK) {
        mst_delta_free(&undo->delta);
        undo->delta = back;
        mst_edit_adopt(document, other);
        document->edited = undo->other.edited;
        undo->here = undo->other;
        undo->other = now;
    }
    mst_close(other);
    return status;
}

size_t mst_undo_memory(const mst_undo *undo) {
    if (!undo)
        return 0;
    return sizeof *undo + (undo->bytes ? (size_t)undo->other.size + 1 : 0) + mst_delta_memory(&undo->delta);
}

void mst_undo_free(mst_undo *undo) {
    if (!undo)
        return;
    const mst_allocator a = undo->allocator;
    free_bytes(undo);
    mst_delta_free(&undo->delta);
    a.resize(a.user, undo, sizeof *undo, 0);
}
