/* SPDX-License-Identifier: MIT */
#include "file.h"
#include "../system/system.h"
#include "arena.h"
#include "diagnose.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STREAM_LIMIT        (UINT64_C(1) << 32)
#define STREAM_FIRST        ((size_t)64 << 10)
#define STANDARD_INPUT_FILE 0

mst_status mst_fail_file(mst_diagnostic *diagnostic, const char *verb, const char *path, int error) {
    char reason[80];
    mst_system_reason(error, reason, sizeof reason);
    return mst_fail(diagnostic, MST_IO, "cannot %s %s: %s", verb, path, reason);
}

/* ---- Reading ---- */

/* Reads `expected` bytes, or (0) to the end. On success bytes->data has exactly bytes->size bytes. `limit` is
 * at most SIZE_MAX / 2, so that the buffer can always be doubled. */
static mst_status read_stream(const mst_file_reader *reader, const char *path, uint64_t limit,
                              uint64_t expected, mst_file_bytes *bytes, mst_diagnostic *diagnostic) {
    mst_allocator *allocator = &bytes->allocator;
    unsigned char *data = NULL;
    size_t capacity = 0, size = 0;
    mst_status status = MST_OK;
    do {
        if (size == capacity) {
            size_t grown = capacity ? capacity * 2 : STREAM_FIRST;
            unsigned char *more = allocator->resize(allocator->user, data, capacity, grown);
            if (!more) {
                status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for %s", path);
                break;
            }
            data = more;
            if (!capacity) {
                size = reader->beginning_size;
                memcpy(data, reader->beginning, size);
            }
            capacity = grown;
            continue;
        }
        size_t got = 0;
        int error = size > limit ? 0 : mst_system_read(reader->file, data + size, capacity - size, &got);
        if (error) {
            status = mst_fail_file(diagnostic, "read", path, error);
            break;
        }
        if (got == 0 && size <= limit)
            break;
        size += got;
        if (size > limit) { /* possibly just by its beginning */
            mst_fail(diagnostic, MST_IO, "%s has more than %llu bytes", path, (unsigned long long)limit);
            status = mst_because(MST_IO, diagnostic, MST_REASON_INPUT_LIMIT);
            break;
        }
    } while (!expected || size < expected);
    if (status == MST_OK && size) { /* trim the buffer */
        unsigned char *less = allocator->resize(allocator->user, data, capacity, size);
        if (less) {
            data = less;
            capacity = size;
        } else {
            status = mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for %s", path);
        }
    }
    if (status != MST_OK || !size) {
        if (data)
            allocator->resize(allocator->user, data, capacity, 0);
        return status;
    }
    bytes->data = data;
    bytes->size = size;
    return MST_OK;
}

static bool is_standard(const mst_file_reader *reader) {
    return strcmp(reader->path, "-") == 0;
}

static const char *shown_path(const mst_file_reader *reader) {
    return is_standard(reader) ? "standard input" : reader->path;
}

mst_status mst_file_open(const char *path, mst_file_reader *reader, mst_diagnostic *diagnostic) {
    return mst_file_open_below(path, MST_SYSTEM_ALL, reader, diagnostic);
}

mst_status mst_file_open_below(const char *path, size_t root, mst_file_reader *reader,
                               mst_diagnostic *diagnostic) {
    mst_system_info info;
    reader->path = path;
    reader->beginning_size = 0;
    reader->size = 0;
    reader->file = STANDARD_INPUT_FILE;
    int error = is_standard(reader) ? 0 : mst_system_open_below(path, root, MST_SYSTEM_READ, &reader->file);
    if (error) {
        reader->file = -1;
        return mst_fail_file(diagnostic, "read", path, error);
    }
    error = mst_system_about_open(reader->file, &info);
    if (!error && info.kind == MST_SYSTEM_DIRECTORY)
        error = EISDIR;
    if (error) {
        mst_status status = mst_fail_file(diagnostic, "read", shown_path(reader), error);
        mst_file_close(reader);
        return status;
    }
    if (info.kind == MST_SYSTEM_FILE)
        reader->size = info.size;
    return MST_OK;
}

mst_status mst_file_peek(mst_file_reader *reader, mst_diagnostic *diagnostic) {
    size_t wanted = sizeof reader->beginning;
    if (reader->size && reader->size < wanted)
        wanted = (size_t)reader->size;
    while (reader->beginning_size < wanted) {
        size_t got;
        int error = mst_system_read(reader->file, reader->beginning + reader->beginning_size,
                                    wanted - reader->beginning_size, &got);
        if (error)
            return mst_fail_file(diagnostic, "read", shown_path(reader), error);
        if (got == 0)
            break;
        reader->beginning_size += got;
    }
    return MST_OK;
}

bool mst_file_has(const mst_file_reader *reader, uint64_t offset, const char *bytes, size_t size) {
    char found[16];
    size_t got;
    return size <= sizeof found && reader->size >= size && offset <= reader->size - size &&
           mst_system_read_at(reader->file, offset, found, size, &got) == 0 && got == size &&
           memcmp(found, bytes, size) == 0;
}

void mst_file_close(mst_file_reader *reader) {
    if (reader->file >= 0 && !is_standard(reader))
        mst_system_close(reader->file);
    reader->file = -1;
}

static mst_status read_rest(const mst_file_reader *reader, uint64_t limit, bool unmapped,
                            mst_file_bytes *bytes, mst_diagnostic *diagnostic) {
    const char *path = shown_path(reader);
    if (!limit)
        limit = STREAM_LIMIT;
    if (limit > SIZE_MAX / 2)
        limit = SIZE_MAX / 2;
    if (reader->size > SIZE_MAX / 2)
        return mst_fail(diagnostic, MST_NO_MEMORY, "%s is too large for this machine", path);
    if (limit < reader->size)
        limit = reader->size;
    /* Bytes already consumed from standard input must not be returned again. */
    int64_t at = mst_system_position(reader->file);
    uint64_t expected = at >= 0 && (uint64_t)at == reader->beginning_size ? reader->size : 0;
    void *map = expected && !unmapped ? mst_system_map(reader->file, (size_t)expected) : NULL;
    if (map) {
        bytes->data = map;
        bytes->size = (size_t)expected;
        bytes->mapped = 1;
        return MST_OK;
    }
    return read_stream(reader, path, limit, expected, bytes, diagnostic);
}

mst_status mst_file_rest(mst_file_reader *reader, const mst_allocator *allocator, uint64_t limit,
                         bool unmapped, mst_file_bytes *bytes, mst_diagnostic *diagnostic) {
    static const uint8_t nothing[1] = {0};
    *bytes = (mst_file_bytes){.data = nothing, .allocator = mst_allocator_or_default(allocator)};
    mst_status status = read_rest(reader, limit, unmapped, bytes, diagnostic);
    mst_file_close(reader);
    return status;
}

mst_status mst_file_read(const char *path, const mst_allocator *allocator, uint64_t limit, bool unmapped,
                         mst_file_bytes *bytes, mst_diagnostic *diagnostic) {
    mst_file_reader reader;
    *bytes = (mst_file_bytes){0};
    mst_status status = mst_file_open(path, &reader, diagnostic);
    return status == MST_OK ? mst_file_rest(&reader, allocator, limit, unmapped, bytes, diagnostic) : status;
}

void mst_file_bytes_free(mst_file_bytes *bytes) {
    if (bytes->size == 0) {
        /* nothing to free */
    } else if (bytes->mapped) {
        mst_system_unmap((void *)(uintptr_t)bytes->data, bytes->size);
    } else {
        bytes->allocator.resize(bytes->allocator.user, (void *)(uintptr_t)bytes->data, bytes->size, 0);
    }
    bytes->data = NULL;
    bytes->size = 0;
    bytes->mapped = 0;
}

mst_status mst_file_is_regular(const char *path) {
    mst_system_info info;
    int error = mst_system_about(path, &info);
    if (error)
        return error == ENOENT || error == ENOTDIR || error == ELOOP ? MST_NO_PATH : MST_IO;
    return info.kind == MST_SYSTEM_FILE ? MST_OK : MST_NO_PATH;
}

bool mst_file_may_read(const char *path) {
    return mst_system_may_read(path);
}

mst_file_kind mst_file_look(const char *path, uint64_t *size) {
    mst_system_info info;
    if (mst_system_about_link(path, &info) != 0)
        return MST_FILE_NONE;
    if (info.kind == MST_SYSTEM_DIRECTORY)
        return MST_FILE_DIRECTORY;
    if (mst_system_about(path, &info) != 0 || info.kind != MST_SYSTEM_FILE)
        return MST_FILE_OTHER;
    if (size)
        *size = info.size;
    return MST_FILE_REGULAR;
}

typedef struct listing {
    mst_status (*each)(void *user, const char *name);
    void *user;
    mst_status status;
} listing;

static bool list_one(void *user, const char *name, mst_system_kind kind) {
    listing *all = user;
    (void)kind;
    all->status = all->each(all->user, name);
    return all->status == MST_OK;
}

mst_status mst_directory_read(const char *path, mst_status (*each)(void *user, const char *name), void *user,
                              mst_diagnostic *diagnostic) {
    listing all = {each, user, MST_OK};
    int error = mst_system_entries(path, each ? list_one : NULL, &all);
    return error ? mst_fail_file(diagnostic, "read the directory", path, error) : all.status;
}
