/* SPDX-License-Identifier: MIT */
#include "table_rows.h"
#include "columns.h"
#include "level_lists.h"
#include "show.h"
#include <stdlib.h>
#include <string.h>

void rows_close(found_rows *rows) {
    free(rows->path);
    for (size_t i = 0; i < rows->chosen_count; i++)
        free(rows->chosen_rows[i].path);
    free(rows->chosen_rows);
    mst_close(rows->inside);
    *rows = (found_rows){.path = NULL};
}

/* Also accepts paths such as actors[12] in parallel lists. */
static bool is_list(mst_value *value) {
    return mst_value_type(value) == MST_TYPE_LIST || mst_find(*value, "[:]", value, NULL) == MST_OK;
}

/* ---- by a selector -------------------------------------------------------------------------------- */

static void choose(found_rows *rows, found_row row) {
    if (!(rows->chosen_count & (rows->chosen_count + 1))) /* one less than a power of two */
        rows->chosen_rows =
            need(realloc(rows->chosen_rows, 2 * (rows->chosen_count + 1) * sizeof *rows->chosen_rows));
    rows->chosen_rows[rows->chosen_count++] = row;
}

/* Adds the elements of a list that is too long for a cell, or the value itself. */
static mst_status choose_value(void *user, const char *path, const mst_value *value) {
    found_rows *rows = user;
    mst_value element;
    uint64_t index = 0;
    if (mst_value_type(value) != MST_TYPE_LIST || is_cell(value)) {
        choose(rows, (found_row){need(strdup(path)), *value});
        return MST_OK;
    }
    for (mst_iterator it = mst_iterate(value); mst_next(&it, &element); index++) {
        stream text = stream_memory();
        print(&text, "%s[%llu]", path, (unsigned long long)index);
        put(&text, "", 1);
        choose(rows, (found_row){text.data, element});
    }
    return MST_OK;
}

static mst_status find_chosen(const mst_document *document, found_rows *rows, mst_diagnostic *why) {
    mst_selected found;
    mst_status status = mst_select(mst_root(document), rows->path, choose_value, rows, &found, why);
    if (status == MST_OK && !rows->chosen_count) /* gets the reason */
        status = mst_select(mst_root(document), rows->path, choose_value, rows, NULL, why);
    if (status != MST_OK || !rows->chosen_count)
        return status == MST_OK ? MST_NO_PATH : status;
    char *around = need(strdup(rows->chosen_rows[0].path)), *bracket = strrchr(around, '[');
    if (bracket)
        *bracket = 0;
    rows->chosen = true;
    status = mst_find(mst_root(document), around, &rows->list, why);
    free(around);
    is_list(&rows->list);
    return status;
}

/* ---- finding -------------------------------------------------------------------------------------- */

/* Adds the elements of a list that is in no other list. */
static void choose_list(void *user, const char *path, const mst_value *list) {
    found_rows *rows = user;
    mst_value element;
    uint64_t index = 0;
    if (!rows->chosen)
        rows->list = *list;
    rows->chosen = true;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &element); index++) {
        stream text = stream_memory();
        print(&text, "%s[%llu]", path, (unsigned long long)index);
        put(&text, "", 1);
        if (mst_value_type(&element) == MST_TYPE_RECORD)
            choose(rows, (found_row){text.data, element});
        else
            stream_free(&text);
    }
}

mst_status rows_find(const mst_document *document, const char *path, found_rows *rows, mst_diagnostic *why) {
    const mst_format_information *format = mst_document_format(document);
    *rows = (found_rows){.path = NULL};
    if (!path && !*format->rows)
        return blame(why, MST_UNSUPPORTED,
                     "%s has no default list of rows; choose one with --rows PATH (--lists shows them)",
                     format->id);
    if (path && !strcmp(path, ALL_LISTS)) {
        rows->all_lists = true;
        each_list(document, choose_list, rows);
        return rows->chosen ? MST_OK : blame(why, MST_NO_PATH, "%s has no lists", format->id);
    }
    mst_status status = MST_NO_PATH;
    for (const char *at = path ? path : format->rows; status == MST_NO_PATH && *at;) {
        size_t length = path ? strlen(at) : strcspn(at, " ");
        rows_close(rows);
        rows->path = copy_of(at, length);
        if (mst_is_selector(rows->path, 1) && !strchr(rows->path, '@'))
            return find_chosen(document, rows, why);
        status = find_inside(document, rows->path, &rows->inside, &rows->list, why);
        at += length + (at[length] == ' ');
    }
    if (status == MST_OK && !is_list(&rows->list))
        return blame(why, MST_ARGUMENT, "%s is not a list", rows->path);
    return status;
}

/* ---- one by one ----------------------------------------------------------------------------------- */

row_iterator rows_iterate(const found_rows *rows) {
    return (row_iterator){rows, mst_iterate(&rows->list), 0};
}

bool rows_next(row_iterator *it, mst_value *value, uint64_t *index) {
    *index = it->next++;
    if (!it->rows->chosen)
        return mst_next(&it->rest, value);
    if (*index >= it->rows->chosen_count)
        return false;
    *value = it->rows->chosen_rows[*index].value;
    return true;
}

uint64_t rows_count(const found_rows *rows) {
    return rows->chosen ? rows->chosen_count : mst_count(&rows->list);
}

uint64_t rows_place(const found_rows *rows, uint64_t index, stream *list) {
    const char *path = rows->chosen ? rows->chosen_rows[index].path : rows->path;
    const char *bracket = rows->chosen ? strrchr(path, '[') : path + strlen(path);
    list->size = 0;
    put(list, path, bracket ? (size_t)(bracket - path) : strlen(path));
    put(list, "", 1);
    return !rows->chosen ? index : bracket ? strtoull(bracket + 1, NULL, 10) : 0;
}

void rows_put_path(const found_rows *rows, uint64_t index, stream *to) {
    if (rows->chosen)
        put_text(to, rows->chosen_rows[index].path);
    else
        print(to, "%s[%llu]", rows->path, (unsigned long long)index);
}
