/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "inputs.h"
#include "../../src/container/container.h"
#include "../../src/system/system.h"
#include "../system/console.h"
#include "left_out.h"
#include "opened_source.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- expansion ------------------------------------------------------------------------------------ */

static input *add(inputs *all, char *path, const char *relative, bool named) {
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 16;
        all->items = need(realloc(all->items, all->capacity * sizeof *all->items));
    }
    input *item = &all->items[all->count++];
    *item = (input){.relative = need(strdup(relative)), .named = named, .operand = all->operand};
    item->path = path;
    return item;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef struct paths {
    char **items; /* directories end with '/' */
    size_t count, capacity;
} paths;

static void push(paths *list, char *path) {
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->items = need(realloc(list->items, list->capacity * sizeof *list->items));
    }
    list->items[list->count++] = path;
}

typedef struct listing {
    paths *stack;
    const char *directory;
} listing;

/* Keeps files, even behind links, and directories, but not behind links. */
static bool push_entry(void *user, const char *name, mst_system_kind kind) {
    const listing *to = user;
    mst_system_info info = {.kind = kind};
    char *path;
    if (asprintf(&path, "%s%s", to->directory, name) < 0)
        need(NULL);
    bool known = kind != MST_SYSTEM_UNKNOWN || mst_system_about_link(path, &info) == 0;
    bool link = info.kind == MST_SYSTEM_LINK;
    if (link)
        known = mst_system_about(path, &info) == 0;
    bool file = known && info.kind == MST_SYSTEM_FILE;
    if (file) {
        push(to->stack, path);
    } else if (known && !link && info.kind == MST_SYSTEM_DIRECTORY) {
        char *directory;
        if (asprintf(&directory, "%s/", path) < 0)
            need(NULL);
        push(to->stack, directory);
    }
    if (!file)
        free(path);
    return true;
}

/* Pushes the entries of a directory so that the first name is popped first. */
static bool push_entries(paths *stack, const char *directory) {
    size_t first = stack->count;
    listing to = {stack, directory};
    int error = mst_system_entries(directory, push_entry, &to);
    if (error) {
        char reason[80];
        mst_system_reason(error, reason, sizeof reason);
        say(MST_ERROR, "cannot read the directory %s: %s", directory, reason);
    }
    size_t count = stack->count - first;
    if (count)
        qsort(stack->items + first, count, sizeof *stack->items, by_name);
    for (size_t i = 0; i < count / 2; i++) {
        char *other = stack->items[first + i];
        stack->items[first + i] = stack->items[stack->count - 1 - i];
        stack->items[stack->count - 1 - i] = other;
    }
    return !error;
}

static void walk(inputs *all, const char *directory) {
    paths stack = {0};
    char *root;
    size_t length = strlen(directory);
    if (asprintf(&root, "%s%s", directory, length && mst_system_separates(directory[length - 1]) ? "" : "/") <
        0)
        need(NULL);
    size_t prefix = strlen(root);
    push(&stack, root);
    while (stack.count) {
        char *path = stack.items[--stack.count];
        if (path[strlen(path) - 1] == '/') {
            if (!push_entries(&stack, path))
                all->code = EXIT_TROUBLE;
            free(path);
        } else {
            add(all, path, path + prefix, false);
        }
    }
    free(stack.items);
}

static void add_member(inputs *all, archive *in, size_t index, bool named) {
    const char *name = mst_container_name(in->members, index);
    char *path;
    if (asprintf(&path, "%s!%s", in->path, name) < 0)
        need(NULL);
    const char *slash = strrchr(name, '/');
    input *item = add(all, path, named && slash ? slash + 1 : name, named);
    item->in = in;
    item->member = index;
}

/* Adds the member of an archive with that name, "": all members. */
static void add_archive(inputs *all, archive *in, const char *operand, const char *member) {
    all->archives = need(realloc(all->archives, (all->archive_count + 1) * sizeof *all->archives));
    all->archives[all->archive_count++] = in;
    if (*member) {
        size_t index = mst_container_find(in->members, member);
        if (index == SIZE_MAX) {
            say(MST_ERROR, "%s: there is no %s in the archive; identify lists its files", operand, member);
            all->code = worse(all->code, EXIT_TROUBLE);
        } else {
            add_member(all, in, index, true);
        }
        return;
    }
    all->many = all->searched[all->operand] = true;
    for (size_t i = 0; i < mst_container_count(in->members); i++)
        add_member(all, in, archive_at(in, i), false);
}

/* Whether the operand is an archive or a member of one; if so, it has been added, or an error reported. */
static bool expand_archive(inputs *all, const options *given, const char *path) {
    size_t length = archive_prefix(path);
    if (!length && !looks_like_archive(path))
        return false;
    char *file = file_of(path);
    archive *in = NULL;
    for (size_t i = 0; i < all->archive_count && !in; i++)
        if (!strcmp(all->archives[i]->path, file)) { /* already open for another member */
            in = all->archives[i];
            all->archives[i] = all->archives[--all->archive_count];
        }
    mst_diagnostic why;
    bool known = in != NULL, opened = known || (in = archive_open(file, given, &why)) != NULL;
    if (opened && !known && mst_container_omitted(in->members)) {
        all->omitted += mst_container_omitted(in->members);
        all->code = worse(all->code, EXIT_TROUBLE);
    }
    if (opened)
        add_archive(all, in, path, length ? path + length + 1 : "");
    else if (why.status != MST_UNKNOWN || length)
        all->code = worse(all->code, say_diagnosis(file, &why));
    free(file);
    return opened || why.status != MST_UNKNOWN || length;
}

static void expand(inputs *all, const options *given, const char *path) {
    if (strcmp(path, "-") != 0 && is_directory(path)) {
        all->many = all->searched[all->operand] = true;
        walk(all, path);
    } else if (!expand_archive(all, given, path)) {
        add(all, need(strdup(path)), base_name(path), true);
    }
}

inputs inputs_expand(const options *given) {
    inputs all = {.many = given->operand_count > 1,
                  .searched = need(calloc(given->operand_count + 1, sizeof *all.searched))};
    for (size_t i = 0; i < given->operand_count; i++) {
        all.operand = i;
        expand(&all, given, given->operands[i]);
    }
    return all;
}

static void free_item(input *item) {
    free(item->path);
    free(item->relative);
}

/* A level left out of an archive is missing from the result; a folder may have hidden ones. */
static bool is_missed(const input *item, const options *given) {
    mst_diagnostic why;
    const mst_format_information *format;
    return item->in && source_identify(item, given, 0, &format, NULL, &why) != MST_UNKNOWN;
}

void inputs_remove(inputs *all, const bool *which) {
    size_t kept = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (which[i])
            free_item(&all->items[i]);
        else
            all->items[kept++] = all->items[i];
    }
    all->count = kept;
}

void inputs_leave_out(inputs *all, const options *given, const char *to) {
    left_out without = {.what = "the result"};
    const input *items = all->items;
    bool below = to && names_directory(to);
    bool *leave = need(calloc(all->count + 1, sizeof *leave));
    for (size_t i = 0; i < all->count; i++) {
        size_t offset = strlen(items[i].path) - strlen(items[i].relative);
        bool named = items[i].named && !(items[i].in && below); /* the caller has chosen the name */
        leave[i] = !named && left_out_name(&without, items[i].path, offset, true);
        if (leave[i])
            all->searched[items[i].operand] = false;
        if (leave[i] && (items[i].named || is_missed(&items[i], given)))
            all->code = worse(all->code, EXIT_REFUSED);
    }
    left_out_end(&without);
    inputs_remove(all, leave);
    free(leave);
}

void inputs_free(inputs *all) {
    for (size_t i = 0; i < all->count; i++)
        free_item(&all->items[i]);
    for (size_t i = 0; i < all->archive_count; i++)
        archive_close(all->archives[i]);
    free(all->items);
    free(all->searched);
    free(all->archives);
    memset(all, 0, sizeof *all);
}

const char *input_single(const options *given) {
    if (!given->operand_count) {
        options_usage(given, "%s needs a file", given->command->name);
        return NULL;
    }
    const char *path = given->operands[0];
    for (size_t i = 1; i < given->operand_count && is_missing(path); i++)
        if (is_regular(given->operands[i])) {
            options_usage(given, "%s: no such file; name the file first, %s", path, given->operands[i]);
            return NULL;
        }
    if (strcmp(path, "-") != 0 && is_directory(path)) {
        say(MST_ERROR, "%s is a directory; %s takes one file", path, given->command->name);
        return NULL;
    }
    if (strcmp(path, "-") != 0 && !options_has(given, OPTION_FROM) && looks_like_archive(path)) {
        say(MST_ERROR, "%s is an archive; %s takes one file: %s!MEMBER", path, given->command->name, path);
        return NULL;
    }
    return path;
}
