/* SPDX-License-Identifier: MIT */
/* Writing files: complete under a temporary name, then renamed. */
#include "../system/system.h"
#include "arena.h"
#include "diagnose.h"
#include "file.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STANDARD_OUTPUT_FILE 1

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
    int hurried;                                      /* nobody waits for the disk */
    int named;                                        /* the temporary file has been renamed */
    int held;                                         /* the existing target, locked; or -1 */
    const unsigned char *expected;                    /* required content of the existing target; NULL: any */
    size_t expected_size;
    uint64_t seed; /* for temporary names */
    mst_file_watch watch;
    mst_system_info old;
    char path[PATH_CAPACITY];   /* as given by the caller */
    char target[PATH_CAPACITY]; /* with symbolic links followed */
    char temporary[PATH_CAPACITY + TEMPORARY_CAPACITY];
    char kept[PATH_CAPACITY + TEMPORARY_CAPACITY]; /* second name of the old target, while it may have to be
                                                      restored; or "" */
};

/* Follows symbolic links in the last part of the path; the target need not exist. Returns an errno. */
static int follow_links(char *path) {
    char link[PATH_CAPACITY] = "";
    for (unsigned i = 0; i < LINKS_MAX; i++) {
        size_t length;
        int error = mst_system_read_link(path, link, sizeof link, &length);
        if (error)
            return error == EINVAL || error == ENOENT ? 0 : error; /* not a link, or missing */
        size_t directory = mst_system_is_absolute(link) ? 0 : mst_system_directory_length(path);
        if (length >= PATH_CAPACITY - directory)
            return ENAMETOOLONG;
        memcpy(path + directory, link, length);
        path[directory + length] = 0;
    }
    return ELOOP;
}

static void report(const mst_file_writer *writer, const char *temporary, int there) {
    if (writer->watch.report)
        writer->watch.report(writer->watch.user, temporary, there);
}

/* A name in the target's directory. It only has to be unlikely to exist: using it fails if it does. */
static void invent_name(mst_file_writer *writer, char *name) {
    size_t directory = mst_system_directory_length(writer->target);
    uint64_t seed = (writer->seed ^ mst_system_seed()) * UINT64_C(0x9E3779B97F4A7C15);
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
        int error =
            mst_system_open(writer->temporary,
                            writer->replaces ? MST_SYSTEM_CREATE_PRIVATE : MST_SYSTEM_CREATE, &writer->file);
        if (!error)
            return 0;
        report(writer, writer->temporary, 0);
        if (error != EEXIST)
            return error;
    }
    return EEXIST;
}

/* Returns an errno. */
static int open_writer(mst_file_writer *writer) {
    int error = mst_system_about(writer->path, &writer->old), exists = !error;
    if (!exists && error != ENOENT)
        return error;
    if (exists && writer->old.kind == MST_SYSTEM_DIRECTORY)
        return EISDIR;
    if (exists && writer->old.kind != MST_SYSTEM_FILE) {
        writer->direct = DIRECT;
        return mst_system_open(writer->path, MST_SYSTEM_WRITE, &writer->file);
    }
    error = follow_links(writer->target);
    if (error)
        return error;
    if (!exists) {
        size_t length = strlen(writer->target);
        if (length == 0 || mst_system_separates(writer->target[length - 1]))
            return length ? EISDIR : ENOENT;
        return create_temporary(writer);
    }
    /* Links as in /proc may lead to a file that has no name (any more): there is nothing to rename to. */
    mst_system_info named;
    if (mst_system_about(writer->target, &named) != 0 || !mst_system_is_same(&named, &writer->old))
        return ENOENT;
    /* Renaming would circumvent write protection. */
    error = mst_system_may_write(writer->target);
    if (error)
        return error;
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
        return mst_fail_file(diagnostic, "write", path, ENAMETOOLONG);
    mst_file_writer *writer = chosen.resize(chosen.user, NULL, 0, sizeof *writer);
    if (!writer)
        return mst_fail(diagnostic, MST_NO_MEMORY, "no memory for %s", path);
    memset(writer, 0, sizeof *writer);
    writer->allocator = chosen;
    writer->held = -1;
    writer->seed = (uint64_t)(uintptr_t)writer;
    if (watch)
        writer->watch = *watch;
    memcpy(writer->path, path, length + 1);
    memcpy(writer->target, path, length + 1);
    int error = 0;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        snprintf(writer->path, sizeof writer->path, "standard output");
        writer->file = STANDARD_OUTPUT_FILE;
        writer->direct = STANDARD_OUTPUT;
    } else {
        error = open_writer(writer);
    }
    if (error) {
        chosen.resize(chosen.user, writer, sizeof *writer, 0);
        return error == EISDIR ? mst_fail(diagnostic, MST_IO, "%s is a directory, name a file to write", path)
                               : mst_fail_file(diagnostic, "write", path, error);
    }
    *result = writer;
    return MST_OK;
}

static mst_status write_file(void *user, const void *data, size_t size) {
    mst_file_writer *writer = user;
    if (!writer->error)
        writer->error = mst_system_write(writer->file, data, size);
    return writer->error ? MST_IO : MST_OK;
}

mst_sink mst_file_sink(mst_file_writer *writer) {
    return (mst_sink){writer ? write_file : NULL, writer};
}

unsigned mst_file_other_names(const mst_file_writer *writer) {
    if (!writer)
        return 0;
    return writer->replaces && writer->old.names > 1 ? writer->old.names - 1 : 0;
}

void mst_file_expect(mst_file_writer *writer, const void *bytes, size_t size) {
    if (!writer)
        return;
    writer->expected = bytes;
    writer->expected_size = size;
}

void mst_file_hurry(mst_file_writer *writer) {
    if (writer)
        writer->hurried = 1;
}

/* Completes the file and makes its content durable, but does not rename it. */
static void complete_file(mst_file_writer *writer) {
    if (writer->direct == REPLACE) {
        if (!writer->error && writer->replaces)
            writer->error = mst_system_keep_mode(writer->file, &writer->old);
        if (!writer->error && !writer->hurried)
            writer->error = mst_system_sync(writer->file);
    }
    int error = writer->direct != STANDARD_OUTPUT ? mst_system_close(writer->file) : 0;
    if (!writer->error)
        writer->error = error;
    writer->closed = 1;
}

/* Whether an open file contains exactly these bytes. Returns an errno. */
static int holds(int file, const unsigned char *bytes, size_t size, int *same) {
    unsigned char piece[8192];
    *same = 0;
    for (;;) {
        size_t got;
        int error = mst_system_read(file, piece, sizeof piece, &got);
        if (error)
            return error;
        if (got == 0)
            *same = size == 0;
        if (got == 0 || got > size || memcmp(piece, bytes, got) != 0)
            return 0;
        bytes += got;
        size -= got;
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
    mst_system_info held, named;
    int same = 0, error = mst_system_open(writer->target, MST_SYSTEM_READ_AT_ONCE, &writer->held);
    if (error) {
        writer->held = -1;
        if (error != ENOENT)
            return mst_fail_file(diagnostic, "read", writer->path, error);
    } else {
        /* Other errors are ignored: the file system may not support locks. */
        if (mst_system_lock(writer->held) == EWOULDBLOCK)
            return mst_fail(diagnostic, MST_REFUSED,
                            "%s is being written by another program; nothing was written, try again",
                            writer->path);
        error = holds(writer->held, writer->expected, writer->expected_size, &same);
        if (error)
            return mst_fail_file(diagnostic, "read", writer->path, error);
    }
    if (!same || mst_system_about_open(writer->held, &held) != 0 ||
        mst_system_about(writer->target, &named) != 0 || !mst_system_is_same(&held, &named))
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
    if (mst_system_link(writer->target, writer->kept) == 0)
        return;
    report(writer, writer->kept, 0);
    writer->kept[0] = 0;
}

/* Restores the old file, or removes the new one if there was none. If that is not possible, the old file
 * keeps its second name, if it has one. */
static void put_back(mst_file_writer *writer, mst_diagnostic *diagnostic) {
    bool kept = writer->kept[0];
    if (writer->direct == REPLACE && (kept || !writer->replaces) &&
        (kept ? mst_system_rename(writer->kept, writer->target) : mst_system_remove(writer->target)) == 0) {
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

/* Closes the old file, and with that unlocks it. */
static void let_go(mst_file_writer *writer) {
    if (writer->held >= 0)
        mst_system_close(writer->held);
    writer->held = -1;
}

/* Renames all files, one right after the other. */
static mst_status name_all(mst_file_writer *const *writers, size_t count, mst_diagnostic *diagnostic) {
    const mst_file_watch *watch = &writers[0]->watch;
    mst_status status = MST_OK;
    for (size_t i = 0; i + 1 < count; i++) /* nothing can fail after the last one */
        keep_old(writers[i]);
    if (watch->renaming)
        watch->renaming(watch->user, 1);
    if (count > 1)
        mst_system_yield(); /* so that there is no preemption between two renames */
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        mst_file_writer *writer = writers[i];
        if (!mst_system_replaces_open())
            let_go(writer);
        int error = writer->direct == REPLACE ? mst_system_rename(writer->temporary, writer->target) : 0;
        writer->named = !error;
        if (writer->named)
            continue;
        status = mst_fail_file(diagnostic, "write", writer->path, error);
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
        mst_system_close(writer->file);
    if (writer->direct == REPLACE) {
        if (!writer->named)
            mst_system_remove(writer->temporary);
        report(writer, writer->temporary, 0);
        if (writer->kept[0]) {
            mst_system_remove(writer->kept);
            report(writer, writer->kept, 0);
        }
        if (writer->named && !writer->hurried)
            mst_system_sync_directory(writer->target);
    }
    let_go(writer);
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
            status = mst_fail_file(diagnostic, "write", writers[i]->path, writers[i]->error);
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
