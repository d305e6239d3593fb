/* SPDX-License-Identifier: MIT */
#include "refers.h"
#include "../core/unreachable.h"
#include "../tables/fields.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- the facts of a format -------------------------------------------------------------------------- */

typedef void (*fact_function)(mst_refers_state *state, const mst_record *record, const mst_refers *fact);

static void each_fact(mst_refers_state *state, fact_function function) {
    for (mst_fields it = mst_fields_of_format(state->document->format); mst_fields_next(&it);) {
        for (uint8_t i = 0; i < it.field->refers_count; i++)
            function(state, it.record, &it.field->refers[i]);
        if (it.field->parallel)
            function(state, it.record, it.field->parallel);
    }
}

static void count_fact(mst_refers_state *state, const mst_record *record, const mst_refers *fact) {
    (void)record, (void)fact;
    state->referred_count++;
}

static void add_fact(mst_refers_state *state, const mst_record *record, const mst_refers *fact) {
    (void)record;
    state->referred[state->referred_count++] = (mst_referred){.fact = fact};
}

/* Whether the field is the first name of a path: a list of elements that can be referred to (not a fixed
 * number of numbers), or a record if the path continues. */
static bool is_named(const mst_field *field, const char *path, size_t length) {
    bool list = mst_is_list(field) || (field->flags & MST_FIELD_REPEATED);
    bool elements =
        field->kind == MST_KIND_RECORD || (mst_is_number(field) && field->mode != MST_COUNT_FIXED);
    return elements && list == !path[length] && strlen(field->name) == length &&
           memcmp(field->name, path, length) == 0;
}

bool mst_refers_has_list(const mst_record *record, const char *path) {
    size_t length = strcspn(path, ".");
    for (mst_fields it = mst_fields_of_record(record); mst_fields_next(&it);)
        if (is_named(it.field, path, length))
            return true;
    return false;
}

/* Marks records that have the list, and the record of the number itself if one of its fields is the
 * condition. */
static void mark_scopes(mst_refers_state *state, const mst_record *record, const mst_refers *fact) {
    const mst_format *format = state->document->format;
    for (size_t r = 0; r < format->tables.record_count; r++)
        if (mst_refers_has_list(format->tables.records[r], fact->target))
            state->scoped[r] = 1;
    if (fact->where)
        state->scoped[record->index] = 1;
}

static int by_fact(const void *left, const void *right) {
    const mst_referred *a = left, *b = right;
    return (a->fact > b->fact) - (a->fact < b->fact);
}

mst_status mst_refers_begin(mst_refers_state *state, const mst_document *document, mst_arena *arena) {
    memset(state, 0, sizeof *state);
    state->document = document;
    state->arena = arena;
    each_fact(state, count_fact);
    if (!state->referred_count)
        return MST_OK;
    state->referred = mst_arena_take(arena, state->referred_count, sizeof *state->referred);
    state->scoped = mst_arena_zero(arena, document->format->tables.record_count, 1);
    state->scopes = mst_arena_take(arena, MST_REFERS_SCOPES, sizeof *state->scopes);
    if (!state->referred || !state->scoped || !state->scopes)
        return MST_NO_MEMORY;
    state->referred_count = 0;
    each_fact(state, add_fact);
    qsort(state->referred, state->referred_count, sizeof *state->referred, by_fact);
    each_fact(state, mark_scopes);
    return MST_OK;
}

/* ---- enclosing records ------------------------------------------------------------------------------ */

void mst_refers_enter(mst_refers_state *state, const mst_item *item) {
    if (!state->scoped || !state->scoped[item->record->index] || state->too_deep)
        return;
    if (state->scope_count == MST_REFERS_SCOPES) {
        state->too_deep = item->depth;
        return;
    }
    state->scopes[state->scope_count++] = (mst_refers_scope){
        item->record, mst_value_of_item(state->document, item), ++state->last_number, item->depth};
}

void mst_refers_leave(mst_refers_state *state, uint32_t depth) {
    if (state->too_deep == depth)
        state->too_deep = 0;
    else if (state->scope_count && state->scopes[state->scope_count - 1].depth == depth)
        state->scope_count--;
}

const mst_value *mst_refers_around(const mst_refers_state *state) {
    return state->scope_count ? &state->scopes[state->scope_count - 1].value : NULL;
}

/* ---- lists ------------------------------------------------------------------------------------------ */

static mst_status read_ids(mst_refers_state *state, mst_referred *referred, const mst_value *list) {
    mst_value element;
    if (referred->id_capacity < referred->count) {
        referred->ids = mst_arena_take(state->arena, (size_t)referred->count, sizeof *referred->ids);
        if (!referred->ids)
            return MST_NO_MEMORY;
        referred->id_capacity = (size_t)referred->count;
    }
    referred->id_count = 0;
    for (mst_iterator it = mst_iterate(list); mst_next(&it, &element);) {
        uint64_t id;
        if (mst_refers_id_of(&element, referred->fact->key, &id) && referred->ids &&
            !MST_CHANGED(referred->id_count == referred->id_capacity)) /* counted */
            referred->ids[referred->id_count++] = id;
    }
    if (referred->id_count)
        qsort(referred->ids, referred->id_count, sizeof *referred->ids, mst_by_number);
    return MST_OK;
}

/* Whether an enclosing record has such a list, and its number of elements: 0 if this file lacks the list.
 * False if the list is in a record that this file lacks. */
static bool find_list(const mst_refers_state *state, const char *path, mst_value *list, uint64_t *count) {
    *count = 0;
    list->document = NULL;
    for (uint32_t s = state->scope_count; s-- > 0;) {
        if (!mst_refers_has_list(state->scopes[s].record, path))
            continue;
        if (mst_find(state->scopes[s].value, path, list, NULL) != MST_OK) {
            list->document = NULL;
            return !strchr(path, '.');
        }
        *count = mst_count(list);
        return true;
    }
    return false;
}

static mst_referred *referred_of(mst_refers_state *state, const mst_refers *fact) {
    mst_referred key = {.fact = fact};
    mst_referred **recent = &state->recent[(uintptr_t)fact / sizeof *fact % MST_COUNT_OF(state->recent)];
    if (!*recent || (*recent)->fact != fact)
        *recent = bsearch(&key, state->referred, state->referred_count, sizeof key, by_fact);
    return *recent;
}

mst_status mst_refers_look_up(mst_refers_state *state, const mst_refers *fact, const mst_referred **result) {
    mst_referred *referred = referred_of(state, fact);
    uint64_t scope = state->scope_count ? state->scopes[state->scope_count - 1].number : 0;
    uint64_t more;
    *result = NULL;
    if (MST_UNREACHABLE(!referred) || state->too_deep) /* all facts of the tables were collected */
        return MST_OK;
    if (referred->scope != scope) {
        referred->scope = scope;
        referred->then.document = NULL;
        referred->known = find_list(state, fact->target, &referred->target, &referred->count);
        referred->first = referred->count;
        if (referred->known && fact->then && find_list(state, fact->then, &referred->then, &more))
            referred->count += more;
        referred->places = referred->count + fact->end_is_none;
        if (referred->known && fact->key && referred->count &&
            (!referred->ids || referred->list != referred->target.offset)) {
            referred->list = referred->target.offset;
            mst_status status = read_ids(state, referred, &referred->target);
            if (status != MST_OK)
                return status;
        }
        referred->by_place = !fact->key || !referred->count || !referred->id_count;
    }
    *result = referred->known ? referred : NULL;
    return MST_OK;
}

bool mst_refers_has_id(const mst_referred *referred, uint64_t id) {
    return referred->id_count &&
           bsearch(&id, referred->ids, referred->id_count, sizeof id, mst_by_number) != NULL;
}

long long mst_refers_none(const mst_field *field, const mst_refers *fact, uint8_t index) {
    unsigned bits = mst_kind_width[field->kind] < 4 ? 8u * mst_kind_width[field->kind] : 32;
    long long none = fact->none[index] & (UINT32_MAX >> (32 - bits));
    return mst_is_signed(field->kind) && none >> (bits - 1) ? none - (1LL << bits) : none;
}

void mst_refers_expected(const mst_referred *referred, const mst_field *field, char *text, size_t capacity) {
    const mst_refers *fact = referred->fact;
    const char *name = mst_last_name(fact->target);
    int length;
    if (!referred->count)
        length = snprintf(text, capacity, "no reference, as `%s` is empty", name);
    else if (referred->by_place)
        length = snprintf(text, capacity, "below %llu", (unsigned long long)referred->places);
    else
        length = snprintf(text, capacity, "the %s of one of %llu %s", fact->key,
                          (unsigned long long)referred->count, name);
    for (uint8_t i = 0; i < fact->nones && length > 0 && (size_t)length < capacity; i++) {
        long long none = mst_refers_none(field, fact, i);
        const char *none_name = field->names ? mst_name_of_number(field->names, none) : NULL;
        length += none_name ? snprintf(text + length, capacity - (size_t)length, ", or %s", none_name)
                            : snprintf(text + length, capacity - (size_t)length, ", or %lld", none);
    }
}

const char *mst_list_about(const mst_document *document, const char *path, mst_arena *arena) {
    mst_value list, around;
    if (mst_find(mst_root(document), path, &list, NULL) != MST_OK)
        return NULL;
    const mst_refers *fact = mst_field_of(&list)->parallel;
    for (size_t length = strlen(path); fact && length;) {
        while (length && path[length - 1] != '.' && path[length - 1] != '[')
            length--;
        length -= length > 0;
        const char *outer = mst_arena_text(arena, path, length);
        if (!outer)
            return NULL;
        around = mst_root(document);
        if (length && mst_find(mst_root(document), outer, &around, NULL) != MST_OK)
            continue;
        if (mst_value_type(&around) == MST_TYPE_RECORD &&
            mst_refers_has_list(mst_record_of(document, mst_field_of(&around)), fact->target))
            return mst_arena_printf(arena, "%s%s%s", outer, length ? "." : "", fact->target);
    }
    return NULL;
}
