/* SPDX-License-Identifier: MIT */
/* The bytes of values, and the values of bytes. */
#include "../../cli/output/show.h"
#include "bridge.h"
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"made", "file", "packed"};

void put_place(stream *to, const mst_place *place) {
    put_text(to, "{");
    put_json_member(to, "kind", kinds[place->kind]);
    if (place->kind != MST_PLACE_MADE)
        print(to, ",\"file\":%zu,\"offset\":%llu,\"length\":%llu", place->file,
              (unsigned long long)place->offset, (unsigned long long)place->length);
    if (place->kind == MST_PLACE_PACKED)
        print(to, ",\"inner\":%llu,\"innerLength\":%llu", (unsigned long long)place->inner,
              (unsigned long long)place->inner_length);
    put_text(to, "}");
}

static mst_status put_run(void *user, const mst_place *place) {
    stream *to = user;
    put_text(to, to->size == 1 ? "" : ",");
    put_place(to, place);
    return MST_OK;
}

/* The place of a value in the unpacked content of another one; `path` up to '@' is the path of the latter. */
static mst_status put_inside(stream *to, const mst_document *document, const char *path,
                             const mst_value *value, mst_diagnostic *why) {
    const char *mark = strchr(path, '@');
    char *outer = need(strndup(path, (size_t)(mark - path)));
    mst_document *none = NULL;
    mst_value around;
    mst_place place;
    uint64_t offset, length;
    mst_status status = find_inside(document, outer, &none, &around, why);
    if (status == MST_OK) {
        mst_value_span(&around, &offset, &length);
        status = mst_place_of(document, offset, length, &place);
    }
    if (status == MST_OK && place.kind == MST_PLACE_FILE) {
        place.kind = MST_PLACE_PACKED;
        mst_value_span(value, &place.inner, &place.inner_length);
        put_run(to, &place);
    }
    free(outer);
    return status;
}

mst_status web_at(answer *to, const opened *of, uint32_t index, const char *path) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    mst_document *inside = NULL;
    mst_value value;
    put_text(&to->text, "[");
    mst_status status = find_inside(document, path, &inside, &value, &to->why);
    if (status == MST_OK && inside)
        status = put_inside(&to->text, document, path, &value, &to->why);
    else if (status == MST_OK)
        status = mst_value_places(&value, put_run, &to->text);
    mst_close(inside);
    put_text(&to->text, "]");
    return answer_end(to, status);
}

/* ---- the fields of bytes
 * ------------------------------------------------------------------------------------ */

static mst_status put_field(void *user, const mst_file_field *field) {
    stream *to = user;
    const mst_place *place = &field->place;
    bool packed = place->kind == MST_PLACE_PACKED;
    print(to, "{\"offset\":%llu,\"length\":%llu", (unsigned long long)(packed ? place->inner : place->offset),
          (unsigned long long)(packed ? place->inner_length : place->length));
    put_json_key(to, "path");
    put_json_string(to, field->path, strlen(field->path));
    put_json_member(to, "name", field->name);
    put_json_member(to, "class", field->unpacked ? "packed" : byte_class_name(field->byte_class));
    if (field->unpacked)
        print(to, ",\"unpackedSize\":%llu", (unsigned long long)field->unpacked);
    if (field->value) {
        stream words = stream_memory();
        put_json_member(to, "type", type_name(field->value));
        put_json_member(to, "kind", mst_value_field(field->value).type_name);
        put_value_short(&words, field->value);
        put_json_key(to, "text");
        put_json_string(to, words.data ? words.data : "", words.size);
        stream_free(&words);
    }
    put_text(to, "}\n");
    return MST_OK;
}

mst_status web_fields(answer *to, const opened *of, uint32_t index, uint32_t file, double offset,
                      double length, double packed) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    mst_file_range range = {.size = sizeof range, .file = file};
    range.offset = (uint64_t)offset;
    range.length = (uint64_t)length;
    range.packed = packed >= 0;
    range.packed_at = packed >= 0 ? (uint64_t)packed : 0;
    return answer_end(to, mst_range_fields(document, &range, put_field, &to->text, &to->why));
}

/* Finds the place of packed bytes. */
static mst_status find_packed(void *user, const mst_file_field *field) {
    mst_place *found = user;
    *found = field->place;
    return MST_STOPPED;
}

mst_status web_bytes(answer *to, const opened *of, uint32_t index, uint32_t file, double offset,
                     double length, double packed) {
    const mst_document *document = opened_document(of, index, to);
    if (!document)
        return answer_end(to, MST_ARGUMENT);
    mst_place place = {.kind = MST_PLACE_FILE, .file = file};
    mst_file_range range = {.size = sizeof range, .file = file, .length = 1, .packed = 1};
    mst_status status = file < mst_document_file_count(document) ? MST_OK : MST_ARGUMENT;
    if (status != MST_OK)
        blame(&to->why, status, "the document has no file %u", file);
    range.packed_at = packed >= 0 ? (uint64_t)packed : 0;
    if (status == MST_OK && packed >= 0)
        status = mst_range_fields(document, &range, find_packed, &place, &to->why);
    *(packed >= 0 ? &place.inner : &place.offset) = (uint64_t)offset;
    *(packed >= 0 ? &place.inner_length : &place.length) = (uint64_t)length;
    size_t size = 0;
    const void *bytes = status == MST_OK ? mst_place_bytes(document, &place, &size) : NULL;
    if (bytes)
        put(&to->text, bytes, size);
    return answer_end(to, status);
}
