/* SPDX-License-Identifier: MIT */
/* Finding the field at an offset given as text. */
#include "offset_path.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../read/engine.h"
#include <mapstone/place.h>
#include <stdio.h>

bool mst_offset_number(const char *text, size_t length, uint64_t *number) {
    if (length < 3 || text[0] != '0' || (text[1] | 0x20) != 'x')
        return mst_read_u64(text, length, number);
    *number = 0;
    for (size_t i = 2; i < length; i++) {
        unsigned digit = (unsigned char)text[i] - '0', letter = ((unsigned char)text[i] | 0x20U) - 'a';
        if ((digit > 9 && letter > 5) || *number >> 60)
            return false;
        *number = *number << 4 | (digit <= 9 ? digit : letter + 10);
    }
    return true;
}

/* "2:0x10+0x24"; false: it is not an offset. */
static bool read_offset(const char *text, mst_file_range *range) {
    const char *plus = strchr(text, '+');
    uint64_t first, inner = 0;
    range->file = text[0] == '2' && text[1] == ':';
    text += range->file ? 2 : 0;
    size_t length = plus ? (size_t)(plus - text) : strlen(text);
    if (!mst_offset_number(text, length, &first) ||
        (plus && !mst_offset_number(plus + 1, strlen(plus + 1), &inner)))
        return false;
    range->packed = plus != NULL;
    range->packed_at = plus ? first : 0;
    range->offset = plus ? inner : first;
    range->length = 1;
    return true;
}

static mst_status bad(const char *text, mst_status status, const char *message, mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, status, "%s", message);
    if (diagnostic)
        MST_SET(diagnostic->path, "@%.60s", text);
    return status;
}

typedef struct find_state {
    mst_file_field_function found;
    void *user;
    bool any;
} find_state;

static mst_status found_field(void *user, const mst_file_field *field) {
    find_state *all = user;
    all->any = true;
    mst_status status = all->found(all->user, field);
    return status == MST_OK ? MST_STOPPED : status;
}

mst_status mst_offset_field(const mst_document *document, const char *offset, mst_file_field_function found,
                            void *user, mst_diagnostic *diagnostic) {
    mst_file_range range = {.size = sizeof range};
    find_state all = {found, user, false};
    if (!document || !offset || !found)
        return mst_fail(diagnostic, MST_ARGUMENT, "a document, an offset and a function are needed");
    if (!read_offset(offset, &range)) {
        bad(offset, MST_ARGUMENT, "this is not an offset", diagnostic);
        if (diagnostic)
            MST_SET(diagnostic->expected,
                    "a number such as 0x2e33e, or 0x10+0x24 in packed data; after 2: in the second file");
        return MST_ARGUMENT;
    }
    if (range.file >= mst_document_file_count(document))
        return bad(offset, MST_NO_PATH, "there is no second file", diagnostic);
    mst_status status = mst_range_fields(document, &range, found_field, &all, diagnostic);
    if (status == MST_ARGUMENT && !all.any)
        return bad(offset, MST_NO_PATH, "nothing is packed at that offset", diagnostic);
    if (status != MST_OK || all.any)
        return status;
    bad(offset, MST_NO_PATH, "the file ends before that offset", diagnostic);
    size_t size = 0;
    mst_document_file(document, range.file, NULL, &size);
    if (diagnostic && !range.packed)
        MST_SET(diagnostic->expected, "less than 0x%llx", (unsigned long long)size);
    return MST_NO_PATH;
}

/* ---- paths ------------------------------------------------------------------------------------------- */

typedef struct wanted_path {
    const char *offset;
    uint64_t at; /* the offset being looked for */
    char *path;
    size_t capacity;
    mst_diagnostic *diagnostic;
} wanted_path;

static mst_status take_path(void *user, const mst_file_field *field) {
    wanted_path *to = user;
    const mst_place *place = &field->place;
    uint64_t begin = place->kind == MST_PLACE_PACKED ? place->inner : place->offset;
    char what[160];
    if (!field->value && field->byte_class == MST_BYTES_GAP)
        return bad(to->offset, MST_NO_PATH, "no field has that byte", to->diagnostic);
    if (!field->value) {
        MST_SET(what, "that byte is the %.40s of %.80s, which follows from the rest", field->name,
                *field->path ? field->path : "the file");
        return bad(to->offset, MST_NO_PATH, what, to->diagnostic);
    }
    if (to->at != begin) {
        MST_SET(what, "that byte is within %.120s", field->path);
        bad(to->offset, MST_ARGUMENT, what, to->diagnostic);
        if (to->diagnostic)
            MST_SET(to->diagnostic->expected, "0x%llx, where it begins", (unsigned long long)begin);
        return MST_ARGUMENT;
    }
    if (strlen(field->path) >= to->capacity)
        return bad(to->offset, MST_ARGUMENT, "the path of the value is too long", to->diagnostic);
    memcpy(to->path, field->path, strlen(field->path) + 1);
    return MST_OK;
}

mst_status mst_offset_path(const mst_document *document, const char *offset, char *path, size_t capacity,
                           mst_diagnostic *diagnostic) {
    mst_file_range range = {.size = sizeof range};
    if (!offset || !path)
        return mst_fail(diagnostic, MST_ARGUMENT, "an offset and a place for the path are needed");
    *path = 0;
    read_offset(offset, &range);
    wanted_path to = {offset, range.offset, path, capacity, diagnostic};
    return mst_offset_field(document, offset, take_path, &to, diagnostic);
}
