/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "store.h"
#include "../../src/core/hash.h"
#include "../../src/core/map.h"
#include "../../src/system/system.h"
#include "../inputs/opened_source.h"
#include "../inputs/paths.h"
#include "../system/console.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HEAD "mapstone history 1 "

/* ---- places ----------------------------------------------------------------------------------------- */

uint64_t history_key(const char *path) {
    return mst_hash_letters(MST_HASH, path);
}

char *history_path(const char *path) {
    char *whole = system_whole_path(path), *folder;
    if (whole)
        return whole;
    const size_t length = mst_system_directory_length(path);
    char *named = copy_of(length ? path : ".", length ? length : 1);
    folder = system_whole_path(named);
    free(named);
    if (folder && asprintf(&whole, "%s%s%s", folder,
                           mst_system_separates(folder[strlen(folder) - 1]) ? "" : "/", path + length) < 0)
        need(NULL);
    free(folder);
    return whole;
}

static char *path_of(const history_store *store, const char *name) {
    char *path;
    if (asprintf(&path, "%s%s", store->folder, name) < 0)
        need(NULL);
    return path;
}

static char *entry_path(const history_store *store, uint64_t number) {
    char name[24];
    snprintf(name, sizeof name, "%llu", (unsigned long long)number);
    return path_of(store, name);
}

/* Creates the missing directories of a path that ends with a separator: private ones, and only in a directory
 * that the user owns. */
static bool make_private(const char *path) {
    char *name = need(strdup(path));
    bool made = true, is_own = false;
    for (char *at = name + mst_system_root_length(name); *at && made; at++) {
        mst_system_info info;
        if (!mst_system_separates(*at))
            continue;
        const char separator = *at;
        *at = 0;
        if (mst_system_about(name, &info) == 0)
            is_own = mst_system_is_own(&info);
        else
            made = is_own && system_private_directory(name) == 0;
        *at = separator;
    }
    free(name);
    return made;
}

/* Determines the folder; false: there is none. */
static bool find_folder(history_store *store, bool create) {
    const char *advice;
    char *state = system_state(&advice);
    if (!state && !create)
        say(MST_ERROR, "there is no directory for the history: %s", advice);
    if (!state)
        return false;
    if (asprintf(&store->folder, "%s/mapstone/history/", state) < 0)
        need(NULL);
    free(state);
    if (create && !make_private(store->folder))
        return false;
    if (!is_directory(store->folder)) {
        say(MST_ERROR, "there is no history: no command has changed a file yet");
        return false;
    }
    int error = system_private_directory(store->folder);
    if (error)
        say(MST_WARNING, "%s is not used: it has to be a directory that only you can read (mode 0700)",
            store->folder);
    return !error;
}

/* ---- files ------------------------------------------------------------------------------------------ */

static int lock_store(const history_store *store) {
    char *path = path_of(store, "lock");
    int held = -1, error = mst_system_open(path, MST_SYSTEM_CREATE_PRIVATE, &held);
    if (error == EEXIST)
        error = mst_system_open(path, MST_SYSTEM_WRITE, &held);
    free(path);
    if (error)
        return -1;
    mst_system_lock_in_turn(held); /* not every file system supports locks */
    return held;
}

/* Replaces a file. False, with a warning, on failure. */
static bool write_private(const history_store *store, char *path, const stream *bytes) {
    char *temporary = path_of(store, "new");
    int file = -1;
    mst_system_remove(temporary);
    int error = mst_system_open(temporary, MST_SYSTEM_CREATE_PRIVATE, &file);
    if (!error) {
        error = mst_system_write(file, bytes->data, bytes->size);
        const int closed = mst_system_close(file);
        error = error ? error : closed;
        error = error ? error : mst_system_rename(temporary, path);
        if (error)
            mst_system_remove(temporary);
    }
    char reason[80];
    if (error) {
        mst_system_reason(error, reason, sizeof reason);
        say(MST_WARNING, "the history is not kept: %s: %s", path, reason);
    }
    free(temporary);
    free(path);
    return !error;
}

/* ---- the log ---------------------------------------------------------------------------------------- */

static void drop_line(history_store *store, size_t index) {
    char *path = entry_path(store, store->lines[index].number);
    mst_system_remove(path);
    free(path);
    free(store->lines[index].keys);
    store->count--;
    memmove(store->lines + index, store->lines + index + 1, (store->count - index) * sizeof *store->lines);
}

static history_line *add_line(history_store *store) {
    if ((store->count & (store->count + 1)) == 0)
        store->lines = need(realloc(store->lines, 2 * (store->count + 1) * sizeof *store->lines));
    history_line *line = &store->lines[store->count++];
    *line = (history_line){.number = 0};
    return line;
}

/* "NUMBER + BYTES KEY,KEY..." or with - for an undone entry; false: it is damaged. */
static bool take_line(history_store *store, char *text) {
    char *at = text, *end;
    history_line one = {.number = strtoull(at, &end, 10)};
    if (end == at || *end != ' ' || (end[1] != '+' && end[1] != '-') || end[2] != ' ')
        return false;
    one.undone = end[1] == '-';
    at = end + 3;
    one.bytes = strtoull(at, &end, 10);
    size_t room = 1;
    for (const char *comma = end; (comma = strchr(comma, ',')); comma++)
        room++;
    one.keys = need(calloc(room, sizeof *one.keys));
    for (bool good = end != at && *end == ' '; good && *end; one.key_count++) {
        at = end + 1;
        one.keys[one.key_count] = strtoull(at, &end, 16);
        good = end - at == 16 && (!*end || *end == ',');
        if (!good)
            break;
    }
    const bool good = one.key_count && !*end;
    if (good)
        *add_line(store) = one;
    else
        free(one.keys);
    return good;
}

/* Removes entries that have no line in the log. */
static bool remove_stray(void *user, const char *name, mst_system_kind kind) {
    const history_store *store = user;
    char *end;
    (void)kind;
    const uint64_t number = strtoull(name, &end, 10);
    if (*end || end == name)
        return true;
    for (size_t i = 0; i < store->count; i++)
        if (store->lines[i].number == number)
            return true;
    char *path = path_of(store, name);
    mst_system_remove(path);
    free(path);
    return true;
}

static void read_log(history_store *store) {
    char *path = path_of(store, "log"), *text = NULL, *save = NULL, *end;
    size_t size = 0, number = 1;
    mst_diagnostic why;
    bool good = read_whole(path, &text, &size, &why) == MST_OK && strlen(text) == size &&
                strncmp(text, HEAD, sizeof HEAD - 1) == 0;
    char *line = good ? strtok_r(text, "\n", &save) : NULL;
    if (good)
        store->next = strtoull(line + sizeof HEAD - 1, &end, 10);
    if (!good && is_regular(path))
        say(MST_WARNING, "%s is damaged: a new history is begun", path);
    while (line && (line = strtok_r(NULL, "\n", &save))) {
        number++;
        if (take_line(store, line))
            continue;
        say(MST_WARNING, "%s:%zu: this line is damaged: the entry is dropped", path, number);
        good = false;
    }
    for (size_t i = 0; i < store->count; i++)
        if (store->lines[i].number >= store->next)
            store->next = store->lines[i].number + 1;
    if (!good)
        mst_system_entries(store->folder, remove_stray, store);
    free(text);
    free(path);
}

bool history_write(const history_store *store) {
    stream text = stream_memory();
    print(&text, HEAD "%llu\n", (unsigned long long)store->next);
    for (size_t i = 0; i < store->count; i++) {
        const history_line *line = &store->lines[i];
        print(&text, "%llu %c %llu", (unsigned long long)line->number, line->undone ? '-' : '+',
              (unsigned long long)line->bytes);
        for (size_t k = 0; k < line->key_count; k++)
            print(&text, "%c%016llx", k ? ',' : ' ', (unsigned long long)line->keys[k]);
        put(&text, "\n", 1);
    }
    const bool written = write_private(store, path_of(store, "log"), &text);
    stream_free(&text);
    return written;
}

bool history_open(history_store *store, bool create) {
    *store = (history_store){.held = -1, .next = 1};
    if (!find_folder(store, create))
        return false;
    store->held = lock_store(store);
    read_log(store);
    return true;
}

void history_close(history_store *store) {
    for (size_t i = 0; i < store->count; i++)
        free(store->lines[i].keys);
    free(store->lines);
    free(store->folder);
    if (store->held >= 0)
        mst_system_close(store->held);
}

bool history_has_key(const history_line *line, uint64_t key) {
    for (size_t i = 0; i < line->key_count; i++)
        if (line->keys[i] == key)
            return true;
    return false;
}

/* ---- entries ---------------------------------------------------------------------------------------- */

/* The space that an entry and its line take. */
static uint64_t cost(const history_line *line) {
    return line->bytes + 64 + 17 * (uint64_t)line->key_count;
}

/* Makes room for one more entry of these files: undone entries can no longer be redone, and each file keeps
 * its newest entries. */
static void make_room(history_store *store, const uint64_t *keys, size_t key_count) {
    mst_hash_map counts = {.count = 0};
    for (size_t i = 0; i < key_count; i++)
        need(mst_hash_map_add(&counts, mst_key_number(keys[i])));
    for (size_t i = store->count; i-- > 0;) {
        history_line *line = &store->lines[i];
        size_t kept = 0;
        bool shares = false;
        for (size_t k = 0; k < line->key_count; k++) {
            uint32_t *count = mst_hash_map_find(&counts, mst_key_number(line->keys[k]));
            shares = shares || count;
            if (!count || ++*count < HISTORY_PER_FILE)
                line->keys[kept++] = line->keys[k];
        }
        line->key_count = kept;
        if (!kept || (shares && line->undone))
            drop_line(store, i);
    }
    mst_hash_map_end(&counts);
}

bool history_add(history_store *store, const stream *files, size_t count, const char *words,
                 const uint64_t *keys, size_t key_count) {
    make_room(store, keys, key_count);
    stream bytes = history_put_entry(store->next, (int64_t)time(NULL), words, files, count);
    history_line one = {.number = store->next, .bytes = bytes.size, .key_count = key_count};
    uint64_t all = cost(&one);
    for (size_t i = 0; i < store->count; i++)
        all += cost(&store->lines[i]);
    while (store->count && all > HISTORY_BYTES) {
        all -= cost(&store->lines[0]);
        drop_line(store, 0);
    }
    bool written = all <= HISTORY_BYTES && write_private(store, entry_path(store, store->next), &bytes);
    if (written) {
        one.keys = need(calloc(key_count, sizeof *keys));
        memcpy(one.keys, keys, key_count * sizeof *keys);
        *add_line(store) = one;
        store->next++;
    } else if (all > HISTORY_BYTES) {
        say(MST_INFORMATION, "the change is too large for the history: 'mapstone undo' cannot revert it");
    }
    stream_free(&bytes);
    return history_write(store) && written;
}

bool history_read(const history_store *store, const history_line *line, history_entry *entry) {
    char *path = entry_path(store, line->number), *bytes = NULL;
    size_t size = 0;
    mst_diagnostic why;
    *entry = (history_entry){.count = 0};
    bool good = read_whole(path, &bytes, &size, &why) == MST_OK;
    if (!good) {
        say_diagnosis(path, &why);
    } else if (!history_take_entry(entry, bytes, size) || entry->number != line->number) {
        say(MST_ERROR, "%s: this entry of the history is damaged, and is not used", path);
        good = false;
    }
    free(bytes);
    free(path);
    return good;
}
