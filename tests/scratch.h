/* SPDX-License-Identifier: MIT */
/* A temporary directory of the test program, its working directory while tests run. */
#ifndef MST_TESTS_SCRATCH_H
#define MST_TESTS_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_directory[] = "/tmp/mapstone-test-XXXXXX";

static inline int enter_directory(void **state) {
    (void)state;
    return mkdtemp(scratch_directory) && chdir(scratch_directory) == 0 ? 0 : -1;
}

/* The number of files in the working directory, which are removed if `clear` is set. */
static inline size_t files_here(bool clear) {
    size_t count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (struct dirent *entry; (entry = readdir(here)) != NULL;)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            count++;
            if (clear)
                assert_int_equal(remove(entry->d_name), 0);
        }
    closedir(here);
    return count;
}

static inline int leave_directory(void **state) {
    (void)state;
    files_here(true);
    return chdir("/") == 0 && rmdir(scratch_directory) == 0 ? 0 : -1;
}

#endif
