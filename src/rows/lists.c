/* SPDX-License-Identifier: MIT */
/* The lists of a document that are rows, and their elements. */
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../tables/fields.h"
#include "rows.h"

#define DEEPEST 16 /* nested records around a list of things with positions: there are at most 3 */

typedef struct listing {
    mst_rows *rows;
    mst_row_function each;
    void *user;
    mst_row_element element;
    bool *leads; /* by record: whether a list of things with positions may be below it */
    const char *main;
    char path[MST_ROW_PATH];
} listing;

static bool is_list(const mst_field *field) {
    return field->mode != MST_COUNT_ONE || (field->flags & MST_FIELD_REPEATED);
}

/* A list of things with positions: corners of faces are not things. */
static bool has_things(const mst_format *format, const mst_field *field) {
    if (!field->record || !field->record->placement || !is_list(field))
        return false;
    const mst_compared *compared = mst_compared_of_list(format, field->name);
    return !compared || compared->as != MST_AS_PARTS;
}

static void find_leads(const mst_format *format, bool *leads) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < format->tables.record_count; i++)
            for (mst_fields it = mst_fields_of_record(format->tables.records[i]);
                 !leads[i] && mst_fields_next(&it);)
                if (has_things(format, it.field) || (it.field->record && leads[it.field->record->index]))
                    changed = leads[i] = true;
    }
}

size_t mst_row_path(const mst_row_element *element, char *path, size_t capacity) {
    char digits[MST_NUMBER_MAX];
    const size_t length = strlen(element->list), count = mst_write_u64(digits, element->index);
    if (length + count + 3 > capacity)
        return 0;
    memcpy(path, element->list, length);
    path[length] = '[';
    memcpy(path + length + 1, digits, count);
    memcpy(path + length + 1 + count, "]", 2);
    return length + count + 2;
}

/* ---- one list ------------------------------------------------------------------------------------- */

static mst_status take(listing *l, uint64_t index, const mst_value *value) {
    l->element.index = index;
    l->element.value = *value;
    mst_status status = l->each(l->user, &l->element);
    l->element.first = false;
    return status != MST_OK ? status : l->rows->failed ? MST_NO_MEMORY : MST_OK;
}

static mst_status take_selected(void *user, const char *path, const mst_value *value) {
    const char *bracket = strrchr(path, '[');
    const size_t length = bracket ? strcspn(bracket + 1, "]") : 0;
    uint64_t index = 0;
    return length && mst_read_u64(bracket + 1, length, &index) ? take(user, index, value) : MST_OK;
}

/* The elements that meet the conditions. Lists whose elements cannot meet them are left out, except the main
 * one. */
static mst_status list_selected(listing *l, const char *path, bool is_main) {
    mst_rows *rows = l->rows;
    mst_diagnostic why = {.status = MST_OK};
    char *selector = mst_arena_printf(&rows->arena, "%s[%s]", path, rows->where);
    if (!selector)
        return MST_NO_MEMORY;
    mst_selected found;
    mst_status status = mst_select(mst_root(l->element.document), selector, take_selected, l, &found, &why);
    if (status == MST_NO_PATH || (status == MST_ARGUMENT && !is_main))
        return MST_OK;
    if (status != MST_OK && rows->diagnostic)
        *rows->diagnostic = why;
    return status;
}

/* `path` is the list's path in its document, and `shown` includes the content that it is inside. */
static mst_status take_list(listing *l, const mst_value *list, const char *path, const char *shown,
                            bool is_main) {
    mst_value value;
    mst_status status = MST_OK;
    uint64_t index = 0;
    l->element.list = shown;
    l->element.first = true;
    l->element.compared = mst_compared_of_list(l->element.document->format, path);
    if (l->rows->where && mst_count(list))
        return list_selected(l, path, is_main);
    if (l->rows->by_element)
        mst_rows_expect(l->rows, mst_count(list));
    for (mst_iterator it = mst_iterate(list); status == MST_OK && mst_next(&it, &value);)
        status = take(l, index++, &value);
    return status;
}

/* ---- all lists ------------------------------------------------------------------------------------ */

static mst_status visit(listing *l, const mst_value *record, size_t length, unsigned depth);

static mst_status visit_field(listing *l, const mst_value *value, size_t length, unsigned depth) {
    const mst_field *field = mst_field_of(value);
    mst_value element;
    mst_status status = MST_OK;
    const bool list = mst_value_type(value) == MST_TYPE_LIST;
    if (list && has_things(l->rows->document->format, field))
        return strcmp(l->path, l->main) != 0 ? take_list(l, value, l->path, l->path, false) : MST_OK;
    if (!field->record || !l->leads[field->record->index] || depth == DEEPEST)
        return MST_OK;
    if (!list)
        return visit(l, value, length, depth + 1);
    uint64_t index = 0;
    for (mst_iterator it = mst_iterate(value); status == MST_OK && mst_next(&it, &element); index++) {
        const size_t n = mst_path_step(l->path, sizeof l->path, length, "", index);
        if (mst_value_type(&element) == MST_TYPE_RECORD)
            status = visit(l, &element, n, depth + 1);
        else if (mst_value_type(&element) == MST_TYPE_LIST)
            status = visit_field(l, &element, n, depth + 1);
    }
    return status;
}

static mst_status visit(listing *l, const mst_value *record, size_t length, unsigned depth) {
    mst_value value;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(record); status == MST_OK && mst_next(&it, &value);) {
        const mst_field *field = mst_field_of(&value);
        if (!field->record)
            continue;
        const size_t n = mst_path_step(l->path, sizeof l->path, length, field->name, UINT64_MAX);
        status = visit_field(l, &value, n, depth);
    }
    return status;
}

/* ---- the default list ----------------------------------------------------------------------------- */

/* The value at a path in which each '@' continues in the unpacked content before it; `inside` must then be
 * closed. */
static mst_status find_inside(const mst_document *document, const char *path, mst_document **inside,
                              mst_value *value, const char **last) {
    for (;;) {
        char part[MST_ROW_PATH];
        const size_t n = strcspn(path, "@");
        if (n >= sizeof part)
            return MST_NO_PATH;
        memcpy(part, path, n);
        part[n] = 0;
        mst_status status = mst_find(mst_root(*inside ? *inside : document), part, value, NULL);
        *last = path;
        if (status != MST_OK || !path[n])
            return status;
        mst_document *content = NULL;
        status = mst_open_content(value, NULL, &content, NULL);
        mst_close(*inside);
        *inside = content;
        if (status != MST_OK)
            return status;
        path += n + 1;
    }
}

/* The first of the format's default lists that the document has. */
static mst_status take_main(listing *l) {
    const char *at = l->rows->document->format->information.rows;
    while (*at) {
        const size_t n = strcspn(at, " ");
        char *path = mst_arena_text(&l->rows->arena, at, n);
        mst_document *inside = NULL;
        mst_value list;
        const char *last = NULL;
        if (!path)
            return MST_NO_MEMORY;
        if (find_inside(l->rows->document, path, &inside, &list, &last) == MST_OK) {
            l->main = path;
            l->element.document = inside ? inside : l->rows->document;
            l->element.inside = inside != NULL;
            mst_status status = take_list(l, &list, last, path, true);
            mst_close(inside);
            return status;
        }
        mst_close(inside);
        at += n + strspn(at + n, " ");
    }
    return MST_OK;
}

mst_status mst_rows_each(mst_rows *rows, bool only, mst_row_function each, void *user) {
    const mst_format *format = rows->document->format;
    listing *l = mst_arena_zero(&rows->arena, 1, sizeof *l);
    bool *leads = mst_arena_zero(&rows->arena, format->tables.record_count + 1, sizeof *leads);
    if (!l || !leads)
        return MST_NO_MEMORY;
    *l = (listing){.rows = rows, .each = each, .user = user, .leads = leads, .main = ""};
    mst_status status = take_main(l);
    if (only || status != MST_OK)
        return status;
    find_leads(format, leads);
    const mst_value root = mst_root(rows->document);
    l->element.document = rows->document;
    l->element.inside = false;
    if (!leads[format->tables.root->index])
        return MST_OK;
    return visit(l, &root, 0, 0);
}
