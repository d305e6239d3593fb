/* SPDX-License-Identifier: MIT */
#include "labels.h"
#include "../core/diagnose.h"
#include "../tables/fields.h"
#include "../tables/room_hooks.h"
#include "conditions.h"
#include "labels_making.h"

#define DEPTH 4 /* of nested records that are searched for lists */

/* ---- facts ------------------------------------------------------------------------------------------ */

/* Whether a list's name is the word, or the word plus "s". */
static bool is_called(const char *list, mst_excerpt word) {
    size_t length = strlen(list);
    bool plural = length == word.length + 1 && list[word.length] == 's';
    return word.length && (plural || length == word.length) && memcmp(list, word.text, word.length) == 0;
}

static const mst_field *innermost(const mst_field *field) {
    while (field->kind == MST_KIND_RECORD && field->record->is_inline)
        field = &field->record->fields[0];
    return field;
}

/* Whether a list of that name has elements with names. */
static bool has_names(const mst_format *format, const char *list) {
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);) {
        if (strcmp(it.field->name, list) != 0 || it.field->kind != MST_KIND_RECORD)
            continue;
        const mst_field *field = innermost(it.field), *name = NULL;
        const mst_record *record = field->kind == MST_KIND_RECORD ? field->record : NULL;
        for (uint16_t f = 0; record && f < record->field_count && !name; f++)
            name = strcmp(record->fields[f].name, "name") == 0 ? innermost(&record->fields[f]) : NULL;
        if (mst_is_text(name ? name : field))
            return true;
    }
    return false;
}

const mst_refers *mst_label_fact(const mst_format *format, const mst_field *field, mst_excerpt word) {
    for (uint8_t i = 0; i < field->refers_count; i++) {
        const mst_refers *fact = &field->refers[i];
        const char *list = mst_last_name(fact->target);
        if (!fact->where && !fact->mask && !fact->about && !fact->then && is_called(list, word) &&
            has_names(format, list))
            return fact;
    }
    return NULL;
}

/* The fact of one of a record's fields: if versions differ, the one by ids, which are indices where elements
 * have none. */
static const mst_refers *fact_in(const mst_format *format, const mst_record *record, mst_excerpt word,
                                 const mst_field **field) {
    const mst_refers *found = NULL;
    for (uint16_t f = 0; record && f < record->field_count; f++) {
        const mst_refers *fact = mst_label_fact(format, &record->fields[f], word);
        if (fact && (!found || (fact->key && !found->key))) {
            found = fact;
            *field = &record->fields[f];
        }
    }
    return found;
}

static const mst_refers *fact_of(const mst_format *format, const mst_field *field, mst_excerpt word) {
    const mst_field *own;
    const mst_refers *fact = mst_label_fact(format, field, word);
    return fact ? fact : fact_in(format, field->record, word, &own);
}

bool mst_label_number(const mst_value *element, mst_excerpt word, mst_value *number,
                      const mst_refers **fact) {
    const mst_format *format = element->document->format;
    const mst_field *field = mst_field_of(element);
    const mst_record *record = field->kind == MST_KIND_RECORD ? field->record : NULL;
    *number = *element;
    *fact = record ? NULL : mst_label_fact(format, field, word);
    for (uint16_t f = 0; record && f < record->field_count && !*fact; f++) {
        *fact = mst_label_fact(format, &record->fields[f], word);
        if (*fact && mst_member(element, record->fields[f].name, number) != MST_OK)
            *fact = NULL;
    }
    return *fact != NULL;
}

bool mst_number_names(const mst_value *value, const mst_refers *fact, uint64_t id) {
    mst_value number = *value;
    bool list = mst_value_type(value) == MST_TYPE_LIST;
    if (fact->by != MST_BY_BIT)
        return mst_single_of(value, &number) && mst_scalar_of(&number) == id;
    unsigned width = 8 * mst_kind_width[mst_field_of(value)->kind];
    if (!width || (id >= width && (!list || fact->apart)))
        return false;
    return (!list || mst_element(value, fact->apart ? 0 : id / width, &number) == MST_OK) &&
           mst_scalar_of(&number) >> id % width & 1;
}

/* ---- lists ------------------------------------------------------------------------------------------ */

/* Finds a list that is the field of a record, or of one nested in it; `path` is the record's path, and
 * becomes the list's. */
static bool find_field(const mst_value *record, const mst_field *wanted, char *path, size_t capacity,
                       unsigned depth, mst_value *found) {
    size_t length = strlen(path);
    for (mst_fields it = mst_fields_of_record(mst_record_of(record->document, mst_field_of(record)));
         mst_fields_next(&it);) {
        bool single = it.field->kind == MST_KIND_RECORD && !mst_is_list(it.field) &&
                      !(it.field->flags & MST_FIELD_REPEATED) && depth < DEPTH;
        if ((it.field != wanted && !single) || mst_member(record, it.field->name, found) != MST_OK ||
            (it.field == wanted && mst_field_of(found) != wanted))
            continue;
        if (mst_path_step(path, capacity, length, it.field->name, UINT64_MAX) >= capacity)
            return false;
        mst_value inner = *found;
        if (it.field == wanted ||
            (mst_field_of(found) == it.field && find_field(&inner, wanted, path, capacity, depth + 1, found)))
            return true;
        path[length] = 0;
    }
    return false;
}

/* The records around a list, from the innermost on; false after the document itself. */
typedef struct around {
    const mst_document *document;
    const char *list;
    size_t length; /* of the path of the record */
    mst_value record;
    bool done;
} around;

static bool next_around(around *a) {
    char path[MST_LABEL_PATH];
    while (!a->done) {
        while (a->length && a->list[a->length - 1] != '.' && a->list[a->length - 1] != '[')
            a->length--;
        a->length -= a->length > 0;
        a->done = !a->length;
        if (a->length >= sizeof path)
            continue;
        memcpy(path, a->list, a->length);
        path[a->length] = 0;
        a->record = mst_root(a->document);
        if ((!a->length || mst_find(mst_root(a->document), path, &a->record, NULL) == MST_OK) &&
            mst_value_type(&a->record) == MST_TYPE_RECORD)
            return true;
    }
    return false;
}

static around begin_around(const mst_document *document, const char *list) {
    return (around){.document = document, .list = list, .length = strlen(list)};
}

/* Finds a list by its field, as near as possible to another list. */
static bool find_near(const mst_document *document, const char *list_path, const mst_field *field,
                      mst_arena *arena, mst_value *found, const char **path) {
    char text[MST_LABEL_PATH];
    for (around a = begin_around(document, list_path); next_around(&a);) {
        memcpy(text, list_path, a.length);
        text[a.length] = 0;
        if (find_field(&a.record, field, text, sizeof text, 0, found)) {
            *path = mst_arena_text(arena, text, strlen(text));
            return true;
        }
    }
    return false;
}

static mst_status find_targets(const mst_document *document, const char *list_path, mst_arena *arena,
                               mst_label_source *s) {
    s->targets.document = NULL;
    s->targets_path = "";
    for (around a = begin_around(document, list_path); next_around(&a);)
        if (mst_find(a.record, s->fact->target, &s->targets, NULL) == MST_OK) {
            s->targets_path = mst_arena_printf(arena, "%.*s%s%s", (int)a.length, list_path,
                                               a.length ? "." : "", s->fact->target);
            break;
        }
    return s->targets_path && (s->kind < MST_LABEL_BESIDE || s->rows_path) ? MST_OK : MST_NO_MEMORY;
}

bool mst_target_of(const mst_document *document, const mst_refers *fact, mst_value *list) {
    const mst_value root = mst_root(document);
    if (mst_find(root, fact->target, list, NULL) == MST_OK)
        return true;
    for (mst_fields it = mst_fields_of_record(document->format->tables.root); mst_fields_next(&it);) {
        mst_value record;
        bool single = it.field->kind == MST_KIND_RECORD && !mst_is_list(it.field) &&
                      !(it.field->flags & MST_FIELD_REPEATED);
        if (single && mst_member(&root, it.field->name, &record) == MST_OK &&
            mst_find(record, fact->target, list, NULL) == MST_OK)
            return true;
    }
    list->document = NULL;
    return false;
}

bool mst_path_of(const mst_value *list, char *path, size_t capacity) {
    mst_value root = mst_root(list->document), found;
    *path = 0;
    return find_field(&root, mst_field_of(list), path, capacity, 0, &found) && found.offset == list->offset;
}

mst_status mst_list_of(const mst_value *element, mst_arena *arena, const char **list_path, uint64_t *index) {
    char path[MST_LABEL_PATH] = "";
    mst_value root = mst_root(element->document), list, one;
    if (!find_field(&root, mst_field_of(element), path, sizeof path, 0, &list))
        return MST_NO_PATH;
    *index = 0;
    mst_iterator it = mst_iterate(&list);
    while (mst_next(&it, &one) && one.offset != element->offset)
        ++*index;
    if (*index == mst_count(&list))
        return MST_NO_PATH;
    *list_path = mst_arena_text(arena, path, strlen(path));
    return *list_path ? MST_OK : MST_NO_MEMORY;
}

/* ---- sources ---------------------------------------------------------------------------------------- */

/* Whether a list is parallel to another: each element is about the one at the same index. */
static bool is_beside(const mst_field *field, const mst_field *list) {
    return field->parallel && strcmp(mst_last_name(field->parallel->target), list->name) == 0;
}

/* Whether the field lists elements that belong to its record's subject. */
static bool lists_members(const mst_field *field, const mst_field *list) {
    for (uint8_t i = 0; i < field->refers_count; i++)
        if (field->refers[i].member && field->refers[i].by == MST_BY_INDEX && mst_is_list(field) &&
            strcmp(mst_last_name(field->refers[i].target), list->name) == 0)
            return true;
    return false;
}

static bool find_beside(const mst_document *document, const char *list_path, const mst_field *list,
                        mst_arena *arena, mst_label_source *s) {
    for (mst_fields it = mst_fields_of_format(document->format); mst_fields_next(&it);) {
        s->fact = is_beside(it.field, list) ? fact_of(document->format, it.field, s->word) : NULL;
        if (s->fact && find_near(document, list_path, it.field, arena, &s->rows, &s->rows_path))
            return true;
    }
    return false;
}

static bool find_members(const mst_document *document, const char *list_path, const mst_field *list,
                         mst_arena *arena, mst_label_source *s) {
    const mst_format *format = document->format;
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);) {
        const mst_field *number = NULL;
        s->fact = lists_members(it.field, list) ? fact_in(format, it.record, s->word, &number) : NULL;
        for (mst_fields of = mst_fields_of_format(format); s->fact && mst_fields_next(&of);)
            if (of.field->record == it.record && mst_is_list(of.field) &&
                find_near(document, list_path, of.field, arena, &s->rows, &s->rows_path)) {
                s->members = it.field->name;
                s->number = number->name;
                return true;
            }
    }
    return false;
}

static bool is_in_rooms(const mst_document *document, const char *list_path, mst_excerpt word) {
    const mst_rooms *rooms = document->format->rooms;
    bool known = rooms && (is_called(rooms->word, word) ||
                           (word.length == strlen(rooms->word) + 1 && word.text[word.length - 1] == 's' &&
                            strncmp(rooms->word, word.text, word.length - 1) == 0));
    for (size_t i = 0; known && rooms->lists[i]; i++)
        if (strcmp(rooms->lists[i], list_path) == 0)
            return true;
    return false;
}

mst_status mst_label_source_of(const mst_document *document, const char *list_path, mst_excerpt word,
                               mst_arena *arena, mst_label_source *source) {
    mst_value list;
    mst_label_source s = {.word = word, .targets_path = ""};
    if (mst_find(mst_root(document), list_path, &list, NULL) != MST_OK ||
        mst_value_type(&list) != MST_TYPE_LIST)
        return MST_NO_PATH;
    const mst_field *field = mst_field_of(&list);
    s.fact = fact_of(document->format, field, word);
    if (s.fact)
        s.kind = MST_LABEL_OWN;
    else if (find_beside(document, list_path, field, arena, &s))
        s.kind = MST_LABEL_BESIDE;
    else if (find_members(document, list_path, field, arena, &s))
        s.kind = MST_LABEL_MEMBERS;
    else if (is_in_rooms(document, list_path, word))
        s.kind = MST_LABEL_ROOM;
    else
        return MST_NO_PATH;
    *source = s;
    return s.kind == MST_LABEL_ROOM ? MST_OK : find_targets(document, list_path, arena, source);
}

/* ---- labels of all elements ------------------------------------------------------------------------- */

static mst_status add_label(mst_labels_draft *m, uint64_t element, uint32_t name) {
    mst_label_pair *pair = mst_array_push(&m->pairs, 1);
    if (!pair)
        return MST_NO_MEMORY;
    *pair = (mst_label_pair){element, name};
    return MST_OK;
}

/* Reads the names of the targets, and the numbers by which they are referenced. */
static mst_status read_names(mst_labels_draft *m, const mst_label_source *s) {
    mst_labels *labels = m->labels;
    mst_value element, name;
    uint64_t count = s->targets.document ? mst_count(&s->targets) : 0, index = 0;
    labels->names = mst_arena_take(&labels->arena, (size_t)count + 1, sizeof *labels->names);
    labels->ids = mst_arena_take(&labels->arena, (size_t)count + 1, sizeof *labels->ids);
    if (!labels->names || !labels->ids)
        return MST_NO_MEMORY;
    mst_iterator it = {0};
    if (count)
        it = mst_iterate(&s->targets);
    for (; index < count && mst_next(&it, &element); index++) {
        size_t length = 0;
        char *text = NULL;
        uint64_t id = index;
        if (mst_name_of(&element, &name)) {
            mst_get_text(&name, NULL, 0, &length);
            text = mst_arena_take(&labels->arena, length + 1, 1);
        }
        if (s->fact->key)
            mst_refers_id_of(&element, s->fact->key, &id);
        labels->names[labels->name_count] = text ? text : "";
        labels->ids[labels->name_count++] = id;
        if (text && mst_get_text(&name, text, length + 1, NULL) != MST_OK)
            *text = 0;
    }
    return labels->arena.starved ? MST_NO_MEMORY : MST_OK;
}

static mst_status add_numbers(mst_labels_draft *m, const mst_label_source *s, const mst_value *list) {
    const mst_labels *labels = m->labels;
    const mst_value *rows = s->kind == MST_LABEL_OWN ? list : &s->rows;
    mst_value row, number;
    const mst_refers *fact;
    mst_status status = MST_OK;
    uint64_t i = 0;
    for (mst_iterator it = mst_iterate(rows); i < labels->count && mst_next(&it, &row); i++) {
        if (!mst_label_number(&row, s->word, &number, &fact))
            continue;
        for (uint32_t n = 0; n < labels->name_count && status == MST_OK; n++)
            if (mst_number_names(&number, fact, fact->key ? labels->ids[n] : n))
                status = add_label(m, i, n);
    }
    return status;
}

static mst_status add_members(mst_labels_draft *m, const mst_label_source *s) {
    const mst_labels *labels = m->labels;
    mst_value row, number, members, member;
    mst_status status = MST_OK;
    for (mst_iterator it = mst_iterate(&s->rows); status == MST_OK && mst_next(&it, &row);) {
        uint32_t n = 0;
        if (mst_member(&row, s->number, &number) != MST_OK ||
            mst_member(&row, s->members, &members) != MST_OK)
            continue;
        while (n < labels->name_count && !mst_number_names(&number, s->fact, labels->ids[n]))
            n++;
        if (n == labels->name_count)
            continue;
        for (mst_iterator each = mst_iterate(&members); status == MST_OK && mst_next(&each, &member);)
            if (mst_scalar_of(&member) < labels->count)
                status = add_label(m, mst_scalar_of(&member), n);
    }
    return status;
}

mst_status mst_labels_make(mst_labels **labels, const mst_document *document, const char *list_path,
                           mst_excerpt word, const mst_excerpt *room, mst_diagnostic *diagnostic) {
    mst_arena arena;
    mst_label_source source;
    mst_labels_draft m;
    mst_value list;
    *labels = NULL;
    mst_status status = mst_find(mst_root(document), list_path, &list, diagnostic);
    if (status != MST_OK)
        return status;
    mst_arena_begin(&arena, &document->allocator, 0);
    status = mst_label_source_of(document, list_path, word, &arena, &source);
    if (status == MST_OK) {
        status = mst_labels_begin(&m, document, &list);
        if (status == MST_OK && source.kind != MST_LABEL_ROOM)
            status = read_names(&m, &source);
        if (status == MST_OK)
            status = source.kind == MST_LABEL_ROOM      ? mst_labels_of_rooms(&m, &list, room)
                     : source.kind == MST_LABEL_MEMBERS ? add_members(&m, &source)
                                                        : add_numbers(&m, &source, &list);
        status = mst_labels_end(&m, status, labels, diagnostic);
    } else if (status == MST_NO_PATH) {
        mst_fail(diagnostic, status, "elements of this list have no %.*s", (int)word.length, word.text);
    }
    mst_arena_end(&arena);
    return status;
}

mst_status mst_labels_open(mst_labels **labels, const mst_document *document, const char *list,
                           const char *word, mst_diagnostic *diagnostic) {
    if (!labels || !document || !list || !word)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "a place for labels, a document, a list and a word are needed");
    return mst_labels_make(labels, document, list, (mst_excerpt){word, strlen(word)}, NULL, diagnostic);
}
