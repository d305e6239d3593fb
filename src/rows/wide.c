/* SPDX-License-Identifier: MIT */
/*
 * The fields of things of one class, as columns of `entity`. There are two kinds of classes: those whose
 * things have pairs of a name and a value, where the format's editor defines the pairs of a new one; and
 * numbers that determine the rest of the record. Columns are named as in `property`, with the index of a
 * component: `color[0]`, `parameters.bit`.
 */
#include "../core/json.h"
#include "../core/text.h"
#include "../tables/fields.h"
#include "rows.h"
#include <stdio.h>

#define OTHERS "properties." /* precedes names that columns of all things have */

/* ---- the list of a format whose elements have classes ------------------------------------------------- */

/* NULL if there is none. */
static const mst_field *list_of(const mst_format *format) {
    const mst_record *record = format->tables.root;
    const mst_field *found = NULL;
    const char *at = format->information.rows;
    while (record && *at && !strchr(at, '@')) {
        const size_t n = strcspn(at, ".[ ");
        found = NULL;
        for (mst_fields it = mst_fields_of_record(record); !found && mst_fields_next(&it);)
            if (strncmp(it.field->name, at, n) == 0 && !it.field->name[n])
                found = it.field;
        record = found ? found->record : NULL;
        if (at[n] != '.')
            break;
        at += n + 1;
    }
    return record ? found : NULL;
}

/* The field that determines the class of an element; NULL if there is none. */
static const mst_field *kind_of(const mst_format *format, const mst_field *list) {
    const mst_compared *compared = mst_compared_facts(format, list);
    for (mst_fields it = mst_fields_of_record(list->record);
         compared && compared->kind[0] && mst_fields_next(&it);)
        if (strcmp(it.field->name, compared->kind[0]) == 0)
            return it.field;
    return NULL;
}

/* ---- pairs -------------------------------------------------------------------------------------------- */

static mst_cell_type type_of(const mst_json_node *type) {
    static const char *const reals[] = {"real", "distance", "angle", "color"};
    for (size_t i = 0; i < MST_COUNT_OF(reals); i++)
        if (mst_is_word(type, reals[i]))
            return MST_CELL_REAL;
    return mst_is_word(type, "string") || mst_is_word(type, "file_name") ? MST_CELL_TEXT : MST_CELL_INTEGER;
}

static const char *title_of(mst_rows_columns *to, const char *name, size_t length) {
    bool taken = false;
    for (size_t i = 0; i < to->before_count && !taken; i++)
        taken = strlen(to->before[i].name) == length && memcmp(to->before[i].name, name, length) == 0;
    return mst_arena_printf(to->arena, "%s%.*s", taken ? OTHERS : "", (int)length, name);
}

/* A pair of JSON: {"name":"distance","type":"distance","value":[10]}. */
static void add_pair(mst_rows_columns *to, const mst_json *json, uint32_t pair) {
    const mst_json_node *name = &json->nodes[mst_json_find(json, pair, "name", 4)];
    const mst_json_node *type = &json->nodes[mst_json_find(json, pair, "type", 4)];
    const mst_json_node *value = &json->nodes[mst_json_find(json, pair, "value", 5)];
    const char *title = title_of(to, name->text, name->length);
    const char *doc = mst_arena_printf(to->arena, "A property: %.*s", (int)type->length, type->text);
    to->failed = to->failed || !title || !doc;
    for (uint32_t i = 0; i < value->count && value->count > 1 && !to->failed; i++)
        mst_rows_add(to, mst_arena_printf(to->arena, "%s[%u]", title, (unsigned)i), type_of(type), doc);
    if (value->count < 2 && !to->failed)
        mst_rows_add(to, title, type_of(type), doc);
}

static void add_pairs(mst_rows_columns *to, const mst_format *format, const mst_field *list,
                      const char *kind) {
    static const char whole[] = "{\"properties\":[]}"; /* no value is required */
    const mst_json_node *properties;
    mst_json given, json;
    const char *text = NULL;
    uint32_t at;
    if (mst_json_parse(whole, strlen(whole), to->arena, &given, NULL) != MST_OK ||
        format->adding->of_class(list, kind, &given, to->arena, &text, NULL) != MST_OK ||
        (text && mst_json_parse(text, strlen(text), to->arena, &json, NULL) != MST_OK)) {
        to->failed = true;
        return;
    }
    if (!text || !(at = mst_json_find_member(&json, "properties")))
        return;
    properties = &json.nodes[at];
    for (uint32_t i = at + 1; i < properties->end && !to->failed; i = json.nodes[i].end)
        add_pair(to, &json, i);
}

static void add_pair_classes(mst_rows_columns *to, const mst_format *format, const mst_field *list) {
    const char *names = NULL;
    to->failed = format->adding->of_class(list, NULL, NULL, to->arena, &names, NULL) != MST_OK;
    for (const char *at = names; at && *at && !to->failed; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        mst_rows_add(to, mst_arena_text(to->arena, at, n), MST_CELL_TEXT, "A class");
        at += n;
    }
}

/* ---- numbers that determine the rest ------------------------------------------------------------------ */

/* Whether a field is present only if the variable that `kind` sets has this value. */
static bool depends_on(const mst_field *field, const mst_field *kind, uint32_t value) {
    for (size_t i = 0; i < MST_COUNT_OF(field->when); i++)
        if (field->when[i].operation == MST_EQUAL && field->when[i].variable == kind->bind - 1 &&
            field->when[i].value == value)
            return true;
    return false;
}

/* Longer lists are in `raw` and in `property`. */
static bool is_number_or_text(const mst_field *field) {
    const bool few = field->mode == MST_COUNT_FIXED && field->count > 1 && field->count <= 4 && !field->names;
    return !field->record && !field->chunks && field->kind != MST_KIND_RAW &&
           (field->mode == MST_COUNT_ONE || few || mst_is_text(field)) &&
           !(field->flags & MST_FIELD_REPEATED);
}

/* Adds the members of a record, or with `add` false only tests whether there are any. */
static bool add_record(mst_rows_columns *to, const mst_field *field, bool add) {
    bool any = false;
    for (mst_fields it = mst_fields_of_record(field->record); mst_fields_next(&it) && !to->failed;) {
        const mst_field *one = it.field;
        if (!*one->name || !is_number_or_text(one))
            continue;
        any = true;
        if (add)
            mst_rows_add_field(to, mst_arena_printf(to->arena, "%s.%s", field->name, one->name), one);
    }
    return any;
}

/* For a class, or (NULL) the names of the classes. */
static void add_by_number(mst_rows_columns *to, const mst_field *list, const mst_field *number,
                          const char *kind) {
    for (size_t i = 0; i < number->names->count && !to->failed; i++) {
        const mst_enum_name *one = &number->names->items[i];
        const uint32_t stored = (uint32_t)one->value;
        const uint32_t value = number->transform ? number->transform(stored) : stored;
        if (kind && strcmp(one->name, kind) != 0)
            continue;
        for (mst_fields it = mst_fields_of_record(list->record); mst_fields_next(&it) && !to->failed;) {
            if (!it.field->record || it.field->mode != MST_COUNT_ONE || !depends_on(it.field, number, value))
                continue;
            if (add_record(to, it.field, kind != NULL) && !kind)
                mst_rows_add(to, one->name, MST_CELL_TEXT, "A class");
        }
    }
}

bool mst_rows_of_class(const mst_format *format, const char *kind, mst_rows_columns *to) {
    const mst_field *list = list_of(format), *number = list ? kind_of(format, list) : NULL;
    if (number && number->names && number->bind)
        add_by_number(to, list, number, kind);
    else if (number && MST_OPTION(format->adding, of_class) && kind)
        add_pairs(to, format, list, kind);
    else if (number && MST_OPTION(format->adding, of_class))
        add_pair_classes(to, format, list);
    return !to->failed;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

bool mst_row_is_of_class(const mst_row_element *element, mst_row_members *members, const char *kind) {
    const char *path = element->compared ? element->compared->kind[0] : NULL;
    mst_value value;
    return path && mst_row_find(members, path, &value) && mst_value_is(&value, kind, strlen(kind));
}

/* A property, by its plain name or after OTHERS; a list of one value is treated as that value. */
static void put_pair(mst_rows_cursor *to, const mst_value *pair) {
    char text[sizeof OTHERS + 128] = OTHERS;
    const size_t before = strlen(OTHERS);
    size_t length;
    mst_value name, value, one;
    if (mst_member(pair, "name", &name) != MST_OK || mst_member(pair, "value", &value) != MST_OK ||
        mst_get_text(&name, text + before, 128, &length) != MST_OK || length >= 128)
        return;
    const bool alone = mst_value_type(&value) == MST_TYPE_LIST && mst_count(&value) > 0 &&
                       mst_element(&value, 0, &one) == MST_OK;
    mst_rows_put_value(to, text, before + length, alone ? &one : &value);
    mst_rows_put_value(to, text + before, length, alone ? &one : &value);
    if (alone) {
        mst_rows_put_components(to, text, before + length, &value);
        mst_rows_put_components(to, text + before, length, &value);
    }
}

static void put_members(mst_rows_cursor *to, const mst_value *record) {
    char name[256];
    mst_value value;
    for (mst_iterator it = mst_iterate(record); mst_next(&it, &value);) {
        const int length =
            snprintf(name, sizeof name, "%s.%s", mst_field_of(record)->name, mst_field_of(&value)->name);
        if (length > 0 && (size_t)length < sizeof name && is_number_or_text(mst_field_of(&value)))
            mst_rows_put_field(to, name, (size_t)length, &value);
    }
}

void mst_rows_put_class(mst_rows *rows, size_t first, const mst_value *element) {
    mst_rows_cursor to = {.rows = rows, .first = first, .next = first};
    mst_value value, pair;
    for (mst_iterator it = mst_iterate(element); mst_next(&it, &value);) {
        const mst_field *field = mst_field_of(&value);
        if (field->record && field->record->pairs && mst_value_type(&value) == MST_TYPE_LIST)
            for (mst_iterator pairs = mst_iterate(&value); mst_next(&pairs, &pair);)
                put_pair(&to, &pair);
        else if (mst_value_type(&value) == MST_TYPE_RECORD)
            put_members(&to, &value);
    }
}
