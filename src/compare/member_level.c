/* SPDX-License-Identifier: MIT */
#include "member_level.h"
#include "../core/diagnose.h"
#include "../core/text.h"
#include <string.h>

typedef struct beside {
    mst_container *from;
    const char *member;
} beside;

static mst_status find_second(void *user, const char *name, const void **bytes, size_t *size) {
    const beside *of = user;
    return mst_level_member_beside(of->from, of->member, name, false, bytes, size);
}

mst_status mst_patched_open_bytes(mst_container *from, size_t index, const mst_container_bytes *bytes,
                                  const mst_allocator *allocator, mst_patched_member *opened,
                                  mst_diagnostic *diagnostic) {
    const char *name = mst_container_name(from, index);
    beside of = {from, name};
    const mst_resolver resolver = {.find = find_second, .user = &of};
    const mst_open_options how = {
        .size = sizeof how, .name = mst_base_name(name), .sidecars = &resolver, .allocator = *allocator};
    *opened = (mst_patched_member){.bytes = *bytes};
    mst_status status = mst_open_memory(bytes->data, bytes->size, &how, &opened->document, diagnostic);
    if (status == MST_OK)
        return MST_OK;
    opened->document = NULL;
    opened->opening = status;
    return status == MST_NO_MEMORY || status == MST_IO ? mst_patched_fail(name, status, diagnostic) : MST_OK;
}

mst_status mst_patched_open(mst_container *from, size_t index, const mst_allocator *allocator,
                            mst_patched_member *opened, mst_diagnostic *diagnostic) {
    mst_container_bytes bytes;
    *opened = (mst_patched_member){.from = NULL};
    mst_status status = mst_container_read(from, index, &bytes, diagnostic);
    if (status != MST_OK)
        return mst_patched_fail(mst_container_name(from, index), status, diagnostic);
    status = mst_patched_open_bytes(from, index, &bytes, allocator, opened, diagnostic);
    opened->from = from;
    return status;
}

void mst_patched_close(mst_patched_member *opened) {
    mst_close(opened->document);
    if (opened->from)
        mst_container_release(opened->from, &opened->bytes);
    *opened = (mst_patched_member){.from = NULL};
}

bool mst_patched_same_bytes(const mst_container_bytes *a, const mst_container_bytes *b) {
    return a->size == b->size && (!a->size || memcmp(a->data, b->data, a->size) == 0);
}

size_t mst_patched_find(const mst_container *from, const char *name) {
    size_t index = mst_container_find(from, name);
    return index != SIZE_MAX && strcmp(mst_container_name(from, index), name) == 0 ? index : SIZE_MAX;
}

mst_status mst_patched_fail(const char *name, mst_status status, mst_diagnostic *diagnostic) {
    char message[sizeof diagnostic->message];
    if (!diagnostic)
        return status;
    memcpy(message, diagnostic->message, sizeof message);
    if (*message) /* empty if the caller's own function ended it */
        MST_SET(diagnostic->message, "%s: %s", name, message);
    return status;
}
