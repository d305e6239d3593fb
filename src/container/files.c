/* SPDX-License-Identifier: MIT */
/* Files supplied by the caller, as a container. */
#include "../core/diagnose.h"
#include "container.h"

#include <string.h>

static mst_status copy(const mst_container *container, const mst_container_member *member, void *to,
                       size_t count, mst_diagnostic *diagnostic) {
    const mst_container_files *files = &container->files;
    mst_status status = count ? files->read(files->user, (size_t)member->position, 0, to, count) : MST_OK;
    return status == MST_OK ? status
                            : mst_container_fail(container, member, diagnostic, status,
                                                 "the program that provides it returned an error");
}

static mst_status read_member(mst_container *container, mst_container_member *member,
                              mst_container_bytes *bytes, mst_diagnostic *diagnostic) {
    size_t size = (size_t)member->size; /* at most the limit, which fits */
    if (!size)
        return MST_OK;
    void *data = container->allocator.resize(container->allocator.user, NULL, 0, size);
    if (!data)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for %s", member->name);
    mst_status status = copy(container, member, data, size, diagnostic);
    if (status == MST_OK)
        *bytes = (mst_container_bytes){data, size, data};
    else
        container->allocator.resize(container->allocator.user, data, size, 0);
    return status;
}

static mst_status peek(mst_container *container, mst_container_member *member, void *first, size_t *size,
                       mst_diagnostic *diagnostic) {
    *size = member->size < *size ? (size_t)member->size : *size;
    return copy(container, member, first, *size, diagnostic);
}

mst_status mst_container_list_files(mst_container *container, mst_diagnostic *diagnostic) {
    static const mst_container_kind kind = {read_member, mst_container_release_memory, NULL, peek};
    const mst_container_files *files = &container->files;
    container->kind = &kind;
    for (size_t i = 0; i < files->count; i++) {
        uint64_t size = 0;
        const char *name = files->name(files->user, i, &size);
        mst_container_member *member = NULL;
        mst_status status = mst_container_add_foreign(container, name ? name : "", name ? strlen(name) : 0,
                                                      &member, diagnostic);
        if (status != MST_OK)
            return status;
        if (member) {
            member->size = size;
            member->position = i;
        }
    }
    return MST_OK;
}

/* ---- one of them, by slices ----------------------------------------------------------------------- */

#define LIST_MAX (UINT64_C(128) << 20) /* bytes of names and entries */

mst_status mst_container_view(const mst_container *container, uint64_t offset, uint64_t count,
                              mst_container_bytes *view, mst_diagnostic *diagnostic) {
    const mst_container_files *files = &container->files;
    *view = (mst_container_bytes){.data = ""};
    if (!count)
        return MST_OK;
    if (container->file.data) {
        *view = (mst_container_bytes){container->file.data + offset, (size_t)count, NULL};
        return MST_OK;
    }
    void *data = container->allocator.resize(container->allocator.user, NULL, 0, (size_t)count);
    if (!data)
        return mst_container_fail(container, NULL, diagnostic, MST_NO_MEMORY, "not enough memory for it");
    mst_status status = files->read(files->user, container->slices, offset, data, (size_t)count);
    if (status == MST_OK) {
        *view = (mst_container_bytes){data, (size_t)count, data};
        return MST_OK;
    }
    container->allocator.resize(container->allocator.user, data, (size_t)count, 0);
    return mst_container_fail(container, NULL, diagnostic, status,
                              "the program that provides it returned an error");
}

mst_status mst_container_view_list(const mst_container *container, uint64_t offset, uint64_t count,
                                   mst_container_bytes *view, mst_diagnostic *diagnostic) {
    *view = (mst_container_bytes){.data = ""};
    if (!container->file.data && count > LIST_MAX)
        return mst_container_fail(container, NULL, diagnostic, MST_NO_MEMORY,
                                  "not enough memory for the list of its files");
    return mst_container_view(container, offset, count, view, diagnostic);
}

void mst_container_unview(const mst_container *container, mst_container_bytes *view) {
    if (view->held)
        container->allocator.resize(container->allocator.user, view->held, view->size, 0);
    *view = (mst_container_bytes){.data = ""};
}
