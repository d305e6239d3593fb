/* SPDX-License-Identifier: MIT */
/*
 * Conditions that cannot hold but are checked anyway, so that the library stays safe if the reasoning is
 * wrong. Give the reason in a comment at each use: these are all the branches that no test can take. The
 * condition must have no effect: where coverage is measured it is not evaluated.
 */
#ifndef MST_CORE_UNREACHABLE_H
#define MST_CORE_UNREACHABLE_H

#include <assert.h>

#if defined(MST_COVERAGE) /* not counted as a branch; the condition must still compile */
#define MST_UNREACHABLE(condition) ((void)sizeof((condition) ? 1 : 0), 0)
#elif defined(NDEBUG)
#define MST_UNREACHABLE(condition) (condition)
#else
#define MST_UNREACHABLE(condition) ((condition) ? (assert(0 && #condition), 1) : 0)
#endif

/*
 * Conditions that can only hold if the bytes of a document changed after it was opened: another program
 * overwrote a mapped file. The values read are then garbage, but no memory outside the file is touched.
 * tests/test_changing.c and tests/fuzz/fuzz_changing.c change bytes on purpose.
 */
#define MST_CHANGED(condition) (condition)

#endif
