/* SPDX-License-Identifier: MIT */
/*
 * Editing. The document's bytes are the only state: an edit encodes one field again, replaces its old bytes,
 * and updates the sizes and counts that enclose it. The result is opened before it becomes the document, so a
 * document never gets into a state that cannot be read.
 */
#include "single_edit.h"
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/unreachable.h"
#include "../read/path_end.h"
#include "../read/step.h"
#include "../write/given.h"
#include "editing.h"
#include "follow.h"
#include "losses.h"
#include "waiting_sets.h"
#include <stdio.h>

mst_status mst_edit_refuse(const edit *e, mst_status status, const char *message) {
    mst_fail(e->diagnostic, status, "%s", message);
    if (e->diagnostic)
        MST_SET(e->diagnostic->path, "%s", e->path);
    return status;
}

mst_status mst_edit_start(edit *e, mst_document *document, const char *path, mst_diagnostic *diagnostic) {
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

mst_status mst_edit_finish(edit *e, mst_status status) {
    if (status == MST_NO_MEMORY)
        mst_edit_refuse(e, status, "not enough memory for the edit");
    if (e->steps)
        e->bytes.allocator.resize(e->bytes.allocator.user, e->steps, sizeof *e->steps, 0);
    if (e->bytes.data)
        e->bytes.allocator.resize(e->bytes.allocator.user, e->bytes.data, e->bytes.capacity, 0);
    mst_arena_end(&e->arena); /* the path may be in it */
    return status;
}

mst_status mst_edit_find(edit *e, const char *path) {
    mst_status status = mst_find_chain(mst_root(e->document), path, &e->chain, e->diagnostic);
    for (uint32_t i = 0; status == MST_OK && i < e->chain.count; i++)
        if (mst_shape_of(&e->values[i]) == MST_SHAPE_SLICE)
            status =
                mst_edit_refuse(e, MST_ARGUMENT, "a slice cannot be edited: name each element by its index");
    return status;
}

const mst_record *mst_edit_table_of(const mst_value *value) {
    const mst_field *field = mst_field_of(value);
    return field == &mst_document_field ? value->document->format->tables.root : field->record;
}

/* ---- encoding the new value -------------------------------------------------------------------- */

/* Reads the given text as a value for `field`; `old` is the current value (NULL: none). The diagnosis gets
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

/* `around`: a value with the same context variables. */
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
                                  .rest = e->rest,
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

/* Inserts a block into a list of an archive's blocks (`json` NULL: removes the one at `index`). */
static mst_status set_blocks(edit *e, uint32_t list, uint64_t index, const char *json) {
    mst_value value = e->values[list];
    const mst_field *field = mst_field_of(&value);
    mst_json given;
    mst_status status = json ? read_given(e, json, field, true, NULL, &given) : MST_OK;
    if (status == MST_OK && json)
        status = encode_given(e, &given, field, true, &value, value.offset, false, false);
    mst_buffer block = e->bytes;
    e->bytes = (mst_buffer){.allocator = block.allocator};
    e->chain.count = list + 1;
    e->from = value.offset;
    e->to = mst_value_after(&value);
    if (status == MST_OK)
        status = mst_edit_put_blocks(e, &value, index, json ? &block : NULL);
    mst_buffer_free(&block);
    return status == MST_OK ? mst_edit_splice(e) : status;
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
    const mst_record *table = mst_edit_table_of(record);
    if (!table || mst_shape_of(record) != MST_SHAPE_ONE)
        return NULL;
    const mst_plan *plan = mst_plan_of(e->document, table);
    for (uint16_t f = 0; f < table->field_count; f++)
        if (strcmp(table->fields[f].name, name) == 0 && plan->fields[f].presence != MST_ABSENT &&
            (table->fields[f].present || (table->fields[f].flags & MST_FIELD_OPTIONAL) ||
             (table->archive && !table->min)))
            return &table->fields[f];
    return NULL;
}

/* Encodes the record at the end of the chain from JSON; members that no longer belong to it or fit into it
 * are left out, where they may be lost. `drop`: members that do not belong to it are left out anyway. */
static mst_status encode_changed(edit *e, mst_json *made, mst_losses *losses, bool drop) {
    const mst_value record = e->values[e->chain.count - 1];
    const mst_field *field = mst_field_of(&record);
    bool single = !mst_is_text(field), again = true;
    mst_diagnostic *diagnostic = e->diagnostic;
    mst_status status = MST_OK;
    while (again) {
        mst_diagnostic why = {.offset = MST_NO_OFFSET};
        e->diagnostic = &why;
        e->bytes.size = 0;
        status = encode_given(e, made, field, single, &record, record.offset, true, drop || losses->allowed);
        e->diagnostic = diagnostic;
        if (status == MST_OK)
            return status;
        status = mst_losses_without(losses, status, &why, made, &again);
        if (diagnostic) {
            *diagnostic = why;
            MST_SET(diagnostic->path, "%s", e->path); /* not the enclosing record's */
        }
    }
    return status;
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
    mst_json_options compact = {.size = sizeof compact, .compact = 1};
    mst_json tree, made;
    mst_status status = mst_write_json(&record, &compact, mst_buffer_sink(&text), e->diagnostic);
    if (status == MST_OK)
        status = mst_json_parse((const char *)text.data, text.size, &e->arena, &tree, e->diagnostic);
    if (status == MST_OK)
        status = given ? mst_json_with_member(&tree, changed->name, given, &e->arena, &made)
                       : mst_json_without_member(&tree, changed->name, &e->arena, &made);
    if (status == MST_NO_MEMORY)
        mst_edit_refuse(e, status, "not enough memory to read the JSON");
    if (status == MST_OK) {
        mst_losses losses;
        status = mst_losses_begin(&losses, e, changed);
        if (status == MST_OK)
            status = encode_changed(e, &made, &losses, off);
        e->from = record.offset;
        e->to = mst_value_after(&record);
        if (status == MST_OK)
            status = mst_edit_splice(e);
        if (status == MST_OK)
            status = mst_losses_report(&losses);
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

static mst_status set_at(edit *e, const char *path, const char *json);

/* The path of the record at step `step` of the chain; NULL: out of memory. */
static const char *path_of_step(edit *e, uint32_t step) {
    char path[512];
    size_t length = 0;
    path[0] = 0;
    for (uint32_t i = 1; i <= step; i++)
        length = mst_path_step(path, sizeof path, length,
                               e->indices[i] == UINT64_MAX ? mst_field_of(&e->values[i])->name : "",
                               e->indices[i]);
    return length < sizeof path ? mst_arena_text(&e->arena, path, strlen(path)) : NULL;
}

/* Sets the members of a row that are in other lists; members that are not given are kept. */
static mst_status set_beside(edit *e, const char *record_path, uint64_t index,
                             const char *const beside[MST_ROW_MEMBERS]) {
    mst_status status = MST_OK;
    for (size_t i = 0; i < MST_ROW_MEMBERS && status == MST_OK; i++) {
        mst_value record;
        if (!beside[i])
            continue;
        status = mst_find(mst_root(e->document), record_path, &record, e->diagnostic);
        const mst_field *field = status == MST_OK ? mst_rows_field(&record, i) : NULL;
        const char *path = field ? mst_arena_printf(&e->arena, "%s.%s[%llu]", record_path, field->name,
                                                    (unsigned long long)index)
                                 : NULL;
        if (status == MST_OK)
            status = path ? mst_edit_set(e->document, path, beside[i], e->diagnostic) : MST_NO_MEMORY;
    }
    return status;
}

/* Sets an element with its members in other lists. */
static mst_status set_row(edit *e, const char *json) {
    const char *own, *beside[MST_ROW_MEMBERS];
    uint32_t last = e->chain.count - 1;
    uint64_t index = e->indices[last];
    const char *record_path = path_of_step(e, last - 2);
    mst_status status = mst_split_row(&e->values[last - 2], json, &e->arena, &own, beside);
    const char *path =
        record_path ? mst_arena_printf(&e->arena, "%s.%s[%llu]", record_path,
                                       mst_field_of(&e->values[last - 1])->name, (unsigned long long)index)
                    : NULL;
    if (status == MST_OK && !path)
        status = MST_NO_MEMORY;
    if (status == MST_OK) {
        e->path = path;
        status = set_at(e, path, own);
    }
    return status == MST_OK ? set_beside(e, record_path, index, beside) : status;
}

/* Whether a chain ends in a list that is counted elsewhere. Not an element of such a list that is a list
 * itself, such as the triangles of a face: it has a count of its own. */
static bool is_counted(const mst_chain *chain) {
    const mst_value *value = &chain->values[chain->count - 1];
    const mst_count_mode mode = mst_field_of(value)->mode;
    return mst_shape_of(value) == MST_SHAPE_LIST && mst_shape_of(value - 1) != MST_SHAPE_LIST &&
           (mode == MST_COUNT_VARIABLE || mode == MST_COUNT_PRODUCT);
}

static mst_status set_at(edit *e, const char *path, const char *json) {
    mst_document *document = e->document;
    mst_status status = mst_edit_find(e, path);
    if (status == MST_NO_PATH)
        return set_missing(e, path, json);
    if (status != MST_OK)
        return status;
    mst_value *value = &e->values[e->chain.count - 1];
    if ((value->shape & MST_SHAPE_ROW) && mst_shape_of(value) == MST_SHAPE_ONE)
        return set_row(e, json);
    const mst_field *field = mst_field_of(value);
    uint32_t shape = mst_shape_of(value);
    if (shape == MST_SHAPE_CHUNK_LIST)
        return mst_edit_refuse(e, MST_ARGUMENT,
                               "a list of chunks cannot be set: set its elements one by one");
    if (field == &mst_document_field)
        return mst_edit_refuse(e, MST_ARGUMENT, "the document itself cannot be set: build it from JSON");
    if (field->constant || (field->flags & MST_FIELD_SIZES) || field->length_of)
        return mst_edit_refuse(e, MST_REFUSED, "this field is computed from other fields and cannot be set");
    if (e->chain.count == 2 && document->format->identity.version_field &&
        strcmp(field->name, document->format->identity.version_field) == 0)
        return mst_edit_refuse(e, MST_REFUSED, "the version cannot be set: convert the document");
    const bool counted = is_counted(&e->chain);
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
    return status == MST_OK ? mst_edit_splice(e) : status;
}

mst_status mst_edit_set_rest(mst_document *document, const char *path, const char *json,
                             mst_diagnostic *diagnostic) {
    edit e;
    mst_status status = mst_edit_start(&e, document, path, diagnostic);
    e.rest = true;
    if (status == MST_OK)
        status = set_at(&e, path, json);
    return mst_edit_finish(&e, status);
}

mst_status mst_edit_set_losing(mst_document *document, const char *path, const char *json,
                               const mst_edit_options *options, mst_diagnostic *diagnostic) {
    char computed[MST_COMPUTED_MAX];
    const char *renewable = strcmp(json, "auto") == 0 ? mst_checksum_path(document) : NULL;
    mst_status status = MST_OK;
    if (renewable && strcmp(path, renewable) == 0) {
        status = mst_compute(document, computed, diagnostic);
        json = computed;
    }
    if (status != MST_OK)
        return status;
    edit e;
    status = mst_edit_start(&e, document, path, diagnostic);
    e.options = options;
    if (status == MST_OK)
        status = set_at(&e, path, json);
    return mst_edit_finish(&e, status);
}

mst_status mst_edit_set(mst_document *document, const char *path, const char *json,
                        mst_diagnostic *diagnostic) {
    return mst_edit_set_losing(document, path, json, NULL, diagnostic);
}

/* Whether the value is an element that consists of numbers, which decide about each other only. */
static bool is_row_of_numbers(const mst_value *value) {
    const mst_record *record = mst_field_of(value)->record;
    for (uint16_t f = 0; f < record->field_count; f++) {
        const mst_field *field = &record->fields[f];
        if (!mst_is_number(field) || field->constant || field->length_of || field->present ||
            (field->flags & MST_FIELD_SIZES))
            return false;
    }
    return true;
}

/* Whether a record, or a list of records, can be replaced as a whole, later: an element that has no members
 * in other lists, or in files. */
static bool is_by_itself(const edit *e, const mst_value *value) {
    const bool files = e->document->format->files.count;
    return e->indices[e->chain.count - 1] != UINT64_MAX && !(value->shape & MST_SHAPE_ROW) &&
           (!files || (mst_shape_of(value) == MST_SHAPE_ONE && is_row_of_numbers(value)));
}

/* Whether a set of a field can wait: it decides about nothing else, and is not more than one value. */
static bool can_wait(const edit *e, const char *path, const char *json) {
    const mst_document *document = e->document;
    const mst_format *format = document->format;
    const mst_value *value = &e->values[e->chain.count - 1];
    const mst_field *field = mst_field_of(value);
    const char *renewable = mst_checksum_path(document);
    if (e->chain.count < 2 || mst_shape_of(value) > MST_SHAPE_LIST ||
        (field->kind == MST_KIND_RECORD && !is_by_itself(e, value)) || field->constant ||
        (field->flags & MST_FIELD_SIZES) || field->length_of || mst_decides(field))
        return false;
    if ((format->files.count && (field->flags & MST_FIELD_ORIGINAL)) ||
        (MST_OPTION(format->editing, resize) && MST_OPTION(format->editing, reaches) &&
         format->editing->reaches(path)) ||
        (renewable && strcmp(path, renewable) == 0 && strcmp(json, "auto") == 0))
        return false;
    for (uint32_t i = 0; i < e->chain.count; i++)
        if (mst_shape_of(&e->values[i]) == MST_SHAPE_SLICE ||
            mst_field_of(&e->values[i])->mode == MST_COUNT_SENTINEL) /* its elements state where it ends */
            return false;
    if (e->chain.count == 2 && format->identity.version_field &&
        strcmp(field->name, format->identity.version_field) == 0)
        return false;
    return field->mode != MST_COUNT_TO_END || !is_padded(&e->values[e->chain.count - 2]);
}

static bool is_in_archive(const edit *e) {
    mst_archive archive;
    uint32_t block;
    for (uint32_t i = 1; i < e->chain.count; i++)
        if (mst_edit_is_block(e, i, &archive, &block))
            return true;
    return false;
}

/* Problems are left to the edit that does not wait. */
static mst_status wait_at(edit *e, mst_batch *batch, const char *path, const char *json, bool *done) {
    mst_json given;
    if (mst_find_chain(mst_root(e->document), path, &e->chain, NULL) != MST_OK || !can_wait(e, path, json))
        return MST_OK;
    mst_value *value = &e->values[e->chain.count - 1];
    const mst_field *field = mst_field_of(value);
    bool list = mst_shape_of(value) == MST_SHAPE_LIST;
    bool single = !list && (value->shape & MST_SHAPE_ELEMENT);
    mst_status status = read_given(e, json, field, single, value, &given);
    if (status == MST_OK)
        status = encode_given(e, &given, field, single, value, value->offset, false, false);
    if (status != MST_OK)
        return status == MST_NO_MEMORY ? status : MST_OK;
    uint64_t from = value->offset, to = mst_value_after(value);
    bool same = e->bytes.size == to - from;
    if ((!same && (is_counted(&e->chain) || is_in_archive(e))) || mst_batch_covers(batch, from, to))
        return MST_OK;
    if (same && e->document->format->fix_up && !batch->before) {
        status = mst_edit_copy(e->document, &batch->own, NULL);
        batch->before = batch->own;
    }
    const mst_batch_set set = {path, e->chain, false, from, to, same ? NULL : e->bytes.data, e->bytes.size};
    if (status == MST_OK)
        status = mst_batch_note(batch, &set);
    if (status == MST_OK && same && set.size)
        memcpy(e->document->own + from, e->bytes.data, set.size);
    *done = status == MST_OK;
    return status;
}

mst_status mst_batch_set_value(mst_batch *batch, const char *path, const char *json, bool *done,
                               mst_diagnostic *diagnostic) {
    edit e;
    *done = false;
    mst_status status = mst_edit_start(&e, batch->document, path, NULL);
    e.chain.landmarks = &batch->landmarks;
    if (status == MST_OK)
        status = wait_at(&e, batch, path, json, done);
    e.diagnostic = diagnostic;
    return mst_edit_finish(&e, status);
}

static mst_status compare_at(edit *e, const char *path, const char *json, bool *same) {
    mst_status status = mst_edit_find(e, path);
    if (status != MST_OK)
        return status;
    const mst_value *value = &e->values[e->chain.count - 1];
    if (mst_shape_of(value) == MST_SHAPE_CHUNK_LIST || mst_field_of(value) == &mst_document_field)
        return mst_edit_refuse(e, MST_ARGUMENT, "lists of chunks are compared element by element");
    mst_json given;
    bool single = mst_shape_of(value) == MST_SHAPE_ONE && (value->shape & MST_SHAPE_ELEMENT);
    status = read_given(e, json, mst_field_of(value), single, NULL, &given);
    if (status == MST_OK)
        status = encode_given(e, &given, mst_field_of(value), single, value, value->offset, false, false);
    uint64_t size = mst_value_after(value) - value->offset;
    *same = status == MST_OK && e->bytes.size == size &&
            (!size || memcmp(e->bytes.data, e->document->data + value->offset, (size_t)size) == 0);
    return status;
}

mst_status mst_edit_compare(mst_document *document, const char *path, const char *json, bool *same,
                            mst_diagnostic *diagnostic) {
    edit e;
    mst_status status = mst_edit_start(&e, document, path, diagnostic);
    if (status == MST_OK)
        status = compare_at(&e, path, json, same);
    return mst_edit_finish(&e, status);
}

/* Whether step `i` of the chain is the last block of an archive, and one that archives may lack. */
static bool is_last_block(const edit *e, uint32_t i) {
    mst_archive archive;
    uint32_t block;
    const mst_record *record = mst_edit_table_of(&e->values[i - 1]);
    return record && record->min && mst_edit_is_block(e, i, &archive, &block) && block >= record->min &&
           block + 1 == archive.count;
}

/* Whether no bytes follow a list of a record in its part. */
static bool ends_its_part(const mst_value *record, const mst_value *list) {
    mst_value field;
    for (mst_iterator it = mst_iterate(record); mst_next(&it, &field);)
        if (field.offset > list->offset && mst_value_after(&field) > field.offset &&
            !(mst_field_of(&field)->flags & MST_FIELD_OUTSIDE))
            return false;
    return true;
}

static mst_status remove_at(edit *e, const char *path) {
    mst_status status = mst_edit_find(e, path);
    if (status != MST_OK)
        return status;
    uint32_t last = e->chain.count - 1;
    const mst_value *value = &e->values[last];
    if (last == 0)
        return mst_edit_refuse(e, MST_ARGUMENT, "the document itself cannot be removed");
    if (mst_shape_of(value) == MST_SHAPE_CHUNK_LIST)
        return mst_edit_refuse(e, MST_ARGUMENT,
                               "a list of chunks cannot be removed: remove its elements one by one");
    bool element = e->indices[last] != UINT64_MAX;
    if (!element && is_last_block(e, last)) {
        const mst_field *block = mst_field_of(value);
        e->chain.count--;
        return set_in_record(e, block, NULL);
    }
    if (!element && !(value->shape & MST_SHAPE_IN_CHUNK))
        return mst_edit_refuse(e, MST_REFUSED,
                               "the field is part of every record of this type and cannot be removed");
    const mst_value *list = value - (element ? 1 : 0);
    if (element && e->follows && mst_is_followed(e->document->format, mst_field_of(list)))
        return mst_follow_removal(e->document, &e->chain, e->options, e->diagnostic);
    if (element && mst_field_of(list)->mode == MST_COUNT_ARCHIVE)
        return set_blocks(e, last - 1, e->indices[last], NULL);
    if (element && (mst_field_of(list)->flags & MST_FIELD_OPTIONAL) && mst_count(list) == 1 &&
        ends_its_part(list - 1, list)) {
        e->chain.count = last - 1; /* without elements, nothing is left of the part */
        return set_in_record(e, mst_field_of(list), NULL);
    }
    e->from = value->offset;
    if ((value->shape & MST_SHAPE_IN_CHUNK) && !mst_edit_has_own_header(e->document, value))
        e->from -= MST_CHUNK_HEADER;
    e->to = mst_value_after(value);
    e->more = -1;
    return mst_edit_splice(e);
}

static mst_status remove_with(mst_document *document, const char *path, const mst_edit_options *options,
                              bool follows, mst_diagnostic *diagnostic) {
    edit e;
    mst_status status = mst_edit_start(&e, document, path, diagnostic);
    e.options = options;
    e.follows = follows;
    if (status == MST_OK)
        status = remove_at(&e, path);
    return mst_edit_finish(&e, status);
}

mst_status mst_edit_remove(mst_document *document, const char *path, mst_diagnostic *diagnostic) {
    return remove_with(document, path, NULL, false, diagnostic);
}

mst_status mst_edit_remove_all(mst_document *document, const char *path, const mst_edit_options *options,
                               mst_diagnostic *diagnostic) {
    return remove_with(document, path, options, true, diagnostic);
}

/* The initial value of an element. */
static const char *blank_of(const mst_field *field) {
    bool list = field->record && field->record->is_inline && mst_is_list(&field->record->fields[0]);
    bool text = mst_is_text(field) || (field->record && field->record->is_inline && !list);
    return list ? "[]" : text ? "\"\"" : field->record ? "{}" : "0";
}

/* Gives an archive without blocks empty lists, including `list_path`. MST_NO_PATH: it is something else. */
static mst_status make_list(edit *e, const char *list_path) {
    const mst_field *missing = find_missing(e, list_path);
    const mst_record *table = missing ? mst_edit_table_of(&e->values[e->chain.count - 1]) : NULL;
    if (!table || !table->archive)
        return MST_NO_PATH;
    const char *json = "{",
               *around = mst_arena_text(&e->arena, list_path, strlen(list_path) - strlen(missing->name) - 1);
    for (uint16_t f = 0; f < table->field_count && json; f++)
        json = mst_arena_printf(&e->arena, "%s%s\"%s\":[]%s", json, f ? "," : "", table->fields[f].name,
                                f + 1 < table->field_count ? "" : "}");
    const char *path = e->path;
    e->path = around;
    mst_status status = around && json ? set_at(e, around, json) : MST_NO_MEMORY;
    e->path = path;
    e->bytes.size = e->value_size = 0;
    return status == MST_OK ? mst_edit_find(e, list_path) : status;
}

/* Inserts the first element of a list that is absent while it has none. */
static mst_status insert_first(edit *e, const char *list_path, const char *json) {
    mst_document *document = e->document;
    mst_value list;
    const char *elements = mst_arena_printf(&e->arena, "[%s]", json);
    mst_status status = elements ? set_missing(e, list_path, elements) : MST_NO_MEMORY;
    if (status == MST_OK && MST_OPTION(document->format->editing, renumber) &&
        mst_find(mst_root(document), list_path, &list, NULL) == MST_OK)
        document->format->editing->renumber(&list, document, 0, 1, document->own);
    return status;
}

static mst_status insert_at(edit *e, const char *path, const char *json);

/* Inserts an element with its members in other lists; the chain ends in the record. */
static mst_status insert_row(edit *e, uint64_t count, const char *record_path, const char *bracket,
                             const char *json) {
    const char *own = json, *beside[MST_ROW_MEMBERS] = {NULL}, *digits = bracket + 1;
    uint64_t index;
    if (!mst_path_index(&digits, count, &index))
        return mst_edit_refuse(e, MST_NO_PATH, "the list is shorter than that");
    const mst_value *record = &e->values[e->chain.count - 1];
    const char *name = mst_rows_field(record, 0)->parallel->target;
    mst_status status = MST_OK;
    if (json)
        status = mst_split_row(record, json, &e->arena, &own, beside);
    const char *path =
        mst_arena_printf(&e->arena, "%s.%s[%llu]", record_path, name, (unsigned long long)index);
    record_path = mst_arena_text(&e->arena, record_path, strlen(record_path));
    if (status == MST_OK && (!path || !record_path))
        status = MST_NO_MEMORY;
    if (status == MST_OK) {
        e->path = path;
        status = insert_at(e, path, own);
    }
    return status == MST_OK ? set_beside(e, record_path, index, beside) : status;
}

/* Counts the path of an insertion from the start, because the insertion moves the end. */
static bool count_from_start(edit *e, const char *list_path, uint64_t index) {
    const char *path = mst_arena_printf(&e->arena, "%s[%llu]", list_path, (unsigned long long)index);
    e->path = path ? path : e->path;
    return path != NULL;
}

bool mst_edit_is_headed(const mst_value *list) {
    return mst_shape_of(list) == MST_SHAPE_CHUNK_LIST &&
           !mst_holds_header(mst_chunks_of_list(list), mst_field_of(list));
}

mst_status mst_edit_encode_element(edit *e, const mst_value *list, const char *json, uint64_t offset) {
    const mst_field *field = mst_field_of(list);
    const mst_chunks *chunks = mst_edit_is_headed(list) ? mst_chunks_of_list(list) : NULL;
    bool big = chunks && mst_chunks_big(chunks, e->document->variant);
    size_t begin = e->bytes.size;
    mst_status status = MST_OK;
    if (chunks) {
        uint8_t header[MST_CHUNK_HEADER] = {0};
        for (int i = 0; i < chunks->case_count; i++)
            if (&chunks->cases[i].field == field)
                mst_store32(header, chunks->cases[i].id, big);
        mst_sink sink = mst_buffer_sink(&e->bytes);
        status = sink.write(sink.user, header, sizeof header);
    }
    mst_json given;
    if (status == MST_OK)
        status = read_given(e, json ? json : blank_of(field), field, true, NULL, &given);
    if (status == MST_OK)
        status = encode_given(e, &given, field, true, list, offset, !json, false);
    if (status == MST_OK && chunks)
        mst_store32(e->bytes.data + begin + 4, (uint32_t)(e->bytes.size - begin - MST_CHUNK_HEADER), big);
    return status;
}

static mst_status insert_at(edit *e, const char *path, const char *json) {
    mst_document *document = e->document;
    const char *bracket = mst_path_bracket(path);
    if (!bracket)
        return mst_edit_refuse(e, MST_ARGUMENT,
                               "the path of an insertion must end in the new element's [index]");
    char list_path[512];
    if ((size_t)(bracket - path) >= sizeof list_path)
        return mst_edit_refuse(e, MST_ARGUMENT, "the path is too long");
    memcpy(list_path, path, (size_t)(bracket - path));
    list_path[bracket - path] = 0;
    mst_status status = mst_edit_find(e, list_path);
    if (status == MST_NO_PATH && json && strcmp(bracket, "[0]") == 0) {
        status = make_list(e, list_path);
        if (status == MST_NO_PATH)
            return insert_first(e, list_path, json);
    }
    if (status != MST_OK)
        return status;
    mst_value list = e->values[e->chain.count - 1], rows;
    uint32_t shape = mst_shape_of(&list);
    if (mst_has_rows(&list))
        return insert_row(e, mst_rows_of(&list, &rows) ? mst_count(&rows) : 0, list_path, bracket, json);
    if (shape != MST_SHAPE_LIST && shape != MST_SHAPE_CHUNK_LIST)
        return mst_edit_refuse(e, MST_ARGUMENT, "this is not a list");
    if (e->chain.count == MST_PATH_DEPTH)
        return mst_edit_refuse(e, MST_NO_PATH, "the path is too deep");
    uint64_t index, count = mst_count(&list);
    const char *at_index = bracket + 1;
    if (!mst_path_index(&at_index, count, &index) || index > count)
        return mst_edit_refuse(e, MST_NO_PATH, "the list is shorter than that");
    if (bracket[1] == '-' && !count_from_start(e, list_path, index))
        return MST_NO_MEMORY;
    if (e->follows && mst_is_followed(document->format, mst_field_of(&list)))
        return mst_follow_insertion(document, &e->chain, index, json, e->copied, e->options, e->diagnostic);
    if (mst_field_of(&list)->mode == MST_COUNT_ARCHIVE)
        return set_blocks(e, e->chain.count - 1, index, json ? json : blank_of(mst_field_of(&list)));
    mst_value at = list;
    uint64_t offset = 0;
    if (index < count)
        status = mst_element(&list, index, &at);
    else if (count)
        status = mst_element(&list, count - 1, &at);
    if (status != MST_OK)
        return mst_edit_refuse(e, status, "the list cannot be read");
    if (!count) {
        offset = shape == MST_SHAPE_LIST ? list.offset + mst_shape_of_list(&list).prefix : list.end;
    } else if (index < count) {
        offset = at.offset - (mst_edit_is_headed(&list) ? MST_CHUNK_HEADER : 0);
    } else {
        offset = mst_value_after(&at);
    }
    if (status == MST_OK)
        status = mst_edit_encode_element(e, &list, json, offset);
    e->from = e->to = offset;
    e->more = 1;
    if (status == MST_OK) {
        /* as if the new element already ended the chain */
        e->values[e->chain.count] = at;
        e->values[e->chain.count].shape &= ~(uint32_t)MST_SHAPE_IN_CHUNK;
        e->indices[e->chain.count++] = index;
        status = mst_edit_splice(e);
    }
    return status;
}

static mst_status insert_with(mst_document *document, const char *path, const char *json,
                              const mst_edit_options *options, bool follows, uint64_t copied,
                              mst_diagnostic *diagnostic) {
    edit e;
    mst_status status = mst_edit_start(&e, document, path, diagnostic);
    e.rest = json != NULL;
    e.options = options;
    e.follows = follows;
    e.copied = copied;
    if (status == MST_OK)
        status = insert_at(&e, path, json);
    return mst_edit_finish(&e, status);
}

mst_status mst_edit_insert(mst_document *document, const char *path, const char *json,
                           mst_diagnostic *diagnostic) {
    return insert_with(document, path, json, NULL, false, UINT64_MAX, diagnostic);
}

mst_status mst_edit_insert_all(mst_document *document, const char *path, const char *json, uint64_t copied,
                               const mst_edit_options *options, mst_diagnostic *diagnostic) {
    return insert_with(document, path, json, options, true, copied, diagnostic);
}

uint8_t *mst_edit_bytes(mst_document *document) {
    return document->own;
}

const char *mst_index_file(const mst_document *document) {
    return document ? MST_OPTION(document->format->set, index_file) : NULL;
}

mst_status mst_update_index(const mst_document *document, mst_document *other, mst_diagnostic *diagnostic) {
    if (!document || !other)
        return mst_fail(diagnostic, MST_ARGUMENT, "two documents are needed");
    if (!MST_OPTION(document->format->set, update_index))
        return mst_fail(diagnostic, MST_UNSUPPORTED, "no other file has an entry for %s",
                        document->format->information.title);
    return document->format->set->update_index(document, other, diagnostic);
}
