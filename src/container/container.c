/* SPDX-License-Identifier: MIT */
/* Opening containers of all kinds, and their members by index and name. */
#include "container.h"
#include "../core/diagnose.h"
#include "../core/lower_bound.h"
#include "../core/text.h"
#include "../core/unreachable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMBER_LIMIT (UINT64_C(1) << 30)
#define PASS_LIMIT   32
#define BEGINNING    512 /* bytes by which archives are recognised */

/* ---- order ---------------------------------------------------------------------------------------- */

static int by_position(const void *a, const void *b) {
    const mst_container_member *first = *(mst_container_member *const *)a,
                               *second = *(mst_container_member *const *)b;
    return (first->position > second->position) - (first->position < second->position);
}

static int by_name(const void *a, const void *b) {
    const mst_container_member *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order ? order : by_position(&first, &second);
}

static int by_folded(const void *a, const void *b) {
    const mst_container_member *first = *(mst_container_member *const *)a,
                               *second = *(mst_container_member *const *)b;
    int order = mst_compare_letters(first->name, second->name);
    return order ? order : (first > second) - (first < second);
}

/* For when members are sorted and no longer move. */
static int by_order(const void *a, const void *b) {
    const mst_container_member *first = *(mst_container_member *const *)a,
                               *second = *(mst_container_member *const *)b;
    int order = by_position(a, b);
    return order ? order : (first > second) - (first < second);
}

static int by_base(const void *a, const void *b) {
    const mst_container_member *first = *(mst_container_member *const *)a,
                               *second = *(mst_container_member *const *)b;
    int order = mst_compare_letters(mst_name_base(first->name), mst_name_base(second->name));
    return order ? order : (first > second) - (first < second);
}

static mst_status sort(mst_container *container, mst_diagnostic *diagnostic) {
    mst_container_member *members = container->members.items;
    size_t count = container->members.count;
    if (!count)
        return MST_OK;
    mst_container_member **folded = mst_array_push(&container->folded, count);
    mst_container_member **bases = mst_array_push(&container->bases, count);
    mst_container_member **in_order = mst_array_push(&container->in_order, count);
    if (!folded || !bases || !in_order)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for the names in %s", container->path);
    qsort(members, count, sizeof *members, by_name);
    for (size_t i = 0; i < count; i++)
        folded[i] = bases[i] = in_order[i] = &members[i];
    qsort(folded, count, sizeof *folded, by_folded);
    qsort(bases, count, sizeof *bases, by_base);
    qsort(in_order, count, sizeof *in_order, by_order);
    return MST_OK;
}

/* ---- opening and closing -------------------------------------------------------------------------- */

bool mst_container_is_archive(const void *bytes, size_t size) {
    if (!bytes)
        return 0;
    static const struct {
        const char *mark;
        size_t offset, length;
    } marks[] = {{"PK\3\4", 0, 4},
                 {"PK\5\6", 0, 4},
                 {"7z\xBC\xAF\x27\x1C", 0, 6},
                 {"MSCF\0\0\0\0", 0, 8},
                 {"\x1F\x8B\x08", 0, 3},
                 {"\xFD"
                  "7zXZ\0",
                  0, 6},
                 {"1AY&SY", 4, 6},
                 {"ustar", 257, 5},
                 {MST_ISO_MARK, MST_ISO_MARK_AT, 5}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (size >= marks[i].offset + marks[i].length &&
            !memcmp((const char *)bytes + marks[i].offset, marks[i].mark, marks[i].length))
            return marks[i].offset != 4 || !memcmp(bytes, "BZh", 3);
    return mst_container_is_disc(bytes, size);
}

static mst_status open_path(mst_container *container, const char *path, mst_diagnostic *diagnostic) {
    bool directory = mst_directory_read(path, NULL, NULL, NULL) == MST_OK;
    bool slash = directory && path[strlen(path) - 1] != '/'; /* a readable path is not empty */
    container->path = mst_arena_printf(&container->arena, "%s%s", path, slash ? "/" : "");
    if (!container->path)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for %s", path);
    mst_status status;
    if (directory) {
        status = mst_container_list_directory(container, diagnostic);
    } else {
        status = mst_container_load(container, path, 0, &container->file, diagnostic);
        if (status == MST_OK && !mst_container_is_archive(container->file.data, container->file.size))
            status = mst_fail(diagnostic, MST_UNKNOWN, "%s is not an archive", path);
        if (status != MST_OK)
            return status;
        if (!container->total)
            container->total = mst_container_default_total(container);
        status = mst_container_list_zip(container, diagnostic);
        if (status == MST_UNKNOWN)
            status = mst_container_list_disc(container, diagnostic);
        if (status == MST_UNKNOWN)
            status = mst_container_list_archive(container, diagnostic);
    }
    return status == MST_OK ? sort(container, diagnostic) : status;
}

/* One of the caller's files, of which only the needed parts are read. */
static mst_status open_slices(mst_container *container, mst_diagnostic *diagnostic) {
    mst_container_bytes first = {0};
    uint64_t size = container->file.size;
    if (!container->total)
        container->total = mst_container_default_total(container);
    mst_status status =
        mst_container_view(container, 0, size < BEGINNING ? size : BEGINNING, &first, diagnostic);
    if (status != MST_OK)
        return status;
    bool archive = mst_container_is_archive(first.data, first.size);
    mst_container_unview(container, &first);
    if (!archive)
        return mst_fail(diagnostic, MST_UNKNOWN, "%s is not an archive", container->path);
    status = mst_container_list_zip(container, diagnostic);
    if (status == MST_UNKNOWN)
        status = mst_container_list_disc(container, diagnostic);
    if (status == MST_UNKNOWN)
        status = mst_fail(diagnostic, MST_UNSUPPORTED,
                          "%s can only be read as a whole, which zip archives need not", container->path);
    return status == MST_OK ? sort(container, diagnostic) : status;
}

static mst_status no_memory(const char *path, mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for %s", path);
}

/* An empty container. `path`: the name for messages. */
static mst_status new_container(const char *path, const mst_container_options *options, mst_container **made,
                                mst_diagnostic *diagnostic) {
    mst_container_options given = {.size = 0};
    mst_status status = mst_take_options(&given, sizeof given, options, diagnostic);
    if (status != MST_OK)
        return status;
    mst_allocator allocator = mst_allocator_or_default(&given.allocator);
    mst_container *container = allocator.resize(allocator.user, NULL, 0, sizeof *container);
    if (!container)
        return no_memory(path, diagnostic);
    memset(container, 0, sizeof *container);
    container->allocator = allocator;
    container->path = path;
    container->limit = given.member_limit ? given.member_limit : MEMBER_LIMIT;
    if (container->limit > SIZE_MAX / 2)
        container->limit = SIZE_MAX / 2;
    container->limit_is_given = given.member_limit != 0;
    container->pass_max = given.pass_limit ? given.pass_limit : PASS_LIMIT;
    container->total = given.total_limit;
    container->unmapped = given.unmapped != 0;
    container->report = given.report;
    container->report_user = given.report_user;
    mst_arena_begin(&container->arena, &allocator, 0);
    container->members = (mst_array){.element_size = sizeof(mst_container_member), .allocator = allocator};
    container->folded = container->bases = container->in_order =
        (mst_array){.element_size = sizeof(mst_container_member *), .allocator = allocator};
    *made = container;
    return MST_OK;
}

static mst_status opened(mst_container *container, mst_status status, mst_container **result,
                         mst_diagnostic *diagnostic) {
    if (status == MST_OK)
        status = mst_container_tell_renamed(container, diagnostic);
    if (status != MST_OK)
        mst_container_close(container);
    else
        *result = container;
    return status;
}

mst_status mst_container_open(const char *path, const mst_container_options *options, mst_container **result,
                              mst_diagnostic *diagnostic) {
    if (result)
        *result = NULL;
    if (!path || !result)
        return mst_fail(diagnostic, MST_ARGUMENT, "path and result must not be NULL");
    mst_container *container = NULL;
    mst_status status = new_container(path, options, &container, diagnostic);
    if (status != MST_OK || MST_UNREACHABLE(!container)) /* success is a container */
        return status;
    return opened(container, open_path(container, path, diagnostic), result, diagnostic);
}

mst_status mst_container_open_files(const mst_container_files *files, const mst_container_options *options,
                                    mst_container **result, mst_diagnostic *diagnostic) {
    if (result)
        *result = NULL;
    if (!files || files->size < sizeof *files || !result || (files->count && (!files->name || !files->read)))
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "files with their size, names and bytes, and a pointer for the container are needed");
    mst_container *container = NULL;
    mst_status status = new_container("the files", options, &container, diagnostic);
    if (status != MST_OK || MST_UNREACHABLE(!container)) /* success is a container */
        return status;
    container->files = *files;
    status = mst_container_list_files(container, diagnostic);
    if (status == MST_OK)
        status = sort(container, diagnostic);
    return opened(container, status, result, diagnostic);
}

mst_status mst_container_open_slices(const mst_container_files *files, size_t index,
                                     const mst_container_options *options, mst_container **result,
                                     mst_diagnostic *diagnostic) {
    if (result)
        *result = NULL;
    if (!files || files->size < sizeof *files || !result || index >= files->count || !files->name ||
        !files->read)
        return mst_fail(diagnostic, MST_ARGUMENT,
                        "files, the index of one of them, and a pointer for the container are needed");
    uint64_t size = 0;
    mst_container *container = NULL;
    mst_status status = new_container("the file", options, &container, diagnostic);
    if (status != MST_OK || MST_UNREACHABLE(!container)) /* success is a container */
        return status;
    const char *name = files->name(files->user, index, &size);
    if (name)
        container->path = mst_arena_printf(&container->arena, "%s", name);
    if (!container->path || size > SIZE_MAX / 2)
        return opened(container, no_memory("the file", diagnostic), result, diagnostic);
    container->files = *files;
    container->slices = index;
    container->file.size = (size_t)size;
    return opened(container, open_slices(container, diagnostic), result, diagnostic);
}

void mst_container_close(mst_container *container) {
    if (!container)
        return;
    mst_container_member *members = container->members.items;
    for (size_t i = 0; i < container->members.count; i++) {
        mst_container_release(container, &members[i].found);
        mst_container_release(container, &members[i].kept);
    }
    if (container->kind && container->kind->close)
        container->kind->close(container);
    if (container->file.data)
        mst_file_bytes_free(&container->file);
    mst_array_free(&container->members);
    mst_array_free(&container->folded);
    mst_array_free(&container->bases);
    mst_array_free(&container->in_order);
    mst_arena_end(&container->arena);
    mst_allocator allocator = container->allocator;
    allocator.resize(allocator.user, container, sizeof *container, 0);
}

/* ---- members by index and name -------------------------------------------------------------------- */

static mst_container_member *member_at(const mst_container *container, size_t index) {
    return container && index < container->members.count
               ? (mst_container_member *)container->members.items + index
               : NULL;
}

size_t mst_container_count(const mst_container *container) {
    return container ? container->members.count : 0;
}

const char *mst_container_name(const mst_container *container, size_t index) {
    const mst_container_member *member = member_at(container, index);
    return member ? member->name : NULL;
}

uint64_t mst_container_size(const mst_container *container, size_t index) {
    const mst_container_member *member = member_at(container, index);
    return member ? member->size : 0;
}

uint64_t mst_container_omitted(const mst_container *container) {
    return container ? container->omitted : 0;
}

size_t mst_container_at(const mst_container *container, size_t place) {
    if (!container)
        return SIZE_MAX;
    mst_container_member *const *in_order = container->in_order.items;
    return place < container->in_order.count
               ? (size_t)(in_order[place] - (const mst_container_member *)container->members.items)
               : SIZE_MAX;
}

static const char *full_name(const char *name) {
    return name;
}

/* The first member of a sorted list with that name, else the first whose name differs only in case. */
static mst_container_member *find_in(const mst_array *sorted, const char *(*part)(const char *),
                                     const char *name) {
    mst_container_member *const *list = sorted->items;
    MST_LOWER_BOUND(low, middle, sorted->count, mst_compare_letters(part(list[middle]->name), name) < 0);
    mst_container_member *found = NULL;
    for (; low < sorted->count && mst_compare_letters(part(list[low]->name), name) == 0; low++) {
        if (strcmp(part(list[low]->name), name) == 0)
            return list[low];
        if (!found)
            found = list[low];
    }
    return found;
}

size_t mst_container_find(const mst_container *container, const char *name) {
    if (!container || !name)
        return SIZE_MAX;
    const mst_container_member *found = find_in(&container->folded, full_name, name);
    return found ? (size_t)(found - (const mst_container_member *)container->members.items) : SIZE_MAX;
}

/* ---- reading -------------------------------------------------------------------------------------- */

static mst_status no_member(const mst_container *container, size_t index, mst_diagnostic *diagnostic) {
    return mst_fail(diagnostic, MST_ARGUMENT, "%s has only %zu files, no file %zu", container->path,
                    container->members.count, index);
}

mst_status mst_container_read(mst_container *container, size_t index, mst_container_bytes *bytes,
                              mst_diagnostic *diagnostic) {
    if (!container || !bytes)
        return mst_fail(diagnostic, MST_ARGUMENT, "container and bytes must not be NULL");
    mst_container_member *member = member_at(container, index);
    *bytes = (mst_container_bytes){.data = ""};
    if (!member)
        return no_member(container, index, diagnostic);
    if (member->size > container->limit)
        return mst_container_too_large(container, member, diagnostic);
    return container->kind->read(container, member, bytes, diagnostic);
}

mst_status mst_container_peek(mst_container *container, size_t index, void *first, size_t capacity,
                              size_t *size, mst_diagnostic *diagnostic) {
    if (!container || !size || (!first && capacity))
        return mst_fail(diagnostic, MST_ARGUMENT, "container, first and size must not be NULL");
    mst_container_member *member = member_at(container, index);
    mst_container_bytes bytes = {0};
    *size = 0;
    if (!member)
        return no_member(container, index, diagnostic);
    size_t count = capacity;
    mst_status status = container->kind->peek
                            ? container->kind->peek(container, member, first, &count, diagnostic)
                            : container->kind->read(container, member, &bytes, diagnostic);
    if (status != MST_OK)
        return status;
    if (!container->kind->peek) {
        count = bytes.size < capacity ? bytes.size : capacity;
        if (count)
            memcpy(first, bytes.data, count);
        mst_container_release(container, &bytes);
    }
    *size = count;
    return MST_OK;
}

/* Most callers treat an unreadable sidecar as missing, so the reason is reported here, once. */
static mst_status unreadable(mst_container *container, mst_container_member *member, mst_diagnostic *why) {
    mst_status status = why->status;
    if (container->report && !member->reported && status != MST_NO_MEMORY) {
        why->status = MST_OK;
        why->severity = MST_WARNING;
        mst_status answer = container->report(container->report_user, why);
        status = answer == MST_OK ? status : answer;
    }
    member->reported = true;
    return status;
}

static mst_status find_sidecar(void *user, const char *name, const void **bytes, size_t *size) {
    mst_container *container = user;
    *bytes = NULL;
    *size = 0;
    bool plain = !strchr(name, '/');
    mst_container_member *member = name[0] ? find_in(&container->folded, full_name, name) : NULL;
    if (!member && plain && name[0])
        member = find_in(&container->bases, mst_name_base, name);
    if (!member)
        return MST_NO_PATH;
    if (!member->found.data) {
        size_t index = (size_t)(member - (mst_container_member *)container->members.items);
        mst_container_bytes found;
        mst_diagnostic why;
        mst_status status = mst_container_read(container, index, &found, &why);
        if (status != MST_OK)
            return unreadable(container, member, &why);
        member->found = found;
    }
    *bytes = member->found.data;
    *size = member->found.size;
    return MST_OK;
}

static mst_status each_sidecar(void *user, const char *folder, const char *ending, mst_take_sidecar take,
                               void *taker) {
    mst_container *container = user;
    mst_status status = MST_OK;
    for (size_t i = 0; i < mst_container_count(container) && status == MST_OK; i++) {
        const char *name = mst_container_name(container, i), *slash = strrchr(name, '/');
        const void *bytes;
        size_t size;
        if (!slash || !mst_text_ends_in(name, (size_t)(slash - name), folder) ||
            !mst_text_ends_in(name, strlen(name), ending))
            continue;
        status = find_sidecar(container, name, &bytes, &size);
        if (status == MST_OK)
            status = take(taker, slash + 1, bytes, size);
        else if (status != MST_NO_MEMORY)
            status = MST_OK; /* unreadable sidecars are treated as missing */
    }
    return status;
}

mst_resolver mst_container_resolver(mst_container *container) {
    return container ? (mst_resolver){find_sidecar, container, NULL, each_sidecar}
                     : (mst_resolver){NULL, NULL, NULL, NULL};
}
