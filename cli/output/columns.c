/* SPDX-License-Identifier: MIT */
#include "columns.h"
#include "show.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_LIST  16 /* longer lists are not shown in cells */
#define ROWS_LOOKED 1000
#define NO_COLUMN   SIZE_MAX

const char *const fixed_columns[FIXED_COLUMNS] = {"file", "sha256", "path", "offset"};

/* ---- names ---------------------------------------------------------------------------------------- */

static bool is_fixed_name(const char *name) {
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        if (!strcmp(name, fixed_columns[i]))
            return true;
    return false;
}

const char *column_title(const char *field, char text[128]) {
    if (!is_fixed_name(field))
        return field;
    memcpy(text, "fields.", 8);
    return strncat(text, field, 100);
}

size_t columns_add(columns *all, const char *title, const char *option) {
    static const size_t prefix = sizeof PROPERTIES; /* with the dot */
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->items[i].title, title))
            return i;
    size_t length = strlen(title) + 1;
    column one = {
        .kind = COLUMN_FIELD, .title = memcpy(need(malloc(length)), title, length), .option = option};
    one.name = one.title;
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        if (!strcmp(title, fixed_columns[i]))
            one.kind = (column_kind)i;
    if (!strncmp(title, PROPERTIES ".", prefix) && title[prefix]) {
        one.kind = COLUMN_PROPERTY;
        one.name += prefix;
    } else if (!strncmp(title, "fields.", 7) && is_fixed_name(title + 7)) {
        one.name += 7;
    } else if (strpbrk(title, ".[")) {
        one.kind = COLUMN_DEEP;
    }
    all->properties = all->properties || one.kind == COLUMN_PROPERTY;
    all->items = need(realloc(all->items, (all->count + 1) * sizeof *all->items));
    all->met = need(realloc(all->met, (all->count + 1) * sizeof *all->met));
    all->items[all->count] = one;
    all->met[all->count] = one.kind < COLUMN_PROPERTY;
    return all->count++;
}

bool columns_have(const columns *all, column_kind kind) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].kind == kind)
            return true;
    return false;
}

void columns_free(columns *all) {
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].title);
    free(all->items);
    free(all->met);
    memset(all, 0, sizeof *all);
}

/* ---- values --------------------------------------------------------------------------------------- */

mst_value unwrapped(mst_value value) {
    mst_value only;
    if (mst_value_type(&value) == MST_TYPE_LIST && mst_count(&value) == 1 &&
        mst_element(&value, 0, &only) == MST_OK && is_scalar(&only))
        return only;
    return value;
}

bool is_cell(const mst_value *value) {
    return is_scalar(value) || is_short_list(value, SHORT_LIST);
}

/* A cell, or a short list of records of cells, such as the commands of a trigger. */
static bool is_inner_cell(const mst_value *value) {
    mst_value element, field;
    if (is_cell(value))
        return true;
    if (mst_value_type(value) != MST_TYPE_LIST || mst_count(value) > SHORT_LIST)
        return false;
    for (mst_iterator it = mst_iterate(value); mst_next(&it, &element);) {
        if (mst_value_type(&element) != MST_TYPE_RECORD)
            return false;
        for (mst_iterator fields = mst_iterate(&element); mst_next(&fields, &field);)
            if (!is_cell(&field))
                return false;
    }
    return true;
}

bool next_inner(mst_iterator *members, const char *record, mst_value *member, char title[INNER_TITLE]) {
    while (mst_next(members, member))
        if (is_inner_cell(member)) {
            snprintf(title, INNER_TITLE, "%s.%s", record, mst_value_field(member).name);
            return true;
        }
    return false;
}

void cells_begin(cells *all, const columns *of) {
    *all = (cells){.of = of};
    all->values = need(calloc(of->count + 1, sizeof *all->values));
    all->found = need(calloc(of->count + 1, sizeof *all->found));
}

void cells_end(cells *all) {
    free(all->values);
    free(all->found);
    free(all->order);
}

static void take(cells *all, size_t which, mst_value value) {
    all->values[which] = unwrapped(value);
    all->found[which] = true;
    if (!all->of->met[which])
        all->of->met[which] = true;
}

/* The column of the field at position `at` in the row: usually the same as in the previous row. */
static size_t column_at(cells *all, size_t at, const char *name) {
    if (at < all->order_count && all->order[at].name == name)
        return all->order[at].column;
    if (at >= all->order_capacity) {
        all->order_capacity = at < 16 ? 32 : 2 * at;
        all->order = need(realloc(all->order, all->order_capacity * sizeof *all->order));
    }
    size_t which = 0;
    while (which < all->of->count &&
           (all->of->items[which].kind != COLUMN_FIELD || strcmp(all->of->items[which].name, name) != 0))
        which++;
    all->order[at].name = name;
    all->order[at].column = which < all->of->count ? which : NO_COLUMN;
    if (at >= all->order_count)
        all->order_count = at + 1;
    return all->order[at].column;
}

static void fill_properties(cells *all, const mst_value *list) {
    mst_value property, name, value;
    char text[256];
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &property);) {
        if (mst_member(&property, "name", &name) != MST_OK ||
            mst_get_text(&name, text, sizeof text, NULL) != MST_OK)
            continue;
        for (size_t i = 0; i < all->of->count; i++)
            if (all->of->items[i].kind == COLUMN_PROPERTY && !all->found[i] &&
                !strcmp(all->of->items[i].name, text) && mst_member(&property, "value", &value) == MST_OK)
                take(all, i, value);
    }
}

/* Whether a column is looked up by a path: `properties[3].value`, or a property by its name alone. */
static bool is_path(const column *one) {
    return one->kind == COLUMN_DEEP || (one->kind == COLUMN_FIELD && *one->option);
}

void cells_fill(cells *all, const mst_value *row) {
    const columns *of = all->of;
    memset(all->found, 0, of->count * sizeof *all->found);
    if (mst_value_type(row) != MST_TYPE_RECORD) {
        for (size_t i = 0; i < of->count; i++)
            if (of->items[i].kind == COLUMN_FIELD && !strcmp(of->items[i].name, "value"))
                take(all, i, *row);
    } else {
        mst_value field;
        size_t at = 0;
        for (mst_iterator it = mst_iterate(row); mst_next(&it, &field); at++) {
            const char *name = mst_value_field(&field).name;
            size_t which = column_at(all, at, name);
            if (which != NO_COLUMN)
                take(all, which, field);
            if (of->properties && !strcmp(name, PROPERTIES) && mst_value_type(&field) == MST_TYPE_LIST)
                fill_properties(all, &field);
        }
    }
    mst_value value;
    for (size_t i = 0; i < of->count; i++)
        if (!all->found[i] && is_path(&of->items[i]) &&
            mst_find(*row, of->items[i].name, &value, NULL) == MST_OK)
            take(all, i, value);
}

/* ---- suggestions ---------------------------------------------------------------------------------- */

static void add_property_names(names *to, const mst_value *list) {
    mst_value property, name;
    char text[sizeof PROPERTIES + 256] = PROPERTIES ".";
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &property);)
        if (mst_member(&property, "name", &name) == MST_OK &&
            mst_get_text(&name, text + sizeof PROPERTIES, 256, NULL) == MST_OK)
            names_add(to, text);
}

void add_column_names(names *to, const mst_value *list) {
    mst_value row, field;
    char capacity[128];
    size_t looked = 0;
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        names_add(to, fixed_columns[i]);
    for (mst_iterator it = mst_iterate(list); looked < ROWS_LOOKED && mst_next(&it, &row); looked++) {
        if (mst_value_type(&row) != MST_TYPE_RECORD) {
            names_add(to, "value");
            continue;
        }
        for (mst_iterator f = mst_iterate(&row); mst_next(&f, &field);) {
            const char *name = mst_value_field(&field).name;
            if (!strcmp(name, PROPERTIES) && mst_value_type(&field) == MST_TYPE_LIST)
                add_property_names(to, &field);
            else
                names_add(to, column_title(name, capacity));
        }
    }
}
