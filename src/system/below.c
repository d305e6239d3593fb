/* SPDX-License-Identifier: MIT */
/* POSIX and WASI: operations below a directory, from one descriptor to the next, so that no folder can be
 * replaced by a link meanwhile. */
#define _GNU_SOURCE 1 /* O_PATH: enters directories that may not be listed */

#include "at.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(O_PATH)
#define ENTER (O_PATH | O_DIRECTORY | O_CLOEXEC)
#elif defined(O_SEARCH) && !defined(__wasi__)
#define ENTER (O_SEARCH | O_DIRECTORY | O_CLOEXEC)
#else
#define ENTER (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#endif

/* The place of a file: an open directory (or the process's), and a name in it. */
typedef struct place {
    int directory;
    const char *name;
} place;

static void leave(const place *at) {
    if (at->directory != AT_FDCWD)
        close(at->directory);
}

/* The reason that a directory cannot be entered: ELOOP if it is a link. */
static int reason(int directory, const char *name) {
    int error = errno;
    struct stat found;
    bool link = (error == ENOTDIR || error == ELOOP || error == EMLINK) &&
                fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode);
    return link ? ELOOP : error;
}

/* Descends one folder. */
static int step(place *at, const char *name, size_t length, int flags) {
    char part[4096];
    if (length >= sizeof part)
        return ENAMETOOLONG;
    memcpy(part, name, length);
    part[length] = 0;
    int next;
    do
        next = openat(at->directory, part, ENTER | flags);
    while (next < 0 && errno == EINTR);
    if (next < 0)
        return reason(at->directory, part);
    leave(at);
    at->directory = next;
    return 0;
}

/* Enters the directory of a path; the caller leaves it. */
static int enter(const char *path, size_t root, place *at) {
    size_t length = mst_system_directory_length(path);
    *at = (place){AT_FDCWD, path};
    if (root >= length) { /* no folder is between the root and the name */
        int error = length ? step(at, path, length, 0) : 0;
        at->name = path + length;
        return error;
    }
    int error = root ? step(at, path, root, 0) : path[0] == '/' ? step(at, "/", 1, 0) : 0;
    for (const char *next = path + root; !error && *next;) {
        size_t count = strcspn(next, "/");
        at->name = next;
        if (next[count] && count && !(count == 1 && next[0] == '.'))
            error = count == 2 && memcmp(next, "..", 2) == 0 ? ELOOP : step(at, next, count, O_NOFOLLOW);
        next += count + (next[count] != 0);
    }
    if (error)
        leave(at);
    return error;
}

int mst_system_about_below(const char *path, size_t root, mst_system_info *info) {
    place at;
    if (root == MST_SYSTEM_ALL)
        return mst_system_about(path, info);
    int error = enter(path, root, &at);
    if (error)
        return error;
    error = mst_system_about_at(at.directory, at.name, info);
    leave(&at);
    return error;
}

int mst_system_may_write_below(const char *path, size_t root) {
    place at;
    if (root == MST_SYSTEM_ALL)
        return mst_system_may_write(path);
    int error = enter(path, root, &at);
    if (error)
        return error;
    error = mst_system_may_write_at(at.directory, at.name);
    leave(&at);
    return error;
}

int mst_system_open_below(const char *path, size_t root, mst_system_access access, int *file) {
    place at;
    *file = -1;
    if (root == MST_SYSTEM_ALL)
        return mst_system_open(path, access, file);
    int error = enter(path, root, &at);
    if (error)
        return error;
    error = mst_system_open_at(at.directory, at.name, access, file);
    leave(&at);
    return error;
}

/* Calls a function for two names in one directory. */
static int with_two(int (*call)(int, const char *, int, const char *), const char *from, const char *to,
                    size_t root) {
    place at;
    size_t length = mst_system_directory_length(from);
    int error = enter(to, root, &at);
    if (error)
        return error;
    error = call(at.directory, from + length, at.directory, at.name) == 0 ? 0 : errno;
    leave(&at);
    return error;
}

static int link_at(int from, const char *existing, int to, const char *name) {
    return linkat(from, existing, to, name, 0);
}

int mst_system_rename_below(const char *from, const char *to, size_t root) {
    return root == MST_SYSTEM_ALL ? mst_system_rename(from, to) : with_two(renameat, from, to, root);
}

int mst_system_link_below(const char *existing, const char *path, size_t root) {
    return root == MST_SYSTEM_ALL ? mst_system_link(existing, path) : with_two(link_at, existing, path, root);
}

int mst_system_remove_below(const char *path, size_t root) {
    place at;
    if (root == MST_SYSTEM_ALL)
        return mst_system_remove(path);
    int error = enter(path, root, &at);
    if (error)
        return error;
    error = unlinkat(at.directory, at.name, 0) == 0 ? 0 : errno;
    leave(&at);
    return error;
}

int mst_system_make_directory(const char *path, size_t root) {
    place at;
    if (root == MST_SYSTEM_ALL)
        return mkdir(path, 0777) == 0 ? 0 : errno;
    int error = enter(path, root, &at);
    if (error)
        return error;
    error = mkdirat(at.directory, at.name, 0777) == 0 ? 0 : errno;
    if (error == EEXIST) { /* a link to a directory does not count */
        struct stat found;
        if (fstatat(at.directory, at.name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode))
            error = ELOOP;
    }
    leave(&at);
    return error;
}
