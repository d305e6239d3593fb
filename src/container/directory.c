/* SPDX-License-Identifier: MIT */
/* A directory as a container: every regular file below it. */
#include "../core/diagnose.h"
#include "container.h"

#include <stdio.h>
#include <string.h>

typedef struct listing {
    mst_container *container;
    mst_array waiting; /* char *: subdirectories still to read, relative, with a slash at the end */
    const char *below; /* the one being read */
    mst_diagnostic *diagnostic;
} listing;

static mst_status take_name(void *user, const char *name) {
    listing *to = user;
    mst_container *container = to->container;
    mst_status status = MST_OK;
    size_t prefix = strlen(container->path), length = prefix + strlen(to->below) + strlen(name),
           size_of_path = length + 2;
    char *path = container->allocator.resize(container->allocator.user, NULL, 0, size_of_path);
    if (!path)
        return mst_fail(to->diagnostic, MST_NO_MEMORY, "not enough memory for the names in %s",
                        container->path);
    snprintf(path, size_of_path, "%s%s%s", container->path, to->below, name);
    const char *relative = path + prefix;
    uint64_t size = 0;
    mst_file_kind kind = mst_file_look(path, &size);
    if (kind == MST_FILE_REGULAR) {
        mst_container_member *member = mst_container_add(container, relative, to->diagnostic);
        if (member)
            member->size = size;
        else
            status = MST_NO_MEMORY;
    } else if (kind == MST_FILE_DIRECTORY) {
        memcpy(path + length, "/", 2);
        char *copy = mst_arena_text(&container->arena, relative, strlen(relative));
        char **pushed = copy ? mst_array_push(&to->waiting, 1) : NULL;
        if (pushed)
            *pushed = copy;
        else
            status = mst_fail(to->diagnostic, MST_NO_MEMORY, "not enough memory for the names in %s",
                              container->path);
    }
    container->allocator.resize(container->allocator.user, path, size_of_path, 0);
    return status;
}

static mst_status read_member(mst_container *container, mst_container_member *member,
                              mst_container_bytes *bytes, mst_diagnostic *diagnostic) {
    char *path = NULL;
    size_t prefix = strlen(container->path), length = strlen(member->name) + 1;
    mst_file_bytes *file = container->allocator.resize(container->allocator.user, NULL, 0, sizeof *file);
    if (file)
        path = container->allocator.resize(container->allocator.user, NULL, 0, prefix + length);
    mst_status status = MST_NO_MEMORY;
    if (path) {
        memcpy(path, container->path, prefix);
        memcpy(path + prefix, member->name, length);
        status = mst_container_load(container, path, container->limit, file, diagnostic);
        container->allocator.resize(container->allocator.user, path, prefix + length, 0);
    } else {
        mst_fail(diagnostic, status, "not enough memory for %s", member->name);
    }
    if (status == MST_OK && file->size > container->limit) { /* the file has grown since it was listed */
        mst_file_bytes_free(file);
        status = mst_container_too_large(container, member, diagnostic);
    }
    if (status == MST_OK)
        *bytes = (mst_container_bytes){file->data, file->size, file};
    else if (file)
        container->allocator.resize(container->allocator.user, file, sizeof *file, 0);
    return status;
}

static void release(mst_container *container, mst_container_bytes *bytes) {
    mst_file_bytes_free(bytes->held);
    container->allocator.resize(container->allocator.user, bytes->held, sizeof(mst_file_bytes), 0);
}

mst_status mst_container_list_directory(mst_container *container, mst_diagnostic *diagnostic) {
    static const mst_container_kind kind = {read_member, release, NULL, NULL};
    container->kind = &kind;
    listing to = {.container = container,
                  .waiting = {.element_size = sizeof(char *), .allocator = container->allocator},
                  .below = "",
                  .diagnostic = diagnostic};
    mst_status status = mst_directory_read(container->path, take_name, &to, diagnostic);
    while (status == MST_OK && to.waiting.count) {
        to.below = ((char **)to.waiting.items)[--to.waiting.count];
        char *path = mst_arena_printf(&container->arena, "%s%s", container->path, to.below);
        status = path ? mst_directory_read(path, take_name, &to, diagnostic)
                      : mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the names in %s",
                                 container->path);
    }
    mst_array_free(&to.waiting);
    return status;
}
