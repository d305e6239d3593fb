/* SPDX-License-Identifier: MIT */
#include "add.h"
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../read/placement.h"
#include "../tables/fields.h"

typedef struct add_state {
    const mst_document *document;
    mst_arena *arena;
    mst_diagnostic *diagnostic;
    const char *what;      /* a list's path, or a kind of elements */
    const mst_field *list; /* of the elements; of rows: the list that the others describe */
    mst_value elements;    /* the same; void: an empty archive lacks its lists */
    const char *path, *kind;
    const char *own;                 /* members that state its kind by a schema, as JSON; NULL: `kind` does */
    const mst_check_options *schema; /* NULL: none */
} add_state;

/* ---- the list ---------------------------------------------------------------------------------------- */

/* The field of a record by its name; NULL: it has none. */
static const mst_field *field_named(const mst_record *record, const char *name) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it);)
        if (strcmp(it.field->name, name) == 0)
            return it.field;
    return NULL;
}

/* Whether a path begins with a field of the root record: searching a long list of chunks is slow. */
static bool begins_at_root(const add_state *a, const char *path) {
    const char *name = mst_arena_text(a->arena, path, strcspn(path, ".["));
    return name && field_named(a->document->format->tables.root, name);
}

/* Takes the list at a path, or the list of the rows of the record there. */
static bool take_list(add_state *a, const char *path) {
    mst_value value;
    if (!begins_at_root(a, path) || mst_find(mst_root(a->document), path, &value, NULL) != MST_OK)
        return false;
    a->path = path;
    a->elements = value;
    if (mst_has_rows(&value) && !mst_rows_of(&value, &a->elements)) {
        a->list = field_named(mst_field_of(&value)->record, mst_rows_field(&value, 0)->parallel->target);
        memset(&a->elements, 0, sizeof a->elements);
        return true;
    }
    a->list = mst_field_of(&a->elements);
    uint32_t shape = mst_shape_of(&a->elements);
    return shape == MST_SHAPE_LIST || shape == MST_SHAPE_CHUNK_LIST;
}

/* The same by the name of one element, for lists of the root record or of a record directly below it: a layer
 * is added to the layers, a face to the mesh's faces. */
static bool take_list_of(add_state *a, const char *one) {
    const char *list = strpbrk(one, ".[") ? NULL : mst_arena_printf(a->arena, "%ss", one);
    if (list && take_list(a, list))
        return true;
    for (mst_fields it = mst_fields_of_record(a->document->format->tables.root);
         list && mst_fields_next(&it);) {
        if (it.field->mode != MST_COUNT_ONE || !it.field->record || !field_named(it.field->record, list))
            continue;
        const char *path = mst_arena_printf(a->arena, "%s.%s", it.field->name, list);
        return path && take_list(a, path);
    }
    return false;
}

static bool is_named(const mst_field *field, const char *name) {
    for (size_t i = 0; field->names && i < field->names->count; i++)
        if (strcmp(field->names->items[i].name, name) == 0)
            return true;
    return false;
}

static bool has_rows(const mst_record *record) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it);)
        if (it.field->row)
            return true;
    return false;
}

/* The list that facts are about, and its path: in the root record, or in a record directly below it. NULL: it
 * is elsewhere. */
static const mst_field *list_of(const add_state *a, const mst_compared *facts, const char **path) {
    const mst_record *root = a->document->format->tables.root;
    *path = facts->field;
    if (strcmp(root->name, facts->record) == 0)
        return field_named(root, facts->field);
    for (mst_fields it = mst_fields_of_record(root); mst_fields_next(&it);) {
        if (!it.field->record || strcmp(it.field->record->name, facts->record) != 0)
            continue;
        *path = has_rows(it.field->record)
                    ? it.field->name
                    : mst_arena_printf(a->arena, "%s.%s", it.field->name, facts->field);
        return *path ? field_named(it.field->record, facts->field) : NULL;
    }
    return NULL;
}

/* Takes the main list of the level, if the schema describes its elements by the given name. */
static mst_status find_in_schema(add_state *a) {
    const mst_format *format = a->document->format;
    const char *path = NULL, *json = NULL;
    mst_json made;
    const mst_compared *facts = format->tables.compared;
    if (!a->schema || !MST_OPTION(format->adding, from_schema) || !format->information.rows)
        return MST_NO_PATH;
    while (facts && facts->record &&
           !(facts->kind[0] && list_of(a, facts, &path) && strcmp(path, format->information.rows) == 0))
        facts++;
    if (!facts || !facts->record || !take_list(a, format->information.rows))
        return MST_NO_PATH;
    mst_status status = format->adding->from_schema(a->document, a->list, a->what, NULL, a->schema, a->arena,
                                                    &json, a->diagnostic);
    if (status == MST_OK && json)
        status = mst_json_parse(json, strlen(json), a->arena, &made, a->diagnostic);
    if (status != MST_OK || !json)
        return status == MST_OK ? MST_NO_PATH : status;
    a->own = "";
    for (uint32_t at = 1; a->own && at < made.nodes[0].end; at = made.nodes[at + 1].end)
        for (size_t i = 0; i < MST_COMPARED_PATHS && facts->keys[i]; i++)
            if (strlen(facts->keys[i]) == made.nodes[at].length &&
                memcmp(facts->keys[i], made.nodes[at].text, made.nodes[at].length) == 0 && a->own)
                a->own = mst_arena_printf(a->arena, "%s%s\"%s\":%s", a->own, *a->own ? "," : "",
                                          facts->keys[i], mst_json_text_of(&made, at + 1, a->arena));
    return a->own ? MST_OK : MST_NO_MEMORY;
}

/* Finds the list whose elements may be of a kind: one whose tables have the kind's name or, where kinds are
 * any text, the main list of the level. */
static mst_status find_kind(add_state *a) {
    const mst_format *format = a->document->format;
    unsigned found = 0;
    add_state one = *a;
    for (const mst_compared *facts = format->tables.compared; facts && facts->record; facts++) {
        const char *path;
        const mst_field *list = facts->kind[0] ? list_of(a, facts, &path) : NULL;
        const mst_field *kind = list && list->record ? field_named(list->record, facts->kind[0]) : NULL;
        bool main = kind && format->information.rows && strcmp(path, format->information.rows) == 0;
        if (!kind || !(is_named(kind, a->what) || (main && mst_is_text(kind))) || !take_list(&one, path))
            continue;
        found++;
        *a = one;
        a->kind = facts->kind[0];
    }
    mst_status status = found ? MST_OK : find_in_schema(a);
    if (found == 1 || (!found && status != MST_NO_PATH))
        return status;
    mst_fail(a->diagnostic, found ? MST_ARGUMENT : MST_NO_PATH,
             found ? "elements of several lists match: name the list"
                   : "there is no list, class or type with that name");
    if (a->diagnostic) {
        MST_SET(a->diagnostic->path, "%s", a->what);
        if (!found && MST_OPTION(format->adding, from_schema) && !a->schema)
            MST_SET(a->diagnostic->expected, "a list, a class, or --schema with a class of that name");
    }
    return found ? MST_ARGUMENT : MST_NO_PATH;
}

/* ---- its values ---------------------------------------------------------------------------------------- */

/* Numbers separated by commas, possibly in the editor's unit, as JSON. NULL: something else. */
static const char *numbers_of(const add_state *a, const char *text, size_t length) {
    bool list = length && memchr(text, ',', length) != NULL;
    const char *made = list ? "[" : "";
    for (bool more = true; more && made;) {
        const char *comma = length ? memchr(text, ',', length) : NULL;
        size_t one = comma ? (size_t)(comma - text) : length;
        char digits[MST_NUMBER_MAX + 1];
        double number[3];
        if (mst_read_position(a->document, (mst_excerpt){text, one}, number) != 1)
            return NULL;
        digits[mst_write_f64(digits, number[0])] = 0;
        made = mst_arena_printf(a->arena, "%s%s%s", made, made[0] && made[1] ? "," : "", digits);
        more = comma != NULL;
        text += one + more;
        length -= one + more;
    }
    return list && made ? mst_arena_printf(a->arena, "%s]", made) : made;
}

/* Texts separated by commas, as a list. */
static const char *list_of_texts(const add_state *a, const char *text, size_t length) {
    const char *made = "[";
    while (length && made) {
        const char *comma = memchr(text, ',', length);
        size_t one = comma ? (size_t)(comma - text) : length;
        const char *quoted = mst_json_quoted(a->arena, text, one);
        made = quoted ? mst_arena_printf(a->arena, "%s%s%s", made, made[1] ? "," : "", quoted) : NULL;
        one += comma != NULL;
        text += one;
        length -= one;
    }
    return made ? mst_arena_printf(a->arena, "%s]", made) : NULL;
}

/* A value in the form that the field needs (NULL: a property): users write 1,2,3 and 12 without brackets and
 * quotes. */
static const char *value_text(const add_state *a, const mst_json *json, uint32_t at, const mst_field *field) {
    const mst_json_node *node = &json->nodes[at];
    bool text = field && mst_is_text(field);
    if (text &&
        (node->kind == MST_JSON_NUMBER || node->kind == MST_JSON_TRUE || node->kind == MST_JSON_FALSE)) {
        const char *plain = mst_json_text_of(json, at, a->arena);
        return plain ? mst_json_quoted(a->arena, plain, strlen(plain)) : NULL;
    }
    if (field && (field->flags & MST_FIELD_FLAGS) && node->kind == MST_JSON_STRING)
        return list_of_texts(a, node->text, node->length);
    if (!text && node->kind == MST_JSON_STRING && (!field || !field->names)) {
        const char *numbers = numbers_of(a, node->text, node->length);
        if (numbers)
            return numbers;
    }
    return mst_json_text_of(json, at, a->arena);
}

/* The list of named values that records have; NULL: they have none. */
static const mst_field *pairs_of(const mst_record *record) {
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it);)
        if (it.field->record && it.field->record->pairs)
            return it.field;
    return NULL;
}

/* Whether rows have a member of that name in another list. */
static bool is_beside(const add_state *a, const char *name) {
    mst_value record;
    if (mst_find(mst_root(a->document), a->path, &record, NULL) != MST_OK || !mst_has_rows(&record))
        return false;
    for (unsigned i = 0; i < MST_ROW_MEMBERS; i++) {
        const mst_field *field = mst_rows_field(&record, i);
        if (field && field->row && strcmp(field->row, name) == 0)
            return true;
    }
    return false;
}

/* Writes the element as JSON: members that are not fields become named values. */
static mst_status write_element(const add_state *a, const mst_json *json, const char **made) {
    const mst_record *record = a->list->record;
    const mst_field *pairs = pairs_of(record);
    const mst_json_node *nodes = json->nodes;
    const char *own = a->own ? a->own : "", *named = "";
    if (a->kind) {
        const char *quoted = mst_json_quoted(a->arena, a->what, strlen(a->what));
        own = quoted ? mst_arena_printf(a->arena, "\"%s\":%s", a->kind, quoted) : NULL;
    }
    for (uint32_t at = 1; own && named && json->count && at < nodes[0].end; at = nodes[at + 1].end) {
        const char *name = mst_arena_text(a->arena, nodes[at].text, nodes[at].length);
        const char *key = mst_json_text_of(json, at, a->arena);
        const mst_field *field = name ? field_named(record, name) : NULL;
        bool is_own = !pairs || field || (name && is_beside(a, name));
        const char *value = value_text(a, json, at + 1, field);
        const char **to = is_own ? &own : &named;
        *to = name && key && value ? mst_arena_printf(a->arena, "%s%s%s:%s", *to, **to ? "," : "", key, value)
                                   : NULL;
    }
    if (!own || !named)
        return MST_NO_MEMORY;
    *made = *named ? mst_arena_printf(a->arena, "{%s%s\"%s\":{%s}}", own, *own ? "," : "", pairs->name, named)
                   : mst_arena_printf(a->arena, "{%s}", own);
    return *made ? MST_OK : MST_NO_MEMORY;
}

/* ---- its place ------------------------------------------------------------------------------------ */

/* Whether numbers that should name the element at an index would name nothing. */
static bool is_nameless(const mst_format *format, const mst_field *list, uint64_t index) {
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        for (uint8_t i = 0; i < it.field->refers_count; i++) {
            const mst_refers *fact = &it.field->refers[i];
            for (uint8_t k = 0; fact->by == MST_BY_INDEX && k < fact->nones; k++)
                if (fact->none[k] == index && strcmp(fact->target, list->name) == 0)
                    return true;
        }
    return false;
}

static mst_status find_slot(const add_state *a, mst_added *added) {
    const mst_field *list = a->list;
    mst_value element;
    added->slot_index = 0;
    for (mst_iterator it = mst_iterate(&a->elements); mst_next(&it, &element); added->slot_index++)
        if (list->record->vacant && list->record->vacant(a->document->data + element.offset) &&
            !is_nameless(a->document->format, list, added->slot_index))
            return MST_OK;
    mst_fail(a->diagnostic, MST_REFUSED,
             list->record->vacant ? "the game has a fixed number of them, and all are used"
                                  : "the game has a fixed number of them: set one");
    if (a->diagnostic)
        MST_SET(a->diagnostic->path, "%s", a->path);
    return MST_REFUSED;
}

mst_status mst_add_resolve(const mst_document *document, const mst_operation *operation,
                           const mst_edit_options *options, mst_arena *arena, mst_added *added,
                           mst_diagnostic *diagnostic) {
    add_state a = {.document = document, .arena = arena, .diagnostic = diagnostic, .what = operation->path};
    a.schema = options && options->checks && options->checks->schema ? options->checks : NULL;
    mst_json json = {0};
    mst_status status = MST_OK;
    memset(added, 0, sizeof *added);
    if (!take_list(&a, a.what) && !take_list_of(&a, a.what))
        status = find_kind(&a);
    if (status == MST_OK && operation->value) {
        status = mst_json_parse(operation->value, strlen(operation->value), arena, &json, NULL);
        if (status != MST_NO_MEMORY && (status != MST_OK || json.nodes[0].kind != MST_JSON_OBJECT))
            added->json = operation->value; /* the element is not a record */
    }
    if (status == MST_NO_MEMORY || (status != MST_OK && !added->json) || !a.list)
        return status == MST_OK ? MST_NO_PATH : status;
    added->list = a.path;
    added->elements = a.elements;
    added->slot = (a.list->flags & MST_FIELD_SLOTS) != 0;
    status = added->slot ? find_slot(&a, added) : MST_OK;
    if (status != MST_OK || added->json)
        return status;
    if (!a.list->record || a.list->record->is_inline) {
        mst_fail(diagnostic, MST_ARGUMENT, "its elements are single values: insert one");
        if (diagnostic)
            MST_SET(diagnostic->path, "%s", a.path);
        return MST_ARGUMENT;
    }
    status = write_element(&a, &json, &added->json);
    if (status == MST_OK && MST_OPTION(document->format->adding, place))
        status = document->format->adding->place(document, added, arena, diagnostic);
    return status;
}
