/* SPDX-License-Identifier: MIT */
#include "table_row.h"
#include "../../src/core/number.h"
#include "../../src/read/opened.h"
#include "../../src/rows/line.h"
#include "../output/added.h"
#include "../output/csv.h"
#include "../output/show.h"
#include <stdlib.h>
#include <string.h>

static void met_rows_free(met_rows *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].list);
        free(all->items[i].met);
    }
    free(all->items);
}

static mst_status note_met(void *user, const char *path, const mst_value *value) {
    struct met_list *one = user;
    const char *bracket = strrchr(path, '[');
    uint64_t index = bracket ? strtoull(bracket + 1, NULL, 10) : 0;
    (void)value;
    if (index < one->count)
        one->met[index] = true;
    return MST_OK;
}

static const struct met_list *find_met(met_rows *all, const mst_document *document, const char *list,
                                       const condition *of) {
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].of == of && !strcmp(all->items[i].list, list))
            return &all->items[i];
    all->items = need(realloc(all->items, (all->count + 1) * sizeof *all->items));
    struct met_list *made = &all->items[all->count++];
    mst_value elements;
    mst_selected found;
    stream selector = stream_memory();
    *made = (struct met_list){.list = need(strdup(list)), .of = of};
    if (mst_find(mst_root(document), list, &elements, NULL) == MST_OK)
        made->count = mst_count(&elements);
    made->met = need(calloc((size_t)made->count + 1, sizeof *made->met));
    print(&selector, "%s[%s]", list, of->text);
    put(&selector, "", 1);
    mst_select(mst_root(document), selector.data, note_met, made, &found, NULL);
    stream_free(&selector);
    return made;
}

const mst_labels *labels_of(const row *of, const char *title, uint64_t *element) {
    stream list = stream_memory();
    *element = rows_place(of->rows, of->index, &list);
    const mst_labels *labels =
        of->rows->inside ? NULL : labels_of_list(of->labels, of->work->opened.document, list.data, title);
    stream_free(&list);
    return labels;
}

/* The labels for a field, if the format shows its numbers as names and this one has a name. */
static const mst_labels *names_of(const row *of, const char *title, uint64_t *element) {
    bool shows = is_added_column(mst_document_format(of->work->opened.document), title);
    const mst_labels *labels = shows ? labels_of(of, title, element) : NULL;
    return labels && mst_labels_name(labels, *element, 0) ? labels : NULL;
}

void row_end(row *of) {
    cells_end(&of->cells);
    label_cells_free(of->labels);
    met_rows_free(of->met);
}

static void put_list_path(stream *to, const row *of) {
    stream list = stream_memory();
    rows_place(of->rows, of->index, &list);
    put_text(to, list.data);
    stream_free(&list);
}

/* The text that the format adds to a row; false: none. */
static bool added_to(const row *of, const char *title, char text[ADDED_TEXT]) {
    return added_text(&of->value, title, mst_level_sidecars(of->work->opened.level), text);
}

/* ---- cells ---------------------------------------------------------------------------------------- */

/* Whether a cell is, or begins with, free text. */
static bool is_free_text(const mst_value *value) {
    mst_value first;
    return mst_value_type(value) == MST_TYPE_TEXT ||
           (mst_value_type(value) == MST_TYPE_LIST && mst_element(value, 0, &first) == MST_OK &&
            mst_value_type(&first) == MST_TYPE_TEXT);
}

static mst_place place_of(const row *of) {
    uint64_t offset, length;
    mst_place place;
    mst_value_span(&of->value, &offset, &length);
    if (of->rows->inside || /* not in a file */
        mst_place_of(of->value.document, offset, length, &place) != MST_OK)
        place.kind = MST_PLACE_MADE;
    return place;
}

/* Writes the offset; nothing for a value that is not in a file. For packed content the offset of the packed
 * bytes is first. */
static void put_place(stream *to, const row *of) {
    mst_place place = place_of(of);
    if (place.kind != MST_PLACE_MADE)
        print(to, "%llu", (unsigned long long)place.offset);
    if (place.kind == MST_PLACE_PACKED)
        print(to, "+%llu", (unsigned long long)place.inner);
}

/* Returns is_free_text. */
static bool put_cell_plain(stream *to, const row *of, size_t which) {
    const mst_value *value = &of->cells.values[which];
    const char *name = of->cells.of->items[which].name;
    const mst_labels *labels;
    uint64_t element;
    switch (of->cells.of->items[which].kind) {
    case COLUMN_FILE: put_text(to, of->work->input->path); return true;
    case COLUMN_SHA256: put_text(to, of->sha256); break;
    case COLUMN_PATH: rows_put_path(of->rows, of->index, to); break;
    case COLUMN_OFFSET: put_place(to, of); break;
    case COLUMN_PROPERTY:
    case COLUMN_FIELD:
    case COLUMN_DEEP:
        labels = of->cells.found[which] ? names_of(of, name, &element) : labels_of(of, name, &element);
        if (labels) {
            put_labels_plain(to, labels, element);
            return true;
        }
        if (!of->cells.found[which]) {
            char text[ADDED_TEXT];
            if (!strcmp(name, LIST_COLUMN))
                put_list_path(to, of);
            else if (!added_to(of, name, text))
                break;
            else
                put_text(to, text);
            return true;
        }
        if (is_cell(value))
            put_value_plain(to, value);
        else
            put_value_json(to, value);
        return is_free_text(value);
    }
    return false;
}

/* ---- rows ----------------------------------------------------------------------------------------- */

void put_row_csv(stream *to, const table *all, const row *of) {
    stream cell = stream_memory();
    for (size_t i = 0; i < all->shown; i++) {
        if (i)
            put(to, ",", 1);
        cell.size = 0;
        bool text = put_cell_plain(&cell, of, i);
        if (text && all->csv_safe) {
            csv_put_safe_cell(to, cell.data ? cell.data : "", cell.size);
            continue;
        }
        if (text && csv_is_formula(cell.data, cell.size))
            ++*all->formulas;
        csv_put_cell(to, cell.data ? cell.data : "", cell.size);
    }
    put(to, "\n", 1);
    stream_free(&cell);
}

void put_header(const table *all, stream *to) {
    for (size_t i = 0; i < all->shown; i++) {
        put_text(to, i ? "," : "");
        csv_put_cell(to, all->columns.items[i].title, strlen(all->columns.items[i].title));
    }
    put_text(to, "\n");
}

static void put_number_or_null(stream *to, uint64_t number, bool is) {
    char digits[MST_NUMBER_MAX];
    if (is)
        put(to, digits, mst_write_u64(digits, number));
    else
        put_text(to, "null");
}

/* Two numbers, or null: the offset in the file and, for packed content, which begins there, the offset inside
 * it. */
static void put_place_json(stream *to, const row *of) {
    const mst_place place = place_of(of);
    put_number_or_null(to, place.offset, place.kind != MST_PLACE_MADE);
    put_json_key(to, "inner");
    put_number_or_null(to, place.inner, place.kind == MST_PLACE_PACKED);
}

static void put_fixed_json(stream *to, const row *of, column_kind kind) {
    put_json_key(to, fixed_columns[kind]);
    if (kind == COLUMN_FILE)
        put_json_string(to, of->work->input->path, strlen(of->work->input->path));
    else if (kind == COLUMN_SHA256)
        put_json_string(to, of->sha256, strlen(of->sha256));
    else if (kind == COLUMN_PATH) {
        put_text(to, "\"");
        rows_put_path(of->rows, of->index, to);
        put_text(to, "\"");
    } else {
        put_place_json(to, of);
    }
}

/* Always a text or null, for one name or several. */
static void put_label_text(stream *to, const mst_labels *labels, uint64_t element) {
    if (!mst_labels_name(labels, element, 0)) {
        put_text(to, "null");
        return;
    }
    stream text = stream_memory();
    put_labels_plain(&text, labels, element);
    put_json_string(to, text.data, text.size);
    stream_free(&text);
}

static void put_added_json(stream *to, const row *of, const char *title) {
    char text[ADDED_TEXT];
    uint64_t element;
    const mst_labels *labels = labels_of(of, title, &element);
    bool list = !labels && !strcmp(title, LIST_COLUMN);
    if (!labels && !list && !added_to(of, title, text))
        return;
    put_json_key(to, title);
    if (labels) {
        put_label_text(to, labels, element);
    } else if (list) {
        put_text(to, "\"");
        put_list_path(to, of);
        put_text(to, "\"");
    } else {
        put_json_string(to, text, strlen(text));
    }
}

static void put_cell_json(stream *to, const row *of, size_t which) {
    const struct column *one = &of->cells.of->items[which];
    uint64_t element;
    if (one->kind < COLUMN_PROPERTY) {
        put_fixed_json(to, of, one->kind);
    } else if (of->cells.found[which] && names_of(of, one->name, &element)) {
        put_json_key(to, one->title);
        put_label_text(to, names_of(of, one->name, &element), element);
    } else if (of->cells.found[which]) {
        put_json_key(to, one->title);
        line_put_value(to, of->line, one->name, &of->cells.values[which]);
    } else {
        put_added_json(to, of, one->name);
    }
}

/* [["origin",[1,2,3]],["casts_shadows",1]]: names may repeat. */
static void put_properties(stream *to, const mst_value *list) {
    mst_value property, name, value;
    bool first = true;
    put_json_key(to, PROPERTIES);
    put_text(to, "[");
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &property);) {
        if (mst_value_type(&property) != MST_TYPE_RECORD || mst_member(&property, "name", &name) != MST_OK)
            continue;
        put_text(to, first ? "[" : ",[");
        first = false;
        put_value_json(to, &name);
        put_text(to, ",");
        if (mst_member(&property, "value", &value) == MST_OK) {
            value = unwrapped(value);
            put_value_json(to, &value);
        } else {
            put_text(to, "null");
        }
        put_text(to, "]");
    }
    put_text(to, "]");
}

/* The fields of a record in the row: "light.color":[255,240,200]. */
static void put_inner_json(stream *to, const row *of, const mst_value *record) {
    char title[INNER_TITLE];
    mst_value member;
    for (mst_iterator it = mst_iterate(record);
         next_inner(&it, mst_value_field(record).name, &member, title);) {
        put_json_key(to, title);
        line_put_value(to, of->line, title, &member);
    }
}

/* [["drop",1],["broken",0]]: for records that differ by class, where a name may have a number in one and a
 * list in another. */
static void put_pairs_json(stream *to, const mst_value *record) {
    const char *name = mst_value_field(record).name;
    char title[INNER_TITLE];
    bool first = true;
    mst_value member;
    put_json_key(to, name);
    put_text(to, "[");
    for (mst_iterator it = mst_iterate(record); next_inner(&it, name, &member, title); first = false) {
        put_text(to, first ? "[" : ",[");
        put_json_string(to, title + strlen(name) + 1, strlen(title) - strlen(name) - 1);
        put_text(to, ",");
        put_value_json(to, &member);
        put_text(to, "]");
    }
    put_text(to, "]");
}

void put_row_json(stream *to, const table *all, const row *of) {
    line_begin_row(of->line);
    put_text(to, "{");
    if (all->shown) {
        for (size_t i = 0; i < all->shown; i++)
            put_cell_json(to, of, i);
        put_text(to, "}\n");
        return;
    }
    for (size_t i = 0; i < FIXED_COLUMNS; i++)
        put_fixed_json(to, of, (column_kind)i);
    if (of->rows->all_lists)
        put_added_json(to, of, LIST_COLUMN);
    if (mst_value_type(&of->value) != MST_TYPE_RECORD) {
        put_json_key(to, "value");
        put_value_json(to, &of->value);
        put_text(to, "}\n");
        return;
    }
    mst_value field;
    for (mst_iterator it = mst_iterate(&of->value); mst_next(&it, &field);) {
        const char *name = mst_value_field(&field).name;
        if (!strcmp(name, PROPERTIES) && mst_value_type(&field) == MST_TYPE_LIST) {
            line_type(of->line, name);
            put_properties(to, &field);
        } else if (mst_value_type(&field) == MST_TYPE_RECORD) {
            if (!mst_row_differs_by_class(&of->value, &field)) {
                put_inner_json(to, of, &field);
                continue;
            }
            line_type(of->line, name); /* marks the column as written */
            put_pairs_json(to, &field);
        } else if (is_cell(&field)) {
            char capacity[128];
            uint64_t element;
            const mst_labels *labels = names_of(of, name, &element);
            put_json_key(to, column_title(name, capacity));
            if (!labels) {
                line_put_value(to, of->line, name, &field);
                continue;
            }
            line_type(of->line, name); /* marks the column as written */
            put_label_text(to, labels, element);
        }
    }
    char name[ADDED_COLUMN];
    for (size_t i = 0; added_column_at(mst_document_format(of->work->opened.document), i, name); i++) {
        const size_t before = to->size;
        if (mst_member(&of->value, name, &field) == MST_OK)
            continue;
        line_type(of->line, name); /* some versions have a field with that name */
        put_added_json(to, of, name);
        if (of->first && to->size == before) {
            put_json_key(to, name);
            put_text(to, "null");
        }
    }
    if (of->first)
        line_put_rest(to, of->line);
    put_text(to, "}\n");
}

/* Compares values as selectors do, and columns that the table adds by their text. */
static bool is_met(const row *of, const condition *one, stream *cell) {
    bool met = false;
    uint64_t element;
    cell->size = 0;
    const column *in = one->column == SIZE_MAX ? NULL : &of->cells.of->items[one->column];
    if (in && !strcmp(in->title, LIST_COLUMN) && !of->cells.found[one->column]) {
        put_list_path(cell, of);
        put(cell, "", 1);
        return condition_is_met(one, cell->data, &of->value);
    }
    if (in && !of->cells.found[one->column] && !labels_of(of, in->title, &element) &&
        (in->kind < COLUMN_PROPERTY ||
         is_added_column(mst_document_format(of->work->opened.document), in->title))) {
        put_cell_plain(cell, of, one->column);
        put(cell, "", 1);
        return condition_is_met(one, cell->data, &of->value);
    }
    if (in && !of->cells.found[one->column] && in->kind == COLUMN_FIELD && !of->rows->inside &&
        !strpbrk(one->text, "[]")) {
        uint64_t index = rows_place(of->rows, of->index, cell);
        const struct met_list *list = find_met(of->met, of->work->opened.document, cell->data, one);
        return index < list->count && list->met[index];
    }
    return mst_matches(&of->value, one->text, &met, NULL) == MST_OK && met;
}

typedef struct looked_at {
    const row *of;
    stream cell;
} looked_at;

static bool row_meets(void *user, const condition *one) {
    looked_at *at = user;
    return is_met(at->of, one, &at->cell);
}

bool is_wanted(const table *all, const row *of) {
    looked_at at = {of, stream_memory()};
    bool wanted = conditions_hold(&all->conditions, row_meets, &at);
    stream_free(&at.cell);
    return wanted;
}
