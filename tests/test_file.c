/* SPDX-License-Identifier: MIT */
/* Odd cases of files: the kinds of file under a name, links, owners, streams, and two files that belong
 * together. test_file_io.c has the ordinary cases, tests/io the failures. */
#undef _GNU_SOURCE
#undef _POSIX_C_SOURCE
#define _XOPEN_SOURCE 700
#include "support.h"

#include "../src/core/file.h"
#include "../src/core/write.h"
#include "scratch.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#if !defined(__wasi__) && !defined(_WIN32) /* there are no users, sockets and processes there */
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>

/* The library's syncs are counted here, and do not happen. */
static int syncs;
int fsync(int file) {
    (void)file;
    syncs++;
    return 0;
}

static void put_file(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void file_is(const char *name, const char *text) {
    size_t size;
    uint8_t *bytes = read_whole(name, &size);
    assert_non_null(bytes);
    assert_int_equal(size, strlen(text));
    assert_memory_equal(bytes, text, size);
    free(bytes);
}

static mst_file_writer *writing(const char *name, const mst_file_watch *watch, const char *text) {
    mst_file_writer *to;
    mst_diagnostic why;
    const mst_file_options how = {.size = sizeof how, .watch = watch};
    MUST(mst_file_create(name, &how, &to, &why), &why);
    mst_sink sink = mst_file_sink(to);
    assert_int_equal(sink.write(sink.user, text, strlen(text)), MST_OK);
    return to;
}

/* It is refused with a message that names the file and has `reason` in it. */
static void not_written(const char *name, const char *reason) {
    mst_file_writer *to;
    mst_diagnostic why;
    assert_int_equal(mst_file_create(name, NULL, &to, &why), MST_IO);
    assert_null(to);
    if (!strstr(why.message, name) || !strstr(why.message, reason))
        fail_msg("%s", why.message);
}

static void make_socket(const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int file = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(file >= 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", name);
    assert_int_equal(bind(file, (struct sockaddr *)&address, sizeof address), 0);
    close(file);
}

static void what_stands_there(void **state) {
    (void)state;
    put_file("plain", "12345");
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(symlink("plain", "to plain"), 0);
    assert_int_equal(symlink("folder", "to folder"), 0);
    assert_int_equal(symlink("fifo", "to fifo"), 0);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(symlink("loop", "loop"), 0);
    char path[5000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = 0;
    const struct {
        const char *name;
        mst_file_kind kind;
        mst_status regular;
    } cases[] = {
        {"plain", MST_FILE_REGULAR, MST_OK},
        {"to plain", MST_FILE_REGULAR, MST_OK},
        {"folder", MST_FILE_DIRECTORY, MST_NO_PATH},
        {"to folder", MST_FILE_OTHER, MST_NO_PATH},
        {"to folder/", MST_FILE_DIRECTORY, MST_NO_PATH},
        {"fifo", MST_FILE_OTHER, MST_NO_PATH},
        {"to fifo", MST_FILE_OTHER, MST_NO_PATH},
        {"dangling", MST_FILE_OTHER, MST_NO_PATH},
        {"loop", MST_FILE_OTHER, MST_NO_PATH},
        {"none", MST_FILE_NONE, MST_NO_PATH},
        {"plain/none", MST_FILE_NONE, MST_NO_PATH},
        {path, MST_FILE_NONE, MST_IO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t size = 99;
        if (mst_file_look(cases[i].name, &size) != cases[i].kind ||
            mst_file_is_regular(cases[i].name) != cases[i].regular)
            fail_msg("%.20s", cases[i].name);
        assert_int_equal(mst_file_look(cases[i].name, NULL), cases[i].kind);
        assert_int_equal(size, cases[i].kind == MST_FILE_REGULAR ? 5 : 99);
    }
    files_here(true);
}

static void links_are_followed_so_far(void **state) {
    (void)state;
    char path[600], name[16], before[16];
    put_file("level", "old");
    assert_non_null(getcwd(path, 500));
    strcat(path, "/level");
    assert_int_equal(symlink(path, "absolute"), 0);
    assert_int_equal(mst_file_finish(writing("absolute", NULL, "by an absolute link"), NULL), MST_OK);
    file_is("level", "by an absolute link");
    /* in sequence */
    strcpy(before, "level");
    for (unsigned i = 1; i <= 40; i++) {
        snprintf(name, sizeof name, "%u", i);
        assert_int_equal(symlink(before, name), 0);
        strcpy(before, name);
    }
    assert_int_equal(mst_file_finish(writing("39", NULL, "by 39 links"), NULL), MST_OK);
    file_is("level", "by 39 links");
    not_written("40", strerror(ELOOP));
    file_is("level", "by 39 links");
    files_here(true);
    /* a link to a file with a name too long for us, though not for the system */
    static char far_away[4095];
    for (size_t i = 0; i < 2040; i++)
        memcpy(far_away + 2 * i, "./", 3);
    strcat(far_away, "level");
    put_file("level", "old");
    assert_int_equal(symlink(far_away, "link"), 0);
    not_written("././././././././././link", strerror(ENAMETOOLONG));
    file_is("level", "old");
    assert_int_equal(files_here(true), 2);
}

static void what_cannot_be_opened_is_not_written(void **state) {
    (void)state;
    make_socket("socket");
    mst_file_writer *to;
    mst_diagnostic why;
    assert_int_equal(mst_file_create("socket", NULL, &to, &why), MST_IO);
    assert_null(to);
    assert_ptr_equal(strstr(why.message, "cannot write socket: "), why.message);
    assert_int_equal(files_here(true), 1);
}

/* The /proc entries of open files lead to names that they no longer have. */
static void what_has_no_name_is_not_written(void **state) {
    (void)state;
    char path[64];
    put_file("level", "old");
    int file = open("level", O_RDWR);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (access(path, F_OK) != 0) {
        close(file);
        files_here(true);
        skip();
    }
    assert_int_equal(unlink("level"), 0);
    not_written(path, strerror(ENOENT));
    put_file("level (deleted)", "another");
    not_written(path, strerror(ENOENT));
    file_is("level (deleted)", "another");
    close(file);
    assert_int_equal(files_here(true), 1);
}

static void owners_are_kept(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    struct stat info;
    put_file("level", "old");
    assert_int_equal(chmod("level", 06755), 0);
    assert_int_equal(chown("level", 1234, 0), 0);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(chown("level", i ? 0 : 1234, i ? 1235 : 0), 0);
        assert_int_equal(chmod("level", 06755), 0);
        assert_int_equal(mst_file_finish(writing("level", NULL, "new"), NULL), MST_OK);
        assert_int_equal(stat("level", &info), 0);
        assert_int_equal(info.st_uid, i ? 0 : 1234);
        assert_int_equal(info.st_gid, i ? 1235 : 0);
        assert_int_equal(info.st_mode & 07777, 06755);
    }
    /* a writer that cannot keep the owner does not create a program that runs as the writer's user */
    assert_int_equal(chmod("level", 06777), 0);
    assert_int_equal(chmod(".", 0777), 0);
    assert_int_equal(seteuid(1236), 0);
    mst_status status = mst_file_finish(writing("level", NULL, "newer"), NULL);
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, MST_OK);
    file_is("level", "newer");
    assert_int_equal(stat("level", &info), 0);
    assert_int_equal(info.st_uid, 1236);
    assert_int_equal(info.st_mode & 07777, 0777);
    /* and protected files stay protected */
    assert_int_equal(chmod("level", 0644), 0);
    assert_int_equal(seteuid(1237), 0);
    mst_file_writer *to;
    mst_diagnostic why;
    status = mst_file_create("level", NULL, &to, &why);
    assert_int_equal(seteuid(0), 0);
    assert_int_equal(status, MST_OK); /* access() checks the real user */
    mst_file_abandon(to);
    files_here(true);
}

static void standard_output_is_written(void **state) {
    (void)state;
    static const char *const names[] = {"-", "/dev/stdout"};
    mst_status statuses[4];
    fflush(stdout);
    int standard = dup(1), file = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(standard >= 0 && file >= 0);
    assert_int_equal(dup2(file, 1), 1);
    close(file);
    for (size_t i = 0; i < 4; i++) {
        mst_file_writer *to = NULL;
        statuses[i] = mst_file_create(names[i % 2], NULL, &to, NULL);
        mst_sink sink = mst_file_sink(to);
        sink.write(sink.user, &"0123"[i], 1);
        if (i < 2)
            statuses[i] = mst_file_finish(to, NULL);
        else
            mst_file_abandon(to);
    }
    int still = fcntl(1, F_GETFD); /* it is not closed */
    dup2(standard, 1);
    close(standard);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(statuses[i], MST_OK);
    assert_int_equal(still, 0);
    file_is("out", "0123"); /* the abandoned file had been written */
    assert_int_equal(files_here(true), 1);
}

/* ---- reading ---- */

static void limits_are_of_streams(void **state) {
    (void)state;
    static const struct {
        uint64_t limit;
        mst_status status;
    } cases[] = {{0, MST_OK}, {UINT64_MAX, MST_OK}, {5, MST_OK}, {4, MST_IO}};
    int standard = dup(0);
    assert_true(standard >= 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], "12345", 5), 5);
        close(ends[1]);
        assert_int_equal(dup2(ends[0], 0), 0);
        close(ends[0]);
        mst_file_bytes bytes;
        mst_diagnostic why;
        mst_status status = mst_file_read("-", NULL, cases[i].limit, false, &bytes, &why);
        assert_int_equal(status, cases[i].status);
        assert_int_equal(bytes.size, status == MST_OK ? 5 : 0);
        if (status != MST_OK)
            assert_string_equal(why.message, "standard input has more than 4 bytes");
        mst_file_bytes_free(&bytes);
    }
    /* the size is right even if another reader has consumed the beginning */
    put_file("level", "headrest");
    int file = open("level", O_RDONLY);
    assert_int_equal(lseek(file, 4, SEEK_SET), 4);
    assert_int_equal(dup2(file, 0), 0);
    close(file);
    mst_file_bytes bytes;
    MUST(mst_file_read("-", NULL, 2, false, &bytes, NULL), NULL);
    assert_int_equal(bytes.size, 4);
    assert_memory_equal(bytes.data, "rest", 4);
    mst_file_bytes_free(&bytes);
    assert_int_equal(dup2(standard, 0), 0);
    close(standard);
    files_here(true);
}

static void streams_survive_lack_of_memory(void **state) {
    (void)state;
    enum { SIZE = 60000 };
    int standard = dup(0);
    assert_true(standard >= 0);
    for (size_t fail_at = 1;; fail_at++) {
        static char text[SIZE];
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], text, SIZE), SIZE);
        close(ends[1]);
        assert_int_equal(dup2(ends[0], 0), 0);
        close(ends[0]);
        counted c = {.fail_at = fail_at};
        mst_allocator allocator = counted_allocator(&c);
        mst_file_bytes bytes;
        mst_diagnostic why;
        mst_status status = mst_file_read("-", &allocator, 0, false, &bytes, &why);
        assert_int_equal(status, c.failed ? MST_NO_MEMORY : MST_OK);
        if (c.failed)
            assert_string_equal(why.message, "not enough memory for standard input");
        assert_int_equal(bytes.size, c.failed ? 0 : SIZE);
        mst_file_bytes_free(&bytes);
        assert_false(c.wrong);
        assert_int_equal(c.blocks, 0);
        if (!c.failed) {
            assert_int_equal(fail_at, 3); /* space, and the return of unused space */
            break;
        }
    }
    assert_int_equal(dup2(standard, 0), 0);
    close(standard);
}

/* ---- two that belong together ---- */

typedef struct reported {
    unsigned there, gone, begun, ended;
} reported;

static void count_told(void *user, const char *temporary, bool there) {
    reported *counts = user;
    assert_non_null(strstr(temporary, ".mapstone-"));
    if (there) {
        counts->there++;
    } else {
        counts->gone++;
        assert_int_equal(access(temporary, F_OK), -1);
    }
}

static void count_renaming(void *user, bool now) {
    reported *counts = user;
    assert_int_equal(counts->begun, counts->ended + (now ? 0 : 1));
    now ? counts->begun++ : counts->ended++;
}

static mst_status finish_two(mst_file_writer *first, mst_file_writer *second, mst_diagnostic *why) {
    mst_file_writer *both[] = {first, second};
    return mst_file_finish_all(both, 2, why);
}

/* Makes renames to the name fail. */
static void block(const char *name) {
    unlink(name);
    assert_int_equal(mkdir(name, 0777), 0);
}

typedef struct thief {
    char kept[4096];
    unsigned there, gone;
} thief;

static void note_second_name(void *user, const char *temporary, bool there) {
    thief *t = user;
    there ? t->there++ : t->gone++;
    if (there)
        snprintf(t->kept, sizeof t->kept, "%s", temporary);
}

/* The last name that was reported before is the second name of the first file. */
static void take_second_name(void *user, bool now) {
    thief *t = user;
    if (now)
        assert_int_equal(unlink(t->kept), 0);
}

/* The second file cannot get its name, and the old first one is gone: the message states this, and no name
 * stays reported that a signal handler would remove. */
static void what_cannot_be_put_back_is_reported(void **state) {
    (void)state;
    thief t = {.there = 0};
    mst_file_watch watch = {note_second_name, &t, take_second_name};
    mst_diagnostic why;
    put_file("first", "old");
    mst_file_writer *first = writing("first", &watch, "new"), *second = writing("second", &watch, "never");
    block("second");
    assert_int_equal(finish_two(first, second, &why), MST_IO);
    assert_non_null(
        strstr(why.message, "; first has already been written, its old content is in .mapstone-"));
    file_is("first", "new");
    assert_int_equal(t.there, 3);
    assert_int_equal(t.gone, 3);
    assert_int_equal(rmdir("second"), 0);
    files_here(true);
}

static void two_are_written_or_none(void **state) {
    (void)state;
    reported counts = {0};
    mst_file_watch watch = {count_told, &counts, count_renaming};
    mst_file_writer *first, *second;
    mst_diagnostic why;
    /* new, and then over an existing file */
    for (unsigned i = 0; i < 2; i++) {
        counts = (reported){0};
        first = writing("first", &watch, i ? "newer first" : "new first");
        second = writing("second", &watch, i ? "newer second" : "new second");
        MUST(finish_two(first, second, &why), &why);
        file_is("first", i ? "newer first" : "new first");
        file_is("second", i ? "newer second" : "new second");
        assert_int_equal(files_here(false), 2);
        assert_int_equal(counts.there, 2 + i); /* the second name of the replaced file */
        assert_int_equal(counts.gone, 2 + i);
        assert_int_equal(counts.begun, 1);
        assert_int_equal(counts.ended, 1);
    }
    /* the first cannot get its name */
    counts = (reported){0};
    first = writing("first", &watch, "never");
    second = writing("second", &watch, "never");
    block("first");
    assert_int_equal(finish_two(first, second, &why), MST_IO);
    assert_non_null(strstr(why.message, "cannot write first: "));
    file_is("second", "newer second");
    assert_int_equal(files_here(false), 2);
    assert_int_equal(counts.there, counts.gone);
    assert_int_equal(rmdir("first"), 0);
    /* the second cannot: the first is restored, or removed again */
    for (unsigned i = 0; i < 2; i++) {
        counts = (reported){0};
        if (i)
            put_file("first", "old");
        first = writing("first", &watch, "never");
        second = writing("second", &watch, "never");
        block("second");
        assert_int_equal(finish_two(first, second, i ? &why : NULL), MST_IO);
        if (i) {
            file_is("first", "old");
            assert_ptr_equal(strstr(why.message, "cannot write second: "), why.message);
            assert_null(strstr(why.message, "first"));
        }
        assert_int_equal(files_here(false), 1 + i);
        assert_int_equal(counts.there, 2 + i);
        assert_int_equal(counts.gone, 2 + i);
        assert_int_equal(rmdir("second"), 0);
    }
    files_here(true);
    /* a pipe is written at once, which cannot be undone */
    assert_int_equal(mkfifo("first", 0600), 0);
    int reader = open("first", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    for (unsigned i = 0; i < 3; i++) {
        char text[8];
        counts = (reported){0};
        first = writing("first", &watch, "through");
        second = writing("second", &watch, "file");
        if (i)
            block("second");
        assert_int_equal(finish_two(first, second, i == 2 ? NULL : &why), i ? MST_IO : MST_OK);
        if (i == 1)
            assert_non_null(strstr(why.message, "; first has already been written"));
        assert_int_equal(counts.there, 1); /* the temporary file of the second */
        assert_int_equal(counts.gone, 1);
        assert_int_equal(read(reader, text, sizeof text), 7);
        assert_memory_equal(text, "through", 7);
        assert_int_equal(files_here(false), 2);
        if (i)
            assert_int_equal(rmdir("second"), 0);
    }
    first = writing("first", NULL, "through");
    mst_file_abandon(first);
    close(reader);
    assert_int_equal(files_here(true), 1);
}

/* Whichever file cannot be written is reported, and neither is renamed. */
static void neither_is_named_unless_both_are_whole(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    for (unsigned i = 0; i < 2; i++) {
        mst_file_writer *full, *other;
        mst_diagnostic why;
        put_file("level", "old");
        MUST(mst_file_create("/dev/full", NULL, &full, &why), &why);
        mst_sink sink = mst_file_sink(full);
        assert_int_equal(sink.write(sink.user, "x", 1), MST_IO);
        other = writing("level", NULL, "new");
        assert_int_equal(i ? finish_two(full, other, &why) : finish_two(other, full, &why), MST_IO);
        assert_ptr_equal(strstr(why.message, "cannot write /dev/full: "), why.message);
        file_is("level", "old");
        assert_int_equal(files_here(true), 1);
    }
}

/* Whichever of many cannot get its name, all files are unchanged: old, or missing. */
static void many_are_written_or_none(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b", "c", "d"};
    enum { MANY = 4 };
    reported counts = {0};
    mst_file_watch watch = {count_told, &counts, count_renaming};
    mst_file_writer *all[MANY];
    mst_diagnostic why;
    for (unsigned failing = 0; failing <= MANY; failing++) {
        counts = (reported){0};
        put_file("a", "old a");
        put_file("c", "old c");
        for (unsigned i = 0; i < MANY; i++)
            all[i] = writing(names[i], &watch, "new");
        if (failing < MANY)
            block(names[failing]);
        mst_status status = mst_file_finish_all(all, MANY, &why);
        assert_int_equal(status, failing < MANY ? MST_IO : MST_OK);
        assert_int_equal(counts.there, counts.gone);
        assert_int_equal(counts.begun, 1);
        assert_int_equal(counts.ended, 1);
        if (failing == MANY) {
            for (unsigned i = 0; i < MANY; i++)
                file_is(names[i], "new");
            assert_int_equal(files_here(true), MANY);
            break;
        }
        char said[40];
        snprintf(said, sizeof said, "cannot write %s: ", names[failing]);
        assert_ptr_equal(strstr(why.message, said), why.message);
        assert_null(strstr(why.message, "already been written"));
        if (failing != 0)
            file_is("a", "old a");
        if (failing != 2)
            file_is("c", "old c");
        assert_int_equal(rmdir(names[failing]), 0);
        assert_int_equal(files_here(true), failing % 2 ? 2 : 1);
    }
    MUST(mst_file_finish_all(NULL, 0, &why), &why);
}

/* Two files with the same name, also through a link. */
static void no_name_is_given_twice(void **state) {
    (void)state;
    mst_diagnostic why;
    put_file("level", "old");
    assert_int_equal(symlink("level", "link"), 0);
    mst_file_writer *first = writing("level", NULL, "one"), *second = writing("link", NULL, "two");
    assert_int_equal(finish_two(first, second, &why), MST_ARGUMENT);
    assert_string_equal(why.message, "two files would be written to link");
    file_is("level", "old");
    assert_int_equal(files_here(true), 2);
}

static void waiting_for_the_disk(void **state) {
    (void)state;
    mst_diagnostic why;
    syncs = 0;
    MUST(mst_file_finish(writing("level", NULL, "waited"), &why), &why);
    assert_int_equal(syncs, 2); /* the file and its directory */
    mst_file_writer *hurried = writing("level", NULL, "not waited");
    mst_file_hurry(hurried);
    MUST(mst_file_finish(hurried, &why), &why);
    assert_int_equal(syncs, 2);
    file_is("level", "not waited");
}

/* ---- changes to a file by others meanwhile ---- */

static mst_file_writer *rewriting(const char *name, const char *expected) {
    mst_file_writer *to = writing(name, NULL, "mine");
    mst_file_expect(to, expected, strlen(expected));
    return to;
}

static void refused(mst_file_writer *to, const char *reason) {
    mst_diagnostic why;
    assert_int_equal(mst_file_finish(to, &why), MST_REFUSED);
    if (!strstr(why.message, reason))
        fail_msg("%s", why.message);
}

static void edits_of_others_are_not_lost(void **state) {
    (void)state;
    static const char *const theirs[] = {"theirs", "older", "ol", ""};
    put_file("level", "old");
    assert_int_equal(mst_file_finish(rewriting("level", "old"), NULL), MST_OK);
    file_is("level", "mine");
    /* written over in place, and replaced: longer, shorter, as long */
    for (unsigned i = 0; i < 8; i++) {
        put_file("level", "old");
        mst_file_writer *to = rewriting("level", "old");
        if (i % 2 == 0) {
            put_file("level", theirs[i / 2]);
        } else {
            put_file("theirs", theirs[i / 2]);
            assert_int_equal(rename("theirs", "level"), 0);
        }
        refused(to, "level was changed by another program after it was read; nothing was written");
        file_is("level", theirs[i / 2]);
        assert_int_equal(files_here(false), 1);
    }
    put_file("level", "old");
    mst_file_writer *to = rewriting("level", "old");
    put_file("level", "OLD");
    refused(to, "was changed");
    /* removed */
    put_file("level", "old");
    to = rewriting("level", "old");
    assert_int_equal(unlink("level"), 0);
    refused(to, "was changed");
    assert_int_equal(files_here(false), 0);
    /* if files belong together, all are kept */
    put_file("first", "old");
    put_file("second", "old");
    mst_file_writer *first = writing("first", NULL, "new"), *second = rewriting("second", "older");
    assert_int_equal(finish_two(first, second, NULL), MST_REFUSED);
    file_is("first", "old");
    file_is("second", "old");
    assert_int_equal(files_here(true), 2);
}

/* Another process has the file, and is about to rename: neither side waits. */
static void one_rewrites_at_a_time(void **state) {
    (void)state;
    put_file("level", "old");
    int other = open("level", O_RDONLY);
    assert_true(other >= 0);
    if (flock(other, LOCK_EX) != 0) {
        close(other);
        files_here(true);
        skip();
    }
    refused(rewriting("level", "old"), "level is being written by another program");
    file_is("level", "old");
    /* without an expectation nothing is compared */
    assert_int_equal(mst_file_finish(writing("level", NULL, "new"), NULL), MST_OK);
    /* the locked file no longer exists */
    assert_int_equal(mst_file_finish(rewriting("level", "new"), NULL), MST_OK);
    close(other);
    file_is("level", "mine");
    assert_int_equal(files_here(true), 1);
}

static void other_names_are_counted(void **state) {
    (void)state;
    put_file("level", "old");
    for (unsigned i = 0; i < 3; i++) {
        char name[8];
        mst_file_writer *to = writing("level", NULL, "new");
        assert_int_equal(mst_file_other_names(to), i);
        mst_file_abandon(to);
        snprintf(name, sizeof name, "%u", i);
        assert_int_equal(link("level", name), 0);
    }
    mst_file_writer *to = writing("none", NULL, "new");
    assert_int_equal(mst_file_other_names(to), 0);
    mst_file_abandon(to);
    assert_int_equal(files_here(true), 4);
}

int test_file(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_there),
        cmocka_unit_test(links_are_followed_so_far),
        cmocka_unit_test(what_cannot_be_opened_is_not_written),
        cmocka_unit_test(what_has_no_name_is_not_written),
        cmocka_unit_test(owners_are_kept),
        cmocka_unit_test(standard_output_is_written),
        cmocka_unit_test(limits_are_of_streams),
        cmocka_unit_test(streams_survive_lack_of_memory),
        cmocka_unit_test(what_cannot_be_put_back_is_reported),
        cmocka_unit_test(two_are_written_or_none),
        cmocka_unit_test(neither_is_named_unless_both_are_whole),
        cmocka_unit_test(many_are_written_or_none),
        cmocka_unit_test(no_name_is_given_twice),
        cmocka_unit_test(waiting_for_the_disk),
        cmocka_unit_test(edits_of_others_are_not_lost),
        cmocka_unit_test(one_rewrites_at_a_time),
        cmocka_unit_test(other_names_are_counted),
    };
    return cmocka_run_group_tests_name("files", tests, enter_directory, leave_directory);
}

#else

int test_file(void) {
    return 0;
}

#endif
