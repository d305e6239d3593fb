/* SPDX-License-Identifier: MIT */
/* Files, links, devices and pipes: reading and writing them. test_file.c has the odd cases. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../src/core/diagnose.h"
#include "../src/core/file.h"
#include "../src/core/write.h"
#include "scratch.h"
#include "tally.h"

/* ---- file.h ---- */

static void write_whole(const char *path, const void *data, size_t size) {
    mst_diagnostic d = {0};
    mst_file_writer *writer;
    if (mst_file_create(path, NULL, &writer, &d) != MST_OK)
        fail_msg("%s", d.message);
    mst_sink sink = mst_file_sink(writer);
    assert_int_equal(sink.write(sink.user, data, size / 2), MST_OK);
    assert_int_equal(sink.write(sink.user, (const char *)data + size / 2, size - size / 2), MST_OK);
    if (mst_file_finish(writer, &d) != MST_OK)
        fail_msg("%s", d.message);
}

static void expect_file(const char *path, const char *text) {
    tally counter = {0};
    mst_allocator allocator = counting(&counter);
    mst_file_bytes bytes;
    mst_diagnostic d = {0};
    if (mst_file_read(path, &allocator, 0, false, &bytes, &d) != MST_OK)
        fail_msg("%s", d.message);
    assert_int_equal(bytes.size, strlen(text));
    assert_non_null(bytes.data);
    assert_memory_equal(bytes.data, text, bytes.size);
#if !defined(__wasi__) && !defined(_WIN32) /* which do not map */
    assert_true(!bytes.size || bytes.mapped);
#endif
    mst_file_bytes_free(&bytes);
    assert_int_equal(counter.bytes, 0);
}

static void files_are_written_and_read(void **state) {
    (void)state;
    files_here(true);
    write_whole("level", "first", 5);
    expect_file("level", "first");
    write_whole("./level", "the second, longer text", 23);
    expect_file("level", "the second, longer text");
    write_whole("empty", "", 0);
    expect_file("empty", "");
    assert_int_equal(files_here(false), 2); /* no temporary file is left */
}

static void an_abandoned_file_leaves_the_old_one(void **state) {
    (void)state;
    files_here(true);
    write_whole("level", "old", 3);
    tally counter = {0};
    mst_allocator allocator = counting(&counter);
    const mst_file_options how = {.size = sizeof how, .allocator = &allocator};
    mst_file_writer *writer;
    assert_int_equal(mst_file_create("level", &how, &writer, NULL), MST_OK);
    mst_sink sink = mst_file_sink(writer);
    assert_int_equal(sink.write(sink.user, "new", 3), MST_OK);
    expect_file("level", "old"); /* nothing is visible before the end */
    assert_int_equal(files_here(false), 2);
    mst_file_abandon(writer);
    mst_file_abandon(NULL);
    expect_file("level", "old");
    assert_int_equal(files_here(false), 1);
    assert_int_equal(counter.bytes, 0);
    counter.fail_at = 1;
    assert_int_equal(mst_file_create("level", &how, &writer, NULL), MST_NO_MEMORY);
}

static mode_t mode_of(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode & 07777;
}

static void permissions_are_kept(void **state) {
    (void)state;
    files_here(true);
    mode_t old = umask(027);
    write_whole("level", "1", 1);
    assert_int_equal(mode_of("level"), 0640); /* 0666 reduced by the umask */
    assert_int_equal(chmod("level", 0604), 0);
    write_whole("level", "2", 1);
    assert_int_equal(mode_of("level"), 0604);
    umask(old);
    if (geteuid() != 0) {
        mst_file_writer *writer;
        mst_diagnostic d;
        assert_int_equal(chmod("level", 0444), 0);
        assert_int_equal(mst_file_create("level", NULL, &writer, &d), MST_IO);
        assert_non_null(strstr(d.message, "level"));
    }
}

static void symbolic_links_are_followed(void **state) {
    (void)state;
    files_here(true);
    assert_int_equal(symlink("sub/level", "one"), 0);
    assert_int_equal(symlink("one", "two"), 0);
    assert_int_equal(mkdir("sub", 0777), 0);
    write_whole("sub/level", "old", 3);
    write_whole("two", "through both", 12);
    expect_file("sub/level", "through both");
    struct stat info;
    assert_int_equal(lstat("two", &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    /* A link whose target is not there yet. */
    assert_int_equal(unlink("sub/level"), 0);
    write_whole("two", "created", 7);
    expect_file("sub/level", "created");
    assert_int_equal(symlink("loop", "loop"), 0);
    mst_file_writer *writer;
    mst_diagnostic d;
    assert_int_equal(mst_file_create("loop", NULL, &writer, &d), MST_IO);
    assert_null(writer);
    assert_int_equal(unlink("sub/level"), 0);
    assert_int_equal(rmdir("sub"), 0);
}

static mst_status write_below(const char *below, const char *path, mst_diagnostic *d) {
    const mst_file_options how = {.size = sizeof how, .below = below};
    mst_file_writer *writer;
    mst_status status = mst_file_create(path, &how, &writer, d);
    if (status != MST_OK) {
        assert_null(writer);
        return status;
    }
    mst_sink sink = mst_file_sink(writer);
    assert_int_equal(sink.write(sink.user, "new", 3), MST_OK);
    return mst_file_finish(writer, d);
}

static void nothing_leads_out_of_a_directory(void **state) {
    (void)state;
    mst_diagnostic d;
    files_here(true);
    assert_int_equal(symlink("real", "root"), 0); /* first, like the pipe: without them the test is skipped */
    assert_int_equal(mkdir("real", 0777), 0);
    assert_int_equal(mkfifo("real/pipe", 0600), 0);
    assert_int_equal(mkdir("outside", 0777), 0);
    assert_int_equal(mkdir("real/sub", 0777), 0);
    assert_int_equal(symlink("../outside", "real/folder"), 0);
    assert_int_equal(symlink("../outside/old", "real/file"), 0);
    assert_int_equal(symlink("../outside/new", "real/dangling"), 0);
    write_whole("outside/old", "old", 3);
    write_whole("real/sub/old", "old", 3);
    static const char *const refused[] = {"root/folder/x",     "root/file",       "root/dangling",
                                          "root/../outside/x", "root/sub/../x",   "root/pipe",
                                          "root/folder/../x",  "root/./folder/x", "root//folder/x",
                                          "root/sub/../file",  "root/folder/old"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_int_equal(write_below("root", refused[i], &d), MST_IO);
        assert_int_equal(write_below("root/", refused[i], &d), MST_IO);
        assert_non_null(strstr(d.message, refused[i]));
    }
    assert_int_equal(write_below("root", "root/sub", &d), MST_IO);
    assert_int_equal(write_below("root", "elsewhere/x", &d), MST_ARGUMENT);
    assert_int_equal(write_below("", "root/x", &d), MST_IO); /* then the link belongs to another user */
    expect_file("outside/old", "old");
    assert_int_equal(access("outside/x", F_OK), -1);
    assert_int_equal(access("outside/new", F_OK), -1);
    assert_int_equal(write_below("root", "root/sub/old", &d), MST_OK); /* the root may be a link */
    assert_int_equal(write_below("root/", "root/./sub//new", &d), MST_OK);
    assert_int_equal(write_below("", "real/sub/third", &d), MST_OK);
    expect_file("real/sub/old", "new");
    expect_file("real/sub/new", "new");
    static const char *const made[] = {"outside/old",    "real/sub/old", "real/sub/new",
                                       "real/sub/third", "real/folder",  "real/file",
                                       "real/dangling",  "real/pipe",    "root"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        assert_int_equal(unlink(made[i]), 0);
    assert_int_equal(rmdir("real/sub") | rmdir("real") | rmdir("outside"), 0);
}

static void a_backup_is_like_its_file(void **state) {
    (void)state;
    mst_diagnostic d;
    mst_file_writer *writer;
    files_here(true);
    const mst_file_options how = {.size = sizeof how, .like = "level"};
    write_whole("level", "secret", 6);
    write_whole("theirs", "theirs", 6);
    assert_int_equal(chmod("level", 0600), 0);
    assert_int_equal(symlink("theirs", "level~"), 0);
    for (unsigned again = 0; again < 2; again++) {
        assert_int_equal(mst_file_create("level~", &how, &writer, &d), MST_OK);
        assert_int_equal(mst_file_replaces(writer), 1);
        mst_sink sink = mst_file_sink(writer);
        assert_int_equal(sink.write(sink.user, "secret", 6), MST_OK);
        assert_int_equal(mst_file_finish(writer, &d), MST_OK);
        expect_file("level~", "secret");
        expect_file("theirs", "theirs");
        assert_int_equal(mode_of("level~"), 0600);
        struct stat info;
        assert_int_equal(lstat("level~", &info), 0);
        assert_true(S_ISREG(info.st_mode));
    }
    assert_int_equal(files_here(false), 3);
}

/* Leftovers of a process that no longer runs are removed, a file being written is not. */
static void leftovers_are_removed(void **state) {
    (void)state;
    mst_diagnostic d;
    mst_file_writer *writer;
    files_here(true);
    write_whole("level", "old", 3);
    FILE *left = fopen(".mapstone-00112233445566aa", "wb"), *other = fopen(".mapstone-notes", "wb");
    assert_true(left && other && fclose(left) == 0 && fclose(other) == 0);
    assert_int_equal(mst_file_create("level", NULL, &writer, &d), MST_OK);
    mst_sink sink = mst_file_sink(writer);
    assert_int_equal(sink.write(sink.user, "new", 3), MST_OK);
    assert_int_equal(files_here(false), 4);
    assert_int_equal(mst_file_recover("level", NULL, NULL, &d), MST_OK);
#if defined(__wasi__) || defined(_WIN32) /* where the owner is unknown */
    const int stays = 1;
#else
    const int stays = 0;
#endif
    assert_int_equal(files_here(false), 3 + stays);
    assert_int_equal(mst_file_finish(writer, &d), MST_OK);
    expect_file("level", "new");
    assert_int_equal(mst_file_recover("-", NULL, NULL, &d), MST_OK);
    assert_int_equal(mst_file_recover(NULL, NULL, NULL, &d), MST_ARGUMENT);
    assert_int_equal(files_here(false), 2 + stays);
    files_here(true);
}

/* Replaces the file until there is one named "enough". Returns the replacing process. */
static pid_t start_replacing(const char *path) {
    pid_t child = fork();
    assert_true(child >= 0);
    if (child != 0)
        return child;
    bool good = true;
    while (good && access("enough", F_OK) != 0) {
        FILE *made = fopen("made", "wb");
        good = made && fclose(made) == 0 && rename("made", path) == 0;
    }
    _exit(good ? 0 : 1);
}

/* Between two checks of the path another file can take its place. */
static void a_file_is_replaced_while_it_is_opened(void **state) {
    (void)state;
    mst_diagnostic d = {0};
    int ended;
    files_here(true);
    write_whole("level", "old", 3);
    pid_t child = start_replacing("level");
    mst_status status = MST_OK;
    for (unsigned i = 0; i < 1000 && status == MST_OK; i++) {
        mst_file_writer *writer;
        status = mst_file_create("level", NULL, &writer, &d);
        if (status == MST_OK)
            mst_file_abandon(writer);
    }
    write_whole("enough", "", 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    if (status != MST_OK)
        fail_msg("%s", d.message);
    files_here(true);
}

static void failures_name_the_file(void **state) {
    (void)state;
    files_here(true);
    mst_file_bytes bytes;
    mst_file_writer *writer;
    mst_diagnostic d;
    assert_int_equal(mst_file_read("no such file", NULL, 0, false, &bytes, &d), MST_IO);
    assert_int_equal(d.status, MST_IO);
    assert_non_null(strstr(d.message, "no such file: "));
    assert_int_equal(mst_file_read(".", NULL, 0, false, &bytes, &d), MST_IO);
    assert_non_null(strstr(strstr(d.message, "."), "directory"));
    mst_file_bytes_free(&bytes);
    assert_int_equal(mst_file_create(".", NULL, &writer, &d), MST_IO);
    assert_int_equal(mst_file_create("nowhere/level", NULL, &writer, &d), MST_IO);
    assert_non_null(strstr(d.message, "nowhere/level: "));
    assert_int_equal(mst_file_create("nowhere/", NULL, &writer, &d), MST_IO);
    assert_int_equal(mst_file_create("", NULL, &writer, &d), MST_IO);
    char path[6000];
    memset(path, 'p', sizeof path - 1);
    path[sizeof path - 1] = 0;
    assert_int_equal(mst_file_create(path, NULL, &writer, &d), MST_IO);
    assert_int_equal(mst_file_read(path, NULL, 0, false, &bytes, &d), MST_IO);
    assert_int_equal(files_here(false), 0);
}

static void a_full_device_is_an_error(void **state) {
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    mst_file_writer *writer;
    mst_diagnostic d;
    assert_int_equal(mst_file_create("/dev/full", NULL, &writer, &d), MST_OK);
    mst_sink sink = mst_file_sink(writer);
    assert_int_equal(sink.write(sink.user, "text", 4), MST_IO);
    assert_int_equal(sink.write(sink.user, "text", 4), MST_IO);
    assert_int_equal(mst_file_finish(writer, &d), MST_IO);
    assert_non_null(strstr(d.message, "/dev/full: "));
    write_whole("/dev/null", "text", 4);
}

static void pipes_are_read_to_the_end(void **state) {
    (void)state;
    files_here(true);
    /* A pipe has room for little, so another process fills it. */
    const size_t size = 300000;
    int standard = dup(0);
    assert_true(standard >= 0);
    for (unsigned round = 0; round < 4; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(ends[0]);
            for (size_t i = 0; i < size; i++)
                if (write(ends[1], &"0123456789"[i % 10], 1) != 1)
                    break;
            _exit(0);
        }
        close(ends[1]);
        assert_int_equal(dup2(ends[0], 0), 0);
        close(ends[0]);
        tally counter = {.fail_at = round == 3 ? 2 : 0};
        mst_allocator allocator = counting(&counter);
        mst_file_bytes bytes;
        mst_diagnostic d;
        mst_status status = mst_file_read("-", &allocator,
                                          round == 1   ? size - 1
                                          : round == 2 ? size
                                                       : 0,
                                          false, &bytes, &d);
        assert_int_equal(status, round == 1 ? MST_IO : round == 3 ? MST_NO_MEMORY : MST_OK);
        assert_true(status == MST_OK || strstr(d.message, "standard input"));
        if (status == MST_OK) {
            assert_int_equal(bytes.size, size);
            assert_int_equal(bytes.mapped, 0);
            for (size_t i = 0; i < size; i++)
                assert_true(bytes.data[i] == '0' + i % 10);
        }
        mst_file_bytes_free(&bytes);
        assert_int_equal(counter.bytes, 0);
        assert_int_equal(dup2(standard, 0), 0);
    }
    /* A file as standard input that was partly read before. */
    write_whole("level", "headrest", 8);
    int file = open("level", O_RDONLY);
    assert_int_equal(dup2(file, 0), 0);
    close(file);
    char header[4];
    assert_int_equal(read(0, header, 4), 4);
    mst_file_bytes bytes;
    assert_int_equal(mst_file_read("-", NULL, 0, false, &bytes, NULL), MST_OK);
    assert_int_equal(bytes.size, 4);
    assert_memory_equal(bytes.data, "rest", 4);
    mst_file_bytes_free(&bytes);
    assert_int_equal(dup2(standard, 0), 0);
    close(standard);
}

static void pipes_are_written_directly(void **state) {
    (void)state;
    files_here(true);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    write_whole("fifo", "through", 7);
    char text[16];
    assert_int_equal(read(reader, text, sizeof text), 7);
    assert_memory_equal(text, "through", 7);
    close(reader);
    assert_int_equal(files_here(false), 1);
    struct stat info;
    assert_int_equal(stat("fifo", &info), 0);
    assert_true(S_ISFIFO(info.st_mode));
}

int test_file_io(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_written_and_read),
        cmocka_unit_test(an_abandoned_file_leaves_the_old_one),
        cmocka_unit_test(permissions_are_kept),
        cmocka_unit_test(symbolic_links_are_followed),
        cmocka_unit_test(nothing_leads_out_of_a_directory),
        cmocka_unit_test(a_backup_is_like_its_file),
        cmocka_unit_test(leftovers_are_removed),
        cmocka_unit_test(a_file_is_replaced_while_it_is_opened),
        cmocka_unit_test(failures_name_the_file),
        cmocka_unit_test(a_full_device_is_an_error),
        cmocka_unit_test(pipes_are_read_to_the_end),
        cmocka_unit_test(pipes_are_written_directly),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
