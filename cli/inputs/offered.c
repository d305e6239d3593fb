/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "offered.h"

#include "../../src/system/system.h"
#include "inputs.h"
#include <stdlib.h>
#include <string.h>

#define NEXT_TO_MAX 4096 /* limit of files next to a level */

static void add(served *page, served_file one) {
    if (page->count == page->capacity) {
        page->capacity = page->capacity ? 2 * page->capacity : 64;
        page->files = need(realloc(page->files, page->capacity * sizeof *page->files));
    }
    page->files[page->count++] = one;
}

static char *joined(const char *folder, const char *name) {
    stream path = stream_memory();
    print(&path, "%s%s%s", folder, *folder && *name ? "/" : "", name);
    put(&path, "", 1);
    return path.data;
}

/* ---- directories ---------------------------------------------------------------------------------- */

/* A directory's names, in the order of the file system. */
typedef struct listing {
    char **names;
    size_t count, capacity, limit;
    const char *below; /* the folder being read, a prefix of its names */
    struct listing *folders;
} listing;

static void list_add(listing *to, const char *folder, const char *name) {
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 64;
        to->names = need(realloc(to->names, to->capacity * sizeof *to->names));
    }
    to->names[to->count++] = joined(folder, name);
}

static void list_free(listing *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->names[i]);
    free(list->names);
}

static int by_text(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static void list_sort(listing *list) {
    if (list->count)
        qsort(list->names, list->count, sizeof *list->names, by_text);
}

static bool take_name(void *user, const char *name, mst_system_kind kind) {
    listing *files = user;
    if (name[0] == '.')
        return true;
    if (kind == MST_SYSTEM_FILE || kind == MST_SYSTEM_UNKNOWN)
        list_add(files, files->below, name);
    if (files->folders && (kind == MST_SYSTEM_DIRECTORY || kind == MST_SYSTEM_UNKNOWN))
        list_add(files->folders, files->below, name);
    return files->count < files->limit;
}

int offered_open(const char *folder, const char *name, int *file) {
    char *whole = joined(folder, name);
    int error = mst_system_open_below(whole, strlen(folder), MST_SYSTEM_READ_AT_ONCE, file);
    free(whole);
    return error;
}

/* Adds the names that are files, not behind links. */
static void add_listed(served *page, const char *folder, const listing *files) {
    for (size_t i = 0; i < files->count; i++) {
        mst_system_info info;
        int file;
        if (offered_open(folder, files->names[i], &file) != 0)
            continue;
        if (mst_system_about_open(file, &info) == 0 && info.kind == MST_SYSTEM_FILE)
            add(page, (served_file){need(strdup(files->names[i])), need(strdup(folder)), false, info.size});
        mst_system_close(file);
    }
}

static void say_unread(const char *path, int error) {
    char why[128];
    mst_system_reason(error, why, sizeof why);
    say(MST_ERROR, "cannot read the directory %s: %s", path, why);
}

/* All files below a directory. */
static bool add_directory(served *page, const char *path) {
    listing folders = {.limit = SIZE_MAX}, files = {.limit = SIZE_MAX, .folders = &folders, .below = ""};
    int error = mst_system_entries(path, take_name, &files);
    if (error)
        say_unread(path, error);
    for (size_t i = 0; !error && i < folders.count; i++) {
        char *whole = joined(path, folders.names[i]);
        mst_system_info info;
        files.below = folders.names[i];
        if (mst_system_about_link(whole, &info) == 0 && info.kind == MST_SYSTEM_DIRECTORY) {
            int unread = mst_system_entries(whole, take_name, &files);
            if (unread)
                say_unread(whole, unread);
        }
        free(whole);
    }
    list_sort(&files);
    add_listed(page, path, &files);
    list_free(&files);
    list_free(&folders);
    return !error;
}

/* ---- files ---------------------------------------------------------------------------------------- */

static void add_named(served *page, const char *path) {
    mst_system_info info;
    for (size_t i = 0; i < page->count; i++)
        if (page->files[i].named && !strcmp(page->files[i].path, path))
            return;
    if (mst_system_about(path, &info) == 0 && info.kind == MST_SYSTEM_FILE)
        add(page, (served_file){need(strdup(base_name(path))), need(strdup(path)), true, info.size});
}

static bool is_offered(const served *page, const char *name) {
    for (size_t i = 0; i < page->count; i++)
        if (!strcmp(page->files[i].name, name))
            return true;
    return false;
}

/* Adds the files next to a level, which may include its textures, except those with the name of a given
 * file. */
static void add_next_to(served *page, const char *path) {
    size_t length = (size_t)(base_name(path) - path);
    char *folder = length ? copy_of(path, length) : need(strdup("."));
    listing files = {.limit = NEXT_TO_MAX, .below = ""}, others = {.limit = NEXT_TO_MAX, .below = ""};
    mst_system_entries(folder, take_name, &files);
    list_sort(&files);
    for (size_t i = 0; i < files.count; i++)
        if (!is_offered(page, files.names[i]))
            list_add(&others, "", files.names[i]);
    add_listed(page, folder, &others);
    list_free(&others);
    list_free(&files);
    free(folder);
}

bool offer_operands(served *page, const options *given) {
    for (size_t i = 0; i < given->operand_count; i++) {
        const char *path = given->operands[i];
        if (is_directory(path)) {
            if (!add_directory(page, path))
                return false;
        } else if (is_regular(path)) {
            add_named(page, path);
        } else {
            say(MST_ERROR, "%s is neither a file nor a directory", path);
            return false;
        }
    }
    for (size_t i = 0; i < given->operand_count; i++)
        if (!is_directory(given->operands[i]))
            add_next_to(page, given->operands[i]);
    return true;
}
