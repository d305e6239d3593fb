/* SPDX-License-Identifier: MIT */
/* Changing the columns or rows of a walkmap: its cells grow or shrink with it. */
#include "../../../core/diagnose.h"
#include "../../../edit/single_edit.h"
#include "../../present.h"
#include "imagery.h"
#include <stdlib.h>
#include <string.h>

typedef struct resize_state {
    mst_value number; /* the number to set */
    const uint8_t *cells;
    size_t count;
    uint32_t columns, rows;         /* the old ones */
    uint32_t new_columns, new_rows; /* 0: there will be no walkmap */
} resize_state;

static bool is_named(const char *path, const char *name) {
    const char *dot = strrchr(path, '.');
    return strcmp(dot ? dot + 1 : path, name) == 0;
}

bool mst_imagery_is_size_of_walkmap(const char *path) {
    return is_named(path, "walkmap_width") || is_named(path, "walkmap_length");
}

/* The state whose walkmap has the number. */
static mst_value find_state(const mst_document *document, const mst_value *number) {
    mst_value root = mst_root(document), states = mst_member_in(&root, "states"), state = states;
    for (mst_iterator it = mst_iterate(&states); mst_next(&it, &state);)
        if (state.end > number->offset)
            break;
    return state;
}

/* Finds the walkmap whose size is set, and its new size; false: no special handling is needed. */
static bool find_walkmap(resize_state *r, const mst_document *document, const mst_operation *operation) {
    const void *cells = NULL;
    char *end;
    long number = strtol(operation->value, &end, 10);
    if (!mst_imagery_is_size_of_walkmap(operation->path) || *end || end == operation->value || number < 0 ||
        number > INT16_MAX || mst_find(mst_root(document), operation->path, &r->number, NULL) != MST_OK)
        return false;
    mst_value state = find_state(document, &r->number), map = mst_member_in(&state, "walkmap");
    mst_get_bytes(&map, &cells, &r->count);
    if (!r->count)
        return false;
    r->cells = cells;
    r->columns = r->new_columns = (uint32_t)mst_number_in(&state, "walkmap_width");
    r->rows = r->new_rows = (uint32_t)mst_number_in(&state, "walkmap_length");
    *(is_named(operation->path, "walkmap_width") ? &r->new_columns : &r->new_rows) = (uint32_t)number;
    return true;
}

static mst_status rebuild(const resize_state *r, mst_document *document, uint16_t number,
                          mst_diagnostic *diagnostic) {
    mst_buffer bytes = {.allocator = document->allocator};
    mst_parsed_writer w = {.to = &bytes, .limit = UINT64_MAX};
    size_t at = (size_t)(r->cells - document->data), after = at + r->count;
    mst_parsed_put(&w, document->data, at - 4); /* up to the count */
    mst_parsed_number(&w, r->new_columns * r->new_rows, 4);
    for (uint32_t i = 0; i < r->new_columns * r->new_rows; i++) {
        uint32_t column = i % r->new_columns, row = i / r->new_columns;
        bool old = column < r->columns && row < r->rows;
        mst_parsed_put(&w, old ? r->cells + column + (size_t)row * r->columns : (const uint8_t *)"", 1);
    }
    mst_parsed_put(&w, document->data + after, (size_t)document->size - after);
    if (w.status != MST_OK) {
        mst_buffer_free(&bytes);
        return mst_fail(diagnostic, w.status, "not enough memory for the edit");
    }
    mst_store16(bytes.data + r->number.offset, number, false);
    return mst_edit_replace(document, &bytes, diagnostic);
}

mst_status mst_imagery_resize_walkmap(mst_document *document, const mst_operation *operation,
                                      const mst_edit_options *options, mst_diagnostic *diagnostic) {
    (void)options;
    resize_state r = {0};
    if (!find_walkmap(&r, document, operation))
        return MST_UNSUPPORTED;
    if ((uint64_t)r.new_columns * r.new_rows > MST_IMAGERY_CELLS) {
        mst_fail(diagnostic, MST_REFUSED, "the walkmap would be too large");
        if (diagnostic)
            MST_SET(diagnostic->expected, "at most %u cells", MST_IMAGERY_CELLS);
        return MST_REFUSED;
    }
    bool columns = is_named(operation->path, "walkmap_width");
    return rebuild(&r, document, (uint16_t)(columns ? r.new_columns : r.new_rows), diagnostic);
}
