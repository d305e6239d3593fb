/* SPDX-License-Identifier: MIT */
/* The part of POSIX that WASI also has; unix.c and wasi.c add the rest. */
#undef _GNU_SOURCE        /* it would select the GNU strerror_r */
#define _DEFAULT_SOURCE 1 /* d_type, which saves a call to stat */

#include "at.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most bytes for one read or write: some systems refuse 2 GiB and above. */
#define PIECE_MAX ((size_t)1 << 30)

#if defined(__APPLE__)
#define MODIFIED st_mtimespec
#else
#define MODIFIED st_mtim
#endif

/* ---- paths ---- */

static mst_system_info info_of(const struct stat *from) {
    mst_system_info info = {.kind = S_ISREG(from->st_mode)   ? MST_SYSTEM_FILE
                                    : S_ISDIR(from->st_mode) ? MST_SYSTEM_DIRECTORY
                                    : S_ISLNK(from->st_mode) ? MST_SYSTEM_LINK
                                                             : MST_SYSTEM_OTHER,
                            .size = from->st_size > 0 ? (uint64_t)from->st_size : 0,
                            .device = (uint64_t)from->st_dev,
                            .number = (uint64_t)from->st_ino,
                            .modified = (int64_t)from->MODIFIED.tv_sec * 1000000000 + from->MODIFIED.tv_nsec,
                            .names = (unsigned)from->st_nlink,
                            .mode = (uint32_t)(from->st_mode & 07777),
                            .owner = (uint32_t)from->st_uid,
                            .group = (uint32_t)from->st_gid};
    return info;
}

int mst_system_about(const char *path, mst_system_info *info) {
    struct stat found;
    if (stat(path, &found) != 0)
        return errno;
    *info = info_of(&found);
    return 0;
}

int mst_system_about_link(const char *path, mst_system_info *info) {
    struct stat found;
    if (lstat(path, &found) != 0)
        return errno;
    *info = info_of(&found);
    return 0;
}

int mst_system_about_at(int directory, const char *name, mst_system_info *info) {
    struct stat found;
    if (fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) != 0)
        return errno;
    *info = info_of(&found);
    return 0;
}

int mst_system_about_open(int file, mst_system_info *info) {
    struct stat found;
    if (fstat(file, &found) != 0)
        return errno;
    *info = info_of(&found);
    return 0;
}

bool mst_system_is_same(const mst_system_info *a, const mst_system_info *b) {
    return a->device == b->device && a->number == b->number;
}

bool mst_system_may_read(const char *path) {
    return access(path, R_OK) == 0;
}

bool mst_system_separates(char c) {
    return c == '/';
}

bool mst_system_is_absolute(const char *path) {
    return path[0] == '/';
}

bool mst_system_is_nothing(const char *path) {
    return strcmp(path, "/dev/null") == 0;
}

size_t mst_system_root_length(const char *path) {
    return strspn(path, "/");
}

size_t mst_system_directory_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

int mst_system_entries(const char *directory,
                       bool (*each)(void *user, const char *name, mst_system_kind kind), void *user) {
    DIR *entries = opendir(directory);
    if (!entries)
        return errno;
    int error = 0;
    for (bool more = each != NULL; more;) {
        errno = 0; /* only errno distinguishes the end from an error */
        struct dirent *entry = readdir(entries);
        if (!entry) {
            error = errno;
            break;
        }
        mst_system_kind kind = entry->d_type == DT_REG   ? MST_SYSTEM_FILE
                               : entry->d_type == DT_DIR ? MST_SYSTEM_DIRECTORY
                               : entry->d_type == DT_LNK ? MST_SYSTEM_LINK
                                                         : MST_SYSTEM_UNKNOWN;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            more = each(user, entry->d_name, kind);
    }
    closedir(entries);
    return error;
}

/* ---- files ---- */

static int flags_of(mst_system_access access) {
    switch (access) {
    case MST_SYSTEM_READ: return O_RDONLY | O_NOCTTY | O_CLOEXEC;
    case MST_SYSTEM_READ_AT_ONCE: return O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
    case MST_SYSTEM_WRITE: return O_WRONLY | O_NOCTTY | O_CLOEXEC;
    case MST_SYSTEM_CREATE:
    case MST_SYSTEM_CREATE_PRIVATE: break;
    }
    return O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
}

int mst_system_open(const char *path, mst_system_access access, int *file) {
    do
        *file = open(path, flags_of(access), access == MST_SYSTEM_CREATE_PRIVATE ? 0600 : 0666);
    while (*file < 0 && errno == EINTR);
    return *file < 0 ? errno : 0;
}

int mst_system_open_at(int directory, const char *name, mst_system_access access, int *file) {
    do
        *file = openat(directory, name, flags_of(access) | O_NOFOLLOW,
                       access == MST_SYSTEM_CREATE_PRIVATE ? 0600 : 0666);
    while (*file < 0 && errno == EINTR);
    return *file < 0 ? errno : 0;
}

int mst_system_close(int file) {
    return close(file) == 0 || errno == EINTR ? 0 : errno;
}

int mst_system_read(int file, void *to, size_t size, size_t *got) {
    ssize_t count;
    do
        count = read(file, to, size < PIECE_MAX ? size : PIECE_MAX);
    while (count < 0 && errno == EINTR);
    *got = count > 0 ? (size_t)count : 0;
    return count < 0 ? errno : 0;
}

int mst_system_read_at(int file, uint64_t offset, void *to, size_t size, size_t *got) {
    ssize_t count;
    *got = 0;
    if (offset > INT64_MAX)
        return EINVAL;
    do
        count = pread(file, to, size < PIECE_MAX ? size : PIECE_MAX, (off_t)offset);
    while (count < 0 && errno == EINTR);
    *got = count > 0 ? (size_t)count : 0;
    return count < 0 ? errno : 0;
}

int mst_system_write(int file, const void *from, size_t size) {
    const char *next = from;
    while (size) {
        ssize_t done = write(file, next, size < PIECE_MAX ? size : PIECE_MAX);
        if (done < 0 && errno != EINTR)
            return errno;
        if (done > 0) {
            next += done;
            size -= (size_t)done;
        }
    }
    return 0;
}

int64_t mst_system_position(int file) {
    return (int64_t)(lseek)(file, 0, SEEK_CUR); /* the function: WASI also has a macro */
}

int mst_system_sync(int file) {
    return fsync(file) == 0 ? 0 : errno;
}

void mst_system_sync_directory(const char *path) {
    char directory[4096];
    size_t length = mst_system_directory_length(path);
    int file;
    if (length >= sizeof directory)
        return;
    memcpy(directory, path, length);
    directory[length] = 0;
    if (mst_system_open(length ? directory : ".", MST_SYSTEM_READ, &file) != 0)
        return;
    fsync(file);
    close(file);
}

int mst_system_rename(const char *from, const char *to) {
    return rename(from, to) == 0 ? 0 : errno;
}

bool mst_system_replaces_open(void) {
    return true;
}

int mst_system_link(const char *existing, const char *path) {
    return link(existing, path) == 0 ? 0 : errno;
}

int mst_system_remove(const char *path) {
    return unlink(path) == 0 ? 0 : errno;
}

int mst_system_read_link(const char *path, char *text, size_t capacity, size_t *length) {
    ssize_t found = readlink(path, text, capacity);
    *length = found > 0 ? (size_t)found : 0;
    return found < 0 ? errno : 0;
}

/* ---- the rest ---- */

void mst_system_reason(int error, char *text, size_t capacity) {
    if (strerror_r(error, text, capacity) != 0)
        snprintf(text, capacity, "error %d", error);
}
