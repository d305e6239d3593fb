/* SPDX-License-Identifier: MIT */
/* Directories as containers, and containers without memory. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "../src/container/container.h"
#include "containers.h"

/* Whether names that differ only in case belong to different files here. */
static bool tells_case_apart(void) {
    put_file("probe", "", 0);
    bool apart = access("PROBE", F_OK) != 0;
    assert_int_equal(remove("probe"), 0);
    if (!apart)
        print_message("# case does not matter in names here\n");
    return apart;
}

/* ---- directories --------------------------------------------------------------------------------------- */

static void directories(void **state) {
    (void)state;
    if (!tells_case_apart())
        skip();
    assert_int_equal(mkdir("d", 0777), 0);
    mst_container *container = opened("d", 0);
    assert_int_equal(mst_container_count(container), 0);
    mst_container_close(container);
    assert_int_equal(mkdir("d/b", 0777), 0);
    assert_int_equal(mkdir("d/b/c", 0777), 0);
    assert_int_equal(mkdir("d/empty", 0777), 0);
#ifndef __wasi__
    assert_int_equal(symlink("/", "d/link"), 0); /* which is not followed */
#endif
    put_file("d/one.txt", "one", 3);
    put_file("d/b/Two.TXT", "two", 3);
    put_file("d/b/two.txt", "TWO!", 4);
    put_file("d/b/c/three", "", 0);
    static const char *const paths[] = {"d", "d/", "./d"};
    for (size_t i = 0; i < 3; i++) {
        container = opened(paths[i], 0);
        assert_int_equal(mst_container_count(container), 4);
        assert_string_equal(mst_container_name(container, 0), "b/Two.TXT");
        assert_string_equal(mst_container_name(container, 1), "b/c/three");
        assert_string_equal(mst_container_name(container, 2), "b/two.txt");
        assert_string_equal(mst_container_name(container, 3), "one.txt");
        assert_int_equal(mst_container_size(container, 2), 4);
        holds(container, "b/two.txt", "TWO!", 4);
        holds(container, "B/TWO.TXT", "two", 3);
        holds(container, "B/C/THREE", "", 0);
        begins(container, "b/two.txt", 2, "TW", 2);
        begins(container, "one.txt", 64, "one", 3);
        for (size_t n = 0; n < 4; n++)
            assert_int_equal(mst_container_at(container, n), n);
        assert_false(mst_container_is_streamed(container));
        assert_int_equal(mst_container_omitted(container), 0);
        mst_container_close(container);
    }
    container = opened("d", 3);
    reads_as(container, 2, MST_IO);
    holds(container, "one.txt", "one", 3);
    put_file("d/one.txt", "four", 4); /* it grows while it is read */
    reads_as(container, 3, MST_IO);
    mst_resolver resolver = mst_container_resolver(container);
    const void *data;
    size_t size;
    assert_int_equal(resolver.find(resolver.user, "tWO.txt", &data, &size), MST_OK);
    assert_memory_equal(data, "two", 3);
    assert_int_equal(remove("d/one.txt"), 0); /* and is removed */
    reads_as(container, 3, MST_IO);
    put_file("d/one.txt", "one", 3);
    mst_container_close(container);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static void every_allocation_may_fail(void **state) {
    (void)state;
    zip z = {0};
    add(&z, (entry){.name = "one", .data = "1234567890"});
    add(&z, (entry){.name = "two", .data = "abc"});
    end(&z, "");
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        mst_container *container;
        mst_diagnostic why;
        mst_status status = mst_container_open("a.bin", &options, &container, &why);
        if (status == MST_OK)
            holds(container, "two", "abc", 3);
        else
            assert_int_equal(status, MST_NO_MEMORY);
        mst_container_close(container);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed)
            break;
    }
    zip_free(&z);
}

/* The same with increasing lengths of the set's name, so that each allocation is once the one without
 * room. */
static void every_piece_of_memory_may_lack(void **state) {
    (void)state;
    if (!tells_case_apart()) /* d has no files */
        skip();
    zip z = {0};
    add(&z, (entry){.name = "d/b/two.txt", .data = "1234567890"});
    add(&z, (entry){.name = "one.txt", .data = "abc"});
    end(&z, "");
    static char path[4000];
    for (int k = 0; k < 2; k++) /* a directory, an archive */
        for (size_t slashes = 0; slashes < 1500; slashes += 40 * sample_step()) {
            memset(path, '/', slashes + 1);
            path[0] = '.';
            strcpy(path + slashes + 1, k ? "/a.bin" : "/d");
            for (size_t fail_at = 1;; fail_at++) {
                counted c = {.fail_at = fail_at, .for_good = true};
                mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
                mst_container *container;
                mst_diagnostic why;
                mst_status status = mst_container_open(path, &options, &container, &why);
                bool opens = status == MST_OK;
                if (opens) {
                    mst_container_bytes bytes;
                    given all = {.max = 100};
                    mst_resolver resolver = mst_container_resolver(container);
                    status = resolver.each(resolver.user, "b", "two.txt", take, &all);
                    if (status == MST_OK)
                        assert_int_equal(all.count, k ? 1 : 2);
                    if (status == MST_OK)
                        status = mst_container_read(container, mst_container_find(container, "one.txt"),
                                                    &bytes, &why);
                    if (status == MST_OK)
                        mst_container_release(container, &bytes);
                }
                if (status != MST_OK) {
                    assert_true(c.failed);
                    assert_int_equal(status, MST_NO_MEMORY);
                }
                mst_container_close(container);
                assert_int_equal(c.blocks, 0);
                assert_false(c.wrong);
                if (!c.failed)
                    break;
            }
        }
    zip_free(&z);
}

int test_container(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directories),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_piece_of_memory_may_lack),
    };
    return cmocka_run_group_tests_name("container", tests, make_place, remove_place);
}
