/* SPDX-License-Identifier: MIT */
/* Services of the program that runs a group of tests: runner.c. */
#ifndef MST_TESTS_RUNNER_H
#define MST_TESTS_RUNNER_H

#include <stddef.h>

/* The word at `index` after the group's name on the command line; "" if there are fewer. */
const char *test_word(size_t index);

#endif
