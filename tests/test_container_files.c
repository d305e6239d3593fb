/* SPDX-License-Identifier: MIT */
/* Files of the caller as a container. */
#undef _GNU_SOURCE
#define _POSIX_C_SOURCE 200809L
#include "containers.h"

typedef struct named {
    const char *name, *text;
    uint64_t size; /* the claimed size; 0: the text's */
} named;

typedef struct callers {
    const named *items;
    size_t count, reads, most; /* the most bytes requested at once */
    mst_status answer;
} callers;

static const char *name_at(void *user, size_t index, uint64_t *size) {
    const callers *all = user;
    const named *one = &all->items[index];
    *size = one->size ? one->size : one->text ? strlen(one->text) : 0;
    return one->name;
}

static mst_status read_at(void *user, size_t index, uint64_t offset, void *to, size_t count) {
    callers *all = user;
    assert_true(index < all->count && offset + count <= strlen(all->items[index].text));
    memcpy(to, all->items[index].text + offset, count);
    all->reads++;
    all->most = count > all->most ? count : all->most;
    return all->answer;
}

static mst_container_files files_of(callers *all) {
    return (mst_container_files){sizeof(mst_container_files), all->count, name_at, read_at, all};
}

static const named some[] = {{"maps/b.level", "a level", 0},
                             {"a.txt", "text", 0},
                             {"maps\\Tex.bin", "pixels", 0},
                             {"../../up.txt", "up", 0},
                             {"empty", "", 0},
                             {NULL, "without a name", 0},
                             {"", "without a name", 0},
                             {"large", NULL, (uint64_t)1 << 40}};

static void files_are_read_when_they_are_needed(void **state) {
    (void)state;
    callers all = {some, sizeof some / sizeof *some, 0, 0, MST_OK};
    const mst_container_files files = files_of(&all);
    reported odd = {0};
    const mst_container_options options = {
        .size = sizeof options, .report = take_report, .report_user = &odd};
    mst_container *container;
    mst_diagnostic why;
    MUST(mst_container_open_files(&files, &options, &container, &why), &why);
    assert_int_equal(all.reads, 0);
    static const char *const names[] = {"a.txt", "empty", "large", "maps/Tex.bin", "maps/b.level", "up.txt"};
    assert_int_equal(mst_container_count(container), 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(mst_container_name(container, i), names[i]);
    assert_int_equal(mst_container_size(container, 4), 7);
    assert_int_equal(mst_container_at(container, 0), 4); /* the caller's order */
    begins(container, "maps/b.level", 3, "a l", 3);
    assert_int_equal(all.most, 3);
    begins(container, "empty", 3, "", 0);
    assert_int_equal(all.reads, 1);
    holds(container, "maps/b.level", "a level", 7);
    holds(container, "MAPS/TEX.BIN", "pixels", 6);
    holds(container, "up.txt", "up", 2);
    holds(container, "empty", "", 0);
    reads_as(container, 2, MST_IO); /* more than a member may have */
    gives(container, "maps", ".bin", "Tex.bin=pixels,");
    all.answer = MST_STOPPED;
    reads_as(container, 0, MST_STOPPED);
    char first[4];
    size_t size;
    assert_int_equal(mst_container_peek(container, 0, first, sizeof first, &size, &why), MST_STOPPED);
    assert_string_equal(why.message,
                        "cannot read a.txt in the files: the program that provides it returned an error");
    mst_container_close(container);
    /* none at all */
    const mst_container_files nothing = {.size = sizeof nothing};
    MUST(mst_container_open_files(&nothing, NULL, &container, &why), &why);
    assert_int_equal(mst_container_count(container), 0);
    mst_container_close(container);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    callers all = {some, 5, 0, 0, MST_OK};
    const mst_container_files files = files_of(&all);
    for (size_t fail_at = 1;; fail_at++) {
        counted c = {.fail_at = fail_at};
        const mst_container_options options = {.size = sizeof options, .allocator = counted_allocator(&c)};
        mst_container *container;
        mst_container_bytes bytes;
        mst_diagnostic why;
        mst_status status = mst_container_open_files(&files, &options, &container, &why);
        if (status == MST_OK)
            status = mst_container_read(container, 0, &bytes, &why);
        if (status == MST_OK)
            mst_container_release(container, &bytes);
        else
            assert_int_equal(status, MST_NO_MEMORY);
        mst_container_close(container);
        assert_int_equal(c.blocks, 0);
        assert_false(c.wrong);
        if (!c.failed)
            break;
    }
}

int test_container_files(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read_when_they_are_needed),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
