/* SPDX-License-Identifier: MIT */
/* Patches as text: one JSON object a line. */
#include "../compare/comparing.h"
#include "../core/diagnose.h"
#include "../core/hash.h"
#include "../core/lower_bound.h"
#include "../core/number.h"
#include "../core/output.h"
#include "../core/text.h"
#include "../edit/assign.h"
#include "../read/landmarks.h"
#include "../tables/fields.h"
#include "drafts.h"
#include <stdio.h>
#include <stdlib.h>

/* The order of lines: values first, then removals, from the end; insertions from the front. */
typedef enum turn { TURN_LIST, TURN_SET, TURN_REMOVE, TURN_MOVE, TURN_INSERT, TURNS } turn;

/* The hashes of the identifying values of a list's elements, ascending. */
typedef struct identities {
    const char *list;
    uint64_t *hashes;
    size_t count;
} identities;

typedef struct lines {
    const mst_document *old;
    bool elsewhere;       /* the lines are for other levels than `old`, too */
    mst_array all[TURNS]; /* const char * */
    mst_arena arena;
    mst_array lists;         /* const char *: paths whose counts were written */
    mst_array nested;        /* const char *: paths of lists in elements */
    mst_array known;         /* identities */
    mst_landmarks landmarks; /* of `old` */
} lines;

/* ---- members ---------------------------------------------------------------------------------------- */

static void put_key(mst_output *out, const char *name) {
    mst_output_format(out, ",\"%s\":", name);
}

static void put_string(mst_output *out, const char *text) {
    mst_output_json_string(out, text, strlen(text));
}

static void put_number(mst_output *out, const char *name, uint64_t number) {
    mst_output_format(out, ",\"%s\":%llu", name, (unsigned long long)number);
}

/* Whether there is a value that JSON also has. */
static bool is_there(const mst_value *value) {
    return mst_value_type(value) != MST_TYPE_NONE &&
           !mst_left_out(value->document, mst_field_of(value), value->offset, value->end);
}

static void put_value(lines *all, mst_output *out, const char *name, const mst_value *value) {
    const char *json;
    if (!is_there(value))
        return;
    mst_arena arena;
    mst_arena_begin(&arena, &all->arena.allocator, 0);
    mst_status status = mst_value_text(value, &arena, &json, NULL);
    put_key(out, name);
    if (status == MST_OK)
        mst_output_text(out, json);
    else if (out->status == MST_OK)
        out->status = status;
    mst_arena_end(&arena);
}

/* The element that the change is about: its list, its identifying values and its index. */
static void put_at(lines *all, mst_output *out, const mst_difference *change) {
    put_key(out, "at");
    mst_output_text(out, "{\"list\":");
    put_string(out, change->list);
    for (size_t i = 0; i < change->known_by_count; i++)
        put_value(all, out, change->known_by[i].path, &change->known_by[i].value);
    put_number(out, "index", change->old_index != MST_NOWHERE ? change->old_index : change->new_index);
    mst_output_text(out, "}");
}

/* The element's place, to distinguish it from others of its kind: it may have been moved since. */
static void put_near(lines *all, mst_output *out, const mst_difference *change) {
    const mst_compared *facts = mst_compared_of_list(all->old->format, change->list);
    bool any = false;
    if (!facts || mst_is_void(&change->old_element))
        return;
    for (size_t i = 0; i < MST_COMPARED_PATHS && facts->place[i]; i++) {
        mst_value value;
        const char *json;
        mst_arena arena;
        if (mst_find(change->old_element, facts->place[i], &value, NULL) != MST_OK ||
            mst_field_of(&value)->refers_count || mst_value_type(&value) == MST_TYPE_RECORD)
            continue;
        mst_arena_begin(&arena, &all->arena.allocator, 0);
        mst_status status = mst_value_text(&value, &arena, &json, NULL);
        mst_output_text(out, any ? "," : ",\"near\":{");
        put_string(out, facts->place[i]);
        mst_output_text(out, ":");
        if (status == MST_OK)
            mst_output_text(out, json);
        else if (out->status == MST_OK)
            out->status = status;
        mst_arena_end(&arena);
        any = true;
    }
    mst_output_text(out, any ? "}" : "");
}

/* `named`: it has a name or a number of its own. */
static mst_status hash_identity(lines *all, const mst_value *element, const mst_compared *facts,
                                uint64_t *hash, bool *named) {
    mst_difference of = {.old_element = *element};
    mst_status status = MST_OK;
    mst_arena arena;
    mst_arena_begin(&arena, &all->arena.allocator, 0);
    mst_diff_put_known_by(&of, facts);
    *hash = MST_HASH;
    *named = false;
    for (size_t i = 0; i < of.known_by_count && status == MST_OK; i++) {
        const char *json = "";
        status = mst_value_text(&of.known_by[i].value, &arena, &json, NULL);
        if (status == MST_OK)
            *hash = mst_hash_bytes(mst_hash_number(*hash, (uint32_t)i), json, strlen(json));
        *named = *named || (!mst_compared_is_kind(facts, of.known_by[i].path) && strcmp(json, "\"\"") != 0 &&
                            strcmp(json, "0") != 0);
    }
    mst_arena_end(&arena);
    return status;
}

static mst_status find_identities(lines *all, const char *path, const mst_compared *facts,
                                  const identities **found) {
    const identities *known = all->known.items;
    mst_value list, element;
    bool named;
    for (size_t i = 0; i < all->known.count; i++)
        if (strcmp((*found = &known[i])->list, path) == 0)
            return MST_OK;
    identities *made = mst_array_push(&all->known, 1);
    *found = made;
    if (!made)
        return MST_NO_MEMORY;
    *made = (identities){.list = mst_arena_text(&all->arena, path, strlen(path))};
    if (!made->list || mst_find(mst_root(all->old), path, &list, NULL) != MST_OK)
        return made->list ? MST_OK : MST_NO_MEMORY;
    made->hashes = mst_arena_take(&all->arena, (size_t)mst_count(&list) + 1, sizeof *made->hashes);
    mst_status status = made->hashes ? MST_OK : MST_NO_MEMORY;
    for (mst_iterator it = mst_iterate(&list); status == MST_OK && mst_next(&it, &element);)
        status = hash_identity(all, &element, facts, &made->hashes[made->count++], &named);
    if (made->count)
        qsort(made->hashes, made->count, sizeof *made->hashes, mst_by_number);
    return status;
}

/* States that others have the element's name or number, so that only its place distinguishes it. */
static void put_alike(lines *all, mst_output *out, const mst_difference *change) {
    const mst_compared *facts = mst_compared_of_list(all->old->format, change->list);
    const identities *known = NULL;
    uint64_t hash;
    bool named = false;
    if (!facts || !facts->keys[0] || !facts->place[0] || mst_is_void(&change->old_element))
        return;
    mst_status status = hash_identity(all, &change->old_element, facts, &hash, &named);
    if (status == MST_OK && !named) /* others are not taken for it anyway */
        return;
    if (status == MST_OK)
        status = find_identities(all, change->list, facts, &known);
    if (status != MST_OK) {
        out->status = out->status == MST_OK ? status : out->status;
        return;
    }
    MST_LOWER_BOUND(low, middle, known->count, known->hashes[middle] < hash);
    if (low + 1 < known->count && known->hashes[low + 1] == hash)
        mst_output_text(out, ",\"alike\":true");
}

/* The element's place and its parts: in another level its numbers name other things. */
static void put_geometry(lines *all, mst_output *out, const mst_difference *change) {
    const mst_value *const elements[] = {&change->old_element, &change->new_element};
    const uint64_t indices[] = {change->old_index, change->new_index};
    const char *json[2] = {NULL, NULL};
    mst_arena arena;
    mst_status status = MST_OK;
    if (!MST_OPTION(all->old->format->mesh, geometry) || !*change->list ||
        change->kind == MST_DIFFERENCE_MOVE || change->sort == MST_DIFFERENCE_DERIVED)
        return; /* nothing else depends on these */
    mst_arena_begin(&arena, &all->arena.allocator, 0);
    for (int side = 0; side < 2 && status == MST_OK; side++)
        if (!mst_is_void(elements[side]))
            status = all->old->format->mesh->geometry(change->list, elements[side], indices[side], &arena,
                                                      &json[side]);
    if (status == MST_OK && (json[0] || json[1])) {
        put_key(out, "geometry");
        mst_output_text(out, json[0] ? "{\"old\":" : "{");
        mst_output_text(out, json[0] ? json[0] : "");
        mst_output_text(out, !json[1] ? "}" : json[0] ? ",\"new\":" : "\"new\":");
        mst_output_text(out, json[1] ? json[1] : "");
        mst_output_text(out, json[1] ? "}" : "");
    } else if (status != MST_OK && out->status == MST_OK) {
        out->status = status;
    }
    mst_arena_end(&arena);
}

static void put_note(lines *all, mst_output *out, const mst_difference *change) {
    put_key(out, "note");
    mst_output_format(out, "{\"sort\":\"%s\"",
                      mst_sort_names[change->moves ? MST_DIFFERENCE_CONTENT : change->sort]);
    if (*change->label) {
        put_key(out, "label");
        put_string(out, change->label);
    }
    if (*change->place) {
        put_key(out, "place");
        put_string(out, change->place);
    }
    if (*change->list && change->sort <= MST_DIFFERENCE_VIEW) {
        put_near(all, out, change);
        if (all->elsewhere)
            put_alike(all, out, change);
    }
    mst_output_text(out, "}");
}

/* ---- lines ------------------------------------------------------------------------------------------ */

static mst_status keep(lines *all, turn when, mst_buffer *text) {
    const char **made = mst_array_push(&all->all[when], 1);
    if (made)
        *made = mst_arena_text(&all->arena, (const char *)text->data, text->size);
    bool kept = made && *made;
    mst_buffer_free(text);
    return kept ? MST_OK : MST_NO_MEMORY;
}

/* The path of the list in which an element is inserted, removed or moved. */
static const char *list_of(lines *all, const mst_difference *change) {
    if (!*change->item_path)
        return mst_arena_text(&all->arena, change->list, strlen(change->list));
    const char *bracket = strrchr(change->item_path, '[');
    int length = bracket ? (int)(bracket - change->item_path) : 0;
    uint64_t index = change->old_index != MST_NOWHERE ? change->old_index : change->new_index;
    if (!*change->list)
        return mst_arena_printf(&all->arena, "%.*s", length, change->item_path);
    return mst_arena_printf(&all->arena, "%s[%llu]%s%.*s", change->list, (unsigned long long)index,
                            length && *change->item_path != '[' ? "." : "", length, change->item_path);
}

/* The beginning of the hash of a list. */
static void put_hash(lines *all, mst_output *out, const char *path) {
    mst_value list;
    const char *json;
    char hash[65];
    mst_arena arena;
    if (mst_landmarks_find(&all->landmarks, mst_root(all->old), path, &list) != MST_OK)
        return;
    mst_arena_begin(&arena, &all->arena.allocator, 0);
    mst_status status = mst_value_text(&list, &arena, &json, NULL);
    if (status == MST_OK) {
        mst_sha256_text(json, strlen(json), hash);
        mst_output_format(out, ",\"hash\":\"%.*s\"", MST_LIST_HASH, hash);
    } else if (out->status == MST_OK) {
        out->status = status;
    }
    mst_arena_end(&arena);
}

/* The element of the old document that a list is in, as the element of a change; false: it is in none, or in
 * one that only its index identifies. `below`: the list's path below it. */
static bool find_owner(lines *all, const char *path, mst_difference *owner, const char **below) {
    const char *open = strrchr(path, '['), *digits = open ? open + 1 : NULL;
    const size_t length = digits ? strspn(digits, "0123456789") : 0;
    const char *list = length ? mst_arena_text(&all->arena, path, (size_t)(open - path)) : NULL;
    const mst_compared *facts = list ? mst_compared_of_list(all->old->format, list) : NULL;
    mst_value elements;
    *owner = (mst_difference){.list = list, .new_index = MST_NOWHERE};
    if (!facts || facts->as == MST_AS_GRID || !mst_read_u64(digits, length, &owner->old_index) ||
        mst_landmarks_find(&all->landmarks, mst_root(all->old), list, &elements) != MST_OK ||
        mst_landmarks_element(&all->landmarks, &elements, owner->old_index, &owner->old_element) != MST_OK)
        return false;
    mst_diff_put_known_by(owner, facts);
    *below = digits + length + 1;
    *below += **below == '.';
    return true;
}

static mst_status put_list(lines *all, const char *path, uint64_t old_count, uint64_t new_count,
                           bool with_owner, mst_buffer *text) {
    mst_output out;
    mst_difference owner;
    const char *below = path;
    mst_output_begin(&out, mst_buffer_sink(text));
    mst_output_text(&out, "{\"op\":\"list\"");
    const bool owned = with_owner && find_owner(all, path, &owner, &below);
    if (owned)
        put_at(all, &out, &owner);
    put_key(&out, "path");
    put_string(&out, below);
    mst_output_format(&out, ",\"count\":[%llu,%llu]", (unsigned long long)old_count,
                      (unsigned long long)new_count);
    put_hash(all, &out, path);
    if (owned) {
        mst_output_text(&out, ",\"note\":{\"sort\":\"content\"");
        put_near(all, &out, &owner);
        put_alike(all, &out, &owner);
        mst_output_text(&out, "}");
    }
    mst_output_text(&out, "}\n");
    return mst_output_end(&out);
}

mst_status mst_patch_write_list(const mst_document *old_document, const char *path, uint64_t old_count,
                                uint64_t new_count, bool with_owner, mst_buffer *text) {
    mst_allocator allocator = mst_allocator_or_default(&text->allocator);
    lines all = {.old = old_document, .known = {.element_size = sizeof(identities), .allocator = allocator}};
    mst_arena_begin(&all.arena, &allocator, 0);
    const mst_status status = put_list(&all, path, old_count, new_count, with_owner, text);
    mst_landmarks_reset(&all.landmarks);
    mst_array_free(&all.known);
    mst_arena_end(&all.arena);
    return status;
}

/* Adds a path, once; `*added`: it is new. Changes of one list are adjacent, or nearly so. */
static mst_status add_path(mst_array *paths, const char *path, bool *added) {
    const char *const *said = paths->items;
    *added = false;
    for (size_t i = paths->count; path && i-- > 0;)
        if (strcmp(said[i], path) == 0)
            return MST_OK;
    const char **made = path ? mst_array_push(paths, 1) : NULL;
    if (!made)
        return MST_NO_MEMORY;
    *made = path;
    *added = true;
    return MST_OK;
}

/* States once how many elements a list has. */
static mst_status write_list(lines *all, const char *path, uint64_t old_count, uint64_t new_count,
                             bool with_owner) {
    bool added;
    mst_status status = add_path(&all->lists, path, &added);
    if (status != MST_OK || !added)
        return status;
    mst_buffer text = {.allocator = all->arena.allocator};
    status = put_list(all, path, old_count, new_count, with_owner, &text);
    mst_status kept = keep(all, TURN_LIST, &text);
    return status == MST_OK ? kept : status;
}

/* Notes the lists that enclose an element, but for the outermost one: their elements are found by theirs. */
static mst_status note_nested(lines *all, const char *list) {
    mst_status status = MST_OK;
    bool added = true;
    for (const char *open = strrchr(list, '['); open && added && status == MST_OK;) {
        const char *path = mst_arena_text(&all->arena, list, strlen(list));
        status = path ? add_path(&all->nested, path, &added) : MST_NO_MEMORY;
        list = status == MST_OK ? mst_arena_text(&all->arena, list, (size_t)(open - list)) : "";
        open = list ? strrchr(list, '[') : NULL;
    }
    return list ? status : MST_NO_MEMORY;
}

/* States where the nested lists are in which no element came or left. */
static mst_status write_nested(lines *all) {
    const char *const *paths = all->nested.items;
    mst_status status = MST_OK;
    for (size_t i = 0; i < all->nested.count && status == MST_OK; i++) {
        mst_value list;
        if (mst_landmarks_find(&all->landmarks, mst_root(all->old), paths[i], &list) == MST_OK)
            status = write_list(all, paths[i], mst_count(&list), mst_count(&list), true);
    }
    return status;
}

static const char *name_of(const mst_difference *change, turn *when) {
    bool item = *change->item_path != 0, old = is_there(&change->old_value),
         now = is_there(&change->new_value);
    switch (change->kind) {
    case MST_DIFFERENCE_ADD: *when = TURN_INSERT; return "insert";
    case MST_DIFFERENCE_REMOVE: *when = TURN_REMOVE; return "remove";
    case MST_DIFFERENCE_MOVE: *when = TURN_MOVE; return "move";
    case MST_DIFFERENCE_SET: break;
    }
    *when = item && !old ? TURN_INSERT : item && !now ? TURN_REMOVE : TURN_SET;
    return item && !old ? "insert" : !now ? "remove" : "set";
}

static void put_values(lines *all, mst_output *out, const mst_difference *change, turn when) {
    bool item = *change->item_path != 0;
    const mst_value *old = &change->old_value, *now = &change->new_value;
    if (when == TURN_INSERT)
        now = item ? &change->item : &change->new_element;
    if (when == TURN_REMOVE)
        old = item ? &change->item : &change->old_element;
    if (when != TURN_INSERT)
        put_value(all, out, "old", old);
    if (when != TURN_REMOVE)
        put_value(all, out, "new", now);
}

/* Values that JSON lacks follow from those that it has. */
static bool is_written(const mst_difference *change) {
    if (change->kind != MST_DIFFERENCE_SET)
        return true;
    const mst_value *one = mst_is_void(&change->new_value) ? &change->old_value : &change->new_value;
    if (mst_is_void(one) || change->follows)
        return false;
    const mst_field *field = mst_field_of(one);
    bool counts = field->length_of || (field->flags & MST_FIELD_SIZES);
    return !counts && (is_there(&change->old_value) || is_there(&change->new_value));
}

static mst_status write_line(void *user, const mst_difference *change) {
    lines *all = user;
    turn when;
    mst_status status = MST_OK;
    if (!is_written(change))
        return MST_OK;
    const char *op = name_of(change, &when);
    if (when != TURN_SET)
        status =
            write_list(all, list_of(all, change), change->old_count, change->new_count,
                       all->elsewhere && !*change->item_path); /* else the line itself names the element */
    if (status == MST_OK && all->elsewhere)
        status = note_nested(all, change->list);
    if (status != MST_OK)
        return status;
    mst_buffer text = {.allocator = all->arena.allocator};
    mst_output out;
    mst_output_begin(&out, mst_buffer_sink(&text));
    mst_output_format(&out, "{\"op\":\"%s\"", op);
    if (change->kind == MST_DIFFERENCE_ADD) {
        put_key(&out, "path");
        const char *path =
            mst_arena_printf(&all->arena, "%s[%llu]", change->list, (unsigned long long)change->new_index);
        put_string(&out, path ? path : "");
    } else {
        if (*change->list)
            put_at(all, &out, change);
        put_key(&out, "path");
        put_string(&out, *change->item_path ? change->item_path : change->path);
    }
    if (when == TURN_MOVE)
        put_number(&out, "to", change->to);
    else
        put_values(all, &out, change, when);
    put_geometry(all, &out, change);
    put_note(all, &out, change);
    mst_output_text(&out, "}\n");
    status = mst_output_end(&out);
    mst_status kept = keep(all, when, &text);
    return status == MST_OK ? kept : status;
}

mst_status mst_patch_write_steps(const mst_document *old_document, const mst_document *new_document,
                                 const mst_diff_options *options, bool elsewhere, mst_buffer *text,
                                 mst_doubts *doubts, mst_diagnostic *diagnostic) {
    lines all = {
        .old = old_document, .elsewhere = elsewhere, .lists = {.element_size = sizeof(const char *)}};
    mst_allocator allocator = mst_allocator_or_default(&text->allocator);
    mst_arena_begin(&all.arena, &allocator, 0);
    all.lists.allocator = allocator;
    all.nested = all.lists;
    all.known = (mst_array){.element_size = sizeof(identities), .allocator = allocator};
    for (size_t t = 0; t < TURNS; t++)
        all.all[t] = (mst_array){.element_size = sizeof(const char *), .allocator = allocator};
    mst_status status =
        mst_diff_with_doubts(old_document, new_document, options, write_line, &all, doubts, diagnostic);
    if (status == MST_OK && elsewhere)
        status = write_nested(&all);
    mst_sink sink = mst_buffer_sink(text);
    for (size_t t = 0; t < TURNS; t++) {
        const char *const *items = all.all[t].items;
        size_t count = all.all[t].count;
        for (size_t i = 0; i < count && status == MST_OK; i++) {
            const char *line = items[t == TURN_REMOVE ? count - 1 - i : i];
            status = sink.write(sink.user, line, strlen(line));
        }
        mst_array_free(&all.all[t]);
    }
    mst_array_free(&all.lists);
    mst_array_free(&all.nested);
    mst_array_free(&all.known);
    mst_landmarks_reset(&all.landmarks);
    mst_arena_end(&all.arena);
    return status;
}
