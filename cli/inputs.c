/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "inputs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- expansion ------------------------------------------------------------------------------------ */

static input *add(inputs *all, char *path, const char *relative, bool named) {
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 16;
        all->items = need(realloc(all->items, all->capacity * sizeof *all->items));
    }
    input *item = &all->items[all->count++];
    *item = (input){.relative = need(strdup(relative)), .named = named};
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

/* Pushes the entries of a directory so that the first name is popped first. */
static bool push_entries(paths *stack, const char *directory) {
    int descriptor = openat(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = descriptor >= 0 ? fdopendir(descriptor) : NULL;
    if (!entries) {
        int error = errno;
        if (descriptor >= 0)
            close(descriptor);
        say(MST_ERROR, "cannot read the directory %s: %s", directory, strerror(error));
        return false;
    }
    size_t first = stack->count;
    errno = 0;
    for (struct dirent *entry; (entry = readdir(entries)); errno = 0) {
        struct stat status;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        unsigned char type = entry->d_type; /* where it is known, saves a call of stat */
        if (type == DT_REG || type == DT_DIR)
            status.st_mode = type == DT_REG ? S_IFREG : S_IFDIR;
        else if (fstatat(descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        bool link = S_ISLNK(status.st_mode);
        if (link && fstatat(descriptor, entry->d_name, &status, 0) != 0)
            continue;
        bool is_dir = S_ISDIR(status.st_mode);
        if ((is_dir && link) || (!is_dir && !S_ISREG(status.st_mode)))
            continue;
        char *path;
        if (asprintf(&path, "%s%s%s", directory, entry->d_name, is_dir ? "/" : "") < 0)
            need(NULL);
        push(stack, path);
    }
    bool complete = errno == 0;
    if (!complete)
        say(MST_ERROR, "cannot read the directory %s: %s", directory, strerror(errno));
    closedir(entries);
    size_t count = stack->count - first;
    if (count)
        qsort(stack->items + first, count, sizeof *stack->items, by_name);
    for (size_t i = 0; i < count / 2; i++) {
        char *other = stack->items[first + i];
        stack->items[first + i] = stack->items[stack->count - 1 - i];
        stack->items[stack->count - 1 - i] = other;
    }
    return complete;
}

static void walk(inputs *all, const char *directory) {
    paths stack = {0};
    char *root;
    size_t length = strlen(directory);
    if (asprintf(&root, "%s%s", directory, length && directory[length - 1] == '/' ? "" : "/") < 0)
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

/* Adds a member of an archive by its name, "": all. */
static void add_archive(inputs *all, archive *in, const char *operand, const char *member) {
    all->archives = need(realloc(all->archives, (all->archive_count + 1) * sizeof *all->archives));
    all->archives[all->archive_count++] = in;
    if (*member) {
        size_t index = mst_container_find(in->members, member);
        if (index == SIZE_MAX) {
            say(MST_ERROR, "%s: there is no %s in the archive; identify lists what is in it", operand,
                member);
            all->code = worse(all->code, EXIT_TROUBLE);
        } else {
            add_member(all, in, index, true);
        }
        return;
    }
    all->many = true;
    for (size_t i = 0; i < mst_container_count(in->members); i++)
        add_member(all, in, archive_at(in, i), false);
}

/* Whether the operand is an archive or a member of one; then it has been added, or an error reported. */
static bool expand_archive(inputs *all, const options *given, const char *path) {
    size_t length = archive_prefix(path);
    if (!length && !looks_like_archive(path))
        return false;
    char *file = file_of(path);
    archive *in = NULL;
    for (size_t i = 0; i < all->archive_count && !in; i++)
        if (!strcmp(all->archives[i]->path, file)) { /* open already for another member */
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

inputs inputs_expand(const options *given) {
    inputs all = {.many = given->operand_count > 1};
    for (size_t i = 0; i < given->operand_count; i++) {
        const char *path = given->operands[i];
        if (strcmp(path, "-") != 0 && is_directory(path)) {
            all.many = true;
            walk(&all, path);
        } else if (!expand_archive(&all, given, path)) {
            add(&all, need(strdup(path)), base_name(path), true);
        }
    }
    return all;
}

void inputs_free(inputs *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].path);
        free(all->items[i].relative);
    }
    for (size_t i = 0; i < all->archive_count; i++)
        archive_close(all->archives[i]);
    free(all->items);
    free(all->archives);
    memset(all, 0, sizeof *all);
}

const char *input_single(const options *given) {
    if (!given->operand_count) {
        options_usage(given, "%s needs a file", given->command->name);
        return NULL;
    }
    const char *path = given->operands[0];
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
