/* SPDX-License-Identifier: MIT */
/* Finding sidecars: directories are listed once, when first needed, and files stay open. */
#include "search.h"
#include "lower_bound.h"

#include "../system/system.h"
#include "arena.h"
#include "diagnose.h"
#include "file.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct directory directory;

typedef struct entry {
    const char *name;
    const char *path;      /* NULL: not requested yet */
    bool irregular;        /* not a regular file: never opened */
    bool looked;           /* it is known whether it is a directory */
    mst_file_bytes *bytes; /* NULL: not read yet */
    directory *as;         /* NULL: it is not a directory */
} entry;

struct directory {
    const char *path; /* ends with a slash unless it is empty */
    size_t root;      /* the length of the path of the directory that was added */
    bool below;       /* not one that was added */
    bool listed;
    directory *unread; /* the next in the list of those that could not be read */
    mst_array entries; /* sorted by name without case, then by name */
};

struct mst_search {
    mst_arena arena;       /* names, paths and mst_file_bytes */
    mst_array directories; /* directory */
    mst_array below;       /* directory *, in the arena: the subdirectories that were requested */
    directory *unread;     /* of `below`: those that could not be read, and were not returned yet */
    const char *found;
    bool unmapped, unlinked;
};

/* ---- order ---- */

/* `length` is that of `b`. */
static int compare_without_case(const char *a, const char *b, size_t length) {
    for (; length && *a && mst_lower(*a) == mst_lower(*b); length--) {
        a++;
        b++;
    }
    return (int)(unsigned char)mst_lower(*a) - (length ? (int)(unsigned char)mst_lower(*b) : 0);
}

static int compare_entries(const void *a, const void *b) {
    const entry *first = a, *second = b;
    int order = compare_without_case(first->name, second->name, strlen(second->name));
    return order ? order : strcmp(first->name, second->name);
}

/* The index of the first entry with this name, in any case, or where it would be inserted. */
static size_t first_of(const directory *in, const char *name, size_t length) {
    const entry *entries = in->entries.items;
    MST_LOWER_BOUND(low, middle, in->entries.count,
                    compare_without_case(entries[middle].name, name, length) < 0);
    return low;
}

/* ---- directories ---- */

typedef struct listing {
    mst_search *search;
    directory *of;
} listing;

static mst_status take_name(void *user, const char *name) {
    listing *to = user;
    char *copy = mst_arena_text(&to->search->arena, name, strlen(name));
    entry *added = copy ? mst_array_push(&to->of->entries, 1) : NULL;
    if (!added)
        return MST_NO_MEMORY;
    *added = (entry){.name = copy};
    return MST_OK;
}

/* An added directory must be readable; an unreadable one below it counts as empty, so that the rest is still
 * searched. */
static mst_status list(mst_search *search, directory *of) {
    if (of->listed)
        return MST_OK;
    listing to = {search, of};
    mst_status status = mst_directory_read(of->path[0] ? of->path : ".", take_name, &to, NULL);
    if (status != MST_OK) {
        mst_array_free(&of->entries);
        if (status != MST_IO || !of->below)
            return status;
        of->unread = search->unread;
        search->unread = of;
    }
    if (of->entries.count)
        qsort(of->entries.items, of->entries.count, sizeof(entry), compare_entries);
    of->listed = true;
    return MST_OK;
}

/* ---- files ---- */

static mst_status is_regular(const mst_search *search, const directory *in, const char *path) {
    mst_system_info info;
    if (!search->unlinked)
        return mst_file_is_regular(path);
    int error = mst_system_about_below(path, in->root, &info);
    if (error && error != ENOENT && error != ENOTDIR && error != ELOOP)
        return MST_IO;
    return !error && info.kind == MST_SYSTEM_FILE ? MST_OK : MST_NO_PATH;
}

/* Reads the file unless it has been read. MST_NO_PATH if it is not a regular file. */
static mst_status read_entry(mst_search *search, const directory *in, entry *one) {
    if (one->bytes)
        return MST_OK;
    if (!one->path) {
        char *path = mst_arena_printf(&search->arena, "%s%s", in->path, one->name);
        if (!path)
            return MST_NO_MEMORY;
        mst_status regular = is_regular(search, in, path);
        if (regular == MST_IO) /* it may exist, so callers must not continue as if it were missing */
            return regular;
        one->path = path;
        one->irregular = regular != MST_OK;
    }
    if (one->irregular)
        return MST_NO_PATH;
    mst_file_bytes *bytes = mst_arena_zero(&search->arena, 1, sizeof *bytes);
    if (!bytes)
        return MST_NO_MEMORY;
    mst_file_reader reader;
    mst_status status =
        mst_file_open_below(one->path, search->unlinked ? in->root : MST_SYSTEM_ALL, &reader, NULL);
    if (status == MST_OK)
        status = mst_file_rest(&reader, &search->arena.allocator, 0, search->unmapped, bytes, NULL);
    if (status == MST_OK)
        one->bytes = bytes;
    return status;
}

/* The file of that name in one directory: an exact match, otherwise the first one ignoring case. */
static mst_status find_in(mst_search *search, directory *in, const char *name, const entry **found) {
    mst_status status = list(search, in);
    if (status != MST_OK)
        return status;
    entry *entries = in->entries.items;
    size_t length = strlen(name), first = first_of(in, name, length), end = first;
    while (end < in->entries.count && compare_without_case(entries[end].name, name, length) == 0)
        end++;
    for (size_t i = first; i < end; i++)
        if (strcmp(entries[i].name, name) == 0) {
            *found = &entries[i];
            status = read_entry(search, in, &entries[i]);
            if (status != MST_NO_PATH)
                return status;
        }
    for (size_t i = first; i < end; i++) {
        *found = &entries[i];
        status = read_entry(search, in, &entries[i]);
        if (status != MST_NO_PATH)
            return status;
    }
    return MST_NO_PATH;
}

/* The entry as a directory; MST_NO_PATH if it is not one. */
static mst_status enter(mst_search *search, const directory *in, entry *one, directory **result) {
    if (!one->looked) {
        const char *path = mst_arena_printf(&search->arena, "%s%s/", in->path, one->name);
        if (!path)
            return MST_NO_MEMORY;
        if (mst_file_look(path, NULL) == MST_FILE_DIRECTORY) {
            directory *made = mst_arena_zero(&search->arena, 1, sizeof *made);
            directory **kept = made ? mst_array_push(&search->below, 1) : NULL;
            if (!kept)
                return MST_NO_MEMORY;
            *made = (directory){.path = path, .root = in->root, .below = true};
            made->entries = (mst_array){.element_size = sizeof(entry), .allocator = search->arena.allocator};
            *kept = one->as = made;
        }
        one->looked = true;
    }
    *result = one->as;
    return one->as ? MST_OK : MST_NO_PATH;
}

/* A directory in a name, and how many candidates that differ only in case have been tried. */
typedef struct step {
    directory *in;
    const char *name;
    size_t length;
    size_t first, end; /* the entries of `in` with the name */
    size_t tried;
} step;

static mst_status begin_step(mst_search *search, directory *in, const char *name, size_t length, step *s) {
    if (!length)
        return MST_NO_PATH;
    *s = (step){.in = in, .name = name, .length = length};
    mst_status status = list(search, in);
    if (status != MST_OK)
        return status;
    const entry *entries = in->entries.items;
    s->first = s->end = first_of(in, name, length);
    while (s->end < in->entries.count && compare_without_case(entries[s->end].name, name, length) == 0)
        s->end++;
    return MST_OK;
}

/* The next directory with the name of the step; MST_NO_PATH: there are no more. */
static mst_status next_of_step(mst_search *search, step *s, directory **result) {
    entry *entries = s->in->entries.items;
    size_t count = s->end - s->first;
    while (s->tried < 2 * count) { /* the exact match, then the others */
        entry *one = &entries[s->first + s->tried % count];
        bool same = strncmp(one->name, s->name, s->length) == 0 && !one->name[s->length];
        if (same != (s->tried++ < count))
            continue;
        mst_status status = enter(search, s->in, one, result);
        if (status != MST_NO_PATH)
            return status;
    }
    return MST_NO_PATH;
}

#define DEPTH 16 /* directories in a name */

/* Called for each directory that a name leads to, with its last part; MST_NO_PATH: continue. */
typedef mst_status (*reach)(void *user, mst_search *search, directory *in, const char *last);

/* Follows a name below a directory, through all directories that differ only in case. */
static mst_status follow(mst_search *search, directory *in, const char *name, reach reached, void *user) {
    step steps[DEPTH];
    size_t depth = 0;
    const char *rest[DEPTH + 1] = {name};
    for (;;) {
        const char *slash = strchr(rest[depth], '/');
        mst_status status = MST_NO_PATH;
        if (!slash)
            status = reached(user, search, in, rest[depth]);
        else if (depth < DEPTH)
            status = begin_step(search, in, rest[depth], (size_t)(slash - rest[depth]), &steps[depth]);
        if (!slash || status != MST_OK) {
            if (status != MST_NO_PATH)
                return status;
        } else {
            rest[++depth] = slash + 1;
        }
        for (status = MST_NO_PATH; depth && status == MST_NO_PATH; depth -= status == MST_NO_PATH)
            status = next_of_step(search, &steps[depth - 1], &in);
        if (status != MST_OK)
            return status;
    }
}

static mst_status reach_file(void *user, mst_search *search, directory *in, const char *last) {
    return find_in(search, in, last, user);
}

static mst_status find(void *user, const char *name, const void **bytes, size_t *size) {
    mst_search *search = user;
    *bytes = NULL;
    *size = 0;
    /* the name may come from an untrusted file: only below the directories (".." is never listed) */
    const char *slash = strrchr(name, '/'), *plain = slash ? slash + 1 : name;
    if (!plain[0] || strchr(name, '\\') || strcmp(plain, ".") == 0 || strcmp(plain, "..") == 0)
        return MST_NO_PATH;
    directory *directories = search->directories.items;
    for (size_t i = 0; i < search->directories.count; i++) {
        const entry *found = NULL;
        mst_status status = follow(search, &directories[i], name, reach_file, &found);
        if (status == MST_NO_PATH)
            continue;
        if (status == MST_OK) {
            *bytes = found->bytes->data;
            *size = found->bytes->size;
            search->found = found->path;
        }
        return status;
    }
    return MST_NO_PATH;
}

typedef struct take_state {
    const char *ending;
    mst_take_sidecar take;
    void *taker;
} take_state;

static mst_status take_all(void *user, mst_search *search, directory *in, const char *last) {
    const take_state *how = user;
    (void)last;
    mst_status status = list(search, in);
    entry *entries = in->entries.items;
    for (size_t k = 0; k < in->entries.count && status == MST_OK; k++) {
        if (!mst_text_ends_in(entries[k].name, strlen(entries[k].name), how->ending))
            continue;
        status = read_entry(search, in, &entries[k]);
        if (status == MST_OK)
            status = how->take(how->taker, entries[k].name, entries[k].bytes->data, entries[k].bytes->size);
        else if (status == MST_NO_PATH || status == MST_IO)
            status = MST_OK; /* unreadable files are treated as missing */
    }
    return status == MST_OK ? MST_NO_PATH : status;
}

static mst_status each(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                       void *taker) {
    mst_search *search = user;
    directory *directories = search->directories.items;
    mst_status status = MST_NO_PATH;
    take_state how = {ending, take, taker};
    char name[256];
    if (strlen(folder) + 2 > sizeof name)
        return MST_OK;
    snprintf(name, sizeof name, "%s/", folder);
    for (size_t i = 0; i < search->directories.count && status == MST_NO_PATH; i++) {
        directory *in = &directories[i];
        size_t length = strlen(in->path);
        bool it = length && mst_text_ends_in(in->path, length - 1, folder); /* without the slash */
        status = it ? take_all(&how, search, in, "") : follow(search, in, name, take_all, &how);
    }
    return status == MST_NO_PATH ? MST_OK : status;
}

/* ---- the interface ---- */

mst_status mst_search_create(const mst_allocator *allocator, mst_search **search) {
    if (!search)
        return MST_ARGUMENT;
    mst_allocator chosen = mst_allocator_or_default(allocator);
    *search = chosen.resize(chosen.user, NULL, 0, sizeof **search);
    if (!*search)
        return MST_NO_MEMORY;
    memset(*search, 0, sizeof **search);
    mst_arena_begin(&(*search)->arena, &chosen, 0);
    (*search)->directories = (mst_array){.element_size = sizeof(directory), .allocator = chosen};
    (*search)->below = (mst_array){.element_size = sizeof(directory *), .allocator = chosen};
    return MST_OK;
}

void mst_search_unmapped(mst_search *search) {
    if (search)
        search->unmapped = true;
}

void mst_search_unlinked(mst_search *search) {
    search->unlinked = true;
}

mst_status mst_search_add(mst_search *search, const char *path, mst_diagnostic *diagnostic) {
    if (!search || !path)
        return mst_fail(diagnostic, MST_ARGUMENT, "a search and a directory are needed");
    size_t length = strlen(path);
    mst_status status = mst_directory_read(length ? path : ".", NULL, NULL, diagnostic);
    if (status != MST_OK)
        return status;
    bool slash = length && path[length - 1] != '/';
    char *copy = mst_arena_printf(&search->arena, "%s%s", path, slash ? "/" : "");
    directory *added = copy ? mst_array_push(&search->directories, 1) : NULL;
    if (!added)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the directory %s", path);
    *added = (directory){.path = copy, .root = strlen(copy)};
    added->entries = (mst_array){.element_size = sizeof(entry), .allocator = search->arena.allocator};
    return MST_OK;
}

mst_resolver mst_search_resolver(mst_search *search) {
    return search ? (mst_resolver){find, search, NULL, each} : (mst_resolver){NULL, NULL, NULL, NULL};
}

const char *mst_search_unread(mst_search *search) {
    const directory *first = search->unread;
    if (first)
        search->unread = first->unread;
    return first ? first->path : NULL;
}

const char *mst_search_found(const mst_search *search) {
    return search ? search->found : NULL;
}

static void free_directory(directory *one) {
    entry *entries = one->entries.items;
    for (size_t k = 0; k < one->entries.count; k++)
        if (entries[k].bytes)
            mst_file_bytes_free(entries[k].bytes);
    mst_array_free(&one->entries);
}

void mst_search_free(mst_search *search) {
    if (!search)
        return;
    directory *directories = search->directories.items, **below = search->below.items;
    for (size_t i = 0; i < search->directories.count; i++)
        free_directory(&directories[i]);
    for (size_t i = 0; i < search->below.count; i++)
        free_directory(below[i]);
    mst_array_free(&search->directories);
    mst_array_free(&search->below);
    mst_arena_end(&search->arena);
    mst_allocator allocator = search->arena.allocator;
    allocator.resize(allocator.user, search, sizeof *search, 0);
}
