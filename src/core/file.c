/* SPDX-License-Identifier: MIT */
/* The only file that uses the operating system: POSIX, of which WASI has a part. */
#undef _GNU_SOURCE /* it would select the GNU strerror_r */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64

#include "file.h"
#include "arena.h"
#include "diagnose.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__wasi__)
#define HAS_MAPPING     0 /* no mmap */
#define HAS_PERMISSIONS 0 /* no owners, no modes, no locks, no process number */
#else
#define HAS_MAPPING     1
#define HAS_PERMISSIONS 1
#include <sched.h>
#include <sys/file.h>
#include <sys/mman.h>
#endif

#define STREAM_LIMIT (UINT64_C(1) << 32)
#define STREAM_FIRST ((size_t)64 << 10)
/* The most that one read or write asks for: some systems refuse 2 GiB and above. */
#define PIECE_MAX ((size_t)1 << 30)

/* "cannot read maps/a.level: No such file or directory" */
static mst_status fail(mst_diagnostic *diagnostic, const char *verb, const char *path, int error) {
    char reason[80];
    if (strerror_r(error, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", error);
    return mst_fail(diagnostic, MST_IO, "cannot %s %s: %s", verb, path, reason);
}

static int open_file(const char *path, int flags, mode_t mode) {
    int file;
    do
        file = open(path, flags | O_CLOEXEC, mode);
    while (file < 0 && errno == EINTR);
    return file;
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
                status = mst_fail(diagnostic, MST_NO_MEMORY, "no memory for %s", path);
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
        size_t piece = capacity - size < PIECE_MAX ? capacity - size : PIECE_MAX;
        ssize_t got = read(reader->file, data + size, piece);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            status = fail(diagnostic, "read", path, errno);
            break;
        }
        if (got == 0)
            break;
        size += (size_t)got;
        if (size > limit) {
            status =
                mst_fail(diagnostic, MST_IO, "%s has more than %llu bytes", path, (unsigned long long)limit);
            break;
        }
    } while (!expected || size < expected);
    if (status == MST_OK && size) { /* trim the buffer */
        unsigned char *less = allocator->resize(allocator->user, data, capacity, size);
        if (less) {
            data = less;
            capacity = size;
        } else {
            status = mst_fail(diagnostic, MST_NO_MEMORY, "no memory for %s", path);
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
    struct stat info;
    reader->path = path;
    reader->beginning_size = 0;
    reader->size = 0;
    reader->file = is_standard(reader) ? STDIN_FILENO : open_file(path, O_RDONLY | O_NOCTTY, 0);
    if (reader->file < 0)
        return fail(diagnostic, "read", path, errno);
    int error = fstat(reader->file, &info) != 0 ? errno : S_ISDIR(info.st_mode) ? EISDIR : 0;
    if (error) {
        mst_status status = fail(diagnostic, "read", shown_path(reader), error);
        mst_file_close(reader);
        return status;
    }
    if (S_ISREG(info.st_mode) && info.st_size > 0)
        reader->size = (uint64_t)info.st_size;
    return MST_OK;
}

mst_status mst_file_peek(mst_file_reader *reader, mst_diagnostic *diagnostic) {
    size_t wanted = reader->size < sizeof reader->beginning ? (size_t)reader->size : sizeof reader->beginning;
    while (reader->beginning_size < wanted) {
        ssize_t got =
            read(reader->file, reader->beginning + reader->beginning_size, wanted - reader->beginning_size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(diagnostic, "read", shown_path(reader), errno);
        if (got == 0)
            break;
        reader->beginning_size += (size_t)got;
    }
    return MST_OK;
}

void mst_file_close(mst_file_reader *reader) {
    if (reader->file >= 0 && !is_standard(reader))
        close(reader->file);
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
    off_t at = (lseek)(reader->file, 0, SEEK_CUR); /* the function: wasi has a macro, too */
    uint64_t expected = at == (off_t)reader->beginning_size ? reader->size : 0;
#if HAS_MAPPING
    if (expected && !unmapped) {
        void *map = mmap(NULL, (size_t)expected, PROT_READ, MAP_PRIVATE, reader->file, 0);
        if (map != MAP_FAILED) {
            bytes->data = map;
            bytes->size = (size_t)expected;
            bytes->mapped = 1;
            return MST_OK;
        }
    }
#else
    (void)unmapped;
#endif
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
#if HAS_MAPPING
        munmap((void *)(uintptr_t)bytes->data, bytes->size);
#endif
    } else {
        bytes->allocator.resize(bytes->allocator.user, (void *)(uintptr_t)bytes->data, bytes->size, 0);
    }
    bytes->data = NULL;
    bytes->size = 0;
    bytes->mapped = 0;
}

mst_status mst_file_is_regular(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0)
        return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? MST_NO_PATH : MST_IO;
    return S_ISREG(info.st_mode) ? MST_OK : MST_NO_PATH;
}

bool mst_file_may_read(const char *path) {
    return access(path, R_OK) == 0;
}

mst_file_kind mst_file_look(const char *path, uint64_t *size) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return MST_FILE_NONE;
    if (S_ISDIR(info.st_mode))
        return MST_FILE_DIRECTORY;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return MST_FILE_OTHER;
    if (size)
        *size = (uint64_t)info.st_size;
    return MST_FILE_REGULAR;
}

mst_status mst_directory_read(const char *path, mst_status (*each)(void *user, const char *name), void *user,
                              mst_diagnostic *diagnostic) {
    DIR *directory = opendir(path);
    if (!directory)
        return fail(diagnostic, "read the directory", path, errno);
    mst_status status = MST_OK;
    while (each && status == MST_OK) {
        errno = 0; /* only errno distinguishes the end from an error */
        struct dirent *entry = readdir(directory);
        if (!entry) {
            if (errno)
                status = fail(diagnostic, "read the directory", path, errno);
            break;
        }
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = each(user, entry->d_name);
    }
    closedir(directory);
    return status;
}

/* ---- Writing ---- */

#define PATH_CAPACITY      4096
#define LINKS_MAX          40
#define TEMPORARY_CAPACITY 32 /* ".mapstone-", 16 digits, NUL */

struct mst_file_writer {
    mst_allocator allocator;
    int file;
    int error;                                        /* errno of the first write that failed */
    enum { REPLACE, DIRECT, STANDARD_OUTPUT } direct; /* only REPLACE has a temporary file */
    int replaces;                                     /* the target exists, and `old` describes it */
    int closed;                                       /* it is closed */
    int named;                                        /* the temporary file has been renamed */
    int held;                                         /* the existing target, locked; or -1 */
    const unsigned char *expected;                    /* required content of the existing target; NULL: any */
    size_t expected_size;
    uint64_t seed; /* for temporary names */
    mst_file_watch watch;
    struct stat old;
    char path[PATH_CAPACITY];   /* as given by the caller */
    char target[PATH_CAPACITY]; /* with symbolic links followed */
    char temporary[PATH_CAPACITY + TEMPORARY_CAPACITY];
    char kept[PATH_CAPACITY + TEMPORARY_CAPACITY]; /* second name of the old target, while it may have to be
                                                      restored; or "" */
};

/* The length of a path's directory, with the slash; 0 if there is none. */
static size_t directory_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Follows symbolic links in the last part of the path; the target need not exist. Returns an errno. */
static int follow_links(char *path) {
    char link[PATH_CAPACITY] = "";
    for (unsigned i = 0; i < LINKS_MAX; i++) {
        ssize_t length = readlink(path, link, sizeof link);
        if (length < 0)
            return errno == EINVAL || errno == ENOENT ? 0 : errno; /* not a link, or missing */
        size_t directory = link[0] == '/' ? 0 : directory_length(path);
        if ((size_t)length >= PATH_CAPACITY - directory)
            return ENAMETOOLONG;
        memcpy(path + directory, link, (size_t)length);
        path[directory + (size_t)length] = 0;
    }
    return ELOOP;
}

static void report(const mst_file_writer *writer, const char *temporary, int there) {
    if (writer->watch.report)
        writer->watch.report(writer->watch.user, temporary, there);
}

/* A name in the target's directory. It only has to be unlikely to exist: using it fails if it does. */
static void invent_name(mst_file_writer *writer, char *name) {
    size_t directory = directory_length(writer->target);
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t seed =
        (writer->seed ^ (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec) * UINT64_C(0x9E3779B97F4A7C15);
    writer->seed = seed ^ seed >> 29;
    memcpy(name, writer->target, directory);
    snprintf(name + directory, TEMPORARY_CAPACITY, ".mapstone-%016llx", (unsigned long long)writer->seed);
}

/* Creates the temporary file in the target's directory. Returns an errno. */
static int create_temporary(mst_file_writer *writer) {
    for (unsigned i = 0; i < 100; i++) {
        invent_name(writer, writer->temporary);
        /* before it is created, so that the watcher always knows of it */
        report(writer, writer->temporary, 1);
        /* A new file gets the mode that the umask allows; a replacement is private until it is complete. */
        writer->file =
            open_file(writer->temporary, O_WRONLY | O_CREAT | O_EXCL, writer->replaces ? 0600 : 0666);
        if (writer->file >= 0)
            return 0;
        int error = errno;
        report(writer, writer->temporary, 0);
        if (error != EEXIST)
            return error;
    }
    return EEXIST;
}

/* Returns an errno. */
static int open_writer(mst_file_writer *writer) {
    int exists = stat(writer->path, &writer->old) == 0;
    if (!exists && errno != ENOENT)
        return errno;
    if (exists && S_ISDIR(writer->old.st_mode))
        return EISDIR;
    if (exists && !S_ISREG(writer->old.st_mode)) {
        writer->direct = DIRECT;
        writer->file = open_file(writer->path, O_WRONLY | O_NOCTTY, 0);
        return writer->file < 0 ? errno : 0;
    }
    int error = follow_links(writer->target);
    if (error)
        return error;
    if (!exists) {
        size_t length = strlen(writer->target);
        if (length == 0 || writer->target[length - 1] == '/')
            return length ? EISDIR : ENOENT;
        return create_temporary(writer);
    }
    /* Links as in /proc may lead to a file that has no name (any more): there is nothing to rename to. */
    struct stat named;
    if (stat(writer->target, &named) != 0 || named.st_dev != writer->old.st_dev ||
        named.st_ino != writer->old.st_ino)
        return ENOENT;
#if HAS_PERMISSIONS
    /* Renaming would circumvent write protection. */
    if (access(writer->target, W_OK) != 0)
        return errno;
#endif
    writer->replaces = 1;
    return create_temporary(writer);
}

mst_status mst_file_create(const char *path, const mst_allocator *allocator, mst_file_writer **result,
                           mst_diagnostic *diagnostic) {
    return mst_file_create_watched(path, allocator, NULL, result, diagnostic);
}

mst_status mst_file_create_watched(const char *path, const mst_allocator *allocator,
                                   const mst_file_watch *watch, mst_file_writer **result,
                                   mst_diagnostic *diagnostic) {
    if (result)
        *result = NULL;
    if (!path || !result)
        return mst_fail(diagnostic, MST_ARGUMENT, "a path and a pointer for the writer are needed");
    mst_allocator chosen = mst_allocator_or_default(allocator);
    size_t length = strlen(path);
    if (length >= PATH_CAPACITY)
        return fail(diagnostic, "write", path, ENAMETOOLONG);
    mst_file_writer *writer = chosen.resize(chosen.user, NULL, 0, sizeof *writer);
    if (!writer)
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for %s", path);
    memset(writer, 0, sizeof *writer);
    writer->allocator = chosen;
    writer->held = -1;
    writer->seed = (uint64_t)(uintptr_t)writer;
#if HAS_PERMISSIONS
    writer->seed ^= (uint64_t)getpid() << 32;
#endif
    if (watch)
        writer->watch = *watch;
    memcpy(writer->path, path, length + 1);
    memcpy(writer->target, path, length + 1);
    int error = 0;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        snprintf(writer->path, sizeof writer->path, "standard output");
        writer->file = STDOUT_FILENO;
        writer->direct = STANDARD_OUTPUT;
    } else {
        error = open_writer(writer);
    }
    if (error) {
        chosen.resize(chosen.user, writer, sizeof *writer, 0);
        return error == EISDIR ? mst_fail(diagnostic, MST_IO, "%s is a directory, name a file to write", path)
                               : fail(diagnostic, "write", path, error);
    }
    *result = writer;
    return MST_OK;
}

static mst_status write_file(void *user, const void *data, size_t size) {
    mst_file_writer *writer = user;
    const unsigned char *next = data;
    while (size && !writer->error) {
        ssize_t done = write(writer->file, next, size < PIECE_MAX ? size : PIECE_MAX);
        if (done < 0 && errno != EINTR)
            writer->error = errno;
        if (done > 0) {
            next += done;
            size -= (size_t)done;
        }
    }
    return writer->error ? MST_IO : MST_OK;
}

mst_sink mst_file_sink(mst_file_writer *writer) {
    return (mst_sink){writer ? write_file : NULL, writer};
}

/* Gives the temporary file the owner (if the system lets us) and the mode of the one it replaces. */
static int keep_permissions(mst_file_writer *writer) {
#if HAS_PERMISSIONS
    if (!writer->replaces)
        return 0;
    mode_t mode = writer->old.st_mode & 07777;
    struct stat now;
    if (fstat(writer->file, &now) != 0)
        return errno;
    if ((now.st_uid != writer->old.st_uid || now.st_gid != writer->old.st_gid) &&
        fchown(writer->file, writer->old.st_uid, writer->old.st_gid) != 0)
        mode &= 0777; /* the set-user bit of another owner's file would be dangerous on ours */
    return fchmod(writer->file, mode) == 0 ? 0 : errno;
#else
    (void)writer;
    return 0;
#endif
}

unsigned mst_file_other_names(const mst_file_writer *writer) {
    if (!writer)
        return 0;
    return writer->replaces && writer->old.st_nlink > 1 ? (unsigned)(writer->old.st_nlink - 1) : 0;
}

void mst_file_expect(mst_file_writer *writer, const void *bytes, size_t size) {
    if (!writer)
        return;
    writer->expected = bytes;
    writer->expected_size = size;
}

/* Makes the new name survive a crash. Not every system can do that, so failures are ignored. */
static void sync_directory(char *path) {
    size_t length = directory_length(path);
    path[length] = 0;
    int directory = open_file(length ? path : ".", O_RDONLY, 0);
    if (directory >= 0) {
        fsync(directory);
        close(directory);
    }
}

/* Completes the file and makes its content durable, but does not rename it. */
static void complete_file(mst_file_writer *writer) {
    if (writer->direct == REPLACE) {
        if (!writer->error)
            writer->error = keep_permissions(writer);
        if (!writer->error && fsync(writer->file) != 0)
            writer->error = errno;
    }
    if (writer->direct != STANDARD_OUTPUT && close(writer->file) != 0 && errno != EINTR && !writer->error)
        writer->error = errno;
    writer->closed = 1;
}

/* Whether an open file contains exactly these bytes: 1 or 0; -1: it cannot be read. */
static int holds(int file, const unsigned char *bytes, size_t size) {
    unsigned char piece[8192];
    for (;;) {
        ssize_t got = read(file, piece, sizeof piece);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            return size == 0;
        if ((size_t)got > size || memcmp(piece, bytes, (size_t)got) != 0)
            return 0;
        bytes += got;
        size -= (size_t)got;
    }
}

/*
 * Makes sure that nobody else has changed the file that is about to be replaced. The lock is on the file, not
 * on its name, and all writers like this one take it: the one that gets it while the name still refers to the
 * file may rename; later ones find another file under the name.
 */
static mst_status hold_expected(mst_file_writer *writer, mst_diagnostic *diagnostic) {
    if (!writer->expected || writer->direct != REPLACE)
        return MST_OK;
    struct stat held, named;
    int same = 0;
    writer->held = open_file(writer->target, O_RDONLY | O_NOCTTY | O_NONBLOCK, 0);
    if (writer->held < 0 && errno != ENOENT)
        return fail(diagnostic, "read", writer->path, errno);
    if (writer->held >= 0) {
#if HAS_PERMISSIONS
        /* Other errors are ignored: the file system may not support locks. */
        if (flock(writer->held, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            return mst_fail(diagnostic, MST_REFUSED,
                            "%s is being written by another program; nothing was written, try again",
                            writer->path);
#endif
        same = holds(writer->held, writer->expected, writer->expected_size);
        if (same < 0)
            return fail(diagnostic, "read", writer->path, errno);
    }
    if (!same || fstat(writer->held, &held) != 0 || stat(writer->target, &named) != 0 ||
        held.st_dev != named.st_dev || held.st_ino != named.st_ino)
        return mst_fail(diagnostic, MST_REFUSED,
                        "%s was changed by another program after it was read; nothing was written, try again",
                        writer->path);
    return MST_OK;
}

/* Gives the file that is about to be replaced a second name, to restore it from. Where the file system has no
 * hard links it cannot be restored; moving it away instead would leave the target missing for a moment. */
static void keep_old(mst_file_writer *writer) {
    if (!writer->replaces)
        return;
    invent_name(writer, writer->kept);
    report(writer, writer->kept, 1);
    if (link(writer->target, writer->kept) == 0)
        return;
    report(writer, writer->kept, 0);
    writer->kept[0] = 0;
}

/* Restores the old file, or removes the new one if there was none. If that is not possible, the old file
 * keeps its second name, if it has one. */
static void put_back(mst_file_writer *writer, mst_diagnostic *diagnostic) {
    bool kept = writer->kept[0];
    if (writer->direct == REPLACE && (kept || !writer->replaces) &&
        (kept ? rename(writer->kept, writer->target) : unlink(writer->target)) == 0) {
        writer->named = 0;
        if (kept)
            report(writer, writer->kept, 0);
        writer->kept[0] = 0;
        return;
    }
    if (kept)
        report(writer, writer->kept, 0);
    if (diagnostic)
        MST_SET(diagnostic->message, "%s; %s has already been written%s%s", diagnostic->message,
                mst_base_name(writer->path), kept ? ", its old content is in " : "",
                mst_base_name(writer->kept));
    writer->kept[0] = 0;
}

/* Renames all files, one right after the other. */
static mst_status name_all(mst_file_writer *const *writers, size_t count, mst_diagnostic *diagnostic) {
    const mst_file_watch *watch = &writers[0]->watch;
    mst_status status = MST_OK;
    for (size_t i = 0; i + 1 < count; i++) /* nothing can fail after the last one */
        keep_old(writers[i]);
    if (watch->renaming)
        watch->renaming(watch->user, 1);
#if HAS_PERMISSIONS
    if (count > 1)
        sched_yield(); /* begin with a fresh time slice, so that there is no preemption between two renames */
#endif
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        mst_file_writer *writer = writers[i];
        writer->named = writer->direct != REPLACE || rename(writer->temporary, writer->target) == 0;
        if (writer->named)
            continue;
        status = fail(diagnostic, "write", writer->path, errno);
        while (i > 0)
            put_back(writers[--i], diagnostic);
    }
    if (watch->renaming)
        watch->renaming(watch->user, 0);
    return status;
}

static void end_writer(mst_file_writer *writer) {
    mst_allocator allocator = writer->allocator;
    if (writer->direct != STANDARD_OUTPUT && !writer->closed)
        close(writer->file);
    if (writer->direct == REPLACE) {
        if (!writer->named)
            unlink(writer->temporary);
        report(writer, writer->temporary, 0);
        if (writer->kept[0]) {
            unlink(writer->kept);
            report(writer, writer->kept, 0);
        }
        if (writer->named)
            sync_directory(writer->target);
    }
    if (writer->held >= 0)
        close(writer->held);
    allocator.resize(allocator.user, writer, sizeof *writer, 0);
}

/* Whether an earlier file has the same target: the second would overwrite it. */
static bool is_duplicate(mst_file_writer *const *writers, size_t index) {
    for (size_t i = 0; i < index; i++)
        if (writers[i]->direct == REPLACE && writers[index]->direct == REPLACE &&
            strcmp(writers[i]->target, writers[index]->target) == 0)
            return true;
    return false;
}

mst_status mst_file_finish_all(mst_file_writer *const *writers, size_t count, mst_diagnostic *diagnostic) {
    mst_status status = MST_OK;
    bool complete = writers || !count;
    for (size_t i = 0; writers && i < count; i++)
        complete = complete && writers[i];
    for (size_t i = 0; !complete && writers && i < count; i++)
        mst_file_abandon(writers[i]);
    if (!complete)
        return mst_fail(diagnostic, MST_ARGUMENT, "a writer is missing");
    for (size_t i = 0; i < count; i++) {
        complete_file(writers[i]);
        if (writers[i]->error && status == MST_OK)
            status = fail(diagnostic, "write", writers[i]->path, writers[i]->error);
        else if (status == MST_OK && is_duplicate(writers, i))
            status = mst_fail(diagnostic, MST_ARGUMENT, "two files would be written to %s", writers[i]->path);
    }
    for (size_t i = 0; i < count && status == MST_OK; i++)
        status = hold_expected(writers[i], diagnostic);
    if (status == MST_OK && count)
        status = name_all(writers, count, diagnostic);
    for (size_t i = 0; i < count; i++)
        end_writer(writers[i]);
    return status;
}

mst_status mst_file_finish(mst_file_writer *writer, mst_diagnostic *diagnostic) {
    return mst_file_finish_all(&writer, 1, diagnostic);
}

void mst_file_abandon(mst_file_writer *writer) {
    if (writer)
        end_writer(writer);
}
