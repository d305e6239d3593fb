/* SPDX-License-Identifier: MIT */
#include "journal.h"
#include "arena.h"
#include "diagnose.h"
#include "file.h"
#include "text.h"
#include "write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD      "mapstone journal 1\n"
#define TAIL      "end\n"
#define SIZE_MOST ((uint64_t)64 << 20)
#define TRIES     2000 /* of a millisecond each, while another process has the journal */
#define UP        4    /* how many directories above the current one are searched */

/* ---- writing the journal ---- */

/* The length of the directory that two paths have in common, of which the first has `length`. */
static size_t common_length(const char *a, size_t length, const char *b) {
    size_t same = 0;
    for (size_t i = 0; i < length && a[i] == b[i]; i++)
        if (mst_system_separates(a[i]))
            same = i + 1;
    return same;
}

/* The recorded facts about a file, which identify it reliably. */
static void put_info(char *line, size_t capacity, const mst_system_info *info) {
    snprintf(line, capacity, "%llu %llu %lld ", (unsigned long long)info->number,
             (unsigned long long)info->size, (long long)info->modified);
}

static int write_entry(int file, size_t root, const mst_journal_entry *one) {
    char made[80], before[80], line[MST_PATH_CAPACITY + 512];
    size_t directory = mst_system_directory_length(one->target);
    put_info(made, sizeof made, &one->made);
    put_info(before, sizeof before, &one->before);
    int length = snprintf(line, sizeof line, "%s%s%d %.*s%c%s%c%s%c%s%c", made, before, one->replaces,
                          (int)(directory - root), one->target + root, 0, one->target + directory, 0,
                          one->temporary + directory, 0, one->kept[0] ? one->kept + directory : "", 0);
    if (length < 0 || (size_t)length >= sizeof line)
        return ENAMETOOLONG;
    return mst_system_write(file, line, (size_t)length);
}

/* Creates the file and locks it. EWOULDBLOCK: another process has one. */
static int create(mst_journal *journal) {
    mst_system_info own;
    int error =
        mst_system_open_below(journal->path, journal->root, MST_SYSTEM_CREATE_PRIVATE, &journal->file);
    if (error) {
        journal->file = -1;
        return error == EEXIST ? EWOULDBLOCK : error;
    }
    error = mst_system_lock(journal->file);
    if (error != EWOULDBLOCK && mst_system_about_open(journal->file, &own) == 0 && own.names)
        return 0;
    mst_system_close(journal->file); /* another process took it for a leftover */
    journal->file = -1;
    return EWOULDBLOCK;
}

static int recover_one(const char *path, size_t root, void (*said)(void *user, const char *message),
                       void *user);

int mst_journal_begin(mst_journal *journal, size_t count,
                      mst_journal_entry (*get)(const void *user, size_t index), const void *user,
                      bool durable) {
    mst_journal_entry first = get(user, 0);
    size_t root = mst_system_directory_length(first.target);
    for (size_t i = 1; i < count; i++)
        root = common_length(first.target, root, get(user, i).target);
    journal->root = root;
    memcpy(journal->path, first.target, root);
    memcpy(journal->path + root, MST_JOURNAL_NAME, sizeof MST_JOURNAL_NAME);
    int error = create(journal);
    for (unsigned i = 0; i < TRIES && error == EWOULDBLOCK; i++) {
        int other = recover_one(journal->path, root, NULL, NULL);
        if (other == EWOULDBLOCK)
            mst_system_pause();
        error = other && other != EWOULDBLOCK && other != ENOENT ? other : create(journal);
    }
    if (error == EACCES || error == EPERM || error == EROFS)
        return 0;
    if (error)
        return error == EWOULDBLOCK ? EBUSY : error;
    error = mst_system_write(journal->file, HEAD, sizeof HEAD - 1);
    for (size_t i = 0; i < count && !error; i++) {
        const mst_journal_entry one = get(user, i);
        error = write_entry(journal->file, root, &one);
    }
    if (!error)
        error = mst_system_write(journal->file, TAIL, sizeof TAIL - 1);
    if (!error && durable)
        error = mst_system_sync(journal->file);
    if (!error && durable)
        mst_system_sync_directory(journal->path);
    if (error)
        mst_journal_end(journal);
    return error;
}

void mst_journal_end(mst_journal *journal) {
    if (journal->file < 0)
        return;
    if (!mst_system_replaces_open())
        mst_journal_leave(journal);
    mst_system_remove_below(journal->path, journal->root);
    mst_journal_leave(journal);
}

void mst_journal_leave(mst_journal *journal) {
    if (journal->file >= 0)
        mst_system_close(journal->file);
    journal->file = -1;
}

/* ---- reading the journal ---- */

/* The progress of a rename. */
typedef enum progress { PENDING, DONE, UNDONE, STRANGE } progress;

typedef struct entry {
    char target[MST_PATH_CAPACITY], temporary[MST_PATH_CAPACITY], kept[MST_PATH_CAPACITY];
    mst_system_info before, made;
    bool replaces;
} entry;

typedef struct read_state {
    const char *path; /* of the journal */
    size_t root;
    const char *text;
    size_t size;
} read_state;

static bool same_content(const mst_system_info *a, const mst_system_info *b) {
    return a->kind == MST_SYSTEM_FILE && a->number == b->number && a->size == b->size &&
           a->modified == b->modified;
}

static bool is_temporary_name(const char *name) {
    size_t prefix = sizeof MST_TEMPORARY_PREFIX - 1;
    return strncmp(name, MST_TEMPORARY_PREFIX, prefix) == 0 && strlen(name) == prefix + 16 &&
           strspn(name + prefix, "0123456789abcdef") == 16;
}

static bool take_number(const char **at, int64_t *number) {
    char *end;
    errno = 0;
    long long value = strtoll(*at, &end, 10);
    bool good = end != *at && *end == ' ' && !errno;
    *at = good ? end + 1 : *at;
    *number = value;
    return good;
}

static bool take_info(const char **at, mst_system_info *info) {
    int64_t size = 0;
    char *end;
    errno = 0;
    info->number = strtoull(*at, &end, 10); /* may use all 64 bits */
    if (end == *at || *end != ' ' || errno)
        return false;
    *at = end + 1;
    bool good = take_number(at, &size) && take_number(at, &info->modified);
    info->size = (uint64_t)size;
    return good;
}

/* The path for a name in an entry; false: it does not fit. */
static bool join(char *path, const read_state *from, const char *folder, const char *name) {
    int length = snprintf(path, MST_PATH_CAPACITY, "%.*s%s%s", (int)from->root, from->path, folder, name);
    return length >= 0 && length < MST_PATH_CAPACITY;
}

/* Takes the next entry. The names are not trusted: only a file called .mapstone- and 16 digits is renamed,
 * within its own directory, and no hidden file is replaced. */
static bool take_entry(const read_state *from, const char **at, entry *one) {
    const char *end = from->text + from->size, *texts[4];
    int64_t replaces;
    if (!take_info(at, &one->made) || !take_info(at, &one->before) || !take_number(at, &replaces))
        return false;
    for (size_t i = 0; i < 4; i++) {
        const char *stop = *at < end ? memchr(*at, 0, (size_t)(end - *at)) : NULL;
        if (!stop)
            return false;
        texts[i] = *at;
        *at = stop + 1;
    }
    one->replaces = replaces != 0;
    bool plain = !mst_system_is_absolute(texts[0]) && texts[1][0] && texts[1][0] != '.';
    for (const char *c = texts[1]; *c; c++)
        plain = plain && !mst_system_separates(*c);
    return plain && is_temporary_name(texts[2]) && (!texts[3][0] || is_temporary_name(texts[3])) &&
           join(one->target, from, texts[0], texts[1]) && join(one->temporary, from, texts[0], texts[2]) &&
           join(one->kept, from, texts[0], texts[3]);
}

static progress progress_of(const entry *one) {
    mst_system_info now, temporary;
    bool there = mst_system_about_link(one->target, &now) == 0;
    bool old = one->replaces ? there && same_content(&now, &one->before) : !there;
    if (mst_system_about_link(one->temporary, &temporary) == 0)
        return old && same_content(&temporary, &one->made) ? PENDING : STRANGE;
    return there && same_content(&now, &one->made) ? DONE : old ? UNDONE : STRANGE;
}

/* ---- completing the renames ---- */

/* Calls `act` for each entry until it returns an errno; EILSEQ: the text is not a journal. */
static int each_entry(const read_state *from, int (*act)(void *user, const entry *one), void *user) {
    const char *at = from->text + sizeof HEAD - 1, *end = from->text + from->size - (sizeof TAIL - 1);
    entry *one = calloc(1, sizeof *one);
    int error = one ? 0 : ENOMEM;
    while (!error && at < end)
        error = take_entry(from, &at, one) && at <= end ? act(user, one) : EILSEQ;
    free(one);
    return error;
}

typedef struct tally {
    size_t count[4];
    char first[256], strange[256]; /* names of files */
} tally;

static int count_entry(void *user, const entry *one) {
    tally *all = user;
    progress is = progress_of(one);
    if (!all->first[0])
        snprintf(all->first, sizeof all->first, "%s", mst_base_name(one->target));
    if (is == STRANGE && !all->strange[0])
        snprintf(all->strange, sizeof all->strange, "%s", mst_base_name(one->target));
    all->count[is]++;
    return 0;
}

static int finish_entry(void *user, const entry *one) {
    (void)user;
    return progress_of(one) == PENDING ? mst_system_rename(one->temporary, one->target) : 0;
}

static int take_back_entry(void *user, const entry *one) {
    mst_system_info kept;
    bool *stuck = user;
    if (progress_of(one) != DONE)
        return 0;
    bool has =
        one->replaces && mst_system_about_link(one->kept, &kept) == 0 && same_content(&kept, &one->before);
    if ((one->replaces && !has) ||
        (has ? mst_system_rename(one->kept, one->target) : mst_system_remove(one->target)) != 0)
        *stuck = true;
    return 0;
}

/* Removes files that are no longer needed. */
static int clean_entry(void *user, const entry *one) {
    mst_system_info found;
    (void)user;
    if (mst_system_about_link(one->temporary, &found) == 0 && same_content(&found, &one->made))
        mst_system_remove(one->temporary);
    if (is_temporary_name(mst_base_name(one->kept)) && mst_system_about_link(one->kept, &found) == 0 &&
        same_content(&found, &one->before))
        mst_system_remove(one->kept);
    return 0;
}

static void tell(const tally *all, const char *how, void (*said)(void *user, const char *message),
                 void *user) {
    char message[800];
    size_t count = all->count[PENDING] + all->count[DONE] + all->count[UNDONE] + all->count[STRANGE];
    snprintf(message, sizeof message,
             "a command was killed while it wrote %zu files together, such as %s: %s", count, all->first,
             how);
    if (said)
        said(user, message);
}

/* Gives all files their new names, or undoes the completed renames. */
static void end_renames(const read_state *from, void (*said)(void *user, const char *message), void *user) {
    tally all = {.count = {0}};
    char how[400];
    bool stuck = false;
    if (each_entry(from, count_entry, &all) != 0) {
        if (said)
            said(user, "a journal of another program, " MST_JOURNAL_NAME ", was removed");
        return;
    }
    if (all.count[STRANGE]) {
        snprintf(how, sizeof how, "%s has changed since, so they are left unchanged; %zu are new",
                 all.strange, all.count[DONE]);
        tell(&all, how, said, user);
    } else if (!all.count[UNDONE] && each_entry(from, finish_entry, NULL) == 0) {
        tell(&all, "all of them have their new content", said, user);
    } else {
        each_entry(from, take_back_entry, &stuck);
        tell(&all,
             stuck ? "some are new and some are old; compare them"
                   : "all of them have their old content again",
             said, user);
    }
    if (!stuck)
        each_entry(from, clean_entry, NULL);
}

/* Completes the renames of a journal. EWOULDBLOCK: its process is still running; ENOENT: there is no
 * journal. */
static int recover_one(const char *path, size_t root, void (*said)(void *user, const char *message),
                       void *user) {
    mst_system_info is = {0}, named;
    int file, error = mst_system_open_below(path, root, MST_SYSTEM_READ_AT_ONCE, &file);
    if (error)
        return error;
    if (mst_system_lock(file) == EWOULDBLOCK)
        error = EWOULDBLOCK;
    else if (mst_system_about_open(file, &is) != 0 || mst_system_about_below(path, root, &named) != 0 ||
             !mst_system_is_same(&is, &named))
        error = ENOENT; /* its process has just removed it */
    else if (is.kind != MST_SYSTEM_FILE || !mst_system_is_own(&is))
        error = EPERM;
    size_t size = error || is.size > SIZE_MOST ? 0 : (size_t)is.size, got = 0;
    char *text = error ? NULL : malloc(size + 1);
    for (size_t more = 1; text && got < size && more; got += more)
        if (mst_system_read(file, text + got, size - got, &more) != 0)
            more = 0;
    if (text) {
        const read_state from = {path, root, text, got};
        text[got] = 0;
        if (got >= sizeof HEAD + sizeof TAIL - 2 && memcmp(text, HEAD, sizeof HEAD - 1) == 0 &&
            memcmp(text + got - (sizeof TAIL - 1), TAIL, sizeof TAIL - 1) == 0)
            end_renames(&from, said, user); /* otherwise it was killed before the first rename */
        if (!mst_system_replaces_open())
            mst_system_close(file);
        error = mst_system_remove_below(path, root);
    }
    if (!text || mst_system_replaces_open())
        mst_system_close(file);
    free(text);
    return error;
}

/* ---- leftovers of single files ---- */

typedef struct sweep_state {
    const char *path;
    size_t root;
} sweep_state;

static bool sweep_one(void *user, const char *name, mst_system_kind kind) {
    const sweep_state *in = user;
    char path[MST_PATH_CAPACITY];
    int file;
    if (!is_temporary_name(name) || (kind != MST_SYSTEM_FILE && kind != MST_SYSTEM_UNKNOWN) ||
        snprintf(path, sizeof path, "%.*s%s", (int)in->root, in->path, name) >= (int)sizeof path ||
        mst_system_open_below(path, in->root, MST_SYSTEM_READ_AT_ONCE, &file) != 0)
        return true;
    if (mst_system_lock(file) == 0) /* no process is writing it */
        mst_system_remove_below(path, in->root);
    mst_system_close(file);
    return true;
}

/* Without file locks, or if open files cannot be removed, their owners are unknown: nothing is removed. */
static void sweep(const char *path, size_t length) {
    char folder[MST_PATH_CAPACITY];
    sweep_state in = {path, length};
    memcpy(folder, path, length);
    folder[length] = 0;
    if (mst_system_replaces_open())
        mst_system_entries(length ? folder : ".", sweep_one, &in);
}

mst_status mst_file_recover(const char *path, void (*said)(void *user, const char *message), void *user,
                            mst_diagnostic *diagnostic) {
    char journal[MST_PATH_CAPACITY + sizeof MST_JOURNAL_NAME + (size_t)3 * UP];
    if (!path)
        return mst_fail(diagnostic, MST_ARGUMENT, "a path is needed");
    size_t length = mst_system_directory_length(path), up = 0;
    if (strcmp(path, "-") == 0 || strlen(path) >= MST_PATH_CAPACITY)
        return MST_OK;
    for (size_t root = length;;) { /* its directory and the enclosing ones */
        memcpy(journal, path, root);
        for (size_t i = 0; i < up; i++)
            memcpy(journal + root + 3 * i, "../", 3);
        memcpy(journal + root + 3 * up, MST_JOURNAL_NAME, sizeof MST_JOURNAL_NAME);
        recover_one(journal, root + 3 * up, said, user);
        if (!root && (mst_system_is_absolute(path) || ++up > UP))
            break;
        while (root && mst_system_separates(path[root - 1]))
            root--;
        while (root && !mst_system_separates(path[root - 1]))
            root--;
        if (!root && mst_system_is_absolute(path))
            break;
    }
    sweep(path, length);
    return MST_OK;
}
