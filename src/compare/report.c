/* SPDX-License-Identifier: MIT */
/* Changes as reported to callers: the element, its label, and the changed value. */
#include "report.h"
#include "../tables/fields.h"
#include <stdio.h>

/* ---- paths ------------------------------------------------------------------------------------------ */

static uint64_t index_of(const frame *one) {
    return one->indices[MST_OLD] != MST_NOWHERE ? one->indices[MST_OLD] : one->indices[MST_NEW];
}

static const mst_value *value_of(const frame *one) {
    return mst_is_void(&one->values[MST_OLD]) ? &one->values[MST_NEW] : &one->values[MST_OLD];
}

/* The name of a pair, if it is valid in a path and the pair is the first of that name. */
static bool name_of_pair(const comparison *c, const frame *pair, const frame *list, char name[64]) {
    mst_value text, first;
    size_t length;
    char path[80];
    (void)c;
    if (mst_member(value_of(pair), "name", &text) != MST_OK ||
        mst_get_text(&text, name, 64, &length) != MST_OK || !length || length > 63 ||
        strspn(name, "0123456789") == length ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != length)
        return false;
    snprintf(path, sizeof path, "[name=%s]", name);
    const mst_value *of =
        mst_is_void(&pair->values[MST_OLD]) ? &list->values[MST_NEW] : &list->values[MST_OLD];
    return mst_find(*of, path, &first, NULL) == MST_OK && first.offset == value_of(pair)->offset;
}

/* Appends the steps of frames from `at` on, and of `last` (NULL: none). `by_index`: pairs also by index. */
static void put_steps(const comparison *c, size_t at, size_t end, const frame *last, bool by_index,
                      char *path, size_t capacity) {
    const frame *frames = c->frames.items;
    size_t length = strlen(path), count = end + (last != NULL);
    for (size_t i = at; i < count; i++) {
        const frame *one = i == end ? last : &frames[i], *next = i + 1 == end ? last : &frames[i + 1];
        char name[64], step[80];
        if (!one->is_element && !*one->name) /* the only field of a record represents the record */
            continue;
        if (!one->is_pair || !one->is_element || by_index) {
            length = mst_path_step(path, capacity, length, one->name,
                                   one->is_element ? index_of(one) : UINT64_MAX);
            continue;
        }
        bool whole = i + 1 >= count, value = !whole && strcmp(next->name, "value") == 0;
        if (!name_of_pair(c, one, &frames[i - 1], name)) {
            length = mst_path_step(path, capacity, length, "", index_of(one));
        } else if (whole || value) {
            length = mst_path_step(path, capacity, length, name, UINT64_MAX);
            i += value;
        } else {
            int n = snprintf(step, sizeof step, "[name=%s]", name);
            if (n > 0 && length + (size_t)n < capacity) {
                memcpy(path + length, step, (size_t)n + 1);
                length += (size_t)n;
            }
        }
    }
}

/* ---- labels ----------------------------------------------------------------------------------------- */

/* Appends a value to a label: for a text that is a path, its last part; for a number, its name. */
static void put_word(comparison *c, int side, const mst_value *value, char *text, size_t capacity) {
    mst_value one = *value;
    const mst_refers *fact =
        mst_names_by_index(mst_field_of(value)) ? mst_fact_of(mst_field_of(value), NULL) : NULL;
    if (fact && mst_value_type(value) == MST_TYPE_INTEGER)
        mst_scope_element(&c->state, side, fact, mst_scalar_of(value), &one);
    char word[128] = "";
    int64_t number;
    size_t length = strlen(text);
    if (mst_value_type(value) == MST_TYPE_LIST &&
        (mst_count(value) != 1 || mst_element(value, 0, &one) != MST_OK))
        return;
    const char *name = mst_get_name(&one), *from = word;
    if (mst_value_type(&one) == MST_TYPE_TEXT)
        mst_get_text(&one, word, sizeof word, NULL);
    else if (name)
        from = name;
    else if (mst_value_type(&one) == MST_TYPE_INTEGER && mst_get_integer(&one, &number) == MST_OK)
        snprintf(word, sizeof word, "%lld", (long long)number);
    if (mst_value_type(&one) == MST_TYPE_TEXT && strrchr(word, '/') && strrchr(word, '/')[1])
        from = strrchr(word, '/') + 1;
    if (*from && length < capacity)
        snprintf(text + length, capacity - length, "%s%s", length ? " " : "", from);
}

/* The numbers that give an element's place; nothing if it has values other than numbers, or only indices. */
static void put_place(const mst_compared *facts, const mst_value *element, char *text, size_t capacity) {
    size_t length = 0;
    for (size_t i = 0; i < MST_COMPARED_PATHS && facts->place[i]; i++) {
        mst_value found, one;
        if (!mst_diff_find(element, facts->place[i], &found) || mst_names_by_index(mst_field_of(&found)))
            continue;
        bool list = mst_value_type(&found) == MST_TYPE_LIST;
        uint64_t count = list ? mst_count(&found) : 1;
        if (i && list) /* its rotation, its size */
            break;
        for (uint64_t k = 0; k < count && length < capacity; k++) {
            double number;
            one = found;
            if ((list && mst_element(&found, k, &one) != MST_OK) || mst_get_real(&one, &number) != MST_OK)
                return;
            int decimals = mst_value_type(&one) == MST_TYPE_REAL ? 2 : 0;
            int n = snprintf(text + length, capacity - length, "%s%.*f", length ? " " : "", decimals, number);
            length += n > 0 ? (size_t)n : 0;
        }
    }
}

void mst_diff_put_known_by(mst_difference *change, const mst_compared *facts) {
    const mst_value *element =
        mst_is_void(&change->old_element) ? &change->new_element : &change->old_element;
    for (size_t i = 0; i < 2 * MST_COMPARED_PATHS; i++) {
        const char *path = i < MST_COMPARED_PATHS ? facts->kind[i] : facts->keys[i - MST_COMPARED_PATHS];
        bool said = !path || !*path;
        for (size_t k = 0; k < change->known_by_count && !said; k++)
            said = strcmp(change->known_by[k].path, path) == 0;
        mst_known_by *one = &change->known_by[change->known_by_count];
        if (!said && mst_diff_find(element, path, &one->value) &&
            !mst_names_by_index(mst_field_of(&one->value))) {
            one->path = path;
            change->known_by_count++;
        }
    }
}
_Static_assert(2 * MST_COMPARED_PATHS <= MST_KNOWN_BY, "there is room for all paths");

/* `is_old`: the label of the old element, which is the one that readers know. */
static void put_label(comparison *c, mst_difference *change, const mst_compared *facts, bool is_old) {
    texts *t = c->texts;
    const int side = is_old || mst_is_void(&change->new_element) ? MST_OLD : MST_NEW;
    const mst_value *element = side == MST_OLD ? &change->old_element : &change->new_element;
    t->label[0] = t->type[0] = t->place[0] = 0;
    change->place = t->place;
    change->label = t->label;
    change->type = t->type;
    if (!facts || mst_is_void(element))
        return;
    mst_value found;
    for (size_t i = 0; i < MST_COMPARED_PATHS && facts->kind[i]; i++)
        if (mst_diff_find(element, facts->kind[i], &found)) {
            put_word(c, side, &found, t->label, sizeof t->label);
            if (!i)
                put_word(c, side, &found, t->type, sizeof t->type);
        }
    for (size_t i = 0; i < MST_COMPARED_PATHS && facts->keys[i]; i++)
        if (!mst_compared_is_kind(facts, facts->keys[i]) && mst_diff_find(element, facts->keys[i], &found))
            put_word(c, side, &found, t->label, sizeof t->label);
    put_place(facts, element, t->place, sizeof t->place);
    mst_diff_put_known_by(change, facts);
}

/* ---- changes ---------------------------------------------------------------------------------------- */

/* Whether changes are reported for elements of the list. */
static bool is_subject(const frame *one) {
    return one->is_element && one->facts && !one->is_pair;
}

/* Notes whether the element of the change is ambiguous. `count`: of the frames up to its own. */
static void put_doubt(const comparison *c, mst_difference *change, size_t count) {
    const frame *frames = c->frames.items;
    const mst_match *match = count ? frames[count - 1].match : NULL;
    if (!match || change->old_index == MST_NOWHERE ||
        mst_match_doubt_group(match, change->old_index) == MST_NOBODY)
        return;
    const mst_doubt *doubt = &match->doubts[change->old_index];
    change->ambiguous = 1;
    change->alternative = doubt->other;
    change->alternative_is_new = doubt->is_new;
}

/* The same for an element below, whose list is in a frame from `at` on. */
static void put_doubt_below(const comparison *c, mst_difference *change, const frame *value, size_t at) {
    const frame *frames = c->frames.items;
    for (size_t i = at; i < c->frames.count && !change->ambiguous; i++) {
        const frame *element = i + 1 < c->frames.count ? &frames[i + 1] : value;
        const uint64_t index = element->indices[MST_OLD];
        change->ambiguous = frames[i].match && element->is_element && index != MST_NOWHERE &&
                            mst_match_doubt_group(frames[i].match, index) != MST_NOBODY;
    }
}

/* Whether an element was recognised in spite of its type. */
static bool has_other_type(const mst_match *match, const mst_difference *change) {
    return match && match->steps && change->old_index != MST_NOWHERE && change->new_index != MST_NOWHERE &&
           match->steps[change->new_index] == MST_MATCH_TYPE;
}

/* Fills in the changed element: the innermost one of a list that has facts in the tables, or else the
 * outermost one. */
static void put_element(comparison *c, mst_difference *change, const frame *value, bool of_list) {
    const frame *frames = c->frames.items, *subject = of_list && is_subject(value) ? value : NULL;
    size_t at = c->frames.count, first = SIZE_MAX;
    for (size_t i = c->frames.count; i-- > 0;)
        if (frames[i].is_element)
            first = i;
    while (!subject && at-- > 0)
        if (is_subject(&frames[at]))
            subject = &frames[at];
    if (!subject && first != SIZE_MAX)
        subject = &frames[at = first];
    else if (!subject && of_list)
        subject = value;
    if (subject == value)
        at = c->frames.count;
    texts *t = c->texts;
    t->list[0] = t->path[0] = t->item[0] = 0;
    change->item_path = t->item;
    change->list = t->list;
    change->path = t->path;
    change->label = change->type = change->place = "";
    change->old_index = change->new_index = change->alternative = MST_NOWHERE;
    size_t below = 1; /* after the root */
    if (subject) {
        put_steps(c, 1, at, NULL, false, t->list, sizeof t->list);
        change->old_index = subject->indices[MST_OLD];
        change->new_index = subject->indices[MST_NEW];
        change->old_element = subject->values[MST_OLD];
        change->new_element = subject->values[MST_NEW];
        put_label(c, change, subject->facts, has_other_type(at ? frames[at - 1].match : NULL, change));
        put_doubt(c, change, at);
        below = at + 1;
    }
    if (subject != value) {
        put_doubt_below(c, change, value, subject ? at : 0);
        put_steps(c, below, c->frames.count, value, false, t->path, sizeof t->path);
    }
    const mst_compared *facts = subject ? subject->facts : NULL;
    change->reshapes = facts && facts->shares && strcmp(t->path, facts->place[0]) == 0;
    if (of_list && subject != value) {
        put_steps(c, below, c->frames.count, value, true, t->item, sizeof t->item);
        change->item = *value_of(value);
    }
}

static void put_counts(mst_difference *change, const frame *element, const mst_match *match) {
    change->to = element->indices[MST_NEW];
    change->old_count = match->counts[MST_OLD];
    change->new_count = match->counts[MST_NEW];
}

static mst_status report(comparison *c, const mst_difference *change) {
    c->changes++;
    return c->found(c->user, change);
}

/* The value of a pair represents the pair. */
static void put_values(mst_difference *change, const frame *value) {
    change->old_value = value->values[MST_OLD];
    change->new_value = value->values[MST_NEW];
    if (!value->is_pair || !value->is_element)
        return;
    if (!mst_is_void(&change->old_value))
        mst_member(&value->values[MST_OLD], "value", &change->old_value);
    if (!mst_is_void(&change->new_value))
        mst_member(&value->values[MST_NEW], "value", &change->new_value);
}

static mst_status find_default(comparison *c, mst_difference *change) {
    const mst_field *list = mst_is_void(&change->new_element) ? NULL : mst_field_of(&change->new_element);
    return list && c->schema_size ? mst_diff_is_default(c, list, mst_compared_of(&c->state, list), change)
                                  : MST_OK;
}

/* Marks changes that belong to the element's place. */
static void put_move(comparison *c, mst_difference *change) {
    const mst_compared *facts = mst_is_void(&change->new_element)
                                    ? NULL
                                    : mst_compared_of(&c->state, mst_field_of(&change->new_element));
    change->moves_whole = change->reshapes && mst_diff_moved_by(&c->state, &change->old_element,
                                                                &change->new_element, change->moved_by);
    for (size_t i = 0; facts && i < MST_COMPARED_PATHS && facts->moved[i]; i++)
        change->along = change->along || strcmp(change->path, facts->moved[i]) == 0;
}

/* Whether a part names other parts at the same places as before. */
static bool is_other_twin(comparison *c, const mst_difference *change, const mst_field *field) {
    const frame *around = frame_top(c);
    const bool by_match = c->state.by_match;
    if (!by_match || change->sort != MST_DIFFERENCE_CONTENT || !field || !mst_names_by_index(field) ||
        !around || !around->facts || !around->facts->part)
        return false;
    c->state.by_match = false;
    const bool same = mst_diff_equal(&c->state, &change->old_value, &change->new_value, true);
    c->state.by_match = by_match;
    return same;
}

mst_status report_set(comparison *c, const frame *value, const mst_field *field) {
    mst_difference change = {.size = sizeof change, .kind = MST_DIFFERENCE_SET, .sort = value->sort};
    put_element(c, &change, value, false);
    put_values(&change, value);
    const frame *around = frame_top(c);
    change.follows = value->follows;
    for (size_t i = 0; around && around->has_moved && i < MST_COMPARED_PATHS && around->facts->keys[i]; i++)
        change.moves = change.moves || strcmp(change.path, around->facts->keys[i]) == 0;
    if (change.moves || is_other_twin(c, &change, field))
        change.sort = MST_DIFFERENCE_PART;
    put_move(c, &change);
    mst_status status = find_default(c, &change);
    if (status != MST_OK)
        return status;
    if (field && mst_names_by_index(field))
        for (int side = 0; side < 2; side++) {
            const mst_refers *fact = mst_fact_of(field, mst_scope_record(&c->state, side));
            mst_value *target = side == MST_OLD ? &change.old_target : &change.new_target;
            if (fact && mst_value_type(&value->values[side]) == MST_TYPE_INTEGER)
                mst_scope_element(&c->state, side, fact, mst_scalar_of(&value->values[side]), target);
        }
    return report(c, &change);
}

mst_status report_alone(comparison *c, const frame *element) {
    bool added = mst_is_void(&element->values[MST_OLD]);
    mst_difference change = {.size = sizeof change,
                             .kind = added ? MST_DIFFERENCE_ADD : MST_DIFFERENCE_REMOVE,
                             .sort = element->sort};
    const mst_match *match = frame_top(c)->match;
    if (match->as == MST_AS_PARTS)
        change.sort = MST_DIFFERENCE_PART;
    if (match->borrowed)
        change.sort = MST_DIFFERENCE_DERIVED; /* its element is reported */
    put_element(c, &change, element, true);
    put_counts(&change, element, match);
    if (*change.path) { /* the list is part of an element */
        change.kind = MST_DIFFERENCE_SET;
        put_values(&change, element);
        mst_status status = find_default(c, &change);
        if (status != MST_OK)
            return status;
    }
    return report(c, &change);
}

mst_status report_move(comparison *c, const frame *element) {
    const mst_match *match = frame_top(c)->match;
    mst_difference change = {.size = sizeof change, .kind = MST_DIFFERENCE_MOVE, .sort = element->sort};
    if (match->borrowed)
        change.sort = MST_DIFFERENCE_DERIVED;
    else if (match->as != MST_AS_SEQUENCE)
        change.sort = MST_DIFFERENCE_STORAGE;
    frame both = *element;
    both.values[MST_OLD] = mst_match_element(match, MST_OLD, element->indices[MST_OLD]);
    const mst_field *field = mst_field_of(&both.values[MST_OLD]);
    if (change.sort == MST_DIFFERENCE_CONTENT && field && field->record && field->record->pairs)
        change.sort = MST_DIFFERENCE_STORAGE; /* pairs are looked up by their names */
    put_element(c, &change, &both, true);
    put_counts(&change, element, match);
    return report(c, &change);
}

mst_status report_storage(comparison *c) {
    mst_difference change = {.size = sizeof change,
                             .kind = MST_DIFFERENCE_SET,
                             .sort = MST_DIFFERENCE_STORAGE,
                             .old_index = MST_NOWHERE,
                             .new_index = MST_NOWHERE};
    change.list = change.path = change.item_path = change.label = change.type = change.place = "";
    return report(c, &change);
}

mst_status report_doubts(comparison *c) {
    const mst_match *match = frame_top(c)->match;
    texts *t = c->texts;
    const uint8_t *unused = match->unused[MST_OLD];
    if (!c->doubts || !(match->doubts || unused))
        return MST_OK;
    t->list[0] = 0;
    put_steps(c, 1, c->frames.count, NULL, false, t->list, sizeof t->list);
    const char *list = mst_arena_text(c->doubts->arena, t->list, strlen(t->list));
    for (uint64_t i = 0; list && i < match->counts[MST_OLD]; i++) {
        const bool loose = unused && unused[i];
        const uint32_t group = mst_match_doubt_group(match, i);
        if (group == MST_NOBODY && !(loose && mst_match_other(match, MST_OLD, i) == MST_NOBODY))
            continue;
        mst_doubted *one = mst_array_push(&c->doubts->items, 1);
        if (!one)
            return MST_NO_MEMORY;
        *one = (mst_doubted){.list = list, .index = (uint32_t)i, .group = group, .is_loose = loose};
        const mst_value element = mst_match_element(match, MST_OLD, i);
        one->offset = element.offset;
        one->end = mst_value_after(&element);
    }
    return list ? MST_OK : MST_NO_MEMORY;
}
