/* SPDX-License-Identifier: MIT */
/*
 * Conditions that cannot hold and are looked at all the same, so that the library stays safe should the
 * reasoning beside them be wrong one day. Say that reasoning where one is used: the list of them is the list
 * of branches that no test can take.
 */
#ifndef MST_CORE_UNREACHABLE_H
#define MST_CORE_UNREACHABLE_H

#include <assert.h>

#if defined(MST_COVERAGE) /* not a branch to be counted; the condition has to compile */
#define MST_UNREACHABLE(condition) ((void)sizeof((condition) ? 1 : 0), 0)
#elif defined(NDEBUG)
#define MST_UNREACHABLE(condition) (condition)
#else
#define MST_UNREACHABLE(condition) ((condition) ? (assert(0 && #condition), 1) : 0)
#endif

/*
 * Conditions that cannot hold either, unless somebody else changed the bytes of a document after it was
 * opened: a program that saves over a file that is mapped. What is read then is garbage, but nothing beside
 * it is touched. tests/test_changing.c and tests/fuzz/fuzz_changing.c change bytes.
 */
#define MST_CHANGED(condition) (condition)

#endif
