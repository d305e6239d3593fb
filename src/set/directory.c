/* SPDX-License-Identifier: MIT */
/* A directory as a set: every regular file below it. */
#include "../core/diagnose.h"
#include "set.h"

#include <stdio.h>
#include <string.h>

typedef struct listing {
    mst_file_set *set;
    mst_array waiting; /* char *: directories below the set's own, with a slash at the end */
    const char *below; /* the one that is read */
    mst_diagnostic *diagnostic;
} listing;

static mst_status take_name(void *user, const char *name) {
    listing *to = user;
    mst_file_set *set = to->set;
    mst_status status = MST_OK;
    size_t prefix = strlen(set->path), length = prefix + strlen(to->below) + strlen(name),
           size_of_path = length + 2;
    char *path = set->allocator.resize(set->allocator.user, NULL, 0, size_of_path);
    if (!path)
        return mst_fail(to->diagnostic, MST_NO_MEMORY, "no memory for the names in %s", set->path);
    snprintf(path, size_of_path, "%s%s%s", set->path, to->below, name);
    const char *relative = path + prefix;
    uint64_t size = 0;
    mst_file_kind kind = mst_file_look(path, &size);
    if (kind == MST_FILE_REGULAR) {
        mst_file_set_member *member = mst_file_set_add(set, relative, to->diagnostic);
        if (member)
            member->size = size;
        else
            status = MST_NO_MEMORY;
    } else if (kind == MST_FILE_DIRECTORY) {
        memcpy(path + length, "/", 2);
        char *copy = mst_arena_text(&set->arena, relative, strlen(relative));
        char **pushed = copy ? mst_array_push(&to->waiting, 1) : NULL;
        if (pushed)
            *pushed = copy;
        else
            status = mst_fail(to->diagnostic, MST_NO_MEMORY, "no memory for the names in %s", set->path);
    }
    set->allocator.resize(set->allocator.user, path, size_of_path, 0);
    return status;
}

static mst_status read_member(mst_file_set *set, mst_file_set_member *member, mst_file_set_bytes *bytes,
                              mst_diagnostic *diagnostic) {
    char *path = NULL;
    size_t prefix = strlen(set->path), length = strlen(member->name) + 1;
    mst_file_bytes *file = set->allocator.resize(set->allocator.user, NULL, 0, sizeof *file);
    if (file)
        path = set->allocator.resize(set->allocator.user, NULL, 0, prefix + length);
    mst_status status = MST_NO_MEMORY;
    if (path) {
        memcpy(path, set->path, prefix);
        memcpy(path + prefix, member->name, length);
        status = mst_file_set_load(set, path, set->limit, file, diagnostic);
        set->allocator.resize(set->allocator.user, path, prefix + length, 0);
    } else {
        mst_fail(diagnostic, status, "no memory for %s", member->name);
    }
    if (status == MST_OK && file->size > set->limit) { /* it has grown since */
        mst_file_bytes_free(file);
        status = mst_file_set_too_large(set, member, diagnostic);
    }
    if (status == MST_OK)
        *bytes = (mst_file_set_bytes){file->data, file->size, file};
    else if (file)
        set->allocator.resize(set->allocator.user, file, sizeof *file, 0);
    return status;
}

static void release(mst_file_set *set, mst_file_set_bytes *bytes) {
    mst_file_bytes_free(bytes->held);
    set->allocator.resize(set->allocator.user, bytes->held, sizeof(mst_file_bytes), 0);
}

mst_status mst_file_set_list_directory(mst_file_set *set, mst_diagnostic *diagnostic) {
    static const mst_file_set_kind kind = {read_member, release, NULL, NULL};
    set->kind = &kind;
    listing to = {.set = set,
                  .waiting = {.element_size = sizeof(char *), .allocator = set->allocator},
                  .below = "",
                  .diagnostic = diagnostic};
    mst_status status = mst_directory_read(set->path, take_name, &to, diagnostic);
    while (status == MST_OK && to.waiting.count) {
        to.below = ((char **)to.waiting.items)[--to.waiting.count];
        char *path = mst_arena_printf(&set->arena, "%s%s", set->path, to.below);
        status = path ? mst_directory_read(path, take_name, &to, diagnostic)
                      : mst_fail(diagnostic, MST_NO_MEMORY, "no memory for the names in %s", set->path);
    }
    mst_array_free(&to.waiting);
    return status;
}
