/* SPDX-License-Identifier: MIT */
/* Records the changes that a command makes in place: all its files are one entry of the history. */
#ifndef CLI_HISTORY_RECORD_H
#define CLI_HISTORY_RECORD_H

#include "../inputs/options.h"

/* Call it before the command. Only commands that have the option --no-history record, unless it is given. */
void record_begin(const options *given);
/* Records a file that the command has written, before and after; NULL: it does not exist. Threads may call
 * this. */
void record_file(const char *path, const void *before, size_t before_size, const void *after,
                 size_t after_size);
/* Discards the recorded changes: they were not made. */
void record_forget(void);
/* Turns recording off: the files are for another program, which renames them. */
void record_nothing(void);
/* Call it after the command, with the words of its command line. */
void record_end(const options *given, int argc, char **argv);

#endif
