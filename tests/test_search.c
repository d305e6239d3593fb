/* SPDX-License-Identifier: MIT */
/* Sidecars: the file that a name refers to, that each is read once, and that no name leads outside. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "../src/core/search.h"
#include "given.h"
#include <sys/stat.h>
#include <unistd.h>
#ifndef __wasi__
#include <sys/resource.h>
#endif

static char directory[] = "/tmp/mapstone-search-XXXXXX";

static void put_file(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/*
 * one/   Alpha.bin  ALPHA.BIN  beta.bin  empty  deep/inner.bin  deep/er/last.bin  Deep/Er/other.bin  folder/
 * two/   beta.BIN  GAMMA.BIN  folder  Ä.bin
 */
static int make_files(void **state) {
    (void)state;
    if (!mkdtemp(directory) || chdir(directory) != 0)
        return -1;
    static const char *const folders[] = {"one",      "two",         "one/deep",  "one/deep/er",
                                          "one/Deep", "one/Deep/Er", "one/folder"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (mkdir(folders[i], 0777) != 0)
            return -1;
    put_file("secret", "secret");
    put_file("one/Alpha.bin", "mixed");
    put_file("one/ALPHA.BIN", "upper");
    put_file("one/beta.bin", "first");
    put_file("one/empty", "");
    put_file("one/deep/inner.bin", "inner");
    put_file("one/deep/er/last.bin", "last");
    put_file("one/Deep/Er/other.bin", "other");
    put_file("two/beta.BIN", "second");
    put_file("two/GAMMA.BIN", "third");
    put_file("two/folder", "no folder");
    put_file("two/\xC3\x84.bin", "capital");
    return 0;
}

static int remove_files(void **state) {
    (void)state;
    static const char *const names[] = {"secret",
                                        "one/Alpha.bin",
                                        "one/ALPHA.BIN",
                                        "one/beta.bin",
                                        "one/empty",
                                        "one/deep/inner.bin",
                                        "one/deep/er/last.bin",
                                        "one/deep/er",
                                        "one/Deep/Er/other.bin",
                                        "one/Deep/Er",
                                        "one/Deep",
                                        "one/deep",
                                        "one/folder",
                                        "two/beta.BIN",
                                        "two/GAMMA.BIN",
                                        "two/folder",
                                        "two/\xC3\x84.bin",
                                        "one",
                                        "two"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove(names[i]);
    return chdir("/") == 0 && rmdir(directory) == 0 ? 0 : -1;
}

static mst_search *searching(const char *first, const char *second) {
    mst_search *search;
    mst_diagnostic why;
    assert_int_equal(mst_search_create(NULL, &search), MST_OK);
    MUST(mst_search_add(search, first, &why), &why);
    if (second)
        MUST(mst_search_add(search, second, &why), &why);
    return search;
}

/* `text` NULL: the file does not exist. */
static void finds(mst_search *search, const char *name, const char *text) {
    mst_resolver resolver = mst_search_resolver(search);
    const void *bytes = "";
    size_t size = 99;
    mst_status status = resolver.find(resolver.user, name, &bytes, &size);
    if (!text) {
        assert_int_equal(status, MST_NO_PATH);
        return;
    }
    assert_int_equal(status, MST_OK);
    assert_int_equal(size, strlen(text));
    assert_non_null(bytes);
    assert_memory_equal(bytes, text, size);
}

static void names_in_any_case_are_found(void **state) {
    (void)state;
    mst_search *search = searching("one", "two/");
    assert_null(mst_search_found(search));
    finds(search, "Alpha.bin", "mixed");
    assert_string_equal(mst_search_found(search), "one/Alpha.bin");
    finds(search, "ALPHA.BIN", "upper");
    assert_string_equal(mst_search_found(search), "one/ALPHA.BIN");
    finds(search, "alpha.bin", "upper"); /* neither: the first by its bytes */
    finds(search, "gamma.Bin", "third");
    assert_string_equal(mst_search_found(search), "two/GAMMA.BIN");
    finds(search, "empty", "");
    finds(search, "alpha", NULL);
    finds(search, "alpha.bin2", NULL);
    finds(search, "zeta", NULL);
    assert_string_equal(mst_search_found(search), "one/empty");
    mst_search_free(search);
}

static void only_ascii_has_case(void **state) {
    (void)state;
    mst_search *search = searching("two", NULL);
    finds(search, "\xC3\x84.BIN", "capital");
    finds(search, "\xC3\xA4.bin", NULL);
    mst_search_free(search);
}

static void directories_are_asked_in_order(void **state) {
    (void)state;
    mst_search *search = searching("one", "two");
    finds(search, "beta.bin", "first");
    finds(search, "beta.BIN", "first"); /* the first directory that has it in any case */
    mst_search_free(search);
    search = searching("two", "one");
    finds(search, "beta.bin", "second");
    mst_search_free(search);
    assert_int_equal(mst_search_create(NULL, &search), MST_OK);
    finds(search, "beta.bin", NULL); /* in no directory at all */
    mst_search_free(search);
    mst_search_free(NULL);
}

static void no_name_leads_elsewhere(void **state) {
    (void)state;
    mst_search *search = searching("one", "two");
    finds(search, "", NULL);
    finds(search, ".", NULL);
    finds(search, "..", NULL);
    finds(search, "../secret", NULL);
    finds(search, "deep\\inner.bin", NULL);
    finds(search, "deep/../alpha.bin", NULL);
    finds(search, "deep/..", NULL);
    finds(search, "deep/", NULL);
    finds(search, "alpha.bin/inner.bin", NULL);
    finds(search, "..\\secret", NULL);
    finds(search, "/etc/passwd", NULL);
    finds(search, "./beta.bin", NULL);
    mst_search_free(search);
    /* a working directory has an empty name or "." */
    assert_int_equal(chdir("one"), 0);
    search = searching(".", NULL);
    finds(search, "BETA.bin", "first");
    mst_search_free(search);
    search = searching("", NULL);
    finds(search, "BETA.bin", "first");
    assert_string_equal(mst_search_found(search), "beta.bin");
    mst_search_free(search);
    assert_int_equal(chdir(".."), 0);
}

/* Also files one directory below, in any case; but not by their plain names. */
static void directories_below_are_looked_into(void **state) {
    (void)state;
    mst_search *search = searching("one", "two");
    finds(search, "deep/inner.bin", "inner");
    finds(search, "DEEP/Inner.BIN", "inner");
    finds(search, "inner.bin", NULL);
    finds(search, "deep/none.bin", NULL);
    finds(search, "none/inner.bin", NULL);
    /* any number of directories, and all of those that differ only in case */
    finds(search, "deep/er/last.bin", "last");
    finds(search, "DEEP/ER/LAST.BIN", "last");
    finds(search, "deep/er/other.bin", "other");
    finds(search, "Deep/inner.bin", "inner");
    finds(search, "deep/er/inner.bin", NULL);
    finds(search, "deep/inner.bin/inner.bin", NULL);
    finds(search, "deep//inner.bin", NULL);
    finds(search, "/deep/inner.bin", NULL);
    finds(search, "a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a", NULL);
    char name[600];
    memset(name, 'd', sizeof name);
    memcpy(name + sizeof name - 11, "/inner.bin", 11);
    finds(search, name, NULL);
    mst_search_free(search);
}

static void what_is_no_file_is_passed_over(void **state) {
    (void)state;
    mst_search *search = searching("one", "two");
    finds(search, "folder", "no folder");
    finds(search, "Folder", "no folder");
    finds(search, "deep", NULL);
    mst_search_free(search);
}

static void a_pipe_is_not_waited_for(void **state) {
    (void)state;
    if (mkfifo("one/pipe", 0600) != 0)
        skip();
    mst_search *search = searching("one", NULL);
    finds(search, "pipe", NULL);
    mst_search_free(search);
    assert_int_equal(remove("one/pipe"), 0);
}

static void directories_and_files_are_read_once(void **state) {
    (void)state;
    mst_search *search = searching("one", NULL);
    mst_resolver resolver = mst_search_resolver(search);
    const void *bytes, *again;
    size_t size;
    assert_int_equal(resolver.find(resolver.user, "beta.bin", &bytes, &size), MST_OK);
    finds(search, "late.bin", NULL);
    put_file("one/late.bin", "late");
    finds(search, "late.bin", NULL);
    assert_int_equal(rename("one/beta.bin", "one/moved.bin"), 0);
    assert_int_equal(resolver.find(resolver.user, "BETA.BIN", &again, &size), MST_OK);
    assert_ptr_equal(bytes, again);
    finds(search, "beta.bin", "first");
    mst_search_free(search);
    assert_int_equal(rename("one/moved.bin", "one/beta.bin"), 0);
    search = searching("one", NULL);
    finds(search, "late.bin", "late");
    mst_search_free(search);
    assert_int_equal(remove("one/late.bin"), 0);
}

static void what_is_no_directory_is_said(void **state) {
    (void)state;
    mst_search *search;
    mst_diagnostic why;
    assert_int_equal(mst_search_create(NULL, &search), MST_OK);
    assert_int_equal(mst_search_add(search, "nowhere", &why), MST_IO);
    assert_int_equal(why.status, MST_IO);
    assert_non_null(strstr(why.message, "nowhere"));
    assert_int_equal(mst_search_add(search, "one/beta.bin", &why), MST_IO);
    assert_non_null(strstr(why.message, "one/beta.bin"));
    assert_int_equal(mst_search_add(search, "one/beta.bin", NULL), MST_IO);
    finds(search, "beta.bin", NULL);
    mst_search_free(search);
}

static void many_names_are_sorted(void **state) {
    (void)state;
    enum { MANY = 500 };
    assert_int_equal(mkdir("many", 0777), 0);
    char name[40], text[40];
    for (unsigned i = 0; i < MANY; i++) {
        unsigned shuffled = i * 7919 % MANY;
        snprintf(name, sizeof name, "many/%s%u.Bin", shuffled % 2 ? "F" : "f", shuffled);
        snprintf(text, sizeof text, "%u", shuffled);
        put_file(name, text);
    }
    mst_search *search = searching("many", NULL);
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "f%u.BIN", i);
        snprintf(text, sizeof text, "%u", i);
        finds(search, name, text);
        snprintf(name, sizeof name, "f%u.BIM", i);
        finds(search, name, NULL);
    }
    mst_search_free(search);
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "many/%s%u.Bin", i % 2 ? "F" : "f", i);
        assert_int_equal(remove(name), 0);
    }
    assert_int_equal(rmdir("many"), 0);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    for (size_t fail_at = 1;; fail_at++) {
        counted memory = {.fail_at = fail_at};
        mst_allocator allocator = counted_allocator(&memory);
        mst_search *search = NULL;
        mst_status status = mst_search_create(&allocator, &search);
        if (status == MST_OK)
            status = mst_search_add(search, "one", NULL);
        if (status == MST_OK)
            status = mst_search_add(search, "two", NULL);
        if (status == MST_OK) {
            mst_resolver resolver = mst_search_resolver(search);
            const void *bytes;
            size_t size;
            status = resolver.find(resolver.user, "gamma.bin", &bytes, &size);
            if (status == MST_NO_MEMORY) /* a failed search is repeated */
                finds(search, "gamma.bin", "third");
        }
        mst_search_free(search);
        assert_int_equal(memory.blocks, 0);
        assert_false(memory.wrong);
        if (!memory.failed) {
            assert_int_equal(status, MST_OK);
            assert_true(fail_at > 3);
            break;
        }
        /* the arena may have needed less */
        assert_true(status == MST_NO_MEMORY || status == MST_OK);
    }
}

static void gives(mst_search *search, const char *folder, const char *ending, const char *text) {
    resolver_gives(mst_search_resolver(search), folder, ending, text);
}

static void every_file_of_an_ending_is_given(void **state) {
    (void)state;
    mst_search *search = searching("one", "two/");
    gives(search, "one", ".bin", "ALPHA.BIN=upper,Alpha.bin=mixed,beta.bin=first,");
    gives(search, "TWO", "A.Bin", "beta.BIN=second,GAMMA.BIN=third,");
    gives(search, "o", "bin", "beta.BIN=second,GAMMA.BIN=third,\xC3\x84.bin=capital,");
    gives(search, "", "empty", "empty=,");
    gives(search, "three", "", "");
    gives(search, "further/one", "", "");
    gives(search, "one", "older", ""); /* a folder is not a file */
    mst_resolver resolver = mst_search_resolver(search);
    given all = {.max = 1};
    assert_int_equal(resolver.each(resolver.user, "", "bin", take, &all), MST_STOPPED);
    assert_string_equal(all.text, "ALPHA.BIN=upper,");
    mst_search_free(search);
    assert_int_equal(chdir("one"), 0); /* which has no name here */
    search = searching("", NULL);
    gives(search, "", "bin", "");
    mst_search_free(search);
    assert_int_equal(chdir(".."), 0);
}

/* A game's root suffices to find files in its folders, even if two folders differ only in case. */
static void files_of_folders_below_are_given(void **state) {
    (void)state;
    char folder[300];
    assert_int_equal(mkdir("root", 0777), 0);
    assert_int_equal(mkdir("root/Defs", 0777), 0);
    assert_int_equal(mkdir("root/Defs/actors", 0777), 0);
    put_file("root/Defs/actors/a.txt", "a");
    put_file("root/Defs/actors/b.bin", "b");
    put_file("root/actors", "no folder");
    mst_search *search = searching("root", NULL);
    gives(search, "defs/actors", ".txt", "a.txt=a,");
    gives(search, "Defs", ".txt", "");
    gives(search, "actors", ".txt", "");
    gives(search, "defs/none", ".txt", "");
    memset(folder, 'x', sizeof folder);
    folder[sizeof folder - 1] = 0;
    gives(search, folder, ".txt", "");
    mst_resolver resolver = mst_search_resolver(search);
    given all = {.max = 1};
    assert_int_equal(resolver.each(resolver.user, "defs/ACTORS", "", take, &all), MST_STOPPED);
    assert_string_equal(all.text, "a.txt=a,");
    mst_search_free(search);
    assert_int_equal(remove("root/Defs/actors/a.txt"), 0);
    assert_int_equal(remove("root/Defs/actors/b.bin"), 0);
    assert_int_equal(remove("root/actors"), 0);
    assert_int_equal(rmdir("root/Defs/actors"), 0);
    assert_int_equal(rmdir("root/Defs"), 0);
    assert_int_equal(rmdir("root"), 0);
}

static void what_goes_away_is_not_there(void **state) {
    (void)state;
    assert_int_equal(mkdir("three", 0777), 0);
    mst_search *search = searching("three", NULL);
    finds(search, "a.bin", NULL); /* there is no file */
    finds(search, "folder/a.bin", NULL);
    mst_search_free(search);
    search = searching("three", NULL);
    put_file("three/a.bin", "a");
    put_file("three/b.bin", "b");
    finds(search, "a.bin", "a");
    assert_int_equal(remove("three/b.bin"), 0);
    finds(search, "b.bin", NULL);
    gives(search, "three", "bin", "a.bin=a,");
    mst_search_free(search);
    mst_resolver resolver;
    const void *bytes;
    size_t size;
#if !defined(__wasi__) && !defined(_WIN32) /* where no path is too long */
    /* a name that may exist but cannot be inspected is an error, but not when all files are listed */
    char path[4200];
    memset(path, '/', sizeof path);
    memcpy(path, "three", 5);
    path[4085] = 0;
    search = searching(path, NULL);
    resolver = mst_search_resolver(search);
    put_file("three/a name of some length", "x");
    assert_int_equal(resolver.find(resolver.user, "a name of some length", &bytes, &size), MST_IO);
    assert_null(bytes);
    gives(search, "", "bin", "a.bin=a,");
    gives(search, "", "length", "");
    mst_search_free(search);
    assert_int_equal(remove("three/a name of some length"), 0);
#endif
    /* a directory that can no longer be read is an error as well */
    search = searching("three", NULL);
    resolver = mst_search_resolver(search);
    assert_int_equal(remove("three/a.bin"), 0);
    assert_int_equal(remove("three"), 0);
    assert_int_equal(resolver.find(resolver.user, "a.bin", &bytes, &size), MST_IO);
    assert_int_equal(resolver.find(resolver.user, "folder/a.bin", &bytes, &size), MST_IO);
    given all = {.max = 1};
    assert_int_equal(resolver.each(resolver.user, "three", "bin", take, &all), MST_IO);
    mst_search_free(search);
}

#ifndef __wasi__ /* where files have no such limit */
/* A subfolder that cannot be read is reported once, and counts as empty: files elsewhere are found. */
static void folders_that_cannot_be_read(void **state) {
    (void)state;
    struct rlimit before, none;
    const void *bytes;
    size_t size;
    assert_int_equal(mkdir("locked", 0755), 0);
    assert_int_equal(mkdir("locked/folder", 0755), 0);
    put_file("locked/folder/a.bin", "x");
    mst_search *search = searching("locked", NULL);
    mst_resolver resolver = mst_search_resolver(search);
    finds(search, "none", NULL); /* lists the first */
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    mst_status first = resolver.find(resolver.user, "folder/a.bin", &bytes, &size);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(first, MST_NO_PATH);
    assert_string_equal(mst_search_unread(search), "locked/folder/");
    assert_null(mst_search_unread(search));
    put_file("locked/b.bin", "y");
    finds(search, "folder/a.bin", NULL);
    assert_null(mst_search_unread(search));
    mst_search_free(search);
    assert_int_equal(remove("locked/b.bin"), 0);
    assert_int_equal(remove("locked/folder/a.bin"), 0);
    assert_int_equal(remove("locked/folder"), 0);
    assert_int_equal(remove("locked"), 0);
}
#endif

static void names_of_folders_have_an_end(void **state) {
    (void)state;
    char name[600];
    mst_search *search = searching("one", NULL);
    finds(search, "/beta.bin", NULL);
    memset(name, 'x', sizeof name);
    strcpy(name + 300, "/beta.bin");
    finds(search, name, NULL);
    mst_search_free(search);
}

/* The same with increasing lengths of the directory's name, so that each allocation is once the one without
 * room. */
static void every_piece_of_memory_may_lack(void **state) {
    (void)state;
    static const char *const names[] = {"gamma.bin", "deep/inner.bin", "Alpha.bin"};
    static char path[4000];
    for (size_t slashes = 1; slashes < 3000; slashes += 48 * sample_step()) {
        memset(path, '/', slashes + 3);
        memcpy(path, "one", 3);
        path[slashes + 3] = 0;
        for (size_t fail_at = 1;; fail_at++) {
            counted memory = {.fail_at = fail_at, .for_good = true};
            mst_allocator allocator = counted_allocator(&memory);
            mst_search *search = NULL;
            given all = {.max = 100};
            mst_status status = mst_search_create(&allocator, &search);
            for (size_t i = 0; i < 2 && status == MST_OK; i++)
                status = mst_search_add(search, i ? "two" : path, NULL);
            mst_resolver resolver = {0};
            if (status == MST_OK)
                resolver = mst_search_resolver(search);
            const void *bytes;
            size_t size;
            for (size_t i = 0; i < sizeof names / sizeof *names && status == MST_OK; i++)
                status = resolver.find(resolver.user, names[i], &bytes, &size);
            if (status == MST_OK)
                status = resolver.each(resolver.user, "", "bin", take, &all);
            assert_int_equal(status, memory.failed && status != MST_OK ? MST_NO_MEMORY : MST_OK);
            if (status == MST_OK)
                assert_int_equal(all.count, 6);
            mst_search_free(search);
            assert_int_equal(memory.blocks, 0);
            if (!memory.failed)
                break;
        }
    }
}

int test_search(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_any_case_are_found),
        cmocka_unit_test(only_ascii_has_case),
        cmocka_unit_test(directories_are_asked_in_order),
        cmocka_unit_test(no_name_leads_elsewhere),
        cmocka_unit_test(directories_below_are_looked_into),
        cmocka_unit_test(what_is_no_file_is_passed_over),
        cmocka_unit_test(a_pipe_is_not_waited_for),
        cmocka_unit_test(directories_and_files_are_read_once),
        cmocka_unit_test(what_is_no_directory_is_said),
        cmocka_unit_test(many_names_are_sorted),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_file_of_an_ending_is_given),
        cmocka_unit_test(files_of_folders_below_are_given),
        cmocka_unit_test(what_goes_away_is_not_there),
#ifndef __wasi__
        cmocka_unit_test(folders_that_cannot_be_read),
#endif
        cmocka_unit_test(names_of_folders_have_an_end),
        cmocka_unit_test(every_piece_of_memory_may_lack),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
