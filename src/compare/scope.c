/* SPDX-License-Identifier: MIT */
/* The targets of references: the lists of the records that the comparison has entered, matched when first
 * needed (mst_diff_state.match_elements). */
#include "comparing.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- memory ----------------------------------------------------------------------------------------- */

void mst_diff_arena_begin(mst_diff_state *state, mst_arena *arena) {
    size_t left = state->budget > state->used ? state->budget - state->used : 1;
    mst_arena_begin(arena, &state->allocator, left);
}

void mst_diff_arena_end(mst_diff_state *state, mst_arena *arena) {
    state->used -= arena->used;
    mst_arena_end(arena);
}

void *mst_diff_take(mst_diff_state *state, mst_arena *arena, uint64_t count, size_t size) {
    size_t before = arena->used;
    size_t left = state->budget > state->used ? state->budget - state->used : 1;
    arena->budget = left < SIZE_MAX - before ? before + left : SIZE_MAX;
    void *taken = count < SIZE_MAX ? mst_arena_take(arena, (size_t)count + 1, size) : NULL;
    state->used += arena->used - before;
    if (!taken)
        state->out_of_memory = true;
    return taken;
}

/* ---- facts ------------------------------------------------------------------------------------------ */

const mst_compared *mst_compared_of(const mst_diff_state *state, const mst_field *field) {
    for (size_t i = 0; i < state->compared_count; i++)
        if (state->compared[i].field == field)
            return state->compared[i].facts;
    return NULL;
}

const mst_refers *mst_fact_of(const mst_field *field, const mst_value *record) {
    for (uint8_t i = 0; i < field->refers_count; i++) {
        const mst_refers *fact = &field->refers[i];
        if (fact->by != MST_BY_INDEX)
            continue;
        const mst_record *table = record ? mst_record_of(record->document, mst_field_of(record)) : NULL;
        if (table && table->vacant && mst_plan_of(record->document, table)->stride &&
            table->vacant(record->document->data + record->offset))
            return NULL;
        if (!fact->where)
            return fact;
        if (record && (mst_number_in(record, fact->where) == fact->value) == (fact->operation == MST_EQUAL))
            return fact;
    }
    return NULL;
}

/* ---- matches ---------------------------------------------------------------------------------------- */

mst_value mst_match_element(const mst_match *match, int side, uint64_t index) {
    mst_value element = match->first[side];
    if (match->extents[side]) {
        element.offset = match->extents[side][index].from;
        element.end = match->extents[side][index].to;
    } else {
        uint64_t size = mst_shape_of_list(&match->lists[side]).element;
        element.offset += index * size;
        element.end = element.offset + size;
    }
    return element;
}

/* Makes a match without matching the elements. */
static mst_match *new_match(mst_diff_state *state, const mst_value *old_list, const mst_value *new_list,
                            uint32_t scope) {
    const mst_allocator *allocator = &state->allocator;
    mst_match *match = allocator->resize(allocator->user, NULL, 0, sizeof *match);
    if (!match) {
        state->out_of_memory = true;
        return NULL;
    }
    *match = (mst_match){.lists = {*old_list, *new_list}, .scope = scope};
    match->facts = mst_compared_of(state, mst_field_of(new_list));
    mst_diff_arena_begin(state, &match->arena);
    return match;
}

mst_match *mst_match_lists(mst_diff_state *state, const mst_value *old_list, const mst_value *new_list) {
    mst_match *match = new_match(state, old_list, new_list, state->scope_count);
    if (match)
        state->match_elements(state, match);
    return match;
}

void mst_match_free(mst_diff_state *state, mst_match *match) {
    const mst_allocator *allocator = &state->allocator;
    mst_diff_arena_end(state, &match->arena);
    allocator->resize(allocator->user, match, sizeof *match, 0);
}

mst_match *mst_match_made(mst_diff_state *state, const mst_value *old_list, const mst_value *new_list) {
    mst_match **matches = state->matches.items;
    for (size_t i = 0; i < state->matches.count; i++)
        if (matches[i]->lists[MST_OLD].offset == old_list->offset &&
            matches[i]->lists[MST_NEW].offset == new_list->offset &&
            matches[i]->lists[MST_NEW].field == new_list->field)
            return matches[i];
    return NULL;
}

/* The match of two lists of a scope, shared by all numbers that refer to them; freed with the scope. NULL if
 * there is not enough memory. */
static mst_match *shared_match(mst_diff_state *state, const mst_value *old_list, const mst_value *new_list,
                               uint32_t scope) {
    mst_match *match = mst_match_made(state, old_list, new_list);
    if (match)
        return match;
    mst_match **added = mst_array_push(&state->matches, 1);
    match = added ? new_match(state, old_list, new_list, scope) : NULL;
    if (!match) {
        state->matches.count -= added != NULL;
        state->out_of_memory = true;
        return NULL;
    }
    *added = match;
    match->busy = true;
    uint32_t inner = state->scope_count;
    bool by_match = state->by_match;
    state->scope_count = scope;
    state->by_match = false;
    state->match_elements(state, match);
    state->by_match = by_match;
    state->scope_count = inner;
    match->busy = false;
    return match;
}

/* ---- scopes ----------------------------------------------------------------------------------------- */

void mst_scope_enter(mst_diff_state *state, const mst_value *old_record, const mst_value *new_record) {
    if (state->scope_count < MST_SCOPES)
        state->scopes[state->scope_count] = (mst_scope){
            mst_record_of(old_record->document, mst_field_of(old_record)), {*old_record, *new_record}};
    state->scope_count++;
}

void mst_scope_leave(mst_diff_state *state) {
    state->scope_count--;
    state->known = (mst_known_targets){.record = NULL};
    mst_diff_target *targets = state->targets.items;
    mst_match **matches = state->matches.items;
    size_t kept = 0;
    for (size_t i = 0; i < state->targets.count; i++)
        if (targets[i].scope <= state->scope_count)
            targets[kept++] = targets[i];
    state->targets.count = kept;
    kept = 0;
    for (size_t i = 0; i < state->matches.count; i++) {
        if (matches[i]->scope <= state->scope_count)
            matches[kept++] = matches[i];
        else
            mst_match_free(state, matches[i]);
    }
    state->matches.count = kept;
}

/* Follows the records that a path begins with, as far as the comparison has entered them: numbers in the list
 * refer to elements in these. Returns the rest of the path. */
static const char *enter_records(const mst_diff_state *state, uint32_t *scope, const char *path) {
    const char *dot;
    while ((dot = strchr(path, '.')) && *scope < state->scope_count && *scope < MST_SCOPES) {
        const mst_scope *around = &state->scopes[*scope - 1], *inner = &state->scopes[*scope];
        char name[64];
        bool same = (size_t)(dot - path) < sizeof name;
        if (same)
            snprintf(name, sizeof name, "%.*s", (int)(dot - path), path);
        for (int side = 0; side < 2 && same; side++) {
            mst_value record;
            same = mst_member(&around->values[side], name, &record) == MST_OK &&
                   record.offset == inner->values[side].offset && record.field == inner->values[side].field;
        }
        if (!same)
            break;
        ++*scope;
        path = dot + 1;
    }
    return path;
}

/* The lists at a path below a scope, matched; NULL if one of the documents lacks it, or there is not enough
 * memory. */
static mst_match *match_at(mst_diff_state *state, uint32_t scope, const char *path) {
    mst_value lists[2];
    path = enter_records(state, &scope, path);
    const mst_scope *around = &state->scopes[scope - 1];
    for (int side = 0; side < 2; side++)
        if (mst_find(around->values[side], path, &lists[side], NULL) != MST_OK ||
            mst_shape_of(&lists[side]) == MST_SHAPE_ONE)
            return NULL;
    return shared_match(state, &lists[MST_OLD], &lists[MST_NEW], scope);
}

static uint32_t scope_of(const mst_diff_state *state, const mst_refers *fact) {
    uint32_t scope = state->scope_count < MST_SCOPES ? state->scope_count : MST_SCOPES;
    while (scope && !mst_refers_has_list(state->scopes[scope - 1].record, fact->target))
        scope--;
    return scope;
}

/* NULL if there is not enough memory. Valid until the next call. */
static const mst_diff_target *target_of(mst_diff_state *state, const mst_refers *fact) {
    mst_diff_target *targets = state->targets.items;
    for (size_t i = 0; i < state->targets.count; i++)
        if (targets[i].fact == fact && targets[i].scope == state->scope_count)
            return &targets[i];
    mst_diff_target found = {.fact = fact, .scope = state->scope_count};
    uint32_t scope = scope_of(state, fact);
    if (scope) {
        found.match = match_at(state, scope, fact->target);
        found.then = found.match && fact->then ? match_at(state, scope, fact->then) : NULL;
    }
    found.known = found.match != NULL;
    mst_diff_target *added = mst_array_push(&state->targets, 1);
    if (!added) {
        state->out_of_memory = true;
        return NULL;
    }
    *added = found;
    return added;
}

/* Numbers of elements that only one document has, and numbers beyond the lists, equal no number of the other
 * document. */
#define ONLY_OLD (UINT64_C(1) << 33)
#define IN_THEN  (UINT64_C(1) << 34)
#define BEYOND   (UINT64_C(1) << 35)

static bool number_in(const mst_diff_state *state, const mst_match *match, int side, uint64_t number,
                      uint64_t *same) {
    if (number >= match->counts[side])
        return false;
    if (match->parts[side] && !state->by_match) {
        *same = match->parts[side][number];
        return true;
    }
    uint32_t other = mst_match_other(match, side, number);
    *same = side == MST_NEW ? number : other == MST_NOBODY ? ONLY_OLD | number : other;
    return true;
}

bool mst_scope_number(mst_diff_state *state, int side, const mst_refers *fact, uint64_t number,
                      uint64_t *same, bool *busy) {
    const mst_diff_target *target = target_of(state, fact);
    if (!target || !target->known)
        return false;
    if (target->match->busy || (target->then && target->then->busy)) {
        *busy = true;
        *same = 0;
        return true;
    }
    uint64_t first = target->match->counts[side];
    if (number_in(state, target->match, side, number, same))
        return true;
    if (target->then && number_in(state, target->then, side, number - first, same)) {
        *same |= IN_THEN;
        return true;
    }
    *same = BEYOND | (number - first - (target->then ? target->then->counts[side] : 0));
    return true;
}

bool mst_scope_in_place(mst_diff_state *state, const mst_refers *fact, bool *busy) {
    const mst_diff_target *target = target_of(state, fact);
    if (!target || !target->known)
        return target != NULL;
    if (target->match->busy || (target->then && target->then->busy))
        return *busy = true;
    return target->match->in_place && (!target->then || target->then->in_place);
}

uint32_t mst_scope_matched(mst_diff_state *state, int side, const mst_refers *fact, uint64_t number) {
    const mst_diff_target *target = target_of(state, fact);
    if (!target || !target->known || number >= target->match->counts[side])
        return MST_NOBODY;
    uint32_t other = mst_match_other(target->match, side, number);
    return side == MST_NEW && other != MST_NOBODY ? (uint32_t)number : other;
}

bool mst_scope_element(mst_diff_state *state, int side, const mst_refers *fact, uint64_t number,
                       mst_value *element) {
    const mst_diff_target *target = target_of(state, fact);
    if (!target || !target->known || target->match->busy || number >= target->match->counts[side])
        return false;
    *element = mst_match_element(target->match, side, number);
    return true;
}

const mst_match *mst_scope_match(mst_diff_state *state, const mst_refers *fact) {
    const mst_diff_target *target = target_of(state, fact);
    return target && target->known ? target->match : NULL;
}

/* ---- references of elements ------------------------------------------------------------------------- */

#define INNER 4 /* records in elements that are examined */

static void find_targets(mst_diff_state *state, const mst_record *const *records, size_t count,
                         mst_known_targets *known);

static void find_targets_of(mst_diff_state *state, const mst_field *field, const mst_record *const *records,
                            size_t count, mst_known_targets *known) {
    const mst_record *inner[INNER + 1];
    const mst_compared *facts = mst_compared_of(state, field);
    if (facts && facts->as == MST_AS_DIRECTED) /* hashed by the parts of its element */
        known->bytes_tell = false;
    for (uint8_t i = 0; i < field->refers_count; i++) {
        bool within = field->refers[i].by != MST_BY_INDEX;
        for (size_t k = 0; k < count; k++) /* then numbers keep their meaning with the element */
            within = within || mst_refers_has_list(records[k], field->refers[i].target);
        if (!within && !mst_scope_in_place(state, &field->refers[i], &known->busy))
            known->bytes_tell = false;
    }
    bool more = field->record && state->refers[field->record->index];
    for (size_t k = 0; k < count; k++) /* already examined */
        more = more && records[k] != field->record;
    if (more && count >= INNER) {
        known->bytes_tell = false;
    } else if (more) {
        memcpy(inner, records, count * sizeof(const mst_record *));
        inner[count] = field->record;
        find_targets(state, inner, count + 1, known);
    }
}

/* Examines the last of the records. */
static void find_targets(mst_diff_state *state, const mst_record *const *records, size_t count,
                         mst_known_targets *known) {
    const mst_record *record = records[count - 1];
    for (uint16_t f = 0; f < record->field_count; f++) {
        const mst_chunks *chunks = record->fields[f].chunks;
        find_targets_of(state, &record->fields[f], records, count, known);
        for (uint8_t i = 0; chunks && i < chunks->case_count; i++)
            find_targets_of(state, &chunks->cases[i].field, records, count, known);
    }
}

mst_known_targets mst_match_targets(mst_diff_state *state, const mst_record *record) {
    mst_known_targets known = {.record = record, .scope = state->scope_count, .bytes_tell = true};
    if (!state->refers[record->index])
        return known;
    if (state->known.record != record || state->known.scope != state->scope_count) {
        find_targets(state, &record, 1, &known);
        state->known = known; /* matching them has reset it */
    }
    return state->known;
}
