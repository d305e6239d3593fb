/* SPDX-License-Identifier: MIT */
#include "renames.h"
#include "../core/diagnose.h"
#include "../core/json.h"
#include "../core/json_text.h"
#include "../core/lower_bound.h"
#include "../core/number.h"
#include "../core/text.h"

/* ---- all names of a list ------------------------------------------------------------------------------ */

/* A name or reference, kept. */
typedef struct kept {
    uint64_t element;
    const char *below, *text;
    uint32_t word, next; /* index of its word; index + 1 of the next item with it */
    bool names, refers, copied;
} kept;

/* A text or number that names or refers. */
typedef struct word {
    const char *now;         /* of copies; NULL: the same */
    uint32_t head;           /* index + 1 of the last item with it */
    uint32_t holders, users; /* names and references */
    uint32_t copies, copied; /* names and references in copies */
    uint32_t leavers;        /* elements that were renamed from it */
    bool number, is_renewed;
} word;

typedef struct table {
    mst_arena *arena;
    mst_array items;      /* kept, in the order of the file */
    mst_array words;      /* word */
    mst_hash_map by_text; /* index + 1 of a word */
} table;

/* The text for comparisons: in lower case, and distinct from numbers. */
static const char *folded(mst_arena *arena, const char *text, bool number) {
    char *copy = mst_arena_printf(arena, "%s%s", number ? "#" : "\"", text);
    for (char *at = copy; at && *at; at++)
        *at = mst_lower(*at);
    return copy;
}

static bool is_number(const mst_name_use *one) {
    return mst_value_type(&one->value) == MST_TYPE_INTEGER;
}

/* NULL: there is none, or no memory. */
static word *word_of(const table *all, const char *text, bool number) {
    const char *key = folded(all->arena, text, number);
    const uint32_t *at = key ? mst_hash_map_find(&all->by_text, mst_key_text(key)) : NULL;
    return at ? (word *)all->words.items + (*at - 1) : NULL;
}

/* The same, added if it is missing; NULL: no memory. */
static word *add_word(table *all, const char *text, bool number) {
    const char *key = folded(all->arena, text, number);
    uint32_t *at = key ? mst_hash_map_add(&all->by_text, mst_key_text(key)) : NULL;
    if (!at || *at)
        return at ? (word *)all->words.items + (*at - 1) : NULL;
    word *added = mst_array_push(&all->words, 1);
    if (!added)
        return NULL;
    *added = (word){.number = number};
    *at = (uint32_t)all->words.count;
    return added;
}

static mst_status keep(void *user, const mst_name_use *one) {
    table *all = user;
    const char *below = mst_arena_text(all->arena, one->below, strlen(one->below)),
               *text = mst_arena_text(all->arena, one->text, strlen(one->text));
    word *of = below && text ? add_word(all, one->text, is_number(one)) : NULL;
    kept *added = of ? mst_array_push(&all->items, 1) : NULL;
    if (!added)
        return MST_NO_MEMORY;
    *added = (kept){.element = one->element,
                    .below = below,
                    .text = text,
                    .word = (uint32_t)(of - (word *)all->words.items),
                    .next = of->head,
                    .names = one->names,
                    .refers = one->refers};
    of->head = (uint32_t)all->items.count;
    of->holders += one->names;
    of->users += one->refers;
    return MST_OK;
}

static mst_status take_all(table *all, const mst_value *list, mst_arena *arena) {
    const mst_allocator *allocator = &list->document->allocator;
    *all = (table){.arena = arena,
                   .items = {.element_size = sizeof(kept), .allocator = *allocator},
                   .words = {.element_size = sizeof(word), .allocator = *allocator},
                   .by_text = {.allocator = *allocator}};
    return list->document->format->editing->names(list, UINT64_MAX, keep, all);
}

static void table_end(table *all) {
    mst_array_free(&all->items);
    mst_array_free(&all->words);
    mst_hash_map_end(&all->by_text);
}

bool mst_renames_are_in(const mst_document *document, const char *list) {
    const mst_edit_hooks *editing = document->format->editing;
    return MST_OPTION(editing, names) && strcmp(list, editing->names_list) == 0;
}

static mst_status meet(void *user, const mst_name_use *one) {
    bool *named = user;
    *named = *named || one->names;
    return MST_OK;
}

mst_status mst_renames_has(const mst_value *list, uint64_t element, bool *named) {
    const mst_edit_hooks *editing = list->document->format->editing;
    *named = false;
    return MST_OPTION(editing, names) && strcmp(mst_field_of(list)->name, editing->names_list) == 0
               ? editing->names(list, element, meet, named)
               : MST_OK;
}

static mst_status add_set(mst_array *sets, mst_arena *arena, const char *list, const kept *one,
                          const char *text, bool number) {
    const char *path =
        mst_arena_printf(arena, "%s[%llu].%s", list, (unsigned long long)one->element, one->below);
    const char *json = number ? text : mst_json_quoted(arena, text, strlen(text));
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
    names->by_place = (mst_hash_map){.allocator = document->allocator};
}

void mst_renames_end(mst_renames *names) {
    mst_array_free(&names->items);
    mst_hash_map_end(&names->by_place);
    mst_arena_end(&names->arena);
}

/* The subject of a set. */
typedef struct note_state {
    mst_renames *names;
    const char *list, *path, *now;
    const mst_value *value;
    bool number;
} note_state;

static mst_status note(void *user, const mst_name_use *one) {
    const note_state *n = user;
    mst_renames *names = n->names;
    if (!one->names || one->value.offset < n->value->offset || one->value.offset >= n->value->end ||
        is_number(one) != n->number)
        return MST_OK;
    const char *place =
        mst_arena_printf(&names->arena, "%llu.%s", (unsigned long long)one->element, one->below);
    uint32_t *at = place ? mst_hash_map_add(&names->by_place, mst_key_text(place)) : NULL;
    if (at && *at) { /* set before in the same edit */
        ((mst_named *)names->items.items)[*at - 1].now = n->now;
        return MST_OK;
    }
    const char *old = mst_arena_text(&names->arena, one->text, strlen(one->text));
    mst_named *added = at && old ? mst_array_push(&names->items, 1) : NULL;
    if (!added)
        return MST_NO_MEMORY;
    *added = (mst_named){n->list, n->path, old, n->now, n->number};
    *at = (uint32_t)names->items.count;
    return MST_OK;
}

/* The text or the number of a given value: JSON, also the only element of a list, or as written in a
 * command. */
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
    note_state n = {.names = names, .value = value};
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

static mst_status say(const mst_edit_options *options, const mst_diagnostic *what) {
    return options->report ? options->report(options->user, what) : MST_OK;
}

static const char *references(uint64_t count_of) {
    return count_of == 1 ? "reference" : "references";
}

static mst_status follow_one(mst_renames *names, const table *all, const mst_named *named,
                             const mst_edit_options *options, mst_array *sets) {
    const word *old = word_of(all, named->old, named->number), *now = word_of(all, named->now, named->number);
    mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    if (!old || !old->users || old == now)
        return MST_OK;
    MST_SET(what.path, "%s", named->path);
    const unsigned long long holders = old->holders, users = old->users;
    if (holders) {
        MST_SET(what.message, "%llu other%s this name still; %llu %s to it stay%s", holders,
                holders == 1 ? " has" : "s have", users, references(users), users == 1 ? "s" : "");
        return say(options, &what);
    }
    if (old->leavers > 1) {
        MST_SET(what.message, "%u had this name and have others now; %llu %s to it stay%s", old->leavers,
                users, references(users), users == 1 ? "s" : "");
        return say(options, &what);
    }
    if (options->keep_references || !now || now->holders != 1)
        return MST_OK; /* the checks report references to nothing */
    mst_status status = MST_OK;
    const kept *items = all->items.items;
    for (uint32_t at = old->head; at && status == MST_OK; at = items[at - 1].next)
        if (items[at - 1].refers)
            status = add_set(sets, &names->arena, named->list, &items[at - 1], named->now, named->number);
    MST_SET(what.message, "%llu %s to it follow%s", users, references(users), users == 1 ? "s" : "");
    return status == MST_OK ? say(options, &what) : status;
}

mst_status mst_renames_follow(mst_renames *names, const mst_document *document,
                              const mst_edit_options *options, mst_array *sets) {
    const mst_named *items = names->items.items;
    mst_value list;
    table all;
    if (!names->items.count || mst_find(mst_root(document), items[0].list, &list, NULL) != MST_OK)
        return MST_OK;
    mst_status status = take_all(&all, &list, &names->arena);
    for (size_t i = 0; i < names->items.count && status == MST_OK; i++) {
        word *old = word_of(&all, items[i].old, items[i].number);
        if (old && old != word_of(&all, items[i].now, items[i].number))
            old->leavers++;
    }
    for (size_t i = 0; i < names->items.count && status == MST_OK; i++)
        status = follow_one(names, &all, &items[i], options, sets);
    table_end(&all);
    return status;
}

/* ---- copies ------------------------------------------------------------------------------------------- */

typedef struct renew_state {
    table all;
    const char *list;
    const mst_edit_options *options;
    int64_t most;       /* the largest number */
    mst_hash_map nexts; /* by the text before the digits: the next number */
} renew_state;

/* Counts the names and references that copies have of each word. */
static void find_copies(renew_state *r, const uint64_t *copies, size_t count) {
    word *words = r->all.words.items;
    kept *items = r->all.items.items;
    for (size_t i = 0; i < r->all.items.count; i++) {
        word *of = &words[items[i].word];
        MST_LOWER_BOUND(low, middle, count, copies[middle] < items[i].element);
        items[i].copied = low < count && copies[low] == items[i].element;
        of->copies += items[i].copied && items[i].names;
        of->copied += items[i].copied && items[i].refers;
        int64_t number;
        if (of->number && mst_read_i64(items[i].text, strlen(items[i].text), &number) && number > r->most)
            r->most = number;
    }
}

/* An unused number: above all existing ones. */
static const char *free_number(renew_state *r) {
    return r->most < INT32_MAX ? mst_arena_printf(r->all.arena, "%lld", (long long)++r->most) : NULL;
}

/* "door" becomes "door2", and "door7" the next free name. */
static const char *free_text(renew_state *r, const char *old) {
    const size_t length = strlen(old);
    size_t stem = length;
    uint64_t number = 1;
    while (stem && old[stem - 1] >= '0' && old[stem - 1] <= '9' && length - stem < 6)
        stem--;
    if (stem < length)
        mst_read_u64(old + stem, length - stem, &number);
    const char *before = mst_arena_printf(r->all.arena, "%.*s", (int)stem, old);
    const char *key = before ? folded(r->all.arena, before, false) : NULL;
    uint32_t *next = key ? mst_hash_map_add(&r->nexts, mst_key_text(key)) : NULL;
    if (!next)
        return NULL;
    *next = *next > number ? *next : (uint32_t)number + 1;
    const char *made;
    do
        made = mst_arena_printf(r->all.arena, "%s%u", before, (*next)++);
    while (made && word_of(&r->all, made, false));
    return made;
}

static mst_status say_renewed(const renew_state *r, const word *one, const kept *copy) {
    mst_diagnostic what = {.severity = MST_INFORMATION, .offset = MST_NO_OFFSET};
    MST_SET(what.path, "%s[%llu]", r->list, (unsigned long long)copy->element);
    if (!one->now)
        MST_SET(what.message, "\"%.60s\" is now the name of %u elements; %u %s to it", copy->text,
                one->holders, one->users, references(one->users));
    else if (one->copied)
        MST_SET(what.message, "the name \"%.60s\" becomes \"%.60s\" in the copy; %u %s of copies follow%s",
                copy->text, one->now, one->copied, references(one->copied), one->copied == 1 ? "s" : "");
    else
        MST_SET(what.message, "the name \"%.60s\" becomes \"%.60s\" in the copy", copy->text, one->now);
    return say(r->options, &what);
}

/* Finds another name for one that a copy shares with its original, if others refer to it. */
static mst_status renew(renew_state *r, word *one, const kept *copy) {
    if (one->is_renewed || one->copies == one->holders || !one->users)
        return MST_OK;
    one->is_renewed = true;
    if (!r->options->keep_names) {
        one->now = one->number ? free_number(r) : free_text(r, copy->text);
        if (!one->now)
            return MST_NO_MEMORY;
    }
    return say_renewed(r, one, copy);
}

mst_status mst_renames_of_copies(const mst_document *document, const char *list, const uint64_t *copies,
                                 size_t count, const mst_edit_options *options, mst_arena *arena,
                                 mst_array *sets) {
    mst_value elements;
    renew_state r = {.list = list, .options = options, .nexts = {.allocator = document->allocator}};
    if (mst_find(mst_root(document), list, &elements, NULL) != MST_OK)
        return MST_OK;
    mst_status status = take_all(&r.all, &elements, arena);
    find_copies(&r, copies, count);
    word *words = r.all.words.items;
    const kept *items = r.all.items.items;
    for (size_t i = 0; i < r.all.items.count && status == MST_OK; i++)
        if (items[i].copied && items[i].names)
            status = renew(&r, &words[items[i].word], &items[i]);
    for (size_t i = 0; i < r.all.items.count && status == MST_OK; i++) {
        const word *one = &words[items[i].word];
        if (items[i].copied && one->now)
            status = add_set(sets, arena, list, &items[i], one->now, one->number);
    }
    table_end(&r.all);
    mst_hash_map_end(&r.nexts);
    return status;
}
