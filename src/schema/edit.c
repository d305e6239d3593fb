/* SPDX-License-Identifier: MIT */
/*
 * Editing. The document's bytes are the only state: an edit encodes one field again, replaces its old bytes,
 * and updates the sizes and counts that enclose it. The result is opened before it becomes the document, so a
 * document never gets into a state that cannot be read.
 */
#include "edit.h"
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/unreachable.h"
#include "follow.h"
#include "given.h"
#include "step.h"
#include <stdio.h>

typedef struct steps {
    mst_value values[MST_PATH_DEPTH];
    uint64_t indices[MST_PATH_DEPTH];
} steps;

typedef struct edit {
    mst_document *document;
    mst_diagnostic *diagnostic;
    const char *path;
    mst_chain chain;
    mst_value *values; /* the chain's: too many for the stack */
    uint64_t *indices;
    steps *steps;
    uint64_t from, to; /* bytes to be replaced */
    int32_t more;      /* elements added to (1) or removed from (-1) the enclosing list */
    mst_buffer bytes;  /* their replacement */
    mst_arena arena;   /* for the JSON that is read */
    const mst_edit_options *options;
    bool follows;      /* other values follow what is inserted or removed */
    size_t value_size; /* how many of `bytes`, from the first, are the value at the path; 0: not checked */
} edit;

static mst_status refuse(const edit *e, mst_status status, const char *message) {
    mst_fail(e->diagnostic, status, "%s", message);
    if (e->diagnostic)
        MST_SET(e->diagnostic->path, "%s", e->path);
    return status;
}

static mst_status edit_begin(edit *e, mst_document *document, const char *path, mst_diagnostic *diagnostic) {
    memset(e, 0, sizeof *e);
    e->document = document;
    e->path = path;
    e->diagnostic = diagnostic;
    e->bytes.allocator = document->allocator;
    mst_arena_begin(&e->arena, &document->allocator, 0);
    e->steps = document->allocator.resize(document->allocator.user, NULL, 0, sizeof *e->steps);
    if (!e->steps)
        return MST_NO_MEMORY;
    e->chain.values = e->values = e->steps->values;
    e->chain.indices = e->indices = e->steps->indices;
    return MST_OK;
}

static mst_status edit_end(edit *e, mst_status status) {
    if (status == MST_NO_MEMORY)
        refuse(e, status, "there is no memory for the edit");
    if (e->steps)
        e->bytes.allocator.resize(e->bytes.allocator.user, e->steps, sizeof *e->steps, 0);
    if (e->bytes.data)
        e->bytes.allocator.resize(e->bytes.allocator.user, e->bytes.data, e->bytes.capacity, 0);
    mst_arena_end(&e->arena); /* the path may be in it */
    return status;
}

/* Finds the value to edit. Slices have no bytes of their own, and hide the list whose count would change. */
static mst_status find(edit *e, const char *path) {
    mst_status status = mst_find_chain(mst_root(e->document), path, &e->chain, e->diagnostic);
    for (uint32_t i = 0; status == MST_OK && i < e->chain.count; i++)
        if (mst_shape_of(&e->values[i]) == MST_SHAPE_SLICE)
            status = refuse(e, MST_ARGUMENT, "a slice cannot be edited: name each element by its index");
    return status;
}

/* The record that a value's field has; NULL: it is not one of records. */
static const mst_record *table_of(const mst_value *value) {
    const mst_field *field = mst_field_of(value);
    return field == &mst_document_field ? value->document->format->tables.root : field->record;
}

/* ---- enclosing sizes and counts ---------------------------------------------------------------- */

static mst_status add_to(const edit *e, uint8_t *data, uint64_t offset, unsigned width, int64_t by,
                         bool big) {
    uint64_t old = mst_load(data + offset, width, big);
    uint64_t now = old + (uint64_t)by; /* a negative result wraps, and is too large */
    if (width < 8 && now >> (8 * width))
        return refuse(e, MST_REFUSED, "an enclosing size or count cannot hold the new number");
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

/* Whether a value in a chunk includes the chunk's id and length; otherwise they are before it. */
static bool has_own_header(const mst_document *document, const mst_value *value) {
    const mst_chunks *chunks = mst_chunks_of(document->format, mst_field_of(value));
    return mst_holds_header(chunks, mst_field_of(value));
}

/* ---- archives ---------------------------------------------------------------------------------- */

/* Whether step `i` of the chain is a block of the archive at step `i - 1`, and which one. */
static bool is_block(const edit *e, uint32_t i, mst_archive *archive, uint32_t *block) {
    if (i == 0)
        return false;
    const mst_value *around = &e->values[i - 1], *value = &e->values[i];
    const mst_field *field = mst_field_of(around);
    const mst_record *record = table_of(around);
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

/* Extends an edit that changes the length of a block to the block's end, including the padding, which is
 * recomputed: for enclosing archives only offsets change then. */
static mst_status include_padding(edit *e) {
    const mst_document *document = e->document;
    if (e->bytes.size == e->to - e->from)
        return MST_OK;
    for (uint32_t i = e->chain.count; i-- > 1;) {
        mst_archive archive;
        uint32_t block;
        if (!is_block(e, i, &archive, &block))
            continue;
        uint64_t content = mst_value_after(&e->values[i]),
                 begin = mst_archive_block(document, &archive, block),
                 end = mst_archive_block(document, &archive, block + 1);
        if (MST_UNREACHABLE(e->to > content)) /* the edited bytes are in the block */
            content = e->to;
        static const uint8_t zeros[MST_BLOCK_ALIGN] = {0};
        mst_sink sink = mst_buffer_sink(&e->bytes);
        mst_status status = sink.write(sink.user, document->data + e->to, (size_t)(content - e->to));
        uint64_t size = begin - archive.base + (e->from - begin) + e->bytes.size;
        if (status == MST_OK)
            status = sink.write(sink.user, zeros, (size_t)mst_block_padding(size));
        e->to = end;
        return status == MST_OK ? MST_OK : refuse(e, status, "there is no memory for the edit");
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

/* Counts one element more or less in a data set. */
static mst_status count_in_data_set(const edit *e, uint8_t *data, const mst_value *list) {
    const mst_field *field = mst_field_of(list);
    bool big = e->document->variant.big;
    uint32_t stride = field->kind == MST_KIND_RECORD ? mst_plan_of(e->document, field->record)->stride
                                                     : mst_kind_width[field->kind];
    mst_status status = add_to(e, data, list->offset + 4, 4, e->more, big);
    if (status == MST_OK)
        mst_store32(data + list->offset, mst_load32(data + list->offset + 4, big) ? stride : 0, big);
    return status;
}

/* Updates enclosing sizes, counts and offsets in `data` (the new bytes; those before the edit have not
 * moved). `by`: the change in length. */
static mst_status update_enclosing(const edit *e, uint8_t *data, int64_t by) {
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
        if (by && is_block(e, i, &archive, &block))
            status = shift_offsets(e, data, &archive, block, by);
        if (status != MST_OK)
            break;
        if ((value->shape & MST_SHAPE_IN_CHUNK) && chunks && inside &&
            !mst_holds_header(chunks, mst_field_of(value)))
            status = add_to(e, data, value->offset - 4, 4, by, mst_chunks_big(chunks, document->variant));
        const mst_record *record = table_of(value);
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
                    return refuse(e, MST_REFUSED, "an enclosing size cannot hold the new number of bytes");
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
        return refuse(e, MST_REFUSED, "blocks cannot be added or removed one by one: set the complete list");
    if (field->mode == MST_COUNT_VARIABLE) {
        const mst_value *record = &e->values[last - 2];
        const mst_record *table = table_of(record);
        for (uint16_t f = 0; f < table->field_count; f++) {
            uint64_t offset;
            if (table->fields[f].length_of && strcmp(table->fields[f].length_of, field->name) == 0 &&
                offset_of(record, &table->fields[f], &offset))
                return add_to(e, data, offset, mst_kind_width[table->fields[f].kind], e->more,
                              mst_field_big(document, &table->fields[f]));
        }
    }
    return refuse(e, MST_REFUSED, "the number of elements is fixed");
}

static uint64_t unknown_chunks(const mst_value *record, const mst_chunks *chunks) {
    mst_value list;
    return mst_member(record, chunks->unknown->name, &list) == MST_OK ? mst_count(&list) : 0;
}

/* Whether every chunk around the edit is still read as the same field: a new id, or removing the first of
 * two, can turn an unknown chunk into a field, and the reverse. */
static bool chunks_keep_meaning(const edit *e, const mst_document *proof, int64_t by) {
    uint32_t last = e->chain.count - 1;
    for (uint32_t i = 0; i < last; i++) {
        const mst_value *before = &e->values[i];
        const mst_record *record = table_of(before);
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
    bool chunks = mst_shape_of(old) == MST_SHAPE_CHUNK_LIST; /* its offset is that of the first chunk */
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

/* Why the edited document is not what the edit asked for; NULL: it is. */
static const char *objection_to(const edit *e, const mst_document *proof, int64_t by) {
    if (!mst_same_variant(proof->variant, e->document->variant))
        return "the document would be read as another version, byte order or layout";
    if (!reads_back(e, proof, mst_field_of(&e->values[e->chain.count - 1])))
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

/* Serializes the proof to files, and checks that reading those gives the value that was set. */
static mst_status serialize_proof(edit *e, mst_document *proof) {
    meaning before = {.bytes = {.allocator = proof->allocator}}, after = before;
    bool looks = e->more >= 0 && !strchr(e->path, '=');
    mst_status status = looks ? take_meaning(e, proof, &before) : MST_OK;
    if (status == MST_NO_PATH) /* setting the value may have removed its own field */
        looks = false, status = MST_OK;
    if (status == MST_OK)
        status = mst_keep_file_names(proof, e->document);
    if (status != MST_OK)
        refuse(e, status, "there is no memory to prove the edited document");
    else
        status = mst_serialize(proof, e->diagnostic);
    if (status == MST_OK && looks) {
        status = take_meaning(e, proof, &after);
        if (status == MST_NO_MEMORY)
            refuse(e, status, "there is no memory to prove the edited document");
        else if (status != MST_OK || before.bytes.size != after.bytes.size ||
                 (after.bytes.size && memcmp(before.bytes.data, after.bytes.data, after.bytes.size) != 0))
            status = refuse(e, MST_REFUSED, "the files would be read back with another value");
    }
    mst_buffer_free(&before.bytes);
    mst_buffer_free(&after.bytes);
    return status;
}

/* Why the format refuses the element that was inserted or removed; NULL: it does not. */
static const char *renumber(const edit *e, const mst_document *proof) {
    uint32_t last = e->chain.count - 1;
    if (!e->document->format->edit.renumber || !e->more)
        return NULL;
    return e->document->format->edit.renumber(&e->values[last - 1], proof, e->indices[last], e->more,
                                              proof->own);
}

/* Builds the document with the new bytes, and replaces the old one if the result opens. */
static mst_status apply(edit *e) {
    mst_document *document = e->document;
    mst_allocator *allocator = &document->allocator;
    mst_status taken = include_padding(e);
    if (taken != MST_OK)
        return taken;
    uint64_t removed = e->to - e->from;
    uint64_t size = document->size - removed + e->bytes.size;
    if (size > SIZE_MAX - 1)
        return refuse(e, MST_REFUSED, "the document would become too large");
    mst_buffer made = {.allocator = *allocator};
    made.capacity = (size_t)size + 1;
    made.data = allocator->resize(allocator->user, NULL, 0, made.capacity);
    if (!made.data)
        return refuse(e, MST_NO_MEMORY, "there is no memory for the edited document");
    made.size = (size_t)size;
    memcpy(made.data, document->data, (size_t)e->from);
    if (e->bytes.size)
        memcpy(made.data + e->from, e->bytes.data, e->bytes.size);
    memcpy(made.data + e->from + e->bytes.size, document->data + e->to, (size_t)(document->size - e->to));
    mst_status status = MST_OK;
    int64_t by = (int64_t)e->bytes.size - (int64_t)removed;
    if (by || e->more)
        status = update_enclosing(e, made.data, by);
    mst_document *proof = NULL;
    mst_open_options options = {.allocator = *allocator, .budget = SIZE_MAX, .name = document->name};
    if (status == MST_OK) {
        mst_diagnostic why;
        status = mst_document_adopt(document->format, NULL, &made, &options, &proof, &why);
        if (status == MST_DAMAGED) {
            refuse(e, MST_REFUSED, "the edit would make a document that cannot be read");
            if (e->diagnostic) {
                MST_SET(e->diagnostic->found, "%s", why.message);
                MST_SET(e->diagnostic->code, "%s", why.code);
            }
            status = MST_REFUSED;
        } else if (status != MST_OK) {
            refuse(e, status, "there is no memory to prove the edited document");
        } else {
            const char *objection = objection_to(e, proof, by);
            if (!objection)
                objection = renumber(e, proof);
            if (objection) {
                status = refuse(e, MST_REFUSED, objection);
                mst_close(proof);
            }
        }
    }
    if (made.data)
        allocator->resize(allocator->user, made.data, made.capacity, 0);
    if (status != MST_OK)
        return status;
    if (document->format->edit.fix_up)
        document->format->edit.fix_up(document, proof, proof->own);
    if (document->format->files.count) {
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

/* ---- encoding the new value -------------------------------------------------------------------- */

/* Reads the given text as a value for `field`; `old` is the present value (NULL: none). The diagnosis gets
 * the edit's path. */
static mst_status read_given(edit *e, const char *json, const mst_field *field, bool single,
                             const mst_value *old, mst_json *given) {
    mst_status status = mst_in_metres(e->document, field, &e->arena, &json, e->diagnostic);
    if (status == MST_OK)
        status = mst_read_given(json, field, single, old, &e->arena, given, e->diagnostic);
    if (status != MST_OK && e->diagnostic)
        MST_SET(e->diagnostic->path, "%s", e->path);
    return status;
}

/* `around`: a value that needs the same context variables. */
static mst_status encode_given(edit *e, const mst_json *given, const mst_field *field, bool single,
                               const mst_value *around, uint64_t origin, bool fill, bool drop) {
    const mst_document *document = e->document;
    uint32_t context[MST_VARIABLES];
    mst_encode_request request = {.format = document->format,
                                  .variant = document->variant,
                                  .plans = document->plans,
                                  .allocator = &document->allocator,
                                  .limit = UINT32_MAX,
                                  .origin = origin,
                                  .lenient = fill,
                                  .drop = drop,
                                  .field = field,
                                  .single = single,
                                  .context = mst_context_of(around, context),
                                  .source = {.json = given->nodes}};
    mst_status status = mst_encode_field(&request, &e->bytes, e->diagnostic);
    if (status != MST_OK && e->diagnostic) {
        char below[sizeof e->diagnostic->path];
        memcpy(below, e->diagnostic->path, sizeof below);
        MST_SET(e->diagnostic->path, "%s%s%s", e->path, *below && *below != '[' ? "." : "", below);
        e->diagnostic->offset = MST_NO_OFFSET;
    }
    return status;
}

/* Inserts a block into a list of an archive's blocks (`json` NULL: removes the one at `index`): all of the
 * list is encoded again. */
static mst_status set_blocks(edit *e, uint32_t list, uint64_t index, const char *json) {
    mst_value value = e->values[list];
    const mst_field *field = mst_field_of(&value);
    mst_json_options compact = {.compact = 1};
    mst_buffer text = {.allocator = e->document->allocator};
    mst_json tree, given, made;
    mst_status status = mst_write_json(&value, &compact, mst_buffer_sink(&text), e->diagnostic);
    if (status == MST_OK)
        status = mst_json_parse((const char *)text.data, text.size, &e->arena, &tree, e->diagnostic);
    if (status == MST_OK && json)
        status = read_given(e, json, field, true, NULL, &given);
    if (status == MST_OK &&
        mst_json_with_element(&tree, index, json ? &given : NULL, &e->arena, &made) != MST_OK)
        status = MST_NO_MEMORY;
    if (status == MST_OK)
        status = encode_given(e, &made, field, false, &value, value.offset, false, false);
    e->from = value.offset;
    e->to = mst_value_after(&value);
    if (status == MST_OK) {
        e->chain.count = list + 1;
        status = apply(e);
    }
    mst_buffer_free(&text);
    return status;
}

/* Whether the record contains padding, which depends on the length of its other fields. */
static bool is_padded(const mst_value *record) {
    const mst_record *table = mst_field_of(record)->record;
    for (uint16_t f = 0; table && f < table->field_count; f++)
        if (table->fields[f].mode == MST_COUNT_ALIGN)
            return true;
    return false;
}

/* An absent field, at the end of the path, that its record could have: "objects[3].inventory". The chain then
 * ends in the record. NULL: there is none. */
static const mst_field *find_missing(edit *e, const char *path) {
    const char *dot = strrchr(path, '.'), *name = dot ? dot + 1 : path;
    char around[512];
    size_t length = dot ? (size_t)(dot - path) : 0;
    if (strpbrk(name, "[]=") || length >= sizeof around)
        return NULL;
    memcpy(around, path, length);
    around[length] = 0;
    if (mst_find_chain(mst_root(e->document), around, &e->chain, NULL) != MST_OK)
        return NULL;
    const mst_value *record = &e->values[e->chain.count - 1];
    const mst_record *table = table_of(record);
    if (!table || mst_shape_of(record) != MST_SHAPE_ONE)
        return NULL;
    const mst_plan *plan = mst_plan_of(e->document, table);
    for (uint16_t f = 0; f < table->field_count; f++)
        if (strcmp(table->fields[f].name, name) == 0 && plan->fields[f].presence != MST_ABSENT &&
            (table->fields[f].present || (table->fields[f].flags & MST_FIELD_OPTIONAL)))
            return &table->fields[f];
    return NULL;
}

/* Encodes the record at the end of the chain with one field replaced (`given` NULL: left out): how fields
 * that others depend on, lists that others count, and blocks of archives are changed. */
static mst_status set_in_record(edit *e, const mst_field *changed, const mst_json *given) {
    mst_value record = e->values[e->chain.count - 1];
    /* clearing a flag removes the fields that depend on it; any other loss is an error */
    static const mst_json_node nothing = {.kind = MST_JSON_NULL};
    const mst_json_node *first = given ? &given->nodes[0] : &nothing;
    bool zero = first->kind == MST_JSON_NUMBER && first->length == 1 && first->text[0] == '0';
    bool off = (changed->flags & MST_FIELD_FLAGS) ||
               ((changed->flags & MST_FIELD_BOOL) && (first->kind == MST_JSON_FALSE || zero));
    mst_buffer text = {.allocator = e->document->allocator};
    mst_json_options compact = {.compact = 1};
    mst_json tree, made;
    mst_status status = mst_write_json(&record, &compact, mst_buffer_sink(&text), e->diagnostic);
    if (status == MST_OK)
        status = mst_json_parse((const char *)text.data, text.size, &e->arena, &tree, e->diagnostic);
    if (status == MST_OK)
        status = given ? mst_json_with_member(&tree, changed->name, given, &e->arena, &made)
                       : mst_json_without_member(&tree, changed->name, &e->arena, &made);
    if (status == MST_NO_MEMORY)
        refuse(e, status, "there is no memory to read the JSON");
    if (status == MST_OK) {
        bool single = !mst_is_text(mst_field_of(&record));
        status = encode_given(e, &made, mst_field_of(&record), single, &record, record.offset, true, off);
        if (status != MST_OK && e->diagnostic) /* not the enclosing record's */
            MST_SET(e->diagnostic->path, "%s", e->path);
        e->from = record.offset;
        e->to = mst_value_after(&record);
        if (status == MST_OK)
            status = apply(e);
    }
    mst_buffer_free(&text);
    return status;
}

static mst_status set_missing(edit *e, const char *path, const char *json) {
    const mst_field *missing = find_missing(e, path);
    if (!missing)
        return MST_NO_PATH;
    mst_json given;
    mst_status status = read_given(e, json, missing, false, NULL, &given);
    return status == MST_OK ? set_in_record(e, missing, &given) : status;
}

static mst_status set_at(edit *e, const char *path, const char *json) {
    mst_document *document = e->document;
    mst_status status = find(e, path);
    if (status == MST_NO_PATH)
        return set_missing(e, path, json);
    if (status != MST_OK)
        return status;
    mst_value *value = &e->values[e->chain.count - 1];
    const mst_field *field = mst_field_of(value);
    uint32_t shape = mst_shape_of(value);
    if (shape == MST_SHAPE_CHUNK_LIST)
        return refuse(e, MST_ARGUMENT, "a list of chunks cannot be set: set its elements one by one");
    if (field == &mst_document_field)
        return refuse(e, MST_ARGUMENT, "the document itself cannot be set: build it from JSON");
    if (field->constant || (field->flags & MST_FIELD_SIZES) || field->length_of)
        return refuse(e, MST_REFUSED, "this field is computed from other fields and cannot be set");
    if (e->chain.count == 2 && document->format->identity.version_field &&
        strcmp(field->name, document->format->identity.version_field) == 0)
        return refuse(e, MST_REFUSED, "the version cannot be set: convert the document");
    bool counted =
        shape == MST_SHAPE_LIST && (field->mode == MST_COUNT_VARIABLE || field->mode == MST_COUNT_PRODUCT);
    bool padded = field->mode == MST_COUNT_TO_END && is_padded(&e->values[e->chain.count - 2]);
    bool single = shape == MST_SHAPE_ONE && (value->shape & MST_SHAPE_ELEMENT);
    mst_json given;
    status = read_given(e, json, field, single, value, &given);
    if (status != MST_OK)
        return status;
    if ((mst_decides(field) || counted || padded) &&
        mst_shape_of(&e->values[e->chain.count - 2]) == MST_SHAPE_ONE) {
        e->chain.count--;
        return set_in_record(e, field, &given);
    }
    status = encode_given(e, &given, field, single, value, value->offset, false, false);
    e->from = value->offset;
    e->value_size = e->bytes.size;
    e->to = mst_value_after(value);
    return status == MST_OK ? apply(e) : status;
}

mst_status mst_edit_set(mst_document *document, const char *path, const char *json,
                        mst_diagnostic *diagnostic) {
    char computed[MST_COMPUTED_MAX];
    const char *renewable = strcmp(json, "auto") == 0 ? mst_renewable(document) : NULL;
    mst_status status = MST_OK;
    if (renewable && strcmp(path, renewable) == 0) {
        status = mst_compute(document, computed, diagnostic);
        json = computed;
    }
    if (status != MST_OK)
        return status;
    edit e;
    status = edit_begin(&e, document, path, diagnostic);
    if (status == MST_OK)
        status = set_at(&e, path, json);
    return edit_end(&e, status);
}

mst_status mst_renew(mst_document *document, mst_diagnostic *diagnostic) {
    if (!document)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document is needed");
    char computed[MST_COMPUTED_MAX];
    mst_status status = mst_compute(document, computed, diagnostic);
    return status == MST_OK ? mst_set(document, mst_renewable(document), computed, diagnostic) : status;
}

/* Whether step `i` of the chain is the last block of an archive, and one that archives may lack. */
static bool is_last_block(const edit *e, uint32_t i) {
    mst_archive archive;
    uint32_t block;
    const mst_record *record = table_of(&e->values[i - 1]);
    return record && record->min && is_block(e, i, &archive, &block) && block >= record->min &&
           block + 1 == archive.count;
}

static mst_status remove_at(edit *e, const char *path) {
    mst_status status = find(e, path);
    if (status != MST_OK)
        return status;
    uint32_t last = e->chain.count - 1;
    const mst_value *value = &e->values[last];
    if (last == 0)
        return refuse(e, MST_ARGUMENT, "the document itself cannot be removed");
    if (mst_shape_of(value) == MST_SHAPE_CHUNK_LIST)
        return refuse(e, MST_ARGUMENT, "a list of chunks cannot be removed: remove its elements one by one");
    bool element = e->indices[last] != UINT64_MAX;
    if (!element && is_last_block(e, last)) {
        const mst_field *block = mst_field_of(value);
        e->chain.count--;
        return set_in_record(e, block, NULL);
    }
    if (!element && !(value->shape & MST_SHAPE_IN_CHUNK))
        return refuse(e, MST_REFUSED, "the field is part of every record of this type and cannot be removed");
    const mst_value *list = value - (element ? 1 : 0);
    if (element && e->follows && mst_is_followed(e->document->format, mst_field_of(list)))
        return mst_follow_removal(e->document, &e->chain, e->options, e->diagnostic);
    if (element && mst_field_of(list)->mode == MST_COUNT_ARCHIVE)
        return set_blocks(e, last - 1, e->indices[last], NULL);
    e->from = value->offset;
    if ((value->shape & MST_SHAPE_IN_CHUNK) && !has_own_header(e->document, value))
        e->from -= MST_CHUNK_HEADER;
    e->to = mst_value_after(value);
    e->more = -1;
    return apply(e);
}

static mst_status remove_with(mst_document *document, const char *path, const mst_edit_options *options,
                              bool follows, mst_diagnostic *diagnostic) {
    edit e;
    mst_status status = edit_begin(&e, document, path, diagnostic);
    e.options = options;
    e.follows = follows;
    if (status == MST_OK)
        status = remove_at(&e, path);
    return edit_end(&e, status);
}

mst_status mst_edit_remove(mst_document *document, const char *path, mst_diagnostic *diagnostic) {
    return remove_with(document, path, NULL, false, diagnostic);
}

mst_status mst_edit_remove_all(mst_document *document, const char *path, const mst_edit_options *options,
                               mst_diagnostic *diagnostic) {
    return remove_with(document, path, options, true, diagnostic);
}

/* An element before anybody sets it. */
static const char *blank_of(const mst_field *field) {
    bool list = field->record && field->record->is_inline && mst_is_list(&field->record->fields[0]);
    bool text = mst_is_text(field) || (field->record && field->record->is_inline && !list);
    return list ? "[]" : text ? "\"\"" : field->record ? "{}" : "0";
}

static mst_status insert_at(edit *e, const char *path, const char *json) {
    mst_document *document = e->document;
    size_t length = strlen(path);
    const char *bracket = strrchr(path, '[');
    const char *digits = bracket ? bracket + 1 + (bracket[1] == '-') : NULL;
    if (!bracket || path[length - 1] != ']' || *digits == ']' ||
        digits + strspn(digits, "0123456789") != path + length - 1)
        return refuse(e, MST_ARGUMENT, "the path of an insertion must end in the new element's [index]");
    char list_path[512];
    if ((size_t)(bracket - path) >= sizeof list_path)
        return refuse(e, MST_ARGUMENT, "the path is too long");
    memcpy(list_path, path, (size_t)(bracket - path));
    list_path[bracket - path] = 0;
    mst_status status = find(e, list_path);
    if (status != MST_OK)
        return status;
    mst_value list = e->values[e->chain.count - 1];
    uint32_t shape = mst_shape_of(&list);
    if (shape != MST_SHAPE_LIST && shape != MST_SHAPE_CHUNK_LIST)
        return refuse(e, MST_ARGUMENT, "this is not a list");
    if (e->chain.count == MST_PATH_DEPTH)
        return refuse(e, MST_NO_PATH, "the path is too deep");
    uint64_t index, count = mst_count(&list);
    const char *at_index = bracket + 1;
    if (!mst_path_index(&at_index, count, &index) || index > count)
        return refuse(e, MST_NO_PATH, "the list is shorter than that");
    if (digits != bracket + 1) { /* counted from the end, which the insertion changes */
        e->path = mst_arena_printf(&e->arena, "%s[%llu]", list_path, (unsigned long long)index);
        if (!e->path) {
            e->path = path;
            return MST_NO_MEMORY;
        }
    }
    if (e->follows && mst_is_followed(document->format, mst_field_of(&list)))
        return mst_follow_insertion(document, &e->chain, index, json, e->options, e->diagnostic);
    if (mst_field_of(&list)->mode == MST_COUNT_ARCHIVE)
        return set_blocks(e, e->chain.count - 1, index, json ? json : blank_of(mst_field_of(&list)));
    mst_value at = list;
    uint64_t offset = 0;
    if (index < count)
        status = mst_element(&list, index, &at);
    else if (count)
        status = mst_element(&list, count - 1, &at);
    if (status != MST_OK)
        return refuse(e, status, "the list cannot be read");
    const mst_field *field = mst_field_of(&list);
    const mst_chunks *chunks = shape == MST_SHAPE_CHUNK_LIST ? mst_chunks_of_list(&list) : NULL;
    bool headed = chunks && !mst_holds_header(chunks, field);
    bool big = chunks && mst_chunks_big(chunks, document->variant);
    if (!count) {
        offset = shape == MST_SHAPE_LIST ? list.offset + mst_shape_of_list(&list).prefix : list.end;
    } else if (index < count) {
        offset = at.offset - (headed ? MST_CHUNK_HEADER : 0);
    } else {
        offset = mst_value_after(&at);
    }
    if (headed) {
        uint8_t header[MST_CHUNK_HEADER] = {0};
        for (int i = 0; i < chunks->case_count; i++)
            if (&chunks->cases[i].field == field)
                mst_store32(header, chunks->cases[i].id, big);
        mst_sink sink = mst_buffer_sink(&e->bytes);
        if (status == MST_OK)
            status = sink.write(sink.user, header, sizeof header);
    }
    mst_json given;
    if (status == MST_OK)
        status = read_given(e, json ? json : blank_of(field), field, true, NULL, &given);
    if (status == MST_OK)
        status = encode_given(e, &given, field, true, &list, offset, !json, false);
    if (status == MST_OK && headed)
        mst_store32(e->bytes.data + 4, (uint32_t)(e->bytes.size - MST_CHUNK_HEADER), big);
    e->from = e->to = offset;
    e->more = 1;
    if (status == MST_OK) {
        /* as if the new element already ended the chain */
        e->values[e->chain.count] = at;
        e->values[e->chain.count].shape &= ~(uint32_t)MST_SHAPE_IN_CHUNK;
        e->indices[e->chain.count++] = index;
        status = apply(e);
    }
    return status;
}

static mst_status insert_with(mst_document *document, const char *path, const char *json,
                              const mst_edit_options *options, bool follows, mst_diagnostic *diagnostic) {
    edit e;
    mst_status status = edit_begin(&e, document, path, diagnostic);
    e.options = options;
    e.follows = follows;
    if (status == MST_OK)
        status = insert_at(&e, path, json);
    return edit_end(&e, status);
}

mst_status mst_edit_insert(mst_document *document, const char *path, const char *json,
                           mst_diagnostic *diagnostic) {
    return insert_with(document, path, json, NULL, false, diagnostic);
}

mst_status mst_edit_insert_all(mst_document *document, const char *path, const char *json,
                               const mst_edit_options *options, mst_diagnostic *diagnostic) {
    return insert_with(document, path, json, options, true, diagnostic);
}

uint8_t *mst_edit_bytes(mst_document *document) {
    return document->own;
}

const char *mst_index_file(const mst_document *document) {
    return document ? document->format->index.file : NULL;
}

mst_status mst_update_index(const mst_document *document, mst_document *other, mst_diagnostic *diagnostic) {
    if (!document || !other)
        return mst_fail(diagnostic, MST_ARGUMENT, "two documents are needed");
    if (!document->format->index.update)
        return mst_fail(diagnostic, MST_UNSUPPORTED, "no other file has an entry for %s",
                        document->format->information.title);
    return document->format->index.update(document, other, diagnostic);
}
