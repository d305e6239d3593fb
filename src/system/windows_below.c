/* SPDX-License-Identifier: MIT */
/* Windows: operations below a directory. Every folder on the way is held open so that it cannot be renamed or
 * replaced by a link (a junction) until the operation is done. */
#define WIN32_LEAN_AND_MEAN
#include "system.h"
#include "utf16.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#define DEPTH_MAX 128

typedef struct way {
    HANDLE folders[DEPTH_MAX];
    size_t count;
} way;

static void leave(way *held) {
    while (held->count)
        CloseHandle(held->folders[--held->count]);
}

/* Holds one folder; ELOOP if it is a link. */
static int step(way *held, const char *path, size_t length) {
    mst_system_info info;
    char *folder = malloc(length + 1);
    int error = ENOMEM;
    if (!folder)
        return error;
    memcpy(folder, path, length);
    folder[length] = 0;
    wchar_t *wide = mst_windows_path(folder, &error);
    if (wide) {
        HANDLE one =
            CreateFileW(wide, FILE_LIST_DIRECTORY, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
                        FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
        error = one == INVALID_HANDLE_VALUE ? mst_windows_errno() : 0;
        if (!error)
            held->folders[held->count++] = one;
        if (!error && (error = mst_system_about_link(folder, &info)) == 0)
            error = info.kind == MST_SYSTEM_LINK ? ELOOP : info.kind == MST_SYSTEM_DIRECTORY ? 0 : ENOTDIR;
    }
    free(wide);
    free(folder);
    return error;
}

/* Holds the folders between the root and the name of a path; the caller leaves them. */
static int enter(const char *path, size_t root, way *held) {
    size_t length = mst_system_directory_length(path);
    int error = 0;
    held->count = 0;
    for (size_t begin = root, end; begin < length && !error; begin = end + 1) {
        for (end = begin; end < length && !mst_system_separates(path[end]);)
            end++;
        size_t count = end - begin;
        if (!count || (count == 1 && path[begin] == '.'))
            continue;
        if (count == 2 && memcmp(path + begin, "..", 2) == 0)
            error = ELOOP;
        else
            error = held->count < DEPTH_MAX ? step(held, path, end) : ENAMETOOLONG;
    }
    if (error)
        leave(held);
    return error;
}

int mst_system_about_below(const char *path, size_t root, mst_system_info *info) {
    way held;
    if (root == MST_SYSTEM_ALL)
        return mst_system_about(path, info);
    int error = enter(path, root, &held);
    if (error)
        return error;
    error = mst_system_about_link(path, info);
    leave(&held);
    return error;
}

int mst_system_may_write_below(const char *path, size_t root) {
    mst_system_info info;
    if (root == MST_SYSTEM_ALL)
        return mst_system_may_write(path);
    int error = mst_system_about_below(path, root, &info);
    return error ? error : info.mode & FILE_ATTRIBUTE_READONLY ? EACCES : 0;
}

int mst_system_open_below(const char *path, size_t root, mst_system_access access, int *file) {
    mst_system_info info;
    way held;
    *file = -1;
    if (root == MST_SYSTEM_ALL)
        return mst_system_open(path, access, file);
    int error = enter(path, root, &held);
    if (error)
        return error;
    error = mst_system_about_link(path, &info) == 0 && info.kind == MST_SYSTEM_LINK
                ? ELOOP
                : mst_system_open(path, access, file);
    leave(&held);
    return error;
}

int mst_system_rename_below(const char *from, const char *to, size_t root) {
    way held;
    if (root == MST_SYSTEM_ALL)
        return mst_system_rename(from, to);
    int error = enter(to, root, &held);
    if (error)
        return error;
    error = mst_system_rename(from, to);
    leave(&held);
    return error;
}

int mst_system_link_below(const char *existing, const char *path, size_t root) {
    way held;
    if (root == MST_SYSTEM_ALL)
        return mst_system_link(existing, path);
    int error = enter(path, root, &held);
    if (error)
        return error;
    error = mst_system_link(existing, path);
    leave(&held);
    return error;
}

int mst_system_remove_below(const char *path, size_t root) {
    way held;
    if (root == MST_SYSTEM_ALL)
        return mst_system_remove(path);
    int error = enter(path, root, &held);
    if (error)
        return error;
    error = mst_system_remove(path);
    leave(&held);
    return error;
}

int mst_system_make_directory(const char *path, size_t root) {
    mst_system_info info;
    way held = {.count = 0};
    int error = root == MST_SYSTEM_ALL ? 0 : enter(path, root, &held);
    if (error)
        return error;
    if (mst_system_about_link(path, &info) == 0) { /* a drive, for example, which cannot be created */
        error = info.kind == MST_SYSTEM_LINK && root != MST_SYSTEM_ALL ? ELOOP : EEXIST;
    } else {
        wchar_t *wide = mst_windows_path(path, &error);
        if (wide)
            error = CreateDirectoryW(wide, NULL) ? 0 : mst_windows_errno();
        free(wide);
    }
    leave(&held);
    return error;
}
