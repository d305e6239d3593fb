/* SPDX-License-Identifier: MIT */
#include "conditions.h"
#include "../core/diagnose.h"
#include "../core/number.h"
#include "../core/text.h"
#include "../tables/fields.h"
#include "../tables/room_hooks.h"
#include "expression.h"
#include "joined.h"
#include "opened.h"
#include "placement.h"
#include <stdio.h>

#define MAX_TEXT 512 /* longer texts are never alike */

/* ---- conditions ------------------------------------------------------------------------------------- */

typedef enum comparison { IS, IS_NOT, BELOW, AT_MOST, ABOVE, AT_LEAST, LIKE, UNLIKE, HAS, EXISTS } comparison;
static const struct {
    const char *text;
    comparison kind;
} operators[] = {{"!=", IS_NOT}, {"!~", UNLIKE}, {"<=", AT_MOST}, {">=", AT_LEAST}, {"==", IS},
                 {"=", IS},      {"<", BELOW},   {">", ABOVE},    {"~", LIKE},      {" has ", HAS}};

typedef struct condition {
    comparison kind;
    mst_excerpt path, wanted;
    bool calculates; /* the right side is an expression */
} condition;

static bool can_calculate(comparison kind) {
    return kind <= AT_LEAST;
}

/* Splits one condition at its operator, which follows a path. */
static condition split(mst_excerpt text) {
    for (size_t i = 0; i < text.length; i++)
        for (size_t k = 0; k < MST_COUNT_OF(operators); k++) {
            size_t length = strlen(operators[k].text);
            if (length > text.length - i || memcmp(text.text + i, operators[k].text, length) != 0)
                continue;
            mst_excerpt wanted = mst_trimmed(text.text + i + length, text.length - i - length);
            bool calculates = can_calculate(operators[k].kind) && mst_is_in_brackets(wanted);
            if (wanted.length > 1 && wanted.text[0] == '"' && wanted.text[wanted.length - 1] == '"')
                wanted = (mst_excerpt){wanted.text + 1, wanted.length - 2};
            return (condition){operators[k].kind, mst_trimmed(text.text, i), wanted, calculates};
        }
    return (condition){.kind = EXISTS, .path = mst_trimmed(text.text, text.length)};
}

/* ---- one value -------------------------------------------------------------------------------------- */

/* Whether a text begins with the value, followed by a blank, a comma or the end; removes it from the text. */
static bool begins_with(mst_excerpt *text, const mst_value *value) {
    char own[MAX_TEXT];
    size_t length = 0;
    if (mst_get_text(value, own, sizeof own, &length) != MST_OK)
        length = strcspn(text->text, ", ]");
    if (length > text->length || !mst_value_is(value, text->text, length) ||
        (length < text->length && !strchr(", ", text->text[length])))
        return false;
    *text = mst_trimmed(text->text + length, text->length - length);
    if (text->length && *text->text == ',')
        *text = mst_trimmed(text->text + 1, text->length - 1);
    return true;
}

/* Whether a list has these elements: "1 2 3", "1,2,3" or "[1, 2, 3]". */
static bool list_is(const mst_value *list, mst_excerpt wanted) {
    mst_value element;
    if (mst_value_type(list) != MST_TYPE_LIST || !mst_count(list) || !wanted.length)
        return false;
    if (*wanted.text == '[' && wanted.text[wanted.length - 1] == ']')
        wanted = mst_trimmed(wanted.text + 1, wanted.length - 2);
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &element);)
        if (!begins_with(&wanted, &element))
            return false;
    return !wanted.length;
}

static bool is(const mst_value *value, mst_excerpt wanted) {
    return mst_value_is(value, wanted.text, wanted.length) || list_is(value, wanted);
}

static bool matches_pattern(const mst_value *value, mst_excerpt pattern) {
    char text[MAX_TEXT];
    const char *name = mst_get_name(value);
    size_t length;
    if (!name && mst_get_text(value, text, sizeof text, &length) == MST_OK && length < sizeof text)
        name = text;
    return name && mst_text_is_like(name, pattern.text, pattern.length);
}

static bool has_flags(const mst_value *value, mst_excerpt wanted) {
    mst_value one;
    uint64_t bits;
    mst_misfit why;
    const mst_field *field = mst_single_of(value, &one) ? mst_field_of(&one) : NULL;
    return field && (field->flags & MST_FIELD_FLAGS) &&
           mst_flags_of_text(field, wanted.text, wanted.length, NULL, &bits, &why) &&
           (mst_scalar_of(&one) & bits) == bits;
}

/* ---- names of referenced elements -------------------------------------------------------------------- */

/* Whether the element of a list that a number names has this name. */
static bool is_named_by(const mst_value *value, const mst_refers *fact, const mst_value *element,
                        uint64_t index, mst_excerpt wanted, bool like) {
    mst_value name;
    if (!mst_name_of(element, &name) ||
        !(like ? matches_pattern(&name, wanted) : mst_value_is(&name, wanted.text, wanted.length)))
        return false;
    if (fact->key)
        mst_refers_id_of(element, fact->key, &index);
    return mst_number_names(value, fact, index);
}

/* Whether the number names an element of its list that has this name. */
static bool refers_to(const mst_value *value, const mst_refers *fact, mst_excerpt wanted, bool like) {
    mst_value list, element, one;
    uint64_t index = 0;
    if (!mst_target_of(value->document, fact, &list))
        return false;
    if (fact->by == MST_BY_INDEX && !fact->key && mst_single_of(value, &one))
        return mst_element(&list, mst_scalar_of(&one), &element) == MST_OK &&
               is_named_by(value, fact, &element, mst_scalar_of(&one), wanted, like);
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element); index++)
        if (is_named_by(value, fact, &element, index, wanted, like))
            return true;
    return false;
}

static bool names(const mst_value *value, mst_excerpt wanted, bool like) {
    const mst_field *field = mst_field_of(value);
    for (uint8_t i = 0; i < field->refers_count; i++)
        if (refers_to(value, &field->refers[i], wanted, like))
            return true;
    return false;
}

/* Whether the numbers of a field name elements of the list called `name` plus "s", such as layers. */
static bool names_some(const mst_field *field, const char *name, size_t length) {
    for (uint8_t i = 0; i < field->refers_count; i++)
        if (strncmp(field->refers[i].target, name, length) == 0 &&
            strcmp(field->refers[i].target + length, "s") == 0)
            return true;
    return false;
}

/* The first such field of the record that the element has, or that it could have. NULL if there is none. */
static const mst_field *field_that_names(const mst_value *element, const char *name, mst_value *value) {
    const mst_record *record = mst_field_of(element)->record;
    const mst_field *found = NULL;
    for (uint16_t f = 0; record && f < record->field_count; f++) {
        if (!names_some(&record->fields[f], name, strlen(name)))
            continue;
        found = &record->fields[f];
        if (mst_member(element, found->name, value) == MST_OK)
            break;
    }
    return found;
}

/* Whether a number could name elements of the list called `name` plus "s", but names none. */
static bool names_none(const mst_value *value, const char *name) {
    const mst_excerpt any = {"*", 1};
    return names_some(mst_field_of(value), name, strlen(name)) && !names(value, any, true);
}

/* ---- one condition ------------------------------------------------------------------------------------ */

static bool is_within(const mst_value *element, mst_excerpt wanted) {
    double position[3];
    mst_range range;
    return mst_read_range(element->document, wanted, &range) &&
           mst_is_within(&range, position, mst_position_of(element, position));
}

/* ---- labels ------------------------------------------------------------------------------------------ */

static const mst_labels *labels_for(const mst_condition_scope *scope, mst_excerpt text) {
    for (size_t i = 0; scope && i < scope->count; i++)
        if (scope->items[i].at == text.text)
            return scope->items[i].labels;
    return NULL;
}

/* Whether one of the element's labels has the name, matches the pattern (`like`), or has the number. */
static bool has_label(const mst_labels *labels, uint64_t index, mst_excerpt wanted, bool like) {
    const char *name;
    double number = 0;
    bool counts = !like && mst_read_f64(wanted.text, wanted.length, &number);
    for (size_t i = 0; (name = mst_labels_name(labels, index, i)) != NULL; i++) {
        uint64_t id = labels->ids ? labels->ids[labels->named[labels->first[index] + i]] : 0;
        if (like     ? mst_text_is_like(name, wanted.text, wanted.length)
            : counts ? (double)id == number
                     : strlen(name) == wanted.length && memcmp(name, wanted.text, wanted.length) == 0)
            return true;
    }
    return false;
}

/* Whether an element's labels meet a condition; without a wanted name: it has no labels. */
static bool labels_hold(const mst_labels *labels, uint64_t index, comparison kind, mst_excerpt wanted) {
    bool any = mst_labels_name(labels, index, 0) != NULL, in_none = !wanted.length && !any;
    switch (kind) {
    case EXISTS: return any;
    case IS:
    case HAS: return in_none || has_label(labels, index, wanted, false);
    case IS_NOT: return !in_none && !has_label(labels, index, wanted, false);
    case LIKE: return has_label(labels, index, wanted, true);
    case UNLIKE: return !has_label(labels, index, wanted, true);
    case BELOW:
    case AT_MOST:
    case ABOVE:
    case AT_LEAST: break;
    }
    return false;
}

/* ---- one condition ----------------------------------------------------------------------------------- */

static bool is_place(const condition *c) {
    return c->kind == IS && c->path.length == strlen("within") &&
           memcmp(c->path.text, "within", c->path.length) == 0;
}

static bool are_ordered(double real, comparison kind, double limit) {
    return kind == BELOW     ? real < limit
           : kind == AT_MOST ? real <= limit
           : kind == ABOVE   ? real > limit
                             : real >= limit;
}

/* A number as the file stores it. */
static double as_stored(const mst_value *value, double number) {
    mst_value one;
    return mst_single_of(value, &one) && mst_field_of(&one)->kind == MST_KIND_F32 ? (float)number : number;
}

static bool compares(const mst_value *value, comparison kind, mst_excerpt wanted) {
    double real, limit;
    return mst_get_real(value, &real) == MST_OK && mst_read_f64(wanted.text, wanted.length, &limit) &&
           are_ordered(real, kind, as_stored(value, limit));
}

/* Evaluates the expression of a condition, with names as paths below an element (may be NULL); false if it
 * has no value. */
static bool calculate(const mst_value *element, const condition *c, char texts[MAX_TEXT], mst_operand *made) {
    mst_calculation expression = {.text = c->wanted,
                                  .scopes = element,
                                  .scope_count = element != NULL,
                                  .index = UINT64_MAX,
                                  .capacity = MAX_TEXT};
    expression.texts = texts;
    return mst_expression_value(&expression, made, NULL) == MST_OK;
}

/* Whether the value equals an expression's, or is below or above it. False if that has no value. */
static bool meets_expression(const mst_value *element, const mst_value *value, const condition *c) {
    char texts[MAX_TEXT];
    mst_operand made;
    double real;
    if (!calculate(element, c, texts, &made))
        return false;
    mst_excerpt wanted = {texts + made.start, made.length};
    bool same = made.is_text && (is(value, wanted) || names(value, wanted, false));
    if (!made.is_text && mst_get_real(value, &real) == MST_OK) {
        double limit = as_stored(value, made.number);
        if (c->kind != IS && c->kind != IS_NOT)
            return are_ordered(real, c->kind, limit);
        same = real == limit;
    }
    return c->kind == IS ? same : c->kind == IS_NOT && !same;
}

/* Whether labels made for a place include the element: in the room, or in a range, whose labels have no
 * names. */
static bool is_placed(const mst_labels *labels, uint64_t index, mst_excerpt room) {
    return has_label(labels, index, room, false) ||
           (labels->name_count == 1 && !*labels->names[0] && mst_labels_name(labels, index, 0));
}

/* The same with the value of an expression: a name, or a number as text. */
static bool labels_hold_calculated(const mst_value *element, const mst_labels *labels, uint64_t index,
                                   const condition *c) {
    char texts[MAX_TEXT], digits[64];
    mst_operand made;
    if (!calculate(element, c, texts, &made))
        return false;
    mst_excerpt wanted = {texts + made.start, made.length};
    if (!made.is_text)
        wanted = (mst_excerpt){digits, mst_write_f64(digits, made.number)};
    return labels_hold(labels, index, c->kind, wanted);
}

static bool holds(const mst_value *element, const mst_condition_scope *scope, mst_excerpt text) {
    char name[128];
    const condition c = split(text);
    const mst_labels *labels = labels_for(scope, text);
    const comparison kind = c.kind;
    const mst_excerpt wanted = c.wanted;
    mst_value value;
    if (!c.path.length || c.path.length >= sizeof name)
        return false;
    memcpy(name, c.path.text, c.path.length);
    name[c.path.length] = 0;
    if (labels && c.calculates)
        return labels_hold_calculated(element, labels, scope->index, &c);
    if (labels)
        return is_place(&c) ? is_placed(labels, scope->index, wanted)
                            : labels_hold(labels, scope->index, kind, wanted);
    if (mst_find(*element, name, &value, NULL) != MST_OK) {
        if (is_place(&c))
            return is_within(element, wanted);
        if (c.calculates)
            return false;
        value.document = NULL;
        if (!field_that_names(element, name, &value))
            return false;
        if (!value.document) /* it has no such label */
            return kind == IS ? !wanted.length : kind == IS_NOT ? wanted.length : kind == UNLIKE;
    }
    if (c.calculates)
        return meets_expression(element, &value, &c);
    bool in_none = (kind == IS || kind == IS_NOT) && !wanted.length && names_none(&value, name);
    switch (kind) {
    case EXISTS: return true;
    case IS: return in_none || is(&value, wanted) || names(&value, wanted, false);
    case IS_NOT: return !in_none && !is(&value, wanted) && !names(&value, wanted, false);
    case LIKE: return matches_pattern(&value, wanted) || names(&value, wanted, true);
    case UNLIKE: return !matches_pattern(&value, wanted) && !names(&value, wanted, true);
    case HAS: return has_flags(&value, wanted) || names(&value, wanted, false);
    case BELOW:
    case AT_MOST:
    case ABOVE:
    case AT_LEAST: break;
    }
    return compares(&value, kind, wanted);
}

/* ---- several conditions ------------------------------------------------------------------------------- */

typedef struct asked {
    const mst_value *element;
    const mst_condition_scope *scope;
} asked;

static bool element_holds(void *user, mst_excerpt one) {
    const asked *of = user;
    return holds(of->element, of->scope, one);
}

bool mst_conditions_hold(const mst_value *element, const mst_condition_scope *scope, mst_excerpt conditions) {
    asked of = {element, scope};
    return mst_joined_holds(conditions, element_holds, &of);
}

/* Whether an element of the lists that a record's fields refer to has this name. */
static bool is_named(const mst_document *document, const mst_field *field, mst_excerpt wanted,
                     mst_value *list) {
    mst_value element, name;
    for (uint8_t i = 0; i < field->refers_count; i++) {
        if (!mst_target_of(document, &field->refers[i], list))
            continue;
        for (mst_iterator it = mst_iterate(list); mst_next(&it, &element);)
            if (!mst_name_of(&element, &name) || mst_value_is(&name, wanted.text, wanted.length))
                return true;
    }
    return false;
}

/* Whether the field itself can have this value: a number, or the name of one. */
static bool is_value(const mst_field *field, mst_excerpt wanted) {
    double number;
    bool found = (field->flags & MST_FIELD_FLAGS) || mst_read_f64(wanted.text, wanted.length, &number) ||
                 *wanted.text == '[';
    for (size_t i = 0; field->names && i < field->names->count && !found; i++)
        found = strlen(field->names->items[i].name) == wanted.length &&
                memcmp(field->names->items[i].name, wanted.text, wanted.length) == 0;
    return found;
}

/* Whether a file can have one of the lists that a field refers to, although this one may lack it. */
static bool may_be_in_file(const mst_document *document, const mst_field *field) {
    for (uint8_t i = 0; i < field->refers_count; i++)
        for (mst_fields it = mst_fields_of_record(document->format->tables.root); mst_fields_next(&it);)
            if (strcmp(it.field->name, field->refers[i].target) == 0)
                return true;
    return false;
}

/* MST_NO_PATH: a condition names a layer (or other element) that does not exist. */
static mst_status check_name(const mst_document *document, const mst_record *record, mst_excerpt path,
                             mst_excerpt wanted, mst_diagnostic *diagnostic) {
    const mst_field *field = NULL;
    mst_value list = {.document = NULL};
    for (uint16_t f = 0; record && f < record->field_count; f++)
        if (names_some(&record->fields[f], path.text, path.length)) {
            field = &record->fields[f];
            if (is_named(document, field, wanted, &list) || is_value(field, wanted))
                return MST_OK;
        }
    if (!field || (!list.document && !may_be_in_file(document, field))) /* elsewhere, it may exist */
        return MST_OK;
    char name[64], what[192];
    snprintf(name, sizeof name, "%.*s", (int)(wanted.length < 60 ? wanted.length : 60), wanted.text);
    snprintf(what, sizeof what, "there is no %.*s \"%s\"", (int)(path.length < 100 ? path.length : 100),
             path.text, name);
    mst_fail_unnamed(what, list.document ? &list : NULL, name, diagnostic);
    if (diagnostic && !diagnostic->expected[0])
        MST_SET(diagnostic->expected, "none: the level has no %.*ss", (int)path.length, path.text);
    return MST_NO_PATH;
}

static mst_status check_expression(mst_excerpt text, mst_diagnostic *diagnostic) {
    mst_status status = mst_expression_check(text, false, diagnostic);
    if (status != MST_OK && diagnostic && !*diagnostic->expected)
        MST_SET(diagnostic->expected, "an expression, or text in double quotes");
    return status;
}

mst_status mst_conditions_check(const mst_document *document, const mst_record *record,
                                mst_excerpt conditions, mst_diagnostic *diagnostic) {
    mst_excerpt one;
    mst_range range;
    mst_joined all = {.text = conditions.text, .length = conditions.length};
    if (mst_joined_check(conditions, diagnostic) != MST_OK)
        return MST_ARGUMENT;
    while (mst_joined_condition(&all, &one)) {
        const condition c = split(one);
        const mst_excerpt wanted = c.wanted;
        mst_status status = MST_OK;
        if (c.calculates)
            status = check_expression(wanted, diagnostic);
        else if ((c.kind == IS || c.kind == IS_NOT || c.kind == HAS) && wanted.length)
            status = check_name(document, record, c.path, wanted, diagnostic);
        if (status != MST_OK)
            return status;
        if (!is_place(&c) || (document->format->rooms && !memchr(wanted.text, ':', wanted.length)))
            continue;
        if (!mst_read_range(document, wanted, &range)) {
            mst_fail(diagnostic, MST_ARGUMENT, "\"within\" needs two corners, or a point and a distance");
            if (diagnostic) {
                MST_SET(diagnostic->expected, "0,0,0:8,3,8 or 8,3,8:5");
                MST_SET(diagnostic->found, "%.*s", (int)(wanted.length < 60 ? wanted.length : 60),
                        wanted.text);
            }
            return MST_ARGUMENT;
        }
        if (!record || (!record->placement && !mst_has_corners(document, record)))
            return mst_fail(diagnostic, MST_ARGUMENT,
                            "the elements of this list have no position of their own");
    }
    return MST_OK;
}

/* ---- lookups shared by all elements ------------------------------------------------------------------- */

/* Whether an element's own fields decide a condition. */
static bool is_own(const mst_document *document, const mst_record *record, const condition *c) {
    mst_range range;
    if (is_place(c))
        return record->placement && mst_read_range(document, c->wanted, &range);
    if (!c->path.length || memchr(c->path.text, '.', c->path.length) ||
        memchr(c->path.text, '[', c->path.length))
        return true;
    for (uint16_t f = 0; f < record->field_count; f++)
        if ((strlen(record->fields[f].name) == c->path.length &&
             memcmp(record->fields[f].name, c->path.text, c->path.length) == 0) ||
            names_some(&record->fields[f], c->path.text, c->path.length))
            return true;
    return false;
}

static mst_status check_label(const mst_document *document, const condition *c, const mst_labels *labels,
                              mst_diagnostic *diagnostic) {
    char name[64], what[192];
    double number;
    const char *word = is_place(c) ? document->format->rooms->word : c->path.text;
    int length = is_place(c) ? (int)strlen(word) : (int)c->path.length;
    bool exact = c->kind == IS || c->kind == IS_NOT || c->kind == HAS;
    if (!exact || c->calculates || !c->wanted.length || mst_labels_know(labels, c->wanted) ||
        (!is_place(c) && mst_read_f64(c->wanted.text, c->wanted.length, &number)))
        return MST_OK;
    snprintf(name, sizeof name, "%.*s", (int)(c->wanted.length < 60 ? c->wanted.length : 60), c->wanted.text);
    snprintf(what, sizeof what, "there is no %.*s \"%s\"", length < 100 ? length : 100, word, name);
    mst_fail_unlabelled(what, labels, name, diagnostic);
    if (diagnostic && !*diagnostic->expected)
        MST_SET(diagnostic->expected, "none: the level has no %.*ss", length, word);
    return MST_NO_PATH;
}

static mst_status look_up(const mst_document *document, const char *list_path, const condition *c,
                          mst_labels **labels, mst_diagnostic *diagnostic) {
    mst_range range;
    mst_excerpt word = c->path;
    if (is_place(c) && mst_read_range(document, c->wanted, &range))
        return mst_labels_within(labels, document, list_path, &range, diagnostic);
    if (is_place(c) && document->format->rooms)
        word = (mst_excerpt){document->format->rooms->word, strlen(document->format->rooms->word)};
    mst_status status = mst_labels_make(labels, document, list_path, word, NULL, diagnostic);
    if (status == MST_NO_PATH && !is_place(c)) /* not a word for labels */
        return MST_OK;
    return status == MST_OK ? check_label(document, c, *labels, diagnostic) : status;
}

mst_status mst_condition_scope_of(const mst_document *document, const char *list_path, mst_excerpt conditions,
                                  mst_condition_scope *scope, mst_diagnostic *diagnostic) {
    mst_excerpt one;
    mst_value list;
    mst_status status = MST_OK;
    mst_joined all = {.text = conditions.text, .length = conditions.length};
    scope->count = 0;
    if (mst_find(mst_root(document), list_path, &list, NULL) != MST_OK || !mst_field_of(&list)->record)
        return MST_OK;
    while (status == MST_OK && mst_joined_condition(&all, &one)) {
        const condition c = split(one);
        mst_labels *labels = NULL;
        if (is_own(document, mst_field_of(&list)->record, &c))
            continue;
        if (scope->count == MST_LABELLED)
            return mst_fail(diagnostic, MST_ARGUMENT, "too many conditions about layers and the like");
        status = look_up(document, list_path, &c, &labels, diagnostic);
        if (labels) {
            scope->items[scope->count].at = one.text;
            scope->items[scope->count++].labels = labels;
        }
    }
    return status;
}

void mst_condition_scope_release(mst_condition_scope *scope) {
    while (scope->count)
        mst_labels_close(scope->items[--scope->count].labels);
}

bool mst_conditions_are_special(const mst_record *record, mst_excerpt conditions) {
    mst_excerpt one;
    mst_joined all = {.text = conditions.text, .length = conditions.length};
    while (record && mst_joined_condition(&all, &one)) {
        const condition c = split(one);
        if (is_place(&c))
            return true;
        for (uint16_t f = 0; f < record->field_count; f++)
            if (names_some(&record->fields[f], c.path.text, c.path.length))
                return true;
    }
    return false;
}

/* Whether a text equals the wanted one, matches it, or compares with it as a number. */
static bool text_is(const char *text, comparison kind, mst_excerpt wanted) {
    double number, limit;
    if (kind == IS || kind == IS_NOT)
        return (strlen(text) == wanted.length && memcmp(text, wanted.text, wanted.length) == 0) ==
               (kind == IS);
    if (kind == LIKE || kind == UNLIKE)
        return mst_text_is_like(text, wanted.text, wanted.length) == (kind == LIKE);
    return kind != HAS && mst_read_f64(text, strlen(text), &number) &&
           mst_read_f64(wanted.text, wanted.length, &limit) && are_ordered(number, kind, limit);
}

/* The same with the value of an expression: numbers are compared as numbers. */
static bool text_is_calculated(const char *text, const mst_value *element, const condition *c) {
    char texts[MAX_TEXT];
    mst_operand made;
    double number;
    if (!calculate(element, c, texts, &made))
        return false;
    if (made.is_text)
        return text_is(text, c->kind, (mst_excerpt){texts + made.start, made.length});
    const bool is_number = mst_read_f64(text, strlen(text), &number);
    if (c->kind == IS || c->kind == IS_NOT)
        return (is_number && number == made.number) == (c->kind == IS);
    return is_number && are_ordered(number, c->kind, made.number);
}

mst_status mst_text_matches(const char *text, const char *given, const mst_value *element, bool *matches) {
    if (matches)
        *matches = 0;
    if (!text || !given || !matches)
        return MST_ARGUMENT;
    const condition c = split((mst_excerpt){given, strlen(given)});
    if (c.path.length || c.kind == EXISTS ||
        (c.calculates && mst_expression_check(c.wanted, false, NULL) != MST_OK))
        return MST_ARGUMENT;
    *matches = c.calculates ? text_is_calculated(text, element && !mst_is_void(element) ? element : NULL, &c)
                            : text_is(text, c.kind, c.wanted);
    return MST_OK;
}

static bool needs_scope(const mst_document *document, const mst_record *record, mst_excerpt conditions) {
    mst_excerpt one;
    mst_joined all = {.text = conditions.text, .length = conditions.length};
    while (record && mst_joined_condition(&all, &one)) {
        const condition c = split(one);
        if (!is_own(document, record, &c))
            return true;
    }
    return false;
}

mst_status mst_matches(const mst_value *element, const char *conditions, bool *matches,
                       mst_diagnostic *diagnostic) {
    if (matches)
        *matches = 0;
    if (!element || mst_is_void(element) || !conditions || !matches)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "an element, conditions and a place for the answer are needed");
    mst_excerpt all = {conditions, strlen(conditions)};
    const mst_document *document = element->document;
    const char *list_path;
    mst_condition_scope scope = {.count = 0};
    mst_arena arena;
    mst_arena_begin(&arena, &document->allocator, 0);
    mst_status status = mst_conditions_check(document, mst_field_of(element)->record, all, diagnostic);
    if (status == MST_OK && needs_scope(document, mst_field_of(element)->record, all)) {
        status = mst_list_of(element, &arena, &list_path, &scope.index);
        if (status == MST_OK)
            status = mst_condition_scope_of(document, list_path, all, &scope, diagnostic);
        else if (status == MST_NO_PATH)
            status = MST_OK;
    }
    *matches = status == MST_OK && mst_conditions_hold(element, &scope, all);
    mst_condition_scope_release(&scope);
    mst_arena_end(&arena);
    return status;
}
