/* SPDX-License-Identifier: MIT */
#include "keys.h"
#include "../check/numbers.h"
#include "../core/diagnose.h"
#include "../tables/fields.h"
#include "elements.h"

void mst_keys_begin(mst_keys *keys, const mst_document *document) {
    mst_arena_begin(&keys->arena, &document->allocator, 0);
    keys->format = document->format;
    keys->count = 0;
}

void mst_keys_end(mst_keys *keys) {
    mst_arena_end(&keys->arena);
}

/* ---- noting ----------------------------------------------------------------------------------------- */

static bool is_key_of(const mst_refers *fact, const char *list, const char *name) {
    return fact->key && strcmp(fact->key, name) == 0 &&
           (!list || strcmp(mst_last_name(fact->target), list) == 0);
}

/* Whether a field of that name identifies elements; `list` NULL: of any list. */
static bool is_key(const mst_format *format, const char *list, const char *name) {
    for (mst_fields it = mst_fields_of_format(format); mst_fields_next(&it);)
        for (uint8_t i = 0; i < it.field->refers_count; i++)
            if (is_key_of(&it.field->refers[i], list, name))
                return true;
    return false;
}

mst_status mst_keys_note(mst_keys *keys, const mst_value *value, const char *path, bool *noted) {
    *noted = false;
    const char *name = mst_field_of(value)->name, *list_path;
    mst_value list;
    uint64_t index, old;
    if (keys->count == MST_KEYS_MAX || !is_key(keys->format, NULL, name))
        return MST_OK;
    size_t length = strlen(path), own = strlen(name);
    if (length <= own + 1 || path[length - own - 1] != '.')
        return MST_OK;
    const char *element = mst_arena_text(&keys->arena, path, length - own - 1);
    if (!element)
        return MST_NO_MEMORY;
    mst_status status =
        mst_element_at(value->document, element, &keys->arena, &list_path, &list, &index, NULL);
    if (status != MST_OK)
        return status == MST_NO_MEMORY ? status : MST_OK;
    if (!is_key(keys->format, mst_field_of(&list)->name, name) || !mst_refers_number_of(value, &old))
        return MST_OK;
    const char *kept = mst_arena_text(&keys->arena, path, length);
    if (!kept)
        return MST_NO_MEMORY;
    keys->items[keys->count++] =
        (mst_key){.path = kept, .list = list_path, .name = name, .old = old, .now = old};
    *noted = true;
    return MST_OK;
}

void mst_keys_set(mst_keys *keys, const mst_value *value) {
    mst_key *last = &keys->items[keys->count - 1];
    if (!mst_refers_number_of(value, &last->now))
        last->now = last->old;
}

/* ---- users that are left behind ---------------------------------------------------------------------- */

typedef struct search {
    mst_numbers_walk walk; /* the first member: the walk is the search */
    mst_keys *keys;
    mst_array *sets; /* following; NULL: users are only counted */
} search;

/* A set that updates a user of a key. */
typedef struct follow_state {
    const mst_key *key;
    mst_operation set;
} follow_state;

/* Whether component `c` of a number names the key. */
static bool names(const mst_referred *referred, const mst_numbers *n, uint64_t stored, uint32_t c,
                  uint64_t old) {
    const mst_refers *fact = referred->fact;
    unsigned width = mst_kind_width[n->field->kind];
    uint64_t first = fact->apart ? 0 : (uint64_t)c * 8 * width;
    if (fact->by == MST_BY_BIT)
        return old >= first && old - first < 8 * width && (stored >> (old - first) & 1);
    return (fact->mask ? stored & fact->mask : stored) == old && !mst_refers_is_none(fact, stored, width, c);
}

/* Whether only the element that has the new key had the old one, so that others can be set to it. */
static bool can_follow(const mst_key *key) {
    return !key->others && key->sharers == 1 && key->now != key->old;
}

/* Sets component `c` of a number to the new key, if that fits. */
static mst_status follow_user(search *s, const mst_numbers *n, const mst_refers *fact, uint64_t stored,
                              uint64_t element, uint32_t c, mst_key *key) {
    char path[sizeof((mst_diagnostic *)0)->path];
    const unsigned width = mst_kind_width[n->field->kind];
    const uint64_t all = UINT64_MAX >> (64 - 8 * width), mask = fact->mask ? fact->mask : all,
                   first = fact->apart ? 0 : (uint64_t)c * 8 * width;
    const bool bit = fact->by == MST_BY_BIT;
    const bool fits = bit ? key->now >= first && key->now - first < 8 * width : key->now <= mask;
    uint64_t now = (stored & ~mask) | (key->now & mask);
    if (bit && fits)
        now = (stored & ~(UINT64_C(1) << (key->old - first))) | UINT64_C(1) << (key->now - first);
    if (!fits || (!bit && mst_refers_is_none(fact, now, width, c))) {
        key->stuck = true;
        return MST_OK;
    }
    mst_numbers_path(&s->walk, n, element, c, path, sizeof path);
    follow_state *added = mst_array_push(s->sets, 1);
    const bool negative = mst_is_signed(n->field->kind) && now > all >> 1;
    const char *kept = mst_arena_text(&s->keys->arena, path, strlen(path)),
               *json = mst_arena_printf(&s->keys->arena, negative ? "-%llu" : "%llu",
                                        (unsigned long long)(negative ? (~now & all) + 1 : now));
    if (!added || !kept || !json)
        return MST_NO_MEMORY;
    *added = (follow_state){key, {.kind = MST_OPERATION_SET, .path = kept, .value = json}};
    return MST_OK;
}

static mst_status count_user(search *s, const mst_numbers *n, mst_key *key, uint64_t element, uint32_t c) {
    char path[sizeof((mst_diagnostic *)0)->path];
    if (key->users++)
        return MST_OK;
    mst_numbers_path(&s->walk, n, element, c, path, sizeof path);
    key->first = mst_arena_text(&s->keys->arena, path, strlen(path));
    return key->first ? MST_OK : MST_NO_MEMORY;
}

static mst_status search_key(search *s, const mst_numbers *n, const mst_referred *referred, mst_key *key) {
    const mst_document *document = s->walk.document;
    bool big = mst_field_big(document, n->field);
    unsigned width = mst_kind_width[n->field->kind];
    mst_status status = MST_OK;
    for (uint64_t i = 0; i < n->count && status == MST_OK; i++)
        for (uint32_t c = 0; c < n->components && status == MST_OK; c++) {
            uint64_t at = n->offset + i * n->stride + (uint64_t)width * c;
            const uint64_t stored = mst_load(document->data + (size_t)at, width, big);
            if (!names(referred, n, stored, c, key->old) ||
                !mst_numbers_apply(&s->walk, n, referred->fact, i))
                continue;
            status = count_user(s, n, key, i, c);
            if (status == MST_OK && s->sets && can_follow(key))
                status = follow_user(s, n, referred->fact, stored, i, c, key);
        }
    return status;
}

static mst_status search_numbers(mst_numbers_walk *walk, const mst_numbers *n) {
    search *s = (search *)walk;
    mst_status status = MST_OK;
    for (uint8_t f = 0; f < n->field->refers_count; f++)
        for (size_t k = 0; k < s->keys->count && status == MST_OK; k++) {
            mst_key *key = &s->keys->items[k];
            const mst_referred *referred = NULL;
            if (!is_key_of(&n->field->refers[f], NULL, key->name))
                continue;
            status = mst_refers_look_up(&walk->refers, &n->field->refers[f], &referred);
            if (status == MST_OK && referred && !referred->by_place && referred->target.offset == key->at &&
                referred->target.end == key->end)
                status = search_key(s, n, referred, key);
        }
    return status;
}

/* Counts the elements that have the key's old number, and the new one. */
static void count_others(mst_key *key, const mst_document *document) {
    mst_value list, element;
    uint64_t id;
    key->at = UINT64_MAX;
    key->others = key->sharers = key->users = 0;
    if (mst_find(mst_root(document), key->list, &list, NULL) != MST_OK)
        return;
    key->at = list.offset;
    key->end = list.end;
    for (mst_iterator it = mst_iterate(&list); mst_next(&it, &element);)
        if (mst_refers_id_of(&element, key->name, &id)) {
            key->others += id == key->old;
            key->sharers += id == key->now;
        }
}

static mst_status search_all(mst_keys *keys, const mst_document *document, mst_array *sets,
                             mst_diagnostic *diagnostic) {
    search *s = mst_arena_zero(&keys->arena, 1, sizeof *s);
    if (!s)
        return MST_NO_MEMORY;
    for (size_t k = 0; k < keys->count; k++)
        count_others(&keys->items[k], document);
    s->keys = keys;
    s->sets = sets;
    s->walk.document = document;
    s->walk.numbers = search_numbers;
    mst_status status = mst_refers_begin(&s->walk.refers, document, &keys->arena);
    return status == MST_OK ? mst_numbers_visit(&s->walk, diagnostic) : status;
}

static mst_status refuse(const mst_key *key, mst_diagnostic *diagnostic) {
    mst_fail(diagnostic, MST_REFUSED, "others refer to it");
    if (!diagnostic)
        return MST_REFUSED;
    MST_SET(diagnostic->path, "%s", key->path);
    MST_SET(diagnostic->expected, "--force, or a change of them in the same edit");
    if (key->users > 1)
        MST_SET(diagnostic->found, "%.80s and %llu more", key->first, (unsigned long long)key->users - 1);
    else
        MST_SET(diagnostic->found, "%s", key->first);
    return MST_REFUSED;
}

static mst_status say_shared(const mst_key *key, const mst_edit_options *options) {
    mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    MST_SET(what.path, "%s", key->path);
    MST_SET(what.message, "%llu other%s %s %llu; %llu refer%s to it", (unsigned long long)key->others,
            key->others == 1 ? "" : "s", key->others == 1 ? "has" : "have", (unsigned long long)key->old,
            (unsigned long long)key->users, key->users == 1 ? "s" : "");
    return options->report ? options->report(options->user, &what) : MST_OK;
}

mst_status mst_keys_follow(mst_keys *keys, const mst_document *document, const mst_edit_options *options,
                           mst_array *sets, mst_diagnostic *diagnostic) {
    if (!keys->count || options->keep_references)
        return MST_OK;
    mst_array found = {.element_size = sizeof(follow_state), .allocator = document->allocator};
    mst_status status = search_all(keys, document, &found, diagnostic);
    const follow_state *items = found.items;
    for (size_t i = 0; i < found.count && status == MST_OK; i++) {
        mst_operation *set = items[i].key->stuck ? NULL : mst_array_push(sets, 1); /* all of a key or none */
        if (set)
            *set = items[i].set;
        else if (!items[i].key->stuck)
            status = MST_NO_MEMORY;
    }
    mst_array_free(&found);
    for (size_t k = 0; k < keys->count && status == MST_OK; k++) {
        const mst_key *key = &keys->items[k];
        mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
        if (!key->users || key->stuck || !can_follow(key) || !options->report)
            continue;
        MST_SET(what.path, "%s", key->path);
        MST_SET(what.message, "%llu reference%s to it follow%s", (unsigned long long)key->users,
                key->users == 1 ? "" : "s", key->users == 1 ? "s" : "");
        status = options->report(options->user, &what);
    }
    return status;
}

mst_status mst_keys_judge(mst_keys *keys, const mst_document *after, const mst_edit_options *options,
                          mst_diagnostic *diagnostic) {
    mst_status status = keys->count ? search_all(keys, after, NULL, diagnostic) : MST_OK;
    for (size_t k = 0; k < keys->count && status == MST_OK; k++) {
        const mst_key *key = &keys->items[k];
        if (!key->users)
            continue;
        if (key->others)
            status = say_shared(key, options);
        else if (!options->force)
            status = refuse(key, diagnostic);
    }
    return status;
}

/* Whether the same was reported for another key. */
static bool is_said(const mst_keys *keys, size_t k) {
    const mst_key *key = &keys->items[k];
    for (size_t i = 0; i < k; i++)
        if (keys->items[i].now == key->now && strcmp(keys->items[i].list, key->list) == 0 &&
            strcmp(keys->items[i].name, key->name) == 0)
            return true;
    return false;
}

mst_status mst_keys_say_taken(const mst_keys *keys, const mst_edit_options *options) {
    mst_status status = MST_OK;
    for (size_t k = 0; k < keys->count && status == MST_OK && options->report; k++) {
        const mst_key *key = &keys->items[k];
        if (key->now == key->old || key->sharers < 2 || is_said(keys, k))
            continue;
        mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
        MST_SET(what.path, "%s", key->path);
        MST_SET(what.message, "%llu other%s %s this %s", (unsigned long long)key->sharers - 1,
                key->sharers == 2 ? "" : "s", key->sharers == 2 ? "has" : "have", key->name);
        status = options->report(options->user, &what);
    }
    return status;
}
