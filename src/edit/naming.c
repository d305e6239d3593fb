/* SPDX-License-Identifier: MIT */
#include "naming.h"
#include "../core/diagnose.h"
#include "../core/json_text.h"
#include "../core/number.h"
#include "../read/conditions.h"
#include "../read/labels.h"
#include "../read/path_end.h"
#include "../tables/fields.h"
#include "../write/given.h"
#include "assign.h"
#include "last_names.h"
#include <stdio.h>
#include <stdlib.h>

#define USUAL_WORDS 8 /* of masks where no other element has one, as in all known levels */

typedef struct naming {
    const mst_document *document;
    const mst_operation *operation;
    mst_arena *arena;
    mst_array *steps;
    mst_diagnostic *diagnostic;
    mst_excerpt word;
    const char *list_path; /* of the elements that are named */
    mst_label_source source;
    const uint64_t *ids; /* of the named elements */
    size_t id_count;
    size_t words; /* words that masks of other elements have; 0: not yet known */
} naming;

static mst_status step(naming *n, mst_operation_kind kind, const char *path, const char *json) {
    mst_operation *one = mst_array_push(n->steps, 1);
    if (!one || !path || (!json && kind != MST_OPERATION_REMOVE))
        return MST_NO_MEMORY;
    *one = (mst_operation){.kind = kind, .path = path, .value = json};
    return MST_OK;
}

static mst_status refuse(naming *n, mst_status status, const char *path, const char *message) {
    mst_fail(n->diagnostic, status, "%s", message);
    if (n->diagnostic)
        MST_SET(n->diagnostic->path, "%s", path);
    return status;
}

/* ---- the values -------------------------------------------------------------------------------------- */

/* The list and the index of the element at a path: "objects[3]". */
static bool split_path(const char *path, mst_arena *arena, const char **list, uint64_t *index) {
    const char *bracket = mst_path_bracket(path);
    if (!bracket || !mst_read_u64(bracket + 1, strlen(bracket) - 2, index))
        return false;
    *list = mst_arena_text(arena, path, (size_t)(bracket - path));
    return *list != NULL;
}

/* ---- the given names --------------------------------------------------------------------------------- */

static mst_status unknown(naming *n, const char *name) {
    char what[192], shown[64];
    const char *path = n->operation->path, *dot = strrchr(path, '.');
    const char *element = mst_arena_text(n->arena, path, dot ? (size_t)(dot - path) : strlen(path));
    mst_value there;
    if (!element)
        return MST_NO_MEMORY;
    if (!mst_is_selector(element, 1) &&
        mst_find(mst_root(n->document), element, &there, n->diagnostic) == MST_NO_PATH)
        return MST_NO_PATH;
    snprintf(shown, sizeof shown, "%.60s", name);
    snprintf(what, sizeof what, "there is no %.*s \"%s\"", (int)(n->word.length < 100 ? n->word.length : 100),
             n->word.text, shown);
    mst_fail_unnamed(what, n->source.targets.document ? &n->source.targets : NULL, shown, n->diagnostic);
    if (n->diagnostic && !*n->diagnostic->expected)
        MST_SET(n->diagnostic->expected, "none: the level has no %.*ss", (int)n->word.length, n->word.text);
    if (n->diagnostic) {
        MST_SET(n->diagnostic->path, "%s", n->operation->path);
        n->diagnostic->status = MST_ARGUMENT;
    }
    return MST_ARGUMENT;
}

static uint64_t id_of(const naming *n, const mst_value *target, uint64_t index) {
    if (n->source.fact->key)
        mst_refers_id_of(target, n->source.fact->key, &index);
    return index;
}

/* The id, or the index, of the target of that name, or (`name` NULL) of that number. */
static bool find_target(const naming *n, const char *name, uint64_t number, uint64_t *id) {
    mst_value target, text;
    uint64_t index = 0;
    if (!n->source.targets.document)
        return false;
    for (mst_iterator it = mst_iterate(&n->source.targets); mst_next(&it, &target); index++) {
        *id = id_of(n, &target, index);
        if (name ? mst_name_of(&target, &text) && mst_value_is(&text, name, strlen(name)) : *id == number)
            return true;
    }
    return false;
}

/* Whether new elements of the targets may be made by naming them: texts that are removed with their last
 * user. */
static bool may_be_new(const naming *n) {
    const mst_value *targets = &n->source.targets;
    mst_value first;
    return n->source.kind == MST_LABEL_OWN && targets->document &&
           (mst_field_of(targets)->flags & MST_FIELD_OWNED) && mst_count(targets) &&
           mst_element(targets, 0, &first) == MST_OK && mst_value_type(&first) == MST_TYPE_TEXT;
}

static mst_status add_target(naming *n, const char *name, uint64_t *id) {
    *id = mst_count(&n->source.targets);
    return step(n, MST_OPERATION_INSERT,
                mst_arena_printf(n->arena, "%s[%llu]", n->source.targets_path, (unsigned long long)*id),
                mst_json_quoted(n->arena, name, strlen(name)));
}

/* `quoted`: it is certainly a name, not a number or JSON with a mistake. */
static mst_status take_name(naming *n, const char *text, size_t length, bool quoted, uint64_t *ids) {
    const char *name = mst_arena_text(n->arena, text, length);
    if (!name)
        return MST_NO_MEMORY;
    if (find_target(n, name, 0, &ids[n->id_count])) {
        n->id_count++;
        return MST_OK;
    }
    if (!length || strcmp(name, "none") == 0)
        return MST_OK;
    if (!may_be_new(n) || (!quoted && strchr("0123456789+-[{\"", *name)))
        return unknown(n, name);
    return add_target(n, name, &ids[n->id_count++]);
}

static mst_status take_number(naming *n, const mst_json_node *node, uint64_t *ids) {
    uint64_t number = 0;
    const char *text = mst_arena_text(n->arena, node->text, node->length);
    if (!text)
        return MST_NO_MEMORY;
    if (!mst_read_u64(node->text, node->length, &number) || !find_target(n, NULL, number, &ids[n->id_count]))
        return unknown(n, text);
    n->id_count++;
    return MST_OK;
}

/* Reads the given value: a name, a number, or a list of these; nothing: no element. */
static mst_status read_names(naming *n, const mst_json *given, bool is_json) {
    const char *text = n->operation->value;
    const mst_json_node *first = is_json ? given->nodes : NULL;
    bool list = is_json && first->kind == MST_JSON_ARRAY;
    uint64_t *ids = mst_arena_take(n->arena, (list ? first->count : 1) + 1u, sizeof *ids);
    mst_status status = MST_OK;
    n->ids = ids;
    n->id_count = 0;
    if (!ids)
        return MST_NO_MEMORY;
    if (!is_json) {
        mst_excerpt name = mst_trimmed(text, strlen(text));
        return take_name(n, name.text, name.length, false, ids);
    }
    for (uint32_t i = list; i < (list ? given->count : 1) && status == MST_OK; i++) {
        const mst_json_node *one = &given->nodes[i];
        if (one->kind == MST_JSON_STRING)
            status = take_name(n, one->text, one->length, true, ids);
        else if (one->kind == MST_JSON_NUMBER)
            status = take_number(n, one, ids);
        else if (one->kind != MST_JSON_NULL || list)
            status = refuse(n, MST_ARGUMENT, n->operation->path, "a name is needed, or a list of names");
    }
    return status;
}

/* ---- numbers ------------------------------------------------------------------------------------------ */

/* The target that the number at a path names; UINT32_MAX: none. */
static uint32_t named_at(const naming *n, const char *path, const mst_labels *labels) {
    mst_value value, one;
    if (mst_find(mst_root(n->document), path, &value, NULL) != MST_OK || !mst_single_of(&value, &one) ||
        mst_scalar_of(&one) >= labels->name_count)
        return UINT32_MAX;
    return (uint32_t)mst_scalar_of(&one);
}

/* Removes targets that only these elements had, as removing the elements would. */
static mst_status drop_unused(naming *n, const mst_located *all) {
    mst_labels *labels;
    mst_status status = mst_labels_make(&labels, n->document, n->list_path, n->word, NULL, n->diagnostic);
    uint64_t *users =
        status == MST_OK ? mst_arena_zero(n->arena, labels->name_count + 1, 2 * sizeof *users) : NULL;
    if (!users) {
        mst_labels_close(labels);
        return status != MST_OK ? status : MST_NO_MEMORY;
    }
    for (uint64_t i = 0; i < labels->first[labels->count]; i++)
        users[labels->named[i]]++;
    uint64_t *leave = users + labels->name_count + 1;
    for (size_t i = 0; i < all->count; i++) {
        uint32_t target = named_at(n, all->paths[i], labels);
        if (target != UINT32_MAX && target != n->ids[0])
            leave[target]++;
    }
    for (size_t i = labels->name_count; i-- > 0 && status == MST_OK;)
        if (leave[i] && leave[i] == users[i])
            status = step(n, MST_OPERATION_REMOVE,
                          mst_arena_printf(n->arena, "%s[%zu]", n->source.targets_path, i), NULL);
    mst_labels_close(labels);
    return status;
}

static mst_status set_numbers(naming *n, const mst_located *all) {
    if (n->id_count != 1)
        return refuse(n, MST_ARGUMENT, n->operation->path, "one name is needed");
    if (n->operation->assignment != MST_ASSIGN && n->operation->assignment != MST_ASSIGN_OR_ADD)
        return refuse(n, MST_ARGUMENT, n->operation->path, "it has one name: set it with =");
    const char *json = mst_arena_printf(n->arena, "%llu", (unsigned long long)n->ids[0]);
    mst_status status = MST_OK;
    for (size_t i = 0; i < all->count && status == MST_OK; i++)
        status = step(n, MST_OPERATION_SET, all->paths[i], json);
    bool owned = may_be_new(n) && n->source.fact->by == MST_BY_INDEX && !n->source.fact->key;
    return status == MST_OK && owned ? drop_unused(n, all) : status;
}

/* ---- bits ---------------------------------------------------------------------------------------------- */

typedef struct mask {
    uint64_t *words;
    size_t count;
    unsigned width;
} mask;

/* How many words the masks of other elements have. */
static size_t usual_words(naming *n, const mst_value *rows) {
    mst_value row, number;
    const mst_refers *fact;
    if (n->words)
        return n->words;
    n->words = USUAL_WORDS;
    for (mst_iterator it = mst_iterate(rows); mst_next(&it, &row);)
        if (mst_label_number(&row, n->word, &number, &fact) && mst_value_type(&number) == MST_TYPE_LIST &&
            mst_count(&number)) {
            n->words = (size_t)mst_count(&number);
            break;
        }
    return n->words;
}

static mst_status begin_mask(naming *n, size_t words, unsigned width, const mst_value *old, mask *m) {
    uint64_t most = 0;
    mst_value word;
    for (size_t i = 0; i < n->id_count; i++)
        most = n->ids[i] > most ? n->ids[i] : most;
    if (most / width >= UINT16_MAX)
        return refuse(n, MST_REFUSED, n->operation->path, "masks have no room for this id");
    *m = (mask){.width = width, .count = words > most / width ? words : (size_t)(most / width + 1)};
    m->words = mst_arena_zero(n->arena, m->count, sizeof *m->words);
    if (!m->words)
        return MST_NO_MEMORY;
    bool list = old && mst_value_type(old) == MST_TYPE_LIST;
    for (size_t i = 0; i < words && old; i++)
        if (!list || mst_element(old, i, &word) == MST_OK)
            m->words[i] = mst_scalar_of(list ? &word : old);
    return MST_OK;
}

/* Changes the bits; returns whether any are left. */
static bool change_bits(const naming *n, mask *m) {
    bool sets = n->operation->assignment == MST_ASSIGN || n->operation->assignment == MST_ASSIGN_OR_ADD;
    uint64_t all = 0;
    if (sets)
        memset(m->words, 0, m->count * sizeof *m->words);
    for (size_t i = 0; i < n->id_count; i++) {
        uint64_t bit = UINT64_C(1) << n->ids[i] % m->width, *word = &m->words[n->ids[i] / m->width];
        *word = n->operation->assignment == MST_ASSIGN_MINUS ? *word & ~bit : *word | bit;
    }
    for (size_t i = 0; i < m->count; i++)
        all |= m->words[i];
    return all != 0;
}

static const char *mask_text(const naming *n, const mask *m, bool list) {
    const char *text = list ? "[" : "";
    for (size_t i = 0; text && i < m->count; i++)
        text = mst_arena_printf(n->arena, "%s%s%llu", text, i ? "," : "", (unsigned long long)m->words[i]);
    return text && list ? mst_arena_printf(n->arena, "%s]", text) : text;
}

/* The field of a record that states whether it has another one; NULL: none does. */
static const mst_field *decides_about(const mst_record *record, const mst_field *field) {
    for (size_t w = 0; w < MST_COUNT_OF(field->when); w++)
        for (uint16_t f = 0; field->when[w].operation == MST_NOT_EQUAL && f < record->field_count; f++)
            if (record->fields[f].bind == field->when[w].variable + 1 && !field->when[w].value)
                return &record->fields[f];
    return NULL;
}

/* Which of a record's fields has the bits, whether or not this one has it now. */
static const mst_field *mask_field(const naming *n, const mst_value *element, const mst_field **decides) {
    const mst_record *record = mst_field_of(element)->record;
    mst_value value;
    for (uint16_t f = 0; record && f < record->field_count; f++) {
        const mst_field *field = &record->fields[f];
        *decides = decides_about(record, field);
        if (mst_label_fact(n->document->format, field, n->word) &&
            (mst_member(element, field->name, &value) == MST_OK ||
             (*decides && mst_member(element, (*decides)->name, &value) == MST_OK)))
            return field;
    }
    return NULL;
}

/* The element as JSON with the mask (NULL: without it), and the field that states whether it has one. */
static mst_status with_mask(naming *n, const mst_value *element, const mst_field *decides,
                            const mst_field *field, const char *text, const char **json) {
    mst_json object, value, made;
    const char *old;
    mst_status status = mst_value_text(element, n->arena, &old, n->diagnostic);
    if (status == MST_OK)
        status = mst_json_parse(old, strlen(old), n->arena, &object, n->diagnostic);
    if (status == MST_OK)
        status = mst_json_parse(text ? "true" : "false", text ? 4 : 5, n->arena, &value, n->diagnostic);
    if (status == MST_OK)
        status = mst_json_with_member(&object, decides->name, &value, n->arena, &made);
    if (status == MST_OK && text)
        status = mst_json_parse(text, strlen(text), n->arena, &value, n->diagnostic);
    if (status == MST_OK)
        status = text ? mst_json_with_member(&made, field->name, &value, n->arena, &object)
                      : mst_json_without_member(&made, field->name, n->arena, &object);
    *json = status == MST_OK ? mst_json_text_of(&object, 0, n->arena) : NULL;
    return status == MST_OK && !*json ? MST_NO_MEMORY : status;
}

/* Whether fields other than the mask exist only with it, and are not at their default. */
static bool has_more(const mst_value *element, const mst_field *decides, const mst_field *field) {
    const mst_record *record = mst_field_of(element)->record;
    mst_value value;
    for (uint16_t f = 0; f < record->field_count; f++) {
        const mst_field *other = &record->fields[f];
        if (other != field && decides_about(record, other) == decides &&
            mst_member(element, other->name, &value) == MST_OK &&
            !((other->flags & MST_FIELD_DEFAULT) && mst_scalar_of(&value) == other->initial))
            return true;
    }
    return false;
}

/* Sets the bits of a record. */
static mst_status set_in_record(naming *n, const char *path, const mst_value *element,
                                const mst_value *rows) {
    const mst_field *decides, *field = mask_field(n, element, &decides);
    mst_value old;
    mask m;
    const char *json;
    if (!field)
        return refuse(n, MST_NO_PATH, path, "it has no such names in this version");
    bool has = mst_member(element, field->name, &old) == MST_OK, list = mst_is_list(field);
    size_t words = has && list && mst_count(&old) ? (size_t)mst_count(&old) : list ? usual_words(n, rows) : 1;
    mst_status status = begin_mask(n, words, 8u * mst_kind_width[field->kind], has ? &old : NULL, &m);
    if (status != MST_OK)
        return status;
    bool any = change_bits(n, &m);
    if (!list && m.count > 1)
        return refuse(n, MST_REFUSED, path, "it has no room for this number");
    const char *text = mask_text(n, &m, list);
    if (!text || (!has && !any))
        return text ? MST_OK : MST_NO_MEMORY;
    if (decides && has != any && !(has && has_more(element, decides, field))) {
        status = with_mask(n, element, decides, field, any ? text : NULL, &json);
        return status == MST_OK ? step(n, MST_OPERATION_SET, path, json) : status;
    }
    return step(n, MST_OPERATION_SET, mst_arena_printf(n->arena, "%s.%s", path, field->name), text);
}

/* Sets the bits of a number that is the element. */
static mst_status set_number(naming *n, const char *path, const mst_value *number) {
    mask m;
    mst_status status = begin_mask(n, 1, 8u * mst_kind_width[mst_field_of(number)->kind], number, &m);
    if (status != MST_OK)
        return status;
    change_bits(n, &m);
    if (m.count > 1)
        return refuse(n, MST_REFUSED, path, "it has no room for this number");
    return step(n, MST_OPERATION_SET, path, mask_text(n, &m, false));
}

static mst_status set_bits(naming *n, uint64_t index) {
    bool own = n->source.kind == MST_LABEL_OWN;
    mst_value list, element;
    const char *list_path = own ? n->list_path : n->source.rows_path;
    mst_status status = mst_find(mst_root(n->document), list_path, &list, n->diagnostic);
    if (status == MST_OK)
        status = mst_element(&list, index, &element);
    const char *path = mst_arena_printf(n->arena, "%s[%llu]", list_path, (unsigned long long)index);
    if (status != MST_OK || !path)
        return status != MST_OK ? status : MST_NO_MEMORY;
    return mst_field_of(&element)->kind == MST_KIND_RECORD ? set_in_record(n, path, &element, &list)
                                                           : set_number(n, path, &element);
}

/* ---- members ------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool is_among(const uint64_t *sorted, size_t count, uint64_t number) {
    return count && bsearch(&number, sorted, count, sizeof number, compare_numbers);
}

/* JSON of members: the old ones, without the elements that leave, and with those that join. */
static const char *members_text(const naming *n, const mst_value *old, const uint64_t *elements, size_t count,
                                bool joins, bool *changes, size_t *left) {
    size_t old_count = old ? (size_t)mst_count(old) : 0, made = 0, at = 1;
    uint64_t *all = mst_arena_take(n->arena, old_count + count + 1, sizeof *all);
    char *text = mst_arena_take(n->arena, old_count + count + 1, MST_NUMBER_MAX + 1);
    mst_value member;
    if (!all || !text)
        return NULL;
    mst_iterator it = {0};
    if (old)
        it = mst_iterate(old);
    for (size_t i = 0; i < old_count && mst_next(&it, &member); i++)
        if (!is_among(elements, count, mst_scalar_of(&member)))
            all[made++] = mst_scalar_of(&member);
    bool sorted = true;
    size_t were_in = old_count - made;
    for (size_t i = 1; i < made; i++)
        sorted = sorted && all[i - 1] < all[i];
    *changes = joins ? were_in != count : were_in != 0;
    for (size_t i = 0; joins && i < count; i++)
        all[made++] = elements[i];
    if (sorted && made)
        qsort(all, made, sizeof *all, compare_numbers);
    *text = '[';
    for (size_t i = 0; i < made; i++) {
        if (i)
            text[at++] = ',';
        at += mst_write_u64(text + at, all[i]);
    }
    memcpy(text + at, "]", 2);
    *left = made;
    return text;
}

/* Changes the members of one row; `joins`: the elements become members, else they are removed. */
static mst_status change_row(naming *n, uint64_t row_index, const mst_value *row, const uint64_t *elements,
                             size_t count, bool joins) {
    mst_value members;
    bool changes;
    size_t left;
    if (mst_member(row, n->source.members, &members) != MST_OK)
        return MST_OK;
    const char *json = members_text(n, &members, elements, count, joins, &changes, &left);
    const char *path =
        mst_arena_printf(n->arena, "%s[%llu]", n->source.rows_path, (unsigned long long)row_index);
    if (!json || !path)
        return MST_NO_MEMORY;
    if (!changes)
        return MST_OK;
    if (!left)
        return step(n, MST_OPERATION_REMOVE, path, NULL);
    return step(n, MST_OPERATION_SET, mst_arena_printf(n->arena, "%s.%s", path, n->source.members), json);
}

static bool is_given(const naming *n, const mst_value *row, uint64_t *id) {
    mst_value number;
    if (mst_member(row, n->source.number, &number) != MST_OK)
        return false;
    *id = mst_scalar_of(&number);
    for (size_t i = 0; i < n->id_count; i++)
        if (n->ids[i] == *id)
            return true;
    return false;
}

static mst_status add_rows(naming *n, const bool *met, const uint64_t *elements, size_t count) {
    mst_status status = MST_OK;
    uint64_t at = mst_count(&n->source.rows);
    bool changes;
    size_t left;
    for (size_t i = 0; i < n->id_count && status == MST_OK; i++) {
        if (met[i])
            continue;
        const char *members = members_text(n, NULL, elements, count, true, &changes, &left);
        const char *json = members
                               ? mst_arena_printf(n->arena, "{\"%s\":%llu,\"%s\":%s}", n->source.number,
                                                  (unsigned long long)n->ids[i], n->source.members, members)
                               : NULL;
        status =
            step(n, MST_OPERATION_INSERT,
                 mst_arena_printf(n->arena, "%s[%llu]", n->source.rows_path, (unsigned long long)at++), json);
    }
    return status;
}

/* Puts elements into groups, or takes them out: from the last row on, as rows without members are removed. */
static mst_status set_members(naming *n, const uint64_t *elements, size_t count) {
    mst_assignment how = n->operation->assignment;
    mst_value row;
    uint64_t id;
    mst_status status = MST_OK;
    bool *met = mst_arena_zero(n->arena, n->id_count + 1, sizeof *met);
    if (!met)
        return MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(&n->source.rows); mst_next(&it, &row);)
        if (is_given(n, &row, &id))
            for (size_t i = 0; i < n->id_count; i++)
                met[i] |= n->ids[i] == id;
    if (how != MST_ASSIGN_MINUS) /* before others are removed, so that the place is the list's end */
        status = add_rows(n, met, elements, count);
    for (uint64_t i = mst_count(&n->source.rows); i-- > 0 && status == MST_OK;) {
        status = mst_element(&n->source.rows, i, &row);
        bool given = status == MST_OK && is_given(n, &row, &id);
        bool joins = given && how != MST_ASSIGN_MINUS;
        if (status == MST_OK && (given || how == MST_ASSIGN || how == MST_ASSIGN_OR_ADD))
            status = change_row(n, i, &row, elements, count, joins);
    }
    return status;
}

/* ---- complete assignments ------------------------------------------------------------------------------ */

/* Whether the field at a path takes the given value unchanged: a number, or one of the field's own names. */
static bool is_plain(const naming *n, const char *path, const mst_json *given, bool is_json) {
    mst_value value, one;
    if (mst_find(mst_root(n->document), path, &value, NULL) != MST_OK)
        return false;
    if ((is_json && given->nodes->kind != MST_JSON_STRING) || strncmp(n->operation->value, "0x", 2) == 0)
        return true;
    const mst_field *field = mst_field_of(mst_single_of(&value, &one) ? &one : &value);
    mst_excerpt name = is_json ? (mst_excerpt){given->nodes->text, given->nodes->length}
                               : mst_trimmed(n->operation->value, strlen(n->operation->value));
    if (mst_is_text(field) || (field->flags & MST_FIELD_FLAGS) || (field->names && field->names->count > 1))
        return true;
    for (size_t i = 0; field->names && i < field->names->count; i++)
        if (strlen(field->names->items[i].name) == name.length &&
            memcmp(field->names->items[i].name, name.text, name.length) == 0)
            return true;
    return !mst_label_fact(n->document->format, field, n->word);
}

static mst_status name_elements(naming *n, const mst_located *all) {
    uint64_t *elements = mst_arena_take(n->arena, all->count + 1, sizeof *elements);
    mst_status status = elements ? MST_OK : MST_NO_MEMORY;
    size_t own = n->word.length + 1;
    for (size_t i = 0; i < all->count && status == MST_OK; i++) {
        const char *list, *path = mst_arena_text(n->arena, all->paths[i], strlen(all->paths[i]) - own);
        if (!path)
            return MST_NO_MEMORY;
        if (!split_path(path, n->arena, &list, &elements[i]) || strcmp(list, n->list_path) != 0)
            return refuse(n, MST_ARGUMENT, all->paths[i], "these are elements of several lists");
        if (n->source.kind != MST_LABEL_MEMBERS)
            status = set_bits(n, elements[i]);
    }
    if (status != MST_OK || n->source.kind != MST_LABEL_MEMBERS)
        return status;
    qsort(elements, all->count, sizeof *elements, compare_numbers);
    return set_members(n, elements, all->count);
}

mst_status mst_name_labels(const mst_document *document, const mst_operation *operation,
                           const mst_located *all, mst_arena *arena, mst_array *steps, bool *named,
                           mst_diagnostic *diagnostic) {
    naming n = {.document = document,
                .operation = operation,
                .arena = arena,
                .steps = steps,
                .diagnostic = diagnostic};
    mst_json given = {0};
    uint64_t index;
    const char *word = mst_label_word_of(document, operation, arena), *name, *element;
    *named = false;
    if (!word || !all->count || !operation->value)
        return MST_OK;
    n.word = (mst_excerpt){word, strlen(word)};
    mst_status status = mst_json_parse(operation->value, strlen(operation->value), arena, &given, NULL);
    if (status == MST_NO_MEMORY)
        return status;
    bool is_json = status == MST_OK;
    element = mst_path_before(all->paths[0], arena, &name);
    if (is_plain(&n, all->paths[0], &given, is_json) || !element ||
        !split_path(element, arena, &n.list_path, &index))
        return MST_OK;
    status = mst_label_source_of(document, n.list_path, n.word, arena, &n.source);
    if (status != MST_OK)
        return status == MST_NO_PATH ? MST_OK : status;
    *named = true;
    if (n.source.kind == MST_LABEL_ROOM)
        return refuse(&n, MST_ARGUMENT, operation->path, "it follows from where the element is: move it");
    if (operation->old)
        return refuse(&n, MST_ARGUMENT, operation->path, "names are set without \"old\"");
    status = read_names(&n, &given, is_json);
    if (status != MST_OK)
        return status;
    bool bits = n.source.kind != MST_LABEL_MEMBERS && n.source.fact->by == MST_BY_BIT;
    return bits || n.source.kind == MST_LABEL_MEMBERS ? name_elements(&n, all) : set_numbers(&n, all);
}
