/* SPDX-License-Identifier: MIT */
/* Work in several threads, where the system has them. */
#ifndef CLI_INPUTS_THREADS_H
#define CLI_INPUTS_THREADS_H

#include "../system/console.h"
#include "options.h"
#include <mapstone/base.h>

/* How many threads --jobs asks for, at most `work`: 0 is one a processor; not given: `usual`. 0, with a
 * message, if --jobs is wrong. */
size_t threads_wanted(const options *given, size_t usual, size_t work);
/* For work on parts of one file; with several inputs, threads are for those and the work on one is not
 * divided. */
mst_parallel threads_parallel(const options *given, size_t inputs);

#endif
