/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "inputs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD_ROOM 4096

const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

const char *extension_of(const char *path) {
    const char *name = base_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? dot : "";
}

/* ---- formats -------------------------------------------------------------------------------------- */

const mst_format_information *format_by_id(const char *id) {
    for (size_t i = 0; i < mst_format_count(); i++)
        if (!strcmp(mst_format_at(i)->id, id))
            return mst_format_at(i);
    return NULL;
}

bool has_extension(const mst_format_information *format, const char *extension) {
    size_t length = strlen(extension);
    for (const char *at = format->extensions; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n == length && !strncasecmp(at, extension, n))
            return true;
        at += n;
    }
    return false;
}

const mst_format_information *format_by_extension(const char *extension) {
    for (size_t i = 0; i < mst_format_count(); i++)
        if (has_extension(mst_format_at(i), extension))
            return mst_format_at(i);
    return NULL;
}

stream format_ids(void) {
    stream list = stream_memory();
    for (size_t i = 0; i < mst_format_count(); i++)
        print(&list, " %s", mst_format_at(i)->id);
    put(&list, "", 1);
    return list;
}

bool format_is_known(const options *given, const char *from) {
    if (!from || !strcmp(from, "json") || format_by_id(from))
        return true;
    stream list = format_ids();
    options_usage(given, "'%s' is no format; there are: json%s", from, list.data);
    stream_free(&list);
    return false;
}

/* ---- expansion ------------------------------------------------------------------------------------ */

static void add(inputs *all, char *path, size_t prefix, bool named) {
    if (all->count == all->capacity) {
        all->capacity = all->capacity ? 2 * all->capacity : 16;
        all->items = need(realloc(all->items, all->capacity * sizeof *all->items));
    }
    input *item = &all->items[all->count++];
    item->path = path;
    item->relative = need(strdup(named ? base_name(path) : path + prefix));
    item->named = named;
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

/* Puts what is in a directory on the stack so that the first name comes off first. */
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
        if (fstatat(descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
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
    bool whole = errno == 0;
    if (!whole)
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
    return whole;
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
            add(all, path, prefix, false);
        }
    }
    free(stack.items);
}

inputs inputs_expand(const options *given) {
    inputs all = {.many = given->operand_count > 1};
    for (size_t i = 0; i < given->operand_count; i++) {
        const char *path = given->operands[i];
        if (strcmp(path, "-") != 0 && is_directory(path)) {
            all.many = true;
            walk(&all, path);
        } else {
            add(&all, need(strdup(path)), 0, true);
        }
    }
    return all;
}

void inputs_free(inputs *all) {
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].path);
        free(all->items[i].relative);
    }
    free(all->items);
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
    return path;
}

/* ---- reading -------------------------------------------------------------------------------------- */

static int open_to_read(const char *path, mst_diagnostic *why) {
    int descriptor = strcmp(path, "-") != 0 ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    struct stat status;
    if (descriptor < 0)
        blame(why, MST_IO, "cannot open it: %s", strerror(errno));
    else if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
        blame(why, MST_IO, "it is a directory");
        if (descriptor != STDIN_FILENO)
            close(descriptor);
        descriptor = -1;
    }
    return descriptor;
}

/* Reads until `room` is full or the end; a negative result is an error. */
static ssize_t fill(int descriptor, char *bytes, size_t room) {
    size_t size = 0;
    while (size < room) {
        ssize_t n = read(descriptor, bytes + size, room - size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        size += (size_t)n;
    }
    return (ssize_t)size;
}

mst_status read_whole(const char *path, char **bytes, size_t *size, mst_diagnostic *why) {
    *bytes = NULL;
    *size = 0;
    int descriptor = open_to_read(path, why);
    if (descriptor < 0)
        return MST_IO;
    struct stat status;
    size_t capacity = HEAD_ROOM;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
        (uint64_t)status.st_size < SIZE_MAX / 2)
        capacity = (size_t)status.st_size + 1; /* one more, to see the end */
    mst_status result = MST_OK;
    char *data = malloc(capacity);
    size_t filled = 0;
    while (data) {
        ssize_t n = fill(descriptor, data + filled, capacity - filled);
        if (n < 0)
            result = blame(why, MST_IO, "cannot read it: %s", strerror(errno));
        if (n <= 0)
            break;
        filled += (size_t)n;
        if (filled < capacity)
            break;
        char *larger = capacity <= SIZE_MAX / 2 ? realloc(data, capacity * 2) : NULL;
        if (!larger)
            free(data);
        data = larger;
        capacity *= 2;
    }
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    if (!data)
        return blame(why, MST_NO_MEMORY, "no memory for the whole of it");
    *bytes = data;
    *size = filled;
    return result;
}

bool is_regular(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

mst_status read_head(const char *path, void *head, size_t room, size_t *size, uint64_t *file_size,
                     mst_diagnostic *why) {
    int descriptor = open_to_read(path, why);
    if (descriptor < 0)
        return MST_IO;
    struct stat status;
    mst_status result = MST_OK;
    ssize_t n = 0;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        result = blame(why, MST_IO, "it is no regular file");
    else if ((n = fill(descriptor, head, room)) < 0)
        result = blame(why, MST_IO, "cannot read it: %s", strerror(errno));
    else
        *file_size = (uint64_t)status.st_size;
    *size = n > 0 ? (size_t)n : 0;
    if (descriptor != STDIN_FILENO)
        close(descriptor);
    return result;
}

/* ---- opening -------------------------------------------------------------------------------------- */

/* Whether text begins as a JSON object does. */
static bool begins_as_json(const char *bytes, size_t size) {
    size_t at = size >= 3 && !memcmp(bytes, "\xEF\xBB\xBF", 3) ? 3 : 0;
    while (at < size && strchr(" \t\r\n", bytes[at]) && bytes[at])
        at++;
    return at < size && bytes[at] == '{';
}

static mst_status open_bytes(source *opened, const char *path, const options *given, unsigned flags,
                             mst_diagnostic *why) {
    const char *from = given->value[OPTION_FROM], *called = given->value[OPTION_AS_PATH];
    mst_open_options how = {.format = from, .name = called ? called : strcmp(path, "-") != 0 ? path : NULL};
    how.lenient_json = (flags & SOURCE_LENIENT) != 0;
    if (from && !strcmp(from, "json"))
        opened->from_json = true;
    else if (!from && (flags & SOURCE_JSON))
        opened->from_json = !strcasecmp(extension_of(path), ".json") ||
                            (begins_as_json(opened->bytes, opened->size) &&
                             !mst_identify(opened->bytes, opened->size, opened->size, how.name, NULL));
    if (!opened->from_json)
        return mst_open_memory(opened->bytes, opened->size, &how, &opened->document, why);
    how.format = NULL;
    how.name = called; /* the name of the JSON is not the level's */
    size_t mark = opened->size >= 3 && !memcmp(opened->bytes, "\xEF\xBB\xBF", 3) ? 3 : 0;
    return mst_open_json(opened->bytes + mark, opened->size - mark, &how, &opened->document, why);
}

mst_status source_open(source *opened, const char *path, const options *given, unsigned flags,
                       mst_diagnostic *why) {
    const char *from = given->value[OPTION_FROM];
    memset(opened, 0, sizeof *opened);
    bool whole = (flags & SOURCE_BYTES) || !is_regular(path) || (from && !strcmp(from, "json"));
    if (!whole && !from && (flags & SOURCE_JSON)) {
        char head[256];
        size_t size;
        uint64_t file_size;
        mst_status status = read_head(path, head, sizeof head, &size, &file_size, why);
        if (status != MST_OK)
            return status;
        whole = begins_as_json(head, size) || !strcasecmp(extension_of(path), ".json");
    }
    if (!whole) {
        mst_open_options how = {.format = from, .name = given->value[OPTION_AS_PATH]};
        return mst_open_file(path, &how, &opened->document, why);
    }
    mst_status status = read_whole(path, &opened->bytes, &opened->size, why);
    return status == MST_OK ? open_bytes(opened, path, given, flags, why) : status;
}

void source_close(source *opened) {
    mst_close(opened->document);
    free(opened->bytes);
    memset(opened, 0, sizeof *opened);
}

/* ---- lists ---------------------------------------------------------------------------------------- */

char **split_commas(const char *text, size_t *count) {
    size_t n = 1;
    for (const char *at = text; *at; at++)
        n += *at == ',';
    /* the pointers and, behind them, the text that they point into */
    char **parts = need(malloc((n + 1) * sizeof *parts + strlen(text) + 1));
    char *copy = (char *)(parts + n + 1);
    memcpy(copy, text, strlen(text) + 1);
    n = 0;
    for (char *part = copy; part;) {
        char *comma = strchr(part, ',');
        if (comma)
            *comma++ = 0;
        if (*part)
            parts[n++] = part;
        part = comma;
    }
    parts[n] = NULL;
    *count = n;
    return parts;
}

void split_free(char **parts) {
    free(parts);
}

const char *find_assignment(const char *text) {
    bool bracket = false, quote = false;
    for (; *text; text++) {
        if (quote)
            quote = *text != '"';
        else if (bracket && *text == '"')
            quote = true;
        else if (bracket)
            bracket = *text != ']';
        else if (*text == '[')
            bracket = true;
        else if (*text == '=')
            return text;
    }
    return NULL;
}
