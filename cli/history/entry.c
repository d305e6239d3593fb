/* SPDX-License-Identifier: MIT */
/* An entry is the line HEAD, numbers (seven bits per byte, lowest first, with the eighth bit set in all but
 * the last byte), texts and bytes (each after its size), and finally the fingerprint of everything before
 * it. */
#include "entry.h"
#include <stdlib.h>
#include <string.h>

#define HEAD   "mapstone history 1\n"
#define DIGITS (MST_FINGERPRINT - 1)

/* ---- writing ---------------------------------------------------------------------------------------- */

static void put_number(stream *to, uint64_t number) {
    for (; number > 0x7F; number >>= 7)
        put(to, (char[]){(char)(number | 0x80)}, 1);
    put(to, (char[]){(char)number}, 1);
}

static void put_counted(stream *to, const void *bytes, size_t size) {
    put_number(to, size);
    put(to, bytes, size);
}

static void put_state(stream *to, const void *bytes, size_t size) {
    put_number(to, bytes != NULL);
    if (!bytes)
        return;
    char print[MST_FINGERPRINT];
    mst_fingerprint(bytes, size, print);
    put_number(to, size);
    put(to, print, DIGITS);
}

static void put_way(stream *to, const void *from, size_t from_size, const void *now, size_t size) {
    mst_delta delta;
    if (mst_delta_make(from, from_size, now, size, NULL, &delta) != MST_OK)
        need(NULL);
    const mst_delta_run *runs = delta.runs.items;
    put_number(to, delta.runs.count);
    for (size_t i = 0; i < delta.runs.count; i++) {
        put_number(to, runs[i].from);
        put_number(to, runs[i].length);
        put_number(to, runs[i].added);
    }
    put_counted(to, delta.added.items, delta.added.count);
    mst_delta_free(&delta);
}

void history_put_file(stream *to, const char *path, const void *before, size_t before_size, const void *after,
                      size_t after_size) {
    put_counted(to, path, strlen(path));
    put_state(to, before, before_size);
    put_state(to, after, after_size);
    before = before ? before : "";
    after = after ? after : "";
    put_way(to, after, after_size, before, before_size);
    put_way(to, before, before_size, after, after_size);
}

stream history_put_entry(uint64_t number, int64_t time, const char *command, const stream *files,
                         size_t count) {
    stream all = stream_memory();
    char print[MST_FINGERPRINT];
    put_text(&all, HEAD);
    put_number(&all, number);
    put_number(&all, (uint64_t)time);
    put_counted(&all, command, strlen(command));
    put_number(&all, count);
    put(&all, files->data, files->size);
    mst_fingerprint(all.data, all.size, print);
    put(&all, print, DIGITS);
    return all;
}

/* ---- reading ---------------------------------------------------------------------------------------- */

typedef struct reader {
    const uint8_t *at, *end;
    bool bad; /* and all further reads return 0 */
} reader;

static uint64_t take_number(reader *from) {
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && from->at < from->end; shift += 7) {
        const uint8_t byte = *from->at++;
        number |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return number;
    }
    from->bad = true;
    from->at = from->end;
    return 0;
}

/* Reads the number of items that take at least so many bytes each. */
static size_t take_count(reader *from, size_t each) {
    const uint64_t count = take_number(from);
    if (count <= (size_t)(from->end - from->at) / each)
        return (size_t)count;
    from->bad = true;
    from->at = from->end;
    return 0;
}

static const uint8_t *take_bytes(reader *from, size_t size) {
    const uint8_t *bytes = from->at;
    if (size > (size_t)(from->end - from->at)) {
        from->bad = true;
        from->at = from->end;
        return NULL;
    }
    from->at += size;
    return bytes;
}

static char *take_text(reader *from) {
    const size_t length = take_count(from, 1);
    const uint8_t *bytes = take_bytes(from, length);
    from->bad = from->bad || !bytes || memchr(bytes, 0, length);
    return from->bad ? NULL : copy_of((const char *)bytes, length);
}

static history_state take_state(reader *from) {
    history_state state = {.there = take_number(from) != 0};
    if (!state.there)
        return state;
    state.size = take_number(from);
    const uint8_t *digits = take_bytes(from, DIGITS);
    if (digits)
        memcpy(state.print, digits, DIGITS);
    return state;
}

/* Whether the runs are within the old bytes and make the required number of new ones. */
static bool is_sound(const mst_delta *delta) {
    const mst_delta_run *runs = delta->runs.items;
    uint64_t left = delta->new_size, added = delta->added.count;
    for (size_t i = 0; i < delta->runs.count; i++) {
        const mst_delta_run *run = &runs[i];
        if (run->from > delta->old_size || run->length > delta->old_size - run->from || run->length > left ||
            run->added > left - run->length || run->added > added)
            return false;
        left -= run->length + run->added;
        added -= run->added;
    }
    return !left && !added;
}

static mst_delta take_way(reader *from, const history_state *old, const history_state *now) {
    mst_delta delta = {.old_size = old->size, .new_size = now->size};
    const mst_allocator usual = mst_allocator_or_default(NULL);
    delta.runs = (mst_array){.element_size = sizeof(mst_delta_run), .allocator = usual};
    delta.added = (mst_array){.element_size = 1, .allocator = usual};
    const size_t count = take_count(from, 3);
    mst_delta_run *runs = count ? need(mst_array_push(&delta.runs, count)) : NULL;
    for (size_t i = 0; i < count; i++) {
        runs[i].from = take_number(from);
        runs[i].length = take_number(from);
        runs[i].added = take_number(from);
    }
    const size_t added = take_count(from, 1);
    const uint8_t *bytes = take_bytes(from, added);
    if (bytes && added)
        memcpy(need(mst_array_push(&delta.added, added)), bytes, added);
    from->bad = from->bad || !is_sound(&delta);
    return delta;
}

static void take_file(reader *from, history_file *file) {
    file->path = take_text(from);
    for (int i = 0; i < 2; i++)
        file->states[i] = take_state(from);
    for (int i = 0; i < 2; i++)
        file->ways[i] = take_way(from, &file->states[!i], &file->states[i]);
}

bool history_take_entry(history_entry *entry, const void *bytes, size_t size) {
    const size_t head = sizeof HEAD - 1;
    char print[MST_FINGERPRINT];
    *entry = (history_entry){.count = 0};
    if (size < head + DIGITS || memcmp(bytes, HEAD, head) != 0)
        return false;
    mst_fingerprint(bytes, size - DIGITS, print);
    if (memcmp((const char *)bytes + size - DIGITS, print, DIGITS) != 0)
        return false;
    reader from = {.at = (const uint8_t *)bytes + head, .end = (const uint8_t *)bytes + size - DIGITS};
    entry->number = take_number(&from);
    entry->time = (int64_t)take_number(&from);
    entry->command = take_text(&from);
    const size_t count = take_count(&from, 8);
    entry->files = need(calloc(count + 1, sizeof *entry->files));
    for (; entry->count < count && !from.bad; entry->count++)
        take_file(&from, &entry->files[entry->count]);
    return !from.bad && from.at == from.end && count;
}

void history_entry_free(history_entry *entry) {
    for (size_t i = 0; i < entry->count; i++) {
        free(entry->files[i].path);
        mst_delta_free(&entry->files[i].ways[0]);
        mst_delta_free(&entry->files[i].ways[1]);
    }
    free(entry->files);
    free(entry->command);
    *entry = (history_entry){.count = 0};
}

/* ---- states ----------------------------------------------------------------------------------------- */

bool history_is_state(const history_state *state, const void *bytes, size_t size) {
    char print[MST_FINGERPRINT];
    if (!bytes || !state->there)
        return !bytes && !state->there;
    if (size != state->size)
        return false;
    mst_fingerprint(bytes, size, print);
    return strcmp(print, state->print) == 0;
}

char *history_make(const history_file *file, int state, const void *other) {
    const mst_delta *way = &file->ways[state];
    char *made = need(malloc((size_t)way->new_size + 1));
    mst_delta_apply(way, other, (uint8_t *)made);
    made[way->new_size] = 0;
    if (history_is_state(&file->states[state], made, (size_t)way->new_size))
        return made;
    free(made);
    return NULL;
}
