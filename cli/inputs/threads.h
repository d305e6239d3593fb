/* SPDX-License-Identifier: MIT */
/* Work in several threads, where the system supports them. */
#ifndef CLI_INPUTS_THREADS_H
#define CLI_INPUTS_THREADS_H

#include "../system/console.h"
#include "options.h"
#include <mapstone/base.h>

/* The number of threads from --jobs, at most `work`: 0 is one per processor; not given: `usual`. 0, with a
 * message, if --jobs is invalid. */
size_t threads_wanted(const options *given, size_t usual, size_t work);
/* For work on parts of one file; with several inputs each thread works on a whole file instead. */
mst_parallel threads_parallel(const options *given, size_t inputs);

#endif
