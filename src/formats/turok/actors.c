/* SPDX-License-Identifier: MIT */
/*
 * Names of actor types from the game's definitions, defs/actors: text files in which a type's number follows
 * its name, before a block in braces. Mods add their own.
 */
#include "../../core/lower_bound.h"
#include "../../core/memo.h"
#include "turok.h"
#include <stdlib.h>

#define NAMES_MAX 65536

typedef struct reader {
    mst_arena *arena;
    mst_array names; /* mst_turok_actor_name */
    mst_status status;
} reader;

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

/* False unless the complete word is an integer. */
static bool number_of(const char *word, size_t length, int32_t *number) {
    size_t i = length && word[0] == '-';
    int64_t value = 0;
    if (i == length)
        return false;
    for (; i < length; i++) {
        if (word[i] < '0' || word[i] > '9' || value > INT32_MAX)
            return false;
        value = value * 10 + (word[i] - '0');
    }
    if (value > INT32_MAX)
        return false;
    *number = (int32_t)(word[0] == '-' ? -value : value);
    return true;
}

/* The end of a comment that begins at `at`; `at` itself if there is none. */
static size_t after_comment(const char *text, size_t size, size_t at) {
    if (at + 1 < size && text[at] == '/' && text[at + 1] == '/') {
        while (at < size && text[at] != '\n')
            at++;
    } else if (at + 1 < size && text[at] == '/' && text[at + 1] == '*') {
        for (at += 2; at + 1 < size && (text[at] != '*' || text[at + 1] != '/'); at++)
            ;
        at = at + 2 < size ? at + 2 : size;
    }
    return at;
}

static mst_status take(void *taker, const char *file, const void *bytes, size_t size) {
    (void)file;
    reader *r = taker;
    const char *text = bytes, *name = NULL;
    size_t name_length = 0, depth = 0;
    for (size_t at = 0; at < size;) {
        size_t after = after_comment(text, size, at);
        char c = text[at];
        if (after != at) {
            at = after;
            continue;
        }
        if (c == '{' || c == '}') {
            depth = c == '{' ? depth + 1 : depth ? depth - 1 : 0;
            name = NULL;
            at++;
            continue;
        }
        bool quoted = c == '"';
        size_t begin = at + quoted, end = begin;
        while (end < size && (quoted ? text[end] != '"' && text[end] != '\n' : is_word(text[end])))
            end++;
        if (end == begin && !quoted) {
            at++;
            continue;
        }
        at = end + quoted;
        int32_t type;
        if (depth)
            continue;
        if (name && number_of(text + begin, end - begin, &type)) {
            if (r->names.count == NAMES_MAX)
                return MST_OK;
            mst_turok_actor_name *added = mst_array_push(&r->names, 1);
            char *copy = mst_arena_text(r->arena, name, name_length);
            if (!added || !copy)
                return MST_NO_MEMORY;
            *added = (mst_turok_actor_name){type, (uint32_t)r->names.count, copy};
            name = NULL;
        } else {
            name = text + begin;
            name_length = end - begin < 200 ? end - begin : 200;
        }
    }
    return MST_OK;
}

/* By number; of duplicates, the one read last sorts first: it is a mod's. */
static int by_type(const void *left, const void *right) {
    const mst_turok_actor_name *a = left, *b = right;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    return a->order > b->order ? -1 : a->order < b->order;
}

mst_status mst_turok_read_actor_names(const mst_resolver *resolver, mst_arena *arena,
                                      mst_turok_actor_names *names) {
    *names = (mst_turok_actor_names){NULL, 0};
    if (!resolver || !resolver->each)
        return MST_OK;
    reader r = {.arena = arena,
                .names = {.element_size = sizeof(mst_turok_actor_name), .allocator = arena->allocator}};
    mst_status status = resolver->each(resolver->user, "defs/actors", ".txt", take, &r);
    if (status == MST_OK && r.names.count) {
        mst_turok_actor_name *items = mst_arena_take(arena, r.names.count, sizeof *items);
        if (items) {
            memcpy(items, r.names.items, r.names.count * sizeof *items);
            qsort(items, r.names.count, sizeof *items, by_type);
            *names = (mst_turok_actor_names){items, r.names.count};
        } else {
            status = MST_NO_MEMORY;
        }
    }
    mst_array_free(&r.names);
    return status;
}

/* ---- cached names ------------------------------------------------------------------------------- */

static mst_status make(const mst_resolver *resolver, const void *bytes, size_t size, mst_arena *arena,
                       void *names) {
    (void)bytes, (void)size;
    return mst_turok_read_actor_names(resolver, arena, names);
}

/* Takes the first of the files, which represents all of them. */
static mst_status take_first(void *taker, const char *file, const void *bytes, size_t size) {
    (void)file;
    *(mst_memo *)taker = (mst_memo){.bytes = bytes, .size = size};
    return MST_STOPPED;
}

mst_status mst_turok_recall_actor_names(const mst_resolver *resolver, mst_arena *scratch,
                                        const mst_turok_actor_names **names) {
    static const mst_memo_kind kind = {sizeof(mst_turok_actor_names), make};
    static const mst_turok_actor_names none = {NULL, 0};
    mst_memo first = {0};
    *names = &none;
    if (!resolver || !resolver->each)
        return MST_OK;
    if (resolver->memo) {
        resolver->each(resolver->user, "defs/actors", ".txt", take_first, &first);
        if (!first.bytes)
            return MST_OK;
    }
    const void *made;
    mst_status status = mst_recall(&kind, resolver, first.bytes, first.size, scratch, &made);
    if (status == MST_OK)
        *names = made;
    return status;
}

const char *mst_turok_name_of_actor(const mst_turok_actor_names *names, int32_t type) {
    MST_LOWER_BOUND(low, middle, names->count, names->items[middle].type < type);
    if (low < names->count && names->items[low].type == type)
        return names->items[low].name;
    return mst_name_of_number(&mst_turok_actor_types, type);
}
