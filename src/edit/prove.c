/* SPDX-License-Identifier: MIT */
/* Whether an edited document is the one that the edit asked for: it is opened before it becomes the
 * document. */
#include "../core/diagnose.h"
#include "../core/unreachable.h"
#include "../files/ledger.h"
#include "editing.h"
#include "single_edit.h"

static uint64_t unknown_chunks(const mst_value *record, const mst_chunks *chunks) {
    mst_value list;
    return mst_member(record, chunks->unknown->name, &list) == MST_OK ? mst_count(&list) : 0;
}

/* Whether every enclosing chunk is still read as the same field: a new id, or removing the first of two, can
 * turn an unknown chunk into a field, and the reverse. */
static bool chunks_keep_meaning(const edit *e, const mst_document *proof, int64_t by) {
    uint32_t last = e->chain.count - 1;
    for (uint32_t i = 0; i < last; i++) {
        const mst_value *before = &e->values[i];
        const mst_record *record = mst_edit_table_of(before);
        if (!record || mst_shape_of(before) != MST_SHAPE_ONE)
            continue;
        mst_value after = *before;
        after.document = proof;
        after.end += (uint64_t)by;
        for (uint16_t f = 0; f < record->field_count; f++) {
            const mst_chunks *chunks = record->fields[f].chunks;
            if (record->fields[f].kind != MST_KIND_CHUNKS)
                continue;
            uint64_t expected = unknown_chunks(before, chunks);
            if (e->more && i + 2 == last && mst_field_of(&e->values[last - 1]) == chunks->unknown)
                expected += (uint64_t)(int64_t)e->more;
            if (unknown_chunks(&after, chunks) != expected)
                return false;
        }
    }
    return true;
}

/* The member of a record, by its table entry and offset: names of inline records are not unique. */
static bool find_same(const mst_value *record, const mst_value *old, mst_value *member) {
    bool chunks = mst_shape_of(old) == MST_SHAPE_CHUNK_LIST; /* its offset is the first chunk's */
    for (mst_iterator it = mst_iterate(record); mst_next(&it, member);)
        if (mst_field_of(member) == mst_field_of(old) && (chunks || member->offset == old->offset))
            return true;
    return chunks; /* none are left */
}

/* Whether the path still leads to the same value: in archives, the meaning of a block can depend on its
 * bytes. */
static bool keeps_names(const edit *e, const mst_document *proof) {
    uint32_t count = e->chain.count - (e->more ? 1 : 0);
    mst_value value = mst_root(proof);
    for (uint32_t i = 1; i < count; i++) {
        mst_value inner = value;
        bool element = e->indices[i] != UINT64_MAX;
        if (element && mst_element(&value, e->indices[i], &inner) != MST_OK)
            return false;
        if (!element && !find_same(&value, &e->values[i], &inner))
            return false;
        if (mst_shape_of(&e->values[i]) == MST_SHAPE_CHUNK_LIST)
            return true; /* see chunks_keep_meaning */
        if (inner.offset != e->values[i].offset)
            return false;
        value = inner;
    }
    return true;
}

/* Whether reading the path gives the value that was set: an id or a text may turn it into another field. */
static bool reads_back(const edit *e, const mst_document *proof, const mst_field *field) {
    mst_value value;
    if (!e->value_size || strchr(e->path, '='))
        return true;
    if (mst_find(mst_root(proof), e->path, &value, NULL) != MST_OK || mst_field_of(&value) != field)
        return false;
    /* in an archive, padding may have become part of it */
    return mst_fits(value.offset, e->value_size, mst_value_after(&value)) &&
           memcmp(proof->data + value.offset, e->bytes.data, e->value_size) == 0;
}

/* Why the edited document is not the one that the edit asked for; NULL: it is. */
static const char *objection_to(const edit *e, const mst_document *proof, int64_t by) {
    if (!mst_same_variant(proof->variant, e->document->variant))
        return "the document would be read as another version, byte order or layout";
    const mst_field *field = mst_field_of(&e->values[e->chain.count - 1]);
    if (e->more > 0 && (field->flags & MST_FIELD_WITH_HEADER) && !chunks_keep_meaning(e, proof, by))
        return "neither its name nor its content identifies it: give it a name like the others";
    if (!reads_back(e, proof, field))
        return "the value would be read back as something else";
    if (!chunks_keep_meaning(e, proof, by))
        return "a chunk would be read as a different field than before";
    if (!keeps_names(e, proof))
        return "the edited value would be read as a different field than before";
    return NULL;
}

/* The content of a value, leaf by leaf, without MST_FIELD_ORIGINAL fields. */
typedef struct meaning {
    uint64_t from, to;
    bool original; /* include those: one of them was set */
    mst_buffer bytes;
} meaning;

static mst_status take_leaf(void *user, const mst_event *event) {
    meaning *m = user;
    if (event->kind != MST_EVENT_LEAF || event->offset < m->from || event->offset >= m->to || !event->value ||
        (!m->original && (mst_field_of(event->value)->flags & MST_FIELD_ORIGINAL)))
        return MST_OK;
    mst_sink sink = mst_buffer_sink(&m->bytes);
    return sink.write(sink.user, event->value->document->data + event->offset, (size_t)event->length);
}

static mst_status take_meaning(const edit *e, const mst_document *document, meaning *m) {
    mst_value value;
    mst_status status = mst_find(mst_root(document), e->path, &value, NULL);
    if (status != MST_OK)
        return status;
    m->from = value.offset;
    m->original = (mst_field_of(&value)->flags & MST_FIELD_ORIGINAL) != 0;
    m->to = mst_value_after(&value);
    return mst_walk(document, take_leaf, m);
}

/* Serializes the proof to files, and checks that reading them gives the value that was set. */
static mst_status serialize_proof(edit *e, mst_document *proof) {
    meaning before = {.bytes = {.allocator = proof->allocator}}, after = before;
    bool looks = e->more >= 0 && !strchr(e->path, '=');
    mst_status status = looks ? take_meaning(e, proof, &before) : MST_OK;
    if (status == MST_NO_PATH) /* setting the value may have removed its own field */
        looks = false, status = MST_OK;
    if (status == MST_OK)
        status = mst_keep_file_names(proof, e->document);
    if (status != MST_OK)
        mst_edit_refuse(e, status, "not enough memory to prove the edited document");
    else
        status = mst_serialize(proof, e->diagnostic);
    if (status == MST_OK && looks) {
        status = take_meaning(e, proof, &after);
        if (status == MST_NO_MEMORY)
            mst_edit_refuse(e, status, "not enough memory to prove the edited document");
        else if (status != MST_OK || before.bytes.size != after.bytes.size ||
                 (after.bytes.size && memcmp(before.bytes.data, after.bytes.data, after.bytes.size) != 0))
            status = mst_edit_refuse(e, MST_REFUSED, "the files would be read back with another value");
    }
    mst_buffer_free(&before.bytes);
    mst_buffer_free(&after.bytes);
    return status;
}

/* Has the format renumber values that depend on inserted or removed elements. */
static mst_status renumber(const edit *e, const mst_document *proof) {
    uint32_t last = e->chain.count - 1;
    const mst_format *format = e->document->format;
    const mst_value *list = &e->values[last - 1];
    if (!MST_OPTION(format->editing, renumber) || !e->more)
        return MST_OK;
    if (!e->several) {
        const char *objection = format->editing->renumber(list, proof, e->indices[last], e->more, proof->own);
        return objection ? mst_edit_refuse(e, MST_REFUSED, objection) : MST_OK;
    }
    mst_status status = MST_OPTION(format->editing, renumber_all) /* it refuses none */
                            ? format->editing->renumber_all(list, proof, e->several, proof->own)
                            : MST_OK;
    return status == MST_OK ? MST_OK : mst_edit_refuse(e, status, "not enough memory for the edit");
}

mst_status mst_edit_splice(edit *e) {
    mst_document *document = e->document;
    mst_allocator *allocator = &document->allocator;
    mst_status taken = mst_edit_include_padding(e);
    if (taken != MST_OK)
        return taken;
    uint64_t removed = e->to - e->from;
    uint64_t size = document->size - removed + e->bytes.size;
    if (size > SIZE_MAX - 1)
        return mst_edit_refuse(e, MST_REFUSED, "the document would become too large");
    taken = mst_edit_may_grow(document, size, 0, e->diagnostic);
    if (taken != MST_OK)
        return taken;
    mst_buffer made = {.allocator = *allocator};
    made.capacity = (size_t)size + 1;
    made.data = allocator->resize(allocator->user, NULL, 0, made.capacity);
    if (!made.data)
        return mst_edit_refuse(e, MST_NO_MEMORY, "not enough memory for the edited document");
    made.size = (size_t)size;
    memcpy(made.data, document->data, (size_t)e->from);
    if (e->bytes.size)
        memcpy(made.data + e->from, e->bytes.data, e->bytes.size);
    memcpy(made.data + e->from + e->bytes.size, document->data + e->to, (size_t)(document->size - e->to));
    mst_status status = MST_OK;
    int64_t by = (int64_t)e->bytes.size - (int64_t)removed;
    if (by || e->more)
        status = mst_edit_update_enclosing(e, made.data, by);
    mst_document *proof = NULL;
    mst_open_options options = {
        .size = sizeof options, .allocator = *allocator, .budget = SIZE_MAX, .name = document->name};
    if (status == MST_OK) {
        mst_diagnostic why;
        status = mst_document_adopt(document->format, NULL, &made, &options, &proof, &why);
        if (status == MST_DAMAGED) {
            mst_edit_refuse(e, MST_REFUSED, "the edit would make a document that cannot be read");
            if (e->diagnostic) {
                MST_SET(e->diagnostic->found, "%s", why.message);
                MST_SET(e->diagnostic->code, "%s", why.code);
            }
            status = MST_REFUSED;
        } else if (status != MST_OK) {
            mst_edit_refuse(e, status, "not enough memory to prove the edited document");
        } else {
            const char *objection = objection_to(e, proof, by);
            status = objection ? mst_edit_refuse(e, MST_REFUSED, objection) : renumber(e, proof);
            if (status != MST_OK)
                mst_close(proof);
        }
    }
    if (made.data)
        allocator->resize(allocator->user, made.data, made.capacity, 0);
    if (status != MST_OK)
        return status;
    if (document->format->fix_up && !document->between)
        document->format->fix_up(document, proof, proof->own);
    if (document->format->files.count && !document->between) {
        status = serialize_proof(e, proof);
        if (status != MST_OK) {
            mst_close(proof);
            return status;
        }
    }
    mst_edit_adopt(document, proof);
    mst_close(proof);
    return MST_OK;
}

/* Opens bytes, which it takes, as the new content of the document. */
static mst_status open_copy(const mst_document *document, mst_buffer *bytes, mst_document **copy,
                            mst_diagnostic *diagnostic) {
    mst_open_options options = {
        .size = sizeof options, .allocator = document->allocator, .budget = SIZE_MAX, .name = document->name};
    mst_status status =
        mst_document_adopt(document->format, &document->variant, bytes, &options, copy, diagnostic);
    mst_buffer_free(bytes);
    if (status == MST_OK && mst_keep_file_names(*copy, document) != MST_OK)
        status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the edit");
    if (status != MST_OK) {
        mst_close(*copy);
        *copy = NULL;
        return status;
    }
    (*copy)->growth_limit = document->growth_limit;
    return MST_OK;
}

mst_status mst_edit_may_grow(const mst_document *document, uint64_t size, uint64_t limit,
                             mst_diagnostic *diagnostic) {
    limit = limit ? limit : document->growth_limit;
    if (size <= limit || size <= document->size)
        return MST_OK;
    mst_fail(diagnostic, MST_REFUSED, "the result would have more than %llu bytes, which is the growth limit",
             (unsigned long long)limit);
    return mst_because(MST_REFUSED, diagnostic, MST_REASON_GROWTH_LIMIT);
}

mst_status mst_edit_copy(const mst_document *document, mst_document **copy, mst_diagnostic *diagnostic) {
    mst_allocator allocator = document->allocator;
    mst_buffer bytes = {.allocator = allocator};
    *copy = NULL;
    bytes.capacity = (size_t)document->size + 1;
    bytes.data = allocator.resize(allocator.user, NULL, 0, bytes.capacity);
    if (!bytes.data)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the edit");
    bytes.size = (size_t)document->size;
    memcpy(bytes.data, document->data, bytes.size);
    return open_copy(document, &bytes, copy, diagnostic);
}

mst_status mst_edit_take(mst_document *document, const mst_document *from, mst_diagnostic *diagnostic) {
    mst_open_options options = {
        .size = sizeof options, .allocator = document->allocator, .budget = SIZE_MAX, .name = document->name};
    mst_buffer bytes = {.allocator = document->allocator};
    mst_document *made = NULL;
    mst_status status = mst_buffer_sink(&bytes).write(&bytes, from->data, (size_t)from->size);
    if (status == MST_OK)
        status = mst_document_adopt(from->format, &from->variant, &bytes, &options, &made, diagnostic);
    mst_buffer_free(&bytes);
    if (status == MST_OK)
        status = mst_keep_file_names(made, from);
    if (status == MST_OK)
        status = mst_serialize(made, diagnostic);
    if (status == MST_OK)
        mst_edit_adopt(document, made);
    mst_close(made);
    return status == MST_NO_MEMORY ? mst_fail(diagnostic, status, "not enough memory for the result")
                                   : status;
}

mst_status mst_edit_replace(mst_document *document, mst_buffer *bytes, mst_diagnostic *diagnostic) {
    mst_document *made = NULL;
    mst_status status = mst_edit_may_grow(document, bytes->size, 0, diagnostic);
    if (status != MST_OK) {
        mst_buffer_free(bytes);
        return status;
    }
    status = open_copy(document, bytes, &made, diagnostic);
    if (status == MST_OK)
        mst_edit_adopt(document, made);
    mst_close(made);
    return status;
}

void mst_edit_adopt(mst_document *document, mst_document *copy) {
    mst_document old = *document;
    *document = *copy;
    document->edited = true;
    document->group = old.group;
    document->between = old.between;
    document->growth_limit = old.growth_limit;
    *copy = old;
}

mst_status mst_edit_reopen(mst_document *document, mst_diagnostic *diagnostic) {
    mst_document *again;
    mst_status status = mst_edit_copy(document, &again, diagnostic);
    if (status == MST_OK && !MST_UNREACHABLE(!again)) { /* there is a copy */
        mst_edit_adopt(document, again);
        mst_close(again);
    }
    return status == MST_DAMAGED
               ? mst_fail(diagnostic, MST_REFUSED, "the edit would make a document that cannot be read")
               : status;
}
