/* SPDX-License-Identifier: MIT */
#include "renames.h"
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/json_text.h"
#include "../core/map.h"
#include "../core/number.h"
#include "../core/text.h"
#include <stdio.h>

/* ---- all of a list ------------------------------------------------------------------------------------ */

/* One of them, kept; those with the same text are a chain. */
typedef struct kept {
    uint64_t element;
    const char *below, *text;
    uint32_t names, refers;
    bool number;
    uint32_t next; /* + 1 */
} kept;

typedef struct table {
    mst_arena *arena;
    mst_array items;      /* kept */
    mst_hash_map by_text; /* index + 1 of the last */
} table;

/* The text as it is compared: without the case of letters, and apart from numbers. */
static const char *folded(mst_arena *arena, const char *text, bool number) {
    char *copy = mst_arena_printf(arena, "%s%s", number ? "#" : "\"", text);
    for (char *at = copy; at && *at; at++)
        *at = *at >= 'A' && *at <= 'Z' ? (char)(*at + 'a' - 'A') : *at;
    return copy;
}

static bool is_number(const mst_naming *one) {
    return mst_value_type(&one->value) == MST_TYPE_INTEGER;
}

static mst_status keep(void *user, const mst_naming *one) {
    table *all = user;
    const bool number = is_number(one);
    const char *text = mst_arena_text(all->arena, one->text, strlen(one->text)),
               *below = mst_arena_text(all->arena, one->below, strlen(one->below)),
               *key = folded(all->arena, one->text, number);
    kept *added = text && below && key ? mst_array_push(&all->items, 1) : NULL;
    uint32_t *head = added ? mst_hash_map_add(&all->by_text, mst_key_text(key)) : NULL;
    if (!head)
        return MST_NO_MEMORY;
    *added = (kept){one->element, below, text, one->names, one->refers, number, *head};
    *head = (uint32_t)all->items.count;
    return MST_OK;
}

static mst_status take_all(table *all, const mst_value *list, mst_arena *arena) {
    const mst_allocator *allocator = &list->document->allocator;
    *all = (table){.arena = arena,
                   .items = {.element_size = sizeof(kept), .allocator = *allocator},
                   .by_text = {.allocator = *allocator}};
    return list->document->format->editing->names(list, UINT64_MAX, keep, all);
}

static void table_end(table *all) {
    mst_array_free(&all->items);
    mst_hash_map_end(&all->by_text);
}

static const kept *first_of(const table *all, const char *text, bool number) {
    const char *key = folded(all->arena, text, number);
    const uint32_t *head = key ? mst_hash_map_find(&all->by_text, mst_key_text(key)) : NULL;
    return head && *head ? (const kept *)all->items.items + (*head - 1) : NULL;
}

static const kept *next_of(const table *all, const kept *one) {
    return one->next ? (const kept *)all->items.items + (one->next - 1) : NULL;
}

bool mst_renames_are_in(const mst_document *document, const char *list) {
    const mst_editing *editing = document->format->editing;
    return MST_OPTION(editing, names) && strcmp(list, editing->names_list) == 0;
}

static mst_status meet(void *user, const mst_naming *one) {
    bool *named = user;
    *named = *named || one->names;
    return MST_OK;
}

mst_status mst_renames_has(const mst_value *list, uint64_t element, bool *named) {
    const mst_editing *editing = list->document->format->editing;
    *named = false;
    return MST_OPTION(editing, names) && strcmp(mst_field_of(list)->name, editing->names_list) == 0
               ? editing->names(list, element, meet, named)
               : MST_OK;
}

/* JSON of a name. */
static const char *json_of(mst_arena *arena, const char *text, bool number) {
    return number ? text : mst_json_quoted(arena, text, strlen(text));
}

static mst_status add_set(mst_array *sets, mst_arena *arena, const char *list, const kept *one,
                          const char *text) {
    const char *path =
        mst_arena_printf(arena, "%s[%llu].%s", list, (unsigned long long)one->element, one->below);
    const char *json = json_of(arena, text, one->number);
    mst_operation *set = path && json ? mst_array_push(sets, 1) : NULL;
    if (!set)
        return MST_NO_MEMORY;
    *set = (mst_operation){.kind = MST_OPERATION_SET, .path = path, .value = json};
    return MST_OK;
}

/* ---- names that are set ------------------------------------------------------------------------------- */

void mst_renames_begin(mst_renames *names, const mst_document *document) {
    mst_arena_begin(&names->arena, &document->allocator, 0);
    names->items = (mst_array){.element_size = sizeof(mst_named), .allocator = document->allocator};
}

void mst_renames_end(mst_renames *names) {
    mst_array_free(&names->items);
    mst_arena_end(&names->arena);
}

/* What a set is about. */
typedef struct noting {
    mst_renames *names;
    const char *list, *path, *now;
    const mst_value *value;
    bool number;
} noting;

static mst_status note(void *user, const mst_naming *one) {
    const noting *n = user;
    mst_renames *names = n->names;
    mst_named *items = names->items.items;
    if (!one->names || one->value.offset < n->value->offset || one->value.offset >= n->value->end ||
        is_number(one) != n->number)
        return MST_OK;
    for (size_t i = names->items.count; i-- > 0;) /* set before in the same edit */
        if (items[i].element == one->element && strcmp(items[i].below, one->below) == 0) {
            items[i].now = n->now;
            return MST_OK;
        }
    const char *old = mst_arena_text(&names->arena, one->text, strlen(one->text)),
               *below = mst_arena_text(&names->arena, one->below, strlen(one->below));
    mst_named *added = old && below ? mst_array_push(&names->items, 1) : NULL;
    if (!added)
        return MST_NO_MEMORY;
    *added = (mst_named){n->list, n->path, one->element, below, old, n->now, one->names, n->number};
    return MST_OK;
}

/* The text or the number that a value is given as: JSON, also the only element of a list, or as it stands in
 * a command. */
static const char *single_of(const char *given, bool number, mst_arena *arena) {
    mst_json json;
    if (mst_json_parse(given, strlen(given), arena, &json, NULL) != MST_OK)
        return given;
    const uint32_t at = json.nodes[0].kind == MST_JSON_ARRAY && json.nodes[0].end > 1 ? 1 : 0;
    const bool text = json.nodes[at].kind == MST_JSON_STRING && !number;
    return at || text ? mst_arena_text(arena, json.nodes[at].text, json.nodes[at].length) : given;
}

mst_status mst_renames_note(mst_renames *names, const mst_document *document, const char *path,
                            const mst_value *value, const char *json) {
    mst_value first = *value, list;
    uint64_t element = 0;
    const char *open = strchr(path, '[');
    while (mst_value_type(&first) == MST_TYPE_LIST && mst_count(&first) == 1 &&
           mst_element(&first, 0, &first) == MST_OK)
        ;
    const mst_type type = mst_value_type(&first);
    if (!open || (type != MST_TYPE_TEXT && type != MST_TYPE_INTEGER) ||
        !mst_read_u64(open + 1, strcspn(open + 1, "]"), &element))
        return MST_OK;
    noting n = {.names = names, .value = value};
    n.list = mst_arena_text(&names->arena, path, (size_t)(open - path));
    n.path = mst_arena_text(&names->arena, path, strlen(path));
    if (!n.list || !n.path)
        return MST_NO_MEMORY;
    if (!mst_renames_are_in(document, n.list) || mst_find(mst_root(document), n.list, &list, NULL) != MST_OK)
        return MST_OK;
    const char *now = single_of(json, type == MST_TYPE_INTEGER, &names->arena);
    n.number = type == MST_TYPE_INTEGER;
    n.now = now ? mst_arena_text(&names->arena, now, strlen(now)) : NULL;
    if (!n.now)
        return MST_NO_MEMORY;
    return document->format->editing->names(&list, element, note, &n);
}

/* How many elements have a name, and how many values refer to it. */
static void count(const table *all, const char *text, bool number, uint32_t kinds, uint64_t *holders,
                  uint64_t *users) {
    *holders = *users = 0;
    for (const kept *one = first_of(all, text, number); one; one = next_of(all, one)) {
        *holders += (one->names & kinds) != 0;
        *users += (one->refers & kinds) != 0;
    }
}

static mst_status say(const mst_edit_options *options, const mst_diagnostic *what) {
    return options->report ? options->report(options->user, what) : MST_OK;
}

static const char *references(uint64_t count_of) {
    return count_of == 1 ? "reference" : "references";
}

static mst_status follow_one(mst_renames *names, const table *all, const mst_named *named,
                             const mst_edit_options *options, mst_array *sets) {
    uint64_t holders, users, others, those;
    mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    MST_SET(what.path, "%s", named->path);
    count(all, named->old, named->number, named->kinds, &holders, &users);
    count(all, named->now, named->number, named->kinds, &others, &those);
    if (!users || mst_same_text(named->old, named->now))
        return MST_OK;
    if (holders) {
        MST_SET(what.message, "%llu other%s this name still; %llu %s to it stay%s",
                (unsigned long long)holders, holders == 1 ? " has" : "s have", (unsigned long long)users,
                references(users), users == 1 ? "s" : "");
        return say(options, &what);
    }
    if (options->keep_references || others != 1)
        return MST_OK; /* the checks say what refers to nothing */
    mst_status status = MST_OK;
    for (const kept *one = first_of(all, named->old, named->number); one && status == MST_OK;
         one = next_of(all, one))
        if (one->refers & named->kinds)
            status = add_set(sets, &names->arena, named->list, one, named->now);
    MST_SET(what.message, "%llu %s to it follow%s", (unsigned long long)users, references(users),
            users == 1 ? "s" : "");
    return status == MST_OK ? say(options, &what) : status;
}

mst_status mst_renames_follow(mst_renames *names, const mst_document *document,
                              const mst_edit_options *options, mst_array *sets, mst_diagnostic *diagnostic) {
    const mst_named *items = names->items.items;
    mst_value list;
    table all;
    if (!names->items.count || mst_find(mst_root(document), items[0].list, &list, NULL) != MST_OK)
        return MST_OK;
    mst_status status = take_all(&all, &list, &names->arena);
    for (size_t i = 0; i < names->items.count && status == MST_OK; i++)
        status = follow_one(names, &all, &items[i], options, sets);
    table_end(&all);
    return status == MST_NO_MEMORY ? mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory") : status;
}

/* ---- copies ------------------------------------------------------------------------------------------- */

/* A name that copies share with their originals. */
typedef struct renewed {
    const char *key, *old, *now; /* `key`: folded */
    uint32_t kinds;
    uint64_t first;               /* copy that has it */
    uint64_t holders, users, own; /* elements, references, and those of them that the copies have */
} renewed;

typedef struct renewing {
    table all;
    const uint64_t *copies;
    size_t count;
    mst_array names;      /* renewed */
    mst_hash_map by_text; /* index + 1 */
    mst_hash_map nexts;   /* by what comes before the digits: the next number */
} renewing;

static bool is_copy(const renewing *r, uint64_t element) {
    size_t low = 0, high = r->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (r->copies[middle] < element)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->count && r->copies[low] == element;
}

static renewed *renewed_of(const renewing *r, const char *key) {
    const uint32_t *at = key ? mst_hash_map_find(&r->by_text, mst_key_text(key)) : NULL;
    return at && *at ? (renewed *)r->names.items + (*at - 1) : NULL;
}

/* Notes the name of a copy, if others refer to it and it is not the copies' alone. */
static mst_status note_copied(renewing *r, const kept *one) {
    const char *key = folded(r->all.arena, one->text, one->number);
    if (!key || renewed_of(r, key))
        return key ? MST_OK : MST_NO_MEMORY;
    renewed made = {.key = key, .old = one->text, .kinds = one->names, .first = one->element};
    uint64_t originals = 0;
    for (const kept *other = first_of(&r->all, one->text, one->number); other;
         other = next_of(&r->all, other)) {
        const bool copied = is_copy(r, other->element);
        made.holders += (other->names & made.kinds) != 0;
        made.users += (other->refers & made.kinds) != 0;
        made.own += copied && (other->refers & made.kinds);
        originals += !copied && (other->names & made.kinds);
    }
    if (!originals || !made.users)
        return MST_OK;
    renewed *added = mst_array_push(&r->names, 1);
    uint32_t *at = added ? mst_hash_map_add(&r->by_text, mst_key_text(key)) : NULL;
    if (!at)
        return MST_NO_MEMORY;
    *added = made;
    *at = (uint32_t)r->names.count;
    return MST_OK;
}

/* A number that nothing has: above all that there are. */
static const char *free_number(const renewing *r) {
    const kept *items = r->all.items.items;
    int64_t most = 0, number;
    for (size_t i = 0; i < r->all.items.count; i++)
        if (items[i].number && mst_read_i64(items[i].text, strlen(items[i].text), &number) && number > most)
            most = number;
    const renewed *names = r->names.items;
    for (size_t i = 0; i < r->names.count; i++)
        if (names[i].now && mst_read_i64(names[i].now, strlen(names[i].now), &number) && number > most)
            most = number;
    return most < INT32_MAX ? mst_arena_printf(r->all.arena, "%lld", (long long)most + 1) : NULL;
}

/* "door" becomes "door2", and "door7" the next that is free. */
static const char *free_text(renewing *r, const char *old) {
    size_t stem = strlen(old);
    uint64_t number = 1;
    while (stem && old[stem - 1] >= '0' && old[stem - 1] <= '9' && strlen(old) - stem < 6)
        stem--;
    if (old[stem])
        mst_read_u64(old + stem, strlen(old + stem), &number);
    const char *before = mst_arena_printf(r->all.arena, "%.*s", (int)stem, old);
    const char *key = before ? folded(r->all.arena, before, false) : NULL;
    uint32_t *next = key ? mst_hash_map_add(&r->nexts, mst_key_text(key)) : NULL;
    if (!next)
        return NULL;
    *next = *next > number ? *next : (uint32_t)number + 1;
    const char *made;
    do
        made = mst_arena_printf(r->all.arena, "%s%u", before, (*next)++);
    while (made && first_of(&r->all, made, false));
    return made;
}

static mst_status say_renewed(const renewed *one, const char *list, const mst_edit_options *options) {
    mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    MST_SET(what.path, "%s[%llu]", list, (unsigned long long)one->first);
    if (options->keep_names)
        MST_SET(what.message, "\"%.60s\" is now the name of %llu elements; %llu %s to it", one->old,
                (unsigned long long)one->holders, (unsigned long long)one->users, references(one->users));
    else if (one->own)
        MST_SET(what.message, "the name \"%.60s\" becomes \"%.60s\" in the copy; %llu %s of copies follow%s",
                one->old, one->now, (unsigned long long)one->own, references(one->own),
                one->own == 1 ? "s" : "");
    else
        MST_SET(what.message, "the name \"%.60s\" becomes \"%.60s\" in the copy", one->old, one->now);
    return say(options, &what);
}

static mst_status renew_all(renewing *r, const char *list, const mst_edit_options *options, mst_array *sets) {
    const kept *items = r->all.items.items;
    mst_status status = MST_OK;
    for (size_t i = 0; i < r->all.items.count && status == MST_OK; i++)
        if (items[i].names && is_copy(r, items[i].element))
            status = note_copied(r, &items[i]);
    renewed *names = r->names.items;
    for (size_t i = 0; i < r->names.count && status == MST_OK; i++) {
        if (!options->keep_names)
            names[i].now = *names[i].key == '#' ? free_number(r) : free_text(r, names[i].old);
        status = names[i].now || options->keep_names ? say_renewed(&names[i], list, options) : MST_NO_MEMORY;
    }
    for (size_t i = 0; i < r->all.items.count && status == MST_OK && !options->keep_names; i++) {
        const renewed *one = is_copy(r, items[i].element)
                                 ? renewed_of(r, folded(r->all.arena, items[i].text, items[i].number))
                                 : NULL;
        if (one && (items[i].names | items[i].refers) & one->kinds)
            status = add_set(sets, r->all.arena, list, &items[i], one->now);
    }
    return status;
}

mst_status mst_renames_of_copies(const mst_document *document, const char *list, const uint64_t *copies,
                                 size_t count_of, const mst_edit_options *options, mst_arena *arena,
                                 mst_array *sets, mst_diagnostic *diagnostic) {
    mst_value elements;
    renewing r = {.copies = copies,
                  .count = count_of,
                  .names = {.element_size = sizeof(renewed), .allocator = document->allocator},
                  .by_text = {.allocator = document->allocator},
                  .nexts = {.allocator = document->allocator}};
    if (mst_find(mst_root(document), list, &elements, NULL) != MST_OK)
        return MST_OK;
    mst_status status = take_all(&r.all, &elements, arena);
    if (status == MST_OK)
        status = renew_all(&r, list, options, sets);
    table_end(&r.all);
    mst_array_free(&r.names);
    mst_hash_map_end(&r.by_text);
    mst_hash_map_end(&r.nexts);
    return status == MST_NO_MEMORY ? mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory") : status;
}
