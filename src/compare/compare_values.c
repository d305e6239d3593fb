/* SPDX-License-Identifier: MIT */
/*
 * Walks two documents in parallel and reports differences. Records are compared field by field, lists element
 * by element as they were matched; equal values are not entered. The stack is explicit.
 */
#include "../core/diagnose.h"
#include "../core/lower_bound.h"
#include "comparing.h"
#include "report.h"

/* ---- the values to compare -------------------------------------------------------------------------- */

/* A field's sort comes from the facts of its list, or else from its flags. */
static mst_difference_sort sort_of(const comparison *c, const mst_field *field, mst_difference_sort around) {
    const mst_compared *facts = mst_compared_of(&c->state, field);
    const char *computed = MST_OPTION(c->state.format->computed, field);
    if (around != MST_DIFFERENCE_CONTENT)
        return around;
    if (facts && facts->as == MST_AS_VIEW)
        return MST_DIFFERENCE_VIEW;
    if ((facts && facts->as == MST_AS_DERIVED) || field->length_of || (field->flags & MST_FIELD_SIZES) ||
        (computed && strcmp(field->name, computed) == 0))
        return MST_DIFFERENCE_DERIVED;
    return field->mode == MST_COUNT_ALIGN || (field->flags & MST_FIELD_ORIGINAL) ? MST_DIFFERENCE_STORAGE
                                                                                 : MST_DIFFERENCE_CONTENT;
}

/* Whether a list of numbers lists the members of something. */
static bool is_membership(const mst_value *value) {
    const mst_field *field = mst_field_of(value);
    bool member = false;
    for (uint8_t i = 0; i < field->refers_count; i++)
        member = member || (field->refers[i].member && field->refers[i].by == MST_BY_INDEX);
    return member && mst_value_type(value) == MST_TYPE_LIST && mst_is_number(field);
}

/* Whether a value is compared as a whole. */
static bool is_whole(const comparison *c, const mst_value *value, const char *name) {
    const frame *top = frame_top(c);
    mst_type type = mst_value_type(value);
    const mst_compared *facts = mst_compared_of(&c->state, mst_field_of(value));
    if (facts && facts->as == MST_AS_WHOLE)
        return true;
    if (type != MST_TYPE_RECORD && type != MST_TYPE_LIST)
        return true;
    if (c->within_derived && is_membership(value))
        return false;
    if (mst_field_of(value)->kind != MST_KIND_RECORD && mst_field_of(value) != &mst_document_field)
        return true;
    return top && top->is_pair && strcmp(name, "value") == 0;
}

/* Deeper values are compared as a whole, so that no byte is compared more than this many times. */
#define FRAMES (2 * (size_t)MST_SCOPES)

static bool push(comparison *c, const frame *one) {
    frame *added = mst_array_push(&c->frames, 1);
    if (!added) {
        c->state.out_of_memory = true;
        return false;
    }
    *added = *one;
    if (!added->is_list)
        mst_scope_enter(&c->state, &one->values[MST_OLD], &one->values[MST_NEW]);
    return true;
}

static void pop(comparison *c) {
    frame *top = frame_top(c);
    if (!top->is_list)
        mst_scope_leave(&c->state);
    else if (top->owns_match)
        mst_match_free(&c->state, top->match);
    mst_array_free(&top->moved);
    c->frames.count--;
}

/* Whether references in a value are compared by their matches, even if the elements have moved: a moved part
 * does not change the values that consist of parts or follow from them. */
static bool is_by_match(const comparison *c, const frame *child) {
    const frame *top = frame_top(c);
    const mst_compared *facts = child->facts ? child->facts : top && top->is_element ? top->facts : NULL;
    return c->state.moved && ((top && top->by_match) || (facts && facts->part) ||
                              child->sort == MST_DIFFERENCE_DERIVED || is_membership(&child->values[0]));
}

static mst_status compare_by(comparison *c, const frame *child, const mst_field *field);

/* Compares two matched values: reports their difference, or enters them. */
static mst_status compare_values(comparison *c, frame *child, const mst_field *field) {
    if (mst_field_of(&child->values[MST_NEW])->kind == MST_KIND_RECORD)
        mst_match_targets(&c->state, mst_field_of(&child->values[MST_NEW])->record);
    c->state.by_match = child->by_match = is_by_match(c, child);
    mst_status status = compare_by(c, child, field);
    c->state.by_match = false;
    return status;
}

/* Whether a value is unchanged except that parts that it names have moved. */
static bool only_follows(comparison *c, const frame *value) {
    bool by_match = c->state.by_match;
    c->state.by_match = true;
    bool same = c->state.moved && !by_match &&
                mst_diff_equal(&c->state, &value->values[MST_OLD], &value->values[MST_NEW], true);
    c->state.by_match = by_match;
    return same;
}

static void begin_fields(frame *record) {
    record->it = mst_iterate(&record->values[MST_OLD]);
    record->beside = mst_iterate(&record->values[MST_NEW]);
    record->side_by_side = true;
}

/* Leaves the iterators uninitialized: most values are not entered, and there are many. */
static void begin_child(frame *child, const char *name) {
    memset(child, 0, offsetof(frame, it));
    child->name = name;
    child->indices[MST_OLD] = child->indices[MST_NEW] = MST_NOWHERE;
}

static mst_status compare_by(comparison *c, const frame *child, const mst_field *field) {
    const mst_value *old = &child->values[MST_OLD], *now = &child->values[MST_NEW];
    bool whole = (child->sort == MST_DIFFERENCE_DERIVED && !c->within_derived) ||
                 child->sort == MST_DIFFERENCE_VIEW || is_whole(c, old, child->name) ||
                 is_whole(c, now, child->name) || c->frames.count >= FRAMES ||
                 mst_value_type(old) != mst_value_type(now);
    if (mst_diff_equal(&c->state, old, now, whole))
        return MST_OK;
    if (whole) {
        frame value = *child;
        if (value.sort == MST_DIFFERENCE_CONTENT && mst_diff_same_members(&c->state, old, now))
            value.sort = MST_DIFFERENCE_PART;
        value.follows = only_follows(c, &value);
        return report_set(c, &value, field);
    }
    frame one = *child;
    one.is_list = mst_value_type(old) == MST_TYPE_LIST;
    if (one.sort == MST_DIFFERENCE_CONTENT && is_membership(old))
        one.sort = MST_DIFFERENCE_PART;
    if (one.is_list) {
        one.match = mst_match_made(&c->state, old, now);
        one.owns_match = !one.match;
        if (!one.match)
            one.match = mst_match_lists(&c->state, old, now);
        if (!one.match)
            return MST_NO_MEMORY;
    } else {
        begin_fields(&one);
    }
    if (!push(c, &one))
        return MST_NO_MEMORY;
    return one.is_list ? report_doubts(c) : MST_OK;
}

/* ---- records ---------------------------------------------------------------------------------------- */

/* The name of the field that an iterator just gave. */
static const char *name_of(const mst_iterator *it, const mst_value *member) {
    const mst_record *record = mst_record_of(it->document, it->field);
    const mst_field *field = &record->fields[it->last];
    return field->kind == MST_KIND_CHUNKS ? mst_field_of(member)->name : field->name;
}

/* The field of the other record. Most records have the same fields and are then walked in step. */
static bool find_other_field(frame *record, const char *name, mst_value *other) {
    int here = record->phase == 0 ? MST_OLD : MST_NEW;
    if (record->side_by_side && mst_next(&record->beside, other) &&
        strcmp(name_of(&record->beside, other), name) == 0)
        return true;
    record->side_by_side = false;
    return mst_member(&record->values[1 - here], name, other) == MST_OK;
}

/* The next field of the old record, then the fields that only the new one has. */
static mst_status next_field(comparison *c, bool *more) {
    frame *top = frame_top(c);
    mst_value member, other;
    *more = true;
    if (!mst_next(&top->it, &member)) {
        *more = top->phase == 0 && (!top->side_by_side || mst_next(&top->beside, &other));
        if (*more) {
            top->phase = 1;
            top->side_by_side = false;
            top->it = mst_iterate(&top->values[MST_NEW]);
        }
        return MST_OK;
    }
    const char *name = name_of(&top->it, &member);
    int here = top->phase == 0 ? MST_OLD : MST_NEW;
    bool both = find_other_field(top, name, &other);
    if ((top->phase && both) || mst_field_of(&member)->constant)
        return MST_OK;
    frame child;
    begin_child(&child, name);
    child.values[here] = member;
    if (both)
        child.values[1 - here] = other;
    child.sort = sort_of(c, mst_field_of(&member), top->sort);
    return both ? compare_values(c, &child, mst_field_of(&member)) : report_set(c, &child, NULL);
}

/* ---- lists ------------------------------------------------------------------------------------------ */

/* Finds elements of both lists whose relative order changed: all but those of the longest ascending run. */
static bool find_moved(comparison *c, frame *list) {
    const mst_match *match = list->match;
    uint64_t last = 0, count = match->counts[MST_NEW];
    bool ascending = true;
    for (uint64_t i = 0; i < count && ascending; i++) {
        uint32_t other = mst_match_other(match, MST_NEW, i);
        ascending = other == MST_NOBODY || other >= last;
        last = other == MST_NOBODY ? last : other;
    }
    if (ascending)
        return true;
    mst_arena arena;
    mst_diff_arena_begin(&c->state, &arena);
    uint32_t *ends =
        mst_diff_take(&c->state, &arena, count, sizeof *ends); /* of runs by length: new indices */
    uint32_t *before = mst_diff_take(&c->state, &arena, count, sizeof *before);
    list->moved = (mst_array){.element_size = 1, .allocator = c->state.allocator};
    uint8_t *moved = mst_array_push(&list->moved, (size_t)count);
    size_t longest = 0;
    bool enough = ends && before && moved;
    for (uint32_t i = 0; enough && i < count; i++) {
        uint32_t other = mst_match_other(match, MST_NEW, i);
        moved[i] = other != MST_NOBODY;
        if (other == MST_NOBODY)
            continue;
        MST_LOWER_BOUND(low, middle, longest, mst_match_other(match, MST_NEW, ends[middle]) < other);
        ends[low] = i;
        before[i] = low ? ends[low - 1] : MST_NOBODY;
        longest = low == longest ? longest + 1 : longest;
    }
    if (enough && longest)
        for (uint32_t i = ends[longest - 1]; i != MST_NOBODY; i = before[i])
            moved[i] = 0;
    mst_diff_arena_end(&c->state, &arena);
    if (!enough)
        c->state.out_of_memory = true;
    return enough;
}

/* The elements of the new list, then the elements that only the old one has. */
static mst_status next_element(comparison *c, bool *more) {
    frame *top = frame_top(c);
    const mst_match *match = top->match;
    int here = top->phase == 0 ? MST_NEW : MST_OLD;
    *more = true;
    if (!top->next && !top->phase && !match->by_index && !match->same && !find_moved(c, top))
        return MST_NO_MEMORY;
    if (match->same || top->next >= match->counts[here]) {
        *more = top->phase == 0 && !match->same;
        top->phase++;
        top->next = 0;
        return MST_OK;
    }
    uint64_t index = top->next++;
    uint32_t other = mst_match_other(match, here, index);
    if (top->phase && other != MST_NOBODY)
        return MST_OK;
    frame child;
    begin_child(&child, "");
    child.sort = top->sort;
    child.indices[here] = index;
    child.values[here] = mst_match_element(match, here, index);
    child.facts = match->facts;
    const mst_record *record = mst_field_of(&child.values[here])->record;
    child.is_pair = record && record->pairs;
    child.is_element = true;
    if (other == MST_NOBODY)
        return report_alone(c, &child);
    child.indices[1 - here] = other;
    mst_status status = MST_OK;
    if (top->moved.count && ((const uint8_t *)top->moved.items)[index])
        status = report_move(c, &child);
    bool identical = !match->by_index && !match->borrowed && match->steps[index] == MST_MATCH_IDENTICAL &&
                     !match->approximate && c->state.same_variant;
    if (status != MST_OK || identical)
        return status;
    child.values[MST_OLD] = mst_match_element(match, MST_OLD, other);
    child.has_moved = match->facts && match->facts->links && !match->by_index && !match->borrowed &&
                      match->steps[index] == MST_MATCH_MOVED;
    return compare_values(c, &child, mst_field_of(&child.values[MST_NEW]));
}

/* ---- documents -------------------------------------------------------------------------------------- */

static mst_status go(comparison *c) {
    mst_status status = MST_OK;
    while (status == MST_OK && c->frames.count) {
        bool more;
        status = frame_top(c)->is_list ? next_element(c, &more) : next_field(c, &more);
        if (c->state.out_of_memory)
            status = MST_NO_MEMORY;
        if (status == MST_OK && !more)
            pop(c);
    }
    while (c->frames.count)
        pop(c);
    return status;
}

/* Finds which records have numbers, directly or in nested records, that name elements by index. */
static void find_references(mst_diff_state *state) {
    const mst_format *format = state->format;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t r = 0; r < format->tables.record_count; r++) {
            const mst_record *record = format->tables.records[r];
            bool refers = false;
            for (uint16_t f = 0; f < record->field_count; f++) {
                const mst_field *field = &record->fields[f];
                const mst_chunks *chunks = field->chunks;
                refers = refers || mst_names_by_index(field) ||
                         (field->record && state->refers[field->record->index]);
                for (uint8_t i = 0; chunks && i < chunks->case_count; i++) {
                    field = &chunks->cases[i].field;
                    refers = refers || mst_names_by_index(field) ||
                             (field->record && state->refers[field->record->index]);
                }
            }
            changed = changed || (refers && !state->refers[r]);
            state->refers[r] = refers;
        }
    }
}

static bool is_called(const mst_field *field, const mst_record *record, const mst_compared *facts) {
    return strcmp(record->name, facts->record) == 0 && strcmp(field->name, facts->field) == 0;
}

/* The field that stores a field's values: for an inline record, that record's field. */
static const mst_field *unwrapped(const mst_field *field) {
    while (field->kind == MST_KIND_RECORD && field->mode == MST_COUNT_ONE && field->record->is_inline)
        field = &field->record->fields[0];
    return field;
}

/* Adds the fields that have facts; `items` NULL: counts them. */
static size_t find_compared(const mst_format *format, mst_compared_field *items) {
    size_t count = 0;
    for (const mst_compared *facts = format->tables.compared; facts && facts->record; facts++)
        for (size_t r = 0; r < format->tables.record_count; r++) {
            const mst_record *record = format->tables.records[r];
            for (uint16_t f = 0; f < record->field_count; f++) {
                const mst_chunks *chunks = record->fields[f].chunks;
                const mst_field *field = &record->fields[f];
                if (is_called(field, record, facts) && ++count && items)
                    items[count - 1] = (mst_compared_field){unwrapped(field), facts};
                for (uint8_t i = 0; chunks && i < chunks->case_count; i++)
                    if (is_called(&chunks->cases[i].field, record, facts) && ++count && items)
                        items[count - 1] = (mst_compared_field){&chunks->cases[i].field, facts};
            }
        }
    return count;
}

static bool begin(comparison *c, const mst_document *old_document, const mst_document *new_document,
                  const mst_diff_options *options) {
    mst_diff_state *state = &c->state;
    const mst_format *format = old_document->format;
    uint64_t both = old_document->size + new_document->size;
    state->match_elements = mst_match_elements;
    state->documents[MST_OLD] = old_document;
    state->documents[MST_NEW] = new_document;
    state->format = format;
    state->same_variant = mst_same_variant(old_document->variant, new_document->variant);
    state->in_place = options->in_place != 0;
    state->allocator = mst_allocator_or_default(&options->allocator);
    state->budget = options->budget;
    if (!state->budget)
        state->budget = both < SIZE_MAX / 6 - (1u << 20) ? (size_t)both * 6 + (1u << 20) : SIZE_MAX;
    if (!options->budget && options->schema && options->schema_size < (SIZE_MAX - state->budget) / 32)
        state->budget += 32 * options->schema_size;
    state->targets = (mst_array){.element_size = sizeof(mst_diff_target), .allocator = state->allocator};
    state->matches = (mst_array){.element_size = sizeof(mst_match *), .allocator = state->allocator};
    c->frames = (mst_array){.element_size = sizeof(frame), .allocator = state->allocator};
    state->distances = (mst_array){.element_size = 3 * sizeof(double), .allocator = state->allocator};
    c->kinds = (mst_array){.element_size = mst_diff_kind_size, .allocator = state->allocator};
    mst_diff_arena_begin(state, &state->arena);
    mst_arena_begin(&c->defaults, &state->allocator, 0);
    state->refers = mst_arena_zero(&state->arena, format->tables.record_count + 1, sizeof *state->refers);
    state->compared_count = find_compared(format, NULL);
    state->compared = mst_diff_take(state, &state->arena, state->compared_count, sizeof *state->compared);
    state->scopes = mst_diff_take(state, &state->arena, MST_SCOPES, sizeof *state->scopes);
    c->texts = mst_diff_take(state, &state->arena, 1, sizeof *c->texts);
    if (!state->refers || !state->compared || !state->scopes || !c->texts)
        return false;
    find_references(state);
    find_compared(format, state->compared);
    frame root;
    begin_child(&root, "");
    root.values[MST_OLD] = mst_root(old_document);
    root.values[MST_NEW] = mst_root(new_document);
    begin_fields(&root);
    return push(c, &root);
}

bool mst_same_files(const mst_document *a, const mst_document *b) {
    size_t count = mst_document_file_count(a);
    bool same = count == mst_document_file_count(b);
    for (size_t i = 0; i < count && same; i++) {
        size_t old_size, new_size;
        const void *old = mst_document_file(a, i, NULL, &old_size),
                   *now = mst_document_file(b, i, NULL, &new_size);
        same = old_size == new_size && (!old_size || memcmp(old, now, old_size) == 0);
    }
    return same;
}

mst_status mst_diff_with_doubts(const mst_document *old_document, const mst_document *new_document,
                                const mst_diff_options *options, mst_difference_function found, void *user,
                                mst_doubts *doubts, mst_diagnostic *diagnostic) {
    mst_diff_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    if (!old_document || !new_document || !found)
        return mst_fail(diagnostic, MST_ARGUMENT, "two documents and a function are needed");
    if (old_document->format != new_document->format)
        return mst_fail(diagnostic, MST_ARGUMENT, "a %s cannot be compared with a %s",
                        old_document->format->information.title, new_document->format->information.title);
    if (mst_same_files(old_document, new_document))
        return MST_OK;
    comparison c = {.found = found, .user = user, .doubts = doubts};
    c.within_derived = given.within_derived;
    c.schema = given.schema;
    c.schema_size = given.schema ? given.schema_size : 0;
    c.diagnostic = diagnostic;
    status = begin(&c, old_document, new_document, &given) ? go(&c) : MST_NO_MEMORY;
    if (status == MST_OK && !c.changes)
        status = report_storage(&c);
    while (c.state.matches.count)
        mst_match_free(&c.state, ((mst_match **)c.state.matches.items)[--c.state.matches.count]);
    mst_array_free(&c.state.targets);
    mst_array_free(&c.state.matches);
    mst_array_free(&c.state.distances);
    mst_array_free(&c.frames);
    mst_array_free(&c.kinds);
    mst_arena_end(&c.defaults);
    mst_arena_end(&c.state.arena);
    return status == MST_NO_MEMORY && c.state.out_of_memory
               ? mst_fail(diagnostic, status, "not enough memory to compare the documents")
               : status;
}
