/* SPDX-License-Identifier: MIT */
/*
 * Every tests/test_<name>.c is a group of tests, run by its function `int test_<name>(void)`. All are one
 * program, since linking the library into a program for each took longer than compiling it:
 *
 *   mapstone_tests GROUP [WORD...]    runs that group; some take words (test_word)
 *   mapstone_tests                    lists the groups
 *
 * groups.inc, written by CMake, has a line GROUP(test_<name>) for each file.
 */
#include "runner.h"

#include <stdio.h>
#include <string.h>

#define GROUP(name) int name(void);
#include "groups.inc"
#undef GROUP

static const struct {
    const char *name;
    int (*run)(void);
} groups[] = {
#define GROUP(name) {#name, name},
#include "groups.inc"
#undef GROUP
};

static int word_count;
static char **words;

const char *test_word(size_t index) {
    return index < (size_t)word_count ? words[index] : "";
}

static int list_groups(void) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        puts(groups[i].name);
    return 0;
}

int main(int count, char **arguments) {
    if (count < 2)
        return list_groups();
    word_count = count - 2;
    words = arguments + 2;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strcmp(groups[i].name, arguments[1]) == 0)
            return groups[i].run();
    fprintf(stderr, "mapstone_tests: no group is called %s\n", arguments[1]);
    return 2;
}
