/* SPDX-License-Identifier: MIT */
/* Records what a command changes in place: all its files are one entry of the history. */
#ifndef CLI_HISTORY_RECORD_H
#define CLI_HISTORY_RECORD_H

#include "../inputs/options.h"

/* Before the command. Only commands that have the option --no-history record, unless it is given. */
void record_begin(const options *given);
/* A file that the command has written, as it was and as it is; NULL: there is no such file. Threads may call
 * this. */
void record_file(const char *path, const void *before, size_t before_size, const void *after,
                 size_t after_size);
/* What was recorded has not happened after all. */
void record_forget(void);
/* Records nothing: the files are for another program, which gives them other names. */
void record_nothing(void);
/* After the command, with the words of its command line. */
void record_end(const options *given, int argc, char **argv);

#endif
