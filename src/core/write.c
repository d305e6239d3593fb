/* SPDX-License-Identifier: MIT */
/* Writing files: complete under a temporary name, then renamed. */
#include "write.h"
#include "../system/system.h"
#include "arena.h"
#include "diagnose.h"
#include "file.h"
#include "journal.h"
#include "text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STANDARD_OUTPUT_FILE 1

#define LINKS_MAX          40
#define LOOKS_MAX          100 /* looks at a file that others keep replacing */
#define TEMPORARY_CAPACITY 32  /* ".mapstone-", 16 digits, NUL */

struct mst_file_writer {
    mst_allocator allocator;
    int file;
    int error;                                        /* errno of the first write that failed */
    enum { REPLACE, DIRECT, STANDARD_OUTPUT } direct; /* only REPLACE has a temporary file */
    int replaces;                                     /* the target exists, and `old` describes it */
    int closed;                                       /* it is closed */
    int stuck;                                        /* the old file could not be put back */
    int hurried;                                      /* finish without waiting for the disk */
    int named;                                        /* the temporary file has been renamed */
    int held;                                         /* the existing target, locked; or -1 */
    const unsigned char *expected;                    /* required content of the existing target; NULL: any */
    size_t expected_size;
    uint64_t seed; /* for temporary names */
    mst_file_watch watch;
    mst_file_options options; /* without pointers to the caller's texts */
    size_t root;              /* of mst_system_open_below */
    mst_system_info old;
    char path[MST_PATH_CAPACITY];   /* as given by the caller */
    char like[MST_PATH_CAPACITY];   /* options.like, or "" */
    char target[MST_PATH_CAPACITY]; /* with symbolic links followed */
    char temporary[MST_PATH_CAPACITY + TEMPORARY_CAPACITY];
    char kept[MST_PATH_CAPACITY + TEMPORARY_CAPACITY]; /* second name of the old target, while it may have to
                                                      be restored; or "" */
};

/* Follows symbolic links in the last part of the path; the target need not exist. Returns an errno. */
static int follow_links(char *path) {
    char link[MST_PATH_CAPACITY] = "";
    for (unsigned i = 0; i < LINKS_MAX; i++) {
        size_t length;
        int error = mst_system_read_link(path, link, sizeof link, &length);
        if (error)
            return error == EINVAL || error == ENOENT ? 0 : error; /* not a link, or missing */
        size_t directory = mst_system_is_absolute(link) ? 0 : mst_system_directory_length(path);
        if (length >= MST_PATH_CAPACITY - directory)
            return ENAMETOOLONG;
        memcpy(path + directory, link, length);
        path[directory + length] = 0;
    }
    return ELOOP;
}

static void report(const mst_file_writer *writer, const char *temporary, bool there) {
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

/* Locks the temporary file, to show that it is being written (mst_file_recover removes unlocked ones). False:
 * it was removed before that. */
static bool is_still_there(mst_file_writer *writer) {
    mst_system_info info;
    bool removed = mst_system_lock(writer->file) == EWOULDBLOCK ||
                   (mst_system_about_open(writer->file, &info) == 0 && !info.names);
    if (removed)
        mst_system_close(writer->file);
    return !removed;
}

/* Creates the temporary file in the target's directory. Returns an errno. */
static int create_temporary(mst_file_writer *writer) {
    for (unsigned i = 0; i < 100; i++) {
        invent_name(writer, writer->temporary);
        /* before it is created, so that the watcher never misses one */
        report(writer, writer->temporary, 1);
        /* A new file gets the mode that the umask allows; a replacement is private until it is complete. */
        int error = mst_system_open_below(writer->temporary, writer->root,
                                          writer->replaces || writer->like[0] ? MST_SYSTEM_CREATE_PRIVATE
                                                                              : MST_SYSTEM_CREATE,
                                          &writer->file);
        if (!error && is_still_there(writer))
            return 0;
        report(writer, writer->temporary, 0);
        if (error && error != EEXIST)
            return error;
    }
    return EEXIST;
}

/* A file whose path has no link to follow, or which replaces the link. Returns an errno. */
static int open_unfollowed(mst_file_writer *writer) {
    size_t length = strlen(writer->path);
    if (!length || mst_system_separates(writer->path[length - 1]))
        return length ? EISDIR : ENOENT;
    int error = writer->like[0] && writer->root == MST_SYSTEM_ALL
                    ? mst_system_about_link(writer->path, &writer->old)
                    : mst_system_about_below(writer->path, writer->root, &writer->old);
    if (error && error != ENOENT)
        return error;
    if (!error && writer->old.kind == MST_SYSTEM_DIRECTORY)
        return EISDIR;
    writer->replaces = !error;
    if (writer->like[0])
        return create_temporary(writer);
    if (!error && writer->old.kind != MST_SYSTEM_FILE)
        return writer->old.kind == MST_SYSTEM_LINK ? ELOOP : EPERM;
    error = error ? 0 : mst_system_may_write_below(writer->path, writer->root);
    return error ? error : create_temporary(writer);
}

/* Fills in `target`, and `old` if it exists. Returns an errno. If another process gives the name to another
 * file between two looks, it looks again. Links such as those in /proc lead to a file without such a name
 * however often it looks: there is nothing to rename to. */
static int find_target(mst_file_writer *writer, int *exists) {
    mst_system_info named;
    for (unsigned i = 0; i < LOOKS_MAX; i++) {
        int error = mst_system_about(writer->path, &writer->old);
        *exists = !error;
        if (error && error != ENOENT)
            return error;
        if (*exists && writer->old.kind != MST_SYSTEM_FILE)
            return 0;
        memcpy(writer->target, writer->path, strlen(writer->path) + 1);
        error = follow_links(writer->target);
        if (error || !*exists)
            return error;
        if (mst_system_about(writer->target, &named) == 0 && mst_system_is_same(&named, &writer->old))
            return 0;
    }
    return ENOENT;
}

/* Returns an errno. */
static int open_followed(mst_file_writer *writer) {
    int exists, error = find_target(writer, &exists);
    if (error)
        return error;
    if (exists && writer->old.kind == MST_SYSTEM_DIRECTORY)
        return EISDIR;
    if (exists && writer->old.kind != MST_SYSTEM_FILE) {
        writer->direct = DIRECT;
        return mst_system_open(writer->path, MST_SYSTEM_WRITE, &writer->file);
    }
    if (!exists) {
        size_t length = strlen(writer->target);
        if (length == 0 || mst_system_separates(writer->target[length - 1]))
            return length ? EISDIR : ENOENT;
        return create_temporary(writer);
    }
    /* Renaming would circumvent write protection. */
    error = mst_system_may_write(writer->target);
    if (error)
        return error;
    writer->replaces = 1;
    return create_temporary(writer);
}

static mst_status refuse(const char *path, const char *below, int error, mst_diagnostic *diagnostic) {
    if (error == EISDIR)
        return mst_fail(diagnostic, MST_IO, "%s is a directory, name a file to write", path);
    if (below && error == ELOOP)
        return mst_fail(diagnostic, MST_IO, "cannot write %s: a symbolic link below %s is not followed", path,
                        below[0] ? below : "the current directory");
    return mst_fail_file(diagnostic, "write", path, error);
}

/* Fills in the caller's path and options; the path is short enough. */
static void begin_writer(mst_file_writer *writer, const char *path, const mst_file_options *options) {
    memset(writer, 0, sizeof *writer);
    writer->allocator = mst_allocator_or_default(options->allocator);
    writer->held = -1;
    writer->seed = (uint64_t)(uintptr_t)writer;
    writer->options = *options;
    if (options->watch)
        writer->watch = *options->watch;
    memcpy(writer->path, path, strlen(path) + 1);
    memcpy(writer->target, path, strlen(path) + 1);
    if (options->like)
        memcpy(writer->like, options->like, strlen(options->like) + 1);
    writer->root = options->below ? strlen(options->below) : MST_SYSTEM_ALL;
}

/* Returns an errno. */
static int open_writer(mst_file_writer *writer) {
    if (strcmp(writer->path, "-") == 0 || strcmp(writer->path, "/dev/stdout") == 0) {
        snprintf(writer->path, sizeof writer->path, "standard output");
        writer->file = STANDARD_OUTPUT_FILE;
        writer->direct = STANDARD_OUTPUT;
        return 0;
    }
    return writer->root == MST_SYSTEM_ALL && !writer->like[0] ? open_followed(writer)
                                                              : open_unfollowed(writer);
}

static mst_status check_options(const char *path, const mst_file_options *options,
                                mst_diagnostic *diagnostic) {
    if (strlen(path) >= MST_PATH_CAPACITY || (options->like && strlen(options->like) >= MST_PATH_CAPACITY))
        return mst_fail_file(diagnostic, "write", path, ENAMETOOLONG);
    if (options->below && strncmp(path, options->below, strlen(options->below)) != 0)
        return mst_fail(diagnostic, MST_ARGUMENT, "%s is not below %s", path, options->below);
    return MST_OK;
}

mst_status mst_file_create(const char *path, const mst_file_options *options, mst_file_writer **result,
                           mst_diagnostic *diagnostic) {
    mst_file_options how = {0};
    if (result)
        *result = NULL;
    if (!path || !result)
        return mst_fail(diagnostic, MST_ARGUMENT, "a path and a pointer for the writer are needed");
    mst_status status = mst_take_options(&how, sizeof how, options, diagnostic);
    if (status == MST_OK)
        status = check_options(path, &how, diagnostic);
    if (status != MST_OK)
        return status;
    mst_allocator chosen = mst_allocator_or_default(how.allocator);
    mst_file_writer *writer = chosen.resize(chosen.user, NULL, 0, sizeof *writer);
    if (!writer)
        return mst_fail(diagnostic, MST_NO_MEMORY, "not enough memory for %s", path);
    begin_writer(writer, path, &how);
    int error = open_writer(writer);
    if (error) {
        chosen.resize(chosen.user, writer, sizeof *writer, 0);
        return refuse(path, how.below, error, diagnostic);
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

bool mst_file_replaces(const mst_file_writer *writer) {
    return writer && writer->replaces;
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

/* Gives the new file the mode, owner and attributes of the old one, or of options.like. Returns an errno. */
static int keep_what_it_has(mst_file_writer *writer) {
    static const char *const names[] = {"its owner", "its group", "its access control list",
                                        "its extended attributes"};
    const char *from = writer->like[0] ? writer->like : writer->target;
    mst_system_info like = writer->old;
    int source = -1, error = writer->like[0] ? mst_system_about_below(from, writer->root, &like) : 0;
    unsigned lost = 0;
    if (error)
        return error;
    if (mst_system_open_below(from, writer->root, MST_SYSTEM_READ_AT_ONCE, &source) != 0)
        source = -1;
    error = mst_system_keep(writer->file, source, &like, &lost);
    if (source >= 0)
        mst_system_close(source);
    for (unsigned i = 0; i < sizeof names / sizeof *names && writer->options.lost; i++)
        if (lost & 1u << i)
            writer->options.lost(writer->options.user, writer->path, names[i]);
    return error;
}

/* Completes the file and makes its content durable, but does not rename it. */
static void complete_file(mst_file_writer *writer) {
    if (writer->direct == REPLACE) {
        if (!writer->error && (writer->replaces || writer->like[0]))
            writer->error = keep_what_it_has(writer);
        if (!writer->error && !writer->hurried)
            writer->error = mst_system_sync(writer->file);
    }
    /* Other processes may take a closed file for a leftover. Windows cannot rename an open one. */
    bool stays = writer->direct == REPLACE && mst_system_replaces_open();
    int error = writer->direct == STANDARD_OUTPUT ? 0
                : stays                           ? mst_system_try_close(writer->file)
                                                  : mst_system_close(writer->file);
    if (!writer->error)
        writer->error = error;
    writer->closed = !stays;
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
 * Makes sure that no one else has changed the file that is about to be replaced. The lock is on the file, not
 * on its name, and all writers of this kind take it: the one that gets it while the name still refers to the
 * file may rename; later ones find another file under the name.
 */
static mst_status hold_expected(mst_file_writer *writer, mst_diagnostic *diagnostic) {
    if (!writer->expected || writer->direct != REPLACE)
        return MST_OK;
    mst_system_info held, named;
    int same = 0,
        error = mst_system_open_below(writer->target, writer->root, MST_SYSTEM_READ_AT_ONCE, &writer->held);
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
        mst_system_about_below(writer->target, writer->root, &named) != 0 ||
        !mst_system_is_same(&held, &named))
        return mst_fail(diagnostic, MST_REFUSED,
                        "%s was changed by another program after it was read; nothing was written, try again",
                        writer->path);
    return MST_OK;
}

/* Gives the file that is about to be replaced a second name, to restore it from. If the file system has no
 * hard links it cannot be restored; moving it away instead would leave the target missing for a moment. */
static void keep_old(mst_file_writer *writer) {
    if (!writer->replaces)
        return;
    invent_name(writer, writer->kept);
    report(writer, writer->kept, 1);
    if (mst_system_link_below(writer->target, writer->kept, writer->root) == 0)
        return;
    report(writer, writer->kept, 0);
    writer->kept[0] = 0;
}

/* Restores the old file, or removes the new one if there was none. If that is not possible, the old file
 * keeps its second name, if it has one. */
static void put_back(mst_file_writer *writer, mst_diagnostic *diagnostic) {
    bool kept = writer->kept[0];
    if (writer->direct == REPLACE && (kept || !writer->replaces) &&
        (kept ? mst_system_rename_below(writer->kept, writer->target, writer->root)
              : mst_system_remove_below(writer->target, writer->root)) == 0) {
        writer->named = 0;
        if (kept)
            report(writer, writer->kept, 0);
        writer->kept[0] = 0;
        return;
    }
    if (kept)
        report(writer, writer->kept, 0);
    writer->stuck = kept;
    if (diagnostic)
        MST_SET(diagnostic->message, "%s; %s has already been written%s%s", diagnostic->message,
                mst_base_name(writer->path), kept ? ", its old content is in " : "",
                mst_base_name(writer->kept));
    writer->kept[0] = 0;
}

/* Closes the old file, which also unlocks it. */
static void let_go(mst_file_writer *writer) {
    if (writer->held >= 0)
        mst_system_close(writer->held);
    writer->held = -1;
}

static mst_journal_entry entry_of(const void *user, size_t index) {
    const mst_file_writer *writer = ((mst_file_writer *const *)user)[index];
    mst_journal_entry one = {.target = writer->target,
                             .temporary = writer->temporary,
                             .kept = writer->kept,
                             .before = writer->old,
                             .replaces = writer->replaces};
    if (mst_system_about_below(writer->temporary, writer->root, &one.made) != 0)
        one.made = (mst_system_info){.kind = MST_SYSTEM_UNKNOWN};
    return one;
}

/* Gives the old files second names: nothing can fail after the last rename. */
static void keep_all_old(mst_file_writer *const *writers, size_t count) {
    for (size_t i = 0; i + 1 < count; i++)
        keep_old(writers[i]);
}

/* Records the planned renames in the journal. Returns an errno. */
static int announce(mst_file_writer *const *writers, size_t count, mst_journal *journal) {
    bool renamed = count > 1, durable = false;
    for (size_t i = 0; i < count; i++) {
        renamed = renamed && writers[i]->direct == REPLACE;
        durable = durable || !writers[i]->hurried;
    }
    return renamed ? mst_journal_begin(journal, count, entry_of, writers, durable) : 0;
}

/* Renames all files in immediate succession. */
static mst_status name_all(mst_file_writer *const *writers, size_t count, mst_journal *journal,
                           mst_diagnostic *diagnostic) {
    mst_status status = MST_OK;
    int error = announce(writers, count, journal);
    if (error)
        return mst_fail_file(diagnostic, "write", writers[0]->path, error);
    if (count > 1)
        mst_system_yield(); /* so that there is no preemption between two renames */
    for (size_t i = 0; i < count && status == MST_OK; i++) {
        mst_file_writer *writer = writers[i];
        if (!mst_system_replaces_open())
            let_go(writer);
        error = writer->direct == REPLACE
                    ? mst_system_rename_below(writer->temporary, writer->target, writer->root)
                    : 0;
        writer->named = !error;
        if (writer->named)
            continue;
        status = mst_fail_file(diagnostic, "write", writer->path, error);
        while (i > 0)
            put_back(writers[--i], diagnostic);
    }
    return status;
}

static void end_writer(mst_file_writer *writer) {
    mst_allocator allocator = writer->allocator;
    if (writer->direct != STANDARD_OUTPUT && !writer->closed)
        mst_system_close(writer->file);
    if (writer->direct == REPLACE) {
        if (!writer->named)
            mst_system_remove_below(writer->temporary, writer->root);
        report(writer, writer->temporary, 0);
        if (writer->kept[0]) {
            mst_system_remove_below(writer->kept, writer->root);
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
    /* A signal also waits until the journal is removed. */
    const mst_file_watch watch =
        status == MST_OK && count ? writers[0]->watch : (mst_file_watch){NULL, NULL, NULL};
    mst_journal journal = {.file = -1};
    bool stuck = false;
    if (status == MST_OK)
        keep_all_old(writers, count);
    if (watch.renaming)
        watch.renaming(watch.user, 1);
    if (status == MST_OK && count)
        status = name_all(writers, count, &journal, diagnostic);
    for (size_t i = 0; i < count; i++) {
        stuck = stuck || writers[i]->stuck;
        end_writer(writers[i]);
    }
    if (stuck)
        mst_journal_leave(&journal);
    else
        mst_journal_end(&journal);
    if (watch.renaming)
        watch.renaming(watch.user, 0);
    return status;
}

mst_status mst_file_finish(mst_file_writer *writer, mst_diagnostic *diagnostic) {
    return mst_file_finish_all(&writer, 1, diagnostic);
}

void mst_file_abandon(mst_file_writer *writer) {
    if (writer)
        end_writer(writer);
}
